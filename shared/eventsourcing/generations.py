"""Blue/green rebuild: a generation of a projection is built beside the live one and swapped in by one document."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from typing import Any, TypeVar

import msgspec

from shared.eventsourcing.checkpoints import Checkpoints
from shared.eventsourcing.clock import Clock, from_micros, to_micros
from shared.eventsourcing.consumer import Consumer
from shared.eventsourcing.held import Held
from shared.eventsourcing.ports import Codec, Documents, EventLog
from shared.eventsourcing.projector import Projection, Projector, View, digest

R = TypeVar("R", bound=msgspec.Struct)

POINTERS = "projections"
GRACE = timedelta(seconds=60)
"""How long a replaced generation stays for readers that began on it."""
BATCH = 16_000
"""Events that a projection folds in one step, at most: what falls into one row is then written once. They are there by
the thousand only while a generation is being built or catches up."""


class Pointer(msgspec.Struct):
    """Which generation readers see, which one is being built, which one was replaced, and the code version of each.
    0: none. `views` names the views of each generation, for a later version may know them no more."""

    id: str
    live: int = 0
    live_version: int = 0
    building: int = 0
    building_version: int = 0
    retired: int = 0
    retired_at: int = 0
    views: dict[str, list[str]] = {}
    revision: int = 0


class Pointers:
    """The pointer documents of one service's projections."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents

    def get(self, projection: Projection) -> Pointer:
        found = self._documents.get(POINTERS, [projection.name]).get(projection.name)
        return msgspec.convert({**found, "id": projection.name}, Pointer) if found else Pointer(projection.name)

    def put(self, pointer: Pointer) -> None:
        """Replace the pointer read before. Raises StaleDocument when another process changed it."""
        fields = msgspec.to_builtins(pointer)
        fields["_id"] = fields.pop("id")
        self._documents.put(POINTERS, [(pointer.revision, fields | {"revision": pointer.revision + 1})])
        pointer.revision += 1


