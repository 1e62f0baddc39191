"""Conversion of exported matches (JSON or JSON lines) into records.

JSON lines are read one at a time, so such a file may have any length. A JSON file is read as a
whole.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.errors import Damaged
from scorekeeper.core.messages import N_, tr
from scorekeeper.core.text import quote
from scorekeeper.core.types import NamedTuple
from scorekeeper.core.untrusted import storage_problem
from scorekeeper.engine.seating import ROSTER_VERBS
from scorekeeper.store.record import RECORD_VERSIONS

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from typing import BinaryIO

    from scorekeeper.core.types import Json, JsonValue

FORMAT = 1  # the version of the JSON format
JSON_LINES_ENDINGS = (".jsonl", ".ndjson")
MATCHES = "matches"
LINES_HINT = N_("export it as JSON lines, which may be of any length: export --format jsonl")
RECORD_HINT = N_("export the match as a record, which is shorter: export --format toml")
EXPORT_HINT = "scorekeeper export --all --format jsonl --to FILE"
# the key of a match list must appear within this number of bytes from the start of a file
HEAD_BYTES = 400
# The keys that occur both in a record and in a match in JSON.
SAME_KEYS = (
    *("ruleset", "started", "day", "place", "note", "language", "identifier"),
    *("options", "ruleset_sha256", "ruleset_text"),
)
TITLE_KEY = "match_title"  # in JSON, `title` is the title of the ruleset

_BLANK = re.compile(r"[ \t\r\n]*+")


class JsonMatch(NamedTuple):
    """A match in a JSON file.

    `line` is the line (from 1) on which it begins, and `size` is its size in bytes. `record` is its
    record (see `store/record.py`), or the error if the match is invalid. If the JSON does not
    contain all options of the rules, `sha` is the SHA-256 that the rules must have.
    """

    line: int
    record: Json | Damaged
    size: int
    sha: str = ""


def is_json(path: str, begins: bytes) -> bool:
    """Return whether a file that begins with these bytes is JSON or JSON lines."""
    return path.lower().endswith((".json", *JSON_LINES_ENDINGS)) or begins.lstrip()[:1] == b"{"


def read_json_matches(path: str, file: BinaryIO) -> Iterator[JsonMatch]:
    """Yield the matches in a file as they are read.

    Raises Damaged if the rest of the file cannot be read, or if the file contains no match.
    """
    empty = True
    for match in _read_all(path, file):
        empty = False
        yield match
    if empty:
        raise Damaged(tr("there is no match in {path}", path=quote(path, 200)), EXPORT_HINT)


def _read_all(path: str, file: BinaryIO) -> Iterator[JsonMatch]:
    first = _line_of(path, file, 1).removeprefix(b"\xef\xbb\xbf")
    whole = first.strip()[-1:] == b"}" and f'"{MATCHES}"'.encode() not in first[:HEAD_BYTES]
    if path.lower().endswith(JSON_LINES_ENDINGS) or (whole and not path.lower().endswith(".json")):
        number = 1
        while first:
            if first.strip():
                yield _match_in_line(path, number, first)
            number += 1
            first = _line_of(path, file, number)
        return
    raw = first + file.read(untrusted.MAX_JSON_BYTES + 1)
    _check_size(quote(path, 200), raw, tr(LINES_HINT))
    yield from _matches_in_text(path, _decode(path, raw, 1))


def make_record(match: JsonValue) -> Json:
    """Convert a match in JSON to a record. Raises Damaged if keys are missing or invalid."""
    if not isinstance(match, dict):
        raise Damaged(tr("a match must be a table, not {found}", found=quote(match)))
    _check_format(match)
    for key in ("ruleset", "players", "rounds"):
        if key not in match:
            raise Damaged(tr("{key} is missing, so this is not a match", key=key))
    record: Json = {
        "format": RECORD_VERSIONS.current,
        "players": match.get("began_with", match["players"]),
    }
    record |= {key: match[key] for key in SAME_KEYS if match.get(key)}
    if match.get(TITLE_KEY):
        record["title"] = match[TITLE_KEY]
    if not isinstance(match["rounds"], list):
        raise Damaged(tr("{key} must be a list, not {found}", key="rounds",
                         found=quote(match["rounds"])))  # fmt: skip
    has_first_players = "began_with" in match
    record["rounds"] = [
        _record_round(n, row, has_first_players) for n, row in enumerate(match["rounds"], 1)
    ]
    problem = storage_problem(record)
    if problem:
        raise Damaged(problem)
    return record


def _check_format(table: Json) -> None:
    if table.get("format", FORMAT) != FORMAT:
        message = N_("the format is {format}, but this program reads only format {known}")
        raise Damaged(
            tr(message, format=quote(table["format"]), known=FORMAT),
            tr("a newer version of Scorekeeper may be able to read the file"),
        )


def _record_round(number: int, row: JsonValue, has_first_players: bool) -> Json:
    """Convert a round in JSON to a round of a record. Raises Damaged if it cannot be converted.

    `has_first_players` is set if the match names the players who began it.
    """
    try:
        entries = [entry["entry"] for entry in row["entries"]]
        words = {str(entry.get("word")) for entry in row["entries"]}
    except (TypeError, KeyError, AttributeError):
        entries, words = [None], set()
    if not all(isinstance(text, str) and len(text.splitlines()) < 2 for text in entries):
        raise Damaged(tr("round {round}: the entries are missing or invalid", round=number))
    if not has_first_players and not words.isdisjoint(ROSTER_VERBS):
        raise Damaged(
            tr("{key} is missing; because players joined or left, it must name the players "
               "who began the match",
               key="began_with"),
            tr("export the match again with this version of the program"),
        )  # fmt: skip
    record: Json = {"entries": "".join(f"{text}\n" for text in entries)}
    if row.get("scores") is not None:
        record["scores"] = row["scores"]
    return record


# --- JSON lines


def _line_of(path: str, file: BinaryIO, number: int) -> bytes:
    line = file.readline(untrusted.MAX_JSON_BYTES + 1)
    # the next match cannot be read, because it is unknown where its line begins
    if len(line) > untrusted.MAX_JSON_BYTES:
        _check_size(tr("{path}, line {line}", path=quote(path, 200), line=number), line,
                    tr(RECORD_HINT))  # fmt: skip
    return line


def _check_size(place: str, raw: bytes, hint: str) -> None:
    """Raise Damaged for text that would take too much memory to decode. `hint` is the error's
    hint."""
    if len(raw) > untrusted.MAX_JSON_BYTES:
        size = untrusted.MAX_JSON_BYTES // 2**20
        raise Damaged(tr("{path} is larger than {size} MiB", path=place, size=size), hint)
    if sum(map(raw.count, (b"{", b"[", b","))) > untrusted.MAX_JSON_VALUES:
        most = untrusted.MAX_JSON_VALUES
        raise Damaged(tr("{path} contains more than {most} values", path=place, most=most), hint)


def _match_in_line(path: str, number: int, line: bytes) -> JsonMatch:
    try:
        place = tr("{path}, line {line}", path=quote(path, 200), line=number)
        _check_size(place, line, tr(RECORD_HINT))
        text = _decode(path, line, number)
        value, end = _parse_value(path, text, _skip_blanks(text, 0), number - 1)
        if _skip_blanks(text, end) < len(text):
            raise _syntax_error(path, text, end, number - 1)
        return _json_match(path, value, number, len(line))
    except Damaged as damaged:
        return JsonMatch(number, damaged, len(line))


def _json_match(path: str, value: JsonValue, line: int, size: int) -> JsonMatch:
    try:
        record = make_record(value)
    except Damaged as damaged:
        message = tr("{path}, line {line}: {what}", path=quote(path, 200), line=line,
                     what=damaged.message)  # fmt: skip
        return JsonMatch(line, Damaged(message, damaged.hint), size)
    has_all_rules = "began_with" in value
    return JsonMatch(
        line, record, size, "" if has_all_rules else str(value.get("ruleset_sha256", ""))
    )


# --- JSON files


class _JsonPart(NamedTuple):
    """A top-level key of a JSON file, and its value.

    The key `matches` first appears once without a value. It then appears again for each match, with
    the match's line (from 1) and its size in bytes.
    """

    key: str
    value: JsonValue
    line: int = 0
    size: int = 0


def _matches_in_text(path: str, text: str) -> Iterator[JsonMatch]:
    """Yield the matches in JSON text, which is `{"format": 1, "matches": [...]}` or a single match.

    The keys after the list are checked before the first match is yielded.
    """
    head: Json = {}
    # the loop below reports the error after yielding the matches that precede it
    with suppress(Damaged):
        head |= {part.key: part.value for part in _parts(path, text) if not part.line}
    if MATCHES in head:
        try:
            _check_format(head)
        except Damaged as damaged:
            message = tr("{path}: {what}", path=quote(path, 200), what=damaged.message)
            raise Damaged(message, damaged.hint) from None
    for part in _parts(path, text):
        if part.line:
            yield _json_match(path, part.value, part.line, part.size)
    if MATCHES not in head:
        yield _json_match(path, head, 1, len(text))


def _parts(path: str, text: str) -> Iterator[_JsonPart]:
    """Yield the top-level keys and values in order. Raises Damaged if the text is not a JSON
    object."""
    if text[_skip_blanks(text, 0) :][:1] == "[":
        raise _error_at(
            path, text, 0, 0, tr("the JSON must begin with {begin}", begin='{"matches": ['), ""
        )
    at = _skip_blanks(text, _skip_expected(path, text, 0, "{"))
    listed, more = False, text[at : at + 1] != "}"
    while more:
        key, at = _parse_value(path, text, at)
        if not isinstance(key, str):
            raise _syntax_error(path, text, at)
        at = _skip_blanks(text, _skip_expected(path, text, at, ":"))
        if key == MATCHES and listed:
            raise _error_at(path, text, at, 0, tr("{key} occurs twice", key=key), "")
        if key == MATCHES:
            listed = True
            yield _JsonPart(key, None)
            at = yield from _list_parts(path, text, at)
        else:
            value, at = _parse_value(path, text, at)
            yield _JsonPart(key, value)
        at = _skip_blanks(text, at)
        more = text[at : at + 1] != "}"
        if more:
            at = _skip_blanks(text, _skip_expected(path, text, at, ","))
    if _skip_blanks(text, at + 1) < len(text):
        raise _syntax_error(path, text, at + 1)


def _list_parts(path: str, text: str, at: int) -> Generator[_JsonPart, None, int]:
    """Yield the matches in the list that begins at position `at`. Return the position after the
    list."""
    if text[at : at + 1] not in ("[", ""):
        text_found = quote(_parse_value(path, text, at)[0])
        what = tr("{key} must be a list, not {found}", key=MATCHES, found=text_found)
        raise _error_at(path, text, at, 0, what, "")
    line, counted = 1, 0
    at = _skip_blanks(text, _skip_expected(path, text, at, "["))
    while text[at : at + 1] != "]":
        line += text.count("\n", counted, at)
        value, end = _parse_value(path, text, at)
        yield _JsonPart(MATCHES, value, line, end - counted)
        counted, at = at, _skip_blanks(text, end)
        if text[at : at + 1] != "]":
            at = _skip_blanks(text, _skip_expected(path, text, at, ","))
    return at + 1


# --- decoding


def _reject_constant(name: str) -> float:
    raise ValueError(name)


_DECODER = json.JSONDecoder(parse_constant=_reject_constant)


def _parse_value(path: str, text: str, at: int, before: int = 0) -> tuple[JsonValue, int]:
    """Return the value that begins at position `at`, and the position after it.

    `before` is the number of lines in the file before the text.
    """
    try:
        return _DECODER.raw_decode(text, at)
    except RecursionError:
        raise _error_at(
            path, text, at, before, tr("lists and tables are nested too deeply"), ""
        ) from None
    except json.JSONDecodeError as error:
        raise _syntax_error(path, text, error.pos, before) from None
    except ValueError:
        what = tr("the JSON contains an invalid number, or one with too many digits")
        raise _error_at(path, text, at, before, what, "") from None


def _skip_expected(path: str, text: str, at: int, sign: str) -> int:
    """Skip a required character and return the position after it. Raises Damaged if it is
    missing."""
    at = _skip_blanks(text, at)
    if text[at : at + 1] != sign:
        raise _syntax_error(path, text, at)
    return at + 1


def _skip_blanks(text: str, at: int) -> int:
    blank = _BLANK.match(text, at)
    return at if blank is None else blank.end()


def _syntax_error(path: str, text: str, at: int, before: int = 0) -> Damaged:
    found = text[at : at + 20].strip()
    # for an unterminated string, the error is at the opening quotation mark
    cut = not found or (found[0] == '"' and '"' not in text[at + 1 :])
    what = tr("this is not JSON: {found}", found=quote(found))
    hint = tr("the file may have been cut off in the middle") if cut else ""
    return _error_at(path, text, at, before, what if found else tr("the JSON ends too early"), hint)


def _error_at(path: str, text: str, at: int, before: int, what: str, hint: str) -> Damaged:
    line = before + text.count("\n", 0, at) + 1
    return Damaged(
        tr("{path}, line {line}: {what}", path=quote(path, 200), line=line, what=what), hint
    )


def _decode(path: str, raw: bytes, first: int) -> str:
    try:
        return raw.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = first + raw.count(b"\n", 0, error.start)
        raise Damaged(
            tr("{path}: line {line} is not UTF-8", path=quote(path, 200), line=line)
        ) from None
