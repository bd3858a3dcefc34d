"""Appeals over HTTP: shapes in and out, no rules."""

from services.appeals.api import committee, filing, reads
from services.appeals.api.base import blueprint

__all__ = ["blueprint", "committee", "filing", "reads"]
