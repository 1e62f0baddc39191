"""A check that the reasons for refusals are true, by random play.

For each refusal, the ruleset is tried without each of its clauses. Without a clause that it
names, the ruling must change; without any other clause, its verdict and its codes must stay. The
entries that a refusal lists as legal depend on all clauses, so they are not compared. A clause is
not tried where the play itself would have gone on differently without it.

`python -m tests.reasons RULINGS` tries so many refusals of all shipped rulesets, and prints
the counts and every exception.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from scorekeeper import Failure, Match
from scorekeeper.engine.ruleset import Ruleset
from tests.helpers import SHIPPED
from tests.random_play import evening, rules_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    Findings = tuple[str, tuple[tuple[str, str, str], ...]]

TRIES = 12  # entries that are tried in each state


class Refusal(NamedTuple):
    """A refusal, and the clauses whose absence contradicts it.

    `unneeded` are named clauses without which the ruling is the same. `unnamed` are other clauses
    without which it differs.
    """

    ruleset: str
    before: tuple[str, ...]
    entry: str
    reasons: tuple[str, ...]
    unneeded: tuple[str, ...]
    unnamed: tuple[str, ...]


def without(name: str, clause: str) -> Ruleset:
    """Return a shipped ruleset without one of its clauses."""
    data = dict(rules_of(name).data)
    data["clauses"] = {row: data["clauses"][row] for row in data["clauses"] if row != clause}
    return Ruleset(data)


def refusals(name: str, seed: int) -> Iterator[Refusal]:
    """Yield refusals of random entries in the states of a random evening."""
    played, chance = evening(name, seed), Random(f"{name} {seed}")
    clauses = list(rules_of(name).clauses)
    matches = {row: Match(without(name, row), played.names) for row in clauses}
    match = Match(rules_of(name), played.names)
    said: list[str] = []
    for entry in played.all():
        if entry.illegal:
            return
        for text in candidates(match, chance):
            whole = judged(match, text)
            if whole[0] != "illegal":
                continue
            named = {code for code, _, _ in whole[1]}
            rows = rules_of(name).clauses
            changed = {
                row
                for row in clauses
                if waiting(matches[row]) == waiting(match)
                and codes(judged(matches[row], text)) != codes(whole)
            }
            of = {row for row in clauses if rows[row].code in named}
            of = {row for row in of if waiting(matches[row]) == waiting(match)}
            if not (of or changed):
                continue  # it is not the player's turn, or it is no time for this
            yield Refusal(
                name,
                tuple(said),
                text,
                tuple(f"{reason} ({code})" for code, _, reason in whole[1]),
                tuple(sorted(of - changed)),
                tuple(sorted(changed - of)),
            )
        try:
            for each in (match, *matches.values()):
                each.record(entry.known)
        except Failure:
            return
        said.append(entry.known)


def candidates(match: Match, chance: Random) -> Iterator[str]:
    """Yield entries that may be legal or not: acts that phases offer, and cards of the pack."""
    rules, rnd = match.ruleset, match.live_round
    verbs = [verb for verb, entry_type in rules.entry_types.items() if entry_type.plays_cards]
    offers = [
        match.notation.write(entry).text.partition(": ")[2]
        for phase in rules.phases.values()
        if phase.entry_types and (phase.offers_early or rnd.is_current(phase))
        for entry in phase.options(rnd)
        if entry.seat is not None and "…" not in match.notation.write(entry).text
    ]
    for _ in range(TRIES):
        due = [match.players[seat] for seat in rnd.waiting()]
        who = chance.choice(due if due and chance.random() < 0.7 else match.players)
        if offers and chance.random() < 0.5:
            yield f"{who}: {chance.choice(offers)}"
        elif rules.pack.kinds:
            cards = chance.choice((1, 1, 1, 2, 3))
            verb = chance.choice(verbs)
            text = " ".join(chance.choice(rules.pack.kinds) for _ in range(cards))
            yield f"{who}: {verb} {text}"
        elif "number" in rules.entry_types:
            yield f"{who}: {chance.choice((chance.randint(-30, 200), 100_000))}"
        elif "fill" in rules.entry_types:
            fill = rules.entry_types["fill"]
            (filled,) = fill.syntax.sample(chance, match.notation)
            yield f"{who}: {fill.syntax.write(filled, match.notation)}"
        else:
            yield f"{who}: {chance.randint(0, 12)}x{chance.randint(1, 6)}"


def judged(match: Match, text: str) -> Findings:
    """Return the verdict and the findings on an entry."""
    try:
        ruling = match.judge(text)
    except Failure as failure:
        return ("no entry", ((failure.message, "", ""),))
    return (
        ruling.verdict,
        tuple((each.code, each.verdict, each.reason) for each in ruling.findings),
    )


def waiting(match: Match) -> object:
    """Return the players to act, and in which phases. A clause also decides when a phase ends."""
    rnd = match.live_round
    current = [name for name, phase in match.ruleset.phases.items() if rnd.is_current(phase)]
    return rnd.waiting(), current


def codes(findings: Findings) -> object:
    """Return the verdict with the codes of the findings and their verdicts."""
    return findings[0], [(code, verdict) for code, verdict, _ in findings[1]]


def main(wanted: int) -> None:
    counts: dict[str, int] = {}
    wrong = 0
    for seed in range(1, 1000):
        for name in SHIPPED:
            with suppress(StopIteration):
                for number, refusal in enumerate(refusals(name, seed)):
                    counts[name] = counts.get(name, 0) + 1
                    if refusal.unneeded or refusal.unnamed:
                        wrong += 1
                        print(refusal)
                    if number > wanted // 100:
                        break
        if sum(counts.values()) >= wanted:
            break
    print(f"{sum(counts.values())} refusals, {wrong} with untrue reasons: {counts}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 10_000)
