"""A ruleset that is played at random, and what that found: `rules check --play`."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from scorekeeper.cli.common import FINE, REFUSED, say, say_json, talk
from scorekeeper.core.messages import listed, number_of, times
from scorekeeper.play.trial import play

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.play.trial import Trial
    from scorekeeper.play.watching import Trouble
    from scorekeeper.ruleset.compiled import Ruleset

SHOWN = 40  # entries of a round that are printed; JSON has them all


def tried(ruleset: Ruleset, name: str, matches: int, seed: int, format: str) -> int:
    """Play so many matches from a seed on, and say what was found; gives the exit code."""
    trial = play(ruleset, matches, seed, Random)
    if format == "json":
        say_json({"ruleset": name, "ok": trial.ok, "faults": [], "play": trial.as_json()})
    else:
        say(*_lines(ruleset, trial, seed))
        faults = len(trial.troubles)
        if faults:
            talk(f"{faults} faults" if faults > 1 else "one fault")
    return FINE if trial.ok else REFUSED


def _lines(ruleset: Ruleset, trial: Trial, seed: int) -> Iterator[str]:
    played = [
        number_of(trial.matches, "match", "matches"),
        number_of(trial.rounds, "round"),
        number_of(trial.entries, "entry", "entries"),
    ]
    seeds = f"seed {seed}" if trial.matches == 1 else f"seeds {seed} to {seed + trial.matches - 1}"
    yield f"{ruleset.name}: {', '.join(played)} at random ({seeds})"
    for trouble, often in trial.troubles:
        again = f" ({times(often)})" if often > 1 else ""
        yield f"fault: {trouble.kind}: {trouble.message}{again}"
        yield from _where(trouble)
    for note in trial.notes:
        yield f"note: {note}"


def _where(trouble: Trouble) -> Iterator[str]:
    """The entries that lead there, as they can be typed."""
    if not trouble.entries:
        return
    one = trouble.first == trouble.round
    rounds = f"round {trouble.round}" if one else f"rounds {trouble.first} to {trouble.round}"
    yield f"  seed {trouble.seed}, {listed(trouble.players)}, {rounds}:"
    left_out = max(0, len(trouble.entries) - SHOWN)
    start = SHOWN // 4 if left_out else 0
    for entry in trouble.entries[:start]:
        yield f"    {entry}"
    if left_out:
        yield f"    # {number_of(left_out, 'entry', 'entries')} more: --format json has them all"
    for entry in trouble.entries[start + left_out :]:
        yield f"    {entry}"
