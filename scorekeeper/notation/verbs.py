"""What an entry may begin with: its syntax, and when and by whom it may be said."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

from scorekeeper.core.messages import tr
from scorekeeper.notation.syntax import Of, OneOf

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorekeeper.notation.syntax import Syntax, Value

BID = "a bid"  # what measures call what such a verb says (`about`)


class Verb:
    """A word that an entry may begin with.

    `table` entries speak of the table, the others are somebody's acts. `turn`: only those whom
    the phase waits for may do it, and the name may be left out. `implicit`: typed without the
    word itself (a card, a bid). `cards`: the value is cards out of the actor's hand. `gathers`:
    several of these in a row may be taken at once.
    `fact`: says what is so, before the first act of a round. `late`: may follow a finished round
    and still belongs to it. `aside`: said beside play at any time, whether or not the facts of the
    start fit together. `says`: what the fact is of, where another verb says it too. `about`: what
    measures may ask of such an entry, besides whose act it is. `speaks_of`: the entry that a value
    of it names by its number, as round (0: its own) and number; None: it names none. `alone`: the
    name may be left out where one player alone may do it now. `short`: a text that stands for
    another, as the round has it; it is never kept. `brief` is how this verb may be said short.
    """

    __slots__ = (
        "about",
        "alone",
        "aside",
        "brief",
        "cards",
        "doc",
        "everyone",
        "fact",
        "gathers",
        "implicit",
        "late",
        "phase",
        "says",
        "short",
        "speaks_of",
        "syntax",
        "table",
        "text",
        "turn",
        "word",
    )

    def __init__(
        self,
        word: str,
        syntax: Syntax,
        doc: str,
        *,
        table: bool = False,
        turn: bool = False,
        implicit: bool = False,
        cards: bool = False,
        fact: bool = False,
        late: bool = False,
        text: bool = False,
        everyone: bool = False,
        gathers: bool = False,
        about: str = "",
        aside: bool = False,
        says: str = "",
        speaks_of: Callable[[Value], tuple[int, int] | None] | None = None,
        alone: bool = False,
        short: bool = False,
        brief: Verb | None = None,
    ) -> None:
        self.word = word
        self.syntax = syntax
        self.doc = doc
        self.table = table
        self.turn = turn
        self.implicit = implicit
        self.cards = cards
        self.fact = fact
        self.late = late
        self.text = text
        self.everyone = everyone
        self.gathers = gathers
        self.about = about
        self.aside = aside
        self.says = says or word
        self.speaks_of = speaks_of
        self.alone = alone
        self.short = short
        self.brief = brief
        self.phase = ""

    def with_its_word(self) -> Verb:
        """Return this implicit verb as one that is written with its word: for a card that
        without the word looks like a bid."""
        verb = copy(self)
        verb.implicit = False
        return verb

    @property
    def form(self) -> str:
        """What follows the word, in the language that is spoken."""
        return _said(self.syntax)


def _said(syntax: Syntax) -> str:
    """The form of what follows a word, in the language that is spoken."""
    if type(syntax) is Of:
        return tr("NAME: {form}", form=_said(syntax.inner))
    if type(syntax) is OneOf:
        return tr(" or ").join(syntax.words)
    return tr(syntax.form)
