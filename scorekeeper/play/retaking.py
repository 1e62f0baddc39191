"""How a round was, and how it would be if some of its entries had been taken back.

A round is a fold over its entries, so both are that fold again. What the rules have said of the
entries is not asked again: what was allowed when it was done is allowed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from scorekeeper.core.errors import Impossible
from scorekeeper.core.messages import tr
from scorekeeper.core.rulings import OPEN
from scorekeeper.notation import EVERYONE
from scorekeeper.play.asking import Asking

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from scorekeeper.core.rulings import Finding
    from scorekeeper.core.types import Facts
    from scorekeeper.notation import Entry
    from scorekeeper.play.log import Log

R = TypeVar("R", bound="Retaking")
OUTLASTING = ("log", "decisions")  # of the slots of a round, those that it keeps when played again


class Retaking(Asking):
    """A round that looks back on its entries, and can be played again from them."""

    __slots__ = ()

    def apply(self, entry: Entry, findings: list[Finding]) -> list[Finding]:
        """Write the entry down and let it happen (see `Round`)."""
        raise AssertionError("entries happen in a whole round")

    def entries(self) -> Sequence[Entry]:
        """This round's entries in order, the one that is happening included."""
        return self.log.entries

    def earlier_entry(self, verbs: Iterable[str]) -> str:
        """The text of this round's first entry of one of these verbs ("" if there is none)."""
        for entry in self.entries():
            if entry.verb.word in verbs and entry.counts:
                return entry.text
        return ""

    def facts_noted(self) -> Iterable[Facts]:
        """The facts of every finding in this round so far."""
        return (finding.facts for _, finding in self.log.all_found())

    def actors(self, number: int) -> Sequence[int]:
        """The seats whose act that entry is; several, where it speaks for everyone."""
        entry = self.log.entries[number - 1]
        if entry.seat is None:
            return ()
        if entry.seat != EVERYONE:
            return (entry.seat,)
        before = self.at(number - 1)
        return self.rules.phase_of[entry.verb.word].everyone(before._whole, entry)

    def note_on(self, number: int) -> None:
        """Put what is to be noted to an earlier entry."""
        noted, self.remarks = self.remarks, []
        found = self.log.found
        found[number] = [*found.get(number, ()), *noted]
        self.log.found = dict(sorted(found.items()))

    def wrong(self, start: int) -> Sequence[tuple[int, int, Finding]]:
        """What was found to be against a rule that refuses, from `start` on: the number of the
        entry that showed it, of the entry that it is on, and the finding."""
        return self.log.wrong[start:]

    def is_doubted(self, number: int) -> bool:
        """Whether that entry was taken back, and by the hands cannot have been as it was said."""
        return number in self.log.doubted

    def open_on(self, number: int) -> Sequence[Finding]:
        """What is open of that entry."""
        return [each for each in self.log.found.get(number, ()) if each.verdict == OPEN]

    def at(self: R, number: int, taken: Collection[int] = ()) -> R:
        """Another round, as this one was after so many of its entries, these `taken` back."""
        past = self._anew(taken)
        for at in range(number):
            past.apply(self.log.entries[at], _claimed(self.log, at + 1))
        return past

    def retake(self, taken: Collection[int] = (), last: int = 0) -> None:
        """Play this round again up to the entry that is happening, those `taken` back; with `last`
        that one happens too, and entry `last` after it."""
        now, log = len(self.log), self.log
        order = range(1, now)
        put_off = {last} - {0}  # nothing comes of it in its place: all others keep their numbers
        fresh = self._anew({*taken, *put_off})
        for number in [*order, now, last] if last else order:
            if len(fresh.log) == now:
                fresh.decisions = fresh.decisions.apart_from(now + 1)
            fresh.apply(log.entries[number - 1], _claimed(log, number))
        watching = {phase.name: self.states[phase.name] for phase in self.rules.watching_entries}
        for name in fresh.every_slot():
            if name not in OUTLASTING:
                setattr(self, name, getattr(fresh, name))
        self.states.update(watching)
        self.decisions.taken = (self.decisions.taken | fresh.decisions.taken) - put_off
        self._bring_open(fresh.log, order)

    def award(self, seat: int) -> None:
        """All that is still out goes to that seat's side, and play is over."""
        phase = self.phase
        if phase is None or not phase.award(self._whole, seat):
            raise Impossible(tr("nothing is out that could go to anybody"), "void why")
        self.advance()

    def unplayed(self: R, gathering: bool = False) -> R:
        """The round before its first entry; `gathering`: it waits for `gather`."""
        fresh = type(self)(self.rules, self.named, self.number, self.began, gathering)
        fresh.decisions.heard = self.decisions.heard
        return fresh

    def _anew(self: R, taken: Collection[int]) -> R:
        """The round before its first entry."""
        anew = self.unplayed()
        anew.decisions = self.decisions.again(taken)
        return anew

    @classmethod
    def every_slot(cls) -> Iterator[str]:
        """The names of all that a round consists of."""
        for each in reversed(cls.__mro__):
            yield from getattr(each, "__slots__", ())

    def _bring_open(self, fresh: Log, order: Sequence[int]) -> None:
        """What is open no longer now that the round was played again: of what was taken back
        nothing is asked any more."""
        for number, finding in list(self.log.all_found()):
            if finding.claim is None or finding.verdict != OPEN or number not in order:
                continue
            found = fresh.found.get(order.index(number) + 1, ())
            if number in self.decisions.taken:
                self.log.settle(number, finding, None)
            elif finding not in found:
                later = (each for each in found if each.code == finding.code and each.refuses)
                self.log.settle(number, finding, next(later, None))


def _claimed(log: Log, number: int) -> list[Finding]:
    """What is open of an entry, and must be asked again."""
    found = log.found.get(number, ())
    return [each for each in found if each.claim is not None and each.verdict == OPEN]
