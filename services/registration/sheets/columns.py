"""The columns of a regulation's entry form, from its preset: a fact that no rule asks for has no column."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from shared.rules.basis import Text
from shared.rules.entries import Terms, terms
from shared.rules.entries.team import EVENTS
from shared.rules.regulations import AnyPreset

Kind = Literal["text", "date", "choice", "flag", "number"]


class Column(Struct, frozen=True, kw_only=True):
    """A column. key: the field of the entry, or of its member; of: whose field it is; choices: by the word that stands
    in the sheet; needed: no row may leave it empty."""

    key: str
    heading: Text
    note: Text
    of: Literal["team", "member"] = "member"
    kind: Kind = "text"
    choices: Mapping[str, str] = {}
    needed: bool = False


PARTS = {"运动员": "player", "领队": "leader", "教练员": "coach"}
SEXES = {"男": "male", "女": "female"}
STANDINGS = {
    "在职职工": "employee",
    "在校教职员工": "school_staff",
    "学生": "student",
    "现役军人": "soldier",
    "现役专业运动员": "athlete",
    "离退休人员": "retired",
    "其他": "other",
}
UNIT_KINDS = {
    "机关": "office",
    "事业单位": "institution",
    "企业": "enterprise",
    "学校": "school",
    "街镇": "street",
    "其他": "other",
}
FLAGS = {"是": "yes", "否": "no"}


def columns(preset: AnyPreset) -> list[Column]:
    """The columns of its entry form, in order."""
    rules = terms(preset)
    several = rules.teams_per_unit.value != 1 or bool(rules.large_units and rules.large_units.value)
    asked = [
        (UNIT, True),
        (NUMBER, several),
        (NAME_OF_TEAM, True),
        (UNIT_KIND, bool(rules.eligibility.papers_of or rules.eligibility.schools)),
        (RETIREES, bool(rules.large_units and rules.large_units.value)),
        (PART, True),
        (_event(rules), bool(rules.roster.value)),
        (PAIR, bool(rules.roster.value)),
        (SUBSTITUTE, rules.substitutes.value.most > 0),
        (NAME, True),
        (SEX, bool(rules.ages and rules.ages.value) or rules.eligibility.identity is not None),
        (BORN, _asks_birth(rules)),
        (IDENTITY, True),
        (PHONE, True),
        *_of_eligibility(rules),
    ]
    return [column for column, wanted in asked if wanted]


def _of_eligibility(rules: Terms) -> list[tuple[Column, bool]]:
    own = rules.eligibility
    bonds = own.bonds.value if own.bonds else ()
    stands = {"employee", "retired"} & set(bonds)
    return [
        (STANDING, bool(stands) or any((own.students, own.soldiers, own.schools, own.athletes))),
        (RESIDENT, "household" in bonds),
        (WORKS_HERE, "work_place" in bonds),
        (INSURED, bool(rules.insured_before and rules.insured_before.value)),
        (CONTRACT, own.contract_before is not None),
        (MEMBER, rules.membership is not None),
        (HEALTHY, own.health is not None),
        (PERSONNEL, own.double_leadership is not None),
    ]


def _asks_birth(rules: Terms) -> bool:
    ruled = (rules.born_from, rules.born_to, rules.ages)
    return any(each is not None and each.value is not None for each in ruled)


def _event(rules: Terms) -> Column:
    choices = {EVENTS.get(event, event): event for event in rules.roster.value}
    note = Text("从下拉列表选择；候补队员可不填", "Choose from the list; a substitute may leave it empty")
    return Column(key="event", heading=Text("参赛项目", "Event"), note=note, kind="choice", choices=choices)


UNIT = Column(
    key="unit",
    heading=Text("单位", "Unit"),
    note=Text("单位全称，与公章一致；每人一行", "The unit's full name, as on its seal; a row for each person"),
    of="team",
    needed=True,
)
NUMBER = Column(
    key="number",
    heading=Text("队号", "Team no."),
    note=Text("本单位的第几队（对），不填为 1", "Which of the unit's teams; 1 where left empty"),
    of="team",
    kind="number",
)
NAME_OF_TEAM = Column(
    key="team",
    heading=Text("队名", "Team"),
    note=Text("不填则用单位名称", "The unit's name where left empty"),
    of="team",
)
UNIT_KIND = Column(
    key="unit_kind",
    heading=Text("单位性质", "Kind of unit"),
    note=Text("从下拉列表选择", "Choose from the list"),
    of="team",
    kind="choice",
    choices=UNIT_KINDS,
)
RETIREES = Column(
    key="retirees",
    heading=Text("离退休人数", "Retirees"),
    note=Text("报第二队时必填", "Needed for a second team"),
    of="team",
    kind="number",
)
PART = Column(
    key="part",
    heading=Text("角色", "Part"),
    note=Text("运动员、领队或教练员", "Player, leader or coach"),
    kind="choice",
    choices=PARTS,
    needed=True,
)
PAIR = Column(
    key="pair",
    heading=Text("第几对", "Pair"),
    note=Text("拖拉机选手填 1 或 2", "1 or 2 for players of tractor"),
    kind="number",
)
SUBSTITUTE = Column(
    key="substitute",
    heading=Text("候补", "Substitute"),
    note=Text("候补队员填“是”", "Yes for a substitute"),
    kind="flag",
    choices=FLAGS,
)
NAME = Column(
    key="name",
    heading=Text("姓名", "Name"),
    note=Text("与证件一致", "As on the identity document"),
    needed=True,
)
SEX = Column(key="sex", heading=Text("性别", "Sex"), note=Text("男或女", "男 or 女"), kind="choice", choices=SEXES)
BORN = Column(
    key="born",
    heading=Text("出生日期", "Born"),
    note=Text("如 1985-03-01", "Such as 1985-03-01"),
    kind="date",
)
IDENTITY = Column(
    key="identity_number",
    heading=Text("身份证号码", "Identity number"),
    note=Text(
        "本列为文本格式，请勿改为数字，否则末几位会丢失", "Keep this column as text: as a number it loses digits"
    ),
)
PHONE = Column(key="phone", heading=Text("联系电话", "Phone"), note=Text("文本格式", "As text"))
STANDING = Column(
    key="standing",
    heading=Text("身份", "Standing"),
    note=Text("从下拉列表选择", "Choose from the list"),
    kind="choice",
    choices=STANDINGS,
)


def _flag(key: str, zh: str, en: str, note: str, note_en: str) -> Column:
    return Column(key=key, heading=Text(zh, en), note=Text(note, note_en), kind="flag", choices=FLAGS)


def _day(key: str, zh: str, en: str) -> Column:
    note = Text("如 2015-07-01；本区户籍者可不填", "Such as 2015-07-01; not needed with the household here")
    return Column(key=key, heading=Text(zh, en), note=note, kind="date")


RESIDENT = _flag("resident", "本区户籍", "Household here", "正式户籍是否在本区", "Household in the district")
WORKS_HERE = _flag("works_here", "本区工作", "Works here", "工作单位是否在本区", "Work place in the district")
INSURED = _day("insured_since", "医社保起始日", "Insured since")
CONTRACT = _day("contract_since", "劳动合同起始日", "Contract since")
MEMBER = _flag("union_member", "工会会员", "Union member", "是或否", "是 or 否")
HEALTHY = _flag("healthy", "身体健康", "Healthy", "按规程要求（证明或声明）", "As the regulation asks")
CONSENTED = _flag(
    "consented",
    "裁判长同意",
    "By consent",
    "不在报名表上，经裁判长同意上场；导入时不收录",
    "Not on the form; not imported",
)
"""Of the list of entries, not of the form: an entry form has nobody who came in so."""
PERSONNEL = Column(
    key="personnel_unit",
    heading=Text("人事隶属单位", "Personnel unit"),
    note=Text("仅双重领导关系人员填写", "Under double leadership only"),
)
