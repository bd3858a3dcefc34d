"""Lives over a log that behaves as Kafka may, for the suite and for `make chaos`."""

from __future__ import annotations

from collections import Counter

from tests.simulation import test_kernel, test_season
from tests.support.faults import Interceptor
from tests.support.kernel import World
from tests.support.partitions import PartitionedLog
from tests.support.season import Director, Season
from tests.support.simulation import Simulation
from tests.support.toys import world

COMMANDS = 200


def over_kafka(seed: int, kind: str, commands: int = COMMANDS) -> tuple[Simulation, PartitionedLog]:
    """The life of "kernel"'s three small services or of a "season"'s four real ones, and the log it left."""
    log = PartitionedLog(seed)

    def build(faults: Interceptor) -> World:
        return world(faults, lambda _: log) if kind == "kernel" else Season(faults, lambda _: log)

    rate = (0.001, 0.005, 0.02)[seed % 3]
    draw = test_kernel.next_order if kind == "kernel" else lambda s: Director(s).order()
    simulation = Simulation(seed, build, draw, rate)
    simulation.run(commands)
    try:
        for name in simulation.world.services:
            if simulation.world.entries(name):
                log.check(simulation.world.entries(name))
        if kind == "kernel":
            _check_effects(simulation.world)
        else:
            assert isinstance(simulation.world, Season)
            test_season.check_rulings(simulation.world)
            for competition in simulation.world.competitions():
                test_season.check_money(simulation.world, competition)
    except BaseException as error:
        error.add_note(f"{kind}, seed {seed}")
        raise
    return simulation, log


def _check_effects(made: World) -> None:
    entries = {name: made.entries(name) for name in made.services}
    effects = Counter(e.causation for name in entries for e in entries[name] if e.role == "policy")
    causes = [f"entry:{e.id}" for e in entries["entry"] if e.type == "Entered"]
    causes += [f"table:{e.id}" for e in entries["table"] if e.type == "Played"]
    assert effects == Counter(causes), "policies did not take effect once each"
