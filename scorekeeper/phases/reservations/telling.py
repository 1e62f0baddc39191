"""What was said and what is played, as JSON and in sentences. Part of reservations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import Aside, listed, plural, tr
from scorekeeper.phases.reservations.state import deals_counted, solos_played
from scorekeeper.phases.reservations.wishes import spoken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.core.types import Json
    from scorekeeper.phases.reservations.state import State
    from scorekeeper.ruleset.joint import Joint


def table(rnd: Joint, state: State) -> list[Json]:
    """What everyone has said so far, as the state shows it."""
    return [
        {"who": rnd.names[seat], "says": spoken(rnd.rules, (wish.kind, *wish.raises))}
        for seat, wish in state.spoken.items()
    ]


def bindings(rnd: Joint, state: State | None) -> Json:
    """What is decided, as the state shows it."""
    shared = rnd.shared
    found: Json = {
        "declarer": rnd.names[shared.declarer] if shared.declarer >= 0 else None,
        "raised": list(shared.raised),
        "compulsory": state is not None and state.compulsory,
        "contract": shared.contract,
        "order": shared.order,
    }
    return {name: value for name, value in found.items() if value}


def contract(rnd: Joint, state: State | None) -> Iterator[str]:
    """Which contract is played, by whom."""
    if not rnd.shared.contract:
        return
    name, declarer = rnd.rules.spoken(rnd.shared.contract), rnd.shared.declarer
    by = tr(", by {who}", who=rnd.names[declarer]) if declarer >= 0 else ""
    owed = tr(" (the solo that was owed)") if state is not None and state.compulsory else ""
    void = tr(": the deal counts for nothing") if rnd.void else ""
    what = name + by + owed + void
    if rnd.over:
        yield tr("the contract was {contract}", contract=what)
        return
    said = tr("the contract is {contract}", contract=what)
    yield said if by or void else Aside(said)


def what_is_owed(rnd: Joint, deals: float, compulsory: bool) -> Iterator[str]:
    """How many of so many deals have counted, and, if solos are owed, who owes one."""
    if deals:
        yield plural(
            "{count} deal of {deals} played",
            "{count} deals of {deals} played",
            deals_counted(rnd),
            deals=deals,
        )
    if compulsory:
        owing = [name for name, left in _solos_left(rnd).items() if left]
        if owing:
            names = listed(owing)
            yield plural("{names} owes a solo", "{names} owe a solo", len(owing), names=names)


def _solos_left(rnd: Joint) -> dict[str, int]:
    """How many solos each player still owes."""
    played = solos_played(rnd)
    return {name: 0 if seat in played else 1 for seat, name in enumerate(rnd.names)}


def summary(rnd: Joint, compulsory: bool) -> Json:
    """What the sheet and the statistics may tell."""
    found: Json = {"contract": rnd.shared.contract or None}
    if compulsory:
        found["player.solos_left"] = _solos_left(rnd)
    return found
