"""After the last round: standings, an appeal from its draft to its ruling, and what it changed."""

from __future__ import annotations

from typing import Any

from rich.text import Text

from deploy.demo.client import Answer
from deploy.demo.failure import check
from deploy.demo.hands import MARKS, shown
from deploy.demo.people import AUDITOR, BUREAU, COMMITTEE, COMMITTEE_UNIT, SECOND, referee
from deploy.demo.plan import Fixture
from deploy.demo.results import check_standings
from deploy.demo.rounds import briefly, levels, points
from deploy.demo.stage import Stage
from shared.cli.language import say
from shared.rules.formats.standings import Row, name_of

DEPOSIT_FEN = 50_000


def final_standings(stage: Stage, closed: Answer) -> int:
    """The standings after the last round, provisional, with their working. The answer is the position of match that
    they rest on."""
    stage.show.begin(say("Standings after the last round, provisional", "末轮后的名次（暂定）"))
    found = stage.client.get(stage.at("ranking", "/standings"), after=closed).body
    rows = check_standings(stage, found, len(stage.script.rounds), closed)
    check("standings as the script has them before the appeal", rows, list(stage.script.before))
    show_working(stage, rows)
    stage.show.proved(
        say("recomputed here from the results: equal to the last digit", "由各场结果在本机复算：完全相同")
    )
    reasons = sorted({reason["code"] for reason in found["reasons"]})
    check("why they are provisional", reasons, ["appeal_window_open", "places_not_declared"])
    hours = stage.preset.appeals.window_hours
    stage.show.did(
        say(
            f"provisional: appeals are in time for {hours.value} hours ({hours.article}), places are not declared",
            f"暂定：{hours.value} 小时内可申诉（{hours.article}），名次尚未公布",
        )
    )
    return int(found["rests_on"]["match"])


def show_working(stage: Stage, rows: list[Row]) -> None:
    """The table of 总得分, with what decided each place."""
    columns = (
        say("", "名次"),
        say("Team", "队伍"),
        say("Total 总得分 = P + S÷(M/2) − R", "总得分 = P + S÷(M/2) − R"),
        say("Cumul.", "累进分"),
        say("Decided by", "区分依据"),
    )
    cells = [
        (
            str(row.rank),
            f"{stage.numbers[row.team]:2} {stage.name(row.team)}",
            row.total.working,
            str(row.cumulative),
            _decided(stage, row),
        )
        for row in rows
    ]
    stage.show.table(columns, cells, right=(0, 3))


def _decided(stage: Stage, row: Row) -> str:
    if row.decided_by is None:
        return ""
    name = name_of(stage.preset, row.decided_by)
    return say(name.en, name.zh)


def appeal(stage: Stage, closed: Answer) -> Answer:
    """The penalised team appeals and is upheld; `closed` is the closing of the round. The answer is the decision's."""
    stage.show.begin(say("An appeal: a revoke that was none", "申诉：误判的藏张"))
    fixture, dispute = stage.script.disputed
    match = match_of(stage, fixture)
    team = fixture.teams[0 if dispute.wrong.pair == "13" else 1]
    penalty = _the_penalty(stage, match)
    id = _lodged(stage, match, team, penalty, closed)
    return _decided_upheld(stage, id, penalty)


def match_of(stage: Stage, fixture: Fixture) -> str:
    """The server's id of a match of the last round."""
    number = len(stage.script.rounds)
    tables = stage.client.get(stage.at("match", f"/rounds/{number}")).body["tables"]
    return str(next(table["match"] for table in tables if table["table"] == fixture.table))


