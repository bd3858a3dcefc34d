"""From entries and played events to what team totals are made of (zhongshan-2013 四, 五（二）)."""

from __future__ import annotations

from typing import Any

import pytest

from shared.rules.entries.team import fielded
from shared.rules.formats.competition import Competition, PlayedMatch, Round, Team
from shared.rules.formats.standings import standings
from shared.rules.formats.totals import totals
from shared.rules.formats.union_facts import Entry, Event, entered_in_full, union_of, without
from shared.rules.regulations import load

ZHONGSHAN = load("zhongshan-2013")
PLAYERS = ("U1-1", "U2-1", "U3-1")
OF = {player: player.partition("-")[0] for player in PLAYERS}
FULL = {"tractor_pairs": 2, "xiangqi": 2, "weiqi": 2}


def match(one: str, two: str) -> PlayedMatch:
    """The first wins: two points (assumed)."""
    return PlayedMatch(table=1, teams=(f"{one}-1", f"{two}-1"), points=(2, 0), status="played")


def weiqi(rounds: int = 3, **changes: Any) -> Competition:
    """Three players, everybody against everybody: U1 beats both, U2 beats U3; each rests once."""
    played = (
        Round(number=1, matches=(match("U2", "U3"),), byes=("U1-1",)),
        Round(number=2, matches=(match("U1", "U3"),), byes=("U2-1",)),
        Round(number=3, matches=(match("U1", "U2"),), byes=("U3-1",)),
    )
    teams = tuple(Team(player) for player in PLAYERS)
    return Competition(teams=teams, rounds=played[:rounds], event="weiqi", seed="00", **changes)


def entry(team: str, broken: bool = False) -> Entry:
    return Entry(id=team, name=team, fielded=FULL, broken=broken)


def union(competition: Competition, *entries: Entry, absent: frozenset[str] = frozenset()) -> Any:
    found = entries or (entry("U1"), entry("U2"), entry("U3"))
    return union_of(ZHONGSHAN, found, {"weiqi": Event(competition=competition, absent=absent)}, OF)


def test_who_rests_in_a_round_robin_at_a_board_gains_nothing() -> None:
    assert [row.points for row in standings(ZHONGSHAN, weiqi())] == [4, 2, 0]


def test_a_place_is_of_the_entry_that_the_player_is_in() -> None:
    assert union(weiqi()).placings == {"weiqi": (("U1",), ("U2",), ("U3",))}


def test_an_event_counts_once_its_last_round_is_over() -> None:
    assert union(weiqi(rounds=2)).placings == {"weiqi": ()}


def test_a_player_alone_has_the_first_place_and_its_seven_points() -> None:  # 五（一）; assumed: nobody else has one
    alone = Competition(teams=(Team("U1-1"),), event="weiqi", seed="00")
    assert union(alone).placings == {"weiqi": (("U1",),)}
    assert {row.team: row.all for row in totals(ZHONGSHAN, union(alone))} == {"U1": 7, "U2": 0, "U3": 0}


@pytest.mark.parametrize(("missing", "full"), [("", True), ("tractor_pairs", False), ("xiangqi", False)])
def test_full_is_two_pairs_and_two_players_of_each_board(missing: str, full: bool) -> None:  # 满额, read
    assert entered_in_full(ZHONGSHAN, FULL | ({missing: 1} if missing else {})) is full


def test_a_pair_of_the_form_counts_once() -> None:
    form = [("tractor_pairs", 1), ("tractor_pairs", 1), ("tractor_pairs", 2), ("tractor_pairs", 2), ("weiqi", None)]
    assert fielded(form) == {"tractor_pairs": 2, "weiqi": 1}


@pytest.mark.parametrize("changes", [{"withdrawn": ("U2-1",)}, {"disqualified": ("U2-1",)}])
def test_who_left_or_was_put_out_has_not_played_everything(changes: Any) -> None:
    assert [team.played_everything for team in union(weiqi(**changes)).teams] == [True, False, True]


