"""What the desk does with checks: it looks, confirms with a reason, and refuses what breaks a rule."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import msgspec
import pytest

from services.registration import refusals
from services.registration.forms import MemberForm
from shared.contracts.registration import EligibilityConfirmed, EntryWithdrawn
from tests.unit.registration.desk import NOON, PAIR, Desk, player
from tests.unit.registration.test_lateness import TEAM, union

MAY_2023 = datetime(2023, 5, 20, tzinfo=UTC)


def veteran(name: str, year: int, **more: object) -> MemberForm:
    said = {"sex": "male", "standing": "retired", "healthy": True} | more
    return player(name, date(year, 1, 1), **said)


FOUR = (veteran("甲", 1955), veteran("乙", 1955), veteran("丙", 1955), veteran("丁", 1940))


def entered(*members: MemberForm) -> Desk:
    desk = Desk().open()
    desk.submit(members=members or PAIR)
    return desk


def test_what_a_form_does_not_say_is_open_and_the_entry_stands() -> None:
    desk = entered()
    assert desk.entry_row().status == "entered"
    assert {("bond", 0), ("student", 1), ("soldier", 0), ("health", 1), ("identity", 0)} <= desk.still_open()


def test_a_leader_in_the_form_does_not_shift_whom_a_check_speaks_of() -> None:
    leader = MemberForm(part="leader", name="领队")
    desk = entered(leader, player("甲", resident=True), player("乙"))
    assert ("bond", 2) in desk.still_open()
    assert ("bond", 1) not in desk.still_open()


def test_a_confirmation_says_who_and_why_and_closes_what_was_open() -> None:
    desk = entered()
    event = desk.confirm("bond", 0, reason="户口簿原件").events[0]
    assert isinstance(event, EligibilityConfirmed)
    assert (event.by, event.reason, event.article, event.holds) == ("bureau", "户口簿原件", "七.1", True)
    assert ("bond", 0) not in desk.still_open()
    assert ("bond", 1) in desk.still_open()


def test_said_again_a_confirmation_changes_nothing() -> None:
    desk = entered()
    desk.confirm("bond", 0)
    assert desk.confirm("bond", 0).events == ()


def test_what_somebody_found_not_to_hold_is_broken_until_another_word() -> None:
    desk = entered()
    desk.confirm("health", 0, holds=False)
    assert [(each.check.rule, each.member) for each in desk.checks() if each.wrong] == [("health", 0)]
    desk.confirm("health", 0, holds=True)
    assert not [each for each in desk.checks() if each.wrong]


def test_the_player_over_eighty_may_play_when_the_organiser_confirms() -> None:
    """shandong-2023 七.1: 一般要求在 80 周岁以下."""
    desk = Desk("shandong-2023", MAY_2023).open()
    desk.submit(members=FOUR)
    assert desk.still_open() == {("age", 3)}
    desk.confirm("age", 3, reason="体检合格，家属同意")
    assert desk.still_open() == set()


def test_another_person_at_the_same_place_is_looked_at_anew() -> None:
    desk = Desk("shandong-2023", MAY_2023).open()
    desk.submit(members=FOUR)
    desk.confirm("age", 3)
    desk.change(members=(*FOUR[:3], veteran("戊", 1939)))
    assert desk.still_open() == {("age", 3)}


def test_a_second_team_of_a_large_unit_is_a_team_of_its_own() -> None:
    """shandong-2023 六.2."""
    desk = Desk("shandong-2023", MAY_2023).open()
    first = desk.submit(members=FOUR).events[0].team
    second = desk.submit(members=tuple(veteran(n, 1956) for n in "戊己庚辛"), number=2, retirees=200).events[0].team
    assert (first.unit, first.id != second.id) == (second.unit, True)
    with pytest.raises(refusals.EntryNotInOrder) as caught:
        desk.submit(unit="小单位", members=FOUR, number=2, retirees=150)
    assert (caught.value.article, caught.value.pointer) == ("六.2", "/retirees")


def test_a_form_that_breaks_a_rule_is_refused_whatever_else_is_open() -> None:
    with pytest.raises(refusals.EntryNotInOrder) as caught:
        Desk().open().submit(members=(PAIR[0], player("林二", standing="student")))
    assert (caught.value.article, caught.value.pointer) == ("七.2", "/members/1/standing")


def test_an_entry_found_not_to_be_in_order_is_refused_even_after_the_close() -> None:
    desk = entered()
    desk.clock.set(NOON + timedelta(days=1))
    desk.close()
    desk.confirm("bond", 1, holds=False, reason="户籍在同安区")
    event = desk.refuse("bond", "户籍、单位均不在本区").events[0]
    assert isinstance(event, EntryWithdrawn)
    assert event.refused_by_article == "七.1"
    assert desk.entry_row().status == "refused"
    with pytest.raises(refusals.EntryIsWithdrawn):
        desk.checks()


def test_an_outsider_whose_form_says_otherwise_is_found_out_at_any_time() -> None:
    """zhongshan-2013 四: 在职职工、工会会员; 请外单位人员，则取消比赛成绩和奖金. The form says that all is met."""
    desk = union()
    desk.submit(members=TEAM)
    desk.clock.set(datetime(2013, 11, 9, tzinfo=UTC))
    desk.close()
    for rule in ("bond", "membership"):
        event = desk.confirm(rule, 1, holds=False, reason="查无此职工").events[0]
        assert isinstance(event, EligibilityConfirmed)
        assert (event.rule, event.code, event.holds, event.article, event.by) == (rule, "", False, "四", "bureau")
    assert {(each.check.rule, each.member) for each in desk.checks() if each.wrong} == {("bond", 1), ("membership", 1)}
    assert desk.refuse("membership", "外单位人员").events[0].refused_by_article == "四"


@pytest.mark.parametrize(("rule", "member"), [("players", None), ("one_unit", 0), ("roster.xiangqi", None)])
def test_any_rule_may_be_found_not_to_hold(rule: str, member: int | None) -> None:
    desk = union()
    desk.submit(members=TEAM)
    desk.confirm(rule, member, holds=False)
    assert [(each.check.rule, each.member) for each in desk.checks() if each.wrong] == [(rule, member)]


def test_what_is_met_cannot_be_said_to_hold_but_a_wrong_finding_is_taken_back() -> None:
    desk = union()
    desk.submit(members=TEAM)
    with pytest.raises(refusals.NothingToConfirm):
        desk.confirm("bond", 1)
    desk.confirm("bond", 1, holds=False)
    assert desk.confirm("bond", 1, holds=False).events == ()
    desk.confirm("bond", 1, holds=True, reason="同名之误")
    assert not [each for each in desk.checks() if each.wrong]
    with pytest.raises(refusals.RuleIsMet):
        desk.refuse("bond")


def test_another_form_does_not_undo_what_was_found_against_the_first() -> None:
    desk = union()
    desk.submit(members=TEAM)
    desk.confirm("membership", 0, holds=False)
    desk.change(members=(msgspec.structs.replace(TEAM[0], union_member=None), *TEAM[1:]))
    assert [(each.check.rule, each.member) for each in desk.checks() if each.wrong] == [("membership", 0)]
    desk.confirm("membership", 0, holds=True)
    assert ("membership", 0) in desk.still_open(), "what the new form leaves out is still asked"


def test_an_impostor_is_recorded_under_the_article_of_fraud() -> None:
    """七.7: 严禁运动员资格弄虚作假、冒名顶替，如发现即取消其比赛资格和该代表队此项比赛成绩."""
    desk = entered()
    desk.clock.set(NOON + timedelta(days=14))
    desk.close()
    event = desk.confirm("fraud", 1, holds=False, reason="与身份证照片不符").events[0]
    assert isinstance(event, EligibilityConfirmed)
    assert (event.article, event.person) == ("七.7", desk.entry().members[1].person)
    assert desk.refuse("fraud", "冒名顶替").events[0].refused_by_article == "七.7"


def test_facts_of_persons_are_sealed_and_those_of_the_game_are_not() -> None:
    desk = Desk().open()
    said = player("欧阳明月", resident=True, personnel_unit="区教育局机密处", insured_since=date(2011, 11, 11))
    event = desk.submit(members=(said, PAIR[1])).events[0]
    stored = desk.commits.stream(f"entry/{desk.id}/{event.team.id}")[0].events[0].data.decode()
    assert "personnel_unit" not in stored
    assert "2011-11-11" not in stored
    assert "resident" not in stored
    assert event.members[0].substitute is False
    assert desk.all.persons.read(event.members)[0] == said


def test_of_an_erased_person_nothing_is_checked_any_more() -> None:
    desk = entered()
    desk.secrets.erase(f"person/{desk.entry().members[0].person}")
    assert {each.member for each in desk.checks()} == {None, 1}
