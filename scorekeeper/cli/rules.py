"""Commands about rulesets: list, show, diff, new, check, explain."""

from __future__ import annotations

import os
import re
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from scorekeeper.cli.common import (
    FINE,
    REFUSED,
    UNREADABLE,
    BookOption,
    FormatOption,
    ReadOption,
    cli_command,
    complete_rulesets,
    open_match,
    print_json,
    print_lines,
    print_notes,
    ruleset_with,
)
from scorekeeper.cli.output import ForceOption, ToOption, terminal_width, write_out
from scorekeeper.core.errors import Damaged, Unreadable
from scorekeeper.core.messages import (
    current_language,
    format_count,
    format_times,
    join_list,
    plural,
    tr,
)
from scorekeeper.core.text import escape_controls, quote
from scorekeeper.core.types import NamedTuple
from scorekeeper.match.trial import play_matches
from scorekeeper.ruleset.merge import OPTIONS
from scorekeeper.ruleset.tables import join_key, split_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scorekeeper.core.types import Json
    from scorekeeper.engine.ruleset import Ruleset
    from scorekeeper.match.random_play import TrialProblem
    from scorekeeper.match.trial import PlayedExample, Trial
    from scorekeeper.render.pages import Page
    from scorekeeper.render.rules_diff import Difference
    from scorekeeper.ruleset.convert import Converted
    from scorekeeper.ruleset.merge import MergedRuleset
    from scorekeeper.ruleset.sources import RulesetFault
    from scorekeeper.ruleset.tables import Parameter

MAX_SHOWN_ENTRIES = 40  # maximum number of entries printed for a problem; JSON lists all of them
TEMPLATES = Path(__file__).parent / "beginning"

# Finding codes defined by the program, not by a ruleset.
PROGRAM_CODES = {
    "turn": "A player acted out of turn.",
    "verb": "An act at the wrong time. Something else must happen first, or it is too late.",
    "entry.unreadable": "Text that is not an entry, or can be read in two ways.",
    "entry.impossible": "An entry that contradicts the state of the table, under any rules.",
    "score.claimed": "A record claims a score that differs from its entries.",
    "hands.group": "One of several plays was illegal, and it is not yet known which.",
    "round.unfinished": "A round of a record is unfinished, but another one follows it.",
    "ruleset.faulty": "A rule or score row has no value here. The entry counts anyway.",
    "record.damaged": "A file that is not a record, or whose ruleset has changed.",
}

# Codes of the referee's notes, without the phase name that precedes them.
NOTE_CODES = {
    "position": "How a start in the middle of a round was read: players' cards, and cards left.",
    "lead": "Another player starts than expected. The entry counts.",
    "dealer": "Another player deals than expected. The entry counts.",
    "odds": "The facts stated at the start are not yet consistent. They must be before the "
    "first act.",
    "decided": "The stated facts decide the round or the match, so it is finished.",
    "alone": "A player plays alone without having announced it. In a result, a single name "
    "means this.",
    "proven": "A card that was shown, or the count of cards, proves which side a player is on.",
    "hands": "The entered hands differ in size, so one of them may be mistyped.",
    "owed": "The remaining deals are needed for solos still owed, so these must be played now.",
    "enough": "The others have enough points to take over.",
    "tricks": "A side without card points is assumed to have won no trick.",
    "missed": "A call has failed, whatever happens next.",
    "provisional": "A round is finished, but faults in it may still be claimed.",
    "best": "Several sides announced equal values, and no cards were shown to decide which "
    "is best.",
}

RulesetArgument = Annotated[
    str,
    typer.Argument(
        metavar="RULESET", help="The name or file of a ruleset.", autocompletion=complete_rulesets
    ),
]
OtherArgument = Annotated[
    str,
    typer.Argument(
        metavar="OTHER",
        help="The name or file of another ruleset.",
        autocompletion=complete_rulesets,
    ),
]
SettingsOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="A setting to apply (repeatable)."),
]
PlayOption = Annotated[
    int,
    typer.Option(
        "--play",
        metavar="N",
        min=0,
        help="Also play N random matches, and report what fails or never applies.",
    ),
]
SeedOption = Annotated[
    int | None,
    typer.Option("--seed", metavar="S", help="The seed of the first match (default: 1)."),
]


