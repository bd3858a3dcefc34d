"""A hand record added up a second time: tricks, kitty, price and levels from the words of articles and rulings alone.

Slow and literal, over texts; nothing here is taken from the engine or a preset. What broke a rule is given, and this
says what it costs; see `test_second_reading.py`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tests.unit.rules.cards.naive import Cards, Rules
from tests.unit.rules.shengji_play.naive_play import is_beaten, lengths_of, trick_winner

WORTH = {"5": 5, "T": 10, "K": 10}
SEATS = (1, 2, 3, 4)


class Summed(NamedTuple):
    """tricks: winner and points of each; kitty: multiplier, points, side; card_points: the attackers' from tricks."""

    tricks: list[tuple[int, int]]
    kitty: tuple[int, int, str]
    card_points: int


class Price(NamedTuple):
    """points: of the penalty; also: what else; moves: whether the deal goes over, or the side that has it gains one."""

    points: int = 0
    also: tuple[str, ...] = ()
    moves: bool = False


def cards_of(play: Any) -> Cards:
    """What stood of a play."""
    return tuple((play if isinstance(play, str) else play["cards"]).split(" "))


def worth(cards: Cards) -> int:
    return sum(WORTH.get(card[1], 0) for card in cards if card[0] in "SHCD")


def dealer_side(record: dict[str, Any], seat: int) -> bool:
    return (seat - record["dealer"]) % 2 == 0


def rules_of(record: dict[str, Any]) -> Rules:
    return Rules(record["trump"], record["levels"]["13" if record["dealer"] % 2 else "24"])


def seated(record: dict[str, Any]) -> list[list[tuple[int, Cards]]]:
    """Each trick as seats and cards, in order of play; a seat without cards is passed over."""
    left = {int(seat): len(cards.split(" ")) for seat, cards in record["dealt"].items()}
    left[record["dealer"]] += len(record["kitty_dealt"].split(" ")) - len(record["kitty"].split(" "))
    found = []
    for trick in record["tricks"]:
        due = [seat for at in range(4) if left[seat := (trick["leader"] + at - 1) % 4 + 1]]
        plays = []
        for play in trick["plays"]:
            seat = play.get("seat", due[0]) if isinstance(play, dict) else due[0]
            due.remove(seat)
            plays.append((seat, cards_of(play)))
        for seat, cards in plays:
            left[seat] -= len(cards)
        found.append(plays)
    return found


def summed(regulation: str, record: dict[str, Any]) -> Summed:
    """Who won what. A lead of several suits wins its trick, since nobody can answer it."""
    rules, tricks, attackers = rules_of(record), [], 0
    for plays in seated(record):
        led = plays[0][1]
        mixed = len({rules.suit(card) for card in led}) > 1
        at = 0 if mixed else trick_winner(rules, [cards for _, cards in plays])
        points = sum(worth(cards) for _, cards in plays)
        attackers += 0 if dealer_side(record, plays[at][0]) else points
        tricks.append((plays[at][0], points))
    won_with = plays[at][1]
    kitty = worth(tuple(record["kitty"].split(" ")))
    if dealer_side(record, plays[at][0]):
        return Summed(tricks, (1, kitty, "dealers"), attackers)
    times = multiplier(regulation, max(lengths_of(rules, led)), {rules.suit(card) for card in won_with} == {"N"})
    return Summed(tricks, (times, kitty * times, "attackers"), attackers)


def multiplier(regulation: str, pairs: int, trump: bool) -> int:
    """jimei 十一.6: 单张翻倍, 对子4倍, 连对8倍, 三连16倍, then doubling; zhongshan 七（一）5: 主牌 2, 4, 张数乘2,
    副牌 1, 2, 张数;
    shandong 八.10: Y*2, Y*2*2n."""
    if regulation == "jimei-2018":
        return 2 ** (pairs + 1)
    if regulation == "zhongshan-2013":
        side = {0: 1, 1: 2}.get(pairs, 2 * pairs)
        return 2 * side if trump else side
    return 4 * pairs if pairs else 2


