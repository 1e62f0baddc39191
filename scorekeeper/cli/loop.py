"""Entering at a terminal without the live table: `record` as a loop, a result field by field, and
suggestions for a new match.

The loop reads a line and prints its ruling until the user leaves. If the system has readline, the
line can be edited, Tab completes entries, and earlier lines are available. They are stored in a
file next to the book, except lines with hidden cards.
"""

from __future__ import annotations

import os
import shlex
import sys
from random import Random
from typing import TYPE_CHECKING

from scorekeeper.cli.common import FINE, WIDTH, say, talk, tell
from scorekeeper.cli.output import agrees, disagrees
from scorekeeper.core.errors import Failure, Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.text import columns
from scorekeeper.engine.referee import REST
from scorekeeper.match.match import Match
from scorekeeper.match.result_line import result_line
from scorekeeper.notation import Entry
from scorekeeper.notation.syntax import Cards, clean
from scorekeeper.session.hints import COMMANDS, command_of
from scorekeeper.session.live import LiveMatch
from scorekeeper.store.files import check_no_database

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from scorekeeper.notation import Notation
    from scorekeeper.notation.entry import Verb
    from scorekeeper.notation.translation import Speech
    from scorekeeper.store.recorder import Desk

HERE = ("help", "undo", "last", "score", "result", "quit")  # commands that the loop understands

HISTORY = ".history"  # suffix of the file's name, after the book's
MOST_KEPT = 500

LONG = 50  # characters of a hand in an example
MOST_OPEN = 20  # cards turned up at once
TRIED = 20  # values of a fact until one is legal
PLAIN = "scorekeeper record"


class Loop:
    """Reads lines and records them in a match.

    `take` records lines, `turn` returns whose turn it is, `ask` asks for a result. `history` are
    the lines without secrets, oldest first.
    """

    def __init__(
        self,
        desk: Desk,
        take: Callable[[list[str]], int],
        turn: Callable[[], str],
        ask: Callable[[], int],
    ) -> None:
        self.desk, self.take, self.turn, self.ask = desk, take, turn, ask
        self.live = LiveMatch(desk)
        self.speech = self.live.speech
        path = getattr(desk.store, "path", None)
        self._path = f"{path}{HISTORY}" if path else ""
        self.history = self._kept()
        self._remember: Callable[[str], object] = str
        self._edit()

    def run(self) -> int:
        """Read lines until an empty one, the end of input or "quit". Return the exit code."""
        talk(tr("type what happens; undo removes the last entry, an empty line ends"))
        say(self.turn())
        while True:
            sys.stdout.flush()
            try:
                line = input("> ").strip()
            except EOFError:
                return FINE
            command = self._command(line)
            if not line or command == "quit":
                return FINE
            try:
                self._do(command) if command else self._enter(line)
            except Failure as failure:
                tell(self.speech.failure(failure))
            self.live.changes += 1

    def _command(self, line: str) -> str:
        """Return the command that a line is, or "" for an entry."""
        command = command_of(line.casefold().removeprefix("/"))
        if command not in HERE:
            return ""
        entry = command != "undo" and not line.startswith("/") and self.live.is_entry(line)
        return "" if entry else command

    def _do(self, command: str) -> None:
        if command == "undo":
            taken = self.speech.echo(self.desk.undo())
            say(tr("taken back: {entry}", entry=taken), self.turn())
        elif command == "help":
            known = [f"{tr(word)}: {tr(COMMANDS[word])}" for word in HERE]
            say(*self.live.help(), *known, self.live.other_forms())
        elif command == "result":
            self.ask()
        else:
            say(*getattr(self.live, command)())

    def _enter(self, line: str) -> None:
        self._remember(line)
        self.take([line])
        self._keep(line)

    # --- the line

    def _edit(self) -> None:
        """Make the line editable, with earlier lines, if the system has readline."""
        try:
            import readline
        except ImportError:
            return
        readline.set_auto_history(False)
        for line in self.history:
            readline.add_history(line)
        self._remember = readline.add_history
        readline.set_completer_delims("")
        readline.set_completer(self._complete)
        readline.parse_and_bind("tab: complete")

    def _complete(self, line: str, number: int) -> str | None:
        found = self.live.complete(line)
        if number >= len(found):
            return None
        return line[: len(line) - found[number].length] + found[number].text

    # --- what was typed before

    def _kept(self) -> list[str]:
        try:
            with open(self._path, encoding="utf-8", errors="replace") as file:
                lines = file.read().splitlines()
        except OSError:
            return []
        return [line for line in lines if line.isprintable()][-MOST_KEPT:]

    def _keep(self, line: str) -> None:
        """Store a line unless it shows hidden cards."""
        if not self._is_open(line):
            return
        self.history = [*self.history, line][-MOST_KEPT:]
        if not self._path:
            return
        try:
            check_no_database(self._path)  # protects a book that has this name
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            with open(os.open(self._path, flags, 0o600), "w", encoding="utf-8") as file:
                file.write("".join(f"{kept}\n" for kept in self.history))
        except (OSError, Failure):
            self._path = ""

    def _is_open(self, line: str) -> bool:
        speech, hide = self.speech, self.speech.plain.hide
        try:
            texts = [
                speech.plain.read(speech.canonical(text)).text for text in speech.own.split(line)
            ]
        except Failure:
            return False
        return line.isprintable() and all(hide(text) == text for text in texts)


