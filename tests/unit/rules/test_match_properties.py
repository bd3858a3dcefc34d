"""Re-summing against a second, independent sum, for any facts."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from shared.rules.regulations import load
from shared.rules.shengji.facts import HandFact, Pair, PenaltyFact
from shared.rules.shengji.match import resum

JIMEI = load("jimei-2018")

# 十一.7, written out: the most points of a band and the dealer's gain
DEALER = ((0, 5), (20, 4), (40, 3), (60, 2), (75, 1))
LADDER = "23456789TJQKA"

points = st.integers(0, 60).map(lambda fives: 5 * fives)
facts = st.lists(st.tuples(st.integers(1, 4), points), max_size=14).map(
    lambda rows: [HandFact(number=n, dealer_seat=seat, points=s) for n, (seat, s) in enumerate(rows, 1)]
)


@st.composite
def matches(draw: st.DrawFn) -> tuple[list[HandFact], list[PenaltyFact]]:
    hands = draw(facts)
    if not hands:
        return hands, []
    pairs: st.SearchStrategy[Pair] = st.sampled_from(["13", "24"])
    rows = draw(st.lists(st.tuples(st.integers(1, len(hands)), pairs, st.integers(1, 8), st.booleans()), max_size=6))
    return hands, [
        PenaltyFact(id=str(n), code="wrong_follow", hand=hand, pair=pair, points=10 * tens, lifted=lifted)
        for n, (hand, pair, tens, lifted) in enumerate(rows)
    ]


def by_hand(hands: list[HandFact], penalties: list[PenaltyFact]) -> tuple[str, str, str | None]:
    """Both levels and who passed A, summed the way a referee does on paper."""
    at = {"13": 0, "24": 0}
    for hand in hands:
        dealers = "13" if hand.dealer_seat in (1, 3) else "24"
        attackers = "24" if dealers == "13" else "13"
        s = hand.points
        for penalty in penalties:
            if penalty.hand == hand.number and not penalty.lifted:
                s += penalty.points if penalty.pair == dealers else -penalty.points
        if s <= 75:
            if at[dealers] == 12:
                return LADDER[at["13"]], LADDER[at["24"]], dealers
            at[dealers] = min(12, at[dealers] + next(gain for most, gain in DEALER if s <= most))
        else:
            at[attackers] = min(12, at[attackers] + min(5, (s - 80) // 20))
    return LADDER[at["13"]], LADDER[at["24"]], None


@given(matches())
@settings(max_examples=300, deadline=None)
def test_the_sum_is_the_referees_own(match: tuple[list[HandFact], list[PenaltyFact]]) -> None:
    summary = resum(JIMEI, *match)
    assert (summary.levels["13"], summary.levels["24"], summary.won_by) == by_hand(*match)


@given(matches(), st.data())
@settings(max_examples=100, deadline=None)
def test_the_order_in_which_penalties_were_issued_does_not_matter(
    match: tuple[list[HandFact], list[PenaltyFact]], data: st.DataObject
) -> None:
    hands, penalties = match
    issued = data.draw(st.permutations(penalties))
    assert resum(JIMEI, hands, penalties).levels == resum(JIMEI, hands, issued).levels


@given(matches())
@settings(max_examples=100, deadline=None)
def test_lifting_all_penalties_equals_a_match_without_them(match: tuple[list[HandFact], list[PenaltyFact]]) -> None:
    hands, penalties = match
    lifted = [
        PenaltyFact(id=p.id, code=p.code, hand=p.hand, pair=p.pair, points=p.points, lifted=True) for p in penalties
    ]
    assert resum(JIMEI, hands, lifted).rows == resum(JIMEI, hands).rows


@given(facts)
@settings(max_examples=100, deadline=None)
def test_a_later_hand_never_changes_an_earlier_row(hands: list[HandFact]) -> None:
    assert resum(JIMEI, hands[:-1]).rows == resum(JIMEI, hands).rows[: max(len(hands) - 1, 0)]


@given(facts)
@settings(max_examples=100, deadline=None)
def test_turning_the_table_turns_the_sum(hands: list[HandFact]) -> None:
    turned = [HandFact(number=hand.number, dealer_seat=hand.dealer_seat % 4 + 1, points=hand.points) for hand in hands]
    one, two = resum(JIMEI, hands), resum(JIMEI, turned)
    assert (one.levels["13"], one.levels["24"]) == (two.levels["24"], two.levels["13"])


@given(facts)
@settings(max_examples=100, deadline=None)
def test_a_level_never_falls(hands: list[HandFact]) -> None:
    for row in resum(JIMEI, hands).rows:
        for pair, before in row.levels_before.items():
            assert LADDER.index(row.levels_after[pair]) >= LADDER.index(before)
