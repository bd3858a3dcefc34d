"""A projection and a policy far behind catch up beside a live projection, which is not starved; memory does not grow
with how far."""

from __future__ import annotations

import tracemalloc
from dataclasses import dataclass, field
from functools import partial

from shared.eventsourcing import generations
from shared.eventsourcing.clock import ManualClock
from shared.eventsourcing.consumer import BATCH, Consumer
from shared.eventsourcing.errors import NotNow
from shared.eventsourcing.generations import ProjectionRunner
from shared.eventsourcing.memory import MemoryDocuments
from shared.eventsourcing.policy import Policy, PolicyRunner
from shared.eventsourcing.records import Envelope
from tests.support.kafka import Logs
from tests.support.kernel import START
from tests.support.toys import CODEC, Entered, envelope, projection
from tests.support.waiting import asked_again, wait_for

AT_ONCE = 500
COMPETITIONS = 16
EVERY = 5
"""Steps after which one more event is published while the rebuild goes on."""


@dataclass
class Behind:
    """How the catching up went. `longest` is how many steps an event published meanwhile waited for the live one."""

    events: int
    steps: int = 0
    most_a_step: int = 0
    most_of_policy: int = 0
    meanwhile: int = 0
    longest: int = 0
    peak_bytes: int = 0
    again: int = 0
    reacted: bytearray = field(default_factory=bytearray, repr=False)


def catch_up(logs: Logs, events: int) -> Behind:
    """Raises AssertionError when the live projection waits for what is behind, or a step is not bounded."""
    seen, log = Behind(events), logs("reader")
    for begin in range(1, events + 1, AT_ONCE):
        portion = [_event(n) for n in range(begin, min(begin + AT_ONCE, events + 1))]
        asked_again(partial(log.publish, portion))
    board = projection(topics=["entry"])
    documents, clock = MemoryDocuments(), ManualClock(START)
    runner = ProjectionRunner(board, documents, log, CODEC, clock)
    wait_for(lambda: _step(runner, seen) >= 0 and runner.pointer().live == 1, 600)
    before = runner.digest(1)
    runner.rebuild()
    policy = Consumer("policy.count", ["entry"], _counting(seen, clock), log, documents, clock)
    tracemalloc.start()
    position, published_at = events, 0
    waiting = False

    def done() -> bool:
        nonlocal position, published_at, waiting
        if not waiting and seen.steps % EVERY == 0 and runner.pointer().building:
            position += 1
            asked_again(partial(log.publish, [_event(position)]))
            published_at, waiting = seen.steps, True
            seen.meanwhile += 1
        seen.most_a_step = max(seen.most_a_step, _step(runner, seen))
        seen.most_of_policy = max(seen.most_of_policy, _step(policy, seen))
        seen.steps += 1
        if waiting and runner.pointer().live == 1 and runner.lag() == 0:
            seen.longest, waiting = max(seen.longest, seen.steps - published_at), False
        return runner.pointer().live == 2

    wait_for(done, 1_200)
    wait_for(lambda: _step(runner, seen) + _step(policy, seen) >= 0 and runner.lag() + policy.lag() == 0, 600)
    seen.peak_bytes = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    _check(seen, position)
    assert runner.digest(2)[1] == before[1]
    runner.close()
    policy.close()
    return seen


def check_memory(few: Behind, many: Behind) -> None:
    """Where both were far enough behind to fill what is read ahead, the one further behind needs no more."""
    assert many.peak_bytes < 1.5 * few.peak_bytes + (1 << 20), f"{few} and {many}: memory grows with the way behind"


def _check(seen: Behind, last: int) -> None:
    assert seen.most_a_step <= 2 * generations.BATCH, "a step of the projection is not bounded"
    assert seen.most_of_policy <= BATCH, "a step of the policy is not bounded"
    assert seen.reacted == bytes([1]) * last, "the policy left an event out, or took one twice"


def _counting(seen: Behind, clock: ManualClock) -> PolicyRunner:
    """A policy that reacts to every event, and how often it did, by position."""
    policy = Policy("count", ["entry"])

    def count(_event: Entered, at: Envelope, _command: object) -> None:
        seen.reacted.extend(bytes(max(0, at.position - len(seen.reacted))))
        seen.reacted[at.position - 1] += 1

    policy.on(Entered, count)
    return PolicyRunner(policy, CODEC, clock)


def _step(part: ProjectionRunner | Consumer, seen: Behind) -> int:
    """As a worker calls it: a broker that is slow is asked again. The wait goes on with the other part meanwhile."""
    try:
        return part.step()
    except NotNow:
        seen.again += 1
        return 0


def _event(position: int) -> Envelope:
    competition = f"c{position % COMPETITIONS}"
    stream = f"entry-{competition}"
    version = (position - 1) // COMPETITIONS + 1
    previous = max(0, position - COMPETITIONS)
    entered = Entered("t", 5)
    return envelope(position, previous, event=entered, competition=competition, stream=stream, version=version)
