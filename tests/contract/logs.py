"""What every event log must do. "At least once, identical, in order within a competition; groups do not know of one
another; what was not committed comes again."

A log may need several polls before it gives anything, and may give an event more often than once; the suite allows
for both, so that a log over a network passes as it stands."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from shared.eventsourcing.ports import EventLog, Subscription
from shared.eventsourcing.records import Envelope
from tests.support.toys import envelope
from tests.support.waiting import wait_for


def drain(subscription: Subscription, count: int, limit: int = 100) -> list[Envelope]:
    """Poll until `count` different events have come; repeats are checked to be identical and left out."""
    found: dict[tuple[str, int], Envelope] = {}

    def polled() -> bool:
        events = subscription.poll(limit)
        assert len(events) <= limit
        for event in events:
            assert found.setdefault((event.service, event.position), event) == event
        return len(found) >= count

    wait_for(polled)
    return list(found.values())


def entries(service: str, count: int, begin: int = 1, competitions: int = 3) -> list[Envelope]:
    """Entries of a service whose competitions take turns."""
    return [
        envelope(
            n,
            max(0, n - competitions),
            service=service,
            competition=f"c{n % competitions}",
            stream=f"{service}-c{n % competitions}",
            version=(n + competitions - 1) // competitions,
        )
        for n in range(begin, begin + count)
    ]


class EventLogSuite(ABC):
    """Subclasses give the fixture `log`, an empty one, and `put`, which brings entries into it as a relay does."""

    @abstractmethod
    def put(self, log: EventLog, entries: Sequence[Envelope]) -> None: ...

    def test_a_new_group_reads_from_the_beginning(self, log: EventLog) -> None:
        given = entries("entry", 10)
        self.put(log, given)
        subscription = log.subscribe("g", ["entry"])
        assert drain(subscription, 10) == given
        subscription.close()

    def test_a_group_may_come_before_the_first_event(self, log: EventLog) -> None:
        subscription = log.subscribe("g", ["entry", "table"])
        assert subscription.poll(10) == []
        assert subscription.lag() == 0
        self.put(log, entries("table", 3))
        assert drain(subscription, 3) == entries("table", 3)
        subscription.close()

    def test_events_come_as_they_were_published(self, log: EventLog) -> None:
        given = [envelope(1, competition="集美 2018/😀|x", stream="s@|:集", actor="领队", correlation="\u0001")]
        self.put(log, given)
        subscription = log.subscribe("g", ["entry"])
        assert drain(subscription, 1) == given
        subscription.close()

    def test_order_holds_within_each_competition_over_small_polls(self, log: EventLog) -> None:
        for service in ("entry", "table", "purse"):
            self.put(log, entries(service, 30))
        subscription = log.subscribe("g", ["entry", "table", "purse"])
        polled = drain(subscription, 90, limit=7)
        for service in ("entry", "table", "purse"):
            for competition in ("c0", "c1", "c2"):
                own = [e.position for e in polled if (e.service, e.competition) == (service, competition)]
                assert own == sorted(own)
                assert len(own) == 10
        subscription.close()

    def test_only_the_services_asked_for_come(self, log: EventLog) -> None:
        self.put(log, entries("entry", 3))
        self.put(log, entries("table", 3))
        subscription = log.subscribe("g", ["table"])
        assert {e.service for e in drain(subscription, 3)} == {"table"}
        assert subscription.poll(10) == []
        subscription.close()

    def test_a_poll_gives_no_more_than_its_limit(self, log: EventLog) -> None:
        for service in ("entry", "table"):
            self.put(log, entries(service, 5))
        subscription = log.subscribe("g", ["entry", "table"])
        assert len(drain(subscription, 10, limit=1)) == 10
        subscription.close()

    def test_what_was_not_committed_comes_again_to_the_group(self, log: EventLog) -> None:
        given = entries("entry", 6)
        self.put(log, given)
        first = log.subscribe("g", ["entry"])
        assert drain(first, 6) == given
        first.close()
        second = log.subscribe("g", ["entry"])
        assert drain(second, 6) == given
        second.close()

    def test_what_was_committed_does_not_come_again(self, log: EventLog) -> None:
        self.put(log, entries("entry", 6))
        first = log.subscribe("g", ["entry"])
        drain(first, 6)
        first.commit()
        first.close()
        self.put(log, entries("entry", 3, begin=7))
        second = log.subscribe("g", ["entry"])
        assert [e.position for e in drain(second, 3)] == [7, 8, 9]
        second.close()

    def test_a_commit_covers_what_was_polled_and_nothing_else(self, log: EventLog) -> None:
        self.put(log, entries("entry", 9))
        first = log.subscribe("g", ["entry"])
        done = drain(first, 1, limit=4)
        first.commit()
        drain(first, 1, limit=4)
        first.close()
        second = log.subscribe("g", ["entry"])
        rest = drain(second, 9 - len(done))
        assert [e.position for e in rest] == list(range(len(done) + 1, 10))
        second.close()

    def test_committing_twice_or_nothing_is_no_error(self, log: EventLog) -> None:
        subscription = log.subscribe("g", ["entry"])
        subscription.commit()
        self.put(log, entries("entry", 2))
        drain(subscription, 2)
        subscription.commit()
        subscription.commit()
        subscription.close()

    def test_groups_do_not_know_of_one_another(self, log: EventLog) -> None:
        self.put(log, entries("entry", 4))
        a, b = log.subscribe("a", ["entry"]), log.subscribe("b", ["entry"])
        drain(a, 4)
        a.commit()
        assert drain(b, 4) == entries("entry", 4)
        a.close()
        b.close()

    def test_lag_counts_what_was_not_committed(self, log: EventLog) -> None:
        self.put(log, entries("entry", 4))
        self.put(log, entries("table", 2))
        subscription = log.subscribe("g", ["entry", "table"])
        wait_for(lambda: subscription.lag() == 6)
        drain(subscription, 6)
        assert subscription.lag() == 6
        subscription.commit()
        wait_for(lambda: subscription.lag() == 0)
        self.put(log, entries("table", 1, begin=3))
        wait_for(lambda: subscription.lag() == 1)
        subscription.close()

    def test_a_forgotten_group_begins_again(self, log: EventLog) -> None:
        self.put(log, entries("entry", 4))
        for group in ("g", "other"):
            subscription = log.subscribe(group, ["entry"])
            drain(subscription, 4)
            subscription.commit()
            subscription.close()
        log.forget("g")
        log.forget("never seen")
        again, other = log.subscribe("g", ["entry"]), log.subscribe("other", ["entry"])
        assert drain(again, 4) == entries("entry", 4)
        assert other.lag() == 0
        again.close()
        other.close()

    def test_a_batch_published_again_has_no_new_event(self, log: EventLog) -> None:
        """A relay that was interrupted publishes again; what a group sees a second time is identical."""
        self.put(log, entries("entry", 5))
        log.publish(entries("entry", 5)[2:])
        self.put(log, entries("entry", 1, begin=6))
        subscription = log.subscribe("g", ["entry"])
        assert sorted(e.position for e in drain(subscription, 6)) == [1, 2, 3, 4, 5, 6]
        subscription.close()
