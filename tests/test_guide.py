"""The tutorial for ruleset authors is true.

Its game is built from its own snippets, then checked and played; test_cookbook has the recipes.

`python -m tests.test_guide` writes the output of its commands again; look at the change.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

from scorekeeper import load_ruleset
from scorekeeper.engine.loading import check
from scorekeeper.match.trial import play_matches
from tests.guide import FUNCTIONS, TUTORIAL
from tests.helpers import program

BLOCK = re.compile(r"(?:<!-- (?P<mark>[\w. -]+) -->\n)?```(?P<kind>\w+)\n(?P<text>.*?)```", re.S)
GAME = "mine"


class Snippet(NamedTuple):
    """A piece of the guide: the text of the marker before it, its language, and its text."""

    mark: str
    kind: str
    text: str

    @property
    def title(self) -> str:
        """The name of the snippet in test ids, which is its first row."""
        row = re.search(r"^\[.*\..*\]$", self.text, re.M) or re.search(r"^\S.*$", self.text, re.M)
        return f"{self.mark or self.kind}: {row[0] if row else ''}"


def snippets(text: str) -> list[Snippet]:
    """Return the pieces of the text in order."""
    return [
        Snippet(each["mark"] or "", each["kind"], each["text"]) for each in BLOCK.finditer(text)
    ]


TEXT = TUTORIAL.read_text("utf-8")
ALL = snippets(TEXT)
FILES = [each for each in ALL if each.kind == "toml" and not each.mark]
STEPS = [each for each in ALL if each.kind == "toml" and each.mark == GAME]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Provide a folder of rulesets that holds the guide's game, and an empty book."""
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(tmp_path))
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    monkeypatch.chdir(tmp_path)
    lay_out(tmp_path, ALL)
    return tmp_path


def lay_out(folder: Path, pieces: list[Snippet]) -> None:
    """Write the game that the guide builds, its text, and the other complete files of the guide."""
    (folder / f"{GAME}.toml").write_text(_joined(pieces), "utf-8")
    for piece in pieces:
        if piece.mark.endswith(".md"):
            (folder / piece.mark).write_text(piece.text, "utf-8")
        elif piece.kind == "toml" and not piece.mark:
            name = re.search(r'^name += "(.*)"$', piece.text, re.M)
            assert name, piece.text
            (folder / f"{name[1]}.toml").write_text(piece.text, "utf-8")


def _joined(pieces: list[Snippet]) -> str:
    """Return the file that the game's snippets make.

    A snippet may have more lines for a table that an earlier one has begun.
    """
    tables: dict[str, str] = {}
    for piece in pieces:
        if piece.mark == GAME:
            for part in re.split(r"^(?=\[)", piece.text, flags=re.M):
                heading, _, lines = part.partition("\n") if part[:1] == "[" else ("", "", part)
                tables[heading] = tables.get(heading, "") + lines.rstrip("\n") + "\n"
    return "\n".join(f"{heading}\n{lines}" for heading, lines in tables.items())


def plays_well(name: str, matches: int) -> list[str]:
    """Return the faults that a few random matches find in a ruleset."""
    trial = play_matches(load_ruleset(name), matches, 1, Random)
    return [trouble.message for trouble, _ in trial.problems]


def test_every_snippet_is_tried() -> None:
    assert len(STEPS) > 5
    assert len(FILES) == 1
    tried = {"toml": {*FILES, *STEPS}}
    marks = {"console": "run", "text": f"{GAME}.md"}
    for each in ALL:
        assert each in tried.get(each.kind, ()) or each.mark == marks.get(each.kind), each.title


def test_the_game_can_be_played_from_its_first_score_row_on(folder: Path) -> None:
    first = next(i for i, step in enumerate(STEPS) if "[scores]" in step.text)
    for last in range(first, len(STEPS)):
        (folder / f"{GAME}.toml").write_text(_joined(STEPS[: last + 1]), "utf-8")
        assert check(GAME)[2] == []
        assert plays_well(GAME, 3) == []


