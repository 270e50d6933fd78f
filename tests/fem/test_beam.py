import numpy as np
import pytest
import scipy.linalg as la
from scipy.optimize import brentq

from fecontact.errors import InputError
from fecontact.fem import STEEL, Beam, Section, Segment, StationMass, StationSpring, straight_beam
from fecontact.solvers.eigen import lowest_modes
from fecontact.solvers.linear import factorise

SECTION = Section.rectangle(0.03, 0.02)
G = STEEL.young / (2 * (1 + STEEL.poisson))
EI = STEEL.young * SECTION.inertia_y
THEORIES = ("euler_bernoulli", "timoshenko")


def delaminated(theory="timoshenko", motion="spatial"):
    """Stepped beam that splits into two parallel segments at different heights and depths."""
    parts = [
        Segment(0.2, 0.5, Section.rectangle(0.03, 0.02), STEEL, 3, name="root"),
        Segment(0.5, 0.9, Section.rectangle(0.02, 0.012), STEEL, 4, (0.003, 0.004), "upper"),
        Segment(0.5, 0.9, Section.circle(0.008), STEEL, 5, (-0.002, -0.006), "lower"),
        Segment(0.9, 1.3, Section.rectangle(0.03, 0.02), STEEL, 2, name="tip"),
    ]
    return Beam(parts, theory=theory, motion=motion)


def solve(beam, load):
    u = np.zeros(len(load))
    free = beam.free
    u[free] = factorise(beam.stiffness[free][:, free])(load[free])
    return u


def frequencies(beam, count, extra=0.0):
    free = beam.free
    K = (beam.stiffness + extra)[free][:, free]
    return lowest_modes(K, beam.mass[free][:, free], count)[0] / (2 * np.pi)


def rigid_field(points, columns):
    rotations = np.cross(np.eye(3), points[:, None, :]).transpose(0, 2, 1)
    translations = np.tile(np.eye(3), (len(points), 1, 1))
    return np.concatenate([translations, rotations], axis=2)[:, :, columns]


@pytest.mark.parametrize("theory", THEORIES)
@pytest.mark.parametrize(("motion", "columns"), [("spatial", range(6)), ("planar", (0, 2, 4))])
class TestRigidBodyModes:
    def test_cost_no_energy(self, theory, motion, columns):
        beam = delaminated(theory, motion)
        R = beam.rigid_body_modes()
        assert R.shape[1] == len(columns)
        assert np.abs(beam.stiffness @ R).max() < 1e-13 * np.abs(beam.stiffness).max()

    def test_are_the_only_motions_without_energy(self, theory, motion, columns):
        squares = la.eigvalsh(delaminated(theory, motion).stiffness.toarray())
        assert np.count_nonzero(squares < 1e-9 * squares[-1]) == len(columns)

    def test_move_faces_and_geometry_as_one_body(self, theory, motion, columns):
        beam = delaminated(theory, motion)
        R = beam.rigid_body_modes()
        surfaces = [beam.surface(name) for name in ("top", "bottom", "upper.bottom", "lower.top")]
        for part in (beam.geometry, *surfaces):
            moved = (part.shape @ R).reshape(-1, 3, len(columns))
            expected = rigid_field(part.points, list(columns))
            if motion == "planar":
                expected[:, 1] = 0.0
            assert np.allclose(moved, expected, atol=1e-14)


def test_mass_of_rigid_motions_is_that_of_the_solid_bar():
    beam = straight_beam(1.0, SECTION, STEEL, elements=3)
    R = beam.rigid_body_modes()
    R[:, 4] += 0.5 * R[:, 2]  # about the centre
    R[:, 5] -= 0.5 * R[:, 1]
    m = STEEL.density * SECTION.area
    b, h = SECTION.width, SECTION.height
    expected = [m, m, m, m * (b**2 + h**2) / 12, m * (1 + h**2) / 12, m * (1 + b**2) / 12]
    assert np.allclose(R.T @ beam.mass @ R, np.diag(expected), atol=1e-12)


