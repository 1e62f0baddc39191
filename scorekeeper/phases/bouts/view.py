"""The view of a deal of bouts: its facts, and the texts and JSON made of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import Prompt, Sentence, listed, plural, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.phase import View
from scorekeeper.phases.bouts.state import PASS, may_add, room, sides
from scorekeeper.ruleset.orders import suit_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scorekeeper.core.types import Json
    from scorekeeper.engine.round import Round
    from scorekeeper.phases.bouts.state import LastBout, State, Terms


class AttackFacts(NamedTuple):
    """An attack on the table: the player, the card, and the card that covers it, if one does."""

    who: str
    attack: str
    cover: str | None


class LastBoutFacts(NamedTuple):
    """The end of the last bout. `draws` are pairs of a player and a number of cards, `talon` is the
    number of cards left after them, `out` the players who went out by it."""

    taken: bool
    defender: str
    draws: tuple[tuple[str, int], ...]
    talon: int
    out: list[str]


class DealFacts(NamedTuple):
    """A deal of bouts, with players' names and codes of cards.

    `trump` is a suit or empty, `turned` the turned-up card while it is in the talon. `never_trump`
    are suits that cannot be trump. `may_lead` are the players who may hold the lowest trump; it is
    `certain` that `leader` leads if there is at most one. `room` is the number of attacks that may
    still be laid, `adders` are the players who may lay them, `cards` the sizes of all hands.
    `undrawn` are the numbers of drawn cards that are unnamed, by player. `touch` is `first` or
    `last` once the next dealer is the first or last to touch the pack. `over` is of the deal,
    `finished` of the round, which may be `void`, or entered by a `result`.
    """

    sides: list[list[str]]
    trump: str
    turned: str | None
    never_trump: str
    may_lead: list[str]
    leader: str
    defender: str
    certain: bool
    attacks: list[AttackFacts]
    limit: int
    room: int
    adders: list[str]
    passes: str
    taking: bool
    cards: Mapping[str, int]
    roles: Mapping[str, str | None]
    talon: int
    undrawn: Mapping[str, int]
    out: list[str]
    last_bout: LastBoutFacts | None
    bouts: int
    losers: list[str]
    touch: str
    over: bool
    finished: bool
    void: bool
    result: bool

    @property
    def is_answering(self) -> bool:
        """True while the defender must cover an attack."""
        return not self.taking and any(each.cover is None for each in self.attacks)


def view(terms: Terms, rnd: Round, st: State) -> BoutsView:
    """Return the view of the deal as it is now."""
    names, kinds = rnd.names, rnd.rules.pack.kinds
    return BoutsView(
        DealFacts(
            sides=[rnd.names_of(side) for side in sides(rnd)],
            trump=st.trump,
            turned=None if st.turned is None else kinds[st.turned],
            never_trump=" ".join(terms.row["never_trump"]),
            may_lead=rnd.names_of(st.may_lead),
            leader=names[st.leader],
            defender=names[st.defender],
            certain=st.certain,
            attacks=[
                AttackFacts(names[by], kinds[attack], None if cover is None else kinds[cover])
                for attack, by, cover in zip(st.attacks, st.by, st.covers, strict=True)
            ],
            limit=st.limit,
            room=0 if st.over else max(0, room(terms, rnd, st)),
            adders=[] if st.over else rnd.names_of(may_add(rnd, st)),
            passes=rnd.rules.spoken(PASS.word),
            taking=st.taking,
            cards={names[seat]: rnd.hands.size(seat) for seat in rnd.seats},
            roles={names[seat]: _role(st, seat) for seat in rnd.seats},
            talon=st.talon,
            undrawn={names[seat]: drawn.left for seat, drawn in st.drawn.items() if drawn.left},
            out=rnd.names_of(st.out),
            last_bout=None if st.last is None else _ended(rnd, st.last),
            bouts=st.ended,
            losers=rnd.names_of(st.losers),
            touch=terms.row["touch"] if st.over and not rnd.ended else "no",
            over=st.over,
            finished=rnd.over,
            void=rnd.void,
            result=rnd.result is not None,
        )
    )


def _role(st: State, seat: int) -> str | None:
    """Return the seat's role in the bout, as far as it is certain who leads."""
    if st.over or (seat in st.out and not st.attacks) or len(st.may_lead) > 1:
        return None
    if seat == st.defender:
        return "defender"
    if seat == st.leader:
        return "leader"
    return "attacker" if seat in st.attackers else None


