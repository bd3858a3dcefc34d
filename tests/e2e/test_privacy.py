"""Where personal data are, and where they never are: seeded values are searched for everywhere, before and after the
persons are erased."""

from __future__ import annotations

import io
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
from pymongo import MongoClient

from deploy.wiring import Wiring
from shared.eventsourcing.clock import ManualClock
from shared.eventsourcing.kafka.messages import Message
from tests.support.site import CALLS, Site
from tests.support.world import START, World

R = "registration"
SEEDS = {
    "name": "欧阳望舒",
    "born": "1983-07-19",
    "identity_number": "350211198307190013",
    "phone": "13950099887",
    "personnel_unit": "滨海档案处",
    "insured_since": "2009-04-17",
}
OTHER = {"part": "player", "name": "司徒听雨", "born": "1979-02-03", "phone": "15860011223"}
PERSON = {"part": "player", "resident": False, "works_here": True} | SEEDS
SECRET = [*SEEDS.values(), *(OTHER[key] for key in ("name", "born", "phone"))]
PICTURE = b"\xff\xd8\xff\xe0 the only picture of 350211198307190013"
READERS: list[dict[str, Any]] = [
    {},
    *({"role": role} for role in ("referee", "committee", "operator")),
    {"role": "referee", "chief": True},
    {"role": "leader", "team": "对手街道"},
]
"""Everyone who may see no person of another team."""


class Bureau:
    """A competition with one entry of seeded persons and a rival's, over some services."""

    def __init__(self, world: World) -> None:
        self.world = world
        answer = world.post("/registration/competitions", {"regulation": "jimei-2018"})
        self.base = f"/registration/competitions/{answer.get_json()['stream'].partition('/')[2]}"
        world.post(f"{self.base}/entry-openings")
        rival = [{"part": "player", "name": f"对手{n}", "born": "1985-03-01"} for n in "一二"]
        world.post(f"{self.base}/entries", {"unit": "对手街道", "name": "对手队", "members": rival})
        body = {"unit": "集美街道", "name": "一队", "members": [PERSON, OTHER]}
        sent = world.post(f"{self.base}/entries", body, role="leader", team="集美街道")
        assert sent.status_code == 201, sent.get_data(as_text=True)
        self.sent = sent.get_data(as_text=True)
        event = sent.get_json()["events"][0]["data"]
        self.entry = f"{self.base}/entries/{event['team']['id']}"
        self.persons = [member["person"] for member in event["members"]]
        path = f"{self.entry}/files?document=identity_copy&member=0"
        assert world.send(path, "image/jpeg", PICTURE).status_code == 201

    def erase(self) -> None:
        for person in self.persons:
            path = f"{self.base}/persons/{person}/erasures"
            assert self.world.post(path, {"reason": "本人申请"}, sub="first").status_code == 201
            assert self.world.post(f"{path}/confirmations", sub="second").status_code == 201

    def reads(self) -> Iterator[str]:
        """Every address of registration that can be read here."""
        names = defaultdict(
            lambda: "none", competition=self.base.rpartition("/")[2], team=self.entry.rpartition("/")[2]
        )
        names |= {"regulation": "jimei-2018", "document": "identity_copy", "filename": "swagger-ui.css"}
        for service, endpoint in CALLS:
            method, _, path = endpoint.partition(" ")
            if service == R and method == "GET" and "/events" not in path:
                yield f"/{R}{path.format_map(names)}" + ("?member=0" if "{document}" in path else "")

    def answers(self, who: dict[str, Any]) -> Iterator[tuple[str, str]]:
        for path in self.reads():
            for language in ("zh", "en"):
                response = self.world.get(path, headers={"Accept-Language": language}, **who)
                yield path, unpacked(response.data)


def unpacked(content: bytes) -> str:
    """What a file says to who opens it."""
    if content.startswith(b"PK"):
        archive = zipfile.ZipFile(io.BytesIO(content))
        return "".join(archive.read(name).decode("utf-8", "replace") for name in archive.namelist())
    return content.decode("utf-8", "replace")


def found(text: str) -> list[str]:
    """The seeded values in a text, plainly or as JSON escapes them."""
    return [seed for seed in SECRET if seed in text or seed.encode("unicode_escape").decode() in text]


