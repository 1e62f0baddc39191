"""Loading of rulesets by name, from files, or from the text in a record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.errors import Damaged, Failure, Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.text import quote
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.ruleset import Ruleset, cache_value, current_form, pinned
from scorekeeper.ruleset import sources, tables

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from scorekeeper.core.types import Json, JsonValue
    from scorekeeper.ruleset.merge import MergedRuleset
    from scorekeeper.ruleset.sources import RulesetFault, Stamp

MAX_REPORTED = 500  # maximum length of each part of a fault, in characters
MAX_MESSAGE = 20_000  # maximum length of a message that lists rows without `cite`, in characters


class Faulty(Damaged):
    """The error for a ruleset with mistakes. `faults` lists all of them."""

    def __init__(self, name: str, faults: list[RulesetFault]) -> None:
        count = f"{len(faults)} mistakes" if len(faults) > 1 else "a mistake"
        hint = f"rules check {name}" if name else ""
        super().__init__(f"the ruleset {name or 'in the record'} has {count}: {faults[0]}", hint)
        self.faults = faults


def refusal(name: str, faults: list[RulesetFault]) -> Failure:
    """Return the error for a ruleset with faults.

    If all faults are in options set by the caller, the error is about the options.
    """
    from scorekeeper.ruleset.merge import OPTIONS

    if any(fault.file != OPTIONS for fault in faults):
        return Faulty(name, faults)
    hint = tr(
        "{command} lists all keys", command=f"scorekeeper rules show {quote(name)} --format toml"
    )
    return Unreadable(report_text(faults), hint)


def report_text(faults: list[RulesetFault]) -> str:
    """Return faults in options as one line. Only the first fault lists what is allowed."""
    first, *rest = [fault._replace(file="") for fault in faults]
    others = [fault._replace(found="", allowed="") for fault in rest[:3]]
    more = [f"and {len(rest) - 3} more"] if len(rest) > 3 else []
    return "; ".join([str(first), *map(str, others), *more])


Key = tuple[str, str, "Stamp"]
# Rulesets compiled in this process. A ruleset is immutable, so matches with the same rules share
# it. Valid rulesets are stored under their content, and under the name and options that load them.
# Rulesets from records are stored under their text.
_checked_rulesets: dict[Key, Ruleset] = {}
_loaded_rulesets: dict[tuple[str, str], tuple[Ruleset, sources.WatchedFiles]] = {}
_own_rulesets: dict[str, Ruleset] = {}


class Checked(NamedTuple):
    """The result of a check.

    `ruleset` is None if there are faults. `applied` are the options in the form that a record
    stores, and `merged` is the ruleset before compilation.
    """

    ruleset: Ruleset | None
    applied: dict[str, object]
    faults: list[RulesetFault]
    merged: MergedRuleset


def check(
    name_or_path: str, settings: Iterable[str] = (), options: Mapping[str, object] | None = None
) -> tuple[Ruleset | None, dict[str, object], list[RulesetFault]]:
    """Check a ruleset, and return the ruleset, the applied options, and all faults.

    The ruleset is None if it has faults. The options are in the form that a record stores.
    """
    ruleset, applied, faults, _ = _checked(name_or_path, settings, options)
    return ruleset, applied, faults


def load_merged(name_or_path: str, settings: Iterable[str] = ()) -> MergedRuleset:
    """Return a valid ruleset's merged files. Raises a Failure that lists the mistakes."""
    ruleset, _, faults, merged = _checked(name_or_path, settings, None)
    if ruleset is None:
        raise refusal(name_or_path, faults)
    return merged


