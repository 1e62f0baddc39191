"""Independence of a round's copies: a change to a copy leaves the original round as it was.

An entry is tried on a copy (`Round.copy`), and undo returns to the round before the entry. So no
mutable value may be shared between a round and its copy. These tests list no parts of a round.
They look at every object that is reachable from it, except those of the compiled ruleset.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import reduce
from itertools import chain, islice
from operator import attrgetter
from pathlib import Path
from random import Random
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any, cast

import pytest

from scorekeeper import Failure, Illegal, Match, Ruleset, read_record
from scorekeeper.engine.referee import judge, resolve
from scorekeeper.engine.round import Round
from scorekeeper.engine.scoring import apply_score
from scorekeeper.match.remedies import standing_after
from tests.helpers import SHIPPED
from tests.random_play import evening, rules_of

RECORDS = sorted((Path(__file__).parent / "records").glob("*.toml"))
# The evenings that are played at random, from the middle of a deal and from its start: by their
# seeds, how many things happen in each.
SEEDS = {0: 25, 1: 40}
TRIED = 3  # Legal acts of which one is tried with each entry.
# Entries after which a copy is compared, and entries after which a copy is stored until the end of
# the round.
SEEN, KEPT = 5, 15


# --- all that hangs on a value


class Picture:
    """A value's type and its parts, each with its name. Equal values share one picture object."""

    __slots__ = ("kind", "names", "parts")

    def __init__(self, kind: str, names: tuple[object, ...], parts: tuple[object, ...]) -> None:
        self.kind = kind
        self.names = names
        self.parts = parts

    def __repr__(self) -> str:
        named = dict(zip(self.names, self.parts, strict=True)) if self.names else self.parts
        return f"{self.kind} {named}"


CODE = (FunctionType, MethodType, BuiltinFunctionType, type)
PLAIN = frozenset({bool, int, float, str, range, type(None)})
Parts = tuple[tuple[object, ...], tuple[object, ...]]  # The names of the parts, and the parts.
Look = Callable[[Any], Parts]


def in_order(value: Sequence[object]) -> Parts:
    """Return the parts of a list or a tuple. Only those of a named tuple have names."""
    return getattr(value, "_fields", ()), tuple(value)


def by_key(value: dict[object, object]) -> Parts:
    """Return the parts of a dict."""
    return tuple(value), tuple(value.values())


def attributes(kind: type) -> Look:
    """Return a function that reads the attributes that are set in an object."""
    assert kind.__module__.startswith(("scorekeeper.", "tests.")) or kind is object, (
        f"nobody knows how to look into a {kind}"
    )
    slots = (each.__dict__.get("__slots__", ()) for each in reversed(kind.__mro__))
    named = chain.from_iterable([each] if isinstance(each, str) else each for each in slots)
    names = tuple(name for name in named if name not in ("__dict__", "__weakref__"))
    at_once = attrgetter(*names) if len(names) > 1 else None
    others = any("__dict__" in each.__dict__ for each in kind.__mro__)

    def look(value: object) -> Parts:
        if at_once is not None and not others:
            with suppress(AttributeError):
                return names, at_once(value)
        found = {name: getattr(value, name) for name in names if hasattr(value, name)}
        return by_key(found | vars(value) if others else found)

    return look


def look_into(kind: type) -> Look:
    """Return a function that reads the parts of a value of a class other than a set."""
    if issubclass(kind, list | tuple):
        return in_order
    return by_key if issubclass(kind, dict) else attributes(kind)


def compiled_classes(ruleset: Ruleset) -> set[type]:
    """Return the classes of all objects in a compiled ruleset."""
    seen: dict[int, object] = {}
    classes: set[type] = set()
    todo: list[object] = [ruleset]
    while todo:
        value = todo.pop()
        kind = type(value)
        if kind in PLAIN or isinstance(value, CODE) or id(value) in seen:
            continue
        seen[id(value)] = value
        if isinstance(value, set | frozenset):
            todo += value
            continue
        if not isinstance(value, dict | list | tuple):
            classes.add(kind)
        todo += chain.from_iterable(look_into(kind)(value))
    return classes


