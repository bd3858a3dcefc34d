"""An entry and its claims together: what the form must be, and claims given back when no entry comes of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import TracebackType
from typing import Self

from services.registration import model
from services.registration import refusals as refuse
from services.registration.claims import Claims, Wanted
from services.registration.forms import MemberForm, TeamForm, identity_number, pointer, said, team_entry
from services.registration.persons import Persons
from shared.contracts.fact import Team
from shared.contracts.refusal import Refusal
from shared.contracts.registration import Member
from shared.eventsourcing.handling import Command, Outcome
from shared.rules.basis import Text
from shared.rules.entries import Check, Claimed, checks, honesty, terms
from shared.rules.regulations import AnyPreset


class FormCheck:
    """A form under its competition's regulation."""

    def __init__(
        self,
        preset: AnyPreset,
        competition: model.Competition,
        team: Team,
        number: int,
        form: TeamForm,
        *,
        persons_only: bool = False,
        consented: Collection[int] = (),
    ) -> None:
        """persons_only: a form of persons who join a team that stands, which is not judged by it; consented: which
        members of the form joined so."""
        self._persons_only = persons_only
        self.preset = preset
        self.competition = competition
        self.team = team
        self.form = form
        self._entry = team_entry(team.id, team.unit, number, form, consented)

    def found(self, claims: Mapping[str, Claimed] | None = None) -> list[Check]:
        """Every check; claims: what others claim of each person, by the key of the rules."""
        return checks(self.preset, self._entry, claims=claims, first_day=self.competition.plays_from)

    def honesty(self) -> list[Check]:
        """Of each player, that nobody has found fraud: for a person to say otherwise, whatever the form has."""
        return honesty(self.preset, self._entry)

    def __call__(self, claims: Mapping[str, Claimed] | None = None) -> None:
        """Raises EntryNotInOrder with everything that is not met."""
        wrong = [check for check in self.found(claims) if check.status == "not_met" and self._concerns(check)]
        if not wrong:
            return
        members = self.form.members
        told = [said(check, members) for check in wrong]
        summary = Text("；".join(each.zh for each in told), "; ".join(each.en for each in told))
        each = [(self._pointer(check), Text(check.zh, check.en)) for check in wrong]
        raise refuse.EntryNotInOrder(each[0][0], wrong[0].article, summary=summary).each(each)

    def _pointer(self, check: Check) -> str:
        at = pointer(check, self.form.members)
        return at.replace("/members/0", "/member", 1) if self._persons_only else at

    def _concerns(self, check: Check) -> bool:
        return not self._persons_only or "[" in check.field

    def wanted(self, persons: Sequence[str | None]) -> Wanted:
        """The claims of its players, as far as it is known who they are."""
        return wanted(self.preset, self.competition, self.team, self.form.members, persons)

    def keyed(self, others: Mapping[str, Claimed], persons: Sequence[str | None]) -> dict[str, Claimed]:
        """Claims by person as the rules take them."""
        both = zip(self.form.members, persons, strict=True)
        return {identity_number(member) or "": others[p] for member, p in both if p is not None and p in others}


def wanted(
    preset: AnyPreset,
    competition: model.Competition,
    team: Team,
    members: Sequence[MemberForm],
    persons: Sequence[str | None],
) -> Wanted:
    """The claims of an entry's players whose identity numbers it has: without one, nobody can tell who it is."""
    both = zip(members, persons, strict=True)
    players = {p: m.event for m, p in both if p is not None and m.part == "player" and m.identity_number}
    scope = scope_of(preset, competition)
    return Wanted(scope=scope, competition=competition.id, team=team.id, unit=team.unit, persons=players)


def scope_of(preset: AnyPreset, competition: model.Competition) -> str:
    """Over what the regulation counts a person's units and events; a rehearsal counts for itself alone."""
    if competition.rehearsal:
        return competition.id
    counted = terms(preset).eligibility.counted
    return str(competition.season) if counted and counted.value == "bureau" else competition.id


class Claiming:
    """The claims of one command; used as a context around its execution."""

    def __init__(self, claims: Claims, persons: Persons, command: Command) -> None:
        self._claims = claims
        self._persons = persons
        self._command = command
        self._new: list[Wanted] = []
        self._dropped: list[Wanted] = []

    def take(self, check: FormCheck, before: Sequence[Member]) -> list[str]:
        """Who the members are, their claims taken. Raises EntryNotInOrder when others have them."""
        members = check.form.members
        known = self._persons.presumed(members)
        self._claims.check(self._command, [check.wanted(known)], lambda others: check(check.keyed(others[0], known)))
        persons = self._persons.identified(self._command, members, before)
        mine = check.wanted(persons)
        self._new += self._claims.take(self._command, [mine], lambda others: check(check.keyed(others[0], persons)))
        gone = {member.person: member.event for member in before if member.person not in mine.persons}
        self._dropped = [Wanted(scope=mine.scope, competition=mine.competition, team=mine.team, unit="", persons=gone)]
        return persons

    def settled(self, outcome: Outcome) -> Outcome:
        """Give back the claims that the command's outcome leaves without an entry."""
        self._claims.give_back(self._new if outcome.replayed else self._dropped)
        return outcome

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        """A refusal is certain: no entry comes of it. After any other error one might still, so its claims are kept
        until somebody wants the persons."""
        if isinstance(error, Refusal):
            self._claims.give_back(self._new)
