"""How a proof is told: by the card that shows it, or by counting.

A card that was shown convicts by itself, with the entry it contradicts. A proof by counting rests
on every entry since, and on nobody's card in particular: it says what is accounted for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import accounted_for, plural, tr

if TYPE_CHECKING:
    from scorekeeper.core.open_claims import Proof


def shown(first: int, second: int, text: str) -> str:
    """The evidence of entry `second` (its `text`) against entry `first`, with its doubt."""
    return tr(
        "{second} ({text}) shows it, unless {first} or {second} is mistyped",
        second=second,
        text=text,
        first=first,
    )


def counted(proof: Proof, cards: str, who: str, first: int, second: int) -> str:
    """The evidence by counting, complete with entry `second`, against entry `first` by `who`;
    `cards` is what the set is called."""
    if proof.together:
        return tr(
            "since entry {second} the cards that nobody has seen cannot lie so "
            "that it was allowed, unless one of the entries is mistyped",
            second=second,
        )
    known = _accounted(proof, cards, who)
    if proof.broken_above:
        held = tr("at least {count}", count=proof.least) if proof.least > 1 else tr("one")
    else:
        held = tr("at most {count}", count=proof.most) if proof.most else tr("none")
    return tr(
        "since entry {second} {known}, so {who} held {held} at {first}, unless "
        "one of the entries is mistyped",
        second=second,
        known=known,
        who=who,
        held=held,
        first=first,
    )


def _accounted(proof: Proof, cards: str, who: str) -> str:
    unseen = proof.inside + proof.outside
    if proof.loose == unseen or not (proof.broken_above or proof.inside):
        return accounted_for(proof.mask.bit_count(), cards)
    if proof.broken_above:
        few = plural("only {count} card is unseen", "only {count} cards are unseen", unseen)
        return plural(
            "{few}, {inside} of them {cards}, and {count} is {who}'s",
            "{few}, {inside} of them {cards}, and {count} are {who}'s",
            proof.loose,
            few=few,
            inside=proof.inside,
            cards=cards,
            who=who,
        )
    if not proof.loose:
        return tr("every card that {who} held is known", who=who)
    return tr("all but {count} of the cards that {who} held are known", count=proof.loose, who=who)


def among(second: int) -> str:
    """The evidence, complete with entry `second`, that of several entries one broke a rule."""
    return tr(
        "since entry {second} the cards that nobody has seen cannot lie so "
        "that all of them were allowed, unless one of the entries is mistyped",
        second=second,
    )
