"""Bodies answer for themselves: no code outside of `body/` asks for the class of a body.

A type switch is `isinstance`, `issubclass`, a class pattern of `match`, or a comparison of
`type(...)`, with a class of `fecontact.body`: of a body, a marker, or the motion of either.
`check_kind`, which refuses a wrong input by its name, is none.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

import fecontact

PACKAGE = Path(fecontact.__file__).parent


@cache
def classes() -> set[str]:
    """Names of all classes of `fecontact.body`."""
    trees = [
        ast.parse(path.read_text(encoding="utf-8")) for path in (PACKAGE / "body").glob("*.py")
    ]
    return {
        node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)
    }


def of_bodies(tree: ast.Module) -> dict[str, str]:
    """Names under which a module knows classes of bodies, and rooms of them."""
    known, names = classes(), {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("fecontact"):
            room = node.module in ("fecontact", "fecontact.joint.marker")
            if room or (node.module or "").startswith("fecontact.body"):
                shown = {alias.asname or alias.name: alias.name for alias in node.names}
                names |= {own: name for own, name in shown.items() if name in known}
    return names


def switches(source: str) -> list[str]:
    """Type switches on bodies in a module, by line."""
    tree = ast.parse(source)
    names = of_bodies(tree)

    def mentions(node: ast.AST) -> bool:
        return any(isinstance(n, ast.Name) and n.id in names for n in ast.walk(node))

    found = []
    for node in ast.walk(tree):
        called = isinstance(node, ast.Call) and getattr(node.func, "id", "")
        asks = called in ("isinstance", "issubclass") and mentions(node.args[1])
        matches = isinstance(node, ast.MatchClass) and mentions(node.cls)
        sides = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
        types = any(isinstance(s, ast.Call) and getattr(s.func, "id", "") == "type" for s in sides)
        if asks or matches or (types and any(mentions(side) for side in sides)):
            found.append(f"line {node.lineno}: {ast.unparse(node)}")
    return found


def others() -> list[Path]:
    return [p for p in sorted(PACKAGE.rglob("*.py")) if p.relative_to(PACKAGE).parts[0] != "body"]


@pytest.mark.parametrize("path", others(), ids=lambda p: p.relative_to(PACKAGE).as_posix())
def test_no_type_switch_on_bodies(path):
    assert switches(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "line",
    [
        "isinstance(x, RigidBody)",
        "isinstance(x, int | Elastic)",
        "issubclass(type(x), (RigidBody, int))",
        "type(x) is RigidBody",
        "match x:\n    case RigidBody():\n        pass",
    ],
)
def test_switches_are_found(line):
    head = "from fecontact.body import RigidBody, ElasticBody as Elastic\n"
    assert len(switches(head + line)) == 1


def test_other_classes_are_no_bodies():
    assert switches("from fecontact.contact import Surface\nisinstance(x, Surface | int)") == []
