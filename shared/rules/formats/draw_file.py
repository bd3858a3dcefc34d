"""A draw as it is published, the values of the file `pailu-draw/1`, and its verification.

```json
{"format": "pailu-draw/1", "regulation": "zhongshan-2013", "name": "…", "stage": "zones", "event": "cards",
 "commitment": "sha256 of the seed's bytes, hex", "seed": "hex",
 "teams": [{"id": "U1-1", "name": "…", "unit": "U1", "seed": 1}],
 "parts": {"A": ["U1-1", null], "B": ["U1-2"]}, "witness": ""}
```

Required are format, regulation, teams and, for a draw by lot, seed. `stage` is the regulation's first where it is left
out; `parts` is the result as published, what `pailu draw verify` compares and, with a `witness`, what the lots of the
hall gave; the order of a part is that of its bracket, null a bye, or of its lots. `not_kept` is what the answer says
of teams of one unit that stand close; it is not read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from shared.rules.errors import BadFile, DrawRefused
from shared.rules.formats.arrange import Entrant, NotKept, Seats
from shared.rules.formats.competition import Team, TeamId
from shared.rules.formats.drawing import StageDraw, draw_by_hand, draw_stage
from shared.rules.formats.draws import MIN_SEED, verify
from shared.rules.formats.reading import fields_of
from shared.rules.formats.stages import CARDS, StageTerms, stages_of
from shared.rules.regulations.schema import AnyPreset

FORMAT = "pailu-draw/1"


class BadDrawFile(BadFile):
    """A draw file that is not one."""

    code = "bad_draw_file"


class DrawFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a draw is made from, and its result where it was made."""

    regulation: str
    teams: tuple[Team, ...]
    name: str = ""
    stage: str = ""
    event: str = CARDS
    commitment: str = ""
    seed: str = ""
    parts: dict[str, tuple[TeamId | None, ...]] | None = None
    witness: str = ""
    not_kept: tuple[NotKept, ...] = ()


def from_file(data: object) -> DrawFile:
    """The draw in a decoded file. Raises BadDrawFile naming the place."""
    drawn = fields_of(data, FORMAT, ("regulation", "teams"), DrawFile, BadDrawFile)
    known: set[str] = set()
    seeds: set[int] = set()
    for index, team in enumerate(drawn.teams):
        if team.id in known:
            raise BadDrawFile(f"teams[{index}].id", f"{team.id!r} is given twice")
        if team.seed in seeds:
            raise BadDrawFile(f"teams[{index}].seed", f"seed {team.seed} is given twice")
        known.add(team.id)
        seeds |= {team.seed} if team.seed is not None else set()
    for place, value in (("seed", drawn.seed), ("commitment", drawn.commitment)):
        if re.fullmatch(r"(?:[0-9a-fA-F]{2})*", value) is None:
            raise BadDrawFile(place, f"{value!r} is not hexadecimal")
    if not drawn.seed and not drawn.witness:
        raise BadDrawFile("seed", "is missing")
    if drawn.seed and len(drawn.seed) < 2 * MIN_SEED:
        raise BadDrawFile("seed", f"has {len(drawn.seed) // 2} bytes; it needs {MIN_SEED}")
    if drawn.witness and drawn.parts is None:
        raise BadDrawFile("parts", "is missing")
    return drawn


def terms_of(preset: AnyPreset, drawn: DrawFile) -> StageTerms:
    """The stage that is drawn. Raises BadDrawFile for one that the regulation has not."""
    stages = stages_of(preset, len(drawn.teams), drawn.event)
    found = [terms for terms in stages if terms.code == drawn.stage] if drawn.stage else [stages[0]]
    if not found:
        raise BadDrawFile("stage", f"{drawn.stage!r} is no stage of this regulation")
    return found[0]


def made(preset: AnyPreset, drawn: DrawFile) -> StageDraw:
    """The draw: from the seed, or as the lots fell in the hall.

    Raises DrawRefused, also `not_committed` where the seed is not the one whose commitment was published.
    """
    terms, entrants = terms_of(preset, drawn), entrants_of(drawn)
    if drawn.witness:
        return draw_by_hand(terms, entrants, drawn.parts or {}, drawn.witness)
    seed = bytes.fromhex(drawn.seed)
    if drawn.commitment and not verify(seed, drawn.commitment):
        raise DrawRefused(
            "not_committed",
            "the seed is not the one whose commitment was published",
            "种子与公布的承诺值不符",
        )
    return draw_stage(terms, entrants, seed)


def entrants_of(drawn: DrawFile) -> Sequence[Entrant]:
    """Who is drawn."""
    return [Entrant(team.id, team.unit, team.seed) for team in drawn.teams]


Finding = Literal["not_committed", "no_commitment", "another_draw", "no_parts", "by_hand"]


class Verified(Struct, frozen=True, kw_only=True):
    """What came of repeating a published draw. findings: why it does not hold, empty where it does; differs: by part,
    the seats that the seed gives otherwise, from 1."""

    findings: tuple[Finding, ...]
    differs: dict[str, tuple[int, ...]]

    @property
    def holds(self) -> bool:
        """Whether the published data alone lead to this draw."""
        return not self.findings


def verified(preset: AnyPreset, drawn: DrawFile) -> Verified:
    """The published draw repeated from its own data. Lots of the hall rest on their witness and cannot be repeated.

    Raises BadDrawFile, DrawRefused `too_few`.
    """
    if drawn.witness:
        return Verified(findings=("by_hand",), differs={})
    findings: list[Finding] = []
    seed = bytes.fromhex(drawn.seed)
    if not drawn.commitment:
        findings.append("no_commitment")
    elif not verify(seed, drawn.commitment):
        findings.append("not_committed")
    if drawn.parts is None:
        return Verified(findings=(*findings, "no_parts"), differs={})
    again = draw_stage(terms_of(preset, drawn), entrants_of(drawn), seed).parts
    differs = {
        part: _differing(drawn.parts.get(part, ()), again.get(part, ())) for part in sorted({*again, *drawn.parts})
    }
    differs = {part: seats for part, seats in differs.items() if seats}
    return Verified(findings=(*findings, *(("another_draw",) if differs else ())), differs=differs)


def _differing(one: Seats, two: Seats) -> tuple[int, ...]:
    longer = max(len(one), len(two))
    padded = [[*seats, *["\n"] * (longer - len(seats))] for seats in (one, two)]
    return tuple(n for n, (left, right) in enumerate(zip(*padded, strict=True), 1) if left != right)
