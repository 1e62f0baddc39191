"""What must be laid to a trick: duties, in the order of the ruleset's rows. Part of tricks.

Of the cards that meet the rows before it, one of a row's set is laid if there is one (of several
cards, as many as can be). What may not be laid is a duty to all other cards. A row whose condition
does not hold asks nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.expressions import KINDS, NotSeen
from scorekeeper.core.hands import AnyOf, Breach, Claim, Unsure
from scorekeeper.core.messages import mark
from scorekeeper.phases.tricks.course import Tricks
from scorekeeper.ruleset.tables import Parameter
from scorekeeper.ruleset.vocabulary import clause

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.types import Facts, Row
    from scorekeeper.notation import Entry
    from scorekeeper.phases.tricks.laying import Duty as AnyDuty
    from scorekeeper.phases.tricks.state import State
    from scorekeeper.ruleset.joint import Joint, Rules
    from scorekeeper.ruleset.phase import Judge

PLAY = ("play",)


class Led:
    """The duty to follow: to lay cards of the class that was led."""

    __slots__ = ("phase",)

    def __init__(self, phase: Tricks) -> None:
        self.phase = phase

    def cards(self, rnd: Joint, entry: Entry) -> int:
        """The cards of which one must be laid (0: this asks nothing now)."""
        state = rnd.state(self.phase)
        return state.order.masks[state.led] if state.led >= 0 else 0

    wanted = cards


class Duty:
    """The duty to lay cards of a set, where a condition holds."""

    __slots__ = ("_cards", "_when")

    def __init__(self, cards: Expression, when: Expression | None) -> None:
        self._cards = cards
        self._when = when

    def cards(self, rnd: Joint, entry: Entry) -> int:
        """The cards of which one must be laid (0: this asks nothing now). Raises NotSeen where
        that hangs on what nobody has seen."""
        if self._when is not None and not self._when.of(rnd, entry):
            return 0
        return self.wanted(rnd, entry)

    def wanted(self, rnd: Joint, entry: Entry) -> int:
        """The cards that are asked for where the condition holds. Raises NotSeen as `cards`."""
        return int(self._cards.of(rnd, entry)) & rnd.rules.pack.full


def _bound_to(
    rnd: Joint, entry: Entry, earlier: Sequence[AnyDuty], bits: int
) -> tuple[int, list[int]]:
    """The cards that the earlier rows leave, of those that were met; and, for each that a card
    does not meet, the cards that would have met it: who had one of these has broken that row, and
    later ones ask nothing of them. Raises NotSeen as the rows do."""
    left, instead = rnd.rules.pack.full, list[int]()
    for duty in earlier:
        cards = duty.cards(rnd, entry)
        if cards and not bits & ~cards:
            left &= cards
        elif cards:
            instead.append(left & cards)
    return left, instead if len(entry.value) == 1 else []


def _is_outside(rnd: Joint, kinds: Sequence[int]) -> bool:
    """Whether these cards stand outside the order, and so may be laid at any time."""
    return rnd.state(rnd.rules.phase(Tricks)).order.outside.issuperset(kinds)


def _is_met_anyway(rnd: Joint, entry: Entry, duty: AnyDuty, bits: int) -> bool:
    """Whether a play meets a duty, if it is asked at all: all of it is of the set, or the hand has
    no more of that."""
    try:
        cards = duty.wanted(rnd, entry)
    except NotSeen:
        return False
    assert entry.seat is not None
    return not bits & ~cards or rnd.hands.beside(entry.seat, entry.value, cards)[1] <= 0


def _judged(
    rnd: Joint,
    entry: Entry,
    duty: AnyDuty,
    earlier: Sequence[AnyDuty],
    facts: Facts,
) -> Outcome:
    """Whether a play meets a duty: it lays cards of the set, or as many as the hand has."""
    pack, seat, kinds = rnd.rules.pack, entry.seat, entry.value
    if seat is None or _is_outside(rnd, kinds):
        return None
    bits = 0
    for kind in kinds:
        bits |= pack.bit[kind]
    try:
        cards = duty.cards(rnd, entry)
        if not cards or not bits & ~cards:
            return None
        left, instead = _bound_to(rnd, entry, earlier, bits)
    except NotSeen:
        return None if _is_met_anyway(rnd, entry, duty, bits) else Unsure(facts)
    could = cards & left
    shown = sum(1 for kind in kinds if could >> kind & 1)
    low, high = rnd.hands.beside(seat, kinds, could)
    ranges = [(each, *rnd.hands.beside(seat, kinds, each)) for each in instead]
    if high <= 0 or any(least > 0 for _, least, _ in ranges):
        return None
    had = [Claim(seat, each, 1, pack.total) for each, _, most in ranges if most > 0]
    if low <= 0:
        had.append(Claim(seat, could, 0, shown, facts))
    if had:
        return had[0] if len(had) == 1 and low <= 0 else AnyOf(tuple(had), facts)
    # By counting alone it may be any that nobody has seen yet.
    held = rnd.hands.sure[seat] & could or rnd.hands.unseen & could
    legal = dict.fromkeys(pack.kinds_in(held))
    return Breach({**facts, "legal": [pack.kinds[kind] for kind in legal]})


@clause(
    "duty",
    "tricks",
    on=PLAY,
    say=mark("{who} must lay {wanted} in trick {trick}: {legal}"),
    unknown=mark("{who} has not laid {wanted} in trick {trick}; nobody knows whether they could"),
    proven=mark("{who} could have laid {wanted} in trick {trick} and did not ({first}, {then})"),
    doc=(
        "Of the cards that meet the duties above it, one of `cards` is laid if there is one (of"
        " several cards, as many as can be), where `when` holds. What may not be laid is a duty"
        " to all other cards, `~those`."
    ),
    parameters={
        "cards": Parameter("set", "the cards of which one must be laid"),
        "when": Parameter("condition", "it is asked only then", "true"),
        "wanted": Parameter("text", "what the sentences call these cards", "one of these cards"),
    },
)
def _duty(row: Row, rules: Rules) -> Judge:
    tricks, path, about = rules.phase(Tricks), row["path"], row["about"]
    cards = rules.expression(row["cards"], f"{path}.cards", about, kind=KINDS)
    when = rules.expression(row["when"], f"{path}.when", about)
    duty = Duty(cards, None if when.text == "true" else when)
    earlier = list(tricks.duties)
    tricks.duties.append(duty)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        facts = {"wanted": row["wanted"], "trick": rnd.state(tricks).number}
        return _judged(rnd, entry, duty, earlier, facts)

    return judge


@clause(
    "follow",
    "tricks",
    on=PLAY,
    say=mark("{who} must follow {led} in trick {trick}: {legal}"),
    unknown=mark("{who} has not followed {led} in trick {trick}; nobody knows whether they could"),
    proven=mark("{who} could have followed {led} in trick {trick} and did not ({first}, {then})"),
    doc="The commonest duty: who has cards of the class that was led plays them.",
)
def _follow(row: Row, rules: Rules) -> Judge:
    tricks = rules.phase(Tricks)
    earlier = list(tricks.duties)
    duty = Led(tricks)
    tricks.duties.append(duty)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        state, seat, kinds = rnd.state(tricks), entry.seat, entry.value
        if seat is None or state.led < 0:
            return None
        if not earlier:
            kept = state.follows(rnd.hands, seat, kinds)
            if kept:
                return None
            if kept is None and not state.order.outside:
                cards = state.order.masks[state.led]
                shown = sum([cards >> kind & 1 for kind in kinds])
                return Claim(seat, cards, 0, shown, _facts(state))
        return _judged(rnd, entry, duty, earlier, _facts(state))

    return judge


def _facts(state: State) -> Facts:
    return {"led": state.order.names[state.led], "trick": state.number}
