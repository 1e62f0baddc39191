"""Completions and help for typed lines, from public information only.

The candidates are the entries that are legal now. The beginning of an entry may be typed with or
without the player's name, in any of the ruleset's languages. If the round needs facts before any
player may act, such as a turned card or dice, these facts are candidates too.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain, combinations, islice
from typing import TYPE_CHECKING, TypeVar

from scorekeeper.core.errors import Failure
from scorekeeper.core.hands import POSSIBLE
from scorekeeper.core.messages import tr
from scorekeeper.core.rulings import ILLEGAL, worst_verdict
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.referee import judge, resolve, seats_that_may
from scorekeeper.engine.ruleset import enabled_entries
from scorekeeper.notation import EVERYONE
from scorekeeper.notation.entry import SHORT_CARD
from scorekeeper.notation.syntax import OfPlayer, PlayerName
from scorekeeper.phases.table_facts import JoinsSyntax, LeaverSyntax
from scorekeeper.session.public_round import trial_match

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scorekeeper.engine.round import Round
    from scorekeeper.match.match import Match
    from scorekeeper.notation import Entry, Notation
    from scorekeeper.notation.entry import EntryType
    from scorekeeper.notation.notation import Translator

T = TypeVar("T")

MAX_COMPLETIONS = 60
MAX_CANDIDATES = 400  # number of candidates that are grouped by kind while nothing is typed
OPEN_END = "…"
SAMPLE_NUMBER = "3"  # a number to use in examples
BETWEEN = " · "
ANY_TABLE = "table"  # the phase that contains the entries of every game
NOT_PLAYED = "not-played"  # the clause word for entries that the game does not use


class Completion(NamedTuple):
    """A completion. `text` replaces the last `length` characters of the line, and `about` describes
    the completion."""

    text: str
    length: int
    about: str = ""


class Candidate(NamedTuple):
    """An entry that may be typed now.

    `text` is the entry with the player's name, and `act` the entry without it. `name_optional`
    is true if the name may be left out. `is_implicit` is true if the act needs no verb.
    `aliases` are other ways to type the act, in lower case.
    """

    text: str
    name: str
    act: str
    name_optional: bool
    is_implicit: bool
    aliases: tuple[str, ...]
    about: str
    entry: Entry | None


class Completer:
    """A source of completions for the lines of one match, in the language of its players."""

    def __init__(self, speech: Translator) -> None:
        self.speech = speech
        self._state_key: tuple[Match, int, tuple[str, ...]] | None = None
        self._round: Round | None = None
        self._candidates: list[Candidate] = []
        self._more_candidates: Iterator[Candidate] = iter(())
        self._verdicts: dict[str, bool] = {}
        self._forms: dict[str, list[str]] = {}
        for typed, word in self.notation.lexicon.meanings.items():
            self._forms.setdefault(word, []).append(typed)
        self._cards: dict[int, tuple[str, ...]] = {}

    @property
    def notation(self) -> Notation:
        """The notation in which the players currently write."""
        return self.speech.spoken_notation

    def complete(self, match: Match, line: str, claims: Iterable[str] = ()) -> list[Completion]:
        """Return the completions of a line.

        `match` is the match as the table has seen it. `claims` lists entries that claim, rate or
        waive faults.
        """
        try:
            before, typed = self._split_line(line)
            self._update(match, before)
        except Failure:
            return []
        offered = self._all_candidates()
        if not typed:
            offered = iter(self._one_of_each_first([*islice(offered, MAX_CANDIDATES)]))
        fitting = (each for each in offered if _is_match(each, typed) and self._is_allowed(each))
        completions = _completions([*islice(fitting, MAX_COMPLETIONS)], typed)
        if typed and not completions:
            completions += self._next_card_completions(typed)
        if not typed:
            completions[:0] = self._expected_facts(match)
        completions[:0] = self._claim_completions(claims, typed)
        if typed and not before:
            completions += self._table_completions(match, typed)
        return list(dict.fromkeys(completions))[:MAX_COMPLETIONS]

    def _claim_completions(self, claims: Iterable[str], typed: str) -> Iterator[Completion]:
        """Yield the claims that begin with the typed text, except a claim that is already
        complete."""
        start = " ".join(typed.casefold().split())
        for text in claims:
            word = self.notation.split_first_word(text)[0]
            if text.casefold().startswith(start) and start != text.casefold():
                yield Completion(text, len(typed), self.notation.entry_types[word].doc)

    def _expected_facts(self, match: Match) -> Iterator[Completion]:
        """Yield the beginnings of entries that state missing facts or replacements for them."""
        now = self._round
        waited = missing_facts(now) if now is not None else []
        known = {entry.type.word for entry in waited}
        fact_keys = {entry.type.fact_key for entry in waited}
        number = verb_of_number(now, self.notation) if now is not None and waited else None
        if number is not None:
            yield Completion(f"{self.notation.write_word(number.word)} ", 0, number.doc)
        for entry in waited:
            yield Completion(entry_start(entry, self.notation), 0, entry.type.doc)
        for verb in self._current_table_verbs(match) if waited else ():
            if verb.fact_key in fact_keys and verb.word not in known:
                yield Completion(f"{self.notation.write_word(verb.word)} ", 0, verb.doc)

    def examples(self, match: Match, max_count: int) -> list[str]:
        """Return examples of entries that may be typed now, each in its shortest form.

        Missing facts come first, followed by one example of each kind of act.
        """
        try:
            self._update(match, [])
        except Failure:
            return []
        now = self._round
        if now is None or match.over:
            return []
        entries = [*missing_facts(now), *_joint_entries(now)]
        texts = [SAMPLE_NUMBER] if entries and verb_of_number(now, self.notation) else []
        words = {""}
        for each in islice(self._all_candidates(), MAX_CANDIDATES):
            word = each.entry.type.word if each.entry is not None else ""
            known = each.entry is None or word in words or OPEN_END in each.text
            if each.entry is not None and not known and self._is_allowed(each):
                words.add(word)
                entries.append(each.entry)
            if len(words) > max_count:
                break
        texts += (shorten_entry(now, entry, self.notation) for entry in entries)
        return [*dict.fromkeys(texts)][:max_count]

    def find_word(self, line: str) -> str:
        """Return the verb at the beginning of the last entry in a line, or ""."""
        who, colon, said = line.rpartition(",")[2].rpartition(";")[2].rpartition(":")
        act = "" if colon and not who.strip(" :") else said.strip().casefold()
        for word, forms in self._forms.items():
            verb = self.notation.entry_types.get(word)
            if (
                act
                and verb
                and not verb.is_table_entry
                and any(form.startswith(act) for form in forms)
            ):
                return self.notation.write_word(word)
        return ""

    def _update(self, match: Match, before: list[str]) -> None:
        """Compute the candidates after the entries in `before`.

        Raises a Failure if one of these entries is not allowed.
        """
        count = len(match.live_round.log) if match.rounds else 0
        key = (match, count, tuple(before))
        if self._state_key == key:
            return
        at = match
        if before:
            at = trial_match(match)
            for text in before:
                at.record(self.speech.to_canonical(text))
        self._round = at.current_round
        self._verdicts = {}
        self._candidates = []
        self._more_candidates = (
            iter(())
            if at.over
            else chain(self._act_candidates(at.current_round), self._owed_candidates(at))
        )
        self._state_key = key

    def _all_candidates(self) -> Iterator[Candidate]:
        """Yield the candidates. They are created on demand, because there may be thousands."""
        yield from self._candidates
        for candidate in self._more_candidates:
            self._candidates.append(candidate)
            yield candidate

    def _is_allowed(self, candidate: Candidate) -> bool:
        """Return False if a candidate is known to be illegal, otherwise True.

        Candidates are judged only when they match the typed text, because an unseen hand allows
        hundreds of candidates.
        """
        if candidate.entry is None or self._round is None:
            return True
        allowed = self._verdicts.get(candidate.text)
        if allowed is None:
            try:
                allowed = worst_verdict(judge(self._round, candidate.entry)) != ILLEGAL
            except Failure:
                allowed = False
            self._verdicts[candidate.text] = allowed
        return allowed

    def _one_of_each_first(self, offered: list[Candidate]) -> list[Candidate]:
        """Return one candidate of each kind, followed by the other candidates.

        Candidates that need no verb come last.
        """
        kinds: set[str] = set()
        firsts: list[Candidate] = []
        others: list[Candidate] = []
        for each in offered:
            kind = each.entry.type.word if each.entry is not None else each.text
            first = kind not in kinds and self._is_allowed(each)
            (firsts if first else others).append(each)
            kinds |= {kind} if first else set()
        return firsts + sorted(others, key=lambda candidate: candidate.is_implicit)

    def _split_line(self, line: str) -> tuple[list[str], str]:
        """Return the complete entries in a line, and the typed part of the last entry."""
        cut = max(line.rfind(","), line.rfind(";"))
        before = self.notation.split_line(line[: cut + 1])
        typed = line[cut + 1 :].lstrip()
        head, blank, last = typed.rpartition(" ")
        if blank and self.notation.kinds:
            row = self.notation.split_line(f"{head} {self.notation.kinds[0]}")
            if len(row) > 1:
                before, typed = before + row[:-1], last
        return before, typed

    # --- acts

    def _act_candidates(self, rnd: Round) -> Iterator[Candidate]:
        """Yield the acts that the phases offer."""
        if rnd.seating.seating_error:
            return
        waiting = rnd.waiting()
        shared: dict[str, Entry] = {}
        for phase in (rnd.phase, *rnd.rules.concurrent):
            if phase is None:
                continue
            for entry in enabled_entries(phase.options(rnd), rnd.rules.disabled_verbs):
                if entry.seat is None:
                    continue
                candidate = self._make_candidate(
                    self.notation.write(entry), entry.seat in waiting[:1]
                )
                yield candidate
                if entry.type.for_all and len(phase.everyone(rnd, entry)) > 1:
                    shared[candidate.act] = entry
        for entry in shared.values():
            yield self._make_candidate(self.notation.write(entry.with_seat(EVERYONE)), False)

    def _make_candidate(self, entry: Entry, turn: bool) -> Candidate:
        """Return the candidate for an act. `turn` is true if it is the actor's turn."""
        name, _, act = entry.text.partition(": ")
        others: tuple[str, ...] = ()
        value = entry.value
        if entry.type.plays_cards and isinstance(value, tuple) and len(value) == 1:
            value = value[0]
        if entry.type.plays_cards and isinstance(value, int):
            others = self._card_forms(value)
        elif not entry.type.is_implicit:
            others = tuple(self._forms.get(entry.type.word, ()))
        implicit = entry.type.is_implicit
        if entry.type.short_form is not None:  # typing only the last card may be enough
            ways = self._card_forms(value[-1])
            others += (*ways, *(f"{word} {way}" for word in others for way in ways))
        about = "" if implicit else entry.type.doc
        bare = turn and (entry.type.needs_turn or self._has_one_actor(entry))
        return Candidate(entry.text, name, act, bare, implicit, others, about, entry)

    def _has_one_actor(self, entry: Entry) -> bool:
        """Return whether only one player may perform the act now. The name may then be left out."""
        now = self._round
        return (
            now is not None and entry.type.is_one_of and seats_that_may(now, entry) == [entry.seat]
        )

    def _next_card_completions(self, typed: str) -> Iterator[Completion]:
        """Yield further cards for an act with several cards, if the phase does not list all
        combinations of cards."""
        head, blank, last = typed.rpartition(" ")
        name, colon, cards = head.rpartition(":")
        if not blank or self._round is None or not all(map(self.notation.is_card, cards.split())):
            return
        for candidate in self._candidates:
            entry = candidate.entry
            if (
                entry is None
                or entry.seat is None
                or not entry.type.plays_cards
                or entry.value != ()
            ):
                continue
            if not (candidate.name == name.strip() if colon else candidate.name_optional):
                continue
            hands = self._round.hands
            for kind, card in enumerate(self.notation.kinds):
                forms = (card.casefold(), *self._card_forms(kind))
                fits = any(form.startswith(last.casefold()) for form in forms)
                if fits and hands.can_hold(entry.seat, kind) >= POSSIBLE:
                    yield Completion(f"{head} {card}", len(typed), candidate.about)
            return

    def _owed_candidates(self, at: Match) -> Iterator[Candidate]:
        """Yield the beginnings of the entries that players must still make."""
        for owed in at.state["owed"]:
            verb = self.notation.entry_types.get(str(owed.get("what")))
            if verb is None or "who" not in owed:
                continue
            word, name = self.notation.write_word(verb.word), str(owed["who"])
            text = f"{word} {name}: " if verb.is_table_entry else f"{name}: {word} "
            text = text if verb.syntax.form else text.rstrip()
            yield Candidate(text, "", "", False, False, (), verb.doc, None)

    def _card_forms(self, kind: int) -> tuple[str, ...]:
        """Return the ways to type a card."""
        if not self._cards:
            ways: dict[int, list[str]] = {}
            for typed, number in self.notation.lexicon.cards.all.items():
                ways.setdefault(number, []).append(typed)
            self._cards = {number: tuple(typed) for number, typed in ways.items()}
        return self._cards.get(kind, ())

    # --- entries of the table

    def _table_completions(self, match: Match, typed: str) -> Iterator[Completion]:
        """Yield the verbs of the table, or player names if such a verb is already typed."""
        word, rest = self.notation.split_first_word(typed.partition(":")[0])
        verb = self.notation.entry_types.get(word)
        if verb is not None and verb.is_table_entry and typed != typed.rstrip() + rest:
            yield from self._name_completions(verb, rest, typed)
            return
        folded = typed.casefold()
        for verb in self._current_table_verbs(match):
            word_text = self.notation.write_word(verb.word)
            if any(
                form.startswith(folded) for form in (word_text, *self._forms.get(verb.word, ()))
            ):
                yield Completion(
                    f"{word_text} " if verb.syntax.form else word_text, len(typed), verb.doc
                )

    def _name_completions(self, verb: EntryType, rest: str, typed: str) -> Iterator[Completion]:
        """Yield player names after a verb that requires a name.

        Yield nothing if the line already continues after the name.
        """
        word_text = self.notation.write_word(verb.word)
        if isinstance(verb.syntax, JoinsSyntax):
            cut = verb.syntax.cut(rest, self.notation)
            if cut is None:
                return
            word_text, rest = f"{word_text} {cut[0]}", cut[1]
        elif not isinstance(verb.syntax, (LeaverSyntax, OfPlayer, PlayerName)) or ":" in typed:
            return
        end = ": " if isinstance(verb.syntax, OfPlayer) else ""
        for name in self.notation.names:
            if name.casefold().startswith(rest.casefold()):
                yield Completion(f"{word_text} {name}{end}", len(typed), verb.doc)

    def _current_table_verbs(self, match: Match) -> Iterator[EntryType]:
        """Yield the verbs of the table that can be used now."""
        rnd = match.current_round
        for verb in self.notation.entry_types.values():
            if not verb.is_table_entry or (
                verb.is_setup_fact and rnd.acted and not verb.is_always_possible
            ):
                continue
            phase = rnd.rules.phase_of[verb.word]
            if phase.concurrent or phase is rnd.phase or verb.is_setup_fact:
                yield verb


