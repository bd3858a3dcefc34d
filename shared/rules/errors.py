"""What the rules refuse, each class with a stable code that the edges map to their own answers."""

from __future__ import annotations

import re
from collections.abc import Iterable

from shared.rules.basis import Text


class RuleError(Exception):
    """A value or an act that the rules refuse.

    code: stable slug (`bad_value`, `missing_field`, `unknown_penalty`, ...); said: the sentence in both languages,
    quoting the value; detail: the English one; article: the article that refuses, if one does; field: the input at
    fault, as a dotted path, if one is. `zh` may be left out only where no person can be the cause.
    """

    code = "bad_value"

    def __init__(
        self,
        detail: str,
        zh: str = "",
        *,
        code: str | None = None,
        article: str | None = None,
        field: str | None = None,
    ):
        super().__init__(detail)
        self.said = Text(zh or detail, detail)
        self.article = article
        self.field = field
        if code is not None:
            self.code = code

    @property
    def detail(self) -> str:
        """The English sentence."""
        return self.said.en


def refused(field: str, problem: str, zh: str, code: str = "bad_value") -> RuleError:
    """The error of a field or a place in a record: its name, then what is wrong with it."""
    return RuleError(f"{field} {problem}", f"{field} {zh}", code=code, field=field)


class UnknownRegulation(RuleError):
    """No regulation of this name; `known` lists the names there are."""

    code = "unknown_regulation"

    def __init__(self, name: str, known: Iterable[str]):
        self.name = name
        self.known = tuple(known)
        super().__init__(
            f"no regulation {name!r}; known are {', '.join(self.known)}, or a path to a YAML preset",
            f"没有名为 {name} 的规程；现有：{'、'.join(self.known)}，或 YAML 文件的路径",
            field="regulation",
        )


class BadRegulation(RuleError):
    """A preset that cannot be used: where it is wrong and what is allowed there.

    file: the file's path or the regulation's name; line: counted from 1, None when not from a file;
    key: dotted key of the value at fault (`match.minutes`); allowed: what may stand there, empty when unknown.
    """

    code = "bad_regulation"

    def __init__(self, file: str, line: int | None, key: str, problem: str, allowed: str = ""):
        self.file, self.line, self.key, self.problem, self.allowed = file, line, key, problem, allowed
        place = file if line is None else f"{file}:{line}"
        hint = f"; allowed: {allowed}" if allowed else ""
        zh = f"{place}：{key or '文件'}：{_zh(problem, _PROBLEMS)}" + (
            f"；可取：{_zh(allowed, _ALLOWED)}" if allowed else ""
        )
        super().__init__(f"{place}: {key or 'the file'}: {problem}{hint}", zh, field=key or None)


class UnknownPenalty(RuleError):
    """The regulation has no penalty of this code; `known` lists its codes."""

    code = "unknown_penalty"

    def __init__(self, penalty: str, known: Iterable[str]):
        self.penalty = penalty
        self.known = tuple(known)
        known_codes = ", ".join(self.known)
        super().__init__(
            f"no penalty {penalty!r}; known are {known_codes}",
            f"没有代码为 {penalty} 的处罚；现有：{known_codes}",
            field="code",
        )


class UnknownBreach(RuleError):
    """No hand can be drawn with a breach of this code; `known` lists those that the regulation has."""

    code = "unknown_breach"

    def __init__(self, breach: str, regulation: str, known: Iterable[str]):
        self.breach = breach
        self.known = tuple(known)
        codes = ", ".join(self.known)
        super().__init__(
            f"no breach {breach!r} under {regulation}; known are {codes}",
            f"{regulation} 没有代码为 {breach} 的违规；现有：{codes}",
            field="breach",
        )


class NoSuchHand(RuleError):
    """A seed gives no hand with the breach, though the regulation knows it."""

    code = "no_such_hand"

    def __init__(self, seed: int, breach: str):
        detail, zh = f"seed {seed} gives no hand with {breach}", f"种子 {seed} 抽不出含 {breach} 的牌局"
        super().__init__(f"{detail}; take another seed", f"{zh}；请换一个种子", field="seed")


class BadFile(RuleError):
    """A file that is not what it says; `place` says where, as in `rounds[1].matches[0].teams`."""

    code = "bad_file"

    def __init__(self, place: str, problem: str, place_zh: str = ""):
        self.place = place
        zh = _zh(problem[0].lower() + problem[1:], _PROBLEMS)
        super().__init__(f"{place}: {problem}", f"{place_zh or place}：{zh}", field=place)


class BadCompetition(BadFile):
    """A competition that contradicts itself, or a file that is none."""

    code = "bad_competition"


class BadUnion(BadFile):
    """Union results that contradict themselves, or a file that holds none."""

    code = "bad_union"


