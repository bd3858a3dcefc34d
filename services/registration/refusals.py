"""What registration refuses, and why."""

from __future__ import annotations

from shared.contracts.refusal import Invalid, NotAllowed, NotFound, Refused


class NoSuchCompetition(
    NotFound,
    zh=("没有这项赛事", "没有编号为 {competition} 的赛事。"),
    en=("No such competition", "There is no competition {competition}."),
):
    """The competition was never announced."""


class NoSuchRegulation(
    NotFound,
    zh=("没有这部规程", "没有名为 {regulation} 的规程；现有：{known}。"),
    en=("No such regulation", "There is no regulation {regulation}; there are {known}."),
):
    """The regulation is not among those that Pailu has."""


class NoSuchEntry(
    NotFound,
    zh=("没有这份报名", "赛事 {competition} 没有队伍 {team} 的报名。"),
    en=("No such entry", "Competition {competition} has no entry {team}."),
):
    """The team was never entered."""


class FormatNotPlayed(
    Refused,
    zh=("暂不支持此赛制", "本版本尚不能按规程 {regulation} 的赛制举办比赛；规程可以查阅，规则可用 pailu ask 询问。"),
    en=("Format is not played yet", "This version cannot hold competitions in the format of {regulation} yet."),
):
    """The regulation is known, and the services have no rounds for its format."""


class RegulationChangeInvalid(
    Invalid,
    zh=("规程改动有误", "改动“{key}”不成立：{reason}"),
    en=("Invalid change of the regulation", "The change of {key} cannot stand: {reason}"),
):
    """An organiser's change names no value of the regulation, or gives it one that it cannot have."""


class DatesInvalid(
    Invalid,
    zh=("日期有误", "报名截止（{entries_close}）不得晚于开赛日（{plays_from}），结束日（{plays_to}）不得早于开赛日。"),
    en=(
        "Invalid dates",
        (
            "Entries must close ({entries_close}) no later than the first day of play ({plays_from}), "
            "and the last day ({plays_to}) must not be before the first."
        ),
    ),
):
    """The dates of a competition contradict each other."""


class DeadlineIsPast(
    Invalid,
    zh=("截止时间已过", "报名已经开始，新的截止时间（{given}）不能早于现在。"),
    en=("Deadline is past", "Entries are open; they cannot be made to close in the past ({given})."),
):
    """Entries that were in time would have come too late."""


class AlreadyAnnounced(
    Refused,
    zh=("赛事已公布", "赛事 {competition} 已经公布。"),
    en=("Already announced", "Competition {competition} is announced already."),
):
    """The id is taken."""


class CompetitionIsCancelled(
    Refused,
    zh=("赛事已取消", "赛事 {competition} 已取消：{reason}"),
    en=("Competition is cancelled", "Competition {competition} is cancelled: {reason}"),
):
    """Nothing more can happen to it."""


class NothingToAmend(
    Invalid,
    zh=("没有改动", "没有给出与现状不同的内容。"),
    en=("Nothing to amend", "Nothing given differs from what stands."),
):
    """An amendment without a change."""


class EntriesNotOpen(
    Refused,
    zh=("报名尚未开始", "赛事 {competition} 的报名尚未开始。"),
    en=("Entries not open", "Entries for {competition} are not open yet."),
):
    """Entries were not opened."""


class EntriesAlreadyOpen(
    Refused,
    zh=("报名已经开始", "赛事 {competition} 的报名早已开始。"),
    en=("Entries open already", "Entries for {competition} are open already."),
):
    """Entries were opened before."""


class EntriesClosedAlready(
    Refused,
    zh=("报名已截止", "赛事 {competition} 的报名已于 {closed_at} 截止，逾期不予受理，也不得更改。"),
    en=("Entries are closed", "Entries for {competition} closed at {closed_at}; nothing is taken or changed after."),
):
    """Too late to enter, change or withdraw."""

    slug = "entry-closed"


class EarlyClosingNeedsReason(
    Invalid,
    zh=("提前截止须说明理由", "规定的截止时间是 {closes_at}；提前截止须写明理由。"),
    en=("Closing early needs a reason", "Entries close at {closes_at}; to close earlier give a reason."),
):
    """Entries are closed before their deadline without saying why."""


class UnitAlreadyEntered(
    Refused,
    zh=("单位已报名", "{unit} 已报名（队伍 {team}）；如需改动，请更改原报名。"),
    en=("Unit entered already", "{unit} is entered already (team {team}); change that entry instead."),
):
    """A unit may enter one team."""


class EntryIsWithdrawn(
    Refused,
    zh=("报名已撤回", "队伍 {team} 的报名已撤回；可重新报名。"),
    en=("Entry is withdrawn", "The entry of team {team} was withdrawn; it can be submitted again."),
):
    """The entry no longer stands."""


