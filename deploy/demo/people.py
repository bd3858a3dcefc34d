"""Who takes part: units of the district, players with made-up names, and the people who act."""

from __future__ import annotations

from datetime import date
from random import Random

from msgspec import Struct

from shared.cli.language import language
from shared.web.identity import Identity

SURNAMES = "陈林黄张李王吴刘蔡杨许郑谢郭洪邱曾廖赖徐"
GIVEN = ("建国", "志强", "丽华", "秀兰", "文斌", "明辉", "雅琴", "海燕", "国平", "淑芬", "永福", "晓峰", "美玲", "金水")


class Unit(Struct, frozen=True):
    """A unit that enters: its name, and a short one for English tables."""

    name: str
    english: str

    @property
    def shown(self) -> str:
        return self.name if language() == "zh" else self.english

    @property
    def leader(self) -> str:
        """The account of its leader."""
        return f"leader-{self.english.lower().replace(' ', '-')}"


UNITS = (
    Unit("集美街道", "Jimei"),
    Unit("侨英街道", "Qiaoying"),
    Unit("杏林街道", "Xinglin"),
    Unit("杏滨街道", "Xingbin"),
    Unit("灌口镇", "Guankou"),
    Unit("后溪镇", "Houxi"),
    Unit("区教育局", "Education"),
    Unit("区卫健局", "Health"),
    Unit("区总工会", "Trade Union"),
    Unit("区税务局", "Taxation"),
    Unit("区城管局", "City Mgmt"),
    Unit("区水利局", "Water"),
)
LATE = Unit("区档案馆", "Archives")
COMMITTEE_UNIT = "区文体局"


class Form(Struct, frozen=True, kw_only=True):
    """An entry form: the unit and the body that is sent."""

    unit: Unit
    players: tuple[str, str]
    body: dict[str, object]


def forms(seed: str) -> list[Form]:
    """An entry form for every unit and the late one, last; two players each, no two of one name."""
    random = Random(f"people/{seed}")  # noqa: S311  made-up names
    names = [surname + given for surname in SURNAMES for given in GIVEN]
    random.shuffle(names)
    return [_form(unit, (names.pop(), names.pop()), random) for unit in (*UNITS, LATE)]


def _form(unit: Unit, players: tuple[str, str], random: Random) -> Form:
    members = [
        {
            "part": "player",
            "name": name,
            "born": date(random.randint(1960, 1995), random.randint(1, 12), 15).isoformat(),
        }
        for name in players
    ]
    leader = {"part": "leader", "name": players[0]}
    return Form(
        unit=unit, players=players, body={"unit": unit.name, "name": f"{unit.name}队", "members": [*members, leader]}
    )


BUREAU = Identity(sub="organiser-chen", role="organiser")
SECOND = Identity(sub="organiser-lin", role="organiser")
CHIEF = Identity(sub="chief-referee", role="referee", chief=True)
COMMITTEE = Identity(sub="committee-wu", role="committee")
AUDITOR = Identity(sub="auditor", role="auditor")
OPERATOR = Identity(sub="operator", role="operator")


def referee(table: int) -> Identity:
    """The referee of a table."""
    return Identity(sub=f"referee-{table}", role="referee")
