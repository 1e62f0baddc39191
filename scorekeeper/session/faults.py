"""What may still be claimed or weighed: who may, until when, what each choice costs, what is typed.

At the live table, on its page and in `status` all of it is told of the match as the table has seen
it; where entered hands rule, what a choice would cost is computed from what the table has seen all
the same, for whose side somebody is on may be known from an entered hand alone.
"""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure
from scorekeeper.core.messages import changed, listed, mark, tr
from scorekeeper.core.text import broken, columns, filled
from scorekeeper.play.status import faults_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorekeeper.core.rulings import Ruling
    from scorekeeper.core.types import Json
    from scorekeeper.notation.translation import Speech
    from scorekeeper.play.match import Match
    from scorekeeper.ruleset.compiled import Ruleset

WIDTH, NARROW = 80, 60  # columns of what a command prints, and of the live table
CLAIM, WEIGH, WAIVE = "claim", "weigh", "waive"
TOLD = "told"  # what a row of [remedies] answers that the table tells
OUTCOMES = {
    "void": mark("the round is void"),
    "unscored": mark("the round counts, without a score of its own"),
    "counts": mark("play stops, and the round counts"),
}


class Faults:
    """What may still be claimed or weighed in a match, as `Match.state` has it; what it would cost,
    by what was `seen`."""

    def __init__(self, match: Match, seen: Match, speech: Speech) -> None:
        self.all = [] if match.told_by_entries else faults_of(match.shown, seen.shown)
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
    if phase is None:
        return []
    if not phase.verbs:
        return []
    say = speech.own.say
    lines = (f"  {say(verb.word)} {verb.form}: {tr(verb.doc)}" for verb in phase.verbs)
    return [tr("When something was wrong:"), *lines]
