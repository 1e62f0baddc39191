"""Completions and help for typed lines, from public information only.

The candidates are the legal entries now. The beginning of an entry may be typed with or without the
name, in any of the ruleset's languages. Facts that the round must know before any player may act,
such as a turned card or dice, are candidates too.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain, combinations, islice
from typing import TYPE_CHECKING, TypeVar

from scorekeeper.core.errors import Failure
from scorekeeper.core.hands import POSSIBLE
from scorekeeper.core.messages import tr
from scorekeeper.core.rulings import ILLEGAL, verdict_of
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.referee import judge, resolve, who_may
from scorekeeper.engine.ruleset import sayable
from scorekeeper.notation import EVERYONE
from scorekeeper.notation.entry import ONE_CARD
from scorekeeper.notation.syntax import Of, Who
from scorekeeper.phases.table_facts import JoinsSyntax, LeaverSyntax
from scorekeeper.session.public_round import scratch

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scorekeeper.engine.round import Round
    from scorekeeper.match.match import Match
    from scorekeeper.notation import Entry, Notation
    from scorekeeper.notation.entry import Verb
    from scorekeeper.notation.translation import Speech

T = TypeVar("T")

MOST = 60
ENOUGH = 400  # candidates, grouped by kind while nothing is typed
OPEN_END = "…"
NUMBER = "3"  # an example of a number
BETWEEN = " · "
ANY_TABLE = "table"  # the phase of entries that any game has
NOT_PLAYED = "not-played"  # the clause word for entries that a game does not use


class Completion(NamedTuple):
    """A completion. `text` replaces the last `length` characters of the line, and `about` describes
    it."""

    text: str
    length: int
    about: str = ""


class Candidate(NamedTuple):
    """An entry that may be typed now.

    `text` has the name and `act` does not. `name_optional` is true if the name may be left out.
    `is_implicit` is true if the act needs no verb. `aliases` are other ways to type it, in lower
    case.
    """

    text: str
    name: str
    act: str
    bare: bool
    implicit: bool
    others: tuple[str, ...]
    about: str
    entry: Entry | None


class Completer:
    """A source of completions for the lines of one match, in the language of its players."""

    def __init__(self, speech: Speech) -> None:
        self.speech = speech
        self._known: tuple[Match, int, tuple[str, ...]] | None = None
        self._now: Round | None = None
        self._offered: list[Candidate] = []
        self._coming: Iterator[Candidate] = iter(())
        self._verdicts: dict[str, bool] = {}
        self._forms: dict[str, list[str]] = {}
        for typed, word in self.notation.lexicon.meanings.items():
            self._forms.setdefault(word, []).append(typed)
        self._cards: dict[int, tuple[str, ...]] = {}

    @property
    def notation(self) -> Notation:
        """The notation in which the players write now."""
        return self.speech.own

    def complete(self, asked: Match, line: str, claims: Iterable[str] = ()) -> list[Completion]:
        """Return the completions of a line.

        `match` is the match as the table has seen it. `claims` are entries about open cases.
        """
        try:
            before, typed = self._cut(line)
            self._look(asked, before)
        except Failure:
            return []
        offered = self._each()
        if not typed:
            offered = iter(self._one_of_each_first([*islice(offered, ENOUGH)]))
        fitting = (each for each in offered if _fits(each, typed) and self._may(each))
        found = _completions([*islice(fitting, MOST)], typed)
        if typed and not found:
            found += self._next_card(typed)
        if not typed:
            found[:0] = self._waited_for(asked)
        found[:0] = self._claims(claims, typed)
        if typed and not before:
            found += self._table_words(asked, typed)
        return list(dict.fromkeys(found))[:MOST]

    def _claims(self, claims: Iterable[str], typed: str) -> Iterator[Completion]:
        """Yield the claims that begin with the typed text, unless it is complete."""
        begun = " ".join(typed.casefold().split())
        for text in claims:
            word = self.notation.opening(text)[0]
            if text.casefold().startswith(begun) and begun != text.casefold():
                yield Completion(text, len(typed), self.notation.verbs[word].doc)

    def _waited_for(self, asked: Match) -> Iterator[Completion]:
        """Yield the beginnings of the facts that are missing, and of their alternatives."""
        now = self._now
        waited = unsaid(now) if now is not None else []
        known = {entry.verb.word for entry in waited}
        said = {entry.verb.says for entry in waited}
        number = number_alone(now, self.notation) if now is not None and waited else None
        if number is not None:
            yield Completion(f"{self.notation.say(number.word)} ", 0, number.doc)
        for entry in waited:
            yield Completion(beginning(entry, self.notation), 0, entry.verb.doc)
        for verb in self._words_now(asked) if waited else ():
            if verb.says in said and verb.word not in known:
                yield Completion(f"{self.notation.say(verb.word)} ", 0, verb.doc)

    def examples(self, asked: Match, most: int) -> list[str]:
        """Return examples of entries that may be typed now, each in its shortest form.

        Missing facts come before acts, of which each kind has one example.
        """
        try:
            self._look(asked, [])
        except Failure:
            return []
        now = self._now
        if now is None or asked.over:
            return []
        entries = unsaid(now)
        found = [NUMBER] if entries and number_alone(now, self.notation) else []
        words = {""}
        for each in islice(self._each(), ENOUGH):
            word = each.entry.verb.word if each.entry is not None else ""
            known = each.entry is None or word in words or OPEN_END in each.text
            if each.entry is not None and not known and self._may(each):
                words.add(word)
                entries.append(each.entry)
            if len(words) > most:
                break
        found += (shortest(now, entry, self.notation) for entry in entries)
        return [*dict.fromkeys(found)][:most]

    def word(self, line: str) -> str:
        """Return the verb that the last entry of a line begins with, or ""."""
        act = line.rpartition(",")[2].rpartition(";")[2].rpartition(":")[2].strip().casefold()
        for word, forms in self._forms.items():
            verb = self.notation.verbs.get(word)
            if act and verb and not verb.table and any(form.startswith(act) for form in forms):
                return self.notation.say(word)
        return ""

    def _look(self, asked: Match, before: list[str]) -> None:
        """Compute the candidates after the entries in `before`. Raises a Failure if one is not
        allowed."""
        count = len(asked.live.log) if asked.rounds else 0
        key = (asked, count, tuple(before))
        if self._known == key:
            return
        at = asked
        if before:
            at = scratch(asked)
            for text in before:
                at.record(self.speech.canonical(text))
        self._now = at.now
        self._verdicts = {}
        self._offered = []
        self._coming = iter(()) if at.over else chain(self._possible(at.now), self._owed(at))
        self._known = key

    def _each(self) -> Iterator[Candidate]:
        """Yield the candidates, each made on demand, since there may be thousands."""
        yield from self._offered
        for candidate in self._coming:
            self._offered.append(candidate)
            yield candidate

    def _may(self, candidate: Candidate) -> bool:
        """Return whether a candidate is not proven illegal.

        Candidates are judged only when they match the typed text, since an unseen hand offers
        hundreds.
        """
        if candidate.entry is None or self._now is None:
            return True
        allowed = self._verdicts.get(candidate.text)
        if allowed is None:
            try:
                allowed = verdict_of(judge(self._now, candidate.entry)) != ILLEGAL
            except Failure:
                allowed = False
            self._verdicts[candidate.text] = allowed
        return allowed

    def _one_of_each_first(self, offered: list[Candidate]) -> list[Candidate]:
        """Return one candidate of each kind, then those with a verb, then the implicit ones."""
        kinds: set[str] = set()
        firsts: list[Candidate] = []
        others: list[Candidate] = []
        for each in offered:
            kind = each.entry.verb.word if each.entry is not None else each.text
            first = kind not in kinds and self._may(each)
            (firsts if first else others).append(each)
            kinds |= {kind} if first else set()
        return firsts + sorted(others, key=lambda candidate: candidate.implicit)

    def _cut(self, line: str) -> tuple[list[str], str]:
        """Return the complete entries of a line, and the typed part of the last one."""
        cut = max(line.rfind(","), line.rfind(";"))
        before = self.notation.split(line[: cut + 1])
        typed = line[cut + 1 :].lstrip()
        done, blank, last = typed.rpartition(" ")
        if blank and self.notation.kinds:
            row = self.notation.split(f"{done} {self.notation.kinds[0]}")
            if len(row) > 1:
                before, typed = before + row[:-1], last
        return before, typed

    # --- acts

    def _possible(self, rnd: Round) -> Iterator[Candidate]:
        """Yield the acts that the phases offer."""
        if rnd.seating.unseated:
            return
        waiting = rnd.waiting()
        shared: dict[str, Entry] = {}
        for phase in (rnd.phase, *rnd.rules.beside):
            if phase is None:
                continue
            for entry in sayable(phase.options(rnd), rnd.rules.off):
                if entry.seat is None:
                    continue
                candidate = self._candidate(self.notation.finish(entry), entry.seat in waiting[:1])
                yield candidate
                if entry.verb.for_all and len(phase.everyone(rnd, entry)) > 1:
                    shared[candidate.act] = entry
        for entry in shared.values():
            yield self._candidate(self.notation.finish(entry.by(EVERYONE)), False)

    def _candidate(self, entry: Entry, turn: bool) -> Candidate:
        """Return the candidate for an act. `turn` is true if it is the actor's turn."""
        name, _, act = entry.text.partition(": ")
        others: tuple[str, ...] = ()
        value = entry.value
        if entry.verb.cards and isinstance(value, tuple) and len(value) == 1:
            value = value[0]
        if entry.verb.cards and isinstance(value, int):
            others = self._ways(value)
        elif not entry.verb.implicit:
            others = tuple(self._forms.get(entry.verb.word, ()))
        implicit = entry.verb.implicit
        if entry.verb.brief is not None:  # the last card may be enough
            ways = self._ways(value[-1])
            others += (*ways, *(f"{word} {way}" for word in others for way in ways))
        about = "" if implicit else entry.verb.doc
        bare = turn and (entry.verb.turn or self._is_alone(entry))
        return Candidate(entry.text, name, act, bare, implicit, others, about, entry)

    def _is_alone(self, entry: Entry) -> bool:
        """Return whether only one player may do this now, so that the name may be left out."""
        now = self._now
        return now is not None and entry.verb.alone and who_may(now, entry) == [entry.seat]

    def _next_card(self, typed: str) -> Iterator[Completion]:
        """Yield further cards for an act of several cards that no option lists."""
        done, blank, last = typed.rpartition(" ")
        name, colon, cards = done.rpartition(":")
        if not blank or self._now is None or not all(map(self.notation.is_card, cards.split())):
            return
        for candidate in self._offered:
            entry = candidate.entry
            if entry is None or entry.seat is None or not entry.verb.cards or entry.value != ():
                continue
            if not (candidate.name == name.strip() if colon else candidate.bare):
                continue
            hands = self._now.hands
            for kind, card in enumerate(self.notation.kinds):
                forms = (card.casefold(), *self._ways(kind))
                fits = any(form.startswith(last.casefold()) for form in forms)
                if fits and hands.can_hold(entry.seat, kind) >= POSSIBLE:
                    yield Completion(f"{done} {card}", len(typed), candidate.about)
            return

    def _owed(self, at: Match) -> Iterator[Candidate]:
        """Yield the beginnings of entries that a player still owes."""
        for owed in at.state["owed"]:
            verb = self.notation.verbs.get(str(owed.get("what")))
            if verb is None or "who" not in owed:
                continue
            said, name = self.notation.say(verb.word), str(owed["who"])
            text = f"{said} {name}: " if verb.table else f"{name}: {said} "
            text = text if verb.syntax.form else text.rstrip()
            yield Candidate(text, "", "", False, False, (), verb.doc, None)

    def _ways(self, kind: int) -> tuple[str, ...]:
        """Return the ways to type a card."""
        if not self._cards:
            ways: dict[int, list[str]] = {}
            for typed, number in self.notation.lexicon.cards.all.items():
                ways.setdefault(number, []).append(typed)
            self._cards = {number: tuple(typed) for number, typed in ways.items()}
        return self._cards.get(kind, ())

    # --- what the table says

    def _table_words(self, asked: Match, typed: str) -> Iterator[Completion]:
        """Yield verbs of the table, or names after such a verb."""
        word, rest = self.notation.opening(typed.partition(":")[0])
        verb = self.notation.verbs.get(word)
        if verb is not None and verb.table and typed != typed.rstrip() + rest:
            yield from self._named(verb, rest, typed)
            return
        folded = typed.casefold()
        for verb in self._words_now(asked):
            said = self.notation.say(verb.word)
            if any(form.startswith(folded) for form in (said, *self._forms.get(verb.word, ()))):
                yield Completion(f"{said} " if verb.syntax.form else said, len(typed), verb.doc)

    def _named(self, verb: Verb, rest: str, typed: str) -> Iterator[Completion]:
        """Yield names after a verb that takes one, unless more than a name is typed."""
        said = self.notation.say(verb.word)
        if isinstance(verb.syntax, JoinsSyntax):
            cut = verb.syntax.cut(rest, self.notation)
            if cut is None:
                return
            said, rest = f"{said} {cut[0]}", cut[1]
        elif not isinstance(verb.syntax, (LeaverSyntax, Of, Who)) or ":" in typed:
            return
        end = ": " if isinstance(verb.syntax, Of) else ""
        for name in self.notation.names:
            if name.casefold().startswith(rest.casefold()):
                yield Completion(f"{said} {name}{end}", len(typed), verb.doc)

    def _words_now(self, asked: Match) -> Iterator[Verb]:
        """Yield the verbs of the table that are in use now."""
        rnd = asked.now
        for verb in self.notation.verbs.values():
            if not verb.table or (verb.fact and rnd.acted and not verb.aside):
                continue
            phase = rnd.rules.phase_of[verb.word]
            if phase.beside or phase is rnd.phase or verb.fact:
                yield verb


