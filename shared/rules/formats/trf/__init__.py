"""The FIDE tournament report format (TRF16, handbook C.04 Annex 2), by which other programs check a pairing.

| module    | what is in it                                                        |
|-----------|----------------------------------------------------------------------|
| `columns` | where each field of a player's line stands, and the codes of results |
| `lines`   | the lines of a report one by one, and what is malformed in them      |
| `writer`  | a competition as a report, and what the report cannot carry          |
| `reader`  | a report as a competition, and what the competition has no place for |

A team is a player there: a win, a draw and a loss are 1, ½ and 0, whatever points the regulation gives.
"""

from shared.rules.formats.trf.reader import read, regulation_of
from shared.rules.formats.trf.writer import written

__all__ = ["read", "regulation_of", "written"]
