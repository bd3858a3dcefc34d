"""A phone that was without a net for hours: the hands that it held sent as one batch, beside as many posts one after
the other on one connection, to the same `pailu up`."""

from __future__ import annotations

from collections.abc import Sequence

from tests.bench.bench import Bench, Row
from tests.bench.hall import Hall
from tests.bench.measuring import Line, Tick, faster, pairs, ticks
from tests.bench.web import pailu_up

TABLES, HANDS = 100, 5
HELD = TABLES * HANDS


def measure(bench: Bench, tick: Tick) -> Sequence[Line]:
    up = bench.held.enter_context(pailu_up(bench.folder()))

    def hall(name: str) -> Hall:
        made = Hall(up.ports, name, 2 * TABLES)
        made.standings(made.paired)
        return made

    sent, posted = hall("batch"), hall("posts")

    def batch(number: int) -> None:
        done = sent.enter(sent.held(sent.matches, number * HANDS + 1, (number + 1) * HANDS))
        assert done.json["counts"] == {"201": HELD}, done.json["counts"]

    def posts(number: int) -> None:
        for hand in posted.hands(posted.matches, number * HANDS + 1, (number + 1) * HANDS):
            assert posted.enter(hand).status == 201

    what = f"{HELD} held hands in one batch"
    return [faster("batch", what, f"{HELD} posts one after the other", pairs(batch, posts, tick), reach=4)]


ROW = Row("batch", "held hands in one batch", ticks(), measure)
