"""The `pailu` command. `main` is its entry and knows every subcommand by an import string only, so that starting one
loads nothing of the others, and nothing here depends on services or on how they are deployed."""
