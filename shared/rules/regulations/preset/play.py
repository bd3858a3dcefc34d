"""The pack, what is led and followed, and what the last trick brings."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from shared.rules.basis import Ruled
from shared.rules.regulations.preset.values import Count, Positive


class Cards(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The pack. points: by rank, of one card; hand and kitty count cards.

    order: jokers, the main level card, the other level cards (equal), the trump suit, the other suits; equal: which of
    equal highest plays wins.
    """

    order: Ruled[Literal["jokers_levels_trumps"]]
    equal: Ruled[Literal["played_first"]]
    decks: Ruled[Positive]
    hand: Ruled[Positive]
    kitty: Ruled[Count]
    points: Ruled[dict[Literal["5", "T", "K"], Count]]


class Tractors(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a tractor is: consecutive pairs of one suit, or of trumps.

    skip_level: the pairs beside the level are consecutive (隔拖); ladder `joined`: the trump suit goes on through an
    off-suit level pair, the main level pair, small and big jokers, `suit_only`: it ends with its highest card;
    level_pairs `first_by_suit`: of several off-suit level pairs the first by S H C D is the one that a tractor takes.
    """

    skip_level: Ruled[bool]
    ladder: Ruled[Literal["joined", "suit_only"]]
    level_pairs: Ruled[Literal["first_by_suit"]]


class Follow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a hand that has the led suit must give of it.

    suit: cards of the led suit first; pairs: as many as were led, or nothing but the suit; tractors: the led length,
    else the longest shorter one, again while cards are due, or no more than pairs; void: what a hand without the suit
    may do.
    """

    suit: Ruled[Literal["must_follow"]]
    pairs: Ruled[Literal["as_many_as_led", "none"]]
    tractors: Ruled[Literal["led_or_longest", "none"]]
    void: Ruled[Literal["anything"]]


class Throws(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Leads of several components of one suit (甩牌).

    checked_against: whose cards can beat a component; must_play: what is led when it fails; counted: the cards that the
    penalty `failed_throw` counts, those of all beaten components or those taken back.
    """

    allowed: Ruled[bool]
    checked_against: Ruled[Literal["three_hands"]]
    must_play: Ruled[Literal["lowest_beaten"]]
    counted: Ruled[Literal["beaten", "taken_back"]]


class Ruffs(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Trumps on a side suit. format: they must divide into the led components; over: what parts two ruffs."""

    format: Ruled[Literal["divisible"]]
    over: Ruled[Literal["highest_of_longest_kind"]]


class Multipliers(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Kitty multipliers of a last trick; see `Kitty`."""

    single: Positive
    pair: Positive
    tractors: tuple[Positive, ...]


class Kitty(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What multiplies the kitty's points when the attackers win the last trick.

    tractors: by length from two pairs on; longer: each further pair doubles the last of them, or adds what a pair gives
    (`linear`); side: the multipliers where the winning play is of a side suit, null where that makes no difference;
    format: whose components count; throw: which of them; to_dealers: how often the dealer side gets the points.
    """

    single: Ruled[Positive]
    pair: Ruled[Positive]
    tractors: Ruled[tuple[Positive, ...]]
    longer: Ruled[Literal["double", "linear"]]
    side: Ruled[Multipliers | None]
    format: Ruled[Literal["led"]]
    throw: Ruled[Literal["highest_component"]]
    to_dealers: Ruled[Literal["once"]]