@pytest.fixture
def bureau() -> Bureau:
    """A bureau over memory ports."""
    return Bureau(World())


def logged(world: World) -> str:
    """The log's topics, and each event as the message that Kafka would get."""
    entries = [
        entry for service in world.services.values() for entry in service.engine.ports.journal.read(0, 1_000_000)
    ]
    assert entries
    messages = [Message.of(entry) for entry in entries]
    sent = b"".join(m.key + m.value + b"".join(text for _, text in m.headers) for m in messages)
    return sent.decode()


def test_the_seeds_can_be_found_where_they_may_be(bureau: Bureau) -> None:
    """The search finds something, or it would prove nothing."""
    shown = bureau.world.get(bureau.entry, role="organiser").get_data(as_text=True)
    assert found(shown) == SECRET
    exported = unpacked(bureau.world.get(f"{bureau.base}/exports/entries.xlsx", role="organiser").data)
    assert set(SECRET) - set(found(exported)) == set()


def test_no_seed_is_in_the_log_in_a_message_or_in_an_answer_to_who_sent_it(bureau: Bureau) -> None:
    assert found(logged(bureau.world)) == []
    assert found(bureau.sent) == []


@pytest.mark.parametrize("who", READERS, ids=lambda who: who.get("role", "nobody") + who.get("team", ""))
def test_no_seed_is_in_anything_that_a_stranger_or_a_rival_may_read(bureau: Bureau, who: dict[str, Any]) -> None:
    for path, text in bureau.answers(who):
        assert found(text) == [], path


def test_no_seed_is_in_what_the_services_write_of_their_requests(
    bureau: Bureau, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in bureau.reads():
        bureau.world.get(path, role="organiser")
    bureau.world.post(f"{bureau.base}/entries", {"unit": "x", "name": "y", "members": [PERSON | {"colour": 1}]})
    bureau.world.post(f"{bureau.base}/entries", {"unit": "z", "name": "y", "members": [PERSON, OTHER]})
    written = capsys.readouterr()
    assert "request" in written.out
    assert found(written.out + written.err) == []


def test_after_erasure_nobody_reads_a_seed_anywhere(bureau: Bureau) -> None:
    bureau.erase()
    for who in (*READERS, {"role": "organiser"}, {"role": "auditor"}, {"role": "leader", "team": "集美街道"}):
        for path, text in bureau.answers(who):
            assert found(text) == [], (path, who)
    assert found(logged(bureau.world)) == []
    row = bureau.world.get(bureau.entry, role="organiser").get_json()
    assert (row["unit"], row["status"], [member["name"] for member in row["members"]]) == (
        "集美街道",
        "entered",
        [None, None],
    )


def test_names_are_public_only_as_the_organiser_sets_it(bureau: Bureau) -> None:
    def shown() -> list[str | None]:
        items = bureau.world.get(f"{bureau.base}/players").get_json()["items"]
        return [player["name"] for item in items if item["unit"] == "集美街道" for player in item["players"]]

    assert shown() == [None, None]
    bureau.world.post(f"{bureau.base}/name-settings", {"names": "masked"})
    assert shown() == ["欧＊", "司＊"]
    bureau.world.post(f"{bureau.base}/name-settings", {"names": "full"})
    assert shown() == ["欧阳望舒", "司徒听雨"]
    bureau.erase()
    assert shown() == [None, None]


def test_every_access_is_an_event_that_the_auditor_can_list(bureau: Bureau) -> None:
    bureau.world.get(bureau.entry, role="organiser", sub="clerk")
    bureau.world.get(f"{bureau.entry}/files/identity_copy?member=0", role="leader", team="集美街道", sub="leader")
    bureau.world.get(f"{bureau.base}/exports/entries.csv", role="organiser", sub="clerk")
    bureau.world.get(bureau.entry, role="leader", team="对手街道")  # refused, so nothing was shown
    bureau.world.settle()
    items = bureau.world.get(f"{bureau.base}/accesses", role="auditor").get_json()["items"]
    assert [(item["by"], item["what"], item["document"], item["persons"]) for item in items] == [
        ("clerk", "entry", "", 2),
        ("leader", "file", "identity_copy", 1),
        ("clerk", "list", "", 4),
    ]


def test_no_seed_is_in_a_dump_of_the_store_but_for_the_secrets(
    mongo: MongoClient[dict[str, Any]], monkeypatch: pytest.MonkeyPatch, database_prefix: str
) -> None:
    """Commits, log, read models, claims and all else that a backup takes; before and after erasure."""
    monkeypatch.setattr("deploy.wiring.PREFIX", database_prefix)
    wiring = Wiring(mongo, "only for tests, thirty-two bytes long", clock=ManualClock(START))
    world = World()
    world.services = wiring.services()
    world.clock = world.services[R].clock  # type: ignore[assignment]
    from deploy.wiring import apps

    world.apps = apps(world.services)
    bureau = Bureau(world)
    assert found(bureau.world.get(bureau.entry, role="organiser").get_data(as_text=True)) == SECRET
    assert found(dumped(mongo, database_prefix)) == []
    sealed = dumped(mongo, database_prefix, secrets=True)
    assert found(sealed) == []
    assert "the only picture" not in sealed
    bureau.erase()
    assert found(dumped(mongo, database_prefix)) == []


def dumped(mongo: MongoClient[dict[str, Any]], prefix: str, *, secrets: bool = False) -> str:
    names = [name for name in mongo.list_database_names() if name.startswith(prefix)]
    assert len(names) >= 2
    text = ""
    for name in names if not secrets else [f"{prefix}secrets"]:
        for collection in mongo[name].list_collection_names():
            for document in mongo[name][collection].find():
                text += "".join(_texts(document))
    assert text
    return text


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield str(key)
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)
    else:
        yield value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


