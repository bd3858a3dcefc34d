"""Events of match. Streams: `rounds/<competition>` (draw, pairing, closing, lots, rulings, places),
`match/<match id>` (its hands and penalties), and `table/<match id>` (who is there, who sits where, which device
enters): what happens around a table changes no version that a referee's correction insists on."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

import msgspec

from shared.contracts.fact import (
    Changes,
    Fact,
    FinishFacts,
    GameFacts,
    HandFacts,
    Held,
    LaterRounds,
    MatchResult,
    Pair,
    Remedy,
    Team,
)
from shared.rules.basis import Text
from shared.rules.findings import Finding
from shared.rules.formats.arrange import NotKept
from shared.rules.formats.stages import CARDS
from shared.rules.unfinished import Phase


class Drawn(msgspec.Struct, frozen=True, kw_only=True):
    """A team with the number it drew."""

    team: Team
    number: int


class Pairing(msgspec.Struct, frozen=True, kw_only=True):
    """Two teams at a table; the first sits 1 and 3. In a bracket `game` is its place there, in the zone or group
    `part`; `minutes` is how long it is played, None where the clock does not end it; `level_stage` what the level rules
    of 掼蛋 ask. Where a game is played at several tables, `board` numbers them from 1."""

    match: str
    table: int
    teams: tuple[str, str]
    part: str = ""
    game: str = ""
    minutes: int | None = None
    level_stage: str | None = None
    board: int = 0


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A final place: rank, team, what parted it from the place above, the working of its total, and the place it is
    awarded, None where it is awarded none; `part` is the group that the place is one of."""

    rank: int
    team: str
    decided_by: str | None
    points: int
    total: str
    award: int | None = None
    part: str = ""


class SeedCommitted(Fact, frozen=True, kw_only=True):
    """The draw's seed is fixed before entries close: its SHA-256 is public now, the seed itself only at the draw.
    `changes` are the organiser's, so that this stream can be judged alone; `event` is the one that is drawn, the cards
    or one of the boards, each under a competition id of its own (`shared.contracts.programme`)."""

    competition: str
    commitment: str
    changes: Changes
    event: str = CARDS


DrawMethod = Literal["seed", "hand"]
"""From the committed seed, or as the lots fell in the hall."""


class DrawMade(Fact, frozen=True, kw_only=True):
    """Lots were drawn: the seed revealed, and every team's number. Anyone can repeat it from seed and teams. `parts`
    are the seats of the first `stage` by zone or group, None for a bye; `seeded` are the organiser's seeds, the
    strongest first; `not_kept` tells which teams of one unit stand close."""

    competition: str
    seed: str
    commitment: str
    teams: tuple[Drawn, ...]
    article: str
    stage: str = ""
    parts: dict[str, tuple[str | None, ...]] = msgspec.field(default_factory=dict)
    seeded: tuple[str, ...] = ()
    not_kept: tuple[NotKept, ...] = ()
    method: DrawMethod = "seed"
    witness: str = ""


class StageDrawn(Fact, frozen=True, kw_only=True):
    """A later stage was drawn among those that the stages before it leave; as in `DrawMade`."""

    competition: str
    stage: str
    parts: dict[str, tuple[str | None, ...]]
    not_kept: tuple[NotKept, ...]
    method: DrawMethod
    witness: str
    article: str


class PairOrdered(Fact, frozen=True, kw_only=True):
    """The organiser has two teams meet in the next round (`fixed`), or keeps them from ever meeting (`forbidden`)."""

    competition: str
    kind: Literal["fixed", "forbidden"]
    teams: tuple[str, str]
    round: int
    reason: str


class PairOrderLifted(Fact, frozen=True, kw_only=True):
    """An order about a pair no longer holds."""

    competition: str
    teams: tuple[str, str]
    reason: str


