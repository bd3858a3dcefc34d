"""Guarantees: "The relay is woken by the append; a part whose step fails goes on when it can"; and reads that wait
for what was written."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest

from shared.eventsourcing import generations
from shared.eventsourcing.errors import StoreUnavailable
from shared.eventsourcing.relay import LEASE
from shared.eventsourcing.workers import Worker, Workers, poll_until
from tests.support.at_rest import check_world
from tests.support.faults import Call, Intercepted
from tests.support.kernel import World
from tests.support.toys import TEAMS, Played, append, command, enter, play, world
from tests.support.waiting import PATIENCE, wait_for


class Failing:
    """A step that fails so many times and then works."""

    def __init__(self, times: int) -> None:
        self.left = times
        self.calls = 0

    def __call__(self) -> int:
        self.calls += 1
        if self.left:
            self.left -= 1
            raise StoreUnavailable("away")
        return 0


@pytest.fixture
def run() -> Iterator[Callable[[Worker], Worker]]:
    started: list[Worker] = []

    def start(worker: Worker) -> Worker:
        worker.start()
        started.append(worker)
        return worker

    yield start
    for worker in started:
        worker.end()
        worker.join(PATIENCE)
        assert not worker.is_alive()


def test_a_worker_whose_step_fails_says_so_and_goes_on(run: Callable[[Worker], Worker]) -> None:
    step = Failing(2)
    worker = run(Worker("w", step))
    wait_for(lambda: worker.error == "StoreUnavailable: away")
    wait_for(lambda: worker.error == "")
    assert step.calls >= 3


def test_a_worker_works_on_while_there_is_work(run: Callable[[Worker], Worker]) -> None:
    left = iter(range(50, -1, -1))
    done = threading.Event()

    def step() -> int:
        worked = next(left, 0)
        if not worked:
            done.set()
        return worked

    run(Worker("w", step, poll=2 * PATIENCE))
    assert done.wait(PATIENCE), "it waited to be woken between two steps that worked"


@pytest.mark.over("memory", "kafka")
def test_workers_carry_a_command_through_all_services() -> None:
    made = world()
    workers = Workers(made.engines.values())
    workers.start()
    try:
        enter(made.engines["entry"].commands, command("e"), "c", "t1")
        play(made.engines["table"].commands, command("p"), "c", "t1", [5])
        wait_for(lambda: (row := made.engines["purse"].reader.get(TEAMS, "c/t1")) is not None and row.paid == 500)
        assert workers.errors() == {}
    finally:
        workers.stop()
    assert not any(worker.is_alive() for worker in workers.all)
    made.settle()
    check_world(made)


@pytest.mark.over("memory", "kafka")
def test_an_append_wakes_its_own_relay_and_a_publication_who_follows_the_topic() -> None:
    made = world()
    workers = Workers(made.engines.values())  # not started: what woke them stays to be seen

    def woken() -> set[str]:
        return {worker.name for worker in workers.all if worker._wake.is_set()}

    enter(made.engines["entry"].commands, command("e"), "c", "t1")
    assert woken() == {"entry.relay"}
    made.engines["entry"].relay.step()
    followers = {name for engine in made.engines.values() for name in engine.followers("entry")}
    assert woken() == {"entry.relay", *followers}
    assert len(followers) < len(workers.all) - 3, "some follow another topic"


@pytest.fixture
def made() -> World:
    return world()


@pytest.mark.over("memory", "kafka")
def test_a_read_waits_until_the_version_written_is_there(made: World) -> None:
    engine = made.engines["entry"]
    outcome = enter(engine.commands, command("e"), "c", "t1")
    assert not engine.await_version("entry", outcome.stream, outcome.version, 0.1)
    made.settle()
    assert engine.await_version("entry", outcome.stream, outcome.version, 0.1)
    assert not engine.await_version("entry", outcome.stream, outcome.version + 1, 0.1)


def test_a_service_that_is_not_followed_is_not_waited_for(made: World) -> None:
    assert made.engines["entry"].await_version("purse", "purse-c", 99, 0.1)


def test_waiting_is_bounded_and_ends_at_once_when_it_may() -> None:
    asked: list[int] = []
    assert poll_until(lambda: asked.append(1) is None, 60)
    assert not poll_until(lambda: False, 0.02)
    assert asked == [1]


@pytest.mark.over("memory", "kafka")
def test_lag_is_told_while_the_projection_is_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generations, "BATCH", 200)
    made = world()
    runner = made.engines["table"].projection
    made.settle()
    assert runner.lag() == 0
    for n in range(500):
        append(made.engines["table"].commands, f"k{n}", "table-c", Played("t", 5))
    made.engines["table"].relay.step()
    runner.step()
    behind = runner.lag()
    assert 0 < behind < 500

    def away(call: Call) -> Any:
        raise StoreUnavailable(str(call))

    made.interceptor, before = away, made.interceptor
    with pytest.raises(StoreUnavailable):
        runner.step()
    made.interceptor = before
    assert runner.lag() == behind, "a step that failed is no news"


@pytest.mark.over("memory", "kafka")
def test_a_service_without_its_store_does_not_stop_another() -> None:
    made = world()
    table = made.services["table"]
    enter(made.engines["entry"].commands, command("e"), "c", "t1")

    def away(call: Call) -> Any:
        raise StoreUnavailable(str(call))

    ports = made.ports("table")
    ports.commits = Intercepted("commits", table.commits, away)
    made.engines["table"].relay._commits = ports.commits
    for _ in range(4):
        made.engines["entry"].relay.step()
        made.engines["entry"].projection.step()
    assert made.engines["entry"].reader.get(TEAMS, "c/t1") is not None
    made.start("table")
    made.clock.advance(LEASE + timedelta(seconds=1))
    made.settle()
    check_world(made)
