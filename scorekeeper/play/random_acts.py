"""What a player who plays at random might say: acts that a phase offers, and wrong ones."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from scorekeeper.notation import Entry
from scorekeeper.notation.syntax import Cards, Nothing, Who
from scorekeeper.play.legal import REST
from scorekeeper.ruleset.phase import BID
from scorekeeper.ruleset.turned_off import sayable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorekeeper.core.types import Luck
    from scorekeeper.notation import Notation
    from scorekeeper.notation.entry import Verb
    from scorekeeper.play.round import Round
    from scorekeeper.ruleset.vocabulary import AnyPhase

MOST_OFFERED = 600  # acts of a phase that are looked at; beyond, cards are chosen by chance
MOST_CARDS = 3  # in a wrong act
GIVEN, LEFT_OUT = 0.8, 0.2  # how often a key of a result is said, and one that may be empty
MANY, FEW = 0.6, 11  # how often a number is of points; else it counts something
TRIES = 60  # choices of several cards, before all are listed


# --- what phases offer


def offered(phase: AnyPhase, rnd: Round) -> list[Entry]:
    """What somebody might do in a phase now; the first of it, where it is very much."""
    return list(islice(sayable(phase.options(rnd), rnd.rules.off), MOST_OFFERED))


def in_random_order(entries: list[Entry], luck: Luck) -> Iterator[Entry]:
    """All of them, each picked when it is asked for."""
    left = len(entries)
    while left:
        chosen, left = luck.randint(0, left - 1), left - 1
        entries[chosen], entries[left] = entries[left], entries[chosen]
        yield entries[left]


def by_verb(entries: list[Entry], luck: Luck, bold: float) -> Iterator[Entry]:
    """All of them, one verb after the other in random order; who is not `bold` says the usual,
    which a phase offers first, where it is not about cards."""
    verbs: dict[Verb, list[Entry]] = {}
    for entry in entries:
        verbs.setdefault(entry.verb, []).append(entry)
    for verb in luck.sample(list(verbs), len(verbs)):
        if verb.cards or luck.random() < bold:
            yield from in_random_order(verbs[verb], luck)
        else:
            yield from verbs[verb]


def leaves_open(entry: Entry, notation: Notation) -> bool:
    """Whether an act stands for cards that it does not list, or only says how many they are."""
    if entry.verb.cards and entry.verb.syntax.is_number(entry.value):
        return True
    return REST in entry.verb.syntax.show(entry.value, notation)


# --- several cards


def hand_of(rnd: Round, seat: int | None) -> list[int]:
    """The cards that surely are in a hand (kinds, one for each card)."""
    if seat is None or seat < 0 or not rnd.has_hands:
        return []
    return rnd.rules.pack.kinds_in(rnd.hands.sure[seat])


def some_cards(
    verb: Verb, seat: int, rnd: Round, entries: Sequence[Entry], luck: Luck
) -> Iterator[Entry]:
    """Cards of the actor's by chance, again and again: as many as another of these acts has, or
    says."""
    hand = hand_of(rnd, seat)
    sizes = {
        len(entry.value) if isinstance(entry.value, tuple) else int(entry.value)
        for entry in entries
        if entry.verb is verb and entry.seat == seat and isinstance(entry.value, (tuple, int))
    } - {0}
    fit = sorted(size for size in sizes if size <= len(hand)) or list(range(1, len(hand) + 1))
    for _ in range(TRIES if fit else 0):
        yield Entry(verb, seat, tuple(sorted(luck.sample(hand, luck.choice(fit)))))


# --- wrong acts


def wrong_act(
    verb: Verb, rnd: Round, notation: Notation, heard: Sequence[Entry], luck: Luck
) -> Entry | None:
    """An act of that verb, or a fact, that nobody has looked at: mostly of whose turn it is, with
    cards of theirs or any, or with something that was `heard` before. None where there is
    nothing to say."""
    waiting = rnd.waiting() or rnd.seats
    seat = None if verb.table else luck.choice(waiting if luck.random() < 0.7 else rnd.seats)
    if heard and luck.random() < 0.5:
        return Entry(verb, seat, luck.choice(heard).value)
    hand = hand_of(rnd, seat)
    if isinstance(verb.syntax, Cards) and hand and luck.random() < 0.5:
        number = min(len(hand), luck.randint(verb.syntax.least, max(verb.syntax.least, MOST_CARDS)))
        return Entry(verb, seat, tuple(luck.sample(hand, number)))
    values = verb.syntax.sample(luck, notation) or [entry.value for entry in heard]
    return Entry(verb, seat, luck.choice(values)) if values else None


def may_happen(verb: Verb) -> bool:
    """Whether such an entry may well happen: a foul, a fact of the start that fits any deal, or
    what is played where nobody bids."""
    if verb.fact:
        return verb.about == BID or isinstance(verb.syntax, (Who, Nothing))
    return verb.aside and not verb.late


# --- results


def some_result(rnd: Round, luck: Luck) -> str:
    """A result as a table might enter it, by the keys and words that the phases name; "" where
    this game takes none."""
    fields = rnd.rules.concluding.fields(rnd)
    if not fields:
        return ""
    said = []
    for key, what, words in fields:
        if luck.random() > (LEFT_OUT if "empty" in what else GIVEN):
            continue
        if words:
            several = "+" in what and len(words) > 1 and luck.random() < 0.5
            said.append(f"{key}={'+'.join(luck.sample(words, 1 + several))}")
        else:
            number = luck.randint(0, 60) * 5 if luck.random() < MANY else luck.randint(0, FEW)
            said.append(key if luck.random() < 0.1 else f"{key}={number}")
    return f"result {' '.join(said)}" if said else ""
