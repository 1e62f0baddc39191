"""Commands that record no entries: judge, describe, legal, status, score, matches."""

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
    OpenedMatch,
    ReadOption,
    claim_lines,
    cli_command,
    describe_language,
    details_of,
    exit_code,
    failure_lines_for_entry,
    join_arguments,
    open_book,
    open_match,
    print_json,
    print_json_rows,
    print_lines,
    print_notes,
    result_text,
    ruling_lines,
    split_entries,
    suggestion_lines,
    turn_text,
)
from scorekeeper.cli.output import terminal_width
from scorekeeper.core import untrusted
from scorekeeper.core.errors import Failure, Impossible, Unreadable
from scorekeeper.core.messages import join_list, plural, tr
from scorekeeper.core.rulings import Illegal
from scorekeeper.core.text import display_width, quote, wrap_parts, wrap_text
from scorekeeper.engine.referee import options
from scorekeeper.match.public import redact
from scorekeeper.match.status import known_hands
from scorekeeper.notation.notation import Translator
from scorekeeper.session.amendments import open_dependents
from scorekeeper.session.public_round import make_public
from scorekeeper.session.rulings import Faults

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.rulings import Ruling
    from scorekeeper.core.types import Json
    from scorekeeper.match.match import Match
    from scorekeeper.notation import Entry, Notation
    from scorekeeper.store.recorder import MatchRecorder
    from scorekeeper.store.rows import DetailOptions, LogRow, MatchRow

MAX_SHORT_LIST = 20  # maximum number of lines in a list of entries; longer lists are condensed