def _is_match(candidate: Candidate, typed: str) -> bool:
    """Return whether a candidate begins with the typed text."""
    folded = typed.casefold()
    name, colon, act = folded.partition(":")
    if colon:
        return candidate.name.casefold().startswith(name.strip()) and _is_act_match(
            candidate, act.strip()
        )
    if candidate.text.casefold().startswith(folded):
        return True
    return _is_act_match(candidate, folded)


def _is_act_match(candidate: Candidate, act: str) -> bool:
    """Return whether a candidate's act begins with the typed text."""
    return candidate.act.casefold().startswith(act) or any(
        other.startswith(act) for other in candidate.aliases
    )


def _completions(fitting: list[Candidate], typed: str) -> list[Completion]:
    """Return the completions for candidates.

    The player's name is left out if it is optional and no other player may do the same thing.
    """
    completions = []
    times = Counter(candidate.act for candidate in fitting)
    for each in fitting:
        short = each.name_optional and typed and ":" not in typed and times[each.act] == 1
        text = each.act if short and _is_act_match(each, typed.casefold()) else each.text
        completions.append(Completion(text.removesuffix(OPEN_END), len(typed), each.about))
    return completions


# --- missing facts and short forms


def _joint_entries(rnd: Round) -> list[Entry]:
    """Return an example of an entry for all players together, if the phase has one."""
    phase = rnd.phase
    if phase is None or not any(verb.is_joint for verb in phase.entry_types):
        return []
    options = phase.options(rnd)
    return list(islice((entry for entry in options if entry.type.is_joint), 1))


