"""What every journal must do. "Positions are contiguous; no position and no event is given twice.\""""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest

from shared.eventsourcing.errors import PositionTaken
from shared.eventsourcing.ports import Journal
from tests.support.kernel import START
from tests.support.toys import envelope

SECOND = timedelta(seconds=1)


class JournalSuite:
    """Subclasses give the fixture `journal`: an empty one."""

    def test_it_begins_empty(self, journal: Journal) -> None:
        assert (journal.head(), journal.published()) == (0, 0)
        assert journal.read(0, 10) == []
        assert journal.last_recorded_at() is None
        assert journal.stream_version("s") == 0
        assert journal.competition_position("c") == 0

    def test_entries_come_back_as_they_were_given(self, journal: Journal) -> None:
        given = [
            envelope(n, n - 1, recorded_at=START + n * timedelta(microseconds=1), competition="集美😀")
            for n in range(1, 4)
        ]
        journal.insert(given)
        assert journal.read(0, 10) == given
        assert journal.last_recorded_at() == given[-1].recorded_at

    def test_reading_is_in_order_after_a_position_and_limited(self, journal: Journal) -> None:
        journal.insert([envelope(n) for n in range(1, 11)])
        assert [e.position for e in journal.read(3, 4)] == [4, 5, 6, 7]
        assert [e.position for e in journal.read(8, 4)] == [9, 10]
        assert journal.read(10, 4) == []
        assert journal.read(99, 4) == []

    def test_a_taken_position_stops_the_insert_there(self, journal: Journal) -> None:
        journal.insert([envelope(1), envelope(2)])
        with pytest.raises(PositionTaken):
            journal.insert([envelope(2, stream="other", version=1), envelope(3)])
        assert [e.stream for e in journal.read(0, 10)] == ["s", "s"]
        assert journal.head() == 2

    def test_an_event_gets_no_second_position_and_what_came_before_it_stays(self, journal: Journal) -> None:
        journal.insert([envelope(1)])
        with pytest.raises(PositionTaken):
            journal.insert([envelope(2), envelope(3, version=1), envelope(4)])
        assert [(e.position, e.version) for e in journal.read(0, 10)] == [(1, 1), (2, 2)]
        assert journal.head() == 2

    def test_head_goes_on_over_thousands(self, journal: Journal) -> None:
        journal.insert([envelope(n) for n in range(1, 2_502)])
        assert journal.head() == 2_501
        journal.insert([envelope(2_502)])
        assert journal.head() == 2_502
        assert len(journal.read(0, 5_000)) == 2_502

    def test_the_last_version_of_a_stream_is_known(self, journal: Journal) -> None:
        journal.insert([envelope(1, stream="a", version=1), envelope(2, stream="b", version=1)])
        journal.insert([envelope(3, stream="a", version=2)])
        assert [journal.stream_version(s) for s in ("a", "b", "c")] == [2, 1, 0]

    def test_the_last_position_of_a_competition_is_known_however_far_back(self, journal: Journal) -> None:
        journal.insert([envelope(1, competition="quiet")])
        journal.insert([envelope(n, competition="busy") for n in range(2, 1_502)])
        assert journal.competition_position("quiet") == 1
        assert journal.competition_position("busy") == 1_501
        assert journal.competition_position("none") == 0

    def test_published_is_moved_from_where_it_is_or_not_at_all(self, journal: Journal) -> None:
        journal.insert([envelope(n) for n in range(1, 6)])
        assert journal.mark_published(3, after=0)
        assert not journal.mark_published(5, after=0)
        assert not journal.mark_published(5, after=4)
        assert journal.published() == 3
        assert journal.mark_published(5, after=3)
        assert journal.mark_published(0, after=5)
        assert not journal.mark_published(5, after=5)
        assert journal.published() == 0
        assert journal.mark_published(2, after=0)
        assert journal.published() == 2

    def test_a_lease_is_held_until_it_runs_out(self, journal: Journal) -> None:
        assert journal.take_lease("a", START, START + 10 * SECOND)
        assert not journal.take_lease("b", START + 9 * SECOND, START + 19 * SECOND)
        assert journal.take_lease("b", START + 10 * SECOND, START + 20 * SECOND)
        assert not journal.take_lease("a", START + 11 * SECOND, START + 21 * SECOND)

    def test_a_lease_is_renewed_by_its_holder(self, journal: Journal) -> None:
        assert journal.take_lease("a", START, START + 10 * SECOND)
        assert journal.take_lease("a", START + 5 * SECOND, START + 15 * SECOND)
        assert not journal.take_lease("b", START + 14 * SECOND, START + 24 * SECOND)

    def test_two_writers_never_share_a_position(self, journal: Journal) -> None:
        """Both insert at the head they see, as two relays would whose lease has failed them."""
        losses: list[int] = []

        def write(writer: int) -> None:
            version = 0
            while version < 20:
                head = journal.head()
                try:
                    journal.insert([envelope(head + 1, stream=f"w{writer}", version=version + 1)])
                    version += 1
                except PositionTaken:
                    losses.append(head)

        threads = [threading.Thread(target=write, args=(n,)) for n in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        entries = journal.read(0, 100)
        assert [e.position for e in entries] == list(range(1, 41))
        for writer in range(2):
            assert [e.version for e in entries if e.stream == f"w{writer}"] == list(range(1, 21))

    def test_a_reader_beside_a_writer_sees_no_gap(self, journal: Journal) -> None:
        """ "Nothing ever checkpoints past a gap": no later entry is visible before an earlier one."""
        total, seen = 300, 0

        def write() -> None:
            for begin in range(1, total + 1, 10):
                journal.insert([envelope(n) for n in range(begin, begin + 10)])

        writer = threading.Thread(target=write)
        writer.start()
        while seen < total:
            entries = journal.read(seen, 50)
            assert [e.position for e in entries] == list(range(seen + 1, seen + 1 + len(entries)))
            seen += len(entries)
            assert writer.is_alive() or journal.head() == total
        writer.join()
