"""Backups: each is complete whenever it is taken, and can be opened and continued as a book."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from stat import S_IMODE
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest

from scorekeeper.store.backup import back_up
from scorekeeper.store.book import Book
from tests.helpers import program, unprivileged

if TYPE_CHECKING:
    from scorekeeper.store.rows import LogRow

ROOT = Path(__file__).parent.parent
WRONG, DAMAGED = 2, 3
WAL, SINGLE = b"\2\2", b"\1\1"  # The text in bytes 18 and 19 of a database.
ENTRIES = 40


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Provide a book of two matches in its own folder."""
    path = tmp_path / "own" / "book.sqlite"
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(path))
    assert program("new", "dudo", "Ana", "Ben").code == 0
    assert program("record", "Ana: 3x4", "Ben: 4x4", "Ana: dudo", "count 3", "note été").code == 0
    assert program("new", "durak", "Cem", "Ana").code == 0
    assert program("record", "result loser=Cem", "undo").code == 2  # the first is recorded
    return path


@pytest.fixture
def kept(path: Path, tmp_path: Path) -> Path:
    """Provide the book's backup, in the folder above."""
    file = tmp_path / "kept.sqlite"
    assert program("backup", str(file)).code == 0
    return file


def logs(path: Path) -> dict[int, list[LogRow]]:
    """Return the log of each match as it was written."""
    with Book(path, create=False) as book:
        return {row.id: list(book.log(row.id)) for row in book.matches()}


