"""Commands that record nothing: judge, describe, legal, status, score, matches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from scorekeeper.cli.common import (
    FINE,
    NO_MATCHES,
    REFUSED,
    WIDTH,
    BookOption,
    FormatOption,
    Opened,
    ReadOption,
    code_of,
    commanded,
    entries_of,
    failed_lines,
    going_on,
    joined,
    language_text,
    meta_of,
    open_book,
    open_match,
    refused_lines,
    result_text,
    ruling_lines,
    say,
    say_json,
    say_json_rows,
    talk,
    turn_text,
)
from scorekeeper.cli.output import width_or
from scorekeeper.core import untrusted
from scorekeeper.core.errors import Failure, Impossible, Unreadable
from scorekeeper.core.messages import listed, plural, tr
from scorekeeper.core.rulings import Illegal
from scorekeeper.core.text import broken, columns, filled, shown
from scorekeeper.engine.referee import options
from scorekeeper.match.public import hidden
from scorekeeper.match.status import known_hands
from scorekeeper.notation.translation import Speech
from scorekeeper.session.amendments import asked
from scorekeeper.session.public_round import as_seen
from scorekeeper.session.rulings import Faults

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.rulings import Ruling
    from scorekeeper.core.types import Json
    from scorekeeper.match.match import Match
    from scorekeeper.notation import Entry, Notation
    from scorekeeper.store.recorder import Desk
    from scorekeeper.store.rows import LogRow, MatchRow, Said

SHORT = 20  # entries that are listed one by one, and lines of a longer list


@commanded
def judge(
    entries: Annotated[list[str], typer.Argument(metavar="ENTRY", help="What is asked about.")],
    match: ReadOption = None,
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """Ask the referee about entries without recording them. They are judged in order.

    Example: scorekeeper judge Ben: 10x4
    """
    from scorekeeper.engine.replay import finding_of

    opened = open_match(book, match)
    spoken, speech = opened.match, opened.speech(format)
    answers: list[dict[str, object]] = []
    code = FINE
    for text, unread in _split(spoken, speech, joined(entries)):
        try:
            if unread is not None:
                raise unread
            ruling = _judged(spoken, speech.canonical(text))
        except Failure as failure:
            answers.append(
                {"entry": text, "verdict": None, "findings": [finding_of(failure).as_json()]}
            )
            if format == "text":
                talk(
                    f"{shown(text, 120)}  [{tr('cannot be judged')}]",
                    *failed_lines(failure, spoken, speech, text),
                )
            code = code_of(failure)
            break
        answers.append(ruling.as_json())
        if format == "text":
            other = refused_lines(spoken, speech, text) if ruling.refused else []
            say(*ruling_lines(ruling, speech), *going_on(ruling, spoken, speech), *other)
        if ruling.refused:
            code = REFUSED
    if format == "json":
        say_json(answers)
    return code


@commanded
def describe(
    match: ReadOption = None,
    date: Annotated[
        str | None,
        typer.Option(metavar="DATE", help="When it was played: 2026-11-20, or with a time."),
    ] = None,
    title: Annotated[str | None, typer.Option(help="What the match is called.")] = None,
    place: Annotated[str | None, typer.Option(help="Where it was played.")] = None,
    note: Annotated[str | None, typer.Option(help="What is worth knowing about it.")] = None,
    language: Annotated[
        str | None,
        typer.Option(metavar="CODE", help="Its language from now on; none: the program's letters."),
    ] = None,
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """Show a match's ruleset, players, date, place, title, note and language, or change them.

    An empty text ("") removes a value. Entries do not change: they are stored in the program's own
    letters.

    Example: scorekeeper describe --date 2026-11-20 --title "Friday club"
    """
    opened = open_match(book, match)
    said = said_about(date, title, place, note)
    if language is not None:
        from scorekeeper.ruleset.checks import NONE

        said["language"] = "" if language == NONE else language
    if said:
        opened = _changed(opened, said)
    ruleset, players, meta = opened.match.ruleset, opened.match.players, opened.meta
    if format == "json":
        number = opened.desk.id if opened.desk else meta["match"]
        say_json({"match": number, "ruleset": ruleset.name, "title": ruleset.title,
                  "players": players, "started": meta["started"], "day": meta["day"],
                  "place": meta["place"], "language": meta["language"],
                  **titled(meta["title"], meta["note"])})  # fmt: skip
        return FINE
    if meta["title"]:
        say(tr("title: {title}", title=meta["title"]))
    say(tr("ruleset: {name} ({title})", name=ruleset.name, title=ruleset.said(ruleset.title)))
    say(tr("players: {players}", players=", ".join(players)))
    if meta["started"]:
        say(tr("started: {date}", date=meta["started"]))
    if meta["place"]:
        say(tr("place: {place}", place=meta["place"]))
    if meta["note"]:
        say(tr("note: {note}", note=meta["note"]))
    say(language_text(meta["language"] or tr("none"), opened.speech(format)))
    return FINE


@commanded
def legal(
    match: ReadOption = None,
    every: Annotated[
        bool, typer.Option("--all", help="One by one, however many they are.")
    ] = False,
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """List what players may do now, a long list in few lines.

    Example: scorekeeper legal
    """
    opened = open_match(book, match)
    spoken, speech = opened.match, opened.speech(format)
    faults = Faults(spoken, spoken.seen(), speech)
    about_faults: list[str] = []
    if spoken.live.decisions.watching:  # a fault may be claimed or must be rated
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
    """Show the current state of the table.

    Example: scorekeeper status
    """
    opened = open_match(book, match)
    if log and known:
        raise Unreadable(tr("--log and --known exclude each other"), tr("leave out one of them"))
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


@commanded
def score(
    match: ReadOption = None,
    explain: Annotated[
        int | None, typer.Option("--explain", metavar="ROUND", help="What made up a round's score.")
    ] = None,
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """Show the tallies and the changes of each round.

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
    from scorekeeper.session.screen import points_so_far

    for played in spoken_of.rounds:
        changes = played.worth
        if played is spoken_of.rounds[-1] and not played.over:
            changes = "; ".join(filter(None, (changes, points_so_far(spoken_of.seen().live))))
        say(tr("round {number}: {changes}", number=played.number, changes=changes))
    tally = spoken_of.ruleset.said(spoken_of.ruleset.tally["name"])
    say(f"{tally}: {result_text(spoken_of)}")
    return FINE


