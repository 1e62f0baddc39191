"""Parallel work on many items, such as files to verify or matches to replay.

Starting the processes takes as long as verifying a few hundred files. Work therefore begins in the
current process and is distributed only if enough items remain.
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

MAX_PROCESSES = 60  # the largest number of processes that every system allows
SERIAL_SECONDS = 0.05  # seconds of work before a pool is considered
MIN_POOL_SECONDS = 0.5  # seconds of remaining work that justify a pool
# seconds of work in each portion; an interrupt takes effect after at most this time
PORTION_SECONDS = 0.05
MAX_QUEUED_PORTIONS = 3  # portions submitted at once for each process; a small number saves memory
# A forked process inherits all imported and compiled code. Because of the system libraries, forking
# is safe only on Linux, and only before the pool starts its thread.
START_METHOD = "fork" if sys.platform == "linux" else "spawn"


def map_parallel(
    work: Callable[[T], R], things: Sequence[T], jobs: int | None = None
) -> Generator[R, None, None]:
    """Apply `work` to each item, and yield the results in the order of the items as they become
    available.

    `jobs` is the number of processes. By default it is the number of cores if a pool is worthwhile.
    `work`, the items and the results must be picklable. A caller that may stop early must close the
    iterator (`contextlib.closing`) to stop the work. Raises Damaged if a process is killed.
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
        if done:  # the first item takes longer, because nothing is compiled yet
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
    """Submit portions of `size` items, with at most `most` portions pending, and yield their
    results."""
    under_way: deque[Future[list[R]]] = deque()
    for at in range(0, len(things), size):
        under_way.append(pool.submit(_work_portion, work, things[at : at + size]))
        if len(under_way) == most:
            yield from under_way.popleft().result()
    while under_way:
        yield from under_way.popleft().result()


def _start_pool(jobs: int) -> ProcessPoolExecutor | None:
    """Start a pool of processes and return it, or return None if the system does not allow a
    pool."""
    from multiprocessing import active_children, get_context

    before = active_children()
    try:
        from concurrent.futures import ProcessPoolExecutor

        pool = ProcessPoolExecutor(jobs, get_context(START_METHOD), _init_worker)
        pool.submit(os.getpid)  # this raises an error if the processes cannot start
    except (ImportError, NotImplementedError, OSError):
        for process in active_children():
            if process not in before:
                process.terminate()
        return None
    return pool


@contextmanager
def _blocking_interrupts() -> Iterator[None]:
    """Block interrupts while new processes start, so that the processes do not receive any."""
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
    """Make a worker process ignore interrupts, and end it when the main process ends."""
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
