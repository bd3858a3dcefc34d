"""What listeners hear of a competition: what is public, of every event that is, and only when it shows elsewhere."""

from __future__ import annotations

from typing import Any

import pytest

from services.ranking.projections.shown import NOT_SHOWN, ONLY_WHEN_LODGED, SHOWN
from shared.contracts.catalogue import EVENTS
from tests.support.events_source import messages
from tests.support.site import REASON, Site
from tests.support.world import World


@pytest.fixture(scope="module")
def world() -> World:
    return World()


def heard(site: Site) -> list[dict[str, Any]]:
    return messages(site.world.get(f"/ranking/competitions/{site.id}/events?after=").get_data())


def kinds(site: Site) -> list[str]:
    return [event["type"] for event in heard(site)]


def test_of_every_event_somebody_has_decided_who_hears_it() -> None:
    assert set(SHOWN) | set(NOT_SHOWN) == set(EVENTS)
    assert not set(SHOWN) & set(NOT_SHOWN)
    assert {event.__name__ for event in SHOWN} >= set(ONLY_WHEN_LODGED)


def test_what_is_shown_is_part_of_the_event_and_names_nobody() -> None:
    for event, fields in SHOWN.items():
        assert set(fields) <= set(event.__struct_fields__), event.__name__
        assert not {"by", "members", "witness", "grounds"} & set(fields), event.__name__


def test_a_whole_appeal_is_heard_without_its_draft_its_papers_and_its_money(world: World) -> None:
    site = Site(world).heard()
    of_appeals = [event["type"] for event in heard(site) if event["service"] == "appeals"]
    assert of_appeals == ["AppealFiled", "AppealAccepted", "AppealHeard"]


def test_a_draft_that_is_withdrawn_is_never_heard_of(world: World) -> None:
    site = Site(world).begun()
    site.done(f"appeals/appeals/{site.appeal}/withdrawals", REASON, role="leader", team=site.unit)
    assert not [event for event in heard(site) if event["service"] == "appeals"]


def test_a_lodged_appeal_that_is_withdrawn_is_heard_of(world: World) -> None:
    site = Site(world).lodged()
    site.done(f"appeals/appeals/{site.appeal}/withdrawals", REASON, role="leader", team=site.unit)
    assert [event["type"] for event in heard(site) if event["service"] == "appeals"] == [
        "AppealFiled",
        "AppealWithdrawn",
    ]


def test_no_person_is_heard_of(world: World) -> None:
    site = Site(world).entered()
    said = str(heard(site))
    assert site.unit in said
    for secret in ("1980-01-01", f"{site.unit}1", "sealed", "p-"):
        assert secret not in said


def test_who_hears_of_a_closed_round_finds_it_in_the_standings(world: World) -> None:
    site = Site(world).finished()
    last = heard(site)[-1]
    standings = world.get(f"/ranking/competitions/{site.id}/standings").get_json()
    assert (last["type"], last["round"]) == ("RoundClosed", standings["after_round"])
    assert standings["rests_on"]["match"] >= last["position"]


def test_other_competitions_are_not_heard(world: World) -> None:
    one, other = Site(world).paired(), Site(world).announced()
    assert kinds(other) == ["CompetitionAnnounced"]
    assert "RoundPaired" in kinds(one)
