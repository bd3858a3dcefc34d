"""Registration's use cases: load, decide, append."""

from __future__ import annotations

import hashlib
import os
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any

import msgspec

from services.registration import model
from services.registration import refusals as refuse
from shared.contracts.fact import Team
from shared.contracts.registration import Member
from shared.eventsourcing.engine import Engine
from shared.eventsourcing.handling import Command, Outcome
from shared.privacy.sealing import KEY_BYTES, NONCE_BYTES, seal
from shared.privacy.secrets import Secrets
from shared.rules import regulations
from shared.rules.basis import Text
from shared.rules.deadlines import entries_close, local_instant
from shared.rules.entries import Finding, Person, TeamEntry, findings
from shared.rules.errors import BadRegulation, RuleError, UnknownRegulation
from shared.rules.regulations.changes import overrides
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.reference import reference, resolve

RandomBytes = Callable[[int], bytes]
PLAYED = ("swiss",)
"""The formats that competitions can be held in."""


class MemberForm(msgspec.Struct, frozen=True, kw_only=True):
    """A person as the entry form has them, in the clear. Never stored so."""

    part: str
    name: str
    born: date | None = None
    identity_number: str | None = None
    phone: str | None = None


class Registration:
    """The commands of the registration service."""

    def __init__(self, engine: Engine, secrets: Secrets, random_bytes: RandomBytes = os.urandom) -> None:
        self._commands = engine.commands
        self._secrets = secrets
        self._random = random_bytes

    def announce(
        self, command: Command, regulation: str, changes: Mapping[str, Any], details: Mapping[str, Any]
    ) -> Outcome:
        """Announce a competition; what `details` leaves out is as the regulation has it."""
        preset = self.preset(regulation, changes)
        if not is_played(preset):
            raise refuse.FormatNotPlayed(preset.draws.format.article, regulation=preset.name)
        given = self._given(preset, details)
        terms = model.Terms(
            regulation=reference(preset), digest=preset.digest, changes=overrides(preset), zone=preset.zone.value
        )
        competition = f"{preset.name}-{_digest(command.actor, command.id)}"
        return self._on_competition(
            command, competition, lambda state: model.announce(state, terms, given, command.actor)
        )

    def amend(self, command: Command, competition: str, changes: Mapping[str, Any], reason: str) -> Outcome:
        """Change name, place or dates, with a reason."""

        def decide(state: model.Competition) -> model.Events:
            given = dict(changes)
            if "entries_close" in given and state.regulation:
                given["entries_close"] = _instant(self._preset_of(state), given["entries_close"])
            return model.amend(state, given, reason, command.received_at, self._article(state), command.actor)

        return self._on_competition(command, competition, decide)

    def cancel(self, command: Command, competition: str, reason: str) -> Outcome:
        """Cancel a competition."""
        return self._on_competition(command, competition, lambda s: model.cancel(s, reason, command.actor))

    def open_entries(self, command: Command, competition: str) -> Outcome:
        """Open entries."""
        return self._on_competition(
            command,
            competition,
            lambda s: model.open_entries(s, command.received_at, self._article(s), command.actor),
        )

    def close_entries(self, command: Command, competition: str, reason: str) -> Outcome:
        """Close entries."""
        return self._on_competition(
            command,
            competition,
            lambda s: model.close_entries(s, command.received_at, reason, self._article(s), command.actor),
        )

    def submit(
        self, command: Command, competition: str, unit: str, name: str, members: Sequence[MemberForm]
    ) -> Outcome:
        """Enter a unit's team."""
        team = Team(id=team_id(unit), name=tidy(name), unit=tidy(unit))
        return self._enter(command, competition, team.id, members, lambda _: team, model.submit)

    def change(
        self, command: Command, competition: str, team: str, name: str, members: Sequence[MemberForm]
    ) -> Outcome:
        """Replace an entry before entries close."""

        def renamed(entry: model.Entry) -> Team:
            return msgspec.structs.replace(model.check_entered(entry, competition, team), name=tidy(name))

        return self._enter(command, competition, team, members, renamed, model.change)

    def withdraw(self, command: Command, competition: str, team: str, reason: str) -> Outcome:
        """Take an entry back before entries close."""

        def decide(entry: model.Entry) -> model.Events:
            state = self._open_for(command, competition)
            return model.withdraw(entry, state, team, reason, command.actor)

        return self._commands.execute(command, entry_stream(competition, team), competition, model.ENTRY, decide)

    def unit_of(self, competition: str, team: str) -> str:
        """The unit that entered a team. Raises NoSuchEntry."""
        entry = self._entry(competition, team)
        if entry.team is None:
            raise refuse.NoSuchEntry(competition=competition, team=team)
        return entry.team.unit

    def preset(self, regulation: str, changes: Mapping[str, Any]) -> Preset:
        """A known regulation with an organiser's changes. Raises NoSuchRegulation, RegulationChangeInvalid."""
        if regulation not in regulations.names():
            raise refuse.NoSuchRegulation(regulation=regulation, known=_listed(regulations.names()))
        preset = regulations.load(regulation)
        try:
            return preset.changed(changes) if changes else preset
        except BadRegulation as error:
            raise refuse.RegulationChangeInvalid("/changes", key=error.key, reason=error.said) from error

    @staticmethod
    def _given(preset: Preset, details: Mapping[str, Any]) -> model.Details:
        try:
            return _details(preset, details)
        except RuleError as error:
            key = "dates.entries_close"
            raise refuse.RegulationChangeInvalid("/changes", key=key, reason=error.said) from error

    def _enter(
        self,
        command: Command,
        competition: str,
        id: str,
        members: Sequence[MemberForm],
        team_of: Callable[[model.Entry], Team],
        decide: Callable[[model.Entry, model.Competition, model.Form, model.Articles, str], model.Events],
    ) -> Outcome:
        """An entry made or replaced, while entries are open at the time of receipt: its persons are sealed only when
        it is in order."""

        def entered(entry: model.Entry) -> model.Events:
            state = self._open_for(command, competition)
            preset, team = self._preset_of(state), team_of(entry)
            articles = model.Articles(
                entries_close=preset.dates.entries_close.article, teams_per_unit=preset.entry.teams_per_unit.article
            )
            _check_form(preset, team, members)
            form = model.Form(team=team, members=self._sealed(command, members))
            return decide(entry, state, form, articles, command.actor)

        return self._commands.execute(command, entry_stream(competition, id), competition, model.ENTRY, entered)

    def _open_for(self, command: Command, competition: str) -> model.Competition:
        """The competition, entries being open at the time of receipt."""
        state = self._commands.load(competition_stream(competition), model.COMPETITION).state
        model.check_entries_open(state, command.received_at, self._article(state))
        return state

    def _sealed(self, command: Command, members: Sequence[MemberForm]) -> tuple[Member, ...]:
        return tuple(self._seal(command, n, member) for n, member in enumerate(members))

    def _seal(self, command: Command, number: int, member: MemberForm) -> Member:
        person = f"p-{_digest(command.actor, command.id, str(number))}"
        key = self._secrets.keep(f"person/{person}", self._random(KEY_BYTES))
        fields = {k: v for k, v in msgspec.to_builtins(member).items() if k != "part"}
        sealed = seal(fields, person, key, self._random(NONCE_BYTES))
        return msgspec.convert({"person": person, "part": member.part, "sealed": sealed}, Member)

    def _entry(self, competition: str, team: str) -> model.Entry:
        return self._commands.load(entry_stream(competition, team), model.ENTRY).state

    def _on_competition(
        self, command: Command, competition: str, decide: Callable[[model.Competition], model.Events]
    ) -> Outcome:
        return self._commands.execute(command, competition_stream(competition), competition, model.COMPETITION, decide)

    def _preset_of(self, state: model.Competition) -> Preset:
        try:
            return resolve(state.regulation, state.changes)
        except UnknownRegulation as error:
            raise refuse.NoSuchCompetition(competition=state.id) from error

    def _article(self, state: model.Competition) -> str:
        """The article that sets the close of entries; empty where there is no competition to have one."""
        return self._preset_of(state).dates.entries_close.article if state.regulation else ""


