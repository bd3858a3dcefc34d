"""What match refuses, and why."""

from __future__ import annotations

from shared.contracts.refusal import Invalid, NotFound, Refused

# What is not there


class NoSuchCompetition(
    NotFound,
    zh=("没有这项赛事", "比赛服务中没有赛事 {competition}；若刚公布，请稍后再试。"),
    en=("No such competition", "Match knows no competition {competition}; if it was just announced, try again."),
):
    """Never announced, or its announcement has not arrived here."""


class NoSuchAttempt(
    NotFound,
    zh=("没有这次编排", "第 {round} 轮没有第 {attempt} 次编排；共编排 {attempts} 次。"),
    en=("No such attempt", "Round {round} has no attempt {attempt}; it was paired {attempts} times."),
):
    """The round was never paired so often."""


class NoSuchRound(
    NotFound,
    zh=("没有这一轮", "赛事 {competition} 还没有第 {round} 轮。"),
    en=("No such round", "Competition {competition} has no round {round} yet."),
):
    """The round was not paired."""


class NoSuchMatch(
    NotFound,
    zh=("没有这场比赛", "赛事 {competition} 没有编号为 {match} 的比赛。"),
    en=("No such match", "Competition {competition} has no match {match}."),
):
    """No pairing names it."""


class NoSuchHand(
    NotFound,
    zh=("没有这副牌", "比赛 {match} 没有第 {hand} 副牌；已录入 {entered} 副。"),
    en=("No such hand", "Match {match} has no hand {hand}; {entered} are entered."),
):
    """The hand was not entered."""


class NoSuchPenalty(
    NotFound,
    zh=("没有这项处罚", "比赛 {match} 没有编号为 {penalty} 的处罚。"),
    en=("No such penalty", "Match {match} has no penalty {penalty}."),
):
    """The penalty was not issued."""


class NoSuchTeam(
    NotFound,
    zh=("没有这支队伍", "赛事 {competition} 没有队伍 {team}。"),
    en=("No such team", "Competition {competition} has no team {team}."),
):
    """The team did not enter, or is not in this match."""


# Draws


class CompetitionIsCancelled(
    Refused,
    zh=("赛事已取消", "赛事 {competition} 已取消，不再进行。"),
    en=("Competition is cancelled", "Competition {competition} is cancelled."),
):
    """Nothing more is played."""


class SeedAlreadyCommitted(
    Refused,
    zh=("种子已承诺", "抽签种子的承诺值 {commitment} 已经公布，不能更换。"),
    en=("Seed committed already", "The commitment {commitment} is published; the seed cannot be replaced."),
):
    """A seed is committed once."""


class SeedTooLate(
    Refused,
    zh=("种子公布过晚", "抽签种子的承诺必须在报名截止之前公布，而报名已经截止。"),
    en=("Seed too late", "A draw's seed is committed before entries close, and they are closed."),
):
    """After the entries are known, a seed could have been chosen."""


class SeedNotCommitted(
    Refused,
    zh=("尚未承诺种子", "赛事 {competition} 尚未公布抽签种子的承诺；须在报名截止之前公布（POST …/seeds）。"),
    en=(
        "No seed committed",
        "No seed is committed for {competition}; it is committed before entries close (POST …/seeds).",
    ),
):
    """Without a commitment nobody could check the draw."""


class SeedLost(
    Refused,
    zh=("种子已丢失", "赛事 {competition} 的抽签种子不在密钥库中，无法抽签。"),
    en=("Seed is lost", "The seed of {competition} is not among the secrets; the draw cannot be made."),
):
    """The secret store has lost what was committed."""


class EntriesStillOpen(
    Refused,
    zh=("报名尚未截止", "赛事 {competition} 的报名尚未截止，不能抽签。"),
    en=("Entries are open", "Entries for {competition} are not closed; lots cannot be drawn."),
):
    """The field is not known yet."""


class TooFewTeams(
    Refused,
    zh=("队伍不足", "只有 {teams} 队报名，无法编排。"),
    en=("Too few teams", "Only {teams} teams entered; nothing can be paired."),
):
    """Less than two teams."""


class AlreadyDrawn(
    Refused,
    zh=("已经抽签", "赛事 {competition} 已经抽签，不能重抽。"),
    en=("Drawn already", "Lots were drawn for {competition}; they are not drawn again."),
):
    """A draw is made once."""


