"""The registry of phases and clause words that a ruleset can name.

A phase is a class that declares its parameters, entry types, clause words and measures. Its module
registers the class here, and is imported when a ruleset names the phase. This module is independent
of games and rounds.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from scorekeeper.core.rulings import ILLEGAL

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from scorekeeper.core.types import Row
    from scorekeeper.ruleset.tables import Parameter

B = TypeVar("B", bound="Callable[..., object]")
P = TypeVar("P", bound="PhaseSpec")

# Phases that a ruleset does not list as steps of the round, because most of them run for the whole
# round. The value for each phase describes what to write in a ruleset to add the phase.
BESIDE = {
    "table": "",
    "remedies": "[remedies]",
    "counters": "[counters]",
    "parties": "[parties] with the key cite",
    "calls": "[calls]",
    "holdings": "[holdings]",
    "levels": "[levels]",
    "counting": "[phases.tricks] with the word counted",
    "turnup": "[deal] with the key turned",
}

# The modules of the compiled phases. A phase whose roles depend on another is listed after it.
COMPILED_PHASES = (
    *("table", "remedies", "choice", "bids", "reveal", "bouts", "numbers", "boxes"),
    *("auction", "naming", "parties", "partner", "say", "calls", "tricks", "counting"),
    *("draw", "exchange", "give", "holdings", "kitty", "levels", "stock", "turnup", "counters"),
)
PHASES = tuple(name for name in COMPILED_PHASES if name not in BESIDE)
"""The phases that a ruleset can name, each a step of the round."""

# Phases that are defined in another phase's module.
DEFINED_IN = {"naming": "auction_naming"}

# Phases with a variant. For each phase: the key that selects the variant, the name of the variant
# (which is the value of the key), and its module.
VARIANTS = {"auction": ("turns", "wishes", "auction_wishes")}

HELD = "held"
"""The clause word for cards that a player must hold. Several phases can use this word."""

IMPLICIT_PHASES = ("table", "remedies", "counters")
"""Phases that a ruleset need not list.

Every ruleset has the first of these phases. It has each of the other phases if it has a table with
the name of the phase.
"""

_NO_ROW: Row = {}
_phases: dict[tuple[str, str], PhaseSpec] = {}
_words: dict[tuple[str, str], ClauseWord] = {}


class PhaseSpec(Protocol):
    """A phase's declarations (see `engine.phase.Phase`), against which a ruleset is checked."""

    @property
    def name(self) -> str: ...
    @property
    def variant(self) -> str: ...
    @property
    def doc(self) -> str: ...
    @property
    def family(self) -> str: ...
    @property
    def concurrent(self) -> bool: ...
    @property
    def tables(self) -> tuple[str, ...]: ...
    @property
    def others(self) -> tuple[str, ...]: ...
    @property
    def only(self) -> bool: ...
    @property
    def clause_order(self) -> str: ...
    @property
    def standard_words(self) -> str: ...
    @property
    def judged(self) -> Mapping[str, tuple[str, ...] | str]: ...
    @property
    def verb_names(self) -> tuple[str, ...]: ...
    @property
    def parameters(self) -> Mapping[str, Parameter]: ...
    @property
    def row_tables(self) -> Mapping[str, Mapping[str, Parameter]]: ...
    @property
    def single_tables(self) -> tuple[str, ...]: ...

    def idle_words(self, row: Row, data: Row) -> Collection[str]: ...


class ClauseWord:
    """A rule that a ruleset row can turn on. It decorates the function that builds the rule.

    `build(row, rules)` returns the function `judge(round, entry)`, which must not change anything.
    `phase` is the phase to which the word belongs, and `variant` the variant of the phase, or "" if
    the word belongs to all of them. `on` are the entry types that the word judges by default. `say`
    is the message for a breach, `unknown` the message for an open question, and `proven` the
    message for a breach that a later entry proves. In `proven`, `{first}` and `{then}` are the
    number and text of the breaching entry, and the proof is appended. `verdict` is the verdict on a
    breach; a word with the verdict `legal` only adds a note. If `fixed_severity` is true, no preset
    makes the rule milder. If `self_contained` is true, the result for a setup fact depends only on
    that fact.
    """

    __slots__ = (
        *("self_contained", "build", "doc", "fixed_severity", "name", "on", "parameters", "phase"),
        *("proven", "say", "unknown", "variant", "verdict"),
    )

    build: Callable[[Row, Any], Any]

    def __init__(
        self,
        name: str,
        phase: str,
        *,
        say: str,
        doc: str,
        variant: str = "",
        on: tuple[str, ...] = (),
        unknown: str = "",
        proven: str = "",
        verdict: str = ILLEGAL,
        fixed_severity: bool = False,
        self_contained: bool = False,
        parameters: Mapping[str, Parameter] | None = None,
    ) -> None:
        self.name = name
        self.phase = phase
        self.variant = variant
        self.on = on
        self.say = say
        self.unknown = unknown
        self.proven = proven
        self.doc = doc
        self.verdict = verdict
        self.fixed_severity = fixed_severity
        self.self_contained = self_contained
        self.parameters = parameters or {}

    def __call__(self, build: B) -> B:
        """Register the word with its build function, and return that function."""
        self.build = build
        _words[self.phase, self.name] = self
        return build


