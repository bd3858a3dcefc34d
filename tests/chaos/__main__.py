"""`make chaos KILLS=200 BOUNCES=50 SEEDS=5000`: the fault suites at length, with their figures. Status 0: all held."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from deploy.kafka import LocalKafka
from shared.eventsourcing import generations
from tests.chaos.behind import catch_up, check_memory
from tests.chaos.bounces import bounce
from tests.chaos.kills import Killed, rampage
from tests.simulation.lives import over_kafka
from tests.support.kafka import logs_of

AT_ONCE = 100
"""Kills of one fleet; then another begins, so that a long run does not become a large season."""
NOT_SO_FAR = 2 * generations.BATCH
"""Events behind which memory is compared with: enough to fill a step, and what is read ahead of it."""
KINDS = ("kernel", "season")


def main() -> None:
    """Run what is asked for, one kind after the other."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--kills", type=int, default=1_000)
    parser.add_argument("--bounces", type=int, default=50)
    parser.add_argument("--seeds", type=int, default=5_000)
    parser.add_argument("--behind", type=int, default=100_000)
    asked = parser.parse_args()
    began = time.monotonic()
    if asked.seeds:
        lives(asked.seeds)
    if asked.bounces:
        bounces(asked.bounces)
    if asked.behind:
        behind(asked.behind)
    if asked.kills:
        kills(asked.kills)
    say(f"All held, in {(time.monotonic() - began) / 60:.0f} min.")


def lives(seeds: int) -> None:
    """Seeds in turn for the kernel and for the four services."""
    total: Counter[str] = Counter()
    with progress("seeds", seeds) as tick, ProcessPoolExecutor(os.cpu_count()) as pool:
        for figures in pool.map(_life, range(seeds), chunksize=5):
            total.update(figures)
            tick()
    table(
        f"{seeds} seeds, each of 200 commands over a log with Kafka's semantics",
        {
            "lives of the kernel / of the four services": f"{total['kernel']} / {total['season']}",
            "commands accepted": total["accepted"],
            "faults struck": total["faults"],
            "crashes": total["crashes"],
            "rebalances": total["rebalances"],
            "messages that came twice": total["duplicates"],
        },
        "log = commits; chain; one outcome a command; policies once; live = plain fold = rebuild; order by key; money",
    )


def _life(seed: int) -> Counter[str]:
    kind = KINDS[seed % 2]
    life, log = over_kafka(seed, kind)
    figures = {"accepted": len(life.answers), "faults": len(life.faults.struck), "crashes": life.crashes}
    return Counter(figures | {kind: 1, "rebalances": log.rebalances, "duplicates": log.duplicates})


def bounces(times: int) -> None:
    """One broker, killed and started again."""
    with tempfile.TemporaryDirectory(prefix="pailu-chaos-") as folder, progress("bounces", times) as tick:
        seen = bounce(Path(folder), times, tick)
    table(
        f"{seen.bounces} bounces (kill -9) of a broker under one publisher and two readers of a group",
        {
            "events acknowledged / read": f"{seen.acknowledged} / {seen.read}",
            "publications tried again": seen.tries_again,
            "events read again": seen.read_again,
            "messages that stand twice in the topic": seen.duplicates,
        },
        "every acknowledged event read; first deliveries in order by competition; no gap in the topic",
    )


def behind(events: int) -> None:
    """A projection and a policy that have everything to read, beside a projection that is up to date."""
    with (
        tempfile.TemporaryDirectory(prefix="pailu-chaos-") as folder,
        LocalKafka(Path(folder) / "kafka") as broker,
        logs_of(broker.url, "few-") as others,
        logs_of(broker.url, "") as logs,
    ):
        few = catch_up(others, min(events, NOT_SO_FAR))
        seen = catch_up(logs, events)
    check_memory(few, seen)
    table(
        f"A projection and a policy {seen.events} events behind catch up beside the live projection",
        {
            "steps": seen.steps,
            "most events in one, of projection / policy": f"{seen.most_a_step} / {seen.most_of_policy}",
            "events published meanwhile": seen.meanwhile,
            "steps the live one needed for one, at most": seen.longest,
            f"memory at its highest; with {few.events} events": " / ".join(
                f"{one.peak_bytes / (1 << 20):.1f} MB" for one in (seen, few)
            ),
        },
        "the live one not starved; steps and memory bounded; the rebuilt rows are there; each event reacted to once",
    )


def kills(count: int) -> None:
    """Fleets of a store, a broker and twelve processes, one after the other."""
    runs: list[Killed] = []
    with progress("kills", count) as tick:
        while left := count - sum(run.kills.total() for run in runs):
            with tempfile.TemporaryDirectory(prefix="pailu-chaos-") as folder:
                first = not runs
                runs.append(rampage(Path(folder), min(AT_ONCE, left), outages=first, seed=len(runs), tick=tick))
    by_kind = sum((run.kills for run in runs), Counter[str]())
    table(
        f"{by_kind.total()} kills (kill -9) under six writers, and each of the four services down in turn",
        {
            **{f"  {kind}": number for kind, number in by_kind.most_common()},
            "requests": sum(run.requests for run in runs),
            "requests without an answer, sent again": sum(run.sent_again for run in runs),
            "commands acknowledged": sum(run.acknowledged for run in runs),
            "of these, done before the answer was lost": sum(run.replayed for run in runs),
            "events": sum(run.events for run in runs),
            "messages that stand twice in the topics": sum(run.duplicates for run in runs),
            "appeals lodged by the policy": sum(run.lodged for run in runs),
            "rows rebuilt": sum(run.rows for run in runs),
        },
        "nothing acknowledged lost or doubled; chain; log = commits = topic; live = from Kafka = from commits",
    )


def table(title: str, figures: dict[str, object], checked: str) -> None:
    say(f"\n{title}")
    for name, value in figures.items():
        say(f"  {name:<46} {value}")
    say(f"  checked: {checked}")


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[], None]]:
    """A line that counts, where somebody looks."""
    done = 0

    def tick() -> None:
        nonlocal done
        done += 1
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{what} {min(done, total)}/{total} ")
            sys.stderr.flush()

    yield tick
    if sys.stderr.isatty():
        sys.stderr.write("\r" + " " * 40 + "\r")


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
