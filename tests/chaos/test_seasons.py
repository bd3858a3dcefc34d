"""What `make chaos` compares its ten minutes of competitions by, where everything is killed in turn: played undisturbed
they come to the same twice, and a difference anywhere is found and said."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from tests.chaos.seasons.canonical import CLOCK, LEFT_OUT, differences, kept, outcome
from tests.chaos.seasons.desks import InOneProcess
from tests.chaos.seasons.phones import Prompt
from tests.chaos.seasons.regulations import Jimei
from tests.chaos.seasons.run import Seasons, compare

TODAY = datetime(2026, 11, 1, tzinfo=UTC)


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
