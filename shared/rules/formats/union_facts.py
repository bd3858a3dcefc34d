"""From entries and played events to what team totals are made of (zhongshan-2013 四, 五).

An event counts once every place of it is decided. A team entered in full when its form named every pair and player
(满额报名), and played everything when none of them was absent from a match, had left, or was disqualified. Its results
and money are cancelled when one of them was disqualified in any event, or its entry is broken (请外单位人员). That an
absence was without reason (无故弃权) is the chief referee's to find, by disqualifying.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from shared.rules.formats.competition import Competition
from shared.rules.formats.course import course
from shared.rules.formats.history import open_tables
from shared.rules.formats.standings import standings
from shared.rules.formats.union import UnionResults, UnionTeam
from shared.rules.regulations.preset import Preset


class Entry(Struct, frozen=True, kw_only=True):
    """A union team as its form has it. fielded: by event of the roster, how many pairs or players; broken: it was
    refused after the draw, or somebody found that a rule of entry does not hold."""

    id: str
    name: str
    fielded: Mapping[str, int]
    broken: bool


def cancelled(broken: Iterable[str], disqualified: Iterable[str], of: Mapping[str, str]) -> frozenset[str]:
    """The entries whose results and money are cancelled in every event (zhongshan-2013 四). broken: entries;
    disqualified: pairs or players of any event; of: by pair or player, the entry."""
    return frozenset(broken) | {of[one] for one in disqualified}


def without(competition: Competition, of: Mapping[str, str], entries: Collection[str]) -> Competition:
    """An event whose places none of the pairs and players of these entries takes: those below move up, and what others
    won against them stands, as with the disqualified."""
    out = {one for one in competition.ids if of[one] in entries}
    return replace(competition, disqualified=tuple(sorted({*competition.disqualified, *out})))


class Event(Struct, frozen=True, kw_only=True):
    """An event as it was played. absent: the pairs or players that were missing from a match of theirs."""

    competition: Competition
    absent: frozenset[str]


def entered_in_full(preset: Preset, fielded: Mapping[str, int]) -> bool:
    """Whether a form names every pair and player that there may be (五（二）: 满额报名)."""
    return all(fielded.get(event, 0) >= count for event, count in preset.entry.full_entry.value.items())


def decided(preset: Preset, competition: Competition) -> bool:
    """Whether every place of an event is decided, as it is from the draw on where one player is alone. Raises what
    `course` raises."""
    return not open_tables(competition) and course(preset, competition).finished


def union_of(
    preset: Preset, entries: Sequence[Entry], events: Mapping[str, Event], of: Mapping[str, str]
) -> UnionResults:
    """What `totals` asks for. events: those that have begun, as `union.points` names them; of: by pair or player, the
    entry. Raises what `standings` raises."""
    disqualified = [one for event in events.values() for one in event.competition.disqualified]
    out = cancelled((entry.id for entry in entries if entry.broken), disqualified, of)
    placings = {
        code: _places(preset, without(event.competition, of, out), of) if decided(preset, event.competition) else ()
        for code, event in events.items()
    }
    absent = {of[one] for event in events.values() for one in _missing(event)}
    teams = (
        UnionTeam(
            id=entry.id,
            name=entry.name,
            entered_in_full=entered_in_full(preset, entry.fielded),
            played_everything=entry.id not in absent,
            cancelled=entry.id in out,
        )
        for entry in entries
    )
    return UnionResults(teams=tuple(teams), placings=placings, regulation=preset.name)


def _missing(event: Event) -> Iterable[str]:
    return {*event.absent, *event.competition.withdrawn, *event.competition.disqualified}


def _places(preset: Preset, competition: Competition, of: Mapping[str, str]) -> tuple[tuple[str, ...], ...]:
    """The entries at each place, one for each of its pairs or players there."""
    placed = [row for row in standings(preset, competition) if row.rank is not None]
    return tuple(tuple(of[row.team] for row in rows) for _, rows in groupby(placed, key=lambda row: row.rank))
