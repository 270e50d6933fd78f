from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg as la
from hypothesis import given
from hypothesis import strategies as st

from fecontact.analysis import complex_modes, linearise
from fecontact.body import RigidBody, SpinningDisc
from fecontact.errors import InputError
from fecontact.fem import STEEL, HarmonicPlate
from fecontact.reduction.harmonic import HarmonicModel
from fecontact.reference.structures.rotating_disc import spinning_membrane_frequency
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
    """a = cos(nu t), b = sin(nu t) with nu = omega_1 + Omega runs with the spin (notes 2.5.4)."""
    speed = 400.0
    disc = SpinningDisc("plate", ritz, speed)
    nu = ritz.frequencies_of(1)[0] + speed
    q = np.zeros(9, dtype=complex)
    q[1:3] = 1.0, -1.0j  # Re(q e^{i nu t}) = cos(nu t), sin(nu t)
    force_q, force_v = disc.tangents(0.0, q.real, q.real)
    rest = -(nu**2) * (ritz.mass @ q) - 1j * nu * (force_v @ q) - force_q @ q
    assert np.abs(rest).max() < 1e-9 * np.abs(force_q @ q).max()


def test_partial_damping_is_that_of_the_source(ritz):
    """Decay rate d_i s_k/(2 rho h r0*): about 5 1/s at k = 1 and 84 1/s at k = 4 (notes 2.5.6)."""
    growth = modes_of(SpinningDisc("plate", ritz, 0.0, damping=5e-4, damping_rate="partial")).growth
    assert -growth[1] == pytest.approx(5.0, abs=0.2)
    assert -growth[-1] == pytest.approx(84.0, abs=0.5)


@given(speed=st.floats(0.0, 600.0))
def test_material_damping_does_not_depend_on_the_spin(fe, speed):
    """An observer on the plate sees the same decay at any speed."""
    at_rest = np.sort(modes_of(SpinningDisc("plate", fe, 0.0, damping=1e-6)).growth)
    spinning = np.sort(modes_of(SpinningDisc("plate", fe, speed, damping=1e-6)).growth)
    np.testing.assert_allclose(spinning, at_rest, rtol=1e-5)


@pytest.mark.filterwarnings("ignore:modes grow outside the band")
def test_partial_damping_can_destabilise(ritz):
    """Above the critical speed the material rate of a backward wave turns, damping C q' cannot.

    Space sees backward waves with more nodal diameters, which the basis misses, at any frequency:
    a verdict needs a band.
    """
    speed = 1.2 * ritz.frequencies_of(1)[0]
    material = modes_of(SpinningDisc("plate", ritz, speed, 1e-4, "material"))
    partial = modes_of(SpinningDisc("plate", ritz, speed, 1e-4, "partial"))
    with pytest.raises(InputError, match="'plate' is valid at no frequency"):
        material.stable  # noqa: B018
    assert material.within((0.0, 1e5)).stable
    assert not partial.within((0.0, 1e5)).stable


def all_frequencies(disc):
    """Imaginary parts of all 2 m eigenvalues, ascending without their sign."""
    m = disc.model.size
    by_q, by_v = (
        np.linalg.solve(disc.model.mass, A) for A in disc.tangents(0.0, *np.zeros((2, m)))
    )
    first_order = np.block([[np.zeros((m, m)), np.eye(m)], [by_q, by_v]])
    return np.sort(np.abs(la.eigvals(first_order).imag))


@pytest.mark.parametrize("speed", [-300.0, 500.0])
def test_free_disc_tilts_at_zero_and_twice_the_speed(speed):
    """Rigid-body modes with the centrifugal stress: heave at 0, tilt at 0 and 2 Omega (Euler).

    Without it the tilt has no stiffness in its own frame: 0 +- Omega in space.
    """
    plate, Omega = HarmonicPlate(0.05, 0.1, 0.002, STEEL), abs(speed)
    heave = plate.interpolate(np.ones_like(plate.nodes), 0.0 * plate.nodes)
    tilt = plate.interpolate(plate.nodes, np.ones_like(plate.nodes))
    model = HarmonicModel(plate, (heave[:, None], tilt[:, None]))
    with_stress, without = (
        all_frequencies(SpinningDisc("disc", model, speed, centrifugal_stress=on))
        for on in (True, False)
    )
    round_off = 1e-4  # of the root of a double zero
    np.testing.assert_allclose(with_stress / Omega, [0, 0, 0, 0, 2, 2], atol=round_off)
    np.testing.assert_allclose(without / Omega, [0, 0, 1, 1, 1, 1], atol=round_off)