def missing_facts(rnd: Round) -> list[Entry]:
    """Return examples of the facts that the current phase needs from the table."""
    phase = rnd.phase
    if phase is None or rnd.over:
        return []
    brought = enabled_entries(phase.chance(rnd, FirstChoiceRng()), rnd.rules.disabled_verbs)
    return [entry for entry in brought if entry.type.is_table_entry]


class FirstChoiceRng:
    """A random number generator that always returns the first choice, so that examples are
    stable."""

    def random(self) -> float:
        """Return 0.0."""
        return 0.0

    def randint(self, least: int, most: int, /) -> int:
        """Return the lowest number."""
        return least

    def choice(self, found: Sequence[T], /) -> T:
        """Return the first item."""
        return found[0]

    def sample(self, found: Sequence[T], number: int, /) -> list[T]:
        """Return the first items."""
        return list(found[:number])


def entry_start(entry: Entry, notation: Notation) -> str:
    """Return the beginning of an entry, up to its unknown value."""
    text = notation.write(entry).text
    if isinstance(entry.type.syntax, OfPlayer):
        return text[: text.index(": ") + 2]
    return f"{notation.write_word(entry.type.word)} "


def shorten_entry(rnd: Round, entry: Entry, notation: Notation) -> str:
    """Return the shortest form of an entry: its last word, its act alone, or the whole entry."""
    whole = notation.write(entry).text
    act = whole.partition(": ")[2] if entry.seat is not None else whole
    for text in (act.rpartition(" ")[2], act):
        if resolve_text(rnd, text, notation) == whole:
            return text
    return whole


