"""Code shared by all commands: options, opening of books and matches, output and error
reporting."""

from __future__ import annotations

import functools
import inspect
import os
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Annotated, Literal, ParamSpec

import typer

from scorekeeper.cli.output import accept_language, use_match_language
from scorekeeper.cli.settings import chosen_book, is_book_shared
from scorekeeper.core.errors import Damaged, Failure, Locked, Unreadable
from scorekeeper.core.messages import N_, tr
from scorekeeper.core.rulings import Illegal
from scorekeeper.core.text import escape_controls, format_json
from scorekeeper.core.types import NamedTuple
from scorekeeper.notation import find_decision
from scorekeeper.notation.syntax import clean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.rulings import Ruling
    from scorekeeper.core.types import Json, JsonValue
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.history.statistics import CatalogEntry
    from scorekeeper.match.match import Match
    from scorekeeper.match.view import MatchView
    from scorekeeper.notation.notation import Translator
    from scorekeeper.store.recorder import MatchRecorder
    from scorekeeper.store.round_cache import RoundCache, StoredMatch
    from scorekeeper.store.rows import MatchRow, Store
    from scorekeeper.store.selection import Selection

P = ParamSpec("P")

FINE, REFUSED, UNREADABLE, DAMAGED, LOCKED, INTERRUPTED = 0, 1, 2, 3, 4, 130
# Labels for verdicts and for kinds of findings.
VERDICT_LABELS = {"legal": N_("ok"), "illegal": N_("illegal"), "open": N_("open")}
FINDING_LABELS = {**VERDICT_LABELS, "note": N_("note"), "warn": N_("warn")}

WIDTH = 80  # maximum width of printed text, in characters
# Seconds to wait for a locked book, first at a terminal, then for piped input.
LOCK_TIMEOUT, PIPE_LOCK_TIMEOUT = 5.0, 30.0
# Exceptions that malformed stored data may cause.
SHAPE_ERRORS = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError)
NO_MATCHES = N_("no matches yet; start one: scorekeeper new RULESET NAME NAME …")
REPLAYING = N_(
    "some matches have no stored summaries yet and are replayed once (to do this for the "
    "whole book: scorekeeper rebuild)"
)


# --- shell completion; errors return no completions


def complete_matches(incomplete: str) -> list[tuple[str, str]]:
    """Return the match numbers that begin with the typed text, with descriptions, for shell
    completion."""
    try:
        with open_store(chosen_book(None)) as store:
            rows = store.matches()
    except Failure:
        return []
    return [
        (str(row.id), escape_controls(f"{row.ruleset}: {', '.join(row.players)}"))
        for row in reversed(rows)
        if str(row.id).startswith(incomplete)
    ]


def complete_rulesets(incomplete: str) -> list[tuple[str, str]]:
    """Return the ruleset names that begin with the typed text, with their origins, for shell
    completion."""
    from scorekeeper.ruleset import sources

    return [
        (ruleset.name, tr("shipped") if ruleset.shipped else tr("yours"))
        for ruleset in sources.list_rulesets()
        if ruleset.name.startswith(incomplete)
    ]


# --- options

BookOption = Annotated[
    str | None,
    typer.Option(
        "--book", metavar="FILE", help="The book (default: SCOREKEEPER_BOOK, or your own book)."
    ),
]
ShareOption = Annotated[
    Literal["nobody", "group"] | None,
    typer.Option("--share", help="Who else may use a new book (default: nobody)."),
]
MatchOption = Annotated[
    str | None,
    typer.Option(
        "--match",
        metavar="ID",
        help="The match number (default: the most recently changed match).",
        autocompletion=complete_matches,
    ),
]
ReadOption = Annotated[
    str | None,
    typer.Option(
        "--match",
        metavar="ID|FILE",
        help="A match number or a record file (default: the most recently changed match).",
        autocompletion=complete_matches,
    ),
]
FormatOption = Annotated[
    Literal["text", "json"], typer.Option("--format", help="The output format.")
]
JobsOption = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        metavar="N",
        min=1,
        help="The number of processes (default: one per core if there is much to do).",
    ),
]

