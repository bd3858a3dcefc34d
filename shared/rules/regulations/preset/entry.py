"""When and where, and who may enter."""

from __future__ import annotations

import datetime as dt
from typing import Literal

from msgspec import Struct

from shared.rules.basis import Ruled, Text
from shared.rules.regulations.eligibility import Eligibility
from shared.rules.regulations.papers import Paper
from shared.rules.regulations.preset.values import Count, LocalTime, Positive, Span


class Session(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A session of play and when it begins."""

    name: Text
    begins: LocalTime


class Dates(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When and where; the regulation's dates are the template for this year's.

    entries_close is the last instant that is still in time; sessions: what begins when, where the text says it;
    report_minutes: how long before play a team reports, null where nothing is said.
    """

    play_from: Ruled[dt.date]
    play_to: Ruled[dt.date]
    sessions: Ruled[tuple[Session, ...]]
    report_minutes: Ruled[Positive | None]
    entries_close: Ruled[LocalTime]
    place: Ruled[str]


class Ages(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Least ages in full years on the first day of play; from `confirm_from` on the organiser confirms an entry."""

    men: Positive
    women: Positive
    confirm_from: Positive


class LargeUnits(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Units with more than `above` persons may enter `teams` teams."""

    above: Positive
    teams: Positive


class Entry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who may enter.

    players: without substitutes; roster: how many for each event of a team, empty where there is one event only;
    full_entry: the roster that counts as full, empty where nothing rests on it; born_from, born_to: inclusive, null
    without such a bound; ages null: the dates of birth decide; events_per_player null: no limit; papers: what is handed
    in; lapses_when: when a unit that did not enter properly is out; outsider: who lets play one who is not on the form;
    fraud: what false papers or an outsider cost; eligibility: who may play beyond that, null where all is said;
    documents: each paper by its name, as it is asked for and looked at.
    """

    players_min: Ruled[Positive]
    players_max: Ruled[Positive]
    substitutes: Ruled[Span]
    roster: Ruled[dict[str, Span]]
    full_entry: Ruled[dict[str, Count]]
    leaders_max: Ruled[Count]
    coaches_max: Ruled[Count]
    teams_per_unit: Ruled[Positive]
    large_units: Ruled[LargeUnits | None]
    units_per_player: Ruled[Literal[1]]
    events_per_player: Ruled[Positive | None]
    who: Ruled[tuple[str, ...]]
    papers: Ruled[tuple[str, ...]]
    insured_before: Ruled[dt.date | None]
    fee_fen: Ruled[Count]
    born_from: Ruled[dt.date | None]
    born_to: Ruled[dt.date | None]
    ages: Ruled[Ages | None]
    changes_after_close: Ruled[bool]
    lapses_when: Ruled[Literal["late", "no_form_and_absent"]]
    outsider: Ruled[Literal["refused", "chief_referee_consent"]]
    fraud: Ruled[Literal["player_barred_result_cancelled", "result_and_money_cancelled", "referee"]]
    eligibility: Eligibility | None = None
    documents: dict[str, Ruled[Paper]] = {}
