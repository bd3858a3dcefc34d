"""From entries and played events to what team totals are made of (zhongshan-2013 四, 五（二）)."""

from __future__ import annotations

from typing import Any

import pytest

from shared.rules.entries.team import fielded
from shared.rules.formats.competition import Competition, PlayedMatch, Round, Team
from shared.rules.formats.standings import standings
from shared.rules.formats.totals import totals
from shared.rules.formats.union_facts import Entry, Event, entered_in_full, union_of
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


def test_a_disqualification_or_a_broken_entry_cancels() -> None:  # 四
    found = union(weiqi(disqualified=("U1-1",)), entry("U1"), entry("U2", broken=True), entry("U3"))
    assert [team.cancelled for team in found.teams] == [True, True, False]
    assert found.placings == {"weiqi": (("U2",), ("U3",))}