def verb_of_number(rnd: Round, notation: Notation) -> EntryType | None:
    """Return the verb of the missing fact if a number is enough to state the fact, or None."""
    resolved = resolve_text(rnd, SAMPLE_NUMBER, notation)
    verb = notation.entry_types.get(notation.split_first_word(resolved)[0]) if resolved else None
    return verb if verb is not None and rnd.rules.phase_of[verb.word] is rnd.phase else None


def shorten_result(rnd: Round, whole: str, notation: Notation) -> str:
    """Return the shortest form of a result: the values in the ruleset's order without keys, or its
    number with as few keys as possible."""
    pairs = whole.split()[1:]
    parts = [pair.partition("=") for pair in pairs]
    values = {notation.find_meaning(key) or key: value for key, _, value in parts}
    line = notation.lexicon.line_form
    in_order = "" if line is None else line.syntax.shorten(values, notation)
    if in_order and _is_same_result(resolve_text(rnd, in_order, notation), whole):
        return in_order
    number = next((pair for pair in pairs if pair.partition("=")[2].isdigit()), "")
    others = [pair for pair in pairs if pair != number]
    first = [number.partition("=")[2]] if number else []
    for count in range(len(others) + 1):
        for chosen in combinations(others, count):
            text = " ".join([*first, *chosen])
            if text and _is_same_result(resolve_text(rnd, text, notation), whole):
                return text
    return whole


