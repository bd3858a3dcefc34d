"""The prize lists: jimei-2018 十三, shandong-2023 九（一）, ahut-2018 三, zhongshan-2013 五."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from shared.rules.errors import LotNeeded, PlacesOpen
from shared.rules.formats.competition import Competition
from shared.rules.formats.prizes import Given, basis, prize_list, union_prizes
from shared.rules.formats.simulation import simulate
from shared.rules.regulations import Preset, load, load_any
from tests.unit.rules.tables import competition, round_of
from tests.unit.rules.test_bracket_standings import EIGHT
from tests.unit.rules.test_union_totals import union

ZHONGSHAN, SHANDONG, AHUT = load("zhongshan-2013"), load("shandong-2023"), load_any("ahut-2018")


def by_lots(teams: int, **more: object) -> Competition:
    """Teams that only their lots part."""
    names = [f"T{n:02d}" for n in range(1, teams + 1)]
    return competition(" ".join(names), lots={team: n for n, team in enumerate(names, 1)}, **more)


def names(given: list[Given]) -> list[tuple[int | None, int | None, str, list[str]]]:
    return [(one.place, one.to_place, one.team, [prize.en for prize in one.prizes]) for one in given]


def test_jimei_awards_the_first_eight(jimei: Preset) -> None:
    given = prize_list(jimei, by_lots(12))
    assert [(one.place, one.team) for one in given] == [(n, f"T{n:02d}") for n in range(1, 9)]


def test_jimei_awards_one_less_than_the_teams_when_they_are_fewer_than_nine(jimei: Preset) -> None:
    assert len(prize_list(jimei, by_lots(8))) == 7
    assert len(prize_list(jimei, by_lots(9))) == 8


def test_a_lot_that_is_needed_is_asked_for_first(jimei: Preset) -> None:
    with pytest.raises(LotNeeded):
        prize_list(jimei, competition("A B C D"))


def test_nothing_is_awarded_while_a_match_is_open(jimei: Preset) -> None:
    with pytest.raises(PlacesOpen):
        prize_list(jimei, competition("A B", round_of(1, "A-B unfinished")))


def test_shandong_has_one_first_two_second_and_five_third_prizes() -> None:
    first, second, third = ["first prize"], ["second prize"], ["third prize"]
    assert names(prize_list(SHANDONG, EIGHT)) == [
        (1, 1, "C", first),
        (2, 2, "A", second),
        (3, 3, "B", second),
        (4, 4, "D", third),
        (5, 8, "E", third),
        (5, 8, "F", third),
        (5, 8, "G", third),
        (5, 8, "H", third),
    ]


def test_shandong_awards_nothing_before_the_final_and_the_match_for_third() -> None:
    with pytest.raises(PlacesOpen):
        prize_list(SHANDONG, replace(EIGHT, rounds=EIGHT.rounds[:2]))


def test_ahut_awards_eight_of_each_group_and_encourages_the_rest() -> None:
    given = prize_list(AHUT, simulate(AHUT, 40, bytes(16)).competition)
    for part in "AB":
        own = [one for one in given if one.part == part]
        assert [(one.place, one.to_place) for one in own[:8]] == [(1, 1), (2, 2), (3, 4), (3, 4), *[(5, 8)] * 4]
        assert [(one.place, [prize.zh for prize in one.prizes]) for one in own[8:]] == [(None, ["参赛鼓励奖"])] * 12


def test_zhongshan_gives_gifts_to_the_first_six_of_an_event_and_medals_to_the_first_three() -> None:
    given = [one for one in union_prizes(ZHONGSHAN, union("ABCDEFG", weiqi="A B C D E F G")) if one.event == "weiqi"]
    assert names(given) == [
        *((n, n, team, ["gift", "medal"]) for n, team in enumerate("ABC", 1)),
        *((n, n, team, ["gift"]) for n, team in enumerate("DEF", 4)),
    ]


def test_each_pair_and_player_of_a_team_has_its_own() -> None:
    given = [one for one in union_prizes(ZHONGSHAN, union("AB", tractor="A A B")) if one.event == "tractor"]
    assert [(one.place, one.team) for one in given] == [(1, "A"), (2, "A"), (3, "B")]


def test_who_shares_a_place_has_the_prize_of_the_best_it_covers() -> None:
    given = [one for one in union_prizes(ZHONGSHAN, union("ABCDE", xiangqi="A B DC E")) if one.event == "xiangqi"]
    assert names(given)[2:] == [(3, 4, "C", ["gift", "medal"]), (3, 4, "D", ["gift", "medal"]), (5, 5, "E", ["gift"])]


def test_zhongshan_gives_cups_and_money_to_the_first_six_teams_and_800_yuan_to_full_entries() -> None:
    every = union_prizes(ZHONGSHAN, union("ABCDEFGH", weiqi="A B C D E F", full="GA"))
    given = [one for one in every if one.event == "teams"]
    assert names(given) == [
        *((n, n, team, ["cup and plaque", "prize money"]) for n, team in enumerate("ABCDEF", 1)),
        (None, None, "G", ["participation prize"]),
    ]
    assert [one.paid_fen // 100 for one in given] == [2000, 1600, 1400, 1200, 1100, 1000, 800]


def test_a_shared_place_shares_the_money_to_the_last_fen() -> None:
    given = union_prizes(ZHONGSHAN, union("CBAD", xiangqi="D CBA"))
    shared = [one for one in given if one.event == "teams" and one.team != "D"]
    assert [(one.team, one.place, one.to_place, one.paid_fen) for one in shared] == [
        ("A", 2, 4, 140000),  # (1600 + 1400 + 1200) / 3
        ("B", 2, 4, 140000),
        ("C", 2, 4, 140000),
    ]
    three = [one for one in union_prizes(ZHONGSHAN, union("HGFABCDE", tractor="A B C D E HGF")) if one.to_place == 8]
    money = {one.team: (one.money_fen, one.paid_fen) for one in three if one.event == "teams"}
    assert money == {
        "F": (Fraction(100000, 3), 33334),
        "G": (Fraction(100000, 3), 33333),
        "H": (Fraction(100000, 3), 33333),
    }


def test_who_has_800_yuan_in_place_of_a_smaller_part_has_the_participation_prize() -> None:
    given = union_prizes(ZHONGSHAN, union("ABCDEFGH", tractor="A B C D E FGH", full="G"))
    own = next(one for one in given if one.team == "G" and one.event == "teams")
    assert ([prize.en for prize in own.prizes], own.paid_fen) == (["cup and plaque", "participation prize"], 80000)


def test_a_team_without_points_has_no_cup() -> None:
    given = union_prizes(ZHONGSHAN, union("AB", weiqi="A"))
    assert [one.team for one in given if one.event == "teams"] == ["A"]


def test_a_cancelled_team_has_nothing_and_the_next_moves_up() -> None:  # 四
    given = union_prizes(ZHONGSHAN, union("AB", weiqi="A B", full="A", cancelled="A"))
    assert names(given) == [
        (1, 1, "B", ["cup and plaque", "prize money"]),
        (1, 1, "B", ["gift", "medal"]),
    ]


def test_an_event_of_zhongshan_by_itself_has_its_gifts_and_medals() -> None:
    given = prize_list(ZHONGSHAN, simulate(ZHONGSHAN, 12, bytes(16)).competition)
    assert [(one.place, [prize.en for prize in one.prizes]) for one in given] == [
        *((n, ["gift", "medal"]) for n in (1, 2, 3)),
        *((n, ["gift"]) for n in (4, 5, 6)),
    ]


def test_prizes_rest_on_their_articles(jimei: Preset) -> None:
    assert ("十三", "stated") in [(one.article, one.mark) for one in basis(jimei)]
    assert [one.article for one in basis(AHUT)] == ["三"]
    assert {"五（二）", "五（三）", "五（四）"} <= {one.article for one in basis(ZHONGSHAN)}
