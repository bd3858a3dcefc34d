"""One competition, brought as far as a call needs it, and for every endpoint one call that succeeds there.

`CALLS` is what the tests over all endpoints go by: who may call them, which fields they take, what they read. An
endpoint that is added gets its call here."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import msgspec
from werkzeug.test import TestResponse

from shared.rules.adjudication import adjudicate
from shared.rules.regulations import load
from shared.rules.regulations.reference import reference
from shared.rules.shengji.random_hands import random_hand
from tests.support.world import World

UNITS = ("集美街道", "侨英街道", "杏林街道", "杏滨街道")
CHAIR = {"account": "chair", "unit": "集美区体育局"}
FEE = 50_000
REGULATION = reference(load("jimei-2018"))


class Site:
    """A competition of four units and one round. Each stage is reached from the one before, by people whom no test
    names, so that two people are always two."""

    def __init__(self, world: World, *, rehearsal: bool = False) -> None:
        self.world = world
        self.regulation = "jimei-2018"
        self.changes: dict[str, Any] = {"match.rounds": [{"up_to": None, "rounds": 1}]}
        self.rehearsal = rehearsal
        self.evidence = "e1"
        self.id = self.appeal = self.import_id = self.credential = self.person = "none"
        self.units: dict[str, str] = {}
        self.tables: list[dict[str, Any]] = []

    @property
    def team(self) -> str:
        """The team that appeals, and is named where one must be."""
        return str(self.tables[0]["teams"][0]) if self.tables else next(iter(self.units))

    @property
    def unit(self) -> str:
        """The team's unit, which its leader's token names."""
        return self.units[self.team] if self.units else UNITS[0]

    @property
    def outsider(self) -> str:
        """A unit that has nothing to do with the team, nor with its match once that is paired."""
        concerned = [self.units[team] for team in self.tables[0]["teams"]] if self.tables else [self.unit]
        return next((unit for unit in self.units.values() if unit not in concerned), "别的单位")

    @property
    def match(self) -> str:
        return str(self.tables[0]["match"])

    def names(self) -> dict[str, Any]:
        """What stands for the parts of a path here."""
        return {
            "competition": self.id,
            "team": self.team if self.units else "none",
            "match": self.match if self.tables else "none",
            "appeal": self.appeal,
            "credential": self.credential,
            "number": 1,
            "hand": 1,
            "game": 1,
            "penalty": "p1",
            "evidence": self.evidence,
            "regulation": "jimei-2018",
            "document": "identity_copy",
            "id": self.import_id,
            "person": self.person,
            "key": "none",
            "filename": "swagger-ui.css",
        }

    def done(self, path: str, body: Any = None, role: str = "organiser", **more: Any) -> Any:
        """A command that succeeds; `path` under the competition, behind its service's name."""
        service, _, rest = path.partition("/")
        at = f"/{service}/competitions/{self.id}" + (f"/{rest}" if rest else "")
        response: TestResponse = self.world.post(at, body, role=role, **{"sub": f"{role} of the site", **more})
        assert response.status_code == 201, response.get_data(as_text=True)
        self.world.clock.advance(timedelta(seconds=1))
        return response.get_json()

    # Registration

    def announced(self) -> Site:
        body: dict[str, Any] = {"regulation": self.regulation, "changes": self.changes}
        body |= {"rehearsal": True} if self.rehearsal else {}
        answer = self.world.post("/registration/competitions", body, sub="organiser of the site").get_json()
        self.id = answer["stream"].partition("/")[2]
        return self

    def opened(self) -> Site:
        self.announced().done("registration/entry-openings")
        return self

    def entered(self) -> Site:
        self.opened()
        for unit in UNITS:
            event = self.done("registration/entries", entry(unit))["events"][0]
            self.units[event["data"]["team"]["id"]] = unit
            self.person = event["data"]["members"][0]["person"]
        return self

    def doubted(self) -> Site:
        """A clerk has found that the bond of the team's first player does not hold."""
        self.entered().done(f"registration/entries/{self.team}/confirmations", BOND | {"holds": False})
        return self

    def filed(self) -> Site:
        """The team's first player has sent a copy of the identity card."""
        self.entered()
        path = f"/registration/competitions/{self.id}/entries/{self.team}/files?document=identity_copy&member=0"
        assert self.world.send(path, *PHOTO, role="organiser").status_code == 201
        return self

    def asked_to_erase(self) -> Site:
        """Somebody has asked that the team's first player be erased."""
        self.entered().done(f"registration/persons/{self.person}/erasures", REASON)
        return self

    def imported(self) -> Site:
        """A sheet with one more team was entered."""
        self.entered()
        path = f"/registration/competitions/{self.id}/entry-imports"
        answer = self.world.send(path, *SHEET, role="organiser")
        assert answer.status_code == 201, answer.get_data(as_text=True)
        self.import_id = answer.get_json()["events"][0]["data"]["id"]
        return self

    def credentialed(self) -> Site:
        """A referee of the competition has a credential, by the organiser who asks in the table of roles."""
        body = {"holders": [{"account": "li", "role": "referee"}]}
        answer = self.announced().done("registration/credentials", body, sub="organiser of the table")
        self.credential = answer["events"][0]["data"]["credential"]
        return self

    def closed(self) -> Site:
        self.entered().done("registration/entry-closings", {"reason": "各队已到齐"})
        return self

    # Match

    def drawn(self) -> Site:
        self.closed().done("match/draws")
        return self

    def paired(self) -> Site:
        self.tables = self.drawn().done("match/rounds")["events"][0]["data"]["matches"]
        return self

    def played(self) -> Site:
        self.paired()
        for table in self.tables:
            self.done(f"match/matches/{table['match']}/hands", hand(1), role="referee")
        return self

    def contested(self) -> Site:
        """Another referee, who had not seen it, has entered the first hand of the match otherwise."""
        path = f"match/matches/{self.played().match}/hands"
        self.done(path, hand(1) | {"points": 45}, role="referee", sub="another referee of the site")
        return self

    def started(self) -> Site:
        self.paired().done("match/rounds/1/starts", role="referee")
        return self

    def paused(self) -> Site:
        self.started().done("match/rounds/1/pauses", REASON, role="referee")
        return self

    def claimed(self) -> Site:
        self.paired().done(f"match/matches/{self.match}/claims", {"device": "phone 1"}, role="referee")
        return self

    def lined_up(self) -> Site:
        body = {"team": self.paired().team, "seats": {"1": 0, "3": 1}}
        self.done(f"match/matches/{self.match}/line-ups", body, role="referee")
        return self

    def held(self, table: int = 1) -> dict[str, Any]:
        """What a phone says of an entry that it holds."""
        return {"held": {"competition": self.id, "round": 1, "table": table, "regulation": REGULATION}}

    def in_pairs(self) -> Site:
        """A competition of 掼蛋 instead, in the same weeks, with its first round."""
        dates = {"entries_close": "2018-11-12T12:00:00", "play_from": "2018-11-24", "play_to": "2018-11-25"}
        self.regulation, self.changes = "ahut-2018", {f"dates.{name}": value for name, value in dates.items()}
        return self.paired()

    def gone_out(self) -> Site:
        """One hand at its first table."""
        self.in_pairs().done(f"match/matches/{self.match}/finishes", FINISH, role="referee")
        return self

    def gone_out_otherwise(self) -> Site:
        """Another referee, who had not seen it, has entered that hand otherwise."""
        path = f"match/matches/{self.gone_out().match}/finishes"
        self.done(path, FINISH | {"finish": [2, 4]}, role="referee", sub="another referee of the site")
        return self

    def game(self) -> dict[str, Any]:
        """A game at a board, which this competition has not."""
        return {"event": "xiangqi", "first": self.team, "winner": self.team, "how": "mate"}

    def recorded(self) -> Site:
        """The first hand was handed in with its card record."""
        self.paired()
        self.done(f"match/matches/{self.match}/hands", hand_with_record(), role="referee")
        return self

    def penalised(self) -> Site:
        body = {"hand": 1, "pair": "13", "code": "revoke"}
        self.played().done(f"match/matches/{self.match}/penalties", body, role="referee")
        return self

    def timed(self) -> Site:
        self.penalised().done("match/rounds/1/time-calls", role="referee")
        return self

    def ordered(self) -> Site:
        self.drawn().done("match/pair-orders", {"kind": "fixed", "teams": self.two(), **REASON})
        return self

    def two(self) -> list[str]:
        return sorted(self.units)[:2]

    def ended(self) -> Site:
        self.timed()
        for table in self.tables:
            self.done(f"match/matches/{table['match']}/closings", role="referee")
        return self

    def finished(self) -> Site:
        """The only round is closed, so two pairs of teams are tied."""
        self.ended().done("match/rounds/1/closings", role="referee")
        return self

    def tied(self) -> list[list[str]]:
        """The groups that a lot must part."""
        tables = self.world.get(f"/match/competitions/{self.id}/rounds").get_json()["items"][0]["tables"]
        points = {t: p for table in tables for t, p in zip(table["teams"], table["result"]["points"], strict=True)}
        return [[team for team in points if points[team] == won] for won in sorted(set(points.values()))]

    def parted(self) -> Site:
        self.finished()
        for group in self.tied():
            self.done("match/lots", {"teams": group})
        return self

    def proposed(self) -> Site:
        self.parted().done("match/place-proposals")
        self.world.clock.advance(timedelta(hours=25))
        return self

    # Appeals

    def begun(self) -> Site:
        self.finished()
        drafted = self.done("appeals/appeals", self.grounds(), role="leader", team=self.unit)
        self.appeal = drafted["stream"].rpartition("/")[2]
        return self

    def grounds(self) -> dict[str, Any]:
        asks_for = {"kind": "lift_penalty", "penalty": "p1"}
        return {"match": self.match, "grounds": "该牌为级牌，不是藏张", "asks_for": asks_for}

    def reported(self) -> Site:
        self.begun().done(f"appeals/appeals/{self.appeal}/reports", REPORT, role="leader", team=self.unit)
        return self

    def paid(self) -> Site:
        self.reported().done(f"appeals/appeals/{self.appeal}/deposits", {"amount_fen": FEE})
        return self

    def lodged(self) -> Site:
        self.paid().done(f"appeals/appeals/{self.appeal}/deposits/confirmations", sub="another organiser")
        return self

    def accepted(self) -> Site:
        self.lodged().done(f"appeals/appeals/{self.appeal}/acceptances", role="committee")
        return self

    def shown(self) -> Site:
        """The team has filed a picture as evidence."""
        path = f"/appeals/competitions/{self.accepted().id}/appeals/{self.appeal}/evidence?title=score"
        answer = self.world.send(path, *PHOTO, role="leader", team=self.unit, sub="leader")
        assert answer.status_code == 201, answer.get_data(as_text=True)
        return self

    def heard(self) -> Site:
        self.accepted().done(f"appeals/appeals/{self.appeal}/hearings", {"members": [CHAIR]}, role="committee")
        return self

    def another_accepted(self) -> str:
        """A second appeal over the match, accepted."""
        drafted = self.done("appeals/appeals", self.grounds(), role="leader", team=self.unit)
        second = str(drafted["stream"].rpartition("/")[2])
        self.done(f"appeals/appeals/{second}/reports", REPORT, role="leader", team=self.unit)
        self.done(f"appeals/appeals/{second}/deposits", {"amount_fen": FEE})
        self.done(f"appeals/appeals/{second}/deposits/confirmations", sub="another organiser")
        self.done(f"appeals/appeals/{second}/acceptances", role="committee")
        return second

    def stuck(self) -> Site:
        """Two appeals over one match were decided: the first has it played again, so that the second, which lifts a
        penalty of the play that is void, can never be applied."""
        second = f"appeals/appeals/{self.heard().another_accepted()}"
        self.done(f"{second}/hearings", {"members": [CHAIR]}, role="committee")
        replay = DECISION | {"remedy": {"kind": "replay_match"}}
        self.done(f"appeals/appeals/{self.appeal}/decisions", replay, role="committee")
        self.done(f"{second}/decisions", DECISION, role="committee")
        self.appeal = second.rpartition("/")[2]
        return self

    def put_forward(self) -> Site:
        """One person has proposed to set the second decision aside."""
        self.stuck().done(f"match/decisions/{self.appeal}/set-asides", REASON)
        return self

    def missing(self) -> Site:
        self.drawn().done("match/absences", _team_reason(self))
        return self


