"""How a deal stands and what came of it, in sentences for people at the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.english import listed, number_of, of_several
from scorekeeper.phases.bouts.seats import may_add, room, sides
from scorekeeper.ruleset.orders import suit_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.phases.bouts.state import LastBout, State
    from scorekeeper.phases.bouts.terms import Terms
    from scorekeeper.ruleset.joint import Joint


# --- what must happen now


def prompt(terms: Terms, rnd: Joint, st: State) -> str:
    """What must happen now, as the end of a sentence."""
    if st.over:
        return "the deal is over"
    if not st.attacks:
        ended = "" if st.last is None else _last_bout(rnd, st.last)
        return ended + _prompt_lead(terms, rnd, st)
    more = _more(terms, rnd, st)
    defender = rnd.names[st.defender]
    if st.answering():
        lying = rnd.rules.pack.codes(st.uncovered())
        return f"{defender} answers {lying}" + (f"; {more}" if more else "")
    taking = f"{defender} takes; " if st.taking else ""
    return f"{taking}{more}, or pass"


def _more(terms: Terms, rnd: Joint, st: State) -> str:
    """Who may still add how many, by the counts."""
    left = room(terms, rnd, st)
    adders = may_add(rnd, st) if left > 0 else []
    most = max((min(left, rnd.hands.size(seat)) for seat in adders), default=0)
    up_to = "up to " if most > 1 else ""
    cards = number_of(most, "card")
    return f"{listed(rnd.names_of(adders))} may add {up_to}{cards}" if most else ""


def _prompt_lead(terms: Terms, rnd: Joint, st: State) -> str:
    if not st.trump:
        suits = terms.row["never_trump"]
        barred = f" (not {' '.join(suits)})" if suits else ""
        say = f"say what is trump{barred}: turnup CARD, or trump SUIT"
        if st.may_lead:
            say += "; the holder of the lowest trump leads then: lead NAME"
        return say
    if len(st.may_lead) > 1:
        who = listed(rnd.names_of(st.may_lead), "or")
        return f"the holder of the lowest trump leads (lead NAME); it may be {who}"
    names = rnd.names
    limit = number_of(st.limit, "attack")
    return f"{names[st.leader]} leads against {names[st.defender]}, at most {limit}"


def _last_bout(rnd: Joint, last: LastBout) -> str:
    """What the referee announces when a bout is over."""
    parts = [f"{rnd.names[last.defender]} has {'taken' if last.taken else 'covered'}"]
    parts += [f"{rnd.names[seat]} draws {number}" for seat, number in last.draws]
    if last.draws:
        parts.append(f"{last.talon} left in the talon")
    parts += [f"{name} is out" for name in rnd.names_of(last.out)]
    return "; ".join(parts) + "; "


# --- how it stands


def on_table(rnd: Joint, st: State) -> Iterator[str]:
    """Every attack, by whom, and what covers it."""
    kinds = rnd.rules.pack.kinds
    for attack, by, cover in zip(st.attacks, st.by, st.covers, strict=True):
        over = "open" if cover is None else f"covered by {kinds[cover]}"
        yield f"{rnd.names[by]}: {kinds[attack]} {over}"


def sentences(terms: Terms, rnd: Joint, st: State) -> Iterator[str]:
    """Sides, trump, the bout, the talon, who is out, which draws nobody has named."""
    if fixed := sides(rnd):
        yield " against ".join(listed(rnd.names_of(side)) for side in fixed)
    if st.trump:
        turned = ""
        if st.turned is not None and not st.over:
            turned = f"; {rnd.rules.pack.kinds[st.turned]} lies turned up"
        yield f"{suit_name(st.trump)} {'were' if st.over else 'are'} trump{turned}"
    if not st.over and st.attacks:
        yield _bout(rnd, st)
    if not st.over and st.talon:
        yield f"{number_of(st.talon, 'card is', 'cards are')} left in the talon"
    if st.out:
        yield of_several(rnd.names_of(st.out), "is out", "are out")
    which = terms.row["touch"]
    if st.over and not rnd.ended and which != "no":
        yield f"who is the {which} to touch the pack before the deal becomes the dealer"
    for seat, drawn in () if st.over else st.drawn.items():
        if drawn.left:
            cards = number_of(drawn.left, "card")
            yield f"nobody has named {cards} that {rnd.names[seat]} drew"


def _bout(rnd: Joint, st: State) -> str:
    limit, laid = number_of(st.limit, "attack"), len(st.attacks)
    takes = f"; {rnd.names[st.defender]} takes" if st.taking else ""
    return (
        f"{rnd.names[st.leader]} attacks {rnd.names[st.defender]}: {laid} of at most {limit}{takes}"
    )


def score_sentences(rnd: Joint, st: State) -> Iterator[str]:
    """Who was left with cards, and in which order the others went out."""
    if not st.losers:
        yield "nobody has lost: a draw"
    elif rnd.result is None:
        left = [seat for seat in st.losers if seat not in st.out]
        held = [f"{rnd.names[seat]} ({number_of(rnd.hands.size(seat), 'card')})" for seat in left]
        after = f" after {number_of(st.ended, 'bout')}" if st.ended else ""
        yield f"{of_several(held or rnd.names_of(st.losers), 'was', 'were')} left{after}"
    if st.out:
        yield f"out, in this order: {', '.join(rnd.names_of(st.out))}"
