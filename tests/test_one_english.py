"""One style of English in all texts: players are "they", and numbers agree with their nouns."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from scorekeeper import Illegal, Impossible, Match, Unreadable
from scorekeeper.core.cards import Pack
from scorekeeper.core.knowledge import Knowledge
from scorekeeper.core.messages import format_count, format_times, join_list
from tests.guide import BOOKS
from tests.helpers import match_of

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
GENDERED = re.compile(r"\b(he|his|him|himself|she|hers|herself)\b", re.IGNORECASE)
DURAK = ("talon 0", "trump D", "lead Ana", "hand Ana: 6S 6H 7H 9C")
DA_BAN = ("trump H", "master Ana")
OPEN_KITTY = (*DA_BAN, "kitty 3C 4C 5C 6C 7C 8C")


def printed(source: str) -> Iterator[tuple[int, str]]:
    """Yield the texts in a module that are not docstrings."""
    tree = ast.parse(source)
    remarks = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in remarks:
            yield node.lineno, str(node.value)


def sayings(value: Any) -> Iterator[str]:
    """Yield all texts under a key `say`, at any depth."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "say":
                yield from [inner] if isinstance(inner, str) else inner
            else:
                yield from sayings(inner)


def test_players_are_they_in_all_that_is_printed() -> None:
    found = [
        f"{path.name}:{line}: {text}"
        for path in sorted((ROOT / "scorekeeper").rglob("*.py"))
        for line, text in printed(path.read_text("utf-8"))
        if GENDERED.search(text)
    ]
    assert not found


def test_players_are_they_in_the_rulesets_and_the_guides() -> None:
    for path in (ROOT / "rulesets").rglob("*.toml"):
        for text in sayings(tomllib.loads(path.read_text("utf-8"))):
            assert not GENDERED.search(text), (path.name, text)
    pages = [ROOT / "README.md", *BOOKS, *(ROOT / "docs").glob("*.md")]
    for path in pages:
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            assert not GENDERED.search(line), (path.name, number, line)


def said(match: Match, text: str) -> str:
    """Return all reasons given against an entry or about it."""
    try:
        return "; ".join(finding.reason for finding in match.record(text).findings)
    except Illegal as illegal:
        return "; ".join(finding.reason for finding in illegal.ruling.findings)
    except (Impossible, Unreadable) as failure:
        return f"{failure.message}; {failure.hint}"


def test_words_for_numbers_agree() -> None:
    assert [format_count(n, "die", "dice") for n in (0, 1, 2)] == ["0 dice", "1 die", "2 dice"]
    assert [format_times(n) for n in (1, 2, 3)] == ["once", "twice", "3 times"]
    assert join_list(["Ana", "Ben", "Cem"]) == "Ana, Ben and Cem"


@pytest.mark.parametrize(("cards", "limit"), [(1, "at most 1 attack"), (2, "at most 2 attacks")])
def test_a_limit_of_attacks_agrees(cards: int, limit: str) -> None:
    match = match_of("durak", ["Ana", "Ben", "Cem"], *DURAK, f"hand Ben: {cards}")
    assert match.prompt.endswith(limit)


@pytest.mark.parametrize(
    ("hand", "before", "entry", "reason"),
    [
        (
            1,
            (),
            "Ana: attack 6S 6H",
            "2 attacks would be too many; this bout allows at most 1",
        ),
        (1, ("Ana: attack 6S",), "Ana: attack 6H", "allows at most 1, so no more may be played"),
        (2, (), "Ben: draw 9H", "Ben drew no card after this bout"),
    ],
)
def test_attacks_agree_with_their_number(
    hand: int, before: tuple[str, ...], entry: str, reason: str
) -> None:
    match = match_of("durak", ["Ana", "Ben", "Cem"], *DURAK, f"hand Ben: {hand}", *before)
    assert reason in said(match, entry)


