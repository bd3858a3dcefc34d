"""The real services in the kernel's world, and a director who draws what people do next in a competition.

The director looks at the true state (the commits, without faults) and mostly asks for what would come next there, so
that competitions get on; the rest is anything anybody might try."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import Any

from services.appeals import app as appeals
from services.appeals.commands import Said
from services.appeals.ledger import LEDGER, Ledger
from services.appeals.model import APPEAL, Appeal, Decision
from services.match import app as match
from services.match.commands import match_stream, rounds_stream
from services.match.model.hands import Correction, HandEntry
from services.match.model.matches import MATCH, Match
from services.match.model.penalties import Claim
from services.match.model.rounds import ROUNDS, Round, Rounds
from services.match.model.rulings import OF_PLAY
from services.ranking import app as ranking
from services.registration import app as registration
from services.registration.forms import MemberForm, team_id
from services.registration.model import COMPETITION, Competition, competition_stream
from shared.contracts.appeals import CommitteeMember
from shared.contracts.catalogue import EVENTS, UPCASTERS
from shared.contracts.fact import HandFacts, LaterRounds, Remedy
from shared.contracts.refusal import Refusal
from shared.eventsourcing.codec import Codec
from shared.eventsourcing.engine import Engine
from shared.eventsourcing.handling import Command, CommandHandler, Outcome
from shared.eventsourcing.ports import EventLog
from shared.privacy.secrets import MemorySecrets
from shared.rules.adjudication import adjudicate
from shared.rules.regulations import load
from shared.rules.shengji.random_hands import random_hand
from tests.support.faults import Interceptor
from tests.support.kernel import Service, World
from tests.support.simulation import Order, Simulation

TEAMS = 4
A_NIGHT = 0.01
"""How often so much time passes before a command that windows close and decisions are overdue."""
MEMBERS = [MemberForm(part="player", name=name, born=date(1970, 1, 1)) for name in ("甲", "乙")]
COMMITTEE = (CommitteeMember(account="li", unit="district"), CommitteeMember(account="wu", unit="district"))
JIMEI = load("jimei-2018")
CODES = ("revoke", "hand_size", "kitty_size_played_on", "early_draw_seen")


class Season(World):
    """Registration, match, ranking and appeals as they are wired for production, on ports in memory."""

    def __init__(self, interceptor: Interceptor | None = None, logs: Callable[[str], EventLog] | None = None) -> None:
        self.secrets = MemorySecrets()
        self.random = random.Random(0)
        self.use_cases: dict[str, Any] = {}
        self.judged: dict[tuple[str, str], str] = {}
        services = (registration, match, ranking, appeals)
        known = [Service(app.NAME, app.PROJECTION) for app in services]
        super().__init__(known, Codec(EVENTS, UPCASTERS), interceptor, logs)
        self.start_all()

    def engine(self, name: str) -> Engine:
        ports = self.ports(name)
        if name == registration.NAME:
            made = registration.create_service(ports, self.secrets, "secret", self.random.randbytes)
        elif name == match.NAME:
            made = match.create_service(ports, self.secrets, "secret", self.random.randbytes)
        elif name == appeals.NAME:
            made = appeals.create_service(ports, self.secrets, "secret", self.random.randbytes)
        else:
            made = ranking.create_service(ports, "secret")
        parts = made.use_cases
        self.use_cases[name] = getattr(parts, "commands", getattr(parts, "desk", parts))
        return made.engine

    def truth(self, service: str, stream: str, model: Any) -> Any:
        """A stream's state as its commits make it, whatever is failing."""
        return CommandHandler(service, self.services[service].commits, self.codec).load(stream, model).state

    def competitions(self) -> list[str]:
        streams = self.services["registration"].commits._streams
        return [name.removeprefix("competition/") for name in streams if name.startswith("competition/")]

    def appeals(self, competition: str) -> list[str]:
        begin = f"appeal/{competition}/"
        return [
            name.removeprefix(begin) for name in self.services["appeals"].commits._streams if name.startswith(begin)
        ]


Send = Callable[[Command], Outcome]


