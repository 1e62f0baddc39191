"""Who sits where in a round, with which tally; and who comes, goes or moves before it.

A standing says who sits as soon as somebody has come or gone: `roster` holds `seats` (the names in
their order), `came` (those who were not there at the beginning, in the order in which they came)
and `away` (what stands on the sheet for those who left). Without it those sit who began.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.notation import Notation, check_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.core.rulings import Line
    from scorekeeper.core.types import Json, Standing
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.engine.state import Setup
    from scorekeeper.notation import Lexicon

ROSTER_VERBS = ("joins", "quits", "seats")  # the verbs with which that is said
AFTER, INSTEAD = "after", "for"  # where who comes sits: beside somebody, or in their place
ROSTER, SEATS, CAME, AWAY = "roster", "seats", "came", "away"
DEALT = "dealt"  # the seat of who dealt last, where the deal only moves on
MIN_TALLY, MAX_TALLY, MEAN_TALLY = "least", "most", "mean"


class Seating:
    """The seats of one round: numbers from 0 in the order of the names; left is next. They are as
    the standing and the facts of the start have them, and are taken anew after each fact.

    `seats` are those that take part, `names` who sits in each; `starting_tally` is the tally as
    the round began and `tally` as it stands now, by seat; `lines` are changes that happened
    outside the score rows. `step` is the direction of play: 1 to the left, -1 to the right.

    `initial_players` are those who began the match, and sit if the standing says nothing else.
    `first_standing` is the standing that the round was opened with, `standing` the same as those
    have changed it who came and went since; neither is ever changed. `at_table` are those at the
    table, whether or not the ruleset can seat them; `seating_error` says why it cannot: then the
    round stays made for those who sat there before, and nothing happens in it.
    """

    __slots__ = (
        *(
            "starting_tally",
            "standing",
            "first_standing",
            "dealer",
            "leader",
            "lines",
            "initial_players",
            "names",
            "rules",
        ),
        *("seats", "at_table", "step", "tally", "seating_error"),
    )

    def __init__(self, rules: Ruleset, named: list[str], began: Standing) -> None:
        self.rules = rules
        self.initial_players = named
        self.first_standing = self.standing = began
        self.names = self.at_table = seated_names(began, named)
        self.seating_error = ""
        self.seats: list[int] = list(range(len(self.names)))
        self.starting_tally: list[int] = [0] * len(self.names)
        self.tally: list[int] = list(self.starting_tally)
        self.dealer = self.leader = 0
        self.step = 1
        self.lines: list[Line] = []

    def copy(self) -> Seating:
        """The same seating, to go on apart from this one."""
        other = Seating.__new__(Seating)
        other.rules, other.initial_players, other.first_standing = (
            self.rules,
            self.initial_players,
            self.first_standing,
        )
        other.standing, other.names, other.at_table = self.standing, self.names, self.at_table
        other.seating_error, other.seats, other.starting_tally = (
            self.seating_error,
            self.seats,
            self.starting_tally,
        )
        other.tally, other.lines = self.tally[:], self.lines[:]
        other.dealer, other.leader, other.step = self.dealer, self.leader, self.step
        return other

    def sit_down(self, setup: Setup) -> None:
        """Have everybody sit as the standing and the facts of the start have it."""
        self._take_seats(setup.reseated)
        self.lines = []
        self.starting_tally = list(self.standing["tally"])
        for seat, number in setup.standing.items():
            for mate in self.sharing_seats(seat):
                self.starting_tally[mate] = number
        self.tally = list(self.starting_tally)
        right = self.rules.match["direction"] == "right"
        self.step = self.standing["carry"].get("step", -1 if right else 1)
        self.dealer = self.standing["dealer"] if setup.dealer is None else setup.dealer
        self.seats = self.rules.seating(len(self.names), self.dealer)
        self.leader = self._first(setup)

    def _take_seats(self, standing: Standing | None) -> None:
        """Who sits there now, as far as the ruleset can seat them."""
        if standing is None:
            self.at_table = self.names
            return
        self.at_table = seated_names(standing, self.initial_players)
        self.seating_error = seating_error(self.rules, len(self.at_table))
        if not self.seating_error:
            self.standing, self.names = standing, self.at_table

    def _first(self, setup: Setup) -> int:
        if setup.lead is not None and not self.is_out(setup.lead):
            return setup.lead
        expected: int | None = self.standing["leader"]
        if expected is None or (setup.dealer is not None and self.rules.deal["dealt"]):
            return self.next_seat(self.dealer)
        return self.next_active(expected, self.step) if self.is_out(expected) else expected

    @property
    def seating_hint(self) -> str:
        """What to type until the ruleset can seat those at the table."""
        return seating_hint(self.rules, self.at_table)

    def seated_sides(self) -> dict[str, list[str]]:
        """The sides that the seating makes, by what they are called; none where it makes none."""
        if not self.rules.sides["number"]:
            return {}
        sides = dict.fromkeys(self.side(seat) for seat in self.seats)
        names = [[self.names[seat] for seat in seats] for seats in sides]
        return {"+".join(side): side for side in names}

    def is_out(self, seat: int) -> bool:
        """Whether the seat is out of the match (its tally is used up), or sits out."""
        return seat not in self.seats or self.tally[seat] <= self.rules.eliminated_at

    def playing(self) -> list[int]:
        """The seats that take part and are not out, in the order of the names."""
        tally, out_at = self.tally, self.rules.eliminated_at
        return [seat for seat in self.seats if tally[seat] > out_at]

    def next_seat(self, seat: int, step: int = 1) -> int:
        """The next seat to the left (or right, with step -1) that takes part."""
        count = len(self.names)
        for offset in range(1, count + 1):
            found = (seat + step * offset) % count
            if found in self.seats:
                return found
        return seat

    def next_active(self, seat: int, step: int = 1) -> int:
        """The next seat in that direction that is not out; the seat itself if nobody else is."""
        found = self.next_seat(seat, step)
        while self.is_out(found) and found != seat:
            found = self.next_seat(found, step)
        return found

    def side(self, seat: int) -> tuple[int, ...]:
        """The seats on that seat's side, where sides are fixed by the seating; else its own."""
        return self.rules.side_of(seat, len(self.names))

    def sharing_seats(self, seat: int) -> tuple[int, ...]:
        """The seats whose tally is that seat's, too: its side's, or its own."""
        return self.side(seat) if self.rules.sides["shared"] else (seat,)

    def tally_before_score(self, seat: int) -> int:
        """A player's tally before what the score rows give."""
        if not self.lines:
            return self.starting_tally[seat]
        return self.starting_tally[seat] + sum(
            int(line.points) for line in self.lines if self.names[seat] in line.to.split("+")
        )

    def change(self, seats: Sequence[int], points: int) -> int:
        """Change a tally (of one player, or the one that several share) by so many points, never
        beyond what it may be; gives by how many it changed."""
        bounds, tally = self.rules.tally, self.tally[seats[0]]
        changed: int = max(bounds["least"], min(bounds["most"], tally + points)) - tally
        for seat in seats:
            self.tally[seat] += changed
        return changed


