"""What is checked of each player. Leaders and coaches need no age and no household: the articles speak of 运动员."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from typing import Any

from shared.rules.basis import Ruled
from shared.rules.entries.form import Check, Claimed, Person, Rule, TeamEntry
from shared.rules.entries.identity import resident
from shared.rules.entries.terms import Terms

NOBODY = Claimed()

UNSAID = "报名表未填，请核实"
UNSAID_EN = "the form does not say"


def birth(terms: Terms, player: Person, at: str) -> Iterator[Check]:
    """八: both dates of the range are inside it; nobody needs a date where neither is set."""
    first, last = terms.born_from, terms.born_to
    if first is None or last is None or (first.value is None and last.value is None):
        return
    rule = Rule("birth", first, f"{at}.born")
    if player.born is None:
        yield rule.broken("birth_missing", "未填出生日期", "the date of birth is missing")
    elif first.value is not None and player.born < first.value:
        zh, en = f"出生日期应不早于 {first.value}", f"players must be born on or after {first.value}"
        yield rule.broken("born_too_early", zh, en)
    elif last.value is not None and player.born > last.value:
        zh, en = f"出生日期应不晚于 {last.value}", f"players must be born on or before {last.value}"
        yield Rule("birth", last, f"{at}.born").broken("born_too_late", zh, en)
    else:
        yield rule.met("出生日期在规定范围内", "born within the range")


def age(terms: Terms, player: Person, at: str) -> Iterator[Check]:
    """shandong-2023 七.1: 男 60 周岁以上，女 55 周岁以上，一般要求在 80 周岁以下, on the first day of play."""
    if terms.ages is None or terms.ages.value is None:
        return
    limits, rule = terms.ages.value, Rule("age", terms.ages, f"{at}.born")
    if player.born is None:
        yield rule.broken("birth_missing", "未填出生日期", "the date of birth is missing")
        return
    years = full_years(player.born, terms.first_day.value)
    least = {"male": limits.men, "female": limits.women}
    sex = player.sex or _told_sex(player)
    needed = least[sex] if sex else min(least.values())
    if years < needed:
        zh, en = f"比赛首日 {years} 周岁，须满 {needed} 周岁", f"{years} on the first day of play; {needed} are needed"
        yield rule.broken("too_young", zh, en)
    elif sex is None and years < max(least.values()):
        zh = f"比赛首日 {years} 周岁，未填性别（男 {limits.men}、女 {limits.women} 周岁以上），请核实"
        en = f"{years} on the first day of play, sex not stated (men {limits.men}, women {limits.women})"
        yield rule.asks("sex_missing", zh, en)
    elif years >= limits.confirm_from:
        zh = f"比赛首日 {years} 周岁；一般要求在 {limits.confirm_from} 周岁以下，须由主办方确认"
        en = f"{years} on the first day of play; generally under {limits.confirm_from}, the organiser must confirm"
        yield rule.warns("over_age", zh, en)
    else:
        yield rule.met(f"比赛首日 {years} 周岁", f"{years} on the first day of play")


def full_years(born: dt.date, day: dt.date) -> int:
    """Age in full years (周岁) on a day. Whoever was born on 29 February is a year older on 1 March of other years."""
    return day.year - born.year - ((day.month, day.day) < (born.month, born.day))


def _told_sex(player: Person) -> str | None:
    told = resident(player.identity_number or "")
    return told.sex if told is not None and told.sound else None


def bond(terms: Terms, player: Person, at: str) -> Iterator[Check]:
    """七.1: 正式户籍或工作单位在集美区的公民; zhongshan-2013 四: 在职职工. One of them is enough."""
    if terms.eligibility.bonds is None:
        return
    rule = Rule("bond", terms.eligibility.bonds, at)
    bonds = terms.eligibility.bonds.value
    held = {name: BONDS[name][0](player) for name in bonds}
    said, said_en = "或".join(BONDS[name][1] for name in bonds), " or ".join(BONDS[name][2] for name in bonds)
    if any(held.values()):
        name = next(name for name in bonds if held[name])
        yield rule.met(BONDS[name][1], BONDS[name][2])
    elif all(value is False for value in held.values()):
        yield rule.broken("no_bond", f"须为：{said}", f"needed: {said_en}")
    else:
        yield rule.asks("bond_unsaid", f"须为：{said}；{UNSAID}", f"needed: {said_en}; {UNSAID_EN}")


def _stands(*standings: str) -> Callable[[Person], bool | None]:
    return lambda player: None if player.standing is None else player.standing in standings


BONDS: dict[str, tuple[Callable[[Person], bool | None], str, str]] = {
    "household": (lambda player: player.resident, "本区户籍", "household in the district"),
    "work_place": (lambda player: player.works_here, "本区工作单位", "work place in the district"),
    "employee": (_stands("employee", "school_staff"), "本单位在职职工", "employed by the unit"),
    "retired": (_stands("retired"), "离退休人员", "retired"),
}
"""Each bond: whether a person has it, and its name."""


def papers(terms: Terms, entry: TeamEntry, player: Person, at: str) -> Iterator[Check]:
    """七.1, 七.6: insurance and contract before the day, without the household or for institutions and enterprises."""
    rules = terms.eligibility
    if must_show(terms, entry, player):
        yield from _before(terms.insured_before, "insured", player.insured_since, f"{at}.insured_since", *INSURED)
        yield from _before(rules.contract_before, "contract", player.contract_since, f"{at}.contract_since", *CONTRACT)


def must_show(terms: Terms, entry: TeamEntry, player: Person) -> bool:
    """Whether a player shows insurance and contract: without the household, or for the kinds of units named."""
    of = terms.eligibility.papers_of
    of_unit = of is not None and entry.unit_kind in of.value
    return of_unit or player.resident is False or (player.resident is None and bool(player.works_here))


INSURED = ("医社保", "insurance")
CONTRACT = ("劳动合同", "work contract")


def _before(ruled: Ruled[Any] | None, name: str, since: dt.date | None, at: str, zh: str, en: str) -> Iterator[Check]:
    """须在2018年1月1日前: that day itself is not before it."""
    if ruled is None or ruled.value is None:
        return
    rule = Rule(name, ruled, at)
    if since is None:
        yield rule.asks(
            f"{name}_unsaid", f"{zh}须早于 {ruled.value}；{UNSAID}", f"{en} before {ruled.value}; {UNSAID_EN}"
        )
    elif since < ruled.value:
        yield rule.met(f"{zh}自 {since}", f"{en} since {since}")
    else:
        zh, en = f"{zh}自 {since}，须早于 {ruled.value}", f"{en} since {since}; before {ruled.value} is needed"
        yield rule.broken(f"{name}_too_late", zh, en)


def standing(terms: Terms, entry: TeamEntry, player: Person, at: str) -> Iterator[Check]:
    """七.2: students barred, schools enter their staff; 七.4: serving soldiers and professional athletes."""
    rules, field = terms.eligibility, f"{at}.standing"
    barred = {
        "student": (rules.students, "学生", "students"),
        "soldier": (rules.soldiers, "现役军人", "serving soldiers"),
    }
    for who, (ruled, zh, en) in barred.items():
        if ruled is None:
            continue
        rule = Rule(who, ruled, field)
        if player.standing == who:
            yield rule.broken(f"{who}_barred", f"{zh}不得参加", f"{en} may not take part")
        elif player.standing is None:
            yield rule.asks("standing_unsaid", f"{zh}不得参加；{UNSAID}身份", f"{en} may not take part; {UNSAID_EN}")
        else:
            yield rule.met(f"不是{zh}", f"not among {en}")
    yield from _school(terms, entry, player, field)
    yield from _athlete(terms, player, field)


def _school(terms: Terms, entry: TeamEntry, player: Person, field: str) -> Iterator[Check]:
    if terms.eligibility.schools is None or entry.unit_kind != "school":
        return
    rule = Rule("school", terms.eligibility.schools, field)
    if player.standing is None:
        yield rule.asks("standing_unsaid", f"学校须派在校教职员工；{UNSAID}", f"a school enters its staff; {UNSAID_EN}")
    elif player.standing == "school_staff":
        yield rule.met("在校教职员工", "on the school's staff")
    else:
        yield rule.broken("not_school_staff", "学校的参赛人员须为在校教职员工", "a school enters its staff only")


def _athlete(terms: Terms, player: Person, field: str) -> Iterator[Check]:
    """The form does not say which district a unit stands for, so a person does."""
    if terms.eligibility.athletes is None or player.standing != "athlete":
        return
    rule = Rule("athlete", terms.eligibility.athletes, field)
    if player.resident is False:
        zh = "现役专业运动员只能代表户籍所在地，其户籍不在本区"
        yield rule.broken(
            "athlete_elsewhere", zh, "a professional athlete plays for the household's district, not here"
        )
    else:
        zh = "现役专业运动员只能代表户籍所在地辖区，请核实所代表的单位"
        yield rule.asks(
            "athlete_unit", zh, "a professional athlete plays for the household's district; is the unit of it?"
        )


def leadership(terms: Terms, entry: TeamEntry, player: Person, claimed: Claimed, at: str) -> Iterator[Check]:
    """七.3: 有双重领导关系的人员，优先代表人事隶属关系单位参加."""
    if terms.eligibility.double_leadership is None or not player.personnel_unit:
        return
    rule, first = (
        Rule("double_leadership", terms.eligibility.double_leadership, f"{at}.personnel_unit"),
        player.personnel_unit,
    )
    if first.strip() == entry.unit.strip():
        yield rule.met("代表人事隶属关系单位", "plays for the personnel unit")
    elif first in claimed.units:
        zh, en = f"人事隶属关系单位 {first} 已为其报名", f"the personnel unit {first} has entered this person"
        yield rule.broken("personnel_unit_first", zh, en)
    else:
        zh = f"人事隶属关系在 {first}，应优先代表该单位；请核实该单位不派其参赛"
        yield rule.asks(
            "personnel_unit_first", zh, f"the personnel unit {first} comes first; does it let this person go?"
        )


def health(terms: Terms, player: Person, at: str) -> Iterator[Check]:
    """七.1: 经医务部门检查证明身体健康合格; shandong-2023 七.2: 必须身体健康."""
    if terms.eligibility.health is None:
        return
    rule = Rule("health", terms.eligibility.health, f"{at}.healthy")
    if player.healthy is False:
        yield rule.broken("not_healthy", "须身体健康", "players must be in good health")
    elif player.healthy and rule.ruled.value == "declared":
        yield rule.met("已声明身体健康", "declared to be in good health")
    elif player.healthy:
        yield rule.met("已有医务部门健康证明", "found in good health")
    else:
        yield rule.asks("health_unsaid", f"须身体健康；{UNSAID}", f"players must be in good health; {UNSAID_EN}")


def membership(terms: Terms, player: Person, at: str) -> Iterator[Check]:
    """zhongshan-2013 四, ahut-2018 一: 工会会员."""
    if terms.membership is None:
        return
    rule = Rule("membership", terms.membership, f"{at}.union_member")
    if player.union_member is None:
        yield rule.asks("membership_unsaid", f"须为工会会员；{UNSAID}", f"union members only; {UNSAID_EN}")
    elif player.union_member:
        yield rule.met("工会会员", "a member of the union")
    else:
        yield rule.broken("no_member", "须为工会会员", "union members only")


def identity(terms: Terms, player: Person, at: str) -> Iterator[Check]:
    """十二（报名）: 第二代身份证. A number that was mistyped shows itself; another kind of document is for a person."""
    if terms.eligibility.identity is None:
        return
    rule = Rule("identity", terms.eligibility.identity, f"{at}.identity_number")
    if not player.identity_number:
        yield rule.asks("identity_missing", f"身份证号码：{UNSAID}", f"identity number: {UNSAID_EN}")
        return
    told = resident(player.identity_number)
    if told is None:
        yield rule.asks(
            "identity_other", "不是 18 位居民身份证号码，请核对证件", "not a resident's number of 18 characters"
        )
    elif not told.sound or told.born is None:
        yield rule.warns(
            "identity_unsound", "身份证号码校验不符，请核对", "the identity number's check character is wrong"
        )
    elif player.born is not None and told.born != player.born:
        yield rule.warns(
            "identity_birth", "身份证号码与出生日期不符，请核对", "the identity number tells another date of birth"
        )
    elif player.sex is not None and told.sex != player.sex:
        yield rule.warns("identity_sex", "身份证号码与性别不符，请核对", "the identity number tells another sex")
    else:
        yield rule.met("身份证号码相符", "the identity number fits")


def honesty(ruled: Ruled[Any], at: str) -> Iterator[Check]:
    """七.7: 严禁运动员资格弄虚作假、冒名顶替."""
    yield Rule("fraud", ruled, at).met("未发现弄虚作假、冒名顶替", "no fraud was found")


def elsewhere(terms: Terms, entry: TeamEntry, claimed: Claimed, at: str) -> Iterator[Check]:
    """七.5: 一名运动员只能代表一个单位参赛，每名运动员最多只能参加3个项目的比赛."""
    rule = Rule("one_unit", terms.units_per_player, at)
    units = [unit for unit in claimed.units if unit.strip() != entry.unit.strip()]
    if units:
        zh, en = f"已代表 {'、'.join(units)} 报名", f"is entered for {', '.join(units)} already"
        yield rule.broken("person_in_other_unit", zh, en)
    else:
        yield rule.met("只代表本单位", "plays for this unit alone")
    if terms.events_per_player is None or terms.events_per_player.value is None:
        return
    most, events = terms.events_per_player.value, claimed.events + 1
    rule = Rule("events", terms.events_per_player, at)
    if events > most:
        zh, en = (
            f"已报 {claimed.events} 项，至多 {most} 项",
            f"in {claimed.events} events already; at most {most} may be",
        )
        yield rule.broken("too_many_events", zh, en)
    else:
        yield rule.met(f"第 {events} 项，至多 {most} 项", f"event {events} of at most {most}")
