"""The command line: thin commands over the library and the book. Floor 9.

`main` is the program. Every command's options for the match, the book and the output's form are
the ones of `common`.
"""

from __future__ import annotations

import gc
import sys
from io import TextIOWrapper


def _speak() -> None:
    """Read and write whatever comes: files and pipes are UTF-8, a terminal shows what it cannot
    write as escapes."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            if not stream.isatty():
                stream.reconfigure(encoding="utf-8")
            stream.reconfigure(errors="replace" if stream is sys.stdin else "backslashreplace")


def main() -> None:
    """Run the program; ends by SystemExit with the exit codes of the README."""
    _speak()
    gc.disable()  # nothing of what is imported is ever garbage; looking costs a twentieth
    from scorekeeper.cli.commands import build

    try:
        program = build(sys.argv[1] if len(sys.argv) > 1 else "")
        gc.freeze()
        gc.enable()
        program(prog_name="scorekeeper")
    except KeyboardInterrupt:
        sys.exit(130)
