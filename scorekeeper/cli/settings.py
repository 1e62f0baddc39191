"""The user's settings: a small TOML file with defaults for frequently used options.

Every command reads the file. If it does not exist, the TOML parser is not imported, to save time.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.types import NamedTuple

if TYPE_CHECKING:
    from scorekeeper.core.types import Json

MAX_BYTES = 64 * 1024
GROUP = "group"
SHARE_VALUES = ("nobody", GROUP)
EXAMPLE_LINES = (
    'ruleset = "NAME"',
    'players = ["Ana", "Ben"]',
    'language = "fr"',
    'place = "home"',
)


class Settings(NamedTuple):
    """Defaults for options.

    `ruleset`, `players` and `place` are for new matches. `language` is for messages, and for new
    matches if the ruleset has it. `book` is the book's path. `share` determines who may use a new
    book (`nobody` or `group`).
    """

    ruleset: str = ""
    players: tuple[str, ...] = ()
    language: str = ""
    place: str = ""
    book: str = ""
    share: str = ""


NO_SETTINGS = Settings()


def settings_path() -> str:
    """Return the path of the settings file.

    It is `SCOREKEEPER_SETTINGS`, or a file in the user's settings folder. Returns "" if the user
    has no home folder. Raises Unreadable if a `~` cannot be expanded.
    """
    if named := os.environ.get("SCOREKEEPER_SETTINGS"):
        return _expand(named)
    if sys.platform == "linux":  # same path as platformdirs, but saves the time to import it
        home = os.environ.get("XDG_CONFIG_HOME", "").strip() or os.path.expanduser("~/.config")
        if os.path.isabs(home):
            return os.path.join(home, "scorekeeper", "settings.toml")
    import platformdirs

    try:
        folder = platformdirs.user_config_path("scorekeeper", appauthor=False)
    except (RuntimeError, OSError):
        return ""
    return str(folder / "settings.toml") if folder.is_absolute() else ""


def read_settings() -> Settings:
    """Return the settings in the file, or empty settings if there is no file.

    Raises Unreadable if the file cannot be read or contains anything that is not a setting.
    """
    path = settings_path()
    if not path:
        return NO_SETTINGS
    try:
        with open(path, "rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        return NO_SETTINGS
    except OSError as error:
        raise _settings_error(path, tr("it cannot be read: {why}", why=error.strerror)) from None
    return _check(path, _parse(path, raw))


def chosen_book(path: str | None) -> str | None:
    """Return the given path, or the book in the settings unless `SCOREKEEPER_BOOK` is set.

    Returns None for the default book.
    """
    if path or os.environ.get("SCOREKEEPER_BOOK"):
        return path
    return _expand(read_settings().book) or None


def is_book_shared(option: str | None) -> bool:
    """Return whether a new book is shared with its owner's group, by option or by the settings."""
    return (option or read_settings().share) == GROUP


def _expand(path: str) -> str:
    if not path.startswith("~"):
        return path
    from scorekeeper.store.files import expand_home

    return expand_home(path)


def _parse(path: str, raw: bytes) -> Json:
    import tomllib

    if len(raw) > MAX_BYTES:
        raise _settings_error(path, tr("it is larger than {size} KiB", size=MAX_BYTES // 1024))
    try:
        return tomllib.loads(raw.decode())
    except (ValueError, RecursionError) as error:
        from scorekeeper.core.text import quote

        raise _settings_error(
            path, tr("it is not valid TOML: {why}", why=quote(error, 120))
        ) from None


def _check(path: str, data: Json) -> Settings:
    from scorekeeper.core.text import quote

    for key, value in data.items():
        if key not in Settings._fields:
            keys = ", ".join(Settings._fields)
            raise _settings_error(
                path,
                tr("{key} is not a setting; the settings are {keys}", key=quote(key), keys=keys),
            )
        if any("\0" in str(text) for text in (value if isinstance(value, list) else (value,))):
            say = tr("{key} contains a character that is not allowed: {found}",
                     key=key, found=quote(value))  # fmt: skip
            raise _settings_error(path, say)
        if key == "share" and value not in SHARE_VALUES:
            say = tr("{key} must be one of {allowed}, not {found}",
                     key=key, allowed=", ".join(SHARE_VALUES), found=quote(value))  # fmt: skip
            raise _settings_error(path, say)
        if key != "players" and not isinstance(value, str):
            raise _settings_error(
                path, tr("{key} must be text, not {found}", key=key, found=quote(value))
            )
        listed = isinstance(value, list) and all(isinstance(each, str) for each in value)
        if key == "players" and not listed:
            say = tr("{key} must be a list of names, not {found}", key=key, found=quote(value))
            raise _settings_error(path, say)
    players = tuple(data.pop("players", ()))
    return Settings(**{**data, "players": players})


def _settings_error(path: str, text: str) -> Unreadable:
    hint = tr("use lines like “{one}” and “{other}”", one=EXAMPLE_LINES[0], other=EXAMPLE_LINES[1])
    return Unreadable(tr("the settings in {path}: {what}", path=path, what=text), hint)
