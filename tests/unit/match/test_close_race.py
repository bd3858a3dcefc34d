"""Closing a round reads its matches closed, and nothing opens one behind its back (DESIGN, Streams): a round is closed
while others correct, close and reopen, under every interleaving of their calls to the store."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec
import pytest

from services.match.commands import rounds_stream
from services.match.model import rounds
from services.match.model.matches import Match, Seat
from services.match.model.rounds import closing
from shared.contracts.fact import MatchResult
from shared.contracts.match import RoundClosed
from shared.contracts.refusal import Refusal
from shared.rules.regulations import Preset, load
from tests.support.faults import Call
from tests.support.interleaving import Pausable, explore
from tests.unit.match.hall import CUP, correction
from tests.unit.match.service import MatchService

JIMEI = load("jimei-2018")


class Race:
    """A service whose tasks stop before each call of the commit store."""

    def __init__(self, prepare: Callable[[MatchService], None]) -> None:
        self.tasks: list[Pausable] = []
        self.service = MatchService().announce()
        prepare(self.service)
        self.service.interceptor = self._intercept

    def _intercept(self, call: Call) -> object:
        me = threading.current_thread()
        running = next((task for task in self.tasks if task._thread is me), None)
        return running(call) if running else call.proceed()

    def begin(self, name: object, *args: Any) -> Pausable:
        """A person's command, refused or done, or a batch of them."""
        return self.batch(*args) if name == "batch" else self.task(str(name), *args)

    def task(self, name: str, *args: object) -> Pausable:
        """A person's command, refused or done."""
        return self._begin(self._act(name, *args))

    def batch(self, *acts: tuple[object, ...]) -> Pausable:
        """What a phone held back, stored in one go."""
        all_of_it = [self._act(str(name), *args) for name, *args in acts]
        handler = self.service.engine.commands
        return self._begin(lambda: handler.together(lambda: [act() for act in all_of_it]))

    def _act(self, name: str, *args: object) -> Callable[[], None]:
        command = self.service.command(by=f"someone-{len(self.tasks)}")

        def act() -> None:
            with suppress(Refusal):
                getattr(self.service.commands, name)(command, CUP, *args)

        return act

    def _begin(self, act: Callable[[], object]) -> Pausable:
        pausable = Pausable()
        self.tasks.append(pausable)
        pausable.begin(act)
        return pausable

    def check(self) -> None:
        """The last closing says of every match what its stream says, corrections and all."""
        self.service.interceptor = lambda call: call.proceed()
        for task in self.tasks:
            assert task.error is None, task.error
        closings = [
            event
            for _, events in self.service.engine.commands.history(rounds_stream(CUP))
            for event in events
            if isinstance(event, RoundClosed)
        ]
        state = self.service.rounds()
        if not state.rounds[0].closed:
            return
        for result in closings[-1].results:
            match = self.service.match(result.match)
            seat = rounds.seat_of(state, result.match)
            assert match.closed is not None, f"{result.match} stands open in a closed round"
            assert match.opening == seat.opening
            assert result == closing.result_of(JIMEI, seat, match)
            assert result.levels is not None
            points = match.hands[0].points
            assert (result.levels[0], result.levels[1]) == {0: ("7", "2"), 40: ("5", "2"), 60: ("4", "2")}[points]


def _time_called(service: MatchService) -> None:
    """Both matches played, time called, the second closed."""
    service.paired()
    for name in ("r1t1", "r1t2"):
        service.hand(1, name=name)
    service.do("call_time", 1)
    service.do("close_match", "r1t2")


def _reopened(service: MatchService) -> None:
    """A closed round, open again for its first match."""
    service.played()
    service.do("reopen_round", 1, ["r1t1"], "记录有误")


def _closed_again(service: MatchService) -> None:
    _reopened(service)
    service.do("correct_hand", "r1t1", correction(1, 1, 40))
    service.do("close_match", "r1t1")


SCENARIOS: dict[str, tuple[Callable[[MatchService], None], list[tuple[object, ...]], int | None]] = {
    "a correction while match and round close": (
        _time_called,
        [
            ("correct_hand", "r1t1", correction(1, 1, 40)),
            ("close_match", "r1t1"),
            ("close_round", 1),
        ],
        2,
    ),
    "a reopened match closed while its round closes": (
        _reopened,
        [("close_match", "r1t1"), ("close_round", 1)],
        None,
    ),
    "a correction, a closing of the match, and one of the round, after a reopening": (
        _reopened,
        [
            ("correct_hand", "r1t1", correction(1, 1, 40)),
            ("close_match", "r1t1"),
            ("close_round", 1),
        ],
        2,
    ),
    "a reopening while a referee still corrects": (
        _closed_again,
        [
            ("reopen_round", 1, ["r1t1"], "再次"),
            ("correct_hand", "r1t1", correction(1, 1, 60)),
            ("close_round", 1),
        ],
        2,
    ),
    "a batch that corrects and closes while its round closes": (
        _reopened,
        [
            ("batch", ("correct_hand", "r1t1", correction(1, 1, 40)), ("close_match", "r1t1")),
            ("close_round", 1),
        ],
        None,
    ),
    "a reopening and a closing while a batch corrects and closes": (
        _closed_again,
        [
            ("reopen_round", 1, ["r1t1"], "再次"),
            ("batch", ("correct_hand", "r1t1", correction(1, 1, 60)), ("close_match", "r1t1")),
            ("close_round", 1),
        ],
        2,
    ),
}


@pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=SCENARIOS.keys())
def test_no_interleaving_closes_a_round_over_a_match_that_changed(
    scenario: tuple[Callable[[MatchService], None], list[tuple[object, ...]], int | None],
) -> None:
    prepare, acts, preemptions = scenario
    ends: set[tuple[bool, int]] = set()

    def run(drive: Callable[..., None]) -> None:
        race = Race(prepare)
        tasks = [race.begin(*act) for act in acts]
        drive(*tasks)
        race.check()
        ends.add((race.service.rounds().rounds[0].closed, race.service.match().hands[0].points))

    assert explore(run, preemptions) > 10
    assert len(ends) > 1, f"every interleaving ended alike, {ends}: nothing raced"


def test_a_planted_fault_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = closing.result_of

    def careless(preset: Preset, seat: Seat, played: Match) -> MatchResult | None:
        """Does not ask whether the match was closed since its round was reopened for it."""
        return right(preset, msgspec.structs.replace(seat, opening=played.opening), played)

    prepare, acts, preemptions = SCENARIOS[
        "a correction, a closing of the match, and one of the round, after a reopening"
    ]

    def run(drive: Callable[..., None]) -> None:
        with monkeypatch.context() as planted:
            planted.setattr(closing, "result_of", careless)
            race = Race(prepare)
            drive(*[race.begin(*act) for act in acts])
        race.check()

    with pytest.raises(AssertionError):
        explore(run, preemptions)
