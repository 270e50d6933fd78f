"""Rotating beams: centrifugal stiffening and softening, Coriolis coupling, critical speeds."""

import numpy as np
import pytest
import scipy.linalg as la

from fecontact.fem import STEEL, Section, Segment, StationMass, straight_beam
from fecontact.fem.beam.body import Beam
from fecontact.reference import WRIGHT_1982, rotating_cantilever_frequencies
from fecontact.solvers.eigen import lowest_modes, quadratic_eigenpairs

SECTION = Section.rectangle(0.02, 0.01)
UNIT = np.sqrt(STEEL.density * SECTION.area / (STEEL.young * SECTION.inertia_y))


def blade(hub=0.0, elements=40):
    segment = Segment(hub, hub + 1.0, SECTION, STEEL, elements)
    return Beam([segment], {"left": "clamped"}, theory="euler_bernoulli")


def bending(beam, rotation, speed, fields, count):
    """Frequencies without Coriolis coupling, times UNIT."""
    Omega = speed / UNIT
    K = beam.stiffness + Omega**2 * (rotation.geometric - rotation.centrifugal)
    only = beam.free[np.isin(beam.free % 6, fields)]
    return lowest_modes(K[only][:, only], beam.mass[only][:, only], count)[0] * UNIT


@pytest.mark.parametrize("speed", WRIGHT_1982)
def test_power_series_gives_the_published_table(speed):
    exact = rotating_cantilever_frequencies(speed, 3)
    assert np.allclose(exact, WRIGHT_1982[speed], atol=1.01e-4)


@pytest.mark.parametrize("speed", [0, 3, 12])
@pytest.mark.parametrize("hub", [0.0, 1.0])
def test_flap_of_the_finite_element_blade(speed, hub):
    beam = blade(hub)
    found = bending(beam, beam.rotation((0, 0, 1)), speed, (2, 4), 3)
    exact = rotating_cantilever_frequencies(speed, 3, hub_radius=hub)
    assert np.allclose(found, exact, rtol=3e-6)


@pytest.mark.parametrize("speed", [3, 12])
def test_lag_is_softened_by_the_centrifugal_force(speed):
    """Bending in the plane of rotation about y: K_sigma - K_c."""
    beam = blade(hub=0.5)
    found = bending(beam, beam.rotation((0, 1, 0)), speed, (2, 4), 2)
    exact = rotating_cantilever_frequencies(speed, 2, hub_radius=0.5, motion="lag")
    assert np.allclose(found, exact, rtol=3e-6)
    flap = rotating_cantilever_frequencies(speed, 2, hub_radius=0.5)
    assert np.allclose(flap**2 - exact**2, speed**2, rtol=1e-8)


def test_southwell_bound_holds():
    """omega^2 >= omega_0^2 + Omega^2 (Southwell 1921: sum of the parts of two problems)."""
    rest, spinning = (rotating_cantilever_frequencies(s)[0] for s in (0.0, 5.0))
    assert spinning**2 > rest**2 + 5.0**2


def test_tension_is_exact_on_one_element():
    """The tension of the load inside the element is integrated, not sampled at the nodes."""
    beam, length = blade(elements=1), 1.0
    m = STEEL.density * SECTION.area
    u = np.zeros(beam.stiffness.shape[0])
    nodes = beam.chain.body_nodes[:, 0]
    u[2::6], u[4::6] = nodes**2, -2.0 * nodes  # w = x^2
    energy = u @ beam.rotation((0, 0, 1)).geometric @ u
    # int m (L^2 - x^2)/2 (2 x)^2 dx
    assert energy == pytest.approx(2 * m * (length**5 / 3 - length**5 / 5))


