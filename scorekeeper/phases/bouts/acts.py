"""The effects of each entry of a deal of bouts, from the start to the losers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.messages import listed, plural, tr
from scorekeeper.engine.phase import actor_of
from scorekeeper.engine.setup import MISTYPED, holding, place, said_now
from scorekeeper.notation.syntax import seat_named
from scorekeeper.phases.bouts.state import (
    NAME,
    NOBODY,
    Drawn,
    LastBout,
    State,
    deals_played,
    in_order,
    label,
    may_anyone_add,
    next_in,
    open_bout,
    opponent,
    room,
    room_at_once,
    set_defender,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from scorekeeper.core.types import Facts
    from scorekeeper.engine.round import Round
    from scorekeeper.notation import Entry
    from scorekeeper.phases.bouts.state import Laid, Terms

    Fact = Callable[[Terms, Round, Entry], None]
    Act = Callable[[Terms, Round, State, Entry], None]
    Sorted = dict[int, list[int]]  # cards by seat


LOSER = "loser"


# --- the start of a deal: talon and trump, who leads first


def begin(terms: Terms, rnd: Round) -> State:
    """Return the state at the start of a deal, built from the facts of the start."""
    st, whole = State(), _begins_with_the_deal(rnd)
    _lay_out(terms, rnd, st, whole)
    st.out = [seat for seat in rnd.seats if not st.talon and not rnd.hands.size(seat)]
    st.before = int(not whole and _begins_in_the_middle(rnd, st))
    leader = (
        next_in(rnd, st, rnd.seating.leader) if rnd.seating.leader in st.out else rnd.seating.leader
    )
    how = _first_way(terms, rnd) if whole else ""
    if how == "dealer" and rnd.setup.lead is None:
        leader = rnd.seating.dealer
    elif how == "lowest":
        st.watched = leader
        if rnd.setup.lead is None:
            st.may_lead = _may_lead(terms, rnd, st)
            leader = st.may_lead[0]
    rnd.table.possible_leaders = tuple(st.may_lead) or (leader,)
    open_bout(terms, rnd, st, leader)
    if st.out and not rnd.conflicts:
        _decide_position(terms, rnd, st)
    return st


def _begins_with_the_deal(rnd: Round) -> bool:
    """Return whether hands and talon are as dealt, so that the deal does not begin midway."""
    dealt = rnd.rules.deal_size(len(rnd.seats))
    rest = rnd.rules.pack.total - dealt * len(rnd.seats)
    sizes = {rnd.hands.size(seat) for seat in rnd.seats}
    return sizes == {dealt} and rnd.setup.stock in (None, rest)


def _begins_in_the_middle(rnd: Round, st: State) -> bool:
    """Return whether a bout was finished before the start: the talon has been drawn from, as far as
    is known."""
    rest = rnd.rules.pack.total - rnd.rules.deal_size(len(rnd.seats)) * len(rnd.seats)
    return not 0 < rest <= st.talon


def _lay_out(terms: Terms, rnd: Round, st: State, whole: bool) -> None:
    """Set the talon, the turned-up card and the trump from the facts and the counts. `whole` is
    true if hands and talon are as dealt."""
    start, knowledge, pack = rnd.setup, rnd.hands, rnd.rules.pack
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
    if not rnd.conflicts and st.talon - (st.turned is not None) > knowledge.elsewhere():
        rnd.conflict(tr("the hands and the talon have more cards than the pack"), "hand", "talon")


def _turn_up(terms: Terms, rnd: Round, st: State, kind: int, whole: bool) -> None:
    """Put the turned-up card under the talon. Without a talon it may be the dealer's."""
    knowledge, card = rnd.hands, rnd.rules.pack.kinds[kind]
    try:
        if st.talon:
            say = tr("{card} was turned up and lies under the talon, and yet in a hand", card=card)
            knowledge.locate(kind)
            st.turned = kind
        elif whole and terms.row["shown"] == "dealer":
            dealer = rnd.names[rnd.seating.dealer]
            say = tr(
                "{card} was turned up, so it is the dealer's, and {dealer} is without it",
                card=card,
                dealer=dealer,
            )
            knowledge.holds(rnd.seating.dealer, kind)
    except ValueError:
        rnd.conflict(say, "turnup", "hand", "holds", "talon", "dealer")


