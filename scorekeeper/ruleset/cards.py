"""Whether a ruleset's pack can be made, before anything is built."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.text import shown
from scorekeeper.ruleset.orders import SUIT_NAMES

if TYPE_CHECKING:
    from scorekeeper.core.types import Row
    from scorekeeper.ruleset.parameters import Report

SUIT_LETTERS = " ".join(SUIT_NAMES)
_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")


def check_pack(row: Row, report: Report) -> None:
    """Report ranks, suits and jokers of which no pack can be made, and a pack that is too large."""
    ranks, suits = row["ranks"].split(), row["suits"].split()
    for rank in ranks:
        if not (_LETTERS.issuperset(rank) and len(rank) <= untrusted.RANK_NAME):
            allowed = f"1 to {untrusted.RANK_NAME} capital letters or digits"
            report("pack.ranks", shown(rank), allowed, f"pack.ranks: a rank is {allowed}")
    for suit in suits:
        if suit not in SUIT_NAMES:
            message = f"pack.suits: suits are of {SUIT_LETTERS}"
            report("pack.suits", shown(suit), SUIT_LETTERS, message)
    for joker in row["jokers"]:
        if not (_LETTERS.issuperset(joker) and 2 <= len(joker) <= 10) or joker[-1] in SUIT_NAMES:
            allowed = f"2 to 10 capital letters or digits, the last of them none of {SUIT_LETTERS}"
            report("pack.jokers", shown(joker), allowed, f"pack.jokers: a joker is {allowed}")
    if bool(ranks) != bool(suits) or not (ranks or row["jokers"]):
        message = "pack: there are no cards in it"
        report("pack.ranks", "no ranks or suits", "ranks and suits, or jokers", message)
    for key, found in (("ranks", ranks), ("suits", suits), ("jokers", row["jokers"])):
        twice = sorted({each for each in found if found.count(each) > 1})
        if twice:
            report(f"pack.{key}", shown(" ".join(twice)), "each once", f"pack.{key} says it twice")
    for key, found, most in (
        ("ranks", ranks, untrusted.RANKS),
        ("jokers", row["jokers"], untrusted.JOKERS),
    ):
        if len(found) > most:
            message = f"pack.{key}: there are too many"
            report(f"pack.{key}", f"{len(found)} of them", f"at most {most}", message)
    total = (len(ranks) * len(suits) + len(row["jokers"])) * row["copies"]
    if total > untrusted.CARDS:
        message = "pack: there are too many cards in it"
        report("pack.copies", f"{total} cards", f"at most {untrusted.CARDS}", message)
