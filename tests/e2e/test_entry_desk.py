"""The entry desk over HTTP: what a clerk and a leader see of an entry, and what they may do."""

from __future__ import annotations

import io
import zipfile
from datetime import UTC, datetime, timedelta
from typing import Any

import openpyxl
import pytest

from tests.e2e.test_registration_http import Bureau, check_problem
from tests.support.world import World

pytestmark = pytest.mark.over("memory", "kafka")

NOON = datetime(2018, 11, 12, 4, 0, tzinfo=UTC)
PLAYERS = [
    {"part": "player", "name": "陈一", "born": "1985-03-01", "resident": True, "standing": "employee", "healthy": True},
    {"part": "player", "name": "林二", "born": "1986-03-01", "resident": False, "works_here": True},
]
ENTRY = {"unit": "集美街道", "name": "一队", "members": PLAYERS}


@pytest.fixture
def bureau() -> Bureau:
    """A bureau of the test's own."""
    return Bureau()


@pytest.fixture
def entry(bureau: Bureau) -> str:
    """The path of an entry that was made."""
    team = bureau.enter(ENTRY).get_json()["events"][0]["data"]["team"]["id"]
    return f"{bureau.base}/entries/{team}"


def shown(bureau: Bureau, entry: str, **who: Any) -> Any:
    return bureau.world.get(f"{entry}/checks", **(who or {"role": "organiser"})).get_json()


def test_every_check_is_shown_with_article_words_and_whom_it_speaks_of(bureau: Bureau, entry: str) -> None:
    rows = {(row["rule"], row["member"]): row for row in shown(bureau, entry)["items"]}
    assert (rows["bond", 0]["status"], rows["bond", 0]["article"]) == ("met", "七.1")
    insured = rows["insured", 1]
    assert (insured["status"], insured["code"], insured["holds"]) == ("to_confirm", "insured_unsaid", None)
    assert insured["said"] == "insurance before 2018-01-01; the form does not say"
    assert rows["players", None]["status"] == "met"


def test_checks_are_told_in_chinese_where_chinese_is_asked_for(bureau: Bureau, entry: str) -> None:
    answer = bureau.world.get(f"{entry}/checks", role="organiser", headers={"Accept-Language": "zh"}).get_json()
    assert "医社保须早于 2018-01-01；报名表未填，请核实" in [row["said"] for row in answer["items"]]


def test_the_clerk_confirms_what_was_seen_and_less_is_open(bureau: Bureau, entry: str) -> None:
    before = shown(bureau, entry)["open"]
    body = {"rule": "insured", "member": 1, "reason": "社保缴费证明 2015 年起"}
    answer = bureau.world.post(f"{entry}/confirmations", body)
    assert [event["type"] for event in answer.get_json()["events"]] == ["EligibilityConfirmed"]
    assert shown(bureau, entry)["open"] == before - 1


def test_a_leader_sees_the_own_checks_and_confirms_none(bureau: Bureau, entry: str) -> None:
    own = {"role": "leader", "team": "集美街道"}
    assert shown(bureau, entry, **own)["items"]
    check_problem(bureau.world.get(f"{entry}/checks", role="leader", team="侨英街道"), 403, "other-team")
    check_problem(bureau.world.get(f"{entry}/checks"), 401, "token-needed")
    body = {"rule": "insured", "member": 1, "reason": "有的"}
    check_problem(bureau.world.post(f"{entry}/confirmations", body, **own), 403, "role-not-allowed")


def test_what_is_met_cannot_be_confirmed(bureau: Bureau, entry: str) -> None:
    body = {"rule": "bond", "member": 0, "reason": "户口簿"}
    check_problem(bureau.world.post(f"{entry}/confirmations", body), 422, "nothing-to-confirm")


def test_an_entry_is_refused_under_the_article_that_it_breaks(bureau: Bureau, entry: str) -> None:
    wrong = {"rule": "insured", "member": 1, "holds": False, "reason": "社保 2018 年 3 月起"}
    bureau.world.post(f"{entry}/confirmations", wrong)
    assert shown(bureau, entry)["broken"] == 1
    bureau.world.clock.set(NOON)
    bureau.world.post(f"{bureau.base}/entry-closings", {"reason": "已到时"})
    answer = bureau.world.post(f"{entry}/refusals", {"rule": "insured", "reason": "不符合七.1"})
    assert answer.get_json()["events"][0]["data"]["refused_by_article"] == "七.1"
    assert bureau.world.get(f"{bureau.base}/entries").get_json()["items"][0]["status"] == "refused"


