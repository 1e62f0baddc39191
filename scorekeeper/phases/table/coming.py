"""Who comes, goes or moves between rounds: how that is read, and what it changes. Part of table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.messages import mark, tr
from scorekeeper.core.text import shown
from scorekeeper.core.types import NamedTuple
from scorekeeper.notation import check_names
from scorekeeper.notation.syntax import NAME_LENGTH, Syntax, clean, composed
from scorekeeper.play.roster import AFTER, COMING, INSTEAD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.types import Luck
    from scorekeeper.notation import Entry
    from scorekeeper.notation.syntax import Spelling
    from scorekeeper.ruleset.joint import Joint

BESIDE = ("note",)  # what may have been said before: it speaks of no seat


class Comer(NamedTuple):
    """Who comes, and to the left of whom they sit, or `instead` of whom. Names, not seats: who
    sits where is what changes."""

    name: str
    instead: bool
    other: str


class JoinsSyntax(Syntax):
    """Somebody's name, and where they sit."""

    names_players = True
    form = mark("NAME after NAME, or NAME for NAME")

    def read(self, text: str, notation: Spelling) -> Comer:
        tokens = text.split()
        places = [
            at
            for at in range(len(tokens) - 2, 0, -1)
            if notation.canonical(tokens[at]) in (AFTER, INSTEAD)
        ]
        if not places:
            raise _nowhere(tokens, notation)
        # A name may hold such a word: the last one says it, if it is not part of a player's name.
        known = (at for at in places if _at_the_table(tokens[at + 1 :], notation))
        at = next(known, places[0])
        (name,) = check_names([" ".join(tokens[:at])], ())  # words that came since do not matter
        instead = notation.canonical(tokens[at]) == INSTEAD
        return Comer(name, instead, _in_full(" ".join(tokens[at + 1 :]), notation))

    def cut(self, text: str, notation: Spelling) -> tuple[str, str] | None:
        """What is typed up to the name of whom they sit beside, and what is typed of that."""
        tokens = text.split()
        for at in range(len(tokens) - 1, 0, -1):
            if notation.canonical(tokens[at]) in (AFTER, INSTEAD):
                return " ".join(tokens[: at + 1]), " ".join(tokens[at + 1 :])
        return None

    def show(self, value: Comer, notation: Spelling) -> str:
        return f"{value.name} {notation.say(INSTEAD if value.instead else AFTER)} {value.other}"

    def sample(self, luck: Luck, notation: Spelling) -> Sequence[Comer]:
        return (Comer("Zed", luck.randint(0, 1) == 1, luck.choice(notation.names)),)


class LeaverSyntax(Syntax):
    """The name of who goes."""

    names_players = True
    form = mark("NAME")

    def read(self, text: str, notation: Spelling) -> str:
        return _in_full(text, notation)

    def show(self, value: str, notation: Spelling) -> str:
        return value

    def sample(self, luck: Luck, notation: Spelling) -> Sequence[str]:
        return (luck.choice(notation.names),)


class OrderSyntax(Syntax):
    """Everybody's name, as they sit."""

    names_players = True
    form = mark("NAME + NAME…")

    def read(self, text: str, notation: Spelling) -> tuple[str, ...]:
        return tuple(_in_full(name, notation) for name in text.split("+"))

    def show(self, value: tuple[str, ...], notation: Spelling) -> str:
        return " + ".join(value)

    def sample(self, luck: Luck, notation: Spelling) -> Sequence[tuple[str, ...]]:
        return (tuple(luck.sample(notation.names, len(notation.names))),)


def _nowhere(tokens: Sequence[str], notation: Spelling) -> Unreadable:
    """The failure of not saying where who comes sits."""
    dangling = len(tokens) > 1 and notation.canonical(tokens[-1]) in (AFTER, INSTEAD)
    who = clean(" ".join(tokens[:-1] if dangling else tokens))[:NAME_LENGTH] or "NAME"
    beside = notation.names[-1]
    one, other = (f"joins {who} {notation.say(word)} {beside}" for word in (AFTER, INSTEAD))
    return Unreadable(
        tr("it is not said where they sit"), tr("“{one}” or “{other}”", one=one, other=other)
    )


def _at_the_table(tokens: Sequence[str], notation: Spelling) -> bool:
    name = composed(" ".join(tokens)).casefold()
    return any(name == known.casefold() for known in notation.names)


def _in_full(text: str, notation: Spelling) -> str:
    """A player's full name; of who is none what was said, for they may have been one."""
    name = composed(clean(text))
    if not name:
        raise Unreadable(tr("a name must follow"))
    try:
        return notation.names[notation.seat(name)]
    except Unreadable:
        folded = name.casefold()
        if sum(known.casefold().startswith(folded) for known in notation.names) > 1:
            raise
        return name


def joins(rnd: Joint, entry: Entry) -> None:
    """`joins NAME after NAME`, `joins NAME for NAME`."""
    _check_time(rnd, entry)
    rnd.somebody_comes(*entry.value)


def quits(rnd: Joint, entry: Entry) -> None:
    """`quits NAME`."""
    _check_time(rnd, entry)
    rnd.somebody_goes(entry.value)


def seats(rnd: Joint, entry: Entry) -> None:
    """`seats NAME + NAME…`: the whole order anew."""
    _check_time(rnd, entry)
    rnd.all_move(entry.value)


def _check_time(rnd: Joint, entry: Entry) -> None:
    """Raise Impossible unless nothing else was said of the round before."""
    word = rnd.rules.lexicon.form(entry.word)
    if rnd.acted or (rnd.over and not rnd.placed):
        raise Impossible(
            tr("“{word}” is said between rounds, before anything else of a round", word=word),
            tr("say it when this round is over, or end this one with {void}", void="void why"),
        )
    for number, said in enumerate(rnd.entries()[:-1], 1):
        # What was taken back was seen, of somebody at their seat.
        if said.word not in (*COMING, *BESIDE):
            raise Impossible(
                tr(
                    "“{word}” is said before anything else of a round, and “{said}” came before it",
                    word=word,
                    said=shown(said.text, 60),
                ),
                tr("put it in before that: {amend}", amend=f"amend {number} --before ENTRY"),
            )
