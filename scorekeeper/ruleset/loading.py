"""From a name, a path or a pinned text to a compiled ruleset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core import limits
from scorekeeper.core.failures import Damaged, Failure, Unreadable
from scorekeeper.core.suggest import shown
from scorekeeper.ruleset import older, sources
from scorekeeper.ruleset.compiled import Ruleset

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scorekeeper.core.plain import Row
    from scorekeeper.ruleset.merging import Merged
    from scorekeeper.ruleset.sources import Fault


TOLD = 500  # characters of a part of a fault


class Faulty(Damaged):
    """A ruleset with mistakes; `faults` are all of them."""

    def __init__(self, name: str, faults: list[Fault]) -> None:
        count = f"{len(faults)} mistakes" if len(faults) > 1 else "a mistake"
        hint = f"rules check {name}" if name else ""
        super().__init__(f"the ruleset {name or 'in the record'} has {count}: {faults[0]}", hint)
        self.faults = faults


def refusal(name: str, faults: list[Fault]) -> Failure:
    """The failure for a ruleset with faults: where only what was set from outside is wrong, the
    ruleset is not to blame."""
    from scorekeeper.ruleset.setting import OPTIONS

    if any(fault.file != OPTIONS for fault in faults):
        return Faulty(name, faults)
    return Unreadable(told(faults), f"scorekeeper rules show {shown(name)} lists the keys")


def told(faults: list[Fault]) -> str:
    """Mistakes in what was set from outside, in one line: what is allowed only for the first."""
    first, *rest = [fault._replace(file="") for fault in faults]
    others = [fault._replace(found="", allowed="") for fault in rest[:3]]
    more = [f"and {len(rest) - 3} more"] if len(rest) > 3 else []
    return "; ".join([str(first), *map(str, others), *more])


def check(
    name_or_path: str, settings: Iterable[str] = (), options: Mapping[str, object] | None = None
) -> tuple[Ruleset | None, dict[str, object], list[Fault]]:
    """The ruleset (None if it has faults), the options as a record keeps them, all faults."""
    from scorekeeper.ruleset import merging
    from scorekeeper.ruleset.setting import OPTIONS, set_options, set_value

    merged, faults = merging.resolve(name_or_path, allow_path=True)
    if faults:
        return None, {}, faults
    own = merged.files[0]
    if merged.origin("name") != sources.shown_path(own):  # only what it extends has a name
        merged.table["name"] = own.stem
    applied: dict[str, object] = {}
    for setting in settings:
        said, wrong = set_value(merged, setting)
        applied.update(said)
        faults += wrong
    if options:
        said, wrong = set_options(merged, options)
        applied.update(said)
        faults += wrong
    if applied:  # perhaps in the words of an older record
        merged.table = older.translated(merged.table)
        merged.resolve()
    ruleset, found = compiled(merged)
    if found and applied and check(name_or_path)[0] is not None:
        # Without what was set there is nothing wrong, wherever it shows.
        found = [fault._replace(file=OPTIONS) for fault in found]
    return (None if faults or found else ruleset), applied, faults + found


def compiled(merged: Merged) -> tuple[Ruleset | None, list[Fault]]:
    from scorekeeper.ruleset.citations import check_citations
    from scorekeeper.ruleset.languages import check_languages
    from scorekeeper.ruleset.meaning import check as check_meaning
    from scorekeeper.ruleset.schema import Checker

    faults: list[Fault] = []

    def report(key: str, found: str, allowed: str, message: str) -> None:
        if len(faults) < limits.FAULTS and all(fault.key != key for fault in faults):
            told = (shown(key, TOLD), shown(message, TOLD), shown(found), shown(allowed, TOLD))
            faults.append(sources.Fault(merged.origin(key), *told))

    Checker(merged.table, report).check()
    if faults:
        return None, faults
    check_citations(merged, report)
    text = sources.pin(merged.table)
    ruleset = Ruleset(merged.table, text, sources.sha256(text), report)
    check_meaning(ruleset)
    check_languages(ruleset.lexicon, ruleset.fault)
    return ruleset, faults


def load_ruleset(name_or_path: str, **options: object) -> Ruleset:
    """The ruleset of that name, or in that file. `options` are its keys, as nested tables or
    dotted.

    Raises Unreadable for a name that no ruleset has and for options that the language does not
    allow, Faulty (a Damaged) for a ruleset with mistakes.

    >>> from scorekeeper import load_ruleset
    >>> load_ruleset("dudo").tally["most"]
    5
    >>> load_ruleset("dudo", **{"tally.most": 6}).tally["most"]
    6
    >>> load_ruleset("dudo", tally={"most": 6}).tally["most"]
    6
    """
    ruleset, _, faults = check(name_or_path, options=options)
    if ruleset is None:
        raise refusal(name_or_path, faults)
    return ruleset


def pinned(text: str, sha256: str, data: Row | None = None) -> Ruleset:
    """The ruleset of a text that a match has pinned under that SHA-256: compiled, not checked
    again. `data` is what the text says, where that is known. Raises Damaged when it cannot be
    compiled."""
    data = data or sources.unpin(text)
    try:
        return Ruleset(older.translated(data), text, sha256)
    except (KeyError, TypeError, ValueError, AttributeError, AssertionError) as error:
        raise Damaged(f"the pinned ruleset cannot be compiled: {shown(repr(error), 120)}") from None


def checked_text(text: str, sha256: str = "") -> Ruleset:
    """The ruleset of a text that a stranger's record brings along: checked like a file. Raises
    Damaged for a text that is not what its SHA-256 says, Faulty for one with mistakes."""
    from scorekeeper.ruleset import merging

    if sha256 and sources.sha256(text) != sha256:
        raise Damaged("the ruleset in the record is not the one that its SHA-256 names")
    if len(text) > limits.FILE_BYTES:
        raise Damaged(f"the ruleset in the record is longer than {limits.FILE_BYTES} characters")
    ruleset, faults = compiled(merging.Merged(older.translated(sources.unpin(text))))
    if ruleset is None or faults:
        raise Faulty("", faults)
    return ruleset


__all__ = ["Faulty", "Ruleset", "check", "load_ruleset", "pinned"]
