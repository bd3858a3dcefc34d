"""History written in few large inserts, for the rows that only read it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pymongo.collection import Collection

from shared.eventsourcing.mongo import commit_document, entry_document
from shared.eventsourcing.ports import Document
from shared.eventsourcing.records import Commit, Envelope


def insert_commits(
    collection: Collection[Document],
    commits: Sequence[Commit],
    chunk: int = 1_000,
    tick: Callable[[], None] = lambda: None,
) -> None:
    """Commits that the relay has dealt with."""
    for start in range(0, len(commits), chunk):
        documents = [commit_document(commit) | {"pending": False} for commit in commits[start : start + chunk]]
        collection.insert_many(documents, ordered=False)
        tick()


def insert_entries(
    collection: Collection[Document],
    entries: Sequence[Envelope],
    chunk: int = 1_000,
    tick: Callable[[], None] = lambda: None,
) -> None:
    """Entries of the log."""
    for start in range(0, len(entries), chunk):
        collection.insert_many(list(map(entry_document, entries[start : start + chunk])), ordered=False)
        tick()
