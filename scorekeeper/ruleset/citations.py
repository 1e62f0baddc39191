"""The paragraphs of a rule text, and a check that a ruleset cites only existing paragraphs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.messages import format_count
from scorekeeper.core.text import quote
from scorekeeper.ruleset import sources
from scorekeeper.ruleset.merge import CITES
from scorekeeper.ruleset.tables import is_ruleset_name, join_key

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from pathlib import Path

    from scorekeeper.ruleset.merge import MergedRuleset
    from scorekeeper.ruleset.tables import Report


CITE, ALSO = "cite", "also"
FOR_PEOPLE = "<!-- for people -->"
"""The mark at the end of a paragraph that the program does not implement."""


def find_rule_text(name: str, first_folder: Path | None = None) -> Path | None:
    """Return the path of the rule text `NAME.md`, or None.

    If the ruleset was given by path, search its folder first. Then search the user's folder and the
    folder of shipped rule texts.
    """
    for folder in filter(None, (first_folder, sources.user_folder(), sources.shipped_folder())):
        for path in (folder / name / "rules.md", folder / f"{name}.md"):
            if sources.is_file(path):
                return path
    return None


def _marked_paragraphs(path: Path) -> dict[str, str]:
    lines_of: dict[str, list[str]] = {}
    section = number = ""
    for line in path.read_text("utf-8", errors="replace")[: untrusted.MAX_FILE_BYTES].splitlines():
        head = line.lstrip("# ").split(" ", 1)[0].rstrip(".")
        if line.startswith("## ") and _is_number(head):
            section = number = head
            lines_of[section] = [line.lstrip("# ")]
            continue
        if line.startswith("#"):
            section = number = ""
            continue
        for piece in _split_paragraphs(line, section):
            start = piece.split(" ", 1)[0]
            if _is_number(start) and start.startswith(f"{section}."):
                number = start
                lines_of[number] = []
            if section:
                lines_of[number].append(piece)
    return {
        key: "\n".join(lines).strip() for key, lines in lines_of.items() if "".join(lines).strip()
    }


def read_paragraphs(path: Path) -> dict[str, str]:
    """Return the paragraphs and sections of a rule text by number, without marks FOR_PEOPLE.

    A paragraph begins with its number, such as `2.3`, at the start of a line or directly after a
    sentence. A section begins with a heading `## 2. Title` and ends before its first numbered
    paragraph.
    """
    return {
        number: text.replace(FOR_PEOPLE, "").rstrip()
        for number, text in _marked_paragraphs(path).items()
    }


def find_unimplemented(rules: str, cited: Collection[str], folder: Path | None) -> list[str]:
    """Return the numbers of all paragraphs that no row cites and that are not marked FOR_PEOPLE.

    `cited` are the citations of all rows, with the name of the rule text. A section counts as a
    paragraph if it has no numbered paragraphs.
    """
    path = find_rule_text(rules, folder)
    if path is None:
        return []
    texts = _marked_paragraphs(path)
    return [
        number
        for number, text in texts.items()
        if FOR_PEOPLE not in text
        and cited_place(rules, number) not in cited
        and not ("." not in number and any(other.startswith(f"{number}.") for other in texts))
    ]


def citing_rows(table: Mapping[str, object], rules: str) -> dict[str, list[str]]:
    """Return the rows that cite each paragraph, as dotted paths in the ruleset's tables.

    The keys are paragraphs with the name of their rule text.
    """
    rows: dict[str, list[str]] = {}
    for key, cite in _iter_cites((), table):
        row = key.rpartition(".")[0]
        rows.setdefault(cited_place(rules, cite), []).append(row)
    return rows


def _is_number(text: str) -> bool:
    return bool(text) and all(part.isdigit() for part in text.split("."))


def _split_paragraphs(line: str, section: str) -> list[str]:
    """Split a line wherever another paragraph of the section begins, and return the parts."""
    pieces, rest = [], line
    while section:
        cut = rest.find(f". {section}.", 1)
        word = rest[cut + 2 :].split(" ", 1)[0] if cut > 0 else ""
        if cut < 0 or not _is_number(word) or not rest[cut + 2 + len(word) :].strip():
            break
        pieces.append(rest[: cut + 1])
        rest = rest[cut + 2 :]
    return [*pieces, rest]


def check_citations(merged: MergedRuleset, report: Report, folder: Path | None) -> None:
    """Report every `cite` that refers to no paragraph of the rule text.

    The rule text may be in the ruleset's folder.
    """
    name = str(merged.table.get("rules", ""))
    path = find_rule_text(name, folder)
    if path is None:
        message = "there is no rule text of that name to cite"
        report("rules", name, f"a rule text in the same folder: {quote(name)}.md", message)
        return
    if path.parent == folder:
        # The text in the ruleset's own folder is used, no matter which file names it.
        merged.claim_own("rules")
    known = read_paragraphs(path)
    listed, extended = ", ".join(known), _extended_files(merged)
    left: dict[str, str] = {}
    for where, cited in _iter_cites((), merged.table):
        if cited in known or (" " in cited and find_paragraph(name, cited, folder)):
            continue
        if merged.origin(where) in extended:
            if where.endswith(f".{CITE}"):
                left[where] = cited
        else:
            message = f"{where} cites a paragraph that the rule text does not have"
            section = cited.partition(".")[0]
            if _is_number(cited) and section not in known:
                where_valid = "as" if section == cited else "below"
                message += f"; {cited} counts only {where_valid} a heading “## {section}. TITLE”"
            report(where, quote(cited), listed or "no paragraphs", message)
    if left:
        missing = ", ".join(sorted(set(left.values())))
        keys = (merged.written_key(where).removesuffix(".cite") for where in left)
        rows = [f'{_quoted(key)} = "…"' for key in dict.fromkeys(keys)]
        message = f"the rule text “{quote(name)}” has no {missing}, which inherited rows cite;"
        message += f" it has {listed or 'no paragraphs'}"
        allowed = f"in [cites], each with its paragraph: {', '.join(rows)}"
        report(CITES, f"{format_count(len(rows), 'row')} without a paragraph", allowed, message)


def cited_place(rules: str, cite: str) -> str:
    """Return a citation with the name of its rule text, such as `house 30.1`.

    If `cite` has no name, `rules` is used.
    """
    return cite if " " in cite else f"{rules} {cite}"


def find_paragraph(rules: str, cite: str, folder: Path | None = None) -> str:
    """Return the paragraph that a row cites, or "" if the text is not available."""
    text, _, number = cited_place(rules, cite).rpartition(" ")
    path = find_rule_text(text, folder) if is_ruleset_name(text) else None
    return "" if path is None else read_paragraphs(path).get(number, "")


def _quoted(key: str) -> str:
    return f"'{key}'" if '"' in key else f'"{key}"'


def _extended_files(merged: MergedRuleset) -> list[str]:
    """Return the files whose citations refer to other rule texts.

    They are the files that the file with the key `rules` extends. If no file sets `rules`, all
    files are returned.
    """
    files = [sources.quote_path(path) for path in merged.rulesets]
    named = merged.origin("rules")
    return files[files.index(named) + 1 :] if named in files else files


def _iter_cites(at: tuple[str, ...], table: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Yield every paragraph that a row cites, after the dotted key of its `cite` or `also`."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _iter_cites((*at, key), value)
        elif key in (CITE, ALSO) and at:
            for text in value if isinstance(value, list) else [value]:
                if isinstance(text, str) and text:
                    yield join_key((*at, key)), text
