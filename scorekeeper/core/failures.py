"""The kinds of failure, one type each. May import nothing.

A failure is for a human: `message` says what and where and why in one line, `hint` what to type
next (it may be empty). No failure is raised half-way: what raised it has changed nothing.
"""

from __future__ import annotations


class Failure(Exception):
    """What every failure has: a message and a hint, each one line."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}; {self.hint}" if self.hint else self.message


class Unreadable(Failure):
    """The text is no entry, or has two readings (both are said)."""


class Impossible(Failure):
    """The entry contradicts the state of the table, whatever the rules are."""


class Damaged(Failure):
    """A store, a record or a ruleset that cannot be read or written."""


class Locked(Damaged):
    """The store is in use by another process, and stayed so for the time we wait."""
