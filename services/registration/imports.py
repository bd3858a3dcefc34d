"""Many entries from one sheet, all or none, and taken back again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

import msgspec

from services.registration import model
from services.registration import refusals as refuse
from services.registration.claiming import FormCheck
from services.registration.claims import Check as ClaimsCheck
from services.registration.claims import Claims
from services.registration.commands import Registration, articles
from services.registration.forms import MemberForm, TeamForm, digest, team_id, tidy
from services.registration.persons import Persons
from services.registration.projections import EntryRow, entries
from services.registration.sheets.places import Cell, cells, rests_on
from services.registration.sheets.rows import Wrong
from shared.contracts.fact import Team
from shared.eventsourcing.engine import Engine
from shared.eventsourcing.errors import CommandTaken, StreamConflict
from shared.eventsourcing.handling import Command, Decided, Outcome, unbegun
from shared.rules.basis import Text
from shared.rules.entries import Check, Claimed

REMEMBERED = 64


class SheetEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An entry as a sheet has it: its first row, and the row of each member. unread: cells of it that were no value, or
    that might be of it; it is judged without them, and not entered."""

    unit: str
    number: int
    form: TeamForm
    row: int
    rows: tuple[int, ...]
    unread: frozenset[Cell] = frozenset()

    @property
    def team(self) -> Team:
        """The team it would be."""
        name, unit = tidy(self.form.name), tidy(self.unit)
        return Team(id=team_id(self.unit, self.number), name=name, unit=unit)


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """How far an import is: what it does, and how many of its entries are through with that."""

    phase: str
    done: int
    total: int


class Given(msgspec.Struct, frozen=True, kw_only=True):
    """A sheet as it was read: its entries, what is wrong with rows that make none, and how a fault is told."""

    entries: list[SheetEntry]
    wrong: list[Wrong]
    said: Callable[[Wrong], tuple[str, Text]]

    def refused(self, found: Sequence[Wrong]) -> refuse.SheetHasFaults:
        """The refusal of the whole sheet."""
        told = [self.said(each) for each in sorted({*self.wrong, *found}, key=lambda wrong: (wrong.row, wrong.column))]
        count = len({each.row for each in self.entries})
        refusal = refuse.SheetHasFaults(told[0][0], entries=count, faults=len(told), first=told[0][1])
        return refusal.each(told)


