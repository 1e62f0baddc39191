"""Sides that differ from deal to deal: by cards held, by contract, or by the winner of a trick.

`Round.sides` holds the sides for all phases. This phase adds notes when a side is proven, and reads
the sides from a result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.expressions import TRUTH
from scorekeeper.core.messages import N_, Sentence, format_accounted_for, join_list, plural, tr
from scorekeeper.core.sides import (
    ACCEPTED,
    ALONE,
    CARDS,
    DECLARING,
    NAMED,
    OTHERS,
    SEATS,
    TRICK,
    Sides,
    shown_sides,
)
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.phase import CULPRIT, Measure, Phase, ResultPart, RoleSplit, SideRules, View
from scorekeeper.engine.round import lone_public_seat
from scorekeeper.engine.setup import stated_now
from scorekeeper.notation.syntax import Syntax, find_seat
from scorekeeper.ruleset.orders import iter_patterns, match_kinds
from scorekeeper.ruleset.tables import Parameter
from scorekeeper.ruleset.vocabulary import beside

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.types import Facts, Json, Row
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset

SOLOIST = "soloist"


@beside
class Parties(Phase[None], ResultPart, SideRules):
    """The phase that determines which side each player is on."""

    name = "parties"
    doc = (
        "Runs during the whole round. There are two sides, and the first is the declaring one. A "
        "player who holds a card of `holds` is on that side, unless in the contract its player is "
        "alone or a trick decides who their partner is."
    )
    concurrent = True
    tables = ("pack", "deal", "parties")
    parameters = {
        "mode": Parameter(
            "choice", "what determines the sides if there is no contract", "", ("", CARDS)
        )
    }
    row_tables = {
        "parties": {
            "holds": Parameter(
                "cards", "a player who holds one of these when play begins belongs to this side", []
            ),
            "cite": Parameter(
                "text", "the paragraph about a player who turns out to be alone on the side", ""
            ),
        }
    }
    measures = (
        Measure(
            "alone",
            "whether the declaring side is one player",
            lambda rnd, _: rnd.sides is not None and rnd.sides.is_alone,
            kind=TRUTH,
        ),
        Measure(
            "sides.clear",
            "whether everyone at the table can know who is on which side, calls included",
            lambda rnd, _: len(rnd.public_sides()) == len(rnd.seats),
            kind=TRUTH,
        ),
        Measure(
            "sides.alone",
            "whether everyone at the table can see that the declaring side is one player",
            lambda rnd, _: lone_public_seat(rnd) is not None,
            kind=TRUTH,
        ),
        Measure(
            "opposes",
            "whether they play against a player whom everyone can see to be alone",
            lambda rnd, seat: lone_public_seat(rnd) not in (None, seat),
            CULPRIT,
            kind=TRUTH,
        ),
    )

    def __init__(self, rules: Ruleset, row: Row) -> None:
        super().__init__(rules, row)
        self.names = list(rules.section("parties"))
        self.roles = (*self.names, SOLOIST)
        # verbs of entries that may contain unseen cards
        self.hiding_verbs: frozenset[str] = frozenset()
        # a mask of the kinds of card that put their holders on the declaring side
        self.watched_kinds = 0

    def link(self) -> None:
        pack = self.rules.pack
        for name, row in self.rules.section("parties").items():
            for pattern in iter_patterns(row["holds"]):
                try:
                    for kind in match_kinds(pack, pattern):
                        self.watched_kinds |= pack.bit[kind]
                except ValueError as error:
                    self.rules.fault(f"parties.{name}.holds", pattern, "cards", str(error))
        self.hiding_verbs = frozenset(
            verb.word
            for verb in self.rules.entry_types.values()
            if type(verb.syntax).hide_cards is not Syntax.hide_cards
        )
        if len(self.names) != 2:
            names = ", ".join(self.names) or "nothing"
            self.rules.fault("parties", names, "two sides", "[parties] must name two sides")

    def words(self) -> Iterable[tuple[str, str]]:
        return [(name, name) for name in self.names]

    def result_names(self) -> Iterable[str]:
        return self.names[:1]

    def splits(self, split: RoleSplit, seats: int) -> Iterator[RoleSplit]:
        copies = self.rules.pack.all_copies(self.watched_kinds).bit_count()
        modes = {row["sides"] for row in self.rules.section("contracts").values()}
        largest = 1 if modes == {ALONE} else min(seats, max(2, copies))
        for size in range(1, largest + 1):
            sides = (tuple(range(size)), tuple(range(size, seats)))
            roles = {name: (name, side) for name, side in zip(self.names, sides, strict=False)}
            said = ", ".join(f"{len(side)} {name}" for name, side in roles.values())
            if size == 1:
                roles[SOLOIST] = roles[self.names[DECLARING]]
            yield split.add(said, roles, {"alone": size == 1})

    def begin(self, rnd: Round) -> None:
        pack, knowledge = rnd.rules.pack, rnd.hands
        dealt = rnd.deal_size
        before = [max(0, dealt - size) for size in knowledge.sizes()]
        if len(rnd.seats) < len(before):
            before = [each if seat in rnd.seats else 0 for seat, each in enumerate(before)]
        mask = pack.all_copies(self.watched_kinds)
        rnd.sides = Sides(self.names, self.watched_kinds, mask, knowledge, rnd.seats, before)
        if self.row["mode"]:
            rnd.sides.set_contract(self.row["mode"], -1, 0, 1)

    def check_start(self, rnd: Round) -> None:
        """Add a note if hands entered card by card differ in size."""
        hands = rnd.setup.hands
        sizes = {seat: len(held) for seat, held in hands.items() if not isinstance(held, int)}
        if len(set(sizes.values())) > 1 and stated_now(rnd, "hand"):
            counts = [f"{rnd.names[seat]} {size}" for seat, size in sizes.items()]
            message = N_("the hands differ in size ({counts}), so one of them may be mistyped")
            rnd.add_note("parties.hands", message, {"counts": counts}, self.cite)

    def sides_proven(self, rnd: Round, seats: Sequence[int]) -> None:
        sides, number = rnd.require_sides(), len(rnd.log.entries)
        if sides.by_cards and not self._all_public(rnd):
            sides.unproven = False
            return
        if not rnd.acted:  # each setup fact restarts the round
            seats = [seat for seat in seats if not is_noted(rnd, sides, seat)]
        known, others = sides.known, list[int]()
        for seat in seats:
            if known[seat] == DECLARING:
                remark_proven(rnd, sides, [seat], explain_declaring(rnd, sides, seat), self.cite)
            else:
                others.append(seat)
        if others and sides.by_cards and sides.unseen_counts()[0]:
            for seat in others:
                why = tr("all of {who}'s cards are known", who=rnd.names[seat])
                remark_proven(rnd, sides, [seat], why, self.cite)
        elif others:
            remark_proven(rnd, sides, others, explain_others(rnd, sides), self.cite)
        if seats and not sides.unproven and sides.is_alone:
            remark_found_alone(rnd, sides, number, self.cite)

    def public_sides(self, rnd: Round) -> Mapping[int, int]:
        sides = rnd.require_sides()
        return shown_sides(sides, rnd.cards_seen() if sides.by_cards else ())

    def _all_public(self, rnd: Round) -> bool:
        """Return whether the whole record is public, with no hidden hand and no buried card."""
        for entry in rnd.log.entries:
            verb = entry.type
            if (
                verb.word in self.hiding_verbs
                and verb.syntax.hide_cards(entry.value) != entry.value
            ):
                return False
        return True

    def close(self, rnd: Round) -> None:
        sides = rnd.require_sides()
        if rnd.void:
            return
        if not sides.is_complete:
            rnd.scored = False
            return
        for side in (DECLARING, OTHERS):
            name = sides.names[side]
            rnd.roles[name] = (name, sides.members(side))
        declaring = rnd.roles[sides.names[DECLARING]]
        if len(declaring[1]) == 1:
            rnd.roles[SOLOIST] = declaring

    # --- results

    def read_result(self, rnd: Round, result: dict[str, str]) -> None:
        sides = rnd.require_sides()
        if rnd.void:
            return
        key, proven = sides.names[DECLARING], sides.is_complete
        text = result.pop(key, "")
        if not text and proven:
            return
        if not text:
            refuse_to_guess(rnd, sides)
        seats = [playing_seat(rnd, name) for name in text.split("+")]
        if len(set(seats)) != len(seats):
            raise Impossible(tr("{key}={text} names a player twice", key=key, text=text))
        check_sides(rnd, sides, seats)
        sides.assign_from_result(seats)
        if len(seats) == 1 and sides.mode != ALONE and not proven:
            remark_alone(rnd, sides, self.cite)

    def result_fields(self, rnd: Round) -> list[tuple[str, str, list[str]]]:
        key = self.names[DECLARING]
        if rnd.sides is not None and rnd.sides.is_complete:
            return []
        return [(key, tr("who was {side} (NAME or NAME+NAME)", side=key), rnd.names_of(rnd.seats))]

    # --- notes

    def view(self, rnd: Round) -> PartiesView:
        sides = rnd.require_sides()
        unknown = [seat for seat in rnd.seats if sides.side_of(seat) is None]
        return PartiesView(
            PartiesFacts(
                players=rnd.names,
                sides={
                    name: rnd.names_of(sides.members(side)) for side, name in enumerate(sides.names)
                },
                labels={name: rnd.rules.translate(name) for name in sides.names},
                unknown=rnd.names_of(unknown),
                complete=sides.is_complete,
                void=rnd.void,
            )
        )


# --- view


class PartiesFacts(NamedTuple):
    """The players known to be on each side.

    `players` are all players, even if they sit out. `sides` maps a side's name to its players, and
    `labels` to its title. `unknown` are the players whose side is not known. `complete` is true if
    all sides are known.
    """

    players: Sequence[str]
    sides: Mapping[str, list[str]]
    labels: Mapping[str, str]
    unknown: list[str]
    complete: bool
    void: bool


class PartiesView(View[PartiesFacts]):
    """The sides as text and JSON."""

    __slots__ = ()

    def sentences(self) -> Iterator[Sentence]:
        sides, unknown = self.facts.sides, self.facts.unknown
        for side, players in sides.items():
            if players:
                message = plural(
                    "{names} is {side}",
                    "{names} are {side}",
                    len(players),
                    names=join_list(players),
                    side=self.facts.labels[side],
                )
                yield Sentence(message)
        if any(sides.values()) and not self.facts.complete:
            message = plural(
                "it is not yet known which side {names} is on",
                "it is not yet known which side {names} are on",
                len(unknown),
                names=join_list(unknown),
            )
            yield Sentence(message, on_table=True)

    def result_sentences(self) -> Iterator[str]:
        return (sentence.text for sentence in self.sentences())

    def as_json(self) -> Json:
        facts = self.facts
        players: dict[str, Json] = {name: {"role": None} for name in facts.players}
        for side, names in facts.sides.items():
            players.update((name, {"role": side}) for name in names)
        return {"sides": facts.sides, "players": players}

    def summary(self) -> Json:
        facts = self.facts
        return {"sides": facts.sides} if facts.complete and not facts.void else {}


# --- notes on proven sides


def remark_proven(rnd: Round, sides: Sides, seats: list[int], why: str, cite: str) -> None:
    """Add a note that states the side of these seats and the proof."""
    names, side = rnd.names_of(seats), sides.names[sides.known[seats[0]] or DECLARING]
    facts = {"who": names, "side": side, "entry": len(rnd.log.entries), "evidence": why}
    message = N_("{who} is {side}: {evidence}")
    if len(names) > 1:
        facts["names"], message = join_list(names), N_("{names} are {side}: {evidence}")
    rnd.add_note("parties.proven", message, facts, cite)


def is_noted(rnd: Round, sides: Sides, seat: int) -> bool:
    """Return whether a note about this seat's side exists."""
    name, side = rnd.names[seat], sides.names[sides.side_of(seat) or DECLARING]
    return any(
        facts.get("side") == side and isinstance(facts.get("who"), list) and name in facts["who"]
        for facts in rnd.finding_facts()
    )


