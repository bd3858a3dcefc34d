"""The FIDE tournament report format (TRF16, handbook C.04 Annex 2): columns, round trip, what is malformed or lost."""

from __future__ import annotations

import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from shared.rules.errors import BadReport, RuleError
from shared.rules.formats.competition import Competition, PlayedMatch, Round, Team, from_file, to_file
from shared.rules.formats.standings import standings
from shared.rules.formats.trf import read, regulation_of, written
from shared.rules.regulations import Preset, changed, load
from tests.unit.rules.competitions import competitions
from tests.unit.rules.tables import competition, round_of
from tests.unit.rules.test_standings_against_plain import any_file

JIMEI = load("jimei-2018")
TABLE = competition(
    "A B C D E",
    round_of(1, "A-B 2:0, D-C 1:1", bye="E"),
    round_of(2, "B-E unfinished, C-A 0:2 forfeit", absent="D"),
    name="Cup",
    regulation="jimei-2018",
    forbidden=(("A", "E"),),
    absent=("C",),
)


def report(*cells: str) -> str:
    """A report of players 1, 2, … with these rounds, ten columns each."""
    return "\n".join(f"{f'001 {n:>4}':91}{rounds}" for n, rounds in enumerate(cells, 1))


def test_fields_stand_in_their_columns() -> None:
    lines = written(JIMEI, TABLE)[0].splitlines()
    first = next(line for line in lines if line.startswith("001    1"))
    assert first[14:47].rstrip() == "[A]"
    assert first[80:84] == " 2.0"  # two wins, of which the second is not over in a round in progress, but won
    assert [first[91:95], first[96], first[98]] == ["   2", "w", "1"]
    assert [first[101:105], first[106], first[108]] == ["   3", "b", "+"]


def test_each_kind_of_round_has_its_code() -> None:
    lines = {line[4:8].strip(): line[91:] for line in written(JIMEI, TABLE)[0].splitlines() if line.startswith("001")}
    assert lines == {
        "1": "   2 w 1     3 b +",
        "2": "   1 b 0     5 w",  # not over
        "3": "   4 b =     1 w -",
        "4": "   3 w =  0000 - Z",  # absent
        "5": "0000 - U     2 b",  # bye
    }


def test_other_programs_are_told_who_is_away_next_and_who_must_not_meet() -> None:
    lines = written(JIMEI, replace(TABLE, withdrawn=("E",)))[0].splitlines()
    assert "XXZ 3 5" in lines
    assert "XXP 1 5" in lines
    assert "XXR 4" in lines  # four rounds up to 16 teams


def test_lines_end_as_the_format_asks() -> None:
    assert all(line.endswith("\r") for line in written(JIMEI, TABLE)[0].split("\n")[:-1])


def test_a_report_is_read_as_it_stands() -> None:
    found, lost = read(JIMEI, written(JIMEI, TABLE)[0])
    assert lost == []
    assert found == TABLE


def test_ids_are_starting_numbers_where_the_names_do_not_say_otherwise() -> None:
    found, _ = read(JIMEI, report("   2 w 1", "   1 b 0"))
    assert found.ids == ("1", "2")
    assert found.rounds[0].matches[0].teams == ("1", "2")


def test_a_report_of_another_program_may_have_gaps_in_its_numbers_and_half_point_byes() -> None:
    text = "\n".join(["001    7" + " " * 83 + "0000 - H", "001    3" + " " * 83 + "0000 - F", ""])
    found, _ = read(JIMEI, text)
    assert found.ids == ("7", "3")
    assert (found.rounds[0].half_byes, found.rounds[0].byes) == (("7",), ("3",))
    assert {row.team: row.points for row in standings(JIMEI, found)} == {"7": 1, "3": 2}


def test_unrated_games_count_like_others() -> None:
    found, _ = read(JIMEI, report("   2 w W", "   1 b L"))
    assert found.rounds[0].matches[0].points == (2, 0)


def test_a_last_round_without_match_or_bye_tells_who_is_away_next() -> None:
    found, _ = read(JIMEI, report("   2 w 1", "   1 b 0  0000 - Z"))
    assert (len(found.rounds), found.absent) == (1, ("2",))


