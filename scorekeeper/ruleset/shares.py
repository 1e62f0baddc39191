"""Whether a ruleset's cards and sides can be shared out among its players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core import untrusted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.core.types import Row
    from scorekeeper.ruleset.compiled import Ruleset


def counts(players: Row) -> list[int]:
    """The numbers of players that a ruleset is for."""
    most = min(players["most"], untrusted.PLAYERS)
    found = players["counts"] or range(players["least"], most + 1)
    return [count for count in found if players["least"] <= count <= most]


def playing(rules: Ruleset, count: int) -> int:
    """How many of so many players take part in a round."""
    return count - len({step % count for step in rules.deal["sits_out"].get(str(count), ())})


def check_shares(rules: Ruleset) -> None:
    """Report what cannot be shared out: sides among players, and cards among those who play."""
    known = counts(rules.players)
    if not known:
        least, most = rules.players["least"], rules.players["most"]
        message = "players: no number of players is left"
        rules.fault("players", f"{least} to {most}", "at least one number", message)
    number, wrong = rules.sides["number"], []
    for count in known:
        if number and count % number:
            wrong.append(count)
    if wrong:
        message = f"{_listed(wrong)} players do not make {number} sides"
        allowed = "a number that divides them, or players.counts without them"
        rules.fault("sides.number", str(number), allowed, message)
    for key, found, allowed, message in _deals(rules, known):
        rules.fault(key, found, allowed, message)


def check_start(rules: Ruleset) -> None:
    """Report tallies that no match can begin with, for some number of players."""
    tally = rules.tally
    least, most = tally["least"] + (1 if tally["out"] else 0), tally["most"]
    for count in counts(rules.players):
        start = rules.numbers.start(count)
        if not least <= start <= most:
            message = f"tally.start: {count} players cannot begin with {start}"
            allowed = f"from {least} to {most}, by tally.least and tally.most"
            rules.fault("tally.start", str(start), allowed, message)
            return


def _deals(rules: Ruleset, known: list[int]) -> Iterator[tuple[str, str, str, str]]:
    """What is wrong with how cards are dealt, and who plays, in the words of a fault."""
    alone, uneven, short = [], [], []
    total = rules.pack.total
    for count in known:
        seats = playing(rules, count)
        kitty = rules.kitty_size(seats)
        if seats < min(2, count):
            alone.append(count)
        elif total and kitty and (kitty > total or (total - kitty) % seats):
            uneven.append(seats)
        elif total and not 0 < rules.deal_size(seats) * seats <= total:
            short.append(seats)
    if alone:
        message = f"of {_listed(alone)} players fewer than two play"
        yield "deal.sits_out", message, "at least two who play", message
    if uneven:
        kitty = rules.kitty_size(uneven[0])
        left = f"{total - kitty} of {total} cards"
        message = f"{left} cannot be shared evenly by {_listed(uneven)} players"
        yield "deal.kitty", f"a kitty of {kitty}", "a kitty that lets them share", message
    if short:
        size = rules.deal_size(short[0])
        message = f"{size} cards for each of {_listed(short)} players, of {total} cards"
        found = f"{size * short[0]} cards"
        yield "deal.cards", found, f"from 1 to {total} cards in all", message


def _listed(found: list[int]) -> str:
    """The numbers in words; of many, the first ones."""
    distinct = sorted(set(found))
    said = [str(number) for number in distinct[:5]]
    if len(distinct) > 5:
        return f"{', '.join(said)} or more"
    return said[0] if len(said) == 1 else f"{', '.join(said[:-1])} or {said[-1]}"
