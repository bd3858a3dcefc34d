"""What match and registration have said of a disputed match, as plain values, and what follows from it."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime

import msgspec

from services.appeals import refusals as refuse
from shared.contracts.appeals import Appellant, CommitteeMember
from shared.contracts.fact import HandFacts, MatchResult, Remedy
from shared.rules.appeals import Times, window_closes, window_opens
from shared.rules.basis import Text
from shared.rules.deadlines import in_time
from shared.rules.errors import RuleError
from shared.rules.formats.stages import CARDS
from shared.rules.regulations.preset import Preset
from shared.rules.shengji.facts import HandFact, PenaltyFact, check_hand, check_penalty, pair_of
from shared.rules.shengji.match import resum
from shared.rules.shengji.penalties import price
from shared.rules.shengji.remedies import OF_PLAY, with_remedies
from shared.rules.shengji.sheet import Sheet


class Hand(msgspec.Struct, frozen=True, kw_only=True):
    """A hand of the match: who dealt, which accounts entered or corrected it and when that was last, and whether a
    ruling annulled it."""

    dealer: int
    accounts: tuple[str, ...]
    entered_at: datetime
    annulled: bool = False


class Penalty(msgspec.Struct, frozen=True, kw_only=True):
    """A penalty of the match: the account that issued it and when, and whether it was lifted."""

    account: str
    issued_at: datetime
    lifted: bool = False


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """A match as appeals see it. `replaced`: its round was paired anew since, or undone. `teams` maps its teams to
    their units, `parts` to the parts their members have (None: not told yet); `match_closed_at` and `round_closed_at`
    are when it and its round were closed last, None while they are open, and `posted_at` is when the round's results
    were posted; `closers` are the accounts that closed the match; `later` maps the later rounds that are paired to
    their matches. `sheet` has its hands and penalties as they count without the `rulings` on it, and `result` what it
    came to, None while it is open. `event` is the cards, or one of the boards, where `scorers` are the accounts that
    entered or corrected a game; `entries` maps a team to the entry that it plays for."""

    competition: str
    regulation: str
    preset: Preset
    cancelled: str | None
    match: str
    round: int
    replaced: bool
    teams: Mapping[str, str]
    parts: Mapping[str, Collection[str] | None]
    match_closed_at: datetime | None
    round_closed_at: datetime | None
    posted_at: datetime | None
    hands: Mapping[int, Hand]
    penalties: Mapping[str, Penalty]
    closers: tuple[str, ...]
    later: Mapping[int, tuple[str, ...]]
    sheet: Sheet = Sheet()
    rulings: tuple[Remedy, ...] = ()
    result: MatchResult | None = None
    event: str = CARDS
    scorers: tuple[str, ...] = ()
    entries: Mapping[str, str] = {}

    def names(self, team: str) -> set[str]:
        """The names by which a leader's token speaks for a team of the match: its id, its entry's, its unit."""
        return {team, self.entries.get(team, team), self.teams[team]}

    def opens(self, disputed: Remedy) -> datetime | None:
        """The instant from which the window of an appeal runs that asks for this, None while it does not yet."""
        return window_opens(
            self.preset,
            Times(
                incident=self._ruled_at(disputed),
                match_closed=self.match_closed_at,
                round_closed=self.round_closed_at,
                result_posted=self.posted_at,
            ),
        )

    def closes(self, disputed: Remedy) -> datetime | None:
        """The last instant of that window, None while it has not begun to run."""
        opened = self.opens(disputed)
        return None if opened is None else window_closes(self.preset, opened)

    def _ruled_at(self, disputed: Remedy) -> datetime | None:
        """When what the appeal asks to change was ruled or entered: its penalty, its hand as it was entered or
        corrected last; of the match as a whole, when it was closed (assumed)."""
        if disputed.penalty is not None and disputed.penalty in self.penalties:
            return self.penalties[disputed.penalty].issued_at
        if disputed.hand is not None and disputed.hand in self.hands:
            return self.hands[disputed.hand].entered_at
        return self.match_closed_at


# Who, and until when


def appellant(case: Case, names: Iterable[str], own: str) -> str:
    """The team of the match that goes by one of these names (its id, its entry's, its unit). Raises NotYourMatch."""
    known = set(names)
    for team in case.teams:
        if case.names(team) & known:
            return team
    article = case.preset.appeals.appellant.article
    raise refuse.NotYourMatch(article, match=case.match, teams=", ".join(case.teams), own=own or "-")


def capacity(case: Case, team: str, given: Appellant | None) -> Appellant:
    """In what capacity a person appeals for a team: as its leader, and where it entered none, as its coach or a player
    (RULINGS, Appeals 2); where nobody says, as who may. Raises LeaderAppeals, NotEntered."""
    entered = case.parts[team] or ()
    article = case.preset.appeals.appellant.article
    if given is None:
        return "leader" if "leader" in entered else "coach" if "coach" in entered else "player"
    if given not in entered:
        raise refuse.NotEntered("/appellant", article, team=team, part=_PARTS[given])
    if given != "leader" and "leader" in entered:
        raise refuse.LeaderAppeals(article, team=team, part=_PARTS[given])
    return given


_PARTS: dict[Appellant, Text] = {
    "leader": Text("领队", "leader"),
    "coach": Text("教练员", "coach"),
    "player": Text("运动员", "player"),
}


def check_appealable(case: Case) -> None:
    """Whether there can be an appeal over this match. Raises CompetitionIsCancelled, NoSuchMatch,
    AppealsNotAllowed."""
    if case.replaced:
        raise refuse.NoSuchMatch(competition=case.competition, match=case.match)
    if case.cancelled is not None:
        raise refuse.CompetitionIsCancelled(competition=case.competition, reason=case.cancelled)
    check_allowed(case.preset)


def check_allowed(preset: Preset) -> None:
    """Raises AppealsNotAllowed."""
    if not preset.appeals.allowed.value:
        raise refuse.AppealsNotAllowed(preset.appeals.allowed.article)


def check_in_window(case: Case, disputed: Remedy, at: datetime) -> None:
    """Whether what was received at this instant, for an appeal that asks for this, is in time: the last instant is, one
    microsecond later is not; and while the window has not begun to run everything is. Raises WindowClosed, and what
    `check_appealable` does."""
    check_appealable(case)
    closes = case.closes(disputed)
    if closes is not None and not in_time(at, closes):
        raise refuse.WindowClosed(
            case.preset.appeals.window_hours.article,
            round=case.round,
            closes_at=closes,
            at=at,
            zone=case.preset.zone.value,
        )


# What a remedy may name

_FIELDS: dict[str, tuple[set[str], set[str]]] = {
    "correct_hand": ({"hand", "facts"}, set()),
    "annul_hand": ({"hand"}, set()),
    "impose_penalty": ({"hand", "pair", "code"}, {"cards"}),
    "lift_penalty": ({"penalty"}, set()),
    "award_match": ({"team"}, set()),
    "replay_match": (set(), set()),
    "disqualify_team": ({"team"}, set()),
    "none": (set(), set()),
}
"""The fields that a kind of remedy needs, and those that it may have besides."""


def check_remedy(case: Case, remedy: Remedy, pointer: str) -> None:
    """Whether a remedy has the fields of its kind, names what the match has, and can stand under the regulation, by
    itself and with all else that counts in the match: what match could not apply must not be decided. Raises
    RemedyNotInOrder, pointing below `pointer`."""
    _check_fields(remedy, pointer)
    if case.replaced and remedy.kind != "none":
        raise _wrong(f"{pointer}/kind", "本场已作废，不能再改变。", "The match was replaced; nothing can change it.")
    _check_names(case, remedy, pointer)
    try:
        _check_rules(case, remedy)
    except RuleError as error:
        raise _wrong(f"{pointer}{_field(remedy, error)}", error.said.zh, error.said.en, error.article) from error


def _check_fields(remedy: Remedy, pointer: str) -> None:
    needed, besides = _FIELDS[remedy.kind]
    given = {name for name in remedy.__struct_fields__ if name != "kind" and getattr(remedy, name) is not None}
    for name in sorted(needed - given):
        raise _wrong(f"{pointer}/{name}", f"{remedy.kind} 须写明 {name}。", f"{remedy.kind} needs {name}.")
    for name in sorted(given - needed - besides):
        raise _wrong(f"{pointer}/{name}", f"{remedy.kind} 不带 {name}。", f"{remedy.kind} takes no {name}.")


def _check_names(case: Case, remedy: Remedy, pointer: str) -> None:
    hand, penalty = remedy.hand or 0, remedy.penalty
    if case.event != CARDS and remedy.kind in OF_PLAY:
        raise _wrong(
            f"{pointer}/kind",
            "棋类比赛没有牌局与判罚；录入有误的对局由裁判长更正。",
            "A match at a board has no hands and penalties; a game entered wrongly is corrected by the chief referee.",
        )
    if remedy.kind in ("correct_hand", "annul_hand"):
        if hand not in case.hands:
            raise _wrong(f"{pointer}/hand", f"本场没有第 {hand} 局。", f"The match has no hand {hand}.")
        if case.hands[hand].annulled:
            raise _wrong(f"{pointer}/hand", f"第 {hand} 局已被取消。", f"Hand {hand} is annulled.")
    if remedy.kind == "impose_penalty" and not 1 <= hand <= max(case.hands, default=0) + 1:
        raise _wrong(f"{pointer}/hand", f"本场没有第 {hand} 局。", f"The match has no hand {hand}.")
    if penalty is not None and penalty not in case.penalties:
        raise _wrong(f"{pointer}/penalty", f"本场没有判罚 {penalty}。", f"The match has no penalty {penalty}.")
    if penalty is not None and case.penalties[penalty].lifted:
        raise _wrong(f"{pointer}/penalty", f"判罚 {penalty} 已撤销。", f"Penalty {penalty} is lifted already.")
    if remedy.team is not None and remedy.team not in case.teams:
        raise _wrong(f"{pointer}/team", f"队伍 {remedy.team} 不在本场。", f"Team {remedy.team} is not in the match.")


def _check_rules(case: Case, remedy: Remedy) -> None:
    if remedy.kind == "correct_hand" and remedy.facts is not None and remedy.hand is not None:
        facts = remedy.facts
        check_hand(
            case.preset,
            HandFact(
                number=remedy.hand,
                dealer_seat=facts.dealer,
                points=facts.points,
                trump=facts.trump,
                levels=facts.levels,
            ),
        )
    if remedy.kind == "impose_penalty" and remedy.code and remedy.pair and remedy.hand:
        priced = price(case.preset, remedy.code, remedy.cards)
        played = case.hands.get(remedy.hand)
        check_penalty(
            case.preset,
            PenaltyFact(
                id="",
                code=remedy.code,
                hand=remedy.hand,
                pair=remedy.pair,
                points=priced.points,
                effects=priced.effects,
            ),
            pair_of(played.dealer) if played else None,
        )
    judged = with_remedies(case.preset, case.sheet, (*case.rulings, remedy))
    resum(case.preset, judged.hands, judged.penalties)


def _field(remedy: Remedy, error: RuleError) -> str:
    """Where in the remedy a rule finds fault."""
    field = (error.field or "").replace("dealer_seat", "dealer").replace(".", "/")
    if remedy.kind == "correct_hand":
        return f"/facts/{field}" if field.partition("/")[0] in HandFacts.__struct_fields__ else "/facts"
    return f"/{field}" if field in Remedy.__struct_fields__ else ""


def _wrong(pointer: str, zh: str, en: str, article: str | None = None) -> refuse.RemedyNotInOrder:
    return refuse.RemedyNotInOrder(pointer, article, what=Text(zh, en))


# Who may not decide


def check_committee(case: Case, members: Iterable[CommitteeMember], actor: str, *remedies: Remedy) -> None:
    """Whether these people may sit and this account may record what they say, given what is asked for or ordered.
    Raises MemberOfATeamsUnit, RefereeOfTheRuling (RULINGS, Appeals 7)."""
    article = case.preset.appeals.decided_by.article
    units = {_tidy(unit) for unit in case.teams.values()}
    referees = {account for remedy in remedies for account in disputed_accounts(case, remedy)}
    for number, member in enumerate(members):
        if _tidy(member.unit) in units:
            pointer = f"/members/{number}/unit"
            raise refuse.MemberOfATeamsUnit(pointer, article, account=member.account, unit=member.unit)
        if member.account in referees:
            raise refuse.RefereeOfTheRuling(f"/members/{number}/account", article, account=member.account)
    if actor in referees:
        raise refuse.RefereeOfTheRuling("", article, account=actor)


def disputed_accounts(case: Case, remedy: Remedy) -> tuple[str, ...]:
    """The accounts whose entry or ruling the remedy would change: those of the hand or the penalty it names, and where
    it concerns the whole match, all of the match."""
    if remedy.penalty is not None and remedy.penalty in case.penalties:
        return (case.penalties[remedy.penalty].account,)
    if remedy.hand is not None and remedy.hand in case.hands:
        return case.hands[remedy.hand].accounts
    hands = (account for hand in case.hands.values() for account in hand.accounts)
    penalties = (penalty.account for penalty in case.penalties.values())
    return tuple(dict.fromkeys([*hands, *penalties, *case.scorers, *case.closers]))


def _tidy(text: str) -> str:
    """A unit's name as registration keeps it."""
    return " ".join(unicodedata.normalize("NFKC", text).split())
