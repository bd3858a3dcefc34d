"""The papers that an entry needs, as a regulation lists them."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Media = Literal["image", "pdf"]
"""How a paper may be sent: a picture (JPEG or PNG), or a PDF."""


class Paper(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One kind of paper.

    of: one for the team, or one for each player; needed: always, or only of players who must show insurance and
    contract (see `Eligibility.papers_of`); due: when entries close, or when the team reports before play; seal: it
    counts only with the unit's seal; media: how it may be sent, empty where only the paper itself counts.
    """

    of: Literal["team", "player"]
    needed: Literal["always", "where_insured"] = "always"
    due: Literal["entries_close", "report"] = "entries_close"
    seal: bool = False
    media: tuple[Media, ...] = ("image", "pdf")
