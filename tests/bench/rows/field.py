"""A hand in a large field, from the log to the standings: of 1,000 teams after ten rounds, beside the same after one.

Its entry stands in the log; then the projection folds it and `GET /standings` answers. Neither may ask what the field
has played before."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from itertools import chain, islice
from random import Random

from structlog.testing import capture_logs

from deploy.wiring import PREFIX
from services.ranking import app
from tests.bench.bench import Bench, Row
from tests.bench.history import CHUNK, write
from tests.bench.measuring import Line, Tick, absolute, costlier, pairs, ticks
from tests.bench.season import Season, Writer
from tests.bench.writing import insert_entries

NAME, TEAMS = "large", 1_000
LONG, SHORT = 10, 1
HANDS = 10


def measure(bench: Bench, tick: Tick) -> Sequence[Line]:
    long, short = (_Field(bench, rounds, tick) for rounds in (LONG, SHORT))
    taken = pairs(long.enter, short.enter, tick)
    each = [seconds / HANDS * 1_000 for seconds in taken[0]]
    what = f"a hand among {TEAMS:,} teams until it is in the standings"
    return [
        costlier("field", f"{what}, after {LONG} rounds", taken),
        absolute("field", f"{what}, after {LONG} rounds", statistics.median(each), "ms", None, each),
    ]


class _Field:
    """Standings of a field that has played so many rounds and is in the next."""

    def __init__(self, bench: Bench, rounds: int, tick: Tick) -> None:
        season = Season(NAME, Random(rounds), TEAMS, rounds)
        self._hands = season.opened()
        begun = islice(self._hands, 1 + TEAMS // 2)
        client, self._writer = bench.client(bench.store()), Writer()
        history = ((NAME, one) for one in chain(season.told(), begun))
        service = write(client, history, tick, writer=self._writer).services(["ranking"])["ranking"]
        self._log = client[PREFIX + "match"]["log"]
        self._projection = service.engine.projection
        while self._projection.step():
            tick()
        self._asker = app.create_app(service).test_client()

    def enter(self, _round: int) -> None:
        """Some hands, one after the other."""
        for stream, events in islice(self._hands, HANDS):
            insert_entries(self._log, self._writer.entries(self._writer.commit(NAME, stream, events)))
            while self._projection.step():
                pass
            with capture_logs():
                shown = self._asker.get(f"/competitions/{NAME}/standings").get_json()
            assert len(shown["rows"]) == TEAMS


ROW = Row("field", "a hand in a large field", 60_000 // CHUNK + ticks(), measure)
