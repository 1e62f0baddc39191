"""The command `serve`: a web page for onlookers, its address and its secret link.

A match's link stays the same until the user asks for a new one.
"""

from __future__ import annotations

import errno
import os
import socket
import stat
import sys
import tempfile
from base64 import urlsafe_b64encode
from contextlib import suppress
from hashlib import sha256
from ipaddress import ip_address
from typing import TYPE_CHECKING, Annotated

import typer

from scorekeeper.cli.common import (
    FINE,
    BookOption,
    FormatOption,
    MatchOption,
    cli_command,
    complete_matches,
    label_of,
    locate_store,
    open_book,
    open_recorder,
    open_store,
    print_json,
    print_lines,
    print_notes,
)
from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import tr

if TYPE_CHECKING:
    from scorekeeper.session.spectators import SpectatorMatch
    from scorekeeper.store.recorder import MatchRecorder

LOCALHOST = "127.0.0.1"
# the first port to try without --port, and the number of ports to try
FIRST_PORT, PORT_COUNT = 8765, 50
BOOK_WAIT = 0.5  # seconds to wait for a locked book
# Two colours of the 256-colour palette that terminal themes do not change.
WHITE, BLACK, RESET = "\033[38;5;231m", "\033[48;5;16m", "\033[0m"
# Addresses reserved for documentation. The route to them reveals this machine's own address.
DOCUMENTATION_ADDRESSES = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
SECRET_BYTES = 32
TOKEN_LETTERS = 32  # number of characters in a token, six bits each


