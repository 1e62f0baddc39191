"""Looks into the book for all readers: often while somebody reads, less often while nobody does.

A store is not shared between threads, so a thread of its own opens it, looks and lets go of it.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from contextvars import copy_context
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure
from scorekeeper.core.messages import tr
from scorekeeper.web.layout import Layout

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from scorekeeper.session.watching import Watched
    from scorekeeper.web.feed import Feed
    from scorekeeper.web.layout import Shown

OFTEN, SELDOM = 0.25, 2.0  # seconds between two looks
RESTS = 8  # looks after which somebody who read the page once is not there any more


class Watcher:
    """Looks at one match. `opened` gives it, in the thread that looks; it may be that it cannot
    be read yet. `closed` lets go of what it opened; `told` hears of what nobody thought of."""

    def __init__(
        self,
        opened: Callable[[], Watched],
        closed: Callable[[], object],
        told: Callable[[str], object] = str,
    ) -> None:
        self._opened = opened
        self._closed = closed
        self._told = told
        self.failed = False  # in the last look something went wrong that is no failure of the book
        self._complained: set[str] = set()
        self._watched: Watched | None = None
        self._layout = Layout()
        self._tried = False

    def look(self) -> Shown | None:
        """What is shown, if that has changed since the last look."""
        try:
            shown = self._look()
        except Exception as error:  # whatever it is: readers are told, and it is tried again
            self.failed, self._watched = True, None
            self._complain(type(error).__name__)
            return self._layout.troubled()
        self.failed = False
        return shown

    def _look(self) -> Shown | None:
        if self._watched is not None:
            return self._layout.of(self._watched.scene()) if self._watched.news() else None
        try:
            self._watched = self._opened()
        except Failure:
            tried, self._tried = self._tried, True
            return None if tried else self._layout.troubled()
        self._tried = False
        return self._layout.of(self._watched.scene())

    def _complain(self, kind: str) -> None:
        """Tell it once: what goes wrong in every look shall not fill a terminal."""
        if kind not in self._complained:
            self._complained.add(kind)
            self._told(tr("the page cannot be made now ({kind}); it is tried again", kind=kind))

    def close(self) -> None:
        """Let go of the book."""
        self._watched = None
        self._closed()

    @asynccontextmanager
    async def feeding(self, feed: Feed) -> AsyncIterator[None]:
        """Look, in a thread of its own, and tell the feed what is shown."""
        pool, context = ThreadPoolExecutor(1), copy_context()
        loop = asyncio.get_running_loop()

        async def there(act: Callable[[], Shown | None]) -> Shown | None:
            return await loop.run_in_executor(pool, context.run, act)

        async def look() -> None:
            shown = await there(self.look)
            if shown is not None:
                feed.publish(shown)

        async def watch() -> None:
            rests = 0
            while not feed.ended:
                rests = 0 if feed.readers or feed.asked.is_set() else rests + 1
                feed.asked.clear()
                if self.failed:
                    await asyncio.sleep(SELDOM)
                elif rests < RESTS:
                    await asyncio.sleep(OFTEN)
                else:
                    with suppress(TimeoutError):
                        await asyncio.wait_for(feed.asked.wait(), SELDOM)
                await look()

        await look()
        looking = asyncio.create_task(watch())
        looking.add_done_callback(lambda _: feed.end())  # nobody is told what is old for new
        try:
            yield
        finally:
            looking.cancel()
            try:
                with suppress(asyncio.CancelledError):
                    await looking
            finally:
                await loop.run_in_executor(pool, context.run, self.close)
                pool.shutdown()
