"""Every error as RFC 9457 problem+json, in Chinese or English."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from typing import Any, cast

import flask
import marshmallow as ma
import structlog
from werkzeug.exceptions import HTTPException, InternalServerError

from shared.contracts.refusal import Invalid, Language, NotAllowed, NotFound, Refusal, Refused
from shared.eventsourcing.errors import (
    CommandReused,
    Contended,
    NotNow,
    StreamDamaged,
    VersionMismatch,
)
from shared.rules.basis import Text as BothLanguages

log = structlog.get_logger("pailu.web")

TYPE = "https://pailu.example/problems/"
"""Problem types are names, not pages: the last part is the stable slug."""
RETRY_AFTER = "1"
STATUS: dict[type[Refusal], int] = {NotFound: 404, NotAllowed: 403, Refused: 409, Invalid: 422}

ERRORS = 100
"""Wrong fields that a problem names, at most."""

BOTH = " ‖ "
"""Parts the Chinese from the English of a message that a schema of ours gives."""

Text = tuple[str, str]

_HTTP: dict[int, tuple[str, Text, Text]] = {
    400: (
        "bad-request",
        ("请求无法读取", "请求不完整，或不是正确的 JSON。"),
        ("Bad request", "The request is incomplete or no JSON."),
    ),
    401: (
        "token-needed",
        ("需要令牌", "请在 Authorization 头中给出 Bearer 令牌：这里没有令牌，或令牌已过期，或不是本系统签发的。"),
        ("Token needed", "Give a Bearer token in the Authorization header; this one is missing, expired or not ours."),
    ),
    403: (
        "not-allowed",
        ("无权进行", "此令牌的角色或赛事范围不允许这样做。"),
        ("Not allowed", "The token's role or scope does not cover this."),
    ),
    404: ("not-found", ("没有找到", "此地址下没有内容。"), ("Not found", "There is nothing at this address.")),
    405: (
        "method-not-allowed",
        ("方法不适用", "此地址不接受这种方法。"),
        ("Method not allowed", "This address does not take that method."),
    ),
    413: (
        "body-too-large",
        ("内容过大", "此处的请求内容不得超过 {most} MiB。"),
        ("Body too large", "A request body may have {most} MiB here at most."),
    ),
    415: (
        "json-needed",
        ("需要 JSON", "请以 JSON 提交，并带请求头 Content-Type: application/json。"),
        ("JSON needed", "Send JSON with the header Content-Type: application/json."),
    ),
    422: (
        "invalid",
        ("内容有误", "有字段不正确，详见 errors。"),
        ("Invalid content", "Some fields are not right; see errors."),
    ),
    500: (
        "internal",
        ("系统出错", "出错已记录，数据未受影响；请用同一 Idempotency-Key 再试。"),
        ("Internal error", "It was logged; nothing was half-written. Try again with the same key."),
    ),
}

_KERNEL: dict[type[Exception], tuple[int, str, Text, Text]] = {
    CommandReused: (
        422,
        "command-reused",
        ("幂等键已用于别的内容", "此 Idempotency-Key 已随另一内容提交过。新的内容请用新的键。"),
        (
            "Key used with another body",
            "This Idempotency-Key came with another body before; new content needs a new key.",
        ),
    ),
    VersionMismatch: (
        412,
        "version-mismatch",
        ("版本已变", "If-Match 的版本不再是当前版本；请重新读取后再决定。"),
        ("Version has changed", "If-Match is not the present version any more; read again, then decide."),
    ),
    Contended: (
        409,
        "contended",
        ("多人同时修改", "其他人正在修改同一内容；请稍后用同一键再试。"),
        ("Changed by others meanwhile", "Others are changing the same thing; try again with the same key."),
    ),
    StreamDamaged: (
        500,
        "stream-damaged",
        ("记录已损坏", "此记录的提交不连续或与其哈希不符，已停止读写；请联系系统管理员。"),
        ("Stream damaged", "The commits of this stream are not as they were written; tell the operator."),
    ),
    NotNow: (
        503,
        "unavailable",
        ("暂时无法处理", "数据存储暂时没有响应，没有写入任何内容；请稍后用同一键再试。"),
        ("Not available now", "The store does not answer now; nothing was half-written. Try again with the same key."),
    ),
}


class ProblemSchema(ma.Schema):
    """RFC 9457 problem details, with the article that refuses and one entry per wrong field. A problem may have members
    of its own, such as the `posted` and `adjudicated` values of `record-disagrees`."""

    type = ma.fields.String(required=True, metadata={"description": "stable; the last part is the slug"})
    title = ma.fields.String(required=True)
    status = ma.fields.Integer(required=True)
    detail = ma.fields.String(required=True)
    article = ma.fields.String(metadata={"description": "the regulation's article that refuses"})
    errors = ma.fields.List(
        ma.fields.Nested(
            ma.Schema.from_dict({"pointer": ma.fields.String(), "detail": ma.fields.String()}, name="Wrong")
        )
    )


def language() -> Language:
    """The person's language: English where asked for before Chinese, else Chinese. zh-CN is as good as zh."""
    asked = (tag.partition("-")[0].lower() for tag in flask.request.accept_languages.values())
    return cast(Language, next((tag for tag in asked if tag in ("zh", "en")), "zh"))


