"""A batch is many commands, each judged as if it had come alone: in any order, as often as one likes, in parts or
whole, it comes to the same as the same commands one by one."""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shared.web.batches
from services.match.api.play import ENTRIES
from shared.eventsourcing.errors import StoreUnavailable
from shared.web.commands import command_view_of
from tests.support.site import Site, hand
from tests.support.world import World


def send(site: Site, items: list[dict[str, Any]], role: str = "referee", **claims: Any) -> Any:
    """The answers to a batch, in the order of its items."""
    response = site.world.post(f"/match/competitions/{site.id}/batches", {"items": items}, role=role, **claims)
    assert response.status_code == 207, response.get_data(as_text=True)
    return response.get_json()["items"]


def statuses(answers: list[dict[str, Any]]) -> list[int]:
    return [answer["status"] for answer in answers]


def held(site: Site, match: str, number: int) -> dict[str, Any]:
    table = next(table["table"] for table in site.tables if table["match"] == match)
    body = hand(number) | {"points": 5 * number} | site.held(table)
    return {"key": f"{site.id}-{match}-{number}", "to": f"matches/{match}/hands", "body": body}


def entered(site: Site, match: str) -> list[tuple[int, int]]:
    shown = site.world.get(f"/match/competitions/{site.id}/matches/{match}").get_json()
    return [(each["hand"], each["facts"]["points"]) for each in shown["hands"]]


@pytest.fixture
def site() -> Site:
    return Site(World()).paired()


def test_each_item_is_answered_as_if_it_had_come_alone(site: Site) -> None:
    path = f"/match/competitions/{site.id}/matches/{site.match}/hands"
    alone = Site(site.world).paired()
    single = site.world.post(
        f"/match/competitions/{alone.id}/matches/{alone.match}/hands",
        hand(1) | alone.held(),
        role="referee",
        key="alone",
    )
    body = hand(1) | site.held()
    (answer,) = send(site, [{"key": "k", "to": f"matches/{site.match}/hands", "body": body}])
    assert answer["status"] == single.status_code == 201
    own = {"competition": None, "teams": None, "held": None}
    expected = single.get_json()["events"][-1]["data"]
    assert answer["body"]["events"][-1]["data"] | own == expected | own
    assert answer["position"]
    again = site.world.post(path, body, role="referee", key="k")
    assert again.headers["Idempotent-Replayed"] == "true", "the key is the same, alone or in a batch"


def test_what_came_before_is_answered_as_the_first_time(site: Site) -> None:
    items = [held(site, site.match, number) for number in (1, 2)]
    first, again = send(site, items[:1]), send(site, items)
    assert statuses(first) == [201]
    assert statuses(again) == [201, 201]
    assert [answer["replayed"] for answer in again] == [True, False]
    assert again[0]["body"] == first[0]["body"]


def test_a_batch_that_stands_upside_down_is_done_in_order(site: Site) -> None:
    match = site.match
    penalty = {
        "key": "p",
        "to": f"matches/{match}/penalties",
        "body": {"hand": 2, "claimed_during": 2, "pair": "13", "code": "revoke"} | site.held(),
    }
    items = [penalty, *(held(site, match, number) for number in (3, 2, 1))]
    assert statuses(send(site, items)) == [201] * 4
    assert entered(site, match) == [(1, 5), (2, 10), (3, 15)]


def test_one_wrong_item_keeps_no_other_from_being_done(site: Site) -> None:
    here, there = site.held(), site.held(2)
    items = [
        {"key": "a", "to": f"matches/{site.match}/hands", "body": hand(1) | {"points": 42} | here},
        {"key": "b", "to": f"matches/{site.match}/hands", "body": {"hand": 1} | here},
        {"key": "c", "to": "matches/r9t9/hands", "body": hand(1) | here},
        {"key": "d", "to": "nothing/here"},
        {"key": "e", "to": f"matches/{site.tables[1]['match']}/hands", "body": hand(1) | there},
    ]
    answers = send(site, items)
    assert statuses(answers) == [422, 422, 404, 404, 201]
    assert answers[0]["body"]["type"].endswith("hand-is-impossible")
    assert {error["pointer"] for error in answers[1]["body"]["errors"]} == {"/dealer", "/points"}


