from collections.abc import Mapping
from enum import Enum

class NewTopic:
    name: str
    def __init__(
        self,
        name: str,
        num_partitions: int = -1,
        replication_factor: int = -1,
        replica_assignments: Mapping[int, list[int]] | None = None,
        topic_configs: Mapping[str, str] | None = None,
    ) -> None: ...

class OffsetSpec(Enum):
    LATEST = -1
    EARLIEST = -2
