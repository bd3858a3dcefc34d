"""A refereed hand of 升级 as people read it: tricks with running points, breaches where they happened, the working."""

from __future__ import annotations

from collections.abc import Sequence

from shared.cli.language import language, say
from shared.cli.sheet import Sheet, cited, right
from shared.cli.verdict_lines import close
from shared.rules.basis import Text
from shared.rules.cards import write_cards
from shared.rules.regulations.preset import Preset
from shared.rules.shengji.deal import next_dealer
from shared.rules.shengji.facts import PAIRS, Pair, other, pair_of
from shared.rules.shengji.irregularities import Irregularity
from shared.rules.shengji.levels import Side
from shared.rules.shengji.points import card_points, points_of
from shared.rules.shengji.record import Play, Trick, cards_at, cards_of
from shared.rules.shengji.replay import PlayedTrick, Replayed
from shared.rules.shengji.told import points_told
from shared.rules.shengji.verdict import verdict

SUITS = {"S": "♠", "H": "♥", "C": "♣", "D": "♦", "N": ""}

ALSO = {
    "deal_lost": ("the deal is lost", "倒庄（下台）"),
    "level_to_opponents": ("the opponents gain a level", "对方升一级"),
    "random_card_back": ("a card is drawn back", "抽回一张"),
    "cards_drawn": ("the cards are put right by drawing", "抽牌补足或退回"),
    "penalty_card": ("the card becomes a penalty card", "作为罚张"),
    "warning": ("warning", "警告"),
    "reshuffle": ("shuffled and dealt again", "重洗重抓"),
    "match_points": ("match points", "失场分"),
    "warning_or_match_points": ("the referee decides: warning or match points", "由裁判定：警告或扣场分"),
}
WITHHELD = {
    "suit": ("suit withheld", "有花色未跟"),
    "pair": ("pair withheld", "有对未跟"),
    "tractor": ("tractor withheld", "有拖拉机未跟"),
}


def sheet(preset: Preset, hand: Replayed) -> Sheet:
    """The sheet of a replayed hand."""
    made = Sheet()
    _head(made, preset, hand)
    rest = list(hand.irregularities)
    for number, (trick, played) in enumerate(zip(hand.record.tricks, hand.tricks, strict=True), 1):
        _trick(made, hand, number, trick, played)
        for breach in [one for one in rest if one.trick == number]:
            rest.remove(breach)
            _breach(made, breach)
    for breach in rest:
        _breach(made, breach)
    _working(made, preset, hand)
    return made


def _head(made: Sheet, preset: Preset, hand: Replayed) -> None:
    record = hand.record
    title = preset.title.zh if language() == "zh" else preset.title.en
    made.words(f"{title} ({preset.name})", bold=True)
    trump = SUITS[record.trump] or say("no trumps", "无将")
    levels = ", ".join(f"{pair}: {level}" for pair, level in record.levels.items())
    made.words(
        say(
            f"Dealer {record.dealer}, level {record.dealer_level}, trumps {trump} ({record.trump}); levels {levels}",
            f"庄家 {record.dealer}，打 {record.dealer_level}，将牌 {trump}（{record.trump}）；级数 {levels}",
        )
    )
    for shown in record.declarations:
        made.line(say(f"Seat {shown.seat} showed {shown.cards}", f"{shown.seat} 号位亮 {shown.cards}"))
    made.line()
    made.row(
        say(" #  ", "圈  "), [say("plays, * wins", "出牌，* 为赢家")], _tail(say("points", "分"), say("total", "累计"))
    )


def _tail(points: str, total: str) -> str:
    return right(points, 9) + right(total, 6)


def _trick(made: Sheet, hand: Replayed, number: int, trick: Trick, played: PlayedTrick) -> None:
    plays = []
    for seat, play in zip(played.seats, trick.plays, strict=True):
        text = cards_of(play)
        shown = write_cards(hand.order.sorted(cards_at(text, "plays"))) if text else "-"
        plays.append(f"{seat}:{shown}{'*' if seat == played.winner else ''}" + _taken_back(play) + " ")
    gained = played.winner is not None and (played.winner - hand.record.dealer) % 2
    tail = _tail(f"{'+' if gained and played.points else ''}{played.points}", str(played.attacker_points))
    made.row(f"{number:2}  ", plays, tail)


def _taken_back(play: str | Play) -> str:
    text = None if isinstance(play, str) else play.attempted or play.corrected
    return f" ({say('took back', '收回')} {text})" if text else ""


