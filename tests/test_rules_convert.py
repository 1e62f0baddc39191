"""Files of the previous language are rewritten without loss, and rulesets are shown as one file.

`tests/earlier/rulesets` has shipped rulesets as they were in the previous language.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scorekeeper import Match, load_ruleset
from scorekeeper.engine.loading import check
from scorekeeper.ruleset import sources
from tests.helpers import program

FORMER = sorted((Path(__file__).parent / "earlier" / "rulesets").glob("*.toml"))
SHIPPED = [found.name for found in sources.list_rulesets() if found.shipped]
SHOWN = {
    *("languages", "sheet", "statistics", "breakdowns", "history", "source", "title", "called"),
    *("ranking", "figures"),
}
CITES = {"cite", "also", "label", "worth"}


def essence(data: Any) -> Any:
    """Return a ruleset's rules without paragraphs, labels and the names of its clauses."""
    if isinstance(data, dict):
        return {key: essence(value) for key, value in data.items() if key not in CITES}
    if isinstance(data, str):
        return " ".join(data.split())
    return [essence(value) for value in data] if isinstance(data, list) else data


def rules_of(name: str) -> dict[str, Any]:
    ruleset, _, faults = check(name, ())
    assert ruleset is not None, faults
    data = essence({key: value for key, value in ruleset.data.items() if key not in SHOWN})
    rows = data.pop("clauses", {}).items()
    clauses = sorted(json.dumps({"word": name, **row}, sort_keys=True) for name, row in rows)
    words = {word: forms for word, forms in data.pop("words", {}).items() if forms != [word]}
    data.get("pack", {}).pop("suits", None)  # the usual suits may be written or not
    return {**data, "clauses": clauses, "words": words}


def converted(path: Path, to: Path) -> str:
    answer = program("rules", "convert", str(path), "--to", str(to))
    assert answer.code == 0, answer.err
    return str(to)


@pytest.mark.parametrize("path", FORMER, ids=lambda path: path.stem)
def test_a_former_file_has_the_same_rules_after_its_conversion(path: Path, tmp_path: Path) -> None:
    assert rules_of(converted(path, tmp_path / path.name)) == rules_of(path.stem)


def test_a_converted_file_keeps_the_comments_above_tables(tmp_path: Path) -> None:
    path = tmp_path / "old.toml"
    path.write_text(
        '# Our table.\n\nname = "ours"\nlanguage = 3\nextends = "dudo"\n\n'
        "# One die less.\n[tally]\nstart = 4 # of five\n"
    )
    text = Path(converted(path, tmp_path / "new.toml")).read_text()
    assert text.startswith("# Our table.\n")
    assert "# One die less.\n[tally]\nstart = 4\n" in text


def test_measures_and_functions_have_their_present_names(tmp_path: Path) -> None:
    path = tmp_path / "old.toml"
    path.write_text(
        'name = "ours"\nlanguage = 3\nextends = "skat"\n\n[specials.long]\nfor = "declarer"\n'
        'count = "run(declarer.laid) + kitty.cards"\n\n'
        '[clauses.own]\nword = "require"\nphase = "tricks"\non = ["play"]\ncite = "2.1"\n'
        'must = "not own.leads or not trick.leads"\nsay = "kitty.cards are own.leads"\n'
    )
    text = Path(converted(path, tmp_path / "new.toml")).read_text()
    assert "matadors(declarer.laid) + kitty.size" in text
    assert "not own.openers or not trick.leads" in text
    assert "kitty.cards are own.leads" in text  # a sentence is no expression


def test_a_row_that_no_ruleset_has_is_named(tmp_path: Path) -> None:
    path = tmp_path / "old.toml"
    path.write_text('name = "ours"\nlanguage = 3\nextends = "dudo"\n\n[clauses]\nzork = false\n')
    answer = program("rules", "convert", str(path))
    assert (answer.code, answer.err) == (
        1,
        "not converted: clauses.zork; no rule has this name\n",
    )
    assert 'extends  = "dudo"' in answer.out


def test_a_former_file_is_refused_with_the_command_that_converts_it(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_text('name = "ours"\nlanguage = 3\nextends = "dudo"\n')
    answer = program("rules", "check", str(path))
    assert answer.code != 0
    assert f"scorekeeper rules convert {path}" in answer.out + answer.err


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('language = 4\nname = "a"', "is already in the current version of the rule language"),
        ("language = 'x'", "does not state the version of its rule language"),
        ("language = 2", "early version"),
        ("language = 3\nextends = 7", "`extends` must be the name of a ruleset"),
        ("language = 3\nextends = 'zork'", 'there is no ruleset "zork"'),
        ("language = ", "not TOML"),
    ],
)
def test_what_cannot_be_converted_is_said_in_a_line(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "old.toml"
    path.write_text(text)
    answer = program("rules", "convert", str(path))
    assert answer.code in (2, 3)
    assert answer.out == ""
    assert says in answer.err


def test_a_file_of_somebody_else_is_not_replaced(tmp_path: Path) -> None:
    there = tmp_path / "letter.txt"
    there.write_text("Dear Ana")
    answer = program("rules", "convert", str(FORMER[0]), "--to", str(there))
    assert (answer.code, there.read_text()) == (2, "Dear Ana")
    assert program("rules", "convert", str(FORMER[0]), "--to", str(there), "--force").code == 0


@pytest.mark.parametrize("name", SHIPPED)
def test_a_ruleset_shown_as_one_file_is_the_same_ruleset(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}.toml"
    path.write_text(program("rules", "show", name, "--format", "toml").out, "utf-8")
    assert load_ruleset(str(path)).sha256 == load_ruleset(name).sha256


def test_settings_are_in_the_file_that_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_text(
        program("rules", "show", "dudo", "--set", "tally.start=3", "--format", "toml").out
    )
    match = Match(load_ruleset(str(path)), ["Ana", "Ben"])
    assert match.scores == {"Ana": 3, "Ben": 3}