class DrawImpossible(
    Refused,
    zh=("无法抽签", "{reason}。"),
    en=("No draw can be made", "{reason}."),
):
    """The lots of the hall are no draw, or there are too few teams for one."""


class StageNotDrawn(
    Refused,
    zh=("下一阶段尚未抽签", "{reason}（POST …/draws）。"),
    en=("The next stage is not drawn", "{reason} (POST …/draws)."),
):
    """A stage is paired from its draw."""


# Rounds and their clock


class NotTheLastRound(
    Refused,
    zh=("不是最后一轮", "第 {round} 轮之后已编排到第 {last} 轮；只能撤销最后一轮的编排。"),
    en=("Not the last round", "Round {last} is paired after round {round}; only the last round can be undone."),
):
    """Later rounds rest on it."""


class RoundHasBegun(
    Refused,
    zh=("本轮已开始", "第 {round} 轮已开始（台：{tables}），不能撤销编排。"),
    en=("Round has begun", "Round {round} has begun (tables: {tables}); its pairing cannot be undone."),
):
    """What was played is not undone."""


class NoSuchOrder(
    NotFound,
    zh=("没有这项指定", "没有关于 {teams} 的指定或禁止。"),
    en=("No such order", "No order about {teams} holds."),
):
    """The pair is neither fixed nor forbidden."""


class WinnerNeeded(
    Refused,
    zh=("须决出胜者", "比赛 {match} 双方相等，而淘汰赛须有一方晋级。"),
    en=("A winner is needed", "Match {match} is equal, and in a knock-out one side goes on."),
):
    """A bracket has no draws."""


class ExtraHandDue(
    Refused,
    zh=("同分须加赛", "台 {tables} 合计得分相同，须各加赛一副（POST …/extra-hands）。"),
    en=(
        "One more hand is due",
        "Tables {tables} are equal in all: each plays one more hand (POST …/extra-hands).",
    ),
):
    """Equal points are played on until decided."""


class NoExtraHand(
    Refused,
    zh=("无须加赛", "第 {round} 轮没有各桌打完而得分相同的场次。"),
    en=("No extra hand is due", "In round {round} no match is equal after the last hand at each of its tables."),
):
    """Only equal points are played on."""


class HandsRemain(
    Refused,
    zh=("尚未打满", "比赛 {match} 已录入 {entered} 副，应打 {due} 副。"),
    en=("Hands remain", "Match {match} has {entered} hands; {due} are played."),
):
    """The number of hands ends the match."""


class HandNotDue(
    Refused,
    zh=("已打满", "比赛 {match} 共打 {last} 副，没有第 {hand} 副。"),
    en=("Hand is not due", "Match {match} has {last} hands; there is no hand {hand}."),
):
    """More hands than the regulation has were sent."""


class LaterRoundsRest(
    Refused,
    zh=("后续轮次以此为据", "比赛 {match} 的胜者在第 {round} 轮之后已有对阵；须先撤销其编排，或由裁决说明后续如何。"),
    en=(
        "Later rounds rest on it",
        "The winner of {match} plays after round {round}; undo that, or have it ruled.",
    ),
):
    """Rounds already paired are not paired anew behind their back."""


class NotDrawn(
    Refused,
    zh=("尚未抽签", "赛事 {competition} 尚未抽签。"),
    en=("Not drawn yet", "Lots were not drawn for {competition} yet."),
):
    """Nothing can be paired before the draw."""


class RoundIsOpen(
    Refused,
    zh=("本轮未结束", "第 {round} 轮尚未结束。"),
    en=("Round is open", "Round {round} is not closed yet."),
):
    """The next step needs this round closed."""


class AlreadyPosted(
    Refused,
    zh=("成绩已公布", "第 {round} 轮的成绩已于 {at} 公布。"),
    en=("Posted already", "The results of round {round} were posted at {at}."),
):
    """Results are posted once each time that their round is closed."""


class RoundIsClosed(
    Refused,
    zh=("本轮已结束", "第 {round} 轮已经结束；须由裁判长重开。"),
    en=("Round is closed", "Round {round} is closed; only the chief referee can reopen it."),
):
    """The round is over."""


