"""A gallery of mistyped commands and damaged files.

Each is answered by one line, at most one hint, and the right exit code. No recorded entry is lost,
and no traceback is shown.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.helpers import Answer, program

if TYPE_CHECKING:
    from collections.abc import Iterator

REFUSED, UNREADABLE, DAMAGED, LOCKED = 1, 2, 3, 4
ROOT = Path(__file__).parent.parent
SEED = ROOT / "tests" / "records" / "dudo_seed.toml"
LONGEST = 400


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Provide a book with a match of Ana, Andy and Ben that the test must leave unchanged."""
    path = tmp_path / "book.sqlite"
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(path))
    assert program("new", "dudo", "Ana", "Andy", "Ben").code == 0
    before = program("export", "1").out
    yield path
    assert program("export", "1").out == before


# The message names the match, what to type, and the lines that were not read.
NO_FAILURES = ("match ", "  try: ", "  the entries after it were not recorded: ")


def check(answer: Answer, code: int, *said: str) -> None:
    """Check for one message and at most one hint, both safe to print on any terminal."""
    assert answer.code == code, answer
    lines = answer.err.splitlines()
    for words in said:
        assert words in answer.err + answer.out, answer
    failures = [line for line in lines if not line.startswith(NO_FAILURES)]
    assert len(failures) <= 2, failures
    for line in [*lines, *answer.out.splitlines()]:
        assert line.isprintable(), line
        assert len(line) < LONGEST, line
    assert "Traceback" not in answer.err


@pytest.mark.parametrize(
    ("entry", "code", "said"),
    [
        ("Bob: 2x3", UNREADABLE, "no player is called “Bob”; players are Ana, Andy, Ben"),
        ("An: 2x3", UNREADABLE, "“An” may mean Ana, Andy"),
        ("5x7", UNREADABLE, "“7” is not a face; the faces are 1, 2, 3, 4, 5, 6"),
        ("0x3", REFUSED, "0x3 is too low"),
        ("99999x2", UNREADABLE, "99999 is not between 0 and 9999"),
        (f"{'9' * 1500}x3", UNREADABLE, "not a whole number"),
        (f"3x{'4' * 1500}", UNREADABLE, "is not a face"),
        ("x" * 10_000, UNREADABLE, "at most 2000 characters"),
        ("Andy: dudo", REFUSED, "there is no bid yet"),
        ("dudo", UNREADABLE, "who made the entry “dudo”?"),
        ("Andy: 2x3", REFUSED, "it is not Andy's turn"),
        ("1x1", REFUSED, "may not be on aces"),
        ("Ana: open", REFUSED, "not possible now"),
        ("Ana:", UNREADABLE, "type what happened after the name"),
        (": 2x3", UNREADABLE, "no player is called “”"),
        ("nonsense", UNREADABLE, "is not an act of this game"),
        ("Ana: 2x3 !perhaps", UNREADABLE, "not a face"),
        ("!stands", UNREADABLE, "is not an act of this game"),
        ("all: 2x3", UNREADABLE, "cannot be entered for all players"),
        ("dice Ana: 1 2 3 4 5", UNREADABLE, "dice can be shown only after a call"),
        ("count 3", UNREADABLE, "dice can be shown only after a call"),
        ("count x", UNREADABLE, "count: “x” is not a whole number"),
        ("hand Ana: 6", UNREADABLE, "the tally (dice) must be from 0 to 5, not 6"),
        ("hand Ana: QC", UNREADABLE, "this game has no cards"),
        ("holds Ana: QC", UNREADABLE, "this game has no cards"),
        ("standing Ana: -1", UNREADABLE, "the tally (dice) must be from 0 to 5, not -1"),
        ("standing Ana: 1e3", UNREADABLE, "not a whole number"),
        ("dealer Ana", UNREADABLE, "nobody deals in this game"),
        ("lead", UNREADABLE, "the form is “lead NAME”"),
        ("lead Zoe", UNREADABLE, "no player is called “Zoe”"),
        ("foul Ana", UNREADABLE, "expected a name and a colon"),
        ("penalty Ana: minor", UNREADABLE, "not a penalty class"),
        ("penalty Ana: 999999999999", UNREADABLE, "not a whole number"),
        ("check Ana: 73", UNREADABLE, "it is 5, not 73 (difference +68)"),
        ("result draw", UNREADABLE, "in this game, enter the result as loser=NAME or gainer=NAME"),
        ("result loser=", UNREADABLE, "no player is called “”"),
        ("result loser=Ana loser=Ben", UNREADABLE, "entered twice"),
        ("direction up", UNREADABLE, "“up” is not one of left, right"),
        ("sudden-death now", UNREADABLE, "is not allowed here"),
        ("Ana\u202e: 2x3", UNREADABLE, "no player is called"),
        ("\x1b[31mAna: 2x3", UNREADABLE, "no player is called"),
        ("Ana: 2x3\x00", UNREADABLE, "not a face"),
        ("🎲", UNREADABLE, "is not an act of this game"),
        ("٣x٤", UNREADABLE, "nothing"),
        ("trump H", UNREADABLE, "is not an act of this game"),
    ],
)
@pytest.mark.parametrize("command", ["record", "judge"])
def test_entries(book: Path, command: str, entry: str, code: int, said: str) -> None:
    if entry == "٣x٤":
        said = "not a whole number"
    check(program(command, entry), code, said)


