"""Rulesets from their author's view: all mistakes at once, choices, presets, pinned texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scorekeeper import Damaged, Match, Unreadable, load_ruleset
from scorekeeper.engine.loading import check, check_text
from scorekeeper.engine.phase import Phase
from scorekeeper.engine.ruleset import pinned
from scorekeeper.ruleset.citations import find_paragraph
from scorekeeper.ruleset.surface import TURNED_KEYS, as_shown
from scorekeeper.ruleset.vocabulary import load_all
from tests import guide
from tests.helpers import SHIPPED, match_of, program

ROOT = Path(__file__).parent.parent
REFERENCE = guide.REFERENCE.read_text("utf-8")

# The structure is checked before the expressions, so that one mistake is not reported twice.
TEN = """
extends = "dudo"
name = "mine"
title = 7
severity = "mild"
colour = "red"

[players]
least = "two"

[tally]
most = true

[phases.bidz]

[clauses.higher-face]
word = "rais"

[clauses.bluff]
cite = 24
colour = "red"

[scores.lost]
label = ["lost"]
"""
TEN_KEYS = {
    "title": ("7", "text"),
    "severity": ("mild", "tournament or club"),
    "colour": ("colour", "clauses"),
    "players.least": ("two", "a whole number"),
    "tally.most": ("True", "a whole number"),
    "phases.bidz": ("bidz", "bids"),
    "clauses.higher-face.word": ("rais", "raise"),
    "clauses.bluff.cite": ("24", "text"),
    "clauses.bluff.colour": ("colour", "when"),
    "scores.lost.label": ("lost", "text"),
}
MEANING = """
extends = "dudo"
name = "mine"

[words]
doubt = ["open"]

[clauses.higher-face]
least = "previous.cuont"
cite = "9.9"
on = ["bidd"]

[clauses.to-aces]
when = "__import__('os')"

[scores.lost]
for = "looser"

[scores.both]
for = "loser"
points = 1
factor = 2
cite = "3.1"

[match]
ends = "2 ** 9"