@cli_command
def list_(format: FormatOption = "text") -> int:
    """List the available rulesets.

    Example: scorekeeper rules list
    """
    rows = _listed_rulesets()
    if format == "json":
        keys = ("name", "title", "shipped", "family", "extends")
        print_json([dict(zip(keys, row, strict=True)) for row in sorted(rows)])
        return FINE
    width = max((len(row.name) for row in rows), default=0)
    family = ""
    for row in rows:
        if row.family != family:
            family = row.family
            print_lines(f"{family}:")
        # A variant follows its game and is indented.
        name = f"{'  ' if row.extends else ''}{row.name}"
        title = row.title if row.shipped else tr("{title} (yours)", title=row.title)
        print_lines(f"  {name:<{width + 2}}  {title}")
    return FINE


class ListedRuleset(NamedTuple):
    """A ruleset in a list.

    `title` and `family` are in the reader's language. If the ruleset is a variant, `extends` is the
    name of the original game, otherwise "".
    """

    name: str
    title: str
    shipped: bool
    family: str
    extends: str


def _listed_rulesets() -> list[ListedRuleset]:
    """Return all rulesets by family, each game followed by its variants."""
    from scorekeeper.ruleset import merge as merging
    from scorekeeper.ruleset import sources
    from scorekeeper.ruleset.vocabulary import PHASES, find_phase

    rows: dict[str, ListedRuleset] = {}
    places: dict[str, int] = {}
    other = tr("other games")
    for available in sources.list_rulesets():
        merged, faults = merging.resolve(available.name)
        title = str(merged.table.get("title", ""))
        title = _translated(merged.table, title) or title
        if faults:
            title = tr("contains mistakes; rules check shows them")
        family, place = other, len(PHASES)
        phases = merged.table.get("phases")
        for name in phases if isinstance(phases, dict) else ():
            cls = find_phase(name)
            if cls is not None and cls.family:
                family, place = tr(cls.family), PHASES.index(name)
        base = sources.read_table(available.path)[0].get("extends", "")
        base = base if isinstance(base, str) else ""
        rows[available.name] = ListedRuleset(available.name, title, available.shipped, family, base)
        places[family] = place
    return sorted(rows.values(), key=lambda row: (places[row.family], _lineage(row, rows)))


def _translated(table: Json, text: str) -> str | None:
    """Return the ruleset's own translation of a text into the current language, or None."""
    row = table.get("languages", {}).get(current_language(), {})
    found = row.get("sentences", {}).get(text) if isinstance(row, dict) else None
    return found if isinstance(found, str) else None


def _lineage(row: ListedRuleset, rows: Mapping[str, ListedRuleset]) -> list[str]:
    """Return the names of a ruleset and of all rulesets that it extends, beginning with the most
    basic."""
    names = [row.name]
    while row.extends in rows and row.extends not in names:
        row = rows[row.extends]
        names.insert(0, row.name)
    return names


@cli_command
def show(
    ruleset: RulesetArgument,
    settings: SettingsOption = None,
    format: Annotated[
        Literal["text", "markdown", "html", "json", "toml"],
        typer.Option(
            "--format", help="The format of the page; toml is one file with all that it extends."
        ),
    ] = "text",
    text: Annotated[
        bool,
        typer.Option(
            "--text", help="Show the rule text, with the rows that implement each paragraph."
        ),
    ] = False,
) -> int:
    """Show a ruleset as a page that the players can agree on before the game.

    With --text it shows the rule text instead, with the rows of the ruleset under each paragraph.

    Example: scorekeeper rules show dudo
    """
    loaded = ruleset_with(ruleset, settings)[0]
    if text:
        return _show_text(loaded, ruleset, format)
    if format == "json":
        print_json(loaded.data)
    elif format == "toml":
        from scorekeeper.engine.loading import load_merged
        from scorekeeper.render.ruleset_file import write_ruleset

        merged = load_merged(ruleset, settings or ())
        print_lines(*write_ruleset(merged.surface, merged.file_shape).splitlines())
    else:
        from scorekeeper.render.rules_page import build_page
        from scorekeeper.ruleset.citations import find_paragraph
        from scorekeeper.ruleset.sources import folder_of

        folder = folder_of(ruleset)

        def texts(cite: str) -> str:
            return find_paragraph(loaded.rules_text, cite, folder)

        _print_page(
            build_page(loaded, texts, list(_list_changes(loaded, ruleset, settings))), format
        )
    return FINE


