"""A token holds for its competitions; what concerns them all needs one that holds for all."""

from __future__ import annotations

from typing import Any

import jwt
import pytest

from tests.support.world import SECRET, World

EVERY = ("registration", "match", "ranking", "appeals")


@pytest.fixture(scope="module")
def world() -> World:
    return World()


def slug(response: Any) -> str:
    assert response.mimetype == "application/problem+json"
    return str(response.get_json()["type"].rpartition("/")[2])


def test_who_holds_for_one_competition_announces_no_other(world: World) -> None:
    refused = world.post("/registration/competitions", {"regulation": "jimei-2018"}, competitions=("c",))
    assert (refused.status_code, slug(refused)) == (403, "some-competitions-only")
    assert world.post("/registration/competitions", {"regulation": "jimei-2018"}).status_code == 201


@pytest.mark.parametrize("service", EVERY)
def test_what_concerns_every_competition_is_not_for_who_holds_for_one(world: World, service: str) -> None:
    one: Any = {"role": "operator", "competitions": ("c",)}
    assert slug(world.get(f"/{service}/held", **one)) == "some-competitions-only"
    assert slug(world.get(f"/{service}/projection", **one)) == "some-competitions-only"
    assert slug(world.post(f"/{service}/projection/rebuilds", **one)) == "some-competitions-only"


@pytest.mark.parametrize("service", EVERY)
def test_an_operator_retries_own_competitions(world: World, service: str) -> None:
    one: Any = {"role": "operator", "competitions": ("c",)}
    assert slug(world.post(f"/{service}/held/c/retries", **one)) == "nothing-held"
    assert slug(world.post(f"/{service}/held/d/retries", **one)) == "other-competition"


def test_a_token_that_names_no_competitions_holds_for_none(world: World) -> None:
    """However it was made: ours always say for which they hold."""
    claims = {"sub": "x", "role": "organiser", "exp": world.clock.now().timestamp() + 60}
    token = jwt.encode(claims, SECRET, algorithm="HS256")
    refused = world.client("match").post(
        "/competitions/c/seeds", json={}, headers={"Authorization": f"Bearer {token}", "Idempotency-Key": "k"}
    )
    assert (refused.status_code, slug(refused)) == (403, "other-competition")


def test_a_token_for_no_competition_lets_nobody_in(world: World) -> None:
    refused = world.post("/match/competitions/c/seeds", competitions=())
    assert (refused.status_code, slug(refused)) == (403, "other-competition")


def test_made_up_methods_leave_no_trace_in_the_metrics(world: World) -> None:
    client = world.client("match")
    for n in range(20):
        assert client.open("/competitions", method=f"MADEUP{n}").status_code in (404, 405)
    shown = client.get("/metrics").get_data(as_text=True)
    assert "MADEUP" not in shown
    assert 'method="other"' in shown
