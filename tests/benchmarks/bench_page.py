"""The page for onlookers: the cost of many readers for the user who records."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from scorekeeper import load_ruleset
from scorekeeper.store.book import Book
from scorekeeper.store.recorder import MatchRecorder, begin_match
from tests.benchmarks.books import doppelkopf_deal
from tests.benchmarks.shape import ROOT, SCOREKEEPER, Found, Row, Run
from tests.doppelkopf_deals import NAMES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

READERS = 200
PAUSE = 0.005  # Seconds between two plays, faster than any user types.
READ = "tests.benchmarks.bench_page"


async def read(port: int, readers: int, last: str) -> None:
    """Read the stream that many times at once, up to the entry with that text.

    Report when all readers have begun, and then how many entries each reader has received.
    """

    async def one() -> int:
        stream, sending = await asyncio.open_connection("127.0.0.1", port, limit=2**24)
        sending.write(b"GET /events?after=0-0- HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        await stream.readuntil(b"retry")
        begun.release()
        entries, rest = 0, b""
        while more := await stream.read(2**20):
            told = rest + more
            entries += told.count(b"event: entry\n") - rest.count(b"event: entry\n")
            if last.encode() in told:
                break
            rest = told[-100:]
        sending.close()
        return entries

    begun = asyncio.Semaphore(0)
    reading = [asyncio.create_task(one()) for _ in range(readers)]
    for _ in reading:
        await begun.acquire()
    print("begun", flush=True)
    print(json.dumps(await asyncio.gather(*reading)), flush=True)


@contextmanager
def readers(book: Path, count: int, last: str) -> Iterator[subprocess.Popen[str]]:
    """Serve the page of that book, and yield a process in which that many readers watch it."""
    environment = os.environ | {"SCOREKEEPER_BOOK": str(book), "PYTHONPATH": str(ROOT)}
    command = [*SCOREKEEPER, "serve", "--format", "json"]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as serving:
        assert serving.stdout is not None
        address = json.loads("".join(iter(serving.stdout.readline, "}\n")) + "}")["address"]
        reading = [sys.executable, "-m", READ, address.rstrip("/").rpartition(":")[2], str(count)]
        with subprocess.Popen(
            [*reading, last], env=environment, stdout=subprocess.PIPE, text=True
        ) as them:
            assert them.stdout is not None
            assert them.stdout.readline() == "begun\n"
            try:
                yield them
            finally:
                serving.terminate()


def recorded(desk: MatchRecorder, deals: int) -> list[float]:
    """Return the seconds that each entry of that many deals took to be recorded and stored."""
    took = []
    for seed in range(deals):
        for text in doppelkopf_deal(seed):
            start = time.perf_counter()
            desk.record([text])
            took.append(time.perf_counter() - start)
            time.sleep(PAUSE)
    return took


def readers_of_the_page(run: Run) -> Found:
    """Compare a stored play while two hundred readers watch the page of the match with none.

    It is the mean of some deals. Every reader receives every entry.
    """
    deals, last = run.size(8, 2), "that was it"
    took = {}
    for kind in ("alone", "read"):
        path = run.folder / f"page-{kind}.db"
        with Book(path, create=True) as store:
            desk = begin_match(store, load_ruleset("doppelkopf"), NAMES)
            if kind == "alone":
                took[kind] = recorded(desk, deals)
                continue
            with readers(path, run.size(READERS, 20), last) as them:
                took[kind] = recorded(desk, deals)
                desk.record([f"note {last}"])
                assert them.stdout is not None
                had = json.loads(them.stdout.readline())
    assert had == [len(took["read"]) + 1] * len(had)
    alone, read_ = (1000 * sum(each) / len(each) for each in took.values())
    return Found(read_ / alone, f"{read_:.2f} ms against {alone:.2f} ms, {len(had)} readers")


def rows() -> list[Row]:
    """Return the rows of the page."""
    return [Row("page: a play while two hundred read", readers_of_the_page, most=3)]


if __name__ == "__main__":
    asyncio.run(read(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]))