def _checked(
    name_or_path: str, settings: Iterable[str], options: Mapping[str, object] | None
) -> Checked:
    from scorekeeper.ruleset import merge as merging
    from scorekeeper.ruleset.merge import OPTIONS, set_options, set_values

    merged, faults = merging.resolve(name_or_path, allow_path=True)
    if faults and not merged.table:
        return Checked(None, {}, faults, merged)
    own = merged.files[0]
    # the name was inherited, so use the file's name instead
    if merged.origin("name") != sources.quote_path(own):
        merged.table["name"] = sources.name_of(own)
    applied: dict[str, object] = {}
    if settings:
        values, wrong = set_values(merged, settings)
        applied.update(values)
        faults += wrong
    if options:
        values, wrong = set_options(merged, options)
        applied.update(values)
        faults += wrong
    beside = sources.folder_of(name_or_path)
    faults += merged.expand()
    key = _key(merged, beside) if not faults else None
    if key is not None and key in _checked_rulesets:
        return Checked(_checked_rulesets[key], applied, [], merged)
    ruleset, further = compile_merged(merged, beside)
    if key is not None and ruleset is not None and not further:
        cache_value(_checked_rulesets, key, ruleset)
    if further and applied and check(name_or_path)[0] is not None:
        # Without the options the ruleset is valid, so the options are to blame.
        further = [fault._replace(file=OPTIONS) for fault in further]
    elif further and merged.rulesets[1:]:
        further = [*_blamed(merged, further)]
    return Checked(None if faults or further else ruleset, applied, faults + further, merged)


def _key(merged: MergedRuleset, beside: Path | None) -> Key:
    """Return a ruleset's cache key, made of its full text and of the rule text that it cites."""
    from scorekeeper.ruleset.citations import find_rule_text

    name = merged.table.get("rules")
    path = (
        find_rule_text(name, beside)
        if isinstance(name, str) and tables.is_ruleset_name(name)
        else None
    )
    return sources.pin(merged.table), str(path), sources.stamp_of(path) if path else None


def _watched(merged: MergedRuleset, rules: str) -> sources.WatchedFiles:
    """Return the files on which a ruleset loaded by name depends.

    They are its own files, the rule text that it cites, and the user's folder. A new file in that
    folder may take precedence over one of them.
    """
    from scorekeeper.ruleset.citations import find_rule_text

    others = (sources.user_folder(), find_rule_text(rules))
    stamps = {path: sources.stamp_of(path) for path in others if path is not None}
    return sources.WatchedFiles({**stamps, **merged.stamps})


def _blamed(merged: MergedRuleset, faults: list[RulesetFault]) -> Iterator[RulesetFault]:
    """Yield the faults, each with the file that caused it.

    If a fault is in an extended file that is valid on its own, the extending file caused it.
    """
    base = merged.rulesets[1]
    own = sources.quote_path(merged.files[0])
    extended = {*map(sources.quote_path, merged.files[merged.files.index(base) :])}
    before = {fault.key: fault for fault in check(str(base))[2]}
    for fault in faults:
        if fault.file not in extended:
            yield fault
        elif fault.key in before:
            yield fault._replace(file=before[fault.key].file)
        else:
            beyond = "" if merged.is_set_by(own, fault.key) else f" (valid in {fault.file})"
            yield fault._replace(file=own, message=fault.message + beyond)


def compile_merged(
    merged: MergedRuleset, beside: Path | None = None, text: str = ""
) -> tuple[Ruleset | None, list[RulesetFault]]:
    """Compile a merged ruleset, and return it with all faults.

    The ruleset is None if its structure is wrong. `beside` is the folder that may contain its rule
    text. `text` is the ruleset's text if it was pinned in a record. Citations in a pinned ruleset
    are not checked, because its rule text is not available.
    """
    from scorekeeper.engine.check import check as check_meaning
    from scorekeeper.engine.check import check_direction, check_points
    from scorekeeper.ruleset.citations import check_citations
    from scorekeeper.ruleset.merge import CITES
    from scorekeeper.ruleset.schema import SchemaChecker, check_languages

    faults: list[RulesetFault] = []

    def report(key: str, found: str, allowed: str, message: str) -> None:
        place = (merged.origin(key), quote(merged.written_key(key), MAX_REPORTED))
        if len(faults) < untrusted.MAX_FAULTS and all(fault[:2] != place for fault in faults):
            most = MAX_MESSAGE if key == CITES else MAX_REPORTED
            told = (
                quote(merged.as_written(message), MAX_REPORTED),
                quote(found),
                quote(allowed, most),
            )
            faults.append(sources.RulesetFault(*place, *told))

    SchemaChecker(merged.table, report).check()
    if faults:
        return None, faults
    merged.table = {**{"language": 0}, **merged.table, "language": tables.VERSION}
    written = not text
    if written:
        check_citations(merged, report, beside)
        text = sources.pin(merged.table)
    ruleset = Ruleset(merged.table, text, sources.sha256(text), report)
    check_meaning(ruleset, trial_allowed=not faults)
    check_languages(ruleset.lexicon, ruleset.fault)
    if written and not faults:
        check_points(merged, ruleset.pack, report)
        check_direction(ruleset)
    sound = not faults
    for phase in ruleset.phases.values():
        phase.check(sound)
    return ruleset, faults