def entry(unit: str) -> dict[str, Any]:
    members = [{"part": "player", "name": f"{unit}{n}", "born": "1980-01-01"} for n in (1, 2)]
    return {"unit": unit, "name": f"{unit}队", "members": members}


def hand(number: int) -> dict[str, Any]:
    return {"hand": number, "dealer": 1, "points": 35 + 5 * number}


FINISH = {"hand": 1, "finish": [1, 3]}
"""Partners went out first and second."""


def hand_with_record() -> dict[str, Any]:
    preset = load("jimei-2018")
    record = random_hand(preset, 1, levels={"13": "2", "24": "2"}).record
    facts = msgspec.to_builtins(adjudicate(preset, record).facts)
    return {"hand": 1, "dealer": facts["dealer"], "points": facts["points"], "record": record}


REPORT = {"reference": "申诉书 1 号", "bears_seal": True}
REASON = {"reason": "天气"}
PHOTO = ("image/png", b"\x89PNG\r\n\x1a\n and whatever a picture holds")
SHEET = ("text/csv", "单位,角色,姓名,出生日期\n后溪镇,运动员,甲,1985-03-01\n后溪镇,运动员,乙,1986-03-01\n".encode())
COPY = {"document": "identity_copy", "member": 0}
BOND = {"rule": "bond", "member": 0, "reason": "户口簿"}
DECISION = {
    "outcome": "upheld",
    "reason": "经查非藏张",
    "members": [CHAIR],
    "remedy": {"kind": "lift_penalty", "penalty": "p1"},
}

