"""What is known of the hands, for people: `status --known`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import plural, tr

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.core.types import Json


def known_lines(known: Json) -> Iterator[str]:
    """What is known of each hand, a line each, then the cards that nobody has located, by class."""
    unseen: dict[str, list[str]] = known["unseen"]
    places = {**known["hands"], tr("in no hand"): known["nobody"]}
    unknown = [_none_of(place) for place in places.values() if place["may"]]
    nowhere = [name for name in (unknown or [[]])[0] if all(name in other for other in unknown)]
    yield tr("what is certain of the hands:")
    for name, place in places.items():
        if place["cards"] or place is not known["nobody"]:
            yield f"  {name}: {_told(place, unseen, nowhere)}"
    if nowhere:
        yield f"  {tr('accounted for: {sets}', sets=', '.join(nowhere))}"
    if unseen:
        yield tr("unseen ({number}):", number=sum(map(len, unseen.values())))
        for name, cards in unseen.items():
            yield f"  {name}: {' '.join(cards)}"


def _none_of(place: Json) -> list[str]:
    return [each["set"] for each in place["sets"] if not each["most"]]


def _told(place: Json, unseen: dict[str, list[str]], nowhere: list[str]) -> str:
    """How many cards lie in a place, which, and what the rest may be; that none are of the sets
    that are `nowhere` goes without saying."""
    parts = [plural("{count} card", "{count} cards", place["cards"])]
    if place["sure"]:
        parts.append(tr("surely {cards}", cards=" ".join(place["sure"])))
    parts += [_bounded(each) for each in place["sets"] if each["set"] not in nowhere]
    if place.get("aside"):
        parts.append(tr("{number} more laid aside, nobody knows which", number=place["aside"]))
    if place["may"] and _every_kind(place["may"]) != _every_kind(unseen):
        cards = "; ".join(f"{name} {' '.join(codes)}" for name, codes in place["may"].items())
        parts.append(tr("perhaps {cards}", cards=cards))
    elif place["may"]:
        rest = place["cards"] - len(place["sure"])
        if rest > 0:
            parts.append(tr("the rest unseen") if place["sure"] else tr("all unseen"))
    return ", ".join(filter(None, parts))


def _bounded(bounded: Json) -> str:
    if not bounded["most"]:
        return tr("no {set}", set=bounded["set"])
    return tr("at least {least} of {set}", least=bounded["least"], set=bounded["set"])


def _every_kind(cards: dict[str, list[str]]) -> set[str]:
    return {code for codes in cards.values() for code in codes}