def _ended(rnd: Round, last: LastBout) -> LastBoutFacts:
    draws = tuple((rnd.names[seat], number) for seat, number in last.draws)
    defender, out = rnd.names[last.defender], rnd.names_of(last.out)
    return LastBoutFacts(last.taken, defender, draws, last.talon, out)


class BoutsView(View[DealFacts]):
    """The view of a deal of bouts."""

    __slots__ = ()

    # --- what must happen now

    def prompt(self) -> Prompt:
        deal = self.facts
        if deal.over:
            return Prompt(tr("the deal is over"))
        if not deal.attacks:
            ended = "" if deal.last_bout is None else _announce(deal.last_bout)
            leads = _prompt_lead(deal)
            awaited = leads.for_onlookers and ended + leads.for_onlookers
            return Prompt(ended + leads.text, awaited)
        more = _prompt_more(deal)
        if deal.is_answering:
            open_attacks = [each.attack for each in deal.attacks if each.cover is None]
            answers = tr(
                "{defender} answers {attacks}",
                defender=deal.defender,
                attacks=" ".join(open_attacks),
            )
            return Prompt(f"{answers}; {more}" if more else answers)
        if deal.taking:
            form = tr("{defender} takes; {more}, or {word}")
        else:
            form = tr("{more}, or {word}")
        return Prompt(form.format(defender=deal.defender, more=more, word=deal.passes))

    # --- how the deal stands

    def table(self) -> Iterator[str]:
        for who, attack, cover in self.facts.attacks:
            if cover is None:
                text = tr("{attack} open", attack=attack)
            else:
                text = tr("{attack} covered by {card}", attack=attack, card=cover)
            yield f"{who}: {text}"

    def sentences(self) -> Iterator[Sentence]:
        deal = self.facts
        if deal.sides:
            one, *others = map(listed, deal.sides)
            for other in others:
                one = tr("{names} against {others}", names=one, others=other)
            yield Sentence(one)
        if deal.trump:
            yield Sentence(_trump(deal))
        if not deal.over and deal.attacks:
            yield Sentence(_bout(deal), on_table=True)
        if not deal.over and deal.talon:
            text = plural(
                "{count} card is left in the talon",
                "{count} cards are left in the talon",
                deal.talon,
            )
            yield Sentence(text)
        if deal.out:
            names = listed(deal.out)
            yield Sentence(plural("{names} is out", "{names} are out", len(deal.out), names=names))
        if deal.touch == "first":
            text = tr("who is the first to touch the pack before the deal becomes the dealer")
            yield Sentence(text)
        elif deal.touch == "last":
            text = tr("who is the last to touch the pack before the deal becomes the dealer")
            yield Sentence(text)
        for name, count in () if deal.over else deal.undrawn.items():
            text = plural(
                "nobody has named {count} card that {name} drew",
                "nobody has named {count} cards that {name} drew",
                count,
                name=name,
            )
            yield Sentence(text)

    def result_sentences(self) -> Iterator[str]:
        deal = self.facts
        if deal.void:
            return
        if not deal.losers:
            yield tr("nobody has lost: a draw")
        elif not deal.result:
            left = [
                f"{name} ({plural('{count} card', '{count} cards', deal.cards[name])})"
                for name in deal.losers
                if name not in deal.out
            ]
            left = left or deal.losers
            yield _left(listed(left), len(left), deal.bouts)
        if deal.out:
            yield tr("out, in this order: {names}", names=", ".join(deal.out))

    # --- the same for programs

    def as_json(self) -> Json:
        deal = self.facts
        return {
            "bindings": _bindings(deal),
            "table": [each._asdict() for each in deal.attacks],
            "talon": deal.talon,
            "sides": _named_sides(deal),
            "players": {
                name: {"role": role, "out": name in deal.out} for name, role in deal.roles.items()
            },
            "owed": [] if deal.over else _owed(deal),
        }

    def summary(self) -> Json:
        deal = self.facts
        found: Json = {"out": deal.out, "bouts": deal.bouts}
        found["player.first"] = dict.fromkeys(deal.out[:1], 1)
        if deal.finished and not deal.void:
            found["losers"] = deal.losers
            found["draw"] = not deal.losers
        if deal.sides:
            found["sides"] = _named_sides(deal)
        return found


# --- parts of the prompt


