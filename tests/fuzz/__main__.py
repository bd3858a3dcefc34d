"""`make fuzz REQUESTS=20000`: calls made from the services' own documents, each operation at the stage of a competition
at which it can succeed. Status 0: no 5xx, and no answer that its document does not have."""

from __future__ import annotations

import argparse
import logging
import os
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import NamedTuple

import structlog
from hypothesis.errors import HypothesisException
from schemathesis import GenerationMode

from tests.support.openapi import Asker
from tests.support.site import CALLS, Site
from tests.support.world import World

MODES = ((GenerationMode.POSITIVE, 2), (GenerationMode.NEGATIVE, 1))
"""Of three calls two fit the schema and one does not, where an operation has a body."""


class Asked(NamedTuple):
    """What an operation answered, how often, and what was wrong."""

    label: str
    statuses: Counter[int]
    faults: list[str]


def main() -> None:
    """Ask every operation its part of the requests, in as many processes as there are processors."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=int(time.time()), help="the same calls again")
    asked = parser.parse_args()
    calls = list(CALLS)
    began, total, faults, seed = time.monotonic(), Counter[int](), 0, asked.seed
    with ProcessPoolExecutor(os.cpu_count(), initializer=_quiet) as pool:
        while total.total() < asked.requests:  # an operation that can be called in few ways ends before its part
            each = max(3, -(-(asked.requests - total.total()) // len(calls)))
            for found in pool.map(partial(ask, each=each, seed=seed), calls):
                total += found.statuses
                faults += len(found.faults)
                for fault in found.faults:
                    say(f"{found.label}: {fault}")
            seed += len(MODES)
    shown = ", ".join(f"{status}: {count:,}" for status, count in sorted(total.items()))
    say(f"{total.total():,} requests to {len(calls)} operations in {time.monotonic() - began:.0f} s: {shown}")
    say(f"{faults} faults (--seed {asked.seed})" if faults else "No 5xx, no undocumented answer.")
    sys.exit(bool(faults))


def ask(call: tuple[str, str], each: int, seed: int) -> Asked:
    """Ask one operation so often, at its stage, and with other names than there are."""
    service, endpoint = call
    site = CALLS[call].stage(Site(World()))
    asker = Asker(site.world, site.unit, site.names())
    operation = asker.operation(service, endpoint)
    statuses, faults = Counter[int](), []
    if operation is None:
        return Asked(f"{service} {endpoint}", statuses, [])
    weight = sum(weight for _, weight in MODES)
    for number, (mode, part) in enumerate(MODES):
        if mode is GenerationMode.NEGATIVE and not operation.body:
            mode = GenerationMode.POSITIVE
        for names, share in ((asker.names, 0.9), ({}, 0.1)):
            count = max(1, round(each * part / weight * share))
            try:
                statuses += asker.ask(operation, mode, count, names, seed + number)
            except HypothesisException as error:
                faults.append(f"{mode.name}: not to be called: {error}")
            except BaseException as error:  # whatever it is, the others are asked too
                faults.append(f"{mode.name}: {type(error).__name__}: {error}")
    return Asked(f"{service} {endpoint}", statuses, faults)


def _quiet() -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))


def say(line: str) -> None:
    """Write a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