@cli_command
def diff(
    ruleset: RulesetArgument,
    other: OtherArgument,
    format: Annotated[
        Literal["text", "markdown", "html", "json"],
        typer.Option("--format", help="The output format."),
    ] = "text",
) -> int:
    """Compare two rulesets key by key, including everything that they extend.

    Example: scorekeeper rules diff durak podkidnoy
    """
    from scorekeeper.engine.loading import load_merged
    from scorekeeper.render import rules_diff

    merged = [load_merged(name) for name in (ruleset, other)]
    differences_found = rules_diff.find_differences(*merged)
    one, two = (each.table for each in merged)
    if format == "json":
        print_json({"one": one["name"], "other": two["name"], "same": not differences_found,
                  "differences": [each.as_json() for each in differences_found]})  # fmt: skip
    else:
        _print_page(rules_diff.build_page(differences_found, one, two), format)
    return FINE


@cli_command
def new(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help="The name, made of lowercase letters, digits and hyphens."
        ),
    ],
    extends: Annotated[
        str | None,
        typer.Option(
            "--extends",
            metavar="RULESET",
            help="The ruleset to extend (default: none; the new file describes a small game).",
            autocompletion=complete_rulesets,
        ),
    ] = None,
    title: Annotated[
        str | None, typer.Option("--title", help="The title (default: the name).")
    ] = None,
    to: Annotated[
        str,
        typer.Option(
            "--to", metavar="FOLDER", help="The folder to write into (default: the current folder)."
        ),
    ] = ".",
    format: FormatOption = "text",
) -> int:
    """Write a new ruleset and its rule text, NAME.toml and NAME.md, as a starting point.

    The new ruleset can be played immediately.

    Example: scorekeeper rules new ours --extends dudo
    """
    _check_header("name", name)
    title = title if title is not None else name.replace("-", " ").capitalize()
    _check_header("title", title)
    rules, text = (
        _new_game_texts(name, title) if extends is None else _extending_texts(name, title, extends)
    )
    folder = Path(to)
    files = [folder / f"{name}.toml", folder / f"{name}.md"]
    _write_all(folder, list(zip(files, (rules, text), strict=True)))
    if format == "json":
        print_json({"ruleset": str(files[0]), "text": str(files[1])})
        return FINE
    file = str(files[0]) if os.sep in str(files[0]) else f".{os.sep}{files[0]}"
    print_lines(tr("wrote {rules} and {text}", rules=files[0], text=files[1]))
    print_lines(
        tr(
            "next: scorekeeper rules check {file}, rules show {file}, new {file} NAME NAME …",
            file=file,
        )
    )
    return FINE


# --- convert


@cli_command
def convert(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A file in the previous rule language."),
    ],
    to: ToOption = None,
    force: ForceOption = False,
) -> int:
    """Rewrite a ruleset file from the previous rule language into the current one.

    FILE itself is not changed. What has changed, and what cannot be converted, is listed on
    standard error. Comments on lines of their own are copied, but comments after a value are lost.

    Example: scorekeeper rules convert ours.toml --to ours-new.toml
    """
    from scorekeeper.engine.measures import current_name
    from scorekeeper.render.ruleset_file import write_ruleset
    from scorekeeper.ruleset import convert as conversion

    converted = conversion.convert(Path(file), current_name)
    text = write_ruleset(converted.table, converted.shape, converted.comments)
    write_out([text], to, "toml", force)
    for line in _conversion_lines(converted):
        print_notes(line)
    if to is not None:
        shown = to if os.sep in to else f".{os.sep}{to}"
        print_lines(tr("wrote {file}", file=to))
        print_lines(tr("next: scorekeeper rules check {file}", file=shown))
    return FINE if not converted.unknown else REFUSED