class ProjectionRunner:
    """Keeps a projection's live generation up to date and carries a rebuild, one step at a time.

    The first start builds generation 1 and makes it live when it has caught up; a start with newer code builds the
    next one beside the live one, which stays as it was until the swap. Older code that still runs beside newer code
    goes on with the live generation until the swap and is idle after it. A generation that holds an event which the
    live one does not hold is not swapped in, nor is one that has not seen all that the live one has: a rebuild that
    leaves an event out has failed."""

    def __init__(self, projection: Projection, documents: Documents, log: EventLog, codec: Codec, clock: Clock) -> None:
        self.projection = projection
        self._documents = documents
        self._log = log
        self._codec = codec
        self._clock = clock
        self._pointers = Pointers(documents)
        self._consumers: dict[int, Consumer] = {}

    def step(self) -> int:
        """One batch for the live generation and one for the one being built; swaps when that has caught up. A replaced
        generation goes bit by bit when its readers had their time, or the next one waits for its place."""
        pointer = self._pointers.get(self.projection)
        if self.projection.version > max(pointer.live_version, pointer.building_version):
            self._begin(pointer)
        worked = self._advance(pointer)
        if pointer.retired and self._clock.now() >= from_micros(pointer.retired_at) + GRACE:
            worked += self._remove(pointer)
        return worked

    def _advance(self, pointer: Pointer) -> int:
        worked, followed = 0, set[int]()
        if pointer.live and pointer.live_version == self.projection.version:
            followed.add(pointer.live)
            worked += self.consumer(pointer.live).step()
        if pointer.building and pointer.building_version == self.projection.version:
            followed.add(pointer.building)
            built = self.consumer(pointer.building).step()
            worked += built or self._swap_if_caught_up(pointer)
        for replaced in self._consumers.keys() - followed:  # a reader that does not read would keep what others need
            self._consumers.pop(replaced).close()
        return worked

    def rebuild(self) -> int:
        """Ask for a new generation; the steps that follow build it. Its number; of one being built already, that."""
        pointer = self._pointers.get(self.projection)
        if not pointer.building:
            self._begin(pointer)
        return pointer.building

    def lag(self) -> int:
        """Events the live generation (or the first one, under way) has still to fold. May be asked from any thread of
        any process."""
        pointer = self.pointer()
        return self._log.lag(self._name(pointer.live or pointer.building or 1), self.projection.services)

    def held(self) -> Held:
        """What the live generation holds. May be asked from any thread."""
        pointer = self.pointer()
        return self._held(pointer.live or pointer.building or 1)

    def held_by_all(self) -> list[Held]:
        """What the live generation and the one being built hold. May be asked from any thread."""
        pointer = self.pointer()
        return [self._held(generation) for generation in (pointer.live, pointer.building) if generation]

    def pointer(self) -> Pointer:
        """Live, building and retired generation. May be asked from any thread."""
        return self._pointers.get(self.projection)

    def digest(self, generation: int) -> tuple[str, int]:
        """Fingerprint and number of rows of a generation."""
        return digest(self.projection, generation, self._documents)

    def consumer(self, generation: int) -> Consumer:
        """The consumer that feeds a generation."""
        if generation not in self._consumers:
            projector = Projector(self.projection, generation, self._documents, self._codec)
            self._consumers[generation] = Consumer(
                self._name(generation),
                self.projection.services,
                projector,
                self._log,
                self._documents,
                self._clock,
                BATCH,
            )
        return self._consumers[generation]

    def _held(self, generation: int) -> Held:
        return Held(self._documents, self._name(generation), self._clock)

    def _name(self, generation: int) -> str:
        return f"{self.projection.name}.{generation}"

    def close(self) -> None:
        for consumer in self._consumers.values():
            consumer.close()

    def _begin(self, pointer: Pointer) -> None:
        """Begin the next generation; one that an older version was building is given up."""
        while pointer.building and pointer.retired:
            self._remove(pointer)
        abandoned = pointer.building
        pointer.building = max(pointer.live, pointer.building, pointer.retired) + 1
        pointer.building_version = self.projection.version
        pointer.views = pointer.views | {str(pointer.building): sorted(self.projection.views)}
        if abandoned:
            self._retire(pointer, abandoned)
        self._pointers.put(pointer)

    def _swap_if_caught_up(self, pointer: Pointer) -> int:
        if self.consumer(pointer.building).lag() or self._holds_more_than_live(pointer):
            return 0
        if self._has_seen_less_than_live(pointer):
            return 0
        if pointer.live and pointer.retired:
            return self._remove(pointer)
        if pointer.live:
            self._retire(pointer, pointer.live)
        pointer.live, pointer.live_version = pointer.building, pointer.building_version
        pointer.building = pointer.building_version = 0
        self._pointers.put(pointer)
        return 1

    def _holds_more_than_live(self, pointer: Pointer) -> bool:
        if not pointer.live:
            return False
        building, live = (
            {entry["competition"] for entry in self._held(generation).entries()}
            for generation in (pointer.building, pointer.live)
        )
        return not building <= live

    def _has_seen_less_than_live(self, pointer: Pointer) -> bool:
        """It read all that the log has, and yet not what the live one knows: the log has lost something."""
        if not pointer.live:
            return False
        built = Checkpoints(self._documents, self._name(pointer.building)).positions()
        live = Checkpoints(self._documents, self._name(pointer.live)).positions()
        held = {entry["competition"] for entry in self._held(pointer.building).entries()}
        return any(
            position > built.get((competition, service), 0)
            for (competition, service), position in live.items()
            if service in self.projection.services and competition not in held
        )

    def _retire(self, pointer: Pointer, generation: int) -> None:
        """Keep a generation for its readers' sake."""
        pointer.retired, pointer.retired_at = generation, to_micros(self._clock.now())

    def _remove(self, pointer: Pointer) -> int:
        """Remove a bit of the replaced generation; when all is gone, its name. A crash repeats a bit."""
        generation = pointer.retired
        consumer = self.consumer(generation)  # makes indexes, so it comes before what it would make them on is gone
        for view in sorted({*pointer.views.get(str(generation), ()), *self.projection.views}):
            if gone := self._documents.drop(self.projection.collection(generation, view)):
                return gone
        consumer.drop()
        del self._consumers[generation]
        pointer.views = {number: views for number, views in pointer.views.items() if number != str(generation)}
        pointer.retired = pointer.retired_at = 0
        self._pointers.put(pointer)
        return 1


class Reader:
    """Reads of one projection. Each call sees one whole generation, the live one at that moment."""

    def __init__(self, projection: Projection, documents: Documents) -> None:
        self.projection = projection
        self._documents = documents
        self._pointers = Pointers(documents)

    def live(self) -> int:
        """The generation readers see; while the first is being built, that one."""
        pointer = self._pointers.get(self.projection)
        return pointer.live or pointer.building or 1

    def get(self, view: View[R], id: str) -> R | None:
        """One row, or None."""
        return self.many(view, [id]).get(id)

    def many(self, view: View[R], ids: list[str]) -> dict[str, R]:
        """The rows that exist, by id."""
        found = self._documents.get(self.projection.collection(self.live(), view.name), ids)
        return {id: view.load(document) for id, document in found.items()}

    def find(
        self, view: View[R], equal: dict[str, Any], order: str = "_id", after: Any = None, limit: int = 0
    ) -> list[R]:
        """Rows whose fields equal the given ones (see Documents.find): fields of an index of the view."""
        if unasked := {*equal, order} - {*view.asked, "_id"}:
            raise ValueError(f"view {view.name} has no index on {', '.join(sorted(unasked))}")
        collection = self.projection.collection(self.live(), view.name)
        return [view.load(d) for d in self._documents.find(collection, equal, order, after, limit)]

    def version(self, service: str, stream: str) -> int:
        """The last version of a stream that the live generation has folded."""
        return self._checkpoints().version(service, stream)

    def positions(self, competitions: Collection[str]) -> dict[str, dict[str, int]]:
        """The last position that the live generation has folded of each of these competitions, by service. All rows of
        the events up to it are stored."""
        return self._checkpoints().seen(competitions)

    def _checkpoints(self) -> Checkpoints:
        return Checkpoints(self._documents, f"{self.projection.name}.{self.live()}")