@commanded
def matches(book: BookOption = None, format: FormatOption = "text") -> int:
    """List all matches in the book.

    Example: scorekeeper matches
    """
    from scorekeeper.store.round_cache import every_row

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
        say(tr(NO_MATCHES))
    return FINE


# --- judge


def _split(
    match: Match, speech: Speech, lines: Iterable[str]
) -> Iterator[tuple[str, Unreadable | None]]:
    """Yield the entries of lines, each read in the state that the match has by then.

    A line that cannot be read comes with its error.
    """
    for line in lines:
        try:
            yield from ((text, None) for text in entries_of(match, line, speech))
        except Unreadable as failure:
            yield line, failure


def _judged(match: Match, text: str) -> Ruling:
    """Return the ruling on an entry. If it is legal, record it in this copy of the match."""
    try:
        return match.record(text)
    except Illegal as refused:
        return refused.ruling


# --- describe: what is kept with a match besides its entries


def titled(title: str, note: str) -> dict[str, str]:
    """Return a match's title and note as JSON, without empty ones."""
    named = {"match_title": title, "note": note}
    return {key: text for key, text in named.items() if text}


def said_about(date: str | None, title: str | None, place: str | None, note: str | None) -> Said:
    """Return the given details of a match. None stands for an option that was not given.

    Raises Unreadable for a wrong date or a text that is too long.
    """
    said: Said = {}
    if date is not None:
        said["started"] = begun(date)
    if title is not None:
        said["title"] = _text("--title", title)
    if place is not None:
        said["place"] = _text("--place", place)
    if note is not None:
        said["note"] = _text("--note", note)
    return said


def begun(date: str) -> str:
    """Return a typed date in ISO format, with its time if it has one. Raises Unreadable.

    >>> begun("2026-11-20 20:15")
    '2026-11-20T20:15'
    """
    from datetime import date as day
    from datetime import datetime

    text = date.strip()
    if not text:
        return ""
    try:
        if len(text) > len("2026-11-20"):
            moment = datetime.fromisoformat(text)
            return moment.isoformat(timespec="seconds" if moment.second else "minutes")
        return day.fromisoformat(text).isoformat()
    except ValueError:
        raise Unreadable(
            tr("“{date}” is not a date", date=shown(text, 40)),
            "--date 2026-11-20, --date 2026-11-20T20:15",
        ) from None


def _text(option: str, text: str) -> str:
    from scorekeeper.notation.syntax import clean

    if len(text) > untrusted.TEXT:
        most = tr("at most {count} characters", count=untrusted.TEXT)
        raise Unreadable(tr("the text of {option} is too long", option=option), most)
    return clean(text)


def _changed(opened: Opened, said: Said) -> Opened:
    """Change a match's details in the book and return the match. Raises Unreadable for a record
    file."""
    if opened.desk is None:
        raise Unreadable(
            tr("a record file cannot be changed here"),
            tr("import it, then describe --language CODE"),
        )
    opened.desk.describe(**said)
    return opened._replace(meta=meta_of(opened.desk.row))


# --- legal: whoever may do the same, and what differs in a card, a suit or a number only, together


