"""What `odds` asks about: a bid, the dice there are and those that somebody sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.messages import plural, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.notation import Notation
from scorekeeper.notation.syntax import whole

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from scorekeeper.play.match import Match
    from scorekeeper.ruleset.compiled import Ruleset


class Asked(NamedTuple):
    """A bid, the number of dice, the chance of one die, and what is seen."""

    bid: str
    wanted: int
    dice: int
    chance: Fraction
    seen: int
    matching: int


def read_odds(
    bid: str, dice: int | None, seen: str, name: str | None, match: Callable[[], Match]
) -> Asked:
    """Read what was asked; `match` gives the match where rules or dice are not said. Raises
    Unreadable for a bid or dice that are none, Impossible for numbers that cannot be."""
    from fractions import Fraction

    from scorekeeper.phases.bids import Bids
    from scorekeeper.ruleset.loading import load_ruleset

    spoken = None if name is not None and dice is not None else match()
    rules: Ruleset = load_ruleset(name) if name is not None else spoken_rules(spoken)
    phase = rules.phases.get("bids")
    if not isinstance(phase, Bids):
        raise Impossible(
            tr("{title} has no bids on dice", title=rules.title), "odds … --ruleset NAME"
        )
    count, face = phase.verbs[0].syntax.read(bid, Notation(rules.lexicon, []))
    faces = sorted(map(int, rules.section("faces")))
    shown = [whole(token, faces[0], faces[-1]) for token in seen.split()]
    if dice is None:
        assert spoken is not None
        dice = spoken.now.dice()
    if not 1 <= dice <= 9999:
        raise Impossible(
            plural(
                "{count} die: there may be 1 to 9999",
                "{count} dice: there may be 1 to 9999",
                dice,
            ),
            "--dice NUMBER",
        )
    if len(shown) > dice:
        raise Impossible(
            plural(
                "{seen} seen of {count} die", "{seen} seen of {count} dice", dice, seen=len(shown)
            ),
            tr("--dice counts those seen too"),
        )
    wild = phase.usual_wild() if spoken is None else phase.wild(spoken.now)
    matches = {face, wild} - {0}
    return Asked(
        f"{count}x{face}",
        count,
        dice,
        Fraction(len(matches), len(faces)),
        len(shown),
        sum(die in matches for die in shown),
    )


def spoken_rules(match: Match | None) -> Ruleset:
    """The rules of a match that must be there."""
    if match is None:
        raise Unreadable(tr("say which rules: --ruleset NAME"))
    return match.ruleset
