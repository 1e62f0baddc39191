"""The interface of a phase: the base class with its hooks, and the optional roles of a phase.

Each ruleset has one object for each of its phases. Everything that changes during a round is in the
phase's state. A phase offers measures for expressions, and yields the ways in which players can be
divided into roles.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from scorekeeper.core.errors import Impossible
from scorekeeper.core.expressions.parser import NUMBER
from scorekeeper.core.messages import Prompt, Sentence, tr
from scorekeeper.notation.entry import BID as A_BID

if TYPE_CHECKING:
    from scorekeeper.core.expressions import Expression
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

    # Reads a measure for a round and a subject. The subject is an entry, a trick, a side or a seat,
    # depending on `about`. The result is a number, a set of cards, or a function of a set of cards.
    Reader = Callable[[Round, Any], object]
    Judge = Callable[[Round, Entry], Outcome]
    # builds the judge function for a row with a clause word
    Build = Callable[[Row, Ruleset], Judge]

    Role = tuple[str, tuple[int, ...]]  # a role's label, and the seats that have the role
    Roles = Mapping[str, Role]

S_co = TypeVar("S_co", covariant=True)  # the type of a phase's state
F_co = TypeVar("F_co", covariant=True)  # the type of a view's facts

# The subjects, besides the round, that measures and expressions can have.
BID, ACTOR, TRICK, CULPRIT, OWN = A_BID, "an act", "a trick", "a culprit", "a player or a side"


class Phase(Generic[S_co]):
    """A phase of a game, such as bidding or trick play.

    A phase has one object per ruleset, and one state per round. A subclass sets the class
    attributes and overrides the hooks it needs. `concurrent` phases run during the whole round. The
    other phases follow one another in the ruleset's order. `row_tables` maps each top-level table
    that the phase owns to the parameters of its rows. A table in `single_tables` has no rows, so it
    is mapped to its own parameters. A ruleset with this phase must have all `tables` and all phases
    in `others`. If `only` is true, it cannot have any other phase. `variant` names one of several
    classes for the same phase.
    """

    name: ClassVar[str] = ""
    variant: ClassVar[str] = ""
    doc: ClassVar[str] = ""
    family: ClassVar[str] = ""  # the heading in the list of rulesets for games with this phase
    concurrent: ClassVar[bool] = False
    tables: ClassVar[tuple[str, ...]] = ()
    others: ClassVar[tuple[str, ...]] = ()
    only: ClassVar[bool] = False
    parameters: ClassVar[Mapping[str, Parameter]] = {}
    row_tables: ClassVar[Mapping[str, Mapping[str, Parameter]]] = {}
    single_tables: ClassVar[tuple[str, ...]] = ()  # tables without named rows
    clause_order: ClassVar[str] = ""  # the clause words, in the order in which they apply
    standard_words: ClassVar[str] = ""  # rules that apply even if no file lists them
    judged: ClassVar[Mapping[str, tuple[str, ...] | str]] = {}
    """The verbs that each clause word judges in this phase, or the name of the key that lists
    them."""
    entry_types: tuple[EntryType, ...] = ()
    verb_names: ClassVar[tuple[str, ...]] = ()  # the verbs that the phase can have in any ruleset
    # entry types that `interpret` replaces with their meaning
    shorthands: tuple[EntryType, ...] = ()
    # verbs of other phases that have another meaning in this phase (`interpret`)
    shared_verbs: Collection[str] = ()
    # verbs for ending a round early that the ruleset has turned off
    disabled_endings: Sequence[str] = ()
    named_numbers: Sequence[int] = ()  # numbers that `[words]` can name
    passes_cards = False  # whether cards are passed between hands before play
    # the score depends on everything that was won since the start of the round
    needs_whole_round = False
    measures: tuple[Measure, ...] = ()
    roles: tuple[str, ...] = ()  # roles for score rows
    offers_early = False  # the phase may offer acts before it begins or after it ends
    # whether the rules fit any game, so that only the ruleset's name identifies the game
    is_any_game = False
    calls_cards = False  # whether entries call the card that is `called` from then on
    watches_tricks = True  # whether `after_trick` is called
    reports: Mapping[str, str] = {}  # names in `View.summary`, with their descriptions
    # names of reports whose values are players' names or begin with one
    player_reports: tuple[str, ...] = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.verb_names = tuple(entry_type.word for entry_type in cls.entry_types)

    @classmethod
    def idle_words(cls, row: Row, data: Row) -> Collection[str]:
        """Return the standard words that would never apply in a ruleset.

        `row` is the phase's table, and `data` is the whole ruleset. Neither has been checked yet.
        """
        return ()

    def __init__(self, rules: Ruleset, row: Row) -> None:
        self.rules = rules
        self.row = row
        self.cite: str = row.get("cite", "")
        self.end_condition: Expression | None = None  # compiled from the key `ends` by the ruleset

    def link(self) -> None:
        """Compile everything that needs the ruleset's other phases, such as expressions and
        clauses."""

    def check(self, trial_allowed: bool) -> None:
        """Report any rows of the phase that make no sense.

        If `trial_allowed` is true, the ruleset has no other faults, so rules can be tried out. This
        is not called for a ruleset that a match has pinned.
        """

    def named_measures(self) -> Iterable[Measure]:
        """Yield the measures that the phase offers in this ruleset."""
        return self.measures

    def splits(self, split: RoleSplit, seats: int) -> Iterator[RoleSplit]:
        """Yield every way to divide the players into the roles of this phase.

        Each way is added to `split`. By default, each role is filled by one player.
        """
        yield split.add("", {role: (role, (0,)) for role in self.roles})

    def pattern_names(self) -> Mapping[str, Iterable[str]]:
        """Return the names that the phase binds in card patterns, such as `{level}`, with all their
        possible values."""
        return {}

    def words(self) -> Iterable[tuple[str, str]]:
        """Return pairs of a row's name and a word that can be typed for that row."""
        return ()

    def begin(self, rnd: Round) -> S_co:
        """Return the phase's initial state.

        A concurrent phase begins at the start of the round.
        """
        raise AssertionError(f"phase {self.name} has no state to begin with")

    def takes_place(self, rnd: Round) -> bool:
        """Return whether the phase takes place in this round."""
        return True

    def check_start(self, rnd: Round) -> None:
        """Check the setup facts after the round has restarted.

        Report their consequences with `add_note`, and facts that do not fit yet with
        `add_conflict`. Raises Impossible for facts that can never fit.
        """

    def as_setup(self, rnd: Round, start: Setup) -> Setup:
        """Return the setup with the phase's facts, for a round that starts from the current state.

        There must be no cards on the table.
        """
        return start

    def finished(self, rnd: Round) -> bool:
        """Return whether the phase is finished."""
        return False

    def stop(self, rnd: Round) -> None:
        """End the phase early, because its condition `ends` is true. The round then leaves it."""

    def waiting(self, rnd: Round) -> list[int]:
        """Return the seats for which the phase is waiting, beginning with the seat whose turn it
        is."""
        return []

    def acting_seat(self, rnd: Round, entry: Entry) -> int | None:
        """Return the seat that makes an entry without a name. None means the seat whose turn it
        is."""
        return None

    def interpret(self, rnd: Round, entry: Entry) -> Iterable[Entry]:
        """Yield the entries that a shorthand may mean in the current state, whether legal or not.

        The shorthand is one of `shorthands`, or the short form of an entry type. A shorthand
        without a name belongs to the player whose turn it is.
        """
        return ()

    def may_act(self, rnd: Round, entry: Entry) -> bool:
        """Return whether the player may act now.

        A player may act if the phase is waiting for them, or if it allows this act out of turn.
        """
        return entry.seat in self.waiting(rnd)

    def may_act_early(self, rnd: Round, entry: Entry) -> bool:
        """Return whether the entry may be made before the phase begins or after it ends."""
        return False

    def everyone(self, rnd: Round, entry: Entry) -> list[int]:
        """Return the seats to which an entry with `all:` applies."""
        return self.waiting(rnd)

    def play_begun(self, rnd: Round) -> bool:
        """Return whether the part of play that depends on the leader has begun."""
        return False

    def may_follow(self, rnd: Round, entry: Entry) -> bool:
        """Return whether the entry can still be added to a finished round."""
        return bool(entry.type.may_follow_round)

    def after_trick(self, rnd: Round) -> None:
        """Process the trick that has just been completed, which is the last item of `rnd.tricks`.

        Phases without entries are called first, before other phases act on the trick.
        """

    def public_sides(self, rnd: Round) -> Mapping[int, int]:
        """Return the seats' sides, as far as this phase can derive them from what everyone has
        seen.

        An override must not count cards or use hands that were entered. Phases must not contradict
        one another.
        """
        return {}

    def lost_cards(self, rnd: Round) -> Iterable[int]:
        """Return the kinds of the cards whose points certainly count for no player."""
        return ()

    def hand_cards(self, entry: Entry) -> Sequence[tuple[int, tuple[int, ...]]]:
        """Return the cards that an entry removes from hands, as pairs of a seat and the cards'
        kinds."""
        value, seat = entry.value, entry.seat
        if seat is None:
            return ()
        return ((seat, value if isinstance(value, tuple) else (value,)),)

    def seen_cards(self, rnd: Round, entry: Entry) -> Sequence[tuple[int, tuple[int, ...]]]:
        """Return the cards that an entry shows, as pairs of a seat and the cards' kinds.

        The cards were in these hands even if the entry is withdrawn.
        """
        return self.hand_cards(entry) if entry.type.plays_cards else ()

    def options(self, rnd: Round) -> Iterator[Entry]:
        """Yield entries that may be legal now, for everyone who may act.

        Outside its own time, a phase is asked only if `offers_early` is true (see
        `Round.is_current`).
        """
        return iter(())

    def chance(self, rnd: Round, rng: Rng) -> Iterator[Entry]:
        """Yield possible chance events for random play: hands, cards turned up or drawn, dice.

        The first event is entered, and then the hook is called again. If all hands are known,
        `rnd.hands.unseen` are the cards that can still be drawn.
        """
        return iter(())

    def fill(self, rnd: Round, entry: Entry, rng: Rng) -> Entry | None:
        """Return one of the `options` with its open cards (`…`) filled in, for random play.

        Return None to let the caller choose from the actor's cards. The caller then takes the
        number of cards from another option, or uses the number that the entry type requires.
        """
        return None

    def apply(self, rnd: Round, entry: Entry) -> None:
        """Change the round according to an entry that has been judged."""
        raise AssertionError(f"phase {self.name} has no verb {entry.type.word}")

    # --- the end of a round (see `Round.carry_over`)

    def close(self, rnd: Round) -> None:
        """Complete the finished round: set its roles, the next dealer and leader, and the values to
        carry over."""

    def reseat(self, carried: Json, new_seats: Sequence[int | None], count: int) -> Json:
        """Return the phase's carried-over value after players joined, left or moved between rounds.

        `count` players are at the table. `new_seats` maps each previous seat to its new number,
        or to None if it has been removed. It does not list new seats. Raises Impossible if
        something must be settled first.
        """
        return carried

    # --- view

    def view(self, rnd: Round) -> View[object]:
        """Return the phase's view of the current state.

        It may be called before the phase has begun (see `Round.state_if_begun`).
        """
        return View(None)


