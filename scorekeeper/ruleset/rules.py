"""The compiled ruleset as a phase sees it: half of the joint between a phase and a round (the other
half, the round itself, is in joint.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from scorekeeper.core.expressions.kinds import NUMBER

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.pieces import Pack
    from scorekeeper.core.plain import Row
    from scorekeeper.notation import Entry, Lexicon
    from scorekeeper.notation.verbs import Verb
    from scorekeeper.ruleset.numbers import Numbers
    from scorekeeper.ruleset.orders import Orders

P = TypeVar("P", bound="Named")


class Named(Protocol):
    """What a class of phases has."""

    name: str


class Rules(Protocol):
    """The compiled ruleset as a phase sees it. `players`, `tally`, `deal` and `sides` are the
    tables of that name; `orders` the [orders], compiled once for each level and trump; `numbers`:
    those of its tables that may be expressions; `off`: the verbs that are turned off."""

    @property
    def pack(self) -> Pack: ...
    @property
    def lexicon(self) -> Lexicon: ...
    @property
    def tally(self) -> Row: ...
    @property
    def players(self) -> Row: ...
    @property
    def deal(self) -> Row: ...
    @property
    def sides(self) -> Row: ...
    @property
    def orders(self) -> Orders: ...
    @property
    def numbers(self) -> Numbers: ...
    @property
    def off(self) -> frozenset[str]: ...
    @property
    def verbs(self) -> Mapping[str, Verb]: ...

    def phase(self, kind: type[P]) -> P:
        """The phase of that class. Raises KeyError where the ruleset lists none."""

    def has(self, section: str) -> bool:
        """Whether the ruleset has that top-level table."""

    def table(self, name: str) -> Row:
        """A top-level table that some phase owns, completed with its defaults."""

    def section(self, name: str) -> Mapping[str, Row]:
        """The named rows of such a table."""

    def spoken(self, word: str) -> str:
        """The game's own word for one of the program's words, or for a row's name."""

    def card_points(self) -> Sequence[int]:
        """The points of each kind of card; empty where cards have none."""

    def labels_for(self, role: str) -> list[str]:
        """What the score rows for a role are called."""

    def in_scores(self, measures: Iterable[str], roles: Iterable[str]) -> bool:
        """Whether a score row for one of these roles names one of these measures."""

    def clause_names(self, verb: str) -> list[str]:
        """The clause words that judge a verb."""

    def clause_rows(self, verb: str, word: str) -> list[Row]:
        """The rows of that clause word that judge a verb."""

    def from_hand(self, entry: Entry) -> Sequence[tuple[int, tuple[int, ...]]]:
        """The cards that an entry takes out of hands: pairs of a seat and kinds."""

    def expression(
        self,
        text: object,
        where: str,
        about: Sequence[str] = (),
        but: Sequence[str] = (),
        whole: bool = False,
        kind: str = NUMBER,
        asks: bool = False,
    ) -> Expression:
        """Compile an expression. It may name the measures of the round and those `about` one of
        these subjects, but not the measures in `but`, which are computed from it. `whole`: it must
        come to a whole number; `kind`: of what kind the value must be; `asks`: it may ask about a
        hand that nobody sees. `where` is its place in the ruleset, for messages."""

    def measures_about(self, about: Sequence[str]) -> list[str]:
        """The measures that may be asked of what an expression is about, and of the round."""

    def fault(self, key: str, found: str, allowed: str, message: str) -> None:
        """Report what is wrong with the ruleset, if this is a check."""

    def deal_size(self, seats: int) -> int:
        """How many cards each of so many players is dealt."""

    def kitty_size(self, seats: int) -> int:
        """How many cards are left over when so many players have drawn theirs."""

    def side_size(self, seats: int) -> int:
        """How many of so many players a side has; one, where there are no sides."""

    def is_out(self, tally: int) -> bool:
        """Whether a player with that tally is out of the match."""
