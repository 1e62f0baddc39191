"""The command `odds`: exact chances of a bid on dice.

The functions share these arguments. `dice` is the total number of dice, 0 to MAX_DICE. `chance` is
the probability that an unseen die matches. `count` is the number of dice in the bid. `seen` is the
number of dice seen, and `matching` is how many of those match. Results are exact. All functions
raise ValueError for impossible numbers.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, Annotated

import typer

from scorekeeper.cli.common import (
    FINE,
    BookOption,
    FormatOption,
    ReadOption,
    cli_command,
    open_match,
    print_json,
    print_lines,
)
from scorekeeper.core.errors import Impossible
from scorekeeper.core.messages import plural, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.notation import Notation
from scorekeeper.notation.syntax import parse_whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from scorekeeper.match.match import Match

MAX_DICE = 9_999
MAX_DENOMINATOR = 1_000


@cli_command
def odds(
    bid: Annotated[str, typer.Argument(metavar="BID", help="The bid, such as 11x4.")],
    dice: Annotated[
        int | None, typer.Option(help="The total number of dice (default: all dice on the table).")
    ] = None,
    seen: Annotated[str, typer.Option(help='The dice that you see, such as "4 4 1 2 6".')] = "",
    ruleset: Annotated[
        str | None, typer.Option(help="The ruleset (default: the ruleset of the match).")
    ] = None,
    match: ReadOption = None,
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """Compute the exact chances of a bid on dice.

    Example: scorekeeper odds 11x4 --ruleset dudo --dice 20 --seen "4 4 4 4 1"
    """
    query = read_odds(bid, dice, seen, ruleset, lambda: open_match(book, match).match)
    true = at_least(query.dice, query.chance, query.number, query.seen, query.matching)
    exact = exactly(query.dice, query.chance, query.number, query.seen, query.matching)
    average = mean(query.dice, query.chance, query.seen, query.matching)
    if format == "json":
        print_json({"bid": query.bid, "dice": query.dice, "seen": query.seen,
                  "matching": query.matching, "true": float(true), "exact": float(exact),
                  "mean": float(average), "fractions": {"true": str(true), "exact": str(exact),
                  "mean": str(average)}})  # fmt: skip
        return FINE
    print_lines(
        plural(
            "with {count} die, the chance that {bid} is true is {true}, and the chance that "
            "it is exactly right is {exactly}; on average, {mean} dice match",
            "with {count} dice, the chance that {bid} is true is {true}, and the chance that "
            "it is exactly right is {exactly}; on average, {mean} dice match",
            query.dice,
            bid=query.bid,
            true=f"{float(true):.4%}",
            exactly=f"{float(exact):.4%}",
            mean=f"{float(average):.2f}",
        )
    )
    return FINE


class OddsQuery(NamedTuple):
    """A query for the chances of a bid, with the numbers on which the chances depend."""

    bid: str
    number: int
    dice: int
    chance: Fraction
    seen: int
    matching: int


def read_odds(
    bid: str, dice: int | None, seen: str, name: str | None, get_match: Callable[[], Match]
) -> OddsQuery:
    """Parse typed text into a query.

    `get_match` is called to get the match if the ruleset or the number of dice is not given. Raises
    Unreadable for an invalid bid or die, and Impossible for an impossible number of dice or a game
    without bids on dice.
    """
    from scorekeeper.engine.loading import load_ruleset
    from scorekeeper.phases.bids import Bids

    played = None if name is not None and dice is not None else get_match()
    rules = played.ruleset if played is not None and name is None else load_ruleset(name or "")
    phase = rules.phases.get("bids")
    if not isinstance(phase, Bids):
        raise Impossible(
            tr("{title} has no bids on dice", title=rules.title), "odds … --ruleset NAME"
        )
    count, face = phase.entry_types[0].syntax.read(bid, Notation(rules.lexicon, []))
    faces = sorted(map(int, rules.section("faces")))
    seen_dice = [parse_whole(token, faces[0], faces[-1]) for token in seen.split()]
    if dice is None:
        assert played is not None
        dice = played.current_round.dice()
    if not 1 <= dice <= MAX_DICE:
        raise Impossible(
            tr("the number of dice must be from 1 to 9999, not {count}", count=dice),
            "--dice NUMBER",
        )
    if len(seen_dice) > dice:
        raise Impossible(
            plural(
                "{seen} dice were seen, but there is only {count}",
                "{seen} dice were seen, but there are only {count}",
                dice,
                seen=len(seen_dice),
            ),
            tr("--dice must include all dice, both seen and unseen"),
        )
    wild = phase.usual_wild_face() if played is None else phase.wild_face(played.current_round)
    matches = {face, wild} - {0}
    return OddsQuery(
        f"{count}x{face}",
        count,
        dice,
        Fraction(len(matches), len(faces)),
        len(seen_dice),
        sum(die in matches for die in seen_dice),
    )


# --- probabilities


def at_least(dice: int, chance: Fraction, count: int, seen: int = 0, matching: int = 0) -> Fraction:
    """Return the probability that at least `count` dice match.

    >>> at_least(2, Fraction(1, 6), 1)
    Fraction(11, 36)
    """
    hidden = _hidden_dice(dice, chance, seen, matching)
    missing = count - matching
    if missing <= 0:
        return Fraction(1)
    if missing > hidden:
        return Fraction(0)
    # Sum the shorter tail, because it has fewer terms. The other tail is its complement.
    if missing > hidden // 2:
        return _chance_between(hidden, chance, missing, hidden)
    return 1 - _chance_between(hidden, chance, 0, missing - 1)


def exactly(dice: int, chance: Fraction, count: int, seen: int = 0, matching: int = 0) -> Fraction:
    """Return the probability that exactly `count` dice match.

    >>> exactly(2, Fraction(1, 6), 1)
    Fraction(5, 18)
    """
    hidden = _hidden_dice(dice, chance, seen, matching)
    missing = count - matching
    if not 0 <= missing <= hidden:
        return Fraction(0)
    return _chance_between(hidden, chance, missing, missing)


def mean(dice: int, chance: Fraction, seen: int = 0, matching: int = 0) -> Fraction:
    """Return the expected number of matching dice."""
    return matching + _hidden_dice(dice, chance, seen, matching) * chance


def _chance_between(hidden: int, chance: Fraction, least: int, most: int) -> Fraction:
    """Return the probability that `least` to `most` of the hidden dice match.

    Requires 0 <= least <= most <= hidden.
    """
    hit, miss = chance.numerator, chance.denominator - chance.numerator
    if not hit or not miss:
        sure = hidden if hit else 0
        return Fraction(int(least <= sure <= most))
    ways = comb(hidden, least) * hit**least * miss ** (hidden - least)
    total = ways
    for matches in range(least, most):
        ways = ways * ((hidden - matches) * hit) // ((matches + 1) * miss)
        total += ways
    return Fraction(total, chance.denominator**hidden)


def _hidden_dice(dice: int, chance: Fraction, seen: int, matching: int) -> int:
    if not 0 <= dice <= MAX_DICE:
        raise ValueError(f"{dice} dice: there may be 0 to {MAX_DICE}")
    if not 0 <= seen <= dice:
        raise ValueError(f"{seen} dice seen of {dice}")
    if not 0 <= matching <= seen:
        raise ValueError(f"{matching} dice matching of {seen} seen")
    if not 0 <= chance <= 1:
        raise ValueError(f"a chance of {chance}: it runs from 0 to 1")
    if chance.denominator > MAX_DENOMINATOR:
        raise ValueError(f"a chance in parts of {chance.denominator}: at most {MAX_DENOMINATOR}")
    return dice - seen
