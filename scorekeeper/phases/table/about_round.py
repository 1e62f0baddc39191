"""What the table says of a round, at any time in it. Part of table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.messages import mark, tr
from scorekeeper.core.text import is_signed
from scorekeeper.notation.syntax import Syntax, clean, whole
from scorekeeper.ruleset.who import dealt_again

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scorekeeper.core.types import Luck, Row
    from scorekeeper.notation import Entry
    from scorekeeper.notation.syntax import Spelling
    from scorekeeper.ruleset.joint import Joint
    from scorekeeper.ruleset.penalties import Penalties

    Pair = tuple[str, str]

MOST_PENALTY = 99999


class PenaltySyntax(Syntax):
    """A class of the ruleset, or a number of points, and why."""

    form = mark("CLASS or POINTS, and why")

    def read(self, text: str, notation: Spelling) -> tuple[str | int, str]:
        head, _, why = text.partition(" ")
        if is_signed(head):
            return whole(head, -MOST_PENALTY, MOST_PENALTY), clean(why)
        if not head:
            raise Unreadable(tr("a class of penalty or a number must follow"))
        return clean(notation.canonical(head) or head), clean(why)

    def show(self, value: tuple[str | int, str], notation: Spelling) -> str:
        return f"{value[0]} {value[1]}".rstrip()

    def sample(self, luck: Luck, notation: Spelling) -> Sequence[tuple[str | int, str]]:
        words = sorted(set(notation.meanings.values()))  # classes are among them
        return ((luck.choice(words) if luck.random() < 0.5 else -luck.randint(1, 5), ""),)


def check(rnd: Joint, entry: Entry) -> None:
    """`check NAME: NUMBER`: their points so far, or their tally, as the table counts them."""
    seat: int = entry.value[0]
    counted: int = entry.value[1]
    points = rnd.points_of(seat)
    recorded = rnd.tally[seat] if points is None else points
    if recorded != counted:
        raise Impossible(
            tr(
                "{form}: by what was recorded it is {recorded}, not "
                "{told} (difference {difference})",
                form=f"check {rnd.names[seat]}",
                recorded=recorded,
                told=counted,
                difference=f"{counted - recorded:+}",
            ),
            tr("look for the entry that is mistyped"),
        )


def note(rnd: Joint, entry: Entry) -> None:
    """`note TEXT` changes nothing."""


def void(rnd: Joint, entry: Entry) -> None:
    """`void WHY`: the round counts for nothing; who deals next is said by the rules. Where the
    same do, whom the table named starts again."""
    rnd.void = True
    if dealt_again(rnd) and rnd.rules.deal["dealt"]:
        rnd.next_leader = rnd.start.lead
    rnd.finish()


def is_only_noted(rnd: Joint, seat: int) -> bool:
    """Whether nothing follows of a foul by that seat."""
    try:
        return rnd.after_foul(seat) is None
    except Impossible:  # the next round may tell what follows
        return False


def foul(rnd: Joint, entry: Entry) -> None:
    """`foul NAME: WHY`: what the law of the ruleset has follow of it."""
    follow = rnd.after_foul(entry.value[0])
    if follow is not None:
        follow()


def penalty(rnd: Joint, entry: Entry, classes: Penalties) -> None:
    """`penalty NAME: POINTS WHY`, or one of the `classes` of penalties: each side gets its
    points."""
    seat: int = entry.value[0]
    what: str | int = entry.value[1][0]
    if isinstance(what, int):
        rnd.charge("penalty", seat, what)
        return
    for code, seats, points, cite in list(classes.charges(rnd, seat, what)):
        rnd.charge(code, seats[0], points, cite)


def result(rnd: Joint, entry: Entry) -> None:
    """`result KEY=VALUE…`: the round by its outcome."""
    rnd.conclude(dict(entry.value))


def whole_result(row: Row, said: Iterable[Pair], *, usual: bool) -> tuple[Pair, ...]:
    """The `key=value` words of a result that was told short; `row` says which key a number is,
    and what is usual, which is added to a number where that is wanted. Raises Unreadable for a key
    that is said twice, and where one is named and two are usual."""
    told, key = dict(said), row["number"]
    number = told.pop("", "")
    if number and key in told:
        raise Unreadable(tr("“{key}” is said twice", key=key))
    added: Mapping[str, str | list[str]] = row["usual"] if number and usual else {}
    pairs = {
        name: value if isinstance(value, str) else "+".join(value)
        for name, value in added.items()
        if name not in told
    }
    if pairs:
        _check_together(row["together"], number, told, pairs)
    pairs |= told
    return (*pairs.items(), (key, number)) if number else tuple(pairs.items())


def _check_together(
    together: Iterable[str], number: str, told: Mapping[str, str], usual: Mapping[str, str]
) -> None:
    """Raise Unreadable where one is named and two are usual."""
    for key in together:
        names = told.get(key, "")
        if names and "+" not in names:
            said = " ".join(map("=".join, told.items()))
            whole = " ".join(map("=".join, usual.items()))
            raise Unreadable(
                tr("was a partner forgotten, or was {who} alone?", who=names),
                tr(
                    "“{both}” or “{alone}”",
                    both=f"{number} {said.replace(names, f'{names}+NAME', 1)}",
                    alone=f"{number} {said} {whole}",
                ),
            )


def end(rnd: Joint, entry: Entry) -> None:
    """`end`: the match ends here."""
    rnd.ended = True
