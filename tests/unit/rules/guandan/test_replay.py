"""Replaying a hand: ahut-2018 二.2, 二.4, and RECORDS, Hand record."""

from __future__ import annotations

from collections import Counter
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.rules.errors import RuleError
from shared.rules.guandan.ask import HANDLERS
from shared.rules.guandan.levels import level_change
from shared.rules.guandan.random_hands import breaches as drawn_with
from shared.rules.guandan.random_hands import random_hand
from shared.rules.guandan.replay import Replayed, replay
from shared.rules.records import SEATS
from shared.rules.regulations import GuandanPreset, changed, load_any
from shared.rules.regulations.guandan import PlayKind
from tests.unit.rules.guandan import oracle
from tests.unit.rules.guandan.hands import breaches, record, replayed


def _ahut() -> GuandanPreset:
    preset = load_any("ahut-2018")
    assert isinstance(preset, GuandanPreset)
    return preset


def small(preset: GuandanPreset) -> GuandanPreset:
    """The regulation with hands of three cards, so that a whole hand fits a line."""
    return changed(preset, {"cards.hand": 3, "table.announce_at": 1})


def test_the_record_of_the_contract(ahut: GuandanPreset) -> None:
    plays = [
        {"seat": 1, "cards": "S3 C3"},
        {"seat": 2, "pass": True},
        {"seat": 3, "cards": "S9 C9", "reading": {"kind": "pair", "rank": "9"}},
    ]
    found = replay(ahut, record("") | {"plays": plays})
    assert (found.complete, found.finish, found.level_change, found.irregularities) == (False, (), None, ())


# Rounds of play, going out, 接风

# seats:                 1           2           3           4
DEALT = {"1": "S3 S4 SA", "2": "D5 D6 DK", "3": "C3 C7 CA", "4": "H9 HT HJ"}


def test_a_hand_to_its_end_with_the_partner_leading_for_who_went_out(ahut: GuandanPreset) -> None:
    """1 goes out with its four; everyone passes, so its partner 3 leads (接风)."""
    found = replayed(
        small(ahut),
        "1 S3, 2 D5, 3 -, 4 -, 1 SA, 2 -, 3 -, 4 -, 1 S4, 2 -, 3 -, 4 -, 3 C3, 4 -, 2 -, 3 C7, 4 -, 2 -, 3 CA",
        dealt=DEALT,
    )
    assert breaches(found) == []
    assert (found.complete, found.finish) == (True, (1, 3))
    assert found.level_change is not None
    assert found.level_change.gain == {"13": 3, "24": 0}


def test_the_partner_leads_when_nobody_answers_the_last_card(ahut: GuandanPreset) -> None:
    found = replayed(
        small(ahut), "1 S3, 2 -, 3 -, 4 -, 1 S4, 2 -, 3 -, 4 -, 1 SA, 2 -, 3 -, 4 -, 3 C3, 4 H9", dealt=DEALT
    )
    assert (breaches(found), found.finish, found.complete) == ([], (1,), False)
    wrong = replayed(small(ahut), "1 S3, 2 -, 3 -, 4 -, 1 S4, 2 -, 3 -, 4 -, 1 SA, 2 -, 3 -, 4 -, 2 D5", dealt=DEALT)
    assert breaches(wrong) == [("out_of_turn", 2, 4)]
    to_the_next = changed(small(ahut), {"table.wind": "next_seat"})
    plays = "1 S3, 2 -, 3 -, 4 -, 1 S4, 2 -, 3 -, 4 -, 1 SA, 2 -, 3 -, 4 -, 2 D5"
    assert breaches(replayed(to_the_next, plays, dealt=DEALT)) == []


def test_the_last_player_is_added_to_the_finish(ahut: GuandanPreset) -> None:
    plays = "1 S3, 2 D5, 3 -, 4 -, 1 SA, 2 -, 3 -, 4 -, 1 S4, 2 D6, 3 -, 4 H9, 2 DK, 3 -, 4 -, 4 HT, 3 -, 4 HJ"
    found = replayed(small(ahut), plays, dealt=DEALT)
    assert (breaches(found), found.complete, found.finish) == ([], True, (1, 2, 4, 3))
    assert found.level_change is not None
    assert found.level_change.gain == {"13": 1, "24": 0}


