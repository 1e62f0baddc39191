"""The examples of every clause word, played: allowed and refused entries with their reasons."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorekeeper import Damaged
from scorekeeper.core.rulings import ILLEGAL, LEGAL, OPEN
from scorekeeper.core.rulings import LEGAL as FINE
from scorekeeper.match.trial import NOTED, PlayedExample, WordExample, load_examples
from scorekeeper.ruleset import sources
from scorekeeper.ruleset.vocabulary import COMPILED_PHASES, ClauseWord, load_all
from tests.helpers import program

WORDS = load_all()[1]
CASES = [(word, case) for word in WORDS for case in load_examples(word.phase).get(word.name, [])]
VERDICTS = {ILLEGAL: "illegal", OPEN: "open", NOTED: "legal"}


def named(value: object) -> str | None:
    if isinstance(value, ClauseWord):
        return f"{value.phase}.{value.name}"
    return "; ".join(value.before) or "start" if isinstance(value, WordExample) else None


@pytest.mark.parametrize("word", WORDS, ids=named)
def test_every_word_allows_something_and_forbids_or_notes_something(word: ClauseWord) -> None:
    cases = load_examples(word.phase).get(word.name, [])
    kinds = {kind for case in cases for kind, entries in case.entries.items() if entries}
    where = f"phases/examples/{word.phase}.toml has no example of {word.name} that is"
    against = NOTED if word.verdict == FINE else ILLEGAL
    assert LEGAL in kinds, f"{where} {LEGAL}"
    assert against in kinds, f"{where} {against}"
    assert OPEN in kinds or not word.unknown, f"{where} {OPEN}"


def test_every_example_is_of_a_word_that_there_is() -> None:
    known = {(word.phase, word.name) for word in WORDS}
    written = {(phase, name) for phase in COMPILED_PHASES for name in load_examples(phase)}
    assert written <= known
    files = {path.stem for path in sources.examples_folder().iterdir()}
    assert files == {phase for phase, _ in written}


@pytest.mark.parametrize(("word", "case"), CASES, ids=named)
def test_the_word_says_what_the_example_says(word: ClauseWord, case: WordExample) -> None:
    """Record the entries before it, so each is allowed or decided."""
    for asked in PlayedExample(word, case).results:
        if asked.kind == LEGAL:
            assert asked.finding is None, asked.entry
            continue
        assert asked.finding is not None, asked.entry
        assert asked.finding.verdict == VERDICTS[asked.kind], asked.entry
        assert asked.finding.reason
        assert "{" not in asked.finding.reason


# --- the files


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ('[w]\nruleset = "r"\nplayers = ["A"]\nlegl = ["x"]', "there is no key legl"),
        ('[w]\nplayers = ["A"]\nlegal = ["x"]', "ruleset must be the name"),
        ('[w]\nruleset = "r"\nlegal = ["x"]', "players are missing"),
        ('[w]\nruleset = "r"\nplayers = ["A"]', "there is no entry to judge"),
        ('[w]\nruleset = "r"\nplayers = "A"\nlegal = ["x"]', "players must be a list"),
        ('[w]\nruleset = "r"\nplayers = ["A"]\nlegal = [1]', "each item of legal must be a text"),
        ('[w]\nruleset = "r"\nplayers = ["A"]\nlegal = ["x"]\nset = 1', "set must be a table"),
        ("w = 1", "w: must be a table"),
        ("w = ", "phase.toml"),
    ],
)
def test_a_file_with_a_mistake_is_named(
    text: str, wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "examples_folder", lambda: tmp_path)
    assert load_examples("phase") == {}
    (tmp_path / "phase.toml").write_text(text, "utf-8")
    with pytest.raises(Damaged, match=wrong):
        load_examples("phase")


# --- where they are shown


def test_rules_explain_plays_them() -> None:
    told = program("rules", "explain", "tricks.follow", "--ruleset", "doppelkopf").out
    assert "for example, in doppelkopf, with Ana, Ben, Cleo and Dan:\n  lead Ana\n" in told
    assert "\nlegal then: Ben: TS\nillegal then: Ben: QS\n  Ben must follow spades" in told
    assert "\nopen then: Ben: 9H\n  Ben has not followed spades in trick 1; it is unknown" in told
    told = program("rules", "explain", "bouts.returned", "--ruleset", "durak").out
    assert "\nnoted then: together Ana: 6H / Cem: 6S\n  there was room for 1 card, so" in told
    assert "Ana's 6H stays on the table and" in told


def test_a_row_is_shown_by_the_examples_that_are_about_it() -> None:
    asked = ["rules", "explain", "bids.from-aces", "--ruleset", "dudo", "--format", "json"]
    (example,) = program(*asked).data["examples"]
    assert example["before"] == ["Ana: 5x4", "Ben: 3x1"]
    assert {"entry": "Cleo: 7x2", "kind": "legal", "code": "", "reason": ""} in example["entries"]
    (breach, _) = (each for each in example["entries"] if each["kind"] == "illegal")
    assert (breach["entry"], breach["code"]) == ("Cleo: 6x2", "bids.from-aces")


@pytest.mark.parametrize("row", ["follow", "follow-trump", "trumping", "overtrumping"])
def test_examples_are_of_the_game_asked_for(row: str) -> None:
    asked = ["rules", "explain", f"tricks.{row}", "--ruleset", "coinche", "--format", "json"]
    examples = program(*asked).data["examples"]
    assert [each["ruleset"] for each in examples] == ["coinche"]


def test_a_game_without_examples_shows_those_of_others() -> None:
    asked = ["rules", "explain", "tricks.follow", "--ruleset", "klaverjas", "--format", "json"]
    games = {each["ruleset"] for each in program(*asked).data["examples"]}
    assert games == {"doppelkopf", "coinche", "hearts"}


def test_choices_that_an_example_makes_are_told() -> None:
    asked = ["rules", "explain", "auction.owed", "--ruleset", "doppelkopf-ddv"]
    assert "  with phases.auction.deals = 4" in program(*asked).out


def test_an_example_that_a_users_own_ruleset_breaks_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Use an example of a shipped ruleset that extends a user's ruleset by name."""
    asked = ["rules", "explain", "draw.first-deal", "--ruleset", "da-ban"]
    assert "for example, in perudo" in program(*asked).out
    (tmp_path / "dudo.toml").write_text("title = 3\n", "utf-8")
    monkeypatch.setenv("SCOREKEEPER_RULESETS", str(tmp_path))
    answer = program(*asked)
    assert (answer.code, "in perudo" in answer.out) == (0, False)