AnyPhase = Phase[Any]


# --- roles: questions that few kinds of play answer (see `Ruleset.card_play`)


class CardPlay(ABC):
    """The role of a phase in which cards are played to tricks (`Ruleset.card_play`)."""

    @abstractmethod
    def seat_to_lead(self, rnd: Round) -> int | None:
        """Return the seat that leads next, or None if no lead is due.

        No lead is due outside the phase's time, and while cards of a trick are on the table.
        """

    @abstractmethod
    def cards_to_complete(self, rnd: Round, seat: int) -> int:
        """Return how many more cards complete the trick, or 0 if the seat does not play next."""

    @abstractmethod
    def award_rest(self, rnd: Round, seat: int) -> None:
        """Award all cards that are not yet won to the seat's side, and end the phase."""

    @abstractmethod
    def points_left(self, rnd: Round) -> list[float]:
        """Return the points of each card that can still be won."""

    @abstractmethod
    def card_points(self) -> Sequence[float]:
        """Return the points for each card kind."""

    @abstractmethod
    def order_in_force(self, rnd: Round) -> Order:
        """Return the card order that applies in this round."""

    @abstractmethod
    def set_name(self, rnd: Round, cards: int) -> str:
        """Return the name of a set of cards in this round, or "" if it has none."""

    @abstractmethod
    def points_of(self, rnd: Round, seat: int) -> float:
        """Return the points that the seat's side has won so far.

        Raises Impossible if that side is not yet known.
        """

    @abstractmethod
    def reorder(self, rnd: Round) -> None:
        """Apply the card order again after the meaning of names in card patterns has changed."""


