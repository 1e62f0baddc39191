"""Output streams: printed text never controls the terminal, and a failed write never loses an
entry.

The tests run real processes, with an output that is full, closed, or abandoned by its reader.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scorekeeper.core.text import escape_controls, escape_lines, format_json
from tests.helpers import program

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parent.parent
PROGRAM = f"{sys.executable} -m scorekeeper"
BAD = "\x1b[31m\x9b2J\u202eb\u200fc\u2066\r\x07"
FULL, CLOSED = ">/dev/full", ">&-"


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "book.sqlite"
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(path))
    assert program("new", "dudo", "Ana", "Ben").code == 0
    return path


def shell(line: str) -> subprocess.CompletedProcess[str]:
    command = line.replace("scorekeeper", PROGRAM)
    return subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True,
                          check=False)  # fmt: skip


def log() -> list[str]:
    return [row["entry"] for row in program("status", "--log", "--format", "json").data]


# --- an output that cannot be written


@pytest.mark.parametrize("where", [FULL, CLOSED])
@pytest.mark.parametrize(
    "command",
    ["export", "export --format json", "status", "matches", "legal", "score", "sheet", "stats",
     "rules show dudo", "rules list", "judge 1x2", "check-book", "--help", "record --help",
     "table </dev/null", "record note </dev/null", "odds 1x2"],
)  # fmt: skip
def test_an_output_that_cannot_be_written_is_one_line_and_exit_3(
    book: Path, command: str, where: str
) -> None:
    done = shell(f"scorekeeper {command} {where}")
    lines = [line for line in done.stderr.splitlines() if not line.startswith("match 1: Dudo")]
    assert (done.returncode, len(lines)) == (3, 1), done.stderr
    assert lines[0].startswith("scorekeeper: standard output cannot be written: ")


@pytest.mark.parametrize("where", [FULL, CLOSED, "| true", "| head -1"])
def test_what_was_recorded_stays_recorded_and_all_of_it_is(book: Path, where: str) -> None:
    notes = [f"note {number} {'x' * 200}" for number in range(60)]
    (book.parent / "lines").write_text("\n".join(notes))
    done = shell(f"scorekeeper record <{book.parent}/lines {where}")
    assert "Traceback" not in done.stderr
    assert log() == notes
    assert shell(f"scorekeeper record 1x2 {where}").stderr.count("\n") < 3
    assert log()[-1] == "Ana: 1x2"


@pytest.mark.parametrize("command", ["export", "rules show dudo", "--help", "status"])
def test_a_reader_who_went_away_is_no_failure(book: Path, command: str) -> None:
    done = shell(f"set -o pipefail; scorekeeper {command} | true")
    assert done.returncode == 0
    assert not [line for line in done.stderr.splitlines() if not line.startswith("match 1")]


def test_nobody_needs_to_hear_the_talk(book: Path) -> None:
    for where in ("2>/dev/full", "2>&-"):
        done = shell(f"scorekeeper record 'note {where[-4:]}' {where}")
        assert (done.returncode, done.stdout.splitlines()[0][:4]) == (0, "note"), where
    assert len(log()) == 2


def test_a_closed_input_is_an_empty_one(book: Path) -> None:
    for command in ("record", "table", "status", "judge 1x2"):
        done = shell(f"scorekeeper {command} <&-")
        assert (done.returncode, "Traceback" in done.stderr) == (0, False), command


# --- no control characters reach the terminal


def harmless(text: str) -> bool:
    return all(char.isprintable() or char == "\n" for char in text)


def test_what_cannot_be_seen_is_shown_as_an_escape() -> None:
    assert escape_controls("Ana: ♥10 王") == "Ana: ♥10 王"
    assert (
        escape_controls("a\x1b[31m\n\tb\u202e\x9b\U000e0001")
        == r"a\u001b[31m\n\tb\u202e\u009b\U000e0001"
    )
    assert escape_lines("a\n\tb\r\n") == "a\n\tb\\r\n"


@pytest.mark.parametrize("text", [BAD, "plain", "a\tb\nc", "\U000e0001 \U0001f642 é"])
def test_what_is_escaped_in_json_and_toml_is_read_back_as_it_was(text: str) -> None:
    from tomli_w import dumps

    assert json.loads(format_json({"a": [text]})) == {"a": [text]}
    assert harmless(format_json(text))
    toml = escape_lines(dumps({"a": text, text: {"b": text}}, multiline_strings=True))
    assert tomllib.loads(toml) == {"a": text, text: {"b": text}}


def ruleset(folder: Path, head: str, rest: str = "") -> str:
    path = folder / "own.toml"
    path.write_text(f'extends = "dudo"\n{head}\n{rest}', "utf-8")
    return str(path)


def title(folder: Path) -> str:
    said = json.dumps(f"T{BAD}\nmatch 9: false\t.")
    return ruleset(folder, f"title = {said}")


def unknown(folder: Path) -> str:
    return ruleset(folder, f"{json.dumps('k' + BAD)} = 1", f"[clauses.{json.dumps(BAD)}]\nword = 1")


COMMANDS: list[Callable[[Path], list[str]]] = [
    lambda folder: ["rules", "check", unknown(folder)],
    lambda folder: ["rules", "check", unknown(folder), "--format", "json"],
    lambda folder: ["rules", "check", f"no{BAD}"],
    lambda folder: ["rules", "show", title(folder)],
    lambda folder: ["rules", "show", title(folder), "--format", "json"],
    lambda folder: ["rules", "explain", f"x{BAD}", "--ruleset", "dudo"],
    lambda folder: ["new", title(folder), "Ana", "Ben"],
    lambda folder: ["new", "dudo", "Ana", f"B{BAD}"],
    lambda folder: ["new", "dudo", "Ana", "Ben", "--set", f"a{BAD}=1"],
    lambda folder: ["record", f"Ana: {BAD}", "--match", "1"],
    lambda folder: ["judge", f"note {BAD}"],
    lambda folder: ["status", "--match", f"x{BAD}"],
    lambda folder: ["status", f"--x{BAD}"],
    lambda folder: ["amend", f"1{BAD}", "x"],
    lambda folder: ["verify", f"{folder}/no{BAD}"],
    lambda folder: ["verify", f"{folder}/no{BAD}", "--format", "json"],
    lambda folder: ["import", f"{folder}/no{BAD}"],
    lambda folder: ["export", "--to", f"{folder}/no{BAD}/x"],
    lambda folder: ["export", f"x{BAD}"],
    lambda folder: ["sheet", "--to", f"{folder}/s{BAD}"],
    lambda folder: ["status", "--book", f"{folder}/b{BAD}"],
    lambda folder: ["check-book", "--book", f"{folder}/b{BAD}"],
    lambda folder: ["odds", f"1x{BAD}", "--ruleset", "dudo"],
    lambda folder: ["table", f"{BAD}"],
    lambda folder: [f"no{BAD}"],
]


@pytest.mark.parametrize("made", COMMANDS, ids=lambda made: str(COMMANDS.index(made)))
def test_nothing_that_is_printed_steers_the_terminal(
    book: Path, tmp_path: Path, made: Callable[[Path], list[str]]
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "scorekeeper", *made(tmp_path)],
        cwd=ROOT, capture_output=True, stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    for said in (done.stdout, done.stderr):
        assert harmless(said.decode()), said
    assert b"Traceback" not in done.stderr


def test_a_title_of_two_lines_stays_in_its_line(book: Path, tmp_path: Path) -> None:
    assert program("new", title(tmp_path), "Ana", "Ben").code == 0
    for command in (["status"], ["record", "1x2"], ["table", "--plain"], ["legal"], ["export"],
                    ["score"], ["sheet"], ["stats"], ["undo"], ["export", "--format", "csv"],
                    ["export", "--format", "json"], ["sheet", "--format", "html"]):  # fmt: skip
        answer = program(*command)
        assert answer.code == 0, command
        for said in (answer.out, answer.err):
            assert harmless(said.replace("\t", "")), (command, said)
            assert not [line for line in said.splitlines() if line.startswith("match 9")], command


def test_a_place_from_a_record_is_shown_harmless_and_kept_as_it_was(
    book: Path, tmp_path: Path
) -> None:
    record = tmp_path / "record.toml"
    place = json.dumps(f"p{BAD}")
    record.write_text(
        f'format = 2\nruleset = "dudo"\nplayers = ["Ana", "Ben"]\nplace = {place}\n', "utf-8"
    )
    assert program("import", str(record)).code == 0
    exported = program("export", "2")
    assert harmless(exported.out)
    assert tomllib.loads(exported.out)["place"] == f"p{BAD}"
    for command in (["matches"], ["sheet", "--match", "2"], ["matches", "--format", "json"],
                    ["export", "2", "--format", "csv"]):  # fmt: skip
        assert harmless(program(*command).out), command


def test_the_live_table_shows_escapes() -> None:
    from scorekeeper import load_ruleset
    from scorekeeper.cli.screen import Painter
    from scorekeeper.notation import Notation

    painter = Painter(Notation(load_ruleset("durak").lexicon, ["Ana", "Ben"]))
    for line in painter.lines(f"note {BAD} 6C", "", 60):
        assert all(harmless(text) for _, text in line)


@pytest.mark.skipif(os.name != "posix", reason="links and devices are told of as they are here")
def test_a_file_is_replaced_through_its_link_and_keeps_its_readers(
    book: Path, tmp_path: Path
) -> None:
    target, link = tmp_path / "mine.txt", tmp_path / "link.txt"
    target.write_text("Durak\nMatch: 7\n", "utf-8")  # an older sheet
    target.chmod(0o600)
    link.symlink_to(target)
    assert program("sheet", "--to", str(link)).code == 0
    assert link.is_symlink()
    assert target.read_text("utf-8").startswith("Dudo")
    assert target.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in sorted(tmp_path.glob("*.txt*"))] == ["link.txt", "mine.txt"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is full")
def test_a_device_is_written_into_and_never_replaced(book: Path) -> None:
    answer = program("sheet", "--to", "/dev/full")
    assert answer.code == 3
    assert "/dev/full cannot be written: " in answer.err
    assert Path("/dev/full").is_char_device()
    assert program("sheet", "--to", os.devnull).code == 0
    assert Path(os.devnull).is_char_device()
