"""The write side: load one stream, fold it, decide, append one commit. Exactly one outcome per command id."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from threading import Lock, local
from typing import Any, Generic, TypeVar

import msgspec

from shared.eventsourcing.clock import to_micros
from shared.eventsourcing.errors import (
    CommandReused,
    CommandTaken,
    Contended,
    NotNow,
    OutcomeUnknown,
    StreamConflict,
    StreamDamaged,
    VersionMismatch,
)
from shared.eventsourcing.portion import Portion
from shared.eventsourcing.ports import Codec, CommitStore
from shared.eventsourcing.records import GENESIS, Commit, commit_hash, sealed

S = TypeVar("S")
T = TypeVar("T")
Events = Sequence[Any]

TRIES = 8
"""How often a lost race is decided anew before the caller is told (409)."""
REMEMBERED = 1_000
"""How many folded streams a process remembers."""


class Command(msgspec.Struct, frozen=True, kw_only=True):
    """Who asks for something, when it was received, and what makes a repetition recognisable.

    `id` is unique per `actor`; `fingerprint` is a digest of what was asked; `expected` is the stream version the
    caller insists on (If-Match), None where any will do."""

    id: str
    fingerprint: str
    actor: str
    role: str
    received_at: datetime
    correlation: str
    causation: str = ""
    expected: int | None = None


@dataclass(frozen=True)
class Model(Generic[S]):
    """How a kind of stream is folded: the state before its first event, and one fold per event."""

    initial: Callable[[str], S]
    evolve: Callable[[S, Any], S]


@dataclass(frozen=True)
class Loaded(Generic[S]):
    """A folded stream: its state, its version (0: does not exist yet) and the hash of its last commit."""

    state: S
    version: int
    hash: str


@dataclass(frozen=True)
class Outcome:
    """What a command did. `replayed` when an earlier delivery of the same command had done it already."""

    stream: str
    version: int
    events: tuple[Any, ...]
    replayed: bool = False


def _blank(stream: str, model: Model[S]) -> Loaded[S]:
    return Loaded(model.initial(stream), 0, GENESIS)


def unbegun(stream: str, model: Model[S]) -> Loaded[S]:
    """A stream of which nothing was ever stored, as far as the caller knows: appending tells."""
    return _blank(stream, model)


@dataclass(frozen=True)
class Decided:
    """What a command decided for one stream, as it was loaded."""

    command: Command
    stream: str
    competition: str
    loaded: Loaded[Any]
    events: Events


class Folded:
    """Streams as they were last folded, the least used forgotten first. A stream only grows and its states are
    values, so what was folded once stays right, and a load reads what came since. `before`: those of a wider circle,
    from which to go on."""

    def __init__(self, capacity: int = REMEMBERED, before: Folded | None = None) -> None:
        self._capacity = capacity
        self._before = before
        self._lock = Lock()
        self._known: OrderedDict[tuple[str, Model[Any]], Loaded[Any]] = OrderedDict()

    def get(self, stream: str, model: Model[S]) -> Loaded[S]:
        """What is known of a stream here, from its beginning where nothing is."""
        with self._lock:
            if (stream, model) not in self._known:
                return _blank(stream, model)
            self._known.move_to_end((stream, model))
            return self._known[stream, model]

    def begin(self, stream: str, model: Model[S]) -> Loaded[S]:
        """What is known of a stream here or before."""
        known = self.get(stream, model)
        return known if known.version or self._before is None else self._before.begin(stream, model)

    def put(self, stream: str, model: Model[S], loaded: Loaded[S]) -> None:
        """Remember a stream that has begun."""
        with self._lock:
            if loaded.version:
                self._known[stream, model] = loaded
                self._known.move_to_end((stream, model))
            if len(self._known) > self._capacity:
                self._known.popitem(last=False)

    def take(self, others: Folded) -> None:
        """Remember all that others do."""
        for (stream, model), loaded in others._known.items():
            self.put(stream, model, loaded)


class Here(local):
    """Where the commands of this thread read and append, and what is known of streams there."""

    def __init__(self, store: CommitStore | Portion, folded: Folded) -> None:
        self.store = store
        self.folded = folded


class CommandHandler:
    """Runs commands of one service against its commit store."""

    def __init__(self, service: str, store: CommitStore, codec: Codec, tries: int = TRIES) -> None:
        self._service = service
        self._here = Here(store, Folded())
        self._codec = codec
        self._tries = tries
        self._stamp = 0
        self._lock = Lock()
        self.on_append: Callable[[], None] = lambda: None

    def load(self, stream: str, model: Model[S]) -> Loaded[S]:
        """Fold a stream, on from what was folded of it before. Raises StreamDamaged when its commits are not
        as they were written."""
        known = self._here.folded.begin(stream, model)
        try:
            loaded = self._fold(stream, model, known)
        except StreamDamaged:
            if known.version == 0:
                raise
            loaded = self._fold(stream, model, _blank(stream, model))  # a store put back to an older state
        self._here.folded.put(stream, model, loaded)
        return loaded

    def execute(
        self, command: Command, stream: str, competition: str, model: Model[S], decide: Callable[[S], Events]
    ) -> Outcome:
        """Decide on the stream's state and append what was decided, once per command id.

        `decide` returns the events (none: nothing changes and nothing is remembered) or raises its refusal, which
        goes to the caller and is not remembered. A stream that this process knows is not read first, nor is it asked
        whether the command was done before: where something was added to the stream, its place is taken, and where
        the command was done, its id is. Only what comes to anything else than an append is decided on the stream as it
        is now; and as a refusal, like a decision for nothing, may come of the command's own success, that is looked
        for before either is told. Raises CommandReused, VersionMismatch, Contended, and what the store raises."""
        known = self._here.folded.get(stream, model)
        if known.version:
            try:
                if events := self._decide(command, stream, known, decide):
                    return self._append(command, stream, competition, model, known, events)
            except OutcomeUnknown:
                if (done := self.done(command)) is not None:
                    return done
            except Exception:  # noqa: S110  it is decided again below, and told there
                pass
        failed: Exception | None = None
        for _ in range(self._tries):
            if failed is not None and (done := self.done(command)) is not None:
                return done
            loaded = self.load(stream, model)
            try:
                events = self._decide(command, stream, loaded, decide)
            except NotNow:
                raise
            except Exception:
                if (done := self.done(command)) is not None:
                    return done
                raise
            if not events:
                return self.done(command) or Outcome(stream, loaded.version, ())
            try:
                return self._append(command, stream, competition, model, loaded, events)
            except (StreamConflict, CommandTaken, OutcomeUnknown) as error:
                failed = error
        if (done := self.done(command)) is not None:
            return done
        raise failed if isinstance(failed, OutcomeUnknown) else Contended(stream, self._tries)

    def together(self, work: Callable[[], T]) -> T:
        """What `work` gives, with all that this thread executes in it stored in one go: a commit for each command, each
        decided upon those before it; all or none of them, except in a store without transactions (see
        CommitStore.append_all). Where that comes to nothing, because others wrote to a stream meanwhile, did one of the
        commands, or the store did not answer, `work` is called once more, with every command by itself: so it gives
        what its commands were answered, and does nothing else. Raises what `work` does."""
        outside = self._here.store, self._here.folded
        portion, folded = Portion(self._here.store), Folded(before=self._here.folded)
        self._here.store, self._here.folded = portion, folded
        try:
            done = work()
        finally:
            self._here.store, self._here.folded = outside
        try:
            if portion.store():
                self._here.folded.take(folded)
                self._appended()
        except (StreamConflict, CommandTaken, NotNow):
            return work()
        return done

    def append_all(self, decided: Sequence[Decided]) -> list[Outcome]:
        """Append what was decided for several streams, each as it was loaded (`Loaded`; see `unbegun`), in one go:
        all or none, except in a store without transactions (see CommitStore.append_all). Nothing is decided again when
        a race is lost. Raises StreamConflict, CommandTaken, and what the store raises."""
        commits = [self._commit(d.command, d.stream, d.competition, d.loaded, d.events) for d in decided]
        self._here.store.append_all(commits)
        self._appended()
        return [Outcome(d.stream, c.last, tuple(d.events)) for d, c in zip(decided, commits, strict=True)]

    def done(self, command: Command) -> Outcome | None:
        """The outcome of this command if it was accepted before. Raises CommandReused for another body."""
        commit = self._here.store.command(command.actor, command.id)
        if commit is None:
            return None
        if commit.fingerprint != command.fingerprint:
            raise CommandReused(command.id)
        return Outcome(commit.stream, commit.last, tuple(self._events(commit)), replayed=True)

    def history(self, stream: str) -> list[tuple[Commit, list[Any]]]:
        """The commits of a stream with their decoded events, in version order. Raises StreamDamaged."""
        return list(self._followed(stream))

    def _followed(self, stream: str, version: int = 0, last_hash: str = GENESIS) -> Iterator[tuple[Commit, list[Any]]]:
        """The commits of a stream after a version with their events, each checked to follow the one before it."""
        for commit in self._here.store.stream(stream, version):
            if commit.first != version + 1 or commit.previous_hash != last_hash:
                raise StreamDamaged(stream, version + 1)
            yield commit, self._events(commit)
            version, last_hash = commit.last, commit.hash

    def _fold(self, stream: str, model: Model[S], begin: Loaded[S]) -> Loaded[S]:
        state, version, last_hash = begin.state, begin.version, begin.hash
        for commit, events in self._followed(stream, version, last_hash):
            for event in events:
                state = model.evolve(state, event)
            version, last_hash = commit.last, commit.hash
        return Loaded(state, version, last_hash)

    def _decide(self, command: Command, stream: str, loaded: Loaded[S], decide: Callable[[S], Events]) -> Events:
        if command.expected is not None and command.expected != loaded.version:
            raise VersionMismatch(stream, command.expected, loaded.version)
        return decide(loaded.state)

    def _append(
        self, command: Command, stream: str, competition: str, model: Model[S], loaded: Loaded[S], events: Events
    ) -> Outcome:
        """Append, and remember the stream as it is now: folded on with what was stored, not with what was meant."""
        commit = self._commit(command, stream, competition, loaded, events)
        self._here.store.append(commit)
        self._appended()
        state = loaded.state
        for recorded in commit.events:
            state = model.evolve(state, self._codec.decode(recorded.type, recorded.version, recorded.data))
        self._here.folded.put(stream, model, Loaded(state, commit.last, commit.hash))
        return Outcome(stream, commit.last, tuple(events))

    def _appended(self) -> None:
        """Who waits for commits is told, once they are stored."""
        if not isinstance(self._here.store, Portion):
            self.on_append()

    def _next_stamp(self, received_at: datetime) -> int:
        """The time of receipt in microseconds, or one more than any stamp seen where that is not less."""
        with self._lock:
            self._stamp = max(to_micros(received_at), self._stamp + 1)
            return self._stamp

    def _events(self, commit: Commit) -> list[Any]:
        """A commit's events, once its hash shows that they and all else in it are as they were written."""
        if commit.hash != commit_hash(commit):
            raise StreamDamaged(commit.stream, commit.first)
        with self._lock:
            self._stamp = max(self._stamp, commit.stamp)
        return [self._codec.decode(e.type, e.version, e.data) for e in commit.events]

    def _commit(self, command: Command, stream: str, competition: str, loaded: Loaded[S], events: Events) -> Commit:
        return sealed(
            Commit(
                service=self._service,
                stream=stream,
                first=loaded.version + 1,
                events=tuple(self._codec.encode(event) for event in events),
                competition=competition,
                command=command.id,
                fingerprint=command.fingerprint,
                actor=command.actor,
                role=command.role,
                causation=command.causation or f"command:{command.id}",
                correlation=command.correlation,
                received_at=command.received_at,
                stamp=self._next_stamp(command.received_at),
                previous_hash=loaded.hash,
            )
        )