@pytest.mark.parametrize("line", ["", "   ", "# a comment", ";;;", ",", "#"])
def test_lines_without_an_entry(book: Path, line: str) -> None:
    check(program("record", stdin=f"{line}\n"), 0)
    check(program("judge", line), 0)


def test_a_first_bid_before_the_choice(book: Path) -> None:
    assert program("new", "dudo", "Ana", "Ben").code == 0
    assert program("record", "hand Ana: 2", "result loser=Ana").code == 0
    check(program("record", "1x3"), REFUSED, "Ana must choose first: open or closed", "4.1")


def test_dice_that_do_not_add_up(book: Path) -> None:
    program("new", "dudo", "Ana", "Ben")
    assert program("record", "2x3", "Ben: dudo", "dice Ana: 3 3 1 2 4").code == 0
    for entry, said in (
        ("dice Ana: 3 3 1 2 4", "already been shown"),
        ("dice Ben: 3 3 1 2", "Ben has 5 dice, not 4"),
        ("dice Ben: 3 3 1 2 7", "7 is not a face of a die"),
        ("count 2", "from 3 to 8, not 2"),
        ("count 9", "from 3 to 8, not 9"),
    ):
        check(program("record", entry), UNREADABLE, said)
    assert program("record", "dice Ben: 3 3 1 2 4").code == 0
    check(
        program("record", "count 5"),
        UNREADABLE,
        "according to the dice shown, the count is 6, not 5",
    )


def test_what_stood_before_a_mistake_is_kept(book: Path) -> None:
    program("new", "dudo", "Ana", "Ben")
    answer = program("record", "2x3; 3x3; 3x9; 4x3")
    check(answer, UNREADABLE, "3x9  [not recorded]")
    assert 'entries = """\nAna: 2x3\nBen: 3x3\n"""' in program("export").out
    answer = program("record", stdin="4x3\nnonsense\n5x3\n")
    check(answer, UNREADABLE, "nonsense  [not recorded]")
    assert "Ana: 4x3" in program("export").out
    assert "5x3" not in program("export").out


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["../x", "Ben"], "contains one of"),
        (["=1+1", "Ben"], "contains one of"),
        (["Ana", "a\u202eb"], "control characters"),
        (["Ana", "a\x00b"], "control characters"),
        (["Ana", " Ben"], "too many spaces"),
        (["Ana", ""], "1 to 40 characters"),
        (["Ana", "x" * 5_000], "1 to 40 characters"),
        (["Ana", "ana"], "two players are called “ana”"),
        (["é", "e\u0301"], "two players are called “é”"),
        (["Ana", "all"], "is a reserved word"),
        (["Ana", "Lead"], "is a reserved word"),
        (["Ana", "note Ben"], "is a reserved word"),
        (["Ana"], "Dudo is for 2 or more players, not 1"),
    ],
)
def test_names(book: Path, names: list[str], said: str) -> None:
    check(program("new", "dudo", *names), UNREADABLE, said)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["new", "dodo", "Ana", "Ben"], UNREADABLE, 'there is no ruleset "dodo"'),
        (["new", "../dudo", "Ana", "Ben"], DAMAGED, "cannot be read"),
        (["new", "dudo", "Ana", "Ben", "--set", "tally.least=many"], UNREADABLE, "whole number"),
        (["new", "dudo", "Ana", "Ben", "--set", "taly.start=3"], UNREADABLE, "taly"),
        (["new", "dudo", "Ana", "Ben", "--set", "nonsense"], UNREADABLE, "KEY=VALUE"),
        (["status", "--match", "99"], UNREADABLE, "there is no match 99"),
        (["record", "2x3", "--match", "x"], UNREADABLE, "“x” is not a match number"),
        (["status", "--match", "nowhere.toml"], DAMAGED, "cannot be read"),
        (["status", "--match", "9" * 30], UNREADABLE, "not a match number"),
        (["score", "--explain", "7"], UNREADABLE, "there is no round 7"),
        (["undo"], UNREADABLE, "nothing to undo"),
        (["amend", "1.1", "2x3"], UNREADABLE, "there is no entry 1.1"),
        (["amend", "one", "2x3"], UNREADABLE, "“one” is not the number of an entry"),
        (["record", "2x3", "--stands", "--withdrawn"], UNREADABLE, "cannot be combined"),
        (["odds", "5x9", "--dice", "5"], UNREADABLE, "not a face"),
        (["odds", "5x3", "--dice", "0"], UNREADABLE, "1 to 9999"),
        (["odds", "5x3", "--seen", "1 2 9"], UNREADABLE, "9 is not between 1 and 6"),
        (["odds", "5x3", "--seen", "1 1", "--dice", "1"], UNREADABLE, "--dice"),
        (
            ["rules", "explain", "bids.raise", "--ruleset", "dudo"],
            UNREADABLE,
            "is neither a rule nor a paragraph of dudo",
        ),
        (["rules", "show", "dodo"], UNREADABLE, 'there is no ruleset "dodo"'),
        (["rules", "check", "nowhere.toml"], REFUSED, "cannot be read"),
        (["import", "nowhere.toml"], DAMAGED, "cannot be read"),
        (["verify", "nowhere.toml"], REFUSED, "cannot be read"),
        (["export", "--to", "nowhere/there.toml"], DAMAGED, "cannot be written"),
    ],
)
def test_arguments(book: Path, arguments: list[str], code: int, said: str) -> None:
    check(program(*arguments), code, said)


