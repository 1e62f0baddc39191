"""What the table says is so at the start of a round: who deals and leads, hands, tallies. Part of
table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.english import listed, number_of
from scorekeeper.core.failures import Impossible

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scorekeeper.notation import Entry
    from scorekeeper.ruleset.joint import Joint
    from scorekeeper.ruleset.shared import Hand

NO_HANDS = "there are no hands in this game"


def dealer(rnd: Joint, entry: Entry) -> None:
    """`dealer NAME`: who deals this round."""
    seat: int = entry.value
    if not rnd.rules.deal["dealt"]:
        raise Impossible("nobody deals in this game", "say who starts: lead NAME")
    expected = [rnd.dealer]
    rnd.place("dealer", rnd.start._replace(dealer=seat))
    if seat not in expected:
        _unexpected(rnd, "table.dealer", "{now} deals, not {expected}", seat, expected)


def lead(rnd: Joint, entry: Entry) -> None:
    """`lead NAME`: who starts; before the first act, or as long as nobody has led."""
    seat: int = entry.value
    if not rnd.acted and not (rnd.over and not rnd.placed):
        expected = rnd.leaders()
        rnd.place("lead", rnd.start._replace(lead=seat))
        if seat not in expected:
            _unexpected(rnd, "table.lead", "{now} starts, not {expected}", seat, expected)
        return
    if rnd.out(seat):
        raise Impossible(f"{rnd.names[seat]} is out, or sits out, and cannot lead")
    if rnd.over or rnd.play_begun():
        raise Impossible("who leads is said before the first lead of a round")
    rnd.start, rnd.leader = rnd.start._replace(lead=seat), seat


def _unexpected(rnd: Joint, code: str, say: str, seat: int, expected: list[int]) -> None:
    """What the table says wins over what was expected; a note says so."""
    names = listed(rnd.names_of(expected), "or")
    rnd.remark(code, say, {"now": rnd.names[seat], "expected": names})


def hand(rnd: Joint, entry: Entry) -> None:
    """`hand NAME: CARD…`, or only how many: all they hold. Where the tally is what is held, the
    number is that."""
    seat: int = entry.value[0]
    held: Hand = entry.value[1]
    if rnd.rules.numbers.dice_are_tally:
        if not isinstance(held, int):
            raise Impossible("here a hand is a number", f"hand {rnd.names[seat]}: 3")
        _stand_at(rnd, seat, held)
    elif not rnd.rules.pack.total:
        if rnd.rules.has("dice"):
            name, tally = rnd.names[seat], rnd.rules.tally["name"]
            say = f"how many dice {name} has follows from the tally ({tally})"
            raise Impossible(say, f"standing {name}: NUMBER")
        raise Impossible(NO_HANDS)
    elif rnd.acted:
        _look_at(rnd, seat, held)
    else:
        rnd.place("hands", rnd.start._replace(hands={**rnd.start.hands, seat: held}))


def hands(rnd: Joint, entries: Iterable[Entry]) -> None:
    """Several hands of cards, said one after another, before anything has happened."""
    said = {entry.value[0]: entry.value[1] for entry in entries}
    rnd.place("hands", rnd.start._replace(hands={**rnd.start.hands, **said}))


def _look_at(rnd: Joint, seat: int, held: Hand) -> None:
    """A hand shown in the middle of a round: what they hold now."""
    knowledge = rnd.hands
    count, size = held if isinstance(held, int) else len(held), knowledge.size(seat)
    if count != size:
        cards = number_of(size, "card")
        raise Impossible(f"{rnd.names[seat]} holds {cards} by the counts, not {count}")
    if not isinstance(held, int):
        knowledge.reveal(seat, rnd.rules.pack.of(held))


def holds(rnd: Joint, entry: Entry) -> None:
    """`holds NAME: CARD…`: cards seen in their hand. Said twice, a card is the same card."""
    seat: int = entry.value[0]
    kinds: tuple[int, ...] = entry.value[1]
    if not rnd.has_hands:
        raise Impossible(NO_HANDS)
    if rnd.acted:
        for kind in set(kinds):
            rnd.hands.holds(seat, kind, kinds.count(kind))
        return
    seen = rnd.start.holds
    known = seen.get(seat, ())
    more = [kind for kind in set(kinds) for _ in range(kinds.count(kind) - known.count(kind))]
    rnd.place("holds", rnd.start._replace(holds={**seen, seat: (*known, *more)}))


def standing(rnd: Joint, entry: Entry) -> None:
    """`standing NAME: NUMBER`: their tally."""
    _stand_at(rnd, *entry.value)


def _stand_at(rnd: Joint, seat: int, number: int) -> None:
    """A player's tally is that number. Raises Impossible for one beyond the tally's limits, or
    other than what was said of their side."""
    tally = rnd.rules.tally
    if not tally["least"] <= number <= tally["most"]:
        name, least, most = tally["name"], tally["least"], tally["most"]
        raise Impossible(f"the tally ({name}) is from {least} to {most}, not {number}")
    stands = rnd.start.standing
    for mate in rnd.side(seat):
        if mate != seat and stands.get(mate, number) != number:
            names = f"{rnd.names[seat]} and {rnd.names[mate]}"
            raise Impossible(
                f"{names} are one side, which stands at {stands[mate]}, not {number}",
                f"standing {rnd.names[mate]}: {number}, if that was wrong",
            )
    rnd.place("standing", rnd.start._replace(standing={**stands, seat: number}))


def sudden_death(rnd: Joint, entry: Entry) -> None:
    """`sudden-death`: everyone goes to the same tally."""
    if not rnd.rules.has("levelling"):
        raise Impossible("this ruleset knows no sudden death")
    rnd.place(entry.word, rnd.start._replace(levelled=True))
