"""docs/roles.md, cell by cell: the page says what the endpoints declare, and the services answer as the page says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from deploy import front
from deploy.names import NAMES
from deploy.roles import CALLERS, CHIEF, NARROWED, NEEDED, OWN, REFUSED, TABLE, YES, page
from shared.web.identity import Identity, mint
from shared.web.rights import endpoints
from tests.support.site import CALLS, Call, Site
from tests.support.world import SECRET, World

PAGE = (Path(__file__).parents[2] / "docs/roles.md").read_text("utf-8")
ALLOWED = (YES, OWN, NARROWED)
SLUGS = {
    "role-not-allowed",
    "other-competition",
    "some-competitions-only",
    "other-team",
    "chief-referee-only",
    "one-table-only",
}


def _rows() -> Iterator[tuple[str, str, dict[str, str]]]:
    """Service, endpoint and cells by caller, as the page has them."""
    for section in PAGE.split("\n## ")[1:]:
        service = section.split("\n")[0].rpartition(" ")[2]
        for endpoint, cells in re.findall(r"^\| `([A-Z]+ [^`]+)` \| (.*) \|$", section, re.MULTILINE):
            yield service, endpoint, dict(zip(CALLERS, cells.split(" | "), strict=True))


ROWS = list(_rows())
OF_SERVICES = [row for row in ROWS if row[0] in NAMES]


@pytest.fixture(scope="module")
def world() -> World:
    """One in which a credential was revoked, as every service has heard by now."""
    made = World()
    site = Site(made).credentialed()
    site.done(f"registration/credentials/{site.credential}/revocations", {"reason": "丢失"})
    REVOKED.append(site.credential)
    return made


REVOKED: list[str] = []


def test_the_page_says_what_the_endpoints_declare() -> None:
    assert page() == PAGE, "write it again: pailu roles > docs/roles.md"


def test_every_endpoint_declares_who_may_use_it(world: World) -> None:
    apps = [*world.apps.values(), front.front(world.services, "pailu")]
    found = [endpoint for app in apps for endpoint in endpoints(app)]
    assert len(found) > 80
    assert [endpoint for endpoint in found if endpoint.rights is None] == []


def test_an_endpoint_without_declared_rights_is_found(world: World) -> None:
    app = front.front(world.services, "pailu")
    app.add_url_rule("/back-door", "back_door", lambda: "open")
    assert [endpoint.path for endpoint in endpoints(app) if endpoint.rights is None] == ["/back-door"]


def test_for_every_endpoint_there_is_a_call() -> None:
    assert {(service, endpoint) for service, endpoint, _ in OF_SERVICES} == set(CALLS)


@pytest.mark.parametrize(("service", "endpoint", "cells"), OF_SERVICES, ids=[f"{s} {e}" for s, e, _ in OF_SERVICES])
def test_each_cell_is_answered_as_the_page_says(
    world: World, service: str, endpoint: str, cells: dict[str, str]
) -> None:
    call = CALLS[service, endpoint]
    site = call.stage(Site(world))
    for caller, cell in cells.items():
        if cell in (NEEDED, REFUSED):
            response = ask(site, call, service, endpoint, caller, cells)
            assert str(response.status_code) == cell, (caller, response.get_data(as_text=True))
            lacking = {"token-revoked"} if caller == "revoked" else {"token-needed"}
            assert slug(response) in (lacking if cell == NEEDED else SLUGS), caller
    for caller in [caller for caller, cell in cells.items() if cell in ALLOWED]:
        response = ask(site, call, service, endpoint, caller, cells)
        assert answered(call, response), (caller, response.get_data(as_text=True))
        if endpoint.startswith("POST"):
            site = call.stage(Site(world))


@pytest.mark.parametrize("path", [row[1].removeprefix("GET ") for row in ROWS if row[0] == "all"])
def test_what_is_for_all_services_together_is_everyones(world: World, path: str) -> None:
    client = front.front(world.services, "pailu").test_client()
    expected = (200, 404) if path.startswith("/static") else (200, 204)
    assert client.get(path.replace("{filename}", "none")).status_code in expected


def test_a_leader_of_another_team_sees_the_own_part_alone(world: World) -> None:
    site = Site(world).lodged()
    other = next(unit for unit in site.units.values() if unit != site.unit)
    docket = f"/appeals/competitions/{site.id}/docket"
    assert world.get(docket, role="leader", team=other).get_json()["items"] == []
    assert [item["team"] for item in world.get(docket, role="leader", team=site.unit).get_json()["items"]] == [
        site.team
    ]


def ask(site: Site, call: Call, service: str, endpoint: str, caller: str, cells: dict[str, str]) -> TestResponse:
    """The endpoint's call, made by this caller."""
    method, _, path = endpoint.partition(" ")
    headers = {"Idempotency-Key": f"only-once-in-{site.id}", "Accept-Language": "en"}
    if caller != "no token":
        headers["Authorization"] = f"Bearer {token(site, caller, cells, '{competition}' in endpoint)}"
    sent: dict[str, Any] = {"json": call.body(site, caller)} if method == "POST" else {}
    if call.file is not None:
        sent = {"content_type": call.file[0], "data": call.file[1]}
    client = site.world.client(service)
    headers |= call.headers(site)
    response = client.open(path.format(**site.names()) + call.query, method=method, headers=headers, **sent)
    site.world.settle()
    return response


def token(site: Site, caller: str, cells: dict[str, str], names_one: bool) -> str:
    """A token such as the caller has. One for another competition, or that has expired, is of a role that may."""
    may = next((known for known in CALLERS if cells[known] in ALLOWED), "organiser")
    as_may, as_other = ("expired", "revoked", "other competition"), {"other team": "leader", "other table": TABLE}
    role = may if caller in as_may else as_other.get(caller, caller)
    claims: dict[str, Any] = {"role": role, "competitions": (site.id if names_one else "*",)}
    if caller == "other competition":
        claims["competitions"] = ("another",)
    if role == CHIEF:
        claims |= {"role": "referee", "chief": True}
    if role == TABLE:
        table = site.tables[0]["table"] if site.tables else 1
        claims |= {"role": "referee", "table": (1, table + (caller == "other table"))}
    if caller == "revoked":
        claims["jti"] = REVOKED[-1]
    if role == "leader":
        claims["team"] = site.outsider if caller == "other team" else site.unit
    lifetime = timedelta(0) if caller == "expired" else timedelta(hours=1)
    return mint(Identity(sub=f"{caller} of the table", **claims), SECRET, site.world.clock.now(), lifetime)


def answered(call: Call, response: TestResponse) -> bool:
    return response.status_code == call.status if call.status else 200 <= response.status_code < 300


def slug(response: TestResponse) -> str:
    return str(response.get_json()["type"].rpartition("/")[2])
