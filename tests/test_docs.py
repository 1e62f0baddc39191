"""What the documentation says is so: its examples run, and nothing is left out of it."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import typer

from scorekeeper import __version__, verify_record
from scorekeeper.cli.commands import build
from tests import guide
from tests.helpers import program

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
GUIDE = (ROOT / "rulesets" / "README.md").read_text("utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
PAGES += [ROOT / "rulesets" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SHARED = {"--language", "--book", "--match", "--format", "--help", "-h"}


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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8")):
        assert target.startswith("http") or (page.parent / target).exists(), target


def checks() -> list[str]:
    """The checks of style and types: the commands that `.ci/run` ends with."""
    last = (ROOT / ".ci" / "run").read_text("utf-8").rstrip().rpartition("\n\n")[2]
    return last.splitlines()


def test_checks_before_a_commit_are_those_of_ci() -> None:
    settings = (ROOT / ".pre-commit-config.yaml").read_text("utf-8")
    assert {line.split()[0] for line in checks()} == {"ruff", "mypy"}
    assert re.findall(r"^ +entry: (.*)$", settings, re.M) == checks()


def test_the_five_commands_to_contribute() -> None:
    (block,) = blocks(CONTRIBUTING, "sh")
    set_up, everything, some, style, table = block.strip().splitlines()
    assert set_up.startswith("python3 -m venv .venv && .venv/bin/pip install -e '.[test,dev]'")
    assert some.startswith(f"{everything} tests/")
    path, _, word = some.removeprefix(f"{everything} ").partition(" -k ")
    assert re.search(rf"^def test_.*{word}", (ROOT / path).read_text("utf-8"), re.M)
    assert style == " && ".join(checks())
    for step in table.split(" && "):
        assert program(*shlex.split(step)[1:]).code == 0, step


def test_the_changelog_has_every_version_with_its_day() -> None:
    headings = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
    assert headings[0] == "Unreleased"
    assert all(re.fullmatch(r"\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d", each) for each in headings[1:])
    assert headings[1].startswith(f"{__version__} - ")


@pytest.mark.parametrize(
    "path", sorted((ROOT / "docs" / "decisions").glob("0*.md")), ids=lambda p: p.stem
)
def test_a_decision_says_why_and_until_when(path: Path) -> None:
    text = path.read_text("utf-8")
    parts = ["Context", "Decision", "Consequences", "What would change our mind"]
    assert re.findall(r"^## (.*)$", text, re.M) == parts
    title = text.partition("\n")[0].removeprefix("# ")
    number, _, name = title.partition(". ")
    assert int(number) == int(path.name[:4])
    assert f"| [{number}]({path.name}) | {name} |" in (path.parent / "README.md").read_text("utf-8")


def test_the_guide_lists_every_word() -> None:
    """Run `python -m tests.guide` after changing a word."""
    assert guide.reference() == guide.written(GUIDE)
