"""Damaged books: damage is reported in one line or is harmless, and intact data is saved."""

from __future__ import annotations

import random
import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scorekeeper import verify_record
from scorekeeper.store.recorder import MatchRecorder
from tests.helpers import Answer, program, unprivileged

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorekeeper.store.rows import Store

DAMAGED, LOCKED = 3, 4
EXPORT = ("export", "--all", "--format", "json")
ASKED = (EXPORT, ("status",), ("matches", "--format", "json"), ("score", "--match", "1"))
FLIPS = 240


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Provide an intact book of three matches, with an undo and an amendment."""
    path = tmp_path_factory.mktemp("sound") / "book.sqlite"

    def do(*arguments: str) -> None:
        assert program(*arguments, "--book", str(path)).code == 0

    do("new", "dudo", "Ana", "Ben", "Cleo", "--place", "home")
    do("record", "Ana: 3x4", "Ben: 4x4", "Cleo: dudo", "count 3", "Ben: 2x6")
    do("record", "Cleo: 3x6", "Ana: calzo", "count 3", "result gainer=Ana")
    do("undo")
    do("amend", "1.4", "count 2")
    do("new", "durak", "Ana", "Ben", "Cem")
    do("record", "result loser=Ana", "result loser=Cem", "note été")
    do("new", "dudo", "X", "Y")
    do("record", "note last", "--match", "1")
    return path.read_bytes()


@pytest.fixture
def path(tmp_path: Path, sound: bytes) -> Path:
    path = tmp_path / "book.sqlite"
    path.write_bytes(sound)
    return path


def asked(path: Path) -> list[Answer]:
    return [program(*command, "--book", str(path)) for command in ASKED]


def changed(path: Path, content: bytes) -> Path:
    for ending in ("", "-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
    path.write_bytes(content)
    return path


def check_answers(path: Path, before: list[Answer], what: str) -> bool:
    """Return whether the damage was noticed. Fail if it was neither noticed nor harmless."""
    noticed = False
    for said, now in zip(before, asked(path), strict=True):
        if now.code == DAMAGED:
            noticed = True
            told = [line for line in now.err.splitlines() if line.startswith("scorekeeper: ")]
            assert len(told) == 1, (what, now.err)
            assert len(told[0]) < 300, (what, now.err)
        else:
            assert (now.code, now.out) == (said.code, said.out), (what, now)
    return noticed


def test_a_flipped_byte_is_noticed_or_changes_nothing(path: Path, sound: bytes) -> None:
    before, chance = asked(path), random.Random(7)
    noticed = 0
    for number in range(FLIPS):
        at = len(sound) * number // FLIPS + chance.randrange(len(sound) // FLIPS)
        flip = 1 << chance.randrange(8) if number % 3 else chance.randrange(1, 256)
        damaged = bytearray(sound)
        damaged[at] ^= flip
        what = f"byte {at}: {sound[at]} became {damaged[at]}"
        noticed += check_answers(changed(path, bytes(damaged)), before, what)
    assert noticed > FLIPS // 10


def test_what_is_kept_of_matches_is_noticed_bit_by_bit(path: Path, sound: bytes) -> None:
    """Flip bits in the cached rows themselves, which are a small part of the file.

    If a round is cached, only the check of a book reads its log.
    """
    check = ("check-book", "--book", str(path))
    before, chance = asked(path), random.Random(8)
    for word in (
        b"Ana: 3x4",
        b"count 2",
        b'["Ana","Ben"',
        b"home",
        "note été".encode(),
        b"note last",
    ):
        at = sound.index(word) + chance.randrange(len(word))
        for bit in range(8):
            damaged = bytearray(sound)
            damaged[at] ^= 1 << bit
            at_bit = f"{word!r} {at} {bit}"
            noticed = check_answers(changed(path, bytes(damaged)), before, at_bit)
            assert noticed or program(*check).code == DAMAGED, at_bit


def test_a_book_that_was_cut_off_is_told(path: Path, sound: bytes) -> None:
    before = asked(path)
    written = len(sound.rstrip(b"\0"))  # A file that ends in zeros loses no data with them.
    for length in (1, 99, 300, 511, 4096, 5000, len(sound) // 2, len(sound) - 4096, written - 1):
        assert check_answers(changed(path, sound[:length]), before, f"cut at {length}")


def test_a_match_that_cannot_be_found_is_not_said_to_be_missing(path: Path) -> None:
    """Expect damage rather than a missing match, because a damaged number names another match."""
    alter(path, "PRAGMA foreign_keys = OFF", "UPDATE kept_matches SET id = 144 WHERE id = 1")
    told = program("status", "--match", "1", "--book", str(path))
    assert (told.code, "is damaged" in told.err) == (DAMAGED, True)


def alter(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("DROP TRIGGER IF EXISTS log_kept")
    connection.execute("DROP TRIGGER IF EXISTS log_unchanged")
    for statement in statements:
        connection.execute(statement)
    connection.close()


# --- what is whole, and what can be saved


def saved(path: Path) -> tuple[Answer, Callable[[int], str]]:
    folder = path.parent / "saved"
    answer = program("check-book", "--book", str(path), "--save", str(folder))
    return answer, lambda number: (folder / f"match-{number}.toml").read_text("utf-8")


def test_a_whole_book_is_said_to_be_whole_and_saved(path: Path) -> None:
    answer, record = saved(path)
    assert (answer.code, answer.out) == (0, f"{path}: 3 matches, 3 intact\n")
    assert record(2) == program("export", "2", "--book", str(path)).out


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        (
            "UPDATE log SET text = 'Ana: 9x9' WHERE match = 1 AND position = 5",
            "its text is “Ana: 9x9”",
        ),
        (
            "UPDATE log SET text = CAST(x'ff' AS TEXT) WHERE match = 1 AND position = 5",
            "is damaged",
        ),
        ("DELETE FROM log WHERE match = 1 AND position = 5", "1 row is missing"),
        ("DELETE FROM log WHERE match = 1 AND position > 10", "the last usable row is number 10"),
        ("UPDATE kept_matches SET place = 'here' WHERE id = 1", "may be wrong"),
        ("UPDATE kept_rounds SET standing = '{}' WHERE match = 1", "the entries are intact"),
        ("UPDATE kept_matches SET players = '[' WHERE id = 1", "too little of the match is left"),
    ],
)
def test_what_is_damaged_is_named_and_the_rest_is_saved(
    path: Path, statement: str, told: str
) -> None:
    alter(path, statement)
    answer, record = saved(path)
    assert answer.code == DAMAGED
    assert [
        line for line in answer.out.splitlines() if line.startswith("match 1: ") and told in line
    ]
    assert "3 matches, 2 intact" in answer.out
    for number in (2, 3):
        assert record(number)
    if "too little" not in told:
        assert "note an entry was here that is lost" in record(1) or "log SET" not in statement
        assert "Ana: 3x4\nBen: 4x4\nCleo: dudo" in record(1)


def test_of_a_damaged_round_it_is_said_which_it_is(path: Path) -> None:
    alter(path, "UPDATE kept_rounds SET summary = '{}' WHERE match = 2 AND number = 1")
    for command in (["stats"], ["export", "--all", "--format", "scores-csv"]):
        answer = program(*command, "--book", str(path))
        assert (answer.code, "match 2, round 1" in answer.err) == (DAMAGED, True), command
        assert "scorekeeper rebuild" in answer.err


# --- what is kept of rounds is made again from the log


@pytest.fixture
def told(path: Path) -> list[Answer]:
    """Provide the answers of a book while it is intact."""
    return [program(*command, "--book", str(path)) for command in (("stats",), *ASKED)]


@pytest.mark.parametrize(
    ("statement", "match"),
    [
        ("UPDATE kept_rounds SET summary = '{}' WHERE match = 2 AND number = 1", 2),
        ("UPDATE kept_rounds SET entries_json = '[]' WHERE match = 2 AND number = 2", 2),
        ("UPDATE kept_rounds SET standing = CAST(x'ff' AS TEXT) WHERE match = 1", 1),
        ("UPDATE kept_rounds SET first_position = 2 WHERE match = 1 AND number > 1", 1),
        ("UPDATE kept_rounds SET checksum = checksum + 1 WHERE match = 1", 1),
    ],
)
def test_one_command_mends_what_is_kept_of_rounds(
    path: Path, told: list[Answer], statement: str, match: int
) -> None:
    book = ("--book", str(path))
    alter(path, statement)
    stats = program("stats", *book)
    assert (stats.code, f"match {match}" in stats.err) == (DAMAGED, True)
    assert "scorekeeper rebuild" in stats.err
    checked = program("check-book", *book)
    assert (checked.code, "scorekeeper rebuild" in checked.out) == (DAMAGED, True)
    assert "scorekeeper rebuild" in program("backup", str(path.parent), *book).err
    mended = program("rebuild", *book)
    assert (mended.code, mended.err.count("have been rebuilt")) == (0, 1)
    assert f"match {match}: " in mended.err
    assert "1 of the matches replayed" in mended.out
    assert program("check-book", *book).code == 0
    now = [program(*command, *book) for command in (("stats",), *ASKED)]
    assert [answer.out for answer in now] == [answer.out for answer in told]
    assert program("record", "note more", "--match", str(match), *book).code == 0
    assert program("verify", str(match), *book).code == 0
    again = program("rebuild", "--format", "json", *book)
    assert (again.data["repaired"], again.data["replayed"]) == ([], 0)


def test_a_damaged_log_is_never_mended(path: Path) -> None:
    """Check that other matches are repaired, and that the damage in this one is reported again."""
    book = ("--book", str(path))
    alter(
        path,
        "UPDATE kept_rounds SET summary = '{}'",
        "UPDATE log SET text = 'Ana: 9x9' WHERE match = 1 AND position = 5",
    )
    before = rows(path, "SELECT * FROM kept_rounds WHERE match = 1")
    mended = program("rebuild", *book)
    assert (mended.code, "check-book" in mended.err) == (DAMAGED, True)
    assert "match 2: its stored summaries" in mended.err
    assert "match 1: its stored summaries" not in mended.err
    assert rows(path, "SELECT * FROM kept_rounds WHERE match = 1") == before
    answer, _ = saved(path)
    assert "3 matches, 2 intact" in answer.out
    assert "rebuild" not in answer.out


def rows(path: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


def test_a_match_that_is_kept_wrongly_is_deleted_when_it_is_mended(path: Path) -> None:
    book = ("--book", str(path))
    alter(path, "UPDATE kept_rounds SET summary = '{}' WHERE match = 2")
    refused = program("delete", "2", "--yes", *book)
    assert (refused.code, "scorekeeper rebuild" in refused.err) == (DAMAGED, True)
    assert program("rebuild", *book).code == 0
    assert program("delete", "2", "--yes", *book).code == 0


def test_a_damaged_backup_is_not_said_to_be_mended(path: Path) -> None:
    file = path.parent / "backup.sqlite"
    assert program("backup", str(file), "--book", str(path)).code == 0
    alter(file, "UPDATE kept_rounds SET summary = '{}' WHERE match = 2")
    answer = program("check-book", "--book", str(file))
    assert (answer.code, "rebuild" in answer.out) == (DAMAGED, False)


def test_lost_rules_are_told_and_those_of_the_same_name_are_taken(path: Path) -> None:
    alter(path, "UPDATE rulesets SET data = text")
    answer, record = saved(path)
    assert (answer.code, answer.out.count("the stored rules are damaged")) == (DAMAGED, 3)
    (path.parent / "one.toml").write_text(record(1), "utf-8")
    report = verify_record(path.parent / "one.toml")
    assert (report["ok"], report["scores"]) == (True, {"Ana": 5, "Ben": 4, "Cleo": 5})


def test_a_text_that_is_not_its_sha256s_is_told(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scorekeeper.store.integrity.sha256", lambda text: "another")
    answer, _ = saved(path)
    assert answer.code == DAMAGED


@pytest.mark.parametrize("content", [b"", b"hello", b"SQLite format 3\0" + b"\xff" * 4096])
def test_a_file_that_is_no_book_at_all(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "book.sqlite"
    path.write_bytes(content)
    answer, _ = saved(path)
    assert answer.code == DAMAGED
    assert "0 matches, 0 intact" in answer.out


def test_a_mistake_of_the_programs_own_costs_no_other_match(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Stumbling(MatchRecorder):
        def __init__(self, store: Store, match_id: int) -> None:
            if match_id == 2:
                raise KeyError("pass")
            super().__init__(store, match_id)

    monkeypatch.setattr("scorekeeper.store.integrity.MatchRecorder", Stumbling)
    answer, record = saved(path)
    assert (answer.code, "3 matches, 2 intact" in answer.out) == (DAMAGED, True)
    assert "match 2: an error in the program: KeyError in __init__: 'pass'" in answer.out
    assert "result loser=Ana" in record(2)


def test_check_book_never_fails_whatever_was_hit(path: Path, sound: bytes) -> None:
    chance = random.Random(9)
    for number in range(60):
        damaged = bytearray(sound)
        at = chance.randrange(len(sound))
        damaged[at : at + 64] = chance.randbytes(64)
        content = bytes(damaged[:at] if number % 3 == 0 else damaged)
        answer, _ = saved(changed(path, content))
        assert answer.code in (0, DAMAGED), (number, at)
        if program(*EXPORT, "--book", str(path)).code == DAMAGED:
            assert answer.code == DAMAGED, (number, at)


def test_what_is_kept_of_an_old_match_and_cannot_be_played_is_told(path: Path) -> None:
    """Use rows of the first schema. They had no checksums, so their contents may make no sense."""
    from scorekeeper.core.errors import Damaged
    from scorekeeper.store.book import Book
    from scorekeeper.store.tables import COLUMNS, checksum

    values = (
        1,
        3,
        9,
        '{"tally":[1,2,3],"dealdr":0,"leader":0,"carry":{},"over":false}',
        "null",
        "",
    )
    alter(path, "DELETE FROM kept_rounds")
    connection = sqlite3.connect(path, isolation_level=None)
    places = ", ".join("?" * (len(values) + 1))
    columns = ", ".join([*COLUMNS["kept_rounds"], "checksum"])
    row = (*values, checksum(values))
    connection.execute(f"INSERT INTO kept_rounds ({columns}) VALUES ({places})", row)
    connection.close()
    with Book(path) as book, pytest.raises(Damaged, match="the stored standing of match 1"):
        MatchRecorder(book, 1)


# --- a book that is whole, and that one may not have


def test_a_book_in_a_folder_that_is_read_only_is_looked_through(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rescue a book from a failing disk, which the system has mounted read-only."""
    with tempfile.TemporaryDirectory() as name:
        # A folder that other users may not read has no rulesets for them either.
        monkeypatch.setenv("XDG_DATA_HOME", name)
        folder = Path(name) / "ro"
        folder.mkdir()
        book = folder / "book.sqlite"
        book.write_bytes(path.read_bytes())
        book.chmod(0o444)
        Path(name).chmod(0o777)
        folder.chmod(0o555)
        with unprivileged():
            target = Path(name) / "saved"
            answer = program("check-book", "--book", str(book), "--save", str(target))
            assert (answer.code, answer.err.count("is in")) == (0, 3)
            assert answer.out == f"{book}: 3 matches, 3 intact\n"
            assert "Ana: 3x4" in (target / "match-1.toml").read_text("utf-8")
        folder.chmod(0o755)
        book.chmod(0o644)
        alter(book, "UPDATE log SET text = 'Ana: 9x9' WHERE match = 1 AND position = 5")
        folder.chmod(0o555)
        with unprivileged():
            answer = program("check-book", "--book", str(book))
            assert (answer.code, "2 intact" in answer.out) == (DAMAGED, True)
        folder.chmod(0o755)
        for damaged in (b"hello", b"SQLite format 3\0" + b"\xff" * 4096):
            book.write_bytes(damaged)
            with unprivileged():
                assert program("check-book", "--book", str(book)).code == DAMAGED


def test_a_book_that_may_not_be_read_is_not_said_to_be_empty(path: Path) -> None:
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        book = Path(name) / "book.sqlite"
        book.write_bytes(path.read_bytes())
        book.chmod(0)
        with unprivileged():
            answer = program("check-book", "--book", str(book))
    assert (answer.code, answer.out, "cannot be opened" in answer.err) == (DAMAGED, "", True)


def test_a_book_that_somebody_keeps_is_said_to_be_in_use(path: Path) -> None:
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    begun = time.monotonic()
    answer = program("check-book", "--book", str(path))
    assert time.monotonic() - begun < 20
    other.close()
    assert (answer.code, answer.out) == (LOCKED, "")
    assert "is in use by another process" in answer.err
    assert program("check-book", "--book", str(path)).code == 0
