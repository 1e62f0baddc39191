"""What may be typed in the match that is played, in its words: the help of the live table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import tr
from scorekeeper.notation.entry import ONE_CARD

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scorekeeper.notation.entry import Verb
    from scorekeeper.notation.translation import Speech
    from scorekeeper.play.round import Round

BETWEEN = " · "
ANY_TABLE = "table"  # the phase of what is said at any table
NOT_PLAYED = "not-played"  # the clause word for what a game has no use of


def game_lines(
    speech: Speech, turn: str, examples: Sequence[str], result: str, rnd: Round | None
) -> Iterator[str]:
    """What is waited for, entries that would be taken now, the forms of all whose time it is."""
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
    """The words for what else may be said, at any table or at another time."""
    verbs = speech.own.verbs.values()
    others = [
        verb for verb in verbs if not verb.implicit and (rnd is None or not _is_on(verb, rnd))
    ]
    words = BETWEEN.join(speech.own.say(verb.word) for verb in others)
    return tr("In its time (alone, each tells its form): {words}", words=words)


def other_forms(speech: Speech, rnd: Round | None) -> str:
    """The forms of what else may be said, at any table or at another time."""
    verbs = speech.own.verbs.values()
    others = [verb for verb in verbs if rnd is None or not _is_on(verb, rnd)]
    forms = BETWEEN.join(form_of(verb, speech) for verb in others)
    return tr("In its time: {forms}", forms=forms)


def _is_on(verb: Verb, rnd: Round) -> bool:
    """Whether a game's own word may be said now."""
    phase = rnd.rules.phase_of[verb.word]
    on = phase.beside or phase is rnd.phase
    played = all(row.word.name != NOT_PLAYED for row in rnd.rules.clauses_of.get(verb.word, ()))
    return on and played and phase.name != ANY_TABLE and not (verb.fact and rnd.acted)


def _explained(verbs: Iterable[Verb], speech: Speech) -> str:
    return BETWEEN.join(f"{form_of(verb, speech)} ({tr(verb.doc)})" for verb in verbs)


def form_of(verb: Verb, speech: Speech) -> str:
    """What an entry of that kind is typed as."""
    form = verb.form
    return form if verb.implicit else f"{speech.own.say(verb.word)} {form}".strip()
