"""How the players of a round may be split into roles."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    Roles = Mapping[str, tuple[str, tuple[int, ...]]]


class Split:
    """How the players of a round may be split into roles: `said` in words, `roles` with a label
    and seats, as a round has them, and the `measures` that are settled by it."""

    __slots__ = ("measures", "roles", "said")

    def __init__(self, said: str, roles: Roles, measures: Mapping[str, float]) -> None:
        self.said = said
        self.roles = roles
        self.measures = measures

    def also(self, said: str, roles: Roles, measures: Mapping[str, float] | None = None) -> Split:
        """The same with more roles."""
        words = ", ".join(filter(None, (self.said, said)))
        return Split(words, {**self.roles, **roles}, {**self.measures, **(measures or {})})