class AllRoundsPaired(
    Refused,
    zh=("轮次已满", "规程规定 {planned} 轮，均已编排。"),
    en=("All rounds are paired", "The regulation has {planned} rounds; all are paired."),
):
    """There is no next round."""


class PairingImpossible(
    Refused,
    zh=("无法编排", "本轮无法编排：{reason}"),
    en=("Round cannot be paired", "This round cannot be paired: {reason}"),
):
    """No pairing exists under the constraints."""


class OpenMatches(
    Refused,
    zh=("尚有比赛未结束", "第 {round} 轮尚有未结束的比赛，台号：{tables}。"),
    en=("Matches are open", "Round {round} has open matches at tables {tables}."),
):
    """A round closes when its last table has."""


class TimeNotUp(
    Refused,
    zh=("时间未到", "第 {round} 轮的时间到 {until} 为止（暂停时顺延）；提前宣布时间到须说明理由。"),
    en=(
        "Time is not up",
        "The time of round {round} runs until {until}, longer where it is paused; to call it earlier give a reason.",
    ),
):
    """The regulation gives every table its whole time."""


class ClockRuns(
    Refused,
    zh=("计时已开始", "第 {round} 轮的计时正在进行。"),
    en=("Clock runs", "The clock of round {round} runs."),
):
    """What runs is not started."""


class ClockStands(
    Refused,
    zh=("计时未进行", "第 {round} 轮的计时尚未开始，或已暂停。"),
    en=("Clock stands", "The clock of round {round} was not started, or is paused."),
):
    """What stands is not paused."""


class TimeAlreadyCalled(
    Refused,
    zh=("已宣布时间到", "第 {round} 轮已宣布时间到。"),
    en=("Time was called", "Time was called for round {round} already."),
):
    """Time is called once a round."""


class NoTimeCall(
    Refused,
    zh=("没有宣布时间到", "第 {round} 轮没有宣布过时间到，无可撤销。"),
    en=("No time call", "Time was not called for round {round}: there is no call to lift."),
):
    """What was not done is not undone."""


class MatchesClosedSince(
    Refused,
    zh=("已有比赛结束", "第 {round} 轮宣布时间到之后，台 {tables} 已结束比赛；先结束本轮，再由裁判长重开。"),
    en=(
        "Matches were closed since",
        "Since time was called for round {round}, tables {tables} were closed; close the round and reopen it for them.",
    ),
):
    """What they came to rests on the call."""


class TimeNotCalled(
    Refused,
    zh=("时间未到", "第 {round} 轮未宣布时间到，且没有一方打过 A；比赛不能结束。"),
    en=("Time was not called", "Time was not called for round {round} and nobody has passed A: the match goes on."),
):
    """A match ends by passing A or by time."""


class TopNotPassed(
    Refused,
    zh=("尚未打过 A", "比赛 {match} 不计时，须有一方打过 A 才能结束。"),
    en=("A is not passed", "Match {match} is untimed: it ends when a pair has passed A."),
):
    """From the last eight on no clock ends a match."""


class RoundIsUntimed(
    Refused,
    zh=("本轮不计时", "第 {round} 轮各场不计时，不宣布时间到。"),
    en=("Round is untimed", "No match of round {round} is played by the clock: time is not called."),
):
    """There is no time to call."""


# Hands after time is called


class NoUnfinishedHand(
    Refused,
    zh=("尚未宣布时间到", "第 {round} 轮对比赛 {match} 尚未宣布时间到；宣布后再说明当时打到哪一副、进行到哪一步。"),
    en=(
        "Time was not called",
        "Time was not called for match {match} of round {round}: how far its hand was is said afterwards.",
    ),
):
    """What was in play when time was called is known once it was."""


class PhaseInvalid(
    Invalid,
    zh=("没有这一步", "本项比赛的一副牌没有“{phase}”这一步；可填：{phases}。"),
    en=("No such phase", "A hand of this game has no phase {phase}; it has {phases}."),
):
    """掼蛋 has no kitty to bury."""


class UnfinishedHandDiffers(
    Invalid,
    zh=("与先前所说不同", "比赛 {match} 已说明时间到时第 {hand} 副进行到 {phase}；改说须附理由。"),
    en=("Said otherwise before", "Of match {match} it was said that hand {hand} was at {phase}; to change it say why."),
):
    """Which hands count hangs on it, so it is not changed without a word."""


