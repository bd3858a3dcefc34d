"""The persons of entries: sealed with a key of their own when an event is built, read while the key is there."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

import msgspec

from services.registration.forms import PERSONAL, PUBLIC, MemberForm, digest
from shared.contracts.registration import Member
from shared.eventsourcing.handling import Command
from shared.privacy.sealing import KEY_BYTES, NONCE_BYTES, seal, unseal
from shared.privacy.secrets import Secrets

RandomBytes = Callable[[int], bytes]


class Persons:
    """Seals and reads the members of entries."""

    def __init__(self, secrets: Secrets, random_bytes: RandomBytes = os.urandom) -> None:
        self._secrets = secrets
        self._random = random_bytes

    def sealed(self, command: Command, members: Sequence[MemberForm]) -> tuple[Member, ...]:
        """The members of a form as an event has them. Repeated for the same command, the same persons."""
        return tuple(self._seal(command, n, member) for n, member in enumerate(members))

    def read(self, members: Sequence[Member]) -> list[MemberForm | None]:
        """The members in the clear, None for each who was erased."""
        keys = self._secrets.get_many([key_name(member.person) for member in members])
        return [_opened(member, keys.get(key_name(member.person))) for member in members]

    def _seal(self, command: Command, number: int, member: MemberForm) -> Member:
        person = f"p-{digest(command.actor, command.id, str(number))}"
        key = self._secrets.keep(key_name(person), self._random(KEY_BYTES))
        said = msgspec.to_builtins(member)
        fields = {name: said[name] for name in PERSONAL if name in said}
        sealed = seal(fields, person, key, self._random(NONCE_BYTES))
        return Member(person=person, sealed=sealed, **{name: getattr(member, name) for name in PUBLIC})


def key_name(person: str) -> str:
    """The name under which a person's key is kept."""
    return f"person/{person}"


def _opened(member: Member, key: bytes | None) -> MemberForm | None:
    if key is None:
        return None
    public = {name: getattr(member, name) for name in PUBLIC}
    return msgspec.convert({**unseal(member.sealed, member.person, key), **public}, MemberForm)
