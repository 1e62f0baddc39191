"""The effects of each entry in a deal played in bouts, from the setup to the end of the deal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.messages import join_list, plural, tr
from scorekeeper.engine.phase import actor_of
from scorekeeper.engine.setup import MISTYPED_HINT, holding_text, place, stated_now
from scorekeeper.notation.syntax import find_seat
from scorekeeper.phases.bouts.state import (
    DRAWN_DEAL,
    NAME,
    LastBout,
    OwedDraw,
    State,
    attacks_left,
    attacks_left_at_once,
    can_add_any,
    count_deals,
    find_opponent,
    next_seat,
    open_bout,
    playing_order,
    set_defender,
    side_label,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from scorekeeper.core.types import Facts
    from scorekeeper.engine.round import Round
    from scorekeeper.notation import Entry
    from scorekeeper.phases.bouts.state import BoutSettings, Laid

    Fact = Callable[[BoutSettings, Round, Entry], None]
    Act = Callable[[BoutSettings, Round, State, Entry], None]
    Sorted = dict[int, list[int]]  # cards by seat


LOSER_KEY = "loser"


# --- start of a deal: talon, trump and first leader


def deal(terms: BoutSettings, rnd: Round) -> State:
    """Return the state at the start of a deal, built from the setup facts."""
    st, whole = State(), _is_whole_deal(rnd)
    _lay_out(terms, rnd, st, whole)
    st.out = [seat for seat in rnd.seats if not st.talon and not rnd.hands.size(seat)]
    st.earlier_bouts = int(not whole and _starts_midway(rnd, st))
    leader = (
        next_seat(rnd, st, rnd.seating.leader)
        if rnd.seating.leader in st.out
        else rnd.seating.leader
    )
    how = _first_leader_rule(terms, rnd) if whole else ""
    if how == "dealer" and rnd.setup.lead is None:
        leader = rnd.seating.dealer
    elif how == "lowest":
        st.claimed_leader = leader
        if rnd.setup.lead is None:
            st.possible_leaders = _possible_leaders(terms, rnd, st)
            leader = st.possible_leaders[0]
    rnd.table.possible_leaders = tuple(st.possible_leaders) or (leader,)
    open_bout(terms, rnd, st, leader)
    if st.out and not rnd.conflicts:
        _decide_position(terms, rnd, st)
    return st


def _is_whole_deal(rnd: Round) -> bool:
    """Return whether the hands and the talon are as large as at the start of a deal."""
    dealt = rnd.deal_size
    rest = rnd.rules.pack.card_count - dealt * len(rnd.seats)
    sizes = {rnd.hands.size(seat) for seat in rnd.seats}
    return sizes == {dealt} and rnd.setup.stock in (None, rest)


def _starts_midway(rnd: Round, st: State) -> bool:
    """Return whether the size of the talon shows that the recording began in the middle of a
    deal."""
    rest = rnd.rules.pack.card_count - rnd.deal_size * len(rnd.seats)
    return not 0 < rest <= st.talon


def _lay_out(terms: BoutSettings, rnd: Round, st: State, whole: bool) -> None:
    """Set the talon, the turned-up card and the trump from the setup facts and the card counts.
    `whole` is true if the hands and the talon are as large as at the start of a deal."""
    start, knowledge, pack = rnd.setup, rnd.hands, rnd.rules.pack
    sizes = [knowledge.size(seat) for seat in rnd.seats]
    dealt = rnd.deal_size
    rest = pack.card_count - sum(sizes)
    unsaid = rest if min(sizes) >= dealt else 0
    st.talon = unsaid if start.stock is None else start.stock
    kind = start.turned
    turned = "" if kind is None else terms.suit[kind]
    st.trump = turned if start.trump is None else start.trump
    if kind is not None:
        if turned != st.trump:
            card = pack.kinds[kind]
            say = tr(
                "{card} was turned up, so the trump cannot be {trump}",
                card=card,
                trump=st.trump,
            )
            raise Impossible(say, MISTYPED_HINT)
        _turn_up(terms, rnd, st, kind, whole)
    st.put_back_cards = start.returned if whole else ()
    for kind in st.put_back_cards:
        if any(sure & pack.bit[kind] for sure in knowledge.known):
            raise Impossible(
                tr("{card} went back into the talon", card=pack.kinds[kind]), MISTYPED_HINT
            )
    if not rnd.conflicts and st.talon - (st.turned is not None) > knowledge.unheld_count():
        rnd.add_conflict(
            tr("the hands and the talon together contain more cards than the pack"), "hand", "talon"
        )


def _turn_up(terms: BoutSettings, rnd: Round, st: State, kind: int, whole: bool) -> None:
    """Put the turned-up card under the talon. If no cards are left for a talon, the ruleset may
    give the card to the dealer."""
    knowledge, card = rnd.hands, rnd.rules.pack.kinds[kind]
    try:
        if st.talon:
            say = tr("{card} was turned up under the talon, but is also in a hand", card=card)
            knowledge.locate(kind)
            st.turned = kind
        elif whole and terms.row["shown"] == "dealer":
            dealer = rnd.names[rnd.seating.dealer]
            say = tr(
                "{card} was turned up and belongs to the dealer, but {dealer} does not hold it",
                card=card,
                dealer=dealer,
            )
            knowledge.note_held(rnd.seating.dealer, kind)
    except ValueError:
        rnd.add_conflict(say, "turnup", "hand", "holds", "talon", "dealer")


def _first_leader_rule(terms: BoutSettings, rnd: Round) -> str:
    """Return the rule that decides who leads the first deal, or "" in later deals."""
    ways = terms.row["leads"]
    return ways[0] if ways and not count_deals(rnd) else ""


def _possible_leaders(terms: BoutSettings, rnd: Round, st: State) -> list[int]:
    """Return the seats that may hold the lowest trump, starting with the expected leader."""
    knowledge = rnd.hands
    order = playing_order(rnd, rnd.seating.leader)
    if not st.trump:
        return order
    found: set[int] = set()
    for kind in terms.trump_cards(st.trump):
        states = [knowledge.can_hold(seat, kind) for seat in order]
        found |= {seat for seat, may in zip(order, states, strict=True) if may >= 0}
        if max(states) > 0:
            break
    else:
        found.add(
            rnd.seating.dealer if terms.row["leads"][1:2] == ["dealer"] else rnd.seating.leader
        )
    return [seat for seat in order if seat in found]


def _decide_position(terms: BoutSettings, rnd: Round, st: State) -> None:
    """End the deal if the stated position already decides who has lost."""
    left = [seat for seat in rnd.seats if seat not in st.out]
    if rnd.setup.stock is None:
        if len({rnd.seating.side(seat) for seat in left}) < 2:
            rnd.add_conflict(
                tr(
                    "the size of the talon is missing; enter “talon NUMBER” (0 if the talon "
                    "is empty)"
                ),
                "hand",
            )
    elif left or terms.row["nobody"] == DRAWN_DEAL:
        if decide(terms, rnd, st):
            st.is_leader_certain = False
    else:
        rnd.add_conflict(
            tr("no player has cards left, and the facts entered do not show who lost"),
            "hand",
            "talon",
        )


def describe_position(rnd: Round, st: State) -> tuple[str, Facts] | None:
    """Return a message about the hands and the talon, and the values of its placeholders. Return
    None for an ordinary deal."""
    passed_over = rnd.seating.leader in st.out and not st.is_over
    if rnd.conflicts or _is_whole_deal(rnd):
        return None
    if not (passed_over or stated_now(rnd, "hand", "talon")):
        return None
    away = rnd.hands.unheld_count() - st.talon + (st.turned is not None)
    facts: Facts = {"holding": holding_text(rnd), "talon": st.talon, "away": away}
    say = tr("{holding}; {talon} in the talon") if st.talon else tr("{holding}; the talon is empty")
    say += tr("; {away} out of play") if away else ""
    if st.is_over:
        facts["lost"] = join_list(rnd.names_of(st.losers)) or tr("nobody")
        return say + tr("; that decides the deal: {lost} lost"), facts
    if passed_over:
        facts["out"], facts["leads"] = rnd.names_of([rnd.seating.leader, st.leader])
        return say + tr(
            "; {out} is out, so {leads} leads (if another player leads, enter “lead NAME”)"
        ), facts
    return say + tr(" (to correct this, enter “hand NAME: NUMBER” or “talon NUMBER”)"), facts


# --- setup facts, and facts stated later


def take_turned_card(terms: BoutSettings, rnd: Round, entry: Entry) -> None:
    """Record the turned-up card. It shows the trump, unless its suit cannot be trump. In that case
    the card is put back, and another card is turned up."""
    (kind,) = entry.value
    if terms.suit[kind] not in terms.row["never_trump"]:
        place(rnd, "turnup", rnd.setup._replace(turned=kind))
        return
    pack, returned = rnd.rules.pack, rnd.setup.returned
    if returned.count(kind) >= pack.copies:
        raise Impossible(
            tr("{card} has already been put back", card=pack.kinds[kind]), MISTYPED_HINT
        )
    place(rnd, "returned", rnd.setup._replace(returned=(*returned, kind)))


def name_trump(terms: BoutSettings, rnd: Round, entry: Entry) -> None:
    """Set the trump during setup."""
    place(rnd, "trump", rnd.setup._replace(trump=entry.value))


def count_talon(terms: BoutSettings, rnd: Round, entry: Entry) -> None:
    """Set the number of cards in the talon during setup."""
    place(rnd, "talon", rnd.setup._replace(stock=entry.value))


def set_first_dealer(terms: BoutSettings, rnd: Round, entry: Entry) -> None:
    """Appoint as dealer the player who touched the pack before the deal, if the rules say so."""
    seat: int = entry.value
    rule, start = terms.row["touch"], rnd.setup
    if rule == "no":
        raise Impossible(tr("touching the pack has no effect in this game"))
    said = (start.turned, start.trump, start.stock, start.lead)
    if start.hands or start.holds or any(fact is not None for fact in said):
        raise Impossible(tr("the cards are dealt, so touching the pack has no effect now"))
    if seat == rnd.seating.dealer or (rule == "first" and start.touched is not None):
        return
    place(rnd, "dealer", start._replace(touched=seat, dealer=seat))


FACTS: dict[str, Fact] = {
    "turnup": take_turned_card,
    "trump": name_trump,
    "talon": count_talon,
    "touch": set_first_dealer,
}


def name_trump_late(terms: BoutSettings, rnd: Round, st: State, entry: Entry) -> None:
    """Set the trump during play, once it matters for the first time."""
    if st.trump:
        # This always raises an error, because the trump is already known.
        name_trump(terms, rnd, entry)
    st.trump = entry.value


def recount_talon(terms: BoutSettings, rnd: Round, st: State, entry: Entry) -> None:
    """Raise Impossible if a stated number of cards in the talon differs from the recorded
    number."""
    if entry.value != st.talon:
        raise Impossible(
            plural(
                "the entries so far leave {count} card in the talon, not {number}",
                "the entries so far leave {count} cards in the talon, not {number}",
                st.talon,
                number=entry.value,
            )
        )


# --- attacks


def attack(terms: BoutSettings, rnd: Round, st: State, entry: Entry) -> None:
    """Lead, or add attacks."""
    seat = actor_of(entry)
    if not st.attacks:
        _lead(terms, rnd, st, seat)
    _lay(terms, rnd, st, seat, entry.value)


def _lead(terms: BoutSettings, rnd: Round, st: State, seat: int) -> None:
    """Make a seat the leader of the current bout."""
    if seat != st.leader:
        open_bout(terms, rnd, st, seat)
    if seat == st.defender:
        raise ValueError(f"nobody is left whom {rnd.names[seat]} could attack")
    st.is_leader_certain = True
    st.possible_leaders = []
    if st.claimed_leader is not None and not st.bouts:
        st.claimed_leader = seat
    st.last_bout = None


def _lay(terms: BoutSettings, rnd: Round, st: State, seat: int, kinds: Iterable[int]) -> None:
    """Play attacks. A player who plays their last card while the talon is empty may be out."""
    for kind in kinds:
        _show_card(rnd, st, seat, kind)
        st.attacks.append(kind)
        st.by.append(seat)
        st.covers_by_attack.append(None)
        st.ranks |= 1 << terms.rank[kind]
        st.open_count += 1
    _reopen_decisions(st)
    if terms.out_at_once and not st.talon and not rnd.hands.size(seat) and seat not in st.out:
        st.out.append(seat)
        decide(terms, rnd, st)


def _reopen_decisions(st: State) -> None:
    """Cancel all passes and the defender's announcement to take the cards, because a card has been
    played."""
    st.is_taking = False
    if st.passed:
        st.passed = set()


def _show_card(rnd: Round, st: State, seat: int, kind: int) -> None:
    """Move a card from a hand to the table."""
    knowledge = rnd.hands
    if st.put_back_cards:
        require_not_put_back(rnd, st, seat, kind)
    try:
        knowledge.show(seat, kind)
    except ValueError:
        knowledge.mark_contradicted(seat, kind)
        knowledge.show(seat, kind)
    if seat in st.owed_draws:
        left, named, last, shown = st.owed_draws[seat]
        st.owed_draws[seat] = OwedDraw(left, named, last, (*shown, kind))
    if st.claimed_leader is not None and (seat == st.claimed_leader or seat not in st.has_drawn):
        st.shown.setdefault(kind, seat)


def require_not_put_back(rnd: Round, st: State, seat: int, kind: int) -> None:
    """Raise ValueError if the seat cannot hold the card, because the card was put back into the
    talon and the seat has drawn no card since."""
    if st.is_put_back(seat, kind):
        raise ValueError(f"{rnd.rules.pack.kinds[kind]} went back into the talon")


def lay_together(terms: BoutSettings, rnd: Round, st: State, entry: Entry) -> None:
    """Play attacks that several players added at the same time. Surplus cards return to the
    hands."""
    if not st.attacks:
        raise ValueError("a lead is one player's")
    stays, back = sort_simultaneous(terms, rnd, st, entry.value)
    for seat, kinds in back.items():
        for kind in kinds:
            rnd.hands.note_held(seat, kind)
    for seat, kinds in stays.items():
        if not st.is_over:
            _lay(terms, rnd, st, seat, kinds)
    end_if_finished(terms, rnd, st)


def sort_simultaneous(
    terms: BoutSettings, rnd: Round, st: State, laid: Laid
) -> tuple[Sorted, Sorted]:
    """Sort attacks played at the same time into cards that stay on the table and surplus cards that
    return to the hands. Return both groups as dictionaries from seats to cards."""
    room = attacks_left_at_once(terms, rnd, st)
    cards = dict(laid)
    stays: Sorted = {}
    back: Sorted = {}
    for seat in playing_order(rnd, st.leader):
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


# --- defence


def cover(terms: BoutSettings, rnd: Round, st: State, entry: Entry) -> None:
    """Cover an attack with a card."""
    lying, kind = entry.value
    place = st.find_open(lying)
    if place is None:
        raise ValueError(f"{rnd.rules.pack.kinds[lying]} does not lie open")
    _show_card(rnd, st, actor_of(entry), kind)
    st.covers_by_attack[place] = kind
    st.ranks |= 1 << terms.rank[kind]
    st.open_count -= 1
    _reopen_decisions(st)
    end_if_finished(terms, rnd, st)


def transfer(terms: BoutSettings, rnd: Round, st: State, entry: Entry) -> None:
    """Add the defender's cards to the attacks, and pass all attacks on to the next player."""
    seat = actor_of(entry)
    if not st.attacks or seat != st.defender:
        raise ValueError("only a defender under attack can transfer")
    defender = next_seat(rnd, st, seat)
    _lay(terms, rnd, st, seat, entry.value)
    if terms.row["foremost"] == "transferrer":
        st.leader = seat
    if not st.is_over:
        set_defender(terms, rnd, st, defender)


