"""The events of 象棋 and 围棋 held beside the cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

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
    when so many are left; own_articles: by event, which article says of it what another says of the rest."""

    events: Ruled[tuple[str, ...]]
    rules: Ruled[str]
    clocks: Ruled[bool]
    points: BoardPoints
    colours: Ruled[dict[str, tuple[str, str]]]
    ways: Ruled[dict[str, tuple[Way, ...]]]
    format: Ruled[Literal["by_entries"]]
    round_robin_up_to: Ruled[Positive]
    stages: dict[str, Ruled[Stage]] = {}
    own_articles: Ruled[dict[str, dict[str, str]]] | None = None


def terms_of_event(boards: Boards, event: str) -> Boards:
    """The terms of a board event, each value under the article that says it of this event."""
    own = boards.own_articles.value.get(event, {}) if boards.own_articles else {}
    cited: Boards = _cited(boards, own)
    return cited


def _cited(node: Any, own: Mapping[str, str]) -> Any:
    if isinstance(node, Ruled):
        return replace(node, article=own.get(node.article, node.article))
    if isinstance(node, Struct):
        return replace(node, **{name: _cited(getattr(node, name), own) for name in node.__struct_fields__})
    if isinstance(node, dict):
        return {key: _cited(value, own) for key, value in node.items()}
    return node