class EntryNotInOrder(
    Invalid,
    zh=("报名不合规程", "{summary}"),
    en=("Entry is not in order", "{summary}"),
):
    """The entry breaks the regulation; `wrong` has every finding."""


class NothingToConfirm(
    Invalid,
    zh=(
        "没有待确认的事项",
        "{rule} 没有待确认或提示的事项：或已符合，或不符合，或不适用。查明与报名表不符的，请以 holds=false 记录。",
    ),
    en=(
        "Nothing to confirm",
        (
            "Nothing of {rule} is open: it is met, not met, or does not apply. "
            "What was found to be otherwise than the form says is recorded with holds false."
        ),
    ),
):
    """A person may say what a form does not tell, and not that a rule is met which is not."""


class RuleIsMet(
    Invalid,
    zh=(
        "此项没有不符合",
        "{rule} 没有不符合之处，不能据此不予接受报名；经查实不符的，请先记录（confirmations，holds 为 false）。",
    ),
    en=(
        "The rule is not broken",
        (
            "Nothing of {rule} is found not to hold, so the entry cannot be refused by it; "
            "what was found otherwise is recorded first (confirmations, with holds false)."
        ),
    ),
):
    """An entry is refused by a rule that it does not break."""


class NoSuchEvent(
    Invalid,
    zh=("没有这个项目", "赛事没有项目 {event}；项目有：{events}。"),
    en=("No such event", "The competition has no event {event}; its events are {events}."),
):
    """A table of an event that the competition is not played as."""


class NoSuchDocument(
    Invalid,
    zh=("不需要此材料", "这份报名不需要材料 {document}（{member}）；需要的有：{due}。"),
    en=("No such document is due", "This entry needs no document {document} ({member}); due are {due}."),
):
    """A paper that the regulation does not ask for here."""


class DocumentNotReceived(
    Invalid,
    zh=("没有收到此材料", "没有收到材料 {document}，或收到的已被退回。"),
    en=("Not received", "No document {document} was received, or it was rejected already."),
):
    """There is no paper of which this could be said."""


class NoSuchFile(
    NotFound,
    zh=("没有这份文件", "材料 {document} 没有可供查看的文件。"),
    en=("No such file", "There is no file of document {document}."),
):
    """The paper was not sent as a file, or its file was erased."""


class ReceivedLater(
    Invalid,
    zh=("收到时间晚于现在", "收到时间 {given} 晚于现在。"),
    en=("Received in the future", "{given} has not come yet."),
):
    """A paper cannot have been received at a time that has not come."""


class EarlierReceiptNeedsReason(
    Invalid,
    zh=("补登须说明理由", "补登先前收到的材料，须写明理由。"),
    en=("An earlier receipt needs a reason", "To enter a paper that was received earlier give a reason."),
):
    """A paper is entered later than it was received without saying why."""


class NotThatKindOfFile(
    Invalid,
    zh=("文件内容与类型不符", "材料 {document} 只接受 {allowed}；文件内容是 {found}。"),
    en=("The file is of another kind", "Document {document} takes {allowed}; the content looks like {found}."),
):
    """The bytes are not what they are said to be, or not what this paper may be sent as."""


class NotASheet(
    Invalid,
    zh=("不是可读的表格", "文件不是可读的 Excel 工作簿（.xlsx）或 CSV。请用系统提供的模板填写。"),
    en=("Not a sheet", "The file is no readable Excel workbook (.xlsx) or CSV. Fill in the template."),
):
    """What was sent cannot be taken apart."""


class UnpacksTooLarge(
    Invalid,
    zh=("文件解压后过大", "工作簿解压后超过 {most} MiB，未读取。"),
    en=("Unpacks too large", "The workbook would unpack to more than {most} MiB; it was not read."),
):
    """A small archive that would fill the memory."""


class SheetTooLarge(
    Invalid,
    zh=("行数过多", "表格不得超过 {most} 行。"),
    en=("Too many rows", "A sheet may have {most} rows at most."),
):
    """More rows than one import takes."""


class HeadingsMissing(
    Invalid,
    zh=("缺少表头", "前几行中没有找到这些栏目：{missing}。请用系统提供的模板填写。"),
    en=("Headings are missing", "These columns were not found in the first rows: {missing}. Fill in the template."),
):
    """The sheet has no columns that could be understood."""


class SheetHasFaults(
    Invalid,
    zh=("表格有误，未收录任何一份报名", "{entries} 份报名中共有 {faults} 处错误，没有收录任何一份；首处：{first}"),
    en=(
        "The sheet has faults, nothing was entered",
        "{faults} faults in {entries} entries; nothing was entered. {first}",
    ),
):
    """An import is all or nothing; `wrong` has the faults by row and column."""


