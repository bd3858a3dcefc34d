"""A pairing made by hand is checked by the rules of the engine."""

from __future__ import annotations

import pytest

from shared.rules.errors import BadCompetition, PairingRefused
from shared.rules.formats.competition import Competition, Order, check
from shared.rules.formats.swiss import HandPairing, Pairing, pair, pair_by_hand
from shared.rules.regulations import Preset
from tests.unit.rules.tables import competition, round_of

SEED = bytes(range(16))
# points A 2, C 2, B 0, D 0
PLAYED = round_of(1, "A-B 2:0, C-D 2:0")


def by_hand(preset: Preset, table: Competition, pairs: str, bye: str | None = None) -> Pairing:
    made = [pair.split("-") for pair in pairs.split()]
    return pair_by_hand(preset, table, SEED, HandPairing(pairs=tuple((one, two) for one, two in made), bye=bye))


def test_the_engines_own_pairing_gives_up_nothing(jimei: Preset) -> None:
    table = competition("A B C D", PLAYED)
    assert by_hand(jimei, table, "A-C B-D").gave_up == ()
    assert by_hand(jimei, table, "A-C B-D").matches[0].teams == ("A", "C")


def test_the_first_named_sits_as_pair_13(jimei: Preset) -> None:
    assert by_hand(jimei, competition("A B C D", PLAYED), "C-A D-B").matches[0].teams == ("C", "A")


def test_floating_further_than_needed_is_told_with_both_figures(jimei: Preset) -> None:
    pairing = by_hand(jimei, competition("A B C D", PLAYED), "A-D B-C")  # 2 + 2 against 0
    assert pairing.gave_up == ("least_floats",)
    assert "4 by hand, and 0" in pairing.why[0].en


def test_a_meeting_repeated_without_need_is_told(jimei: Preset) -> None:
    pairing = by_hand(jimei, competition("A B C D", PLAYED), "A-B C-D")
    assert pairing.gave_up == ("no_rematch", "least_floats")
    assert "2 by hand, and 0" in pairing.why[0].en


def test_a_bye_that_a_lower_group_could_take_is_told(jimei: Preset) -> None:
    table = competition("A B C D E", round_of(1, "A-B 2:0, C-D 2:0", bye="E"))  # points A C E 2, B D 0
    assert by_hand(jimei, table, "C-E B-D", bye="A").gave_up == ("lowest_bye",)


def test_a_second_bye_is_told(jimei: Preset) -> None:
    table = competition("A B C D E", round_of(1, "A-B 2:0, C-D 2:0", bye="E"))
    assert "one_bye" in by_hand(jimei, table, "A-C B-D", bye="E").gave_up


def test_what_no_pairing_keeps_keeps_its_proof(jimei: Preset) -> None:
    pairing = by_hand(jimei, competition("A B", round_of(1, "A-B 2:0")), "A-B")
    assert pairing.gave_up == ("no_rematch",)
    assert pairing.proofs[0] is not None


@pytest.mark.parametrize(
    ("pairs", "bye", "more", "said"),
    [
        ("A-B C-X", None, {}, "X does not play"),
        ("A-B A-C", None, {}, "A stands in it 2 times"),
        ("A-C", None, {}, "B, D stand in no pair"),
        ("A-C", "B", {}, "D stand in no pair"),
        ("A-C B-D", None, {"forbidden": (("C", "A"),)}, "may not meet"),
        ("A-C B-D", None, {"fixed": (("A", "D"),)}, "are fixed"),
        ("A-C B-D", None, {"withdrawn": ("D",)}, "D does not play"),
    ],
)
def test_what_is_no_round_is_refused(
    jimei: Preset, pairs: str, bye: str | None, more: dict[str, object], said: str
) -> None:
    with pytest.raises(PairingRefused, match=said) as refused:
        by_hand(jimei, competition("A B C D", PLAYED, **more), pairs, bye)
    assert refused.value.code == "bad_pairing"


def test_who_fixed_a_pair_and_why_is_told(jimei: Preset) -> None:
    order = Order(teams=("B", "A"), by="chief referee", why="filmed match")
    table = competition("A B C D", PLAYED, fixed=(("A", "B"),), orders=(order,))
    assert "(chief referee: filmed match)" in pair(jimei, table, SEED).why[0].en


def test_an_order_belongs_to_a_pair_that_is_fixed_or_forbidden() -> None:
    with pytest.raises(BadCompetition, match=r"orders\[0\]"):
        check(competition("A B C D", orders=(Order(teams=("A", "B"), by="x", why="y"),)))