def _is_same_result(one: str, other: str) -> bool:
    """Return whether two results have the same parts, in any order."""
    return sorted(one.split()) == sorted(other.split())


def resolve_text(rnd: Round, text: str, notation: Notation) -> str:
    """Return the complete entry for a typed text, or "" if the text is no entry at the moment."""
    try:
        return notation.write(resolve(rnd, notation.read(text), notation)).text
    except Failure:
        return ""


# --- help with entries


def help_lines(
    speech: Translator, turn: str, examples: Sequence[str], result: str, rnd: Round | None
) -> Iterator[str]:
    """Yield lines of help: the player's turn, examples of entries, and the forms that can be used
    now."""
    verbs = speech.spoken_notation.entry_types.values()
    now = [verb for verb in verbs if rnd is not None and _is_usable(verb, rnd)]
    yield tr("Now: {turn}", turn=turn)
    entries = BETWEEN.join(examples)
    if entries and result:
        template = tr("You could type: {entries}; or for a whole round: {result}")
        yield template.format(entries=entries, result=result)
    elif entries:
        yield tr("You could type: {entries}", entries=entries)
    line = speech.spoken_notation.lexicon.line_form
    if line is not None and rnd is not None and not rnd.acted:
        yield tr("A whole deal in one line: {form}", form=line.form)
    if act_forms := _explain_forms((verb for verb in now if not verb.is_table_entry), speech):
        yield tr(
            "Players may type, with “Name:” in front if it is not their turn: {forms}",
            forms=act_forms,
        )
    if table_forms := _explain_forms((verb for verb in now if verb.is_table_entry), speech):
        yield tr("The table may type: {forms}", forms=table_forms)
    if SHORT_CARD in speech.spoken_notation.lexicon.shorthand:
        yield tr("A card alone is enough if its meaning is clear; commas separate entries.")
    else:
        yield tr("Commas separate entries; Tab shows what is possible now.")