class UnfinishedHandUnknown(
    Refused,
    zh=(
        "须先说明时间到时的牌局",
        "已宣布时间到，尚未说明比赛 {match} 当时打到哪一副；先说明（POST …/unfinished-hands），再交第 {hand} 副。",
    ),
    en=(
        "Say first how far the hand was",
        (
            "Time was called, and nobody has said which hand of match {match} was in play and how far; say so "
            "(POST …/unfinished-hands), then send hand {hand}."
        ),
    ),
):
    """A hand that comes late was over when time was called, or was begun afterwards: only the table knows."""


class HandOutOfTime(
    Refused,
    zh=("不在时间内", "比赛 {match} 按规程录到第 {last} 副为止；第 {hand} 副在宣布时间到时尚未打完，不计。"),
    en=(
        "Hand is out of time",
        "By the regulation match {match} ends with hand {last}; hand {hand} was not over when time was called.",
    ),
):
    """What becomes of a hand in play is the regulation's."""


class HandsOutstanding(
    Refused,
    zh=("尚有牌局未录入", "比赛 {match} 已录入 {entered} 副，按时间到时的说明应有 {due} 副；请先录入。"),
    en=(
        "Hands are outstanding",
        "Match {match} has {entered} hands; by what was said when time was called it has {due}. Enter them first.",
    ),
):
    """A hand that is finished after time, and what a phone still holds, count too."""


# Matches and their hands


class NotLateEnough(
    Refused,
    zh=("未超过迟到时限", "{team} 迟到 {minutes} 分钟；超过 {limit} 分钟方按弃权处理。"),
    en=("Not late enough", "{team} is {minutes} minutes late; only more than {limit} forfeit."),
):
    """The regulation says how late is too late."""


class MatchIsClosed(
    Refused,
    zh=("本场已结束", "比赛 {match} 已结束；如需更改，须由裁判长重开该轮。"),
    en=("Match is closed", "Match {match} is closed; to change it the chief referee must reopen its round."),
):
    """A closed match changes only after its round was reopened for it."""


class MatchIsWon(
    Refused,
    zh=("本场已分胜负", "比赛 {match} 在第 {hand} 副已有一方打过 A，不再录入新的一副。"),
    en=("Match is won", "In match {match} a pair passed A in hand {hand}; no further hand is entered."),
):
    """There is no hand after the win."""


class HandAlreadyEntered(
    Refused,
    zh=("这副牌已录入", "比赛 {match} 第 {hand} 副已录入；如有错误，请更正并说明理由。"),
    en=("Hand entered already", "Hand {hand} of match {match} is entered; if it is wrong, correct it with a reason."),
):
    """A hand is entered once."""


class HandEqualsAnother(
    Refused,
    zh=(
        "与另一副相同",
        "比赛 {match} 第 {hand} 副与第 {other} 副的录入完全相同；或为同一副录了两次。如确实如此，请附 equals_another。",
    ),
    en=(
        "Equal to another hand",
        (
            "Hand {hand} of match {match} is the same as hand {other}: perhaps one was entered twice. If both were "
            "played so, say equals_another."
        ),
    ),
):
    """One hand under two numbers is a common slip; two equal hands are rare, and then said to be so."""


class HandsInConflict(
    Refused,
    zh=("有两种录入", "比赛 {match} 第 {hands} 副有不同的录入，须先由裁判长选定（POST …/N/choices）。"),
    en=(
        "Hands in conflict",
        (
            "Hands {hands} of match {match} were entered in two versions; the chief referee chooses first "
            "(POST …/N/choices)."
        ),
    ),
):
    """Nothing rests on a hand that is two."""


class NotInConflict(
    Refused,
    zh=("没有不同的录入", "比赛 {match} 第 {hand} 副没有待选定的录入；如有错误，请更正并说明理由。"),
    en=("Not in conflict", "Hand {hand} of match {match} is not in conflict; if it is wrong, correct it."),
):
    """There is nothing to choose."""


class NoSuchVersion(
    NotFound,
    zh=("没有这一版本", "比赛 {match} 第 {hand} 副没有版本 {version}；共有 {versions} 个。"),
    en=("No such version", "Hand {hand} of match {match} has no version {version}; there are {versions}."),
):
    """Nobody entered it so."""


