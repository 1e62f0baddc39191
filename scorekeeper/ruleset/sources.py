"""Ruleset files: locating and reading them, and the text that a match pins.

In this package, only this module reads ruleset files. Problems in a file are returned as
`RulesetFault` values. A missing ruleset raises Unreadable. Files are untrusted, so their size and
nesting depth are limited.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.errors import Damaged, Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.text import find_nearest, quote
from scorekeeper.core.types import NamedTuple
from scorekeeper.ruleset.tables import is_ruleset_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorekeeper.core.types import Json, Row

    Stamp = tuple[int, int, int] | None

INCLUDED_FOLDER = "words"  # the subfolder for files that rulesets include
RULES_PAGE, SHEET_PAGE = "rules", "sheet"  # pages in the folder of a ruleset
MAX_TITLE = 200  # maximum length of a text that is compared with titles
MAX_NAMED = 12  # maximum number of rulesets listed in one line
FOLDER_VARIABLE = "SCOREKEEPER_RULESETS"


class RulesetFault(NamedTuple):
    """A problem in a ruleset, with its place, the value there, and the allowed values.

    `key` is the dotted path of the value. `line` and `column` count from 1; 0 means unknown.
    """

    file: str
    key: str
    message: str
    found: str = ""
    allowed: str = ""
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        # Do not repeat a key that is already at the beginning of the message.
        is_repeated = self.message.startswith(self.key) and self.message[len(self.key) :][:1] in (
            " ",
            ":",
        )
        key = "" if is_repeated else self.key
        text = ": ".join(part for part in (place, key, self.message) if part)
        text += f"; found {self.found}" if self.found else ""
        return text + (f"; allowed: {self.allowed}" if self.allowed else "")


class AvailableRuleset(NamedTuple):
    """A ruleset that can be loaded by name. `shipped` is true if it came with the program."""

    name: str
    path: Path
    shipped: bool


# --- finding files


def data_folder() -> Path | None:
    """Return the user's data folder, which may not exist, or None if it is unknown."""
    from platformdirs import user_data_path

    try:
        folder = user_data_path("scorekeeper", appauthor=False)
    except (RuntimeError, OSError):
        return None
    return folder if folder.is_absolute() else None


def user_folder() -> Path | None:
    """Return the user's rulesets folder, which may not exist, or None if it is unknown."""
    chosen = os.environ.get(FOLDER_VARIABLE)
    if chosen:
        return Path(chosen)
    folder = data_folder()
    return folder and folder / "rulesets"


def _folders() -> list[Path]:
    """Return the ruleset folders in search order."""
    return [folder for folder in (user_folder(), shipped_folder()) if folder is not None]


def shipped_folder() -> Path:
    """Return the folder with the rulesets that came with the program."""
    package = Path(__file__).parent.parent
    packed = package / "rulesets"
    return packed if packed.is_dir() else package.parent / "rulesets"


def examples_folder() -> Path:
    """Return the folder with examples for clause words. It has one file for each phase."""
    return Path(__file__).parent.parent / "phases" / "examples"


def former_codes() -> Mapping[str, str]:
    """Return a map from the former codes of rules in shipped rulesets to their current codes."""
    return read_table(Path(__file__).with_name("former.toml"))[0]


def list_rulesets() -> list[AvailableRuleset]:
    """Return all rulesets by name. A user's ruleset hides a shipped one with the same name."""
    result = {}
    for folder, shipped in ((shipped_folder(), True), (user_folder(), False)):
        if folder is None:
            continue
        for name in _list_stems(folder):
            result[name] = AvailableRuleset(name, folder / f"{name}.toml", shipped)
        for name in _list_folders(folder):
            result[name] = AvailableRuleset(name, _rules_page(folder / name), shipped)
    return [result[name] for name in sorted(result)]


def find_ruleset(name_or_path: str, allow_path: bool = False) -> Path:
    """Return the file for a ruleset. The user's folder is searched first.

    A name that contains a slash or ends in `.toml` is a path, and that file need not exist. Raises
    Unreadable if there is no ruleset of that name, or for a path if `allow_path` is false.
    """
    if is_path(name_or_path):
        if allow_path:
            path = Path(name_or_path)
            return _rules_page(path) if os.path.isdir(path) else path
        raise Unreadable(
            tr(
                '"{name}" is a path, but a ruleset must be given by name here',
                name=quote(name_or_path),
            ),
            _hint(name_or_path),
        )
    try:
        return find_named(name_or_path, None)
    except Unreadable:
        found = find_titled(name_or_path)
        if len(found) != 1:
            raise
        return found[0].path


def find_titled(text: str) -> list[AvailableRuleset]:
    """Return the rulesets that have this text as a title in any language, or as another name.

    Capitals, accents, blanks and hyphens make no difference. If the text is the name of a ruleset,
    only that ruleset is returned.
    """
    typed = _simplify(text) if text.strip().isprintable() and len(text) <= MAX_TITLE else ""
    known = list_rulesets() if typed else []
    named = [each for each in known if _simplify(each.name) == typed]
    return named or [each for each in known if typed in map(_simplify, _list_titles(each.path))]


