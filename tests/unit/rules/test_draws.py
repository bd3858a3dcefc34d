"""Draws that anyone can repeat."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.rules.errors import RuleError
from shared.rules.formats.draws import commitment, lots, shuffle, verify

SEED = bytes.fromhex("3526b1dfdb93d9875eb0535984c3e3ae")


def test_the_commitment_is_the_sha256_of_the_seed() -> None:
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()


def test_the_revealed_seed_is_the_committed_one() -> None:
    published = commitment(SEED)
    assert verify(SEED, published)
    assert verify(SEED, published.upper())
    assert not verify(SEED[::-1], published)


def test_a_seed_that_could_be_guessed_is_refused() -> None:
    with pytest.raises(RuleError, match="needs 16"):
        commitment(b"short")


def test_the_order_is_repeated_from_the_published_data_alone() -> None:
    """The rule of the module's text, done by hand."""
    teams = ["T01", "T02", "T03"]
    by_hand = sorted(teams, key=lambda team: hashlib.sha256(SEED + b"\nround 1\n" + team.encode()).hexdigest())
    assert list(shuffle(SEED, "round 1", teams)) == by_hand


def test_chinese_names_are_drawn_by_their_utf8_bytes() -> None:
    teams = ["杏林", "集美", "灌口"]
    by_hand = sorted(teams, key=lambda team: hashlib.sha256(SEED + "\n抽签\n".encode() + team.encode()).hexdigest())
    assert list(shuffle(SEED, "抽签", teams)) == by_hand


@given(st.binary(min_size=16, max_size=32), st.lists(st.text(min_size=1), unique=True), st.data())
def test_the_order_in_which_the_items_are_given_does_not_matter(
    seed: bytes, items: list[str], data: st.DataObject
) -> None:
    drawn = shuffle(seed, "x", items)
    assert sorted(drawn) == sorted(items)
    assert shuffle(seed, "x", data.draw(st.permutations(items))) == drawn


def test_each_label_is_a_draw_of_its_own() -> None:
    teams = [f"T{n:02d}" for n in range(12)]
    assert len({shuffle(SEED, f"round {n}", teams) for n in range(10)}) == 10


def test_every_team_has_the_same_chance_to_be_first() -> None:
    """3,000 draws of three: a thousand each, give or take five standard deviations (26 each)."""
    firsts = [shuffle(n.to_bytes(16, "big"), "x", "ABC")[0] for n in range(3000)]
    assert all(abs(firsts.count(team) - 1000) < 130 for team in "ABC")


def test_lots_are_numbered_from_one_in_the_order_drawn() -> None:
    drawn = lots(SEED, "lot", ["C", "A", "B"])
    assert sorted(drawn.values()) == [1, 2, 3]
    assert sorted(drawn, key=lambda team: drawn[team]) == list(shuffle(SEED, "lot", ["A", "B", "C"]))