def _fits(candidate: Candidate, typed: str) -> bool:
    """Return whether a candidate begins with the typed text."""
    folded = typed.casefold()
    name, colon, act = folded.partition(":")
    if colon:
        return candidate.name.casefold().startswith(name.strip()) and _acts(candidate, act.strip())
    if candidate.text.casefold().startswith(folded):
        return True
    return _acts(candidate, folded)


def _acts(candidate: Candidate, act: str) -> bool:
    """Return whether a candidate's act begins with a text."""
    return candidate.act.casefold().startswith(act) or any(
        other.startswith(act) for other in candidate.others
    )


def _completions(fitting: list[Candidate], typed: str) -> list[Completion]:
    """Return completions, without the name where it is optional, untyped and clear."""
    found = []
    times = Counter(candidate.act for candidate in fitting)
    for each in fitting:
        short = each.bare and typed and ":" not in typed and times[each.act] == 1
        text = each.act if short and _acts(each, typed.casefold()) else each.text
        found.append(Completion(text.removesuffix(OPEN_END), len(typed), each.about))
    return found


# --- what a round waits to be told, and what is short for it


def unsaid(rnd: Round) -> list[Entry]:
    """Return examples of the facts that the current phase needs from the table."""
    phase = rnd.phase
    if phase is None or rnd.over:
        return []
    brought = sayable(phase.chance(rnd, First()), rnd.rules.off)
    return [entry for entry in brought if entry.verb.table]