# --- who sits at the table, and what happens when somebody comes or goes between rounds


@lru_cache(maxsize=16)
def notation_for(lexicon: Lexicon, names: tuple[str, ...], away: tuple[str, ...] = ()) -> Notation:
    """How matches among these players are written, when others are `away`: what was read in one
    is known in their next. Raises Unreadable for what nobody can be called."""
    return Notation(lexicon, check_names(names, ()), away)


def checked_names(lexicon: Lexicon, names: tuple[str, ...]) -> tuple[str, ...]:
    """The names in the form they are kept in. Raises Unreadable for what nobody can be called in
    these rules."""
    return tuple(check_names(names, lexicon.list_reserved()))


def check_new_player(lexicon: Lexicon, name: str, instead: bool, other: str) -> None:
    """Raise Unreadable for what nobody may be called who comes now, a name that says where they
    sit among it: then that was said twice."""
    checked_names(lexicon, (name,))
    tokens = name.split()
    for at, token in enumerate(tokens[1:-1], 1):
        if lexicon.meanings.get(token.casefold()) in (AFTER, INSTEAD):
            who = " ".join(tokens[:at])
            raise Unreadable(
                tr("it is said twice where {who} sits", who=who),
                tr(
                    "“{one}” or “{other}”",
                    one=f"joins {name}",
                    other=f"joins {who} {INSTEAD if instead else AFTER} {other}",
                ),
            )


