"""What cards may be in a hand: the clause word of every phase that takes cards out of one. Part of
table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible
from scorekeeper.core.hands import Breach
from scorekeeper.core.messages import listed, mark, plural, tr
from scorekeeper.play.positions import MISTYPED
from scorekeeper.ruleset.vocabulary import clause

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.types import Facts, Row
    from scorekeeper.notation import Entry
    from scorekeeper.ruleset.joint import Joint, Rules
    from scorekeeper.ruleset.phase import Judge

    Hands = Sequence[tuple[int, tuple[int, ...]]]


@clause(
    "held",
    "table",
    say=mark("{who} cannot have {card}: {why}"),
    doc="The cards of the verbs in `on` may be in that hand, by all that is known of the hands.",
    firm=True,
)
def _held(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        can_hold = rnd.hands.can_hold
        hands = rules.from_hand(entry)
        for seat, kinds in hands:
            for kind in kinds:
                if can_hold(seat, kind) < 0:
                    return Breach(_missing(rnd, entry, seat, kind, 1))
            facts = _too_many(rnd, entry, seat, kinds) if len(kinds) > 1 else None
            if facts is not None:
                return Breach(facts)
        facts = _in_no_hand(rnd, entry, hands) if len(hands) > 1 else None
        return None if facts is None else Breach(facts)

    return judge


def _too_many(rnd: Joint, entry: Entry, seat: int, kinds: tuple[int, ...]) -> Facts | None:
    """What is wrong with several cards out of one hand, each of which might be there."""
    knowledge, pack = rnd.hands, rnd.rules.pack
    for kind in set(kinds):
        count = kinds.count(kind)
        if count > 1 and knowledge.can_hold(seat, kind, count) < 0:
            return _missing(rnd, entry, seat, kind, count)
    size = knowledge.size(seat)
    if len(kinds) > size:
        why = plural(
            "these are {count} card, and by the counts that hand has {size}",
            "these are {count} cards, and by the counts that hand has {size}",
            len(kinds),
            size=size,
        )
        return _facts(rnd, seat, kinds[-1], why)
    unknown = pack.beyond(pack.of(kinds), knowledge.sure[seat])
    if unknown.bit_count() > knowledge.loose[seat]:
        why = tr("that hand is known")
        if loose := knowledge.loose[seat]:
            why = plural(
                "only {count} card of that hand is not known",
                "only {count} cards of that hand are not known",
                loose,
            )
        return _facts(rnd, seat, pack.kinds_in(unknown)[-1], why)
    return None


def _in_no_hand(rnd: Joint, entry: Entry, hands: Hands) -> Facts | None:
    """What is wrong with cards out of several hands, each of which might have its own. Raises
    Impossible for more copies than there are."""
    knowledge, pack = rnd.hands, rnd.rules.pack
    unseen = knowledge.unseen
    for seat, kinds in hands:
        for kind in pack.kinds_in(pack.beyond(pack.of(kinds), knowledge.sure[seat])):
            if unseen & pack.column[kind]:
                unseen = pack.remove(unseen, kind)
                continue
            there = knowledge.in_play(kind)
            if sum(cards.count(kind) for _, cards in hands) > there:
                names = listed(rnd.names_of(other for other, cards in hands if kind in cards))
                say = plural(
                    "“{entry}”: {card} cannot come from {names}: there is one",
                    "“{entry}”: {card} cannot come from {names}: there is no more than {count}",
                    there,
                    entry=entry.text,
                    card=pack.kinds[kind],
                    names=names,
                )
                raise Impossible(say, MISTYPED)
            return _facts(rnd, seat, kind, tr("the others of it are in other hands"))
    return None


def _missing(rnd: Joint, entry: Entry, seat: int, kind: int, count: int) -> Facts:
    """Why a seat cannot hold so many of a kind. Raises Impossible if they are out of all hands."""
    from scorekeeper.core.hands import IMPOSSIBLE, NO_HAND  # dice have no hands to know

    knowledge, pack = rnd.hands, rnd.rules.pack
    status, card = knowledge.can_hold(seat, kind, count), pack.kinds[kind]
    if status == IMPOSSIBLE:
        if count <= pack.copies:
            say = tr("{card} has left play or lies on the table", card=card)
        else:
            say = tr("{card} is not so often", card=card)
        raise Impossible(f"“{entry.text}”: {say}", tr("look for the entry that is mistyped"))
    if status == NO_HAND:
        known = knowledge.is_known(seat)
        return _facts(rnd, seat, kind, tr("their hand is known") if known else tr("by the counts"))
    holders = [other for other, sure in enumerate(knowledge.sure) if sure & pack.bit[kind]]
    names = listed(rnd.names_of(holders))
    why = (
        tr("{names} holds it", names=names)
        if len(holders) == 1
        else tr("{names} hold all of them", names=names or tr("others"))
    )
    return _facts(rnd, seat, kind, why)


def _facts(rnd: Joint, seat: int, kind: int, why: str) -> Facts:
    """The facts of a card that cannot be in a hand: whose, why, and which cards are known there."""
    knowledge, pack = rnd.hands, rnd.rules.pack
    held = [pack.kinds[each] for each in pack.kinds_in(knowledge.sure[seat])]
    return {"who": rnd.names[seat], "card": pack.kinds[kind], "why": why, "known": held}
