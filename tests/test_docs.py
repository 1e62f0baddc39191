"""What the documentation says is so: its examples run, and nothing is left out of it."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import typer

from scorekeeper import verify_record
from scorekeeper.cli.commands import build
from scorekeeper.ruleset.loading import check
from tests import guide
from tests.helpers import program

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
GUIDE = (ROOT / "rulesets" / "README.md").read_text("utf-8")
SHARED = {"--book", "--match", "--format", "--help", "-h"}


@pytest.fixture(autouse=True)
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty folder and a book of its own."""
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    monkeypatch.chdir(tmp_path)


def blocks(text: str, language: str) -> list[str]:
    """The code blocks of a language, those behind a marker apart."""
    found = re.findall(rf"(<!-- \w+ -->\n)?```{language}\n(.*?)```", text, re.S)
    return [block for marker, block in found if not marker]


def commands() -> Iterator[tuple[str, Any]]:
    """Every command by its words (`rules list`)."""
    program_ = typer.main.get_command(build())
    assert hasattr(program_, "commands")
    for name, command in program_.commands.items():
        if hasattr(command, "commands"):
            for inner, each in command.commands.items():
                yield f"{name} {inner}", each
        else:
            yield name, command


COMMANDS = dict(commands())


def test_the_commands_of_the_readme_run() -> None:
    lines = [line for block in blocks(README, "sh") for line in block.strip().splitlines()]
    assert len(lines) > 15
    for line in lines:
        first, *arguments = shlex.split(line, comments=True)
        assert first == "scorekeeper", line
        answer = program(*arguments)
        assert answer.code == (1 if "# refused" in line else 0), (line, answer)


def test_the_first_command_referees_a_round() -> None:
    (marked,) = re.findall(r"<!-- run -->\n```sh\n(.*?)```", README, re.S)
    steps = [step.strip() for step in marked.replace("\\\n", " ").split("&&")]
    assert steps[0].startswith("python3 -m venv .venv")
    assert steps[1].startswith(".venv/bin/pip install")
    Path(".venv").mkdir()
    answers = []
    for step in steps[2:]:
        first, *arguments = shlex.split(step)
        assert first == ".venv/bin/scorekeeper"
        answers.append(program(*arguments))
    assert [answer.code for answer in answers] == [0, 0]
    assert "count 9  [ok]" in answers[-1].out
    assert "to act: J2" in answers[-1].out


def test_the_python_of_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    for block in blocks(README, "python"):
        exec(compile(block, "README.md", "exec"), {})
    assert "bids.same-or-lower-face 2.3" in capsys.readouterr().out


def test_the_record_of_the_readme_verifies(tmp_path: Path) -> None:
    (record,) = blocks(README, "toml")
    path = tmp_path / "record.toml"
    path.write_text(record, "utf-8")
    assert verify_record(path)["findings"] == []


def test_every_helps_example_runs() -> None:
    for _ in range(4):
        assert program("new", "dudo", "Ana", "Ben", "Cleo").code == 0
    examples = {}
    for name, command in COMMANDS.items():
        found = re.search(r"Example: (scorekeeper .*)", command.help or "")
        assert found, f"{name} has no example"
        examples[name] = found[1]
    for name, example in examples.items():
        answer = program(*shlex.split(example)[1:])
        allowed = (0, 1) if name == "judge" else (0,)
        assert answer.code in allowed, (example, answer)


def row_of(name: str) -> str:
    """The README's row about a command."""
    section = README.partition("\n## Commands and options\n")[2].partition("\n## ")[0]
    rows = [line for line in section.splitlines() if re.match(rf"\| `{name}[ `]", line)]
    assert len(rows) == 1, f"README has {len(rows)} rows about {name}"
    return rows[0]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_stands_in_the_readme(name: str) -> None:
    row = row_of(name)
    options = {o for p in COMMANDS[name].params for o in p.opts if o.startswith("-")}
    assert [option for option in sorted(options - SHARED) if f"`{option}" not in row] == []


def test_the_readme_has_rows_about_commands_that_there_are() -> None:
    section = README.partition("\n## Commands and options\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `([a-z][a-z -]*?)(?: \[?[A-Z][^`]*)?` \|", section, re.M)
    assert sorted(rows) == sorted(COMMANDS)


def test_what_the_commands_share_stands_in_the_readme() -> None:
    for option in (*SHARED, "--install-completion", "--show-completion"):
        assert f"`{option}" in README, option


def test_every_shipped_ruleset_stands_in_the_readme() -> None:
    for path in (ROOT / "rulesets").glob("*.toml"):
        assert f"`{path.stem}`" in README, path.stem


def test_links_lead_somewhere() -> None:
    for text, folder in ((README, ROOT), (GUIDE, ROOT / "rulesets")):
        for target in re.findall(r"\]\(([^)#]+)\)", text):
            assert target.startswith("http") or (folder / target).exists(), target


def test_the_guide_lists_every_word() -> None:
    """Run `python -m tests.guide` after changing a word."""
    assert guide.reference() == guide.written(GUIDE)


def test_the_examples_of_the_guide_are_rulesets(tmp_path: Path) -> None:
    whole = 0
    for block in blocks(GUIDE, "toml"):
        data = tomllib.loads(block)
        if "extends" in data:
            path = tmp_path / "example.toml"
            path.write_text(block, "utf-8")
            assert check(str(path))[2] == [], block
            whole += 1
    assert whole == 2
