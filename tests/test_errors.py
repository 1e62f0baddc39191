"""The gallery of refusals and failures: typed commands, their output, and the exit code.

Each file in `tests/errors` is a readable example. Those of a clause word are made from the word's
examples. For the others a person writes the input. `python -m tests.test_errors` writes all output
again; look at the change before you commit it. A file has these lines:

    # a remark
    given: one of GIVEN, done to the book at that point
    file NAME:              a file; its text follows, indented
    $ scorekeeper ...       a command, and under it
    typed: ...              a line of its standard input
    out: ... / err: ...     a line of its standard output, of its standard error
    exit: 1                 its exit code, where it is not 0
"""

from __future__ import annotations

import itertools
import os
import re
import shlex
import sqlite3
import tomllib
from contextlib import ExitStack, chdir, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from unittest.mock import patch

import pytest

from scorekeeper import load_ruleset
from scorekeeper.cli.rules import PROGRAM_CODES
from scorekeeper.core.rulings import ILLEGAL, LEGAL
from scorekeeper.match.trial import KINDS, WordExample, format_value, load_examples
from scorekeeper.ruleset.vocabulary import load_all
from tests.helpers import program

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scorekeeper.ruleset.vocabulary import ClauseWord

ERRORS = Path(__file__).parent / "errors"
WORDS = {f"{word.phase}.{word.name}": word for word in load_all()[1]}
BOOK = "book.sqlite"
PAGE = 4096  # bytes of the book
INDENT = "    "
ANSWERS = ("out: ", "err: ", "exit: ")
# Do not wait for the disk: syncing a hundred books would take longer than all other work.
MEMORY = next((folder for folder in ("/dev/shm",) if os.access(folder, os.W_OK)), None)
# Unset the user's own settings, so that the output is the same for every user.
ENVIRONMENT = {"SCOREKEEPER_BOOK": BOOK, "COLUMNS": "100", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}


# --- what is done to a book