def gains(regulation: str, s: int) -> tuple[int, int, str]:
    """Dealer's gain, attackers' gain, who deals next."""
    if regulation == "jimei-2018":  # 十一.7
        if s < 80:
            return next(gain for most, gain in ((0, 5), (20, 4), (40, 3), (60, 2), (75, 1)) if s <= most), 0, "dealers"
        return 0, min((s - 80) // 20, 5), "attackers"
    if regulation == "zhongshan-2013":  # 七（一）3
        if s < 80:
            return 3 if s <= 0 else 2 if s < 40 else 1, 0, "dealers"
        return 0, (s - 80) // 40, "attackers"
    d = 200 - s  # 八.8
    if d > 120:
        return 3 if d == 200 else 2 if d >= 160 else 1, 0, "dealers"
    return 0, 0 if d > 80 else 2 if d > 0 else 3 + (s - 200) // 40, "attackers"


def priced(regulation: str, record: dict[str, Any], code: str, seat: int, trick: int, withheld: str | None) -> Price:
    """What the articles say it costs; shandong leaves every price to the referee (八.14) or has none."""
    if regulation == "shandong-2023":
        of_referee = code in ("revoke", "wrong_follow") and withheld != "tractor"  # 八.14(6), (7)
        return Price(also=("warning_or_match_points",) if of_referee else ())
    here = record["tricks"][trick - 1]
    place = [who for who, _ in seated(record)[trick - 1]].index(seat) if code not in ("kitty_size", "hand_size") else 0
    play = here["plays"][place]
    if regulation == "jimei-2018":
        return _jimei(record, code, here, play, place)
    return _zhongshan(record, code, seat, here, play, withheld)


def _jimei(record: dict[str, Any], code: str, trick: dict[str, Any], play: Any, place: int) -> Price:
    if code == "revoke":  # 十一.8⑨
        return Price(80)
    if code == "wrong_follow":  # ②: 按当次的出牌总张数乘以10
        return Price(10 * len(cards_of(play)))
    if code == "failed_throw":  # ③: 被卡总张数乘以10
        return Price(10 * sum(len(part) for part in beaten(record, play)))
    if code == "out_of_turn":  # ⑥: 每张牌10分; 越序引牌作为罚张处理
        return Price(10 * len(cards_of(play)), () if place else ("penalty_card",))
    if code in ("wrong_count", "hand_size"):  # ⑤: 多牌或少牌皆罚20分
        short = code == "wrong_count" and len(cards_of(play)) > len(cards_of(trick["plays"][0]))
        return Price(20, () if short else ("cards_drawn",))  # 单方少牌（多出牌），则打到无牌为止
    return Price(0, ("deal_lost",), moves=True) if code == "kitty_size" else Price()  # ④: 倒庄


def _zhongshan(
    record: dict[str, Any], code: str, seat: int, trick: dict[str, Any], play: Any, withheld: str | None
) -> Price:
    moved = Price(0, ("deal_lost" if dealer_side(record, seat) else "level_to_opponents",), moves=True)
    if code == "wrong_follow":
        return Price(10 * wrong_cards(record, seat, trick, play, withheld))
    if code == "failed_throw":  # 8: 甩牌者拿回多少张就扣×10分
        return Price(10 * (len(play["attempted"].split(" ")) - len(cards_of(play))))
    if code == "illegal_lead":  # 8: 在时限内每张10分; 7: 过后对手上庄
        return Price(10) if isinstance(play, dict) else moved
    return Price(0, ("warning",)) if code == "out_of_turn" else moved  # 6: 给予警告


def wrong_cards(record: dict[str, Any], seat: int, trick: dict[str, Any], play: Any, withheld: str | None) -> int:
    """少跟多少个，则扣牌数: both cards of a pair not followed; 花色不对按出错的张数: the cards not of the suit due."""
    rules, wrong = rules_of(record), tuple(play["corrected"].split(" "))
    led = cards_of(trick["plays"][0])
    suit, hand = rules.suit(led[0]), held(record, seat, record["tricks"].index(trick))
    own = [card for card in hand if rules.suit(card) == suit]
    if withheld == "suit":
        return min(len(led), len(own)) - sum(rules.suit(card) == suit for card in wrong)
    pairs = {card for card in own if own.count(card) > 1}
    given = {card for card in wrong if wrong.count(card) > 1}
    lengths = [length for length in lengths_of(rules, led) if length]
    if withheld == "pair":
        return 2 * (min(sum(lengths), len(pairs)) - len(given))
    longest = max(n for n in range(1, lengths[0] + 1) if any(rules.tractors(tuple(own), n)))
    missing = [len({*part} - given) for part in rules.tractors(tuple(own), longest)]
    return 2 * max(min(missing), 1)


def held(record: dict[str, Any], seat: int, before: int) -> list[str]:
    """A hand before a trick, counted from 0."""
    hand = record["dealt"][str(seat)].split(" ")
    if seat == record["dealer"]:
        hand += record["kitty_dealt"].split(" ")
        for card in record["kitty"].split(" "):
            hand.remove(card)
    for plays in seated(record)[:before]:
        for who, cards in plays:
            for card in cards if who == seat else ():
                hand.remove(card)
    return hand


def beaten(record: dict[str, Any], play: dict[str, Any]) -> list[Cards]:
    """The components of a throw that another hand beats."""
    rules = rules_of(record)
    number = next(at for at, trick in enumerate(record["tricks"]) if trick["plays"][0] is play)
    leader = record["tricks"][number]["leader"]
    others = [tuple(held(record, seat, number)) for seat in SEATS if seat != leader]
    thrown = tuple(play["attempted"].split(" "))
    parts = next(rules.divisions(thrown, sorted(lengths_of(rules, thrown), reverse=True)))
    return [part for part in parts if any(is_beaten(rules, part, other) for other in others)]


def levels(regulation: str, record: dict[str, Any], points: int, code: str, seat: int, moves: bool) -> tuple[Any, ...]:
    """Dealer's gain, attackers' gain and the deal of a hand with one breach. points: with kitty and penalty."""
    by_dealer = dealer_side(record, seat)
    mine, theirs, deal = gains(regulation, points)
    if regulation == "jimei-2018":
        if moves:  # 十一.8④: 做倒庄处理
            return 0, 0, "attackers"
        at_top = record["levels"]["24" if record["dealer"] % 2 else "13"] == "A"  # 防家必打级（A）该局不升级
        return mine, 0 if at_top else theirs, deal
    if regulation == "zhongshan-2013" and moves:
        if code == "kitty_size":  # 8: 按得分每满40分升1级，最多只能连升3级
            return 0, min(max(points, 0) // 40, 3), "attackers"
        return (mine, theirs, "attackers") if by_dealer else (mine + 1, theirs, deal)
    return mine, theirs, deal
