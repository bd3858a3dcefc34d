"""Guarantees: "A rebuild equals live, byte for byte; while it runs readers see only the old or the new; it is swapped
in by one document; a crash at any point of it is made good; a newer version is built beside the old one; what was
replaced is removed after a while." """

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from pymongo import MongoClient

from shared.eventsourcing.clock import ManualClock
from shared.eventsourcing.errors import NotNow, StaleDocument
from shared.eventsourcing.generations import GRACE, ProjectionRunner, Reader
from shared.eventsourcing.memory import MemoryDocuments
from shared.eventsourcing.mongo import MongoDocuments
from shared.eventsourcing.projector import Projection, View
from shared.eventsourcing.records import Envelope, canonical
from tests.support.at_rest import check_rows, folded, opened, rows
from tests.support.faults import Call, Crash, Fault, Intercepted, Interceptor, OneFault
from tests.support.interleaving import Pausable, explore
from tests.support.kernel import START
from tests.support.logs import event_logs
from tests.support.toys import CODEC, TEAMS, TOTALS, Entered, Left, Paid, Played, Seated, Team, log_of, projection

pytestmark = pytest.mark.over("memory", "kafka")

LOGS = [
    log_of("entry", Entered("t1", 5), Entered("t2", 7), Left("t1")),
    log_of("table", Seated("t1"), Played("t1", 10), Played("t2", 20)),
    log_of("purse", Paid("t1", 1000)),
]
EXPECTED = folded(projection(), CODEC, LOGS)


class Site:
    """One service's projection on one store; runners come and go."""

    def __init__(self) -> None:
        self.logs = event_logs()
        self.log = self.logs("board")
        self.documents = MemoryDocuments()
        self.clock = ManualClock(START)
        for entries in LOGS:
            self.log.publish(entries)

    def runner(self, interceptor: Interceptor | None = None, board: Projection | None = None) -> ProjectionRunner:
        log, documents = (
            Intercepted(name, port, interceptor) if interceptor else port
            for name, port in (("log", self.log), ("documents", self.documents))
        )
        return ProjectionRunner(board or projection(), documents, log, CODEC, self.clock)  # type: ignore[arg-type]

    def reader(self, board: Projection | None = None) -> Reader:
        return Reader(board or projection(), self.documents)

    def collections(self) -> set[str]:
        return {name for name, stored in self.documents._collections.items() if stored}

    def check(self, runner: ProjectionRunner) -> None:
        """The live generation is right, and nothing of others is left."""
        live = runner.pointer().live
        check_rows(rows(runner.projection, live, self.documents), EXPECTED)
        left = {name for name in self.collections() if name.startswith("board.")}
        assert left == {f"board.{live}.teams", f"board.{live}.totals"}
        consumers = {d["consumer"] for d in self.documents.find("checkpoints", {})}
        assert consumers == {f"board.{live}"}
        assert self.logs.groups() == {f"board.{live}"}


def run(runner: ProjectionRunner) -> None:
    while runner.step():
        pass


@pytest.fixture
def site() -> Site:
    return Site()


def test_the_first_start_builds_the_first_generation(site: Site) -> None:
    runner = site.runner()
    run(runner)
    pointer = runner.pointer()
    assert (pointer.live, pointer.live_version, pointer.building, pointer.retired) == (1, 1, 0, 0)
    site.check(runner)


def test_a_rebuild_equals_live_byte_for_byte_and_row_by_row(site: Site) -> None:
    runner = site.runner()
    run(runner)
    assert runner.rebuild() == 2
    assert runner.rebuild() == 2, "one rebuild at a time"
    run(runner)
    assert runner.pointer().live == 2
    assert runner.digest(2) == runner.digest(1)
    check_rows(rows(runner.projection, 2, site.documents), rows(runner.projection, 1, site.documents))
    check_rows(rows(runner.projection, 2, site.documents), EXPECTED)


def test_over_the_embedded_store_a_rebuild_has_the_same_bytes_and_leaves_no_collection(
    site: Site, mongo: MongoClient[dict[str, Any]], database_prefix: str
) -> None:
    """Each step by a process that has just started, so nothing is left because one remembered it."""
    run(site.runner())
    in_memory = site.runner().digest(1)
    database = mongo[f"{database_prefix}board"]
    site.log.forget("board.1")
    site.documents = MongoDocuments(database)  # type: ignore[assignment]
    run(site.runner())
    site.runner().rebuild()
    while site.runner().step():
        pass
    assert site.runner().digest(1) == site.runner().digest(2) == in_memory
    site.clock.advance(GRACE)
    while site.runner().step():
        pass
    left = {name for name in database.list_collection_names() if name.startswith("board.")}
    assert left == {"board.2.teams", "board.2.totals"}
    assert database["checkpoints"].count_documents({"consumer": "board.1"}) == 0


def test_the_digest_tells_a_single_changed_row(site: Site) -> None:
    runner = site.runner()
    run(runner)
    before = runner.digest(1)
    row = site.documents.find("board.1.teams", {})[0]
    changed = canonical(opened(row) | {"paid": opened(row)["paid"] + 1})
    site.documents.put("board.1.teams", [(row["revision"], row | {"row": changed})])
    assert runner.digest(1) != before
    assert before[1] == len(EXPECTED)