@pytest.mark.parametrize("elements", [1, 3])
@pytest.mark.parametrize("slenderness", [2.0, 1e5])
class TestCantileverIsExact:
    """End loads: the static solution lies in the element, so one element is enough."""

    def tip(self, elements, slenderness, field, theory="timoshenko"):
        section = Section.rectangle(1.5 / slenderness, 1.0 / slenderness)
        beam = straight_beam(
            1.0, section, STEEL, {"left": "clamped"}, elements=elements, theory=theory
        )
        load = np.zeros(beam.stiffness.shape[0])
        tip = 6 * beam.station_node("right")
        load[tip + field] = 1.0
        return section, solve(beam, load)[tip : tip + 6]

    @pytest.mark.parametrize(("field", "turn", "sign"), [(1, 5, 1.0), (2, 4, -1.0)])
    def test_force(self, elements, slenderness, field, turn, sign):
        section, u = self.tip(elements, slenderness, field)
        bending = STEEL.young * (section.inertia_z if field == 1 else section.inertia_y)
        shear = 5 / 6 * G * section.area
        assert u[field] == pytest.approx(1 / (3 * bending) + 1 / shear, rel=1e-8)
        assert u[turn] == pytest.approx(sign / (2 * bending), rel=1e-8)

    def test_force_without_shear_strain(self, elements, slenderness):
        section, u = self.tip(elements, slenderness, 2, "euler_bernoulli")
        assert u[2] == pytest.approx(1 / (3 * STEEL.young * section.inertia_y), rel=1e-8)

    def test_couple(self, elements, slenderness):
        section, u = self.tip(elements, slenderness, 4)
        bending = STEEL.young * section.inertia_y
        assert u[4] == pytest.approx(1 / bending, rel=1e-8)
        assert u[2] == pytest.approx(-1 / (2 * bending), rel=1e-8)

    def test_pull_and_twist(self, elements, slenderness):
        section, u = self.tip(elements, slenderness, 0)
        assert u[0] == pytest.approx(1 / (STEEL.young * section.area))
        section, u = self.tip(elements, slenderness, 3)
        assert u[3] == pytest.approx(1 / (G * section.torsion))


def test_patch_of_unequal_elements_carries_constant_curvature():
    cuts = (0.0, 0.17, 0.4, 1.0)
    segments = [
        Segment(a, b, SECTION, STEEL, n) for a, b, n in zip(cuts, cuts[1:], (1, 3, 2), strict=False)
    ]
    beam = Beam(segments, {"left": "clamped"})
    load = np.zeros(beam.stiffness.shape[0])
    load[6 * beam.station_node("right") + 4] = EI
    u = solve(beam, load).reshape(-1, 6)
    x = beam.chain.body_nodes[:, 0]
    assert np.allclose(u[:, 2], -(x**2) / 2, atol=1e-12)
    assert np.allclose(u[:, 4], x, atol=1e-12)


def test_split_beam_without_gap_is_stiffer_than_two_loose_halves():
    """Two halves joined at both ends bend together: f = layers with the axial coupling."""

    def cantilever(offset):
        halves = [
            Segment(0, 1, Section.rectangle(0.02, 0.005), STEEL, 8, (0, s * offset))
            for s in (1, -1)
        ]
        beam = Beam(halves, {"left": "clamped"}, theory="euler_bernoulli", motion="planar")
        load = np.zeros(beam.stiffness.shape[0])
        load[3 * beam.station_node("right") + 2] = 1.0  # end couple: constant curvature
        return solve(beam, load)[3 * beam.station_node("right") + 2]

    E, one = STEEL.young, Section.rectangle(0.02, 0.005)
    assert cantilever(0.0) == pytest.approx(1 / (2 * E * one.inertia_y))
    together = 2 * E * (one.inertia_y + one.area * 0.0025**2)
    assert together == pytest.approx(E * Section.rectangle(0.02, 0.01).inertia_y)
    assert cantilever(0.0025) == pytest.approx(1 / together)


