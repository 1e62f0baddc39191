"""One input of a kind, from its seed."""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random

from tests.fuzz.inputs import alone_in, entries, evenings, records, rulesets
from tests.fuzz.lines import command_lines, settings, tables

KINDS = {
    "entries": entries,
    "evenings": evenings,
    "records": records,
    "rulesets": rulesets,
    "tables": tables,
    "settings": settings,
    "command-lines": command_lines,
}


class Wrong(AssertionError):
    """What was made up showed a mistake: says what it was, and how to see it again."""


def tried(kind: str, seed: int) -> None:
    """Make something up and use it. Raises Wrong, from what went wrong."""
    told: list[str] = []
    with tempfile.TemporaryDirectory() as folder, alone_in(Path(folder)):
        try:
            KINDS[kind](Random(f"{kind} {seed}"), Path(folder), told)
        except Exception as error:
            last = "\n".join(told[-40:])
            again = f"python -m tests.fuzz --kind {kind} --seed {seed} --only"
            raise Wrong(f"{kind}, seed {seed}: {error!r:.2000}\n{last}\n{again}") from error
