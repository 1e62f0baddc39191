"""Records made of the JSON and JSON lines that `export` writes.

JSON lines are read line by line, so a file may have any length. A JSON file is read as a whole.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.errors import Damaged
from scorekeeper.core.messages import mark, tr
from scorekeeper.core.text import shown
from scorekeeper.core.types import NamedTuple
from scorekeeper.core.untrusted import unholdable
from scorekeeper.engine.seating import COMING
from scorekeeper.store.record import FORMATS

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from typing import BinaryIO

    from scorekeeper.core.types import Json, Plain

FORMAT = 1  # the format of the JSON
LINES = (".jsonl", ".ndjson")
MATCHES = "matches"
AS_LINES = mark("as JSON lines it may be of any length: export --format jsonl")
AS_RECORD = mark("as a record a match is shorter: export --format toml")
EXPORTED = "scorekeeper export --all --format jsonl --to FILE"
BEGINNING = 400  # bytes at the beginning that contain the key of a list of matches
# The keys that are the same in a record and in the JSON.
ALIKE = (
    *("ruleset", "started", "day", "place", "note", "language", "identifier"),
    *("options", "ruleset_sha256", "ruleset_text"),
)
TITLE = "match_title"  # in the JSON `title` is that of the ruleset

_BLANK = re.compile(r"[ \t\r\n]*+")


class Found(NamedTuple):
    """A match in a file.

    `line` is where it begins, from 1, and `size` is the number of its bytes. `record` is its
    record (see `store/record.py`) or the reason why it is none. `sha` is the SHA-256 that its
    rules must have if the JSON does not contain all their options.
    """

    line: int
    record: Json | Damaged
    size: int
    sha: str = ""


def is_json(path: str, begins: bytes) -> bool:
    """Return whether a file that begins with these bytes is JSON or JSON lines."""
    return path.lower().endswith((".json", *LINES)) or begins.lstrip()[:1] == b"{"


def found_in(path: str, file: BinaryIO) -> Iterator[Found]:
    """Return the matches of a file as they are read.

    Raises Damaged at a place after which nothing can be read, and for a file without a match.
    """
    empty = True
    for found in _all_in(path, file):
        empty = False
        yield found
    if empty:
        raise Damaged(tr("there is no match in {path}", path=shown(path, 200)), EXPORTED)


def _all_in(path: str, file: BinaryIO) -> Iterator[Found]:
    first = _line_of(path, file, 1).removeprefix(b"\xef\xbb\xbf")
    whole = first.strip()[-1:] == b"}" and f'"{MATCHES}"'.encode() not in first[:BEGINNING]
    if path.lower().endswith(LINES) or (whole and not path.lower().endswith(".json")):
        number = 1
        while first:
            if first.strip():
                yield _found_in_line(path, number, first)
            number += 1
            first = _line_of(path, file, number)
        return
    raw = first + file.read(untrusted.JSON_BYTES + 1)
    _check_size(shown(path, 200), raw, tr(AS_LINES))
    yield from _found_in_text(path, _decoded(path, raw, 1))


def record_of(match: Plain) -> Json:
    """Return the record of a match in JSON. Raises Damaged for missing keys."""
    if not isinstance(match, dict):
        raise Damaged(tr("a match must be a table, found {found}", found=shown(match)))
    _check_format(match)
    for key in ("ruleset", "players", "rounds"):
        if key not in match:
            raise Damaged(tr("{key} is missing, so this is no match", key=key))
    record: Json = {"format": FORMATS.current, "players": match.get("began_with", match["players"])}
    record |= {key: match[key] for key in ALIKE if match.get(key)}
    if match.get(TITLE):
        record["title"] = match[TITLE]
    if not isinstance(match["rounds"], list):
        raise Damaged(tr("{key} must be a list, found {found}", key="rounds",
                         found=shown(match["rounds"])))  # fmt: skip
    came = "began_with" in match
    record["rounds"] = [_round_of(n, row, came) for n, row in enumerate(match["rounds"], 1)]
    problem = unholdable(record)
    if problem:
        raise Damaged(problem)
    return record


def _check_format(table: Json) -> None:
    if table.get("format", FORMAT) != FORMAT:
        say = mark("its format is {format}, this program reads format {known}")
        raise Damaged(
            tr(say, format=shown(table["format"]), known=FORMAT),
            tr("a newer program may read it"),
        )


def _round_of(number: int, row: Plain, came: bool) -> Json:
    """Return a round of a record. `came` is set if the match states who was at the table first."""
    try:
        entries = [entry["entry"] for entry in row["entries"]]
        words = {str(entry.get("word")) for entry in row["entries"]}
    except (TypeError, KeyError, AttributeError):
        entries, words = [None], set()
    if not all(isinstance(text, str) and len(text.splitlines()) < 2 for text in entries):
        raise Damaged(tr("round {round}: its entries are missing", round=number))
    if not came and not words.isdisjoint(COMING):
        raise Damaged(
            tr("{key} is missing: somebody came or went, and who began is not said",
               key="began_with"),
            tr("export it again by this version of the program"),
        )  # fmt: skip
    found: Json = {"entries": "".join(f"{text}\n" for text in entries)}
    if row.get("scores") is not None:
        found["scores"] = row["scores"]
    return found


# --- JSON lines


def _line_of(path: str, file: BinaryIO, number: int) -> bytes:
    line = file.readline(untrusted.JSON_BYTES + 1)
    if len(line) > untrusted.JSON_BYTES:  # the beginning of the next line is unknown
        _check_size(tr("{path}, line {line}", path=shown(path, 200), line=number), line,
                    tr(AS_RECORD))  # fmt: skip
    return line


def _check_size(place: str, raw: bytes, hint: str) -> None:
    """Raise Damaged for a text that would take too much memory when it is decoded."""
    if len(raw) > untrusted.JSON_BYTES:
        size = untrusted.JSON_BYTES // 2**20
        raise Damaged(tr("{path} is larger than {size} MiB", path=place, size=size), hint)
    if sum(map(raw.count, (b"{", b"[", b","))) > untrusted.JSON_VALUES:
        most = untrusted.JSON_VALUES
        raise Damaged(tr("{path} holds more than {most} values", path=place, most=most), hint)


def _found_in_line(path: str, number: int, line: bytes) -> Found:
    try:
        place = tr("{path}, line {line}", path=shown(path, 200), line=number)
        _check_size(place, line, tr(AS_RECORD))
        text = _decoded(path, line, number)
        value, end = _value(path, text, _after_blanks(text, 0), number - 1)
        if _after_blanks(text, end) < len(text):
            raise _no_json(path, text, end, number - 1)
        return _found(path, value, number, len(line))
    except Damaged as damaged:
        return Found(number, damaged, len(line))


def _found(path: str, value: Plain, line: int, size: int) -> Found:
    try:
        record = record_of(value)
    except Damaged as damaged:
        said = tr("{path}, line {line}: {what}", path=shown(path, 200), line=line,
                  what=damaged.message)  # fmt: skip
        return Found(line, Damaged(said, damaged.hint), size)
    told_all = "began_with" in value
    return Found(line, record, size, "" if told_all else str(value.get("ruleset_sha256", "")))


# --- JSON files


class _Part(NamedTuple):
    """A part of the table in a file: a key and its value.

    The key `matches` comes first without a value, then with each match, its line (from 1) and its
    number of bytes.
    """

    key: str
    value: Plain
    line: int = 0
    size: int = 0


def _found_in_text(path: str, text: str) -> Iterator[Found]:
    """Return the matches of `{"format": 1, "matches": [...]}`, or the match that the text is.

    The keys after the list are checked before the first match is returned.
    """
    head: Json = {}
    with suppress(Damaged):  # the loop below reports it after the matches before it
        head |= {part.key: part.value for part in _parts(path, text) if not part.line}
    if MATCHES in head:
        try:
            _check_format(head)
        except Damaged as damaged:
            said = tr("{path}: {what}", path=shown(path, 200), what=damaged.message)
            raise Damaged(said, damaged.hint) from None
    for part in _parts(path, text):
        if part.line:
            yield _found(path, part.value, part.line, part.size)
    if MATCHES not in head:
        yield _found(path, head, 1, len(text))


def _parts(path: str, text: str) -> Iterator[_Part]:
    """Return the parts of the table in their order. Raises Damaged if the text is not a table."""
    if text[_after_blanks(text, 0) :][:1] == "[":
        raise _at(path, text, 0, 0, tr("it must begin with {begin}", begin='{"matches": ['), "")
    at = _after_blanks(text, _expected(path, text, 0, "{"))
    listed, more = False, text[at : at + 1] != "}"
    while more:
        key, at = _value(path, text, at)
        if not isinstance(key, str):
            raise _no_json(path, text, at)
        at = _after_blanks(text, _expected(path, text, at, ":"))
        if key == MATCHES and listed:
            raise _at(path, text, at, 0, tr("{key} stands there twice", key=key), "")
        if key == MATCHES:
            listed = True
            yield _Part(key, None)
            at = yield from _listed(path, text, at)
        else:
            value, at = _value(path, text, at)
            yield _Part(key, value)
        at = _after_blanks(text, at)
        more = text[at : at + 1] != "}"
        if more:
            at = _after_blanks(text, _expected(path, text, at, ","))
    if _after_blanks(text, at + 1) < len(text):
        raise _no_json(path, text, at + 1)


def _listed(path: str, text: str, at: int) -> Generator[_Part, None, int]:
    """Return the matches of the list that begins at position `at`, and finally where it ends."""
    if text[at : at + 1] not in ("[", ""):
        found = shown(_value(path, text, at)[0])
        what = tr("{key} must be a list, found {found}", key=MATCHES, found=found)
        raise _at(path, text, at, 0, what, "")
    line, counted = 1, 0
    at = _after_blanks(text, _expected(path, text, at, "["))
    while text[at : at + 1] != "]":
        line += text.count("\n", counted, at)
        value, end = _value(path, text, at)
        yield _Part(MATCHES, value, line, end - counted)
        counted, at = at, _after_blanks(text, end)
        if text[at : at + 1] != "]":
            at = _after_blanks(text, _expected(path, text, at, ","))
    return at + 1


# --- decoding


def _refused(name: str) -> float:
    raise ValueError(name)


_DECODER = json.JSONDecoder(parse_constant=_refused)


def _value(path: str, text: str, at: int, before: int = 0) -> tuple[Plain, int]:
    """Return the value that begins at position `at`, and where it ends.

    `before` is the number of lines before the text.
    """
    try:
        return _DECODER.raw_decode(text, at)
    except RecursionError:
        raise _at(path, text, at, before, tr("lists and tables lie too deep inside one another"),
                  "") from None  # fmt: skip
    except json.JSONDecodeError as error:
        raise _no_json(path, text, error.pos, before) from None
    except ValueError:
        raise _at(path, text, at, before, tr("it holds a number that is none, or has too many"
                  " digits"), "") from None  # fmt: skip


def _expected(path: str, text: str, at: int, sign: str) -> int:
    """Return the position after a required character."""
    at = _after_blanks(text, at)
    if text[at : at + 1] != sign:
        raise _no_json(path, text, at)
    return at + 1


def _after_blanks(text: str, at: int) -> int:
    blank = _BLANK.match(text, at)
    return at if blank is None else blank.end()


def _no_json(path: str, text: str, at: int, before: int = 0) -> Damaged:
    found = text[at : at + 20].strip()
    # a string without an end is reported at its beginning
    cut = not found or (found[0] == '"' and '"' not in text[at + 1 :])
    what = tr("here it is no JSON: {found}", found=shown(found))
    hint = tr("it may have been cut off in the middle") if cut else ""
    return _at(path, text, at, before, what if found else tr("it ends too soon"), hint)


def _at(path: str, text: str, at: int, before: int, what: str, hint: str) -> Damaged:
    line = before + text.count("\n", 0, at) + 1
    return Damaged(
        tr("{path}, line {line}: {what}", path=shown(path, 200), line=line, what=what), hint
    )


def _decoded(path: str, raw: bytes, first: int) -> str:
    try:
        return raw.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = first + raw.count(b"\n", 0, error.start)
        raise Damaged(
            tr("{path}: line {line} is not UTF-8", path=shown(path, 200), line=line)
        ) from None
