"""Unit tests carry the name of what they test: the rule of CONTRIBUTING.md, "Tests"."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE, TESTS = ROOT / "fecontact", ROOT / "tests"
ROOMS = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists()}
ACROSS = {
    "analysis/test_warning_once": "warnings of all analyses",
    "cli/test_interrupts": "Ctrl-C in commands, cases and scripts",
    "cli/test_killed_run": "a case that is killed and continued",
    "cli/test_module": "the package as a command",
    "contact/test_prescribed": "contact of bodies in prescribed frames",
    "contact/test_stepping": "contact with history over time steps",
    "mesh/test_generators": "all generators",
    "results/test_former_names": "former names of records, fields and attributes",
    "mesh/test_samples": "the meshes that are shipped",
    "view/test_command": "the command `fecontact view` and the scripts of postprocess/",
}
"""Tests of several modules at once, with what they test."""


def stem(path: Path) -> str:
    """Name of a module without the underscore of a private one."""
    return path.stem.lstrip("_")


def public(path: Path) -> list[str]:
    """Names of a module that others may use."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            value = node.value
            return list(ast.literal_eval(value)) if isinstance(value, ast.List) else []
    return []


def snake(name: str) -> str:
    """SpinningDisc as spinning_disc."""
    pieces = ["_" + c.lower() if c.isupper() else c for c in name]
    return "".join(pieces).lstrip("_")


@cache
def names_of(room: str) -> set[str]:
    """What a unit test of a folder may be named after: modules, sub-folders, public names."""
    found = {room}
    for path in (PACKAGE / room).rglob("*.py"):
        inside = path.parent != PACKAGE / room
        if inside:
            found.add(path.parent.name)
        if path.name == "__init__.py":
            continue
        found.add(stem(path))
        found |= {snake(name) for name in public(path)}
        if inside:
            found.add(f"{path.parent.name}_{stem(path)}")
    return found


def modules() -> list[Path]:
    """Modules with public names."""
    every = sorted(PACKAGE.rglob("*.py"))
    return [path for path in every if not path.name.startswith("__") and public(path)]


def own_test(path: Path) -> bool:
    """Whether a module has a unit test of its own name."""
    parts = path.relative_to(PACKAGE).parts
    folder = TESTS / parts[0] if len(parts) > 1 else TESTS
    names = [stem(path), f"{path.parent.name}_{stem(path)}"]
    return any((folder / f"test_{name}.py").exists() for name in names)


def covered() -> dict[str, str]:
    """Test by module, or by folder with a slash at its end, from covered.txt."""
    lines = (TESTS / "covered.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split() for line in lines if line and not line.startswith("#"))


UNIT = sorted(path for room in ROOMS for path in (TESTS / room).glob("test_*.py"))


@pytest.mark.parametrize("path", UNIT, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_unit_test_is_named_after_what_it_tests(path):
    """test_NAME.py or test_NAME_aspect.py; else it tests several modules and stands in ACROSS."""
    room, name = path.parent.name, path.stem.removeprefix("test_")
    if f"{room}/{path.stem}" in ACROSS:
        return
    known = names_of(room)
    assert any(name == one or name.startswith(one + "_") for one in known), (
        f"tests/{room}/{path.name} names no module, folder or public name of fecontact/{room}"
    )


def test_every_module_has_its_test_or_says_which_covers_it():
    table = covered()
    missing = []
    for path in modules():
        name = path.relative_to(ROOT).as_posix()
        listed = any(name == key or (key.endswith("/") and name.startswith(key)) for key in table)
        if not own_test(path) and not listed:
            missing.append(name)
    assert not missing, (
        f"write a unit test of the name, or add a line to tests/covered.txt: {missing}"
    )


def test_the_table_is_true():
    """Modules and tests of the table exist; a module with a test of its own needs no line."""
    for name, test in covered().items():
        assert (ROOT / name).exists(), f"tests/covered.txt: {name} is gone"
        assert (ROOT / test).exists(), f"tests/covered.txt: {test} is gone"
        if name.endswith(".py"):
            assert not own_test(ROOT / name), f"tests/covered.txt: {name} has its own test"
    for name in ACROSS:
        assert (TESTS / f"{name}.py").exists(), f"ACROSS: {name} is gone"
