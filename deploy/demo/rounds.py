"""The Swiss rounds: paired, played hand by hand, penalised, timed, closed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from deploy.demo.client import Answer
from deploy.demo.failure import check
from deploy.demo.hands import Breach, Hand, shown
from deploy.demo.people import BUREAU, CHIEF, referee
from deploy.demo.plan import WITHDRAWN_AFTER, Fixture, RoundScript
from deploy.demo.results import check_standings
from deploy.demo.stage import Stage
from shared.cli.language import say
from shared.rules.shengji.penalties import price

WRONG_POINTS = 73
REFUSED_AT, REPEATED_AT = (1, 1, 2), (1, 2, 3)
"""Round, table and hand of the entry that is refused and of the one that is sent twice."""
EARLY_CLOSING = 3
"""The round that is closed too early first."""


@dataclass
class _Playing:
    """A round under way: the server's ids of its matches by table, and the notes to print below its table."""

    stage: Stage
    round: RoundScript
    matches: dict[int, str] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)

    def at(self, fixture: Fixture, rest: str = "") -> str:
        return self.stage.at("match", f"/matches/{self.matches[fixture.table]}{rest}")


@dataclass(frozen=True)
class Note:
    """Something that happened at a table; with a refusal where it had to be refused."""

    text: str
    refusal: Answer | None = None


def play_round(stage: Stage, script: RoundScript) -> Answer:
    """One round from pairing to standings. The answer is that of the closing."""
    number = script.number
    stage.show.begin(say(f"Round {number}", f"第 {number} 轮"))
    playing = _Playing(stage, script)
    _pair(playing)
    _play(playing)
    if number == EARLY_CLOSING:
        _close_too_early(playing)
    _call_time(playing)
    closed = stage.client.post(stage.at("match", f"/rounds/{number}/closings"), CHIEF)
    _check_results(playing, closed)
    _show(playing)
    _standings(playing, closed)
    if number == WITHDRAWN_AFTER:
        _withdraw(stage)
    return closed


def _pair(playing: _Playing) -> None:
    """The server's pairing must be the one that the rules make here."""
    stage, script = playing.stage, playing.round
    fact = stage.client.post(stage.at("match", "/rounds"), BUREAU).events[0]
    came = [(pairing["table"], tuple(pairing["teams"])) for pairing in fact["matches"]]
    check(f"pairing of round {script.number}", came, [(f.table, f.teams) for f in script.fixtures])
    check(f"bye of round {script.number}", fact["bye"], script.bye)
    check(f"rules given up in round {script.number}", fact["gave_up"], [])
    playing.matches = {pairing["table"]: pairing["match"] for pairing in fact["matches"]}


def _play(playing: _Playing) -> None:
    """All tables at once: the first hand everywhere, then the second, and so on."""
    for fixture in playing.round.fixtures:
        if fixture.absent:
            _forfeit(playing, fixture, fixture.absent)
    hands = [(fixture, hand) for fixture in playing.round.fixtures if fixture.played for hand in fixture.played.hands]
    for entries, (fixture, hand) in enumerate(sorted(hands, key=lambda pair: pair[1].number)):
        if struck := playing.stage.kills.strike(playing.round.number, entries):
            playing.notes.append(Note(struck))
        _enter(playing, fixture, hand)
        for breach in hand.breaches:
            _penalise(playing, fixture, breach)
        if fixture.played and fixture.played.summary.won_in == hand.number:
            _close_won(playing, fixture, hand)


def _enter(playing: _Playing, fixture: Fixture, hand: Hand) -> None:
    stage, path, who = playing.stage, playing.at(fixture, "/hands"), referee(fixture.table)
    body = _body(hand, hand.points if hand.misread is None else hand.misread)
    place = (playing.round.number, fixture.table, hand.number)
    if place == REFUSED_AT:
        refused = stage.client.refused(
            path, who, body | {"points": WRONG_POINTS}, slug="hand-is-impossible", status=422
        )
        check("the article that refuses", refused.body["article"], stage.preset.levels.point_step.article)
        playing.notes.append(
            Note(_at_hand(fixture, hand.number, f"{WRONG_POINTS} points", f"录入 {WRONG_POINTS} 分"), refused)
        )
    key = stage.client.key()
    entered = stage.client.post(path, who, body, key=key)
    if place == REPEATED_AT:
        _repeat(playing, fixture, hand, entered, key)
    if hand.misread is not None:
        _correct(playing, fixture, hand, hand.misread, entered)


