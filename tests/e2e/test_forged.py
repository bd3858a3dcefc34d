"""What nobody may say is refused by every endpoint, and nothing is written: fields that it does not know, least of all
those that decide something, and MongoDB's operators, wherever a value may stand.

The calls are those that succeed (tests/support/site.py); which fields there are, each endpoint's own document says."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from werkzeug.test import TestResponse

from deploy.roles import shown
from shared.web.rights import endpoints
from tests.support.site import CALLS, Site
from tests.support.world import World

FORGED = {
    "points": 1000,
    "position": 1,
    "actor": "chair",
    "by": "chair",
    "role": "operator",
    "rank": 1,
    "deposit_paid": True,
    "version": 7,
    "received_at_server": "2018-01-01T00:00:00Z",
    "$where": "sleep(1000)",
    "_id": "x",
    "__proto__": {},
}
OPERATORS: tuple[Any, ...] = (
    {"$gt": ""},
    {"$ne": None},
    {"$where": "1"},
    {"$in": [1]},
    [{"$gt": ""}],
    {"$regex": ".*"},
)
WORLD = World()
DOCUMENTS = {name: WORLD.client(name).get("/openapi.json").get_json() for name in WORLD.apps}
RIGHTS = {(name, f"{e.method} {shown(e)}"): e.rights for name, app in WORLD.apps.items() for e in endpoints(app)}
POSTS = [
    (service, endpoint)
    for service, endpoint in CALLS
    if endpoint.startswith("POST") and CALLS[service, endpoint].file is None
]
READS = [
    (service, f"GET {path}")
    for service, document in DOCUMENTS.items()
    for path, methods in document["paths"].items()
    if "get" in methods and (service, f"GET {path}") in CALLS
]
IDS = {"ids": lambda value: value}


def at(service: str, endpoint: str) -> Any:
    """The endpoint as its service documents it."""
    method, _, path = endpoint.partition(" ")
    return DOCUMENTS[service]["paths"][path][method.lower()]


def resolved(service: str, schema: Any) -> Any:
    while "$ref" in schema or "allOf" in schema:
        if "allOf" in schema:
            schema = schema["allOf"][0]
        else:
            schema = DOCUMENTS[service]["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


def body_schema(service: str, endpoint: str) -> Any:
    content = at(service, endpoint).get("requestBody", {}).get("content", {}).get("application/json", {})
    return resolved(service, content.get("schema", {}))


def objects(service: str, schema: Any, value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every object of a body whose fields the schema names: where it stands, and its schema."""
    schema = resolved(service, schema)
    if isinstance(value, dict) and ("properties" in schema or not path):
        yield path, schema
        for name, part in schema.get("properties", {}).items():
            if name in value:
                yield from objects(service, part, value[name], (*path, name))
    elif isinstance(value, list) and value and "items" in schema:
        yield from objects(service, schema["items"], value[0], (*path, 0))


def changed(body: Any, path: tuple[Any, ...], name: str, value: Any) -> Any:
    """The body, with one field of one of its objects set."""
    made = copy.deepcopy(body)
    place = made
    for step in path:
        place = place[step]
    place[name] = value
    return made


def send(site: Site, service: str, endpoint: str, body: Any = None, query: str = "") -> TestResponse:
    """The endpoint's call by who may make it."""
    method, _, path = endpoint.partition(" ")
    rights = RIGHTS[service, endpoint]
    assert rights is not None
    roles = rights.roles or ("organiser",)
    role = "referee" if rights.parts else "organiser" if "organiser" in roles else roles[0]
    claims: dict[str, Any] = {"leader": {"team": site.unit}, "referee": {"chief": rights.chief}}.get(role, {})
    headers = {
        "Authorization": f"Bearer {site.world.token(role, sub='forger', **claims)}",
        "Idempotency-Key": f"forged-{next(site.world.keys)}",
        "Accept-Language": "en",
        **CALLS[service, endpoint].headers(site),
    }
    client = site.world.client(service)
    return client.open(path.format(**site.names()) + query, method=method, json=body, headers=headers)


def commits(world: World) -> int:
    stores: Any = [service.engine.ports.commits for service in world.services.values()]
    return sum(len(stream) for store in stores for stream in store._streams.values())


@pytest.mark.parametrize(("service", "endpoint"), POSTS, **IDS)
def test_a_field_that_nobody_may_say_is_refused_wherever_it_stands(service: str, endpoint: str) -> None:
    call = CALLS[service, endpoint]
    site = call.stage(Site(WORLD))
    body, before = call.body(site), commits(WORLD)
    found = list(objects(service, body_schema(service, endpoint), body))
    assert found, "every command takes an object"
    for path, schema in found:
        for name, value in FORGED.items():
            if name not in schema.get("properties", {}):
                answer = send(site, service, endpoint, changed(body, path, name, value))
                assert answer.status_code == 422, (path, name, answer.get_data(as_text=True))
                pointer = "/" + "/".join(map(str, (*path, name)))
                assert pointer in {error["pointer"] for error in answer.get_json()["errors"]}, (path, name)
    assert commits(WORLD) == before


@pytest.mark.parametrize(("service", "endpoint"), POSTS, **IDS)
def test_an_operator_in_the_place_of_a_value_is_refused(service: str, endpoint: str) -> None:
    call = CALLS[service, endpoint]
    site = call.stage(Site(WORLD))
    body, before = call.body(site), commits(WORLD)
    for path, schema in objects(service, body_schema(service, endpoint), body):
        for name in schema.get("properties", {}):
            for operator in OPERATORS:
                answer = send(site, service, endpoint, changed(body, path, name, operator))
                if answer.status_code == 207:  # a batch is answered item by item
                    assert {each["status"] for each in answer.get_json()["items"]} <= {404, 422}, name
                else:
                    assert answer.status_code == 422, (path, name, operator, answer.get_data(as_text=True))
    assert commits(WORLD) == before


@pytest.mark.parametrize(("service", "endpoint"), READS, **IDS)
def test_a_query_that_is_not_known_is_refused_and_an_operator_finds_nothing(service: str, endpoint: str) -> None:
    call = CALLS[service, endpoint]
    site = call.stage(Site(WORLD))
    known = [p["name"] for p in at(service, endpoint).get("parameters", []) if p["in"] == "query"]
    for query in ("actor=x", "$where=1", "limit[$gt]=1", "competition[$ne]=x", "%24or=1", "__proto__=1"):
        answer = send(site, service, endpoint, query=f"{call.query or '?'}&{query}")
        assert answer.status_code == 422, (query, answer.get_data(as_text=True))
    for name in known:
        for value in ('{"$gt":""}', '{"$ne":null}', "$where"):
            rest = "&".join(part for part in call.query.lstrip("?").split("&") if not part.startswith(f"{name}="))
            answer = send(site, service, endpoint, query=f"?{rest}&{name}={value}")
            found = answer.get_json().get("items", []) if answer.status_code == 200 else []
            assert answer.status_code in (200, 404, 409, 422), (name, value)
            assert found == [], (name, value)


def test_an_operator_in_a_path_names_nothing() -> None:
    for service, path in (("match", "/competitions/{}"), ("ranking", "/competitions/{}/standings")):
        for value in ('{"$gt":""}', "%24ne", "[$gt]"):
            assert WORLD.client(service).get(path.format(value)).status_code == 404
