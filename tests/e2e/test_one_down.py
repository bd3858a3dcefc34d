"""Registration, match, ranking and appeals are independent: each in turn is down while the others work, and afterwards
everything is as if it had never been (only events pass between them)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.site import CHAIR, DECISION, REASON, Site
from tests.support.world import Step, World

SERVICES = ("registration", "match", "ranking", "appeals")


class Halting(World):
    """A world of which one service may be down: none of its steps runs."""

    down = ""

    def _steps(self) -> tuple[list[Step], list[Step]]:
        every = self.services
        try:
            self.services = {name: service for name, service in every.items() if name != self.down}
            return super()._steps()
        finally:
            self.services = every


def _close_round(site: Site) -> None:
    site.done("match/rounds/1/closings", role="referee")


def _appeal(site: Site) -> None:
    drafted = site.done("appeals/appeals", site.grounds(), role="leader", team=site.unit)
    site.appeal = drafted["stream"].rpartition("/")[2]
    report = {"reference": "申诉书 1 号", "bears_seal": True}
    site.done(f"appeals/appeals/{site.appeal}/reports", report, role="leader", team=site.unit)
    site.done(f"appeals/appeals/{site.appeal}/deposits", {"amount_fen": 50_000})
    site.done(f"appeals/appeals/{site.appeal}/deposits/confirmations", sub="another organiser")


def _hear(site: Site) -> None:
    site.done(f"appeals/appeals/{site.appeal}/acceptances", role="committee")
    site.done(f"appeals/appeals/{site.appeal}/hearings", {"members": [CHAIR]}, role="committee")


def _reopen(site: Site) -> None:
    site.done("match/rounds/1/reopenings", {"matches": [site.tables[1]["match"]], **REASON}, role="referee", chief=True)
    correction = {"dealer": 1, "points": 100, "reason": "记错"}
    path = f"match/matches/{site.tables[1]['match']}"
    seen = site.world.get(f"/match/competitions/{site.id}/{path.removeprefix('match/')}").headers["ETag"]
    site.done(f"{path}/hands/1/corrections", correction, role="referee", headers={"If-Match": seen})
    site.done(f"{path}/closings", role="referee")
    site.done("match/rounds/1/closings", role="referee")


def _decide(site: Site) -> None:
    site.done(f"appeals/appeals/{site.appeal}/decisions", DECISION, role="committee")


def _amend(site: Site) -> None:
    site.done("registration/amendments", {"place": "杏林体育馆", **REASON})


COURSE: tuple[tuple[str, Callable[[Site], None]], ...] = (
    ("match", _close_round),
    ("appeals", _appeal),
    ("registration", _amend),
    ("appeals", _hear),
    ("match", _reopen),
    ("appeals", _decide),
)
"""Who is called, and for what. A service that is down is up again when it is called, and down once it has answered."""

READS = (
    "/registration/competitions/{id}",
    "/match/competitions/{id}",
    "/match/competitions/{id}/rounds",
    "/ranking/competitions/{id}/standings",
    "/appeals/competitions/{id}/appeals",
    "/appeals/competitions/{id}/ledger",
    "/appeals/competitions/{id}/deadlines",
)


def _course(down: str) -> tuple[Site, list[str]]:
    """The course with a service down wherever it is not called, and what the others answered meanwhile."""
    world = Halting()
    site = Site(world).ended()
    meanwhile: list[str] = []
    for called, act in COURSE:
        world.down = "" if called == down else down
        world.settle()
        act(site)
        meanwhile += [path for path in READS if down and path.split("/")[1] != down and _read(site, path)]
    world.down = ""
    world.settle()
    return site, meanwhile


def _read(site: Site, path: str) -> Any:
    answer = site.world.get(path.format(id=site.id), role="organiser")
    assert answer.status_code == 200, path
    return answer.get_json()


def _whole(site: Site) -> dict[str, Any]:
    """All that people see, but for what names a position of the log."""
    found = {path: _read(site, path) for path in READS}
    found["/ranking/competitions/{id}/standings"].pop("rests_on")
    return found


@pytest.fixture(scope="module")
def undisturbed() -> dict[str, Any]:
    site, _ = _course("")
    return _whole(site)


@pytest.mark.parametrize("down", SERVICES)
def test_one_is_down_the_others_work_and_all_comes_right_afterwards(down: str, undisturbed: dict[str, Any]) -> None:
    site, meanwhile = _course(down)
    assert len(meanwhile) == len(COURSE) * len([path for path in READS if path.split("/")[1] != down])
    assert _whole(site) == undisturbed
    assert all(not service.engine.held() for service in site.world.services.values())


def test_what_the_undisturbed_course_comes_to(undisturbed: dict[str, Any]) -> None:
    (appeal,) = undisturbed["/appeals/competitions/{id}/appeals"]["items"]
    assert appeal["status"] == "upheld"
    ledger = undisturbed["/appeals/competitions/{id}/ledger"]
    assert (ledger["sum"], ledger["moved"]["refunded"]) == (0, 50_000)
    assert undisturbed["/registration/competitions/{id}"]["place"] == "杏林体育馆"


def test_while_match_is_down_standings_say_that_a_ruling_is_to_come() -> None:
    world = Halting()
    site = Site(world).heard()
    world.down = "match"
    _decide(site)
    reasons = [reason["code"] for reason in _read(site, "/ranking/competitions/{id}/standings")["reasons"]]
    assert "ruling_pending" in reasons
    world.down = ""
    world.settle()
    reasons = [reason["code"] for reason in _read(site, "/ranking/competitions/{id}/standings")["reasons"]]
    assert "ruling_pending" not in reasons
