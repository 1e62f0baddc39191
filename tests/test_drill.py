"""The recovery drill of docs/backups.md as a user types it: damage, rescue, restore."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.helpers import Answer, program

DOCS = Path(__file__).parent.parent / "docs"


def test_the_drill_brings_both_evenings_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (drill,) = re.findall(
        r"<!-- drill -->\n```sh\n(.*?)```", (DOCS / "backups.md").read_text("utf-8"), re.S
    )
    monkeypatch.chdir(tmp_path)
    answers: list[tuple[str, Answer]] = []
    for line in filter(None, drill.splitlines()):
        first, *arguments = shlex.split(line, comments=True)
        if first == "export":
            monkeypatch.setenv(*arguments[0].split("=", 1))
        elif first == "scorekeeper":
            answers.append((line, program(*arguments)))
        else:
            subprocess.run(line, shell=True, check=True)
    for line, answer in answers:
        assert answer.code == (3 if "# exit code 3" in line else 0), (line, answer)
    said = dict(answers)
    looked, whole, listed = list(said.values())[-6], list(said.values())[-2], answers[-1][1]
    assert looked.out.startswith("match 1: row 1 of the log is damaged; its text is “Ana: 9x4”\n")
    assert whole.out == "drill.sqlite: 2 matches, 2 intact\n"
    assert [line.split()[3] for line in listed.out.splitlines()] == ["dudo:", "durak:"]
    assert "Ana: 3x4" in program("export", "1").out
    assert program("verify", "1", "2").code == 0


def test_every_promise_has_tests_that_are_there() -> None:
    page = (DOCS / "threats.md").read_text("utf-8")
    rows = [line for line in page.splitlines() if re.match(r"\| (?!promised)[^-]", line)]
    assert len(rows) > 15
    for row in rows:
        held = re.findall(r"`(test_\w+\.py)`", row.rstrip(" |").rpartition("|")[2])
        assert held, row
        for name in held:
            assert (Path(__file__).parent / name).is_file(), name