def test_without_dealt_a_seat_is_out_when_it_played_a_whole_hand(ahut: GuandanPreset) -> None:
    plays = "1 S3, 2 -, 3 -, 4 -, 1 S4, 2 -, 3 -, 4 -, 1 SA, 2 -, 3 -, 4 -, 3 C3, 4 -, 2 -, 3 C7, 4 -, 2 -, 3 CA"
    found = replayed(small(ahut), plays)
    assert (breaches(found), found.complete, found.finish) == ([], True, (1, 3))


def test_a_pass_of_a_seat_that_has_gone_out_says_nothing(ahut: GuandanPreset) -> None:
    plays = "1 S3, 2 -, 3 -, 4 -, 1 S4, 2 -, 3 -, 4 -, 1 SA, 2 -, 3 -, 4 -, 1 -, 3 C3, 4 H9, 1 -, 2 DK"
    assert breaches(replayed(small(ahut), plays, dealt=DEALT)) == []


def test_the_seat_that_was_due_to_lead_may_be_given(ahut: GuandanPreset) -> None:
    assert breaches(replayed(ahut, "2 S3, 3 S4", leader=1)) == [("out_of_turn", 2, 1)]
    assert breaches(replayed(ahut, "1 S3, 2 S4", leader=1)) == []


def test_the_level_change_is_that_of_the_finish(ahut: GuandanPreset) -> None:
    for seed in range(30):
        hand = random_hand(ahut, seed).record | {"stage": "final", "a_failures": {"13": 2, "24": 1}}
        found = replay(ahut, hand)
        assert found.level_change == level_change(
            ahut, found.finish, hand["levels"], hand["own"], "final", hand["a_failures"]
        )


# Breaches


@pytest.mark.parametrize(
    ("plays", "found"),
    [
        ("1 S9, 2 S8", [("illegal_play", 2, 1)]),  # lower
        ("1 S9, 2 D9", [("illegal_play", 2, 1)]),  # equal never beats
        ("1 S9, 2 ST DT", [("illegal_play", 2, 1)]),  # another kind
        ("1 S9 ST", [("illegal_play", 1, 1)]),  # no play
        ("1 -", [("illegal_play", 1, 1)]),  # a leader must play
        ("1 S9, 3 ST", [("out_of_turn", 3, 1)]),
        ("1 S9, 3 -", [("out_of_turn", 3, 1)]),
        ("1 S9, 2 -, 3 -, 4 -, 2 ST", [("out_of_turn", 2, 2)]),
        ("1 S9, 1 ST", [("out_of_turn", 1, 1)]),
        ("1 S9, 2 ST, 3 SJ, 4 S8, 1 -", [("illegal_play", 4, 1)]),
        ("1 S9, 2 S8, 3 DT, 4 D9", [("illegal_play", 2, 1), ("illegal_play", 4, 1)]),  # a second one is found too
    ],
)
def test_a_breach_is_named_with_seat_and_trick(
    ahut: GuandanPreset, plays: str, found: list[tuple[str, int, int]]
) -> None:
    assert breaches(replayed(ahut, plays)) == found


@pytest.mark.parametrize(
    "after",
    [
        "3 S9, 4 -, 1 -, 2 -, 3 SJ",  # it stood, and the next had only to beat it
        "3 DT, 4 -, 1 -, 2 -, 3 SJ",
        "3 -, 4 -, 1 -, 2 SJ",  # it stood and won
        "3 -, 4 -, 1 SJ",  # it counted as a pass
        "2 ST, 3 -, 4 -, 1 -, 2 SJ",  # it was taken back and the seat played again
    ],
)
def test_however_the_table_went_on_a_breach_is_one(ahut: GuandanPreset, after: str) -> None:
    assert breaches(replayed(ahut, f"1 D9, 2 S8, {after}")) == [("illegal_play", 2, 1)]


@pytest.mark.parametrize(
    "after",
    [
        "4 SJ, 1 -, 2 -, 3 -, 4 SQ",  # the turn went on from there
        "2 SJ, 3 SQ, 4 -, 1 -, 2 -, 3 SK",  # who was passed over still had a turn
        "2 -, 4 -, 1 -, 3 SK",  # and could pass
    ],
)
def test_however_the_turn_went_on_an_early_play_is_one_breach(ahut: GuandanPreset, after: str) -> None:
    assert breaches(replayed(ahut, f"1 D9, 3 ST, {after}")) == [("out_of_turn", 3, 1)]


