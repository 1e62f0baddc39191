"""The command `import`: records into the book, as new matches or in the place of old ones."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from scorekeeper.cli.common import (
    FINE,
    BookOption,
    FormatOption,
    code_of,
    commanded,
    open_book,
    say,
    say_json,
    talk,
    tell,
)
from scorekeeper.cli.speaking import agrees
from scorekeeper.core.failures import Failure, Impossible, Locked
from scorekeeper.core.messages import mark, plural, tr
from scorekeeper.core.suggest import shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scorekeeper.core.plain import Json
    from scorekeeper.store.protocol import MatchRow, Store
    from scorekeeper.store.record import Source

# What tells a match apart from one that looks like it (`Like.differs`).
DIFFERS = (
    *(mark("rules"), mark("started"), mark("place"), mark("language"), mark("title")),
    *(mark("note"), mark("entries")),
)


@commanded
def import_(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="Records.")],
    replace: Annotated[
        bool,
        typer.Option("--replace", help="An edited record puts the match right that it came from."),
    ] = False,
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """Put records into the book; one that is there already is not doubled.

    A record that was exported from a match of the book and edited may take its place: what differs
    is amended there, so `undo` and the log still have what was.

    Example: scorekeeper import evening.toml
    """
    from scorekeeper.store.record import Source

    done: list[Json] = []
    worst = FINE
    with open_book(book, create=True) as opened:
        for file in files:
            try:
                source = Source(file)
                done.append({"file": file, **_imported(opened, source, file, replace, format)})
            except Locked:
                raise
            except Failure as failure:
                worst = max(worst, code_of(failure))
                if format == "json":
                    fault = {"fault": failure.message, "hint": failure.hint}
                    done.append({"file": file, "match": None, "known": False, **fault})
                tell(failure)
    if format == "json":
        say_json(done)
    return worst


def _imported(store: Store, source: Source, file: str, yes: bool, format: str) -> Json:
    """What came of a record, as data; as text it is said."""
    from scorekeeper.store.about import About, identifier
    from scorekeeper.store.importing import import_match, known, misclaimed, read
    from scorekeeper.store.replacing import described, origins
    from scorekeeper.store.replacing import replace as put_in_place

    about, options = About(**source.about), source.data.get("options", {})
    match, rounds = read(source)
    same = known(store, match, about)
    found = origins(store, source) if yes or not same else []
    if same:  # what it was edited from is older than what it became
        found = [row for row in found if row.id < min(same)]
    if yes and len(found) > 1:
        raise _which(found)
    if format == "text":
        _tell_claims(file, misclaimed(source, match))
    origin = found[0] if len(found) == 1 else None
    if origin is not None and (yes or (format == "text" and _agreed(file, origin))):
        put_in_place(store, origin, match, source.about, rounds)
        if format == "text":
            say(tr("{file}: has taken the place of match {match}", file=file, match=origin.id))
            _tell_changed(described(origin, source.about))
            for number in same:
                talk(tr("  match {match} says the same: scorekeeper delete {match}", match=number))
        return {"match": origin.id, "known": True, "replaced": True}
    said = source.about
    if origin is not None:  # beside the one it came from, which stays the one known by its start
        said = {**said, "identifier": identifier()}
    made = import_match(store, match, options=options, told=rounds, **said)
    if format == "json":
        like = [each._asdict() for each in made.like]
        row: Json = {"match": made.match, "known": made.known}
        return {**row, "like": like} if like else row
    told = mark("{file}: is already match {match}")
    told = told if made.known else mark("{file}: is now match {match}")
    say(tr(told, file=file, match=made.match))
    for other in made.like:
        talk(
            tr(
                "  it looks like match {match}, but for: {differs}",
                match=other.match,
                differs=", ".join(map(tr, other.differs)),
            )
        )
    if found:
        _tell_origins(found, made.match)
    return {}


def _tell_claims(file: str, rounds: list[int]) -> None:
    """Of which rounds a record claims other scores than its entries come to."""
    if rounds:
        talk(
            plural(
                "  the scores that it claims of round {rounds} are not what the entries come to:"
                " scorekeeper verify {file}",
                "  the scores that it claims of rounds {rounds} are not what the entries come to:"
                " scorekeeper verify {file}",
                len(rounds),
                rounds=", ".join(map(str, rounds)),
                file=file,
            )
        )


def _tell_changed(changed: Mapping[str, tuple[str, str]]) -> None:
    """What is kept about a match otherwise than before, which no undo brings back."""
    for key, (before, after) in changed.items():
        said = {"what": tr(key), "before": shown(before), "after": shown(after)}
        if before and after:
            talk(tr("  its {what} was “{before}”, and is “{after}” now", **said))
        elif before:
            talk(tr("  its {what} was “{before}”, and is none now", **said))
        else:
            talk(tr("  its {what} is “{after}” now", **said))


def _agreed(file: str, origin: MatchRow) -> bool:
    """Whether the person wants a record in the place of its match; no where nobody is asked."""
    from scorekeeper.cli.telling import match_line

    if not sys.stdin.isatty():
        return False
    talk(match_line(origin))
    talk(tr("{file} came from this match: put it right by it? [y/N]", file=file))
    return agrees(sys.stdin.readline())


def _which(found: list[MatchRow]) -> Failure:
    """The failure of a record that several matches may have become."""
    numbers = ", ".join(str(row.id) for row in found)
    return Impossible(
        tr("it may have come from any of the matches {numbers}", numbers=numbers),
        tr(
            "delete those that are too many ({command}), then import it again",
            command=f"scorekeeper delete {found[-1].id}",
        ),
    )


def _tell_origins(found: list[MatchRow], made: int) -> None:
    numbers = ", ".join(str(row.id) for row in found)
    if len(found) > 1:
        talk(tr("  it may have come from any of the matches {numbers}", numbers=numbers))
        return
    say = mark(
        "  if it is match {match} put right: scorekeeper delete {made}, then import --replace"
    )
    talk(tr(say, match=numbers, made=made))
