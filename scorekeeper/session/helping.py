"""What may be typed in the match that is played, in its words: the help of the live table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import mark, tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scorekeeper.notation.speech import Speech
    from scorekeeper.notation.verbs import Verb

BETWEEN = " · "
# What is said at any table; a game's own words stand before.
COMMON = mark("Also: {forms}")


def game_lines(speech: Speech, turn: str, examples: Sequence[str]) -> Iterator[str]:
    """What is waited for, entries that would be taken now, the forms of all that may be said."""
    yield tr("Now: {turn}", turn=turn)
    if examples:
        yield tr("You could type: {entries}", entries=BETWEEN.join(examples))
    own = [verb for verb in speech.own.verbs.values() if not (verb.table and verb.phase == "table")]
    acts = [f"{form_of(verb, speech)} ({tr(verb.doc)})" for verb in own if not verb.table]
    yield tr("A player: {forms}", forms=BETWEEN.join(acts))
    yield tr("Before it “Name:”, where somebody else acts than whose turn it is.")
    if tables := [f"{form_of(verb, speech)} ({tr(verb.doc)})" for verb in own if verb.table]:
        yield tr("The table: {forms}", forms=BETWEEN.join(tables))
    common = [verb for verb in speech.own.verbs.values() if verb not in own]
    yield tr(COMMON, forms=BETWEEN.join(form_of(verb, speech) for verb in common))
    yield tr("Commas part several entries; Tab offers what may be done now.")


def form_of(verb: Verb, speech: Speech) -> str:
    """What an entry of that kind is typed as."""
    form = tr(verb.syntax.form) if verb.syntax.form else ""
    return form if verb.implicit else f"{speech.own.say(verb.word)} {form}".strip()


def command_line(commands: Iterable[tuple[str, str]]) -> str:
    """Keys, or words, and what they do, in one line."""
    return BETWEEN.join(f"{key}: {tr(about)}" for key, about in commands)