def take(terms: BoutSettings, rnd: Round, st: State, entry: Entry) -> None:
    """Let the defender take the cards, or record the defender's announcement to take them."""
    if not st.attacks or actor_of(entry) != st.defender:
        raise ValueError("only a defender under attack can take")
    st.is_taking = True
    st.passed = set()
    end_if_finished(terms, rnd, st)


def pass_on(terms: BoutSettings, rnd: Round, st: State, entry: Entry) -> None:
    """Record a pass."""
    if not st.attacks:
        raise ValueError("nothing lies there")
    st.passed |= {actor_of(entry)}
    end_if_finished(terms, rnd, st)


# --- draws


def name_draw(terms: BoutSettings, rnd: Round, st: State, entry: Entry) -> None:
    """Record which cards a player drew after the last bout. If only a number is entered, check that
    the player drew that many cards."""
    seat = actor_of(entry)
    if isinstance(entry.value, int):
        _check_drawn(rnd, st, seat, entry.value)
        return
    for kind in entry.value:
        _name_drawn(rnd, st, seat, kind)


def _check_drawn(rnd: Round, st: State, seat: int, number: int) -> None:
    drawn = st.owed_draws.get(seat)
    if drawn is None or number > drawn.unnamed:
        raise ValueError(f"{rnd.names[seat]} drew no {number} cards after this bout")


