"""Commands about rulesets: list, check, explain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from scorekeeper.cli.common import (
    FINE,
    REFUSED,
    UNREADABLE,
    BookOption,
    FormatOption,
    ReadOption,
    commanded,
    open_match,
    say,
    say_json,
    talk,
)
from scorekeeper.cli.playing import complete_rulesets
from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import listed, number_of
from scorekeeper.ruleset.merge import OPTIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorekeeper.core.types import Json
    from scorekeeper.play.examples import Example
    from scorekeeper.ruleset.compiled import Ruleset
    from scorekeeper.ruleset.sources import Fault

RulesetArgument = Annotated[
    str,
    typer.Argument(metavar="RULESET", help="A name or a file.", autocompletion=complete_rulesets),
]


SettingsOption = Annotated[
    list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A choice to apply.")
]


@commanded
def list_(format: FormatOption = "text") -> int:
    """The rulesets that can be named.

    Example: scorekeeper rules list
    """
    from scorekeeper.ruleset import merge as merging
    from scorekeeper.ruleset import sources

    rows: list[tuple[str, str, bool]] = []
    for found in sources.names():
        merged, faults = merging.resolve(found.name)
        title = "faulty: rules check says why" if faults else str(merged.table.get("title", ""))
        rows.append((found.name, title, found.shipped))
    if format == "json":
        say_json([dict(zip(("name", "title", "shipped"), row, strict=True)) for row in rows])
        return FINE
    width = max((len(name) for name, _, _ in rows), default=0)
    for name, title, shipped in rows:
        say(f"{name:<{width}}  {title}{'' if shipped else ' (yours)'}")
    return FINE


def loaded_ruleset(name: str, settings: list[str] | None = None) -> Ruleset:
    """The ruleset of that name or in that file, with what is set. Raises a Failure with its
    mistakes."""
    from scorekeeper.ruleset.loading import check, refusal

    loaded, _, faults = check(name, settings or ())
    if loaded is None:
        raise refusal(name, faults)
    return loaded


PlayOption = Annotated[
    int,
    typer.Option(
        "--play",
        metavar="N",
        min=0,
        help="Play N matches at random too, and say what goes wrong or never applies.",
    ),
]
SeedOption = Annotated[
    int | None, typer.Option("--seed", metavar="S", help="The seed of the first (default: 1).")
]


@commanded
def check(
    ruleset: RulesetArgument,
    settings: SettingsOption = None,
    play: PlayOption = 0,
    seed: SeedOption = None,
    format: FormatOption = "text",
) -> int:
    """Every mistake in a ruleset: file, key, what was found, what is allowed. With --play, what
    shows only in play: a rule that fails, a dead end, rows that never apply; with the entries
    that lead there.

    Example: scorekeeper rules check dudo --play 100
    """
    from scorekeeper.ruleset import loading

    if seed is not None and not play:
        raise Unreadable("a seed is for matches that are played", "--play N --seed S")
    loaded, _, faults = loading.check(ruleset, settings or ())
    if loaded is not None and play:
        from scorekeeper.cli.trying import tried

        return tried(loaded, ruleset, play, 1 if seed is None else seed, format)
    if format == "json":
        say_json({"ruleset": ruleset, "ok": loaded is not None,
                  "faults": [fault._asdict() for fault in faults]})  # fmt: skip
    elif is_wrong_use(faults):
        raise loading.refusal(ruleset, faults)
    elif faults:
        for fault in faults:
            say(str(fault))
        talk(f"{len(faults)} mistakes" if len(faults) > 1 else "one mistake")
    else:
        assert loaded is not None
        clauses, scores = len(loaded.clauses), len(loaded.scores)
        counts = f"{number_of(clauses, 'clause')}, {number_of(scores, 'score')}"
        say(f"{loaded.name}: no mistakes; {counts}")
    return UNREADABLE if is_wrong_use(faults) else REFUSED if faults else FINE


def is_wrong_use(faults: list[Fault]) -> bool:
    """Whether the ruleset is sound, and only what was set is wrong."""
    return bool(faults) and all(fault.file == OPTIONS for fault in faults)


@commanded
def explain(
    code: Annotated[
        str, typer.Argument(metavar="CODE", help="A rule's code, a row, or a paragraph's number.")
    ],
    ruleset: Annotated[
        str | None,
        typer.Option(
            "--ruleset",
            help="Whose rule (default: the match's).",
            autocompletion=complete_rulesets,
        ),
    ] = None,
    match: ReadOption = None,
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """A rule: what it says, its parameters, its paragraph in the rule text, and entries that it
    allows and refuses, each with what the referee says of it.

    Example: scorekeeper rules explain bids.from-aces --ruleset dudo
    """
    from scorekeeper.ruleset.citations import paragraph, paragraphs, place, rule_text
    from scorekeeper.ruleset.examples import in_a_line, key_of
    from scorekeeper.ruleset.sources import folder_of

    loaded = open_match(book, match).match.ruleset if ruleset is None else loaded_ruleset(ruleset)
    beside = folder_of(ruleset) if ruleset is not None else None
    path = rule_text(loaded.rules_text, beside)
    texts = paragraphs(path) if path is not None else {}
    about = _about(loaded, code, texts)
    about["paragraph"] = paragraph(loaded.rules_text, about["cite"], beside)
    examples = _examples(loaded, about["code"])
    about["examples"] = [example.as_json() for example in examples]
    if format == "json":
        say_json(about)
        return FINE
    say(f"{about['code']}" + (f": {about['doc']}" if about["doc"] else ""))
    for key, value in about["row"].items():
        say(f"  {key_of(key)} = {in_a_line(value)}")
    if about["paragraph"]:
        text = place(loaded.rules_text, about["cite"]).rpartition(" ")[0]
        say(*f"{text} {about['paragraph']}".split("\n"))
    for example in examples:
        say(*_example_lines(example))
    return FINE


def _examples(loaded: Ruleset, code: str) -> list[Example]:
    """What shows the rule of that code, if it is a clause's."""
    from scorekeeper.play.examples import played

    clause = next((row for row in loaded.clauses.values() if row.code == code), None)
    return played(clause.word, code) if clause is not None else []