# --- a round's result, field by field: the words come from the rules


def asked_result(match: Match, speech: Speech) -> str | None:
    """Ask for the fields of a result. Return the `result` entry, or None if the user cancels.

    On a terminal a field is asked again until its answer is valid. Otherwise each line of standard
    input is an answer, and the first wrong one raises Unreadable.
    """
    if not match.now.result_fields():
        raise Unreadable(tr("this game has no result to enter for a whole round"))
    if sys.stdin.isatty():
        return _filled_in(match, speech)
    text = f"result {' '.join(_answers(match))}".strip()
    kept = speech.canonical(text)
    talk(speech.told(match.judge(kept).text))
    talk(_worth(match, kept))
    return text


def _filled_in(match: Match, speech: Speech) -> str | None:
    from scorekeeper.session.forms import Form
    from scorekeeper.session.hints import REFUSED

    form = Form(match, speech)
    while True:
        while not form.done:
            talk(form.question)
            if not form.take(_typed()):
                talk(tr("nothing was recorded"))
                return None
            if form.wrong:
                talk(form.wrong)
        hint = form.preview()
        talk(f"{form.text}: {hint.text}")
        if hint.kind == REFUSED:
            form.ask_again()
            continue
        if _is_meant():
            return form.text
        talk(tr("nothing was recorded"))
        return None


def _is_meant() -> bool:
    """Ask until the user says yes or no, and return whether to store the result."""
    while True:
        talk(tr("record it? [Y/n]"))
        said = _typed()
        if agrees(said, default=True):
            return True
        if disagrees(said) or command_of(said.casefold()) == "quit":
            return False


def _typed() -> str:
    """Read a line that can be edited where the system allows it."""
    sys.stdout.flush()
    try:
        return input("> ").strip()
    except EOFError:
        return "quit"


def _answers(match: Match) -> list[str]:
    rnd = match.now
    fields = rnd.result_fields()
    answers: list[str] = []
    for key, what, words in fields:
        said = f"{what} ({', '.join(words)})" if words else what
        talk(tr("{key}: {what}; leave empty to omit", key=key, what=said))
        answer = clean(_line())
        if answer:
            answers.append(f"{key}={answer}" if answer != key else key)
    return answers


def _line() -> str:
    line = sys.stdin.readline()
    if not line:
        raise Unreadable(tr("the answers ended before the result was complete"))
    return line.strip()


def _worth(match: Match, text: str) -> str:
    """Return a line with the scores that a result would bring."""
    trial = match.beside(match.now.seating.began, match.now.number)
    played = trial.play_round([logged.entry.text for logged in match.now.log] + [text])
    if played.scores is None:
        return tr("worth: no score")
    scores = ", ".join(f"{name} {points:+}" for name, points in played.scores.items())
    return tr("worth: {scores}", scores=scores)


# --- what a match that has just begun waits for, with commands that work as they stand there


