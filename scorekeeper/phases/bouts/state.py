"""The state of a deal of bouts, its settings and entry types, and the rules of who attacks whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import mark, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.phase import actor_of
from scorekeeper.engine.ruleset import amount
from scorekeeper.notation.entry import Actor, OneCard, Timing, Verb
from scorekeeper.notation.syntax import (
    Cards,
    CardsOrCount,
    Nothing,
    Number,
    Suit,
    Syntax,
    Who,
    clean,
)
from scorekeeper.ruleset.orders import SUIT_NAMES
from scorekeeper.ruleset.tables import Parameter

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from scorekeeper.core.cards import Pack
    from scorekeeper.core.types import Luck, Row
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Amount, Ruleset
    from scorekeeper.notation import Entry
    from scorekeeper.notation.syntax import Spelling

    Laid = tuple[tuple[int, tuple[int, ...]], ...]  # pairs of a seat and cards from its hand


NAME = "bouts"  # the name of the phase
NOBODY = "draw"  # no player has lost
IN_PACK = (0, untrusted.CARDS)
MOST = (1, untrusted.CARDS)  # the bounds of the number of attacks in a bout
SUITS = tuple(SUIT_NAMES)


# --- the deal as it stands


class Drawn(NamedTuple):
    """The cards that a player drew after the last bout.

    `left` of these cards are unnamed. `named` is a mask of the cards that the player surely held
    before, and of the named ones. `last` is the turned-up card if it was drawn and is unnamed.
    `shown` are the cards that the player has shown since.
    """

    left: int
    named: int
    last: int | None = None
    shown: tuple[int, ...] = ()


class LastBout(NamedTuple):
    """The end of a bout. `taken` is true if the `defender` took the cards. `draws` are pairs of a
    seat and a number of cards, `talon` is the number of cards left after them, `out` the seats
    that went out."""

    taken: bool
    defender: int
    draws: tuple[tuple[int, int], ...]
    talon: int
    out: tuple[int, ...]


class State:
    """A deal of bouts. Seats and cards are numbers.

    Of the table: `attacks`, the seats `by` which they were laid, and their `covers` (None for an
    open attack). `open` is the number of open attacks, `ranks` a mask of the ranks on the table.

    Of the bout: the seats `leader` and `defender`. `attackers` may add, in playing order, and those
    in `passed` have passed since the last card. `limit` is the maximum of attacks. `taking` is true
    once the defender has announced to take.

    Of the deal: `trump` ("" while it is unknown). `talon` is the number of cards to be drawn,
    `turned` the turned-up card under it (None if it is unknown or drawn). `returned` are cards
    turned up at the deal and put back, which only players in `drew` can have. `drawn` are the
    draws after the last bout, by seat in order. `ended` is the number of finished bouts;
    `before` is 1 if some bout was finished when the recording began, else 0. `last` is the end
    of the last bout, until the next lead. `out` are the players without cards, in that order.
    `over` is true at the end, with its `losers`.

    Of the first lead: `may_lead` are the seats that may hold the lowest trump, in playing order, if
    the holder is unknown. `certain` is true if the leader is known. `watched` is the seat that led
    because of its cards, or None. `shown` maps cards that were in a hand since the deal to seats.
    """

    __slots__ = (
        *("attackers", "attacks", "before", "by", "certain", "covers", "defender", "drawn", "drew"),
        *("ended", "last", "leader", "limit", "losers", "may_lead", "open", "out", "over"),
        *("passed", "ranks", "returned", "shown", "taking", "talon", "trump", "turned", "watched"),
    )

    def __init__(self) -> None:
        self.talon = 0
        self.turned: int | None = None
        self.returned: tuple[int, ...] = ()
        self.trump = ""
        self.certain = False
        self.out: list[int] = []
        self.leader = self.defender = 0
        self.attackers: list[int] = []
        self.may_lead: list[int] = []
        self.limit = 0
        self.ended = self.before = 0
        self.drawn: dict[int, Drawn] = {}
        self.drew: set[int] = set()
        self.last: LastBout | None = None
        self.losers: tuple[int, ...] = ()
        self.over = False
        self.watched: int | None = None
        self.shown: dict[int, int] = {}
        self.clear()

    def clear(self) -> None:
        """Empty the table."""
        self.attacks: list[int] = []
        self.by: list[int] = []
        self.covers: list[int | None] = []
        self.ranks = self.open = 0
        self.taking = False
        self.passed: set[int] = set()

    def lying(self) -> list[int]:
        """Return every card on the table."""
        return [*self.attacks, *(kind for kind in self.covers if kind is not None)]

    def uncovered(self) -> list[int]:
        """Return the open attacks."""
        return [k for k, cover in zip(self.attacks, self.covers, strict=True) if cover is None]

    def place_open(self, attack: int) -> int | None:
        """Return the index of that attack on the table if it is open, else None."""
        for place, lying in enumerate(self.attacks):
            if lying == attack and self.covers[place] is None:
                return place
        return None

    def answering(self) -> bool:
        """Return whether the defender must answer an open attack, not having announced to take."""
        return self.open > 0 and not self.taking

    def put_back(self, seat: int, kind: int) -> bool:
        """Return whether this card was put back, and the seat has drawn no card since."""
        return kind in self.returned and seat not in self.drew


# --- what a ruleset sets of its bouts

PARAMETERS = {
    "fill": Parameter("number", "how many cards hands are filled up to", 6, bounds=IN_PACK),
    "most": Parameter("number", "the most attacks of a bout", 6, bounds=MOST),
    "limit": Parameter(
        "choice",
        "attacks are also limited by the cards that the defender held when they became it"
        " (`before`), holds at the moment (`now`), or not at all (`none`)",
        "before",
        ("before", "now", "none"),
    ),
    "at_once": Parameter(
        "number",
        "the most cards that are led, or added, at a time (0: any number; `laid` is 0 at the lead)",
        0,
        bounds=IN_PACK,
    ),
    "take": Parameter(
        "choice",
        "who says that they take ends the bout (`at-once`), or proposes it (`proposal`)",
        "proposal",
        ("proposal", "at-once"),
    ),
    "adders": Parameter(
        "choice",
        "who may add attacks: all but the defender (`others`), the other `side`, the"
        " defender's two neighbours, or the leader alone",
        "others",
        ("others", "side", "neighbours", "leader"),
    ),
    "foremost": Parameter(
        "choice",
        "who is the first attacker after a transfer",
        "leader",
        ("leader", "transferrer"),
    ),
    "refill": Parameter(
        "texts",
        "in which order hands are filled up: `defender`, `leader`, `others`",
        ["defender", "leader", "others"],
        ("defender", "leader", "others"),
    ),
    "out": Parameter(
        "choice",
        "with the talon empty an attacker is out when they lay their last card (`at-once`), or"
        " when the bout is over (`after`)",
        "at-once",
        ("at-once", "after"),
    ),
    "heir": Parameter(
        "choice",
        "who leads, with sides, in place of a defender who is out: the next of their `side`, or"
        " the next at the `table`",
        "side",
        ("side", "table"),
    ),
    "leads": Parameter(
        "texts",
        "who leads in the first deal: the first of these that there is: the holder of the `lowest`"
        " trump, the player `after-dealer`, the `dealer`",
        ["after-dealer"],
        ("lowest", "after-dealer", "dealer"),
    ),
    "touch": Parameter(
        "choice",
        "who touches the pack before the deal becomes the dealer: the `last` or the `first` of"
        " several, or nobody (`no`)",
        "no",
        ("no", "last", "first"),
    ),
    "never_trump": Parameter(
        "texts", "suits that cannot be trump: another card is turned", [], SUITS
    ),
    "shown": Parameter(
        "choice",
        "with no talon left, the card that shows trump is the `dealer`'s, or `nobody`'s",
        "dealer",
        ("dealer", "nobody"),
    ),
    "returns": Parameter(
        "choice",
        "of cards laid together by one player, those laid `last` go back first, or the `first`",
        "last",
        ("last", "first"),
    ),
    "nobody": Parameter(
        "choice",
        "when nobody has cards left: a draw, or who loses",
        NOBODY,
        (NOBODY, "defender", "leader"),
    ),
}


class Terms:
    """The compiled settings of the bouts, and the cards by rank and suit.

    `row` are the settings as written. With `out_at_once` an attacker who lays their last card is
    out although the bout goes on. `limited` is true if the defender's hand limits the attacks:
    the hand at the start of the bout, or the current one (`limit_now`). `adders` are the players
    who may add attacks. With `take_ends` the bout ends when the defender takes. With `may_draw`
    a deal can end without a loser. `rank` and `suit` are lists by kind of card; rank 0 is the
    highest, and `ranks` are the names. `fill`, `most` and `at_once` are functions of a round and
    its state.
    """

    fill: Amount
    most: Amount
    at_once: Amount

    __slots__ = (
        *("at_once", "fill", "limit_now", "may_draw", "most", "out_at_once"),
        *("_trumps", "adders", "limited", "rank", "ranks", "row", "suit", "take_ends"),
    )

    def __init__(self, row: Row, pack: Pack) -> None:
        self.row = row
        names = [kind[:-1] or kind for kind in pack.kinds]
        self.ranks = list(dict.fromkeys(names))
        self.rank = [self.ranks.index(name) for name in names]
        self.suit = [kind[-1] for kind in pack.kinds]
        self._trumps: dict[str, list[int]] = {}
        self.out_at_once = row["out"] == "at-once"
        self.limited, self.limit_now = row["limit"] != "none", row["limit"] == "now"
        self.adders: str = row["adders"]
        self.take_ends = row["take"] == "at-once"
        # An attacker who is out at once always leaves a player who is not.
        self.may_draw = row["nobody"] == NOBODY and not self.out_at_once

    def link(self, rules: Ruleset) -> None:
        """Compile the numbers. All measures must be defined."""
        row, path = self.row, f"phases.{NAME}"
        self.fill = amount(rules, row["fill"], f"{path}.fill", IN_PACK)
        self.most = amount(rules, row["most"], f"{path}.most", MOST)
        self.at_once = amount(rules, row["at_once"], f"{path}.at_once", IN_PACK)

    def trumps(self, trump: str) -> list[int]:
        """Return the cards of a trump suit, the lowest first."""
        if trump not in self._trumps:
            kinds = [kind for kind, suit in enumerate(self.suit) if suit == trump]
            self._trumps[trump] = sorted(kinds, key=lambda kind: -self.rank[kind])
        return self._trumps[trump]

    def ranks_in(self, mask: int) -> list[str]:
        """Return the names of the ranks in a mask, the highest first."""
        return [name for rank, name in enumerate(self.ranks) if mask >> rank & 1]

    def ranks_of(self, kinds: Iterable[int]) -> int:
        """Return the mask of these cards' ranks."""
        mask = 0
        for kind in kinds:
            mask |= 1 << self.rank[kind]
        return mask


