"""Public names: complete, typed, documented, fast to import, and enough for cases and docs."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import fecontact as fc
from fecontact.case.registry import case_folder, case_names

ROOT = Path(fc.__file__).parents[1]
PACKAGES = {"fc": fc, "fc.laws": fc.laws, "fc.reference": fc.reference, "fc.view": fc.view}
ALLOWED = {
    "__future__", "collections", "dataclasses", "fecontact", "functools", "itertools", "math",
    "numba", "numpy", "scipy", "skfem", "typing", "warnings",
}  # fmt: skip
PARTS = [
    path
    for path in sorted((ROOT / "tests" / "extending").glob("*.py"))
    if path.stem != "conftest" and not path.stem.startswith("test_")
]
PARTS += sorted((ROOT / "postprocess").glob("*.py"))
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("package", PACKAGES.values(), ids=PACKAGES)
def test_every_name_resolves_and_is_listed(package):
    for name in package.__all__:
        assert getattr(package, name) is not None, name
    assert set(package.__all__) <= set(dir(package))


@pytest.mark.parametrize("package", PACKAGES.values(), ids=PACKAGES)
def test_types_have_the_same_names(package):
    stub = ast.parse(Path(package.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    found = set()
    for node in stub.body:
        if isinstance(node, ast.ImportFrom):
            found |= {alias.asname for alias in node.names}
        elif isinstance(node, ast.Assign):
            found |= {node.targets[0].id}
    found = {name for name in found if not name.startswith("_")} - {"reference", "view"}
    assert found == set(package.__all__)


def test_every_name_is_documented():
    page = (ROOT / "docs" / "names.md").read_text(encoding="utf-8")
    top = set(re.findall(r"^\| `fc\.(\w+)` \| \S", page, re.M))
    assert top == set(fc.__all__)
    deeper = set(re.findall(r"^\| `(\w+)` \| \S", page, re.M))
    assert deeper == {*fc.laws.__all__, *fc.reference.__all__, *fc.view.__all__}


def test_a_function_does_not_hide_a_folder():
    assert callable(fc.simulate)
    assert fc.integrate.simulate is fc.simulate
    with pytest.raises(AttributeError, match="no attribute 'simulator'"):
        fc.simulator  # noqa: B018


def test_names_like_a_wrong_one_are_named():
    with pytest.raises(AttributeError, match="'PenalyNormal'; close names: PenaltyNormal,"):
        fc.PenalyNormal  # noqa: B018


def test_import_is_lazy():
    code = "import sys, fecontact; print(*{'numpy', 'scipy', 'numba', 'skfem'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


@pytest.mark.parametrize("name", case_names())
def test_cases_need_the_public_names_only(name):
    tree = ast.parse((case_folder() / f"{name}.py").read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            assert {alias.name.split(".")[0] for alias in node.names} <= ALLOWED
            assert not any(alias.name.startswith("fecontact.") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module.split(".")[0] in ALLOWED
            assert not node.module.startswith("fecontact"), ast.unparse(node)


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_pages_need_the_public_names_only(page):
    text = page.read_text(encoding="utf-8")
    assert not re.findall(r"^(?:>>> |\.\.\. )?(?:from|import) fecontact\.\S* ?.*", text, re.M)


@pytest.mark.parametrize("part", PARTS, ids=lambda path: path.name)
def test_parts_from_outside_need_the_public_names_only(part):
    """Files to begin one's own law, body, joint or analysis from, and scripts that read results."""
    text = part.read_text(encoding="utf-8")
    used = re.findall(r"^(?:from|import) fecontact.*", text, re.M)
    assert used == (["import fecontact as fc"] if "fc." in text else [])
