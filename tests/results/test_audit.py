"""What the energy audit leaves over: number, sentence, row of a case."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from fecontact.case import Parameters, Run
from fecontact.results.audit import LINES, unaccounted, warning_of


def lines(**given):
    return {name: np.array(given.get(name, [0.0, 0.0, 0.0])) for name in LINES}


def test_left_over_is_the_largest_of_both_lines_together():
    energies = lines(
        kinetic=[2.0, 1.0, 0.0], slip=[0.0, 1.0, 2.0],
        numerical=[0.0, -1e-3, 1e-3], residual=[0.0, 3e-3, 0.0],
    )  # fmt: skip
    assert unaccounted(energies) == pytest.approx(4e-3 / 2.0)


def test_zero_of_the_potential_does_not_matter():
    energies = lines(potential=[100.0, 99.0, 98.0], kinetic=[0.0, 1.0, 2.0], residual=[0, 0, 2e-3])
    assert unaccounted(energies) == pytest.approx(1e-3)


def test_free_tumbling_is_measured_by_its_kinetic_energy():
    energies = lines(kinetic=[4.0, 4.0, 4.0], numerical=[0.0, 0.0, 4e-3])
    assert unaccounted(energies) == pytest.approx(1e-3)


@pytest.mark.parametrize(("left", "status"), [(0.5e-3, "met"), (2e-3, "missed")])
def test_row(tmp_path, left, status):
    run = Run(Parameters(), tmp_path)
    run.audit(SimpleNamespace(energies=lines(kinetic=[1, 1, 1], residual=[0, 0, left])), basis="FE")
    (row,) = run.checks
    assert row.status == status
    assert row.computed == pytest.approx(left)


@pytest.mark.parametrize(("left", "told"), [(0.9e-2, False), (-1.1e-2, True), (np.nan, False)])
def test_sentence(left, told):
    words = warning_of(lines(kinetic=[1.0, 1.0, 1.0], numerical=[0.0, 0.0, left]))
    assert ("1.1 %" in words) is told
    assert bool(words) is told


def test_a_rotor_that_goes_on_turning_hides_nothing():
    still = lines(potential=[1.0, 0.5, 0.0], kinetic=[0.0, 0.5, 1.0], residual=[0.0, 0.0, 0.02])
    turning = {**still, "kinetic": still["kinetic"] + 50.0}
    assert unaccounted(turning) == pytest.approx(0.02)
    assert "2 %" in warning_of(turning)


def test_nothing_moves_nothing_is_told():
    assert unaccounted(lines()) == 0.0
    assert warning_of(lines()) == ""


def test_a_motion_without_audit_has_no_number():
    assert np.isnan(unaccounted(lines(residual=[np.nan] * 3, kinetic=[1.0, 2.0, 1.0])))
    assert np.isnan(unaccounted({name: np.full(3, np.nan) for name in LINES}))
