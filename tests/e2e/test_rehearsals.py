"""A rehearsal (演练): the whole course of a competition for practice, marked as such wherever it is seen, and counting
for nothing outside itself."""

from __future__ import annotations

import csv
import io
from typing import Any

import openpyxl
import pytest

from tests.support.site import REASON, Site
from tests.support.world import World

MARK = "【演练】"


@pytest.fixture(scope="module")
def site() -> Site:
    return Site(World(), rehearsal=True).lodged()


READS = (
    "/registration/competitions/{id}",
    "/match/competitions/{id}",
    "/ranking/competitions/{id}/standings",
    "/ranking/competitions/{id}/crosstable",
    "/ranking/competitions/{id}/places",
    "/appeals/competitions/{id}/deadlines",
    "/appeals/competitions/{id}/ledger",
)


@pytest.mark.parametrize("path", READS)
def test_every_answer_about_it_says_so(site: Site, path: str) -> None:
    answer = site.world.get(path.format(id=site.id), role="organiser")
    assert answer.status_code == 200
    assert answer.get_json()["rehearsal"] is True


@pytest.mark.parametrize("path", READS)
def test_a_competition_that_counts_says_that_it_is_none(path: str) -> None:
    real = Site(World()).lodged()
    assert real.world.get(path.format(id=real.id), role="organiser").get_json()["rehearsal"] is False


@pytest.mark.parametrize("service", ["registration", "ranking"])
def test_lists_name_it_with_its_mark(site: Site, service: str) -> None:
    (item,) = site.world.get(f"/{service}/competitions").get_json()["items"]
    assert item["rehearsal"] is True
    assert item["name"].startswith(MARK)


def test_its_id_says_so_in_every_address_event_and_credential(site: Site) -> None:
    assert site.id.startswith("rehearsal-")
    for name in ("registration", "match", "appeals"):
        events = site.world.services[name].engine.ports.journal.read(0, 1000)
        assert {event.competition for event in events} == {site.id}


def test_it_keeps_its_mark_when_it_is_renamed() -> None:
    site = Site(World(), rehearsal=True).announced()
    site.done("registration/amendments", {"name": "春季赛", **REASON})
    assert site.world.get(f"/registration/competitions/{site.id}").get_json()["name"] == f"{MARK}春季赛"
    for path in ("match", "ranking"):
        shown = site.world.get(f"/{path}/competitions/{site.id}" + ("/standings" if path == "ranking" else ""))
        assert shown.get_json()["name"] == f"{MARK}春季赛"


def test_its_exports_say_so(site: Site) -> None:
    base = f"/registration/competitions/{site.id}/exports"
    rows = list(csv.reader(io.StringIO(site.world.get(f"{base}/entries.csv", role="organiser").text)))
    assert {row[-3] for row in rows[1:]} == {"已报名（演练）"}
    for path in (
        f"{base}/entries.xlsx",
        f"{base}/programme.xlsx",
        f"/appeals/competitions/{site.id}/exports/ledger.xlsx",
    ):
        answer = site.world.get(path, role="organiser")
        cells = _cells(answer.get_data())
        assert any("演练" in cell for cell in cells), path


def _cells(content: bytes) -> list[str]:
    book = openpyxl.load_workbook(io.BytesIO(content))
    return [str(cell.value) for sheet in book.worksheets for row in sheet.iter_rows() for cell in row if cell.value]


def test_the_code_that_is_shown_to_a_phone_says_so() -> None:
    site = Site(World(), rehearsal=True).credentialed()
    path = f"/registration/competitions/{site.id}/credentials/{site.credential}/link"
    link = site.world.get(path, role="organiser", sub="organiser of the table").get_json()
    assert link["rehearsal"] is True
    assert link["competition"].startswith(MARK)
    assert f"<title>{MARK}" in link["qr"]


# It never counts


def _enter(site: Site, unit: str, number: str) -> Any:
    members = [
        {"part": "player", "name": f"{unit}{n}", "born": "1980-01-01", "identity_number": number.format(n)}
        for n in (1, 2)
    ]
    body = {"unit": unit, "name": f"{unit}队", "members": members}
    return site.world.post(f"/registration/competitions/{site.id}/entries", body)


def test_who_is_entered_in_a_rehearsal_is_free_for_every_competition() -> None:
    # jimei-2018 十二（报名）: one unit and three events a person over the bureau's competitions of a season
    world = World()
    number = "35020519800101{:03}X"
    practice = Site(world, rehearsal=True).opened()
    assert _enter(practice, "集美街道", number).status_code == 201
    real = Site(world).opened()
    assert _enter(real, "侨英街道", number).status_code == 201
    again = Site(world).opened()
    assert _enter(again, "集美街道", number).status_code != 201  # another unit in a competition that counts


def test_within_a_rehearsal_a_person_still_stands_for_one_unit() -> None:
    practice = Site(World(), rehearsal=True).opened()
    number = "35020519800101{:03}X"
    assert _enter(practice, "集美街道", number).status_code == 201
    assert _enter(practice, "侨英街道", number).status_code != 201
