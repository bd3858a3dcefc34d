"""Registration over HTTP: shapes in and out, no rules."""

from services.registration.api import competitions, documents, eligibility, entries, lateness, sheets
from services.registration.api.base import UseCases, blueprint

__all__ = ["UseCases", "blueprint", "competitions", "documents", "eligibility", "entries", "lateness", "sheets"]