def _name_drawn(rnd: Round, st: State, seat: int, kind: int) -> None:
    name, pack = rnd.names[seat], rnd.rules.pack
    drawn = st.owed_draws.get(seat)
    if drawn is None:
        raise ValueError(f"{name} drew no card after this bout")
    kept_for_last = drawn.turned is not None and kind != drawn.turned
    if drawn.unnamed <= kept_for_last:
        raise ValueError(f"each card that {name} drew after this bout is named already")
    if drawn.known & pack.bit[kind]:
        raise ValueError(f"{pack.kinds[kind]} is none of the others they drew")
    last, shown = drawn.turned, list(drawn.shown)
    if kind == last:
        last = None
    elif kind in shown:
        shown.remove(kind)
    else:
        rnd.hands.name_drawn(seat, kind)
    left, named = drawn.unnamed - 1, drawn.known | pack.bit[kind]
    st.owed_draws[seat] = OwedDraw(left, named, last, tuple(shown))


ACTS: dict[str, Act] = {
    "attack": attack,
    "cover": cover,
    "transfer": transfer,
    "take": take,
    "pass": pass_on,
    "draw": name_draw,
    "together": lay_together,
    "trump": name_trump_late,
    "talon": recount_talon,
}


# --- end of a bout


def end_if_finished(terms: BoutSettings, rnd: Round, st: State) -> None:
    """End the bout when no further act is possible or required."""
    if st.is_over or (st.open_count and not st.is_taking):
        return
    ended_by_take = st.is_taking and terms.taking_ends_bout
    if ended_by_take or attacks_left(terms, rnd, st) <= 0 or not can_add_any(rnd, st):
        _end_bout(terms, rnd, st)


