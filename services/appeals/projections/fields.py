"""How rows keep what events say."""

from __future__ import annotations

from typing import Any

import msgspec

Fields = dict[str, Any]


def plain(value: Any) -> Any:
    """A value as rows keep it."""
    return msgspec.to_builtins(value)