@contextmanager
def locked() -> Iterator[None]:
    holder = sqlite3.connect(BOOK, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    try:
        yield
    finally:
        holder.close()


@contextmanager
def overwritten() -> Iterator[None]:
    data = Path(BOOK).read_bytes()
    Path(BOOK).write_bytes(data[:PAGE] + b"\xff" * (len(data) - PAGE))
    yield


@contextmanager
def changed() -> Iterator[None]:
    with sqlite3.connect(BOOK) as book:
        book.execute("DROP TRIGGER log_unchanged")
        book.execute("UPDATE log SET text = 'Ana: 9x6' WHERE text = 'Ana: 2x3'")
    book.close()
    yield


@contextmanager
def newer() -> Iterator[None]:
    with sqlite3.connect(BOOK) as book:
        book.execute("PRAGMA user_version = 99")
    book.close()
    yield


@contextmanager
def another_program() -> Iterator[None]:
    with sqlite3.connect(BOOK) as book:
        book.execute("CREATE TABLE songs (name TEXT)")
    book.close()
    yield


GIVEN = {
    "another process is writing in the book": locked,
    "all pages of the book but the first are overwritten": overwritten,
    "an entry in the book was changed by hand": changed,
    "the book is of a newer version": newer,
    "the book is another program's": another_program,
}


# --- running a file


def written(path: Path) -> list[str]:
    """Return the input of a file that a person wrote: its lines without the output."""
    lines = path.read_text("utf-8").splitlines()
    return [line for line in lines if not line.startswith(ANSWERS)]


def answered(lines: list[str]) -> str:
    """Run the commands in an empty folder, and return the lines with the program's output."""
    with TemporaryDirectory(dir=MEMORY) as folder, ExitStack() as stack:
        stack.enter_context(chdir(folder))
        kept = {key: os.environ[key] for key in os.environ if not key.startswith("SCOREKEEPER_")}
        kept |= {"SCOREKEEPER_RULESETS": folder, **ENVIRONMENT}
        stack.enter_context(patch.dict(os.environ, kept, clear=True))
        stack.enter_context(patch("scorekeeper.cli.common.LOCK_TIMEOUT", 0.05))
        found: list[str] = []
        while lines:
            line, *lines = lines
            found.append(line)
            if line.startswith("given: "):
                stack.enter_context(GIVEN[line.removeprefix("given: ")]())
            elif line.startswith("file "):
                body = indented(lines)
                name = line.removeprefix("file ").removesuffix(":")
                text = "".join(each.removeprefix(INDENT) + "\n" for each in body)
                Path(name).write_text(text, "utf-8")
                found += body
                lines = lines[len(body) :]
            elif line.startswith("$ "):
                typed = list(taken(lines, "typed: "))
                found += [*typed, *answer(line, typed)]
                lines = lines[len(typed) :]
        return "".join(f"{each}\n".replace(folder, "FOLDER") for each in found)


def indented(lines: list[str]) -> list[str]:
    """Return the text of a file from its indented lines and the empty lines between them."""
    count = sum(1 for _ in itertools.takewhile(lambda line: line[:4] in ("", INDENT), lines))
    while count and not lines[count - 1]:
        count -= 1
    return lines[:count]


def taken(lines: list[str], prefix: str) -> Iterator[str]:
    """Yield lines from the start as long as they begin with this prefix."""
    for line in lines:
        if not line.startswith(prefix):
            return
        yield line


def answer(command: str, typed: list[str]) -> Iterator[str]:
    """Yield the output of a command as lines of a file."""
    name, *arguments = shlex.split(command.removeprefix("$ "))
    assert name == "scorekeeper", command
    stdin = "".join(line.removeprefix("typed: ") + "\n" for line in typed)
    given = program(*arguments, stdin=stdin)
    out = given.out
    if arguments[0] == "new":  # The order of findings has separate tests.
        first, *others = out.splitlines(keepends=True) or [""]
        out = first + "".join(
            line
            for line in others
            if "; if another player does, enter: " in line or "language: " in line
        )
    for prefix, text in (("out: ", out), ("err: ", given.err)):
        yield from (f"{prefix}{line}" for line in text.splitlines())
    if given.code:
        yield f"exit: {given.code}"


# --- the files of the clause words


def of_word(word: ClauseWord) -> list[str]:
    """Return the input for the file of a clause word."""
    lines = [f"# {word.doc}"]
    for case in load_examples(word.phase)[word.name]:
        lines += of_case(case)
    return lines


def of_case(case: WordExample) -> Iterator[str]:
    asked = [(kind, entry) for kind in KINDS if kind != LEGAL for entry in case.entries[kind]]
    if not asked:
        return
    there = load_ruleset(case.ruleset).data
    chosen = settings(there, case.options)
    given = [f"--set {shlex.quote(f'{key}={typed(value)}')}" for key, value in chosen]
    yield ""
    yield " ".join(["$ scorekeeper new", case.ruleset, *map(shlex.quote, case.players), *given])
    if case.before:
        yield "$ scorekeeper record"
        yield from (f"typed: {entry}" for entry in case.before)
    for kind, entry in asked:
        yield f'$ scorekeeper {"record" if kind == ILLEGAL else "judge"} "{entry}"'


def settings(there: object, options: dict[str, object]) -> Iterator[tuple[str, object]]:
    """Return the choices with their dotted keys. A missing row or table counts as one value."""
    for key, value in options.items():
        found = there.get(key) if isinstance(there, dict) else None
        if isinstance(value, dict) and isinstance(found, dict):
            yield from ((f"{key}.{inner}", part) for inner, part in settings(found, value))
        else:
            yield key, value


def typed(value: object) -> str:
    """Return a value as `--set` takes it. Quote a text that TOML would read as something else."""
    if isinstance(value, dict):
        return format_value(value)
    try:
        read = tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return str(value)
    return f'"{value}"' if read != value and isinstance(value, str) else str(value)


def files() -> dict[str, Callable[[], list[str]]]:
    """Return each expected file's name with a function that makes its input."""
    found: dict[str, Callable[[], list[str]]] = {}
    for path in sorted(ERRORS.glob("*.txt")):
        if path.stem not in WORDS:
            found[path.name] = partial(written, path)
    for name, word in WORDS.items():
        found[f"{name}.txt"] = partial(of_word, word)
    return found


FILES = files()


@pytest.mark.parametrize("name", FILES)
def test_the_program_answers_as_it_stands_there(name: str) -> None:
    path = ERRORS / name
    assert path.exists(), f"the refusals of {path.stem} are not shown: python -m tests.test_errors"
    assert answered(FILES[name]()) == path.read_text("utf-8")


@pytest.mark.parametrize("code", PROGRAM_CODES)
def test_every_code_of_the_program_has_a_file(code: str) -> None:
    shown = [name for name in FILES if name.removesuffix(".txt") not in WORDS]
    assert any(name.startswith(f"{code}.") for name in shown), f"no file tests/errors/{code}.txt"


def test_every_way_to_fail_is_shown() -> None:
    texts = [path.read_text("utf-8") for path in ERRORS.glob("*.txt")]
    for code in ("1", "2", "3", "4"):
        assert any(f"\nexit: {code}\n" in text for text in texts), f"nothing ends with {code}"
    for said in GIVEN:
        assert any(f"\ngiven: {said}\n" in text for text in texts), said


@pytest.mark.parametrize("name", WORDS)
def test_a_file_about_a_word_shows_what_one_of_its_rows_says(name: str) -> None:
    """Expect a finding with the word's code, not another failure on the way to it."""
    text = (ERRORS / f"{name}.txt").read_text("utf-8")
    assert re.search(r"^out: +(illegal|open|note|warn\w*): .*\([a-z-]+\.[a-z0-9-]+, ", text, re.M)
    assert "exit: 2" not in text


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_about_a_refusal_a_doubt_or_a_note(name: str) -> None:
    text = (ERRORS / name).read_text("utf-8")
    assert text.startswith("# ")
    assert "Traceback" not in text
    assert any(f"\n{sign}: " in text for sign in ("exit", "out:   note", "out:   open"))


if __name__ == "__main__":
    for name, lines in FILES.items():
        (ERRORS / name).write_text(answered(lines()), "utf-8")
