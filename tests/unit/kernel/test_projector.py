"""Guarantees: "A projection is the same whatever came twice, whoever folded it, however the topics were mixed":
idempotent under redelivery, under two projectors at once, and equal for any interleaving of the topics."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.eventsourcing.clock import ManualClock, to_micros
from shared.eventsourcing.consumer import Consumer
from shared.eventsourcing.errors import NotNow, StaleDocument
from shared.eventsourcing.memory import MemoryDocuments, MemoryLog
from shared.eventsourcing.ports import Documents
from shared.eventsourcing.projector import Projection, Projector, View, digest
from shared.eventsourcing.records import Envelope
from tests.support.at_rest import check_rows, folded, rows
from tests.support.faults import Intercepted
from tests.support.interleaving import Pausable, explore
from tests.support.kernel import START
from tests.support.logs import event_logs
from tests.support.toys import CODEC, TEAMS, TOTALS, Entered, Left, Paid, Played, Seated, envelope, log_of, projection

BOARD = projection()
ENTRY = log_of("entry", Entered("t1", 5), Entered("t2", 7), Left("t1"), Entered("t1", 9))
TABLE = log_of("table", Seated("t1"), Played("t1", 10), Seated("t2"), Played("t1", 20))
PURSE = log_of("purse", Paid("t1", 1000), Paid("t2", 300))
ALL = [*ENTRY, *TABLE, *PURSE]


def project(documents: Documents, events: Sequence[Envelope], board: Projection = BOARD) -> list[tuple[str, Any]]:
    Projector(board, 1, documents, CODEC)("c", events)
    return rows(board, 1, documents)


EXPECTED = folded(BOARD, CODEC, [ENTRY, TABLE, PURSE])


def interleavings(*topics: Sequence[Envelope]) -> Iterator[list[Envelope]]:
    """Every order of all events that keeps each topic's own."""
    if not any(topics):
        yield []
    for n, topic in enumerate(topics):
        if topic:
            rest = [*topics[:n], topic[1:], *topics[n + 1 :]]
            for tail in interleavings(*rest):
                yield [topic[0], *tail]


def test_rows_are_what_a_plain_fold_makes() -> None:
    """The oracle has neither store nor batches."""
    check_rows(project(MemoryDocuments(), ALL), EXPECTED)
    team = TEAMS.load(dict(EXPECTED)["teams"])
    assert len(EXPECTED) == 3
    assert team.seats == 1


@pytest.mark.parametrize("batch", [1, 2, 3, 10])
def test_batches_leave_no_trace(batch: int) -> None:
    documents = MemoryDocuments()
    for begin in range(0, len(ALL), batch):
        project(documents, ALL[begin : begin + batch])
    check_rows(rows(BOARD, 1, documents), EXPECTED)


def test_all_3150_interleavings_of_three_topics_give_the_same_rows() -> None:
    """ "Any interleaving of the three topics gives the same read models." """
    first, count = None, 0
    for order in interleavings(ENTRY, TABLE, PURSE):
        documents = MemoryDocuments()
        project(documents, order)
        found = digest(BOARD, 1, documents)
        first = first or found
        assert found == first, [e.id for e in order]
        count += 1
    assert count == 3_150
    check_rows(rows(BOARD, 1, documents), EXPECTED)


class Told(msgspec.Struct):
    """A row that breaks the rule: what it holds depends on which service spoke last."""

    id: str
    last: str = ""


def test_a_fold_that_does_not_commute_is_found() -> None:
    planted = View("told", Told)
    for event in (Entered, Played, Paid):

        @planted.on(event)
        def _(row: Told, _event: Any, at: Envelope) -> None:
            row.last = at.service

    board = Projection("planted", 1, BOARD.services, [planted])
    digests = set()
    for order in itertools.islice(interleavings(ENTRY[:2], TABLE[:2], PURSE[:1]), 30):
        documents = MemoryDocuments()
        project(documents, order, board)
        digests.add(digest(board, 1, documents))
    assert len(digests) > 1


class Present(msgspec.Struct):
    """Whether a team is there. Leaving changes a row only where it is, playing never does."""

    id: str
    here: bool = False


def present() -> Projection:
    view = View("present", Present)

    def keys(event: Any, _at: Envelope) -> list[str]:
        return [str(event.team)]

    @view.on(Entered, keys)
    def _(row: Present, _event: Any, _at: Envelope) -> None:
        row.here = True

    @view.on(Left, keys)
    @view.on(Played, keys)
    def _(row: Present, event: Any, _at: Envelope) -> bool:
        changes = isinstance(event, Left) and row.here
        row.here = row.here and not changes
        return changes

    return Projection("present", 1, ["entry"], [view])