def _body(hand: Hand, points: int) -> dict[str, Any]:
    return {
        "hand": hand.number,
        "dealer": hand.dealer,
        "points": points,
        "trump": hand.trump,
        "levels": hand.levels,
    }


def _repeat(playing: _Playing, fixture: Fixture, hand: Hand, first: Answer, key: str) -> None:
    """Bad reception: the phone sends again, and nothing happens twice."""
    stage, points = playing.stage, hand.points
    body = _body(hand, points)
    again = stage.client.post(playing.at(fixture, "/hands"), referee(fixture.table), body, key=key)
    check("the answer to the same key", (again.body, again.replayed), (first.body, True))
    hands = stage.client.get(playing.at(fixture), after=again).body["hands"]
    check("hands after the same key twice", len(hands), hand.number)
    text = _at_hand(
        fixture,
        hand.number,
        "sent twice by a phone with bad reception, counted once (Idempotent-Replayed)",
        "信号不好，手机重发一次，只记一次（Idempotent-Replayed）",
    )
    playing.notes.append(Note(text))


def _correct(playing: _Playing, fixture: Fixture, hand: Hand, misread: int, entered: Answer) -> None:
    reason = say("the score sheet says so", "以记分表为准")
    body = {name: value for name, value in _body(hand, hand.points).items() if name != "hand"} | {"reason": reason}
    path = playing.at(fixture, f"/hands/{hand.number}/corrections")
    playing.stage.client.post(path, referee(fixture.table), body, seen=entered.body["version"])
    text = _at_hand(
        fixture,
        hand.number,
        f"{misread} corrected to {hand.points} points: {reason}",
        f"{misread} 分更正为 {hand.points} 分：{reason}",
    )
    playing.notes.append(Note(text))


def _penalise(playing: _Playing, fixture: Fixture, breach: Breach) -> None:
    stage = playing.stage
    body: dict[str, Any] = {"hand": breach.hand, "pair": breach.pair, "code": breach.code}
    body["reason"] = say(breach.reason.en, breach.reason.zh)
    if breach.cards is not None:
        body["cards"] = breach.cards
    fact = stage.client.post(playing.at(fixture, "/penalties"), referee(fixture.table), body).events[-1]
    priced = price(stage.preset, breach.code, breach.cards)
    check(f"price of {breach.code}", (fact["points"], fact["article"]), (priced.points, priced.article))
    team = fixture.teams[0 if breach.pair == "13" else 1]
    check(f"the team charged with {breach.code}", fact["team"], team)
    en = f"{stage.name(team)} −{priced.points} ({priced.article}): {breach.reason.en}"
    zh = f"{stage.name(team)}罚 {priced.points} 分（{priced.article}）：{breach.reason.zh}"
    playing.notes.append(Note(_at_hand(fixture, breach.hand, en, zh)))


def _forfeit(playing: _Playing, fixture: Fixture, absent: str) -> None:
    stage = playing.stage
    reason = say("did not come", "未到场")
    body = {"absent": [absent], "reason": reason}
    stage.client.post(playing.at(fixture, "/forfeits"), referee(fixture.table), body)
    text = say(
        f"table {fixture.table}: {stage.name(absent)} did not come and forfeits",
        f"第 {fixture.table} 台：{stage.name(absent)}未到场，判负",
    )
    playing.notes.append(Note(text))


def _call_time(playing: _Playing) -> None:
    """The hour is over; what is still being played is decided by the levels reached."""
    stage, number = playing.stage, playing.round.number
    fact = stage.client.post(stage.at("match", f"/rounds/{number}/time-calls"), CHIEF).events[0]
    minutes = stage.preset.match.minutes
    check("the article of the round's time", fact["article"], minutes.article)
    for fixture in playing.round.fixtures:
        if fixture.played and not fixture.played.summary.won_by:
            _close(playing, fixture)
    en = f"time is called ({minutes.value} minutes, {minutes.article}): the higher level wins"
    zh = f"宣布时间到（{minutes.value} 分钟，{minutes.article}）：级数高者胜"
    playing.notes.append(Note(say(en, zh)))


def _close_won(playing: _Playing, fixture: Fixture, hand: Hand) -> None:
    """Who passes A has won; nobody waits for time."""
    _close(playing, fixture)
    winner = playing.stage.name(fixture.teams[0 if fixture.result.points[0] else 1])
    text = _at_hand(fixture, hand.number, f"{winner} passes A and wins at once", f"{winner}打过 A，当即获胜")
    playing.notes.append(Note(text))