class RoundPaired(Fact, frozen=True, kw_only=True):
    """A round's pairings, with the inputs that lead to them: who was left out and why, which rules were given up
    (codes in `gave_up`) and, in the same order, why. `byes` are all who rest or go on without a match; `fixed` and
    `forbidden` are the orders that held; `by_hand` says why it was paired by hand, empty where it was not. `inputs` is
    the SHA-256 of all that the pairing rests on, as the file `pailu-pairing/1` has it, empty in events from before that
    was said: who has the file pairs the round again and gets the same."""

    competition: str
    round: int
    attempt: int
    matches: tuple[Pairing, ...]
    bye: str | None
    absent: tuple[str, ...]
    withdrawn: tuple[str, ...]
    disqualified: tuple[str, ...]
    gave_up: tuple[str, ...]
    why: tuple[Text, ...]
    rounds_planned: int
    article: str
    stage: str = ""
    byes: tuple[str, ...] = ()
    fixed: tuple[tuple[str, str], ...] = ()
    forbidden: tuple[tuple[str, str], ...] = ()
    by_hand: str = ""
    inputs: str = ""


class RoundUnpaired(Fact, frozen=True, kw_only=True):
    """A round that nobody had begun is as if never paired, and why."""

    competition: str
    round: int
    attempt: int
    reason: str


class TeamAbsent(Fact, frozen=True, kw_only=True):
    """A team said before the pairing that it will miss one round."""

    competition: str
    team: str
    round: int
    reason: str


class AbsenceLifted(Fact, frozen=True, kw_only=True):
    """A team will be there after all: its absence from a round that is not paired yet is taken back."""

    competition: str
    team: str
    round: int
    reason: str


class TeamWithdrawn(Fact, frozen=True, kw_only=True):
    """A team leaves the competition: it is not paired from `from_round` on."""

    competition: str
    team: str
    from_round: int
    reason: str


class RoundStarted(Fact, frozen=True, kw_only=True):
    """The clock of a round runs: `minutes` are the regulation's, None where its matches are untimed."""

    competition: str
    round: int
    started_at: datetime
    minutes: int | None
    article: str


class RoundPaused(Fact, frozen=True, kw_only=True):
    """The clock of a round stands still, and why: the time until it goes on is nobody's playing time."""

    competition: str
    round: int
    paused_at: datetime
    reason: str


class RoundResumed(Fact, frozen=True, kw_only=True):
    """The clock of a round runs again; where it is timed, until `ends_at`."""

    competition: str
    round: int
    resumed_at: datetime
    ends_at: datetime | None


class TimeCalled(Fact, frozen=True, kw_only=True):
    """The time of a round is up; what happens to a hand in play is the regulation's (`unfinished_hand`). `reason`: why
    it was called before the clock of the round had run out, empty where it was not."""

    competition: str
    round: int
    called_at: datetime
    unfinished_hand: str
    article: str
    reason: str = ""


class TimeCallLifted(Fact, frozen=True, kw_only=True):
    """Time was called by mistake: the round goes on at its tables (`matches`) as if it had not been, and its clock with
    it. What they said of their hands then says nothing of a later call."""

    competition: str
    round: int
    matches: tuple[str, ...]
    reason: str


class RoundClosed(Fact, frozen=True, kw_only=True):
    """All matches of a round are closed: their results, the bye and the absent. Standings are made of these.
    `closing` counts how often this round was closed. Appeal windows run from `closed_at`, or from when its matches
    were: the last of them at `matches_closed_at`, None where they did not record it."""

    competition: str
    round: int
    closing: int
    closed_at: datetime
    results: tuple[MatchResult, ...]
    bye: str | None
    bye_points: int
    absent: tuple[str, ...]
    last: bool
    matches_closed_at: datetime | None = None


class ResultsPosted(Fact, frozen=True, kw_only=True):
    """The results of a closed round, as it was closed this time, are posted for all to read (公布成绩)."""

    competition: str
    round: int
    closing: int
    posted_at: datetime


class ExtraHandOrdered(Fact, frozen=True, kw_only=True):
    """The points of these tables are equal after the last hand: each plays one more, hand `hand`."""

    competition: str
    round: int
    matches: tuple[str, ...]
    hand: int
    article: str


class RoundReopened(Fact, frozen=True, kw_only=True):
    """A closed round is open again for the matches named, by the chief referee, with a reason."""

    competition: str
    round: int
    matches: tuple[str, ...]
    reason: str


