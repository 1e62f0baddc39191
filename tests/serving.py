"""A page that a background thread serves during a test, and a reader of its stream."""

from __future__ import annotations

import json
import socket
import threading
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from scorekeeper.session.spectators import SpectatorMatch
from scorekeeper.store.book import Book
from scorekeeper.store.recorder import MatchRecorder
from scorekeeper.web.app import PageServer, build_app
from scorekeeper.web.feed import Feed, Watcher

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PATIENCE = 20.0  # Seconds after which a test gives up.


class Event(NamedTuple):
    """An event of the stream: its kind, its id, its data."""

    kind: str
    id: str
    data: str

    @property
    def part(self) -> tuple[str, str]:
        """The part that changed, and its HTML."""
        told = json.loads(self.data)
        return told["name"], told["html"]


def events(told: bytes) -> list[Event]:
    """Return the events in a stream's text as a browser reads them."""
    found = []
    for block in told.decode().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n") if ": " in line)
        if "event" in fields:
            found.append(Event(fields["event"], fields.get("id", ""), fields["data"]))
    return found


class Served(NamedTuple):
    """A page that is being served, with its address and its feed."""

    port: int
    feed: Feed
    token: str

    @property
    def url(self) -> str:
        """The address that is typed in a browser."""
        return f"http://127.0.0.1:{self.port}/{self.token}{'/' if self.token else ''}"

    def raw(self, request: bytes, until: bytes = b"") -> bytes:
        """Return the answer to these bytes, read up to `until` if it occurs."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as asking:
            answer = b""
            # The server may close the connection of a refused client.
            with suppress(ConnectionError):
                asking.sendall(request)
                while not (until and until in answer) and (more := asking.recv(65536)):
                    answer += more
            return answer

    def stream(self, until: str, after: str = "", last: str = "") -> list[Event]:
        """Return the events of the stream up to the first that contains that text."""
        headers = f"Host: 127.0.0.1\r\nLast-Event-ID: {last}\r\n" if last else "Host: 127.0.0.1\r\n"
        path = f"/{self.token}/events" if self.token else "/events"
        asked = f"GET {path}?after={after} HTTP/1.1\r\n{headers}\r\n"
        answer = self.raw(asked.encode(), until.encode())
        return events(unchunked(answer.partition(b"\r\n\r\n")[2]))


def unchunked(body: bytes) -> bytes:
    """Return the data that was sent in chunks, as far as it arrived."""
    found = b""
    while body:
        size, _, body = body.partition(b"\r\n")
        found, body = found + body[: int(size or b"0", 16)], body[int(size or b"0", 16) + 2 :]
    return found


@contextmanager
def served(
    book: Path, match: int = 1, *, token: str = "", port: int = 0, delay: int = 0
) -> Iterator[Served]:
    """Run with the page of a match while it is served."""
    store = Book(book, wait=0.2)
    feed = Feed()
    watcher = Watcher(lambda: SpectatorMatch(MatchRecorder(store, match), delay), store.close)
    listening = socket.create_server(("127.0.0.1", port))
    server = PageServer(build_app(feed, watcher, token, not token), feed)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        until = time.monotonic() + PATIENCE
        while not server.started and time.monotonic() < until:
            time.sleep(0.01)
        yield Served(listening.getsockname()[1], feed, token)
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        assert not thread.is_alive()
