"""Printed suggestions: each can be typed as printed, and is valid at the time it is printed."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from scorekeeper import Match, load_ruleset
from scorekeeper.notation.notation import Translator
from scorekeeper.session.amendments import read_request
from tests.helpers import program

FOUR = ["Ana", "Ben", "Cleo", "Dan"]


@pytest.fixture(autouse=True)
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use a separate book for each test."""
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))


def told(*arguments: str) -> str:
    answer = program(*arguments)
    return answer.out + answer.err


def suggested(text: str) -> list[str]:
    """Return the suggested amendment as a shell splits it."""
    found = re.search(r"until you decide: (amend .*) \(or", text)
    assert found, text
    assert '"' not in found[1]  # in double quotes a shell would expand !stands
    return shlex.split(found[1])


@pytest.mark.parametrize("language", ["none", "fr"])
def test_the_decision_that_an_amendment_suggests_can_be_typed(language: str) -> None:
    told("new", "doppelkopf", *FOUR)
    told("record", "all: gesund", "QH QC 9H 9H", "TH KH AH AS", "9S")
    told("describe", "--language", language)
    spade = "RP" if language == "fr" else "KS"
    english = ("--language", "en")
    line = suggested(told("amend", "2", f"Ana: {spade}", "--yes", *english))
    answer = program(*line, *english)
    assert answer.code == 0, answer.err
    assert answer.out.startswith(f"amended: {line[1]} Ben: QC !stands")


def test_the_live_table_takes_the_quotes_of_the_command() -> None:
    match = Match(load_ruleset("dudo"), ["Ana", "Ben", "Cleo"])
    match.record("3x4")
    speech = Translator(match.notation)

    def texts(entries: str) -> list[str]:
        return read_request(match, f"amend 1 {entries}", speech).texts

    assert texts("'Ana: 3x5 !stands'") == ["Ana: 3x5 !stands"]
    assert texts('"Ana: 3x5" "Ben: 4x5", Cleo: dudo') == ["Ana: 3x5", "Ben: 4x5", "Cleo: dudo"]
    assert texts('"note hello, all" Ana: 3x5') == ["note hello, all", "Ana: 3x5"]
    assert texts('note Ana\'s "cup"s fell') == ['note Ana\'s "cup"s fell']


@pytest.mark.parametrize(
    ("ruleset", "code", "cite"),
    [
        ("doppelkopf", "parties.alone", "1"),
        ("durak", "bouts.position", ""),
        ("dudo", "table.decided", ""),
        ("podkidnoy", "table.lead", ""),
        ("da-ban", "levels.enough", ""),
    ],
)
def test_the_code_of_a_note_can_be_explained(ruleset: str, code: str, cite: str) -> None:
    answer = program("rules", "explain", code, "--ruleset", ruleset)
    assert answer.code == 0
    assert answer.out.startswith(f"{code}: ")
    assert cite in answer.out


def test_a_note_of_another_game_is_not_explained() -> None:
    assert program("rules", "explain", "parties.alone", "--ruleset", "dudo").code != 0


def test_winners_are_listed_as_a_sentence_lists_them() -> None:
    told("new", "durak", *FOUR)
    told("record", "result loser=Cleo")
    assert "Ana, Ben and Dan won" in told("record", "end")


def test_who_may_add_is_listed_as_a_sentence_lists_them() -> None:
    told("new", "durak", *FOUR)
    assert "Ana, Cleo and Dan may add" in told("record", "trump D", "Ana: attack 6C")


def test_a_class_of_penalty_that_is_not_there_says_what_to_type() -> None:
    told("new", "durak", *FOUR)
    said = told("record", "penalty Ben: minor late")
    assert "this ruleset has no penalty classes" in said
    assert "penalty NAME: -1 WHY" in said


def test_a_round_that_is_not_there_is_told_from_the_last() -> None:
    told("new", "dudo", *FOUR)
    told("record", "result loser=Ana")
    assert "the most recent is round 1" in told("score", "--explain", "9")


@pytest.mark.parametrize(
    ("ruleset", "entries", "was"),
    [
        ("durak", ["turnup QD", "result loser=Ana"], "diamonds were trump\n"),
        ("da-ban", ["trump H", "result points=185"], "Ana was master with Cleo"),
        ("doppelkopf", ["result contract=normal re=Ana+Ben points=132"], "the contract was normal"),
    ],
)
def test_a_round_that_is_over_is_told_in_the_past(
    ruleset: str, entries: list[str], was: str
) -> None:
    told("new", ruleset, *FOUR)
    told("record", *entries)
    assert was in told("status")


def test_nobody_is_to_touch_the_pack_after_the_match() -> None:
    told("new", "podkidnoy", *FOUR)
    told("record", "result loser=Ana")
    assert "to touch the pack" in told("status")
    told("record", "end")
    assert "to touch the pack" not in told("status")


def test_between_deals_the_status_tells_the_exchange_that_is_owed() -> None:
    told("new", "da-ban", *FOUR)
    told("record", "trump H", "result points=185")
    assert told("status").count("Ana owes 2 cards in the next exchange") == 1
    told("record", "trump S")
    assert "Ana owes Ben 2 cards, to be exchanged before kitty" in told("status")
    told("record", "void misdeal")
    assert "owes" not in told("score", "--explain", "2")


@pytest.mark.parametrize(
    ("language", "adds", "passes"),
    [("en", "add", "pass"), ("fr", "ajouter", "passe"), ("de", "nachlegen", "passt")],
)
def test_what_a_prompt_says_that_players_may_do_is_a_word(
    language: str, adds: str, passes: str
) -> None:
    told("new", "durak", *FOUR[:3])
    told("record", "trump S", "lead Ana", "6C", "8C")
    prompt = program("status", "--language", language).out.splitlines()[0]
    assert adds in prompt
    assert prompt.removesuffix(" eingeben").endswith(f" {passes}")
    assert program("judge", f"Cleo: {adds} 8D").out.startswith("Cleo: attack 8D")
    assert program("judge", f"Cleo: {passes}").out.startswith("Cleo: pass")


@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_what_a_prompt_says_of_a_kitty_is_a_word(language: str) -> None:
    told("new", "skat", *FOUR[:3])
    told("record", "18", "Ana: pass", "pass")
    prompt = program("status", "--language", language).out.splitlines()[0]
    words = {"en": ("take", "leave"), "fr": ("take", "leave"), "de": ("nimmt", "leave")}
    for word in words[language]:
        assert word in prompt
        assert program("judge", f"Ben: {word}").code == 0
