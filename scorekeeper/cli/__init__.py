"""The command-line interface. Each command is a thin layer over the library and the book.

`main` runs the program. Options that many commands share are declared in `common`.
"""

# Nothing is imported at module level, so that Ctrl-C is handled from the start.

INTERRUPTED = 130  # also in `common`, which must not be imported here


def main() -> None:
    """Run the program. Raises SystemExit with an exit code listed in `docs/exit-codes.md`."""
    try:
        _run()
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None


def _run() -> None:
    import gc
    import os
    import sys
    from signal import SIG_IGN, SIGINT, default_int_handler, getsignal, signal

    handles_interrupts = (
        getsignal(SIGINT) is default_int_handler
    )  # false in a background process, which ignores Ctrl-C
    if handles_interrupts:  # exit at once, because nothing needs to be cleaned up yet
        signal(SIGINT, lambda *told: os._exit(INTERRUPTED))

    from scorekeeper.cli.output import lost_output_reason, set_up_streams

    set_up_streams()
    gc.disable()  # imports leave no garbage, and garbage collection takes 5% of the time
    from scorekeeper.cli.app import build
    from scorekeeper.cli.common import DAMAGED, print_notes

    try:
        program = build(*sys.argv[1:3])
        gc.freeze()
        gc.set_threshold(100_000)  # a single command creates little garbage
        gc.enable()
        if handles_interrupts:
            signal(SIGINT, default_int_handler)
        program(prog_name="scorekeeper")
    except SystemExit as left:
        if lost := lost_output_reason():
            print_notes(f"scorekeeper: standard output cannot be written: {lost}; "
                 "what was recorded stays recorded")  # fmt: skip
            sys.exit(DAMAGED)
        raise left from None
    finally:
        if handles_interrupts:
            signal(SIGINT, SIG_IGN)  # all work is done, so ignore Ctrl-C from here on
        gc.freeze()  # avoids a final garbage collection at exit
