"""The course of a competition through the stages of its regulation, from the draw to the places."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from shared.rules.errors import BadCompetition, DrawRefused, PairingRefused
from shared.rules.formats.competition import Competition, HallDraw, PlayedMatch, Round, Team
from shared.rules.formats.course import CourseRound, course, next_round, places
from shared.rules.formats.simulation import Mishaps, Simulated, simulate
from shared.rules.formats.stages import stages_of
from shared.rules.regulations import AnyPreset, changed, load_any

SEED = bytes(range(16))
JIMEI, ZHONGSHAN, SHANDONG, AHUT = (
    load_any(name) for name in ("jimei-2018", "zhongshan-2013", "shandong-2023", "ahut-2018")
)


def entered(teams: int, each: int = 1, **more: object) -> Competition:
    """Teams 1 to so many, `each` of one unit, which all end in the order of their numbers when the lower wins."""
    names = tuple(Team(str(n), unit=f"U{(n - 1) // each}") for n in range(1, teams + 1))
    return Competition(teams=names, seed=SEED.hex(), **more)  # type: ignore[arg-type]


def after(competition: Competition, paired: CourseRound, **scores: tuple[int, int]) -> Competition:
    """The round played: the lower number wins, but where `scores` gives a forfeit by the game's id."""
    matches = []
    for match in paired.matches:
        one, two = match.teams
        given = scores.get(match.game.replace(".", "_"))
        points = given or ((1, 0) if int(one) < int(two) else (0, 1))
        status = "forfeit" if given else "played"
        matches.append(PlayedMatch(table=match.table, teams=match.teams, points=points, status=status))  # type: ignore[arg-type]
    round_ = Round(number=paired.number, matches=tuple(matches), byes=paired.byes)
    return replace(competition, rounds=(*competition.rounds, round_))


def played(preset: AnyPreset, competition: Competition) -> tuple[Competition, list[CourseRound]]:
    rounds = []
    while not course(preset, competition).finished:
        rounds.append(next_round(preset, competition))
        competition = after(competition, rounds[-1])
    return competition, rounds


def ranked(preset: AnyPreset, competition: Competition) -> list[tuple[str, int, str]]:
    return [(row.part, row.rank, row.team) for row in places(course(preset, competition), competition)]


def test_zhongshan_zones_until_three_are_left_then_six_for_their_places() -> None:  # 七（一）1
    competition, rounds = played(ZHONGSHAN, entered(48, each=2))
    assert [(one.stage, len(one.matches)) for one in rounds] == [
        ("zones", 24),  # 24 pairs a zone
        ("zones", 12),
        ("zones", 6),
        ("placement", 2),  # two of the six have a bye by lot
        ("placement", 2),
        ("placement", 3),
    ]
    assert [match.terms.minutes for match in rounds[0].matches] == [45] * 24
    run = course(ZHONGSHAN, competition)
    zone = {team: part for part, seats in run.stages[0].draw.parts.items() for team in seats}
    assert all(zone[str(n)] != zone[str(n + 1)] for n in range(1, 48, 2)), "the two pairs of a team"
    rows = ranked(ZHONGSHAN, competition)
    assert [rank for _, rank, _ in rows[:7]] == [1, 2, 3, 4, 5, 6, 7]
    assert rows[0] == ("", 1, "1")


def test_shandong_a_knockout_with_a_match_for_third() -> None:  # 六.3, 九（一）
    competition, rounds = played(SHANDONG, entered(13))
    assert [len(one.matches) for one in rounds] == [5, 4, 2, 2]  # three byes of sixteen
    assert len(rounds[0].byes) == 3
    assert [match.name.en for match in rounds[-1].matches] == ["final", "match for place 3"]
    assert [match.terms.minutes for match in rounds[-1].matches] == [None, None]
    assert [rank for _, rank, _ in ranked(SHANDONG, competition)] == [1, 2, 3, 4, 5, 5, 5, 5, 9, 9, 9, 9, 9]


def test_ahut_two_groups_with_an_hour_a_round_and_from_the_last_eight_untimed() -> None:  # 二.5
    competition, rounds = played(AHUT, entered(64))
    assert [(one.matches[0].terms.minutes, one.matches[0].terms.stage) for one in rounds] == [
        (60, "group"),
        (60, "group"),
        (None, "last8"),
        (None, "last8"),
        (None, "final"),
    ]
    assert {match.part for match in rounds[-1].matches} == {"A", "B"}, "two finals"
    rows = ranked(AHUT, competition)
    for group in "AB":
        assert [rank for part, rank, _ in rows if part == group][:9] == [1, 2, 3, 3, 5, 5, 5, 5, 9]


