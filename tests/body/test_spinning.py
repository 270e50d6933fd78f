from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fecontact.analysis import complex_modes, linearise
from fecontact.body import RigidBody, SpinningDisc
from fecontact.errors import InputError
from fecontact.joint import Force, SpringDamper, TorsionSpring
from fecontact.system import System


def modes_of(disc):
    system = System([disc])
    return complex_modes(linearise(system, system.rest()))


@given(speed=st.floats(-600.0, 600.0))
def test_spectrum_in_space(fe, speed):
    """omega_k +- k Omega for every mode of the basis, both directions of spin."""
    exact = np.concatenate(
        [
            np.abs(fe.frequencies_of(k) + sign * k * speed)
            for k in range(5)
            for sign in ((1, -1) if k else (1,))
        ]
    )
    found = modes_of(SpinningDisc("plate", fe, speed)).eigenvalues
    np.testing.assert_allclose(np.sort(found.imag), np.sort(exact), rtol=1e-7)
    assert np.abs(found.real).max() < 1e-6 * np.abs(found.imag).max()


def test_forward_wave(ritz):
    """a = cos(nu t), b = sin(nu t) with nu = omega_1 + Omega runs with the spin (digest 2.5.4)."""
    speed = 400.0
    disc = SpinningDisc("plate", ritz, speed)
    nu = ritz.frequencies_of(1)[0] + speed
    q = np.zeros(9, dtype=complex)
    q[1:3] = 1.0, -1.0j  # Re(q e^{i nu t}) = cos(nu t), sin(nu t)
    force_q, force_v = disc.tangents(0.0, q.real, q.real)
    rest = -(nu**2) * (ritz.mass @ q) - 1j * nu * (force_v @ q) - force_q @ q
    assert np.abs(rest).max() < 1e-9 * np.abs(force_q @ q).max()


def test_partial_damping_is_that_of_the_source(ritz):
    """Decay rate d_i s_k/(2 rho h r0*): about 5 1/s at k = 1 and 84 1/s at k = 4 (digest 2.5.6)."""
    growth = modes_of(SpinningDisc("plate", ritz, 0.0, damping=5e-4, damping_rate="partial")).growth
    assert -growth[1] == pytest.approx(5.0, abs=0.2)
    assert -growth[-1] == pytest.approx(84.0, abs=0.5)


@given(speed=st.floats(0.0, 600.0))
def test_material_damping_does_not_depend_on_the_spin(fe, speed):
    """An observer on the plate sees the same decay at any speed."""
    at_rest = np.sort(modes_of(SpinningDisc("plate", fe, 0.0, damping=1e-6)).growth)
    spinning = np.sort(modes_of(SpinningDisc("plate", fe, speed, damping=1e-6)).growth)
    np.testing.assert_allclose(spinning, at_rest, rtol=1e-5)


def test_partial_damping_can_destabilise(ritz):
    """Above the critical speed the material rate of a backward wave turns, damping C q' cannot."""
    speed = 1.2 * ritz.frequencies_of(1)[0]
    material = modes_of(SpinningDisc("plate", ritz, speed, 1e-4, "material"))
    partial = modes_of(SpinningDisc("plate", ritz, speed, 1e-4, "partial"))
    assert material.stable
    assert not partial.stable