def _the_penalty(stage: Stage, match: str) -> str:
    """The wrong penalty as the server has it."""
    fixture, dispute = stage.script.disputed
    found = stage.client.get(stage.at("match", f"/matches/{match}")).body
    penalty = found["penalties"][-1]
    check("the penalty in dispute", (penalty["code"], penalty["points"]), ("revoke", 80))
    check("levels with it", tuple(found["levels"].values()), fixture.result.levels)
    losers = stage.name(penalty["team"])
    hand = dispute.hand
    charged, rightly = briefly(fixture.result.levels), briefly(dispute.rightly.result.levels)
    stage.show.paragraph(
        say(
            f"Hand {hand.number} at table {fixture.table}: {losers} dealt at level {_level(stage)} with "
            f"{_suit(hand.trump)} as trumps, the attackers held {hand.points} points. {losers} discarded on a lead of "
            f"{dispute.suit} and later played {dispute.card}. The referee charged a revoke: 80 points. With it the "
            f"match is lost {charged}, without it won {rightly}.",
            f"第 {fixture.table} 台第 {hand.number} 副：{losers}坐庄打 {_level(stage)}，{_suit(hand.trump)} 为将，"
            f"防家得 {hand.points} 分。{losers}在 {dispute.suit} 上垫牌，其后打出 {dispute.card}，"
            f"裁判判藏张，罚 80 分。计此罚分为 {charged} 告负，不计则为 {rightly} 取胜。",
        )
    )
    return str(penalty["penalty"])


def _level(stage: Stage) -> str:
    dispute = stage.script.disputed[1]
    return shown(dispute.hand.levels[dispute.wrong.pair])


def _grounds(stage: Stage) -> str:
    card, level = stage.script.disputed[1].card, _level(stage)
    return say(
        f"{card} is the level card of a hand at level {level} and so a trump. No card of the suit was withheld.",
        f"本副打 {level}，{card} 是级牌，属主牌，本队并未藏张。",
    )


def _lodged(stage: Stage, match: str, team: str, penalty: str, closed: Answer) -> str:
    """Drafted, report, deposit by one and confirmed by another: then it is lodged by itself."""
    client, show, who = stage.client, stage.show, stage.leader(team)
    grounds = _grounds(stage)
    body = {"match": match, "grounds": grounds, "asks_for": {"kind": "lift_penalty", "penalty": penalty}}
    drafted = client.post(stage.at("appeals", "/appeals"), who, body, after=closed)
    id = str(drafted.events[0]["appeal"])
    show.did(say("drafts the appeal:", "起草申诉："), who.sub)
    show.quote(grounds)
    report = {"reference": say("report 1 of the unit", "单位书面报告一号"), "bears_seal": True}
    client.post(stage.at("appeals", f"/appeals/{id}/reports"), who, report, after=drafted)
    show.did(say("hands in the written report with the unit's seal", "提交加盖公章的书面报告"), who.sub)
    terms = stage.preset.appeals.deposit_fen
    path = stage.at("appeals", f"/appeals/{id}/deposits")
    client.post(path, BUREAU, {"amount_fen": DEPOSIT_FEN}, after=drafted)
    yuan = terms.value // 100
    show.did(say(f"takes {yuan} yuan ({terms.article})", f"收申诉费 {yuan} 元（{terms.article}）"), BUREAU.sub)
    refused = client.refused(f"{path}/confirmations", BUREAU, slug="second-person-needed", status=403)
    show.refused(say("and confirms it alone", "并自行确认"), refused)
    confirmed = client.post(f"{path}/confirmations", SECOND)
    show.did(say("confirms the money", "确认收到"), SECOND.sub)
    _await(stage, id, "lodged", confirmed)
    show.did(
        say("report and deposit are there: the appeal is lodged", "报告与申诉费齐备：申诉成立"), say("Pailu", "系统")
    )
    return id


