"""The shape of a 掼蛋 regulation: every value that `shared.rules.guandan` reads, each with its article and mark.

Durations are minutes or seconds as the field says; dates and times are local to `zone`. A place is the order of going
out: first 上游 (头游), second 二游, third 三游, last 末游 (下游).
"""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Literal

from msgspec import Meta, Struct

from shared.rules.basis import Ruled, Text
from shared.rules.regulations.eligibility import Eligibility
from shared.rules.regulations.papers import Paper
from shared.rules.regulations.preset import Count, Level, LocalTime, Positive
from shared.rules.regulations.preset import Stage as CompetitionStage

Place = Literal["second", "third", "last"]
"""Where the partner of the first to go out ended."""

Stage = Literal["group", "last8", "final"]
"""group: the timed rounds down to eight; last8: eight and four; final: the last match of a group."""

PlayKind = Literal[
    "single",
    "pair",
    "triple",
    "full_house",
    "straight",
    "tube",
    "plate",
    "bomb",
    "straight_flush",
    "joker_bomb",
]
"""tube 三连对, plate 钢板, bomb of four to ten cards."""


class GuandanDates(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When and where. entries_close is the last instant that is still in time."""

    play_from: Ruled[dt.date]
    play_to: Ruled[dt.date]
    play_begins: Ruled[LocalTime]
    entries_close: Ruled[LocalTime]
    leaders_meeting: Ruled[LocalTime]
    place: Ruled[str]


class GuandanEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who may enter. pairs_per_unit null: no limit; late_entry: what becomes of names sent after the close;
    eligibility: who may play beyond membership, null where all is said; documents: each paper by its name."""

    players: Ruled[Positive]
    leaders: Ruled[Count]
    membership: Ruled[Literal["union_member", "none"]]
    pairs_per_unit: Ruled[Positive | None]
    late_entry: Ruled[Literal["forfeited"]]
    eligibility: Eligibility | None = None
    documents: dict[str, Ruled[Paper]] = {}


class StageRound(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The round in which `teams` pairs of a group are left. minutes null: untimed, A must be passed."""

    teams: Positive
    stage: Stage
    minutes: Positive | None


class GuandanDraws(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The knock-out. groups never cross, so that each has its final; size: places of a group's bracket."""

    format: Ruled[Literal["knockout"]]
    groups: Ruled[tuple[str, ...]]
    groups_cross: Ruled[bool]
    size: Ruled[Positive]
    byes: Ruled[Literal["lot"]]
    drawn_by: Ruled[Literal["leaders", "organiser"]]
    keep_units_apart: Ruled[bool]
    rounds: Ruled[tuple[StageRound, ...]]


WonBy = Literal["passed_top", "level", "reached_first"]


class GuandanMatch(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One match.

    timed_order: what decides a timed match, in order; hand_begun: the act from which a hand is finished when time is
    called; late_minutes: so many minutes late, or more, forfeit; both_late: what becomes of a match to which neither
    pair came; confirm_minutes: how long after its closing both pairs have to confirm it, left out where nobody waits
    for it.
    """

    start_level: Ruled[Level]
    timed_order: Ruled[tuple[WonBy, ...]]
    unfinished_hand: Ruled[Literal["finish", "discard"]]
    hand_begun: Ruled[Literal["first_card_drawn", "first_play"]]
    late_minutes: Ruled[Count]
    both_late: Ruled[Literal["double_forfeit"]]
    confirm_minutes: Ruled[Positive] | None = None


class GuandanCards(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The pack, and what becomes of a hand dealt with a wrong number of cards."""

    decks: Ruled[Literal[2]]
    hand: Ruled[Positive]
    wrong_hand: Ruled[Literal["redeal"]]


class GuandanPlays(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What can be played.

    wild: which card stands for any card but a joker; wild_alone: what wilds are without another card; straight counts
    cards, tube pairs, plate triples, bomb_from cards of one rank; ace: which ends of a run it may be (never both in one
    run); full_house_joker_pair: whether two equal jokers may be its pair; suited_straight `flush_only`: five of one
    suit without a wild are no plain straight; straight_flush_over: the most cards of a bomb that a straight flush
    beats; lead_reading, follow_reading: the reading of a play that declared none.
    """

    wild: Ruled[Literal["heart_level"]]
    wild_alone: Ruled[Literal["level"]]
    straight: Ruled[Annotated[int, Meta(ge=5, le=5)]]
    tube: Ruled[Annotated[int, Meta(ge=3, le=5)]]
    plate: Ruled[Annotated[int, Meta(ge=2, le=3)]]
    bomb_from: Ruled[Annotated[int, Meta(ge=4, le=5)]]
    ace: Ruled[Literal["high_or_low", "high"]]
    full_house_joker_pair: Ruled[bool]
    suited_straight: Ruled[Literal["flush_only", "both"]]
    straight_flush_over: Ruled[Annotated[int, Meta(ge=3, le=10)]]
    level_order: Ruled[tuple[PlayKind, ...]]
    lead_reading: Ruled[Literal["strongest"]]
    follow_reading: Ruled[Literal["weakest_that_beats"]]


class GuandanTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a hand is dealt and played.

    draws_first: who takes the first card of the next hand; draws_first_unfinished: the same when the last two did not
    finish; wind: who leads when everyone has passed and the player to lead has gone out (接风); announce_at: cards left
    at which a player must say so; announce_counted: over what omissions are counted; play_seconds: for one play;
    review: which played cards may be looked at again.
    """

    tribute: Ruled[bool]
    turns_card: Ruled[Literal["first"]]
    draws_first: Ruled[Literal["last"]]
    draws_first_unfinished: Ruled[Literal["next_opponent"]]
    leads: Ruled[Literal["first"]]
    leads_first_hand: Ruled[Literal["face_up_card"]]
    wind: Ruled[Literal["partner", "next_seat"]]
    announce_at: Ruled[Positive]
    announce_counted: Ruled[Literal["pair_and_match"]]
    play_seconds: Ruled[Positive]
    review: Ruled[Literal["current_trick"]]


class Failures(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """In these stages a pair whose own hand at a must-play level fails `limit` times goes back to a level."""

    stages: tuple[Stage, ...]
    limit: Positive
    back_to: Level


class GuandanLevels(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Levels gained by the place of the winner's partner, and what the top asks.

    must_play: a climb stops there; pass_with: the partner's places that pass the top in a hand of one's own;
    failures_counted: cumulative, or only in a row.
    """

    gains: Ruled[dict[Place, Positive]]
    must_play: Ruled[Level]
    stop: Ruled[Literal["at_must_play"]]
    pass_with: Ruled[tuple[Place, ...]]
    failures: Ruled[Failures]
    failures_counted: Ruled[Literal["cumulative"]]


GuandanEffect = Literal["reminder", "warning", "level_to_opponents", "match_lost", "disqualified", "redeal"]
"""What a breach costs: reminder 提醒; warning 警告; level_to_opponents 对手升一级; match_lost 判负; disqualified
取消比赛资格; redeal 重新发牌."""


class Steps(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the first, second, … breach of a pair in a match costs; the last step holds for all further ones."""

    steps: Annotated[tuple[tuple[GuandanEffect, ...], ...], Meta(min_length=1)]


class GuandanAwards(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first `places_per_group` of each group are awarded, the rest get what `rest` says."""

    places_per_group: Ruled[Positive]
    rest: Ruled[Literal["encouragement", "nothing"]]


class GuandanAppeals(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whether a ruling may be appealed, and who rules at the table."""

    allowed: Ruled[Literal[False]]
    decided_by: Ruled[Literal["referee_group", "chief_referee"]]


class GuandanPreset(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A 掼蛋 regulation that engines can read. Made by `loader.load_any`, changed by `changes.changed`."""

    name: str
    version: Positive
    game: Literal["guandan"]
    title: Text
    zone: Ruled[str]
    dates: GuandanDates
    entry: GuandanEntry
    draws: GuandanDraws
    match: GuandanMatch
    cards: GuandanCards
    plays: GuandanPlays
    table: GuandanTable
    levels: GuandanLevels
    penalties: dict[str, Ruled[Steps]]
    awards: GuandanAwards
    appeals: GuandanAppeals
    stages: dict[str, Ruled[CompetitionStage]] = {}