class TestSpinningShaft:
    """Rotation about the beam's own axis, in the rotating frame."""

    def shaft(self, **options):
        supports = {"left": "pinned", "right": "pinned"}
        return straight_beam(
            1.0, Section.circle(0.02), STEEL, supports, theory="euler_bernoulli", **options
        )

    def spectrum(self, beam, Omega):
        rotation, free = beam.rotation((1, 0, 0)), beam.free
        K = beam.stiffness - Omega**2 * rotation.centrifugal
        M, G, K = (A[free][:, free].toarray() for A in (beam.mass, Omega * rotation.gyroscopic, K))
        z, _ = quadratic_eigenpairs(M, G, K)
        return np.sort(z.imag[z.imag > 1.0])

    def test_whirl_is_seen_at_the_difference_of_frequency_and_speed(self):
        beam, Omega = self.shaft(elements=8), 150.0
        free = beam.free
        rest = lowest_modes(beam.stiffness[free][:, free], beam.mass[free][:, free], 2)[0][0]
        found = self.spectrum(beam, Omega)
        assert np.min(np.abs(found - (rest - Omega))) < 1e-6 * rest
        assert np.min(np.abs(found - (rest + Omega))) < 1e-6 * rest

    def test_matrices_have_their_symmetry(self):
        rotation = self.shaft(masses=[StationMass("right", 2.0)]).rotation((1, 0, 0))
        assert abs(rotation.gyroscopic + rotation.gyroscopic.T).max() < 1e-14
        assert abs(rotation.centrifugal - rotation.centrifugal.T).max() < 1e-14
        assert abs(rotation.geometric - rotation.geometric.T).max() < 1e-14
        assert np.abs(rotation.load).max() == 0.0

    def test_twist_is_indifferent(self):
        """Torsion about the axis of rotation keeps its frequency: K_sigma = K_c there."""
        rotation = self.shaft(masses=[StationMass("right", 2.0, (3.0, 2.0, 2.0))]).rotation(
            (1, 0, 0)
        )
        twist = np.arange(rotation.load.size) % 6 == 3
        K_sigma, K_c = (A.toarray() for A in (rotation.geometric, rotation.centrifugal))
        assert np.allclose(K_sigma[twist][:, twist], K_c[twist][:, twist], rtol=1e-13)
        assert abs(K_c[twist][:, twist]).max() > 1.0

    def test_disc_at_the_end_of_a_shaft(self):
        """Rotor dynamics in space, M q'' + Omega G q' + K q = 0 with G of the disc's I_p only.

        The shaft is round, so each whirl is seen in the turning frame at its difference to Omega.
        """
        Omega, polar, diametral = 400.0, 0.03, 0.02
        disc = StationMass("right", 4.0, (polar, diametral, diametral))
        section = Section.circle(0.03)
        beam = straight_beam(
            0.5, section, STEEL, {"left": "clamped"}, theory="euler_bernoulli", elements=6,
            masses=[disc],
        )  # fmt: skip
        bending = beam.free[np.isin(beam.free % 6, (1, 2, 4, 5))]
        M, K = (A[bending][:, bending].toarray() for A in (beam.mass, beam.stiffness))
        G = np.zeros(beam.mass.shape)
        node = 6 * beam.station_node("right")
        G[node + 4, node + 5], G[node + 5, node + 4] = polar, -polar
        z, _ = quadratic_eigenpairs(M, Omega * G[np.ix_(bending, bending)], K)
        space = np.sort(z.imag[z.imag > 0.0])[:4]
        rotation = beam.rotation((1, 0, 0))
        K_r = K + Omega**2 * (rotation.geometric - rotation.centrifugal)[bending][:, bending]
        z, _ = quadratic_eigenpairs(
            M, Omega * rotation.gyroscopic[bending][:, bending].toarray(), K_r
        )
        for whirl in space:
            seen = np.abs(z.imag)
            nearest = min(np.min(np.abs(seen - abs(whirl + s * Omega))) for s in (1.0, -1.0))
            assert nearest < 1e-7 * whirl
        assert np.ptp(space[:2]) > 0.01 * space[0]  # the disc splits forward and backward whirl

    def test_critical_speed_is_the_bending_frequency(self):
        beam = self.shaft()
        free = beam.free
        K, K_c = (
            A[free][:, free].toarray()
            for A in (beam.stiffness, beam.rotation((1, 0, 0)).centrifugal)
        )
        critical = 1.0 / np.sqrt(la.eigh(K_c, K, eigvals_only=True)[-1])
        section, E, rho = Section.circle(0.02), STEEL.young, STEEL.density
        exact = np.pi**2 * np.sqrt(E * section.inertia_y / (rho * section.area))
        assert critical == pytest.approx(exact, rel=1e-6)