@pytest.mark.parametrize("diameters", [2, 3])
def test_membrane_disc_in_space(diameters):
    """Disc without bending stiffness: Omega (c_n +- n), c_n of Lamb and Southwell; hole of 1 %."""
    plate, speed = HarmonicPlate(0.001, 0.1, 1e-7, STEEL, elements=40), 1e4
    every = np.eye(plate.basis.N)
    model = HarmonicModel(plate, (*[every[:, :0]] * diameters, every))
    found = all_frequencies(SpinningDisc("disc", model, speed, centrifugal_stress=True)) / speed
    ratio = spinning_membrane_frequency(STEEL.poisson, diameters)
    for expected in (ratio + diameters, abs(ratio - diameters)):
        assert np.min(np.abs(found - expected)) < 2e-3 * ratio


@pytest.mark.parametrize("speed", [-600.0, 250.0])
def test_spectrum_in_space_with_centrifugal_stress(fe, speed):
    """omega_k +- k Omega with omega_k of the plate that the stress stiffens."""
    disc = SpinningDisc("plate", fe, speed, centrifugal_stress=True)
    exact = []
    for k in range(5):
        f = fe.radial[k]
        K, M = fe.plate.stiffness(k) + speed**2 * fe.plate.geometric_stiffness(k), fe.plate.mass(k)
        omega = np.sqrt(la.eigh(f.T @ (K @ f), f.T @ (M @ f), eigvals_only=True))
        exact += [np.abs(omega + sign * k * speed) for sign in ((1, -1) if k else (1,))]
    found = np.sort(modes_of(disc).eigenvalues.imag)
    np.testing.assert_allclose(found, np.sort(np.concatenate(exact)), rtol=1e-7)


def test_names_of_dofs_differ(fe):
    names = SpinningDisc("plate", fe, 1.0).dofs
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
        ({"mass": 1.0, "dofs": ("ux", "tilt")}, "dof = tilt"),
        ({"mass": 1.0, "dofs": ("uy", "ux")}, "in the order"),
        ({"mass": 1.0, "dofs": ("ux", "ux")}, "at most once"),
        ({"mass": 1.0, "dofs": ("rx", "rz"), "inertia": (1, 1, 1)}, "or the tilts rx, ry"),
        ({"mass": 1.0, "dofs": ("rz",)}, "needs its inertia"),
        ({"mass": 1.0, "dofs": ("rz",), "inertia": (1, 1, 3)}, "sum of the other two"),
        ({"mass": 1.0, "dofs": ("rz",), "inertia": (1, 1, 0)}, "expected each > 0"),
        ({"mass": 1.0, "dofs": ("rz",), "inertia": (1, 1)}, "three principal moments"),
        ({"mass": 1.0, "dofs": ("rz",), "inertia": (1, 1, 1), "spin": 2.0}, r"spin = 2.0"),
        ({"mass": 1.0, "position": (0, 0, np.nan)}, "position = nan"),
    ],
)
def test_bad_rigid_body(arguments, words):
    with pytest.raises(InputError, match=words):
        RigidBody("clutch", **arguments)


def test_points_of_a_rigid_rotor():
    body = RigidBody("clutch", 1.0, dofs=("ux", "uz"), spin=100.0)
    motion = body.point_motion(
        np.array([1e-3, 2e-3]), np.array([3.0, 4.0]), np.array([[0.1, 0.0, 0.0]])
    )
    np.testing.assert_allclose(motion.position, [[0.101, 0.0, 0.002]])
    np.testing.assert_allclose(motion.velocity, [[3.0, 10.0, 4.0]])