Stage = Callable[[Site], Site]


class Call:
    """A call that succeeds: the stage it needs, its body there, what the desk adds for a paper that it enters for a
    team, and, where it is no success after all, the status. file: its media type and bytes, sent in place of a body.
    replaces: it needs the version of the match that it was decided on."""

    def __init__(
        self,
        stage: Stage,
        body: Any = None,
        paper: Any = None,
        status: int = 0,
        query: str = "",
        file: tuple[str, bytes] | None = None,
        replaces: bool = False,
    ) -> None:
        self.stage = stage
        self.status = status
        self.query = query
        self.file = file
        self.replaces = replaces
        self._body = body if callable(body) else lambda _: body or {}
        self._paper = paper or (lambda _: {})

    def body(self, site: Site, caller: str = "organiser") -> dict[str, Any]:
        """The body that this caller sends."""
        return self._body(site) | (self._paper(site) if caller == "organiser" else {})

    def headers(self, site: Site) -> dict[str, str]:
        """The headers that this call needs beside those of every call."""
        if not self.replaces:
            return {}
        return {"If-Match": site.world.get(f"/match/competitions/{site.id}/matches/{site.match}").headers["ETag"]}


def _team_reason(site: Site) -> dict[str, Any]:
    return {"team": site.team, "reason": "生病"}


