"""Guarantee: "The same lives over a log with Kafka's semantics: partitions, members that share them out and lose them
between reading and committing, messages that are there twice." `make chaos` lives thousands.

A failure names its seed; `PAILU_SEED=17 pytest tests/simulation/test_kafka.py` lives that one."""

from __future__ import annotations

import os

import pytest

from tests.simulation.lives import over_kafka

SEEDS = [int(os.environ["PAILU_SEED"])] if "PAILU_SEED" in os.environ else list(range(40))
GROUP = 10


@pytest.mark.parametrize("kind", ["kernel", "season"])
@pytest.mark.parametrize("begin", range(0, len(SEEDS), GROUP))
def test_any_life_over_kafka_ends_with_everything_once(kind: str, begin: int) -> None:
    lives = [over_kafka(seed, kind) for seed in SEEDS[begin : begin + GROUP]]
    assert sum(log.rebalances for _, log in lives) > 20 * len(lives), "nothing happened"
    if len(SEEDS) > 1:
        assert sum(log.duplicates for _, log in lives) > len(lives), "nothing came twice"
        assert sum(life.crashes for life, _ in lives) > len(lives)


def test_a_planted_fault_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that does not look whether an event was dealt with counts some twice."""
    from shared.eventsourcing import projector

    def careless(row: projector.Row, event: object, at: projector.Envelope) -> None:
        row._view.fold(row.value, event, at)
        row._applied[at.service] = at.position
        row._revision += 1

    def five_lives() -> None:
        for seed in range(5):
            over_kafka(seed, "kernel")

    monkeypatch.setattr(projector.Row, "fold", careless)
    with pytest.raises(AssertionError, match="differs"):
        five_lives()
