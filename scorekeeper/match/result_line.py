"""A search for a `result` entry that could be recorded now, as an example of the expected form."""

from __future__ import annotations

from contextlib import suppress
from itertools import chain, combinations, islice, product
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scorekeeper.match.match import Match

RESULT = "result"
MAX_LINES = 50  # maximum number of results to judge that are written without keys
MAX_TRIED = 1_500  # maximum number of results with keys to judge
SAMPLE_NUMBERS = (100, 10, 1, 0)  # values to try for a key that takes a number


def find_result(match: Match, typed: str = "") -> str:
    """Return a result that would be accepted now, or "" if every result that was tried is refused.

    If possible, keys and values are taken from the `typed` result, so that the new result looks
    like a correction of it.
    """
    rnd = match.current_round
    fields = rnd.result_fields()
    typed_values = _parse_result(typed)
    line = match.notation.lexicon.line_form
    lines = () if line is None or typed_values else line.syntax.example_lines(match.notation)
    values = {key: _values(typed_values.get(key, ""), words, match) for key, _, words in fields}
    # The first word of a list, such as a contract, is the ordinary case. It makes a better example
    # than a word that needs fewer keys.
    firsts = {
        key: _values(typed_values.get(key, ""), words[:1], match)
        if words and words != match.players
        else values[key]
        for key, _, words in fields
    }
    for text in islice(lines, MAX_LINES):
        with suppress(Failure):
            ruling = match.judge(text)
            if ruling.verdict == "legal":
                return ruling.entry
    texts = chain(
        islice(_candidates(firsts, typed_values), MAX_TRIED // 3),
        islice(_candidates(values, typed_values), MAX_TRIED),
    )
    for text in texts:
        try:
            ruling = match.judge(text)
        except Failure:
            continue
        if ruling.verdict == "legal" and not ruling.findings:
            return ruling.entry
    return ""


def _parse_result(typed: str) -> dict[str, str]:
    """Return the values of a typed result by key."""
    values: dict[str, str] = {}
    key = ""
    for word in typed.split()[1:]:
        before, sign, value = word.partition("=")
        if sign:
            key = before
            values[key] = value
        elif key:
            values[key] += f" {word}"
    return values


def _values(typed: str, words: Sequence[str], match: Match) -> list[str]:
    """Return the values to try for a key: the typed value first, then some possible values."""
    possible = [str(number) for number in SAMPLE_NUMBERS]
    if list(words) == match.players:
        possible = ["+".join(words[:2]), words[0], words[-1]]
    elif words:
        possible = [words[0], words[-1]]
    return list(dict.fromkeys([*filter(None, [typed]), *possible]))


def _candidates(values: Mapping[str, Sequence[str]], typed: Mapping[str, str]) -> Iterator[str]:
    """Yield results to try, starting with results that contain all typed keys and few other
    keys."""
    chosen = [keys for number in range(1, len(values) + 1) for keys in combinations(values, number)]
    for keys in sorted(chosen, key=lambda keys: sum(key not in keys for key in typed)):
        for chosen_values in product(*(values[key] for key in keys)):
            pairs = (f"{key}={value}" for key, value in zip(keys, chosen_values, strict=True))
            yield f"{RESULT} {' '.join(pairs)}"
    for key in values:  # a key may need no value
        yield f"{RESULT} {key}"
