"""Generated installation files: the manual page and the shell completion, both made from the
commands."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from scorekeeper.cli.app import COMMANDS, PLAYERS, RULES
from scorekeeper.cli.install import manual
from tests.helpers import program

SHELLS = {
    "bash": "share/bash-completion/completions/scorekeeper",
    "zsh": "share/zsh/site-functions/_scorekeeper",
    "fish": "share/fish/vendor_completions.d/scorekeeper.fish",
}


@pytest.mark.parametrize("shell", SHELLS)
def test_page_and_completion_are_written_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shell: str
) -> None:
    monkeypatch.setenv("SHELL", f"/usr/bin/{shell}")
    answer = program("install", "--to", str(tmp_path))
    script, page = tmp_path / SHELLS[shell], tmp_path / "share/man/man1/scorekeeper.1"
    assert answer.code == 0
    assert str(script) in answer.out
    assert str(page) in answer.out
    assert page.read_text("ascii") == manual()
    assert "_SCOREKEEPER_COMPLETE" in script.read_text("utf-8")
    told = program("install", "--to", str(tmp_path), "--shell", shell, "--format", "json")
    assert told.data == {"manual": str(page), "completion": str(script), "shell": shell}


def test_what_cannot_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "share").write_text("", "utf-8")
    answer = program("install", "--to", str(tmp_path), "--shell", "bash")
    assert (answer.code, "cannot be created" in answer.err) == (3, True)
    monkeypatch.setenv("SHELL", "/bin/csh")
    answer = program("install", "--to", str(tmp_path / "other"))
    assert (answer.code, "no completion for csh" in answer.err) == (2, True)


def test_the_page_has_every_command_and_its_options() -> None:
    page = manual()
    words = [*COMMANDS, *(f"rules {name}" for name in RULES), *(f"players {n}" for n in PLAYERS)]
    for name in words:
        assert f".SS {name}".replace("-", "\\-") in page, name
    for option in ("\\-\\-replace", "\\-\\-date DATE", "\\-\\-hands\\-hidden", "text|json"):
        assert option in page
    assert page.isascii()


@pytest.mark.skipif(shutil.which("groff") is None, reason="nothing here sets manual pages")
def test_it_is_set_without_a_warning(tmp_path: Path) -> None:
    page = tmp_path / "scorekeeper.1"
    page.write_text(manual(), "ascii")
    done = subprocess.run(
        ["groff", "-man", "-ww", "-Tutf8", "-P-cbou", str(page)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    assert "EXIT STATUS" in done.stdout
    assert "scorekeeper new dudo Ana Ben Cleo" in " ".join(done.stdout.split())


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
def test_bash_takes_the_completion(tmp_path: Path) -> None:
    program("install", "--to", str(tmp_path), "--shell", "bash")
    script = tmp_path / SHELLS["bash"]
    code = f"source {script}; complete -p scorekeeper"
    done = subprocess.run(["bash", "-c", code], capture_output=True, text=True, check=True)
    assert "_scorekeeper_completion" in done.stdout
