"""Following the log: every event is handled once in effect, and what cannot be handled is held, not lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from shared.eventsourcing.checkpoints import Checkpoints, Place, by_competition
from shared.eventsourcing.clock import Clock
from shared.eventsourcing.errors import NotNow
from shared.eventsourcing.held import Held
from shared.eventsourcing.ports import Document, Documents, EventLog, Subscription
from shared.eventsourcing.records import Envelope

BATCH = 200


class Handle(Protocol):
    """What is done with events: all of one competition, in order, none of them dealt with before.

    May be called again with the same events after a crash, and must then have no second effect. NotNow stops the
    step; any other exception means that this event cannot be handled."""

    def __call__(self, competition: str, events: Sequence[Envelope], /) -> None: ...


class Consumer:
    """One group on the log. A step polls a bounded batch, handles it by competition, stores how far it came, and
    only then commits. An event that fails is held with every later one of its competition; other competitions go on.
    """

    def __init__(
        self,
        name: str,
        services: Sequence[str],
        handle: Handle,
        log: EventLog,
        documents: Documents,
        clock: Clock,
        batch: int = BATCH,
    ) -> None:
        self.name = name
        self.held = Held(documents, name, clock)
        self.checkpoints = Checkpoints(documents, name)
        self.services = tuple(services)
        self._handle = handle
        self._log = log
        self._batch = batch
        self._subscription: Subscription | None = None

    def step(self) -> int:
        """One batch; how many events were polled or retried. Raises NotNow when the store or the log is away,
        GapInLog, and HeldLimitReached; nothing is committed then, and the next step begins again."""
        try:
            held = self.held.entries()
            if due := self.held.due(held):
                retried = self._retry(due)
                return retried + self._follow(self.held.entries())
            return self._follow(held)
        except BaseException:
            self.close()
            raise

    def lag(self) -> int:
        """Events published and not dealt with (held ones count as dealt with; see `held`). May be asked from any
        thread of any process."""
        return self._log.lag(self.name, self.services)

    def close(self) -> None:
        """Give the subscription back; the next step subscribes again from what was committed."""
        subscription, self._subscription = self._subscription, None
        if subscription is not None:
            subscription.close()

    def drop(self) -> None:
        """Forget the group, its checkpoints and what it holds."""
        self.close()
        self._log.forget(self.name)
        self.checkpoints.drop()
        self.held.drop()

    def _subscribed(self) -> Subscription:
        if self._subscription is None:
            self._subscription = self._log.subscribe(self.name, self.services)
        return self._subscription

    def _follow(self, held: Sequence[Document]) -> int:
        subscription = self._subscribed()
        polled = subscription.poll(self._batch)
        waiting = {entry["competition"] for entry in held}
        for competition, events in by_competition(polled).items():
            self._take(competition, events, competition in waiting)
        if polled:
            subscription.commit()
        return len(polled)

    def _take(self, competition: str, events: Sequence[Envelope], held: bool) -> None:
        """Another consumer may have begun or ended holding the competition since it was looked up. Then its checkpoint
        lacks the events that are held, and this is a gap; or what is to be held beside them is refused as stale."""
        place = self.checkpoints.read(competition, events)
        if held:
            if unseen := place.unseen(events):
                self.held.add(competition, unseen)
            return
        fresh = place.fresh(events)
        done, error = self._apply(competition, place, fresh)
        if error is not None:
            self.held.begin(competition, fresh[done:], error)

    def _retry(self, due: Sequence[str]) -> int:
        """Try the competitions whose waiting time is over, each from its first held event on, at most a batch."""
        tried = 0
        for competition in due:
            events = self.held.events(competition, self._batch)
            tried += len(events)
            place = self.checkpoints.read(competition, events)
            _, error = self._apply(competition, place, place.fresh(events))
            if error is None:
                self.held.end(competition, events)
            else:
                left = place.unseen(events)
                self.held.again(competition, [event for event in events if event not in left], error)
        return tried

    def _apply(self, competition: str, place: Place, events: Sequence[Envelope]) -> tuple[int, Exception | None]:
        """Handle all at once, or one by one up to the one that fails: how many are done, and why no more."""
        if not events:
            return 0, None
        try:
            self._handle(competition, events)
            place.advance(events)
        except NotNow:
            raise
        except Exception as error:
            if len(events) == 1:
                return 0, error
            for done, event in enumerate(events):
                _, failed = self._apply(competition, place, [event])
                if failed is not None:
                    return done, failed
        return len(events), None
