"""How many cards a wrong follow kept back: zhongshan-2013 七（一）8 (少跟多少个，则扣牌数; 花色不对按出错的张数)."""

from __future__ import annotations

import pytest

from shared.rules.cards import read_cards
from shared.rules.regulations import load
from shared.rules.shengji.follow import follow
from shared.rules.shengji.hand import Hand
from shared.rules.shengji.led import lead
from shared.rules.shengji.order import order
from shared.rules.shengji.withheld import seen_at, wrong_cards

ZHONGSHAN = load("zhongshan-2013")
ORDER = order(ZHONGSHAN, "H", "2")
PAIR = 2


@pytest.mark.parametrize(
    ("led", "hand", "play", "because", "wrong"),
    [
        ("SA SK SQ", "S3 S4 S5 S6 D4 D5", "S3 D4 D5", "suit_withheld", 2),
        ("SA SK SQ", "S3 S4 D4 D5 D6", "S3 D4 D5", "suit_withheld", 1),  # two were all that could be given
        ("SA SK SQ", "S3 D4 D5 D6", "D4 D5 D6", "suit_withheld", 1),
        ("SA SA SQ SQ", "S3 S3 S5 S5 S7 S9", "S3 S3 S5 S7", "pair_withheld", PAIR),  # 如少跟1对,扣20分
        ("SA SA SQ SQ", "S3 S3 S5 S5 S7 S9", "S3 S5 S7 S9", "pair_withheld", 2 * PAIR),
        ("SA SA SQ SQ", "S3 S3 S5 S7 S9", "S3 S5 S7 S9", "pair_withheld", PAIR),  # one pair was all that could be given
        ("S3 S3 S4 S4", "S7 S7 S8 S8 SJ SJ SQ", "S7 S7 SJ SJ", "tractor_withheld", PAIR),
        ("S3 S3 S4 S4", "S7 S7 S8 S8 SJ SJ SQ SA", "SJ SJ SQ SA", "tractor_withheld", 2 * PAIR),
        ("S3 S3 S4 S4", "S7 S7 S8 S8 S9 S9 SJ", "S7 S7 S9 S9", "tractor_withheld", PAIR),  # kindest: S8 beside either
        ("S3 S3 S4 S4", "S7 S7 S8 S8 S9 S9 SJ SJ", "S7 S7 SJ SJ", "tractor_withheld", PAIR),  # kindest: S8 with S7
        # three pairs led, two consecutive ones held: two are due as a tractor
        ("S3 S3 S4 S4 S5 S5", "S7 S7 S8 S8 SJ SJ SA SA", "S7 S7 SJ SJ SA SA", "tractor_withheld", PAIR),
        ("S3 S3 S4 S4 S5 S5", "S7 S7 S8 S8 SJ SJ SA SK SQ", "SJ SJ SA SK SQ S7", "tractor_withheld", 2 * PAIR),
        # the longer tractor was answered and the shorter one was not: a pair at least
        ("S3 S3 S4 S4 S5 S5 S7 S7 S8 S8", "S9 S9 ST ST SJ SJ SK SK SA SA S6 S6 SQ",
         "S9 S9 ST ST SJ SJ SK SK S6 S6", "tractor_withheld", PAIR),
        ("S3 S3 S4 S4 S5 S5 S7 S7 S8 S8", "S9 S9 ST ST SJ SJ SK SK SA SA S6 S6 SQ",
         "S9 S9 ST SK SK SA SA S6 S6 SQ", "tractor_withheld", 2 * PAIR),
    ],
)  # fmt: skip
def test_what_is_counted(led: str, hand: str, play: str, because: str, wrong: int) -> None:
    format_led = lead(ORDER, read_cards(led, "led"))
    assert format_led is not None
    held, given = Hand(ORDER, read_cards(hand, "hand")), read_cards(play, "play")
    found = follow(ZHONGSHAN.follow, format_led, held, given)
    assert found == because
    assert wrong_cards(format_led, held, given, found) == wrong


@pytest.mark.parametrize(
    ("led", "play", "later", "seen"),
    [
        ("SA", "D4", [(3, "D5"), (5, "S3"), (7, "S4")], 5),
        ("SA", "D4", [(3, "D5"), (5, "D6")], None),
        ("S5 S5", "S3 S7", [(4, "S3"), (6, "S7")], 4),  # with the second S3 the pair is seen
        ("S5 S5", "S3 S7", [(4, "S9"), (6, "S8")], None),
        ("S3 S3 S4 S4", "S7 S7 SJ SJ", [(2, "S8"), (9, "S8")], 9),
    ],
)
def test_it_is_seen_when_the_player_shows_it(
    led: str, play: str, later: list[tuple[int, str]], seen: int | None
) -> None:
    format_led = lead(ORDER, read_cards(led, "led"))
    assert format_led is not None
    after = [(trick, read_cards(cards, "later")) for trick, cards in later]
    hand = Hand(ORDER, [*read_cards(play, "play"), *(card for _, cards in after for card in cards)])
    assert seen_at(ZHONGSHAN.follow, format_led, hand, read_cards(play, "play"), after) == seen