# What a phone held back


class HeldNeeded(
    Invalid,
    zh=("缺少 held", "批量提交的录入须附 held：赛事、轮次、台号和规程版本。"),
    en=("held is missing", "An entry in a batch says in held of which competition, round, table and regulation it is."),
):
    """What was held back for hours is not taken on its address alone."""


class ClaimNeeded(
    Invalid,
    zh=("缺少 claimed_during", "批量提交的处罚须附 claimed_during：提出时已开始的是第几副。"),
    en=("claimed_during is missing", "A penalty in a batch says in claimed_during which hand had begun at its claim."),
):
    """Held back, it may come after hands that were not begun when it was claimed."""


class EntryOfAnotherCompetition(
    Refused,
    zh=("录入属于另一赛事", "这条录入注明属于赛事 {right}，不是 {competition}；请提交到该赛事。"),
    en=("Entry of another competition", "This entry says it is of {right}, not of {competition}; send it there."),
):
    """A device that goes from one event to the next holds entries of the first."""


class EntryOfAnotherTable(
    Refused,
    zh=(
        "录入属于另一桌",
        "这条录入注明是第 {of_round} 轮第 {of_table} 桌（比赛 {right}），而比赛 {match} 在第 {round} 轮第 {table} 桌。",
    ),
    en=(
        "Entry of another table",
        (
            "This entry says it is of table {of_table} of round {of_round} (match {right}); match {match} is at table "
            "{table} of round {round}."
        ),
    ),
):
    """What was played at one table is not counted at another; the right one is named."""


class EntryUnderAnotherRegulation(
    Refused,
    zh=("规程版本不符", "这条录入按规程 {given} 作出，而赛事按 {regulation} 进行；请更新设备后重新录入。"),
    en=(
        "Entry under another regulation",
        (
            "This entry was made under {given}, and the competition is played under {regulation}; update the device "
            "and enter it again."
        ),
    ),
):
    """Another version of the rules may read the same numbers otherwise."""


# Tables: confirmations, claims, line-ups


class NothingToConfirm(
    Refused,
    zh=("尚无可确认的成绩", "比赛 {match} 尚未录入任何牌局，没有可确认的成绩。"),
    en=("Nothing to confirm", "Nothing is entered for match {match} that could be confirmed."),
):
    """An empty sheet is signed by nobody."""


class SheetDiffers(
    Refused,
    zh=("与记录不符", "确认的是 {signed}（副数 / 级数 / 罚单数），比赛 {match} 的记录是 {entered}；请核对后再确认。"),
    en=(
        "Sheet differs",
        "What is confirmed is {signed} (hands / levels / penalties), match {match} has {entered}.",
    ),
):
    """What a pair has signed is not what is entered: hands are missing, or were changed since."""


class ReasonNeeded(
    Invalid,
    zh=("须说明理由", "裁判代为确认时须说明理由。"),
    en=("A reason is needed", "A referee who confirms for a pair says why."),
):
    """Who speaks for others says why."""


class NotClaimed(
    Refused,
    zh=("设备未占用本桌", "设备 {device} 没有占用比赛 {match} 的桌。"),
    en=("Not claimed", "Device {device} does not have the table of match {match}."),
):
    """It cannot leave what it has not taken."""


class HandsHaveBegun(
    Refused,
    zh=("比赛已开始", "比赛 {match} 已录入 {hands} 副；此后换人请用替换（POST …/substitutions）。"),
    en=("Hands are entered", "Match {match} has {hands} hands; from now on players are substituted (…/substitutions)."),
):
    """Who sat where in the hands that were played is not changed afterwards."""


class LineUpInvalid(
    Invalid,
    zh=("上场名单有误", "座位须为 {seats}，各坐一名不同的报名队员（序号：{members}），换上者须未在场。"),
    en=(
        "Line-up cannot be",
        "Seats {seats} each take another member of the entry (numbers: {members}) who is not seated.",
    ),
):
    """A seat of the other side, one person at two seats, or nobody of the entry."""


class NoLineUp(
    Refused,
    zh=("尚未提交上场名单", "队伍 {team} 在比赛 {match} 中尚未提交上场名单。"),
    en=("No line-up", "Team {team} has given no line-up in match {match}."),
):
    """Nobody can be replaced who is not seated."""


