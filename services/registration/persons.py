"""The persons of entries: told apart by a blind index of their identity numbers, sealed with a key of their own when
an event is built, read while the key is there (decision 0016)."""

from __future__ import annotations

import hmac
import os
from collections.abc import Callable, Mapping, Sequence

import msgspec

from services.registration.forms import PERSONAL, PUBLIC, MemberForm, digest, identity_number, tidy
from shared.contracts.registration import Member
from shared.eventsourcing.handling import Command
from shared.privacy.sealing import KEY_BYTES, NONCE_BYTES, seal, unseal
from shared.privacy.secrets import Secrets

RandomBytes = Callable[[int], bytes]

COPIES = 100_000
"""Keys that a process keeps copies of, at most."""
INDEX_KEY = "bureau/index-key"
"""The name of the bureau's key, without which nobody can tell which number a blind index stands for."""


class Persons:
    """Tells the members of entries apart, seals and reads them."""

    def __init__(self, secrets: Secrets, random_bytes: RandomBytes = os.urandom) -> None:
        self._secrets = secrets
        self._random = random_bytes
        self._index_key: bytes | None = None
        self._copies: tuple[int, dict[str, bytes]] = (0, {})

    def presumed(self, members: Sequence[MemberForm]) -> list[str | None]:
        """The person of each member whose identity number was entered before; for another number what stands for it
        until it is, None where there is no number. Keeps nothing."""
        indexes = self._indexes(members)
        found = self._secrets.get_many([index for index in indexes if index])
        return [found[index].decode() if index in found else index or None for index in indexes]

    def identified(self, command: Command, members: Sequence[MemberForm], before: Sequence[Member] = ()) -> list[str]:
        """The person of each member: by the identity number whoever had it first, else who was in the entry `before`
        under the same name and birth date, else somebody new. Repeated for the same command, the same persons."""
        indexes, earlier = self._indexes(members), self._by_name(before)
        new = [
            earlier.get(_name(member)) or f"p-{digest(command.actor, command.id, str(n))}"
            for n, member in enumerate(members)
        ]
        wanted = {index: person.encode() for index, person in zip(indexes, new, strict=True) if index}
        kept = self._secrets.keep_many(wanted)
        return [kept[index].decode() if index else person for index, person in zip(indexes, new, strict=True)]

    def sealed(self, members: Sequence[MemberForm], persons: Sequence[str]) -> tuple[Member, ...]:
        """The members as an event has them."""
        keys = self._secrets.keep_many({key_name(person): self._random(KEY_BYTES) for person in dict.fromkeys(persons)})
        return tuple(
            self._seal(member, person, keys[key_name(person)]) for member, person in zip(members, persons, strict=True)
        )

    def read(self, members: Sequence[Member]) -> list[MemberForm | None]:
        """The members in the clear, None for each who was erased."""
        keys = self._keys([key_name(member.person) for member in members])
        return [_opened(member, keys.get(key_name(member.person))) for member in members]

    def _keys(self, names: Sequence[str]) -> dict[str, bytes]:
        """The keys by name. Copies are kept while nothing is erased anywhere: a list of all entries asks for each key
        again and again."""
        erasures = self._secrets.erasures()
        known, copies = self._copies
        copies = copies if known == erasures and len(copies) < COPIES else {}
        missing = [name for name in dict.fromkeys(names) if name not in copies]
        copies = copies | self._secrets.get_many(missing) if missing else copies
        self._copies = (erasures, copies)
        return copies

    def erase(self, persons: Sequence[str], members: Sequence[MemberForm]) -> None:
        """Forget the keys of these persons, and that these members' identity numbers are theirs."""
        for index in dict.fromkeys(filter(None, self._indexes(members))):
            found = self._secrets.get(index)
            if found is not None and found.decode() in persons:
                self._secrets.erase(index)
        for person in persons:
            self._secrets.erase(key_name(person))

    def _seal(self, member: MemberForm, person: str, key: bytes) -> Member:
        said = msgspec.to_builtins(member)
        fields = {name: said[name] for name in PERSONAL if name in said}
        sealed = seal(fields, person, key, self._random(NONCE_BYTES))
        return Member(person=person, sealed=sealed, **{name: getattr(member, name) for name in PUBLIC})

    def _by_name(self, members: Sequence[Member]) -> Mapping[tuple[str, str], str]:
        read = zip(members, self.read(members) if members else (), strict=True)
        return {_name(form): member.person for member, form in read if form is not None}

    def _indexes(self, members: Sequence[MemberForm]) -> list[str]:
        """The name of each member's blind index, empty where no identity number was given."""
        numbers = [identity_number(member) for member in members]
        return [self._index(number) if number else "" for number in numbers]

    def _index(self, number: str) -> str:
        if self._index_key is None:
            self._index_key = self._secrets.keep(INDEX_KEY, self._random(KEY_BYTES))
        return f"index/{hmac.digest(self._index_key, number.encode(), 'sha256').hex()}"


def key_name(person: str) -> str:
    """The name under which a person's key is kept."""
    return f"person/{person}"


def _name(member: MemberForm) -> tuple[str, str]:
    return tidy(member.name), str(member.born)


def _opened(member: Member, key: bytes | None) -> MemberForm | None:
    if key is None:
        return None
    public = {name: getattr(member, name) for name in PUBLIC}
    return msgspec.convert({**unseal(member.sealed, member.person, key), **public}, MemberForm)