def test_the_groups_never_cross() -> None:  # 二.5: 两组不交叉
    _, rounds = played(AHUT, entered(40))
    group = {team: match.part for match in rounds[0].matches for team in match.teams}
    group |= {team: match.part for one in rounds for match in one.matches for team in match.teams}
    for one in rounds:
        for match in one.matches:
            assert {group[team] for team in match.teams} == {match.part}


def test_jimei_so_many_swiss_rounds_as_entered() -> None:  # 十.2
    competition, rounds = played(JIMEI, entered(9))
    assert [(one.stage, len(one.matches), len(one.byes)) for one in rounds] == [("swiss", 4, 1)] * 4
    assert ranked(JIMEI, competition) == []


@pytest.mark.parametrize(
    ("players", "formats"), [(5, ["round_robin"]), (6, ["round_robin"]), (7, ["ladder", "placement"])]
)
def test_the_boards_play_each_other_while_they_are_few(players: int, formats: list[str]) -> None:  # 七（二）1
    assert [stage.format for stage in stages_of(ZHONGSHAN, players, "xiangqi")] == formats


def test_a_board_event_of_five_is_a_round_robin_of_five_rounds() -> None:
    _, rounds = played(ZHONGSHAN, entered(5, event="weiqi"))
    assert [(len(one.matches), len(one.byes)) for one in rounds] == [(2, 1)] * 5


def test_a_board_event_of_more_goes_on_until_six_are_left_who_play_for_their_places() -> None:
    competition, rounds = played(ZHONGSHAN, entered(11, event="xiangqi"))
    assert [(one.stage, len(one.matches)) for one in rounds] == [
        ("ladder", 5),  # 11 → 6
        ("placement", 2),
        ("placement", 2),
        ("placement", 3),
    ]
    assert [rank for _, rank, _ in ranked(ZHONGSHAN, competition)][:6] == [1, 2, 3, 4, 5, 6]


def test_a_double_forfeit_lets_the_next_opponent_advance() -> None:  # ahut 四.1, assumed
    competition = entered(8)
    first = next_round(SHANDONG, competition)
    competition = after(competition, first, **{"1_1": (0, 0)})
    second = next_round(SHANDONG, competition)
    assert [match.game for match in second.matches] == ["2.2"]
    assert set(second.byes) == {team for team in first.matches[1].teams if team == min(first.matches[1].teams, key=int)}


def test_a_team_that_leaves_is_not_paired_and_its_opponent_goes_on() -> None:
    competition = entered(8)
    first = next_round(SHANDONG, competition)
    competition = after(competition, first)
    winners = [min(match.teams, key=int) for match in first.matches]
    second = next_round(SHANDONG, replace(competition, withdrawn=(winners[0],)))
    assert [set(match.teams) for match in second.matches] == [{winners[2], winners[3]}]
    assert winners[1] in second.byes


def test_who_leaves_later_changes_nothing_of_what_was_decided() -> None:
    """Of two semi-finalists one leaves before the match, the other, now a finalist, before the final."""
    competition = after(entered(4), next_round(SHANDONG, entered(4)))
    assert len(next_round(SHANDONG, competition).matches) == 2
    winners = [min(match.teams, key=int) for match in competition.rounds[0].matches]
    losers = [max(match.teams, key=int) for match in competition.rounds[0].matches]
    done = replace(competition, withdrawn=(winners[1],))
    assert [set(match.teams) for match in next_round(SHANDONG, done).matches] == [set(losers)]
    done = after(done, next_round(SHANDONG, done))
    assert ranked(SHANDONG, done)[0][2] == winners[0]
    assert ranked(SHANDONG, replace(done, withdrawn=(*winners[::-1],)))[0][2] == winners[0]


def test_below_a_disqualified_team_places_move_up() -> None:  # zhongshan 四, assumed
    competition, _ = played(SHANDONG, entered(8))
    barred = replace(competition, disqualified=("1",))
    assert ranked(SHANDONG, barred)[0] == ("", 1, ranked(SHANDONG, competition)[1][2])


def test_a_round_is_paired_from_finished_matches_only() -> None:
    competition = entered(4)
    open_ = PlayedMatch(table=1, teams=next_round(SHANDONG, competition).matches[0].teams, status="unfinished")
    with pytest.raises(PairingRefused) as refused:
        next_round(SHANDONG, replace(competition, rounds=(Round(number=1, matches=(open_,)),)))
    assert (refused.value.code, refused.value.tables) == ("open_matches", ("1/1",))


