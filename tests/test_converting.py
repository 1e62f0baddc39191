"""Rulesets of the previous language: `rules convert` rewrites them, and nothing else loads them.

`tests/earlier/rulesets` has rulesets of that language, as they were shipped.
"""

from __future__ import annotations

import random
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest
import tomli_w

from scorekeeper.core.errors import Failure
from scorekeeper.engine.loading import load_merged
from scorekeeper.engine.measures import current_name
from scorekeeper.render.ruleset_file import write_ruleset
from scorekeeper.ruleset.convert import convert
from scorekeeper.ruleset.sources import FOLDER_VARIABLE
from scorekeeper.ruleset.tables import VERSIONS
from tests.helpers import program

FORMER = Path(__file__).parent / "earlier" / "rulesets"
NAMES = sorted(path.stem for path in FORMER.glob("*.toml"))
# Those whose base is only shipped in the current language.
OVER_SHIPPED = ("doppelkopf-ddv", "doppelkopf-schweine", "perudo")
# What measures and functions in these files are called now.
RENAMED = {"run(": "matadors(", "kitty.cards": "kitty.size", "own.leads": "own.openers"}
SMALL = """# Our game.
name = "ours"
language = 3
title = "Ours"
rules = "ours"

[players]
counts = [4]

# Who deals.
[deal]
dealt = true
cards = 13

[pack]
ranks = "A K Q J T 9 8 7 6 5 4 3 2"

[orders.plain]
[tally]
name = "points"

[phases.tricks]
order = "plain"
cite = "1"

[clauses.suit]
word = "follow"
cite = "1"

[clauses.own]
word = "held"
phase = "tricks"
on = ["play"]
cite = "2"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder with the user's rulesets and the rule text of a small game."""
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    monkeypatch.chdir(tmp_path)
    Path("ours.md").write_text(
        "# Ours\n## 1. Play\n1.1 As usual.\n## 2. Cards\n2.1 Own ones.\n", "utf-8"
    )
    return tmp_path


def convert_all(former: Path, folder: Path) -> None:
    for path in sorted(former.glob("*.toml")):
        result = convert(path, current_name)
        assert result.unknown == []
        text = write_ruleset(result.table, result.shape, result.comments)
        (folder / path.name).write_text(text, "utf-8")