def explain_declaring(rnd: Round, sides: Sides, seat: int) -> str:
    """Return the proof, given by the last entry, that a seat is on the declaring side. It is a
    trick, a card, or a count of unseen cards."""
    if not sides.by_cards:
        name = rnd.names[sides.declarer]
        return tr(
            "the first player besides {name} to win a trick (trick {number})",
            name=name,
            number=sides.settled_after,
        )
    pack, entries = rnd.rules.pack, rnd.log.entries
    seen: Iterable[int] = pack.kinds_in(rnd.hands.known[seat] & sides.mask)
    if sides.shown_counts[seat] and entries[-1].type.plays_cards:
        laid = rnd.rules.hand_cards(entries[-1])
        seen = (kind for player, kinds in laid if player == seat for kind in kinds)
    for kind in seen:
        if sides.watched_cards >> kind & 1:
            return f"{pack.kinds[kind]} ({len(entries)})"
    inside, outside = sides.unseen_counts()
    cards, who = name_cards(rnd, sides), rnd.names[seat]
    return tr(
        "{who} has {held} of the {unseen} unseen cards, and {inside} of the unseen cards are"
        " {cards}",
        who=who,
        held=rnd.hands.unknown_count[seat] + sides.unseen_plays[seat],
        unseen=inside + outside,
        inside=inside,
        cards=cards,
    )


