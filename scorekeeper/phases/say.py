"""The step in which each player chooses one of the ruleset's words, for example to join in or
not."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Impossible, Unreadable
from scorekeeper.core.expressions import NotYetKnown
from scorekeeper.core.expressions.parser import EACH
from scorekeeper.core.hands import Breach
from scorekeeper.core.messages import N_, Prompt, Sentence, join_list, tr
from scorekeeper.core.text import quote
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.findings import infer_act
from scorekeeper.engine.measures import owner_of_role, seats_of
from scorekeeper.engine.phase import ACTOR, OWN, Measure, Phase, ResultPart, View, actor_of
from scorekeeper.notation import Entry
from scorekeeper.notation.entry import Actor, EntryType
from scorekeeper.notation.syntax import NoValue, WordChoice, find_seat
from scorekeeper.ruleset.tables import Parameter
from scorekeeper.ruleset.vocabulary import clause, phase

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from scorekeeper.core.expressions import Expression
    from scorekeeper.core.hands import Outcome
    from scorekeeper.core.types import Facts, Json, Row
    from scorekeeper.engine.phase import Judge, Reader
    from scorekeeper.engine.round import Round
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.notation.syntax import Spelling


class State:
    """The state of the step: the seats in speaking order, and the words chosen so far with their
    seats."""

    __slots__ = ("order", "spoken")

    def __init__(self, order: tuple[int, ...]) -> None:
        self.order = order
        self.spoken: list[tuple[int, str]] = []


class SpokenWord(WordChoice):
    """One of the words of the step.

    The verbs in `shared` are acts of other phases, too, so they are written after the step's own
    verb.
    """

    shared: Collection[str] = ()

    def may_match(self, text: str, notation: Spelling) -> bool:
        return notation.find_meaning(text) in self.words

    def write(self, value: str, notation: Spelling) -> str:
        word = super().write(value, notation)
        return f"{notation.write_word(SAY)} {word}" if value in self.shared else word


ALL = "all"  # in a result: every trick
SAY, SAYS = "say", "says"  # the verb of entries, and the key in a result


def _word_type(syntax: SpokenWord) -> EntryType:
    return EntryType(
        SAY, syntax, N_("a word that the player may choose"), by=Actor.TURN, is_implicit=True
    )


@phase
class Say(Phase[State], ResultPart):
    """The phase in which players speak in turn."""

    name = "say"
    doc = (
        "The players of `who` each say one of `words`, in turn, beginning with the leader or, if "
        "the leader does not speak, with the next of them. With `next_to`, the player after that "
        "role begins. `own.WORD` is how often a player has said a word, and `said.WORD` how often "
        "all of them have. In a round without these roles, no player speaks."
    )
    clause_order = "may-say"
    standard_words = "may-say"
    parameters = {
        "who": Parameter("name", "who speaks: `each` player, or a role", EACH),
        "next_to": Parameter(
            "name", "the role after whose player speaking begins (default: with the leader)", ""
        ),
        "words": Parameter("sentences", "the words, each with the condition for saying it"),
        "times": Parameter("int", "how often each player speaks", 1, bounds=(1, 99)),
    }
    entry_types: tuple[EntryType, ...] = (_word_type(SpokenWord("WORD")),)
    reports = {"player.words": "the words that a player said"}

    def __init__(self, rules: Ruleset, row: Row) -> None:
        super().__init__(rules, row)
        self.syntax = SpokenWord(*row["words"])
        self.entry_types = (_word_type(self.syntax),)
        self.conditions: dict[str, Expression] = {}  # compiled by `link`

    def link(self) -> None:
        for word, when in self.row["words"].items():
            where = f"phases.say.words.{word}"
            self.conditions[word] = self.rules.compile_expression(when, where, (ACTOR, OWN))
        roles = sorted(self.rules.measures.roles)
        for key, allowed in (("who", [EACH, *roles]), ("next_to", ["", *roles])):
            if self.row[key] not in allowed:
                where, known = f"phases.say.{key}", ", ".join(filter(None, allowed))
                self.rules.fault(where, self.row[key], known, f"{where} is not a role")
        self._check_words()
        self.shared_verbs = self.syntax.shared = self.conditions.keys() & self.rules.entry_types

    def _check_words(self) -> None:
        """Report words that an entry of another phase could mean, and an empty list of words.

        A word may also be the verb of an entry that takes no value. During this step it means the
        word, and at any other time it is the verb.
        """
        where, rules = "phases.say.words", self.rules
        if not self.conditions:
            rules.fault(where, "no word", "a word and its condition", f"{where} is empty")
        verbs = {
            word
            for word, act in rules.entry_types.items()
            if act.is_table_entry or not isinstance(act.syntax, NoValue)
        }
        others = [p for p in rules.phases.values() if p is not self]
        taken = {*verbs, *(word for other in others for word, _ in other.words())}
        for word in self.conditions.keys() & taken:
            message = f"{where}: “{word}” means something else in this ruleset"
            rules.fault(f"{where}.{word}", word, "a word that is new here", message)

    def words(self) -> Iterable[tuple[str, str]]:
        return [(word, word) for word in self.row["words"]]

    def named_measures(self) -> Iterator[Measure]:
        for word in self.row["words"]:
            own = f"how often they said `{word}`"
            yield Measure(f"own.{word}", own, self._own_reader(word), OWN)
            said = f"how often players have said `{word}`"
            yield Measure(f"said.{word}", said, self._reader(word))

    def _own_reader(self, word: str) -> Reader:
        def read(rnd: Round, subject: object) -> int:
            state = rnd.state_if_begun(self)
            own = seats_of(subject)
            return 0 if state is None else sum(s in own and w == word for s, w in state.spoken)

        return read

    def _reader(self, word: str) -> Reader:
        def read(rnd: Round, _: object) -> int:
            state = rnd.state_if_begun(self)
            return 0 if state is None else sum(each == word for _, each in state.spoken)

        return read

    # --- course

    def begin(self, rnd: Round) -> State:
        order, seats, seat = list[int](), self._players(rnd, self.row["who"]), rnd.seating.leader
        if self.row["next_to"]:
            before = self._players(rnd, self.row["next_to"])
            seats = seats if before else ()
            seat = rnd.seating.next_seat(before[0], rnd.seating.step) if before else seat
        for _ in rnd.names:
            if seat in seats:
                order.append(seat)
            seat = rnd.seating.next_seat(seat, rnd.seating.step)
        return State(tuple(order))

    def _players(self, rnd: Round, role: str) -> Sequence[int]:
        """Return the seats with a role, or none if no player of the round has it."""
        if role == EACH:
            return rnd.seats
        with suppress(NotYetKnown):
            return owner_of_role(rnd, role).seats
        return ()

    def finished(self, rnd: Round) -> bool:
        return not self._seats_to_speak(rnd.state(self))

    def _seats_to_speak(self, state: State) -> list[int]:
        """Return the seats that may still speak, the next one first."""
        times = Counter(seat for seat, _ in state.spoken)
        left = [seat for seat in state.order if times[seat] < self.row["times"]]
        return sorted(left, key=times.__getitem__)

    def stop(self, rnd: Round) -> None:
        rnd.state(self).order = ()

    def waiting(self, rnd: Round) -> list[int]:
        return self._seats_to_speak(rnd.state(self))[:1]

    def options(self, rnd: Round) -> Iterator[Entry]:
        for seat in self.waiting(rnd):
            for word in self.row["words"]:
                yield Entry(self.entry_types[0], seat, word)

    def interpret(self, rnd: Round, entry: Entry) -> Iterator[Entry]:
        """Yield the entry for a word of this step if the word was read as another phase's verb."""
        if entry.type.word in self.shared_verbs and rnd.is_current(self):
            seat = self.waiting(rnd)[0] if entry.seat is None else entry.seat
            yield Entry(self.entry_types[0], seat, entry.type.word)

    def apply(self, rnd: Round, entry: Entry) -> None:
        state, seat = rnd.state(self), actor_of(entry)
        if not rnd.is_current(self) or seat not in self._seats_to_speak(state):
            raise Impossible(
                tr("“{text}”: {who} does not speak now", text=entry.text, who=rnd.names[seat]),
                rnd.prompt(),
            )
        state.spoken.append((seat, entry.value))

    def find_not_offered(self, rnd: Round, entry: Entry) -> Outcome:
        """Return the breach if the condition of the word does not hold, or None."""
        if self.conditions[entry.value].value_in(rnd, entry):
            return None
        form = rnd.rules.lexicon.write_word
        legal = [form(word) for word in self._words_offered(rnd, actor_of(entry))]
        facts: Facts = {"word": form(entry.value), "legal": join_list(legal, "or")}
        return Breach(facts)

    def _words_offered(self, rnd: Round, seat: int) -> list[str]:
        """Return the words that a player may use now, given what is known."""
        return [word for word in self.conditions if self._is_offered(rnd, word, seat)]

    def _is_offered(self, rnd: Round, word: str, seat: int) -> bool:
        with suppress(NotYetKnown):
            act = Entry(self.entry_types[0], seat, word)
            return bool(self.conditions[word].value_in(rnd, act))
        return True

    # --- results

    def read_result(self, rnd: Round, result: dict[str, str]) -> None:
        """Read the words that players chose, and judge them.

        Raises Impossible for a player who does not speak, or if other words were recorded before.
        """
        text, state = result.pop(SAYS, ""), rnd.state_if_begun(self)
        if state is None or rnd.void:
            return
        if not text:
            self._check_silence(rnd, state, result)
            return
        speakers = () if self._is_ended(rnd) and not state.spoken else state.order
        recorded, state.spoken = state.spoken, []
        for part in text.split("+"):
            name, _, word = part.rpartition(":")
            meant = rnd.rules.lexicon.meanings.get(word.strip().casefold(), word)
            seat, words = find_seat(rnd.names, name.strip()), list(self.conditions)
            if meant not in self.conditions:
                forms = join_list(list(map(rnd.rules.lexicon.write_word, words)), "or")
                message = tr("“{text}” is not a word to choose", text=word)
                raise Unreadable(message, tr("the words are {words}", words=forms))
            if seat not in speakers:
                names = join_list(rnd.names_of(speakers))
                raise Impossible(
                    tr("{who} chooses no word in this deal", who=rnd.names[seat]),
                    tr("only {names} speak", names=names) if speakers else "",
                )
            if (seat, meant) in state.spoken:
                raise Unreadable(tr("“{names}”: a player is named twice", names=quote(text, 80)))
            infer_act(rnd, [Entry(self.entry_types[0], seat, meant)])
            state.spoken.append((seat, meant))
        for seat, word in recorded:
            if (seat, word) not in state.spoken:
                state.spoken = recorded
                raise Impossible(
                    tr(
                        "according to the entries, {who} has chosen {word}",
                        who=rnd.names[seat],
                        word=rnd.rules.lexicon.write_word(word),
                    )
                )

    def _check_silence(self, rnd: Round, state: State, result: dict[str, str]) -> None:
        """Raise Unreadable if a result omits the words that players chose before the play.

        A result with all tricks for one player needs no words.
        """
        claimed = any(value.endswith(f":{ALL}") for value in result.values())
        if state.order and not (state.spoken or self._is_ended(rnd) or claimed):
            names = join_list(rnd.names_of(state.order))
            word = rnd.rules.lexicon.write_word(next(iter(self.conditions)))
            raise Unreadable(
                tr("the result must state the words of {names}", names=names),
                f"{word} {rnd.names[state.order[0]]}",
            )

    def _is_ended(self, rnd: Round) -> bool:
        """Return whether the condition for the end of the step holds."""
        return self.end_condition is not None and bool(rnd.evaluate(self.end_condition))

    def result_fields(self, rnd: Round) -> list[tuple[str, str, list[str]]]:
        words = list(map(rnd.rules.lexicon.write_word, self.conditions))
        each = [f"{who}:{word}" for who in rnd.names_of(rnd.seats) for word in words]
        return [
            (SAYS, tr("the words that players chose, joined by + (empty if there were none)"), each)
        ]

    def view(self, rnd: Round) -> SayView:
        state = rnd.state_if_begun(self)
        waiting = self.waiting(rnd) if rnd.is_current(self) else []
        spoken = [] if state is None else state.spoken
        said = [(rnd.names[seat], word) for seat, word in spoken]
        forms = {word: rnd.rules.lexicon.write_word(word) for word in self.row["words"]}
        offered = [word for seat in waiting for word in self._words_offered(rnd, seat)]
        return SayView(SayFacts(rnd.names_of(waiting), offered, said, forms))