HERE = log_of("entry", Played("a", 1), Entered("a", 5), Played("a", 2), Left("a"), Left("a"), Played("a", 3), Left("b"))


def test_what_changes_nothing_writes_no_row() -> None:
    documents, board = MemoryDocuments(), present()
    project(documents, HERE[:1], board)
    assert rows(board, 1, documents) == [], "there is no row to change"
    project(documents, HERE[:4], board)
    ((_, before),) = rows(board, 1, documents)
    assert (before["revision"], before["applied"], before["here"]) == (2, {"entry": 4}, False)
    project(documents, HERE, board)
    assert rows(board, 1, documents) == [("present", before)]


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(1, 7)), max_size=12))
def test_what_changes_nothing_changes_nothing_at_any_redelivery(deliveries: list[tuple[int, int]]) -> None:
    documents, board, done = MemoryDocuments(), present(), 0
    for back, count in [*deliveries, (0, len(HERE))]:
        begin = max(0, done - back)
        project(documents, HERE[begin : begin + count], board)
        done = max(done, begin + count)
    check_rows(rows(board, 1, documents), folded(board, CODEC, [HERE]))


@given(st.lists(st.tuples(st.integers(0, 10), st.integers(1, 10)), max_size=12))
def test_redelivery_from_anywhere_changes_nothing(deliveries: list[tuple[int, int]]) -> None:
    """Whatever was folded comes again, as often as it likes, from any place that was not committed."""
    documents = MemoryDocuments()
    done = 0
    for back, count in [*deliveries, (0, len(ALL))]:
        begin = max(0, done - back)
        project(documents, ALL[begin : begin + count])
        done = max(done, begin + count)
    check_rows(rows(BOARD, 1, documents), EXPECTED)


def test_two_projectors_at_once_leave_what_one_would() -> None:
    """Two processes follow with the same group; every interleaving of their calls with two switches. One of them may
    be told to begin again; a step later all is as it should be."""
    stale = 0

    def scenario(drive: Callable[..., None]) -> None:
        nonlocal stale
        log, documents, clock = MemoryLog(), MemoryDocuments(), ManualClock(START)
        for topic in (ENTRY, TABLE, PURSE):
            log.publish(topic)

        def consumer(task: Pausable | None) -> Consumer:
            docs: Any = Intercepted("documents", documents, task) if task else documents
            source: Any = Intercepted("log", log, task) if task else log
            return Consumer("board.1", BOARD.services, Projector(BOARD, 1, docs, CODEC), source, docs, clock, batch=9)

        tasks = [Pausable(), Pausable()]
        consumers = [consumer(task) for task in tasks]
        for one, task in zip(consumers, tasks, strict=True):
            task.begin(one.step)
        drive(*tasks)
        assert all(task.error is None or isinstance(task.error, NotNow) for task in tasks), [t.error for t in tasks]
        stale += any(task.error for task in tasks)
        last = consumer(None)
        while last.step():
            pass
        assert last.held.entries() == []
        assert last.lag() == 0
        check_rows(rows(BOARD, 1, documents), EXPECTED)

    assert explore(scenario, preemptions=2) > 100
    assert stale > 10, "they never met"


@pytest.mark.over("memory", "kafka")
def test_a_slower_projector_sets_no_checkpoint_back() -> None:
    """One that read two events stores its checkpoint after one that read three; were it believed, the next event would
    seem to have a gap before it."""
    log, documents, clock = event_logs()("g"), MemoryDocuments(), ManualClock(START)
    log.publish(ENTRY[:2])
    task = Pausable()
    docs: Any = Intercepted("documents", documents, task)
    slow = Consumer("g", ["entry"], Projector(BOARD, 1, documents, CODEC), log, docs, clock)
    fast = Consumer("g", ["entry"], Projector(BOARD, 1, documents, CODEC), log, documents, clock)
    task.begin(slow.step)
    while task.at != "documents.put" or not documents.find("board.1.teams", {}):
        task.advance()  # until its events are folded and its checkpoint is about to be stored
    log.publish(ENTRY[2:3])
    fast.step()
    task.finish()
    assert isinstance(task.error, StaleDocument)
    assert slow.checkpoints.version("entry", "entry-s") == 3
    log.publish(ENTRY[3:])
    fast.step()
    assert fast.checkpoints.read("c", ENTRY).fresh(ENTRY) == []


