"""Commands over many files: several processes give the same results as one, and interruptions are
handled.

The tests run real processes, for signals.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from scorekeeper import Damaged, load_ruleset
from scorekeeper.cli import output
from scorekeeper.engine import loading
from scorekeeper.engine.ruleset import pinned
from tests.helpers import program

ROOT = Path(__file__).parent.parent
RECORDS = sorted((Path(__file__).parent / "records").glob("*.toml"))
EVENING = str(max(RECORDS, key=lambda path: path.stat().st_size))
VERIFY = [sys.executable, "-m", "scorekeeper", "verify"]
children_listed = pytest.mark.skipif(
    not Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").exists(),
    reason="this system lists no children",
)


def verified(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*VERIFY, *arguments], capture_output=True, check=False, timeout=120)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Return the paths of records of several games: one is no record, one is cut off, one has a
    fault."""
    broken, cut, wrong = (str(tmp_path / f"{name}.toml") for name in ("broken", "cut", "wrong"))
    text = Path(EVENING).read_text("utf-8")
    Path(broken).write_bytes(b"\xff\xfe")
    Path(cut).write_text(text[: len(text) // 2], "utf-8")
    Path(wrong).write_text(
        'format = 2\nruleset = "dudo"\nplayers = ["Ana", "Ben"]\n\n'
        '[[rounds]]\nentries = """\nAna: 2x3\nAna: 2x4\n"""\n'
    )
    others = [str(path) for path in RECORDS]
    return [*others, broken, cut, wrong, str(tmp_path / "nothing"), *others[:3]]


@pytest.mark.parametrize("format", ["text", "json"])
def test_several_processes_say_what_one_says(files: list[str], format: str) -> None:
    one = verified("--format", format, "--jobs", "1", *files)
    assert one.returncode == 1
    assert one.stderr == b""
    for jobs in ("2", "5"):
        several = verified("--format", format, "--jobs", jobs, *files)
        assert (several.returncode, several.stderr) == (1, b"")
        assert several.stdout == one.stdout


def test_reports_stand_in_the_order_of_the_files(files: list[str]) -> None:
    reports = json.loads(verified("--format", "json", "--jobs", "2", *files).stdout)
    assert [report["file"] for report in reports] == files
    at_fault = {os.path.basename(report["file"]) for report in reports if not report["ok"]}
    assert at_fault >= {"broken.toml", "cut.toml", "wrong.toml", "nothing"}


ANYHOW = f"""
import sys
from scorekeeper.cli import main
from scorekeeper.store import pool
jobs = []
{{changed}}
sys.argv = ["scorekeeper", "verify", *jobs, *[{EVENING!r}] * 12]
main()
"""


@pytest.mark.parametrize(
    "changed",
    [
        "pool.FIRST_WHILE = pool.WORTH = 0.0; pool._cores = lambda: 2",
        "import _multiprocessing; del _multiprocessing.SemLock; jobs = ['--jobs', '2']",
        "import os; os.fork = lambda: open('/none'); jobs = ['--jobs', '2']",
    ],
    ids=["worth it", "no pool to be had", "no process to be had"],
)
@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes begin otherwise here")
def test_whoever_works_says_the_same(changed: str) -> None:
    code = ANYHOW.replace("{changed}", changed)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == program("verify", "--jobs", "1", *[EVENING] * 12).out


def test_no_process_is_no_number_of_processes() -> None:
    assert program("verify", EVENING, "--jobs", "0").code == 2


# --- interrupted commands


def children(pid: int) -> list[int]:
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except FileNotFoundError:
        return []


def alive(pid: int) -> bool:
    """Return whether a process runs; one that ended but was not waited for does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def wait_until_gone(pids: list[int]) -> None:
    end = time.monotonic() + 30
    while any(map(alive, pids)):
        assert time.monotonic() < end, "a process is left behind"
        time.sleep(0.01)


LONG = f"""
import sys
from scorekeeper.cli import main
sys.argv = ["scorekeeper", "verify", "--jobs", "2", *[{EVENING!r}] * 10_000]
main()
"""


class Running:
    """A long command with its two worker processes, and its output so far."""

    def __init__(self, output: Path) -> None:
        with output.open("wb") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-c", LONG],
                stdout=out, stderr=subprocess.PIPE, start_new_session=True,
            )  # fmt: skip
        end = time.monotonic() + 30
        while len(children(self.process.pid)) < 2 or not output.stat().st_size:
            assert self.process.poll() is None
            assert time.monotonic() < end
            time.sleep(0.01)
        self.workers = children(self.process.pid)

    def ended(self) -> tuple[int, str]:
        _, told = self.process.communicate(timeout=30)
        wait_until_gone(self.workers)
        return self.process.returncode, told.decode()


@children_listed
@pytest.mark.parametrize("everybody", [True, False])
def test_an_interrupt_ends_all_of_it_at_once(tmp_path: Path, everybody: bool) -> None:
    running = Running(tmp_path / "out")
    if everybody:  # as a terminal signals the whole process group
        os.killpg(running.process.pid, signal.SIGINT)
    else:
        running.process.send_signal(signal.SIGINT)
    assert running.ended() == (130, "interrupted\n")
    whole = program("verify", EVENING).out
    printed = (tmp_path / "out").read_text()
    assert printed
    assert printed == whole * (len(printed) // len(whole))


@children_listed
def test_a_process_that_was_killed_is_told(tmp_path: Path) -> None:
    running = Running(tmp_path / "out")
    os.kill(running.workers[0], signal.SIGKILL)
    code, told = running.ended()
    assert code == 3
    assert told == ("scorekeeper: one of the worker processes was killed\n  try: --jobs 1\n")


@children_listed
def test_nobody_works_on_for_a_command_that_was_killed(tmp_path: Path) -> None:
    running = Running(tmp_path / "out")
    running.process.kill()
    assert running.ended() == (-signal.SIGKILL, "")


# --- rulesets that change during a command


def test_a_ruleset_that_was_edited_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "rulesets"
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(folder))
    record = tmp_path / "evening.toml"
    record.write_text('format = 2\nruleset = "dudo"\nplayers = ["Ana", "Ben"]\n')

    def scores() -> object:
        (report,) = program("verify", str(record), "--format", "json").data
        return report["scores"]

    assert scores() == {"Ana": 5, "Ben": 5}
    folder.mkdir()
    own = folder / "dudo.toml"
    own.write_text('extends = "dudo"\nname = "dudo"\n[tally]\nstart = 4\n')
    assert scores() == {"Ana": 4, "Ben": 4}
    own.write_text('extends = "dudo"\nname = "dudo"\n[tally]\nstart = 3\n')
    assert scores() == {"Ana": 3, "Ben": 3}
    own.write_text('extends = "dudos"\n')
    assert scores() is None
    own.unlink()
    assert scores() == {"Ana": 5, "Ben": 5}


def test_records_that_bring_the_same_rules_share_them() -> None:
    ruleset = load_ruleset("dudo")
    brought = loading.check_text(ruleset.text, ruleset.sha256)
    assert loading.check_text(ruleset.text) is brought
    with pytest.raises(Damaged):
        loading.check_text(ruleset.text, "0" * 64)
    assert pinned(ruleset.text, "x") is pinned(ruleset.text, "x")


# --- progress


def everything(terminal: int) -> str:
    """Read all that was written to a terminal that has no writers any more."""
    told = b""
    with suppress(OSError):
        while part := os.read(terminal, 10_000):
            told += part
    return told.decode()


def test_a_bar_is_shown_to_who_sits_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "PROGRESS_DELAY", -1.0)
    ours, theirs = os.openpty()
    with open(theirs, "w", closefd=False) as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        assert list(output.progress("abcd", 4, "verified")) == list("abcd")
    os.close(theirs)
    told = everything(ours)
    assert told.startswith("\r\x1b[?25l")
    assert "verified" in told
    assert "100%" in told
    assert told.rstrip().endswith("\x1b[?25h")