def test_who_was_absent_has_not_played_everything_and_keeps_the_results() -> None:
    one = union(weiqi(), absent=frozenset({"U3-1"})).teams[2]
    assert (one.played_everything, one.cancelled) == (False, False)


def test_a_disqualification_or_a_broken_entry_cancels() -> None:  # 四; those below move up (assumed)
    found = union(weiqi(disqualified=("U1-1",)), entry("U1"), entry("U2", broken=True), entry("U3"))
    assert [team.cancelled for team in found.teams] == [True, True, False]
    assert found.placings == {"weiqi": (("U3",),)}


def test_a_disqualification_at_one_event_cancels_the_places_of_every_event() -> None:
    """四: 取消比赛成绩和奖金, of the team. U1 has won both; its player of 象棋 was disqualified."""
    teams = tuple(Team(f"U{n}-1") for n in (1, 2))
    xiangqi = Competition(teams=teams, event="xiangqi", seed="00", disqualified=("U1-1",))
    events = {one.event: Event(competition=one, absent=frozenset()) for one in (weiqi(), xiangqi)}
    found = union_of(ZHONGSHAN, [entry("U1"), entry("U2"), entry("U3")], events, OF)
    assert found.placings["weiqi"] == (("U2",), ("U3",))


def test_what_others_won_against_a_cancelled_entry_stands() -> None:
    """U1 and U2 beat U3, and keep the two points for it."""
    struck = without(weiqi(), OF, {"U3"})
    rows = {row.team: (row.rank, row.points) for row in standings(ZHONGSHAN, struck)}
    assert rows == {"U1-1": (1, 4), "U2-1": (2, 2), "U3-1": (None, 0)}


@pytest.mark.parametrize("out", ["withdrawn", "disqualified"])
def test_a_player_alone_who_left_has_no_place(out: str) -> None:  # assumed: a place is for who is there
    alone = Competition(teams=(Team("U1-1"),), event="weiqi", seed="00", **{out: ("U1-1",)})  # type: ignore[arg-type]
    assert union(alone).placings == {"weiqi": ()}


def two(status: Any, points: tuple[int, int], **changes: Any) -> Competition:
    """Two players at a board, and their one match."""
    only = PlayedMatch(table=1, teams=("U1-1", "U2-1"), points=points, status=status)
    teams = (Team("U1-1"), Team("U2-1"))
    return Competition(teams=teams, rounds=(Round(number=1, matches=(only,)),), event="weiqi", seed="00", **changes)


@pytest.mark.parametrize(
    ("status", "points", "ranks"),
    [
        ("forfeit", (0, 0), [None, None]),  # neither came: nobody takes a place (assumed)
        ("played", (1, 1), [1, 1]),  # a draw
        ("forfeit", (2, 0), [1, 2]),  # one came, or it was awarded to one
    ],
)
def test_who_came_to_no_game_takes_no_place(status: Any, points: tuple[int, int], ranks: list[Any]) -> None:
    assert [row.rank for row in standings(ZHONGSHAN, two(status, points))] == ranks


def test_who_left_after_a_game_keeps_the_place_at_every_round() -> None:
    left = two("played", (2, 0), withdrawn=("U2-1",))
    assert [row.rank for row in standings(ZHONGSHAN, left)] == [1, 2]
    assert [row.rank for row in standings(ZHONGSHAN, left, 0)] == [1, 1]


def test_who_missed_one_game_and_played_another_is_ranked() -> None:
    """Of three U1 and U2 both missed theirs, and both had played U3 and won."""
    deserted = PlayedMatch(table=1, teams=("U1-1", "U2-1"), points=(0, 0), status="forfeit")
    rounds = (*weiqi().rounds[:2], Round(number=3, matches=(deserted,), byes=("U3-1",)))
    one = Competition(teams=weiqi().teams, rounds=rounds, event="weiqi", seed="00")
    assert [(row.team, row.rank) for row in standings(ZHONGSHAN, one)] == [("U1-1", 1), ("U2-1", 1), ("U3-1", 3)]
