"""Output files of commands: they never replace a book or another file that belongs to the user."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typer.main import get_command

from scorekeeper import Failure, Match, load_ruleset, write_record
from scorekeeper.cli.app import GROUPS, build
from scorekeeper.cli.loop import RecordLoop
from scorekeeper.cli.serve import load_secret
from scorekeeper.store.book import Book
from scorekeeper.store.recorder import MatchRecorder
from tests.helpers import program, unprivileged

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from click import Command

# Every option with which a command writes a file, as the command without the option's value.
SHEET = {form: ("sheet", "--format", form, "--to") for form in ("text", "markdown", "html", "json")}
STATS = {
    form: ("stats", "--format", form, "--to")
    for form in ("text", "markdown", "html", "json", "csv")
}
LEAGUE = {form: ("league", *told[1:]) for form, told in STATS.items()}
EXPORT = {
    form: ("export", "--format", form, "--to")
    for form in ("toml", "json", "jsonl", "csv", "scores-csv", "matches-csv")
}
INTO_A_FILE = [
    *(command for each in (SHEET, STATS, LEAGUE, EXPORT) for command in each.values()),
    ("sheet", "--blank", "dudo", "--to"),
    ("export", "--schema", "--to"),
]
# Commands that write into a folder, and the names of their files.
INTO_A_FOLDER = [
    (("export", "1", "--to"), ("match-1.toml",)),
    (("export", "--all", "--to"), ("match-1.toml", "match-2.toml")),
    *((EXPORT[form], (name,)) for form, name in (
        ("json", "matches.json"), ("jsonl", "matches.jsonl"), ("csv", "entries.csv"),
        ("scores-csv", "scores.csv"), ("matches-csv", "matches.csv"),
    )),
    (("check-book", "--save"), ("match-1.toml", "match-2.toml")),
    (("install", "--shell", "bash", "--to"), (
        "share/man/man1/scorekeeper.1", "share/bash-completion/completions/scorekeeper",
    )),
    (("install", "--shell", "zsh", "--to"), ("share/zsh/site-functions/_scorekeeper",)),
    (("install", "--shell", "fish", "--to"), (
        "share/fish/vendor_completions.d/scorekeeper.fish",
    )),
]  # fmt: skip
# Commands that write only new files, or replace an older backup.
NEW_ALONE = {
    ("delete", "1", "--yes", "--to"): 2,
    ("restore", "backup.sqlite", "--book"): 2,
}
WRITING = {"FILE", "DIR", "FOLDER", "PREFIX", "FILE|DIR"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder with a book of two matches, another book, and a backup."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    for _ in range(2):
        assert program("new", "dudo", "Ana", "Ben").code == 0
        assert program("record", "3x4", "4 cuadras").code == 0
    assert program("new", "dudo", "Cleo", "Dan", "--book", "other.sqlite").code == 0
    assert program("backup", "backup.sqlite").code == 0
    return tmp_path


def files(folder: Path) -> Mapping[str, bytes]:
    """Return the contents of all files in a folder, at any depth, by path."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def commands() -> Iterator[tuple[str, Command]]:
    app = get_command(build())
    for name, command in app.commands.items():  # type: ignore[attr-defined]
        if name in GROUPS:
            yield from ((f"{name} {below}", one) for below, one in command.commands.items())
        else:
            yield name, command


def test_every_option_that_writes_is_tried_here() -> None:
    found = {
        (name, parameter.opts[0])
        for name, command in commands()
        for parameter in command.params
        if parameter.metavar in WRITING and parameter.opts[0].startswith("--")
    }
    tried = {(command[0], command[-1]) for command in (*INTO_A_FILE, *NEW_ALONE)}
    tried |= {(command[0], command[-1]) for command, _ in INTO_A_FOLDER}
    # Missing are the book itself (below), and two commands with tests of their own: `rules new`,
    # which only makes new files, and `rules convert`, which needs a file to begin with.
    elsewhere = {("rules new", "--to"), ("rules convert", "--to")}
    assert {pair for pair in found if pair[1] != "--book"} - elsewhere == {
        pair for pair in tried if pair[1] != "--book"
    }