@pytest.mark.parametrize(
    ("field", "value"),
    [("sex", "x"), ("standing", "king"), ("resident", "yes"), ("resident", 1), ("pair", "1"), ("points", 9)],
)
def test_a_fact_that_is_none_is_pointed_at(bureau: Bureau, field: str, value: Any) -> None:
    body = ENTRY | {"members": [PLAYERS[0] | {field: value}, PLAYERS[1]]}
    problem = check_problem(bureau.enter(body), 422, "invalid")
    assert [error["pointer"] for error in problem["errors"]] == [f"/members/0/{field}"]


# Papers

PNG = b"\x89PNG\r\n\x1a\n a picture of an identity card"


def test_what_is_missing_is_shown_until_it_came(bureau: Bureau, entry: str) -> None:
    before = bureau.world.get(f"{entry}/documents", role="organiser").get_json()
    assert before["missing"] == 7  # form; copy and photo of both; insurance and contract of who has no household
    bureau.world.post(f"{entry}/documents", {"document": "form", "seal": True})
    body = {"document": "contract", "member": 1}
    assert bureau.world.post(f"{entry}/documents", body).status_code == 201
    now = bureau.world.get(f"{entry}/documents", role="leader", team="集美街道").get_json()
    assert now["missing"] == 5
    form = next(item for item in now["items"] if item["document"] == "form")
    assert (form["how"], form["due_at"], form["article"]) == ("paper", "2018-11-12T04:00:00Z", "十二（报名）")
    early = f"{entry}/documents?as_of=2018-09-30T00:00:00Z"
    check_problem(bureau.world.get(early, role="organiser"), 404, "no-such-entry")


def test_a_leader_sends_a_copy_and_only_the_own_leader_and_the_desk_see_it(bureau: Bureau, entry: str) -> None:
    path = f"{entry}/files?document=identity_copy&member=0"
    sent = bureau.world.send(path, "image/png", PNG, role="leader", team="集美街道")
    assert (sent.status_code, sent.get_json()["events"][0]["data"]["size"]) == (201, len(PNG))
    shown = bureau.world.get(f"{entry}/files/identity_copy?member=0", role="organiser")
    assert (shown.status_code, shown.mimetype, shown.data) == (200, "image/png", PNG)
    assert shown.headers["Content-Disposition"].startswith("attachment;")
    assert shown.headers["X-Content-Type-Options"] == "nosniff"
    assert shown.headers["Cache-Control"] == "no-store"
    other = bureau.world.get(f"{entry}/files/identity_copy?member=0", role="leader", team="侨英街道")
    check_problem(other, 403, "other-team")


@pytest.mark.parametrize(
    ("media", "content", "status", "slug"),
    [
        ("image/png", b"MZ not a picture", 422, "not-that-kind-of-file"),
        ("image/png", b"", 422, "file-empty"),
        ("image/svg+xml", b"<svg/>", 422, "media-not-taken"),
        ("application/json", b"{}", 422, "media-not-taken"),
        ("image/png", PNG + bytes(4 << 20), 413, "body-too-large"),
    ],
)
def test_what_is_no_picture_or_too_large_is_refused(
    bureau: Bureau, entry: str, media: str, content: bytes, status: int, slug: str
) -> None:
    path = f"{entry}/files?document=identity_copy&member=0"
    problem = check_problem(bureau.world.send(path, media, content), status, slug)
    if status == 413:
        assert "4 MiB" in problem["detail"]


def test_reminders_name_each_team_with_what_it_owes_and_nobody_in_person(bureau: Bureau, entry: str) -> None:
    bureau.world.post(f"{entry}/documents", {"document": "form", "seal": True})
    answer = bureau.world.get(f"{bureau.base}/reminders", role="organiser", headers={"Accept-Language": "zh"})
    (item,) = answer.get_json()["items"]
    assert item["said"].startswith("集美街道（一队）：尚缺 第二代身份证复印件（第 1 人）、")
    assert len(item["documents"]) == 6
    assert item["due_at"] == "2018-11-12T04:00:00Z"
    assert "陈一" not in answer.get_data(as_text=True)
    check_problem(bureau.world.get(f"{bureau.base}/reminders", role="leader", team="集美街道"), 403, "role-not-allowed")