class SeatPlace(NamedTuple):
    """A place at the table: who sits there now, with which tally, and which seat that was before
    (None: it is new)."""

    name: str
    tally: int
    seat: int | None


def seated_names(standing: Standing, first: Sequence[str]) -> list[str]:
    """Who sits at the table, in order; `first` are those who began the match."""
    roster = standing.get(ROSTER)
    return list(first if roster is None else roster[SEATS])


def all_names(standing: Standing, first: Sequence[str]) -> list[str]:
    """Everybody who has ever sat at the table: those who began, then as they came."""
    roster = standing.get(ROSTER)
    return list(first) if roster is None else [*first, *roster[CAME]]


def tallies_by_name(standing: Standing, first: Sequence[str]) -> dict[str, int]:
    """What stands on the sheet for everybody, by name."""
    sitting = dict(zip(seated_names(standing, first), standing["tally"], strict=True))
    roster = standing.get(ROSTER)
    if roster is None:
        return sitting
    return {name: sitting.get(name, roster[AWAY].get(name)) for name in all_names(standing, first)}


def seating_error(rules: Ruleset, count: int) -> str:
    """Why the ruleset cannot seat so many players; empty if it can."""
    players, title = rules.players, rules.translate(rules.title)
    if count > untrusted.MAX_PLAYERS:
        return tr(
            "a match has at most {most} players, not {count}",
            most=untrusted.MAX_PLAYERS,
            count=count,
        )
    counts: list[int] = players["counts"]
    if counts and count not in counts:
        allowed = tr(" or ").join(map(str, counts))
        return tr(
            "{title} is for {allowed} players, not {count}",
            title=title,
            allowed=allowed,
            count=count,
        )
    least, most = players["least"], players["most"]
    if least <= count <= most:
        return ""
    facts = {"title": title, "least": least, "count": count}
    if most > 50:
        return tr("{title} is for {least} or more players, not {count}", **facts)
    return tr("{title} is for {least} to {most} players, not {count}", most=most, **facts)


def seating_hint(rules: Ruleset, names: Sequence[str]) -> str:
    """What to type until so many sit there as the ruleset can seat; `names` sit there now."""
    players, last = rules.players, names[-1]
    counts = players["counts"] or (players["least"], players["most"])
    comes, goes = f"joins NAME after {last}", f"quits {last}"
    if len(names) >= min(max(counts), untrusted.MAX_PLAYERS):
        return goes
    return comes if len(names) <= min(counts) else tr("{comes}, or {goes}", comes=comes, goes=goes)


