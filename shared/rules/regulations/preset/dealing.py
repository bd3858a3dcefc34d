"""Who deals, and how trumps are made."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from shared.rules.basis import Ruled


class Deal(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who deals, and whether a hand without trumps may be entered.

    first: who deals the first hand, first_overturn: what takes it from one who showed an ace, first_nobody: when nobody
    showed; kept, lost: the next dealer; overturn_moves_deal: whether an overturned trump moves the deal; twice_running:
    the same person dealing twice in a row; first_drawer, later_drawer: who takes the first card of a hand.
    """

    first: Ruled[Literal["first_to_show_trump", "first_to_show_ace"]]
    first_overturn: Ruled[Literal["two_identical_aces", "none"]]
    first_nobody: Ruled[Literal["redeal"]]
    kept: Ruled[Literal["partner", "same"]]
    lost: Ruled[Literal["next_seat"]]
    overturn_moves_deal: Ruled[bool]
    twice_running: Ruled[Literal["redeal", "allowed"]]
    first_drawer: Ruled[Literal["card_turned", "highest_cut", "dealer"]]
    later_drawer: Ruled[Literal["dealer", "card_turned"]]
    no_trump: Ruled[bool]


Showing = Literal["level_single", "level_pair", "small_jokers", "big_jokers"]
"""What trumps are shown with; the jokers as a pair."""


Until = Literal["dealing_ends", "kitty_taken", "dealer_leads"]
"""The act after which trumps are shown no more."""


class Trump(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How trumps are made.

    order: showings, each overturning those before it; strengthen: the twin may be added to a single shown (加固);
    overturn_own: one's own showing may be overturned by oneself; comeback `own_single_pair`: the owner of an overturned
    single may overturn a pair with that single's pair; dealers_until, attackers_until: the last chance; nobody_first,
    nobody_later: what happens in the first and in later hands when nobody shows; kitty_overturn: a trump that the kitty
    made can be overturned; redeal_poor: a hand without trumps or points asks for a new deal.
    """

    order: Ruled[tuple[Showing, ...]]
    joker_needed: Ruled[Literal[False]]
    strengthen: Ruled[bool]
    overturn_own: Ruled[bool]
    comeback: Ruled[Literal["own_single_pair", "none"]]
    dealers_until: Ruled[Until]
    attackers_until: Ruled[Until]
    nobody_first: Ruled[Literal["redeal", "first_not_joker", "first_level_card_else_last"]]
    nobody_later: Ruled[Literal["redeal", "first_not_joker", "first_level_card_else_last"]]
    kitty_overturn: Ruled[bool]
    redeal_poor: Ruled[Literal[False]]
