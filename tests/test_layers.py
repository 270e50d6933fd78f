"""Arrows of the architecture point one way: a package imports only from packages to its left."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import fecontact

PACKAGE = Path(fecontact.__file__).parent
ORDER = [
    "mesh", "fem", "reduction", "body", "joint", "contact", "system", "results", "integrate",
    "analysis", "view", "case", "cli", "__main__",
]  # fmt: skip
COMMON = {"kernels", "solvers", "errors", "typing", "reference", "files", "drafts", "interrupts"}
GRAPHICS = {"pyvista", "matplotlib", "trame", "vtk"}


def drawn(tree: ast.Module) -> set[ast.AST]:
    """Imports of `fecontact.view` inside methods `plot` and `plot_...`: the one exception.

    So plots hang on what they show, and graphics are loaded only to draw.
    """
    methods = (
        method
        for owner in ast.walk(tree)
        if isinstance(owner, ast.ClassDef)
        for method in owner.body
        if isinstance(method, ast.FunctionDef)
        and (method.name == "plot" or method.name.startswith("plot_"))
    )
    return {
        node
        for method in methods
        for node in ast.walk(method)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("fecontact.view.")
    }


def imports(path: Path) -> set[str]:
    return imported(ast.parse(path.read_text(encoding="utf-8")))


def imported(tree: ast.Module) -> set[str]:
    found, plots = set(), drawn(tree)
    for node in ast.walk(tree):
        if node in plots:
            continue
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found.add(node.module)
            if node.module == "fecontact":
                found.update(f"fecontact.{alias.name}" for alias in node.names)
    return found


def files() -> list[Path]:
    return [p for p in sorted(PACKAGE.rglob("*.py")) if p.parent != PACKAGE or p.stem != "__init__"]


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


@pytest.mark.parametrize("path", files(), ids=lambda p: p.relative_to(PACKAGE).as_posix())
def test_imports_point_left(path):
    here = room(path)
    for name in imports(path):
        parts = name.split(".")
        if parts[0] != "fecontact" or len(parts) == 1 or parts[1] == "__version__":
            continue
        there = parts[1]
        if here in COMMON:
            assert there in COMMON, f"{path}: {here} must not import {there}"
        elif there not in COMMON:
            assert ORDER.index(there) <= ORDER.index(here), f"{path}: {here} imports {there}"


@pytest.mark.parametrize("path", files(), ids=lambda p: p.relative_to(PACKAGE).as_posix())
def test_only_view_imports_graphics(path):
    if room(path) != "view":
        assert not GRAPHICS & {name.split(".")[0] for name in imports(path)}


def test_every_room_is_in_the_order():
    rooms = {p.name for p in PACKAGE.iterdir() if p.is_dir() and p.name != "__pycache__"}
    assert rooms <= set(ORDER) | COMMON


def test_relative_imports_are_not_used():
    for path in files():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            assert not (isinstance(node, ast.ImportFrom) and node.level > 0), path


def test_only_plot_methods_may_import_view():
    """The exception does not reach beyond methods that draw, nor to other rooms."""
    line = "from fecontact.view.plots import save"
    inside = f"class A:\n    def {{}}(self):\n        {line}"
    for name in ("plot", "plot_energy"):
        assert imported(ast.parse(inside.format(name))) == set()
    for source in (
        line,
        f"def plot():\n    {line}",
        f"class A:\n    {line}",
        inside.format("plots"),
        inside.format("draw"),
    ):
        assert imported(ast.parse(source)) == {"fecontact.view.plots"}
    other = inside.format("plot").replace("view.plots", "case.case")
    assert imported(ast.parse(other)) == {"fecontact.case.case"}
