"""The seats of a round with their tallies, and players who join, leave or move.

Once a player has joined or left, the standing has a `roster`. Its `seats` are the names in order.
`came` lists the players who joined, in order. `away` maps the players who left to their tallies. If
there is no roster, the initial players are at the table.
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
    from collections.abc import Callable, Sequence

    from scorekeeper.core.rulings import Line
    from scorekeeper.core.types import Json, Standing
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.engine.state import Setup
    from scorekeeper.notation import Lexicon

ROSTER_VERBS = ("joins", "quits", "seats")  # verbs for joining, leaving and changing seats
# words for a new player's place: next to another player, or in another player's seat
AFTER, INSTEAD = "after", "for"
ROSTER, SEATS, CAME, AWAY = "roster", "seats", "came", "away"
DEALT = "dealt"  # the seat of the previous dealer, stored if another player deals next
PREFERRED = "preferred"  # the seats of the only players who can win (`match.prefers`)
MIN_TALLY, MAX_TALLY, MEAN_TALLY = "least", "most", "mean"


class Seating:
    """The seats of one round, numbered from 0 in the order of the names.

    The next higher number sits to the left. The seats are computed from the standing and the setup
    facts, and again after each fact.

    `seats` are the seats that take part, and `names` are the players by seat. `starting_tally` and
    `tally` are lists by seat. `lines` are tally changes outside the score rows. `step` is the
    direction of play: 1 to the left, -1 to the right.

    `initial_players` are at the table unless the standing names others. `first_standing` is the
    standing at the start of the round. `standing` also includes changes since then by players who
    joined, left or moved. Both are immutable. `at_table` are the players at the table, even if the
    ruleset cannot seat them. In that case `seating_error` states the reason. The round then still
    has the previous players, and no act is possible.
    """

    __slots__ = (
        *("at_table", "dealer", "first_standing", "initial_players", "leader", "lines"),
        *("names", "rules", "seating_error", "seats", "standing", "starting_tally", "step"),
        "tally",
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
        """Return an independent copy."""
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
        """Seat all players according to the standing and the setup facts."""
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
        """Seat the players in a standing, if the ruleset can seat them."""
        if standing is None:
            self.at_table = self.names
            return
        self.at_table = seated_names(standing, self.initial_players)
        self.seating_error = seating_error(self.rules, len(self.at_table))
        if not self.seating_error:
            self.standing, self.names = standing, self.at_table

    def expect_leader(self, place: int) -> None:
        """Make the player at a place (from 1) the leader. If this player is out, choose the next
        one who is not."""
        seat = min(max(place, 1), len(self.names)) - 1
        self.leader = self.next_active(seat, self.step) if self.is_out(seat) else seat

    def _first(self, setup: Setup) -> int:
        if setup.lead is not None and not self.is_out(setup.lead):
            return setup.lead
        expected: int | None = self.standing["leader"]
        if expected is None or (setup.dealer is not None and self.rules.deal["dealt"]):
            return self.next_seat(self.dealer)
        return self.next_active(expected, self.step) if self.is_out(expected) else expected

    @property
    def seating_hint(self) -> str:
        """The entries to type so that the ruleset can seat the players at the table."""
        return seating_hint(self.rules, self.at_table)

    def seated_sides(self) -> dict[str, list[str]]:
        """Return the players of each side formed by the seating, keyed by the side's label.

        The result is empty if the seating forms no sides.
        """
        if not self.rules.sides["number"]:
            return {}
        sides = dict.fromkeys(self.side(seat) for seat in self.seats)
        names = [[self.names[seat] for seat in seats] for seats in sides]
        return {"+".join(side): side for side in names}

    def is_out(self, seat: int) -> bool:
        """Return whether the seat is eliminated or sits out."""
        return seat not in self.seats or self.tally[seat] <= self.rules.eliminated_at

    def playing(self) -> list[int]:
        """Return the seats that take part and are not eliminated, in order."""
        tally, out_at = self.tally, self.rules.eliminated_at
        return [seat for seat in self.seats if tally[seat] > out_at]

    def next_seat(self, seat: int, step: int = 1) -> int:
        """Return the next seat that takes part, to the left (or to the right if `step` is -1)."""
        count = len(self.names)
        for offset in range(1, count + 1):
            candidate = (seat + step * offset) % count
            if candidate in self.seats:
                return candidate
        return seat

    def next_active(self, seat: int, step: int = 1) -> int:
        """Return the next seat that is not out (see `next_seat`), or `seat` if all others are."""
        candidate = self.next_seat(seat, step)
        while self.is_out(candidate) and candidate != seat:
            candidate = self.next_seat(candidate, step)
        return candidate

    def side(self, seat: int) -> tuple[int, ...]:
        """Return the seats on the seat's side if the seating forms sides, or else only the seat."""
        return self.rules.side_of(seat, len(self.names))

    def sharing_seats(self, seat: int) -> tuple[int, ...]:
        """Return the seats that share the seat's tally."""
        return self.side(seat) if self.rules.sides["shared"] else (seat,)

    def tally_before_score(self, seat: int) -> int:
        """Return a player's tally before the score rows are applied."""
        if not self.lines:
            return self.starting_tally[seat]
        return self.starting_tally[seat] + sum(
            int(line.points) for line in self.lines if self.names[seat] in line.to.split("+")
        )

    def change(self, seats: Sequence[int], points: int) -> int:
        """Change the tally that these seats share, within its bounds. Return the actual change."""
        bounds, tally = self.rules.tally, self.tally[seats[0]]
        changed: int = max(bounds["least"], min(bounds["most"], tally + points)) - tally
        for seat in seats:
            self.tally[seat] += changed
        return changed