def _first_way(terms: Terms, rnd: Round) -> str:
    """Return the rule that decides who leads the first deal; "" for a later deal."""
    ways = terms.row["leads"]
    return ways[0] if ways and not deals_played(rnd) else ""


def _may_lead(terms: Terms, rnd: Round, st: State) -> list[int]:
    """Return the seats that may hold the lowest trump, from the expected leader on."""
    knowledge = rnd.hands
    order = in_order(rnd, rnd.seating.leader)
    if not st.trump:
        return order
    found: set[int] = set()
    for kind in terms.trumps(st.trump):
        states = [knowledge.can_hold(seat, kind) for seat in order]
        found |= {seat for seat, may in zip(order, states, strict=True) if may >= 0}
        if max(states) > 0:
            break
    else:
        found.add(
            rnd.seating.dealer if terms.row["leads"][1:2] == ["dealer"] else rnd.seating.leader
        )
    return [seat for seat in order if seat in found]


def _decide_position(terms: Terms, rnd: Round, st: State) -> None:
    """End the deal if the players who are out at the start decide it."""
    left = [seat for seat in rnd.seats if seat not in st.out]
    if rnd.setup.stock is None:
        if len({rnd.seating.side(seat) for seat in left}) < 2:
            rnd.conflict(tr("it is not said whether the talon is empty (talon 0)"), "hand")
    elif left or terms.row["nobody"] == NOBODY:
        if decide(terms, rnd, st):
            st.certain = False
    else:
        rnd.conflict(tr("nobody holds a card, and this does not say who lost"), "hand", "talon")


def position_noted(rnd: Round, st: State) -> tuple[str, Facts] | None:
    """Return a text about hands and talon, with its facts; None for an ordinary deal."""
    passed_over = rnd.seating.leader in st.out and not st.over
    if rnd.conflicts or _begins_with_the_deal(rnd):
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
        facts["out"], facts["leads"] = rnd.names_of([rnd.seating.leader, st.leader])
        return say + tr("; {out} is out, so {leads} leads (another: lead NAME)"), facts
    return say + tr(" (otherwise: hand NAME: NUMBER, talon NUMBER)"), facts


# --- what is said before the first act, and what is said of it later


def turn_up(terms: Terms, rnd: Round, entry: Entry) -> None:
    """Take the card that was turned up. It shows the trump, or it is put back and another is turned
    up."""
    (kind,) = entry.value
    if terms.suit[kind] not in terms.row["never_trump"]:
        place(rnd, "turnup", rnd.setup._replace(turned=kind))
        return
    pack, returned = rnd.rules.pack, rnd.setup.returned
    if returned.count(kind) >= pack.copies:
        raise Impossible(tr("{card} went back already", card=pack.kinds[kind]), MISTYPED)
    place(rnd, "returned", rnd.setup._replace(returned=(*returned, kind)))


def name_trump(terms: Terms, rnd: Round, entry: Entry) -> None:
    """Set the trump."""
    place(rnd, "trump", rnd.setup._replace(trump=entry.value))


def count_talon(terms: Terms, rnd: Round, entry: Entry) -> None:
    """Set the number of cards in the talon."""
    place(rnd, "talon", rnd.setup._replace(stock=entry.value))


def touch(terms: Terms, rnd: Round, entry: Entry) -> None:
    """Make the player who touched the pack before the deal its dealer, if the rules say so."""
    seat: int = entry.value
    rule, start = terms.row["touch"], rnd.setup
    if rule == "no":
        raise Impossible(tr("here nothing comes of touching the pack"))
    said = (start.turned, start.trump, start.stock, start.lead)
    if start.hands or start.holds or any(fact is not None for fact in said):
        raise Impossible(tr("the cards are dealt: nothing comes of touching them now"))
    if seat == rnd.seating.dealer or (rule == "first" and start.touched is not None):
        return
    place(rnd, "dealer", start._replace(touched=seat, dealer=seat))


FACTS: dict[str, Fact] = {
    "turnup": turn_up,
    "trump": name_trump,
    "talon": count_talon,
    "touch": touch,
}


