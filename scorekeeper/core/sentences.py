"""Sentences that are not for everybody. May import nothing."""

from __future__ import annotations


class Aside(str):
    """A sentence for who asks how a round stands: a table that plays sees it anyway, or does not
    look for it."""

    __slots__ = ()