@cli_command
def serve(
    which: Annotated[
        str | None,
        typer.Argument(
            metavar="ID",
            help="The match number (default: the most recently changed match).",
            autocompletion=complete_matches,
        ),
    ] = None,
    match: MatchOption = None,
    host: Annotated[
        str,
        typer.Option(
            "--host",
            metavar="ADDRESS",
            help=(
                "The network address of the page. 0.0.0.0 opens the page to the whole "
                "network, through a secret link."
            ),
        ),
    ] = LOCALHOST,
    port: Annotated[
        int | None,
        typer.Option(
            "--port", metavar="N", min=0, max=65535, help="The port (default: a free one)."
        ),
    ] = None,
    delay: Annotated[
        int,
        typer.Option(
            "--delay",
            metavar="N",
            min=0,
            help="Show each deal only when it is finished (1), or one deal later (2).",
        ),
    ] = 0,
    language: Annotated[
        str, typer.Option("--language", metavar="CODE", help="The language of the page.")
    ] = "",
    new_link: Annotated[
        bool,
        typer.Option(
            "--new-link", help="With --host: make a new secret link. Old links stop working."
        ),
    ] = False,
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """Serve a web page of the match for phones and televisions.

    The page shows what everybody at the table has seen. Without --host, only this machine can open
    it. Ctrl-C stops the server.

    Example: scorekeeper serve --host 0.0.0.0
    """
    _check_extra()
    from scorekeeper.web.app import PageServer, build_app
    from scorekeeper.web.feed import Feed, Watcher

    local = _is_local(host)
    if local and new_link:
        raise Unreadable(
            tr(
                "--new-link needs --host, because a page that only this machine can open has "
                "no secret link"
            ),
            "--host 0.0.0.0 --new-link",
        )
    if which is not None and match is not None and which != match:
        raise Unreadable(
            tr("the command names two different matches"), "serve ID, or serve --match ID"
        )
    with open_book(book) as store:
        desk = open_recorder(store, match if which is None else which)
        number, entry_language = desk.id, _entry_language(desk, language)
        print_notes(label_of(desk.match, tr("match {number}", number=number)))
    listening = _listen(host, port)
    token = "" if local else _make_token(book, number, new_link)
    address = _page_address(host, listening.getsockname()[1], token)
    looks = _MatchOpener(book, number, delay, entry_language)
    feed = Feed()
    server = PageServer(
        build_app(feed, Watcher(looks.open, looks.close, print_notes), token, local), feed
    )
    if format == "json":
        print_json({"match": number, "address": address})
    else:
        print_lines(address)
        if not local and sys.stdout.isatty():
            print(*qr_code_lines(address), sep="\n")
    sys.stdout.flush()
    if local:
        print_notes(
            tr("only this machine can open the page; for phones and televisions: --host 0.0.0.0")
        )
    print_notes(tr("press Ctrl-C to stop the server"))
    server.run(sockets=[listening])
    return FINE


def _check_extra() -> None:
    """Raise Unreadable if packages of the optional extra `web` are missing."""
    from importlib.util import find_spec

    missing = [name for name in ("starlette", "uvicorn", "segno") if find_spec(name) is None]
    if missing:
        raise Unreadable(
            tr("the page needs packages that are not installed: {names}", names=", ".join(missing)),
            tr("run {command} in Scorekeeper's folder", command="pip install '.[web]'"),
        )


def _entry_language(recorder: MatchRecorder, language: str) -> str:
    """Return the page's language for entries, or "" if the ruleset does not have it.

    Raises Unreadable for a language that is available neither for messages nor in the ruleset.
    """
    from scorekeeper.cli.output import languages

    known = recorder.ruleset.data.get("languages", {})
    if not language or language in known:
        return language
    if language in languages():
        return ""
    raise Unreadable(
        tr("the language “{asked}” is not available", asked=language[:20]),
        tr("one of {languages}", languages=", ".join(sorted({*languages(), *known}))),
    )


class _MatchOpener:
    """The match on the page, reopened whenever the page's thread requests it."""

    def __init__(self, book: str | None, number: int, delay: int, language: str) -> None:
        from scorekeeper.cli.settings import chosen_book

        self._store = open_store(chosen_book(book), wait=BOOK_WAIT)
        self._number = number
        self._delay = delay
        self._language = language

    def open(self) -> SpectatorMatch:
        """Return the match for onlookers. Raises Failure if it cannot be read at the moment."""
        from scorekeeper.session.spectators import SpectatorMatch

        desk = open_recorder(self._store, str(self._number))
        return SpectatorMatch(desk, self._delay, self._language)

    def close(self) -> None:
        """Close the book."""
        self._store.close()


# --- address


def _is_local(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _listen(host: str, port: int | None) -> socket.socket:
    """Return a socket that listens on `port`, or on the first free port. Raises Unreadable."""
    try:
        family, kind, _, _, where = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError):
        raise _unknown_address(host) from None
    ports = range(FIRST_PORT, FIRST_PORT + PORT_COUNT) if port is None else (port,)
    for each in ports:
        listening = socket.socket(family, kind)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((where[0], each, *where[2:]))
            listening.listen()
        except OSError as error:
            listening.close()
            if error.errno == errno.EADDRNOTAVAIL:
                raise _unknown_address(host) from None
            if error.errno != errno.EADDRINUSE:
                message = tr("port {port} cannot be used: {why}", port=each, why=error.strerror)
                raise Unreadable(message, "--port N") from None
        else:
            return listening
    if port is None:
        message = tr(
            "ports {first} to {last} are in use",
            first=FIRST_PORT,
            last=FIRST_PORT + PORT_COUNT - 1,
        )
        raise Unreadable(message, "--port N")
    raise Unreadable(
        tr("port {port} is in use", port=port),
        tr("choose another --port, or leave it out to use a free one"),
    )


def _unknown_address(host: str) -> Unreadable:
    return Unreadable(
        tr("“{host}” is not an address of this machine", host=host[:60]),
        tr("use --host 0.0.0.0 for all addresses of this machine"),
    )


def _page_address(host: str, port: int, token: str) -> str:
    """Return the page's address for a browser."""
    try:
        ip = ip_address(host)
    except ValueError:
        name = host
    else:
        name = _own_address(ip.version) if ip.is_unspecified else host
        name = f"[{name}]" if ":" in name else name
    return f"http://{name}:{port}/{token}{'/' if token else ''}"


def _own_address(version: int) -> str:
    """Return this machine's address in its network, without sending any data."""
    for family, elsewhere in DOCUMENTATION_ADDRESSES[: 1 if version == 4 else 2]:
        with socket.socket(family, socket.SOCK_DGRAM) as asking, suppress(OSError):
            asking.connect((elsewhere, 9))
            return str(asking.getsockname()[0])
    return socket.gethostname()


def qr_code_lines(address: str) -> list[str]:
    """Return the address as a QR code drawn with half-block characters, as a list of lines.

    It can be read on both dark and light terminals.
    """
    import io

    import segno

    text = io.StringIO()
    segno.make(address, micro=False).terminal(text, border=2, compact=True)
    lines = text.getvalue().splitlines()
    if os.environ.get("NO_COLOR"):
        return lines
    above = [f"{WHITE}{BLACK}{line}{RESET}" for line in lines[:-1]]
    # The last row has no background, because it fills only the upper half of its line.
    return [*above, f"{WHITE}{lines[-1]}{RESET}"]


# --- the secret link


def _make_token(book: str | None, match: int, is_new: bool) -> str:
    """Return the secret part of a match's address."""
    from secrets import token_bytes

    from scorekeeper.cli.settings import chosen_book

    place = locate_store(chosen_book(book))
    try:
        secret = load_secret(place, is_new=is_new)
    except (OSError, Unreadable):  # the file is a database, or cannot be written
        print_notes(
            tr("the link cannot be stored next to the book, so it will be different next time")
        )
        secret = token_bytes(SECRET_BYTES)
    return derive_token(secret, match)


def load_secret(book: str, *, is_new: bool = False) -> bytes:
    """Return the secret stored next to a book, which only its owner can read.

    A new secret is generated if there is none, if other users could read it, or if `is_new` is
    true. Raises OSError if the secret can be neither read nor written, and Unreadable if its file
    is a database.
    """
    from scorekeeper.store.files import check_no_database

    path = f"{os.path.realpath(book)}.link"
    check_no_database(path)
    there = os.path.lexists(path)
    secret = None if is_new else _read_secret(path)
    if secret is None:
        _write_secret(path, replaces=there)
        secret = _read_secret(path)
    if secret is None:
        raise OSError(path)
    return secret


def derive_token(secret: bytes, match: int) -> str:
    """Derive the secret part of a match's address, which cannot be guessed without the secret."""
    from hmac import digest

    code = digest(secret, f"match {match}".encode(), sha256)
    return urlsafe_b64encode(code).decode()[:TOKEN_LETTERS]


def _read_secret(path: str) -> bytes | None:
    """Return the stored secret, or None if it is missing, invalid or accessible to other users."""
    # Do not follow a link to another file, and do not block on a pipe.
    flags = [getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY", "O_CLOEXEC")]
    if os.path.islink(path):
        return None
    try:
        handle = os.open(path, os.O_RDONLY | sum(flags))
    except FileNotFoundError:
        return None
    with open(handle, "rb") as file:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            return None
        if os.name == "posix" and (status.st_mode & 0o077 or status.st_uid != os.geteuid()):
            return None
        secret = file.read(SECRET_BYTES + 1)
    return secret if len(secret) == SECRET_BYTES else None


def _write_secret(path: str, *, replaces: bool) -> None:
    """Write a new secret completely or not at all. An existing one is replaced only if `replaces`
    is true."""
    from secrets import token_bytes

    handle, temp_path = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".link")
    try:
        with open(handle, "wb") as file:
            file.write(token_bytes(SECRET_BYTES))
        if replaces or not _link_new(temp_path, path):
            os.replace(temp_path, path)
    finally:
        with suppress(OSError):
            os.unlink(temp_path)


def _link_new(temp_path: str, path: str) -> bool:
    """Hard-link the new secret to its path, unless another process has just created one there.

    Return whether the path now has a secret. Return False on a file system without hard links.
    """
    try:
        os.link(temp_path, path)
    except FileExistsError:
        return True
    except OSError:
        return False
    return True
