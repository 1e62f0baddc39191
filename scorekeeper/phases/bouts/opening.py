"""The start of a deal: talon and trump, who leads first, what was said before the first act."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible
from scorekeeper.core.messages import listed, plural, tr
from scorekeeper.phases.bouts.keys import NOBODY
from scorekeeper.phases.bouts.results import decide
from scorekeeper.phases.bouts.seats import in_order, next_in, open_bout
from scorekeeper.phases.bouts.state import State
from scorekeeper.phases.bouts.terms import deals_played
from scorekeeper.play.positions import MISTYPED, holding, said_now

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorekeeper.core.types import Facts
    from scorekeeper.notation import Entry
    from scorekeeper.phases.bouts.terms import Terms
    from scorekeeper.ruleset.joint import Joint

    Fact = Callable[[Terms, Joint, Entry], None]


def begin(terms: Terms, rnd: Joint) -> State:
    """A deal as it starts, by what was said of it."""
    st, whole = State(), _begins_with_the_deal(rnd)
    _lay_out(terms, rnd, st, whole)
    st.out = [seat for seat in rnd.seats if not st.talon and not rnd.hands.size(seat)]
    st.before = int(not whole and _begins_in_the_middle(rnd, st))
    leader = next_in(rnd, st, rnd.leader) if rnd.leader in st.out else rnd.leader
    how = _first_way(terms, rnd) if whole else ""
    if how == "dealer" and rnd.start.lead is None:
        leader = rnd.dealer
    elif how == "lowest":
        st.watched = leader
        if rnd.start.lead is None:
            st.may_lead = _may_lead(terms, rnd, st)
            leader = st.may_lead[0]
    open_bout(terms, rnd, st, leader)
    if st.out and not rnd.in_conflict:
        _decide_position(terms, rnd, st)
    return st


def _decide_position(terms: Terms, rnd: Joint, st: State) -> None:
    """Somebody is out from the start: whether that decides the deal."""
    left = [seat for seat in rnd.seats if seat not in st.out]
    if rnd.start.stock is None:
        if len({rnd.side(seat) for seat in left}) < 2:
            rnd.conflict(tr("it is not said whether the talon is empty (talon 0)"), "hand")
    elif left or terms.row["nobody"] == NOBODY:
        if decide(terms, rnd, st):
            st.certain = False
    else:
        rnd.conflict(tr("nobody holds a card, and this does not say who lost"), "hand", "talon")


def _begins_with_the_deal(rnd: Joint) -> bool:
    """Whether hands and talon are as they were dealt, so that it does not begin in the middle."""
    dealt = rnd.rules.deal_size(len(rnd.seats))
    rest = rnd.rules.pack.total - dealt * len(rnd.seats)
    sizes = {rnd.hands.size(seat) for seat in rnd.seats}
    return sizes == {dealt} and rnd.start.stock in (None, rest)


def _begins_in_the_middle(rnd: Joint, st: State) -> bool:
    """Whether some bout was over before a start that is no deal as ever: the talon has been drawn
    from, as far as is known."""
    rest = rnd.rules.pack.total - rnd.rules.deal_size(len(rnd.seats)) * len(rnd.seats)
    return not 0 < rest <= st.talon


# --- talon and trump


def _lay_out(terms: Terms, rnd: Joint, st: State, whole: bool) -> None:
    """Talon, turned-up card and trump, by what was said and by the counts; `whole`: hands and
    talon are as they were dealt."""
    start, knowledge, pack = rnd.start, rnd.hands, rnd.rules.pack
    sizes = [knowledge.size(seat) for seat in rnd.seats]
    dealt = rnd.rules.deal_size(len(rnd.seats))
    rest = pack.total - sum(sizes)
    unsaid = rest if min(sizes) >= dealt else 0
    st.talon = unsaid if start.stock is None else start.stock
    kind = start.turned
    turned = "" if kind is None else terms.suit[kind]
    st.trump = turned if start.trump is None else start.trump
    if kind is not None:
        if turned != st.trump:
            card = pack.kinds[kind]
            say = tr(
                "{card} was turned up, and shows another trump than {trump}",
                card=card,
                trump=st.trump,
            )
            raise Impossible(say, MISTYPED)
        _turn_up(terms, rnd, st, kind, whole)
    st.returned = start.returned if whole else ()
    for kind in st.returned:
        if any(sure & pack.bit[kind] for sure in knowledge.sure):
            raise Impossible(tr("{card} went back into the talon", card=pack.kinds[kind]), MISTYPED)
    if not rnd.in_conflict and st.talon - (st.turned is not None) > knowledge.elsewhere():
        rnd.conflict(tr("the hands and the talon have more cards than the pack"), "hand", "talon")


def _turn_up(terms: Terms, rnd: Joint, st: State, kind: int, whole: bool) -> None:
    """The turned-up card lies under the talon; without one it may be the dealer's."""
    knowledge, card = rnd.hands, rnd.rules.pack.kinds[kind]
    try:
        if st.talon:
            say = tr("{card} was turned up and lies under the talon, and yet in a hand", card=card)
            knowledge.locate(kind)
            st.turned = kind
        elif whole and terms.row["shown"] == "dealer":
            dealer = rnd.names[rnd.dealer]
            say = tr(
                "{card} was turned up, so it is the dealer's, and {dealer} is without it",
                card=card,
                dealer=dealer,
            )
            knowledge.holds(rnd.dealer, kind)
    except ValueError:
        rnd.conflict(say, "turnup", "hand", "holds", "talon", "dealer")


