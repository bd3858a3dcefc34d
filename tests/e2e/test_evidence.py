"""Evidence over REST: who may bring it, who is given it, and what is no evidence (RULINGS, Appeals)."""

from __future__ import annotations

from typing import Any

from tests.support.site import PHOTO, Site
from tests.support.world import World


def _path(site: Site, rest: str = "") -> str:
    return f"/appeals/competitions/{site.id}/appeals/{site.appeal}/evidence{rest}"


def _send(site: Site, title: str = "记分表", file: tuple[str, bytes] = PHOTO, **who: Any) -> Any:
    return site.world.send(_path(site, f"?title={title}"), *file, **who)


def test_both_teams_bring_evidence_and_a_third_one_neither_brings_nor_sees_any() -> None:
    site = Site(World()).lodged()
    rival = next(site.units[team] for team in site.tables[0]["teams"] if team != site.team)
    assert _send(site, role="leader", team=site.unit).status_code == 201
    assert _send(site, role="leader", team=rival).status_code == 201
    assert _send(site, role="leader", team=site.outsider).status_code == 403
    assert site.world.get(_path(site, "/e1/file"), role="leader", team=rival).get_data() == PHOTO[1]
    assert site.world.get(_path(site, "/e1/file"), role="leader", team=site.outsider).status_code == 403
    assert site.world.get(_path(site, "/e1/file")).status_code == 401


def test_of_a_draft_the_other_team_learns_nothing() -> None:
    site = Site(World()).begun()
    rival = next(site.units[team] for team in site.tables[0]["teams"] if team != site.team)
    assert _send(site, role="leader", team=site.unit).status_code == 201
    assert _send(site, role="leader", team=rival).status_code == 403
    assert site.world.get(_path(site, "/e1/file"), role="leader", team=rival).status_code == 403


def test_the_appeal_lists_it_by_side_with_its_hash() -> None:
    site = Site(World()).shown()
    site.world.post(
        _path(site, "/references"),
        {"title": "第 1 副牌", "event": f"match/{site.id}/{site.match}@1"},
        role="referee",
    )
    appeal = site.world.get(f"/appeals/competitions/{site.id}/appeals/{site.appeal}", role="committee").get_json()
    photo, event = appeal["evidence"]
    assert (photo["side"], photo["media"], photo["size"], len(photo["sha256"])) == (
        "appellant",
        PHOTO[0],
        len(PHOTO[1]),
        64,
    )
    assert (event["side"], event["event"]) == ("referee", f"match/{site.id}/{site.match}@1")


def test_what_is_no_picture_or_too_large_is_refused() -> None:
    site = Site(World()).lodged()
    for file, status in (
        (("image/png", b"<script>"), 422),
        (("text/html", b"<html>"), 422),
        (("image/png", PHOTO[1] + bytes(4 << 20)), 413),
    ):
        assert _send(site, file=file, role="organiser").status_code == status


def test_a_file_is_saved_and_never_shown_as_a_page() -> None:
    site = Site(World()).shown()
    answer = site.world.get(_path(site, "/e1/file"), role="committee")
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert "sandbox" in answer.headers["Content-Security-Policy"]


def test_appeals_over_one_match_are_heard_together_each_with_its_own_decision() -> None:
    site = Site(World()).heard()
    first = site.appeal
    second = site.another_accepted()
    hearing = {"members": [{"account": "chair", "unit": "集美区体育局"}], "together_with": [first]}
    site.done(f"appeals/appeals/{second}/hearings", hearing, role="committee")
    shown = site.world.get(f"/appeals/competitions/{site.id}/appeals/{second}", role="committee").get_json()
    assert shown["hearings"][0]["together_with"] == [first]
    assert (shown["status"], shown["ended"]) == ("heard", None)
