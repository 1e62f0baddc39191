"""The contract of a kind of play: the class to subclass, its hooks, and the roles it may have.

There is one phase object per ruleset. What changes in a round is in its state. A phase offers
measures, which expressions may name, and the ways in which players may be split into roles.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from scorekeeper.core.errors import Impossible
from scorekeeper.core.expressions.parser import NUMBER
from scorekeeper.core.messages import Prompt, Sentence, tr
from scorekeeper.notation.entry import BID as A_BID

if TYPE_CHECKING:
    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.rulings import Finding
    from scorekeeper.core.types import Json, Rng, Row
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.engine.state import Setup
    from scorekeeper.notation import Entry
    from scorekeeper.notation.entry import EntryType
    from scorekeeper.ruleset.orders import Order
    from scorekeeper.ruleset.tables import Parameter

    # Reads a measure of a round and a subject: an entry, a trick, a side or a seat, by `about`.
    # Returns a number, a set of cards, or a function of such sets.
    Reader = Callable[[Round, Any], object]
    Judge = Callable[[Round, Entry], Outcome]
    Build = Callable[[Row, Ruleset], Judge]  # builds the judge of a row with a clause word

    Role = tuple[str, tuple[int, ...]]  # a label and seats
    Roles = Mapping[str, Role]

S_co = TypeVar("S_co", covariant=True)  # the state of a phase
F_co = TypeVar("F_co", covariant=True)  # the facts of a view

# Subjects of measures and expressions, besides the round.
BID, ACTOR, TRICK, CULPRIT, OWN = A_BID, "an act", "a trick", "a culprit", "a player or a side"


class Phase(Generic[S_co]):
    """A kind of play. There is one object per ruleset, and a state per round.

    A subclass sets the class attributes and overrides the hooks it needs. `concurrent` phases
    run during the whole round. The others follow one another in the ruleset's order.
    `row_tables` are top-level tables of the ruleset that the phase owns, with the parameters of
    one named row, or of the table itself if it is one of `single_tables`. The ruleset must have
    all `tables` and all phases in `others`. With `only` it may list no other phase.
    """

    name: ClassVar[str] = ""
    doc: ClassVar[str] = ""
    concurrent: ClassVar[bool] = False
    tables: ClassVar[tuple[str, ...]] = ()
    others: ClassVar[tuple[str, ...]] = ()
    only: ClassVar[bool] = False
    parameters: ClassVar[Mapping[str, Parameter]] = {}
    row_tables: ClassVar[Mapping[str, Mapping[str, Parameter]]] = {}
    single_tables: ClassVar[tuple[str, ...]] = ()  # tables without named rows
    entry_types: tuple[EntryType, ...] = ()
    shorthands: tuple[EntryType, ...] = ()  # entry types that `interpret` replaces
    disabled_endings: Sequence[str] = ()  # verbs that end a round early and are turned off
    named_numbers: Sequence[int] = ()  # numbers that `[words]` may name
    passes_cards = False  # cards pass between hands before play
    needs_whole_round = False  # the score needs everything that was won from the start
    measures: tuple[Measure, ...] = ()
    roles: tuple[str, ...] = ()  # roles of score rows
    offers_early = False  # it may have options before or after its time
    watches_tricks = True  # `after_trick` is called
    reports: Mapping[str, str] = {}  # names in `View.summary`, with descriptions
    player_reports: tuple[str, ...] = ()  # reports whose values are, or begin with, a player

    def __init__(self, rules: Ruleset, row: Row) -> None:
        self.rules = rules
        self.row = row
        self.cite: str = row.get("cite", "")

    def link(self) -> None:
        """Compile what needs all other phases of the ruleset, such as expressions and clauses."""

    def check(self, trial_allowed: bool) -> None:
        """Report, by `fault`, rows of the phase that cannot be meant.

        Rules may be tried if `sound`, which means that the ruleset has no other fault. Pinned
        rulesets are not checked.
        """

    def named_measures(self) -> Iterable[Measure]:
        """Yield the measures that the phase offers in this ruleset."""
        return self.measures

    def splits(self, split: RoleSplit, seats: int) -> Iterator[RoleSplit]:
        """Yield the ways to split that many players into the roles of this phase, each added to
        `split`.

        By default each role is taken by one player.
        """
        yield split.add("", {role: (role, (0,)) for role in self.roles})

    def pattern_names(self) -> Mapping[str, Iterable[str]]:
        """Return the names in patterns of cards (`{level}`) that the phase binds, with all their
        values."""
        return {}

    def words(self) -> Iterable[tuple[str, str]]:
        """Return pairs of a row's name and a word for it that may be typed."""
        return ()

    def begin(self, rnd: Round) -> S_co:
        """Return the phase's state at its beginning.

        That is the start of the round for a concurrent phase.
        """
        raise AssertionError(f"phase {self.name} has no state to begin with")

    def takes_place(self, rnd: Round) -> bool:
        """Return whether the phase takes place in this round."""
        return True

    def check_start(self, rnd: Round) -> None:
        """Check the facts of the start after the round has restarted.

        Report their consequences by `add_note`, and what does not fit yet by `add_conflict`. Raises
        Impossible for facts that can never fit.
        """

    def as_setup(self, rnd: Round, start: Setup) -> Setup:
        """Return the setup with the phase's facts for a round that starts in the present state.

        No cards are on the table then.
        """
        return start

    def finished(self, rnd: Round) -> bool:
        """Return whether the phase is finished."""
        return False

    def waiting(self, rnd: Round) -> list[int]:
        """Return the seats the game waits for, the one with the turn first."""
        return []

    def acting_seat(self, rnd: Round, entry: Entry) -> int | None:
        """Return the seat that makes an entry without a name, or None for the one with the turn."""
        return None

    def interpret(self, rnd: Round, entry: Entry) -> Iterable[Entry]:
        """Yield the entries that a shorthand may mean in the present state, allowed or not.

        The shorthand is one of `shorthands` or of an entry type's short form. Without a name it
        is by the player with the turn.
        """
        return ()

    def may_act(self, rnd: Round, entry: Entry) -> bool:
        """Return whether the player may act now.

        That is so if the phase waits for the player, or allows this act while it waits for others.
        """
        return entry.seat in self.waiting(rnd)

    def may_act_early(self, rnd: Round, entry: Entry) -> bool:
        """Return whether the entry may be made before or after the time of the phase."""
        return False

    def everyone(self, rnd: Round, entry: Entry) -> list[int]:
        """Return the seats for which an entry with `all:` is made."""
        return self.waiting(rnd)

    def play_begun(self, rnd: Round) -> bool:
        """Return whether a part of play has begun that depends on who leads."""
        return False

    def may_follow(self, rnd: Round, entry: Entry) -> bool:
        """Return whether the entry may still be added to a finished round."""
        return bool(entry.type.may_follow_round)

    def after_trick(self, rnd: Round) -> None:
        """Look at a complete trick, the last of `rnd.tricks`.

        Phases without entries are called before the others, so before the trick has consequences.
        """

    def public_sides(self, rnd: Round) -> Mapping[int, int]:
        """Return the sides of seats that this phase knows from what everyone has seen.

        Cards are not counted, and hands that were entered are not used. Phases must agree with
        each other.
        """
        return {}

    def lost_cards(self, rnd: Round) -> Iterable[int]:
        """Return the cards that are known to go to no player (kinds, one for each card)."""
        return ()

    def hand_cards(self, entry: Entry) -> Sequence[tuple[int, tuple[int, ...]]]:
        """Return the cards that an entry takes out of hands, as pairs of a seat and kinds."""
        value, seat = entry.value, entry.seat
        if seat is None:
            return ()
        return ((seat, value if isinstance(value, tuple) else (value,)),)

    def seen_cards(self, rnd: Round, entry: Entry) -> Sequence[tuple[int, tuple[int, ...]]]:
        """Return the cards that an entry shows, as pairs of a seat and kinds.

        They were in these hands even if the entry is withdrawn.
        """
        return self.hand_cards(entry) if entry.type.plays_cards else ()

    def options(self, rnd: Round) -> Iterator[Entry]:
        """Yield entries that may be legal now, for everyone who may act.

        Outside its time a phase is asked only if it `offers_early` (see `Round.is_current`).
        """
        return iter(())

    def chance(self, rnd: Round, rng: Rng) -> Iterator[Entry]:
        """Yield what chance may bring now, for random play: hands, cards turned up or drawn, dice.

        The first entry is made, then the hook is called again. If all hands are known,
        `rnd.hands.unseen` are the cards that can still be drawn.
        """
        return iter(())

    def fill(self, rnd: Round, entry: Entry, rng: Rng) -> Entry | None:
        """Return one of the `options` that leaves cards open (`…`) with cards, for random play.

        None means any cards of the actor, as many as another option has or the entry type
        requires.
        """
        return None

    def apply(self, rnd: Round, entry: Entry) -> None:
        """Change the round by a judged entry."""
        raise AssertionError(f"phase {self.name} has no verb {entry.type.word}")

    # --- the end of a round (see `Round.carry_over`)

    def close(self, rnd: Round) -> None:
        """Finish the round: set roles, the next dealer and leader, and values to carry over."""

    def reseat(self, carried: Json, new_seats: Sequence[int | None], count: int) -> Json:
        """Return what the phase has carried over after players joined, left or moved between
        rounds.

        `count` players sit at the table. `new_seats` has for each former seat its new number, or
        None if it is gone. A new seat is not in it. Raises Impossible if something must be
        settled first.
        """
        return carried

    # --- view

    def view(self, rnd: Round) -> View[object]:
        """Return the view of the phase on the present state.

        It may be called before the phase has begun (see `Round.state_if_begun`).
        """
        return View(None)


