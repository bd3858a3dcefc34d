"""亮主, 加固, 反主 and the kitty's trump: jimei-2018 十一.2, zhongshan-2013 七（一）4, shandong-2023 八.2 and 八.3."""

from __future__ import annotations

from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.rules.cards import read_cards
from shared.rules.errors import RuleError
from shared.rules.regulations import Preset, load
from shared.rules.shengji.trumps import Phase, Shown, show, trump_of_kitty

ALL = ["jimei-2018", "zhongshan-2013", "shandong-2023"]


def shown(preset: Preset, *showings: tuple[int, str], phase: str = "dealing", dealer: int | None = None) -> Shown:
    """What holds after these showings at level 2; the last one is made in this phase."""
    history: list[Shown] = []
    for seat, cards in showings[:-1]:
        history.append(show(preset, "2", history, seat, read_cards(cards, "cards")))
    seat, cards = showings[-1]
    return show(preset, "2", history, seat, read_cards(cards, "cards"), cast(Phase, phase), dealer)


def refused(preset: Preset, *showings: tuple[int, str], phase: str = "dealing", dealer: int | None = None) -> str:
    """The article that refuses the last showing."""
    with pytest.raises(RuleError) as refusal:
        shown(preset, *showings, phase=phase, dealer=dealer)
    assert refusal.value.code == "showing_refused"
    return refusal.value.article or ""


@pytest.mark.parametrize("regulation", ALL)
def test_a_level_card_shows_its_suit_and_a_pair_overturns_it(regulation: str) -> None:
    preset = load(regulation)
    assert shown(preset, (1, "S2")).trump == "S"
    assert shown(preset, (1, "S2"), (2, "D2 D2")).trump == "D"  # 如有双张X可“反”主
    assert refused(preset, (1, "S2"), (2, "D2"))
    assert refused(preset, (1, "S2 S2"), (2, "D2 D2"))


@pytest.mark.parametrize("regulation", ALL)
@pytest.mark.parametrize("cards", ["S3", "LJ", "BJ", "S2 D2", "S3 S3", "LJ BJ"])
def test_other_cards_show_nothing(regulation: str, cards: str) -> None:
    assert refused(load(regulation), (1, cards))


def test_zhongshan_pairs_of_jokers_overturn_and_make_no_trump(zhongshan: Preset) -> None:
    # 一对2可以反，一对小王可以反，一对大王也可以反
    assert shown(zhongshan, (1, "S2"), (2, "D2 D2"), (3, "LJ LJ"), (4, "BJ BJ")).trump == "N"
    assert refused(zhongshan, (1, "BJ BJ"), (2, "LJ LJ")) == "七（一）4"
    assert refused(load("jimei-2018"), (1, "S2"), (2, "LJ LJ")) == "十一.2"  # 有将定约


def test_strengthening_is_no_overturning(zhongshan: Preset) -> None:  # 自己不能反自己，但亮牌后可以加固
    assert shown(zhongshan, (1, "S2"), (1, "S2 S2")).kind == "level_pair"
    assert refused(zhongshan, (1, "S2"), (1, "D2 D2")) == "七（一）4"
    assert shown(load("jimei-2018"), (1, "S2"), (1, "S2 S2")).trump == "S"
    assert refused(load("shandong-2023"), (1, "S2"), (1, "D2 D2")) == "八.2"  # 自己亮出的不可“反”


def test_zhongshan_the_owner_of_an_overturned_single_comes_back_with_its_pair(zhongshan: Preset) -> None:
    # 一方亮了黑桃2，另一方用一对梅花2反了，原先的一方可以用一对黑桃2反过来
    assert shown(zhongshan, (1, "S2"), (2, "C2 C2"), (1, "S2 S2")).trump == "S"
    assert refused(zhongshan, (1, "S2"), (2, "C2 C2"), (3, "S2 S2"))
    assert refused(zhongshan, (1, "S2"), (2, "C2 C2"), (1, "H2 H2"))
    assert refused(load("jimei-2018"), (1, "S2"), (2, "C2 C2"), (1, "S2 S2"))