def is_played(preset: Preset) -> bool:
    """Whether the match service has rounds for the regulation's format."""
    return preset.draws.format.value in PLAYED


def competition_stream(competition: str) -> str:
    """The stream of a competition's own facts."""
    return f"competition/{competition}"


def entry_stream(competition: str, team: str) -> str:
    """The stream of one unit's entry."""
    return f"entry/{competition}/{team}"


def team_id(unit: str) -> str:
    """A team's id follows from its unit, so that two entries of one unit meet in one stream and only one can win.
    Width, case, spacing and invisible characters make no other unit."""
    return f"t-{_digest(''.join(tidy(unit).casefold().split()))}"


def tidy(text: str) -> str:
    """A name as it is shown: full-width forms made plain, invisible characters left out, spaces single."""
    plain = unicodedata.normalize("NFKC", text)
    return " ".join("".join(c for c in plain if unicodedata.category(c) != "Cf").split())


def _listed(names: Iterable[str]) -> Text:
    names = tuple(names)
    return Text("、".join(names), ", ".join(names))


def _digest(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:10]


def _details(preset: Preset, given: Mapping[str, Any]) -> model.Details:
    """The given details, the rest from the regulation."""
    closes = _instant(preset, given["entries_close"]) if "entries_close" in given else entries_close(preset)
    return model.Details(
        name=given.get("name", preset.title.zh),
        place=given.get("place", preset.dates.place.value),
        plays_from=given.get("plays_from", preset.dates.play_from.value),
        plays_to=given.get("plays_to", preset.dates.play_to.value),
        entries_close=closes,
    )


