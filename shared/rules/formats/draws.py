"""Draws by lot from a committed seed, so that anyone can repeat them.

1. Before the entries close the commitment is published: sha256 of the seed's bytes, in hex.
2. After they close the seed is revealed; `verify` shows that it is the one committed.
3. An order is drawn by sorting: the key of an item is sha256(seed + LF + label + LF + item), label and item in UTF-8
   and LF the byte 0x0A; the smallest key, compared byte by byte, comes first. The label names what is drawn, so that
   one seed serves every draw of a competition; the order in which the items are given does not matter.

To repeat a draw in a shell: `(printf SEED_HEX | xxd -r -p; printf '\\nround 1\\nT01') | sha256sum`.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterable, Sequence

from shared.rules.errors import RuleError

MIN_SEED = 16
"""Bytes a seed has at least: fewer could be guessed from the commitment."""


def commitment(seed: bytes) -> str:
    """sha256 of the seed, in hex. Raises RuleError `bad_value` for a seed under MIN_SEED bytes."""
    if len(seed) < MIN_SEED:
        raise RuleError(
            f"the seed has {len(seed)} bytes; it needs {MIN_SEED}",
            f"种子只有 {len(seed)} 字节，至少要 {MIN_SEED} 字节",
            field="seed",
        )
    return hashlib.sha256(seed).hexdigest()


def verify(seed: bytes, committed: str) -> bool:
    """Whether the seed is the one whose commitment was published."""
    return hmac.compare_digest(hashlib.sha256(seed).hexdigest(), committed.lower())


def key(seed: bytes, label: str, item: str) -> bytes:
    """The 32 bytes by which an item is sorted in the draw of this label."""
    return hashlib.sha256(b"\n".join([seed, label.encode(), item.encode()])).digest()


def keys(seed: bytes, label: str) -> Callable[[str], bytes]:
    """`key` for many items of one draw, hashing what they share once."""
    shared = hashlib.sha256(b"\n".join([seed, label.encode(), b""]))

    def of(item: str) -> bytes:
        drawn = shared.copy()
        drawn.update(item.encode())
        return drawn.digest()

    return of


def shuffle(seed: bytes, label: str, items: Iterable[str]) -> tuple[str, ...]:
    """The items in the order drawn."""
    drawn = keys(seed, label)
    return tuple(sorted(items, key=lambda item: (drawn(item), item)))


def lots(seed: bytes, label: str, teams: Sequence[str]) -> dict[str, int]:
    """A lot for each team, 1 the best, drawn among teams that nothing else parts (jimei-2018 十二（名次）.2, 抽签)."""
    return {team: lot for lot, team in enumerate(shuffle(seed, label, teams), 1)}