def test_load_at_a_point_fixed_in_space(difference, fe):
    """The disc turns under a pad: place and slope of the marker, energy and tangents."""
    disc = SpinningDisc("plate", fe, 300.0, damping=1e-6)
    point, rng = (0.06, 0.07, 0.0025), np.random.default_rng(2)
    q, v = 1e-3 * rng.uniform(-1, 1, fe.size), 0.1 * rng.uniform(-1, 1, fe.size)
    now = disc.marker(point).at(q, v)
    moved = np.array(point) + fe.reconstruct(q, np.array([point]).T)[:, 0]
    np.testing.assert_allclose(now.position, moved, atol=1e-15)
    w = difference(
        lambda x: fe.shapes(x[:1], x[1:]).value @ q, np.array(point[:2]), np.full(2, 1e-4)
    )[0]
    tilt = np.linalg.norm(w)  # the axis leans by this angle against the gradient
    np.testing.assert_allclose(now.rotation[:2, 2], -np.sin(tilt) / tilt * w, atol=1e-7 * tilt)
    items = (
        Force(disc, (1.0, -2.0, 30.0), point),
        SpringDamper(None, disc, 2e4, 3.0, (0.06, 0.07, 0.05), point),
    )
    for item in items:
        force, by_q, by_v = item.evaluate(0.0, q, v)
        step = np.full(fe.size, 1e-4)
        for found, value, at in (
            (by_q, lambda x, i=item: i.force(0.0, x, v), q),
            (by_v, lambda x, i=item: i.force(0.0, q, x), v),
        ):
            expected = difference(value, at, step)
            floor = 1e-12 * np.linalg.norm(force) / 1e-4
            assert np.linalg.norm(found - expected) <= 1e-7 * np.linalg.norm(expected) + floor
        rate = difference(
            lambda h, i=item: np.array([i.energy(0.0, q + h[0] * v, v)]), np.zeros(1), [1e-4]
        )[0, 0]
        still = item.force(0.0, q, 0.0 * v) @ v
        assert still == pytest.approx(-rate, rel=1e-7)
    with pytest.raises(InputError, match="lies outside the plate"):
        disc.marker((0.3, 0.0, 0.0))
    with pytest.raises(InputError, match="it must be x, y, z"):
        disc.marker("tip")
    with pytest.raises(InputError, match="spins at a prescribed speed"):
        TorsionSpring(None, disc, 1.0, point=point)


def test_names_of_freedoms_differ(fe):
    names = SpinningDisc("plate", fe, 1.0).freedoms
    assert len(set(names)) == fe.size


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"speed": np.nan}, "speed = nan"),
        ({"speed": 1.0, "damping": -1.0}, "damping = -1.0"),
        ({"speed": 1.0, "damping_rate": "no"}, "damping_rate = no"),
    ],
)
def test_bad_disc(fe, arguments, words):
    with pytest.raises(InputError, match=words):
        SpinningDisc("plate", fe, **arguments)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"mass": 0.0}, r"mass = 0.0 kg"),
        ({"mass": 1.0, "freedoms": ("ux", "tilt")}, "freedom = tilt"),
        ({"mass": 1.0, "freedoms": ("uy", "ux")}, "in the order"),
        ({"mass": 1.0, "freedoms": ("ux", "ux")}, "at most once"),
        ({"mass": 1.0, "freedoms": ("rx", "rz"), "inertia": (1, 1, 1)}, "or the tilts rx, ry"),
        ({"mass": 1.0, "freedoms": ("rz",)}, "needs its inertia"),
        ({"mass": 1.0, "freedoms": ("rz",), "inertia": (1, 1, 3)}, "sum of the other two"),
        ({"mass": 1.0, "freedoms": ("rz",), "inertia": (1, 1, 0)}, "each must be > 0"),
        ({"mass": 1.0, "freedoms": ("rz",), "inertia": (1, 1)}, "three principal moments"),
        ({"mass": 1.0, "freedoms": ("rz",), "inertia": (1, 1, 1), "spin": 2.0}, r"spin = 2.0"),
        ({"mass": 1.0, "position": (0, 0, np.nan)}, "position = nan"),
    ],
)
def test_bad_rigid_body(arguments, words):
    with pytest.raises(InputError, match=words):
        RigidBody("clutch", **arguments)


def test_points_of_a_rigid_rotor():
    body = RigidBody("clutch", 1.0, freedoms=("ux", "uz"), spin=100.0)
    motion = body.motion(np.array([1e-3, 2e-3]), np.array([3.0, 4.0]), np.array([[0.1, 0.0, 0.0]]))
    np.testing.assert_allclose(motion.position, [[0.101, 0.0, 0.002]])
    np.testing.assert_allclose(motion.velocity, [[3.0, 10.0, 4.0]])
