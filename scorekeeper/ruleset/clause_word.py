"""A rule that a ruleset may turn on, as the vocabulary keeps it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from scorekeeper.core.rulings import ILLEGAL

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorekeeper.core.types import Row
    from scorekeeper.ruleset.joint import Rules
    from scorekeeper.ruleset.parameters import Parameter
    from scorekeeper.ruleset.phase import Judge

    Build = Callable[[Row, Rules], Judge]


class ClauseWord:
    """A rule that a ruleset may turn on by a row.

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

    def __init__(
        self,
        name: str,
        phase: str,
        build: Build,
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
        self.build = build
        self.on = on
        self.say = say
        self.unknown = unknown
        self.proven = proven
        self.doc = doc
        self.verdict = verdict
        self.firm = firm
        self.alone = alone
        self.parameters = parameters or {}
