"""The findings of a match, and the actions that the table may take on them.

`RuledEntry` is an entry with its findings. `Faults` are the open cases with claimants, deadlines,
costs and the entries to type. The live table, its page and `status` use public information only.
That includes the cost of a choice, because a side may be known from an entered hand alone.
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
# The latest undecided entries that are listed with actions.
MOST_OFFERED = 12

KINDS = {REFUSE: mark("proven"), WARN: mark("warn"), NOTE: mark("note")}
STOOD = mark("lapsed: it stands")
NOTHING = mark("nothing was found: no entry is against a rule, and none is open")

CLAIM, WEIGH, WAIVE = "claim", "weigh", "waive"
TOLD = "told"  # the trigger of a row of [remedies] that players report
OUTCOMES = {
    "void": mark("the round is void"),
    "unscored": mark("the round counts, without a score of its own"),
    "counts": mark("play stops, and the round counts"),
}


class Ruled(NamedTuple):
    """An entry with its findings, the possible actions, and the facts that would settle it."""

    found: list[Found]
    actions: list[Action]
    asked: str


def rulings(match: Match) -> list[Ruled]:
    """Return the findings of a whole match, the latest first, without actions."""
    return _ruled(found_in(match.review(), match.ruleset), match, {})


def found_seen(past: MatchView, match: Match) -> list[Ruled]:
    """Return the public findings of a match, the latest first, without actions.

    `match` is its public copy from the live round on.
    """
    if not any(map(is_any_in, past.summaries())):  # without findings, the entries need not be read
        return []
    return _ruled(found_in(past.review(), match.ruleset), match, {})


def rulings_seen(past: MatchView, match: Match) -> list[Ruled]:
    """Return the public findings of a whole match with the possible actions, the latest first."""
    entries = [entry.found for entry in found_seen(past, match)]
    before = {played.number: played.before for played in match.rounds}
    return _ruled(entries, match, _actions(_wanted(entries), match, before))


def rulings_of(kept: MatchView, desk: Desk) -> list[Ruled]:
    """Return the findings of a stored match with the possible actions, the latest first."""
    entries: list[list[Found]] = []
    if any(map(is_any_in, kept.summaries())):  # otherwise the entries need not be read
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
    """Return findings combined with actions, and with what would settle those of the live round."""
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
    """Return the possible actions by place. `before` maps a round to the standing before it."""
    return {
        (each.round, each.number): actions_on(
            match, each, before[each.round], each.round == match.live.number
        )
        for each in wanted
        if each.round in before
    }


def _wanted(entries: list[list[Found]]) -> list[Found]:
    """Return the latest undecided findings, one for each entry."""
    proven = [next(filter(_is_undecided, entry), None) for entry in entries]
    return [each for each in proven if each is not None][:MOST_OFFERED]


def _is_undecided(found: Found) -> bool:
    """Return whether a finding is proven or claimable, and the table has not decided on it."""
    return found.kind == PROVEN or (found.fault is not None and not found.fault["ended"])


# --- in words


def table_lines(desk: Desk, speech: Speech) -> list[str]:
    """Return the public findings as lines for the live table."""
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
    """Return whether an entry has one of these verbs, whose value is secret here."""
    try:
        return notation.read(text).verb.word in words
    except Failure:
        return False


def counted(ruled: list[Ruled]) -> str:
    """Return the number of findings of each kind as text."""
    kinds = [each.kind for entry in ruled for each in entry.found]
    said = {
        PROVEN: mark("{count} proven and undecided"),
        "group": mark("{count} among several plays"),
        "open": mark("{count} open"),
        "decided": mark("{count} decided"),
    }
    return ", ".join(tr(said[kind], count=kinds.count(kind)) for kind in said if kind in kinds)


def entry_lines(entry: Ruled, ruleset: Ruleset, speech: Speech) -> list[str]:
    """Return an entry with its findings as lines, without actions."""
    said = [f"  {speech.told(text)}" for text in reasons(entry, ruleset)]
    return [heading(entry, speech.spoken, ruleset.spoken), *said]


def heading(entry: Ruled, show: Callable[[str], str], called: Callable[[str], str]) -> str:
    """Return the place of an entry, its text and its status."""
    first = entry.found[0]
    marks = [*dict.fromkeys(filter(None, map(_mark, entry.found))), *_stands(entry, called)]
    return f"{first.round}.{first.number}  {show(first.entry)}  [{'; '.join(marks)}]"


def _mark(found: Found) -> str:
    """Return the status of a finding in brackets, or ""."""
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
    """Return the status of the entry and the decision on it."""
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
    """Return the cases of an entry under the rules' remedies, without duplicates."""
    faults = [found.fault for found in entry.found if found.fault is not None]
    return [fault for at, fault in enumerate(faults) if fault not in faults[:at]]