class LotDrawn(Fact, frozen=True, kw_only=True):
    """A lot parts teams that nothing else parts: `order` from the better place down. Never drawn again.
    `label` is what the seed was drawn under; `witness` names who saw a lot drawn by hand."""

    competition: str
    order: tuple[str, ...]
    method: Literal["seed", "hand"]
    label: str
    witness: str
    article: str


class RulingApplied(Fact, frozen=True, kw_only=True):
    """A decision from outside the table changes a match: the remedy, the result before and after, whose decision."""

    competition: str
    round: int
    match: str
    remedy: Remedy
    before: MatchResult | None
    after: MatchResult | None
    appeal: str
    reason: str
    article: str
    later: LaterRounds | None


class SetAsideProposed(Fact, frozen=True, kw_only=True):
    """One person puts forward that a decision which match cannot apply shall not be waited for. `refusal` is the slug
    of the rule that refuses the ruling, `refused` what it says, in Chinese and English."""

    competition: str
    appeal: str
    match: str
    remedy: Remedy
    refusal: str
    refused: tuple[str, str]
    reason: str


class RulingSetAside(Fact, frozen=True, kw_only=True):
    """Another person confirms it: the decision stands as decided and becomes no ruling, whatever happens later."""

    competition: str
    appeal: str
    match: str
    remedy: Remedy
    refusal: str
    refused: tuple[str, str]
    reason: str
    proposed_by: str


class PlacesProposed(Fact, frozen=True, kw_only=True):
    """One person puts the final places forward."""

    competition: str
    places: tuple[Place, ...]
    after_round: int
    article: str


class PlacesDeclared(Fact, frozen=True, kw_only=True):
    """Another person declares them: they are final."""

    competition: str
    places: tuple[Place, ...]
    proposed_by: str
    article: str


class MatchOpened(Fact, frozen=True, kw_only=True):
    """The first fact of a match's stream: who plays whom, where, under which changes of the regulation; `minutes` and
    `level_stage` are its pairing's."""

    competition: str
    match: str
    round: int
    table: int
    teams: tuple[Team, Team]
    changes: Changes
    minutes: int | None = None
    level_stage: str | None = None


class HandPlayed(Fact, frozen=True, kw_only=True):
    """A hand as played at the table. Levels are not in it but re-summed from all hands and penalties. `record` is the
    hash of its card record (`HandRecordKept`, in the same commit), None where none was handed in. `held`, here and in
    other events, is what the device that sent the entry said of it."""

    competition: str
    match: str
    round: int
    table: int
    teams: tuple[str, str]
    hand: int
    facts: HandFacts
    record: str | None = None
    held: Held | None = None


class HandRecordKept(Fact, frozen=True, kw_only=True):
    """The card record (`pailu-hand/1`) of a hand, and which breaches it shows; they charge nobody. `hash` is the
    SHA-256 of the record as JSON with sorted keys (RFC 8785), in hex, by which the hand's own event names it."""

    competition: str
    match: str
    round: int
    hand: int
    hash: str
    record: dict[str, Any]
    findings: tuple[Finding, ...]


class HandVersionKept(Fact, frozen=True, kw_only=True):
    """A hand that was entered came again, otherwise, from somebody who had not seen the first entry. Both are kept: the
    hand is in conflict until the chief referee chooses. `version` counts the versions of the hand; the first is what
    was entered, and counts meanwhile."""

    competition: str
    match: str
    round: int
    table: int
    hand: int
    version: int
    facts: HandFacts
    record: str | None = None
    held: Held | None = None


class FinishVersionKept(Fact, frozen=True, kw_only=True):
    """A hand of 掼蛋 that was entered came again, otherwise; as in `HandVersionKept`."""

    competition: str
    match: str
    round: int
    table: int
    hand: int
    version: int
    facts: FinishFacts
    record: str | None = None
    held: Held | None = None


class HandVersionChosen(Fact, frozen=True, kw_only=True):
    """The chief referee has chosen a version of a hand in conflict, and why. Where it is not the one that counted, the
    hand is corrected in the same commit (`HandCorrected`, `FinishCorrected`)."""

    competition: str
    match: str
    round: int
    hand: int
    version: int
    reason: str


