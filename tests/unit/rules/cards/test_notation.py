"""Cards as RECORDS writes them."""

from __future__ import annotations

import pytest

from shared.rules.cards import CARDS, CODES, read_cards, write_cards
from shared.rules.errors import RuleError
from shared.rules.regulations import load
from shared.rules.shengji.order import order


def test_there_are_54_cards_and_each_has_its_code() -> None:
    assert len(CARDS) == len(set(CARDS)) == 54  # four suits of thirteen and two jokers
    assert [CODES[card] for card in CARDS] == list(range(54))


def test_what_is_written_is_read_again() -> None:
    assert write_cards(read_cards("SA S3 BJ LJ HT", "cards")) == "SA S3 BJ LJ HT"


@pytest.mark.parametrize("text", ["S1", "S10", "sa", "XA", "JB", "SA,SK", "SA  SK", " SA", "SA ", "S", "♠A"])
def test_what_is_no_card_is_refused_by_name(text: str) -> None:
    with pytest.raises(RuleError) as refused:
        read_cards(text, "play")
    assert (refused.value.code, refused.value.field) == ("bad_card", "play")


@pytest.mark.parametrize("text", ["SA SA SA", "BJ LJ BJ BJ", "S3 S4 S3 S5 S3"])
def test_a_card_is_there_twice_at_most(text: str) -> None:
    with pytest.raises(RuleError) as refused:
        read_cards(text, "play")
    assert refused.value.code == "duplicate_card"


@pytest.mark.parametrize("value", ["", 5, None, ["SA"], True])
def test_what_is_no_text_of_cards_is_a_bad_value(value: object) -> None:
    with pytest.raises(RuleError) as refused:
        read_cards(value, "play")
    assert refused.value.code == "bad_value"


def test_output_has_the_highest_first() -> None:
    shown = order(load("jimei-2018"), "H", "5").sorted(read_cards("D2 S3 SA H3 D5 H5 LJ S5 BJ C2", "cards"))
    assert write_cards(shown) == "BJ LJ H5 S5 D5 H3 SA S3 C2 D2"
