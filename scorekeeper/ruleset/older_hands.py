"""Old words about cards, in expressions over sets of today: what a contract needs of a hand, what
makes a special point. Part of older."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.english import listed, number_of, times
from scorekeeper.ruleset.orders import SUIT_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scorekeeper.core.plain import Json, Row

TRUMPS = "trumps"
_SIGNS = {"least": ">=", "most": "<="}
# By `how`: the condition on a trick that has the point, and how often it has it.
_FOUND = {
    "trick": ("true", "1"),
    "caught": ("true", "count(trick.theirs & {cards})"),
    "winning": ("count(trick.best & {cards}) > 0", "1"),
}


def hands_needed(data: Json) -> None:
    """`[contracts] needs` as a list of which one must hold: `least 2 QC`, `most 2 trumps`."""
    for row in _rows(data, "contracts"):
        needs = row.get("needs")
        if isinstance(needs, list) and all(map(_is_need, needs)):
            row["needs"] = " or ".join(_counted(data, text) for text in needs) or "true"
            if needs:
                row.setdefault("wanted", " or ".join(map(_in_words, needs)))


def special_points(data: Json) -> None:
    """`[specials] how`, `card` and `trump`: who has the point, by which card."""
    for row in _rows(data, "specials"):
        how, card, trump = row.pop("how", None), row.pop("card", ""), row.pop("trump", False)
        if how in _FOUND:
            cards = _name(data, [card]) if card else ""
            when, count = (text.format(cards=cards) for text in _FOUND[how])
            _join(row, "when", when)
            if count != "1":
                row["count"] = count
            if cards:
                row["cards"] = cards
        if trump and row.get("cards"):
            _join(row, "counts", f"count({row['cards']} & {TRUMPS}) > 0")


def _rows(data: Row, section: str) -> list[Json]:
    rows = data.get(section)
    return [row for row in rows.values() if isinstance(row, dict)] if rows else []


def _join(row: Json, key: str, condition: str) -> None:
    """Have a condition of a row hold only where another does, too."""
    said = str(row.get(key, "true"))
    said = said.lower() if said in ("True", "False") else said
    both = [f"({each})" for each in (said, condition) if each != "true"]
    if len(both) == 2:
        row[key] = " and ".join(both)
    elif both:
        row[key] = both[0][1:-1]


def _name(data: Json, patterns: list[str]) -> str:
    """The name of these cards in [let], made where there is none."""
    named = data.setdefault("let", {})
    for name, value in named.items():
        if value == patterns:
            return str(name)
    name = f"cards_{len(named) + 1}"
    while name in named:
        name += "_"
    named[name] = patterns
    return name


# --- what a hand must have


def _is_need(text: object) -> bool:
    words = text.split() if isinstance(text, str) else []
    return len(words) > 2 and words[0] in _SIGNS and words[1].isdigit()


def _counted(data: Json, text: str) -> str:
    bound, number, *cards = text.split()
    patterns = [card for card in cards if card != TRUMPS]
    names = [_name(data, patterns)] if patterns else []
    names += [TRUMPS] if TRUMPS in cards else []
    kinds = names[0] if len(names) == 1 else f"({' | '.join(names)})"
    return f"count(dealt & {kinds}) {_SIGNS[bound]} {number}"


def _in_words(text: str) -> str:
    """A need as a sentence says it: `at least 5 cards of rank 9`, `QC at least twice`."""
    bound, number, *cards = text.split()
    at, count = f"at {bound}", int(number)
    if cards == [TRUMPS]:
        return f"{at} {number_of(count, 'trump')}"
    if len(cards) == 1 and "*" not in cards[0]:
        return f"{cards[0]} {at} {times(count)}"
    return f"{at} {number_of(count, 'card')} of {listed(_called(cards), 'or')}"


def _called(patterns: Iterable[str]) -> list[str]:
    """Patterns of cards in words."""
    return [
        (SUIT_NAMES.get(each[1:], each[1:]) or "any kind")
        if each.startswith("*")
        else (f"rank {each[:-1]}" if each.endswith("*") else each)
        for each in patterns
    ]
