"""What is wrong with a team's entry (jimei-2018 七, 八, 九): a list of findings, empty for an entry that may stand."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from msgspec import Struct

from shared.rules.basis import Mark, Ruled
from shared.rules.regulations.preset import Preset

FindingCode = Literal[
    "too_few_players",
    "too_many_players",
    "too_many_leaders",
    "too_many_coaches",
    "birth_missing",
    "born_too_early",
    "born_too_late",
    "same_person_twice",
    "person_in_other_unit",
    "too_many_teams_of_unit",
    "unit_missing",
]


class Person(Struct, frozen=True, kw_only=True):
    """A person of an entry. key: what tells persons apart (identity number, or a digest of it)."""

    key: str
    name: str = ""
    born: dt.date | None = None


class TeamEntry(Struct, frozen=True, kw_only=True):
    """A team's entry as sent. id: tells this entry from the others of the competition."""

    id: str
    unit: str
    players: tuple[Person, ...]
    leaders: tuple[Person, ...] = ()
    coaches: tuple[Person, ...] = ()


class Finding(Struct, frozen=True, kw_only=True):
    """One thing wrong. field: dotted path into the entry (`players[1].born`); zh, en: for the team leader's screen."""

    field: str
    code: FindingCode
    article: str
    mark: Mark
    zh: str
    en: str


def findings(preset: Preset, entry: TeamEntry, others: Sequence[TeamEntry] = ()) -> list[Finding]:
    """Everything wrong with the entry, in the order of its fields.

    others: the standing entries of the other teams; the entry's own id among them is passed over. Whether it came
    before the deadline is `deadlines.in_time`.
    """
    rest = [other for other in others if other.id != entry.id]
    return [
        *_unit(preset, entry, rest),
        *_numbers(preset, entry),
        *_ages(preset, entry),
        *_repeated(preset, entry),
        *_elsewhere(preset, entry, rest),
    ]


def _found(rule: Ruled[Any], field: str, code: FindingCode, zh: str, en: str) -> Finding:
    return Finding(field=field, code=code, article=rule.article, mark=rule.mark, zh=zh, en=en)


def _unit(preset: Preset, entry: TeamEntry, others: Sequence[TeamEntry]) -> Iterator[Finding]:
    rule = preset.entry.teams_per_unit
    if not entry.unit.strip():
        yield _found(rule, "unit", "unit_missing", "未填单位", "the unit is missing")
        return
    same = sum(1 for other in others if other.unit.strip() == entry.unit.strip())
    if same >= rule.value:
        zh = f"每单位限报 {rule.value} 队，{entry.unit} 已报 {same} 队"
        en = f"{entry.unit} has entered {same} already; a unit may enter {rule.value}"
        yield _found(rule, "unit", "too_many_teams_of_unit", zh, en)


def _numbers(preset: Preset, entry: TeamEntry) -> Iterator[Finding]:
    terms, players = preset.entry, len(entry.players)
    if players < terms.players_min.value:
        zh = f"运动员 {players} 人，至少 {terms.players_min.value} 人"
        en = f"players entered: {players}; at least {terms.players_min.value} are needed"
        yield _found(terms.players_min, "players", "too_few_players", zh, en)
    if players > terms.players_max.value:
        zh = f"运动员 {players} 人，至多 {terms.players_max.value} 人"
        en = f"players entered: {players}; at most {terms.players_max.value} may be"
        yield _found(terms.players_max, "players", "too_many_players", zh, en)
    if len(entry.leaders) > terms.leaders_max.value:
        zh, en = f"领队至多 {terms.leaders_max.value} 人", f"at most {terms.leaders_max.value} leaders may be entered"
        yield _found(terms.leaders_max, "leaders", "too_many_leaders", zh, en)
    if len(entry.coaches) > terms.coaches_max.value:
        zh, en = f"教练员至多 {terms.coaches_max.value} 人", f"at most {terms.coaches_max.value} coaches may be entered"
        yield _found(terms.coaches_max, "coaches", "too_many_coaches", zh, en)


def _ages(preset: Preset, entry: TeamEntry) -> Iterator[Finding]:
    """Both dates of the range are inside it. Leaders and coaches need no age, nobody does where neither date is set."""
    first, last = preset.entry.born_from, preset.entry.born_to
    if first.value is None and last.value is None:
        return
    for index, player in enumerate(entry.players):
        field = f"players[{index}].born"
        if player.born is None:
            yield _found(first, field, "birth_missing", "未填出生日期", "the date of birth is missing")
        elif first.value is not None and player.born < first.value:
            zh, en = f"出生日期应不早于 {first.value}", f"players must be born on or after {first.value}"
            yield _found(first, field, "born_too_early", zh, en)
        elif last.value is not None and player.born > last.value:
            zh, en = f"出生日期应不晚于 {last.value}", f"players must be born on or before {last.value}"
            yield _found(last, field, "born_too_late", zh, en)


def _repeated(preset: Preset, entry: TeamEntry) -> Iterator[Finding]:
    """Two players are two persons (九: 运动员2人). A player may also lead or coach."""
    seen: set[str] = set()
    for index, player in enumerate(entry.players):
        if player.key in seen:
            zh, en = "同一人报名两次", "the same person is entered twice"
            yield _found(preset.entry.players_min, f"players[{index}]", "same_person_twice", zh, en)
        seen.add(player.key)


def _elsewhere(preset: Preset, entry: TeamEntry, others: Sequence[TeamEntry]) -> Iterator[Finding]:
    """七.5: 一名运动员只能代表一个单位参赛."""
    rule = preset.entry.units_per_player
    units: dict[str, set[str]] = {}
    for other in others:
        for player in other.players:
            units.setdefault(player.key, set()).add(other.unit)
    for index, player in enumerate(entry.players):
        known = sorted(units.get(player.key, ()))
        if known:
            zh, en = f"已代表 {'、'.join(known)} 报名", f"is entered for {', '.join(known)} already"
            yield _found(rule, f"players[{index}]", "person_in_other_unit", zh, en)