class Imports:
    """Imports entries."""

    def __init__(self, engine: Engine, registration: Registration, persons: Persons, claims: Claims) -> None:
        self._commands = engine.commands
        self._reader = engine.reader
        self._registration = registration
        self._persons = persons
        self._claims = claims
        self._progress: OrderedDict[tuple[str, str], Progress] = OrderedDict()
        self._lock = threading.Lock()

    def check(self, command: Command, competition: str, given: Given) -> tuple[int, int]:
        """How many entries and persons the sheet has, when all of it may be entered. Raises SheetHasFaults with
        everything wrong, SheetIsEmpty, NoSuchCompetition, EntriesNotOpen, EntriesClosedAlready."""
        planned = self._planned(command, competition, given)
        self._check(command, planned, given)
        return len(planned), sum(len(each.entry.form.members) for each in planned)

    def run(self, command: Command, competition: str, given: Given) -> Outcome:
        """Enter all that the sheet has. Raises what `check` does, ImportOvertaken."""
        if (done := self._commands.done(command)) is not None:
            return done
        planned = self._planned(command, competition, given)
        self._check(command, planned, given)
        persons = _parted(planned, self._persons.identified(command, _members(planned)))
        wanted = [each.check.wanted(own) for each, own in zip(planned, persons, strict=True)]
        new = self._claims.take(command, wanted, _beside(planned, persons, given))
        try:
            return self._append(command, competition, planned, self._forms(command, planned, persons))
        except refuse.ImportOvertaken:
            self._claims.give_back(new)
            raise

    def reverse(self, command: Command, competition: str, id: str, reason: str) -> Outcome:
        """Withdraw the entries of an import while entries are open, but for those that were changed since."""
        stream = model.import_stream(competition, id)
        kept: list[str] = []

        def decide(state: model.Import) -> model.Events:
            model.check_reversible(state, competition, id)
            at = self._registration.open_for(command, competition)
            kept[:] = [team for team in state.teams if not self._withdrawn(command, competition, team, reason)]
            return model.reverse(state, at, id, kept, reason, command.actor)

        return self._commands.execute(command, stream, competition, model.IMPORT, decide)

    def progress(self, actor: str, key: str) -> Progress | None:
        """How far an import is, where this process makes it."""
        with self._lock:
            return self._progress.get((actor, key))

    def _withdrawn(self, command: Command, competition: str, team: str, reason: str) -> bool:
        """Withdraw an entry that is as it was imported; whether it is withdrawn now."""
        entry = self._registration.entry(competition, team)
        if entry.withdrawn or entry.team is None:
            return True
        if entry.changes:
            return False
        own = msgspec.structs.replace(command, id=f"{command.id}/{team}", expected=None)
        self._registration.withdraw(own, competition, team, reason)
        return True

    def _planned(self, command: Command, competition: str, given: Given) -> list[Planned]:
        state = self._registration.open_for(command, competition)
        if not given.entries and not given.wrong:
            raise refuse.SheetIsEmpty("")
        preset = self._registration.preset_of(state)
        rows = self._reader.find(entries, {"competition": competition}, "team", None, 0)
        known = {row.team: row for row in rows}
        return [
            Planned(
                entry=entry,
                check=FormCheck(preset, state, entry.team, entry.number, entry.form),
                row=known.get(entry.team.id),
            )
            for entry in given.entries
        ]

    def _check(self, command: Command, planned: Sequence[Planned], given: Given) -> None:
        """Each entry by itself, then beside the claims of others and of those before it. Raises SheetHasFaults."""
        found = [fault for each in self._counted(command, planned, "check") for fault in _alone(each)]
        if found or given.wrong:
            raise given.refused(found)
        known = _parted(planned, self._persons.presumed(_members(planned)))
        wanted = [each.check.wanted(own) for each, own in zip(planned, known, strict=True)]
        self._claims.check(command, wanted, _beside(planned, known, given))

    def _forms(
        self, command: Command, planned: Sequence[Planned], persons: Sequence[Sequence[str]]
    ) -> list[model.Form]:
        sealed = self._persons.sealed(_members(planned), [person for own in persons for person in own])
        return [
            model.Form(
                team=each.check.team,
                members=tuple(own),
                number=each.entry.number,
                unit_kind=each.entry.form.unit_kind or "",
                retirees=each.entry.form.retirees,
            )
            for each, own in zip(self._counted(command, planned, "enter"), _parted(planned, sealed), strict=True)
        ]

    def _append(
        self, command: Command, competition: str, planned: Sequence[Planned], forms: Sequence[model.Form]
    ) -> Outcome:
        """The import and all its entries in one go. An entry made meanwhile has its place: then none is."""
        state = planned[0].check.competition
        rests_on = articles(planned[0].check.preset)
        decided = [self._decided(command, form, each, rests_on) for form, each in zip(forms, planned, strict=True)]
        stream = model.import_stream(competition, import_id(command))
        facts = model.imported(state, import_id(command), forms, rests_on.entries_close, command.actor)
        whole = Decided(command, stream, competition, unbegun(stream, model.IMPORT), facts)
        try:
            return self._commands.append_all([*decided, whole])[-1]
        except CommandTaken:
            if (done := self._commands.done(command)) is not None:
                return done
            raise refuse.ImportOvertaken from None
        except StreamConflict:
            self._undo(command, competition, forms)
            raise refuse.ImportOvertaken from None
        finally:
            self._note(command, "done", len(planned), len(planned))

    def _decided(self, command: Command, form: model.Form, planned: Planned, rests_on: model.Articles) -> Decided:
        state = planned.check.competition
        stream = model.entry_stream(state.id, form.team.id)
        loaded = self._commands.load(stream, model.ENTRY) if planned.row else unbegun(stream, model.ENTRY)
        events = model.submit(loaded.state, state, form, rests_on, command.actor)
        own = msgspec.structs.replace(command, id=f"{command.id}/{form.team.id}", expected=None)
        return Decided(own, stream, state.id, loaded, events)

    def _undo(self, command: Command, competition: str, forms: Sequence[model.Form]) -> None:
        """A store without transactions has kept the entries before the one that lost its race: withdraw them."""
        for form in forms:
            own = msgspec.structs.replace(command, id=f"{command.id}/{form.team.id}", expected=None)
            if self._commands.done(own) is not None:
                undone = msgspec.structs.replace(own, id=f"{own.id}/undone")
                self._registration.withdraw(undone, competition, form.team.id, "导入未完成 import not completed")

    def _counted(self, command: Command, planned: Sequence[Planned], phase: str) -> Iterator[Planned]:
        for n, each in enumerate(planned):
            if n % 50 == 0:
                self._note(command, phase, n, len(planned))
            yield each

    def _note(self, command: Command, phase: str, done: int, total: int) -> None:
        with self._lock:
            self._progress[command.actor, command.id] = Progress(phase=phase, done=done, total=total)
            self._progress.move_to_end((command.actor, command.id))
            if len(self._progress) > REMEMBERED:
                self._progress.popitem(last=False)


