"""Work on many things, on all cores: files that are verified, matches that are replayed.

A pool of processes costs as much as some hundred files, so work begins in this process, and is
shared out once it shows that much is left.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections import deque
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from scorekeeper.core.errors import Damaged
from scorekeeper.core.messages import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence
    from concurrent.futures import Future, ProcessPoolExecutor


T = TypeVar("T")
R = TypeVar("R")

MOST = 60  # processes: no system refuses so many
FIRST_WHILE = 0.05  # seconds of work in this process alone
WORTH = 0.5  # seconds of work left that are worth a pool
PORTION = 0.05  # seconds of work that are handed over at once: who interrupts does not wait long
WAITING = 3  # portions under way for each process: memory stays flat
# A forked process has all that was imported and compiled here; only where no system library minds,
# and while there is one thread (the pool's own begins after its processes).
START = "fork" if sys.platform == "linux" else "spawn"


def each(
    work: Callable[[T], R], things: Sequence[T], jobs: int | None = None
) -> Generator[R, None, None]:
    """What `work` makes of each thing, in their order, as it is made: in `jobs` processes, or in
    as many as there are cores where that is worth it.

    `work`, things and what is made of them must be picklable. Who may stop half-way closes the
    iterator (`contextlib.closing`), and nobody works any longer. Raises Damaged when one of the
    processes was ended from outside.
    """
    most = min(jobs or _cores(), MOST, len(things))
    spent = 0.0
    for done, thing in enumerate(things):
        if most > 1 and done > 1:
            pace, left = spent / (done - 1), len(things) - done
            if jobs or (spent > FIRST_WHILE and pace * left > WORTH):
                yield from _shared(work, things[done:], most, pace)
                return
        start = time.monotonic()
        made = work(thing)
        if done:  # the first one finds nothing compiled
            spent += time.monotonic() - start
        yield made


def _cores() -> int:
    """The cores that this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _shared(work: Callable[[T], R], things: Sequence[T], jobs: int, pace: float) -> Iterator[R]:
    """What so many processes make of things that take about so many seconds each."""
    from concurrent.futures import BrokenExecutor

    most = jobs * WAITING
    size = max(1, min(int(PORTION / max(pace, 1e-6)), len(things) // most))
    pool = None
    try:
        with _uninterrupted():
            pool = _pool(jobs)
        yield from map(work, things) if pool is None else _made(pool, work, things, size, most)
    except BrokenExecutor:
        raise Damaged(
            tr("one of the processes at work was ended from outside"), "--jobs 1"
        ) from None
    finally:
        if pool is not None:
            pool.shutdown(cancel_futures=True)


def _made(
    pool: ProcessPoolExecutor, work: Callable[[T], R], things: Sequence[T], size: int, most: int
) -> Iterator[R]:
    """What a pool makes of things in portions of a size, at most so many under way."""
    under_way: deque[Future[list[R]]] = deque()
    for at in range(0, len(things), size):
        under_way.append(pool.submit(_portion, work, things[at : at + size]))
        if len(under_way) == most:
            yield from under_way.popleft().result()
    while under_way:
        yield from under_way.popleft().result()


def _pool(jobs: int) -> ProcessPoolExecutor | None:
    """So many processes that wait for work; None where there can be none."""
    from multiprocessing import active_children, get_context

    before = active_children()
    try:
        from concurrent.futures import ProcessPoolExecutor

        pool = ProcessPoolExecutor(jobs, get_context(START), _begin)
        pool.submit(os.getpid)  # now they are there, or never
    except (ImportError, NotImplementedError, OSError):
        for process in active_children():
            if process not in before:
                process.terminate()
        return None
    return pool


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Whoever interrupts meanwhile is heard afterwards, and never by a process that began here."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _portion(work: Callable[[T], R], things: Sequence[T]) -> list[R]:
    return list(map(work, things))


def _begin() -> None:
    """Leave an interrupt to the process that hands out the work, and end when that one does."""
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
