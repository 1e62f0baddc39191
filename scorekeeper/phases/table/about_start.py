"""What the table says is so at the start of a round: who deals and leads, hands, tallies. Part of
table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible
from scorekeeper.core.messages import listed, mark, plural, tr
from scorekeeper.ruleset.penalties import by_the_table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scorekeeper.notation import Entry
    from scorekeeper.ruleset.joint import Joint
    from scorekeeper.ruleset.shared import Hand

NO_HANDS = mark("there are no hands in this game")


def dealer(rnd: Joint, entry: Entry) -> None:
    """`dealer NAME`: who deals this round."""
    seat: int = entry.value
    if not rnd.rules.deal["dealt"]:
        raise Impossible(tr("nobody deals in this game"), tr("say who starts: lead NAME"))
    expected = [rnd.dealer]
    rnd.place("dealer", rnd.start._replace(dealer=seat))
    if seat not in expected:
        _unexpected(rnd, "table.dealer", mark("{now} deals, not {expected}"), seat, expected)


def lead(rnd: Joint, entry: Entry) -> None:
    """`lead NAME`: who starts; before the first act, or as long as nobody has led."""
    seat: int = entry.value
    if not rnd.acted and not (rnd.over and not rnd.placed):
        expected = rnd.leaders()
        rnd.place("lead", rnd.start._replace(lead=seat))
        if seat not in expected:
            _unexpected(rnd, "table.lead", mark("{now} starts, not {expected}"), seat, expected)
        return
    if rnd.out(seat):
        raise Impossible(tr("{name} is out, or sits out, and cannot lead", name=rnd.names[seat]))
    if rnd.over or rnd.play_begun():
        raise Impossible(tr("who leads is said before the first lead of a round"))
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
            raise Impossible(tr("here a hand is a number"), f"hand {rnd.names[seat]}: 3")
        _stand_at(rnd, seat, held)
    elif not rnd.rules.pack.total:
        if rnd.rules.has("dice"):
            name, tally = rnd.names[seat], rnd.rules.said(rnd.rules.tally["name"])
            say = tr(
                "how many dice {name} has follows from the tally ({tally})", name=name, tally=tally
            )
            raise Impossible(say, f"standing {name}: NUMBER")
        raise Impossible(tr(NO_HANDS))
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
        raise Impossible(
            plural(
                "{name} holds {count} card by the counts, not {told}",
                "{name} holds {count} cards by the counts, not {told}",
                size,
                name=rnd.names[seat],
                told=count,
            ),
            tr(
                "look for the entry that is mistyped; if the cards were dealt so, the table "
                "decides: {how}",
                how=by_the_table(rnd.rules),
            ),
        )
    if not isinstance(held, int):
        knowledge.reveal(seat, rnd.rules.pack.of(held))


def holds(rnd: Joint, entry: Entry) -> None:
    """`holds NAME: CARD…`: cards seen in their hand. Said twice, a card is the same card."""
    seat: int = entry.value[0]
    kinds: tuple[int, ...] = entry.value[1]
    if not rnd.has_hands:
        raise Impossible(tr(NO_HANDS))
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
        name, least, most = rnd.rules.said(tally["name"]), tally["least"], tally["most"]
        raise Impossible(
            tr(
                "the tally ({name}) is from {least} to {most}, not {number}",
                name=name,
                least=least,
                most=most,
                number=number,
            )
        )
    stands = rnd.start.standing
    for mate in rnd.side(seat):
        if mate != seat and stands.get(mate, number) != number:
            names = listed(rnd.names_of([seat, mate]))
            raise Impossible(
                tr(
                    "{names} are one side, which stands at {tally}, not {number}",
                    names=names,
                    tally=stands[mate],
                    number=number,
                ),
                tr("{entry}, if that was wrong", entry=f"standing {rnd.names[mate]}: {number}"),
            )
    rnd.place("standing", rnd.start._replace(standing={**stands, seat: number}))


def sudden_death(rnd: Joint, entry: Entry) -> None:
    """`sudden-death`: everyone goes to the same tally."""
    if not rnd.rules.has("levelling"):
        raise Impossible(tr("this ruleset knows no sudden death"))
    rnd.place(entry.word, rnd.start._replace(levelled=True))
