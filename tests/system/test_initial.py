"""Consistent initial values: nearest in the mass metric, kept coordinates, refusals."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fecontact.body.rigid import DOFS, RigidBody
from fecontact.contact import (
    ContactPair,
    CoulombSliding,
    ElastoPlastic,
    PenaltyNormal,
    Plane,
    RigidContact,
    RigidFace,
    Surface,
)
from fecontact.errors import InputError, SolverError
from fecontact.integrate import simulate
from fecontact.joint import Bearing, Gravity
from fecontact.system import State, System


@pytest.fixture
def rod(quadric):
    """Two points on a rod of 1 m; the light one moves 9 times as far."""
    heavy, light = (
        RigidBody("heavy", 9.0, ("ux",)),
        RigidBody("light", 1.0, ("ux",), position=(1, 0, 0)),
    )
    row = quadric("rod", (heavy, light), np.array([[-1.0, 1.0]]))
    return System([heavy, light], [row])


def test_mass_orthogonal_projection(rod):
    found = rod.consistent(rod.state(q={"light.ux": 1.0}, v={"light.ux": 10.0}))
    np.testing.assert_allclose(found.state.q, [0.1, 0.1], rtol=1e-14)  # centre of mass stays
    np.testing.assert_allclose(found.state.v, [1.0, 1.0], rtol=1e-14)  # momentum stays
    np.testing.assert_allclose(found.moved, [0.1, -0.9], rtol=1e-14)
    assert "largest change of position: -9.000e-01 of light.ux" in str(found)
    assert "largest change of velocity: -9.000e+00 of light.ux" in str(found)


def test_kept_dof_stays(rod):
    found = rod.consistent(rod.state(q={"light.ux": 1.0}, v={"light.ux": 10.0}), keep=["light.ux"])
    np.testing.assert_allclose(found.state.q, [1.0, 1.0], rtol=1e-14)
    np.testing.assert_allclose(found.state.v, [10.0, 10.0], rtol=1e-14)


def test_kept_bodies_that_cannot_be_met(rod):
    with pytest.raises(SolverError, match=r"position.* with heavy.ux, light.ux kept: rod.r0"):
        rod.consistent(rod.state(q={"light.ux": 1.0}), keep=["heavy", "light"])


def test_kept_velocities_that_cannot_be_met(rod):
    with pytest.raises(SolverError, match=r"velocity.* kept: rod.r0 \(\+1.00e\+01\)"):
        rod.consistent(rod.state(v={"light.ux": 10.0}), keep=["heavy.ux", "light.ux"])


def test_consistent_state_is_not_touched(four_bar):
    system = four_bar()
    rest = system.rest()
    found = system.consistent(rest)
    assert np.abs(found.moved).max() == 0.0
    assert np.abs(found.changed).max() < 1e-15
    again = system.consistent(found.state).state
    np.testing.assert_array_equal(again.q, found.state.q)


@pytest.mark.parametrize("angle", [0.05, 0.4, -0.8])
def test_four_bar_closes_with_a_given_crank_angle(four_bar, angle):
    """The crank turns about n1 alone; the other joints close, although rows are redundant."""
    system = four_bar()
    start = system.state(q={"b1.rz": angle}, v={"b1.rz": 2.0})
    found = system.consistent(start, keep=["b1.rz"])
    rows = system.constraint(found.state)
    assert np.abs(rows.value).max() < 1e-11
    assert np.abs(rows.rate).max() < 1e-12
    assert found.moved[5] == 0.0  # no turn about the crank's axis
    assert found.state.v[5] == 2.0
    assert np.abs(found.state.q[4:6]).max() < 1e-11  # the crank does not tilt
    # redundant rows agree on the accelerations only on the constraints
    left = rows.jacobian @ found.acceleration + rows.bias
    assert np.abs(left).max() < 1e-9


def test_velocity_projection_is_the_nearest(four_bar):
    """The change is mass-orthogonal to every motion that the constraints allow."""
    system = four_bar()
    v = np.random.default_rng(1).normal(size=system.size)
    found = system.consistent(State(0.0, system.rest().q, v))
    motion = system.consistent(system.state(v={"b1.rz": 1.0}), keep=["b1.rz"]).state.v
    M = system.mass_matrix(found.state.q)
    assert abs(motion @ M @ found.changed) < 1e-12 * np.sqrt((motion @ M @ motion) * (v @ M @ v))


def test_conflicting_positions(quadric):
    body = RigidBody("mass", 2.0)
    rows = [quadric(n, (body,), np.eye(3)[:1], law=(p, 0, 0)) for n, p in (("a", 0.0), ("b", 1.0))]
    with pytest.raises(SolverError, match=r"a.r0 \(\+5.00e-01\), b.r0 \(-5.00e-01\)"):
        System([body], rows).consistent(System([body], rows).rest())


def test_conflicting_velocities(quadric):
    body = RigidBody("mass", 2.0)
    rows = [
        quadric(n, (body,), np.eye(3)[:1], law=(0.0, p, 0.0), level="velocity")
        for n, p in (("a", 1.0), ("b", 3.0))
    ]
    system = System([body], rows)
    with pytest.raises(SolverError, match=r"velocity constraints cannot be met: a.r0"):
        system.consistent(system.rest())


def test_conflicting_accelerations(quadric):
    body = RigidBody("mass", 2.0)
    rows = [
        quadric(n, (body,), np.eye(3)[:1], law=(0.0, 0.0, p)) for n, p in (("a", 1.0), ("b", 3.0))
    ]
    system = System([body], rows)
    with pytest.raises(SolverError, match=r"accelerations that exclude each other: a.r0, b.r0"):
        system.consistent(system.rest())


def test_out_of_reach(quadric):
    """A point on the x axis cannot be 1 m from (0, 2)."""
    body = RigidBody("bead", 1.0, ("ux",))
    row = quadric("rod", (body,), np.zeros((1, 1)), np.ones((1, 1, 1)), (0.5 * (1 - 4), 0, 0))
    system = System([body], [row])
    with pytest.raises(SolverError, match=r"rod.r0 \(\+1.50e\+00\)"):
        system.consistent(system.state(q={"bead.ux": 0.3}))


def test_named_positions_and_velocities(pin):
    arm = RigidBody("arm", 1.0, DOFS, (0.1, 0.1, 0.1))
    disc = RigidBody("disc", 1.0, ("rz",), (0.1, 0.1, 0.1))
    system = System([arm, disc], [Gravity([arm])])
    state = system.state(q={"arm.rx": 0.3, "disc.rz": 7.0}, v={"arm.uz": -2.0}, t=1.5)
    np.testing.assert_allclose(state.q, [0, 0, 0, np.cos(0.15), np.sin(0.15), 0, 0, 7.0])
    np.testing.assert_allclose(state.v, [0, 0, -2.0, 0, 0, 0, 0])
    assert state.t == 1.5


def test_unknown_names_list_close_ones(rod):
    with pytest.raises(InputError, match=r"unknown dof 'light.uy'; close names: light.ux"):
        rod.state(q={"light.uy": 1.0})
    with pytest.raises(InputError, match="unknown dof 'haevy'"):
        rod.consistent(rod.rest(), keep=["haevy"])


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_values_that_are_not_finite(rod, bad):
    with pytest.raises(InputError, match=r"v\['light.ux'\] =.* a finite number"):
        rod.state(v={"light.ux": bad})
    with pytest.raises(InputError, match="q of body 'light' = "):
        rod.consistent(State(0.0, np.array([0.0, bad]), np.zeros(2)))


def test_arrays_of_wrong_size(rod):
    with pytest.raises(InputError, match=r"invalid v of shape \(3,\): expected \(2,\)"):
        rod.consistent(State(0.0, np.zeros(2), np.zeros(3)))


def incline(slope, friction, rigid=False, normal=(1e6, 0.0)):
    """A block of 2 kg on an inclined plane, pressed in by its weight; no speed."""
    n = np.array([np.sin(slope), 0.0, np.cos(slope)])
    block = RigidBody("block", 2.0, ("ux", "uz"))
    foot, face = Surface(np.zeros((1, 3)), np.ones(1)), RigidFace(None, Plane(normal=tuple(n)))
    if rigid:
        pair = RigidContact(block, foot, face, friction, name="foot")
        return System([block], [pair, Gravity([block])]), np.zeros(2)
    pair = ContactPair(block, foot, face, PenaltyNormal(*normal), friction, "foot")
    weight = 2.0 * 9.80665 * np.cos(slope)
    return System([block], [pair, Gravity([block])]), -weight / normal[0] * n[[0, 2]]


def test_sticking_start_without_history():
    """Unbent bristles carry nothing yet: g sin(slope) along the plane, nothing across it."""
    slope = 0.2
    system, place = incline(slope, ElastoPlastic(0.5, 1e6, 100.0))
    start = replace(system.rest(), q=place)
    along = np.array([np.cos(slope), -np.sin(slope)])
    found = system.consistent(start)
    np.testing.assert_allclose(found.acceleration, 9.80665 * np.sin(slope) * along, atol=1e-9)
    assert not len(found.state.z)
    motion = simulate(system, 1e-4, start, step=1e-5)
    np.testing.assert_allclose(motion.a[0], found.acceleration, atol=1e-9)


def test_sticking_start_with_bent_bristles():
    """A bristle that carries m g sin(slope) below the limit holds the block: no acceleration."""
    slope, c = 0.2, 1e6
    system, place = incline(slope, ElastoPlastic(0.5, c, 100.0))
    along = np.array([np.cos(slope), 0.0, -np.sin(slope)])
    bent = 2.0 * 9.80665 * np.sin(slope) / c * along
    start = system.history_layout.filled(replace(system.rest(), q=place))
    start = replace(start, z=bent, status=np.array([1]))
    np.testing.assert_allclose(system.consistent(start).acceleration, 0.0, atol=1e-9)
    for method in ("implicit", "explicit", "ode", "events"):
        motion = simulate(system, 1e-3, start, method)
        assert np.abs(motion.q - place).max() < 1e-11, method
        assert motion.energies["slip"][-1] == 0.0


def test_spring_loaded_block_starts_from_rest():
    """A pressed block at rest on a stretched spring: k x/m, less what the bristles' damper does."""
    system, place = incline(0.0, ElastoPlastic(0.5, 1e6, 100.0))
    spring = Bearing(system.bodies[0], 400.0, 1e-9)
    system = System(system.bodies, [*system.items[1:], spring])
    start = replace(system.rest(), q=place + np.array([1e-3, 0.0]))
    np.testing.assert_allclose(system.consistent(start).acceleration, [-0.2, 0.0], atol=1e-8)


@pytest.mark.parametrize(("slope", "along"), [(0.2, 0.0), (0.6, 1.0)])
def test_rigid_start(slope, along):
    """A rigid incline: sticks below tan(slope) = mu, else g (sin - mu cos), from the first point.

    `consistent` meets the start and says that it does not know the force: NaN.
    """
    system, place = incline(slope, 0.5, rigid=True)
    found = system.consistent(replace(system.rest(), q=place))
    np.testing.assert_array_equal(found.state.q, place)
    assert np.isnan(found.acceleration).all()
    motion = simulate(system, 1e-2, method="moreau", step=1e-3)
    size = along * 9.80665 * (np.sin(slope) - 0.5 * np.cos(slope))
    exact = size * np.array([np.cos(slope), -np.sin(slope)])
    np.testing.assert_allclose(motion.a, np.tile(exact, (len(motion), 1)), atol=1e-9)


def test_the_message_names_the_contact():
    """A state at rest has no sliding force; the message says which contact, and what to do."""
    for law in (ElastoPlastic(0.5, 1e6), CoulombSliding(0.5)):
        system, place = incline(0.2, law)
        with pytest.raises(SolverError, match=r"foot: no sliding state:.* load_path,.* simulate"):
            system.force(replace(system.rest(), q=place))
