"""Matches that others wrote, read from files before a store takes them: records, JSON, folders."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Damaged, Failure
from scorekeeper.core.messages import tr
from scorekeeper.core.text import shown
from scorekeeper.core.types import NamedTuple
from scorekeeper.store.from_json import LINES, found_in, is_json
from scorekeeper.store.importing import misclaimed, read
from scorekeeper.store.record import Source, other_rules

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import BinaryIO

    from scorekeeper.core.types import Plain
    from scorekeeper.play.match import Match
    from scorekeeper.play.reviewed import Told
    from scorekeeper.store.about import Said

LOOK = 64  # bytes that tell JSON from a record
ENDINGS = (".toml", ".json", *LINES)  # of the files that are taken of a folder


class Arrival(NamedTuple):
    """A match that was read: from which file and line (0: the whole file), what it is, what its
    rounds came to, what is said about it, what was set of its ruleset, of which rounds it claims
    other scores; `points_alone`: it came from a table of scores; how many bytes of the file it
    was; `totals_alone`: it is a whole evening, of which no round is known; the SHA-256 of the
    `other_rules` by which it was recorded, where they are not today's; the `unlike` rounds of a
    table, which come to nothing that the rules know, each with its line and what it comes to."""

    file: str
    line: int
    match: Match
    told: Sequence[Told]
    about: Said
    options: Mapping[str, Plain]
    misclaimed: Sequence[int] = ()
    points_alone: bool = False
    size: int = 0
    totals_alone: bool = False
    other_rules: str = ""
    unlike: Sequence[tuple[int, int]] = ()


class Refused(NamedTuple):
    """What is no match, or none that can be taken: in which file and line (0: all of it), why,
    and how many bytes of the file it was."""

    file: str
    line: int
    failures: Sequence[Failure]
    size: int = 0


def place_of(found: Arrival | Refused) -> str:
    """Where it came from, for people."""
    if not found.line:
        return found.file
    return tr("{path}, line {line}", path=found.file, line=found.line)


def files_of(path: str) -> list[str]:
    """The files that are meant by a path: in a folder all that may hold matches, by their names.
    Raises Damaged for a folder that cannot be read, or holds none."""
    if not os.path.isdir(path):
        return [path]
    try:
        names = sorted(os.listdir(path))
    except OSError as error:
        raise Damaged(
            tr("{path} cannot be read: {reason}", path=shown(path, 200), reason=error.strerror)
        ) from None
    found = [os.path.join(path, name) for name in names if name.lower().endswith(ENDINGS)]
    if not found:
        raise Damaged(
            tr("{path} cannot be read: there are no records in this folder", path=shown(path, 200)),
            tr("it takes files that end in {endings}", endings=", ".join(ENDINGS)),
        )
    return found


def arrivals(path: str) -> Iterator[Arrival | Refused]:
    """The matches in a file, each played as it is read; what cannot be read ends no other."""
    try:
        with open(path, "rb") as file:  # once: it may be a pipe
            if is_json(path, file.peek(LOOK)[:LOOK].removeprefix(b"\xef\xbb\xbf")):
                for found in found_in(path, file):
                    yield _arrival(path, found.line, found.record, found.size, found.sha)
            else:
                yield _arrival(path, 0, None, os.path.getsize(path), file=file)
    except Failure as failure:
        yield Refused(path, 0, [failure])
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        said = tr("{path} cannot be read: {reason}", path=shown(path, 200), reason=reason)
        yield Refused(path, 0, [Damaged(said)])
    except Exception as error:
        yield Refused(path, 0, [_mistake(error, path)])


def _arrival(
    path: str,
    line: int,
    record: dict[str, Plain] | Damaged | None,
    size: int,
    sha: str = "",
    file: BinaryIO | None = None,
) -> Arrival | Refused:
    if isinstance(record, Damaged):
        return Refused(path, line, [record], size)
    name = tr("{path}, line {line}", path=path, line=line) if line else path
    try:
        source = Source(name, record, file)
        match, told = read(source)
        if sha and match.ruleset.sha256 != sha:
            raise Damaged(
                tr("{path}: its rules are not told, and {ruleset} has others here",
                   path=shown(name, 200), ruleset=match.ruleset.name),
                tr("export it again by this version of the program"),
            )  # fmt: skip
        options = source.data.get("options", {})
        claims = misclaimed(source, match)
        others = other_rules(source.data, match.ruleset)
        about = source.about
    except Failure as failure:
        return Refused(path, line, [failure], size)
    except Exception as error:
        return Refused(path, line, [_mistake(error, name)], size)
    return Arrival(path, line, match, told, about, options, claims, size=size, other_rules=others)


def _mistake(error: Exception, path: str) -> Failure:
    from scorekeeper.store.faults import own_mistake  # which brings SQLite along

    return own_mistake(error, path)