def _paper(site: Site) -> dict[str, Any]:
    return {"received_at": site.world.clock.now().isoformat(), "reason": "书面递交"}


R, M, A, K = ("registration", "match", "appeals", "ranking")
_C = "/competitions/{competition}"
_MATCH, _ROUND, _APPEAL = f"{_C}/matches/{{match}}", f"{_C}/rounds/{{number}}", f"{_C}/appeals/{{appeal}}"
_ENTRY = f"{_C}/entries/{{team}}"

CALLS: dict[tuple[str, str], Call] = {
    (R, "GET /regulations"): Call(Site.announced),
    (R, "GET /regulations/{regulation}"): Call(Site.announced),
    (R, "GET /competitions"): Call(Site.announced),
    (R, "POST /competitions"): Call(Site.announced, {"regulation": "jimei-2018"}),
    (R, f"GET {_C}"): Call(Site.announced),
    (R, f"POST {_C}/amendments"): Call(Site.announced, {"name": "秋季赛", **REASON}),
    (R, f"POST {_C}/cancellations"): Call(Site.announced, REASON),
    (R, f"POST {_C}/entry-openings"): Call(Site.announced),
    (R, f"POST {_C}/entry-closings"): Call(Site.entered, REASON),
    (R, f"GET {_C}/entries"): Call(Site.entered),
    (R, f"POST {_C}/entries"): Call(Site.opened, lambda site: entry(site.unit)),
    (R, f"GET {_ENTRY}"): Call(Site.entered),
    (R, f"POST {_ENTRY}/changes"): Call(
        Site.entered, lambda site: {k: v for k, v in entry(site.unit).items() if k != "unit"}
    ),
    (R, f"POST {_ENTRY}/withdrawals"): Call(Site.entered, REASON),
    (R, f"GET {_ENTRY}/checks"): Call(Site.entered),
    (R, f"POST {_ENTRY}/confirmations"): Call(Site.entered, BOND),
    (R, f"POST {_ENTRY}/refusals"): Call(Site.doubted, {"rule": "bond", "reason": "不在本区"}),
    (R, f"GET {_ENTRY}/documents"): Call(Site.entered),
    (R, f"POST {_ENTRY}/documents"): Call(Site.entered, COPY),
    (R, f"POST {_ENTRY}/document-rejections"): Call(Site.filed, COPY | {"reason": "看不清"}),
    (R, f"POST {_ENTRY}/files"): Call(Site.entered, query="?document=identity_copy&member=0", file=PHOTO),
    (R, f"GET {_ENTRY}/files/{{document}}"): Call(Site.filed, query="?member=0"),
    (R, f"GET {_C}/reminders"): Call(Site.entered),
    (R, f"POST {_C}/name-settings"): Call(Site.opened, {"names": "masked"}),
    (R, f"GET {_C}/players"): Call(Site.entered),
    (R, f"GET {_C}/accesses"): Call(Site.entered),
    (R, f"POST {_C}/persons/{{person}}/erasures"): Call(Site.entered, REASON),
    (R, f"POST {_C}/persons/{{person}}/erasures/confirmations"): Call(Site.asked_to_erase),
    (R, f"POST {_C}/graces"): Call(Site.opened, {"unit": "后溪镇", "until": "2018-11-13T12:00:00", **REASON}),
    (R, f"POST {_C}/attendance"): Call(Site.opened, {"units": ["后溪镇"]}),
    (R, f"GET {_C}/units"): Call(Site.entered),
    # jimei-2018 十二（报名）: whoever may ask is told that nobody joins
    (R, f"POST {_ENTRY}/consents"): Call(
        Site.entered, {"member": {"part": "player", "name": "替补"}, **REASON}, status=409
    ),
    (R, "GET /regulations/{regulation}/entry-form"): Call(Site.announced),
    (R, f"GET {_C}/entry-form"): Call(Site.announced),
    (R, f"POST {_C}/entry-imports/checks"): Call(Site.opened, file=SHEET),
    (R, f"POST {_C}/entry-imports"): Call(Site.opened, file=SHEET),
    (R, f"GET {_C}/entry-imports"): Call(Site.imported),
    (R, f"GET {_C}/entry-imports/{{key}}/progress"): Call(Site.imported, status=404),  # nobody made one under that key
    (R, f"POST {_C}/entry-imports/{{id}}/reversals"): Call(Site.imported, REASON),
    (R, f"GET {_C}/exports/entries.xlsx"): Call(Site.entered),
    (R, f"GET {_C}/exports/entries.csv"): Call(Site.entered),
    (R, f"GET {_C}/exports/programme.xlsx"): Call(Site.entered),
    (R, f"GET {_C}/programme"): Call(Site.entered),
    (R, f"GET {_C}/credentials"): Call(Site.credentialed),
    (R, f"POST {_C}/credentials"): Call(Site.announced, {"holders": [{"account": "li", "role": "referee"}]}),
    (R, f"GET {_C}/credentials/{{credential}}/link"): Call(Site.credentialed),
    (R, f"POST {_C}/credentials/{{credential}}/revocations"): Call(Site.credentialed, REASON),
    (R, f"POST {_C}/credentials/revocations"): Call(Site.credentialed, {"account": "li", "count": 1, **REASON}),
    (M, f"GET {_C}"): Call(Site.paired),
    (M, f"POST {_C}/seeds"): Call(Site.announced),
    (M, f"POST {_C}/draws"): Call(Site.closed),
    (M, f"POST {_C}/absences"): Call(Site.drawn, _team_reason),
    (M, f"POST {_C}/absences/liftings"): Call(Site.missing, _team_reason),
    (M, f"POST {_C}/decisions/{{appeal}}/set-asides"): Call(Site.stuck, REASON),
    (M, f"POST {_C}/decisions/{{appeal}}/set-asides/confirmations"): Call(Site.put_forward),
    (M, f"POST {_C}/withdrawals"): Call(Site.drawn, _team_reason),
    (M, f"GET {_C}/rounds"): Call(Site.paired),
    (M, f"POST {_C}/rounds"): Call(Site.drawn),
    (M, f"GET {_ROUND}/pairing"): Call(Site.paired),
    (M, f"GET {_ROUND}/pairings"): Call(Site.paired),
    (M, f"POST {_C}/pair-orders"): Call(Site.drawn, lambda site: {"kind": "forbidden", "teams": site.two(), **REASON}),
    (M, f"POST {_C}/pair-orders/liftings"): Call(Site.ordered, lambda site: {"teams": site.two(), **REASON}),
    (M, f"GET {_ROUND}"): Call(Site.paired),
    (M, f"POST {_ROUND}/undoings"): Call(Site.paired, REASON),
    (M, f"POST {_ROUND}/extra-hands"): Call(Site.paired, status=409),
    (M, f"POST {_ROUND}/starts"): Call(Site.paired),
    (M, f"POST {_ROUND}/pauses"): Call(Site.started, REASON),
    (M, f"POST {_ROUND}/resumptions"): Call(Site.paused),
    (M, f"POST {_ROUND}/time-calls"): Call(Site.paired),
    (M, f"POST {_ROUND}/time-calls/liftings"): Call(Site.timed, REASON),
    (M, f"POST {_ROUND}/closings"): Call(Site.ended),
    (M, f"POST {_ROUND}/postings"): Call(Site.finished),
    (M, f"POST {_ROUND}/reopenings"): Call(Site.finished, lambda site: {"matches": [site.match], **REASON}),
    (M, f"POST {_C}/lots"): Call(Site.finished, lambda site: {"teams": site.tied()[0]}),
    (M, f"POST {_C}/place-proposals"): Call(Site.parted),
    (M, f"POST {_C}/place-declarations"): Call(Site.proposed),
    (M, f"GET {_MATCH}"): Call(Site.played),
    (M, f"GET {_MATCH}/events"): Call(Site.played),
    (M, f"POST {_MATCH}/hands"): Call(Site.paired, hand(1)),
    (M, f"GET {_MATCH}/hands/{{hand}}/record"): Call(Site.recorded),
    (M, f"POST {_MATCH}/hands/{{hand}}/choices"): Call(Site.contested, {"version": 2, **REASON}),
    (M, f"POST {_MATCH}/hands/{{hand}}/corrections"): Call(
        Site.played, {"dealer": 1, "points": 45, **REASON}, replaces=True
    ),
    (M, f"POST {_MATCH}/finishes"): Call(Site.in_pairs, FINISH),
    (M, f"POST {_MATCH}/finishes/{{hand}}/choices"): Call(Site.gone_out_otherwise, {"version": 2, **REASON}),
    (M, f"POST {_MATCH}/finishes/{{hand}}/corrections"): Call(
        Site.gone_out, {"finish": [2, 4], **REASON}, replaces=True
    ),
    (M, f"POST {_MATCH}/games"): Call(Site.paired, lambda site: site.game(), status=409),
    (M, f"POST {_MATCH}/games/{{game}}/corrections"): Call(
        Site.paired, lambda site: site.game() | REASON, status=409, replaces=True
    ),
    (M, f"POST {_MATCH}/penalties"): Call(Site.played, {"hand": 1, "pair": "13", "code": "revoke"}),
    (M, f"POST {_MATCH}/penalties/{{penalty}}/liftings"): Call(Site.penalised, REASON),
    (M, f"POST {_MATCH}/claims"): Call(Site.paired, {"device": "phone 2"}),
    (M, f"POST {_MATCH}/claims/releases"): Call(Site.claimed, {"device": "phone 1"}),
    (M, f"POST {_MATCH}/check-ins"): Call(Site.paired, lambda site: {"team": site.team}),
    (M, f"POST {_MATCH}/line-ups"): Call(Site.paired, lambda site: {"team": site.team, "seats": {"1": 0, "3": 1}}),
    # jimei-2018 九: two players a team, so nobody can come in
    (M, f"POST {_MATCH}/substitutions"): Call(
        Site.lined_up, lambda site: {"team": site.team, "seat": 1, "member": 2, "hand": 1, **REASON}, status=409
    ),
    (M, f"POST {_MATCH}/confirmations"): Call(Site.played, {"pair": "13", "hands": 1, **REASON}),
    (M, f"POST {_MATCH}/unfinished-hands"): Call(Site.timed, {"hand": 2, "phase": "playing"}),
    (M, f"POST {_MATCH}/incidents"): Call(Site.paired, {"what": "一名观众离桌过近"}),
    (M, f"GET {_MATCH}/table"): Call(Site.claimed),
    (M, f"GET {_C}/hall"): Call(Site.played),
    (M, f"POST {_C}/disqualifications"): Call(Site.paired, lambda site: {"team": site.team, **REASON}),
    (M, f"POST {_MATCH}/forfeits"): Call(Site.paired, lambda site: {"absent": [site.team], **REASON}),
    (M, f"POST {_MATCH}/closings"): Call(Site.timed),
    (M, f"POST {_C}/batches"): Call(
        Site.paired,
        lambda site: {"items": [{"key": "k", "to": f"matches/{site.match}/hands", "body": hand(1) | site.held()}]},
    ),
    (K, "GET /competitions"): Call(Site.announced),
    (K, f"GET {_C}/standings"): Call(Site.finished),
    (K, f"GET {_C}/crosstable"): Call(Site.finished),
    (K, f"GET {_C}/bracket"): Call(Site.finished),
    (K, f"GET {_C}/places"): Call(Site.proposed),
    (K, f"GET {_C}/awards"): Call(Site.proposed),
    (K, f"GET {_C}/totals"): Call(Site.announced, status=404),  # its regulation has no team totals
    (K, f"GET {_C}/events"): Call(Site.announced),
    (A, f"GET {_C}/appeals"): Call(Site.lodged),
    (A, f"POST {_C}/appeals"): Call(Site.finished, lambda site: site.grounds() | {"team": site.unit}, _paper),
    (A, f"GET {_C}/docket"): Call(Site.lodged),
    (A, f"GET {_C}/ledger"): Call(Site.paid),
    (A, f"GET {_C}/exports/ledger.xlsx"): Call(Site.paid),
    (A, f"GET {_C}/deadlines"): Call(Site.finished),
    (A, f"GET {_APPEAL}"): Call(Site.lodged),
    (A, f"GET {_APPEAL}/effect"): Call(Site.lodged),
    (A, f"POST {_APPEAL}/reports"): Call(Site.begun, REPORT, _paper),
    (A, f"POST {_APPEAL}/deposits"): Call(Site.reported, {"amount_fen": FEE}),
    (A, f"POST {_APPEAL}/deposits/confirmations"): Call(Site.paid),
    (A, f"POST {_APPEAL}/withdrawals"): Call(Site.lodged, REASON, lambda _: {"reference": "撤回书 1 号"}),
    (A, f"POST {_APPEAL}/acceptances"): Call(Site.lodged),
    (A, f"POST {_APPEAL}/refusals"): Call(Site.lodged, REASON),
    (A, f"POST {_APPEAL}/evidence"): Call(Site.accepted, query="?title=score", file=PHOTO),
    (A, f"POST {_APPEAL}/evidence/references"): Call(
        Site.accepted, lambda site: {"title": "第 1 副牌", "event": f"match/{site.id}/{site.match}@1"}
    ),
    (A, f"POST {_APPEAL}/evidence/{{evidence}}/strikings"): Call(Site.shown, REASON),
    (A, f"GET {_APPEAL}/evidence/{{evidence}}/file"): Call(Site.shown),
    (A, f"POST {_APPEAL}/committees"): Call(Site.lodged, {"members": [CHAIR]}),
    (A, f"POST {_APPEAL}/hearings"): Call(Site.accepted, {"members": [CHAIR]}),
    (A, f"POST {_APPEAL}/decisions"): Call(Site.heard, DECISION),
    (A, f"POST {_C}/waivers"): Call(
        Site.finished, lambda site: {"team": site.unit, "through_round": 1, "reference": "弃权书 1 号"}
    ),
}
for _service in (R, A):
    CALLS[_service, f"POST {_C}/batches"] = Call(Site.announced, {"items": [{"key": "k", "to": "nothing/here"}]})
for _service in (R, M, A, K):
    CALLS |= {
        (_service, "GET /projection"): Call(Site.announced),
        (_service, "POST /projection/rebuilds"): Call(Site.announced),
        (_service, "GET /held"): Call(Site.announced),
        (_service, "POST /held/{competition}/retries"): Call(Site.announced, status=404),  # nothing is held
    }
    CALLS |= {
        (_service, f"GET {path}"): Call(Site.announced)
        for path in ("/docs", "/docs/assets/{filename}", "/openapi.json", "/livez", "/readyz", "/metrics")
    }
