"""Full forms of the cases of static contact: Hertz within 2 %, Mindlin within 3 %."""

from __future__ import annotations

import pytest

from fecontact.case.registry import load_case
from fecontact.case.runner import run_case

CASES = [
    "classic/hertz_contact",
    "classic/cattaneo_mindlin",
    "classic/shear_lag_bar",
    "classic/elastic_plate_on_pressure_plate",
    "waehrisch/hertz_ball_elements",
    "waehrisch/hertz_ball_tangential_elements",
]


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_full_form(name, tmp_path):
    name, case = load_case(name)
    assert run_case(name, case, out=tmp_path, quick=False) == 0
