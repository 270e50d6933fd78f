"""The notebook of the page on a part of one's own: as new as its page, and it runs."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from fecontact.case.registry import load_module

DOCS = Path(__file__).parents[1] / "docs"


def test_the_notebook_is_that_of_its_page():
    tool = load_module(str(DOCS / "notebook.py"))
    made = tool.written(tool.notebook((DOCS / "own_part.md").read_text(encoding="utf-8")))
    found = (DOCS / "own_part.ipynb").read_text(encoding="utf-8")
    assert found == made, "docs/own_part.ipynb is old: run python docs/notebook.py"


def test_its_code_is_no_longer_than_it_says():
    cells = json.loads((DOCS / "own_part.ipynb").read_text(encoding="utf-8"))["cells"]
    lines = [line for cell in cells if cell["cell_type"] == "code" for line in cell["source"]]
    assert len([line for line in lines if line.strip()]) <= 60


def test_its_cells_run_and_find_the_growth_in_time():
    """Without jupyter: the cells in their order, with figures that are not shown."""
    cells = json.loads((DOCS / "own_part.ipynb").read_text(encoding="utf-8"))["cells"]
    names: dict[str, object] = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), cell["id"], "exec"), names)
    mode, motion = names["mode"], names["motion"]
    assert np.isclose(mode.measured(motion).real, mode.growth, rtol=0.01)
    assert np.isclose(abs(mode.measured(motion).imag) / (2 * np.pi), mode.frequency, rtol=2e-3)
