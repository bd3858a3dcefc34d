"""What a pairing gives up of the rules, and why no pairing keeps it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from shared.rules.basis import Text
from shared.rules.formats.history import Field
from shared.rules.formats.swiss import proof
from shared.rules.formats.swiss.paired import Barrier, Rule
from shared.rules.formats.swiss.sheet import Sheet, byes, meetings

Pair = tuple[str, str]


class GivenUp(Struct, frozen=True):
    """A rule that is not kept, why, and the proof; None where the sentence is the proof."""

    rule: Rule
    why: Text
    proof: Barrier | None


def given_up(
    field: Field, sheet: Sheet, pairs: Sequence[Pair], fixed: Sequence[Pair], bye: str | None
) -> list[GivenUp]:
    """What the best pairing gives up, in the order of the rules."""
    draws, lost = field.preset.draws, []
    again = [pair for pair in pairs if pair[1] in meetings(field, pair[0])]
    if again and draws.no_rematch.value:
        lost.append(_rematch(field, sheet, again, fixed))
    if bye is not None and byes(field, bye) and draws.one_bye.value:
        lost.append(_second_bye(sheet, bye))
    return lost


def _rematch(field: Field, sheet: Sheet, again: Sequence[Pair], fixed: Sequence[Pair]) -> GivenUp:
    ordered = [pair for pair in again if pair in fixed]
    forced = [pair for pair in again if pair not in fixed]
    zh, en, shown = [], [], None
    for pair in ordered:
        order = _order(field, pair)
        zh.append(f"{'-'.join(pair)} 由组织者指定{order.zh}")
        en.append(f"{'-'.join(pair)} fixed by the organiser{order.en}")
    if forced:
        names = ", ".join("-".join(pair) for pair in forced)
        shown = proof.against_no_rematch(sheet)
        said = said_of(shown)
        zh.append(f"{said.zh}{names} 再次相遇：参赛各队的任何编排都至少有 {len(forced)} 场重复")
        en.append(f"{said.en}{names} meet again: any pairing of the teams that play repeats at least {len(forced)}")
    return GivenUp("no_rematch", Text("；".join(zh), "; ".join(en)), shown)


def _second_bye(sheet: Sheet, bye: str) -> GivenUp:
    shown = proof.against_one_bye_at_all(sheet) or proof.against_one_bye(sheet)
    said = said_of(shown)
    return GivenUp(
        "one_bye",
        Text(
            f"{said.zh}{bye} 再次轮空：不重复相遇次数更少的编排中，轮空者都已轮空过",
            f"{said.en}{bye} has another bye: every pairing with no more repeated meetings gives one to a team that "
            "had one",
        ),
        shown,
    )


def _order(field: Field, pair: Pair) -> Text:
    """Who ordered a fixed pair, and why, where the file says it."""
    for order in field.competition.orders:
        if set(order.teams) == set(pair):
            return Text(f"（{order.by}：{order.why}）", f" ({order.by}: {order.why})")
    return Text("", "")


def said_of(shown: Barrier | None) -> Text:
    """The barrier as the reason in front of what follows from it; nothing where there is none."""
    if shown is None:
        return Text("", "")
    without, groups = _names(shown.without), " | ".join(_names(group) for group in shown.groups)
    count, few = len(shown.groups), len(shown.without)
    if not few:
        zh = f"{count} 组奇数队互不能相遇：{groups}，所以 "
        en = f"{count} groups of odd size cannot meet each other ({groups}), so "
    else:
        zh = f"除去 {without}，{count} 组奇数队互不能相遇：{groups}，而除去的只有 {few}，所以 "
        en = f"without {without} (only {few}) {count} groups of odd size cannot meet each other ({groups}), so "
    return Text(zh, en)


def _names(teams: Sequence[str | None]) -> str:
    return " ".join(team if team is not None else "—" for team in teams)
