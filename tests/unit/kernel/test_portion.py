"""Commands that are stored together: each decided upon those before it, each a commit of its own, all of them in one
durable write. Where that comes to nothing they are decided again one by one, and nothing is half-written."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from shared.eventsourcing.errors import CommandReused, StoreUnavailable, VersionMismatch
from shared.eventsourcing.handling import CommandHandler, Outcome
from shared.eventsourcing.memory import MemoryCommits
from shared.eventsourcing.records import Commit
from tests.support.at_rest import check_streams
from tests.support.faults import Call, Crash, Fault, Intercepted, OneFault
from tests.support.interleaving import Pausable, explore
from tests.support.toys import CODEC, MODEL, Entered, Left, Played, Refused, append, command, enter, leave

Ask = Callable[[CommandHandler], Outcome]


def played(id: str, stream: str = "s") -> Ask:
    """A command whose event tells how many the stream had before it."""
    return lambda h: h.execute(command(id), stream, "c", MODEL, lambda state: [Played("t", len(state.events))])


def through(store: Any, *interceptors: Any) -> CommandHandler:
    for interceptor in interceptors:
        store = Intercepted("commits", store, interceptor)
    return CommandHandler("entry", store, CODEC)


def together(handler: CommandHandler, asked: Sequence[Ask]) -> list[Outcome | Exception]:
    """What each command was answered, a refusal included. Once the store is away nothing more is tried."""

    def answers() -> list[Outcome | Exception]:
        told: list[Outcome | Exception] = []
        for ask in asked:
            try:
                told.append(ask(handler))
            except StoreUnavailable as away:
                return [*told, *[away] * (len(asked) - len(told))]
            except Exception as error:
                told.append(error)
        return told

    return handler.together(answers)


def everything(store: MemoryCommits) -> list[Commit]:
    return [commit for stream in sorted(store._streams) for commit in store.stream(stream)]


class Calls:
    """Lets all calls pass and counts them."""

    def __init__(self) -> None:
        self.made: list[str] = []

    def __call__(self, call: Call) -> Any:
        self.made.append(call.method)
        return call.proceed()


# --- one write, each decided upon the one before ------------------------------------------------------------------


def test_each_is_a_commit_of_its_own_decided_upon_those_before_it_and_all_are_one_write() -> None:
    store, calls = MemoryCommits(), Calls()
    answers = together(through(store, calls), [played("a"), played("b"), played("x", "other"), played("c")])
    assert answers == [
        Outcome("s", 1, (Played("t", 0),)),
        Outcome("s", 2, (Played("t", 1),)),
        Outcome("other", 1, (Played("t", 0),)),
        Outcome("s", 3, (Played("t", 2),)),
    ]
    assert calls.made.count("append_all") == 1
    assert "append" not in calls.made
    assert [c.command for c in store.stream("s")] == ["a", "b", "c"]
    check_streams(everything(store))
    assert [c.command for c in store.pending(9)] == ["a", "b", "x", "c"], "in the order in which they were decided"


def test_each_stream_is_read_once_and_nothing_is_there_before_the_end() -> None:
    store, calls = MemoryCommits(), Calls()
    handler, reader = through(store, calls), CommandHandler("entry", store, CODEC)
    seen: list[int] = []

    def work() -> None:
        for n in range(3):
            append(handler, f"k{n}", "s", Played("t", n))
            seen.append(reader.load("s", MODEL).version)

    handler.together(work)
    assert seen == [0, 0, 0]
    assert reader.load("s", MODEL).version == 3
    assert calls.made == ["stream", "append_all"]


def test_only_the_thread_itself_is_in_it() -> None:
    store = MemoryCommits()
    handler = CommandHandler("entry", store, CODEC)
    other = threading.Thread(target=lambda: append(handler, "other", "t", Played("t", 0)))

    def work() -> None:
        append(handler, "k", "s", Played("t", 0))
        other.start()
        other.join()
        assert [c.command for c in everything(store)] == ["other"]

    handler.together(work)
    assert [c.command for c in everything(store)] == ["k", "other"]


def test_the_relay_is_told_once_they_are_stored() -> None:
    store = MemoryCommits()
    handler, told = CommandHandler("entry", store, CODEC), list[int]()
    handler.on_append = lambda: told.append(len(store.pending(9)))
    together(handler, [played("a"), played("b")])
    assert told == [2]
    together(handler, [lambda h: append(h, "nothing", "s")])
    assert told == [2], "nothing was stored"


def test_a_refusal_stops_none_of_the_others() -> None:
    store = MemoryCommits()
    first, wrong, late, last = together(
        CommandHandler("entry", store, CODEC),
        [
            lambda h: enter(h, command("e"), "c", "t"),
            lambda h: enter(h, command("again"), "c", "t"),
            lambda h: append(h, command("v", expected=7), "entry-c-t", Left("t")),
            lambda h: leave(h, command("l"), "c", "t"),
        ],
    )
    assert isinstance(first, Outcome)
    assert isinstance(wrong, Refused)
    assert isinstance(late, VersionMismatch)
    assert last == Outcome("entry-c-t", 2, (Left("t"),))
    assert [c.command for c in everything(store)] == ["e", "l"]


def test_the_same_command_twice_is_done_once_and_with_another_body_refused() -> None:
    store = MemoryCommits()
    first, again, other = together(
        CommandHandler("entry", store, CODEC),
        [played("k"), played("k"), lambda h: append(h, command("k", body="other"), "s", Left("t"))],
    )
    assert isinstance(again, Outcome)
    assert again == Outcome("s", 1, (Played("t", 0),), replayed=True)
    assert isinstance(first, Outcome)
    assert not first.replayed
    assert isinstance(other, CommandReused)
    assert len(everything(store)) == 1


def test_what_was_done_before_is_answered_as_the_first_time() -> None:
    store = MemoryCommits()
    handler = CommandHandler("entry", store, CODEC)
    first = together(handler, [played("a"), played("b")])
    again = together(handler, [played("b"), played("c"), played("a")])
    assert [(a.version, a.events, a.replayed) for a in again if isinstance(a, Outcome)] == [
        (2, (Played("t", 1),), True),
        (3, (Played("t", 2),), False),
        (1, (Played("t", 0),), True),
    ]
    assert len(first) == 2
    assert [c.command for c in store.stream("s")] == ["a", "b", "c"]


# --- races --------------------------------------------------------------------------------------------------------


class Rival:
    """Adds to a stream before the first call of a method."""

    def __init__(self, store: MemoryCommits, method: str, stream: str) -> None:
        self.store, self.method, self.stream = store, method, stream
        self.done = False

    def __call__(self, call: Call) -> Any:
        if call.method == self.method and not self.done:
            self.done = True
            append(CommandHandler("entry", self.store, CODEC), "rival", self.stream, Played("rival", 0))
        return call.proceed()


def test_where_another_took_a_place_all_are_decided_again_on_what_it_left() -> None:
    store = MemoryCommits()
    asked = [played("x", "other"), played("a"), played("b")]
    answers = together(through(store, Rival(store, "append_all", "s")), asked)
    assert [a.events[0].points for a in answers if isinstance(a, Outcome)] == [0, 1, 2]
    assert [c.command for c in store.stream("s")] == ["rival", "a", "b"]
    check_streams(everything(store))


def resting(h: CommandHandler) -> Outcome:
    """A command whose event tells how long a stream is that it does not write to."""
    return append(h, "k", "s", Played("t", h.load("rounds", MODEL).version))


def refused(h: CommandHandler) -> Outcome:
    return leave(h, command("r"), "c", "nobody")


def test_a_stream_that_was_only_read_and_has_grown_makes_them_be_decided_again() -> None:
    """As where a round closes while hands are entered, which rest upon it and do not write to it. The rival comes while
    the refusal is looked into, between the reading and the end."""
    store, calls = MemoryCommits(), Calls()
    answers = together(through(store, calls, Rival(store, "command", "rounds")), [resting, refused])
    assert answers[0] == Outcome("s", 1, (Played("t", 1),)), "it saw what the rival wrote"
    assert "append_all" not in calls.made


def test_a_stream_that_nothing_rests_upon_may_grow() -> None:
    store, calls = MemoryCommits(), Calls()
    answers = together(through(store, calls, Rival(store, "command", "elsewhere")), [resting, refused])
    assert answers[0] == Outcome("s", 1, (Played("t", 0),))
    assert calls.made.count("append_all") == 1


def test_what_came_to_nothing_is_not_remembered_of_any_stream() -> None:
    store = MemoryCommits()
    handler = CommandHandler("entry", store, CODEC)
    with pytest.raises(ZeroDivisionError):
        handler.together(lambda: append(handler, "k", "s", Played("t", 0)).version / 0)
    assert handler.load("s", MODEL).version == 0
    assert played("a")(handler) == Outcome("s", 1, (Played("t", 0),))


TWICE = [lambda h: enter(h, command("e"), "c", "t"), played("p"), played("q")]


def test_one_batch_sent_twice_at_once_is_done_once_and_both_get_the_first_answers() -> None:
    """Every interleaving of the two deliveries' calls to the store."""

    def scenario(drive: Callable[..., None]) -> None:
        store = MemoryCommits()
        answers: list[list[Outcome | Exception]] = []
        tasks = [Pausable(), Pausable()]
        for task in tasks:
            handler = through(store, task)
            task.begin(lambda handler=handler: answers.append(together(handler, TWICE)))  # type: ignore[misc]
        drive(*tasks)
        assert [task.error for task in tasks] == [None, None]
        told = [[(a.version, a.events) for a in each if isinstance(a, Outcome)] for each in answers]
        assert told == [[(1, (Entered("t", 5),)), (1, (Played("t", 0),)), (2, (Played("t", 1),))]] * 2
        check_streams(everything(store))
        assert len(everything(store)) == 3

    assert explore(scenario) == 20, "each reads two streams and writes: twenty ways to lie between one another"


