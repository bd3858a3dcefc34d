"""The events of 象棋 and 围棋 held beside the cards."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from shared.rules.basis import Ruled
from shared.rules.regulations.preset.stages import Stage
from shared.rules.regulations.preset.values import Count, Positive

Way = Literal["mate", "resignation", "time", "forfeit", "adjudication", "count", "agreement"]
"""How a board game ends: mate 将死、困死; resignation 认输; time 超时; forfeit 弃权; adjudication 判决; count 数子;
agreement 议和."""


class BoardPoints(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Match points of a board game."""

    win: Ruled[Count]
    draw: Ruled[Count]
    loss: Ruled[Count]


class Boards(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The 象棋 and 围棋 events held beside the cards. rules: whose; clocks: whether they are used; points: of a game;
    colours: by event, the one that moves first, then the other; ways: by event, how a game may end;
    round_robin_up_to: so many players or fewer play each other; more of them play the `stages`, of which a ladder stops
    when so many are left."""

    events: Ruled[tuple[str, ...]]
    rules: Ruled[str]
    clocks: Ruled[bool]
    points: BoardPoints
    colours: Ruled[dict[str, tuple[str, str]]]
    ways: Ruled[dict[str, tuple[Way, ...]]]
    format: Ruled[Literal["by_entries"]]
    round_robin_up_to: Ruled[Positive]
    stages: dict[str, Ruled[Stage]] = {}
