"""What can be trump, who leads first, how a deal can end: clause words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.hands import Breach
from scorekeeper.core.messages import mark, tr
from scorekeeper.core.rulings import LEGAL
from scorekeeper.phases.bouts.course import Bouts
from scorekeeper.phases.bouts.keys import NOBODY
from scorekeeper.phases.bouts.lowest import lower_trump
from scorekeeper.phases.bouts.verbs import ATTACK, VERBS, each_card
from scorekeeper.ruleset.phase import actor_of
from scorekeeper.ruleset.vocabulary import clause

if TYPE_CHECKING:
    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.types import Row
    from scorekeeper.notation import Entry
    from scorekeeper.ruleset.joint import Joint, Rules
    from scorekeeper.ruleset.phase import Judge


@clause(
    "may-draw",
    "bouts",
    on=("result",),
    say=mark(
        "no deal here ends in a draw: {why}; say who has lost, {form}, or void a deal cut short"
    ),
    doc="A result is a draw only where play can end so: the keys `nobody` and `out`.",
)
def _may_draw(row: Row, rules: Rules) -> Judge:
    terms = rules.phase(Bouts).terms

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        if terms.may_draw or entry.value != ((NOBODY, ""),):
            return None
        why = tr("who lays their last card is out at once, so somebody is always left")
        if terms.row["nobody"] != NOBODY:
            role = terms.row["nobody"]
            why = tr("where nobody has cards left, the {role} has lost", role=tr(role))
        return Breach({"why": why, "form": "result loser=NAME"})

    return judge


# --- trump and the first lead


@clause(
    "trump-suit",
    "bouts",
    on=("trump",),
    say=mark("{suit} cannot be trump; another card is turned up"),
    doc="Suits that cannot be trump: the key `never_trump`.",
    alone=True,
)
def _trump_suit(row: Row, rules: Rules) -> Judge:
    barred = rules.phase(Bouts).row["never_trump"]

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        return Breach({"suit": entry.value, "barred": barred}) if entry.value in barred else None

    return judge


@clause(
    "turned-back",
    "bouts",
    on=("turnup",),
    say=mark("{card} goes back into the talon, and another card is turned"),
    doc="Says that a card of a suit that cannot be trump goes back: a note.",
    verdict=LEGAL,
    alone=True,
)
def _turned_back(row: Row, rules: Rules) -> Judge:
    terms = rules.phase(Bouts).terms
    barred = terms.row["never_trump"]

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        kind = entry.value[0]
        if terms.suit[kind] not in barred:
            return None
        return Breach({"card": rules.pack.kinds[kind], "barred": barred})

    return judge


@clause(
    "lowest-leads",
    "bouts",
    on=("attack", "cover", "transfer", "together", "draw", "holds", "hand"),
    say=mark("{holder} had the {card}, which is lower than any trump of {leader}, who led first"),
    doc="Says that a trump seen was in another hand at the deal, and lower than the first leader's:"
    " a note, and nothing is undone.",
    verdict=LEGAL,
    alone=True,
)
def _lowest_leads(row: Row, rules: Rules) -> Judge:
    bouts = rules.phase(Bouts)
    terms = bouts.terms

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        st = rnd.state_if_begun(bouts)
        if st is None or st.watched is None or not st.trump:
            return None
        seen = _seen(entry)
        if not st.ended and not st.attacks:
            leads = entry.verb is ATTACK
            lower = lower_trump(terms, rnd, st, actor_of(entry), seen) if leads else None
            return None if lower is None else Breach(lower)
        if not any(terms.suit[kind] == st.trump for _, kind in seen):
            return None
        lower = lower_trump(terms, rnd, st, st.watched, seen)
        if lower is None:
            return None
        noted = any(
            lower["card"] == facts.get("card") and "holder" in facts for facts in rnd.facts_noted()
        )
        return None if noted else Breach(lower)

    return judge


def _seen(entry: Entry) -> list[tuple[int, int]]:
    """The cards that an entry shows, each with its seat."""
    if entry.verb in VERBS:
        return list(each_card(entry))
    seat, held = entry.value
    return [] if isinstance(held, int) else [(seat, kind) for kind in held]
