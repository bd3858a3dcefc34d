"""The document store of the single-machine default: SecantusDB as a process of its own, under one folder."""

from __future__ import annotations

import os
import sys

from pymongo import MongoClient
from pymongo.errors import PyMongoError

from deploy.child import HOST, Child, ChildError, listening

START = 20.0
"""Seconds the store may take to answer: after a kill it first replays its log."""
STOP = 15.0
"""Seconds an orderly stop may take before the store is killed; what it acknowledged is durable either way."""
STORES_OWN = "local"
"""The database of the store's own log, which it reads to its end by itself when it starts."""


class StoreLocked(ChildError):
    """Another process works on this data folder."""


class StoreDamaged(ChildError):
    """The data folder's files cannot be read."""


class StoreDied(ChildError):
    """The store ended, or did not answer in time."""


class EmbeddedStore(Child):
    """Starts and stops the store on one data folder. Besides what every child raises, `start` raises StoreLocked,
    StoreDamaged or StoreDied."""

    name = "the store"
    log = "store.log"
    start_seconds = START
    stop_seconds = STOP

    @property
    def url(self) -> str:
        return f"mongodb://{HOST}:{self.port}/?directConnection=true"

    def _prepare(self) -> None:
        if self.running():
            raise StoreLocked(f"{self.folder} is in use by this process already")
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # the keys of persons are in it
            (self.folder / self.log).open("ab").close()
        except OSError as error:
            raise StoreDied(f"the data folder {self.folder} cannot be used: {error}") from error

    def _command(self) -> list[str]:
        options = ["--host", HOST, "--port", str(self.port), "--storage-path", str(self.folder.resolve())]
        options += ["--sync-on-commit", "--log-level", "WARNING"]
        return [sys.executable, "-m", "deploy.store_process", str(os.getpid()), *options]

    def _answers(self) -> bool:
        if not listening(self.port):
            return False
        client: MongoClient[dict[str, object]] = MongoClient(
            self.url, serverSelectionTimeoutMS=500, socketTimeoutMS=2_000
        )
        try:
            return bool(client.admin.command("serverStatus")["pid"] == self.pid)
        except PyMongoError:
            return False
        finally:
            client.close()

    def _answered(self, begin: int) -> None:
        """The store opens a table when it is first read, so damage shows only then: look for something in every
        collection by each of its indexes. (Not without an index: the store would read the collection to its end.)"""
        client: MongoClient[dict[str, object]] = MongoClient(
            self.url, serverSelectionTimeoutMS=1_000, socketTimeoutMS=int(START * 1000)
        )
        try:
            ours = (name for name in client.list_database_names() if name != STORES_OWN)
            for database in map(client.get_database, ours):
                for collection in map(database.get_collection, database.list_collection_names()):
                    for index in collection.index_information().values():
                        collection.find_one(index.get("partialFilterExpression", {index["key"][0][0]: ""}))
        except PyMongoError as error:
            self._check_still_runs(begin)
            raise self._damaged(self._last_lines(begin)) from error
        finally:
            client.close()

    def _failure(self, what: str, last: str) -> ChildError:
        """Which situation the store's own last lines tell of."""
        if "Device or resource busy" in last:
            return StoreLocked(f"another process works on the data folder {self.folder}", last)
        if "WiredTigerError" in last or "WT_PANIC" in last:
            return self._damaged(last)
        return StoreDied(what, last)

    def _damaged(self, last: str) -> StoreDamaged:
        return StoreDamaged(f"the data folder {self.folder} is damaged and cannot be read", last)