def _conversion_lines(converted: Converted) -> Iterator[str]:
    """Yield what a conversion has changed, and what the user must do."""
    moved = converted.moved
    if moved:
        yield plural(
            "{count} rule is now in the table of its phase",
            "{count} rules are now in the tables of their phases",
            len(moved),
        )
    for name, path in moved.items():
        if name != path[-1]:
            before = join_key(("clauses", name))
            yield tr("{before} is now {now}", before=before, now=join_key(path))
    if converted.dropped:
        keys = join_list([join_key(path) for path in converted.dropped])
        yield tr("standard rules that the file did not have are now `false`: {keys}", keys=keys)
    for key, reason in converted.unknown:
        yield tr("not converted: {key}; {reason}", key=key, reason=reason)
    if converted.base is not None:
        command = f"scorekeeper rules convert {quote(str(converted.base))}"
        yield tr("the file extends one that must be converted too: {command}", command=command)


@cli_command
def check(
    ruleset: RulesetArgument,
    settings: SettingsOption = None,
    play: PlayOption = 0,
    seed: SeedOption = None,
    language: Annotated[
        str | None,
        typer.Option(
            "--language",
            metavar="CODE",
            help="List the texts of the ruleset that this language does not translate.",
        ),
    ] = None,
    format: FormatOption = "text",
) -> int:
    """Find every mistake in a ruleset. Show its file, key and value, and what is allowed there.

    With --play, random matches are played to find rules that fail, dead ends, and rows that never
    apply. For each problem, the entries that lead to it are shown.

    Example: scorekeeper rules check dudo --play 100
    """
    from scorekeeper.engine import loading

    if language is not None and play:
        raise Unreadable("--language and --play cannot be combined", "use one of them")
    if seed is not None and not play:
        raise Unreadable("--seed needs --play", "--play N --seed S")
    loaded, _, faults = loading.check(ruleset, settings or ())
    if loaded is not None and language is not None:
        return _list_untranslated(loaded, language, format)
    if loaded is not None and play:
        written_key = loading.load_merged(ruleset, settings or ()).written_key
        first = 1 if seed is None else seed
        trial = play_matches(loaded, play, first, Random, written_key)
        return report_random_play(loaded, ruleset, trial, first, format)
    bare = _paragraphs_without_rows(loaded, ruleset) if loaded is not None else []
    if format == "json":
        print_json({"ruleset": ruleset, "ok": loaded is not None,
                  "without_rows": bare,
                  "faults": [fault._asdict() for fault in faults]})  # fmt: skip
    elif is_option_fault(faults):
        raise loading.refusal(ruleset, faults)
    elif faults:
        for fault in faults:
            print_lines(str(fault))
        print_notes(f"{len(faults)} mistakes" if len(faults) > 1 else "one mistake")
    else:
        assert loaded is not None
        clauses, scores = len(loaded.clauses), len(loaded.scores)
        counts = f"{format_count(clauses, 'clause')}, {format_count(scores, 'score')}"
        print_lines(f"{loaded.name}: no mistakes; {counts}")
        if bare:
            print_lines(
                plural(
                    "{count} paragraph of the rule text has neither a row nor the mark <!-- "
                    "for people -->: {paragraphs}",
                    "{count} paragraphs of the rule text have neither a row nor the mark "
                    "<!-- for people -->: {paragraphs}",
                    len(bare),
                    paragraphs=", ".join(bare),
                )
            )
    return UNREADABLE if is_option_fault(faults) else REFUSED if faults else FINE