def test_one_open_attack_lies_open() -> None:
    start = (*DURAK, "hand Ben: 2", "Ana: attack 6S")
    match = match_of("podkidnoy", ["Ana", "Ben", "Cem"], *start)
    assert "Cem must wait for the defender, because 6S is open" in said(match, "Cem: attack 6C")


def test_a_refused_entry_tells_no_consequences() -> None:
    start = (*DURAK, "hand Ben: 4", "hand Cem: 4", "Ana: attack 6S")
    match = match_of("durak", ["Ana", "Ben", "Cem"], *start)
    assert "stay" in said(match, "together Ana: 6H / Cem: 6C")
    match = match_of("durak", ["Ana", "Ben", "Cem"], *start)
    refused = said(match, "together Ana: 6H / Cem: 8C")
    assert "8C does not match any rank on the table" in refused
    assert "stay" not in refused


@pytest.mark.parametrize(
    ("suits", "words"),
    [("CCCCCC", "none of its 6 cards is of"), ("HCCCCC", "1 of its 6 cards is of"),
     ("HHCCCC", "2 of its 6 cards are of")],
)  # fmt: skip
def test_a_kitty_agrees_with_its_trumps(suits: str, words: str) -> None:
    kitty = " ".join(rank + suit for rank, suit in zip("456789", suits, strict=True))
    match = match_of("da-ban", ["Ana", "Ben", "Cleo", "Dan"], *DA_BAN, f"kitty {kitty}")
    assert f"{words} the trump suit, hearts" in match.prompt


@pytest.mark.parametrize(
    ("before", "entry", "reason"),
    [
        ((), "kitty 4C", "the kitty has 6 cards, not 1"),
        (("dealer Ana",), "standing Ana: 99", "the tally (level) must be from 3 to 10, not 99"),
    ],
)
def test_what_da_ban_refuses_is_said_in_plain_words(
    before: tuple[str, ...], entry: str, reason: str
) -> None:
    match = match_of("da-ban", ["Ana", "Ben", "Cleo", "Dan"], *DA_BAN)
    assert reason in said(match, entry)


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ("Ana: 4D", "4D is not a card of level 3; possible: 3"),
        ("Ana: declare 4D 4D", "4D, 4D are not all cards of level 3 in one suit"),
        ("Ana: declare 3D 3D 3D 3D 3D", "3D cannot be shown 5 times: it occurs"),
    ],
)
def test_declared_cards_agree(entry: str, reason: str) -> None:
    match = match_of("da-ban", ["Ana", "Ben", "Cleo", "Dan"], "master Ana")
    entry = entry.replace("Ana: 4D", "Ana: declare 4D")
    if "declare 3D" in entry:
        match = match_of("da-ban", ["Ana", "Ben", "Cleo", "Dan"], "result points=100")
    assert reason in said(match, entry)


@pytest.mark.parametrize(
    ("dice", "words"), [(1, "Ana has 1 die, not 3"), (2, "Ana has 2 dice, not 3")]
)
def test_dice_agree_with_their_number(dice: int, words: str) -> None:
    start = (f"hand Ana: {dice}", "hand Ben: 3", "hand Cem: 3", "lead Ana", "Ana: 1x2")
    match = match_of("dudo", ["Ana", "Ben", "Cem"], *start, "Ben: dudo")
    assert "the dice of Ana, Ben and Cem are counted" in match.prompt
    assert words in said(match, "dice Ana: 2 2 2")


def test_what_a_wish_needs_is_said_in_words() -> None:
    match = match_of("doppelkopf", ["Ana", "Ben", "Cleo", "Dan"])
    reason = said(match, "Ana: neugeben")
    assert "whether they hold at least 5 cards of rank 9 or at most 2 trumps" in reason


def test_cards_that_cannot_be_in_a_hand_are_named_as_cards() -> None:
    pack = Pack(("9H", "TH"), 2)
    knowledge = Knowledge(pack, 2)
    knowledge.deal(0, 0, 1)
    with pytest.raises(ValueError, match=r"^9H 9H cannot be in this hand"):
        knowledge.note_held(0, 0, 2)
