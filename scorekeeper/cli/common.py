"""Code that all commands share: options, opening a book or match, printing results and failures."""

from __future__ import annotations

import functools
import inspect
import os
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Annotated, Literal, ParamSpec

import typer

from scorekeeper.cli.output import follow, hearing
from scorekeeper.cli.settings import chosen_book, is_shared
from scorekeeper.core.errors import Damaged, Failure, Locked, Unreadable
from scorekeeper.core.messages import mark, tr
from scorekeeper.core.rulings import Illegal
from scorekeeper.core.text import json_text, visible
from scorekeeper.core.types import NamedTuple
from scorekeeper.notation import decision_in
from scorekeeper.notation.syntax import clean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.rulings import Ruling
    from scorekeeper.core.types import Json, Plain
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.history.statistics import Listed
    from scorekeeper.match.match import Match
    from scorekeeper.match.view import MatchView
    from scorekeeper.notation.translation import Speech
    from scorekeeper.store.recorder import Desk
    from scorekeeper.store.round_cache import Archive, StoredMatch
    from scorekeeper.store.rows import MatchRow, Store
    from scorekeeper.store.selection import Selection

P = ParamSpec("P")

FINE, REFUSED, UNREADABLE, DAMAGED, LOCKED, INTERRUPTED = 0, 1, 2, 3, 4, 130
# Words for the verdict of a ruling and for the kind of a finding.
VERDICTS = {"legal": mark("ok"), "illegal": mark("illegal"), "open": mark("open")}
KINDS = {**VERDICTS, "note": mark("note"), "warn": mark("warn")}

WIDTH = 80  # columns of printed text
# Seconds to wait for a locked book: for a person, and for lines from a pipe.
WAIT, PATIENCE = 5.0, 30.0
# Exceptions that stored data of the wrong shape may cause.
ASTRAY = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError)
NO_MATCHES = mark("no matches yet; start one: scorekeeper new RULESET NAME NAME …")
AGAIN = mark(
    "some matches have no stored summaries yet and are replayed once (scorekeeper rebuild "
    "does this for the whole book)"
)


# --- what a shell completes; never fails: nothing is better


def complete_matches(incomplete: str) -> list[tuple[str, str]]:
    """Return the numbers of matches that begin so, with descriptions, for shell completion."""
    from scorekeeper.store.opening import open_store

    try:
        with open_store(chosen_book(None)) as store:
            rows = store.matches()
    except Failure:
        return []
    return [
        (str(row.id), visible(f"{row.ruleset}: {', '.join(row.players)}"))
        for row in reversed(rows)
        if str(row.id).startswith(incomplete)
    ]


def complete_rulesets(incomplete: str) -> list[tuple[str, str]]:
    """Return the names of rulesets that begin so, each with its origin, for shell completion."""
    from scorekeeper.ruleset import sources

    return [
        (found.name, tr("shipped") if found.shipped else tr("yours"))
        for found in sources.names()
        if found.name.startswith(incomplete)
    ]


# --- options

BookOption = Annotated[
    str | None,
    typer.Option("--book", metavar="FILE", help="The book (else SCOREKEEPER_BOOK, or yours)."),
]
ShareOption = Annotated[
    Literal["nobody", "group"] | None,
    typer.Option("--share", help="Who else may use a book that this makes (default: nobody)."),
]
MatchOption = Annotated[
    str | None,
    typer.Option(
        "--match",
        metavar="ID",
        help="The match, by its number (default: the one last recorded in).",
        autocompletion=complete_matches,
    ),
]
ReadOption = Annotated[
    str | None,
    typer.Option(
        "--match",
        metavar="ID|FILE",
        help="The match, by its number, or a record file (default: the one last recorded in).",
        autocompletion=complete_matches,
    ),
]
FormatOption = Annotated[
    Literal["text", "json"], typer.Option("--format", help="How the answer is written.")
]
JobsOption = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        metavar="N",
        min=1,
        help="How many processes work on it (default: one for each core, if there is much to do).",
    ),
]