@pytest.mark.parametrize(
    "after",
    [
        "1 SJ, 2 -, 3 -, 4 -, 1 S3",  # the turn went on from there
        "2 -, 3 -, 1 -, 4 S3",  # those passed over acted on it, and the round ended with them
        "2 -, 3 -, 4 S3",  # or with the early player
        "3 SJ, 4 -, 1 -, 2 -, 3 S3",  # it was taken for the act of the seat whose turn it was
    ],
)
def test_two_seats_passed_over_are_one_breach(ahut: GuandanPreset, after: str) -> None:
    assert breaches(replayed(ahut, f"1 D9, 4 ST, {after}")) == [("out_of_turn", 4, 1)]


def test_two_passes_in_the_wrong_order_are_one_breach(ahut: GuandanPreset) -> None:
    assert breaches(replayed(ahut, "1 D9, 3 -, 2 -, 4 -, 1 ST")) == [("out_of_turn", 3, 1)]


def test_a_declared_reading_counts(ahut: GuandanPreset) -> None:
    """Level 2: S3 D4 S5 S6 with a wild is a straight to 7 or to 6."""
    plays = [
        {"seat": 1, "cards": "S3 D4 S5 S6 H2", "reading": {"kind": "straight", "rank": "6"}},
        {"seat": 2, "cards": "C3 D4 C5 C6 D7"},
    ]
    assert breaches(replay(ahut, record("") | {"plays": plays})) == []
    undeclared = [{"seat": 1, "cards": "S3 D4 S5 S6 H2"}, plays[1]]
    assert breaches(replay(ahut, record("") | {"plays": undeclared})) == [("illegal_play", 2, 1)]
    wrong = [plays[0] | {"reading": {"kind": "straight", "rank": "9"}}]
    assert breaches(replay(ahut, record("") | {"plays": wrong})) == [("illegal_play", 1, 1)]


def test_a_card_of_another_hand_is_not_held(ahut: GuandanPreset) -> None:
    found = replayed(small(ahut), "1 S3, 2 H9", dealt=DEALT)
    assert breaches(found) == [("card_not_held", 2, 1)]
    assert found.irregularities[0].cards == "H9"


def test_a_hand_of_a_wrong_size_is_dealt_again_and_the_replay_goes_on(ahut: GuandanPreset) -> None:
    """A card moved from seat 1 to seat 2 makes 26 and 28."""
    hand = random_hand(ahut, 11).record
    first, *others = hand["dealt"]["1"].split(" ")
    moved = hand["dealt"] | {"1": " ".join(others), "2": f"{hand['dealt']['2']} {first}"}
    found = replay(ahut, hand | {"dealt": moved})
    assert breaches(found) == [("hand_size", 1, 1), ("hand_size", 2, 1)]  # the card is played by whom it was due
    assert (found.irregularities[0].also, found.irregularities[0].mark) == (("redeal",), "assumed")
    assert (found.complete, found.finish) == (True, replay(ahut, hand).finish)
    assert found.level_change is None


def test_a_wrong_play_taken_back_in_time_is_still_a_breach(ahut: GuandanPreset) -> None:
    plays = [{"seat": 1, "cards": "S9"}, {"seat": 2, "cards": "ST", "corrected": "S8"}, {"seat": 3, "pass": True}]
    found = replay(ahut, record("") | {"plays": plays})
    assert breaches(found) == [("illegal_play", 2, 1)]
    assert found.irregularities[0].cards == "S8"


@pytest.mark.parametrize(("seconds", "slow"), [(10, []), (11, [("slow_play", 1, 1)])])
def test_ten_seconds_are_allowed(ahut: GuandanPreset, seconds: int, slow: list[Any]) -> None:  # 不超过10秒
    found = replay(ahut, record("") | {"plays": [{"seat": 1, "cards": "S9", "seconds": seconds}]})
    assert breaches(found) == slow
    assert [(breach.also, breach.mark) for breach in found.irregularities] == [(("warning",), "assumed")] * len(slow)


