"""Files are written completely or not at all, and files of other programs are left alone."""

from __future__ import annotations

import os
from stat import S_IMODE
from typing import TYPE_CHECKING

import pytest

from scorekeeper.core.errors import Damaged
from scorekeeper.store.files import write_bytes, write_text
from tests.helpers import program

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def files(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def test_nobody_elses_file_is_taken_for_what_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    assert program("new", "dudo", "Ana", "Ben").code == 0
    mine = tmp_path / "y.toml.part"
    mine.write_text("mine", "utf-8")
    assert program("export", "1", "--to", str(tmp_path / "y.toml")).code == 0
    assert mine.read_text("utf-8") == "mine"


def test_two_who_write_one_file_at_once_write_it_whole(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"

    def slowly() -> Iterator[bytes]:
        yield b"first\n" * 10_000
        write_bytes([b"other\n"], str(path))
        assert path.read_bytes() == b"other\n"
        yield b"last\n"

    write_bytes(slowly(), str(path))
    assert path.read_bytes() == b"first\n" * 10_000 + b"last\n"
    assert files(tmp_path) == ["x.jsonl"]


def test_what_fails_leaves_what_was_and_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text("before", "utf-8")

    def fails() -> Iterator[str]:
        yield "half"
        raise OSError(28, "No space left on device")

    with pytest.raises(Damaged, match=r"x\.toml cannot be written: No space left"):
        write_text(fails(), str(path))
    assert (path.read_text("utf-8"), files(tmp_path)) == ("before", ["x.toml"])


def test_who_may_read_a_file_is_as_it_was_or_as_of_any_new_one(tmp_path: Path) -> None:
    umask = os.umask(0o027)
    try:
        for name in ("new", "private"):
            if name == "private":
                (tmp_path / name).touch()
                (tmp_path / name).chmod(0o600)
            write_text(["x"], str(tmp_path / name))
        (tmp_path / "usual").touch()
    finally:
        os.umask(umask)
    rights = {path.name: S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert rights == {"new": rights["usual"], "usual": 0o640, "private": 0o600}


def test_what_killed_programs_left_is_cleared_away_later(tmp_path: Path) -> None:
    for name, age in ((".scorekeeper-a.part", 7200), (".scorekeeper-b.part", 60), ("c.part", 7200)):
        (tmp_path / name).write_bytes(b"left")
        moment = (tmp_path / name).stat().st_mtime - age
        os.utime(tmp_path / name, (moment, moment))
    write_text(["x"], str(tmp_path / "x"))
    assert files(tmp_path) == [".scorekeeper-b.part", "c.part", "x"]
