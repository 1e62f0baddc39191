"""What is answered to a request, the page, its style and script, and the stream of what changes;
and the server that runs it on a socket until it is told to end.

Nothing can be changed from here. Every answer, whatever was asked, has the same strict headers.
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
from scorekeeper.web.feed import MOST_READERS

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
ENDS = {"connection": "close"}  # nobody stays who was not answered what they asked
PIECE = 16_384  # bytes that somebody is sent at once
READER = "reader"  # what a request's state says of who asked for what is here
_PORT = re.compile(r":[0-9]*\Z")

SILENT = 10.0  # seconds in which somebody asks for something
TOO_SLOW = 60.0  # seconds after which a reader who takes nothing is let go
MOST_CONNECTIONS = 600
MOST_STRANGERS = 400  # of these, who have not asked for the page yet, or not by its link
LONGEST = 16_384  # bytes of a request that has come in part
GRACE = 0.3  # seconds that who reads slowly has, once the page ends


def app(feed: Feed, watcher: Watcher | None = None, token: str = "", local: bool = True) -> ASGIApp:
    """The page of a feed, below a path that begins with the token if there is one; a `local` one
    answers only who asked for this machine by its own name. A watcher feeds it while it runs."""

    def whole(request: Request) -> Response:
        feed.asked.set()
        return Whole(feed.page(), media_type="text/html")

    def style(request: Request) -> Response:
        return Response(_style(), media_type="text/css")

    def script(request: Request) -> Response:
        return Response(_file("page.js"), media_type="text/javascript")

    def events(request: Request) -> Response:
        if feed.readers >= MOST_READERS:
            return PlainTextResponse("Service Unavailable", 503, {"retry-after": "10", **ENDS})
        at = request.headers.get("last-event-id") or request.query_params.get("after", "")
        return EventStream(feed, at)

    routes = [
        Route("/", whole),
        Route("/page.css", style),
        Route("/page.js", script),
        Route("/events", events),
    ]
    lifespan = None if watcher is None else lambda _: watcher.feeding(feed)
    inner = Starlette(routes=routes, lifespan=lifespan)
    inner.router.redirect_slashes = False
    return Guard(inner, token, local)


class Guard:
    """Lets through who may read, and gives every answer its headers."""

    def __init__(self, inner: ASGIApp, token: str, local: bool) -> None:
        self._inner = inner
        self._token = token
        self._local = local

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._inner(scope, receive, send)
            return

        async def strictly(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=[*message.get("headers", ())])
                headers.update(HEADERS)
                message = {**message, "headers": headers.raw}
            await send(message)

        await self._answering(scope)(scope, receive, strictly)

    def _answering(self, scope: Scope) -> ASGIApp:
        """Who answers a request."""
        if scope["method"] not in ("GET", "HEAD"):
            return PlainTextResponse("Method Not Allowed", 405, {"allow": "GET, HEAD", **ENDS})
        if self._local and not _is_here(Headers(scope=scope).get("host", "")):
            return PlainTextResponse("Misdirected Request", 421, ENDS)
        path = scope["path"]
        if self._token:
            _, _, rest = path.partition("/")
            given, slash, rest = rest.partition("/")
            if not compare_digest(_bytes(given), _bytes(self._token)):
                return _nothing()
            if not slash:  # typed by hand, without its end
                return RedirectResponse(f"/{self._token}/", headers=ENDS)
            path = slash + rest
        if path not in ("/", "/page.css", "/page.js", "/events"):
            return _nothing()
        scope["path"], scope["root_path"] = path, ""
        scope.setdefault("state", {})[READER] = True
        return self._inner


def _nothing() -> Response:
    return PlainTextResponse("Not Found", 404, ENDS)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _is_here(host: str) -> bool:
    """Whether a request was meant for this machine: a page from elsewhere may have its own name
    lead here, but cannot have the browser call it by another."""
    name = _PORT.sub("", host)
    name = name[1:-1] if name[:1] == "[" and name[-1:] == "]" else name
    if name.lower() == "localhost":
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False


class Whole(Response):
    """What is long, no faster than somebody reads it."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
        await send(start)
        await _send_pieces(send, bytes(self.body))
        await send({"type": "http.response.body", "body": b""})


