"""How a card is put on the table, whatever it is: whose turn, how many, out of which hand, how soon."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from shared.rules.basis import Ruled


class Conduct(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What every play keeps to. A breach of it that no penalty prices cites it.

    turn: seats play one after the other, and who won the trick leads the next; count: each plays as many cards as were
    led; lead: cards of one suit; held: cards of the player's own hand; pace: a play is not drawn out, for how long
    `match.play_seconds` may say.
    """

    turn: Ruled[Literal["counter_clockwise"]]
    count: Ruled[Literal["as_led"]]
    lead: Ruled[Literal["one_suit"]]
    held: Ruled[Literal["own_hand"]]
    pace: Ruled[Literal["without_delay"]]
