"""The shape of a regulation: every value that the engines read, each with its article and mark.

A preset is data. Engines take it as their first argument and ask it, and never ask its name. Amounts: points are
integers, money is fen (分), durations are minutes or hours as the field says, dates and times are local to `zone`.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from shared.rules.basis import Ruled, Text

Level = Literal["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"]
"""A level of 升级, in rising order."""

Count = Annotated[int, Meta(ge=0)]
Positive = Annotated[int, Meta(ge=1)]
LocalTime = Annotated[dt.datetime, Meta(tz=False)]


class Dates(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When and where; the regulation's dates are the template for this year's.

    entries_close is the last instant that is still in time.
    """

    play_from: Ruled[dt.date]
    play_to: Ruled[dt.date]
    entries_close: Ruled[LocalTime]
    place: Ruled[str]


class Entry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who may enter. born_from and born_to are both inclusive."""

    players_min: Ruled[Positive]
    players_max: Ruled[Positive]
    leaders_max: Ruled[Count]
    coaches_max: Ruled[Count]
    teams_per_unit: Ruled[Positive]
    units_per_player: Ruled[Literal[1]]
    born_from: Ruled[dt.date]
    born_to: Ruled[dt.date]
    changes_after_close: Ruled[bool]


class MatchPoints(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Match points a team gets."""

    win: Ruled[Count]
    draw: Ruled[Count]
    loss: Ruled[Count]
    bye: Ruled[Count]
    double_absence: Ruled[Count]


