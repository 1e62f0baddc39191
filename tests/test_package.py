"""The package: its description in an index, the links of its page, and the files it contains."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder
from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager

from docs.package_page import LINK, PackagePage, addresses, package_page

if TYPE_CHECKING:
    from hatchling.builders.plugin.interface import BuilderInterface

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
SETTING = PROJECT["tool"]["hatch"]["metadata"]["hooks"]["custom"]["address"]
SHOWN = "https://example.org/scorekeeper"


def contents(builder: type[SdistBuilder | WheelBuilder]) -> set[str]:
    """Return the paths of the files in a package."""
    made: BuilderInterface = builder(str(ROOT))  # type: ignore[type-arg]
    return {Path(file.distribution_path).as_posix() for file in made.recurse_included_files()}


def test_what_an_index_says_is_valid_and_complete() -> None:
    core = ProjectMetadata(str(ROOT), PluginManager()).core
    core.validate_fields()
    assert core.readme == package_page(README, SETTING)
    assert core.readme_content_type == "text/markdown"
    assert core.urls == addresses(SETTING)
    assert (core.license_expression, core.license_files) == ("MIT", ["LICENSE"])
    assert core.keywords
    spoken = {found[1] for each in core.classifiers if (found := re.search(r":: (3\.\d+)$", each))}
    assert core.requires_python == f">={min(spoken)}"


def test_without_an_address_the_page_has_no_link_that_leads_nowhere() -> None:
    page = package_page(README, "")
    assert not LINK.search(page)
    assert "A first evening (`docs/first-evening.md`)" in page
    before, _, after = README.partition("![")
    heading = after[after.index("\n## ") :].split("\n")[1]
    assert page.startswith(before.rpartition("\n\n")[0].rpartition("\n\n")[0] + f"\n\n{heading}\n")
    assert addresses("") == {}


def test_with_an_address_links_and_pictures_are_absolute() -> None:
    page = package_page("![a table](docs/pictures/table.svg)\n[a](b.md#c) [d](https://e)", SHOWN)
    assert page == (
        f"![a table]({SHOWN}/raw/HEAD/docs/pictures/table.svg)\n"
        f"[a]({SHOWN}/blob/HEAD/b.md#c) [d](https://e)"
    )
    assert not LINK.search(package_page(README, SHOWN))
    assert all(each.startswith(SHOWN) for each in addresses(SHOWN).values())


def test_an_address_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match=r"hooks\.custom\.address is 'ftp://here'"):
        PackagePage(str(ROOT), {"address": "ftp://here"}).update({})


def test_the_wheel_has_the_program_and_its_rulesets_alone() -> None:
    files = contents(WheelBuilder)
    assert {file.partition("/")[0] for file in files} == {"scorekeeper"}
    own = {".py", ".toml", ".md", ".mo", ".typed", ".typ", ".css", ".js"}
    assert {Path(file).suffix for file in files} <= own
    for path in (ROOT / "rulesets").rglob("*.*"):
        assert f"scorekeeper/{path.relative_to(ROOT).as_posix()}" in files


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git here")
@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="this is no checkout")
def test_the_source_has_what_the_project_keeps_and_nothing_else() -> None:
    asked = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    said = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    kept = {file for file in said.split("\0") if file and (ROOT / file).exists()}
    assert contents(SdistBuilder) - {".gitignore"} <= kept
    top = {file for file in kept if "/" not in file} | {"docs/README.md", ".ci/run"}
    assert top - {".gitignore"} <= contents(SdistBuilder)
