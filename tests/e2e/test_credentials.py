"""Credentials: issued for a person, a team or one table of one round, shown as a QR code, good until they expire or are
revoked; and a lost phone is everyday business."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import jwt
import pytest
from pymongo import MongoClient

from deploy.wiring import Wiring, apps
from shared.web.identity import Identity, mint
from tests.support.site import Site, hand
from tests.support.world import SECRET, World

LOST = {"reason": "手机丢失"}


@pytest.fixture
def site() -> Site:
    return Site(World()).paired()


def issue(site: Site, *holders: dict[str, Any], hours: int = 24, sub: str = "wang") -> list[str]:
    """The tokens of these holders, as their phones read them from the QR codes."""
    body = {"holders": list(holders), "hours": hours}
    events = site.done("registration/credentials", body, sub=sub)["events"]
    return [link(site, event["data"]["credential"], sub)["token"] for event in events]


def link(site: Site, credential: str, sub: str = "wang", query: str = "") -> Any:
    path = f"/registration/competitions/{site.id}/credentials/{credential}/link{query}"
    return site.world.get(path, role="organiser", sub=sub).get_json()


def enter(site: Site, token: str, match: str = "", number: int = 1) -> Any:
    """What a phone with this token is told of a hand that it enters."""
    path = f"/competitions/{site.id}/matches/{match or site.match}/hands"
    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": f"hand-{number}", "Accept-Language": "en"}
    answer = site.world.client("match").post(path, json=hand(number), headers=headers)
    return answer.status_code, answer.get_json().get("type", "").rpartition("/")[2]


def listed(site: Site, query: str = "") -> list[dict[str, Any]]:
    path = f"/registration/competitions/{site.id}/credentials{query}"
    items: list[dict[str, Any]] = site.world.get(path, role="organiser").get_json()["items"]
    return items


def test_a_token_names_issuer_holder_scope_and_id(site: Site) -> None:
    (token,) = issue(site, {"account": "li", "role": "referee"}, hours=2)
    claims = jwt.decode(token, SECRET, algorithms=["HS256"], options={"verify_exp": False, "verify_iat": False})
    (shown,) = listed(site)
    assert claims["jti"] == shown["credential"]
    assert (claims["iss"], claims["sub"], claims["role"]) == ("wang", "li", "referee")
    assert claims["competitions"] == [site.id]
    assert claims["exp"] - claims["iat"] == 2 * 60 * 60
    assert enter(site, token) == (201, "")


def test_it_is_shown_as_a_link_whose_token_no_server_sees_and_as_a_qr_code(site: Site) -> None:
    issue(site, {"account": "li", "role": "referee"})
    shown = link(site, listed(site)[0]["credential"], query="?at=https://pailu.example:8443")
    parts = urlsplit(shown["link"])
    assert (parts.scheme, parts.netloc, parts.path, parts.query) == ("https", "pailu.example:8443", "/", "")
    assert parts.fragment == f"token={shown['token']}"
    assert shown["qr"].startswith("<svg")
    again = link(site, listed(site)[0]["credential"], query="?at=https://pailu.example:8443")
    assert again == shown, "the same at each asking"


@pytest.mark.parametrize("at", ["javascript:alert(1)", "ftp://x", "x", "https://"])
def test_a_link_leads_to_a_web_address(site: Site, at: str) -> None:
    issue(site, {"account": "li", "role": "referee"})
    path = f"/registration/competitions/{site.id}/credentials/{listed(site)[0]['credential']}/link?at={at}"
    assert site.world.get(path, role="organiser", sub="wang").status_code == 422


def test_it_is_shown_to_who_issued_it_alone(site: Site) -> None:
    issue(site, {"account": "chair", "role": "committee"})
    shown = link(site, listed(site)[0]["credential"], sub="another organiser")
    assert shown["type"].endswith("not-the-issuer")
    assert "token" not in shown


def test_the_token_stands_in_no_event_and_no_row(site: Site) -> None:
    (token,) = issue(site, {"account": "li", "role": "referee"})
    signature = token.rpartition(".")[2]
    for service in site.world.services.values():
        ports: Any = service.engine.ports
        assert signature not in repr(ports.commits._streams) + repr(ports.documents._collections)


def test_it_holds_until_the_instant_at_which_it_expires(site: Site) -> None:
    (token,) = issue(site, {"account": "li", "role": "referee"}, hours=1)
    site.world.clock.advance(timedelta(minutes=59))
    assert enter(site, token) == (201, "")
    site.world.clock.advance(timedelta(minutes=1))
    assert enter(site, token, number=2) == (401, "token-needed")
    assert listed(site)[0]["state"] == "expired"
    assert link(site, listed(site)[0]["credential"])["type"].endswith("credential-holds-no-more")


def test_one_of_a_table_is_for_that_table_of_that_round_alone(site: Site) -> None:
    table = {"round": 1, "table": site.tables[0]["table"]}
    (token,) = issue(site, {"account": "table-1", "role": "referee", "table": table})
    assert enter(site, token) == (201, "")
    assert enter(site, token, site.tables[1]["match"], number=2) == (403, "one-table-only")
    assert enter(site, token, "r9t9", number=3) == (403, "one-table-only")
    closing = site.world.client("match").post(
        f"/competitions/{site.id}/rounds/1/closings",
        headers={"Authorization": f"Bearer {token}", "Idempotency-Key": "close"},
    )
    assert closing.status_code == 403


def test_one_of_a_team_speaks_for_that_team_alone(site: Site) -> None:
    (token,) = issue(site, {"account": "leader", "role": "leader", "team": site.unit})
    for team, status in ((site.team, 201), (next(t for t in site.units if t != site.team), 403)):
        answer = site.world.client("match").post(
            f"/competitions/{site.id}/withdrawals",
            json={"team": team, "reason": "生病"},
            headers={"Authorization": f"Bearer {token}", "Idempotency-Key": f"leave-{team}"},
        )
        assert answer.status_code == status


@pytest.mark.parametrize(
    ("holder", "pointer"),
    [
        ({"role": "leader"}, "team"),
        ({"role": "referee", "team": "t"}, "team"),
        ({"role": "committee", "table": {"round": 1, "table": 1}}, "table"),
        ({"role": "referee", "chief": True, "table": {"round": 1, "table": 1}}, "table"),
        ({"role": "leader", "team": "t", "chief": True}, "chief"),
        ({"role": "operator"}, "role"),
    ],
)
def test_a_scope_that_fits_no_role_is_refused(site: Site, holder: dict[str, Any], pointer: str) -> None:
    path = f"/registration/competitions/{site.id}/credentials"
    answer = site.world.post(path, {"holders": [{"account": "x", **holder}]})
    assert answer.status_code == 422
    assert [error["pointer"] for error in answer.get_json()["errors"]] == [f"/holders/0/{pointer}"]


def test_a_round_of_tables_is_issued_at_once(site: Site) -> None:
    tables = [{"account": f"table-{n}", "role": "referee", "table": {"round": 1, "table": n}} for n in range(1, 31)]
    tokens = issue(site, *tables)
    assert len(set(tokens)) == 30
    assert [each["table"]["table"] for each in listed(site)] == list(range(1, 31))


def test_a_lost_phones_credential_is_refused_from_the_next_request_on(site: Site) -> None:
    token, other = issue(site, {"account": "li", "role": "referee"}, {"account": "wu", "role": "referee"})
    assert enter(site, token) == (201, "")
    site.done(f"registration/credentials/{listed(site)[0]['credential']}/revocations", LOST)
    assert enter(site, token, number=2) == (401, "token-revoked")
    assert enter(site, token) == (401, "token-revoked"), "a repeated key too is judged by today's rights"
    assert enter(site, other, number=2) == (201, "")
    assert [each["account"] for each in listed(site)] == ["wu"]
    (gone,) = [each for each in listed(site, "?all=true") if each["account"] == "li"]
    assert (gone["state"], gone["revoked_because"]) == ("revoked", "手机丢失")


def test_all_of_a_person_are_revoked_once_it_is_said_how_many_they_are(site: Site) -> None:
    tokens = issue(site, *[{"account": "li", "role": "referee"}] * 2, {"account": "wu", "role": "referee"})
    path = f"/registration/competitions/{site.id}/credentials/revocations"
    asked = site.world.post(path, {"account": "li", **LOST})
    assert (asked.status_code, asked.get_json()["type"].rpartition("/")[2]) == (409, "count-differs")
    assert "2 credentials" in asked.get_json()["detail"]
    assert len(listed(site, "?account=li")) == 2, "nothing was done"
    assert site.world.post(path, {"account": "li", "count": 3, **LOST}).status_code == 409
    site.done("registration/credentials/revocations", {"account": "li", "count": 2, **LOST})
    assert [enter(site, token, number=n)[0] for n, token in enumerate(tokens, 1)] == [401, 401, 409]
    none = site.world.post(path, {"account": "li", "count": 1, **LOST})
    assert none.get_json()["type"].endswith("no-live-credential")
    assert enter(site, issue(site, {"account": "li", "role": "referee"})[0]) == (201, ""), "issued anew"


def test_a_revocation_repeated_is_so_already_and_of_none_is_404(site: Site) -> None:
    issue(site, {"account": "li", "role": "referee"})
    path = f"/registration/competitions/{site.id}/credentials"
    credential = listed(site)[0]["credential"]
    assert site.world.post(f"{path}/{credential}/revocations", LOST).status_code == 201
    assert site.world.post(f"{path}/{credential}/revocations", LOST).status_code == 200
    assert site.world.post(f"{path}/k-none/revocations", LOST).get_json()["type"].endswith("no-such-credential")
    assert link(site, "k-none")["type"].endswith("no-such-credential")


def test_no_competition_no_credentials() -> None:
    world = World()
    body = {"holders": [{"account": "li", "role": "referee"}]}
    assert world.post("/registration/competitions/none/credentials", body).status_code == 404
    assert world.get("/registration/competitions/none/credentials", role="organiser").status_code == 404


@pytest.fixture
def wired(
    mongo: MongoClient[dict[str, Any]], monkeypatch: pytest.MonkeyPatch, database_prefix: str
) -> Iterator[Wiring]:
    """The services as one process has them, none of whose steps runs: no event of one reaches another."""
    monkeypatch.setattr("deploy.wiring.PREFIX", database_prefix)
    made = Wiring(mongo, SECRET)
    yield made
    made.close()


def test_in_one_process_nothing_lies_between_a_revocation_and_its_effect(wired: Wiring) -> None:
    made = apps(services := wired.services())
    clock = services["match"].clock

    def token(role: str, **claims: Any) -> str:
        return mint(Identity(sub=role, role=role, **claims), SECRET, clock.now(), timedelta(hours=1))

    def post(service: str, path: str, body: Any, key: str, bearer: str) -> Any:
        headers = {"Authorization": f"Bearer {bearer}", "Idempotency-Key": key}
        return made[service].test_client().post(path, json=body, headers=headers)

    bureau = token("organiser")
    announced = post("registration", "/competitions", {"regulation": "jimei-2018"}, "a", bureau).get_json()
    competition = announced["stream"].partition("/")[2]
    path = f"/competitions/{competition}/credentials"
    issued = post("registration", path, {"holders": [{"account": "li", "role": "referee"}]}, "i", bureau).get_json()
    credential = issued["events"][0]["data"]["credential"]
    referee = token("referee", jti=credential, iss="organiser")
    hands = f"/competitions/{competition}/matches/r1t1/hands"
    assert post("match", hands, hand(1), "h", referee).status_code == 404, "there is no such match, but who asks may"
    assert post("registration", f"{path}/{credential}/revocations", LOST, "r", bureau).status_code == 201
    for service in ("match", "appeals", "ranking", "registration"):
        asked = made[service].test_client().get("/held", headers={"Authorization": f"Bearer {referee}"})
        assert (asked.status_code, asked.get_json()["type"].rpartition("/")[2]) == (401, "token-revoked")
