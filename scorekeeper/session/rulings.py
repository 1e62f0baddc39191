"""What was found in a match, and what the table may do about it now.

`Ruled` is an entry on which something was found, decided or not. `Faults` are those of which
something may still be claimed or weighed: who may, until when, what each choice costs, what is
typed. At the live table, on its page and in `status` all of it is told of the match as the table
has seen it; where entered hands rule, what a choice would cost is computed from what the table has
seen all the same, for whose side somebody is on may be known from an entered hand alone.
"""

from __future__ import annotations

import shlex
from itertools import permutations
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure
from scorekeeper.core.messages import changed, listed, mark, tr
from scorekeeper.core.rulings import NOTE, REFUSE, WARN
from scorekeeper.core.text import broken, columns, filled
from scorekeeper.core.types import NamedTuple
from scorekeeper.match.amend import actions_on
from scorekeeper.match.public import conceals
from scorekeeper.match.remedies import LAPSED, became
from scorekeeper.match.status import BY_TABLE, PROVEN, found_in, is_any_in, open_faults, settling
from scorekeeper.notation import WITHDRAWN, decision_in
from scorekeeper.session.public_round import past_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from scorekeeper.core.rulings import Ruling
    from scorekeeper.core.types import Json, Standing
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.match.amend import Action
    from scorekeeper.match.match import Match
    from scorekeeper.match.status import Found
    from scorekeeper.match.view import MatchView
    from scorekeeper.notation import Notation
    from scorekeeper.notation.translation import Speech
    from scorekeeper.store.recorder import Desk

NARROW = 60  # columns of the live table
# How many entries that nobody decided are told with what may be done; the latest ones.
MOST_OFFERED = 12

KINDS = {REFUSE: mark("proven"), WARN: mark("warn"), NOTE: mark("note")}
STOOD = mark("lapsed: it stands")
NOTHING = mark("nothing was found: no entry is against a rule, and none is open")

CLAIM, WEIGH, WAIVE = "claim", "weigh", "waive"
TOLD = "told"  # what a row of [remedies] answers that the table tells
OUTCOMES = {
    "void": mark("the round is void"),
    "unscored": mark("the round counts, without a score of its own"),
    "counts": mark("play stops, and the round counts"),
}


class Ruled(NamedTuple):
    """An entry, what was found on it, what may be done about it, and what would settle it."""

    found: list[Found]
    actions: list[Action]
    asked: str


def rulings(match: Match) -> list[Ruled]:
    """What was found in a match that is whole, the last first."""
    return _ruled(found_in(match.review(), match.ruleset), match, {})


def found_seen(past: MatchView, match: Match) -> list[Ruled]:
    """What was found in a match by what has been public, the last first; `match` is its live round
    as the table has seen it."""
    if not any(map(is_any_in, past.summaries())):  # nobody need look at the entries
        return []
    return _ruled(found_in(past.review(), match.ruleset), match, {})


def rulings_seen(past: MatchView, match: Match) -> list[Ruled]:
    """The same, and what may be done about it; `match` is whole."""
    entries = [entry.found for entry in found_seen(past, match)]
    before = {played.number: played.before for played in match.rounds}
    return _ruled(entries, match, _actions(_wanted(entries), match, before))


def rulings_of(kept: MatchView, desk: Desk) -> list[Ruled]:
    """What was found in a match of a store, the last first, and what may be done about it."""
    entries: list[list[Found]] = []
    if any(map(is_any_in, kept.summaries())):  # else nobody need look at the entries
        entries = found_in(kept.review(), desk.ruleset)
    before: dict[int, Standing] = {}
    if wanted := _wanted(entries):
        rows = desk.rounds(min(each.round for each in wanted))
        before = {row.number: row.standing for row in rows}
        before |= {played.number: played.before for played in desk.match.rounds}
    return _ruled(entries, desk.match, _actions(wanted, desk.match, before))


def _ruled(
    entries: list[list[Found]], match: Match, actions: dict[tuple[int, int], list[Action]]
) -> list[Ruled]:
    asked: dict[tuple[int, int], str] = {}
    if match.rounds:
        number = match.rounds[-1].number
        asked = {(number, entry): text for entry, text in settling(match.live).items()}
    places = [(entry[0].round, entry[0].number) for entry in entries]
    return [
        Ruled(entry, actions.get(place, []), asked.get(place, ""))
        for place, entry in zip(places, entries, strict=True)
    ]


def _actions(
    wanted: list[Found], match: Match, before: Mapping[int, Standing]
) -> dict[tuple[int, int], list[Action]]:
    """What may be done about entries, as the rounds stood `before` them."""
    return {
        (each.round, each.number): actions_on(
            match, each, before[each.round], each.round == match.live.number
        )
        for each in wanted
        if each.round in before
    }


