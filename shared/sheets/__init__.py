"""Sheets that Pailu writes: `cells` keeps a text from becoming a formula, `writing` makes workbooks and CSV."""
