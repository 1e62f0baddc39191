"""The joint between a phase and a round: all that a phase may read and write.

`Joint` is the round as a phase sees it, `Rules` the ruleset (in rules.py). What a phase keeps to
itself is its own state; what phases tell one another is `Shared`; what was said before the first
act is `Start` (both in shared.py). Nothing else passes between them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from scorekeeper.core.expressions import Expression, Get
    from scorekeeper.core.failures import Failure
    from scorekeeper.core.knowledge import Knowledge
    from scorekeeper.core.parties import Parties
    from scorekeeper.core.plain import Facts, Json, Standing
    from scorekeeper.core.rulings import Finding
    from scorekeeper.core.tricks import Trick
    from scorekeeper.notation import Entry
    from scorekeeper.ruleset.orders import Order
    from scorekeeper.ruleset.rules import Rules as Rules  # where phases look for it
    from scorekeeper.ruleset.shared import Shared, Start

Role = tuple[str, tuple[int, ...]]  # a label, and the seats
A = TypeVar("A")
S = TypeVar("S")
S_co = TypeVar("S_co", covariant=True)


class Stateful(Protocol[S_co]):
    """Whose state a round keeps: a phase, by its name."""

    @property
    def name(self) -> str:
        """The name of the phase."""

    def begin(self, rnd: Joint) -> S_co:
        """The phase's state when its time has come."""


