"""Who took part in a round, and who won and who lost it, as the ruleset's `[history]` says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.ruleset.reports import BY_FEWEST, BY_ROLES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scorekeeper.core.types import Json, Summary
    from scorekeeper.play.round import Round


def outcome(rnd: Round, summary: Summary) -> Json:
    """`present annulled won lost decided unscored`, of which the summary tells the rest.

    `present` sat there, did not sit out and were not out of the match; `annulled`: it counts for
    nothing, for it is void or dealt again; `won` and `lost` are names, nobody's while the round
    goes on and where it counts for nothing. `decided`: it is known who won, if anybody did.
    `unscored`: no score row applies, since its score alone was told or by a decision.
    """
    out_at, sat_out, changes = rnd.rules.out_at, summary["sat_out"], summary["changes"]
    present = [
        name for name, tally in summary["before"].items() if tally > out_at and name not in sat_out
    ]
    counts = summary["over"] and not rnd.void
    won: Sequence[str] = ()
    lost: Sequence[str] = ()
    scored = counts and changes is not None
    history = rnd.rules.history
    if history.by == BY_ROLES:
        scored = scored and not rnd.unscored
        if counts:
            won, lost = _holders(summary, history.won), _holders(summary, history.lost)
    elif scored:
        won, lost = _best(present, changes, history.by == BY_FEWEST)
    return {
        "present": present,
        "annulled": rnd.void,
        "won": list(won),
        "lost": [name for name in lost if name not in won],
        "decided": bool(scored or won or lost),
        "unscored": rnd.unscored,
    }


def _holders(summary: Summary, roles: Iterable[str]) -> Sequence[str]:
    """Those who have one of these roles, each once."""
    held = summary["roles"]
    return list(
        dict.fromkeys(name for role in roles if role in held for name in held[role]["players"])
    )


def _best(
    present: Sequence[str], changes: Mapping[str, int], fewest: bool
) -> tuple[Sequence[str], Sequence[str]]:
    """Those with the best change, and the others; nobody where all are even."""
    numbers = {changes[name] for name in present}
    if len(numbers) < 2:
        return (), ()
    best = min(numbers) if fewest else max(numbers)
    return [name for name in present if changes[name] == best], present
