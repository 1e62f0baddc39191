"""Whose fault it is that something could not be told: the book's, or the program's."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorekeeper.core.errors import Damaged
    from scorekeeper.store.protocol import Store

# What is raised by whoever tells of a round that is kept in another shape than rounds are.
ASTRAY = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError)


def blamed(error: Exception, opened: Callable[[], Store]) -> Damaged | None:
    """The first match of the book of which something is kept that makes no sense, though its
    checksum is right; None if there is none. Only what could not be told of is looked at so
    closely: a season is thousands of rounds."""
    if isinstance(error, ASTRAY):
        from scorekeeper.store.mending import misshapen

        with suppress(Failure), opened() as store:
            return next(misshapen(store), None)
    return None
