"""Pairs of matches that differ in entered hands, but not in anything that a player saw.

A pair is made of one evening. Cards that no player has played by the end change hands in the
entries. All else stays as it is, as far as it is possible, with the table's decisions.
"""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from scorekeeper import Failure, Match
from scorekeeper.match.public import redact
from tests.random_play import Evening, rules_of

if TYPE_CHECKING:
    from collections.abc import Sequence

DECISIONS = ("stands", "withdrawn")


class Pair(NamedTuple):
    """Two matches under one ruleset, as their entries."""

    ruleset: str
    names: list[str]
    one: list[str]
    other: list[str]


def pair_of(name: str, seed: int, most: int, *, wrong: float = 0.08, swaps: int = 4) -> Pair | None:
    """Return a pair from an evening of that many entries, or None if no card could change hands."""
    evening = Evening(name, seed, full=True, wrong=wrong, result=0.0).play(3, most)
    texts = [said.known for said in evening.all() if said.known]
    luck = Random(f"{name} {seed} {most}")
    one, other = texts, list(texts)
    changed = False
    for _ in range(swaps * 6):
        tried = _swapped(name, evening.names, other, luck)
        if tried is None:
            continue
        found = _decided(name, evening.names, one, tried)
        if found is not None:
            one, other = found
            changed = True
    return Pair(name, evening.names, one, other) if changed else None


def _swapped(name: str, names: Sequence[str], texts: list[str], luck: Random) -> list[str] | None:
    """Return the entries after swapping two unseen cards of two players, or None if none can be."""
    notation = Match(rules_of(name), names).notation
    secret = [at for at, text in enumerate(texts) if redact(text, notation) != text]
    if len(secret) < 2:
        return None
    first, second = luck.sample(secret, 2)
    cards = [
        [token for token in texts[at].split() if notation.is_card(token)] for at in (first, second)
    ]
    if not all(cards):
        return None
    mine, theirs = luck.choice(cards[0]), luck.choice(cards[1])
    if mine == theirs:
        return None
    changed = list(texts)
    changed[first] = _put(texts[first], mine, theirs)
    changed[second] = _put(texts[second], theirs, mine)
    return changed


def _put(text: str, card: str, other: str) -> str:
    words = text.split()
    words[words.index(card)] = other
    return " ".join(words)


def _decided(
    name: str, names: Sequence[str], one: list[str], other: list[str]
) -> tuple[list[str], list[str]] | None:
    """Return both lists with a decision on each entry that either match refuses.

    Return None if the matches differ in public facts.
    """
    first, second = Match(rules_of(name), names), Match(rules_of(name), names)
    found: tuple[list[str], list[str]] = ([], [])
    for mine, theirs in zip(one, other, strict=True):
        for decision in ("", *DECISIONS):
            texts = [
                f"{text} !{decision}" if decision and "!" not in text else text
                for text in (mine, theirs)
            ]
            if _may(first, texts[0]) and _may(second, texts[1]):
                break
        else:
            return None
        try:
            first.record(texts[0])
            second.record(texts[1])
        except Failure:
            return None
        found[0].append(texts[0])
        found[1].append(texts[1])
        if _announced(first) != _announced(second):
            return None
    return found


def _may(match: Match, text: str) -> bool:
    with suppress(Failure):
        return not match.judge(text).refused or "!" in text
    return False


def _announced(match: Match) -> object:
    """Return the part of the rounds' reports that does not depend on entered hands."""
    rounds = [
        (
            p.over,
            p.scores if p.over else None,
            [line.as_json() for line in p.lines] if p.over else None,
        )
        for p in match.rounds
    ]
    return rounds, match.over, match.current_round.number if not match.over else 0
