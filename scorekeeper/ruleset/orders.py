"""Card orders, compiled from lists of patterns to the class and the strength of each card.

The strongest pattern is listed first. A pattern is a card (`TH`), a rank in every suit (`Q*`) or a
suit in every rank (`*D`), in the pack's order. `{name}` is replaced by a value bound during play.
Cards in a nested list have equal strength. A card uses the first pattern that it matches. All cards
that match a pattern form one class, the trumps. Every other card belongs to the class of its suit.
Within a suit, ranks follow the pack's order or the order given in the row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.cards import plain_points
from scorekeeper.core.messages import N_, tr
from scorekeeper.core.text import quote
from scorekeeper.notation.syntax import SUIT_NAMES
from scorekeeper.ruleset.tables import Parameter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from scorekeeper.core.cards import Pack
    from scorekeeper.core.types import Row

    Patterns = list[str | list[str]]

TRUMP = 0
TRUMP_NAME = N_("trump")
ORDER_ROW: Mapping[str, Parameter] = {
    "trumps": Parameter("cards", "the patterns of the trumps, strongest first", [], natural=True),
    "plain": Parameter("text", "the ranks of the other suits, strongest first", ""),
    "outside": Parameter(
        "cards",
        "cards outside the order, which satisfy every duty, never win, and stay with their player",
        [],
    ),
    "points": Parameter(
        "halves of",
        "card points in this order, by rank or card pattern; the first row that matches a card"
        " is used (default: the points of `tricks`)",
        {},
        bounds=(0, untrusted.MAX_CARD_POINTS),
    ),
}


class Order:
    """The strengths of all cards in one order.

    For each kind of card, `classes` has its class (0 for trumps), `strength` its strength, and
    `points` its card points. `points` is empty if the order has none. Strengths are comparable
    within a class, and any trump beats all other cards. `power[class]` lists the strength of each
    kind when that class was led, or -1 for a kind that cannot win. `masks[class]` is the set of all
    cards of a class, and `names[class]` is its name. `outside` are kinds that satisfy every duty,
    never win, and stay with their player.
    """

    __slots__ = ("_ladders", "classes", "masks", "names", "outside", "points", "power", "strength")

    def __init__(
        self,
        classes: list[int],
        strength: list[int],
        pack: Pack,
        names: list[str],
        points: tuple[float, ...] = (),
        outside: Iterable[int] = (),
    ) -> None:
        self.outside = frozenset(outside)
        self.classes = tuple(classes)
        self.strength = tuple(strength)
        self.names = tuple(names)
        self.points = points
        masks = [0] * len(names)
        for kind, group in enumerate(classes):
            masks[group] |= pack.column[kind]
        self.masks = tuple(masks)
        ranked = list(zip(self.classes, self.strength, strict=True))
        self.power = tuple(
            tuple([strength if each in (led, TRUMP) else -1 for each, strength in ranked])
            for led in range(len(names))
        )
        self._ladders: dict[int, tuple[tuple[int, ...], ...]] = {}

    def ladder(self, group: int) -> tuple[tuple[int, ...], ...]:
        """Return the card kinds of a class, strongest first, with equally strong kinds grouped."""
        groups = self._ladders.get(group)
        if groups is None:
            places: dict[int, list[int]] = {}
            for kind, each in enumerate(self.classes):
                if each == group:
                    places.setdefault(self.strength[kind], []).append(kind)
            groups = tuple(tuple(places[strength]) for strength in sorted(places, reverse=True))
            self._ladders[group] = groups
        return groups


class Orders:
    """The `[orders]` of a ruleset. Each is compiled when first needed, once for each set of
    bindings."""

    __slots__ = ("_cache", "_names", "pack", "rows")

    def __init__(self, pack: Pack, rows: Mapping[str, Row]) -> None:
        self.pack = pack
        self.rows = rows
        self._cache: dict[tuple[str, ...], Order] = {}
        self._names = {
            name: bound_names([*row["trumps"], *row["points"]]) for name, row in rows.items()
        }

    def get(self, name: str, bindings: Row) -> Order:
        """Return the order with that name for these bindings. Raises KeyError for an unknown name.

        A pattern that contains an unbound name matches no card.
        """
        key = (name, *[str(bindings.get(bound, "")) for bound in self._names[name]])
        order = self._cache.get(key)
        if order is None:
            row = self.rows[name]
            points = points_by_kind(self.pack, row["points"], bindings) if row["points"] else ()
            outside = [
                k
                for text in iter_patterns(row["outside"])
                for k in _match_bound(self.pack, text, {})
            ]
            order = compile_order(self.pack, row["trumps"], row["plain"], bindings, points, outside)
            self._cache[key] = order
        return order

    def unmatched_patterns(self) -> Iterator[tuple[str, str]]:
        """Return the patterns that have matched no card so far, as pairs of order and pattern.

        Either their names were never bound, or earlier patterns matched their cards first.
        Orders that were never used are left out.
        """
        unused: dict[tuple[str, str], bool] = {}
        for name, *values in self._cache:
            bindings = {
                key: value for key, value in zip(self._names[name], values, strict=True) if value
            }
            placed: set[int] = set()
            for pattern in iter_patterns(self.rows[name]["trumps"]):
                fresh = set(_match_bound(self.pack, pattern, bindings)) - placed
                unused[name, pattern] = unused.get((name, pattern), True) and not fresh
                placed |= fresh
        return (each for each, never in unused.items() if never)

    @property
    def used_names(self) -> frozenset[str]:
        """The names of the orders that have been used so far."""
        return frozenset(key[0] for key in self._cache)


def bound_names(patterns: Patterns) -> list[str]:
    """Return the names in braces in these patterns, each listed once."""
    names: dict[str, None] = {}
    for pattern in patterns:
        for text in [pattern] if isinstance(pattern, str) else pattern:
            for piece in text.split("{")[1:]:
                names[piece.partition("}")[0]] = None
    return list(names)


def iter_patterns(patterns: Iterable[str | list[str]]) -> Iterator[str]:
    """Yield each pattern, including those in nested lists."""
    for pattern in patterns:
        yield from [pattern] if isinstance(pattern, str) else pattern


def suit_name(suit: str) -> str:
    """Return the name of a suit for use in a sentence, given its letter."""
    return tr(SUIT_NAMES.get(suit, suit))


def list_patterns(pack: Pack) -> frozenset[str]:
    """Return all valid patterns that contain no names in braces."""
    ranks, suits = [f"{rank}*" for rank in pack.ranks], [f"*{suit}" for suit in pack.suits]
    return frozenset({"*", *pack.kinds, *ranks, *suits})


def match_kinds(pack: Pack, text: str) -> list[int]:
    """Return the card kinds that a pattern matches, strongest first. Raises ValueError if it
    matches none.

    >>> from scorekeeper.core.cards import Pack
    >>> pack = Pack.make(["A", "K"], ["H", "S"], [], 1)
    >>> match_kinds(pack, "K*"), match_kinds(pack, "*S")
    ([1, 3], [2, 3])
    """
    if text in pack.index:
        return [pack.index[text]]
    suited = pack.suited
    if text == "*":
        return suited
    if text[-1:] == "*":
        kinds = [kind for kind in suited if pack.rank[kind] == text[:-1]]
    elif text[:1] == "*":
        kinds = [kind for kind in suited if pack.suit[kind] == text[1:]]
    else:
        kinds = []
    if not kinds:
        raise ValueError(f"“{quote(text)}” names no card of the pack")
    return kinds


def fill_pattern(pattern: str, bindings: Row) -> str | None:
    """Return a pattern with its names filled in, or None if a name is not bound.

    >>> fill_pattern("*{suit}", {"suit": "H"}), fill_pattern("*{suit}", {})
    ('*H', None)
    """
    head, *rest = pattern.split("{")
    parts = [head]
    for piece in rest:
        name, _, tail = piece.partition("}")
        value = bindings.get(name)
        if value is None:
            return None
        parts += ["T" if str(value) == "10" else str(value), tail]
    return "".join(parts)


def points_by_kind(pack: Pack, rows: Mapping[str, float], bindings: Row) -> tuple[float, ...]:
    """Return the points for each card kind, from a table whose keys are ranks or patterns.

    If several rows match a card, the first one decides.
    """
    worth: dict[int, float] = {}
    for pattern, points in rows.items():
        for kind in _match_bound(pack, points_pattern(pattern), bindings):
            worth.setdefault(kind, plain_points(points))
    return tuple(worth.get(kind, 0) for kind in range(pack.kind_count))


def points_pattern(text: str) -> str:
    """Return the pattern for a key in a card point table. A rank alone means every card of that
    rank."""
    return text if len(text) > 1 or text == "*" else f"{text}*"


def compile_order(
    pack: Pack,
    patterns: Patterns,
    plain: str,
    bindings: Row | None = None,
    points: tuple[float, ...] = (),
    outside: Iterable[int] = (),
) -> Order:
    """Return the compiled form of one order. A pattern that names an unknown card matches no
    card."""
    suits = pack.suits
    jokers = [kind for kind, suit in enumerate(pack.suit) if not suit]
    names = [
        TRUMP_NAME,
        *(SUIT_NAMES.get(suit, suit) for suit in suits),
        *(pack.kinds[kind] for kind in jokers),
    ]
    classes = [
        1 + (suits.index(suit) if suit else len(suits) + jokers.index(kind))
        for kind, suit in enumerate(pack.suit)
    ]
    strength = _plain_strengths(pack, plain)
    groups = list(_trump_groups(pack, patterns, bindings or {}))
    top = pack.kind_count + len(groups)
    placed: set[int] = set()
    for group in groups:
        fresh = [kind for kind in group if kind not in placed]
        for kind in fresh:
            classes[kind], strength[kind] = TRUMP, top
        placed.update(fresh)
        top -= 1
    for kind in outside:  # each of these kinds is a class of its own, so that no card can follow it
        classes[kind], strength[kind] = len(names), 0
        names.append(pack.kinds[kind])
    return Order(classes, strength, pack, names, points, outside)


def _trump_groups(pack: Pack, patterns: Patterns, bindings: Row) -> Iterable[list[int]]:
    for pattern in patterns:
        if isinstance(pattern, str):
            yield from ([kind] for kind in _match_bound(pack, pattern, bindings))
        else:
            yield [kind for text in pattern for kind in _match_bound(pack, text, bindings)]


def match_cards(pack: Pack, patterns: Patterns, bindings: Row) -> int:
    """Return the set of cards (every copy) that the patterns match with these bindings."""
    kinds = {
        kind for text in iter_patterns(patterns) for kind in _match_bound(pack, text, bindings)
    }
    return pack.all_copies(sum(pack.bit[kind] for kind in kinds))


def _match_bound(pack: Pack, pattern: str, bindings: Row) -> list[int]:
    text = fill_pattern(pattern, bindings)
    try:
        return [] if text is None else match_kinds(pack, text)
    except ValueError:
        return []


def _plain_strengths(pack: Pack, ranks: str) -> list[int]:
    """Return the strength of each kind within its suit. Stronger kinds have higher numbers."""
    if not ranks:
        return [pack.kind_count - kind for kind in range(pack.kind_count)]
    listed = ranks.split()
    place = {rank: len(listed) - index for index, rank in enumerate(listed)}
    return [place.get(rank, 0) for rank in pack.rank]
