"""What a referee entered: an entry that cannot be is refused with its place, and one that says what the cards show is
that breach."""

from __future__ import annotations

from typing import Any

import pytest

from shared.rules.errors import RuleError
from shared.rules.guandan.replay import replay as replay_guandan
from shared.rules.regulations import load, load_any
from shared.rules.shengji.random_hands import random_hand
from shared.rules.shengji.replay import replay
from tests.unit.rules.guandan.hands import record as guandan_record
from tests.unit.rules.replay.records import breaches, record, replayed

FINE: tuple[int, list[Any]] = (1, ["H5", "H7", "HK", "H4"])
WITHHELD: tuple[int, list[Any]] = (1, ["H5", "D3", "HK", "H3"])
NEXT: tuple[int, list[Any]] = (3, ["CA", "C6", "C4", "H7"])


def refused(regulation: str, tree: dict[str, Any]) -> tuple[str, str | None]:
    preset = load_any(regulation)
    with pytest.raises(RuleError) as caught:
        replay(preset, tree) if regulation != "ahut-2018" else replay_guandan(preset, tree)  # type: ignore[arg-type]
    return caught.value.code, caught.value.field


def entered(**fields: Any) -> dict[str, Any]:
    return {"code": "signalling", "seat": 2, "after_trick": 1} | fields


@pytest.mark.parametrize("regulation", ["jimei-2018", "ahut-2018"])
@pytest.mark.parametrize("seat", [0, 5, "2", 1.5, None])
def test_an_entry_names_a_seat(regulation: str, seat: object) -> None:
    tree = guandan_record("1 S3, 2 S4") if regulation == "ahut-2018" else record([FINE])
    assert refused(regulation, tree | {"incidents": [entered(seat=seat)]}) == ("bad_value", "incidents[0].seat")


@pytest.mark.parametrize(("tricks", "after"), [([FINE], 2), ([FINE], 99), ([], 1)])
def test_an_entry_is_of_a_trick_that_the_record_has(tricks: list[Any], after: int) -> None:
    tree = record(tricks, incidents=[entered(after_trick=0), entered(after_trick=after)])
    assert refused("jimei-2018", tree) == ("bad_value", "incidents[1].after_trick")


@pytest.mark.parametrize(("plays", "after"), [("1 S3, 2 S4", 2), ("1 S3, 2 -, 3 -, 4 -, 1 S4", 3), ("", 1)])
def test_an_entry_of_guandan_is_of_a_round_that_was_begun(plays: str, after: int) -> None:
    tree = guandan_record(plays, incidents=[entered(after_trick=after)])
    assert refused("ahut-2018", tree) == ("bad_value", "incidents[0].after_trick")
    fine = guandan_record(plays, incidents=[entered(after_trick=after - 1)])
    assert len(replay_guandan(load_any("ahut-2018"), fine).irregularities) == 1  # type: ignore[arg-type]


@pytest.mark.parametrize("code", ["kitty_size", "kitty_size_before_lead", "kitty_size_played_on"])
@pytest.mark.parametrize(("seat", "dealers"), [(1, True), (3, True), (2, False), (4, False)])
def test_only_the_dealer_side_is_charged_for_what_it_buried(code: str, seat: int, dealers: bool) -> None:
    """底牌扣错张数……罚庄家20分 (jimei 十一.8④); seat 1 deals."""
    tree = record([FINE], incidents=[entered(code=code, seat=seat)])
    if dealers:
        assert breaches(replay(load("jimei-2018"), tree)) == [(code, seat, 1)]
    else:
        assert refused("jimei-2018", tree) == ("bad_value", "incidents[0].seat")


def test_attackers_who_have_no_deal_lose_none() -> None:
    """如庄家多埋或少埋底牌，抓分方直接上庄 (zhongshan 七（一）8)."""
    tree = record([FINE], incidents=[entered(code="kitty_size", seat=2)])
    assert refused("zhongshan-2013", tree) == ("bad_value", "incidents[0].seat")


@pytest.mark.parametrize("field", ["lost", "compensation"])
def test_match_points_are_no_price_of_a_penalty_in_points(field: str) -> None:
    tree = record([FINE], incidents=[entered(**{field: "1/2"})])
    assert refused("jimei-2018", tree) == ("bad_value", f"incidents[0].{field}")


