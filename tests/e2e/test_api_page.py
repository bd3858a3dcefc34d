"""What the API pages tell someone who has nothing else: how to begin, who may do what, and every parameter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.world import World

SERVICES = ("registration", "match", "ranking", "appeals")


@pytest.fixture(scope="module")
def documents() -> dict[str, Any]:
    world = World()
    return {name: world.client(name).get("/openapi.json").get_json() for name in SERVICES}


def _operations(document: Any) -> Iterator[tuple[str, Any]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if method != "parameters":
                yield f"{method} {path}", operation


@pytest.mark.parametrize("service", SERVICES)
def test_it_says_how_to_begin(documents: dict[str, Any], service: str) -> None:
    said = documents[service]["info"]["description"]
    assert "pailu token --role organiser" in said
    assert "Idempotency-Key" in said
    assert "公布赛事 · 开放报名（此时承诺抽签种子" in said


@pytest.mark.parametrize("service", SERVICES)
def test_every_operation_says_in_a_line_what_it_does_and_who_may(documents: dict[str, Any], service: str) -> None:
    for name, operation in _operations(documents[service]):
        assert operation["summary"].endswith("."), name
        assert "\n" not in operation["summary"], name
        needs_token = bool(operation["security"])
        assert ("角色须为" in operation["description"]) == needs_token, name


@pytest.mark.parametrize("service", SERVICES)
def test_every_list_documents_its_paging(documents: dict[str, Any], service: str) -> None:
    for name, operation in _operations(documents[service]):
        answer = operation["responses"].get("200", {}).get("content", {}).get("application/json", {})
        if answer.get("schema", {}).get("$ref", "").endswith("Page"):
            given = {parameter["name"] for parameter in operation["parameters"] if parameter["in"] == "query"}
            assert given >= {"limit", "cursor"}, name


def test_standings_document_the_round_and_the_moment(documents: dict[str, Any]) -> None:
    operation = documents["ranking"]["paths"]["/competitions/{competition}/standings"]["get"]
    described = {p["name"]: p["description"] for p in operation["parameters"] if p["in"] == "query"}
    assert set(described) == {"round", "as_of"}
    assert all(described.values())


@pytest.mark.parametrize("service", SERVICES)
def test_every_body_says_what_it_is(documents: dict[str, Any], service: str) -> None:
    schemas = documents[service]["components"]["schemas"]
    for name, operation in _operations(documents[service]):
        body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
        if "$ref" in body:
            assert schemas[body["$ref"].rpartition("/")[2]]["description"], name


def test_metrics_have_one_help_line_each() -> None:
    world = World()
    for service in SERVICES:
        text = world.client(service).get("/metrics").get_data(as_text=True)
        helped = [line.split()[2] for line in text.splitlines() if line.startswith("# HELP")]
        assert sorted(helped) == sorted(set(helped))
        assert {"pailu_ready", "pailu_relay_lag", "pailu_projection_lag", "pailu_held", "pailu_parked"} <= set(helped)
