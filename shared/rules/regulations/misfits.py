"""Values of a 升级 regulation that are well typed and do not fit each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from shared.rules.basis import Ruled
from shared.rules.regulations.preset import Boards, Charge, Preset, Stage
from shared.rules.regulations.tie_break_terms import terms_of

TAKEN = ("rank", "team", "decided_by", "provisional", "lot_needed", "shared", "bracket")
"""What a tie-break cannot be called, since answers use it."""

PENALTY_STEP = 10
"""Penalties are multiples of it, so that the points of a hand stay multiples of the cards' (RULINGS)."""

Misfit = tuple[str, str, str]
"""The dotted key, the problem, what is allowed there."""


def misfits(preset: Preset) -> Iterator[Misfit]:
    """Every misfit, in the preset's order; none in a preset that can be used."""
    entry = preset.entry
    if entry.players_max.value < entry.players_min.value:
        yield "entry.players_max", "is less than players_min", "the same number or more"
    first, last = entry.born_from.value, entry.born_to.value
    if first is not None and last is not None and last < first:
        yield "entry.born_to", "is before born_from", "the same day or later"
    yield from _match(preset)
    yield from _pack(preset)
    yield from _bands(preset)
    for code, row in preset.penalties.items():
        yield from _charge(f"penalties.{code}", row.value, preset.levels.point_step.value)
    yield from _tie_breaks(preset)
    yield from _stages(preset)
    if preset.appeals.allowed.value and preset.appeals.window_hours.value is None:
        yield "appeals.window_hours", "is missing", "an integer from 1 on"


def _tie_breaks(preset: Preset) -> Iterator[Misfit]:
    """Each tie-break has a name of its own in answers."""
    names = [terms_of(named).called for named in preset.standings.tie_breaks.value]
    if len(set(names)) != len(names):
        yield "standings.tie_breaks", "names a tie-break twice", "each once"
    for name in names:
        if name in TAKEN:
            yield "standings.tie_breaks", f"invalid name {name!r}", "a name that no other field of the standings has"


def stage_misfits(key: str, stages: Mapping[str, Ruled[Stage]]) -> Iterator[Misfit]:
    """The first stage takes the entries; a later one, the survivors of an earlier that leaves some."""
    leaving: list[str] = []
    for number, (name, stage) in enumerate(stages.items()):
        takes, here = stage.value.takes, f"{key}.{name}.takes"
        if number == 0 and (takes.stage, takes.who) != ("entries", "all"):
            yield here, f"invalid value {takes.stage!r}", "the entries, all"
        if number > 0 and (takes.stage not in leaving or takes.who != "survivors"):
            yield here, f"invalid value {takes.stage!r}", "the survivors of an earlier ladder"
        leaving += [name] if stage.value.format == "ladder" else []


def _match(preset: Preset) -> Iterator[Misfit]:
    """A match ends by the clock or by a number of hands."""
    match = preset.match
    if match.ends.value == "time" and match.minutes.value is None:
        yield "match.minutes", "is missing", "an integer from 1 on"
    if match.ends.value == "hands" and match.hands.value is None:
        yield "match.hands", "is missing", "an integer from 1 on"
    if match.points.win.value <= match.points.loss.value:
        yield "match.points.win", "is no more than loss", f"an integer from {match.points.loss.value + 1} on"
    if match.rounds.value is not None:
        ends = [band.up_to for band in match.rounds.value]
        limits = [end for end in ends[:-1] if end is not None]
        if not ends or ends[-1] is not None or len(limits) != len(ends) - 1 or limits != sorted(set(limits)):
            yield "match.rounds", "do not cover every number of teams once", "up_to rising, the last null"


def _stages(preset: Preset) -> Iterator[Misfit]:
    """A knock-out has terms, a ladder says where it stops, and a Swiss how many rounds it has."""
    formats: set[str] = {stage.value.format for stage in preset.stages.values()} or {preset.draws.format.value}
    if "swiss" in formats and preset.match.rounds.value is None:
        yield "match.rounds", "is missing", "up_to rising, the last null"
    if preset.draws.format.value == "zones_then_bracket":
        formats.add("ladder")
    if formats - {"swiss", "round_robin"} and preset.knockout is None:
        yield "knockout", "is missing", "an object"
    elif "ladder" in formats and preset.knockout is not None and preset.knockout.zone_survivors.value is None:
        yield "knockout.zone_survivors", "is missing", "an integer from 1 on"
    if preset.boards is not None:
        yield from stage_misfits("boards.stages", preset.boards.stages)
        yield from _boards(preset.boards)


