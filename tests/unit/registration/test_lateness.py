"""After the deadline: a grace by decision, the leaders' meeting, and players who are not on the form."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from services.registration import refusals
from services.registration.forms import MemberForm
from shared.contracts.registration import PlayerConsented
from shared.rules.entries import standing
from shared.rules.regulations import load_any
from tests.unit.registration.desk import MICROSECOND, NOON, UNIT, Desk, player

OTHER = "杏林街道"
SEPTEMBER = datetime(2013, 9, 10, tzinfo=UTC)
THREE = datetime(2013, 10, 8, 7, 0, tzinfo=UTC)
"""2013-10-08 15:00 in Asia/Shanghai (zhongshan-2013 六（二）: 在10月8日下午3时)."""


def staff(name: str, **more: object) -> MemberForm:
    return player(name, None, **{"standing": "employee", "union_member": True} | more)


TEAM = (
    *(staff(f"拖{n}", event="tractor_pairs", pair=1 + n // 2) for n in range(4)),
    staff("象", event="xiangqi"),
    staff("围", event="weiqi"),
    *(staff(f"补{n}", substitute=True) for n in range(3)),
)


def union(at: datetime = SEPTEMBER) -> Desk:
    """The hospital's competition, its entries open."""
    desk = Desk("zhongshan-2013", SEPTEMBER).open()
    desk.clock.set(at)
    return desk


# A grace


def test_a_grace_lets_in_until_its_last_instant() -> None:
    desk = Desk().open()
    desk.clock.set(NOON + timedelta(minutes=1))
    until = NOON + timedelta(hours=3)
    event = desk.grace(OTHER, until).events[0]
    assert (event.until, event.reason, event.by, event.article) == (until, "台风停航", "bureau", "十二（报名）")
    desk.clock.set(until + MICROSECOND)
    with pytest.raises(refusals.EntriesClosedAlready):
        desk.submit(OTHER)
    desk.clock.set(until)
    assert desk.submit(" 杏林　街道").events


def test_a_grace_is_for_its_unit_alone() -> None:
    desk = Desk().open()
    desk.clock.set(NOON + MICROSECOND)
    desk.grace(OTHER, NOON + timedelta(hours=1))
    with pytest.raises(refusals.EntriesClosedAlready):
        desk.submit(UNIT)


def test_it_holds_though_the_desk_has_closed() -> None:
    desk = Desk().open()
    desk.clock.set(NOON + MICROSECOND)
    desk.close()
    desk.grace(OTHER, NOON + timedelta(hours=1))
    assert desk.submit(OTHER).events


def test_where_changes_are_forbidden_a_grace_changes_nothing() -> None:
    """十二（报名）: 报名后一律不得更改."""
    desk = Desk().open()
    desk.submit(UNIT)
    desk.clock.set(NOON + MICROSECOND)
    desk.grace(UNIT, NOON + timedelta(hours=1))
    with pytest.raises(refusals.NoChangesAfterClose) as caught:
        desk.change(UNIT)
    assert caught.value.article == "十二（报名）"
    with pytest.raises(refusals.EntriesClosedAlready):
        desk.withdraw(UNIT)


def test_where_they_are_not_it_does() -> None:
    """zhongshan-2013 六（一） (read)."""
    desk = union()
    desk.submit(members=TEAM)
    desk.clock.set(THREE + MICROSECOND)
    with pytest.raises(refusals.EntriesClosedAlready):
        desk.change(members=TEAM)
    desk.grace(UNIT, THREE + timedelta(days=1))
    assert desk.change(members=TEAM).events


@pytest.mark.parametrize("until", [NOON, datetime(2018, 11, 25, 1, tzinfo=UTC)], ids=["over already", "into play"])
def test_a_grace_ends_after_now_and_before_play(until: datetime) -> None:
    desk = Desk().open()
    desk.clock.set(NOON + MICROSECOND)
    with pytest.raises(refusals.GraceInvalid):
        desk.grace(OTHER, until)


def test_a_local_hour_is_the_regulations() -> None:
    desk = Desk().open()
    desk.clock.set(NOON + MICROSECOND)
    local = datetime(2018, 11, 12, 18, 0)  # noqa: DTZ001  a person's hour, in no zone
    assert desk.grace(OTHER, local).events[0].until == NOON + timedelta(hours=6)


# The leaders' meeting


def test_who_was_at_the_meeting_may_still_hand_in_a_form_until_the_desk_closes() -> None:
    """六（二）: 不到会者又未见报名表的视为放弃报名参赛."""
    desk = union(THREE + timedelta(days=1))
    desk.attend("内科", "外科")
    desk.attend("药剂科", attended=False)
    assert desk.submit("内科", TEAM).events
    for unit in ("药剂科", "检验科"):
        with pytest.raises(refusals.EntriesClosedAlready):
            desk.submit(unit, TEAM)
    desk.close()
    with pytest.raises(refusals.EntriesClosedAlready):
        desk.submit("外科", TEAM)