# Unknown and forged fields

FORGED = {"points": 9, "position": 1, "actor": "organiser", "by": "chief", "deposit_paid": True, "role": "organiser"}
POSTS = [key for key in CALLS if key[0] == R and key[1].startswith("POST") and "retries" not in key[1]]
POSTS = [key for key in POSTS if "rebuilds" not in key[1]]


@pytest.mark.parametrize("call", POSTS, ids=lambda call: call[1])
def test_a_field_that_nobody_may_send_is_refused(call: tuple[str, str]) -> None:
    """DESIGN, REST; nothing is passed over in silence."""
    site = CALLS[call].stage(Site(World()))
    known = CALLS[call]
    path = "/" + R + call[1].partition(" ")[2].format(**site.names())
    role = {"role": "referee", "chief": True} if path.endswith("/consents") else {"role": "organiser"}
    if known.file is not None:
        if path.endswith("/checks"):
            return  # it has no field but the file
        query = f"{known.query}&points=9" if known.query else "?points=9"
        refused = site.world.send(path + query, *known.file, **role)
        assert (refused.status_code, refused.get_json()["errors"][0]["pointer"]) == (422, "/query/points")
        return
    for name, value in FORGED.items():
        refused = site.world.post(path, known.body(site) | {name: value}, **role)
        assert refused.status_code == 422, (name, refused.get_data(as_text=True))
        assert {"pointer": f"/{name}", "detail": "Unknown field."} in refused.get_json()["errors"]


@pytest.mark.parametrize("call", POSTS, ids=lambda call: call[1])
def test_an_operator_of_the_store_is_no_value(call: tuple[str, str]) -> None:
    known = CALLS[call]
    if known.file is not None:
        return
    site = known.stage(Site(World()))
    path = "/" + R + call[1].partition(" ")[2].format(**site.names())
    role = {"role": "referee", "chief": True} if path.endswith("/consents") else {"role": "organiser"}
    for name in known.body(site):
        if name == "changes":
            continue
        for operator in ({"$gt": ""}, {"$ne": None}, {"$where": "1"}):
            refused = site.world.post(path, known.body(site) | {name: operator}, **role)
            assert refused.status_code == 422, (name, refused.get_data(as_text=True))


def test_an_operator_in_a_query_is_no_value(bureau: Bureau) -> None:
    for path in bureau.reads():
        refused = bureau.world.get(f"{path.partition('?')[0]}?cursor[$gt]=", role="organiser")
        assert refused.status_code in (422, 403, 200), path
        if refused.status_code == 200:
            assert path.endswith(("/docs", "openapi.json", "livez", "readyz", "metrics", ".css"))