class Law(ABC):
    """The role of a phase that determines the consequences of faults (`Ruleset.law`).

    `watches_entries` is true if it examines every entry. Its state persists while a round is
    replayed.
    """

    name: ClassVar[str]
    entry_types: tuple[EntryType, ...]
    watches_entries: bool

    @abstractmethod
    def after_entries(self, rnd: Round) -> None:
        """Process the entries that were applied since the last call."""

    @abstractmethod
    def consequence_of_foul(self, rnd: Round, seat: int) -> Callable[[], None] | None:
        """Return a function that applies a foul's consequences, or None if there are none."""

    @abstractmethod
    def open_decisions(self, rnd: Round) -> list[Json]:
        """Return the decisions about a finished round that can still be made during the next one.

        Each item has the keys `number` (of an entry), `may` (the seats that may decide), `claims`
        (the seats that have claimed the fault) and `words` (for the choices).
        """

    @abstractmethod
    def open_faults(self, rnd: Round) -> list[Json]:
        """Return the faults in the round that can still be claimed or decided."""

    @abstractmethod
    def all_faults(self, rnd: Round) -> list[Json]:
        """Return all faults in the round, each with its outcome."""


class ResultPart:
    """The role of a phase that reads keys of a `result` entry (`Ruleset.result_parts`).

    If `concludes` is true, the phase can end the round with the result. The last such phase in the
    ruleset's order does so (`Ruleset.concluding`). Results are mappings from keys to texts. The
    methods raise Unreadable for words that have no meaning. They raise Impossible for an outcome
    that contradicts itself or the round.
    """

    concludes: ClassVar[bool] = False

    def result_fields(self, rnd: Round) -> list[tuple[str, str, list[str]]]:
        """Return a result's keys, each with a description, and the possible words if they are few.

        The description contains “empty” if the key can be left out, and `+` if words can be
        joined.
        """
        return []

    def result_names(self) -> Iterable[str]:
        """Return the keys whose values are players' names."""
        return ()

    def result_form(self) -> str:
        """Return a template for the `result` entry that ends a round, or "" if there is none."""
        return ""

    def read_result(self, rnd: Round, result: dict[str, str]) -> None:
        """Remove the phase's own keys from a result that another phase concludes, and apply them.

        The phase need not have begun.
        """

    def infer_from_result(self, rnd: Round) -> None:
        """Infer what follows from all keys together, after each phase has read its own keys."""

    def conclude(self, rnd: Round, result: dict[str, str]) -> None:
        """Apply a result to the round and end the round."""
        raise not_by_result()

    def confirms(self, rnd: Round, result: dict[str, str]) -> bool:
        """Return whether a result only repeats what the setup facts have already decided."""
        return False

    def check_rest(self, rnd: Round) -> None:
        """Raise Impossible if the score cannot be known before the rest of the round is played."""


