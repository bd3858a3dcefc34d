"""Match over HTTP: shapes in and out, no rules."""

from services.match.api import hall, pairing, play, rounds
from services.match.api.base import UseCases, blueprint

__all__ = ["UseCases", "blueprint", "hall", "pairing", "play", "rounds"]
