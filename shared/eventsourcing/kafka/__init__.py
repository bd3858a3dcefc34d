"""The event log in Apache Kafka: one topic a service, one message an event, key = competition id.

``address`` (where and how, from one URL) → ``messages`` (an envelope as a message and back) → ``cluster`` (topics,
groups, lag) → ``log`` (the port) → ``restoring`` (a topic that was lost). No transactions: consumers are idempotent by
position, which is all they need."""
