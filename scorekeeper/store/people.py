"""The players of a store, and aliases for players with several written names.

The log and the records contain the names as they were written; aliases exist only in a store. If
two players in a match would have the same name, their written names are shown in that match.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import N_, tr
from scorekeeper.core.text import did_you_mean, quote
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.seating import ROSTER
from scorekeeper.match.view import MatchView, ReviewedRound
from scorekeeper.notation.languages import check_names
from scorekeeper.notation.syntax import normalize
from scorekeeper.ruleset.ranking import FIGURES
from scorekeeper.store.round_cache import all_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.types import Summary
    from scorekeeper.match.summary import ListedEntry
    from scorekeeper.match.view import WrittenRound
    from scorekeeper.store.rows import Store


# Keys of a summary. The values of OTHER_KEYS are objects whose keys are not names of players. In
# the values of AS_WRITTEN, no name is replaced.
OTHER_KEYS = ("roles", "counts", ROSTER, FIGURES)
AS_WRITTEN = ("found", "notes", "decisions", "result", "void")


class Person(NamedTuple):
    """A player: the display name, and the number of matches that use each written name."""

    name: str
    spellings: dict[str, int]

    @property
    def matches(self) -> int:
        """The number of matches in which the player took part."""
        return sum(self.spellings.values())


def people(store: Store) -> list[Person]:
    """Return all players, sorted by name."""
    spellings_by_name: dict[str, dict[str, int]] = {}
    aliases = store.aliases()
    for row in all_rows(store):
        for name in row.all_players:
            spellings = spellings_by_name.setdefault(aliases.get(name, name), {})
            spellings[name] = spellings.get(name, 0) + 1
    order = sorted(spellings_by_name, key=lambda name: (name.casefold(), name))
    return [Person(name, dict(sorted(spellings_by_name[name].items()))) for name in order]


def find_people(store: Store, names: Sequence[str]) -> list[Person]:
    """Return the players with these display names or written names. Raises Unreadable for an
    unknown name."""
    known = people(store)
    return [_find_person(name, known) for name in names]


def _find_person(name: str, known: Sequence[Person]) -> Person:
    text = normalize(name)
    for matches in (
        [each for each in known if each.name == text],
        [each for each in known if text in each.spellings],
        [each for each in known if each.name.casefold() == text.casefold()],
    ):
        if len(matches) == 1:
            return matches[0]
    hint = did_you_mean(name, [each.name for each in known])
    message = tr("no player in the book is called “{name}”", name=quote(name))
    raise Unreadable(message, hint or "scorekeeper players list")


def rename(store: Store, old: str, new: str) -> Person:
    """Change the display name of a player.

    Raises Unreadable if the name is not allowed or if another player already has it.
    """
    (new,) = check_names([new], ())
    with store.batch():
        known = people(store)
        one = _find_person(old, known)
        for each in known:
            if each is not one and each.name.casefold() == new.casefold():
                raise Unreadable(
                    tr("another player is already called {name}", name=each.name),
                    tr(
                        "if they are the same person, enter {command}",
                        command="scorekeeper players merge "
                        f"{quote_for_shell(one.name)} {quote_for_shell(each.name)}",
                    ),
                )
        _set_aliases(store, [one], new)
    return Person(new, one.spellings)


def merge(store: Store, names: Sequence[str], into: str) -> Person:
    """Give several players one display name. Raises Unreadable if two of them play in one match."""
    with store.batch():
        known = people(store)
        target = _find_person(into, known)
        persons = [
            target,
            *(one for one in (_find_person(name, known) for name in names) if one != target),
        ]
        every = {spelling: one.name for one in persons for spelling in one.spellings}
        for row in all_rows(store):
            names_in_match = [name for name in row.all_players if name in every]
            if len(names_in_match) > 1:
                say = N_(
                    "{one} and {other} both play in match {match}, so they cannot be the "
                    "same person"
                )
                one, other = names_in_match[:2]
                message = tr(say, one=one, other=other, match=row.id)
                raise Unreadable(message, f"scorekeeper describe --match {row.id}")
        _set_aliases(store, persons, target.name)
    return Person(target.name, {key: n for one in persons for key, n in one.spellings.items()})


def forget(store: Store, names: Sequence[str]) -> list[Person]:
    """Remove the aliases of the players with these names, so that their written names are shown."""
    with store.batch():
        forgotten = find_people(store, names)
        names_to_forget = {one.name for one in forgotten}
        store.set_aliases(
            {key: "" for key, name in store.aliases().items() if name in names_to_forget}
        )
    return forgotten


def _set_aliases(store: Store, persons: Sequence[Person], name: str) -> None:
    """Set the alias for all written names of these players, even for names that no longer occur in
    any match."""
    shown_names = {one.name for one in persons}
    spellings = {key for one in persons for key in one.spellings}
    spellings |= {
        key for key, alias in store.aliases().items() if alias in shown_names
    } | shown_names
    store.set_aliases({key: "" if key == name else name for key in spellings})


def quote_for_shell(name: str) -> str:
    """Return a name quoted for a shell command."""
    from shlex import quote

    return quote(name)


# --- matches with aliases applied


def display_names(players: Sequence[str], aliases: Mapping[str, str]) -> dict[str, str]:
    """Return the display name of each player of a match."""
    shown = {name: aliases.get(name, name) for name in players}
    same = len({name.casefold() for name in shown.values()}) < len(shown)
    return {name: name for name in players} if same else shown


def with_display_names(match: MatchView, aliases: Mapping[str, str]) -> MatchView:
    """Return a match that shows display names in place of the written ones."""
    names = display_names(match.players, aliases)
    return match if list(names.values()) == match.players else RenamedMatch(match, names)


class RenamedMatch(MatchView):
    """A match that shows other names in place of the written ones."""

    def __init__(self, match: MatchView, names: Mapping[str, str]) -> None:
        self.ruleset = match.ruleset
        self._match = match
        self._names = names
        # The facts whose values are players. The values of other facts, such as a suit, may equal a
        # name by chance.
        phases = match.ruleset.phases.values()
        self._of_players = frozenset(name for phase in phases for name in phase.player_reports)

    @property
    def players(self) -> list[str]:
        """The display names of all players who have ever been at the table. They are listed in the
        order in which they joined, beginning with the initial players."""
        return list(self._names.values())

    @property
    def seated_players(self) -> list[str]:
        """The players at the table, clockwise."""
        return [self._names[name] for name in self._match.seated_players]

    @property
    def initial_players(self) -> list[str]:
        """The players who began the match."""
        return [self._names[name] for name in self._match.initial_players]

    @property
    def scores(self) -> dict[str, int]:
        """The tallies of all players who have ever been at the table, by name."""
        return {self._names[name]: points for name, points in self._match.scores.items()}

    @property
    def over(self) -> bool:
        """True if the match is finished."""
        return self._match.over

    @property
    def preferred(self) -> list[str]:
        """The names of the only players who can win. The list is empty if every player can win."""
        return [self._names[name] for name in self._match.preferred]

    def summaries(self) -> Iterable[Summary]:
        """Yield the summary of every round, in order."""
        return map(self._rename_summary, self._match.summaries())

    def review(self) -> Iterator[ReviewedRound]:
        """Yield every round with its entries, as they were written, and its summary."""
        for finished in self._match.review():
            yield ReviewedRound(finished.entries, self._rename_summary(finished.summary))

    def list_entries(self) -> Iterator[tuple[Summary, list[ListedEntry]]]:
        """Yield the summary of every round, with its entries as they were written."""
        for summary, entries in self._match.list_entries():
            yield self._rename_summary(summary), entries

    def written_rounds(self) -> Iterator[WrittenRound]:
        """Return every round in the form that a record uses."""
        return self._match.written_rounds()

    def _rename_summary(self, summary: Summary) -> Summary:
        renamed = {
            key: value if key in AS_WRITTEN else self._rename_value(value, rows=key in OTHER_KEYS)
            for key, value in summary.items()
            if key not in ("facts", "lines")
        }
        renamed["facts"] = {
            key: self._rename_fact(key, each) for key, each in summary["facts"].items()
        }
        renamed["lines"] = [
            {**line, "for": self._rename_text(line["for"])} for line in summary["lines"]
        ]
        return renamed

    def _rename_fact(self, key: str, value: Any) -> Any:  # a JSON value
        if key in self._of_players:
            return self._rename_value(value)
        if isinstance(value, dict):
            return {self._rename_text(name): each for name, each in value.items()}
        return value

    def _rename_value(self, value: Any, *, rows: bool = False) -> Any:  # JSON values of any shape
        if isinstance(value, dict):
            return {
                key if rows else self._rename_text(key): self._rename_value(each)
                for key, each in value.items()
            }
        if isinstance(value, list):
            return [self._rename_value(each) for each in value]
        return self._rename_text(value) if isinstance(value, str) else value

    def _rename_text(self, text: str) -> str:
        """Return a string with display names in place of written names.

        The string may be a name, several joined names, or a name followed by a colon.
        """
        if text in self._names:
            return self._names[text]
        for joint in (" + ", "+", ", "):
            parts = text.split(joint)
            if len(parts) > 1 and all(part in self._names for part in parts):
                return joint.join(self._names[part] for part in parts)
        who, colon, what = text.partition(": ")
        return f"{self._names[who]}{colon}{what}" if colon and who in self._names else text