# --- who leads first


def _first_way(terms: Terms, rnd: Joint) -> str:
    """How it is settled who leads the first deal; "" where this is another."""
    ways = terms.row["leads"]
    return ways[0] if ways and not deals_played(rnd) else ""


def _may_lead(terms: Terms, rnd: Joint, st: State) -> list[int]:
    """Who may hold the lowest trump in hand, in playing order from the expected leader."""
    knowledge = rnd.hands
    order = in_order(rnd, rnd.leader)
    if not st.trump:
        return order
    found: set[int] = set()
    for kind in terms.trumps(st.trump):
        states = [knowledge.can_hold(seat, kind) for seat in order]
        found |= {seat for seat, may in zip(order, states, strict=True) if may >= 0}
        if max(states) > 0:
            break
    else:
        found.add(rnd.dealer if terms.row["leads"][1:2] == ["dealer"] else rnd.leader)
    return [seat for seat in order if seat in found]


# --- what a position comes to


def position_noted(rnd: Joint, st: State) -> tuple[str, Facts] | None:
    """What hands and talon come to, as a sentence and its facts; None for the deal as ever."""
    passed_over = rnd.leader in st.out and not st.over
    if rnd.in_conflict or _begins_with_the_deal(rnd):
        return None
    if not (passed_over or said_now(rnd, "hand", "talon")):
        return None
    away = rnd.hands.elsewhere() - st.talon + (st.turned is not None)
    facts: Facts = {"holding": holding(rnd), "talon": st.talon, "away": away}
    say = tr("{holding}; {talon} in the talon") if st.talon else tr("{holding}; the talon is empty")
    say += tr("; {away} out of play") if away else ""
    if st.over:
        facts["lost"] = listed(rnd.names_of(st.losers)) or tr("nobody has")
        return say + tr("; that decides the deal: {lost} lost"), facts
    if passed_over:
        facts["out"], facts["leads"] = rnd.names_of([rnd.leader, st.leader])
        return say + tr("; {out} is out, so {leads} leads (another: lead NAME)"), facts
    return say + tr(" (otherwise: hand NAME: NUMBER, talon NUMBER)"), facts


# --- facts of the start


def turn_up(terms: Terms, rnd: Joint, entry: Entry) -> None:
    """A card was turned up: it shows trump, or it goes back and another is turned."""
    (kind,) = entry.value
    if terms.suit[kind] not in terms.row["never_trump"]:
        rnd.place("turnup", rnd.start._replace(turned=kind))
        return
    pack, returned = rnd.rules.pack, rnd.start.returned
    if returned.count(kind) >= pack.copies:
        raise Impossible(tr("{card} went back already", card=pack.kinds[kind]), MISTYPED)
    rnd.place("returned", rnd.start._replace(returned=(*returned, kind)))


def name_trump(terms: Terms, rnd: Joint, entry: Entry) -> None:
    """What is trump."""
    rnd.place("trump", rnd.start._replace(trump=entry.value))


def count_talon(terms: Terms, rnd: Joint, entry: Entry) -> None:
    """How many cards the talon has."""
    rnd.place("talon", rnd.start._replace(stock=entry.value))


def touch(terms: Terms, rnd: Joint, entry: Entry) -> None:
    """Somebody touched the pack before the deal, and may have to deal for it."""
    seat: int = entry.value
    rule, start = terms.row["touch"], rnd.start
    if rule == "no":
        raise Impossible(tr("here nothing comes of touching the pack"))
    said = (start.turned, start.trump, start.stock, start.lead)
    if start.hands or start.holds or any(fact is not None for fact in said):
        raise Impossible(tr("the cards are dealt: nothing comes of touching them now"))
    if seat == rnd.dealer or (rule == "first" and start.touched is not None):
        return
    rnd.place("dealer", start._replace(touched=seat, dealer=seat))


FACTS: dict[str, Fact] = {
    "turnup": turn_up,
    "trump": name_trump,
    "talon": count_talon,
    "touch": touch,
}


# --- what is said of them later


def name_trump_late(terms: Terms, rnd: Joint, st: State, entry: Entry) -> None:
    """What is trump, when it first matters."""
    if st.trump:
        name_trump(terms, rnd, entry)  # it is refused, as it is said too late
    st.trump = entry.value


def recount_talon(terms: Terms, rnd: Joint, st: State, entry: Entry) -> None:
    """How many cards the talon has, which must be what the counts say."""
    if entry.value != st.talon:
        raise Impossible(
            plural(
                "by the counts the talon has {count} card, not {told}",
                "by the counts the talon has {count} cards, not {told}",
                st.talon,
                told=entry.value,
            )
        )