def _simplify(text: str) -> str:
    """Return a text without capitals, accents and separators, to compare names."""
    from unicodedata import normalize

    return "".join(char for char in normalize("NFKD", text.casefold()) if char.isalnum())


def _list_titles(path: Path) -> list[str]:
    """Return a ruleset's title, its translations, and its other names.

    Only its own pages are read, because a ruleset that extends another one has its own title.
    """
    table, _ = read_table(path)
    title, called = table.get("title"), table.get("called", [])
    pages = [table, *({"languages": {"": read_table(page)[0]}} for page in find_pages(path))]
    result = [title, *(called if isinstance(called, list) else [called])]
    for page in pages:
        languages = page.get("languages")
        for row in languages.values() if isinstance(languages, dict) else ():
            sentences = row.get("sentences") if isinstance(row, dict) else None
            result.append(sentences.get(title) if isinstance(sentences, dict) else None)
    return [text for text in result if isinstance(text, str)]


def find_named(name: str, excluded: Path | None) -> Path:
    """Return the file for a ruleset name, other than `excluded`. Raises Unreadable if there is
    none."""
    if is_ruleset_name(name):
        for folder in _folders():
            for path in (_rules_page(folder / name), folder / f"{name}.toml"):
                if os.path.lexists(path) and not (excluded and is_same_file(path, excluded)):
                    return path
    raise Unreadable(tr('there is no ruleset "{name}"', name=quote(name)), _hint(name))


def find_shipped(name: str) -> Path:
    """Return the path of the shipped ruleset with that name, even if there is no such ruleset."""
    path = _rules_page(shipped_folder() / name)
    return path if path.exists() else shipped_folder() / f"{name}.toml"


def find_pages(path: Path) -> list[Path]:
    """Return the other pages of the ruleset whose rules are in that file.

    They are in the ruleset's folder, or in a folder with its name in the user's folder. The user's
    pages are applied last, so they come first in the list.
    """
    folders = [path.parent] if path.stem == RULES_PAGE else []
    own = user_folder()
    if own is not None and own / name_of(path) not in folders:
        folders.insert(0, own / name_of(path))
    return [folder / f"{name}.toml" for folder in folders for name in _list_pages(folder)]


def name_of(path: Path) -> str:
    """Return the name of the ruleset to which a file belongs. The file may be `rules.toml` in a
    ruleset's folder."""
    return path.parent.name if path.stem == RULES_PAGE else path.stem


def _rules_page(folder: Path) -> Path:
    return folder / f"{RULES_PAGE}.toml"


def _list_folders(folder: Path) -> list[str]:
    """Return the names of the folders that contain a ruleset."""
    try:
        names = os.listdir(folder)
    except (OSError, ValueError):
        return []
    return [name for name in names if is_ruleset_name(name) and is_file(_rules_page(folder / name))]


def _list_pages(folder: Path) -> list[str]:
    """Return the names of a folder's pages except its rules, in reverse order of application."""
    return sorted((name for name in _list_stems(folder) if name != RULES_PAGE), reverse=True)


def find_included(name: str) -> Path | None:
    """Return the word file with that name, or None. The user's folder is searched first."""
    if is_ruleset_name(name):
        for folder in _folders():
            path = folder / INCLUDED_FOLDER / f"{name}.toml"
            if os.path.lexists(path):
                return path
    return None


def list_included() -> list[str]:
    """Return the names of all word files."""
    return sorted({name for folder in _folders() for name in _list_stems(folder / INCLUDED_FOLDER)})


def is_file(path: Path) -> bool:
    """Return whether a path leads to a file. Return False if its folder is not accessible."""
    return os.path.isfile(path)


