"""Topics arrive in any order: the rows come out the same, byte for byte, and so they do by a rebuild."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence

import pytest

from services.ranking.projections import PROJECTION
from shared.contracts.fact import Remedy
from shared.contracts.match import PenaltyLifted, TeamWithdrawn
from shared.contracts.registration import CompetitionAmended, CompetitionCancelled, EntriesClosed, EntriesOpened
from shared.eventsourcing.memory import MemoryDocuments
from shared.eventsourcing.projector import Projector, digest
from shared.eventsourcing.records import Envelope
from tests.support.ranking_events import CODEC, Hall, Story, hand


def small() -> Story:
    """Four events of registration, four of match, two of appeals."""
    story = Story().announced()
    story.tell(EntriesOpened, closes_at=story.clock.now(), article="十二")
    story.tell(CompetitionAmended, before={"name": "集美升级赛"}, after={"name": "海沧升级赛"}, reason="r")
    story.tell(EntriesClosed, closed_at=story.clock.now(), reason="", article="十二")
    story.drawn("A B").round(1, "A-B 2:0", planned=1)
    story.filed(1)
    story.upheld(1, Remedy(kind="award_match", team="B"))
    story.ruling(1, 1, "A-B 0:2 forfeit", Remedy(kind="award_match", team="B"))
    return story


def large() -> Story:
    """Everything there is, twice over."""
    story = small()
    story.reopened(1, 1)
    story.closed(1, "A-B 1:1")
    story.waived("A", story.log[-1].recorded_at)
    story.lot("B A")
    story.round(2, "A-B 2:0", planned=2)
    name = story.opened(2, 1, "A-B")
    story.hand(name, 1, hand(65))
    story.penalty(name, "p1", 1, "24", "signalling", 20)
    story.tell(PenaltyLifted, match=name, penalty="p1", reason="r")
    story.ruling(1, 1, "A-B 2:0", replay_from=2, appeal="a2")
    story.filed(1, appeal="a3")
    story.dismissed(1, appeal="a3")
    story.round(2, "A-B 0:2", planned=2)
    story.tell(TeamWithdrawn, team="A", from_round=3, reason="r")
    story.proposed("A B", 2)
    story.declared("A B")
    story.tell(CompetitionCancelled, reason="r")
    return story


def topics(story: Story) -> list[list[Envelope]]:
    services = ("registration", "match", "appeals")
    return [[event for event in story.log if event.service == service] for service in services]


def merged(story: Story, order: Sequence[int]) -> list[Envelope]:
    """The topics in turn, as `order` names them: each in its own order."""
    iterators = [iter(topic) for topic in topics(story)]
    return [next(iterators[topic]) for topic in order]


def every_order(sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All ways of merging topics of these sizes."""
    total = sum(sizes)
    for first in itertools.combinations(range(total), sizes[0]):
        rest = [place for place in range(total) if place not in first]
        for second in itertools.combinations(rest, sizes[1]):
            yield tuple(0 if place in first else 1 if place in second else 2 for place in range(total))


def rows(events: Sequence[Envelope], batches: Sequence[int] = ()) -> tuple[str, int]:
    """The fingerprint of all rows after these events, one at a time or in batches of these sizes."""
    documents = MemoryDocuments()
    project = Projector(PROJECTION, 1, documents, CODEC)
    sizes = iter(batches)
    left = list(events)
    while left:
        size = next(sizes, 1)
        project("c1", left[:size])
        left = left[size:]
    return digest(PROJECTION, 1, documents)


def test_all_3150_orders_of_a_small_log_give_the_same_rows() -> None:
    story = small()
    sizes = [len(topic) for topic in topics(story)]
    assert sizes == [4, 4, 2]
    orders = list(every_order(sizes))
    assert len(orders) == 3150
    assert {rows(merged(story, order)) for order in orders} == {rows(story.log)}


def test_sampled_orders_and_batches_of_a_larger_log_give_the_same_rows() -> None:
    story, chance = large(), random.Random(7)
    order = [topic for topic, events in enumerate(topics(story)) for _ in events]
    wanted = rows(story.log)
    for _ in range(300):
        chance.shuffle(order)
        batches = [chance.randint(1, 6) for _ in story.log]
        assert rows(merged(story, order), batches) == wanted


def test_a_repeated_delivery_changes_nothing() -> None:
    story = large()
    twice = [event for event in story.log for _ in range(2)]
    assert rows(twice) == rows(story.log)
    assert rows([*story.log, *story.log], [7, 3, 40]) == rows(story.log)


@pytest.mark.over("memory", "kafka")
def test_through_a_log_any_order_gives_the_same_rows() -> None:
    """The log itself may order the topics otherwise than they were published; the projection takes them in parts."""
    story, chance = large(), random.Random(8)
    order = [topic for topic, events in enumerate(topics(story)) for _ in events]
    for _ in range(3):
        chance.shuffle(order)
        hall, left = Hall(story.clock), merged(story, order)
        while left:
            size = chance.randint(1, 20)
            hall.hear(left[:size])
            left = left[size:]
        assert hall.service.engine.projection.digest(1) == rows(story.log)


def test_rows_do_not_depend_on_the_clock() -> None:
    story = large()
    wanted = rows(story.log)
    hall = Hall.of(story)
    assert hall.service.engine.projection.digest(1) == wanted


@pytest.mark.over("memory", "kafka")
def test_a_rebuild_gives_the_same_bytes_and_the_same_answers() -> None:
    story = large()
    hall = Hall.of(story)
    runner = hall.service.engine.projection
    answers = [hall.get(what) for what in ("standings", "crosstable", "places")]
    live = runner.digest(1)
    assert runner.rebuild() == 2
    hall.settle()
    assert runner.pointer().live == 2
    assert runner.digest(2) == live
    assert [hall.get(what) for what in ("standings", "crosstable", "places")] == answers


@pytest.mark.parametrize("cut", range(1, 10))
def test_an_answer_in_between_rests_on_what_has_come(cut: int) -> None:
    """Whatever the order, an answer never shows a part of an event, and says what it rests on."""
    story = small()
    for order in random.Random(cut).sample(list(every_order([4, 4, 2])), 5):
        hall = Hall(story.clock)
        events = merged(story, order)[:cut]
        hall.hear(events)
        if not any(event.type == "CompetitionAnnounced" for event in events):
            hall.get("standings", status=404)
            continue
        answer = hall.get("standings")
        last = {
            event.service: event.position for event in events if event.type not in ("EntriesOpened", "EntriesClosed")
        }
        assert answer["rests_on"] == {"registration": 0, "match": 0, "appeals": 0} | last
