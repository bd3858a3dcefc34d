"""Everything that match refuses, each class once: what is done, in which state, and that the answer is whole in both
languages. The numbers come from the regulation's article named beside them."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest

from services.match import refusals
from services.match.model.places import Appealed
from shared.contracts.refusal import Invalid, NotFound, Refusal, Refused
from tests.unit.match import test_stages as stages
from tests.unit.match.hall import MICROSECOND, NOON, WON, Hall

HAN = re.compile(r"[一-鿿]")
ELSEWHERE = {
    refusals.NoSuchAttempt: "tests/unit/match/test_pairing_file.py",
    refusals.NoSuchCompetition: "tests/unit/match/test_use_cases.py",
    refusals.NoSuchRecord: "tests/e2e/test_match_http.py",
    refusals.RecordDisagrees: "tests/unit/match/test_hand_records.py",
    refusals.HandEqualsAnother: "tests/unit/match/test_versions.py",
    refusals.EntryOfAnotherCompetition: "tests/unit/match/test_versions.py",
    refusals.EntryOfAnotherTable: "tests/unit/match/test_versions.py",
    refusals.EntryUnderAnotherRegulation: "tests/unit/match/test_versions.py",
    refusals.HeldNeeded: "tests/e2e/test_phones.py",
    refusals.ClaimNeeded: "tests/e2e/test_phones.py",
    refusals.HandsHaveBegun: "tests/unit/match/test_tables.py",
    refusals.LineUpInvalid: "tests/unit/match/test_tables.py",
    refusals.NoLineUp: "tests/unit/match/test_tables.py",
    refusals.NobodyToComeIn: "tests/unit/match/test_tables.py",
    refusals.NotClaimed: "tests/unit/match/test_tables.py",
    refusals.TeamIsDisqualified: "tests/e2e/test_hall.py",
    refusals.GameAlreadyEntered: "tests/unit/match/test_games.py",
    refusals.GameImpossible: "tests/unit/match/test_games.py",
    refusals.GameNotDue: "tests/unit/match/test_games.py",
    refusals.NoBoardMatch: "tests/unit/match/test_games.py",
    refusals.NoGameEntered: "tests/unit/match/test_games.py",
    refusals.NoCardMatch: "tests/unit/match/test_games.py",
    refusals.NoSuchGame: "tests/unit/match/test_games.py",
    refusals.NotAbsent: "tests/unit/match/test_rounds.py",
    refusals.NoSuchDecision: "tests/unit/match/test_set_aside.py",
    refusals.RulingIsApplied: "tests/unit/match/test_set_aside.py",
    refusals.RulingIsSetAside: "tests/unit/match/test_set_aside.py",
    refusals.RulingCanBeApplied: "tests/unit/match/test_set_aside.py",
    refusals.SetAsideNotProposed: "tests/unit/match/test_set_aside.py",
    refusals.SetAsideHasChanged: "tests/unit/match/test_set_aside.py",
    refusals.TopNotPassed: "tests/unit/match/test_finishes.py",
    refusals.RoundIsUntimed: "tests/unit/match/test_finishes.py",
    refusals.NotLateEnough: "tests/unit/match/test_finishes.py",
    refusals.OtherGame: "tests/unit/match/test_finishes.py",
    refusals.NoTimeCall: "tests/unit/match/test_unfinished.py",
    refusals.MatchesClosedSince: "tests/unit/match/test_unfinished.py",
    refusals.NoUnfinishedHand: "tests/unit/match/test_unfinished.py",
    refusals.PhaseInvalid: "tests/unit/match/test_unfinished.py",
    refusals.UnfinishedHandDiffers: "tests/unit/match/test_unfinished.py",
    refusals.UnfinishedHandUnknown: "tests/unit/match/test_unfinished.py",
    refusals.HandOutOfTime: "tests/unit/match/test_unfinished.py",
    refusals.HandsOutstanding: "tests/unit/match/test_unfinished.py",
}
"""What is refused before the model is asked, and where that is tested."""


def _over() -> Hall:
    hall = Hall().finished()
    hall.propose()
    return hall


def _declared() -> Hall:
    hall = _over()
    hall.declare()
    return hall


def _contested() -> Hall:
    hall = Hall().paired().hands((1, 40))
    hall.hand(1, points=45, by="another")
    return hall


def _started() -> Hall:
    hall = Hall().paired()
    hall.start()
    return hall


def _signed_for(pair: str) -> list[object]:
    return Hall().paired().hands((1, 40)).confirm(pair, for_pair=True)


def _tied() -> Hall:
    hall = Hall().drawn()
    for _ in range(4):
        hall.play("=", "=")
    return hall


CASES: list[tuple[type[Refusal], str, Callable[[], object]]] = [
    (refusals.NoSuchRound, "time for a round that was not paired", lambda: Hall().paired().call_time(2)),
    (refusals.NoSuchRound, "round 0", lambda: Hall().paired().close_round(0)),
    (refusals.NoSuchMatch, "a hand at a table that there is not", lambda: Hall().paired().hand(1, name="r1t3")),
    (refusals.NoSuchMatch, "a round reopened for another round's match", lambda: Hall().finished().reopen("r2t1")),
    (refusals.NoSuchHand, "a correction of a hand not entered", lambda: Hall().paired().hands((1, 40)).correct(2)),
    (refusals.RecordInvalid, "a record that is none", lambda: Hall().paired().hand(1, record={})),
    (refusals.NoSuchPenalty, "a penalty lifted that was not issued", lambda: Hall().paired().hands((1, 0)).lift("p9")),
    (refusals.NoSuchTeam, "an absent team that did not enter", lambda: Hall().drawn().absent("Z")),
    (refusals.NoSuchTeam, "a forfeit by a team of another table", lambda: _forfeit_by_others(Hall().paired())),
    (refusals.CompetitionIsCancelled, "a seed", lambda: Hall().commit(cancelled=True)),
    (refusals.CompetitionIsCancelled, "a draw", lambda: _committed().draw(cancelled=True)),
    (refusals.SeedAlreadyCommitted, "a second seed", lambda: _committed().commit()),
    (refusals.SeedTooLate, "a microsecond after entries close", lambda: Hall().commit(at=NOON + MICROSECOND)),
    (refusals.SeedTooLate, "entries closed early", lambda: Hall().commit(at=NOON, entries_closed=True)),
    (refusals.SeedNotCommitted, "a draw without one", lambda: Hall().draw()),
    (refusals.SeedLost, "the secret store is empty", lambda: _committed().draw(seed=None)),
    (refusals.SeedLost, "the secret store holds another", lambda: _committed().draw(seed=bytes(32))),
    (refusals.EntriesStillOpen, "a draw before", lambda: _committed().draw(entries_closed=False)),
    (refusals.TooFewTeams, "a draw for one", lambda: _committed(1).draw()),
    (refusals.AlreadyDrawn, "lots drawn again", lambda: Hall().drawn().draw()),
    (refusals.DrawImpossible, "lots of the hall that are none", stages.badly_drawn),
    (refusals.StageNotDrawn, "the next stage's first round", lambda: stages.in_zones().pair()),
    (refusals.NotTheLastRound, "a round undone under another", lambda: stages.second_round().unpair(1)),
    (refusals.RoundHasBegun, "a round undone", lambda: Hall().paired().hands((1, 40)).unpair()),
    (refusals.NoSuchOrder, "an order lifted", lambda: Hall().drawn().lift_order("A", "B")),
    (refusals.WinnerNeeded, "a knock-out match without a hand", lambda: stages.nothing_played().close("r1t2")),
    (refusals.LaterRoundsRest, "another winner", lambda: stages.another_winner().close_round()),
    (refusals.ExtraHandDue, "closing a round of equal points", lambda: stages.equal_at_both_tables().close_round()),
    (refusals.NoExtraHand, "one more hand before all are played", lambda: stages.two_tables().extra_hands()),
    (refusals.HandsRemain, "closing a table before the last hand", lambda: stages.two_tables().hands((1, 40)).close()),
    (refusals.HandNotDue, "a 13th hand", lambda: stages.twelve_hands(stages.two_tables()).hand(13)),
    (refusals.NotDrawn, "a pairing before the draw", lambda: _committed().pair()),
    (refusals.RoundIsOpen, "the next pairing", lambda: Hall().paired().pair()),
    (refusals.RoundIsOpen, "a reopening", lambda: Hall().paired().reopen("r1t1")),
    (refusals.RoundIsClosed, "closing again", lambda: Hall().drawn().play(">", ">").close_round(1)),
    (refusals.RoundIsClosed, "calling time", lambda: Hall().drawn().play(">", ">").call_time(1)),
    (refusals.AllRoundsPaired, "a fifth round of four teams (十.2)", lambda: Hall().finished().pair()),
    (refusals.AllRoundsPaired, "an absence from a round that will not be", lambda: Hall().finished().absent("A")),
    (refusals.PairingImpossible, "all have left", lambda: _deserted().pair()),
    (refusals.OpenMatches, "closing a round whose tables play", lambda: Hall().paired().close_round(1)),
    (refusals.TimeAlreadyCalled, "time called again", lambda: _timed().call_time(1)),
    (refusals.TimeNotCalled, "closing a match that nobody has won", lambda: Hall().paired().hands((1, 40)).close()),
    (refusals.MatchIsClosed, "the next hand", lambda: _closed().hand(5)),
    (refusals.HandsInConflict, "closing a match", lambda: _contested().close()),
    (refusals.ClockRuns, "a round started twice", lambda: _started().start()),
    (refusals.ClockRuns, "a round that goes on and was not paused", lambda: _started().resume()),
    (refusals.ClockStands, "a pause before the start", lambda: Hall().paired().pause()),
    (refusals.TimeNotUp, "time called at once", lambda: _started().call_time()),
    (refusals.NothingToConfirm, "an empty sheet", lambda: Hall().paired().confirm("13")),
    (refusals.SheetDiffers, "another number of hands", lambda: Hall().paired().hands((1, 40)).confirm("13", 2)),
    (
        refusals.ReasonNeeded,
        "a referee for a pair",
        lambda: Hall().paired().hands((1, 40)).confirm("13", for_pair=True),
    ),
    (refusals.NotInConflict, "a choice where there is none", lambda: Hall().paired().hands((1, 40)).choose(1, 1)),
    (refusals.NoSuchVersion, "a version that nobody entered", lambda: _contested().choose(1, 3)),
    (refusals.MatchIsClosed, "a correction", lambda: _closed().correct(1, points=80)),
    (refusals.MatchIsClosed, "a penalty", lambda: _closed().penalty(1)),
    (refusals.MatchIsClosed, "a lifting", lambda: _closed().lift()),
    (refusals.MatchIsClosed, "a forfeit", lambda: _closed().forfeit("A")),
    (refusals.MatchIsClosed, "closing", lambda: _closed().close()),
    (refusals.MatchIsWon, "a hand after A is passed", lambda: Hall().paired().hands(*WON).hand(5)),
    (refusals.HandAlreadyEntered, "another version by the same", lambda: Hall().paired().hands((1, 40)).hand(1)),
    (refusals.HandNumberSkips, "hand 2 first", lambda: Hall().paired().hand(2)),
    (refusals.HandIsImpossible, "points no multiple of 5 (十一.5)", lambda: Hall().paired().hand(1, points=82)),
    (refusals.HandIsImpossible, "no trumps (十一.2, 有将定约)", lambda: Hall().paired().hand(1, trump="N")),
    (refusals.HandIsImpossible, "a correction to such points", lambda: _one_hand().correct(1, points=3)),
    (refusals.LevelsDisagree, "levels that the hands do not give", lambda: _at_other_levels(Hall().paired())),
    (refusals.NothingCorrected, "the same again", lambda: _one_hand().correct(1, points=40)),
    (refusals.PenaltyInvalid, "an unknown code", lambda: _one_hand().penalty(1, code="coughing")),
    (refusals.PenaltyInvalid, "cards not counted (十一.8②)", lambda: _one_hand().penalty(1, code="wrong_follow")),
    (refusals.HandNotThereYet, "a penalty beyond the hand in play", lambda: _one_hand().penalty(3)),
    (refusals.PenaltyInvalid, "claimed before it happened", lambda: _one_hand().penalty(1, during=0)),
    (
        refusals.PenaltyInvalid,
        "the attackers lose the deal (十一.8④)",
        lambda: _one_hand().penalty(1, "24", "kitty_size"),
    ),
    (refusals.ClaimTooLate, "the next hand had begun (十一.8)", lambda: _one_hand().penalty(1, during=2)),
    (refusals.ClaimTooLate, "the next hand is entered", lambda: Hall().paired().hands((1, 40), (3, 40)).penalty(1)),
    (refusals.PenaltyAlreadyLifted, "lifted again", lambda: _lifted().lift()),
    (refusals.TeamIsWithdrawn, "withdrawn again", lambda: _without_a().withdraw("A")),
    (refusals.TeamIsWithdrawn, "absent too", lambda: _without_a().absent("A")),
    (refusals.LotNotNeeded, "nothing is tied", lambda: Hall().finished().lot("A", "B")),
    (refusals.LotNotNeeded, "a part of the tie", lambda: _tied().lot("A", "B")),
    (refusals.LotNotNeeded, "a team twice", lambda: _tied().lot("A", "B", "C", "D", "A", by_hand=True)),
    (refusals.LotsNeeded, "places while teams are tied", lambda: _tied().propose()),
    (refusals.RoundsRemain, "places after one round of four", lambda: Hall().drawn().play(">", ">").propose()),
    (refusals.RoundsRemain, "places before any round", lambda: Hall().drawn().propose()),
    (refusals.RoundsRemain, "a lot before the end", lambda: Hall().drawn().play("=", "=").lot("A", "B", "C", "D")),
    (refusals.PlacesNotProposed, "a declaration", lambda: Hall().finished().declare()),
    (refusals.PlacesHaveChanged, "a ruling came between", lambda: _ruled_after_proposal().declare()),
    (refusals.TwoPeopleNeeded, "the proposer declares", lambda: _over().declare(by="bureau")),
    (refusals.PlacesAreDeclared, "declared again", lambda: _declared().declare()),
    (refusals.PlacesAreDeclared, "proposed again", lambda: _declared().propose()),
    (refusals.PlacesAreDeclared, "a round reopened", lambda: _declared().reopen("r1t1")),
    (refusals.PlacesAreDeclared, "a round paired", lambda: _declared().pair()),
    (refusals.PlacesAreDeclared, "a team withdrawn", lambda: _declared().withdraw("A")),
    (refusals.PlacesAreDeclared, "a ruling", lambda: _declared().rule("none")),
    (refusals.AppealsUndecided, "places (十四)", lambda: _over().declare(appealed=Appealed(undecided=("a1",)))),
    (refusals.RulingsMissing, "a decision not applied", lambda: _over().declare(appealed=Appealed(ruled=("a1",)))),
    (refusals.AppealWindowOpen, "exactly 24 hours later (十四.1)", lambda: _within_the_window().declare()),
    (refusals.WindowNotRecorded, "the desk has not said so", lambda: _over().declare(recorded=False)),
    (refusals.ResultsNotPosted, "from when windows run", lambda: _unposted().declare()),
    (refusals.AlreadyPosted, "posted again", lambda: _posted().post()),
    (refusals.RoundIsOpen, "results of an open round", lambda: Hall().paired().post()),
    (refusals.RemedyImpossible, "a hand not played", lambda: _over().rule("annul_hand", hand=2)),
    (refusals.RemedyImpossible, "a correction without its facts", lambda: _over().rule("correct_hand", hand=1)),
    (refusals.RemedyImpossible, "a penalty not issued", lambda: _over().rule("lift_penalty", penalty="p1")),
    (refusals.RemedyImpossible, "a penalty in no hand", lambda: _over().rule("impose_penalty", hand=3, code="revoke")),
    (refusals.RemedyImpossible, "a team of another match", lambda: _over().rule("award_match", team="Z")),
    (refusals.RemedyImpossible, "rounds that were not played", lambda: _over().rule("none", replay_from=5)),
    (refusals.RemedyImpossible, "its own round again", lambda: _over().rule("none", replay_from=1)),
    (refusals.RemedyImpossible, "a hand of a play that is void", lambda: _to_replay().rule("annul_hand", hand=1)),
]


def _committed(teams: int = 4) -> Hall:
    hall = Hall(teams)
    hall.commit()
    return hall


def _posted() -> Hall:
    hall = Hall().drawn().play(">", ">")
    hall.post()
    return hall


def _unposted() -> Hall:
    hall = Hall(appeals__window_from="result_posted").finished()
    hall.propose()
    return hall


def _deserted() -> Hall:
    hall = Hall(2).drawn()
    hall.withdraw("A")
    hall.withdraw("B")
    return hall


def _timed() -> Hall:
    hall = Hall().paired()
    hall.call_time()
    return hall


def _one_hand() -> Hall:
    return Hall().paired().hands((1, 40))


def _closed() -> Hall:
    hall = Hall().paired().hands(*WON)
    hall.close()
    return hall


def _lifted() -> Hall:
    hall = _one_hand()
    hall.penalty(1)
    hall.lift()
    return hall


def _without_a() -> Hall:
    hall = Hall().drawn()
    hall.withdraw("A")
    return hall


def _forfeit_by_others(hall: Hall) -> object:
    return hall.forfeit(hall.table(2).teams[0], name="r1t1")


def _at_other_levels(hall: Hall) -> object:
    return hall.hand(1, levels={"13": "5", "24": "2"})


def _ruled_after_proposal() -> Hall:
    hall = _over()
    hall.rule("award_match", team=hall.table(round=1).teams[1])
    return hall


def _within_the_window() -> Hall:
    hall = _over()
    hall.now -= MICROSECOND
    return hall


def _to_replay() -> Hall:
    hall = _over()
    hall.rule("replay_match")
    return hall


@pytest.mark.parametrize(("kind", "act"), [pytest.param(k, a, id=f"{k.__name__}: {said}") for k, said, a in CASES])
def test_it_is_refused_in_both_languages(kind: type[Refusal], act: Callable[[], object]) -> None:
    with pytest.raises(Refusal) as caught:
        act()
    refusal = caught.value
    assert type(refusal) is kind
    assert HAN.search(refusal.say("zh"))
    assert not HAN.search(refusal.say("en"))
    assert "{" not in refusal.say("zh") + refusal.say("en")
    assert isinstance(refusal, Refused | NotFound) or (isinstance(refusal, Invalid) and refusal.pointer is not None)


def test_every_refusal_has_a_case() -> None:
    classes = {
        value
        for value in vars(refusals).values()
        if isinstance(value, type) and issubclass(value, Refusal) and value.__module__ == refusals.__name__
    }
    assert {kind for kind, _, _ in CASES} | set(ELSEWHERE) == classes


def test_an_article_is_named_where_one_refuses() -> None:
    articles = {
        "points no multiple of 5 (十一.5)": "十一.5",
        "no trumps (十一.2, 有将定约)": "十一.2",
        "cards not counted (十一.8②)": "十一.8②",
        "the attackers lose the deal (十一.8④)": "十一.8④",
        "the next hand had begun (十一.8)": "十一.8",
        "closing a match that nobody has won": "十.2",
        "exactly 24 hours later (十四.1)": "十四.1",
        "places while teams are tied": "十二（名次）.2",
    }
    said = {said: act for _, said, act in CASES}
    for case, article in articles.items():
        with pytest.raises(Refusal) as caught:
            said[case]()
        assert caught.value.article == article, case


def test_a_refused_window_names_the_last_instant_in_the_competitions_zone() -> None:
    hall = _within_the_window()
    with pytest.raises(refusals.AppealWindowOpen) as caught:
        hall.declare()
    # a round an hour from 9:00 in Xiamen on: the fourth closed at 13:00
    assert caught.value.params["until"] == hall.now
    assert hall.state.rounds[3].closed_at == hall.now - timedelta(hours=24)
    assert caught.value.say("zh").startswith("第 4 轮的申诉期到 2018-11-25 13:00:00 (Asia/Shanghai) 为止")