TEXT, TEXTS = str | None, list[str] | None
# Options that choose matches, by the field of `Selection` that each one fills.
SELECTION = {
    field: Annotated[kind, typer.Option(option, metavar=metavar, help=text)]
    for field, kind, option, metavar, text in (
        ("since", TEXT, "--since", "DATE", "Begun then or later: 2026-11-20, 2026-11."),
        ("until", TEXT, "--until", "DATE", "Begun then or earlier, with all of it."),
        ("players", TEXTS, "--player", "NAME", "With this player (again: and with that one)."),
        (
            "rulesets",
            TEXTS,
            "--ruleset",
            "NAME",
            "With this ruleset, or a pattern such as 'NAME*'.",
        ),
        ("places", TEXTS, "--place", "PLACE", "Played there (again: or there)."),
    )
}
# The parameter `selection` of a command under `with_selection`.
SelectionOptions = Annotated["Selection", SELECTION]


# --- a command, its answer and its failures


def commanded(command: Callable[P, int]) -> Callable[..., None]:
    """Turn a function into a command.

    It reports failures in a line or two, and ends with the exit code that the function returns or
    that the failure has. Messages are in the language that `hearing` chooses.
    """

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> int:
        try:
            return command(*args, **kwargs)
        except Failure as failure:
            return tell(failure)
        except KeyboardInterrupt:
            talk(tr("interrupted"))
            return INTERRUPTED
        except Exception as error:  # an error of the program, unless the book has malformed data
            if "book" not in kwargs:
                raise
            book = kwargs["book"]
            damaged = blamed(error, lambda: open_book(book if isinstance(book, str) else None))
            if damaged is None:
                raise
            return tell(damaged)

    return hearing(run, tell)


def blamed(error: Exception, opened: Callable[[], Store]) -> Damaged | None:
    """Return the book's first match whose stored summaries are malformed although their checksum is
    right, or None.

    Looking through a season of thousands of rounds is slow. So it happens only after an error.
    """
    if isinstance(error, ASTRAY):
        from scorekeeper.store.round_cache import misshapen

        with suppress(Failure), opened() as store:
            return next(misshapen(store), None)
    return None


def tell(failure: Failure) -> int:
    """Print what failed and what to try, and return the exit code."""
    talk(f"scorekeeper: {failure.message}")
    if failure.hint:
        talk(tr("  try: {hint}", hint=failure.hint))
    return code_of(failure)


def code_of(failure: Failure) -> int:
    """Return the exit code of a failure."""
    if isinstance(failure, Locked):
        return LOCKED
    if isinstance(failure, Damaged):
        return DAMAGED
    return REFUSED if isinstance(failure, Illegal) else UNREADABLE


def say(*lines: str) -> None:
    """Print an answer to standard output, one line for each text."""
    print(*map(visible, lines), sep="\n")


def talk(*lines: str) -> None:
    """Print notes to standard error, one line for each text."""
    print(*map(visible, lines), sep="\n", file=sys.stderr)


def say_json(value: object) -> None:
    """Print an answer as JSON to standard output."""
    print(json_text(value))


def say_json_rows(rows: Iterable[object]) -> None:
    """Print a list as JSON to standard output, row by row."""
    before = "["
    for row in rows:
        print(f"{before}\n  " + json_text(row).replace("\n", "\n  "), end="")
        before = ","
    print("[]" if before == "[" else "\n]")


# --- which match, which ruleset


def open_book(
    path: str | None, create: bool = False, patient: bool = False, share: str | None = None
) -> Store:
    """Open the book at this path, or the user's book.

    A missing book is created only with `create`, and then shared as `share` or the settings say.
    With `patient` it waits longer for a locked book, because no person could try again.
    """
    from scorekeeper.store.opening import open_store

    wait, shared = PATIENCE if patient else WAIT, create and is_shared(share)
    return open_store(chosen_book(path), create=create, wait=wait, shared=shared)


def open_desk(store: Store, wanted: str | None) -> Desk:
    """Open a match of the store for recording: the one with this number, or the latest.

    Raises Unreadable if there is no such match.
    """
    from scorekeeper.store.recorder import Desk

    desk = Desk(store, store.match().id if wanted is None else match_number(wanted))
    follow(desk.row.language)
    return desk


