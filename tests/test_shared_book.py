"""A book in a folder that several users of one machine share.

A reader leaves no file that stops the owner from recording. A new book belongs to its owner alone
unless a group was given access.
"""

from __future__ import annotations

import json
import os
import tempfile
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from stat import S_IMODE
from typing import Any, NamedTuple

import pytest

from scorekeeper.store.book import Book
from tests.helpers import program

pytestmark = pytest.mark.skipif(os.name != "posix", reason="users and groups as they are here")

CLUB = 42000


class User(NamedTuple):
    """A user with a separate login and a separate group."""

    number: int
    groups: tuple[int, ...] = ()
    umask: int = 0o022

    def does(self, work: Callable[[], Any]) -> Any:
        """Return the result, as JSON, of work done by this user in a separate process."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.setgroups(self.groups)
                os.setresgid(self.number, self.number, self.number)
                os.setresuid(self.number, self.number, self.number)
                os.umask(self.umask)
                os.write(writing, json.dumps(work()).encode())
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(0)
        os.close(writing)
        with open(reading, "rb") as told:
            answer = told.read()
        os.waitpid(child, 0)
        assert answer, "the work failed"
        return json.loads(answer)

    def types(self, *command: str) -> tuple[int, str]:
        """Return the exit code of a command and its error output."""
        code, _, told = self.does(lambda: program(*command))
        return code, told


OWNER, OTHER = User(41001), User(41002)
FIRST, SECOND = User(41001, (CLUB,), 0o007), User(41002, (CLUB,), 0o007)
READING = [
    ("status",), ("matches",), ("score",), ("sheet",), ("rulings",), ("stats",), ("league",),
    ("export",), ("check-book",), ("legal",), ("judge", "5x4"), ("verify", "1"), ("describe",),
    ("players", "list"), ("status", "--log"),
]  # fmt: skip


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Make a folder in which every user may create files, as a club's folder may allow."""
    if os.geteuid() != 0:
        pytest.skip("only root may be somebody else")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "club"
        folder.mkdir()
        monkeypatch.setenv("SCOREKEEPER_SETTINGS", str(folder / "settings.toml"))
        monkeypatch.setenv("SCOREKEEPER_BOOK", str(Path(name) / "tried.sqlite"))
        # Import all modules now, because other users may not be able to read Python's folder.
        assert program("new", "dudo", "Ana", "Ben").code == 0
        for command in (("record", "3x4"), *READING, ("backup", f"{name}/tried.backup")):
            assert program(*command).code == 0
        program("restore", f"{name}/tried.backup", "--book", f"{name}/again.sqlite")
        assert not OTHER.does(lambda: os.access(folder, os.W_OK))
        if not OTHER.does(lambda: os.access(__file__, os.R_OK)):
            pytest.skip("only root may read this checkout")
        Path(name).chmod(0o755)
        folder.chmod(0o777)
        monkeypatch.setenv("SCOREKEEPER_BOOK", str(folder / "book.sqlite"))
        yield folder


