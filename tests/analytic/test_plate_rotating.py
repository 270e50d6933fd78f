"""Rotating plates and beams: rigid-body modes, spectrum, the harmonic plate as reference."""

import numpy as np
import pytest

from fecontact.errors import InputError
from fecontact.fem import (
    STEEL,
    HarmonicPlate,
    KirchhoffPlate,
    MindlinPlate,
    RotatingBody,
    Section,
    StationMass,
    static_displacement,
    straight_beam,
)
from fecontact.mesh import annulus, rectangle
from fecontact.reduction.basis import vibration_modes
from fecontact.reduction.inertia import inertia_integrals
from fecontact.solvers.eigen import lowest_modes, quadratic_eigenpairs

INNER, OUTER, THICKNESS = 0.05, 0.1, 0.002


def kirchhoff(radial=4, around=48, thickness=THICKNESS):
    return KirchhoffPlate(annulus(INNER, OUTER, radial, around), thickness, STEEL)


def mindlin(radial=2, around=24, thickness=THICKNESS, membrane=False):
    mesh = annulus(INNER, OUTER, radial, around, cell="quad", order=2)
    return MindlinPlate(mesh, thickness, STEEL, membrane=membrane)


def membrane(**sizes):
    return mindlin(**sizes, membrane=True)


PLATES = [kirchhoff, mindlin, membrane]


def rigid_part(plate):
    """Tilts about x and y, and what the mesh says about their inertia: diameter, polar."""
    R = plate.rigid_body_modes()
    tilts = R[:, 3:5] if R.shape[1] == 6 else R[:, 1:3]
    return tilts, inertia_integrals(plate, R[:, :0]).inertia


@pytest.mark.parametrize("make", PLATES)
def test_rotation_integrals_of_a_tilt(make):
    """u = theta x x: B_12 = int rho y^2 = -B_21, S = diag(int rho x^2, int rho y^2)."""
    plate = make(thickness=0.02)
    tilts, J = rigid_part(plate)
    B, S = (tilts.T @ (A @ tilts) for A in RotatingBody(plate).rotation)
    xx = yy = 0.5 * J[2, 2]  # the mesh has a rotational symmetry
    np.testing.assert_allclose(B, [[0, yy], [-xx, 0]], atol=1e-10 * xx)
    np.testing.assert_allclose(S, np.diag([xx, yy]), atol=1e-10 * xx)


@pytest.mark.parametrize("make", PLATES)
@pytest.mark.parametrize("thickness", [0.002, 0.02])
def test_free_disc_tilts_at_zero_and_nutates(make, thickness):
    """In space: 0 and Omega I_p/I_t; 2 Omega for Kirchhoff's plate, whose normal has no inertia.

    In its own frame: Omega and Omega (I_p/I_t - 1).
    """
    plate, Omega = make(thickness=thickness), 100.0
    tilts, J = rigid_part(plate)
    rotating = RotatingBody(plate)
    B, S = rotating.rotation
    ratio = 2.0 if make is kirchhoff else J[2, 2] / J[0, 0]
    cases = {
        "space": (B - B.T, S, [0.0, 0.0, ratio, ratio]),
        "own": (rotating.coriolis, rotating.spin_softening, [ratio - 1, ratio - 1, 1.0, 1.0]),
    }
    for name, (G, softening, expected) in cases.items():
        K = plate.stiffness + Omega**2 * (rotating.centrifugal_stiffness - softening)
        z, _ = quadratic_eigenpairs(*(tilts.T @ (A @ tilts) for A in (plate.mass, Omega * G, K)))
        found = np.sort(np.abs(z.imag)) / Omega
        np.testing.assert_allclose(found, expected, atol=1e-6, err_msg=name)


def spectrum(plate, K, G, S, Omega, count):
    """Frequencies in space, from the lowest free modes of the plate at the speed."""
    _, X = vibration_modes(K, plate.mass, plate.free, count)
    z, _ = quadratic_eigenpairs(*(X.T @ (A @ X) for A in (plate.mass, Omega * G, K - Omega**2 * S)))
    return np.sort(z.imag[z.imag > 0.0])


def waves(plate, Omega, stress):
    """Distance of the spectrum in space from the harmonic plate: |omega_k +- k Omega|, k = 2, 3.

    The harmonic plate is a Fourier series with Hermite elements, on an exact circle and with the
    exact stress. Without stress the plate's own omega_k is the reference.
    """
    rotating, reference = RotatingBody(plate), HarmonicPlate(INNER, OUTER, THICKNESS, STEEL)
    B, S = rotating.rotation
    K = plate.stiffness + 1e3 * plate.mass  # keeps the rigid-body modes away from zero
    if stress:
        K = plate.stiffness + Omega**2 * rotating.centrifugal_stiffness
    own = vibration_modes(K, plate.mass, plate.free, 12)[0]
    found = spectrum(plate, K, B - B.T, S, Omega, 14)
    errors = []
    for k, number in ((2, 3), (3, 6)):
        omega = own[number]
        if stress:
            k_stiff = reference.stiffness(k) + Omega**2 * reference.geometric_stiffness(k)
            omega = lowest_modes(k_stiff, reference.mass(k), 1)[0][0]
        exact = np.array([abs(omega - k * Omega), omega + k * Omega])
        errors += list(np.min(np.abs(found - exact[:, None]), axis=1) / (k * Omega))
    return np.array(errors)


