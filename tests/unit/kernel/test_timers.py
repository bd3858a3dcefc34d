"""Guarantee: "what falls due becomes a command once, whatever happens to processes and clocks". A toy that rings an
alarm: each alarm is due after its instant, and its ringing is an event."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from shared.eventsourcing.clock import ManualClock
from shared.eventsourcing.codec import Codec
from shared.eventsourcing.errors import NotNow, StoreUnavailable
from shared.eventsourcing.handling import Command, CommandHandler, Model, Outcome
from shared.eventsourcing.memory import MemoryCommits
from shared.eventsourcing.timers import LOOK, Due, Found, Timer, TimerRunner

NOON = datetime(2018, 11, 24, 4, 0, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


class Rang(msgspec.Struct, frozen=True):
    """An alarm rang."""

    name: str


ALARMS: Model[int] = Model(lambda _: 0, lambda count, _: count + 1)


class Alarms:
    """Alarms by name. `told` is what the read model has of their ringing: nothing until it catches up."""

    def __init__(self, **alarms: datetime) -> None:
        self.clock = ManualClock(NOON)
        self.store = MemoryCommits()
        self.alarms = alarms
        self.told: set[str] = set()
        self.broken: set[str] = set()
        self.away = False
        self.looks = 0
        self.restart()

    def restart(self) -> None:
        """Another process, over the same store."""
        self.handler = CommandHandler("clock", self.store, Codec([Rang]))
        self.runner = TimerRunner(Timer("alarms", self.find), self.clock, batch=2)

    def find(self, now: datetime, limit: int) -> Found:
        self.looks += 1
        left = sorted((at, name) for name, at in self.alarms.items() if name not in self.told)
        due = [name for at, name in left if at < now]
        coming = min((at for at, _ in left if at >= now), default=None)
        return Found(
            [Due(key=name, act=lambda command, name=name: self.ring(command, name)) for name in due[:limit]], coming
        )

    def ring(self, command: Command, name: str) -> Outcome:
        if self.away:
            raise StoreUnavailable("away")
        if name in self.broken:
            raise ValueError(name)
        return self.handler.execute(command, f"alarm/{name}", "c", ALARMS, lambda _: [Rang(name)])

    def run(self, runner: TimerRunner | None = None) -> int:
        """Step until there is nothing to do."""
        total = 0
        while done := (runner or self.runner).step():
            total += done
        return total

    def rang(self) -> list[str]:
        """What rang, in the order of streams."""
        return [
            msgspec.json.decode(event.data)["name"]
            for stream in sorted(self.store._streams)
            for commit in self.store.stream(stream)
            for event in commit.events
        ]


def test_it_fires_after_the_instant_and_not_at_it() -> None:
    alarms = Alarms(tea=NOON)
    assert alarms.run() == 0
    alarms.clock.set(NOON + MICROSECOND)
    assert alarms.run() == 1
    assert alarms.rang() == ["tea"]


def test_it_fires_once_though_the_read_model_lags() -> None:
    alarms = Alarms(tea=NOON)
    for _ in range(5):
        alarms.clock.advance(LOOK)
        alarms.run()
    assert alarms.rang() == ["tea"]
    [commit] = alarms.store.stream("alarm/tea")
    assert (commit.actor, commit.role, commit.command) == ("policy:alarms", "policy", "timer.alarms:tea")


def test_a_restart_at_any_moment_neither_forgets_nor_repeats() -> None:
    alarms = Alarms(tea=NOON, dinner=NOON + timedelta(hours=6))
    alarms.clock.advance(timedelta(hours=1))
    alarms.run()
    alarms.restart()
    alarms.run()
    assert alarms.rang() == ["tea"]
    alarms.clock.advance(timedelta(hours=6))
    alarms.restart()
    alarms.run()
    assert alarms.rang() == ["dinner", "tea"]


def test_a_clock_that_is_put_back_and_on_repeats_nothing() -> None:
    alarms = Alarms(tea=NOON)
    for moved in (timedelta(hours=1), timedelta(hours=-2), timedelta(hours=3), timedelta(days=-900)):
        alarms.clock.advance(moved)
        alarms.run()
    assert alarms.rang() == ["tea"]


def test_after_a_clock_was_put_back_it_still_looks() -> None:
    alarms = Alarms(tea=NOON)
    alarms.clock.set(NOON + timedelta(days=1))
    alarms.told = {"tea"}
    alarms.run()
    alarms.told, alarms.alarms = set(), {"tea": NOON - timedelta(days=2)}
    alarms.clock.set(NOON - timedelta(days=1))
    assert alarms.run() == 1


def test_two_processes_fire_it_once_together() -> None:
    alarms = Alarms(tea=NOON)
    alarms.clock.advance(LOOK)
    twin = TimerRunner(Timer("alarms", alarms.find), alarms.clock)
    assert alarms.run() + alarms.run(twin) == 1
    assert alarms.rang() == ["tea"]


def test_idle_it_looks_at_most_once_a_second() -> None:
    alarms = Alarms()
    for _ in range(20):
        alarms.runner.step()
    assert alarms.looks == 1
    alarms.clock.advance(LOOK)
    alarms.runner.step()
    assert alarms.looks == 2


def test_more_than_a_batch_is_dealt_with_step_by_step() -> None:
    alarms = Alarms(**{f"a{n}": NOON for n in range(5)})
    alarms.clock.advance(LOOK)
    assert alarms.runner.step() == 2
    alarms.told = set(alarms.rang())
    assert alarms.runner.step() == 2


def test_one_that_fails_keeps_no_other_back_and_is_tried_again_later() -> None:
    alarms = Alarms(a=NOON, b=NOON, c=NOON, d=NOON)
    alarms.broken = {"a", "b"}
    for _ in range(3):
        alarms.clock.advance(LOOK)
        alarms.run()
        alarms.told = set(alarms.rang())
    assert alarms.rang() == ["c", "d"]
    alarms.broken = set()
    alarms.clock.advance(timedelta(minutes=5))
    alarms.run()
    assert alarms.rang() == ["a", "b", "c", "d"]


def test_with_the_store_away_the_step_says_so_and_the_next_begins_again() -> None:
    alarms = Alarms(tea=NOON)
    alarms.clock.advance(LOOK)
    alarms.away = True
    with pytest.raises(NotNow):
        alarms.runner.step()
    alarms.away = False
    assert alarms.run() == 1


def test_what_turns_out_not_to_be_due_any_more_does_nothing() -> None:
    alarms = Alarms(tea=NOON)
    alarms.clock.advance(LOOK)

    def act(command: Command) -> Outcome:
        return alarms.handler.execute(command, "alarm/tea", "c", ALARMS, lambda _: [])

    def find(_now: datetime, _limit: int) -> Found:
        return Found([Due(key="tea", act=act)])

    assert TimerRunner(Timer("alarms", find), alarms.clock).step() == 0
    assert alarms.rang() == []