[columns.why]
say = "{who}"
"""


def faults(tmp_path: Path, text: str) -> dict[str, Any]:
    path = tmp_path / "mine.toml"
    path.write_text(text, "utf-8")
    ruleset, _, found = check(str(path))
    assert ruleset is None
    for fault in found:
        assert "\n" not in str(fault)
    assert len({fault.key for fault in found}) == len(found)
    return {fault.key: fault for fault in found}


def test_ten_mistakes_give_ten_errors(tmp_path: Path) -> None:
    found = faults(tmp_path, TEN)
    assert set(found) == set(TEN_KEYS)
    for key, (said, allowed) in TEN_KEYS.items():
        fault = found[key]
        assert fault.file.endswith("mine.toml"), key
        assert said in fault.found, key
        assert allowed in fault.allowed, key
    answer = program("rules", "check", str(tmp_path / "mine.toml"))
    assert answer.code == 1
    assert len(answer.out.splitlines()) == 10
    assert "10 mistakes" in answer.err


def test_mistakes_of_meaning_are_told_together_too(tmp_path: Path) -> None:
    found = faults(tmp_path, MEANING)
    assert set(found) == {
        "words.doubt",
        "clauses.higher-face.least",
        "clauses.higher-face.cite",
        "clauses.higher-face.on",
        "clauses.to-aces.when",
        "scores.lost.for",
        "scores.both",
        "match.ends",
        "columns.why.say",
    }
    assert "did you mean" in found["clauses.higher-face.least"].message


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('extends = "dodo"\nname = "mine"', "dodo"),
        ('extends = "../dudo"\nname = "mine"', "path"),
        ("extends = 7", "extends"),
        ("name = ", "not TOML"),
        ("", "missing"),
    ],
)
def test_files_that_are_no_ruleset(tmp_path: Path, text: str, said: str) -> None:
    found = faults(tmp_path, text)
    assert any(said in str(fault) for fault in found.values())


def test_a_word_that_a_ruleset_lacks_is_near_another(tmp_path: Path) -> None:
    found = faults(tmp_path, TEN)
    assert "did you mean “raise”?" in found["clauses.higher-face.word"].message
    assert "did you mean “bids”?" in found["phases.bidz"].message


def test_a_mistyped_rule_of_a_phase_is_near_another(tmp_path: Path) -> None:
    path = tmp_path / "changed.toml"
    head = 'extends = "whist"\nname = "changed"\ntitle = "Changed"\n'
    path.write_text(f'{head}[phases.tricks]\nhold = "2.1"\n', "utf-8")
    (found,) = check(str(path))[2]
    assert (found.key, "did you mean “held”?" in found.message) == ("phases.tricks.hold", True)


# --- the shipped ones


@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_ruleset_loads_without_faults(name: str) -> None:
    ruleset, _, found = check(name)
    assert found == []
    assert ruleset is not None
    assert ruleset.name == name


@pytest.mark.parametrize("name", SHIPPED)
def test_the_pinned_text_compiles_to_the_same(name: str) -> None:
    ruleset = load_ruleset(name)
    for again in (pinned(ruleset.text, ruleset.text_sha256), check_text(ruleset.text)):
        assert again.sha256 == ruleset.sha256
        assert again.data == ruleset.data
        assert list(again.clauses) == list(ruleset.clauses)
        assert [row.code for row in again.scores] == [row.code for row in ruleset.scores]
        assert again.lexicon.meanings == ruleset.lexicon.meanings


@pytest.mark.parametrize("name", SHIPPED)
def test_a_ruleset_is_read_the_same_when_all_phases_are_known(name: str) -> None:
    load_all()
    assert check(name)[2] == []


def test_a_list_of_one_needs_no_brackets(tmp_path: Path) -> None:
    head = 'extends = "whist"\nname = "changed"\ntitle = "Changed"\n[pack]\njokers = '
    packs = []
    for jokers in ('"BJ"', '["BJ"]'):
        path = tmp_path / "changed.toml"
        path.write_text(head + jokers, "utf-8")
        loaded, _, faults = check(str(path))
        assert faults == []
        assert loaded is not None
        packs.append(loaded.data["pack"])
    assert packs[0] == packs[1]


@pytest.mark.parametrize("name", SHIPPED)
def test_every_clause_and_score_cites_a_paragraph(name: str) -> None:
    ruleset = load_ruleset(name)
    cited = [(clause.code, clause.cite) for clause in ruleset.clauses.values()]
    cited += [(row.code, row.cite) for row in ruleset.scores]
    text = ruleset.rules_text
    assert [code for code, cite in cited if not find_paragraph(text, cite)] == []


# Clauses that every rule text with such a phase has: the phase, the verb, and its words.
COMMON = {
    ("bids", "bid"): ["raise"],
    ("bouts", "attack"): ["roles", "one-rank", "on-table", "room", "held"],
    ("bouts", "cover"): ["roles", "lies-open", "beats", "take-stands", "held"],
    ("bouts", "transfer"): ["roles", "take-stands", "held"],
    ("calls", "call"): ["settled", "in-time", "own-side", "repeated"],
    ("draw", "declare"): ["level-cards", "declared-held"],
    ("exchange", "exchange"): ["owed", "between", "even", "best", "held"],
    ("give", "give"): ["gives", "given-to", "held"],
    ("holdings", "announce"): ["announced-held", "announced-when", "announced-once"],
    ("holdings", "show"): ["announced-when", "announced-once", "held"],
    ("kitty", "bury"): ["buries", "held"],
    ("kitty", "leave"): ["left"],
    ("kitty", "take"): ["taken"],
    ("auction", "reserve"): ["needs", "kind", "raisable"],
    ("tricks", "play"): ["held", "follow"],
}
# Acts that no player may be asked for: in belote the others get the rest of the deal. Words that
# have nothing to judge: the announcements of tarot have no cards of their own.
NEVER = {
    ("belote", "bury"),
    ("preferans", "announced-held"),
    ("tarot", "announced-held"),
    ("tarot-five", "announced-held"),
}


@pytest.mark.parametrize("name", SHIPPED)
def test_no_shipped_ruleset_lacks_a_rule_that_its_phases_always_have(name: str) -> None:
    """Check for omitted rules, which would silently make an act legal."""
    ruleset = load_ruleset(name)
    lacking = [
        (verb, word)
        for (phase, verb), words in COMMON.items()
        if phase in ruleset.phases and (name, verb) not in NEVER
        if verb in ruleset.entry_types and verb not in ruleset.disabled_verbs
        for word in words
        if word not in ruleset.clause_names(verb) and (name, word) not in NEVER
    ]
    assert lacking == []


def written_in_the_reference(heading: str, column: int) -> dict[str, set[str]]:
    """Return the first names of a table's rows by the names in another column."""
    section = REFERENCE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    found: dict[str, set[str]] = {}
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.split(" | ")]
        if line.startswith("| `") and len(cells) > column:
            found.setdefault(cells[column].strip("` |"), set()).add(cells[0].strip("`| "))
    return found


def test_every_word_of_the_vocabulary_is_in_the_reference() -> None:
    rules = written_in_the_reference("Rules", 1)
    verbs = written_in_the_reference("Entries", 1)
    measures = written_in_the_reference("Measures", 4)
    facts = written_in_the_reference("Facts for the sheet", 1)
    times = set(written_in_the_reference("Times", 0))
    roles = set(written_in_the_reference("Roles", 0))
    phases, words = load_all()
    for cls in phases:
        assert isinstance(cls, type)
        assert issubclass(cls, Phase)
        kind = guide.kind_of(cls)
        assert kind in times
        names = {as_shown(("phases", cls.name, word))[-1] for word in cls.clause_order.split()}
        assert names - {"announce", "show"} <= rules.get(kind, set()), kind
        own = {w.name for w in words if w.phase == cls.name and w.variant in ("", cls.variant)}
        assert {
            as_shown(("phases", kind, word))[1 if kind == "holdings" else -1] for word in own
        } <= rules.get(kind, set())
        assert {verb.word for verb in cls.entry_types} == verbs.get(kind, set()), kind
        assert {measure.name for measure in cls.measures} <= measures.get(kind, set()), kind
        assert {*cls.reports} <= facts.get(kind, set()), kind
        assert {*cls.roles} <= roles