def match_number(wanted: str) -> int:
    """Return the number of a match from typed text. Raises Unreadable if it is not a number."""
    if wanted.isascii() and wanted.isdigit() and len(wanted) < 18:
        return int(wanted)
    raise Unreadable(
        tr("“{wanted}” is not the number of a match", wanted=wanted[:60]),
        tr("scorekeeper matches lists all matches"),
    )


def wanted_rows(store: Store, wanted: Iterable[str]) -> Iterable[MatchRow]:
    """Return the rows of these matches, each once. Raises Unreadable if a match is missing."""
    return [store.match(number) for number in dict.fromkeys(map(match_number, wanted))]


@contextmanager
def archive_of(store: Store) -> Iterator[Archive]:
    """Open the store's cache of round summaries.

    Prints a note if rounds must be replayed, and another if their summaries could not be stored.
    """
    from scorekeeper.store.round_cache import Archive

    archive = Archive(store, lambda: talk(tr(AGAIN)))
    yield archive
    if archive.unkept is not None:
        talk(
            tr(
                "the summaries of these matches could not be stored: {why}",
                why=archive.unkept.message,
            )
        )


class Opened(NamedTuple):
    """A match that a command reads.

    `label` describes it in a line. `desk` is None for a record file. `meta` has the keys `match
    started day place language title note`.
    """

    label: str
    match: Match
    desk: Desk | None
    meta: dict[str, str]

    def speech(self, format: str) -> Speech:
        """Return the translator between typed and canonical text (see `speech_of`)."""
        from scorekeeper.notation.translation import Speech

        return Speech(self.match.notation, "" if format == "json" else self.meta["language"])


def open_match(book_path: str | None, wanted: str | None, whole: bool = False) -> Opened:
    """Open a match for reading, from the book or a record file, and print its label as a note.

    A match of the book is loaded from its current round on, with `whole` from its first entry.
    """
    if wanted is not None and not wanted.isdigit():
        opened = _from_file(wanted)
    else:
        desk = open_desk(open_book(book_path), wanted)
        match = desk.whole() if whole else desk.match
        label = label_of(match, tr("match {number}", number=desk.id))
        opened = Opened(label, match, desk, meta_of(desk.row))
    talk(opened.label)
    return opened


def open_told(book_path: str | None, wanted: str | None) -> tuple[MatchView, dict[str, str]]:
    """Open a match for its finished rounds, from the book or a record file, and print its label as
    a note.

    Returns the match and its details, as `Opened.meta`. Players have their present names.
    """
    from scorekeeper.store.people import told_as

    if wanted is not None and not wanted.isdigit():
        opened = _from_file(wanted)
        talk(opened.label)
        return opened.match, opened.meta
    with open_book(book_path) as store, archive_of(store) as archive:
        row = store.match(None if wanted is None else match_number(wanted))
        follow(row.language)
        named = told_as(archive.spoken(row), store.aliases())
        talk(label_of(named, tr("match {number}", number=row.id)))
        return named, meta_of(row)


def _from_file(path: str) -> Opened:
    from scorekeeper.store.record import Source

    source = Source(path)
    match, name = source.played(), clean(os.path.basename(path))
    keys = ("started", "place", "language", "title", "note")
    meta = {key: source.data.get(key, "") for key in keys}
    follow(meta["language"])
    return Opened(label_of(match, name), match, None, {"match": name, **meta, "day": source.day})


def meta_of(row: MatchRow) -> dict[str, str]:
    return {"match": str(row.id), "started": row.started, "day": row.day, "place": row.place or "",
            "language": row.language, "title": row.title, "note": row.note}  # fmt: skip


def label_of(match: MatchView, name: str) -> str:
    """Return a line that describes a match: its name, its ruleset's title and its players."""
    return f"{name}: {match.ruleset.said(match.ruleset.title)}, {', '.join(match.players)}"


