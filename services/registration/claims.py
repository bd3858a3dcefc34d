"""Claims: which entries a person stands in, so that of two desks who want the same person one is told.

A claim is a document of its own beside the log, changed only at the revision it was read at; what it says can be
found again from the entries (decision 0016). It is taken before an entry is appended and given back after one is
withdrawn. Whoever dies in between leaves a claim that no entry bears out: the next who wants the person puts a
`ClaimLapsed` into that entry's stream first, so that an append still on its way finds its place taken, and then
takes the claim.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta

import msgspec

from services.registration import model
from shared.contracts.refusal import Refusal
from shared.eventsourcing.errors import Contended, StaleDocument
from shared.eventsourcing.handling import Command, CommandHandler
from shared.eventsourcing.ports import Documents
from shared.rules.entries import Claimed

COLLECTION = "claims"
TRIES = 8
UNFINISHED = timedelta(minutes=1)
"""How long an entry may take from claiming its persons to being appended before it counts as given up."""


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """One entry's claim to a person. event: of the team's events, empty where it has one; at: when it was taken."""

    competition: str
    team: str
    unit: str
    event: str
    at: datetime

    @property
    def holder(self) -> tuple[str, str]:
        """The entry it is for."""
        return self.competition, self.team


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """The persons an entry wants, each with the event that they are to play in. scope: over what claims are counted
    together, a season of the bureau or one competition."""

    scope: str
    competition: str
    team: str
    unit: str
    persons: Mapping[str, str]

    @property
    def holder(self) -> tuple[str, str]:
        """The entry."""
        return self.competition, self.team

    @property
    def ids(self) -> list[str]:
        """The documents of its persons."""
        return [f"{self.scope}/{person}" for person in self.persons]


Check = Callable[[Sequence[Mapping[str, Claimed]]], None]
"""Whether the entries may have their persons, given for each of them what others claim of its persons; raises the
refusal."""

Book = dict[str, list[Claim]]
"""The claims to each person, by document."""


class Claims:
    """Takes and gives back claims."""

    def __init__(self, documents: Documents, commands: CommandHandler) -> None:
        self._documents = documents
        self._commands = commands

    def of_others(self, wanted: Wanted) -> dict[str, Claimed]:
        """What others claim of each person, as far as their entries bear it out."""
        _, book = self._read([wanted])
        real = {id: [c for c in claims if self._is_borne_out(c, id)] for id, claims in book.items()}
        return _others(real, wanted)

    def check(self, command: Command, wanted: Sequence[Wanted], check: Check) -> None:
        """Whether the claims could be taken; raises what `check` does."""
        _, book = self._read(wanted)
        self._applied(command, book, wanted, check)

    def take(self, command: Command, wanted: Sequence[Wanted], check: Check) -> list[Wanted]:
        """Take the claims of one or several entries, one after the other: which of them are new. Raises what `check`
        does, and Contended, having taken nothing."""
        new: list[Wanted] | None = None
        for _ in range(TRIES):
            revisions, book = self._read(wanted)
            new = _new(book, wanted) if new is None else new
            try:
                changed = self._applied(command, book, wanted, check)
                self._put(revisions, {id: claims for id, claims in changed.items() if claims != book[id]})
            except Refusal:
                self.give_back(new)
                raise
            except StaleDocument:
                continue
            return new
        self.give_back(new or [])
        raise Contended(COLLECTION, TRIES)

    def give_back(self, wanted: Sequence[Wanted]) -> None:
        """Give back what these entries claim of these persons; what they do not is left."""
        if not any(each.persons for each in wanted):
            return None
        for _ in range(TRIES):
            revisions, book = self._read(wanted)
            left = dict(book)
            for each in wanted:
                left |= {id: [c for c in left[id] if c.holder != each.holder] for id in each.ids}
            try:
                return self._put(revisions, {id: claims for id, claims in left.items() if claims != book[id]})
            except StaleDocument:
                continue
        raise Contended(COLLECTION, TRIES)

    def forget(self, scope: str, person: str) -> None:
        """Nobody will claim this person again."""
        self._documents.delete(COLLECTION, [f"{scope}/{person}"])

    def _applied(self, command: Command, book: Book, wanted: Sequence[Wanted], check: Check) -> Book:
        """The book once all is taken. Whether a claim is borne out is looked at only where it stands in the way."""
        try:
            return _taken(book, wanted, check, command.received_at)
        except Refusal:
            own = {each.holder for each in wanted}
            real = {
                id: [c for c in claims if c.holder in own or not self._is_void(command, c, id)]
                for id, claims in book.items()
            }
            if real == book:
                raise
            return _taken(real, wanted, check, command.received_at)

    def _is_void(self, command: Command, claim: Claim, id: str) -> bool:
        """Whether a claim counts no more: no entry bears it out, and none on its way can any more."""
        if self._is_borne_out(claim, id):
            return False
        if self._is_cancelled(claim.competition):
            return True
        return command.received_at - claim.at > UNFINISHED and self._has_lapsed(command, claim, id)

    def _has_lapsed(self, command: Command, claim: Claim, document: str) -> bool:
        """Put an end to an entry that was given up halfway, unless it turns out to stand."""
        person, stream = document.rpartition("/")[2], model.entry_stream(claim.competition, claim.team)
        competition = self._commands.load(model.competition_stream(claim.competition), model.COMPETITION).state
        lapse = msgspec.structs.replace(
            command,
            id=f"{command.id}/{stream}/{person}",
            fingerprint=stream,
            actor=POLICY,
            role="policy",
            expected=None,
        )
        self._commands.execute(
            lapse,
            stream,
            claim.competition,
            model.ENTRY,
            lambda entry: model.lapse_claim(entry, competition, claim.team, person, POLICY),
        )
        return not self._is_borne_out(claim, document)

    def _is_borne_out(self, claim: Claim, id: str) -> bool:
        """Whether the entry that has the claim stands and has the person."""
        entry = self._commands.load(model.entry_stream(*claim.holder), model.ENTRY).state
        return entry.has(id.rpartition("/")[2]) and not self._is_cancelled(claim.competition)

    def _is_cancelled(self, competition: str) -> bool:
        state = self._commands.load(model.competition_stream(competition), model.COMPETITION).state
        return state.cancelled is not None

    def _read(self, wanted: Sequence[Wanted]) -> tuple[dict[str, int], Book]:
        ids = list(dict.fromkeys(id for each in wanted for id in each.ids))
        found = self._documents.get(COLLECTION, ids)
        book = {id: msgspec.convert(found[id]["claims"], list[Claim]) if id in found else [] for id in ids}
        return {id: found[id]["revision"] if id in found else 0 for id in ids}, book

    def _put(self, revisions: Mapping[str, int], changed: Book) -> None:
        self._documents.put(
            COLLECTION,
            [
                (revisions[id], {"_id": id, "revision": revisions[id] + 1, "claims": msgspec.to_builtins(claims)})
                for id, claims in changed.items()
            ],
        )


POLICY = "policy:claims"


def _taken(book: Book, wanted: Sequence[Wanted], check: Check, at: datetime) -> Book:
    """The book once each entry has taken its persons, those before it in the list being others to it."""
    book, others = dict(book), []
    for each in wanted:
        others.append(_others(book, each))
        for id, event in zip(each.ids, each.persons.values(), strict=True):
            book[id] = _with(book[id], each, event, at)
    check(others)
    return book


def _with(claims: list[Claim], wanted: Wanted, event: str, at: datetime) -> list[Claim]:
    """The claims with the entry's own; one that it has already keeps its time."""
    own = next((c for c in claims if c.holder == wanted.holder), None)
    if own is not None and (own.unit, own.event) == (wanted.unit, event):
        return claims
    claim = Claim(competition=wanted.competition, team=wanted.team, unit=wanted.unit, event=event, at=at)
    return [*(c for c in claims if c.holder != wanted.holder), claim]


def _others(book: Book, wanted: Wanted) -> dict[str, Claimed]:
    """What the book says of each person beside the entry itself."""
    return {
        person: _summed([c for c in book[id] if c.holder != wanted.holder])
        for person, id in zip(wanted.persons, wanted.ids, strict=True)
    }


def _summed(claims: Iterable[Claim]) -> Claimed:
    claims = list(claims)
    events = {(c.competition, c.event) for c in claims}
    return Claimed(units=tuple(sorted({c.unit for c in claims})), events=len(events))


def _new(book: Book, wanted: Sequence[Wanted]) -> list[Wanted]:
    """What the entries want and do not have."""
    return [
        msgspec.structs.replace(
            each,
            persons={
                person: event
                for (person, event), id in zip(each.persons.items(), each.ids, strict=True)
                if all(c.holder != each.holder for c in book[id])
            },
        )
        for each in wanted
    ]
