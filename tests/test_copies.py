"""Copies of a round: whatever happens to one of them, the round that it was taken from stays as it
was.

What an entry would do is tried on a copy (`Round.copy`), and an entry is undone by going back to
the round before it, so nothing that changes may be shared between the two. Nobody keeps a list of
what a round consists of here: all that hangs on it is looked at, as deep as it goes, but for what
belongs to the compiled ruleset.
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
from tests.random_play import SHIPPED, evening, rules_of

RECORDS = sorted((Path(__file__).parent / "records").glob("*.toml"))
# The evenings that are played at random, from the middle of a deal and from its start: by their
# seeds, how many things happen in each.
SEEDS = {0: 25, 1: 40}
TRIED = 3  # legal acts of which one is tried beside each entry
# How often a copy is looked at by itself, and one is kept that goes on to the end of the round.
SEEN, KEPT = 5, 15


# --- all that hangs on a value


class Picture:
    """What a value is, and what is in it, with what each part is called. Values that are alike
    have the very same picture (see `Pictures`)."""

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
Parts = tuple[tuple[object, ...], tuple[object, ...]]  # what they are called, and they
Look = Callable[[Any], Parts]


def in_order(value: Sequence[object]) -> Parts:
    """What is in a list or a tuple; its places have no name but in a named tuple."""
    return getattr(value, "_fields", ()), tuple(value)


def by_key(value: dict[object, object]) -> Parts:
    """What is in a dict."""
    return tuple(value), tuple(value.values())


def attributes(kind: type) -> Look:
    """How to look at the attributes of an object that have been set."""
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
    """How to look into a value of a class that is no set."""
    if issubclass(kind, list | tuple):
        return in_order
    return by_key if issubclass(kind, dict) else attributes(kind)


def compiled_classes(ruleset: Ruleset) -> set[type]:
    """The classes of all objects that a ruleset consists of."""
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
    """Takes pictures of what changes under a ruleset. Of what is compiled, known by its class, and
    of functions a picture says only which object it is."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._closed = {*compiled_classes(ruleset), *CODE}
        self._looks: dict[type, Look] = {}
        self._known: dict[tuple[str, tuple[object, ...], tuple[object, ...]], Picture] = {}
        # What never changes, by its number, which nobody else gets while it is kept here.
        self._fixed: dict[int, tuple[object, Picture]] = {}

    def of(self, value: object) -> Picture:
        """The picture of a value."""
        return self._taken(value, {}, 0)

    def may_change(self, value: object) -> bool:
        """Whether something may change in a value itself."""
        kind = type(value)
        return not (kind in PLAIN or kind in self._closed or issubclass(kind, tuple | frozenset))

    def _taken(self, value: object, seen: dict[int, Picture | int], depth: int) -> Picture:
        """The same of a part. `seen` are the parts of the whole that have a picture, or, being on
        the way to this one, the `depth` at which they are."""
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
    """Where two pictures differ."""
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
    """A round of a match, entered anew while copies of it are changed."""

    def __init__(self, match: Match, pictures: Pictures, seed: str) -> None:
        self.match = match
        self.pictures = pictures
        self.random = Random(seed)
        self.kept: list[Round] = []

    def play(self, texts: list[str]) -> bool:
        """Enter all that has happened; whether it could be, as it was written."""
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
        standing = self.match.standing  # what it rests on is kept in the round
        end = self.pictures.of(whole)
        self.see(whole.copy(), end, "a copy at the end is another round")
        for kept in self.kept:
            assert standing_after(kept) == standing
            self.see(kept, end, "a copy has come to something else")
        return as_written

    def see(self, rnd: Round, before: Picture, what: str) -> None:
        """See that a round looks as in the picture."""
        now = self.pictures.of(rnd)
        if now is not before:
            raise AssertionError("\n".join([f"{what}:", *differences(before, now)]))

    def others(self, texts: list[str]) -> Iterator[str]:
        """What else might happen now: something legal, and something from anywhere in the round, or
        said of somebody, which the table may let stand or take back."""
        choice, who = self.random.choice, self.random.choice(self.match.seated_players)
        acts = (text for text in self.match.legal if "…" not in text)
        yield choice([*islice(acts, TRIED), "note nothing"])
        said = [f"foul {who}: cards shown", f"penalty {who}: 1", f"claim {who}: 1"]
        text = choice([choice(texts).partition(" !")[0], choice(said)])
        yield text + choice(["", " !stands", " !withdrawn"])
        if "remedies" in self.match.ruleset.phases:
            yield from self.claims(who)

    def claims(self, who: str) -> Iterator[str]:
        """What may be said of something that was wrong."""
        choice = self.random.choice
        for fault in self.match.state.get("faults", [])[:1]:
            at, who = fault["at"], choice([*fault["may"], who])
            word = choice([*fault["choices"], "minor"])
            yield choice([f"claim {who}: {at}; weigh {at} {word}", f"waive {who}"])

    def happen(self, copy: Round, text: str) -> None:
        """Let something happen to a copy of the round that is played."""
        notation = self.match.notation
        entry = resolve(copy, notation.read(text), notation)
        copy.apply(entry, judge(copy, entry, is_decided=not entry.decision))
        apply_score(copy)

    def enter(self, text: str) -> str:
        """Enter something in the match; as what it was taken, "" where it cannot be."""
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
    """Play the rounds of a match again, and see that what happens to copies changes nothing else,
    and comes to the same."""
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
    """What is claimed, in none of them, is tried where there is something to claim."""
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
Way = tuple[object, ...]  # names of attributes, keys, numbers in a list: one in the other


def part(whole: Any, name: Any) -> Any:
    """What is called so in a value."""
    return whole[name] if isinstance(whole, dict | list) else getattr(whole, name)


def own_parts(one: object, other: object, pictures: Pictures, way: Way = ()) -> Iterator[Way]:
    """The ways to all that a copy has of its own, and might share with what it was taken from."""
    names, parts = look_into(type(one))(one)
    for name, mine in zip(names or range(len(parts)), parts, strict=True):
        theirs = part(other, name)
        if mine is theirs or not pictures.may_change(mine):
            continue
        yield (*way, name)
        if len(way) < DEEP and not isinstance(mine, set):
            yield from own_parts(mine, theirs, pictures, (*way, name))


def sharing(way: Way, copy: Callable[[Round], Round]) -> Callable[[Round], Round]:
    """A way to copy a round that forgets one thing: that is shared, where there is any."""

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
    """Much that a copy has of its own does not change in this round, so its sharing is no fault."""
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
            continue  # the two have got into each other's way so much that nothing can be played
    monkeypatch.undo()
    assert {list, dict} < seen, "no list, no dict, or no object that was shared is noticed"
    watch(match, name)
