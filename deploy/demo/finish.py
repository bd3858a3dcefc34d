"""The end: the books, the places, the crosstable, and every read model thrown away and rebuilt."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from deploy.demo.client import Answer
from deploy.demo.failure import check
from deploy.demo.hands import shown
from deploy.demo.people import AUDITOR, BUREAU, OPERATOR, SECOND
from deploy.demo.results import check_crosstable
from deploy.demo.stage import Stage
from shared.cli.language import say
from shared.rules.formats.awards import places_awarded

ENTRIES = 3
SERVICES = ("registration", "match", "ranking", "appeals")


def ledger(stage: Stage) -> None:
    """The deposit's way through the books, which are always zero together."""
    stage.show.begin(say("The ledger", "申诉费账目"))
    found = stage.client.until(
        stage.at("appeals", "/ledger"), AUDITOR, lambda body: len(body["entries"]) >= ENTRIES, f"{ENTRIES} entries"
    )
    kinds = [entry["kind"] for entry in found["entries"]]
    check("entries of the ledger", kinds, ["received", "confirmed", "refunded"])
    check("the sum of each entry", {sum(p["fen"] for p in entry["postings"]) for entry in found["entries"]}, {0})
    check("the sum of all accounts", (found["sum"], sum(a["fen"] for a in found["accounts"])), (0, 0))
    check("money still at the desk", [a for a in found["accounts"] if a["fen"]], [])
    columns = ("#", say("Entry", "摘要"), say("By", "经手"), say("From", "贷方"), say("To", "借方"), say("Yuan", "元"))
    stage.show.table(columns, [_entry(entry) for entry in found["entries"]], right=(5,))
    stage.show.proved(
        say("every entry sums to zero, all accounts together 0.00 yuan", "每笔借贷相抵，各账户合计 0.00 元")
    )


def _entry(entry: dict[str, Any]) -> tuple[str, ...]:
    giving = next(p["account"] for p in entry["postings"] if p["fen"] < 0)
    taking = next(p["account"] for p in entry["postings"] if p["fen"] > 0)
    kinds = {
        "received": say("received", "收款"),
        "confirmed": say("confirmed", "确认"),
        "refunded": say("refunded", "退款"),
    }
    who = say("Pailu", "系统") if entry["by"].startswith("policy") else entry["by"]
    number, kind = str(entry["number"]), kinds[entry["kind"]]
    return number, kind, who, _account(giving), _account(taking), f"{entry['amount_fen'] / 100:.2f}"


def _account(name: str) -> str:
    words = {"cash": say("cash", "现金"), "received": say("received", "已收"), "held": say("held", "保管")}
    return words[name.partition(":")[0]]


def places(stage: Stage, decided: Answer) -> None:
    """Waivers close the windows, one person proposes the places, another declares them; match must know of the
    appeal's decision first."""
    client, show = stage.client, stage.show
    show.begin(say("The places", "名次"))
    client.post(stage.at("match", "/place-proposals"), BUREAU)
    show.did(say("proposes the places", "提出最终名次"), BUREAU.sub)
    declare = stage.at("match", "/place-declarations")
    refused = client.refused(declare, SECOND, slug="appeal-window-open", after=decided)
    show.refused(say(f"{SECOND.sub} declares them at once", f"{SECOND.sub} 随即宣布"), refused)
    last = len(stage.script.rounds)
    for team in stage.numbers:
        waived = client.post(stage.at("appeals", "/waivers"), stage.leader(team), {"through_round": last})
    show.did(say("all twelve teams waive further appeals in writing", "十二队书面放弃继续申诉"))
    refused = client.refused(declare, BUREAU, slug="two-people-needed", after=waived)
    show.refused(say(f"{BUREAU.sub}, who proposed them, declares them", f"{BUREAU.sub} 自行宣布"), refused)
    declared = client.post(declare, SECOND, after=waived)
    show.did(say("declares the places", "宣布最终名次"), SECOND.sub)
    _awards(stage, declared.events[0]["places"])
    final = client.get(stage.at("ranking", "/standings"), after=declared).body
    check("provisional after the declaration", (final["provisional"], final["reasons"]), (False, []))
    show.proved(say("the standings are final", "名次为最终名次"))


def _awards(stage: Stage, declared: list[dict[str, Any]]) -> None:
    came = [(place["rank"], place["team"], place["total"]) for place in declared]
    check("the declared places", came, [(row.rank, row.team, row.total.working) for row in stage.script.after])
    awarded = places_awarded(stage.preset, len(stage.numbers))
    check("places awarded", sum(place["award"] is not None for place in declared), awarded)
    terms = stage.preset.awards.places
    cells = [f"{'★' if place['award'] else ' '} {place['rank']:2}  {stage.name(place['team'])}" for place in declared]
    stage.show.columns(cells, 3)
    stage.show.did(say(f"the first {awarded} are awarded ({terms.article})", f"录取前 {awarded} 名（{terms.article}）"))


