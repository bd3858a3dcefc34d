"""团体总分 and its money: zhongshan-2013 五, and what RULINGS zhongshan 7 and 8 make of it.

Points by place: tractor 9 7 6 5 4 3, xiangqi and weiqi 7 5 4 3 2 1. Money: 2000, 1600, 1400, 1200, 1100, 1000 yuan.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from shared.rules.errors import BadUnion
from shared.rules.formats.totals import UnionRow, basis, by_number, place_name, totals
from shared.rules.formats.union import UnionResults, UnionTeam, from_file
from shared.rules.regulations import Preset, changed, load


@pytest.fixture(scope="module")
def zhongshan() -> Preset:
    return load("zhongshan-2013")


def union(
    teams: str, tractor: str = "", xiangqi: str = "", weiqi: str = "", *, full: str = "", cancelled: str = ""
) -> UnionResults:
    """Results in short: a place's teams stand together, as in "A B CD" where C and D share the third place."""
    entered = tuple(
        UnionTeam(id=team, entered_in_full=team in full, played_everything=team in full, cancelled=team in cancelled)
        for team in teams
    )
    placings = {"tractor": tractor, "xiangqi": xiangqi, "weiqi": weiqi}
    return UnionResults(
        teams=entered,
        placings={event: tuple(tuple(place) for place in places.split()) for event, places in placings.items()},
    )


def places(rows: list[UnionRow]) -> list[tuple[int | None, str, str | None]]:
    return [(row.rank, row.team, row.decided_by) for row in rows]


def yuan(rows: list[UnionRow]) -> dict[str, Fraction]:
    return {row.team: row.money_fen / 100 for row in rows}


def test_each_pair_and_each_player_scores_by_its_place(zhongshan: Preset) -> None:  # 五（一）
    rows = totals(zhongshan, union("AB", tractor="A A B", xiangqi="B A", weiqi="A"))
    assert [(row.team, row.points, row.all) for row in rows] == [
        ("A", {"tractor": 9 + 7, "xiangqi": 5, "weiqi": 7}, 28),
        ("B", {"tractor": 6, "xiangqi": 7, "weiqi": 0}, 13),
    ]


def test_places_after_the_sixth_give_no_points(zhongshan: Preset) -> None:
    rows = totals(zhongshan, union("ABCDEFG", weiqi="A B C D E F G"))
    assert [row.all for row in rows] == [7, 5, 4, 3, 2, 1, 0]


def test_a_shared_place_shares_the_points_of_the_places_it_covers(zhongshan: Preset) -> None:
    rows = totals(zhongshan, union("ABCDEFGH", xiangqi="A BC D EFGH"))
    points = {row.team: row.all for row in rows}
    assert points["B"] == points["C"] == Fraction(5 + 4, 2)
    assert points["D"] == 3  # fourth: second and third are taken
    assert points["E"] == Fraction(2 + 1 + 0 + 0, 4)  # fifth to eighth


def test_two_pairs_of_a_team_that_share_a_place_have_both_parts(zhongshan: Preset) -> None:
    rows = totals(zhongshan, union("AB", tractor="AAB"))
    assert {row.team: row.all for row in rows} == {"A": 2 * Fraction(9 + 7 + 6, 3), "B": Fraction(9 + 7 + 6, 3)}
    assert {row.team: row.firsts for row in rows} == {"A": 2, "B": 1}


def test_more_points_come_first(zhongshan: Preset) -> None:
    assert places(totals(zhongshan, union("BA", tractor="A B"))) == [(1, "A", None), (2, "B", "points")]


def test_equal_totals_are_parted_by_first_places(zhongshan: Preset) -> None:
    # A 7+1+1 = 9 by a first and two sixths, B 5+4 = 9 by a second and a third; the others have 7 and less
    results = union("ABCDEFG", xiangqi="A B C D E A", weiqi="C D B E F A")
    rows = totals(zhongshan, results)
    assert {row.team: row.all for row in rows}["A"] == {row.team: row.all for row in rows}["B"] == 9
    assert [row[1] for row in places(rows)].index("A") < [row[1] for row in places(rows)].index("B")
    assert next(row.decided_by for row in rows if row.team == "B") == "firsts"


