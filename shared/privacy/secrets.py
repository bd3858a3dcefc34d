"""What must stay outside the log: persons' keys, and a draw's seed until it is revealed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from bson import Binary
from pymongo.database import Database
from pymongo.errors import BulkWriteError, DuplicateKeyError

from shared.eventsourcing.errors import OutcomeUnknown
from shared.eventsourcing.mongo import READ_CONCERN, WRITE_CONCERN, only_duplicates, reading, writing
from shared.privacy.files import Files, MemoryFiles, MongoFiles

AT_ONCE = 200
"""Names that one look asks for: the embedded store goes to each by itself, and a look must end in time."""


class Secrets(Protocol):
    """Small secrets by name, written once, and the files that they seal."""

    @property
    def files(self) -> Files:
        """Files about persons, sealed."""
        ...

    def keep(self, name: str, value: bytes) -> bytes:
        """Store a value under a name unless there is one; the value that stands there now."""
        ...

    def keep_many(self, values: Mapping[str, bytes]) -> dict[str, bytes]:
        """As `keep` for each name, in few looks; the values that stand there now."""
        ...

    def get(self, name: str) -> bytes | None:
        """The value, None when there is none or it was erased."""
        ...

    def get_many(self, names: Sequence[str]) -> dict[str, bytes]:
        """The values that there are, by name, in one look."""
        ...

    def erase(self, name: str) -> None:
        """Remove a value for good."""
        ...

    def erasures(self) -> int:
        """How often something was erased: while it is the same, a copy of a value is as good as the value."""
        ...


class MemorySecrets:
    """Secrets in memory, for tests."""

    def __init__(self) -> None:
        self._values: dict[str, bytes] = {}
        self.files = MemoryFiles()
        self._erasures = 0

    def keep(self, name: str, value: bytes) -> bytes:
        return self._values.setdefault(name, value)

    def keep_many(self, values: Mapping[str, bytes]) -> dict[str, bytes]:
        return {name: self.keep(name, value) for name, value in values.items()}

    def get(self, name: str) -> bytes | None:
        return self._values.get(name)

    def get_many(self, names: Sequence[str]) -> dict[str, bytes]:
        return {name: self._values[name] for name in names if name in self._values}

    def erase(self, name: str) -> None:
        self._values.pop(name, None)
        self._erasures += 1

    def erasures(self) -> int:
        return self._erasures


class MongoSecrets:
    """Secrets in a collection of their own, so that a backup of the log is none of the keys."""

    def __init__(self, database: Database[dict[str, Any]]) -> None:
        self._secrets = database.get_collection("secrets", write_concern=WRITE_CONCERN, read_concern=READ_CONCERN)
        self._erased = database.get_collection("erased", write_concern=WRITE_CONCERN, read_concern=READ_CONCERN)
        self.files = MongoFiles(database)

    def keep(self, name: str, value: bytes) -> bytes:
        try:
            with writing():
                self._secrets.insert_one({"_id": name, "value": Binary(value)})
        except DuplicateKeyError:
            return self.get(name) or self.keep(name, value)
        return value

    def keep_many(self, values: Mapping[str, bytes]) -> dict[str, bytes]:
        kept = self.get_many(list(values))
        new = [{"_id": name, "value": Binary(value)} for name, value in values.items() if name not in kept]
        try:
            if new:
                with writing():
                    self._secrets.insert_many(new, ordered=False)
        except BulkWriteError as error:
            if not only_duplicates(error):
                raise OutcomeUnknown(str(error)) from error
            return self.keep_many(values)
        return {name: kept.get(name, value) for name, value in values.items()}

    def get(self, name: str) -> bytes | None:
        with reading():
            found = self._secrets.find_one({"_id": name})
        return bytes(found["value"]) if found else None

    def get_many(self, names: Sequence[str]) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        for start in range(0, len(names), AT_ONCE):
            with reading():
                some = self._secrets.find({"_id": {"$in": list(names[start : start + AT_ONCE])}})
                found |= {each["_id"]: bytes(each["value"]) for each in some}
        return found

    def erase(self, name: str) -> None:
        """Counted before and after: a copy that was made meanwhile is good for one look at most."""
        self._count()
        with writing():
            self._secrets.delete_one({"_id": name})
        self._count()

    def erasures(self) -> int:
        with reading():
            found = self._erased.find_one({"_id": "erasures"})
        return int(found["count"]) if found else 0

    def _count(self) -> None:
        with writing():
            self._erased.update_one({"_id": "erasures"}, {"$inc": {"count": 1}}, upsert=True)