def test_a_batch_and_a_single_command_on_its_streams_lose_and_double_no_version() -> None:
    """Every interleaving: the events say how many each had seen, so one decided on a stale stream would repeat it."""
    orders: set[tuple[str, ...]] = set()

    def scenario(drive: Callable[..., None]) -> None:
        store = MemoryCommits()
        played("before")(CommandHandler("entry", store, CODEC))
        tasks = [Pausable(), Pausable()]
        batch, single = through(store, tasks[0]), through(store, tasks[1])
        answers: list[Any] = []
        tasks[0].begin(lambda: answers.extend(together(batch, [played("a"), played("x", "o"), played("b")])))
        tasks[1].begin(lambda: answers.append(played("single")(single)))
        drive(*tasks)
        assert [task.error for task in tasks] == [None, None]
        assert all(isinstance(answer, Outcome) for answer in answers)
        commits = store.stream("s")
        events = CommandHandler("entry", store, CODEC).load("s", MODEL).state.events
        assert [event.points for event in events] == [0, 1, 2, 3]
        check_streams(everything(store))
        orders.add(tuple(c.command for c in commits))

    assert explore(scenario) == 10, "three calls beside two"
    assert {("before", "single", "a", "b"), ("before", "a", "b", "single")} <= orders


# --- faults -------------------------------------------------------------------------------------------------------

