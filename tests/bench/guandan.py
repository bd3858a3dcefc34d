"""Measures 掼蛋: comparing plays with wild cards, and replaying complete hands.

Run: `python -m tests.bench.guandan`. Prints a second's work of each row, the median of the rounds, in processor time of
one process, with what the row has to reach. Plays and hands are drawn from seeds, and half of the plays hold a wild;
nothing remembers a play, so that it does not matter whether one comes twice.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from shared.rules.dice import Dice
from shared.rules.guandan.ask import ask_replay
from shared.rules.guandan.cards import LEVELS
from shared.rules.guandan.moves import Moves, by_rank
from shared.rules.guandan.plays import compare
from shared.rules.guandan.random_hands import DECK, random_hand
from shared.rules.guandan.readings import beats, table
from shared.rules.guandan.replay import replay
from shared.rules.regulations import GuandanPreset, load_any

PLAYS, HANDS, ROUNDS = 20_000, 500, 7


def plays(preset: GuandanPreset, level: str, count: int) -> list[list[str]]:
    """Cards that are a play under the level, as tokens; every second one holds a wild."""
    dice = Dice(18)
    wild = f"H{level}"
    moves = Moves(table(preset.plays, level))  # type: ignore[arg-type]
    found: list[list[str]] = []
    while len(found) < count:
        hand = [wild, *dice.shuffled(DECK)[:26]]
        held = by_rank(hand, wild)
        fitting = [move for move in moves.fitting(hand, None) if bool(move.wilds) == bool(len(found) % 2)]
        for move in (dice.choice(fitting) for _ in range(20)):
            cards = [card for rank, need in move.ranks for card in dice.shuffled(held[rank])[:need]]
            found.append(dice.shuffled(cards + [wild] * move.wilds))
    return found


def rate(work: Callable[[], object], count: int) -> float:
    """Pieces of work a second, the median of the rounds."""
    took = []
    for _ in range(ROUNDS):
        begun = time.process_time()
        work()
        took.append(time.process_time() - begun)
    return count / statistics.median(took)


def main() -> None:
    """Print the rows."""
    preset = load_any("ahut-2018")
    assert isinstance(preset, GuandanPreset)
    level = LEVELS[3]
    cards = plays(preset, level, 2 * PLAYS)
    pairs = list(zip(cards[::2], cards[1::2], strict=True))
    texts = [(" ".join(one), " ".join(two)) for one, two in pairs]
    readings = table(preset.plays, level)
    encoded = [(readings.encode(one), readings.encode(two)) for one, two in pairs]
    strengths = readings.strengths

    def from_codes() -> None:
        for one, two in encoded:
            beats(strengths(one)[0], strengths(two)[0])

    def from_tokens() -> None:
        for one, two in pairs:
            compare(preset, level, one, two)

    def from_text() -> None:
        for one, two in texts:
            compare(preset, level, one.split(), two.split())

    hands = [random_hand(preset, seed).record for seed in range(HANDS)]
    acts = sum(len(hand["plays"]) for hand in hands) / HANDS
    rows = [
        ("compare, encoded plays", rate(from_codes, len(pairs)), 100_000),
        ("compare, lists of cards", rate(from_tokens, len(pairs)), 100_000),
        ("compare, text", rate(from_text, len(pairs)), 100_000),
        (f"replay, complete hands of {acts:.0f} acts", rate(lambda: [replay(preset, h) for h in hands], HANDS), 1_500),
        ("replay, with the answer", rate(lambda: [ask_replay(preset, {"record": h}) for h in hands], HANDS), 1_500),
    ]
    for name, reached, wanted in rows:
        print(f"{name:40} {reached:12,.0f}/s   to reach {wanted:8,}/s   x {reached / wanted:.1f}")  # noqa: T201


if __name__ == "__main__":
    main()
