"""The data of a round: facts about its start, values shared by phases, entries, and decisions.

`Setup` holds the facts about the start, `TableState` the values that phases share, and `EntryLog`
the entries with their findings. `Decisions` holds the decisions about faults. It persists across a
replay, because it determines which entries are withdrawn.
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
"""The entry verb for conceding all remaining tricks. Other phases treat it as a special case."""

Hand = tuple[int, ...] | int  # card kinds, or a number of cards
COUNTS, VOID, UNSCORED, LOST = "counts", "void", "unscored", "lost"
AGAIN = -2  # in place of a seat, means the leader of this round


# --- state shared by phases


class Bid(NamedTuple):
    """A bid on dice, in which a seat claims that at least `number` dice show `face`."""

    seat: int
    number: int
    face: int

    @property
    def text(self) -> str:
        """The bid in written form, such as `5x4`."""
        return f"{self.number}x{self.face}"


class ContractBid(NamedTuple):
    """A bid before play, or the contract that results from it.

    It has a `number`, a `contract` (a row of [contracts]), and the `options` and `cards` (kinds)
    that were named with the contract. Anything that was not named is None or empty.
    """

    number: int | None = None
    contract: str = ""
    options: tuple[str, ...] = ()
    cards: tuple[int, ...] = ()


class DiceCall(NamedTuple):
    """A call on the most recent bid, with the caller's seat and the canonical word."""

    seat: int
    word: str


