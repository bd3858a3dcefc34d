"""What holds for the standings of any competition."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.rules.formats.competition import Competition
from shared.rules.formats.draws import lots
from shared.rules.formats.standings import lots_needed, standings
from shared.rules.regulations import Preset, changed, load
from tests.unit.rules.competitions import competitions

JIMEI = load("jimei-2018")
ALL = changed(
    JIMEI,
    {
        "standings.tie_breaks": [
            "direct_win",
            {"code": "cumulative", "cut_rounds": 1},
            {"code": "buchholz", "cut_lowest": 1, "withdrawn": "draws"},
            {"code": "sonneborn_berger", "cut_lowest": 1, "cut_highest": 1, "bye": "own"},
            "wins",
            "second_mover",
            "lot",
        ]
    },
)
PRESETS = st.sampled_from([JIMEI, ALL])
"""jimei's own list, and one with tie-breaks of every kind."""


def renamed(competition: Competition, names: dict[str, str]) -> Competition:
    """The same competition under other ids."""
    text = msgspec.json.encode(competition).decode()
    for old, new in names.items():
        text = text.replace(f'"{old}"', f'"{new}"')
    return msgspec.json.decode(text, type=Competition)


@given(PRESETS, competitions(), st.data())
@settings(max_examples=200, deadline=None)
def test_renaming_the_teams_renames_the_standings_and_changes_nothing_else(
    preset: Preset, competition: Competition, data: st.DataObject
) -> None:
    other = data.draw(st.permutations([f"Z{n}" for n in range(len(competition.teams))]))
    names = dict(zip(competition.ids, other, strict=True))
    before = standings(preset, competition)
    after = {row.team: row for row in standings(preset, renamed(competition, names))}
    for row in before:
        same = after[names[row.team]]
        assert (same.rank, same.total, same.cumulative, same.direct_win, same.tie_breaks) == (
            row.rank,
            row.total,
            row.cumulative,
            row.direct_win,
            row.tie_breaks,
        )
    assert [row.decided_by for row in before] == [row.decided_by for row in after.values()]


@given(PRESETS, competitions(), st.data())
@settings(max_examples=200, deadline=None)
def test_the_order_of_teams_and_matches_in_the_file_does_not_matter(
    preset: Preset, competition: Competition, data: st.DataObject
) -> None:
    shuffled = msgspec.structs.replace(
        competition,
        teams=tuple(data.draw(st.permutations(competition.teams))),
        rounds=tuple(
            msgspec.structs.replace(round_, matches=tuple(data.draw(st.permutations(round_.matches))))
            for round_ in competition.rounds
        ),
    )
    assert standings(preset, shuffled) == standings(preset, competition)


@given(competitions(even=True, absences=False))
@settings(max_examples=150, deadline=None)
def test_on_a_full_field_without_byes_the_corrections_sum_to_zero(competition: Competition) -> None:
    """Each match gives two points, so S / (M/2) - R is zero on the average (RULINGS: an average field adds zero)."""
    rows = standings(JIMEI, competition)
    assert sum(Fraction(row.total.fraction) - row.points for row in rows) == 0


@given(competitions())
@settings(max_examples=150, deadline=None)
def test_every_team_has_one_line_and_ranks_count_the_lines_above(competition: Competition) -> None:
    rows = standings(JIMEI, competition)
    assert sorted(row.team for row in rows) == sorted(competition.ids)
    for place, row in enumerate(rows, 1):
        assert row.rank == (place if row.decided_by != "lot_needed" else rows[place - 2].rank)
    assert rows[0].decided_by is None


@given(competitions())
@settings(max_examples=150, deadline=None)
def test_a_higher_total_is_never_below(competition: Competition) -> None:
    rows = standings(JIMEI, competition)
    for above, below in pairwise(rows):
        higher, lower = Fraction(above.total.fraction), Fraction(below.total.fraction)
        assert higher >= lower
        assert (higher > lower) == (below.decided_by == "total")


@given(PRESETS, competitions(), st.binary(min_size=16, max_size=16))
@settings(max_examples=200, deadline=None)
def test_the_lots_asked_for_part_everything_and_move_nobody_else(
    preset: Preset, competition: Competition, seed: bytes
) -> None:
    before = standings(preset, competition)
    drawn = {team: lot for group in lots_needed(before) for team, lot in lots(seed, "lot", group).items()}
    after = standings(preset, msgspec.structs.replace(competition, lots=drawn))
    assert lots_needed(after) == []
    assert [row.rank for row in after] == list(range(1, len(after) + 1))
    old = {row.team: row.rank for row in before}
    assert [old[row.team] for row in after] == [row.rank for row in before]


@given(competitions())
@settings(max_examples=100, deadline=None)
def test_standings_after_a_round_are_those_of_a_competition_that_ended_there(competition: Competition) -> None:
    for number in range(len(competition.rounds) + 1):
        ended = msgspec.structs.replace(competition, rounds=competition.rounds[:number])
        assert standings(JIMEI, competition, number) == standings(JIMEI, ended)