def test_equal_firsts_are_parted_by_seconds_and_so_on(zhongshan: Preset) -> None:
    # A 5+2 by a second and a fifth, B 3+4 by a fourth and a third
    rows = totals(zhongshan, union("ABCDF", xiangqi="C A C B D F", weiqi="C C B D A F"))
    assert {row.team: row.all for row in rows} == {"A": 5 + 2, "B": 3 + 4, "C": 7 + 4 + 7 + 5, "D": 2 + 3, "F": 1 + 1}
    assert ("B", "seconds") in [(row.team, row.decided_by) for row in rows]


def test_places_beyond_the_sixth_part_equal_totals_too(zhongshan: Preset) -> None:
    # A and B second once; A's other player is seventh, B's eighth
    rows = totals(zhongshan, union("ABCDEFGH", xiangqi="C A D E F G A H", weiqi="C B D E F G H B"))
    assert [(row.team, row.decided_by) for row in rows if row.team in "AB"] == [("A", "points"), ("B", "sevenths")]


def test_a_shared_place_counts_as_the_best_it_covers(zhongshan: Preset) -> None:
    # A shares the first place in weiqi, (7+5)/2 = 6; B is sole third and fifth, 4+2 = 6; both 6, A has a first
    rows = totals(zhongshan, union("ABCDE", xiangqi="C D B E B", weiqi="AC"))
    found = {row.team: row for row in rows}
    assert found["A"].all == found["B"].all == 6
    assert (found["A"].firsts, found["B"].firsts, found["C"].firsts) == (1, 0, 2)
    assert found["B"].decided_by == "firsts"


def test_teams_that_nothing_parts_share_their_place_and_the_next_is_left_out(zhongshan: Preset) -> None:
    rows = totals(zhongshan, union("DCBA", xiangqi="B A C", weiqi="A B D"))
    assert places(rows) == [(1, "A", None), (1, "B", "shared"), (3, "C", "points"), (3, "D", "shared")]


def test_the_first_six_have_the_money(zhongshan: Preset) -> None:  # 五（二）
    rows = totals(zhongshan, union("ABCDEFG", tractor="A B C D E F", weiqi="A B C D E F G"))
    assert yuan(rows) == {"A": 2000, "B": 1600, "C": 1400, "D": 1200, "E": 1100, "F": 1000, "G": 0}


def test_every_other_team_that_entered_in_full_and_played_everything_has_800_yuan(zhongshan: Preset) -> None:
    results = union("ABCDEFGHI", tractor="A B C D E F", full="FGHI")
    only_half = [UnionTeam(id="H", entered_in_full=True, played_everything=False)]
    only_half += [UnionTeam(id="I", entered_in_full=False, played_everything=True)]
    results = UnionResults(teams=(*results.teams[:7], *only_half), placings=results.placings)
    won = {"A": 2000, "B": 1600, "C": 1400, "D": 1200, "E": 1100, "F": 1000}
    assert yuan(totals(zhongshan, results)) == won | {"G": 800, "H": 0, "I": 0}


def test_a_shared_place_shares_its_money(zhongshan: Preset) -> None:
    # A and B share the first two places: (2000+1600)/2
    assert yuan(totals(zhongshan, union("AB", xiangqi="AB"))) == {"A": 1800, "B": 1800}


def test_who_is_entitled_to_more_than_the_part_has_800_yuan(zhongshan: Preset) -> None:
    # F, G and H share the sixth place, 1000/3 each; G entered in full and played everything
    rows = totals(zhongshan, union("ABCDEFGH", tractor="A B C D E FGH", full="G"))
    assert [yuan(rows)[team] for team in "FGH"] == [Fraction(1000, 3), 800, Fraction(1000, 3)]


def test_fen_that_do_not_divide_go_to_the_teams_in_order_of_number(zhongshan: Preset) -> None:
    # 100000 fen among three: 33333 and one left; among F, G and H it is F's
    rows = totals(zhongshan, union("HGFABCDE", tractor="A B C D E HGF"))
    assert {row.team: row.paid_fen for row in rows if row.rank == 6} == {"F": 33334, "G": 33333, "H": 33333}
    assert sum(row.paid_fen for row in rows) == sum((2000, 1600, 1400, 1200, 1100, 1000)) * 100


def test_in_order_of_number_2_stands_before_10() -> None:
    assert sorted(["U10", "U2", "U1", "V1"], key=by_number) == ["U1", "U2", "U10", "V1"]


