"""Whether a round's summary that comes from a file is shaped as `summarize` makes them.

Whoever tells of a round takes that for granted, and asks no more of the thousands of a season than
`is_about`. What phases say of their own (`facts`, `faults`) is only looked at as a whole.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from scorekeeper.play.roster import AWAY, CAME, ROSTER, SEATS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scorekeeper.core.types import Plain, Summary

_MOST = 1 << 63  # no tally comes near it, and sums of such are numbers still
_NONE = type(None)
_TEXT = (str, _NONE)
_KINDS: dict[str, type | tuple[type, ...]] = {
    "round": int, "over": bool, "ends": bool, "due": str, "dealer": _TEXT, "leader": _TEXT,
    "sat_out": list, "roles": dict, "sides": dict, "before": dict, "changes": (dict, _NONE),
    "tally": (dict, _NONE), "lines": list, "eliminated": list, "facts": dict, "mistaken": bool,
    "result": _TEXT, "void": _TEXT, "fouls": list, "penalties": list, "notes": list,
    "decisions": list, "found": list, "stuck": int, "ignored": list, "present": list,
    "annulled": bool, "won": list, "lost": list, "decided": bool, "unscored": bool, "counts": dict,
}  # fmt: skip
_FOUND = ("code", "verdict", "severity", "cite", "facts", "reason")
_WRONG = (LookupError, TypeError, ValueError, AttributeError)  # what asks of another shape raises


def is_about(summary: Summary, players: Sequence[str]) -> bool:
    """Whether a summary tells of those who sat there, of whom `players` began: a cheap look."""
    try:
        names = summary["before"].keys()
        sat = summary[ROSTER][SEATS] if ROSTER in summary else players
        return [*names] == sat and summary["over"] is (
            summary["tally"] is not None and summary["tally"].keys() == names
        )
    except _WRONG:
        return False


def is_listed(told: Plain) -> bool:
    """Whether something says how a match stands, as where all are listed: `scores` are everybody's,
    `ahead` (of which older versions said nothing) and `left` some of them, `since` what some have
    got in the round that goes on."""
    try:
        scores, since = told["scores"], told.get("since", {})
        some = {*told.get("ahead", ()), *told.get("left", ()), *since}
        return (
            isinstance(told["over"], bool)
            and scores.keys() >= some
            and _are_numbers([*scores.values(), *since.values()])
        )
    except _WRONG:
        return False


def is_shaped(summary: Summary) -> bool:
    """Whether all that is asked of a summary has an answer."""
    try:
        return (
            all(isinstance(summary[key], kinds) for key, kinds in _KINDS.items())
            and _are_names(summary)
            and _are_counted(summary)
            and _are_said(summary)
            and all(map(_is_fact, summary["facts"].values()))
        )
    except _WRONG:
        return False


def _are_names(summary: Summary) -> bool:
    """Whether all who are named sat there, or had sat there."""
    names = summary["before"].keys()
    lists = [summary[key] for key in ("sat_out", "present", "won", "lost", "eliminated")]
    members = [role["players"] for role in summary["roles"].values()]
    one = [summary["due"], *filter(None, (summary["dealer"], summary["leader"]))]
    roster = summary.get(ROSTER)
    left = roster is None or (
        _are_texts([*roster[SEATS], *roster[CAME], *roster[AWAY]])
        and _are_numbers(roster[AWAY].values())
    )
    return left and names >= {*one}.union(*lists, *members, *summary["sides"].values())


def _are_counted(summary: Summary) -> bool:
    """Whether what is counted are numbers, of those who sat there."""
    names, counts = summary["before"].keys(), [*summary["counts"].values()]
    whole = [each for each in (summary["tally"], summary["changes"]) if each is not None]
    lines = summary["lines"]
    told = [line[key] for line in lines for key in ("code", "for", "label")]
    return (
        (summary["tally"] is not None) is summary["over"]
        and all(each.keys() == names for each in whole)
        and all(each.keys() <= names for each in counts)
        and _are_numbers(line["points"] for line in lines)
        and _are_numbers(chain(*(each.values() for each in (summary["before"], *whole, *counts))))
        and _are_texts([*told, *(role["side"] for role in summary["roles"].values())])
    )


def _are_said(summary: Summary) -> bool:
    """Whether what was said are texts, and what was found are findings on entries."""
    said = [*chain(*(summary[key] for key in ("fouls", "penalties", "notes", "decisions")))]
    found = [finding[key] for _, finding in summary["found"] for key in _FOUND]
    faults = summary.get("faults", [])
    return (
        _are_texts(said)
        and len(found) == len(_FOUND) * len(summary["found"])
        and _are_numbers([*summary["ignored"], *(number for number, _ in summary["found"])])
        and isinstance(faults, list)
        and all(
            isinstance(each, dict) and {"round", "entry", "text"} <= each.keys() for each in faults
        )
    )


def _is_fact(fact: Plain) -> bool:
    """Whether something is a value, a list of such, or what one or the other is by player."""
    each = fact.values() if isinstance(fact, dict) else [fact]
    return all(
        map(_is_value, chain(*(item if isinstance(item, list) else [item] for item in each)))
    )


def _is_value(value: Plain) -> bool:
    return isinstance(value, _TEXT) or _are_numbers([value])


def _are_texts(values: Iterable[Plain]) -> bool:
    return all(isinstance(value, str) for value in values)


def _are_numbers(values: Iterable[Plain]) -> bool:
    """Whether all are numbers to count with: neither endless ones nor none."""
    return all(isinstance(value, int | float) and -_MOST < value < _MOST for value in values)
