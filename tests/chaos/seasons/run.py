"""The run: competitions of every regulation one after the other over eight processes, a store and a Kafka, of which all
are killed in turn; then the same competitions where nothing is; then both compared."""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from deploy.fleet import Fleet
from deploy.names import NAMES
from tests.chaos.seasons.canonical import differences, outcome
from tests.chaos.seasons.course import Course
from tests.chaos.seasons.desks import SEED, InOneProcess, OverHttp, Traffic
from tests.chaos.seasons.faults import KAFKA, Faults
from tests.chaos.seasons.phones import OnABadNetwork, Prompt
from tests.chaos.seasons.regulations import COURSES
from tests.support.phones import Figures
from tests.support.waiting import wait_for

PROCESSES = 9
"""The store, and for each of four services the one that serves and the one that works."""
SHOWN = 200
"""Lines of differences that a failure prints."""


@dataclass
class Seasons:
    """What happened, and what was compared."""

    seconds: float = 0.0
    struck: Counter[str] = field(default_factory=Counter)
    restarts: int = 0
    phones: Figures = field(default_factory=Figures)
    traffic: Traffic = field(default_factory=Traffic)
    competitions: Counter[str] = field(default_factory=Counter)
    appeals: int = 0
    deposits: int = 0
    compared: int = 0

    def check(self) -> None:
        """Everything was killed and everything happened that can happen to a phone. Raises AssertionError."""
        assert set(self.competitions) == {course.regulation for course in COURSES}
        assert len(self.struck) == PROCESSES, self.struck
        assert self.restarts >= 1
        phones = self.phones
        assert min(phones.duplicates, phones.reordered, phones.lost, phones.kills) > 0, phones
        assert self.traffic.sent_again > 0, "nobody noticed"
        deposits = 7 * self.competitions["jimei-2018"]
        assert (self.appeals, self.deposits) == (deposits + self.competitions["shandong-2023"], deposits)


def disturb(folder: Path, seconds: float, seed: int = 1, tick: Callable[[], None] = lambda: None) -> Seasons:
    """Play for so long, and until each process was killed and Kafka restarted at least once; then play the same
    undisturbed and compare. Raises AssertionError with what differs."""
    seen, began, today = Seasons(), time.monotonic(), datetime.now(UTC)
    with Fleet(folder, seed=SEED) as fleet:
        failed: list[str] = []
        faults = Faults(fleet, seen.traffic, seed, tick)
        network = OnABadNetwork(lambda: OverHttp(fleet.urls, fleet.token_secret, seen.traffic), folder, f"phone-{seed}")

        def goes_on() -> bool:
            if faults.error is not None:
                raise faults.error
            return not failed and (time.monotonic() < began + seconds or not faults.rounds)

        def season(kind: type[Course]) -> list[tuple[str, dict[str, Any]]]:
            """One competition of a regulation after the other."""
            played: list[tuple[str, dict[str, Any]]] = []
            for number in itertools.count(1):
                desk = OverHttp(fleet.urls, fleet.token_secret, seen.traffic)
                course = kind(desk, network, f"{kind.regulation}-{seed}.{number}", today.date())
                try:
                    course.play()
                    played.append((course.label, outcome(desk, course)))
                except BaseException:
                    failed.append(course.label)
                    raise
                finally:
                    desk.close()
                if not goes_on():
                    break
            return played

        faults.start()
        with ThreadPoolExecutor(len(COURSES)) as pool:
            played = dict(zip(COURSES, pool.map(season, COURSES), strict=True))
        faults.end()
        faults.join()
        _check_rest(fleet, seen.traffic)
    seen.seconds = time.monotonic() - began
    seen.restarts = faults.struck.pop(KAFKA, 0)
    seen.struck, seen.phones = faults.struck, network.seen
    compare(played, today, seen)
    return seen


def compare(played: dict[type[Course], list[tuple[str, dict[str, Any]]]], today: datetime, seen: Seasons) -> None:
    """Each competition against the same one played undisturbed. Raises AssertionError."""
    for kind, courses in played.items():
        desk = InOneProcess(today)
        for label, disturbed in courses:
            course = kind(desk, Prompt(desk), label, today.date())
            course.play()
            undisturbed = outcome(desk, course)
            found = differences(undisturbed, disturbed)
            assert not found, "\n".join([f"{label} has come to something else:", *found[:SHOWN]])
            seen.competitions[kind.regulation] += 1
            seen.compared += len(undisturbed)
            seen.appeals += len(undisturbed[f"appeals {course.id}"])
            entries = undisturbed[f"appeals {course.id} ledger"]["entries"]
            seen.deposits += sum(entry["kind"] == "received" for entry in entries)


def _check_rest(fleet: Fleet, traffic: Traffic) -> None:
    """Everything has been published and read, and nothing is held."""
    desk = OverHttp(fleet.urls, fleet.token_secret, traffic)

    def quiet() -> bool:
        states = [desk.see(f"/{name}/readyz") for name in NAMES]
        return all(s["log"] == "up" and not any(s["lag"].values()) and not s["held"] for s in states)

    wait_for(quiet)
    desk.close()