class SheetIsEmpty(
    Invalid,
    zh=("表格中没有报名", "表头之下没有填写任何一行。"),
    en=("No entry in the sheet", "There is no row below the headings."),
):
    """Headings alone."""


class NoSuchImport(
    NotFound,
    zh=("没有这次导入", "赛事 {competition} 没有导入 {id}。"),
    en=("No such import", "Competition {competition} has no import {id}."),
):
    """The import was never made."""


class ImportReversedAlready(
    Refused,
    zh=("导入已撤回", "导入 {id} 已经撤回。"),
    en=("Import reversed already", "Import {id} was reversed already."),
):
    """An import is taken back once."""


class ImportOvertaken(
    Refused,
    zh=("导入时另有报名", "导入的同时，别处为其中的单位报了名；没有收录任何一份，请再试一次。"),
    en=(
        "Overtaken by an entry",
        "While importing, somebody entered one of these units; nothing was entered. Try again.",
    ),
):
    """An entry of one of the teams came between looking and writing."""


class NoChangesAfterClose(
    Refused,
    zh=("截止后不得更改", "本赛事规程规定报名截止后一律不得更改；宽限只适用于补报。"),
    en=(
        "No changes after the close",
        "The regulation allows no change of an entry after the close; a grace is for entering.",
    ),
):
    """A grace lets a unit enter late, and change nothing that stands where the regulation forbids it."""


class GraceInvalid(
    Invalid,
    zh=("宽限时间有误", "宽限（{given}）应晚于现在，且不晚于开赛日（{plays_from}）。"),
    en=("Invalid grace", "A grace ({given}) must end after now, and not after the first day of play ({plays_from})."),
):
    """A grace that is over already, or reaches into play."""


class OutsidersRefused(
    Refused,
    zh=("名单外的人不得上场", "本赛事规程不允许名单外的人上场，裁判长也不能准许。"),
    en=("Nobody from outside the form", "The regulation lets nobody play who is not on the form, whoever consents."),
):
    """The regulation leaves nothing to the chief referee's consent."""


class NoSuchCredential(
    NotFound,
    zh=("没有这一凭证", "赛事 {competition} 没有编号为 {credential} 的凭证。"),
    en=("No such credential", "Competition {competition} has no credential {credential}."),
):
    """The credential was not issued."""


class CredentialHoldsNoMore(
    Refused,
    zh=("凭证已失效", "凭证 {credential} 已过期或已收回；请另发新的。"),
    en=("Credential holds no more", "Credential {credential} has expired or was revoked; issue a new one."),
):
    """Nobody is shown a token that is refused everywhere."""


class NotTheIssuer(
    NotAllowed,
    zh=("并非签发人", "凭证只向签发人 {issuer} 显示；可以收回并另发。"),
    en=("Not the issuer", "A credential is shown to {issuer}, who issued it; revoke it and issue another."),
):
    """Whoever sees a credential can act by it."""


class NoLiveCredential(
    Refused,
    zh=("没有有效的凭证", "账号 {account} 没有有效的凭证。"),
    en=("No live credential", "Account {account} has no credential that holds."),
):
    """There is nothing to revoke."""


class CountDiffers(
    Refused,
    zh=("请确认数目", "将收回账号 {account} 的 {count} 个凭证；确认请在 count 中写明 {count}。"),
    en=("Confirm the count", "{count} credentials of {account} would be revoked; confirm with count {count}."),
):
    """Who changes many things at once says first how many they are."""


class NoSuchPerson(
    NotFound,
    zh=("没有此人", "赛事 {competition} 的报名中没有编号为 {person} 的人。"),
    en=("No such person", "No entry of competition {competition} names a person {person}."),
):
    """The id is nobody's in this competition."""


class ErasureRequestedAlready(
    Refused,
    zh=("已申请删除", "{by} 已申请删除此人的个人信息，须由另一人确认。"),
    en=("Erasure requested already", "{by} has asked for it; another person must confirm."),
):
    """Asked for before."""


class ErasureNotRequested(
    Refused,
    zh=("尚未申请删除", "还没有人申请删除 {person} 的个人信息。"),
    en=("Erasure not requested", "Nobody has asked that {person} be erased."),
):
    """There is nothing to confirm."""


class PersonIsErased(
    Refused,
    zh=("个人信息已删除", "{person} 的个人信息已经删除，无法恢复。"),
    en=("Person is erased", "The data of {person} are erased and cannot come back."),
):
    """Erased before."""


class SecondPersonNeeded(
    NotAllowed,
    zh=("须由另一人确认", "删除由 {by} 申请，须由另一人确认。"),
    en=("Another person must confirm", "{by} has asked for the erasure; another person must confirm it."),
):
    """Two people for what cannot be undone."""
