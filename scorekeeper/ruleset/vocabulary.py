"""The registry of what a ruleset may name: phases and clause words.

A phase is a class that says which parameters, verbs, clause words and measures it owns; it
registers them here, by its own module, which is imported when a ruleset names the phase. Nothing
here knows a game, or a round.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from scorekeeper.core.rulings import ILLEGAL

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scorekeeper.core.types import Row
    from scorekeeper.ruleset.tables import Parameter

B = TypeVar("B", bound="Callable[..., object]")
P = TypeVar("P", bound="PhaseSpec")

# Where each phase is defined. A phase that is not listed cannot be named by a ruleset. Whose roles
# are made of another phase's stands after it.
PHASES = (
    *("table", "remedies", "choice", "bids", "reveal", "bouts"),
    *("reservations", "auction", "naming", "parties", "calls", "tricks", "counting"),
    *("draw", "exchange", "give", "holdings", "kitty", "levels", "stock", "turnup", "counters"),
)

# Those that stand in the file of another one.
ELSEWHERE = {"naming": "choice"}

UNLISTED = ("table", "remedies", "counters")
"""Phases that are there without being listed: the first always, the others with their table."""

_phases: dict[str, PhaseSpec] = {}
_words: dict[tuple[str, str], ClauseWord] = {}


class PhaseSpec(Protocol):
    """What a phase declares (see `engine.phase.Phase`), as far as a ruleset can be held against
    it before anything is compiled."""

    @property
    def name(self) -> str: ...
    @property
    def doc(self) -> str: ...
    @property
    def beside(self) -> bool: ...
    @property
    def tables(self) -> tuple[str, ...]: ...
    @property
    def others(self) -> tuple[str, ...]: ...
    @property
    def only(self) -> bool: ...
    @property
    def parameters(self) -> Mapping[str, Parameter]: ...
    @property
    def sections(self) -> Mapping[str, Mapping[str, Parameter]]: ...
    @property
    def plain(self) -> tuple[str, ...]: ...


class ClauseWord:
    """A rule that a ruleset may turn on by a row: a word of `phase`. It decorates the function that
    builds it.

    `build(row, rules)` gives the judging function `judge(round, entry)`, which changes nothing.
    `on` are the verbs it judges if the row does not say; `say` is what is said of a breach,
    `unknown` while nobody can tell, `proven` when later entries prove it (with `first` and `then`,
    the entry's number and text; what proves it is added). `verdict` is what a breach is (a word
    of verdict `legal` only notes); `firm`: no preset makes it milder; `alone`: what it says of a
    fact before the first act depends on nothing but the fact.
    """

    __slots__ = (
        *("alone", "build", "doc", "firm", "name", "on", "parameters", "phase"),
        *("proven", "say", "unknown", "verdict"),
    )

    build: Callable[[Row, Any], Any]

    def __init__(
        self,
        name: str,
        phase: str,
        *,
        say: str,
        doc: str,
        on: tuple[str, ...] = (),
        unknown: str = "",
        proven: str = "",
        verdict: str = ILLEGAL,
        firm: bool = False,
        alone: bool = False,
        parameters: Mapping[str, Parameter] | None = None,
    ) -> None:
        self.name = name
        self.phase = phase
        self.on = on
        self.say = say
        self.unknown = unknown
        self.proven = proven
        self.doc = doc
        self.verdict = verdict
        self.firm = firm
        self.alone = alone
        self.parameters = parameters or {}

    def __call__(self, build: B) -> B:
        """Register the word, with this function as what builds it."""
        self.build = build
        _words[self.phase, self.name] = self
        return build


clause = ClauseWord
"""The word as a decorator."""


def phase(cls: P) -> P:
    """Register a phase (a class decorator)."""
    _phases[cls.name] = cls
    return cls


def phase_named(name: str) -> PhaseSpec | None:
    """The phase of that name; its module is imported when first asked for."""
    if name not in _phases and name in PHASES:
        import_module(f"scorekeeper.phases.{ELSEWHERE.get(name, name)}")
    return _phases.get(name)


def unlisted(data: Row) -> list[str]:
    """The phases that are there in a ruleset without being listed."""
    return [name for name in UNLISTED if name == UNLISTED[0] or isinstance(data.get(name), dict)]


def phase_rows(data: Row) -> Row:
    """The phases of a ruleset, with those that are there without being listed."""
    return {**{name: {} for name in unlisted(data)}, **data["phases"]}


def clause_words(phases: tuple[str, ...]) -> dict[str, ClauseWord]:
    """The clause words of the named phases, which must have been asked for before."""
    return {name: word for (owner, name), word in _words.items() if owner in phases}


def everything() -> tuple[dict[str, PhaseSpec], list[ClauseWord]]:
    """All phases and clause words there are, for documentation and checks."""
    for name in PHASES:
        phase_named(name)
    return dict(_phases), list(_words.values())
