"""A body is JSON as RFC 8259 has it, of bounded size and depth, and means one thing only. Everything else is told as a
problem, and nothing is written."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from werkzeug.test import TestResponse

from shared.web.application import LARGEST_BODY
from shared.web.bodies import ITEMS
from shared.web.problems import ERRORS
from tests.support.world import World

HANDS = "/competitions/c/matches/r1t1/hands"


@pytest.fixture(scope="module")
def world() -> World:
    return World()


def send(world: World, body: bytes, path: str = HANDS, role: str = "referee", **more: Any) -> TestResponse:
    headers = {"Authorization": f"Bearer {world.token(role)}", "Idempotency-Key": "k", "Accept-Language": "en"}
    return world.client("match").post(path, data=body, headers=headers, content_type="application/json", **more)


def slug(response: TestResponse) -> str:
    assert response.mimetype == "application/problem+json"
    return str(response.get_json()["type"].rpartition("/")[2])


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b'{"hand": 1,}',
        b'{"points": NaN}',
        b'{"points": Infinity}',
        b'{"points": -Infinity}',
        b'{"points": 1e400}',
        b'{"points": ' + b"9" * 5000 + b"}",
        b'{"points": 0x10}',
        b'{"points": \xff}',
        '{"points": 5}'.encode("utf-16"),
        b"[" * 5000 + b"]" * 5000,
        b'{"a":' * 2000 + b"1" + b"}" * 2000,
        b'{"points": 5}\0',
    ],
)
def test_what_is_no_json_is_told_so(world: World, body: bytes) -> None:
    response = send(world, body)
    assert (response.status_code, slug(response)) == (400, "bad-request")


@pytest.mark.parametrize(
    ("body", "name"),
    [(b'{"hand": 1, "points": 40, "points": 80}', "points"), (b'{"levels": {"13": "2", "13": "3"}}', "13")],
)
def test_a_name_given_twice_is_refused_for_readers_would_differ_on_its_value(
    world: World, body: bytes, name: str
) -> None:
    response = send(world, body)
    assert (response.status_code, slug(response)) == (422, "named-twice")
    assert name in response.get_json()["detail"]


@pytest.mark.parametrize("value", ["true", "false", "1.0", "1.5", '"1"', "[1]", "{}", "null", "1e0", '{"$gt": 0}'])
@pytest.mark.parametrize("field", ["hand", "dealer", "points"])
def test_only_an_integer_is_an_integer(world: World, field: str, value: str) -> None:
    fields = {"hand": "1", "dealer": "1", "points": "40"} | {field: value}
    response = send(world, ("{" + ", ".join(f'"{k}": {v}' for k, v in fields.items()) + "}").encode())
    assert (response.status_code, slug(response)) == (422, "invalid")
    assert {error["pointer"] for error in response.get_json()["errors"]} == {f"/{field}"}


@pytest.mark.parametrize("value", [2**31, 2**53, 2**63, 2**64, 10**400, -1, -(2**63) - 1])
def test_a_number_beyond_its_range_is_told_where(world: World, value: int) -> None:
    response = send(world, b'{"hand": 1, "dealer": 1, "points": %d}' % value)
    assert (response.status_code, slug(response)) == (422, "invalid")
    assert [error["pointer"] for error in response.get_json()["errors"]] == ["/points"]


def test_however_many_fields_are_wrong_the_answer_stays_small(world: World) -> None:
    response = send(world, json.dumps({f"field {n}": n for n in range(10 * ERRORS)}).encode())
    assert (response.status_code, slug(response)) == (422, "invalid")
    assert len(response.get_json()["errors"]) == ERRORS


def test_a_body_of_very_many_items_is_not_judged_one_by_one(world: World) -> None:
    response = send(world, b'{"absent": [' + b"1," * (ITEMS + 1) + b"1]}", "/competitions/c/matches/r1t1/forfeits")
    assert (response.status_code, slug(response)) == (422, "too-many-items")


def test_commas_in_a_text_are_no_items(world: World) -> None:
    response = send(world, b'{"hand": "' + b"," * 2 * ITEMS + b'"}')
    assert (response.status_code, slug(response)) == (422, "invalid")


@pytest.mark.parametrize("size", [LARGEST_BODY + 1, 3 * LARGEST_BODY])
def test_a_body_over_a_mebibyte_is_too_large_whether_or_not_it_says_its_length(world: World, size: int) -> None:
    body = b'{"hand": 1}' + b" " * size
    assert send(world, body).status_code == 413
    unsaid = send(world, b"", input_stream=io.BytesIO(body), environ_overrides=CHUNKED)
    assert (unsaid.status_code, slug(unsaid)) == (413, "body-too-large")


def test_a_body_that_does_not_say_its_length_is_read_like_any_other(world: World) -> None:
    response = send(world, b"", input_stream=io.BytesIO(b'{"hand": 0}'), environ_overrides=CHUNKED)
    assert (response.status_code, slug(response)) == (422, "invalid")


CHUNKED = {"HTTP_TRANSFER_ENCODING": "chunked", "wsgi.input_terminated": True, "CONTENT_LENGTH": ""}
