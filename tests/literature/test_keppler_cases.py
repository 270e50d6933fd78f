"""The Keppler cases in their full form, and with other parameters than those of the source."""

from __future__ import annotations

import json

import pytest

from fecontact.case.registry import load_case
from fecontact.case.runner import run_case

CASES = (
    "joint_kinematics",
    "double_pendulum",
    "five_pendulum",
    "pendulum_drift",
    "cube_on_spring",
    "spherical_four_bar",
)


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_full_form(name, tmp_path):
    name, case = load_case(f"keppler/{name}")
    assert run_case(name, case, out=tmp_path) == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("double_pendulum", ["length=0.8", "inertia_z=0.02", "mass=3"]),
        ("five_pendulum", ["length=0.3", "product=-2e-5", "damping=0"]),
        ("pendulum_drift", ["length=2", "mass=3", "speed=2"]),
        ("cube_on_spring", ["half_edge=0.15", "mass=2", "stiffness=80"]),
        ("spherical_four_bar", ["radius=0.5", "mass=2", "inertia=0.1"]),
    ],
)
def test_formulas_hold_for_other_parameters(name, settings, tmp_path):
    """No reference is missed; those that belong to the numbers of the source do not apply."""
    name, case = load_case(f"keppler/{name}")
    assert run_case(name, case, out=tmp_path, settings=settings, quick=True) == 0
    summary = json.loads((tmp_path / "summary.json").read_text(encoding="utf-8"))
    met = [row for row in summary["checks"] if row["status"] == "met"]
    assert len(met) >= 3