def load_ruleset(name_or_path: str | Path, **options: object) -> Ruleset:
    """Return the ruleset with the given name, or the ruleset in the given file.

    `options` override keys of the ruleset, as nested tables or as dotted keys. Raises Unreadable if
    no ruleset has that name, or if an option is not allowed. Raises Faulty (a subclass of Damaged)
    if the ruleset has mistakes.

    >>> from scorekeeper import load_ruleset
    >>> load_ruleset("dudo").tally["most"]
    5
    >>> load_ruleset("dudo", **{"tally.most": 6}).tally["most"]
    6
    >>> load_ruleset("dudo", tally={"most": 6}).tally["most"]
    6
    """
    if not isinstance(name_or_path, str):
        name_or_path = sources.path_as_text(name_or_path)
    key = (name_or_path, _split_options(options))
    known = _loaded_rulesets.get(key)
    if known is not None and known[1].is_unchanged():
        return known[0]
    ruleset, _, faults, merged = _checked(name_or_path, (), options)
    if ruleset is None:
        raise refusal(name_or_path, faults)
    if not sources.is_path(name_or_path):
        cache_value(_loaded_rulesets, key, (ruleset, _watched(merged, ruleset.rules_text)))
    return ruleset


def _split_options(options: Mapping[str, object]) -> str:
    """Return the options as a cache key, or "" if they cannot be written as text."""
    try:
        return repr(options)
    # The options have too many digits or are nested too deeply. The check will refuse them.
    except (ValueError, RecursionError):
        return ""


def check_text(text: str, sha256: str = "") -> Ruleset:
    """Return the ruleset in an untrusted record, after checking its text like a file.

    Its citations are not checked. Raises Damaged if the text does not match its SHA-256 hash, and
    Faulty if the ruleset has mistakes.
    """
    from scorekeeper.ruleset import merge as merging

    if len(text) > untrusted.MAX_FILE_BYTES:
        raise Damaged(
            tr(
                "the ruleset in the record is longer than {number} characters",
                number=untrusted.MAX_FILE_BYTES,
            )
        )
    if sha256 not in ("", sources.sha256(text)) and not _has_rules(text, sha256):
        raise Damaged(tr("the ruleset in the record does not match its SHA-256 hash"))
    if text in _own_rulesets:
        return _own_rulesets[text]
    merged = merging.MergedRuleset(current_form(sources.unpin(text)))
    ruleset, faults = compile_merged(merged, text=text)
    if ruleset is None or faults:
        raise Faulty("", faults)
    return cache_value(_own_rulesets, text, ruleset)


def _has_rules(text: str, sha256: str) -> bool:
    """Return whether the rules in a pinned text have this hash."""
    try:
        return sources.rules_sha256(current_form(sources.unpin(text))) == sha256
    except Damaged:
        return False


__all__ = ["Faulty", "Ruleset", "check", "load_ruleset", "pinned"]


def describe_rules(ruleset: Ruleset, options: Mapping[str, JsonValue]) -> Json:
    """Return the data that a record needs to load the same rules again.

    `ruleset_sha256` is the hash of the rules if the name suffices to load them. In that case,
    `options` are included if there are any. Otherwise the result contains `ruleset_text` and the
    hash of this text.
    """
    if not _is_shipped(ruleset, options):
        return {"ruleset_sha256": ruleset.text_sha256, "ruleset_text": ruleset.text}
    return {"ruleset_sha256": ruleset.sha256, **({"options": dict(options)} if options else {})}


def _is_shipped(ruleset: Ruleset, options: Mapping[str, JsonValue]) -> bool:
    """Return whether loading the ruleset's name with the options yields exactly these rules."""
    try:
        return load_ruleset(ruleset.name, **options).sha256 == ruleset.sha256
    except Failure:
        return False