def test_the_regulation_is_named_in_the_report() -> None:
    assert regulation_of(written(JIMEI, TABLE)[0]) == "jimei-2018"
    assert regulation_of("092 Individual: Swiss-System\n") is None


@given(competitions(sizes=(1, 9)), st.data())
@settings(max_examples=200, deadline=None)
def test_what_the_format_carries_comes_back_the_same(played: Competition, data: st.DataObject) -> None:
    """Table numbers are carried only where they follow the order of the white sides."""
    order = {team: place for place, team in enumerate(played.ids)}
    rounds = []
    for round_ in played.rounds:
        assume(not any(match.status == "forfeit" and match.points == (1, 1) for match in round_.matches))
        matches = sorted(round_.matches, key=lambda match: order[match.teams[0]])
        tables = tuple(replace(match, table=table) for table, match in enumerate(matches, 1))
        rounds.append(replace(round_, matches=tables))
    names = data.draw(
        st.lists(st.sampled_from(["", "红星队", "Team (2)", "O'Hara, B"]), min_size=len(order), max_size=len(order))
    )
    sent = replace(
        played,
        teams=tuple(Team(id=team, name=name, unit="ABC") for team, name in zip(order, names, strict=True)),
        rounds=tuple(rounds),
        name="杯赛 Cup",
        regulation="jimei-2018",
        forbidden=tuple(tuple(data.draw(st.permutations(list(order)))[:2]) for _ in range(len(order) // 2)),
        absent=tuple(team for team in order if data.draw(st.booleans())),
    )
    text, lost = written(JIMEI, sent)
    assume(all(round_.matches or round_.byes for round_ in sent.rounds[-1:]))
    found, _ = read(JIMEI, text)
    assert {what.en for what in lost} <= {"table numbers"}
    assert found == sent


@pytest.mark.parametrize("seed", range(60))
def test_standings_are_the_same_after_a_round_trip(seed: int) -> None:
    sent = from_file(any_file(random.Random(seed)))
    standing = [[match.status for match in round_.matches] for round_ in sent.rounds]
    if not sent.rounds or any("cancelled" in statuses for statuses in standing):
        return
    found, _ = read(JIMEI, written(JIMEI, sent)[0])
    lots = replace(found, lots=sent.lots)
    if len(found.rounds) == len(sent.rounds):
        assert standings(JIMEI, lots) == standings(JIMEI, sent)


def test_what_the_report_cannot_carry_is_said() -> None:
    match = PlayedMatch(table=1, teams=("A", "B"), points=(2, 0), levels=("7", "5"), status="played", fouls=(1, 0))
    cancelled = PlayedMatch(table=2, teams=("C", "D"), status="cancelled")
    sent = Competition(
        teams=(Team("A", "x" * 40), Team("B", "two  blanks"), Team("C", unit="Jimei"), Team("D", seed=1)),
        rounds=(Round(number=1, matches=(match, cancelled)),),
        lots={"A": 1},
        seed="00ff",
        fixed=(("A", "D"),),
        withdrawn=("C",),
        disqualified=("D",),
    )
    assert [what.en for what in written(JIMEI, sent)[1]] == [
        "table numbers",
        "levels",
        "fouls",
        "cancelled matches",
        "the whole names of A",
        "how B are written",
        "units",
        "seeds of teams",
        "the seed of the draw",
        "lots",
        "fixed pairs and orders",
        "who withdrew (written as absent next)",
        "who was disqualified (written as absent next)",
    ]


def test_what_the_competition_has_no_place_for_is_said() -> None:
    line = "001    1 m  g Carlsen, Magnus                   2830 NOR     1503014 1990/11/30  1.0    1  0000 - H"
    found, lost = read(JIMEI, f"012 Masters\n022 Oslo\n{line}\n")
    assert (found.teams, found.name) == ((Team("1", "Carlsen, Magnus", "NOR"),), "Masters")
    assert [what.en for what in lost] == [
        "lines 022",
        "sexes and titles",
        "ratings",
        "FIDE numbers",
        "dates of birth",
        "the points 1.0 at line 3, column 81 (the rounds give 0.5)",
    ]


def test_a_forfeit_that_was_a_draw_comes_back_as_played_and_that_is_said() -> None:
    text, lost = written(JIMEI, competition("1 2", round_of(1, "1-2 1:1 forfeit")))
    assert [line[98] for line in text.splitlines() if line.startswith("001")] == ["D", "D"]
    assert read(JIMEI, text)[0].rounds == (round_of(1, "1-2 1:1"),)
    assert "forfeits that were draws (written as played, unrated)" in [what.en for what in lost]


def test_a_result_without_a_code_is_refused_with_its_place() -> None:
    match = PlayedMatch(table=1, teams=("A", "B"), points=(3, 1), status="played")
    with pytest.raises(RuleError) as refused:
        written(JIMEI, Competition(teams=(Team("A"), Team("B")), rounds=(Round(number=1, matches=(match,)),)))
    assert refused.value.field == "rounds[0].matches[0].points"


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("", 1, 1),
        ("012 no players\n", 1, 1),
        ("hello\n", 1, 1),
        ("{}", 1, 1),
        (report("") + "\n01 \n", 2, 1),
        ("001    x", 1, 5),
        ("001     ", 1, 5),
        ("001    0", 1, 5),
        ("001    1\n001    1", 2, 5),
        (f"{'001    1':14}[A]\n{'001    2':14}[A]", 2, 15),
        (f"{'001    1':80}abcd", 1, 81),
        (f"{'001    1':80} 1.3", 1, 81),
        (report("   x w 1"), 1, 92),
        (report("   2 w 1"), 1, 92),  # nobody has number 2
        (report("   1 w 1"), 1, 92),
        (report("   2 w 1", "0000 - Z"), 1, 92),
        (report("   2 w 1", "   3 b 0", "   2 w 1"), 1, 92),
        (report("   2 r 1", "   1 b 0"), 1, 97),
        (report("   2 - 1", "   1 b 0"), 1, 97),
        (report("   2 w 1", "   1 w 0"), 1, 97),
        (report("   2 w 7", "   1 b 0"), 1, 99),
        (report("   2 w U", "   1 b 0"), 1, 99),
        (report("   2 w +", "   1 b 0"), 1, 99),
        (report("   2 w 1", "   1 b"), 1, 99),
        (report("0000 - 1"), 1, 99),
        (report("   2 w 1    22 b 1", "   1 b 0     1 w 0"), 1, 102),
        (report("   2 w 1x    2 b 1", "   1 b 0     1 w 0"), 1, 100),
        (report("   2xw 1", "   1 b 0"), 1, 96),
        (report("   2 w 1", "   1 b 0") + "\nXXZ 1 9", 3, 7),
        (report("   2 w 1", "   1 b 0") + "\nXXP 1,x", 3, 7),
    ],
)
def test_what_is_malformed_is_refused_with_line_and_column(text: str, line: int, column: int) -> None:
    with pytest.raises(BadReport) as refused:
        read(JIMEI, text)
    assert (refused.value.line, refused.value.column) == (line, column)
    assert f"第 {line} 行第 {column} 列" in refused.value.said.zh


