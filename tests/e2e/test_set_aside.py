"""A decision that match can never apply, over REST: seen in the appeal, set aside by two people, and then nothing waits
for it (RULINGS, Appeals 5 and 7)."""

from __future__ import annotations

from typing import Any

from tests.support.site import REASON, Site
from tests.support.world import World


def _appeal(site: Site, **who: Any) -> Any:
    answer = site.world.get(f"/appeals/competitions/{site.id}/appeals", **who).get_json()
    return next(one for one in answer["items"] if one["appeal"] == site.appeal)


def _reasons(site: Site) -> list[str]:
    answer = site.world.get(f"/ranking/competitions/{site.id}/standings").get_json()
    return [reason["code"] for reason in answer["reasons"] if reason["appeal"] == site.appeal]


def test_the_appeal_says_what_refuses_its_ruling_and_who_set_it_aside() -> None:
    site = Site(World()).stuck()
    assert _appeal(site)["set_aside"] is None
    assert _reasons(site) == ["ruling_pending"]
    path = f"match/decisions/{site.appeal}/set-asides"
    site.done(path, REASON, role="referee", chief=True, sub="chief")
    shown = _appeal(site)["set_aside"]
    assert (shown["refusal"], shown["proposed_by"], shown["confirmed_by"]) == ("remedy-impossible", "chief", None)
    assert _reasons(site) == ["ruling_pending"]
    site.done(f"{path}/confirmations", sub="bureau")
    shown = _appeal(site)["set_aside"]
    assert (shown["confirmed_by"], shown["reason"]) == ("bureau", REASON["reason"])
    assert "重打" in shown["refused"][0]
    assert _reasons(site) == []


def test_its_effect_is_then_none_and_says_so() -> None:
    site = Site(World()).put_forward()
    site.done(f"match/decisions/{site.appeal}/set-asides/confirmations", sub="bureau")
    path = f"/appeals/competitions/{site.id}/appeals/{site.appeal}/effect"
    effect = site.world.get(path, role="committee").get_json()
    assert (effect["status"], effect["remedy"]["kind"]) == ("set_aside", "none")
    assert not any(row["changed"] for row in effect["rows"])


def test_nothing_of_the_competition_is_held_any_more() -> None:
    site = Site(World()).put_forward()
    held = site.world.get("/match/held", role="operator").get_json()["items"]
    assert [entry["competition"] for entry in held] == [site.id]
    site.done(f"match/decisions/{site.appeal}/set-asides/confirmations", sub="bureau")
    assert site.world.get("/match/held", role="operator").get_json()["items"] == []
