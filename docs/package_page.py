"""The page of the package on an index: the README, with links that lead somewhere from there, too.

An index shows the README alone, so its relative links lead nowhere. One setting, `address` of this
hook in `pyproject.toml`, says where the project's files can be seen. It makes the links and
pictures absolute and gives the package its addresses; where it is empty, links are told as plain
text and pictures are left out.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(!?)\[([^]]*)\]\((?!https?:)([^)#]+)(#[^)]*)?\)")
# With the line before it that says what it is.
PICTURE = re.compile(r"(^[^\n]+:\n\n)?!\[[^]]*\]\((?!https?:)[^)]+\)\n*", re.M)


def package_page(readme: str, address: str) -> str:
    """The README for readers who have it alone."""

    def absolute(link: re.Match[str]) -> str:
        picture, text, path, part = link.groups("")
        return f"{picture}[{text}]({address}/{'raw' if picture else 'blob'}/HEAD/{path}{part})"

    def plain(link: re.Match[str]) -> str:
        _, text, path, _ = link.groups()
        return text if text == path else f"{text} (`{path}`)"

    if address:
        return LINK.sub(absolute, readme)
    return LINK.sub(plain, PICTURE.sub("", readme))


def addresses(address: str) -> dict[str, str]:
    """What an index links to beside the page."""
    if not address:
        return {}
    shown = f"{address}/blob/HEAD"
    return {
        "Source": address,
        "Documentation": f"{shown}/docs/README.md",
        "Changelog": f"{shown}/CHANGELOG.md",
    }


class PackagePage(MetadataHookInterface):
    """What the build asks for the page and the addresses."""

    # `Any`: so hatchling declares what a build knows of a project.
    def update(self, metadata: dict[str, Any]) -> None:
        address = str(self.config["address"]).rstrip("/")
        if address and not re.fullmatch(r"https://[^\s()<>]+", address):
            raise ValueError(
                f"pyproject.toml: tool.hatch.metadata.hooks.custom.address is {address!r}; it is"
                " where the project's files are seen, https://…, or empty while there is none"
            )
        readme = (Path(self.root) / "README.md").read_text("utf-8")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": package_page(readme, address),
        }
        metadata["urls"] = addresses(address)