def files(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def alter(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("DROP TRIGGER IF EXISTS log_unchanged")
    connection.execute("DROP TRIGGER IF EXISTS log_kept")
    for statement in statements:
        connection.execute(statement)
    connection.close()


def damage(path: Path) -> None:
    alter(path, "UPDATE log SET text = 'Ana: 9x9' WHERE match = 1 AND position = 1")


def in_a_process(before: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the program in a new process in which `before` was done first."""
    code = f"import os, signal\n{before}\nfrom scorekeeper.cli import main\nmain()"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT, text=True, encoding="utf-8", capture_output=True, check=False,
    )  # fmt: skip


# --- what a backup is


def test_a_backup_is_one_whole_file_and_says_what_it_holds(path: Path, tmp_path: Path) -> None:
    file = tmp_path / "kept.sqlite"
    with Book(path) as book:
        last = book.match().last_time
        told = program("backup", str(file), "--format", "json")  # while the book is open
    assert (told.code, told.data) == (0, {
        "book": str(path), "file": str(file), "matches": 2, "entries": 6, "last": last,
        "faults": [], "repairable": False,
    })  # fmt: skip
    assert files(tmp_path) == ["kept.sqlite", "own"]
    assert (path.read_bytes()[18:20], file.read_bytes()[18:20]) == (WAL, SINGLE)
    assert logs(file) == logs(path)
    assert program("check-book", "--book", str(file)).code == 0
    said = program("backup", str(file))
    assert said.out == f"{file}: 2 matches, 6 entries, last recorded {last}, intact\n"


def test_a_backup_in_a_folder_has_the_time_in_its_name(path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    assert program("backup", str(folder)).code == 0
    (file,) = folder.iterdir()
    assert file.match("scorekeeper-20??-??-??T??????Z.sqlite")
    assert logs(file) == logs(path)


def test_two_backups_of_one_moment_are_two_files(path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    folder.mkdir()
    book = str(path)
    made = {back_up(book, str(folder)).path for _ in range(6)}
    assert len(made) == len(files(folder)) == 6


@pytest.mark.parametrize("ending", ["-wal", "-journal"])
def test_what_is_left_of_another_database_is_no_part_of_a_backup(
    path: Path, tmp_path: Path, ending: str
) -> None:
    target = tmp_path / "kept.sqlite"
    left = tmp_path / f"kept.sqlite{ending}"
    left.write_bytes(b"of another")
    told = program("backup", str(target), "--book", str(path))
    assert (told.code, f"{left} is left over from another book" in told.err) == (WRONG, True)
    assert not target.exists()


def test_a_backup_without_a_name_goes_nowhere(path: Path, tmp_path: Path) -> None:
    assert program("backup", "", "--book", str(path)).code == WRONG


def test_a_newer_backup_takes_the_place_of_an_older_also_by_a_link(
    path: Path, kept: Path, tmp_path: Path
) -> None:
    link = tmp_path / "latest"
    link.symlink_to(kept)
    assert program("record", "result loser=Ana").code == 0
    assert program("backup", str(link)).code == 0
    assert link.is_symlink()
    assert logs(kept) == logs(path)


def test_who_may_not_read_the_book_may_not_read_its_backup(path: Path, tmp_path: Path) -> None:
    for mode in (0o600, 0o640):
        path.chmod(mode)
        assert program("backup", str(tmp_path / "kept.sqlite")).code == 0
        assert S_IMODE((tmp_path / "kept.sqlite").stat().st_mode) == mode


# --- while others record, and when something goes wrong


def test_backups_while_two_record_are_moments_of_the_book(path: Path, tmp_path: Path) -> None:
    lines = {who: [f"note {who} {number}" for number in range(ENTRIES)] for who in ("1", "2")}
    running = {
        who: subprocess.Popen(
            [sys.executable, "-m", "scorekeeper", "record", "--match", who],
            cwd=ROOT, text=True, encoding="utf-8",
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        for who in lines
    }  # fmt: skip
    taken: list[dict[int, list[LogRow]]] = []
    begun = sum(map(len, logs(path).values()))

    def take() -> int:
        copied = back_up(str(path), str(tmp_path / f"kept-{len(taken)}.sqlite"))
        assert copied.contents.faults == []
        taken.append(logs(Path(copied.path)))
        return sum(map(len, taken[-1].values())) - begun

    for half in (slice(0, ENTRIES // 2), slice(ENTRIES // 2, None)):
        for who, process in running.items():
            assert process.stdin is not None
            process.stdin.write("\n".join(lines[who][half]) + "\n")
            process.stdin.flush()
        while take() < ENTRIES * (1 if half.stop else 2):
            assert all(process.poll() is None for process in running.values())
    for process in running.values():
        _, talk = process.communicate(timeout=60)
        assert process.returncode == 0, talk
    last = logs(path)
    for match, rows in last.items():
        assert [row.text for row in rows if row.text in lines[str(match)]] == lines[str(match)]
    assert len(taken) > 2
    for found in taken:
        assert all(last[match][: len(rows)] == rows for match, rows in found.items())


@pytest.mark.parametrize("at", ["os.fsync", "os.replace", "os.close"])
def test_a_backup_that_is_killed_leaves_the_older_one(
    path: Path, kept: Path, tmp_path: Path, at: str
) -> None:
    before = kept.read_bytes()
    assert program("record", "result loser=Ana").code == 0
    killed = in_a_process(
        f"{at} = lambda *given: os.kill(os.getpid(), signal.SIGKILL)", "backup", str(kept)
    )
    assert killed.returncode == -signal.SIGKILL
    assert kept.read_bytes() == before
    assert len(files(tmp_path)) == 3  # The unfinished file of that process is there.
    assert program("backup", str(kept)).code == 0
    assert logs(kept) == logs(path)


def test_what_killed_backups_left_is_cleared_away_later(kept: Path, tmp_path: Path) -> None:
    for name, age in ((".scorekeeper-a.part", 7200), (".scorekeeper-b.part", 60), ("c.part", 7200)):
        (tmp_path / name).write_bytes(b"left")
        moment = (tmp_path / name).stat().st_mtime - age
        os.utime(tmp_path / name, (moment, moment))
    assert program("backup", str(kept)).code == 0
    assert files(tmp_path) == [".scorekeeper-b.part", "c.part", "kept.sqlite", "own"]


def test_a_full_disk_is_told_and_the_older_backup_stays(kept: Path, tmp_path: Path) -> None:
    before = kept.read_bytes()
    assert len(before) > 50_000
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))"
    told = in_a_process(limit, "backup", str(kept))
    assert (told.returncode, told.stdout) == (DAMAGED, "")
    first, hint = told.stderr.splitlines()
    assert first.startswith(f"scorekeeper: {kept} cannot be written: ")
    assert "free some space" in hint
    assert (kept.read_bytes(), files(tmp_path)) == (before, ["kept.sqlite", "own"])


def test_a_folder_in_which_nothing_can_be_written_is_told(path: Path, tmp_path: Path) -> None:
    with TemporaryDirectory() as name:  # Every user may enter the folder.
        folder = Path(name)
        folder.chmod(0o777)
        (folder / "locked").mkdir()
        book = str(shutil.copy(path, folder))
        Path(book).chmod(0o666)
        with unprivileged():
            told = program("backup", str(folder / "locked" / "kept.sqlite"), "--book", book)
        assert (told.code, files(folder / "locked")) == (DAMAGED, [])
        assert "kept.sqlite cannot be written: Permission denied" in told.err
    missing = program("backup", str(tmp_path / "nowhere" / "kept.sqlite"))
    assert missing.code == DAMAGED
    assert "kept.sqlite cannot be written: No such file" in missing.err


def test_what_is_no_backup_is_not_replaced(path: Path, tmp_path: Path) -> None:
    other, text, pipe = tmp_path / "other.sqlite", tmp_path / "letter.txt", tmp_path / "pipe"
    assert program("new", "dudo", "X", "Y", "--book", str(other)).code == 0
    text.write_text("a letter", "utf-8")
    os.mkfifo(pipe)
    (tmp_path / "link").symlink_to(path)
    os.link(path, tmp_path / "hard")
    before = {file: file.read_bytes() for file in (path, other, text)}
    for file, why in (
        (path, "is the book itself"),
        (tmp_path / "link", "is the book itself"),
        (tmp_path / "hard", "is the book itself"),
        (Path(f"{path}-wal"), "is the book itself"),
        (other, "is not a backup"),
        (text, "is not a backup"),
        (pipe, "is not a file"),
    ):
        told = program("backup", str(file))
        assert (told.code, told.out) == (WRONG, ""), file
        assert why in told.err
    folder = program("backup", f"{tmp_path / 'nowhere'}{os.sep}")
    assert (folder.code, "there is no folder" in folder.err) == (WRONG, True)
    assert {file: file.read_bytes() for file in before} == before


def test_a_backup_can_be_read_and_nothing_is_recorded_in_it(kept: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copy(kept, tmp_path / "copy.sqlite"))
    before = kept.read_bytes()
    for file in (kept, copy):
        read = program("matches", "--book", str(file))
        assert (read.code, "Ana" in read.out) == (0, True)
        for written in (("record", "note late"), ("new", "dudo", "X", "Y")):
            told = program(*written, "--book", str(file))
            assert (told.code, "is a backup" in told.err) == (DAMAGED, True), written
            assert "scorekeeper restore" in told.err
        assert file.read_bytes() == before
    assert files(tmp_path) == ["copy.sqlite", "kept.sqlite", "own"]


def test_a_book_in_any_mode_is_no_backup(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite"
    assert program("new", "dudo", "X", "Y", "--book", str(other)).code == 0
    alter(other, "PRAGMA journal_mode = DELETE")
    before = other.read_bytes()
    told = program("backup", str(other))
    assert (told.code, "is not a backup" in told.err) == (WRONG, True)
    assert other.read_bytes() == before


def test_without_a_book_there_is_no_backup(tmp_path: Path) -> None:
    for content in (None, b""):
        if content is not None:
            (tmp_path / "none.sqlite").write_bytes(content)
        file = tmp_path / "kept.sqlite"
        told = program("backup", str(file), "--book", str(tmp_path / "none.sqlite"))
        assert (told.code, "there is no book at" in told.err) == (WRONG, True)
        assert not file.exists()


def test_a_book_that_somebody_keeps_writing_in_is_copied(path: Path, tmp_path: Path) -> None:
    """Expect the book as it was when the copy began, without a wait for the writer."""
    before = logs(path)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    other.execute("UPDATE kept_matches SET place = 'half'")
    copied = back_up(str(path), str(tmp_path / "kept.sqlite"), wait=0)
    other.execute("ROLLBACK")
    other.close()
    assert (copied.contents.faults, logs(Path(copied.path))) == ([], before)


def test_a_damaged_books_copy_takes_no_other_ones_place(
    path: Path, kept: Path, tmp_path: Path
) -> None:
    before = kept.read_bytes()
    damage(path)
    told = program("backup", str(kept))
    assert told.code == DAMAGED
    assert told.out.splitlines()[0] == f"{kept}.damaged: 1 row of log is damaged"
    assert told.out.endswith("NOT intact\n")
    assert "check-book --save" in told.err
    assert kept.read_bytes() == before
    assert files(tmp_path) == ["kept.sqlite", "kept.sqlite.damaged", "own"]


def test_a_damaged_books_copy_replaces_no_file_that_is_called_so(
    path: Path, tmp_path: Path
) -> None:
    damage(path)
    file, thesis = tmp_path / "b.sqlite", tmp_path / "b.sqlite.damaged"
    thesis.write_text("thesis", "utf-8")
    (tmp_path / "b.sqlite-2.damaged").symlink_to(path)
    before = path.read_bytes()
    for _ in range(2):  # The program may replace its own backup.
        told = program("backup", str(file), "--format", "json")
        assert (told.code, told.data["file"]) == (DAMAGED, f"{file}-3.damaged")
    assert (thesis.read_text("utf-8"), path.read_bytes()) == ("thesis", before)


def test_a_damaged_book_is_not_replaced_by_its_own_copy(path: Path, tmp_path: Path) -> None:
    damage(path)
    book = path.rename(tmp_path / "x.damaged")
    before = book.read_bytes()
    told = program("backup", str(tmp_path / "x"), "--book", str(book), "--format", "json")
    assert (told.code, told.data["file"]) == (DAMAGED, f"{tmp_path / 'x-2'}.damaged")
    assert book.read_bytes() == before


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM log WHERE match = 1 AND position = 3",
        "DELETE FROM log WHERE match = 1 AND position = 5",
        "DELETE FROM rulesets",
        "UPDATE rulesets SET text = 'x' || text",
        "UPDATE kept_rounds SET standing = 'null'",
        "UPDATE kept_matches SET entries = 7.5 WHERE id = 1",
        "UPDATE kept_matches SET place = CAST(x'ff' AS TEXT) WHERE id = 1",
        "UPDATE kept_matches SET id = 9 WHERE id = 1",
    ],
)
def test_whatever_is_wrong_with_a_row_is_noticed(
    path: Path, tmp_path: Path, statement: str
) -> None:
    alter(path, "PRAGMA foreign_keys = OFF", statement)
    told = program("backup", str(tmp_path / "kept.sqlite"), "--format", "json")
    assert told.code == DAMAGED
    assert told.data["faults"]


# --- a book again


def test_a_restored_book_goes_on(path: Path, kept: Path, tmp_path: Path) -> None:
    new = tmp_path / "far" / "away" / "book.sqlite"
    told = program("restore", str(kept), "--book", str(new), "--format", "json")
    assert (told.code, told.data["matches"], told.data["entries"]) == (0, 2, 6)
    assert (told.data["file"], told.data["book"]) == (str(kept), str(new))
    assert (files(new.parent), new.read_bytes()[18:20]) == (["book.sqlite"], WAL)
    assert logs(new) == logs(path)
    before = kept.read_bytes()
    assert program("record", "Ben: 2x2", "--match", "1", "--book", str(new)).code == 0
    assert program("undo", "--match", "1", "--book", str(new)).code == 0
    assert program("check-book", "--book", str(new)).code == 0
    assert kept.read_bytes() == before
    assert len(logs(new)[1]) == len(logs(path)[1]) + 2


def test_a_backup_is_restored_to_the_usual_place_where_there_is_no_book(
    path: Path, kept: Path
) -> None:
    before = logs(path)
    shutil.rmtree(path.parent)
    told = program("restore", str(kept))
    assert (told.code, told.out.partition(":")[0]) == (0, str(path))
    assert logs(path) == before


def test_no_book_is_written_over(path: Path, kept: Path, tmp_path: Path) -> None:
    before = path.read_bytes()
    told = program("restore", str(kept))
    assert (told.code, "there is already a book at" in told.err, "--book FILE" in told.err) == (
        WRONG, True, True,
    )  # fmt: skip
    assert path.read_bytes() == before
    left = tmp_path / "new.sqlite-wal"
    left.write_bytes(b"of another")
    told = program("restore", str(kept), "--book", str(tmp_path / "new.sqlite"))
    assert (told.code, f"{left} is left over from another book" in told.err) == (WRONG, True)


def test_what_is_no_whole_backup_is_refused_and_leaves_nothing(
    path: Path, kept: Path, tmp_path: Path
) -> None:
    content, new = kept.read_bytes(), tmp_path / "new"
    new.mkdir()
    for length in (0, 1, 99, 511, 4096, len(content) // 2, len(content) - 4096):
        kept.write_bytes(content[:length])
        told = program("restore", str(kept), "--book", str(new / "book.sqlite"))
        assert (told.code, told.out, files(new)) == (DAMAGED, "", []), length
        assert len(told.err.splitlines()) == 2
    assert "use an older backup" in told.err
    assert program("restore", str(tmp_path / "none"), "--book", str(new / "b")).code == WRONG
    kept.write_text("a letter", "utf-8")
    told = program("restore", str(kept), "--book", str(new / "book.sqlite"))
    assert (told.code, "is not a scorekeeper book" in told.err) == (DAMAGED, True)
    damage(path)
    back_up(str(path), str(tmp_path / "other.sqlite"))
    bad = str(tmp_path / "other.sqlite.damaged")
    assert program("restore", bad, "--book", str(new / "book.sqlite")).code == DAMAGED
    assert files(new) == []


def test_a_backup_with_a_flipped_byte_is_refused_or_says_the_same(
    path: Path, kept: Path, tmp_path: Path
) -> None:
    content, chance, before = kept.read_bytes(), random.Random(3), logs(path)
    new, refused = tmp_path / "new" / "book.sqlite", 0
    for _ in range(60):
        damaged = bytearray(content)
        at = chance.randrange(len(content))
        damaged[at] ^= chance.randrange(1, 256)
        kept.write_bytes(damaged)
        told = program("restore", str(kept), "--book", str(new))
        if told.code == 0:
            assert logs(new) == before, at
            new.unlink()
        else:
            assert (told.code, new.exists()) == (DAMAGED, False), at
            refused += 1
    assert refused > 20


def test_a_backup_of_a_later_version_is_refused(kept: Path, tmp_path: Path) -> None:
    alter(kept, "PRAGMA user_version = 999")
    told = program("restore", str(kept), "--book", str(tmp_path / "new.sqlite"))
    assert (told.code, "newer scorekeeper" in told.err) == (DAMAGED, True)
    assert not (tmp_path / "new.sqlite").exists()


def test_a_name_that_was_taken_in_the_end_is_not_said_to_be_a_book(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Include the case in which the other file is gone again before the check."""

    def link(*_: object) -> None:
        raise FileExistsError

    monkeypatch.setattr(os, "link", link)
    new = tmp_path / "new.sqlite"
    told = program("restore", str(kept), "--book", str(new))
    assert (told.code, told.out, new.exists()) == (WRONG, "", False)
    assert "there is already a book" in told.err
