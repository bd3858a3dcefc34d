"""Guarantee: "A projection or policy far behind catches up without starving the others, in bounded steps and memory."
Measured by steps and bytes, not by time; `make chaos` does it with 100,000 events."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from shared.eventsourcing import generations
from shared.eventsourcing.kafka import log
from tests.chaos.behind import catch_up, check_memory
from tests.support.kafka import Logs, logs_of

FEW, MANY = 1_000, 4_000
BATCH = 200
"""Small, so that a step which takes all that is there is seen to."""
FETCH_BYTES = 32 << 10
"""Small likewise, so that few events fill already what is read ahead."""
WAIT = 25
"""Steps that an event may take to come through a network into the live projection, while the other catches up."""


@pytest.fixture
def logs(kafka_url: str, kafka_prefix: str) -> Iterator[Logs]:
    with logs_of(kafka_url, kafka_prefix) as made:
        yield made


@pytest.fixture
def other_logs(kafka_url: str, kafka_prefix: str) -> Iterator[Logs]:
    with logs_of(kafka_url, f"other-{kafka_prefix}") as made:
        yield made


def test_one_that_is_far_behind_starves_nobody_and_needs_no_more_memory(
    logs: Logs, other_logs: Logs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generations, "BATCH", BATCH)
    monkeypatch.setattr(log, "FETCH_BYTES", FETCH_BYTES)
    few, many = catch_up(logs, FEW), catch_up(other_logs, MANY)
    assert many.meanwhile > few.meanwhile > 0
    assert many.longest <= WAIT, "the live one waited for the other"
    check_memory(few, many)