def _decided_upheld(stage: Stage, id: str, penalty: str) -> Answer:
    client, show, path = stage.client, stage.show, stage.at("appeals", f"/appeals/{id}")
    table = stage.script.disputed[0].table
    client.post(f"{path}/acceptances", COMMITTEE)
    show.did(say("accepts it: it is in form", "形式合规，予以受理"), COMMITTEE.sub)
    members = [
        {"account": COMMITTEE.sub, "unit": COMMITTEE_UNIT},
        {"account": "committee-zheng", "unit": COMMITTEE_UNIT},
    ]
    partial = [*members, {"account": referee(table).sub, "unit": COMMITTEE_UNIT}]
    refused = client.refused(
        f"{path}/hearings", COMMITTEE, {"members": partial}, slug="referee-of-the-ruling", status=422
    )
    show.refused(say("hears it with the referee who charged the penalty", "听证，判罚的裁判在座"), refused)
    client.post(f"{path}/hearings", COMMITTEE, {"members": members})
    show.did(
        say("hears both teams and the referee, two members sitting", "听取双方与裁判陈述，委员两人"), COMMITTEE.sub
    )
    reason = say(
        f"{stage.script.disputed[1].card} is a trump: nothing was withheld",
        f"{stage.script.disputed[1].card} 是主牌，不构成藏张",
    )
    decision = {
        "outcome": "upheld",
        "remedy": {"kind": "lift_penalty", "penalty": penalty},
        "reason": reason,
        "members": members,
    }
    decided = client.post(f"{path}/decisions", COMMITTEE, decision)
    show.did(say(f"upholds it and lifts the penalty: {reason}", f"裁定申诉成立，撤销罚分：{reason}"), COMMITTEE.sub)
    _await(stage, id, "upheld", decided)
    _await_ruling(stage)
    _await_refund(stage, id)
    return decided


def _await(stage: Stage, id: str, status: str, after: Answer) -> None:
    path = stage.at("appeals", f"/appeals/{id}")
    stage.client.until(path, AUDITOR, lambda body: body["status"] == status, f"status {status}", after)


def _await_ruling(stage: Stage) -> None:
    """The policy in match turns the decision into a ruling: on the match, and in its round."""
    fixture, dispute = stage.script.disputed
    number, rightly = len(stage.script.rounds), list(dispute.rightly.result.points)
    path = stage.at("match", f"/matches/{match_of(stage, fixture)}")
    found = stage.client.until(path, None, lambda body: body["rulings"], "a ruling")
    stage.client.until(
        stage.at("match", f"/rounds/{number}"),
        None,
        lambda body: rightly in [t["result"]["points"] for t in body["tables"] if t["table"] == fixture.table],
        f"table {fixture.table} with the ruling",
    )
    check("rulings applied", len(found["rulings"]), 1)
    before, after = found["rulings"][0]["before"], found["rulings"][0]["after"]
    was, now = points(before["points"]), points(after["points"])
    check("the result before", tuple(before["points"]), fixture.result.points)
    check("the result after", tuple(after["points"]), dispute.rightly.result.points)
    check("the levels after", tuple(after["levels"]), dispute.rightly.result.levels)
    stage.show.did(
        say(
            f"the decision becomes a ruling in match, once: {was} becomes {now}",
            f"裁决在比赛服务中执行一次：{was} 改为 {now}",
        ),
        say("Pailu", "系统"),
    )


def _await_refund(stage: Stage, id: str) -> None:
    path = stage.at("appeals", f"/appeals/{id}")
    refunded = stage.client.until(
        path, AUDITOR, lambda body: body["deposit"]["status"] == "refunded", "the deposit refunded"
    )
    terms = stage.preset.appeals.deposit.upheld
    check("the deposit", refunded["deposit"]["amount_fen"], DEPOSIT_FEN)
    stage.show.did(
        say(f"the deposit goes back to the team ({terms.article})", f"申诉费退还（{terms.article}）"),
        say("Pailu", "系统"),
    )


# The log


def events(stage: Stage) -> None:
    """The disputed match, event by event."""
    fixture, _ = stage.script.disputed
    match = match_of(stage, fixture)
    stage.show.begin(say(f"Match {match} from the log, event by event", f"日志中的比赛 {match}：逐条事件"))
    found = stage.client.get(stage.at("match", f"/matches/{match}/events"), AUDITOR).body["items"]
    kinds = [record["type"] for record in found]
    check("rulings in the log", kinds.count("RulingApplied"), 1)
    check("hands in the log", kinds.count("HandPlayed"), len(fixture.played.hands) if fixture.played else 0)
    columns = ("#", say("Event", "事件"), say("By", "操作人"), say("What", "内容"))
    stage.show.table(columns, [_record(stage, record) for record in found])


