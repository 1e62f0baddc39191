"""A long list of what may be done, in few lines for people: whoever may do the same, and what
differs in a card, a suit or a number only, stand together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import listed, plural, tr
from scorekeeper.core.text import filled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scorekeeper.notation import Entry, Notation

SHORT = 20  # entries that are told one by one; and lines of a list that is longer
WIDTH = 80


def grouped(entries: Sequence[Entry], notation: Notation) -> list[str]:
    """The entries in lines that are not many: one by one where they are few. A line with several
    says who, the word, and what may follow it, with `|` between."""
    if len(entries) <= SHORT:
        return [f"  {entry.text}" for entry in entries]
    whole = plural("{count} entry", "{count} entries", len(entries))
    total = tr("{entries} in all; one by one: legal --all", entries=whole)
    bare = _without_words(entries)
    if len(bare) <= SHORT:
        return [*(f"  {entry.text}" for entry in bare), total]
    alike: dict[tuple[tuple[str, ...], ...], list[str]] = {}
    for name, own in _by_name(entries).items():
        alike.setdefault(tuple(_acts(own, notation)), []).append(name)
    lines: list[str] = []
    for acts, names in alike.items():
        who = listed(names, tr("or"))
        for *parts, last in acts:
            told = [*(f"{part} |" for part in parts), last]
            told[0] = f"  {who}: {told[0]}" if who else f"  {told[0]}"
            lines += filled(told, WIDTH, "    ", " ")
    most = SHORT - 1
    shown = lines if len(lines) <= most else [*lines[: most - 1], "  …"]
    return [*shown, total]


def _without_words(entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries without what only adds a word to another one: a wish that a call raises,
    a contract with an option."""
    texts = {entry.text for entry in entries}
    return [
        entry for entry in entries if entry.verb.cards or entry.text.rpartition(" ")[0] not in texts
    ]


def _by_name(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """The entries by whose they are, as they come; "" for the table's."""
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        name, colon, _ = entry.text.partition(": ")
        found.setdefault(name if colon and not entry.verb.table else "", []).append(entry)
    return found


def _acts(entries: Iterable[Entry], notation: Notation) -> Iterator[tuple[str, ...]]:
    """What one player may do, in lines of several: each word once with all that may follow it."""
    words: dict[str, list[Entry]] = {}
    for entry in entries:
        words.setdefault(entry.verb.word, []).append(entry)
    single = [_act(alike[0]) for alike in words.values() if len(alike) == 1]
    for alike in words.values():
        if len(alike) > 1:
            yield from _one_word(alike, notation)
    if single:
        yield tuple(single)


def _one_word(entries: list[Entry], notation: Notation) -> Iterator[tuple[str, ...]]:
    verb = entries[0].verb
    least = _least(entries) if verb.implicit and not verb.cards else []
    if least:
        *first, last = map(_act, least)
        yield *first, tr("{bid}, or more of the same", bid=last)
        return
    parts: dict[str, list[Entry]] = {}
    for entry in entries:
        parts.setdefault(_suit(entry, notation) if verb.cards else "", []).append(entry)
    for part in parts.values():
        yield _shortened([_act(entry) for entry in part])


def _act(entry: Entry) -> str:
    return entry.text if entry.verb.table else entry.text.partition(": ")[2]


def _shortened(acts: Sequence[str]) -> tuple[str, ...]:
    """Acts with the words that they all begin with, but for the last of each, said once."""
    first, *others = (act.split(" ") for act in acts)
    most = min(len(words) for words in (first, *others)) - 1
    same = 0
    while same < most and all(words[same] == first[same] for words in others):
        same += 1
    return acts[0], *(" ".join(words[same:]) for words in others)


def _least(entries: list[Entry]) -> list[Entry]:
    """Of bids of so many of a kind the lowest of each kind, where every higher number of it up to
    the same one may be bid too; else none."""
    kinds: dict[object, list[tuple[int, Entry]]] = {}
    for entry in entries:
        value = entry.value
        if not (isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], int)):
            return []
        kinds.setdefault(value[1], []).append((value[0], entry))
    found = [sorted(bids, key=lambda bid: bid[0]) for bids in kinds.values()]
    top = max(bids[-1][0] for bids in found)
    if any([number for number, _ in bids] != list(range(bids[0][0], top + 1)) for bids in found):
        return []
    return [bids[0][1] for bids in found]


def _suit(entry: Entry, notation: Notation) -> str:
    """The suit of the cards of an act, "" for what has none: cards stand together by it."""
    value = entry.value
    kinds = set(value) if isinstance(value, tuple) else {value}
    number = entry.verb.syntax.is_number(value) and not entry.verb.implicit
    if number or not all(isinstance(kind, int) for kind in kinds):
        return ""
    pack = notation.lexicon.pack
    suits = {pack.kinds[kind][-1] for kind in kinds}
    suit = suits.pop() if len(suits) == 1 else ""
    return suit if suit in pack.suits else ""