@pytest.mark.parametrize(
    ("before", "also"),
    [
        (0, ("reminder",)),  # 违规1次可由裁判或对手进行提醒
        (1, ("level_to_opponents",)),  # 2次违规将给对手升一级
        (2, ("match_lost",)),  # 3次及以上判负
        (7, ("match_lost",)),
    ],
)
def test_seven_cards_are_announced_in_three_steps(ahut: GuandanPreset, before: int, also: tuple[str, ...]) -> None:
    hand = record("", earlier={"not_announced": {"13": before, "24": 5}})
    plays = ["S3 S3", "D3 D3", "C3 C3", "S4 S4", "D4 D4", "C4 C4", "S5 S5", "D5 D5", "C5 C5", "S6 S6"]
    lines: list[dict[str, Any]] = []
    for place, cards in enumerate(plays):  # 27 - 2 x 10 = 7 after the tenth pair
        lines.append({"seat": 1, "cards": cards, "announced": place < len(plays) - 1})
        lines += [{"seat": seat, "pass": True} for seat in (2, 3, 4)]
    found = replay(ahut, hand | {"plays": lines})
    assert breaches(found) == [("not_announced", 1, 10)]
    assert (found.irregularities[0].also, found.irregularities[0].mark) == (also, "stated")
    said = replay(ahut, hand | {"plays": [*lines[:-4], lines[-4] | {"announced": True}]})
    assert breaches(said) == []


def test_a_seat_that_was_reminded_is_not_charged_again_in_the_hand(ahut: GuandanPreset) -> None:
    lines: list[dict[str, Any]] = []
    for cards in ("S3", "S4"):
        lines.append({"seat": 1, "cards": cards, "announced": False})
        lines += [{"seat": seat, "pass": True} for seat in (2, 3, 4)]
    short = changed(ahut, {"cards.hand": 4})
    assert breaches(replay(short, record("") | {"plays": lines})) == [("not_announced", 1, 1)]


@pytest.mark.parametrize(
    ("code", "times", "also"),
    [
        ("signalling", 1, [("warning",)]),  # 第一次进行口头警告
        ("signalling", 2, [("warning",), ("match_lost",)]),  # 第二次判该队负
        ("cheating", 1, [("disqualified",)]),  # 一经发现立即取消比赛资格
        ("looked_back", 1, [("warning",)]),
    ],
)
def test_what_a_referee_entered_is_priced(ahut: GuandanPreset, code: str, times: int, also: list[Any]) -> None:
    incidents = [{"code": code, "seat": seat, "after_trick": 0} for seat in (2, 4)[:times]]
    found = replayed(ahut, "1 S3, 2 S4", incidents=incidents)
    assert [breach.also for breach in found.irregularities] == also
    assert {breach.trick for breach in found.irregularities} == {1}


def test_the_steps_go_by_the_order_of_play(ahut: GuandanPreset) -> None:
    """第一次进行口头警告, 第二次判该队负 (二.6): the first in time is the first, whichever was entered first."""
    tricks = "1 S3, 2 -, 3 -, 4 -, 1 S4, 2 -, 3 -, 4 -, 1 S5, 2 -, 3 -, 4 -"
    incidents = [{"code": "signalling", "seat": 2, "after_trick": trick} for trick in (2, 0)]
    found = replayed(ahut, tricks, incidents=incidents)
    assert [(breach.trick, breach.also) for breach in found.irregularities] == [(1, ("warning",)), (3, ("match_lost",))]


# Impossible records


