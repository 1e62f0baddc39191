"""Functions that read the cells of a score table (a CSV file or a Markdown table): lines, columns,
dates and words.

`score_rows` decides which rows contain points, and `score_table` records them.
"""

from __future__ import annotations

import re
from datetime import date
from io import StringIO
from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.errors import Damaged, Unreadable
from scorekeeper.core.messages import N_, tr
from scorekeeper.core.text import did_you_mean, quote
from scorekeeper.core.types import NamedTuple
from scorekeeper.notation.syntax import normalize

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence
    from typing import TypeAlias

    # a line number in the file, from 1, and the cells of that line
    Row: TypeAlias = tuple[int, list[str]]


# --- lines of the file

DELIMITERS = ("\t", ";", ",")
UTF16 = (b"\xff\xfe", b"\xfe\xff")
SPREADSHEET_HEADERS = (
    b"PK\x03\x04",
    b"\xd0\xcf\x11\xe0",
)  # the bytes with which spreadsheet files begin
_SEPARATOR_LINE = re.compile(
    r'"?sep=(.)"?\s*', re.IGNORECASE
)  # a line that Excel writes at the top of a file to declare the separator
SNIFFED_LINES = 20  # number of lines to examine for the separator


class ScoreFileLines(NamedTuple):
    """The lines of a file with a score table.

    `rows` are the rows that are not empty, each with its line number from 1. `above` are the lines
    above the headings, and `around` the line numbers of text around a Markdown table.
    """

    rows: list[Row]
    encoding: str
    delimiter: str
    above: list[tuple[int, str]]
    around: list[int]


def read_lines(path: str) -> ScoreFileLines:
    """Read the lines of a file with a score table.

    Raises Damaged if the file is empty or does not contain a table.
    """
    text, encoding = _read_text(path)
    table = parse_markdown(path, text)
    if table is not None:
        return ScoreFileLines(table.rows, encoding, "|", [], table.around)
    separator_line = _SEPARATOR_LINE.fullmatch(text.partition("\n")[0])
    delimiter = separator_line[1] if separator_line else _find_delimiter(text)
    rows = _parse_rows(path, text, delimiter)
    above = [(1, separator_line[0].strip())] if separator_line else []
    rows = rows[len(above) :]
    if not rows:
        raise Damaged(tr("{path} is empty", path=quote(path, 200)))
    titles = _count_titles(rows)
    above += [(line, "".join(cells).strip()) for line, cells in rows[:titles]]
    return ScoreFileLines(rows[titles:], encoding, delimiter, above, [])


def _count_titles(rows: Sequence[Row]) -> int:
    """Return the number of rows above the headings.

    A row is above the headings if it has only one cell with text, such as a title.
    """
    for titles, (_, row) in enumerate(rows):
        filled = [cell for cell in row if cell.strip()]
        if len(filled) > 1 or is_date(filled[0]):
            return titles
    return 0


def _find_delimiter(text: str) -> str:
    """Return the first of DELIMITERS that occurs in at least half of the lines at the top."""
    lines = [
        line for line in text.split("\n", 2 * SNIFFED_LINES)[: 2 * SNIFFED_LINES] if line.strip()
    ][:SNIFFED_LINES]
    frequent = (
        sign for sign in DELIMITERS if 2 * sum(sign in line for line in lines) >= len(lines)
    )
    return next(frequent, DELIMITERS[-1])


