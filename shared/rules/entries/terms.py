"""The terms of entry of a regulation of any game, in one shape."""

from __future__ import annotations

import datetime as dt
from typing import Any

from msgspec import Struct

from shared.rules.basis import Ruled
from shared.rules.regulations.eligibility import Eligibility
from shared.rules.regulations.guandan import GuandanPreset
from shared.rules.regulations.preset import Preset, Span
from shared.rules.regulations.schema import AnyPreset


class Terms(Struct, frozen=True, kw_only=True):
    """As `preset.Entry`, with the first day of play, on which ages are counted. teams_per_unit null: any number; what
    is None is not ruled. eligibility: its rules, none where the regulation has none."""

    first_day: Ruled[Any]
    players_min: Ruled[Any]
    players_max: Ruled[Any]
    substitutes: Ruled[Any]
    roster: Ruled[Any]
    leaders_max: Ruled[Any]
    coaches_max: Ruled[Any]
    teams_per_unit: Ruled[Any]
    units_per_player: Ruled[Any]
    changes_after_close: Ruled[Any]
    lapses_when: Ruled[Any]
    outsider: Ruled[Any]
    fraud: Ruled[Any]
    large_units: Ruled[Any] | None = None
    events_per_player: Ruled[Any] | None = None
    born_from: Ruled[Any] | None = None
    born_to: Ruled[Any] | None = None
    ages: Ruled[Any] | None = None
    insured_before: Ruled[Any] | None = None
    membership: Ruled[Any] | None = None
    eligibility: Eligibility = Eligibility()
    documents: dict[str, Ruled[Any]] = {}


def terms(preset: AnyPreset, first_day: dt.date | None = None) -> Terms:
    """The preset's terms of entry; first_day: the competition's own, where it is another than the regulation's."""
    begins: Ruled[dt.date] = preset.dates.play_from
    if first_day is not None:
        begins = Ruled(value=first_day, article=begins.article, mark=begins.mark)
    if isinstance(preset, GuandanPreset):
        return _of_guandan(preset, begins)
    return _of_shengji(preset, begins)


def _of_shengji(preset: Preset, begins: Ruled[dt.date]) -> Terms:
    entry, own = preset.entry, preset.entry.eligibility or Eligibility()
    return Terms(
        first_day=begins,
        players_min=entry.players_min,
        players_max=entry.players_max,
        substitutes=entry.substitutes,
        roster=entry.roster,
        leaders_max=entry.leaders_max,
        coaches_max=entry.coaches_max,
        teams_per_unit=entry.teams_per_unit,
        units_per_player=entry.units_per_player,
        changes_after_close=entry.changes_after_close,
        lapses_when=entry.lapses_when,
        outsider=entry.outsider,
        fraud=entry.fraud,
        large_units=entry.large_units,
        events_per_player=entry.events_per_player,
        born_from=entry.born_from,
        born_to=entry.born_to,
        ages=entry.ages,
        insured_before=entry.insured_before,
        membership=own.membership,
        eligibility=own,
        documents=dict(entry.documents),
    )


def _of_guandan(preset: GuandanPreset, begins: Ruled[dt.date]) -> Terms:
    """A team is a pair; the notice names the leader alone, so there is no coach and no substitute (assumed)."""
    entry = preset.entry
    article, leader, late = entry.players.article, entry.leaders.article, entry.late_entry
    return Terms(
        first_day=begins,
        players_min=entry.players,
        players_max=entry.players,
        substitutes=Ruled(value=Span(least=0, most=0), article=article, mark="assumed"),
        roster=Ruled(value={}, article=article, mark="assumed"),
        leaders_max=entry.leaders,
        coaches_max=Ruled(value=0, article=leader, mark="assumed"),
        teams_per_unit=entry.pairs_per_unit,
        units_per_player=Ruled(value=1, article=leader, mark="assumed"),
        changes_after_close=Ruled(value=False, article=late.article, mark="assumed"),
        lapses_when=Ruled(value="late", article=late.article, mark=late.mark),
        outsider=Ruled(value="refused", article=late.article, mark="assumed"),
        fraud=preset.penalties["cheating"],
        membership=entry.membership if entry.membership.value != "none" else None,
        eligibility=entry.eligibility or Eligibility(),
        documents=dict(entry.documents),
    )
