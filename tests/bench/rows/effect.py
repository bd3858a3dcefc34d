"""A committee's preview in a competition of 200 teams after six rounds, over the embedded store: `GET …/effect` from
the request to its answer. It reads the match in dispute and what decides the standings, and computes them twice."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from structlog.testing import capture_logs

from services.appeals import app
from services.appeals.projections import appeals
from shared.web.identity import Identity, mint
from tests.bench.bench import Bench, Row
from tests.bench.history import write
from tests.bench.measuring import Line, Tick, absolute
from tests.bench.season import ROUNDS, TEAMS, competition

TIMES = 15
MOST_MS = 300
TICKS = 12


def measure(bench: Bench, tick: Tick) -> Sequence[Line]:
    client = bench.client(bench.store())
    season = list(competition(0))
    service = write(client, season, tick).services(["appeals"])["appeals"]
    while service.engine.projection.step():
        pass
    rows = service.engine.reader.find(appeals, {"listed": season[0][0]}, "order")
    last = max(rows, key=lambda row: row.round)
    path = f"/competitions/{last.competition}/appeals/{last.appeal}/effect?remedy=award_match&team={last.team}"
    member = Identity(sub="chair", role="committee")
    token = mint(member, service.secret, datetime.now(UTC), timedelta(hours=1))
    asker, headers = app.create_app(service).test_client(), {"Authorization": f"Bearer {token}"}
    taken = []
    for _ in range(TIMES + 1):
        begin = time.perf_counter()
        with capture_logs():
            shown = asker.get(path, headers=headers).get_json()
        taken.append((time.perf_counter() - begin) * 1000)
        assert (len(shown["rows"]), shown["status"]) == (TEAMS, "preview")
        tick()
    what = f"a preview with {TEAMS} teams after {ROUNDS} rounds"
    return [absolute("effect", what, statistics.median(taken[1:]), "ms", MOST_MS, taken[1:])]


ROW = Row("effect", "a committee's preview", TICKS + TIMES + 1, measure)