def test_what_the_referee_prices_is_entered_each_time_anew() -> None:
    """以上情况每发生一次可给予警告或判违规者失 0.5 分—4 分 (shandong 八.14)."""
    tree = record([FINE], incidents=[entered(code="peeking", lost="1", occasions=2)])
    assert refused("shandong-2023", tree) == ("bad_value", "incidents[0].occasions")


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"incidents": [entered(after_tricks=1)]}, "incidents[0].after_tricks"),
        ({"incidents": [entered(), entered(claimed=True)]}, "incidents[1].claimed"),
        ({"declarations": [{"seat": 1, "cards": "S2", "card": "S2"}]}, "declarations[0].card"),
        ({"tricks": [{"leader": 1, "plays": [{"cards": "H5", "atempted": "H5 H6"}]}]}, "tricks[0].plays[0].atempted"),
        ({"tricks": [{"leader": 1, "plays": [], "won_by": 2}]}, "tricks[0].won_by"),
    ],
)
def test_a_field_that_a_record_does_not_have_is_named(change: dict[str, Any], place: str) -> None:
    assert refused("jimei-2018", record([FINE]) | change) == ("bad_value", place)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"incidents": [entered(occasions=1)]}, "incidents[0].occasions"),
        ({"plays": [{"seat": 1, "cards": "S3", "anounced": True}]}, "plays[0].anounced"),
        (
            {"plays": [{"seat": 1, "cards": "S3", "reading": {"kind": "single", "rank": "3", "x": 1}}]},
            "plays[0].reading.x",
        ),
    ],
)
def test_a_field_that_a_record_of_guandan_does_not_have_is_named(change: dict[str, Any], place: str) -> None:
    assert refused("ahut-2018", guandan_record("1 S3") | change) == ("bad_value", place)


@pytest.mark.parametrize("code", ["revoke", "wrong_follow"])
def test_a_revoke_is_never_also_a_wrong_follow(code: str) -> None:
    """RULINGS, jimei-2018 3: the 10-per-card case or 藏张, never both. 当下一轮牌已出，为藏张成立……即罚80分 (十一.8⑨),
    by whatever name it was entered."""
    hand = replayed("jimei-2018", [WITHHELD, NEXT], incidents=[entered(code=code, after_trick=1)])
    (breach,) = hand.irregularities
    assert (breach.seat, breach.trick, breach.penalty_points, breach.article) == (2, 1, 80, "十一.8⑨")


@pytest.mark.parametrize("code", ["revoke", "wrong_follow"])
def test_a_wrong_follow_taken_back_in_time_is_no_revoke(code: str) -> None:
    """按当次的出牌总张数乘以10 (jimei 十一.8②): one card, put right before the next lead."""
    taken_back = (1, ["H5", {"cards": "H7", "corrected": "D3"}, "HK", "H3"])
    hand = replayed("jimei-2018", [taken_back, NEXT], incidents=[entered(code=code, after_trick=1)])
    (breach,) = hand.irregularities
    assert (breach.code, breach.penalty_points, breach.article) == ("wrong_follow", 10, "十一.8②")


def test_a_pair_not_followed_found_later_moves_the_deal_by_whatever_name() -> None:
    """如在过后被发现,因已无法回复,则对手直接上庄 (zhongshan 七（一）8), not 少跟1对,扣20分; the dealers gain one."""
    tricks: list[tuple[int, list[Any]]] = [
        (1, ["H6 H6", "H7 H8", "H9 HT", "H3 H4"]),
        (1, ["CA", "H7", "C6", "C4"]),
    ]
    hand = replayed("zhongshan-2013", tricks, incidents=[entered(code="pair_not_followed")])
    (breach,) = hand.irregularities
    assert (breach.code, breach.penalty_points, breach.also) == ("revoke", 0, ("level_to_opponents",))


@pytest.mark.parametrize("both", [("kitty_size", "kitty_size_played_on"), ("kitty_size_played_on", "kitty_size")])
def test_playing_on_stands_in_the_place_of_the_lost_deal(both: tuple[str, str]) -> None:
    """做倒庄处理；如防守方坚决要打，则罚庄家20分 (jimei 十一.8④): one or the other."""
    entries = [entered(code=code, seat=1) for code in both]
    (alone,) = replayed("jimei-2018", [FINE], incidents=entries).irregularities
    assert (alone.penalty_points, alone.also) == (20, ("cards_drawn",))
    drawn = random_hand(load("jimei-2018"), 3, "kitty_size").record
    entries = [entered(code=code, seat=drawn["dealer"]) for code in both]
    (found,) = replay(load("jimei-2018"), drawn | {"incidents": entries}).irregularities
    assert (found.code, found.penalty_points, found.also) == ("kitty_size", 20, ("cards_drawn",))


def test_the_kitty_miscounted_is_not_put_right_any_more_once_the_dealer_led() -> None:
    """在庄家出牌后才发现，做倒庄处理 (jimei 十一.8④)."""
    drawn = random_hand(load("jimei-2018"), 3, "kitty_size").record
    entry = entered(code="kitty_size_before_lead", seat=drawn["dealer"], after_trick=0)
    (breach,) = replay(load("jimei-2018"), drawn | {"incidents": [entry]}).irregularities
    assert breach.also == ("deal_lost",)


@pytest.mark.parametrize(
    ("given", "also"),
    [
        ({}, "warning_or_match_points"),
        ({"lost": 0}, "warning"),
        ({"lost": "0"}, "warning"),
        ({"lost": "1/2"}, "match_points"),
    ],
)
def test_nothing_lost_is_a_warning_once_it_was_entered(given: dict[str, Any], also: str) -> None:
    """可给予警告或判违规者失 0.5 分—4 分 (shandong 八.14)."""
    (breach,) = replayed("shandong-2023", [FINE], incidents=[entered(code="peeking", **given)]).irregularities
    assert breach.also == (also,)


