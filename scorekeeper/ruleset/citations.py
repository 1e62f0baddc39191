"""The paragraphs of a rule text, and whether a ruleset cites paragraphs that there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core import limits
from scorekeeper.core.suggest import shown
from scorekeeper.ruleset import sources

if TYPE_CHECKING:
    from pathlib import Path

    from scorekeeper.ruleset.merging import Merged
    from scorekeeper.ruleset.parameters import Report


def rule_text(name: str, beside: Path | None = None) -> Path | None:
    """The rule text `NAME.md`: in the folder of a ruleset that was given by its path, else in the
    user's folder or among the shipped ones."""
    for folder in filter(None, (beside, sources.user_folder(), sources.shipped_folder())):
        path = folder / f"{name}.md"
        if path.is_file():
            return path
    return None


def paragraphs(path: Path) -> dict[str, str]:
    """The paragraphs of a rule text by number: `2.3`, and `2` for a whole section with its title.

    A paragraph begins with its number at the start of a line, or (in a running text) right after
    a sentence; a section is a heading `## 2. Title`.
    """
    found: dict[str, list[str]] = {}
    section = number = ""
    for line in path.read_text("utf-8", errors="replace")[: limits.FILE_BYTES].splitlines():
        head = line.lstrip("# ").split(" ", 1)[0].rstrip(".")
        if line.startswith("## ") and _is_number(head):
            section = number = head
            found[section] = [line.lstrip("# ")]
            continue
        if line.startswith("#"):
            section = number = ""
            continue
        for piece in _pieces(line, section):
            start = piece.split(" ", 1)[0]
            if _is_number(start) and start.startswith(f"{section}."):
                number = start
                found[number] = []
            if section:
                found[number].append(piece)
    return {key: "\n".join(lines).strip() for key, lines in found.items() if "".join(lines).strip()}


def _is_number(text: str) -> bool:
    return bool(text) and all(part.isdigit() for part in text.split("."))


def _pieces(line: str, section: str) -> list[str]:
    """A line cut where a further paragraph of the section begins in it."""
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
    """Report every `cite` that names no paragraph of the rule text, which may lie in that folder."""
    name = str(merged.table.get("rules", ""))
    path = rule_text(name, beside)
    if path is None:
        message = "there is no rule text of that name, so nothing can be cited"
        report("rules", name, f"a rule text beside the ruleset: {shown(name)}.md", message)
        return
    known = paragraphs(path)
    for section, table in merged.table.items():
        if isinstance(table, dict):
            _check(section, table, known, report)


def _check(path: str, table: dict[str, object], known: dict[str, str], report: Report) -> None:
    for key, value in table.items():
        where = f"{path}.{key}"
        if isinstance(value, dict):
            _check(where, value, known, report)
        elif key == "cite" and isinstance(value, str) and value and value not in known:
            allowed = ", ".join(known)
            report(where, shown(value), allowed, f"{where} names no paragraph of the rule text")
