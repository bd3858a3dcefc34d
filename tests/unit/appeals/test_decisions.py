"""Decisions: the remedy, later rounds, and who may not decide (RULINGS “Appeals” 5, 6, 7)."""

from __future__ import annotations

from typing import Any

import pytest

from services.appeals import refusals as refuse
from services.appeals.facts import Case, Hand, Penalty, check_remedy, disputed_accounts
from shared.contracts.appeals import AppealDismissed, AppealPartlyUpheld, AppealUpheld, CommitteeMember
from shared.contracts.fact import HandFacts, LaterRounds, Remedy
from tests.unit.appeals.desk import (
    ACCEPTED,
    CHAIR,
    EARLY,
    HEARD,
    LIFT,
    LODGED,
    NONE,
    after,
    begin,
    case,
    decide,
    hear,
    lodge,
    only,
    report,
)
from tests.unit.appeals.desk import accept as accept_form

LATER = {3: ("m3.1", "m3.2"), 4: ("m4.1",)}


def test_a_decision_says_everything_that_match_needs_to_apply_it() -> None:
    upheld = only(decide(article="十一.8")(after(*HEARD)), AppealUpheld)
    assert (upheld.match, upheld.round, upheld.team, upheld.remedy, upheld.later) == ("m2.1", 2, "red", LIFT, None)
    assert (upheld.reason, upheld.article, upheld.members) == ("理由", "十一.8", (CHAIR,))


def test_a_decision_that_cites_no_article_rests_on_the_one_that_lets_the_committee_decide() -> None:
    assert only(decide()(after(*HEARD)), AppealUpheld).article == "十四.2"


def test_partly_upheld_has_its_remedy_too() -> None:
    assert only(decide("partly_upheld")(after(*HEARD)), AppealPartlyUpheld).remedy == LIFT


def test_upheld_may_leave_the_result() -> None:
    assert only(decide(remedy=NONE)(after(*HEARD)), AppealUpheld).remedy == NONE


def test_upheld_without_remedy_is_refused() -> None:
    with pytest.raises(refuse.RemedyNeeded):
        decide(remedy=None)(after(*HEARD))


def test_dismissed_lets_the_result_stand() -> None:
    assert only(decide("dismissed", None)(after(*HEARD)), AppealDismissed)
    assert only(decide("dismissed", NONE)(after(*HEARD)), AppealDismissed)


@pytest.mark.parametrize("more", [{"remedy": LIFT}, {"remedy": None, "later": LaterRounds(choice="let_stand")}])
def test_dismissed_with_a_remedy_is_refused(more: dict[str, Any]) -> None:
    with pytest.raises(refuse.NoRemedyWhenDismissed):
        decide("dismissed", **more)(after(*HEARD))


def test_it_is_not_decided_before_it_was_heard() -> None:
    with pytest.raises(refuse.NotHeardYet):
        decide()(after(*ACCEPTED))
    with pytest.raises(refuse.NotAcceptedYet):
        decide()(after(*LODGED))


# Later rounds


def test_without_a_word_on_later_rounds_it_is_refused_with_every_match_that_rests_on_it() -> None:
    with pytest.raises(refuse.LaterRoundsRestOnIt) as refused:
        decide(match=case(later=LATER))(after(*HEARD))
    assert refused.value.params["matches"] == "m3.1, m3.2, m4.1"
    for language in ("zh", "en"):
        said = refused.value.say(language)
        assert "m3.1, m3.2, m4.1" in said
        assert '{"choice": "let_stand"}' in said
        assert '{"choice": "replay_from", "round": N}' in said


@pytest.mark.parametrize("outcome", ["upheld", "partly_upheld"])
@pytest.mark.parametrize(
    "later", [LaterRounds(choice="let_stand"), LaterRounds(choice="replay_from", round=3)], ids=lambda x: x.choice
)
def test_the_decision_says_what_becomes_of_them(outcome: str, later: LaterRounds) -> None:
    [event] = decide(outcome, match=case(later=LATER), later=later)(after(*HEARD))
    assert event.later == later  # type: ignore[attr-defined]


