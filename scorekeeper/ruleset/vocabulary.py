"""The registry of what a ruleset may name.

A phase is a class that says which parameters, verbs, clause words and measures it owns; it
registers them here, by its own module, which is imported when a ruleset names the phase. Nothing
here knows a game, or a round's state.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from scorekeeper.core import limits
from scorekeeper.core.failures import Impossible
from scorekeeper.core.rulings import ILLEGAL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from scorekeeper.notation import Entry
    from scorekeeper.notation.verbs import Verb

    Roles = Mapping[str, tuple[str, Sequence[int]]]

REQUIRED: Any = object()

# Where each phase is defined. A phase that is not listed cannot be named by a ruleset. Whose roles
# are made of another phase's stands after it.
PHASES = (
    *("table", "choice", "bids", "reveal", "bouts"),
    *("reservations", "parties", "calls", "tricks", "counting"),
    *("draw", "exchange", "kitty", "levels"),
)


class Parameter:
    """One key of a row: what kind of value it takes, its default, what it is for.

    Kinds: `int`, `bool`, `text`, `name` (a row of another table or a word), `choice`; `number`
    (a whole one) and `condition`, expressions over measures; lists: `texts`, `ints`, `cards`
    (patterns of cards; a list in the list is of equal strength), `lines` (a text or several);
    tables: `table` (of a text or several), `ints for` and `int for` (by a number of players),
    `int of` (by a pattern of cards), `values` (of values or lists of them).
    `choices` are the words that are possible, `rows` the table whose rows are, `bounds` the least
    and the most of whole numbers.
    """

    __slots__ = ("bounds", "choices", "default", "doc", "kind", "rows")

    def __init__(
        self,
        kind: str,
        doc: str,
        default: Any = REQUIRED,
        choices: tuple[str, ...] = (),
        *,
        bounds: tuple[int, int] = limits.NUMBERS,
        rows: str = "",
    ) -> None:
        self.kind = kind
        self.doc = doc
        self.default = default
        self.choices = choices
        self.bounds = bounds
        self.rows = rows


def complete(table: Mapping[str, Any], takes: Mapping[str, Parameter]) -> dict[str, Any]:
    """The table with the defaults of what it does not say."""
    row = dict(table)
    for key, parameter in takes.items():
        if key not in row:
            default = parameter.default
            row[key] = [] if default is REQUIRED and parameter.kind.endswith("s") else default
    return row


# What measures may be about, besides the round: what an expression is asked of.
BID, ACTOR, TRICK, SIDE, CULPRIT = "a bid", "an act", "a trick", "a side", "a culprit"


class Measure:
    """A number that expressions may name. `read(round, subject)` gives it; `about` says what the
    subject must be ("": it speaks of the round, and may be asked anywhere)."""

    __slots__ = ("about", "doc", "name", "read")

    def __init__(
        self, name: str, doc: str, read: Callable[[Any, Any], Any], about: str = ""
    ) -> None:
        self.name = name
        self.doc = doc
        self.read = read
        self.about = about


class ClauseWord:
    """A rule that a ruleset may turn on by a row.

    `build(row, rules)` gives the judging function `judge(round, entry)`, which changes nothing
    and returns None (kept), the facts (broken), a claim (depends on a hand), or Unsure. `say` is
    what is said of a breach, `unknown` while nobody can tell, `proven` when later entries prove it
    (with `first` and `then`, the entry's number and text); what proves it is added.
    """

    __slots__ = (
        "build",
        "doc",
        "firm",
        "illegal",
        "legal",
        "name",
        "on",
        "parameters",
        "phase",
        "proven",
        "say",
        "unknown",
        "verdict",
    )

    def __init__(self, name: str, phase: str, build: Callable[..., Any], **rest: Any) -> None:
        self.name = name
        self.phase = phase
        self.build = build
        self.on: tuple[str, ...] = rest.get("on", ())
        self.say: str = rest["say"]
        self.unknown: str = rest.get("unknown", "")
        self.proven: str = rest.get("proven", "")
        self.doc: str = rest["doc"]
        self.legal: str = rest["legal"]
        self.illegal: str = rest["illegal"]
        self.verdict: str = rest.get("verdict", ILLEGAL)
        self.firm: bool = rest.get("firm", False)
        self.parameters: dict[str, Parameter] = rest.get("parameters", {})


class Split:
    """How the players of a round may be split into roles: `said` in words, `roles` with a label
    and seats, as a round has them, and the `measures` that are settled by it."""

    __slots__ = ("measures", "roles", "said")

    def __init__(self, said: str, roles: Roles, measures: Mapping[str, Any]) -> None:
        self.said = said
        self.roles = roles
        self.measures = measures

    def also(self, said: str, roles: Roles, measures: Mapping[str, Any] | None = None) -> Split:
        """The same with more roles."""
        words = ", ".join(filter(None, (self.said, said)))
        return Split(words, {**self.roles, **roles}, {**self.measures, **(measures or {})})


class Phase:
    """A kind of play. One object per ruleset; the state of a round stands in the round.

    A subclass sets the class attributes and overrides what it needs. `beside` phases run beside
    the others for the whole round; the others follow one another in the ruleset's order.
    `sections` are top-level tables of the ruleset that the phase owns: for each, what a row
    takes (`keyed`: rows have names), or what the table itself takes. `tables` must be there for
    it, and `others` must be listed with it, or nothing else must (`only`).
    """

    name = ""
    doc = ""
    beside = False
    tables: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    only = False
    parameters: Mapping[str, Parameter] = {}
    sections: Mapping[str, Mapping[str, Parameter]] = {}
    plain: tuple[str, ...] = ()  # sections that are one table, not rows with names
    verbs: tuple[Verb, ...] = ()
    measures: tuple[Measure, ...] = ()
    roles: tuple[str, ...] = ()  # whom a score row may be for
    reports: Mapping[str, str] = {}  # what `summary` gives: names, and what they are

    def __init__(self, rules: Any, row: Mapping[str, Any]) -> None:
        self.rules = rules
        self.row = row
        self.cite: str = row.get("cite", "")

    def link(self) -> None:
        """Compile what needs all phases of the ruleset to be there (expressions, clauses)."""

    def named_measures(self) -> Iterable[Measure]:
        """The measures the phase offers in this ruleset."""
        return self.measures

    def role_names(self) -> Iterable[str]:
        """Whom a score row may be for, in this ruleset."""
        return self.roles

    def splits(self, split: Split, seats: int) -> Iterator[Split]:
        """The ways in which its roles may come to a split of so many players; each a single
        player's, if nothing else is said."""
        yield split.also("", {role: (role, (0,)) for role in self.role_names()})

    def pattern_names(self) -> Mapping[str, Iterable[str]]:
        """The names that it binds for patterns of cards, with all that may stand for them."""
        return {}

    def result_names(self) -> Iterable[str]:
        """The keys of a `result` whose values are players' names."""
        return ()

    def words(self) -> Iterable[tuple[str, str]]:
        """Rows that may be typed: pairs of the row's name and a word for it."""
        return ()

    def begin(self, rnd: Any) -> Any:
        """The phase's state at the start of a round (`beside`) or when its time has come."""
        return None

    def needed(self, rnd: Any) -> bool:
        """Whether the phase takes place in this round at all."""
        return True

    def position(self, rnd: Any) -> None:
        """Facts were said of the start, and it has been made anew: tell what they come to
        (`remark`), what does not fit yet (`at_odds`). Raises Impossible for what never will."""

    def leaders(self, rnd: Any) -> list[int]:
        """Who may be the one that starts, where the phase knows better than the round."""
        return []

    def finished(self, rnd: Any) -> bool:
        """Whether its time is over."""
        return False

    def waiting(self, rnd: Any) -> list[int]:
        """The seats the game waits for, whose turn it is first."""
        return []

    def actor(self, rnd: Any, entry: Any) -> int | None:
        """Whose act a bare entry is; None: the first of those the round waits for."""
        return None

    def legal_at_a_glance(self, rnd: Any, entry: Any) -> bool:
        """Whether it is seen at a glance that an act is in turn and breaks no clause. For speed
        alone: False is always right, and has the entry judged."""
        return False

    def allows_out_of_turn(self, rnd: Any, entry: Any) -> bool:
        """Whether somebody may do this although the phase does not wait for them."""
        return False

    def allows_out_of_phase(self, rnd: Any, entry: Any) -> bool:
        """Whether this may be done although the phase's time is over, or has not come."""
        return False

    def everyone(self, rnd: Any, entry: Any) -> list[int]:
        """The seats that `all:` speaks for."""
        return self.waiting(rnd)

    def play_begun(self, rnd: Any) -> bool:
        """Whether play that depends on who leads has begun."""
        return False

    def joins_finished_round(self, rnd: Any, entry: Any) -> bool:
        """Whether the entry belongs to a round that is already over."""
        return bool(entry.verb.late)

    def conclude(self, rnd: Any, said: dict[str, str]) -> None:
        """End the round by its outcome alone, as `result` has it. Raises Unreadable for words
        that are none, Impossible for an outcome that contradicts itself or the round."""
        raise Impossible(
            "no round of this game can be entered by its result",
            "record what was played, or: void why",
        )

    def confirms(self, rnd: Any, said: dict[str, str]) -> bool:
        """Whether a `result` only says what a position has decided already."""
        return False

    def read_result(self, rnd: Any, said: dict[str, str]) -> None:
        """Take from the words of a `result`, and out of `said`, what is this phase's to know,
        where another concludes the round. Raises as `conclude` does."""

    def after_result_read(self, rnd: Any) -> None:
        """A `result` has told every phase what is its own to know (see `outcome`)."""

    def after_trick(self, rnd: Any) -> None:
        """A trick is complete: the last of `rnd.tricks`."""

    def fields(self, rnd: Any) -> list[tuple[str, str, list[str]]]:
        """What a `result` takes: key, what it is, the words that are possible (if few)."""
        return []

    def still_out(self, rnd: Any) -> list[int] | None:
        """The points of each card that a side may still take, where the phase counts any."""
        return None

    def cards_aside(self, rnd: Any) -> Iterable[int]:
        """The cards that are known to go to nobody (kinds, one for each card)."""
        return ()

    def on_table(self, rnd: Any) -> Iterable[str]:
        """What lies on the table or was said there, each as a short text."""
        return ()

    def sentences(self, rnd: Any) -> Iterable[str]:
        """How the round stands, as sentences of the game: what people ask who come late."""
        return ()

    def score_sentences(self, rnd: Any) -> Iterable[str]:
        """What the score of a round that is over rests on, as sentences."""
        return ()

    def set_name(self, rnd: Any, cards: int) -> str:
        """What a set of cards is called in this round; "" where the phase has no name for it."""
        return ""

    def points_of(self, rnd: Any, seat: int) -> int | None:
        """The points of the seat's side so far, where the phase counts any."""
        return None

    def prompt(self, rnd: Any) -> str:
        """What must happen now, as the end of a sentence (`J2 must choose open or closed`)."""
        return ""

    def from_hand(self, entry: Any) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """The cards that an entry takes out of hands: pairs of a seat and kinds."""
        value = entry.value
        return ((entry.seat, value if isinstance(value, tuple) else (value,)),)

    def shown(self, rnd: Any, entry: Any) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """The cards that an entry shows, and so were in these hands even if it is taken back."""
        return self.from_hand(entry) if entry.verb.cards else ()

    def options(self, rnd: Any) -> Iterator[Entry]:
        """Entries that might be legal now, for everyone who might act."""
        return iter(())

    def apply(self, rnd: Any, entry: Any) -> None:
        """Change the round by an entry that has been judged."""
        raise AssertionError(f"phase {self.name} has no verb {entry.verb.word}")

    def close(self, rnd: Any) -> None:
        """The round is over: roles, who deals and leads next, what the phase carries over."""

    def describe(self, rnd: Any) -> dict[str, Any]:
        """The phase's part of the state."""
        return {}

    def summary(self, rnd: Any) -> dict[str, Any]:
        """What the sheet and the statistics may tell of the round, over or not, under the names
        in `reports`: plain JSON values; under `player.…` and `side.…` by player's name or side.
        `sides` are the sides, if there are any: a label and its players' names."""
        return {}


_phases: dict[str, type[Phase]] = {}
_words: dict[tuple[str, str], ClauseWord] = {}


def phase(cls: type[Phase]) -> type[Phase]:
    """Register a phase (a class decorator)."""
    _phases[cls.name] = cls
    for verb in cls.verbs:
        verb.phase = cls.name
    return cls


def clause(name: str, phase: str, **rest: Any) -> Callable[[Callable[..., Any]], Any]:
    """Register the function below as what builds the clause word `name` of `phase`."""

    def register(build: Callable[..., Any]) -> Callable[..., Any]:
        _words[phase, name] = ClauseWord(name, phase, build, **rest)
        return build

    return register


def phase_named(name: str) -> type[Phase] | None:
    """The phase of that name; its module is imported when first asked for."""
    if name not in _phases and name in PHASES:
        import_module(f"scorekeeper.phases.{name}")
    return _phases.get(name)


def clause_words(phases: tuple[str, ...]) -> dict[str, ClauseWord]:
    """The clause words of the named phases, which must have been asked for before."""
    return {name: word for (owner, name), word in _words.items() if owner in phases}


def everything() -> tuple[dict[str, type[Phase]], list[ClauseWord]]:
    """All phases and clause words there are, for documentation and checks."""
    for name in PHASES:
        phase_named(name)
    return dict(_phases), list(_words.values())
