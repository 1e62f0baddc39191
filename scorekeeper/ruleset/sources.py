"""The files of rulesets: where they lie, what is in them, and the text that a match pins.

The only file access among the rules. What is wrong with a file is a value, a Fault, and all of
them are returned; a ruleset that cannot be found is a failure. Files come from strangers: their
size and depth are bounded.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.errors import Damaged, Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.text import did_you_mean, shown
from scorekeeper.core.types import NamedTuple
from scorekeeper.ruleset.tables import is_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorekeeper.core.types import Json, Row

    Stamp = tuple[int, int, int] | None

INCLUDED = "words"  # the folder, beside rulesets, of what several rulesets include
FEW = 12  # so many rulesets are named in one line
FOLDER_VARIABLE = "SCOREKEEPER_RULESETS"


class Fault(NamedTuple):
    """One thing wrong with a ruleset: where it is, what was found, what is allowed.

    `key` is the dotted path of the value; `line` and `column` count from 1, 0 is unknown.
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
        # A message that begins with the key says it once.
        told = self.message.startswith(self.key) and self.message[len(self.key) :][:1] in (" ", ":")
        key = "" if told else self.key
        text = ": ".join(part for part in (place, key, self.message) if part)
        text += f"; found {self.found}" if self.found else ""
        return text + (f"; allowed: {self.allowed}" if self.allowed else "")


class Available(NamedTuple):
    """A ruleset that can be named, and whether it came with the program."""

    name: str
    path: Path
    shipped: bool


# --- finding


def data_folder() -> Path | None:
    """Where what the user keeps lies, whether or not the folder exists; None for a user whose home
    nobody knows."""
    from platformdirs import user_data_path

    try:
        folder = user_data_path("scorekeeper", appauthor=False)
    except (RuntimeError, OSError):
        return None
    return folder if folder.is_absolute() else None


def user_folder() -> Path | None:
    """Where the user's own rulesets lie, whether or not the folder exists; None where that is
    nowhere."""
    chosen = os.environ.get(FOLDER_VARIABLE)
    if chosen:
        return Path(chosen)
    folder = data_folder()
    return folder and folder / "rulesets"


def _folders() -> list[Path]:
    """Where rulesets lie, in the order in which they are looked for."""
    return [folder for folder in (user_folder(), shipped_folder()) if folder is not None]


def shipped_folder() -> Path:
    """Where the rulesets lie that came with the program."""
    package = Path(__file__).parent.parent
    packed = package / "rulesets"
    return packed if packed.is_dir() else package.parent / "rulesets"


def examples_folder() -> Path:
    """Where the examples of the clause words lie, a file for each phase."""
    return Path(__file__).parent.parent / "phases" / "examples"


def names() -> list[Available]:
    """All rulesets that can be named, by name; the user's hide shipped ones of the same name."""
    found = {}
    for folder, shipped in ((shipped_folder(), True), (user_folder(), False)):
        if folder is None:
            continue
        for name in _listed(folder):
            found[name] = Available(name, folder / f"{name}.toml", shipped)
    return [found[name] for name in sorted(found)]


def find(name_or_path: str, allow_path: bool = False) -> Path:
    """The file of a ruleset; the user's folder is looked into first.

    What holds a slash or ends in `.toml` is a path, and refused unless `allow_path`. Raises
    Unreadable; a path is not looked at before it is read.
    """
    if is_path(name_or_path):
        if allow_path:
            return Path(name_or_path)
        raise Unreadable(
            tr(
                '"{name}" is a path; here a ruleset is given by its name',
                name=shown(name_or_path),
            ),
            _hint(name_or_path),
        )
    return find_named(name_or_path, None)


def find_named(name: str, but_not: Path | None) -> Path:
    if is_name(name):
        for folder in _folders():
            path = folder / f"{name}.toml"
            if os.path.lexists(path) and not (but_not and same(path, but_not)):
                return path
    raise Unreadable(tr('there is no ruleset "{name}"', name=shown(name)), _hint(name))


def find_included(name: str) -> Path | None:
    """The file of words of that name; the user's folder is looked into first."""
    if is_name(name):
        for folder in _folders():
            path = folder / INCLUDED / f"{name}.toml"
            if os.path.lexists(path):
                return path
    return None


def included() -> list[str]:
    """The names of all files of words."""
    return sorted({name for folder in _folders() for name in _listed(folder / INCLUDED)})


