"""What an answer rests on: an article of the regulation, and how surely the article says it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, Literal, TypeVar

from msgspec import Struct

T = TypeVar("T")

Mark = Literal["stated", "read", "assumed"]
"""stated: the text says it; read: the text can be read two ways and one was chosen; assumed: the text is silent."""


class Text(Struct, frozen=True, forbid_unknown_fields=True):
    """A text that a person reads, in Chinese and English."""

    zh: str
    en: str


class Basis(Struct, frozen=True, omit_defaults=True):
    """One article an answer rests on. changed: the organiser announced another value than the regulation's."""

    article: str
    mark: Mark
    changed: bool = False


class Ruled(Struct, Generic[T], frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A value of a regulation with the article it comes from.

    An organiser's change keeps article and mark, since they say what the change departs from, and sets `changed`.
    zh, en: what the value is called where a person reads it; quote: the article's own words, short.
    """

    value: T
    article: str
    mark: Mark
    zh: str = ""
    en: str = ""
    quote: str = ""
    changed: bool = False

    @property
    def basis(self) -> Basis:
        """The article and mark of this value."""
        return Basis(self.article, self.mark, self.changed)


def gather(bases: Iterable[Basis]) -> tuple[Basis, ...]:
    """The bases in order of first mention, each once."""
    return tuple(dict.fromkeys(bases))
