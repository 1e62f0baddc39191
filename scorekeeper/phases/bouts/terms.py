"""What a ruleset sets of its bouts, ready for use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.phases.bouts.keys import IN_PACK, MOST, NAME, NOBODY
from scorekeeper.ruleset.amounts import amount

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scorekeeper.core.cards import Pack
    from scorekeeper.core.types import Row
    from scorekeeper.ruleset.amounts import Amount
    from scorekeeper.ruleset.joint import Joint, Rules


class Terms:
    """The settings of the bouts, and the cards by rank and suit. Compiled once, never changed.

    `row`: the settings as they are written, see keys.py. `out_at_once`: an attacker who lays their
    last card is out, though the bout goes on. `limited`: attacks are, by the cards that the
    defender held when they became it, or holds at the moment (`limit_now`). `adders`: who may add
    attacks. `take_ends`: a defender who says that they take ends the bout. `may_draw`: a deal can
    end without a loser. `rank` and `suit` are those of each kind of card: a rank is a number, the
    highest is 0, and `ranks` are their names. `fill`, `most` and `at_once` may be expressions:
    each is asked of a round and the state of its bouts.
    """

    fill: Amount
    most: Amount
    at_once: Amount

    __slots__ = (
        *("at_once", "fill", "limit_now", "may_draw", "most", "out_at_once"),
        *("_trumps", "adders", "limited", "rank", "ranks", "row", "suit", "take_ends"),
    )

    def __init__(self, row: Row, pack: Pack) -> None:
        self.row = row
        names = [kind[:-1] or kind for kind in pack.kinds]
        self.ranks = list(dict.fromkeys(names))
        self.rank = [self.ranks.index(name) for name in names]
        self.suit = [kind[-1] for kind in pack.kinds]
        self._trumps: dict[str, list[int]] = {}
        self.out_at_once = row["out"] == "at-once"
        self.limited, self.limit_now = row["limit"] != "none", row["limit"] == "now"
        self.adders: str = row["adders"]
        self.take_ends = row["take"] == "at-once"
        # An attacker who is out at once leaves somebody behind who is not.
        self.may_draw = row["nobody"] == NOBODY and not self.out_at_once

    def link(self, rules: Rules) -> None:
        """Compile the numbers, when all measures are there."""
        for key, bounds in (("fill", IN_PACK), ("most", MOST), ("at_once", IN_PACK)):
            setattr(self, key, amount(rules, self.row[key], f"phases.{NAME}.{key}", bounds))

    def trumps(self, trump: str) -> list[int]:
        """The cards of a trump suit, the lowest first."""
        if trump not in self._trumps:
            kinds = [kind for kind, suit in enumerate(self.suit) if suit == trump]
            self._trumps[trump] = sorted(kinds, key=lambda kind: -self.rank[kind])
        return self._trumps[trump]

    def ranks_in(self, mask: int) -> list[str]:
        """The names of the ranks in a mask, the highest first."""
        return [name for rank, name in enumerate(self.ranks) if mask >> rank & 1]

    def ranks_of(self, kinds: Iterable[int]) -> int:
        """The mask of these cards' ranks."""
        mask = 0
        for kind in kinds:
            mask |= 1 << self.rank[kind]
        return mask


def deals_played(rnd: Joint) -> int:
    """How many deals of the match are over, void ones not counted."""
    return int(rnd.kept(NAME).get("deals", 0))