def test_after_the_last_round_there_is_none() -> None:
    competition, _ = played(SHANDONG, entered(4))
    with pytest.raises(PairingRefused) as refused:
        next_round(SHANDONG, competition)
    assert refused.value.code == "finished"


def test_a_bracket_is_paired_by_its_draw() -> None:
    with pytest.raises(PairingRefused, match="no pair can be fixed"):
        next_round(SHANDONG, entered(4, fixed=(("1", "2"),)))


def test_a_match_that_was_not_due_is_refused_with_its_place() -> None:
    first = next_round(SHANDONG, entered(4)).matches
    crossed = (first[0].teams[0], first[1].teams[0])
    match = PlayedMatch(table=1, teams=crossed, points=(1, 0), status="played")
    with pytest.raises(BadCompetition, match=r"rounds\[0\].matches\[0\].teams"):
        course(SHANDONG, entered(4, rounds=(Round(number=1, matches=(match,)),)))


def test_a_match_without_a_winner_is_refused_with_its_place() -> None:
    teams = next_round(SHANDONG, entered(4)).matches[0].teams
    match = PlayedMatch(table=1, teams=teams, points=(1, 1), status="played")
    with pytest.raises(BadCompetition, match=r"rounds\[0\].matches\[0\].points"):
        course(SHANDONG, entered(4, rounds=(Round(number=1, matches=(match,)),)))


def test_lots_drawn_in_the_hall_are_taken_as_they_fell() -> None:
    hall = HallDraw(parts={"": ("3", None, "1", "2")}, witness="领队")
    (match,) = next_round(SHANDONG, entered(3, draws={"knockout": hall})).matches
    assert match.teams == ("1", "2")


@pytest.mark.parametrize(
    ("seats", "witness", "said"),
    [
        (("1", "2", "3"), "x", "no power of two"),
        (("1", "2", "3", *[None] * 5), "x", "two byes meet"),
        (("1", "2", "3", "3"), "x", "drawn 2 times"),
        (("1", "2"), "x", "3 drew no lot"),
        (("1", "2", "3", None), " ", "need a witness"),
    ],
)
def test_what_is_no_draw_is_refused(seats: tuple[str | None, ...], witness: str, said: str) -> None:
    with pytest.raises(DrawRefused, match=said):
        next_round(SHANDONG, entered(3, draws={"knockout": HallDraw(parts={"": seats}, witness=witness)}))


def test_lots_of_round_one_drawn_in_the_hall_pair_the_swiss() -> None:
    hall = HallDraw(parts={"": ("4", "2", "1", "3")}, witness="领队")
    paired = next_round(JIMEI, entered(4, draws={"swiss": hall}))
    assert [match.teams for match in paired.matches] == [("4", "2"), ("1", "3")]


def test_a_regulation_may_list_its_stages_otherwise() -> None:
    assert not isinstance(JIMEI, type(AHUT))
    robin = changed(JIMEI, {"stages.swiss.format": "round_robin"})
    assert [len(one.matches) for one in played(robin, entered(4))[1]] == [2, 2, 2]


REGULATIONS = st.sampled_from([ZHONGSHAN, SHANDONG, AHUT, JIMEI])


@given(REGULATIONS, st.integers(2, 26), st.binary(min_size=16, max_size=16))
@settings(max_examples=60, deadline=None)
def test_any_competition_with_forfeits_and_withdrawals_comes_to_its_end(
    preset: AnyPreset, teams: int, seed: bytes
) -> None:
    check_sound(simulate(preset, teams, seed, Mishaps(forfeits=4, withdrawals=12)), teams)


def check_sound(done: Simulated, teams: int) -> None:
    """Every round was paired from those still in; nobody has two places; played again, it comes to the same."""
    assert done.course.finished
    for paired in done.rounds:
        named = [team for match in paired.matches for team in match.teams]
        assert len({*named, *paired.byes}) == len(named) + len(paired.byes)
    numbers = [paired.number for paired in done.rounds]
    assert all(later == earlier + 1 for earlier, later in pairwise(numbers))
    rows = places(done.course, done.competition)
    assert len({row.team for row in rows}) == len(rows)
    assert all(1 <= row.rank <= teams for row in rows)
    if done.course.stages[0].brackets:
        assert len(rows) == teams, "everybody has a place"


def test_a_simulation_is_a_function_of_its_inputs() -> None:
    assert simulate(AHUT, 20, SEED) == simulate(AHUT, 20, SEED)
    assert simulate(AHUT, 20, SEED) != simulate(AHUT, 20, bytes(16))
