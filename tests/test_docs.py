"""The documentation is true: its examples run, and it leaves out no part of the program."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import typer

from scorekeeper import __version__, verify_record
from scorekeeper.cli.app import build
from scorekeeper.cli.common import DAMAGED, FINE, INTERRUPTED, LOCKED, REFUSED, UNREADABLE
from tests import guide
from tests.helpers import SHIPPED, program

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
README = (ROOT / "README.md").read_text("utf-8")
COMMAND_PAGE = (DOCS / "commands.md").read_text("utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
PAGES = [ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "SECURITY", "CHANGELOG")]
PAGES += [*guide.BOOKS, *sorted(DOCS.rglob("*.md"))]
# Commands that users type are run. The page on the architecture has a separate test.
USED = [ROOT / "README.md", *sorted(set(DOCS.glob("*.md")) - {DOCS / "architecture.md"})]
TYPED = [page for page in USED if re.search(r"(?<!-->\n)```sh\n", page.read_text("utf-8"))]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
SHARED = {"--language", "--book", "--match", "--format", "--help", "-h"}


@pytest.fixture(autouse=True)
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Provide an empty folder and an empty book."""
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    monkeypatch.chdir(tmp_path)


def blocks(text: str, language: str) -> list[str]:
    """Return the code blocks of a language, without those that follow a marker."""
    found = re.findall(rf"(<!-- \w+ -->\n)?```{language}\n(.*?)```", text, re.S)
    return [block for marker, block in found if not marker]


def commands() -> Iterator[tuple[str, Any]]:
    """Yield every command by its words (`rules list`)."""
    program_ = typer.main.get_command(build())
    assert hasattr(program_, "commands")
    for name, command in program_.commands.items():
        if hasattr(command, "commands"):
            for inner, each in command.commands.items():
                yield f"{name} {inner}", each
        elif not command.hidden:
            yield name, command


COMMANDS = dict(commands())


def lines_of(page: Path) -> list[str]:
    """Return the lines that a page asks its reader to type, in order."""
    found = blocks(page.read_text("utf-8"), "sh")
    return [line for block in found for line in block.strip().splitlines()]


@pytest.mark.usefixtures("left_at_once")
@pytest.mark.parametrize("page", TYPED, ids=lambda page: page.stem)
def test_the_commands_of_a_page_run(page: Path) -> None:
    for line in lines_of(page):
        first, *arguments = shlex.split(line, comments=True)
        assert first == "scorekeeper", line
        answer = program(*arguments)
        assert answer.code == (1 if "# refused" in line else 0), (line, answer)


def test_there_are_commands_to_run() -> None:
    assert len(lines_of(ROOT / "README.md")) > 15
    assert sum(len(lines_of(page)) for page in TYPED) > 45


def test_the_first_page_says_what_it_is_in_four_lines_and_an_evening_in_five() -> None:
    assert len(README.split("\n\n")[1].splitlines()) == 4
    evenings = [block.strip().splitlines() for block in blocks(README, "sh")]
    assert [len(lines) for lines in evenings] == [5, 5, 5, 5]
    begun = [shlex.split(lines[0])[:3] for lines in evenings]
    assert begun == [["scorekeeper", "new", g] for g in ("doppelkopf", "durak", "dudo", "da-ban")]


def test_it_is_installed_with_extras_that_there_are() -> None:
    (block,) = re.findall(r"<!-- install -->\n```sh\n(.*?)```", README, re.S)
    lines = [shlex.split(line, comments=True) for line in block.strip().splitlines()]
    assert [line[0] for line in lines] == ["pipx", "uv", "python3"]
    for line in lines:
        asked = re.fullmatch(r"\.\[(.*)\]", line[-1])
        assert asked, line
        assert set(asked[1].split(",")) <= set(PROJECT["optional-dependencies"])


def test_every_extra_is_documented() -> None:
    pages = README + CONTRIBUTING + (DOCS / "figures.md").read_text("utf-8")
    for extra in PROJECT["optional-dependencies"]:
        assert f"`{extra}`" in pages, extra


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


def test_the_python_of_the_pages_runs(capsys: pytest.CaptureFixture[str]) -> None:
    for page in USED:
        for block in blocks(page.read_text("utf-8"), "python"):
            exec(compile(block, page.name, "exec"), {})
    assert "bids.same-or-lower-face 2.3" in capsys.readouterr().out


def test_the_record_of_the_pages_verifies(tmp_path: Path) -> None:
    (record,) = [block for page in USED for block in blocks(page.read_text("utf-8"), "toml")]
    path = tmp_path / "record.toml"
    path.write_text(record, "utf-8")
    assert verify_record(path)["findings"] == []


@pytest.fixture
def left_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make commands that run until they are interrupted end at once."""
    monkeypatch.setattr("uvicorn.Server.run", lambda *arguments, **options: None)


@pytest.mark.usefixtures("left_at_once")
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
    """Return the table row about a command."""
    rows = [line for line in COMMAND_PAGE.splitlines() if re.match(rf"\| `{name}[ `]", line)]
    assert len(rows) == 1, f"docs/commands.md has {len(rows)} rows about {name}"
    return rows[0]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_has_its_row(name: str) -> None:
    row = row_of(name)
    options = {o for p in COMMANDS[name].params for o in p.opts if o.startswith("-")}
    assert [option for option in sorted(options - SHARED) if f"`{option}" not in row] == []


def test_there_are_rows_about_commands_that_there_are() -> None:
    rows = re.findall(r"^\| `([a-z][a-z -]*?)(?: \[?[A-Z][^`]*)?` \|", COMMAND_PAGE, re.M)
    assert sorted(rows) == sorted(COMMANDS)


def test_what_the_commands_share_stands_beside_them() -> None:
    for option in (*SHARED, "--install-completion", "--show-completion"):
        assert f"`{option}" in COMMAND_PAGE, option


def test_every_exit_code_has_its_row() -> None:
    page = (DOCS / "exit-codes.md").read_text("utf-8")
    codes = {FINE, REFUSED, UNREADABLE, DAMAGED, LOCKED, INTERRUPTED}
    assert {int(code) for code in re.findall(r"^\| (\d+) \|", page, re.M)} == codes


def test_every_shipped_ruleset_stands_in_the_list() -> None:
    page = (DOCS / "rulesets.md").read_text("utf-8")
    for name in SHIPPED:
        assert f"`{name}`" in page, name


def test_every_page_is_listed() -> None:
    listed = (DOCS / "README.md").read_text("utf-8")
    assert [page.name for page in DOCS.glob("*.md") if f"({page.name})" not in listed] == [
        "README.md"
    ]


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as links name them."""
    said = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.M)
    plain = (re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading) for heading in said)
    return {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in plain}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)]+)\)", page.read_text("utf-8")):
        if not target.startswith("http"):
            name, _, heading = target.partition("#")
            other = (page.parent / name).resolve() if name else page
            assert other.exists(), target
            assert not heading or heading in anchors(other), target


def checks() -> list[str]:
    """Return the style and type checks, which are the commands at the end of `.ci/run`."""
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
    assert some.startswith(f"{everything} -n0 tests/")
    path, _, word = some.removeprefix(f"{everything} -n0 ").partition(" -k ")
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
    assert guide.reference() == guide.REFERENCE.read_text("utf-8")