class NobodyToComeIn(
    Refused,
    zh=("没有候补", "队伍 {team} 的报名中没有可换上的队员；名单外的人须先经报名处登记裁判长同意。"),
    en=(
        "Nobody to come in",
        "The entry of {team} has no player left; one who is not on the form needs the chief referee's consent first.",
    ),
):
    """The regulation has no substitutes, or the team named none."""


class TeamIsDisqualified(
    Refused,
    zh=("队伍已被取消资格", "队伍 {team} 已被取消比赛资格。"),
    en=("Team is disqualified", "Team {team} is disqualified already."),
):
    """It is out."""


# Facts of a hand


class HandNotThereYet(
    Refused,
    zh=("尚无这副牌", "比赛 {match} 第 {hand} 副尚未录入；已录入 {entered} 副。请先补录，再提交。"),
    en=(
        "Hand is not there yet",
        "Hand {hand} of match {match} is not entered; {entered} are. First those before.",
    ),
):
    """What speaks of a hand comes after it, however a phone sends its entries."""


class HandNumberSkips(
    Refused,
    zh=("牌序有缺", "比赛 {match} 下一副应为第 {due} 副，收到的是第 {hand} 副；请先补录。"),
    en=("Hand number skips", "Hand {due} of match {match} is due, hand {hand} came; enter the missing one first."),
):
    """Hands are entered without gaps."""


class HandIsImpossible(
    Invalid,
    zh=("录入有误", "第 {hand} 副的录入不成立：{reason}"),
    en=("Hand cannot be", "Hand {hand} cannot have been so: {reason}"),
):
    """Points no multiple of 5, no such seat, a hand without trumps …"""


class LevelsDisagree(
    Refused,
    zh=("级数不符", "录入的级数是 {given}，按此前各副应为 {computed}；确认无误请附 as_played。"),
    en=("Levels disagree", "Levels entered are {given}; the hands before give {computed}. Say as_played if so played."),
):
    """The table played at other levels than the log gives: a wrong entry, or a fact to be stated."""


class OtherGame(
    Refused,
    zh=("录入方式不对", "比赛 {match} 应录入 {expects}（POST …/{expects}）。"),
    en=("Entered the wrong way", "What is entered of match {match} are {expects} (POST …/{expects})."),
):
    """Hands are entered by points, or in 掼蛋 by the order of going out."""


# Games at boards


class NoBoardMatch(
    Refused,
    zh=("不是此项棋类比赛", "比赛 {match} 不是 {event} 的比赛，不能录入该项目的对局。"),
    en=("Not at this board", "Match {match} is no match of {event}; no game of it can be entered."),
):
    """It is played with cards, or at another board."""


class NoCardMatch(
    Refused,
    zh=("不是牌类比赛", "比赛 {match} 是 {event} 的比赛，没有牌局与判罚；请录入对局，判决的对局注明理由。"),
    en=(
        "Not played with cards",
        "Match {match} is of {event} and has no hands or penalties; enter its game, one that was adjudicated with why.",
    ),
):
    """It is played at a board."""


class GameAlreadyEntered(
    Refused,
    zh=("已经录入", "比赛 {match} 的第 {game} 局已经录入；有误请更正。"),
    en=("Game entered already", "Game {game} of match {match} is entered; correct it where it is wrong."),
):
    """Each game is entered once."""


class GameNotDue(
    Refused,
    zh=("此局不应进行", "比赛 {match} 不应有第 {game} 局：只有须分胜负而前局和棋时才加赛一局。"),
    en=("Game is not due", "Game {game} of match {match} is not due: one follows only draws where somebody must win."),
):
    """A match at a board is one game, unless it must be decided."""


class NoSuchGame(
    NotFound,
    zh=("没有这一局", "比赛 {match} 没有第 {game} 局；已录入 {entered} 局。"),
    en=("No such game", "Match {match} has no game {game}; {entered} are entered."),
):
    """The game was not entered."""


class GameImpossible(
    Invalid,
    zh=("对局有误", "比赛 {match} 的对局录入不成立：{reason}"),
    en=("Game cannot be", "The game of match {match} cannot have been so: {reason}"),
):
    """A draw by mate, a loser on time with time left, a player of another match …"""


# Records and corrections