RUFFED: tuple[int, list[Any]] = (1, ["H5", "S3", "HK", "H3"])
RUFF_BACK: tuple[int, list[Any]] = (1, ["H5", {"cards": "H7", "corrected": "S3"}, "HK", "H3"])
BACK: tuple[int, list[Any]] = (1, ["H5", {"cards": "H7", "corrected": "D3"}, "HK", "H3"])


@pytest.mark.parametrize(
    ("tricks", "article"),
    [
        ([RUFF_BACK], "八.14(7)"),
        ([RUFF_BACK, NEXT], "八.14(7)"),
        ([RUFFED, (2, ["H7", "C6", "C4", "C8"])], "八.14(7)"),
        ([BACK], "八.14(6)"),
        ([WITHHELD, NEXT], "八.14(6)"),
    ],
)
@pytest.mark.parametrize("entry", [(), ("revoke",), ("revoke_ruff",)])
def test_a_ruff_with_the_suit_in_hand_is_that_at_any_time(
    tricks: list[tuple[int, list[Any]]], article: str, entry: tuple[str, ...]
) -> None:
    """有所出花色却不跟的 is (6), 有所出花色而用主牌去“毙”的 is (7) (shandong 八.14), whenever it is seen."""
    incidents = [entered(code=code, lost="1/2") for code in entry]
    hand = replayed("shandong-2023", tricks, incidents=incidents)
    assert [breach.article for breach in hand.irregularities] == [article]


@pytest.mark.parametrize("tricks", [[WITHHELD, NEXT], [FINE, NEXT]])
def test_an_expired_claim_entered_again_stays_expired(tricks: list[tuple[int, list[Any]]]) -> None:
    """RULINGS, jimei-2018 4: no later remedy revives an expired claim (十一.8 下一局开始后不再追究)."""
    entries = [entered(code="revoke", claimed_late=True), entered(code="revoke")]
    hand = replayed("jimei-2018", tricks, incidents=entries)
    assert [(breach.code, breach.penalty_points) for breach in hand.irregularities] == [("late_claim", 0)]


def test_a_late_claim_leaves_another_breach_its_price() -> None:
    """每次罚20分 (jimei 十一.8⑧)."""
    entries = [entered(claimed_late=True), entered(after_trick=0)]
    hand = replayed("jimei-2018", [FINE], incidents=entries)
    assert sorted(breach.penalty_points for breach in hand.irregularities) == [0, 20]


def test_an_entry_leaves_a_breach_its_place_in_the_trick() -> None:
    both: tuple[int, list[Any]] = (1, ["H5", "D3", "D4", "H3"])
    later: tuple[int, list[Any]] = (1, ["CA", "H7", "HK", "C4"])
    hand = replayed("jimei-2018", [both, later], incidents=[entered(code="revoke")])
    assert [(breach.seat, breach.trick) for breach in hand.irregularities] == [(2, 1), (3, 1)]


def test_an_error_in_an_entry_names_its_field_once() -> None:
    tree = record([FINE], incidents=[entered(code="peeking", lost="9/2")])
    with pytest.raises(RuleError) as caught:
        replay(load("shandong-2023"), tree)
    assert caught.value.detail.startswith("incidents[0].lost is '9/2'")
    assert caught.value.said.zh.startswith("incidents[0].lost 为 9/2")


@pytest.mark.parametrize("code", ["kitty_size", "kitty_size_played_on"])
@pytest.mark.parametrize("partner", [False, True])
def test_the_kitty_that_was_found_and_entered_is_one_breach(code: str, partner: bool) -> None:
    drawn = random_hand(load("jimei-2018"), 3, "kitty_size").record
    seat = (drawn["dealer"] + 1) % 4 + 1 if partner else drawn["dealer"]
    hand = replay(load("jimei-2018"), drawn | {"incidents": [entered(code=code, seat=seat)]})
    (breach,) = hand.irregularities
    assert (breach.code, breach.penalty_points) == ("kitty_size", 20 if code == "kitty_size_played_on" else 0)


@pytest.mark.parametrize("code", ["out_of_turn", "lead_out_of_turn"])
def test_a_lead_out_of_turn_entered_by_either_name_is_one_breach(code: str) -> None:
    hand = replayed("jimei-2018", [(2, ["H5", "HK", "H4", "H7"])], incidents=[entered(code=code)])
    (breach,) = hand.irregularities
    assert (breach.code, breach.penalty_points) == ("out_of_turn", 10)  # 每张牌按10分罚分


def test_what_a_record_says_of_itself_besides_changes_nothing() -> None:
    """RECORDS: only an impossible record is an error; the names of the players make none impossible."""
    told = {"players": ["甲", "乙", "丙", "丁"], "room": 3}
    assert replay(load("jimei-2018"), record([FINE]) | told) == replay(load("jimei-2018"), record([FINE]))
    ahut = load_any("ahut-2018")
    plain = guandan_record("1 S3, 2 S4")
    assert replay_guandan(ahut, plain | told) == replay_guandan(ahut, plain)  # type: ignore[arg-type]
