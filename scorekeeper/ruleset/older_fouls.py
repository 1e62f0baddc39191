"""`[fouls]`, what a foul cost and ended, as a remedy that answers one. Part of older."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorekeeper.core.plain import Json

SECTIONS = ("remedies", "consequences", "penalties")
FOUL, NAME = "foul", "cheating"
NEVER = "false"
WITHOUT = {"cost": 0, "ends": False, "starts": True}  # what it meant without a word


def fouls(data: Json) -> None:
    """`[fouls]` with `cost`, `ends`, `starts`, `cite`: each that is said; where no remedy answers a
    foul yet, all, as they were without a word."""
    said = data.get("fouls")
    if not all(isinstance(data.get(section, {}), dict) for section in SECTIONS):
        return
    if said is False:
        _drop(data)
    elif isinstance(said, dict):
        rows = _rows(data) or _made(data)
        for key, value in (said if rows[2] else {**WITHOUT, **said}).items():
            if key in _SAID:
                _SAID[key](value, *rows)
    else:
        return
    del data["fouls"]
    rest = {key: said[key] for key in said if key not in _SAID} if said else {}
    if rest:
        data["fouls"] = rest


def recited(cites: Json, data: Json) -> Json:
    """[cites] with the rows of a foul's remedy in the place of `fouls`, where there is none."""
    found = None if "fouls" in data or "fouls" not in cites else _rows(data)
    if found is None:
        return cites
    told = {key: value for key, value in cites.items() if key != "fouls"}
    for section in ("remedies", "penalties"):
        names = [name for name, row in data[section].items() if any(row is each for each in found)]
        told.update((f"{section}.{name}", cites["fouls"]) for name in names)
    return told


def _answering(data: Json) -> list[str]:
    """The remedies that answer a foul."""
    rows = data.get("remedies", {}).items()
    return [name for name, row in rows if isinstance(row, dict) and row.get("on") == [FOUL]]


def _drop(data: Json) -> None:
    """Have a foul be only noted."""
    for name in _answering(data):
        del data["remedies"][name]
    if not data.get("remedies"):
        data.pop("remedies", None)
        data.pop("consequences", None)


def _rows(data: Json) -> tuple[Json, Json, Json] | None:
    """The remedy that answers a foul, what follows by it, and the class of penalty that this costs;
    None where there is none of them."""
    remedy: Json = next((data["remedies"][name] for name in _answering(data)), {})
    then = remedy.get("then")
    named = str(then[0]) if isinstance(then, list) and then else ""
    consequence = data.get("consequences", {}).get(named)
    if not isinstance(consequence, dict):
        return None
    penalty = data.get("penalties", {}).get(str(consequence.get("penalty")))
    return (remedy, consequence, penalty) if isinstance(penalty, dict) else None


def _made(data: Json) -> tuple[Json, Json, Json]:
    """The same, made anew."""
    _drop(data)
    name = NAME
    while any(name in data.get(section, {}) for section in SECTIONS):
        name += "-"
    made: tuple[Json, Json, Json] = ({"on": [FOUL], "then": [name]}, {"penalty": name}, {})
    for section, row in zip(SECTIONS, made, strict=True):
        data.setdefault(section, {})[name] = row
    return made


def _cost(said: object, _: Json, consequence: Json, penalty: Json) -> None:
    penalty["culprit"] = -said if isinstance(said, int) else f"-({said})"
    if not said:
        consequence["when"] = NEVER  # then a foul was only noted
    elif consequence.get("when") == NEVER:
        del consequence["when"]


def _ends(said: object, _: Json, consequence: Json, __: Json) -> None:
    consequence["play"] = ("stops" if said else "on") if isinstance(said, bool) else said


def _starts(said: object, _: Json, consequence: Json, __: Json) -> None:
    consequence["starts"] = ("culprit" if said else "same") if isinstance(said, bool) else said


def _cite(said: object, remedy: Json, _: Json, penalty: Json) -> None:
    remedy["cite"] = penalty["cite"] = said


_SAID = {"cost": _cost, "ends": _ends, "starts": _starts, "cite": _cite}