def _boards(boards: Boards) -> Iterator[Misfit]:
    """Each event has its colours and its ways to end."""
    events = boards.events.value
    for key, named in (("colours", boards.colours.value), ("ways", boards.ways.value)):
        if set(named) != set(events):
            yield f"boards.{key}", "does not name every event once", ", ".join(events)


def _pack(preset: Preset) -> Iterator[Misfit]:
    """The four hands and the kitty are the pack."""
    cards = preset.cards
    dealt, pack = 4 * cards.hand.value + cards.kitty.value, 54 * cards.decks.value
    if cards.decks.value != 2:
        yield "cards.decks", f"invalid value {cards.decks.value}", "2"
    yield from _points(preset)
    if dealt != pack:
        yield "cards.kitty", f"leaves {dealt} of {pack} cards dealt", f"{pack - 4 * cards.hand.value}"
    if not preset.kitty.tractors.value:
        yield "kitty.tractors", "is empty", "a list, each an integer from 1 on"
    if preset.kitty.side.value is not None and not preset.kitty.side.value.tractors:
        yield "kitty.side.tractors", "is empty", "a list, each an integer from 1 on"


def _points(preset: Preset) -> Iterator[Misfit]:
    """Cards and penalties are multiples of what the points of a hand are multiples of."""
    step = preset.levels.point_step.value
    if PENALTY_STEP % step:
        yield "levels.point_step", f"does not divide the penalties' {PENALTY_STEP}", "1, 2, 5, 10"
    least = preset.levels.points_from.value
    if least is not None and preset.claims.penalty_sign.value == "against_offender":
        yield "levels.points_from", f"is {least} where penalties take points", "null"
    elif least not in (None, 0):
        yield "levels.points_from", f"invalid value {least}", "0 or null"
    if not preset.cards.points.value:
        yield "cards.points", "is empty", "an object"
    for rank, points in preset.cards.points.value.items():
        if points % step:
            yield f"cards.points.{rank}", f"is {points}, no multiple of {step}", f"multiples of {step}"


def _bands(preset: Preset) -> Iterator[Misfit]:
    levels = preset.levels
    dealer = [band.up_to for band in levels.dealer_bands.value]
    attackers = [band.points for band in levels.attacker_bands.value]
    step = levels.point_step.value
    odd = next((up_to for up_to in dealer if up_to % step), None)
    if odd is not None:
        yield (
            f"levels.dealer_bands[{dealer.index(odd)}].up_to",
            f"is {odd}, no multiple of {step}",
            f"multiples of {step}",
        )
    if not dealer or dealer != sorted(set(dealer)):
        yield "levels.dealer_bands", "are not in rising order", "at least one band, up_to rising"
    elif not attackers or attackers != sorted(set(attackers)):
        yield "levels.attacker_bands", "are not in rising order", "at least one band, points rising"
    elif attackers[0] != dealer[-1] + step:
        problem = f"begin at {attackers[0]} while the dealer's end at {dealer[-1]}"
        yield "levels.attacker_bands", problem, f"beginning at {dealer[-1] + step}"
    beyond = levels.beyond.value
    if beyond is not None and attackers and beyond.above < attackers[-1]:
        yield "levels.beyond", f"counts above {beyond.above}, inside the bands", f"{attackers[-1]} or more"


def _charge(key: str, charge: Charge, step: int) -> Iterator[Misfit]:
    """What the referee prices has a range, and nothing else has one; what an article leaves open holds its price."""
    span = charge.leeway
    if charge.points % PENALTY_STEP:
        yield f"{key}.points", f"is {charge.points}, no multiple of {PENALTY_STEP}", f"multiples of {PENALTY_STEP}"
    if span is not None and (charge.formula == "referee" or not span.least <= charge.points <= span.most):
        yield f"{key}.leeway", f"does not hold the price {charge.points}", f"least and most around {charge.points}"
    elif span is not None and (span.least % step or span.most % step):
        yield f"{key}.leeway", f"is in no steps of {step}", f"multiples of {step}"
    if charge.formula == "referee":
        if charge.halves is None:
            yield f"{key}.halves", "is missing", "an object with least, most"
        elif charge.halves.most < charge.halves.least:
            yield f"{key}.halves", "is less than least", "the same number or more"
    elif charge.halves is not None or charge.compensation:
        yield f"{key}.formula", f"expected `referee`, got `{charge.formula}`", "referee"
