"""Progress by simulated time: drawn on a terminal, quiet elsewhere."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from fecontact.results import progress


@pytest.mark.parametrize("terminal", [True, False])
def test_clock(monkeypatch, terminal):
    text = io.StringIO()

    def console(stderr):
        assert stderr
        return Console(file=text, force_terminal=terminal, width=100)

    monkeypatch.setattr(progress, "Console", console)
    with progress.clock("simulate (implicit)", 1.0, 3.0) as show:
        for t in (1.0, 2.5):
            show(t)
    shown = text.getvalue()
    if terminal:
        assert "simulate (implicit)" in shown
        assert "2.5 s of 3 s" in shown
        assert "-:--:--" in shown or "0:00:0" in shown  # time that is left
    else:
        assert shown == ""