def other_words(speech: Translator, rnd: Round | None) -> str:
    """Return a line with the verbs that cannot be used now."""
    verbs = speech.spoken_notation.entry_types.values()
    others = [
        verb
        for verb in verbs
        if not verb.is_implicit and (rnd is None or not _is_usable(verb, rnd))
    ]
    words = BETWEEN.join(speech.spoken_notation.write_word(verb.word) for verb in others)
    return tr("Not possible now (type a word to see its form): {words}", words=words)


def other_forms(speech: Translator, rnd: Round | None) -> str:
    """Return a line with the forms of entries that cannot be used now."""
    verbs = speech.spoken_notation.entry_types.values()
    others = [verb for verb in verbs if rnd is None or not _is_usable(verb, rnd)]
    forms = BETWEEN.join(form_of(verb, speech) for verb in others)
    return tr("Not possible now: {forms}", forms=forms)


def _is_usable(verb: EntryType, rnd: Round) -> bool:
    """Return whether a verb of the game can be used now."""
    phase = rnd.rules.phase_of[verb.word]
    on = phase.concurrent or phase is rnd.phase
    played = all(row.word.name != NOT_PLAYED for row in rnd.rules.clauses_of.get(verb.word, ()))
    return on and played and phase.name != ANY_TABLE and not (verb.is_setup_fact and rnd.acted)


def _explain_forms(verbs: Iterable[EntryType], speech: Translator) -> str:
    """Return the forms of verbs with their descriptions, in one line."""
    return BETWEEN.join(f"{form_of(verb, speech)} ({tr(verb.doc)})" for verb in verbs)


def form_of(verb: EntryType, speech: Translator) -> str:
    """Return the text to type for an entry with the given verb, such as `bid NUMBER`."""
    form = verb.form
    return (
        form
        if verb.is_implicit
        else f"{speech.spoken_notation.write_word(verb.word)} {form}".strip()
    )
