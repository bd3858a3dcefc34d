"""A competition's rounds stream: seed, draw, pairing, absence, time, closing and reopening."""

from services.match.model.rounds.closing import call_time, close_round, post_results, reopen_round
from services.match.model.rounds.drawing import DRAW, Entered, commit_seed, draw
from services.match.model.rounds.pairing import announce_absence, pair_next, withdraw_team
from services.match.model.rounds.state import (
    ROUNDS,
    Events,
    Round,
    Rounds,
    as_competition,
    check_drawn,
    evolve,
    match_id,
    names_match,
    round_of,
    seat_of,
)

__all__ = [
    "DRAW",
    "ROUNDS",
    "Entered",
    "Events",
    "Round",
    "Rounds",
    "announce_absence",
    "as_competition",
    "call_time",
    "check_drawn",
    "close_round",
    "commit_seed",
    "draw",
    "evolve",
    "match_id",
    "names_match",
    "pair_next",
    "post_results",
    "reopen_round",
    "round_of",
    "seat_of",
    "withdraw_team",
]
