"""Small competitions written as their score sheets."""

from __future__ import annotations

from shared.rules.formats.competition import Competition, PlayedMatch, Round, Status, Team


def match(one: str, two: str, points: tuple[int, int] | None = (2, 0), status: Status = "played") -> PlayedMatch:
    """A match whose table is set when it enters a round."""
    return PlayedMatch(table=1, teams=(one, two), points=points, status=status)


def line(text: str) -> PlayedMatch:
    """ "A-B 2:0", "A-B 2:0 forfeit", "A-B unfinished" """
    teams, *rest = text.split()
    one, two = teams.split("-")
    points = None
    if rest and ":" in rest[0]:
        left, right = rest.pop(0).split(":")
        points = (int(left), int(right))
    status: Status = rest[0] if rest else "played"  # type: ignore[assignment]
    return match(one, two, points, status)


def round_of(number: int, text: str, bye: str = "", absent: str = "") -> Round:
    """Round 1 of "A-B 2:0, C-D 1:1"; byes and absent teams are separated by blanks."""
    matches = [line(part.strip()) for part in text.split(",") if part.strip()]
    seated = tuple(
        PlayedMatch(table=table, teams=m.teams, points=m.points, status=m.status) for table, m in enumerate(matches, 1)
    )
    return Round(number=number, matches=seated, byes=tuple(bye.split()), absent=tuple(absent.split()))


def competition(teams: str, *rounds: Round, **more: object) -> Competition:
    """The teams "A B C D" with their rounds."""
    return Competition(teams=tuple(Team(id=team) for team in teams.split()), rounds=rounds, **more)  # type: ignore[arg-type]
