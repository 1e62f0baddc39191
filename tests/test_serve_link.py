"""The secret link of the page: its secret is stored next to the book and readable by its owner
only."""

from __future__ import annotations

import json
import os
import re
import stat
import tempfile
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import urlsplit

import pytest

from scorekeeper.cli.serve import SECRET_BYTES, derive_token, load_secret
from scorekeeper.web.app import PageServer
from tests.helpers import program

if TYPE_CHECKING:
    import socket
    from pathlib import Path


def test_the_link_of_a_match_is_the_same_again_and_that_of_another_is_not(tmp_path: Path) -> None:
    book = str(tmp_path / "book.db")
    secret = load_secret(book)
    assert load_secret(book) == secret
    assert derive_token(secret, 1) == derive_token(load_secret(book), 1)
    tokens = {derive_token(secret, match) for match in range(1, 50)}
    tokens.add(derive_token(load_secret(str(tmp_path / "other.db")), 1))
    assert len(tokens) == 50
    assert all(re.fullmatch(r"[\w-]{32}", token) for token in tokens)


def test_a_new_link_is_another_and_stays(tmp_path: Path) -> None:
    book = str(tmp_path / "book.db")
    old = load_secret(book)
    new = load_secret(book, is_new=True)
    assert new != old
    assert load_secret(book) == new
    assert [path.name for path in tmp_path.iterdir()] == ["book.db.link"]


@pytest.mark.skipif(os.name != "posix", reason="files have no such modes here")
def test_a_secret_that_others_may_have_read_is_none(tmp_path: Path) -> None:
    book = str(tmp_path / "book.db")
    kept = tmp_path / "book.db.link"
    old = load_secret(book)
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    kept.chmod(0o644)
    assert load_secret(book) != old
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


@pytest.mark.parametrize("damaged", [b"", b"x", b"x" * 1000])
def test_a_damaged_secret_is_made_anew(tmp_path: Path, damaged: bytes) -> None:
    kept = tmp_path / "book.db.link"
    kept.write_bytes(damaged)
    kept.chmod(0o600)
    assert len(load_secret(str(tmp_path / "book.db"))) == SECRET_BYTES
    assert len(kept.read_bytes()) == SECRET_BYTES


@pytest.mark.skipif(os.name != "posix", reason="a link may need a right here")
def test_a_secret_that_somebody_else_may_have_put_there_is_none(tmp_path: Path) -> None:
    """Refuse a link to another place, and a pipe, on which the program would wait."""
    book, kept = str(tmp_path / "book.db"), tmp_path / "book.db.link"
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(b"x" * SECRET_BYTES)
    elsewhere.chmod(0o600)
    kept.symlink_to(elsewhere)
    assert load_secret(book) != b"x" * SECRET_BYTES
    assert elsewhere.read_bytes() == b"x" * SECRET_BYTES
    kept.unlink()
    os.mkfifo(kept, 0o600)
    assert len(load_secret(book)) == SECRET_BYTES
    assert stat.S_ISREG(kept.lstat().st_mode)


def test_two_who_make_it_at_the_same_moment_have_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = str(tmp_path / "book.db")
    made = []
    begun = tempfile.mkstemp

    def meanwhile(*, dir: str, prefix: str) -> tuple[int, str]:
        monkeypatch.setattr(tempfile, "mkstemp", begun)
        made.append(load_secret(book))
        return begun(dir=dir, prefix=prefix)

    monkeypatch.setattr(tempfile, "mkstemp", meanwhile)
    assert [load_secret(book)] == made
    assert [path.name for path in tmp_path.iterdir()] == ["book.db.link"]


def test_where_files_have_no_second_names_it_is_made_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: str) -> NoReturn:
        raise PermissionError

    monkeypatch.setattr(os, "link", refused)
    book = str(tmp_path / "book.db")
    assert load_secret(book) == load_secret(book)
    assert [path.name for path in tmp_path.iterdir()] == ["book.db.link"]


@pytest.mark.skipif(os.name != "posix", reason="a link may need a right here")
def test_a_book_by_another_name_has_the_same_link(tmp_path: Path) -> None:
    (tmp_path / "book.db").touch()
    (tmp_path / "name.db").symlink_to(tmp_path / "book.db")
    assert load_secret(str(tmp_path / "name.db")) == load_secret(str(tmp_path / "book.db"))


def test_where_nothing_can_be_kept_that_is_said(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nowhere"):
        load_secret(str(tmp_path / "nowhere" / "book.db"))


@pytest.fixture
def serves(monkeypatch: pytest.MonkeyPatch) -> None:
    """End the command as soon as it would serve."""

    def ended(_: PageServer, sockets: list[socket.socket]) -> None:
        for listening in sockets:
            listening.close()

    monkeypatch.setattr(PageServer, "run", ended)


def address(*arguments: str) -> str:
    """Return the path of the link that the command prints."""
    answer = program("serve", "--host", "0.0.0.0", "--format", "json", *arguments)
    assert answer.code == 0, answer.err
    found: str = json.loads(answer.out)["address"]
    return urlsplit(found).path


@pytest.mark.usefixtures("serves")
def test_a_server_that_begins_again_has_the_same_link_until_a_new_one_is_asked_for(
    tmp_path: Path,
) -> None:
    book = ("--book", str(tmp_path / "book.db"))
    for _ in range(2):
        assert program("new", "dudo", "Ana", "Ben", *book).code == 0
    first, other = address("1", *book), address("2", *book)
    assert first != other
    assert re.fullmatch(r"/[\w-]{32}/", first)
    assert address("1", *book) == first
    new = address("1", "--new-link", *book)
    assert new not in (first, other)
    assert address("1", *book) == new
    assert address("2", *book) != other  # each book has its own secret


@pytest.mark.usefixtures("serves")
def test_where_the_link_cannot_be_kept_it_is_another_each_time_and_that_is_told(
    tmp_path: Path,
) -> None:
    book = str(tmp_path / "book.db")
    assert program("new", "dudo", "Ana", "Ben", "--book", book).code == 0
    (tmp_path / "book.db.link").mkdir()
    answer = program("serve", "--host", "0.0.0.0", "--book", book)
    assert answer.code == 0
    assert "cannot be stored next to the book" in answer.err
    assert str(tmp_path) not in answer.err
    assert address("--book", book) != address("--book", book)


def test_a_page_without_a_link_gets_no_new_one(tmp_path: Path) -> None:
    book = str(tmp_path / "book.db")
    assert program("new", "dudo", "Ana", "Ben", "--book", book).code == 0
    answer = program("serve", "--new-link", "--book", book)
    assert (answer.code, answer.out) == (2, "")
    assert "no secret link" in answer.err
    assert not (tmp_path / "book.db.link").exists()
