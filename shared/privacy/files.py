"""Files about persons: kept outside the log, each sealed with the key of the person or the team that it is about."""

from __future__ import annotations

import hashlib
import hmac
from typing import Any, Protocol

from bson import Binary
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from pymongo.database import Database
from pymongo.errors import DuplicateKeyError

from shared.eventsourcing.mongo import READ_CONCERN, WRITE_CONCERN, reading, writing
from shared.privacy.sealing import NONCE_BYTES, SealBroken


class Files(Protocol):
    """Sealed files by name; a file is never replaced."""

    def keep(self, name: str, sealed: bytes) -> None:
        """Store a file; one that is there stays."""
        ...

    def get(self, name: str) -> bytes | None:
        """The file, None when there is none or it was erased."""
        ...

    def erase(self, name: str) -> None:
        """Remove a file for good."""
        ...


class MemoryFiles:
    """Files in memory, for tests."""

    def __init__(self) -> None:
        self._files: dict[str, bytes] = {}

    def keep(self, name: str, sealed: bytes) -> None:
        self._files.setdefault(name, sealed)

    def get(self, name: str) -> bytes | None:
        return self._files.get(name)

    def erase(self, name: str) -> None:
        self._files.pop(name, None)


class MongoFiles:
    """Files in a collection of their own, a document each: none is larger than a few MiB."""

    def __init__(self, database: Database[dict[str, Any]]) -> None:
        self._files = database.get_collection("files", write_concern=WRITE_CONCERN, read_concern=READ_CONCERN)

    def keep(self, name: str, sealed: bytes) -> None:
        try:
            with writing():
                self._files.insert_one({"_id": name, "sealed": Binary(sealed)})
        except DuplicateKeyError:
            return

    def get(self, name: str) -> bytes | None:
        with reading():
            found = self._files.find_one({"_id": name})
        return bytes(found["sealed"]) if found else None

    def erase(self, name: str) -> None:
        with writing():
            self._files.delete_one({"_id": name})


def seal_file(content: bytes, about: str, key: bytes) -> bytes:
    """The file as it is kept, bound to what it is about. The nonce follows from content and key, so that the same file
    sealed again is the same bytes, and no two others share one."""
    nonce = hmac.digest(key, b"file " + about.encode() + b"\0" + hashlib.sha256(content).digest(), "sha256")
    return nonce[:NONCE_BYTES] + AESGCM(key).encrypt(nonce[:NONCE_BYTES], content, about.encode())


def unseal_file(sealed: bytes, about: str, key: bytes) -> bytes:
    """The content that `seal_file` took. Raises SealBroken."""
    try:
        return AESGCM(key).decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], about.encode())
    except (ValueError, InvalidTag) as error:
        raise SealBroken(f"the file about {about} does not open") from error
