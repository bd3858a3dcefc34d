"""Personal data: sealed per person in the log, readable only while the person's key exists."""