def is_same_file(one: Path, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def is_path(text: str) -> bool:
    return "/" in text or os.sep in text or text.endswith(".toml")


def path_as_text(path: Path) -> str:
    """Return a path as text that cannot be mistaken for a ruleset name."""
    text = os.fspath(path)
    return text if is_path(text) else os.path.join(os.curdir, text)


def folder_of(name_or_path: str) -> Path | None:
    """Return the folder of a ruleset given by path, or None for one given by name."""
    return Path(name_or_path).parent if is_path(name_or_path) else None


def _hint(word: str) -> str:
    known = [available.name for available in list_rulesets()]
    stem = word.removesuffix(".toml").replace("\\", "/").rpartition("/")[2]
    if not known:
        return "there are none at all"
    few = len(known) <= MAX_NAMED
    listed = f"there are: {', '.join(known)}" if few else "`scorekeeper rules list` names all"
    return " ".join(filter(None, (_did_you_mean(stem, known), listed)))


def _did_you_mean(word: str, known: list[str]) -> str:
    """Return the hint that names the ruleset whose name or title is most similar to the word."""
    near = find_nearest(word, known) or _find_near_title(word)
    return tr('did you mean "{word}"?', word=near) if near else ""


def find_near(word: str) -> str:
    """Return the name of the ruleset whose name or title is most similar to a word, or ""."""
    known = [available.name for available in list_rulesets()]
    return find_nearest(word, known) or _find_near_title(word)


def _find_near_title(word: str) -> str:
    titles = {
        title: each.name for each in list_rulesets() for title in _list_titles(each.path)[::-1]
    }
    return titles.get(find_nearest(word, titles), "")


def _list_stems(folder: Path) -> list[str]:
    try:
        files = os.listdir(folder)
    except (OSError, ValueError):
        return []
    stems = [file.removesuffix(".toml") for file in files if file.endswith(".toml")]
    return [stem for stem in stems if is_ruleset_name(stem)]


# --- noticing changes


class WatchedFiles:
    """Files and folders in a known state, and the environment that determines the user's folder."""

    __slots__ = ("_places", "_stamps")

    def __init__(self, stamps: Mapping[Path, Stamp]) -> None:
        self._places = _environment()
        self._stamps = [(str(path), stamp) for path, stamp in stamps.items()]

    def is_unchanged(self) -> bool:
        """Return whether all files, folders and environment variables are unchanged."""
        if _environment() != self._places:
            return False
        return all(stamp_of(path) == then for path, then in self._stamps)


def _environment() -> list[str | None]:
    return [os.environ.get(name) for name in (FOLDER_VARIABLE, "XDG_DATA_HOME", "HOME")]


def stamp_of(path: str | Path) -> Stamp:
    """Return a value that changes when the file is edited or, for a folder, when a file is added.

    Return None if the path is missing.
    """
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


# --- reading files


def quote_path(path: Path) -> str:
    """Return a path as text that is safe to print."""
    return quote(path, 4096)


def read_table(path: Path) -> tuple[Json, list[RulesetFault]]:
    """Return the table in one file, including its `extends` key, or an empty table with faults."""
    file = quote_path(path)
    data, fault = _bytes(path, file)
    if fault:
        return {}, [fault]
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        detail = f"the byte 0x{data[error.start]:02x}"
        return {}, [RulesetFault(file, "", "this is not UTF-8 text", detail, line=line)]
    return _parsed(text, file)


def _bytes(path: Path, file: str) -> tuple[bytes, RulesetFault | None]:
    try:
        # Check the file type first, because opening a pipe blocks until there is a writer.
        mode = os.stat(path).st_mode
        if not stat.S_ISREG(mode):
            kind = "a folder" if stat.S_ISDIR(mode) else "something else"
            return b"", RulesetFault(file, "", "this is not a file", kind)
        with open(path, "rb") as stream:
            data = stream.read(untrusted.MAX_FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return b"", RulesetFault(file, "", f"the file cannot be read: {why}")
    if len(data) > untrusted.MAX_FILE_BYTES:
        return b"", RulesetFault(
            file, "", f"the file is larger than {untrusted.MAX_FILE_BYTES // 1024} kB"
        )
    return data, None


def _parsed(text: str, file: str) -> tuple[Json, list[RulesetFault]]:
    try:
        return untrusted.parse(text, untrusted.MAX_FILE_BYTES, untrusted.MAX_FILE_BYTES), []
    except untrusted.BrokenToml as broken:
        place = (broken.line, broken.column)
        return {}, [RulesetFault(file, "", broken.message, broken.excerpt, "", *place)]


# --- pinning


def pin(table: Row) -> str:
    """Return the ruleset as one text for a match to store. Equal tables produce equal texts."""
    from tomli_w import dumps

    return dumps(table)


def unpin(text: str) -> Json:
    """Return the table in a pinned text. Raises Damaged if the text is not a pinned ruleset."""
    table, faults = _parsed(text, "the pinned ruleset")
    if faults:
        raise Damaged(str(faults[0]))
    return table


def sha256(text: str) -> str:
    """Return the SHA-256 hash of a pinned text in UTF-8, as 64 hexadecimal digits."""
    from hashlib import sha256 as digest

    return digest(text.encode()).hexdigest()


# Tables, and keys of score rows, that change only what is shown. All other tables and keys change
# how a match is played.
SHOWN_TABLES = (
    *("title", "called", "source", "language", "languages"),
    *("sheet", "statistics", "breakdowns", "ranking", "figures"),
)
SHOWN_KEYS = ("label", "worth")


def rules_sha256(table: Row) -> str:
    """Return the SHA-256 hash of a ruleset's rules, without its sheet, its languages and its title.

    The order of top-level tables does not matter.
    """
    rules = {key: table[key] for key in sorted(table) if key not in (*SHOWN_TABLES, "history")}
    if isinstance(rules.get("scores"), dict):
        rules["scores"] = {
            name: {key: row[key] for key in row if key not in SHOWN_KEYS}
            if isinstance(row, dict)
            else row
            for name, row in rules["scores"].items()
        }
    return sha256(pin(rules))
