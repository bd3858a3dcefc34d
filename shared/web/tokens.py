"""The opaque tokens of the REST API: where a command wrote, and where a page ends."""

from __future__ import annotations

import base64
import binascii
import hmac

import msgspec

from shared.contracts.refusal import Invalid


class BadPosition(
    Invalid,
    zh=("位置标记无效", "Pailu-Position 不是本系统给出的标记。请原样传回命令应答中的值。"),
    en=(
        "Bad position token",
        "Pailu-Position is no token of this system. Pass back what a command answered, as it is.",
    ),
):
    """The header Pailu-Position cannot be read."""


class BadCursor(
    Invalid,
    zh=("翻页标记无效", "cursor 不是本系统给出的标记。请使用上一页的 next。"),
    en=("Bad cursor", "cursor is no token of this system. Use `next` of the page before."),
):
    """The query parameter cursor cannot be read."""


class Written(msgspec.Struct, frozen=True, array_like=True):
    """Where a command left a stream."""

    service: str
    stream: str
    version: int


_LARGEST = 2**53
_SEAL = 12
"""Bytes of a position token's seal."""


def position_token(written: Written, secret: str) -> str:
    """The token that a command answers in Pailu-Position, sealed: waiting for what never comes costs a thread, so
    only what was written can be waited for."""
    raw = msgspec.json.encode(written)
    return _encode(_seal(raw, secret) + raw)


def read_position(token: str, secret: str) -> Written:
    """What `position_token` gave. Raises BadPosition."""
    try:
        sealed = _bytes(token)
        seal, raw = sealed[:_SEAL], sealed[_SEAL:]
        if not hmac.compare_digest(seal, _seal(raw, secret)):
            raise BadPosition("/headers/Pailu-Position")
        return msgspec.json.decode(raw, type=Written)
    except (ValueError, msgspec.MsgspecError) as error:
        raise BadPosition("/headers/Pailu-Position") from error


def _seal(raw: bytes, secret: str) -> bytes:
    return hmac.digest(secret.encode(), b"Pailu-Position " + raw, "sha256")[:_SEAL]


def cursor_token(last: str | int) -> str:
    """The token for the page after the row with this order value."""
    return _encode(msgspec.json.encode([last]))


def read_cursor(token: str, kind: type[str] | type[int] = str) -> str | int:
    """What `cursor_token` gave for an order value of this kind. Raises BadCursor."""
    try:
        (value,) = msgspec.json.decode(_bytes(token), type=tuple[str | int])
    except (ValueError, msgspec.MsgspecError) as error:
        raise BadCursor("/query/cursor") from error
    if not isinstance(value, kind) or (isinstance(value, int) and abs(value) > _LARGEST):
        raise BadCursor("/query/cursor")
    return value


def _encode(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _bytes(token: str) -> bytes:
    try:
        return base64.b64decode(token.encode("ascii") + b"=" * (-len(token) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, UnicodeEncodeError) as error:
        raise ValueError(str(error)) from error
