"""Patterns of cards that a phase's row has: what they may name, and which cards they are for."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from scorekeeper.core.text import shown
from scorekeeper.ruleset.orders import bound_names, filled, kinds_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scorekeeper.core.cards import Pack
    from scorekeeper.core.types import Row
    from scorekeeper.ruleset.joint import Rules


def kinds_for(pack: Pack, pattern: str, bindings: Row) -> list[int]:
    """The kinds of card that a pattern is for, strongest first; none where a name in it is not
    bound. Raises ValueError for what names no card of the pack."""
    text = filled(pattern, bindings)
    return [] if text is None else kinds_of(pack, text)


def check_patterns(
    rules: Rules, where: str, patterns: Iterable[str], names: Mapping[str, Iterable[str]]
) -> None:
    """Report every pattern that does not match whatever its names may stand for."""
    for pattern in patterns:
        bound = bound_names([pattern])
        unknown = [name for name in bound if name not in names]
        for name in unknown:
            allowed = ", ".join(f"{{{each}}}" for each in names)
            message = f"{where}: “{shown(pattern)}”: “{shown(name)}” stands for nothing here"
            rules.fault(where, shown(pattern), allowed, message)
        if unknown:
            continue
        for values in product(*(list(names[name]) for name in bound)):
            try:
                kinds_for(rules.pack, pattern, dict(zip(bound, values, strict=True)))
            except ValueError as error:
                allowed = "a card, a rank and *, * and a suit, or *"
                rules.fault(where, shown(pattern), allowed, f"{where}: {error}")
                break
