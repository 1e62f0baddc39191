"""Runs the page on a socket until it is told to end."""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from scorekeeper.web.app import HEADERS, PIECE, READER

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from scorekeeper.web.feed import Feed

SILENT = 10.0  # seconds in which somebody asks for something
TOO_SLOW = 60.0  # seconds after which a reader who takes nothing is let go
MOST_CONNECTIONS = 600
MOST_STRANGERS = 400  # of these, who have not asked for the page yet, or not by its link
LONGEST = 16_384  # bytes of a request that has come in part
GRACE = 0.3  # seconds that who reads slowly has, once the page ends


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
