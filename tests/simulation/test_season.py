"""Guarantee: "The real code on a fake clock, store and log with random faults: 200 seeds of 200 commands." The four
services as they are wired for production: at the end the log equals the commits, every read model equals a plain
fold of the logs and its rebuild, each accepted command was done once with one answer, every policy took effect once,
and no deposit is lost.

A failure names its seed and the last steps; `PAILU_SEED=17 pytest tests/simulation/test_season.py` runs that one."""

from __future__ import annotations

import os
from collections import Counter

import pytest

from services.appeals.ledger import balances
from services.appeals.model import APPEAL, Appeal
from services.match.commands import rounds_stream
from services.match.model.rounds import ROUNDS, Rounds
from shared.contracts.appeals import AppealPartlyUpheld, AppealUpheld
from tests.support.kernel import Simulation
from tests.support.season import Director, Season

COMMANDS = 200
SEEDS = [int(os.environ["PAILU_SEED"])] if "PAILU_SEED" in os.environ else list(range(200))
GROUP = 20


def live(seed: int) -> Simulation:
    simulation = Simulation(seed, Season, lambda s: Director(s).order(), rate=(0.001, 0.005, 0.02)[seed % 3])
    simulation.run(COMMANDS)
    return simulation


def check_rulings(season: Season) -> int:
    """Every decision with a remedy became one ruling."""
    decided = [
        (e.competition, event.appeal)
        for e in season.entries("appeals")
        if isinstance(event := season.codec.decode(e.type, e.type_version, e.data), AppealUpheld | AppealPartlyUpheld)
        and event.remedy.kind != "none"
    ]
    ruled = [
        (e.competition, season.codec.decode(e.type, e.type_version, e.data).appeal)
        for e in season.entries("match")
        if e.type == "RulingApplied"
    ]
    assert Counter(ruled) == Counter(decided)
    return len(ruled)


def check_money(season: Season, competition: str) -> None:
    """To the fen: what goes out of one account comes into another, and of an appeal that has ended nothing is held."""
    entries = [e for e in season.entries("appeals") if e.stream == f"ledger/{competition}"]
    accounts = balances(season.codec.decode(e.type, e.type_version, e.data) for e in entries)
    assert sum(accounts.values()) == 0
    for name in season.appeals(competition):
        state: Appeal = season.truth("appeals", f"appeal/{competition}/{name}", APPEAL)
        if state.outcome is not None:
            assert accounts.get(f"held:{name}", 0) == accounts.get(f"received:{name}", 0) == 0


@pytest.mark.parametrize("begin", range(0, len(SEEDS), GROUP))
def test_any_season_ends_with_everything_once(begin: int) -> None:
    lives = [live(seed) for seed in SEEDS[begin : begin + GROUP]]
    rulings = closed = 0
    for life in lives:
        season = life.world
        assert isinstance(season, Season)
        rulings += check_rulings(season)
        for competition in season.competitions():
            check_money(season, competition)
            rounds: Rounds = season.truth("match", rounds_stream(competition), ROUNDS)
            closed += sum(current.closed for current in rounds.rounds)
    if len(SEEDS) > 1:
        assert sum(life.crashes for life in lives) > len(lives), "nothing happened"
        assert closed > len(lives), "hardly a round was played"
        assert rulings > 0, "no decision became a ruling"
