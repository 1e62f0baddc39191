"""The commands `new`, which starts a match, and `record`, which records what happens in it."""

from __future__ import annotations

import shlex
import sys
from itertools import islice
from typing import TYPE_CHECKING, Annotated

import typer

from scorekeeper.cli.common import (
    FINE,
    REFUSED,
    UNREADABLE,
    BookOption,
    FormatOption,
    MatchOption,
    ShareOption,
    claim_lines,
    cli_command,
    complete_rulesets,
    describe_language,
    failure_lines_for_entry,
    join_arguments,
    label_of,
    open_book,
    open_recorder,
    open_store,
    print_json,
    print_lines,
    print_notes,
    ruling_lines,
    split_entries,
    suggestion_lines,
    translator_of,
    turn_text,
    weighing_text,
)
from scorekeeper.cli.settings import chosen_book
from scorekeeper.core.errors import Damaged, Failure, Impossible, Unreadable
from scorekeeper.core.messages import N_, tr
from scorekeeper.core.text import quote
from scorekeeper.notation import find_decision
from scorekeeper.store.recorder import describe_row_for_others
from scorekeeper.store.rows import UncertainWrite

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.rulings import Ruling
    from scorekeeper.engine.replay import RoundRecord
    from scorekeeper.store.recorder import MatchRecorder
    from scorekeeper.store.rows import DetailOptions

MAX_COMPLETIONS = 200  # maximum number of entries offered by shell completion
MAX_NAMED = 5  # maximum number of unrecorded entries listed in a message

NOT_RECORDED_ACT = N_("not recorded; if it happened, add !stands or !withdrawn")
NOT_RECORDED_STATEMENT = N_("not recorded")


