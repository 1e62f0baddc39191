"""Completeness of the translation: every word of the program is from a catalogue.

A catalogue that puts each sentence in brackets, but leaves the facts in it outside, must leave
none of the program's own words outside the brackets.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scorekeeper import load_ruleset
from scorekeeper.core.messages import Locale
from tests.helpers import program

FOUR = ["Ana", "Ben", "Cleo", "Dan"]
SAID, PLACE = re.compile(r"⟦[^⟦⟧]*⟧"), re.compile(r"(\{[^{}]*\})")
CODE = re.compile(r"\b[a-z]+\.[a-z0-9.-]+|\([a-z]+, [0-9.]+\)")
TYPED = re.compile(r"“[^”]*”|\bscorekeeper(?: .*|:)|\bamend \d.*?'[^']*'|![a-z]+|\b[a-z]+=")
LOOKED_AT = (
    ["status"],
    ["status", "--known"],
    ["legal"],
    ["score"],
    ["score", "--explain", "1"],
    ["sheet", "--format", "markdown"],  # In text output, a cell may be wrapped within a sentence.
    ["stats", "--format", "markdown"],
    ["describe"],
    ["matches"],
)
GAMES = {
    "durak-spades-transfer": (
        *("turnup QD", "Ana: 6C", "Ben: cover 6C 8D", "Cleo: attack 7H", "Cleo: attack 6H"),
        *("Ben: cover 6H 9H", "all: pass", "Cleo: draw AS", "hand Ana: 6C", "result loser=Cleo"),
    ),
    "dudo": (
        *("3x4", "2x4", "Cleo: 5x4", "Cleo: 3x1", "dudo", "Cleo: dudo", "count 3"),
        *("hand Ana: 1 2 3", "9x9", "result loser=Ana", "2x2"),
    ),
    "doppelkopf": (
        *("Ana: hochzeit", "all: gesund", "AC 9C TC KC", "Dan: re", "AH 9S", "Cleo: KH", "9D"),
        *("result contract=damensolo re=Ana points=151", "score Ana: 3", "holds Ben: QC"),
    ),
    "da-ban": (
        *("declare 2H", "Ana: declare 2H", "trump H", "master Ana", "AC", "result points=185"),
        *("exchange 4C for BJ with Ana", "lead Ben"),
    ),
}


class Brackets:
    """A catalogue whose sentences are English in brackets, the facts in them outside."""

    def gettext(self, message: str) -> str:
        return PLACE.sub(r"⟧\1⟦", f"⟦{message}⟧")

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


@pytest.fixture(autouse=True)
def bracketed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCOREKEEPER_BOOK", str(tmp_path / "book.sqlite"))
    monkeypatch.setenv("LANGUAGE", "fr")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("scorekeeper.cli.output.find_locale", lambda _: Locale("xx", Brackets()))


def unsaid(text: str, entries: tuple[str, ...], own: set[str]) -> list[str]:
    """Return the words of a text that are in no catalogue.

    Entries, codes, typed commands and the words of the ruleset are left out.
    """
    for entry in entries:
        text = text.replace(entry, " ")
    left = TYPED.sub(" ", CODE.sub(" ", SAID.sub(" ", text)))
    return [word for word in re.findall(r"[^\W\d_]{3,}", left) if word not in own]


@pytest.mark.parametrize("game", GAMES)
def test_what_the_program_says_goes_through_the_catalogue(game: str) -> None:
    rules = load_ruleset(game)
    own = set(FOUR)
    keys = re.findall(r"(\w+)=", " ".join(GAMES[game]))  # Results are written as they are typed.
    for word in (*rules.lexicon.meanings, *rules.entry_types, game, rules.title, "status", *keys):
        own.update(re.findall(r"[^\W\d_]{3,}", word))
    said = [program("new", game, *FOUR)]
    for entry in GAMES[game]:
        said += [program("judge", entry), program("record", entry)]
    said += [program(*command) for command in LOOKED_AT]
    texts = [each.out + each.err for each in said]
    assert any("⟦" in text for text in texts)
    # A sentence may continue in the next line, so lines with a part of a sentence are read
    # together.
    found = {text: words for text in texts if (words := unsaid(text, GAMES[game], own))}
    assert found == {}
