"""Events of the three topics as their services publish them, written as score sheets; and ranking alone over them.

`Story` writes the log of one competition, a minute between two events. `Hall` is the ranking service by itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from flask.testing import FlaskClient

from services.ranking import app as ranking
from shared.contracts import appeals, match, registration
from shared.contracts.catalogue import EVENTS, TOPICS, UPCASTERS
from shared.contracts.fact import Fact, HandFacts, LaterRounds, MatchResult, Remedy, Team
from shared.eventsourcing.clock import ManualClock
from shared.eventsourcing.codec import Codec
from shared.eventsourcing.memory import MemoryCommits, MemoryDocuments, MemoryJournal
from shared.eventsourcing.ports import Ports
from shared.eventsourcing.records import Envelope
from tests.support.logs import event_logs
from tests.support.world import SECRET, START

CODEC = Codec(EVENTS, UPCASTERS)
JIMEI = "jimei-2018/1"
MEMBERS = (appeals.CommitteeMember(account="m", unit="u"),)
SERVICE = {event: service for service, events in TOPICS.items() for event in events}
MINUTE = timedelta(minutes=1)


def match_id(number: int, table: int, attempt: int = 1) -> str:
    return f"r{number}t{table}" if attempt == 1 else f"r{number}x{attempt}t{table}"


def hand(points: int, dealer: int = 1) -> HandFacts:
    return HandFacts(dealer=dealer, points=points)


class Story:
    """The log of a competition as it grows. Every method tells one or more events and advances the clock."""

    def __init__(self, competition: str = "c1", clock: ManualClock | None = None) -> None:
        self.competition = competition
        self.clock = clock or ManualClock(START)
        self.log: list[Envelope] = []
        self._attempts: dict[int, int] = {}
        self._closings: dict[int, int] = {}

    def tell(self, kind: type[Fact], **fields: Any) -> Envelope:
        """One event, recorded now; the clock goes on by a minute."""
        event = kind(**{"regulation": JIMEI, "by": "someone", "competition": self.competition, **fields})
        envelope = self._envelope(event)
        self.log.append(envelope)
        self.clock.advance(MINUTE)
        return envelope

    def _envelope(self, event: Any) -> Envelope:
        service, stream, recorded = SERVICE[type(event)], _stream(event), CODEC.encode(event)
        before = [e for e in self.log if e.service == service]
        return Envelope(
            service=service,
            stream=stream,
            version=sum(e.stream == stream for e in before) + 1,
            type=recorded.type,
            type_version=recorded.version,
            data=recorded.data,
            competition=self.competition,
            command="k",
            actor="someone",
            role="referee",
            causation="command:k",
            correlation="k",
            received_at=self.clock.now(),
            position=len(before) + 1,
            previous=before[-1].position if before else 0,
            recorded_at=self.clock.now(),
        )

    # registration

    def announced(self, **changes: Any) -> Story:
        fields = {
            "name": "集美升级赛",
            "regulation_digest": "d",
            "changes": changes,
            "place": "厅",
            "zone": "Asia/Shanghai",
        }
        day = date(2018, 11, 24)
        self.tell(
            registration.CompetitionAnnounced, **fields, plays_from=day, plays_to=day, entries_close=self.clock.now()
        )
        return self

    # match

    def drawn(self, teams: str) -> Story:
        drawn = tuple(
            match.Drawn(team=Team(team, f"Team {team}", f"Unit {team}"), number=n)
            for n, team in enumerate(teams.split(), 1)
        )
        self.tell(match.DrawMade, seed="00", commitment="00", teams=drawn, article="十.1")
        return self

    def paired(self, number: int, sheet: str, bye: str | None = None, absent: str = "", planned: int = 4) -> Story:
        attempt = self._attempts[number] = self._attempts.get(number, 0) + 1
        self.tell(
            match.RoundPaired,
            round=number,
            attempt=attempt,
            matches=tuple(
                match.Pairing(match=match_id(number, table, attempt), table=table, teams=teams)
                for table, (teams, _, _) in enumerate(_lines(sheet), 1)
            ),
            bye=bye,
            absent=tuple(absent.split()),
            withdrawn=(),
            disqualified=(),
            gave_up=(),
            why=(),
            rounds_planned=planned,
            article="十.1",
        )
        return self

    def closed(self, number: int, sheet: str, bye: str | None = None, absent: str = "", last: bool = False) -> Story:
        self._closings[number] = self._closings.get(number, 0) + 1
        self.tell(
            match.RoundClosed,
            round=number,
            closing=self._closings[number],
            closed_at=self.clock.now(),
            results=tuple(
                self.result(number, table, f"{'-'.join(teams)} {points[0]}:{points[1]} {status}")
                for table, (teams, points, status) in enumerate(_lines(sheet), 1)
            ),
            bye=bye,
            bye_points=2 if bye else 0,
            absent=tuple(absent.split()),
            last=last,
        )
        return self

    def round(self, number: int, sheet: str, bye: str | None = None, absent: str = "", planned: int = 4) -> Story:
        """A round paired and closed: "A-B 2:0, C-D 1:1 forfeit"."""
        return self.paired(number, sheet, bye, absent, planned).closed(number, sheet, bye, absent, number == planned)

    def result(self, number: int, table: int, line: str) -> MatchResult:
        [(teams, points, status)] = _lines(line)
        played = status == "played"
        return MatchResult(
            match=match_id(number, table, self._attempts.get(number, 1)),
            table=table,
            teams=teams,
            points=points,
            levels=("5", "3") if played and points == (2, 0) else ("3", "5") if played else None,
            how="level",
            status=status,  # type: ignore[arg-type]
        )

    def opened(self, number: int, table: int, teams: str, **changes: Any) -> str:
        one, two = teams.split("-")
        name = match_id(number, table, self._attempts.get(number, 1))
        seated = (Team(one, f"Team {one}", ""), Team(two, f"Team {two}", ""))
        self.tell(match.MatchOpened, match=name, round=number, table=table, teams=seated, changes=changes)
        return name

    def hand(self, name: str, number: int, facts: HandFacts) -> Envelope:
        return self.tell(match.HandPlayed, match=name, round=1, table=1, teams=("A", "B"), hand=number, facts=facts)

    def penalty(self, name: str, penalty: str, number: int, pair: str, code: str, points: int) -> Envelope:
        return self.tell(
            match.PenaltyIssued,
            match=name,
            round=1,
            penalty=penalty,
            hand=number,
            claimed_during=number,
            pair=pair,
            team="A",
            code=code,
            name=code,
            cards=None,
            occasions=1,
            points=points,
            effects=(),
            article="十一.8",
            mark="stated",
            reason="",
        )

    def ruling(
        self,
        number: int,
        table: int,
        after: str | None,
        remedy: Remedy | None = None,
        appeal: str = "a1",
        replay_from: int | None = None,
    ) -> Envelope:
        result = self.result(number, table, after) if after else None
        return self.tell(
            match.RulingApplied,
            round=number,
            match=match_id(number, table, self._attempts.get(number, 1)),
            remedy=remedy or Remedy(kind="award_match", team="A"),
            before=None,
            after=result,
            appeal=appeal,
            reason="r",
            article="十四",
            later=LaterRounds(choice="replay_from", round=replay_from) if replay_from else None,
        )

    def reopened(self, number: int, *tables: int) -> Envelope:
        matches = tuple(match_id(number, table, self._attempts.get(number, 1)) for table in tables)
        return self.tell(match.RoundReopened, round=number, matches=matches, reason="r")

    def lot(self, order: str) -> Envelope:
        return self.tell(
            match.LotDrawn, order=tuple(order.split()), method="hand", label="l", witness="w", article="十二（名次）"
        )

    def proposed(self, order: str, after_round: int = 4) -> Envelope:
        return self.tell(
            match.PlacesProposed, places=_places(order), after_round=after_round, article="十三", by="first"
        )

    def declared(self, order: str) -> Envelope:
        return self.tell(match.PlacesDeclared, places=_places(order), proposed_by="first", article="十三", by="second")

    # appeals

    def filed(self, number: int, table: int = 1, appeal: str = "a1") -> Envelope:
        return self.tell(
            appeals.AppealFiled,
            appeal=appeal,
            match=match_id(number, table),
            round=number,
            team="A",
            report_received_at=self.clock.now(),
            deposit_received_at=self.clock.now(),
            deposit_fen=50000,
            deadline=None,
            grounds="g",
            asks_for=Remedy(kind="none"),
            article="十四",
        )

    def upheld(self, number: int, remedy: Remedy, appeal: str = "a1") -> Envelope:
        return self.tell(
            appeals.AppealUpheld,
            appeal=appeal,
            match=match_id(number, 1),
            round=number,
            team="A",
            reason="r",
            article="十四",
            members=MEMBERS,
            remedy=remedy,
            later=None,
        )

    def dismissed(self, number: int, appeal: str = "a1") -> Envelope:
        return self.tell(
            appeals.AppealDismissed,
            appeal=appeal,
            match=match_id(number, 1),
            round=number,
            team="A",
            reason="r",
            article="十四",
            members=MEMBERS,
        )

    def waived(self, teams: str, *closed_at: datetime) -> Story:
        """Waivers over the first rounds as they were closed at these instants."""
        for team in teams.split():
            self.tell(
                appeals.WaiverReceived,
                team=team,
                through_round=len(closed_at),
                closed_at=closed_at,
                reference="w",
            )
        return self


class Hall:
    """The ranking service by itself: events in, answers out."""

    def __init__(self, clock: ManualClock, documents: Any = None) -> None:
        self.log = event_logs()("ranking")
        ports = Ports(
            clock=clock,
            commits=MemoryCommits(),
            journal=MemoryJournal(),
            log=self.log,
            documents=documents or MemoryDocuments(),
            wait_until=lambda reached, _: reached(),
            holder="hall",
        )
        self.service = ranking.create_service(ports, SECRET)
        self.client: FlaskClient = ranking.create_app(self.service).test_client()
        self._heard: set[str] = set()

    @classmethod
    def of(cls, story: Story) -> Hall:
        """A hall that has heard a story so far."""
        hall = cls(story.clock)
        hall.hear(story.log)
        return hall

    def hear(self, events: Iterable[Envelope]) -> None:
        """Publish those of these events that were not published, in their order, and project them."""
        fresh = [event for event in events if f"{event.competition}:{event.service}:{event.id}" not in self._heard]
        self._heard |= {f"{event.competition}:{event.service}:{event.id}" for event in fresh}
        self.log.publish(fresh)
        self.settle()

    def settle(self) -> None:
        while sum(step() for step in self.service.engine.steps().values()):
            pass
        assert not self.service.engine.held(), self.service.engine.held()

    def get(self, what: str, competition: str = "c1", status: int = 200, language: str = "en", **query: Any) -> Any:
        """An answer about a competition."""
        response = self.client.get(
            f"/competitions/{competition}/{what}", query_string=query, headers={"Accept-Language": language}
        )
        assert response.status_code == status, response.get_data(as_text=True)
        return response.get_json()

    def places(self, **query: Any) -> list[tuple[int | None, str, str, str | None]]:
        """The standings in short: rank, team, total as a fraction, what decided."""
        return [
            (row["rank"], row["team"], row["total"]["fraction"], row["decided_by"])
            for row in self.get("standings", **query)["rows"]
        ]

    def reasons(self, **query: Any) -> list[str]:
        """The codes of the reasons why the standings are provisional."""
        return [reason["code"] for reason in self.get("standings", **query)["reasons"]]


def _places(order: str) -> tuple[match.Place, ...]:
    return tuple(
        match.Place(rank=n, team=team, decided_by=None, points=0, total="0.000", award=1 if n == 1 else None)
        for n, team in enumerate(order.split(), 1)
    )


def _lines(sheet: str) -> Sequence[tuple[tuple[str, str], tuple[int, int], str]]:
    lines = []
    for part in filter(None, (part.strip() for part in sheet.split(","))):
        teams, *rest = part.split()
        one, two = teams.split("-")
        left, right = rest[0].split(":") if rest else ("0", "0")
        lines.append(((one, two), (int(left), int(right)), rest[1] if len(rest) > 1 else "played"))
    return lines


def _stream(event: Any) -> str:
    if isinstance(event, registration.EntrySubmitted | registration.EntryWithdrawn):
        return f"entry/{event.competition}/team"
    if SERVICE[type(event)] == "registration":
        return f"competition/{event.competition}"
    if SERVICE[type(event)] == "appeals":
        return f"appeal/{event.appeal}" if hasattr(event, "appeal") else f"ledger/{event.competition}"
    if hasattr(event, "match") and not isinstance(event, match.RulingApplied):
        return f"match/{event.competition}/{event.match}"
    return f"rounds/{event.competition}"
