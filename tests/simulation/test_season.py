"""Guarantee: "The real code on a fake clock, store and log with random faults: 200 seeds of 200 commands." The four
services as they are wired for production: at the end the log equals the commits, every read model equals a plain
fold of the logs and its rebuild, each accepted command was done once with one answer, every policy took effect once,
and no deposit is lost.

A failure names its seed and the last steps; `PAILU_SEED=17 pytest tests/simulation/test_season.py` runs that one."""

from __future__ import annotations

import functools
import os
from collections import Counter
from datetime import timedelta
from typing import Any

import msgspec
import pytest

from services.appeals.effects import effect, suppose
from services.appeals.facts import Case
from services.appeals.ledger import balances
from services.appeals.model import APPEAL, Appeal
from services.appeals.play import EVENTS, play_of
from services.appeals.projections import match_key, matches
from services.match.commands import rounds_stream
from services.match.model.rounds import ROUNDS, Rounds, as_competition, evolve, round_of
from shared.contracts.appeals import AppealPartlyUpheld, AppealUpheld, AppealWindowClosed, DecisionOverdue
from shared.contracts.match import RulingApplied
from shared.eventsourcing.records import Envelope
from shared.rules.formats.lots import with_lots
from shared.rules.formats.standings import Row, standings
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.reference import resolve
from tests.support.season import Director, Season
from tests.support.simulation import Simulation
from tests.unit.appeals.desk import case as disputed

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


def check_timers(season: Season) -> int:
    """No window closes twice, no date passes twice, and no window that has not closed is said to have."""
    fired: list[tuple[Any, ...]] = []
    for at in season.entries("appeals"):
        event = season.codec.decode(at.type, at.type_version, at.data)
        if isinstance(event, AppealWindowClosed):
            fired.append((event.competition, event.round, event.round_closed_at))
            assert event.waived or at.received_at > event.closes == event.round_closed_at + timedelta(hours=24)
        if isinstance(event, DecisionOverdue):
            fired.append((event.competition, event.appeal, event.due_at))
            assert at.received_at > event.due_at
    assert len(set(fired)) == len(fired)
    return len(fired)


def check_previews(season: Season, competition: str) -> int:
    """The desk foresees each ruling as match then made it, and its standings before and after are those of match's own
    model over the log up to the ruling, and with it."""
    log = [(e, season.codec.decode(e.type, e.type_version, e.data)) for e in season.entries("match")]
    log = [(e, event) for e, event in log if e.competition == competition]
    rounds = [event for e, event in log if e.stream == rounds_stream(competition)]
    counted = 0
    for at, ruling in log:
        if not isinstance(ruling, RulingApplied):
            continue
        before = rounds[: rounds.index(ruling)]
        desk = play_of(event for event in before if isinstance(event, EVENTS))
        own = functools.reduce(evolve, before, Rounds(competition=competition))
        preset = resolve(own.regulation, own.changes)
        seen = effect(preset, desk, ruling)
        assert [*seen.before] == standing_of(preset, own)
        assert [*seen.after] == standing_of(preset, evolve(own, ruling))
        case = case_of(own, ruling, [(e, event) for e, event in log if e.position < at.position])
        if ruling.match not in round_of(own, ruling.round).reopened:
            assert suppose(case, desk, ruling.appeal, ruling.remedy, ruling.later).after == ruling.after
        counted += 1
    return counted


def standing_of(preset: Preset, state: Rounds) -> list[Row]:
    """The standings as match computes them when places are put forward."""
    return standings(preset, with_lots(preset, as_competition(state), state.lots))


def case_of(state: Rounds, ruling: RulingApplied, log: list[tuple[Envelope, Any]]) -> Case:
    """The match as the desk's read model has it after these events of match."""
    row = matches.blank(match_key(state.competition, ruling.match))
    for key, event, at in matches.work((event, at) for at, event in log):
        if key == row.id:
            matches.fold(row, event, at)
    return msgspec.structs.replace(
        disputed(),
        preset=resolve(state.regulation, state.changes),
        match=ruling.match,
        round=ruling.round,
        sheet=row.sheet(),
        rulings=row.standing_rulings(),
        result=row.result(),
    )


@pytest.mark.parametrize("begin", range(0, len(SEEDS), GROUP))
def test_any_season_ends_with_everything_once(begin: int) -> None:
    lives = [live(seed) for seed in SEEDS[begin : begin + GROUP]]
    rulings = closed = foreseen = fired = 0
    for life in lives:
        season = life.world
        assert isinstance(season, Season)
        rulings += check_rulings(season)
        fired += check_timers(season)
        for competition in season.competitions():
            check_money(season, competition)
            foreseen += check_previews(season, competition)
            rounds: Rounds = season.truth("match", rounds_stream(competition), ROUNDS)
            closed += sum(current.closed for current in rounds.rounds)
    if len(SEEDS) > 1:
        assert sum(life.crashes for life in lives) > len(lives), "nothing happened"
        assert closed > len(lives), "hardly a round was played"
        assert rulings > 0, "no decision became a ruling"
        assert foreseen == rulings
        assert fired > 0, "nothing fell due"
