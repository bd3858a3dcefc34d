"""What penalties do to a match: ahut-2018 二.4 (报牌), 二.6 (暗号)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.rules.guandan.charges import Charge, summed
from shared.rules.guandan.levels import Pair
from shared.rules.guandan.matches import GuandanHand, GuandanSummary, resum
from shared.rules.guandan.penalties import price
from shared.rules.guandan.results import result
from shared.rules.regulations import GuandanPreset, load_any

UP3, UP1, DOWN1 = (1, 3), (1, 2, 4, 3), (2, 1, 3, 4)
AHUT = load_any("ahut-2018")


def hands(*finishes: Sequence[int]) -> list[GuandanHand]:
    return [GuandanHand(number=number, finish=tuple(finish)) for number, finish in enumerate(finishes, 1)]


def omitted(preset: GuandanPreset, pair: Pair, *in_hands: int, code: str = "not_announced") -> list[Charge]:
    """The same omission in these hands, each at the price of its time."""
    return [
        Charge(code=code, hand=hand, pair=pair, effects=price(preset, code, time).effects)
        for time, hand in enumerate(in_hands, 1)
    ]


def sum_of(preset: GuandanPreset, played: list[GuandanHand], *charges: Charge) -> GuandanSummary:
    return summed(preset, "group", played, charges)


def test_the_second_omission_gives_the_opponents_a_level_after_the_hand(ahut: GuandanPreset) -> None:
    found = sum_of(ahut, hands(UP1, DOWN1), *omitted(ahut, "13", 1, 1))
    assert [change.levels["24"] for change in found.changes if change] == ["2", "4"]  # 2; one given, and one gained
    assert found.levels == {"13": "3", "24": "4"}


def test_it_waits_for_the_hand_in_play(ahut: GuandanPreset) -> None:
    charges = omitted(ahut, "13", 1, 2)
    assert sum_of(ahut, hands(UP1), *charges).levels["24"] == "2"
    assert sum_of(ahut, hands(UP1, UP1), *charges).levels == {"13": "4", "24": "3"}


def test_the_third_loses_the_match_in_its_hand(ahut: GuandanPreset) -> None:
    found = sum_of(ahut, hands(UP3, UP3, UP3), *omitted(ahut, "13", 1, 1, 2))
    assert (found.won_by, found.won_in, found.lost_by) == ("24", 2, "not_announced")
    assert [change is not None for change in found.changes] == [True, False, False]
    assert result(ahut, found, 60).points == (0, 1)
    assert [basis.article for basis in result(ahut, found, 60).basis] == ["二.4"]


def test_what_was_won_before_stays_won(ahut: GuandanPreset) -> None:
    passed = hands(UP3, UP3, UP3, UP3, UP3)
    found = sum_of(ahut, passed, *omitted(ahut, "13", 6, 6, code="signalling"))
    assert (found.won_by, found.lost_by) == ("13", None)


def test_a_lifted_penalty_costs_nothing(ahut: GuandanPreset) -> None:
    lifted = [
        Charge(code=c.code, hand=c.hand, pair=c.pair, effects=c.effects, lifted=True)
        for c in omitted(ahut, "13", 1, 1, 1)
    ]
    assert sum_of(ahut, hands(UP1), *lifted) == resum(ahut, "group", hands(UP1))


def test_of_two_pairs_that_lose_in_one_hand_the_first_decides(ahut: GuandanPreset) -> None:
    one = omitted(ahut, "13", 1, 1, code="signalling")
    other = omitted(ahut, "24", 1, 1, code="signalling")
    assert sum_of(ahut, hands(UP1), *one, *other).won_by == "24"
    assert sum_of(ahut, hands(UP1), *other, *one).won_by == "13"


@pytest.mark.parametrize("stage", ["group", "last8", "final"])
@given(finishes=st.lists(st.permutations([1, 2, 3, 4]), max_size=12), at=st.integers(1, 13))
def test_a_penalty_never_helps_the_pair_that_has_it(stage: str, finishes: list[list[int]], at: int) -> None:
    """No level more for it, none less for its opponents, as long as nobody passes A by it."""
    assert isinstance(AHUT, GuandanPreset)
    played = hands(*finishes)
    charge = Charge(code="not_announced", hand=min(at, len(played) + 1), pair="13", effects=("level_to_opponents",))
    without, found = resum(AHUT, stage, played), summed(AHUT, stage, played, [charge])  # type: ignore[arg-type]
    if without.won_by is None and found.won_by is None and stage != "final":
        order = "23456789TJQKA"
        assert order.index(found.levels["24"]) >= order.index(without.levels["24"])
        assert order.index(found.levels["13"]) <= order.index(without.levels["13"])
