"""Guarantee: "A crash between any two steps of append, sequence, publish, project, checkpoint and policy: nothing
lost, every effect once", and the same of a store that does not answer, or answers nothing.

Three services work on one story. The story is told once to count the calls of all ports; then once for each call and
each thing that can happen there, and at the end the world must be as if nothing had happened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import timedelta

import pytest

from shared.eventsourcing.errors import NotNow
from shared.eventsourcing.handling import CommandHandler, Outcome
from tests.support.at_rest import check_world
from tests.support.faults import Crash, Fault, OneFault, PlannedFaults
from tests.support.kernel import World
from tests.support.toys import Paid, Refused, Seated, command, enter, leave, play, world

Told = Callable[[], Outcome]


def ask(world: World, send: Told) -> None:
    """Send a command as a client does: again with the same id until there is an answer. A crash starts all anew."""
    for _ in range(5):
        try:
            send()
            return
        except Refused:
            return
        except NotNow:
            continue
        except Crash:
            restart(world)
    raise AssertionError("no answer after five tries")


def step(world: World, name: str) -> None:
    for _ in range(3):
        try:
            world.steps()[name]()
            return
        except NotNow:
            continue
        except Crash:
            restart(world)
            return
    raise AssertionError(f"{name} does not recover")


def restart(world: World) -> None:
    """All processes are gone; what they held of leases runs out meanwhile."""
    world.clock.advance(timedelta(seconds=11))
    faults, world.interceptor = world.interceptor, lambda call: call.proceed()
    world.start_all()
    world.interceptor = faults


def both(handler: CommandHandler) -> Outcome:
    """One team enters and leaves, both in one go."""
    return handler.together(
        lambda: (enter(handler, command("e3"), "y", "t3"), leave(handler, command("l3"), "y", "t3"))[-1]
    )


def tell(world: World) -> None:
    """Two teams enter, are seated, play and are paid, one comes and goes; every step is made, some of them in
    between."""
    commands = {
        "e1": lambda: enter(world.engines["entry"].commands, command("e1"), "x", "t1"),
        "e2": lambda: enter(world.engines["entry"].commands, command("e2"), "y", "t2"),
        "e1 again": lambda: enter(world.engines["entry"].commands, command("e1 again"), "x", "t1"),
        "p1": lambda: play(world.engines["table"].commands, command("p1"), "x", "t1", [10, 20]),
        "l2": lambda: leave(world.engines["entry"].commands, command("l2"), "y", "t2"),
        "e3 and l3": lambda: both(world.engines["entry"].commands),
    }
    for send in commands.values():
        ask(world, send)
    for _ in range(2):
        for name in list(world.steps()):
            step(world, name)


def check(world: World) -> None:
    world.interceptor = lambda call: call.proceed()
    world.settle()
    assert sorted(c.command for c in world.commits("entry")) == ["e1", "e2", "e3", "l2", "l3"]
    causes = Counter(e.causation for name in ("table", "purse") for e in world.entries(name) if e.role == "policy")
    assert set(causes.values()) == {1}, "a policy took effect twice"
    assert Counter(e.type for e in world.entries("table")) == {"Seated": 3, "Played": 2}
    assert Counter(e.type for e in world.entries("purse")) == {"Paid": 2}
    check_world(world)


def calls() -> int:
    counter = OneFault()
    told = world(counter)
    begin = len(counter.calls)
    tell(told)
    check(told)
    assert begin < 60
    return len(counter.calls)


@pytest.mark.parametrize("fault", Fault)
def test_a_fault_at_any_call_of_any_port_changes_nothing_in_the_end(fault: Fault) -> None:
    begin, struck, ports = 0, 0, set[str]()
    total = calls()
    for at in range(total):
        faults = OneFault()
        told = world(faults)
        begin = len(faults.calls)
        if at < begin:
            continue  # starting up is another test's
        faults.plan[at] = fault
        tell(told)
        try:
            check(told)
        except BaseException as error:
            error.add_note(f"{fault} at call {at}: {faults.calls[at] if at < len(faults.calls) else None}")
            raise
        if faults.struck:
            struck += 1
            ports.add(str(faults.calls[at]))
    divisible = fault in (Fault.CRASH_MIDWAY, Fault.TORN)
    assert struck > (5 if divisible else 40)
    assert {"journal.insert", "log.publish", "documents.put"} <= ports
    if not divisible:
        assert {
            "commits.append",
            "commits.append_all",
            "commits.mark_sequenced",
            "journal.mark_published",
            "subscription.commit",
        } <= ports


def test_two_crashes_one_after_the_other_change_nothing_either() -> None:
    """The second comes while the first is being recovered from, at many distances."""
    for at in range(30, 120, 3):
        for distance in range(1, 30, 4):
            faults = PlannedFaults({at: Fault.CRASH_AFTER, at + distance: Fault.CRASH_BEFORE})
            told = world(faults)
            tell(told)
            check(told)


def test_the_story_has_effects_to_lose() -> None:
    told = world()
    tell(told)
    check(told)
    policies = [e for name in ("table", "purse") for e in told.entries(name) if e.role == "policy"]
    assert {e.type for e in policies} == {Seated.__name__, Paid.__name__}