def test_every_key_is_in_the_reference() -> None:
    section = REFERENCE.partition("\n## Keys\n")[2].partition("\n## ")[0]
    phases, words = load_all()
    for cls in phases:
        assert isinstance(cls, type)
        assert issubclass(cls, Phase)
        kind = guide.kind_of(cls)
        place = "`turned`" if kind == "turnup" else guide.place_of(kind)
        said = [(place, key) for key in cls.parameters if key != TURNED_KEYS.get(cls.name)]
        for table, takes in cls.row_tables.items():
            if (kind, table) not in guide.DESCRIBED_ELSEWHERE:
                name = as_shown((table,))[0]
                row = f"`[{name}]`" if table in cls.single_tables else f"`[{name}.NAME]`"
                said += [
                    (row, "in_hand" if (table, key) == ("calls", "cards") else key) for key in takes
                ]
        said += [
            (f"rule `{word.name}`", key)
            for word in words
            if word.phase == cls.name and word.variant in ("", cls.variant)
            for key in word.parameters
        ]
        missing = [each for each in said if f"| {each[0]} | `{each[1]}` |" not in section]
        assert missing == [], kind


def test_every_word_says_what_it_is() -> None:
    """Check that each clause word has a description; test_clause_examples checks its examples."""
    for word in load_all()[1]:
        assert word.doc, word.name


# --- choices


def test_presets() -> None:
    names = ["Ana", "Ben", "Cleo"]
    strict = match_of("dudo", names, "5x4")
    assert strict.judge("Ben: 5x3").refused
    mild = match_of("dudo", names, "5x4", severity="club")
    ruling = mild.record("Ben: 5x3")
    assert (ruling.verdict, ruling.refused) == ("illegal", False)
    assert [finding.severity for finding in ruling.findings] == ["warn"]
    assert mild.judge("Ana: 9x3").refused  # refused, because it is not Ana's turn
    assert mild.judge("Cleo: 16x3").findings[0].severity == "note"


def test_a_severity_of_ones_own() -> None:
    rows = {"same-or-lower-face": {"severity": "note"}}
    match = match_of("dudo", ["Ana", "Ben"], "5x4", clauses=rows)
    (finding,) = match.record("Ben: 5x3").findings
    assert (finding.verdict, finding.severity) == ("illegal", "note")


def test_a_row_is_dropped_and_another_comes_before() -> None:
    rows: dict[str, object] = {
        "bluff": False,
        "modest": {
            "word": "barred",
            "when": "count > 20",
            "say": "let us be modest",
            "cite": "2.4",
            "before": "at-least-one",
        },
    }
    ruleset = load_ruleset("dudo", clauses=rows)
    names = [*ruleset.clauses]
    assert names.index("modest") == names.index("at-least-one") - 1
    assert "bluff" not in ruleset.clauses
    ruling = Match(ruleset, ["Ana", "Ben"]).judge("Ana: 21x3")
    assert ruling.text == "Ana: 21x3: illegal: let us be modest (2.4)"


def test_options_that_are_wrong() -> None:
    with pytest.raises(Unreadable, match="whole number"):
        load_ruleset("dudo", tally={"least": "many"})
    with pytest.raises(Unreadable, match="not a key"):
        load_ruleset("dudo", taly={"start": 3})
    with pytest.raises(Unreadable):
        load_ruleset("dodo")


def test_a_ruleset_of_ones_own_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(tmp_path))
    (tmp_path / "ours.toml").write_text('extends = "dudo"\nname = "ours"\n[tally]\nstart = 2\n')
    match = match_of("ours", ["Ana", "Ben"])
    assert match.scores == {"Ana": 2, "Ben": 2}
    (tmp_path / "ours.toml").write_text('extends = "dudo"\nname = "ours"\n[tally]\nstart = "x"\n')
    with pytest.raises(Damaged, match="ours"):
        load_ruleset("ours")


def test_a_match_keeps_the_rules_it_began_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(tmp_path))
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    mine = tmp_path / "ours.toml"
    mine.write_text('extends = "dudo"\nname = "ours"\n')
    assert program("new", "ours", "Ana", "Ben").code == 0
    mine.write_text('extends = "dudo"\nname = "ours"\n[clauses]\nopening-face = false\n')
    assert program("record", "1x1").code == 1
    text = program("export").out
    assert "ruleset_text" in text  # its rules can no longer be loaded by name
    record = tmp_path / "record.toml"
    record.write_text(text, "utf-8")
    assert program("verify", str(record)).code == 0
    assert program("new", "ours", "Ana", "Ben").code == 0
    assert program("record", "1x1").code == 0
