"""Who plays in the matches of a store: people, and the spellings of their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.text import did_you_mean, shown
from scorekeeper.core.types import NamedTuple
from scorekeeper.notation.languages import check_names
from scorekeeper.notation.syntax import composed
from scorekeeper.store.kept import every_row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.store.protocol import Store


class Person(NamedTuple):
    """Somebody who plays: the name by which they are told, how it was written and in how many
    matches."""

    name: str
    spellings: dict[str, int]

    @property
    def matches(self) -> int:
        """In how many matches they play."""
        return sum(self.spellings.values())


def people(store: Store) -> list[Person]:
    """Everybody who plays in a match, by name."""
    found: dict[str, dict[str, int]] = {}
    aliases = store.aliases()
    for row in every_row(store):
        for name in row.everybody:
            spellings = found.setdefault(aliases.get(name, name), {})
            spellings[name] = spellings.get(name, 0) + 1
    order = sorted(found, key=lambda name: (name.casefold(), name))
    return [Person(name, dict(sorted(found[name].items()))) for name in order]


def named(store: Store, names: Sequence[str]) -> list[Person]:
    """The people of these names, or who were once written so. Raises Unreadable for nobody."""
    there = people(store)
    return [_one(name, there) for name in names]


def _one(name: str, there: Sequence[Person]) -> Person:
    text = composed(name)
    for found in (
        [each for each in there if each.name == text],
        [each for each in there if text in each.spellings],
        [each for each in there if each.name.casefold() == text.casefold()],
    ):
        if len(found) == 1:
            return found[0]
    meant = did_you_mean(name, [each.name for each in there])
    say = tr("nobody in the book is called “{name}”", name=shown(name))
    raise Unreadable(say, meant or "scorekeeper players list")


def rename(store: Store, old: str, new: str) -> Person:
    """Let somebody be told by another name. Raises Unreadable for one that nobody may have, or
    that somebody else has."""
    (new,) = check_names([new], ())
    with store.batch():
        there = people(store)
        one = _one(old, there)
        for each in there:
            if each is not one and each.name.casefold() == new.casefold():
                raise Unreadable(
                    tr("somebody else is called {name} already", name=each.name),
                    tr("if they are one: {command}",
                       command=f"scorekeeper players merge {quoted(one.name)} {quoted(each.name)}"),
                )  # fmt: skip
        _told(store, [one], new)
    return Person(new, one.spellings)


def merge(store: Store, names: Sequence[str], into: str) -> Person:
    """Let several be told as one. Raises Unreadable where two of them play in one match."""
    with store.batch():
        there = people(store)
        target = _one(into, there)
        them = [target, *(one for one in (_one(name, there) for name in names) if one != target)]
        every = {spelling: one.name for one in them for spelling in one.spellings}
        for row in every_row(store):
            both = [name for name in row.everybody if name in every]
            if len(both) > 1:
                say = tr("{one} and {other} both play in match {match}, so they are two",
                         one=both[0], other=both[1], match=row.id)  # fmt: skip
                raise Unreadable(say, f"scorekeeper about --match {row.id}")
        _told(store, them, target.name)
    return Person(target.name, {key: n for one in them for key, n in one.spellings.items()})


def forget(store: Store, names: Sequence[str]) -> list[Person]:
    """Let everybody who is told by one of these names be told as they were written."""
    with store.batch():
        found = named(store, names)
        known = {one.name for one in found}
        store.alias({key: "" for key, name in store.aliases().items() if name in known})
    return found


def _told(store: Store, them: Sequence[Person], name: str) -> None:
    """Also what was an alias of theirs and is written in no match now is told so."""
    theirs = {one.name for one in them}
    spellings = {key for one in them for key in one.spellings}
    spellings |= {key for key, told in store.aliases().items() if told in theirs} | theirs
    store.alias({key: "" if key == name else name for key in spellings})


def quoted(name: str) -> str:
    """A name as it is typed in a shell."""
    from shlex import quote

    return quote(name)
