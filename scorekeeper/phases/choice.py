"""The phase in which a player whose tally reaches a number decides how the round is played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.expressions import TRUTH
from scorekeeper.core.messages import Prompt, Sentence, tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.phase import Measure, Phase, View, remaining_seats
from scorekeeper.engine.ruleset import compile_amount
from scorekeeper.notation import Entry
from scorekeeper.notation.entry import Actor, EntryType
from scorekeeper.notation.syntax import NoValue
from scorekeeper.ruleset.tables import Parameter
from scorekeeper.ruleset.vocabulary import phase

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scorekeeper.core.types import Json, Row
    from scorekeeper.engine.phase import Reader
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import IntOrExpression, Ruleset


class State:
    """The state of a choice.

    `seats_to_choose` are the seats that may choose, in the order in which they choose. `mode` is
    the chosen option and `chosen_by` the seat that chose it; before the choice they are "" and
    None. `is_repeated` is true if this round repeats an earlier round in the same mode.
    `used_seats` are the seats that have used up their choice.
    """

    __slots__ = ("chosen_by", "is_repeated", "mode", "seats_to_choose", "used_seats")

    def __init__(self, used: set[int]) -> None:
        self.seats_to_choose: list[int] = []
        self.mode = ""
        self.chosen_by: int | None = None
        self.is_repeated = False
        self.used_seats = used


def _choice_type(word: str) -> EntryType:
    return EntryType(word, NoValue(), f"the round is {word}", by=Actor.TURN)


@phase
class Choice(Phase[State]):
    """The phase in which a player whose tally reaches `at` decides how the round is played.

    Each player may decide once in a match.
    """

    name = "choice"
    doc = (
        "Before a round, a player whose tally is `at` for the first time chooses how the "
        "round is played. If there is only one option, it applies at once, and that "
        "player starts."
    )
    parameters = {
        "at": Parameter("number", "the tally that gives a choice, once per player and match"),
        "options": Parameter("texts", "the options: `open`, `closed` or `usual`, or a single name"),
        "repeats": Parameter(
            "bool", "whether a round cut short by a foul is repeated in the same mode", True
        ),
        "keeps": Parameter(
            "bool",
            (
                "whether a player who could not choose, because another player chose first, "
                "may choose later"
            ),
            True,
        ),
        "placed": Parameter(
            "bool",
            (
                "whether a player whose tally was set to that number by `hand` or `standing` "
                "may choose"
            ),
            False,
        ),
        "levelled": Parameter(
            "bool",
            "whether players may still choose after all tallies have been made equal",
            False,
        ),
    }
    reports = {"mode": "how the round was played, if a player had the choice"}
    entry_types: tuple[EntryType, ...] = (
        _choice_type("open"),
        _choice_type("closed"),
        _choice_type("usual"),
    )

    def __init__(self, rules: Ruleset, row: Row) -> None:
        super().__init__(rules, row)
        self.entry_types = tuple(verb for verb in self.entry_types if verb.word in row["options"])
        self._choice_tally: IntOrExpression  # the tally that allows a choice; compiled by `link`

    def link(self) -> None:
        self._choice_tally = compile_amount(self.rules, self.row["at"], "phases.choice.at")

    def named_measures(self) -> Iterable[Measure]:
        for option in self.row["options"]:
            yield Measure(
                f"mode.{option}", f"whether the round is {option}", _is_mode(option), kind=TRUTH
            )

    def begin(self, rnd: Round) -> State:
        kept = rnd.carried(self.name)
        state = State(self._find_used(rnd, kept))
        state.seats_to_choose = self._find_due(rnd, state)
        if kept.get("again"):
            state.is_repeated = True
            self._set_mode(rnd, state, kept["again"], kept["by"])
        elif state.seats_to_choose and len(self.row["options"]) == 1:
            rnd.seating.leader = state.seats_to_choose[0]
            self._set_mode(rnd, state, self.row["options"][0], state.seats_to_choose[0])
        return state

    def _find_used(self, rnd: Round, kept: Json) -> set[int]:
        """Return the seats that have used up their choice when the round begins. `kept` is the
        state that the phase carried over from the previous round."""
        used, at = set(kept.get("used", ())), self._choice_tally(rnd)
        if not self.row["placed"]:
            used |= {seat for seat, tally in rnd.setup.standing.items() if tally == at}
        if rnd.setup.is_levelled and not self.row["levelled"]:
            used |= set(rnd.seating.playing())
        had_one = [seat for seat, tally in enumerate(rnd.seating.standing["tally"]) if tally == at]
        used.update(
            [seat for seat in (*had_one, *kept.get("waiting", ())) if rnd.seating.tally[seat] != at]
        )
        return used

    def _find_due(self, rnd: Round, state: State) -> list[int]:
        """Return the seats that may choose, in playing order beginning with the starter."""
        at, used, tally = self._choice_tally(rnd), state.used_seats, rnd.seating.tally
        due = [seat for seat in rnd.seating.playing() if tally[seat] == at and seat not in used]
        if len(due) < 2:
            return due
        order = [rnd.seating.leader]
        while len(order) < len(rnd.names):
            order.append(rnd.seating.next_seat(order[-1], rnd.seating.step))
        return sorted(due, key=order.index)

    def _set_mode(self, rnd: Round, state: State, mode: str, by: int) -> None:
        state.mode, state.chosen_by = mode, by
        rnd.table.mode = mode

    def finished(self, rnd: Round) -> bool:
        state = rnd.state(self)
        return bool(state.mode) or not state.seats_to_choose

    def waiting(self, rnd: Round) -> list[int]:
        state = rnd.state(self)
        # The order depends on the direction, which may have been named since the round began.
        return self._find_due(rnd, state)[:1]

    def options(self, rnd: Round) -> Iterator[Entry]:
        for verb in self.entry_types:
            yield Entry(verb, self.waiting(rnd)[0], None)

    def apply(self, rnd: Round, entry: Entry) -> None:
        # If an entry names no player, its actor is the player whose turn it is.
        by = self.waiting(rnd)[0] if entry.seat is None else entry.seat
        self._set_mode(rnd, rnd.state(self), entry.type.word, by)

    def close(self, rnd: Round) -> None:
        state = rnd.state_if_begun(self)
        if state is None:
            return
        played = rnd.play_begun()
        spent = ((played and not state.is_repeated) or rnd.result is not None) and not rnd.void
        if spent and state.seats_to_choose:
            state.used_seats.add(
                self.waiting(rnd)[0] if state.chosen_by is None else state.chosen_by
            )
            if not self.row["keeps"]:
                state.used_seats |= set(state.seats_to_choose)
        kept: Json = {}
        fouled = rnd.table.foul >= 0
        again = fouled and self.row["repeats"] and (played or state.is_repeated)
        if state.mode and (again or (rnd.void and state.is_repeated)):
            kept["again"], kept["by"] = state.mode, state.chosen_by
        kept["used"] = sorted(state.used_seats)
        kept["waiting"] = [seat for seat in state.seats_to_choose if seat not in state.used_seats]
        rnd.carry_over(self.name, kept)

    def reseat(self, carried: Json, new_seats: Sequence[int | None], count: int) -> Json:
        seats = {
            name: remaining_seats(carried.get(name, ()), new_seats) for name in ("used", "waiting")
        }
        if "by" not in carried:
            return seats
        chose = new_seats[carried["by"]]
        return seats if chose is None else {**carried, **seats, "by": chose}

    def view(self, rnd: Round) -> ChoiceView:
        state, mode, form = rnd.state_if_begun(self), rnd.table.mode, rnd.rules.lexicon.write_word
        chooser = player = ""
        if rnd.is_current(self):
            chooser = "".join(rnd.names_of(self.waiting(rnd)))
        if state is not None and state.seats_to_choose:
            player = rnd.names[
                state.seats_to_choose[0] if state.chosen_by is None else state.chosen_by
            ]
        options = [form(word) for word in self.row["options"]]
        return ChoiceView(ChoiceFacts(chooser, options, player, mode, form(mode) if mode else ""))


class ChoiceFacts(NamedTuple):
    """A choice of how a round is played. `chooser` must choose from `options` now. `player` has
    chosen `mode`. Each field is empty while it does not apply."""

    chooser: str
    options: list[str]
    player: str
    mode: str
    mode_word: str


class ChoiceView(View[ChoiceFacts]):
    """The view of a choice."""

    __slots__ = ()

    def prompt(self) -> Prompt:
        options = tr(" or ").join(self.facts.options)
        text = tr("{who} must choose first: {options}", who=self.facts.chooser, options=options)
        return Prompt(text)

    def sentences(self) -> Iterator[Sentence]:
        _, _, player, _, mode = self.facts
        if mode and player:
            yield Sentence(tr("{who} plays this round {mode}", who=player, mode=mode))

    def as_json(self) -> Json:
        chooser, options, _, mode, _ = self.facts
        if chooser:
            return {"owed": [{"who": chooser, "what": "choice", "of": options}]}
        return {"bindings": {"mode": mode}} if mode else {}

    def summary(self) -> Json:
        return {"mode": self.facts.mode_word} if self.facts.mode else {}


def _is_mode(option: str) -> Reader:
    return lambda rnd, _: rnd.table.mode == option