@given(st.text(alphabet="01 2wb=+-UHZx[]\n", max_size=300), st.integers(0, 10_000))
@settings(max_examples=300, deadline=None)
def test_any_text_is_read_or_refused(text: str, seed: int) -> None:
    """A report with a part of it overwritten is still a competition, or an error that names its place."""
    whole = written(JIMEI, from_file(any_file(random.Random(seed % 50))))[0]
    at = seed % (len(whole) + 1)
    for broken in (text, whole[:at] + text + whole[at + len(text) :]):
        try:
            found, _ = read(JIMEI, broken)
        except BadReport as error:
            place = (error.line, error.column)
        else:
            place = (1, 1)
            assert from_file(to_file(found)) == found
        assert min(place) >= 1


def test_a_preset_of_other_points_is_written_and_read_by_its_results(jimei: Preset) -> None:
    own = changed(jimei, {"match.points.win": 3, "match.points.bye": 3})
    sent = competition("1 2 3", round_of(1, "1-2 3:0", bye="3"), round_of(2, "3-1 1:1", absent="2"))
    text, _ = written(own, sent)
    assert [line[80:84] for line in text.splitlines() if line.startswith("001")] == [" 1.5", " 0.0", " 1.5"]
    assert read(own, text)[0].rounds == sent.rounds
