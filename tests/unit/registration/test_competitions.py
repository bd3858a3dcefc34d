"""Competitions announced from a regulation, amended, cancelled; entries opened and closed (RULINGS, Corrections 4)."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from services.registration import model, refusals
from shared.rules.regulations import digest, load
from tests.unit.registration.desk import MICROSECOND, NOON, OCTOBER, Desk


def test_what_is_left_out_is_as_the_regulation_has_it() -> None:
    state = Desk().state
    assert state.regulation == "jimei-2018/1"
    assert state.place == "区青少中心二楼棋牌室"  # 五
    assert (state.plays_from, state.plays_to) == (date(2018, 11, 24), date(2018, 11, 25))  # 四
    assert state.closes_at == NOON
    assert state.changes == {}


def test_a_time_without_a_zone_is_local_to_the_regulation() -> None:
    local = datetime(2026, 5, 1, 12, 0)  # noqa: DTZ001
    desk = Desk(entries_close=local, plays_from=date(2026, 5, 9), plays_to=date(2026, 5, 9))
    assert desk.state.closes_at == datetime(2026, 5, 1, 4, 0, tzinfo=UTC)


def test_what_the_organiser_sets_otherwise_is_in_the_event() -> None:
    state = Desk(changes={"match.minutes": 45, "penalties.revoke.points": 80}).state
    assert state.changes == {"match.minutes": 45}  # 80 is what the regulation says already


def test_the_digest_tells_which_values_it_was_announced_with() -> None:
    plain, changed = Desk().row(), Desk(changes={"match.minutes": 45}).row()
    assert plain.regulation_digest == digest(load("jimei-2018")) != changed.regulation_digest


def test_the_same_announcement_again_is_the_same_competition() -> None:
    desk = Desk()
    assert desk.announce(key="k") == desk.announce(key="k") != desk.announce(key="other")


def test_an_id_that_is_taken_is_refused() -> None:
    desk = Desk()
    state = desk.state
    terms = model.Terms(regulation=state.regulation, digest="", changes={}, zone=state.zone)
    details = model.Details(
        name="x", place="y", plays_from=date(2018, 11, 24), plays_to=date(2018, 11, 24), entries_close=NOON
    )
    with pytest.raises(refusals.AlreadyAnnounced):
        model.announce(state, terms, details, "bureau")


def test_an_amendment_says_before_and_after_and_why() -> None:
    desk = Desk()
    (event,) = desk.amend(place="体育馆").events
    assert (event.before, event.after) == ({"place": "区青少中心二楼棋牌室"}, {"place": "体育馆"})
    assert event.reason == "场馆检修"
    assert desk.row().place == "体育馆"


def test_a_later_close_takes_entries_that_would_have_been_late() -> None:
    desk = Desk().open()
    desk.amend(entries_close=NOON + timedelta(days=1))
    desk.clock.set(NOON + timedelta(days=1))
    desk.submit()
    desk.clock.advance(MICROSECOND)
    with pytest.raises(refusals.EntriesClosedAlready):
        desk.submit("杏林街道")


def test_an_earlier_close_refuses_what_would_have_been_in_time() -> None:
    desk = Desk().open()
    desk.amend(entries_close=OCTOBER + timedelta(days=1))
    desk.clock.set(OCTOBER + timedelta(days=1) + MICROSECOND)
    with pytest.raises(refusals.EntriesClosedAlready):
        desk.submit()


def test_before_entries_are_open_their_close_may_be_set_to_any_day() -> None:
    desk = Desk()
    desk.clock.set(NOON + timedelta(days=3000))
    desk.amend(
        entries_close=NOON + timedelta(days=3001),
        plays_from=date(2027, 1, 30),
        plays_to=date(2027, 1, 31),
    )
    assert desk.open().state.opened


def test_a_name_may_change_after_entries_have_closed() -> None:
    desk = Desk().open()
    desk.clock.set(NOON + MICROSECOND)
    desk.close()
    assert desk.amend(name="新名").events


def test_entries_closed_early_for_a_reason_are_closed_at_once() -> None:
    desk = Desk().open()
    desk.close("名额已满")
    with pytest.raises(refusals.EntriesClosedAlready) as caught:
        desk.submit()
    assert caught.value.params["closed_at"] == OCTOBER


def test_entries_closed_after_the_deadline_were_closed_at_the_deadline() -> None:
    desk = Desk().open()
    desk.clock.set(NOON + timedelta(hours=3))
    desk.close()
    assert desk.state.closes_at == NOON


def test_a_cancelled_competition_says_why() -> None:
    desk = Desk()
    desk.cancel()
    assert (desk.row().status, desk.row().cancelled_because) == ("cancelled", "台风")
