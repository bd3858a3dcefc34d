"""Random competitions, as rows of rounds that need not have been paired by us."""

from __future__ import annotations

from hypothesis import strategies as st

from shared.rules.formats.competition import Competition, PlayedMatch, Round, Status, Team

RESULTS = [(2, 0), (1, 1), (0, 2)]


@st.composite
def rounds(draw: st.DrawFn, number: int, teams: list[str], forfeits: bool, absences: bool) -> Round:
    """The teams in any order, two by two; the last of an odd number has the bye."""
    order = draw(st.permutations(teams))
    absent: list[str] = []
    if absences and draw(st.booleans()):
        absent, order = order[:1], order[1:]
    matches = []
    for table in range(len(order) // 2):
        status: Status = draw(st.sampled_from(["played", "forfeit"])) if forfeits else "played"
        matches.append(
            PlayedMatch(
                table=table + 1,
                teams=(order[2 * table], order[2 * table + 1]),
                points=draw(st.sampled_from(RESULTS)),
                status=status,
            )
        )
    byes = tuple(order[-1:]) if len(order) % 2 else ()
    return Round(number=number, matches=tuple(matches), byes=byes, absent=tuple(absent))


@st.composite
def competitions(
    draw: st.DrawFn,
    sizes: tuple[int, int] = (2, 8),
    most_rounds: int = 4,
    even: bool = False,
    forfeits: bool = True,
    absences: bool = True,
) -> Competition:
    """A competition of finished rounds."""
    size = draw(st.integers(*sizes).filter(lambda n: not even or n % 2 == 0))
    teams = [f"T{n:02d}" for n in range(size)]
    played = [draw(rounds(n, teams, forfeits, absences)) for n in range(1, draw(st.integers(0, most_rounds)) + 1)]
    return Competition(teams=tuple(Team(id=team) for team in teams), rounds=tuple(played))
