"""What the four Flask apps share. `application` builds an app; `commands` and `reads` are the two kinds of endpoint;
the rest serves them: `identity` (who asks), `problems` (every error), `tokens` (read your writes), `health`,
`operations` (projections and held events)."""
