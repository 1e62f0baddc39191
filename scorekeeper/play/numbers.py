"""Entries that name others by their numbers: an amendment must not turn them to another entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible
from scorekeeper.core.messages import tr
from scorekeeper.core.types import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.play.rounds import Rounds


class Naming(NamedTuple):
    """An entry that names another one: where it stands and which it names, as round and number,
    and its text."""

    at: tuple[int, int]
    names: tuple[int, int]
    text: str


class Moving(NamedTuple):
    """What an amendment changes of the numbers of entries: from which entry of which round on, how
    many it takes out and how many it puts in."""

    round: int
    entry: int
    out: int
    put_in: int


def check_numbers(match: Rounds, moving: Moving) -> None:
    """Raise Impossible where an amendment gives other numbers to what one that stays names."""
    rounds = match.rounds
    number, entry, out, put_in = moving
    if out == put_in or not any(verb.speaks_of for verb in match.ruleset.verbs.values()):
        return
    (amended,) = (played for played in rounds if played.number == number)
    is_gone = len(amended.entries) == out and not put_in  # and the later rounds move up
    for at, names, text in reversed(list(_naming(match))):
        stays = at[0] != number or not entry <= at[1] < entry + out
        moves = names[0] == number and names[1] >= entry
        if stays and (moves or (is_gone and names[0] >= number and names[0] != at[0])):
            where = f"{at[0]}.{at[1]}"
            raise Impossible(
                tr(
                    "“{text}” ({where}) names an entry by its number, which would "
                    "be another one then",
                    text=text,
                    where=where,
                ),
                tr(
                    "take it out first ({remove}); then put it in there again, with the"
                    " number that is right ({put_in})",
                    remove=f"amend --remove {where}",
                    put_in="amend --before",
                ),
            )


def _naming(match: Rounds) -> Iterator[Naming]:
    for played in match.rounds:
        for at, entry in enumerate(match.notation_of(played).read_all(played.entries), 1):
            names = entry.verb.speaks_of and entry.verb.speaks_of(entry.value)
            if names:
                of = (names[0] or played.number, names[1])
                yield Naming((played.number, at), of, entry.text)
