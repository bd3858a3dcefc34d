"""What an appeal's decision does or would do, from the read model."""

from __future__ import annotations

from typing import Literal

import msgspec

from services.appeals.effects import Effect, effect, suppose
from services.appeals.facts import check_remedy
from services.appeals.play import Play, play_of
from services.appeals.projections import AppealRow
from services.appeals.records import Records
from shared.contracts.fact import LaterRounds, Remedy, Team
from shared.contracts.match import RulingApplied
from shared.contracts.programme import parted
from shared.rules.appeals import resting
from shared.rules.formats.stages import pairs_by_results
from shared.rules.regulations.preset import Preset

Status = Literal["preview", "decided", "applied", "unchanged", "set_aside"]
"""preview: the committee has not decided; decided: match has not applied it yet; applied: the standings are those just
before and just after its ruling; unchanged: it ended without changing anything; set_aside: match can never apply what
was decided."""


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """A remedy that somebody thinks of, and what shall become of later rounds."""

    remedy: Remedy
    later: LaterRounds | None = None


class Preview(msgspec.Struct, frozen=True, kw_only=True):
    """An effect with what it rests on: the teams, the position in match's topic up to which it was computed, and the
    later matches that rest on the match in dispute."""

    status: Status
    remedy: Remedy
    later: LaterRounds | None
    effect: Effect
    teams: tuple[Team, ...]
    position: int
    concerned: tuple[str, ...]


def preview(records: Records, row: AppealRow, proposed: Proposal | None) -> Preview:
    """The standings before and after: of the ruling on the appeal, once there is one; of its decision before that; of
    what is proposed, and else of what the appeal asks for, while it is undecided. Raises RemedyNotInOrder."""
    told, played_as = records.told(row.competition), parted(row.competition)[1]
    events = [event for _, event in told]
    for number, event in enumerate(events):
        if proposed is None and isinstance(event, RulingApplied) and event.appeal == row.appeal:
            return _preview(records, row, "applied", play_of(events[:number], played_as), event, told[number][0])
    play, position = play_of(events, played_as), max((position for position, _ in told), default=0)
    wanted, status = (proposed, "preview") if proposed else _wanted(row)
    if wanted is None:
        return _preview(records, row, status, play, None, position)
    case = records.case(row.competition, row.match)
    check_remedy(case, wanted.remedy, "/query" if proposed else "/asks_for")
    ruling = suppose(case, play, row.appeal, wanted.remedy, wanted.later)
    return _preview(records, row, status, play, ruling, position)


def _resting(preset: Preset, row: AppealRow, play: Play) -> dict[int, tuple[str, ...]]:
    """The later matches that rest on the one in dispute."""
    stage = next((r.stage for r in play.rounds if r.number == row.round), "")
    if not pairs_by_results(preset, len(play.teams), play.event, stage):
        return {}
    own = next((p for r in play.rounds for p in r.pairings if p.match == row.match), None)
    rounds = {r.number: [(p.match, p.teams) for p in r.pairings] for r in play.rounds}
    return resting(rounds, row.round, own.teams if own and own.game else None)


def _wanted(row: AppealRow) -> tuple[Proposal | None, Status]:
    """What the appeal comes to: what it asks for while it is open, then what was decided."""
    if row.ended is None:
        return Proposal(remedy=msgspec.convert(row.asks_for, Remedy)), "preview"
    if row.ended["remedy"] is None:
        return None, "unchanged"
    if row.set_aside is not None and row.set_aside["confirmed_by"] is not None:
        return None, "set_aside"
    return msgspec.convert({"remedy": row.ended["remedy"], "later": row.ended["later"]}, Proposal), "decided"


def _preview(
    records: Records, row: AppealRow, status: Status, play: Play, ruling: RulingApplied | None, position: int
) -> Preview:
    preset = records.preset(row.competition)
    return Preview(
        status=status,
        remedy=ruling.remedy if ruling else Remedy(kind="none"),
        later=ruling.later if ruling else None,
        effect=effect(preset, play, ruling),
        teams=play.teams,
        position=position,
        concerned=tuple(match for matches in _resting(preset, row, play).values() for match in matches),
    )
