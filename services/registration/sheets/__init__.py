"""Entry forms and lists as sheets: columns from the regulation, templates, reading, exports.

`columns` says what a regulation's form asks; `template` writes an empty form; `reading` takes a workbook or CSV apart,
within bounds; `rows` makes entries of its rows; `exports` says what was entered, row by row."""