def _wanted(entries: list[list[Found]]) -> list[Found]:
    """The latest entries that nobody has decided."""
    proven = [next(filter(_is_undecided, entry), None) for entry in entries]
    return [each for each in proven if each is not None][:MOST_OFFERED]


def _is_undecided(found: Found) -> bool:
    """Whether it is against a rule, or may be claimed, and nothing is decided about it."""
    return found.kind == PROVEN or (found.fault is not None and not found.fault["ended"])


# --- in words


def table_lines(desk: Desk, speech: Speech) -> list[str]:
    """The list for the live table: nothing is told that the table has not seen."""
    match, past = past_of(desk.whole())
    ruled = rulings_seen(past, match)
    if not ruled:
        return [tr(NOTHING)]
    notation = match.known_notation
    concealed = {verb.word for verb in notation.verbs.values() if conceals(verb.syntax)}
    lines = [counted(ruled)]
    for entry in ruled:
        lines += entry_lines(entry, desk.ruleset, speech)
        lines += [
            f"    {action.said}: {typed(action, speech)}"
            for action in entry.actions
            if not _is_of(concealed, entry.found[0].entry, notation) or not action.at
        ]
    return lines


def _is_of(words: Collection[str], text: str, notation: Notation) -> bool:
    """Whether an entry is one of these verbs: what it said is not known here."""
    try:
        return notation.read(text).verb.word in words
    except Failure:
        return False


def counted(ruled: list[Ruled]) -> str:
    """How many of each kind there are."""
    kinds = [each.kind for entry in ruled for each in entry.found]
    said = {
        PROVEN: mark("{count} proven and undecided"),
        "group": mark("{count} among several plays"),
        "open": mark("{count} open"),
        "decided": mark("{count} decided"),
    }
    return ", ".join(tr(said[kind], count=kinds.count(kind)) for kind in said if kind in kinds)


def entry_lines(entry: Ruled, ruleset: Ruleset, speech: Speech) -> list[str]:
    """What was found on an entry, for people, without what may be done about it."""
    said = [f"  {speech.told(text)}" for text in reasons(entry, ruleset)]
    return [heading(entry, speech.spoken, ruleset.spoken), *said]


def heading(entry: Ruled, show: Callable[[str], str], called: Callable[[str], str]) -> str:
    """Where it is, the entry, and how it stands; `called` is what choices are called."""
    first = entry.found[0]
    marks = [*dict.fromkeys(filter(None, map(_mark, entry.found))), *_stands(entry, called)]
    return f"{first.round}.{first.number}  {show(first.entry)}  [{'; '.join(marks)}]"


def _mark(found: Found) -> str:
    if found.stuck and found.finding["code"].startswith("entry."):
        return tr("cannot be")
    if found.kind == "group":
        return tr("shows that one of several was against a rule")
    if found.finding["verdict"] == "open":
        return tr("open")
    if found.finding["verdict"] == "legal":
        return ""
    word = tr(KINDS[found.finding["severity"] or NOTE])
    if not found.settled_by:
        return word
    return tr("{word} by {entry}", word=word, entry=f"{found.round}.{found.settled_by}")


def _stands(entry: Ruled, called: Callable[[str], str]) -> list[str]:
    """What became of the entry."""
    first = entry.found[0]
    faults = _faults(entry)
    if faults:
        return [_standing(fault, called) for fault in faults]
    decision = next((each.decision for each in entry.found if each.decision), None)
    if decision is not None:
        said = {"stands": tr("decided: it stands"), "withdrawn": tr("decided: taken back")}
        return [said.get(decision, tr("by the table"))]
    if first.stuck:
        return [tr("nothing counts from it on")]
    if not first.counts:
        return [tr("undecided: it could not be, and changes nothing")]
    if any(each.kind == PROVEN for each in entry.found):
        return [tr("undecided: treated as if it stood")]
    return [tr("the round is over")] if first.over else []


def _faults(entry: Ruled) -> list[Json]:
    """What may be, or might have been, claimed of an entry."""
    faults = [found.fault for found in entry.found if found.fault is not None]
    return [fault for at, fault in enumerate(faults) if fault not in faults[:at]]


def _standing(fault: Json, called: Callable[[str], str]) -> str:
    """How a fault stands, in a few words."""
    if not fault["ended"]:
        return tr("to be weighed") if fault["claimed"] else tr("may be claimed")
    if fault["ended"] != LAPSED:
        weight = fault["weight"]
        return tr("decided: {weight}", weight=called(weight)) if weight else tr("settled")
    return tr("lapsed: it was taken back") if decision_in(fault["text"]) == WITHDRAWN else tr(STOOD)