@pytest.mark.parametrize(
    "arguments",
    [
        ["frobnicate"],
        ["status", "--format", "xml"],
        ["status", "--nonsense"],
        ["new"],
        ["amend", "1.1"],
        ["score", "--explain", "x"],
    ],
)
def test_wrong_usage(book: Path, arguments: list[str]) -> None:
    answer = program(*arguments)
    said, advice = answer.err.splitlines()
    assert answer.code == UNREADABLE
    assert said.startswith("scorekeeper: ")
    assert advice.startswith("  try: scorekeeper ")


# --- records


def cut(text: str) -> str:
    return text[: len(text) // 2]


def with_nul(text: str) -> str:
    return text.replace("J3: dudo", "J3: du\x00do", 1)


def without(key: str, text: str) -> str:
    return "\n".join(line for line in text.split("\n") if not line.startswith(key))


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (cut, "is not TOML"),
        (with_nul, "is not TOML"),
        (lambda text: without("ruleset", text), "ruleset is missing"),
        (lambda text: without("players", text), "players is missing"),
        (lambda text: text.replace("format = 2", "format = 4"), "by a newer scorekeeper"),
        (lambda text: text.replace('"dudo"', '"../dudo"'), "not a path"),
        (lambda text: text.replace('"dudo"', '"dodo"'), "no ruleset"),
        (lambda text: text.replace('"J2"', '"J1"'), "two players"),
        (lambda text: text.replace('"J2"', "7"), "a list of names"),
        (lambda text: text + 'extra = "x"\n', "is not a key"),
        (lambda text: text.replace("J2 = -1", 'J2 = "x"', 1), "is not a number"),
        (lambda text: f'nonsense = "{"x" * 5000}"\n{text}', "is not a key of a record"),
        (lambda text: "a." * 500 + "b = 1\n" + text, "a"),
        (lambda text: "", "is missing"),
    ],
)
def test_records_that_are_none(book: Path, tmp_path: Path, spoil: object, said: str) -> None:
    assert callable(spoil)
    path = tmp_path / "record.toml"
    path.write_text(spoil(SEED.read_text("utf-8")), "utf-8")
    check(program("import", str(path)), DAMAGED, said)
    verified = program("verify", str(path), "--format", "json")
    assert verified.code == REFUSED
    (finding,) = verified.data[0]["findings"]
    assert finding["code"] == "record.damaged"
    assert said in finding["reason"]


def test_a_record_that_is_not_text(book: Path, tmp_path: Path) -> None:
    path = tmp_path / "record.toml"
    path.write_bytes(b"\xff\xfe\x00\x01" * 100)
    check(program("import", str(path)), DAMAGED, "is not UTF-8")
    check(program("import", str(tmp_path)), DAMAGED, "is not UTF-8")


