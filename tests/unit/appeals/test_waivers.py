"""Written waivers close a team's windows early (RULINGS “Appeals” 8)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from services.appeals import refusals as refuse
from services.appeals.ledger import Ledger, Waive, Waiver, evolve, waive
from services.appeals.model import Events
from shared.contracts.appeals import WaiverReceived
from shared.rules.regulations import changed
from shared.rules.regulations.preset import Preset
from tests.unit.appeals.desk import CLOSED, JIMEI, books, case, only

FIRST = CLOSED - timedelta(hours=3)
BOTH = {1: FIRST, 2: CLOSED}


def waived(state: Ledger, through: int, closed: dict[int, object] = BOTH, preset: Preset = JIMEI) -> Events:  # type: ignore[assignment]
    waiver = Waive(teams=("red",), through_round=through, reference="弃权书", closed=closed)  # type: ignore[arg-type]
    return waive(state, "jimei-2018/1", preset, waiver, "leader-red")


def after_waiving(through: int) -> Ledger:
    [event] = waived(books(), through)
    return evolve(books(), event)


def test_a_waiver_says_which_closings_the_team_knew() -> None:
    event = only(waived(books(), 2), WaiverReceived)
    assert (event.team, event.through_round, event.closed_at) == ("red", 2, (FIRST, CLOSED))


def test_it_covers_the_rounds_up_to_one_and_that_team_only() -> None:
    state = after_waiving(2)
    assert state.waived("red", case())
    assert not state.waived("blue", case())
    assert not after_waiving(1).waived("red", case())


def test_a_round_that_is_open_is_not_waived() -> None:
    with pytest.raises(refuse.RoundNotClosed) as refused:
        waived(books(), 2, {1: FIRST})
    assert refused.value.params["round"] == 2
    with pytest.raises(refuse.RoundNotClosed):
        waived(books(), 2, {2: CLOSED})


def test_a_round_closed_anew_can_be_appealed_again() -> None:
    reclosed = case(round_closed_at=CLOSED + timedelta(hours=1))
    assert not after_waiving(2).waived("red", reclosed)
    assert not after_waiving(2).waived("red", case(round_closed_at=None))


@pytest.mark.parametrize("through", [1, 2])
def test_what_is_waived_is_not_waived_again(through: int) -> None:
    with pytest.raises(refuse.AlreadyWaived):
        waived(after_waiving(2), through)


def test_a_later_waiver_adds_to_the_earlier() -> None:
    assert waived(after_waiving(1), 2)
    again = CLOSED + timedelta(hours=1)
    joined = Waiver(closed_at=(FIRST, CLOSED, CLOSED)).and_then((FIRST, again))
    assert joined == Waiver(closed_at=(FIRST, again, CLOSED))


def test_without_appeals_there_is_nothing_to_waive() -> None:
    with pytest.raises(refuse.AppealsNotAllowed):
        waived(books(), 1, preset=changed(JIMEI, {"appeals.allowed": False}))
