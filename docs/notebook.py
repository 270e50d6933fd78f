"""Makes the notebook docs/own_part.ipynb from the page docs/own_part.md: `python docs/notebook.py`.

Text becomes cells of text, an example a cell of code without its prompts and its output. A test
says when the notebook is older than its page, and runs its cells.
"""

from __future__ import annotations

import doctest
import json
import re
from pathlib import Path
from typing import Any

PAGE = Path(__file__).with_name("own_part.md")
NOTEBOOK = PAGE.with_suffix(".ipynb")
EXAMPLE = re.compile(r"^```python\n(.*?)^```$\n?", re.DOTALL | re.MULTILINE)


def notebook(page: str) -> dict[str, Any]:
    r"""Notebook of a page, as JSON.

    Examples
    --------
    >>> made = notebook("# Sum\n\n```python\n>>> 1 + 1\n2\n\n```\n")
    >>> [(cell["cell_type"], cell["source"]) for cell in made["cells"]]
    [('markdown', ['# Sum']), ('code', ['1 + 1'])]
    """
    parts = EXAMPLE.split(page)
    cells = [_code(part) if i % 2 else _text(part) for i, part in enumerate(parts) if part.strip()]
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    about = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": about}, "nbformat": 4, "nbformat_minor": 5}


def written(made: dict[str, Any]) -> str:
    """Text of the file of a notebook."""
    return json.dumps(made, indent=1, ensure_ascii=False) + "\n"


def _text(part: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": _lines(part.strip())}


def _code(part: str) -> dict[str, Any]:
    """Statements of an example; a figure that it makes is shown."""
    sources = [example.source for example in doctest.DocTestParser().get_examples(part)]
    shown = "figure\n" if sources[-1].startswith("figure = ") else ""
    source = _lines(("".join(sources) + shown).strip())
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [],
            "source": source}  # fmt: skip


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


if __name__ == "__main__":
    NOTEBOOK.write_text(written(notebook(PAGE.read_text(encoding="utf-8"))), encoding="utf-8")
