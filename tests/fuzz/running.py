"""A single random input of a kind, made from its seed."""

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
    """An input revealed a fault. The message names the input and how to repeat it."""


def tried(kind: str, seed: int) -> None:
    """Make an input and use it. Raise Wrong from the exception if that fails."""
    told: list[str] = []
    with tempfile.TemporaryDirectory() as folder, alone_in(Path(folder)):
        try:
            KINDS[kind](Random(f"{kind} {seed}"), Path(folder), told)
        except Exception as error:
            last = "\n".join(told[-40:])
            again = f"python -m tests.fuzz --kind {kind} --seed {seed} --only"
            raise Wrong(f"{kind}, seed {seed}: {error!r:.2000}\n{last}\n{again}") from error
