"""What a decision does to a match and to the standings: RULINGS “Appeals” 5 and 6, jimei-2018 十一.7, 十二（名次）."""

from __future__ import annotations

from typing import Any

import pytest

from services.appeals import refusals as refuse
from services.appeals.effects import effect, suppose
from services.appeals.facts import Case, check_remedy
from services.appeals.play import Play, play_of
from shared.contracts.fact import HandFacts, LaterRounds, MatchResult, Remedy, Team
from shared.contracts.match import (
    DrawMade,
    Drawn,
    LotDrawn,
    Pairing,
    RoundClosed,
    RoundPaired,
    RoundReopened,
    RulingApplied,
    TeamWithdrawn,
)
from shared.rules.regulations import load
from shared.rules.shengji.facts import HandFact
from shared.rules.shengji.sheet import Sheet
from tests.unit.appeals.desk import CLOSED, JIMEI, LIFT, NONE, RESULT, case

TEAMS = ("red", "blue", "x", "y")


def told(kind: type[Any], **fields: Any) -> Any:
    return kind(regulation="jimei-2018/1", by="referee", competition="cup", **fields)


def paired(number: int, *pairs: tuple[str, str]) -> Any:
    matches = tuple(
        Pairing(match=f"m{number}.{table}", table=table, teams=teams) for table, teams in enumerate(pairs, start=1)
    )
    empty: dict[str, Any] = dict.fromkeys(("absent", "withdrawn", "disqualified", "gave_up", "why"), ())
    return told(
        RoundPaired, round=number, attempt=1, matches=matches, bye=None, rounds_planned=4, article="十.1", **empty
    )


def result(match: str, teams: tuple[str, str], points: tuple[int, int]) -> MatchResult:
    table = int(match.rpartition(".")[2])
    return MatchResult(
        match=match, table=table, teams=teams, points=points, levels=("5", "2"), how="level", status="played"
    )


def closed(number: int, *results: MatchResult) -> Any:
    more: dict[str, Any] = {"bye": None, "bye_points": 0, "absent": (), "last": False}
    return told(RoundClosed, round=number, closing=1, closed_at=CLOSED, results=results, **more)


TWO_ROUNDS = (
    told(
        DrawMade,
        seed="00",
        commitment="c",
        article="十",
        teams=tuple(Drawn(team=Team(id, id, f"{id}单位"), number=n) for n, id in enumerate(TEAMS, 1)),
    ),
    paired(1, ("red", "x"), ("blue", "y")),
    closed(1, result("m1.1", ("red", "x"), (2, 0)), result("m1.2", ("blue", "y"), (2, 0))),
    paired(2, ("red", "blue"), ("x", "y")),
    closed(2, RESULT, result("m2.2", ("x", "y"), (2, 0))),
)
"""Blue wins over Red in round 2, the match in dispute: blue 4, red and x 2, y 0."""


def ruling(remedy: Remedy, later: LaterRounds | None = None, match: Case | None = None) -> RulingApplied:
    return suppose(match or case(), play_of(TWO_ROUNDS), "a-1", remedy, later)


def standing(play: Play, by: RulingApplied | None) -> dict[str, tuple[int | None, int]]:
    return {row.team: (row.rank, row.points) for row in effect(JIMEI, play, by).after}


def points(remedy: Remedy, later: LaterRounds | None = None) -> dict[str, int]:
    return {team: p for team, (_, p) in standing(play_of(TWO_ROUNDS), ruling(remedy, later)).items()}


def test_a_lifted_penalty_gives_the_hand_its_points_back_and_the_match_another_result() -> None:
    # without the 80 for the revoke hand 1 is 75: its dealers, Red, gain one level, as Blue does in hand 2: 3 and 3
    after = ruling(LIFT).after
    assert after is not None
    assert (after.points, after.levels, after.how, after.status) == ((1, 1), ("3", "3"), "equal", "played")
    assert ruling(LIFT).before == RESULT


def test_the_standings_before_and_after_stand_side_by_side() -> None:
    shown = effect(JIMEI, play_of(TWO_ROUNDS), ruling(LIFT))
    assert {row.team: row.points for row in shown.before} == {"blue": 4, "red": 2, "x": 2, "y": 0}
    assert {row.team: row.points for row in shown.after} == {"blue": 3, "red": 3, "x": 2, "y": 0}
    # before: Blue has 4, its opponents y 0 and Red 2: 4 + 2/(4/2) − 2 = 3
    assert (shown.before[0].team, shown.before[0].total.fraction) == ("blue", "3/1")
    # after: Red has 3, its opponents x 2 and Blue 3: 3 + 5/(4/2) − 2 = 7/2
    assert (shown.after[0].team, shown.after[0].total.fraction) == ("red", "7/2")


