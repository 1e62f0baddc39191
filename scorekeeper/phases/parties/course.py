"""Sides as they are found during a round. Part of parties."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible
from scorekeeper.core.messages import mark, tr
from scorekeeper.core.sides import ALONE, CARDS, DECLARING, OTHERS, Parties
from scorekeeper.notation.syntax import Syntax
from scorekeeper.phases.parties.results import (
    check_sides,
    playing_seat,
    refuse_to_guess,
    remark_alone,
)
from scorekeeper.phases.parties.telling import (
    SOLOIST,
    is_noted,
    remark_found_alone,
    remark_proven,
    sentences,
    why_declaring,
    why_others,
)
from scorekeeper.play.positions import said_now
from scorekeeper.ruleset.evidence import publicly_alone
from scorekeeper.ruleset.orders import each_pattern, kinds_of
from scorekeeper.ruleset.phase import CULPRIT, Measure, Phase
from scorekeeper.ruleset.splits import Split
from scorekeeper.ruleset.tables import Parameter
from scorekeeper.ruleset.vocabulary import phase

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scorekeeper.core.types import Json, Row
    from scorekeeper.ruleset.joint import Joint, Rules


@phase
class PartiesPhase(Phase[None]):
    """Who is on which side, as far as it is proven."""

    name = "parties"
    doc = (
        "Beside the rest: two sides, the first the declaring one. Who holds a card of `holds` is"
        " on it, unless the contract says that its player is alone or that a trick finds them a"
        " partner."
    )
    beside = True
    tables = ("pack", "deal", "parties")
    parameters = {
        "mode": Parameter("choice", "what makes the sides without a contract", "", ("", CARDS))
    }
    sections = {
        "parties": {
            "holds": Parameter(
                "cards", "who holds one of these when play begins belongs to this side", []
            ),
            "cite": Parameter("text", "the paragraph on who turns out to be alone on it", ""),
        }
    }
    measures = (
        Measure(
            "alone",
            "whether the declaring side is one player",
            lambda rnd, _: rnd.parties is not None and rnd.parties.alone,
        ),
        Measure(
            "sides.clear",
            "whether everyone at the table can know who is on which side, calls included",
            lambda rnd, _: len(rnd.public_sides()) == len(rnd.seats),
        ),
        Measure(
            "sides.alone",
            "whether everyone at the table can see that the declaring side is one player",
            lambda rnd, _: publicly_alone(rnd) is not None,
        ),
        Measure(
            "opposes",
            "whether they play against one of whom everyone can see that they are alone",
            lambda rnd, seat: publicly_alone(rnd) not in (None, seat),
            CULPRIT,
        ),
    )

    def __init__(self, rules: Rules, row: Row) -> None:
        super().__init__(rules, row)
        self.names = list(rules.section("parties"))
        self.hiding: frozenset[str] = frozenset()  # the verbs that may name cards that nobody saw
        self.watched = 0  # the kinds of card (a mask) that make their holders the declaring side

    def link(self) -> None:
        pack = self.rules.pack
        for name, row in self.rules.section("parties").items():
            for pattern in each_pattern(row["holds"]):
                try:
                    for kind in kinds_of(pack, pattern):
                        self.watched |= pack.bit[kind]
                except ValueError as error:
                    self.rules.fault(f"parties.{name}.holds", pattern, "cards", str(error))
        self.hiding = frozenset(
            verb.word
            for verb in self.rules.verbs.values()
            if type(verb.syntax).hidden is not Syntax.hidden
        )
        if len(self.names) != 2:
            found = ", ".join(self.names) or "nothing"
            self.rules.fault("parties", found, "two sides", "[parties] must name two sides")

    def words(self) -> Iterable[tuple[str, str]]:
        return [(name, name) for name in self.names]

    def result_names(self) -> Iterable[str]:
        return self.names[:1]

    def role_names(self) -> Iterable[str]:
        return (*self.names, SOLOIST)

    def splits(self, split: Split, seats: int) -> Iterator[Split]:
        copies = self.rules.pack.spread(self.watched).bit_count()
        for size in range(1, min(seats, max(2, copies)) + 1):
            sides = (tuple(range(size)), tuple(range(size, seats)))
            roles = {name: (name, side) for name, side in zip(self.names, sides, strict=False)}
            said = ", ".join(f"{len(side)} {name}" for name, side in roles.values())
            if size == 1:
                roles[SOLOIST] = roles[self.names[DECLARING]]
            yield split.also(said, roles, {"alone": size == 1})

    def begin(self, rnd: Joint) -> None:
        pack, knowledge = rnd.rules.pack, rnd.hands
        dealt = rnd.rules.deal_size(len(rnd.seats))
        before = [max(0, dealt - size) for size in knowledge.sizes()]
        if len(rnd.seats) < len(before):
            before = [each if seat in rnd.seats else 0 for seat, each in enumerate(before)]
        mask = pack.spread(self.watched)
        rnd.parties = Parties(self.names, self.watched, mask, knowledge, rnd.seats, before)
        if self.row["mode"]:
            rnd.parties.fix(self.row["mode"], -1, 0, 1)

    def position(self, rnd: Joint) -> None:
        """Note that hands which were entered card by card differ in size."""
        given = rnd.start.hands
        sizes = {seat: len(held) for seat, held in given.items() if not isinstance(held, int)}
        if len(set(sizes.values())) > 1 and said_now(rnd, "hand"):
            counts = [f"{rnd.names[seat]} {size}" for seat, size in sizes.items()]
            say = mark("the hands differ in size ({counts}): one of them may be mistyped")
            rnd.remark("parties.hands", say, {"counts": counts}, self.cite)

    def sides_proven(self, rnd: Joint, seats: Sequence[int]) -> None:
        parties, number = rnd.require_parties(), len(rnd.entries())
        if parties.by_cards and not self._all_public(rnd):
            parties.awaited = False
            return
        if not rnd.acted:  # each fact of the start begins the round anew
            seats = [seat for seat in seats if not is_noted(rnd, parties, seat)]
        known, others = parties.known, list[int]()
        for seat in seats:
            if known[seat] == DECLARING:
                remark_proven(rnd, parties, [seat], why_declaring(rnd, parties, seat), self.cite)
            else:
                others.append(seat)
        if others and parties.by_cards and parties.unseen()[0]:
            for seat in others:
                why = tr("all cards of {who}'s are known", who=rnd.names[seat])
                remark_proven(rnd, parties, [seat], why, self.cite)
        elif others:
            remark_proven(rnd, parties, others, why_others(rnd, parties), self.cite)
        if seats and not parties.awaited and parties.alone:
            remark_found_alone(rnd, parties, number, self.cite)

    def public_sides(self, rnd: Joint) -> Mapping[int, int]:
        from scorekeeper.core.sides import shown_sides

        parties = rnd.require_parties()
        return shown_sides(parties, rnd.cards_seen() if parties.by_cards else ())

    def _all_public(self, rnd: Joint) -> bool:
        """Whether the table has seen all that was entered: no hand, and nothing that was buried."""
        for entry in rnd.entries():
            verb = entry.verb
            if verb.word in self.hiding and verb.syntax.hidden(entry.value) != entry.value:
                return False
        return True

    def close(self, rnd: Joint) -> None:
        parties = rnd.require_parties()
        if rnd.void:
            return
        if not parties.complete:
            rnd.scored = False
            return
        for side in (DECLARING, OTHERS):
            name = parties.names[side]
            rnd.roles[name] = (name, parties.members(side))
        declaring = rnd.roles[parties.names[DECLARING]]
        if len(declaring[1]) == 1:
            rnd.roles[SOLOIST] = declaring

    # --- results

    def read_result(self, rnd: Joint, said: dict[str, str]) -> None:
        parties = rnd.require_parties()
        if rnd.void:
            return
        key, proven = parties.names[DECLARING], parties.complete
        text = said.pop(key, "")
        if not text and proven:
            return
        if not text:
            refuse_to_guess(rnd, parties)
        seats = [playing_seat(rnd, name) for name in text.split("+")]
        if len(set(seats)) != len(seats):
            raise Impossible(tr("{key}={text} names a player twice", key=key, text=text))
        check_sides(rnd, parties, seats)
        parties.assign_from_result(seats)
        if len(seats) == 1 and parties.mode != ALONE and not proven:
            remark_alone(rnd, parties, self.cite)

    def fields(self, rnd: Joint) -> list[tuple[str, str, list[str]]]:
        key = self.names[DECLARING]
        if rnd.parties is not None and rnd.parties.complete:
            return []
        return [(key, tr("who was {side} (NAME or NAME+NAME)", side=key), rnd.names_of(rnd.seats))]

    # --- what is told

    def describe(self, rnd: Joint) -> Json:
        parties = rnd.require_parties()
        sides: dict[str, list[str]] = {name: [] for name in parties.names}
        players: dict[str, Json] = {name: {"role": None} for name in rnd.names}
        for seat in rnd.seats:
            side = parties.of(seat)
            if side is not None:
                sides[parties.names[side]].append(rnd.names[seat])
                players[rnd.names[seat]] = {"role": parties.names[side]}
        return {"sides": sides, "players": players}

    def sentences(self, rnd: Joint) -> Iterator[str]:
        return sentences(rnd)

    def score_sentences(self, rnd: Joint) -> Iterator[str]:
        return sentences(rnd)

    def summary(self, rnd: Joint) -> Json:
        parties = rnd.require_parties()
        if not parties.complete or rnd.void:
            return {}
        sides = (DECLARING, OTHERS)
        return {
            "sides": {parties.names[side]: rnd.names_of(parties.members(side)) for side in sides}
        }
