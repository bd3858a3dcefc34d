"""Who may play, article by article: met, not met, warned of, or for a person to confirm."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from shared.rules.entries import Check, Claimed, Person, TeamEntry, checks, terms
from shared.rules.entries.identity import resident
from shared.rules.entries.persons import full_years
from shared.rules.regulations import all_names, changed, load_any

JIMEI, ZHONGSHAN, SHANDONG, AHUT = (load_any(n) for n in ("jimei-2018", "zhongshan-2013", "shandong-2023", "ahut-2018"))
UNIT = "杏林街道"


def person(n: int, **more: Any) -> Person:
    return Person(**{"key": str(n), "born": dt.date(1980, 5, 1)} | more)


def entry(*players: Person, **more: Any) -> TeamEntry:
    return TeamEntry(**{"id": "e1", "unit": UNIT, "players": players} | more)


def looked(preset: Any, rule: str, sent: TeamEntry, **more: Any) -> list[Check]:
    return [check for check in checks(preset, sent, **more) if check.rule == rule]


def verdict(preset: Any, rule: str, player: Person, **of_unit: Any) -> tuple[str, str] | None:
    """Status and article of a rule for one player beside another of whom nothing is said."""
    found = [
        check
        for check in looked(preset, rule, entry(player, person(9), **of_unit))
        if check.field.startswith("players[0]")
    ]
    assert len(found) < 2
    return (found[0].status, found[0].article) if found else None


# jimei-2018 七


@pytest.mark.parametrize(
    ("resident", "works_here", "status"),
    [
        (True, None, "met"),
        (None, True, "met"),
        (False, True, "met"),
        (False, False, "not_met"),
        (False, None, "to_confirm"),
        (None, None, "to_confirm"),
    ],
)
def test_household_or_work_place_in_the_district(resident: bool | None, works_here: bool | None, status: str) -> None:
    """七.1: 正式户籍或工作单位在集美区的公民均可参加比赛."""
    assert verdict(JIMEI, "bond", person(1, resident=resident, works_here=works_here)) == (status, "七.1")


@pytest.mark.parametrize(
    ("since", "status"),
    [(dt.date(2017, 12, 31), "met"), (dt.date(2018, 1, 1), "not_met"), (None, "to_confirm")],
)
def test_without_the_household_insurance_and_contract_are_older_than_2018(since: dt.date | None, status: str) -> None:
    """七.1: 非集美户籍但工作单位在集美区，须在2018年1月1日前在本区缴交医社保; 七.6: 2018年1月1日前签订的劳动合同."""
    player = person(1, resident=False, works_here=True, insured_since=since, contract_since=since)
    assert verdict(JIMEI, "insured", player) == (status, "七.1")
    assert verdict(JIMEI, "contract", player) == (status, "七.6")


def test_with_the_household_no_insurance_is_asked_for() -> None:
    assert verdict(JIMEI, "insured", person(1, resident=True)) is None


@pytest.mark.parametrize("kind", ["institution", "enterprise"])
def test_staff_of_institutions_and_enterprises_show_it_in_any_case(kind: str) -> None:
    """七.6: 各事业（企业）单位的参赛员工，必须持有……劳动合同及缴交医社保证明."""
    player = person(1, resident=True, contract_since=dt.date(2018, 6, 1))
    assert verdict(JIMEI, "contract", player, unit_kind=kind) == ("not_met", "七.6")
    assert verdict(JIMEI, "contract", player, unit_kind="street") is None


@pytest.mark.parametrize("unit_kind", ["school", "enterprise", None])
def test_pupils_and_students_take_no_part(unit_kind: str | None) -> None:
    """七.2: 在校中小学生和职校学生、大学生不得参加任何项目比赛."""
    assert verdict(JIMEI, "student", person(1, standing="student"), unit_kind=unit_kind) == ("not_met", "七.2")


def test_a_school_enters_its_staff_alone() -> None:
    """七.2: 中央、省（市）属学校的参赛人员（成年组）必须是在校的教职员工."""
    found = {
        standing: verdict(JIMEI, "school", person(1, standing=standing), unit_kind="school")
        for standing in ("school_staff", "retired", "student", None)
    }
    assert found == {
        "school_staff": ("met", "七.2"),
        "retired": ("not_met", "七.2"),
        "student": ("not_met", "七.2"),
        None: ("to_confirm", "七.2"),
    }


def test_serving_soldiers_stand_for_nobody() -> None:
    """七.4: 现役军人不得代表任何单位参加."""
    assert verdict(JIMEI, "soldier", person(1, standing="soldier")) == ("not_met", "七.4")
    assert verdict(JIMEI, "soldier", person(1, standing="employee")) == ("met", "七.4")
    assert verdict(JIMEI, "soldier", person(1)) == ("to_confirm", "七.4")


def test_a_professional_athlete_plays_for_the_households_district_alone() -> None:
    """七.4: 户籍在集美区的现役专业运动员只能代表户籍所在地辖区参加比赛: which that is, a person must say."""
    assert verdict(JIMEI, "athlete", person(1, standing="athlete", resident=True)) == ("to_confirm", "七.4")
    assert verdict(JIMEI, "athlete", person(1, standing="athlete", resident=False)) == ("not_met", "七.4")
    assert verdict(JIMEI, "athlete", person(1, standing="employee", resident=False)) is None


def test_under_double_leadership_the_personnel_unit_comes_first() -> None:
    """七.3: 有双重领导关系的人员，优先代表人事隶属关系单位参加."""
    own, other = person(1, personnel_unit=UNIT), person(1, personnel_unit="区教育局")
    assert verdict(JIMEI, "double_leadership", own) == ("met", "七.3")
    assert verdict(JIMEI, "double_leadership", other) == ("to_confirm", "七.3")
    claims = {"1": Claimed(units=("区教育局",), events=1)}
    found = looked(JIMEI, "double_leadership", entry(other, person(2)), claims=claims)
    assert [check.status for check in found] == ["not_met"]


@pytest.mark.parametrize(("healthy", "status"), [(True, "met"), (False, "not_met"), (None, "to_confirm")])
def test_health_is_found_by_a_medical_department(healthy: bool | None, status: str) -> None:
    """七.1: 经医务部门检查证明身体健康合格."""
    assert verdict(JIMEI, "health", person(1, healthy=healthy)) == (status, "七.1")


def test_a_person_stands_for_one_unit() -> None:
    """七.5: 一名运动员只能代表一个单位参赛."""
    sent = entry(person(1), person(2))
    claims = {"1": Claimed(units=("灌口镇",), events=1), "2": Claimed(units=(UNIT,), events=1)}
    found = [(check.status, check.article) for check in looked(JIMEI, "one_unit", sent, claims=claims)]
    assert found == [("not_met", "七.5"), ("met", "七.5")]


@pytest.mark.parametrize(("events", "status"), [(0, "met"), (2, "met"), (3, "not_met"), (4, "not_met")])
def test_a_person_plays_in_three_events_at_most(events: int, status: str) -> None:
    """七.5: 每名运动员最多只能参加3个项目的比赛; this one is one of them."""
    claims = {"1": Claimed(units=(UNIT,), events=events)}
    found = looked(JIMEI, "events", entry(person(1), person(2)), claims=claims)
    assert [(check.status, check.article) for check in found] == [(status, "七.5"), ("met", "七.5")]


# 十二（报名）: the identity number. The examples are those of GB 11643-1999 (朝阳, a woman; 汕头, a man)


@pytest.mark.parametrize(
    ("number", "born", "sex", "status"),
    [
        ("11010519491231002X", dt.date(1949, 12, 31), "female", "met"),
        ("440524188001010014", dt.date(1880, 1, 1), "male", "met"),
        ("11010519491231002X", dt.date(1949, 12, 30), "female", "warning"),
        ("11010519491231002X", dt.date(1949, 12, 31), "male", "warning"),
        ("110105194912310021", dt.date(1949, 12, 31), "female", "warning"),
        ("H0123456789", dt.date(1949, 12, 31), "female", "to_confirm"),
        (None, dt.date(1949, 12, 31), "female", "to_confirm"),
    ],
    ids=["a woman's", "a man's", "another birth", "another sex", "a wrong check", "a permit", "none"],
)
def test_a_mistyped_identity_number_shows_itself(number: str | None, born: dt.date, sex: str, status: str) -> None:
    player = person(1, identity_number=number, born=born, sex=sex)
    assert verdict(JIMEI, "identity", player) == (status, "十二（报名）")


def test_a_number_whose_birth_is_no_date_is_not_sound() -> None:
    told = resident("110105194913310021")
    assert told is not None
    assert told.born is None


# zhongshan-2013 四, 六（一）


def team_of(*, pairs: int = 2, xiangqi: int = 1, weiqi: int = 1, substitutes: int = 3) -> TeamEntry:
    ids = iter(range(1, 100))
    players = [person(next(ids), event="tractor_pairs", pair=pair) for pair in range(1, pairs + 1) for _ in "ab"]
    players += [person(next(ids), event="xiangqi") for _ in range(xiangqi)]
    players += [person(next(ids), event="weiqi") for _ in range(weiqi)]
    players += [person(next(ids), substitute=True) for _ in range(substitutes)]
    return entry(*players)


def faults(sent: TeamEntry) -> list[tuple[str, str]]:
    return [(check.code, check.article) for check in checks(ZHONGSHAN, sent) if check.status == "not_met"]


@pytest.mark.parametrize("boards", [1, 2])
def test_two_pairs_and_one_or_two_at_each_board_are_a_team(boards: int) -> None:
    """六（一）: “拖拉机”选手两对，象棋选手1至2名，围棋选手1至2名."""
    assert faults(team_of(xiangqi=boards, weiqi=boards)) == []


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"pairs": 3, "xiangqi": 1, "weiqi": 1}, "too_many_in_event"),
        ({"pairs": 1, "xiangqi": 2, "weiqi": 2}, "too_few_in_event"),
        ({"xiangqi": 3, "weiqi": 1}, "too_many_in_event"),
        ({"xiangqi": 0, "weiqi": 2}, "too_few_in_event"),
        ({"substitutes": 5}, "too_many_substitutes"),
    ],
)
def test_another_roster_is_none(wrong: dict[str, int], code: str) -> None:
    assert faults(team_of(**wrong)) == [(code, "六（一）")]


def test_fewer_than_three_substitutes_are_warned_of() -> None:
    """六（一）: 每队可报候补队员3至4名: a team may do without."""
    assert [check.status for check in looked(ZHONGSHAN, "substitutes", team_of(substitutes=0))] == ["warning"]


def test_a_pair_has_two_players() -> None:
    sent = team_of()
    odd = [person(n, event="tractor_pairs", pair=pair) for n, pair in ((1, 1), (2, 1), (3, 1), (4, 2))]
    assert ("pair_incomplete", "六（一）") in faults(entry(*odd, *sent.players[4:]))


def test_a_player_says_in_which_event() -> None:
    sent = team_of()
    assert ("event_missing", "六（一）") in faults(entry(person(90), *sent.players))


@pytest.mark.parametrize(
    ("standing", "status"), [("employee", "met"), ("retired", "not_met"), ("other", "not_met"), (None, "to_confirm")]
)
def test_players_are_employed_by_the_hospital(standing: str | None, status: str) -> None:
    """四: 参赛运动员必须是本院在职职工、工会会员."""
    assert verdict(ZHONGSHAN, "bond", person(1, standing=standing)) == (status, "四")


@pytest.mark.parametrize(("preset", "article"), [(ZHONGSHAN, "四"), (AHUT, "一")], ids=["zhongshan", "ahut"])
def test_players_are_members_of_the_union(preset: Any, article: str) -> None:
    """四: 工会会员; ahut-2018 一: 队员须为工会会员."""
    found = [verdict(preset, "membership", person(1, union_member=member)) for member in (True, False, None)]
    assert found == [("met", article), ("not_met", article), ("to_confirm", article)]


def test_where_nothing_is_said_of_a_rule_it_is_not_checked() -> None:
    rules = {check.rule for check in checks(AHUT, entry(person(1), person(2)))}
    assert rules == {"teams_per_unit", "players", "leaders", "coaches", "one_unit", "membership"}


# shandong-2023 六, 七


@pytest.mark.parametrize(
    ("sex", "born", "status"),
    [
        ("male", dt.date(1963, 6, 13), "met"),  # 60 on the first day of play, 2023-06-13
        ("male", dt.date(1963, 6, 14), "not_met"),
        ("female", dt.date(1968, 6, 13), "met"),
        ("female", dt.date(1968, 6, 14), "not_met"),
        ("male", dt.date(1943, 6, 14), "met"),  # 79
        ("male", dt.date(1943, 6, 13), "warning"),  # 80
        ("female", dt.date(1943, 6, 13), "warning"),
        (None, dt.date(1965, 1, 1), "to_confirm"),  # 58: a woman may, a man may not
        (None, dt.date(1963, 6, 13), "met"),
        (None, dt.date(1968, 6, 14), "not_met"),
        ("male", None, "not_met"),
    ],
)
def test_men_of_sixty_and_women_of_fifty_five_generally_under_eighty(
    sex: str | None, born: dt.date | None, status: str
) -> None:
    """七.1: 男 60 周岁以上，女 55 周岁以上，一般要求在 80 周岁以下."""
    assert verdict(SHANDONG, "age", person(1, sex=sex, born=born)) == (status, "七.1")


def test_a_sound_identity_number_tells_the_sex_that_the_form_left_out() -> None:
    woman = person(1, born=dt.date(1949, 12, 31), identity_number="11010519491231002X")
    found = looked(SHANDONG, "age", entry(woman), first_day=dt.date(2005, 6, 1))  # 55
    assert [check.status for check in found] == ["met"]


def test_age_is_counted_on_the_competitions_own_first_day() -> None:
    player = person(1, sex="male", born=dt.date(1963, 6, 14))
    found = looked(SHANDONG, "age", entry(player), first_day=dt.date(2023, 6, 14))
    assert [check.status for check in found] == ["met"]


def test_who_was_born_on_the_29th_of_february_is_older_on_the_first_of_march() -> None:
    born = dt.date(1960, 2, 29)
    assert [full_years(born, dt.date(2019, *day)) for day in ((2, 28), (3, 1))] == [58, 59]
    assert full_years(born, dt.date(2020, 2, 29)) == 60


@pytest.mark.parametrize(
    ("number", "retirees", "status", "article"),
    [
        (1, None, "met", "六.1"),
        (2, 151, "met", "六.2"),
        (2, 150, "not_met", "六.2"),
        (2, None, "to_confirm", "六.2"),
        (3, 1000, "not_met", "六.1"),
    ],
)
def test_a_second_team_is_for_units_of_more_than_150_retirees(
    number: int, retirees: int | None, status: str, article: str
) -> None:
    """六.1: 各单位限报一个队; 六.2: 离退休人员超过 150 人的单位可报两队."""
    sent = entry(*(person(n) for n in range(4)), number=number, retirees=retirees)
    found = [c for c in checks(SHANDONG, sent) if c.rule in ("teams_per_unit", "large_unit")]
    assert [(check.status, check.article) for check in found] == [(status, article)]


def test_a_branch_may_enter_any_number_of_pairs() -> None:
    """ahut-2018 一 sets no limit (assumed)."""
    assert [c.status for c in looked(AHUT, "teams_per_unit", entry(person(1), person(2), number=40))] == ["met"]


# All regulations


@pytest.mark.parametrize("name", all_names())
def test_every_check_has_its_article_its_mark_and_both_languages(name: str) -> None:
    preset = load_any(name)
    rules = terms(preset)
    bare = [Person(key=str(n)) for n in range(rules.players_max.value + 1)]
    facts = person(1, standing="student", resident=False, works_here=False, union_member=False, healthy=False)
    for sent in (entry(*bare), entry(facts, facts), entry(unit=""), entry(*bare, number=9, unit_kind="school")):
        for check in checks(preset, sent, claims={"1": Claimed(units=("别处",), events=9)}):
            assert check.article
            assert check.zh != check.en
            assert check.zh
            assert check.en
            assert bool(check.code) is (check.status != "met")


def test_an_organisers_own_value_is_the_one_that_is_checked() -> None:
    own = changed(JIMEI, {"entry.eligibility.contract_before": "2019-01-01"})
    player = person(1, resident=False, contract_since=dt.date(2018, 6, 1))
    assert verdict(own, "contract", player) == ("met", "七.6")