def test_each_item_is_judged_by_its_own_rights(site: Site) -> None:
    item, other = (held(site, table["match"], 1) for table in site.tables)
    table = (1, site.tables[0]["table"])
    assert statuses(send(site, [item, other], table=table)) == [201, 403]
    assert statuses(send(site, [other], role="organiser")) == [403]
    assert statuses(send(site, [{"key": "r", "to": "rounds/1/time-calls"}], role="auditor")) == [403]


@pytest.mark.parametrize(
    "to", ["../{other}/matches/r1t1/hands", "batches", "../../held/x/retries", "/matches/r1t1/hands", "?x", "\\..\\x"]
)
def test_no_address_leads_out_of_the_competition_or_to_what_is_no_command(site: Site, to: str) -> None:
    other = Site(site.world).paired()
    answers = send(site, [{"key": "k", "to": to.format(other=other.id), "body": hand(1)}])
    assert statuses(answers) == [404]
    assert entered(other, other.match) == []


@pytest.mark.parametrize(
    ("items", "pointer"),
    [
        ([], "/items"),
        ([{"to": "rounds"}], "/items/0/key"),
        ([{"key": "k"}], "/items/0/to"),
        ([{"key": "a b", "to": "rounds"}], "/items/0/key"),
        ([{"key": "k", "to": "rounds", "body": []}], "/items/0/body"),
        ([{"key": "k", "to": "rounds", "actor": "x"}], "/items/0/actor"),
        ([{"key": "k", "to": "rounds", "if_match": "1"}], "/items/0/if_match"),
    ],
)
def test_a_batch_that_cannot_be_read_does_nothing(site: Site, items: list[Any], pointer: str) -> None:
    response = site.world.post(f"/match/competitions/{site.id}/batches", {"items": items}, role="referee")
    assert response.status_code == 422
    assert [error["pointer"] for error in response.get_json()["errors"]] == [pointer]


def test_a_token_that_holds_for_nothing_here_sends_no_batch(site: Site) -> None:
    path = f"/match/competitions/{site.id}/batches"
    assert site.world.post(path, {"items": [held(site, site.match, 1)]}, competitions=("x",)).status_code == 403


def test_an_item_may_insist_on_a_version(site: Site) -> None:
    first = held(site, site.match, 1) | {"if_match": 5}
    assert statuses(send(site, [first])) == [412]
    assert statuses(send(site, [first | {"if_match": 0}])) == [201]


def away_from(site: Site, monkeypatch: pytest.MonkeyPatch, write: int) -> list[str]:
    """From its `write`-th write the store of match does not answer; what is tried, as the list goes on."""
    commits: Any = site.world.services["match"].engine.ports.commits
    tried: list[str] = []

    def guarded(name: str, target: Callable[[Any], None]) -> Callable[[Any], None]:
        def call(given: Any) -> None:
            tried.append(name)
            if len(tried) >= write:
                raise StoreUnavailable("away")
            target(given)

        return call

    for name in ("append", "append_all"):
        monkeypatch.setattr(commits, name, guarded(name, getattr(commits, name)))
    return tried