def complete_entries(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return legal entries for shell completion."""
    typed = ctx.params.get("entries") or [""]
    name = f"{typed[-1]} " if typed[-1].endswith(":") else ""
    entries = complete_legal_entries(
        ctx.params.get("match"), ctx.params.get("book"), name + incomplete
    )
    return [entry[len(name) :] for entry in entries]


def complete_legal_entries(match: str | None, book_path: str | None, incomplete: str) -> list[str]:
    """Return the legal entries that begin with this text, based on the cards that the table has
    seen."""
    from scorekeeper.store.recorder import MatchRecorder

    try:
        with open_store(chosen_book(book_path)) as store:
            match_id = int(match) if match and match.isdigit() else store.match().id
            desk = MatchRecorder(store, match_id)
            entries = desk.match.public_copy().legal(desk.translator().spoken_notation)
    except Failure:
        return []
    folded = incomplete.casefold()
    return [entry for entry in entries if entry.casefold().startswith(folded)][:MAX_COMPLETIONS]


EntryArguments = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="ENTRY",
        help=(
            'What happened, such as "Ben: QC". Capital letters and quotes are optional (Ben: qc).'
        ),
        autocompletion=complete_entries,
    ),
]


@cli_command
def new(
    ruleset: Annotated[
        str | None,
        typer.Argument(
            metavar="RULESET",
            help="The name or file of a ruleset (default: the ruleset in the settings).",
            autocompletion=complete_rulesets,
        ),
    ] = None,
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME", help="The players, clockwise (default: the players in the settings)."
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="A setting of the ruleset for this match (repeatable).",
        ),
    ] = None,
    date: Annotated[
        str | None,
        typer.Option(
            metavar="DATE", help="The date of the match, such as 2026-11-20 (default: now)."
        ),
    ] = None,
    title: Annotated[str | None, typer.Option(help="The title of the match.")] = None,
    place: Annotated[str | None, typer.Option(help="The place where the match is played.")] = None,
    note: Annotated[str | None, typer.Option(help="A note about the match.")] = None,
    language: Annotated[
        str, typer.Option(metavar="CODE", help="The language in which cards are typed.")
    ] = "",
    share: ShareOption = None,
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """Start a match.

    Example: scorekeeper new dudo Ana Ben Cleo
    """
    from scorekeeper.cli.by_numbers import find_game
    from scorekeeper.cli.settings import read_settings
    from scorekeeper.cli.show import detail_options
    from scorekeeper.cli.start import ask_new_match
    from scorekeeper.engine.loading import check, refusal
    from scorekeeper.ruleset.tables import NONE
    from scorekeeper.store.recorder import begin_match

    settings_file = read_settings()
    ruleset, players = ruleset or settings_file.ruleset, players or list(settings_file.players)
    may_ask = format == "text" and sys.stdin.isatty() and sys.stdout.isatty()
    asks = may_ask and not (ruleset and players)
    if asks:
        asked = ask_new_match(ruleset, book)
        if asked is None:
            return FINE
        ruleset, players, language = asked.ruleset, asked.players, language or asked.language
        settings = [*asked.settings, *(settings or ())]
    if not ruleset:
        raise typer.BadParameter(tr("name a ruleset and players, because the settings have none"))
    if not players:
        raise typer.BadParameter(tr("name the players, because the settings have none"))
    details = detail_options(
        date or None, title, settings_file.place or None if place is None else place, note
    )
    _add_start_time(details)
    try:
        ruleset, settings = find_game(ruleset, players, settings or (), book, may_ask and not asks)
    except EOFError:
        print_notes(tr("no match was started"))
        return FINE
    rules, options, faults = check(ruleset, settings)
    if rules is None:
        failure = refusal(ruleset, faults)
        for fault in faults[1:] if isinstance(failure, Damaged) else ():
            print_notes(f"  {fault}")
        raise failure
    if not language and settings_file.language in rules.lexicon.languages:
        language = settings_file.language
    details["language"] = "" if language == NONE else language
    with open_book(book, create=True, share=share) as store:
        desk = begin_match(store, rules, players, options=options, **details)
    _print_new_match(desk, "" if book is None else f" --book {shlex.quote(book)}", format, asks)
    if asks:
        from scorekeeper.cli.table import table

        table(match=str(desk.id), book=book)
    return FINE


def _print_new_match(desk: MatchRecorder, options: str, format: str, in_brief: bool) -> None:
    """Print a new match and, unless `in_brief` is true, what to type first. `options` are the
    command-line options that select its book."""
    from scorekeeper.cli.start import first_lines

    match = desk.match
    if format == "json":
        print_json(
            {
                "match": desk.id,
                "ruleset": match.ruleset.name,
                "players": match.players,
                "to_act": match.to_act,
            }
        )
        return
    print_lines(label_of(match, tr("match {id}", id=desk.id)))
    if desk.row.language:
        print_lines(describe_language(desk.row.language, desk.translator()))
    if not in_brief:
        print_lines(*first_lines(match, desk.translator(), options))


def _add_start_time(details: DetailOptions) -> None:
    """Add the start time to a match's details, unless the user gave a date.

    If there is a date, add an identifier instead, because several matches may have that date.
    """
    from datetime import UTC, datetime

    from scorekeeper.store.rows import new_identifier

    if "started" in details:
        details["identifier"] = new_identifier()
        return
    began = datetime.now(UTC)
    details["started"] = began.isoformat(timespec="seconds")
    details["day"] = began.astimezone().date().isoformat()


@cli_command
def record(
    entries: EntryArguments = None,
    match: MatchOption = None,
    stands: Annotated[
        bool, typer.Option("--stands", help="Count entries even if they are illegal.")
    ] = False,
    withdrawn: Annotated[
        bool, typer.Option("--withdrawn", help="Mark illegal entries as withdrawn.")
    ] = False,
    result: Annotated[
        bool, typer.Option("--result", help="Ask for the result of the round, field by field.")
    ] = False,
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """Record what happened. Entries are given as arguments or as lines of standard input.

    Example: scorekeeper record "lead Ana" Ana: 3x4 Ben: dudo "count 2"
    """
    if stands and withdrawn:
        raise Unreadable(
            tr("--stands and --withdrawn cannot be combined"), tr("leave out one of them")
        )
    decision = " !stands" if stands else " !withdrawn" if withdrawn else ""
    piped = not (entries or result or sys.stdin.isatty())
    with open_book(book, waits_longer=piped) as store:
        desk = open_recorder(store, match)
        print_notes(label_of(desk.match, tr("match {id}", id=desk.id)))
        writer = LineRecorder(desk, decision, format)
        try:
            if result:
                return record_result(writer)
            if entries:
                return writer.record_arguments(entries)
            if piped:
                return writer.record_stdin()
            from scorekeeper.cli.loop import RecordLoop

            return RecordLoop(
                desk, writer.record_lines, writer.turn_line, lambda: record_result(writer)
            ).run()
        finally:
            if format == "json":
                print_json(writer.answers)


class LineRecorder:
    """A recorder of typed lines. It prints the results and collects them as JSON in `answers`."""

    def __init__(self, recorder: MatchRecorder, decision: str, format: str) -> None:
        self.recorder = recorder
        self.translator = translator_of(recorder, format)
        self.decision = decision
        self.as_json = format == "json"
        self.answers: list[dict[str, object]] = []
        self.last_finished = 0
        self.has_printed = False

    def record_lines(self, lines: list[str]) -> int:
        """Record lines in order until one fails, and return the worst exit code."""
        (self.last_finished, was), worst = self._last_finished_round(), FINE
        for at, line in enumerate(lines, 1):
            worst = max(worst, self._record_line(line))
            if worst == UNREADABLE:
                self._print_skipped(lines[at:])
                break
        if self.has_printed and not self.as_json:
            for played in self.recorder.match.rounds:
                if played.number == self.last_finished and (now := played.result_text) != was:
                    print_lines(
                        tr(
                            "round {number}: {now} (before: {was})",
                            number=self.last_finished,
                            now=now,
                            was=was,
                        )
                    )
                if played.over and played.number > self.last_finished:
                    print_lines(
                        tr(
                            "round {number} is over: {changes}",
                            number=played.number,
                            changes=played.result_text,
                        )
                    )
                    self._print_verified(played)
            print_lines(self.turn_line())
        self.has_printed = False
        return worst

    def _record_line(self, line: str) -> int:
        typed = [line]
        try:
            typed = self._add_decision(split_entries(self.recorder.match, line, self.translator))
            recorded = self.recorder.record(typed, self.translator.to_canonical)
        except (Unreadable, Impossible) as failure:
            self._report_entry_failure(typed[0], failure)
            return UNREADABLE
        except UncertainWrite as failure:
            entry = quote(", ".join(typed), 120)
            after = tr(
                "it is unknown whether this was recorded: {entry}; nothing after it was recorded",
                entry=entry,
            )
            failure.message += f"; {after}"
            raise
        except Damaged as failure:
            after = tr(
                "not recorded: {entry}; nothing after it was recorded either",
                entry=quote(typed[0], 120),
            )
            failure.message += f"; {after}"
            raise
        for row in recorded.other_rows:
            print_notes(
                tr(
                    "meanwhile, {what}",
                    what=describe_row_for_others(row, self.translator.echo),
                )
            )
        self._print_rulings(recorded.rulings)
        if recorded.unassigned:
            left = "; ".join(quote(text, 60) for text in recorded.unassigned)
            said = tr(
                "not recorded, because an earlier entry was refused and it is unclear "
                "whose turn it is: {texts}",
                texts=left,
            )
            print_notes(said)
            hint = tr("try: decide on the refused entry, then type these with the players' names")
            print_notes(f"  {hint}")
        if recorded.failure is not None:
            self._report_entry_failure(typed[len(recorded.rulings)], recorded.failure)
            self._print_skipped(typed[len(recorded.rulings) + 1 :])
            return UNREADABLE
        refused = [r.refused and not find_decision(r.entry) for r in recorded.rulings]
        if any(refused[-1:]):  # lets onlookers see that a decision is pending
            self.recorder.store.set_pending_decision(self.recorder.id, self.recorder.last_position)
        return REFUSED if any(refused) else FINE

    def _print_skipped(self, texts: Sequence[str]) -> None:
        """Print the entries that were not recorded because an earlier one failed."""
        if texts and not self.as_json:
            named = "; ".join(quote(text.strip(), 60) for text in texts[:MAX_NAMED])
            more = "; …" if len(texts) > MAX_NAMED else ""
            print_notes(
                f"  {tr('the entries after it were not recorded: {texts}', texts=named + more)}"
            )

    def _report_entry_failure(self, text: str, failure: Failure) -> None:
        from scorekeeper.engine.replay import finding_of

        finding = finding_of(failure)
        self.answers.append({"entry": text, "verdict": None, "findings": [finding.as_json()]})
        if not self.as_json:
            print_notes(
                f"{quote(text, 120)}  [{tr('not recorded')}]",
                *failure_lines_for_entry(failure, self.recorder.match, self.translator, text),
            )

    def _add_decision(self, texts: list[str]) -> list[str]:
        if not self.decision:
            return texts
        return [text if find_decision(text) else text + self.decision for text in texts]

    def _print_rulings(self, rulings: list[Ruling]) -> None:
        self.answers += [ruling.as_json() for ruling in rulings]
        if self.as_json:
            return
        for ruling in rulings:
            self.has_printed = True
            more = claim_lines(ruling, self.recorder.match, self.translator)
            print_lines(*ruling_lines(ruling, self.translator), *more)
            if ruling.refused and not find_decision(ruling.entry):
                states_fact = (
                    self.recorder.match.notation.read(ruling.entry).type.find_reference is not None
                )
                suggestion = suggestion_lines(self.recorder.match, self.translator, ruling.entry)
                print_lines(
                    f"  {tr(NOT_RECORDED_STATEMENT if states_fact else NOT_RECORDED_ACT)}",
                    *suggestion,
                )
            claimed = [each.facts["entry"] for each in ruling.findings if "type" in each.facts]
            for finding in ruling.settled:
                then = self.translator.to_spoken(finding.facts.get("then", ""))
                number, *_ = finding.facts.get("entries", (0,))
                undecided = finding.verdict == "illegal" and not find_decision(then)
                if undecided and number not in claimed:
                    from scorekeeper.match.amend import decision_hint

                    command = decision_hint(number, then)
                    print_lines(f"  {tr('to decide this: {command}', command=command)}")
            if ruling.settled_in_trick:
                from scorekeeper.match.status import end_text

                print_lines(f"  {end_text(ruling.settled_in_trick, self.translator.to_spoken)}")

    def _print_verified(self, played: RoundRecord) -> None:
        """Print which plays were verified when a round finished."""
        rnd = self.recorder.match.replay_round(played)
        if rnd.log.has_been_open:
            from scorekeeper.match.status import end_report

            for line in end_report(
                rnd, self.translator.to_spoken, self.translator.translate_letters
            ):
                print_lines(f"  {line}")

    def turn_line(self) -> str:
        """Return the line about whose turn it is.

        If a fault must be rated, the line begins with the syntax of the entry to type for it.
        """
        match = self.recorder.match
        turn = self.translator.translate_letters(turn_text(match))
        return "; ".join(filter(None, (weighing_text(match, self.translator), turn)))

    def _last_finished_round(self) -> tuple[int, str]:
        """Return the number and scores of the last finished round, or 0 and "" if there is none."""
        last = [played for played in self.recorder.match.rounds if played.over][-1:]
        return (last[0].number, last[0].result_text) if last else (0, "")

    def record_arguments(self, arguments: list[str]) -> int:
        """Record the entries given on the command line, and return the worst exit code."""
        lines = join_arguments(arguments)
        code = self.record_lines(lines)
        if code == UNREADABLE and len(arguments) > 1 and not all(" " in line for line in lines):
            print_notes(f"  ({tr('an entry with spaces needs quotes')})")
        return code

    def record_stdin(self) -> int:
        """Record standard input line by line and return the worst exit code."""
        worst = FINE
        for line in sys.stdin:
            if line.strip():
                code = self.record_lines([line])
                worst = max(worst, code)
                if code == UNREADABLE:
                    self._print_skipped([*filter(str.strip, islice(sys.stdin, MAX_NAMED + 1))])
                    break
        return worst


def record_result(lines: LineRecorder) -> int:
    """Ask for each field of a result, show the result, and record it."""
    from scorekeeper.cli.loop import ask_result_entry

    text = ask_result_entry(lines.recorder.match, lines.translator)
    return FINE if text is None else lines.record_lines([text])
