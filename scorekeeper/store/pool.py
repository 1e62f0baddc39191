"""Work on many items on all cores, such as files to verify or matches to replay.

Starting the processes takes as long as verifying some hundred files. Work therefore begins in this
process, and is distributed when enough of it remains.
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

MAX_PROCESSES = 60  # processes; every system allows this many
SERIAL_SECONDS = 0.05  # seconds of work before a pool is considered
MIN_POOL_SECONDS = 0.5  # seconds of remaining work that justify a pool
PORTION_SECONDS = 0.05  # seconds of work in a portion; an interrupt waits no longer than that
MAX_QUEUED_PORTIONS = 3  # portions for each process that are submitted at once, which limits memory
# A forked process inherits all imported and compiled code. Only on Linux is this safe with the
# system libraries, and only before the pool starts its thread.
START_METHOD = "fork" if sys.platform == "linux" else "spawn"


def map_parallel(
    work: Callable[[T], R], things: Sequence[T], jobs: int | None = None
) -> Generator[R, None, None]:
    """Apply `work` to each item and return the results in the order of the items, as they are made.

    `jobs` is the number of processes, by default that of the cores if it is worth it. `work`,
    the items and the results must be picklable. A caller that may stop early closes the iterator
    (`contextlib.closing`), which stops the work. Raises Damaged if a process is killed.
    """
    most = min(jobs or _core_count(), MAX_PROCESSES, len(things))
    spent = 0.0
    for done, thing in enumerate(things):
        if most > 1 and done > 1:
            pace, remaining = spent / (done - 1), len(things) - done
            if jobs or (spent > SERIAL_SECONDS and pace * remaining > MIN_POOL_SECONDS):
                yield from _map_in_pool(work, things[done:], most, pace)
                return
        start = time.monotonic()
        result = work(thing)
        if done:  # the first item is slower, because nothing is compiled yet
            spent += time.monotonic() - start
        yield result


def _core_count() -> int:
    """Return the number of cores that this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _map_in_pool(
    work: Callable[[T], R], things: Sequence[T], jobs: int, pace: float
) -> Iterator[R]:
    """Apply `work` in `jobs` processes to items that take about `pace` seconds each."""
    from concurrent.futures import BrokenExecutor

    most = jobs * MAX_QUEUED_PORTIONS
    size = max(1, min(int(PORTION_SECONDS / max(pace, 1e-6)), len(things) // most))
    pool = None
    try:
        with _blocking_interrupts():
            pool = _start_pool(jobs)
        yield from (
            map(work, things) if pool is None else _collect_results(pool, work, things, size, most)
        )
    except BrokenExecutor:
        raise Damaged(tr("one of the worker processes was killed"), "--jobs 1") from None
    finally:
        if pool is not None:
            pool.shutdown(cancel_futures=True)


def _collect_results(
    pool: ProcessPoolExecutor, work: Callable[[T], R], things: Sequence[T], size: int, most: int
) -> Iterator[R]:
    """Submit portions of `size` items, at most `most` at once, and return their results."""
    under_way: deque[Future[list[R]]] = deque()
    for at in range(0, len(things), size):
        under_way.append(pool.submit(_work_portion, work, things[at : at + size]))
        if len(under_way) == most:
            yield from under_way.popleft().result()
    while under_way:
        yield from under_way.popleft().result()


def _start_pool(jobs: int) -> ProcessPoolExecutor | None:
    """Start processes. None if the system does not allow it."""
    from multiprocessing import active_children, get_context

    before = active_children()
    try:
        from concurrent.futures import ProcessPoolExecutor

        pool = ProcessPoolExecutor(jobs, get_context(START_METHOD), _init_worker)
        pool.submit(os.getpid)  # if the processes cannot start, this raises
    except (ImportError, NotImplementedError, OSError):
        for process in active_children():
            if process not in before:
                process.terminate()
        return None
    return pool


@contextmanager
def _blocking_interrupts() -> Iterator[None]:
    """Delay interrupts until the end, so that the new processes do not receive them."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work_portion(work: Callable[[T], R], things: Sequence[T]) -> list[R]:
    return list(map(work, things))


def _init_worker() -> None:
    """Set up a process of the pool: ignore interrupts, and end when the main process ends."""
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
