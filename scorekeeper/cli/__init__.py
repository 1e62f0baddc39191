"""The command line: thin commands over the library and the book.

`main` is the program. Every command's options for the match, the book and the output's form are
the ones of `common`.
"""

# Nothing is imported here, but where an interruption is heard.

INTERRUPTED = 130  # the exit code, which is one of those of `common`


def main() -> None:
    """Run the program; ends by SystemExit with the exit codes of `docs/exit-codes.md`."""
    try:
        _run()
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None


def _run() -> None:
    import gc
    import os
    import sys
    from signal import SIG_IGN, SIGINT, default_int_handler, getsignal, signal

    heard = getsignal(SIGINT) is default_int_handler  # not by what runs in the background
    if heard:  # nothing has begun that would have to be ended
        signal(SIGINT, lambda *told: os._exit(INTERRUPTED))

    from scorekeeper.cli.output import set_up_streams, why_lost

    set_up_streams()
    gc.disable()  # nothing of what is imported is ever garbage; looking costs a twentieth
    from scorekeeper.cli.app import build
    from scorekeeper.cli.common import DAMAGED, talk

    try:
        program = build(*sys.argv[1:3])
        gc.freeze()
        gc.set_threshold(100_000)  # nor is what one command imports and loads
        gc.enable()
        if heard:
            signal(SIGINT, default_int_handler)
        program(prog_name="scorekeeper")
    except SystemExit as left:
        if lost := why_lost():
            talk(f"scorekeeper: standard output cannot be written: {lost}; "
                 "what was recorded stays recorded")  # fmt: skip
            sys.exit(DAMAGED)
        raise left from None
    finally:
        if heard:
            signal(SIGINT, SIG_IGN)  # all is done that was to be done
        gc.freeze()  # nor need the interpreter look through it all before it ends