def reasons(entry: Ruled, ruleset: Ruleset) -> list[str]:
    """The sentences: what was found, with its rule and paragraph; what would settle it."""
    said = [_sentence(found, ruleset.rules_text) for found in entry.found]
    said += [became(fault, ruleset.spoken) for fault in _faults(entry)]
    return [text for text in (*said, entry.asked) if text]


def _sentence(found: Found, rules_text: str) -> str:
    from scorekeeper.ruleset.citations import place

    finding = found.finding
    cite = place(rules_text, finding["cite"]) if finding["cite"] else ""
    if finding["code"].startswith(BY_TABLE):
        return cite if finding["facts"] else finding["reason"]
    return f"{finding['reason']} ({', '.join(filter(None, (finding['code'], cite)))})"


def command(action: Action, speech: Speech, options: str) -> str:
    """An action as the command that does it, for a shell."""
    text = speech.spoken(action.text)
    word = f"scorekeeper {'amend' if action.at else 'record'}{options}"
    if action.at:
        word += f" {action.at}"
    if not text:
        return f"{word} --remove"
    return f"{word}{' --' if text.startswith('-') else ''} {shlex.quote(text)}"


def typed(action: Action, speech: Speech) -> str:
    """An action as the line that does it at the live table."""
    text = speech.spoken(action.text)
    return f"amend {action.at} {text or '--remove'}" if action.at else text


# --- what may still be claimed or weighed