AnyPhase = Phase[Any]


# --- roles: questions that few kinds of play answer (see `Ruleset.card_play`)


class CardPlay(ABC):
    """The role of a phase in which cards are played to tricks (`Ruleset.card_play`)."""

    @abstractmethod
    def seat_to_lead(self, rnd: Round) -> int | None:
        """Return the seat that is to lead, or None outside the time of the phase and while cards
        of a trick are on the table."""

    @abstractmethod
    def cards_to_complete(self, rnd: Round, seat: int) -> int:
        """Return how many cards complete the trick if that seat plays next, or 0 if it does
        not."""

    @abstractmethod
    def award_rest(self, rnd: Round, seat: int) -> None:
        """Give all cards that are not won yet to the side of that seat, and end the phase."""

    @abstractmethod
    def points_left(self, rnd: Round) -> list[int]:
        """Return the points of each card that a side may still win."""

    @abstractmethod
    def card_points(self) -> Sequence[int]:
        """Return the points of each kind of card."""

    @abstractmethod
    def order_in_force(self, rnd: Round) -> Order:
        """Return the order of cards that holds in this round."""

    @abstractmethod
    def set_name(self, rnd: Round, cards: int) -> str:
        """Return the name of a set of cards in this round, or "" if it has none."""

    @abstractmethod
    def points_of(self, rnd: Round, seat: int) -> int:
        """Return the points that the side of the seat has won so far.

        Raises Impossible while that side is not known.
        """

    @abstractmethod
    def reorder(self, rnd: Round) -> None:
        """Apply the order again, because names in patterns of cards have changed their meaning."""


