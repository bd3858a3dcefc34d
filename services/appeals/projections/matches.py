"""Matches as match has them, for the committee to read."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

import msgspec

from services.appeals.projections.fields import Fields, plain
from shared.contracts.fact import HandFacts, MatchResult, Remedy
from shared.contracts.match import (
    GameCorrected,
    GamePlayed,
    HandCorrected,
    HandPlayed,
    MatchClosed,
    MatchForfeited,
    MatchReopened,
    PenaltyIssued,
    PenaltyLifted,
    RoundPaired,
    RulingApplied,
)
from shared.eventsourcing.projector import View
from shared.eventsourcing.records import Envelope
from shared.rules.shengji.facts import PenaltyFact
from shared.rules.shengji.sheet import Sheet, hand_fact


class MatchRow(msgspec.Struct, kw_only=True):
    """A match as match has it: hands and penalties, at a board games, with who entered them, closings, rulings
    (`ruled_before`: how many of them came before the last closing). What was played before a replay stays, marked
    `void`."""

    id: str
    competition: str = ""
    match: str = ""
    round: int = 0
    table: int = 0
    teams: list[str] = []
    hands: list[Fields] = []
    penalties: list[Fields] = []
    games: list[Fields] = []
    closings: list[Fields] = []
    ruled_before: int = 0
    open: bool = True
    rulings: list[Fields] = []

    @property
    def closed_at(self) -> datetime | None:
        """When it was closed last, None while it is open."""
        return None if self.open else msgspec.convert(self.closings[-1]["closed_at"], datetime)

    def sheet(self) -> Sheet:
        """Its hands and penalties as they count."""
        hands = [(h["hand"], msgspec.convert(h["facts"], HandFacts)) for h in self.hands if not h["void"]]
        return Sheet(
            hands=tuple(hand_fact(number, facts) for number, facts in hands),
            penalties=tuple(_penalty(penalty) for penalty in self.penalties if not penalty["void"]),
        )

    def standing_rulings(self) -> tuple[Remedy, ...]:
        """The rulings on it, of the play that counts."""
        remedies = [msgspec.convert(ruling["remedy"], Remedy) for ruling in self.rulings]
        replays = [number for number, remedy in enumerate(remedies, 1) if remedy.kind == "replay_match"]
        return tuple(remedies[max(replays, default=0) :])

    def result(self) -> MatchResult | None:
        """What it came to when it was closed last, as rulings since have left it; None while it is open."""
        if self.open:
            return None
        ruled = [ruling["after"] for ruling in self.rulings[self.ruled_before :]]
        found: MatchResult | None = msgspec.convert([self.closings[-1]["result"], *ruled][-1], MatchResult | None)
        return found


def _penalty(penalty: Fields) -> PenaltyFact:
    return PenaltyFact(
        id=penalty["penalty"],
        code=penalty["code"],
        hand=penalty["hand"],
        pair=penalty["pair"],
        points=penalty["points"],
        effects=tuple(penalty["effects"]),
        lifted=penalty["lifted_because"] is not None,
    )


def match_key(competition: str, match: str) -> str:
    """The id of a match's row; match ids are unique in their competition only."""
    return f"{competition}/{match}"


matches: View[MatchRow] = View("matches", MatchRow)


def _of_match(event: Any, _at: Envelope) -> Iterable[str]:
    return (match_key(event.competition, event.match),)


@matches.on(RoundPaired, keys=lambda e, _: [match_key(e.competition, pairing.match) for pairing in e.matches])
def match_paired(row: MatchRow, event: RoundPaired, _at: Envelope) -> None:
    pairing = next(p for p in event.matches if match_key(event.competition, p.match) == row.id)
    row.competition, row.match, row.round = event.competition, pairing.match, event.round
    row.table, row.teams = pairing.table, list(pairing.teams)


