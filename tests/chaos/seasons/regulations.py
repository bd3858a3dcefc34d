"""What the competitions of each regulation do of their own: a Swiss with appeals and deposits (jimei), twelve hands at
two tables and an appeal without one (shandong), pairs and a board (zhongshan), orders of going out (ahut)."""

from __future__ import annotations

from typing import Any

from deploy.demo.people import BUREAU, CHIEF, COMMITTEE, SECOND
from shared.web.identity import Identity
from tests.chaos.seasons.course import Course
from tests.e2e.stories import test_ahut, test_jimei, test_shandong, test_zhongshan
from tests.support.courses import CHAIR

Entry = tuple[str, dict[str, Any]]
HANDS = 6
POINTS = (65, 70, 75, 80, 85, 90, 95, 100, 120)
"""Of jimei: a gain of one level at most, two at 120 (十一.7), so that six hands take nobody past A."""


class WithAppeals(Course):
    """Its leaders appeal, its teams waive what is left, and places can be declared the same day."""

    deposit_fen: int

    def lodge(self, match: Any, side: int, asks_for: dict[str, Any]) -> str:
        """The appeal of a team of a match, from its draft until it is lodged."""
        at, leader = f"/appeals/{self.base}/appeals", self.leader(match["teams"][side])
        asked = {"match": match["match"], "grounds": "判罚有误", "asks_for": asks_for}
        appeal = str(self.do(at, leader, asked).events[0]["appeal"])
        self.do(f"{at}/{appeal}/reports", leader, {"reference": "申诉书1号", "bears_seal": True})
        if self.deposit_fen:
            self.do(f"{at}/{appeal}/deposits", BUREAU, {"amount_fen": self.deposit_fen})
            self.do(f"{at}/{appeal}/deposits/confirmations", SECOND)
        self._reaches(appeal, "lodged")
        return appeal

    def hear(self, appeal: str) -> None:
        self.do(f"/appeals/{self.base}/appeals/{appeal}/acceptances", COMMITTEE)
        self.do(f"/appeals/{self.base}/appeals/{appeal}/hearings", COMMITTEE, {"members": [CHAIR]})

    def decide(self, appeal: str, outcome: str, **more: Any) -> None:
        body = {"outcome": outcome, "reason": "查实", "members": [CHAIR], **more}
        self.do(f"/appeals/{self.base}/appeals/{appeal}/decisions", COMMITTEE, body)

    def settled(self, appeal: str, status: str, deposit: str | None) -> None:
        """It has come to its end, and so has its deposit."""
        self._reaches(appeal, status)
        if self.deposit_fen:
            at = f"/appeals/{self.base}/appeals/{appeal}"
            self.desk.await_(at, BUREAU, lambda seen: bool(seen["deposit"]["status"] == deposit))

    def waive(self, through: int) -> None:
        for team in sorted(self.units):
            self.do(f"/appeals/{self.base}/waivers", self.leader(team), {"through_round": through})

    def leader(self, team: str) -> Identity:
        return Identity(sub=f"leader of {team}", role="leader", team=self.units[team], competitions=(self.id,))

    def _reaches(self, appeal: str, status: str) -> None:
        at = f"/appeals/{self.base}/appeals/{appeal}"
        self.desk.await_(at, BUREAU, lambda seen: bool(seen["status"] == status))


