"""What a sheet, statistics or an export may tell of one round, as plain JSON values.

The general part comes from the round, the rest from its phases (`Phase.summary`). A round need
not be over: what is not known yet is left out.

A store keeps it of every round that is finished, so that nothing need be played again to tell of
it. What the entries' texts say themselves is not in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.notation import DECISIONS
from scorekeeper.play.counts import counts
from scorekeeper.play.outcome import outcome
from scorekeeper.play.remedied import void_by
from scorekeeper.play.roster import ROSTER
from scorekeeper.ruleset.decisions import VOID

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorekeeper.core.rulings import Finding, Line
    from scorekeeper.core.types import Json, Plain
    from scorekeeper.notation import Entry
    from scorekeeper.play.played import Played
    from scorekeeper.play.round import Round

# Which summaries there are: one that says another number, or none, is made again. It goes up with
# whatever a summary says otherwise than before.
VERSION = 2


def summarize(rnd: Round, played: Played, ends: bool) -> Json:
    """The summary of a round at its end, or as far as it has come; `ends`: the match with it.

    `version round over ends due dealer leader sat_out roles sides before changes tally lines
    eliminated result void fouls penalties notes decisions facts mistaken present annulled won
    lost decided unscored counts found stuck ignored`: names of players throughout. `due` was to
    deal; `roles` lead to the label and the players, `sides` from a label to players; `facts` are
    what the phases report; `present annulled won lost decided unscored` are as in `outcome`;
    `counts` lead from a row of the ruleset's statistics to what it counts for whom (nothing where
    it is 0); `found` are pairs of an entry's number and a finding on it; `stuck` and `ignored` are
    as in `Played`; `faults`, where the rules have remedies, is what was wrong and what became of
    it; `roster`, where somebody has come or gone, are those who sit there (`seats`), who came
    later, and the tallies of those who are away.
    """
    rules, names, changes = rnd.rules, rnd.names, played.changes
    facts: Json = {}
    for phase in rules.phases.values():
        facts.update(phase.summary(rnd))
    faults: list[Json] | None = facts.pop("faults", None)
    said = _said(rnd)
    if rnd.void and said["void"] is None:
        said["void"] = void_by(faults or ()) or _thrown_in(rnd, said["fouls"])
    summary = {
        "version": VERSION,
        "round": rnd.number,
        "over": rnd.over,
        "ends": ends,
        "due": names[rnd.before["dealer"]],
        "dealer": names[rnd.dealer] if rules.deal["dealt"] else None,
        "leader": names[rnd.leader],
        "sat_out": [names[seat] for seat in range(len(names)) if seat not in rnd.seats],
        "roles": {
            role: {"side": label, "players": rnd.names_of(seats)}
            for role, (label, seats) in rnd.roles.items()
        },
        "sides": facts.pop("sides", None) or rnd.seated_sides(),
        "before": dict(zip(names, rnd.base, strict=True)),
        "changes": None if changes is None else dict(zip(names, changes, strict=True)),
        "tally": dict(zip(names, rnd.tally, strict=True)) if rnd.over else None,
        "lines": [{**line.as_json(), "label": _label(rnd, line)} for line in played.lines],
        "eliminated": eliminated(rnd, rnd.tally) if rnd.over else [],
        "facts": facts,
        "mistaken": bool(rnd.mistakes),
        **said,
        "found": [[number, finding.as_json()] for number, finding in _found(rnd, played)],
        "stuck": played.stuck,
        "ignored": played.ignored,
    }
    if faults is not None:
        summary["faults"] = faults
    if ROSTER in rnd.before:
        summary[ROSTER] = rnd.before[ROSTER]
    return {**summary, **outcome(rnd, summary), "counts": counts(rnd, summary)}


def is_current(summary: Plain) -> bool:
    """Whether what was kept as a round's summary is one as `summarize` makes it."""
    return isinstance(summary, dict) and summary.get("version") == VERSION and "round" in summary


def _found(rnd: Round, played: Played) -> Iterator[tuple[int, Finding]]:
    """What was found in a round, with the numbers of entries; that one cannot be comes last."""
    yield from rnd.log.all_found()
    if played.stuck:
        yield from (pair for pair in played.findings if pair[0] == played.stuck)


def _label(rnd: Round, line: Line) -> str:
    for row in rnd.rules.scores:
        if row.code == line.code:
            return row.label
    return line.code.rpartition(".")[2]


def eliminated(rnd: Round, tally: Sequence[int]) -> list[str]:
    """Who went out in a round after which that stands on the sheet."""
    is_out = rnd.rules.is_out
    return [
        name
        for name, base, left in zip(rnd.names, rnd.base, tally, strict=True)
        if is_out(left) and not is_out(base)
    ]


def _said(rnd: Round) -> Json:
    """What was said about the round itself, by the table words of its entries."""
    said: Json = {
        "result": None,
        "void": None,
        "fouls": [],
        "penalties": [],
        "notes": [],
        "decisions": [],
    }
    for entry in rnd.log.entries:
        if decision_of(entry):
            said["decisions"].append(entry.text)
        if not entry.counts:
            continue
        word, value = entry.verb.word, entry.value
        if word == "note":
            said["notes"].append(value)
        elif word == "void":
            said["void"] = value or word
        elif word == "result":
            said["result"] = ", ".join(" ".join(filter(None, pair)) for pair in value)
        elif word == "foul":
            said["fouls"].append(_about(rnd, value[0], value[1]))
        elif word == "penalty":
            what, why = value[1]
            said["penalties"].append(_about(rnd, value[0], f"{what} {why}".strip()))
    return said


def decision_of(entry: Entry) -> str:
    """The table's own decision on an entry: `stands`, `withdrawn` or ""."""
    return entry.decision if entry.decision in DECISIONS else ""


def _about(rnd: Round, seat: int, what: str) -> str:
    return f"{rnd.names[seat]}: {what}" if what else rnd.names[seat]


def _thrown_in(rnd: Round, fouls: Sequence[str]) -> str | None:
    """Why the round is void, where it is by a foul."""
    made = rnd.decisions.effects.values()
    void = any(each.foul >= 0 and each.ends and each.outcome == VOID for each in made)
    return f"foul of {fouls[-1]}" if void else None
