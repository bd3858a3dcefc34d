from typing import Any

class Worker:
    age: int
    wsgi: Any
    def load_wsgi(self) -> None: ...
    def notify(self) -> None: ...