class BadReport(BadFile):
    """A tournament report that is malformed; line and column are counted from 1."""

    code = "bad_report"

    def __init__(self, line: int, column: int, problem: str):
        self.line, self.column = line, column
        super().__init__(f"line {line}, column {column}", problem, f"第 {line} 行第 {column} 列")


class PairingRefused(RuleError):
    """No round can be paired from what is known.

    Codes: `open_matches` (tables lists them as "round/table"), `no_teams`, `bad_fixed` (a fixed pairing that cannot be
    kept), `bad_pairing` (one made by hand that no round can be), `pairing_impossible` (every pairing holds a forbidden
    pair), `draw_due` (a stage must be drawn first), `finished`.
    """

    code = "pairing_impossible"

    def __init__(self, code: str, detail: str, zh: str, tables: Iterable[str] = ()):
        super().__init__(detail, zh, code=code)
        self.tables = tuple(tables)


class DrawRefused(RuleError):
    """No draw can be made, or one made in the hall is none. Codes: `too_few`, `bad_draw`,
    `not_committed`."""

    def __init__(self, code: str, detail: str, zh: str):
        super().__init__(detail, zh, code=code)


class LotNeeded(RuleError):
    """Awarded places are still shared; `teams` lists each group that a lot must part."""

    code = "lot_needed"

    def __init__(self, groups: Iterable[tuple[str, ...]]):
        self.teams = tuple(groups)
        said = "; ".join(", ".join(group) for group in self.teams)
        super().__init__(f"a lot must be drawn among {said}", f"须抽签区分：{said}")


class PlacesOpen(RuleError):
    """Prizes are asked for while a match is open or a stage is still to be played."""

    code = "places_open"

    def __init__(self) -> None:
        super().__init__(
            "the places are not decided: a match is open or still to be played", "名次未定：尚有未结束或待进行的场次"
        )


_PROBLEMS: tuple[tuple[str, str], ...] = (
    (r"seed (\d+) is given twice", r"种子序号 \1 出现两次"),
    (r"are neither fixed nor forbidden", "既未指定也未禁止"),
    (r"(.*) is no stage of this regulation", r"规程没有 \1 这一阶段"),
    (r"(.*) and (.*) do not meet in this round", r"本轮没有 \1 对 \2"),
    (r"are equal where one must go on", "相等，而须有一方晋级"),
    (r"comes after the last stage", "在最后一个阶段之后"),
    (r"no such key", "没有这一项"),
    (r"holds itself", "包含自身"),
    (r"has a key that is no text", "有一个键不是文字"),
    (r"is nested too deep", "嵌套过深"),
    (r"is missing", "缺失"),
    (r"are missing from a match that is (.*)", r"缺失，而该场状态为 \1"),
    (r"is no object", "不是对象"),
    (r"(.*) is no code of three characters and a blank", r"\1 不是三个字符加空格的代码"),
    (r"the report has no player \((.*)\)", r"报告中没有选手（\1）"),
    (r"(.*) is no starting number", r"\1 不是起始号"),
    (r"(.*) is no number of points", r"\1 不是积分"),
    (r"(.*) is no opponent", r"\1 不是对手号"),
    (r"(.*) is no colour", r"\1 不是颜色（w、b，无对手时为 -）"),
    (r"(.*) is no result of a round with an opponent", r"\1 不是有对手一轮的结果"),
    (r"(.*) is no result of a round without an opponent", r"\1 不是无对手一轮的结果"),
    (r"(.*) stands where a blank belongs", r"此处应为空格，实为 \1"),
    (r"(\d+) meets itself", r"\1 与自己对阵"),
    (r"(\d+) has no match with (\d+) in round (\d+)", r"第 \3 轮 \1 没有与 \2 的对阵"),
    (r"both (\d+) and (\d+) have the colour (.)", r"\1 与 \2 的颜色都是 \3"),
    (r"(.*) and the opponent's (.*) are no result together", r"\1 与对手的 \2 不能并存"),
    (r"(\d+) is no player of this report", r"报告中没有 \1 号选手"),
    (r"is (.*), not (.*)", r"为 \1，应为 \2"),
    (r"is (\d+) where round (\d+) belongs", r"为 \1，此处应为第 \2 轮"),
    (r"(.*) is given twice", r"\1 出现两次"),
    (r"(.*) is no team of this competition", r"\1 不是本次比赛的队"),
    (r"(.*) stands in the round twice", r"\1 在本轮出现两次"),
    (r"pairs (.*) with itself", r"将 \1 与其自身配对"),
    (r"(.*) is not hexadecimal", r"\1 不是十六进制数"),
    (r"is no event of (.*)", r"不是 \1 的项目"),
    (r"(.*) has no team totals", r"\1 没有团体总分"),
    (r"is empty", "为空"),
    (r"is given twice", "出现两次"),
    (r"is not UTF-8 text", "不是 UTF-8 文本"),
    (r"is not YAML: (.*)", r"不是 YAML：\1"),
    (r"is before (\w+)", r"早于 \1"),
    (r"is less than (\w+)", r"小于 \1"),
    (r"is no more than (\w+)", r"不大于 \1"),
    (r"are not in rising order", "不是递增的"),
    (r"begin at (-?\d+) while the dealer's end at (-?\d+)", r"始于 \1，而庄家的各档止于 \2"),
    (r"counts above (-?\d+), inside the bands", r"自 \1 以上起算，与各档重叠"),
    (r"do not cover every number of teams once", "没有恰好覆盖每一种队数"),
    (r"names a tie-break twice", "同一区分办法列了两次"),
    (r"names a group twice", "同一组列了两次"),
    (r"does not name every event once", "没有恰好写出每个项目"),
    (r"do not halve the teams from round to round", "每轮队数没有减半"),
    (r"does not cover every place of the partner once", "没有恰好覆盖对门的每一名次"),
    (r"leaves (\d+) of (\d+) cards dealt", r"只发出 \2 张中的 \1 张"),
    (r"(.*) is no time zone", r"\1 不是时区"),
    (r"expected `(.*)` of length (?:>= )?(\d+), got (\d+)", r"应为长 \2 的 \1，实长 \3"),
    (r"expected `(.*)` of length >= (\d+)", r"应为 \1，长度至少 \2"),
    (r"does not hold the price (\d+)", r"不含条文所定的 \1 分"),
    (r"is in no steps of (\d+)", r"不是 \1 的倍数"),
    (r"is (-?\d+), no multiple of (\d+)", r"为 \1，不是 \2 的倍数"),
    (r"does not divide the penalties' (\d+)", r"不能整除罚分的 \1"),
    (r"is (-?\d+) where penalties take points", r"为 \1，而罚分会扣分"),
    (r"expected `(.*)`, got `(.*)`", r"应为 \1，实为 \2"),
    (r"expected `(.*)` (>=|<=|>|<) (.*)", r"应为 \1 且 \2 \3"),
    (r"expected `(.*)`", r"应为 \1"),
    (r"invalid enum value (.*)", r"不可取的值 \1"),
    (r"object contains unknown field `(.*)`", r"没有 \1 这一项"),
    (r"object missing required field `(.*)`", r"缺少 \1"),
    (r"invalid (.*)", r"不成立：\1"),
)
"""What can be wrong with a regulation's value, English pattern to Chinese."""