def deals_played(rnd: Round) -> int:
    """Return the number of finished deals of the match, without void ones."""
    return int(rnd.kept(NAME).get("deals", 0))


# --- what is done and said, and how its cards are written


class CardsOn(Cards):
    """The syntax of an attack and the card that covers it."""

    form = mark("ATTACK CARD")

    def __init__(self) -> None:
        super().__init__(2, 2)


class Hands(Syntax):
    """The syntax of several players' cards at one moment: `X: 6H / Z: 6S 6D`."""

    names_players = True
    form = mark("NAME: CARD… / NAME: CARD…")

    def read(self, text: str, notation: Spelling) -> Laid:
        cards = Cards()
        laid: dict[int, tuple[int, ...]] = {}
        for part in text.split("/"):
            name, colon, rest = part.partition(":")
            if not colon:
                raise Unreadable(
                    tr("a name, a colon and cards must follow, found “{part}”", part=clean(part))
                )
            seat = notation.seat(name)
            laid[seat] = (*laid.get(seat, ()), *cards.read(rest, notation))
        return tuple(laid.items())

    def show(self, value: Laid, notation: Spelling) -> str:
        cards = Cards()
        shown = [f"{notation.names[seat]}: {cards.show(kinds, notation)}" for seat, kinds in value]
        return " / ".join(shown)

    def sample(self, luck: Luck, notation: Spelling) -> Sequence[Laid]:
        seats = luck.sample(range(len(notation.names)), min(2, len(notation.names)))
        one = Cards(1, 1)
        return (tuple((seat, *one.sample(luck, notation)) for seat in seats),)


