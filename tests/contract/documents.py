"""What every store of read models must do. "Of two projectors that change one document, one is told.\""""

from __future__ import annotations

import threading
from typing import Any

import pytest

from shared.eventsourcing.errors import StaleDocument
from shared.eventsourcing.ports import Documents


def put(documents: Documents, id: str, revision: int = 1, read_at: int | None = None, **fields: Any) -> None:
    documents.put("rows", [(revision - 1 if read_at is None else read_at, {"_id": id, "revision": revision, **fields})])


def dropped(documents: Documents, collection: str) -> list[int]:
    """Drop a collection: how many documents went with each part."""
    parts = []
    while part := documents.drop(collection):
        parts.append(part)
    return parts


class DocumentsSuite:
    """Subclasses give the fixture `documents`: an empty store."""

    def test_nothing_is_found_in_an_empty_store(self, documents: Documents) -> None:
        assert documents.get("rows", ["a"]) == {}
        assert documents.get("rows", []) == {}
        assert documents.find("rows", {}) == []
        assert documents.count("rows", {}) == 0
        documents.put("rows", [])
        documents.delete("rows", [])
        documents.delete("rows", ["a"])
        documents.drop("rows")

    def test_a_document_comes_back_as_it_was_given(self, documents: Documents) -> None:
        fields = {
            "text": "升级\u0000\u001f😀",
            "big": 2**52,
            "none": None,
            "yes": True,
            "list": [1, [2, {"x": 3}]],
            "map": {"a.b": 1, "$c": 2, "é|😀": 3, "": 4},
        }
        put(documents, "集美|a.b$c", **fields)
        assert documents.get("rows", ["集美|a.b$c"]) == {"集美|a.b$c": {"_id": "集美|a.b$c", "revision": 1, **fields}}

    def test_what_was_read_is_a_copy(self, documents: Documents) -> None:
        mine: dict[str, Any] = {"_id": "a", "revision": 1, "list": []}
        documents.put("rows", [(0, mine)])
        mine["list"].append(1)
        documents.get("rows", ["a"])["a"]["list"].append(2)
        documents.find("rows", {})[0]["list"].append(3)
        assert documents.get("rows", ["a"])["a"]["list"] == []

    def test_only_the_ids_asked_for_come(self, documents: Documents) -> None:
        documents.put("rows", [(0, {"_id": f"r{n}", "revision": 1}) for n in range(300)])
        assert set(documents.get("rows", ["r1", "r299", "r300", "r1"])) == {"r1", "r299"}
        assert len(documents.get("rows", [f"r{n}" for n in range(300)])) == 300

    def test_a_document_is_replaced_at_the_revision_it_was_read_at(self, documents: Documents) -> None:
        put(documents, "a", 1, n=1, gone=1)
        put(documents, "a", 4, read_at=1, n=2)
        assert documents.get("rows", ["a"])["a"] == {"_id": "a", "revision": 4, "n": 2}

    @pytest.mark.parametrize("read_at", [0, 1, 3])
    def test_a_document_changed_since_is_stale(self, documents: Documents, read_at: int) -> None:
        put(documents, "a", 1)
        put(documents, "a", 2)
        with pytest.raises(StaleDocument):
            put(documents, "a", 9, read_at=read_at)
        assert documents.get("rows", ["a"])["a"]["revision"] == 2

    def test_a_document_that_is_gone_is_stale(self, documents: Documents) -> None:
        with pytest.raises(StaleDocument):
            put(documents, "a", 2)
        assert documents.get("rows", ["a"]) == {}

    def test_a_new_document_that_exists_is_stale(self, documents: Documents) -> None:
        put(documents, "b", n=1)
        with pytest.raises(StaleDocument):
            documents.put("rows", [(0, {"_id": "a", "revision": 1}), (0, {"_id": "b", "revision": 1, "n": 2})])
        assert documents.get("rows", ["b"])["b"]["n"] == 1

    def test_of_many_writers_at_one_revision_exactly_one_wins(self, documents: Documents) -> None:
        put(documents, "a", 1)
        won: list[int] = []

        def write(writer: int) -> None:
            for revision in range(2, 12):
                try:
                    put(documents, "a", revision)
                    won.append(revision)
                except StaleDocument:
                    pass

        threads = [threading.Thread(target=write, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(won) == list(range(2, documents.get("rows", ["a"])["a"]["revision"] + 1))
        assert won

    def test_deleting_removes_and_a_new_one_begins_again(self, documents: Documents) -> None:
        put(documents, "a")
        put(documents, "b")
        documents.delete("rows", ["a", "x"])
        assert set(documents.get("rows", ["a", "b"])) == {"b"}
        put(documents, "a", 1, n=2)
        assert documents.get("rows", ["a"])["a"]["n"] == 2

    def test_finding_filters_orders_pages_and_counts(self, documents: Documents) -> None:
        documents.ensure_index("rows", ["group", "n"])
        documents.ensure_index("rows", ["group", "n"])
        for n in (5, 3, 1, 4, 2):
            put(documents, f"a{n}", group="a", n=n)
        put(documents, "b1", group="b", n=1)
        assert [d["n"] for d in documents.find("rows", {"group": "a"}, "n")] == [1, 2, 3, 4, 5]
        assert [d["n"] for d in documents.find("rows", {"group": "a"}, "n", after=2)] == [3, 4, 5]
        assert [d["n"] for d in documents.find("rows", {"group": "a"}, "n", after=2, limit=2)] == [3, 4]
        assert [d["_id"] for d in documents.find("rows", {}, limit=2)] == ["a1", "a2"]
        assert [d["_id"] for d in documents.find("rows", {}, after="a4")] == ["a5", "b1"]
        assert documents.find("rows", {"group": "c"}) == []
        assert documents.find("rows", {"group": "a", "n": 9}) == []
        assert documents.count("rows", {"group": "a"}) == 5
        assert documents.count("rows", {}) == 6

    def test_ids_are_ordered_by_code_point(self, documents: Documents) -> None:
        """The digest of a generation reads in this order, so it must be one order everywhere."""
        ids = ["", "A", "a", "a|", "aa", "é", "集", "\uffee", "😀", "😀a"]
        documents.put("rows", [(0, {"_id": id, "revision": 1}) for id in reversed(ids)])
        assert [d["_id"] for d in documents.find("rows", {})] == sorted(ids)

    def test_a_list_is_found_by_what_it_holds(self, documents: Documents) -> None:
        put(documents, "a", teams=["x", "y"])
        put(documents, "b", teams=["z"])
        assert [d["_id"] for d in documents.find("rows", {"teams": "y"})] == ["a"]
        assert documents.count("rows", {"teams": "q"}) == 0

    def test_a_missing_field_sorts_first_and_is_after_nothing(self, documents: Documents) -> None:
        put(documents, "a", n=1)
        put(documents, "b")
        assert [d["_id"] for d in documents.find("rows", {}, "n")] == ["b", "a"]
        assert [d["_id"] for d in documents.find("rows", {}, "n", after=0)] == ["a"]
        assert [d["_id"] for d in documents.find("rows", {"n": None})] == ["b"]

    def test_a_collection_is_dropped_in_parts(self, documents: Documents) -> None:
        for n in range(100):
            put(documents, f"a{n}")
        parts = dropped(documents, "rows")
        assert sum(parts) == 100
        assert len(parts) > 2
        assert documents.find("rows", {}) == []

    def test_a_dropped_collection_is_empty_and_may_be_begun_again(self, documents: Documents) -> None:
        documents.ensure_index("rows", ["n"])
        put(documents, "a")
        documents.put("others", [(0, {"_id": "a", "revision": 1})])
        dropped(documents, "rows")
        assert documents.drop("rows") == 0
        assert documents.find("rows", {}) == []
        assert documents.count("others", {}) == 1
        documents.ensure_index("rows", ["n"])
        put(documents, "a", n=2)
        assert documents.find("rows", {"n": 2})[0]["_id"] == "a"
