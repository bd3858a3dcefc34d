"""The read model as commands and answers need it: cases, windows, who may still appeal, what an appeal lacks."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

from services.appeals import refusals as refuse
from services.appeals.facts import Case, Hand, Penalty
from services.appeals.projections import (
    AppealRow,
    CompetitionRow,
    HallRow,
    LedgerRow,
    MatchRow,
    Round,
    TeamRow,
    appeal_key,
    appeals,
    competitions,
    halls,
    ledgers,
    match_key,
    matches,
    team_key,
    teams,
    told,
)
from shared.contracts.fact import Fact
from shared.contracts.programme import boards_of, parted, plays_for
from shared.eventsourcing.generations import Reader
from shared.eventsourcing.ports import Codec
from shared.rules.appeals import Times, decision_due, window_closes, window_opens
from shared.rules.deadlines import in_time
from shared.rules.formats.stages import CARDS, pairs_by_results
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.reference import resolve_any
from shared.rules.regulations.schema import AnyPreset


class Records:
    """What is known of other services, and of the desk's own appeals."""

    def __init__(self, reader: Reader, codec: Codec) -> None:
        self._reader = reader
        self._codec = codec

    def competition(self, competition: str) -> CompetitionRow:
        """An announced competition, or an event at a board with what registration said of the competition that it is
        one of. Raises NoSuchCompetition."""
        announced, event = parted(competition)
        row = self._reader.get(competitions, announced)
        if row is None or not row.regulation:
            raise refuse.NoSuchCompetition(competition=competition)
        if event != CARDS and event not in boards_of(resolve_any(row.regulation, row.changes)):
            raise refuse.NoSuchCompetition(competition=competition)
        return msgspec.structs.replace(row, id=competition)

    def preset(self, competition: str) -> Preset:
        """The regulation a competition is played under. Raises NoSuchCompetition, and AppealsNotAllowed for one of a
        game whose regulations have none."""
        found = self.any_preset(competition)
        if not isinstance(found, Preset):
            raise refuse.AppealsNotAllowed(found.appeals.allowed.article)
        return found

    def any_preset(self, competition: str) -> AnyPreset:
        """The regulation a competition is played under, whatever its game. Raises NoSuchCompetition."""
        row = self.competition(competition)
        return resolve_any(row.regulation, row.changes)

    def teams_of(self, competition: str, name: str) -> list[TeamRow]:
        """The teams for which a leader's token with this name speaks: the team of that id, the pairs or players of that
        entry, or all of that unit. Raises NoSuchTeam."""
        row = self._reader.get(teams, team_key(competition, name))
        if row is not None and row.drawn_name:
            return [row]
        entry = row or self._reader.get(teams, team_key(parted(competition)[0], name))
        of_unit = self._reader.find(teams, {"competition": competition, "unit": entry.unit if entry else name})
        drawn = [one for one in of_unit if one.drawn_name]
        found = [one for one in drawn or of_unit if entry is None or plays_for(one.team, {name}) == name]
        if not found:
            raise refuse.NoSuchTeam(competition=competition, team=name)
        return found

    def names(self, competition: str, team: str) -> tuple[str, ...]:
        """The names by which a leader's token speaks for a team: its id, its unit, its entry's; of one that is not
        there, what it was called."""
        own, entry = self._teams(competition, [team])[team], self._entries(competition, [team])[team]
        return team, own.unit or team, entry.team if entry else team

    def hall(self, competition: str) -> HallRow:
        """The teams drawn and the rounds as they stand, none before the draw."""
        return self._reader.get(halls, competition) or HallRow(id=competition)

    def case(self, competition: str, match: str) -> Case:
        """A match that was paired, as appeals see it. Raises NoSuchMatch, and what `preset` does."""
        announced, hall = self.competition(competition), self.hall(competition)
        row = self.match(competition, match)
        seated, entries = self._teams(competition, row.teams), self._entries(competition, row.teams)
        current = hall.round_of(row.round, match)
        preset, event = self.preset(competition), parted(competition)[1]
        return Case(
            competition=competition,
            regulation=announced.regulation,
            preset=preset,
            cancelled=announced.cancelled_because,
            match=match,
            round=row.round,
            replaced=current is None,
            teams={id: team.unit for id, team in seated.items()},
            parts={id: entry.parts if entry else None for id, entry in entries.items()},
            match_closed_at=row.closed_at if current else None,
            round_closed_at=_instant(current.closed_at) if current else None,
            posted_at=_instant(current.posted_at) if current else None,
            hands={h["hand"]: _hand(h) for h in row.hands if not h["void"]},
            penalties={p["penalty"]: _penalty(p) for p in row.penalties if not p["void"]},
            closers=tuple(dict.fromkeys(c["by"] for c in row.closings)),
            later=hall.resting_on(row.round, match) if _rests(preset, hall, event, current) else {},
            sheet=row.sheet(),
            rulings=row.standing_rulings(),
            result=row.result(),
            event=event,
            scorers=tuple(dict.fromkeys(by for game in row.games if not game["void"] for by in game["accounts"])),
            entries={id: entry.team for id, entry in entries.items() if entry is not None},
        )

    def told(self, competition: str) -> list[tuple[int, Fact]]:
        """The events that decide the competition's standings, in order, with their positions in match's topic."""
        rows = self._reader.find(told, {"competition": competition})
        return [(row.position, self._codec.decode(row.type, row.type_version, row.data.encode())) for row in rows]

    def match(self, competition: str, match: str) -> MatchRow:
        """A match that was paired, be its round paired anew since or not. Raises NoSuchMatch."""
        row = self._reader.get(matches, match_key(competition, match))
        if row is None or not row.match:
            raise refuse.NoSuchMatch(competition=competition, match=match)
        return row

    def matches(self, competition: str, current: Round) -> dict[str, MatchRow]:
        """The matches of a round, by id."""
        found = self._reader.many(matches, [match_key(competition, m["match"]) for m in current.matches])
        return {match.match: match for match in found.values()}

    def appeal(self, competition: str, appeal: str) -> AppealRow:
        """An appeal. Raises NoSuchAppeal."""
        row = self._reader.get(appeals, appeal_key(competition, appeal))
        if row is None or not row.appeal:
            raise refuse.NoSuchAppeal(competition=competition, appeal=appeal)
        return row

    def appeals(self, equal: dict[str, Any], after: Any = None, limit: int = 0) -> list[AppealRow]:
        """Appeals whose fields equal these, in the order in which they were begun."""
        return self._reader.find(appeals, equal, "order", after, limit)

    def ledger(self, competition: str) -> LedgerRow:
        """The books of a competition, empty where nothing was entered."""
        return self._reader.get(ledgers, competition) or LedgerRow(id=competition)

    def _teams(self, competition: str, ids: list[str]) -> dict[str, TeamRow]:
        found = self._reader.many(teams, [team_key(competition, id) for id in ids])
        return {id: found.get(team_key(competition, id), TeamRow(id=team_key(competition, id))) for id in ids}

    def _entries(self, competition: str, ids: Sequence[str]) -> dict[str, TeamRow | None]:
        """By team the entry that it plays for, as registration told of it; None where it has not yet."""
        announced, _ = parted(competition)
        keys = {name: team_key(announced, name) for id in ids for name in (id, id.rpartition("-")[0])}
        rows = self._reader.many(teams, sorted(set(keys.values())))
        told = {name: rows[key] for name, key in keys.items() if key in rows and rows[key].parts is not None}
        return {id: told.get(plays_for(id, set(told))) for id in ids}