class Director:
    """Draws orders for a simulation."""

    def __init__(self, simulation: Simulation) -> None:
        assert isinstance(simulation.world, Season)
        self.season: Season = simulation.world
        self.numbers = simulation.numbers
        if self.numbers.random() < A_NIGHT:
            simulation.world.clock.advance(timedelta(hours=26))
        self.now = simulation.world.clock.now()
        self.id = f"k{len(simulation.orders)}"

    def order(self) -> Order:
        """The next command."""
        actor, send = self._draw()
        command = Command(
            id=self.id,
            fingerprint=self.id,
            actor=actor,
            role="organiser" if actor.startswith("organiser") else "leader",
            received_at=self.now,
            correlation=self.id,
        )
        return Order(self.id, lambda: send(command), (Refusal,))

    def _draw(self) -> tuple[str, Send]:
        known = self.season.competitions()
        if len(known) < 2 and (not known or self.numbers.random() < 0.003):
            return "organiser", self._announce
        competition = self.numbers.choice(known)
        rounds: Rounds = self.season.truth("match", rounds_stream(competition), ROUNDS)
        if self.numbers.random() < (0.5 if rounds.rounds else 0.02):
            return self._appeal(competition, rounds)
        return self._play(competition, rounds)

    def _announce(self, command: Command) -> Outcome:
        given = {"plays_from": date(2018, 12, 1), "plays_to": date(2018, 12, 2)}
        given |= {"entries_close": self.now + timedelta(days=3)}
        return self.season.use_cases["registration"].announce(command, "jimei-2018", {}, given)

    # Registration and play

    def _play(self, competition: str, rounds: Rounds) -> tuple[str, Send]:
        entries: Competition = self.season.truth("registration", competition_stream(competition), COMPETITION)
        if not rounds.teams:
            return "organiser", self._begin(competition, entries, rounds)
        if not rounds.rounds or rounds.rounds[-1].closed:
            return self._between(competition, rounds)
        return "referee", self._round(competition, rounds, rounds.rounds[-1])

    def _begin(self, competition: str, entries: Competition, rounds: Rounds) -> Send:
        desk, hall = self.season.use_cases["registration"], self.season.use_cases["match"]
        unit = f"unit {self.numbers.randrange(TEAMS)}"
        if not entries.opened:
            return lambda c: desk.open_entries(c, competition)
        if not rounds.commitment and not entries.closed:
            return lambda c: hall.commit_seed(c, competition)
        if entries.closed:
            return lambda c: hall.draw(c, competition)
        entered = sum(name.startswith(f"entry/{competition}/") for name in self._streams("registration"))
        return self._one_of(
            (8, lambda c: desk.submit(c, competition, unit, unit, MEMBERS)),
            (1, lambda c: desk.withdraw(c, competition, team_id(unit), "ill")),
            (1, lambda c: desk.change(c, competition, team_id(unit), f"{unit} again", MEMBERS)),
            (1, lambda c: desk.amend(c, competition, {"name": self.id}, "renamed")),
            (6 if entered >= TEAMS else 0, lambda c: desk.close_entries(c, competition, "all are here")),
        )

    def _between(self, competition: str, rounds: Rounds) -> tuple[str, Send]:
        hall, desk = self.season.use_cases["match"], self.season.use_cases["appeals"]
        team = self.numbers.choice(rounds.teams).team.id
        last = rounds.rounds[-1] if rounds.rounds else None
        over = last is not None and last.number == rounds.planned
        actor = self.numbers.choice(["organiser", "organiser 2"])
        teams = self.numbers.sample([d.team.id for d in rounds.teams], self.numbers.randint(2, len(rounds.teams)))
        return actor, self._one_of(
            (0 if over else 12, lambda c: hall.pair_next(c, competition)),
            (1, lambda c: hall.announce_absence(c, competition, team, "travels")),
            (0.2, lambda c: hall.withdraw_team(c, competition, team, "leaves")),
            (1 if last else 0, lambda c: hall.reopen_round(c, competition, last.number, [self._any(last)], "wrong")),
            (1 if over else 0, lambda c: hall.propose_places(c, competition)),
            (1 if over else 0, lambda c: hall.declare_places(c, competition)),
            (2 if over else 0, lambda c: hall.draw_lot(c, competition, teams, None)),
            (6 if over else 0.3, lambda c: desk.waive(c, competition, (team,), len(rounds.rounds), "paper 7")),
        )

    def _round(self, competition: str, rounds: Rounds, current: Round) -> Send:
        hall = self.season.use_cases["match"]
        name = self._unfinished(competition, current)
        if name is None and self.numbers.random() < 0.8:
            return lambda c: hall.close_round(c, competition, current.number)
        name = name or self._any(current)
        played: Match = self.season.truth("match", match_stream(competition, name), MATCH)
        hand, facts = len(played.hands) + 1, self._facts()
        earlier = self.numbers.randint(1, max(1, hand - 1))
        entry = self._with_record(hand) if self.numbers.random() < 0.1 else HandEntry(hand=hand, facts=facts)
        kept = ("record",) if self.numbers.random() < 0.5 else ()
        correction = Correction(hand=earlier, after=facts, reason="misread", kept=kept)
        teams = next((p.teams for p in current.pairings if p.match == name), ("x", "y"))
        absent = self.numbers.sample(teams, self.numbers.randint(1, 2))
        enough = hand > 3 or current.time_called
        return self._one_of(
            (1 if enough else 9, lambda c: hall.record_hand(c, competition, name, entry)),
            (0.5, lambda c: hall.correct_hand(c, competition, name, correction)),
            (1, lambda c: hall.issue_penalty(c, competition, name, self._claim(hand))),
            (0.5, lambda c: hall.lift_penalty(c, competition, name, "p1", "wrong")),
            (0.3, lambda c: hall.forfeit(c, competition, name, absent, "absent")),
            (0.1 if current.time_called else 3, lambda c: hall.call_time(c, competition, current.number)),
            (12 if current.time_called else 1, lambda c: hall.close_match(c, competition, name)),
            (0.5, lambda c: hall.close_round(c, competition, current.number)),
        )

    def _unfinished(self, competition: str, current: Round) -> str | None:
        """A match that the round waits for, if there is one."""
        for pairing in current.pairings:
            played: Match = self.season.truth("match", match_stream(competition, pairing.match), MATCH)
            waits = pairing.match in current.reopened or pairing.match not in current.results
            if waits and (played.closed is None or played.opening < current.openings.get(pairing.match, 0)):
                return pairing.match
        return None

    def _claim(self, hand: int) -> Claim:
        pair = self.numbers.choice(("13", "24"))
        code = self.numbers.choice(CODES)
        return Claim(hand=hand, claimed_during=hand, pair=pair, code=code, cards=None, occasions=1, reason="")

    # Appeals

    def _appeal(self, competition: str, rounds: Rounds) -> tuple[str, Send]:
        desk = self.season.use_cases["appeals"]
        known = {name: self._state(competition, name) for name in self.season.appeals(competition)}
        going = [name for name, state in known.items() if state.outcome is None]
        if self.numbers.random() < (0.02 if going else 0.6):
            return "leader", self._draft(competition, rounds)
        if not known:
            return "committee", lambda c: desk.accept(c, competition, "a-0")
        name = going[0] if going and self.numbers.random() < 0.8 else self.numbers.choice(list(known))
        state = known[name]
        if state.stage == "drafted":
            return self._lodge(competition, name)
        return "committee", self._one_of(
            (5 if state.stage == "lodged" else 0, lambda c: desk.accept(c, competition, name)),
            (0.2, lambda c: desk.refuse(c, competition, name, "no grounds")),
            (0.2, lambda c: desk.withdraw(c, competition, name, "settled")),
            (5 if state.stage == "accepted" else 0, lambda c: desk.hear(c, competition, name, COMMITTEE)),
            (5 if state.stage == "heard" else 0.2, self._decide(competition, name, state, rounds)),
        )

    def _lodge(self, competition: str, name: str) -> tuple[str, Send]:
        desk, online = self.season.use_cases["appeals"], Said()
        books: Ledger = self.season.truth("appeals", f"ledger/{competition}", LEDGER)
        state, money = self._state(competition, name), books.deposits.get(name)
        steps: list[tuple[str, Send]] = []
        if state.report_at is None or self.numbers.random() < 0.1:
            steps.append(("leader", lambda c: desk.report(c, competition, name, "report 1", True, online)))
        if money is None or self.numbers.random() < 0.1:
            steps.append(("organiser", lambda c: desk.receive_deposit(c, competition, name, 50_000, online)))
        else:
            steps.append(("organiser 2", lambda c: desk.confirm_deposit(c, competition, name)))
        return self.numbers.choice(steps)

    def _state(self, competition: str, name: str) -> Appeal:
        state: Appeal = self.season.truth("appeals", f"appeal/{competition}/{name}", APPEAL)
        return state

    def _draft(self, competition: str, rounds: Rounds) -> Send:
        desk = self.season.use_cases["appeals"]
        pairings = [pairing for current in rounds.rounds for pairing in current.pairings]
        if not pairings:
            return lambda c: desk.draft(c, competition, "r1t1", ("nobody",), "g", Remedy(kind="none"), Said())
        pairing = self.numbers.choice(pairings)
        team = self.numbers.choice(pairing.teams)
        asked = self._remedy(competition, pairing.match, pairing.teams)
        return lambda c: desk.draft(c, competition, pairing.match, (team,), "wrongly charged", asked, Said())

    def _decide(self, competition: str, name: str, state: Appeal, rounds: Rounds) -> Send:
        desk = self.season.use_cases["appeals"]
        outcome = self.numbers.choice(("upheld", "upheld", "partly_upheld", "dismissed"))
        teams = next((p.teams for r in rounds.rounds for p in r.pairings if p.match == state.match), ("x", "y"))
        remedy = None if outcome == "dismissed" else self._possible(competition, state.match, teams)
        later = LaterRounds(choice="let_stand")
        if self.numbers.random() < 0.2:
            later = LaterRounds(choice="replay_from", round=len(rounds.rounds))
        decision = Decision(
            outcome=outcome, reason="heard", members=COMMITTEE, remedy=remedy, later=later if remedy else None
        )
        return lambda c: desk.decide(c, competition, name, decision)

    def _possible(self, competition: str, name: str, teams: Sequence[str]) -> Remedy:
        """A committee that lets a match be played again does not also judge its hands: no ruling could do both."""
        remedy = self._remedy(competition, name, teams)
        speaks_of = "replay" if remedy.kind == "replay_match" else "hands" if remedy.kind in OF_PLAY else ""
        if speaks_of and self.season.judged.setdefault((competition, name), speaks_of) != speaks_of:
            return Remedy(kind="none")
        return remedy

    def _remedy(self, competition: str, name: str, teams: Sequence[str]) -> Remedy:
        played: Match = self.season.truth("match", match_stream(competition, name), MATCH)
        choices = [
            Remedy(kind="award_match", team=self.numbers.choice(teams)),
            Remedy(kind="replay_match"),
            Remedy(kind="none"),
            Remedy(kind="disqualify_team", team=self.numbers.choice(teams)),
        ]
        if played.hands:
            hand = self.numbers.randint(1, len(played.hands))
            choices += [Remedy(kind="annul_hand", hand=hand)] * 2
            choices += [Remedy(kind="correct_hand", hand=hand, facts=self._facts())] * 2
            choices += [Remedy(kind="impose_penalty", hand=hand, pair="13", code="revoke")] * 2
        choices += [Remedy(kind="lift_penalty", penalty=p.id) for p in played.sheet.penalties if not p.lifted] * 3
        return self.numbers.choice(choices)

    # Dice

    def _facts(self) -> HandFacts:
        return HandFacts(
            dealer=self.numbers.randint(1, 4), points=5 * self.numbers.randrange(41), trump=self.numbers.choice("SHCD")
        )

    def _with_record(self, hand: int) -> HandEntry[HandFacts]:
        """A hand with its card record, at any levels; now and then entered otherwise than the record has it."""
        record = random_hand(JIMEI, self.numbers.randrange(1000)).record
        facts = adjudicate(JIMEI, record).facts
        assert isinstance(facts, HandFacts)
        given = facts if self.numbers.random() < 0.8 else self._facts()
        return HandEntry(hand=hand, facts=given, as_played=True, record=record)

    def _any(self, current: Round) -> str:
        return self.numbers.choice(current.pairings).match if current.pairings else "r9t9"

    def _streams(self, service: str) -> Sequence[str]:
        return list(self.season.services[service].commits._streams)

    def _one_of(self, *weighed: tuple[float, Send]) -> Send:
        return self.numbers.choices([send for _, send in weighed], [weight for weight, _ in weighed])[0]
