"""The hands that a round of tricks begins with, as they were entered. Part of tricks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible
from scorekeeper.core.messages import mark, plural, tr
from scorekeeper.phases.tricks.state import cards_each
from scorekeeper.play.positions import holding, leads_with_cards, longest, said_now

if TYPE_CHECKING:
    from scorekeeper.phases.tricks.state import State
    from scorekeeper.ruleset.joint import Joint
    from scorekeeper.ruleset.phase import Phase


def check_hands(phase: Phase[State], rnd: Joint, *, one_card: bool) -> None:
    """A hand is never longer than the deal; shorter ones say how far the round is, which is told
    when the last of them has been entered. `one_card`: everyone plays one to a trick."""
    given = rnd.start.hands
    if not given:
        return
    dealt = phase.rules.deal_size(len(rnd.seats))
    for seat, held in given.items():
        count = held if isinstance(held, int) else len(held)
        if count > dealt:
            raise Impossible(
                plural(
                    "{who} cannot hold {count} card: {dealt} are dealt",
                    "{who} cannot hold {count} cards: {dealt} are dealt",
                    count,
                    who=rnd.names[seat],
                    dealt=dealt,
                ),
                tr("look for the card that is mistyped, or one too many"),
            )
    if not longest(rnd):
        rnd.conflict(tr("nobody holds a card, so there is nothing to play"), "hand")
        return
    leads_with_cards(rnd, rnd.leader)
    if said_now(rnd, "hand"):
        _remark_on_sizes(phase, rnd, dealt, one_card)


def _remark_on_sizes(phase: Phase[State], rnd: Joint, dealt: int, one_card: bool) -> None:
    """Say that the deal begins in the middle, or that hands which should be equal are not."""
    code, given, sizes = f"{phase.name}.position", rnd.start.hands, rnd.hands.sizes()
    if rnd.positioned:
        trick = tr("with trick {number}", number=cards_each(rnd) - longest(rnd) + 1)
        begins = trick if one_card else tr("in the middle")
        say = mark(
            "{holding}: the deal begins {begins} "
            "(otherwise undo, and type all {dealt} cards of a hand)"
        )
        if rnd.partial:
            say = mark(
                "{holding}: the deal begins {begins}, and play alone gives it no score, for"
                " what was won before is not known (otherwise undo, and type all {dealt} cards of a"
                " hand)"
            )
        rnd.remark(
            code, say, {"holding": holding(rnd), "begins": begins, "dealt": dealt}, phase.cite
        )
    elif min([sizes[seat] for seat in rnd.seats]) < dealt and (
        rnd.parties is None or any(isinstance(held, int) for held in given.values())
    ):
        say = mark("the hands differ in size ({holding}): one of them may be mistyped")
        rnd.remark(code, say, {"holding": holding(rnd)}, phase.cite)