OPTIONAL_TEXT, OPTIONAL_TEXTS = str | None, list[str] | None
# Options that select matches. Each key is the field of `Selection` that the option sets.
SELECTION_OPTIONS = {
    field: Annotated[kind, typer.Option(option, metavar=metavar, help=text)]
    for field, kind, option, metavar, text in (
        (
            "since",
            OPTIONAL_TEXT,
            "--since",
            "DATE",
            "Only matches on or after this date, such as 2026-11-20 or 2026-11.",
        ),
        (
            "until",
            OPTIONAL_TEXT,
            "--until",
            "DATE",
            "Only matches up to this date, which may also be a month or a year.",
        ),
        (
            "players",
            OPTIONAL_TEXTS,
            "--player",
            "NAME",
            "Only matches with this player. If repeated: with all these players.",
        ),
        (
            "rulesets",
            OPTIONAL_TEXTS,
            "--ruleset",
            "NAME",
            "Only matches with this ruleset. 'NAME*' selects several rulesets.",
        ),
        (
            "places",
            OPTIONAL_TEXTS,
            "--place",
            "PLACE",
            "Only matches at this place. If repeated: at any of these places.",
        ),
    )
}
# The type of the parameter `selection` in a command decorated with `with_selection`.
SelectionOptions = Annotated["Selection", SELECTION_OPTIONS]


# --- commands, their output and their failures


def cli_command(command: Callable[P, int]) -> Callable[..., None]:
    """Turn a function into a command.

    A failure is printed as a message and, if there is one, a hint. The exit code is the function's
    return value, or the failure's exit code. Messages are in the language chosen by
    `accept_language`.
    """

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> int:
        try:
            return command(*args, **kwargs)
        except Failure as failure:
            return report_failure(failure)
        except KeyboardInterrupt:
            print_notes(tr("interrupted"))
            return INTERRUPTED
        except Exception as error:  # a bug in the program, unless the book contains malformed data
            if "book" not in kwargs:
                raise
            book = kwargs["book"]
            damaged = diagnose(error, lambda: open_book(book if isinstance(book, str) else None))
            if damaged is None:
                raise
            return report_failure(damaged)

    return accept_language(run, report_failure)


def diagnose(error: Exception, open_store: Callable[[], Store]) -> Damaged | None:
    """Return a failure for the first match with malformed stored summaries, or None if there is
    none.

    Only summaries with a correct checksum are checked. Checking thousands of rounds is slow, so
    this is done only after an error.
    """
    if isinstance(error, SHAPE_ERRORS):
        from scorekeeper.store.round_cache import invalid_summaries

        with suppress(Failure), open_store() as store:
            return next(invalid_summaries(store), None)
    return None


def report_failure(failure: Failure) -> int:
    """Print a failure and its hint, and return its exit code."""
    print_notes(f"scorekeeper: {failure.message}")
    if failure.hint:
        print_notes(tr("  try: {hint}", hint=failure.hint))
    return exit_code(failure)


def exit_code(failure: Failure) -> int:
    """Return the exit code of a failure."""
    if isinstance(failure, Locked):
        return LOCKED
    if isinstance(failure, Damaged):
        return DAMAGED
    return REFUSED if isinstance(failure, Illegal) else UNREADABLE


def print_lines(*lines: str) -> None:
    """Print output lines to standard output."""
    print(*map(escape_controls, lines), sep="\n")


def print_notes(*lines: str) -> None:
    """Print notes to standard error, one per line."""
    print(*map(escape_controls, lines), sep="\n", file=sys.stderr)


def ask_line(question: str) -> str:
    """Return the user's answer to a question. Raises EOFError if the input ends."""
    print_notes(question)
    sys.stdout.flush()
    return input("> ").strip()


def print_json(value: object) -> None:
    """Print a value as JSON to standard output."""
    print(format_json(value))


def print_json_rows(rows: Iterable[object]) -> None:
    """Print a list as JSON to standard output, row by row."""
    prefix = "["
    for row in rows:
        print(f"{prefix}\n  " + format_json(row).replace("\n", "\n  "), end="")
        prefix = ","
    print("[]" if prefix == "[" else "\n]")


# --- opening matches and rulesets


def locate_store(name: str | None) -> str:
    """Return the absolute path of the book with this name, or of the default book.

    Raises Unreadable for an address (`scheme://…`).
    """
    from scorekeeper.store.book import default_path
    from scorekeeper.store.files import check_address

    path = name or default_path()
    check_address(path)
    return os.path.abspath(path)


def open_store(
    name: str | None, *, create: bool = False, wait: float = 2.0, shared: bool = False
) -> Store:
    """Return the store with this name, or the default store. It is opened when it is first used.

    If `create` is set, a missing file is created. If `shared` is set too, the group can read and
    write the new file. `wait` is the number of seconds to wait for a book that another process is
    using.
    """
    from scorekeeper.store.book import Book

    return Book(locate_store(name), create=create, wait=wait, shared=shared)


