"""What every commit store must do. "A lost race is told, half a batch is never kept, a command id is taken once.\""""

from __future__ import annotations

import threading
from datetime import UTC, datetime

import msgspec
import pytest

from shared.eventsourcing.errors import CommandTaken, StreamConflict
from shared.eventsourcing.ports import CommitStore
from shared.eventsourcing.records import Recorded
from tests.support.toys import commit

NAMES = ["c-1", "集美2018/轮次", "a|b@c", "spaß.$x", "\u0000", "😀", "x" * 300]


class CommitStoreSuite:
    """Subclasses give the fixture `store`: an empty one."""

    def test_an_unknown_stream_is_empty(self, store: CommitStore) -> None:
        assert store.stream("nothing") == []
        assert store.command("leader", "nothing") is None
        assert store.pending(10) == []

    def test_a_commit_comes_back_as_it_was_given(self, store: CommitStore) -> None:
        given = commit(
            n=3, received_at=datetime(2018, 11, 12, 3, 59, 59, 999_999, tzinfo=UTC), stamp=2**52, correlation="轮"
        )
        store.append(given)
        assert store.stream("s") == [given]
        assert store.command("leader", given.command) == given
        assert store.pending(10) == [given]

    def test_event_bytes_are_kept_to_the_last_byte(self, store: CommitStore) -> None:
        data = b'{ "not" : "canonical", "\\u00e9": 1.0 }\n'
        store.append(msgspec.structs.replace(commit(), events=(Recorded("Odd", 7, data),)))
        assert store.stream("s")[0].events == (Recorded("Odd", 7, data),)

    def test_a_stream_comes_in_version_order(self, store: CommitStore) -> None:
        commits = [commit(first=1 + 2 * k, n=2) for k in range(15)]
        for one in commits:
            store.append(one)
        store.append(commit("s2"))
        assert store.stream("s") == commits

    def test_a_stream_can_be_read_on_from_a_version(self, store: CommitStore) -> None:
        commits = [commit(first=1, n=2), commit(first=3), commit(first=4, n=3)]
        for one in commits:
            store.append(one)
        assert store.stream("s", 2) == commits[1:]
        assert store.stream("s", 6) == []

    def test_a_lost_race_is_a_conflict_and_leaves_nothing_of_the_loser(self, store: CommitStore) -> None:
        store.append(commit(n=1, command="winner"))
        with pytest.raises(StreamConflict) as lost:
            store.append(commit(n=5, command="loser"))
        assert (lost.value.stream, lost.value.version) == ("s", 1)
        assert [c.command for c in store.stream("s")] == ["winner"]
        assert store.command("leader", "loser") is None
        assert [c.command for c in store.pending(10)] == ["winner"]

    def test_a_command_is_taken_once_over_all_streams(self, store: CommitStore) -> None:
        store.append(commit("a", command="k"))
        with pytest.raises(CommandTaken):
            store.append(commit("b", command="k"))
        assert store.stream("b") == []

    def test_the_same_command_id_of_another_actor_is_another_command(self, store: CommitStore) -> None:
        store.append(commit("a", command="k"))
        store.append(commit("b", command="k", actor="referee"))
        found = store.command("referee", "k")
        assert found is not None
        assert found.stream == "b"

    def test_commits_of_several_streams_are_stored_together(self, store: CommitStore) -> None:
        store.append_all([])
        given = [commit(f"s{n}", command=f"k{n}", stamp=n + 1) for n in range(120)]
        store.append_all(given)
        assert [store.stream(f"s{n}") for n in (0, 119)] == [[given[0]], [given[119]]]
        assert store.pending(200) == given

    @pytest.mark.parametrize("taken", [0, 60, 119])
    def test_where_one_of_them_cannot_be_stored_none_is(self, store: CommitStore, taken: int) -> None:
        store.append(commit(f"s{taken}", command="winner"))
        with pytest.raises(StreamConflict) as lost:
            store.append_all([commit(f"s{n}", command=f"k{n}") for n in range(120)])
        assert lost.value.stream == f"s{taken}"
        assert [c.command for c in store.pending(200)] == ["winner"]

    def test_nor_where_a_command_was_done_before(self, store: CommitStore) -> None:
        store.append(commit("a", command="k1"))
        with pytest.raises(CommandTaken):
            store.append_all([commit(f"s{n}", command=f"k{n}") for n in range(3)])
        assert [c.stream for c in store.pending(10)] == ["a"]

    def test_several_commits_of_one_stream_are_stored_together_in_version_order(self, store: CommitStore) -> None:
        given = [commit("s", n, stamp=n) for n in range(1, 8)] + [commit("other", stamp=8)]
        store.append_all(given)
        assert store.stream("s") == given[:7]
        assert store.pending(10) == given

    @pytest.mark.parametrize("taken", [1, 4, 7])
    def test_of_one_streams_commits_none_stands_behind_one_that_could_not_be_stored(
        self, store: CommitStore, taken: int
    ) -> None:
        store.append(commit("s", taken, command="winner"))
        with pytest.raises(StreamConflict) as lost:
            store.append_all([commit("s", n, command=f"k{n}") for n in range(1, 8)])
        assert (lost.value.stream, lost.value.version) == ("s", taken)
        assert [c.command for c in store.stream("s")] == ["winner"]

    def test_one_place_or_one_command_is_not_given_twice_in_one_go(self, store: CommitStore) -> None:
        with pytest.raises(StreamConflict):
            store.append_all([commit("s", command="a"), commit("s", command="b")])
        with pytest.raises((CommandTaken, StreamConflict)):
            store.append_all([commit("s", command="a"), commit("t", command="a")])
        assert store.pending(10) == []

    def test_a_commit_sent_twice_is_refused_the_second_time(self, store: CommitStore) -> None:
        store.append(commit())
        with pytest.raises((CommandTaken, StreamConflict)):
            store.append(commit())
        assert len(store.stream("s")) == 1

    @pytest.mark.parametrize("name", NAMES)
    def test_any_text_may_name_a_stream_a_command_and_an_actor(self, store: CommitStore, name: str) -> None:
        given = commit(name, command=name, actor=name, competition=name)
        store.append(given)
        assert store.stream(name) == [given]
        assert store.command(name, name) == given

    def test_pending_comes_by_stamp_whatever_the_names(self, store: CommitStore) -> None:
        for stream, first, stamp in [("z", 1, 1), ("a", 1, 5), ("z", 2, 3), ("m", 1, 2), ("z", 3, 4)]:
            store.append(commit(stream, first, stamp=stamp))
        assert [(c.stream, c.first) for c in store.pending(10)] == [("z", 1), ("m", 1), ("z", 2), ("z", 3), ("a", 1)]

    def test_a_limited_scan_takes_the_first_commits_of_a_long_stream(self, store: CommitStore) -> None:
        """Sorted by name, "s@10" would come before "s@2" and hold a relay up for ever."""
        for first in range(1, 31):
            store.append(commit("s", first))
        assert [c.first for c in store.pending(5)] == [1, 2, 3, 4, 5]

    def test_what_is_marked_is_not_pending_and_marking_again_changes_nothing(self, store: CommitStore) -> None:
        first, second = commit("a"), commit("b")
        store.append(first)
        store.append(second)
        store.mark_sequenced([first])
        store.mark_sequenced([first])
        store.mark_sequenced([])
        assert store.pending(10) == [second]
        assert store.stream("a") == [first]
        store.append(commit("a", 2))
        assert [c.id for c in store.pending(10)] == ["b@1", "a@2"]

    def test_a_commit_of_a_thousand_events_is_one(self, store: CommitStore) -> None:
        given = commit(n=1_000)
        store.append(given)
        assert store.stream("s") == [given]
        assert given.last == 1_000

    def test_of_many_writers_on_one_place_exactly_one_wins(self, store: CommitStore) -> None:
        outcomes: list[str] = []

        def write(writer: int) -> None:
            for first in range(1, 11):
                try:
                    store.append(commit(first=first, command=f"{writer}-{first}", actor=f"w{writer}"))
                    outcomes.append(f"{writer}-{first}")
                except StreamConflict:
                    pass

        threads = [threading.Thread(target=write, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [c.first for c in store.stream("s")] == list(range(1, 11))
        assert sorted(c.command for c in store.stream("s")) == sorted(outcomes)