@pytest.mark.parametrize(
    ("old", "new", "code", "line"),
    [
        ("J2: 11x4", "J2: 10x4", "bids.from-aces", 14),
        ("J2: 6x4", "J3: 6x4", "turn", 10),
        ("J2: 6x4", "J2: 6x9", "entry.unreadable", 10),
        ("count 9", "count 99", "entry.impossible", 16),
        ("scores = { J1 = 0, J2 = -1", "scores = { J1 = 0, J2 = 0", "score.claimed", 16),
    ],
)
def test_what_is_wrong_in_a_record_is_found(
    tmp_path: Path, old: str, new: str, code: str, line: int
) -> None:
    path = tmp_path / "record.toml"
    path.write_text(SEED.read_text("utf-8").replace(old, new, 1), "utf-8")
    answer = program("verify", str(path), "--format", "json")
    assert answer.code == REFUSED
    found = [(row["code"], row["round"], row["line"]) for row in answer.data[0]["findings"]]
    assert (code, 1, line) in found
    assert answer.data[0]["ok"] is False


# --- books


def test_a_book_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "book.sqlite"
    path.write_text("a shopping list\n" * 100)
    for command in (["matches"], ["new", "dudo", "Ana", "Ben"], ["record", "2x3"]):
        check(program(*command, "--book", str(path)), DAMAGED, "not a scorekeeper book")
    assert path.read_text() == "a shopping list\n" * 100


def test_a_book_of_another_program(tmp_path: Path) -> None:
    path = tmp_path / "book.sqlite"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE songs (name TEXT)")
    check(program("new", "dudo", "Ana", "Ben", "--book", str(path)), DAMAGED, "not a scorekeeper")


def test_a_book_of_a_newer_program(book: Path, tmp_path: Path) -> None:
    newer = tmp_path / "newer.sqlite"
    with sqlite3.connect(book) as source, sqlite3.connect(newer) as target:
        source.backup(target)
        target.execute("PRAGMA user_version = 99")
    check(program("record", "2x3", "--book", str(newer)), DAMAGED, "newer")


def test_a_book_that_is_a_folder(tmp_path: Path) -> None:
    check(program("matches", "--book", str(tmp_path)), DAMAGED, "is not a file")


@contextmanager
def bound_by_permissions() -> Iterator[None]:
    """Run as another user for a while, because permissions do not bind the superuser."""
    mighty = os.geteuid() == 0
    if mighty:
        os.seteuid(65534)
    try:
        yield
    finally:
        if mighty:
            os.seteuid(0)


@pytest.mark.skipif(os.name == "nt", reason="permissions are another matter there")
def test_a_book_that_is_read_only(book: Path) -> None:
    folder = Path(tempfile.mkdtemp())
    try:
        copy = folder / "book.sqlite"
        with sqlite3.connect(book) as source, sqlite3.connect(copy) as target:
            source.backup(target)
        assert program("record", "2x3", "--book", str(copy)).code == 0
        copy.chmod(0o444)
        folder.chmod(0o555)
        kept = copy.read_bytes()
        with bound_by_permissions():
            check(program("record", "3x3", "--book", str(copy)), DAMAGED, "book.sqlite")
        assert copy.read_bytes() == kept
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


def test_a_book_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "none.sqlite"
    check(program("record", "2x3", "--book", str(path)), UNREADABLE, "there is no match yet")
    assert program("matches", "--book", str(path)).code == 0
    assert not path.exists()


def test_a_book_that_is_locked(book: Path) -> None:
    holder = sqlite3.connect(book, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    try:
        check(program("record", "2x3"), LOCKED)
    finally:
        holder.execute("ROLLBACK")
        holder.close()


def test_a_closed_pipe_is_no_failure(book: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as out:
        command = [sys.executable, "-m", "scorekeeper", "legal"]
        done = subprocess.run(command, stdout=out, stderr=subprocess.PIPE, check=False)
    assert b"Traceback" not in done.stderr
    assert done.returncode == 0


@pytest.mark.parametrize("encoding", ["ascii", "utf-8:strict", "latin-1"])
def test_bytes_that_are_no_text_and_terminals_that_know_few_letters(
    book: Path, encoding: str
) -> None:
    assert program("new", "dudo", "Ana", "Ben").code == 0
    done = subprocess.run(
        [sys.executable, "-m", "scorekeeper", "record"],
        input="note été ".encode() + b"\xff\n3x3\n",
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": encoding},
        cwd=ROOT,
    )
    assert (done.returncode, b"Traceback" in done.stderr) == (0, False), done.stderr
    assert "note été".encode() in done.stdout
    assert b"Ana: 3x3  [ok]" in done.stdout
