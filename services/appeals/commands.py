"""The appeals desk's use cases: load, decide, append."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import msgspec

from services.appeals import committee, facts, ledger, model
from services.appeals import refusals as refuse
from services.appeals.facts import Case
from services.appeals.records import Records, instant
from shared.contracts.appeals import Appellant, CommitteeMember
from shared.contracts.fact import Remedy
from shared.contracts.refusal import NotFound
from shared.eventsourcing.engine import Engine
from shared.eventsourcing.errors import NotNow
from shared.eventsourcing.handling import Command, Outcome
from shared.eventsourcing.ports import Codec
from shared.rules.deadlines import local_instant
from shared.rules.errors import RuleError

DESK = "organiser"
"""The role that takes papers and money over the counter."""


class ReadModelBehind(NotNow):
    """What an event of this service rests on is not in its read model (yet, or again while that is built)."""


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """When something was received, and who took it, as the caller says it: nothing for what is sent online."""

    received_at: datetime | None = None
    officer: str = ""
    reason: str = ""


class Appeals:
    """The commands of the appeals service."""

    def __init__(self, engine: Engine, codec: Codec) -> None:
        self._commands = engine.commands
        self.records = Records(engine.reader, codec)

    def draft(
        self,
        command: Command,
        competition: str,
        match: str,
        own: tuple[str, ...],
        grounds: str,
        asks_for: Remedy,
        said: Said,
        appellant: Appellant | None = None,
    ) -> Outcome:
        """Begin an appeal for the team of the match that goes by one of the `own` names. Raises ReadModelBehind."""
        case = self.records.case(competition, match)
        facts.check_appealable(case)
        team = facts.appellant(case, own, own[0] if own else "")
        if case.parts[team] is None:
            raise ReadModelBehind(f"the entry of {team} in {competition}")
        begun = self._receipt(command, competition, said)
        appeal = f"a-{_digest(command.actor, command.id)}"
        draft = model.Draft(team=team, grounds=grounds, asks_for=asks_for, appellant=appellant)
        return self.on_appeal(
            command,
            competition,
            appeal,
            lambda s: model.draft(s, case, self._waived(case, team), draft, begun(), command.actor),
        )

    def report(
        self, command: Command, competition: str, appeal: str, reference: str, bears_seal: bool, said: Said
    ) -> Outcome:
        """Take the written report, from a leader as it arrives or by the desk from paper."""
        received = self._receipt(command, competition, said)

        def decide(state: model.Appeal) -> model.Events:
            model.check_undecided(state)
            case = self.records.case(competition, state.match)
            waived = self._waived(case, state.team)
            return model.receive_report(state, case, waived, reference, bears_seal, received(), command.actor)

        return self.on_appeal(command, competition, appeal, decide)

    def receive_deposit(self, command: Command, competition: str, appeal: str, amount_fen: int, said: Said) -> Outcome:
        """Enter money that was handed over."""

        def decide(books: ledger.Ledger) -> ledger.Events:
            state = self.load_appeal(competition, appeal)
            model.check_undecided(state)
            case = self.records.case(competition, state.match)
            given = self._instant(competition, said.received_at)
            officer = said.officer or command.actor
            received = model.received_in_cash(command.received_at, given, officer, said.reason)
            return ledger.receive(books, state, case, amount_fen, received, command.actor)

        return self._on_ledger(command, competition, decide)

    def confirm_deposit(self, command: Command, competition: str, appeal: str) -> Outcome:
        """Confirm, as another person, that the money is there."""
        return self._on_ledger(command, competition, lambda s: ledger.confirm(s, appeal, command.actor))

    def accept(self, command: Command, competition: str, appeal: str) -> Outcome:
        """Accept an appeal that is in form."""
        return self.on_appeal(command, competition, appeal, lambda s: model.accept(s, command.actor))

    def refuse(self, command: Command, competition: str, appeal: str, reason: str) -> Outcome:
        """Refuse an appeal for its form."""
        return self._on_case(
            command,
            competition,
            appeal,
            lambda s, case: model.refuse_form(s, case, command.received_at, reason, command.actor),
        )

    def withdraw(self, command: Command, competition: str, appeal: str, reason: str, reference: str = "") -> Outcome:
        """Take an appeal back; the desk does so from a paper."""

        def decide(state: model.Appeal) -> model.Events:
            if command.role == DESK and not reference:
                raise refuse.ReferenceNeeded("/reference")
            return model.withdraw(state, reason, command.actor, reference)

        return self.on_appeal(command, competition, appeal, decide)

    def name_committee(self, command: Command, competition: str, appeal: str, named: committee.Committee) -> Outcome:
        """Name who shall decide an appeal, and by when."""
        named = msgspec.structs.replace(named, decide_by=self._instant(competition, named.decide_by, "/decide_by"))
        return self._on_case(
            command,
            competition,
            appeal,
            lambda s, case: committee.name(s, case, named, command.received_at, command.actor),
        )

    def hear(
        self,
        command: Command,
        competition: str,
        appeal: str,
        members: tuple[CommitteeMember, ...],
        together: tuple[str, ...] = (),
    ) -> Outcome:
        """Record a hearing, who sat, and which other appeals were heard with it."""

        def decide(state: model.Appeal, case: Case) -> model.Events:
            others = [self.load_appeal(competition, other) for other in together]
            return model.hear(state, case, members, command.actor, others)

        return self._on_case(command, competition, appeal, decide)

    def decide(self, command: Command, competition: str, appeal: str, decision: model.Decision) -> Outcome:
        """Decide an appeal."""
        return self._on_case(
            command, competition, appeal, lambda s, case: model.decide(s, case, decision, command.actor)
        )

    def waive(
        self, command: Command, competition: str, teams: Sequence[str], through_round: int, reference: str
    ) -> Outcome:
        """Waive the appeals of these teams over closed rounds."""
        announced, preset = self.records.competition(competition), self.records.preset(competition)

        def decide(books: ledger.Ledger) -> ledger.Events:
            if command.role == DESK and not reference:
                raise refuse.ReferenceNeeded("/reference")
            closed = {r.number: instant(r.closed_at) for r in self.records.hall(competition).rounds if r.closed_at}
            given = ledger.Waive(teams=tuple(teams), through_round=through_round, reference=reference, closed=closed)
            return ledger.waive(books, announced.regulation, preset, given, command.actor)

        return self._on_ledger(command, competition, decide)

    def names_of(self, competition: str, appeal: str) -> tuple[str, ...]:
        """The appealing team's id, unit and entry, by which its leader's token goes. Raises NoSuchAppeal."""
        state = self.load_appeal(competition, appeal)
        if not state.team:
            raise refuse.NoSuchAppeal(competition=competition, appeal=appeal)
        return self.records.names(competition, state.team)

    # For policies

    def lodge(self, command: Command, competition: str, appeal: str) -> Outcome:
        """Lodge an appeal if report and confirmed deposit are both there. Raises ReadModelBehind."""

        def decide(state: model.Appeal) -> model.Events:
            paid_at = self.load_ledger(competition).confirmed_at(appeal)
            try:
                case = self.records.case(competition, state.match)
            except NotFound as error:
                raise ReadModelBehind(str(error)) from error
            return model.lodge(state, case, paid_at, command.actor)

        return self.on_appeal(command, competition, appeal, decide)

    def settle(self, command: Command, competition: str, appeal: str) -> Outcome:
        """Send the deposit of an appeal that has ended where it goes. Raises ReadModelBehind."""

        def decide(books: ledger.Ledger) -> ledger.Events:
            state = self.load_appeal(competition, appeal)
            if state.outcome is None:
                return []
            try:
                goes = model.deposit_goes(state, state.outcome, self.records.preset(competition))
            except NotFound as error:
                raise ReadModelBehind(str(error)) from error
            return ledger.settle(books, appeal, goes, state.outcome, command.actor)

        return self._on_ledger(command, competition, decide)

    # For the timer

    def close_window(self, command: Command, competition: str, closing: ledger.Closing) -> Outcome:
        """Record that the window over a round has closed."""
        announced, preset = self.records.competition(competition), self.records.preset(competition)
        return self._on_ledger(
            command,
            competition,
            lambda s: ledger.close_window(s, announced.regulation, preset, closing, command.actor),
        )

    def lapse(self, command: Command, competition: str, appeal: str) -> Outcome:
        """Refuse a draft that was not complete when its window had closed."""

        def decide(state: model.Appeal) -> model.Events:
            deposit = self.load_ledger(competition).deposits.get(appeal)
            paid_at = deposit.received_at if deposit else None
            case = self.records.case(competition, state.match)
            return model.lapse(state, case, paid_at, command.received_at, command.actor)

        return self.on_appeal(command, competition, appeal, decide)

    def void(self, command: Command, competition: str, appeal: str) -> Outcome:
        """End an appeal in a competition that was cancelled."""
        known = self.records.competition(competition)
        article = self.records.any_preset(competition).appeals.allowed.article
        reason = known.cancelled_because or ""
        return self.on_appeal(command, competition, appeal, lambda s: model.void(s, reason, article, command.actor))

    def flag_overdue(self, command: Command, competition: str, appeal: str, due_at: datetime) -> Outcome:
        """Flag an appeal that was not decided by its date."""

        def decide(state: model.Appeal) -> model.Events:
            case = self.records.case(competition, state.match)
            return model.overdue(state, case, due_at, command.received_at, command.actor)

        return self.on_appeal(command, competition, appeal, decide)

    # What decisions rest on

    def load_appeal(self, competition: str, appeal: str) -> model.Appeal:
        """An appeal as its stream tells it."""
        return self._commands.load(appeal_stream(competition, appeal), model.APPEAL).state

    def load_ledger(self, competition: str) -> ledger.Ledger:
        """A competition's deposits and waivers as their stream tells them."""
        return self._commands.load(ledger_stream(competition), ledger.LEDGER).state

    def _waived(self, case: Case, team: str) -> bool:
        return self.load_ledger(case.competition).waived(team, case)

    def _receipt(self, command: Command, competition: str, said: Said) -> Callable[[], model.Receipt]:
        """When a paper or a message was received; judged when it is decided, so that a repetition is not."""
        if command.role != DESK:
            return lambda: model.received_online(command.received_at, said.received_at, said.officer)
        given, officer = self._instant(competition, said.received_at), said.officer or command.actor
        return lambda: model.received_on_paper(command.received_at, given, officer, said.reason)

    def _instant(self, competition: str, given: datetime | None, at: str = "/received_at") -> datetime | None:
        """In UTC, as events keep times; one without a zone is local to the regulation's. Raises TimeOutOfRange."""
        if given is None:
            return None
        try:
            if given.tzinfo is None:
                return local_instant(self.records.preset(competition).zone.value, given)
            return given.astimezone(UTC)
        except (RuleError, OverflowError) as error:
            raise refuse.TimeOutOfRange(at, at=given.isoformat()) from error

    def _on_case(
        self,
        command: Command,
        competition: str,
        appeal: str,
        decide: Callable[[model.Appeal, Case], model.Events],
    ) -> Outcome:
        def decided(state: model.Appeal) -> model.Events:
            model.check_undecided(state)
            return decide(state, self.records.case(competition, state.match))

        return self.on_appeal(command, competition, appeal, decided)

    def on_appeal(
        self, command: Command, competition: str, appeal: str, decide: Callable[[model.Appeal], model.Events]
    ) -> Outcome:
        """A command on the stream of one appeal."""
        return self._commands.execute(command, appeal_stream(competition, appeal), competition, model.APPEAL, decide)

    def _on_ledger(
        self, command: Command, competition: str, decide: Callable[[ledger.Ledger], ledger.Events]
    ) -> Outcome:
        return self._commands.execute(command, ledger_stream(competition), competition, ledger.LEDGER, decide)


def appeal_stream(competition: str, appeal: str) -> str:
    """The stream of one appeal."""
    return f"appeal/{competition}/{appeal}"


def ledger_stream(competition: str) -> str:
    """The stream of a competition's deposits and waivers."""
    return f"ledger/{competition}"


def _digest(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:10]
