"""The log of a bureau's seasons, as long as one wants it: competitions of 200 teams and six rounds, four at a time,
their tables interleaved hand by hand as in a hall, with entries, corrections, penalties and an appeal now and then.

Matches are those of the demo, made up once and dealt out again and again; pairings only turn the teams round, since no
projection asks how a pairing came about."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from itertools import zip_longest
from random import Random
from typing import Any, cast

import msgspec

from deploy.demo import hands as demo
from shared.contracts import appeals, match, registration
from shared.contracts.catalogue import EVENTS, TOPICS, UPCASTERS
from shared.contracts.fact import Fact, HandFacts, MatchResult, Remedy, Team
from shared.eventsourcing.codec import Codec
from shared.eventsourcing.records import GENESIS, Commit, Envelope, sealed
from shared.rules.regulations import load
from shared.rules.shengji.penalties import price

CODEC = Codec(EVENTS, UPCASTERS)
SERVICE = {event: service for service, events in TOPICS.items() for event in events}
REGULATION = "jimei-2018"
START = datetime(2018, 11, 24, 1, tzinfo=UTC)
TEAMS, ROUNDS, AT_ONCE = 200, 6, 4
TEMPLATES = 200
APART = timedelta(milliseconds=150)

Told = tuple[str, Sequence[Fact]]
"""A commit to be: its stream and its events."""


def told(events: int) -> Iterator[tuple[str, Told]]:
    """Commits with their competition until there are so many events."""
    left, number = events, 0
    while left > 0:
        playing = [competition(number + n) for n in range(AT_ONCE)]
        number += AT_ONCE
        for step in zip_longest(*playing):
            for one in filter(None, step):
                yield one
                left -= len(one[1][1])
                if left <= 0:
                    return


class Writer:
    """Gives commits and entries their places: versions, positions, hashes, stamps."""

    def __init__(self) -> None:
        self.at = START
        self._versions: dict[str, int] = {}
        self._hashes: dict[str, str] = {}
        self._positions: dict[str, int] = {}
        self._previous: dict[tuple[str, str], int] = {}
        self._commits = 0

    def commit(self, competition: str, stream: str, events: Sequence[Fact]) -> Commit:
        """The commit of these events."""
        self.at += APART
        self._commits += 1
        first = self._versions.get(stream, 0) + 1
        made = sealed(
            Commit(
                service=SERVICE[type(events[0])],
                stream=stream,
                first=first,
                events=tuple(map(CODEC.encode, events)),
                competition=competition,
                command=f"k{self._commits}",
                fingerprint=hashlib.sha256(stream.encode()).hexdigest(),
                actor="referee-7",
                role="referee",
                causation=f"command:k{self._commits}",
                correlation=f"{self._commits:032x}",
                received_at=self.at,
                stamp=self._commits,
                previous_hash=self._hashes.get(stream, GENESIS),
            )
        )
        self._versions[stream], self._hashes[stream] = made.last, made.hash
        return made

    def entries(self, commit: Commit) -> list[Envelope]:
        """The entries of a commit's events."""
        made = []
        for offset in range(len(commit.events)):
            position = self._positions.get(commit.service, 0) + 1
            key = (commit.service, commit.competition)
            made.append(Envelope.of(commit, offset, position, self._previous.get(key, 0), self.at))
            self._positions[commit.service] = self._previous[key] = position
        return made


@lru_cache(maxsize=1)
def _templates() -> list[demo.Played]:
    preset = load(REGULATION)
    random = Random(18)
    return [demo.play(preset, random, random.uniform(-1, 1)) for _ in range(TEMPLATES)]


def competition(number: int) -> Iterator[tuple[str, Told]]:
    """The commits of one season with its competition, from its announcement to its last appeal."""
    season = Season(f"{REGULATION}-{hashlib.sha256(str(number).encode()).hexdigest()[:8]}", Random(number))
    return ((season.competition, one) for one in season.told())