def problem(status: int, slug: str, title: str, detail: str, **more: Any) -> flask.Response:
    """A problem+json response; what is None is left out."""
    body = {"type": TYPE + slug, "title": title, "status": status, "detail": detail}
    body |= {name: value for name, value in more.items() if value is not None}
    response = flask.jsonify(body)
    response.status_code = status
    response.content_type = "application/problem+json"
    response.headers["Content-Language"] = language()
    if status in (429, 503):
        response.headers["Retry-After"] = RETRY_AFTER
    if status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    return response


def refusal_problem(refusal: Refusal) -> flask.Response:
    """A rule refused: its slug, article and words."""
    status = next(code for kind, code in STATUS.items() if isinstance(refusal, kind))
    spoken = language()
    errors = None
    if isinstance(refusal, Invalid):
        errors = [{"pointer": at, "detail": said.zh if spoken == "zh" else said.en} for at, said in refusal.wrong]
        errors = errors or [{"pointer": refusal.pointer, "detail": refusal.say(spoken)}]
    more = {"article": refusal.article, "errors": errors} | refusal.members
    return problem(status, refusal.slug, refusal.title[spoken], refusal.say(spoken), **more)


def kernel_problem(error: Exception) -> flask.Response:
    """What the kernel raised."""
    status, slug, zh, en = next(row for kind, row in _KERNEL.items() if isinstance(error, kind))
    title, detail = zh if language() == "zh" else en
    if status == 500:
        log.error(slug, path=flask.request.path, error=str(error))
    return problem(status, slug, title, detail)


def http_problem(error: HTTPException) -> flask.Response:
    """What Flask, werkzeug or webargs raised."""
    status = error.code or 500
    if status not in _HTTP:
        return problem(status, error.name.lower().replace(" ", "-"), error.name, error.description or error.name)
    messages = getattr(error, "data", {}).get("messages")
    response = standard(status, _named(messages) if messages else None)
    if status == 405 and (allow := error.get_headers()):
        response.headers.extend([(k, v) for k, v in allow if k == "Allow"])
    return response


def standard(status: int, errors: Any = None) -> flask.Response:
    """The problem of a status that needs no more words."""
    slug, zh, en = _HTTP[status]
    title, detail = zh if language() == "zh" else en
    if status == 413:
        detail = detail.format(most=(flask.request.max_content_length or 0) >> 20)
    return problem(status, slug, title, detail, errors=errors)


def invalid_problem(messages: Any) -> flask.Response:
    """A body's fields are wrong, in marshmallow's words."""
    return standard(422, _named(messages))


def _named(messages: Any) -> list[dict[str, str]]:
    return _once(itertools.islice(_pointers(messages), ERRORS))


def unexpected_problem(error: Exception) -> flask.Response:
    """A fault of ours: logged with its trace, answered without it."""
    log.error("unexpected", path=flask.request.path, exc_info=error)
    return http_problem(InternalServerError())


def key_missing() -> flask.Response:
    """A command came without Idempotency-Key."""
    zh = (
        "缺少可用的 Idempotency-Key",
        (
            "每个命令都要带 Idempotency-Key 请求头：1 至 200 个 ASCII 字符，不含空格和汉字，例如 hand-r1t1-1。"
            "新的命令用新的键，重发同一命令时用同一个键。"
        ),
    )
    en = (
        "No usable Idempotency-Key",
        (
            "Every command needs an Idempotency-Key header: 1 to 200 ASCII characters without spaces, such as "
            "hand-r1t1-1. A new command takes a new key, the same command sent again the same one."
        ),
    )
    title, detail = zh if language() == "zh" else en
    return problem(400, "idempotency-key-missing", title, detail)


def if_match_needed() -> flask.Response:
    """A command that replaces what is entered came without If-Match."""
    zh = ("需要 If-Match", "此操作会取代已录入的内容：请先读取，再以 If-Match 附上所见的 ETag（批量时为 if_match）。")
    en = (
        "If-Match needed",
        "This replaces what is entered: read it first, and send the ETag you saw as If-Match (in a batch: if_match).",
    )
    title, detail = zh if language() == "zh" else en
    return problem(428, "if-match-needed", title, detail)


