"""An event log in memory that behaves as Kafka may: partitions by competition, members that share them out, places
that a member loses between reading and committing, messages that are there twice, polls that give nothing yet.

What it never does is what Kafka never does either: change a partition's order, lose a message, or hand a group's
place to a member that does not have the partition."""

from __future__ import annotations

import random
from collections.abc import Sequence
from zlib import crc32

from shared.eventsourcing.errors import NotNow
from shared.eventsourcing.records import Envelope

Partition = tuple[str, int]
PARTITIONS = 3
REBALANCE, NOTHING, AGAIN = 0.05, 0.1, 0.2
"""How often a poll finds that its group has shared out anew, or gives nothing although there is something; how often
a batch lands a second time, late."""


class PartitionedLog:
    """The topics and groups of all services. `duplicates` and `rebalances` count what happened."""

    def __init__(self, seed: int, partitions: int = PARTITIONS) -> None:
        self.numbers = random.Random(seed)
        self.duplicates = 0
        self.rebalances = 0
        self.messages: dict[Partition, list[Envelope]] = {}
        self._partitions = partitions
        self._groups: dict[str, Group] = {}

    def publish(self, entries: Sequence[Envelope]) -> None:
        for entry in entries:
            partition = (entry.service, crc32(entry.competition.encode()) % self._partitions)
            self.messages.setdefault(partition, []).append(entry)
        if entries and self.numbers.random() < AGAIN:
            begin = self.numbers.randrange(len(entries))
            late = entries[begin : begin + self.numbers.randrange(1, 5)]
            self.duplicates += len(late)
            for entry in late:
                self.messages[entry.service, crc32(entry.competition.encode()) % self._partitions].append(entry)

    def subscribe(self, group: str, services: Sequence[str]) -> Member:
        member = Member(self, self._group(group), services)
        self._group(group).share_out(joining=member)
        return member

    def lag(self, group: str, services: Sequence[str]) -> int:
        places = self._group(group).places
        return sum(len(self.messages.get(at, ())) - places.get(at, 0) for at in self.partitions(services))

    def forget(self, group: str) -> None:
        if self._group(group).members:
            raise NotNow(f"{group} has members")
        self._groups.pop(group)

    def partitions(self, services: Sequence[str]) -> list[Partition]:
        return [(service, number) for service in services for number in range(self._partitions)]

    def check(self, entries: Sequence[Envelope]) -> None:
        """Everything of a service's log is here, first deliveries in order, repetitions identical."""
        for competition in {entry.competition for entry in entries}:
            own = [entry for entry in entries if entry.competition == competition]
            partition = (own[0].service, crc32(competition.encode()) % self._partitions)
            first: dict[int, Envelope] = {}
            for message in self.messages[partition]:
                if message.competition == competition:
                    assert first.setdefault(message.position, message) == message, "a repetition differs"
            assert list(first.values()) == own, f"{competition} is not in order"

    def _group(self, name: str) -> Group:
        return self._groups.setdefault(name, Group(self))


class Group:
    """A group's committed places and its members."""

    def __init__(self, log: PartitionedLog) -> None:
        self.places: dict[Partition, int] = {}
        self.members: list[Member] = []
        self._log = log

    def share_out(self, joining: Member | None = None, leaving: Member | None = None) -> None:
        """Every partition to one member, anew; whoever gets one reads on from the group's place."""
        self.members = [member for member in self.members if member is not leaving] + ([joining] if joining else [])
        self._log.numbers.shuffle(self.members)
        if len(self.members) > 1 or joining is None:
            self._log.rebalances += 1
        for member in self.members:
            member.reading.clear()
        if self.members:
            for service, number in self._log.partitions(self.members[0].services):
                member = self.members[number % len(self.members)]
                member.reading[service, number] = self.places.get((service, number), 0)


class Member:
    """One reader of a group."""

    def __init__(self, log: PartitionedLog, group: Group, services: Sequence[str]) -> None:
        self.services = tuple(services)
        self.reading: dict[Partition, int] = {}
        self._log = log
        self._group = group
        self._polled: dict[Partition, int] = {}

    def poll(self, limit: int) -> list[Envelope]:
        chance = self._log.numbers.random()
        if chance < REBALANCE:
            self._group.share_out()
        if chance < NOTHING:
            return []
        polled: list[Envelope] = []
        order = list(self.reading)
        self._log.numbers.shuffle(order)
        for partition in order:
            begin = self.reading[partition]
            found = self._log.messages.get(partition, [])[begin : begin + limit - len(polled)]
            if found:
                self.reading[partition] = self._polled[partition] = begin + len(found)
                polled += found
        return polled

    def commit(self) -> None:
        """A partition may be lost between the handling of its events and this call."""
        if self._log.numbers.random() < REBALANCE:
            self._group.share_out()
        polled, self._polled = self._polled, {}
        if any(self.reading.get(partition, -1) < place for partition, place in polled.items()):
            raise NotNow("partitions went to another member before they were committed")
        self._group.places.update(polled)

    def lag(self) -> int:
        places = self._group.places
        return sum(
            len(self._log.messages.get(at, ())) - places.get(at, 0) for at in self._log.partitions(self.services)
        )

    def close(self) -> None:
        if self in self._group.members:
            self._group.share_out(leaving=self)
