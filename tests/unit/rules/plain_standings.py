"""The standings of jimei-2018 once more, written down from RULINGS without a line of the product, to compare with it.

It reads the file as decoded JSON, is slow, and has no parameters: 总得分, 直胜, 累进分, 抽签, and each part is compared
again from the start.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

OVER = ("played", "forfeit")


def plain_standings(file: dict[str, Any], after: int | None = None) -> list[dict[str, Any]]:
    """One object a team, best first: team, rank, points, total, cumulative, direct_win, decided_by, provisional."""
    teams = [team["id"] for team in file["teams"]]
    rounds = file["rounds"] if after is None else file["rounds"][:after]
    waiting = any(match["status"] == "unfinished" for round_ in rounds for match in round_["matches"])
    last = after is None or after == len(file["rounds"])
    if last and rounds and any(match["status"] == "unfinished" for match in rounds[-1]["matches"]):
        rounds = rounds[:-1]

    gained = {team: [_gained(round_, team) for round_ in rounds] for team in teams}
    points = {team: sum(gained[team]) for team in teams}
    totals = {team: _total(rounds, points, team) for team in teams}
    running = {team: sum(sum(gained[team][: done + 1]) for done in range(len(rounds))) for team in teams}

    def beat(one: str, two: str) -> bool:
        matches = [
            m for round_ in rounds for m in round_["matches"] if m["status"] in OVER and set(m["teams"]) == {one, two}
        ]
        mine = sum(match["points"][match["teams"].index(one)] for match in matches)
        theirs = sum(match["points"][match["teams"].index(two)] for match in matches)
        return mine > theirs

    def by(key: dict[str, Any], tied: list[str]) -> list[list[str]]:
        return [
            [team for team in tied if key[team] == value]
            for value in sorted({key[team] for team in tied}, reverse=True)
        ]

    def by_direct_win(tied: list[str]) -> list[list[str]]:
        for team in tied:
            if all(beat(team, other) for other in tied if other != team):
                return [[team], [other for other in tied if other != team]]
        return [tied]

    def by_lot(tied: list[str]) -> list[list[str]]:
        lots = file.get("lots", {})
        return by({team: -lots[team] for team in tied}, tied) if all(team in lots for team in tied) else [tied]

    def settle(tied: list[str], above: str | None) -> list[tuple[list[str], str | None]]:
        if len(tied) > 1:
            for name, parts in (
                ("total", by(totals, tied)),
                ("direct_win", by_direct_win(tied)),
                ("cumulative", by(running, tied)),
                ("lot", by_lot(tied)),
            ):
                if len(parts) > 1:
                    return [block for n, part in enumerate(parts) for block in settle(part, above if n == 0 else name)]
        return [(tied, above)]

    rows: list[dict[str, Any]] = []
    for block, above in settle(teams, None):
        rank = len(rows) + 1
        for number, team in enumerate(sorted(block)):
            rows.append(
                {
                    "team": team,
                    "rank": rank,
                    "points": points[team],
                    "total": totals[team],
                    "cumulative": running[team],
                    "direct_win": sum(beat(team, other) for other in teams if totals[other] == totals[team]),
                    "decided_by": above if number == 0 else "lot_needed",
                    "provisional": waiting,
                }
            )
    return rows


def _gained(round_: dict[str, Any], team: str) -> int:
    if team in round_.get("byes", []):
        return 2
    for match in round_["matches"]:
        if team in match["teams"] and match["status"] in OVER:
            return int(match["points"][match["teams"].index(team)])
    return 0


def _total(rounds: list[dict[str, Any]], points: dict[str, int], team: str) -> Fraction:
    """P + S / (M/2) - R with M = 2R; a bye counts the lowest points of any team that has points."""
    if not rounds:
        return Fraction(points[team])
    opponents = 0
    for round_ in rounds:
        if team in round_.get("byes", []):
            opponents += min([p for p in points.values() if p > 0], default=0)
        for match in round_["matches"]:
            if team in match["teams"] and match["status"] in OVER:
                opponents += points[match["teams"][1 - match["teams"].index(team)]]
    return points[team] + Fraction(opponents, len(rounds)) - len(rounds)
