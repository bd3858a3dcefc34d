"""A refereed hand of 掼蛋 as people read it: rounds of play, breaches where they happened, who went out, the levels."""

from __future__ import annotations

from shared.cli.language import language, say
from shared.cli.sheet import Sheet, cited
from shared.cli.verdict_lines import close
from shared.rules.basis import Text
from shared.rules.guandan.levels import PAIRS
from shared.rules.guandan.record import Act, Record
from shared.rules.guandan.replay import Irregularity, Played, Replayed
from shared.rules.guandan.verdict import verdict
from shared.rules.regulations.guandan import GuandanEffect, GuandanPreset

KINDS = {
    "single": "单张",
    "pair": "对子",
    "triple": "三张",
    "full_house": "三带二",
    "straight": "顺子",
    "tube": "三连对",
    "plate": "钢板",
    "bomb": "炸弹",
    "straight_flush": "同花顺",
    "joker_bomb": "四王",
}
ALSO: dict[GuandanEffect, tuple[str, str]] = {
    "reminder": ("a reminder", "提醒"),
    "warning": ("warning", "警告"),
    "level_to_opponents": ("the opponents gain a level", "对方升一级"),
    "match_lost": ("the match is lost", "判负"),
    "disqualified": ("disqualified", "取消比赛资格"),
    "redeal": ("dealt again", "重发"),
}


def sheet(preset: GuandanPreset, record: Record, hand: Replayed) -> Sheet:
    """The sheet of a replayed hand."""
    made = Sheet()
    title = preset.title.zh if language() == "zh" else preset.title.en
    made.words(f"{title} ({preset.name})", bold=True)
    levels = ", ".join(f"{pair}: {level}" for pair, level in record.levels.items())
    own = record.levels[record.own]
    made.words(say(f"Level {own} of pair {record.own}; levels {levels}", f"打 {record.own} 的 {own}；级数 {levels}"))
    made.line()
    rounds: dict[int, list[str]] = {}
    for act, played in zip(record.plays, hand.acts, strict=True):
        rounds.setdefault(played.trick, []).append(_act(act, played) + " ")
    rest = list(hand.irregularities)
    for number, acts in rounds.items():
        made.row(f"{number:2}  ", acts, "")
        for breach in [one for one in rest if one.trick == number]:
            rest.remove(breach)
            _breach(made, preset, breach)
    for breach in rest:
        _breach(made, preset, breach)
    _end(made, preset, record, hand)
    return made


def _act(act: Act, played: Played) -> str:
    if act.cards is None:
        return f"{act.seat}:-"
    reading = played.reading
    kind = ""
    if reading is not None and reading.kind not in ("single", "pair"):
        kind = say(f"[{reading.kind}]", f"[{KINDS[reading.kind]}]")
    return f"{act.seat}:{act.cards}{kind}"


def _breach(made: Sheet, preset: GuandanPreset, breach: Irregularity) -> None:
    row = preset.penalties[breach.code]
    name = say(row.en or breach.code, row.zh or breach.code)
    costs = [say(*ALSO[cost]) for cost in breach.also]
    words = [say(f"seat {breach.seat}: {name}", f"{breach.seat} 号位：{name}")]
    words += [breach.cards] if breach.cards else []
    words += [f"[{cited(breach.article, breach.mark, breach.changed)}]", ", ".join(costs) or say("no price", "不罚")]
    made.words("! " + "; ".join(words), indent=4, fg="red", bold=True)


def _end(made: Sheet, preset: GuandanPreset, record: Record, hand: Replayed) -> None:
    made.line()
    order = " ".join(map(str, hand.finish)) or "-"
    made.words(say(f"Went out in the order {order}", f"出完次序 {order}"), bold=True)
    if not hand.complete:
        made.words(say("The record stops before the end of the hand.", "牌谱未记至该副牌结束。"))
    change, found = hand.level_change, verdict(preset, record, hand)
    close(
        made,
        found,
        record.levels,
        {pair: say(f"Pair {pair}", f"{pair} 方") for pair in PAIRS},
        lambda code: Text(preset.penalties[code].zh, preset.penalties[code].en),
    )
    if change is not None and found.won_by is None:
        made.words(say(f"The next hand is at the level of pair {change.own}.", f"下一副打 {change.own} 方的级。"))
    if not hand.irregularities:
        made.line(say("No irregularity found.", "未发现违规。"), fg="green")
