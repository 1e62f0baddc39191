"""The joint between a phase and a round: all that a phase may read and write.

`Joint` is the round as a phase sees it, `Rules` the ruleset. What a phase keeps to itself is its
own state; what phases tell one another is `Shared`; what was said before the first act is
`Start` (both in shared.py). Nothing else passes between them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from scorekeeper.core.expressions.parser import NUMBER
from scorekeeper.engine.coming import Coming
from scorekeeper.engine.written import Written

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from scorekeeper.core.cards import Pack, Trick
    from scorekeeper.core.errors import Failure
    from scorekeeper.core.expressions import Expression, Get
    from scorekeeper.core.knowledge import Knowledge
    from scorekeeper.core.rulings import Finding
    from scorekeeper.core.sides import Parties
    from scorekeeper.core.types import Facts, Json, Row, Standing
    from scorekeeper.engine.ruleset import Numbers
    from scorekeeper.engine.state import Shared, Start
    from scorekeeper.notation import Entry, Lexicon
    from scorekeeper.notation.entry import Verb
    from scorekeeper.ruleset.orders import Order, Orders

Role = tuple[str, tuple[int, ...]]  # a label, and the seats
A = TypeVar("A")
P = TypeVar("P", bound="Named")
S = TypeVar("S")
S_co = TypeVar("S_co", covariant=True)


class Named(Protocol):
    """What a class of phases has."""

    name: str


class Stateful(Protocol[S_co]):
    """Whose state a round keeps: a phase, by its name."""

    @property
    def name(self) -> str:
        """The name of the phase."""

    def begin(self, rnd: Joint) -> S_co:
        """The phase's state when its time has come."""


class Rules(Protocol):
    """The compiled ruleset as a phase sees it. `players`, `tally`, `deal` and `sides` are the
    tables of that name; `orders` the [orders], compiled once for each level and trump; `numbers`:
    those of its tables that may be expressions; `every_verb`: `verbs` and those turned `off`."""

    @property
    def pack(self) -> Pack: ...
    @property
    def lexicon(self) -> Lexicon: ...
    @property
    def tally(self) -> Row: ...
    @property
    def players(self) -> Row: ...
    @property
    def deal(self) -> Row: ...
    @property
    def sides(self) -> Row: ...
    @property
    def orders(self) -> Orders: ...
    @property
    def numbers(self) -> Numbers: ...
    @property
    def off(self) -> frozenset[str]: ...
    @property
    def verbs(self) -> Mapping[str, Verb]: ...
    @property
    def every_verb(self) -> Mapping[str, Verb]: ...

    def phase(self, kind: type[P]) -> P:
        """The phase of that class. Raises KeyError where the ruleset lists none."""

    def has(self, section: str) -> bool:
        """Whether the ruleset has that top-level table."""

    def table(self, name: str) -> Row:
        """A top-level table that some phase owns, completed with its defaults."""

    def section(self, name: str) -> Mapping[str, Row]:
        """The named rows of such a table."""

    def spoken(self, word: str) -> str:
        """What one of the program's words, or a row's name, is called in the spoken language."""

    def said(self, text: str) -> str:
        """A text of the ruleset, a sentence, a label or a name, in the language that is spoken."""

    def card_points(self) -> Sequence[int]:
        """The points of each kind of card; empty where cards have none."""

    def labels_for(self, role: str) -> list[str]:
        """What the score rows for a role are called."""

    def in_scores(self, measures: Iterable[str], roles: Iterable[str]) -> bool:
        """Whether a score row for one of these roles names one of these measures."""

    def clause_names(self, verb: str) -> list[str]:
        """The clause words that judge a verb."""

    def clause_rows(self, verb: str, word: str) -> list[Row]:
        """The rows of that clause word that judge a verb."""

    def from_hand(self, entry: Entry) -> Sequence[tuple[int, tuple[int, ...]]]:
        """The cards that an entry takes out of hands: pairs of a seat and kinds."""

    def expression(
        self,
        text: object,
        where: str,
        about: Sequence[str] = (),
        but: Sequence[str] = (),
        whole: bool = False,
        kind: str = NUMBER,
        asks: bool = False,
    ) -> Expression:
        """Compile the expression that stands at `where`. It may name the measures of the round and
        those `about` these subjects, but not those in `but`. `whole`: it comes to a whole number;
        `kind`: of what kind the value must be; `asks`: it may ask about a hand nobody sees."""

    def measures_about(self, about: Sequence[str]) -> list[str]:
        """The measures that may be asked of what an expression is about, and of the round."""

    def fault(self, key: str, found: str, allowed: str, message: str) -> None:
        """Report what is wrong with the ruleset, if this is a check."""

    def deal_size(self, seats: int) -> int:
        """How many cards each of so many players is dealt."""

    def kitty_size(self, seats: int) -> int:
        """How many cards are left over when so many players have drawn theirs."""

    def side_size(self, seats: int) -> int:
        """How many of so many players a side has; one, where there are no sides."""

    def is_out(self, tally: int) -> bool:
        """Whether a player with that tally is out of the match."""