class First:
    """A source of random numbers that always takes the first choice, for stable examples."""

    def random(self) -> float:
        """Return 0.0."""
        return 0.0

    def randint(self, least: int, most: int, /) -> int:
        """Return the least number."""
        return least

    def choice(self, found: Sequence[T], /) -> T:
        """Return the first item."""
        return found[0]

    def sample(self, found: Sequence[T], number: int, /) -> list[T]:
        """Return the first items."""
        return list(found[:number])


def beginning(entry: Entry, notation: Notation) -> str:
    """Return the beginning of an entry, without its unknown value."""
    text = notation.finish(entry).text
    if isinstance(entry.verb.syntax, Of):
        return text[: text.index(": ") + 2]
    return f"{notation.say(entry.verb.word)} "


def shortest(rnd: Round, entry: Entry, notation: Notation) -> str:
    """Return the shortest form of an entry: its last word, the act alone, or the whole."""
    whole = notation.finish(entry).text
    act = whole.partition(": ")[2] if entry.seat is not None else whole
    for text in (act.rpartition(" ")[2], act):
        if meaning(rnd, text, notation) == whole:
            return text
    return whole


def number_alone(rnd: Round, notation: Notation) -> Verb | None:
    """Return the missing fact that a single number would state, or None."""
    said = meaning(rnd, NUMBER, notation)
    verb = notation.verbs.get(notation.opening(said)[0]) if said else None
    return verb if verb is not None and rnd.rules.phase_of[verb.word] is rnd.phase else None


