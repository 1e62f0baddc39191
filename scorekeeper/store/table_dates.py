"""Days as tables write them."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

from scorekeeper.core.failures import Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.suggest import shown
from scorekeeper.core.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

YMD, DMY, MDY = "ymd", "dmy", "mdy"
_DAY = re.compile(r"(\d{1,4})([-./ ])(\d{1,2})\2(\d{1,4})(?:[T ]+\d{1,2}:\d\d.{0,20})?", re.ASCII)


class Dates(NamedTuple):
    """In which order the parts of the days stand: `ymd`, `dmy`, `mdy`."""

    order: str = YMD

    def day(self, text: str) -> str:
        """A day as ISO 8601 has it. Raises Unreadable for what is none."""
        found = _day(text, self.order)
        if not found and self.order != YMD:
            found = _day(text, YMD)  # nobody writes it otherwise
        if not found:
            raise Unreadable(
                tr("“{date}” is no date", date=shown(text, 40)),
                tr("write it like {day}, or say the order: --date-format dmy", day="2026-11-20"),
            )
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
    if all("." in text for _, text in open_):  # days with full stops begin with the day
        return Dates(DMY)
    fits = [each for each in (DMY, MDY) if all(_day(text, each) for _, text in open_)]
    if len(fits) == 1:
        return Dates(fits[0])
    line, text = next(((n, t) for n, t in open_ if _day(t, DMY) and _day(t, MDY)), open_[0])
    one, other = _day(text, DMY), _day(text, MDY)
    place = tr("{path}, line {line}", path=shown(path, 200), line=line)
    if one and other:
        said = tr("{place}: “{date}” may be {one} or {other}", place=place, date=shown(text, 40),
                  one=one, other=other)  # fmt: skip
    else:
        said = tr("{place}: dates are written in two orders", place=place)
    raise Unreadable(said, tr("say the order: {one} or {other}", one="--date-format dmy",
                              other="--date-format mdy"))  # fmt: skip


def _day(text: str, order: str) -> str:
    """A day in that order as ISO 8601 has it; empty if it is none."""
    found = _DAY.fullmatch(text.strip())
    if found is None:
        return ""
    parts = dict(zip(order, (found[1], found[3], found[4]), strict=True))
    if len(parts["y"]) not in (2, 4) or len(parts["d"]) > 2 or len(parts["m"]) > 2:
        return ""
    if order == YMD and len(parts["y"]) != 4:
        return ""
    year = int(parts["y"])
    if len(parts["y"]) == 2:  # the last that ended so
        now = date.today().year
        year = now - (now - year) % 100
    try:
        return date(year, int(parts["m"]), int(parts["d"])).isoformat()
    except ValueError:
        return ""
