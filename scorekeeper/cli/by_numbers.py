"""Games without a ruleset. They are scored by numbers, under their own name.

The first time a name is used, the program asks how the winner is decided and when a match ends.
Later matches use the settings of the last match with that name in the book.
"""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING
from unicodedata import normalize

from scorekeeper.cli.common import ask_line, open_book, print_notes
from scorekeeper.cli.output import is_no, is_yes
from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import N_, tr
from scorekeeper.core.text import quote
from scorekeeper.core.types import NamedTuple
from scorekeeper.ruleset import sources
from scorekeeper.ruleset.tables import MAX_NAME

if TYPE_CHECKING:
    from collections.abc import Sequence

BY_NUMBERS = "numbers"  # the ruleset for any game that is scored by numbers
MOST, FEWEST = N_("most"), N_("fewest")
WINS = "match.wins"
OPEN_END = "false"


class Game(NamedTuple):
    """A ruleset's name with the settings for a match, as `KEY=VALUE` texts."""

    ruleset: str
    settings: list[str]


def find_game(
    typed: str, players: Sequence[str], settings: Sequence[str], book: str | None, asks: bool
) -> Game:
    """Return the ruleset for a game's name, with the settings for a match.

    A name without a ruleset becomes a game that is scored by numbers. If `asks` is true, the user
    is asked for its settings. Otherwise, the settings must state who wins. Raises Unreadable, or
    EOFError if the input ends before every question is answered.
    """
    failure = _unknown_error(typed)
    name = _name_of(typed)
    if failure is None or not name:
        return Game(typed, _complete(settings) if typed == BY_NUMBERS else [*settings])
    known = _last_settings(name, book)
    if known:
        return Game(BY_NUMBERS, [*known, *settings])
    near = sources.find_near(typed)
    if asks:
        return _ask_game(typed, name, near, settings, failure)
    wins = _value_of(WINS, settings)
    if near or not wins:
        command = _example_command(name, near, players)
        by_numbers = tr("to record only the points: {command}", command=command)
        failure.hint = "; ".join(filter(None, (failure.hint, by_numbers)))
        raise failure
    return Game(BY_NUMBERS, [*_settings(typed, name, wins), *settings])


def _unknown_error(typed: str) -> Unreadable | None:
    """Return an error, or None if the text is a path or the name of a ruleset."""
    if sources.is_path(typed):
        return None
    try:
        sources.find_ruleset(typed)
    except Unreadable as failure:
        return failure
    return None


def _name_of(typed: str) -> str:
    """Turn a game's name into a valid name for a ruleset, or into "" if no character is usable."""
    plain = normalize("NFKD", typed.casefold()).encode("ascii", "ignore").decode()
    words = "".join(char if char.isalnum() else " " for char in plain).split()
    return "-".join(words)[:MAX_NAME].strip("-")


def _last_settings(name: str, book: str | None) -> list[str]:
    """Return the settings of the last match of a game scored by numbers, or [] if there is none."""
    try:
        with open_book(book) as store:
            rows = store.matches()
    except Unreadable:
        return []
    for row in reversed(rows):
        if row.ruleset == name and row.options.get("name") == name:
            return [f"{key}={json.dumps(value)}" for key, value in row.options.items()]
    return []


def _value_of(key: str, settings: Sequence[str]) -> str:
    """Return the value of a key in settings, or ""."""
    values = [text for name, _, text in (each.partition("=") for each in settings) if name == key]
    return values[-1].strip("\"'") if values else ""


def _settings(typed: str, name: str, wins: str) -> list[str]:
    """Return the settings for a game of this name that is scored by numbers."""
    title = typed.strip()
    title = title[:1].upper() + title[1:]
    by = FEWEST if wins == FEWEST else MOST
    return [f"name={json.dumps(name)}", f"title={json.dumps(title)}", f"history.by={by}"]


def _complete(settings: Sequence[str]) -> list[str]:
    """Return the settings of a game scored by numbers, preceded by those derived from them."""
    name, wins = _value_of("name", settings), _value_of(WINS, settings)
    follows = _settings(name, name, wins) if name else []
    if wins and not name:
        follows.append(f"history.by={FEWEST if wins == FEWEST else MOST}")
    return [*follows, *settings]


def _example_command(name: str, near: str, players: Sequence[str]) -> str:
    who = " ".join(map(shlex.quote, players)) or "NAME NAME"
    if near:
        return f"scorekeeper new {BY_NUMBERS} {who} --set name={name} --set {WINS}={FEWEST}"
    ends = shlex.quote("match.ends=rounds >= 10")
    return f"scorekeeper new {name} {who} --set {WINS}={FEWEST} --set {ends}"


# --- questions


def _ask_game(
    typed: str, name: str, near: str, settings: Sequence[str], failure: Unreadable
) -> Game:
    if near and _agrees(tr("Did you mean {near}? [Y/n]", near=near)):
        return Game(near, [*settings])
    question = tr("“{name}” is not a ruleset. Record only the points? [Y/n]", name=quote(typed))
    if not _agrees(question):
        raise failure
    wins = _value_of(WINS, settings) or _ask_who_wins()
    ends = [] if _value_of("match.ends", settings) else [f"match.ends={json.dumps(_ask_end())}"]
    return Game(BY_NUMBERS, [*_settings(typed, name, wins), f"{WINS}={wins}", *ends, *settings])


def _agrees(question: str) -> bool:
    while True:
        answer = ask_line(question)
        if is_yes(answer, default=True):
            return True
        if is_no(answer):
            return False


def _ask_who_wins() -> str:
    words = {word: wins for wins in (MOST, FEWEST) for word in (wins, tr(wins))}
    while True:
        answer = ask_line(
            tr("Who wins: the player with the most or with the fewest points? (Enter: most)")
        ).casefold()
        found = {wins for word, wins in words.items() if word.startswith(answer)}
        if not answer:
            return MOST
        if len(found) == 1:
            return found.pop()


def _ask_end() -> str:
    """Return the condition under which a match ends."""
    question = tr(
        "When does a match end? Type a number of points, such as 100, or of rounds, such as"
        " 10 rounds (Enter: when the table stops)"
    )
    while True:
        number, _, word = ask_line(question).casefold().partition(" ")
        rounds = ("rounds", tr("rounds"))
        if not number:
            return OPEN_END
        if number.isascii() and number.isdigit() and 0 < int(number[:7]) == int(number):
            if not word:
                return f"tally.most >= {number}"
            if any(each.startswith(word.strip()) for each in rounds):
                return f"rounds >= {number}"
        print_notes(
            tr("“{text}” is neither points nor rounds", text=quote(f"{number} {word}".strip()))
        )