def grouped(entries: Sequence[Entry], notation: Notation) -> list[str]:
    """Return a list of entries in few lines. A short list has one entry a line.

    Otherwise a line has players, a word, and what may follow it, separated by `|`.
    """
    if len(entries) <= SHORT:
        return [f"  {entry.text}" for entry in entries]
    whole = plural("{count} entry", "{count} entries", len(entries))
    total = tr("{entries} in all; one by one: legal --all", entries=whole)
    bare = _without_words(entries)
    if len(bare) <= SHORT:
        return [*(f"  {entry.text}" for entry in bare), total]
    alike: dict[tuple[tuple[str, ...], ...], list[str]] = {}
    for name, own in _by_name(entries).items():
        alike.setdefault(tuple(_acts(own, notation)), []).append(name)
    lines: list[str] = []
    for acts, names in alike.items():
        who = listed(names, tr("or"))
        for *parts, last in acts:
            told = [*(f"{part} |" for part in parts), last]
            told[0] = f"  {who}: {told[0]}" if who else f"  {told[0]}"
            lines += filled(told, WIDTH, "    ", " ")
    most = SHORT - 1
    shown = lines if len(lines) <= most else [*lines[: most - 1], "  …"]
    return [*shown, total]


def _without_words(entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries without those that only add a word to another one: a wish that a call
    raises, a contract with an option."""
    texts = {entry.text for entry in entries}
    return [
        entry for entry in entries if entry.verb.cards or entry.text.rpartition(" ")[0] not in texts
    ]


def _by_name(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """Return the entries by player, "" for those of the table."""
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        name, colon, _ = entry.text.partition(": ")
        found.setdefault(name if colon and not entry.verb.table else "", []).append(entry)
    return found


def _acts(entries: Iterable[Entry], notation: Notation) -> Iterator[tuple[str, ...]]:
    """Yield the acts of one player, grouped by their first word."""
    words: dict[str, list[Entry]] = {}
    for entry in entries:
        words.setdefault(entry.verb.word, []).append(entry)
    single = [_act(alike[0]) for alike in words.values() if len(alike) == 1]
    for alike in words.values():
        if len(alike) > 1:
            yield from _one_word(alike, notation)
    if single:
        yield tuple(single)


def _one_word(entries: list[Entry], notation: Notation) -> Iterator[tuple[str, ...]]:
    verb = entries[0].verb
    least = _least(entries) if verb.implicit and not verb.cards else []
    if least:
        *first, last = map(_act, least)
        yield *first, tr("{bid}, or more of the same", bid=last)
        return
    parts: dict[str, list[Entry]] = {}
    for entry in entries:
        parts.setdefault(_suit(entry, notation) if verb.cards else "", []).append(entry)
    for part in parts.values():
        yield _shortened([_act(entry) for entry in part])


def _act(entry: Entry) -> str:
    return entry.text if entry.verb.table else entry.text.partition(": ")[2]


def _shortened(acts: Sequence[str]) -> tuple[str, ...]:
    """Return acts with the words that all begin with only in the first, and without the last of
    each."""
    first, *others = (act.split(" ") for act in acts)
    most = min(len(words) for words in (first, *others)) - 1
    same = 0
    while same < most and all(words[same] == first[same] for words in others):
        same += 1
    return acts[0], *(" ".join(words[same:]) for words in others)


def _least(entries: list[Entry]) -> list[Entry]:
    """Return the lowest bid of each kind, if all higher numbers up to one maximum may be bid too.

    Returns nothing if the entries are no such bids.
    """
    kinds: dict[object, list[tuple[int, Entry]]] = {}
    for entry in entries:
        value = entry.value
        if not (isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], int)):
            return []
        kinds.setdefault(value[1], []).append((value[0], entry))
    found = [sorted(bids, key=lambda bid: bid[0]) for bids in kinds.values()]
    top = max(bids[-1][0] for bids in found)
    if any([number for number, _ in bids] != list(range(bids[0][0], top + 1)) for bids in found):
        return []
    return [bids[0][1] for bids in found]


def _suit(entry: Entry, notation: Notation) -> str:
    """Return the common suit of an act's cards, or "". Cards are grouped by it."""
    value = entry.value
    kinds = set(value) if isinstance(value, tuple) else {value}
    number = entry.verb.syntax.is_number(value) and not entry.verb.implicit
    if number or not all(isinstance(kind, int) for kind in kinds):
        return ""
    pack = notation.lexicon.pack
    suits = {pack.kinds[kind][-1] for kind in kinds}
    suit = suits.pop() if len(suits) == 1 else ""
    return suit if suit in pack.suits else ""


# --- status


def status_lines(match: Match, faults: Faults | None = None) -> list[str]:
    """Return the current state of the table as lines.

    `faults` are those that may still be claimed, by default the ones that the match shows.
    """
    from tabulate import tabulate

    from scorekeeper.session.screen import screen

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


def _log(desk: Desk | None, as_json: bool, reveal: bool) -> int:
    if desk is None:
        raise Unreadable(tr("a record file has no log"), tr("only a match in the book has one"))
    from scorekeeper.store.recorder import numbered, said

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
    """Return the present number of an entry in the log, if it has moved."""
    if row.kind in ("undo", "remove", "restore"):
        return ""
    if not now:
        return f"  ({tr('removed since')})"
    first = f"{row.round}.{row.number}"
    return "" if now[0] == first else f"  ({tr('now {place}', place=', '.join(now))})"


def known_lines(known: Json) -> Iterator[str]:
    """Yield a line for each hand with its known cards, then the unseen cards by class."""
    unseen: dict[str, list[str]] = known["unseen"]
    places = {**known["hands"], tr("in no hand"): known["not_in_hands"]}
    unknown = [_none_of(place) for place in places.values() if place["may"]]
    nowhere = [name for name in (unknown or [[]])[0] if all(name in other for other in unknown)]
    yield tr("known about the hands:")
    for name, place in places.items():
        if place["cards"] or place is not known["not_in_hands"]:
            yield f"  {name}: {_told(place, unseen, nowhere)}"
    if nowhere:
        yield f"  {tr('accounted for: {sets}', sets=', '.join(nowhere))}"
    if unseen:
        yield tr("unseen ({number}):", number=sum(map(len, unseen.values())))
        for name, cards in unseen.items():
            yield f"  {name}: {' '.join(cards)}"


def _none_of(place: Json) -> list[str]:
    return [each["set"] for each in place["sets"] if not each["most"]]


def _told(place: Json, unseen: dict[str, list[str]], nowhere: list[str]) -> str:
    """Return the number of cards in a place, the known ones, and what the rest may be.

    Sets of cards in `nowhere` are left out, because no place has any of them.
    """
    parts = [plural("{count} card", "{count} cards", place["cards"])]
    if place["sure"]:
        parts.append(tr("known {cards}", cards=" ".join(place["sure"])))
    parts += [_bounded(each) for each in place["sets"] if each["set"] not in nowhere]
    if place.get("aside"):
        parts.append(tr("{number} more buried, unknown which", number=place["aside"]))
    if place["may"] and _every_kind(place["may"]) != _every_kind(unseen):
        cards = "; ".join(f"{name} {' '.join(codes)}" for name, codes in place["may"].items())
        parts.append(tr("possible {cards}", cards=cards))
    elif place["may"]:
        rest = place["cards"] - len(place["sure"])
        if rest > 0:
            parts.append(tr("the rest unseen") if place["sure"] else tr("all unseen"))
    return ", ".join(filter(None, parts))


def _bounded(bounded: Json) -> str:
    if not bounded["most"]:
        return tr("no {set}", set=bounded["set"])
    return tr("at least {least} of {set}", least=bounded["least"], set=bounded["set"])


def _every_kind(cards: dict[str, list[str]]) -> set[str]:
    return {code for codes in cards.values() for code in codes}


# --- score


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
    from scorekeeper.session.screen import score_of

    for text in score_of(match, played):
        say(text)
    return FINE


# --- matches


def _within(line: str) -> list[str]:
    """Return a match in lines of the terminal's width, broken between players."""
    width = width_or(WIDTH)
    if columns(line) <= width:
        return [line]
    from scorekeeper.render.text import listed

    return listed(line.split(", "), width, " " * 6)


def match_line(row: MatchRow) -> str:
    """Return a line about a match of the book, with its players as they were written."""
    return _line(_listed(row, {}))


def _line(row: Json) -> str:
    from scorekeeper.store.rows import moment_of

    over = f" ({tr('over')})" if row.get("over") else ""
    scores = ", ".join(f"{name} {points}" for name, points in row.get("scores", {}).items())
    named = f"  ({row['match_title']})" if "match_title" in row else ""
    began = moment_of(row["started"], row["day"])
    return (f"{row['match']:>4}  {began:16}  {row['ruleset']}{over}: "
            f"{scores or ', '.join(row['players'])}{named}")  # fmt: skip


def _listed(row: MatchRow, aliases: Mapping[str, str]) -> Json:
    from scorekeeper.store.people import told_names
    from scorekeeper.store.round_cache import listed

    names, summary = told_names(row.everybody, aliases), listed(row)
    scores = {names[name]: points for name, points in summary.get("scores", {}).items()}
    return {
        "match": row.id, "ruleset": row.ruleset, "players": list(names.values()),
        "started": row.started, "day": row.day, "place": row.place,
        "entries": row.entries, "last": row.last,
        **titled(row.title, row.note), **summary, **({"scores": scores} if scores else {}),
    }  # fmt: skip
