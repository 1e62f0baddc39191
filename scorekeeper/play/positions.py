"""Hands at the start of a round, by what was said of them.

What two facts say against one another, whatever may follow, is refused at once. What only does
not fit what was not said yet is a conflict (`Joint.conflict`), and another fact may mend it.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, TypeVar

from scorekeeper.core.errors import Impossible
from scorekeeper.core.messages import listed, mark, plural, times, tr
from scorekeeper.ruleset.shared import NOTHING_SAID

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scorekeeper.core.knowledge import Knowledge
    from scorekeeper.ruleset.joint import Joint
    from scorekeeper.ruleset.shared import Hand


H = TypeVar("H", bound="Hand")
MISTYPED = mark("look for what is mistyped: undo, or amend it")


def dealt(rnd: Joint) -> Knowledge:
    """Hands as they were entered; everyone else holds as many cards as the longest of them (as far
    as the pack has them), or as many as are dealt when none was."""
    from scorekeeper.core.knowledge import Knowledge  # dice have no hands to know

    knowledge = Knowledge(rnd.rules.pack, len(rnd.names))
    if rnd.start == NOTHING_SAID:
        size = rnd.rules.deal_size(len(rnd.seats))
        for seat in rnd.seats:
            knowledge.deal(seat, 0, size)
        return knowledge
    given, seen = _playing(rnd, rnd.start.hands), _playing(rnd, rnd.start.holds)
    if seen:
        _in_one_place(rnd, given, seen)
    counts = {seat: held if isinstance(held, int) else len(held) for seat, held in given.items()}
    others = _size_of_others(rnd, counts)
    try:
        for seat in rnd.seats:
            held = given.get(seat, 0)
            known = 0 if isinstance(held, int) else rnd.rules.pack.of(held)
            knowledge.deal(seat, known, counts.get(seat, others))
    except ValueError:
        _in_one_place(rnd, given, seen)
        raise
    for seat, kinds in seen.items():
        _see(rnd, knowledge, seat, kinds)
    if rnd.start.shown:
        knowledge.show_held(rnd.start.shown)
    return knowledge


def longest(rnd: Joint) -> int:
    """The longest hand that was given, or how many cards are dealt when none was."""
    given = rnd.start.hands
    counts = [held if isinstance(held, int) else len(held) for held in given.values()]
    if not any(counts) and len(counts) < len(rnd.seats):
        return rnd.rules.deal_size(len(rnd.seats))
    return max(counts)


def _playing(rnd: Joint, said: Mapping[int, H]) -> Mapping[int, H]:
    """What was said of the hands of those who play."""
    for seat in said:
        if seat not in rnd.seats:
            rnd.sits_out(seat, tr("holds no cards"))
    if len(rnd.seats) == len(rnd.names):
        return said
    return {seat: held for seat, held in said.items() if seat in rnd.seats}


def _in_one_place(
    rnd: Joint, given: Mapping[int, Hand], seen: Mapping[int, tuple[int, ...]]
) -> None:
    """Raise Impossible for cards that cannot be in all the hands in which they were said to be."""
    hands: dict[int, Sequence[int]] = {s: h for s, h in given.items() if not isinstance(h, int)}
    for seat, kinds in seen.items():
        count = given.get(seat)
        if isinstance(count, int) and len(kinds) > count:
            name = rnd.names[seat]
            raise Impossible(
                plural(
                    "{name} was seen with {count} card and cannot hold {held}",
                    "{name} was seen with {count} cards and cannot hold {held}",
                    len(kinds),
                    name=name,
                    held=count or tr("none"),
                ),
                tr(MISTYPED),
            )
        for kind in kinds:
            if kinds.count(kind) > hands.get(seat, kinds).count(kind):
                card, name = rnd.rules.pack.kinds[kind], rnd.names[seat]
                raise Impossible(
                    tr(
                        "{card} was seen in {name}'s hand, which is said to be without it",
                        card=card,
                        name=name,
                    ),
                    tr(MISTYPED),
                )
        hands.setdefault(seat, kinds)
    for kind in {kind for kinds in hands.values() for kind in kinds}:
        held = [rnd.names[seat] for seat, kinds in hands.items() for k in kinds if k == kind]
        if len(held) > rnd.rules.pack.copies:
            card, names = rnd.rules.pack.kinds[kind], listed(list(dict.fromkeys(held)))
            often, said = times(rnd.rules.pack.copies), times(len(held))
            raise Impossible(
                tr(
                    "the pack has {card} {often}, not {said}: {names}",
                    card=card,
                    often=often,
                    said=said,
                    names=names,
                ),
                tr(MISTYPED),
            )


def _size_of_others(rnd: Joint, counts: dict[int, int]) -> int:
    """How many cards each of those holds of whose hand nothing was said."""
    total, talon = rnd.rules.pack.total, rnd.start.stock or 0
    left = total - sum(counts.values()) - talon
    if left < 0:
        if talon:
            say = plural(
                "the hands' {count} card and the talon's {talon} come to more than the {total} of"
                " the pack",
                "the hands' {count} cards and the talon's {talon} come to more than the {total} of"
                " the pack",
                sum(counts.values()),
                talon=talon,
                total=total,
            )
        else:
            say = plural(
                "the hands' {count} card come to more than the {total} of the pack",
                "the hands' {count} cards come to more than the {total} of the pack",
                sum(counts.values()),
                total=total,
            )
        raise Impossible(
            say,
            tr(MISTYPED),
        )
    others = [rnd.names[seat] for seat in rnd.seats if seat not in counts]
    if not others:
        return 0
    wanted = longest(rnd)
    fits: int = min(wanted, left // len(others))
    if fits < wanted and (not any(counts.values()) or not fits):
        rnd.conflict(
            _too_few(others, wanted),
            "talon",
            "hand",
        )
    return fits


def _too_few(others: list[str], wanted: int) -> str:
    """That the pack has not so many cards left for each of these."""
    entry = f"hand {others[0]}: NUMBER"
    if len(others) == 1:
        return plural(
            "the pack has not {count} card left for {name} (how many: {entry})",
            "the pack has not {count} cards left for {name} (how many: {entry})",
            wanted,
            name=others[0],
            entry=entry,
        )
    return plural(
        "the pack has not {count} card left for {names} each (how many: {entry})",
        "the pack has not {count} cards left for {names} each (how many: {entry})",
        wanted,
        names=listed(others),
        entry=entry,
    )


def _see(rnd: Joint, knowledge: Knowledge, seat: int, kinds: tuple[int, ...]) -> None:
    """Cards were seen in a hand."""
    name = rnd.names[seat]
    if len(kinds) > knowledge.size(seat):
        rnd.conflict(
            plural(
                "{name} was seen with {count} card, and would hold {size} (how many: {entry})",
                "{name} was seen with {count} cards, and would hold {size} (how many: {entry})",
                len(kinds),
                name=name,
                size=knowledge.size(seat) or tr("none"),
                entry=f"hand {name}: NUMBER",
            ),
            "hand",
            "holds",
        )
        return
    for kind in set(kinds):
        knowledge.holds(seat, kind, kinds.count(kind))


def leads_with_cards(rnd: Joint, seat: int) -> None:
    """Who leads has a card to lead."""
    if not rnd.hands.size(seat):
        name = rnd.names[seat]
        rnd.conflict(
            tr("{name} leads and holds no cards (another: {entry})", name=name, entry="lead NAME"),
            "lead",
            "hand",
        )


def said_now(rnd: Joint, *words: str) -> bool:
    """Whether the fact that has just been said is one of these verbs'."""
    *_, entry = rnd.entries()
    return entry.verb.word in words


def holding(rnd: Joint) -> str:
    """Who holds how many cards, as a sentence: `everyone holds 11`."""
    size = rnd.hands.size
    groups = [
        (count, rnd.names_of(seats))
        for count, seats in groupby(sorted(rnd.seats, key=lambda seat: -size(seat)), size)
    ]
    if len(groups) == 1:
        count = groups[0][0]
        return tr("everyone holds {count}", count=count) if count else tr("everyone holds no cards")
    return ", ".join(
        plural(
            "{names} holds {cards}",
            "{names} hold {cards}",
            len(names),
            names=listed(names),
            cards=count or tr("no cards"),
        )
        for count, names in groups
    )
