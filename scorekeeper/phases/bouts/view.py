"""The view of a deal played in bouts: its facts, and the texts and JSON made from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import Prompt, Sentence, join_list, plural, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.phase import View
from scorekeeper.phases.bouts.state import PASS, attacks_left, fixed_sides, possible_adders
from scorekeeper.ruleset.orders import suit_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from scorekeeper.core.types import Json
    from scorekeeper.engine.round import Round
    from scorekeeper.phases.bouts.state import BoutSettings, LastBout, State


class AttackFacts(NamedTuple):
    """An attack on the table: the player, the card, and its cover if there is one."""

    who: str
    attack: str
    cover: str | None


class LastBoutFacts(NamedTuple):
    """The end of the last bout.

    `draws` are pairs of a player and the number of cards that they drew. `talon` is the number of
    cards left in the talon after the draws. `out` are the players who went out at the end of the
    bout.
    """

    is_taken: bool
    defender: str
    draws: tuple[tuple[str, int], ...]
    talon: int
    out: list[str]


class DealFacts(NamedTuple):
    """A deal played in bouts, with player names and card codes.

    `trump` is a suit, or empty if the trump is unknown. `turned` is the turned-up card while it is
    in the talon. `never_trump` lists the suits that cannot be trump. `possible_leaders` are the
    players who may hold the lowest trump. If there is at most one, `is_leader_certain` is true and
    `leader` is the player who leads.

    `attacks_left` is the number of attacks that may still be played, and `adders` are the players
    who may play them. `cards` are the sizes of all hands. `unnamed_draws` maps players to the
    number of cards that they drew and have not named. `dealer_touch` is `first` or `last` if the
    first or last player to touch the pack becomes the next dealer. `is_over` is true at the end of
    the deal, and `is_finished` at the end of the round. `is_void` is true if the round is void, and
    `has_result` if the round was entered as a result.
    """

    sides: list[list[str]]
    trump: str
    turned: str | None
    never_trump: str
    possible_leaders: list[str]
    leader: str
    defender: str
    is_leader_certain: bool
    attacks: list[AttackFacts]
    limit: int
    attacks_left: int
    adders: list[str]
    pass_word: str
    is_taking: bool
    cards: Mapping[str, int]
    roles: Mapping[str, str | None]
    talon: int
    unnamed_draws: Mapping[str, int]
    out: list[str]
    last_bout: LastBoutFacts | None
    bouts: int
    losers: list[str]
    dealer_touch: str
    is_over: bool
    is_finished: bool
    is_void: bool
    has_result: bool

    @property
    def must_answer(self) -> bool:
        """True while the defender must cover an attack or take."""
        return not self.is_taking and any(each.cover is None for each in self.attacks)


def view(terms: BoutSettings, rnd: Round, st: State) -> BoutsView:
    """Return the view of the deal in its current state."""
    names, kinds = rnd.names, rnd.rules.pack.kinds
    return BoutsView(
        DealFacts(
            sides=[rnd.names_of(side) for side in fixed_sides(rnd)],
            trump=st.trump,
            turned=None if st.turned is None else kinds[st.turned],
            never_trump=" ".join(terms.row["never_trump"]),
            possible_leaders=rnd.names_of(st.possible_leaders),
            leader=names[st.leader],
            defender=names[st.defender],
            is_leader_certain=st.is_leader_certain,
            attacks=[
                AttackFacts(names[by], kinds[attack], None if cover is None else kinds[cover])
                for attack, by, cover in zip(st.attacks, st.by, st.covers_by_attack, strict=True)
            ],
            limit=st.limit,
            attacks_left=0 if st.is_over else max(0, attacks_left(terms, rnd, st)),
            adders=[] if st.is_over else rnd.names_of(possible_adders(rnd, st)),
            pass_word=rnd.rules.translate_word(PASS.word),
            is_taking=st.is_taking,
            cards={names[seat]: rnd.hands.size(seat) for seat in rnd.seats},
            roles={names[seat]: _role(st, seat) for seat in rnd.seats},
            talon=st.talon,
            unnamed_draws={
                names[seat]: drawn.unnamed for seat, drawn in st.owed_draws.items() if drawn.unnamed
            },
            out=rnd.names_of(st.out),
            last_bout=None if st.last_bout is None else _last_bout(rnd, st.last_bout),
            bouts=st.bouts,
            losers=rnd.names_of(st.losers),
            dealer_touch=terms.row["touch"] if st.is_over and not rnd.ended else "no",
            is_over=st.is_over,
            is_finished=rnd.over,
            is_void=rnd.void,
            has_result=rnd.result is not None,
        )
    )


def _role(st: State, seat: int) -> str | None:
    """Return the seat's role in the bout, if it is certain who leads."""
    if st.is_over or (seat in st.out and not st.attacks) or len(st.possible_leaders) > 1:
        return None
    if seat == st.defender:
        return "defender"
    if seat == st.leader:
        return "leader"
    return "attacker" if seat in st.attackers else None