@pytest.mark.parametrize("theory", ["timoshenko", "euler_bernoulli"])
def test_torsion_of_a_blade_without_torsional_stiffness(theory):
    """((1 - x^2) theta')'/2 + (omega^2/Omega^2 - c) theta = 0, c = (I_z - I_y)/(I_z + I_y).

    Legendre's equation; theta = x is its solution that vanishes at the root, omega^2 = (1 + c)
    Omega^2. The first term is the tension of the screwed fibres, c the propeller moment.
    """
    inertia_y, inertia_z = 2e-9, 7e-9
    section = Section(1e-4, inertia_y, inertia_z, torsion=1e-24)
    beam = Beam([Segment(0.0, 1.0, section, STEEL, 5)], {"left": "clamped"}, theory=theory)
    rotation = beam.rotation((0, 0, 1))
    twist = beam.free[beam.free % 6 == 3]
    K, M = (
        A[twist][:, twist].toarray() for A in (rotation.geometric - rotation.centrifugal, beam.mass)
    )
    expected = 1.0 + (inertia_z - inertia_y) / (inertia_z + inertia_y)
    theta = beam.chain.body_nodes[beam.free // 6, 0][beam.free % 6 == 3]
    assert np.allclose(K @ theta, expected * M @ theta, atol=1e-13 * np.abs(M @ theta).max())


@pytest.mark.parametrize("start", [-0.5, 0.0, 2.0])
def test_free_beam_carries_the_tension_of_its_own_spin(start):
    """Wherever the axis is: N = rho A ((L/2)^2 - s^2)/2, s from the middle of the beam.

    The rest of the centrifugal load accelerates the beam as a whole; so does all of a uniform one.
    """
    beam = Beam([Segment(start, start + 1.0, SECTION, STEEL, 3)], theory="euler_bernoulli")
    u = np.zeros(beam.stiffness.shape[0])
    s = beam.chain.body_nodes[:, 0] - start - 0.5
    u[2::6], u[4::6] = s**2, -2.0 * s  # w = s^2
    energy = u @ beam.rotation((0, 0, 1)).geometric @ u
    m = STEEL.density * SECTION.area
    assert energy == pytest.approx(4 * m * (0.25 * (2 / 3) * 0.5**3 - (2 / 5) * 0.5**5) / 2)
    uniform = beam.inertia_stiffness(np.array([1.0, 0.0, 0.0]), np.zeros((3, 3)))
    assert abs(u @ uniform @ u) < 1e-9 * m


def test_free_body_moves_straight_in_the_rotating_frame():
    """A rigid translation obeys the inertial law: M u'' + 2 Omega x u' - Omega^2 P u = 0."""
    beam = straight_beam(1.0, SECTION, STEEL, {"left": "clamped"}, elements=4)
    R = beam.rigid_body_modes()[:, :3]
    axis = np.array([0.0, 0.0, 1.0])
    rotation = beam.rotation(axis)
    m = STEEL.density * SECTION.area
    spin = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 0]])
    assert np.allclose(R.T @ rotation.gyroscopic @ R, 2 * m * spin)
    assert np.allclose(R.T @ rotation.centrifugal @ R, m * np.diag([1, 1, 0]))
    assert np.allclose(R.T @ rotation.load, m * np.array([0.5, 0, 0]))
