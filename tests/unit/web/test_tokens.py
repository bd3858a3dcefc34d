"""What a client passes back is what it was given; anything else is told so at once, and waiting holds few threads."""

from __future__ import annotations

import base64
import json
import threading
from datetime import UTC, datetime, timedelta
from typing import Any

import jwt
import pytest

from shared.web import commands, identity
from shared.web.identity import Signed, TokenNeeded
from shared.web.tokens import BadCursor, BadPosition, Written, cursor_token, position_token, read_cursor, read_position
from tests.support.world import SECRET, World


def encoded(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).decode().rstrip("=")


FORGED = {
    "plain": encoded(b'["match","match/c/r1t1",1]'),
    "far": encoded(b'["match","match/c/r1t1",1000000000]'),
    "beyond 64 bits": encoded(b'["match","x",%d]' % 2**64),
    "deep": encoded(b"[" * 3000),
    "no base64": "位置",
    "empty once decoded": "AA",
    "sealed by another": position_token(Written("match", "s", 1), "another secret of thirty-two bytes"),
}


@pytest.mark.parametrize("token", FORGED.values(), ids=FORGED)
def test_a_position_that_no_command_gave_is_refused(token: str) -> None:
    with pytest.raises(BadPosition):
        read_position(token, SECRET)


def test_a_position_is_read_back_and_one_changed_in_any_character_is_not() -> None:
    written = Written("match", "match/c/r1t1", 3)
    token = position_token(written, SECRET)
    assert read_position(token, SECRET) == written
    for at in range(len(token) - 1):
        changed = token[:at] + ("A" if token[at] != "A" else "B") + token[at + 1 :]
        with pytest.raises(BadPosition):
            read_position(changed, SECRET)


@pytest.mark.parametrize(
    "token",
    [
        "",
        "x",
        "位",
        *(
            encoded(raw)
            for raw in (b"[", b"[" * 3000, b"[1.5]", b"[true]", b"[null]", b"[]", b"[1,2]", b'[{"$gt":""}]')
        ),
    ],
)
@pytest.mark.parametrize("kind", [str, int])
def test_a_cursor_that_no_page_gave_is_refused(token: str, kind: Any) -> None:
    with pytest.raises(BadCursor):
        read_cursor(token, kind)


def test_a_cursor_is_read_back() -> None:
    assert read_cursor(cursor_token("甲"), str) == "甲"
    assert read_cursor(cursor_token(7), int) == 7


def test_what_has_not_come_is_told_with_when_to_try_again() -> None:
    world = World()
    world.post("/registration/competitions", {"regulation": "jimei-2018"})
    token = position_token(Written("registration", "competition/none", 1), SECRET)
    for response in (
        world.get("/registration/competitions", headers={"Pailu-Position": token}),
        world.post("/registration/competitions", {"regulation": "jimei-2018"}, headers={"Pailu-Position": token}),
    ):
        assert (response.status_code, response.headers["Retry-After"]) == (503, "1")
        assert response.get_json()["type"].endswith("/not-there-yet")


def test_only_so_many_wait_at_once_and_the_others_are_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each that waits holds a thread. What is there already needs no waiting, and so no place among them."""
    world = World()
    here = world.post("/registration/competitions", {"regulation": "jimei-2018"}).headers["Pailu-Position"]
    never = position_token(Written("registration", "competition/none", 1), SECRET)
    monkeypatch.setattr(commands, "WAITING", threading.BoundedSemaphore(1))
    waits = 0

    def wait(reached: Any, seconds: float) -> bool:
        nonlocal waits
        waits += seconds > 0
        if seconds > 0:  # another request comes while this one waits
            inner = world.get("/registration/competitions", headers={"Pailu-Position": never})
            assert inner.status_code == 503
            assert world.get("/registration/competitions", headers={"Pailu-Position": here}).status_code == 200
        return bool(reached())

    world.services["registration"].engine.ports.wait_until = wait
    for _ in range(2):
        assert world.get("/registration/competitions", headers={"Pailu-Position": never}).status_code == 503
    assert waits == 2, "one at a time waited, and its place was given back"


HELD = {"sub": "x", "role": "referee", "competitions": ["*"], "exp": datetime(2030, 1, 1, tzinfo=UTC).timestamp()}


@pytest.mark.parametrize(
    "claims",
    [
        {"exp": float("nan")},
        {"exp": None},
        {"exp": "2030"},
        {"exp": [1]},
        {"role": "admin"},
        {"role": ["referee"]},
        {"competitions": "*"},
        {"chief": "true"},
        {"team": 5},
        {"sub": ""},
        {"sub": 5},
        {"sub": "two\nlines"},
        {"sub": "\ud800"},
    ],
)
def test_a_token_of_ours_that_is_not_well_formed_lets_nobody_in(claims: dict[str, Any]) -> None:
    world = World()
    token = jwt.api_jws.encode(json.dumps(HELD | claims).encode(), SECRET, algorithm="HS256")
    response = world.client("match").post(
        "/competitions/c/seeds", json={}, headers={"Authorization": f"Bearer {token}", "Idempotency-Key": "k"}
    )
    assert (response.status_code, response.mimetype) == (401, "application/problem+json")
    assert response.headers["WWW-Authenticate"] == "Bearer"


UNTIL = datetime(2030, 1, 1, tzinfo=UTC)
OTHER_SECRET = "another secret of thirty-two bytes"


def test_a_token_that_is_known_ends_at_its_instant_all_the_same() -> None:
    token = jwt.encode(HELD, SECRET, algorithm="HS256")
    signed = identity.read(token, SECRET, UNTIL - timedelta(microseconds=1))
    assert signed.sub == "x"
    with pytest.raises(TokenNeeded):
        identity.read(token, SECRET, UNTIL)
    assert identity.read(token, SECRET, UNTIL - timedelta(seconds=1)) == signed


def test_nothing_but_the_token_itself_under_its_own_secret_is_known() -> None:
    token = jwt.encode(HELD, SECRET, algorithm="HS256")
    identity.read(token, SECRET, UNTIL - timedelta(seconds=1))
    for other, secret in [
        (token, OTHER_SECRET),
        (token[:-2], SECRET),
        (f"{token}x", SECRET),
        (token.swapcase(), SECRET),
    ]:
        with pytest.raises(TokenNeeded):
            identity.read(other, secret, UNTIL - timedelta(seconds=1))


def test_a_signature_is_checked_once_and_so_many_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[str] = []
    check = identity._checked
    monkeypatch.setattr(identity, "_checked", lambda token, secret: checked.append(token) or check(token, secret))
    a, b, c = (jwt.encode(HELD | {"sub": sub}, SECRET, algorithm="HS256") for sub in "abc")
    signed = Signed(capacity=2)
    for token in (a, b, a, a, c, a, b):
        assert signed.read(token, SECRET)[0].sub == {a: "a", b: "b", c: "c"}[token]
    assert checked == [a, b, c, b], "b was the least used when c came"