ATTACK = Verb("attack", Cards(), mark("leads cards, or adds them"), by=Actor.TURN, cards=True)
ADD = "add"  # the word for an attack that is not the first
COVERING = Verb(
    "cover", OneCard(), mark("covers the attack that it can cover"), by=Actor.TURN, short=True
)
COVER = Verb("cover", CardsOn(), mark("covers an attack"), by=Actor.TURN, brief=COVERING)
TRANSFER = Verb(
    "transfer", Cards(), mark("the attacks go on to the next"), by=Actor.TURN, cards=True
)
TAKE = Verb("take", Nothing(), mark("takes what lies there"), by=Actor.TURN)
PASS = Verb("pass", Nothing(), mark("adds nothing"), by=Actor.ONE_OF, for_all=True)
DRAW = Verb("draw", CardsOrCount(), mark("cards seen when they were drawn"))
TOGETHER = Verb("together", Hands(), mark("attacks laid at the same time"), by=Actor.TABLE)
TURNUP = Verb(
    "turnup",
    Cards(1, 1),
    mark("the card that shows trump"),
    by=Actor.TABLE,
    when=Timing.SETUP,
    gathers=True,
    says="trump",
)
TRUMP = Verb(
    "trump", Suit(), mark("the trump suit"), by=Actor.TABLE, when=Timing.SETUP, gathers=True
)
TALON = Verb(
    "talon",
    Number(0, 999),
    mark("how many cards are to be drawn"),
    by=Actor.TABLE,
    when=Timing.SETUP,
)
TOUCH = Verb(
    "touch", Who(), mark("touched the pack before the deal"), by=Actor.TABLE, when=Timing.SETUP
)
VERBS = (
    *(ATTACK, COVER, TRANSFER, TAKE, PASS, DRAW),
    *(TOGETHER, TURNUP, TRUMP, TALON, TOUCH),
)
LAYING = (ATTACK, COVER, TRANSFER, TOGETHER)  # entries that put cards from hands on the table


