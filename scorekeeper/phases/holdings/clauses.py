"""Who may announce what, and when: the clause words. Part of holdings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.expressions import NotSeen
from scorekeeper.core.hands import AllOf, AnyOf, Breach, Claim, Unsure
from scorekeeper.core.messages import mark, times
from scorekeeper.phases.holdings.course import Holdings, laid_by
from scorekeeper.ruleset.phase import actor_of
from scorekeeper.ruleset.vocabulary import clause

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.types import Facts, Row
    from scorekeeper.notation import Entry
    from scorekeeper.phases.holdings.rows import Way
    from scorekeeper.ruleset.joint import Joint, Rules
    from scorekeeper.ruleset.phase import Judge

BOTH = ("announce", "show")


@clause(
    "announced-held",
    "holdings",
    on=("announce",),
    say=mark("{who} announces {what} and does not hold it"),
    unknown=mark("{who} announces {what}; nobody knows whether they hold it"),
    proven=mark("{who} announced {what} and did not hold it ({first}, {then})"),
    doc="What is announced by its name is held now, or laid before where the row says so; named"
    " again, with other cards than before.",
)
def _announced_held(row: Row, rules: Rules) -> Judge:
    phase = rules.phase(Holdings)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        if entry.value.cards:
            return None  # they are shown: whether they may be there is for `held` to say
        holding, seat = phase.meant(rnd, entry), actor_of(entry)
        facts: Facts = {"what": rules.spoken(holding.name)}
        laid = laid_by(rnd, seat) if holding.laid else 0
        asked = _any_of(rnd, [_missing(rnd, seat, way, laid) for way in holding.ways(rnd)], facts)
        if asked is None or isinstance(asked, Breach):
            return asked
        if holding.laid and rnd.positioned:
            return Unsure(facts)
        return asked

    def again(rnd: Joint, entry: Entry) -> Outcome:
        first, seat = judge(rnd, entry), actor_of(entry)
        if entry.value.cards or isinstance(first, Breach | Unsure):
            return first
        holding = phase.meant(rnd, entry)
        before, laid = rnd.state(phase).of(seat, holding.name), laid_by(rnd, seat)
        told = len(before) >= holding.most and "announced-once" in rules.clause_names("announce")
        if not before or told or not _has_only_laid(rnd, phase, seat, laid):
            return first
        facts: Facts = {"what": f"{rules.spoken(holding.name)} ({times(len(before) + 1)})"}
        shown = [each.cards for each in before if each.cards]
        together = holding.several(rnd, len(before) - len(shown) + 1, shown)
        ways = [_missing(rnd, seat, way, laid) for way in together]
        others = _any_of(rnd, ways, facts)
        if first is None or others is None or isinstance(others, Breach):
            return others or first
        return AllOf((first, others), facts)

    return again


def _any_of(
    rnd: Joint, ways: Sequence[tuple[Claim, ...]], facts: Facts
) -> Breach | AnyOf | AllOf | None:
    """That the claims of one of these ways hold; None where it is known to be so."""
    if any(_surely(rnd, way) for way in ways):
        return None
    if len(ways) > 1:
        joined = tuple(way[0] if len(way) == 1 else AllOf(way) for way in ways)
        return AnyOf(joined, facts)
    return AllOf(ways[0], facts) if ways else Breach(facts)


def _missing(rnd: Joint, seat: int, way: Way, laid: int) -> tuple[Claim, ...]:
    """What the hand must hold for a holding of which these cards have been laid."""
    pack = rnd.rules.pack
    found = []
    for need in way.needs:
        least = need.least - (laid & need.cards).bit_count()
        if least > 0:
            found.append(Claim(seat, need.cards, least, pack.total))
    return tuple(found)


def _has_only_laid(rnd: Joint, phase: Holdings, seat: int, laid: int) -> bool:
    """Whether no other card has left the hand, as far as it is known, since the player announced
    something for the first time."""
    kinds_in = rnd.rules.pack.kinds_in
    there, announced = {*kinds_in(laid), *kinds_in(rnd.hands.sure[seat])}, False
    for entry in rnd.entries():
        out = [kinds for giver, kinds in rnd.rules.from_hand(entry) if giver == seat]
        if announced and (not there.issuperset(*out) if out else _moves_unseen(entry, seat)):
            return False
        announced |= entry.verb.phase == phase.name and entry.seat == seat
    return True


def _moves_unseen(entry: Entry, seat: int) -> bool:
    """Whether cards of the player's are moved that the entry does not name."""
    return entry.verb.cards and entry.seat == seat


def _surely(rnd: Joint, claims: tuple[Claim, ...]) -> bool:
    """Whether all of that is known to be so."""
    return all(rnd.hands.decide(each.seat, each.cards, each.least, each.most) for each in claims)


@clause(
    "announced-when",
    "holdings",
    on=BOTH,
    say=mark("{who} may not announce {what} now"),
    doc="A holding is announced while `when` of its row holds; its cards may be shown later.",
)
def _announced_when(row: Row, rules: Rules) -> Judge:
    phase = rules.phase(Holdings)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        holding = phase.meant(rnd, entry)
        facts: Facts = {"what": rules.spoken(holding.name)}
        try:
            if phase.attaches(rnd, entry, holding) or holding.when.of(rnd, entry):
                return None
        except NotSeen:
            if rnd.play_begun() or rnd.positioned:
                raise
        return Breach(facts)  # also where it speaks of tricks, and none is played yet

    return judge


@clause(
    "announced-once",
    "holdings",
    on=BOTH,
    say=mark("{who} has announced {what} before{times}"),
    doc="Nobody announces a row more often in a deal than `most`, nor the same cards twice.",
)
def _announced_once(row: Row, rules: Rules) -> Judge:
    phase = rules.phase(Holdings)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        holding, seat, cards = phase.meant(rnd, entry), actor_of(entry), entry.value.cards
        before = rnd.state(phase).of(seat, holding.name)
        facts: Facts = {"what": rules.spoken(holding.name), "times": ""}
        if cards and tuple(sorted(cards)) in [each.cards for each in before]:
            return Breach(facts)
        if len(before) < holding.most or phase.attaches(rnd, entry, holding):
            return None
        return Breach({**facts, "times": f" {times(len(before))}" if len(before) > 1 else ""})

    return judge


@clause(
    "announced-apart",
    "holdings",
    on=("show",),
    say=mark("{who} has shown {cards} for {what} before"),
    doc="No card that a player shows is in two of their announcements: of those of which the best"
    " side's count, nor of the others.",
)
def _announced_apart(row: Row, rules: Rules) -> Judge:
    phase, pack = rules.phase(Holdings), rules.pack

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        seat, cards, best = actor_of(entry), entry.value.cards, phase.meant(rnd, entry).best
        for each in rnd.state(phase).announced:
            if each.seat != seat or phase.rows[each.name].best != best:
                continue
            twice = [pack.kinds[kind] for kind in dict.fromkeys(cards) if kind in each.cards]
            if twice:
                return Breach({"cards": twice, "what": rules.spoken(each.name)})
        return None

    return judge
