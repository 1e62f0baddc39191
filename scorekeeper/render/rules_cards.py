"""The pack of a ruleset and its card orders, as lists of cards, strongest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import listed, number_of
from scorekeeper.render.rules_keys import facts_of
from scorekeeper.ruleset.orders import ROW, TRUMP, bound_names, suit_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorekeeper.core.cards import Pack
    from scorekeeper.core.types import Row
    from scorekeeper.ruleset.compiled import Ruleset
    from scorekeeper.ruleset.orders import Order

Facts = list[tuple[str, str]]


def pack_facts(rules: Ruleset) -> Facts:
    """What is in the pack."""
    pack = rules.pack
    jokers = [pack.kinds[kind] for kind, suit in enumerate(pack.suit) if not suit]
    each = "one of each" if pack.copies == 1 else f"{pack.copies} of each"
    facts = [("cards", f"{pack.total}, {each}")]
    if pack.suited:
        facts.append(("ranks, strongest first", " ".join(pack.ranks)))
        facts.append(("suits", listed([f"{suit_name(suit)} ({suit})" for suit in pack.suits])))
    if jokers:
        facts.append(("without a suit", " ".join(jokers)))
    worth = rules.card_points()
    if any(worth):
        facts += _worth(pack, worth)
    return facts


def _worth(pack: Pack, worth: Sequence[int]) -> Iterator[tuple[str, str]]:
    """The points of cards: by rank where all suits have the same."""
    by_points: dict[int, list[str]] = {}
    for rank in dict.fromkeys(pack.rank):
        kinds = [kind for kind in range(pack.size) if pack.rank[kind] == rank]
        if len({worth[kind] for kind in kinds}) == 1:
            by_points.setdefault(worth[kinds[0]], []).append(rank)
        else:
            for kind in kinds:
                by_points.setdefault(worth[kind], []).append(pack.kinds[kind])
    total = sum(worth) * pack.copies
    said = [f"{' '.join(by_points[points])} {points}" for points in sorted(by_points, reverse=True)]
    yield "card points", f"{', '.join(said)}; {number_of(total, 'point')} in all"


def order_facts(rules: Ruleset, name: str, row: Row) -> Facts:
    """What beats what in an order, class by class; what is bound during play in words."""
    patterns = row.get("trumps", [])
    facts: Facts = []
    order = rules.orders.get(name, {})
    if not bound_names(patterns):
        facts += _classes(rules.pack, order)
    else:
        facts.append(
            (
                "trumps, strongest first",
                "; ".join(_bound(each, not at) for at, each in enumerate(patterns)),
            )
        )
        facts.append(("in the other suits", row.get("plain") or " ".join(rules.pack.ranks)))
    if row.get("points"):
        said = ", ".join(f"{card} {points}" for card, points in row["points"].items())
        facts.append(("card points", said))
    if row.get("outside"):
        facts.append(("outside the order", listed([str(each) for each in row["outside"]])))
    return [*facts, *facts_of(row, {}, tuple(ROW))]


def _classes(pack: Pack, order: Order) -> Facts:
    """The cards of each class, strongest first; suits in which the same ranks are left together."""
    alike: dict[str, list[str]] = {}
    trumps = ""
    for group, called in enumerate(order.names):
        kinds = [kind for kind in range(pack.size) if order.classes[kind] == group]
        kinds.sort(key=lambda kind: -order.strength[kind])
        if group == TRUMP:
            trumps = _levels(order, kinds, pack.kinds)
        elif kinds and pack.suit[kinds[0]]:
            alike.setdefault(_levels(order, kinds, pack.rank), []).append(called)
    facts = [("trumps, strongest first", trumps or "none")]
    return facts + [(listed(suits), cards) for cards, suits in alike.items()]


def _levels(order: Order, kinds: list[int], names: tuple[str, ...]) -> str:
    """Cards from the strongest on; equal ones joined by `=`."""
    levels: dict[int, list[str]] = {}
    for kind in kinds:
        levels.setdefault(order.strength[kind], []).append(names[kind])
    return " ".join(" = ".join(cards) for cards in levels.values())


def _bound(pattern: object, first: bool = False) -> str:
    """A pattern with names that are bound during play, in words; of cards that a pattern before it
    names too, the rest are left."""
    if isinstance(pattern, list):
        said = ", ".join(_bound(each, first) for each in pattern)
        return f"{said} (all equal)"
    text = str(pattern)
    at = text.rfind("{") if text.endswith("}") else len(text) - 1
    rank, suit = (_named(part) for part in (text[:at], text[at:]))
    if "*" not in text and "{" not in text:
        return text
    if not rank:
        return suit
    if text[at:] == "*":
        return f"{rank} of any suit" if text[:at] != "*" else "any card"
    if text[:at] == "*":
        return f"all of {suit}" if first else f"the rest of {suit}"
    return f"{rank} of {suit}"


def _named(part: str) -> str:
    return f"the {part[1:-1]}" if part.startswith("{") and part.endswith("}") else suit_name(part)