def open_book(
    path: str | None, create: bool = False, waits_longer: bool = False, share: str | None = None
) -> Store:
    """Open the book at this path, or the user's book.

    A missing book is created only if `create` is true. `share` determines who may use a new book.
    If it is not given, the settings determine this. If `waits_longer` is true, the program waits
    longer for a locked book, because piped input cannot be retried.
    """
    wait, shared = (
        PIPE_LOCK_TIMEOUT if waits_longer else LOCK_TIMEOUT,
        create and is_book_shared(share),
    )
    return open_store(chosen_book(path), create=create, wait=wait, shared=shared)


def open_recorder(store: Store, match_id: str | None) -> MatchRecorder:
    """Open a match in the store for recording. The default is the match that was created or changed
    last.

    Raises Unreadable if there is no such match.
    """
    from scorekeeper.store.recorder import MatchRecorder

    desk = MatchRecorder(store, store.match().id if match_id is None else parse_match_id(match_id))
    use_match_language(desk.row.language)
    return desk


def parse_match_id(text: str) -> int:
    """Convert typed text to a match number. Raises Unreadable if the text is not a number."""
    if text.isascii() and text.isdigit() and len(text) < 18:
        return int(text)
    raise Unreadable(
        tr("“{wanted}” is not a match number", wanted=text[:60]),
        tr("scorekeeper matches (lists all matches)"),
    )


def rows_with_ids(store: Store, ids: Iterable[str]) -> Iterable[MatchRow]:
    """Return the book's rows for the matches with these numbers, without duplicates.

    Raises Unreadable if a match does not exist.
    """
    return [store.match(number) for number in dict.fromkeys(map(parse_match_id, ids))]


@contextmanager
def open_round_cache(store: Store) -> Iterator[RoundCache]:
    """Open the store's cache of round summaries.

    Prints a note if rounds must be replayed, and another if their summaries cannot be stored.
    """
    from scorekeeper.store.round_cache import RoundCache

    archive = RoundCache(store, lambda: print_notes(tr(REPLAYING)))
    yield archive
    if archive.store_failure is not None:
        print_notes(
            tr(
                "the summaries of these matches could not be stored: {why}",
                why=archive.store_failure.message,
            )
        )


class OpenedMatch(NamedTuple):
    """A match that a command has opened for reading.

    `label` is a one-line description. `recorder` is None for a record file. The keys of `details`
    are `match started day place language title note`.
    """

    label: str
    match: Match
    recorder: MatchRecorder | None
    details: dict[str, str]

    def translator(self, format: str) -> Translator:
        """Return the translator between typed and canonical text (see `translator_of`)."""
        from scorekeeper.notation.notation import Translator

        return Translator(self.match.notation, "" if format == "json" else self.details["language"])


def open_match(
    book_path: str | None, match_id: str | None, from_first_entry: bool = False
) -> OpenedMatch:
    """Open a match in the book, or a record file, for reading. Print its label as a note.

    A match in the book is loaded from the start of its current round. If `from_first_entry` is
    true, it is loaded from its first entry.
    """
    if match_id is not None and not match_id.isdigit():
        opened = _open_record(match_id)
    else:
        desk = open_recorder(open_book(book_path), match_id)
        match = desk.full_match() if from_first_entry else desk.match
        label = label_of(match, tr("match {number}", number=desk.id))
        opened = OpenedMatch(label, match, desk, details_of(desk.row))
    print_notes(opened.label)
    return opened


def open_finished_rounds(
    book_path: str | None, match_id: str | None
) -> tuple[MatchView, dict[str, str]]:
    """Open a match in the book, or a record file, to read its finished rounds. Print its label as a
    note.

    Returns the match and its details, which are described in `OpenedMatch`. In a match from the
    book, players have their current names.
    """
    from scorekeeper.store.people import with_display_names

    if match_id is not None and not match_id.isdigit():
        opened = _open_record(match_id)
        print_notes(opened.label)
        return opened.match, opened.details
    with open_book(book_path) as store, open_round_cache(store) as archive:
        row = store.match(None if match_id is None else parse_match_id(match_id))
        use_match_language(row.language)
        named = with_display_names(archive.match_in_language(row), store.aliases())
        print_notes(label_of(named, tr("match {number}", number=row.id)))
        return named, details_of(row)


def _open_record(path: str) -> OpenedMatch:
    from scorekeeper.store.record import RecordSource

    source = RecordSource(path)
    match, name = source.play(), clean(os.path.basename(path))
    keys = ("started", "place", "language", "title", "note")
    meta = {key: source.data.get(key, "") for key in keys}
    use_match_language(meta["language"])
    return OpenedMatch(
        label_of(match, name), match, None, {"match": name, **meta, "day": source.day}
    )