def _announce(last: LastBoutFacts) -> str:
    """Return how the last bout ended, as the beginning of the prompt."""
    defender = last.defender
    parts = [
        tr("{name} has taken", name=defender)
        if last.taken
        else tr("{name} has covered", name=defender)
    ]
    parts += [tr("{name} draws {number}", name=name, number=number) for name, number in last.draws]
    if last.draws:
        parts.append(tr("{number} left in the talon", number=last.talon))
    parts += [tr("{name} is out", name=name) for name in last.out]
    return "; ".join(parts) + "; "


def _prompt_lead(deal: DealFacts) -> Prompt:
    if not deal.trump:
        if deal.never_trump:
            form = tr("say what is trump (not {suits}): turnup CARD, or trump SUIT")
            text = form.format(suits=deal.never_trump)
        else:
            text = tr("say what is trump: turnup CARD, or trump SUIT")
        if deal.may_lead:
            text = f"{text}; {tr('the holder of the lowest trump leads then: lead NAME')}"
        return Prompt(text, tr("the trump is to be said"))
    if len(deal.may_lead) > 1:
        who = listed(deal.may_lead, "or")
        text = tr("the holder of the lowest trump leads (lead NAME); it may be {who}", who=who)
        return Prompt(text, tr("the holder of the lowest trump leads; it may be {who}", who=who))
    text = plural(
        "{leader} leads against {defender}, at most {count} attack",
        "{leader} leads against {defender}, at most {count} attacks",
        deal.limit,
        leader=deal.leader,
        defender=deal.defender,
    )
    return Prompt(text)


def _prompt_more(deal: DealFacts) -> str:
    """Return who may still add how many attacks; empty if no player may."""
    most = max((min(deal.room, deal.cards[name]) for name in deal.adders), default=0)
    if not most:
        return ""
    return plural(
        "{names} may add {count} card",
        "{names} may add up to {count} cards",
        most,
        names=listed(deal.adders),
    )


# --- sentences


def _trump(deal: DealFacts) -> str:
    suit = suit_name(deal.trump)
    if deal.over:
        return tr("{suit} were trump", suit=suit)
    if deal.turned is None:
        return tr("{suit} are trump", suit=suit)
    return tr("{suit} are trump; {card} lies turned up", suit=suit, card=deal.turned)


def _bout(deal: DealFacts) -> str:
    """Return who attacks whom with how many cards. After transfers that reach the leader, the
    attackers are the players who laid the attacks."""
    by = [deal.leader]
    if deal.leader == deal.defender:
        by = [who for who in dict.fromkeys(each.who for each in deal.attacks) if who != by[0]]
    facts = {"laid": len(deal.attacks), "defender": deal.defender}
    if len(by) == 1:
        attacks = plural(
            "{leader} attacks {defender}: {laid} of at most {count} attack",
            "{leader} attacks {defender}: {laid} of at most {count} attacks",
            deal.limit,
            leader=by[0],
            **facts,
        )
    else:
        attacks = plural(
            "{names} attack {defender}: {laid} of at most {count} attack",
            "{names} attack {defender}: {laid} of at most {count} attacks",
            deal.limit,
            names=listed(by),
            **facts,
        )
    return f"{attacks}; {tr('{name} takes', name=deal.defender)}" if deal.taking else attacks


def _left(names: str, count: int, bouts: int) -> str:
    """Return which players still had cards at the end, after how many bouts."""
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


# --- JSON


def _bindings(deal: DealFacts) -> Json:
    last = deal.last_bout
    return {
        "trump": deal.trump or None,
        "leader": deal.leader if deal.certain else None,
        "defender": deal.defender if deal.certain else None,
        "limit": deal.limit,
        "left": None if deal.over else deal.room,
        "taking": deal.taking,
        "out": deal.out,
        "turned_up": deal.turned,
        "last_bout": None if last is None else _as_json(last),
        "losers": deal.losers,
    }


def _as_json(last: LastBoutFacts) -> Json:
    return {
        "outcome": "taken" if last.taken else "covered",
        "defender": last.defender,
        "draws": [list(draw) for draw in last.draws],
        "talon": last.talon,
        "out": last.out,
    }


def _named_sides(deal: DealFacts) -> Json:
    return {"+".join(names): names for names in deal.sides}


def _owed(deal: DealFacts) -> list[Json]:
    owed: list[Json] = [
        {"who": name, "what": "draw", "count": count} for name, count in deal.undrawn.items()
    ]
    if deal.attacks and not deal.is_answering:
        owed += [{"who": name, "what": "pass"} for name in deal.adders]
    return owed
