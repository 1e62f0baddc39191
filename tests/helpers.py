"""Helpers of several tests: running the program in this process, and matches at a given point."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from typer.testing import CliRunner

from scorekeeper import Match, load_ruleset
from scorekeeper.cli.app import build
from scorekeeper.engine.phase import View
from scorekeeper.engine.ruleset import player_counts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

FOUR = ("Ana", "Ben", "Cleo", "Dan")
NOBODY = 65534
ROOT = Path(__file__).parent.parent
# The files with the rules of the shipped rulesets, by name.
RULES = {
    path.parent.name if path.stem == "rules" else path.stem: path
    for path in sorted(
        [*(ROOT / "rulesets").glob("*.toml"), *(ROOT / "rulesets").glob("*/rules.toml")]
    )
}
SHIPPED = sorted(RULES)


class Answer(NamedTuple):
    """A command's result: exit code, standard output, standard error."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """Standard output as JSON."""
        return json.loads(self.out)


class SummaryView(View[dict[str, Any]]):
    """A view of a phase whose summary is its facts."""

    __slots__ = ()

    def summary(self) -> dict[str, Any]:
        return self.facts


def program(*arguments: str, stdin: str = "") -> Answer:
    """Run the program like its main function. Raise an exception that is not an exit."""
    app = build(*arguments[:2])
    result = CliRunner().invoke(app, list(arguments), input=stdin, prog_name="scorekeeper")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Answer(result.exit_code, result.stdout, result.stderr)


def listed(legal: Sequence[str], text: str) -> str:
    """Return the line of `legal` for cards that a player plays, or "" if there is none.

    It is their own line, or for different cards the line that leaves the cards open.
    """
    name, *cards = text.split()
    for line in legal:
        if sorted(line.split()) == sorted([name, *cards]):
            return line
    return f"{name} …" if len(set(cards)) > 1 and f"{name} …" in legal else ""


def seated(ruleset: str) -> list[str]:
    """Return the names of four players, or of as many as the ruleset needs."""
    counts = player_counts(load_ruleset(ruleset).players)
    few = [count for count in counts if count <= len(FOUR)]
    return list((*FOUR, "Eva", "Fay")[: max(few, default=min(counts))])


def match_of(ruleset: str, players: Iterable[str], *entries: str, **options: object) -> Match:
    """Return a match in which these entries were recorded."""
    match = Match(load_ruleset(ruleset, **options), list(players))
    for entry in entries:
        match.record(entry)
    return match


@contextmanager
def unprivileged() -> Iterator[None]:
    """Run as another user for a while, because permissions do not bind root.

    Skip the test if that user may not read the program itself, because the test would show nothing.
    """
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        if not os.access(__file__, os.R_OK, effective_ids=True):
            pytest.skip("only root may read this checkout")
        yield
    finally:
        os.seteuid(0)