class Law(ABC):
    """The role of a phase that says what follows from faults (`Ruleset.law`).

    `watches_entries` is whether it looks at every entry. It keeps its state while a round is
    replayed.
    """

    name: ClassVar[str]
    entry_types: tuple[EntryType, ...]
    watches_entries: bool

    @abstractmethod
    def after_entries(self, rnd: Round) -> None:
        """Look at the entries that were applied since the last call."""

    @abstractmethod
    def consequence_of_foul(self, rnd: Round, seat: int) -> Callable[[], None] | None:
        """Return what carries out the consequences of a foul, or None if it is only noted."""

    @abstractmethod
    def open_decisions(self, rnd: Round) -> list[Json]:
        """Return what may still be decided about a finished round during the next one.

        Each item has the `number` of an entry, `may` and `claims` (seats) and the `words` of the
        choices.
        """

    @abstractmethod
    def open_faults(self, rnd: Round) -> list[Json]:
        """Return the faults of the round that may still be claimed or decided."""

    @abstractmethod
    def all_faults(self, rnd: Round) -> list[Json]:
        """Return all faults of the round, with what became of each."""


class ResultPart:
    """The role of a phase that reads keys of a `result` entry (`Ruleset.result_parts`).

    The last of them that `concludes` ends the round by the result (`Ruleset.concluding`). Results
    are mappings from keys to texts. The methods raise Unreadable for words that mean nothing, and
    Impossible for an outcome that contradicts itself or the round.
    """

    concludes: ClassVar[bool] = False

    def result_fields(self, rnd: Round) -> list[tuple[str, str, list[str]]]:
        """Return the keys of a result: key, description, and the possible words if they are few.

        The description contains “empty” if the key may be left out, and `+` if words may be
        joined.
        """
        raise NotImplementedError

    def result_names(self) -> Iterable[str]:
        """Return the keys whose values are names of players."""
        return ()

    def result_form(self) -> str:
        """Return a form of the entry that ends a round, or "" if there is no short one."""
        return ""

    def read_result(self, rnd: Round, result: dict[str, str]) -> None:
        """Remove the phase's own keys from a result that another phase concludes, and apply them.

        The phase may not have begun before.
        """

    def infer_from_result(self, rnd: Round) -> None:
        """Infer what follows from all keys together, after each phase has read its own."""

    def conclude(self, rnd: Round, result: dict[str, str]) -> None:
        """Apply a result to the round, which ends with it."""
        raise not_by_result()

    def confirms(self, rnd: Round, result: dict[str, str]) -> bool:
        """Return whether a result repeats what the facts of the start have decided already."""
        return False

    def check_rest(self, rnd: Round) -> None:
        """Raise Impossible if the score could not be known when the rest is not played."""