def first_lines(match: Match, speech: Speech, options: str = "") -> Iterator[str]:
    """Yield who deals, who acts first, what the game waits for, and commands for the first entries.

    `options` are what a command needs for this match.
    """
    if match.ruleset.deal["dealt"]:
        who = match.seated[match.now.seating.dealer]
        yield tr('{who} deals (another: record "dealer NAME")', who=who)
    if len(match.to_act) == 1:
        yield tr('{who} acts first (another: record "lead NAME")', who=match.to_act[0])
    yield speech.told(match.prompt)
    facts, act = _start(match)
    if facts:
        yield tr("first state what is known at the start:")
        yield from _commands(facts, speech, options)
    if act:
        yield tr("then record what happens:") if facts else tr("record what happens first:")
        yield from _commands([(act, "")], speech, options)
    outcome = result_line(match)
    if outcome:
        yield tr("or enter only the result of a whole round:")
        yield from _commands([(outcome, "")], speech, options)


def _commands(entries: list[tuple[str, str]], speech: Speech, options: str) -> Iterator[str]:
    """Yield a command for each entry, with a comment on its meaning if the line has room."""
    said = [f"  {PLAIN}{options} {_quoted(speech.spoken(entry))}" for entry, _ in entries]
    wide = max(columns(line) for line in said if columns(line) <= WIDTH // 2 or line == said[0])
    for line, (_, about) in zip(said, entries, strict=True):
        told = f"{line}{' ' * max(0, wide - columns(line))}  # {about}"
        yield told if about and columns(told) <= WIDTH else line


def _quoted(text: str) -> str:
    return shlex.quote(text) if any(sign in text for sign in '"$`\\') else f'"{text}"'


def _start(match: Match) -> tuple[list[tuple[str, str]], str]:
    """Return facts to state at the start of a match, each with its meaning, and a first act.

    The facts are legal in this order, with example values, and the act is legal after them.
    """
    trial = Match(match.ruleset, match.players, kept=True)
    facts: list[tuple[str, str]] = []
    act = _first_act(trial)
    for values, about in _wanted(trial):
        for entry in values:
            if not _is_fine(trial, entry):
                continue
            trial.record(entry)
            if not act or _is_fine(trial, act):
                facts.append((entry, about))
                act = act or _first_act(trial)
                break
            trial.undo()
    return facts, act


def _wanted(match: Match) -> Iterator[tuple[Iterable[str], str]]:
    """Yield for each fact of a start possible entries, and what they mean."""
    from scorekeeper.phases.table import Table

    notation, rules = match.notation, match.ruleset
    for verb in notation.verbs.values():
        told = verb.fact and not isinstance(rules.phase_of[verb.word], Table)
        if told and verb.word not in rules.off:
            yield _values(verb, notation), tr(verb.doc)
    size = rules.deal_size(len(match.now.seats)) if match.now.has_hands else 0
    if size:
        kinds = notation.kinds
        cards = " ".join(kinds[at * len(kinds) // size] for at in range(size))
        hands = [f"hand {match.players[0]}: {held}" for held in (cards, size)]
        about = tr(notation.verbs["hand"].doc)
        yield [hand for hand in hands if len(hand) <= LONG or hand == hands[-1]], about


def _values(verb: Verb, notation: Notation) -> Iterator[str]:
    """Yield random entries of this type."""
    for seed in range(TRIED):
        for value in verb.syntax.sample(Random(seed), notation)[:1]:
            yield notation.finish(Entry(verb, None, value)).text


def _is_fine(match: Match, text: str) -> bool:
    try:
        ruling = match.judge(text)
    except Failure:
        return False
    return ruling.verdict == "legal" and not ruling.findings


def _first_act(match: Match) -> str:
    """Return a legal act, or "" if something must be stated first."""
    acts = (text for text in match.legal if REST not in text and _is_fine(match, text))
    return next(acts, "") or _laid_open(match)


def _laid_open(match: Match) -> str:
    """Return an entry for cards that the table turns up now, or ""."""
    for verb in match.notation.verbs.values():
        syntax = verb.syntax
        if verb.fact or not verb.table or not isinstance(syntax, Cards):
            continue
        for number in range(syntax.least, min(syntax.most, MOST_OPEN) + 1):
            kinds = tuple(range(number))
            text = match.notation.finish(Entry(verb, None, kinds)).text
            if _is_fine(match, text):
                return text
    return ""
