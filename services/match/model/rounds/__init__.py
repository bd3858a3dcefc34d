"""A competition's rounds stream: seed, draw, pairing, absence, time, closing and reopening."""

from services.match.model.rounds.closing import (
    call_time,
    close_round,
    order_extra_hands,
    post_results,
    reopen_round,
)
from services.match.model.rounds.course import course_of
from services.match.model.rounds.drawing import BY_SEED, DRAW, Entered, Lots, commit_seed, draw
from services.match.model.rounds.pairing import (
    ByHand,
    PairOrder,
    announce_absence,
    lift_order,
    order_pair,
    pair_next,
    unpair,
    withdraw_team,
)
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
    "BY_SEED",
    "DRAW",
    "ROUNDS",
    "ByHand",
    "Entered",
    "Events",
    "Lots",
    "PairOrder",
    "Round",
    "Rounds",
    "announce_absence",
    "as_competition",
    "call_time",
    "check_drawn",
    "close_round",
    "commit_seed",
    "course_of",
    "draw",
    "evolve",
    "lift_order",
    "match_id",
    "names_match",
    "order_extra_hands",
    "order_pair",
    "pair_next",
    "post_results",
    "reopen_round",
    "round_of",
    "seat_of",
    "unpair",
    "withdraw_team",
]
