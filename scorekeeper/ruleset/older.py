"""Rulesets in older versions of the language: their words in those of today.

A header key says the version (`language = 4`; without it, 1). The text that a match has pinned
stays as it is: it is translated each time that it is loaded. Only words that are gone are looked
at, so a table of today is its own translation, and what is set from outside in old words is read
too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scorekeeper.ruleset.older_fouls import fouls
from scorekeeper.ruleset.older_hands import hands_needed, special_points
from scorekeeper.ruleset.who import SAME

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from scorekeeper.core.plain import Json, Row

TALLY_HELD = "own.tally"
_SET_WORDS = {"identical": "shape", "sets": "answer"}
_LEAD_AND_ADD = re.compile(r"(\d+) if laid == 0 else (\d+)")


def translated(data: Row, version: int = 1) -> Json:
    """A ruleset's table with the old words, of that version on, in those of today. `data` is not
    changed."""
    table = _copied(data)
    for last, translations in _ALL.items():
        for translate in translations if version <= last else ():
            translate(table)
    return table


def _copied(table: Row) -> Json:
    """The tables anew; values are shared, and none is changed."""
    return {
        key: _copied(value) if isinstance(value, dict) else value for key, value in table.items()
    }


def _table(data: Json, *path: str) -> Json:
    """The table at a path; an empty one, of no ruleset, where there is none."""
    found: object = data
    for key in path:
        found = found.get(key) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else {}


def _dice(data: Json) -> None:
    """`[tally] held`, and dice that went by the tally without a word."""
    tally, phases = _table(data, "tally"), _table(data, "phases")
    tally.pop("held", None)
    if "bids" in phases and "dice" not in data:
        data["dice"] = {"each": TALLY_HELD}


def _wild(data: Json) -> None:
    """`[phases.bids] wild_when`: when the wild face is wild."""
    bids = _table(data, "phases", "bids")
    if "wild_when" in bids:
        when, face = _said(bids.pop("wild_when")), bids.get("wild", 0)
        if when != "true":
            bids["wild"] = f"({face}) if ({when}) else 0"


def _said(condition: object) -> str:
    """A condition as an expression."""
    return str(condition).lower() if isinstance(condition, bool) else str(condition)


def _match_end(data: Json) -> None:
    """`[phases.bouts] deals` and `losses`: after how many the match ends."""
    bouts = _table(data, "phases", "bouts")
    found = {key: bouts.pop(key) for key in ("deals", "losses") if key in bouts}
    ends = _said(_table(data, "match").get("ends", "false"))
    named = {"deals.most": found.get("deals", 0), "losses.most": found.get("losses", -1)}
    said = ends
    for name, number in named.items():
        said = re.sub(rf"(?<![\w.]){re.escape(name)}(?![\w.])", f"({number})", said)
    if said == ends and (found.get("deals") or found.get("losses", -1) != -1):
        limits = [f"deals >= {found['deals']}"] if found.get("deals") else []
        limits += [f"tally.most > {found['losses']}"] if found.get("losses", -1) != -1 else []
        said = " or ".join([*limits, *([] if ends == "false" else [f"({ends})"])])
    if said != ends:
        data.setdefault("match", {})["ends"] = said


def _at_once(data: Json) -> None:
    """`[phases.bouts] lead` and `add`: how many cards are laid at a time."""
    bouts = _table(data, "phases", "bouts")
    if "lead" not in bouts and "add" not in bouts:
        return
    now = str(bouts.get("at_once", 0))
    pair = _LEAD_AND_ADD.fullmatch(now)
    lead, add = pair.groups() if pair else (now, now)
    lead, add = str(bouts.pop("lead", lead)), str(bouts.pop("add", add))
    bouts["at_once"] = _number(lead) if lead == add else f"{lead} if laid == 0 else {add}"


def _number(text: str) -> str | int:
    return int(text) if text.isdigit() else text


def _first_lead(data: Json) -> None:
    """`[phases.bouts] first` and `without`: who leads in the first deal."""
    bouts = _table(data, "phases", "bouts")
    if "first" not in bouts and "without" not in bouts:
        return
    now = bouts.get("leads") or ["after-dealer"]
    lowest = "lowest" in now if "first" not in bouts else bouts["first"] == "lowest"
    other = bouts.get("without", now[-1])
    for key in ("first", "without"):
        bouts.pop(key, None)
    bouts["leads"] = ["lowest", other] if lowest else ["after-dealer"]


def _per_players(data: Json) -> None:
    """`[deal] cards_for` and `kitty_for`: other numbers for some numbers of players."""
    deal = _table(data, "deal")
    for key in ("cards", "kitty"):
        cases: Mapping[str, object] = deal.pop(f"{key}_for", {})
        said = "".join(f"{number} if players == {count} else " for count, number in cases.items())
        if said:
            deal[key] = f"{said}{deal.get(key, 0)}"


def _sets(data: Json) -> None:
    """`[phases.tricks] sets`: how many identical cards may be led at once."""
    tricks = _table(data, "phases", "tricks")
    most = tricks.pop("sets", None)
    if isinstance(most, int):
        named = {1: "single", 2: "pair", 3: "triple"}
        sizes = range(1, most + 1)
        data["shapes"] = {named.get(size, f"set-of-{size}"): {"alike": size} for size in sizes}


def _set_words(data: Json) -> None:
    """The clause words `identical`, for who leads, and `sets`, for who follows."""
    if "tricks" not in _table(data, "phases"):
        return
    for name, row in _table(data, "clauses").items():
        if isinstance(row, dict) and row.get("word", name) in _SET_WORDS:
            row["word"] = _SET_WORDS[row.get("word", name)]


def in_old_order(data: Json) -> None:
    """Put the card points of a text that was pinned in an older version in the order in which they
    held: of all rows that fitted a card the one with the longest text, then the last."""
    orders = _table(data, "orders")
    for row in (*(_table(orders, name) for name in orders), _table(data, "phases", "tricks")):
        rows = row.get("points")
        if isinstance(rows, dict):
            row["points"] = {key: rows[key] for key in sorted(rows, key=len)[::-1]}


def _dealing(data: Json) -> None:
    """Who deals next: `[phases.auction] nobody = "again"`; `[phases.bouts] undecided`, which was
    said of void deals too."""
    auction, bouts = (_table(data, "phases", name) for name in ("auction", "bouts"))
    if auction.get("nobody") == "again":
        auction["nobody"] = SAME
    if "undecided" in bouts and isinstance(data.setdefault("deal", {}), dict):
        data["deal"]["after_void"] = bouts.pop("undecided")


# By the last version that had the words.
_ALL: Mapping[int, Sequence[Callable[[Json], None]]] = {
    1: (
        *(_dice, _wild, _match_end, _at_once, _first_lead, _per_players, _sets, _set_words),
        *(hands_needed, special_points),
    ),
    2: (fouls,),
    3: (_dealing,),
}
