"""Guarantees: "No version of a stream is lost or doubled, whoever writes at once: losers are retried, then told
(409)." "A command id has one outcome: sent twice, even at once, one commit and the same answer; with another body
422. A refused command is decided again." """

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from pymongo import MongoClient

from shared.eventsourcing.errors import (
    CommandReused,
    Contended,
    OutcomeUnknown,
    StoreUnavailable,
    StreamDamaged,
    VersionMismatch,
)
from shared.eventsourcing.handling import TRIES, CommandHandler, Folded, Loaded, Outcome
from shared.eventsourcing.memory import MemoryCommits
from shared.eventsourcing.mongo import MongoCommits
from shared.eventsourcing.ports import CommitStore
from shared.eventsourcing.records import Commit, Recorded, commit_hash
from tests.support.at_rest import check_streams
from tests.support.faults import Call, Fault, Intercepted, Interceptor, OneFault, PlannedFaults
from tests.support.interleaving import Pausable, explore
from tests.support.kernel import START
from tests.support.toys import (
    CODEC,
    MODEL,
    Count,
    Entered,
    Left,
    Played,
    Refused,
    append,
    command,
    commit,
    enter,
    leave,
)


@pytest.fixture(params=["memory", "embedded store"])
def store(request: pytest.FixtureRequest) -> CommitStore:
    if request.param == "memory":
        return MemoryCommits()
    mongo: MongoClient[dict[str, Any]] = request.getfixturevalue("mongo")
    return MongoCommits(mongo[request.getfixturevalue("database_prefix") + "entry"])


@pytest.fixture
def handler(store: CommitStore) -> CommandHandler:
    return CommandHandler("entry", store, CODEC)


def through(store: CommitStore, *interceptors: Interceptor) -> CommandHandler:
    wrapped: Any = store
    for interceptor in interceptors:
        wrapped = Intercepted("commits", wrapped, interceptor)
    return CommandHandler("entry", wrapped, CODEC)


def counted(handler: CommandHandler) -> int:
    return len(handler.load("s", MODEL).state.events)


# --- many writers ------------------------------------------------------------------------------------------------