class Joint(Protocol):
    """A round as a phase sees it. Seats are numbers from 0 in the order of the names, left is
    next.

    To be read only: `rules`, `names`, `number` (of the round, from 1), `seats` (who takes part),
    `dealer`, `tally` and `base` (now, and as the round began, by seat), `result` (the words of
    one), `remarks` (to be noted with the entry that happens), `positioned` (the hands given are
    smaller than the deal's: it began in the middle), `placed` (the facts of the start decided it,
    and more may follow), `over`.
    To be written: `start` (by `place`; the leader may still be named before the first lead);
    `shared`; `leader` and `step` (1: to the left) of the play; `parties`; `tricks`, those complete,
    by who lays them; `roles` of the score rows; `next_dealer`, `next_leader`; `void`, `ended` (the
    match, too), `scored` (False: what was not seen would be needed), `acted`.
    """

    start: Start
    shared: Shared
    leader: int
    step: int
    parties: Parties | None
    next_dealer: int | None
    next_leader: int | None
    void: bool
    ended: bool
    scored: bool
    acted: bool

    @property
    def rules(self) -> Rules: ...
    @property
    def names(self) -> Sequence[str]: ...
    @property
    def number(self) -> int: ...
    @property
    def seats(self) -> list[int]: ...
    @property
    def dealer(self) -> int: ...
    @property
    def tally(self) -> list[int]: ...
    @property
    def base(self) -> Sequence[int]: ...
    @property
    def tricks(self) -> list[Trick]: ...
    @property
    def roles(self) -> dict[str, Role]: ...
    @property
    def result(self) -> Mapping[str, str] | None: ...
    @property
    def remarks(self) -> Sequence[Finding]: ...
    @property
    def placed(self) -> bool: ...
    @property
    def positioned(self) -> bool: ...
    @property
    def over(self) -> bool: ...
    @property
    def before(self) -> Standing:
        """The standing that the round began with."""

    # --- hands and states

    @property
    def hands(self) -> Knowledge:
        """What is known of the hands. Raises Impossible in a game without any."""

    @property
    def has_hands(self) -> bool:
        """Whether the game has hands of cards."""

    def state(self, phase: Stateful[S]) -> S:
        """The state of a phase that has begun. Raises KeyError before its time."""

    def state_if_begun(self, phase: Stateful[S]) -> S | None:
        """The same; None before its time."""

    def suppose(self, phase: Stateful[S], state: S, ask: Callable[[], A]) -> A:
        """What `ask` answers if that is the state of the phase; all is put back then."""

    def is_current(self, phase: Stateful[object]) -> bool:
        """Whether it is that phase's time now (of those that follow one another)."""

    def kept(self, name: str) -> Json:
        """What the phase of that name has kept from the last round; empty where it has nothing."""

    def has_kept(self, name: str) -> bool:
        """Whether something of that name has been kept from an earlier round."""

    def keep(self, name: str, value: Json | int | None) -> None:
        """Keep plain JSON for the next rounds, or (None) nothing more."""

    def require_parties(self) -> Parties:
        """`parties`, where sides differ from deal to deal; else raises Impossible."""

    def cards_seen(self) -> list[int]:
        """By seat the cards (a heap) that everyone has seen come out of that hand, or in it."""

    def public_sides(self) -> Mapping[int, int]:
        """The sides that seats are on by what everyone has seen and heard: nothing is counted,
        and no hand that was entered tells of any."""

    # --- seats

    def names_of(self, seats: Iterable[int]) -> list[str]:
        """The names of seats."""

    def out(self, seat: int) -> bool:
        """Whether the seat is out of the match (its tally is used up), or sits out."""

    def playing(self) -> list[int]:
        """The seats that take part and are not out, in the order of the names."""

    def after(self, seat: int, step: int = 1) -> int:
        """The next seat to the left (or right, with step -1) that takes part."""

    def following(self, seat: int, step: int = 1) -> int:
        """The next seat in that direction that is not out; the seat itself if nobody else is."""

    def side(self, seat: int) -> tuple[int, ...]:
        """The seats on that seat's side, where sides are fixed by the seating; else its own."""

    def sharing(self, seat: int) -> tuple[int, ...]:
        """The seats whose tally is that seat's, too."""

    def dice_of(self, seat: int) -> int:
        """How many dice a player has in this round; none, who is out."""

    def dice(self) -> int:
        """All dice on the table."""

    def leaders(self) -> list[int]:
        """Who is expected to start; several where that is not certain."""

    def base_of(self, seat: int) -> int:
        """A player's tally before what the score rows give."""

    # --- the start

    def place(self, word: str, start: Start) -> None:
        """Set the facts of the start, the last of them said with that verb: the round begins anew.
        Raises Impossible when somebody has acted, and for what contradicts another fact."""

    def conflict(self, say: str, *words: str) -> None:
        """Facts of the start, said with these verbs, do not fit together as they stand."""

    def sits_out(self, seat: int, so: str) -> None:
        """Something was said of who sits out: impossible if the dealer is known, or in conflict."""

    @property
    def in_conflict(self) -> bool:
        """Whether facts of the start do not fit together yet."""

    # --- what was said and done

    def write_down(self, entries: Sequence[Entry]) -> None:
        """Write down acts that were plainly legal, when they have happened."""

    def write_open(self, entry: Entry, seen: bool) -> bool:
        """Write down an act that the clauses leave open, if so; `seen`: the others are kept."""

    def settle_open(self) -> None:
        """Settle what the last entry decides, when it has happened."""

    def settle_sides(self) -> None:
        """Note with the last entry whose side it proves."""

    def earlier_entry(self, verbs: Iterable[str]) -> str:
        """The text of this round's first entry of one of these verbs ("" if there is none)."""

    def entries(self) -> Sequence[Entry]:
        """This round's entries in order, the one that is happening included."""

    def facts_noted(self) -> Iterable[Facts]:
        """The facts of every finding in this round so far."""

    def play_begun(self) -> bool:
        """Whether play that depends on who leads has begun."""

    def waiting(self) -> list[int]:
        """The seats the game waits for, whose turn it is first."""

    def to_lead(self) -> int | None:
        """Who is to lead while nothing lies on the table; None where something does."""

    def points_of(self, seat: int) -> int | None:
        """The points of the seat's side so far, where some phase counts any."""

    def points_now(self, seat: int) -> int | None:
        """The same by the phase whose time it is; None where that counts none."""

    def cards_aside(self) -> list[int]:
        """The cards that are known to go to nobody (kinds, one for each card)."""

    def beside_tricks(self) -> tuple[int, Sequence[int]]:
        """How many cards go to one of these seats beside those of the tricks."""

    def still_out(self) -> list[int] | None:
        """The points of each card that a side may still take, where some phase counts any."""

    def order_in_force(self) -> Order | None:
        """What beats what in this round; None where nothing does, or before it is known."""

    def wrong_with_call(self, call: str, caller: int, bidder: int) -> list[Finding]:
        """Why the caller could make that call on no bid of the bidder; empty if on some."""

    def prompt(self) -> str:
        """What must happen now, in words; "" when the round is over."""

    # --- rules

    def reading(self, subject: object = None) -> Get:
        """How an expression reads measures of this round, about an entry or a side."""

    def evaluate(self, expression: Expression, subject: object = None) -> float:
        """What an expression comes to; 0 where it has no value, which is noted."""

    def misruled(self, error: Failure, so: str = "") -> None:
        """The rules cannot say what the round needs: no score, or `so`; its entry is told why."""

    def broken(self, entry: Entry) -> list[Finding]:
        """What the clauses prove to be wrong with an entry."""

    def imply(self, acts: Sequence[Entry]) -> Entry:
        """Which of these acts the entry that is happening tells of: the first that breaks no
        rule; if all do, the first, and what is wrong with it is a finding on the entry."""

    def blame(self, findings: list[Finding]) -> None:
        """Put findings to the entry that is happening."""

    # --- what happens

    def remark(self, code: str, say: str, facts: Facts, cite: str = "") -> None:
        """Have something noted with the entry that is happening: a failed call, a warning."""

    def add_line(self, code: str, seats: Sequence[int], points: int, cite: str = "") -> None:
        """A change of one tally, or of one that several share, that happens now, outside the
        score rows; never beyond what the tally may be."""

    def charge(self, code: str, seat: int, points: int, cite: str = "") -> None:
        """The same for what a player must pay, or gets, by the table's word: their side does,
        where it shares a tally. Before the first act it is one of the facts of the start."""

    def complete_trick(self, trick: Trick) -> None:
        """A trick is complete: the sides and every phase that looks at tricks learn of it."""

    def rebind(self) -> None:
        """What names in patterns of cards stand for has changed: the phases learn of it."""

    def read_result(self, said: dict[str, str], by: Stateful[object]) -> None:
        """Have every phase but that one read its keys of a result, and take them out of `said`;
        then have each infer what follows from all of them together."""

    def result_fields(self, by: Stateful[object]) -> list[tuple[str, str, list[str]]]:
        """What every phase but that one takes from a result (see `Phase.fields`)."""

    def conclude(self, said: Mapping[str, str]) -> None:
        """End the round by its outcome alone. Raises Unreadable for words that are none,
        Impossible for what contradicts the round, or what it is decided by already."""

    def finish(self) -> None:
        """End the round: every phase says what comes of it."""