@matches.on(HandPlayed, keys=_of_match)
def hand_played(row: MatchRow, event: HandPlayed, at: Envelope) -> None:
    row.hands.append(
        {
            "hand": event.hand,
            "facts": plain(event.facts),
            "accounts": [event.by],
            "entered_at": plain(at.received_at),
            "corrections": [],
            "annulled": False,
            "void": False,
        }
    )


@matches.on(HandCorrected, keys=_of_match)
def hand_corrected(row: MatchRow, event: HandCorrected, at: Envelope) -> None:
    correction = {"before": plain(event.before), "after": plain(event.after), "by": event.by, "reason": event.reason}
    for hand in _standing(row.hands, "hand", event.hand):
        hand["facts"] = plain(event.after)
        hand["accounts"] = [*dict.fromkeys([*hand["accounts"], event.by])]
        hand["corrections"].append(correction | {"at": plain(at.received_at)})


@matches.on(GamePlayed, keys=_of_match)
def game_played(row: MatchRow, event: GamePlayed, at: Envelope) -> None:
    row.games.append(
        {
            "game": event.game,
            "facts": plain(event.facts),
            "accounts": [event.by],
            "entered_at": plain(at.received_at),
            "corrections": [],
            "void": False,
        }
    )


@matches.on(GameCorrected, keys=_of_match)
def game_corrected(row: MatchRow, event: GameCorrected, at: Envelope) -> None:
    correction = {"before": plain(event.before), "after": plain(event.after), "by": event.by, "reason": event.reason}
    for game in _standing(row.games, "game", event.game):
        game["facts"] = plain(event.after)
        game["accounts"] = [*dict.fromkeys([*game["accounts"], event.by])]
        game["corrections"].append(correction | {"at": plain(at.received_at)})


@matches.on(PenaltyIssued, keys=_of_match)
def penalty_issued(row: MatchRow, event: PenaltyIssued, at: Envelope) -> None:
    facts = plain(event)
    said = ("penalty", "hand", "pair", "team", "code", "name", "cards", "points", "effects", "article", "reason", "by")
    row.penalties.append(
        {name: facts[name] for name in said}
        | {"issued_at": plain(at.received_at), "lifted_because": None, "void": False}
    )


@matches.on(PenaltyLifted, keys=_of_match)
def penalty_lifted(row: MatchRow, event: PenaltyLifted, _at: Envelope) -> None:
    for penalty in _standing(row.penalties, "penalty", event.penalty):
        penalty["lifted_because"] = event.reason


@matches.on(MatchForfeited, keys=_of_match)
@matches.on(MatchClosed, keys=_of_match)
def match_closed(row: MatchRow, event: MatchClosed | MatchForfeited, at: Envelope) -> None:
    row.closings.append({"result": plain(event.result), "by": event.by, "closed_at": plain(at.received_at)})
    row.open, row.ruled_before = False, len(row.rulings)


@matches.on(MatchReopened, keys=_of_match)
def match_reopened(row: MatchRow, event: MatchReopened, _at: Envelope) -> None:
    row.open = True
    if event.replay:
        for entry in (*row.hands, *row.penalties, *row.games):
            entry["void"] = True


@matches.on(RulingApplied, keys=_of_match)
def ruled(row: MatchRow, event: RulingApplied, at: Envelope) -> None:
    facts = plain(event)
    said = ("remedy", "before", "after", "appeal", "reason", "article", "later", "by")
    row.rulings.append({name: facts[name] for name in said} | {"at": plain(at.received_at)})
    remedy = event.remedy
    for hand in _standing(row.hands, "hand", remedy.hand):
        if remedy.kind == "correct_hand":
            hand["facts"] = plain(remedy.facts)
        hand["annulled"] = hand["annulled"] or remedy.kind == "annul_hand"
    for penalty in _standing(row.penalties, "penalty", remedy.penalty):
        penalty["lifted_because"] = event.reason


def _standing(entries: list[Fields], name: str, value: Any) -> list[Fields]:
    """The entries that go by this number or id and were not made void by a replay."""
    return [entry for entry in entries if entry[name] == value and not entry["void"]]