def shortest_result(rnd: Round, whole: str, notation: Notation) -> str:
    """Return the shortest form of a result: its number, and as few keys as possible."""
    pairs = whole.split()[1:]
    number = next((pair for pair in pairs if pair.partition("=")[2].isdigit()), "")
    others = [pair for pair in pairs if pair != number]
    first = [number.partition("=")[2]] if number else []
    for count in range(len(others) + 1):
        for kept in combinations(others, count):
            text = " ".join([*first, *kept])
            if text and _same(meaning(rnd, text, notation), whole):
                return text
    return whole


def _same(one: str, other: str) -> bool:
    """Return whether two results have the same parts in any order."""
    return sorted(one.split()) == sorted(other.split())


def meaning(rnd: Round, text: str, notation: Notation) -> str:
    """Return the entry that a text means now, or ""."""
    try:
        return notation.finish(resolve(rnd, notation.read(text), notation)).text
    except Failure:
        return ""


# --- help: what may be typed in the match that is played, in its words


def game_lines(
    speech: Speech, turn: str, examples: Sequence[str], result: str, rnd: Round | None
) -> Iterator[str]:
    """Yield lines of help: the turn, examples of entries, and the forms in use now."""
    verbs = speech.own.verbs.values()
    now = [verb for verb in verbs if rnd is not None and _is_on(verb, rnd)]
    yield tr("Now: {turn}", turn=turn)
    entries = BETWEEN.join(examples)
    if entries and result:
        say = tr("You could type: {entries}; or of a whole round: {result}")
        yield say.format(entries=entries, result=result)
    elif entries:
        yield tr("You could type: {entries}", entries=entries)
    if acts := _explained((verb for verb in now if not verb.table), speech):
        yield tr("A player, with “Name:” before it when it is not their turn: {forms}", forms=acts)
    if said := _explained((verb for verb in now if verb.table), speech):
        yield tr("The table: {forms}", forms=said)
    if ONE_CARD in speech.own.lexicon.shorts:
        yield tr("A card alone is enough where it can mean but one thing; commas part entries.")
    else:
        yield tr("Commas part several entries; Tab offers what may be done now.")


