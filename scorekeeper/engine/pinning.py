"""Compile the ruleset text that a match has pinned.

Commands on a match need no other files of the rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from scorekeeper.core.errors import Damaged
from scorekeeper.core.messages import tr
from scorekeeper.core.text import quote
from scorekeeper.engine.ruleset import Ruleset
from scorekeeper.ruleset import tables
from scorekeeper.ruleset.tables import SAME

if TYPE_CHECKING:
    from scorekeeper.core.types import Json, Row

K = TypeVar("K")
V = TypeVar("V")

MAX_CACHED = 50
# Rulesets compiled in this process, by text and SHA-256, with the parsed data. They are immutable.
_pinned: dict[tuple[str, str], tuple[Row | None, Ruleset]] = {}


def cache_value(known: dict[K, V], key: K, value: V) -> V:
    """Cache a value, and empty the cache when it is full. Return the value."""
    if len(known) >= MAX_CACHED:
        known.clear()
    known[key] = value
    return value


def pinned(text: str, sha256: str, data: Row | None = None) -> Ruleset:
    """Return the ruleset of a text that a match has pinned under that SHA-256.

    The text is compiled and not checked again. `data` is its parsed form if it is known. Raises
    Damaged if it cannot be compiled.
    """
    known = _pinned.get((text, sha256))
    if known is not None and known[0] == data:  # the data may come from a different book
        return known[1]
    table = data
    if not table:
        from scorekeeper.ruleset.sources import unpin

        table = unpin(text)
    try:
        ruleset = Ruleset(current_form(table), text, sha256)
    except (KeyError, TypeError, ValueError, AttributeError, AssertionError) as error:
        raise Damaged(
            tr("the pinned ruleset cannot be compiled: {fault}", fault=quote(repr(error), 120))
        ) from None
    return cache_value(_pinned, (text, sha256), (data, ruleset))[1]


def current_form(data: Row) -> Json:
    """Return a pinned table in the current language version.

    Raises Damaged for a version that is not supported. A version that is no number is left to the
    check.
    """
    version = data.get("language", 1)  # early versions did not write it
    if type(version) is not int:
        return dict(data)
    table = tables.VERSIONS.upgrade(tr("the ruleset of this match"), dict(data), version)
    return _with_dealing(table)


def _with_dealing(table: Json) -> Json:
    """Move early forms of “who deals next” to `deal.after_void` and to the word for the same
    dealer."""
    phases, deal = table.get("phases"), table.get("deal", {})
    if not isinstance(phases, dict) or not isinstance(deal, dict):
        return table
    auction, bouts = (phases.get(name) for name in ("auction", "bouts"))
    if isinstance(auction, dict) and auction.get("nobody") == "again":
        phases = {**phases, "auction": {**auction, "nobody": SAME}}
    if isinstance(bouts, dict) and "undecided" in bouts:
        rest = {key: value for key, value in bouts.items() if key != "undecided"}
        phases = {**phases, "bouts": rest}
        deal = {**deal, "after_void": bouts["undecided"]}
    return {**table, "phases": phases, "deal": deal} if deal else {**table, "phases": phases}
