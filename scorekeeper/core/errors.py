"""The kinds of failure, one type each.

A failure is for a human: `message` says what and where and why in one line, `hint` what to type
next (it may be empty). No failure is raised half-way: what raised it has changed nothing.
"""

from __future__ import annotations


class Failure(Exception):
    """What every failure has: a message and a hint, each one line.

    >>> from scorekeeper import Failure, load_ruleset
    >>> try:
    ...     load_ruleset("doppelkopff")
    ... except Failure as failure:
    ...     print(type(failure).__name__, failure.hint.partition("?")[0])
    Unreadable did you mean "doppelkopf"
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}; {self.hint}" if self.hint else self.message


class Unreadable(Failure):
    """The text is no entry, or has two readings (both are said).

    >>> from scorekeeper import Match, Unreadable, load_ruleset
    >>> try:
    ...     Match(load_ruleset("dudo"), ["Ana", "Ben"]).judge("5x9")
    ... except Unreadable as failure:
    ...     print(failure)
    “9” is no face; faces are 1, 2, 3, 4, 5, 6
    """


class Impossible(Failure):
    """The entry contradicts the state of the table, whatever the rules are.

    >>> from scorekeeper import Match, load_ruleset
    >>> match = Match(load_ruleset("durak"), ["Ana", "Ben"])
    >>> match.undo()
    Traceback (most recent call last):
    scorekeeper.core.errors.Impossible: there is nothing to undo
    """


class Damaged(Failure):
    """A store, a record or a ruleset that cannot be read or written.

    >>> from scorekeeper import Damaged, read_record
    >>> try:
    ...     read_record("not-there.toml")
    ... except Damaged as failure:
    ...     print(failure)
    not-there.toml cannot be read: No such file or directory
    """


class Locked(Damaged):
    """The store is in use by another process, and stayed so for the time we wait.

    >>> from scorekeeper import Damaged, Locked
    >>> issubclass(Locked, Damaged)
    True
    """
