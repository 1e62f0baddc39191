"""The exceptions, one class for each kind of error.

An exception's `message` states in one line what is wrong, where and why. Its `hint` suggests
what to type next, and may be empty. A method that raises one of these exceptions has changed
nothing.
"""

from __future__ import annotations


class Failure(Exception):
    """The base class of all errors for users, with a message and a hint of one line each.

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
    """Raised if an entry or a name cannot be understood, or can be read in two ways.

    If there are two readings, the message names both.

    >>> from scorekeeper import Match, Unreadable, load_ruleset
    >>> try:
    ...     Match(load_ruleset("dudo"), ["Ana", "Ben"]).judge("5x9")
    ... except Unreadable as failure:
    ...     print(failure)
    “9” is not a face; the faces are 1, 2, 3, 4, 5, 6
    """


class Impossible(Failure):
    """Raised if an entry contradicts the state of the table, whatever the rules allow.

    >>> from scorekeeper import Match, load_ruleset
    >>> match = Match(load_ruleset("durak"), ["Ana", "Ben"])
    >>> match.undo()
    Traceback (most recent call last):
    scorekeeper.core.errors.Impossible: there is nothing to undo
    """


class Damaged(Failure):
    """Raised if a store, record or ruleset cannot be read or written.

    >>> from scorekeeper import Damaged, read_record
    >>> try:
    ...     read_record("not-there.toml")
    ... except Damaged as failure:
    ...     print(failure)
    not-there.toml cannot be read: No such file or directory
    """


class Locked(Damaged):
    """Raised if another process is using the store and does not release it in time.

    >>> from scorekeeper import Damaged, Locked
    >>> issubclass(Locked, Damaged)
    True
    """