def _last_bout(rnd: Round, last: LastBout) -> LastBoutFacts:
    draws = tuple((rnd.names[seat], number) for seat, number in last.draws)
    defender, out = rnd.names[last.defender], rnd.names_of(last.out)
    return LastBoutFacts(last.is_taken, defender, draws, last.talon, out)


class BoutsView(View[DealFacts]):
    """The view of a deal played in bouts."""

    __slots__ = ()

    # --- prompt

    def prompt(self) -> Prompt:
        deal = self.facts
        if deal.is_over:
            return Prompt(tr("the deal is over"))
        if not deal.attacks:
            ended = "" if deal.last_bout is None else _announce(deal.last_bout)
            leads = _prompt_lead(deal)
            awaited = leads.for_onlookers and ended + leads.for_onlookers
            return Prompt(ended + leads.text, awaited)
        more = _prompt_more(deal)
        if deal.must_answer:
            open_attacks = [each.attack for each in deal.attacks if each.cover is None]
            answers = tr(
                "{defender} answers {attacks}",
                defender=deal.defender,
                attacks=" ".join(open_attacks),
            )
            return Prompt(f"{answers}; {more}" if more else answers)
        if deal.is_taking:
            form = tr("{defender} takes; {more}, or enter {word}")
        else:
            form = tr("{more}, or enter {word}")
        return Prompt(form.format(defender=deal.defender, more=more, word=deal.pass_word))

    # --- current state

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
            one, *others = map(join_list, deal.sides)
            for other in others:
                one = tr("{names} against {others}", names=one, others=other)
            yield Sentence(one)
        if deal.trump:
            yield Sentence(_trump_sentence(deal))
        if not deal.is_over and deal.attacks:
            yield Sentence(_bout_sentence(deal), on_table=True)
        if not deal.is_over and deal.talon:
            text = plural(
                "{count} card is left in the talon",
                "{count} cards are left in the talon",
                deal.talon,
            )
            yield Sentence(text)
        if deal.out:
            names = join_list(deal.out)
            yield Sentence(plural("{names} is out", "{names} are out", len(deal.out), names=names))
        if deal.dealer_touch == "first":
            text = tr("the first player to touch the pack before the deal becomes the dealer")
            yield Sentence(text)
        elif deal.dealer_touch == "last":
            text = tr("the last player to touch the pack before the deal becomes the dealer")
            yield Sentence(text)
        for name, count in () if deal.is_over else deal.unnamed_draws.items():
            text = plural(
                "{count} card that {name} drew has not been named",
                "{count} cards that {name} drew have not been named",
                count,
                name=name,
            )
            yield Sentence(text)

    def result_sentences(self) -> Iterator[str]:
        deal = self.facts
        if deal.is_void:
            return
        if not deal.losers:
            yield tr("nobody has lost: a draw")
        elif not deal.has_result:
            left = [
                f"{name} ({plural('{count} card', '{count} cards', deal.cards[name])})"
                for name in deal.losers
                if name not in deal.out
            ]
            left = left or deal.losers
            yield _loser_sentence(join_list(left), len(left), deal.bouts)
        if deal.out:
            yield tr("out, in this order: {names}", names=", ".join(deal.out))

    # --- JSON

    def as_json(self) -> Json:
        deal = self.facts
        return {
            "bindings": _bindings_json(deal),
            "table": [each._asdict() for each in deal.attacks],
            "talon": deal.talon,
            "sides": _named_sides(deal),
            "players": {
                name: {"role": role, "out": name in deal.out} for name, role in deal.roles.items()
            },
            "owed": [] if deal.is_over else _owed_json(deal),
        }

    def summary(self) -> Json:
        deal = self.facts
        found: Json = {"out": deal.out, "bouts": deal.bouts}
        found["player.first"] = dict.fromkeys(deal.out[:1], 1)
        if deal.is_finished and not deal.is_void:
            found["losers"] = deal.losers
            found["draw"] = not deal.losers
        if deal.sides:
            found["sides"] = _named_sides(deal)
        return found