def test_a_poll_that_gives_nothing_is_not_the_end_of_the_log(site: Site) -> None:
    """A log over a network gives nothing at first; swapped in then, the new generation would be empty."""
    run(site.runner())
    mute = 2

    def hesitate(call: Call) -> Any:
        nonlocal mute
        if call.method == "poll" and mute:
            mute -= 1
            return []
        return call.proceed()

    runner = site.runner(hesitate)
    runner.rebuild()
    runner.step()
    assert mute == 0
    assert (runner.pointer().live, runner.pointer().building) == (1, 2)
    run(runner)
    assert runner.digest(runner.pointer().live) == runner.digest(1)


def test_events_that_come_during_a_rebuild_are_in_both(site: Site) -> None:
    runner = site.runner()
    run(runner)
    runner.rebuild()
    runner.consumer(2).step()
    site.log.publish(log_of("entry", Entered("t1", 5), Entered("t2", 7), Left("t1"), Entered("t3", 9))[3:])
    run(runner)
    assert runner.pointer().live == 2
    assert runner.digest(1) == runner.digest(2)
    assert site.reader().get(TEAMS, "c/t3") is not None


def test_a_replaced_generation_is_removed_after_its_grace(site: Site) -> None:
    runner = site.runner()
    run(runner)
    runner.rebuild()
    run(runner)
    site.clock.advance(GRACE - timedelta(microseconds=1))
    runner.step()
    assert "board.1.teams" in site.collections()
    site.clock.advance(timedelta(microseconds=1))
    run(runner)
    site.check(runner)
    assert runner.pointer().views == {"2": ["teams", "totals"]}


def test_a_rebuild_within_the_grace_of_the_last_one_leaves_nothing(site: Site) -> None:
    runner = site.runner()
    run(runner)
    for _ in range(3):
        runner.rebuild()
        run(runner)
    site.clock.advance(GRACE)
    run(runner)
    assert runner.pointer().live == 4
    site.check(runner)


@pytest.mark.over("memory")
@pytest.mark.parametrize("fault", Fault)
def test_a_fault_at_any_point_of_a_rebuild_is_made_good(fault: Fault) -> None:
    """First start, rebuild, swap and removal: every call fails once; a new process goes on from there."""
    at, struck = 0, 0
    while True:
        site, faults = Site(), OneFault(at, fault)
        runner, asked = site.runner(faults), False
        for _ in range(40):
            try:
                if runner.pointer().live == 1 and not asked:
                    runner.rebuild()
                    asked = True
                runner.step()
            except NotNow:
                pass
            except Crash:
                runner = site.runner(faults)
            if asked and site.runner().pointer().building == 0:
                site.clock.advance(GRACE / 4)
        runner = site.runner()
        assert runner.pointer().live == 2, f"{fault} at {at}"
        run(runner)
        site.check(runner)
        struck += faults.struck
        if at >= len(faults.calls):
            break
        at += 1
    assert struck > (2 if fault in (Fault.CRASH_MIDWAY, Fault.TORN) else 20)


class TeamV2(Team, kw_only=True):
    """The row as a newer version has it."""

    total: int = 0


def newer(version: int = 2) -> tuple[Projection, View[TeamV2]]:
    """The board with another row, and without its second view."""
    teams = View("teams", TeamV2)

    @teams.on(Played, lambda event, at: [f"{at.competition}/{event.team}"])
    def _(row: TeamV2, event: Played, _at: Envelope) -> None:
        row.total += event.points

    return Projection("board", version, ["table"], [teams]), teams


OLD = {"c/t1": [10], "c/t2": [20]}


def test_readers_see_only_the_old_or_the_new_at_every_call_of_a_rebuild() -> None:
    """Readers of the old code and of the new look between any two calls of the builder. What they find is whole."""
    site = Site()
    run(site.runner())
    board, teams = newer()
    task = Pausable()
    runner = site.runner(task, board)
    seen, looks = list[int](), 0
    for _ in range(8):
        task.begin(runner.step)
        while True:
            live = site.reader().live()
            if live == 1:
                found = site.reader().many(TEAMS, ["c/t1", "c/t2"])
                assert {id: row.points for id, row in found.items()} == OLD
                assert len(site.reader().find(TOTALS, {})) == 1
            else:
                new = site.reader(board).find(teams, {})
                assert {row.id: row.total for row in new} == {"c/t1": 10, "c/t2": 20}
            seen.append(live)
            looks += 1
            if not task.running:
                break
            task.advance()
        assert task.error is None
    assert sorted(seen) == seen, "back to the old after the new"
    assert set(seen) == {1, 2}
    assert looks > 20


def test_a_newer_version_is_built_beside_the_old_and_swapped_in(site: Site) -> None:
    run(site.runner())
    board, teams = newer()
    runner = site.runner(board=board)
    run(runner)
    pointer = runner.pointer()
    assert (pointer.live, pointer.live_version, pointer.retired) == (2, 2, 1)
    assert {row.id: row.total for row in site.reader(board).find(teams, {})} == {"c/t1": 10, "c/t2": 20}
    site.clock.advance(GRACE)
    run(runner)
    assert {c for c in site.collections() if c.startswith("board.")} == {"board.2.teams"}, "a view is left behind"


