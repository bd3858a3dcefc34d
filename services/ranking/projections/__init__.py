"""Ranking's read model, from three topics in any order. In reading order: `folding` (a fold with two uses), `books`
(what decides standings), `matches` (what is being played), `entrants` (who entered, for team totals), `cards` (lists),
`shown` (what listeners are told), `history` (earlier moments, and what happened)."""

from typing import Any

from services.ranking.projections.books import Book, Places, Round, Seat, beside, book, books
from services.ranking.projections.cards import LISTED, Card, card_beside, cards
from services.ranking.projections.entrants import Entrant, EntrantRow, Since, entrants
from services.ranking.projections.folding import Folds, Placed, Told
from services.ranking.projections.history import Happened, decided, stretch_key, stretches, stretches_of
from services.ranking.projections.matches import MatchRow, Sum, match, match_key, matches, sum_of
from shared.eventsourcing.projector import Projection, View
from shared.web.credentials import revoked

VIEWS: list[View[Any]] = [revoked, stretches, decided, matches, entrants, books, cards]
"""Stored in this order: a card is never ahead of its book."""
PROJECTION = Projection("ranking", 18, ["registration", "match", "appeals"], VIEWS)

__all__ = [
    "LISTED",
    "PROJECTION",
    "Book",
    "Card",
    "Entrant",
    "EntrantRow",
    "Folds",
    "Happened",
    "MatchRow",
    "Placed",
    "Places",
    "Round",
    "Seat",
    "Since",
    "Sum",
    "Told",
    "beside",
    "book",
    "books",
    "card_beside",
    "cards",
    "decided",
    "entrants",
    "match",
    "match_key",
    "matches",
    "stretch_key",
    "stretches",
    "stretches_of",
    "sum_of",
]