def is_file(path: Path) -> bool:
    """Whether there is such a file; none is in a folder that one may not enter."""
    return os.path.isfile(path)


def same(one: Path, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def is_path(text: str) -> bool:
    return "/" in text or os.sep in text or text.endswith(".toml")


def path_as_text(path: Path) -> str:
    """A path as it is given where a name might be."""
    text = os.fspath(path)
    return text if is_path(text) else os.path.join(os.curdir, text)


def folder_of(name_or_path: str) -> Path | None:
    """The folder of a ruleset that is given by its path; None for one given by its name."""
    return Path(name_or_path).parent if is_path(name_or_path) else None


def _hint(word: str) -> str:
    known = [available.name for available in names()]
    stem = word.removesuffix(".toml").replace("\\", "/").rpartition("/")[2]
    if not known:
        return "there are none at all"
    few = len(known) <= FEW
    listed = f"there are: {', '.join(known)}" if few else "`scorekeeper rules list` names all"
    return " ".join(filter(None, (did_you_mean(stem, known), listed)))


def _listed(folder: Path) -> list[str]:
    try:
        files = os.listdir(folder)
    except (OSError, ValueError):
        return []
    stems = [file.removesuffix(".toml") for file in files if file.endswith(".toml")]
    return [stem for stem in stems if is_name(stem)]


# --- noticing changes


class Watched:
    """Files and folders as they stood when something was made of them, and what the environment
    said of where the user's folder is."""

    __slots__ = ("_places", "_stamps")

    def __init__(self, stamps: Mapping[Path, Stamp]) -> None:
        self._places = _places()
        self._stamps = [(str(path), stamp) for path, stamp in stamps.items()]

    def unchanged(self) -> bool:
        """Whether all of them stand as they did."""
        if _places() != self._places:
            return False
        return all(stamp_of(path) == then for path, then in self._stamps)


def _places() -> list[str | None]:
    return [os.environ.get(name) for name in (FOLDER_VARIABLE, "XDG_DATA_HOME", "HOME")]


def stamp_of(path: str | Path) -> Stamp:
    """What changes when somebody edits a file, or adds one to a folder; None where there is
    none."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


# --- reading


def shown_path(path: Path) -> str:
    """A path as text that is safe to print, whatever its name holds."""
    return shown(path, 4096)


def read(path: Path) -> tuple[Json, list[Fault]]:
    """The table in one file, `extends` and all; empty if there are faults."""
    file = shown_path(path)
    data, fault = _bytes(path, file)
    if fault:
        return {}, [fault]
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        found = f"the byte 0x{data[error.start]:02x}"
        return {}, [Fault(file, "", "this is no text in UTF-8", found, line=line)]
    return _parsed(text, file)


def _bytes(path: Path, file: str) -> tuple[bytes, Fault | None]:
    try:
        # Looked at before it is opened: opening a pipe would wait for somebody to write.
        mode = os.stat(path).st_mode
        if not stat.S_ISREG(mode):
            found = "a folder" if stat.S_ISDIR(mode) else "something else"
            return b"", Fault(file, "", "this is not a file", found)
        with open(path, "rb") as stream:
            data = stream.read(untrusted.FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return b"", Fault(file, "", f"the file cannot be read: {why}")
    if len(data) > untrusted.FILE_BYTES:
        return b"", Fault(file, "", f"the file is larger than {untrusted.FILE_BYTES // 1024} kB")
    return data, None


def _parsed(text: str, file: str) -> tuple[Json, list[Fault]]:
    try:
        return untrusted.parse(text, untrusted.FILE_BYTES, untrusted.FILE_BYTES), []
    except untrusted.Broken as broken:
        place = (broken.line, broken.column)
        return {}, [Fault(file, "", broken.message, broken.found, "", *place)]


# --- pinning


def pin(table: Row) -> str:
    """The ruleset as one text, the same for the same table, for a match to keep."""
    from tomli_w import dumps

    return dumps(table)


def unpin(text: str) -> Json:
    """The table of a pinned text; raises Damaged if it is none."""
    table, faults = _parsed(text, "the pinned ruleset")
    if faults:
        raise Damaged(str(faults[0]))
    return table


def sha256(text: str) -> str:
    """The SHA-256 of a pinned text's UTF-8, as 64 hexadecimal digits."""
    from hashlib import sha256 as digest

    return digest(text.encode()).hexdigest()