def other_words(speech: Speech, rnd: Round | None) -> str:
    """Return a line with the verbs that are not in use now."""
    verbs = speech.own.verbs.values()
    others = [
        verb for verb in verbs if not verb.implicit and (rnd is None or not _is_on(verb, rnd))
    ]
    words = BETWEEN.join(speech.own.say(verb.word) for verb in others)
    return tr("In its time (alone, each tells its form): {words}", words=words)


def other_forms(speech: Speech, rnd: Round | None) -> str:
    """Return a line with the forms of entries that are not in use now."""
    verbs = speech.own.verbs.values()
    others = [verb for verb in verbs if rnd is None or not _is_on(verb, rnd)]
    forms = BETWEEN.join(form_of(verb, speech) for verb in others)
    return tr("In its time: {forms}", forms=forms)


def _is_on(verb: Verb, rnd: Round) -> bool:
    """Return whether a verb of the game is in use now."""
    phase = rnd.rules.phase_of[verb.word]
    on = phase.beside or phase is rnd.phase
    played = all(row.word.name != NOT_PLAYED for row in rnd.rules.clauses_of.get(verb.word, ()))
    return on and played and phase.name != ANY_TABLE and not (verb.fact and rnd.acted)


def _explained(verbs: Iterable[Verb], speech: Speech) -> str:
    """Return the forms of verbs with their descriptions, in one line."""
    return BETWEEN.join(f"{form_of(verb, speech)} ({tr(verb.doc)})" for verb in verbs)


def form_of(verb: Verb, speech: Speech) -> str:
    """Return the form of an entry with that verb."""
    form = verb.form
    return form if verb.implicit else f"{speech.own.say(verb.word)} {form}".strip()