def speech_of(desk: Desk, format: str) -> Speech:
    """Return the translator for a match's language. In the format `json`, text stays canonical."""
    from scorekeeper.notation.translation import Speech

    if format != "json":
        return desk.speech()
    return Speech(desk.match.notation, now=lambda: desk.match.notation)


def joined(arguments: Iterable[str]) -> list[str]:
    """Return entries from command-line arguments. An argument that ends in a colon takes the next
    one.

    Raises Unreadable for an unknown option.

    >>> joined(["Ana:", "3x4", "Ben: pass"])
    ['Ana: 3x4', 'Ben: pass']
    """
    texts: list[str] = []
    open_name = False
    for argument in arguments:
        if argument.startswith("--"):
            raise Unreadable(
                tr("there is no option {argument}", argument=clean(argument)[:40]),
                tr("--help lists all options"),
            )
        if open_name:
            texts[-1] += f" {argument}"
        else:
            texts.append(argument)
        open_name = argument.endswith(":")
    return texts


def entries_of(match: Match, line: str, speech: Speech) -> list[str]:
    """Return the single entries of a line, as typed. Raises Unreadable."""
    texts = speech.own.split(line)
    if len(texts) == 1:
        return texts
    from scorekeeper.session.hints import entries_of

    return entries_of(match, line, speech)


def ruleset_with(
    name: str, settings: Iterable[str] | None = None
) -> tuple[Ruleset, Mapping[str, Plain]]:
    """Return the ruleset of this name or file with these settings, and the settings as a record has
    them.

    Raises a Failure that names the mistakes.
    """
    from scorekeeper.engine.loading import check, refusal

    loaded, options, faults = check(name, settings or ())
    if loaded is None:
        raise refusal(name, faults)
    return loaded, options


# --- which matches of a book


def with_selection(command: Callable[P, int]) -> Callable[P, int]:
    """Return the command with the options of SELECTION in place of its parameter `selection`."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> int:
        from scorekeeper.store.selection import EVERYTHING

        given: Json = {name: kwargs.pop(name) for name in SELECTION}
        chosen = {name: value for name, value in given.items() if value}
        kwargs["selection"] = EVERYTHING._replace(**chosen)
        return command(*args, **kwargs)

    parameters: list[inspect.Parameter] = []
    for each in inspect.signature(command, eval_str=True).parameters.values():
        if each.name == "selection":
            parameters += (
                each.replace(name=name, annotation=kind, default=None)
                for name, kind in SELECTION.items()
            )
        else:
            parameters.append(each)
    run.__annotations__ = {}  # typer would resolve them, but only type checkers know `Selection`
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return run


def selected_rows(store: Store, ids: Sequence[str], selection: Selection) -> Iterable[MatchRow]:
    """Return the matches with these numbers, or else those selected, oldest first.

    Raises Unreadable for numbers together with a selection, and if a match is missing.
    """
    from scorekeeper.store.selection import selected

    named_or_chosen(ids, selection)
    return wanted_rows(store, ids) if ids else selected(store, selection)


def dated_rows(store: Store, ids: Sequence[str], selection: Selection) -> Iterable[MatchRow]:
    """Return the same matches as `selected_rows`, in the order of their dates."""
    from scorekeeper.store.selection import by_date

    return by_date(store, selected_rows(store, sorted(ids, key=match_number), selection))


def listed_of(kept: StoredMatch, names: Mapping[str, str]) -> Listed:
    """Return a catalogue entry for a stored match, with its players renamed by `names`."""
    from scorekeeper.history.statistics import Listed
    from scorekeeper.store.people import told_as

    row = kept.row
    return Listed(
        told_as(kept, names), str(row.id), row.started, row.place or "", row.title, row.note,
        row.language, row.identifier, row.options, row.day,
    )  # fmt: skip


def named_or_chosen(named: Sequence[str], selection: Selection) -> None:
    """Raise Unreadable if matches are both named and selected by options."""
    from scorekeeper.store.selection import EVERYTHING

    if named and selection != EVERYTHING:
        raise Unreadable(
            tr("matches are chosen by number or by options, not by both"),
            tr("leave out the numbers, or the options that choose"),
        )


# --- what is said of a match


def language_text(language: str, speech: Speech) -> str:
    """Return a line with a match's language and the letters of its cards."""
    letters = speech.letters()
    if not letters:
        return tr("language: {language}", language=language)
    return tr("language: {language} (cards are {letters})", language=language, letters=letters)


