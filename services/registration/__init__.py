"""Registration: competitions announced from a regulation, entries until their deadline."""