# Sheets

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def filled(template: bytes, *rows: dict[str, Any]) -> bytes:
    """A template as a unit fills it in, by headings."""
    book = openpyxl.load_workbook(io.BytesIO(template))
    form = book["报名表"]
    places = {cell.value: cell.column for cell in form[1]}
    for number, row in enumerate(rows, 2):
        for heading, value in row.items():
            form.cell(number, places[heading], value)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def person(unit: str, name: str, **more: Any) -> dict[str, Any]:
    return {"单位": unit, "角色": "运动员", "姓名": name, "出生日期": "1985-03-01", "本区户籍": "是"} | more


def test_a_template_is_filled_in_checked_imported_and_exported_again(bureau: Bureau) -> None:
    form = bureau.world.get(f"{bureau.base}/entry-form")
    assert (form.mimetype, form.headers["Content-Disposition"][:10]) == (XLSX, "attachment")
    sheet = filled(form.data, *(person(f"单位{n}", f"选手{n}{p}") for n in range(3) for p in "甲乙"))
    path = f"{bureau.base}/entry-imports"
    assert bureau.world.send(f"{path}/checks", XLSX, sheet).get_json() == {"entries": 3, "persons": 6}
    assert bureau.world.get(f"{bureau.base}/entries").get_json()["items"] == []
    done = bureau.world.send(path, XLSX, sheet)
    assert done.status_code == 201
    (imported,) = bureau.world.get(path, role="organiser").get_json()["items"]
    assert (imported["entries"], imported["persons"], imported["reversed"]) == (3, 6, False)
    exported = bureau.world.get(f"{bureau.base}/exports/entries.xlsx", role="organiser").data
    rows = list(openpyxl.load_workbook(io.BytesIO(exported))["报名名单"].iter_rows(values_only=True))
    assert [row[rows[0].index("姓名")] for row in rows[1:]] == [
        "选手0甲",
        "选手0乙",
        "选手1甲",
        "选手1乙",
        "选手2甲",
        "选手2乙",
    ]
    back = bureau.world.post(f"{path}/{imported['id']}/reversals", {"reason": "发错了表"})
    assert back.get_json()["events"][0]["data"]["kept"] == []
    assert {item["status"] for item in bureau.world.get(f"{bureau.base}/entries").get_json()["items"]} == {"withdrawn"}


def test_an_export_is_a_sheet_that_can_be_imported(bureau: Bureau, entry: str) -> None:
    exported = bureau.world.get(f"{bureau.base}/exports/entries.csv", role="organiser").data
    bureau.world.post(f"{entry}/withdrawals", {"reason": "重报"})
    assert bureau.world.send(f"{bureau.base}/entry-imports", "text/csv", exported).status_code == 201
    members = bureau.world.get(entry, role="organiser").get_json()["members"]
    assert [(m["name"], m["born"], m["resident"]) for m in members] == [
        ("陈一", "1985-03-01", True),
        ("林二", "1986-03-01", False),
    ]


def test_every_fault_of_a_sheet_is_told_by_row_and_column_and_nothing_is_entered(bureau: Bureau) -> None:
    form = bureau.world.get("/registration/regulations/jimei-2018/entry-form").data
    sheet = filled(
        form,
        person("甲街道", "陈一"),
        person("甲街道", "林二", 出生日期="1950-01-01"),
        person("乙街道", "王三", 身份="学生"),
        person("乙街道", "x" * 101),
        person("丙街道", "孤身一人"),
    )
    path = f"{bureau.base}/entry-imports"
    headers = {"Accept-Language": "zh"}
    response = bureau.world.client("registration").post(
        path.removeprefix("/registration"),
        data=sheet,
        headers=headers
        | {
            "Authorization": f"Bearer {bureau.world.token('organiser')}",
            "Idempotency-Key": "zh",
            "Content-Type": XLSX,
        },
    )
    problem = check_problem(response, 422, "sheet-has-faults")
    said = [error["detail"] for error in problem["errors"]]
    assert any(each.startswith("第 3 行 ") and "出生日期应不早于 1958-01-01" in each for each in said)
    assert any(each.startswith("第 5 行 ") and "长度应为 1 至 100" in each for each in said)
    assert any(each.startswith("第 6 行 ") and "运动员 1 人，至少 2 人" in each for each in said)
    assert bureau.world.get(f"{bureau.base}/entries").get_json()["items"] == []


class Hospital:
    """zhongshan-2013: several events, its entries open."""

    def __init__(self) -> None:
        self.world = World(datetime(2013, 9, 10, tzinfo=UTC))
        announced = self.world.post("/registration/competitions", {"regulation": "zhongshan-2013"})
        self.base = f"/registration/competitions/{announced.get_json()['stream'].partition('/')[2]}"
        self.world.post(f"{self.base}/entry-openings")
        self.form = self.world.get(f"{self.base}/entry-form").data

    def import_(self, content: bytes, media: str = XLSX) -> Any:
        return self.world.send(f"{self.base}/entry-imports", media, content)

    def faults(self, *rows: dict[str, Any]) -> list[tuple[str, str]]:
        problem = check_problem(self.import_(filled(self.form, *rows)), 422, "sheet-has-faults")
        return [(error["pointer"], error["detail"].partition("): ")[2]) for error in problem["errors"]]