@cli_command
def explain(
    code: Annotated[
        str,
        typer.Argument(
            metavar="CODE",
            help="The code of a rule, the name of a row, or the number of a paragraph.",
        ),
    ],
    ruleset: Annotated[
        str | None,
        typer.Option(
            "--ruleset",
            help="The ruleset (default: the ruleset of the match).",
            autocompletion=complete_rulesets,
        ),
    ] = None,
    match: ReadOption = None,
    book: BookOption = None,
    format: FormatOption = "text",
) -> int:
    """Explain a rule: its parameters, its paragraph in the rule text, and entries that it allows or
    refuses.

    Example: scorekeeper rules explain bids.from-aces --ruleset dudo
    """
    from scorekeeper.match.trial import format_key, format_toml
    from scorekeeper.ruleset.citations import (
        cited_place,
        citing_rows,
        find_paragraph,
        find_rule_text,
        read_paragraphs,
    )
    from scorekeeper.ruleset.sources import folder_of

    loaded = open_match(book, match).match.ruleset if ruleset is None else ruleset_with(ruleset)[0]
    folder = folder_of(ruleset) if ruleset is not None else None
    path = find_rule_text(loaded.rules_text, folder)
    texts = read_paragraphs(path) if path is not None else {}
    about = _find_rule(loaded, code, texts)
    about["paragraph"] = find_paragraph(loaded.rules_text, about["cite"], folder)
    if code in texts:
        rows = citing_rows(loaded.data, loaded.rules_text)
        place = cited_place(loaded.rules_text, code)
        about["rows"] = [_describe_row(loaded, row) for row in rows.get(place, ())]
    examples = _play_examples(loaded, about["code"])
    about["examples"] = [example.as_json() for example in examples]
    if format == "json":
        print_json(about)
        return FINE
    if code not in texts:
        print_lines(f"{about['code']}" + (f": {about['doc']}" if about["doc"] else ""))
    for key, value in about["row"].items():
        print_lines(f"  {format_key(key)} = {format_toml(value)}")
    if about["paragraph"]:
        text = cited_place(loaded.rules_text, about["cite"]).rpartition(" ")[0]
        print_lines(*f"{text} {about['paragraph']}".split("\n"))
    for line in _row_lines(about.get("rows", ())):
        print_lines(line)
    for example in examples:
        print_lines(*_example_lines(example))
    return FINE


# --- the rule text and its rows


def _show_text(loaded: Ruleset, name: str, format: str) -> int:
    """Print the rule text with the rows under each paragraph.

    Raises Unreadable if there is no text, or if it cannot be printed in that format.
    """
    from scorekeeper.ruleset import citations
    from scorekeeper.ruleset.sources import folder_of

    if format not in ("text", "json"):
        raise Unreadable(
            tr("--text cannot be combined with --format {format}", format=format),
            "--format text, json",
        )
    folder = folder_of(name)
    path = citations.find_rule_text(loaded.rules_text, folder)
    if path is None:
        raise Unreadable(tr("there is no rule text {name}", name=quote(loaded.rules_text)))
    rows = citations.citing_rows(loaded.data, loaded.rules_text)
    bare = citations.find_unimplemented(loaded.rules_text, rows, folder)
    paragraphs: list[Json] = [
        {
            "paragraph": number,
            "text": text,
            "rows": [_describe_row(loaded, row) for row in rows.get(place, ())],
            "implemented": number not in bare,
        }
        for number, text in citations.read_paragraphs(path).items()
        for place in [citations.cited_place(loaded.rules_text, number)]
    ]
    if format == "json":
        print_json(paragraphs)
        return FINE
    for paragraph in paragraphs:
        lines = [*filter(None, str(paragraph["text"]).split("\n"))]
        lines += _row_lines(paragraph["rows"])
        lines += [] if paragraph["implemented"] else [f"    {tr('no row cites this paragraph')}"]
        print_lines(*lines, "")
    return FINE


