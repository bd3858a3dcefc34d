"""The brackets of a knock-out of any size.

| builder   | what                                                                    | used by                   |
|-----------|-------------------------------------------------------------------------|---------------------------|
| knockout  | a power of two of seats, some empty; optionally a match for third       | shandong 六.3, ahut 二.5    |
| ladder    | rounds of all that are left, one bye at most in each, until so many are | zhongshan 七（一）1, stage 1 |
| placement | a knock-out whose losers play on for every place                        | zhongshan 七（一）1, stage 2 |
"""

from __future__ import annotations

from collections.abc import Sequence

from shared.rules.basis import Text
from shared.rules.formats.bracket import Bracket, Feed, Game
from shared.rules.formats.draws import shuffle

Seats = Sequence[str | None]
"""The teams in bracket order, neighbours meeting; None is a bye."""


def knockout(part: str, seats: Seats, third_place: bool) -> Bracket:
    """Losers of one round share a place, but where those of the semi-finals play for third.

    The number of seats is a power of two.
    """
    feeds, games, number = [Feed(team=team) for team in seats], list[Game](), 1
    while len(feeds) > 1:
        left = len(feeds)
        playing_on = third_place and left == 4
        lost = None if playing_on else left // 2 + 1
        row = _row(part, number, left, feeds, (1 if left == 2 else None, lost), lost or left)
        if third_place and left == 2 and len(seats) > 2:
            row.append(_for_place(part, number, 3, [Feed(loser=game.id) for game in games[-2:]]))
        games += row
        feeds = [Feed(winner=game.id) for game in row[: left // 2]]
        number += 1
    return Bracket(part=part, games=tuple(games), survivors=tuple(feeds))


def ladder(part: str, teams: Sequence[str], survivors: int, seed: bytes) -> Bracket:
    """All that are left meet their neighbours, round by round, until `survivors` (2 or more) are left.

    Of an odd number one goes on by lot (label `bye <part> <round>`), of those who had no bye where there are such. A
    round that would leave fewer than `survivors` lets its losers play for the places that are open.
    """
    feeds, games, number = [Feed(team=team) for team in teams], list[Game](), 1
    rested: set[Feed] = set()
    while len(feeds) > survivors:
        left, idle = len(feeds), list[Feed]()
        if left % 2:
            idle = [_resting(part, number, feeds, rested, seed)]
        playing = [feed for feed in feeds if feed not in idle]
        short = survivors - (left + 1) // 2
        lost = (left + 1) // 2 + 1 if short <= 0 else None
        row = _row(part, number, left, playing, (None, lost), lost or left)
        games += row
        winners = {feed: Feed(winner=row[n // 2].id) for n, feed in enumerate(playing)}
        following = list(dict.fromkeys(winners.get(feed, feed) for feed in feeds))
        rested = set(idle)
        number += 1
        if short > 0:
            last, filling = _ladder_of_losers(part, number, row, short)
            games += last
            following += filling
        feeds = following
    return Bracket(part=part, games=tuple(games), survivors=tuple(feeds))


def _ladder_of_losers(part: str, number: int, row: Sequence[Game], places: int) -> tuple[list[Game], list[Feed]]:
    """The losers of a round meet until `places` of them are left: their games, and where those come from."""
    feeds, games = [Feed(loser=game.id) for game in row], list[Game]()
    while len(feeds) > places:
        left = len(feeds)
        made = [
            Game(
                id=_id(part, number, f"L{n + 1}"),
                round=number,
                name=Text("附加赛", "match of losers"),
                left=left,
                feeds=(feeds[2 * n], feeds[2 * n + 1]),
                places=(None, len(row) + places + 1),
                deserted=len(row) + places + 1,
            )
            for n in range(min(left // 2, left - places))
        ]
        games += made
        feeds = [*(Feed(winner=game.id) for game in made), *feeds[2 * len(made) :]]
        number += 1
    return games, feeds


def placement(part: str, seats: Seats) -> Bracket:
    """Every place is played for: the losers of a round meet each other for the places that it leaves them.

    The number of seats is a power of two; of six teams two have byes, and the matches are two quarter-finals, two
    semi-finals, and those for 5th, 3rd and 1st.
    """
    games = sorted(_places(part, [Feed(team=team) for team in seats], 1, 1), key=lambda game: game.round)
    return Bracket(part=part, games=tuple(games), survivors=() if games else tuple(Feed(team=team) for team in seats))


def _places(part: str, feeds: list[Feed], number: int, first: int) -> list[Game]:
    """The games that settle the places from `first` on among the feeds."""
    if len(feeds) < 2:
        return []
    if len(feeds) == 2:
        return [_for_place(part, number, first, feeds)]
    prefix = "" if first == 1 else f"P{first}-"
    row = _row(part, number, len(feeds), feeds, (None, None), first + len(feeds) - 1, prefix)
    return [
        *row,
        *_places(part, [Feed(winner=game.id) for game in row], number + 1, first),
        *_places(part, [Feed(loser=game.id) for game in row], number + 1, first + len(row)),
    ]


def _row(
    part: str,
    number: int,
    left: int,
    feeds: Sequence[Feed],
    places: tuple[int | None, int | None],
    deserted: int,
    prefix: str = "",
) -> list[Game]:
    return [
        Game(
            id=_id(part, number, f"{prefix}{n + 1}"),
            round=number,
            name=_name(left),
            left=left,
            feeds=(feeds[2 * n], feeds[2 * n + 1]),
            places=places,
            deserted=deserted,
        )
        for n in range(len(feeds) // 2)
    ]


def _for_place(part: str, number: int, place: int, feeds: Sequence[Feed]) -> Game:
    name = Text("决赛", "final") if place == 1 else Text(f"第{place}名赛", f"match for place {place}")
    return Game(
        id=_id(part, number, f"P{place}"),
        round=number,
        name=name,
        left=2 if place == 1 else place + 1,
        feeds=(feeds[0], feeds[1]),
        places=(place, place + 1),
        deserted=place + 1,
    )


def _resting(part: str, number: int, feeds: Sequence[Feed], rested: set[Feed], seed: bytes) -> Feed:
    """Who goes on by lot: the number in the list, counted from 1, is what is drawn."""
    fresh = {str(n): feed for n, feed in enumerate(feeds, 1) if feed not in rested}
    drawn = shuffle(seed, " ".join(["bye", *part.split(), str(number)]), fresh or {"1": feeds[0]})
    return fresh[drawn[0]] if fresh else feeds[0]


def _id(part: str, number: int, which: str) -> str:
    return f"{part}{number}.{which}"


def _name(left: int) -> Text:
    known = {2: ("决赛", "final"), 4: ("半决赛", "semi-final"), 8: ("四分之一决赛", "quarter-final")}
    zh, en = known.get(left, (f"{left} 队", f"{left} teams"))
    return Text(zh, en)