def explain_others(rnd: Round, sides: Sides) -> str:
    """Return the proof that seats are on the other side. The proof is that the whole declaring side
    is known."""
    if sides.by_cards:
        return format_accounted_for(sides.copies, name_cards(rnd, sides))
    name, *partner = rnd.names_of(
        sorted(sides.members(DECLARING), key=lambda seat: seat != sides.declarer)
    )
    if not partner:
        return tr("{name} has no partner", name=name)
    return tr(
        "{partner} was the first player besides {name} to win a trick (trick {number})",
        partner=partner[0],
        name=name,
        number=sides.settled_after,
    )


def remark_found_alone(rnd: Round, sides: Sides, number: int, cite: str) -> None:
    """Add a note that a player plays alone without having declared it. The note also states the
    effect on the score."""
    side = sides.names[DECLARING]
    (name,) = rnd.names_of(sides.members(DECLARING))
    facts: Facts = {"who": name, "side": side, "entry": number}
    facts["counts"] = rows = rnd.rules.labels_for(SOLOIST)
    if sides.by_cards:
        facts["why"] = tr("no other player had {cards}", cards=name_cards(rnd, sides))
    else:
        facts["why"] = tr(
            "no other player won any of the first {within} tricks", within=sides.partner_by
        )
    message = N_("{who} is {side} alone, because {why}")
    if rows:
        message = N_("{who} is {side} alone, because {why} ({counts})")
    cite = rnd.rules.section("parties")[side]["cite"] or cite
    rnd.add_note("parties.alone", message, facts, cite)