ASKED = [played("a"), played("x", "o"), played("b"), refused, played("c")]


@pytest.mark.parametrize("fault", Fault)
@pytest.mark.parametrize("known", [False, True], ids=["cold", "warm"])
def test_a_fault_at_any_call_leaves_a_beginning_or_nothing_and_sent_again_each_is_there_once(
    fault: Fault, known: bool
) -> None:
    """A store without transactions keeps, when it dies in the midst of the write, those before: half of them here."""
    struck = 0
    for at in range(12):
        store, faults = MemoryCommits(), OneFault(at, fault)
        handler = through(store, faults)
        if known:
            faults.plan = {}
            played("before")(handler)
            faults.plan = {len(faults.calls) + at: fault}
        before = len(everything(store))
        try:
            together(handler, ASKED)
        except Crash:
            kept = [c.command for c in sorted(everything(store), key=lambda c: c.stamp)][before:]
            assert kept == ["a", "x", "b", "c"][: len(kept)], "a beginning"
        check_streams(everything(store))
        answers = together(CommandHandler("entry", store, CODEC), ASKED)
        struck += faults.struck
        assert [type(answer) for answer in answers] == [Outcome, Outcome, Outcome, Refused, Outcome]
        assert [c.command for c in store.stream("s")][-3:] == ["a", "b", "c"]
        assert len(everything(store)) == before + 4
        check_streams(everything(store))
    assert struck >= 1


def test_a_store_that_is_away_at_the_write_is_told_and_nothing_was_done() -> None:
    def away(call: Call) -> Any:
        if call.method in ("append", "append_all"):
            raise StoreUnavailable("away")
        return call.proceed()

    store = MemoryCommits()
    answers = together(through(store, away), [played("a"), played("b")])
    assert [type(answer) for answer in answers] == [StoreUnavailable] * 2
    assert everything(store) == []
