"""Help at the start: the state of the last match, questions for a new one, its first entries."""

from __future__ import annotations

import shlex
from random import Random
from typing import TYPE_CHECKING

from scorekeeper.cli.by_numbers import find_game
from scorekeeper.cli.common import (
    FINE,
    WIDTH,
    BookOption,
    ask_line,
    cli_command,
    label_of,
    open_book,
    open_recorder,
    print_lines,
    print_notes,
    report_failure,
    ruleset_with,
    turn_text,
)
from scorekeeper.core.errors import Failure, Unreadable
from scorekeeper.core.messages import current_language, tr
from scorekeeper.core.text import display_width
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.referee import REST_MARK
from scorekeeper.match.match import Match
from scorekeeper.match.result_line import find_result
from scorekeeper.notation import Entry
from scorekeeper.notation.syntax import Cards
from scorekeeper.ruleset.tables import NONE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scorekeeper.cli.by_numbers import Game
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.notation import Notation
    from scorekeeper.notation.entry import EntryType
    from scorekeeper.notation.notation import Translator

MAX_TABLE_CARDS = 20  # maximum number of cards that a suggested entry lays on the table
MAX_SAMPLES = 20  # maximum number of sample values tried to find a legal one
NEW_COMMAND = "scorekeeper new"
TABLE_COMMAND = "scorekeeper table"
RECORD_COMMAND = "scorekeeper record"


# --- the state of the last match


@cli_command
def overview(book: BookOption = None) -> int:
    """Print the running match, whose turn it is, and the most likely commands."""
    lines, commands = _last_match(book)
    print_lines(*lines)
    wide = max(len(command) for command, _ in commands)
    for command, what in commands:
        print_lines(f"  {command:<{wide}}  {what}")
    return FINE


def _last_match(book: str | None) -> tuple[list[str], list[tuple[str, str]]]:
    """Return lines about the match that was changed last, and commands with their meanings."""
    begin = (f"{NEW_COMMAND} GAME NAME NAME …", tr("starts a match"))
    every = ("scorekeeper --help", tr("lists all commands"))
    try:
        with open_book(book) as store:
            desk = open_recorder(store, None)
            match = desk.match
            title = label_of(match, tr("match {id}", id=desk.id))
            turn = desk.translator().translate_letters(turn_text(match))
    except Unreadable:
        games = ("scorekeeper rules list", tr("lists the games"))
        return [tr("there is no match yet")], [begin, games, every]
    sheet = ("scorekeeper sheet", tr("prints the score sheet"))
    if match.over:
        return [title, turn], [sheet, begin, ("scorekeeper stats", tr("shows statistics")), every]
    table = (TABLE_COMMAND, tr("opens the live table, where you enter what happens"))
    score = ("scorekeeper score", tr("shows the tallies"))
    return [title, turn], [table, score, sheet, every]


# --- the questions for a new match


class NewMatch(NamedTuple):
    """The answers to the questions for a new match. `settings` are `KEY=VALUE` texts."""

    ruleset: str
    players: list[str]
    language: str
    settings: list[str]


def ask_new_match(ruleset: str, book: str | None) -> NewMatch | None:
    """Ask for the game, unless it is given, the players, the language and one house rule.

    Each question is repeated until its answer is valid. Return None if the input ends too early.
    The names of matches in the book that are scored by numbers are also valid games.
    """
    try:
        game = _ask_game(ruleset, book)
        rules = ruleset_with(*game)[0]
        players = _ask_players(rules)
        settings = game.settings or _ask_house_rule(rules.name)
        return NewMatch(game.ruleset, players, _ask_language(rules), settings)
    except EOFError:
        print_notes(tr("no match was started"))
        return None


def _ask_game(name: str, book: str | None) -> Game:
    while True:
        name = name or ask_line(tr("Which game? (list: scorekeeper rules list)"))
        try:
            if name:
                game = find_game(name, (), (), book, asks=True)
                ruleset_with(*game)
                return game
        except Failure as failure:
            report_failure(failure)
        name = ""


def _ask_players(rules: Ruleset) -> list[str]:
    question = tr("Who plays? Type the names clockwise, with commas or blanks between them.")
    while True:
        answer = ask_line(question)
        names = [name.strip() for name in answer.split("," if "," in answer else None)]
        try:
            if answer:
                Match(rules, names)
                return names
        except Failure as failure:
            report_failure(failure)


def _ask_language(rules: Ruleset) -> str:
    """Ask for the language in which cards are typed. Return "" if English is the only choice."""
    known = sorted(rules.lexicon.languages)
    if not known or rules.pack.card_count == 0:
        return ""
    usual = current_language()
    default = usual if usual in known else NONE
    choices = ", ".join([*known, NONE])
    question = tr(
        "In which language are cards typed? ({choices}; Enter: {default})",
        choices=choices,
        default=default,
    )
    while True:
        answer = ask_line(question).casefold() or default
        if answer in (*known, NONE):
            return answer


