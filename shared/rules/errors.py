"""What the rules refuse, each class with a stable code that the edges map to their own answers."""

from __future__ import annotations

from collections.abc import Iterable


class RuleError(Exception):
    """A value or an act that the rules refuse.

    code: stable slug (`bad_value`, `missing_field`, `unknown_penalty`, ...); detail: English sentence quoting the
    value; article: the article that refuses, if one does; field: the input at fault, as a dotted path, if one is.
    """

    code = "bad_value"

    def __init__(self, detail: str, *, code: str | None = None, article: str | None = None, field: str | None = None):
        super().__init__(detail)
        self.detail = detail
        self.article = article
        self.field = field
        if code is not None:
            self.code = code


class UnknownRegulation(RuleError):
    """No regulation of this name; `known` lists the names there are."""

    code = "unknown_regulation"

    def __init__(self, name: str, known: Iterable[str]):
        self.name = name
        self.known = tuple(known)
        super().__init__(
            f"no regulation {name!r}; known are {', '.join(self.known)}, or a path to a YAML preset", field="regulation"
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
        super().__init__(f"{place}: {key or 'the file'}: {problem}{hint}", field=key or None)


class UnknownPenalty(RuleError):
    """The regulation has no penalty of this code; `known` lists its codes."""

    code = "unknown_penalty"

    def __init__(self, penalty: str, known: Iterable[str]):
        self.penalty = penalty
        self.known = tuple(known)
        super().__init__(f"no penalty {penalty!r}; known are {', '.join(self.known)}", field="code")


class BadCompetition(RuleError):
    """A competition file that is not one; `place` says where, as in `rounds[1].matches[0].teams`."""

    code = "bad_competition"

    def __init__(self, place: str, problem: str):
        self.place = place
        super().__init__(f"{place}: {problem}", field=place)


class PairingRefused(RuleError):
    """No round can be paired from what is known.

    Codes: `open_matches` (tables lists them as "round/table"), `no_teams`, `bad_fixed` (a fixed pairing that cannot be
    kept), `pairing_impossible` (every pairing holds a forbidden pair).
    """

    code = "pairing_impossible"

    def __init__(self, code: str, detail: str, tables: Iterable[str] = ()):
        super().__init__(detail, code=code)
        self.tables = tuple(tables)


class LotNeeded(RuleError):
    """Awarded places are still shared; `teams` lists each group that a lot must part."""

    code = "lot_needed"

    def __init__(self, groups: Iterable[tuple[str, ...]]):
        self.teams = tuple(groups)
        super().__init__("a lot must be drawn among " + "; ".join(", ".join(group) for group in self.teams))