def _standing(fault: Json, called: Callable[[str], str]) -> str:
    """Return the status of a fault."""
    if not fault["ended"]:
        return tr("to be weighed") if fault["claimed"] else tr("may be claimed")
    if fault["ended"] != LAPSED:
        weight = fault["weight"]
        return tr("decided: {weight}", weight=called(weight)) if weight else tr("settled")
    return tr("lapsed: it was taken back") if decision_in(fault["text"]) == WITHDRAWN else tr(STOOD)


def reasons(entry: Ruled, ruleset: Ruleset) -> list[str]:
    """Return the findings on an entry as sentences, with their rules and what would settle them."""
    said = [_sentence(found, ruleset.rules_text) for found in entry.found]
    said += [became(fault, ruleset.spoken) for fault in _faults(entry)]
    return [text for text in (*said, entry.asked) if text]


def _sentence(found: Found, rules_text: str) -> str:
    """Return a finding as a sentence with its rule and paragraph."""
    from scorekeeper.ruleset.citations import place

    finding = found.finding
    cite = place(rules_text, finding["cite"]) if finding["cite"] else ""
    if finding["code"].startswith(BY_TABLE):
        return cite if finding["facts"] else finding["reason"]
    return f"{finding['reason']} ({', '.join(filter(None, (finding['code'], cite)))})"


def command(action: Action, speech: Speech, options: str) -> str:
    """Return an action as a shell command."""
    text = speech.spoken(action.text)
    word = f"scorekeeper {'amend' if action.at else 'record'}{options}"
    if action.at:
        word += f" {action.at}"
    if not text:
        return f"{word} --remove"
    return f"{word}{' --' if text.startswith('-') else ''} {shlex.quote(text)}"


def typed(action: Action, speech: Speech) -> str:
    """Return an action as a line for the live table."""
    text = speech.spoken(action.text)
    return f"amend {action.at} {text or '--remove'}" if action.at else text


# --- what may still be claimed or weighed


