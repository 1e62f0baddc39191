"""Whose fault it is that something could not be told: the book's, or the program's."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from scorekeeper.cli.common import open_book
from scorekeeper.core.failures import Failure

if TYPE_CHECKING:
    from scorekeeper.core.failures import Damaged

# What is raised by whoever tells of a round that is kept in another shape than rounds are.
ASTRAY = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError)


def blamed(error: Exception, book: object) -> Damaged | None:
    """The first match of the book of which something is kept that makes no sense, though its
    checksum is right; None if there is none. Only what could not be told of is looked at so
    closely: a season is thousands of rounds."""
    if isinstance(error, ASTRAY):
        from scorekeeper.store.mending import misshapen

        with suppress(Failure), open_book(book if isinstance(book, str) else None) as store:
            return next(misshapen(store), None)
    return None
