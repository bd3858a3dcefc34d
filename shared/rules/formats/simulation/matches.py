"""One match played at random: its hands as the table would report them, summed by the rules.

Hands are summaries (who dealt, the attackers' points; or the order of going out), not card by card: `pailu record
random` makes those.
"""

from __future__ import annotations

from typing import cast

from msgspec import Struct

from shared.rules.formats.simulation.chance import Chance
from shared.rules.formats.stages import RoundTerms
from shared.rules.formats.table_match import table_match
from shared.rules.guandan import matches as guandan
from shared.rules.guandan.results import result
from shared.rules.regulations.guandan import GuandanPreset, Stage
from shared.rules.regulations.preset import Level, Preset
from shared.rules.regulations.schema import AnyPreset
from shared.rules.shengji import results
from shared.rules.shengji.deal import next_dealer
from shared.rules.shengji.facts import HandFact
from shared.rules.shengji.levels import level_change
from shared.rules.shengji.match import resum

_MINUTES = 5
"""What a hand takes."""


class Result(Struct, frozen=True, kw_only=True):
    """Match points, and the levels reached where the match is decided by them, in the order of teams."""

    points: tuple[int, int]
    levels: tuple[Level, Level] | None = None


def play(preset: AnyPreset, terms: RoundTerms, chance: Chance) -> Result:
    """A match from its first hand to its end."""
    if isinstance(preset, GuandanPreset):
        return _guandan(preset, terms, chance)
    if preset.match.ends.value == "hands":
        return _by_hands(preset, chance)
    return _by_time(preset, terms, chance)


def _by_time(preset: Preset, terms: RoundTerms, chance: Chance) -> Result:
    """Hands until time is called, or a pair has passed the top."""
    hands = _hands(preset, chance, max((terms.minutes or 60) // _MINUTES, 1))
    summary = resum(preset, hands)
    found = results.result(preset, summary, "played" if summary.won_by else "time")
    return Result(points=found.points, levels=found.levels)


def _by_hands(preset: Preset, chance: Chance) -> Result:
    """The hands of every table, and more until the points are unequal."""
    number = preset.match.hands.value or 1
    while True:
        tables = [_hands(preset, Chance(chance.seed, f"{chance.label} {table}"), number) for table in _tables(preset)]
        found = table_match(preset, tables)
        if found.winner is not None:
            win, loss = preset.match.points.win.value, preset.match.points.loss.value
            return Result(points=(win, loss) if found.winner == 0 else (loss, win))
        number += 1


def _tables(preset: Preset) -> range:
    return range(1, preset.match.tables.value + 1)


def _hands(preset: Preset, chance: Chance, number: int) -> list[HandFact]:
    """So many hands, or fewer where a pair passes the top before."""
    start = preset.match.start_level.value
    levels: dict[int, Level] = {0: start, 1: start}
    seat, hands = 1 + chance.below(4), list[HandFact]()
    while len(hands) < number:
        points = 5 * min(chance.below(41), chance.below(41))
        hands.append(HandFact(number=len(hands) + 1, dealer_seat=seat, points=points))
        dealers = seat % 2
        change = level_change(preset, points, levels[dealers], levels[1 - dealers])
        levels = {dealers: change.dealer_level, 1 - dealers: change.attacker_level}
        if change.won_by is not None:
            break
        seat = next_dealer(preset, seat, change.deal)
    return hands


def _guandan(preset: GuandanPreset, terms: RoundTerms, chance: Chance) -> Result:
    """Hands until a pair has passed A or, in a timed round, time is called."""
    assert terms.stage is not None, "a round of 掼蛋 says what its stage is"
    stage = cast(Stage, terms.stage)
    hands, limit = list[guandan.GuandanHand](), (terms.minutes or 0) // _MINUTES
    while True:
        hands.append(guandan.GuandanHand(number=len(hands) + 1, finish=_finish(chance)))
        summary = guandan.resum(preset, stage, hands)
        if summary.won_by is not None or len(hands) == limit:
            break
    found = result(preset, summary, terms.minutes)
    assert found.how != "undecided", "a hand was played, so somebody came first to the higher level, or passed A"
    return Result(points=found.points, levels=found.levels)


def _finish(chance: Chance) -> tuple[int, ...]:
    """The seats in an order of going out; the last two are not told when partners are first and second."""
    seats, order = [1, 2, 3, 4], list[int]()
    while seats:
        order.append(seats.pop(chance.below(len(seats))))
    return tuple(order[:2] if (order[0] - order[1]) % 2 == 0 else order)
