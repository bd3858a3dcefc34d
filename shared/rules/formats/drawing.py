"""The draw of a stage: by lot from a committed seed, so that anyone can repeat it, or as the lots fell in the hall.

Labels under which the seed draws (`draws.shuffle`), STAGE being the stage's code and PART its zone's or group's name:

- swiss: `round 1`, the lots of round 1; round_robin: `draw STAGE`, the teams' numbers
- parts: `draw STAGE`; with units kept apart also `draw STAGE units`, whose order the parts are filled in (`arrange`)
- seats: `draw STAGE PART`, without PART where there is one part only
- who goes on unplayed in round N of a ladder: `bye PART N` (`knockout.ladder`)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from shared.rules.errors import DrawRefused
from shared.rules.formats.arrange import Entrant, NotKept, Seats, not_kept, parts_of, seats_of
from shared.rules.formats.draws import shuffle
from shared.rules.formats.stages import StageTerms


class StageDraw(Struct, frozen=True, kw_only=True):
    """A stage as drawn. parts: by zone or group, the seats of its bracket in order (None: a bye), or the teams in the
    order of their lots; not_kept: teams of one unit that stand closer than they should; witness: who saw the lots drawn
    in the hall, empty for a draw from the seed."""

    stage: str
    parts: Mapping[str, Seats]
    not_kept: tuple[NotKept, ...] = ()
    witness: str = ""


def draw_stage(terms: StageTerms, entrants: Sequence[Entrant], seed: bytes) -> StageDraw:
    """The draw of a stage from the seed; a function of its inputs, whatever the order of the entrants.

    Teams of one unit are first spread over the parts, then within each over the halves of the bracket, the quarters and
    so on, as evenly as it goes: `arrange`. Raises DrawRefused `too_few`.
    """
    label = f"draw {terms.code}"
    if len(entrants) < max(len(terms.parts), _fewest(terms)):
        raise DrawRefused(
            "too_few",
            f"{len(entrants)} teams are too few to draw {len(terms.parts)} part(s)",
            f"{len(entrants)} 队不足以抽入 {len(terms.parts)} 个区",
        )
    if terms.format in ("swiss", "round_robin"):
        teams = [one.team for one in entrants]
        return StageDraw(
            stage=terms.code, parts={"": shuffle(seed, "round 1" if terms.format == "swiss" else label, teams)}
        )
    split = parts_of(entrants, terms.parts, seed, label, terms.apart)
    seated = {part: seats_of(among, seed, f"{label} {part}".rstrip(), terms.apart) for part, among in split.items()}
    return _told(terms, entrants, seated, "")


def _fewest(terms: StageTerms) -> int:
    """How many a stage must have: an earlier one may leave nobody, and where everybody meets everybody one may be
    alone."""
    return 0 if terms.source else 1 if terms.format == "round_robin" else 2


def draw_by_hand(terms: StageTerms, entrants: Sequence[Entrant], parts: Mapping[str, Seats], witness: str) -> StageDraw:
    """The draw as the lots fell in the hall, and who saw it.

    Raises DrawRefused `bad_draw`: a part that the stage has not, a team missing, unknown or drawn twice, parts of
    uneven size, seats that are no power of two, two byes that meet, no witness.
    """
    if not witness.strip():
        raise _bad("lots drawn in the hall need a witness", "现场抽签须有见证人")
    if set(parts) != set(terms.parts):
        raise _bad(f"the parts are {', '.join(terms.parts) or 'one'}", f"分区应为 {'、'.join(terms.parts) or '一个'}")
    _check_teams(entrants, parts)
    bracket = terms.format in ("knockout", "placement")
    for part, seats in parts.items():
        if not bracket and None in seats:
            raise _bad(f"{part or terms.code} has an empty lot", f"{part or terms.code} 有空签")
        if bracket and len(seats) & (len(seats) - 1):
            raise _bad(f"{len(seats)} seats are no power of two", f"签位 {len(seats)} 不是 2 的幂")
        if bracket and any(one is None and two is None for one, two in zip(seats[::2], seats[1::2], strict=False)):
            raise _bad("two byes meet", "两个轮空相遇")
    ordered = {part: tuple(parts[part]) for part in terms.parts}
    return _told(terms, entrants, ordered, witness.strip())


def _told(terms: StageTerms, entrants: Sequence[Entrant], parts: Mapping[str, Seats], witness: str) -> StageDraw:
    units = {one.team: one.unit for one in entrants}
    told = [row for part, seats in parts.items() for row in not_kept(seats, part, units)] if terms.apart else []
    shared = _sharing_a_part(parts, units) if terms.apart and len(parts) > 1 else []
    return StageDraw(stage=terms.code, parts=parts, not_kept=(*shared, *told), witness=witness)


def _sharing_a_part(parts: Mapping[str, Seats], units: Mapping[str, str]) -> list[NotKept]:
    told = []
    for part, seats in parts.items():
        teams: dict[str, list[str]] = {}
        for team in seats:
            if team is not None and units[team]:
                teams.setdefault(units[team], []).append(team)
        told += [
            NotKept(unit=unit, teams=tuple(sharing), part=part, block=0)
            for unit, sharing in teams.items()
            if len(sharing) > 1
        ]
    return told


def _check_teams(entrants: Sequence[Entrant], parts: Mapping[str, Seats]) -> None:
    drawn = Counter(team for seats in parts.values() for team in seats if team is not None)
    known = {one.team for one in entrants}
    for team, times in drawn.items():
        if team not in known:
            raise _bad(f"{team} is not in this draw", f"{team} 不参加本次抽签")
        if times > 1:
            raise _bad(f"{team} was drawn {times} times", f"{team} 抽到 {times} 次")
    missing = sorted(known - set(drawn))
    if missing:
        raise _bad(f"{', '.join(missing)} drew no lot", f"{'、'.join(missing)} 没有抽签")
    sizes = [sum(team is not None for team in seats) for seats in parts.values()]
    if max(sizes) - min(sizes) > 1:
        raise _bad(f"the parts have {', '.join(map(str, sizes))} teams", f"各区队数不均：{'、'.join(map(str, sizes))}")


def _bad(en: str, zh: str) -> DrawRefused:
    return DrawRefused("bad_draw", f"the draw: {en}", f"抽签：{zh}")
