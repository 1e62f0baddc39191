"""The shape of a record: its keys, what each holds, and how much."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.errors import Damaged
from scorekeeper.core.messages import mark, tr
from scorekeeper.core.text import shown
from scorekeeper.core.versions import Versions

if TYPE_CHECKING:
    from scorekeeper.core.types import Json, Plain


def _second(data: Json) -> Json:
    """The second format only has more keys than the first."""
    return {**data, "format": 2}


# The formats of a record.
FORMATS: Versions[Json] = Versions(2, {1: _second})
# What a record says about its match besides rules, players and rounds.
ABOUT = ("started", "place", "title", "note", "language", "identifier")
KEYS = {
    "format": int,
    "ruleset": str,
    "players": list,
    "rounds": list,
    "started": str,
    "place": str,
    "title": str,
    "note": str,
    "language": str,
    "identifier": str,
    "options": dict,
    "ruleset_sha256": str,
    "ruleset_text": str,
}
ROUND_KEYS = {"dealer": str, "entries": str, "scores": dict}
MUST_BE = {
    int: mark("{key} must be a number, found {found}"),
    str: mark("{key} must be text, found {found}"),
    list: mark("{key} must be a list, found {found}"),
    dict: mark("{key} must be a table, found {found}"),
}


def check_shape(data: Json) -> None:
    """Raises Damaged for the first thing that no record can say. A day is made a text of it."""
    from datetime import date

    if isinstance(data.get("started"), date):  # written as TOML writes a date
        data["started"] = data["started"].isoformat()
    for key, value in data.items():
        if key not in KEYS:
            say = mark("{key} is no key of a record; keys are {keys}")
            raise Damaged(tr(say, key=shown(key), keys=", ".join(KEYS)))
        if not isinstance(value, KEYS[key]) or isinstance(value, bool):
            raise Damaged(tr(MUST_BE[KEYS[key]], key=key, found=shown(value)))
        if isinstance(value, str) and key != "ruleset_text" and len(value) > untrusted.TEXT:
            say = mark("{key} is longer than {most} characters")
            raise Damaged(tr(say, key=key, most=untrusted.TEXT))
    for key in ("format", "ruleset", "players"):
        if key not in data:
            raise Damaged(tr("{key} is missing, so this is no record", key=key))
    data.update(FORMATS.upgrade(tr("this record"), data, data["format"]))
    if not all(isinstance(name, str) for name in data["players"]):
        raise Damaged(tr("players must be a list of names"))
    rounds = data.get("rounds", [])
    for say, found, most in (
        (mark("it has {found} players; at most {most} can be read"), data["players"],
         untrusted.PLAYERS),
        (mark("it has {found} rounds; at most {most} can be read"), rounds, untrusted.ROUNDS),
    ):  # fmt: skip
        if len(found) > most:
            raise Damaged(tr(say, found=len(found), most=most))
    for number, row in enumerate(rounds, 1):
        _check_round(number, row)


def _check_round(number: int, row: Plain) -> None:
    if not isinstance(row, dict):
        raise Damaged(tr("round {round} must be a table", round=number))
    for key, value in row.items():
        if key not in ROUND_KEYS:
            say = mark("round {round}: {key} is no key; keys are {keys}")
            raise Damaged(tr(say, round=number, key=shown(key), keys=", ".join(ROUND_KEYS)))
        if not isinstance(value, ROUND_KEYS[key]):
            wrong = tr(MUST_BE[ROUND_KEYS[key]], key=key, found=shown(value))
            raise Damaged(tr("round {round}: {wrong}", round=number, wrong=wrong))
    for name, points in row.get("scores", {}).items():
        if type(points) is not int:
            say = mark("round {round}: the score of {who} is no number")
            raise Damaged(tr(say, round=number, who=shown(name)))
