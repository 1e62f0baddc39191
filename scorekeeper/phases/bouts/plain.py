"""What is seen at a glance to be legal: nearly every act of a bout. A law test holds each glance to
the clauses; what it does not see, they judge."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from scorekeeper.phases.bouts.acts import ACTS
from scorekeeper.phases.bouts.lowest import lower_trump
from scorekeeper.phases.bouts.seats import most_attacks, next_in, room
from scorekeeper.phases.bouts.verbs import ATTACK, COVER, DRAW, PASS, TAKE, TRANSFER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.hands import Hands
    from scorekeeper.notation import Entry
    from scorekeeper.notation.verbs import Verb
    from scorekeeper.phases.bouts.acts import Act
    from scorekeeper.phases.bouts.state import State
    from scorekeeper.phases.bouts.terms import Terms
    from scorekeeper.ruleset.joint import Joint, Rules

# For a trump suit and an attack, the mask of the cards that cover it.
Covering = Callable[[int, str], int]
# Whether an act of that seat, with that value, is seen to be legal.
Glance = Callable[["Glances", "Joint", "State", int, "tuple[int, ...]"], bool]


class Glances:
    """How a ruleset's acts are looked at: `by_verb`, where a glance can answer for all clauses.

    `answered`: attacks are added only when everything is covered; `lowest`: it is told whose the
    lowest trump was. `covering` are the clauses' tables of what covers what.
    """

    __slots__ = ("answered", "by_verb", "covering", "lowest", "terms")

    def __init__(self, terms: Terms, rules: Rules, covering: Sequence[Covering]) -> None:
        self.terms = terms
        self.covering = covering
        self.answered = "answered" in rules.clause_names(ATTACK.word)
        names = {verb: set(rules.clause_names(verb.word)) for verb in GLANCES}
        self.lowest = any("lowest-leads" in clauses for clauses in names.values())
        self.by_verb: dict[Verb, tuple[Glance, Act]] = {
            verb: (glance, ACTS[verb.word])
            for verb, (glance, known) in GLANCES.items()
            if names[verb] <= known
        }
        # What an expression that has a mistake notes belongs to the act that is judged.
        if terms.at_once.fixed is None or (terms.limit_now and terms.most.fixed is None):
            self.by_verb.pop(ATTACK, None)
        if terms.most.fixed is None:
            self.by_verb.pop(TRANSFER, None)

    def sees(self, rnd: Joint, st: State, entry: Entry) -> bool:
        """Whether an act is seen to be legal."""
        found, seat = self.by_verb.get(entry.verb), entry.seat
        return found is not None and seat is not None and found[0](self, rnd, st, seat, entry.value)


def take(glances: Glances, rnd: Joint, st: State, entries: Sequence[Entry], at: int) -> int:
    """Let acts happen that are seen to be legal, from one on, until one ends the deal or settles
    something; gives where the first stands that is left. They are written down."""
    start, terms, by_verb, news = at, glances.terms, glances.by_verb, rnd.hands.claims.news
    for entry in entries[start:]:
        if entry.decision or entry.verb not in by_verb:
            break
        (sees, act), seat = by_verb[entry.verb], entry.seat
        if seat is None or not sees(glances, rnd, st, seat, entry.value):
            break
        act(terms, rnd, st, entry)
        at += 1
        if st.over or news or rnd.remarks:
            break
    if at > start:
        rnd.write_down(entries[start:at])
    return at


# --- glances


def _attack(look: Glances, rnd: Joint, st: State, seat: int, kinds: tuple[int, ...]) -> bool:
    terms = look.terms
    if st.attacks:
        if seat not in st.attackers or (st.open and look.answered):
            return False
        ranks = st.ranks
    else:
        if seat != st.leader or seat == st.defender:
            return False
        ranks = 1 << terms.rank[kinds[0]]
    for kind in kinds:
        if not ranks >> terms.rank[kind] & 1:
            return False
    most = terms.at_once.fixed or 0
    if len(kinds) > room(terms, rnd, st) or 0 < most < len(kinds):
        return False
    return _lays(look, rnd, st, seat, kinds)


def _cover(look: Glances, rnd: Joint, st: State, seat: int, cards: tuple[int, ...]) -> bool:
    attack, kind = cards
    if seat != st.defender or st.taking or st.place_open(attack) is None:
        return False
    for covering in look.covering:
        if not covering(attack, st.trump) >> kind & 1:
            return False
    return _lays(look, rnd, st, seat, (kind,))


def _transfer(look: Glances, rnd: Joint, st: State, seat: int, kinds: tuple[int, ...]) -> bool:
    attacks, terms = len(st.attacks), look.terms
    if seat != st.defender or st.taking or st.open < attacks or not attacks or len(kinds) > 1:
        return False
    if st.ranks != 1 << terms.rank[kinds[0]]:
        return False
    following = most_attacks(terms, rnd, st, next_in(rnd, st, seat))
    return attacks < following and _lays(look, rnd, st, seat, kinds)


def _take(look: Glances, rnd: Joint, st: State, seat: int, value: object) -> bool:
    return seat == st.defender and st.answering()


def _pass(look: Glances, rnd: Joint, st: State, seat: int, value: object) -> bool:
    may = st.attacks and seat in st.attackers and seat not in st.passed
    return bool(may and rnd.hands.size(seat))


def _draw(look: Glances, rnd: Joint, st: State, seat: int, kinds: tuple[int, ...] | int) -> bool:
    drawn, hands = st.drawn.get(seat), rnd.hands
    if isinstance(kinds, int):
        return False
    if drawn is None or drawn.shown or len(kinds) > drawn.left - (drawn.last is not None):
        return False
    cards = 0
    for kind in kinds:
        column = hands.pack.column[kind]
        if not hands.unseen & column or cards & column:
            return False
        cards |= column
    return not (cards & drawn.named) and _tells_nothing(look, rnd, st, seat, kinds)


# --- what several of them look at


def _lays(look: Glances, rnd: Joint, st: State, seat: int, kinds: tuple[int, ...]) -> bool:
    """Whether these cards, each another, may be in that hand, and nothing is told of them."""
    hands = rnd.hands
    if len(kinds) == 1:
        column = hands.pack.column[kinds[0]]
        if not (hands.sure[seat] & column or (hands.loose[seat] and hands.unseen & column)):
            return False
    elif not _may_hold(hands, seat, kinds):
        return False
    if st.returned and any(st.put_back(seat, kind) for kind in kinds):
        return False
    return st.watched is None or _tells_nothing(look, rnd, st, seat, kinds)


def _may_hold(hands: Hands, seat: int, kinds: tuple[int, ...]) -> bool:
    """Whether several cards, each another, may be in that hand."""
    unknown = cards = 0
    for kind in kinds:
        column = hands.pack.column[kind]
        if not hands.sure[seat] & column:
            if not hands.unseen & column:
                return False
            unknown += 1
        if cards & column:
            return False
        cards |= column
    return unknown <= hands.loose[seat]


def _tells_nothing(look: Glances, rnd: Joint, st: State, seat: int, kinds: tuple[int, ...]) -> bool:
    """Whether these cards do not tell that another than the leader had the lowest trump."""
    leader, suit = st.watched, look.terms.suit
    if leader is None or not look.lowest:
        return True
    if not (st.ended or st.attacks):
        leader = seat
    elif st.trump not in [suit[kind] for kind in kinds]:
        return True
    return lower_trump(look.terms, rnd, st, leader, [(seat, kind) for kind in kinds]) is None


# For each verb its glance, and the clause words that this answers for.
LAYING = {"held", "lowest-leads"}
GLANCES: dict[Verb, tuple[Glance, set[str]]] = {
    ATTACK: (_attack, {"roles", "one-rank", "on-table", "room", "at-once", "answered", *LAYING}),
    COVER: (_cover, {"roles", "lies-open", "beats", "take-stands", *LAYING}),
    TRANSFER: (
        _transfer,
        {"roles", "before-cover", "led-rank", "one-card", "room-there", "take-stands", *LAYING},
    ),
    TAKE: (_take, {"roles", "take-stands", "something-open"}),
    PASS: (_pass, {"may-pass"}),
    DRAW: (_draw, {"lowest-leads"}),
}
