"""A body from outside of the package: alone, and in contact with friction."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from elastic_pendulum import ElasticPendulum

import fecontact as fc
from fecontact.analysis.stability.slip_states import with_steady_slip

BOB = ElasticPendulum("bob", 2.0, 0.5, 4000.0, damping=20.0)
FLOOR, MU, SPEED = 1e5, 0.3, 0.4
METHODS = {"implicit": {"step": 2e-4}, "explicit": {"step": 1e-4}, "ode": {}}


def dragged(speed=None):
    """The mass rests on a floor that is at rest, or on a belt."""
    belt = None if speed is None else fc.RigidBody("belt", 1.0, ("ux",))
    pair = fc.ContactPair(
        BOB, fc.Surface(np.zeros((1, 3)), np.ones(1)),
        fc.RigidFace(belt, fc.Plane((0.0, 0.0, -BOB.length))), fc.PenaltyNormal(FLOOR, 50.0),
        fc.ElastoPlastic(MU, 2e4, 40.0), name="foot",
    )  # fmt: skip
    if belt is None:
        return fc.System([BOB], [pair])
    drive = fc.PrescribedMotion(
        fc.DofCoordinate(belt, "ux"), fc.Speed(speed), level="velocity", name="drive"
    )
    return fc.System([BOB, belt], [pair, drive])


def run(method, t_end=0.08, **options):
    system = dragged()
    start = system.state(v={"bob.angle": 0.3})
    return fc.simulate(system, t_end, start, method, 0.01, **(METHODS[method] | options))


def test_tangents(difference):
    rng = np.random.default_rng(0)
    q, v, a = 0.3 * rng.standard_normal((3, 2))
    by_q, by_v = BOB.tangents(0.0, q, v)
    np.testing.assert_allclose(
        by_q, difference(lambda x: BOB.force(0.0, x, v), q, [1e-3, 1e-3]), rtol=1e-7, atol=1e-6
    )
    np.testing.assert_allclose(
        by_v, difference(lambda x: BOB.force(0.0, q, x), v, [1e-3, 1e-3]), rtol=1e-7, atol=1e-6
    )
    found = difference(lambda x: BOB.mass_matrix(x) @ a, q, [1e-3, 1e-3])
    np.testing.assert_allclose(BOB.d_inertia(q, a), found, atol=1e-9)


def test_small_swings():
    """Frequencies sqrt(k/m) and sqrt(g/r) about the hanging mass."""
    bob = replace(BOB, damping=0.0)
    steady = fc.steady_state(fc.System([bob]))
    hang = bob.mass * bob.gravity / bob.stiffness
    np.testing.assert_allclose(steady.state.q, [hang, 0.0], atol=1e-12)
    modes = fc.complex_modes(fc.linearise(fc.System([bob]), steady.state))
    known = np.sqrt([bob.gravity / (bob.length + hang), bob.stiffness / bob.mass])
    found = np.sort(modes.eigenvalues.imag[modes.eigenvalues.imag > 0.0])
    np.testing.assert_allclose(found, known, rtol=1e-9)


def test_statics():
    """Spring and floor share the weight."""
    path = fc.load_path(fc.StaticSystem(dragged()), [0.5, 1.0])
    expected = BOB.mass * BOB.gravity / (BOB.stiffness + FLOOR)
    np.testing.assert_allclose(path.x[-1][:2], [expected, 0.0], rtol=1e-9, atol=1e-12)


def test_methods_agree():
    exact = run("ode")
    assert {*exact.contact_status.ravel()} >= {1, 2}
    for method in METHODS:
        found = run(method)
        assert np.abs(found.q - exact.q).max() < 2e-3 * np.abs(exact.q).max(), method
        lost = found.energies["slip"][-1]
        assert np.abs(found.energies["residual"]).max() < 1e-3 * lost, method


def test_friction_states_of_small_motions():
    """On a belt: slip, force and rates by all coordinates against differences."""
    system = dragged(SPEED)
    steady = fc.steady_state(system)
    angle = steady.state.q[1]
    assert 0.0 < angle < 0.3
    state = with_steady_slip(system, steady.state)
    by = system.rate_form(state).tangents()
    for name, size in (("q", 1e-5), ("v", 1e-3), ("z", 1e-6)):
        x = getattr(state, name)
        for j in range(len(x)):
            step = np.zeros(len(x))
            step[j] = size
            ahead, back = (
                system.rate_form(replace(state, **{name: y})) for y in (x + step, x - step)
            )
            for part in ("force", "z_rate"):
                matrix = getattr(by, f"{part}_by_{name}")
                found = (getattr(ahead, part) - getattr(back, part)) / (2.0 * size)
                assert np.abs(found - matrix[:, j]).max() <= 1e-6 * np.abs(matrix).max()
    model = fc.linearise(system, steady.state, friction="state")
    assert np.isfinite(fc.complex_modes(model).eigenvalues).all()


@pytest.mark.parametrize("method", ["implicit", "explicit"])
def test_store_and_exact_restart(tmp_path, method):
    whole = run(method, 0.04, store=tmp_path / "run.h5")
    half = run(method, 0.02)
    rest = fc.simulate(dragged(), 0.04, None, method, 0.01, restart=half, **METHODS[method])
    stored = fc.Result.load(tmp_path / "run.h5")
    for name in ("q", "v", "z", "contact_status", "slip_totals"):
        np.testing.assert_array_equal(getattr(rest, name), getattr(whole, name)[2:])
        np.testing.assert_array_equal(getattr(stored, name), getattr(whole, name))
