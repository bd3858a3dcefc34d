"""A pairing made by hand, checked by the rules that the engine keeps."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

from shared.rules.basis import Text
from shared.rules.errors import PairingRefused
from shared.rules.formats.competition import Competition
from shared.rules.formats.swiss.costs import RULES, measure
from shared.rules.formats.swiss.engine import Task, pairing_of, task_of
from shared.rules.formats.swiss.giving_up import GivenUp
from shared.rules.formats.swiss.matching import cheapest
from shared.rules.formats.swiss.paired import Pairing, Rule
from shared.rules.formats.swiss.sheet import Sheet
from shared.rules.regulations.preset import Preset


class HandPairing(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who meets whom, the first team of a pair to sit as pair 13, and who has the bye."""

    pairs: tuple[tuple[str, str], ...]
    bye: str | None = None


def pair_by_hand(preset: Preset, competition: Competition, seed: bytes, hand: HandPairing) -> Pairing:
    """The round as paired by hand. gave_up: every rule that another pairing keeps better, with the figures of both.

    Raises PairingRefused: what `pair` raises, and `bad_pairing` for a team that does not play, stands twice or is left
    out, a second team without an opponent, a forbidden pair, or a fixed one that is not made.
    """
    task = task_of(preset, competition, seed)
    _check(task, competition, hand)
    best = pairing_of(task, hand.pairs, hand.bye)
    worse = _worse(task.sheet, hand)
    known = dict(zip(best.gave_up, zip(best.why, best.proofs, strict=True), strict=True))
    lost = [GivenUp(rule, *known[rule]) for rule in best.gave_up if rule not in worse]
    lost = [*lost, *(GivenUp(rule, said, None) for rule, said in worse.items())]
    return Pairing(
        round=best.round,
        matches=best.matches,
        bye=best.bye,
        gave_up=tuple(loss.rule for loss in lost),
        why=tuple(loss.why for loss in lost),
        proofs=tuple(loss.proof for loss in lost),
    )


def _check(task: Task, competition: Competition, hand: HandPairing) -> None:
    named = [*(team for pair in hand.pairs for team in pair), *([hand.bye] if hand.bye is not None else [])]
    for team, times in Counter(named).items():
        if team not in task.lots:
            raise _bad(f"{team} does not play this round", f"{team} 本轮不参赛")
        if times > 1:
            raise _bad(f"{team} stands in it {times} times", f"{team} 出现 {times} 次")
    missing = [team for team in task.lots if team not in named]
    if missing:
        raise _bad(f"{', '.join(missing)} stand in no pair", f"{'、'.join(missing)} 未编入")
    if hand.bye is not None and len(task.lots) % 2 == 0:
        raise _bad("an even number of teams needs no bye", "参赛队数为双数，无须轮空")
    made = {frozenset(pair) for pair in hand.pairs}
    for pair in competition.forbidden:
        if frozenset(pair) in made:
            raise _bad(f"{' and '.join(pair)} may not meet", f"{' 对 '.join(pair)} 被禁止")
    for pair in task.fixed:
        if frozenset(pair) not in made:
            raise _bad(f"{' and '.join(pair)} are fixed", f"{' 对 '.join(pair)} 已被指定")


def _bad(en: str, zh: str) -> PairingRefused:
    return PairingRefused("bad_pairing", f"the pairing made by hand: {en}", f"手工编排：{zh}")


_RULES: tuple[tuple[Rule, str, str], ...] = (
    ("no_rematch", "重复相遇", "meetings repeated"),
    ("one_bye", "再次轮空", "second byes"),
    ("lowest_bye", "轮空队的积分", "points of the team with the bye"),
    ("least_floats", "积分差之和", "sum of the differences in points"),
    ("least_floats", "积分差平方之和", "sum of the squares of the differences in points"),
)


def _worse(sheet: Sheet, hand: HandPairing) -> dict[Rule, Text]:
    """The first rule that another pairing keeps better, and those that the hand's pairing keeps worse beside it."""
    index = {team: place for place, team in enumerate(sheet.teams)}
    pairs = [(index[one], index[two]) for one, two in hand.pairs if one in index]
    if hand.bye is not None:
        pairs.append((index[hand.bye], sheet.bye))
    own, best = measure(sheet, pairs), measure(sheet, cheapest(sheet))
    worse: dict[Rule, Text] = {}
    for place in range(RULES):
        rule, zh, en = _RULES[place]
        if own[place] > best[place] and rule not in worse:
            worse[rule] = Text(
                f"{zh}：手工编排为 {own[place]}，另有编排为 {best[place]}",
                f"{en}: {own[place]} by hand, and {best[place]} in another pairing",
            )
    return worse
