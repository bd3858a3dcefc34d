"""Questions about plays: what cards can be read as, which of two wins, whether one beats another (二.1, 二.2).

Cards are lists of tokens that `cards.read_cards` has checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from shared.rules.basis import Basis, gather
from shared.rules.guandan.cards import WILD
from shared.rules.guandan.readings import Reading, Readings, beats, read_reading, table, weakest_beating
from shared.rules.regulations.guandan import GuandanPlays, GuandanPreset
from shared.rules.regulations.preset import Level

Winner = Literal["first", "second", "neither"]


class Beaten(Struct, frozen=True):
    """Whether a play beats the led one, and by which reading: its weakest that does, None when none does."""

    beats: bool
    reading: Reading | None


def classify(preset: GuandanPreset, level: Level, cards: Sequence[str]) -> list[Reading]:
    """Every reading of the cards, strongest first; kinds that do not compare in the order plate, tube, straight, full
    house, triple, pair, single. Empty when the cards are no play."""
    readings = table(preset.plays, level)
    return [readings.reading(strength) for strength in readings.strengths(readings.encode(cards))]


def compare(
    preset: GuandanPreset,
    level: Level,
    first: Sequence[str],
    second: Sequence[str],
    first_reading: object = None,
    second_reading: object = None,
) -> Winner:
    """Which of two plays beats the other; a reading not given is the strongest.

    `neither`: equal, of kinds that do not compare, or no play. Raises RuleError `bad_value` for a reading that the
    cards do not have.
    """
    readings = table(preset.plays, level)
    one = _standing(readings, first, first_reading, "first_reading")
    two = _standing(readings, second, second_reading, "second_reading")
    if one is None or two is None:
        return "neither"
    return "first" if beats(one, two) else "second" if beats(two, one) else "neither"


def beats_led(
    preset: GuandanPreset, level: Level, led: Sequence[str], play: Sequence[str], led_reading: object = None
) -> Beaten:
    """Whether some reading of `play` beats the led play, and the weakest that does.

    The led play stands in its strongest reading unless one is given; nothing beats cards that are no play. Raises
    RuleError `bad_value` for a reading that the led cards do not have.
    """
    readings = table(preset.plays, level)
    standing = _standing(readings, led, led_reading, "led_reading")
    if standing is None:
        return Beaten(False, None)
    found = weakest_beating(readings.strengths(readings.encode(play)), standing)
    return Beaten(found is not None, None if found is None else readings.reading(found))


def plays_basis(plays: GuandanPlays, level: Level, *sets: Sequence[str]) -> tuple[Basis, ...]:
    """What the readings of these sets of cards rest on: the kinds and the order, and what the regulation leaves open
    where it matters for them."""
    readings = table(plays, level)
    bases = [plays.straight.basis, plays.straight_flush_over.basis]
    for cards in sets:
        encoded = readings.encode(cards)
        wilds = encoded & (3 * WILD)
        kinds = {readings.reading(strength).kind for strength in readings.strengths(encoded)}
        if wilds:
            bases.append(plays.wild.basis)
        if wilds and wilds == len(cards) * WILD:
            bases.append(plays.wild_alone.basis)
        if "straight_flush" in kinds and not wilds:
            bases.append(plays.suited_straight.basis)
        if "full_house" in kinds and any(card in ("LJ", "BJ") for card in cards):
            bases.append(plays.full_house_joker_pair.basis)
    return gather(bases)


def _standing(readings: Readings, cards: Sequence[str], reading: object, field: str) -> int | None:
    """The strength of a play as declared, or of its strongest reading; None for no play."""
    strengths = readings.strengths(readings.encode(cards))
    if reading is not None:
        return read_reading(reading, strengths, readings, field)
    return strengths[0] if strengths else None
