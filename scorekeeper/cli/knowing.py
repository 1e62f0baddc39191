"""What is known of the hands, for people: `status --known`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.english import number_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.core.plain import Json


def known_lines(known: Json) -> Iterator[str]:
    """What is known of each hand, a line each, then the cards that nobody has located, by class."""
    unseen: dict[str, list[str]] = known["unseen"]
    yield "what is certain of the hands:"
    for name, hand in known["hands"].items():
        yield f"  {name}: {_told(hand, unseen)}"
    if known["nobody"]["cards"]:
        yield f"  in no hand: {_told(known['nobody'], unseen)}"
    if unseen:
        yield f"unseen ({sum(map(len, unseen.values()))}):"
        for name, cards in unseen.items():
            yield f"  {name}: {' '.join(cards)}"


def _told(place: Json, unseen: dict[str, list[str]]) -> str:
    """How many cards lie in a place, which, and what the rest may be."""
    parts = [number_of(place["cards"], "card")]
    if place["sure"]:
        parts.append(f"surely {' '.join(place['sure'])}")
    parts += [_bounded(each) for each in place["sets"]]
    if place.get("aside"):
        parts.append(f"{place['aside']} more laid aside, nobody knows which")
    if place["may"] and _every_kind(place["may"]) != _every_kind(unseen):
        cards = "; ".join(f"{name} {' '.join(codes)}" for name, codes in place["may"].items())
        parts.append(f"perhaps {cards}")
    elif place["may"]:
        rest = place["cards"] - len(place["sure"])
        parts.append(f"{'the rest' if place['sure'] else 'all'} unseen" if rest > 0 else "")
    return ", ".join(filter(None, parts))


def _bounded(bounded: Json) -> str:
    if not bounded["most"]:
        return f"no {bounded['set']}"
    return f"at least {bounded['least']} of {bounded['set']}"


def _every_kind(cards: dict[str, list[str]]) -> set[str]:
    return {code for codes in cards.values() for code in codes}