class Planned(msgspec.Struct, frozen=True, kw_only=True):
    """An entry about to be made: its checks, and what is known already of its team."""

    entry: SheetEntry
    check: FormCheck
    row: EntryRow | None


T = TypeVar("T")


def _members(planned: Sequence[Planned]) -> list[MemberForm]:
    return [member for each in planned for member in each.entry.form.members]


def _parted(planned: Sequence[Planned], flat: Sequence[T]) -> list[list[T]]:
    """What there is for each member of all entries, entry by entry."""
    rest = iter(flat)
    return [[next(rest) for _ in each.entry.form.members] for each in planned]


def _alone(planned: Planned) -> list[Wrong]:
    """What is wrong with an entry by itself, as far as it can be told from what was read of it."""
    found = _broken(planned)
    unsure = {"unit", "number"} & {column for _, column in planned.entry.unread}
    if planned.row is not None and planned.row.status == "entered" and not unsure:
        said = Text("该队已报名；如需改动，请更改原报名", "this team is entered already; change that entry")
        found.append(Wrong(planned.entry.row, "unit", said))
    return found


def _beside(planned: Sequence[Planned], persons: Sequence[Sequence[str | None]], given: Given) -> ClaimsCheck:
    """Whether all entries may have their persons; raises SheetHasFaults with all who are claimed."""

    def check(others: Sequence[Mapping[str, Claimed]]) -> None:
        found = [
            wrong
            for each, own, claimed in zip(planned, persons, others, strict=True)
            if any(claim.events for claim in claimed.values())
            for wrong in _broken(each, each.check.keyed(claimed, own))
        ]
        if found:
            raise given.refused(found)

    return check


def _broken(planned: Planned, claims: Mapping[str, Claimed] | None = None) -> list[Wrong]:
    found = [check for check in planned.check.found(claims) if check.status == "not_met"]
    return [wrong for check in found for wrong in _at(planned, check)]


def _at(planned: Planned, check: Check) -> list[Wrong]:
    """A broken rule at the cells that it speaks of; nowhere, where it rests on one that was not read."""
    entry, preset = planned.entry, planned.check.preset
    told = cells(check, entry.form.members, entry.rows, entry.row, preset)
    own = {row for row, _ in told} if "[" in check.field and check.rule != "persons" else None
    read = rests_on(check, told)
    if any(column in read and (own is None or row in own or column in OF_TEAM) for row, column in entry.unread):
        return []
    return [Wrong(row, column, Text(check.zh, check.en)) for row, column in told]


OF_TEAM = ("unit", "number", "unit_kind", "retirees")
"""What every row of a team says of it."""


def import_id(command: Command) -> str:
    """An import's id follows from who made it under which key."""
    return f"i-{digest(command.actor, command.id)}"
