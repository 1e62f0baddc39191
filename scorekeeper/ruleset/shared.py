"""What passes between phases in a round: what they tell one another, and how the round began."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.types import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorekeeper.core.types import Standing

CONCEDE = "concede"
"""The verb of who gives the rest of a round to the others, to whom it may matter when they did."""

Hand = tuple[int, ...] | int  # the kinds of the cards, or how many there are


class Bid(NamedTuple):
    """A bid on dice: whose, and that at least `number` dice show `face`."""

    seat: int
    number: int
    face: int

    @property
    def text(self) -> str:
        """The bid as it is written: `5x4`."""
        return f"{self.number}x{self.face}"


class Offer(NamedTuple):
    """A bid before play, or what is played after one: a `number`, a `contract` (a row of
    [contracts]), `options` that were said with it, and `cards` that were named with it (kinds).
    What was not said is None or empty."""

    number: int | None = None
    contract: str = ""
    options: tuple[str, ...] = ()
    cards: tuple[int, ...] = ()


class Called(NamedTuple):
    """A call on the last bid: by which seat, and the program's word for it."""

    seat: int
    word: str


class Start(NamedTuple):
    """What was said of the start of a round, before the first act. A field that nobody spoke of is
    None or empty; seats are numbers, cards kinds. It never changes: a phase gives `Joint.place`
    another with one more fact (`rnd.start._replace(dealer=seat)`).

    `hands` were entered, as cards or as a count; `holds` are cards seen in a hand; `shown` were
    seen in an entry that was taken back, by seat; `standing` are tallies; `levelled`: everyone
    goes to the same tally; `charges` are fouls and penalties: code, seats, points, citation;
    `stock` is how many cards are still to be drawn, `turned` the card that was turned up, with
    those turned up before it and put `returned`, `touched` the seat of who touched the pack first;
    `contract` is who declared what, where nobody bids at this table; `reseated` is the standing
    that the round begins with where somebody has come, gone or moved before it.
    """

    dealer: int | None = None
    lead: int | None = None
    master: int | None = None
    trump: str | None = None
    turned: int | None = None
    touched: int | None = None
    returned: tuple[int, ...] = ()
    stock: int | None = None
    hands: Mapping[int, Hand] = {}
    holds: Mapping[int, tuple[int, ...]] = {}
    standing: Mapping[int, int] = {}
    levelled: bool = False
    charges: tuple[tuple[str, tuple[int, ...], int, str], ...] = ()
    shown: tuple[tuple[int, tuple[int, ...]], ...] = ()
    contract: tuple[int, Offer] | None = None
    reseated: Standing | None = None


NOTHING_SAID = Start()


class Shared:
    """What phases tell one another during a round. Each field has one writer, the phase in
    brackets; whoever likes may read it. A test holds that.

    `contract`, `order` (a row of [orders]), `declarer` (a seat), `chosen` (the trump suit that the
    contract brings), `options` (what was said with it) and `named` (the kinds of card that were
    named with it) [contracts, for whichever phase settles them]; `raised` (the calls that the
    contract brings with it) [reservations]; `mode` [choice]; `master` (a seat) and `level` (a
    rank) [levels]; `declared` (the trump suit that a hand named) [draw] and `turned` (the one
    that a card turned up named, or the facts of the start) [kitty]; `upcard` (the suit of the card
    that was turned up at the deal and makes it trump) and `offered` (the one that only may be
    chosen) [turnup]; `bid`, `call` and `matching`
    (the faces that count for the bid) [bids]; `foul` (the seat of who ended the round by one)
    [table]; `stock` (how many cards are still to be drawn) and `bottom` (the trump suit that the
    last of them named) [stock]; `announced` (by the names of what was, the card that it stands for)
    [holdings]; `resting` (the seats that lay no cards in this round) [contracts]; `conceded` (the
    seat of who has given the rest of the round to the others) [tricks]; `forfeited` (the seat of
    who has lost the round by what they did wrong) [remedies].
    A seat is -1, a text empty where there is none.
    """

    __slots__ = (
        "announced",
        *("bid", "bottom", "call", "chosen", "conceded", "contract", "declared", "declarer"),
        *("foul", "forfeited", "level", "master", "matching", "mode", "named", "offered"),
        *("options", "order", "raised", "resting", "stock", "turned", "upcard"),
    )

    def __init__(self) -> None:
        self.announced: Mapping[str, str] = {}
        self.contract = ""
        self.order = ""
        self.declarer = -1
        self.chosen = ""
        self.options: tuple[str, ...] = ()
        self.named: tuple[int, ...] = ()
        self.raised: tuple[str, ...] = ()
        self.mode = ""
        self.master = -1
        self.level = ""
        self.declared = ""
        self.turned = ""
        self.upcard = ""
        self.offered = ""
        self.bid: Bid | None = None
        self.call: Called | None = None
        self.matching: tuple[int, ...] = ()
        self.foul = -1
        self.stock = 0
        self.bottom = ""
        self.resting: tuple[int, ...] = ()
        self.conceded = self.forfeited = -1

    @property
    def trump(self) -> str:
        """The trump suit, "" where none is known: by the contract, by a hand, else by a card turned
        up."""
        return self.chosen or self.declared or self.turned or self.upcard or self.bottom

    @property
    def bound(self) -> Mapping[str, str]:
        """What the names in patterns of cards stand for (`{level}{trump}`), as far as known."""
        names = {"level": self.level, "trump": self.trump, **self.announced}
        return {name: value for name, value in names.items() if value}
