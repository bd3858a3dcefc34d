"""Write the stored form of events that have no approved file yet: `python -m tests.unit.contracts.approve`.

A file that is there is never written again. What it holds is in logs already: another form needs a new version with
an upcaster, whose file then stands beside the old one."""

from __future__ import annotations

from pathlib import Path

import msgspec

from shared.contracts.catalogue import EVENTS as CATALOGUE
from shared.contracts.catalogue import UPCASTERS
from shared.eventsourcing.codec import Codec
from tests.unit.contracts.samples import EVENTS, TOPIC, sample

APPROVED = Path(__file__).with_name("approved")
CODEC = Codec(CATALOGUE, UPCASTERS)


def stored(event: type[msgspec.Struct]) -> tuple[int, bytes]:
    """The version and the two lines of an event's file: complete, and with only what is required."""
    forms = [CODEC.encode(sample(event, complete=complete)) for complete in (True, False)]
    return forms[0].version, b"".join(form.data + b"\n" for form in forms)


def file_of(event: str, version: int) -> Path:
    return APPROVED / f"{TOPIC[event]}.{event}.{version}.jsonl"


def main() -> None:
    APPROVED.mkdir(exist_ok=True)
    for name, event in EVENTS.items():
        version, lines = stored(event)
        if not file_of(name, version).exists():
            file_of(name, version).write_bytes(lines)


if __name__ == "__main__":
    main()