EFFECTS: list[tuple[Remedy, dict[str, int]]] = [
    # hand 1 annulled: only hand 2 counts, Blue wins as before
    (Remedy(kind="annul_hand", hand=1), {"blue": 4, "red": 2, "x": 2, "y": 0}),
    # hand 2 at 0: the dealers, Blue, gain five levels and win as before
    (
        Remedy(kind="correct_hand", hand=2, facts=HandFacts(dealer=2, points=0)),
        {"blue": 4, "red": 2, "x": 2, "y": 0},
    ),
    (Remedy(kind="award_match", team="red"), {"blue": 2, "red": 4, "x": 2, "y": 0}),
    (Remedy(kind="disqualify_team", team="blue"), {"blue": 4, "red": 2, "x": 2, "y": 0}),  # points against it stand
    (Remedy(kind="replay_match"), {"blue": 2, "red": 2, "x": 0, "y": 0}),  # round 2 is open again
    (NONE, {"blue": 4, "red": 2, "x": 2, "y": 0}),
]


@pytest.mark.parametrize(("remedy", "expected"), EFFECTS, ids=lambda value: getattr(value, "kind", ""))
def test_what_each_remedy_does_to_the_points(remedy: Remedy, expected: dict[str, int]) -> None:
    assert points(remedy) == expected


def test_a_disqualified_team_has_no_rank_and_others_move_up() -> None:
    before = standing(play_of(TWO_ROUNDS), None)
    after = standing(play_of(TWO_ROUNDS), ruling(Remedy(kind="disqualify_team", team="blue")))
    assert (before["blue"][0], after["blue"][0]) == (1, None)
    assert after["red"][0] == 1


def test_a_match_that_is_to_be_played_again_has_no_result() -> None:
    shown = effect(JIMEI, play_of(TWO_ROUNDS), ruling(Remedy(kind="replay_match")))
    assert shown.ruling is not None
    assert shown.ruling.after is None
    assert all(row.provisional for row in shown.after)


def test_a_replay_from_a_later_round_counts_that_round_for_nothing() -> None:
    play = play_of(TWO_ROUNDS[:3])
    match = case(match="m1.1", round=1, teams={"red": "红队单位", "x": "x"}, later={2: ("m2.1", "m2.2")})
    later = LaterRounds(choice="replay_from", round=2)
    award = Remedy(kind="award_match", team="x")
    by = suppose(match, play_of(TWO_ROUNDS), "a-1", award, later)
    undone = standing(play_of(TWO_ROUNDS), by)
    assert undone == standing(play, suppose(match, play, "a-1", award, None))
    assert {team: p for team, (_, p) in undone.items()} == {"blue": 2, "red": 0, "x": 2, "y": 0}


def test_what_was_forfeited_is_changed_by_an_award_alone() -> None:
    forfeited = MatchResult(
        match="m2.1", table=1, teams=("red", "blue"), points=(0, 2), levels=None, how="forfeit", status="forfeit"
    )
    unplayed = case(result=forfeited)
    play = play_of(TWO_ROUNDS[:3])
    assert suppose(unplayed, play, "a-1", LIFT, None).after == forfeited
    awarded = suppose(unplayed, play, "a-1", Remedy(kind="award_match", team="red"), None).after
    assert awarded is not None
    assert (awarded.points, awarded.how, awarded.status) == ((2, 0), "awarded", "forfeit")


def test_earlier_rulings_on_the_match_count_too() -> None:
    annulled = case(rulings=(Remedy(kind="annul_hand", hand=2),))
    after = suppose(annulled, play_of(TWO_ROUNDS), "a-1", LIFT, None).after
    assert after is not None
    assert (after.levels, after.points) == (("3", "2"), (2, 0))


def test_a_match_in_play_counts_nowhere_yet() -> None:
    play = play_of(TWO_ROUNDS[:4])
    by = suppose(case(result=None), play, "a-1", LIFT, None)
    assert (by.before, by.after) == (None, None)
    assert effect(JIMEI, play, by).before == effect(JIMEI, play, by).after


def test_a_match_closed_in_an_open_round_has_its_result_and_the_standings_wait() -> None:
    play = play_of(TWO_ROUNDS[:4])
    by = suppose(case(), play, "a-1", LIFT, None)
    assert by.after is not None
    assert by.after.points == (1, 1)
    assert effect(JIMEI, play, by).before == effect(JIMEI, play, by).after