class Season:
    """A competition of so many teams and rounds."""

    def __init__(self, competition: str, random: Random, teams: int = TEAMS, rounds: int = ROUNDS) -> None:
        self.competition = competition
        self._random = random
        self._rounds = rounds
        self._teams = [
            Team(f"t-{hashlib.sha256(f'{competition}{n}'.encode()).hexdigest()[:8]}", f"第{n}队", f"第{n}单位")
            for n in range(1, teams + 1)
        ]

    def told(self) -> Iterator[Told]:
        """The commits from its announcement to its last appeal."""
        desk, hall = f"competition/{self.competition}", f"rounds/{self.competition}"
        day = date(2018, 11, 24)
        yield (
            desk,
            [
                self._fact(
                    registration.CompetitionAnnounced,
                    name="升级比赛",
                    regulation_digest="d" * 64,
                    changes={},
                    place="棋牌室",
                    plays_from=day,
                    plays_to=day,
                    entries_close=START,
                    zone="Asia/Shanghai",
                )
            ],
        )
        yield desk, [self._fact(registration.EntriesOpened, closes_at=START, article="十二（报名）")]
        yield hall, [self._fact(match.SeedCommitted, commitment="c" * 64, changes={})]
        members = tuple(registration.Member(person="p" * 16, part="player", sealed="s" * 120) for _ in range(2))
        for team in self._teams:
            entry = self._fact(registration.EntrySubmitted, team=team, members=members, change=0, article="九")
            yield f"entry/{self.competition}/{team.id}", [entry]
        yield desk, [self._fact(registration.EntriesClosed, closed_at=START, reason="", article="十二（报名）")]
        drawn = tuple(match.Drawn(team=team, number=n) for n, team in enumerate(self._teams, 1))
        yield hall, [self._fact(match.DrawMade, seed="0" * 64, commitment="c" * 64, teams=drawn, article="十.1")]
        for number in range(1, self._rounds + 1):
            yield self._paired(hall, number)
            yield from self._round(hall, number)

    def opened(self) -> Iterator[Told]:
        """One round more, not closed: its pairing, then a hand at each table, then the next."""
        number = self._rounds + 1
        yield self._paired(f"rounds/{self.competition}", number)
        yield from self._hands(number)

    def _seated(self, number: int) -> list[tuple[Team, Team]]:
        turned = [self._teams[0], *self._teams[number:], *self._teams[1:number]]
        half = len(turned) // 2
        return list(zip(turned[:half], reversed(turned[half:]), strict=True))

    def _paired(self, hall: str, number: int) -> Told:
        pairings = tuple(
            match.Pairing(match=f"r{number}t{table}", table=table, teams=(one.id, two.id))
            for table, (one, two) in enumerate(self._seated(number), 1)
        )
        return (
            hall,
            [
                self._fact(
                    match.RoundPaired,
                    round=number,
                    attempt=1,
                    matches=pairings,
                    bye=None,
                    absent=(),
                    withdrawn=(),
                    disqualified=(),
                    gave_up=(),
                    why=(),
                    rounds_planned=self._rounds,
                    article="十.1",
                )
            ],
        )

    def _round(self, hall: str, number: int) -> Iterator[Told]:
        seated = self._seated(number)
        yield from self._hands(number)
        results = tuple(self._result(number, table, teams) for table, teams in enumerate(seated, 1))
        yield (
            hall,
            [self._fact(match.TimeCalled, round=number, called_at=START, unfinished_hand="discard", article="十.2")],
        )
        yield (
            hall,
            [
                self._fact(
                    match.RoundClosed,
                    round=number,
                    closing=1,
                    closed_at=START,
                    results=results,
                    bye=None,
                    bye_points=0,
                    absent=(),
                    last=number == self._rounds,
                )
            ],
        )
        yield from self._appeal(number, results[0])

    def _hands(self, number: int) -> Iterator[Told]:
        tables = [self._table(number, table, teams) for table, teams in enumerate(self._seated(number), 1)]
        for hands in zip_longest(*tables):
            yield from filter(None, hands)

    def _template(self, number: int, table: int) -> demo.Played:
        templates = _templates()
        return templates[(number * 31 + table * 7 + len(self.competition)) % len(templates)]

    def _table(self, number: int, table: int, teams: tuple[Team, Team]) -> Iterator[Told]:
        played, name = self._template(number, table), f"r{number}t{table}"
        stream = f"match/{self.competition}/{name}"
        ids = (teams[0].id, teams[1].id)
        penalties = 0
        for hand in played.hands:
            facts = HandFacts(dealer=cast(Any, hand.dealer), points=hand.points, trump=cast(Any, hand.trump))
            misread = self._random.random() < 0.02
            entered = msgspec.structs.replace(facts, points=abs(facts.points - 5)) if misread else facts
            events: list[Fact] = []
            if hand.number == 1:
                events.append(
                    self._fact(match.MatchOpened, match=name, round=number, table=table, teams=teams, changes={})
                )
            place = {"match": name, "round": number}
            events.append(
                self._fact(match.HandPlayed, **place, table=table, teams=ids, hand=hand.number, facts=entered)
            )
            yield stream, events
            if misread:
                corrected = self._fact(
                    match.HandCorrected, match=name, hand=hand.number, before=entered, after=facts, reason="看错"
                )
                yield stream, [corrected]
            for breach in hand.breaches:
                penalties += 1
                yield stream, [self._penalty(place, breach, f"p{penalties}", ids)]
        closed = self._fact(
            match.MatchClosed,
            match=name,
            opening=0,
            ended="time",
            hands=len(played.hands),
            result=self._result(number, table, teams),
            article="十.2",
        )
        yield stream, [closed]

    def _penalty(self, place: dict[str, Any], breach: demo.Breach, name: str, teams: tuple[str, str]) -> Fact:
        priced = price(load(REGULATION), breach.code, breach.cards)
        return self._fact(
            match.PenaltyIssued,
            **place,
            penalty=name,
            hand=breach.hand,
            claimed_during=breach.hand,
            pair=breach.pair,
            team=teams[0 if breach.pair == "13" else 1],
            code=breach.code,
            name=priced.name.zh,
            cards=breach.cards,
            occasions=1,
            points=priced.points,
            effects=priced.effects,
            article=priced.article,
            mark=priced.mark,
            reason=breach.reason.zh,
        )

    def _result(self, number: int, table: int, teams: tuple[Team, Team]) -> MatchResult:
        found = self._template(number, table).result
        return MatchResult(
            match=f"r{number}t{table}",
            table=table,
            teams=(teams[0].id, teams[1].id),
            points=found.points,
            levels=cast(Any, found.levels),
            how=found.how,
            status="played",
        )

    def _appeal(self, number: int, result: MatchResult) -> Iterator[Told]:
        name = f"a{number}"
        stream = f"appeal/{self.competition}/{name}"
        about = {"appeal": name, "match": result.match, "round": number, "team": result.teams[0]}
        said = {"grounds": "判罚不当", "asks_for": Remedy(kind="none")}
        drafted = self._fact(appeals.AppealDrafted, **about, **said, begun_at=START, reason="", appellant="player")
        filed = self._fact(
            appeals.AppealFiled,
            **about,
            **said,
            report_received_at=START,
            deposit_received_at=START,
            deposit_fen=50_000,
            deadline=None,
            article="十四",
        )
        yield stream, [drafted]
        yield stream, [filed]
        members = (appeals.CommitteeMember(account="li", unit="区文体局"),)
        yield stream, [self._fact(appeals.AppealAccepted, appeal=name)]
        yield stream, [self._fact(appeals.AppealDismissed, **about, reason="维持原判", article="十四", members=members)]

    def _fact(self, kind: type[Fact], **fields: Any) -> Fact:
        return kind(**{"regulation": f"{REGULATION}/1", "by": "referee-7", "competition": self.competition, **fields})
