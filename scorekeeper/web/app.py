"""The web application and its server. It answers requests for the page, its style sheet, its script
and the stream of changes.

Requests cannot change anything. Every response, even to a malformed request, has the same strict
headers.
"""

from __future__ import annotations

import asyncio
import os
import re
import socket
from functools import cache
from ipaddress import ip_address
from secrets import compare_digest
from typing import TYPE_CHECKING

import h11
import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from uvicorn.protocols.http.h11_impl import H11Protocol

from scorekeeper.render.charts import CHART_STYLE
from scorekeeper.render.html import SHEET_STYLE
from scorekeeper.web.feed import MAX_READERS

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from scorekeeper.web.feed import Feed, Watcher

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
CLOSE = {"connection": "close"}  # a client whose request failed must not occupy a connection
PIECE_SIZE = 16_384  # bytes sent at a time
READER_KEY = "reader"  # key in the state of a request that asks for an existing resource
_PORT = re.compile(r":[0-9]*\Z")

REQUEST_TIMEOUT = 10.0  # seconds within which a connection must have sent a request
WRITE_TIMEOUT = 60.0  # seconds after which a reader that accepts no data is disconnected
MAX_CONNECTIONS = 600
MAX_STRANGERS = 400  # maximum number of connections without a request to the right link
MAX_REQUEST = 16_384  # maximum number of bytes buffered for an incomplete request
GRACE_PERIOD = 0.3  # seconds for which slow readers may stay connected after the server stops


def build_app(
    feed: Feed, watcher: Watcher | None = None, token: str = "", local: bool = True
) -> ASGIApp:
    """Build the application for a feed. A watcher updates the feed while the server runs.

    If there is a token, all paths begin with it. A `local` page answers only requests that address
    this machine by a local name.
    """

    def whole(request: Request) -> Response:
        """Respond with the page."""
        feed.page_request.set()
        return PageResponse(feed.page(), media_type="text/html")

    def style(request: Request) -> Response:
        """Respond with the style sheet."""
        return Response(_read_style(), media_type="text/css")

    def script(request: Request) -> Response:
        """Respond with the script."""
        return Response(_read_file("page.js"), media_type="text/javascript")

    def events(request: Request) -> Response:
        """Respond with the stream of changes, or refuse if there are too many readers."""
        if feed.readers >= MAX_READERS:
            return PlainTextResponse("Service Unavailable", 503, {"retry-after": "10", **CLOSE})
        at = request.headers.get("last-event-id") or request.query_params.get("after", "")
        return EventStream(feed, at)

    routes = [
        Route("/", whole),
        Route("/page.css", style),
        Route("/page.js", script),
        Route("/events", events),
    ]
    lifespan = None if watcher is None else lambda _: watcher.run(feed)
    inner = Starlette(routes=routes, lifespan=lifespan)
    inner.router.redirect_slashes = False
    return Guard(inner, token, local)


class Guard:
    """A filter that admits only permitted requests, and adds the strict headers to every
    response."""

    def __init__(self, inner: ASGIApp, token: str, local: bool) -> None:
        self._inner = inner
        self._token = token
        self._local = local

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._inner(scope, receive, send)
            return

        async def strictly(message: Message) -> None:
            """Send a message with the strict headers."""
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=[*message.get("headers", ())])
                headers.update(HEADERS)
                message = {**message, "headers": headers.raw}
            await send(message)

        await self._choose_answer(scope)(scope, receive, strictly)

    def _choose_answer(self, scope: Scope) -> ASGIApp:
        """Return the application that responds to a request."""
        if scope["method"] not in ("GET", "HEAD"):
            return PlainTextResponse("Method Not Allowed", 405, {"allow": "GET, HEAD", **CLOSE})
        if self._local and not _is_local_host(Headers(scope=scope).get("host", "")):
            return PlainTextResponse("Misdirected Request", 421, CLOSE)
        path = scope["path"]
        if self._token:
            _, _, rest = path.partition("/")
            given, slash, rest = rest.partition("/")
            if not compare_digest(_encode(given), _encode(self._token)):
                return _not_found()
            if not slash:  # the address was typed without its final slash
                return RedirectResponse(f"/{self._token}/", headers=CLOSE)
            path = slash + rest
        if path not in ("/", "/page.css", "/page.js", "/events"):
            return _not_found()
        scope["path"], scope["root_path"] = path, ""
        scope.setdefault("state", {})[READER_KEY] = True
        return self._inner


def _not_found() -> Response:
    """Return the response to a wrong path or token."""
    return PlainTextResponse("Not Found", 404, CLOSE)


def _encode(text: str) -> bytes:
    """Encode a string, even if it contains characters that UTF-8 cannot encode."""
    return text.encode("utf-8", "replace")


def _is_local_host(host: str) -> bool:
    """Return whether a request addresses this machine by a local name.

    A malicious website may point its own name at this machine, but the browser still sends that
    name.
    """
    name = _PORT.sub("", host)
    name = name[1:-1] if name[:1] == "[" and name[-1:] == "]" else name
    if name.lower() == "localhost":
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False