def test_a_decision_that_changes_nothing_needs_no_word_on_them() -> None:
    assert decide(remedy=NONE, match=case(later=LATER))(after(*HEARD))
    assert decide("dismissed", None, match=case(later=LATER))(after(*HEARD))


@pytest.mark.parametrize(
    "later",
    [
        LaterRounds(choice="replay_from", round=2),
        LaterRounds(choice="replay_from", round=5),
        LaterRounds(choice="replay_from"),
        LaterRounds(choice="let_stand", round=3),
    ],
)
def test_a_replay_begins_with_a_later_paired_round(later: LaterRounds) -> None:
    with pytest.raises(refuse.LaterNotInOrder) as refused:
        decide(match=case(later=LATER), later=later)(after(*HEARD))
    assert refused.value.params["rounds"] == "3, 4"


# Who may not decide


@pytest.mark.parametrize("unit", ["红队单位", "蓝队单位", " 蓝队单位 "])
def test_a_member_of_either_teams_unit_cannot_sit_or_decide(unit: str) -> None:
    member = CommitteeMember(account="member", unit=unit)
    with pytest.raises(refuse.MemberOfATeamsUnit) as refused:
        decide(members=(CHAIR, member))(after(*HEARD))
    assert refused.value.pointer == "/members/1/unit"
    with pytest.raises(refuse.MemberOfATeamsUnit):
        hear(member)(after(*ACCEPTED))


def test_the_referee_whose_ruling_is_appealed_cannot_decide() -> None:
    referee = CommitteeMember(account="referee-3", unit="集美区体育局")
    with pytest.raises(refuse.RefereeOfTheRuling) as refused:
        decide(members=(referee,))(after(*HEARD))
    assert refused.value.pointer == "/members/0/account"
    with pytest.raises(refuse.RefereeOfTheRuling):
        hear(referee)(after(*ACCEPTED))


def test_nor_can_that_referee_record_the_decision() -> None:
    with pytest.raises(refuse.RefereeOfTheRuling):
        decide(by="referee-3")(after(*HEARD))


def test_nor_can_the_referee_of_what_the_decision_changes() -> None:
    referee = CommitteeMember(account="referee-2", unit="集美区体育局")
    with pytest.raises(refuse.RefereeOfTheRuling):
        decide(remedy=Remedy(kind="annul_hand", hand=2), members=(referee,))(after(*HEARD))


def test_another_referee_of_the_match_may_decide_over_a_single_penalty() -> None:
    referee = CommitteeMember(account="referee-1", unit="集美区体育局")
    assert decide(members=(referee,))(after(*HEARD))


def test_where_the_whole_match_is_in_dispute_none_of_its_referees_may() -> None:
    assert disputed_accounts(case(), Remedy(kind="replay_match")) == (
        "referee-1",
        "referee-2",
        "referee-3",
        "referee-4",
    )


def test_who_corrected_a_hand_is_its_referee_too() -> None:
    corrected = case(hands={1: Hand(dealer=1, accounts=("referee-1", "chief"), entered_at=EARLY)})
    assert disputed_accounts(corrected, Remedy(kind="annul_hand", hand=1)) == ("referee-1", "chief")


# Remedies


def facts_of(points: int) -> HandFacts:
    return HandFacts(dealer=1, points=points, trump="S", levels={"13": "2", "24": "2"})


GOOD = [
    Remedy(kind="correct_hand", hand=1, facts=facts_of(85)),
    Remedy(kind="annul_hand", hand=2),
    Remedy(kind="impose_penalty", hand=1, pair="13", code="revoke"),
    Remedy(kind="impose_penalty", hand=3, pair="24", code="revoke"),
    Remedy(kind="lift_penalty", penalty="p1"),
    Remedy(kind="award_match", team="blue"),
    Remedy(kind="replay_match"),
    Remedy(kind="disqualify_team", team="red"),
    NONE,
]


