"""What is checked of a team as a whole: unit, teams of a unit, numbers, roster."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from shared.rules.entries.form import Check, Person, Rule, TeamEntry
from shared.rules.entries.terms import Terms

PAIRS = "_pairs"
"""Ends the name of an event of the roster that is counted in pairs."""


def unit(terms: Terms, entry: TeamEntry, others: Sequence[TeamEntry]) -> Iterator[Check]:
    """九: 各代表队限报一队; shandong-2023 六.2: 超过 150 人的单位可报两队."""
    rule = Rule("teams_per_unit", terms.teams_per_unit, "unit")
    if not entry.unit.strip():
        yield rule.broken("unit_missing", "未填单位", "the unit is missing")
        return
    most = terms.teams_per_unit.value
    same = sum(1 for other in others if other.unit.strip() == entry.unit.strip())
    which = max(same + 1, entry.number)
    if most is None or which <= most:
        yield rule.met(f"{entry.unit} 的第 {which} 队", f"team {which} of {entry.unit}")
    elif terms.large_units is None or terms.large_units.value is None or which > terms.large_units.value.teams:
        yield rule.broken("too_many_teams_of_unit", *_too_many(entry.unit, most, same))
    else:
        yield _large(terms, entry)


def _too_many(unit: str, most: int, same: int) -> tuple[str, str]:
    if not same:
        return f"每单位限报 {most} 队", f"a unit may enter {most}"
    return f"每单位限报 {most} 队，{unit} 已报 {same} 队", f"{unit} has entered {same} already; a unit may enter {most}"


def _large(terms: Terms, entry: TeamEntry) -> Check:
    assert terms.large_units is not None
    large, rule = terms.large_units.value, Rule("large_unit", terms.large_units, "retirees")
    if entry.retirees is None:
        zh = f"离退休人员超过 {large.above} 人的单位可报 {large.teams} 队，报名表未填人数，请核实"
        en = f"units with more than {large.above} retirees may enter {large.teams}; the form does not say how many"
        return rule.asks("retirees_missing", zh, en)
    if entry.retirees > large.above:
        zh = f"离退休人员 {entry.retirees} 人，可报 {large.teams} 队"
        return rule.met(zh, f"with {entry.retirees} retirees the unit may enter {large.teams}")
    zh = f"离退休人员 {entry.retirees} 人，未超过 {large.above} 人，限报 {terms.teams_per_unit.value} 队"
    en = f"{entry.retirees} retirees are not more than {large.above}: the unit enters {terms.teams_per_unit.value}"
    return rule.broken("too_many_teams_of_unit", zh, en)


def numbers(terms: Terms, entry: TeamEntry) -> Iterator[Check]:
    """九: 领队、教练员各 1 人，运动员2 人; zhongshan-2013 六（一）: 候补队员3至4名."""
    on_form = [player for player in entry.players if not player.consented]
    substitutes = sum(player.substitute for player in on_form)
    yield _players(terms, len(on_form) - substitutes)
    yield from _substitutes(terms, substitutes)
    leaders = Rule("leaders", terms.leaders_max, "leaders")
    coaches = Rule("coaches", terms.coaches_max, "coaches")
    yield _most(leaders, len(entry.leaders), "too_many_leaders", "领队", "leaders")
    yield _most(coaches, len(entry.coaches), "too_many_coaches", "教练员", "coaches")


def _players(terms: Terms, count: int) -> Check:
    least, most = terms.players_min, terms.players_max
    if count < least.value:
        zh = f"运动员 {count} 人，至少 {least.value} 人"
        en = f"players entered: {count}; at least {least.value} are needed"
        return Rule("players", least, "players").broken("too_few_players", zh, en)
    if count > most.value:
        zh = f"运动员 {count} 人，至多 {most.value} 人"
        en = f"players entered: {count}; at most {most.value} may be"
        return Rule("players", most, "players").broken("too_many_players", zh, en)
    return Rule("players", least, "players").met(f"运动员 {count} 人", f"players entered: {count}")


def _most(rule: Rule, count: int, code: str, zh: str, en: str) -> Check:
    most = rule.ruled.value
    if count > most:
        return rule.broken(code, f"{zh}至多 {most} 人", f"at most {most} {en} may be entered")
    return rule.met(f"{zh} {count} 人", f"{en} entered: {count}")


def _substitutes(terms: Terms, count: int) -> Iterator[Check]:
    """可报: a team may do without, and is told."""
    span, rule = terms.substitutes.value, Rule("substitutes", terms.substitutes, "players")
    if count > span.most:
        zh, en = (
            f"候补队员 {count} 人，至多 {span.most} 人",
            f"substitutes: {count}; at most {span.most} may be entered",
        )
        yield rule.broken("too_many_substitutes", zh, en)
    elif count < span.least:
        zh = f"候补队员 {count} 人，可报 {span.least} 至 {span.most} 人"
        yield rule.warns("few_substitutes", zh, f"substitutes: {count}; {span.least} to {span.most} may be entered")
    elif span.most:
        yield rule.met(f"候补队员 {count} 人", f"substitutes: {count}")


def roster(terms: Terms, entry: TeamEntry) -> Iterator[Check]:
    """zhongshan-2013 六（一）: “拖拉机”选手两对，象棋选手1至2名，围棋选手1至2名."""
    spans = terms.roster.value
    on_form = [(n, player) for n, player in enumerate(entry.players) if not player.consented]
    playing = [(n, player) for n, player in on_form if not player.substitute]
    for n, player in on_form if spans else ():
        if player.event not in spans and (player.event or not player.substitute):
            yield _no_event(Rule("roster", terms.roster, f"players[{n}].event"), player.event)
    for event, span in spans.items():
        in_event = [player for _, player in playing if player.event == event]
        rule = Rule(f"roster.{event}", terms.roster, "players")
        name, name_en = NAMES.get(event, (event, event))
        count = len(in_event)
        if event.endswith(PAIRS):
            if _uneven(in_event):
                zh, en = f"{name}：每对须为 2 人", f"{name_en}: each pair has two players"
                yield rule.broken("pair_incomplete", zh, en)
                continue
            count //= 2
        counted = f"{name} {count}，应为 {_span(span.least, span.most)}"
        counted_en = f"{name_en}: {count}, {_span(span.least, span.most, 'to')} are entered"
        if span.least <= count <= span.most:
            yield rule.met(f"{name} {count}", f"{name_en}: {count}")
        else:
            yield rule.broken("too_few_in_event" if count < span.least else "too_many_in_event", counted, counted_en)


def _no_event(rule: Rule, said: str) -> Check:
    allowed = "、".join(f"{event}（{EVENTS[event]}）" if event in EVENTS else event for event in rule.ruled.value)
    allowed_en = ", ".join(rule.ruled.value)
    if not said:
        zh, en = f"未填参赛项目，应为其中之一：{allowed}", f"the event is missing; it must be one of {allowed_en}"
        return rule.broken("event_missing", zh, en)
    zh, en = (
        f"没有参赛项目“{said}”，应为其中之一：{allowed}",
        f"there is no event {said!r}; it must be one of {allowed_en}",
    )
    return rule.broken("event_unknown", zh, en)


def fielded(players: Iterable[tuple[str, int | None]]) -> dict[str, int]:
    """By event of the roster how many play in it, of pairs how many pairs. players: of each the event, and in which
    pair there."""
    by_event: dict[str, list[int | None]] = {}
    for event, pair in players:
        by_event.setdefault(event, []).append(pair)
    return {event: len(set(pairs)) if event.endswith(PAIRS) else len(pairs) for event, pairs in by_event.items()}


def _uneven(players: Sequence[Person]) -> bool:
    return any(size != 2 for size in Counter(player.pair for player in players).values())


def _span(least: int, most: int, word: str = "至") -> str:
    return f"{least}" if least == most else f"{least} {word} {most}"


EVENTS = {"tractor_pairs": "拖拉机", "xiangqi": "象棋", "weiqi": "围棋"}
"""The events of a roster as a form has them."""

NAMES = {
    "tractor_pairs": ("拖拉机对数", "tractor pairs"),
    "xiangqi": ("象棋人数", "xiangqi players"),
    "weiqi": ("围棋人数", "weiqi players"),
}
"""The events of a roster in words."""


def repeated(terms: Terms, entry: TeamEntry) -> Iterator[Check]:
    """Two players are two persons (九: 运动员2人). A player may also lead or coach."""
    seen: set[str] = set()
    for n, player in enumerate(entry.players):
        if player.key in seen:
            rule = Rule("persons", terms.players_min, f"players[{n}]")
            yield rule.broken("same_person_twice", "同一人报名两次", "the same person is entered twice")
        seen.add(player.key)
