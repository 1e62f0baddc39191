"""The state of a deal of bouts: what lies on the table, and what became of talon and players."""

from __future__ import annotations

from scorekeeper.core.types import NamedTuple


class Drawn(NamedTuple):
    """What a player drew after the last bout.

    `left`: how many of these cards nobody has named; `named`: a mask of what they surely held
    before, and of what has been named; `last`: the turned-up card, if it is one of them and has
    not been named; `shown`: what they have shown since.
    """

    left: int
    named: int
    last: int | None = None
    shown: tuple[int, ...] = ()


class LastBout(NamedTuple):
    """How a bout ended: whether its `defender` took the cards; the `draws` after it, as pairs of a
    seat and a number; how many cards the `talon` had then; who went `out` by it."""

    taken: bool
    defender: int
    draws: tuple[tuple[int, int], ...]
    talon: int
    out: tuple[int, ...]


class State:
    """A deal of bouts. Seats and cards are numbers.

    The table: `attacks`, `by` whom each was laid, and their `covers` (None where one lies open);
    `open` is how many lie open, `ranks` a mask of the ranks that lie there.
    The bout: `leader` and `defender`; `attackers`, who may add, in playing order, and who of them
    has `passed` since a card was laid; `limit`, the most attacks; `taking`, whether the defender
    has said that they take.
    The deal: `trump` ("" while nobody has said it); `talon`, how many cards are to be drawn, with
    the `turned` card that lies under it (None where nobody knows it, or it has been drawn);
    `returned`, what was turned up at the deal and put back, so that only who has drawn can have
    it; `drew`, who has taken up any card; `drawn`, the draws after the last bout, by seat in
    order; `ended`, how many bouts are over, and `before`, how many were when it began (1: some; 0:
    none); `last`, how the last one ended, until the next lead;
    `out`, who has no cards and gets none, in that order; `over`, with its `losers`.
    The first lead: `may_lead`, who may hold the lowest trump where nobody can say, in playing
    order; `certain`, whether it is known who leads; `watched`, who led by a rule about hands (None
    where there is none), and `shown`, the cards shown that were in a hand since the deal, each
    with its seat.
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
        """An empty table."""
        self.attacks: list[int] = []
        self.by: list[int] = []
        self.covers: list[int | None] = []
        self.ranks = self.open = 0
        self.taking = False
        self.passed: set[int] = set()

    def lying(self) -> list[int]:
        """Every card on the table."""
        return [*self.attacks, *(kind for kind in self.covers if kind is not None)]

    def uncovered(self) -> list[int]:
        """The attacks that lie open."""
        return [k for k, cover in zip(self.attacks, self.covers, strict=True) if cover is None]

    def place_open(self, attack: int) -> int | None:
        """Where on the table this attack lies open; None where it does not."""
        for place, lying in enumerate(self.attacks):
            if lying == attack and self.covers[place] is None:
                return place
        return None

    def answering(self) -> bool:
        """Whether the defender must answer: an attack lies open, and they do not take."""
        return self.open > 0 and not self.taking

    def put_back(self, seat: int, kind: int) -> bool:
        """Whether this card was put back into the talon, and the seat has drawn none since."""
        return kind in self.returned and seat not in self.drew
