"""From the text that a match has pinned to a compiled ruleset: what every command on a match needs
of the rules, without the files that they came from."""

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
# What was compiled in this process, by its text, with what that was said to say: a ruleset never
# changes.
_pinned: dict[tuple[str, str], tuple[Row | None, Ruleset]] = {}


def cache_value(known: dict[K, V], key: K, value: V) -> V:
    """Keep what was compiled, and not too much of it."""
    if len(known) >= MAX_CACHED:
        known.clear()
    known[key] = value
    return value


def pinned(text: str, sha256: str, data: Row | None = None) -> Ruleset:
    """The ruleset of a text that a match has pinned under that SHA-256: compiled, not checked
    again. `data` is what the text says, where that is known. Raises Damaged when it cannot be
    compiled."""
    known = _pinned.get((text, sha256))
    if known is not None and known[0] == data:  # another book may say that it says something else
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
    """A pinned table in the words of today. Raises Damaged where nobody reads its words; a version
    that is no number is for the check to tell."""
    version = data.get("language", 1)  # early versions of the program did not say it
    if type(version) is not int:
        return dict(data)
    table = tables.VERSIONS.upgrade(tr("the ruleset of this match"), dict(data), version)
    return _with_dealing(table)


def _with_dealing(table: Json) -> Json:
    """Who deals next, as the third version said it at first: `[phases.auction] nobody = "again"`,
    and `[phases.bouts] undecided`, of void deals too."""
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
