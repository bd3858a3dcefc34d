"""A referee's phone in a bad hall: a queue that survives the app, and a network that loses, repeats and reorders.

The queue is what a page for phones has to do: an entry is written down with its key before it is sent, sent until it is
answered, and taken out only once an answer says what became of it."""

from __future__ import annotations

import json
import random
import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Item = dict[str, Any]
"""One item of a batch: key, to, body."""
Answer = dict[str, Any]
Post = Callable[[Sequence[Item]], Sequence[Answer] | None]
"""Sends a batch; its answers by item, None where none came."""
AT_ONCE = 24
"""Entries of a request, at most."""
DONE = (200, 201)
AGAIN = (409, 412, 503)
"""What may come right once other entries have arrived, or the store is back."""


class Lost(Exception):
    """An entry was refused for good, which nobody expected of it."""


class Stuck(Exception):
    """What waits is refused again and again: what it needs will never come."""


class Queue:
    """The entries of a phone, in a file: an app that is killed and started again has them all."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._open()

    def _open(self) -> None:
        self._db = sqlite3.connect(self._file)
        self._db.execute("pragma journal_mode = wal")
        self._db.execute("create table if not exists entries (key text primary key, item text not null)")

    def put(self, item: Item) -> None:
        """Write an entry down before anything is sent."""
        with self._db:
            self._db.execute("insert into entries values (?, ?)", (item["key"], json.dumps(item)))

    def take_out(self, keys: Sequence[str]) -> None:
        """What was answered is not sent again."""
        with self._db:
            self._db.executemany("delete from entries where key = ?", [(key,) for key in keys])

    def waiting(self) -> list[Item]:
        """What is still to be sent, in the order in which it was written down."""
        return [json.loads(item) for (item,) in self._db.execute("select item from entries order by rowid")]

    def killed(self) -> None:
        """The app is gone, whatever it was doing, and is started again."""
        self._db.close()
        self._open()

    def close(self) -> None:
        self._db.close()


@dataclass
class Figures:
    """What befell the entries on their way."""

    entries: int = 0
    requests: int = 0
    lost: int = 0
    duplicates: int = 0
    reordered: int = 0
    kills: int = 0
    refused_for_now: int = 0

    def add(self, other: Figures) -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


@dataclass
class Phone:
    """A phone that sends what it holds until all of it was answered. `loss` is the share of requests, and again of
    answers, that do not arrive; each request that does may arrive three times."""

    queue: Queue
    post: Post
    luck: random.Random
    loss: float
    seen: Figures = field(default_factory=Figures)
    statuses: Counter[int] = field(default_factory=Counter)

    def enter(self, item: Item) -> None:
        """A referee presses the button; the app may be killed at once afterwards."""
        self.queue.put(item)
        self.seen.entries += 1
        self._perhaps_killed()

    def send(self) -> bool:
        """Send some of what waits, in any order; whether anything is left. Raises Lost."""
        waiting = self.queue.waiting()
        if not waiting:
            return False
        sent = self.luck.sample(waiting, min(len(waiting), self.luck.randint(1, AT_ONCE)))
        first = [item["key"] for item in waiting[: len(sent)]]
        self.seen.reordered += sum(item["key"] != key for item, key in zip(sent, first, strict=True))
        answers = self._over_the_network(sent)
        self._perhaps_killed()
        if answers is not None:
            self._heard(answers)
        return True

    def _over_the_network(self, sent: list[Item]) -> Sequence[Answer] | None:
        """The answers of one of the deliveries, None where no request or no answer came through."""
        self.seen.requests += 1
        if self.luck.random() < self.loss:
            self.seen.lost += 1
            return None
        deliveries = 3 if self.luck.random() < 0.3 else 1
        self.seen.duplicates += deliveries - 1
        answers = [self.post(sent) for _ in range(deliveries)]
        if self.luck.random() < self.loss:
            self.seen.lost += 1
            return None
        return self.luck.choice(answers)

    def _heard(self, answers: Sequence[Answer]) -> None:
        self.statuses.update(answer["status"] for answer in answers)
        refused = [answer for answer in answers if answer["status"] not in (*DONE, *AGAIN)]
        if refused:
            raise Lost(refused[0])
        self.seen.refused_for_now += sum(answer["status"] in AGAIN for answer in answers)
        self.queue.take_out([answer["key"] for answer in answers if answer["status"] in DONE])

    def _perhaps_killed(self) -> None:
        if self.luck.random() < 0.02:
            self.queue.killed()
            self.seen.kills += 1