def _instant(preset: Preset, given: datetime) -> datetime:
    """A time without zone is local to the regulation's."""
    return local_instant(preset.zone.value, given) if given.tzinfo is None else given


def _check_form(preset: Preset, team: Team, members: Sequence[MemberForm]) -> None:
    """Raises EntryNotInOrder with every finding."""
    found = findings(preset, _team_entry(team, members))
    if found:
        wrong = [(_pointer(finding, members), Text(finding.zh, finding.en)) for finding in found]
        said = [_said(at, what) for at, what in wrong]
        summary = Text("；".join(s.zh for s in said), "; ".join(s.en for s in said))
        raise refuse.EntryNotInOrder(wrong[0][0], found[0].article, summary=summary).each(wrong)


def _team_entry(team: Team, members: Sequence[MemberForm]) -> TeamEntry:
    by_part: dict[str, tuple[Person, ...]] = {
        part: tuple(
            Person(key=tidy(m.identity_number or f"{m.name}/{m.born}").upper(), name=m.name, born=m.born)
            for m in members
            if m.part == part
        )
        for part in ("player", "leader", "coach")
    }
    return TeamEntry(
        id=team.id,
        unit=team.unit,
        players=by_part["player"],
        leaders=by_part["leader"],
        coaches=by_part["coach"],
    )


def _said(at: str, what: Text) -> Text:
    """A finding with the number of the member it speaks of, as the form counts them."""
    _, part, rest = at.partition("/members/")
    number = rest.partition("/")[0]
    if not part or not number.isdigit():
        return what
    return Text(f"第 {int(number) + 1} 人：{what.zh}", f"member {int(number) + 1}: {what.en}")


def _pointer(finding: Finding, members: Sequence[MemberForm]) -> str:
    """The place in the form that a finding speaks of: `players[1].born` counts players, the form counts members."""
    head, _, rest = finding.field.partition("[")
    if not rest:
        return "/unit" if head == "unit" else "/members"
    index, _, field = rest.partition("]")
    at = [n for n, m in enumerate(members) if _PARTS[m.part] == head][int(index)]
    return f"/members/{at}" + field.replace(".", "/")


_PARTS = {"player": "players", "leader": "leaders", "coach": "coaches"}
"""A part as the form names it, and as the rules' findings do."""