@cli_command
def judge(
    entries: Annotated[list[str], typer.Argument(metavar="ENTRY", help="The entries to judge.")],
    match: ReadOption = None,
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """Ask the referee about entries without recording them. They are judged in order.

    Example: scorekeeper judge Ben: 10x4
    """
    from scorekeeper.engine.replay import finding_of

    opened = open_match(book, match)
    played, speech = opened.match, opened.translator(format)
    answers: list[dict[str, object]] = []
    code = FINE
    for text, failure_to_read in _split_lines(played, speech, join_arguments(entries)):
        try:
            if failure_to_read is not None:
                raise failure_to_read
            ruling = _judge_and_record(played, speech.to_canonical(text))
        except Failure as failure:
            answers.append(
                {"entry": text, "verdict": None, "findings": [finding_of(failure).as_json()]}
            )
            if format == "text":
                print_notes(
                    f"{quote(text, 120)}  [{tr('cannot be judged')}]",
                    *failure_lines_for_entry(failure, played, speech, text),
                )
            code = exit_code(failure)
            break
        answers.append(ruling.as_json())
        if format == "text":
            suggestion = suggestion_lines(played, speech, text) if ruling.refused else []
            print_lines(
                *ruling_lines(ruling, speech), *claim_lines(ruling, played, speech), *suggestion
            )
        if ruling.refused:
            code = REFUSED
    if format == "json":
        print_json(answers)
    return code


@cli_command
def describe(
    match: ReadOption = None,
    date: Annotated[
        str | None,
        typer.Option(
            metavar="DATE", help="The date of the match, such as 2026-11-20. A time may follow."
        ),
    ] = None,
    title: Annotated[str | None, typer.Option(help="The title of the match.")] = None,
    place: Annotated[str | None, typer.Option(help="The place where the match was played.")] = None,
    note: Annotated[str | None, typer.Option(help="A note about the match.")] = None,
    language: Annotated[
        str | None,
        typer.Option(
            metavar="CODE", help="The language in which cards are typed. Use none to remove it."
        ),
    ] = None,
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """Show or change the details of a match.

    They are its date, place, title, note and language. An empty string ("") removes a value. A new
    language does not change any entries, because they are stored with the program's own letters.

    Example: scorekeeper describe --date 2026-11-20 --title "Friday club"
    """
    opened = open_match(book, match)
    details = detail_options(date, title, place, note)
    if language is not None:
        from scorekeeper.ruleset.tables import NONE

        details["language"] = "" if language == NONE else language
    if details:
        opened = _change_details(opened, details)
    ruleset, players, meta = opened.match.ruleset, opened.match.players, opened.details
    if format == "json":
        number = opened.recorder.id if opened.recorder else meta["match"]
        print_json({"match": number, "ruleset": ruleset.name, "title": ruleset.title,
                  "players": players, "started": meta["started"], "day": meta["day"],
                  "place": meta["place"], "language": meta["language"],
                  **title_json(meta["title"], meta["note"])})  # fmt: skip
        return FINE
    if meta["title"]:
        print_lines(tr("title: {title}", title=meta["title"]))
    print_lines(
        tr("ruleset: {name} ({title})", name=ruleset.name, title=ruleset.translate(ruleset.title))
    )
    print_lines(tr("players: {players}", players=", ".join(players)))
    if meta["started"]:
        print_lines(tr("started: {date}", date=meta["started"]))
    if meta["place"]:
        print_lines(tr("place: {place}", place=meta["place"]))
    if meta["note"]:
        print_lines(tr("note: {note}", note=meta["note"]))
    print_lines(describe_language(meta["language"] or tr("none"), opened.translator(format)))
    return FINE


@cli_command
def legal(
    match: ReadOption = None,
    every: Annotated[
        bool, typer.Option("--all", help="List each entry separately, however many there are.")
    ] = False,
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """List what players may do now. Long lists are condensed.

    Example: scorekeeper legal
    """
    opened = open_match(book, match)
    played, speech = opened.match, opened.translator(format)
    faults = Faults(played, played.public_copy(), speech)
    about_faults: list[str] = []
    if played.live_round.decisions.watching:  # some faults may be claimed or must be rated
        about_faults = list(faults.entries())
    about_faults += (
        faults.list_told_claims() if every or format == "json" else faults.told_claims_forms()
    )
    if format == "json":
        canonical = [played.notation.read(text).text for text in about_faults]
        entries = [*played.legal(speech.spoken_notation), *canonical]
        print_json({"to_act": played.to_act, "entries": entries})
        return FINE
    print_lines(speech.translate_letters(turn_text(played)))
    entries_now = (
        list(options(played.current_round, speech.spoken_notation)) if played.legal else []
    )
    lines = (
        [f"  {entry.text}" for entry in entries_now]
        if every
        else group_entries(entries_now, speech.spoken_notation)
    )
    for line in [*lines, *(f"  {text}" for text in about_faults)]:
        print_lines(line)
    return FINE


@cli_command
def status(
    match: ReadOption = None,
    log: Annotated[
        bool, typer.Option("--log", help="Show everything that was entered, undone or amended.")
    ] = False,
    reveal: Annotated[bool, typer.Option("--reveal", help="Show hands that were entered.")] = False,
    known: Annotated[
        bool,
        typer.Option(
            "--known",
            help="Show the cards that each hand is known to hold, and the cards that it may hold.",
        ),
    ] = False,
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """Show the current state of the table.

    Example: scorekeeper status
    """
    opened = open_match(book, match)
    if log and known:
        raise Unreadable(tr("--log and --known cannot be combined"), tr("leave out one of them"))
    if log:
        return _print_log(opened.recorder, format == "json", reveal)
    seen = opened.match if reveal else make_public(opened.match, opened.recorder)
    certain = known_hands(seen.shown_round) if known else None
    speech = opened.translator(format)
    faults = Faults(seen, seen, speech)
    resting = open_dependents(opened.recorder) if opened.recorder is not None else []
    if format == "json":
        state = {**seen.state, "faults": faults.all} if "faults" in seen.state else seen.state
        if resting:
            state = {**state, "resting": [each.as_json() for each in resting]}
        print_json(state if certain is None else {**state, "known": certain})
        return FINE
    for line in status_lines(seen, faults):
        print_lines(speech.translate_letters(line))
    for each in resting:
        for line in each.lines(speech.echo, speech.translate_letters, speech.to_spoken):
            print_lines(f"  {line}")
    for line in known_lines(certain) if certain is not None else ():
        print_lines(f"  {speech.translate_letters(line)}")
    return FINE


@cli_command
def score(
    match: ReadOption = None,
    explain: Annotated[
        int | None,
        typer.Option(
            "--explain", metavar="ROUND", help="Show how the score of a round is made up."
        ),
    ] = None,
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """Show the tallies, and how each round changed them.

    Example: scorekeeper score --explain 1
    """
    spoken_of = open_match(book, match, from_first_entry=True).match
    if explain is not None:
        return _explain_round(spoken_of, explain, format == "json")
    if format == "json":
        rounds = [{"scores": p.scores, "lines": [line.as_json() for line in p.lines]}
                  for p in spoken_of.rounds]  # fmt: skip
        told: Json = {"scores": spoken_of.scores, "over": spoken_of.over, "rounds": rounds}
        if spoken_of.ruleset.ranking.of_match:
            told["figures"] = _match_figures(spoken_of)
        print_json(told)
        return FINE
    from scorekeeper.session.screen import points_so_far

    for played in spoken_of.rounds:
        changes = played.result_text
        if played is spoken_of.rounds[-1] and not played.over:
            changes = "; ".join(
                filter(None, (changes, points_so_far(spoken_of.public_copy().live_round)))
            )
        print_lines(tr("round {number}: {changes}", number=played.number, changes=changes))
    tally = spoken_of.ruleset.translate(spoken_of.ruleset.tally["name"])
    print_lines(f"{tally}: {result_text(spoken_of)}")
    for name, numbers in _match_figures(spoken_of).items():
        label = spoken_of.ruleset.translate(spoken_of.ruleset.ranking.figures[name].label)
        text = ", ".join(f"{who} {number}" for who, number in numbers.items())
        print_lines(f"{label}: {text}")
    return FINE


def _match_figures(match: Match) -> dict[str, dict[str, int]]:
    """Return the numbers by which a ruleset ranks players, keyed by figure and then by player."""
    from scorekeeper.history.ranking import sum_figures
    from scorekeeper.history.results import match_result

    ranking = match.ruleset.ranking
    if not ranking.of_match:
        return {}
    summaries = list(match.summaries())
    sums = sum_figures(ranking, summaries, match_result(match, summaries).points)
    return {figure.name: dict(sums.numbers[figure.name]) for figure in ranking.of_match}


@cli_command
def matches(book: BookOption = None, format: FormatOption = "text") -> int:
    """List all matches in the book.

    Example: scorekeeper matches
    """
    from scorekeeper.store.round_cache import all_rows

    empty = True
    with open_book(book) as store:
        aliases = store.aliases()
        rows = (_match_json(row, aliases) for row in all_rows(store))
        if format == "json":
            print_json_rows(rows)
            return FINE
        for row in rows:
            empty = False
            print_lines(*_fit_line(_match_line(row)))
    if empty:
        print_lines(tr(NO_MATCHES))
    return FINE


# --- judge


def _split_lines(
    match: Match, translator: Translator, lines: Iterable[str]
) -> Iterator[tuple[str, Unreadable | None]]:
    """Split lines into entries and yield them. A line is only read once the caller has handled the
    entries of the lines before it.

    A line that cannot be read is yielded with its error.
    """
    for line in lines:
        try:
            yield from ((text, None) for text in split_entries(match, line, translator))
        except Unreadable as failure:
            yield line, failure


def _judge_and_record(match: Match, text: str) -> Ruling:
    """Return the ruling on an entry. If the entry is legal, record it in this copy of the match."""
    try:
        return match.record(text)
    except Illegal as refused:
        return refused.ruling


# --- describe


def title_json(title: str, note: str) -> dict[str, str]:
    """Return a match's title and note as JSON, omitting empty ones."""
    named = {"match_title": title, "note": note}
    return {key: text for key, text in named.items() if text}


def detail_options(
    date: str | None, title: str | None, place: str | None, note: str | None
) -> DetailOptions:
    """Return the match details given as options. None means that an option was not used.

    Raises Unreadable for an invalid date or for text that is too long.
    """
    details: DetailOptions = {}
    if date is not None:
        details["started"] = parse_date(date)
    if title is not None:
        details["title"] = _check_text("--title", title)
    if place is not None:
        details["place"] = _check_text("--place", place)
    if note is not None:
        details["note"] = _check_text("--note", note)
    return details


def parse_date(date: str) -> str:
    """Return a typed date in ISO format, with the time if one was typed.

    >>> parse_date("2026-11-20 20:15")
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
            tr("“{date}” is not a date", date=quote(text, 40)),
            "--date 2026-11-20, --date 2026-11-20T20:15",
        ) from None


def _check_text(option: str, text: str) -> str:
    from scorekeeper.notation.syntax import clean

    if len(text) > untrusted.MAX_TEXT:
        most = tr("at most {count} characters", count=untrusted.MAX_TEXT)
        raise Unreadable(tr("the text for {option} is too long", option=option), most)
    return clean(text)


def _change_details(opened: OpenedMatch, details: DetailOptions) -> OpenedMatch:
    """Change a match's details in the book and return the match.

    Raises Unreadable for a record file.
    """
    if opened.recorder is None:
        raise Unreadable(
            tr("describe cannot change a record file"),
            tr("import the file, then set the language of the match: describe --language CODE"),
        )
    opened.recorder.describe(**details)
    return opened._replace(details=details_of(opened.recorder.row))


# --- legal


def group_entries(entries: Sequence[Entry], notation: Notation) -> list[str]:
    """Return entries as a list of lines. If there are only a few, each entry has its own line.

    Otherwise, players who have the same acts share lines, with one line for each first word of
    their acts. A line contains the players' names, and then the acts, separated by `|`.
    """
    if len(entries) <= MAX_SHORT_LIST:
        return [f"  {entry.text}" for entry in entries]
    count_text = plural("{count} entry", "{count} entries", len(entries))
    total = tr("{entries} in all; to list each one: legal --all", entries=count_text)
    bare = _drop_extended(entries)
    if len(bare) <= MAX_SHORT_LIST:
        return [*(f"  {entry.text}" for entry in bare), total]
    names_by_acts: dict[tuple[tuple[str, ...], ...], list[str]] = {}
    for name, own in _group_by_name(entries).items():
        names_by_acts.setdefault(tuple(_group_acts(own, notation)), []).append(name)
    lines: list[str] = []
    for acts, names in names_by_acts.items():
        names_text = join_list(names, tr("or"))
        for *parts, last in acts:
            parts_of_line = [*(f"{part} |" for part in parts), last]
            parts_of_line[0] = (
                f"  {names_text}: {parts_of_line[0]}" if names_text else f"  {parts_of_line[0]}"
            )
            lines += wrap_parts(parts_of_line, WIDTH, "    ", " ")
    most = MAX_SHORT_LIST - 1
    shown = lines if len(lines) <= most else [*lines[: most - 1], "  …"]
    return [*shown, total]


def _drop_extended(entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries, except those that only add a word to another entry.

    Examples of added words are a wish after a call, and an option after a contract.
    """
    texts = {entry.text for entry in entries}
    return [
        entry
        for entry in entries
        if entry.type.plays_cards or entry.text.rpartition(" ")[0] not in texts
    ]


def _group_by_name(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """Return the entries by player. Entries of the table have the key ""."""
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        name, colon, _ = entry.text.partition(": ")
        groups.setdefault(name if colon and not entry.type.is_table_entry else "", []).append(entry)
    return groups


def _group_acts(entries: Iterable[Entry], notation: Notation) -> Iterator[tuple[str, ...]]:
    """Yield the acts of one player, grouped by their first word."""
    words: dict[str, list[Entry]] = {}
    for entry in entries:
        words.setdefault(entry.type.word, []).append(entry)
    single = [_act_text(group[0]) for group in words.values() if len(group) == 1]
    for group in words.values():
        if len(group) > 1:
            yield from _group_one_word(group, notation)
    if single:
        yield tuple(single)


def _group_one_word(entries: list[Entry], notation: Notation) -> Iterator[tuple[str, ...]]:
    verb = entries[0].type
    least = _lowest_bids(entries) if verb.is_implicit and not verb.plays_cards else []
    if least:
        *first, last = map(_act_text, least)
        yield *first, tr("{bid}, or more of the same", bid=last)
        return
    parts: dict[str, list[Entry]] = {}
    for entry in entries:
        parts.setdefault(_common_suit(entry, notation) if verb.plays_cards else "", []).append(
            entry
        )
    for part in parts.values():
        yield _shorten_repeated([_act_text(entry) for entry in part])


def _act_text(entry: Entry) -> str:
    return entry.text if entry.seat is None else entry.text.partition(": ")[2]


def _shorten_repeated(acts: Sequence[str]) -> tuple[str, ...]:
    """Return the acts, and drop their common first words from all acts but the first.

    The last word of an act is never dropped.
    """
    first, *others = (act.split(" ") for act in acts)
    most = min(len(words) for words in (first, *others)) - 1
    same = 0
    while same < most and all(words[same] == first[same] for words in others):
        same += 1
    return acts[0], *(" ".join(words[same:]) for words in others)


def _lowest_bids(entries: list[Entry]) -> list[Entry]:
    """Return the lowest bid of each kind, if the lowest bids imply all other bids.

    That is true if each kind allows every number from its lowest up to the same maximum. If it is
    false, the list is empty.
    """
    kinds: dict[object, list[tuple[int, Entry]]] = {}
    for entry in entries:
        value = entry.value
        if not (isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], int)):
            return []
        kinds.setdefault(value[1], []).append((value[0], entry))
    lists = [sorted(bids, key=lambda bid: bid[0]) for bids in kinds.values()]
    top = max(bids[-1][0] for bids in lists)
    if any([number for number, _ in bids] != list(range(bids[0][0], top + 1)) for bids in lists):
        return []
    return [bids[0][1] for bids in lists]


def _common_suit(entry: Entry, notation: Notation) -> str:
    """Return the suit that all cards of an act share, or "". Acts are grouped by this suit."""
    value = entry.value
    kinds = set(value) if isinstance(value, tuple) else {value}
    number = entry.type.syntax.is_count_only(value) and not entry.type.is_implicit
    if number or not all(isinstance(kind, int) for kind in kinds):
        return ""
    pack = notation.lexicon.pack
    suits = {pack.kinds[kind][-1] for kind in kinds}
    suit = suits.pop() if len(suits) == 1 else ""
    return suit if suit in pack.suits else ""


# --- status


def status_lines(match: Match, faults: Faults | None = None) -> list[str]:
    """Return the current state of the table as lines.

    `faults` are those that may still be claimed. By default, they are taken from the match.
    """
    from tabulate import tabulate

    from scorekeeper.session.screen import make_screen

    open_faults = Faults(match, match, Translator(match.notation)) if faults is None else faults
    view = make_screen(match, open_faults)
    if view.over and not match.over:
        lines = [tr("round {number} is over; next: {turn}", number=view.round, turn=view.turn)]
    else:
        lines = [tr("round {number}: {turn}", number=view.round, turn=view.turn)]
    for fault in open_faults.all:
        lines += wrap_text(f"  {open_faults.heading(fault)}", WIDTH, "    ")
        lines += [f"    {text}" for text in open_faults.lines(fault, WIDTH - 4)]
    lines += [f"  {text}" for text in view.facts]
    if view.table:
        lines.append(f"  {tr('on the table: {cards}', cards='; '.join(view.table))}")
    rows = [[row.name, *row.cells] for row in view.rows]
    table = tabulate(rows, ["", *view.headings], "plain", disable_numparse=True)
    return lines + [f"  {line}".rstrip() for line in table.splitlines()]


def _print_log(recorder: MatchRecorder | None, as_json: bool, reveal: bool) -> int:
    if recorder is None:
        raise Unreadable(tr("a record file has no log"), tr("only a match in the book has one"))
    from scorekeeper.store.recorder import describe_row, number_entries

    log, notation = recorder.log(), recorder.match.full_notation
    now = number_entries(log)

    def show(text: str) -> str:
        return text if reveal else redact(text, notation)

    if as_json:
        print_json([
            {"position": row.position, "kind": row.kind, "round": row.round, "number": row.number,
             "entry": "\n".join(map(show, row.text.split("\n"))),
             "now": now.get(row.position, []), "time": row.time, "recorder": row.recorder}
            for row in log
        ])  # fmt: skip
        return FINE
    for row in log:
        at = f"{row.round}.{row.number}"
        place = _current_place(row, now.get(row.position, []))
        print_lines(f"{row.time}  {at:>7}  {describe_row(row, show)}{place}")
    return FINE


def _current_place(row: LogRow, now: list[str]) -> str:
    """Return a note with the current number of a logged entry, or "" if its number is unchanged."""
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
    unknown = [_empty_sets(place) for place in places.values() if place["may"]]
    nowhere = [name for name in (unknown or [[]])[0] if all(name in other for other in unknown)]
    yield tr("what is known about the hands:")
    for name, place in places.items():
        if place["cards"] or place is not known["not_in_hands"]:
            yield f"  {name}: {_place_text(place, unseen, nowhere)}"
    if nowhere:
        yield f"  {tr('all cards located: {sets}', sets=', '.join(nowhere))}"
    if unseen:
        yield tr("unseen ({number}):", number=sum(map(len, unseen.values())))
        for name, cards in unseen.items():
            yield f"  {name}: {' '.join(cards)}"


def _empty_sets(place: Json) -> list[str]:
    return [each["set"] for each in place["sets"] if not each["most"]]


def _place_text(place: Json, unseen: dict[str, list[str]], nowhere: list[str]) -> str:
    """Describe the cards in one place: how many there are, which are known, and which are possible.

    `nowhere` lists the sets whose cards cannot be in any place. These sets are omitted.
    """
    parts = [plural("{count} card", "{count} cards", place["cards"])]
    if place["sure"]:
        parts.append(tr("known {cards}", cards=" ".join(place["sure"])))
    parts += [_bound_text(each) for each in place["sets"] if each["set"] not in nowhere]
    if place.get("aside"):
        parts.append(tr("{number} more buried, identity unknown", number=place["aside"]))
    if place["may"] and _every_kind(place["may"]) != _every_kind(unseen):
        cards = "; ".join(f"{name} {' '.join(codes)}" for name, codes in place["may"].items())
        parts.append(tr("possible {cards}", cards=cards))
    elif place["may"]:
        rest = place["cards"] - len(place["sure"])
        if rest > 0:
            parts.append(tr("the rest unseen") if place["sure"] else tr("all unseen"))
    return ", ".join(filter(None, parts))


def _bound_text(bounded: Json) -> str:
    if not bounded["most"]:
        return tr("no {set}", set=bounded["set"])
    return tr("at least {least} of {set}", least=bounded["least"], set=bounded["set"])


def _every_kind(cards: dict[str, list[str]]) -> set[str]:
    return {code for codes in cards.values() for code in codes}


# --- score


def _explain_round(match: Match, number: int, as_json: bool) -> int:
    rounds = [played for played in match.rounds if played.number == number]
    if not rounds:
        if match.rounds:
            last = len(match.rounds)
            raise Impossible(
                tr(
                    "there is no round {number}; the most recent is round {last}",
                    number=number,
                    last=last,
                )
            )
        raise Impossible(
            tr("there is no round {number}; no round has been played yet", number=number)
        )
    played = rounds[0]
    accounts = match.score_sentences(played)
    if as_json:
        print_json({"round": number, "scores": played.scores, "accounts": accounts,
                  "lines": [line.as_json() for line in played.lines]})  # fmt: skip
        return FINE
    from scorekeeper.session.screen import round_score_lines

    for text in round_score_lines(match, played):
        print_lines(text)
    return FINE


# --- matches


def _fit_line(line: str) -> list[str]:
    """Wrap a line about a match to the terminal's width. Lines are broken between players."""
    width = terminal_width(WIDTH)
    if display_width(line) <= width:
        return [line]
    from scorekeeper.render.text import wrap_list

    return wrap_list(line.split(", "), width, " " * 6)


def describe_match_row(row: MatchRow) -> str:
    """Return a line that describes a match in the book, with players' names as they were
    written."""
    return _match_line(_match_json(row, {}))


def _match_line(row: Json) -> str:
    from scorekeeper.store.rows import format_start

    over = f" ({tr('over')})" if row.get("over") else ""
    scores = ", ".join(f"{name} {points}" for name, points in row.get("scores", {}).items())
    named = f"  ({row['match_title']})" if "match_title" in row else ""
    began = format_start(row["started"], row["day"])
    return (f"{row['match']:>4}  {began:16}  {row['ruleset']}{over}: "
            f"{scores or ', '.join(row['players'])}{named}")  # fmt: skip


def _match_json(row: MatchRow, aliases: Mapping[str, str]) -> Json:
    from scorekeeper.store.people import display_names
    from scorekeeper.store.round_cache import checked_listing

    names, summary = display_names(row.all_players, aliases), checked_listing(row)
    scores = {names[name]: points for name, points in summary.get("scores", {}).items()}
    return {
        "match": row.id, "ruleset": row.ruleset, "players": list(names.values()),
        "started": row.started, "day": row.day, "place": row.place,
        "entries": row.entries, "last": row.last_time,
        **title_json(row.title, row.note), **summary, **({"scores": scores} if scores else {}),
    }  # fmt: skip
