"""A hand that comes a second time. The same is nothing new; another version, from somebody who had not seen the first,
is kept beside it, and the chief referee chooses. What was recorded once stays known, so that a phone which sends an old
version again, even after the choice, changes nothing."""

from __future__ import annotations

from typing import Any

import msgspec

from services.match import refusals as refuse
from services.match.model import records
from services.match.model.matches import Events, Match, Version, opened_of, points_of, summed, with_hand
from services.match.model.seated import Seat
from shared.contracts.fact import Fact, HandFacts
from shared.contracts.match import HandCorrected, HandVersionChosen, HandVersionKept
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.schema import AnyPreset


class HandEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A hand as a referee enters it; `as_played` says that levels other than the log's are no mistake; `record` is its
    card record, None where there is none; `equals_another`: that it is the same as another hand of the match is no
    mistake; `device` is what it came from; `seen`: whoever sent it had seen the match as it is."""

    hand: int
    facts: HandFacts
    as_played: bool = False
    record: dict[str, Any] | None = None
    equals_another: bool = False
    device: str = ""
    seen: bool = False


def come_again(state: Match, preset: Preset, seat: Seat, entry: HandEntry, by: str) -> Events:
    """An entered hand comes again: nothing where this version is known, else it is kept and the hand is in conflict.
    Raises HandAlreadyEntered where the same person on the same device, or one who has seen the first, sends another;
    HandEqualsAnother, RecordInvalid, RecordDisagrees, HandIsImpossible."""
    opened, hand = opened_of(state), entry.hand
    judged = None if entry.record is None else records.judge(preset, state, hand, entry.facts, entry.record)
    facts = judged.facts if judged else entry.facts
    record = judged.hash if judged else None
    known = state.versions[hand]
    if any(_says_no_more(facts, record, one) for one in known):
        return []
    if entry.seen or any((one.by, one.device) == (by, entry.device) for one in known):
        raise refuse.HandAlreadyEntered(match=opened.match, hand=hand)
    check_alone(state, entry, facts, record)
    summed(preset, seat, with_hand(state, hand, facts).sheet, hand)
    kept: list[Fact] = [
        HandVersionKept(
            regulation=opened.regulation,
            by=by,
            competition=opened.competition,
            match=opened.match,
            round=opened.round,
            table=opened.table,
            hand=hand,
            version=len(known) + 1,
            facts=facts,
            record=record,
        )
    ]
    return [*kept, *([records.kept(state, hand, judged, by)] if judged else [])]


def _says_no_more(facts: HandFacts, record: str | None, known: Version) -> bool:
    """Whether an entry is one that is known, or less of it: what it leaves out it does not deny."""
    return (
        (facts.dealer, facts.points) == (known.facts.dealer, known.facts.points)
        and facts.trump in (None, known.facts.trump)
        and facts.levels in (None, known.facts.levels)
        and record in (None, known.record)
    )


def check_alone(state: Match, entry: HandEntry, facts: HandFacts, record: str | None) -> None:
    """No other hand of the match is the same, unless the referee says that it was so: it may have been entered under
    a wrong number. Hands with card records that differ are not the same. Raises HandEqualsAnother."""
    if entry.equals_another:
        return
    for number, (other, other_record) in enumerate(zip(state.hands, state.records, strict=True), 1):
        recorded = record is not None and other_record is not None and record != other_record
        if number != entry.hand and other == facts and not recorded:
            raise refuse.HandEqualsAnother(match=opened_of(state).match, hand=entry.hand, other=number)


def choose_version(
    state: Match, any_preset: AnyPreset, seat: Seat, hand: int, version: int, reason: str, by: str
) -> Events:
    """The chief referee chooses. In a match that is closed only what counts already can be chosen. Raises OtherGame,
    NoSuchHand, NotInConflict, NoSuchVersion, MatchIsClosed, HandIsImpossible."""
    opened, preset = opened_of(state), points_of(any_preset, state)
    if not 1 <= hand <= len(state.hands):
        raise refuse.NoSuchHand(match=opened.match, hand=hand, entered=len(state.hands))
    if hand not in state.conflicts:
        raise refuse.NotInConflict(match=opened.match, hand=hand)
    known = state.versions[hand]
    if not 1 <= version <= len(known):
        raise refuse.NoSuchVersion(match=opened.match, hand=hand, version=version, versions=len(known))
    chosen, counts = known[version - 1], _counting(state, hand)
    facts: list[Fact] = [
        HandVersionChosen(
            regulation=opened.regulation,
            by=by,
            competition=opened.competition,
            match=opened.match,
            round=opened.round,
            hand=hand,
            version=version,
            reason=reason,
        )
    ]
    if (chosen.facts, chosen.record) == (counts.facts, counts.record):
        return facts
    if state.closed is not None:
        raise refuse.MatchIsClosed(match=opened.match)
    summed(preset, seat, with_hand(state, hand, chosen.facts).sheet, hand)
    return [
        *facts,
        HandCorrected(
            regulation=opened.regulation,
            by=by,
            competition=opened.competition,
            match=opened.match,
            hand=hand,
            before=counts.facts,
            after=chosen.facts,
            reason=reason,
            record=chosen.record,
        ),
    ]


def _counting(state: Match, hand: int) -> Version:
    """What counts of a hand at present."""
    return Version(facts=state.hands[hand - 1], record=state.records[hand - 1])
