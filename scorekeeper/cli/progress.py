"""How far a long command is, for whoever sits at the terminal and sees nothing else of it."""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

T = TypeVar("T")

PATIENCE = 1.0  # seconds


def progress(made: Iterable[T], count: int, label: str) -> Generator[T, None, None]:
    """The same, with a bar on standard error once a second has passed. There is none where nobody
    sees it, nor where what is made is printed on the same terminal."""
    if not sys.stderr.isatty() or sys.stdout.isatty():
        yield from made
        return
    import typer

    start = time.monotonic()
    with ExitStack() as stack:
        bar = None
        for done, each in enumerate(made, 1):
            yield each
            if bar is not None:
                bar.update(1)
            elif time.monotonic() - start > PATIENCE:
                # Standard error shows escapes; a bar is made of them.
                terminal = stack.enter_context(open(sys.stderr.fileno(), "w", closefd=False))
                bar = stack.enter_context(
                    typer.progressbar(length=count, label=label, file=terminal)
                )
                bar.update(done)