@pytest.mark.parametrize(
    ("plays", "more", "code", "place"),
    [
        ("1 S3, 2 S1", {}, "bad_card", "plays[1]"),
        ("1 S3, 2 S4, 3 S4, 4 S4", {}, "duplicate_card", "plays[3]"),  # a 109th card
        ("1 S3, 2 S3", {"dealt": DEALT}, "bad_value", "plays[1]"),  # a card nobody holds any more
        ("1 S8", {"dealt": DEALT}, "bad_value", "plays[0]"),  # nor was dealt
        ("1 S3", {"dealt": DEALT | {"2": "S1"}}, "bad_card", "dealt.2"),
        ("1 S3", {"dealt": DEALT | {"2": "S3 S3 S3"}}, "duplicate_card", "dealt.2"),
        ("1 S3", {"dealt": {"1": "S3"}}, "missing_field", "dealt.2"),
        ("5 S3", {}, "bad_value", "plays[0].seat"),
        ("1 S3", {"format": "pailu-hand/2"}, "bad_value", "format"),
        ("1 S3", {"own": "31"}, "bad_value", "own"),
        ("1 S3", {"levels": {"13": "2"}}, "missing_field", "levels.24"),
        ("1 S3", {"incidents": [{"code": "sneezing", "seat": 1, "after_trick": 0}]}, "bad_value", "incidents[0].code"),
        ("1 S3", {"incidents": [{"code": "cheating"}]}, "missing_field", "incidents[0].seat"),
        ("1 S3", {"incidents": [{"code": "cheating", "seat": 1, "cards": "H1"}]}, "bad_card", "incidents[0].cards"),
        ("1 S3", {"earlier": {"not_announced": {"13": 1}}}, "missing_field", "earlier.not_announced.24"),
    ],
)
def test_an_impossible_record_is_refused_with_its_place(
    ahut: GuandanPreset, plays: str, more: dict[str, Any], code: str, place: str
) -> None:
    with pytest.raises(RuleError) as refused:
        replay(ahut, record(plays) | more)
    assert (refused.value.code, refused.value.field) == (code, place)
    assert place in refused.value.detail


def test_an_act_after_the_end_is_refused(ahut: GuandanPreset) -> None:
    plays = "1 S3, 2 -, 3 -, 4 -, 1 S4, 2 -, 3 -, 4 -, 1 SA, 2 -, 3 -, 4 -, 3 C3, 4 -, 2 -, 3 C7, 4 -, 2 -, 3 CA, 4 -"
    with pytest.raises(RuleError, match=r"plays\[19\]"):
        replayed(small(ahut), plays, dealt=DEALT)


@pytest.mark.parametrize("field", ["format", "regulation", "levels", "own", "plays"])
def test_a_field_left_out_is_named(ahut: GuandanPreset, field: str) -> None:
    hand = record("1 S3")
    del hand[field]
    with pytest.raises(RuleError) as refused:
        replay(ahut, hand)
    assert (refused.value.code, refused.value.field) == ("missing_field", field)


@pytest.mark.parametrize("junk", [None, 5, [], "record", {"plays": 3}])
def test_what_is_no_record_is_refused(ahut: GuandanPreset, junk: object) -> None:
    with pytest.raises(RuleError):
        replay(ahut, junk)


def test_a_play_needs_cards_or_a_pass(ahut: GuandanPreset) -> None:
    for line in ({"seat": 1}, {"seat": 1, "cards": "S3", "pass": True}, {"seat": 1, "cards": ""}):
        with pytest.raises(RuleError, match=r"plays\[0\]"):
            replay(ahut, record("") | {"plays": [line]})


# Random hands

seeds = st.integers(0, 10**9)


@settings(max_examples=150, deadline=None)
@given(seeds)
def test_a_legal_hand_has_no_irregularity(seed: int) -> None:
    hand = random_hand(_ahut(), seed).record
    found = replay(_ahut(), hand)
    assert found.irregularities == ()
    assert found.complete
    assert all(act.reading is None or act.trick >= 1 for act in found.acts)


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_without_dealt_the_same_hand_ends_the_same(seed: int) -> None:
    hand = random_hand(_ahut(), seed).record
    known = {name: value for name, value in hand.items() if name != "dealt"}
    one, two = replay(_ahut(), hand), replay(_ahut(), known)
    assert (one.finish, one.complete, one.irregularities) == (two.finish, two.complete, two.irregularities)


@pytest.mark.parametrize("code", drawn_with(_ahut()))
@settings(max_examples=40, deadline=None)
@given(seed=seeds)
def test_a_breach_is_found_where_it_is_and_nothing_else(code: str, seed: int) -> None:
    drawn = random_hand(_ahut(), seed, code)
    assert drawn.breach is not None
    found = replay(_ahut(), drawn.record)
    assert breaches(found) == [(drawn.breach.code, drawn.breach.seat, drawn.breach.trick)]
    assert found.complete


