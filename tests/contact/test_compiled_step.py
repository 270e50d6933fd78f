"""Pairs by their kernels, or in the reference form where somebody asks for it."""

from __future__ import annotations

import numba
import numpy as np
import pytest

import fecontact as fc
from fecontact.contact.evaluate.compiled import step as compiled_step
from fecontact.contact.evaluate.compiled.step import (
    CompiledRate,
    CompiledStart,
    in_reference_form,
)
from fecontact.contact.evaluate.rate import ContactRate
from fecontact.contact.evaluate.step import ContactStart


@pytest.fixture
def sledge():
    """A mass on two feet, pressed on the ground and pulled; start that slides."""
    mass = fc.RigidBody("mass", 1.0, ("ux", "uz"))
    feet = fc.Surface(np.array([[0.0, 0.0, 0.0], [0.1, 0.0, 1e-5]]), np.ones(2))
    laws = fc.PenaltyNormal(1e5, 100.0), fc.ElastoPlastic(0.3, 1e5, 20.0)
    pair = fc.ContactPair(mass, feet, fc.RigidFace(None, fc.Plane()), *laws, "feet")
    system = fc.System([mass], [fc.Force(mass, (5.0, 0.0, -10.0)), pair])
    start = system.state(q={"mass.uz": -5e-5}, v={"mass.ux": 0.1})
    return system, system.history_layout.filled(start), pair


def test_both_forms_agree_and_the_reference_form_is_asked_for(sledge):
    system, start, _ = sledge
    for wanted, kinds in (
        (True, (ContactRate, ContactStart)),
        (False, (CompiledRate, CompiledStart)),
    ):
        with in_reference_form(wanted):
            rates, begun = system.rate_form(start), system.begin(start)
        assert isinstance(rates.contact_rates["feet"], kinds[0])
        assert isinstance(begun.starts["feet"], kinds[1])
    with in_reference_form():
        plain = system.rate_form(start)
    assert isinstance(system.rate_form(start).contact_rates["feet"], CompiledRate)  # afterwards
    np.testing.assert_allclose(plain.forces, system.rate_form(start).forces, rtol=1e-12)
    np.testing.assert_allclose(plain.z_rate, system.rate_form(start).z_rate, rtol=1e-12)


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
def test_implicit_steps_begin_without_the_kernels_that_their_loop_does_not_have(
    sledge, monkeypatch
):
    system, start, _ = sledge
    expected = fc.simulate(system, 1e-3, start, "implicit", 5e-4)

    def refused(pair):
        raise AssertionError(f"{pair.name} has been asked for its kernel")

    monkeypatch.setattr(compiled_step, "kernel_of", refused)
    found = fc.simulate(system, 1e-3, start, "implicit", 5e-4)
    np.testing.assert_array_equal(found.v, expected.v)
    with pytest.raises(AssertionError, match="feet"):
        fc.simulate(system, 1e-3, start, "implicit", 5e-4, backend="general")


@pytest.mark.parametrize(("static", "stays"), [(None, True), (0.3, True), (0.5, False)])
def test_steps_in_which_points_stick_or_slip_are_compiled_unless_friction_jumps(static, stays):
    """A mass that is pushed and brakes until it sticks, by steps of any length."""
    mass = fc.RigidBody("mass", 1.0, ("ux", "uz"))
    foot = fc.Surface(np.zeros((1, 3)), np.ones(1))
    laws = fc.PenaltyNormal(1e5, 100.0), fc.ElastoPlastic(fc.Coulomb(0.3, static), 1e5, 20.0)
    pair = fc.ContactPair(mass, foot, fc.RigidFace(None, fc.Plane()), *laws, "foot")
    system = fc.System([mass], [fc.Force(mass, (0.0, 0.0, -10.0)), pair])
    start = system.state(q={"mass.uz": -1e-4}, v={"mass.ux": 0.1})
    motion = fc.simulate(system, 0.05, start, "implicit", 0.05)
    counts = motion.statistics
    assert counts.to_slip > 0
    assert counts.to_stick > 0
    assert (counts.compiled == counts.steps) == stays
    general = fc.simulate(system, 0.05, start, "implicit", 0.05, backend="general")
    np.testing.assert_allclose(motion.v[-1], general.v[-1], atol=1e-6)
    # it brakes with mu g, and its bristle springs back a little
    assert motion.history("mass.ux")[-1] == pytest.approx(0.1**2 / (2 * 0.3 * 10.0), rel=0.05)