class RoundsBand(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """rounds are played when at most up_to teams entered; up_to null: any number."""

    up_to: Positive | None
    rounds: Positive


class Match(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One match. minutes: a round's time; unfinished_hand: what becomes of a hand when time is called."""

    minutes: Ruled[Positive]
    start_level: Ruled[Level]
    unfinished_hand: Ruled[Literal["discard", "finish"]]
    points: MatchPoints
    forfeit: Ruled[Literal["win_and_loss"]]
    win_taken_away: Ruled[Literal["levels_reached"]]
    rounds: Ruled[tuple[RoundsBand, ...]]


class Cards(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The pack. points: by rank, of one card; hand and kitty count cards."""

    decks: Ruled[Positive]
    hand: Ruled[Positive]
    kitty: Ruled[Count]
    points: Ruled[dict[Literal["5", "T", "K"], Count]]


class Kitty(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What multiplies the kitty's points when the attackers win the last trick.

    tractors: by length from two pairs on; longer: each further pair doubles the last of them.
    """

    single: Ruled[Positive]
    pair: Ruled[Positive]
    tractors: Ruled[tuple[Positive, ...]]
    longer: Ruled[Literal["double"]]


class DealerBand(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The dealer side gains `gain` levels when the attackers hold at most `up_to` points."""

    up_to: int
    gain: Positive


class AttackerBand(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The deal falls and the attackers gain `gain` levels from `points` points on."""

    points: int
    gain: Count


class Beyond(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """And `gain` more for each full `step` points above `above`."""

    above: int
    step: Positive
    gain: Positive


class LevelTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Levels gained from the attackers' points, and what bounds them.

    must_play: levels at which a climb stops; attackers_at_must_play `none`: a side standing there gains only as dealer;
    past_top: what a dealer at the top who gains does; caps null: no cap; point_step: points are its multiples.
    """

    dealer_bands: Ruled[tuple[DealerBand, ...]]
    attacker_bands: Ruled[tuple[AttackerBand, ...]]
    beyond: Ruled[Beyond | None]
    dealer_cap: Ruled[Positive | None]
    attacker_cap: Ruled[Positive | None]
    must_play: Ruled[tuple[Level, ...]]
    attackers_at_must_play: Ruled[Literal["none", "table"]]
    past_top: Ruled[Literal["win", "wrap"]]
    point_step: Ruled[Positive]


class Deal(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who deals next, and whether a hand without trumps may be entered."""

    kept: Ruled[Literal["partner", "same"]]
    lost: Ruled[Literal["next_seat"]]
    no_trump: Ruled[bool]


Effect = Literal["deal_lost", "random_card_back", "put_right", "cards_drawn", "penalty_card"]
"""What a penalty costs besides points: deal_lost 倒庄; random_card_back 抽回一张; put_right 改正; cards_drawn 抽牌;
penalty_card 罚张. Only deal_lost changes the sum of a hand."""


class Charge(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The price of a penalty: `points` once an occasion, or for each card counted."""

    formula: Literal["fixed", "per_card"]
    points: Count
    effects: tuple[Effect, ...] = ()


class Claims(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Until when a breach can be charged, and which way its points count."""

    until: Ruled[Literal["next_hand_drawn"]]
    penalty_sign: Ruled[Literal["against_offender"]]
    later_hands: Ruled[Literal["stand_as_played"]]


class TotalScore(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The parameters of 总得分 = P + S / (M/2) - R.

    role: primary key, or a tie-break after the points; max_points M: attainable in the rounds played, or the most that
    a team has; bye_opponent_points: what the opponent missing in a bye counts in S.
    """

    role: Ruled[Literal["primary", "tie_break"]]
    max_points: Ruled[Literal["attainable", "actual"]]
    bye_opponent_points: Ruled[Literal["0", "lowest_with_points", "own"]]


TieBreakCode = Literal["direct_win", "cumulative", "lot"]


class Standings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How places are found. regroup: whether a part still tied is compared again from the start of the list."""

    total: Ruled[Literal["opponents_centred"]]
    total_score: TotalScore
    tie_breaks: Ruled[tuple[TieBreakCode, ...]]
    regroup: Ruled[Literal["restart", "continue"]]
    forfeits: Ruled[Literal["as_played"]]


class Awards(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first `places` are awarded; with fewer than `full_from` teams, `fewer_by` less than the number of teams."""

    places: Ruled[Positive]
    full_from: Ruled[Positive]
    fewer_by: Ruled[Count]


DepositOutcome = Literal["refunded", "kept"]


class Refunds(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What becomes of an appeal's deposit."""

    upheld: Ruled[DepositOutcome]
    partly_upheld: Ruled[DepositOutcome]
    dismissed: Ruled[DepositOutcome]
    withdrawn_before_acceptance: Ruled[DepositOutcome]
    withdrawn_after_acceptance: Ruled[DepositOutcome]
    refused_form: Ruled[DepositOutcome]


class Appeals(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whether, until when and for what deposit (fen) a ruling may be appealed."""

    allowed: Ruled[bool]
    window_hours: Ruled[Positive]
    window_from: Ruled[Literal["round_closed", "match_closed", "incident", "result_posted"]]
    deposit_fen: Ruled[Count]
    deposit_due: Ruled[Literal["with_report", "within_window"]]
    appellant: Ruled[Literal["leader_of_match_team"]]
    decided_by: Ruled[Literal["organising_committee", "arbitration_committee", "chief_referee", "referee_group"]]
    deposit: Refunds


class Draws(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How rounds are paired. one_bye: at most one bye a team; no_rematch: nobody meets twice."""

    format: Ruled[Literal["swiss"]]
    first_round: Ruled[Literal["lot"]]
    no_rematch: Ruled[bool]
    one_bye: Ruled[bool]


class Preset(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A regulation that engines can read. Made by `loader.load`, changed by `changes.changed`."""

    name: str
    version: Positive
    game: Literal["shengji"]
    title: Text
    zone: Ruled[str]
    dates: Dates
    entry: Entry
    match: Match
    cards: Cards
    kitty: Kitty
    levels: LevelTable
    deal: Deal
    claims: Claims
    penalties: dict[str, Ruled[Charge]]
    standings: Standings
    awards: Awards
    appeals: Appeals
    draws: Draws

    def changed(self, overrides: Mapping[str, object]) -> Preset:
        """This preset with the organiser's values; see `changes.changed`."""
        from shared.rules.regulations.changes import changed

        return changed(self, overrides)

    @property
    def digest(self) -> str:
        """sha256, in hex, of the preset's canonical JSON: equal exactly when every value, article, mark and text is."""
        from shared.rules.regulations.changes import digest

        return digest(self)


def plain(preset: Preset) -> dict[str, object]:
    """The preset as plain dictionaries, lists, strings, integers and booleans; dates in ISO 8601."""
    built: dict[str, object] = msgspec.json.decode(msgspec.json.encode(preset))
    return built