def there(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def readable(shared: Path) -> Path:
    """Make a book that every user may read and only its owner may write."""
    assert OWNER.types("new", "dudo", "Ana", "Ben") == (0, "")
    assert OWNER.types("record", "3x4")[0] == 0
    (shared / "book.sqlite").chmod(0o644)
    return shared


@pytest.mark.parametrize("command", READING, ids=" ".join)
def test_who_reads_leaves_nothing_that_locks_the_owner_out(
    command: tuple[str, ...], readable: Path
) -> None:
    code, told = OTHER.types(*command)
    assert code == 0, told
    assert there(readable) == ["book.sqlite"]
    assert OWNER.types("record", "4x4")[0] == 0


def test_who_may_only_read_cannot_record_and_is_told_why(readable: Path) -> None:
    for command in (("record", "4x4"), ("new", "dudo", "Ana", "Ben"), ("undo",)):
        code, told = OTHER.types(*command)
        assert (code, "read-only" in told) == (3, True)
    assert there(readable) == ["book.sqlite"]


def test_what_the_owner_has_just_written_is_read_and_read_anew(readable: Path) -> None:
    """Read new rows from the log file while the owner's table is open."""
    book = readable / "book.sqlite"

    def looked_at() -> list[object]:
        with Book(book, create=False) as reading:
            told: list[object] = [reading.position(1), reading.database.data_version() > 0]
            known = reading.database.data_version()
            os.write(tell, b"!")
            os.read(hear, 1)
            return [*told, reading.position(1), reading.database.data_version() != known]

    def recorded() -> int:
        with Book(book) as writing:
            position = writing.position(1)
            writing.append(1, position, [*writing.log(1)][-1:])
            assert (readable / "book.sqlite-wal").exists()
            return int(writing.position(1))

    told, tell = os.pipe()
    hear, say = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(say)
            os._exit(0 if OTHER.does(looked_at) == [1, True, 2, True] else 1)
        finally:
            os._exit(2)
    for end in (tell, hear):  # otherwise each process would wait for a closed pipe
        os.close(end)
    assert os.read(told, 1)
    assert OWNER.does(recorded) == 2
    os.write(say, b"!")
    os.close(say)
    os.close(told)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert there(readable) == ["book.sqlite"]


def test_what_stands_beside_a_book_is_read_with_it(readable: Path) -> None:
    """Read the log file that a killed program left next to the book."""

    def killed() -> int:
        writing = Book(readable / "book.sqlite")
        writing.append(1, 1, [*writing.log(1)][-1:])
        return os.getpid()  # the process ends without closing the book

    OWNER.does(killed)
    left = ["book.sqlite", "book.sqlite-shm", "book.sqlite-wal"]
    assert there(readable) == left
    for without in ("", "book.sqlite-shm"):
        if without:
            (readable / without).unlink()
            left.remove(without)
        before = {name: (readable / name).read_bytes() for name in left}
        assert OTHER.does(lambda: Book(readable / "book.sqlite", create=False).position(1)) == 2
        assert OTHER.types("check-book")[0] in (0, 3)
        assert {name: (readable / name).read_bytes() for name in there(readable)} == before
    assert OWNER.does(lambda: Book(readable / "book.sqlite").position(1)) == 2


def test_a_new_book_is_for_its_owner_alone(shared: Path) -> None:
    assert OWNER.types("new", "dudo", "Ana", "Ben")[0] == 0
    assert S_IMODE((shared / "book.sqlite").stat().st_mode) == 0o600
    for command in (*READING, ("record", "4x4"), ("backup", str(shared / "b"))):
        code, told = OTHER.types(*command)
        assert code == (1 if command[0] == "verify" else 3), (command, told)
    assert there(shared) == ["book.sqlite"]
    assert OWNER.types("backup", str(shared / "b"))[0] == 0
    assert S_IMODE((shared / "b").stat().st_mode) == 0o600
    assert OWNER.types("restore", str(shared / "b"), "--book", str(shared / "c"))[0] == 0
    assert S_IMODE((shared / "c").stat().st_mode) == 0o600
    OWNER.does(lambda: Book(shared / "library.sqlite").matches())
    assert S_IMODE((shared / "library.sqlite").stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("option", "setting", "umask", "rights"),
    [
        (("--share", "group"), "", 0o007, 0o660),
        (("--share", "group"), "", 0o022, 0o640),
        (("--share", "group"), "", 0o077, 0o600),
        ((), "group", 0o002, 0o660),
        ((), "nobody", 0o002, 0o600),
        (("--share", "nobody"), "group", 0o002, 0o600),
        ((), "", 0o000, 0o600),
    ],
)
def test_an_option_or_the_settings_let_a_group_have_a_new_book(
    option: tuple[str, ...], setting: str, umask: int, rights: int, shared: Path
) -> None:
    if setting:
        (shared / "settings.toml").write_text(f'share = "{setting}"\n', "utf-8")
    user = User(41001, (CLUB,), umask)
    assert user.types("new", "dudo", "Ana", "Ben", *option)[0] == 0
    assert S_IMODE((shared / "book.sqlite").stat().st_mode) == rights
    assert user.types("export", "--to", str(shared / "x.toml"))[0] == 0
    other = ("--book", str(shared / "imported.sqlite"))
    assert user.types("import", str(shared / "x.toml"), *option, *other)[0] == 0
    assert S_IMODE((shared / "imported.sqlite").stat().st_mode) == rights
    assert user.types("backup", str(shared / "b"))[0] == 0
    assert user.types("restore", str(shared / "b"), *option, "--book", str(shared / "r"))[0] == 0
    assert S_IMODE((shared / "r").stat().st_mode) == rights


def test_what_share_may_say(shared: Path) -> None:
    (shared / "settings.toml").write_text('share = "all"\n', "utf-8")
    answer = program("new", "dudo", "Ana", "Ben")
    assert (answer.code, "share must be one of nobody, group" in answer.err) == (2, True)


@pytest.mark.parametrize("rights", [0o2770, 0o777])
def test_a_group_records_in_turn_in_one_book(rights: int, shared: Path) -> None:
    os.chown(shared, 0, CLUB)
    shared.chmod(rights)
    assert FIRST.types("new", "dudo", "Ana", "Ben", "--share", "group")[0] == 0
    os.chown(shared / "book.sqlite", FIRST.number, CLUB)
    for user, entry in ((SECOND, "3x4"), (FIRST, "4x4"), (SECOND, "5x4")):
        assert user.types("status")[0] == 0
        assert user.types("record", entry)[0] == 0
    assert there(shared) == ["book.sqlite"]


@pytest.mark.parametrize("rights", [0o2770, 0o777])
def test_whoever_of_a_group_is_killed_locks_nobody_out(rights: int, shared: Path) -> None:
    os.chown(shared, 0, CLUB)
    shared.chmod(rights)
    assert FIRST.types("new", "dudo", "Ana", "Ben", "--share", "group")[0] == 0
    os.chown(shared / "book.sqlite", FIRST.number, CLUB)

    def killed() -> int:
        reading = Book(shared / "book.sqlite", create=False)
        return reading.position(1)  # the process ends without closing the book

    assert SECOND.does(killed) == 0
    assert FIRST.types("record", "3x4")[0] == 0
    assert SECOND.types("record", "4x4")[0] == 0
