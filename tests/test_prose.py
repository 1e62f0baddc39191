"""Rules of style for docstrings, comments and messages; `tests/prose.py` reads the passages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.catalogue import PACKAGE
from tests.guide import BOOKS
from tests.prose import (
    BEGINNINGS,
    LONGEST,
    NEVER,
    NO_NOUN,
    NO_VERB,
    ROOT,
    Passage,
    comments,
    counted,
    docstrings,
    messages,
    pinned,
    sample,
    sentences,
    without_code,
)

if TYPE_CHECKING:
    from pathlib import Path

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *BOOKS])
FOLDERS = [PACKAGE, ROOT / "tests"]
in_each_folder = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)


def places(passages: list[Passage]) -> list[str]:
    return [f"{passage.place}: {passage.text[:60]}" for passage in passages]


@in_each_folder
def test_no_docstring_begins_with_a_question_word(folder: Path) -> None:
    assert places([each for each in docstrings(folder) if BEGINNINGS.match(each.text)]) == []


@in_each_folder
def test_a_functions_docstring_begins_with_a_verb(folder: Path) -> None:
    functions = [each for each in docstrings(folder) if each.kind == "function"]
    assert places([each for each in functions if NO_VERB.match(each.text)]) == []


@in_each_folder
def test_a_propertys_docstring_begins_with_a_noun(folder: Path) -> None:
    properties = [each for each in docstrings(folder) if each.kind == "property"]
    assert places([each for each in properties if NO_NOUN.match(each.text)]) == []


def test_no_sentence_of_a_docstring_is_long() -> None:
    long = [
        f"{passage.place}: {sentence[:60]}"
        for passage in docstrings()
        for sentence in sentences(passage.text)
        if len(sentence.split()) > LONGEST
    ]
    assert long == []


def test_words_that_are_always_wrong_do_not_occur() -> None:
    wrong = [
        f"{passage.place}: {match.group()}"
        for passage in (
            *(text for folder in FOLDERS for text in (*docstrings(folder), *comments(folder))),
            *messages(),
        )
        for match in NEVER.finditer(without_code(passage.text))
    ]
    assert wrong == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_words_that_are_always_wrong_are_on_no_page(page: Path) -> None:
    text = re.sub(r"(?s)```.*?```", "", page.read_text("utf-8"))
    assert sorted({match.group() for match in NEVER.finditer(without_code(text))}) == []


def test_words_that_are_right_in_one_sense_do_not_spread() -> None:
    figures = pinned()
    more = {word: count for word, count in counted().items() if count > figures.get(word, 0)}
    assert more == {}


def test_the_same_seed_draws_the_same_sample() -> None:
    first, second = sample(1), sample(1)
    assert first == second
    assert first != sample(2)
    assert [len(part) for part in first] == [100, 100]


def test_a_text_below_a_constant_is_the_passage_of_a_property() -> None:
    texts = {each.text: each.kind for each in docstrings(ROOT / "tests")}
    assert texts["The largest number of cards of a kind that a place may hold."] == "property"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Whether a card is there.", BEGINNINGS),
        ("The cards of a hand.", NO_VERB),
        ("Return the cards of a hand.", NO_NOUN),
        ("It is told to players.", NEVER),
    ],
)
def test_the_patterns_find_what_they_are_for(text: str, wrong: re.Pattern[str]) -> None:
    assert wrong.search(text)
