"""The crosstable shows each team's rounds in the order of the standings."""

from __future__ import annotations

from shared.rules.formats.crosstable import CrossRow, crosstable
from shared.rules.formats.standings import standings
from shared.rules.regulations import Preset
from tests.unit.rules.tables import competition, round_of

TABLE = competition(
    "A B C D E",
    round_of(1, "A-B 2:0, C-D 2:0 forfeit", bye="E"),
    round_of(2, "A-C 1:1, B-E 2:0", absent="D"),
)


def row(preset: Preset, team: str) -> CrossRow:
    return next(row for row in crosstable(preset, TABLE) if row.team == team)


def test_the_rows_stand_in_the_order_of_the_standings(jimei: Preset) -> None:
    assert [(each.rank, each.team) for each in crosstable(jimei, TABLE)] == [
        (each.rank, each.team) for each in standings(jimei, TABLE)
    ]


def test_a_cell_names_opponent_result_and_kind(jimei: Preset) -> None:
    first, second = row(jimei, "C").outcomes
    assert (first.kind, first.opponent, first.points, first.opponent_points) == ("forfeit", "D", 2, 0)
    assert (second.kind, second.opponent, second.points, second.opponent_points) == ("played", "A", 1, 1)


def test_a_bye_and_an_absence_have_no_opponent(jimei: Preset) -> None:
    bye, absent = row(jimei, "E").outcomes[0], row(jimei, "D").outcomes[1]
    assert (bye.kind, bye.points, bye.opponent) == ("bye", 2, None)  # 轮空选手计得2分
    assert (absent.kind, absent.points, absent.opponent) == ("absent", 0, None)


def test_the_running_totals_stand_beside(jimei: Preset) -> None:
    assert row(jimei, "A").running == (2, 3)
    assert row(jimei, "D").running == (0, 0)


def test_levels_are_shown_from_the_teams_own_side(jimei: Preset) -> None:
    from shared.rules.formats.competition import Competition, PlayedMatch, Round, Team

    match = PlayedMatch(table=1, teams=("A", "B"), points=(2, 0), levels=("7", "5"), status="played")
    table = Competition(teams=(Team(id="A"), Team(id="B")), rounds=(Round(number=1, matches=(match,)),))
    assert [each.outcomes[0].levels for each in crosstable(jimei, table)] == [("7", "5"), ("5", "7")]
