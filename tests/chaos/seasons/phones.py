"""What referees send from the hall: what they wrote down at their tables, held back, twice and out of order over a
network that loses; or at once and in order, where nothing is disturbed."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Protocol

from shared.web.identity import Identity
from tests.chaos.seasons.desks import AGAIN, InOneProcess, OverHttp
from tests.support.phones import DONE, Figures, Item, Phone, Queue, Stuck
from tests.support.waiting import PATIENCE

Sheet = tuple[Identity, Sequence[Item]]
"""Who sends, and what was written down, in the order of play."""
LOSS = 0.3
AT_ONCE = 3
"""Phones that send at the same time for one competition."""


class Phones(Protocol):
    """The phones of a hall."""

    def send(self, competition: str, sheets: Sequence[Sheet]) -> None:
        """Everything that is on these sheets is answered when this returns. Raises Lost, Stuck."""


class Prompt:
    """Each sheet in one batch, in order, once."""

    def __init__(self, desk: InOneProcess) -> None:
        self._desk = desk

    def send(self, competition: str, sheets: Sequence[Sheet]) -> None:
        for who, items in sheets:
            answers = self._desk.batch(competition, who, items)
            refused = [answer for answer in answers if answer["status"] not in DONE]
            assert not refused, refused[0]


class OnABadNetwork:
    """A phone for each sheet, a few at a time."""

    def __init__(self, connect: Callable[[], OverHttp], folder: Path, seed: str) -> None:
        self.seen = Figures()
        self._connect = connect
        self._folder = folder
        self._seed = seed
        self._count = 0
        self._lock = threading.Lock()

    def send(self, competition: str, sheets: Sequence[Sheet]) -> None:
        with ThreadPoolExecutor(AT_ONCE) as pool:
            for sent in [pool.submit(self._one, competition, *sheet) for sheet in sheets]:
                sent.result()

    def _one(self, competition: str, who: Identity, items: Sequence[Item]) -> None:
        with self._lock:
            self._count += 1
            number = self._count
        desk = self._connect()
        luck = random.Random(f"{self._seed}/{number}")
        file = self._folder / f"{self._seed}-{number}.db"
        queue = Queue(file)
        phone = Phone(queue, lambda sent: desk.batch(competition, who, sent), luck, LOSS)
        try:
            _enter_all(phone, items)
        finally:
            queue.close()
            file.unlink()
            desk.close()
            with self._lock:
                self.seen.add(phone.seen)


def _enter_all(phone: Phone, items: Sequence[Item]) -> None:
    """Written down in order, some at a time; sent whenever the phone likes, until all was answered."""
    left, done, since = list(items), 0, time.monotonic()
    while time.monotonic() < since + PATIENCE:
        for _ in range(min(len(left), phone.luck.randint(1, 10))):
            phone.enter(left.pop(0))
        if not phone.send() and not left:
            return
        if (now_done := phone.seen.entries - len(phone.queue.waiting())) > done:
            done, since = now_done, time.monotonic()
        else:
            time.sleep(AGAIN)
    raise Stuck([item["key"] for item in phone.queue.waiting()])
