"""A result that this table could enter now: for who is told what the form of one is."""

from __future__ import annotations

from itertools import combinations, islice, product
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scorekeeper.match.match import Match

RESULT = "result"
TRIED = 1_500  # texts that are judged, at most
NUMBERS = (100, 10, 1, 0)  # what might be told where a number is asked for


def result_line(match: Match, typed: str = "") -> str:
    """A result that would be accepted now, with these players; "" where none is found. What of
    the `typed` one may stay is kept, so that it reads as that one put right."""
    rnd = match.now
    fields = rnd.rules.concluding.fields(rnd)
    said = _said(typed)
    values = {key: _values(said.get(key, ""), words, match) for key, _, words in fields}
    for text in islice(_texts(values, said), TRIED):
        try:
            ruling = match.judge(text)
        except Failure:
            continue
        if ruling.verdict == "legal" and not ruling.findings:
            return ruling.entry
    return ""


def _said(typed: str) -> dict[str, str]:
    """What a result says, by its keys, as far as that can be told."""
    found: dict[str, str] = {}
    key = ""
    for word in typed.split()[1:]:
        before, sign, value = word.partition("=")
        if sign:
            key = before
            found[key] = value
        elif key:
            found[key] += f" {word}"
    return found


def _values(typed: str, words: Sequence[str], match: Match) -> list[str]:
    """What might stand behind a key: what was typed, and then the first of what is possible."""
    possible = [str(number) for number in NUMBERS]
    if list(words) == match.players:
        possible = ["+".join(words[:2]), words[0], words[-1]]
    elif words:
        possible = [words[0], words[-1]]
    return list(dict.fromkeys([*filter(None, [typed]), *possible]))


def _texts(values: Mapping[str, Sequence[str]], said: Mapping[str, str]) -> Iterator[str]:
    """Results to try: those with all the keys that were said first, then those with few."""
    chosen = [keys for number in range(1, len(values) + 1) for keys in combinations(values, number)]
    for keys in sorted(chosen, key=lambda keys: sum(key not in keys for key in said)):
        for found in product(*(values[key] for key in keys)):
            pairs = (f"{key}={value}" for key, value in zip(keys, found, strict=True))
            yield f"{RESULT} {' '.join(pairs)}"
    for key in values:  # said alone
        yield f"{RESULT} {key}"
