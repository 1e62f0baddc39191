"""What a person always types, said once: a small TOML file in their folder of settings.

It is looked for by every command, so where there is none nothing is imported.
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

MOST = 64 * 1024  # bytes
GROUP = "group"
SHARES = ("nobody", GROUP)
EXAMPLE = ('ruleset = "NAME"', 'players = ["Ana", "Ben"]', 'language = "fr"', 'place = "home"')


class Settings(NamedTuple):
    """What need not be typed: for new matches the ruleset, the players and the place; the language
    of a new match where its ruleset has it, and of what is said; the book, and with whom a new one
    is shared (`nobody`, `group`)."""

    ruleset: str = ""
    players: tuple[str, ...] = ()
    language: str = ""
    place: str = ""
    book: str = ""
    share: str = ""


NOTHING = Settings()


def settings_path() -> str:
    """Where the settings are: `SCOREKEEPER_SETTINGS`, else a file in the user's folder of
    settings; "" for a user whose home nobody knows. Raises Unreadable for a `~` of theirs."""
    if named := os.environ.get("SCOREKEEPER_SETTINGS"):
        return _expanded(named)
    if sys.platform == "linux":  # what platformdirs would say, without its import
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
    """What the file says; nothing where there is none. Raises Unreadable for anything else than
    settings in it."""
    path = settings_path()
    if not path:
        return NOTHING
    try:
        with open(path, "rb") as file:
            raw = file.read(MOST + 1)
    except FileNotFoundError:
        return NOTHING
    except OSError as error:
        raise _wrong(path, tr("it cannot be read: {why}", why=error.strerror)) from None
    return _checked(path, _parsed(path, raw))


def chosen_book(named: str | None) -> str | None:
    """The book that was named, or that the settings name; None for the usual one."""
    if named or os.environ.get("SCOREKEEPER_BOOK"):
        return named
    return _expanded(read_settings().book) or None


def is_shared(said: str | None) -> bool:
    """Whether a new book is shared with the group of who makes it, as was said, or as the settings
    say."""
    return (said or read_settings().share) == GROUP


def _expanded(path: str) -> str:
    if not path.startswith("~"):
        return path
    from scorekeeper.store.files import expanded

    return expanded(path)


def _parsed(path: str, raw: bytes) -> Json:
    import tomllib

    if len(raw) > MOST:
        raise _wrong(path, tr("it is larger than {size} KiB", size=MOST // 1024))
    try:
        return tomllib.loads(raw.decode())
    except (ValueError, RecursionError) as error:
        from scorekeeper.core.text import shown

        raise _wrong(path, tr("it is no TOML: {why}", why=shown(error, 120))) from None


def _checked(path: str, data: Json) -> Settings:
    from scorekeeper.core.text import shown

    for key, value in data.items():
        if key not in Settings._fields:
            keys = ", ".join(Settings._fields)
            raise _wrong(
                path, tr("{key} is no setting; there are {keys}", key=shown(key), keys=keys)
            )
        if any("\0" in str(text) for text in (value if isinstance(value, list) else (value,))):
            say = tr("{key} has a character that nothing is called by: {found}",
                     key=key, found=shown(value))  # fmt: skip
            raise _wrong(path, say)
        if key == "share" and value not in SHARES:
            say = tr("{key} is one of {allowed}, found {found}",
                     key=key, allowed=", ".join(SHARES), found=shown(value))  # fmt: skip
            raise _wrong(path, say)
        if key != "players" and not isinstance(value, str):
            raise _wrong(path, tr("{key} must be text, found {found}", key=key, found=shown(value)))
        listed = isinstance(value, list) and all(isinstance(each, str) for each in value)
        if key == "players" and not listed:
            say = tr("{key} must be a list of names, found {found}", key=key, found=shown(value))
            raise _wrong(path, say)
    players = tuple(data.pop("players", ()))
    return Settings(**{**data, "players": players})


def _wrong(path: str, what: str) -> Unreadable:
    hint = tr("lines like “{one}” and “{other}”", one=EXAMPLE[0], other=EXAMPLE[1])
    return Unreadable(tr("the settings in {path}: {what}", path=path, what=what), hint)