def test_eight_writers_lose_and_double_no_version(store: CommitStore) -> None:
    """Each writer's fact says how many facts it saw; a lost race that was not decided anew would repeat a number."""
    told: list[Contended] = []

    def write(writer: int) -> None:
        handler = CommandHandler("entry", store, CODEC)  # one for each, as in as many processes
        for n in range(6):
            order = command(f"{writer}-{n}", actor=f"w{writer}")
            while True:
                try:
                    handler.execute(order, "s", "c", MODEL, lambda state: [Played("t", len(state.events))])
                    break
                except Contended as contended:
                    told.append(contended)

    threads = [threading.Thread(target=write, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    commits = store.stream("s")
    check_streams(commits)
    assert {c.command for c in commits} == {f"{w}-{n}" for w in range(8) for n in range(6)}
    events = CommandHandler("entry", store, CODEC).load("s", MODEL).state.events
    assert [event.points for event in events] == list(range(48))


class Rival:
    """Takes the place in the stream before each append, so many times."""

    def __init__(self, store: CommitStore, times: int) -> None:
        self.store = store
        self.left = times

    def __call__(self, call: Call) -> Any:
        if call.method == "append" and self.left:
            self.left -= 1
            append(CommandHandler("entry", self.store, CODEC), f"rival-{self.left}", "s", Played("rival", 0))
        return call.proceed()


def test_a_lost_race_is_decided_anew_on_what_the_winner_left(store: CommitStore) -> None:
    handler = through(store, Rival(store, TRIES - 1))
    outcome = handler.execute(command("k"), "s", "c", MODEL, lambda state: [Played("t", len(state.events))])
    assert outcome == Outcome("s", TRIES, (Played("t", TRIES - 1),))


def test_a_race_lost_again_and_again_is_told_and_leaves_nothing(store: CommitStore) -> None:
    handler = through(store, Rival(store, TRIES))
    with pytest.raises(Contended) as told:
        append(handler, "k", "s", Played("t", 1))
    assert (told.value.stream, told.value.tries) == ("s", TRIES)
    assert store.command("leader", "k") is None
    assert append(handler, "k", "s", Played("t", 1)).version == TRIES + 1, "asked again, it is done"


def test_an_expected_version_that_no_longer_holds_is_told(handler: CommandHandler) -> None:
    append(handler, "a", "s", Played("t", 1))
    with pytest.raises(VersionMismatch) as told:
        append(handler, command("b", expected=0), "s", Played("t", 2))
    assert (told.value.expected, told.value.actual) == (0, 1)
    assert append(handler, command("b", expected=1), "s", Played("t", 2)).version == 2


def test_an_expected_version_lost_in_a_race_is_told(store: CommitStore) -> None:
    with pytest.raises(VersionMismatch):
        append(through(store, Rival(store, 1)), command("k", expected=0), "s", Played("t", 1))


# --- one command id ----------------------------------------------------------------------------------------------


def test_a_command_sent_again_answers_as_the_first_time(handler: CommandHandler) -> None:
    first = append(handler, "k", "s", Played("t", 1), Played("t", 2))
    append(handler, "other", "s", Played("t", 3))
    again = append(handler, "k", "s", Played("t", 9))
    assert (again.stream, again.version, again.events) == (first.stream, first.version, first.events)
    assert (first.replayed, again.replayed) == (False, True)
    assert counted(handler) == 3


def test_a_command_id_with_another_body_is_refused(handler: CommandHandler) -> None:
    append(handler, command("k", body="one"), "s", Played("t", 1))
    with pytest.raises(CommandReused):
        append(handler, command("k", body="two"), "s", Played("t", 2))
    with pytest.raises(CommandReused):
        append(handler, command("k", body="two"), "another stream", Played("t", 2))
    assert counted(handler) == 1


def test_the_same_id_of_another_actor_is_another_command(handler: CommandHandler) -> None:
    append(handler, command("k", actor="a"), "s", Played("t", 1))
    assert not append(handler, command("k", actor="b", body="other"), "s", Played("t", 2)).replayed


def test_a_refused_command_is_decided_again(handler: CommandHandler) -> None:
    with pytest.raises(Refused):
        leave(handler, command("k"), "c", "t")
    enter(handler, command("e"), "c", "t")
    assert leave(handler, command("k"), "c", "t").events == (Left("t"),)


def test_a_decision_for_nothing_is_not_remembered(handler: CommandHandler) -> None:
    assert append(handler, "k", "s") == Outcome("s", 0, ())
    assert append(handler, command("k", body="another"), "s", Played("t", 1)) == Outcome("s", 1, (Played("t", 1),))


Ask = Callable[[CommandHandler], Outcome]
ASKED: dict[str, Ask] = {
    "refused once it is done": lambda h: enter(h, command("k"), "c", "t"),
    "nothing to do once it is done": lambda h: h.execute(
        command("k"), "s", "c", MODEL, lambda state: [] if state.events else [Entered("t", 5)]
    ),
    "another version once it is done": lambda h: append(h, command("k", expected=0), "s", Entered("t", 5)),
    "always possible": lambda h: append(h, "k", "s", Entered("t", 5)),
}


@pytest.mark.parametrize("case", ASKED)
def test_sent_twice_at_once_it_is_done_once_and_both_get_the_first_answer(case: str) -> None:
    """Every interleaving of the two deliveries' calls to the store."""

    def scenario(drive: Callable[..., None]) -> None:
        store = MemoryCommits()
        answers: list[Outcome] = []
        tasks = [Pausable(), Pausable()]
        for task in tasks:
            handler = through(store, task)
            task.begin(lambda handler=handler: answers.append(ASKED[case](handler)))  # type: ignore[misc]
        drive(*tasks)
        assert [task.error for task in tasks] == [None, None]
        assert [(a.version, a.events) for a in answers] == [(1, (Entered("t", 5),))] * 2
        assert sorted(a.replayed for a in answers) == [False, True]
        assert len(store._commands) == 1

    assert explore(scenario) >= 6, "each reads and appends: six ways to lie between one another"


def test_sent_twice_at_once_with_two_bodies_one_is_done_and_the_other_refused() -> None:
    def scenario(drive: Callable[..., None]) -> None:
        store = MemoryCommits()
        answers: list[Outcome] = []
        tasks = [Pausable(), Pausable()]
        for n, task in enumerate(tasks):
            order = command("k", body=f"body {n}")
            handler = through(store, task)
            task.begin(
                lambda handler=handler, order=order, n=n: answers.append(
                    append(handler, order, f"s{n}", Played("t", n))
                )  # type: ignore[misc]
            )
        drive(*tasks)
        assert len(answers) == 1
        assert [type(task.error) for task in tasks if task.error] == [CommandReused]
        assert len(store._commands) == 1

    assert explore(scenario) >= 6, "each reads and appends: six ways to lie between one another"


def test_sent_twice_at_once_over_the_embedded_store(mongo: MongoClient[dict[str, Any]], database_prefix: str) -> None:
    store = MongoCommits(mongo[f"{database_prefix}entry"])
    for n in range(10):
        answers: list[Outcome] = []
        ready = threading.Barrier(2)

        def send(n: int = n, answers: list[Outcome] = answers, ready: threading.Barrier = ready) -> None:
            ready.wait()
            answers.append(enter(CommandHandler("entry", store, CODEC), command(f"k{n}"), "c", f"t{n}"))

        threads = [threading.Thread(target=send) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [(a.version, a.events) for a in answers] == [(1, (Entered(f"t{n}", 5),))] * 2
        assert len(store.stream(f"entry-c-t{n}")) == 1


# --- faults between all calls ------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", Fault)
def test_a_fault_at_any_call_leaves_one_commit_after_the_same_is_asked_again(fault: Fault) -> None:
    """ "Nothing half-written": the caller is answered or asks again, and the command is done once."""
    struck = 0
    for at in range(6):
        store, faults = MemoryCommits(), OneFault(at, fault)
        append(CommandHandler("entry", store, CODEC), "before", "s", Played("t", 0))
        try:
            outcome = append(through(store, faults), "k", "s", Played("t", 1), Played("t", 2))
        except BaseException:
            outcome = append(CommandHandler("entry", store, CODEC), "k", "s", Played("t", 1), Played("t", 2))
        struck += faults.struck
        assert (outcome.version, outcome.events) == (3, (Played("t", 1), Played("t", 2)))
        assert [c.command for c in store.stream("s")] == ["before", "k"]
        check_streams(store.stream("s"))
    assert struck == (0 if fault is Fault.CRASH_MIDWAY or fault is Fault.TORN else 2 if not_a_write(fault) else 1)


def not_a_write(fault: Fault) -> bool:
    return fault in (Fault.CRASH_BEFORE, Fault.UNAVAILABLE)


@pytest.mark.parametrize("fault", [Fault.LOST, Fault.LANDED])
def test_an_unknown_outcome_is_looked_up_before_anything_is_tried_again(fault: Fault) -> None:
    store, faults = MemoryCommits(), OneFault(1, fault)
    outcome = append(through(store, faults), "k", "s", Played("t", 1))
    assert [str(call) for call in faults.calls[1:3]] == ["commits.append", "commits.command"]
    assert (outcome.version, outcome.replayed) == (1, fault is Fault.LANDED)


def test_an_outcome_that_stays_unknown_is_told_as_such() -> None:
    def lose(call: Call) -> Any:
        if call.method == "append":
            raise OutcomeUnknown("no answer")
        return call.proceed()

    with pytest.raises(OutcomeUnknown):
        append(through(MemoryCommits(), lose), "k", "s", Played("t", 1))


def test_a_store_that_is_away_while_a_refusal_is_looked_into_is_told() -> None:
    """The refusal may come of the command's own success, so without the store it is no answer."""
    faults = OneFault(1, Fault.UNAVAILABLE)
    with pytest.raises(StoreUnavailable):
        leave(through(MemoryCommits(), faults), command("k"), "c", "t")


# --- what is written ---------------------------------------------------------------------------------------------


def test_a_commit_says_who_when_why_and_links_to_the_one_before(handler: CommandHandler, store: CommitStore) -> None:
    append(handler, command("a", received_at=START), "s", Played("t", 1))
    append(handler, command("b", causation="entry:x@1", received_at=START + timedelta(microseconds=1)), "s", Left("t"))
    first, second = store.stream("s")
    assert (first.causation, second.causation) == ("command:a", "entry:x@1")
    assert (first.role, first.correlation, second.received_at) == ("leader", "a", START + timedelta(microseconds=1))
    assert second.previous_hash == first.hash == commit_hash(first)
    assert first.hash != commit_hash(second) == second.hash


def test_a_stream_with_a_missing_or_foreign_commit_decides_nothing() -> None:
    for damage in (commit("s", 3), commit("s", 2, previous_hash="f" * 64)):
        store = MemoryCommits()
        store.append(commit("s", 1))
        store.append(damage)
        with pytest.raises(StreamDamaged):
            append(CommandHandler("entry", store, CODEC), "k", "s", Played("t", 1))


ALTERED: dict[str, dict[str, Any]] = {
    "a fact": {"events": (Recorded("Played", 1, b'{"points":2,"team":"t"}'),)},
    "a byte": {"events": (Recorded("Played", 1, b'{"points":1,"team":"t"'),)},
    "its type": {"events": (Recorded("Left", 1, b'{"points":1,"team":"t"}'),)},
    "who": {"actor": "another"},
    "when": {"received_at": START + timedelta(microseconds=1)},
    "the key": {"command": "another"},
    "the competition": {"competition": "another"},
    "the hash": {"hash": "f" * 64},
}


@pytest.mark.parametrize("change", ALTERED.values(), ids=ALTERED)
def test_a_commit_that_was_altered_in_the_store_is_noticed_wherever_it_is_read(change: dict[str, Any]) -> None:
    written = MemoryCommits()
    append(CommandHandler("entry", written, CODEC), "k", "s", Played("t", 1))
    altered = MemoryCommits()
    altered.append(msgspec.structs.replace(written.stream("s")[0], **change))
    handler = CommandHandler("entry", altered, CODEC)
    with pytest.raises(StreamDamaged):
        handler.load("s", MODEL)
    with pytest.raises(StreamDamaged):
        handler.history("s")
    with pytest.raises(StreamDamaged):
        append(handler, "k", "s", Played("t", 1))


def test_a_history_with_a_commit_cut_out_is_not_shown() -> None:
    whole = MemoryCommits()
    for key in "abc":
        append(CommandHandler("entry", whole, CODEC), key, "s", Played("t", 1))
    first, _, third = whole.stream("s")
    cut = MemoryCommits()
    cut.append(first)
    cut.append(third)
    with pytest.raises(StreamDamaged):
        CommandHandler("entry", cut, CODEC).history("s")


def test_stamps_grow_with_what_was_read_though_the_clock_goes_back(store: CommitStore) -> None:
    """A decision that read another stream sorts after what it read, whatever the times of receipt are."""
    table, rounds = CommandHandler("match", store, CODEC), CommandHandler("match", store, CODEC)
    append(table, command("hand", received_at=START + timedelta(hours=1)), "table", Played("t", 1))

    def close(_state: Count) -> Sequence[Any]:
        assert rounds.load("table", MODEL).version == 1
        return [Left("t")]

    rounds.execute(command("close", received_at=START), "rounds", "c", MODEL, close)
    assert [c.command for c in store.pending(10)] == ["hand", "close"]


def test_an_event_without_contract_is_not_written(handler: CommandHandler, store: CommitStore) -> None:
    with pytest.raises(KeyError):
        append(handler, "k", "s", Played("t", 1), Refused("no contract"))
    assert store.stream("s") == []


def test_the_relay_is_woken_by_an_append_and_by_nothing_else(handler: CommandHandler) -> None:
    woken: list[int] = []
    handler.on_append = lambda: woken.append(1)
    append(handler, "k", "s", Played("t", 1))
    append(handler, "k", "s", Played("t", 1))
    append(handler, "nothing", "s")
    with pytest.raises(Refused):
        leave(handler, command("r"), "c", "t")
    assert len(woken) == 1


# "A load reads what came since the last one."


class Counting(MemoryCommits):
    """Counts the commits that loads read."""

    def __init__(self) -> None:
        super().__init__()
        self.read = 0

    def stream(self, stream: str, after: int = 0) -> list[Commit]:
        found = super().stream(stream, after)
        self.read += len(found)
        return found


def test_a_command_reads_only_what_came_since_the_last_one() -> None:
    store = Counting()
    handler = CommandHandler("entry", store, CODEC)
    for n in range(50):
        append(handler, f"k{n}", "s", Entered(f"t{n}", 5))
    assert store.read == 0  # a process that is alone with a stream reads it at its first command alone
    assert len(CommandHandler("entry", store, CODEC).load("s", MODEL).state.events) == 50


def test_a_stream_that_is_known_costs_one_call() -> None:
    store, faults = MemoryCommits(), PlannedFaults({})
    handler = through(store, faults)
    append(handler, "k1", "s", Entered("a", 5))
    del faults.calls[:]
    append(handler, "k2", "s", Entered("b", 5))
    assert [str(call) for call in faults.calls] == ["commits.append"]


def test_what_is_known_of_a_stream_and_has_been_overtaken_decides_nothing() -> None:
    """The rival's event makes possible, or impossible, what the stream as it was known would refuse, or allow."""
    store = MemoryCommits()
    here, there = CommandHandler("entry", store, CODEC), CommandHandler("entry", store, CODEC)
    enter(here, command("e"), "c", "t")
    leave(there, command("l"), "c", "t")
    assert enter(here, command("e2"), "c", "t").version == 3, "as known it was entered still"
    leave(there, command("l2"), "c", "t")
    with pytest.raises(Refused):
        leave(here, command("l3"), "c", "t")
    check_streams(store.stream("entry-c-t"))


def test_a_command_sent_again_on_a_known_stream_answers_as_the_first_time() -> None:
    store = MemoryCommits()
    here, there = CommandHandler("entry", store, CODEC), CommandHandler("entry", store, CODEC)
    append(here, "before", "s", Played("t", 0))
    first = append(there, "k", "s", Played("t", 1))
    for handler in (here, there):
        again = append(handler, "k", "s", Played("t", 1))
        assert (again.version, again.events, again.replayed) == (first.version, first.events, True)
        with pytest.raises(CommandReused):
            append(handler, command("k", body="another"), "s", Played("t", 2))
    assert counted(here) == 2


@pytest.mark.parametrize("fault", [Fault.LOST, Fault.LANDED, Fault.UNAVAILABLE])
def test_an_append_on_a_known_stream_that_fails_leaves_one_commit(fault: Fault) -> None:
    store = MemoryCommits()
    faults = OneFault(2, fault)
    handler = through(store, faults)
    append(handler, "before", "s", Played("t", 0))
    outcome = append(handler, "k", "s", Played("t", 1))
    assert (outcome.version, outcome.replayed) == (2, fault is Fault.LANDED)
    assert [c.command for c in store.stream("s")] == ["before", "k"]
    check_streams(store.stream("s"))


def test_what_another_process_appended_is_seen() -> None:
    store = MemoryCommits()
    here, there = CommandHandler("entry", store, CODEC), CommandHandler("entry", store, CODEC)
    append(here, "k1", "s", Entered("a", 5))
    append(there, "k2", "s", Entered("b", 5))
    append(here, "k3", "s", Entered("c", 5))
    assert [e.team for e in there.load("s", MODEL).state.events] == ["a", "b", "c"]


def test_a_stream_that_does_not_follow_what_was_folded_is_folded_anew_or_refused() -> None:
    store = MemoryCommits()
    handler = CommandHandler("entry", store, CODEC)
    append(handler, "k1", "s", Entered("a", 5))
    append(handler, "k2", "s", Entered("b", 5))
    handler.load("s", MODEL)
    first, _ = store.stream("s")
    put_back = CommandHandler("entry", restored := MemoryCommits(), CODEC)
    restored.append(first)
    append(put_back, "k3", "s", Entered("x", 5), Entered("y", 5))
    append(put_back, "k4", "s", Entered("z", 5))
    handler._here.store = restored  # a backup was put in the store's place
    assert [e.team for e in handler.load("s", MODEL).state.events] == ["a", "x", "y", "z"]


def test_the_least_used_streams_are_forgotten_first() -> None:
    folded = Folded(capacity=2)
    for stream in ("a", "b", "c"):
        folded.put(stream, MODEL, Loaded(Count(), 1, "h"))
        folded.get("a", MODEL)
    assert [folded.get(stream, MODEL).version for stream in ("a", "b", "c")] == [1, 0, 1]