class Jimei(WithAppeals):
    """Eight teams, four rounds; appeals over the last that are upheld, dismissed, refused for form and withdrawn, and
    one over the first, on which later rounds rest."""

    regulation = "jimei-2018"
    deposit_fen = 50_000

    def forms(self) -> list[dict[str, Any]]:
        return [test_jimei.form(unit) for unit in self.units_apart(8)]

    def sheet(self, event: str, match: Any, number: int) -> list[Entry]:
        hands = [self._hand(n) for n in range(1, HANDS + 1)]
        self.hands[match["match"]], self.matches[number, match["table"]] = hands, match
        penalty = {"hand": 2, "claimed_during": 2, "pair": "13", "code": "signalling"}
        return [*(("hands", hand) for hand in hands[:-1]), ("penalties", penalty)]

    def late(self, event: str, match: Any) -> list[Entry]:
        """The last hand was over by then, and held back."""
        between = {"hand": HANDS + 1, "phase": "shuffling"}
        return [("unfinished-hands", between), ("hands", self.hands[match["match"]][-1])]

    def written(self, event: str, match: Any) -> int:
        return HANDS

    def contested(self, event: str, paired: Any) -> None:
        """At table 1 two referees have read another number of points."""
        match = paired["matches"][0]["match"]
        first = self.hands[match][0]
        self.choose(event, match, "hands", first | {"points": 55}, {"points": first["points"]})

    def appeal(self) -> None:
        penalty = {"kind": "lift_penalty", "penalty": "p1"}
        last = max(number for number, _ in self.matches)
        ends: list[tuple[str, str, str]] = [
            ("upheld", "upheld", "refunded"),
            ("partly_upheld", "partly_upheld", "refunded"),
            ("dismissed", "dismissed", "forfeited"),
        ]
        for table, (outcome, status, deposit) in enumerate(ends, 1):
            appeal = self.lodge(self.matches[last, table], 0, penalty)
            self.hear(appeal)
            remedy = {"remedy": penalty} if outcome != "dismissed" else {}
            self.decide(appeal, outcome, **remedy)
            self.settled(appeal, status, deposit)
        self._upheld_when_later_rounds_rest_on_it(penalty)
        self._not_heard(self.matches[last, 4], penalty)
        self.waive(last)

    def _upheld_when_later_rounds_rest_on_it(self, penalty: dict[str, Any]) -> None:
        appeal = self.lodge(self.matches[1, 2], 0, penalty)
        self.hear(appeal)
        self.decide(appeal, "upheld", remedy=penalty, later={"choice": "let_stand"})
        self.settled(appeal, "upheld", "refunded")

    def _not_heard(self, match: Any, penalty: dict[str, Any]) -> None:
        """One refused for its form, one withdrawn before it was accepted and one after (RULINGS, Appeals 4)."""
        ends = [(False, "refusals", "refused", "refunded"), (False, "withdrawals", "withdrawn", "refunded")]
        for accepted, end, status, deposit in [*ends, (True, "withdrawals", "withdrawn", "forfeited")]:
            appeal = self.lodge(match, 0, penalty)
            at = f"/appeals/{self.base}/appeals/{appeal}"
            if accepted:
                self.do(f"{at}/acceptances", COMMITTEE)
            who = COMMITTEE if end == "refusals" else self.leader(match["teams"][0])
            self.do(f"{at}/{end}", who, {"reason": "不再申诉"})
            self.settled(appeal, status, deposit)

    def _hand(self, number: int) -> dict[str, Any]:
        return {
            "hand": number,
            "dealer": self.luck.randint(1, 4),
            "points": self.luck.choice(POINTS),
            "trump": "SHCD"[number % 4],
            "equals_another": True,
        }


class Shandong(WithAppeals):
    """Four teams; twelve hands at each of two tables, a foul of half a point, an appeal over the final dismissed."""

    regulation = "shandong-2023"
    deposit_fen = 0

    def forms(self) -> list[dict[str, Any]]:
        return [test_shandong.form(unit) for unit in self.units_apart(4)]

    def sheet(self, event: str, match: Any, number: int) -> list[Entry]:
        """One level at the first table of each game, by either side, and nothing at the second."""
        self.matches[number, match["table"]] = match
        ahead = self.luck.randint(1, 12) if match["board"] == 1 else 0
        dealer = self.luck.randint(1, 4)
        hands = [
            {"hand": n, "dealer": dealer, "points": 60 if n == ahead else 100, "equals_another": True}
            for n in range(1, 13)
        ]
        self.hands[match["match"]] = hands
        foul = {"hand": 3, "claimed_during": 3, "pair": "13", "code": "peeking", "lost": "0.5", "reason": "看牌"}
        return [*(("hands", hand) for hand in hands), *([("penalties", foul)] if match["board"] == 1 else [])]

    def written(self, event: str, match: Any) -> int:
        return 12

    def contested(self, event: str, paired: Any) -> None:
        match = paired["matches"][-1]["match"]
        first = self.hands[match][0]
        self.choose(event, match, "hands", first | {"points": 20}, {"points": first["points"]})

    def appeal(self) -> None:
        last = max(number for number, _ in self.matches)
        final = self.matches[last, min(table for number, table in self.matches if number == last)]
        appeal = self.lodge(final, 0, {"kind": "lift_penalty", "penalty": "p1"})
        self.hear(appeal)
        self.decide(appeal, "dismissed")
        self.settled(appeal, "dismissed", None)
        self.waive(last)


