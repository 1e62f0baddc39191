"""The state of a deal played in bouts, its settings and entry types, and the attackers' order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import N_, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.phase import actor_of
from scorekeeper.engine.ruleset import compile_amount
from scorekeeper.notation.entry import Actor, EntryType, OneCard, Timing
from scorekeeper.notation.syntax import (
    SUIT_NAMES,
    Cards,
    CardsOrCount,
    NoValue,
    Number,
    PlayerName,
    Suit,
    Syntax,
    clean,
)
from scorekeeper.ruleset.tables import Parameter

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from scorekeeper.core.cards import Pack
    from scorekeeper.core.types import Rng, Row
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import IntOrExpression, Ruleset
    from scorekeeper.notation import Entry
    from scorekeeper.notation.syntax import Spelling

    Laid = tuple[tuple[int, tuple[int, ...]], ...]  # pairs of a seat and cards from its hand


NAME = "bouts"  # the phase name
DRAWN_DEAL = "draw"  # result key of a deal without a loser
CARD_BOUNDS = (0, untrusted.MAX_CARDS)
ATTACK_BOUNDS = (1, untrusted.MAX_CARDS)  # bounds for the number of attacks in a bout
SUITS = tuple(SUIT_NAMES)


# --- state


class OwedDraw(NamedTuple):
    """The cards that a player drew after the last bout.

    `unnamed` is the number of drawn cards that have not been named. `known` is a mask of the cards
    that the player is known to have held before, and of the named cards. `turned` is the turned-up
    card if the player drew it and has not named it. `shown` are the cards that the player has shown
    since.
    """

    unnamed: int
    known: int
    turned: int | None = None
    shown: tuple[int, ...] = ()


class LastBout(NamedTuple):
    """The end of a bout.

    `is_taken` is true if the `defender` took the cards. `draws` are pairs of a seat and the number
    of cards that it drew. `talon` is the number of cards left in the talon after the draws. `out`
    are the seats that went out.
    """

    is_taken: bool
    defender: int
    draws: tuple[tuple[int, int], ...]
    talon: int
    out: tuple[int, ...]


class State:
    """A deal played in bouts. Seats and card kinds are numbers.

    The table: `attacks` are the cards of the attacks, `by` are the seats that played them, and
    `covers_by_attack` are their covers (None for an open attack). `open_count` is the number of
    open attacks, and `ranks` is a mask of the ranks on the table.

    The bout: `leader` and `defender` are seats. `attackers` are the seats that may add attacks, in
    playing order. The seats in `passed` have passed since the last card was played. `limit` is the
    highest number of attacks allowed. `is_taking` is true once the defender has announced that they
    will take the cards.

    The deal: `trump` is a suit, or "" while it is unknown. `talon` is the number of cards left to
    draw. `turned` is the turned-up card under the talon, or None if the card is unknown or drawn.
    `put_back_cards` were turned up at the deal and put back, so that only players in `has_drawn`
    can hold them. `owed_draws` maps seats to their draws after the last bout, in the order of the
    draws. `bouts` is the number of finished bouts. `earlier_bouts` is 1 if a bout was finished
    before the recording began, else 0. `last_bout` is the end of the last bout, until the next
    lead. `out` are the players without cards, in the order in which they went out. At the end of
    the deal, `is_over` is true and `losers` are set.

    The first lead: `possible_leaders` are the seats that may hold the lowest trump, in playing
    order, if its holder is unknown. `is_leader_certain` is true if the leader is known.
    `claimed_leader` is the seat that led as the holder of the lowest trump, or None. `shown` maps
    cards to the seats that have held them since the deal.
    """

    __slots__ = (
        *("attackers", "attacks", "bouts", "by", "claimed_leader", "covers_by_attack"),
        *("defender", "earlier_bouts", "has_drawn", "is_leader_certain", "is_over"),
        *("is_taking", "last_bout", "leader", "limit", "losers", "open_count", "out"),
        *("owed_draws", "passed", "possible_leaders", "put_back_cards", "ranks", "shown"),
        *("talon", "trump", "turned"),
    )

    def __init__(self) -> None:
        self.talon = 0
        self.turned: int | None = None
        self.put_back_cards: tuple[int, ...] = ()
        self.trump = ""
        self.is_leader_certain = False
        self.out: list[int] = []
        self.leader = self.defender = 0
        self.attackers: list[int] = []
        self.possible_leaders: list[int] = []
        self.limit = 0
        self.bouts = self.earlier_bouts = 0
        self.owed_draws: dict[int, OwedDraw] = {}
        self.has_drawn: set[int] = set()
        self.last_bout: LastBout | None = None
        self.losers: tuple[int, ...] = ()
        self.is_over = False
        self.claimed_leader: int | None = None
        self.shown: dict[int, int] = {}
        self.clear()

    def clear(self) -> None:
        """Empty the table."""
        self.attacks: list[int] = []
        self.by: list[int] = []
        self.covers_by_attack: list[int | None] = []
        self.ranks = self.open_count = 0
        self.is_taking = False
        self.passed: set[int] = set()

    def cards_on_table(self) -> list[int]:
        """Return every card on the table."""
        return [*self.attacks, *(kind for kind in self.covers_by_attack if kind is not None)]

    def open_attacks(self) -> list[int]:
        """Return the open attacks."""
        return [
            k for k, cover in zip(self.attacks, self.covers_by_attack, strict=True) if cover is None
        ]

    def find_open(self, attack: int) -> int | None:
        """Return the index of an attack on the table if it is open, else None."""
        for place, lying in enumerate(self.attacks):
            if lying == attack and self.covers_by_attack[place] is None:
                return place
        return None

    def must_answer(self) -> bool:
        """Return whether the defender must cover an open attack or take."""
        return self.open_count > 0 and not self.is_taking

    def is_put_back(self, seat: int, kind: int) -> bool:
        """Return whether this card was put back and the seat has drawn no card since."""
        return kind in self.put_back_cards and seat not in self.has_drawn


# --- settings

PARAMETERS = {
    "fill": Parameter(
        "number", "the number of cards to which hands are filled up", 6, bounds=CARD_BOUNDS
    ),
    "most": Parameter("number", "the highest number of attacks in a bout", 6, bounds=ATTACK_BOUNDS),
    "limit": Parameter(
        "choice",
        "attacks are also limited by the defender's cards at the start of the defence"
        " (`before`), by the current ones (`now`), or not at all (`none`)",
        "before",
        ("before", "now", "none"),
    ),
    "at_once": Parameter(
        "number",
        "the highest number of cards led or added at a time (0 means any number; `attacks` is 0"
        " at the lead)",
        0,
        bounds=CARD_BOUNDS,
        words=("at-once",),
    ),
    "take": Parameter(
        "choice",
        "whether a defender who takes ends the bout `at-once`, or only announces it so that"
        " attacks may still be added (`proposal`)",
        "proposal",
        ("proposal", "at-once"),
    ),
    "adders": Parameter(
        "choice",
        "the players who may add attacks: all but the defender (`others`), the other `side`, the"
        " defender's two `neighbours`, or only the `leader`",
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
        "the order in which hands are filled up: `defender`, `leader`, `others`",
        ["defender", "leader", "others"],
        ("defender", "leader", "others"),
    ),
    "out": Parameter(
        "choice",
        "if the talon is empty, an attacker is out when they play their last card"
        " (`at-once`), or when the bout is over (`after`)",
        "at-once",
        ("at-once", "after"),
    ),
    "heir": Parameter(
        "choice",
        "the player who leads, in a game with sides, in place of a defender who is out: the next"
        " of their `side`, or the next at the `table`",
        "side",
        ("side", "table"),
    ),
    "leads": Parameter(
        "texts",
        "the player who leads in the first deal, which is the first in this list that exists: the"
        " holder of the `lowest` trump, the player `after-dealer`, the `dealer`",
        ["after-dealer"],
        ("lowest", "after-dealer", "dealer"),
        words=("lowest-leads",),
    ),
    "touch": Parameter(
        "choice",
        "the player who touches the pack before the deal becomes the dealer: the `last` or"
        " the `first` of several, or none (`no`)",
        "no",
        ("no", "last", "first"),
    ),
    "never_trump": Parameter(
        "texts",
        "suits that cannot be trump, so that another card is turned up",
        [],
        SUITS,
        words=("trump-suit", "turned-back"),
    ),
    "shown": Parameter(
        "choice",
        "the owner of the card that shows trump if the talon is empty: the `dealer` or `nobody`",
        "dealer",
        ("dealer", "nobody"),
    ),
    "returns": Parameter(
        "choice",
        "the cards that return to the hand first if a player has added too many: the `last` or"
        " the `first`",
        "last",
        ("last", "first"),
        words=("returned",),
    ),
    "nobody": Parameter(
        "choice",
        "the result if no player has cards left: a `draw`, or the player who loses",
        DRAWN_DEAL,
        (DRAWN_DEAL, "defender", "leader"),
    ),
}


class BoutSettings:
    """The compiled settings of the phase, and the cards by rank and suit.

    `row` is the phase's table in the ruleset. If `out_at_once` is true, an attacker who plays their
    last card is out although the bout continues. `is_limited` is true if the size of the defender's
    hand limits the attacks. If `is_limited_by_hand` is true, the limit is the current size of the
    hand, otherwise its size at the start of the bout. `adders` names the players who may add
    attacks. If `taking_ends_bout` is true, the bout ends when the defender takes. If `may_draw` is
    true, a deal can end without a loser.

    `rank` and `suit` are lists by card kind. Rank 0 is the highest, and `ranks` are the rank names.
    `fill`, `max_attacks` and `max_at_once` are functions of a round and its state.
    """

    fill: IntOrExpression
    max_attacks: IntOrExpression
    max_at_once: IntOrExpression

    __slots__ = (
        *("max_at_once", "fill", "is_limited_by_hand", "may_draw", "max_attacks", "out_at_once"),
        *("_trumps", "adders", "is_limited", "rank", "ranks", "row", "suit", "taking_ends_bout"),
    )

    def __init__(self, row: Row, pack: Pack) -> None:
        self.row = row
        names = [kind[:-1] or kind for kind in pack.kinds]
        self.ranks = list(dict.fromkeys(names))
        self.rank = [self.ranks.index(name) for name in names]
        self.suit = [kind[-1] for kind in pack.kinds]
        self._trumps: dict[str, list[int]] = {}
        self.out_at_once = row["out"] == "at-once"
        self.is_limited, self.is_limited_by_hand = row["limit"] != "none", row["limit"] == "now"
        self.adders: str = row["adders"]
        self.taking_ends_bout = row["take"] == "at-once"
        # If attackers are out at once, the last player can never go out, so some player always
        # loses.
        self.may_draw = row["nobody"] == DRAWN_DEAL and not self.out_at_once

    def link(self, rules: Ruleset) -> None:
        """Compile the settings that may be expressions. All measures must already be defined."""
        row, path = self.row, f"phases.{NAME}"
        self.fill = compile_amount(rules, row["fill"], f"{path}.fill", CARD_BOUNDS)
        self.max_attacks = compile_amount(rules, row["most"], f"{path}.most", ATTACK_BOUNDS)
        self.max_at_once = compile_amount(rules, row["at_once"], f"{path}.at_once", CARD_BOUNDS)

    def trump_cards(self, trump: str) -> list[int]:
        """Return the cards of a trump suit, the lowest first."""
        if trump not in self._trumps:
            kinds = [kind for kind, suit in enumerate(self.suit) if suit == trump]
            self._trumps[trump] = sorted(kinds, key=lambda kind: -self.rank[kind])
        return self._trumps[trump]

    def rank_names(self, mask: int) -> list[str]:
        """Return the names of the ranks in a mask, the highest first."""
        return [name for rank, name in enumerate(self.ranks) if mask >> rank & 1]

    def rank_mask(self, kinds: Iterable[int]) -> int:
        """Return a mask of the ranks of these cards."""
        mask = 0
        for kind in kinds:
            mask |= 1 << self.rank[kind]
        return mask


def count_deals(rnd: Round) -> int:
    """Return the number of finished deals in the match. Void deals are not counted."""
    return int(rnd.carried(NAME).get("deals", 0))


# --- entries and their syntax


class CoverSyntax(Cards):
    """The syntax of an attack and the card that covers it."""

    form = N_("ATTACK CARD")

    def __init__(self) -> None:
        super().__init__(2, 2)


class HandsSyntax(Syntax):
    """The syntax for cards played by several players at the same time: `X: 6H / Z: 6S 6D`."""

    names_players = True
    form = N_("NAME: CARD… / NAME: CARD…")

    def read(self, text: str, notation: Spelling) -> Laid:
        cards = Cards()
        laid: dict[int, tuple[int, ...]] = {}
        for part in text.split("/"):
            name, colon, rest = part.partition(":")
            if not colon:
                raise Unreadable(
                    tr("expected a name, a colon and cards instead of “{part}”", part=clean(part))
                )
            seat = notation.find_seat(name)
            laid[seat] = (*laid.get(seat, ()), *cards.read(rest, notation))
        return tuple(laid.items())

    def write(self, value: Laid, notation: Spelling) -> str:
        cards = Cards()
        shown = [f"{notation.names[seat]}: {cards.write(kinds, notation)}" for seat, kinds in value]
        return " / ".join(shown)

    def sample(self, rng: Rng, notation: Spelling) -> Sequence[Laid]:
        seats = rng.sample(range(len(notation.names)), min(2, len(notation.names)))
        one = Cards(1, 1)
        return (tuple((seat, *one.sample(rng, notation)) for seat in seats),)


ATTACK = EntryType(
    "attack", Cards(), N_("leads cards, or adds them"), by=Actor.TURN, plays_cards=True
)
ADD = "add"  # verb for an attack after the lead
COVERING = EntryType(
    "cover",
    OneCard(),
    N_("covers the only attack that this card can cover"),
    by=Actor.TURN,
    is_shorthand=True,
)
COVER = EntryType(
    "cover", CoverSyntax(), N_("covers an attack"), by=Actor.TURN, short_form=COVERING
)
TRANSFER = EntryType(
    "transfer",
    Cards(),
    N_("passes the attacks on to the next player"),
    by=Actor.TURN,
    plays_cards=True,
)
TAKE = EntryType("take", NoValue(), N_("takes the cards on the table"), by=Actor.TURN)
PASS = EntryType("pass", NoValue(), N_("adds nothing"), by=Actor.ONE_OF, for_all=True)
DRAW = EntryType("draw", CardsOrCount(), N_("cards seen when they were drawn"))
TOGETHER = EntryType(
    "together", HandsSyntax(), N_("attacks played at the same time"), by=Actor.TABLE
)
TURNUP = EntryType(
    "turnup",
    Cards(1, 1),
    N_("the card that shows trump"),
    by=Actor.TABLE,
    when=Timing.SETUP,
    can_batch=True,
    fact_key="trump",
)
TRUMP = EntryType(
    "trump", Suit(), N_("the trump suit"), by=Actor.TABLE, when=Timing.SETUP, can_batch=True
)
TALON = EntryType(
    "talon",
    Number(0, 999),
    N_("the number of cards left to draw"),
    by=Actor.TABLE,
    when=Timing.SETUP,
)
TOUCH = EntryType(
    "touch", PlayerName(), N_("touched the pack before the deal"), by=Actor.TABLE, when=Timing.SETUP
)
VERBS = (
    *(ATTACK, COVER, TRANSFER, TAKE, PASS, DRAW),
    *(TOGETHER, TURNUP, TRUMP, TALON, TOUCH),
)
LAYING_ENTRIES = (
    ATTACK,
    COVER,
    TRANSFER,
    TOGETHER,
)  # entries that put cards from hands on the table


def cards_by_seat(entry: Entry) -> Laid:
    """Return the cards that an entry plays or shows from hands, as pairs of a seat and its
    cards."""
    if entry.type is TOGETHER:
        laid: Laid = entry.value
        return laid
    if entry.type is COVER:
        return ((actor_of(entry), entry.value[1:]),)
    if entry.type is DRAW and isinstance(entry.value, int):
        return ()  # only the player who drew the cards has seen them
    return ((actor_of(entry), entry.value),) if entry.type in (ATTACK, TRANSFER, DRAW) else ()


def each_card(entry: Entry) -> Iterator[tuple[int, int]]:
    """Yield each card that an entry plays or shows, together with its seat."""
    for seat, kinds in cards_by_seat(entry):
        for kind in kinds:
            yield seat, kind


# --- order of play, leader, defender and attackers


def playing_order(rnd: Round, seat: int) -> list[int]:
    """Return all seats in playing order, starting with the given seat."""
    seats = rnd.seats
    place = seats.index(seat)
    return seats[place:] + seats[:place]


def next_seat(rnd: Round, st: State, seat: int, among: Collection[int] | None = None) -> int:
    """Return the next seat to the left that is still in the deal. If `among` is given, only those
    seats are considered. If there is no such seat, return the given seat."""
    seats, out = rnd.seats, st.out
    place = seats.index(seat)
    for other in seats[place + 1 :] + seats[:place]:
        if other not in out and (among is None or other in among):
            return other
    return seat


def find_opponent(rnd: Round, st: State, leader: int) -> int:
    """Return the seat that a leader attacks. It is the next seat of another side that is still in
    the deal."""
    if not rnd.rules.sides["number"]:
        return next_seat(rnd, st, leader)
    mates = rnd.seating.side(leader)
    return next_seat(rnd, st, leader, [seat for seat in rnd.seats if seat not in mates])


def fixed_sides(rnd: Round) -> list[tuple[int, ...]]:
    """Return the sides that the seating determines. There are none if each player plays alone."""
    if not rnd.rules.sides["number"]:
        return []
    return list(dict.fromkeys(rnd.seating.side(seat) for seat in rnd.seats))


def side_label(rnd: Round, seats: Iterable[int]) -> str:
    """Return the label of a side."""
    return "+".join(rnd.names_of(seats))


def open_bout(
    terms: BoutSettings, rnd: Round, st: State, leader: int, defender: int | None = None
) -> None:
    """Begin a bout with an empty table. If no `defender` is given, the leader attacks the next
    opponent."""
    st.clear()
    st.leader = leader
    set_defender(terms, rnd, st, find_opponent(rnd, st, leader) if defender is None else defender)


def set_defender(terms: BoutSettings, rnd: Round, st: State, defender: int) -> None:
    """Make a seat the defender, and set the limit and the possible attackers accordingly."""
    st.defender = defender
    st.limit = limit_of(terms, rnd, st, defender)
    st.attackers = _possible_attackers(terms, rnd, st)
    st.is_leader_certain = len(st.possible_leaders) < 2


def _possible_attackers(terms: BoutSettings, rnd: Round, st: State) -> list[int]:
    """Return the seats that may attack in this bout, in playing order from the leader."""
    who, defender, out = terms.adders, st.defender, st.out
    found = [s for s in playing_order(rnd, st.leader) if s != defender and s not in out]
    if who == "leader":
        return [seat for seat in found if seat == st.leader]
    if who == "side":
        return [seat for seat in found if seat not in rnd.seating.side(defender)]
    if who == "neighbours":
        order = [seat for seat in playing_order(rnd, defender) if seat not in st.out]
        return [seat for seat in found if seat in (st.leader, order[1], order[-1])]
    return found


def limit_of(terms: BoutSettings, rnd: Round, st: State, defender: int) -> int:
    """Return the highest number of attacks on this defender, given the size of their current
    hand."""
    most = terms.max_attacks(rnd, st)
    return min(most, rnd.hands.size(defender)) if terms.is_limited else most


def attacks_left(terms: BoutSettings, rnd: Round, st: State) -> int:
    """Return how many more attacks the limit of this bout allows."""
    limit = limit_of(terms, rnd, st, st.defender) if terms.is_limited_by_hand else st.limit
    return limit - len(st.attacks)


def attacks_left_at_once(terms: BoutSettings, rnd: Round, st: State) -> int:
    """Return how many attacks may be added at one time."""
    left = max(0, attacks_left(terms, rnd, st))
    return min(left, terms.max_at_once(rnd, st) or left)


def possible_adders(rnd: Round, st: State) -> list[int]:
    """Return the seats that may attack, have cards left and have not passed."""
    size, passed = rnd.hands.size, st.passed
    return [seat for seat in st.attackers if seat not in passed and size(seat)]


def can_add_any(rnd: Round, st: State) -> bool:
    """Return whether any seat may still add an attack."""
    hands, passed = rnd.hands, st.passed
    for seat in st.attackers:  # noqa: SIM110 - a loop is faster here, once for every act
        if seat not in passed and hands.size(seat):
            return True
    return False


def waiting_seats(rnd: Round, st: State) -> list[int]:
    """Return the seats that must act, beginning with the seat whose turn it is."""
    if st.is_over:
        return []
    if not st.attacks:
        return st.possible_leaders or [st.leader]
    return [st.defender] if st.must_answer() else possible_adders(rnd, st)
