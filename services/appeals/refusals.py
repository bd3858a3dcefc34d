"""What the appeals desk refuses, and why."""

from __future__ import annotations

from shared.contracts.refusal import Invalid, NotAllowed, NotFound, Refused

# What there is not


class NoSuchCompetition(
    NotFound,
    zh=("没有这项赛事", "没有编号为 {competition} 的赛事。"),
    en=("No such competition", "There is no competition {competition}."),
):
    """The competition was never announced."""


class NoSuchMatch(
    NotFound,
    zh=("没有这场比赛", "赛事 {competition} 现行的对阵中没有比赛 {match}。"),
    en=("No such match", "The pairings of competition {competition}, as they stand, have no match {match}."),
):
    """The match was never paired, or its round was paired anew."""


class NoSuchTeam(
    NotFound,
    zh=("没有这支队伍", "赛事 {competition} 没有队伍 {team}。"),
    en=("No such team", "Competition {competition} has no team {team}."),
):
    """The team does not take part."""


class NoSuchAppeal(
    NotFound,
    zh=("没有这份申诉", "赛事 {competition} 没有申诉 {appeal}。"),
    en=("No such appeal", "Competition {competition} has no appeal {appeal}."),
):
    """The appeal was never begun."""


class NoDeposit(
    NotFound,
    zh=("没有申诉费", "申诉 {appeal} 没有登记过申诉费。"),
    en=("No deposit", "No deposit was entered for appeal {appeal}."),
):
    """A receipt is to be confirmed that nobody entered."""


# Whether there can be an appeal


class AppealsNotAllowed(
    Refused,
    zh=("本规程不设申诉", "本赛事的规程不设申诉；不收取申诉费。"),
    en=("No appeals", "The regulation of this competition has no appeals; no money is taken."),
):
    """The regulation leaves the ruling to the hall."""


class CompetitionIsCancelled(
    Refused,
    zh=("赛事已取消", "赛事 {competition} 已取消：{reason}"),
    en=("Competition is cancelled", "Competition {competition} is cancelled: {reason}"),
):
    """There is nothing left to appeal against."""


class NotYourMatch(
    NotAllowed,
    zh=("不是本队的比赛", "只有参加比赛 {match} 的队伍（{teams}）的领队才能对它提出申诉；令牌属于 {own}。"),
    en=(
        "Not your match",
        "Only the leader of a team in match {match} ({teams}) may appeal over it; this token is for {own}.",
    ),
):
    """Another team's leader."""


class LeaderAppeals(
    NotAllowed,
    zh=("须由领队申诉", "队伍 {team} 报有领队，申诉须由领队提出，不能由{part}提出。"),
    en=("The leader appeals", "Team {team} entered a leader, who alone appeals for it; its {part} does not."),
):
    """A coach or a player appeals only for a team that entered no leader (RULINGS, Appeals 2)."""


class NotEntered(
    Invalid,
    zh=("没有报这类人员", "队伍 {team} 的报名中没有{part}。"),
    en=("Not entered", "The entry of team {team} has no {part}."),
):
    """Someone appeals in a capacity that nobody of the team has."""


class WindowClosed(
    Refused,
    zh=("申诉已逾期", "第 {round} 轮的申诉时限已于 {closes_at} 截止（收到时间 {at}）；逾期不予受理，不收取申诉费。"),
    en=(
        "Too late to appeal",
        "The window of round {round} closed at {closes_at} (this was received at {at}); no money is taken.",
    ),
):
    """Out of time: one microsecond is enough."""

    slug = "appeal-late"


class DepositAfterReport(
    Refused,
    zh=("申诉费迟于书面报告", "本规程要求申诉费与书面报告同时提交；报告已于 {report_at} 收到。"),
    en=("Deposit after the report", "The deposit is due with the written report, which was received at {report_at}."),
):
    """The regulation wants both at once."""


class AppealsWaived(
    Refused,
    zh=("已放弃申诉", "队伍 {team} 已书面放弃对第 {round} 轮的申诉。"),
    en=("Appeals waived", "Team {team} has waived, in writing, appeals over round {round}."),
):
    """The team gave up what it now asks for."""


# Receipts


class ReceivedInFuture(
    Invalid,
    zh=("收到时间在将来", "收到时间 {at} 晚于现在（{now}）。"),
    en=("Received in the future", "The time of receipt {at} is later than now ({now})."),
):
    """Nothing can have been handed over yet."""