def _paragraphs_without_rows(loaded: Ruleset, name: str) -> list[str]:
    """Return the paragraphs of a rule text that lack the mark FOR_PEOPLE and that no row cites.

    Rows of other rulesets with the same rule text count too.
    """
    from scorekeeper.ruleset import citations, sources
    from scorekeeper.ruleset import merge as merging

    text, folder = loaded.rules_text, sources.folder_of(name)
    cited = set(citations.citing_rows(loaded.data, text))
    for other in sources.list_rulesets():
        if not citations.find_unimplemented(text, cited, folder):
            break
        merged, faults = merging.resolve(other.name)
        if not faults and merged.table.get("rules") == text and not merged.expand():
            cited.update(citations.citing_rows(merged.table, text))
    return citations.find_unimplemented(text, cited, folder)


def _describe_row(loaded: Ruleset, path: str) -> Json:
    """Return the code, the description and the keys of the row at a path."""
    parts = split_key(path)
    row: object = loaded.data
    for part in parts:
        row = row.get(part, {}) if isinstance(row, dict) else {}
    keys = (
        {
            key: value
            for key, value in dict(row).items()
            if key not in ("cite", "also", "word", "phase")
        }
        if isinstance(row, dict)
        else {}
    )
    clause = loaded.clauses.get(parts[-1]) if parts[0] == "clauses" else None
    if clause is not None:
        return {"code": clause.code, "doc": clause.word.doc, "row": keys}
    return {"code": path, "doc": "", "row": keys}


def _row_lines(rows: Sequence[Json]) -> Iterator[str]:
    """Yield a line for each row that cites a paragraph."""
    from scorekeeper.match.trial import format_key, format_value

    for row in rows:
        values = [
            f"{format_key(key)} = {format_value(value)}"
            for key, value in row["row"].items()
            if not isinstance(value, dict)
        ]
        text = row["doc"] or ", ".join(values)
        yield f"    {row['code']}" + (f": {text}" if text else "")


# --- show and diff


def _print_page(page: Page, format: str) -> None:
    from scorekeeper.render import pages

    if format == "markdown":
        text = pages.as_markdown(page)
    elif format == "html":
        text = pages.as_html(page)
    else:
        text = pages.as_text(page, terminal_width(pages.WIDTH))
    print_lines(*text.rstrip("\n").split("\n"))


def _list_changes(
    loaded: Ruleset, name: str, settings: list[str] | None
) -> Iterator[tuple[str, str, str, Sequence[Difference]]]:
    """Yield the differences from the ruleset that this one extends, and the changes made by
    settings."""
    from scorekeeper.engine.loading import load_merged
    from scorekeeper.render.rules_diff import NAME_KEYS, find_differences

    plain = load_merged(name)
    parent = _load_parent(name)
    if parent is not None:
        called = str(parent.table.get("name", ""))
        changes = [each for each in find_differences(parent, plain) if each.key not in NAME_KEYS]
        yield f"Changes from {called}", called, loaded.name, changes
    if settings:
        changes = find_differences(plain, load_merged(name, settings))
        yield "Changed by --set", f"{loaded.name} without --set", "this table", changes


def _load_parent(name: str) -> MergedRuleset | None:
    """Return the ruleset that this one extends, or None."""
    from scorekeeper.ruleset import merge as merging
    from scorekeeper.ruleset import sources

    path = sources.find_ruleset(name, allow_path=True)
    table, _ = sources.read_table(path)
    base = table.get("extends")
    if not isinstance(base, str):
        return None
    merged, _ = merging.resolve(str(sources.find_named(base, path)), allow_path=True)
    merged.expand()
    return merged


# --- new


def _check_header(key: str, value: str) -> None:
    """Raise Unreadable for an invalid name or title."""
    from scorekeeper.ruleset.tables import HEADER, find_problems

    parameter: Parameter = HEADER[key]
    if not value.strip():
        raise Unreadable(tr("a ruleset needs a {key}", key=key), f"{parameter.doc}")
    for fault in find_problems(value, parameter, {}):
        value_text = fault.found if fault.found != value else f"“{quote(value)}”"
        raise Unreadable(
            tr("{found} is not a valid ruleset {key}", found=value_text, key=key),
            fault.allowed,
        )


