"""How far a long command is, for whoever sits at the terminal and sees nothing else of it."""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

T = TypeVar("T")

PATIENCE = 1.0  # seconds


def progress(
    made: Iterable[T],
    count: int | Callable[[], int],
    label: str,
    size: Callable[[T], int] = lambda each: 1,
    silent: bool = False,
) -> Generator[T, None, None]:
    """The same, with a bar on standard error once a second has passed. There is none where nobody
    sees it, nor where what is made is printed on the same terminal; `silent`: nothing is printed
    until all is made. `count` is how much there is, asked when the bar begins, `size` how much of
    it each is."""
    if not sys.stderr.isatty() or (sys.stdout.isatty() and not silent):
        yield from made
        return
    import typer

    start, done = time.monotonic(), 0
    with ExitStack() as stack:
        bar = None
        for each in made:
            yield each
            done += size(each)
            if bar is not None:
                bar.update(size(each))
            elif time.monotonic() - start > PATIENCE:
                # Standard error shows escapes; a bar is made of them.
                terminal = stack.enter_context(open(sys.stderr.fileno(), "w", closefd=False))
                length = count if isinstance(count, int) else count()
                bar = stack.enter_context(
                    typer.progressbar(length=length, label=label, file=terminal)
                )
                bar.update(done)
