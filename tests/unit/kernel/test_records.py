"""Guarantee: "Leaf = canonical bytes (RFC 8785) of an event as stored": `canonical` equals an independent
implementation over every value that Pailu writes, and hashes cover everything in a commit."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest
import rfc8785
from bson.int64 import Int64
from hypothesis import example, given
from hypothesis import strategies as st

from shared.eventsourcing.clock import EPOCH, from_micros, to_micros
from shared.eventsourcing.records import GENESIS, Recorded, canonical, commit_hash, leaf, sealed
from tests.support.kernel import START
from tests.support.toys import commit, envelope

# every character but lone surrogates, which UTF-8 cannot hold; the odd ones more often than chance would have them
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8) | st.text(
    st.sampled_from('\x00\x01\b\t\n\f\r\x1f\x7f\x80"\\/é集\u2028\ud7ff\ue000\ufb33\uffff😀\U0010ffff'), max_size=4
)
INTEGERS = st.integers(-(2**53) + 1, 2**53 - 1)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | INTEGERS | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=5),
    max_leaves=20,
)


@given(VALUES)
@example({"\ufb33": 1, "😀": 2, "a": {"\uffff": [], "\U00010000": {}}})
@example({"\x7f": "\x00\x08\t\n\x0b\f\r\x1f\u2028", "": '\\"/', "10": 1, "9": 2})
def test_canonical_equals_an_independent_rfc_8785(value: Any) -> None:
    assert canonical(value) == rfc8785.dumps(value)


@given(VALUES)
def test_canonical_is_a_fixed_point(value: Any) -> None:
    """What was stored and read again has the same bytes."""
    assert canonical(msgspec.json.decode(canonical(value))) == canonical(value)


class Fact(msgspec.Struct, frozen=True):
    zeta: str
    alpha: dict[str, int]
    at: datetime
    nothing: int | None = None


def test_an_event_is_written_with_sorted_fields_and_utc_microseconds() -> None:
    at = datetime(2018, 11, 12, 4, 0, 0, 1, tzinfo=UTC)
    assert canonical(Fact("集", {"b": 1, "a": 2}, at)) == (
        '{"alpha":{"a":2,"b":1},"at":"2018-11-12T04:00:00.000001Z","nothing":null,"zeta":"集"}'.encode()
    )


def test_a_drivers_integers_have_the_bytes_of_integers() -> None:
    assert canonical({"n": [Int64(2**40)]}) == b'{"n":[1099511627776]}'
    with pytest.raises(TypeError, match="object"):
        canonical(object())


CHANGES: dict[str, Any] = {
    "service": "x",
    "stream": "x",
    "first": 2,
    "events": (Recorded("Played", 1, b"{}"),),
    "competition": "x",
    "command": "x",
    "fingerprint": "x",
    "actor": "x",
    "role": "x",
    "causation": "x",
    "correlation": "y",
    "received_at": START + timedelta(microseconds=1),
    "stamp": 99,
    "previous_hash": "1" * 64,
}


@pytest.mark.parametrize("field", [f for f in commit().__struct_fields__ if f != "hash"])
def test_a_commits_hash_covers(field: str) -> None:
    whole = commit()
    changed = msgspec.structs.replace(whole, **{field: CHANGES[field]})
    assert commit_hash(changed) != whole.hash
    assert sealed(changed).hash == commit_hash(changed)


def test_a_commit_knows_its_place() -> None:
    one = commit("s", 4, 3)
    assert (one.id, one.last, one.previous_hash) == ("s@4", 6, GENESIS)


def test_a_leaf_holds_the_event_as_stored() -> None:
    entry = envelope(7, 3)
    body = msgspec.json.decode(leaf(entry))
    assert body["data"] == {"team": "t", "points": 7}
    assert (body["position"], body["previous"]) == (7, 3)
    assert leaf(entry) == rfc8785.dumps(body)


@given(st.datetimes(timezones=st.just(UTC)))
def test_time_is_kept_to_the_microsecond(instant: datetime) -> None:
    assert from_micros(to_micros(instant)) == instant
    assert to_micros(EPOCH) == 0
