"""Values that a copied regulation changed and still cites with the words of the one it was copied from.

An organiser copies a file, sets another value and leaves article, mark and quote as they stand. Those words do not give
the new value, so an answer that rests on it says that the organiser changed it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from shared.rules.regulations.describe import Described, describe, plain
from shared.rules.regulations.schema import AnyPreset


def flagged(preset: AnyPreset, known: Iterable[AnyPreset]) -> AnyPreset:
    """The preset with `changed` set on each value that stands under the very words of a known regulation (key, article,
    mark, names and quote) and is otherwise there. Words of the organiser's own are left as they are."""
    of_known = [{row.key: row for row in describe(one)} for one in known]
    changed = [row.key for row in describe(preset) if _departs(row, [rows.get(row.key) for rows in of_known])]
    if not changed:
        return preset
    tree: dict[str, Any] = plain(preset)
    for key in changed:
        node = tree
        for name in key.split("."):
            node = node[name]
        node["changed"] = True
    return msgspec.convert(tree, type(preset))


def _departs(row: Described, others: Iterable[Described | None]) -> bool:
    alike = [other for other in others if other is not None and _words(other) == _words(row)]
    return bool(alike) and all(other.value != row.value for other in alike)


def _words(row: Described) -> tuple[str, ...]:
    return row.article, row.mark, row.zh, row.en, row.quote
