"""Which papers are due, and what bytes are."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from shared.rules.deadlines import reporting
from shared.rules.entries import Person, TeamEntry, due, looks_like
from shared.rules.regulations import load_any


def papers(regulation: str, *players: Person, **of_unit: Any) -> set[tuple[str, int | None, str, str]]:
    entry = TeamEntry(id="e", unit="杏林街道", players=players, **of_unit)
    return {(each.document, each.player, each.due, each.article) for each in due(load_any(regulation), entry)}


RESIDENT, COMMUTER = Person(key="1", resident=True), Person(key="2", resident=False, works_here=True)


def test_jimei_asks_for_insurance_and_contract_only_where_the_household_is_elsewhere() -> None:
    """十二（报名）: 报名表（盖章有效）, 第二代身份证复印件, 照片; 非集美户籍……还需缴交医社保证明材料."""
    assert papers("jimei-2018", RESIDENT, COMMUTER) == {
        ("form", None, "entries_close", "十二（报名）"),
        ("identity_copy", 0, "entries_close", "十二（报名）"),
        ("identity_copy", 1, "entries_close", "十二（报名）"),
        ("photo", 0, "entries_close", "十二（报名）"),
        ("photo", 1, "entries_close", "十二（报名）"),
        ("insurance_proof", 1, "entries_close", "十二（报名）"),
        ("contract", 1, "entries_close", "七.6"),
    }


def test_staff_of_enterprises_bring_both_in_any_case() -> None:
    """七.6: 各事业（企业）单位的参赛员工."""
    found = papers("jimei-2018", RESIDENT, unit_kind="enterprise")
    assert {("insurance_proof", 0, "entries_close", "十二（报名）"), ("contract", 0, "entries_close", "七.6")} <= found


def test_the_form_counts_with_the_seal_in_jimei_alone() -> None:
    """十二（报名）: 提交报名表（盖章有效）."""
    entry = TeamEntry(id="e", unit="u", players=())
    seals = {name: [each.seal for each in due(load_any(name), entry)] for name in ("jimei-2018", "zhongshan-2013")}
    assert seals == {"jimei-2018": [True], "zhongshan-2013": [False]}


def test_shandong_has_policy_and_statement_brought_when_the_team_reports() -> None:
    """十一.2: 提前 15 分钟持《人身意外保险保单》和《自愿参赛责任书》报到."""
    assert papers("shandong-2023", RESIDENT) == {
        ("form", None, "entries_close", "十一.1"),
        ("insurance_policy", 0, "report", "十一.2"),
        ("statement", 0, "report", "十一.2"),
    }


@pytest.mark.parametrize(
    ("regulation", "day", "local"),
    [
        ("shandong-2023", dt.date(2023, 6, 13), "2023-06-13T08:15"),  # 上午8：30 开始, 提前 15 分钟
        ("ahut-2018", dt.date(2018, 5, 6), "2018-05-06T08:00"),  # 上午8:00准时
        ("zhongshan-2013", dt.date(2013, 10, 29), "2013-10-29T18:30"),  # 晚上18:30
        ("jimei-2018", dt.date(2018, 11, 24), "2018-11-24T00:00"),  # no hour is said
        ("shandong-2023", dt.date(2024, 6, 4), "2024-06-04T08:15"),
    ],
)
def test_a_team_reports_before_play_begins(regulation: str, day: dt.date, local: str) -> None:
    shanghai = dt.timezone(dt.timedelta(hours=8))
    assert reporting(load_any(regulation), day) == dt.datetime.fromisoformat(local).replace(tzinfo=shanghai)


@pytest.mark.parametrize(
    ("content", "media"),
    [
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "image/jpeg"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "image/png"),
        (b"%PDF-1.7\n", "application/pdf"),
        (b"MZ\x90\x00", None),
        (b"<svg xmlns=", None),
        (b"GIF89a", None),
        (b"PK\x03\x04", None),
        (b"\xff\xd8", None),
        (b"", None),
    ],
)
def test_a_file_is_what_its_first_bytes_say(content: bytes, media: str | None) -> None:
    assert looks_like(content) == media
