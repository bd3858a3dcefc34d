"""Who may play: the checks of an entry as it stands, and what a person confirms or refuses of them."""

from __future__ import annotations

from typing import cast

import msgspec

from services.registration import model
from services.registration import refusals as refuse
from services.registration.claiming import FormCheck
from services.registration.claims import Claims
from services.registration.commands import Registration
from services.registration.forms import PUBLIC, MemberForm, TeamForm, member_of, team_entry
from services.registration.persons import Persons
from shared.contracts.registration import Member
from shared.eventsourcing.engine import Engine
from shared.eventsourcing.handling import Command, Outcome
from shared.rules.entries import Check, TeamEntry
from shared.rules.regulations import AnyPreset
from shared.rules.regulations.eligibility import UnitKind


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """A check of an entry as it stands. looked: what a person says of it is filed under; member: which one of the form
    it speaks of, None for the team; holds: what a person said of it who looked, None while nobody did."""

    check: Check
    looked: model.Looked
    member: int | None
    holds: bool | None

    @property
    def open(self) -> bool:
        """Whether a person must still look."""
        return self.check.status in ("warning", "to_confirm") and self.holds is None

    @property
    def wrong(self) -> bool:
        """Whether the entry cannot stand as it is."""
        return self.check.status == "not_met" or self.holds is False


def _erased(member: Member) -> MemberForm:
    """Stands for a person who was erased, of whom nothing is known."""
    return MemberForm(**{name: getattr(member, name) for name in PUBLIC}, name="")


class Eligibility:
    """Checks and confirmations of entries."""

    def __init__(self, engine: Engine, registration: Registration, persons: Persons, claims: Claims) -> None:
        self._commands = engine.commands
        self._registration = registration
        self._persons = persons
        self._claims = claims

    def checks(self, competition: str, team: str) -> list[Checked]:
        """Every check of a team's entry as it stands; of a person who was erased none. Raises NoSuchCompetition,
        NoSuchEntry, EntryIsWithdrawn."""
        return self._checked(self.competition(competition), self._entry(competition, team), team)

    def confirm(
        self, command: Command, competition: str, team: str, rule: str, member: int | None, holds: bool, reason: str
    ) -> Outcome:
        """A person says whether what was open holds, or that a rule which by the form is met does not: a form says what
        its unit wrote. Raises NothingToConfirm where it would say that what is met, or not met, holds."""

        def decide(entry: model.Entry) -> model.Events:
            state = self.competition(competition)
            found = self._to_say(self._checked(state, entry, team), rule, member, holds)
            said = model.Confirmation(looked=found.looked, holds=holds, reason=reason, article=found.check.article)
            return model.confirm(entry, state, said, command.actor)

        return self._commands.execute(command, model.entry_stream(competition, team), competition, model.ENTRY, decide)

    def refuse(self, command: Command, competition: str, team: str, rule: str, reason: str) -> Outcome:
        """The organiser does not take an entry of which a rule is not met."""

        def decide(entry: model.Entry) -> model.Events:
            state = self.competition(competition)
            wrong = [each for each in self._checked(state, entry, team) if each.wrong and each.check.rule == rule]
            if not wrong:
                raise refuse.RuleIsMet("/rule", rule=rule)
            article = wrong[0].check.article
            return model.refuse_entry(entry, state, team, article, reason, command.actor)

        stream = model.entry_stream(competition, team)
        outcome = self._commands.execute(command, stream, competition, model.ENTRY, decide)
        return self._registration.released(outcome, team)

    def competition(self, competition: str) -> model.Competition:
        """A competition as it stands."""
        return self._registration.competition(competition)

    def preset_of(self, competition: model.Competition) -> AnyPreset:
        """Its regulation. Raises NoSuchCompetition."""
        return self._registration.preset_of(competition)

    def sent(
        self, competition: model.Competition, entry: model.Entry, team: str
    ) -> tuple[TeamForm, TeamEntry, list[MemberForm | None]]:
        """An entry as its form, as the rules read it, and its members, None for each who was erased. Raises
        NoSuchEntry, EntryIsWithdrawn."""
        standing = model.check_entered(entry, competition.id, team)
        read = self._persons.read(entry.members)
        members = tuple(form or _erased(member) for form, member in zip(read, entry.members, strict=True))
        kind = cast(UnitKind | None, entry.unit_kind or None)
        form = TeamForm(name=standing.name, members=members, unit_kind=kind, retirees=entry.retirees)
        return form, team_entry(standing.id, standing.unit, entry.number, form, entry.joined), read

    def _checked(self, competition: model.Competition, entry: model.Entry, team: str) -> list[Checked]:
        form, _, read = self.sent(competition, entry, team)
        standing = model.check_entered(entry, competition.id, team)
        preset = self.preset_of(competition)
        check = FormCheck(preset, competition, standing, entry.number, form, consented=entry.joined)
        persons = [member.person for member in entry.members]
        claims = check.keyed(self._claims.of_others(check.wanted(persons)), persons)
        found = (self._looked(entry, form, each) for each in [*check.found(claims), *check.honesty()])
        return [each for each in found if each.member is None or read[each.member] is not None]

    @staticmethod
    def _looked(entry: model.Entry, form: TeamForm, check: Check) -> Checked:
        member = member_of(check, form.members)
        person = None if member is None else entry.members[member].person
        against = model.Looked(person, check.rule, "")
        if entry.confirmed.get(against) is False:  # found against what a form said: no other form undoes it
            return Checked(check=check, looked=against, member=member, holds=False)
        looked = model.Looked(person, check.rule, check.code)
        holds = entry.confirmed.get(looked) if check.code else None
        return Checked(check=check, looked=looked, member=member, holds=holds)

    @staticmethod
    def _to_say(checked: list[Checked], rule: str, member: int | None, holds: bool) -> Checked:
        for each in checked:
            asked = each.check.status in ("warning", "to_confirm") or each.holds is False
            if (each.check.rule, each.member) == (rule, member) and (asked or not holds):
                return each
        raise refuse.NothingToConfirm("/rule", rule=rule)

    def _entry(self, competition: str, team: str) -> model.Entry:
        return self._commands.load(model.entry_stream(competition, team), model.ENTRY).state
