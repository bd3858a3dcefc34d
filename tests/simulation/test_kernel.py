"""Guarantee: "The real code on a fake clock, store and log with random faults: 200 seeds of 200 commands." Here the
kernel with three small services: the log equals the commits, rebuilt read models equal live ones and a plain fold of
the logs, each accepted command is done once with one answer, each policy takes effect once.

A failure names its seed and the last steps; `PAILU_SEED=17 pytest tests/simulation/test_kernel.py` runs that one."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from contextlib import suppress

import pytest

from shared.eventsourcing.handling import Outcome
from tests.support.simulation import Order, Simulation
from tests.support.toys import Refused, command, enter, leave, play, world

COMMANDS = 200
SEEDS = [int(os.environ["PAILU_SEED"])] if "PAILU_SEED" in os.environ else list(range(200))
GROUP = 20


def next_order(simulation: Simulation) -> Order:
    """Three competitions of four teams enter, leave and play; some commands come in one go behind one that
    comes again."""
    numbers, engines = simulation.numbers, simulation.world.engines
    id = f"k{len(simulation.orders)}"
    competition, team = f"c{numbers.randrange(3)}", f"t{numbers.randrange(4)}"
    order = command(id, received_at=simulation.world.clock.now())
    match numbers.randrange(6):
        case 5 if done := [order for order in simulation.orders[-20:] if order.id in simulation.answers]:
            points = [numbers.randrange(9)]
            other = numbers.choice(done)

            def both() -> Outcome:
                handler = engines["table"].commands
                return handler.together(lambda: _last(other, lambda: play(handler, order, competition, team, points)))

            return Order(id, both)
        case 0:
            return Order(id, lambda: leave(engines["entry"].commands, order, competition, team), (Refused,))
        case 1 | 2:
            return Order(id, lambda: enter(engines["entry"].commands, order, competition, team), (Refused,))
        case _:
            points = [5 * numbers.randrange(9) for _ in range(numbers.randrange(3))]
            return Order(id, lambda: play(engines["table"].commands, order, competition, team, points))


def _last(other: Order, send: Callable[[], Outcome]) -> Outcome:
    with suppress(*other.refusals):
        other.send()
    return send()


def live(seed: int) -> Simulation:
    simulation = Simulation(seed, world, next_order, rate=(0.002, 0.01, 0.04)[seed % 3])
    simulation.run(COMMANDS)
    entries = {name: simulation.world.entries(name) for name in simulation.world.services}
    effects = Counter(e.causation for name in entries for e in entries[name] if e.role == "policy")
    causes = [f"entry:{e.id}" for e in entries["entry"] if e.type == "Entered"]
    causes += [f"table:{e.id}" for e in entries["table"] if e.type == "Played"]
    assert effects == Counter(causes), f"seed {seed}: policies did not take effect once each"
    return simulation


@pytest.mark.parametrize("begin", range(0, len(SEEDS), GROUP))
def test_any_life_ends_with_everything_once(begin: int) -> None:
    lives = [live(seed) for seed in SEEDS[begin : begin + GROUP]]
    struck = Counter(fault.split()[0] for life in lives for fault in life.faults.struck)
    assert sum(life.crashes for life in lives) > 5 * len(lives), "nothing happened"
    assert len(SEEDS) == 1 or len(struck) >= 6, struck
    assert all(len(life.answers) > COMMANDS / 5 for life in lives), "hardly anything was accepted"


def test_a_seed_tells_one_story() -> None:
    assert live(3).steps == live(3).steps


def test_a_planted_fault_is_found_and_its_seed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A relay that marks commits before their events have positions loses some in a crash."""
    from shared.eventsourcing.relay import Relay

    def careless(relay: Relay, commits: object) -> int:
        relay._commits.mark_sequenced(commits)  # type: ignore[arg-type]
        return sequence(relay, commits)  # type: ignore[arg-type]

    def twenty_lives() -> None:
        for seed in range(20):
            live(seed)

    sequence = Relay._sequence
    monkeypatch.setattr(Relay, "_sequence", careless)
    with pytest.raises(AssertionError) as found:
        twenty_lives()
    assert "seed" in found.value.__notes__[0]