def _rests(preset: Preset, hall: HallRow, event: str, current: Round | None) -> bool:
    """Whether later pairings may rest on the results of a round."""
    return current is None or pairs_by_results(preset, len(hall.teams), event, current.stage)


def _hand(hand: dict[str, Any]) -> Hand:
    last = hand["corrections"][-1]["at"] if hand["corrections"] else hand["entered_at"]
    return Hand(
        dealer=hand["facts"]["dealer"],
        accounts=tuple(hand["accounts"]),
        entered_at=instant(last),
        annulled=hand["annulled"],
    )


def _penalty(penalty: dict[str, Any]) -> Penalty:
    return Penalty(
        account=penalty["by"],
        issued_at=instant(penalty["issued_at"]),
        lifted=penalty["lifted_because"] is not None,
    )


def _opens(preset: Preset, current: Round, match: MatchRow) -> datetime | None:
    """The latest instant from which a window over a match may run, None while it does not yet."""
    times = Times(
        incident=match.closed_at,
        match_closed=match.closed_at,
        round_closed=_instant(current.closed_at),
        result_posted=_instant(current.posted_at),
    )
    return window_opens(preset, times)


def _instant(text: str | None) -> datetime | None:
    return None if text is None else instant(text)


def instant(text: str) -> datetime:
    """An instant as rows keep it."""
    return msgspec.convert(text, datetime)


# What is shown


def window(preset: Preset, opened: datetime | None, now: datetime) -> dict[str, Any]:
    """A window that runs from an instant (None: not yet), as it is at this moment."""
    if opened is None:
        return {"state": "not_running", "opens": None, "closes": None}
    closes = window_closes(preset, opened)
    state = "open" if in_time(now, closes) else "closed"
    return {"state": state, "opens": msgspec.to_builtins(opened), "closes": msgspec.to_builtins(closes)}


