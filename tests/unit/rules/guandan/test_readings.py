"""Readings and comparing: ahut-2018 二.1, 二.2, 二.3, and the rulings ahut 4 and 5."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.rules.errors import RuleError
from shared.rules.guandan.cards import LEVELS, RANK_OF, SUITS, position
from shared.rules.guandan.plays import beats_led, classify, compare
from shared.rules.guandan.readings import table
from shared.rules.regulations import GuandanPreset, changed, load_any
from tests.unit.rules.guandan import oracle

CARDS = sorted(RANK_OF)
DECK = [card for card in CARDS for _ in range(2)]


def named(preset: GuandanPreset, level: str, cards: str) -> list[str]:
    """The readings, as `kind rank size`."""
    return [f"{r.kind} {r.rank} {r.size}" for r in classify(preset, level, cards.split())]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("level", "cards", "readings"),
    [
        ("2", "S7", ["single 7 1"]),  # 单牌：单个牌
        ("2", "BJ", ["single BJ 1"]),
        ("2", "S7 D7", ["pair 7 2"]),  # 对牌
        ("2", "LJ LJ", ["pair LJ 2"]),
        ("2", "LJ BJ", []),
        ("2", "S7 D7 C7", ["triple 7 3"]),  # 三张牌
        ("2", "S5 D5 C5 SQ DQ", ["full_house 5 5"]),  # 三带二：如 555QQ、JJJ33
        ("2", "SJ DJ CJ S3 D3", ["full_house J 5"]),
        ("2", "SJ DJ CJ BJ BJ", ["full_house J 5"]),  # ruling 5: two equal jokers
        ("2", "SJ DJ CJ LJ BJ", []),
        ("2", "SJ DJ CJ S3 D4", []),
        ("9", "SA S2 D3 S4 S5", ["straight 5 5"]),  # 如：A-2-3-4-5或10-J-Q-K-A
        ("9", "ST SJ DQ SK SA", ["straight A 5"]),
        ("9", "SJ SQ DK SA S2", []),  # never wrapping
        ("9", "S2 S3 D4 S5 S6 S7", []),  # 不可超过五张
        ("9", "SQ SK DA BJ LJ", []),  # 不包括双王
        ("9", "SA S2 S3 S4 S5", ["straight_flush 5 5"]),  # 最小的为A-2-3-4-5, and no plain straight
        ("9", "ST SJ SQ SK SA", ["straight_flush A 5"]),  # 最大的同花顺10-J-Q-K-A
        ("2", "S3 D3 S4 D4 S5 D5", ["tube 5 6"]),  # 如：334455
        ("2", "S7 D7 S8 D8 S9 D9", ["tube 9 6"]),  # 778899
        ("9", "SA DA SK DK SQ DQ", ["tube A 6"]),  # 最大的是AAKKQQ
        ("9", "SA DA S2 D2 S3 D3", ["tube 3 6"]),  # 最小的是AA2233
        ("9", "SK DK SA DA S2 D2", []),
        ("9", "S3 D3 S4 D4 S5 D5 S6 D6", []),  # 不可超过3对
        ("2", "S3 D3 C3 S4 D4 C4", ["plate 4 6"]),  # 如：333444
        ("9", "SA DA CA S2 D2 C2", ["plate 2 6"]),
        ("9", "SA DA CA SK DK CK", ["plate A 6"]),
        ("9", "S3 D3 C3 S4 D4 C4 S5 D5 C5", []),  # 不可超过2个
        ("2", "S9 H9 C9 D9", ["bomb 9 4"]),
        ("3", "S9 S9 H9 H9 C9 C9 D9 D9", ["bomb 9 8"]),  # 八张同数值牌
        ("3", "S9 S9 H9 H9 C9 C9 D9 D9 H3 H3", ["bomb 9 10"]),  # 如和八张一起，可变为10张的炸弹
        ("2", "LJ LJ BJ BJ", ["joker_bomb BJ 4"]),  # 四王
        ("2", "LJ LJ BJ", []),
        ("2", "S3 D4", []),
    ],
)
def test_the_kinds_of_play(ahut: GuandanPreset, level: str, cards: str, readings: list[str]) -> None:
    assert named(ahut, level, cards) == readings


@pytest.mark.parametrize(
    ("level", "cards", "readings"),
    [
        ("5", "H5", ["single 5 1"]),  # ruling 5: a wild alone, or two alone
        ("5", "H5 H5", ["pair 5 2"]),
        ("5", "H5 S5", ["pair 5 2"]),
        ("5", "H5 H5 S5", ["triple 5 3"]),
        ("5", "H5 S9", ["pair 9 2"]),
        ("5", "H5 BJ", []),  # 除鬼外可配任何牌
        ("5", "H5 LJ LJ BJ", []),
        ("2", "S9 H9 C9 H2", ["bomb 9 4"]),  # “9999”与“9992”一样大
        ("2", "ST SJ SQ H2 SA", ["straight_flush A 5", "straight A 5"]),  # “10-J-Q-K-A”与“10-J-Q-2-A”一样大
        # 打10，2+3+4+红桃10+6，可组成2，3，4，5（红桃10），6顺子
        ("T", "S2 D3 S4 HT S6", ["straight 6 5"]),
        ("5", "S2 C3 D4 C6 H5", ["straight 6 5"]),  # the wild in its own place
        ("5", "H3 H4 H5 H6 H7", ["straight_flush 7 5", "straight 7 5"]),  # a wild among them: both readings stand
        ("5", "S3 S4 S6 S7 H5", ["straight_flush 7 5", "straight 7 5"]),
        ("5", "SA HA D2 H5 H5", ["full_house A 5", "full_house 2 5"]),
        ("5", "SA HA CA H5 H5", ["bomb A 5", "full_house A 5"]),
        ("5", "SA HA H5 BJ BJ", ["full_house A 5"]),
        # SK DK + two wilds + SA DA: the tube Q K A; K K K and A A A
        ("5", "SK DK SA DA H5 H5", ["plate A 6", "tube A 6"]),
        ("A", "SK DK SQ DQ HA HA", ["plate K 6", "tube A 6", "tube K 6"]),
    ],
)
def test_a_wild_is_any_card_but_a_joker(ahut: GuandanPreset, level: str, cards: str, readings: list[str]) -> None:
    assert named(ahut, level, cards) == readings


@pytest.mark.parametrize("level", LEVELS)
def test_the_level_order_is_total(level: str) -> None:  # 大王，小王，10，A，K，…，2
    places = {name: position(rank, level) for rank, name in enumerate([*oracle.RANKS, "LJ", "BJ"])}  # type: ignore[arg-type]
    assert sorted(places, key=lambda name: places[name]) == oracle.order(level)
    assert sorted(places.values()) == list(range(15))


def test_at_ten_the_order_is_the_one_printed(ahut: GuandanPreset) -> None:
    printed = ["BJ", "LJ", "ST", "SA", "SK", "SQ", "SJ", "S9", "S8", "S7", "S6", "S5", "S4", "S3", "S2"]
    for higher, lower in pairwise(printed):
        assert compare(ahut, "T", [higher], [lower]) == "first"


def test_bombs_in_the_order_of_the_text(ahut: GuandanPreset) -> None:
    """四王—六张和六张以上炸弹—同花顺—五张炸弹—四张炸弹—其它牌型, more cards first among the long ones."""
    falling = [
        "LJ LJ BJ BJ",
        "S3 S3 H3 H3 C3 C3 D3 D3 H2 H2",
        "S3 S3 H3 H3 C3 C3 D3 D3 H2",
        "S4 S4 H4 H4 C4 C4 D4 D4",
        "S5 S5 H5 H5 C5 C5 D5",
        "S6 S6 H6 H6 C6 C6",
        "ST SJ SQ SK SA",
        "SA S2 S3 S4 S5",
        "SK SK HK HK CK",
        "S2 S2 C2 C2",
        "SA SA CA CA",
        "S3 S3 C3 C3",
    ]
    for place, one in enumerate(falling):
        for two in falling[place + 1 :]:
            assert compare(ahut, "2", one.split(), two.split()) == "first"
            assert compare(ahut, "2", two.split(), one.split()) == "second"
    for ordinary in ("BJ", "BJ BJ", "SA DA CA", "SA DA CA BJ BJ", "ST DJ SQ SK SA", "SA DA SK DK SQ DQ"):
        assert compare(ahut, "2", falling[-1].split(), ordinary.split()) == "first"


@pytest.mark.parametrize(
    ("level", "first", "second", "winner"),
    [
        ("2", "S9 H9 C9 D9", "S9 H9 C9 H2", "neither"),  # 一样大
        ("5", "S5", "SA", "first"),  # level order in singles
        ("5", "S5 D5 C5 S3 D3", "SA DA CA SK DK", "first"),  # and in the triples of full houses
        ("5", "S5 D5 C5 S3 D3", "S5 C5 C5 SK DK", "neither"),  # the pair decides nothing
        ("5", "S2 S3 D4 S5 S6", "S3 S4 D5 S6 S7", "second"),  # natural place in straights
        ("A", "SA S2 D3 S4 S5", "S2 S3 D4 S5 S6", "second"),  # A is low there, whatever the level
        ("5", "S4 D4 S5 D5 S6 D6", "S5 D5 S6 D6 S7 D7", "second"),
        ("5", "S9 D9 S8 D8 S7 D7", "S9 D9 C9 S8 D8 C8", "neither"),  # same number of cards, another kind
        ("5", "S9 D9", "SK", "neither"),
        ("5", "S9 D8", "SK", "neither"),  # no play
    ],
)
def test_only_the_same_kind_and_count_compare(
    ahut: GuandanPreset, level: str, first: str, second: str, winner: str
) -> None:
    assert compare(ahut, level, first.split(), second.split()) == winner  # type: ignore[arg-type]


def test_a_follow_takes_the_weakest_reading_that_beats(ahut: GuandanPreset) -> None:
    """S2 S3 S4 S5 with a wild: straight flush to 6 or to 5, straight to 6 or to 5; over a straight to 5 the straight to
    6 is enough, over a straight to 6 only a straight flush."""
    play = ["S2", "S3", "S4", "S5", "H9"]
    over_five = beats_led(ahut, "9", ["SA", "D2", "S3", "S4", "S5"], play)
    over_six = beats_led(ahut, "9", ["S2", "D3", "S4", "S5", "S6"], play)
    assert over_five.reading is not None
    assert (over_five.reading.kind, over_five.reading.rank) == ("straight", "6")
    assert over_six.reading is not None
    assert (over_six.reading.kind, over_six.reading.rank) == ("straight_flush", "5")


def test_nothing_beats_what_is_no_play(ahut: GuandanPreset) -> None:
    assert not beats_led(ahut, "9", ["S2", "S4"], ["LJ", "LJ", "BJ", "BJ"]).beats


@pytest.mark.parametrize(
    "reading",
    [{"kind": "pair", "rank": "8"}, {"kind": "pair", "rank": "9", "size": 3}, {"kind": "twins", "rank": "9"}, "pair"],
)
def test_a_reading_that_the_cards_do_not_have_is_refused(ahut: GuandanPreset, reading: object) -> None:
    with pytest.raises(RuleError) as error:
        compare(ahut, "2", ["S9", "D9"], ["S3", "D3"], reading)
    assert (error.value.code, error.value.field) == ("bad_value", "first_reading")


def test_parameters_change_the_rules(ahut: GuandanPreset) -> None:
    """A straight flush above bombs of six, no ace below the two, no jokers in a full house, suited straights plain too:
    data, not code."""
    own = changed(
        ahut,
        {
            "plays.straight_flush_over": 6,
            "plays.ace": "high",
            "plays.full_house_joker_pair": False,
            "plays.suited_straight": "both",
        },
    )
    assert compare(own, "2", ["S3", "S4", "S5", "S6", "S7"], ["S9", "S9", "H9", "H9", "C9", "C9"]) == "first"
    assert compare(own, "2", ["S3", "S4", "S5", "S6", "S7"], ["S9", "S9", "H9", "H9", "C9", "C9", "D9"]) == "second"
    assert named(own, "9", "SA S2 D3 S4 S5") == []
    assert named(own, "9", "SJ DJ CJ BJ BJ") == []
    assert named(own, "9", "S3 S4 S5 S6 S7") == ["straight_flush 7 5", "straight 7 5"]


def test_a_table_is_made_once_for_a_regulation_and_a_level(ahut: GuandanPreset) -> None:
    assert table(ahut.plays, "7") is table(ahut.plays, "7")
    assert table(ahut.plays, "7") is not table(ahut.plays, "8")
    other = changed(load_any("ahut-2018"), {"plays.ace": "high"})
    assert isinstance(other, GuandanPreset)
    assert table(other.plays, "7") is not table(ahut.plays, "7")


# Against the literal oracle

levels = st.sampled_from(LEVELS)


@st.composite
def card_sets(draw: st.DrawFn) -> tuple[str, list[str]]:
    """A level, and cards that fit two decks: often near a play, with wilds more often than by chance."""
    level = draw(levels)
    wilds = draw(st.integers(0, 2))
    shape = draw(st.sampled_from(["any", "few ranks", "run"]))
    size = draw(st.integers(1, 8))
    if shape == "few ranks":
        ranks = draw(st.lists(st.sampled_from([*LEVELS, "LJ", "BJ"]), min_size=1, max_size=3))
        pool = [card for card in DECK if (card[1] if card[0] in SUITS else card) in ranks]
    elif shape == "run":
        start = draw(st.integers(0, 13))
        ladder = ("A" + oracle.RANKS)[start : start + 5]
        suits = draw(st.sampled_from(["S", "H", "SD", "SHCD"]))
        pool = [card for card in DECK if card[0] in suits and card[1] in ladder]
    else:
        pool = DECK
    chosen = draw(st.permutations(pool)) if len(pool) < 30 else draw(st.lists(st.sampled_from(pool), max_size=8))
    cards = [card for card in chosen[:size] if card != f"H{level}"] + [f"H{level}"] * wilds
    return level, [card for place, card in enumerate(cards) if cards[:place].count(card) < 2]


@settings(max_examples=1500, deadline=None)
@given(card_sets())
def test_readings_agree_with_substituting_every_card_for_every_wild(drawn: tuple[str, list[str]]) -> None:
    level, cards = drawn
    found = classify(_ahut(), level, cards)  # type: ignore[arg-type]
    assert {(r.kind, r.rank, r.size) for r in found} == (oracle.readings(cards, level) if cards else set())
    assert len(found) == len(set(found))


@settings(max_examples=400, deadline=None)
@given(card_sets(), st.randoms(use_true_random=False))
def test_readings_do_not_depend_on_the_order_of_cards(drawn: tuple[str, list[str]], random: object) -> None:
    level, cards = drawn
    mixed = cards[:]
    random.shuffle(mixed)  # type: ignore[attr-defined]
    assert classify(_ahut(), level, mixed) == classify(_ahut(), level, cards)  # type: ignore[arg-type]


@settings(max_examples=400, deadline=None)
@given(card_sets(), st.permutations("SCD"))
def test_renaming_the_suits_that_are_not_hearts_changes_nothing(drawn: tuple[str, list[str]], other: list[str]) -> None:
    level, cards = drawn
    name = dict(zip("SCD", other, strict=True))
    renamed = [card if card[0] not in name or card in ("LJ", "BJ") else name[card[0]] + card[1] for card in cards]
    assert classify(_ahut(), level, renamed) == classify(_ahut(), level, cards)  # type: ignore[arg-type]


@settings(max_examples=800, deadline=None)
@given(card_sets(), card_sets())
def test_comparing_agrees_with_the_text_and_is_antisymmetric(
    one: tuple[str, list[str]], two: tuple[str, list[str]]
) -> None:
    level = one[0]
    cards = [card for card in two[1] if card != f"H{level}"]
    first, second = classify(_ahut(), level, one[1]), classify(_ahut(), level, cards)  # type: ignore[arg-type]
    winner = compare(_ahut(), level, one[1], cards)  # type: ignore[arg-type]
    mirrored = compare(_ahut(), level, cards, one[1])  # type: ignore[arg-type]
    assert mirrored == {"first": "second", "second": "first", "neither": "neither"}[winner]
    if first and second:
        a, b = ((r.kind, r.rank, r.size) for r in (first[0], second[0]))
        expected = "first" if oracle.wins(a, b, level) else "second" if oracle.wins(b, a, level) else "neither"
        assert winner == expected


@pytest.mark.parametrize("level", LEVELS)
def test_beating_is_transitive_and_total_within_a_kind(ahut: GuandanPreset, level: str) -> None:
    """Over every reading there is: beating agrees with the text, is antisymmetric and transitive, and two readings of
    one kind and size are always decided unless they are the same."""
    from shared.rules.guandan.readings import beats

    readings = table(ahut.plays, level)  # type: ignore[arg-type]
    strengths = sorted({s for _, found in readings.by_key() for s in found})
    names = {s: (readings.reading(s).kind, readings.reading(s).rank, readings.reading(s).size) for s in strengths}
    above = {s: {t for t in strengths if beats(s, t)} for s in strengths}
    for s in strengths:
        assert above[s] == {t for t in strengths if oracle.wins(names[s], names[t], level)}
        assert s not in above[s]
        for t in above[s]:
            assert s not in above[t]
            assert above[t] <= above[s] or oracle.power(names[t]) > 0
            assert above[t] <= above[s]
        for t in strengths:
            if names[s][0::2] == names[t][0::2] and s != t:
                assert (t in above[s]) != (s in above[t])


def _ahut() -> GuandanPreset:
    preset = load_any("ahut-2018")
    assert isinstance(preset, GuandanPreset)
    return preset
