"""AES-GCM with one key per person. The log keeps ciphertext for ever; erasing the key erases the person."""

from __future__ import annotations

import base64
from collections.abc import Mapping

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

KEY_BYTES = 32
NONCE_BYTES = 12


Fields = Mapping[str, str | bool | int | None]
"""What is sealed of a person, by name."""


class SealBroken(ValueError):
    """A sealed text that this key does not open, or that was altered."""


def seal(fields: Fields, person: str, key: bytes, nonce: bytes) -> str:
    """The fields as base64 of nonce and ciphertext, bound to the person's id. A nonce must never be used twice
    with one key."""
    plain = msgspec.json.encode(dict(fields), order="sorted")
    return base64.b64encode(nonce + AESGCM(key).encrypt(nonce, plain, person.encode())).decode()


def unseal(sealed: str, person: str, key: bytes) -> dict[str, str | bool | int | None]:
    """The fields that `seal` took. Raises SealBroken."""
    try:
        raw = base64.b64decode(sealed, validate=True)
        plain = AESGCM(key).decrypt(raw[:NONCE_BYTES], raw[NONCE_BYTES:], person.encode())
    except (ValueError, InvalidTag) as error:
        raise SealBroken(f"the sealed fields of {person} do not open") from error
    return msgspec.json.decode(plain, type=dict[str, str | bool | int | None])