class Pictures:
    """A maker of pictures of the mutable values under a ruleset.

    For objects of the compiled ruleset and for functions, a picture holds only the object's
    identity.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self._closed = {*compiled_classes(ruleset), *CODE}
        self._looks: dict[type, Look] = {}
        self._known: dict[tuple[str, tuple[object, ...], tuple[object, ...]], Picture] = {}
        # Immutable values by their id. The reference here prevents another object from getting the
        # id.
        self._fixed: dict[int, tuple[object, Picture]] = {}

    def of(self, value: object) -> Picture:
        """Return the picture of a value."""
        return self._taken(value, {}, 0)

    def may_change(self, value: object) -> bool:
        """Return whether something may change in a value itself."""
        kind = type(value)
        return not (kind in PLAIN or kind in self._closed or issubclass(kind, tuple | frozenset))

    def _taken(self, value: object, seen: dict[int, Picture | int], depth: int) -> Picture:
        """Return the picture of a part.

        `seen` maps the parts of the whole to their picture, or to their `depth` while they are
        being read.
        """
        number, kind = id(value), type(value)
        fixed = self._fixed.get(number)
        if fixed is not None:
            return fixed[1]
        again = seen.get(number)
        if again is not None:
            if isinstance(again, Picture):
                return again
            return self._picture("around", (), (depth - again,))
        if kind in self._closed:
            return self._fix(value, self._picture(kind.__name__, (), (number,)))
        seen[number] = depth
        depth += 1
        taken = self._taken
        if kind is set or kind is frozenset:
            names: tuple[object, ...] = ()
            inside = [
                each if type(each) in PLAIN else taken(each, seen, depth)
                for each in cast("set[object]", value)
            ]
            parts: tuple[object, ...] = (frozenset(inside),)
        else:
            look = self._looks.get(kind)
            if look is None:
                look = self._looks[kind] = look_into(kind)
            names, parts = look(value)
            if kind is dict:
                names = tuple(
                    [each if type(each) in PLAIN else taken(each, seen, depth) for each in names]
                )
            parts = tuple(
                [each if type(each) in PLAIN else taken(each, seen, depth) for each in parts]
            )
        picture = seen[number] = self._picture(kind.__name__, names, parts)
        if isinstance(value, tuple) and all(self._never_changes(each) for each in value):
            return self._fix(value, picture)
        return picture

    def _picture(self, kind: str, names: tuple[object, ...], parts: tuple[object, ...]) -> Picture:
        key = kind, names, parts
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = Picture(*key)
        return found

    def _never_changes(self, part: object) -> bool:
        return type(part) in PLAIN or id(part) in self._fixed

    def _fix(self, value: object, picture: Picture) -> Picture:
        self._fixed[id(value)] = value, picture
        return picture


def differences(one: object, other: object, at: str = "round") -> Iterator[str]:
    """Yield the places where two pictures differ."""
    if one is other or one == other:
        return
    if isinstance(one, Picture) and isinstance(other, Picture):
        same = (one.kind, one.names, len(one.parts)) == (other.kind, other.names, len(other.parts))
        if same and one.kind not in ("set", "frozenset"):
            for place, pair in enumerate(zip(one.parts, other.parts, strict=True)):
                name = one.names[place] if one.names else place
                step = f".{name}" if one.kind not in ("dict", "list") else f"[{name!r}]"
                yield from differences(*pair, at + step)
            return
    yield f"{at}: {one!r:.200} has become {other!r:.200}"


# --- rounds that are watched


class Watched:
    """A round of a match that is entered again while its copies are changed."""

    def __init__(self, match: Match, pictures: Pictures, seed: str) -> None:
        self.match = match
        self.pictures = pictures
        self.random = Random(seed)
        self.kept: list[Round] = []

    def play(self, texts: list[str]) -> bool:
        """Enter all entries of the round. Return whether they could be entered as they were
        written."""
        as_written = True
        for at, text in enumerate(texts):
            rnd = self.match.live_round
            tried = [text, *self.others(texts)]
            before = self.pictures.of(rnd)
            if at % SEEN == 0:
                self.see(rnd.copy(), before, f"a copy before “{text}” is another round")
            for each in tried:
                copy = rnd.copy()
                with suppress(Failure):
                    for one in each.split("; "):
                        self.happen(copy, one)
            if at % KEPT == 0:
                self.kept.append(rnd.copy())
            entered = self.enter(text)
            goes_on = entered and len(self.match.rounds) == 1
            for kept in self.kept if goes_on else ():
                self.happen(kept, entered)
            self.see(rnd, before, f"one of these has happened to a copy: {tried}")
            if not goes_on:
                return False
            as_written = as_written and entered == text
        whole = self.match.live_round
        standing = self.match.standing  # The values that it depends on are stored in the round.
        end = self.pictures.of(whole)
        self.see(whole.copy(), end, "a copy at the end is another round")
        for kept in self.kept:
            assert standing_after(kept) == standing
            self.see(kept, end, "a copy has come to something else")
        return as_written

    def see(self, rnd: Round, before: Picture, what: str) -> None:
        """Check that a round equals the picture."""
        now = self.pictures.of(rnd)
        if now is not before:
            raise AssertionError("\n".join([f"{what}:", *differences(before, now)]))

    def others(self, texts: list[str]) -> Iterator[str]:
        """Yield other entries that are possible now.

        One is legal. One is any entry of the round, or a foul, penalty or claim, with any decision.
        """
        choice, who = self.random.choice, self.random.choice(self.match.seated_players)
        acts = (text for text in self.match.legal if "…" not in text)
        yield choice([*islice(acts, TRIED), "note nothing"])
        said = [f"foul {who}: cards shown", f"penalty {who}: 1", f"claim {who}: 1"]
        text = choice([choice(texts).partition(" !")[0], choice(said)])
        yield text + choice(["", " !stands", " !withdrawn"])
        if "remedies" in self.match.ruleset.phases:
            yield from self.claims(who)

    def claims(self, who: str) -> Iterator[str]:
        """Yield entries that claim or waive the first fault."""
        choice = self.random.choice
        for fault in self.match.state.get("faults", [])[:1]:
            at, who = fault["at"], choice([*fault["may"], who])
            word = choice([*fault["choices"], "minor"])
            yield choice([f"claim {who}: {at}; weigh {at} {word}", f"waive {who}"])

    def happen(self, copy: Round, text: str) -> None:
        """Apply an entry to a copy of the round."""
        notation = self.match.notation
        entry = resolve(copy, notation.read(text), notation)
        copy.apply(entry, judge(copy, entry, is_decided=not entry.decision))
        apply_score(copy)

    def enter(self, text: str) -> str:
        """Record an entry in the match. Return the text as it was recorded, or "" if it was
        impossible."""
        for each in (text, f"{text} !stands"):
            try:
                self.match.record(each)
                return each
            except Illegal:
                continue
            except Failure:
                break
        return ""


def watch(match: Match, seed: str) -> None:
    """Replay the rounds of a match, and check that changes to copies leave them unchanged.

    The scores and lines must be those of the original rounds.
    """
    pictures = Pictures(match.ruleset)
    for played in match.rounds:
        watched = Watched(match.copy_from(played.before, played.number), pictures, seed)
        if watched.play(played.entries):
            (again,) = watched.match.rounds
            assert again.scores == played.scores
            assert pictures.of(again.lines) is pictures.of(played.lines)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_round_of_a_record_stays_as_it_is_whatever_happens_to_its_copies(path: Path) -> None:
    watch(read_record(path), path.stem)


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_round_at_random_stays_as_it_is_whatever_happens_to_its_copies(
    name: str, seed: int
) -> None:
    played = evening(name, seed, SEEDS[seed])
    watch(played.match, f"{name} {seed}")
    unseen = played.fresh()
    for said in played.all():
        if said.unseen:
            unseen.record(said.unseen)
    watch(unseen, f"{name} {seed} unseen")


def test_every_phase_is_played_in_the_records() -> None:
    """Leave out claims, which no record has. They are tried where there is a fault to claim."""
    played = {"remedies"}
    for match in map(read_record, RECORDS):
        for part in match.rounds:
            notation = match.notation_of(part)
            words = {notation.read(text).word for text in part.entries}
            played |= {match.ruleset.phase_of[word].name for word in words}
    phases = [phase for name in SHIPPED for phase in rules_of(name).phases.values()]
    assert {phase.name for phase in phases if phase.entry_types} <= played


# --- what would be seen

DEEP = 2
# Names of attributes, keys, and positions in lists, from the outer part to the inner one.
Way = tuple[object, ...]


def part(whole: Any, name: Any) -> Any:
    """Return the part of a value that has this name."""
    return whole[name] if isinstance(whole, dict | list) else getattr(whole, name)


def own_parts(one: object, other: object, pictures: Pictures, way: Way = ()) -> Iterator[Way]:
    """Yield the paths to all parts that a copy owns and could have shared with the original."""
    names, parts = look_into(type(one))(one)
    for name, mine in zip(names or range(len(parts)), parts, strict=True):
        theirs = part(other, name)
        if mine is theirs or not pictures.may_change(mine):
            continue
        yield (*way, name)
        if len(way) < DEEP and not isinstance(mine, set):
            yield from own_parts(mine, theirs, pictures, (*way, name))


def sharing(way: Way, copy: Callable[[Round], Round]) -> Callable[[Round], Round]:
    """Return a copy function with one planted fault: it shares the part at that path."""

    def shared(rnd: Round) -> Round:
        other = copy(rnd)
        *outer, last = way
        with suppress(AttributeError, LookupError):
            mine, theirs = reduce(part, outer, rnd), reduce(part, outer, other)
            if isinstance(theirs, dict | list):
                cast("Any", theirs)[last] = part(mine, last)
            else:
                setattr(theirs, str(last), part(mine, last))
        return other

    return shared


@pytest.mark.parametrize("name", ["durak_24", "dudo_aces"])
def test_a_copy_that_shares_what_changes_is_seen(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Accept a shared part that does not change in this round."""
    match = read_record(RECORDS[0].with_name(f"{name}.toml"))
    played, pictures, copy = match.rounds[0], Pictures(match.ruleset), Round.copy
    seen = set[type]()
    for way in [*own_parts(match.live_round, match.live_round.copy(), pictures)]:
        monkeypatch.setattr(Round, "copy", sharing(way, copy))
        watched = Watched(match.copy_from(played.before, played.number), pictures, name)
        try:
            watched.play(played.entries)
        except AssertionError as told:
            assert "round" in str(told)
            seen.add(type(reduce(part, way, match.live_round)))
        except (LookupError, TypeError, ValueError):
            continue  # The two matches interfere so much that no entry can be played.
    monkeypatch.undo()
    assert {list, dict} < seen, "no list, no dict, or no object that was shared is noticed"
    watch(match, name)
