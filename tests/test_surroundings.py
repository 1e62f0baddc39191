"""Unusual environments: a user without a home, settings that name nothing, a terminal of one
column, an interruption at any moment."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scorekeeper.core.text import wrap_parts, wrap_text
from tests.helpers import program

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
NEEDS_A_BOOK = [
    ("status",), ("matches",), ("record", "3x4"), ("judge", "3x4"), ("backup", "x"), ("sheet",),
    ("verify", "1"), ("new", "dudo", "Ana", "Ben"), ("export",), ("stats",), ("league",),
    ("check-book",), ("rebuild",), ("restore", "x"), ("import", "x"), ("delete", "1", "--yes"),
    ("undo",), ("legal",), ("score",), ("rulings",), ("describe",), ("players", "list"),
    ("table", "--plain"), ("odds", "3x4"), ("serve",), ("amend", "1", "3x4"),
]  # fmt: skip


@pytest.fixture
def homeless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Remove the user's home folder from the system's records, as in many containers."""
    pwd = pytest.importorskip("pwd")

    def unknown(number: int) -> object:
        raise KeyError(number)

    for name in (*os.environ,):
        if name == "HOME" or name.startswith(("XDG_", "SCOREKEEPER_")):
            monkeypatch.delenv(name)
    monkeypatch.setattr(pwd, "getpwuid", unknown)
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    assert not (tmp_path / "~").exists()


