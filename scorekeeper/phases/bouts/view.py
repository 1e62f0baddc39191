"""How a deal of bouts stands and what came of it: in sentences for people at the table, and as
plain values for programs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import Prompt, Sentence, listed, plural, tr
from scorekeeper.phases.bouts.state import PASS, label, may_add, room, sides
from scorekeeper.ruleset.orders import suit_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.core.types import Json
    from scorekeeper.engine.round import Round
    from scorekeeper.phases.bouts.state import LastBout, State, Terms


# --- what must happen now


def prompt(terms: Terms, rnd: Round, st: State) -> str | Prompt:
    """What must happen now, as the end of a sentence."""
    if st.over:
        return tr("the deal is over")
    if not st.attacks:
        ended = "" if st.last is None else _last_bout(rnd, st.last)
        leads = _prompt_lead(terms, rnd, st)
        return ended + leads if isinstance(leads, str) else leads
    more = _more(terms, rnd, st)
    defender = rnd.names[st.defender]
    if st.answering():
        lying = rnd.rules.pack.codes(st.uncovered())
        answers = tr("{defender} answers {attacks}", defender=defender, attacks=lying)
        return f"{answers}; {more}" if more else answers
    passes = rnd.rules.spoken(PASS.word)
    if st.taking:
        return tr("{defender} takes; {more}, or {word}", defender=defender, more=more, word=passes)
    return tr("{more}, or {word}", more=more, word=passes)


def _more(terms: Terms, rnd: Round, st: State) -> str:
    """Who may still add how many, by the counts."""
    left = room(terms, rnd, st)
    adders = may_add(rnd, st) if left > 0 else []
    most = max((min(left, rnd.hands.size(seat)) for seat in adders), default=0)
    if not most:
        return ""
    return plural(
        "{names} may add {count} card",
        "{names} may add up to {count} cards",
        most,
        names=listed(rnd.names_of(adders)),
    )


def _prompt_lead(terms: Terms, rnd: Round, st: State) -> str | Prompt:
    if not st.trump:
        suits = terms.row["never_trump"]
        if suits:
            form = tr("say what is trump (not {suits}): turnup CARD, or trump SUIT")
            say = form.format(suits=" ".join(suits))
        else:
            say = tr("say what is trump: turnup CARD, or trump SUIT")
        if st.may_lead:
            say = f"{say}; {tr('the holder of the lowest trump leads then: lead NAME')}"
        return Prompt(say, tr("the trump is to be said"))
    if len(st.may_lead) > 1:
        who = listed(rnd.names_of(st.may_lead), "or")
        said = tr("the holder of the lowest trump leads (lead NAME); it may be {who}", who=who)
        return Prompt(said, tr("the holder of the lowest trump leads; it may be {who}", who=who))
    names = rnd.names
    return plural(
        "{leader} leads against {defender}, at most {count} attack",
        "{leader} leads against {defender}, at most {count} attacks",
        st.limit,
        leader=names[st.leader],
        defender=names[st.defender],
    )


def _last_bout(rnd: Round, last: LastBout) -> str:
    """What the referee announces when a bout is over."""
    defender = rnd.names[last.defender]
    parts = [
        tr("{name} has taken", name=defender)
        if last.taken
        else tr("{name} has covered", name=defender)
    ]
    parts += [
        tr("{name} draws {number}", name=rnd.names[seat], number=number)
        for seat, number in last.draws
    ]
    if last.draws:
        parts.append(tr("{number} left in the talon", number=last.talon))
    parts += [tr("{name} is out", name=name) for name in rnd.names_of(last.out)]
    return "; ".join(parts) + "; "


# --- how it stands, and what came of it


def on_table(rnd: Round, st: State) -> Iterator[str]:
    """Every attack, by whom, and what covers it."""
    kinds = rnd.rules.pack.kinds
    for attack, by, cover in zip(st.attacks, st.by, st.covers, strict=True):
        if cover is None:
            lies = tr("{attack} open", attack=kinds[attack])
        else:
            lies = tr("{attack} covered by {card}", attack=kinds[attack], card=kinds[cover])
        yield f"{rnd.names[by]}: {lies}"


def sentences(terms: Terms, rnd: Round, st: State) -> Iterator[str | Sentence]:
    """Sides, trump, the bout, the talon, who is out, which draws nobody has named."""
    if fixed := sides(rnd):
        one, *others = [listed(rnd.names_of(side)) for side in fixed]
        for other in others:
            one = tr("{names} against {others}", names=one, others=other)
        yield one
    if st.trump:
        yield _trump(rnd, st)
    if not st.over and st.attacks:
        yield Sentence(_bout(rnd, st), on_table=True)
    if not st.over and st.talon:
        yield plural(
            "{count} card is left in the talon", "{count} cards are left in the talon", st.talon
        )
    if st.out:
        names = listed(rnd.names_of(st.out))
        yield plural("{names} is out", "{names} are out", len(st.out), names=names)
    which = terms.row["touch"]
    if st.over and not rnd.ended and which != "no":
        if which == "first":
            yield tr("who is the first to touch the pack before the deal becomes the dealer")
        else:
            yield tr("who is the last to touch the pack before the deal becomes the dealer")
    for seat, drawn in () if st.over else st.drawn.items():
        if drawn.left:
            yield plural(
                "nobody has named {count} card that {name} drew",
                "nobody has named {count} cards that {name} drew",
                drawn.left,
                name=rnd.names[seat],
            )


def _bout(rnd: Round, st: State) -> str:
    """Return who attacks whom with how much: the leader, or, where transfers have come round to
    them, those who laid the attacks."""
    by = [st.leader]
    if st.leader == st.defender:
        by = [seat for seat in dict.fromkeys(st.by) if seat != st.defender]
    facts = {"laid": len(st.attacks), "defender": rnd.names[st.defender]}
    if len(by) == 1:
        attacks = plural(
            "{leader} attacks {defender}: {laid} of at most {count} attack",
            "{leader} attacks {defender}: {laid} of at most {count} attacks",
            st.limit,
            leader=rnd.names[by[0]],
            **facts,
        )
    else:
        attacks = plural(
            "{names} attack {defender}: {laid} of at most {count} attack",
            "{names} attack {defender}: {laid} of at most {count} attacks",
            st.limit,
            names=listed(rnd.names_of(by)),
            **facts,
        )
    return f"{attacks}; {tr('{name} takes', name=rnd.names[st.defender])}" if st.taking else attacks


def _trump(rnd: Round, st: State) -> str:
    suit = suit_name(st.trump)
    if st.over:
        return tr("{suit} were trump", suit=suit)
    if st.turned is None:
        return tr("{suit} are trump", suit=suit)
    card = rnd.rules.pack.kinds[st.turned]
    return tr("{suit} are trump; {card} lies turned up", suit=suit, card=card)


def score_sentences(rnd: Round, st: State) -> Iterator[str]:
    """Who was left with cards, and in which order the others went out."""
    if not st.losers:
        yield tr("nobody has lost: a draw")
    elif rnd.result is None:
        left = [seat for seat in st.losers if seat not in st.out]
        held = [
            f"{rnd.names[seat]} ({plural('{count} card', '{count} cards', rnd.hands.size(seat))})"
            for seat in left
        ]
        who = held or rnd.names_of(st.losers)
        yield _left(listed(who), len(who), st.ended)
    if st.out:
        yield tr("out, in this order: {names}", names=", ".join(rnd.names_of(st.out)))


def _left(names: str, count: int, bouts: int) -> str:
    """Who was left, after how many bouts."""
    if not bouts:
        return plural("{names} was left", "{names} were left", count, names=names)
    after = plural("{count} bout", "{count} bouts", bouts)
    return plural(
        "{names} was left after {bouts}",
        "{names} were left after {bouts}",
        count,
        names=names,
        bouts=after,
    )


# --- the same as plain values, for programs


def describe(terms: Terms, rnd: Round, st: State) -> Json:
    """The deal's part of the state."""
    kinds = rnd.rules.pack.kinds
    return {
        "bindings": _bindings(terms, rnd, st),
        "table": [
            {
                "who": rnd.names[by],
                "attack": kinds[attack],
                "cover": None if cover is None else kinds[cover],
            }
            for attack, by, cover in zip(st.attacks, st.by, st.covers, strict=True)
        ],
        "talon": st.talon,
        "sides": _named_sides(rnd),
        "players": {rnd.names[seat]: _player(st, seat) for seat in rnd.seats},
        "owed": [] if st.over else _owed(rnd, st),
    }


