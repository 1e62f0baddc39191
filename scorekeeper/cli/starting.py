"""What a match that has just begun waits for, with commands that work as they stand there."""

from __future__ import annotations

import shlex
from random import Random
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure
from scorekeeper.core.messages import tr
from scorekeeper.core.text import columns
from scorekeeper.notation import Entry
from scorekeeper.notation.syntax import Cards
from scorekeeper.play.legal import REST
from scorekeeper.play.match import Match
from scorekeeper.play.result_line import result_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scorekeeper.notation import Notation
    from scorekeeper.notation.entry import Verb
    from scorekeeper.notation.translation import Speech

WIDTH = 80
LONG = 50  # letters of a hand that is shown
MOST_OPEN = 20  # cards that are laid open at once
TRIED = 20  # values of a fact, until one may be said
PLAIN = "scorekeeper record"


def first_lines(match: Match, speech: Speech, options: str = "") -> Iterator[str]:
    """Who deals and acts first, what must happen, and the entries that come first. `options` are
    what a command needs to speak of this match."""
    if match.ruleset.deal["dealt"]:
        who = match.seated[match.now.dealer]
        yield tr('{who} deals (another: record "dealer NAME")', who=who)
    if len(match.to_act) == 1:
        yield tr('{who} acts first (another: record "lead NAME")', who=match.to_act[0])
    yield speech.told(match.prompt)
    facts, act = _start(match)
    if facts:
        yield tr("what is so at the start, as far as it is known:")
        yield from _commands(facts, speech, options)
    if act:
        yield tr("what happens then:") if facts else tr("what happens first:")
        yield from _commands([(act, "")], speech, options)
    outcome = result_line(match)
    if outcome:
        yield tr("or, of a whole round, its outcome alone:")
        yield from _commands([(outcome, "")], speech, options)


def _commands(entries: list[tuple[str, str]], speech: Speech, options: str) -> Iterator[str]:
    """A command for each entry, and behind it what is said by it, where a line has room."""
    said = [f"  {PLAIN}{options} {_quoted(speech.spoken(entry))}" for entry, _ in entries]
    wide = max(columns(line) for line in said if columns(line) <= WIDTH // 2 or line == said[0])
    for line, (_, about) in zip(said, entries, strict=True):
        told = f"{line}{' ' * max(0, wide - columns(line))}  # {about}"
        yield told if about and columns(told) <= WIDTH else line


def _quoted(text: str) -> str:
    return shlex.quote(text) if any(sign in text for sign in '"$`\\') else f'"{text}"'


def _start(match: Match) -> tuple[list[tuple[str, str]], str]:
    """What the phases want to know of a start and then a hand, each with a value that might be it
    and what it says; and the first act that may follow. Together they fit in this order."""
    trial = Match(match.ruleset, match.players, kept=True)
    facts: list[tuple[str, str]] = []
    act = _first_act(trial)
    for values, about in _wanted(trial):
        for entry in values:
            if not _is_fine(trial, entry):
                continue
            trial.record(entry)
            if not act or _is_fine(trial, act):
                facts.append((entry, about))
                act = act or _first_act(trial)
                break
            trial.undo()
    return facts, act


def _wanted(match: Match) -> Iterator[tuple[Iterable[str], str]]:
    """What may be known of a start: entries, of which one is to be told, and what they say."""
    from scorekeeper.phases.table import Table

    notation, rules = match.notation, match.ruleset
    for verb in notation.verbs.values():
        told = verb.fact and not isinstance(rules.phase_of[verb.word], Table)
        if told and verb.word not in rules.off:
            yield _values(verb, notation), tr(verb.doc)
    size = rules.deal_size(len(match.now.seats)) if match.now.has_hands else 0
    if size:
        kinds = notation.kinds
        cards = " ".join(kinds[at * len(kinds) // size] for at in range(size))
        hands = [f"hand {match.players[0]}: {held}" for held in (cards, size)]
        about = tr(notation.verbs["hand"].doc)
        yield [hand for hand in hands if len(hand) <= LONG or hand == hands[-1]], about


def _values(verb: Verb, notation: Notation) -> Iterator[str]:
    """Entries of that verb, by chance."""
    for seed in range(TRIED):
        for value in verb.syntax.sample(Random(seed), notation)[:1]:
            yield notation.finish(Entry(verb, None, value)).text


def _is_fine(match: Match, text: str) -> bool:
    try:
        ruling = match.judge(text)
    except Failure:
        return False
    return ruling.verdict == "legal" and not ruling.findings


def _first_act(match: Match) -> str:
    """The first thing that may happen now; "" where something must be known before."""
    acts = (text for text in match.legal if REST not in text and _is_fine(match, text))
    return next(acts, "") or _laid_open(match)


def _laid_open(match: Match) -> str:
    """Cards that the table lays open now, where those are what the game waits for."""
    for verb in match.notation.verbs.values():
        syntax = verb.syntax
        if verb.fact or not verb.table or not isinstance(syntax, Cards):
            continue
        for number in range(syntax.least, min(syntax.most, MOST_OPEN) + 1):
            kinds = tuple(range(number))
            text = match.notation.finish(Entry(verb, None, kinds)).text
            if _is_fine(match, text):
                return text
    return ""
