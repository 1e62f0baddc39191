"""What is answered to a request: the page, its style and script, and the stream of what changes.

Nothing can be changed from here. Every answer, whatever was asked, has the same strict headers.
"""

from __future__ import annotations

import asyncio
import os
import re
from functools import cache
from ipaddress import ip_address
from secrets import compare_digest
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from scorekeeper.render.charts import CHART_STYLE
from scorekeeper.render.html import SHEET_STYLE
from scorekeeper.web.feed import MOST_READERS

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from scorekeeper.web.feed import Feed
    from scorekeeper.web.watcher import Watcher

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
_PORT = re.compile(r":[0-9]*\Z")
READER = "reader"  # what a request's state says of who asked for what is here


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
        return Stream(feed, at)

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


class Whole(Response):
    """What is long, no faster than somebody reads it."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
        await send(start)
        await _send_pieces(send, bytes(self.body))
        await send({"type": "http.response.body", "body": b""})


async def _send_pieces(send: Send, told: bytes) -> None:
    """Bytes that many are sent: a piece is copied when those before it have been taken."""
    for at in range(0, len(told), PIECE):
        piece = told[at : at + PIECE]
        await send({"type": "http.response.body", "body": piece, "more_body": True})


class Stream(Response):
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


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


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


@cache
def _style() -> bytes:
    """The page's own style, the sheet's and the pictures'."""
    return b"\n".join([(SHEET_STYLE + CHART_STYLE).encode(), _file("page.css")])


@cache
def _file(name: str) -> bytes:
    with open(os.path.join(os.path.dirname(__file__), name), "rb") as file:
        return file.read()
