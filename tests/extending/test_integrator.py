"""An integrator from outside of the package: order, options, storing, restart, what it refuses."""

from __future__ import annotations

import numpy as np
import pytest
from semi_implicit_euler import SemiImplicitEuler

import fecontact as fc


@pytest.fixture(autouse=True)
def method(monkeypatch):
    monkeypatch.setitem(fc.METHODS, "semi_implicit_euler", SemiImplicitEuler)


def oscillator():
    mass = fc.RigidBody("mass", 2.0, ("ux",))
    system = fc.System([mass], [fc.Bearing(mass, 800.0, 1e-9)])
    return system, system.state(q={"mass.ux": 1e-3})


def run(step, **options):
    system, start = oscillator()
    return fc.simulate(system, 0.3, start, "semi_implicit_euler", 0.1, step=step, **options)


def test_first_order():
    """A mass on a spring, 20 rad/s."""
    errors = [abs(run(step).q[-1, 0] - 1e-3 * np.cos(6.0)) for step in (2e-3, 5e-4)]
    assert np.log(errors[0] / errors[1]) / np.log(4.0) == pytest.approx(1.0, abs=0.1)


def test_statistics_and_options():
    motion = run(1e-3)
    assert motion.method == "semi_implicit_euler"
    assert motion.statistics.steps == 300
    with pytest.raises(fc.InputError, match="option of method 'semi_implicit_euler'"):
        run(1e-3, rtol=1e-6)
    with pytest.raises(fc.InputError, match=r"invalid step = -1\.0 s"):
        run(-1.0)
    with pytest.raises(fc.SolverError, match="max_steps"):
        run(1e-3, max_steps=10)


def test_stored_and_continued(tmp_path):
    system, start = oscillator()
    file, options = tmp_path / "run.h5", {"output": 0.1, "step": 1e-3}
    fc.simulate(system, 0.2, start, "semi_implicit_euler", store=file, **options)
    whole = run(1e-3)
    rest = fc.simulate(system, 0.3, None, "semi_implicit_euler", restart=file, **options)
    np.testing.assert_array_equal(rest.q[-1], whole.q[-1])
    np.testing.assert_array_equal(fc.Result.load(file).q[-1], whole.q[-1])


def test_constraints_are_refused():
    mass = fc.RigidBody("mass", 2.0, ("ux",))
    drive = fc.PrescribedMotion(fc.DofCoordinate(mass, "ux"), fc.Speed(1.0))
    system = fc.System([mass], [drive])
    start = system.consistent(system.rest()).state
    with pytest.raises(fc.InputError, match="expected no constraints"):
        fc.simulate(system, 0.1, start, "semi_implicit_euler")