class TestFaces:
    def test_weights_add_up_to_the_length(self):
        assert delaminated().surface("top").weights.sum() == pytest.approx(1.1)
        assert delaminated().surface("lower.top").weights.sum() == pytest.approx(0.4)

    def test_outer_faces_belong_to_the_outermost_segments(self):
        top, bottom = (delaminated().surface(name) for name in ("top", "bottom"))
        inside = (top.points[:, 0] > 0.55) & (top.points[:, 0] < 0.85)
        assert np.allclose(top.points[inside, 2], 0.004 + 0.006)
        inside = (bottom.points[:, 0] > 0.55) & (bottom.points[:, 0] < 0.85)
        assert np.allclose(bottom.points[inside, 2], -0.006 - 0.004)
        assert np.all(top.normals == [0, 0, 1])
        assert np.all(bottom.normals == [0, 0, -1])

    def test_cubic_line_load_is_integrated_exactly(self):
        top = straight_beam(2.0, SECTION, STEEL, elements=3).surface("top")
        x = top.points[:, 0]
        assert top.weights @ x**3 == pytest.approx(4.0)

    @pytest.mark.parametrize("theory", THEORIES)
    def test_traction_on_the_face_bends_by_its_couple(self, theory):
        beam = straight_beam(1.0, SECTION, STEEL, {"left": "clamped"}, elements=4, theory=theory)
        top = beam.surface("top")
        pull = np.zeros((len(top.points), 3))
        pull[-1, 0] = 1.0
        u = solve(beam, top.shape.T @ pull.ravel())
        tip = 6 * beam.station_node("right")
        assert u[tip] == pytest.approx(1 / (STEEL.young * SECTION.area))
        assert u[tip + 4] == pytest.approx(0.5 * SECTION.height / EI)

    def test_unknown_face_is_refused(self):
        with pytest.raises(InputError, match=r"unknown surface 'upper.side'.*lower.bottom"):
            delaminated().surface("upper.side")


class TestLumpedParts:
    def test_tip_mass_with_the_classic_frequency_equation(self):
        ratio = 0.7
        mass = ratio * STEEL.density * SECTION.area
        beam = straight_beam(
            1.0,
            SECTION,
            STEEL,
            {"left": "clamped"},
            theory="euler_bernoulli",
            motion="planar",
            masses=[StationMass("right", mass)],
        )

        def equation(b):
            wave = np.cos(b) * np.sinh(b) - np.sin(b) * np.cosh(b)
            return 1 + np.cos(b) * np.cosh(b) + ratio * b * wave

        unit = np.sqrt(EI / (STEEL.density * SECTION.area)) / (2 * np.pi)
        exact = unit * np.array([brentq(equation, 0.5, 1.8), brentq(equation, 3.9, 4.6)]) ** 2
        assert np.allclose(frequencies(beam, 2), exact, rtol=2e-6)

    def test_heavy_disc_on_light_shaft_turns_about_its_axis(self):
        shaft, inertia = Section.circle(0.01), 3.0
        beam = straight_beam(
            1.0,
            shaft,
            STEEL,
            {"left": "clamped"},
            masses=[StationMass("right", 1e-9, (inertia, 0, 0))],
        )
        expected = np.sqrt(G * shaft.torsion / inertia) / (2 * np.pi)
        assert frequencies(beam, 1)[0] == pytest.approx(expected, rel=1e-5)

    def test_spring_at_mid_span_acts_beside_the_beam(self):
        stiffness = 48 * EI
        beam = straight_beam(
            1.0,
            SECTION,
            STEEL,
            {"left": "pinned", "right": "roller"},
            stations={"mid": 0.5},
            theory="euler_bernoulli",
            springs=[StationSpring("mid", {"u_z": stiffness})],
        )
        load = np.zeros(beam.stiffness.shape[0])
        load[6 * beam.station_node("mid") + 2] = 1.0
        assert solve(beam, load) @ load == pytest.approx(0.5 / stiffness)

    def test_bed_adds_the_same_square_to_every_bending_frequency(self):
        """K + k int w w = omega^2 m int w w: omega^2 = omega_0^2 + k/m."""
        squares = []
        for foundation in (0.0, 2e6):
            segment = Segment(0, 1, SECTION, STEEL, 12, foundation=foundation)
            beam = Beam([segment], {"left": "clamped"}, theory="euler_bernoulli")
            bending = beam.free[np.isin(beam.free % 6, (1, 2, 4, 5))]
            K, M = beam.stiffness[bending][:, bending], beam.mass[bending][:, bending]
            squares.append(lowest_modes(K, M, 6)[0] ** 2)
        shift = 2e6 / (STEEL.density * SECTION.area)
        assert np.allclose(squares[1] - squares[0], shift, rtol=1e-6)


