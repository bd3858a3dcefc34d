"""Match's use cases: load, decide, append."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

import msgspec

from services.match import refusals as refuse
from services.match.model import (
    games,
    hands,
    matches,
    penalties,
    places,
    rounds,
    rulings,
    signing,
    tables,
    unfinished,
    versions,
)
from services.match.model.hands import Correction, HandEntry
from services.match.model.held import check_held, with_held
from services.match.model.matches import MATCH, ON_TIME, F, Match
from services.match.model.penalties import Claim
from services.match.model.places import DrawnByHand
from services.match.model.rounds import BY_SEED, ROUNDS, ByHand, Entered, Lots, PairOrder, Rounds
from services.match.model.seated import Seat
from services.match.model.tables import TABLE, Table
from services.match.model.versions import Choice
from services.match.projections import CompetitionRow, competition_of
from shared.contracts.fact import Fact, GameFacts, Held, Pair
from shared.contracts.programme import boards_of, event_id, parted, plays_for
from shared.eventsourcing.engine import Engine
from shared.eventsourcing.errors import NotNow
from shared.eventsourcing.handling import Command, Outcome
from shared.privacy.secrets import Secrets
from shared.rules.formats.union_facts import cancelled
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.reference import resolve_any
from shared.rules.regulations.schema import AnyPreset
from shared.rules.unfinished import Phase

RandomBytes = Callable[[int], bytes]
SEED_BYTES = 32

T = TypeVar("T")


class ReadModelBehind(NotNow):
    """What an event of another service rests on is not in this service's read model yet."""


