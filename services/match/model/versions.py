"""A hand that comes a second time. The same is nothing new; another version, from somebody who had not seen the first,
is kept beside it, and the chief referee chooses. What was recorded once stays known, so that a phone which sends an old
version again, even after the choice, changes nothing."""

from __future__ import annotations

from typing import Any, Generic

import msgspec

from services.match import refusals as refuse
from services.match.model import records
from services.match.model.matches import Events, F, Match, Version, head_of, opened_of
from services.match.model.scoring import Scoring, scoring_of
from services.match.model.seated import Seat
from shared.contracts.fact import Fact
from shared.contracts.match import HandVersionChosen
from shared.rules.regulations.schema import AnyPreset


class HandEntry(msgspec.Struct, Generic[F], frozen=True, kw_only=True):
    """A hand as a referee enters it; `as_played` says that levels other than the log's are no mistake; `record` is its
    card record, None where there is none; `equals_another`: that it is the same as another hand of the match is no
    mistake; `device` is what it came from; `seen`: whoever sent it had seen the match as it is."""

    hand: int
    facts: F
    as_played: bool = False
    record: dict[str, Any] | None = None
    equals_another: bool = False
    device: str = ""
    seen: bool = False


def judged_of(
    state: Match, scoring: Scoring[F], hand: int, posted: F, record: dict[str, Any] | None
) -> tuple[F, records.Judged[F] | None]:
    """A hand as it was posted and as its record has it, where there is one. Raises RecordInvalid, RecordDisagrees."""
    judged = None if record is None else records.judge(scoring.preset, state, hand, posted, record)
    return scoring.settled(judged.facts if judged else posted), judged


def come_again(state: Match, scoring: Scoring[F], entry: HandEntry[F], by: str) -> Events:
    """An entered hand comes again: nothing where this version is known, else it is kept and the hand is in conflict.
    Raises HandAlreadyEntered where the same person on the same device, or one who has seen the first, sends another;
    HandEqualsAnother, RecordInvalid, RecordDisagrees, HandIsImpossible."""
    opened, hand = opened_of(state), entry.hand
    facts, judged = judged_of(state, scoring, hand, entry.facts, entry.record)
    record = judged.hash if judged else None
    known = state.versions[hand]
    if any(scoring.says_no_more(facts, one.facts) and record in (None, one.record) for one in known):
        return []
    if entry.seen or any((one.by, one.device) == (by, entry.device) for one in known):
        raise refuse.HandAlreadyEntered(match=opened.match, hand=hand)
    check_alone(state, scoring, entry, facts, record)
    scoring.summed(scoring.with_hand(state, hand, facts), hand)
    kept: list[Fact] = [scoring.kept(state, hand, facts, record, by)]
    return [*kept, *([records.kept(state, hand, judged, by)] if judged else [])]


def check_alone(state: Match, scoring: Scoring[F], entry: HandEntry[F], facts: F, record: str | None) -> None:
    """No other hand of the match is the same, unless the referee says that it was so: it may have been entered under
    a wrong number. Hands with card records that differ are not the same. Raises HandEqualsAnother."""
    if entry.equals_another:
        return
    for number, (other, other_record) in enumerate(zip(scoring.hands(state), state.records, strict=True), 1):
        recorded = record is not None and other_record is not None and record != other_record
        if number != entry.hand and other == facts and not recorded:
            raise refuse.HandEqualsAnother(match=opened_of(state).match, hand=entry.hand, other=number)


class Choice(msgspec.Struct, Generic[F], frozen=True, kw_only=True):
    """The chief referee's choice between the versions of a hand, and why. `facts` is what its hands are entered as."""

    hand: int
    version: int
    reason: str
    facts: type[F]


def choose_version(state: Match, preset: AnyPreset, seat: Seat, choice: Choice[F], by: str) -> Events:
    """The chief referee chooses. In a match that is closed only what counts already can be chosen. Raises OtherGame,
    NoSuchHand, NotInConflict, NoSuchVersion, MatchIsClosed, HandIsImpossible."""
    opened, scoring = opened_of(state), scoring_of(preset, state, seat, choice.facts)
    hand, hands = choice.hand, scoring.hands(state)
    if not 1 <= hand <= len(hands):
        raise refuse.NoSuchHand(match=opened.match, hand=hand, entered=len(hands))
    if hand not in state.conflicts:
        raise refuse.NotInConflict(match=opened.match, hand=hand)
    known: tuple[Version[F], ...] = state.versions[hand]
    if not 1 <= choice.version <= len(known):
        raise refuse.NoSuchVersion(match=opened.match, hand=hand, version=choice.version, versions=len(known))
    chosen = known[choice.version - 1]
    facts: list[Fact] = [
        HandVersionChosen(
            **head_of(state, by),
            round=opened.round,
            hand=hand,
            version=choice.version,
            reason=choice.reason,
        )
    ]
    if (chosen.facts, chosen.record) == (hands[hand - 1], state.records[hand - 1]):
        return facts
    if state.closed is not None:
        raise refuse.MatchIsClosed(match=opened.match)
    scoring.summed(scoring.with_hand(state, hand, chosen.facts), hand)
    return [*facts, scoring.corrected(state, hand, chosen.facts, chosen.record, choice.reason, by)]
