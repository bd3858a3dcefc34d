"""Refusals: a command that a rule does not allow. One class is one rule, with a stable slug and both languages."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Any, ClassVar, Literal, Self
from zoneinfo import ZoneInfo

from shared.rules.basis import Text

Language = Literal["zh", "en"]


class Refusal(Exception):
    """Base. A subclass states `slug` (the problem type's last part), `title` and `detail` in Chinese and English;
    the details are formatted with the keyword arguments, which stay readable as `params`. `article` is the
    regulation's article that refuses, where one does; `members` are values that a program reads beside the words."""

    slug: ClassVar[str]
    title: ClassVar[dict[Language, str]]
    detail: ClassVar[dict[Language, str]]

    def __init_subclass__(cls, zh: tuple[str, str] | None = None, en: tuple[str, str] | None = None) -> None:
        """`zh` and `en` are (title, detail); the slug is the class name in kebab case unless the
        class states one."""
        super().__init_subclass__()
        if zh and en:
            if "slug" not in cls.__dict__:
                cls.slug = re.sub(r"(?<!^)(?=[A-Z])", "-", cls.__name__).lower()
            cls.title = {"zh": zh[0], "en": en[0]}
            cls.detail = {"zh": zh[1], "en": en[1]}

    def __init__(self, article: str | None = None, **params: Any) -> None:
        self.article = article
        self.params = params
        self.members: dict[str, Any] = {}
        super().__init__(self.say("en"))

    def say(self, language: Language) -> str:
        """The detail in one language. A Text parameter speaks it too; an instant is shown in the zone named by the
        parameter `zone`, else in UTC."""
        zone = ZoneInfo(self.params.get("zone", "UTC"))
        return self.detail[language].format(**{k: _said(v, language, zone) for k, v in self.params.items()})


def _said(value: Any, language: Language, zone: ZoneInfo) -> Any:
    if isinstance(value, Text):
        return value.zh if language == "zh" else value.en
    if isinstance(value, datetime):
        local = value.astimezone(zone)
        precise = "microseconds" if local.microsecond else "seconds"
        return f"{local.replace(tzinfo=None).isoformat(' ', precise)} ({zone.key})"
    return value


class NotFound(Refusal):
    """What was named does not exist (404)."""


class NotAllowed(Refusal):
    """Not this person's to do (403)."""


class Refused(Refusal):
    """Not in this state, or not any more (409)."""


class Invalid(Refusal):
    """A value cannot be right (422). `pointer` is the JSON pointer of the field; where several are wrong, `wrong` has
    each with what is wrong there."""

    def __init__(self, pointer: str, article: str | None = None, **params: Any) -> None:
        self.pointer = pointer
        self.wrong: tuple[tuple[str, Text], ...] = ()
        super().__init__(article, **params)

    def each(self, wrong: Iterable[tuple[str, Text]]) -> Self:
        """Itself, with every wrong field."""
        self.wrong = tuple(wrong)
        return self
