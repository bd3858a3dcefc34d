from typing import Any

class FutureRecordMetadata:
    def get(self, timeout: float | None = None) -> Any: ...