# How the rounds are told


def test_withdrawal_lots_and_reopening_are_in_the_standings() -> None:
    events = [
        *TWO_ROUNDS,
        told(TeamWithdrawn, team="y", from_round=3, reason="退赛"),
        told(RoundReopened, round=2, matches=("m2.2",), reason="误记"),
    ]
    play = play_of(events)
    assert (play.withdrawn, play.result("m2.2"), play.result("m2.1")) == (("y",), None, RESULT)
    assert standing(play, None) == standing(play_of(TWO_ROUNDS[:3]), None)


def test_a_lot_parts_in_the_preview_as_in_the_standings() -> None:
    tied = TWO_ROUNDS[:3]
    lot = told(LotDrawn, order=("blue", "red"), method="seed", label="l", witness="", article="十二")
    assert standing(play_of(tied), None)["red"] == (1, 2)
    assert standing(play_of((*tied, lot)), None)["red"] == (2, 2)


def test_an_unknown_event_is_not_passed_over() -> None:
    with pytest.raises(TypeError):
        play_of([RESULT])


# What match could not apply is not decided


def test_a_remedy_that_cannot_stand_beside_what_else_counts_is_refused() -> None:
    """十一.8④: 底牌扣错张数做倒庄处理. The penalty fits the pair that dealt hand 2, until the hand is said to have
    been dealt by the other."""
    lost = case().preset.penalties["kitty_size"]
    assert "deal_lost" in lost.value.effects
    penalised = case(rulings=(Remedy(kind="impose_penalty", hand=2, pair="24", code="kitty_size"),))
    with pytest.raises(refuse.RemedyNotInOrder) as refused:
        check_remedy(penalised, Remedy(kind="correct_hand", hand=2, facts=HandFacts(dealer=1, points=70)), "/remedy")
    assert refused.value.pointer == "/remedy/facts"


# Two tables (shandong-2023 八.12, 八.13)

SHANDONG = load("shandong-2023")


def at_table(board: int, points: tuple[int, int]) -> MatchResult:
    """What a table of the one game scored, in half points."""
    return MatchResult(
        match=f"m1.{board}",
        table=board,
        teams=("red", "blue"),
        points=points,
        levels=("2", "2"),
        how="levels_gained",
        status="played",
    )


def two_tables(first: MatchResult, second: MatchResult) -> list[Any]:
    teams = tuple(Drawn(team=Team(id, id, id), number=n) for n, id in enumerate(("red", "blue"), 1))
    seats = {"": ("red", "blue")}
    drawn = told(
        DrawMade, seed="00", commitment="c", article="六.3", teams=teams, stage="knockout", parts=seats, method="seed"
    )
    matches = tuple(
        Pairing(match=f"m1.{board}", table=board, teams=("red", "blue"), game="1.1", board=board) for board in (1, 2)
    )
    empty: dict[str, Any] = dict.fromkeys(("absent", "withdrawn", "disqualified", "gave_up", "why"), ())
    of_round = {"round": 1, "attempt": 1, "matches": matches, "bye": None, "rounds_planned": 1, "stage": "knockout"}
    return [drawn, told(RoundPaired, article="六.3", **of_round, **empty), closed(1, first, second)]


def test_where_a_match_is_played_at_two_tables_the_ruling_on_one_decides_by_both() -> None:
    """Table 1: one hand, of 60 points, a level for the dealers, Red: two halves to none. Table 2: three halves to two
    for Blue. Red has it by 4 to 3 until its hand is corrected to 100, at which nobody
    gains (八.8: the deal passes)."""
    play = play_of(two_tables(at_table(1, (2, 0)), at_table(2, (2, 3))))
    sheet = Sheet(hands=(HandFact(number=1, dealer_seat=1, points=60),))
    match = case(preset=SHANDONG, match="m1.1", round=1, sheet=sheet, result=at_table(1, (2, 0)), rulings=())
    by = suppose(match, play, "a-1", Remedy(kind="correct_hand", hand=1, facts=HandFacts(dealer=1, points=100)), None)
    assert by.after is not None
    assert (by.after.points, by.after.how) == ((0, 0), "levels_gained")
    shown = effect(SHANDONG, play, by)
    assert [[row.team for row in rows] for rows in (shown.before, shown.after)] == [["red", "blue"], ["blue", "red"]]
