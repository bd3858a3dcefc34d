"""Three small services for the kernel's suites: teams enter, tables seat them and play, a purse pays.

entry: a command enters a team or takes it out. table: seats who entered (a policy) and records points. purse: pays
for points (a policy). Each projects all three topics by the rule that `projector` states."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from shared.eventsourcing.codec import Codec
from shared.eventsourcing.handling import Command, CommandHandler, Model, Outcome
from shared.eventsourcing.policy import Policy
from shared.eventsourcing.ports import EventLog
from shared.eventsourcing.projector import Projection, View
from shared.eventsourcing.records import Commit, Envelope, Recorded, canonical, sealed
from tests.support.faults import Interceptor
from tests.support.kernel import START, Service, World


class Entered(msgspec.Struct, frozen=True):
    team: str
    fee: int


class Left(msgspec.Struct, frozen=True):
    team: str


class Seated(msgspec.Struct, frozen=True):
    team: str


class Played(msgspec.Struct, frozen=True):
    team: str
    points: int


class Paid(msgspec.Struct, frozen=True):
    team: str
    amount: int


CODEC = Codec([Entered, Left, Seated, Played, Paid])


class Refused(Exception):
    """The toy's one refusal."""


class Count(msgspec.Struct, frozen=True):
    """State of every toy stream: the events so far."""

    events: tuple[Any, ...] = ()


MODEL = Model(initial=lambda _stream: Count(), evolve=lambda state, event: Count((*state.events, event)))


def command(id: str, *, actor: str = "leader", body: str = "", expected: int | None = None, **more: Any) -> Command:
    return Command(
        id=id,
        fingerprint=body or id,
        actor=actor,
        role="leader",
        received_at=more.pop("received_at", START),
        correlation=id,
        expected=expected,
        **more,
    )


def append(handler: CommandHandler, order: Command | str, stream: str, *events: Any, competition: str = "c") -> Outcome:
    """Append these events without asking anything."""
    order = command(order) if isinstance(order, str) else order
    return handler.execute(order, stream, competition, MODEL, lambda _state: events)


def enter(handler: CommandHandler, order: Command, competition: str, team: str, fee: int = 5) -> Outcome:
    def decide(state: Count) -> Sequence[Any]:
        if state.events and isinstance(state.events[-1], Entered):
            raise Refused(f"{team} is entered already")
        return [Entered(team, fee)]

    return handler.execute(order, f"entry-{competition}-{team}", competition, MODEL, decide)


def leave(handler: CommandHandler, order: Command, competition: str, team: str) -> Outcome:
    def decide(state: Count) -> Sequence[Any]:
        if not state.events or isinstance(state.events[-1], Left):
            raise Refused(f"{team} is not entered")
        return [Left(team)]

    return handler.execute(order, f"entry-{competition}-{team}", competition, MODEL, decide)


def play(handler: CommandHandler, order: Command, competition: str, team: str, points: Sequence[int]) -> Outcome:
    return handler.execute(
        order, f"table-{competition}", competition, MODEL, lambda _state: [Played(team, p) for p in points]
    )


def seating(world: World) -> Sequence[Policy]:
    policy = Policy("seat", ["entry"])

    def seat(event: Entered, at: Envelope, order: Command) -> None:
        seated = Seated(event.team)
        append(world.engines["table"].commands, order, f"table-{at.competition}", seated, competition=at.competition)

    policy.on(Entered, seat)
    return [policy]


def paying(world: World) -> Sequence[Policy]:
    policy = Policy("pay", ["table"])

    def pay(event: Played, at: Envelope, order: Command) -> None:
        paid = Paid(event.team, event.points * 100)
        append(world.engines["purse"].commands, order, f"purse-{at.competition}", paid, competition=at.competition)

    policy.on(Played, pay)
    return [policy]


class Team(msgspec.Struct):
    """One team's row. Each service has fields of its own; `owed` is derived from them."""

    id: str
    competition: str = ""
    entered: int = 0
    left: int = 0
    fee: int = 0
    seats: int = 0
    points: list[int] = []
    paid: int = 0
    owed: int = 0


