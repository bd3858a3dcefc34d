from collections.abc import Callable
from typing import Any

SecantusDBServer: Callable[..., Any]

def main(argv: list[str] | None = None) -> int: ...
