"""What can be wrong with any play: its turn, its time, cards that its seat did not hold."""

from __future__ import annotations

from collections.abc import Sequence

from shared.rules.shengji.irregularities import pace
from shared.rules.shengji.replay.table import Act, Table


def judge_turn(table: Table, act: Act) -> None:
    """A play whose seat was not to play."""
    rows = ("out_of_turn",) if act.number else ("lead_out_of_turn", "out_of_turn")
    table.breach(act, "out_of_turn", act.cards, table.preset.conduct.turn, rows, (max(len(act.cards), 1),) * 2)


def judge_time(table: Table, act: Act) -> None:
    """A play that took longer than the regulation gives."""
    limit = table.preset.match.play_seconds
    seconds = None if act.given is None else act.given.seconds
    if limit is not None and limit.value is not None and seconds is not None and seconds > limit.value:
        table.breach(act, "slow_play", act.cards, pace(table.preset), ("slow_play",), (max(len(act.cards), 1),) * 2)


def not_held(table: Table, act: Act, strange: Sequence[int], late: bool) -> None:
    """Cards of a play that its seat did not hold; late: nothing can be put right any more."""
    rows = ("card_not_held", "wrong_card_late" if late else "wrong_card")
    table.breach(act, "card_not_held", strange, table.preset.conduct.held, rows, (len(strange),) * 2)


def not_in_hand(table: Table, act: Act, cards: Sequence[int]) -> list[int]:
    """Of cards taken back those that the hand does not hold so often, each once."""
    counts = table.hands[act.seat].counts
    return [card for card in set(cards) if cards.count(card) > counts[card]]
