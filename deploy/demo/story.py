"""The whole story, act by act."""

from __future__ import annotations

from deploy.demo import appeal, finish, opening, rounds
from deploy.demo.stage import Stage


def tell(stage: Stage) -> None:
    """From the announcement to the rebuilt read models. Raises Failed at the first step that gives something else."""
    opening.announce(stage)
    closed = opening.enter(stage)
    opening.draw(stage, closed)
    for script in stage.script.rounds:
        closed = rounds.play_round(stage, script)
    position = appeal.final_standings(stage, closed)
    decided = appeal.appeal(stage, closed)
    appeal.compare(stage, position)
    appeal.events(stage)
    finish.ledger(stage)
    finish.places(stage, decided)
    finish.crosstable(stage)
    finish.rebuild(stage)