@settings(max_examples=150, deadline=None)
@given(seeds, st.data())
def test_a_pass_left_out_is_the_next_players_breach(seed: int, data: st.DataObject) -> None:
    hand = random_hand(_ahut(), seed).record
    legal = replay(_ahut(), hand)
    passes = [place for place, line in enumerate(hand["plays"][:-1]) if line.get("pass")]
    if passes:
        place = data.draw(st.sampled_from(passes))
        plays = hand["plays"][:place] + hand["plays"][place + 1 :]
        found = replay(_ahut(), hand | {"plays": plays})
        assert breaches(found) == [("out_of_turn", hand["plays"][place + 1]["seat"], legal.acts[place].trick)]
        assert (found.finish, found.level_change) == (legal.finish, legal.level_change)


@settings(max_examples=150, deadline=None)
@given(seeds, st.data())
def test_a_pass_made_a_play_that_does_not_beat_is_found_and_nothing_else(seed: int, data: st.DataObject) -> None:
    """The card played is one that its seat kept to the end, so that the rest of the hand stays possible."""
    hand = random_hand(_ahut(), seed).record
    legal = replay(_ahut(), hand)
    kept = {seat: Counter(hand["dealt"][str(seat)].split()) for seat in SEATS}
    for line in hand["plays"]:
        kept[line["seat"]] -= Counter(line.get("cards", "").split())
    level = hand["levels"][hand["own"]]
    choices = [
        (place, card)
        for place, line in enumerate(hand["plays"][:-1])
        if line.get("pass") and kept[line["seat"]].total() > 1
        for card in kept[line["seat"]]
        if not _beats(legal, place, card, level)
    ]
    if choices:
        place, card = data.draw(st.sampled_from(choices))
        seat = hand["plays"][place]["seat"]
        plays = [*hand["plays"][:place], {"seat": seat, "cards": card}, *hand["plays"][place + 1 :]]
        found = replay(_ahut(), hand | {"plays": plays})
        assert breaches(found) == [("illegal_play", seat, legal.acts[place].trick)]
        assert (found.finish, found.level_change) == (legal.finish, legal.level_change)


def _beats(legal: Replayed, place: int, card: str, level: str) -> bool:
    """Whether a single card beats what stood when the act at this place was made, by the oracle."""
    standing = next(act.reading for act in reversed(legal.acts[:place]) if act.reading)
    (single,) = oracle.readings([card], level)
    return oracle.wins(single, (standing.kind, standing.rank, standing.size), level)


@settings(max_examples=30, deadline=None)
@given(seeds)
def test_a_hand_stopped_early_is_not_complete(seed: int) -> None:
    hand = random_hand(_ahut(), seed).record
    found = replay(_ahut(), hand | {"plays": hand["plays"][:-1]})
    assert (found.complete, found.level_change, found.irregularities) == (False, None, ())


def test_a_seed_gives_the_same_hand(ahut: GuandanPreset) -> None:
    assert random_hand(ahut, 7) == random_hand(ahut, 7)
    assert random_hand(ahut, 7) != random_hand(ahut, 8)


def test_drawn_hands_use_every_kind_of_play(ahut: GuandanPreset) -> None:
    replays = [replay(ahut, random_hand(ahut, seed).record) for seed in range(150)]
    kinds = {act.reading.kind for found in replays for act in found.acts if act.reading}
    assert kinds >= set(get_args(PlayKind)) - {"joker_bomb"}


def test_an_unknown_breach_is_refused(ahut: GuandanPreset) -> None:
    with pytest.raises(RuleError, match="illegal_play"):
        random_hand(ahut, 1, "sneezing")


def test_the_answer_has_the_form_of_the_contract(ahut: GuandanPreset) -> None:
    hand = random_hand(ahut, 3, "slow_play").record
    answer, basis = HANDLERS["replay"](ahut, {"record": hand})
    assert set(answer) == {"complete", "finish", "level_change", "irregularities"}
    assert set(answer["level_change"]) == {"gain", "levels", "own", "a_failures", "won_by"}
    names = {"code", "seat", "trick", "discovered_at", "cards", "article", "mark", "penalty_points", "also"}
    assert set(answer["irregularities"][0]) == names
    assert basis
