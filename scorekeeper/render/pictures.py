"""The pictures that stand below a sheet on a page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scorekeeper.render.charts import bars_svg, lines_svg

if TYPE_CHECKING:
    from scorekeeper.render.paper import Sheet

DRAWN = 460  # how wide a picture is drawn: letters can be read where two stand side by side


def drawn(sheet: Sheet) -> list[str]:
    """The pictures that there are to draw, each an element of SVG."""
    running = lines_svg(sheet.running, DRAWN) if sheet.running else ""
    parts = bars_svg(sheet.parts, DRAWN) if sheet.parts else ""
    return [picture for picture in (running, parts) if picture]


def shape(picture: str) -> float:
    """A picture's height as a part of its width."""
    found = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', picture)
    return float(found[2]) / float(found[1]) if found else 1.0
