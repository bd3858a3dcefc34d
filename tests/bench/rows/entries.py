"""Entries: a sheet of a thousand, and what sealing costs who reads ten thousand."""

from __future__ import annotations

import io
import os
import time
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import msgspec
import xlsxwriter

from deploy.wiring import Wiring, apps
from services.registration.forms import PERSONAL, PUBLIC, MemberForm
from services.registration.persons import Persons
from services.registration.sheets.columns import columns
from shared.contracts.registration import Member
from shared.eventsourcing.clock import SystemClock
from shared.eventsourcing.mongo import MongoDocuments
from shared.eventsourcing.projector import View
from shared.privacy.secrets import MongoSecrets
from shared.rules.regulations import load_any
from shared.sheets.writing import XLSX
from shared.web.identity import Identity, mint
from tests.bench.bench import Bench, Row
from tests.bench.measuring import Line, Tick, absolute, faster, pairs, ticks

ENTRIES, READ = 1_000, 10_000
TIMES = 3
SECRET = "only for the bench, thirty-two bytes"
WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)


def measure(bench: Bench, tick: Tick) -> Sequence[Line]:
    took = []
    for _ in range(TIMES):
        took.append(_import(bench))
        tick()
    return [
        absolute("entries", f"import of an Excel form with {ENTRIES:,} entries, over HTTP", max(took), "s", 5, took),
        _reading(bench, tick),
    ]


def _import(bench: Bench) -> float:
    """Seconds of one import, checked and stored, in a store of its own."""
    services = Wiring(bench.client(bench.store()), SECRET).services(("registration",))
    client = apps(services)["registration"].test_client()
    token = mint(Identity(sub="bench", role="organiser"), SECRET, SystemClock().now(), timedelta(hours=1))
    headers = {"Authorization": f"Bearer {token}"}
    day = SystemClock().now().date() + timedelta(days=60)
    dates = {"plays_from": f"{day}", "plays_to": f"{day}", "entries_close": f"{day - timedelta(days=20)}T12:00:00"}
    said = client.post(
        "/competitions", json={"regulation": "jimei-2018", **dates}, headers=headers | {"Idempotency-Key": "a"}
    )
    competition = said.get_json()["stream"].partition("/")[2]
    at = f"/competitions/{competition}"
    client.post(f"{at}/entry-openings", json={}, headers=headers | {"Idempotency-Key": "o"})
    while any(step() for step in services["registration"].engine.steps().values()):
        pass
    content = _sheet()
    begin = time.perf_counter()
    done = client.post(
        f"{at}/entry-imports", data=content, headers=headers | {"Idempotency-Key": "i", "Content-Type": XLSX}
    )
    took = time.perf_counter() - begin
    assert done.status_code == 201, done.get_data(as_text=True)
    return took


def _sheet() -> bytes:
    """A filled-in form: two players a unit, each with a number of the right form."""
    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(buffer, {"in_memory": True})
    sheet = book.add_worksheet("报名表")
    places = {column.key: place for place, column in enumerate(columns(load_any("jimei-2018")))}
    for column in columns(load_any("jimei-2018")):
        sheet.write_string(0, places[column.key], column.heading.zh)
    for n in range(2 * ENTRIES):
        born = date(1970, 1, 1) + timedelta(days=n)
        first = f"350211{born:%Y%m%d}{n % 1000:03}"
        number = first + "10X98765432"[sum(int(a) * b for a, b in zip(first, WEIGHTS, strict=True)) % 11]
        row = {
            "unit": f"单位{n // 2}",
            "part": "运动员",
            "name": f"选手{n}",
            "born": f"{born}",
            "identity_number": number,
            "phone": f"138{n:08}",
            "resident": "是",
            "standing": "在职职工",
        }
        for key, value in row.items():
            sheet.write_string(n + 1, places[key], value)
    book.close()
    return buffer.getvalue()


class Sealed(msgspec.Struct, kw_only=True):
    """An entry as the read model has it."""

    id: str
    competition: str = ""
    unit: str = ""
    members: list[dict[str, Any]] = []


def _reading(bench: Bench, tick: Tick) -> Line:
    """The read model's rows with their persons opened, beside the same rows with the persons in the clear."""
    client = bench.shared
    persons = Persons(MongoSecrets(client["entries_secrets"]), os.urandom)
    documents, view = MongoDocuments(client["entries"]), View("entries", Sealed, indexes=(("competition", "_id"),))
    forms = [
        MemberForm(part="player", name=f"选手{n}", born=date(1980, 1, 1), phone=f"138{n:08}", resident=True)
        for n in range(2 * READ)
    ]
    sealed = persons.sealed(forms, [f"p-{n}" for n in range(2 * READ)])
    plain = [{"person": f"p-{n}", "plain": msgspec.to_builtins(form)} for n, form in enumerate(forms)]
    for name, members in (("sealed", [msgspec.to_builtins(m) for m in sealed]), ("plain", plain)):
        documents.ensure_index(name, ("competition", "_id"))
        rows = [
            Sealed(id=f"{n}", competition="c", unit=f"单位{n}", members=members[2 * n : 2 * n + 2]) for n in range(READ)
        ]
        documents.put(name, [(0, {**view.dump(row), "revision": 1, "applied": {}}) for row in rows])

    def opened(_number: int) -> None:
        rows = [view.load(found) for found in documents.find("sealed", {"competition": "c"})]
        members = [msgspec.convert(member, Member) for row in rows for member in row.members]
        assert sum(form is not None for form in persons.read(members)) == 2 * READ

    def clear(_number: int) -> None:
        rows = [view.load(found) for found in documents.find("plain", {"competition": "c"})]
        read = [msgspec.convert(member["plain"], MemberForm) for row in rows for member in row.members]
        assert len(read) == 2 * READ

    opened(0)  # the first look fetches the keys, of which a process keeps copies
    assert set(PERSONAL) | set(PUBLIC) == set(MemberForm.__struct_fields__)
    return faster(
        "entries",
        f"reading {READ:,} entries with their persons sealed",
        "the same entries in the clear",
        pairs(opened, clear, tick),
        reach=0.87,
    )


ROW = Row("entries", "import a sheet of entries; read sealed ones", TIMES + ticks(), measure)