class TestAxialForce:
    @pytest.mark.parametrize(
        ("left", "right", "factor"),
        [("pinned", "roller", 1.0), ("clamped", ("u_y", "u_z", "theta_y", "theta_z"), 4.0)],
    )
    def test_euler_buckling(self, left, right, factor):
        beam = straight_beam(
            1.0,
            SECTION,
            STEEL,
            {"left": left, "right": right},
            theory="euler_bernoulli",
            motion="planar",
        )
        assert beam.buckling_load() == pytest.approx(factor * np.pi**2 * EI, rel=1e-4)

    def test_shear_lowers_the_buckling_load(self):
        """Engesser: 1/N = 1/N_euler + 1/(kappa G A), the tension acting on the slope w'."""
        section = Section.rectangle(0.3, 0.2)
        beam = straight_beam(
            1.0, section, STEEL, {"left": "pinned", "right": "roller"}, motion="planar", elements=40
        )
        euler = np.pi**2 * STEEL.young * section.inertia_y
        expected = 1 / (1 / euler + 1 / (5 / 6 * G * section.area))
        assert beam.buckling_load() == pytest.approx(expected, rel=1e-4)

    def test_a_beam_that_is_not_held_has_no_buckling_load(self):
        with pytest.raises(InputError, match="moves freely"):
            straight_beam(1.0, SECTION, STEEL, {"left": "pinned"}, motion="planar").buckling_load()

    def test_tension_raises_the_frequencies(self):
        tension, m = 3e5, STEEL.density * SECTION.area
        beam = straight_beam(
            1.0,
            SECTION,
            STEEL,
            {"left": "pinned", "right": "roller"},
            theory="euler_bernoulli",
            motion="planar",
        )
        k = np.pi * np.arange(1, 4)
        exact = np.sqrt((EI * k**4 + tension * k**2) / m) / (2 * np.pi)
        found = frequencies(beam, 3, beam.tension_stiffness(tension))
        assert np.allclose(found, exact, rtol=2e-5)

    def test_static_pull_gives_its_own_stiffness(self):
        beam = straight_beam(1.0, SECTION, STEEL, {"left": "clamped"}, elements=4)
        pull = np.zeros(beam.stiffness.shape[0])
        pull[6 * beam.station_node("right")] = 700.0
        K_g = beam.geometric_stiffness(solve(beam, pull))
        expected = beam.tension_stiffness(700.0)
        assert abs(K_g - expected).max() < 1e-9 * abs(expected).max()


class TestPictures:
    def test_boxes_fill_the_volume(self):
        geometry = straight_beam(1.0, SECTION, STEEL, elements=4).geometry
        assert geometry.cells["hexahedron"].shape == (4, 8)
        assert np.allclose(np.ptp(geometry.points, axis=0), (1.0, SECTION.width, SECTION.height))

    def test_sections_without_outline_are_lines(self):
        section = Section(1e-4, 1e-9, 1e-9, 2e-9)
        beam = straight_beam(1.0, section, STEEL, elements=4)
        assert beam.geometry.cells["line"].shape == (4, 2)
        expected = rigid_field(beam.geometry.points, range(6))
        assert np.allclose(
            (beam.geometry.shape @ beam.rigid_body_modes()).reshape(-1, 3, 6), expected
        )


class TestBadInput:
    def test_support(self):
        with pytest.raises(InputError, match="support of station 'left' = glued"):
            straight_beam(1.0, SECTION, STEEL, {"left": "glued"})
        with pytest.raises(InputError, match="unknown station 'middle'; known: left, right"):
            straight_beam(1.0, SECTION, STEEL, {"middle": "clamped"})

    def test_station_inside_a_segment(self):
        segments = [Segment(0, 1, SECTION, STEEL)]
        with pytest.raises(InputError, match=r"station 'mid' at x = 0.3 m.*split the segment"):
            Beam(segments, {"mid": "clamped"}, {"mid": 0.3})

    def test_segments(self):
        with pytest.raises(InputError, match=r"segment 'a': end = 1 m"):
            Segment(2, 1, SECTION, STEEL, name="a")
        with pytest.raises(InputError, match="not connected"):
            Beam([Segment(0, 1, SECTION, STEEL), Segment(1.2, 2, SECTION, STEEL)])
        with pytest.raises(InputError, match="at least one segment"):
            Beam([])

    def test_axis(self):
        with pytest.raises(InputError, match="unit vector"):
            straight_beam(1.0, SECTION, STEEL, {"left": "clamped"}).rotation((0, 0, 2))

    def test_lumped_parts(self):
        with pytest.raises(InputError, match="mass at 'right' = -1"):
            StationMass("right", -1.0)
        with pytest.raises(InputError, match="field = w"):
            StationSpring("right", {"w": 1.0})