def test_older_code_beside_newer_code_goes_on_until_the_swap_and_then_rests(site: Site) -> None:
    """Two releases run at once while servers are replaced. The older must not build its version over the newer."""
    old = site.runner()
    run(old)
    new = site.runner(board=newer()[0])
    new._begin(new.pointer())
    site.log.publish(log_of("entry", Entered("t1", 5), Entered("t2", 7), Left("t1"), Entered("t3", 9))[3:])
    run(old)
    assert site.reader().get(TEAMS, "c/t3") is not None, "the live generation stands still"
    run(new)
    assert new.pointer().live_version == 2
    assert old.step() == old.step() == 0
    assert (new.pointer().live, new.pointer().building) == (2, 0)


def test_a_rebuild_begun_by_an_older_version_is_given_up_for_a_newer(site: Site) -> None:
    """A release is replaced while its rebuild runs. Nobody would go on with that rebuild."""
    run(site.runner())
    second = site.runner(board=newer(2)[0])
    second._begin(second.pointer())
    second.consumer(2).step()
    board, teams = newer(3)
    third = site.runner(board=board)
    run(third)
    pointer = third.pointer()
    assert (pointer.live, pointer.live_version, pointer.building) == (3, 3, 0)
    assert second.step() == 0
    site.clock.advance(2 * GRACE)
    run(third)
    assert {c for c in site.collections() if c.startswith("board.")} == {"board.3.teams"}
    assert len(site.reader(board).find(teams, {})) == 2


def failing(version: int) -> Projection:
    """A version whose fold fails at what the first one could fold."""
    teams = View("teams", Team)

    @teams.on(Played, lambda event, at: [event.team])
    def _(row: Team, event: Played, _at: Envelope) -> None:
        raise ValueError("a mistake in the new release")

    return Projection("board", version, ["table"], [teams])


def test_a_rebuild_that_leaves_an_event_out_is_not_swapped_in(site: Site) -> None:
    """ "A rebuild that skips a failing event has failed": the old stays, the old release can go on, and what is held
    can be seen."""
    old = site.runner()
    run(old)
    new = site.runner(board=failing(2))
    for _ in range(20):
        new.step()
        site.clock.advance(timedelta(days=1))
    assert (new.pointer().live, new.pointer().building) == (1, 2)
    assert [e["competition"] for held in new.held_by_all() for e in held.entries()] == ["c"]
    assert old.step() == 0
    fixed, teams = newer(3)
    run(site.runner(board=fixed))
    assert site.reader(fixed).live() == 3
    assert len(site.reader(fixed).find(teams, {})) == 2


def test_a_rebuild_is_swapped_in_that_holds_no_more_than_live_does(site: Site) -> None:
    """One poisoned competition does not stop all rebuilds for ever."""
    runner = site.runner(board=failing(1))
    for _ in range(5):
        runner.step()
    assert runner.pointer().live == 1
    runner.rebuild()
    for _ in range(5):
        runner.step()
    assert runner.pointer().live == 2
    assert len(runner.held().entries()) == 1


@pytest.mark.over("memory")
def test_two_runners_build_one_rebuild() -> None:
    """Two processes step one projection: every interleaving of two steps with two switches, from every step on."""

    def scenario_from(steps: int) -> Callable[[Callable[..., None]], None]:
        def scenario(drive: Callable[..., None]) -> None:
            site = Site()
            tasks = [Pausable(), Pausable()]
            runners = [site.runner(task) for task in tasks]
            first = site.runner()
            run(first)
            first.rebuild()
            for _ in range(steps):
                first.step()
            site.log.publish(log_of("purse", Paid("t1", 1000), Paid("t2", 5))[1:])
            for runner, task in zip(runners, tasks, strict=True):
                task.begin(runner.step)
            drive(*tasks)
            assert all(t.error is None or isinstance(t.error, NotNow) for t in tasks), [t.error for t in tasks]
            last = site.runner()
            run(last)
            site.clock.advance(GRACE)
            run(last)
            assert last.pointer().live == 2
            logs = [*LOGS[:2], log_of("purse", Paid("t1", 1000), Paid("t2", 5))]
            check_rows(rows(last.projection, 2, site.documents), folded(last.projection, CODEC, logs))

        return scenario

    for steps in (0, 1, 2):
        assert explore(scenario_from(steps), preemptions=1) > 20


def test_a_pointer_changed_by_another_process_is_not_overwritten(site: Site) -> None:
    one, two = site.runner(), site.runner()
    first, second = one.pointer(), two.pointer()
    one._begin(first)
    with pytest.raises(StaleDocument):
        two._begin(second)


def test_read_your_writes_waits_for_the_live_generation(site: Site) -> None:
    reader = site.reader()
    assert reader.version("entry", "entry-s") == 0
    run(site.runner())
    assert reader.version("entry", "entry-s") == 3
    assert reader.version("entry", "another") == 0