class Coverage(ABC):
    """The role of a phase that reports which of its rows random play used (`rules check --play`).

    `coverage_tables` are the tables with these rows.
    """

    coverage_tables: tuple[str, ...] = ()

    @abstractmethod
    def applied_rows(self, rnd: Round) -> Iterable[str]:
        """Yield the paths (such as `outcomes.doubted-well`) of rows that applied in a finished
        round."""

    def undecided(self, rnd: Round) -> str:
        """Return a sentence about something in a finished round that no row decided, or ""."""
        return ""

    def extra_attempts(self, rnd: Round) -> Iterator[Entry]:
        """Yield acts for random play to try in addition to the options.

        They are options in another form, or acts that are not offered while hands are unknown.
        """
        return iter(())


class SideRules(ABC):
    """The role of a phase that determines the sides of a round (`Ruleset.side_rules`)."""

    @abstractmethod
    def sides_proven(self, rnd: Round, seats: Sequence[int]) -> None:
        """Record that the current entry proves which side each of these seats is on."""


class KittyRules(ABC):
    """The role of a phase that has a kitty (`Ruleset.kitty_rules`)."""

    @abstractmethod
    def heirs(self, rnd: Round) -> Sequence[int]:
        """Return the seats that might get the cards left outside tricks at the end."""


class MatchCounters(ABC):
    """The role of a phase that counts something from round to round (`Ruleset.counters`)."""

    @abstractmethod
    def after_score(self, rnd: Round) -> None:
        """Update the counts after a finished round, once it is known whether it has a score.

        `Round.scored` is true if it does. The method is called again when an entry is added to a
        finished round.
        """


class CallRules(ABC):
    """The role of a phase in which players call a bid (`Ruleset.call_rules`)."""

    @abstractmethod
    def findings_on_call(self, rnd: Round, call: str, caller: int, bidder: int) -> list[Finding]:
        """Return findings that show why the caller could not have called any of the bidder's bids.

        The list contains the findings for one of these bids. It is empty if the caller could have
        called at least one bid.
        """


