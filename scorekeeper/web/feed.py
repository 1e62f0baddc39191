"""The stream of server-sent events: a `Feed` makes each event once, from changes that a `Watcher`
sees.

A reader's only state is a position. A reader who is up to date gets the last steps, in bytes shared
by all readers. A reader who was away or is slow gets the missed entries and the parts of the page.
If too many entries were missed, or some were withdrawn, only the parts are sent.

The watcher checks often while there are readers, otherwise less often. Threads cannot share a
store, so a separate thread opens, reads and closes it.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from contextvars import copy_context
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure
from scorekeeper.core.messages import tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.web.layout import MOST_SHOWN, PageLayout, page

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator

    from scorekeeper.session.spectators import SpectatorMatch
    from scorekeeper.web.layout import Shown

RETRY = b"retry: 2000\n\n"
BEAT, BEAT_EVERY = b":\n\n", 15.0  # seconds
MOST_MISSED = 2_000  # entries sent one by one to a reader who was away
MOST_LETTERS = 65_536  # characters of these entries, which are encoded for each such reader
MOST_AT_ONCE = 1_048_576  # characters of one step, which is encoded once for all readers
MOST_STEPS = 32
MOST_READERS = 400
OFTEN, SELDOM = 0.25, 2.0  # seconds between two checks
RESTS = 8  # checks after which a reader of the page alone counts as gone


class Feed:
    """The current page and the readers that wait for changes. All use is in one event loop."""

    def __init__(self) -> None:
        self.shown: Shown | None = None
        self.readers = 0
        self.ended = False
        self.asked = asyncio.Event()  # set when a reader connects or requests the page
        self._page = b""
        self._parts = b""
        self._number = 0
        self._steps: deque[Step] = deque(maxlen=MOST_STEPS)
        self._news = asyncio.Event()

    def publish(self, shown: Shown) -> None:
        """Replace the page by that content."""
        before, self.shown = self.shown, shown
        if before is not None and before.at == shown.at:
            return
        self._number += 1
        self._page = self._parts = b""
        if before is not None:
            self._steps.append(Step(self._number, b"".join(step(before, shown))))
        self._wake()

    def end(self) -> None:
        """End all streams."""
        self.ended = True
        self._wake()

    def _wake(self) -> None:
        """Wake all waiting readers."""
        news, self._news = self._news, asyncio.Event()
        news.set()

    def page(self) -> bytes:
        """Return the current page, empty before the first check."""
        if self.shown is not None and not self._page:
            self._page = page(self.shown).encode()
        return self._page

    async def follow(self, at: str) -> AsyncGenerator[bytes, None]:
        """Yield the changes for a reader at that position, and heartbeats in between."""
        self.readers += 1
        self.asked.set()
        try:
            yield RETRY
            number = -1
            while not self.ended:
                news = self._news
                if self.shown is not None and number != self._number:
                    updates, number = self._since(number, at), self._number
                    at = self.shown.at
                    for each in updates:
                        yield each
                else:
                    try:
                        await asyncio.wait_for(news.wait(), BEAT_EVERY)
                    except TimeoutError:
                        yield BEAT
        finally:
            self.readers -= 1

    def _since(self, number: int, at: str) -> list[bytes]:
        """Return the bytes for a reader at that step number (-1: unknown) or position."""
        steps = [step.told for step in self._steps if step.number > number]
        if number >= 0 and number + len(steps) == self._number:
            return steps
        assert self.shown is not None  # only called when there is content
        encoded, has_all = missed(self.shown, at)
        if has_all:
            return [encoded]
        self._parts = self._parts or b"".join(_whole(self.shown))
        return [encoded, self._parts]


class Step(NamedTuple):
    """The changes of one step: its number and the encoded events."""

    number: int
    told: bytes


class Message(NamedTuple):
    """An event of the stream and the position after it ("": unchanged)."""

    kind: str
    data: str
    id: str = ""


def step(before: Shown, after: Shown) -> Iterator[bytes]:
    """Encode the changes for a reader who has the previous content."""
    have = len(before.entries)
    changed = [name for name, html in after.parts.items() if before.parts.get(name) != html]
    messages = _missing(after, have, before.marks[have], MOST_AT_ONCE)
    if messages is None:
        return _sent(_parts(after, [*changed, "log"]), after.at)
    first = max(0, len(after.entries) - MOST_SHOWN)
    pairs = zip(before.entries[first:], after.entries[first:], strict=False)
    noted = [
        Message("change", json.dumps({"name": f"e{number}", "html": html}))
        for number, (old, html) in enumerate(pairs, first + 1)
        if old != html
    ]
    return _sent([*messages, *noted, *_parts(after, changed)], after.at)


def missed(shown: Shown, at: str) -> tuple[bytes, bool]:
    """Encode the entries that a reader at that position lacks, and whether that is all.

    The position comes from outside and may be any text.
    """
    have, mark, state = [*at.split("-", 2), "", ""][:3]
    # Limit the length, and with it the time to parse the number.
    count = int(have) if have.isascii() and have.isdigit() and len(have) < 12 else -1
    messages = _missing(shown, count, mark, MOST_LETTERS)
    has_all = messages is not None and state == shown.state
    data = _sent(messages or [], shown.at if has_all else "")
    return b"".join(data), has_all


def _whole(shown: Shown) -> Iterator[bytes]:
    """Encode all parts of the page."""
    return _sent(_parts(shown, [*shown.parts, "log"]), shown.at)


def _missing(shown: Shown, have: int, mark: str, most: int) -> list[Message] | None:
    """Return the entries after those that a reader has, up to a total length.

    Return None if that is too much, or if the reader's entries differ from the current ones.
    """
    many = len(shown.entries)
    if not 0 <= many - have <= MOST_MISSED or have < 0 or shown.marks[have] != mark:
        return None
    entries = shown.entries[have:]
    if sum(map(len, entries)) > most:
        return None
    return [
        Message("entry", html, shown.place(count)) for count, html in enumerate(entries, have + 1)
    ]


def _parts(shown: Shown, names: list[str]) -> list[Message]:
    """Return an event for each of these parts."""
    return [
        Message("part", json.dumps({"name": name, "html": html}))
        for name, html in shown.whole()
        if name in names
    ]


def _sent(messages: list[Message], last: str) -> Iterator[bytes]:
    """Encode events. The last one carries the given position, if any."""
    for index, message in enumerate(messages, 1):
        at = (last if index == len(messages) else "") or message.id
        named = f"id: {at}\n" if at else ""
        yield f"{named}event: {message.kind}\ndata: {message.data}\n\n".encode()


class Watcher:
    """A watcher of one match.

    The first function opens the match in the watching thread, and may fail for now. The second
    closes it. The third reports unexpected errors.
    """

    def __init__(
        self,
        opened: Callable[[], SpectatorMatch],
        closed: Callable[[], object],
        told: Callable[[str], object] = str,
    ) -> None:
        self._opened = opened
        self._closed = closed
        self._told = told
        self.failed = False  # the last check failed for another reason than the book
        self._complained: set[str] = set()
        self._watched: SpectatorMatch | None = None
        self._layout = PageLayout()
        self._tried = False

    def look(self) -> Shown | None:
        """Return the page if it has changed since the last check."""
        try:
            shown = self._look()
        except Exception as error:  # whatever the error, inform the readers and retry
            self.failed, self._watched = True, None
            self._complain(type(error).__name__)
            return self._layout.troubled()
        self.failed = False
        return shown

    def _look(self) -> Shown | None:
        """Open the match if needed, and return the page if it has changed."""
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
        """Report each kind of error once, because every check may repeat it."""
        if kind not in self._complained:
            self._complained.add(kind)
            self._told(tr("the page cannot be updated now ({kind}); it is retried", kind=kind))

    def close(self) -> None:
        """Close the match."""
        self._watched = None
        self._closed()

    @asynccontextmanager
    async def feeding(self, feed: Feed) -> AsyncIterator[None]:
        """Check the match in a separate thread, and publish changes, while the context is open."""
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
        # readers must not take an old page for a current one
        looking.add_done_callback(lambda _: feed.end())
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
