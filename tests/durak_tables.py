"""Tables of durak at a point, quickly, for the tests."""

from __future__ import annotations

from typing import Any

from scorekeeper import Match, load_ruleset

RANKS = "AKQJT9876"
PACK = [rank + suit for suit in "CSHD" for rank in RANKS]
RULES: dict[str, Any] = {}


def rules(name: str, **options: object) -> Any:
    """A compiled ruleset; without options it is compiled once."""
    if options:
        return load_ruleset(name, **options)
    if name not in RULES:
        RULES[name] = load_ruleset(name)
    return RULES[name]


def enter(match: Match, text: str) -> Match:
    """Record lines of entries; refused ones fail."""
    for line in text.splitlines():
        for entry in match.notation.split_line(line):
            match.record(entry)
    return match


def begun(name: str, players: str, text: str, **options: object) -> Match:
    """A match under a ruleset between these players, with lines of entries."""
    return enter(Match(rules(name, **options), players.split()), text)
