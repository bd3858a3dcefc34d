"""Registration over HTTP: shapes in and out, no rules."""

from services.registration.api import (
    competitions,
    credentials,
    documents,
    eligibility,
    entries,
    lateness,
    privacy,
    sheets,
)
from services.registration.api.base import UseCases, blueprint

__all__ = [
    "UseCases",
    "blueprint",
    "competitions",
    "credentials",
    "documents",
    "eligibility",
    "entries",
    "lateness",
    "privacy",
    "sheets",
]
