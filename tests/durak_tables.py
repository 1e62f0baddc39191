"""Matches of Durak at a given point, set up quickly for tests."""

from __future__ import annotations

from typing import Any

from scorekeeper import Match, load_ruleset

RANKS = "AKQJT9876"
PACK = [rank + suit for suit in "CSHD" for rank in RANKS]
RULES: dict[str, Any] = {}


def rules(name: str, **options: object) -> Any:
    """Return a compiled ruleset. Without options it is compiled only once."""
    if options:
        return load_ruleset(name, **options)
    if name not in RULES:
        RULES[name] = load_ruleset(name)
    return RULES[name]


def enter(match: Match, text: str) -> Match:
    """Record lines of entries. Fail if one is refused."""
    for line in text.splitlines():
        for entry in match.notation.split_line(line):
            match.record(entry)
    return match


def begun(name: str, players: str, text: str, **options: object) -> Match:
    """Return a match under a ruleset between these players, after lines of entries."""
    return enter(Match(rules(name, **options), players.split()), text)
