"""Commands for play: new, record."""

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
    commanded,
    complete_rulesets,
    entries_of,
    failed_lines,
    going_on,
    joined,
    label_of,
    language_text,
    open_book,
    open_desk,
    refused_lines,
    ruling_lines,
    say,
    say_json,
    speech_of,
    talk,
    turn_text,
    waiting_text,
)
from scorekeeper.cli.settings import chosen_book
from scorekeeper.core.errors import Damaged, Failure, Impossible, Unreadable
from scorekeeper.core.messages import mark, tr
from scorekeeper.core.text import shown
from scorekeeper.notation import decision_in
from scorekeeper.store.recorder import told
from scorekeeper.store.rows import Unsettled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.rulings import Ruling
    from scorekeeper.engine.replay import Played
    from scorekeeper.store.recorder import Desk
    from scorekeeper.store.rows import Said

MOST_LEGAL = 200  # entries that shell completion offers
MOST_NAMED = 5  # unrecorded entries that are named

NOT_DONE = mark("not recorded; if it happened, add !stands or !withdrawn")
NOT_SAID = mark("not recorded")


def complete_entries(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return legal entries for shell completion."""
    before = ctx.params.get("entries") or [""]
    name = f"{before[-1]} " if before[-1].endswith(":") else ""
    found = legal_entries(ctx.params.get("match"), ctx.params.get("book"), name + incomplete)
    return [entry[len(name) :] for entry in found]


def legal_entries(match: str | None, book_path: str | None, incomplete: str) -> list[str]:
    """Return the legal entries that begin so, by what the table has seen."""
    from scorekeeper.store.opening import open_store
    from scorekeeper.store.recorder import Desk

    try:
        with open_store(chosen_book(book_path)) as store:
            wanted = int(match) if match and match.isdigit() else store.match().id
            desk = Desk(store, wanted)
            entries = desk.match.seen().legal(desk.speech().own)
    except Failure:
        return []
    folded = incomplete.casefold()
    return [entry for entry in entries if entry.casefold().startswith(folded)][:MOST_LEGAL]


EntryArguments = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="ENTRY",
        help='What happened, such as "Ben: QC"; Ben: qc works too.',
        autocompletion=complete_entries,
    ),
]


@commanded
def new(
    ruleset: Annotated[
        str | None,
        typer.Argument(
            metavar="RULESET",
            help="A ruleset's name, or a file (default: the settings').",
            autocompletion=complete_rulesets,
        ),
    ] = None,
    players: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help="The players, clockwise (default: the settings')."),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="A choice of the ruleset, for this match."),
    ] = None,
    date: Annotated[
        str | None,
        typer.Option(metavar="DATE", help="When it was played (default: now): 2026-11-20."),
    ] = None,
    title: Annotated[str | None, typer.Option(help="What the match is called.")] = None,
    place: Annotated[str | None, typer.Option(help="Where it is played.")] = None,
    note: Annotated[str | None, typer.Option(help="What is worth knowing about it.")] = None,
    language: Annotated[
        str, typer.Option(metavar="CODE", help="The language whose letters are typed.")
    ] = "",
    share: ShareOption = None,
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """Start a match.

    Example: scorekeeper new dudo Ana Ben Cleo
    """
    from scorekeeper.cli.loop import first_lines
    from scorekeeper.cli.settings import read_settings
    from scorekeeper.cli.show import said_about
    from scorekeeper.engine.loading import check, refusal
    from scorekeeper.ruleset.checks import NONE
    from scorekeeper.store.recorder import begin

    usual = read_settings()
    ruleset, players = ruleset or usual.ruleset, players or list(usual.players)
    if not ruleset:
        raise typer.BadParameter(tr("name a ruleset and players, because the settings have none"))
    if not players:
        raise typer.BadParameter(tr("name the players, because the settings have none"))
    said = said_about(date or None, title, usual.place or None if place is None else place, note)
    _say_when_it_began(said)
    rules, options, faults = check(ruleset, settings or ())
    if rules is None:
        failure = refusal(ruleset, faults)
        for fault in faults[1:] if isinstance(failure, Damaged) else ():
            talk(f"  {fault}")
        raise failure
    if not language and usual.language in rules.lexicon.languages:
        language = usual.language
    said["language"] = "" if language == NONE else language
    with open_book(book, create=True, share=share) as opened:
        desk = begin(opened, rules, players, options=options, **said)
    match = desk.match
    if format == "json":
        say_json(
            {
                "match": desk.id,
                "ruleset": rules.name,
                "players": match.players,
                "to_act": match.to_act,
            }
        )
        return FINE
    say(label_of(match, tr("match {id}", id=desk.id)))
    if desk.row.language:
        say(language_text(desk.row.language, desk.speech()))
    where = "" if book is None else f" --book {shlex.quote(book)}"
    say(*first_lines(match, desk.speech(), where))
    return FINE


def _say_when_it_began(said: Said) -> None:
    """Add the start time unless a date was given.

    With a date the match gets an identifier, because its date does not distinguish it from others.
    """
    from datetime import UTC, datetime

    from scorekeeper.store.rows import identifier

    if "started" in said:
        said["identifier"] = identifier()
        return
    began = datetime.now(UTC)
    said["started"] = began.isoformat(timespec="seconds")
    said["day"] = began.astimezone().date().isoformat()


@commanded
def record(
    entries: EntryArguments = None,
    match: MatchOption = None,
    stands: Annotated[
        bool, typer.Option("--stands", help="An illegal entry counts as it is.")
    ] = False,
    withdrawn: Annotated[
        bool, typer.Option("--withdrawn", help="An illegal entry was taken back.")
    ] = False,
    result: Annotated[
        bool, typer.Option("--result", help="Ask for the round's result, field by field.")
    ] = False,
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """Record what happened, from arguments or from lines of standard input.

    Example: scorekeeper record "lead Ana" Ana: 3x4 Ben: dudo "count 2"
    """
    if stands and withdrawn:
        raise Unreadable(
            tr("--stands and --withdrawn exclude each other"), tr("leave out one of them")
        )
    decision = " !stands" if stands else " !withdrawn" if withdrawn else ""
    piped = not (entries or result or sys.stdin.isatty())
    with open_book(book, patient=piped) as opened:
        desk = open_desk(opened, match)
        talk(label_of(desk.match, tr("match {id}", id=desk.id)))
        writer = Writer(desk, decision, format)
        try:
            if result:
                return ask_result(writer)
            if entries:
                return writer.take_arguments(entries)
            if piped:
                return writer.take_lines()
            from scorekeeper.cli.loop import Loop

            return Loop(desk, writer.take, writer.turn, lambda: ask_result(writer)).run()
        finally:
            if format == "json":
                say_json(writer.answers)


class Writer:
    """Records lines in a match, prints the results, and collects them as JSON in `answers`."""

    def __init__(self, desk: Desk, decision: str, format: str) -> None:
        self.desk = desk
        self.speech = speech_of(desk, format)
        self.decision = decision
        self.as_json = format == "json"
        self.answers: list[dict[str, object]] = []
        self.closed = 0
        self.told = False

    def take(self, lines: list[str]) -> int:
        """Record lines in order and return the worst exit code. A line that fails ends it."""
        (self.closed, was), worst = self._over(), FINE
        for at, line in enumerate(lines, 1):
            worst = max(worst, self._line(line))
            if worst == UNREADABLE:
                self._unread(lines[at:])
                break
        if self.told and not self.as_json:
            for played in self.desk.match.rounds:
                if played.number == self.closed and (now := played.worth) != was:
                    say(
                        tr(
                            "round {number}: {now}; it was: {was}",
                            number=self.closed,
                            now=now,
                            was=was,
                        )
                    )
                if played.over and played.number > self.closed:
                    say(
                        tr(
                            "round {number} is over: {changes}",
                            number=played.number,
                            changes=played.worth,
                        )
                    )
                    self._verified(played)
            say(self.turn())
        self.told = False
        return worst

    def _line(self, line: str) -> int:
        typed = [line]
        try:
            typed = self._decided(entries_of(self.desk.match, line, self.speech))
            recorded = self.desk.record(typed, self.speech.canonical)
        except (Unreadable, Impossible) as failure:
            self._failed(typed[0], failure)
            return UNREADABLE
        except Unsettled as failure:
            unsure = shown(", ".join(typed), 120)
            after = tr(
                "it is unknown whether this was recorded: {entry}; nothing after it was",
                entry=unsure,
            )
            failure.message += f"; {after}"
            raise
        except Damaged as failure:
            after = tr("not recorded: {entry}, and nothing after it", entry=shown(typed[0], 120))
            failure.message += f"; {after}"
            raise
        for row in recorded.meanwhile:
            talk(
                tr("meanwhile, another recorder entered: {what}", what=told(row, self.speech.echo))
            )
        self._say(recorded.rulings)
        if recorded.left:
            left = "; ".join(shown(text, 60) for text in recorded.left)
            said = tr(
                "not recorded, because an earlier entry was refused and it is unclear "
                "whose turn it is: {texts}",
                texts=left,
            )
            talk(said)
            talk(f"  {tr('try: decide about the refused entry, then type each one with a name')}")
        if recorded.failure is not None:
            self._failed(typed[len(recorded.rulings)], recorded.failure)
            self._unread(typed[len(recorded.rulings) + 1 :])
            return UNREADABLE
        refused = [r.refused and not decision_in(r.entry) for r in recorded.rulings]
        if any(refused[-1:]):  # onlookers see that an entry waits
            self.desk.store.mark(self.desk.id, self.desk.seen)
        return REFUSED if any(refused) else FINE

    def _unread(self, texts: Sequence[str]) -> None:
        """Print what was not recorded because something before it failed."""
        if texts and not self.as_json:
            named = "; ".join(shown(text.strip(), 60) for text in texts[:MOST_NAMED])
            more = "; …" if len(texts) > MOST_NAMED else ""
            talk(f"  {tr('nothing after it was recorded: {texts}', texts=named + more)}")

    def _failed(self, text: str, failure: Failure) -> None:
        from scorekeeper.engine.replay import finding_of

        finding = finding_of(failure)
        self.answers.append({"entry": text, "verdict": None, "findings": [finding.as_json()]})
        if not self.as_json:
            talk(
                f"{shown(text, 120)}  [{tr('not recorded')}]",
                *failed_lines(failure, self.desk.match, self.speech, text),
            )

    def _decided(self, texts: list[str]) -> list[str]:
        if not self.decision:
            return texts
        return [text if decision_in(text) else text + self.decision for text in texts]

    def _say(self, rulings: list[Ruling]) -> None:
        self.answers += [ruling.as_json() for ruling in rulings]
        if self.as_json:
            return
        for ruling in rulings:
            self.told = True
            more = going_on(ruling, self.desk.match, self.speech)
            say(*ruling_lines(ruling, self.speech), *more)
            if ruling.refused and not decision_in(ruling.entry):
                said = self.desk.match.notation.read(ruling.entry).verb.speaks_of is not None
                other = refused_lines(self.desk.match, self.speech, ruling.entry)
                say(f"  {tr(NOT_SAID if said else NOT_DONE)}", *other)
            claimed = [each.facts["entry"] for each in ruling.findings if "type" in each.facts]
            for finding in ruling.settled:
                then = self.speech.spoken(finding.facts.get("then", ""))
                number, *_ = finding.facts.get("entries", (0,))
                undecided = finding.verdict == "illegal" and not decision_in(then)
                if undecided and number not in claimed:
                    from scorekeeper.match.amend import decision_at

                    how = decision_at(number, then)
                    say(f"  {tr('to decide it: {command}', command=how)}")
            if ruling.ended:
                from scorekeeper.match.status import ended_text

                say(f"  {ended_text(ruling.ended, self.speech.spoken)}")

    def _verified(self, played: Played) -> None:
        """Print what was verified at the end of a finished round."""
        rnd = self.desk.match.replayed(played)
        if rnd.log.was_open:
            from scorekeeper.match.status import told_at_end

            for line in told_at_end(rnd, self.speech.spoken, self.speech.told):
                say(f"  {line}")

    def turn(self) -> str:
        """Return whose turn it is, after a fault that waits to be rated."""
        match = self.desk.match
        told = self.speech.told(turn_text(match))
        return "; ".join(filter(None, (waiting_text(match, self.speech), told)))

    def _over(self) -> tuple[int, str]:
        """Return the number and scores of the last finished round, or 0 and ""."""
        last = [played for played in self.desk.match.rounds if played.over][-1:]
        return (last[0].number, last[0].worth) if last else (0, "")

    def take_arguments(self, arguments: list[str]) -> int:
        """Record the entries of the command line and return the worst exit code."""
        lines = joined(arguments)
        code = self.take(lines)
        if code == UNREADABLE and len(arguments) > 1 and not all(" " in line for line in lines):
            talk(f"  ({tr('an entry with spaces needs quotes')})")
        return code

    def take_lines(self) -> int:
        """Record standard input line by line and return the worst exit code."""
        worst = FINE
        for line in sys.stdin:
            if line.strip():
                code = self.take([line])
                worst = max(worst, code)
                if code == UNREADABLE:
                    self._unread([*filter(str.strip, islice(sys.stdin, MOST_NAMED + 1))])
                    break
        return worst


def ask_result(writer: Writer) -> int:
    """Ask for a result field by field, show it, and record it."""
    from scorekeeper.cli.loop import asked_result

    text = asked_result(writer.desk.match, writer.speech)
    return FINE if text is None else writer.take([text])
