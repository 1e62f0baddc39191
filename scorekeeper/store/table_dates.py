"""Days as tables write them."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.text import shown
from scorekeeper.core.types import NamedTuple
from scorekeeper.notation.syntax import composed

if TYPE_CHECKING:
    from collections.abc import Sequence

YMD, DMY, MDY = "ymd", "dmy", "mdy"
LONGEST = 60  # characters of a cell that may be a day
# The names of the months, as they begin, and those of the days of the week, in the languages of the
# program.
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
        rf"{_DAY}[\s-]*(?:of |de )?{_MONTH}[\s,-]*{_YEAR}",  # 20. November 2026, 20-Nov-2026
        rf"{_MONTH}\s*{_DAY},?\s+{_YEAR}",  # Nov 20, 2026
        rf"(?P<y>[0-9]{{4}})[\s-]*{_MONTH}[\s-]*{_DAY}",  # 2026-Nov-20
    )
)


class Dates(NamedTuple):
    """In which order the parts of the days stand: `ymd`, `dmy`, `mdy`."""

    order: str = YMD

    def day(self, text: str) -> str:
        """A day as ISO 8601 has it. Raises Unreadable for what is none."""
        found = _day(text, self.order)
        if not found and self.order != YMD:
            found = _day(text, YMD)  # nobody writes it otherwise
        if not found:
            other = next((order for order in (DMY, MDY) if _day(text, order)), "")
            hint = tr("write it like {day}", day="2026-11-20")
            if other:
                hint = tr("write it like {day}, or say the order: {option}", day="2026-11-20",
                          option=f"--date-format {other}")  # fmt: skip
            raise Unreadable(tr("“{date}” is no date", date=shown(text, 40)), hint)
        return found


def is_date(text: str) -> bool:
    """Whether a text is a day in some order."""
    return any(_day(text, order) for order in (YMD, DMY, MDY))


def dates_of(path: str, told: Sequence[tuple[int, str]], order: str) -> Dates:
    """How the days of a table are read, each told with its line. Raises Unreadable where all of
    them could be read in two ways."""
    if order:
        return Dates(order)
    open_ = [(line, text) for line, text in told if is_date(text) and not _day(text, YMD)]
    if not open_:
        return Dates()
    if all(_with_stops(text) for _, text in open_):  # such days begin with the day
        return Dates(DMY)
    fits = [each for each in (DMY, MDY) if all(_day(text, each) for _, text in open_)]
    if len(fits) == 1:
        return Dates(fits[0])
    line, text = next(((n, t) for n, t in open_ if _day(t, DMY) and _day(t, MDY)), open_[0])
    one, other = _day(text, DMY), _day(text, MDY)
    place = tr("{path}, line {line}", path=shown(path, 200), line=line)
    if not fits:
        said = tr("{place}: dates are written in two orders", place=place)
        raise Unreadable(said, tr("write all of them like {day}", day="2026-11-20"))
    said = tr("{place}: “{date}” may be {one} or {other}", place=place, date=shown(text, 40),
              one=one, other=other)  # fmt: skip
    raise Unreadable(said, tr("say the order: {one} or {other}", one="--date-format dmy",
                              other="--date-format mdy"))  # fmt: skip


def _written(text: str) -> tuple[str, ...]:
    """What may be written of a day: without the time after it, and without the day of the week
    before it, which may be none: `Mar 3, 2026`."""
    said = composed(text).strip().casefold()
    if len(said) > LONGEST:
        return ()
    ends = (time for time in _TIME.finditer(said) if time.end() == len(said))
    time = next(ends, None)
    said = said[: time.start()] if time is not None else said
    weekday = _WEEKDAY.match(said)
    return (said,) if weekday is None else (said, said[weekday.end() :])


def _with_stops(text: str) -> bool:
    found = (_NUMBERS.fullmatch(said) for said in _written(text))
    return any(each is not None and each[2] == "." for each in found)


def _day(text: str, order: str) -> str:
    """A day in that order as ISO 8601 has it, or one whose month has a name; empty if it is
    none."""
    days = (_numbered(said, order) or _named(said) for said in _written(text))
    return next(filter(None, days), "")


def _numbered(said: str, order: str) -> str:
    found = _NUMBERS.fullmatch(said)
    if found is None:
        return ""
    parts = dict(zip(order, (found[1], found[3], found[4]), strict=True))
    if len(parts["y"]) not in (2, 4) or len(parts["d"]) > 2 or len(parts["m"]) > 2:
        return ""
    if order == YMD and len(parts["y"]) != 4:
        return ""
    return _iso(parts["y"], int(parts["m"]), parts["d"])


def _named(said: str) -> str:
    """A day whose month is written as a word."""
    found = next(filter(None, (pattern.fullmatch(said) for pattern in _NAMED)), None)
    if found is None or found["m"] not in _NAMES:
        return ""
    month = next(at for at, names in enumerate(_MONTHS, 1) if found["m"].startswith(names))
    return _iso(found["y"], month, found["d"])


def _iso(year: str, month: int, day: str) -> str:
    number = int(year)
    if len(year) == 2:  # the last that ended so
        now = date.today().year
        number = now - (now - number) % 100
    try:
        return date(number, month, int(day)).isoformat()
    except ValueError:
        return ""