class SayFacts(NamedTuple):
    """The facts about the step.

    `waiting` has the player whose turn it is, and `offered` the words that this player may use.
    `said` has the players' words so far. `forms` are the forms of all entries for words.
    """

    waiting: list[str]
    offered: list[str]
    said: list[tuple[str, str]]
    forms: dict[str, str]


class SayView(View[SayFacts]):
    """The view of the words that players have used."""

    __slots__ = ()

    def prompt(self) -> Prompt:
        words = join_list([self.facts.forms[word] for word in self.facts.offered], "or")
        who = join_list(self.facts.waiting)
        return Prompt(tr("{who} says {words}", who=who, words=words))

    def sentences(self) -> Iterator[Sentence]:
        for name, words in self._by_name().items():
            said = join_list([self.facts.forms[word] for word in words])
            yield Sentence(tr("{who} said {words}", who=name, words=said))

    def _by_name(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name, word in self.facts.said:
            found.setdefault(name, []).append(word)
        return found

    def as_json(self) -> Json:
        return {"bindings": {"said": dict(Counter(word for _, word in self.facts.said))}}

    def summary(self) -> Json:
        said = self._by_name()
        return {"player.words": said} if said else {}


@clause(
    "may-say",
    "say",
    on=("say",),
    say=N_("“{word}” is not possible for {who} now; possible: {legal}"),
    doc="A word may be used only if its condition in `words` holds.",
)
def _may_say(row: Row, rules: Ruleset) -> Judge:
    return rules.phase(Say).find_not_offered
