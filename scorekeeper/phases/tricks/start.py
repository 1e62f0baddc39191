"""The hands that were entered before play, and whether they fit together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible
from scorekeeper.core.messages import N_, plural, tr
from scorekeeper.engine.setup import check_leader_has_cards, holding_text, longest_hand, stated_now
from scorekeeper.phases.tricks.state import count_cards_each

if TYPE_CHECKING:
    from scorekeeper.engine.phase import Phase
    from scorekeeper.engine.round import Round
    from scorekeeper.phases.tricks.state import State


def check_hands(phase: Phase[State], rnd: Round, *, one_card: bool) -> None:
    """Check the hands that were entered before play.

    A hand may be shorter than the deal if the recording begins late; a note after the last hand
    reports that. `one_card`: every player plays one card to a trick. Raises Impossible for a hand
    that is too long.
    """
    given = rnd.setup.hands
    if not given:
        return
    dealt = rnd.deal_size
    for seat, held in given.items():
        count = held if isinstance(held, int) else len(held)
        if count > dealt:
            raise Impossible(
                plural(
                    "{who} cannot hold {count} card: each player is dealt {dealt}",
                    "{who} cannot hold {count} cards: each player is dealt {dealt}",
                    count,
                    who=rnd.names[seat],
                    dealt=dealt,
                ),
                tr("look for a mistyped or extra card"),
            )
    if not longest_hand(rnd):
        rnd.add_conflict(tr("no player holds any cards, so there is nothing to play"), "hand")
        return
    check_leader_has_cards(rnd, rnd.seating.leader)
    if stated_now(rnd, "hand"):
        _remark_on_sizes(phase, rnd, dealt, one_card)


def _remark_on_sizes(phase: Phase[State], rnd: Round, dealt: int, one_card: bool) -> None:
    """Add a note if the recording begins mid-deal, or if hands that should be equal in size
    differ."""
    code, given, sizes = f"{phase.name}.position", rnd.setup.hands, rnd.hands.sizes()
    if rnd.starts_midway:
        trick = tr("with trick {number}", number=count_cards_each(rnd) - longest_hand(rnd) + 1)
        begins = trick if one_card else tr("partway through the deal")
        message = N_(
            "{holding}: the record begins {begins}; if that is wrong, undo and enter all "
            "{dealt} cards of the hand"
        )
        if rnd.is_partial:
            message = N_(
                "{holding}: the record begins {begins}, so the deal cannot be scored unless "
                "you enter its result; if that is wrong, undo and enter all {dealt} cards of "
                "the hand"
            )
        rnd.add_note(
            code,
            message,
            {"holding": holding_text(rnd), "begins": begins, "dealt": dealt},
            phase.cite,
        )
    elif min([sizes[seat] for seat in rnd.seats]) < dealt and (
        rnd.sides is None or any(isinstance(held, int) for held in given.values())
    ):
        message = N_(
            "the hands differ in size ({holding}); a card may have been mistyped or left out"
        )
        rnd.add_note(code, message, {"holding": holding_text(rnd)}, phase.cite)