class Zhongshan(Course):
    """Six departments with two pairs each and their players of 象棋; a pair that does not come."""

    regulation = "zhongshan-2013"
    boards = ("xiangqi",)

    def forms(self) -> list[dict[str, Any]]:
        return [test_zhongshan._form(unit) for unit in self.units_apart(6)]

    def sheet(self, event: str, match: Any, number: int) -> list[Entry]:
        if event != self.id:
            won = {"event": "xiangqi", "first": match["teams"][0], "winner": min(match["teams"]), "how": "resignation"}
            return [("games", won)]
        hands = [
            {
                "hand": n,
                "dealer": self.luck.randint(1, 4),
                "points": self.luck.choice((0, 20, 60, 80, 120)),
                "equals_another": True,
            }
            for n in (1, 2, 3)
        ]
        self.hands[match["match"]], self.matches[number, match["table"]] = hands, match
        return [("hands", hand) for hand in self.hands[match["match"]][:2]]

    def late(self, event: str, match: Any) -> list[Entry]:
        """The third hand was being played, and is finished."""
        if event != self.id:
            return []
        playing = {"hand": 3, "phase": "playing"}
        return [("unfinished-hands", playing), ("hands", self.hands[match["match"]][2])]

    def written(self, event: str, match: Any) -> int:
        return 3 if event == self.id else 1

    def contested(self, event: str, paired: Any) -> None:
        if event == self.id:
            match = paired["matches"][-1]["match"]
            first = self.hands[match][0]
            self.choose(event, match, "hands", first | {"points": 40}, {"points": first["points"]})

    def appeal(self) -> None:
        """九: what is unsaid the chief referee rules on the spot."""
        self.no_appeal(next(iter(self.matches.values())))

    def absent(self, event: str, paired: Any) -> list[Any]:
        if event != self.id or paired["round"] != 1:
            return super().absent(event, paired)
        missing, *others = paired["matches"]
        body = {"absent": [missing["teams"][0]], "reason": "未到"}
        self.do(f"/match/competitions/{event}/matches/{missing['match']}/forfeits", CHIEF, body)
        return others


class Ahut(Course):
    """Eighteen pairs in two groups; an hour, and from the last eight on until a pair has passed A."""

    regulation = "ahut-2018"

    def forms(self) -> list[dict[str, Any]]:
        return [test_ahut.form(branch, pair) for branch in self.units_apart(9) for pair in (1, 2)]

    def sheet(self, event: str, match: Any, number: int) -> list[Entry]:
        """The pair named first, or the other, goes out first and second five times (二.5)."""
        first = self.luck.random() < 0.5
        finish = test_ahut.UP3 if first else test_ahut.DOWN3
        self.finishes[match["match"]], self.matches[number, match["table"]] = list(finish), match
        hands = range(1, 3 if match["minutes"] else 6)
        return [("finishes", {"hand": n, "finish": list(finish), "equals_another": True}) for n in hands]

    def late(self, event: str, match: Any) -> list[Entry]:
        """A third hand, whose cards were being drawn, is finished where the clock ends the match."""
        if not match["minutes"]:
            return []
        third = {"hand": 3, "finish": self.finishes[match["match"]], "equals_another": True}
        return [("unfinished-hands", {"hand": 3, "phase": "drawing"}), ("finishes", third)]

    def written(self, event: str, match: Any) -> int:
        return 3 if match["minutes"] else 5

    def contested(self, event: str, paired: Any) -> None:
        """At the first table two referees have seen another order of going out."""
        match = paired["matches"][0]["match"]
        rival = {"hand": 1, "finish": list(test_ahut.UP1), "equals_another": True}
        self.choose(event, match, "finishes", rival, {"finish": self.finishes[match]})

    def appeal(self) -> None:
        """二.6: 一经裁决……继续比赛."""
        self.no_appeal(next(iter(self.matches.values())))


COURSES: tuple[type[Course], ...] = (Jimei, Shandong, Zhongshan, Ahut)
