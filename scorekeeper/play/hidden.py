"""An entry as the table has seen it: what only the recorder was told is not there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.notation.syntax import Of, Syntax
from scorekeeper.play.roster import checked_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.notation import Notation
    from scorekeeper.notation.entry import Verb


def hidden(text: str, notation: Notation) -> str:
    """An entry as the table has seen it. Of one that cannot be read nobody knows what is in it: no
    more is told than how it begins, unless it has a verb with which nobody speaks of a hand."""
    try:
        notation.read(text)
    except Unreadable:
        return _unread(text, notation)
    return notation.hide(text)


def is_secret(text: str, notation: Notation) -> bool:
    """Whether a text begins as what speaks of a hand, or of somebody's dice, does."""
    rests = (text, text.partition(": ")[2])
    verbs = (notation.verbs.get(notation.opening(rest)[0]) for rest in rests if rest)
    return any(verb is not None and (conceals(verb.syntax) or _says_of(verb)) for verb in verbs)


def _unread(text: str, notation: Notation) -> str:
    """What is told of an entry that cannot be read."""
    if not any(conceals(verb.syntax) for verb in notation.verbs.values()):
        return text
    who, colon, said = text.partition(": ")
    for begins, rest in (("", text), *([(f"{who}: ", said)] if colon else ())):
        word = notation.opening(rest)[0]
        verb = notation.verbs.get(word)
        if verb is not None:
            secret = conceals(verb.syntax) or _says_of(verb)
            return f"{begins}{notation.say(word)} …" if secret else text
    return f"{who}: …" if colon and _is_name(who, notation) else "…"


def _is_name(text: str, notation: Notation) -> bool:
    """Whether somebody could be called that who has gone since, or will come."""
    if any(map(notation.is_card, text.split())):
        return False
    try:
        checked_names(notation.lexicon, (text,))
    except Unreadable:
        return False
    return True


def begun_of(text: str, notation: Notation) -> str:
    """What is said of somebody, without what that is."""
    try:
        entry = notation.read(text)
    except Unreadable:
        return text
    verb = entry.verb
    if not _says_of(verb) or verb.speaks_of is not None or conceals(verb.syntax):
        return text
    return f"{notation.say(verb.word)} {notation.names[entry.value[0]]}: …"


def _says_of(verb: Verb) -> bool:
    """Whether something about somebody's cards or dice may follow a verb."""
    return isinstance(verb.syntax, Of) and not verb.text


def conceals(syntax: Syntax) -> bool:
    """Whether what follows a verb may be cards that only the recorder was told of."""
    if isinstance(syntax, Of):
        return conceals(syntax.inner)
    return type(syntax).hidden is not Syntax.hidden


def is_concealed(texts: Sequence[str], notation: Notation) -> bool:
    """Whether hands may have been entered for what the table has seen."""
    for text in texts:
        try:
            verb = notation.read(text).verb
        except Unreadable:
            found = notation.verbs.get(notation.opening(text)[0])
            if found is None:
                continue
            verb = found
        if conceals(verb.syntax):
            return True
    return False


def verb_of(text: str, notation: Notation) -> str:
    """The verb that an entry has; "" of one that cannot be read."""
    try:
        return notation.read(text).verb.word
    except Unreadable:
        return ""
