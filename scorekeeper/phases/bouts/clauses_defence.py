"""What the defender may do, and when attackers may pass: clause words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible
from scorekeeper.core.hands import Breach
from scorekeeper.core.messages import mark, plural, tr
from scorekeeper.phases.bouts.course import Bouts
from scorekeeper.phases.bouts.seats import most_attacks, next_in
from scorekeeper.ruleset.phase import actor_of
from scorekeeper.ruleset.tables import Parameter
from scorekeeper.ruleset.vocabulary import clause

if TYPE_CHECKING:
    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.types import Facts, Row
    from scorekeeper.notation import Entry
    from scorekeeper.phases.bouts.terms import Terms
    from scorekeeper.ruleset.joint import Joint, Rules
    from scorekeeper.ruleset.phase import Judge


@clause(
    "lies-open",
    "bouts",
    on=("cover",),
    say=mark("{attack} does not lie open; open: {lying}"),
    doc="What is covered is an attack that lies open: one cover for each, and it is not moved.",
)
def _lies_open(row: Row, rules: Rules) -> Judge:
    bouts = rules.phase(Bouts)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        st = rnd.state(bouts)
        attack = entry.value[0]
        if st.place_open(attack) is not None:
            return None
        show = rules.pack.kinds
        facts: Facts = {"attack": show[attack]}
        facts["lying"] = [show[kind] for kind in st.uncovered()]
        if attack not in st.attacks:
            return Breach(facts)
        facts["cover"] = show[st.covers[st.attacks.index(attack)] or 0]
        return Breach(facts, mark("{attack} is covered already, by {cover}; open: {lying}"))

    return judge


@clause(
    "beats",
    "bouts",
    on=("cover",),
    say=mark(
        "{card} does not cover {attack}: {why}; what would, as far as {who} may hold it: {legal}"
    ),
    doc="A cover is a higher card of the suit, or a trump on another suit; suits `alone` are"
    " covered only by themselves, and cover only themselves.",
    parameters={"alone": Parameter("texts", "suits that no trump covers", [])},
)
def _beats(row: Row, rules: Rules) -> Judge:
    bouts = rules.phase(Bouts)
    alone = frozenset(row["alone"])
    tables: dict[str, list[int]] = {}  # by trump suit: for each attack the mask of what covers it

    def covering(attack: int, trump: str) -> int:
        if trump not in tables:
            kinds = range(rules.pack.size)
            tables[trump] = [_covering(bouts.terms, kind, trump, alone) for kind in kinds]
        return tables[trump][attack]

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        attack, card = entry.value
        trump = rnd.state(bouts).trump
        covers = covering(attack, trump)
        if covers >> card & 1:
            return None
        show = rules.pack.kinds
        facts: Facts = {"attack": show[attack], "card": show[card]}
        facts["why"] = _why_not(bouts.terms, attack, card, trump, alone)
        facts["trump"] = trump or None
        can_hold, seat = rnd.hands.can_hold, actor_of(entry)
        held = [kind for kind in rules.pack.kinds_in(covers) if can_hold(seat, kind) >= 0]
        facts["legal"] = [show[kind] for kind in held]
        return Breach(facts)

    return judge


def _covering(terms: Terms, attack: int, trump: str, alone: frozenset[str]) -> int:
    """The mask of the cards that cover an attack; `alone` are the suits that no trump covers."""
    rank, suit, found = terms.rank, terms.suit, 0
    for kind, own in enumerate(suit):
        if own == suit[attack]:
            beats = rank[kind] < rank[attack]
        else:
            beats = own == trump and suit[attack] != trump and not {own, suit[attack]} & alone
        found |= beats << kind
    return found


def _why_not(terms: Terms, attack: int, card: int, trump: str, alone: frozenset[str]) -> str:
    """Why this card does not cover that attack. Raises Impossible where trump would decide it and
    nobody has said what is trump."""
    attacked, own = terms.suit[attack], terms.suit[card]
    if attacked == own:
        return tr("it is not higher")
    if not trump and not {attacked, own} & alone:
        raise Impossible(tr("nobody has said what is trump"), tr("say it: trump SUIT"))
    if attacked in alone:
        return tr("only {suit} covers {suit}", suit=attacked)
    if attacked == trump:
        return tr("only a higher trump covers a trump")
    return tr("it is neither {suit} nor a trump ({trump})", suit=attacked, trump=trump)


@clause(
    "take-stands",
    "bouts",
    on=("cover", "transfer", "take"),
    say=mark("{who} has said that they take; that stands until somebody adds a card"),
    doc="A defender who has said that they take does nothing else until an attack is added.",
)
def _take_stands(row: Row, rules: Rules) -> Judge:
    bouts = rules.phase(Bouts)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        if not rnd.state(bouts).taking:
            return None
        return Breach({"to_act": rnd.names_of(bouts.waiting(rnd))})

    return judge


@clause(
    "something-open",
    "bouts",
    on=("take",),
    say=mark("everything is covered, so {who} may not take; {to_act} may add or pass"),
    doc="Nobody takes when everything is covered.",
)
def _something_open(row: Row, rules: Rules) -> Judge:
    bouts = rules.phase(Bouts)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        if rnd.state(bouts).open:
            return None
        return Breach({"to_act": rnd.names_of(bouts.waiting(rnd))})

    return judge


@clause(
    "may-pass",
    "bouts",
    on=("pass",),
    say=mark("{who} cannot pass now: {why}"),
    doc="Somebody passes who may still add a card, by the counts, and has not passed.",
)
def _may_pass(row: Row, rules: Rules) -> Judge:
    bouts = rules.phase(Bouts)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        st = rnd.state(bouts)
        seat = actor_of(entry)
        if not st.attacks:
            why = tr("nothing lies there, {name} must lead", name=rnd.names[st.leader])
        elif seat in st.passed:
            why = tr("they have passed, and nothing has been laid since")
        elif seat == st.defender:
            why = tr("they are the defender")
        elif seat not in st.attackers or not rnd.hands.size(seat):
            why = tr("they could not add a card")
        else:
            return None
        return Breach({"why": why, "to_act": rnd.names_of(bouts.waiting(rnd))})

    return judge


# --- transfers


@clause(
    "not-played",
    "bouts",
    on=("transfer",),
    say=mark("the attack cannot be passed on in this game; {who} covers or takes"),
    doc="The verbs in `on` are not played (without it: transfers).",
)
def _not_played(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        return Breach({"word": entry.verb.word})

    return judge


@clause(
    "one-card",
    "bouts",
    on=("transfer",),
    say=mark("one card is laid for that, not {more}"),
    doc="The verbs in `on` lay one card.",
)
def _one_card(row: Row, rules: Rules) -> Judge:
    def judge(rnd: Joint, entry: Entry) -> Outcome:
        return None if len(entry.value) == 1 else Breach({"more": len(entry.value)})

    return judge


@clause(
    "led-rank",
    "bouts",
    on=("transfer",),
    say=mark("{card} cannot be laid beside the attacks: the lead is a {rank}"),
    doc="A transfer is a card of the rank that was led.",
)
def _led_rank(row: Row, rules: Rules) -> Judge:
    bouts = rules.phase(Bouts)
    terms = bouts.terms

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        led = terms.ranks_of(rnd.state(bouts).attacks)
        for kind in entry.value:
            if led != 1 << terms.rank[kind]:
                return Breach({"card": rules.pack.kinds[kind], "rank": terms.ranks_in(led)})
        return None

    return judge


@clause(
    "before-cover",
    "bouts",
    on=("transfer",),
    say=mark("{who} has covered, so the roles stand: they cover the rest or take"),
    doc="The attack is passed on before the first cover.",
)
def _before_cover(row: Row, rules: Rules) -> Judge:
    bouts = rules.phase(Bouts)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        laid = rnd.state(bouts).covers
        covers = [rules.pack.kinds[kind] for kind in laid if kind is not None]
        return Breach({"covers": covers}) if covers else None

    return judge


@clause(
    "room-there",
    "bouts",
    on=("transfer",),
    say=mark("{attacks} attacks would be too many for {next}, who {holds}; {who} covers or takes"),
    doc="The attacks, with the card of the transfer, are within the next defender's limit.",
)
def _room_there(row: Row, rules: Rules) -> Judge:
    bouts = rules.phase(Bouts)

    def judge(rnd: Joint, entry: Entry) -> Outcome:
        st = rnd.state(bouts)
        to = next_in(rnd, st, st.defender)
        attacks, limit = len(st.attacks) + len(entry.value), most_attacks(bouts.terms, rnd, st, to)
        if attacks <= limit:
            return None
        cards = rnd.hands.size(to)
        facts = {"attacks": attacks, "next": rnd.names[to], "cards": cards, "limit": limit}
        return Breach(
            {
                **facts,
                "holds": plural("holds {count} card", "holds {count} cards", cards)
                if cards
                else tr("holds none"),
            }
        )

    return judge