def name_trump_late(terms: Terms, rnd: Round, st: State, entry: Entry) -> None:
    """Set the trump when it first matters."""
    if st.trump:
        name_trump(terms, rnd, entry)  # refused, because it is too late
    st.trump = entry.value


def recount_talon(terms: Terms, rnd: Round, st: State, entry: Entry) -> None:
    """Check a stated number of cards in the talon against the count."""
    if entry.value != st.talon:
        raise Impossible(
            plural(
                "by the counts the talon has {count} card, not {told}",
                "by the counts the talon has {count} cards, not {told}",
                st.talon,
                told=entry.value,
            )
        )


# --- attacks


def attack(terms: Terms, rnd: Round, st: State, entry: Entry) -> None:
    """Lead, or add attacks."""
    seat = actor_of(entry)
    if not st.attacks:
        _lead(terms, rnd, st, seat)
    _lay(terms, rnd, st, seat, entry.value)


def _lead(terms: Terms, rnd: Round, st: State, seat: int) -> None:
    """Make that seat the leader of this bout."""
    if seat != st.leader:
        open_bout(terms, rnd, st, seat)
    if seat == st.defender:
        raise ValueError(f"nobody is left whom {rnd.names[seat]} could attack")
    st.certain = True
    st.may_lead = []
    if st.watched is not None and not st.ended:
        st.watched = seat
    st.last = None


def _lay(terms: Terms, rnd: Round, st: State, seat: int, kinds: Iterable[int]) -> None:
    """Lay attacks. If the talon is empty, a player who lays their last card may be out."""
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
    """Cancel the announcement to take, and all passes, after a card was laid."""
    st.taking = False
    if st.passed:
        st.passed = set()


def _show(rnd: Round, st: State, seat: int, kind: int) -> None:
    """Move a card from a hand to the table."""
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


def check_not_put_back(rnd: Round, st: State, seat: int, kind: int) -> None:
    """Raise ValueError for a card that was put back into the talon and not drawn by the seat."""
    if st.put_back(seat, kind):
        raise ValueError(f"{rnd.rules.pack.kinds[kind]} went back into the talon")


def together(terms: Terms, rnd: Round, st: State, entry: Entry) -> None:
    """Lay attacks that several players added at the same time. Surplus ones return to the hands."""
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


def sorted_out(terms: Terms, rnd: Round, st: State, laid: Laid) -> tuple[Sorted, Sorted]:
    """Return which attacks laid at the same time remain, and which return, both by seat."""
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


def cover(terms: Terms, rnd: Round, st: State, entry: Entry) -> None:
    """Cover an attack with a card."""
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


def transfer(terms: Terms, rnd: Round, st: State, entry: Entry) -> None:
    """Add the defender's cards to the attacks, and pass all of them on to the next player."""
    seat = actor_of(entry)
    if not st.attacks or seat != st.defender:
        raise ValueError("only a defender under attack can transfer")
    defender = next_in(rnd, st, seat)
    _lay(terms, rnd, st, seat, entry.value)
    if terms.row["foremost"] == "transferrer":
        st.leader = seat
    if not st.over:
        set_defender(terms, rnd, st, defender)


def take(terms: Terms, rnd: Round, st: State, entry: Entry) -> None:
    """Let the defender take, or announce to take."""
    if not st.attacks or actor_of(entry) != st.defender:
        raise ValueError("only a defender under attack can take")
    st.taking = True
    st.passed = set()
    end_if_done(terms, rnd, st)


def add_nothing(terms: Terms, rnd: Round, st: State, entry: Entry) -> None:
    """Pass."""
    if not st.attacks:
        raise ValueError("nothing lies there")
    st.passed |= {actor_of(entry)}
    end_if_done(terms, rnd, st)


# --- draws


def name_draw(terms: Terms, rnd: Round, st: State, entry: Entry) -> None:
    """Name cards that a player drew after the last bout. A number names none of them."""
    seat = actor_of(entry)
    if isinstance(entry.value, int):
        _check_drawn(rnd, st, seat, entry.value)
        return
    for kind in entry.value:
        _name_drawn(rnd, st, seat, kind)


def _check_drawn(rnd: Round, st: State, seat: int, number: int) -> None:
    drawn = st.drawn.get(seat)
    if drawn is None or number > drawn.left:
        raise ValueError(f"{rnd.names[seat]} drew no {number} cards after this bout")


