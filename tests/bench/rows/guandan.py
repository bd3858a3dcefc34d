"""掼蛋: comparing plays with wild cards, and replaying complete hands, in processor time of this process.

Plays and hands are drawn from seeds, and half of the plays hold a wild; nothing remembers a play, so that it does not
matter whether one comes twice."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shared.rules.dice import Dice
from shared.rules.guandan.ask import ask_replay
from shared.rules.guandan.cards import LEVELS
from shared.rules.guandan.moves import Moves, by_rank
from shared.rules.guandan.plays import compare
from shared.rules.guandan.random_hands import DECK, random_hand
from shared.rules.guandan.readings import beats, table
from shared.rules.guandan.replay import replay
from shared.rules.regulations import GuandanPreset, load_any
from tests.bench.bench import Bench, Row
from tests.bench.measuring import ROUNDS, Line, Tick, rate, worked

PLAYS, HANDS = 20_000, 500
COMPARED, REPLAYED = 100_000, 1_500


def measure(_bench: Bench, tick: Tick) -> Sequence[Line]:
    preset = load_any("ahut-2018")
    assert isinstance(preset, GuandanPreset)
    hands = [random_hand(preset, seed).record for seed in range(HANDS)]
    tick()

    def replayed() -> None:
        for hand in hands:
            replay(preset, hand)

    def answered() -> None:
        for hand in hands:
            ask_replay(preset, {"record": hand})

    works: tuple[tuple[str, int, int, Callable[[], object]], ...] = (
        *_comparing(preset),
        ("replay complete 掼蛋 hands", HANDS, REPLAYED, replayed),
        ("with the answer of pailu ask", HANDS, REPLAYED, answered),
    )
    tick()
    return [rate("guandan", what, worked(work, count, tick), reach) for what, count, reach, work in works]


def _comparing(preset: GuandanPreset) -> list[tuple[str, int, int, Callable[[], object]]]:
    level = LEVELS[3]
    cards = _plays(preset, level, 2 * PLAYS)
    pairs = list(zip(cards[::2], cards[1::2], strict=True))
    texts = [(" ".join(one), " ".join(two)) for one, two in pairs]
    readings = table(preset.plays, level)
    encoded = [(readings.encode(one), readings.encode(two)) for one, two in pairs]
    strengths = readings.strengths

    def from_codes() -> None:
        for one, two in encoded:
            beats(strengths(one)[0], strengths(two)[0])

    def from_cards() -> None:
        for one, two in pairs:
            compare(preset, level, one, two)

    def from_text() -> None:
        for one, two in texts:
            compare(preset, level, one.split(), two.split())

    return [
        ("compare 掼蛋 plays, every second with a wild", PLAYS, COMPARED, from_cards),
        ("the same from text", PLAYS, COMPARED, from_text),
        ("the same, plays encoded before", PLAYS, COMPARED, from_codes),
    ]


def _plays(preset: GuandanPreset, level: str, count: int) -> list[list[str]]:
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


ROW = Row("guandan", "compare 掼蛋 plays, replay 掼蛋 hands", 2 + 5 * (ROUNDS + 1), measure)