def cards_by_seat(entry: Entry) -> Laid:
    """Return the cards that an entry plays from hands, or shows there."""
    if entry.verb is TOGETHER:
        laid: Laid = entry.value
        return laid
    if entry.verb is COVER:
        return ((actor_of(entry), entry.value[1:]),)
    if entry.verb is DRAW and isinstance(entry.value, int):
        return ()  # only the player who drew them saw them
    return ((actor_of(entry), entry.value),) if entry.verb in (ATTACK, TRANSFER, DRAW) else ()


def each_card(entry: Entry) -> Iterator[tuple[int, int]]:
    """Yield the same cards one by one, each with its seat."""
    for seat, kinds in cards_by_seat(entry):
        for kind in kinds:
            yield seat, kind


# --- who attacks whom: the order of play, leader and defender, who may add how many attacks


def in_order(rnd: Round, seat: int) -> list[int]:
    """Return all seats in playing order, starting with this one."""
    seats = rnd.seats
    place = seats.index(seat)
    return seats[place:] + seats[:place]


def next_in(rnd: Round, st: State, seat: int, among: Collection[int] | None = None) -> int:
    """Return the next seat to the left that is still in, and in `among` if given. Return the seat
    itself if there is none."""
    seats, out = rnd.seats, st.out
    place = seats.index(seat)
    for other in seats[place + 1 :] + seats[:place]:
        if other not in out and (among is None or other in among):
            return other
    return seat