# --- parts of the prompt


def _announce(last: LastBoutFacts) -> str:
    """Return the part of the prompt that describes how the last bout ended."""
    defender = last.defender
    parts = [
        tr("{name} has taken", name=defender)
        if last.is_taken
        else tr("{name} has covered everything", name=defender)
    ]
    parts += [tr("{name} draws {number}", name=name, number=number) for name, number in last.draws]
    if last.draws:
        parts.append(tr("{number} left in the talon", number=last.talon))
    parts += [tr("{name} is out", name=name) for name in last.out]
    return "; ".join(parts) + "; "


def _prompt_lead(deal: DealFacts) -> Prompt:
    if not deal.trump:
        if deal.never_trump:
            form = tr("enter the trump (not {suits}): turnup CARD, or trump SUIT")
            text = form.format(suits=deal.never_trump)
        else:
            text = tr("enter the trump: turnup CARD, or trump SUIT")
        if deal.possible_leaders:
            then = tr("then enter “lead NAME” for the player with the lowest trump")
            text = f"{text}; {then}"
        return Prompt(text, tr("the trump must be entered"))
    if len(deal.possible_leaders) > 1:
        who = join_list(deal.possible_leaders, "or")
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
    """Return the part of the prompt that names the players who may add attacks, and the number of
    attacks. It is empty if no player may add one."""
    most = max((min(deal.attacks_left, deal.cards[name]) for name in deal.adders), default=0)
    if not most:
        return ""
    return plural(
        "{names} may add {count} card",
        "{names} may add up to {count} cards",
        most,
        names=join_list(deal.adders),
    )


# --- sentences


def _trump_sentence(deal: DealFacts) -> str:
    suit = suit_name(deal.trump)
    if deal.is_over:
        return tr("{suit} were trump", suit=suit)
    if deal.turned is None:
        return tr("{suit} are trump", suit=suit)
    return tr("{suit} are trump; {card} is turned up", suit=suit, card=deal.turned)


def _bout_sentence(deal: DealFacts) -> str:
    """Return a sentence that names the attackers, the defender and the number of attacks. If
    transfers have brought the attack back to the leader, the attackers are the players who played
    the attacks."""
    by = [deal.leader]
    if deal.leader == deal.defender:
        by = [who for who in dict.fromkeys(each.who for each in deal.attacks) if who != by[0]]
    facts = {"laid": len(deal.attacks), "defender": deal.defender}
    if len(by) == 1:
        attacks = plural(
            "{leader} attacks {defender} with {laid} of at most {count} card",
            "{leader} attacks {defender} with {laid} of at most {count} cards",
            deal.limit,
            leader=by[0],
            **facts,
        )
    else:
        attacks = plural(
            "{names} attack {defender} with {laid} of at most {count} card",
            "{names} attack {defender} with {laid} of at most {count} cards",
            deal.limit,
            names=join_list(by),
            **facts,
        )
    return f"{attacks}; {tr('{name} takes', name=deal.defender)}" if deal.is_taking else attacks


def _loser_sentence(names: str, count: int, bouts: int) -> str:
    """Return a sentence that names the players with cards left at the end, and the number of
    bouts."""
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


def _bindings_json(deal: DealFacts) -> Json:
    last = deal.last_bout
    return {
        "trump": deal.trump or None,
        "leader": deal.leader if deal.is_leader_certain else None,
        "defender": deal.defender if deal.is_leader_certain else None,
        "limit": deal.limit,
        "left": None if deal.is_over else deal.attacks_left,
        "taking": deal.is_taking,
        "out": deal.out,
        "turned_up": deal.turned,
        "last_bout": None if last is None else _last_bout_json(last),
        "losers": deal.losers,
    }


def _last_bout_json(last: LastBoutFacts) -> Json:
    return {
        "outcome": "taken" if last.is_taken else "covered",
        "defender": last.defender,
        "draws": [list(draw) for draw in last.draws],
        "talon": last.talon,
        "out": last.out,
    }


def _named_sides(deal: DealFacts) -> Json:
    return {"+".join(names): names for names in deal.sides}


def _owed_json(deal: DealFacts) -> list[Json]:
    owed: list[Json] = [
        {"who": name, "what": "draw", "count": count} for name, count in deal.unnamed_draws.items()
    ]
    if deal.attacks and not deal.must_answer:
        owed += [{"who": name, "what": "pass"} for name in deal.adders]
    return owed