class Faults:
    """What may still be claimed or weighed in a match, as `Match.state` has it; what it would cost,
    by what was `seen`."""

    def __init__(self, match: Match, seen: Match, speech: Speech) -> None:
        self.all = [] if match.told_by_entries else open_faults(match.shown, seen.shown)
        self.speech = speech
        self._match = match
        claimed = [fault for fault in self.all if fault["claimed"]]
        claimed.sort(key=lambda fault: (fault["round"], fault["entry"]))
        self.first = claimed[0] if claimed else None  # what is weighed next

    @property
    def asks(self) -> str:
        """What must be weighed, as the beginning of what is typed; "" if nothing waits."""
        return "" if self.first is None else f"{self.speech.own.say(WEIGH)} {self.first['at']}"

    @property
    def prompt(self) -> str:
        """What stands before the line that is typed."""
        return f"{self.asks} …> " if self.asks else "> "

    @property
    def weighs(self) -> str:
        """The same with the words that may follow."""
        return "" if self.first is None else f"{self.asks} {'|'.join(self._words(self.first))}"

    def whole(self, line: str) -> str:
        """A line with what the prompt says before it, where it is a word that may follow that."""
        first = self.first
        word = self.speech.own.canonical(line.strip())
        known = first is not None and word in (*first["choices"], *first["waits"])
        return f"{self.asks} {line.strip()}" if known else line

    def _words(self, fault: Json) -> Iterator[str]:
        """The words of the choices, as those are called in the language that is spoken."""
        return map(self.speech.own.lexicon.told, (*fault["choices"], *fault["waits"]))

    def ruled(self, ruling: Ruling) -> list[Json]:
        """Those with which a ruling goes on: their windows open by it, or they were claimed."""
        told = [
            (finding.code, finding.facts["round"], finding.facts["entry"])
            for finding in ruling.findings
            if "type" in finding.facts
        ]
        return [f for f in self.all if (f"remedies.{f['remedy']}", f["round"], f["entry"]) in told]

    def entries(self) -> Iterator[str]:
        """The entries with which it goes on."""
        say = self.speech.own.say
        if self.first is not None:
            yield from (f"{self.asks} {word}" for word in self._words(self.first))
        for fault in self.all:
            for name in fault["may"]:
                claim = f"{say(CLAIM)} {name}: {fault['at']}"
                yield claim
                yield from (f"{claim} {word}" for word in self._words(fault))
        may = dict.fromkeys(name for fault in self.all for name in fault["may"])
        yield from (f"{say(WAIVE)} {name}" for name in may)
        if may:
            yield f"{say(WAIVE)} {say('all')}"

    # --- what nobody can see in the entries

    def told(self, begun: str = "", what: str = "") -> Iterator[str]:
        """The claims that somebody may make now of what the table tells, of those that begin so;
        perhaps of one row alone."""
        say, called = self.speech.own.say, self.speech.own.lexicon.told
        for row in [what] if what else self._tellable():
            for name, of in permutations(self._match.seated, 2):
                text = f"{say(CLAIM)} {name}: {called(row)} {of}"
                if text.casefold().startswith(begun) and self._may(text):
                    yield text

    def told_in_short(self) -> Iterator[str]:
        """The same in one line, where there is any."""
        words = [what for what in self._tellable() if any(self.told(what=what))]
        if words:
            called, name = map(self.speech.own.lexicon.told, words), tr("NAME")
            yield f"{self.speech.own.say(CLAIM)} {name}: {'|'.join(called)} {name}"

    def offered(self, line: str) -> Iterator[str]:
        """What may be said of it at the end of a line; what is told, once a claim has begun."""
        yield from self.entries()
        begun = " ".join(line.casefold().split())
        if self.speech.own.opening(begun)[0] == CLAIM:
            yield from self.told(begun)

    def _tellable(self) -> Sequence[str]:
        rows = self._match.ruleset.data.get("remedies", {})
        return [name for name, row in rows.items() if TOLD in row["on"]]

    def _may(self, text: str) -> bool:
        try:
            return not self._match.judge(self.speech.canonical(text)).refused
        except Failure:
            return False

    # --- lines

    def heading(self, fault: Json, short: bool = False) -> str:
        """Who may claim it until when, or that it waits to be weighed."""
        act = f"{fault['at']} ({self.speech.spoken(fault['text'])}), {fault['cite']}"
        if fault["claimed"]:
            return tr(
                "claimed by {names}, to be weighed: {act}",
                names=listed(fault["claimed"]),
                act=act,
            )
        names = fault["may"]
        until = tr(fault["until"])
        until = until.partition(" (")[0] if short else until
        if len(names) > 1:
            said = mark("{names} may claim {act}, each until {until}")
        else:
            said = mark("{names} may claim {act}, until {until}")
        return tr(said, names=listed(names, "or"), act=act, until=until)

    def lines(self, fault: Json, width: int) -> Iterator[str]:
        """What each choice would cost, and what is typed, in lines of that width."""
        if self._ended(fault):
            yield from broken(self._by_how_much(fault), width, "  ")
        for word, cost in self._costs(fault):
            yield from broken(f"{word}: {cost}", width, "  ")
        typed = [*self._typed(fault)]
        if not typed:
            return
        first, indent = tr("type {entry}", entry=typed[0]), "  "
        if max(map(columns, (first, *typed))) > width - len(indent):  # no entry is broken
            yield tr("type:")
            indent = ""
        else:
            typed[0] = first
        yield from filled(typed, width, indent, " · ")

    def _ended(self, fault: Json) -> bool:
        """Whether its round is over, so that what a choice costs is a change of its score."""
        return "." in fault["at"] or self._match.shown.over

    def _by_how_much(self, fault: Json) -> str:
        return tr("by how much it would change what round {round} came to:", round=fault["round"])

    def brief(self) -> list[str]:
        """Who may claim what, and then what each choice would cost."""
        told = [self.heading(fault, True) for fault in self.all]
        for fault in self.all:
            costs = " · ".join(f"{word}: {cost}" for word, cost in self._costs(fault))
            if self._ended(fault):
                costs = f"{self._by_how_much(fault)} {costs}"
            told.append(costs if len(self.all) == 1 else f"{fault['at']}: {costs}")
        return told

    def _costs(self, fault: Json) -> Iterator[tuple[str, str]]:
        """The word of each choice, and what it would change now, the culprit's first."""
        for word, called in zip(
            (*fault["choices"], *fault["waits"]), self._words(fault), strict=True
        ):
            points = fault["choices"].get(word, {})
            said = changed(sorted(points.items(), key=lambda each: each[0] not in fault["who"]))
            why = self.speech.told(fault["waits"].get(word, tr("no points")))
            end = tr(OUTCOMES[fault["outcomes"][word]]) if word in fault["outcomes"] else ""
            if end and "." in fault["at"]:
                end = tr("this round is thrown in")
            yield called, "; ".join(filter(None, (said or why, end)))

    def _typed(self, fault: Json) -> Iterator[str]:
        say = self.speech.own.say
        if fault is self.first:
            yield self.weighs
        if fault["claimed"]:
            return
        for name in fault["may"]:
            yield f"{say(CLAIM)} {name}: {fault['at']}"
        if len(fault["may"]) > 1:
            yield from (f"{say(WAIVE)} {name}" for name in fault["may"])
        yield f"{say(WAIVE)} {say('all')}"


def claim_words(ruleset: Ruleset, speech: Speech) -> list[str]:
    """The words with which something wrong is claimed and weighed, where the rules say what follows
    of it: what is typed, and what it says."""
    phase = ruleset.phases.get("remedies")
    if phase is None or not phase.verbs:
        return []
    say = speech.own.say
    lines = (f"  {say(verb.word)} {verb.form}: {tr(verb.doc)}" for verb in phase.verbs)
    return [tr("When something was wrong:"), *lines]