def _ask_house_rule(name: str) -> list[str]:
    question = tr(
        "A house rule, as KEY=VALUE? (Enter: none; keys: scorekeeper rules show {ruleset})",
        ruleset=name,
    )
    while True:
        answer = ask_line(question)
        settings = [answer] if answer else []
        try:
            ruleset_with(name, settings)
            return settings
        except Failure as failure:
            report_failure(failure)


# --- suggestions for a new match


def first_lines(match: Match, translator: Translator, options: str = "") -> Iterator[str]:
    """Yield help for a new match: who deals and acts first, the prompt, and commands to begin with.

    `options` are the command-line options that select this match.
    """
    if match.ruleset.deal["dealt"]:
        who = match.seated_players[match.current_round.seating.dealer]
        yield tr('{who} deals; if another player does, enter: record "dealer NAME"', who=who)
    if len(match.to_act) == 1:
        yield tr(
            '{who} acts first; if another player does, enter: record "lead NAME"',
            who=match.to_act[0],
        )
    yield translator.translate_letters(match.prompt)
    yield tr("open the live table, which helps while you type:")
    yield f"  {TABLE_COMMAND}{options}"
    facts, act = _suggest_start(match)
    if facts:
        yield tr("or record from the command line, first what is known at the start:")
        yield from _command_lines(facts, translator, options)
    if act:
        yield (
            tr("then record what happens, for example:")
            if facts
            else tr("or record what happens from the command line, for example:")
        )
        yield from _command_lines([(act, "")], translator, options)
    outcome = find_result(match)
    if outcome:
        yield tr("or enter only the result of a whole round:")
        if match.notation.lexicon.line_form is None:
            yield from _command_lines([(outcome, "")], translator, options)
        else:
            from scorekeeper.session.completion import shorten_result

            spoken, rnd = translator.to_spoken(outcome), match.current_round
            line = shorten_result(rnd, spoken, translator.spoken_notation)
            yield f"  {RECORD_COMMAND}{options} {_quote(line)}"


def _command_lines(
    entries: list[tuple[str, str]], translator: Translator, options: str
) -> Iterator[str]:
    """Yield a command for each entry, followed by its meaning if the line has room."""
    commands = [
        f"  {RECORD_COMMAND}{options} {_quote(translator.to_spoken(entry))}" for entry, _ in entries
    ]
    wide = max(
        display_width(line)
        for line in commands
        if display_width(line) <= WIDTH // 2 or line == commands[0]
    )
    for line, (_, about) in zip(commands, entries, strict=True):
        with_comment = f"{line}{' ' * max(0, wide - display_width(line))}  # {about}"
        yield with_comment if about and display_width(with_comment) <= WIDTH else line


def _quote(text: str) -> str:
    return shlex.quote(text) if any(sign in text for sign in '"$`\\') else f'"{text}"'


def _suggest_start(match: Match) -> tuple[list[tuple[str, str]], str]:
    """Return facts to state at the start of a match, each with its meaning, and a first act.

    The facts contain example values and are legal in the order returned. The act is legal after
    them.
    """
    trial = Match(match.ruleset, match.players, from_storage=True)
    facts: list[tuple[str, str]] = []
    act = _first_act(trial)
    for values, about in _start_facts(trial):
        for entry in values:
            if not _is_legal(trial, entry):
                continue
            trial.record(entry)
            if not act or _is_legal(trial, act):
                facts.append((entry, about))
                act = act or _first_act(trial)
                break
            trial.undo()
    return facts, act


def _start_facts(match: Match) -> Iterator[tuple[Iterable[str], str]]:
    """Yield sample entries for each fact that may be stated at the start, with the fact's
    meaning."""
    from scorekeeper.phases.table import Table

    notation, rules = match.notation, match.ruleset
    for verb in notation.entry_types.values():
        is_start_fact = verb.is_setup_fact and not isinstance(rules.phase_of[verb.word], Table)
        if is_start_fact and verb.word not in rules.disabled_verbs:
            yield _sample_entries(verb, notation), tr(verb.doc)


def _sample_entries(verb: EntryType, notation: Notation) -> Iterator[str]:
    """Yield random entries of this type."""
    for seed in range(MAX_SAMPLES):
        for value in verb.syntax.sample(Random(seed), notation)[:1]:
            yield notation.write(Entry(verb, None, value)).text


def _is_legal(match: Match, text: str) -> bool:
    try:
        ruling = match.judge(text)
    except Failure:
        return False
    return ruling.verdict == "legal" and not ruling.findings


def _first_act(match: Match) -> str:
    """Return a legal act, or "" if a fact must be stated first."""
    acts = (text for text in match.legal if REST_MARK not in text and _is_legal(match, text))
    return next(acts, "") or _table_cards_entry(match)


def _table_cards_entry(match: Match) -> str:
    """Return a legal entry that lays cards on the table, or "" if there is none now."""
    for verb in match.notation.entry_types.values():
        syntax = verb.syntax
        if verb.is_setup_fact or not verb.is_table_entry or not isinstance(syntax, Cards):
            continue
        for number in range(syntax.least, min(syntax.most, MAX_TABLE_CARDS) + 1):
            kinds = tuple(range(number))
            text = match.notation.write(Entry(verb, None, kinds)).text
            if _is_legal(match, text):
                return text
    return ""
