"""The rows of `make bench`: a module each. A row says what it measures, beside what, and what it is to reach."""