class RecordInvalid(
    Invalid,
    zh=("牌谱有误", "第 {hand} 副的牌谱不成立：{reason}"),
    en=("Record cannot be", "The record of hand {hand} cannot stand: {reason}"),
):
    """No record, an impossible one, one of another regulation, one that stops before the hand's end."""


class RecordDisagrees(
    Invalid,
    zh=("与牌谱不符", "第 {hand} 副的录入与牌谱的裁定不符：{both}。请核对后重新提交；牌谱有误时请提交更正的牌谱。"),
    en=(
        "Entry and record disagree",
        "Hand {hand} was entered otherwise than its record shows: {both}. Check both, and send what is right.",
    ),
):
    """A summary and a record of one hand cannot both be true."""


class NoSuchRecord(
    NotFound,
    zh=("没有牌谱", "比赛 {match} 第 {hand} 副没有随录入提交牌谱。"),
    en=("No record", "No card record was handed in with hand {hand} of match {match}."),
):
    """The hand was entered without a record."""


class NothingCorrected(
    Invalid,
    zh=("没有更正", "更正的内容与原录入相同。"),
    en=("Nothing corrected", "The correction equals what is entered."),
):
    """A correction without a difference."""


# Penalties, and teams that are away


class PenaltyInvalid(
    Invalid,
    zh=("处罚有误", "处罚不成立：{reason}"),
    en=("Penalty cannot be", "The penalty cannot stand: {reason}"),
):
    """An unknown code, a missing or impossible count, no such hand."""


class ClaimTooLate(
    Refused,
    zh=("已过追究时限", "第 {hand} 副的违规须在下一副开始前提出；提出时已打到第 {during} 副。"),
    en=("Claim is too late", "A breach in hand {hand} is claimed before the next begins; hand {during} had begun."),
):
    """下一局开始后不再追究."""


class PenaltyAlreadyLifted(
    Refused,
    zh=("处罚已撤销", "比赛 {match} 的处罚 {penalty} 已撤销。"),
    en=("Penalty lifted already", "Penalty {penalty} of match {match} is lifted already."),
):
    """A penalty is lifted once."""


class TeamIsWithdrawn(
    Refused,
    zh=("队伍已退出", "队伍 {team} 已退出比赛。"),
    en=("Team is withdrawn", "Team {team} has left the competition."),
):
    """It left before."""


class NotAbsent(
    Refused,
    zh=("没有登记缺席", "没有登记队伍 {team} 缺席第 {round} 轮；已编排的轮次请用弃权或撤销编排。"),
    en=(
        "Not absent",
        "Team {team} is not entered as absent from round {round}; of a round that is paired, forfeit or undo it.",
    ),
):
    """An absence is taken back that nobody entered, or whose round is paired."""


# Lots, places and windows


class LotNotNeeded(
    Refused,
    zh=("无需抽签", "所列队伍并非并列待抽签的一组；待抽签的是：{groups}。"),
    en=("No lot needed", "These teams are no group that a lot must part; such groups are: {groups}."),
):
    """Lots part exactly those that nothing else parts."""


class LotsNeeded(
    Refused,
    zh=("尚需抽签", "以下队伍并列，须先抽签：{groups}。"),
    en=("Lots are needed", "These teams are tied and need a lot first: {groups}."),
):
    """Final places need every tie parted."""


class RoundsRemain(
    Refused,
    zh=("轮次未完", "规程规定 {planned} 轮，已结束 {closed} 轮。"),
    en=("Rounds remain", "The regulation has {planned} rounds; {closed} are closed."),
):
    """Places are final after the last round."""


class PlacesNotProposed(
    Refused,
    zh=("尚未提出名次", "请先由一人提出最终名次，再由另一人宣布。"),
    en=("No places proposed", "One person proposes the final places before another declares them."),
):
    """There is nothing to declare."""


class PlacesHaveChanged(
    Refused,
    zh=("名次已有变化", "提出名次之后成绩有变，请重新提出。"),
    en=("Places have changed", "Results have changed since the proposal; propose the places again."),
):
    """The proposal no longer is what the log gives."""


class TwoPeopleNeeded(
    Refused,
    zh=("须由另一人宣布", "名次由 {by} 提出，须由另一人宣布。"),
    en=("Another person is needed", "{by} proposed the places; another person declares them."),
):
    """Two people answer for final places."""