@pytest.mark.over("memory", "kafka")
def test_an_event_that_cannot_be_folded_leaves_nothing_in_any_view() -> None:
    """The second view fails at the second event: the first view must not show it, nor what came after it."""
    one, two = View("one", Told), View("two", Told)

    @one.on(Entered)
    def _(row: Told, event: Entered, _at: Envelope) -> None:
        row.last = event.team

    @two.on(Entered)
    def _(row: Told, event: Entered, _at: Envelope) -> None:
        if event.team == "bad":
            raise ValueError(event.team)
        row.last = event.team

    board = Projection("b", 1, ["entry"], [one, two])
    log, documents = event_logs()("b"), MemoryDocuments()
    log.publish(log_of("entry", Entered("good", 1), Entered("bad", 1), Entered("later", 1)))
    consumer = Consumer("b.1", ["entry"], Projector(board, 1, documents, CODEC), log, documents, ManualClock(START))
    consumer.step()
    assert {name: d["last"] for name, d in rows(board, 1, documents)} == {"one": "good", "two": "good"}
    assert [e.version for e in consumer.held.events("c")] == [2, 3]


def test_an_event_may_be_folded_into_several_rows_and_into_none() -> None:
    both = View("both", Told)

    @both.on(Entered, lambda event, _at: ["x", event.team, "x"])
    def _(row: Told, event: Entered, _at: Envelope) -> None:
        row.last += event.team

    documents = MemoryDocuments()
    board = Projection("b", 1, ["entry"], [both])
    project(documents, log_of("entry", Entered("a", 1), Left("a"), Entered("b", 1)), board)
    assert {d["_id"]: d["last"] for _, d in rows(board, 1, documents)} == {"x": "ab", "a": "a", "b": "b"}


def test_one_kind_of_event_has_one_fold_in_a_view() -> None:
    with pytest.raises(ValueError, match="folds Entered already"):
        TOTALS.on(Entered)(lambda row, event, at: None)


def test_a_row_may_not_have_the_fields_that_every_row_has() -> None:
    class Bad(msgspec.Struct):
        id: str
        revision: int = 0

    with pytest.raises(ValueError, match="revision"):
        View("bad", Bad)


def test_a_row_of_a_generation_from_before_rows_were_json_is_read_and_folded_on() -> None:
    told = View("told", Told)

    @told.on(Entered)
    def _(row: Told, event: Entered, _at: Envelope) -> None:
        row.last += event.team

    documents, board = MemoryDocuments(), Projection("b", 1, ["entry"], [told])
    old = {"_id": "c", "revision": 1, "applied": {"entry": 1}, "last": "a"}
    documents.put("b.1.told", [(0, old)])
    assert told.load(old) == Told("c", "a")
    [(_, row)] = project(documents, log_of("entry", Entered("a", 1), Entered("b", 1)), board)
    assert (row["last"], row["revision"]) == ("ab", 2)


class Odd(msgspec.Struct):
    """Values that stores are known to change."""

    id: str
    at: int = 0
    by_round: dict[int, list[int]] = {}
    names: dict[str, int] = {}
    anything: Any = None


def test_numbers_and_keys_survive_the_store(mongo: Any, database_prefix: str) -> None:
    """64-bit integers, integer keys, and keys with the store's own signs; read, folded again, and digested equal."""
    from shared.eventsourcing.mongo import MongoDocuments

    odd = View("odd", Odd)

    @odd.on(Played)
    def _(row: Odd, event: Played, _at: Envelope) -> None:
        row.at = to_micros(START + timedelta(seconds=event.points))
        row.by_round.setdefault(event.points, []).append(2**52)
        row.names |= {"a.b": 1, "$c": 2**40, "集😀": 3}
        row.anything = [2**45, {"x": 2**45}]

    board = Projection("odd", 1, ["table"], [odd])
    digests = set()
    for documents in (MemoryDocuments(), MongoDocuments(mongo[f"{database_prefix}odd"])):
        for n in (1, 2, 3):
            project(documents, [envelope(n, n - 1, event=Played("t", n), service="table")], board)
        digests.add(digest(board, 1, documents))
        row = odd.load(documents.find("odd.1.odd", {})[0])
        assert row.by_round == {1: [2**52], 2: [2**52], 3: [2**52]}
    assert len(digests) == 1