def _new_game_texts(name: str, title: str) -> tuple[str, str]:
    """Return the ruleset file and the rule text for a small new game."""
    from scorekeeper.render.rules_page import format_toml

    rules = _fill_template("whole.toml", {'"TITLE"': format_toml(title), "NAME": name})
    return rules, _fill_template("whole.md", {"TITLE": escape_controls(title), "NAME": name})


def _extending_texts(name: str, title: str, extends: str) -> tuple[str, str]:
    """Return a file that extends a ruleset, and a copy of that ruleset's rule text with a new
    section."""
    from scorekeeper.render.rules_page import draft_extension
    from scorekeeper.ruleset import citations, merge, sources

    sources.find_ruleset(extends)
    parent = ruleset_with(extends)[0]
    merged, _ = merge.resolve(extends)
    merged.expand()
    path = citations.find_rule_text(parent.rules_text)
    assert path is not None, "a ruleset without its text is faulty"
    text = path.read_text("utf-8", errors="replace")
    sections = {number.partition(".")[0] for number in citations.read_paragraphs(path)}
    number = 1 + max(int(each) for each in {"0", *sections} if each.isdecimal() and len(each) < 5)
    marks = {"TITLE": escape_controls(title), "NAME": name, "PARENT": escape_controls(parent.title)}
    head = _fill_template("extending.md", {**marks, "NUMBER": str(number)})
    body = text.partition("\n")[2] if text.startswith("# ") else text
    own = f"## {number}. At our table\n{number}.1 All the rules above apply.\n"
    rules = draft_extension(name, title, parent.data, merged.written_key, number)
    return rules, f"{head}\n{body.strip()}\n\n{own}"


def _fill_template(template: str, values: dict[str, str]) -> str:
    """Return a template with its placeholders replaced."""
    text = (TEMPLATES / template).read_text("utf-8")
    return re.sub("|".join(values), lambda mark: values[mark[0]], text)


def _write_all(folder: Path, files: list[tuple[Path, str]]) -> None:
    """Write all files or none."""
    if not os.path.isdir(folder):
        raise Unreadable(
            tr("there is no folder {path}", path=quote(folder)),
            tr("create it first, or name another folder with --to"),
        )
    for path, _ in files:
        if os.path.lexists(path):
            raise Unreadable(
                tr("{path} already exists and is not overwritten", path=quote(path)),
                tr("choose another name, or another folder with --to"),
            )
    written: list[Path] = []
    try:
        for path, text in files:
            with open(path, "x", encoding="utf-8", newline="\n") as file:
                written.append(path)
                file.write(text)
    except OSError as error:
        for path in written:
            path.unlink(missing_ok=True)
        raise Damaged(
            tr(
                "{path} cannot be written: {why}",
                path=quote(path),
                why=error.strerror or error,
            )
        ) from None


# --- check and random play


def _list_untranslated(loaded: Ruleset, code: str, format: str) -> int:
    """Print the strings that a language lacks, one per line. Raises Unreadable for an invalid
    language code."""
    from scorekeeper.ruleset.reports import list_untranslated
    from scorekeeper.ruleset.tables import is_ruleset_name

    if not is_ruleset_name(code):
        raise Unreadable(tr("“{code}” is not a language", code=quote(code)), "--language de")
    texts = list_untranslated(loaded.data, code)
    if format == "json":
        print_json({"ruleset": loaded.name, "language": code, "untranslated": texts})
        return FINE
    for text in texts:
        print_lines(escape_controls(text))
    if texts:
        summary = plural(
            "{count} text of {ruleset} has no translation into {code}",
            "{count} texts of {ruleset} have no translation into {code}",
            len(texts),
            ruleset=loaded.name,
            code=code,
        )
    else:
        summary = tr("{ruleset} is translated into {code}", ruleset=loaded.name, code=code)
    print_notes(summary)
    return FINE