def test_a_team_without_points_takes_no_money_place(zhongshan: Preset) -> None:
    rows = totals(zhongshan, union("ABCD", tractor="A B", full="D"))
    assert places(rows)[2:] == [(3, "C", "points"), (3, "D", "shared")]
    assert yuan(rows) == {"A": 2000, "B": 1600, "C": 0, "D": 800}


def test_the_organiser_may_let_a_team_without_points_take_its_place(zhongshan: Preset) -> None:
    own = changed(zhongshan, {"union.pointless": "takes_place"})
    assert yuan(totals(own, union("AB", tractor="A"))) == {"A": 2000, "B": 1600}


def test_results_and_money_of_a_cancelled_team_are_gone_and_lower_places_move_up(zhongshan: Preset) -> None:  # 四
    rows = totals(zhongshan, union("ABCD", tractor="A B C", xiangqi="AD B", full="A", cancelled="A"))
    assert places(rows) == [(1, "B", None), (2, "D", "points"), (3, "C", "firsts"), (None, "A", None)]
    assert {row.team: row.all for row in rows} == {"B": 9 + 5, "D": 7, "C": 7, "A": 0}
    assert yuan(rows) == {"B": 2000, "D": 1600, "C": 1400, "A": 0}


def test_of_two_cancelled_teams_neither_has_a_place(zhongshan: Preset) -> None:
    rows = totals(zhongshan, union("ABC", cancelled="AB"))
    assert [(row.team, row.rank) for row in rows] == [("C", 1), ("A", None), ("B", None)]


@pytest.mark.parametrize(
    ("place", "name"),
    [(1, "firsts"), (6, "sixths"), (12, "twelfths"), (20, "twentieths"), (21, "twenty_firsts"), (40, "fortieths")],
)
def test_how_many_of_a_place_is_named_in_words(place: int, name: str) -> None:
    assert place_name(place) == name


def test_the_basis_names_the_articles(zhongshan: Preset, jimei: Preset) -> None:
    assert {(item.article, item.mark) for item in basis(zhongshan)} >= {("五（一）", "stated"), ("五（二）", "assumed")}
    assert basis(jimei) == ()


def test_a_regulation_without_team_totals_is_refused(jimei: Preset) -> None:
    with pytest.raises(BadUnion) as refused:
        totals(jimei, union("A"))
    assert refused.value.place == "regulation"


def test_an_event_that_the_regulation_does_not_have_is_refused(zhongshan: Preset) -> None:
    with pytest.raises(BadUnion) as refused:
        totals(zhongshan, UnionResults(teams=union("A").teams, placings={"bridge": (("A",),)}))
    assert refused.value.place == "placings.bridge"


TEAM = {"id": "U1", "name": "One", "entered_in_full": True, "played_everything": True, "cancelled": False}
FILE = {
    "format": "pailu-union/1",
    "regulation": "zhongshan-2013",
    "teams": [TEAM],
    "placings": {"tractor": [["U1"], ["U1"]], "weiqi": []},
}


def test_a_file_is_read_as_it_stands() -> None:
    results = from_file(FILE)
    assert results.teams == (UnionTeam(id="U1", name="One", entered_in_full=True, played_everything=True),)
    assert results.placings == {"tractor": (("U1",), ("U1",)), "weiqi": ()}


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"format": "pailu-hand/1"}, "format"),
        ({"teams": [TEAM, TEAM]}, "teams[1].id"),
        ({"teams": [TEAM | {"id": ""}]}, "teams[0].id"),
        ({"teams": [TEAM | {"cancelled": 1}]}, "teams[0].cancelled"),
        ({"teams": [{"id": "U1"}]}, "teams[0]"),
        ({"placings": {"weiqi": [["U1"], ["U2"]]}}, "placings.weiqi[1][0]"),
        ({"placings": {"weiqi": [["U1"], []]}}, "placings.weiqi[1]"),
        ({"placings": {"weiqi": ["U1"]}}, "placings.weiqi[0]"),
        ({"placings": []}, "placings"),
        ({"colour": "red"}, "file"),
    ],
)
def test_an_error_names_its_place(change: dict[str, object], place: str) -> None:
    with pytest.raises(BadUnion) as refused:
        from_file(FILE | change)
    assert refused.value.place == place


@pytest.mark.parametrize("key", ["regulation", "teams", "placings"])
def test_what_is_needed_must_be_there(key: str) -> None:
    with pytest.raises(BadUnion) as refused:
        from_file({name: value for name, value in FILE.items() if name != key})
    assert key in refused.value.said.en