class HandCorrected(Fact, frozen=True, kw_only=True):
    """A hand was entered wrongly: before, after, and why. `record` is the hash of the card record that holds from now
    on, None where there is none."""

    competition: str
    match: str
    hand: int
    before: HandFacts
    after: HandFacts
    reason: str
    record: str | None = None
    held: Held | None = None


class HandFinished(Fact, frozen=True, kw_only=True):
    """A hand of 掼蛋 as it was played: who went out when. Levels are not in it but re-summed from all hands and
    penalties. `record` is as in `HandPlayed`."""

    competition: str
    match: str
    round: int
    table: int
    teams: tuple[str, str]
    hand: int
    facts: FinishFacts
    article: str
    record: str | None = None
    held: Held | None = None


class FinishCorrected(Fact, frozen=True, kw_only=True):
    """A hand of 掼蛋 was entered wrongly: before, after, and why; `record` is as in `HandCorrected`."""

    competition: str
    match: str
    hand: int
    before: FinishFacts
    after: FinishFacts
    reason: str
    record: str | None = None
    held: Held | None = None


class PenaltyIssued(Fact, frozen=True, kw_only=True):
    """A penalty on a pair, priced by its article. `cards` is the number a price per card counts; `claimed_during` the
    hand that had begun when it was claimed, as the referee says, by which it was in time. `tariff` is what code and
    counts give, where the referee set other points within what the article leaves open (`reason` says why). `lost` and
    `compensation` are half match points, where the referee prices: taken from the pair, given to its opponents."""

    competition: str
    match: str
    round: int
    penalty: str
    hand: int
    claimed_during: int
    pair: Pair
    team: str
    code: str
    name: str
    cards: int | None
    occasions: int
    points: int
    effects: tuple[str, ...]
    article: str
    mark: str
    reason: str
    tariff: int | None = None
    lost: int = 0
    compensation: int = 0
    held: Held | None = None


class PenaltyLifted(Fact, frozen=True, kw_only=True):
    """A penalty no longer counts, and why."""

    competition: str
    match: str
    penalty: str
    reason: str
    held: Held | None = None


class GamePlayed(Fact, frozen=True, kw_only=True):
    """A board game as the referee enters it; no move of it is known. `game` counts the games of a match, which has more
    than one only where somebody must win and the ones before were drawn."""

    competition: str
    match: str
    round: int
    table: int
    teams: tuple[str, str]
    game: int
    facts: GameFacts
    article: str
    held: Held | None = None


class GameCorrected(Fact, frozen=True, kw_only=True):
    """A board game was entered wrongly: before, after, and why."""

    competition: str
    match: str
    game: int
    before: GameFacts
    after: GameFacts
    reason: str
    held: Held | None = None


class UnfinishedHandNoted(Fact, frozen=True, kw_only=True):
    """How far hand `hand` of a table was when time was called, as its referee says. By the regulation it is played to
    its end and entered (`counts`), or it stops there. Hands before it were over. `call` counts the time calls of the
    round that were lifted, and this one. `reason`: why it is said otherwise than before, empty where it was not said
    before."""

    competition: str
    match: str
    round: int
    table: int
    hand: int
    phase: Phase
    counts: bool
    article: str
    reason: str = ""
    held: Held | None = None
    call: int = 1


class IncidentNoted(Fact, frozen=True, kw_only=True):
    """Something happened at a table that has no price: for the record, and for whoever decides later. `hand` and `pair`
    are None where it concerns none or both."""

    competition: str
    match: str
    round: int
    incident: str
    hand: int | None
    pair: Pair | None
    what: str
    held: Held | None = None


class MatchConfirmed(Fact, frozen=True, kw_only=True):
    """A pair confirms the score sheet of its match, as it had so many hands (at a board: games) and these levels; what
    is entered, corrected or penalised afterwards makes it void. `for_pair`: the referee does it in its place, and
    why."""

    competition: str
    match: str
    round: int
    opening: int
    pair: Pair
    team: str
    hands: int
    levels: dict[str, str]
    for_pair: bool
    reason: str
    held: Held | None = None


class ConfirmationOverdue(Fact, frozen=True, kw_only=True):
    """A match was closed, and the time in which its pairs were to confirm it passed at `due_at`. It changes nothing."""

    competition: str
    match: str
    round: int
    opening: int
    due_at: datetime
    missing: tuple[Pair, ...]
    article: str


