"""The course of bouts: who attacks and defends, who may add, who draws, who is out, who loses.

Part of bouts. What may be laid is said by clauses (clauses.py).
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

from scorekeeper.core.english import listed, number_of
from scorekeeper.core.failures import Impossible, Unreadable
from scorekeeper.notation import EVERYONE, Entry
from scorekeeper.notation.syntax import Cards, Nothing, Number, Suit, Who, seat_named
from scorekeeper.notation.verbs import Verb
from scorekeeper.phases.bouts import telling
from scorekeeper.phases.bouts.keys import NOBODY, PARAMETERS
from scorekeeper.phases.bouts.state import CardsOn, Draw, Hands, State
from scorekeeper.play.positions import MISTYPED, holding, leads_with_cards, said_now
from scorekeeper.ruleset.phase import Measure, Phase, Split
from scorekeeper.ruleset.vocabulary import phase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from scorekeeper.core.plain import Json, Row
    from scorekeeper.phases.bouts.state import Laid
    from scorekeeper.ruleset.joint import Joint, Start

LAYING = ("attack", "cover", "transfer", "together")
MOST_SHOWN = 3  # sets of cards that `legal` lists one by one


def _of_table(read: Callable[[State], Any]) -> Callable[[Joint, Any], Any]:
    """A measure of the table as it lies."""
    return lambda rnd, _: read(rnd.state(rnd.rules.phase(Bouts)))


def _deals(rnd: Joint, _: Any) -> int:
    return int(rnd.kept("bouts").get("deals", 0))


@phase
class Bouts(Phase[State]):
    """Who attacks whom, who may add, when a bout ends, who draws, who is out and who loses."""

    name = "bouts"
    doc = (
        "Bouts of attacks and covers: a leader, a defender, others who add; hands filled up from a"
        " talon; who has no cards when it is empty is out, who is left loses."
    )
    tables = ("pack", "deal")
    only = True
    parameters = PARAMETERS
    roles = ("losers",)
    reports = {
        "out": "who went out, in that order",
        "losers": "who lost",
        "draw": "whether nobody lost",
        "bouts": "how many bouts were played",
    }
    verbs = (
        Verb("attack", Cards(), "leads cards, or adds them", turn=True, cards=True),
        Verb("cover", CardsOn(), "covers an attack", turn=True),
        Verb("transfer", Cards(), "the attacks go on to the next", turn=True, cards=True),
        Verb("take", Nothing(), "takes what lies there", turn=True),
        Verb("pass", Nothing(), "adds nothing", everyone=True),
        Verb("draw", Cards(), "cards seen when they were drawn"),
        Verb("together", Hands(), "attacks laid at the same time", table=True),
        Verb(
            "turnup",
            Cards(1, 1),
            "the card that shows trump",
            table=True,
            fact=True,
            says="trump",
        ),
        Verb("trump", Suit(), "the trump suit", table=True, fact=True),
        Verb("talon", Number(0, 999), "how many cards are to be drawn", table=True, fact=True),
        Verb("touch", Who(), "touched the pack before the deal", table=True, fact=True),
    )
    measures = (
        Measure("laid", "how many attacks lie there", _of_table(lambda st: len(st.attacks))),
        Measure("open", "how many of them are not covered", _of_table(lambda st: st.open)),
        Measure("limit", "the most attacks of this bout", _of_table(lambda st: st.limit)),
        Measure("taking", "whether the defender takes", _of_table(lambda st: st.taking)),
        Measure("talon", "cards to be drawn", _of_table(lambda st: st.talon)),
        Measure("bouts", "how many bouts are over", _of_table(lambda st: st.ended)),
        Measure("deals", "deals played so far, void ones not counted", _deals),
        Measure("deals.most", "the key `deals`", lambda rnd, _: _row(rnd)["deals"]),
        Measure("losses.most", "the key `losses`", lambda rnd, _: _row(rnd)["losses"]),
    )

    def link(self) -> None:
        kinds = self.rules.pack.kinds
        ranks: list[str] = []
        for kind in kinds:
            rank = kind[:-1] or kind
            if rank not in ranks:
                ranks.append(rank)
        self.ranks = ranks
        self.rank = [ranks.index(kind[:-1] or kind) for kind in kinds]
        self.suit = [kind[-1] for kind in kinds]
        self.proposes = self.row["take"] == "proposal"
        self.leaves = self.row["out"] == "at-once"
        # Who lays their last card and is out at once leaves somebody behind who is not.
        self.may_draw = self.row["nobody"] == NOBODY and not self.leaves
        self.now = self.row["limit"] == "now"
        self._acts: dict[str, Callable[[Joint, State, int, Any], None]] = {
            "attack": self._attack,
            "cover": self._cover,
            "transfer": self._transfer,
            "take": self._take,
            "pass": self._pass,
            "draw": self._draw,
        }

    # --- the start

    def result_names(self) -> Iterable[str]:
        return ("loser",)

    def splits(self, split: Split, seats: int) -> Iterator[Split]:
        yield split
        losers = tuple(range(seats // (self.rules.sides["number"] or seats)))
        yield split.also(f"{len(losers)} of {seats} lose", {"losers": ("losers", losers)})

    def begin(self, rnd: Joint) -> State:
        st = State()
        self._lay_out(rnd, st)
        st.out = [seat for seat in rnd.seats if not st.talon and not self.size(rnd, seat)]
        leader = self.next_in(rnd, st, rnd.leader) if rnd.leader in st.out else rnd.leader
        if self._first_deal(rnd):
            st.watched = leader
            if rnd.start.lead is None:
                st.may_lead = self._may_lead(rnd, st)
                leader = st.may_lead[0]
        self._open(rnd, st, leader)
        if st.out and not rnd.in_conflict:
            self._stand(rnd, st)
        return st

    def put_into_start(self, rnd: Joint, start: Start) -> None:
        st = rnd.state_if_begun(self)
        if rnd.acted and st is not None:
            start.stock, start.turned = st.talon, st.turned
            start.trump = (st.trump or None) if st.turned is None else None

    def _stand(self, rnd: Joint, st: State) -> None:
        """Somebody is out from the start: whether that decides the deal."""
        left = [seat for seat in rnd.seats if seat not in st.out]
        if rnd.start.stock is None:
            if len({rnd.side(seat) for seat in left}) < 2:
                rnd.conflict("it is not said whether the talon is empty (talon 0)", "hand")
        elif left or self.row["nobody"] == NOBODY:
            if self._decide(rnd, st):
                self._bind(rnd, st, None)
        else:
            rnd.conflict("nobody holds a card, and this does not say who lost", "hand", "talon")

    def _lay_out(self, rnd: Joint, st: State) -> None:
        """Talon, turned-up card and trump, by what was said and by the counts."""
        start, knowledge = rnd.start, rnd.hands
        sizes = [knowledge.size(seat) for seat in rnd.seats]
        dealt = rnd.rules.deal_size(len(rnd.seats))
        rest = self.rules.pack.total - sum(sizes)
        unsaid = rest if min(sizes) >= dealt else 0
        st.talon = unsaid if start.stock is None else start.stock
        kind = start.turned
        turned = "" if kind is None else self.suit[kind]
        st.trump = turned if start.trump is None else start.trump
        if kind is not None:
            if self.suit[kind] != st.trump:
                card = self.rules.pack.kinds[kind]
                say = f"{card} was turned up, and shows another trump than {st.trump}"
                raise Impossible(say, MISTYPED)
            self._turn_up(rnd, st, kind)
        st.returned = start.returned if self._fresh(rnd) else ()
        for kind in st.returned:
            if any(sure & self.rules.pack.bit[kind] for sure in knowledge.sure):
                raise Impossible(
                    f"{self.rules.pack.kinds[kind]} went back into the talon", MISTYPED
                )
        if not rnd.in_conflict and st.talon - (st.turned is not None) > knowledge.elsewhere():
            rnd.conflict("the hands and the talon have more cards than the pack", "hand", "talon")

    def _turn_up(self, rnd: Joint, st: State, kind: int) -> None:
        """The turned-up card lies under the talon; without one it may be the dealer's."""
        knowledge, card = rnd.hands, self.rules.pack.kinds[kind]
        try:
            if st.talon:
                say = f"{card} was turned up and lies under the talon, and yet in a hand"
                knowledge.locate(kind)
                st.turned = kind
            elif self._fresh(rnd) and self.row["shown"] == "dealer":
                dealer = rnd.names[rnd.dealer]
                say = f"{card} was turned up, so it is the dealer's, and {dealer} is without it"
                knowledge.holds(rnd.dealer, kind)
        except ValueError:
            rnd.conflict(say, "turnup", "hand", "holds", "talon", "dealer")

    def position(self, rnd: Joint) -> None:
        """What hands and talon come to, unless it is the deal as ever."""
        knowledge, st = rnd.hands, rnd.state(self)
        if not st.over:
            leads_with_cards(rnd, st.leader)
        passed = rnd.leader in st.out and not st.over
        if rnd.in_conflict or self._fresh(rnd) or not (passed or said_now(rnd, "hand", "talon")):
            return
        away = knowledge.elsewhere() - st.talon + (st.turned is not None)
        told: dict[str, Any] = {"holding": holding(rnd), "talon": st.talon, "away": away}
        say = "{holding}; {talon} in the talon" if st.talon else "{holding}; the talon is empty"
        say += "; {away} out of play" if away else ""
        if st.over:
            told["lost"] = listed(rnd.names_of(st.losers)) or "nobody has"
            say += "; that decides the deal: {lost} lost"
        elif passed:
            told["out"], told["leads"] = rnd.names_of([rnd.leader, st.leader])
            say += "; {out} is out, so {leads} leads (another: lead NAME)"
        else:
            say += " (otherwise: hand NAME: NUMBER, talon NUMBER)"
        rnd.remark(f"{self.name}.position", say, told, self.cite)

    def leaders(self, rnd: Joint) -> list[int]:
        st = rnd.state(self)
        return st.may_lead or [st.leader]

    def _fresh(self, rnd: Joint) -> bool:
        """Whether the round begins with the deal, not in the middle."""
        dealt = rnd.rules.deal_size(len(rnd.seats))
        rest = self.rules.pack.total - dealt * len(rnd.seats)
        sizes = {self.size(rnd, seat) for seat in rnd.seats}
        return sizes == {dealt} and rnd.start.stock in (None, rest)

    def _first_deal(self, rnd: Joint) -> bool:
        """Whether this is a deal that the holder of the lowest trump leads."""
        return self.row["first"] == "lowest" and not _deals(rnd, None) and self._fresh(rnd)

    def _may_lead(self, rnd: Joint, st: State) -> list[int]:
        """Who may hold the lowest trump in hand, in playing order from the expected leader."""
        knowledge = rnd.hands
        order = self._from(rnd, rnd.leader)
        if not st.trump:
            return order
        found: set[int] = set()
        for kind in self.trumps(st):
            states = [knowledge.can_hold(seat, kind) for seat in order]
            found |= {seat for seat, may in zip(order, states, strict=True) if may >= 0}
            if max(states) > 0:
                break
        else:
            found.add(rnd.leader if self.row["without"] == "after-dealer" else rnd.dealer)
        return [seat for seat in order if seat in found]

    def trumps(self, st: State) -> list[int]:
        """The trumps, the lowest first."""
        kinds = [kind for kind, suit in enumerate(self.suit) if suit == st.trump]
        return sorted(kinds, key=lambda kind: -self.rank[kind])

    # --- seats

    def size(self, rnd: Joint, seat: int) -> int:
        return rnd.hands.size(seat)

    def _from(self, rnd: Joint, seat: int) -> list[int]:
        """All seats in playing order, this one first."""
        seats = rnd.seats
        place = seats.index(seat)
        return seats[place:] + seats[:place]

    def next_in(self, rnd: Joint, st: State, seat: int, side: int | None = None) -> int:
        """The next to the left who is still in (of the side of `side`); the seat if none is."""
        mates = rnd.seats if side is None else rnd.side(side)
        for other in self._from(rnd, seat)[1:]:
            if other in mates and other not in st.out:
                return other
        return seat

    def _open(self, rnd: Joint, st: State, leader: int, defender: int | None = None) -> None:
        """A new bout: an empty table, its leader and its defender."""
        st.clear()
        st.leader = leader
        self._defend(rnd, st, self._facing(rnd, st) if defender is None else defender)

    def _facing(self, rnd: Joint, st: State) -> int:
        """Whom the leader attacks: the next who is in and not on their side."""
        mates = rnd.side(st.leader)
        for seat in self._from(rnd, st.leader)[1:]:
            if seat not in mates and seat not in st.out:
                return seat
        return st.leader

    def _defend(self, rnd: Joint, st: State, defender: int) -> None:
        st.defender = defender
        st.limit = self.limit(rnd, defender)
        st.attackers = self._attackers(rnd, st)
        self._bind(rnd, st, st.leader if len(st.may_lead) < 2 else None)

    def _bind(self, rnd: Joint, st: State, leader: int | None) -> None:
        """What is bound: the trump, and who faces whom, as soon as it is certain who leads."""
        st.certain = leader is not None

    def limit(self, rnd: Joint, defender: int) -> int:
        most = int(self.row["most"])
        return most if self.row["limit"] == "none" else min(most, self.size(rnd, defender))

    def _attackers(self, rnd: Joint, st: State) -> list[int]:
        """Who may attack in this bout, in playing order, the leader first."""
        who, defender = self.row["adders"], st.defender
        found = [s for s in self._from(rnd, st.leader) if s != defender and s not in st.out]
        if who == "leader":
            return [seat for seat in found if seat == st.leader]
        if who == "side":
            return [seat for seat in found if seat not in rnd.side(defender)]
        if who == "neighbours":
            order = [seat for seat in self._from(rnd, defender) if seat not in st.out]
            return [seat for seat in found if seat in (st.leader, order[1], order[-1])]
        return found

    def room(self, rnd: Joint, st: State) -> int:
        """How many attacks may still be laid in this bout, by the counts."""
        if self.now:
            return self.limit(rnd, st.defender) - len(st.attacks)
        return st.limit - len(st.attacks)

    def room_at_once(self, rnd: Joint, st: State) -> int:
        """How many attacks may be added at one time."""
        room = max(0, self.room(rnd, st))
        return min(room, self.row["add"] or room)

    def _may_add(self, rnd: Joint, st: State) -> list[int]:
        """Who may still add, by the counts, and has not passed."""
        size = self.size
        passed = st.passed
        return [s for s in st.attackers if s not in passed and size(rnd, s)]

    # --- whose turn

    def finished(self, rnd: Joint) -> bool:
        state = rnd.state(self)
        return state.over

    def waiting(self, rnd: Joint) -> list[int]:
        st = rnd.state(self)
        if st.over:
            return []
        if not st.attacks:
            return st.may_lead or [st.leader]
        if st.open and not st.taking:
            return [st.defender]
        return self._may_add(rnd, st)

    def actor(self, rnd: Joint, entry: Entry) -> int | None:
        st = rnd.state(self)
        if entry.verb.word != "attack":
            return st.defender
        if len(st.may_lead) > 1:
            names = listed(rnd.names_of(st.may_lead), "or")
            raise Unreadable(f"who leads? it may be {names}", "say it: lead NAME")
        if not st.attacks:
            return None
        word = rnd.rules.lexicon.forms.get("attack", "attack")
        names = listed(rnd.names_of(st.attackers))
        raise Unreadable(
            f"who adds these cards? {names} may", f"type a name before it: NAME: {word} …"
        )

    def allows_out_of_turn(self, rnd: Joint, entry: Entry) -> bool:
        st = rnd.state(self)
        if entry.verb.word == "attack":
            return bool(st.attacks) and entry.seat in st.attackers
        return bool(st.attacks) and entry.seat == st.defender

    def everyone(self, rnd: Joint, entry: Entry) -> list[int]:
        st = rnd.state(self)
        return self._may_add(rnd, st) if st.attacks and not st.over else []

    def play_begun(self, rnd: Joint) -> bool:
        st = rnd.state_if_begun(self)
        return st is not None and bool(st.attacks or st.ended or st.over)

    # --- facts

    def apply(self, rnd: Joint, entry: Entry) -> None:
        word = entry.verb.word
        act = self._acts.get(word)
        if act is not None:
            seat = EVERYONE if entry.seat is None else entry.seat
            act(rnd, rnd.state(self), seat, entry.value)
        elif word == "together":
            self._together(rnd, rnd.state(self), entry.value)
        else:
            getattr(self, f"_{word}")(rnd, entry.value)

    def _turnup(self, rnd: Joint, value: tuple[int, ...]) -> None:
        kind = value[0]
        if self.suit[kind] not in self.row["never_trump"]:
            start = rnd.start.copy()
            start.turned = kind
            rnd.place("turnup", start)
        else:
            returned = rnd.start.returned
            if returned.count(kind) >= self.rules.pack.copies:
                raise Impossible(f"{self.rules.pack.kinds[kind]} went back already", MISTYPED)
            start = rnd.start.copy()
            start.returned = (*returned, kind)
            rnd.place("returned", start)

    def _trump(self, rnd: Joint, suit: str) -> None:
        st = rnd.state(self)
        if not rnd.acted or st.trump:
            start = rnd.start.copy()
            start.trump = suit
            rnd.place("trump", start)
            return
        st.trump = suit

    def _talon(self, rnd: Joint, count: int) -> None:
        st = rnd.state(self)
        if not rnd.acted:
            start = rnd.start.copy()
            start.stock = count
            rnd.place("talon", start)
        elif count != st.talon:
            raise Impossible(
                f"by the counts the talon has {number_of(st.talon, 'card')}, not {count}"
            )

    def _touch(self, rnd: Joint, seat: int) -> None:
        rule, start = self.row["touch"], rnd.start
        if rule == "no":
            raise Impossible("here nothing comes of touching the pack")
        said = (start.turned, start.trump, start.stock, start.lead)
        if start.hands or start.holds or any(fact is not None for fact in said):
            raise Impossible("the cards are dealt: nothing comes of touching them now")
        if seat == rnd.dealer or (rule == "first" and start.touched is not None):
            return
        start = start.copy()
        start.touched = start.dealer = seat
        rnd.place("dealer", start)

    # --- acts

    def _show(self, rnd: Joint, st: State, seat: int, kind: int) -> None:
        """A card comes from a hand to the table."""
        knowledge = rnd.hands
        self._check_returned(st, seat, kind)
        try:
            knowledge.show(seat, kind)
        except ValueError:
            knowledge.doubt(seat, kind)
            knowledge.show(seat, kind)
        if st.drawn and seat in st.drawn:
            st.drawn[seat].shown.append(kind)
        if st.watched is not None and (seat == st.watched or seat not in st.drew):
            st.shown.setdefault(kind, seat)

    def _check_returned(self, st: State, seat: int, kind: int) -> None:
        if kind in st.returned and seat not in st.drew:
            raise ValueError(f"{self.rules.pack.kinds[kind]} went back into the talon")

    def _attack(self, rnd: Joint, st: State, seat: int, kinds: tuple[int, ...]) -> None:
        if not st.attacks:
            self._lead(rnd, st, seat)
        self._lay(rnd, st, seat, kinds)
        self._go_on(rnd, st)

    def _lead(self, rnd: Joint, st: State, seat: int) -> None:
        if seat != st.leader:
            self._open(rnd, st, seat)
        if seat == st.defender:
            raise ValueError(f"nobody is left whom {rnd.names[seat]} could attack")
        if len(st.may_lead) > 1:
            self._bind(rnd, st, seat)
        st.may_lead = []
        if st.watched is not None and not st.ended:
            st.watched = seat
        st.news = {}

    def _lay(self, rnd: Joint, st: State, seat: int, kinds: Iterable[int]) -> None:
        """Attacks come to the table; with an empty talon who lays their last card may be out."""
        rank = self.rank
        for kind in kinds:
            self._show(rnd, st, seat, kind)
            st.attacks.append(kind)
            st.by.append(seat)
            st.covers.append(None)
            st.ranks |= 1 << rank[kind]
            st.open += 1
        st.taking = False
        if st.passed:
            st.passed = set()
        if self.leaves and not st.talon and not self.size(rnd, seat) and seat not in st.out:
            st.out.append(seat)
            self._decide(rnd, st)

    def _cover(self, rnd: Joint, st: State, seat: int, cards: tuple[int, int]) -> None:
        attack, kind = cards
        for place, lying in enumerate(st.attacks):
            if lying == attack and st.covers[place] is None:
                break
        else:
            raise ValueError(f"{self.rules.pack.kinds[attack]} does not lie open")
        self._show(rnd, st, seat, kind)
        st.covers[place] = kind
        st.ranks |= 1 << self.rank[kind]
        st.open -= 1
        st.taking = False
        if st.passed:
            st.passed = set()
        self._go_on(rnd, st)

    def _transfer(self, rnd: Joint, st: State, seat: int, kinds: tuple[int, ...]) -> None:
        if not st.attacks or seat != st.defender:
            raise ValueError("only a defender under attack can transfer")
        defender = self.next_in(rnd, st, seat)
        self._lay(rnd, st, seat, kinds)
        if self.row["foremost"] == "transferrer":
            st.leader = seat
        if not st.over:
            self._defend(rnd, st, defender)

    def _take(self, rnd: Joint, st: State, seat: int, value: None) -> None:
        if not st.attacks or seat != st.defender:
            raise ValueError("only a defender under attack can take")
        st.taking = True
        st.passed = set()
        self._go_on(rnd, st)

    def _pass(self, rnd: Joint, st: State, seat: int, value: None) -> None:
        if not st.attacks:
            raise ValueError("nothing lies there")
        st.passed |= set(self._may_add(rnd, st)) if seat == EVERYONE else {seat}
        self._go_on(rnd, st)

    def _together(self, rnd: Joint, st: State, laid: Laid) -> None:
        if not st.attacks:
            raise ValueError("a lead is one player's")
        knowledge = rnd.hands
        stays, back = self.sorted(rnd, st, laid)
        for seat, kinds in back.items():
            for kind in kinds:
                knowledge.holds(seat, kind)
        for seat, kinds in stays.items():
            if not st.over:
                self._lay(rnd, st, seat, kinds)
        self._go_on(rnd, st)

    def sorted(
        self, rnd: Joint, st: State, laid: Laid
    ) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
        """Of attacks laid at the same time, by seat: those that stay and those that go back."""
        room = self.room_at_once(rnd, st)
        cards = dict(laid)
        stays: dict[int, list[int]] = {}
        back: dict[int, list[int]] = {}
        for seat in self._from(rnd, st.leader):
            kinds = list(cards.get(seat, ()))
            if self.row["returns"] == "last":
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

    def _draw(self, rnd: Joint, st: State, seat: int, kinds: tuple[int, ...]) -> None:
        knowledge = rnd.hands
        drawn = st.drawn.get(seat)
        for kind in kinds:
            if drawn is None or drawn.left <= (drawn.last is not None and kind != drawn.last):
                name = rnd.names[seat]
                if drawn is None:
                    raise ValueError(f"{name} drew no card after this bout")
                raise ValueError(f"each card that {name} drew after this bout is named already")
            bit = self.rules.pack.bit[kind]
            if drawn.old & bit:
                raise ValueError(f"{self.rules.pack.kinds[kind]} is none of the others they drew")
            if kind == drawn.last:
                drawn.last = None
            elif kind in drawn.shown:
                drawn.shown.remove(kind)
            else:
                knowledge.drew(seat, kind)
            drawn.left -= 1
            drawn.old |= bit

    # --- how a bout ends

    def _go_on(self, rnd: Joint, st: State) -> None:
        """The bout is over when nothing can or need come any more."""
        if st.over or (st.open and not st.taking):
            return
        if (self.proposes or not st.taking) and self.room(rnd, st) > 0 and self._may_add(rnd, st):
            return
        self._end(rnd, st)

    def _end(self, rnd: Joint, st: State) -> None:
        taken = st.taking or bool(st.open)
        knowledge = rnd.hands
        if taken:
            knowledge.take_seen(st.defender, self.rules.pack.of(st.lying()))
            st.drew.add(st.defender)
        st.ended += 1
        draws = self._fill(rnd, st)
        gone = [] if st.talon else self._gone(rnd, st)
        st.out += gone
        st.news = {
            "outcome": "taken" if taken else "covered",
            "defender": rnd.names[st.defender],
            "draws": [[rnd.names[seat], number] for seat, number in draws],
            "talon": st.talon,
            "out": rnd.names_of(gone),
        }
        if not gone or not self._decide(rnd, st):
            leader, defender = self._next(rnd, st, taken)
            self._open(rnd, st, leader, defender)

    def _fill(self, rnd: Joint, st: State) -> list[tuple[int, int]]:
        """Fill hands up, each completely before the next; gives who drew how many."""
        draws: list[tuple[int, int]] = []
        st.drawn = {}
        if not st.talon:
            return draws
        others = [s for s in self._from(rnd, st.leader) if s not in (st.leader, st.defender)]
        groups = {"leader": [st.leader], "defender": [st.defender], "others": others}
        if st.leader == st.defender:  # the attack has come back to him
            groups["leader"] = []
        for group in self.row["refill"]:
            for seat in groups[group]:
                number = min(self.row["fill"] - self.size(rnd, seat), st.talon)
                if number > 0 and seat not in st.out:
                    self._take_up(rnd, st, seat, number)
                    draws.append((seat, number))
        return draws

    def _take_up(self, rnd: Joint, st: State, seat: int, number: int) -> None:
        knowledge = rnd.hands
        last = number == st.talon and st.turned is not None
        unseen = number - last
        drawn = st.drawn[seat] = Draw(number, knowledge.sure[seat])
        if unseen:
            knowledge.take_unseen(seat, unseen)
        if last:
            assert st.turned is not None
            knowledge.take_seen(seat, self.rules.pack.bit[st.turned])
            drawn.last, st.turned = st.turned, None
        st.talon -= number
        st.drew.add(seat)

    def _gone(self, rnd: Joint, st: State) -> list[int]:
        """Who has no cards now and was in until now, in playing order."""
        order = self._from(rnd, st.leader)
        return [seat for seat in order if seat not in st.out and not self.size(rnd, seat)]

    def _next(self, rnd: Joint, st: State, taken: bool) -> tuple[int, int | None]:
        """Who leads the next bout; against whom, where that is not simply the next player."""
        leader, defender = st.leader, st.defender
        if not rnd.rules.sides["number"]:
            if taken or defender in st.out:
                return self.next_in(rnd, st, defender), None
            return defender, None
        if taken:
            return (
                self.next_in(rnd, st, leader, leader),
                self.next_in(rnd, st, defender, defender),
            )
        heir = defender
        if defender in st.out:
            mates = defender if self.row["heir"] == "side" else None
            heir = self.next_in(rnd, st, defender, mates)
        if heir in rnd.side(leader):
            return heir, self.next_in(rnd, st, defender, defender)
        return heir, self.next_in(rnd, st, leader, leader)

    def _decide(self, rnd: Joint, st: State) -> bool:
        """Whether the deal is over, now that somebody is out: one side, or nobody, has cards."""
        alive = {rnd.side(seat) for seat in rnd.seats if seat not in st.out}
        if len(alive) > 1:
            return False
        st.over = True
        if alive:
            st.losers = alive.pop()
        elif self.row["nobody"] != NOBODY:
            st.losers = rnd.side(st.defender if self.row["nobody"] == "defender" else st.leader)
        return True

    # --- how a round ends

    def conclude(self, rnd: Joint, said: dict[str, str]) -> None:
        st = rnd.state(self)
        words = set(said)
        if words == {NOBODY} and not said[NOBODY]:
            self._somebody_left(rnd, st)
            st.over, st.losers = True, ()
            return
        if words != {"loser"}:
            draw = f" or {NOBODY}" if self.may_draw else ""
            raise Unreadable(f"a result here is loser=NAME{draw}")
        seat = seat_named(rnd.names, said["loser"])
        side = rnd.side(seat)
        if all(mate in st.out for mate in side):
            raise Impossible(f"{rnd.names[seat]} is out and cannot have lost")
        if self.row["nobody"] == NOBODY and all(self._rid(rnd, st, mate) for mate in side):
            raise Impossible(f"{rnd.names[seat]} has no cards left and cannot have lost")
        st.over, st.losers = True, side
        rnd.next_dealer = seat

    def _rid(self, rnd: Joint, st: State, seat: int) -> bool:
        """Whether this player has no cards and can get none any more."""
        takes = seat == st.defender and st.open > 0
        return seat in st.out or not (takes or st.talon or self.size(rnd, seat))

    def _somebody_left(self, rnd: Joint, st: State) -> None:
        """Raise Impossible where the defender alone has cards, and more than lie open."""
        if not st.attacks or any(
            not self._rid(rnd, st, seat) for seat in rnd.seats if seat != st.defender
        ):
            return
        if self.size(rnd, st.defender) > st.open:
            name = rnd.names[st.defender]
            raise Impossible(f"{name} alone has cards, more than lie open, and must have lost")

    def confirms(self, rnd: Joint, said: dict[str, str]) -> bool:
        st = rnd.state(self)
        if set(said) == {NOBODY}:
            return not st.losers
        return set(said) == {"loser"} and seat_named(rnd.names, said["loser"]) in st.losers

    def fields(self, rnd: Joint) -> list[tuple[str, str, list[str]]]:
        draw = [(NOBODY, "or, alone: nobody lost", list[str]())]
        return [("loser", "who lost", rnd.names_of(rnd.seats)), *(draw if self.may_draw else [])]

    def close(self, rnd: Joint) -> None:
        st = rnd.state(self)
        st.over = True
        rnd.next_leader = None
        carried = rnd.kept(self.name)
        deals = carried.get("deals", 0) + (not rnd.void)
        rnd.keep(self.name, {"deals": deals, "out": [] if rnd.void else list(st.out)})
        if rnd.void or not st.losers:
            same = self.row["undecided"] == "same"
            rnd.next_dealer = rnd.dealer if same else rnd.after(rnd.dealer)
            return
        rnd.roles["losers"] = (self._label(rnd, st.losers), st.losers)
        if rnd.next_dealer is None:
            left = [seat for seat in st.losers if seat not in st.out]
            rnd.next_dealer = (left or list(st.losers))[0]

    def _label(self, rnd: Joint, seats: Iterable[int]) -> str:
        return "+".join(rnd.names_of(seats))

    # --- what is said of it

    def prompt(self, rnd: Joint) -> str:
        st = rnd.state(self)
        if st.over:
            return "the deal is over"
        if not st.attacks:
            return f"{self._told(st)}{self._prompt_lead(rnd, st)}"
        more = self._more(rnd, st)
        if st.open and not st.taking:
            lying = " ".join(self._cards(st.uncovered()))
            return f"{rnd.names[st.defender]} answers {lying}" + (f"; {more}" if more else "")
        taking = f"{rnd.names[st.defender]} takes; " if st.taking else ""
        return f"{taking}{more}, or pass"

    def _more(self, rnd: Joint, st: State) -> str:
        """Who may still add how many, by the counts."""
        room = self.room(rnd, st)
        adders = self._may_add(rnd, st) if room > 0 else []
        most = max((min(room, self.size(rnd, seat)) for seat in adders), default=0)
        up_to = "up to " if most > 1 else ""
        cards = number_of(most, "card")
        return f"{listed(rnd.names_of(adders))} may add {up_to}{cards}" if most else ""

    def _prompt_lead(self, rnd: Joint, st: State) -> str:
        if not st.trump:
            suits = self.row["never_trump"]
            barred = f" (not {' '.join(suits)})" if suits else ""
            say = f"say what is trump{barred}: turnup CARD, or trump SUIT"
            if st.may_lead:
                say += "; the holder of the lowest trump leads then: lead NAME"
            return say
        if len(st.may_lead) > 1:
            who = listed(rnd.names_of(st.may_lead), "or")
            return f"the holder of the lowest trump leads (lead NAME); it may be {who}"
        names = rnd.names
        limit = number_of(st.limit, "attack")
        return f"{names[st.leader]} leads against {names[st.defender]}, at most {limit}"

    def _told(self, st: State) -> str:
        """What the referee says when a bout is over."""
        news = st.news
        if not news:
            return ""
        parts = [f"{news['defender']} has {news['outcome']}"]
        parts += [f"{name} draws {number}" for name, number in news["draws"]]
        if news["draws"]:
            parts.append(f"{news['talon']} left in the talon")
        parts += [f"{name} is out" for name in news["out"]]
        return "; ".join(parts) + "; "

    def _cards(self, kinds: Iterable[int]) -> list[str]:
        return [self.rules.pack.kinds[kind] for kind in kinds]

    def on_table(self, rnd: Joint) -> Iterable[str]:
        st = rnd.state_if_begun(self)
        return () if st is None else telling.lies(rnd, st)

    def sentences(self, rnd: Joint) -> Iterable[str]:
        st = rnd.state_if_begun(self)
        if st is None:
            return ()
        return telling.tells(rnd, st, self.row, [] if st.over else self._owed(rnd, st))

    def score_sentences(self, rnd: Joint) -> Iterable[str]:
        return () if rnd.void else telling.accounts(rnd, rnd.state(self))

    def describe(self, rnd: Joint) -> Json:
        st = rnd.state_if_begun(self)
        if st is None:
            return {}
        kinds = self.rules.pack.kinds
        room = None if st.over else max(0, self.room(rnd, st))
        bindings: Json = {} if st.certain is None else self._bound(rnd, st)
        bindings |= {
            "limit": st.limit,
            "left": room,
            "taking": st.taking,
            "out": rnd.names_of(st.out),
        }
        bindings["turned_up"] = None if st.turned is None else kinds[st.turned]
        bindings["last_bout"] = st.news or None
        bindings["losers"] = rnd.names_of(st.losers)
        return {
            "bindings": bindings,
            "table": [
                {
                    "who": rnd.names[by],
                    "attack": kinds[attack],
                    "cover": None if cover is None else kinds[cover],
                }
                for attack, by, cover in zip(st.attacks, st.by, st.covers, strict=True)
            ],
            "talon": st.talon,
            "sides": self._sides(rnd),
            "players": {rnd.names[s]: self._player(st, s) for s in rnd.seats},
            "owed": [] if st.over else self._owed(rnd, st),
        }

    def _bound(self, rnd: Joint, st: State) -> Json:
        """The trump, and who faces whom as soon as it is certain who leads."""
        return {
            "trump": st.trump or None,
            "leader": rnd.names[st.leader] if st.certain else None,
            "defender": rnd.names[st.defender] if st.certain else None,
        }

    def _sides(self, rnd: Joint) -> dict[str, list[str]]:
        if not rnd.rules.sides["number"]:
            return {}
        sides = dict.fromkeys(rnd.side(seat) for seat in rnd.seats)
        return {self._label(rnd, side): rnd.names_of(side) for side in sides}

    def _player(self, st: State, seat: int) -> dict[str, Any]:
        role = None
        if len(st.may_lead) > 1:
            role = None
        elif seat == st.defender:
            role = "defender"
        elif seat == st.leader:
            role = "leader"
        elif seat in st.attackers:
            role = "attacker"
        out = seat in st.out
        return {"role": None if st.over or (out and not st.attacks) else role, "out": out}

    def _owed(self, rnd: Joint, st: State) -> list[dict[str, Any]]:
        owed: list[dict[str, Any]] = [
            {"who": rnd.names[seat], "what": "draw", "count": drawn.left}
            for seat, drawn in st.drawn.items()
            if drawn.left
        ]
        if st.attacks and not (st.open and not st.taking):
            owed += [{"who": name, "what": "pass"} for name in rnd.names_of(self._may_add(rnd, st))]
        return owed

    def summary(self, rnd: Joint) -> Json:
        st = rnd.state(self)
        found: dict[str, Any] = {"out": rnd.names_of(st.out), "bouts": st.ended}
        if rnd.over and not rnd.void:
            found["losers"] = rnd.names_of(st.losers)
            found["draw"] = not st.losers
        sides = self._sides(rnd)
        if sides:
            found["sides"] = sides
        return found

    # --- what may be done

    def from_hand(self, entry: Entry) -> Laid:
        seat = EVERYONE if entry.seat is None else entry.seat
        if entry.verb.word == "cover":
            return ((seat, entry.value[1:]),)
        if entry.verb.word == "together":
            laid: Laid = entry.value
            return laid
        return ((seat, entry.value),)

    def shown(self, rnd: Joint, entry: Entry) -> Laid:
        if entry.verb.word not in LAYING:
            return ()
        st = rnd.state(self)
        for seat, kinds in self.from_hand(entry):
            for kind in kinds:
                self._check_returned(st, seat, kind)
        return self.from_hand(entry)

    def options(self, rnd: Joint) -> Iterator[Entry]:
        st = rnd.state(self)
        attack, cover, transfer, take, passes = self.verbs[:5]
        room = self.room(rnd, st)
        if not st.attacks:
            if st.leader == st.defender:
                return
            for seat in st.may_lead or [st.leader]:
                hand = self._possible(rnd, seat)
                for rank in range(len(self.ranks)):
                    same = [kind for kind in hand if self.rank[kind] == rank]
                    yield from self._sets(attack, seat, same, room, self.row["lead"])
            return
        defender = st.defender
        hand = self._possible(rnd, defender)
        for lying in st.uncovered():
            for kind in hand:
                yield Entry(cover, defender, (lying, kind))
        for kind in hand:
            yield Entry(transfer, defender, (kind,))
        yield Entry(take, defender, None)
        for seat in st.attackers:
            fit = [k for k in self._possible(rnd, seat) if st.ranks >> self.rank[k] & 1]
            most = min(room, self.size(rnd, seat))
            yield from self._sets(attack, seat, fit, most, self.row["add"])
            yield Entry(passes, seat, None)

    def _sets(
        self, verb: Verb, seat: int, kinds: list[int], room: int, most: int
    ) -> Iterator[Entry]:
        """Sets of up to three of these cards; larger ones are said once, without their cards."""
        largest = min(room, most or room, len(kinds))
        for number in range(1, min(MOST_SHOWN, largest) + 1):
            for chosen in combinations(kinds, number):
                yield Entry(verb, seat, chosen)
        if largest > MOST_SHOWN:
            yield Entry(verb, seat, ())

    def _possible(self, rnd: Joint, seat: int) -> list[int]:
        """The cards that he may hold."""
        st = rnd.state(self)
        knowledge = rnd.hands
        held = [kind for kind in range(len(self.rank)) if knowledge.can_hold(seat, kind) >= 0]
        return held if seat in st.drew else [kind for kind in held if kind not in st.returned]


def _row(rnd: Joint) -> Row:
    return rnd.rules.phase(Bouts).row
