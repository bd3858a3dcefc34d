"""`python -m tests.chaos.phones --entries 10000`: phones on a bad network, at length, with figures. Status 0: every
entry is in the log once."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import structlog

from tests.chaos.__main__ import progress, say, table
from tests.support.phone_hall import Round, enter_all
from tests.support.phones import Figures
from tests.support.world import World

HANDS = 14
LOSSES = tuple(tenth / 10 for tenth in range(10))
AT_ONCE = 10
"""Rounds of one world; then another begins, so that a long run does not become a large season."""


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos.phones", description=__doc__)
    parser.add_argument("--entries", type=int, default=10_000)
    asked = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    queues(asked.entries)


def queues(entries: int) -> Figures:
    """So many entries, the losses in turn. Raises AssertionError, Lost, Stuck."""
    total, seed, world = Figures(), 0, World()
    with tempfile.TemporaryDirectory(prefix="pailu-chaos-") as folder, progress("entries", entries) as tick:
        while total.entries < entries:
            if seed % AT_ONCE == 0:
                world = World()
            before = total.entries
            round_ = Round(world, HANDS)
            total.add(enter_all(round_, Path(folder), seed, LOSSES[seed % len(LOSSES)]))
            round_.check()
            seed += 1
            for _ in range(total.entries - before):
                tick()
    table(
        f"{total.entries} entries from phones whose network loses 0 to 90 %, in {seed} rounds",
        {
            "requests": total.requests,
            "requests or answers lost": total.lost,
            "requests delivered again": total.duplicates,
            "entries sent out of order": total.reordered,
            "kills of the app": total.kills,
            "answers to try again": total.refused_for_now,
        },
        "every hand, penalty and confirmation in the log of its match once, in order",
    )
    return total


if __name__ == "__main__":
    main()
    say("All held.")