class EventStream(Response):
    """What somebody is told who has what was shown `at` somewhere, until they leave."""

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
            telling = asyncio.create_task(self._tell(send))
            leaving = asyncio.create_task(_left(receive))
            try:
                await asyncio.wait((telling, leaving), return_when=asyncio.FIRST_COMPLETED)
            finally:
                leaving.cancel()
                telling.cancel()
                await asyncio.gather(telling, leaving, return_exceptions=True)
        await send({"type": "http.response.body", "body": b""})

    async def _tell(self, send: Send) -> None:
        following = self._feed.follow(self._at)
        try:
            async for told in following:
                await _send_pieces(send, told)
        finally:
            await following.aclose()


async def _send_pieces(send: Send, told: bytes) -> None:
    """Bytes that many are sent: a piece is copied when those before it have been taken."""
    for at in range(0, len(told), PIECE):
        piece = told[at : at + PIECE]
        await send({"type": "http.response.body", "body": piece, "more_body": True})


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


@cache
def _style() -> bytes:
    """The page's own style, the sheet's and the pictures'."""
    return b"\n".join([(SHEET_STYLE + CHART_STYLE).encode(), _file("page.css")])


@cache
def _file(name: str) -> bytes:
    with open(os.path.join(os.path.dirname(__file__), name), "rb") as file:
        return file.read()


# --- the server


class Server(uvicorn.Server):
    """Ends at once, whoever reads."""

    def __init__(self, app: ASGIApp, feed: Feed) -> None:
        config = uvicorn.Config(
            app,
            http=Strict,
            ws="none",
            loop="asyncio",
            lifespan="on",
            log_config=None,
            log_level="critical",  # who reads, and what goes wrong with them, is no talk of ours
            access_log=False,
            proxy_headers=False,
            server_header=False,
            date_header=False,
            timeout_keep_alive=10,
            h11_max_incomplete_event_size=LONGEST,
        )
        super().__init__(config)
        self._feed = feed

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        # What somebody does to a connection is no talk of ours: it would fill the terminal.
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: None)
        await super().startup(sockets)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._feed.end()
        asyncio.get_running_loop().call_later(GRACE, self._abort)
        await super().shutdown(sockets)

    def _abort(self) -> None:
        for connection in list(self.server_state.connections):
            connection.transport.abort()


class Strict(H11Protocol):
    """HTTP as it is spoken here: what is no request at all is answered with our headers too, and
    nobody stays who asks nothing or takes nothing."""

    _stuck: asyncio.TimerHandle | None = None
    _silent: asyncio.TimerHandle | None = None
    _since = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """As its base does, whose type is narrower too."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=PIECE)
        self._since = asyncio.get_running_loop().time()
        there = [one for one in self._all() if not one.transport.is_closing()]
        strangers = [one for one in there if one._is_strange]
        if len(strangers) > MOST_STRANGERS:  # the longest there: a reader has asked by then
            min(strangers, key=lambda one: one._since).transport.abort()
        elif len(there) > MOST_CONNECTIONS:
            transport.abort()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        for timer in filter(None, (self._silent, self._stuck)):
            timer.cancel()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._watch()

    def _all(self) -> list[Strict]:
        """Every connection."""
        return [one for one in self.connections if isinstance(one, Strict)]

    @property
    def _is_strange(self) -> bool:
        """Whether they have not asked for anything that is here."""
        return self.cycle is None or READER not in self.cycle.scope["state"]

    def _watch(self) -> None:
        """Have who is not being answered ask within a time, however much of it they have said."""
        if self.cycle is not None and not self.cycle.response_complete:
            if self._silent is not None:
                self._silent.cancel()
                self._silent = None
        elif self._silent is None:
            loop = asyncio.get_running_loop()
            self._silent = loop.call_later(SILENT, self.transport.abort)

    def pause_writing(self) -> None:
        super().pause_writing()
        loop = asyncio.get_running_loop()
        self._stuck = loop.call_later(TOO_SLOW, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None

    def send_400_response(self, msg: str) -> None:
        if self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):  # they are being answered
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
