"""Appeals over HTTP: shapes in and out, no rules."""

from services.appeals.api import committee, effect, filing, money, reads
from services.appeals.api.base import blueprint

__all__ = ["blueprint", "committee", "effect", "filing", "money", "reads"]