class TimeOutOfRange(
    Invalid,
    zh=("时间超出历法", "{at} 换算成世界时后超出历法范围。"),
    en=("Time out of range", "{at} lies outside the calendar once it is converted to UTC."),
):
    """No such instant."""


class PaperNeedsTimeAndReason(
    Invalid,
    zh=("补登须写明时间与理由", "由赛会代为登记时，须写明收到时间和代为登记的理由。"),
    en=("Time and reason needed", "What the desk enters for a team needs the time of receipt and the reason."),
):
    """A paper over the counter: its time is entered, with the reason (RULINGS, Appeals 1)."""


class TeamNeeded(
    Invalid,
    zh=("须写明队伍", "由赛会代为提出或登记时，须写明是哪支队伍。"),
    en=("Team needed", "What the desk does for a team names the team."),
):
    """The desk speaks for every team, so it says for which."""


class TimeIsTheServers(
    Invalid,
    zh=("时间以服务器为准", "领队在线提交时，收到时间以服务器时钟为准，不能自行填写；纸质材料请交赛会登记。"),
    en=("The server's time counts", "What a leader sends is received by the server's clock; papers go to the desk."),
):
    """A leader names a time of receipt."""


class ReportAlreadyReceived(
    Refused,
    zh=("书面报告已收到", "申诉 {appeal} 盖章的书面报告已于 {at} 收到。"),
    en=("Report is there already", "The sealed report of appeal {appeal} was received at {at}."),
):
    """One sealed report is enough."""


class AlreadyLodged(
    Refused,
    zh=("申诉已成立", "申诉 {appeal} 已经成立，不再需要报告或申诉费。"),
    en=("Lodged already", "Appeal {appeal} is lodged; it needs no report or deposit any more."),
):
    """Nothing is missing."""


class NoDepositAsked(
    Refused,
    zh=("不收申诉费", "本规程不收申诉费。"),
    en=("No deposit is asked", "The regulation asks for no deposit."),
):
    """Money that nobody may take."""


class WrongAmount(
    Invalid,
    zh=("申诉费金额不符", "申诉费应为 {due} 元（amount_fen 以分计：{due_fen}），收到的是 {amount} 元。"),
    en=("Wrong amount", "The deposit is {due} yuan (amount_fen, in fen: {due_fen}); {amount} yuan were given."),
):
    """Neither more nor less."""


class DepositAlreadyReceived(
    Refused,
    zh=("申诉费已登记", "申诉 {appeal} 的申诉费已由 {by} 登记。"),
    en=("Deposit is entered already", "The deposit of appeal {appeal} was entered by {by}."),
):
    """Money is taken once."""


class DepositAlreadyConfirmed(
    Refused,
    zh=("申诉费已确认", "申诉 {appeal} 的申诉费已由 {by} 确认。"),
    en=("Deposit is confirmed already", "The deposit of appeal {appeal} was confirmed by {by}."),
):
    """One confirmation is enough."""


class DepositIsSettled(
    Refused,
    zh=("申诉费已了结", "申诉 {appeal} 的申诉费已经退还或不予退还。"),
    en=("Deposit is settled", "The deposit of appeal {appeal} was refunded or kept."),
):
    """The money has gone where it goes."""


class SecondPersonNeeded(
    NotAllowed,
    zh=("须由另一人确认", "申诉费由 {by} 登记，须由另一人确认。"),
    en=("Another person must confirm", "{by} entered the deposit; another person must confirm it."),
):
    """Two people for money (RULINGS, Appeals 9)."""


class MomentInFuture(
    Invalid,
    zh=("时刻未到", "{at} 尚未到来（现在是 {now}）。"),
    en=("That moment is to come", "{at} is still to come (it is {now})."),
):
    """Nobody knows yet how the books will stand."""


# The life of an appeal


class AppealIsOver(
    Refused,
    zh=("申诉已终结", "申诉 {appeal} 已不予受理或已撤回。"),
    en=("Appeal is over", "Appeal {appeal} was refused or withdrawn."),
):
    """Nothing more can happen to it."""


class AlreadyDecided(
    Refused,
    zh=("申诉已裁决", "申诉 {appeal} 已经裁决（{outcome}）。"),
    en=("Already decided", "Appeal {appeal} is decided ({outcome})."),
):
    """A decision is given once."""