def name_cards(rnd: Round, sides: Sides) -> str:
    """Return the names of the cards that decide the sides."""
    pack = rnd.rules.pack
    kinds = dict.fromkeys(pack.kinds_in(sides.mask))
    return join_list([pack.kinds[kind] for kind in kinds], "or")


# --- result keys


def playing_seat(rnd: Round, name: str) -> int:
    """Return the seat of a player who takes part. Raises Unreadable if the text names no player,
    and Impossible if the player sits out."""
    seat = find_seat(rnd.names, name)
    if seat not in rnd.seats:
        raise Impossible(tr("{who} sits out this round", who=rnd.names[seat]))
    return seat


def refuse_to_guess(rnd: Round, sides: Sides) -> NoReturn:
    """Raise Unreadable, because a result must name the players of the side even if some are
    proven."""
    key, known = sides.names[DECLARING], rnd.names_of(sides.members(DECLARING))
    first = known[0] if known else "NAME"
    message = tr("the result must state who is {side}", side=key)
    if known:
        message = tr(
            "the result must state who is {side}; the entries so far show only {names}",
            side=key,
            names=join_list(known),
        )
    hint = tr("enter {alone}, or {both}", alone=f"{key}={first}", both=f"{key}={first}+NAME")
    raise Unreadable(message, hint)