def _record(stage: Stage, record: dict[str, Any]) -> tuple[str, str, str, str]:
    stream = "r" if record["id"].startswith("rounds/") else ""
    return f"{stream}{record['version']}", record["type"], record["by"], _what(stage, record["type"], record["data"])


def _what(stage: Stage, kind: str, data: dict[str, Any]) -> str:
    match kind:
        case "MatchOpened":
            return " – ".join(stage.name(team["id"]) for team in data["teams"])
        case "HandPlayed":
            return _hand(data["hand"], data["facts"])
        case "PenaltyIssued":
            name = say(data["code"], stage.preset.penalties[data["code"]].zh)
            return f"{data['penalty']} {name}: {stage.name(data['team'])} −{data['points']} ({data['article']})"
        case "MatchClosed":
            return f"{levels(data['result']['levels'])} → {points(data['result']['points'])}"
        case "RulingApplied":
            remedy, after = data["remedy"], data["after"]
            lifted = say(f"{remedy['penalty']} lifted", f"撤销 {remedy['penalty']}")
            return f"{lifted}: {levels(after['levels'])} → {points(after['points'])} ({data['article']})"
    return ""


def _hand(number: int, facts: dict[str, Any]) -> str:
    played, trumps = briefly(list(facts["levels"].values())), _suit(facts["trump"])
    return say(
        f"{number}: at {played}, seat {facts['dealer']} deals, {trumps}, {facts['points']}",
        f"第{number}副 {played} {facts['dealer']}家庄 {trumps}将 {facts['points']}分",
    )


def _suit(trump: str) -> str:
    return MARKS[trump]


# What it changed


def compare(stage: Stage, before_position: int) -> None:
    """Standings before, up to this position of match, and after, side by side."""
    stage.show.begin(say("What the ruling changed", "裁决前后的名次"))
    found = stage.client.until(
        stage.at("ranking", "/standings"),
        None,
        lambda body: body["rows"][0]["team"] == stage.script.after[0].team,
        "the standings with the ruling",
    )
    rows = check_standings(stage, found, len(stage.script.rounds))
    check("standings as the script has them after the appeal", rows, list(stage.script.after))
    old = {row.team: row.rank or 0 for row in stage.script.before}
    cells = [
        (str(after.rank), stage.name(before.team), before.total.shown, stage.name(after.team), after.total.shown, moved)
        for before, after in zip(stage.script.before, rows, strict=True)
        for moved in [_moved(old[after.team] - (after.rank or 0))]
    ]
    columns = ("", say("Before", "裁决前"), say("Total", "总得分"), say("After", "裁决后"), say("Total", "总得分"), "")
    stage.show.table(columns, cells, right=(0, 2, 4))
    stage.show.proved(say("recomputed here: equal. The champion has changed.", "本机复算相同。冠军易主。"))
    _as_of(stage, before_position)


def _as_of(stage: Stage, position: int) -> None:
    """What was so before the ruling can still be asked for."""
    found = stage.client.get(stage.at("ranking", f"/standings?as_of=match:{position}")).body
    came = [(row["rank"], row["team"], row["total"]["working"]) for row in found["rows"]]
    own = [(row.rank, row.team, row.total.working) for row in stage.script.before]
    check(f"standings as of match:{position}", came, own)
    stage.show.proved(
        say(
            f"asked as of position match:{position}, the server still gives the standings before",
            f"查询位置 match:{position} 时的名次，仍为裁决前的名次",
        )
    )


def _moved(up: int) -> Text:
    if up > 0:
        return Text(f"▲ {up}", style="green")
    return Text(f"▼ {-up}", style="red") if up else Text("")