class ContractRules(ABC):
    """The role of a phase in which contracts are named."""

    @abstractmethod
    def judge_needs(self, rnd: Round, entry: Entry, of: Sequence[str]) -> Outcome:
        """Judge whether a hand meets what the contract named in an entry needs.

        If `of` is not empty, only the contracts in it are judged.
        """


class JointEntries(ABC):
    """The role of a phase with entries for all players at once, which are typed without a name."""

    @abstractmethod
    def describe_typed(self, rnd: Round, entry: Entry) -> str:
        """Return the player for each value of a joint entry that is being typed.

        The values need not be complete. Return "" for any other entry.
        """


class Interruptible(ABC):
    """The role of a phase that ends early when cards of the next phase are played."""

    @abstractmethod
    def may_give_way(self, rnd: Round) -> bool:
        """Return whether cards may be played although the next phase has not begun.

        If so, they end this phase (see `give_way`).
        """

    @abstractmethod
    def give_way(self, rnd: Round) -> bool:
        """End the phase as if it had been completed, because cards were played.

        Return False, and change nothing, if the phase cannot end this way.
        """


def not_by_result() -> Impossible:
    """Return the error for a result entered in a game without results."""
    say = tr("in this game, a round cannot be entered by its result alone")
    return Impossible(say, tr("record what was played, or enter “void WHY”"))


def actor_of(entry: Entry) -> int:
    """Return the seat that made an entry. Raises Impossible if the entry has no actor."""
    if entry.seat is None:
        raise Impossible(tr("the entry does not say which player acted"), tr("NAME: what they did"))
    return entry.seat


def remaining_seats(seats: Sequence[int], moved: Sequence[int | None]) -> list[int]:
    """Return the new numbers of the seats that remain, in ascending order."""
    return sorted(now for seat in seats if (now := moved[seat]) is not None)


# --- view


class View(Generic[F_co]):
    """A phase's view of a round, with its `facts` and the texts and JSON made from them.

    The facts have the phase's own type, usually a named tuple with players' names instead of seats
    and codes instead of cards. `Phase.view` reads the facts from the round, and the methods use
    only the facts. This way JSON and sentences agree, and a view can be tested without a round.
    This base class shows nothing. A subclass overrides the methods for the things that its phase
    shows.
    """

    __slots__ = ("facts",)

    def __init__(self, facts: F_co) -> None:
        self.facts = facts

    def prompt(self) -> Prompt:
        """Return the next required action. It is called for the current phase only."""
        return Prompt("")

    def table(self) -> Iterable[str]:
        """Return short texts that list what is on the table."""
        return ()

    def sentences(self) -> Iterable[Sentence]:
        """Return sentences about the current state, for people who join the game late."""
        return ()

    def result_sentences(self) -> Iterable[str]:
        """Return sentences with the facts on which a finished round's score is based."""
        return ()

    def as_json(self) -> Json:
        """Return the phase's part of `status --format json`."""
        return {}

    def summary(self) -> Json:
        """Return the facts for sheets and statistics, whether or not the round is finished.

        They are JSON values under the names in `Phase.reports`. Names that begin with `player.` or
        `side.` have a value for each player or side. `sides` maps each side's label to its players.
        """
        return {}


# --- measures and roles


class Measure:
    """A number, or a set of cards, that expressions can name.

    `read(round, subject)` returns its value. `about` is the required type of subject. It is ""
    if the measure is about the round, so that any expression can name it. `kind` is the kind of
    value (see `core.expressions`). A measure with parentheses in its name, such as `suits()`, is
    a function.
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
    """One way to divide the players of a round into roles.

    `text` describes it, `roles` are the roles with their labels and seats, and `measures` are the
    measures that follow from it.
    """

    __slots__ = ("measures", "roles", "text")

    def __init__(self, text: str, roles: Roles, measures: Mapping[str, float]) -> None:
        self.text = text
        self.roles = roles
        self.measures = measures

    def add(
        self, text: str, roles: Roles, measures: Mapping[str, float] | None = None
    ) -> RoleSplit:
        """Return this split with further roles."""
        all_text = ", ".join(filter(None, (self.text, text)))
        return RoleSplit(all_text, {**self.roles, **roles}, {**self.measures, **(measures or {})})
