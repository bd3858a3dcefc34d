"""Structured logs: one JSON object a line, from structlog and from every library that uses logging."""

from __future__ import annotations

import logging
from logging.handlers import RotatingFileHandler, WatchedFileHandler
from pathlib import Path
from typing import Any

import structlog

NAME = "pailu.log"
LARGEST = 32 << 20
KEPT = 5

_SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
]


def configure(folder: Path | None, level: str, *, rotates: bool = False) -> None:
    """Write to `pailu.log` in a folder, or to stderr. Of the processes that share the file one `rotates` it; the
    others notice and go on in the new one."""
    handler = _handler(folder, rotates)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=_SHARED,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(ensure_ascii=False),
            ],
        )
    )
    logging._srcfile = None  # nobody asks which line logs, and finding out is half of it
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level)
    logging.getLogger("pymongo").setLevel(logging.WARNING)
    logging.getLogger("kafka").setLevel(logging.CRITICAL)  # it tells of every retry; what fails is told by the part
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_SHARED,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )


def _handler(folder: Path | None, rotates: bool) -> logging.Handler:
    if folder is None:
        return logging.StreamHandler()
    folder.mkdir(parents=True, exist_ok=True)
    if rotates:
        return RotatingFileHandler(folder / NAME, maxBytes=LARGEST, backupCount=KEPT, encoding="utf-8")
    return WatchedFileHandler(folder / NAME, encoding="utf-8")