clause = ClauseWord
"""The decorator form of `ClauseWord`, as in `@clause(…)`."""


def phase(cls: P) -> P:
    """Register a phase. Use this as a class decorator."""
    assert cls.name in PHASES
    selected = VARIANTS.get(cls.name, ("", "", ""))[1]
    _phases[cls.name, cls.variant if cls.variant == selected else ""] = cls
    return cls


def beside(cls: P) -> P:
    """Register a phase that is no step of the round. Use this as a class decorator."""
    assert cls.name in BESIDE
    _phases[cls.name, ""] = cls
    return cls


def is_phase(name: object) -> bool:
    """Return whether compiled tables can name this phase."""
    return name in COMPILED_PHASES


def find_phase(name: str, row: Row = _NO_ROW) -> PhaseSpec | None:
    """Return the phase with that name, or None. `row` is its table, which may select a variant.

    Its module is imported when first needed.
    """
    key, value, module = VARIANTS.get(name, ("", "", ""))
    variant = value if key and row.get(key) == value else ""
    if (name, variant) not in _phases and name in COMPILED_PHASES:
        import_module(f"scorekeeper.phases.{module if variant else DEFINED_IN.get(name, name)}")
    return _phases.get((name, variant))


def variants_of(name: str) -> list[PhaseSpec]:
    """Return all variants of the phase with that name, or [] if there is no such phase."""
    key, value, _ = VARIANTS.get(name, ("", "", ""))
    found = [find_phase(name), *([find_phase(name, {key: value})] if key else [])]
    return [cls for cls in found if cls is not None]


def verbs_judged(cls: PhaseSpec, word: str, row: object, phases: Mapping[str, object]) -> list[str]:
    """Return the verbs that a clause word judges in a phase, or [] if the word has its own list.

    `row` is the phase's table. Verbs that belong to none of the `phases` are left out.
    """
    verbs = cls.judged.get(word, ())
    if isinstance(verbs, str):
        found = row.get(verbs, ()) if isinstance(row, dict) else ()
        return list(found) if isinstance(found, list | tuple) else []
    known = set(cls.verb_names)
    for name, each in phases.items() if not known.issuperset(verbs) else ():
        other = find_phase(name, each) if isinstance(each, dict) else None
        known.update(() if other is None else other.verb_names)
    return [verb for verb in verbs if verb in known]


def implicit_phases(data: Row) -> list[str]:
    """Return the phases that a ruleset has but need not list. `data` is the ruleset's table."""
    return [
        name
        for name in IMPLICIT_PHASES
        if name == IMPLICIT_PHASES[0] or isinstance(data.get(name), dict)
    ]


def phase_rows(data: Row) -> Row:
    """Return a ruleset's phase rows, and an empty row for each implicit phase without one."""
    return {**{name: {} for name in implicit_phases(data)}, **data["phases"]}


def clause_words(phases: Iterable[PhaseSpec]) -> dict[str, ClauseWord]:
    """Return the clause words of these phases."""
    known = {(cls.name, variant) for cls in phases for variant in ("", cls.variant)}
    return {name: word for (owner, name), word in _words.items() if (owner, word.variant) in known}


def load_all() -> tuple[list[PhaseSpec], list[ClauseWord]]:
    """Return all phases, including variants, and all clause words. Documentation and checks use
    them."""
    phases = [cls for name in COMPILED_PHASES for cls in variants_of(name)]
    return phases, list(_words.values())