class NotLodgedYet(
    Refused,
    zh=("申诉尚未成立", "盖章的书面报告和申诉费都送达后，申诉 {appeal} 才成立。"),
    en=("Not lodged yet", "Appeal {appeal} is lodged once sealed report and deposit are both there."),
):
    """A draft is no appeal."""


class StillInTime(
    Refused,
    zh=("时限未过", "申诉 {appeal} 尚未成立，但仍在时限内，不能不予受理。"),
    en=("Still in time", "Appeal {appeal} is not lodged, but its window is open: it cannot be refused yet."),
):
    """A draft is refused only when it cannot be lodged any more."""


class AlreadyAccepted(
    Refused,
    zh=("申诉已受理", "申诉 {appeal} 已经受理。"),
    en=("Accepted already", "Appeal {appeal} is accepted already."),
):
    """Its form is settled."""


class NotAcceptedYet(
    Refused,
    zh=("申诉尚未受理", "申诉 {appeal} 受理之后才能听取陈述。"),
    en=("Not accepted yet", "Appeal {appeal} is heard only once it is accepted."),
):
    """First the form, then the hearing."""


class NotHeardYet(
    Refused,
    zh=("尚未听取陈述", "听取双方陈述之后才能裁决申诉 {appeal}。"),
    en=("Not heard yet", "Appeal {appeal} is decided only once it was heard."),
):
    """First the hearing, then the decision."""


# Committee and decision


class MemberOfATeamsUnit(
    Invalid,
    zh=("须回避", "{account} 属于 {unit}，是当事队伍的单位，须回避。"),
    en=("Conflict of interest", "{account} belongs to {unit}, the unit of a team in this match."),
):
    """A member of either team's unit cannot decide (RULINGS, Appeals 7)."""


class RefereeOfTheRuling(
    Invalid,
    zh=("裁判须回避", "{account} 作出了被申诉的记录或判罚，须回避。"),
    en=("The referee appealed against", "{account} made the entry or ruling that is appealed against."),
):
    """The referee whose ruling is appealed cannot decide (RULINGS, Appeals 7)."""


class SitsTwice(
    Invalid,
    zh=("重复列名", "{account} 列了两次。"),
    en=("Named twice", "{account} is named twice."),
):
    """One person has one voice."""


class NotOfTheCommittee(
    Invalid,
    zh=("不是指定的委员", "{account} 不在为本申诉指定的委员之列（单位亦须相符）。"),
    en=("Not of the committee", "{account} is not of the committee that was named for this appeal, in that unit."),
):
    """Once a committee is named, nobody else sits."""


class NoQuorum(
    Invalid,
    zh=("人数不足", "须有 {quorum} 名委员出席，现为 {present} 名。"),
    en=("No quorum", "{quorum} members must sit; these are {present}."),
):
    """Too few of the committee."""


class QuorumImpossible(
    Invalid,
    zh=("法定人数过大", "只指定了 {members} 名委员，不能要求 {quorum} 名出席。"),
    en=("Quorum is impossible", "{members} members are named; {quorum} cannot sit."),
):
    """More must sit than there are."""


class DateIsPast(
    Invalid,
    zh=("期限已过", "裁决期限 {at} 须在现在（{now}）之后。"),
    en=("That date is past", "The date to decide by, {at}, must come after now ({now})."),
):
    """A date that nobody can keep."""


class ReasonNeeded(
    Invalid,
    zh=("须说明理由", "重新指定委员须说明理由（例如回避）。"),
    en=("Reason needed", "A committee is named anew for a reason, such as a conflict of interest."),
):
    """Who decides is not changed without a word."""


class NotTogether(
    Invalid,
    zh=("不能合并听取", "申诉 {appeal} 不是另一份已受理的、针对比赛 {match} 的申诉，不能合并听取。"),
    en=("Not together", "Appeal {appeal} is not another accepted one over match {match}; they are not heard together."),
):
    """Only appeals over one match are heard together (RULINGS, Appeals 3)."""


# Evidence


class NoSuchEvidence(
    NotFound,
    zh=("没有这份证据", "申诉 {appeal} 没有证据 {evidence}，或已撤下。"),
    en=("No such evidence", "Appeal {appeal} has no evidence {evidence}, or it was struck."),
):
    """It was never filed, or is not considered any more."""