def token_revoked() -> flask.Response:
    """The token's credential holds no more."""
    zh = ("令牌已收回", "此令牌已被主办方收回，不再有效；请向主办方领取新的。")
    en = ("Token revoked", "The organiser has revoked this token; ask for a new one.")
    title, detail = zh if language() == "zh" else en
    return problem(401, "token-revoked", title, detail)


def not_there_yet() -> flask.Response:
    """What the request rests on is not in the read model yet."""
    zh = ("内容尚未到达", "Pailu-Position 所指的内容尚未到达本服务，没有写入任何内容；请稍后原样再试。")
    en = ("Not there yet", "What Pailu-Position names has not arrived here; nothing was written. Try the same again.")
    title, detail = zh if language() == "zh" else en
    return problem(503, "not-there-yet", title, detail)


def too_many_streams() -> flask.Response:
    """A client, or all together, listen as often as they may."""
    zh = ("监听过多", "同时打开的事件流已达上限；请关闭不用的页面，稍后再试。")
    en = ("Too many streams", "As many event streams are open as there may be; close pages that are not used.")
    title, detail = zh if language() == "zh" else en
    return problem(429, "too-many-streams", title, detail)


def register(app: flask.Flask) -> None:
    """Answer every error of this app as a problem."""
    app.register_error_handler(Refusal, refusal_problem)
    for kind in _KERNEL:
        app.register_error_handler(kind, kernel_problem)
    app.register_error_handler(HTTPException, http_problem)
    app.register_error_handler(Exception, unexpected_problem)


def _once(errors: Iterable[dict[str, str]]) -> list[dict[str, str]]:
    """Each fault once, though two validators found it."""
    found: list[dict[str, str]] = []
    for error in errors:
        if error not in found:
            found.append(error)
    return found


def _pointers(messages: Any, path: str = "") -> Iterator[dict[str, str]]:
    """marshmallow's nested messages as JSON pointers. The first level is webargs' location: a body's fields begin
    at the root, other locations keep their name."""
    if isinstance(messages, dict):
        for key, value in messages.items():
            step = "" if (path == "" and key == "json") or key == "_schema" else f"/{_escaped(str(key))}"
            yield from _pointers(value, path + step)
    elif isinstance(messages, list):
        for message in messages:
            yield {"pointer": path, "detail": _translated(str(message))}
    else:
        yield {"pointer": path, "detail": _translated(str(messages))}


_WRONG: tuple[tuple[str, str], ...] = (
    (r"Missing data for required field\.", "缺少这一项。"),
    (r"Field may not be null\.", "不得为 null。"),
    (r"Unknown field\.", "没有这一项。"),
    (r"Invalid JSON body\.", "不是正确的 JSON；常见的有：多余的逗号、全角引号或冒号、缺少括号。"),
    (r"Not a valid string\.", "应为文字（加英文引号）。"),
    (r"Not a valid (?:integer|number)\.", "应为数字（半角，不加引号）。"),
    (r"Not a valid boolean\.", "应为 true 或 false。"),
    (r"Not a valid list\.", "应为列表 […]。"),
    (r"Not a valid mapping type\.", "应为对象 {…}。"),
    (r"Not a valid date\.", "不是日期（YYYY-MM-DD）。"),
    (r"Not a valid datetime\.", "不是时间（ISO 8601）。"),
    (r"Invalid input type\.", "应为对象 {…}。"),
    (r"Only white space\.", "不得只有空白。"),
    (r"Must be one of: (.*)\.", r"应为其中之一：\1。"),
    (r"Length must be between (\d+) and (\d+)\.", r"长度应为 \1 至 \2。"),
    (r"Longer than maximum length (\d+)\.", r"长度不得超过 \1。"),
    (r"Shorter than minimum length (\d+)\.", r"长度至少为 \1。"),
    (
        r"Must be greater than or equal to (-?\d+) and less than or equal to (-?\d+)\.",
        r"应不小于 \1 且不大于 \2。",
    ),
    (r"Must be greater than or equal to (-?\d+)\.", r"应不小于 \1。"),
    (r"Must be less than or equal to (-?\d+)\.", r"应不大于 \1。"),
)
"""What is wrong with a field, in marshmallow's words and in Chinese."""


def _translated(message: str) -> str:
    """A field's fault in the asked language."""
    said = both(message)
    return said.zh if language() == "zh" else said.en


def both(message: str) -> BothLanguages:
    """A field's fault in Chinese and English; what is known in English alone is that in both."""
    if BOTH in message:
        zh, _, en = message.partition(BOTH)
        return BothLanguages(zh, en)
    for pattern, chinese in _WRONG:
        found = re.fullmatch(pattern, message)
        if found:
            return BothLanguages(found.expand(chinese), message)
    return BothLanguages(message, message)


def _escaped(step: str) -> str:
    return step.replace("~", "~0").replace("/", "~1")