@pytest.mark.parametrize(
    ("regulation", "phase", "seat", "allowed"),
    [
        ("jimei-2018", "dealt", 1, True),  # 庄家反主必须在抓底牌之前
        ("jimei-2018", "kitty_taken", 1, False),
        ("jimei-2018", "kitty_taken", 3, False),
        ("jimei-2018", "kitty_taken", 2, True),  # 防守方反主可以在庄家出牌之前
        ("jimei-2018", "dealer_led", 2, False),
        ("zhongshan-2013", "dealt", 2, True),  # 必须是抓起底牌之前反
        ("zhongshan-2013", "kitty_taken", 2, False),
        ("shandong-2023", "kitty_taken", 2, False),
    ],
)
def test_the_last_chance(regulation: str, phase: str, seat: int, allowed: bool) -> None:
    preset, showings = load(regulation), ((4, "S2"), (seat, "D2 D2"))
    if allowed:
        assert shown(preset, *showings, phase=phase, dealer=1).trump == "D"
    else:
        assert refused(preset, *showings, phase=phase, dealer=1)


@pytest.mark.parametrize(
    ("regulation", "first_hand", "kitty", "trump"),
    [
        ("jimei-2018", True, "S3 H3", None),  # 第一副牌至抓牌结束没有牌手抢庄时，重洗重抓
        ("jimei-2018", False, "S3 H2", "S"),  # 由底牌第一张牌花色以确定将牌
        ("jimei-2018", False, "BJ LJ H2 S3", "H"),  # 如该张牌为大小王，则顺延
        ("zhongshan-2013", True, "S3 H3", None),
        ("zhongshan-2013", False, "LJ C3", "C"),
        ("shandong-2023", True, "S3 H2 D2 C4", "H"),  # 如有X，则按1，2，3，4顺序以X的花色为主牌
        ("shandong-2023", False, "S3 H3 D4 C4", "C"),  # 如没有X，则依底牌第四张花色
        ("shandong-2023", False, "S3 H3 D4 BJ", "D"),  # a joker there: the third
        ("shandong-2023", False, "S3 LJ LJ BJ", "S"),
        ("shandong-2023", False, "BJ LJ LJ BJ", None),
    ],
)
def test_nobody_showed(regulation: str, first_hand: bool, kitty: str, trump: str | None) -> None:
    assert trump_of_kitty(load(regulation), "2", read_cards(kitty, "kitty"), first_hand).trump == trump


# A second reading: what a showing needs over the one that holds


STRENGTH = {"X": 1, "XX": 2, "LJ LJ": 3, "BJ BJ": 4}


def holds(regulation: str, showings: list[tuple[int, str]], seat: int, cards: str) -> bool:
    """Whether the words let this showing follow those that held, at level 2."""
    shape = cards.replace("S2", "X").replace("H2", "X").replace("C2", "X").replace("D2", "X").replace("X X", "XX")
    suits = {card[0] for card in cards.split(" ")}
    known = STRENGTH if regulation == "zhongshan-2013" else {"X": 1, "XX": 2}  # jokers overturn in zhongshan only
    if shape not in known or len(suits) > 1:
        return False
    if not showings:
        return True
    last_seat, last = showings[-1]
    if last_seat == seat:  # 自己不能反自己，但亮牌后可以加固
        twin = shape == "XX" and last == cards.split(" ")[0]
        return twin and regulation != "shandong-2023"  # 自己亮出的不可“反”, and no word of 加固 there
    stands = known["XX" if last[0] in "SHCD" and " " in last else "X" if last[0] in "SHCD" else last]
    own_single = (seat, cards.split(" ")[0]) in showings  # 首次亮的单张主牌……原先的一方可以用一对黑桃2反过来
    comes_back = regulation == "zhongshan-2013" and shape == "XX" and stands == 2 and own_single
    return known[shape] > stands or comes_back


SHOWN = ["S2", "H2", "C2", "D2", "S2 S2", "H2 H2", "C2 C2", "D2 D2", "LJ LJ", "BJ BJ", "LJ", "S2 H2", "LJ BJ", "S3"]


@pytest.mark.parametrize("regulation", ALL)
@given(st.lists(st.tuples(st.integers(1, 4), st.sampled_from(SHOWN)), max_size=7))
@settings(max_examples=400)
def test_showings_in_a_row_hold_as_a_second_reading_says(regulation: str, tried: list[tuple[int, str]]) -> None:
    preset = load(regulation)
    made: list[tuple[int, str]] = []
    engine: list[Shown] = []
    for seat, cards in tried:
        try:
            engine.append(show(preset, "2", engine, seat, read_cards(cards, "cards")))
            allowed = True
        except RuleError:
            allowed = False
        assert allowed == holds(regulation, made, seat, cards), (made, seat, cards)
        if allowed:
            made.append((seat, cards))
