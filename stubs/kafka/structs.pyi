from typing import NamedTuple

class TopicPartition(NamedTuple):
    topic: str
    partition: int

class OffsetAndMetadata(NamedTuple):
    offset: int
    metadata: str
    leader_epoch: int

class OffsetAndTimestamp(NamedTuple):
    offset: int
    timestamp: int
    leader_epoch: int

class MemberState:
    UNJOINED: str
    REBALANCING: str
    STABLE: str

class ConsumerGroupMetadata(NamedTuple):
    group_id: str | None
    generation_id: int
    member_id: str
    group_instance_id: str | None
    state: str