class Coverage:
    """The role of a phase whose rows are looked at by random play (`rules check --play`).

    `coverage_tables` are the tables of which the phase can say which rows have applied.
    """

    coverage_tables: tuple[str, ...] = ()

    def applied_rows(self, rnd: Round) -> Iterable[str]:
        """Yield the rows that applied in a finished round as paths (`outcomes.doubted-well`)."""
        raise NotImplementedError

    def undecided(self, rnd: Round) -> str:
        """Return as a sentence what no row has decided in a finished round, or ""."""
        return ""

    def extra_attempts(self, rnd: Round) -> Iterator[Entry]:
        """Yield acts to try in addition to the options.

        They are other forms of options, or acts that are no options while hands are not known.
        """
        return iter(())


class SideRules(ABC):
    """The role of a phase that makes the sides of a round (`Ruleset.side_rules`)."""

    @abstractmethod
    def sides_proven(self, rnd: Round, seats: Sequence[int]) -> None:
        """Note that the current entry proves on which sides these seats are."""


class KittyRules(ABC):
    """The role of a phase that has a kitty (`Ruleset.kitty_rules`)."""

    @abstractmethod
    def heirs(self, rnd: Round) -> Sequence[int]:
        """Return the seats of which one gets the cards that are in no trick at the end."""


class MatchCounters(ABC):
    """The role of a phase that counts something from round to round (`Ruleset.counters`)."""

    @abstractmethod
    def after_score(self, rnd: Round) -> None:
        """Count a finished round, once it is known whether it has a score (`Round.scored`).

        It is called again when an entry is added to a finished round.
        """


class CallRules(ABC):
    """The role of a phase in which bids are called (`Ruleset.call_rules`)."""

    @abstractmethod
    def findings_on_call(self, rnd: Round, call: str, caller: int, bidder: int) -> list[Finding]:
        """Return why no bid of the bidder could have been called so by the caller.

        The findings are those on one such bid. They are empty if some bid could be called.
        """


