"""The values that a round is made of, and what phases and the law of a ruleset write into it.

`Setup` are the facts of the start, `TableState` what phases tell one another, `Decisions` what was
decided once something had been wrong (it outlasts a round that is played again, for it says how
the entries are to be taken), `EntryLog` what was written down and what was found with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.rulings import OPEN
from scorekeeper.core.types import NamedTuple, copy_slots, copy_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.rulings import Finding
    from scorekeeper.core.types import Json, Standing
    from scorekeeper.notation import Entry

CONCEDE = "concede"
"""The verb of who gives the rest of a round to the others, to whom it may matter when they did."""

Hand = tuple[int, ...] | int  # the kinds of the cards, or how many there are
COUNTS, VOID, UNSCORED, LOST = "counts", "void", "unscored", "lost"
AGAIN = -2  # in the place of a seat: who started this round


# --- what passes between phases


class Bid(NamedTuple):
    """A bid on dice: whose, and that at least `number` dice show `face`."""

    seat: int
    number: int
    face: int

    @property
    def text(self) -> str:
        """The bid as it is written: `5x4`."""
        return f"{self.number}x{self.face}"


class ContractBid(NamedTuple):
    """A bid before play, or what is played after one: a `number`, a `contract` (a row of
    [contracts]), `options` that were said with it, and `cards` that were named with it (kinds).
    What was not said is None or empty."""

    number: int | None = None
    contract: str = ""
    options: tuple[str, ...] = ()
    cards: tuple[int, ...] = ()


class DiceCall(NamedTuple):
    """A call on the last bid: by which seat, and the program's word for it."""

    seat: int
    word: str


