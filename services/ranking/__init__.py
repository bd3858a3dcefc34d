"""Ranking: standings with their working, crosstables, places. A projection of the other services' events and nothing
else: it has no commands and writes no event."""
