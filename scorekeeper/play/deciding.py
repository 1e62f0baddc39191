"""What a table may still do about an entry that is against a rule: each is tried before it is
offered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure
from scorekeeper.core.messages import mark, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.notation import DECISIONS
from scorekeeper.play.amending import Change, account, retyped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.core.types import Json, Standing
    from scorekeeper.play.found import Found
    from scorekeeper.play.match import Match

SAYS = {"stands": mark("it stands"), "withdrawn": mark("it was taken back")}
MISTYPED = mark("it was mistyped")


class Action(NamedTuple):
    """Something that the table may do: in words; the entry that is amended by it (`3.12`; "": what
    it says is recorded now), and the text ("": the entry is taken out)."""

    said: str
    at: str
    text: str


def actions_on(match: Match, found: Found, before: Standing, last: bool) -> list[Action]:
    """What may be done about an entry of a round which began so; `match` goes on now, and no round
    follows that one if it is the `last`."""
    alone = match.beside(before, found.round)
    alone.play_round(found.entries)
    at = f"{found.round}.{found.number}"
    name = _actor(match, found.entry)
    if found.stuck:
        tried = [Action(tr("it is taken out"), at, "")]
    elif found.fault is not None and not found.fault["ended"]:
        return [
            *_claims(match, found.fault),
            Action(tr(MISTYPED), at, f"{name}: …" if name else "…"),
        ]
    else:
        tried = [Action(tr(SAYS[word]), at, f"{found.entry} !{word}") for word in DECISIONS]
    actions = [each for each in tried if _may_amend(alone, found, each.text, last)]
    if name:
        actions += _penalties(match, name, at)
    return [*actions, Action(tr(MISTYPED), at, f"{name}: …" if name else "…")]


def _actor(match: Match, text: str) -> str:
    """Who did what an entry says; "" if that is nobody, or several."""
    try:
        seat = match.known_notation.read(text).seat
    except Failure:
        return ""
    return match.players[seat] if seat is not None and seat >= 0 else ""


def _may_amend(alone: Match, found: Found, text: str, last: bool) -> bool:
    """Whether an amendment of an entry would be saved without a question. `alone` has its round
    and no other; unless that is the last, what follows must begin as it did."""
    change = Change(found.round, found.number, (text,) if text else ())
    try:
        rulings = retyped(alone, change)
        after = alone.amended(*change[:2], *(ruling.entry for ruling in rulings))
        told = account(alone, after, change, rulings)
    except Failure:
        return False
    if told.breaks or (told.gone and not last):
        return False
    return last or (not told.reopened and after.standing == alone.standing)


def _claims(match: Match, fault: Json) -> Iterator[Action]:
    """What may be said of something that may still be claimed, or weighed."""
    keys = ("round", "entry", "remedy")
    for each in match.state.get("faults", ()):
        if any(each[key] != fault[key] for key in keys):
            continue
        at, words = each["at"], (*each["choices"], *each["waits"])
        tried = [
            Action(tr("weighed, {word}", word=match.ruleset.spoken(word)), "", f"weigh {at} {word}")
            for word in words
        ]
        if not each["claimed"]:
            tried = [
                Action(
                    tr("{name} claims it", name=name),
                    "",
                    f"claim {name}: {at}",
                )
                for name in each["may"]
            ]
            tried.append(Action(tr("nobody claims anything"), "", "waive all"))
        yield from (action for action in tried if _may_record(match, action.text))


def _penalties(match: Match, name: str, at: str) -> Iterator[Action]:
    """The ruleset's classes of penalties, as far as one may be recorded now."""
    for row in match.ruleset.data.get("penalties", {}):
        text = f"penalty {name}: {row} at {at}"
        if _may_record(match, text):
            yield Action(tr("penalty, {row}", row=row), "", text)


def _may_record(match: Match, text: str) -> bool:
    try:
        return not match.judge(text).refused
    except Failure:
        return False