class Reseating:
    """Who comes, goes or moves before a round: each way gives the standing as it is then."""

    def __init__(self, rules: Ruleset, standing: Standing, first: Sequence[str]) -> None:
        self.rules = rules
        self.standing = standing
        self.first = first
        self.names = seated_names(standing, first)
        self.away: dict[str, int] = dict(standing.get(ROSTER, {}).get(AWAY, {}))
        self.places = [
            SeatPlace(name, tally, seat)
            for seat, (name, tally) in enumerate(zip(self.names, standing["tally"], strict=True))
        ]

    def join(self, name: str, other: int, instead: bool) -> Standing:
        """Somebody sits down to the left of that seat, or `instead` of who sat there. Raises
        Unreadable and Impossible for whom that cannot be."""
        name = self._known_name(name)
        before = self.places[other]
        if instead:
            tally = (
                before.tally
                if self._has_shared_tallies
                else self._starting_tally(name, len(self.places))
            )
            self._remember_tally(before)
            places = [*self.places]
            places[other] = SeatPlace(name, tally, before.seat)
        else:
            self._check_free_to_move()
            tally = (
                before.tally
                if self._has_shared_tallies
                else self._starting_tally(name, len(self.places) + 1)
            )
            places = [*self.places]
            places.insert(other + 1, SeatPlace(name, tally, None))
        self.away.pop(name, None)
        return self._standing_with(places, name)

    def leave(self, seat: int) -> Standing:
        """Somebody leaves the table. Raises Impossible for the last one who sits there."""
        if len(self.places) == 1:
            (last,) = self.names
            raise Impossible(
                tr("{name} is the last at the table", name=last),
                tr("another may take the seat: {entry}", entry=f"joins NAME for {last}"),
            )
        self._check_free_to_move()
        self._remember_tally(self.places[seat])
        return self._standing_with([place for place in self.places if place.seat != seat])

    def move(self, seats: Sequence[int]) -> Standing:
        """Those at the table sit down in another order. Raises Impossible where that does not say
        for everybody where they sit."""
        for seat, place in enumerate(self.places):
            if seats.count(seat) != 1:
                if seat in seats:
                    say = tr("{name} is named twice", name=place.name)
                else:
                    say = tr("{name} sits at the table, and is not named", name=place.name)
                raise Impossible(say, tr("name everybody who sits at the table, once"))
        self._check_free_to_move()
        return self._standing_with([self.places[seat] for seat in seats])

    def _known_name(self, name: str) -> str:
        """What who comes is called: as they were, if they come back."""
        folded = name.casefold()
        for known in all_names(self.standing, self.first):
            if known.casefold() == folded:
                if known not in self.names:
                    return known
                raise Impossible(
                    tr("{name} sits at the table already", name=known), tr("name them apart")
                )
        if len(self.names) + len(self.away) >= untrusted.MAX_PLAYERS:
            raise Impossible(tr("a match has at most {most} players", most=untrusted.MAX_PLAYERS))
        return name

    def _starting_tally(self, name: str, count: int) -> int:
        """With what somebody begins who comes; who comes back has what they had."""
        if name in self.away:
            return self.away[name]
        how, rules = self.rules.tally["joins"], self.rules
        tally = [place.tally for place in self.places if not rules.is_eliminated(place.tally)]
        if how == MIN_TALLY and tally:
            return min(tally)
        if how == MAX_TALLY and tally:
            return max(tally)
        if how == MEAN_TALLY and tally:
            return sum(tally) // len(tally)
        start: int = rules.numbers.start(count)
        return start

    def _remember_tally(self, place: SeatPlace) -> None:
        self.away[place.name] = place.tally

    @property
    def _has_shared_tallies(self) -> bool:
        """Return whether sides are fixed by the seating and have one tally each."""
        return bool(self.rules.sides["number"] and self.rules.sides["shared"])

    def _check_free_to_move(self) -> None:
        """Raise Impossible where another order would take a side's tally, or what is owed to it,
        from its players. Before anything was played sides may be drawn by lot."""
        if self._has_shared_tallies and (
            self.standing["carry"] or len(set(self.standing["tally"])) > 1
        ):
            raise Impossible(
                tr("the seating makes the sides, and each side has one tally: nobody else fits in"),
                tr("another may take a seat: {entry}", entry="joins NAME for NAME"),
            )

    def _standing_with(self, places: Sequence[SeatPlace], came: str = "") -> Standing:
        """The standing with those places: what was due, and what is owed, goes along."""
        count = len(places)
        moved: list[int | None] = [None] * len(self.places)
        for now, place in enumerate(places):
            if place.seat is not None:
                moved[place.seat] = now
        roster = self.standing.get(ROSTER, {})
        known = all_names(self.standing, self.first)
        standing: Json = {
            **self.standing,
            "tally": [place.tally for place in places],
            "carry": self._reseat_carried(moved, count),
            ROSTER: {
                SEATS: [place.name for place in places],
                CAME: [*roster.get(CAME, ()), *([came] if came and came not in known else ())],
                AWAY: self.away,
            },
        }
        dealt = standing.pop(DEALT, None)
        now_at = None if dealt is None else moved[dealt]
        if now_at is None:
            standing["dealer"] = _next_there(self.standing["dealer"], moved)
        else:
            standing["dealer"], standing[DEALT] = (now_at + 1) % count, now_at
        if standing["leader"] is not None:
            standing["leader"] = _next_there(standing["leader"], moved)
        return standing

    def _reseat_carried(self, moved: Sequence[int | None], count: int) -> Json:
        kept: Json = dict(self.standing["carry"])
        for name, phase in self.rules.phases.items():
            if name in kept:
                kept[name] = phase.reseat(kept[name], moved, count)
        return kept


def _next_there(seat: int, moved: Sequence[int | None]) -> int:
    """The seat as it is now; of one that is gone the next to the left."""
    turned = (*moved[seat:], *moved[:seat])
    return next((now for now in turned if now is not None), 0)
