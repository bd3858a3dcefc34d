"""Ranking's read model, from three topics in any order. In reading order: `folding` (a fold with two uses), `books`
(what decides standings), `matches` (what is being played), `cards` (lists), `shown` (what listeners are told),
`history` (earlier moments, and what happened)."""

from services.ranking.projections.books import Book, Places, Round, Seat, book, books
from services.ranking.projections.cards import LISTED, Card, cards
from services.ranking.projections.folding import Folds, Placed
from services.ranking.projections.history import Happened, book_feed, history, history_key, live_feed, match_feed
from services.ranking.projections.matches import MatchRow, match, match_key, matches
from shared.eventsourcing.projector import Projection
from shared.web.credentials import revoked

PROJECTION = Projection("ranking", 5, ["registration", "match", "appeals"], [revoked, history, matches, books, cards])
"""Views are stored in this order: a card is never ahead of its book."""

__all__ = [
    "LISTED",
    "PROJECTION",
    "Book",
    "Card",
    "Folds",
    "Happened",
    "MatchRow",
    "Placed",
    "Places",
    "Round",
    "Seat",
    "book",
    "book_feed",
    "books",
    "cards",
    "history",
    "history_key",
    "live_feed",
    "match",
    "match_feed",
    "match_key",
    "matches",
]
