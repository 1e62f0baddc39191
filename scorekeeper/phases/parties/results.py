"""A result that says who was on a side: whether that can be. Part of parties."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.messages import listed, mark, plural, tr
from scorekeeper.core.sides import ACCEPTED, ALONE, CARDS, DECLARING, NAMED, OTHERS, SEATS, TRICK
from scorekeeper.notation.syntax import seat_named
from scorekeeper.phases.parties.telling import SOLOIST

if TYPE_CHECKING:
    from scorekeeper.core.sides import Parties
    from scorekeeper.core.types import Facts
    from scorekeeper.ruleset.joint import Joint


def playing_seat(rnd: Joint, name: str) -> int:
    """The seat of a player who takes part. Raises Unreadable or Impossible for another name."""
    seat = seat_named(rnd.names, name)
    if seat not in rnd.seats:
        raise Impossible(tr("{who} sits out this round", who=rnd.names[seat]))
    return seat


def _most(rnd: Joint, parties: Parties) -> int:
    """The most players that the declaring side can be, by what makes the sides."""
    mode = parties.mode
    if mode == SEATS:
        return rnd.rules.side_size(len(rnd.seats))
    return {ALONE: 1, CARDS: parties.copies, NAMED: 1 + parties.copies}.get(mode, 2)


def check_sides(rnd: Joint, parties: Parties, seats: list[int]) -> None:
    """Raises Impossible if the declaring side cannot be these, by the contract and by what was
    recorded."""
    key, names = parties.names[DECLARING], listed(rnd.names_of(seats))
    for seat in rnd.seats:
        proven = parties.of(seat)
        if proven is not None and proven != (DECLARING if seat in seats else OTHERS):
            side = parties.names[proven]
            raise Impossible(
                tr(
                    "{who} is {side} by what was recorded, not as said",
                    who=rnd.names[seat],
                    side=side,
                )
            )
    most = _most(rnd, parties)
    if len(seats) > most:
        raise Impossible(
            plural(
                "{side} is one player in that contract, not {names}",
                "{side} is at most {count} players in that contract, not {names}",
                most,
                side=key,
                names=names,
            )
        )
    if parties.mode == ACCEPTED and len(seats) < most:
        raise Impossible(
            tr("{side} are two players in that contract, not {names} alone", side=key, names=names)
        )
    if parties.by_cards and sum(parties.dealt(s)[1] for s in seats) < parties.copies:
        raise Impossible(
            tr(
                "by what was recorded somebody else is {side} too, not {names} alone",
                side=key,
                names=names,
            )
        )
    if parties.mode == TRICK and parties.declarer >= 0 and parties.declarer not in seats:
        raise Impossible(
            tr("{who} declared it, so they are {side}", who=rnd.names[parties.declarer], side=key)
        )


def refuse_to_guess(rnd: Joint, parties: Parties) -> NoReturn:
    """Raises Unreadable: who is on a side is not guessed from who is proven to be so far."""
    key, known = parties.names[DECLARING], rnd.names_of(parties.members(DECLARING))
    first = known[0] if known else "NAME"
    say = tr("the result must say who is {side}", side=key)
    if known:
        say = tr("{message}; by what was recorded {names} so far", message=say, names=listed(known))
    hint = tr("{alone}, or {both}", alone=f"{key}={first}", both=f"{key}={first}+NAME")
    raise Unreadable(say, hint)


def remark_alone(rnd: Joint, parties: Parties, cite: str) -> None:
    """A partner may have been forgotten where one name is given: note what it was taken for,
    and what that costs."""
    pack, (seat,) = rnd.rules.pack, parties.members(DECLARING)
    cards = " ".join(pack.kinds[kind] for kind in pack.kinds_in(parties.mask))
    rows = rnd.rules.labels_for(SOLOIST)
    facts: Facts = {
        "who": rnd.names[seat],
        "side": parties.names[DECLARING],
        "counts": rows,
    }
    if parties.by_cards:
        facts["cards"] = cards
        say = mark(
            "{who} is taken to have held {cards} and to be {side} alone ({counts}); with a"
            " partner it is {side}={who}+NAME"
        )
    else:
        say = mark(
            "{who} is taken to have found no partner and to be {side} alone ({counts}); with a"
            " partner it is {side}={who}+NAME"
        )
    rnd.remark("parties.alone", say, facts, cite)