@pytest.mark.parametrize("command", INTO_A_FILE, ids=" ".join)
@pytest.mark.parametrize("force", [(), ("--force",)], ids=["", "force"])
def test_no_database_is_replaced(
    command: tuple[str, ...], force: tuple[str, ...], folder: Path
) -> None:
    (folder / "link.html").symlink_to("book.sqlite")
    os.link("other.sqlite", "hard.json")
    shutil.copy("book.sqlite", "copy.txt")
    connection = sqlite3.connect("foreign.db")
    connection.execute("CREATE TABLE kept (what)")
    connection.close()
    (folder / "log-wal").write_bytes(bytes.fromhex("377f0682") + bytes(28))
    (folder / "new.sqlite").touch()  # a book whose content is still in its log file
    (folder / "new.sqlite-wal").write_bytes(bytes.fromhex("377f0682") + bytes(28))
    before = files(folder)
    for name in (
        "book.sqlite", "other.sqlite", "backup.sqlite", "link.html", "hard.json", "copy.txt",
        "foreign.db", "log-wal", "new.sqlite", "new.sqlite-wal", "new.sqlite-shm",
        "book.sqlite-wal", "other.sqlite-journal", "backup.sqlite-shm",
        os.path.join("..", folder.name, "book.sqlite"),
    ):  # fmt: skip
        answer = program(*command, name, *force)
        assert (answer.code, answer.out) == (2, ""), name
        assert f"{name} is a database, such as a book, and is never replaced" in answer.err
        assert files(folder) == before, name


@pytest.mark.parametrize(("command", "names"), INTO_A_FOLDER)
def test_no_database_in_a_folder_is_replaced(
    command: tuple[str, ...], names: tuple[str, ...], folder: Path
) -> None:
    for name in names:
        target = folder / "to" / name
        target.parent.mkdir(parents=True)
        shutil.copy("other.sqlite", target)
        before = files(folder)
        for force in ((), ("--force",)):
            answer = program(*command, "to/", *force)
            assert (answer.code, "is never replaced" in answer.err) == (2, True)
        assert files(folder) == before
        shutil.rmtree(folder / "to")


def test_what_only_makes_new_files_replaces_no_database(folder: Path) -> None:
    before = files(folder)
    for command, code in NEW_ALONE.items():
        for name in ("book.sqlite", "other.sqlite", "other.sqlite-wal"):
            if (command[0], name) != ("restore", "other.sqlite-wal"):
                assert program(*command, name).code == code, (command, name)
    for name in ("book.sqlite", "other.sqlite"):
        assert program("backup", name).code == 2
    assert files(folder) == before


@pytest.mark.parametrize("command", INTO_A_FILE, ids=" ".join)
def test_what_was_written_here_is_replaced_and_nothing_else_is_without_force(
    command: tuple[str, ...], folder: Path
) -> None:
    out = folder / "out"
    for told in ([], [], ["--language", "de"], ["--language", "fr"], []):
        answer = program(*command, "out", *told)
        assert answer.code == 0, answer
    out.write_bytes(b"")
    assert program(*command, "out").code == 0
    written = out.read_bytes()
    for foreign in (
        b"\x89PNG\r\n\x1a\n", b"#!/bin/sh\nrm -r /tmp/x\n", b"# ours\nexport A=1\n",
        b"Dear Ana,\nsee you\n", b"services:\n  web: 1\n", b"---\ntitle: x\n",
        b"root:x:0:0::/:/bin\n",
        b'{"name": "x"}\n', b"[package]\nname = 1\n", b"date,player,points\n", b"%!PS\n", b"old",
        b"<svg xmlns='x'/>", b"import os\n\n\ndef a(b):\n    return 1\n", b"\xff\xfe\x00",
    ):  # fmt: skip
        out.write_bytes(foreign)
        answer = program(*command, "out")
        assert (answer.code, answer.out) == (2, ""), foreign
        assert "\n  try: name another file, or add --force\n" in answer.err
        assert out.read_bytes() == foreign
    assert program(*command, "out", "--force").code == 0
    assert out.read_bytes()[:20] == written[:20]


@pytest.mark.parametrize(("command", "names"), INTO_A_FOLDER)
def test_what_was_written_into_a_folder_is_replaced_and_nothing_else_is(
    command: tuple[str, ...], names: tuple[str, ...], folder: Path
) -> None:
    to = folder / "to"
    for _ in range(2):
        assert program(*command, "to/").code == 0
    (to / names[-1]).write_text("mine", "utf-8")
    (to / names[0]).unlink() if len(names) > 1 else None
    before = files(folder)
    assert program(*command, "to/").code == 2
    assert files(folder) == before  # not even the first file is written
    assert program(*command, "to/", "--force").code == 0
    assert "mine" not in (to / names[-1]).read_text("utf-8")


def test_another_form_is_no_reason_to_replace_a_file() -> None:
    assert program("export", "1", "--to", "evening.toml").code == 0
    for form in ("text", "markdown", "html", "json"):
        assert program("sheet", "--format", form, "--to", "evening.toml").code == 2


def test_a_pdf_is_replaced_by_a_pdf_alone(folder: Path) -> None:
    pytest.importorskip("typst")
    for _ in range(2):
        assert program("sheet", "--to", "a.pdf").code == 0
    shutil.copy("book.sqlite", "a.pdf")
    for force in ((), ("--force",)):
        assert program("sheet", "--to", "a.pdf", *force).code == 2
    assert (folder / "a.pdf").read_bytes() == (folder / "book.sqlite").read_bytes()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with a name")
