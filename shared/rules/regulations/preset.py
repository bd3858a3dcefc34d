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
from shared.rules.regulations.eligibility import Eligibility
from shared.rules.regulations.papers import Paper
from shared.rules.regulations.tie_break_terms import Missing, TieBreakCode, TieBreakTerms

Level = Literal["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"]
"""A level of 升级, in rising order."""

Count = Annotated[int, Meta(ge=0)]
Positive = Annotated[int, Meta(ge=1)]
LocalTime = Annotated[dt.datetime, Meta(tz=False)]


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


class Span(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """From `least` to `most`, both included."""

    least: Count
    most: Count


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
    """One match.

    ends: by the clock after `minutes`, or after `hands` hands at each of `tables` tables, the other being null;
    unfinished_hand: what becomes of a hand when time is called, and hand_begun from what on it is one; scores: match
    points by who is ahead, or a point for each level gained; equal: a draw, a win for the side that is to deal next, or
    one more hand until decided; rounds null: the format decides; play_seconds: how long a play may take, null or left
    out without such a limit.
    """

    ends: Ruled[Literal["time", "hands"]]
    minutes: Ruled[Positive | None]
    hands: Ruled[Positive | None]
    tables: Ruled[Literal[1, 2]]
    start_level: Ruled[Level]
    unfinished_hand: Ruled[Literal["discard", "finish"]]
    hand_begun: Ruled[Literal["first_card_drawn", "play_or_burying"]]
    scores: Ruled[Literal["by_result", "levels_gained"]]
    equal: Ruled[Literal["draw", "next_dealer_wins", "extra_hand"]]
    points: MatchPoints
    forfeit: Ruled[Literal["win_and_loss"]]
    win_taken_away: Ruled[Literal["levels_reached"]]
    rounds: Ruled[tuple[RoundsBand, ...] | None]
    play_seconds: Ruled[Positive | None] | None = None


class Cards(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The pack. points: by rank, of one card; hand and kitty count cards.

    order: jokers, the main level card, the other level cards (equal), the trump suit, the other suits; equal: which of
    equal highest plays wins.
    """

    order: Ruled[Literal["jokers_levels_trumps"]]
    equal: Ruled[Literal["played_first"]]
    decks: Ruled[Positive]
    hand: Ruled[Positive]
    kitty: Ruled[Count]
    points: Ruled[dict[Literal["5", "T", "K"], Count]]


class Tractors(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a tractor is: consecutive pairs of one suit, or of trumps.

    skip_level: the pairs beside the level are consecutive (隔拖); ladder `joined`: the trump suit goes on through an
    off-suit level pair, the main level pair, small and big jokers, `suit_only`: it ends with its highest card;
    level_pairs `first_by_suit`: of several off-suit level pairs the first by S H C D is the one that a tractor takes.
    """

    skip_level: Ruled[bool]
    ladder: Ruled[Literal["joined", "suit_only"]]
    level_pairs: Ruled[Literal["first_by_suit"]]


class Follow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a hand that has the led suit must give of it.

    pairs: as many as were led, or nothing but the suit; tractors: the led length, else the longest shorter one, again
    while cards are due, or no more than pairs; void: what a hand without the suit may do.
    """

    pairs: Ruled[Literal["as_many_as_led", "none"]]
    tractors: Ruled[Literal["led_or_longest", "none"]]
    void: Ruled[Literal["anything"]]


class Throws(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Leads of several components of one suit (甩牌).

    checked_against: whose cards can beat a component; must_play: what is led when it fails; counted: the cards that the
    penalty `failed_throw` counts, those of all beaten components or those taken back.
    """

    allowed: Ruled[bool]
    checked_against: Ruled[Literal["three_hands"]]
    must_play: Ruled[Literal["lowest_beaten"]]
    counted: Ruled[Literal["beaten", "taken_back"]]


class Ruffs(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Trumps on a side suit. format: they must divide into the led components; over: what parts two ruffs."""

    format: Ruled[Literal["divisible"]]
    over: Ruled[Literal["highest_of_longest_kind"]]


class Multipliers(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Kitty multipliers of a last trick; see `Kitty`."""

    single: Positive
    pair: Positive
    tractors: tuple[Positive, ...]


class Kitty(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What multiplies the kitty's points when the attackers win the last trick.

    tractors: by length from two pairs on; longer: each further pair doubles the last of them, or adds what a pair gives
    (`linear`); side: the multipliers where the winning play is of a side suit, null where that makes no difference;
    format: whose components count; throw: which of them; to_dealers: how often the dealer side gets the points.
    """

    single: Ruled[Positive]
    pair: Ruled[Positive]
    tractors: Ruled[tuple[Positive, ...]]
    longer: Ruled[Literal["double", "linear"]]
    side: Ruled[Multipliers | None]
    format: Ruled[Literal["led"]]
    throw: Ruled[Literal["highest_component"]]
    to_dealers: Ruled[Literal["once"]]


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
    past_top: what a dealer at the top who gains does; caps null: no cap; point_step: points are its multiples;
    points_from: the least that attackers can hold, null where penalties take points.
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
    points_from: Ruled[int | None]


class Deal(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who deals, and whether a hand without trumps may be entered.

    first: who deals the first hand, first_overturn: what takes it from one who showed an ace, first_nobody: when nobody
    showed; kept, lost: the next dealer; overturn_moves_deal: whether an overturned trump moves the deal; twice_running:
    the same person dealing twice in a row; first_drawer, later_drawer: who takes the first card of a hand.
    """

    first: Ruled[Literal["first_to_show_trump", "first_to_show_ace"]]
    first_overturn: Ruled[Literal["two_identical_aces", "none"]]
    first_nobody: Ruled[Literal["redeal"]]
    kept: Ruled[Literal["partner", "same"]]
    lost: Ruled[Literal["next_seat"]]
    overturn_moves_deal: Ruled[bool]
    twice_running: Ruled[Literal["redeal", "allowed"]]
    first_drawer: Ruled[Literal["card_turned", "highest_cut", "dealer"]]
    later_drawer: Ruled[Literal["dealer", "card_turned"]]
    no_trump: Ruled[bool]


Showing = Literal["level_single", "level_pair", "small_jokers", "big_jokers"]
"""What trumps are shown with; the jokers as a pair."""

Until = Literal["dealing_ends", "kitty_taken", "dealer_leads"]
"""The act after which trumps are shown no more."""


class Trump(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How trumps are made.

    order: showings, each overturning those before it; strengthen: the twin may be added to a single shown (加固);
    overturn_own: one's own showing may be overturned by oneself; comeback `own_single_pair`: the owner of an overturned
    single may overturn a pair with that single's pair; dealers_until, attackers_until: the last chance; nobody_first,
    nobody_later: what happens in the first and in later hands when nobody shows; kitty_overturn: a trump that the kitty
    made can be overturned; redeal_poor: a hand without trumps or points asks for a new deal.
    """

    order: Ruled[tuple[Showing, ...]]
    joker_needed: Ruled[Literal[False]]
    strengthen: Ruled[bool]
    overturn_own: Ruled[bool]
    comeback: Ruled[Literal["own_single_pair", "none"]]
    dealers_until: Ruled[Until]
    attackers_until: Ruled[Until]
    nobody_first: Ruled[Literal["redeal", "first_not_joker", "first_level_card_else_last"]]
    nobody_later: Ruled[Literal["redeal", "first_not_joker", "first_level_card_else_last"]]
    kitty_overturn: Ruled[bool]
    redeal_poor: Ruled[Literal[False]]


Effect = Literal[
    "deal_lost",
    "deal_or_level",
    "random_card_back",
    "put_right",
    "cards_drawn",
    "penalty_card",
    "warning",
    "reshuffle",
]
"""What a penalty costs besides points: deal_lost 倒庄; deal_or_level 对手上庄，已坐庄的升一级; random_card_back
抽回一张; put_right 改正; cards_drawn 抽牌; penalty_card 罚张; warning 警告; reshuffle 重洗. Only the first two change
the sum of a hand."""


class LevelsPer(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The other side also gains a level for each full `points` of the attackers, at most `most`."""

    points: Positive
    most: Positive


class Halves(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Match points in half points, from `least` to `most`."""

    least: Positive
    most: Positive


class Charge(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The price of a penalty.

    formula: `points` once an occasion, or for each card counted; `referee`: a warning, or match points within `halves`
    as the referee enters them, with a compensation to the opponents where `compensation` allows one. counts: which
    cards of a wrong play a price per card counts, all of them or those that are wrong or missing; leeway: the points
    that the referee may set in place of `points`, once an occasion or a card, null where the article leaves no room.
    """

    formula: Literal["fixed", "per_card", "referee"]
    points: Count
    effects: tuple[Effect, ...] = ()
    levels_per: LevelsPer | None = None
    halves: Halves | None = None
    compensation: bool = False
    counts: Literal["play", "wrong"] = "play"
    leeway: Span | None = None


class Claims(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Until when a breach can be charged, and what its points are taken from.

    penalty_sign: the hand's points, against the offender, or the match points; moved_deal `points_decide`: when a
    penalty moves the deal the hand is played out and its corrected points give levels, `nobody_gains`: they give none;
    below_zero: whether match points may go below zero.
    """

    until: Ruled[Literal["next_hand_drawn"]]
    penalty_sign: Ruled[Literal["against_offender", "match_points"]]
    moved_deal: Ruled[Literal["nobody_gains", "points_decide"]]
    below_zero: Ruled[bool]
    later_hands: Ruled[Literal["stand_as_played"]]


class TotalScore(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The parameters of 总得分 = P + S / (M/2) - R.

    role: primary key; a tie-break, where the list names `total` or else right after the points; or not compared.
    max_points M: attainable in the rounds played, or the most that a team has; bye_opponent_points: what the opponent
    missing in a bye counts in S.
    """

    role: Ruled[Literal["primary", "tie_break", "unused"]]
    max_points: Ruled[Literal["attainable", "actual"]]
    bye_opponent_points: Ruled[Missing]


class Standings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How places are found.

    total `bracket`: by the rounds of a knock-out, and total_score says nothing; tie_breaks: by their codes, or with
    terms of their own; regroup: whether a part still tied is compared again from the start of the list.
    """

    total: Ruled[Literal["opponents_centred", "bracket"]]
    total_score: TotalScore
    tie_breaks: Ruled[tuple[TieBreakCode | TieBreakTerms, ...]]
    regroup: Ruled[Literal["restart", "continue"]]
    forfeits: Ruled[Literal["as_played"]]


class Prize(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A prize for the places from `place_from` to `place_to`."""

    name: Text
    place_from: Positive
    place_to: Positive


class Awards(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first `places` are awarded; with fewer than `full_from` teams, `fewer_by` less than the number of teams."""

    places: Ruled[Positive]
    full_from: Ruled[Positive]
    fewer_by: Ruled[Count]
    prizes: Ruled[tuple[Prize, ...]]


class Union(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Several events summed to a place for each union team (团体总分).

    points: by event and place, for each pair or player; money_fen: by the team's place; participation_fen: to every
    other team that entered in full and played everything; ties: what parts equal totals, then what shares; pointless
    `no_money_place`: a team without points takes no place with money; cancelled: the places below move up; cups_to: the
    last place of a team with a cup. The prizes of each event are those of `awards`.
    """

    points: Ruled[dict[str, tuple[Positive, ...]]]
    money_fen: Ruled[tuple[Positive, ...]]
    participation_fen: Ruled[Count]
    ties: Ruled[tuple[Literal["more_better_places", "shared"], ...]]
    shared_money: Ruled[Literal["equal_part_or_participation"]]
    pointless: Ruled[Literal["no_money_place", "takes_place"]]
    cancelled: Ruled[Literal["lower_places_move_up"]]
    cups_to: Ruled[Count]


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
    """Whether, until when and for what deposit (fen) a ruling may be appealed; window_hours null: not at all.

    paper_hours: how long after the window papers handed over in time may still be entered, before what is incomplete
    lapses; decide_hours: from lodging, until a decision is overdue; null: it never is.
    """

    allowed: Ruled[bool]
    window_hours: Ruled[Positive | None]
    window_from: Ruled[Literal["round_closed", "match_closed", "incident", "result_posted"]]
    deposit_fen: Ruled[Count]
    deposit_due: Ruled[Literal["with_report", "within_window"]]
    appellant: Ruled[Literal["leader_of_match_team"]]
    decided_by: Ruled[Literal["organising_committee", "arbitration_committee", "chief_referee", "referee_group"]]
    deposit: Refunds
    paper_hours: Ruled[Count] | None = None
    decide_hours: Ruled[Positive | None] | None = None


FirstRound = Literal["lot", "adjacent", "fold", "ends", "halves"]
"""How round 1 is paired; see `formats.swiss.first_round`."""


class Takes(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who plays in a stage: all teams of `entries`, or those that an earlier stage leaves (`survivors`)."""

    stage: str
    who: Literal["all", "survivors"]


class Stage(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One stage of a competition.

    format: swiss; knockout, in each of the groups or zones; ladder: rounds of all that are left until so many are left
    in each zone; placement: a knock-out whose losers play on for every place; round_robin: everybody meets everybody.
    """

    format: Literal["swiss", "knockout", "ladder", "placement", "round_robin"]
    takes: Takes


class Draws(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How rounds are paired. first_round: by lot, or among the seeds by 邻近 (adjacent), 拦腰 (fold), 首尾 (ends) or
    上下半区 (halves); one_bye: at most one bye a team; no_rematch: nobody meets twice."""

    format: Ruled[Literal["swiss", "knockout", "zones_then_bracket"]]
    first_round: Ruled[FirstRound]
    no_rematch: Ruled[bool]
    one_bye: Ruled[bool]


class Knockout(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The terms of a knock-out.

    size: the bracket; byes: how they are given; keep_units_apart: as long as the numbers allow; third_place: the losers
    of the semi-finals play for third; zones: in which the first stage is played, the pairs of a team drawn into
    different ones; zone_survivors: how many go on from each, null with one stage; second_stage: what they play.
    """

    size: Ruled[Literal["power_of_two"]]
    byes: Ruled[Literal["seed_then_lot", "lot"]]
    keep_units_apart: Ruled[bool]
    third_place: Ruled[bool]
    zones: Ruled[tuple[str, ...]]
    zone_survivors: Ruled[Positive | None]
    second_stage: Ruled[Literal["placement_bracket"] | None]


Way = Literal["mate", "resignation", "time", "forfeit", "adjudication", "count", "agreement"]
"""How a board game ends: mate 将死、困死; resignation 认输; time 超时; forfeit 弃权; adjudication 判决; count 数子;
agreement 议和."""


class BoardPoints(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Match points of a board game."""

    win: Ruled[Count]
    draw: Ruled[Count]
    loss: Ruled[Count]


class Boards(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The 象棋 and 围棋 events held beside the cards. rules: whose; clocks: whether they are used; points: of a game;
    colours: by event, the one that moves first, then the other; ways: by event, how a game may end;
    round_robin_up_to: so many players or fewer play each other; more of them play the `stages`, of which a ladder stops
    when so many are left."""

    events: Ruled[tuple[str, ...]]
    rules: Ruled[str]
    clocks: Ruled[bool]
    points: BoardPoints
    colours: Ruled[dict[str, tuple[str, str]]]
    ways: Ruled[dict[str, tuple[Way, ...]]]
    format: Ruled[Literal["by_entries"]]
    round_robin_up_to: Ruled[Positive]
    stages: dict[str, Ruled[Stage]] = {}


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

    def changed(self, overrides: Mapping[str, object]) -> Preset:
        """This preset with the organiser's values; see `changes.changed`."""
        from shared.rules.regulations.changes import changed

        return changed(self, overrides)

    @property
    def digest(self) -> str:
        """sha256, in hex, of the preset's canonical JSON: equal exactly when every value, article, mark and text is."""
        from shared.rules.regulations.changes import digest

        return digest(self)


def plain(preset: Struct) -> dict[str, object]:
    """The preset as plain dictionaries, lists, strings, integers and booleans; dates in ISO 8601."""
    built: dict[str, object] = msgspec.json.decode(msgspec.json.encode(preset))
    return built