class TableClaimed(Fact, frozen=True, kw_only=True):
    """A device takes the entries of a table, softly: `beside` are the devices that had it already, and keep it."""

    competition: str
    match: str
    round: int
    table: int
    device: str
    beside: tuple[str, ...]


class TableReleased(Fact, frozen=True, kw_only=True):
    """A device leaves a table that it had claimed."""

    competition: str
    match: str
    round: int
    table: int
    device: str


class TeamCheckedIn(Fact, frozen=True, kw_only=True):
    """A team is at its table, by the server's clock."""

    competition: str
    match: str
    round: int
    team: str
    checked_in_at: datetime


class LineUpGiven(Fact, frozen=True, kw_only=True):
    """Who of a team sits where: by seat, the member of its entry, counted from 0. A later one replaces it until a hand
    was entered."""

    competition: str
    match: str
    round: int
    team: str
    seats: dict[str, int]


class PlayerSubstituted(Fact, frozen=True, kw_only=True):
    """From hand `hand` on another member of the entry plays, and why."""

    competition: str
    match: str
    round: int
    team: str
    seat: int
    left: int
    came: int
    hand: int
    reason: str
    article: str


class TeamDisqualified(Fact, frozen=True, kw_only=True):
    """The chief referee disqualifies a team: it is not paired again, and whether its results stand is the
    regulation's. Its open match is for the referee to forfeit."""

    competition: str
    team: str
    from_round: int
    reason: str
    article: str


class MatchForfeited(Fact, frozen=True, kw_only=True):
    """A match is not played, or not to its end, because of who is absent: one team (the other wins) or both. It is
    over at `closed_at`, None in events from before that was recorded. `late` is how many minutes after the start each
    had not come, where the regulation says how late is too late."""

    competition: str
    match: str
    opening: int
    absent: tuple[str, ...]
    result: MatchResult
    reason: str
    article: str
    closed_at: datetime | None = None
    late: dict[str, int] = msgspec.field(default_factory=dict)


class MatchClosed(Fact, frozen=True, kw_only=True):
    """A match is over at `closed_at` (None in events from before that was recorded): played to its end, by time, or
    because a ruling awarded it. `opening` is how often its round had been reopened for it."""

    competition: str
    match: str
    opening: int
    ended: Literal["played", "time", "ruling"]
    hands: int
    result: MatchResult
    article: str
    closed_at: datetime | None = None


class MatchReopened(Fact, frozen=True, kw_only=True):
    """A match is changed again after its round was reopened for it; `rulings` on it stand. `replay`: it is
    played again from the first hand, and nothing of the earlier play counts."""

    competition: str
    match: str
    opening: int
    replay: bool
    rulings: tuple[Remedy, ...]


EVENTS: tuple[type[Fact], ...] = (
    SeedCommitted,
    DrawMade,
    StageDrawn,
    PairOrdered,
    PairOrderLifted,
    RoundPaired,
    RoundUnpaired,
    TeamAbsent,
    AbsenceLifted,
    TeamWithdrawn,
    RoundStarted,
    RoundPaused,
    RoundResumed,
    TimeCalled,
    TimeCallLifted,
    RoundClosed,
    ResultsPosted,
    ExtraHandOrdered,
    RoundReopened,
    LotDrawn,
    RulingApplied,
    SetAsideProposed,
    RulingSetAside,
    PlacesProposed,
    PlacesDeclared,
    MatchOpened,
    HandPlayed,
    HandRecordKept,
    HandVersionKept,
    HandVersionChosen,
    HandCorrected,
    HandFinished,
    FinishVersionKept,
    FinishCorrected,
    PenaltyIssued,
    PenaltyLifted,
    GamePlayed,
    GameCorrected,
    UnfinishedHandNoted,
    IncidentNoted,
    MatchConfirmed,
    ConfirmationOverdue,
    TableClaimed,
    TableReleased,
    TeamCheckedIn,
    LineUpGiven,
    PlayerSubstituted,
    TeamDisqualified,
    MatchForfeited,
    MatchClosed,
    MatchReopened,
)
