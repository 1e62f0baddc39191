"""Names of remedies and of choices in each language, and the lists that offer them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scorekeeper import load_ruleset
from scorekeeper.session.live import Session
from scorekeeper.store.book import Book
from scorekeeper.store.recorder import begin_match
from tests.helpers import program

FOUR = ["Ana", "Ben", "Cleo", "Dan"]
WORDS = {
    "en": ("none", "minor", "serious", "new deal", "new deal by who was due", "warning"),
    "de": ("folgenlos", "leicht", "schwer", "neu geben", "neu geben durch den", "Verwarnung"),
    "fr": (
        "sans suite",
        "léger",
        "grave",
        "donne à refaire",
        "donne à refaire par",
        "avertissement",
    ),
}
KEYS = re.compile(r"(new-deal|due-deal|minor|serious|none|warning)\b(?!')")


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin a match under the tournament rules in a book."""
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    assert program("new", "doppelkopf-ddv", *FOUR).code == 0


@pytest.fixture(params=WORDS)
def reading(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Set the language of the output."""
    monkeypatch.setenv("LANGUAGE", request.param)
    return str(request.param)


def said(*arguments: str) -> str:
    answer = program(*arguments)
    assert answer.code == 0, answer
    return answer.out


def foreign(text: str, language: str) -> list[str]:
    """Return the program's own English words in an output, except in entries."""
    told = [
        line for line in text.splitlines() if not line.startswith(("claim", "weigh", "1.", "2."))
    ]
    return [] if language == "en" else KEYS.findall("\n".join(told))


def test_what_follows_is_called_by_words(reading: str, book: None) -> None:
    none, minor, serious, again, due, warning = WORDS[reading]
    for what, word in (("dealing", again), ("dealt", again), ("dealer", due)):
        told = said("judge", f"claim Ana: {what} Ben")
        assert f"1 ({what} Ben): {word}" in told
        assert "-deal" not in told
    assert f"): {warning}; Ben -6" in said("judge", "claim Ana: talk Ben -6")
    said("record", "all: gesund", "AC 9D KC TC", "Ben: KC", "claim Ana: 3")
    told = said("status") + said("legal")
    for word in (none, minor, serious):
        assert f"    {word}: " in told
    assert f"weigh 3 {none}|{minor}|{serious}" in told
    assert f"  weigh 3 {minor}" in told.splitlines()
    assert foreign(told, reading) == []
    assert said("record", f"weigh 3 {minor}").startswith("weigh 3 minor")  # as it is stored
    rulings = said("rulings") + said("score", "--explain", "1") + said("sheet")
    assert f": {minor}" in rulings or f"{minor} (12.3)" in rulings
    assert foreign(rulings, reading) == []


def test_what_cannot_be_read_lists_the_words(reading: str, book: None) -> None:
    listed = {"en": "dealing|dealt|dealer|talk|conduct", "de": "mischen|vergeben|geber|gerede",
              "fr": "mélange|maldonne|donneur|parole"}[reading]  # fmt: skip
    assert listed in program("judge", "claim").err
    assert listed.replace("|", ", ") in program("judge", "claim Ana: foo").err
    assert WORDS[reading][1] in program("judge", "claim Ana: 3 foo").err
    assert WORDS[reading][1] in program("judge", "weigh 3").err


def test_lists_offer_what_may_be_told(book: None) -> None:
    listed = "claim NAME: dealing|dealt|dealer|talk|conduct NAME"
    assert f"  {listed}" in said("legal").splitlines()
    entries = program("legal", "--format", "json").data["entries"]
    assert {"claim Ana: dealing Ben", "claim Dan: conduct Cleo"} <= set(entries)
    assert "  claim Ana: talk Ben" in said("legal", "--all").splitlines()
    for entry in entries:
        assert program("judge", entry).code == 0
    said("record", "all: gesund", "AC 9C")
    assert "  claim NAME: talk|conduct NAME" in said("legal").splitlines()


def test_the_live_table_completes_what_may_be_told(tmp_path: Path) -> None:
    with Book(tmp_path / "other.sqlite") as kept:
        board = Session([begin_match(kept, load_ruleset("doppelkopf-ddv"), list(FOUR))], "").current
        assert "claim Ana: talk Ben" in [each.text for each in board.complete("claim Ana: t")]
        found = [each.text for each in board.complete("claim Ana: ")]
        assert {"claim Ana: dealing Ben", "claim Ana: dealer Dan"} <= set(found)
        assert not any("talk" in each.text for each in board.complete(""))
        board.enter("all: gesund, AC, 9C")
        assert "claim Ana: dealing Ben" not in [e.text for e in board.complete("claim Ana: ")]
        assert any("dealing|dealt|dealer|talk|conduct" in line for line in board.claim_words())
        board.enter("KC, TC, Ben: KC !stands, claim Ana: conduct Ben")
        assert board.faults.next_to_weigh is not None
