"""Commits that are stored in one go: a commit store in front of another one, for who decides several commands."""

from __future__ import annotations

from collections.abc import Sequence

from shared.eventsourcing.errors import CommandTaken, StreamConflict
from shared.eventsourcing.ports import CommitStore
from shared.eventsourcing.records import Commit


class Portion:
    """A CommitStore for one thread that keeps what is appended to itself, shows it to who reads through it, and at last
    stores all of it. A stream is read once, so that all is decided on the same moment of it."""

    def __init__(self, behind: CommitStore) -> None:
        self._behind = behind
        self._new: list[Commit] = []
        self._by_stream: dict[str, list[Commit]] = {}
        self._by_command: dict[tuple[str, str], Commit] = {}
        self._read: dict[str, int] = {}

    def append(self, commit: Commit) -> None:
        if (commit.actor, commit.command) in self._by_command:
            raise CommandTaken(commit.actor, commit.command)
        before = self._by_stream.setdefault(commit.stream, [])
        if before and commit.first != before[-1].last + 1:
            raise StreamConflict(commit.stream, commit.first)
        before.append(commit)
        self._by_command[commit.actor, commit.command] = commit
        self._new.append(commit)

    def append_all(self, commits: Sequence[Commit]) -> None:
        for commit in commits:
            self.append(commit)

    def stream(self, stream: str, after: int = 0) -> list[Commit]:
        stored: list[Commit] = []
        if after < self._read.get(stream, after + 1):
            stored = self._behind.stream(stream, after)
            self._read.setdefault(stream, stored[-1].last if stored else after)
        return stored + [commit for commit in self._by_stream.get(stream, ()) if commit.first > after]

    def command(self, actor: str, command: str) -> Commit | None:
        return self._by_command.get((actor, command)) or self._behind.command(actor, command)

    def pending(self, limit: int) -> list[Commit]:
        return self._behind.pending(limit)

    def mark_sequenced(self, commits: Sequence[Commit]) -> None:
        self._behind.mark_sequenced(commits)

    def store(self) -> bool:
        """Store what was appended, as CommitStore.append_all does; whether there was anything. Nothing is stored over a
        stream that was read, and not written to, and has grown since: it might be decided otherwise now. Raises
        StreamConflict, CommandTaken, and what the store raises."""
        if not self._new:
            return False
        for stream, version in self._read.items():
            if stream not in self._by_stream and self._behind.stream(stream, version):
                raise StreamConflict(stream, version + 1)
        self._behind.append_all(self._new)
        return True
