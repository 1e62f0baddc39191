"""The code that a phone scans from a terminal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scorekeeper.cli.serve import qr_code_lines

if TYPE_CHECKING:
    import pytest


def test_the_code_is_white_and_black_whatever_the_terminal_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    coloured = qr_code_lines("http://192.168.1.2:8765/secret/")
    monkeypatch.setenv("NO_COLOR", "1")
    plain = qr_code_lines("http://192.168.1.2:8765/secret/")
    assert [re.sub("\x1b[^m]*m", "", line) for line in coloured] == plain
    assert all(line.startswith("\x1b[38;5;231m\x1b[48;5;16m") for line in coloured[:-1])
    assert all(line.endswith("\x1b[0m") for line in coloured)
    assert set("".join(plain)) <= set(" ▀▄█")
    assert set(plain[-1]) == {"▀"}  # the lower half is not drawn