class Interruptible(ABC):
    """The role of a phase that may end because cards of the next phase are played."""

    @abstractmethod
    def may_give_way(self, rnd: Round) -> bool:
        """Return whether cards may be played although the next phase has not begun.

        If so, they end this phase (see `give_way`).
        """

    @abstractmethod
    def give_way(self, rnd: Round) -> bool:
        """End the phase as if the rest of it had been done, because cards were played.

        Return False, and change nothing, if it cannot end so.
        """


def not_by_result() -> Impossible:
    """Return the failure of a result in a game that has none."""
    say = tr("no round of this game can be entered by its result")
    return Impossible(say, tr("record what was played, or: void why"))


def actor_of(entry: Entry) -> int:
    """Return the seat that made an entry. Raises Impossible for an entry without an actor."""
    if entry.seat is None:
        raise Impossible(
            tr("the entry does not say which player did it"), tr("NAME: what they did")
        )
    return entry.seat


def remaining_seats(seats: Sequence[int], moved: Sequence[int | None]) -> list[int]:
    """Return the new numbers of those seats that remain, sorted."""
    return sorted(now for seat in seats if (now := moved[seat]) is not None)


# --- view


class View(Generic[F_co]):
    """The view of a phase on a round: `facts`, and the texts and JSON made of them.

    The facts are the phase's own type, mostly a named tuple with players' names in place of seats
    and codes in place of cards. `Phase.view` reads them from the round, and the methods read only
    the facts. So JSON and sentences agree, and a view can be tested without a round. This class
    shows nothing. A subclass overrides what its phase has to show.
    """

    __slots__ = ("facts",)

    def __init__(self, facts: F_co) -> None:
        self.facts = facts

    def prompt(self) -> Prompt:
        """Return what must happen now. It is called for the current phase only."""
        return Prompt("")

    def table(self) -> Iterable[str]:
        """Return what is on the table, each item as a short text."""
        return ()

    def sentences(self) -> Iterable[Sentence]:
        """Return sentences about the current state, for people who join late."""
        return ()

    def result_sentences(self) -> Iterable[str]:
        """Return the facts that the score of a finished round is based on."""
        return ()

    def as_json(self) -> Json:
        """Return the phase's part of `status --format json`."""
        return {}

    def summary(self) -> Json:
        """Return what sheets and statistics read of the round, finished or not.

        The JSON values are under the names in `Phase.reports`. Values under `player.…` and
        `side.…` are by player or side. `sides` maps the label of each side to its players.
        """
        return {}


# --- measures and roles


class Measure:
    """A number, or a set of cards, that expressions may name.

    `read(round, subject)` returns its value. `about` is what the subject must be ("" if the
    measure is about the round, so that any expression may name it). `kind` is the kind of value
    (see `core.expressions`). A measure with brackets in its name, such as `suits()`, is a
    function of values.
    """

    __slots__ = ("about", "doc", "kind", "name", "read")

    def __init__(
        self, name: str, doc: str, read: Reader, about: str = "", kind: str = NUMBER
    ) -> None:
        self.name = name
        self.doc = doc
        self.read = read
        self.about = about
        self.kind = kind


class RoleSplit:
    """One way to split the players of a round into roles.

    It has a `text`, the `roles` with label and seats, and the `measures` that follow from it.
    """

    __slots__ = ("measures", "roles", "text")

    def __init__(self, text: str, roles: Roles, measures: Mapping[str, float]) -> None:
        self.text = text
        self.roles = roles
        self.measures = measures

    def add(
        self, text: str, roles: Roles, measures: Mapping[str, float] | None = None
    ) -> RoleSplit:
        """Return the split with more roles."""
        all_text = ", ".join(filter(None, (self.text, text)))
        return RoleSplit(all_text, {**self.roles, **roles}, {**self.measures, **(measures or {})})