def details_of(row: MatchRow) -> dict[str, str]:
    return {"match": str(row.id), "started": row.started, "day": row.day, "place": row.place or "",
            "language": row.language, "title": row.title, "note": row.note}  # fmt: skip


def label_of(match: MatchView, name: str) -> str:
    """Return a one-line description of a match: its name, its ruleset's title and its players."""
    return f"{name}: {match.ruleset.translate(match.ruleset.title)}, {', '.join(match.players)}"


def translator_of(recorder: MatchRecorder, format: str) -> Translator:
    """Return the translator for a match's language. With the format `json`, text stays
    canonical."""
    from scorekeeper.notation.notation import Translator

    if format != "json":
        return recorder.translator()
    return Translator(recorder.match.notation, now=lambda: recorder.match.notation)


def join_arguments(arguments: Iterable[str]) -> list[str]:
    """Return the entries given as command-line arguments.

    An argument that ends in a colon is joined to the next one. Raises Unreadable for an unknown
    option.

    >>> join_arguments(["Ana:", "3x4", "Ben: pass"])
    ['Ana: 3x4', 'Ben: pass']
    """
    texts: list[str] = []
    open_name = False
    for argument in arguments:
        if argument.startswith("--"):
            raise Unreadable(
                tr("there is no option {argument}", argument=clean(argument)[:40]),
                tr("--help (lists all options)"),
            )
        if open_name:
            texts[-1] += f" {argument}"
        else:
            texts.append(argument)
        open_name = argument.endswith(":")
    return texts


def split_entries(match: Match, line: str, translator: Translator) -> list[str]:
    """Split a line into its entries, as typed. Raises Unreadable if the line cannot be read."""
    texts = translator.spoken_notation.split_line(line)
    if len(texts) == 1:
        return texts
    from scorekeeper.session.hints import split_entries

    return split_entries(match, line, translator)


def ruleset_with(
    name: str, settings: Iterable[str] | None = None
) -> tuple[Ruleset, Mapping[str, JsonValue]]:
    """Load the ruleset with this name or path, and apply the settings.

    Returns the ruleset, and the settings in the form that records use. Raises a Failure that lists
    the mistakes.
    """
    from scorekeeper.engine.loading import check, refusal

    loaded, options, faults = check(name, settings or ())
    if loaded is None:
        raise refusal(name, faults)
    return loaded, options


# --- selecting matches of the book


def with_selection(command: Callable[P, int]) -> Callable[P, int]:
    """Replace a command's parameter `selection` with the options in `SELECTION_OPTIONS`."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> int:
        from scorekeeper.store.selection import EVERYTHING

        given: Json = {name: kwargs.pop(name) for name in SELECTION_OPTIONS}
        chosen = {name: value for name, value in given.items() if value}
        kwargs["selection"] = EVERYTHING._replace(**chosen)
        return command(*args, **kwargs)

    parameters: list[inspect.Parameter] = []
    for each in inspect.signature(command, eval_str=True).parameters.values():
        if each.name == "selection":
            parameters += (
                each.replace(name=name, annotation=kind, default=None)
                for name, kind in SELECTION_OPTIONS.items()
            )
        else:
            parameters.append(each)
    # Typer would evaluate the annotations, but `Selection` is imported only for type checking.
    run.__annotations__ = {}
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return run


def select_rows(store: Store, ids: Sequence[str], selection: Selection) -> Iterable[MatchRow]:
    """Return the matches with these numbers in the given order, or the selected matches by number.

    Raises Unreadable if both numbers and a selection are given, or if a match does not exist.
    """
    from scorekeeper.store.selection import select_matches

    check_named_or_selected(ids, selection)
    return rows_with_ids(store, ids) if ids else select_matches(store, selection)


def select_rows_by_date(
    store: Store, ids: Sequence[str], selection: Selection
) -> Iterable[MatchRow]:
    """Return the same matches as `select_rows`, sorted by date."""
    from scorekeeper.store.selection import sort_by_date

    return sort_by_date(store, select_rows(store, sorted(ids, key=parse_match_id), selection))


def catalog_entry(stored: StoredMatch, names: Mapping[str, str]) -> CatalogEntry:
    """Return the catalogue entry of a stored match. `names` maps written names to current names."""
    from scorekeeper.history.statistics import CatalogEntry
    from scorekeeper.store.people import with_display_names

    row = stored.row
    return CatalogEntry(
        with_display_names(stored, names),
        str(row.id),
        row.started,
        row.place or "",
        row.title,
        row.note,
        row.language,
        row.identifier,
        row.options,
        row.day,
    )


def check_named_or_selected(named: Sequence[str], selection: Selection) -> None:
    """Raise Unreadable if matches are both listed as arguments and selected by options."""
    from scorekeeper.store.selection import EVERYTHING

    if named and selection != EVERYTHING:
        raise Unreadable(
            tr("matches can be selected by number or by options, but not by both"),
            tr("leave out either the numbers or the options"),
        )


# --- lines about a match


def describe_language(language: str, translator: Translator) -> str:
    """Return a line with a match's language and the letters that it uses for cards."""
    letters = translator.describe_letters()
    if not letters:
        return tr("language: {language}", language=language)
    return tr(
        "language: {language} (letters for cards: {letters})", language=language, letters=letters
    )