@pytest.mark.parametrize("home", [None, "", "no/such"])
@pytest.mark.parametrize("command", NEEDS_A_BOOK, ids=" ".join)
def test_who_has_no_home_is_told_to_name_the_book(
    command: tuple[str, ...], home: str | None, homeless: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if home is not None:
        monkeypatch.setenv("HOME", home)
    answer = program(*command)
    assert (answer.code, answer.out, answer.err) == (
        2,
        "",
        "scorekeeper: your home folder is unknown, so the usual book cannot be located\n"
        "  try: name the book with --book FILE, or set HOME\n",
    )


def test_who_has_no_home_may_use_all_that_needs_none(homeless: Path) -> None:
    book = ("--book", "book.sqlite")
    assert program("new", "dudo", "Ana", "Ben", *book).code == 0
    assert program("record", "3x4", "4 cuadras", *book).code == 0
    assert program("status", *book).code == 0
    assert program("export", "--to", "x.toml", *book).code == 0
    for command in (
        ("verify", "x.toml"), ("rules", "list"), ("rules", "show", "dudo"),
        ("rules", "check", "dudo"), ("rules", "new", "ours"), ("sheet", "--blank", "dudo"),
    ):  # fmt: skip
        assert program(*command).code == 0, command
    told = program("settings")
    assert (told.code, "SCOREKEEPER_SETTINGS" in told.out) == (0, True)
    assert program("settings", "--format", "json").data["exists"] is False


def test_a_home_that_nobody_knows_is_no_folder_of_that_name(
    homeless: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (homeless / "settings.toml").write_text('book = "~/book.sqlite"\n', "utf-8")
    for variable, value in (
        ("SCOREKEEPER_BOOK", "~/book.sqlite"),
        ("SCOREKEEPER_SETTINGS", "~/settings.toml"),
        ("SCOREKEEPER_SETTINGS", str(homeless / "settings.toml")),
    ):
        with monkeypatch.context() as changed:
            changed.setenv(variable, value)
            answer = program("matches")
            assert (answer.code, "your home folder is unknown" in answer.err) == (2, True)
    assert program("install", "--shell", "bash").code == 2


@pytest.mark.parametrize(
    "line",
    [
        r'book = "a\u0000b"', r'ruleset = "a\u0000b"', r'place = "a\u0000b"',
        r'language = "\u0000"', r'players = ["Ana", "B\u0000"]',
    ],
)  # fmt: skip
def test_no_setting_has_a_character_that_nothing_is_called_by(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text(line, "utf-8")
    monkeypatch.setenv("SCOREKEEPER_SETTINGS", str(settings))
    monkeypatch.delenv("SCOREKEEPER_BOOK", raising=False)
    for command in (("settings",), ("matches",), ("new",), ("check-book",)):
        answer = program(*command)
        assert (answer.code, answer.out) == (2, "")
        assert answer.err.startswith(f"scorekeeper: the settings in {settings}: ")


def test_a_text_is_broken_however_narrow_the_terminal_is() -> None:
    for width in range(-1, 8):
        for indent in ("", "  ", "    "):
            for text in ("a", "Ana Ben", "名前名前", "   Ana  Ben", "", "a\u0301bc"):
                lines = wrap_text(text, width, indent)
                assert "".join("".join(lines).split()) == "".join(text.split())
                assert len(lines) <= len(text)
                assert len(list(wrap_parts(text.split(), width, indent, " · "))) <= len(text)


@pytest.mark.skipif(os.name != "posix", reason="a terminal as it is here")
@pytest.mark.parametrize(("rows", "columns"), [(24, 1), (1, 1), (5, 1), (2, 2), (1, 80)])
def test_the_table_stands_in_the_smallest_terminal(rows: int, columns: int, tmp_path: Path) -> None:
    from tests.terminal import Terminal

    env = {"SCOREKEEPER_BOOK": str(tmp_path / "book.sqlite")}
    assert program("new", "durak", "Ana", "Ben", "--book", env["SCOREKEEPER_BOOK"]).code == 0
    with Terminal("table", env=env, rows=rows, columns=columns) as table:
        while "\x1b[?2004h" not in table.printed:  # the terminal is ready for input
            table.look(0.2)
        table.enter("hand A: 6S")
        table.look(0.5)
        table.press("ctrl-d")
        code = table.end()
        assert "Traceback" not in table.printed.replace("\r\n", "")
        assert code == 0


INTERRUPTED_AT = """
import os, signal, sys
at, seen = int(sys.argv[1]), 0
sys.argv = ["scorekeeper", *sys.argv[2:]]
def hear(event, told):
    global seen
    if event == "import" and (seen or told[0] == "__main__.begun"):
        seen += 1
        if seen == at:
            os.kill(os.getpid(), signal.SIGINT)
from scorekeeper.cli import main
sys.addaudithook(hear)
sys.audit("import", "__main__.begun", None, None, None, None)
main()
"""


@pytest.mark.skipif(os.name != "posix", reason="signals as they are here")
def test_an_interruption_is_told_by_the_exit_code_at_every_moment(tmp_path: Path) -> None:
    book = str(tmp_path / "book.sqlite")
    assert program("new", "dudo", "Ana", "Ben", "--book", book).code == 0
    for at in (2, 3, 4, 5, 8, 12, 20, 40, 80, 120, 160):
        command = [sys.executable, "-c", INTERRUPTED_AT, str(at), "status", "--book", book]
        told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert (told.returncode, "Traceback" in told.stderr) == (130, False), (at, told.stderr)


@pytest.mark.skipif(os.name != "posix", reason="signals as they are here")
def test_the_package_itself_imports_nothing_before_it_hears_an_interruption() -> None:
    code = (
        "import sys\nbefore = {*sys.modules}\nfrom scorekeeper.cli import main\n"
        "print(*sorted({*sys.modules} - before))"
    )
    told = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert told.stdout.split() == ["scorekeeper", "scorekeeper.cli"]


@pytest.mark.skipif(os.name != "posix", reason="signals as they are here")
def test_what_runs_in_the_background_is_not_interrupted(tmp_path: Path) -> None:
    """Ignore interruptions when a shell starts the program with `&`."""
    code = f"import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n{INTERRUPTED_AT}"
    command = [sys.executable, "-c", code, "20", "rules", "list"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    assert told.returncode == 0