def test_where_late_is_late_the_meeting_changes_nothing() -> None:
    """jimei-2018 十二（报名）: 逾期按不参加论处."""
    desk = Desk().open()
    desk.clock.set(NOON + MICROSECOND)
    desk.attend(OTHER)
    with pytest.raises(refusals.EntriesClosedAlready):
        desk.submit(OTHER)


def test_said_again_attendance_is_nothing_new_and_may_be_put_right() -> None:
    desk = union()
    assert len(desk.attend("内科", "外科", "内科").events) == 2
    assert desk.attend("内 科").events == ()
    assert len(desk.attend("内科", attended=False).events) == 1


@pytest.mark.parametrize(
    ("regulation", "entered", "attended", "in_time", "expected"),
    [
        ("zhongshan-2013", True, False, False, "entered"),
        ("zhongshan-2013", False, True, False, "may_enter"),
        ("zhongshan-2013", False, False, False, "lapsed"),
        ("zhongshan-2013", False, None, False, "unknown"),
        ("zhongshan-2013", False, False, True, "may_enter"),
        ("jimei-2018", False, True, False, "lapsed"),
        ("jimei-2018", False, None, True, "may_enter"),
        ("ahut-2018", False, True, False, "lapsed"),  # 一: 逾期按弃权处理
        ("shandong-2023", False, None, False, "lapsed"),  # 十一.1: 逾期不予受理
    ],
)
def test_a_unit_without_a_form_lapses_as_its_regulation_says(
    regulation: str, entered: bool, attended: bool | None, in_time: bool, expected: str
) -> None:
    found = standing(load_any(regulation), entered=entered, attended=attended, in_time=in_time)
    assert found.standing == expected
    assert found.article


# Not on the form


def test_who_is_not_on_the_form_plays_by_the_chief_referees_consent() -> None:
    """六（一）: 非报名名单内的选手需要通过裁判长同意才能上场."""
    desk = union()
    desk.submit(members=TEAM)
    desk.clock.set(THREE + timedelta(days=21))
    event = desk.consent(staff("新来", event="xiangqi")).events[0]
    assert isinstance(event, PlayerConsented)
    assert (event.by, event.reason, event.article) == ("chief", "队员受伤", "六（一）")
    assert desk.entry().members[-1].person == event.member.person
    assert not [each for each in desk.checks() if each.wrong], "nobody on the form is one too many for it"


@pytest.mark.parametrize("event", ["", "tractor"])
def test_whoever_joins_names_the_event(event: str) -> None:
    """六（一）: “拖拉机”、象棋、围棋."""
    desk = union()
    desk.submit(members=TEAM)
    with pytest.raises(refusals.EntryNotInOrder) as caught:
        desk.consent(staff("新来", event=event))
    assert (caught.value.article, [at for at, _ in caught.value.wrong]) == ("六（一）", ["/member/event"])
    assert "tractor_pairs, xiangqi, weiqi" in caught.value.say("en")
    assert "tractor_pairs（拖拉机）、xiangqi（象棋）、weiqi（围棋）" in caught.value.say("zh")


@pytest.mark.parametrize("substitute", [False, True])
def test_an_event_that_there_is_not_is_told_with_those_that_there_are(substitute: bool) -> None:
    desk = union()
    with pytest.raises(refusals.EntryNotInOrder) as caught:
        desk.submit(members=(*TEAM[:-1], staff("补", event="tractor", substitute=substitute)))
    told = dict(caught.value.wrong)["/members/8/event"]
    assert told.en == "there is no event 'tractor'; it must be one of tractor_pairs, xiangqi, weiqi"


def test_an_outsider_is_none_whoever_consents() -> None:
    """四: 请外单位人员，则取消比赛成绩和奖金."""
    desk = union()
    desk.submit(members=TEAM)
    with pytest.raises(refusals.EntryNotInOrder) as caught:
        desk.consent(staff("外人", event="weiqi", standing="other"))
    assert caught.value.article == "四"
    with pytest.raises(refusals.EntryNotInOrder):
        desk.consent(staff("非会员", event="weiqi", union_member=False))


def test_nor_one_who_stands_for_another_unit() -> None:
    desk = union()
    number = "11010519491231002X"
    desk.submit(members=TEAM)
    desk.submit("外科", (*TEAM[:-1], staff("同一人", substitute=True, identity_number=number)))
    with pytest.raises(refusals.EntryNotInOrder):
        desk.consent(staff("同一人", event="weiqi", identity_number=number))


@pytest.mark.parametrize("regulation", ["jimei-2018"])
def test_where_the_form_is_closed_nobody_joins(regulation: str) -> None:
    """十二（报名）: 报名后一律不得更改."""
    desk = Desk(regulation).open()
    desk.submit()
    with pytest.raises(refusals.OutsidersRefused) as caught:
        desk.consent(player("替补"))
    assert caught.value.article == "十二（报名）"