class Matches:
    """The commands of the match service."""

    def __init__(self, engine: Engine, secrets: Secrets, random_bytes: RandomBytes = os.urandom) -> None:
        self._engine = engine
        self._commands = engine.commands
        self._reader = engine.reader
        self._secrets = secrets
        self._random = random_bytes

    # The competition

    def commit_seed(self, command: Command, competition: str) -> Outcome:
        """Fix the draw's seed of a competition, or of an event at a board; it is kept among the secrets until then."""
        entered = self._entered(competition)
        seed = self._secrets.keep(_seed_name(competition), self._random(SEED_BYTES))
        return self._commands.execute(
            command,
            rounds_stream(competition),
            competition,
            ROUNDS,
            lambda s: rounds.commit_seed(s, entered, seed, command.received_at, command.actor),
        )

    def commit_seed_if_none(self, command: Command, competition: str) -> Outcome:
        """Commit a seed unless one is, or it is too late. Raises ReadModelBehind."""
        try:
            return self.commit_seed(command, competition)
        except (refuse.SeedAlreadyCommitted, refuse.SeedTooLate, refuse.CompetitionIsCancelled):
            return Outcome(rounds_stream(competition), 0, ())
        except refuse.NoSuchCompetition as error:
            raise ReadModelBehind(str(error)) from error

    def events(self, competition: str) -> list[str]:
        """The competitions that an announced one is played as: itself, with the cards, and its events at the boards.
        Raises ReadModelBehind."""
        try:
            row = self._competition(competition)
        except refuse.NoSuchCompetition as error:
            raise ReadModelBehind(str(error)) from error
        boards = boards_of(resolve_any(row.regulation, row.changes))
        return [competition, *(event_id(competition, event) for event in boards)]

    def draw(self, command: Command, competition: str, lots: Lots = BY_SEED) -> Outcome:
        """Draw the stage that is due; the first draw reveals the seed."""
        entered, seed = self._entered(competition), self._secrets.get(_seed_name(competition))
        return self._ruled(
            command,
            competition,
            lambda s, p: rounds.draw(s, entered, p, seed, command.actor, lots, self._open_tables(s, p)),
        )

    def pair_next(self, command: Command, competition: str, by_hand: ByHand | None = None) -> Outcome:
        """Pair the next round."""
        return self._standing(
            command,
            competition,
            lambda s, p: rounds.pair_next(s, p, command.actor, by_hand, self._open_tables(s, p)),
        )

    def unpair(self, command: Command, competition: str, number: int, reason: str) -> Outcome:
        """Undo the pairing of a round that nobody has begun."""

        def decide(state: Rounds, _preset: AnyPreset) -> rounds.Events:
            paired = [pairing.match for pairing in rounds.round_of(state, number).pairings]
            begun = {name: self._match(competition, name).opened is not None for name in paired}
            return rounds.unpair(state, number, begun, reason, command.actor)

        return self._standing(command, competition, decide)

    def order_pair(self, command: Command, competition: str, order: PairOrder) -> Outcome:
        """Fix or forbid a pair."""
        return self._on_rounds(command, competition, lambda s: rounds.order_pair(s, order, command.actor))

    def lift_order(self, command: Command, competition: str, teams: tuple[str, str], reason: str) -> Outcome:
        """Lift the order about a pair."""
        return self._on_rounds(command, competition, lambda s: rounds.lift_order(s, teams, reason, command.actor))

    def announce_absence(self, command: Command, competition: str, team: str, reason: str) -> Outcome:
        """A team will miss the next round."""
        return self._on_rounds(command, competition, lambda s: rounds.announce_absence(s, team, reason, command.actor))

    def lift_absence(self, command: Command, competition: str, team: str, reason: str) -> Outcome:
        """A team will be there after all."""
        return self._on_rounds(command, competition, lambda s: rounds.lift_absence(s, team, reason, command.actor))

    def withdraw_team(self, command: Command, competition: str, team: str, reason: str) -> Outcome:
        """A team leaves the competition."""
        return self._on_rounds(command, competition, lambda s: rounds.withdraw_team(s, team, reason, command.actor))

    def disqualify_team(self, command: Command, competition: str, team: str, reason: str) -> Outcome:
        """The chief referee disqualifies a team."""
        return self._standing(
            command, competition, lambda s, p: rounds.disqualify_team(s, p, team, reason, command.actor)
        )

    def start_round(self, command: Command, competition: str, number: int) -> Outcome:
        """The clock of a round runs."""
        return self._ruled(
            command, competition, lambda s, p: rounds.start(s, p, number, command.received_at, command.actor)
        )

    def pause_round(self, command: Command, competition: str, number: int, reason: str) -> Outcome:
        """The clock of a round stands still."""
        return self._on_rounds(
            command, competition, lambda s: rounds.pause(s, number, command.received_at, reason, command.actor)
        )

    def resume_round(self, command: Command, competition: str, number: int) -> Outcome:
        """The clock of a round runs again."""
        return self._on_rounds(
            command, competition, lambda s: rounds.resume(s, number, command.received_at, command.actor)
        )

    def call_time(self, command: Command, competition: str, number: int, reason: str = "") -> Outcome:
        """The round's time is up."""
        return self._ruled(
            command,
            competition,
            lambda s, p: rounds.call_time(s, p, number, command.received_at, command.actor, reason),
        )

    def lift_time_call(self, command: Command, competition: str, number: int, reason: str) -> Outcome:
        """Time was called by mistake."""

        def decide(state: Rounds) -> rounds.Events:
            paired = [pairing.match for pairing in rounds.round_of(state, number).pairings]
            played = {name: self._match(competition, name) for name in paired}
            return rounds.lift_time_call(state, number, played, reason, command.actor)

        return self._on_rounds(command, competition, decide)

    def close_round(self, command: Command, competition: str, number: int) -> Outcome:
        """Close a round whose matches are all closed."""

        def decide(state: Rounds, preset: AnyPreset) -> rounds.Events:
            paired = [pairing.match for pairing in rounds.round_of(state, number).pairings]
            played = {name: self._match(competition, name) for name in paired}
            return rounds.close_round(state, preset, number, played, command.received_at, command.actor)

        return self._ruled(command, competition, decide)

    def order_extra_hands(self, command: Command, competition: str, number: int) -> Outcome:
        """One more hand at each table of the games whose points are equal."""

        def decide(state: Rounds, preset: AnyPreset) -> rounds.Events:
            paired = [pairing.match for pairing in rounds.round_of(state, number).pairings]
            played = {name: self._match(competition, name) for name in paired}
            return rounds.order_extra_hands(state, preset, number, played, command.actor)

        return self._ruled(command, competition, decide)

    def post_results(self, command: Command, competition: str, number: int) -> Outcome:
        """The results of a closed round are posted."""
        return self._ruled(
            command, competition, lambda s, p: rounds.post_results(s, p, number, command.received_at, command.actor)
        )

    def reopen_round(
        self, command: Command, competition: str, number: int, names: Sequence[str], reason: str
    ) -> Outcome:
        """Open a closed round again for some matches."""
        return self._on_rounds(
            command, competition, lambda s: rounds.reopen_round(s, number, names, reason, command.actor)
        )

    def draw_lot(
        self, command: Command, competition: str, teams: Sequence[str], by_hand: DrawnByHand | None
    ) -> Outcome:
        """Part a tie by lot."""
        return self._standing(
            command,
            competition,
            lambda s, p: places.draw_lot(s, p, teams, by_hand, command.actor, self._struck(s, p)),
        )

    def propose_places(self, command: Command, competition: str) -> Outcome:
        """Put the final places forward."""
        return self._standing(
            command, competition, lambda s, p: places.propose(s, p, command.actor, self._struck(s, p))
        )

    def declare_places(self, command: Command, competition: str) -> Outcome:
        """Declare the places another person has proposed."""

        def decide(state: Rounds, preset: AnyPreset) -> rounds.Events:
            appealed = self._competition(competition).appealed()
            struck = self._struck(state, preset)
            return places.declare(state, preset, appealed, command.received_at, command.actor, struck)

        return self._standing(command, competition, decide)

    def apply_ruling(self, command: Command, competition: str, decision: rulings.Decision) -> Outcome:
        """Apply an appeal's decision."""
        return self._ruled(
            command,
            competition,
            lambda s, p: rulings.apply(s, p, self._match(competition, decision.match), decision, command.actor),
        )

    def propose_set_aside(self, command: Command, competition: str, appeal: str, reason: str) -> Outcome:
        """Put forward that a decision which cannot be applied is not waited for."""
        decision = self._decision(competition, appeal)
        return self._ruled(
            command,
            competition,
            lambda s, p: rulings.propose_set_aside(
                s, p, self._match(competition, decision.match), decision, reason, command.actor
            ),
        )

    def set_aside(self, command: Command, competition: str, appeal: str) -> Outcome:
        """Confirm it, as another person; what waited behind the decision is tried again."""
        decision = self._decision(competition, appeal)
        outcome = self._ruled(
            command,
            competition,
            lambda s, p: rulings.set_aside(s, p, self._match(competition, decision.match), decision, command.actor),
        )
        self._engine.retry(competition)
        return outcome

    # A match

    def record_hand(
        self, command: Command, competition: str, name: str, entry: HandEntry[F], held: Held | None = None
    ) -> Outcome:
        """Enter the next hand, or one again that is there: of a closed match too, for a phone may have held it long."""
        seen = command.expected is not None
        entry = msgspec.structs.replace(entry, seen=seen, device=held.device if held else "")
        return self._on_match(
            command,
            competition,
            name,
            lambda m, p, s: hands.record_hand(m, p, s, entry, command.actor),
            held,
            lambda m: entry.hand <= m.entered,
        )

    def choose_version(self, command: Command, competition: str, name: str, choice: Choice[F]) -> Outcome:
        """Choose between the versions of a hand in conflict."""
        return self._on_match(
            command,
            competition,
            name,
            lambda m, p, s: versions.choose_version(m, p, s, choice, command.actor),
            after_close=lambda m: bool(m.conflicts),
        )

    def correct_hand(
        self, command: Command, competition: str, name: str, correction: Correction[F], held: Held | None = None
    ) -> Outcome:
        """Correct an entered hand."""
        return self._on_match(
            command, competition, name, lambda m, p, s: hands.correct_hand(m, p, s, correction, command.actor), held
        )

    def record_game(
        self, command: Command, competition: str, name: str, game: int, played: GameFacts, held: Held | None = None
    ) -> Outcome:
        """Enter the next game of a match at a board."""
        return self._on_match(
            command, competition, name, lambda m, p, s: games.record_game(m, p, s, game, played, command.actor), held
        )

    def correct_game(
        self,
        command: Command,
        competition: str,
        name: str,
        game: int,
        after: GameFacts,
        reason: str,
        held: Held | None = None,
    ) -> Outcome:
        """Correct an entered game."""
        return self._on_match(
            command,
            competition,
            name,
            lambda m, p, s: games.correct_game(m, p, s, game, after, reason, command.actor),
            held,
        )

    def issue_penalty(
        self, command: Command, competition: str, name: str, claim: Claim, held: Held | None = None
    ) -> Outcome:
        """Issue a penalty by its code."""
        return self._on_match(
            command, competition, name, lambda m, p, s: penalties.issue_penalty(m, p, s, claim, command.actor), held
        )

    def lift_penalty(
        self, command: Command, competition: str, name: str, penalty: str, reason: str, held: Held | None = None
    ) -> Outcome:
        """Lift a penalty."""
        return self._on_match(
            command, competition, name, lambda m, _, __: penalties.lift_penalty(m, penalty, reason, command.actor), held
        )

    def confirm(
        self, command: Command, competition: str, name: str, signed: signing.Signed, held: Held | None = None
    ) -> Outcome:
        """A pair confirms the match, or the referee for it."""
        return self._on_match(
            command,
            competition,
            name,
            lambda m, p, s: signing.confirm(m, p, s, signed, command.actor),
            held,
            after_close=lambda _: True,
        )

    def flag_unconfirmed(
        self, command: Command, competition: str, name: str, opening: int, due_at: datetime
    ) -> Outcome:
        """The time to confirm a match has passed."""

        def decide(state: Match) -> matches.Events:
            if state.opened is None:
                return []
            preset = resolve_any(state.opened.regulation, state.opened.changes)
            return signing.flag_unconfirmed(state, preset, opening, due_at, command.actor)

        return self._commands.execute(command, match_stream(competition, name), competition, MATCH, decide)

    def note_unfinished(
        self,
        command: Command,
        competition: str,
        name: str,
        hand: int,
        phase: Phase,
        reason: str = "",
        held: Held | None = None,
    ) -> Outcome:
        """How far the hand in play was when time was called."""
        return self._on_match(
            command,
            competition,
            name,
            lambda m, p, s: unfinished.note_unfinished(m, p, s, hand, phase, reason, command.actor),
            held,
        )

    def note_incident(
        self,
        command: Command,
        competition: str,
        name: str,
        hand: int | None,
        pair: Pair | None,
        what: str,
        held: Held | None = None,
    ) -> Outcome:
        """Note something that has no price."""
        return self._on_match(
            command,
            competition,
            name,
            lambda m, _, __: signing.note_incident(m, hand, pair, what, command.actor),
            held,
            after_close=lambda _: True,
        )

    def forfeit(
        self,
        command: Command,
        competition: str,
        name: str,
        absent: Sequence[str],
        reason: str,
        late: Mapping[str, int] = ON_TIME,
    ) -> Outcome:
        """Close a match for absence, or for coming too late."""
        return self._on_match(
            command,
            competition,
            name,
            lambda m, p, s: matches.forfeit(m, p, s, absent, reason, command.received_at, command.actor, late),
        )

    def close_match(self, command: Command, competition: str, name: str) -> Outcome:
        """Close a match that is won or out of time."""
        return self._on_match(
            command, competition, name, lambda m, p, s: matches.close(m, p, s, command.received_at, command.actor)
        )

    # Around a table

    def claim_table(self, command: Command, competition: str, name: str, device: str) -> Outcome:
        """A device takes the entries of a table, softly."""
        return self._at_table(command, competition, name, lambda t, s: tables.claim(t, s, device, command.actor))

    def release_table(self, command: Command, competition: str, name: str, device: str) -> Outcome:
        """A device leaves a table."""
        return self._at_table(command, competition, name, lambda t, s: tables.release(t, s, device, command.actor))

    def check_in(self, command: Command, competition: str, name: str, team: str) -> Outcome:
        """A team is at its table."""
        return self._at_table(
            command, competition, name, lambda t, s: tables.check_in(t, s, team, command.received_at, command.actor)
        )

    def line_up(self, command: Command, competition: str, name: str, team: str, seats: Mapping[str, int]) -> Outcome:
        """Who of a team sits where."""
        members = self._competition(competition).playing(team)
        hands = len(self._match(competition, name).hands)
        return self._at_table(
            command,
            competition,
            name,
            lambda t, s: tables.line_up(t, s, team, seats, members, hands, command.actor),
        )

    def substitute(self, command: Command, competition: str, name: str, asked: tables.Substitution) -> Outcome:
        """Another member of the entry comes in."""
        row = self._competition(competition)
        preset, members = resolve_any(row.regulation, row.changes), row.playing(asked.team)
        return self._at_table(
            command, competition, name, lambda t, s: tables.substitute(t, preset, s, asked, members, command.actor)
        )

    def seat(self, competition: str, match: str) -> tuple[int, int] | None:
        """The round and table of a match as it is paired now, None where no pairing names it."""
        for current in reversed(self._rounds(competition).rounds):
            for pairing in current.pairings:
                if pairing.match == match:
                    return current.number, pairing.table
        return None

    def pairing_file(self, competition: str, number: int, attempt: int | None) -> dict[str, Any]:
        """How a round was paired, last or at an attempt, with all that it rested on: the file `pailu-pairing/1`."""
        return rounds.pairing_file(competition, self._told(competition), number, attempt)

    def attempts(self, competition: str, number: int) -> list[rounds.Attempt]:
        """Every pairing of a round."""
        return rounds.attempts(competition, self._told(competition), number)

    def _told(self, competition: str) -> Iterator[Fact]:
        """The events of a competition's rounds."""
        return (event for _, events in self._commands.history(rounds_stream(competition)) for event in events)

    # What they have in common

    def _on_rounds(self, command: Command, competition: str, decide: Callable[[Rounds], rounds.Events]) -> Outcome:
        """A command on the rounds stream of a competition whose seed is committed."""

        def begun(state: Rounds) -> rounds.Events:
            if not state.regulation:
                self._competition(competition)
                raise refuse.SeedNotCommitted(competition=competition)
            return decide(state)

        return self._commands.execute(command, rounds_stream(competition), competition, ROUNDS, begun)

    def _ruled(
        self, command: Command, competition: str, decide: Callable[[Rounds, AnyPreset], rounds.Events]
    ) -> Outcome:
        """A command on the rounds stream that asks the regulation."""
        return self._on_rounds(command, competition, lambda s: decide(s, resolve_any(s.regulation, s.changes)))

    def _standing(
        self, command: Command, competition: str, decide: Callable[[Rounds, AnyPreset], rounds.Events]
    ) -> Outcome:
        """One that a cancelled competition refuses."""

        def standing(state: Rounds, preset: AnyPreset) -> rounds.Events:
            if self._competition(competition).cancelled:
                raise refuse.CompetitionIsCancelled(competition=competition)
            return decide(state, preset)

        return self._ruled(command, competition, standing)

    def _on_match(
        self,
        command: Command,
        competition: str,
        name: str,
        decide: Callable[[Match, AnyPreset, Seat], matches.Events],
        held: Held | None = None,
        after_close: Callable[[Match], bool] = lambda _: False,
    ) -> Outcome:
        """A command on a match's stream. It reads the rounds stream too: a round may have been paired anew or a replay
        ordered, and rulings say what the facts now mean. `held` is what the device said of the entry; `after_close`
        tells of a closed match whether this may be decided of it as it is."""

        def opened(state: Match) -> matches.Events:
            current = self._rounds(competition)
            seat = rounds.seat_of(current, name)
            if held is not None:
                check_held(held, seat, rounds.match_at(current, held.round, held.table))
            ready, events = matches.open_(state, seat, command.actor, after_close(state))
            decided = decide(ready, resolve_any(seat.regulation, seat.changes), seat)
            return [*events, *with_held(decided, held)]

        return self._commands.execute(command, match_stream(competition, name), competition, MATCH, opened)

    def _at_table(
        self, command: Command, competition: str, name: str, decide: Callable[[Table, Seat], tables.Events]
    ) -> Outcome:
        """A command on a table's stream."""
        stream = table_stream(competition, name)
        return self._commands.execute(
            command, stream, competition, TABLE, lambda t: decide(t, self._seat(competition, name))
        )

    def _match(self, competition: str, name: str) -> Match:
        return self._commands.load(match_stream(competition, name), MATCH).state

    def _open_tables(self, state: Rounds, preset: AnyPreset) -> dict[int, tuple[int, ...]]:
        """By open round the tables that are not done."""
        names = [p.match for current in state.rounds if not current.closed for p in current.pairings]
        played = {name: self._match(state.competition, name) for name in names}
        return rounds.open_tables(state, preset, played)

    def _rounds(self, competition: str) -> Rounds:
        return self._commands.load(rounds_stream(competition), ROUNDS).state

    def _struck(self, state: Rounds, preset: AnyPreset) -> list[str]:
        """The teams of an event whose union team's results are cancelled, for what happened at any of its events."""
        if not isinstance(preset, Preset) or preset.union is None:
            return []
        row = self._competition(parted(state.competition)[0])
        events = [self._rounds(id) for id in self.events(row.id) if id != state.competition]
        known = frozenset(row.teams)
        of = {one.team.id: plays_for(one.team.id, known) for event in (state, *events) for one in event.teams}
        disqualified = [team for event in (state, *events) for team in event.disqualified]
        out = cancelled(row.broken(), disqualified, of)
        return [one.team.id for one in state.teams if of[one.team.id] in out]

    def _seat(self, competition: str, name: str) -> Seat:
        return rounds.seat_of(self._rounds(competition), name)

    def _competition(self, competition: str) -> CompetitionRow:
        row = competition_of(self._reader, competition)
        if row is None:
            raise refuse.NoSuchCompetition(competition=competition)
        return row

    def _decision(self, competition: str, appeal: str) -> rulings.Decision:
        """What an appeal was decided to be done in match. Raises NoSuchDecision."""
        decided = self._competition(competition).decisions.get(appeal)
        if decided is None:
            raise refuse.NoSuchDecision(competition=competition, appeal=appeal)
        return msgspec.convert(decided, rulings.Decision)

    def _entered(self, competition: str) -> Entered:
        return self._competition(competition).entered()


def rounds_stream(competition: str) -> str:
    """The stream of a competition's rounds."""
    return f"rounds/{competition}"


def match_stream(competition: str, name: str) -> str:
    """The stream of one match."""
    return f"match/{competition}/{name}"


def table_stream(competition: str, name: str) -> str:
    """The stream of what happens around the table of a match."""
    return f"table/{competition}/{name}"


def _seed_name(competition: str) -> str:
    return f"seed/{competition}"
