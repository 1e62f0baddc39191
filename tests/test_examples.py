"""The examples in `docs/examples` run, and their output equals the files stored there.

`python -m tests.test_examples` writes the output again; look at the change before you commit it.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from scorekeeper.engine.loading import check

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "docs" / "examples"
RULESETS = sorted((EXAMPLES / "rulesets").glob("*.toml"))
SCRIPTS = sorted([*EXAMPLES.glob("*.sh"), *EXAMPLES.glob("*.py")])
DATE = re.compile(r"\b\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d)?Z?)?")
GAMES = {"dudo", "durak", "doppelkopf", "da-ban"}


def expected(script: Path) -> Path:
    """Return the path of the file with a script's expected output."""
    return script.with_suffix(".txt")


def environment(folder: Path) -> dict[str, str]:
    """Return the environment of a user without a book or rulesets, whose `scorekeeper` is this
    checkout."""
    program = folder / "bin" / "scorekeeper"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m scorekeeper "$@"\n')
    program.chmod(0o755)
    own = ("SCOREKEEPER_", "PYTHON")  # whatever this user has set
    return {key: value for key, value in os.environ.items() if not key.startswith(own)} | {
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "PYTHONIOENCODING": "utf-8",
        "LC_ALL": "C.UTF-8",
        "NO_COLOR": "1",
        "HOME": str(folder),
        "XDG_DATA_HOME": str(folder),
        "TMPDIR": str(folder),
        "SCOREKEEPER_BOOK": str(folder / "book.sqlite"),
    }


def transcript(script: Path, folder: Path) -> str:
    """Return the output of a script without dates, both streams in order.

    For a shell script the commands are included.
    """
    shell = ["bash", "-euvo", "pipefail"]
    command = shell if script.suffix == ".sh" else [sys.executable]
    result = subprocess.run(
        [*command, str(script)],
        cwd=folder,
        env=environment(folder),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=300,
        check=False,
    )
    text = result.stdout.decode("utf-8")
    assert result.returncode == 0, text
    return DATE.sub("DATE", text)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_an_example_prints_what_stands_beside_it(script: Path, tmp_path: Path) -> None:
    assert transcript(script, tmp_path) == expected(script).read_text("utf-8")
    left = {path.name for path in tmp_path.iterdir()}
    assert left <= {"bin"}, "an example keeps to a folder and a book of its own"


def test_every_game_has_an_evening() -> None:
    assert {script.stem for script in SCRIPTS} >= GAMES


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.name)
def test_a_ruleset_of_the_examples_has_no_mistake(
    ruleset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(ruleset.parent))
    assert check(str(ruleset))[2] == []


def test_the_page_lists_every_example() -> None:
    page = (EXAMPLES / "README.md").read_text("utf-8")
    assert [path.name for path in (*SCRIPTS, *RULESETS) if f"{path.name})" not in page] == []


def test_every_output_belongs_to_an_example() -> None:
    evenings = set(EXAMPLES.glob("evening-*.txt"))  # of tests/evenings.py
    assert set(EXAMPLES.glob("*.txt")) - evenings == set(map(expected, SCRIPTS))


if __name__ == "__main__":
    for each in SCRIPTS:
        with TemporaryDirectory() as name:
            expected(each).write_text(transcript(each, Path(name)), "utf-8")
