"""Appeals over HTTP: shapes in and out, no rules."""

from services.appeals.api import committee, effect, evidence, filing, money, reads
from services.appeals.api.base import UseCases, blueprint

__all__ = ["UseCases", "blueprint", "committee", "effect", "evidence", "filing", "money", "reads"]
