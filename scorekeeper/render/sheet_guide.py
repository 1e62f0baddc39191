"""What counts, as it stands below a sheet that is to be written on: what the rows of a ruleset say
in numbers. What takes more to say is in the rules."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scorekeeper.core.messages import plural, tr
from scorekeeper.play.facts import signed
from scorekeeper.ruleset.orders import suit_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorekeeper.core.types import Row
    from scorekeeper.ruleset.compiled import Ruleset

    Pairs = list[tuple[str, str]]

# So many points for each of something that a side, or one of two, has.
_EACH = re.compile(r"(?:(\d+) \* )?(?:\w+\.)?(\w+)( [+-] \w+\.\2)?")
# A number that something is compared with.
_BOUND = re.compile(r"([a-z_]+(?:\.[a-z_]+)?) (<=|<|>=|>) (\d+)")
_WRITTEN = {"<=": "≤", ">=": "≥"}
_BRACED = re.compile(r"\{(\w+)\}")


def guide(rules: Ruleset) -> Sequence[tuple[str, Pairs]]:
    """Headings, each with what it is worth; none for what the ruleset has not."""
    found = [
        (tr("What counts"), _once(_scores(rules))),
        (tr("Contracts"), _contracts(rules)),
        (tr("Announcements"), _holdings(rules)),
        (tr("Calls"), _calls(rules)),
        (tr("Card points"), _cards(rules)),
        (tr("The match"), _match(rules)),
    ]
    return [(heading, pairs) for heading, pairs in found if pairs]


def _once(pairs: Iterator[tuple[str, str]]) -> Pairs:
    """Each row once, of those that are worth a number."""
    return [(label, worth) for label, worth in dict.fromkeys(pairs) if worth]


def _scores(rules: Ruleset) -> Iterator[tuple[str, str]]:
    rows: Row = rules.data.get("scores", {})
    for row in rules.scores:
        given = rows.get(row.name, {})
        label = rules.said(row.label)
        bound = _BOUND.fullmatch(str(given.get("when", "")))
        if bound is not None and not any(letter.isdigit() for letter in label):
            of = ": ".join(rules.said(word) for word in bound[1].split("."))
            label = f"{label} ({of} {_WRITTEN.get(bound[2], bound[2])} {bound[3]})"
        yield label, rules.said(given["worth"]) if given.get("worth") else _worth(given)


def _worth(row: Row) -> str:
    """What a row gives, where that is a number."""
    if "factor" in row:
        return f"×{row['factor']}" if type(row["factor"]) is int else ""
    points = row.get("points")
    if type(points) is int:
        return signed(points)
    each = _EACH.fullmatch(str(points))
    if each is None or not (each[1] or each[3]):
        return ""
    return tr("{points} each", points=signed(int(each[1] or 1)))


def _contracts(rules: Ruleset) -> Pairs:
    rows: Row = rules.data.get("contracts", {})
    numbers = {name: list(row.get("is", {}).values()) for name, row in rows.items()}
    return [
        (rules.spoken(name), str(values[0]))
        for name, values in numbers.items()
        if len(values) == 1 and type(values[0]) is int
    ]


def _holdings(rules: Ruleset) -> Pairs:
    rows: Row = rules.data.get("holdings", {})
    return [
        (rules.spoken(name), signed(row["points"]))
        for name, row in rows.items()
        if type(row.get("points")) is int and row["points"]
    ]


def _calls(rules: Ruleset) -> Pairs:
    """Each call, with how many cards must be left to make it."""
    rows: Row = rules.data.get("calls", {})
    return [
        (
            rules.spoken(name),
            plural("with {count} card or more", "with {count} cards or more", row["cards"]),
        )
        for name, row in rows.items()
        if type(row.get("cards")) is int
    ]


def _cards(rules: Ruleset) -> Pairs:
    rows = [*rules.data["phases"].values(), *rules.data.get("orders", {}).values()]
    found: dict[str, str] = {}
    tables = [row["points"] for row in rows if isinstance(row.get("points"), dict)]
    for card, points in (pair for table in tables for pair in table.items()):
        found.setdefault(_card(rules, card), str(points))
    return list(found.items())


def _card(rules: Ruleset, pattern: str) -> str:
    """What a pattern of cards is called."""
    if pattern.startswith("*") and pattern[1:] in rules.pack.suits:
        return suit_name(pattern[1:])
    return _BRACED.sub(lambda name: f" ({rules.said(name[1])})", pattern)


def deals_of(rules: Ruleset) -> int:
    """After how many deals a match ends, where that is said by a number; else 0."""
    found = _BOUND.fullmatch(str(rules.match["ends"]))
    return int(found[3]) if found is not None and found[1] + found[2] == "deals>=" else 0


def _match(rules: Ruleset) -> Pairs:
    """When it ends, and who wins it."""
    name = rules.said(rules.tally["name"])
    best = {
        "most": tr("the most: {name}", name=name),
        "fewest": tr("the fewest: {name}", name=name),
        "last": tr("the last one in"),
    }
    return [*_ends(rules, name), (tr("wins"), best[rules.match["wins"]])]


def _ends(rules: Ruleset, name: str) -> Iterator[tuple[str, str]]:
    deals, found = deals_of(rules), _BOUND.fullmatch(str(rules.match["ends"]))
    if deals:
        yield tr("ends"), plural("after {count} deal", "after {count} deals", deals)
    elif found is not None and found[1] == "tally.most" and found[2] == ">=":
        yield tr("ends"), tr("at {number} ({name})", number=found[3], name=name)
