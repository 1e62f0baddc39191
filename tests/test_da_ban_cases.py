"""Da Ban compared with cases from other sources that agree with its rules.

A case states a rule, not a deal. A level below the lowest of this game, or a card that would occur
too often, is replaced by cards with the same relation.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scorekeeper import Illegal, Match, load_ruleset
from tests.da_ban_reference import CODES, FOUR, strength
from tests.helpers import listed

RULES = load_ruleset("da-ban")
PATH = Path(__file__).parent / "cases" / "da_ban_tricks.jsonl"
ROWS = [json.loads(line) for line in PATH.read_text("utf-8").splitlines()]
TRUE = [row for row in ROWS if row["agrees_with_seed"] is True]


def of(kind: str) -> list[Any]:
    """Return the cases of a kind that must hold."""
    return [pytest.param(row, id=row["id"]) for row in TRUE if row["kind"] == kind]


def lifted(row: dict[str, Any]) -> dict[str, Any]:
    """Return a case of level 2 at level 3: threes replace its twos, sevens its threes."""
    if row.get("level") != "2":
        return row

    def card(code: str) -> str:
        return {"2": "3", "3": "7"}.get(code[0], code[0]) + code[1]

    def cards(value: Any) -> Any:
        return card(value) if isinstance(value, str) else [cards(item) for item in value]

    moved = {key: cards(row[key]) for key in row if key in CARDS}
    return {**row, **moved, "level": "3"}


CARDS = ("lower", "higher", "led", "hand", "play", "plays", "cards")


def table(row: dict[str, Any], *entries: str) -> Match:
    """Return the middle of a deal with this trump and level, in which Ana leads."""
    found = Match(RULES, FOUR)
    for text in (f"standing Ana: {row['level']}", f"trump {row['trump']}", "lead Ana", *entries):
        found.record(text)
    return found


def filler(row: dict[str, Any], used: list[str], count: int) -> list[str]:
    """Return cards that win nothing: no trumps, not of the led class, and unused so far."""
    trump, level = row["trump"], row["level"]
    led = strength(row["led"][0], trump, level)[0]
    idle = [c for c in CODES if strength(c, trump, level)[0] not in ("trump", led)]
    return [card for card in idle if card not in used][:count]


@pytest.mark.parametrize("row", of("card_order"))
def test_card_order(row: dict[str, Any]) -> None:
    row = lifted(row)
    row["led"] = [row["lower"]]
    others = filler(row, [], 2)
    found = table(row, *(f"hand {name}: 1" for name in FOUR), f"Ana: {row['lower']}")
    for name, card in zip(FOUR[1:], [row["higher"], *others], strict=True):
        found.record(f"{name}: {card}")
    assert won(found) == "Ben"


def won(found: Match) -> str:
    """Return the name of the player who took the only trick."""
    players = found.state["players"]
    return next(name for name in FOUR if players[name]["tricks"])


@pytest.mark.parametrize("row", of("trick_winner"))
def test_trick_winner(row: dict[str, Any]) -> None:
    row = lifted(row)
    plays = [list(play) for play in row["plays"]]
    size = len(row["led"])
    while len(plays) < len(FOUR):
        plays.append(filler(row, [card for play in plays for card in play], size))
    found = table(row, *(f"hand {name}: {size}" for name in FOUR))
    for name, cards in zip(FOUR, plays, strict=True):
        found.record(f"{name}: {' '.join(cards)}")
    assert won(found) == FOUR[row["seed_winner"]]
    taken = sum(player["points"] for player in found.state["players"].values())
    assert taken >= row["seed_points"]


def other_lead(row: dict[str, Any]) -> list[str]:
    """Return the lead, as a card of its class that is not in the hand."""
    trump, level, led = row["trump"], row["level"], row["led"]
    group = strength(led[0], trump, level)[0]
    for card in [led[0], *CODES]:
        free = row["hand"].count(card) + len(led) <= RULES.pack.copies
        if free and strength(card, trump, level)[0] == group:
            return [card] * len(led)
    raise AssertionError(row["id"])


@pytest.mark.parametrize("row", of("follow_legal"))
def test_follow(row: dict[str, Any]) -> None:
    row = lifted(row)
    assert len(set(row["led"])) == 1
    found = table(row, f"hand Ben: {' '.join(row['hand'])}")
    found.record(f"Ana: {' '.join(other_lead(row))}")
    ruling = found.judge(f"Ben: {' '.join(row['play'])}")
    assert ruling.verdict == ("legal" if row["seed_legal"] else "illegal")
    if not row["seed_legal"]:
        assert [finding.code for finding in ruling.findings] == ["tricks.follow"]
    line = listed(found.legal(), ruling.entry)
    assert line if row["seed_legal"] else line in ("", "Ben: …")


@pytest.mark.parametrize("row", of("is_combo"))
def test_what_may_be_led(row: dict[str, Any]) -> None:
    row = lifted(row)
    found = table(row, *(f"hand {name}: 6" for name in FOUR))
    verdict = found.judge(f"Ana: {' '.join(row['cards'])}").verdict
    assert verdict == ("illegal" if row["combo"] == "none" else "legal")


@pytest.mark.parametrize("row", of("points"))
def test_points(row: dict[str, Any]) -> None:
    for card, worth in row["expected"].items():
        rest = [f"{name}: 4{card[1]}" for name in FOUR[1:]]
        hands = [f"hand {name}: 1" for name in FOUR]
        found = table({"level": 9, "trump": "H"}, *hands, f"Ana: {card}", *rest)
        assert found.state["players"]["Ana"]["points"] == worth


@pytest.mark.parametrize("row", of("declaration"))
def test_declaration(row: dict[str, Any]) -> None:
    """Check that two declared cards are beaten by three of another suit, but not by two."""
    assert "2x2S" in row["fact"]
    found = Match(RULES, FOUR)
    for text in ("master Ana", "result points=125", "Ana: declare 3S 3S", "Ben: declare 3C 3C"):
        found.record(text)
    assert found.state["bindings"]["trump"] == "S"
    found.record("Ben: declare 3C")
    assert found.state["bindings"]["trump"] == "C"


def test_every_case_that_agrees_is_here() -> None:
    kinds = {row["kind"] for row in TRUE}
    tested = {"card_order", "trick_winner", "follow_legal", "is_combo", "points", "declaration"}
    assert kinds <= tested


def test_other_houses_leads_are_refused() -> None:
    """Check that tractors and throws are refused as leads. The cases hold elsewhere, not here."""
    found = table({"level": "9", "trump": "H"}, *(f"hand {name}: 6" for name in FOUR))
    for cards in ("5S 5S 6S", "5S 6S"):
        with pytest.raises(Illegal):
            found.record(f"Ana: {cards}")