def _end_bout(terms: BoutSettings, rnd: Round, st: State) -> None:
    taken = st.is_taking or st.open_count > 0
    if taken:
        rnd.hands.take_seen(st.defender, rnd.rules.pack.hand_of(st.cards_on_table()))
        st.has_drawn.add(st.defender)
    st.bouts += 1
    draws = _fill_up(terms, rnd, st)
    gone = [] if st.talon else _newly_out(rnd, st)
    st.out += gone
    st.last_bout = LastBout(taken, st.defender, tuple(draws), st.talon, tuple(gone))
    if not gone or not decide(terms, rnd, st):
        open_bout(terms, rnd, st, *_next_pair(terms, rnd, st, taken))


def _newly_out(rnd: Round, st: State) -> list[int]:
    """Return the seats that have just run out of cards, in playing order."""
    order = playing_order(rnd, st.leader)
    return [seat for seat in order if seat not in st.out and not rnd.hands.size(seat)]


def _fill_up(terms: BoutSettings, rnd: Round, st: State) -> list[tuple[int, int]]:
    """Let players draw until their hands are full again. Return pairs of a seat and the number of
    cards that it drew."""
    draws: list[tuple[int, int]] = []
    st.owed_draws = {}
    if not st.talon:
        return draws
    others = [s for s in playing_order(rnd, st.leader) if s not in (st.leader, st.defender)]
    # If transfers have brought the attack back to the leader, the leader is also the defender.
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
    """Move cards from the talon to a player's hand. The turned-up card is the last one drawn."""
    knowledge = rnd.hands
    last = st.turned if number == st.talon else None
    st.owed_draws[seat] = OwedDraw(number, knowledge.known[seat], last)
    unseen = number - (last is not None)
    if unseen:
        knowledge.take_unseen(seat, unseen)
    if last is not None:
        knowledge.take_seen(seat, rnd.rules.pack.bit[last])
        st.turned = None
    st.talon -= number
    st.has_drawn.add(seat)