def staff(name: str, event: str | None, pair: Any = None, **more: Any) -> dict[str, Any]:
    said = {"单位": "内科", "角色": "运动员", "姓名": name, "身份": "在职职工", "工会会员": "是"}
    return {**said, "参赛项目": event, "第几对": pair, **more}


# 六（一）: “拖拉机”选手两对，象棋选手1至2名，围棋选手1至2名. Rows 2 to 5, 6 and 7
CARDS = [staff(f"拖{n}", "拖拉机", 1 + n // 2) for n in range(4)]
BOARDS = [staff("象", "象棋"), staff("围", "围棋")]


@pytest.fixture
def hospital() -> Hospital:
    return Hospital()


def place(hospital: Hospital, row: int, heading: str) -> str:
    heads = [cell.value for cell in openpyxl.load_workbook(io.BytesIO(hospital.form))["报名表"][1]]
    return f"/rows/{row}/{chr(ord('A') + heads.index(heading))}"


def test_a_broken_rule_is_told_at_the_cell_that_breaks_it(hospital: Hospital) -> None:
    """四: 在职职工; 六（一）: 两对."""
    rows = [*CARDS[:3], staff("拖3", "拖拉机", 3), staff("象", "象棋", 身份="学生"), staff("围", "围棋", 工会会员="否")]
    assert hospital.faults(*rows) == [
        (place(hospital, 4, "第几对"), "tractor pairs: each pair has two players"),
        (place(hospital, 5, "第几对"), "tractor pairs: each pair has two players"),
        (place(hospital, 6, "身份"), "needed: employed by the unit"),
        (place(hospital, 7, "工会会员"), "union members only"),
    ]


def test_of_too_many_the_last_is_told(hospital: Hospital) -> None:
    rows = [*CARDS, *BOARDS, staff("象二", "象棋"), staff("象三", "象棋"), staff("领一", None, 角色="领队")]
    (found, *_) = hospital.faults(*rows)
    assert found == (place(hospital, 9, "参赛项目"), "xiangqi players: 3, 1 to 2 are entered")


def test_a_cell_that_is_none_hides_no_rule_that_can_be_judged_without_it(hospital: Hospital) -> None:
    """Of row 6 it is not known in which event it is, so nothing is said of how many are in which; that row 7 is none of
    the union, and that there is nobody for 围棋's second place, needs no row 6."""
    rows = [*CARDS, staff("象", "桥牌", 身份="学生"), staff("围", "围棋", 工会会员="否")]
    assert [at for at, _ in hospital.faults(*rows)] == [
        place(hospital, 6, "参赛项目"),
        place(hospital, 6, "身份"),
        place(hospital, 7, "工会会员"),
    ]


def test_who_came_in_by_consent_keeps_no_export_from_being_imported(hospital: Hospital) -> None:
    """六（一）: 非报名名单内的选手需要通过裁判长同意才能上场: nobody of the form, and no player too many of it."""
    assert hospital.import_(filled(hospital.form, *CARDS, *BOARDS)).status_code == 201
    (team,) = hospital.world.get(f"{hospital.base}/entries").get_json()["items"]
    entry = f"{hospital.base}/entries/{team['team']}"
    joins = {"part": "player", "name": "新来", "event": "tractor_pairs", "standing": "employee", "union_member": True}
    body = {"member": joins, "reason": "队员受伤"}
    assert hospital.world.post(f"{entry}/consents", body, role="referee", chief=True).status_code == 201
    exported = hospital.world.get(f"{hospital.base}/exports/entries.csv", role="organiser").data
    assert "新来" in exported.decode("utf-8-sig")
    hospital.world.post(f"{entry}/withdrawals", {"reason": "重报"})
    assert hospital.import_(exported, "text/csv").status_code == 201
    members = hospital.world.get(entry, role="organiser").get_json()["members"]
    assert [member["name"] for member in members] == ["拖0", "拖1", "拖2", "拖3", "象", "围"]


def test_the_desk_finds_out_who_is_not_what_the_form_says(hospital: Hospital) -> None:
    """四: 请外单位人员，则取消比赛成绩和奖金."""
    hospital.import_(filled(hospital.form, *CARDS, *BOARDS))
    (team,) = hospital.world.get(f"{hospital.base}/entries").get_json()["items"]
    entry = f"{hospital.base}/entries/{team['team']}"
    found = {"rule": "membership", "member": 1, "holds": False, "reason": "外单位人员"}
    assert hospital.world.post(f"{entry}/confirmations", found).status_code == 201
    rows = hospital.world.get(f"{entry}/checks", role="organiser").get_json()
    assert rows["broken"] == 1
    assert [(r["rule"], r["status"]) for r in rows["items"] if r["holds"] is False] == [("membership", "met")]
    answer = hospital.world.post(f"{entry}/refusals", {"rule": "membership", "reason": "外单位人员"})
    assert answer.get_json()["events"][0]["data"]["refused_by_article"] == "四"


def test_a_formula_in_a_name_is_a_text_in_the_export(bureau: Bureau) -> None:
    bureau.enter(ENTRY | {"unit": "=HYPERLINK(1)", "members": [PLAYERS[0] | {"name": "@cmd"}, PLAYERS[1]]})
    exported = bureau.world.get(f"{bureau.base}/exports/entries.csv", role="organiser").data.decode("utf-8-sig")
    assert "\r\n'=HYPERLINK(1)," in exported
    assert ",'@cmd," in exported
    book = openpyxl.load_workbook(
        io.BytesIO(bureau.world.get(f"{bureau.base}/exports/programme.xlsx", role="organiser").data)
    )
    assert {cell.data_type for row in book["各代表队"].iter_rows() for cell in row if cell.value} <= {"s", "n"}


def test_the_programme_book_has_the_competition_its_sessions_and_its_teams(bureau: Bureau, entry: str) -> None:
    bureau.enter(ENTRY | {"unit": "侨英街道", "members": [*PLAYERS, {"part": "leader", "name": "领队甲"}]})
    book = bureau.world.get(f"{bureau.base}/programme", role="organiser").get_json()
    assert (book["units"], book["persons"], book["plays_from"]) == (2, 4, "2018-11-24")
    assert [(team["order"], team["unit"], team["leaders"]) for team in book["teams"]] == [
        (1, "侨英街道", ["领队甲"]),
        (2, "集美街道", []),
    ]
    assert bureau.world.get(f"{bureau.base}/programme").status_code == 401


def test_a_bomb_as_a_workbook_is_refused_unread(bureau: Bureau) -> None:
    buffer = io.BytesIO(bureau.world.get(f"{bureau.base}/entry-form").data)
    with zipfile.ZipFile(buffer, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/bomb.xml", bytes(64 << 20))
    problem = bureau.world.send(f"{bureau.base}/entry-imports", XLSX, buffer.getvalue())
    check_problem(problem, 422, "unpacks-too-large")


# Late, and not on the form


def test_a_late_unit_enters_by_a_decision_and_the_list_of_units_says_how_each_stands(
    bureau: Bureau, entry: str
) -> None:
    bureau.world.clock.set(NOON + timedelta(minutes=1))
    body = ENTRY | {"unit": "侨英街道", "members": [{**m, "name": m["name"] + "二"} for m in PLAYERS]}
    check_problem(bureau.enter(body), 409, "entry-closed")
    bureau.world.post(f"{bureau.base}/attendance", {"units": ["后溪镇"], "attended": False})
    grace = {"unit": "侨英街道", "until": "2018-11-12T18:00:00", "reason": "传真机故障，有登记"}
    assert bureau.world.post(f"{bureau.base}/graces", grace).status_code == 201
    units = bureau.world.get(f"{bureau.base}/units", role="organiser").get_json()["items"]
    assert {unit["unit"]: (unit["standing"], unit["attended"]) for unit in units} == {
        "集美街道": ("entered", None),
        "侨英街道": ("may_enter", None),
        "后溪镇": ("lapsed", False),
    }
    assert bureau.enter(body).status_code == 201


def test_only_the_chief_referee_consents(bureau: Bureau, entry: str) -> None:
    body = {"member": {"part": "player", "name": "替补"}, "reason": "队员受伤"}
    check_problem(bureau.world.post(f"{entry}/consents", body), 403, "role-not-allowed")
    check_problem(bureau.world.post(f"{entry}/consents", body, role="referee"), 403, "chief-referee-only")
    refused = bureau.world.post(f"{entry}/consents", body, role="referee", chief=True)
    assert check_problem(refused, 409, "outsiders-refused")["article"] == "十二（报名）"
