"""`pailu up` for the demo: the same command, with the draw's seed given, in a folder that is removed at the end."""

from __future__ import annotations

import os
import shutil
import sys

from deploy import single
from deploy.guarded import end_with_the_other_end, seed_draws


def main(seed: str, folder: str, *options: str) -> None:
    """`python -m deploy.demo.serve SEED_HEX FOLDER OPTIONS_OF_UP…`; the folder is removed at the end."""
    seed_draws(bytes.fromhex(seed))
    end_with_the_other_end()
    arbiter = os.getpid()
    try:
        single.up.main(list(options))
    finally:
        if os.getpid() == arbiter:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