def _next_pair(terms: BoutSettings, rnd: Round, st: State, taken: bool) -> tuple[int, int | None]:
    """Return the leader and the defender of the next bout. The defender is None if the leader
    attacks the next player, as usual."""
    if rnd.rules.sides["number"]:
        return _next_pair_of_sides(terms, rnd, st, taken)
    if taken or st.defender in st.out:
        return next_seat(rnd, st, st.defender), None
    return st.defender, None


def _next_pair_of_sides(terms: BoutSettings, rnd: Round, st: State, taken: bool) -> tuple[int, int]:
    """Return the leader and the defender of the next bout in a game with sides. If the expected
    leader is out, the next player still in the deal leads. If leader and defender would be
    partners, the next player of another side defends."""
    leader, defender = st.leader, st.defender
    if taken:
        heir = _next_of_side(rnd, st, leader)
        attacked = _next_of_side(rnd, st, defender)
    else:
        heir = defender
        if defender in st.out:
            mates = rnd.seating.side(defender) if terms.row["heir"] == "side" else None
            heir = next_seat(rnd, st, defender, mates)
        attacked = _next_of_side(rnd, st, defender if heir in rnd.seating.side(leader) else leader)
    if heir in st.out:
        heir = next_seat(rnd, st, heir)
    if attacked in st.out or attacked in rnd.seating.side(heir):
        attacked = find_opponent(rnd, st, heir)
    return heir, attacked


