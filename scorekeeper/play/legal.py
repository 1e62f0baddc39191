"""What somebody may do now, as a view that finds out only what it is asked."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure
from scorekeeper.core.rulings import ILLEGAL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scorekeeper.core.rulings import Ruling
    from scorekeeper.notation import Notation

REST = "…"  # stands for cards that a line leaves open
SHOWN = 5  # moves in a `repr`


class Legal:
    """The legal moves of a match as it stands when it is asked, for everyone who may act.

    Iterating gives canonical texts one by one, as they are found; `len` counts them all, and
    `bool` looks for the first. Of several cards, sets of identical ones are listed; one line with
    `…` stands for all others. Called, it is a list: `legal()`, or `legal(notation)` as that
    notation writes it.

    `text in legal` asks the judge: whether that entry is not illegal now. So a choice of cards
    that only `…` stands for is in it, and so is a fact that may be entered, a hand or a note; a
    line with `…` never is, nor what cannot be read or cannot be.

    >>> from scorekeeper import Match, load_ruleset
    >>> match = Match(load_ruleset("dudo"), ["Ana", "Ben"])
    >>> "Ana: 2x3" in match.legal, "Ben: 2x3" in match.legal
    (True, False)
    >>> next(iter(match.legal)), len(match.legal), bool(match.legal)
    ('Ana: 1x2', 52, True)
    """

    __slots__ = ("_judge", "_texts")

    def __init__(
        self,
        judge: Callable[[str], Ruling],
        texts: Callable[[Notation | None], Iterator[str]],
    ) -> None:
        """`judge` rules on an entry; `texts` lists what may be done, as a notation writes it."""
        self._judge = judge
        self._texts = texts

    def __contains__(self, text: object) -> bool:
        if not isinstance(text, str) or REST in text:
            return False
        try:
            return self._judge(text).verdict != ILLEGAL
        except Failure:
            return False

    def __iter__(self) -> Iterator[str]:
        return self._texts(None)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return any(True for _ in self)

    def __call__(self, notation: Notation | None = None) -> list[str]:
        """The legal moves as a list."""
        return list(self._texts(notation))

    def __repr__(self) -> str:
        first = list(islice(self, SHOWN + 1))
        more = [REST] if len(first) > SHOWN else []
        return f"<Legal {' | '.join(first[:SHOWN] + more)}>"
