"""What may be laid to a trick, and when a card may be taken back or the rest claimed: the clause
words. Part of tricks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible
from scorekeeper.core.hands import AllOf, Breach, Claim
from scorekeeper.core.messages import mark, tr
from scorekeeper.core.sides import OTHERS
from scorekeeper.phases.tricks.course import Tricks
from scorekeeper.phases.tricks.shapes import read
from scorekeeper.ruleset.phase import actor_of
from scorekeeper.ruleset.shared import CONCEDE
from scorekeeper.ruleset.vocabulary import clause

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.cards import Laid
    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.sides import Parties
    from scorekeeper.core.types import Row
    from scorekeeper.notation import Entry
    from scorekeeper.phases.tricks.state import State
    from scorekeeper.ruleset.joint import Joint, Rules
    from scorekeeper.ruleset.phase import Judge

PLAY = ("play",)


@clause(
    "shape",
    "tricks",
    on=PLAY,
    say=mark("{who} may not lead {cards}: what is led is one of {shapes}"),
    doc="What is led has one of the [shapes].",
)
def _shape(row: Row, rules: Rules) -> Judge:
    tricks, pack = rules.phase(Tricks), rules.pack

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        state, kinds = rnd.state(tricks), entry.value
        if state.laid or not kinds or state.shapes.allow(read(state.order, kinds)[1]):
            return None  # no cards: some that are not listed
        cards = [pack.kinds[kind] for kind in kinds]
        return Breach({"cards": cards, "shapes": list(state.shapes.rows)})

    return judge


@clause(
    "opens",
    "tricks",
    on=PLAY,
    say=mark("{who} must lead {legal} to the first trick"),
    unknown=mark(
        "{who} does not lead {legal} to the first trick; nobody knows whether anybody could"
    ),
    proven=mark("somebody held {legal} when {who} led to the first trick ({first}, {then})"),
    doc=(
        "The first card of the round is one of those that open it (`[phases.tricks] opens`), where"
        " anybody holds one; where the table has said who leads, only if they do."
    ),
)
def _opens(row: Row, rules: Rules) -> Judge:
    tricks, pack = rules.phase(Tricks), rules.pack

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        if tricks.opens is None or not rnd.state(tricks).opening or rnd.positioned:
            return None
        cards = int(rnd.evaluate(tricks.opens)) & pack.full
        if not entry.value or any(cards >> kind & 1 for kind in entry.value):
            return None  # no cards: some that are not listed
        facts = {"legal": [pack.kinds[kind] for kind in dict.fromkeys(pack.kinds_in(cards))]}
        if rnd.start.lead is not None:  # whom the table has said to lead, whatever they hold
            return Claim(actor_of(entry), cards, 0, 0, facts)
        if not rnd.hands.elsewhere():
            return Breach(facts)
        return AllOf(tuple(Claim(seat, cards, 0, 0) for seat in rnd.state(tricks).seats), facts)

    return judge


@clause(
    "as-many",
    "tricks",
    on=PLAY,
    say=mark("{who} must lay as many cards as were led: {wanted}, not {laid}"),
    doc="Everyone lays as many cards as were led.",
)
def _as_many(row: Row, rules: Rules) -> Judge:
    tricks = rules.phase(Tricks)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        state = rnd.state(tricks)
        if not state.laid or len(entry.value) in (0, state.size):  # 0: some that are not listed
            return None
        return Breach({"wanted": state.size, "laid": len(entry.value)})

    return judge


@clause(
    "another",
    "tricks",
    on=PLAY,
    say=mark("{who} has taken back {card} and must play another card"),
    doc="Who took a card back plays one of another rank or suit.",
)
def _another(row: Row, rules: Rules) -> Judge:
    tricks, pack = rules.phase(Tricks), rules.pack

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        barred = rnd.state(tricks).barred
        if entry.seat not in barred or barred[entry.seat] not in entry.value:
            return None
        return Breach({"card": pack.kinds[barred[entry.seat]]})

    return judge


@clause(
    "takeback",
    "tricks",
    on=("takeback",),
    say=mark("{who} may not take their card back: {why}"),
    unknown=mark("{who} takes their card back; nobody knows whether they may play another"),
    doc=(
        "The last card laid, alone and in its player's turn, may be taken back when it equals the"
        " one that is winning and another had laid early in the trick, if they can play another."
    ),
)
def _takeback(row: Row, rules: Rules) -> Judge:
    tricks = rules.phase(Tricks)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        state = rnd.state(tricks)
        if state.laid:
            laid, winner, winning = state.laid, state.best, state.best_kind
        elif rnd.tricks:
            last = rnd.tricks[-1]
            laid, winner, winning = last.laid, last.winner, last.with_kind
        else:
            laid, winner, winning = [], -1, -1
        if not laid or laid[-1][0] != entry.seat:
            return Breach({"why": tr("they have not laid the last card")})
        seat, kinds = laid[-1]
        if len(kinds) > 1:
            return Breach({"why": tr("only a single card may be taken back")})
        *others_early, early = _laid_early(state.taking_part(laid), laid)
        if early:
            return Breach({"why": tr("they laid it before their turn")})
        if not any(others_early):
            return Breach({"why": tr("nobody had laid before their turn in this trick")})
        strength = state.order.strength
        if strength[kinds[0]] != strength[winning] or winner == seat:
            return Breach({"why": tr("it does not equal the card that is winning")})
        led = state.order.classes[laid[0][1][0]]
        return _has_another(rnd, state, seat, kinds[0], led)

    return judge


def _laid_early(seats: list[int], laid: Sequence[Laid]) -> list[bool]:
    """For each that was laid to a trick of these seats, whether it was before its player's turn."""
    start = seats.index(laid[0][0])
    coming = seats[start:] + seats[:start]
    found = []
    for seat, _ in laid:
        found.append(seat != coming[0])
        coming.remove(seat)
    return found