def deadlines(records: Records, competition: str, now: datetime) -> dict[str, Any]:
    """Every paired round with its window, who has waived, who can still appeal, and which lodged appeals are
    undecided. Where all teams have waived, the window is closed early."""
    preset, hall, books = records.any_preset(competition), records.hall(competition), records.ledger(competition)
    allowed = preset.appeals.allowed
    if not isinstance(preset, Preset) or not allowed.value:
        return {
            "rehearsal": records.competition(competition).rehearsal,
            "allowed": False,
            "article": allowed.article,
            "window_from": None,
            "mark": allowed.mark,
            "window_hours": None,
            "deposit_fen": 0,
            "rounds": [],
        }
    terms, undecided = preset.appeals, records.appeals({"competition": competition, "open": True})
    return {
        "rehearsal": records.competition(competition).rehearsal,
        "allowed": True,
        "article": terms.window_hours.article,
        "window_from": terms.window_from.value,
        "mark": terms.window_from.mark,
        "window_hours": terms.window_hours.value,
        "deposit_fen": terms.deposit_fen.value,
        "rounds": [
            _deadline(records.matches(competition, current), preset, hall, current, books, now)
            | {"undecided": [a.appeal for a in undecided if a.listed and a.round == current.number]}
            for current in hall.rounds
        ],
    }


def _deadline(
    played: dict[str, MatchRow], preset: Preset, hall: HallRow, current: Round, books: LedgerRow, now: datetime
) -> dict[str, Any]:
    """A round's window (where windows run from what happens in a match, that of its last match)."""
    closed_at = _instant(current.closed_at)
    waived = {team for team in books.waivers if books.waiver(team).covers(current.number, closed_at)}
    windows = {name: window(preset, _opens(preset, current, match), now) for name, match in played.items()}
    not_running = window(preset, None, now)
    last = max(windows.values(), key=lambda w: (w["opens"] is None, w["closes"] or ""), default=not_running)
    if last["state"] == "open" and waived >= set(hall.teams):
        last = last | {"state": "waived"}
    able = {
        team
        for name, match in played.items()
        if windows[name]["state"] in ("open", "not_running")
        for team in match.teams
        if team not in waived
    }
    recorded = books.windows.get(str(current.number), {})
    return {
        "round": current.number,
        "closing": current.closing,
        **last,
        "recorded_at": recorded.get("recorded_at") if recorded.get("round_closed_at") == current.closed_at else None,
        "waived_by": sorted(waived),
        "can_appeal": sorted(able),
    }


def decide_by(row: AppealRow, preset: Preset) -> datetime | None:
    """By when a lodged appeal is to be decided, None where it is not lodged or is over, and where no date is set."""
    if row.filed is None or not row.open:
        return None
    if row.committee is not None and row.committee["decide_by"] is not None:
        return instant(row.committee["decide_by"])
    return decision_due(preset, instant(row.filed["lodged_at"]))


def missing(row: AppealRow, preset: Preset) -> list[str]:
    """What keeps an appeal from being lodged: report, seal, deposit, confirmation."""
    if row.status != "drafted":
        return []
    lacks = []
    if not any(report["bears_seal"] for report in row.reports):
        lacks.append("seal" if row.reports else "report")
    if preset.appeals.deposit_fen.value and row.deposit is None:
        lacks.append("deposit")
    elif row.deposit is not None and row.deposit["status"] == "received":
        lacks.append("confirmation")
    return lacks


_STEPS: dict[str, tuple[str, str, str]] = {
    "report": ("leader", "提交盖章的书面报告", "hand in the written report with the unit's seal"),
    "seal": ("leader", "书面报告须加盖公章，请重新提交", "hand in the report again, with the unit's seal"),
    "deposit": ("leader", "缴交申诉费", "pay the deposit at the desk"),
    "deposit_with_report": (
        "organiser",
        "登记与报告同时缴交的申诉费；若未同时缴交，请撤回后重新提出",
        "enter the deposit that came with the report; did none, withdraw it and begin anew",
    ),
    "confirmation": ("organiser", "由另一人确认收到申诉费", "another person confirms the deposit"),
    "lodging": ("", "即将成立", "it is being lodged"),
    "lapsed": (
        "organiser",
        "逾期未成立：按时收到的纸质材料请补登，否则自动失效并退费",
        "not lodged in time: enter papers that were handed over in time, or it lapses and the money goes back",
    ),
    "accept": ("committee", "审查形式，决定是否受理", "accept it, or refuse it for form"),
    "hear": ("committee", "听取陈述", "hear it"),
    "decide": ("committee", "裁决", "decide it"),
    "none": ("", "已终结", "nothing: it is over"),
}
"""What comes next: whose turn it is, in Chinese and English."""


def next_step(row: AppealRow, lacks: list[str], state: str, due: str = "within_window") -> dict[str, str]:
    """Whose turn it is and to do what, with the window in this state and the deposit due so."""
    if not row.open:
        code = "none"
    elif row.status == "drafted":
        code = "lapsed" if state == "closed" and set(lacks) - {"confirmation"} else (lacks or ["lodging"])[0]
        if code == "deposit" and due == "with_report":
            code = "deposit_with_report"
    else:
        code = {"lodged": "accept", "accepted": "hear"}.get(row.status, "decide")
    who, zh, en = _STEPS[code]
    return {"code": code, "who": who, "zh": zh, "en": en}
