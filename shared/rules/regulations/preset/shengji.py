"""A regulation of 升级 or 拖拉机."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from shared.rules.basis import Ruled, Text
from shared.rules.regulations.preset.appeals import Appeals
from shared.rules.regulations.preset.boards import Boards
from shared.rules.regulations.preset.conduct import Conduct
from shared.rules.regulations.preset.dealing import Deal, Trump
from shared.rules.regulations.preset.entry import Dates, Entry
from shared.rules.regulations.preset.levels import LevelTable
from shared.rules.regulations.preset.match import Match
from shared.rules.regulations.preset.penalties import Charge, Claims
from shared.rules.regulations.preset.places import Awards, Standings, Union
from shared.rules.regulations.preset.play import Cards, Follow, Kitty, Ruffs, Throws, Tractors
from shared.rules.regulations.preset.stages import Draws, Knockout, Stage
from shared.rules.regulations.preset.values import Positive


class Preset(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A regulation of 升级 or 拖拉机 that engines can read. Made by `loader.load`, changed by `changes.changed`.

    stages: by name, in the order played; left out, those of `draws.format`; knockout, union, boards: null where the
    regulation has no such part.
    """

    name: str
    version: Positive
    game: Literal["shengji"]
    title: Text
    zone: Ruled[str]
    dates: Dates
    entry: Entry
    match: Match
    cards: Cards
    tractors: Tractors
    conduct: Conduct
    follow: Follow
    throws: Throws
    ruffs: Ruffs
    kitty: Kitty
    levels: LevelTable
    trump: Trump
    deal: Deal
    claims: Claims
    penalties: dict[str, Ruled[Charge]]
    standings: Standings
    awards: Awards
    appeals: Appeals
    draws: Draws
    stages: dict[str, Ruled[Stage]] = {}
    knockout: Knockout | None = None
    union: Union | None = None
    boards: Boards | None = None
