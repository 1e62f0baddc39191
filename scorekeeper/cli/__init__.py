"""The command line: thin commands over the library and the book.

`main` is the program. Every command's options for the match, the book and the output's form are
the ones of `common`.
"""

from __future__ import annotations

import gc
import sys

from scorekeeper.cli.streams import speak, why_lost


def main() -> None:
    """Run the program; ends by SystemExit with the exit codes of `docs/exit-codes.md`."""
    speak()
    gc.disable()  # nothing of what is imported is ever garbage; looking costs a twentieth
    from scorekeeper.cli.commands import build
    from scorekeeper.cli.common import DAMAGED, INTERRUPTED, talk

    try:
        program = build(*sys.argv[1:3])
        gc.freeze()
        gc.set_threshold(100_000)  # nor is what one command imports and loads
        gc.enable()
        program(prog_name="scorekeeper")
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except SystemExit as left:
        if lost := why_lost():
            talk(f"scorekeeper: standard output cannot be written: {lost}; "
                 "what was recorded stays recorded")  # fmt: skip
            sys.exit(DAMAGED)
        raise left from None
    finally:
        gc.freeze()  # nor need the interpreter look through it all before it ends