def test_once_the_store_is_away_nothing_more_is_tried(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = away_from(site, monkeypatch, 1)
    items = [held(site, site.match, number) for number in (1, 2, 3, 4)]
    answers = send(site, items)
    assert statuses(answers) == [503] * 4
    assert [answer["key"] for answer in answers] == [item["key"] for item in items]
    assert tried == ["append_all", "append"], "all of them, then the first by itself"
    monkeypatch.undo()
    assert statuses(send(site, items)) == [201] * 4
    assert entered(site, site.match) == [(n, 5 * n) for n in (1, 2, 3, 4)]


def test_what_was_stored_before_the_store_went_away_is_done(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared.web.batches, "PORTION", 2)
    away_from(site, monkeypatch, 2)
    items = [held(site, site.match, number) for number in (1, 2, 3, 4)]
    assert statuses(send(site, items)) == [201, 201, 503, 503]
    monkeypatch.undo()
    again = send(site, items)
    assert [(answer["status"], answer["replayed"]) for answer in again] == [(201, True)] * 2 + [(201, False)] * 2
    assert entered(site, site.match) == [(n, 5 * n) for n in (1, 2, 3, 4)]


def test_items_share_durable_writes(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared.web.batches, "PORTION", 3)
    tried = away_from(site, monkeypatch, 99)
    items = [held(site, table["match"], number) for table in site.tables for number in range(1, 5)]
    assert statuses(send(site, items)) == [201] * 8
    assert tried == ["append_all"] * 3


def test_whatever_is_entered_at_a_table_shares_durable_writes(site: Site) -> None:
    app = site.world.apps["match"]
    at_tables = {
        rule.rule: view
        for rule in app.url_map.iter_rules()
        if "<match>" in rule.rule and (view := command_view_of(app.view_functions[rule.endpoint]))
    }
    assert {rule.rpartition("/")[2] for rule in at_tables} >= {*ENTRIES, "corrections", "closings", "line-ups"}
    assert [rule for rule, view in at_tables.items() if not view.shares] == []


def test_what_does_more_than_append_is_done_by_itself_and_after_what_stands_before_it(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Time is called on the stream of the rounds; only then can the match be closed."""
    tried = away_from(site, monkeypatch, 99)
    items = [held(site, site.match, number) for number in (1, 2)]
    call = {"key": "call", "to": "rounds/1/time-calls", "body": {}}
    late = {"key": "close", "to": f"matches/{site.match}/closings"}
    answers = send(site, [call, late, *items])
    assert statuses(answers) == [201] * 4
    assert tried[:3] == ["append_all", "append", "append_all"], "the hands; the call; and what the call made possible"
    assert [answer["body"]["events"][-1]["type"] for answer in answers[2:]] == ["HandPlayed"] * 2


def test_a_race_that_is_lost_has_the_items_judged_again_one_by_one(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another referee enters the first hand while the batch is being judged."""
    commits: Any = site.world.services["match"].engine.ports.commits
    append_all = commits.append_all

    def overtaken(given: Any) -> None:
        monkeypatch.setattr(commits, "append_all", append_all)
        path = f"/match/competitions/{site.id}/matches/{site.match}/hands"
        with ThreadPoolExecutor(1) as other:
            body = hand(1) | {"points": 5} | site.held()
            assert (
                other.submit(site.world.post, path, body, role="referee", sub="li", key="li").result().status_code
                == 201
            )
        append_all(given)

    monkeypatch.setattr(commits, "append_all", overtaken)
    items = [held(site, site.match, number) for number in (1, 2, 3)]
    answers = send(site, items)
    assert statuses(answers) == [200, 201, 201], "the first hand was so already"
    assert entered(site, site.match) == [(n, 5 * n) for n in (1, 2, 3)]


def test_a_key_that_stands_twice_in_a_batch_is_done_once(site: Site) -> None:
    item = held(site, site.match, 1)
    other = item | {"body": item["body"] | {"points": 60}}
    answers = send(site, [item, item, other])
    assert [(answer["status"], answer["replayed"]) for answer in answers] == [(201, False), (201, True), (422, False)]
    assert answers[2]["body"]["type"].endswith("command-reused")
    assert entered(site, site.match) == [(1, 5)]


@settings(max_examples=15)
@given(seed=st.integers(0, 2**32), loss=st.floats(0, 0.9))
def test_sent_in_any_pieces_and_order_with_any_loss_every_entry_is_there_once(seed: int, loss: float) -> None:
    """A phone holds hands of two tables; each answer may be lost, and what was not answered is sent again."""
    luck, site = random.Random(seed), Site(WORLD).paired()
    waiting = [held(site, table["match"], number) for table in site.tables for number in range(1, 5)]
    tries = 0
    while waiting:
        tries += 1
        luck.shuffle(waiting)
        sent = [item for item in waiting[: luck.randint(1, len(waiting))] for _ in range(luck.choice((1, 1, 3)))]
        answers = send(site, sent)
        if luck.random() < loss and tries < 12:
            continue
        done = {answer["key"] for answer in answers if answer["status"] < 300}
        assert {answer["status"] for answer in answers} <= {201, 409}
        waiting = [item for item in waiting if item["key"] not in done]
    for table in site.tables:
        assert entered(site, table["match"]) == [(n, 5 * n) for n in range(1, 5)]


WORLD = World()