def ruling_lines(ruling: Ruling, translator: Translator) -> list[str]:
    """Return a ruling as lines: the entry with its verdict, then each finding with its citation."""
    verdict = tr(VERDICT_LABELS[ruling.verdict])
    doubt = "?" if ruling.is_open and not find_decision(ruling.entry) else ""
    lines = [f"{translator.echo(ruling.entry)}{doubt}  [{verdict}]"]
    for finding in ruling.findings:
        word = "note" if finding.verdict == "legal" else finding.verdict
        if finding.verdict == "illegal" and finding.severity != "refuse":
            word = finding.severity
        reason = translator.translate_letters(finding.reason)
        lines.append(f"  {tr(FINDING_LABELS[word])}: {reason} ({finding.source})")
    return lines


def claim_lines(ruling: Ruling, match: Match, translator: Translator) -> list[str]:
    """Return indented lines about faults that may be claimed after a ruling.

    They show the cost of each claim and what to type.
    """
    if not any("type" in finding.facts for finding in ruling.findings):
        return []
    from scorekeeper.session.rulings import Faults

    faults = Faults(match, match, translator)
    lines = [
        line for fault in faults.faults_of_ruling(ruling) for line in faults.lines(fault, WIDTH - 4)
    ]
    return [f"    {line}" for line in lines]


def weighing_text(match: Match, translator: Translator) -> str:
    """Return the entry to type for a fault that must be rated, or "" if there is none."""
    if not match.live_round.decisions.watching:
        return ""
    from scorekeeper.session.rulings import Faults

    return Faults(match, match, translator).weigh_forms


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
    """Return the tallies as one line, which begins with the outcome if the match is finished."""
    scores = ", ".join(f"{name} {points}" for name, points in match.scores.items())
    return f"{match.outcome} ({scores})" if match.over else scores


def failure_lines_for_entry(
    failure: Failure, match: Match, translator: Translator, typed: str
) -> list[str]:
    """Return the message and the hint for an entry that failed.

    For a wrong result, the lines also suggest a valid one.
    """
    message, *hint = failure_lines(failure, translator)
    readable, suggestion = _suggest_result(match, translator, typed)
    if not suggestion:
        return [message, *hint]
    if hint and readable:
        return [message, tr("{hint}; for example: {entry}", hint=hint[0], entry=suggestion)]
    return [message, tr("  try: {hint}", hint=suggestion)]


def suggestion_lines(match: Match, translator: Translator, typed: str) -> list[str]:
    """Return a line that suggests a valid result in place of a refused one.

    Return an empty list if the refused entry is not a result.
    """
    suggestion = _suggest_result(match, translator, typed)[1]
    return [tr("  try: {hint}", hint=suggestion)] if suggestion else []


def failure_lines(failure: Failure, translator: Translator) -> list[str]:
    """Return a failure as lines: the message, then the hint."""
    translated = translator.translate_failure(failure)
    lines = [f"  {translated.message}"]
    return [*lines, tr("  try: {hint}", hint=translated.hint)] if translated.hint else lines


def _suggest_result(match: Match, translator: Translator, typed: str) -> tuple[bool, str]:
    """Return whether the text can be read, and a valid result that could replace it.

    If the text is not a result, nothing is suggested, and the second value is "".
    """
    from scorekeeper.match.result_line import RESULT, find_result

    readable, canonical = True, typed
    try:
        word = translator.spoken_notation.read(typed).type.word
        canonical = translator.to_canonical(typed)
    except Unreadable:
        readable, word = False, translator.spoken_notation.split_first_word(typed)[0]
    return readable, translator.to_spoken(find_result(match, canonical)) if word == RESULT else ""
