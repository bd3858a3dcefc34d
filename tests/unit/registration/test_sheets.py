"""Entry forms as sheets: what a template asks, how rows become entries, and what cannot become a formula."""

from __future__ import annotations

import io
import zipfile
from datetime import date
from typing import Any

import openpyxl
import pytest
import xlsxwriter
from hypothesis import given
from hypothesis import strategies as st

from services.registration import refusals
from services.registration.sheets.columns import columns
from services.registration.sheets.reading import ROWS, UNPACKED, Row, read
from services.registration.sheets.rows import Sheet, column_letter, entries_of
from services.registration.sheets.template import template
from shared.rules.regulations import all_names, load_any
from shared.sheets import writing
from shared.sheets.cells import neutral, original
from shared.sheets.writing import CSV, XLSX

JIMEI = load_any("jimei-2018")


def workbook(*rows: list[Any], title: str = "报名表") -> bytes:
    """A workbook as a person would have saved it."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = title
    for row in rows:
        sheet.append(row)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


HEAD = ["单位", "队名", "角色", "姓名", "出生日期", "身份证号码", "本区户籍"]
ROW = ["杏林街道", "一队", "运动员", "陈一", "1985-03-01", "11010519491231002X", "是"]


def sheet(*rows: list[Any], head: list[str] = HEAD) -> Sheet:
    return entries_of(read(workbook(head, *rows), XLSX), columns(JIMEI))


def faults(*rows: list[Any], head: list[str] = HEAD) -> list[tuple[str, str]]:
    found = sheet(*rows, head=head)
    return [(pointer, said.zh) for pointer, said in map(found.said, found.wrong)]


# Templates


@pytest.mark.parametrize("name", all_names())
def test_a_template_has_chinese_headings_drop_downs_and_notes_and_reads_back(name: str) -> None:
    preset = load_any(name)
    book = openpyxl.load_workbook(io.BytesIO(template(preset)))
    form = book["报名表"]
    asked = columns(preset)
    assert [cell.value for cell in form[1]] == [column.heading.zh for column in asked]
    assert all(cell.comment is not None for cell in form[1])
    lists = {validation.formula1 for validation in form.data_validations.dataValidation}
    assert lists == {f'"{",".join(column.choices)}"' for column in asked if column.choices}
    assert read(template(preset), XLSX)[0].cells[0] == "单位"
    guide = "\n".join(str(cell.value) for row in book["填表说明"] for cell in row if cell.value)
    assert preset.dates.entries_close.article in guide


@pytest.mark.parametrize(
    ("name", "asked", "not_asked"),
    [
        ("jimei-2018", {"resident", "insured_since", "standing", "personnel_unit"}, {"event", "retirees", "number"}),
        ("zhongshan-2013", {"event", "pair", "substitute", "union_member"}, {"born", "resident"}),
        ("shandong-2023", {"sex", "born", "retirees", "number", "healthy"}, {"union_member", "event"}),
        ("ahut-2018", {"union_member", "number"}, {"born", "resident", "standing"}),
    ],
)
def test_a_form_asks_what_its_regulation_rules_and_nothing_else(
    name: str, asked: set[str], not_asked: set[str]
) -> None:
    keys = {column.key for column in columns(load_any(name))}
    assert asked <= keys
    assert not not_asked & keys


# Rows


def test_rows_of_one_unit_are_one_entry() -> None:
    other = ["灌口镇", "", "运动员", "林二", "1986-03-01", "", "否"]
    found = sheet(ROW, other, ["杏林 街道", "", "领队", "王三", "", "", ""])
    assert [(raw.body["unit"], raw.body["name"], raw.rows) for raw in found.entries] == [
        ("杏林街道", "一队", [2, 4]),
        ("灌口镇", "灌口镇", [3]),
    ]
    assert found.wrong == []


def test_a_title_may_stand_above_the_headings_and_their_order_is_free() -> None:
    rows = read(workbook(["集美区升级比赛报名表"], HEAD[::-1], ROW[::-1]), XLSX)
    raw = entries_of(rows, columns(JIMEI)).entries[0]
    assert raw.body["members"][0]["name"] == "陈一"
    assert raw.rows == [3]


@pytest.mark.parametrize(
    "cell",
    ["1985-03-01", "1985/3/1", "1985.3.1", "1985年3月1日", "19850301", "１９８５-０３-０１", date(1985, 3, 1)],
)
def test_a_date_may_be_written_in_any_way_that_is_one_date(cell: Any) -> None:
    row = [*ROW[:4], cell, *ROW[5:]]
    assert sheet(row).entries[0].body["members"][0]["born"] == "1985-03-01"


@pytest.mark.parametrize(
    ("place", "cell", "said"),
    [
        (4, "三月", "第 2 行 E 列（出生日期）：“三月”不是日期，应如 1985-03-01"),
        (4, "1985-02-30", "第 2 行 E 列（出生日期）：“1985-02-30”不是日期，应如 1985-03-01"),
        (4, 31107, "第 2 行 E 列（出生日期）：“31107”不是日期，应如 1985-03-01"),
        (2, "选手", "第 2 行 C 列（角色）：“选手”应为其中之一：运动员、领队、教练员"),
        (6, "大概", "第 2 行 G 列（本区户籍）：“大概”应为“是”或“否”"),
        (5, 350205198501010012, "第 2 行 F 列（身份证号码）：须为文本格式（数字会丢失末几位）"),
        (3, None, "第 2 行 D 列（姓名）：未填"),
    ],
)
def test_a_fault_is_told_with_its_row_and_column(place: int, cell: Any, said: str) -> None:
    row = [*ROW[:place], cell, *ROW[place + 1 :]]
    assert [words for _, words in faults(row)] == [said]


def test_rows_of_a_team_may_not_contradict_one_another() -> None:
    head = [*HEAD, "单位性质"]
    found = faults([*ROW, "企业"], [*ROW[:3], "林二", *ROW[4:], "学校"], head=head)
    assert found == [("/rows/3/H", "第 3 行 H 列（单位性质）：与同队的第 2 行不一致")]


def test_missing_headings_are_named() -> None:
    with pytest.raises(refusals.HeadingsMissing) as caught:
        sheet(["x"], head=["单位", "姓名", "电话"])
    assert "角色" in caught.value.say("zh")
    with pytest.raises(refusals.HeadingsMissing):
        sheet(["x"], head=["a", "b"])


def test_columns_are_named_as_a_spreadsheet_names_them() -> None:
    assert [column_letter(n) for n in (0, 25, 26, 51, 52, 701, 702)] == ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]


# Reading


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030"])
@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
def test_csv_is_read_in_the_encodings_that_chinese_machines_save(encoding: str, delimiter: str) -> None:
    content = "\r\n".join(delimiter.join(map(str, row)) for row in (HEAD, ROW)).encode(encoding)
    assert [row.cells for row in read(content, CSV)] == [tuple(HEAD), tuple(ROW)]


def test_a_number_in_the_text_of_csv_is_a_text() -> None:
    content = "身份证号码\n350205198501010012\n".encode()
    assert read(content, CSV)[1].cells == ("350205198501010012",)


@pytest.mark.parametrize(
    ("content", "media"),
    [
        (b"PK\x03\x04 and nothing more", XLSX),
        (b"not a workbook", XLSX),
        (b"\xff\xfe\x00\xd8", CSV),
        (b'"never closed', CSV),
        (workbook(HEAD)[:-100], XLSX),
    ],
)
def test_what_is_no_sheet_is_refused(content: bytes, media: str) -> None:
    with pytest.raises(refusals.NotASheet):
        read(content, media)


def test_an_archive_without_a_workbook_is_refused() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("readme.txt", "x")
    with pytest.raises(refusals.NotASheet):
        read(buffer.getvalue(), XLSX)


def test_a_bomb_is_refused_by_what_it_would_unpack_to_before_anything_is_parsed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    buffer = io.BytesIO(workbook(HEAD, ROW))
    with zipfile.ZipFile(buffer, "a", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr("xl/worksheets/bomb.xml", b"0" * (UNPACKED + 1))
    assert len(buffer.getvalue()) < 100_000
    monkeypatch.setattr(openpyxl, "load_workbook", lambda *a, **k: pytest.fail("it was parsed"))
    with pytest.raises(refusals.UnpacksTooLarge):
        read(buffer.getvalue(), XLSX)


def test_so_is_one_of_very_many_parts() -> None:
    buffer = io.BytesIO(workbook(HEAD, ROW))
    with zipfile.ZipFile(buffer, "a") as archive:
        for n in range(600):
            archive.writestr(f"xl/{n}", b"")
    with pytest.raises(refusals.UnpacksTooLarge):
        read(buffer.getvalue(), XLSX)


def test_entities_are_not_expanded() -> None:
    lol = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'
    source, target = zipfile.ZipFile(io.BytesIO(workbook(HEAD, ROW))), io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name in source.namelist():
            text = source.read(name).decode()
            if name.endswith("sheet1.xml"):
                text = lol + text.replace("陈一", "&b;")
            archive.writestr(name, text)
    with pytest.raises(refusals.NotASheet):
        read(target.getvalue(), XLSX)


def test_a_row_far_down_costs_no_more_than_the_limit() -> None:
    buffer = io.BytesIO()
    book = xlsxwriter.Workbook(buffer, {"in_memory": True})
    book.add_worksheet().write_string(1_048_575, 16_383, "far away")
    book.close()
    with pytest.raises(refusals.SheetTooLarge):
        read(buffer.getvalue(), XLSX)


def test_one_row_too_many_is_refused() -> None:
    assert len(read(("x\n" * ROWS).encode(), CSV)) == ROWS
    with pytest.raises(refusals.SheetTooLarge):
        read(("x\n" * (ROWS + 1)).encode(), CSV)


# No formula


@pytest.mark.parametrize("begin", ["=", "+", "-", "@", "\t", "\r", "\n", " =", "＝", "＋", "－", "＠"])
def test_what_a_spreadsheet_might_run_is_guarded(begin: str) -> None:
    assert neutral(f"{begin}cmd|' /C calc'!A0").startswith("'")


def test_other_texts_stay_as_they_are() -> None:
    assert [neutral(text) for text in ("陈一", "1-2", "a=b", "", "O'Brien", "'t Hooft")] == [
        "陈一",
        "1-2",
        "a=b",
        "",
        "O'Brien",
        "'t Hooft",
    ]


@given(st.text())
def test_a_guard_is_taken_off_again_and_nothing_else(text: str) -> None:
    assert original(neutral(text)) == text


def test_a_formula_as_a_name_is_a_text_in_every_export() -> None:
    rows = [["=1+1", "@SUM(A1)", "+86 138", "-3", "\tx"]]
    book = openpyxl.load_workbook(io.BytesIO(writing.workbook({"名单": (["甲"], rows)})))
    cells = list(book["名单"][2])
    assert [cell.data_type for cell in cells] == ["s"] * 5
    assert [str(cell.value)[0] for cell in cells] == ["'"] * 5
    text = writing.comma_separated(["甲"], rows).decode("utf-8-sig")
    assert text.splitlines()[1].startswith("'=1+1,'@SUM(A1),'+86 138,'-3,")


def test_what_was_exported_guarded_is_imported_as_it_was() -> None:
    found = entries_of(
        [Row(1, tuple(HEAD)), Row(2, ("'=A1公司", "'-队", "运动员", "陈一", "1985-03-01", "", "是"))], columns(JIMEI)
    )
    assert (found.entries[0].body["unit"], found.entries[0].body["name"]) == ("=A1公司", "-队")