def _has_another(rnd: Joint, state: State, seat: int, kind: int, led: int) -> Outcome:
    """A claim that they hold another kind that they may play instead, when that class was led."""
    pack, could = rnd.rules.pack, state.order.masks[led]
    facts = {"why": tr("they have no other card that they may play")}
    if rnd.hands.bounds(seat, could & ~pack.column[kind])[0]:
        return None
    playable = could if could & pack.bit[kind] else pack.full
    return Claim(seat, playable & ~pack.column[kind], 1, pack.total, facts)


@clause(
    "rest",
    "tricks",
    on=("rest",),
    say=mark("{who} may not claim the rest: {why}"),
    doc=(
        "Who plays alone and is to lead may lay their cards down and claim the rest; impossible"
        " until it is known that they play alone."
    ),
)
def _rest(row: Row, rules: Rules) -> Judge:
    tricks = rules.phase(Tricks)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        state, seat = rnd.state(tricks), entry.seat
        if seat is None or state.laid or tricks.waiting(rnd) != [seat]:
            return Breach({"why": tr("they are not to lead")})
        return _not_alone(rnd, entry, seat)

    return judge


@clause(
    CONCEDE,
    "tricks",
    on=(CONCEDE,),
    say=mark("{who} may not concede: {why}"),
    doc=(
        "Who plays alone may concede all cards that are still out to the others, also in the middle"
        " of a trick; impossible until it is known that they play alone."
    ),
)
def _concede(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        return _not_alone(rnd, entry, actor_of(entry))

    return judge


def _not_alone(rnd: Joint, entry: Entry, seat: int) -> Outcome:
    """What is wrong with who ends play as only a player who is alone may. Raises Impossible while
    nobody knows whether they are."""
    parties = rnd.parties
    if parties is None:
        return Breach({"why": tr("nobody plays alone")})
    side = parties.of(seat)
    if parties.alone and side != OTHERS:
        return None
    short = parties.by_cards and parties.dealt(seat)[1] < parties.copies
    if side == OTHERS or parties.complete or short:
        return Breach({"why": tr("they do not play alone")})
    raise Impossible(
        tr(
            "“{text}”: it is not known that {who} plays alone",
            text=entry.text,
            who=rnd.names[seat],
        ),
        _proof_of_alone(rnd, parties, seat),
    )


def _proof_of_alone(rnd: Joint, parties: Parties, seat: int) -> str:
    """What to type when the cards that make a side have been seen in that hand."""
    hands, pack = rnd.hands, rnd.rules.pack
    cards = pack.show(pack.total_of(hands.unseen & parties.mask, hands.sure[seat] & parties.mask))
    if not parties.by_cards or not cards:
        return tr("play on until the sides are known")
    return tr(
        "if these cards are seen in the hand: {form}",
        form=f"holds {rnd.names[seat]}: {cards}",
    )