def crosstable(stage: Stage) -> None:
    """Every team's rounds."""
    stage.show.begin(say("The crosstable", "对阵总表"))
    found = stage.client.get(stage.at("ranking", "/crosstable")).body
    check_crosstable(stage, found)
    last = len(stage.script.rounds)
    rounds = [say(f"R{n}", f"第{n}轮") for n in range(1, last + 1)]
    columns = ("", say("Team", "队伍"), *rounds, say("Points", "积分"))
    rows = [
        (
            str(row["rank"]),
            f"{stage.numbers[row['team']]:2} {stage.name(row['team'])}",
            *map(_cell(stage), row["outcomes"]),
            str(row["running"][-1]),
        )
        for row in found["rows"]
    ]
    stage.show.table(columns, rows, right=(0, len(columns) - 1))
    legend = say(
        "W won, D drawn, L lost against that team; F by forfeit; own level first",
        "胜、平、负及对手签号；弃 为弃权；本队级数在前",
    )
    stage.show.line(f"  {legend}", "dim")
    stage.show.proved(say("recomputed here from the results: equal", "由各场结果在本机复算：相同"))


def _cell(stage: Stage) -> Callable[[dict[str, Any]], str]:
    """What a round was for a team, short."""

    def cell(outcome: dict[str, Any]) -> str:
        if outcome["opponent"] is None:
            return say("bye", "轮空") if outcome["kind"] == "bye" else "–"
        lead = outcome["points"] - outcome["opponent_points"]
        mark = say("W", "胜") if lead > 0 else say("L", "负") if lead < 0 else say("D", "平")
        forfeit = outcome["kind"] == "forfeit"
        reached = say("F", "弃") if forfeit else ":".join(shown(level) for level in outcome["levels"])
        return f"{mark}{stage.numbers[outcome['opponent']]:<2} {reached}"

    return cell


def rebuild(stage: Stage) -> None:
    """Every read model is built anew from the log beside the live one and swapped in: equal to the last byte."""
    show = stage.show
    show.begin(say("Every read model thrown away and rebuilt from the log", "由日志重建全部读模型"))
    _await_quiet(stage)
    before = {service: _live(stage, service) for service in SERVICES}
    asked = {
        service: stage.client.post(f"/{service}/projection/rebuilds", OPERATOR, status=202).body["generation"]
        for service in SERVICES
    }
    rows = []
    for service in SERVICES:
        after = _await_swap(stage, service, asked[service])
        check(f"rows of {service} rebuilt", after["rows"], before[service]["rows"])
        check(f"digest of {service} rebuilt", after["digest"], before[service]["digest"])
        old = before[service]
        rows.append((service, str(after["rows"]), _generation(old), _generation(after), say("equal", "相同")))
    columns = (say("Service", "服务"), say("Rows", "行数"), say("Before", "重建前"), say("Rebuilt", "重建后"), "")
    show.table(columns, rows, right=(1,))
    show.proved(
        say(
            "sha256 over every row's canonical bytes is the same: nothing is known that the log does not tell",
            "全部行的规范字节 sha256 相同：读模型所有内容均出自日志",
        )
    )


def _generation(found: dict[str, Any]) -> str:
    return f"{found['generation']}: {found['digest'][:16]}…"


def _await_quiet(stage: Stage) -> None:
    """Nothing is left that time does: the windows' close is recorded. Everything recorded has been published, and
    everything published projected."""

    def closed(deadlines: dict[str, Any]) -> bool:
        return all(window["recorded_at"] for window in deadlines["rounds"])

    stage.client.until(stage.at("appeals", "/deadlines"), None, closed, "the close of every window recorded")

    def quiet(state: dict[str, Any]) -> bool:
        return state["log"] == "up" and not any(state["lag"].values()) and not state["held"]

    for service in SERVICES * 2:  # what one reads another may have still to publish
        stage.client.until(f"/{service}/readyz", None, quiet, "no lag")


def _live(stage: Stage, service: str) -> dict[str, Any]:
    generations = stage.client.get(f"/{service}/projection", OPERATOR).body["generations"]
    return dict(next(one for one in generations if one["state"] == "live"))


def _await_swap(stage: Stage, service: str, generation: int) -> dict[str, Any]:
    stage.client.until(
        f"/{service}/readyz",
        None,
        lambda body: body["generation"]["live"] == generation and not body["generation"]["building"],
        f"generation {generation} live",
    )
    return _live(stage, service)