def _read_text(path: str) -> tuple[str, str]:
    """Return the text and the encoding of a file. Raises Damaged if it cannot be read as text."""
    try:
        with open(path, "rb") as file:
            raw = file.read(untrusted.MAX_TABLE_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Damaged(
            tr("{path} cannot be read: {reason}", path=quote(path, 200), reason=reason)
        ) from None
    if len(raw) > untrusted.MAX_TABLE_BYTES:
        raise Damaged(tr("{path} is larger than {size} MiB", path=quote(path, 200),
                         size=untrusted.MAX_TABLE_BYTES // 2**20))  # fmt: skip
    if raw.startswith(SPREADSHEET_HEADERS):
        raise Damaged(
            tr("{path} is a spreadsheet file, not a text file", path=quote(path, 200)),
            tr("open it in the spreadsheet program and save it as CSV"),
        )
    encodings = ["utf-16"] if raw.startswith(UTF16) else ["utf-8-sig", "cp1252", "latin-1"]
    for encoding in encodings:
        try:
            return raw.decode(encoding), "utf-8" if encoding == "utf-8-sig" else encoding
        except UnicodeDecodeError:
            continue
    raise Damaged(tr("{path} is not a text file", path=quote(path, 200)))


def _parse_rows(path: str, text: str, delimiter: str) -> list[Row]:
    """Return the rows that are not empty, each with its line number."""
    import csv

    rows: list[Row] = []
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter)
    line = 1
    try:
        for row in reader:
            if len(row) > untrusted.MAX_TABLE_COLUMNS:
                raise too_large(path, line, len(row))
            if any(cell.strip() for cell in row):
                rows.append((line, row))
            if len(rows) > untrusted.MAX_TABLE_ROWS:
                raise too_large(path, line)
            line = reader.line_num + 1
    except csv.Error as error:
        message = tr("{path}, line {line}: {what}", path=quote(path, 200), line=line,
                     what=tr("this is not a table: {reason}", reason=error))  # fmt: skip
        raise Damaged(message) from None
    return rows


# --- tables in Markdown

_BAR = re.compile(r"(?<!\\)\|")  # a separator between cells
_RULE = re.compile(r":?-+:?")  # a cell in the line of dashes below the headings
_EMPHASIS = re.compile(r"(\*\*\*|\*\*|\*|___|__|_|`)(.+)\1")  # bold, italic or code


class MarkdownTable(NamedTuple):
    """The rows of a table, each with its line number from 1, and the line numbers of text around
    it."""

    rows: list[Row]
    around: list[int]


def parse_markdown(path: str, text: str) -> MarkdownTable | None:
    """Return the table in Markdown text, or None if there is none.

    A table has a line of dashes below its headings. Raises Damaged if there are several tables, or
    if the table is too large.
    """
    lines = text.split("\n")
    rules = [at for at in range(1, len(lines)) if _is_rule(lines, at)]
    if not rules:
        return None
    if len(rules) > 1:
        message = tr("{path}, line {line}: {what}", path=quote(path, 200), line=rules[1],
                     what=tr("another table begins here"))  # fmt: skip
        raise Damaged(message, tr("put only one table in each file"))
    first, end = rules[0] - 1, rules[0] + 1
    while end < len(lines) and _BAR.search(lines[end]):
        end += 1
    rows: list[Row] = []
    for at in (first, *range(rules[0] + 1, end)):
        cells = _markdown_cells(lines[at])
        if len(cells) > untrusted.MAX_TABLE_COLUMNS:
            raise too_large(path, at + 1, len(cells))
        if any(cells):
            rows.append((at + 1, cells))
        if len(rows) > untrusted.MAX_TABLE_ROWS:
            raise too_large(path, at + 1)
    around = [at + 1 for at, line in enumerate(lines) if line.strip() and not first <= at < end]
    return MarkdownTable(rows, around)


def _is_rule(lines: Sequence[str], at: int) -> bool:
    """Return whether a line consists of dashes, with a cell for each heading in the line above
    it."""
    line = lines[at].strip()
    if "|" not in line or not set(line) <= set("|:- \t"):
        return False
    cells = _markdown_cells(line)
    return all(map(_RULE.fullmatch, cells)) and len(cells) == len(_markdown_cells(lines[at - 1]))


def _markdown_cells(line: str) -> list[str]:
    """Return the cells of a line, without the outer bars and without marks for bold, italic or
    code."""
    text = line.strip().removeprefix("|")
    cells = _BAR.split(text)
    if len(cells) > 1 and not cells[-1].strip():
        cells.pop()
    return [_strip_emphasis(cell.strip().replace("\\|", "|")) for cell in cells]


def _strip_emphasis(cell: str) -> str:
    marked = _EMPHASIS.fullmatch(cell)
    return marked[2].strip() if marked else cell


def too_large(path: str, line: int, found: int = 0) -> Damaged:
    """Return the error for a table that is too large.

    `found` is the number of columns if there are too many, or 0 if there are too many rows.
    """
    what = tr("the table has more than {most} rows", most=untrusted.MAX_TABLE_ROWS)
    if found:
        what = tr("this row has {found} columns, but at most {most} are allowed", found=found,
                  most=untrusted.MAX_TABLE_COLUMNS)  # fmt: skip
    return Damaged(tr("{path}, line {line}: {what}", path=quote(path, 200), line=line, what=what))


# --- dates

YMD, DMY, MDY = "ymd", "dmy", "mdy"
MAX_DATE_LENGTH = 60  # maximum length of a cell that may be a date
# The first letters of month names, and the names of weekdays, in English, German and French.
_MONTHS = (
    ("jan", "jän"), ("feb", "fév", "fev"), ("mar", "mär", "mae", "mrz"), ("apr", "avr"),
    ("may", "mai"), ("jun", "juin"), ("jul", "juil"), ("aug", "aoû", "aou"), ("sep",),
    ("oct", "okt"), ("nov",), ("dec", "dez", "déc"),
)  # fmt: skip
_NAMES = frozenset(
    {
        *("january", "february", "march", "april", "june", "july", "august", "sept"),
        *("september", "october", "november", "december", "januar", "jänner", "februar", "feber"),
        *("märz", "maerz", "juni", "juli", "oktober", "dezember", "janvier", "janv", "février"),
        *("févr", "fevrier", "mars", "avril", "juillet", "août", "aout", "septembre", "octobre"),
        *("novembre", "décembre", "decembre", *(name for names in _MONTHS for name in names)),
    }
)
_WEEKDAY = re.compile(
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun"
    r"|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend|mo|di|mi|do|fr|sa|so"
    r"|(?:lun|mar|mercre|jeu|vendre|same)di|dimanche|lun|mar|mer|jeu|ven|sam|dim)\b\.?,?\s*"
)
_TIME = re.compile(
    r"(?:t|,?\s+)(?:um |at |à )?\d{1,2}(?:[:h]\d\d.{0,20}| ?(?:uhr|h|[ap]\.?m\.?))", re.ASCII
)
_NUMBERS = re.compile(r"(\d{1,4})([-./ ])(\d{1,2})\2(\d{1,4})", re.ASCII)
_MONTH = r"(?P<m>[^\W\d_]{3,9})\.?"
_DAY = r"(?P<d>[0-9]{1,2})(?:\.|st|nd|rd|th|er)?"
_YEAR = r"(?P<y>[0-9]{4}|[0-9]{2})"
_NAMED = tuple(
    re.compile(pattern)
    for pattern in (
        # such as 20. November 2026 or 20-Nov-2026
        rf"{_DAY}[\s-]*(?:of |de )?{_MONTH}[\s,-]*{_YEAR}",
        rf"{_MONTH}\s*{_DAY},?\s+{_YEAR}",  # such as Nov 20, 2026
        rf"(?P<y>[0-9]{{4}})[\s-]*{_MONTH}[\s-]*{_DAY}",  # such as 2026-Nov-20
    )
)


class DateOrder(NamedTuple):
    """The order of year, month and day in dates: `ymd`, `dmy` or `mdy`."""

    order: str = YMD

    def read_day(self, text: str) -> str:
        """Return a date in the form of ISO 8601. Raises Unreadable if the string is not a date."""
        day = _read_day(text, self.order)
        if not day and self.order != YMD:
            day = _read_day(text, YMD)  # in this order, the year is always first
        if not day:
            other = next((order for order in (DMY, MDY) if _read_day(text, order)), "")
            hint = tr("write the date like {day}", day="2026-11-20")
            if other:
                hint = tr(
                    "write the date like {day}, or state the order: {option}",
                    day="2026-11-20",
                    option=f"--date-format {other}",
                )
            raise Unreadable(tr("“{date}” is not a date", date=quote(text, 40)), hint)
        return day


def is_date(text: str) -> bool:
    """Return whether a string is a date, whatever the order of its parts."""
    return any(_read_day(text, order) for order in (YMD, DMY, MDY))


def detect_date_order(path: str, told: Sequence[tuple[int, str]], order: str) -> DateOrder:
    """Return the order of year, month and day in a table's dates.

    `told` are the dates, each with its line number. If `order` is not empty, it is returned
    unchanged. Raises Unreadable if all dates are valid in two orders, or if no order fits all
    dates.
    """
    if order:
        return DateOrder(order)
    open_ = [(line, text) for line, text in told if is_date(text) and not _read_day(text, YMD)]
    if not open_:
        return DateOrder()
    # dates with full stops always begin with the day
    if all(_has_stops(text) for _, text in open_):
        return DateOrder(DMY)
    fits = [each for each in (DMY, MDY) if all(_read_day(text, each) for _, text in open_)]
    if len(fits) == 1:
        return DateOrder(fits[0])
    line, text = next(
        ((n, t) for n, t in open_ if _read_day(t, DMY) and _read_day(t, MDY)), open_[0]
    )
    one, other = _read_day(text, DMY), _read_day(text, MDY)
    place = tr("{path}, line {line}", path=quote(path, 200), line=line)
    if not fits:
        message = tr("{place}: some dates begin with the day, others with the month", place=place)
        raise Unreadable(message, tr("write all dates like {day}", day="2026-11-20"))
    message = tr("{place}: “{date}” could mean {one} or {other}", place=place, date=quote(text, 40),
                 one=one, other=other)  # fmt: skip
    raise Unreadable(message, tr("state the order: {one} or {other}", one="--date-format dmy",
                                 other="--date-format mdy"))  # fmt: skip


def _date_texts(text: str) -> tuple[str, ...]:
    """Return the strings that may be the date in a cell.

    A time after the date and a weekday before it are removed. In `Mar 3, 2026`, the month looks
    like a French weekday. Therefore the string that still contains the first word is also returned.
    """
    text_of_date = normalize(text).strip().casefold()
    if len(text_of_date) > MAX_DATE_LENGTH:
        return ()
    ends = (time for time in _TIME.finditer(text_of_date) if time.end() == len(text_of_date))
    time = next(ends, None)
    text_of_date = text_of_date[: time.start()] if time is not None else text_of_date
    weekday = _WEEKDAY.match(text_of_date)
    return (text_of_date,) if weekday is None else (text_of_date, text_of_date[weekday.end() :])


def _has_stops(text: str) -> bool:
    numbers = (_NUMBERS.fullmatch(part) for part in _date_texts(text))
    return any(each is not None and each[2] == "." for each in numbers)


def _read_day(text: str, order: str) -> str:
    """Return a date in the form of ISO 8601, or "" if the string is not a date.

    The date consists of numbers in the given order, or contains the name of a month.
    """
    days = (_read_numeric_day(part, order) or _read_named_day(part) for part in _date_texts(text))
    return next(filter(None, days), "")


def _read_numeric_day(said: str, order: str) -> str:
    numbers = _NUMBERS.fullmatch(said)
    if numbers is None:
        return ""
    parts = dict(zip(order, (numbers[1], numbers[3], numbers[4]), strict=True))
    if len(parts["y"]) not in (2, 4) or len(parts["d"]) > 2 or len(parts["m"]) > 2:
        return ""
    if order == YMD and len(parts["y"]) != 4:
        return ""
    return _iso_day(parts["y"], int(parts["m"]), parts["d"])


def _read_named_day(said: str) -> str:
    """Return the ISO 8601 form of a date that names its month, or "" for any other string."""
    parts = next(filter(None, (pattern.fullmatch(said) for pattern in _NAMED)), None)
    if parts is None or parts["m"] not in _NAMES:
        return ""
    month = next(at for at, names in enumerate(_MONTHS, 1) if parts["m"].startswith(names))
    return _iso_day(parts["y"], month, parts["d"])


def _iso_day(year: str, month: int, day: str) -> str:
    number = int(year)
    if len(year) == 2:  # the most recent year that ends in these digits
        now = date.today().year
        number = now - (now - number) % 100
    try:
        return date(number, month, int(day)).isoformat()
    except ValueError:
        return ""


# --- words in headings and in rows of sums

# The kinds of columns, and the words in their headings in English, German and French.
HEADINGS = {
    "date": ("date", "day", "datum", "tag", "jour"),
    "name": ("name", "names", "player", "players", "namen", "spieler", "nom", "noms", "joueur",
             "joueurs"),
    "points": ("points", "score", "scores", "pts", "punkte", "pkt"),
    "round": ("round", "nr", "no", "n°", "#", "№", "nummer", "numéro", "lfd", "laufende", "runde",
              "spiel", "game", "deal", "manche", "donne"),
    "title": ("title", "titel", "titre"),
    "place": ("place", "ort", "lieu"),
}  # fmt: skip
# Words for totals. They are never the names of players.
SUM_WORDS = frozenset(
    {
        *("total", "totals", "sum", "sums", "subtotal", "summe", "summen", "gesamt"),
        *("gesamtsumme", "gesamtpunkte", "gesamtpunktzahl", "gesamtstand", "gesamtergebnis"),
        *("gesamtwertung", "zwischensumme", "zwischenstand", "zwischenergebnis", "endsumme"),
        *("endstand", "endergebnis", "tagessumme", "tagesergebnis", "punktestand", "saldo"),
        *("totaux", "somme", "sommes", "cumul", "soustotal", "σ", "∑"),
    }
)
# Words for other computed figures. They may also be the names of players.
FIGURE_WORDS = frozenset(
    {
        *("average", "mean", "balance", "result", "results", "standings", "rank", "ranking"),
        *("durchschnitt", "schnitt", "mittelwert", "ergebnis", "ergebnisse", "stand", "platz"),
        *("platzierung", "rang", "rangliste", "moyenne", "solde", "résultat", "résultats"),
        *("classement", "ø", "⌀"),
    }
)
# Words that may accompany a word for a total or a figure.
SUM_CONTEXT_WORDS = frozenset(
    {
        *("all", "of", "the", "so", "far", "after", "per", "round", "game", "final", "grand"),
        *("end", "score", "scores", "points", "pts", "overall", "sub", "nach", "der", "des"),
        *("den", "je", "pro", "bis", "jetzt", "hier", "runde", "spiel", "abend", "tag"),
        *("punkte", "pkt", "alle", "aller", "général", "générale", "generale", "partiel"),
        *("partielle", "finale", "provisoire", "par", "manche", "soirée", "jour", "sous", "de"),
        *("du", "la", "le", "après"),
    }
)
_POWER = re.compile(r"[+-]?[0-9.,]+e[0-9]+", re.IGNORECASE)
_COUNT = re.compile(r"[\w .:/#№°-]+")
_WORD = re.compile(r"n°|[^\W_]+|[#№∑⌀]")


def is_text(cell: str) -> bool:
    """Return whether a cell contains words, or nothing that could be a number."""
    if cell.startswith("=") or _POWER.fullmatch(cell):
        return False
    return any(map(str.isalpha, cell)) or not any(map(str.isdigit, cell))


def words_of(text: str) -> list[str]:
    """Return the words and numbers of a cell in lower case."""
    return _WORD.findall(normalize(text).casefold())


def is_heading(text: str, key: str) -> bool:
    """Return whether a heading fits the column `key` of HEADINGS. For example, `Nr.` and
    `Spiel-Nr.` fit `round`."""
    words = words_of(text)
    return bool(words) and all(word in HEADINGS[key] for word in words)


def is_count(text: str) -> bool:
    """Return whether a heading is the number of a day or round, or a date without a year, such as
    `20.11.`."""
    words = words_of(text) if _COUNT.fullmatch(text) else []
    known = (*HEADINGS["date"], *HEADINGS["round"], "abend", "spieltag", "evening", "soirée")
    return any(map(str.isdigit, words)) and all(word.isdigit() or word in known for word in words)


def is_total(text: str, name: bool = False) -> bool:
    """Return whether a cell marks its row or column as a total or another computed figure.

    If `name` is set, the cell should be a name, so only words that are never names are accepted.
    """
    words = words_of(text)
    known = SUM_WORDS if name else SUM_WORDS | FIGURE_WORDS
    return not known.isdisjoint(words) and all(
        word in SUM_WORDS or word in FIGURE_WORDS or word in SUM_CONTEXT_WORDS or word.isdigit()
        for word in words
    )


# --- columns

TRANSPOSE_HINT = N_(
    "transpose the table so that each player has a column (in a spreadsheet, copy it and "
    "paste it transposed)"
)
LIST_KEYS = ("players", "skip")  # keys that accept several columns, joined by +
# The headings of score tables that this program exports (`scores-csv`). The keys are the names that
# this module uses for the columns.
OWN_HEADINGS = {
    "match": "match", "ruleset": "ruleset", "started": "started", "place": "place",
    "round": "round", "name": "player", "points": "change", "tally": "tally", "out": "sat_out",
    "void": "void",
}  # fmt: skip


class TextColumns(NamedTuple):
    """The columns that contain no numbers (`all`), and the columns that do not even contain digits
    (`wordy`)."""

    all: frozenset[int] = frozenset()
    wordy: frozenset[int] = frozenset()


class ScoreColumns(NamedTuple):
    """The numbers of the columns, from 0.

    A *long* table has a column `name`. A *wide* table has a column for each player. `players` maps
    the numbers of these columns to names. `skipped` columns are not read. Of these, `unnamed` have
    no heading, and `texts` would be players if they contained numbers. `has_headings` is set if the
    first row has headings.

    The columns from `match` on occur only in tables that this program exports. They are the match,
    its ruleset and beginning, the tally after the round, who sat out, and whether the round is
    void.
    """

    date: int | None
    name: int | None
    points: int | None
    round: int | None
    title: int | None
    place: int | None
    players: Mapping[int, str]
    skipped: Sequence[int]
    unnamed: Sequence[int]
    has_headings: bool
    texts: Sequence[int] = ()
    match: int | None = None
    ruleset: int | None = None
    started: int | None = None
    tally: int | None = None
    out: int | None = None
    void: int | None = None


def detect_columns(
    path: str,
    headings: Sequence[str],
    line: int,
    wanted: Mapping[str, str],
    texts: TextColumns = TextColumns(),  # noqa: B008
) -> ScoreColumns:
    """Return the meaning of each column.

    `texts` are the columns without numbers. They cannot be players, and columns without digits
    cannot be round numbers. `wanted` maps keys to the columns that the user states, each by its
    heading or its number from 1. The possible keys are the keys of HEADINGS, `players` (several
    columns joined by +) and `skip`.

    Raises Unreadable if a stated column does not exist, or if it is unclear whose points the table
    contains.
    """
    place = tr("{path}, line {line}", path=quote(path, 200), line=line)
    headed = not any(map(is_date, headings))
    stated = {key: _find_columns(place, headings, wanted[key].split("+")) for key in wanted
              if key in LIST_KEYS}  # fmt: skip
    taken = {at for positions in stated.values() for at in positions}
    columns: dict[str, int | None] = {}
    exported = _own_columns(headings)
    for key in HEADINGS:
        if key in wanted:
            (columns[key],) = _find_columns(place, headings, [wanted[key]])
        elif exported:
            columns[key] = exported.get(key)
        else:
            # without a name column, each row is a round, so several headings for rounds do no harm
            alone = key != "round" or columns["name"] is not None
            others = {*taken, *texts.wordy} if key == "round" else taken
            columns[key] = _heading_column(place, headings, key, others, alone) if headed else None
    # without headings, the columns must be a date, a name and points, in this order
    if not headed and not wanted:
        if len(headings) != len(("date", "name", "points")):
            raise Unreadable(
                tr("{place}: the table has no headings", place=place),
                tr("state its columns, for example --columns date=1,name=2,points=3"),
            )
        columns |= {"date": 0, "name": 1, "points": 2}
    skipped = set(stated.get("skip", ()))
    rest = [at for at in range(len(headings)) if at not in {*columns.values(), *skipped}]
    if columns["points"] is None and "players" not in stated:
        _check_names(place, [headings[at] for at in rest])
    chosen = stated.get("players") or _choose_players(headings, rest, texts.all)
    players, unused = _player_columns(
        place, headings, rest, stated.get("players"), chosen, columns, headed
    )
    left_out = sorted({*unused, *skipped})
    unnamed = [at for at in unused if not headings[at]]
    text_columns = [at for at in unused if players and at in texts.all]
    more = {key: at for key, at in exported.items() if key not in HEADINGS}
    return ScoreColumns(
        players=players, skipped=left_out, unnamed=unnamed, has_headings=headed, texts=text_columns,
        **columns, **more,
    )  # fmt: skip


def _own_columns(headings: Sequence[str]) -> dict[str, int]:
    """Return the columns of a table that this program exported, or {} for any other table."""
    folded = [text.casefold() for text in headings]
    if not all(text in folded for text in OWN_HEADINGS.values()):
        return {}
    return {key: folded.index(text) for key, text in OWN_HEADINGS.items()}


def _heading_column(
    place: str, headings: Sequence[str], key: str, taken: Container[int], alone: bool
) -> int | None:
    """Return the column whose heading fits a key of HEADINGS, or None if there is none.

    If several columns fit, return the first, or raise Unreadable if `alone` is set.
    """
    known = [at for at, text in enumerate(headings) if at not in taken and is_heading(text, key)]
    if len(known) > 1 and alone:
        one, other = headings[known[0]], headings[known[1]]
        raise Unreadable(
            tr("{place}: “{one}” and “{other}” could both be the {key} column", place=place,
               one=quote(one), other=quote(other), key=key),
            tr("state which one it is, for example {option}",
               option=f"--columns {key}={quote(one)}"),
        )  # fmt: skip
    return known[0] if known else None


def _player_columns(
    place: str,
    headings: Sequence[str],
    rest: Sequence[int],
    stated: Sequence[int] | None,
    chosen: Sequence[int],
    columns: Mapping[str, int | None],
    headed: bool,
) -> tuple[dict[int, str], list[int]]:
    """Return the names of players by column number, and the columns that have no meaning.

    Raises Unreadable if it is unclear which columns contain the players, their names or their
    points.
    """
    if stated is None and columns["name"] is not None:
        if columns["points"] is None:
            raise Unreadable(
                tr("{place}: the table has a column for names, but none for points", place=place),
                tr("state which column contains the points: --columns points=COLUMN"),
            )
        return {}, list(rest)
    if columns["points"] is not None or not headed:
        raise Unreadable(
            tr(
                "{place}: the table has a column for points, but none for the players' names",
                place=place,
            ),
            tr("state which column contains the names: --columns name=COLUMN"),
        )
    players = {at: clean_name(headings[at]) for at in chosen}
    folded = [name.casefold() for name in players.values()]
    twice = next((name for name in players.values() if folded.count(name.casefold()) > 1), "")
    if twice:
        raise Unreadable(
            tr("{place}: two columns are called “{name}”", place=place, name=quote(twice)),
            tr("give the players different names"),
        )
    if not 1 < len(players) <= untrusted.MAX_PLAYERS:
        raise Unreadable(
            tr("{place}: it is unclear which columns contain the players' points", place=place),
            tr(
                "state them, for example --columns players=Ana+Ben or --columns "
                "name=COLUMN,points=COLUMN"
            ),
        )
    return players, [at for at in rest if at not in players]


def _choose_players(
    headings: Sequence[str], rest: Sequence[int], texts: Container[int]
) -> list[int]:
    """Return the columns of players if the user does not state them.

    They are the columns that contain numbers and whose headings may be names. If there are fewer
    than two, all columns whose headings may be names are returned.
    """
    named = [at for at in rest if _is_name(headings[at])]
    chosen = [at for at in named if at not in texts]
    return chosen if len(chosen) > 1 else named


def _find_columns(place: str, headings: Sequence[str], wanted: Iterable[str]) -> list[int]:
    """Return the columns that have these headings or these numbers (from 1).

    Raises Unreadable if there is no such column, or if two have the same heading.
    """
    folded = [normalize(text).casefold() for text in headings]
    positions: list[int] = []
    for each in wanted:
        name = normalize(each.strip()).casefold()
        if folded.count(name) > 1:
            raise Unreadable(
                tr("{place}: two columns are called “{name}”", place=place, name=quote(each)),
                tr(
                    "use the number of the column, for example {number}",
                    number=folded.index(name) + 1,
                ),
            )
        if name in folded:
            positions.append(folded.index(name))
        elif name.isascii() and name.isdigit() and 0 < int(name[:9]) <= len(headings):
            positions.append(int(name) - 1)
        else:
            raise Unreadable(
                tr("{place}: no column is called “{name}”", place=place, name=quote(each)),
                did_you_mean(each, headings)
                or tr(
                    "choose one of these: {names}",
                    names=quote(", ".join(filter(None, headings)), 200),
                ),
            )
    return positions


def _check_names(place: str, headings: Iterable[str]) -> None:
    """Raise Unreadable if a heading numbers rounds or is a date without a year."""
    count = next((text for text in headings if is_count(text)), "")
    if count:
        raise Unreadable(
            tr(
                "{place}: “{heading}” is not a player's name; each row seems to be a player, "
                "and each column a day or a round"
            , place=place, heading=quote(count)),
            tr("write dates with their year, or {turn}", turn=tr(TRANSPOSE_HINT)),
        )  # fmt: skip


def _is_name(heading: str) -> bool:
    """Return whether a heading may be a name, because it has no other meaning."""
    return bool(heading) and not (
        is_total(heading) or any(is_heading(heading, key) for key in HEADINGS)
    )


def clean_name(cell: str) -> str:
    """Return the name in a cell. An apostrophe that marks the cell as text in a spreadsheet is
    removed."""
    return " ".join(normalize(cell).strip().removeprefix("'").split())
