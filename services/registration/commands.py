"""Registration's use cases: load, decide, append."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from services.registration import model
from services.registration import refusals as refuse
from services.registration.claiming import Claiming, FormCheck, scope_of
from services.registration.claims import Claims, Wanted
from services.registration.forms import MemberForm, TeamForm, digest, team_id, tidy, unit_key
from services.registration.persons import Persons
from shared.contracts.fact import Team
from shared.eventsourcing.engine import Engine
from shared.eventsourcing.handling import Command, Outcome
from shared.rules import regulations
from shared.rules.basis import Text
from shared.rules.deadlines import entries_close, local_instant
from shared.rules.entries import terms
from shared.rules.errors import BadRegulation, RuleError, UnknownRegulation
from shared.rules.regulations import AnyPreset
from shared.rules.regulations.changes import overrides
from shared.rules.regulations.eligibility import UnitKind
from shared.rules.regulations.reference import reference, resolve_any

PLAYED = ("shengji/swiss", "shengji/zones_then_bracket", "shengji/knockout", "guandan/knockout")
"""The games, and of each the formats, that competitions can be held in."""


class Registration:
    """The commands of the registration service."""

    def __init__(self, engine: Engine, persons: Persons, claims: Claims, played: Collection[str] = PLAYED) -> None:
        """played: the games and formats that the match service has hands and rounds for."""
        self._commands = engine.commands
        self._persons = persons
        self._claims = claims
        self._played = played

    def announce(
        self,
        command: Command,
        regulation: str,
        changes: Mapping[str, Any],
        details: Mapping[str, Any],
        rehearsal: bool = False,
    ) -> Outcome:
        """Announce a competition; what `details` leaves out is as the regulation has it. A rehearsal says so in its id,
        which every address, event and credential has."""
        preset = self.preset(regulation, changes)
        if not self.is_played(preset):
            raise refuse.FormatNotPlayed(preset.draws.format.article, regulation=preset.name)
        given = self._given(preset, details)
        terms = model.Terms(
            regulation=reference(preset),
            digest=regulations.digest(preset),
            changes=overrides(preset),
            zone=preset.zone.value,
            rehearsal=rehearsal,
        )
        competition = f"{'rehearsal-' if rehearsal else ''}{preset.name}-{digest(command.actor, command.id)}"
        return self._on_competition(
            command, competition, lambda state: model.announce(state, terms, given, command.actor)
        )

    def amend(self, command: Command, competition: str, changes: Mapping[str, Any], reason: str) -> Outcome:
        """Change name, place or dates, with a reason."""

        def decide(state: model.Competition) -> model.Events:
            given = dict(changes)
            if "entries_close" in given and state.regulation:
                given["entries_close"] = _instant(self.preset_of(state), given["entries_close"])
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

    def publish_names(self, command: Command, competition: str, names: model.Names) -> Outcome:
        """Set what public pages show of players' names."""
        return self._on_competition(
            command, competition, lambda state: model.publish_names(state, names, command.actor)
        )

    def grant_grace(self, command: Command, competition: str, unit: str, until: datetime, reason: str) -> Outcome:
        """Let a unit enter late, by a decision with a reason."""

        def decide(state: model.Competition) -> model.Events:
            at = _instant(self.preset_of(state), until)
            article = self._article(state)
            return model.grant_grace(state, tidy(unit), at, reason, command.received_at, article, command.actor)

        return self._on_competition(command, competition, decide)

    def attend(self, command: Command, competition: str, units: Sequence[str], attended: bool) -> Outcome:
        """Enter who was at the leaders' meeting, or was not."""

        def decide(state: model.Competition) -> model.Events:
            article = terms(self.preset_of(state)).lapses_when.article
            return model.attend(state, [tidy(unit) for unit in units], attended, article, command.actor)

        return self._on_competition(command, competition, decide)

    def submit(
        self,
        command: Command,
        competition: str,
        unit: str,
        name: str,
        members: Sequence[MemberForm],
        *,
        number: int = 1,
        unit_kind: UnitKind | None = None,
        retirees: int | None = None,
    ) -> Outcome:
        """Enter a unit's team, by its number among the unit's own."""
        form = TeamForm(name=name, members=tuple(members), unit_kind=unit_kind, retirees=retirees)
        team = Team(id=team_id(unit, number), name=tidy(name), unit=tidy(unit))
        return self._enter(command, competition, team.id, form, lambda _: (team, number), model.submit)

    def change(
        self,
        command: Command,
        competition: str,
        team: str,
        name: str,
        members: Sequence[MemberForm],
        *,
        unit_kind: UnitKind | None = None,
        retirees: int | None = None,
    ) -> Outcome:
        """Replace an entry before entries close."""
        form = TeamForm(name=name, members=tuple(members), unit_kind=unit_kind, retirees=retirees)

        def renamed(entry: model.Entry) -> tuple[Team, int]:
            known = model.check_entered(entry, competition, team)
            return msgspec.structs.replace(known, name=tidy(name)), entry.number

        return self._enter(command, competition, team, form, renamed, model.change)

    def withdraw(self, command: Command, competition: str, team: str, reason: str) -> Outcome:
        """Take an entry back before entries close."""

        def decide(entry: model.Entry) -> model.Events:
            state = self.open_for(command, competition)
            return model.withdraw(entry, state, team, reason, command.actor)

        stream = model.entry_stream(competition, team)
        return self.released(self._commands.execute(command, stream, competition, model.ENTRY, decide), team)

    def consent(self, command: Command, competition: str, team: str, form: MemberForm, reason: str) -> Outcome:
        """The chief referee lets one play who is not on the form, where the regulation leaves it to him. What is wrong
        with the person is refused. Raises OutsidersRefused, EntryNotInOrder."""
        claimed = Claiming(self._claims, self._persons, command)

        def decide(entry: model.Entry) -> model.Events:
            standing, state = model.check_entered(entry, competition, team), self.competition(competition)
            preset = self.preset_of(state)
            rule = terms(preset).outsider
            if rule.value != "chief_referee_consent":
                raise refuse.OutsidersRefused(rule.article)
            alone = TeamForm(name=standing.name, members=(form,))
            check = FormCheck(preset, state, standing, entry.number, alone, persons_only=True)
            check()
            (person,) = claimed.take(check, ())
            (member,) = self._persons.sealed([form], [person])
            return model.consent(entry, state, member, reason, rule.article, command.actor)

        with claimed:
            stream = model.entry_stream(competition, team)
            return claimed.settled(self._commands.execute(command, stream, competition, model.ENTRY, decide))

    def released(self, outcome: Outcome, team: str) -> Outcome:
        """Give back the claims of an entry that was just taken back."""
        if outcome.events and not outcome.replayed:
            competition = self.competition(outcome.events[0].competition)
            entry = self.entry(competition.id, team)
            persons = {member.person: member.event for member in entry.members}
            scope = scope_of(self.preset_of(competition), competition)
            mine = Wanted(scope=scope, competition=competition.id, team=team, unit="", persons=persons)
            self._claims.give_back([mine])
        return outcome

    def unit_of(self, competition: str, team: str) -> str:
        """The unit that entered a team. Raises NoSuchEntry."""
        entry = self.entry(competition, team)
        if entry.team is None:
            raise refuse.NoSuchEntry(competition=competition, team=team)
        return entry.team.unit

    def preset(self, regulation: str, changes: Mapping[str, Any]) -> AnyPreset:
        """A known regulation with an organiser's changes. Raises NoSuchRegulation, RegulationChangeInvalid."""
        if regulation not in regulations.all_names():
            raise refuse.NoSuchRegulation(regulation=regulation, known=_listed(regulations.all_names()))
        preset = regulations.load_any(regulation)
        try:
            return regulations.changed(preset, changes) if changes else preset
        except BadRegulation as error:
            raise refuse.RegulationChangeInvalid("/changes", key=error.key, reason=error.said) from error

    def is_played(self, preset: AnyPreset) -> bool:
        """Whether the match service has rounds for the regulation's format and hands for its game."""
        return f"{preset.game}/{preset.draws.format.value}" in self._played

    @staticmethod
    def _given(preset: AnyPreset, details: Mapping[str, Any]) -> model.Details:
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
        form: TeamForm,
        team_of: Callable[[model.Entry], tuple[Team, int]],
        decide: Callable[[model.Entry, model.Competition, model.Form, model.Articles, str], model.Events],
    ) -> Outcome:
        """An entry made or replaced, while entries are open at the time of receipt: its persons are sealed only when
        it is in order."""

        if (done := self._commands.done(command)) is not None:
            return done  # decided again it would keep anew what was erased since
        claimed = Claiming(self._claims, self._persons, command)

        def entered(entry: model.Entry) -> model.Events:
            team, number = team_of(entry)
            changing = entry.team is not None and not entry.withdrawn
            state = self.open_for(command, competition, team.unit, changing)
            preset = self.preset_of(state)
            check = FormCheck(preset, state, team, number, form)
            check()
            persons = claimed.take(check, entry.members)
            sealed = model.Form(
                team=team,
                members=self._persons.sealed(form.members, persons),
                number=number,
                unit_kind=form.unit_kind or "",
                retirees=form.retirees,
            )
            return decide(entry, state, sealed, articles(preset), command.actor)

        with claimed:
            stream = model.entry_stream(competition, id)
            return claimed.settled(self._commands.execute(command, stream, competition, model.ENTRY, entered))

    def open_for(
        self, command: Command, competition: str, unit: str | None = None, changing: bool = False
    ) -> model.Competition:
        """The competition, entries being open at the time of receipt, to a unit that has a grace also later. Raises
        what `model.check_entries_open` does."""
        state = self.competition(competition)
        late = None
        if unit is not None and state.regulation:
            rules = terms(self.preset_of(state))
            late = model.Late(
                unit=unit_key(unit),
                changing=changing,
                changes=rules.changes_after_close.value,
                changes_article=rules.changes_after_close.article,
                meeting=rules.lapses_when.value == "no_form_and_absent",
            )
        model.check_entries_open(state, command.received_at, self._article(state), late)
        return state

    def competition(self, competition: str) -> model.Competition:
        """A competition as it stands."""
        return self._commands.load(model.competition_stream(competition), model.COMPETITION).state

    def entry(self, competition: str, team: str) -> model.Entry:
        """An entry as it stands."""
        return self._commands.load(model.entry_stream(competition, team), model.ENTRY).state

    def _on_competition(
        self, command: Command, competition: str, decide: Callable[[model.Competition], model.Events]
    ) -> Outcome:
        return self._commands.execute(
            command, model.competition_stream(competition), competition, model.COMPETITION, decide
        )

    @staticmethod
    def preset_of(state: model.Competition) -> AnyPreset:
        """The regulation of a competition that was announced. Raises NoSuchCompetition."""
        if not state.regulation:
            raise refuse.NoSuchCompetition(competition=state.id)
        try:
            return resolve_any(state.regulation, state.changes)
        except UnknownRegulation as error:
            raise refuse.NoSuchCompetition(competition=state.id) from error

    def _article(self, state: model.Competition) -> str:
        """The article that sets the close of entries; empty where there is no competition to have one."""
        return self.preset_of(state).dates.entries_close.article if state.regulation else ""


def articles(preset: AnyPreset) -> model.Articles:
    """The articles that entries under a regulation rest on."""
    return model.Articles(
        entries_close=preset.dates.entries_close.article, teams_per_unit=terms(preset).teams_per_unit.article
    )


def _listed(names: Iterable[str]) -> Text:
    names = tuple(names)
    return Text("、".join(names), ", ".join(names))


def _details(preset: AnyPreset, given: Mapping[str, Any]) -> model.Details:
    """The given details, the rest from the regulation."""
    closes = _instant(preset, given["entries_close"]) if "entries_close" in given else entries_close(preset)
    return model.Details(
        name=given.get("name", preset.title.zh),
        place=given.get("place", preset.dates.place.value),
        plays_from=given.get("plays_from", preset.dates.play_from.value),
        plays_to=given.get("plays_to", preset.dates.play_to.value),
        entries_close=closes,
    )


def _instant(preset: AnyPreset, given: datetime) -> datetime:
    """A time without zone is local to the regulation's."""
    return local_instant(preset.zone.value, given) if given.tzinfo is None else given
