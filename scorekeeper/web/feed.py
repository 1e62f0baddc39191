"""The stream of server-sent events for readers of the page.

A `Watcher` notices changes, and a `Feed` turns each change into events once for all readers. The
only state of a reader is a position. Readers who are up to date get the latest steps, as bytes that
all readers share. Readers who were away or are slow get the entries that they missed and all parts
of the page. If they missed too many entries, or if some entries were withdrawn, they get only the
parts.

The watcher checks often while there are readers, and less often otherwise. Threads cannot share a
store, so a separate thread opens, reads and closes the store.
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
from scorekeeper.web.layout import MAX_SHOWN, PageLayout, render_page

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator

    from scorekeeper.session.spectators import SpectatorMatch
    from scorekeeper.web.layout import PageContent

RETRY = b"retry: 2000\n\n"
HEARTBEAT, HEARTBEAT_INTERVAL = b":\n\n", 15.0  # a heartbeat, and the seconds between two of them
MAX_MISSED = 2_000  # maximum number of entries sent one by one to a reader who was away
# maximum number of characters in these entries, because they are encoded for each of these readers
MAX_MISSED_LENGTH = 65_536
MAX_STEP_LENGTH = 1_048_576  # maximum length of a step, whose encoding all readers share
MAX_STEPS = 32
MAX_READERS = 400
BUSY_INTERVAL, IDLE_INTERVAL = 0.25, 2.0  # seconds between checks, with and without readers
IDLE_CHECKS = 8  # checks after which a reader who requested only the page is considered gone


class Feed:
    """The current page and the readers that are waiting for changes. A feed is used in one event
    loop only."""

    def __init__(self) -> None:
        self.content: PageContent | None = None
        self.readers = 0
        self.is_ended = False
        self.page_request = asyncio.Event()  # set when a reader connects or requests the page
        self._page_bytes = b""
        self._part_bytes = b""
        self._number = 0
        self._steps: deque[FeedStep] = deque(maxlen=MAX_STEPS)
        self._change = asyncio.Event()

    def publish(self, content: PageContent) -> None:
        """Replace the page with new content."""
        before, self.content = self.content, content
        if before is not None and before.position == content.position:
            return
        self._number += 1
        self._page_bytes = self._part_bytes = b""
        if before is not None:
            self._steps.append(FeedStep(self._number, b"".join(encode_step(before, content))))
        self._wake()

    def end(self) -> None:
        """End all streams."""
        self.is_ended = True
        self._wake()

    def _wake(self) -> None:
        """Wake all waiting readers."""
        news, self._change = self._change, asyncio.Event()
        news.set()

    def page(self) -> bytes:
        """Return the current page, which is empty before the first check."""
        if self.content is not None and not self._page_bytes:
            self._page_bytes = render_page(self.content).encode()
        return self._page_bytes

    async def follow(self, position: str) -> AsyncGenerator[bytes, None]:
        """Yield the changes for a reader at this position, with heartbeats while nothing
        changes."""
        self.readers += 1
        self.page_request.set()
        try:
            yield RETRY
            number = -1
            while not self.is_ended:
                news = self._change
                if self.content is not None and number != self._number:
                    updates, number = self._updates_since(number, position), self._number
                    position = self.content.position
                    for each in updates:
                        yield each
                else:
                    try:
                        await asyncio.wait_for(news.wait(), HEARTBEAT_INTERVAL)
                    except TimeoutError:
                        yield HEARTBEAT
        finally:
            self.readers -= 1

    def _updates_since(self, number: int, position: str) -> list[bytes]:
        """Return the updates for a reader who is at `position`.

        `number` is the last step that the reader has, or -1 if that is unknown."""
        steps = [step.data for step in self._steps if step.number > number]
        if number >= 0 and number + len(steps) == self._number:
            return steps
        assert self.content is not None  # the caller ensures that there is content
        encoded, has_all = encode_missed(self.content, position)
        if has_all:
            return [encoded]
        self._part_bytes = self._part_bytes or b"".join(_encode_all(self.content))
        return [encoded, self._part_bytes]


class FeedStep(NamedTuple):
    """The changes of one step: its number and the encoded events."""

    number: int
    data: bytes


class FeedEvent(NamedTuple):
    """An event in the stream and the position after it ("" if the position is unchanged)."""

    kind: str
    data: str
    id: str = ""


def encode_step(before: PageContent, after: PageContent) -> Iterator[bytes]:
    """Encode the changes for a reader who has the previous content."""
    have = len(before.entries)
    changed = [name for name, html in after.parts.items() if before.parts.get(name) != html]
    events = _missing_entries(after, have, before.marks[have], MAX_STEP_LENGTH)
    if events is None:
        return _encode_events(_part_events(after, [*changed, "log"]), after.position)
    first = max(0, len(after.entries) - MAX_SHOWN)
    pairs = zip(before.entries[first:], after.entries[first:], strict=False)
    noted = [
        FeedEvent("change", json.dumps({"name": f"e{number}", "html": html}))
        for number, (old, html) in enumerate(pairs, first + 1)
        if old != html
    ]
    return _encode_events([*events, *noted, *_part_events(after, changed)], after.position)


def encode_missed(content: PageContent, position: str) -> tuple[bytes, bool]:
    """Encode the entries that a reader at that position has missed.

    Also return whether the reader then has the whole page. The position was sent by the reader's
    browser and may be any string.
    """
    count_text, mark, fingerprint = [*position.split("-", 2), "", ""][:3]
    # Limit the length, and thus the time to parse the number.
    count = (
        int(count_text)
        if count_text.isascii() and count_text.isdigit() and len(count_text) < 12
        else -1
    )
    events = _missing_entries(content, count, mark, MAX_MISSED_LENGTH)
    has_all = events is not None and fingerprint == content.fingerprint
    data = _encode_events(events or [], content.position if has_all else "")
    return b"".join(data), has_all


def _encode_all(content: PageContent) -> Iterator[bytes]:
    """Encode all parts of the page."""
    return _encode_events(_part_events(content, [*content.parts, "log"]), content.position)


def _missing_entries(
    content: PageContent, have: int, mark: str, max_length: int
) -> list[FeedEvent] | None:
    """Return events for the entries that a reader does not have yet.

    Return None if there are too many, if they are longer than `max_length` in total, or if the
    reader's entries differ from the current ones.
    """
    many = len(content.entries)
    if not 0 <= many - have <= MAX_MISSED or have < 0 or content.marks[have] != mark:
        return None
    entries = content.entries[have:]
    if sum(map(len, entries)) > max_length:
        return None
    return [
        FeedEvent("entry", html, content.position_after(count))
        for count, html in enumerate(entries, have + 1)
    ]


def _part_events(content: PageContent, names: list[str]) -> list[FeedEvent]:
    """Return an event for each of these parts."""
    return [
        FeedEvent("part", json.dumps({"name": name, "html": html}))
        for name, html in content.all_parts()
        if name in names
    ]


def _encode_events(events: list[FeedEvent], last: str) -> Iterator[bytes]:
    """Encode events. If `last` is not "", it is the position of the last event."""
    for index, event in enumerate(events, 1):
        at = (last if index == len(events) else "") or event.id
        named = f"id: {at}\n" if at else ""
        yield f"{named}event: {event.kind}\ndata: {event.data}\n\n".encode()


class Watcher:
    """A watcher of one match.

    `open_match` opens the match in the watching thread, and may fail temporarily. `close_match`
    closes the match. `report` reports unexpected errors.
    """

    def __init__(
        self,
        open_match: Callable[[], SpectatorMatch],
        close_match: Callable[[], object],
        report: Callable[[str], object] = str,
    ) -> None:
        self._open_match = open_match
        self._close_match = close_match
        self._report = report
        self.has_failed = False  # true if the last check failed for a reason other than the book
        self._reported_kinds: set[str] = set()
        self._match: SpectatorMatch | None = None
        self._layout = PageLayout()
        self._is_retry = False

    def check(self) -> PageContent | None:
        """Return the page if it has changed since the last check, otherwise None."""
        try:
            content = self._check()
        except Exception as error:  # whatever the error, inform the readers and try again
            self.has_failed, self._match = True, None
            self._report_once(type(error).__name__)
            return self._layout.with_trouble()
        self.has_failed = False
        return content

    def _check(self) -> PageContent | None:
        """Open the match if needed, and return the page if it has changed."""
        if self._match is not None:
            return self._layout.lay_out(self._match.scene()) if self._match.check_news() else None
        try:
            self._match = self._open_match()
        except Failure:
            tried, self._is_retry = self._is_retry, True
            return None if tried else self._layout.with_trouble()
        self._is_retry = False
        return self._layout.lay_out(self._match.scene())

    def _report_once(self, kind: str) -> None:
        """Report each kind of error only once, because every check may cause it again."""
        if kind not in self._reported_kinds:
            self._reported_kinds.add(kind)
            self._report(tr("the page cannot be updated now ({kind}); trying again", kind=kind))

    def close(self) -> None:
        """Close the match."""
        self._match = None
        self._close_match()

    @asynccontextmanager
    async def run(self, feed: Feed) -> AsyncIterator[None]:
        """Check the match in a separate thread and publish changes while the context is active."""
        pool, context = ThreadPoolExecutor(1), copy_context()
        loop = asyncio.get_running_loop()

        async def run_in_thread(act: Callable[[], PageContent | None]) -> PageContent | None:
            return await loop.run_in_executor(pool, context.run, act)

        async def check() -> None:
            content = await run_in_thread(self.check)
            if content is not None:
                feed.publish(content)

        async def watch() -> None:
            idle = 0
            while not feed.is_ended:
                idle = 0 if feed.readers or feed.page_request.is_set() else idle + 1
                feed.page_request.clear()
                if self.has_failed:
                    await asyncio.sleep(IDLE_INTERVAL)
                elif idle < IDLE_CHECKS:
                    await asyncio.sleep(BUSY_INTERVAL)
                else:
                    with suppress(TimeoutError):
                        await asyncio.wait_for(feed.page_request.wait(), IDLE_INTERVAL)
                await check()

        await check()
        watching = asyncio.create_task(watch())
        # Readers must not mistake an old page for a current one.
        watching.add_done_callback(lambda _: feed.end())
        try:
            yield
        finally:
            watching.cancel()
            try:
                with suppress(asyncio.CancelledError):
                    await watching
            finally:
                await loop.run_in_executor(pool, context.run, self.close)
                pool.shutdown()
