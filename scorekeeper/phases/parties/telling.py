"""What proves sides, and how they are told. Part of parties."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import Aside, accounted_for, listed, mark, plural, tr
from scorekeeper.core.sides import DECLARING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scorekeeper.core.sides import Parties
    from scorekeeper.core.types import Facts
    from scorekeeper.ruleset.joint import Joint

SOLOIST = "soloist"


def remark_proven(rnd: Joint, parties: Parties, seats: list[int], why: str, cite: str) -> None:
    """Note on which side these seats are, and what proves it."""
    names, side = rnd.names_of(seats), parties.names[parties.known[seats[0]] or DECLARING]
    facts = {"who": names, "side": side, "entry": len(rnd.entries()), "evidence": why}
    say = mark("{who} is {side}: {evidence}")
    if len(names) > 1:
        facts["names"], say = listed(names), mark("{names} are {side}: {evidence}")
    rnd.remark("parties.proven", say, facts, cite)


def remark_found_alone(rnd: Joint, parties: Parties, number: int, cite: str) -> None:
    """Who declared nothing of the kind turns out to play alone: note what that counts."""
    side = parties.names[DECLARING]
    (name,) = rnd.names_of(parties.members(DECLARING))
    facts: Facts = {"who": name, "side": side, "entry": number}
    facts["counts"] = rows = rnd.rules.labels_for(SOLOIST)
    if parties.by_cards:
        facts["why"] = tr("nobody else had {cards}", cards=cards_called(rnd, parties))
    else:
        facts["why"] = tr("nobody else won one of the first {within} tricks", within=parties.within)
    say = mark("{who} is {side} alone: {why}")
    if rows:
        say = mark("{who} is {side} alone: {why} ({counts})")
    cite = rnd.rules.section("parties")[side]["cite"] or cite
    rnd.remark("parties.alone", say, facts, cite)


def sentences(rnd: Joint) -> Iterator[str]:
    """Who is known to be on which side."""
    parties = rnd.require_parties()
    known = [(name, rnd.names_of(parties.members(side))) for side, name in enumerate(parties.names)]
    for name, players in known:
        if players:
            yield plural(
                "{names} is {side}",
                "{names} are {side}",
                len(players),
                names=listed(players),
                side=rnd.rules.said(name),
            )
    if any(players for _, players in known) and not parties.complete:
        rest = [rnd.names[seat] for seat in rnd.seats if parties.of(seat) is None]
        unknown = plural(
            "nobody knows yet which side {names} is on",
            "nobody knows yet which side {names} are on",
            len(rest),
            names=listed(rest),
        )
        yield Aside(unknown)


def cards_called(rnd: Joint, parties: Parties) -> str:
    """What the cards are called that make the sides."""
    pack = rnd.rules.pack
    kinds = dict.fromkeys(pack.kinds_in(parties.mask))
    return listed([pack.kinds[kind] for kind in kinds], "or")


def is_noted(rnd: Joint, parties: Parties, seat: int) -> bool:
    """Whether the side of a seat has been told."""
    name, side = rnd.names[seat], parties.names[parties.of(seat) or DECLARING]
    return any(
        facts.get("side") == side and isinstance(facts.get("who"), list) and name in facts["who"]
        for facts in rnd.facts_noted()
    )


def why_declaring(rnd: Joint, parties: Parties, seat: int) -> str:
    """What proves, with the last entry, that a seat is on the declaring side: a trick, a card, or
    counting."""
    if not parties.by_cards:
        name = rnd.names[parties.declarer]
        return tr(
            "the first to win a trick beside {name} (trick {number})",
            name=name,
            number=parties.found,
        )
    pack, entries = rnd.rules.pack, rnd.entries()
    seen: Iterable[int] = pack.kinds_in(rnd.hands.sure[seat] & parties.mask)
    if parties.shown[seat] and entries[-1].verb.cards:
        laid = rnd.rules.from_hand(entries[-1])
        seen = (kind for player, kinds in laid if player == seat for kind in kinds)
    for kind in seen:
        if parties.watch >> kind & 1:
            return f"{pack.kinds[kind]} ({len(entries)})"
    inside, outside = parties.unseen()
    cards, who = cards_called(rnd, parties), rnd.names[seat]
    unseen = plural(
        "only {count} card is unseen", "only {count} cards are unseen", inside + outside
    )
    return plural(
        "{unseen}, {inside} of them {cards}, and {count} is {who}'s",
        "{unseen}, {inside} of them {cards}, and {count} are {who}'s",
        rnd.hands.loose[seat] + parties.before[seat],
        unseen=unseen,
        inside=inside,
        cards=cards,
        who=who,
    )


def why_others(rnd: Joint, parties: Parties) -> str:
    """What proves that seats are not on the declaring side: who is, has been found."""
    if parties.by_cards:
        return accounted_for(parties.copies, cards_called(rnd, parties))
    name, *partner = rnd.names_of(
        sorted(parties.members(DECLARING), key=lambda seat: seat != parties.declarer)
    )
    if not partner:
        return tr("{name} has found no partner", name=name)
    return tr(
        "{partner} was the first to win a trick beside {name} (trick {number})",
        partner=partner[0],
        name=name,
        number=parties.found,
    )
