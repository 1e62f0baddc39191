"""What readers are told: server-sent events, made once for all of them by a `Feed`, of what a
`Watcher` finds in the book.

Nothing is kept for a reader but where they are. Who keeps up is given the last steps, the same
bytes as everybody; who was away, or is slow, is given what they miss from where they were, and
the page's parts, which are the same bytes for all; these alone where that is too much, too far
back or was taken back.

The watcher looks often while somebody reads, less often while nobody does. A store is not shared
between threads, so a thread of its own opens it, looks and lets go of it.
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
MOST_MISSED = 2_000  # entries that are told one by one to who was away
MOST_LETTERS = 65_536  # of these together: they are made for each who was away
MOST_AT_ONCE = 1_048_576  # letters of what came at once: that is made once for all who read
MOST_STEPS = 32
MOST_READERS = 400
OFTEN, SELDOM = 0.25, 2.0  # seconds between two looks
RESTS = 8  # looks after which somebody who read the page once is not there any more


class Feed:
    """What is shown now, and who waits for what comes. All of it belongs to one event loop."""

    def __init__(self) -> None:
        self.shown: Shown | None = None
        self.readers = 0
        self.ended = False
        self.asked = asyncio.Event()  # somebody began to read, or read the page
        self._page = b""
        self._parts = b""
        self._number = 0
        self._steps: deque[Step] = deque(maxlen=MOST_STEPS)
        self._news = asyncio.Event()

    def publish(self, shown: Shown) -> None:
        """This is shown from now on."""
        before, self.shown = self.shown, shown
        if before is not None and before.at == shown.at:
            return
        self._number += 1
        self._page = self._parts = b""
        if before is not None:
            self._steps.append(Step(self._number, b"".join(step(before, shown))))
        self._wake()

    def end(self) -> None:
        """Nobody is told anything any more."""
        self.ended = True
        self._wake()

    def _wake(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()

    def page(self) -> bytes:
        """The page as it is now; "" before anything was looked at."""
        if self.shown is not None and not self._page:
            self._page = page(self.shown).encode()
        return self._page

    async def follow(self, at: str) -> AsyncGenerator[bytes, None]:
        """What somebody is told who has what was shown there."""
        self.readers += 1
        self.asked.set()
        try:
            yield RETRY
            number = -1
            while not self.ended:
                news = self._news
                if self.shown is not None and number != self._number:
                    told, number = self._since(number, at), self._number
                    at = self.shown.at
                    for each in told:
                        yield each
                else:
                    try:
                        await asyncio.wait_for(news.wait(), BEAT_EVERY)
                    except TimeoutError:
                        yield BEAT
        finally:
            self.readers -= 1

    def _since(self, number: int, at: str) -> list[bytes]:
        """What is told to who has the number, or is there."""
        steps = [step.told for step in self._steps if step.number > number]
        if number >= 0 and number + len(steps) == self._number:
            return steps
        assert self.shown is not None  # asked where there is something
        told, has_all = missed(self.shown, at)
        if has_all:
            return [told]
        self._parts = self._parts or b"".join(_whole(self.shown))
        return [told, self._parts]


class Step(NamedTuple):
    """What changed at once: the number of what is shown after it, and how it is told."""

    number: int
    told: bytes


class Message(NamedTuple):
    """An event of the stream, and where somebody is who has it ("": where they were)."""

    kind: str
    data: str
    id: str = ""


def step(before: Shown, after: Shown) -> Iterator[bytes]:
    """What is told of a change to who has what was shown before."""
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
    """The entries that are told to somebody who was there, and whether they have all that is shown
    then; what they say may be anything."""
    have, mark, state = [*at.split("-", 2), "", ""][:3]
    # No longer number than one of ours: how much is read of it is bounded.
    count = int(have) if have.isascii() and have.isdigit() and len(have) < 12 else -1
    messages = _missing(shown, count, mark, MOST_LETTERS)
    has_all = messages is not None and state == shown.state
    told = _sent(messages or [], shown.at if has_all else "")
    return b"".join(told), has_all


def _whole(shown: Shown) -> Iterator[bytes]:
    """All that is shown, as it is told."""
    return _sent(_parts(shown, [*shown.parts, "log"]), shown.at)


def _missing(shown: Shown, have: int, mark: str, most: int) -> list[Message] | None:
    """The entries after those that somebody has, one by one, of so many letters together at most;
    None where that is too much, or theirs are not the first of these."""
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
    return [
        Message("part", json.dumps({"name": name, "html": html}))
        for name, html in shown.whole()
        if name in names
    ]


def _sent(messages: list[Message], last: str) -> Iterator[bytes]:
    """The messages as they are sent; who has the last one is there ("": where it says itself)."""
    for index, message in enumerate(messages, 1):
        at = (last if index == len(messages) else "") or message.id
        named = f"id: {at}\n" if at else ""
        yield f"{named}event: {message.kind}\ndata: {message.data}\n\n".encode()


class Watcher:
    """Looks at one match. `opened` gives it, in the thread that looks; it may be that it cannot
    be read yet. `closed` lets go of what it opened; `told` hears of what nobody thought of."""

    def __init__(
        self,
        opened: Callable[[], SpectatorMatch],
        closed: Callable[[], object],
        told: Callable[[str], object] = str,
    ) -> None:
        self._opened = opened
        self._closed = closed
        self._told = told
        self.failed = False  # in the last look something went wrong that is no failure of the book
        self._complained: set[str] = set()
        self._watched: SpectatorMatch | None = None
        self._layout = PageLayout()
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
