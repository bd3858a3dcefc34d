"""Several competitions at once, one with 200 teams: no query reads what it does not show, and every search has its
index."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.support.counted import Counted, CountedMeans, Query
from tests.support.site import CALLS, Site, hand
from tests.support.world import World

TEAMS = 200
TABLES = TEAMS // 2
OPEN = ("/docs", "/livez", "/readyz", "/metrics", "/openapi.json", "/held", "/projection")
GETS = [
    (service, endpoint)
    for service, endpoint in CALLS
    if endpoint.startswith("GET /competitions/{competition}")
    and not endpoint[4:].startswith(OPEN)
    and not endpoint.endswith("/events")
]
"""What is read of one competition. Live events are no read, and a match's come from its own streams."""


class Season:
    """A competition of 200 teams in its first round, all hands entered, beside small ones."""

    def __init__(self) -> None:
        self.means = CountedMeans()
        self.world = World(means=self.means)
        self.big = self._big()

    def _big(self) -> str:
        site = Site(self.world).opened()
        for number in range(TEAMS):
            players = [{"part": "player", "name": f"运动员{number}-{n}", "born": "1980-01-01"} for n in (1, 2)]
            body = {"unit": f"单位{number:03}", "name": f"队{number:03}", "members": players}
            site.done("registration/entries", body)
        site.done("registration/entry-closings", {"reason": "各队已到齐"})
        site.done("match/draws")
        tables = site.done("match/rounds")["events"][0]["data"]["matches"]
        assert len(tables) == TABLES
        items = [
            {
                "key": f"h-{table['match']}",
                "to": f"matches/{table['match']}/hands",
                "body": hand(1) | site.held(table["table"]),
            }
            for table in tables
        ]
        answer = self.world.post(f"/match/competitions/{site.id}/batches", {"items": items}, role="referee")
        assert answer.get_json()["counts"] == {"201": TABLES}
        return site.id

    def read(self, path: str) -> tuple[int, Any]:
        """How many documents a request reads, and its answer."""
        before = self.means.read()
        response = self.world.get(path, role="organiser", sub="organiser of the table")
        assert response.status_code in (200, 404, 403), (path, response.get_data(as_text=True))
        return self.means.read() - before, response.get_json(silent=True)


@pytest.fixture(scope="module")
def season() -> Season:
    return Season()


def _path(site: Site, service: str, endpoint: str) -> str:
    return f"/{service}{endpoint[4:].format(**site.names())}{CALLS[service, endpoint].query}"


@pytest.mark.parametrize(("service", "endpoint"), GETS, ids=[f"{s} {e}" for s, e in GETS])
def test_what_is_read_of_a_small_competition_does_not_grow_with_others(
    season: Season, service: str, endpoint: str
) -> None:
    alone = Season.__new__(Season)
    alone.means = CountedMeans()
    alone.world = World(means=alone.means)
    stage = CALLS[service, endpoint].stage
    expected, _ = alone.read(_path(stage(Site(alone.world)), service, endpoint))
    found, _ = season.read(_path(stage(Site(season.world)), service, endpoint))
    assert found == expected


PAGED = [
    ("registration", "entries", 1),
    ("registration", "players", 1),
    ("registration", "entry-imports", 1),
    ("appeals", "appeals", 1),
    ("appeals", "docket", 1),
]
"""Lists of a competition, and how many documents an item takes."""


@pytest.mark.parametrize(("service", "name", "each"), PAGED)
@pytest.mark.parametrize("limit", [1, 10, 50])
def test_a_page_of_200_reads_no_more_than_the_page(
    season: Season, service: str, name: str, each: int, limit: int
) -> None:
    few, _ = season.read(f"/{service}/competitions/{season.big}/{name}?limit={limit}")
    # the competition, the pointer to the live generation, and one more than the page, to know whether there is a next
    assert few <= (limit + 1) * each + 4


def test_the_list_of_competitions_reads_a_row_each(season: Season) -> None:
    for service in ("registration", "ranking"):
        count, page = season.read(f"/{service}/competitions?limit=2")
        assert len(page["items"]) <= 2
        assert count <= 3 + 2


def test_a_match_of_200_teams_reads_what_one_of_four_does(season: Season) -> None:
    small = Site(season.world).played()
    for path in ("matches/r1t1", "matches/r1t1/events"):
        big, _ = season.read(f"/match/competitions/{season.big}/{path}")
        little, _ = season.read(f"/match/competitions/{small.id}/{path}")
        assert big == little


def test_a_round_reads_its_own_tables_once(season: Season) -> None:
    count, found = season.read(f"/match/competitions/{season.big}/rounds/1")
    assert len(found["tables"]) == TABLES
    # besides the tables: the competition, the round, and for each of three looks the pointer to the live generation
    assert count <= TABLES + 5


def test_every_search_that_was_made_has_its_index(season: Season) -> None:
    for service, documents in season.means.documents.items():
        assert documents.queries, service
        assert documents.without_index() == [], service


def test_a_search_without_an_index_is_found() -> None:
    documents = Counted()
    documents.ensure_index("rows", ["competition", "order"])
    documents.find("rows", {"competition": "cup"}, "order")
    assert documents.without_index() == []
    documents.find("rows", {"competition": "cup"}, "name")
    documents.find("rows", {"team": "a"}, "order")
    assert documents.without_index() == [Query("rows", ("competition",), "name"), Query("rows", ("team",), "order")]


def test_pages_put_together_are_the_whole(season: Season) -> None:
    seen: list[str] = []
    cursor = ""
    for _ in range(math.ceil(TEAMS / 50)):
        path = f"/registration/competitions/{season.big}/entries?limit=50{cursor}"
        page = season.world.get(path).get_json()
        seen += [item["team"] for item in page["items"]]
        cursor = f"&cursor={page['next']}"
    assert len(seen) == len(set(seen)) == TEAMS
    assert page["next"] is None