def is_option_fault(faults: list[RulesetFault]) -> bool:
    """Return whether there are faults, all of them in settings rather than in the ruleset."""
    return bool(faults) and all(fault.file == OPTIONS for fault in faults)


def report_random_play(ruleset: Ruleset, name: str, trial: Trial, seed: int, format: str) -> int:
    """Print the result of random matches that began with this seed. Return the exit code."""
    if format == "json":
        print_json({"ruleset": name, "ok": trial.ok, "faults": [], "play": trial.as_json()})
    else:
        print_lines(*_random_play_lines(ruleset, trial, seed))
        faults = len(trial.problems)
        if faults:
            print_notes(f"{faults} faults" if faults > 1 else "one fault")
    return FINE if trial.ok else REFUSED


def _random_play_lines(ruleset: Ruleset, trial: Trial, seed: int) -> Iterator[str]:
    played = [
        format_count(trial.matches, "match", "matches"),
        format_count(trial.rounds, "round"),
        format_count(trial.entries, "entry", "entries"),
    ]
    seeds = f"seed {seed}" if trial.matches == 1 else f"seeds {seed} to {seed + trial.matches - 1}"
    yield f"{ruleset.name}: {', '.join(played)} at random ({seeds})"
    for trouble, often in trial.problems:
        repeats = f" ({format_times(often)})" if often > 1 else ""
        yield f"fault: {trouble.kind}: {trouble.message}{repeats}"
        yield from _entry_lines(trouble)
    for note in trial.notes:
        yield f"note: {note}"


def _entry_lines(trouble: TrialProblem) -> Iterator[str]:
    """Yield the entries that lead to a problem, in a form that can be typed."""
    if not trouble.entries:
        return
    one = trouble.first == trouble.round
    rounds = f"round {trouble.round}" if one else f"rounds {trouble.first} to {trouble.round}"
    yield f"  seed {trouble.seed}, {join_list(trouble.players)}, {rounds}:"
    left_out = max(0, len(trouble.entries) - MAX_SHOWN_ENTRIES)
    start = MAX_SHOWN_ENTRIES // 4 if left_out else 0
    for entry in trouble.entries[:start]:
        yield f"    {entry}"
    if left_out:
        yield f"    # {format_count(left_out, 'entry', 'entries')} more; --format json has them all"
    for entry in trouble.entries[start + left_out :]:
        yield f"    {entry}"


# --- explain


def _find_rule(loaded: Ruleset, code: str, texts: dict[str, str]) -> Json:
    if code in PROGRAM_CODES:
        return {"code": code, "doc": PROGRAM_CODES[code], "cite": "", "row": {}}
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
    if name in NOTE_CODES and section in loaded.phases:
        cite = str(loaded.data["phases"].get(section, {}).get("cite", ""))
        return {"code": code, "doc": NOTE_CODES[name], "cite": cite, "row": {}}
    from scorekeeper.core.text import find_nearest

    codes = [clause.code for clause in loaded.clauses.values()]
    codes += [row.code for row in loaded.scores]
    near = find_nearest(code, codes)
    hint = f"did you mean {near}?" if near else f"the codes are {', '.join(codes)}"
    raise Unreadable(f"“{code}” is neither a rule nor a paragraph of {loaded.name}", hint)


def _play_examples(loaded: Ruleset, code: str) -> list[PlayedExample]:
    """Return played examples for the clause with this code, if there are any."""
    from scorekeeper.match.trial import play_examples

    clause = next((row for row in loaded.clauses.values() if row.code == code), None)
    return play_examples(clause.word, code, loaded.name) if clause is not None else []


def _example_lines(example: PlayedExample) -> Iterator[str]:
    from scorekeeper.match.trial import format_value

    case = example.source
    yield f"for example, in {case.ruleset}, with {join_list(case.players)}:"
    yield from (f"  with {key} = {format_value(value)}" for key, value in case.settings)
    yield from (f"  {entry}" for entry in case.before)
    for result in example.results:
        yield f"{result.kind}{' then' if case.before else ''}: {result.entry}"
        if result.finding is not None:
            yield f"  {result.finding.reason}"