class PlacesAreDeclared(
    Refused,
    zh=("名次已宣布", "最终名次已宣布，不再更改。"),
    en=("Places are declared", "The final places are declared."),
):
    """The competition is over."""


class AppealsUndecided(
    Refused,
    zh=("申诉未决", "尚有未决的申诉：{appeals}。"),
    en=("Appeals are undecided", "These appeals are not decided: {appeals}."),
):
    """Places wait for decisions."""


class RulingsMissing(
    Refused,
    zh=("裁决尚未执行", "以下申诉已有裁决而尚未执行：{appeals}；请稍候，如仍未执行请看 /held。"),
    en=(
        "Rulings are missing",
        "These appeals are decided and their rulings not applied: {appeals}. Wait; if they stay away see /held.",
    ),
):
    """A decision that changes results is on its way, or could not be applied."""


class AppealWindowOpen(
    Refused,
    zh=("申诉期未满", "第 {round} 轮的申诉期到 {until} 为止；或由全部队伍书面放弃。"),
    en=(
        "Appeal window is open",
        "Appeals over round {round} can come until {until}, or until all teams waive in writing.",
    ),
):
    """Somebody may still appeal."""


class ResultsNotPosted(
    Refused,
    zh=("成绩尚未公布", "申诉期自公布成绩起算；第 {round} 轮的成绩尚未公布。"),
    en=(
        "Results are not posted",
        "Appeals are in time from when results are posted, and those of round {round} are not.",
    ),
):
    """The window has not begun to run, so somebody may still appeal."""


class WindowNotRecorded(
    Refused,
    zh=("申诉期满尚未登记", "第 {round} 轮的申诉期已满，但申诉处尚未登记；请稍候再试。"),
    en=(
        "Window is not recorded as closed",
        "The appeal window of round {round} is over, but the appeals desk has not recorded it yet; try again shortly.",
    ),
):
    """What the desk took in time may not have been told yet: it is known once the desk says that the window closed."""


# Rulings


class RemedyImpossible(
    Invalid,
    zh=("裁决无法执行", "对比赛 {match} 的裁决无法执行：{reason}"),
    en=("Remedy cannot be applied", "The remedy for match {match} cannot be applied: {reason}"),
):
    """It names a hand, penalty or team that is not there."""


class NoSuchDecision(
    NotFound,
    zh=("没有这项裁决", "赛事 {competition} 没有改判比赛的申诉裁决 {appeal}。"),
    en=("No such decision", "Competition {competition} has no appeal {appeal} decided with a remedy."),
):
    """The appeal was not decided so, or its decision has not arrived here."""


class RulingIsApplied(
    Refused,
    zh=("裁决已执行", "申诉 {appeal} 的裁决已在比赛中执行。"),
    en=("Ruling is applied", "The decision of appeal {appeal} was applied."),
):
    """What was done cannot be set aside."""


class RulingIsSetAside(
    Refused,
    zh=("裁决已搁置", "申诉 {appeal} 的裁决已搁置，不再执行。"),
    en=("Ruling is set aside", "The decision of appeal {appeal} was set aside; it will not be applied."),
):
    """Once is for ever."""


class RulingCanBeApplied(
    Refused,
    zh=("裁决可以执行", "申诉 {appeal} 的裁决可以执行，不得搁置；若尚未执行，请重试被搁置的事件。"),
    en=(
        "Ruling can be applied",
        "Nothing keeps the decision of appeal {appeal} from being applied; if it was not yet, retry what is parked.",
    ),
):
    """Only what cannot be done is set aside: a committee's decision is nobody's to overrule."""


class SetAsideNotProposed(
    Refused,
    zh=("尚未提出搁置", "没有人提出搁置申诉 {appeal} 的裁决。"),
    en=("Not proposed", "Nobody has proposed to set aside the decision of appeal {appeal}."),
):
    """It takes two people."""


class SetAsideHasChanged(
    Refused,
    zh=("情况已变", "提出搁置申诉 {appeal} 的裁决以后，不能执行的原因已变为：{now} 请重新提出。"),
    en=(
        "It has changed",
        "Since it was proposed, what keeps appeal {appeal} from being applied has become: {now} Propose it anew.",
    ),
):
    """What another person confirms must be what the first one saw."""
