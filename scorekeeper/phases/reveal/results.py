"""Rounds entered by their result: who lost or gained, and by how many dice. Part of reveal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.notation.syntax import seat_named, whole
from scorekeeper.phases.reveal.state import ALL_BUT, ROLES, SEVERAL, SINGLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.rulings import Finding
    from scorekeeper.phases.reveal.state import Outcome
    from scorekeeper.ruleset.joint import Joint

MISSED = "dice"  # the key of a result: by how many dice the bid was missed
MOST_MISSED = 9999
UNTOLD = ("matching", "bid.count")  # measures that no result tells


class Said(NamedTuple):
    """A result as it was read: a role or the name of an outcome, whom it names, and by how many
    dice the bid was missed (None: that is not said)."""

    key: str
    seat: int
    missed: int | None


def named(outcomes: Iterable[Outcome]) -> list[str]:
    """The outcomes that concern several: a result gives their name, and who is left out."""
    return [outcome.name for outcome in outcomes if outcome.row["who"] in ALL_BUT]


def fields(rnd: Joint, outcomes: Sequence[Outcome]) -> Iterator[tuple[str, str, list[str]]]:
    """What a result takes, see Phase.fields."""
    names = rnd.names_of(rnd.playing())
    possible = {outcome.row["as"] for outcome in outcomes}
    for role, doc in zip(SINGLE, (tr("who lost"), tr("or who gained")), strict=True):
        if role in possible:
            yield role, doc, names
    for outcome in outcomes:
        if outcome.name in named(outcomes):
            yield (
                outcome.name,
                tr("or: the {role} of that outcome", role=ALL_BUT[outcome.row["who"]]),
                names,
            )
    if rnd.rules.in_scores(("missed",), ROLES):
        yield MISSED, tr("by how many dice the bid was missed"), []


def read(rnd: Joint, outcomes: Sequence[Outcome], said: Mapping[str, str]) -> Said:
    """The words of a result. Raises Unreadable for what is none, Impossible where the score needs
    what no result tells."""
    rest, keys = dict(said), [*SINGLE, *named(outcomes)]
    missed = rest.pop(MISSED, None)
    key = next(iter(rest), "")
    if len(rest) != 1 or key not in keys:
        raise Unreadable(
            tr("a result here is {forms}", forms=tr(" or ").join(f"{each}=NAME" for each in keys))
        )
    row = next((outcome.row for outcome in outcomes if outcome.name == key), None)
    role = key if row is None else row["as"]
    if rnd.rules.in_scores(UNTOLD, (role,)):
        say = tr("the score goes by the bid and the count, which a result does not tell")
        raise Impossible(say, tr("record the bid, the call and the count"))
    needed = rnd.rules.in_scores(("missed",), (role,))
    if needed != (missed is not None):
        if needed:
            say = tr("that result needs to say by how many dice the bid was missed")
            raise Unreadable(say, f"result {key}=NAME {MISSED}=NUMBER")
        say = tr("that result does not say by how many dice the bid was missed")
        raise Unreadable(say, f"result {key}=NAME")
    seat = seat_named(rnd.names, rest[key])
    return Said(key, seat, None if missed is None else whole(missed, 0, MOST_MISSED))


def decided(rnd: Joint, outcomes: Iterable[Outcome], call: str, bid: int, count: int) -> str:
    """The name of the outcome of a call with so many dice matching a bid of that count; "" if
    there is none."""
    for outcome in outcomes:
        if outcome.row["call"] == call and outcome.holds(rnd, bid, count):
            return outcome.name
    return ""


def _may_decide(
    rnd: Joint, outcomes: Sequence[Outcome], outcome: Outcome, missed: int | None
) -> bool:
    """Whether some bid, missed by so many, is decided by that outcome."""
    if missed is None:
        return True
    dice = rnd.dice()
    cases = [
        (bid, count)
        for bid in range(1, dice + missed + 1)
        for count in {bid - missed, bid + missed}
        if 0 <= count <= dice
    ]
    call = outcome.row["call"]
    return any(decided(rnd, outcomes, call, *case) == outcome.name for case in cases)


def _pair(outcome: Outcome, seat: int, other: int) -> tuple[int, int]:
    """Caller and bidder, where the first is whom the result names for that outcome."""
    return (seat, other) if _whom(outcome) == "caller" else (other, seat)


def _whom(outcome: Outcome) -> str:
    """Whom a result names for that outcome: whom it concerns, or who is left out."""
    who: str = outcome.row["who"]
    return ALL_BUT.get(who, who)


def fitting(outcomes: Iterable[Outcome], key: str) -> list[Outcome]:
    """The outcomes of which a result with that key may tell."""
    return [
        outcome
        for outcome in outcomes
        if outcome.name == key or (outcome.row["as"] == key and key not in SEVERAL)
    ]


def check_some_call(rnd: Joint, outcomes: Sequence[Outcome], said: Said) -> Outcome:
    """A result implies a call that nobody has recorded: one that gives the player that role, and
    that some player may make upon another's bid. Raises Impossible where no call does."""
    wrong: list[Finding] | None = None
    found: Outcome | None = None
    for outcome in fitting(outcomes, said.key):
        if not _may_decide(rnd, outcomes, outcome, said.missed):
            continue
        for other in rnd.playing():
            if other != said.seat:
                findings = rnd.wrong_with_call(
                    outcome.row["call"], *_pair(outcome, said.seat, other)
                )
                if not findings:
                    return outcome
                wrong, found = wrong or findings, found or outcome
    if found is None or wrong is None:
        if said.missed is None:
            say = tr("nobody can be the {key} of a round here: no call comes to that", key=said.key)
        else:
            say = tr(
                "nobody can be the {key} by {missed} of a round here: no call comes to that",
                key=said.key,
                missed=said.missed,
            )
        raise Impossible(say)
    rnd.blame(wrong)
    return found


def check_call(
    rnd: Joint, outcomes: Sequence[Outcome], said: Said, counts: Iterable[int]
) -> Outcome:
    """A result may close a round whose call was recorded, if that call could still end so, with
    one of these counts. Raises Impossible if not."""
    bid, call = rnd.shared.bid, rnd.shared.call
    assert bid is not None
    assert call is not None
    possible: dict[str, Outcome] = {}
    for count in counts:
        if said.missed is not None and abs(count - bid.number) != said.missed:
            continue
        name = decided(rnd, outcomes, call.word, bid.number, count)
        for outcome in fitting(outcomes, said.key):
            if outcome.name == name:
                possible[rnd.roles[_whom(outcome)][0]] = outcome
    found = possible.get(rnd.names[said.seat])
    if found is None:
        names = ", ".join(possible) or tr("nobody")
        raise Impossible(
            tr(
                "after that call the {key} can be {names}, not {name}",
                key=said.key,
                names=names,
                name=rnd.names[said.seat],
            )
        )
    return found
