"""Scripts of cases by name or path: what they load, and what is refused before that."""

from __future__ import annotations

import sys
from dataclasses import fields

import pytest

from fecontact.case.registry import check_parameters, load_case, load_module, name_of
from fecontact.errors import InputError

SCRIPT = """
from dataclasses import dataclass

import fecontact as fc


@dataclass(frozen=True)
class Spring(fc.Parameters):
    stiffness: float = fc.quantity(2.0, "N/m", fc.POSITIVE)


def system(p: Spring) -> fc.NoSuchName:
    raise NotImplementedError


def run(run: "fc.Run[Spring]") -> None:
    raise NotImplementedError


CASE = fc.Case("A spring", ("nothing",), Spring(), run, 1.0, system)
"""


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "spring.py"
    path.write_text(SCRIPT)
    yield path
    sys.path.remove(str(tmp_path))


def test_annotations_of_a_script_load_nothing(script):
    module = load_module(str(script))
    assert module.system.__annotations__["return"] == "fc.NoSuchName"
    assert not (script.parent / "__pycache__").exists()
    name, case = load_case(str(script))
    assert (name, name_of(script)) == ("spring", "spring")
    (field,) = fields(case.parameters)
    assert (field.name, case.parameters.override(["stiffness=3"]).stiffness) == ("stiffness", 3.0)


@pytest.mark.parametrize(
    ("settings", "varied", "said"),
    [
        (["stiffness=-1"], [], "invalid stiffness = -1.0 N/m: expected > 0"),
        (["mass=1"], [], "unknown parameter 'mass'"),
        ([], ["stiffness", "mass"], "unknown parameter 'mass'"),
    ],
)
def test_parameters_are_checked_without_a_system(script, settings, varied, said):
    check_parameters(str(script), ["stiffness=3"], ["stiffness"])
    check_parameters(str(script), None, [])
    with pytest.raises(InputError, match=said):
        check_parameters(str(script), settings, varied)