_ALLOWED: tuple[tuple[str, str], ...] = (
    (r"an integer from (-?\d+) on", r"不小于 \1 的整数"),
    (r"an integer", "整数"),
    (r"true or false", "true 或 false"),
    (r"a text", "文字"),
    (r"a value of its own", "自己的值"),
    (r"a date or a number that exists", "存在的日期或数"),
    (r"null", "null"),
    (r"a date YYYY-MM-DD", "日期 YYYY-MM-DD"),
    (r"a local time YYYY-MM-DDTHH:MM:SS", "当地时间 YYYY-MM-DDTHH:MM:SS"),
    (r"an object", "对象"),
    (r"an object with (.*)", r"含 \1 的对象"),
    (r"the same day or later", "同日或之后"),
    (r"the same number or more", "同数或更多"),
    (r"at least one band, (\w+) rising", r"至少一档，\1 递增"),
    (r"beginning at (-?\d+)", r"自 \1 起"),
    (r"(-?\d+) or more", r"\1 或更大"),
    (r"up_to rising, the last null", "up_to 递增，末项为 null"),
    (r"at least one penalty", "至少一项处罚"),
    (r"a name that no other field of the standings has", "名次表其他栏未用的名称"),
    (r"the entries, all", "stage: entries, who: all"),
    (r"the survivors of an earlier ladder", "前面某一 ladder 阶段的 survivors"),
    (r"least and most around (\d+)", r"least 与 most 之间应含 \1"),
    (r"multiples of (\d+)", r"\1 的倍数"),
    (r"each (?:key )?once", "每项一次"),
    (r"a name of the IANA database, such as (.*)", r"IANA 时区名，如 \1"),
)
"""What may stand there instead, likewise."""


def _zh(english: str, known: tuple[tuple[str, str], ...]) -> str:
    """The Chinese of a generated phrase; the phrase itself where none is known, or where it is a list of values."""
    if english.startswith("a list, each "):
        return "列表，每项为" + _zh(english.removeprefix("a list, each "), known)
    for pattern, chinese in known:
        found = re.fullmatch(pattern, english, re.DOTALL)
        if found:
            return found.expand(chinese)
    if " or " in english:
        return " 或 ".join(_zh(part, known) for part in english.split(" or "))
    return english