def layered(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """Return tables as the former program merged them, except for the order of rows."""
    result = dict(base)
    for key, value in over.items():
        inner = result.get(key)
        if isinstance(value, dict):
            rest = {name: of for name, of in value.items() if name not in ("before", "after")}
            result[key] = layered(inner if isinstance(inner, dict) else {}, rest)
        elif value is False and isinstance(inner, dict | list):
            del result[key]
        else:
            result[key] = value
    return result


def former_tables(name: str) -> dict[str, Any]:
    """Return the compiled tables of a former ruleset, with present names."""
    text = (FORMER / f"{name}.toml").read_text("utf-8")
    for before, now in RENAMED.items():
        text = text.replace(before, now)
    table = tomllib.loads(text)
    base = table.pop("extends", None)
    table.pop("includes", None)
    if base is not None:
        return VERSIONS.upgrade("", layered(former_tables(base), table), 3)
    return VERSIONS.upgrade("", table, 3)


def rules_of(table: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of [clauses] without their names, each with its word."""
    rows = [{"word": name, **row} for name, row in table["clauses"].items()]
    return sorted(rows, key=repr_sorted)


def repr_sorted(row: dict[str, Any]) -> str:
    return repr(sorted(row.items()))


@pytest.mark.parametrize("name", [name for name in NAMES if name not in OVER_SHIPPED])
def test_a_converted_ruleset_has_the_rules_that_it_had(name: str, folder: Path) -> None:
    convert_all(FORMER, folder)
    now, before = load_merged(name).table, former_tables(name)
    assert rules_of(now) == rules_of(before)
    # Included words are merged with the ruleset's own.
    for key in (now.keys() | before.keys()) - {"clauses", "language", "languages", "words"}:
        assert now.get(key) == before.get(key), key


@pytest.mark.parametrize("name", NAMES)
def test_a_converted_ruleset_has_no_mistakes(name: str, folder: Path) -> None:
    convert_all(FORMER, folder)
    answer = program("rules", "check", name)
    assert (answer.code, answer.err) == (0, "")


def test_a_converted_ruleset_extends_the_shipped_one(folder: Path) -> None:
    shutil.copy(FORMER / "doppelkopf-ddv.toml", "strict.toml")
    answer = program("rules", "convert", "strict.toml", "--to", "strict-4.toml")
    assert answer.code == 0
    mine, shipped = load_merged("strict-4.toml").table, load_merged("doppelkopf-ddv").table
    assert rules_of(mine) == rules_of(shipped)
    assert mine["phases"] == shipped["phases"]
    assert mine["remedies"] == shipped["remedies"]
    assert mine["scores"].keys() == shipped["scores"].keys()


def test_rules_move_into_their_phases(folder: Path) -> None:
    Path("ours.toml").write_text(SMALL, "utf-8")
    answer = program("rules", "convert", "ours.toml")
    assert answer.code == 0
    table = tomllib.loads(answer.out)
    assert table["language"] == 4
    assert "clauses" not in table
    # The rule about following suit applies without being written, since it cites the phase's text.
    assert table["phases"]["tricks"] == {"order": "plain", "cite": "1", "held": "2"}
    assert answer.out.startswith("# Our game.\nname")
    assert "\n# Who deals.\n[deal]\n" in answer.out
    assert "clauses.own is now phases.tricks.held" in answer.err


def test_a_standard_rule_that_a_file_lacked_is_dropped(folder: Path) -> None:
    Path("ours.toml").write_text(SMALL.partition("[clauses.own]")[0], "utf-8")
    answer = program("rules", "convert", "ours.toml")
    assert tomllib.loads(answer.out)["phases"]["tricks"]["held"] is False
    assert "phases.tricks.held" in answer.err


def test_a_row_that_precedes_a_rule_is_judged_first(folder: Path) -> None:
    row = '[clauses.first]\nword = "duty"\ncards = "trumps"\nwanted = "one"\ncite = "1"\n\n'
    Path("ours.toml").write_text(SMALL.replace("[clauses.suit]", f"{row}[clauses.suit]"), "utf-8")
    answer = program("rules", "convert", "ours.toml")
    assert tomllib.loads(answer.out)["clauses"]["first"]["before"] == "follow"


def test_a_rule_of_a_key_cannot_be_dropped_alone(folder: Path) -> None:
    text = 'name = "mine"\nlanguage = 3\ntitle = "Mine"\nextends = "hearts"\n'
    Path("mine.toml").write_text(f"{text}[clauses]\nopening = false\n", "utf-8")
    answer = program("rules", "convert", "mine.toml", "--to", "mine-4.toml")
    assert answer.code == 1
    assert "not converted: clauses.opening" in answer.err
    assert "is now" not in answer.err
    assert "phases.tricks.opens" in answer.err
    assert Path("mine-4.toml").exists()


def test_measures_have_their_present_names(folder: Path) -> None:
    row = 'must = "kitty.cards > 0 and own.taken == own.taken and not trick.leads"'
    text = SMALL.replace('word = "held"', f'word = "require"\n{row}')
    Path("ours.toml").write_text(text, "utf-8")
    rows = tomllib.loads(program("rules", "convert", "ours.toml").out)["clauses"]
    assert rows["own"]["must"] == "kitty.size > 0 and own.pile == own.pile and not trick.leads"


def test_a_former_file_that_is_extended_must_be_converted_too(folder: Path) -> None:
    Path("ours.toml").write_text(SMALL, "utf-8")
    text = 'name = "more"\nlanguage = 3\ntitle = "More"\nextends = "ours"\n'
    Path("more.toml").write_text(f'{text}[clauses.suit]\ncite = "2"\n', "utf-8")
    answer = program("rules", "convert", "more.toml")
    assert answer.code == 0
    assert tomllib.loads(answer.out)["phases"] == {"tricks": {"follow": "2"}}
    assert "scorekeeper rules convert" in answer.err
    assert "ours.toml" in answer.err


def test_an_existing_file_is_not_replaced(folder: Path) -> None:
    Path("ours.toml").write_text(SMALL, "utf-8")
    answer = program("rules", "convert", "ours.toml", "--to", "ours.toml")
    assert answer.code == 2
    assert "is not replaced" in answer.err
    assert Path("ours.toml").read_text("utf-8") == SMALL
    assert program("rules", "convert", "ours.toml", "--to", "ours.toml", "--force").code == 0
    assert program("rules", "check", "ours.toml").code == 0


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ('name = "x"\nlanguage = 4\n', 2, "is already in the current version of the rule language"),
        ('name = "x"\nlanguage = 99\n', 3, "99"),
        ('name = "x"\nlanguage = "3"\n', 3, "does not state the version"),
        ('name = "x"\nlanguage = 3\nextends = "x"\n', 2, "x"),
        ('name = "x"\nlanguage = 3\nextends = 5\n', 3, "extends"),
        ('name = "x"\nlanguage = 3\nclauses = 5\n', 3, "clauses has a value of the wrong kind"),
        ('name = "x"\nlanguage = 3\nphases = false\n[clauses]\na = 5\n', 3, "phases"),
        ('name = "x"\nlanguage = 3\n[clauses]\na = { word = 5 }\n', 3, "clauses.a.word"),
        ("name = ", 3, "x.toml"),
    ],
)
def test_a_file_that_cannot_be_converted_is_refused(
    text: str, code: int, message: str, folder: Path
) -> None:
    Path("x.toml").write_text(text, "utf-8")
    answer = program("rules", "convert", "x.toml")
    assert (answer.code, answer.out) == (code, "")
    assert message in answer.err


def test_former_files_that_extend_each_other_are_refused(folder: Path) -> None:
    for name, base in (("a", "b"), ("b", "a")):
        text = f'name = "{name}"\nlanguage = 3\ntitle = "X"\nextends = "{base}"\n'
        Path(f"{name}.toml").write_text(text, "utf-8")
    answer = program("rules", "convert", "a.toml")
    assert (answer.code, answer.out) == (3, "")
    assert "extends itself" in answer.err


def test_values_of_any_kind_are_converted_or_refused(folder: Path) -> None:
    chance = random.Random(7)
    values = [5, "x", [], ["a"], {}, {"a": 1}, False, True, [[1]], {"word": "held"}, -1.5]
    for _ in range(150):
        table = tomllib.loads((FORMER / f"{chance.choice(NAMES)}.toml").read_text("utf-8"))
        inner: dict[str, Any] = table
        while chance.random() < 0.7 and any(isinstance(each, dict) for each in inner.values()):
            inner = chance.choice([each for each in inner.values() if isinstance(each, dict)])
        inner[chance.choice([*(key for key in inner if key != "language"), "new"])] = chance.choice(
            values
        )
        Path("x.toml").write_text(tomli_w.dumps(table), "utf-8")
        try:
            result = convert(Path("x.toml"), current_name)
        except Failure:
            continue
        tomllib.loads(write_ruleset(result.table, result.shape, result.comments))


# --- loading


def test_a_match_with_a_converted_ruleset_takes_options(folder: Path) -> None:
    convert_all(FORMER, folder)
    Path("evening.toml").write_text(
        'format = 3\nruleset = "durak-transfer"\nplayers = ["Ana", "Ben"]\n'
        '[options]\n"phases.bouts.most" = 4\n[[rounds]]\nentries = ""\n',
        "utf-8",
    )
    assert program("verify", "evening.toml").code == 0
    answer = program("new", "hearts", "Ana", "Ben", "Cleo", "Dan", "--set", "deal.cards=12")
    assert answer.code == 0
