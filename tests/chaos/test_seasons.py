"""Guarantee: "phones sending held batches twice and out of order, every process killed with kill -9 in turn, Kafka
restarted; at the end standings, ledger and appeals equal an undisturbed run's." Here until each was killed once, ten
minutes in `make chaos`."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.chaos.seasons.canonical import CLOCK, LEFT_OUT, differences, kept, outcome
from tests.chaos.seasons.desks import InOneProcess
from tests.chaos.seasons.phones import Prompt
from tests.chaos.seasons.regulations import COURSES, Jimei
from tests.chaos.seasons.run import Seasons, compare, disturb

PROCESSES = 9
"""The store, and for each of four services the one that serves and the one that works."""
TODAY = datetime(2026, 11, 1, tzinfo=UTC)


def test_competitions_come_to_the_same_though_every_process_is_killed_in_turn_and_kafka_restarted(
    tmp_path: Path,
) -> None:
    seen = disturb(tmp_path, seconds=0)
    assert set(seen.competitions) == {course.regulation for course in COURSES}
    assert len(seen.struck) == PROCESSES, seen.struck
    assert seen.restarts >= 1
    assert min(seen.phones.duplicates, seen.phones.reordered, seen.phones.lost, seen.phones.kills) > 0, seen.phones
    assert seen.traffic.sent_again > 0, "nobody noticed"
    deposits = 7 * seen.competitions["jimei-2018"]
    assert (seen.appeals, seen.deposits) == (deposits + seen.competitions["shandong-2023"], deposits)


# The comparison is worth something


@pytest.fixture(scope="module")
def undisturbed() -> dict[str, Any]:
    desk = InOneProcess(TODAY)
    course = Jimei(desk, Prompt(desk), "jimei-2018-t", TODAY.date())
    course.play()
    return outcome(desk, course)


def test_played_twice_undisturbed_it_comes_to_the_same(undisturbed: dict[str, Any]) -> None:
    desk = InOneProcess(TODAY.replace(hour=9))
    course = Jimei(desk, Prompt(desk), "jimei-2018-t", TODAY.date())
    course.play()
    assert differences(undisturbed, outcome(desk, course)) == []


def test_a_difference_anywhere_is_found_and_said(undisturbed: dict[str, Any]) -> None:
    (ledger,) = [address for address in undisturbed if address.endswith("ledger")]
    lost = undisturbed | {ledger: undisturbed[ledger] | {"entries": undisturbed[ledger]["entries"][:-1]}}
    found = differences(undisturbed, lost)
    assert found[0].endswith("ledger, undisturbed")
    assert any(line.startswith("-") and "amount_fen" in line for line in found)


def test_a_run_in_which_something_differs_fails_and_prints_what(undisturbed: dict[str, Any]) -> None:
    (standings,) = [address for address in undisturbed if address.endswith("standings")]
    rows = undisturbed[standings]["rows"]
    doubled = undisturbed | {standings: undisturbed[standings] | {"rows": [rows[0] | {"points": 99}, *rows[1:]]}}
    with pytest.raises(AssertionError, match=r'\+ +"points": 99'):
        compare({Jimei: [("jimei-2018-t", doubled)]}, TODAY, Seasons())


def test_nothing_but_clocks_and_positions_is_left_out() -> None:
    assert {name for name, why in LEFT_OUT.items() if why != CLOCK} == {"rests_on", "order", "text"}
    assert kept({"points": 3, "at": "now", "rows": [{"until": "then", "rank": 1}]}) == {
        "points": 3,
        "rows": [{"rank": 1}],
    }
