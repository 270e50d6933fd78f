"""Case scripts for a part of one's own: what they ask of it, and that they run at once."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import fecontact as fc
from fecontact.case.new.facts import facts_of
from fecontact.case.new.samples import sample_body
from fecontact.case.new.templates import script
from fecontact.case.new.write import _values, check_new, new_case
from fecontact.case.registry import load_case


def ring(scale=1.0, modes=4, supports=("inner",), **moved):
    """Reduced steel annulus with its upper face in contact."""
    mesh = fc.solid_annulus(0.06, 0.11, 0.0, 0.01, 2, 16).scaled(scale)
    if "by" in moved:
        mesh = mesh.translated(moved["by"])
    held = dict.fromkeys(supports, "clamped")
    return fc.reduce_model(
        fc.ElasticSolid(mesh, fc.STEEL, "hex1", supports=held), "top", modes=modes
    )


@pytest.fixture(scope="module")
def body(tmp_path_factory):
    file = tmp_path_factory.mktemp("body") / "ring.h5"
    fc.save_reduced(ring(), file)
    return file


def test_facts_are_those_of_the_ring():
    facts = facts_of(ring(), "ring.h5", "clutch")
    assert (facts.surface, facts.side, facts.others) == ("top", 1, ())
    assert facts.height == pytest.approx(0.01)
    assert np.hypot(*facts.sensor[:2]) == pytest.approx(0.11, rel=1e-3)
    area = np.pi * (0.11**2 - 0.06**2)
    assert facts.load == pytest.approx(2e5 * area, rel=0.05)


@pytest.mark.filterwarnings("ignore:the part spans")
@pytest.mark.parametrize(
    ("words", "model", "template"),
    [
        ("if its mesh is in mm", lambda: ring(1e3), "clutch"),
        ("is not held, it has 6 rigid-body modes", lambda: ring(supports=()), "clutch"),
        ("axis not found: the middle", lambda: ring(by=(0.5, 0.0, 0.0)), "clutch"),
        ("take --template clutch", ring, "brake"),
    ],
)
def test_a_body_that_does_not_fit_is_refused_in_one_line(words, model, template):
    with pytest.raises(fc.InputError) as caught:
        facts_of(model(), "ring.h5", template)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_surfaces_across_the_axis_and_bodies_without_contact_are_refused():
    mesh = fc.solid_annulus(0.06, 0.11, 0.0, 0.01, 2, 16)
    solid = fc.ElasticSolid(mesh, fc.STEEL, "hex1", supports={"inner": "clamped"})
    with pytest.raises(fc.InputError, match="axis not found: the mean normal of surface 'outer'"):
        facts_of(fc.reduce_model(solid, "outer", modes=2), "ring.h5", "beam")
    with pytest.raises(fc.InputError, match="has no contact surface"):
        facts_of(fc.reduce_model(solid, method="free", modes=2), "ring.h5", "clutch")


def test_nothing_is_replaced_and_names_are_checked(tmp_path, body):
    (tmp_path / "mine.py").write_text("# mine", encoding="utf-8")
    for name, file, template, words in (
        ("mine", body, "clutch", "exists and is not replaced"),
        ("2nd", body, "clutch", "invalid name of a case"),
        ("other", tmp_path / "no.h5", "clutch", "does not exist; make it with"),
        ("other", body, "drum", "invalid template = drum"),
    ):
        with pytest.raises(fc.InputError, match=words):
            check_new(str(tmp_path / name), file, template)
    assert (tmp_path / "mine.py").read_text(encoding="utf-8") == "# mine"


def test_the_script_knows_its_body_by_a_relative_path(tmp_path, body):
    path, _, _ = new_case(str(tmp_path / "deep" / "my_plate"), body, "clutch")
    name, case = load_case(str(path))
    assert name == "my_plate"
    system = case.system(case.parameters)
    assert [one.name for one in system.bodies] == ["part", "flywheel"]
    assert [sensor.name for sensor in system.sensors] == [
        "normal velocity", "sliding velocity", "normal force", "torque"
    ]  # fmt: skip
    steady = fc.steady_state(system)
    assert steady.contacts["contact"].normal_force == pytest.approx(case.parameters.load, rel=1e-6)


@pytest.mark.parametrize("template", ["clutch", "brake", "beam"])
def test_sample_bodies_fit_their_templates(template):
    facts = facts_of(sample_body(template), "sample", template)
    assert facts.load > 0.0
    assert facts.hertz > 500.0


@pytest.mark.parametrize("template", ["clutch", "brake", "beam"])
def test_scripts_are_written_as_the_project_writes(template):
    """Lines of at most 100 letters, and nothing left to fill in."""
    values = _values(Path("my_long_case.py"), Path("body.h5"), template,
                     facts_of(ring(), "body.h5", "clutch"))  # fmt: skip
    text = script(template, values)
    compile(text, "case.py", "exec")
    assert "{{" not in text
    assert max(map(len, text.splitlines())) <= 100
