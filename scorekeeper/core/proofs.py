"""How a proof is told: by the card that shows it, or by counting.

A card that was shown convicts by itself, with the entry it contradicts. A proof by counting rests
on every entry since, and on nobody's card in particular: it says what is accounted for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.english import accounted_for, number_of

if TYPE_CHECKING:
    from scorekeeper.core.questions import Proof


def shown(first: int, second: int, text: str) -> str:
    """The evidence of entry `second` (its `text`) against entry `first`, with its doubt."""
    return f"{second} ({text}) shows it, unless {first} or {second} is mistyped"


def counted(proof: Proof, cards: str, who: str, first: int, second: int) -> str:
    """The evidence by counting, complete with entry `second`, against entry `first` by `who`;
    `cards` is what the set is called."""
    if proof.together:
        return (
            f"since entry {second} the cards that nobody has seen cannot lie so that it was"
            " allowed, unless one of the entries is mistyped"
        )
    known = _accounted(proof, cards, who)
    if proof.broken_above:
        held = f"at least {proof.least}" if proof.least > 1 else "one"
    else:
        held = f"at most {proof.most}" if proof.most else "none"
    return (
        f"since entry {second} {known}, so {who} held {held} at {first},"
        " unless one of the entries is mistyped"
    )


def _accounted(proof: Proof, cards: str, who: str) -> str:
    unseen = proof.inside + proof.outside
    if proof.loose == unseen or not (proof.broken_above or proof.inside):
        return accounted_for(proof.mask.bit_count(), cards)
    if proof.broken_above:
        few = f"only {number_of(unseen, 'card is', 'cards are')} unseen"
        mine = number_of(proof.loose, "is", "are")
        return f"{few}, {proof.inside} of them {cards}, and {mine} {who}'s"
    if not proof.loose:
        return f"every card that {who} held is known"
    return f"all but {proof.loose} of the cards that {who} held are known"


def among(second: int) -> str:
    """The evidence, complete with entry `second`, that of several entries one broke a rule."""
    return (
        f"since entry {second} the cards that nobody has seen cannot lie so that all of them were"
        " allowed, unless one of the entries is mistyped"
    )
