"""The published language: every event, one module per service, and the refusals that a command can meet.

An event is never changed once it was published. A new form is a new version of its contract with an upcaster from
the one before (`catalogue.UPCASTERS`)."""