def _close(playing: _Playing, fixture: Fixture) -> None:
    playing.stage.client.post(playing.at(fixture, "/closings"), referee(fixture.table))


def _close_too_early(playing: _Playing) -> None:
    path = playing.stage.at("match", f"/rounds/{playing.round.number}/closings")
    refused = playing.stage.client.refused(path, CHIEF, slug="open-matches")
    playing.notes.append(Note(say("the round is closed while tables play", "尚有未结束的比赛时结束本轮"), refused))


def _check_results(playing: _Playing, closed: Answer) -> None:
    """Points and levels of every match must be what the rules sum up here."""
    came = {
        r["table"]: (tuple(r["points"]), r["levels"] and tuple(r["levels"]), r["how"])
        for r in closed.events[0]["results"]
    }
    own = {f.table: (f.result.points, f.result.levels, f.result.how) for f in playing.round.fixtures}
    check(f"results of round {playing.round.number}", came, own)


def _show(playing: _Playing) -> None:
    stage, show = playing.stage, playing.stage.show
    columns = (
        say("Table", "台"),
        say("Pair 1·3", "一、三家"),
        say("Pair 2·4", "二、四家"),
        say("Hands", "副数"),
        say("Levels", "级数"),
        say("Points", "得分"),
        say("Decided by", "胜负"),
    )
    show.table(columns, [_row(stage, fixture) for fixture in playing.round.fixtures], right=(0, 3))
    if playing.round.bye:
        points = stage.preset.match.points.bye
        name = stage.name(playing.round.bye)
        show.did(
            say(
                f"{name} has the bye: {points.value} points ({points.article})",
                f"{name}轮空，得 {points.value} 分（{points.article}）",
            )
        )
    for note in playing.notes:
        if note.refusal is None:
            show.did(note.text)
        else:
            show.refused(note.text, note.refusal)


def _row(stage: Stage, fixture: Fixture) -> Sequence[str]:
    result, hands = fixture.result, len(fixture.played.hands) if fixture.played else 0
    return (
        str(fixture.table),
        *(f"{stage.numbers[team]:2} {stage.name(team)}" for team in fixture.teams),
        str(hands) if hands else "–",
        levels(result.levels),
        points(result.points),
        how(result.how),
    )


def levels(reached: Sequence[str] | None) -> str:
    """Two levels as a table shows them."""
    return " : ".join(shown(level) for level in reached) if reached else "–"


def briefly(reached: Sequence[str] | None) -> str:
    """The same inside a sentence."""
    return levels(reached).replace(" ", "")


def points(gained: Sequence[int]) -> str:
    """The points of both teams."""
    return " : ".join(str(one) for one in gained)


def how(decided: str) -> str:
    """What decided a match, in words."""
    words = {
        "passed_a": say("passed A", "打过A"),
        "level": say("level", "级数"),
        "equal": say("equal levels", "平级"),
        "forfeit": say("forfeit", "弃权"),
    }
    return words[decided]


def _standings(playing: _Playing, closed: Answer) -> None:
    stage, number = playing.stage, playing.round.number
    found = stage.client.get(stage.at("ranking", "/standings"), after=closed).body
    rows = check_standings(stage, found, number, closed)
    check("provisional", found["provisional"], True)
    leaders = say(", ", "，").join(f"{row.rank} {stage.name(row.team)} {row.total.shown}" for row in rows[:4])
    stage.show.proved(
        say(
            f"after round {number}, recomputed here, equal: {leaders} …",
            f"第 {number} 轮后名次（本机复算相同）：{leaders}……",
        )
    )


def _withdraw(stage: Stage) -> None:
    """A team leaves; it keeps its place in the standings and is not paired again."""
    team = stage.script.withdrawn
    reason = say("a player has fallen ill", "队员生病")
    body = {"team": team, "reason": reason}
    fact = stage.client.post(stage.at("match", "/withdrawals"), stage.leader(team), body).events[0]
    check("the first round without it", fact["from_round"], WITHDRAWN_AFTER + 1)
    text = say(
        f"{stage.name(team)} withdraws: {reason}; eleven teams play on", f"{stage.name(team)}退出：{reason}；余 11 队"
    )
    stage.show.did(text, stage.leader(team).sub)


def _at_hand(fixture: Fixture, hand: int, en: str, zh: str) -> str:
    return say(f"table {fixture.table} hand {hand}: {en}", f"第 {fixture.table} 台第 {hand} 副：{zh}")
