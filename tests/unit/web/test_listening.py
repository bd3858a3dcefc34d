"""A stream is read page by page and resumed anywhere: every public event once, those of a service in its order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.web.listening import BadEventId, Listeners, Stream, TooManyStreams, event_id, page, read_event_id
from tests.support.events_source import SERVICES, Told, messages, places
from tests.support.site import Site
from tests.support.world import World

LOGS = st.lists(st.tuples(st.sampled_from(SERVICES), st.booleans()), max_size=40)


def told(log: list[tuple[str, bool]]) -> Told:
    source = Told()
    for service, public in log:
        source.tell(service, public=public)
    return source


@given(log=LOGS, limit=st.integers(1, 12))
def test_page_after_page_every_public_event_comes_once_and_in_its_services_order(
    log: list[tuple[str, bool]], limit: int
) -> None:
    source, heard, at = told(log), [], dict.fromkeys(SERVICES, 0)
    upto = source.positions(["c"])["c"]
    for _ in range(len(log) + 2):
        read = page(source, "c", at, upto, limit)
        heard += places(messages(read.sent))
        at = dict(read.positions)
    assert at == upto
    assert sorted(heard) == sorted(source.public())
    for service in SERVICES:
        own = [position for name, position in heard if name == service]
        assert own == sorted(own)


@given(log=LOGS, cut=st.integers(0, 40))
def test_resumed_after_any_event_it_goes_on_with_the_next(log: list[tuple[str, bool]], cut: int) -> None:
    source = told(log)
    upto = source.positions(["c"])["c"]
    whole = messages(page(source, "c", {}, upto).sent)
    before, after = whole[:cut], whole[cut:]
    last = before[-1]["id"] if before else ""
    resumed = page(source, "c", read_event_id(last, SERVICES), upto)
    assert messages(resumed.sent) == after


@given(st.fixed_dictionaries({name: st.integers(0, 10**15 - 1) for name in SERVICES}))
def test_an_id_says_the_positions(positions: dict[str, int]) -> None:
    assert read_event_id(event_id(positions), SERVICES) == positions


@pytest.mark.parametrize(
    "text",
    ["7", "match", "match:", "match:-1", "match:1,match:2", "ranking:1", "match:1;appeals:2", "match:1" + "0" * 15],
)
def test_what_is_no_id_is_refused(text: str) -> None:
    with pytest.raises(BadEventId):
        read_event_id(text, SERVICES)


def test_a_client_has_so_many_places_and_gives_each_back_once() -> None:
    listeners = Listeners(per_client=2, in_all=3)
    leave = [listeners.admit("a"), listeners.admit("a")]
    with pytest.raises(TooManyStreams):
        listeners.admit("a")
    listeners.admit("b")
    with pytest.raises(TooManyStreams):
        listeners.admit("c")
    leave[0]()
    leave[0]()
    assert listeners.count() == 2
    listeners.admit("c")
    with pytest.raises(TooManyStreams):
        listeners.admit("a")


def test_where_no_socket_can_be_had_it_says_what_there_is_and_ends() -> None:
    source, listeners = told([("match", True), ("match", False), ("appeals", True)]), Listeners()
    stream = Stream(source, "c", {"match": 0}, listeners.admit("a"))
    sent = b"".join(stream)
    assert sent.startswith(b"retry: 2000\nid: match:0\n\n")
    assert places(messages(sent)) == [("match", 1), ("appeals", 1)]
    assert listeners.count() == 0


def test_over_http_it_begins_where_the_client_was_or_with_what_happens_next() -> None:
    world = World()
    site = Site(world).paired()
    path = f"/ranking/competitions/{site.id}/events"
    whole = messages(world.get(f"{path}?after=").get_data())
    assert whole[0]["type"] == "CompetitionAnnounced"
    assert whole[-1]["type"] == "RoundPaired"
    later = world.get(path, headers={"Last-Event-ID": whole[4]["id"]})
    assert messages(later.get_data()) == whole[5:]
    assert later.content_type.startswith("text/event-stream")
    assert messages(world.get(path).get_data()) == []
    ahead = world.get(path, headers={"Last-Event-ID": "match:999999"}).get_data()
    assert {event["service"] for event in messages(ahead)} == {"registration"}
    rests_on = world.get(f"/ranking/competitions/{site.id}/standings").get_json()["rests_on"]
    since = messages(world.get(f"{path}?after={event_id(rests_on)}").get_data())
    assert places(since) == [at for at in places(whole) if at[1] > rests_on[at[0]]]


@pytest.mark.parametrize("given_id", ["x", "match:1,match:1"])
def test_over_http_a_wrong_id_is_422_and_no_competition_is_404(given_id: str) -> None:
    world = World()
    site = Site(world).announced()
    path = f"/ranking/competitions/{site.id}/events"
    assert world.get(path, headers={"Last-Event-ID": given_id}).status_code == 422
    assert world.get(f"{path}?after={given_id}").status_code == 422
    assert world.get("/ranking/competitions/none/events").status_code == 404


def test_over_http_the_twenty_first_stream_of_a_client_is_429() -> None:
    world = World()
    site = Site(world).announced()
    path = f"/ranking/competitions/{site.id}/events"
    held = [world.get(path) for _ in range(20)]
    refused = world.get(path)
    assert (refused.status_code, refused.get_json()["type"].rpartition("/")[2]) == (429, "too-many-streams")
    assert refused.headers["Retry-After"]
    assert world.get(path, role="referee").status_code == 200, "a person with a token is another client"
    held[0].close()
    assert world.get(path).status_code == 200
