"""Before the first hand: the announcement, the entries, the draw."""

from __future__ import annotations

import hashlib
from collections import Counter
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from deploy.demo.client import Answer
from deploy.demo.failure import check
from deploy.demo.people import BUREAU, LATE, Form, forms
from deploy.demo.plan import script
from deploy.demo.stage import REGULATION, Stage
from shared.cli.language import language, say
from shared.rules.formats.competition import Team
from shared.rules.formats.draws import shuffle
from shared.rules.regulations import digest
from shared.web.identity import Identity

PLACE = "集美区文体中心三楼棋牌室"
NOTICE = timedelta(days=14)
CLOSES_BEFORE = timedelta(days=12)
"""As in 2018: entries closed at noon twelve days before play."""


def announce(stage: Stage) -> None:
    """This year's competition from the regulation of 2018, and the seed of its draw committed."""
    show, client = stage.show, stage.client
    show.begin(say("The competition is announced", "公布赛事"))
    _read_regulation(stage)
    plays_from = _saturday(datetime.now(ZoneInfo(stage.preset.zone.value)).date() + NOTICE)
    closes = datetime.combine(plays_from - CLOSES_BEFORE, time(12))
    body = {
        "regulation": REGULATION,
        "name": f"{plays_from.year}年集美区升级比赛",
        "place": PLACE,
        "plays_from": plays_from.isoformat(),
        "plays_to": (plays_from + timedelta(days=1)).isoformat(),
        "entries_close": closes.isoformat(),
    }
    announced = client.post("/registration/competitions", BUREAU, body)
    fact = announced.events[0]
    stage.competition = fact["competition"]
    check("the announced regulation's digest", fact["regulation_digest"], digest(stage.preset))
    check("changes of the regulation's values", fact["changes"], {})
    show.did(
        say(
            f"announced {body['name']} at {PLACE} on {_days(plays_from)}; entries close {_moment(closes)}; "
            "all else as in 2018",
            f"公布《{body['name']}》，地点{PLACE}，{_days(plays_from)}比赛，{_moment(closes)}截止报名，其余依2018年规程",
        ),
        BUREAU.sub,
    )
    _commit_seed(stage, announced)


def _read_regulation(stage: Stage) -> None:
    found = stage.client.get(f"/registration/regulations/{REGULATION}").body
    check("the regulation's digest", found["digest"], digest(stage.preset))
    marks = Counter(value["mark"] for value in found["values"])
    total = len(found["values"])
    stage.show.did(
        say(
            f"regulation {REGULATION}: {total} values, each with its article; {marks['stated']} stated, "
            f"{marks['read']} read one of two ways, {marks['assumed']} assumed",
            f"规程 {REGULATION}：{total} 项取值各注条文；明文 {marks['stated']} 项，理解 {marks['read']} 项，"
            f"约定 {marks['assumed']} 项",
        )
    )


def _commit_seed(stage: Stage, announced: Answer) -> None:
    committed = stage.client.post(stage.at("match", "/seeds"), BUREAU, after=announced)
    commitment = committed.events[0]["commitment"]
    stage.show.did(
        say(f"the draw's seed is committed, sha256 {commitment[:16]}…", f"抽签种子已承诺，sha256 {commitment[:16]}…"),
        BUREAU.sub,
    )


def enter(stage: Stage) -> Answer:
    """Twelve units enter; one comes too late. The answer is that of the closing."""
    show, client = stage.show, stage.client
    show.begin(say("Twelve units enter, one comes too late", "十二个单位报名，一个单位迟到"))
    client.post(stage.at("registration", "/entry-openings"), BUREAU)
    *entered, late = forms(stage.seed)
    for form in entered:
        answer = client.post(stage.at("registration", "/entries"), _leader(stage, form), form.body)
        stage.units[answer.events[0]["team"]["id"]] = form.unit
    check("teams entered", len(stage.units), len(entered))
    show.columns([f"{form.unit.shown}: {' '.join(form.players)}" for form in entered], 2)
    show.did(
        say(
            "12 teams of 2 players; names are encrypted in the log, one key a person",
            "12 队，每队 2 人；姓名以每人一钥加密后入日志",
        )
    )
    _check_sealed(stage, entered[-1], answer)
    reason = say("all units invited have entered", "受邀单位均已报名")
    closed = client.post(stage.at("registration", "/entry-closings"), BUREAU, {"reason": reason})
    show.did(say(f"entries closed early: {reason}", f"提前截止报名：{reason}"), BUREAU.sub)
    refused = client.refused(stage.at("registration", "/entries"), _leader(stage, late), late.body, slug="entry-closed")
    check("the article that refuses", refused.body["article"], stage.preset.dates.entries_close.article)
    show.refused(say(f"{LATE.shown} enters after the close", f"{LATE.shown}在截止后报名"), refused)
    return closed


def _check_sealed(stage: Stage, form: Form, entered: Answer) -> None:
    """The leader reads the names in the clear; in the list for everyone there are none."""
    team = entered.events[0]["team"]["id"]
    own = stage.client.get(stage.at("registration", f"/entries/{team}"), stage.leader(team), after=entered).body
    names = tuple(member["name"] for member in own["members"] if member["part"] == "player")
    check("the names that a leader reads", names, form.players)
    everyone = str(stage.client.get(stage.at("registration", "/entries"), after=entered).body)
    check("names in the list for everyone", [name for name in names if name in everyone], [])


def _leader(stage: Stage, form: Form) -> Identity:
    return Identity(sub=form.unit.leader, role="leader", team=form.unit.name, competitions=(stage.competition,))


def draw(stage: Stage, closed: Answer) -> None:
    """Lots are drawn and the draw repeated here; then the script of the rest is made."""
    show, client = stage.show, stage.client
    show.begin(say("Lots are drawn", "抽签"))
    drawn = client.post(stage.at("match", "/draws"), BUREAU, after=closed)
    fact = drawn.events[0]
    seed = bytes.fromhex(fact["seed"])
    stage.numbers = {d["team"]["id"]: d["number"] for d in fact["teams"]}
    show.columns([f"{number:2}  {stage.name(team)}" for team, number in stage.numbers.items()], 4)
    show.did(say(f"the seed is revealed: {fact['seed'][:16]}…", f"公开种子 {fact['seed'][:16]}…"), BUREAU.sub)
    check("sha256 of the revealed seed", hashlib.sha256(seed).hexdigest(), fact["commitment"])
    public = client.get(stage.at("match"), after=drawn).body
    check("the commitment that everyone sees", public["commitment"], fact["commitment"])
    show.proved(say("its sha256 is what was committed before entries closed", "其 sha256 与截止前公布的承诺相同"))
    order = shuffle(seed, "round 1", stage.units)
    check("the order drawn", list(stage.numbers), list(order))
    show.proved(say("the order drawn, repeated here from the seed, is the same", "由种子在本机重抽，签号相同"))
    teams = [Team(d["team"]["id"], d["team"]["name"], d["team"]["unit"]) for d in fact["teams"]]
    stage.played = script(stage.preset, teams, seed, stage.seed)
    show.expect(client.asked + stage.script.requests)


def _saturday(day: date) -> date:
    return day + timedelta(days=(5 - day.weekday()) % 7)


def _days(first: date) -> str:
    last = first + timedelta(days=1)
    if language() == "zh":
        return f"{first.year}年{first.month}月{first.day}日至{last.month}月{last.day}日"
    return f"Sat {first.day} {first:%b} and Sun {last.day} {last:%b %Y}"


def _moment(at: datetime) -> str:
    return say(f"{at.day} {at:%b} at noon", f"{at.month}月{at.day}日12:00")