SPEEDS = [
    pytest.param(300.0, False, id="without stress"),
    pytest.param(2000.0, True, id="with stress"),  # adds a fifth to omega_2
]


@pytest.mark.parametrize(("Omega", "stress"), SPEEDS)
def test_kirchhoff_disc_in_space_converges(Omega, stress):
    """The slopes of Morley's functions have an error of second order."""
    coarse, fine = (waves(kirchhoff(*cells), Omega, stress) for cells in ((4, 48), (8, 96)))
    assert np.max(fine) < 6e-3
    np.testing.assert_allclose(coarse / fine, 4.0, rtol=0.1)


@pytest.mark.parametrize(("Omega", "stress"), SPEEDS)
def test_mindlin_disc_in_space(Omega, stress):
    """What remains is physics: shear and rotary inertia of the order (h k/r)^2/2, 1.4e-3 here."""
    assert np.max(waves(mindlin(4, 48), Omega, stress)) < 2e-3


def test_plate_about_an_axis_in_its_plane():
    """About y: w is softened by its full mass, the load vanishes in Kirchhoff's unknowns."""
    plate = kirchhoff(2, 24)
    rotating = RotatingBody(plate, axis=(0.0, 1.0, 0.0))
    assert abs(rotating.spin_softening - plate.mass).max() < 1e-14 * abs(plate.mass).max()
    assert abs(rotating.coriolis).max() == 0.0
    assert np.abs(rotating.centrifugal_load).max() == 0.0


@pytest.mark.parametrize("theory", ["timoshenko", "euler_bernoulli"])
def test_beams_answer_as_their_own_rotation(theory):
    """One set of matrices, by either door; the mean tensions of a displacement come near."""
    weight = StationMass("right", 0.3)
    beam = straight_beam(
        1.0, Section.rectangle(0.02, 0.01), STEEL, {"left": "clamped"}, theory=theory, elements=30,
        masses=[weight],
    )  # fmt: skip
    axis = (0.0, 0.6, 0.8)
    own, general = beam.rotation(axis), RotatingBody(beam, axis)
    for a, b in (
        (own.gyroscopic, general.coriolis),
        (own.centrifugal, general.spin_softening),
    ):
        assert abs(a - b).max() < 1e-13 * abs(a).max()
    np.testing.assert_allclose(general.centrifugal_load, own.load, atol=1e-13)
    assert abs(own.geometric - general.centrifugal_stiffness).max() == 0.0
    u = static_displacement(beam, general.centrifugal_load)
    bending = beam.free[np.isin(beam.free % 6, (1, 2))]
    near, exact = (A[bending][:, bending] for A in (beam.geometric_stiffness(u), own.geometric))
    assert abs(near - exact).max() < 2e-2 * abs(exact).max()


def test_disc_on_a_shaft_has_gyroscopic_moments():
    """In the turning frame a rigid disc feels the torque (I_y + I_z - I_x) Omega theta'."""
    moments = (3e-3, 1e-3, 2e-3)
    bare, with_disc = (
        straight_beam(1.0, Section.circle(0.02), STEEL, elements=2, masses=masses)
        for masses in ((), [StationMass("right", 0.0, moments)])
    )
    added = RotatingBody(with_disc, (1, 0, 0)).coriolis - RotatingBody(bare, (1, 0, 0)).coriolis
    node = 6 * with_disc.station_node("right")
    expected = np.zeros(added.shape)
    expected[node + 4, node + 5] = moments[0] - moments[1] - moments[2]
    np.testing.assert_allclose(added.toarray(), expected - expected.T, atol=1e-15)


def test_bodies_that_cannot_be_seen_from_space():
    square = {c: rectangle(0.2, 0.2, cell=c).translated((-0.1, -0.1)) for c in ("tri", "quad")}
    squares = KirchhoffPlate(square["tri"], 0.01, STEEL), MindlinPlate(square["quad"], 0.01, STEEL)
    for plate in squares:
        with pytest.raises(InputError, match="needs a body axisymmetric about its axis"):
            _ = RotatingBody(plate).rotation
    beam = straight_beam(1.0, Section.circle(0.02), STEEL)
    with pytest.raises(InputError, match="invalid Beam in the space-fixed frame"):
        _ = RotatingBody(beam).rotation
    for place in ({"axis": (1.0, 0.0, 0.0)}, {"origin": (0.1, 0.0, 0.0)}, {"axis": (0, 0, -1)}):
        with pytest.raises(InputError, match="expected the z axis through the origin"):
            _ = RotatingBody(kirchhoff(2, 24), **place).rotation