def _next_of_side(rnd: Round, st: State, seat: int) -> int:
    """Return the next seat of the same side that is still in the deal, or the seat itself if there
    is no other."""
    return next_seat(rnd, st, seat, rnd.seating.side(seat))


# --- end of the deal


def decide(terms: BoutSettings, rnd: Round, st: State) -> bool:
    """End the deal if at most one side has cards left. Return whether the deal has ended."""
    in_play = {rnd.seating.side(seat) for seat in rnd.seats if seat not in st.out}
    if len(in_play) > 1:
        return False
    st.is_over = True
    nobody = terms.row["nobody"]
    if in_play:
        st.losers = in_play.pop()
    elif nobody != DRAWN_DEAL:
        st.losers = rnd.seating.side(st.defender if nobody == "defender" else st.leader)
    return True


def conclude(terms: BoutSettings, rnd: Round, st: State, said: Mapping[str, str]) -> None:
    """End the deal with a result. Raise Unreadable or Impossible like `Phase.conclude`."""
    if said == {DRAWN_DEAL: ""}:
        _check_draw(rnd, st)
        st.is_over, st.losers = True, ()
        return
    if set(said) != {LOSER_KEY}:
        if terms.may_draw:
            form = tr(
                "enter the result of a deal as {loser}=NAME or {draw}",
                loser=LOSER_KEY,
                draw=DRAWN_DEAL,
            )
            raise Unreadable(form)
        raise Unreadable(tr("enter the result of a deal as {loser}=NAME", loser=LOSER_KEY))
    seat = find_seat(rnd.names, said[LOSER_KEY])
    side = rnd.seating.side(seat)
    if all(mate in st.out for mate in side):
        raise Impossible(tr("{name} is out and cannot have lost", name=rnd.names[seat]))
    if terms.row["nobody"] == DRAWN_DEAL and all(_is_surely_out(rnd, st, mate) for mate in side):
        raise Impossible(tr("{name} has no cards left and cannot have lost", name=rnd.names[seat]))
    st.is_over, st.losers = True, side
    rnd.next_dealer = seat


def _is_surely_out(rnd: Round, st: State, seat: int) -> bool:
    """Return whether this player has no cards and can get no more."""
    takes = seat == st.defender and st.open_count > 0
    return seat in st.out or not (takes or st.talon or rnd.hands.size(seat))


def _check_draw(rnd: Round, st: State) -> None:
    """Raise Impossible if a draw is entered although the defender must have lost. The defender has
    lost if all others are out and the defender has more cards than there are open attacks."""
    others = [seat for seat in rnd.seats if seat != st.defender]
    if not st.attacks or not all(_is_surely_out(rnd, st, seat) for seat in others):
        return
    if rnd.hands.size(st.defender) > st.open_count:
        name = rnd.names[st.defender]
        raise Impossible(
            tr(
                "{name} must have lost, because only they have cards left, and more cards "
                "than there are open attacks",
                name=name,
            )
        )


def confirms(rnd: Round, st: State, said: Mapping[str, str]) -> bool:
    """Return whether a result only repeats the outcome that follows from the stated position."""
    if set(said) == {DRAWN_DEAL}:
        return not st.losers
    return set(said) == {LOSER_KEY} and find_seat(rnd.names, said[LOSER_KEY]) in st.losers


def fields(terms: BoutSettings, rnd: Round) -> list[tuple[str, str, list[str]]]:
    """Return the keys of a result. See `Phase.result_fields`."""
    found = [(LOSER_KEY, tr("who lost"), rnd.names_of(rnd.seats))]
    if terms.may_draw:
        found.append((DRAWN_DEAL, tr("enter only this if no player lost"), []))
    return found


def close(terms: BoutSettings, rnd: Round, st: State) -> None:
    """Finish the deal: set the losers, the next dealer, and the state for the next deal."""
    st.is_over = True
    rnd.next_leader = None
    deals = count_deals(rnd) + (not rnd.void)
    rnd.carry_over(NAME, {"deals": deals, "out": [] if rnd.void else list(st.out)})
    if rnd.void or not st.losers:
        rnd.deals_next = rnd.rules.deal["after_void"]
        return
    rnd.roles["losers"] = (side_label(rnd, st.losers), st.losers)
    if rnd.next_dealer is None:
        left = [seat for seat in st.losers if seat not in st.out]
        rnd.next_dealer = (left or list(st.losers))[0]