def _breach(made: Sheet, breach: Irregularity) -> None:
    name = breach.name.zh if language() == "zh" else breach.name.en
    words = [say(f"seat {breach.seat}: {name}", f"{breach.seat} 号位：{name}")]
    if breach.withheld:
        words.append(say(*WITHHELD[breach.withheld]))
    if breach.cards:
        words.append(breach.cards)
    if breach.discovered_at is None:
        words.append(say("never seen in the record", "牌谱中未显露"))
    elif breach.discovered_at != breach.trick:
        words.append(say(f"seen in trick {breach.discovered_at}", f"第 {breach.discovered_at} 圈显露"))
    words.append(f"[{cited(breach.article, breach.mark, breach.changed)}]")
    words.append(_price(breach))
    made.words("! " + "; ".join(words), indent=4, fg="red", bold=True)


def _price(breach: Irregularity) -> str:
    costs = [say(f"{breach.penalty_points} points", f"罚 {breach.penalty_points} 分")] if breach.penalty_points else []
    costs += [say(*ALSO.get(cost, (cost, cost))) for cost in breach.also]
    if breach.lost:
        costs.append(say(f"{points_told(breach.lost)} lost", f"失 {points_told(breach.lost)} 分"))
    if breach.compensation:
        given = points_told(breach.compensation)
        costs.append(say(f"{given} to the opponents", f"补偿对方 {given} 分"))
    return ", ".join(costs) or say("no price", "不罚分")


def _working(made: Sheet, preset: Preset, hand: Replayed) -> None:
    made.line()
    if not hand.complete:
        made.words(say("The record stops before the end of the hand.", "牌谱未记至该副牌结束。"))
    terms = [say(f"tricks {hand.card_points}", f"牌分 {hand.card_points}")]
    if hand.kitty is not None:
        terms.append(_kitty(made, preset, hand))
    terms += _penalties(preset, hand)
    made.words(
        say("Attackers: ", "防家得分：")
        + " ".join(terms)
        + say(f" = {hand.attacker_points}", f" ＝ {hand.attacker_points}"),
        bold=True,
    )
    _levels(made, preset, hand)
    if not hand.irregularities:
        made.line(say("No irregularity found.", "未发现违规。"), fg="green")


def _kitty(made: Sheet, preset: Preset, hand: Replayed) -> str:
    kitty, cards = hand.kitty, hand.kitty_cards or ()
    assert kitty is not None
    points = points_of(card_points(preset), cards)
    made.words(say("Kitty: ", "底牌：") + write_cards(hand.order.sorted(cards)))
    if kitty.to == "dealers":
        made.words(say(f"The dealer side keeps its {points} points.", f"庄家方保底，底牌 {points} 分归庄家方。"))
        return say("+ kitty 0", "＋ 底牌 0")
    return say(f"+ kitty {points} × {kitty.multiplier}", f"＋ 底牌 {points}×{kitty.multiplier}")


def _penalties(preset: Preset, hand: Replayed) -> Sequence[str]:
    if preset.claims.penalty_sign.value != "against_offender":
        return []
    terms = []
    for breach in hand.irregularities:
        if breach.penalty_points:
            sign = "-" if (breach.seat - hand.record.dealer) % 2 else "+"
            name = breach.name.zh if language() == "zh" else breach.name.en
            terms.append(f"{sign} {breach.penalty_points} ({name})")
    return terms


def _levels(made: Sheet, preset: Preset, hand: Replayed) -> None:
    """How the levels add up, and who deals next."""
    change, found = hand.level_change, verdict(hand)
    dealers = pair_of(hand.record.dealer)
    names = {dealers: say("Dealer side", "庄家方"), other(dealers): say("Attackers", "防家")}
    close(
        made,
        found,
        hand.record.levels,
        {pair: f"{names[pair]} {pair}" for pair in PAIRS},
        lambda code: Text(preset.penalties[code].zh, preset.penalties[code].en),
    )
    if change is not None and found.won_by is None:
        dealer, side = next_dealer(preset, hand.record.dealer, change.deal), names[_pair(change.deal, dealers)]
        made.words(say(f"The deal goes to the {side.lower()}, seat {dealer}.", f"下一副由{side} {dealer} 号位坐庄。"))


def _pair(side: Side, dealers: Pair) -> Pair:
    return dealers if side == "dealers" else other(dealers)
