"""Which papers an entry needs, and what kind of file bytes are."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from shared.rules.basis import Mark, Text
from shared.rules.entries.form import TeamEntry
from shared.rules.entries.persons import must_show
from shared.rules.entries.terms import terms
from shared.rules.regulations.papers import Media
from shared.rules.regulations.schema import AnyPreset


class Due(Struct, frozen=True, kw_only=True):
    """A paper that an entry needs. player: which of the entry's players it is of, None for the team's own; due, seal
    and media as `Paper` has them."""

    document: str
    player: int | None
    due: Literal["entries_close", "report"]
    seal: bool
    media: tuple[Media, ...]
    name: Text
    article: str
    mark: Mark


def due(preset: AnyPreset, entry: TeamEntry) -> list[Due]:
    """The papers of an entry in the preset's order, each player's beside the others' of the same kind."""
    rules, found = terms(preset), []
    for name, ruled in rules.documents.items():
        of: list[int | None] = [None]
        if ruled.value.of == "player":
            always = ruled.value.needed == "always"
            of = [n for n, player in enumerate(entry.players) if always or must_show(rules, entry, player)]
        found += [
            Due(
                document=name,
                player=player,
                due=ruled.value.due,
                seal=ruled.value.seal,
                media=ruled.value.media,
                name=Text(ruled.zh, ruled.en),
                article=ruled.article,
                mark=ruled.mark,
            )
            for player in of
        ]
    return found


_BEGINS = {"image/jpeg": b"\xff\xd8\xff", "image/png": b"\x89PNG\r\n\x1a\n", "application/pdf": b"%PDF-"}

KINDS: dict[Media, tuple[str, ...]] = {"image": ("image/jpeg", "image/png"), "pdf": ("application/pdf",)}
"""The media types of each kind of file."""


def looks_like(content: bytes) -> str | None:
    """The media type that a file's first bytes show, None for one that is not taken."""
    return next((media for media, begin in _BEGINS.items() if content.startswith(begin)), None)
