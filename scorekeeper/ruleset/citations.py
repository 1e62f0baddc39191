"""The paragraphs of a rule text, and the check that a ruleset cites existing ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.messages import number_of
from scorekeeper.core.text import shown
from scorekeeper.ruleset import sources
from scorekeeper.ruleset.merge import CITES
from scorekeeper.ruleset.tables import is_name, join_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from scorekeeper.ruleset.merge import Merged
    from scorekeeper.ruleset.tables import Report


def rule_text(name: str, beside: Path | None = None) -> Path | None:
    """Return the path of the rule text `NAME.md`, or None.

    It is searched for in the folder of a ruleset given by its path, then in the user's folder and
    among the shipped ones.
    """
    for folder in filter(None, (beside, sources.user_folder(), sources.shipped_folder())):
        path = folder / f"{name}.md"
        if sources.is_file(path):
            return path
    return None


def paragraphs(path: Path) -> dict[str, str]:
    """Return the paragraphs of a rule text by number: `2.3`, or `2` for a whole section with its
    title.

    A paragraph begins with its number, at the start of a line or directly after a sentence. A
    section is a heading `## 2. Title`.
    """
    lines_of: dict[str, list[str]] = {}
    section = number = ""
    for line in path.read_text("utf-8", errors="replace")[: untrusted.FILE_BYTES].splitlines():
        head = line.lstrip("# ").split(" ", 1)[0].rstrip(".")
        if line.startswith("## ") and _is_number(head):
            section = number = head
            lines_of[section] = [line.lstrip("# ")]
            continue
        if line.startswith("#"):
            section = number = ""
            continue
        for piece in _pieces(line, section):
            start = piece.split(" ", 1)[0]
            if _is_number(start) and start.startswith(f"{section}."):
                number = start
                lines_of[number] = []
            if section:
                lines_of[number].append(piece)
    return {
        key: "\n".join(lines).strip() for key, lines in lines_of.items() if "".join(lines).strip()
    }


def _is_number(text: str) -> bool:
    return bool(text) and all(part.isdigit() for part in text.split("."))


def _pieces(line: str, section: str) -> list[str]:
    """Return a line split where another paragraph of the section begins."""
    pieces, rest = [], line
    while section:
        cut = rest.find(f". {section}.", 1)
        word = rest[cut + 2 :].split(" ", 1)[0] if cut > 0 else ""
        if cut < 0 or not _is_number(word) or not rest[cut + 2 + len(word) :].strip():
            break
        pieces.append(rest[: cut + 1])
        rest = rest[cut + 2 :]
    return [*pieces, rest]


def check_citations(merged: Merged, report: Report, beside: Path | None) -> None:
    """Report every `cite` without a paragraph in the rule text, which may be in the ruleset's
    folder."""
    name = str(merged.table.get("rules", ""))
    path = rule_text(name, beside)
    if path is None:
        message = "there is no rule text of that name, so nothing can be cited"
        report("rules", name, f"a rule text beside the ruleset: {shown(name)}.md", message)
        return
    if path.parent == beside:
        # Whichever file named it, this is the text in the ruleset's own folder.
        merged.claim("rules")
    known = paragraphs(path)
    listed, extended = ", ".join(known), _extended(merged)
    left: dict[str, str] = {}
    for where, cited in _cited((), merged.table):
        if cited in known or (" " in cited and paragraph(name, cited, beside)):
            continue
        if merged.origin(where) in extended:
            left[where] = cited
        else:
            report(where, shown(cited), listed, f"{where} names no paragraph of the rule text")
    if left:
        missing = ", ".join(sorted(set(left.values())))
        rows = [f'{_quoted(where.removesuffix(".cite"))} = "…"' for where in left]
        message = f"the rule text “{shown(name)}” has no {missing}, which the rows of what is"
        message += f" extended cite; it has {listed or 'no paragraphs'}"
        allowed = f"in [cites], each with its paragraph: {', '.join(rows)}"
        report(CITES, f"{number_of(len(rows), 'row')} without a paragraph", allowed, message)


def place(rules: str, cite: str) -> str:
    """Return a citation with the name of its rule text, such as `house 30.1`.

    Without one in `cite`, the name is `rules`.
    """
    return cite if " " in cite else f"{rules} {cite}"


def paragraph(rules: str, cite: str, beside: Path | None = None) -> str:
    """Return the paragraph that a row cites, or "" if it is not available."""
    text, _, number = place(rules, cite).rpartition(" ")
    path = rule_text(text, beside) if is_name(text) else None
    return "" if path is None else paragraphs(path).get(number, "")


def _quoted(key: str) -> str:
    return f"'{key}'" if '"' in key else f'"{key}"'


def _extended(merged: Merged) -> list[str]:
    """Return the files that the one with the rule text extends. They cite other texts."""
    files = [sources.shown_path(path) for path in merged.files if path not in merged.includes]
    named = merged.origin("rules")
    return files[files.index(named) + 1 :] if named in files else files


def _cited(at: tuple[str, ...], table: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Yield the key and the paragraph of every `cite`."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _cited((*at, key), value)
        elif key == "cite" and at and isinstance(value, str) and value:
            yield join_key((*at, key)), value