class PageResponse(Response):
    """A long response that is sent only as fast as the reader accepts it."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
        await send(start)
        await _send_pieces(send, bytes(self.body))
        await send({"type": "http.response.body", "body": b""})


class EventStream(Response):
    """The stream of changes for one reader, from the reader's position until the reader leaves."""

    media_type = "text/event-stream"

    def __init__(self, feed: Feed, at: str) -> None:
        super().__init__()
        del self.headers["content-length"]
        self._feed = feed
        self._at = at

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
        await send(start)
        if scope["method"] == "GET":
            telling = asyncio.create_task(self._send_events(send))
            leaving = asyncio.create_task(_wait_for_disconnect(receive))
            try:
                await asyncio.wait((telling, leaving), return_when=asyncio.FIRST_COMPLETED)
            finally:
                leaving.cancel()
                telling.cancel()
                await asyncio.gather(telling, leaving, return_exceptions=True)
        await send({"type": "http.response.body", "body": b""})

    async def _send_events(self, send: Send) -> None:
        """Send the changes as they happen."""
        following = self._feed.follow(self._at)
        try:
            async for data in following:
                await _send_pieces(send, data)
        finally:
            await following.aclose()


async def _send_pieces(send: Send, data: bytes) -> None:
    """Send shared bytes in pieces. Each piece is copied only after the previous one was
    accepted."""
    for at in range(0, len(data), PIECE_SIZE):
        piece = data[at : at + PIECE_SIZE]
        await send({"type": "http.response.body", "body": piece, "more_body": True})


async def _wait_for_disconnect(receive: Receive) -> None:
    """Wait until the reader disconnects."""
    while (await receive())["type"] != "http.disconnect":
        pass


@cache
def _read_style() -> bytes:
    """Return the style sheet for the page, the score sheet and the charts."""
    return b"\n".join([(SHEET_STYLE + CHART_STYLE).encode(), _read_file("page.css")])


@cache
def _read_file(name: str) -> bytes:
    """Read a file of this package."""
    with open(os.path.join(os.path.dirname(__file__), name), "rb") as file:
        return file.read()


# --- the server


class PageServer(uvicorn.Server):
    """A server that stops at once, even while readers are connected."""

    def __init__(self, app: ASGIApp, feed: Feed) -> None:
        config = uvicorn.Config(
            app,
            http=StrictProtocol,
            ws="none",
            loop="asyncio",
            lifespan="on",
            log_config=None,
            log_level="critical",  # messages about readers and their errors would fill the terminal
            access_log=False,
            proxy_headers=False,
            server_header=False,
            date_header=False,
            timeout_keep_alive=10,
            h11_max_incomplete_event_size=MAX_REQUEST,
        )
        super().__init__(config)
        self._feed = feed

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        # Messages about failed connections would fill the terminal.
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: None)
        await super().startup(sockets)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._feed.end()
        asyncio.get_running_loop().call_later(GRACE_PERIOD, self._abort)
        await super().shutdown(sockets)

    def _abort(self) -> None:
        """Abort all connections."""
        for connection in list(self.server_state.connections):
            connection.transport.abort()


class StrictProtocol(H11Protocol):
    """An HTTP protocol that sends strict headers even for malformed requests, and limits idle
    connections.

    A connection is closed if it sends no request or accepts no data for too long.
    """

    _write_timer: asyncio.TimerHandle | None = None
    _request_timer: asyncio.TimerHandle | None = None
    _connected_at = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a connection, or drop one if there are too many.

        The parameter's type is narrower than in asyncio's protocol, as in the base class.
        """
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=PIECE_SIZE)
        self._connected_at = asyncio.get_running_loop().time()
        there = [one for one in self._page_connections() if not one.transport.is_closing()]
        strangers = [one for one in there if one._is_stranger]
        # Drop the oldest connection, because a real reader would have sent a request by now.
        if len(strangers) > MAX_STRANGERS:
            min(strangers, key=lambda one: one._connected_at).transport.abort()
        elif len(there) > MAX_CONNECTIONS:
            transport.abort()
        self._update_request_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        for timer in filter(None, (self._request_timer, self._write_timer)):
            timer.cancel()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._update_request_timer()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._update_request_timer()

    def _page_connections(self) -> list[StrictProtocol]:
        """Return all connections of this page."""
        return [one for one in self.connections if isinstance(one, StrictProtocol)]

    @property
    def _is_stranger(self) -> bool:
        """True if the connection has not yet requested an existing resource."""
        return self.cycle is None or READER_KEY not in self.cycle.scope["state"]

    def _update_request_timer(self) -> None:
        """Start the timer for receiving a complete request, or stop it while a response is sent."""
        if self.cycle is not None and not self.cycle.response_complete:
            if self._request_timer is not None:
                self._request_timer.cancel()
                self._request_timer = None
        elif self._request_timer is None:
            loop = asyncio.get_running_loop()
            self._request_timer = loop.call_later(REQUEST_TIMEOUT, self.transport.abort)

    def pause_writing(self) -> None:
        super().pause_writing()
        loop = asyncio.get_running_loop()
        self._write_timer = loop.call_later(WRITE_TIMEOUT, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._write_timer is not None:
            self._write_timer.cancel()
            self._write_timer = None

    def send_400_response(self, msg: str) -> None:
        # too late, because a response is already being sent
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            self.transport.abort()
            return
        headers = {**HEADERS, "content-type": "text/plain; charset=utf-8", "connection": "close"}
        for event in (
            h11.Response(status_code=400, headers=[*headers.items()], reason=b"Bad Request"),
            h11.Data(data=b"Bad Request"),
            h11.EndOfMessage(),
        ):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
