"""Entries until their deadline (九, 十二（报名）; RULINGS jimei 1, Corrections 4)."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from services.registration import refusals
from services.registration.forms import team_id
from shared.contracts.registration import EntrySubmitted
from shared.privacy.sealing import unseal
from tests.unit.registration.desk import MICROSECOND, NOON, PAIR, UNIT, Desk, player


def test_an_entry_at_noon_itself_is_in_time_and_a_microsecond_later_it_is_not() -> None:
    desk = Desk().open()
    desk.clock.set(NOON)
    assert desk.submit().events
    desk.clock.advance(MICROSECOND)
    with pytest.raises(refusals.EntriesClosedAlready):
        desk.submit("杏林街道")


def test_an_entry_made_in_time_is_answered_again_after_the_deadline() -> None:
    desk = Desk().open()
    first = desk.submit(key="k")
    desk.clock.set(NOON + timedelta(days=1))
    desk.close()
    again = desk.submit(key="k")
    assert again.replayed
    assert again.events == first.events


def test_a_change_made_before_a_withdrawal_is_answered_again_after_it() -> None:
    desk = Desk().open()
    desk.submit()
    first = desk.change(key="k")
    desk.withdraw()
    assert desk.change(key="k").events == first.events


def test_what_was_late_once_is_late_again_under_the_same_key() -> None:
    desk = Desk().open()
    desk.clock.set(NOON + MICROSECOND)
    for _ in range(2):
        with pytest.raises(refusals.EntriesClosedAlready):
            desk.submit(key="k")


@pytest.mark.parametrize(
    "spelling",
    [
        " 集美街道办事处 ",
        "集美街道　办事处",
        "集美 街道办事处",
        "集美街道\u200b办事处",
        "集美街道\ufeff办事处",
    ],
    ids=["spaces around", "a full-width space", "a space inside", "a zero-width space", "a byte-order mark"],
)
def test_a_unit_is_the_same_however_it_is_spaced(spelling: str) -> None:
    desk = Desk().open()
    desk.submit(UNIT)
    with pytest.raises(refusals.UnitAlreadyEntered):
        desk.submit(spelling)


@pytest.mark.parametrize(("one", "other"), [("ＡＢＣ公司", "ABC公司"), ("abc公司", "ABC公司"), ("ﾊﾅ", "ハナ")])
def test_a_unit_is_the_same_in_any_width_and_case(one: str, other: str) -> None:
    assert team_id(one) == team_id(other)


def test_two_units_are_two_teams() -> None:
    desk = Desk().open()
    desk.submit("集美街道")
    desk.submit("侨英街道")
    assert team_id("集美街道") != team_id("侨英街道")


def test_names_are_shown_without_what_nobody_sees() -> None:
    desk = Desk().open()
    desk.submit(unit="集美\u200b街道", name="  一　 队 ")
    row = desk.entry_row("集美街道")
    assert (row.unit, row.name) == ("集美街道", "一 队")


def test_a_withdrawn_unit_may_enter_anew() -> None:
    desk = Desk().open()
    desk.submit()
    desk.withdraw()
    desk.submit(name="新队")
    assert not desk.entry().withdrawn
    assert desk.entry_row().name == "新队"


def test_a_change_replaces_name_and_members_and_keeps_team_and_unit() -> None:
    desk = Desk().open()
    before = desk.submit().events[0]
    after = desk.change(name="新队", members=(player("王三"), player("李四"))).events[0]
    assert isinstance(after, EntrySubmitted)
    assert (after.team.id, after.team.unit, after.team.name) == (before.team.id, before.team.unit, "新队")
    assert after.change == 1


@pytest.mark.parametrize("born", [date(1958, 1, 1), date(1999, 12, 31)])
def test_both_ends_of_the_age_range_may_play(born: date) -> None:
    assert Desk().open().submit(members=(player("陈一", born), player("林二"))).events


def test_every_fault_of_a_form_is_named_at_its_place() -> None:
    old, no_birth = player("陈一", date(1950, 1, 1)), player("林二", None)
    leaders = tuple(type(old)(part="leader", name=f"领队{n}") for n in (1, 2))
    with pytest.raises(refusals.EntryNotInOrder) as caught:
        Desk().open().submit(members=(*leaders, old, no_birth))
    assert [pointer for pointer, _ in caught.value.wrong] == ["/members", "/members/2/born", "/members/3/born"]
    assert [said.zh for _, said in caught.value.wrong][1] == "出生日期应不早于 1958-01-01"


def test_the_same_identity_number_twice_is_one_person() -> None:
    one = player("陈一", identity_number="35020519800501001x")
    two = player("陈 一", identity_number=" ３５０２０５１９８００５０１００１Ｘ")
    with pytest.raises(refusals.EntryNotInOrder) as caught:
        Desk().open().submit(members=(one, two))
    assert caught.value.pointer == "/members/1"


def test_a_player_may_lead_too() -> None:
    leader = type(PAIR[0])(part="leader", name="陈一", born=date(1980, 5, 1))
    assert Desk().open().submit(members=(*PAIR, leader)).events


def test_persons_are_sealed_each_with_a_key_of_their_own() -> None:
    desk = Desk().open()
    event = desk.submit().events[0]
    persons = [member.person for member in event.members]
    keys = [desk.secrets.get(f"person/{person}") for person in persons]
    assert len(set(keys)) == 2
    first = event.members[0]
    assert unseal(first.sealed, first.person, keys[0] or b"")["name"] == "陈一"


def test_no_personal_field_stands_in_the_clear_anywhere() -> None:
    desk = Desk().open()
    members = (
        player("欧阳明月", date(1981, 7, 23), identity_number="350205198107230017", phone="13806099999"),
        player("司徒清风", date(1982, 7, 23)),
    )
    desk.submit(members=members)
    desk.change(members=members)
    everywhere = repr([desk.commits._streams, desk.journal._entries, desk.documents._collections, desk.log._topics])
    raw = [event.data.decode() for commits in desk.commits._streams.values() for c in commits for event in c.events]
    everywhere += "".join(raw)
    for secret in ("欧阳明月", "司徒清风", "1981-07-23", "1982-07-23", "350205198107230017", "13806099999"):
        assert secret not in everywhere
        assert secret.encode("unicode_escape").decode() not in everywhere


def test_a_refused_form_leaves_no_key_of_a_person() -> None:
    desk = Desk().open()
    with pytest.raises(refusals.EntryNotInOrder):
        desk.submit(members=PAIR[:1])
    assert desk.secrets._values == {}