class Joint(Written, Coming, Protocol):
    """A round as a phase sees it. Seats are numbers from 0 in the names' order, left is next.

    To be read only: `rules`, `names`, `number` (from 1), `seats` (who takes part), `dealer`,
    `tally` and `base` (now, and as the round began, by seat), `result` (its words), `remarks` (to
    be noted with the entry that happens), `positioned` (the hands given are smaller than the
    deal's: it began in the middle), `placed` (the facts of the start decided it), `over`.
    To be written: `start` (by `place`; the leader may still be named before the first lead);
    `shared`; `leader` and `step` (1: to the left) of the play; `parties`; `tricks`, those complete,
    by who lays them; `roles` of the score rows; `next_dealer`, `next_leader`, `deals_next` (see
    `dealt_again`); `void`, `unscored` (no score row applies), `ended` (the match, too), `scored`
    (False: what was not seen would be needed), `acted`; `booked` (it is over and in the tallies).
    """

    start: Start
    shared: Shared
    leader: int
    step: int
    parties: Parties | None
    next_dealer: int | None
    next_leader: int | None
    deals_next: str
    void: bool
    unscored: bool
    ended: bool
    scored: bool
    acted: bool
    booked: bool

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
    def partial(self) -> bool:
        """It began within what a phase counts (`Phase.from_start`): play scores nothing."""

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

    def copy(self) -> Joint:
        """The same round, to go on apart from this one."""

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
        """The sides that seats are on by what all have seen and heard, without hands or counts."""

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
        """Set the facts of the start, the last by that verb, and begin anew. Raises Impossible."""

    def conflict(self, say: str, *words: str) -> None:
        """Facts of the start, said with these verbs, do not fit together as they stand."""

    def sits_out(self, seat: int, so: str) -> None:
        """Something was said of who sits out: impossible if the dealer is known, or in conflict."""

    @property
    def in_conflict(self) -> bool:
        """Whether facts of the start do not fit together yet."""

    # --- whose turn it is

    def play_begun(self) -> bool:
        """Whether play that depends on who leads has begun."""

    def waiting(self) -> list[int]:
        """The seats the game waits for, whose turn it is first."""

    def to_lead(self) -> int | None:
        """Who is to lead while nothing lies on the table; None where something does."""

    def after_foul(self, seat: int) -> Callable[[], None] | None:
        """Does what follows of a foul of that seat; None: it is only noted."""

    def points_of(self, seat: int) -> int | None:
        """The points of the seat's side so far, where some phase counts any."""

    def points_now(self, seat: int) -> int | None:
        """The same by the phase whose time it is; None where that counts none."""

    def cards_aside(self) -> list[int]:
        """The cards that are known to go to nobody (kinds, one for each card)."""

    def before_rest(self) -> None:
        """All that is still out is to go to somebody without being played. Raises Impossible where
        it would not be known what the round comes to then."""

    def may_pass(self) -> bool:
        """Whether cards may still pass from hand to hand before play."""

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

    def barred(self, entry: Entry) -> bool:
        """Return whether a clause that asks no hand proves an entry to be against a rule."""

    def imply(self, acts: Sequence[Entry]) -> Entry:
        """Which of these acts the entry tells of: the first that breaks no rule, else the first."""

    def blame(self, findings: list[Finding]) -> None:
        """Put findings to the entry that is happening."""

    # --- what happens

    def remark(self, code: str, say: str, facts: Facts, cite: str = "") -> None:
        """Have something noted with the entry that is happening: a failed call, a warning."""

    def add_line(self, code: str, seats: Sequence[int], points: int, cite: str = "") -> None:
        """A change of a tally, perhaps a shared one, outside the score rows, within its limits."""

    def charge(self, code: str, seat: int, points: int, cite: str = "") -> None:
        """The same for what a player, or their side, pays or gets by the table's word."""

    def complete_trick(self, trick: Trick) -> None:
        """A trick is complete: the sides and every phase that looks at tricks learn of it."""

    def rebind(self) -> None:
        """What names in patterns of cards stand for has changed: the phases learn of it."""

    def read_result(self, said: dict[str, str], by: Stateful[object]) -> None:
        """Have every other phase take its keys of a result out of `said`, then infer from all."""

    def result_fields(self, by: Stateful[object]) -> list[tuple[str, str, list[str]]]:
        """What every phase but that one takes from a result (see `Phase.fields`)."""

    def conclude(self, said: Mapping[str, str]) -> None:
        """End the round by its outcome alone. Raises Unreadable, Impossible."""

    def finish(self) -> None:
        """End the round: every phase says what comes of it."""