def test_pipes_and_devices_pass(folder: Path) -> None:
    os.mkfifo("pipe")
    reader = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
    assert program("sheet", "--to", "pipe").code == 0
    assert os.read(reader, 100).startswith(b"Dudo\n")
    os.close(reader)
    one, other = os.pipe()
    assert program("sheet", "--to", f"/dev/fd/{other}").code == 0
    assert os.read(one, 100).startswith(b"Dudo\n")
    os.close(one)
    os.close(other)
    assert program("sheet", "--to", os.devnull).code == 0


def test_a_book_that_may_not_be_read_is_not_replaced() -> None:
    with tempfile.TemporaryDirectory() as everyones:
        os.chmod(everyones, 0o777)
        secret = Path(shutil.copy("other.sqlite", f"{everyones}/secret.sqlite"))
        secret.chmod(0)
        before = secret.stat().st_ino
        with unprivileged():
            for force in ((), ("--force",)):
                answer = program("sheet", "--blank", "dudo", "--to", str(secret), *force)
                assert (answer.code, "is not replaced" in answer.err) == (2, True)
        assert secret.stat().st_ino == before


def test_the_library_replaces_no_database_either(folder: Path) -> None:
    match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
    before = files(folder)
    with pytest.raises(Failure, match="never replaced"):
        write_record(match, "book.sqlite")
    assert files(folder) == before


def test_what_is_kept_beside_a_book_takes_no_other_books_place(folder: Path) -> None:
    shutil.copy("other.sqlite", "book.sqlite.link")
    with pytest.raises(Failure, match="never replaced"):
        load_secret("book.sqlite", is_new=True)
    assert (folder / "book.sqlite.link").read_bytes() == (folder / "other.sqlite").read_bytes()


ADDRESS = "postgresql://host/book"
AT_AN_ADDRESS = [
    ("new", "dudo", "Ana", "Ben"), ("record", "3x4"), ("judge", "3x4"), ("status",), ("score",),
    ("matches",), ("sheet",), ("export",), ("stats",), ("league",), ("check-book",),
    ("rebuild",), ("backup", "b2.sqlite"), ("restore", "backup.sqlite"), ("undo",), ("describe",),
    ("legal",), ("rulings",), ("delete", "1", "--yes"), ("verify", "1"), ("players", "list"),
]  # fmt: skip


@pytest.mark.parametrize("command", AT_AN_ADDRESS, ids=" ".join)
def test_an_address_is_no_file_of_a_book(
    command: tuple[str, ...], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = files(folder)
    wrong = f"scorekeeper: {ADDRESS} is an address, not a file\n  try: name a file\n"
    for given in (("--book", ADDRESS), ("--book", "sqlite:///x.sqlite")):
        answer = program(*command, *given)
        assert (answer.code, answer.err) == (2, wrong.replace(ADDRESS, given[1]))
    monkeypatch.setenv("SCOREKEEPER_BOOK", ADDRESS)
    answer = program(*command)
    assert (answer.code, answer.err) == (2, wrong)
    monkeypatch.delenv("SCOREKEEPER_BOOK")
    Path("settings.toml").write_text(f'book = "{ADDRESS}"\n', "utf-8")
    monkeypatch.setenv("SCOREKEEPER_SETTINGS", str(folder / "settings.toml"))
    answer = program(*command)
    assert (answer.code, answer.err) == (2, wrong)
    Path("settings.toml").unlink()
    assert files(folder) == before


def test_nothing_is_written_to_an_address(folder: Path) -> None:
    before = files(folder)
    for command in (*INTO_A_FILE, ("delete", "1", "--yes", "--to"), ("backup",)):
        for address in ("https://example.org/x", "https://example.org/"):
            answer = program(*command, address)
            assert (answer.code, "is an address, not a file" in answer.err) == (2, True), command
    for command, _ in INTO_A_FOLDER:
        assert program(*command, "https://example.org/").code == 2
    assert files(folder) == before
    with pytest.raises(Failure, match="is an address"):
        Book(ADDRESS)


def test_lines_that_are_kept_of_a_terminal_take_no_books_place(folder: Path) -> None:
    shutil.copy("other.sqlite", "book.sqlite.history")
    with Book("book.sqlite") as book:
        loop = RecordLoop(MatchRecorder(book, 1), lambda lines: 0, str, lambda: 0)
        loop._save_to_history("Ana: 3x4")
    assert Path("book.sqlite.history").read_bytes() == Path("other.sqlite").read_bytes()