def opponent(rnd: Round, st: State, leader: int) -> int:
    """Return the seat that a leader attacks: the next one that is in and on another side."""
    if not rnd.rules.sides["number"]:
        return next_in(rnd, st, leader)
    mates = rnd.seating.side(leader)
    return next_in(rnd, st, leader, [seat for seat in rnd.seats if seat not in mates])


def sides(rnd: Round) -> list[tuple[int, ...]]:
    """Return the sides that the seating fixes. There are none if each player plays alone."""
    if not rnd.rules.sides["number"]:
        return []
    return list(dict.fromkeys(rnd.seating.side(seat) for seat in rnd.seats))


def label(rnd: Round, seats: Iterable[int]) -> str:
    """Return the label of a side."""
    return "+".join(rnd.names_of(seats))


def open_bout(
    terms: Terms, rnd: Round, st: State, leader: int, defender: int | None = None
) -> None:
    """Begin a bout with an empty table. Without `defender` the leader attacks the next opponent."""
    st.clear()
    st.leader = leader
    set_defender(terms, rnd, st, opponent(rnd, st, leader) if defender is None else defender)


def set_defender(terms: Terms, rnd: Round, st: State, defender: int) -> None:
    """Make a seat the defender. The limit and the possible attackers follow from it."""
    st.defender = defender
    st.limit = most_attacks(terms, rnd, st, defender)
    st.attackers = _attackers(terms, rnd, st)
    st.certain = len(st.may_lead) < 2


def _attackers(terms: Terms, rnd: Round, st: State) -> list[int]:
    """Return the seats that may attack in this bout, in playing order from the leader."""
    who, defender, out = terms.adders, st.defender, st.out
    found = [s for s in in_order(rnd, st.leader) if s != defender and s not in out]
    if who == "leader":
        return [seat for seat in found if seat == st.leader]
    if who == "side":
        return [seat for seat in found if seat not in rnd.seating.side(defender)]
    if who == "neighbours":
        order = [seat for seat in in_order(rnd, defender) if seat not in st.out]
        return [seat for seat in found if seat in (st.leader, order[1], order[-1])]
    return found


def most_attacks(terms: Terms, rnd: Round, st: State, defender: int) -> int:
    """Return the maximum of attacks on this defender, given their current hand."""
    most = terms.most(rnd, st)
    return min(most, rnd.hands.size(defender)) if terms.limited else most


def room(terms: Terms, rnd: Round, st: State) -> int:
    """Return how many attacks may still be laid in this bout, by the counts."""
    limit = most_attacks(terms, rnd, st, st.defender) if terms.limit_now else st.limit
    return limit - len(st.attacks)


def room_at_once(terms: Terms, rnd: Round, st: State) -> int:
    """Return how many attacks may be added at one time."""
    left = max(0, room(terms, rnd, st))
    return min(left, terms.at_once(rnd, st) or left)


def may_add(rnd: Round, st: State) -> list[int]:
    """Return the seats that may still add, by the counts, and have not passed."""
    size, passed = rnd.hands.size, st.passed
    return [seat for seat in st.attackers if seat not in passed and size(seat)]


def may_anyone_add(rnd: Round, st: State) -> bool:
    """Return whether any seat may still add."""
    hands, passed = rnd.hands, st.passed
    for seat in st.attackers:  # noqa: SIM110 - a loop is faster here, once for every act
        if seat not in passed and hands.size(seat):
            return True
    return False


def waiting(rnd: Round, st: State) -> list[int]:
    """Return the seats that must act, the one whose turn it is first."""
    if st.over:
        return []
    if not st.attacks:
        return st.may_lead or [st.leader]
    return [st.defender] if st.answering() else may_add(rnd, st)
