"""The recipes of the cookbook are true: each makes a ruleset that plays and judges as it says.

A recipe is a heading, the lines of a ruleset, and text that ends with the ruleset to be changed.
The entries in this text are recorded in order. An entry before “is refused”, “is open”, “is
allowed” and so on is judged instead. After “gives” are the scores of the round.
"""

from __future__ import annotations

import re
import tomllib
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import pytest

from scorekeeper import Failure, Impossible, Match, Unreadable, load_ruleset
from scorekeeper.engine.loading import check
from scorekeeper.match.trial import list_player_counts, play_matches
from tests.guide import COOKBOOK, TUTORIAL
from tests.test_guide import lay_out, snippets

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TEXT = COOKBOOK.read_text("utf-8")
RECIPE = re.compile(
    r"^### (?P<title>.+)\n```toml\n(?P<rows>[^`]*?)^```\n(?P<shown>(?:.+\n)*?.+?)"
    r"\s\(`(?P<base>[\w-]+)`\)\n\n",
    re.M,
)
CODE = re.compile(r"`([^`]+)`")
VERDICT = re.compile(r"(?:is|are) (refused|impossible|unreadable|open|allowed|noted)\b")
SCORE = re.compile(r"(\w+) (-?\d+)")
NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eve", "Finn")
TRIALS = (2, 8, 30)  # matches to be played until all rows of a recipe have applied


class Recipe(NamedTuple):
    """A recipe: its sentence, the ruleset that it extends, its rows, and what they judge."""

    title: str
    base: str
    rows: str
    shown: str

    def steps(self) -> Iterator[tuple[str, str]]:
        """Yield the entries and scores of the last lines, each with what becomes of it.

        Sentences without a verdict or scores have no entries.
        """
        shown = " ".join(self.shown.split())
        entries = CODE.findall(shown)
        for sentence in re.split(r"[.;:](?:\s|$)", CODE.sub("`", shown)):
            parts = re.split(r"(`)", sentence)
            is_played = VERDICT.search(sentence) or " gives " in sentence
            for number, part in enumerate(parts):
                if part == "`":
                    entry = entries.pop(0)
                    after = "".join(parts[number + 1 : number + 2])
                    judged = VERDICT.match(after.strip())
                    if judged:
                        yield judged[1], entry
                    elif is_played:
                        yield "recorded", entry
                    if after.startswith(" gives "):
                        yield "scores", after


RECIPES = [Recipe(**each.groupdict()) for each in RECIPE.finditer(TEXT)]
by_title = pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.title)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Provide a folder of rulesets that holds the game of the tutorial."""
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    lay_out(tmp_path, snippets(TUTORIAL.read_text("utf-8")))
    return tmp_path


def write(recipe: Recipe, folder: Path) -> None:
    head = f'extends = "{recipe.base}"\nname = "changed"\ntitle = "Changed"\n'
    (folder / "changed.toml").write_text(head + recipe.rows, "utf-8")


def test_every_block_is_a_recipe() -> None:
    assert len(RECIPES) > 100
    assert len(RECIPES) == len(re.findall(r"^### ", TEXT, re.M)) == TEXT.count("\n```toml\n")
    assert len({recipe.title for recipe in RECIPES}) == len(RECIPES)


def test_the_index_names_every_recipe() -> None:
    rows = re.findall(r"^- \*\*(.+)\*\*: (.+)$", TEXT, re.M)
    subjects = [subject.lower() for subject, _ in rows]
    assert subjects == sorted(subjects)
    linked = {link for _, links in rows for link in re.findall(r"\(#(.+?)\)", links)}
    assert linked == {re.sub(r"[^\w -]", "", r.title).lower().replace(" ", "-") for r in RECIPES}


def applied_codes(recipe: Recipe) -> set[str]:
    """Return the codes of the rows that the recipe brings, as the notes of a trial name them.

    Clauses are left out if the recipe shows an entry that they refuse.
    """
    tables = tomllib.loads(recipe.rows)
    if "is refused" in recipe.shown:
        tables.pop("clauses", None)
    return {
        f"{table}.{name}"
        for table in ("clauses", "scores", "specials", "calls", "outcomes")
        for name, row in (tables.get(table) or {}).items()
        if row is not False and name not in ("defaults", "cite")
    }


def unused_codes(rules: str, recipe: Recipe, matches: int) -> set[str]:
    """Play random matches, and return the codes of the recipe's rows that never applied."""
    trial = play_matches(load_ruleset(rules), matches, 1, Random)
    assert [trouble.message for trouble, _ in trial.problems] == []
    never = {note.partition(" ")[0] for note in trial.notes if " never applied" in note}
    return never & applied_codes(recipe)


@by_title
def test_a_recipe_plays_and_its_rows_apply(recipe: Recipe, folder: Path) -> None:
    write(recipe, folder)
    assert [str(fault) for fault in check("changed")[2]] == []
    assert any(not unused_codes("changed", recipe, matches) for matches in TRIALS)


def seated(rules: str) -> Match:
    """Return a match of as many players as the ruleset allows, if it can be, of four."""
    ruleset = load_ruleset(rules)
    counts = list_player_counts(ruleset)
    return Match(ruleset, NAMES[: 4 if 4 in counts else counts[-1]])


def verdict_on(match: Match, entry: str) -> str:
    """Return the word of the cookbook for the verdict on an entry."""
    try:
        ruling = match.judge(entry)
    except Impossible:
        return "impossible"
    except Unreadable:
        return "unreadable"
    if ruling.verdict == "illegal":
        return "refused"
    if ruling.verdict == "legal":
        return "noted" if ruling.findings else "allowed"
    return ruling.verdict


def outcomes(recipe: Recipe, rules: str) -> Iterator[tuple[str, str, object, object]]:
    """Yield what is judged in a recipe, with its word or scores and those under these rules."""
    match = seated(rules)
    for said, text in recipe.steps():
        if said == "recorded":
            match.record(text)
        elif said == "scores":
            changes = [*match.review()][-1].summary["changes"] or {}
            scores = {name: int(number) for name, number in SCORE.findall(text)}
            yield text, said, scores, {name: changes.get(name) for name in scores}
        else:
            yield text, said, said, verdict_on(match, text)


@by_title
def test_a_recipe_judges_what_it_says(recipe: Recipe, folder: Path) -> None:
    write(recipe, folder)
    for text, _, expected, found in outcomes(recipe, "changed"):
        assert found == expected, text


JUDGING = [recipe for recipe in RECIPES if any(said != "recorded" for said, _ in recipe.steps())]


@pytest.mark.parametrize("recipe", JUDGING, ids=lambda recipe: recipe.title)
def test_without_the_recipe_something_else_is_judged(recipe: Recipe) -> None:
    try:
        same = all(expected == found for _, _, expected, found in outcomes(recipe, recipe.base))
    except Failure:
        same = False
    assert not same


def test_most_recipes_show_what_they_judge() -> None:
    assert len(JUDGING) > 60