class NoSuchFile(
    NotFound,
    zh=("没有文件", "证据 {evidence} 没有文件。"),
    en=("No file", "Evidence {evidence} has no file."),
):
    """It names an event of the log."""


class NoSuchEvent(
    Invalid,
    zh=("没有这个事件", "本赛事的比赛日志中没有事件 {event}。"),
    en=("No such event", "The log of this competition's matches has no event {event}."),
):
    """A reference must lead somewhere."""


class NotThatKindOfFile(
    Invalid,
    zh=("文件类型不符", "证据文件应为 {allowed}；内容看来是 {found}。"),
    en=("Not that kind of file", "Evidence is {allowed}; the content looks like {found}."),
):
    """The bytes are not what the sender says."""


class TooMuchEvidence(
    Refused,
    zh=("证据过多", "一份申诉最多提交 {most} 份证据。"),
    en=("Too much evidence", "An appeal takes {most} pieces of evidence."),
):
    """Nobody would read more."""


class NotYourEvidence(
    NotAllowed,
    zh=("不是您提交的证据", "证据 {evidence} 由 {by} 提交；只有提交的队伍或申诉台可以撤下。"),
    en=("Not your evidence", "Evidence {evidence} was filed by {by}; its team strikes it, or the desk."),
):
    """Nobody takes another's evidence away."""


# The decision


class RemedyNeeded(
    Invalid,
    zh=("裁决须写明补救措施", "支持或部分支持的裁决须写明补救措施（可以是 none）。"),
    en=("Remedy needed", "A decision that upholds, wholly or in part, names a remedy (which may be `none`)."),
):
    """What is upheld must lead to something, or say that it does not."""


class NoRemedyWhenDismissed(
    Invalid,
    zh=("驳回没有补救措施", "驳回的裁决不改变比赛，不得附补救措施或后续轮次的处理。"),
    en=("Dismissed has no remedy", "A dismissal changes nothing: it takes neither remedy nor later."),
):
    """A dismissal lets the result stand."""


class RemedyNotNamed(
    Invalid,
    zh=("须写明补救措施", "查询参数中有补救措施的内容，但没有写明是哪一种（remedy）。"),
    en=("Remedy not named", "The query has parts of a remedy, but does not say which kind it is (remedy)."),
):
    """What is to be tried has no kind."""


class RemedyNotInOrder(
    Invalid,
    zh=("补救措施有误", "{what}"),
    en=("Remedy is not in order", "{what}"),
):
    """A field is missing, is one too many, or names what the match does not have."""


class LaterRoundsRestOnIt(
    Refused,
    zh=(
        "须决定后续轮次",
        (
            '以下比赛的编排以本场为依据：{matches}。裁决须在 later 中写明维持（{{"choice": "let_stand"}}）'
            '或从某轮重赛（{{"choice": "replay_from", "round": N}}）。'
        ),
    ),
    en=(
        "Later rounds rest on it",
        (
            "These matches rest on the changed one: {matches}. The decision must say in later "
            '{{"choice": "let_stand"}} or {{"choice": "replay_from", "round": N}}.'
        ),
    ),
):
    """A remedy never re-pairs by itself (RULINGS, Appeals 6)."""


class LaterNotInOrder(
    Invalid,
    zh=("后续轮次的处理有误", "replay_from 须指明本场之后已编排的一轮（{rounds}）；let_stand 不带轮次。"),
    en=("Later is not in order", "replay_from names a later round that is paired ({rounds}); let_stand names none."),
):
    """The decision names a round that does not rest on the match."""


# Waivers


class RoundNotClosed(
    Refused,
    zh=("该轮未结束", "第 {round} 轮尚未结束，不能放弃对它的申诉。"),
    en=("Round is not closed", "Round {round} is not closed; appeals over it cannot be waived yet."),
):
    """Nobody waives what is not known."""


class AlreadyWaived(
    Refused,
    zh=("已经放弃", "队伍 {team} 已放弃对第 {round} 轮及以前各轮的申诉。"),
    en=("Waived already", "Team {team} has waived appeals up to round {round}."),
):
    """It adds nothing."""


class ReferenceNeeded(
    Invalid,
    zh=("须写明书面材料", "赛会代队伍登记放弃或撤回申诉时，须写明书面材料的编号。"),
    en=("Reference needed", "A waiver or a withdrawal that the desk enters for a team names the paper."),
):
    """What a team gives up it gives up in writing."""
