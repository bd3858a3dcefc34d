"""What can go wrong in the kernel. Each class is one situation; the edge maps classes to status codes."""

from __future__ import annotations


class KernelError(Exception):
    """Base of everything the kernel raises on purpose."""


class NotNow(KernelError):
    """Nothing is wrong with what was asked; the same again, later, is right."""


class StoreUnavailable(NotNow):
    """The document store or the log did not answer; nothing was decided. Trying again later is right."""


class OutcomeUnknown(StoreUnavailable):
    """A write was sent and no answer came. Look the command id up before anything is tried again."""


class StreamConflict(KernelError):
    """Another commit took this place in the stream first."""

    def __init__(self, stream: str, version: int) -> None:
        super().__init__(f"{stream} already has a commit at version {version}")
        self.stream = stream
        self.version = version


class CommandTaken(KernelError):
    """This actor's command id is already committed."""

    def __init__(self, actor: str, command: str) -> None:
        super().__init__(f"command {command} of {actor} is already committed")
        self.actor = actor
        self.command = command


class CommandReused(KernelError):
    """The command id was used before, with another body."""

    def __init__(self, command: str) -> None:
        super().__init__(f"command {command} was used before with another body")
        self.command = command


class VersionMismatch(KernelError):
    """The stream is not at the version the caller expected (If-Match)."""

    def __init__(self, stream: str, expected: int, actual: int) -> None:
        super().__init__(f"{stream} is at version {actual}, not {expected}")
        self.stream = stream
        self.expected = expected
        self.actual = actual


class Contended(NotNow):
    """The race for a stream was lost as often as it may be."""

    def __init__(self, stream: str, tries: int) -> None:
        super().__init__(f"{stream} was changed by others {tries} times while this command was decided")
        self.stream = stream
        self.tries = tries


class StreamDamaged(KernelError):
    """A stream's commits are not as they were written, or do not follow one another; nothing may be decided on it."""

    def __init__(self, stream: str, version: int) -> None:
        super().__init__(f"{stream}: no commit at version {version} that follows and is as its hash says")
        self.stream = stream
        self.version = version


class PositionTaken(KernelError):
    """Another relay gave this position away first, or this event already has one."""


class GapInLog(KernelError):
    """A consumer was handed an event whose predecessor in the same competition it has not seen."""

    def __init__(self, event: str, previous: int, seen: int) -> None:
        super().__init__(f"{event} follows position {previous} of its competition, but only {seen} was seen")
        self.event = event
        self.previous = previous
        self.seen = seen


class StaleDocument(NotNow):
    """A read-model document was changed by another projector since it was read."""


class HeldLimitReached(KernelError):
    """So many events are held that going on would hide a fault of the whole system."""

    def __init__(self, consumer: str, limit: int) -> None:
        super().__init__(f"{consumer} holds {limit} events; it stops until they are retried (pailu parked)")
        self.consumer = consumer
        self.limit = limit
