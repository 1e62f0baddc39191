"""Commands that only tell: legal, status, score, matches, odds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from scorekeeper.cli.common import (
    FINE,
    BookOption,
    FormatOption,
    ReadOption,
    commanded,
    open_book,
    open_match,
    result_text,
    say,
    say_json,
    say_json_rows,
    turn_text,
)
from scorekeeper.cli.grouping import grouped
from scorekeeper.cli.knowing import known_lines
from scorekeeper.cli.streams import width_or
from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.messages import plural, tr
from scorekeeper.core.text import broken, columns
from scorekeeper.notation.translation import Speech
from scorekeeper.play.hidden import hidden
from scorekeeper.play.known import known_hands
from scorekeeper.play.referee import options
from scorekeeper.session.amending import asked
from scorekeeper.session.faults import WIDTH, Faults
from scorekeeper.session.seen import as_seen

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorekeeper.core.types import Json
    from scorekeeper.play.match import Match
    from scorekeeper.store.desk import Desk
    from scorekeeper.store.protocol import LogRow, MatchRow


@commanded
def legal(
    match: ReadOption = None,
    every: Annotated[
        bool, typer.Option("--all", help="One by one, however many they are.")
    ] = False,
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """What may be done now, by everyone who may; a long list in few lines.

    Example: scorekeeper legal
    """
    opened = open_match(book, match)
    spoken, speech = opened.match, opened.speech(format)
    faults = Faults(spoken, spoken.seen(), speech)
    about_faults: list[str] = []
    if spoken.live.decisions.watching:  # something may be claimed, or is to be weighed
        about_faults = list(faults.entries())
    about_faults += faults.told() if every or format == "json" else faults.told_in_short()
    if format == "json":
        kept = [spoken.notation.read(text).text for text in about_faults]
        entries = [*spoken.legal(speech.own), *kept]
        say_json({"to_act": spoken.to_act, "entries": entries})
        return FINE
    say(speech.told(turn_text(spoken)))
    found = list(options(spoken.now, speech.own)) if spoken.legal else []
    lines = [f"  {entry.text}" for entry in found] if every else grouped(found, speech.own)
    for line in [*lines, *(f"  {text}" for text in about_faults)]:
        say(line)
    return FINE


@commanded
def status(
    match: ReadOption = None,
    log: Annotated[
        bool, typer.Option("--log", help="Everything that was entered, and what was taken back.")
    ] = False,
    reveal: Annotated[
        bool, typer.Option("--reveal", help="Use hands that were entered, too.")
    ] = False,
    known: Annotated[
        bool, typer.Option("--known", help="What is certain of each hand, and what it may hold.")
    ] = False,
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """The table as it stands.

    Example: scorekeeper status
    """
    opened = open_match(book, match)
    if log and known:
        raise Unreadable(
            tr("--log and --known tell of different things"), tr("leave one of them out")
        )
    if log:
        return _log(opened.desk, format == "json", reveal)
    shown = opened.match if reveal else as_seen(opened.match, opened.desk)
    certain = known_hands(shown.shown) if known else None
    speech = opened.speech(format)
    faults = Faults(shown, shown, speech)
    resting = asked(opened.desk) if opened.desk is not None else []
    if format == "json":
        state = {**shown.state, "faults": faults.all} if "faults" in shown.state else shown.state
        if resting:
            state = {**state, "resting": [each.as_json() for each in resting]}
        say_json(state if certain is None else {**state, "known": certain})
        return FINE
    for line in status_lines(shown, faults):
        say(speech.told(line))
    for each in resting:
        for line in each.lines(speech.echo, speech.told, speech.spoken):
            say(f"  {line}")
    for line in known_lines(certain) if certain is not None else ():
        say(f"  {speech.told(line)}")
    return FINE


def _log(desk: Desk | None, as_json: bool, reveal: bool) -> int:
    if desk is None:
        raise Unreadable(tr("a record file has no log"), tr("only a match in the book has one"))
    from scorekeeper.store.history import numbered, said

    log, notation = desk.log(), desk.match.known_notation
    now = numbered(log)

    def show(text: str) -> str:
        return text if reveal else hidden(text, notation)

    if as_json:
        say_json([
            {"position": row.position, "kind": row.kind, "round": row.round, "number": row.number,
             "entry": "\n".join(map(show, row.text.split("\n"))),
             "now": now.get(row.position, []), "time": row.time, "recorder": row.recorder}
            for row in log
        ])  # fmt: skip
        return FINE
    for row in log:
        at = f"{row.round}.{row.number}"
        say(f"{row.time}  {at:>7}  {said(row, show)}{_since(row, now.get(row.position, []))}")
    return FINE


def _since(row: LogRow, now: list[str]) -> str:
    """Where what a row of the log put in stands now, unless it is where it was put."""
    if row.kind in ("undo", "remove", "restore"):
        return ""
    if not now:
        return f"  ({tr('no longer there')})"
    first = f"{row.round}.{row.number}"
    return "" if now[0] == first else f"  ({tr('now {place}', place=', '.join(now))})"


def status_lines(match: Match, faults: Faults | None = None) -> list[str]:
    """The table as it stands, for people; with what may still be claimed, where more is known of
    that than the match shows."""
    from tabulate import tabulate

    from scorekeeper.session.telling import screen

    wrong = Faults(match, match, Speech(match.notation)) if faults is None else faults
    shown = screen(match, wrong)
    if shown.over and not match.over:
        lines = [tr("round {number} is over; next: {turn}", number=shown.round, turn=shown.turn)]
    else:
        lines = [tr("round {number}: {turn}", number=shown.round, turn=shown.turn)]
    for fault in wrong.all:
        lines += broken(f"  {wrong.heading(fault)}", WIDTH, "    ")
        lines += [f"    {text}" for text in wrong.lines(fault, WIDTH - 4)]
    lines += [f"  {text}" for text in shown.facts]
    if shown.table:
        lines.append(f"  {tr('on the table: {cards}', cards='; '.join(shown.table))}")
    rows = [[row.name, *row.cells] for row in shown.rows]
    table = tabulate(rows, ["", *shown.headings], "plain", disable_numparse=True)
    return lines + [f"  {line}".rstrip() for line in table.splitlines()]


@commanded
def score(
    match: ReadOption = None,
    explain: Annotated[
        int | None, typer.Option("--explain", metavar="ROUND", help="What made up a round's score.")
    ] = None,
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """The tallies, and each round's changes.

    Example: scorekeeper score --explain 1
    """
    spoken_of = open_match(book, match, whole=True).match
    if explain is not None:
        return _explain(spoken_of, explain, format == "json")
    if format == "json":
        rounds = [{"scores": p.scores, "lines": [line.as_json() for line in p.lines]}
                  for p in spoken_of.rounds]  # fmt: skip
        say_json({"scores": spoken_of.scores, "over": spoken_of.over, "rounds": rounds})
        return FINE
    from scorekeeper.session.telling import points_so_far

    for played in spoken_of.rounds:
        changes = played.worth
        if played is spoken_of.rounds[-1] and not played.over:
            changes = "; ".join(filter(None, (changes, points_so_far(spoken_of.seen().live))))
        say(tr("round {number}: {changes}", number=played.number, changes=changes))
    tally = spoken_of.ruleset.said(spoken_of.ruleset.tally["name"])
    say(f"{tally}: {result_text(spoken_of)}")
    return FINE


def _explain(match: Match, number: int, as_json: bool) -> int:
    found = [played for played in match.rounds if played.number == number]
    if not found:
        if match.rounds:
            last = len(match.rounds)
            raise Impossible(
                tr("there is no round {number}: the last is round {last}", number=number, last=last)
            )
        raise Impossible(tr("there is no round {number}: none was played yet", number=number))
    played = found[0]
    accounts = match.score_sentences(played)
    if as_json:
        say_json({"round": number, "scores": played.scores, "accounts": accounts,
                  "lines": [line.as_json() for line in played.lines]})  # fmt: skip
        return FINE
    from scorekeeper.session.telling import score_of

    for text in score_of(match, played):
        say(text)
    return FINE


@commanded
def matches(book: BookOption = None, format: FormatOption = "text") -> int:
    """All matches in the book.

    Example: scorekeeper matches
    """
    from scorekeeper.store.kept import every_row

    empty = True
    with open_book(book) as opened:
        aliases = opened.aliases()
        told = (_listed(row, aliases) for row in every_row(opened))
        if format == "json":
            say_json_rows(told)
            return FINE
        for row in told:
            empty = False
            say(*_within(_line(row)))
    if empty:
        say(tr("no matches yet; begin one: scorekeeper new RULESET NAME NAME …"))
    return FINE


def _within(line: str) -> list[str]:
    """A match in lines that fit, broken between its players."""
    width = width_or(WIDTH)
    if columns(line) <= width:
        return [line]
    from scorekeeper.render.layout import listed

    return listed(line.split(", "), width, " " * 6)


def match_line(row: MatchRow) -> str:
    """A match of the book in one line, its players as they were written."""
    return _line(_listed(row, {}))


def _line(row: Json) -> str:
    from scorekeeper.store.about import moment_of

    over = f" ({tr('over')})" if row.get("over") else ""
    scores = ", ".join(f"{name} {points}" for name, points in row.get("scores", {}).items())
    named = f"  ({row['match_title']})" if "match_title" in row else ""
    return (f"{row['match']:>4}  {moment_of(row['started']):16}  {row['ruleset']}{over}: "
            f"{scores or ', '.join(row['players'])}{named}")  # fmt: skip


def _listed(row: MatchRow, aliases: Mapping[str, str]) -> Json:
    from scorekeeper.cli.describing import titled
    from scorekeeper.store.names import told_names
    from scorekeeper.store.sound import listed

    names, summary = told_names(row.everybody, aliases), listed(row)
    scores = {names[name]: points for name, points in summary.get("scores", {}).items()}
    return {
        "match": row.id, "ruleset": row.ruleset, "players": list(names.values()),
        "started": row.started, "place": row.place, "entries": row.entries, "last": row.last,
        **titled(row.title, row.note), **summary, **({"scores": scores} if scores else {}),
    }  # fmt: skip


@commanded
def odds(
    bid: Annotated[str, typer.Argument(metavar="BID", help="The bid, such as 11x4.")],
    dice: Annotated[
        int | None, typer.Option(help="How many dice there are (default: those on the table).")
    ] = None,
    seen: Annotated[
        str, typer.Option(help='The dice that one player sees, such as "4 4 1 2 6".')
    ] = "",
    ruleset: Annotated[
        str | None, typer.Option(help="The rules (default: those of the match).")
    ] = None,
    match: ReadOption = None,
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """The exact chance that a bid is true, and that it is exactly so.

    Example: scorekeeper odds 11x4 --ruleset dudo --dice 20 --seen "4 4 4 4 1"
    """
    from scorekeeper.cli.dice import read_odds
    from scorekeeper.play import odds as chances

    asked = read_odds(bid, dice, seen, ruleset, lambda: open_match(book, match).match)
    true = chances.at_least(asked.dice, asked.chance, asked.wanted, asked.seen, asked.matching)
    exact = chances.exactly(asked.dice, asked.chance, asked.wanted, asked.seen, asked.matching)
    mean = chances.mean(asked.dice, asked.chance, asked.seen, asked.matching)
    if format == "json":
        say_json({"bid": asked.bid, "dice": asked.dice, "seen": asked.seen,
                  "matching": asked.matching, "true": float(true), "exact": float(exact),
                  "mean": float(mean), "fractions": {"true": str(true), "exact": str(exact),
                  "mean": str(mean)}})  # fmt: skip
        return FINE
    say(
        plural(
            "{bid} with {count} die: true {true}, exactly so {exactly}; {mean} on average",
            "{bid} with {count} dice: true {true}, exactly so {exactly}; {mean} on average",
            asked.dice,
            bid=asked.bid,
            true=f"{float(true):.4%}",
            exactly=f"{float(exact):.4%}",
            mean=f"{float(mean):.2f}",
        )
    )
    return FINE