class Setup(NamedTuple):
    """The facts about the start of a round that were stated before the first act.

    A fact that was not stated is None or empty. Seats are numbers, and cards are kinds. The value
    is immutable. A phase replaces it with a copy that has one more fact
    (`rnd.setup._replace(dealer=seat)`).

    `hands` are the hands that were entered, as cards or as a number of cards. `holds` are cards
    seen in a hand, and `shown` are cards seen in a withdrawn entry. Both are by seat. `standing`
    are the tallies that were entered. If `is_levelled` is true, all players get the same tally.
    `charges` are fouls and penalties, each with code, seats, points and citation. `stock` is the
    number of cards that can still be drawn. `turned` is the card that was turned up. `returned` are
    the cards that were turned up before it and put back. `touched` is the first player to touch the
    pack. `contract` is the declarer with the contract, if bids are not entered. `reseated` is the
    standing at the start if players have joined, left or moved.
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
    """The values that phases share during a round.

    Each field is written by a single phase, named in brackets, and can be read by all phases. A
    test checks this. A missing seat is -1, and a missing text is empty.

    - [contracts, for the phases that settle them] `contract`, `order` (a row of
      [orders]), `declarer` (a seat), `chosen` (the contract's trump suit).
    - [contracts] `number` (of the bid, then of the contract), `options` and `named_cards`
      (named with the contract), `resting` (the seats that play no cards in this round).
    - [auction] `raised` (the calls that the contract includes).
    - [choice] `mode`.
    - [levels] `master` (a seat) and `level` (a rank).
    - [draw] `declared` (the trump suit declared by showing cards).
    - [kitty] `turned` (the trump suit of a card turned up, or from the facts).
    - [turnup] `upcard` (the trump suit set by a card turned up at the deal) and
      `offered` (the only suit that can be chosen).
    - [bids] `bid`, `call` and `matching` (the faces that count for the bid).
    - [table] `foul` (the seat that ended the round by a foul).
    - [stock] `stock` (how many cards can still be drawn) and `bottom` (the trump suit of
      the last card).
    - [holdings] `announced` (cards by the names of holdings).
    - [tricks] `conceded` (the seat that conceded the rest to the others).
    - [remedies] `forfeited` (the seat that lost the round by a fault).
    - [bouts] `possible_leaders` (the seats that may start, before the first act).
    - [calls] `claimed_sides` (the side that each seat has claimed to be on). What everyone
      has seen takes precedence over a claim.
    """

    __slots__ = (
        *("announced", "bid", "bottom", "call", "chosen", "claimed_sides", "conceded"),
        *("contract", "declared", "declarer", "forfeited", "foul", "level", "master"),
        *("matching", "mode", "named_cards", "number", "offered", "options", "order"),
        *("possible_leaders", "raised", "resting", "stock", "turned", "upcard"),
    )

    def __init__(self) -> None:
        self.announced: Mapping[str, str] = {}
        self.contract = ""
        self.order = ""
        self.declarer = -1
        self.chosen = ""
        self.number = 0
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
        """Return an independent copy."""
        return copy_slots(self)

    @property
    def trump(self) -> str:
        """The trump suit set by the contract, by a hand, or by a card turned up, or "" if there is
        none."""
        return self.chosen or self.declared or self.turned or self.upcard or self.bottom

    @property
    def bindings(self) -> Mapping[str, str]:
        """The known values for names in card patterns, such as `{level}{trump}`."""
        names = {"level": self.level, "trump": self.trump, **self.announced}
        return {name: value for name, value in names.items() if value}


# --- decisions about faults


class PendingPenalty(NamedTuple):
    """A penalty whose points are not known yet.

    `penalty` is its class, `seat` the seat at fault, and `number` the number of an entry. If
    `is_reported` is true, the entry only reported the fault and is not itself the fault.
    """

    penalty: str
    seat: int
    number: int
    is_reported: bool


class AssumedPenalty(NamedTuple):
    """A penalty with points that depend on a player's side, which is likely but not certain.

    `charged` are the points charged so far, keyed by the seats that share a tally.
    """

    penalty: PendingPenalty
    charged: Mapping[tuple[int, ...], int]


class TrickTransfer(NamedTuple):
    """Tricks that are transferred to another seat when play is finished.

    They are the last tricks that `seats` have won from trick `since` on, at most `max_tricks`.
    """

    max_tricks: int
    seats: tuple[int, ...]
    to: int
    since: int


class Effects(NamedTuple):
    """The effects of a decision.

    `withdrawn` are the numbers of entries that it withdraws. `charges` are points outside the
    score rows, with code, seats, points and citation. If `ends` is true, the round ends. `outcome`
    then states whether the round counts, is void, has no score, or is lost for the side at fault.
    `rest_to` is the seat whose side gets all cards that are not yet won (-1 for none). `transfer`
    are tricks that are transferred to another seat. `starter` is the seat that starts the next
    round, -1 to follow the rules, or `AGAIN`. `foul_by` is the seat at fault (-1 for none).
    `dealer` states who deals after a void round (`same`, `next`, `due`, or empty for the general
    rule). `bars` are a seat and the verbs that it can no longer use in this round. `against` is a
    row of [consequences] and a seat, which are stored for the match. `due` is a penalty whose
    points are unknown, and `assumed` is a penalty whose points may change. `corrected_standing` is
    the standing with which the round should have started. A decision about the previous round sets
    it.
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
    """An opportunity to claim a fault, reported to the players with entry `shown`.

    `remedy` is the row of [remedies]. `number` is the entry at fault, and `seat` is its seat.
    `asked` are the seats that can claim the fault.
    """

    shown: int
    remedy: str
    number: int
    seat: int
    asked: tuple[int, ...]


class HeardWindows(NamedTuple):
    """The opportunities for claims reported so far, for a round reconstructed from public
    information.

    `windows` lists all opportunities that were reported up to entry `until`.
    """

    windows: tuple[Window, ...] = ()
    until: int = 0


class Decisions:
    """The decisions made in one round.

    `effects` are keyed by the number of the entry with the decision, and `withdrawn` are all
    entries that they withdraw. `due` are penalties whose points are unknown. `assumed` are
    penalties whose points may change. `open_afterwards` holds the decisions that can still be made
    after the round, with the number of entries at that time. `watching` is true if something can
    still be claimed, so that each entry is examined. `replaying` is true while the round is
    replayed with decisions made before. `windows` are the opportunities for claims reported in the
    round, and `heard` are the public ones.
    """

    __slots__ = (
        *("assumed", "due", "effects", "heard", "open_afterwards", "replaying", "watching"),
        *("windows", "withdrawn"),
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
        """Return an independent copy."""
        other = Decisions(self.effects.copy(), self.withdrawn, self.replaying)
        other.watching, other.due = self.watching, self.due[:]
        other.assumed = self.assumed[:]
        other.windows, other.heard = self.windows[:], self.heard
        other.open_afterwards = (self.open_afterwards[0], copy_value(self.open_afterwards[1]))
        return other

    def for_replay(self, withdrawn: Iterable[int]) -> Decisions:
        """Return the decisions for a replay in which these entries (from 1) are withdrawn too."""
        return Decisions(self.effects, self.withdrawn.union(withdrawn), replaying=True)

    def without_entry(self, number: int) -> Decisions:
        """Return a copy of the decisions to use when an entry (number from 1) is replaced.

        In the copy, the entry is not withdrawn, and its own effects are stored under number 0.
        """
        other = self.copy()
        other.effects = {0 if at == number else at: each for at, each in self.effects.items()}
        other.withdrawn -= {number}
        other.replaying = self.replaying
        return other


# --- entries


class LogItem(NamedTuple):
    """An entry with its findings.

    `is_doubted` is true if the entry was withdrawn and its cards contradict the hands.
    """

    entry: Entry
    findings: Sequence[Finding]
    is_doubted: bool


class EntryLog:
    """The entries of a round in order. As a sequence, it yields each entry with its findings.

    Most entries have no findings, so `findings` are stored by entry number (from 1), in order.
    `doubted` are the numbers of withdrawn entries that contradict the hands. A list of findings
    changes only while its entry is being applied, so copies of a log share it. `settled` are pairs
    of entry numbers: the entry with an open finding, and the later entry that settled the finding.
    `refused` lists the findings that refuse an entry, in order. Each item is the number of the
    entry that revealed the finding, the number of the entry with the finding, and the finding.
    """

    __slots__ = ("doubted", "entries", "findings", "refused", "settled")

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.findings: dict[int, list[Finding]] = {}
        self.doubted: set[int] = set()
        self.settled: list[tuple[int, int]] = []
        self.refused: list[tuple[int, int, Finding]] = []

    def copy(self) -> EntryLog:
        """Return an independent copy."""
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
        """Add an entry with its findings."""
        self.entries.append(entry)
        number = len(self.entries)
        self.findings[number] = findings
        if findings:
            self._note_wrong(number, findings)

    def attach_findings(self, findings: list[Finding]) -> None:
        """Attach more findings to the current entry."""
        number = len(self.entries)
        self.findings.setdefault(number, []).extend(findings)
        self._note_wrong(number, findings)

    def attach_earlier(self, number: int, finding: Finding) -> None:
        """Attach another finding to an earlier entry (number from 1) that already has findings."""
        self.findings[number] = [*self.findings[number], finding]
        self._note_wrong(number, [finding])

    def _note_wrong(self, number: int, findings: Iterable[Finding]) -> None:
        for finding in findings:
            if finding.refuses:
                self.refused.append((len(self.entries), number, finding))

    def mark_contradicted(self) -> None:
        """Mark the last entry as one that contradicts the hands."""
        self.doubted.add(len(self.entries))

    def settle(self, number: int, old: Finding, new: Finding | None) -> None:
        """Replace the open finding `old` of entry `number` (from 1) with `new`.

        If `new` is None, the finding is removed.
        """
        # A finding that is settled by its own entry was never open.
        if old.claim is not None and number != len(self.entries):
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
        """The findings on the last entry."""
        return self.findings.get(len(self.entries), ())

    @property
    def has_been_open(self) -> bool:
        """True if a finding is open, or was open earlier."""
        return bool(self.settled) or any(
            finding.verdict == OPEN for _, finding in self.all_findings()
        )

    def all_findings(self) -> Iterator[tuple[int, Finding]]:
        """Yield all findings, each with its entry number."""
        for number, findings in self.findings.items():
            for finding in findings:
                yield number, finding