def _example_lines(example: Example) -> Iterator[str]:
    from scorekeeper.ruleset.examples import as_toml

    case = example.case
    yield f"for example, in {case.ruleset}, with {listed(case.players)}:"
    yield from (f"  with {key} = {as_toml(value)}" for key, value in case.settings)
    yield from (f"  {entry}" for entry in case.before)
    for asked in example.asked:
        yield f"{asked.kind}{' then' if case.before else ''}: {asked.entry}"
        if asked.finding is not None:
            yield f"  {asked.finding.reason}"


# The codes that no ruleset names.
OWN_CODES = {
    "turn": "Somebody acted whom the game did not wait for.",
    "verb": "An act whose time is not now: something else has to happen first, or is over.",
    "entry.unreadable": "A text that is no entry, or has two readings.",
    "entry.impossible": "An entry that contradicts the state of the table, whatever the rules are.",
    "score.claimed": "A record claims another score than its entries give.",
    "hands.group": "Of several plays one was against a rule, and nobody knows yet which.",
    "round.unfinished": "A round of a record goes on, yet another one follows it.",
    "ruleset.faulty": "A rule or score row that has no value here: what happened stands.",
    "record.damaged": "A file that is no record, or whose rules are not what they were.",
}

# What the referee tells of its own accord, by the last word of the code; the first is a phase.
REMARKS = {
    "position": "How a start in the middle was understood: who holds how many, what is left.",
    "lead": "Somebody else starts than was expected; what was said counts.",
    "dealer": "Somebody else deals than was expected; what was said counts.",
    "odds": "The facts of a start do not fit together yet; they have to before the first act.",
    "decided": "What was said leaves nothing to play for: the round, or the match, is over.",
    "alone": "Somebody plays alone who has not said so; in a result, a lone name is taken so.",
    "proven": "A card that was shown, or counting, has proven whose side somebody is on.",
    "hands": "Hands that were entered differ in size: one of them may be mistyped.",
    "owed": "As many deals are left as solos are owed: they must be played now.",
    "enough": "The others have enough points to take over.",
    "tricks": "A side without card points is taken to have won no trick.",
    "missed": "A call has failed, whatever follows.",
    "provisional": "A round is over, and what was wrong in it may still be claimed.",
    "best": "Several sides announced as much, and nobody has shown which is the best.",
}


def _about(loaded: Ruleset, code: str, texts: dict[str, str]) -> Json:
    if code in OWN_CODES:
        return {"code": code, "doc": OWN_CODES[code], "cite": "", "row": {}}
    if code in texts:
        return {"code": code, "doc": "", "cite": code, "row": {}}
    for clause in loaded.clauses.values():
        if code in (clause.code, clause.name, f"clauses.{clause.name}"):
            row = dict(loaded.data["clauses"][clause.name])
            return {"code": clause.code, "doc": clause.word.doc, "cite": clause.cite, "row": row}
    section, _, name = code.partition(".")
    table: object = loaded.data.get(section)
    found = table.get(name) if name and isinstance(table, dict) else table
    if isinstance(found, dict):
        return {"code": code, "doc": "", "cite": str(found.get("cite", "")), "row": dict(found)}
    if name in REMARKS and section in loaded.phases:
        cite = str(loaded.data["phases"].get(section, {}).get("cite", ""))
        return {"code": code, "doc": REMARKS[name], "cite": cite, "row": {}}
    from scorekeeper.core.text import nearest

    codes = [clause.code for clause in loaded.clauses.values()]
    codes += [row.code for row in loaded.scores]
    near = nearest(code, codes)
    hint = f"did you mean {near}?" if near else f"codes are {', '.join(codes)}"
    raise Unreadable(f"“{code}” is no rule of {loaded.name}, and no paragraph", hint)