def test_all_of_the_game_is_used_within_a_few_matches() -> None:
    trial = play_matches(load_ruleset(GAME), 30, 1, Random)
    assert (trial.problems, trial.notes) == ([], [])


@pytest.mark.parametrize("snippet", FILES, ids=lambda snippet: snippet.title)
def test_whole_files_are_rulesets(snippet: Snippet) -> None:
    (name,) = re.findall(r'^name += "(.*)"$', snippet.text, re.M)
    assert check(name)[2] == []
    assert plays_well(name, 3) == []


# --- tables


def rows_of(heading: str) -> list[list[str]]:
    """Return the rows of the table with that heading, each a list of cells."""
    lines = TEXT.splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith(heading)) + 2
    found = []
    for line in lines[first:]:
        if not line.startswith("|"):
            break
        found.append([cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip("|"))])
    return found


@pytest.mark.parametrize("row", rows_of("| where | `own` is | moment |"), ids=lambda row: row[0])
def test_what_an_expression_speaks_of_there(row: list[str], folder: Path) -> None:
    where, _, _, example = row
    key, value = where.strip("`").rsplit(".", 1)
    head = f'extends = "{GAME}"\nname = "changed"\ntitle = "Changed"\n'
    text = f'{head}[{key}]\n{value} = "{example.strip("`")}"\n'
    (folder / "changed.toml").write_text(text, "utf-8")
    assert check("changed")[2] == []
    assert plays_well("changed", 3) == []


ARGUMENTS = {
    "a number": "rounds",
    "numbers": "rounds, players",
    "a condition": "each.points > 1",
    "cards": "trumps",
    "a heap": "played",
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_takes_and_gives_what_the_reference_says(name: str, folder: Path) -> None:
    takes, gives, doc = FUNCTIONS[name]
    said = "each.points" if takes == "a number" and "loop" in doc else ARGUMENTS[takes]
    call = f"{name}({said})"
    whole = {"a number": f"{call} > 0", "kinds of card": f"count({call}) > 0"}.get(gives, call)
    head = f'extends = "{GAME}"\nname = "changed"\ntitle = "Changed"\n'
    (folder / "changed.toml").write_text(f'{head}[match]\nends = "{whole}"\n', "utf-8")
    assert check("changed")[2] == []


def test_the_commands_of_the_guide_run(folder: Path) -> None:
    listed = [re.findall(r"`(.*?)`", row[0])[0] for row in rows_of("| command | says |")]
    assert len(listed) > 5
    for line in listed:
        answer = program(*shlex.split(line)[1:])
        assert answer.code == 0, (line, answer)


# --- what its commands print


def consoles(text: str) -> str:
    """Return the tutorial with the current output of its commands."""

    def printed(found: re.Match[str]) -> str:
        if found["mark"] != "run":
            return found[0]
        lines = [line for line in found["text"].splitlines() if line.startswith("$ ")]
        body = "".join(f"{line}\n{_answer(line)}" for line in lines)
        return f"<!-- run -->\n```console\n{body}```"

    return BLOCK.sub(printed, text)


def _answer(line: str) -> str:
    first, *arguments = shlex.split(line.removeprefix("$ "))
    assert first == "scorekeeper"
    answer = program(*arguments)
    return answer.out + "".join(
        line for line in answer.err.splitlines(keepends=True) if not line.startswith("match ")
    )


def test_what_its_commands_print_stands_in_the_guide() -> None:
    """Run `python -m tests.test_guide` after changing the output of a command."""
    text = TUTORIAL.read_text("utf-8")
    assert consoles(text) == text


if __name__ == "__main__":
    with TemporaryDirectory() as name:
        lay_out(Path(name), ALL)
        os.environ |= {"SCOREKEEPER_RULESETS": name, "SCOREKEEPER_BOOK": f"{name}/book.sqlite"}
        os.chdir(name)
        TUTORIAL.write_text(consoles(TUTORIAL.read_text("utf-8")), "utf-8")
