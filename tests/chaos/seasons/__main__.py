"""`make chaos SECONDS=600`: competitions under faults and the same undisturbed, with figures. Status 0: all equal."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import structlog

from tests.chaos.__main__ import progress, say, table
from tests.chaos.seasons.run import disturb


def main() -> None:
    """Run for as long as is asked."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos.seasons", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    with tempfile.TemporaryDirectory(prefix="pailu-chaos-") as folder, progress("faults", 0) as tick:
        seen = disturb(Path(folder), asked.seconds, asked.seed, tick)
    seen.check()
    table(
        f"{seen.competitions.total()} competitions in {seen.seconds:.0f} s, all killed in turn (seed {asked.seed})",
        {
            **{f"competitions of {name}": number for name, number in sorted(seen.competitions.items())},
            "kills (kill -9)": seen.struck.total(),
            **{f"  of {name}": number for name, number in sorted(seen.struck.items())},
            "restarts of Kafka (kill -9)": seen.restarts,
            "requests": seen.traffic.requests,
            "  sent again without an answer": seen.traffic.sent_again,
            "commands acknowledged": seen.traffic.acknowledged.total(),
            "entries held by phones": seen.phones.entries,
            "  batches or answers lost on the way": seen.phones.lost,
            "  batches delivered again (duplicates)": seen.phones.duplicates,
            "  entries sent out of order (reorderings)": seen.phones.reordered,
            "  kills of the app": seen.phones.kills,
            "appeals lodged / deposits": f"{seen.appeals} / {seen.deposits}",
        },
        f"{seen.compared} answers (standings, places, awards, ledger, appeals) equal those undisturbed, byte for byte",
    )


if __name__ == "__main__":
    main()
    say("All held.")