class Total(msgspec.Struct):
    """One competition's row."""

    id: str
    entries: int = 0
    hands: int = 0
    paid: int = 0
    last_recorded: dict[str, int] = {}


def _team(event: Any, at: Envelope) -> list[str]:
    return [f"{at.competition}/{event.team}"]


def views() -> tuple[View[Team], View[Total]]:
    teams = View("teams", Team, [["competition", "_id"]])
    totals = View("totals", Total)

    def on(event: type, fold: Callable[[Team, Any], None]) -> None:
        def folded(row: Team, event: Any, at: Envelope) -> None:
            row.competition = at.competition
            fold(row, event)
            row.owed = sum(row.points) * 100 - row.paid + row.fee

        teams.on(event, _team)(folded)

    def entered(row: Team, event: Entered) -> None:
        row.entered += 1
        row.fee += event.fee

    def left(row: Team, _event: Left) -> None:
        row.left += 1

    def seated(row: Team, _event: Seated) -> None:
        row.seats += 1

    def played(row: Team, event: Played) -> None:
        row.points.append(event.points)

    def paid(row: Team, event: Paid) -> None:
        row.paid += event.amount

    on(Entered, entered)
    on(Left, left)
    on(Seated, seated)
    on(Played, played)
    on(Paid, paid)

    @totals.on(Entered)
    def _(row: Total, _event: Entered, at: Envelope) -> None:
        row.entries += 1
        row.last_recorded[at.service] = at.position

    @totals.on(Played)
    def _(row: Total, _event: Played, at: Envelope) -> None:
        row.hands += 1
        row.last_recorded[at.service] = at.position

    @totals.on(Paid)
    def _(row: Total, event: Paid, at: Envelope) -> None:
        row.paid += event.amount
        row.last_recorded[at.service] = at.position

    return teams, totals


TEAMS, TOTALS = views()


def projection(
    version: int = 1, *, name: str = "board", topics: Sequence[str] = ("entry", "table", "purse")
) -> Projection:
    return Projection(name, version, topics, [TEAMS, TOTALS])


def world(interceptor: Interceptor | None = None, logs: Callable[[str], EventLog] | None = None) -> World:
    """The three services, started."""
    made = World(
        [
            Service("entry", projection(name="entries", topics=["entry"])),
            Service("table", projection(name="tables", topics=["entry", "table"]), seating),
            Service("purse", projection(), paying),
        ],
        CODEC,
        interceptor,
        logs,
    )
    made.start_all()
    return made


def commit(
    stream: str = "s", first: int = 1, n: int = 1, *, command: str = "", competition: str = "c", **more: Any
) -> Commit:
    """A commit by hand, for the suites of the ports."""
    fields: dict[str, Any] = {
        "service": "entry",
        "stream": stream,
        "first": first,
        "events": tuple(Recorded("Played", 1, canonical(Played("t", first + i))) for i in range(n)),
        "competition": competition,
        "command": command or f"{stream}@{first}",
        "fingerprint": "f",
        "actor": "leader",
        "role": "leader",
        "causation": "command:x",
        "correlation": "x",
        "received_at": START,
        "stamp": first,
        "previous_hash": "0" * 64,
    }
    return sealed(Commit(**fields | more))


def envelope(position: int, previous: int = 0, *, event: Any = None, **more: Any) -> Envelope:
    """An entry by hand; its stream's version is its position unless told otherwise."""
    event = Played("t", position) if event is None else event
    fields: dict[str, Any] = {
        "service": "entry",
        "stream": "s",
        "version": position,
        "type": type(event).__name__,
        "type_version": 1,
        "data": canonical(event),
        "competition": "c",
        "command": f"k{position}",
        "actor": "leader",
        "role": "leader",
        "causation": "command:x",
        "correlation": "x",
        "received_at": START,
        "position": position,
        "previous": previous,
        "recorded_at": START,
    }
    return Envelope(**fields | more)


def log_of(service: str, *events: Any, competition: str = "c", stream: str = "") -> list[Envelope]:
    """A service's log that holds these events of one stream."""
    return [
        envelope(n, n - 1, event=event, service=service, stream=stream or f"{service}-s", competition=competition)
        for n, event in enumerate(events, 1)
    ]