def _name_drawn(rnd: Round, st: State, seat: int, kind: int) -> None:
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
    "trump": name_trump_late,
    "talon": recount_talon,
}


# --- how a bout ends: who takes, who draws how many, who is out, who leads the next


def end_if_done(terms: Terms, rnd: Round, st: State) -> None:
    """End the bout when no further act is possible or required."""
    if st.over or (st.open and not st.taking):
        return
    ended_by_take = st.taking and terms.take_ends
    if ended_by_take or room(terms, rnd, st) <= 0 or not may_anyone_add(rnd, st):
        _end(terms, rnd, st)


def _end(terms: Terms, rnd: Round, st: State) -> None:
    taken = st.taking or st.open > 0
    if taken:
        rnd.hands.take_seen(st.defender, rnd.rules.pack.of(st.lying()))
        st.drew.add(st.defender)
    st.ended += 1
    draws = _fill_up(terms, rnd, st)
    gone = [] if st.talon else _without_cards(rnd, st)
    st.out += gone
    st.last = LastBout(taken, st.defender, tuple(draws), st.talon, tuple(gone))
    if not gone or not decide(terms, rnd, st):
        open_bout(terms, rnd, st, *_next_bout(terms, rnd, st, taken))


def _without_cards(rnd: Round, st: State) -> list[int]:
    """Return the seats that have just run out of cards, in playing order."""
    order = in_order(rnd, st.leader)
    return [seat for seat in order if seat not in st.out and not rnd.hands.size(seat)]


def _fill_up(terms: Terms, rnd: Round, st: State) -> list[tuple[int, int]]:
    """Fill hands up, one after another. Return pairs of a seat and the number drawn."""
    draws: list[tuple[int, int]] = []
    st.drawn = {}
    if not st.talon:
        return draws
    others = [s for s in in_order(rnd, st.leader) if s not in (st.leader, st.defender)]
    # After an attack that came back to the leader, the leader is the defender.
    leader = [] if st.leader == st.defender else [st.leader]
    fill = terms.fill(rnd, st)
    groups = {"leader": leader, "defender": [st.defender], "others": others}
    for group in terms.row["refill"]:
        for seat in groups[group]:
            number = min(fill - rnd.hands.size(seat), st.talon)
            if number > 0 and seat not in st.out:
                _draw(rnd, st, seat, number)
                draws.append((seat, number))
    return draws


def _draw(rnd: Round, st: State, seat: int, number: int) -> None:
    """Draw cards for a player. The turned-up card is the last one of the talon."""
    knowledge = rnd.hands
    last = st.turned if number == st.talon else None
    st.drawn[seat] = Drawn(number, knowledge.sure[seat], last)
    unseen = number - (last is not None)
    if unseen:
        knowledge.take_unseen(seat, unseen)
    if last is not None:
        knowledge.take_seen(seat, rnd.rules.pack.bit[last])
        st.turned = None
    st.talon -= number
    st.drew.add(seat)


def _next_bout(terms: Terms, rnd: Round, st: State, taken: bool) -> tuple[int, int | None]:
    """Return the leader of the next bout, and the defender if it is not simply the next player."""
    if rnd.rules.sides["number"]:
        return _next_with_sides(terms, rnd, st, taken)
    if taken or st.defender in st.out:
        return next_in(rnd, st, st.defender), None
    return st.defender, None


def _next_with_sides(terms: Terms, rnd: Round, st: State, taken: bool) -> tuple[int, int]:
    """Return leader and defender of the next bout, where each side keeps its own order. If that
    leader is out, the next player who is in leads. If the two are partners, after transfers to
    the leader's own side, the next player of another side defends."""
    leader, defender = st.leader, st.defender
    if taken:
        heir = _next_of_side(rnd, st, leader)
        attacked = _next_of_side(rnd, st, defender)
    else:
        heir = defender
        if defender in st.out:
            mates = rnd.seating.side(defender) if terms.row["heir"] == "side" else None
            heir = next_in(rnd, st, defender, mates)
        attacked = _next_of_side(rnd, st, defender if heir in rnd.seating.side(leader) else leader)
    if heir in st.out:
        heir = next_in(rnd, st, heir)
    if attacked in st.out or attacked in rnd.seating.side(heir):
        attacked = opponent(rnd, st, heir)
    return heir, attacked