@pytest.mark.parametrize("remedy", GOOD, ids=lambda r: r.kind)
def test_every_remedy_of_the_rulings_can_be_ordered(remedy: Remedy) -> None:
    check_remedy(case(), remedy, "/remedy")


BAD: list[tuple[Remedy, str]] = [
    (Remedy(kind="correct_hand", hand=1), "/remedy/facts"),
    (Remedy(kind="correct_hand", facts=facts_of(85)), "/remedy/hand"),
    (Remedy(kind="correct_hand", hand=3, facts=facts_of(85)), "/remedy/hand"),
    (Remedy(kind="correct_hand", hand=1, facts=facts_of(83)), "/remedy/facts/points"),
    (Remedy(kind="correct_hand", hand=1, facts=HandFacts(dealer=1, points=85, trump="N")), "/remedy/facts/trump"),
    (Remedy(kind="annul_hand"), "/remedy/hand"),
    (Remedy(kind="annul_hand", hand=9), "/remedy/hand"),
    (Remedy(kind="impose_penalty", hand=1, pair="13", code="insolence"), "/remedy/code"),
    (Remedy(kind="impose_penalty", hand=4, pair="13", code="revoke"), "/remedy/hand"),
    (Remedy(kind="impose_penalty", hand=1, pair="13", code="revoke", cards=2), "/remedy/cards"),
    (Remedy(kind="impose_penalty", hand=1, code="revoke"), "/remedy/pair"),
    (Remedy(kind="lift_penalty"), "/remedy/penalty"),
    (Remedy(kind="lift_penalty", penalty="p2"), "/remedy/penalty"),
    (Remedy(kind="award_match"), "/remedy/team"),
    (Remedy(kind="award_match", team="green"), "/remedy/team"),
    (Remedy(kind="disqualify_team", team="green"), "/remedy/team"),
    (Remedy(kind="replay_match", team="red"), "/remedy/team"),
    (Remedy(kind="none", hand=1), "/remedy/hand"),
]


@pytest.mark.parametrize(("remedy", "pointer"), BAD)
def test_a_remedy_with_the_wrong_fields_or_names_is_refused_at_its_field(remedy: Remedy, pointer: str) -> None:
    with pytest.raises(refuse.RemedyNotInOrder) as refused:
        decide(remedy=remedy)(after(*HEARD))
    assert refused.value.pointer == pointer


def test_a_rule_that_refuses_a_remedy_names_its_article() -> None:
    with pytest.raises(refuse.RemedyNotInOrder) as refused:
        check_remedy(case(), Remedy(kind="correct_hand", hand=1, facts=facts_of(83)), "/remedy")
    assert refused.value.article == case().preset.levels.point_step.article


@pytest.mark.parametrize(
    ("match", "remedy", "pointer"),
    [
        (case(penalties={"p1": Penalty(account="r", issued_at=EARLY, lifted=True)}), LIFT, "/remedy/penalty"),
        (
            case(hands={1: Hand(dealer=1, accounts=("r",), entered_at=EARLY, annulled=True)}),
            Remedy(kind="annul_hand", hand=1),
            "/remedy/hand",
        ),
        (case(replaced=True), LIFT, "/remedy/kind"),
    ],
)
def test_what_is_done_already_is_not_ordered_again(match: Case, remedy: Remedy, pointer: str) -> None:
    with pytest.raises(refuse.RemedyNotInOrder) as refused:
        check_remedy(match, remedy, "/remedy")
    assert refused.value.pointer == pointer


def test_an_appeal_lodged_during_the_round_can_be_decided() -> None:
    during = case(round_closed_at=None)
    heard = after(begin(match=during), report(match=during), lodge(match=during), accept_form(), hear())
    assert only(decide(match=during)(heard), AppealUpheld)