def _bindings(terms: Terms, rnd: Round, st: State) -> Json:
    names = rnd.names
    return {
        "trump": st.trump or None,
        "leader": names[st.leader] if st.certain else None,
        "defender": names[st.defender] if st.certain else None,
        "limit": st.limit,
        "left": None if st.over else max(0, room(terms, rnd, st)),
        "taking": st.taking,
        "out": rnd.names_of(st.out),
        "turned_up": None if st.turned is None else rnd.rules.pack.kinds[st.turned],
        "last_bout": None if st.last is None else _outcome(rnd, st.last),
        "losers": rnd.names_of(st.losers),
    }


def _outcome(rnd: Round, last: LastBout) -> Json:
    return {
        "outcome": "taken" if last.taken else "covered",
        "defender": rnd.names[last.defender],
        "draws": [[rnd.names[seat], number] for seat, number in last.draws],
        "talon": last.talon,
        "out": rnd.names_of(last.out),
    }


def _named_sides(rnd: Round) -> dict[str, list[str]]:
    return {label(rnd, side): rnd.names_of(side) for side in sides(rnd)}


def _player(st: State, seat: int) -> Json:
    """The player's role in this bout, as far as it is certain who leads, and whether they are
    out."""
    out = seat in st.out
    role = None
    if st.over or (out and not st.attacks) or len(st.may_lead) > 1:
        role = None
    elif seat == st.defender:
        role = "defender"
    elif seat == st.leader:
        role = "leader"
    elif seat in st.attackers:
        role = "attacker"
    return {"role": role, "out": out}


def _owed(rnd: Round, st: State) -> list[Json]:
    owed: list[Json] = [
        {"who": rnd.names[seat], "what": "draw", "count": drawn.left}
        for seat, drawn in st.drawn.items()
        if drawn.left
    ]
    if st.attacks and not st.answering():
        owed += [{"who": name, "what": "pass"} for name in rnd.names_of(may_add(rnd, st))]
    return owed


def summary(rnd: Round, st: State) -> Json:
    """What the sheet and the statistics may tell of the deal."""
    found: Json = {"out": rnd.names_of(st.out), "bouts": st.ended}
    found["player.first"] = dict.fromkeys(rnd.names_of(st.out[:1]), 1)
    if rnd.over and not rnd.void:
        found["losers"] = rnd.names_of(st.losers)
        found["draw"] = not st.losers
    if named := _named_sides(rnd):
        found["sides"] = named
    return found