def _next_of_side(rnd: Round, st: State, seat: int) -> int:
    """Return the next seat of the side that is in; the seat itself if there is no other."""
    return next_in(rnd, st, seat, rnd.seating.side(seat))


# --- who has lost: by the cards, or by the words of a result; what goes to the next deal


def decide(terms: Terms, rnd: Round, st: State) -> bool:
    """End the deal if at most one side has cards. Return whether it has ended."""
    in_play = {rnd.seating.side(seat) for seat in rnd.seats if seat not in st.out}
    if len(in_play) > 1:
        return False
    st.over = True
    nobody = terms.row["nobody"]
    if in_play:
        st.losers = in_play.pop()
    elif nobody != NOBODY:
        st.losers = rnd.seating.side(st.defender if nobody == "defender" else st.leader)
    return True


def conclude(terms: Terms, rnd: Round, st: State, said: Mapping[str, str]) -> None:
    """End the deal by a result. Raise Unreadable or Impossible as `Phase.conclude` does."""
    if said == {NOBODY: ""}:
        _check_draw(rnd, st)
        st.over, st.losers = True, ()
        return
    if set(said) != {LOSER}:
        if terms.may_draw:
            form = tr("a result here is {loser}=NAME or {draw}", loser=LOSER, draw=NOBODY)
            raise Unreadable(form)
        raise Unreadable(tr("a result here is {loser}=NAME", loser=LOSER))
    seat = seat_named(rnd.names, said[LOSER])
    side = rnd.seating.side(seat)
    if all(mate in st.out for mate in side):
        raise Impossible(tr("{name} is out and cannot have lost", name=rnd.names[seat]))
    if terms.row["nobody"] == NOBODY and all(_is_rid(rnd, st, mate) for mate in side):
        raise Impossible(tr("{name} has no cards left and cannot have lost", name=rnd.names[seat]))
    st.over, st.losers = True, side
    rnd.next_dealer = seat


def _is_rid(rnd: Round, st: State, seat: int) -> bool:
    """Return whether this player has no cards and can get none any more."""
    takes = seat == st.defender and st.open > 0
    return seat in st.out or not (takes or st.talon or rnd.hands.size(seat))


def _check_draw(rnd: Round, st: State) -> None:
    """Raise Impossible if the defender alone has cards, and more than the open attacks."""
    others = [seat for seat in rnd.seats if seat != st.defender]
    if not st.attacks or not all(_is_rid(rnd, st, seat) for seat in others):
        return
    if rnd.hands.size(st.defender) > st.open:
        name = rnd.names[st.defender]
        raise Impossible(
            tr("{name} alone has cards, more than lie open, and must have lost", name=name)
        )


def confirms(rnd: Round, st: State, said: Mapping[str, str]) -> bool:
    """Return whether a result only repeats what a position has decided already."""
    if set(said) == {NOBODY}:
        return not st.losers
    return set(said) == {LOSER} and seat_named(rnd.names, said[LOSER]) in st.losers


def fields(terms: Terms, rnd: Round) -> list[tuple[str, str, list[str]]]:
    """Return the keys of a result, as `Phase.result_fields` does."""
    found = [(LOSER, tr("who lost"), rnd.names_of(rnd.seats))]
    if terms.may_draw:
        found.append((NOBODY, tr("or, alone: nobody lost"), []))
    return found


def close(terms: Terms, rnd: Round, st: State) -> None:
    """Finish the deal: set the losers, the next dealer, and the state that is carried over."""
    st.over = True
    rnd.next_leader = None
    deals = deals_played(rnd) + (not rnd.void)
    rnd.keep(NAME, {"deals": deals, "out": [] if rnd.void else list(st.out)})
    if rnd.void or not st.losers:
        rnd.deals_next = rnd.rules.deal["after_void"]
        return
    rnd.roles["losers"] = (label(rnd, st.losers), st.losers)
    if rnd.next_dealer is None:
        left = [seat for seat in st.losers if seat not in st.out]
        rnd.next_dealer = (left or list(st.losers))[0]
