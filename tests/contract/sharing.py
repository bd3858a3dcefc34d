"""What a log must do whose readers do not share partitions out: each member of a group reads everything."""

from __future__ import annotations

from shared.eventsourcing.ports import EventLog
from tests.contract.logs import drain, entries


class UnsharedSuite:
    """Beside EventLogSuite."""

    def test_a_reader_that_is_behind_does_not_put_its_group_back(self, log: EventLog) -> None:
        self.put(log, entries("entry", 4))  # type: ignore[attr-defined]
        behind, ahead = log.subscribe("g", ["entry"]), log.subscribe("g", ["entry"])
        drain(behind, 2, limit=1)
        drain(ahead, 4)
        ahead.commit()
        behind.commit()
        assert log.lag("g", ["entry"]) == 0