class Setup(NamedTuple):
    """What was said of the start of a round, before the first act. A field that nobody spoke of is
    None or empty; seats are numbers, cards kinds. It never changes: a phase gives `Round.place`
    another with one more fact (`rnd.setup._replace(dealer=seat)`).

    `hands` were entered, as cards or as a count; `holds` are cards seen in a hand; `shown` were
    seen in an entry that was taken back, by seat; `standing` are tallies; `is_levelled`: everyone
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
    is_levelled: bool = False
    charges: tuple[tuple[str, tuple[int, ...], int, str], ...] = ()
    shown: tuple[tuple[int, tuple[int, ...]], ...] = ()
    contract: tuple[int, ContractBid] | None = None
    reseated: Standing | None = None


EMPTY_SETUP = Setup()


class TableState:
    """What phases tell one another during a round. Each field has one writer, the phase in
    brackets; whoever likes may read it. A test holds that.

    `contract`, `order` (a row of [orders]), `declarer` (a seat), `chosen` (the trump suit that
    the contract brings), `options` (what was said with it) and `named_cards` (the kinds of card
    that were named with it) [contracts, for whichever phase settles them]; `raised` (the calls
    that the contract brings with it) [reservations]; `mode` [choice]; `master` (a seat) and
    `level` (a rank) [levels]; `declared` (the trump suit that a hand named) [draw] and `turned`
    (the one that a card turned up named, or the facts of the start) [kitty]; `upcard` (the suit
    of the card that was turned up at the deal and makes it trump) and `offered` (the one that
    only may be chosen) [turnup]; `bid`, `call` and `matching` (the faces that count for the bid)
    [bids]; `foul_by` (the seat of who ended the round by one) [table]; `stock` (how many cards
    are still to be drawn) and `bottom` (the trump suit that the last of them named) [stock];
    `announced` (by the names of what was, the card that it stands for) [holdings]; `resting`
    (the seats that lay no cards in this round) [contracts]; `conceded` (the seat of who has
    given the rest of the round to the others) [tricks]; `forfeited` (the seat of who has lost
    the round by what they did wrong) [remedies]. `possible_leaders` (the seats of which one
    starts, before the first act) [bouts]; `claimed_sides` (by seat the side that it has claimed
    to be on, which counts for less than what everyone has seen) [calls]. A seat is -1, a text
    empty where there is none.
    """

    __slots__ = (
        "announced",
        *("bid", "bottom", "call", "chosen", "claimed_sides", "conceded", "contract"),
        *("declared", "declarer", "foul", "forfeited", "level", "master", "matching", "mode"),
        *("named_cards", "offered", "options", "order", "possible_leaders", "raised", "resting"),
        *("stock", "turned", "upcard"),
    )

    def __init__(self) -> None:
        self.announced: Mapping[str, str] = {}
        self.contract = ""
        self.order = ""
        self.declarer = -1
        self.chosen = ""
        self.options: tuple[str, ...] = ()
        self.named_cards: tuple[int, ...] = ()
        self.raised: tuple[str, ...] = ()
        self.mode = ""
        self.master = -1
        self.level = ""
        self.declared = ""
        self.turned = ""
        self.upcard = ""
        self.offered = ""
        self.bid: Bid | None = None
        self.call: DiceCall | None = None
        self.matching: tuple[int, ...] = ()
        self.foul = -1
        self.stock = 0
        self.bottom = ""
        self.resting: tuple[int, ...] = ()
        self.conceded = self.forfeited = -1
        self.possible_leaders: tuple[int, ...] = ()
        self.claimed_sides: Mapping[int, int] = {}

    def copy(self) -> TableState:
        """The same, to go on apart from this one."""
        return copy_slots(self)

    @property
    def trump(self) -> str:
        """The trump suit, "" where none is known: by the contract, by a hand, else by a card turned
        up."""
        return self.chosen or self.declared or self.turned or self.upcard or self.bottom

    @property
    def bindings(self) -> Mapping[str, str]:
        """What the names in patterns of cards stand for (`{level}{trump}`), as far as known."""
        names = {"level": self.level, "trump": self.trump, **self.announced}
        return {name: value for name, value in names.items() if value}


# --- what was decided once something had been wrong


class PendingPenalty(NamedTuple):
    """A penalty whose figure waits: its class, for what was done by that seat with entry `number`,
    or was `is_reported` with it."""

    penalty: str
    seat: int
    number: int
    is_reported: bool


class AssumedPenalty(NamedTuple):
    """A penalty whose figure rests on a side that is clear and not proven: what was charged for it
    so far, by the seats of one tally."""

    penalty: PendingPenalty
    charged: Mapping[tuple[int, ...], int]


class TrickTransfer(NamedTuple):
    """Tricks that go to another seat when play is over: how many (`max_tricks`), the last of those
    that these `seats` have won from the trick `since` on."""

    max_tricks: int
    seats: tuple[int, ...]
    to: int
    since: int


class Effects(NamedTuple):
    """What a decision changes.

    `withdrawn`: the numbers of entries that are taken back by it; `charges`: points beside the
    score (code, seats, points, citation); `ends`: whether the round does, and then it counts, is
    void, counts as a deal without a score, or as lost for the side of who is to blame
    (`outcome`); `rest_to`: the seat to whose side all that is still out goes (-1: nobody's);
    `transfer`: tricks that go to another; `starter`: who starts the next round (-1: as ever; or
    `AGAIN`); `foul_by`: the seat whose foul it was (-1: nobody's); `dealer`: who deals after a
    void round (`same`, `next`, `penalty`; empty: as the rules say of all); `bars`: verbs that a
    seat may not use any more in this round; `against`: what was decided (a row of [remedies])
    and against whom, which is kept for the match; `penalty`: a penalty whose figure nobody knows
    yet; `assumed`: one whose figure may change; `corrected_standing`: the standing that the
    round should have begun with, by what was decided of the one before.
    """

    withdrawn: frozenset[int] = frozenset()
    charges: tuple[tuple[str, tuple[int, ...], int, str], ...] = ()
    ends: bool = False
    outcome: str = COUNTS
    rest_to: int = -1
    transfer: TrickTransfer | None = None
    starter: int = -1
    foul_by: int = -1
    dealer: str = ""
    bars: tuple[int, tuple[str, ...]] | None = None
    against: tuple[str, int] | None = None
    due: PendingPenalty | None = None
    assumed: AssumedPenalty | None = None
    corrected_standing: Standing | None = None


class Window(NamedTuple):
    """That something may be claimed, as the referee told it with entry `shown`: the row of
    [remedies], the number of what was wrong, whose it was, and the seats that may claim it."""

    shown: int
    remedy: str
    number: int
    seat: int
    asked: tuple[int, ...]


class HeardWindows(NamedTuple):
    """The windows that the referee has told of a round which is looked at by what was seen: up to
    entry `until` there are these and no others."""

    windows: tuple[Window, ...] = ()
    until: int = 0


class Decisions:
    """The decisions of one round: `effects` by the number of the entry that brought them,
    `withdrawn` all entries that they take back; `penalty` are the penalties whose figure waits,
    `assumed` those of which it may change. `open_afterwards` is what may still be decided when
    the round is over, with the number of entries it was computed after. `watching`: something
    may still be claimed, so each entry is looked at. `replaying`: the round is played again, by
    decisions that were made before. `windows` are those that were told in it, `heard` those that
    were told of it."""

    __slots__ = (
        *(
            "assumed",
            "due",
            "effects",
            "heard",
            "open_afterwards",
            "replaying",
            "withdrawn",
            "watching",
        ),
        "windows",
    )

    def __init__(
        self,
        effects: dict[int, Effects] | None = None,
        withdrawn: Iterable[int] = (),
        replaying: bool = False,
    ) -> None:
        self.effects: dict[int, Effects] = {} if effects is None else effects
        self.withdrawn = frozenset(withdrawn)
        self.replaying = replaying
        self.watching = False
        self.due: list[PendingPenalty] = []
        self.assumed: list[AssumedPenalty] = []
        self.open_afterwards: tuple[int, list[Json]] = (-1, [])
        self.windows: list[Window] = []
        self.heard = HeardWindows()

    def copy(self) -> Decisions:
        """The same decisions, to go on apart from these."""
        other = Decisions(self.effects.copy(), self.withdrawn, self.replaying)
        other.watching, other.due = self.watching, self.due[:]
        other.assumed = self.assumed[:]
        other.windows, other.heard = self.windows[:], self.heard
        other.open_afterwards = (self.open_afterwards[0], copy_value(self.open_afterwards[1]))
        return other

    def for_replay(self, withdrawn: Iterable[int]) -> Decisions:
        """The same decisions for a round that is played again, with more taken back."""
        return Decisions(self.effects, self.withdrawn.union(withdrawn), replaying=True)

    def without_entry(self, number: int) -> Decisions:
        """The same decisions, of which none was brought by that entry or takes it back: another
        one happens in its place."""
        other = self.copy()
        other.effects = {0 if at == number else at: each for at, each in self.effects.items()}
        other.withdrawn -= {number}
        other.replaying = self.replaying
        return other


# --- what was written down


class LogItem(NamedTuple):
    """An entry of a round with its findings. `is_doubted`: it was taken back, and by the hands it
    cannot have been as it was said."""

    entry: Entry
    findings: Sequence[Finding]
    is_doubted: bool


class EntryLog:
    """The entries of a round in order; as a sequence, each with its findings.

    Most are as they should be, so what was `findings` is kept apart, by the number of the entry
    from 1, in order; and so are the numbers of `is_doubted` ones. A list of findings changes
    only while its entry is happening: copies of a log share them. `settled` are pairs of
    numbers: an entry of which something was open, and the later one that settled it, in the
    order of these. `refused` is what refuses among what was found, in the order in which it was:
    the number of the entry that showed it, of the entry that it is on, and the finding.
    """

    __slots__ = ("doubted", "entries", "findings", "refused", "settled")

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.findings: dict[int, list[Finding]] = {}
        self.doubted: set[int] = set()
        self.settled: list[tuple[int, int]] = []
        self.refused: list[tuple[int, int, Finding]] = []

    def copy(self) -> EntryLog:
        """The same log, to go on apart from this one."""
        other = EntryLog()
        other.entries, other.findings = self.entries[:], self.findings.copy()
        other.doubted, other.settled = self.doubted.copy(), self.settled[:]
        other.refused = self.refused[:]
        return other

    def __len__(self) -> int:
        return len(self.entries)

    def __getitem__(self, index: int) -> LogItem:
        number = (index if index >= 0 else len(self.entries) + index) + 1
        return LogItem(self.entries[index], self.findings.get(number, ()), number in self.doubted)

    def __iter__(self) -> Iterator[LogItem]:
        return map(self.__getitem__, range(len(self.entries)))

    def add(self, entry: Entry, findings: list[Finding]) -> None:
        """Write down what happens, with what the rules say of it."""
        self.entries.append(entry)
        number = len(self.entries)
        self.findings[number] = findings
        if findings:
            self._note_wrong(number, findings)

    def attach_findings(self, findings: list[Finding]) -> None:
        """Something more is found with the entry that is happening."""
        number = len(self.entries)
        self.findings.setdefault(number, []).extend(findings)
        self._note_wrong(number, findings)

    def attach_earlier(self, number: int, finding: Finding) -> None:
        """Something more is found with an entry that something was found with before."""
        self.findings[number] = [*self.findings[number], finding]
        self._note_wrong(number, [finding])

    def _note_wrong(self, number: int, findings: Iterable[Finding]) -> None:
        for finding in findings:
            if finding.refuses:
                self.refused.append((len(self.entries), number, finding))

    def mark_contradicted(self) -> None:
        """The last entry cannot have been as it was said."""
        self.doubted.add(len(self.entries))

    def settle(self, number: int, old: Finding, new: Finding | None) -> None:
        """Another finding stands in one's place, or none."""
        if old.claim is not None and number != len(self.entries):  # else the act was never open
            self.settled.append((number, len(self.entries)))
        self.findings[number] = [
            each
            for finding in self.findings[number]
            for each in ((new,) if finding is old else (finding,))
            if each is not None
        ]
        if new is not None:
            self._note_wrong(number, [new])

    @property
    def last_findings(self) -> Sequence[Finding]:
        """What was found with the last entry, by all that it shows itself."""
        return self.findings.get(len(self.entries), ())

    @property
    def has_been_open(self) -> bool:
        """Whether something was open once, or is."""
        return bool(self.settled) or any(found.verdict == OPEN for _, found in self.all_findings())

    def all_findings(self) -> Iterator[tuple[int, Finding]]:
        """All findings, each with the number of its entry."""
        for number, findings in self.findings.items():
            for finding in findings:
                yield number, finding