class Faults:
    """The open cases of a match, with costs from public information."""

    def __init__(self, match: Match, seen: Match, speech: Speech) -> None:
        self.all = [] if match.told_by_entries else open_faults(match.shown, seen.shown)
        self.speech = speech
        self._match = match
        claimed = [fault for fault in self.all if fault["claimed"]]
        claimed.sort(key=lambda fault: (fault["round"], fault["entry"]))
        self.first = claimed[0] if claimed else None  # the case that is rated next

    @property
    def asks(self) -> str:
        """The beginning of the entry that rates the next case, or ""."""
        return "" if self.first is None else f"{self.speech.own.say(WEIGH)} {self.first['at']}"

    @property
    def prompt(self) -> str:
        """The prompt before the typed line."""
        return f"{self.asks} …> " if self.asks else "> "

    @property
    def weighs(self) -> str:
        """The form of the entry that rates the next case, with its words, or ""."""
        return "" if self.first is None else f"{self.asks} {'|'.join(self._words(self.first))}"

    def whole(self, line: str) -> str:
        """Return a line with the text of the prompt added, if the line is a word that can follow
        it."""
        first = self.first
        word = self.speech.own.canonical(line.strip())
        known = first is not None and word in (*first["choices"], *first["waits"])
        return f"{self.asks} {line.strip()}" if known else line

    def _words(self, fault: Json) -> Iterator[str]:
        """Return the displayed words of the choices."""
        return map(self.speech.own.lexicon.told, (*fault["choices"], *fault["waits"]))

    def ruled(self, ruling: Ruling) -> list[Json]:
        """Return the cases whose window opened, or which were claimed, by a ruling."""
        told = [
            (finding.code, finding.facts["round"], finding.facts["entry"])
            for finding in ruling.findings
            if "type" in finding.facts
        ]
        return [f for f in self.all if (f"remedies.{f['remedy']}", f["round"], f["entry"]) in told]

    def entries(self) -> Iterator[str]:
        """Yield the entries that claim, rate or waive the open cases."""
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
        """Yield the possible claims about facts that only players can report.

        They begin with `begun`, and belong to the row `what` if one is given.
        """
        say, called = self.speech.own.say, self.speech.own.lexicon.told
        for row in [what] if what else self._tellable():
            for name, of in permutations(self._match.seated, 2):
                text = f"{say(CLAIM)} {name}: {called(row)} {of}"
                if text.casefold().startswith(begun) and self._may(text):
                    yield text

    def told_in_short(self) -> Iterator[str]:
        """Yield the form of such claims in one line, if any is possible."""
        words = [what for what in self._tellable() if any(self.told(what=what))]
        if words:
            called, name = map(self.speech.own.lexicon.told, words), tr("NAME")
            yield f"{self.speech.own.say(CLAIM)} {name}: {'|'.join(called)} {name}"

    def offered(self, line: str) -> Iterator[str]:
        """Yield completions for a line about the open cases."""
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
        """Return the claimants and the deadline of a case, or that it must be rated."""
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
        """Yield the cost of each choice and the entries to type, in lines of that width."""
        if self._ended(fault):
            yield from broken(self._by_how_much(fault), width, "  ")
        for word, cost in self._costs(fault):
            yield from broken(f"{word}: {cost}", width, "  ")
        typed = [*self._typed(fault)]
        if not typed:
            return
        first, indent = tr("type {entry}", entry=typed[0]), "  "
        if max(map(columns, (first, *typed))) > width - len(indent):  # keep each entry in one line
            yield tr("type:")
            indent = ""
        else:
            typed[0] = first
        yield from filled(typed, width, indent, " · ")

    def _ended(self, fault: Json) -> bool:
        """Return whether the round of the fault is finished, so that a choice changes its score."""
        return "." in fault["at"] or self._match.shown.over

    def _by_how_much(self, fault: Json) -> str:
        return tr("by how much it would change what round {round} came to:", round=fault["round"])

    def brief(self) -> list[str]:
        """Return the claimants of all cases, then the costs of all choices."""
        told = [self.heading(fault, True) for fault in self.all]
        for fault in self.all:
            costs = " · ".join(f"{word}: {cost}" for word, cost in self._costs(fault))
            if self._ended(fault):
                costs = f"{self._by_how_much(fault)} {costs}"
            told.append(costs if len(self.all) == 1 else f"{fault['at']}: {costs}")
        return told

    def _costs(self, fault: Json) -> Iterator[tuple[str, str]]:
        """Yield the word of each choice and its cost, the culprit's first."""
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
        """Yield the entries to type about a case."""
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
    """Return the forms of entries about faults, empty if the rules have no remedies."""
    phase = ruleset.phases.get("remedies")
    if phase is None or not phase.verbs:
        return []
    say = speech.own.say
    lines = (f"  {say(verb.word)} {verb.form}: {tr(verb.doc)}" for verb in phase.verbs)
    return [tr("When something was wrong:"), *lines]
