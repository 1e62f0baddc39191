"""Whether a ruleset's pack can be made and shared out, before anything is built."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scorekeeper.core import limits
from scorekeeper.core.suggest import shown
from scorekeeper.ruleset.orders import SUIT_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scorekeeper.ruleset.schema import Report

SUIT_LETTERS = " ".join(SUIT_NAMES)
_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")


def check_pack(row: Mapping[str, Any], report: Report) -> None:
    """Report ranks, suits and jokers of which no pack can be made, and a pack that is too large."""
    ranks, suits = row["ranks"].split(), row["suits"].split()
    for rank in ranks:
        if not (_LETTERS.issuperset(rank) and len(rank) <= limits.RANK_NAME):
            allowed = f"1 to {limits.RANK_NAME} capital letters or digits"
            report("pack.ranks", shown(rank), allowed, f"pack.ranks: a rank is {allowed}")
    for suit in suits:
        if suit not in SUIT_NAMES:
            message = f"pack.suits: suits are of {SUIT_LETTERS}"
            report("pack.suits", shown(suit), SUIT_LETTERS, message)
    for joker in row["jokers"]:
        if not (_LETTERS.issuperset(joker) and 2 <= len(joker) <= 10) or joker[-1] in SUIT_NAMES:
            allowed = f"2 to 10 capital letters or digits, the last of them none of {SUIT_LETTERS}"
            report("pack.jokers", shown(joker), allowed, f"pack.jokers: a joker is {allowed}")
    if bool(ranks) != bool(suits) or not (ranks or row["jokers"]):
        message = "pack: there are no cards in it"
        report("pack.ranks", "no ranks or suits", "ranks and suits, or jokers", message)
    for key, found in (("ranks", ranks), ("suits", suits), ("jokers", row["jokers"])):
        twice = sorted({each for each in found if found.count(each) > 1})
        if twice:
            report(f"pack.{key}", shown(" ".join(twice)), "each once", f"pack.{key} says it twice")
    for key, found, most in (
        ("ranks", ranks, limits.RANKS),
        ("jokers", row["jokers"], limits.JOKERS),
    ):
        if len(found) > most:
            message = f"pack.{key}: there are too many"
            report(f"pack.{key}", f"{len(found)} of them", f"at most {most}", message)
    total = (len(ranks) * len(suits) + len(row["jokers"])) * row["copies"]
    if total > limits.CARDS:
        message = "pack: there are too many cards in it"
        report("pack.copies", f"{total} cards", f"at most {limits.CARDS}", message)


def counts(players: Mapping[str, Any]) -> list[int]:
    """The numbers of players that a ruleset is for."""
    most = min(players["most"], limits.PLAYERS)
    found = players["counts"] or range(players["least"], most + 1)
    return [count for count in found if players["least"] <= count <= most]


def check_shares(rules: Any) -> None:
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


def _deals(rules: Any, known: list[int]) -> Iterator[tuple[str, str, str, str]]:
    """What is wrong with how cards are dealt, and who plays, in the words of a fault."""
    alone, uneven, short = [], [], []
    total = rules.pack.total
    for count in known:
        playing = len(rules.seating(count, 0))
        kitty = rules.kitty_size(playing)
        if playing < min(2, count):
            alone.append(count)
        elif total and kitty and (kitty > total or (total - kitty) % playing):
            uneven.append(playing)
        elif total and not 0 < rules.deal_size(playing) * playing <= total:
            short.append(playing)
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
