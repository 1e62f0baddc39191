"""What acts do to the table: cards laid, taken, passed over; and draws that were seen."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from scorekeeper.phases.bouts import opening
from scorekeeper.phases.bouts.ending import end_if_done
from scorekeeper.phases.bouts.results import decide
from scorekeeper.phases.bouts.seats import (
    in_order,
    next_in,
    open_bout,
    room_at_once,
    set_defender,
)
from scorekeeper.phases.bouts.state import Drawn
from scorekeeper.ruleset.phase import actor_of

if TYPE_CHECKING:
    from scorekeeper.notation import Entry
    from scorekeeper.phases.bouts.state import State
    from scorekeeper.phases.bouts.terms import Terms
    from scorekeeper.phases.bouts.verbs import Laid
    from scorekeeper.ruleset.joint import Joint

    Act = Callable[[Terms, Joint, State, Entry], None]
    Sorted = dict[int, list[int]]  # cards by seat


# --- attacks


def attack(terms: Terms, rnd: Joint, st: State, entry: Entry) -> None:
    """Somebody leads, or adds attacks."""
    seat = actor_of(entry)
    if not st.attacks:
        _lead(terms, rnd, st, seat)
    _lay(terms, rnd, st, seat, entry.value)


def _lead(terms: Terms, rnd: Joint, st: State, seat: int) -> None:
    """That seat leads this bout, whoever was expected to."""
    if seat != st.leader:
        open_bout(terms, rnd, st, seat)
    if seat == st.defender:
        raise ValueError(f"nobody is left whom {rnd.names[seat]} could attack")
    st.certain = True
    st.may_lead = []
    if st.watched is not None and not st.ended:
        st.watched = seat
    st.last = None


def _lay(terms: Terms, rnd: Joint, st: State, seat: int, kinds: Iterable[int]) -> None:
    """Attacks come to the table; with an empty talon who lays their last card may be out."""
    for kind in kinds:
        _show(rnd, st, seat, kind)
        st.attacks.append(kind)
        st.by.append(seat)
        st.covers.append(None)
        st.ranks |= 1 << terms.rank[kind]
        st.open += 1
    _changed(st)
    if terms.out_at_once and not st.talon and not rnd.hands.size(seat) and seat not in st.out:
        st.out.append(seat)
        decide(terms, rnd, st)


def _changed(st: State) -> None:
    """A card was laid: who has said that they take, or has passed, may think again."""
    st.taking = False
    if st.passed:
        st.passed = set()


def _show(rnd: Joint, st: State, seat: int, kind: int) -> None:
    """A card comes from a hand to the table."""
    knowledge = rnd.hands
    if st.returned:
        check_not_put_back(rnd, st, seat, kind)
    try:
        knowledge.show(seat, kind)
    except ValueError:
        knowledge.doubt(seat, kind)
        knowledge.show(seat, kind)
    if seat in st.drawn:
        left, named, last, shown = st.drawn[seat]
        st.drawn[seat] = Drawn(left, named, last, (*shown, kind))
    if st.watched is not None and (seat == st.watched or seat not in st.drew):
        st.shown.setdefault(kind, seat)


def check_not_put_back(rnd: Joint, st: State, seat: int, kind: int) -> None:
    """Raise ValueError for a card that was put back into the talon and that the seat has not
    drawn."""
    if st.put_back(seat, kind):
        raise ValueError(f"{rnd.rules.pack.kinds[kind]} went back into the talon")


def together(terms: Terms, rnd: Joint, st: State, entry: Entry) -> None:
    """Several players added attacks at the same time: some stay, some go back to the hands."""
    if not st.attacks:
        raise ValueError("a lead is one player's")
    stays, back = sorted_out(terms, rnd, st, entry.value)
    for seat, kinds in back.items():
        for kind in kinds:
            rnd.hands.holds(seat, kind)
    for seat, kinds in stays.items():
        if not st.over:
            _lay(terms, rnd, st, seat, kinds)
    end_if_done(terms, rnd, st)


def sorted_out(terms: Terms, rnd: Joint, st: State, laid: Laid) -> tuple[Sorted, Sorted]:
    """Of attacks laid at the same time, by seat: those that stay and those that go back."""
    room = room_at_once(terms, rnd, st)
    cards = dict(laid)
    stays: Sorted = {}
    back: Sorted = {}
    for seat in in_order(rnd, st.leader):
        kinds = list(cards.get(seat, ()))
        if terms.row["returns"] == "last":
            kept, returned = kinds[:room], kinds[room:]
        else:
            cut = max(0, len(kinds) - room)
            kept, returned = kinds[cut:], kinds[:cut]
        room -= len(kept)
        if kept:
            stays[seat] = kept
        if returned:
            back[seat] = returned
    return stays, back


# --- answers


def cover(terms: Terms, rnd: Joint, st: State, entry: Entry) -> None:
    """A card covers an attack."""
    lying, kind = entry.value
    place = st.place_open(lying)
    if place is None:
        raise ValueError(f"{rnd.rules.pack.kinds[lying]} does not lie open")
    _show(rnd, st, actor_of(entry), kind)
    st.covers[place] = kind
    st.ranks |= 1 << terms.rank[kind]
    st.open -= 1
    _changed(st)
    end_if_done(terms, rnd, st)


def transfer(terms: Terms, rnd: Joint, st: State, entry: Entry) -> None:
    """The defender adds to the attacks, and they all go on to the next."""
    seat = actor_of(entry)
    if not st.attacks or seat != st.defender:
        raise ValueError("only a defender under attack can transfer")
    defender = next_in(rnd, st, seat)
    _lay(terms, rnd, st, seat, entry.value)
    if terms.row["foremost"] == "transferrer":
        st.leader = seat
    if not st.over:
        set_defender(terms, rnd, st, defender)


def take(terms: Terms, rnd: Joint, st: State, entry: Entry) -> None:
    """The defender takes, or says that they will."""
    if not st.attacks or actor_of(entry) != st.defender:
        raise ValueError("only a defender under attack can take")
    st.taking = True
    st.passed = set()
    end_if_done(terms, rnd, st)


def add_nothing(terms: Terms, rnd: Joint, st: State, entry: Entry) -> None:
    """Somebody passes."""
    if not st.attacks:
        raise ValueError("nothing lies there")
    st.passed |= {actor_of(entry)}
    end_if_done(terms, rnd, st)


# --- draws


def name_draw(terms: Terms, rnd: Joint, st: State, entry: Entry) -> None:
    """Cards that somebody drew after the last bout are named; a number names none of them."""
    seat = actor_of(entry)
    if isinstance(entry.value, int):
        _check_drawn(rnd, st, seat, entry.value)
        return
    for kind in entry.value:
        _name_drawn(rnd, st, seat, kind)


def _check_drawn(rnd: Joint, st: State, seat: int, number: int) -> None:
    drawn = st.drawn.get(seat)
    if drawn is None or number > drawn.left:
        raise ValueError(f"{rnd.names[seat]} drew no {number} cards after this bout")


def _name_drawn(rnd: Joint, st: State, seat: int, kind: int) -> None:
    name, pack = rnd.names[seat], rnd.rules.pack
    drawn = st.drawn.get(seat)
    if drawn is None:
        raise ValueError(f"{name} drew no card after this bout")
    kept_for_last = drawn.last is not None and kind != drawn.last
    if drawn.left <= kept_for_last:
        raise ValueError(f"each card that {name} drew after this bout is named already")
    if drawn.named & pack.bit[kind]:
        raise ValueError(f"{pack.kinds[kind]} is none of the others they drew")
    last, shown = drawn.last, list(drawn.shown)
    if kind == last:
        last = None
    elif kind in shown:
        shown.remove(kind)
    else:
        rnd.hands.drew(seat, kind)
    left, named = drawn.left - 1, drawn.named | pack.bit[kind]
    st.drawn[seat] = Drawn(left, named, last, tuple(shown))


ACTS: dict[str, Act] = {
    "attack": attack,
    "cover": cover,
    "transfer": transfer,
    "take": take,
    "pass": add_nothing,
    "draw": name_draw,
    "together": together,
    "trump": opening.name_trump_late,
    "talon": opening.recount_talon,
}