# --- players who join, leave or move between rounds


@lru_cache(maxsize=16)
def notation_for(lexicon: Lexicon, names: tuple[str, ...], away: tuple[str, ...] = ()) -> Notation:
    """Return the notation for these players, cached for their next match.

    `away` are players who have left. Raises Unreadable for a name that is not allowed.
    """
    return Notation(lexicon, check_names(names, ()), away)


def checked_names(lexicon: Lexicon, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names in their stored form. Raises Unreadable for reserved names."""
    return tuple(check_names(names, lexicon.list_reserved()))


def check_new_player(lexicon: Lexicon, name: str, instead: bool, other: str) -> None:
    """Raise Unreadable if a new player's name is not allowed or contains a word such as `after`."""
    checked_names(lexicon, (name,))
    tokens = name.split()
    for at, token in enumerate(tokens[1:-1], 1):
        if lexicon.meanings.get(token.casefold()) in (AFTER, INSTEAD):
            who = " ".join(tokens[:at])
            raise Unreadable(
                tr("two seats were entered for {who}", who=who),
                tr(
                    "type “{one}” or “{other}”",
                    one=f"joins {name}",
                    other=f"joins {who} {INSTEAD if instead else AFTER} {other}",
                ),
            )


class SeatPlace(NamedTuple):
    """A place at the table: the player's name, the tally, and the previous seat (None if new)."""

    name: str
    tally: int
    seat: int | None


def seated_names(standing: Standing, first: Sequence[str]) -> list[str]:
    """Return the players at the table, in order. `first` are the initial players."""
    roster = standing.get(ROSTER)
    return list(first if roster is None else roster[SEATS])


def all_names(standing: Standing, first: Sequence[str]) -> list[str]:
    """Return all players who have ever sat at the table, the initial players first."""
    roster = standing.get(ROSTER)
    return list(first) if roster is None else [*first, *roster[CAME]]


def tallies_by_name(standing: Standing, first: Sequence[str]) -> dict[str, int]:
    """Return the tallies of all players on the score sheet, by name."""
    sitting = dict(zip(seated_names(standing, first), standing["tally"], strict=True))
    roster = standing.get(ROSTER)
    if roster is None:
        return sitting
    return {name: sitting.get(name, roster[AWAY].get(name)) for name in all_names(standing, first)}


def seating_error(rules: Ruleset, count: int) -> str:
    """Return why the ruleset cannot seat this number of players, or ""."""
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
    """Return what to type so that the players `names` at the table can be seated."""
    players, last = rules.players, names[-1]
    counts = players["counts"] or (players["least"], players["most"])
    comes, goes = f"joins NAME after {last}", f"quits {last}"
    if len(names) >= min(max(counts), untrusted.MAX_PLAYERS):
        return goes
    return (
        comes
        if len(names) <= min(counts)
        else tr("enter “{comes}” or “{goes}”", comes=comes, goes=goes)
    )


class Reseating:
    """The players at the table before a round, with methods for joining, leaving and moving.

    Each method returns the new standing.
    """

    def __init__(
        self,
        rules: Ruleset,
        standing: Standing,
        first: Sequence[str],
        start: Callable[[int], int],
    ) -> None:
        """Start with the players in a standing.

        `start` takes the number of players and returns a new player's tally.
        """
        self.rules = rules
        self.standing = standing
        self._start = start
        self.first = first
        self.names = seated_names(standing, first)
        self.away: dict[str, int] = dict(standing.get(ROSTER, {}).get(AWAY, {}))
        self.places = [
            SeatPlace(name, tally, seat)
            for seat, (name, tally) in enumerate(zip(self.names, standing["tally"], strict=True))
        ]

    def join(self, name: str, other: int, instead: bool) -> Standing:
        """Add a player to the left of a seat. If `instead` is true, the player takes that seat.

        Raises Unreadable or Impossible if the player cannot join.
        """
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
        """Remove a player. Raises Impossible for the last player at the table."""
        if len(self.places) == 1:
            (last,) = self.names
            raise Impossible(
                tr("{name} is the only player at the table", name=last),
                tr(
                    "another player may take over the seat: {entry}", entry=f"joins NAME for {last}"
                ),
            )
        self._check_free_to_move()
        self._remember_tally(self.places[seat])
        return self._standing_with([place for place in self.places if place.seat != seat])

    def move(self, seats: Sequence[int]) -> Standing:
        """Seat the players in a different order. Raises Impossible unless each is named once."""
        for seat, place in enumerate(self.places):
            if seats.count(seat) != 1:
                if seat in seats:
                    say = tr("{name} is named twice", name=place.name)
                else:
                    say = tr("{name} is at the table but is not named", name=place.name)
                raise Impossible(say, tr("name every player at the table exactly once"))
        self._check_free_to_move()
        return self._standing_with([self.places[seat] for seat in seats])

    def _known_name(self, name: str) -> str:
        """Return a new player's name, in its earlier spelling if the player is returning."""
        folded = name.casefold()
        for known in all_names(self.standing, self.first):
            if known.casefold() == folded:
                if known not in self.names:
                    return known
                raise Impossible(
                    tr("{name} is already at the table", name=known),
                    tr("give the players different names"),
                )
        if len(self.names) + len(self.away) >= untrusted.MAX_PLAYERS:
            raise Impossible(tr("a match has at most {most} players", most=untrusted.MAX_PLAYERS))
        return name

    def _starting_tally(self, name: str, count: int) -> int:
        """Return a new player's starting tally, or a returning player's previous tally."""
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
        return self._start(count)

    def _remember_tally(self, place: SeatPlace) -> None:
        self.away[place.name] = place.tally

    @property
    def _has_shared_tallies(self) -> bool:
        """True if the seating fixes the sides and each side has one tally."""
        return bool(self.rules.sides["number"] and self.rules.sides["shared"])

    def _check_free_to_move(self) -> None:
        """Raise Impossible if a different order would separate players from their side's tally.

        Before the first round, sides can still be drawn by lot.
        """
        if self._has_shared_tallies and (
            self.standing["carry"] or len(set(self.standing["tally"])) > 1
        ):
            raise Impossible(
                tr(
                    "the seats determine the sides, and each side shares one tally, so players "
                    "cannot change seats now"
                ),
                tr("another player may take over a seat: {entry}", entry="joins NAME for NAME"),
            )

    def _standing_with(self, places: Sequence[SeatPlace], came: str = "") -> Standing:
        """Return the standing with these places, including the phases' carried-over values."""
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
        if PREFERRED in standing:
            seats = [moved[seat] for seat in standing[PREFERRED]]
            standing[PREFERRED] = [seat for seat in seats if seat is not None]
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
        carried: Json = dict(self.standing["carry"])
        for name, phase in self.rules.phases.items():
            if name in carried:
                carried[name] = phase.reseat(carried[name], moved, count)
        return carried


def _next_there(seat: int, moved: Sequence[int | None]) -> int:
    """Return a seat's new number. If the seat was removed, return the new number of the next seat
    to the left."""
    turned = (*moved[seat:], *moved[:seat])
    return next((now for now in turned if now is not None), 0)