def ruling_lines(ruling: Ruling, speech: Speech) -> list[str]:
    """Return a ruling as lines: the entry with its verdict, then each finding with its source."""
    verdict = tr(VERDICTS[ruling.verdict])
    doubt = "?" if ruling.is_open and not decision_in(ruling.entry) else ""
    lines = [f"{speech.echo(ruling.entry)}{doubt}  [{verdict}]"]
    for finding in ruling.findings:
        word = "note" if finding.verdict == "legal" else finding.verdict
        if finding.verdict == "illegal" and finding.severity != "refuse":
            word = finding.severity
        lines.append(f"  {tr(KINDS[word])}: {speech.told(finding.reason)} ({finding.source})")
    return lines


def going_on(ruling: Ruling, match: Match, speech: Speech) -> list[str]:
    """Return indented lines about what may be claimed after a ruling: costs, and what to type."""
    if not any("type" in finding.facts for finding in ruling.findings):
        return []
    from scorekeeper.session.rulings import Faults

    faults = Faults(match, match, speech)
    told = [line for fault in faults.ruled(ruling) for line in faults.lines(fault, WIDTH - 4)]
    return [f"    {line}" for line in told]


def waiting_text(match: Match, speech: Speech) -> str:
    """Return the entry to type for a fault that waits to be rated, or ""."""
    if not match.live.decisions.watching:
        return ""
    from scorekeeper.session.rulings import Faults

    return Faults(match, match, speech).weighs


def turn_text(match: Match) -> str:
    """Return a line that says whose turn it is, or how the match ended."""
    if match.over:
        return tr("the match is over: {result}", result=result_text(match))
    names = match.to_act
    prompt = match.prompt
    if not names:
        return tr("now: {prompt}", prompt=prompt)
    return tr("to act: {names} ({prompt})", names=", ".join(names), prompt=prompt)


def result_text(match: Match) -> str:
    """Return the tallies in a line, after the outcome if the match is finished."""
    scores = ", ".join(f"{name} {points}" for name, points in match.scores.items())
    return f"{match.outcome} ({scores})" if match.over else scores


def failed_lines(failure: Failure, match: Match, speech: Speech, typed: str) -> list[str]:
    """Return lines about an entry that failed, with a hint. For a result, suggest one that is
    valid."""
    message, *hint = failure_lines(failure, speech)
    readable, found = _in_its_place(match, speech, typed)
    if not found:
        return [message, *hint]
    if hint and readable:
        return [message, tr("{hint}; such as {entry}", hint=hint[0], entry=found)]
    return [message, tr("  try: {hint}", hint=found)]


def refused_lines(match: Match, speech: Speech, typed: str) -> list[str]:
    """Return a suggestion in place of a refused result, or nothing for any other entry."""
    found = _in_its_place(match, speech, typed)[1]
    return [tr("  try: {hint}", hint=found)] if found else []


def failure_lines(failure: Failure, speech: Speech) -> list[str]:
    """Return lines about a failure: the message, then the hint."""
    told = speech.failure(failure)
    lines = [f"  {told.message}"]
    return [*lines, tr("  try: {hint}", hint=told.hint)] if told.hint else lines


def _in_its_place(match: Match, speech: Speech, typed: str) -> tuple[bool, str]:
    """Return whether the text can be read, and a valid result in place of a wrong one, or ""."""
    from scorekeeper.match.result_line import RESULT, result_line

    readable, said = True, typed
    try:
        word = speech.own.read(typed).verb.word
        said = speech.canonical(typed)
    except Unreadable:
        readable, word = False, speech.own.opening(typed)[0]
    return readable, speech.spoken(result_line(match, said)) if word == RESULT else ""
