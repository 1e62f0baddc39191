"""The files of the package that a command loads, and those whose functions it calls ("enters").

`python -m tests.entered` prints both for one recorded card. Code that runs while a module is
imported does not count as entering it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
DEAL = ["lead Ana", "all: gesund", "Ana: KC"]
CARD = "Ben: QC"
WATCHED = """
import json, sys
from inspect import CO_OPTIMIZED
own, entered = sys.argv[1], set()
def see(frame, event, argument):
    code = frame.f_code
    if event == "call" and code.co_flags & CO_OPTIMIZED and code.co_filename.startswith(own):
        entered.add(code.co_filename[len(own) + 1 :])
file, sys.argv = sys.argv[2], ["scorekeeper", *sys.argv[3:]]
from scorekeeper.cli import main
sys.setprofile(see)
try:
    main()
finally:
    sys.setprofile(None)
    loaded = [getattr(each, "__file__", None) or "" for each in list(sys.modules.values())]
    loaded = sorted({each[len(own) + 1 :] for each in loaded if each.startswith(own)})
    with open(file, "w") as told:
        json.dump({"loaded": loaded, "entered": sorted(entered)}, told)
"""


class Files(NamedTuple):
    """Files of the package, by their paths in it, that a command has loaded, and entered."""

    loaded: list[str]
    entered: list[str]


def files_of(*arguments: str, book: Path) -> Files:
    """Return the files that a command with this book loads and enters."""
    told = book.with_name("files.json")
    command = [sys.executable, "-c", WATCHED, str(ROOT / "scorekeeper"), str(told), *arguments]
    environment = {**os.environ, "SCOREKEEPER_BOOK": str(book)}
    subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
    return Files(**json.loads(told.read_text("utf-8")))


def recording_a_card() -> Files:
    """Return the files for recording the second card of a deal of Doppelkopf."""
    with TemporaryDirectory() as folder:
        book = Path(folder) / "book.sqlite"
        files_of("new", "doppelkopf", "Ana", "Ben", "Cleo", "Dan", book=book)
        files_of("record", *DEAL, book=book)
        return files_of("record", CARD, book=book)


if __name__ == "__main__":
    found = recording_a_card()
    print(f"record “{CARD}”: {len(found.loaded)} files loaded, {len(found.entered)} entered")
    print(*found.entered, sep="\n")
