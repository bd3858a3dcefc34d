"""A decision from outside the table becomes a ruling: once, naming what it changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from services.match import refusals as refuse
from services.match.model import facts
from services.match.model.matches import Match
from services.match.model.rounds import Rounds, round_of, seat_of
from services.match.model.seated import Seat
from shared.contracts.fact import Fact, LaterRounds, MatchResult, Remedy
from shared.contracts.match import RulingApplied, RulingSetAside, SetAsideProposed
from shared.contracts.refusal import Refusal
from shared.rules.basis import Text
from shared.rules.formats.stages import CARDS
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.schema import AnyPreset
from shared.rules.shengji.remedies import OF_PLAY, leaves_result


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """What an appeal's decision asks for."""

    match: str
    remedy: Remedy
    later: LaterRounds | None
    appeal: str
    reason: str
    article: str


def apply(state: Rounds, preset: AnyPreset, played: Match, decision: Decision, by: str) -> Sequence[Fact]:
    """The ruling, with the result before and after (None while the match is not over). `played` is the match's stream.

    Nothing where two people have set the decision aside. Raises PlacesAreDeclared, NoSuchMatch, RemedyImpossible,
    HandIsImpossible."""
    if decision.appeal in state.set_aside:
        return []
    if state.declared:
        raise refuse.PlacesAreDeclared()
    seat = seat_of(state, decision.match)
    _check(state, seat, played, decision)
    before = round_of(state, seat.round).results.get(decision.match) or played.closed
    after = _after(preset, seat, played, before, decision.remedy)
    return [
        RulingApplied(
            regulation=state.regulation,
            by=by,
            competition=state.competition,
            round=seat.round,
            match=decision.match,
            remedy=decision.remedy,
            before=before,
            after=after,
            appeal=decision.appeal,
            reason=decision.reason,
            article=decision.article,
            later=decision.later,
        )
    ]


def propose_set_aside(
    state: Rounds, preset: AnyPreset, played: Match, decision: Decision, reason: str, by: str
) -> Sequence[Fact]:
    """One person puts forward that a decision which cannot be applied is not waited for any more. Raises
    RulingIsApplied, RulingIsSetAside, RulingCanBeApplied."""
    refused = _refused(state, preset, played, decision)
    return [SetAsideProposed(**_of(state, decision, refused), reason=reason, by=by)]


def set_aside(state: Rounds, preset: AnyPreset, played: Match, decision: Decision, by: str) -> Sequence[Fact]:
    """Another person confirms it, while it is refused for what it was proposed for. Raises SetAsideNotProposed,
    TwoPeopleNeeded, SetAsideHasChanged, and what `propose_set_aside` does."""
    refused = _refused(state, preset, played, decision)
    proposed = state.to_set_aside.get(decision.appeal)
    if proposed is None:
        raise refuse.SetAsideNotProposed(appeal=decision.appeal)
    if proposed.by == by:
        raise refuse.TwoPeopleNeeded(by=by)
    if proposed.refusal != refused.slug:
        raise refuse.SetAsideHasChanged(appeal=decision.appeal, now=Text(refused.say("zh"), refused.say("en")))
    return [
        RulingSetAside(**_of(state, decision, refused), reason=proposed.reason, proposed_by=proposed.by, by=by),
    ]


def _refused(state: Rounds, preset: AnyPreset, played: Match, decision: Decision) -> Refusal:
    """What keeps a decision from being applied."""
    if decision.appeal in state.appeals:
        raise refuse.RulingIsApplied(appeal=decision.appeal)
    if decision.appeal in state.set_aside:
        raise refuse.RulingIsSetAside(appeal=decision.appeal)
    try:
        apply(state, preset, played, decision, "")
    except Refusal as refused:
        return refused
    raise refuse.RulingCanBeApplied(appeal=decision.appeal)


def _of(state: Rounds, decision: Decision, refused: Refusal) -> dict[str, Any]:
    return {
        "regulation": state.regulation,
        "competition": state.competition,
        "appeal": decision.appeal,
        "match": decision.match,
        "remedy": decision.remedy,
        "refusal": refused.slug,
        "refused": (refused.say("zh"), refused.say("en")),
    }


def _after(
    preset: AnyPreset, seat: Seat, played: Match, before: MatchResult | None, remedy: Remedy
) -> MatchResult | None:
    ruled = msgspec.structs.replace(seat, rulings=(*seat.rulings, remedy))
    if isinstance(preset, Preset):
        sheet = facts.with_rulings(preset, seat.seated, played.sheet, ruled.rulings)
        facts.summary(preset, sheet, remedy.hand)
    if remedy.kind == "replay_match":
        return None
    if before is None or leaves_result(remedy, before.how):
        return before
    return facts.outcome(preset, ruled, played.played)


def _check(state: Rounds, seat: Seat, played: Match, decision: Decision) -> None:
    """Raises RemedyImpossible for a team that is not in the match, hands of a match at a board or that are to be played
    again, or rounds that were not played."""
    remedy, later = decision.remedy, decision.later

    def impossible(pointer: str, zh: str, en: str) -> refuse.RemedyImpossible:
        return refuse.RemedyImpossible(pointer, match=decision.match, reason=Text(zh, en))

    if remedy.kind in ("award_match", "disqualify_team") and remedy.team not in seat.seated.teams:
        raise impossible("/remedy/team", f"队伍 {remedy.team} 不在本场", f"team {remedy.team} is not in it")
    if remedy.kind in OF_PLAY and seat.event != CARDS:
        raise impossible("/remedy/kind", "棋类比赛没有牌局与判罚", "a match at a board has no hands and penalties")
    if remedy.kind in OF_PLAY and seat.replay and played.opening < seat.opening:
        raise impossible("/remedy/kind", "本场已裁定重打", "it is to be played again from the first hand")
    if later is not None and later.choice == "replay_from":
        first = later.round or 0
        if not seat.round < first <= len(state.rounds):
            raise impossible("/later/round", f"没有更后的第 {later.round} 轮", f"there is no later round {later.round}")