def check_sides(rnd: Round, sides: Sides, seats: list[int]) -> None:
    """Raise Impossible if these seats cannot be the declaring side, according to the contract or
    the record."""
    key, names = sides.names[DECLARING], join_list(rnd.names_of(seats))
    for seat in rnd.seats:
        proven = sides.side_of(seat)
        if proven is not None and proven != (DECLARING if seat in seats else OTHERS):
            side = sides.names[proven]
            raise Impossible(
                tr(
                    "according to the entries, {who} is {side}, contrary to the result",
                    who=rnd.names[seat],
                    side=side,
                )
            )
    most = _max_declaring(rnd, sides)
    if len(seats) > most:
        raise Impossible(
            plural(
                "in that contract, {side} is one player, not {names}",
                "in that contract, {side} is at most {count} players, not {names}",
                most,
                side=key,
                names=names,
            )
        )
    if sides.mode == ACCEPTED and len(seats) < most:
        raise Impossible(
            tr("in that contract, {side} is two players, not {names} alone", side=key, names=names)
        )
    undealt = sides.knowledge.unheld_count()
    seen = sum(sides.dealt_bounds(seat)[1] for seat in seats)
    if sides.by_cards and seen < sides.copies - undealt:
        raise Impossible(
            tr(
                "according to the entries, another player is {side} too, not only {names}",
                side=key,
                names=names,
            )
        )
    if sides.mode == TRICK and sides.declarer >= 0 and sides.declarer not in seats:
        raise Impossible(
            tr("{who} declared it, so they are {side}", who=rnd.names[sides.declarer], side=key)
        )


def _max_declaring(rnd: Round, sides: Sides) -> int:
    """Return the maximum size of the declaring side under the rule that decides the sides."""
    mode = sides.mode
    if mode == SEATS:
        return rnd.rules.side_size(len(rnd.seats))
    return {ALONE: 1, CARDS: sides.copies, NAMED: 1 + max(1, sides.copies)}.get(mode, 2)


def remark_alone(rnd: Round, sides: Sides, cite: str) -> None:
    """Add a note that a result with one name means that this player played alone. The note also
    states the effect on the score, so that users notice a forgotten partner."""
    pack, (seat,) = rnd.rules.pack, sides.members(DECLARING)
    cards = " ".join(pack.kinds[kind] for kind in pack.kinds_in(sides.mask))
    rows = rnd.rules.labels_for(SOLOIST)
    facts: Facts = {
        "who": rnd.names[seat],
        "side": sides.names[DECLARING],
        "counts": rows,
    }
    if sides.by_cards:
        facts["cards"] = cards
        message = N_(
            "{who} is assumed to have held {cards} and to be {side} alone ({counts}); if they"
            " had a partner, enter {side}={who}+NAME"
        )
    else:
        message = N_(
            "{who} is assumed to have found no partner and to be {side} alone ({counts}); if"
            " they had a partner, enter {side}={who}+NAME"
        )
    if not rows:
        message = N_(
            "{who} is assumed to be {side} alone; if they had a partner, enter {side}={who}+NAME"
        )
    rnd.add_note("parties.alone", message, facts, cite)
