"""Stress in the plane of plates: buckling, tension, spinning discs."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.linalg as la

from fecontact.errors import InputError
from fecontact.fem import (
    ALUMINIUM,
    STEEL,
    ElasticSolid,
    HarmonicPlate,
    KirchhoffPlate,
    Material,
    MindlinPlate,
    static_displacement,
)
from fecontact.fem.plate.membrane import Membrane
from fecontact.fem.prestress import inertia_relief
from fecontact.mesh import annulus, block, disc, rectangle
from fecontact.reduction.basis import vibration_modes
from fecontact.reference.structures.rotating_disc import (
    spinning_annulus_stress,
    spinning_membrane_frequency,
)
from fecontact.solvers.linear import factorise

SIDES = ("x_min", "x_max", "y_min", "y_max")
SPIN = (np.zeros(3), -np.diag([1.0, 1.0, 0.0]))
"""Acceleration of a frame that turns about z with unit speed."""


def morley(a, b, cells, h):
    mesh = rectangle(a, b, cells, cell="tri")
    return KirchhoffPlate(mesh, h, STEEL, dict.fromkeys(SIDES, "simply_supported"))


def mindlin(a, b, cells, h):
    mesh = rectangle(a, b, cells)
    return MindlinPlate(mesh, h, STEEL, dict.fromkeys(SIDES, "hard_simply_supported"))


def lowest(K, plate, count=1):
    return vibration_modes(K, plate.mass, plate.free, count)[0]


def buckling_factor(plate, resultants):
    """Smallest factor > 0 with K + factor K_sigma singular: largest eigenvalue of -K^-1 K_sigma."""
    free = plate.free
    K, G = (A[free][:, free] for A in (plate.stiffness, plate.tension_stiffness(resultants)))
    v = np.random.default_rng(0).standard_normal((len(free), 6))
    solve = factorise(K)
    for _ in range(60):
        v = la.orth(-solve(G @ v))
    values = la.eigvals(v.T @ (K @ v), -v.T @ (G @ v)).real
    return values[values > 0].min()


def mindlin_mode(h, a, b):
    """K, K_sigma / (N_x a^2 + N_y b^2) and M of w = sin sin, psi_x = cos sin, psi_y = sin cos.

    It is an exact mode of the hard supported plate; the rotations carry h^2/12 N as in a solid.
    """
    D, nu, S = STEEL.bending_stiffness(h), STEEL.poisson, 5 / 6 * STEEL.shear * h
    twist, mixed = (1 - nu) / 2, (1 + nu) / 2
    K = [
        [S * (a**2 + b**2), S * a, S * b],
        [S * a, D * (a**2 + twist * b**2) + S, D * mixed * a * b],
        [S * b, D * mixed * a * b, D * (b**2 + twist * a**2) + S],
    ]
    inertia = np.diag([1.0, h**2 / 12, h**2 / 12])
    return np.array(K), inertia, STEEL.density * h * inertia


class TestRectangle:
    """Plates supported on all sides."""

    @pytest.mark.parametrize(("a", "b"), [(0.3, 0.3), (0.6, 0.3)])
    def test_buckling_of_thin_plates(self, a, b):
        """N_cr = 4 pi^2 D/b^2 for any whole a/b (Timoshenko and Gere, 9.2)."""
        h, errors = 1e-3, []
        exact = 4 * np.pi**2 * STEEL.bending_stiffness(h) / b**2
        for cells in (8, 16):
            body = morley(a, b, (round(cells * a / b), cells), h)
            errors.append(abs(buckling_factor(body, (-1.0, 0.0, 0.0)) / exact - 1))
        assert errors[1] < 0.02
        assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.3)
        body = mindlin(a, b, (round(10 * a / b), 10), h)
        assert buckling_factor(body, (-1.0, 0.0, 0.0)) == pytest.approx(exact, rel=1e-3)

    def test_buckling_of_thick_plates(self):
        """Mindlin's square: lowest N a^2 with K - N a^2 K_sigma singular, one half wave."""
        h, k, errors = 0.02, np.pi / 0.3, []
        K, G, _ = mindlin_mode(h, k, k)
        exact = la.eigh(K, G, eigvals_only=True)[0] / k**2
        for cells in (4, 8):
            body = mindlin(0.3, 0.3, (cells, cells), h)
            errors.append(abs(buckling_factor(body, (-1.0, 0.0, 0.0)) / exact - 1))
        assert errors[1] < 1e-4
        assert np.log2(errors[0] / errors[1]) == pytest.approx(4.0, abs=0.4)

    def test_buckling_under_shear(self):
        """N_xy,cr = 9.34 pi^2 D/b^2 of the square (Timoshenko and Gere, table 9-10)."""
        D = STEEL.bending_stiffness(2e-4)
        body = mindlin(0.3, 0.3, (10, 10), 2e-4)
        for sign in (1.0, -1.0):
            found = buckling_factor(body, (0.0, 0.0, sign))
            assert found == pytest.approx(9.34 * np.pi**2 * D / 0.3**2, rel=0.005)

    def test_frequency_of_thin_plates_under_tension(self):
        """Rho h omega^2 = D (a^2 + b^2)^2 + N_x a^2 + N_y b^2, wave numbers a, b."""
        h, N = 2e-4, np.array([3e3, -20.0, 0.0])
        a, b = np.meshgrid(np.pi / 0.4 * np.arange(1, 5), np.pi / 0.3 * np.arange(1, 9))
        bending = STEEL.bending_stiffness(h) * (a**2 + b**2) ** 2
        squares = (bending + N[0] * a**2 + N[1] * b**2) / (STEEL.density * h)
        exact = np.sqrt(np.sort(squares.ravel())[:3])

        def error(plate, cells):
            body = plate(0.4, 0.3, (cells, cells), h)
            omega = lowest(body.stiffness + body.tension_stiffness(N), body, 3)
            return np.abs(omega / exact - 1).max()

        assert error(mindlin, 10) < 1e-3
        errors = error(morley, 15), error(morley, 30)
        assert errors[1] < 0.02
        assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.3)

    def test_thick_plate_under_tension(self):
        h, a, b, N = 0.05, np.pi / 0.4, np.pi / 0.3, np.array([3e8, 1e8])
        K, G, M = mindlin_mode(h, a, b)
        exact = np.sqrt(la.eigh(K + N @ [a**2, b**2] * G, M, eigvals_only=True)[0])
        body = mindlin(0.4, 0.3, (12, 12), h)
        omega = lowest(body.stiffness + body.tension_stiffness((*N, 0.0)), body)
        assert omega[0] == pytest.approx(exact, rel=1e-5)

    def test_tension_that_outweighs_bending(self):
        """A sheet of 0.1 mm under 100 MPa is a membrane: Morley's own slopes would be 30 % off."""
        h, N = 1e-4, 1e4
        body = morley(0.3, 0.3, (24, 24), h)
        omega = lowest(body.stiffness + body.tension_stiffness((N, N, 0.0)), body)
        k2 = 2 * np.pi**2 / 0.3**2
        exact = np.sqrt((STEEL.bending_stiffness(h) * k2**2 + N * k2) / (STEEL.density * h))
        assert omega[0] == pytest.approx(exact, rel=3e-3)

    @pytest.mark.parametrize("plate", [morley, mindlin])
    def test_stress_of_edge_forces_is_that_of_given_resultants(self, plate):
        body = plate(0.4, 0.3, (4, 3), 1e-3)
        plane = Membrane(body.mesh, 1e-3, STEEL)
        t = {"x_max": (-2.0, 0.5), "x_min": (2.0, -0.5), "y_max": (0.5, 0.0), "y_min": (-0.5, 0.0)}
        u = static_displacement(plane, plane.edge_load(t))
        found = body.tension_stiffness(plane.resultants(u, body.basis))
        given = body.tension_stiffness((-2.0, 0.0, 0.5))
        assert abs(found - given).max() < 1e-9 * abs(given).max()

    def test_shear_is_tension_across_compression(self):
        """N_xy = N on a plate turned by 45 degrees is N along one side and -N along the other."""
        c = np.sqrt(0.5)
        for plate in (morley, mindlin):
            body = plate(0.4, 0.3, (4, 3), 1e-3)
            mesh = body.mesh
            turned = type(mesh)(np.array([[c, -c], [c, c]]) @ mesh.p, mesh.t)
            held = replace(body, mesh=turned, supports={})
            sheared, pulled = (
                np.linalg.eigvalsh(part.tension_stiffness(N).toarray())
                for part, N in ((held, (0.0, 0.0, 7.0)), (body, (7.0, -7.0, 0.0)))
            )
            assert np.allclose(sheared, pulled, atol=1e-12 * np.abs(pulled).max())

    def test_bad_resultants_are_named(self):
        body = mindlin(0.3, 0.3, (2, 2), 1e-3)
        with pytest.raises(InputError, match=r"invalid resultants of shape \(2,\)"):
            body.tension_stiffness((1.0, 2.0))
        with pytest.raises(InputError, match="expected finite"):
            body.tension_stiffness((1.0, np.nan, 0.0))
        with pytest.raises(
            InputError, match="expected a plate with in-plane motion; set membrane=True"
        ):
            body.geometric_stiffness(np.zeros(body.basis.N))


class TestMembrane:
    @pytest.mark.parametrize("cell", ["tri", "quad"])
    def test_edge_forces_give_uniform_resultants(self, cell):
        """Statics alone: N_x = t_x, N_y = t_y, N_xy = t_xy in any homogeneous rectangle."""
        body = Membrane(rectangle(0.4, 0.3, (3, 2), cell=cell), 0.01, STEEL)
        t = {"x_max": (2.0, 5.0), "x_min": (-2.0, -5.0), "y_max": (5.0, 3.0), "y_min": (-5.0, -3.0)}
        N = body.resultants(static_displacement(body, body.edge_load(t)))
        assert np.allclose(N, np.array([2.0, 3.0, 5.0])[:, None, None])

    def test_two_materials_in_series(self):
        """u = t (L_1/(E_1 h) + L_2/(E_2 h)) for nu = 0."""
        soft = Material(70e9, 0.0, 2700.0)
        hard = Material(210e9, 0.0, 7800.0)
        mesh = rectangle(0.4, 0.1, (4, 2), cell="tri")
        left = mesh.p[0, mesh.t].mean(axis=0) < 0.2
        mesh = mesh.with_subdomains({"soft": np.flatnonzero(left), "hard": np.flatnonzero(~left)})
        body = Membrane(mesh, 0.01, {"soft": soft, "hard": hard}, {"x_min": "x", "y_min": "y"})
        u = static_displacement(body, body.edge_load({"x_max": (1e4, 0.0)}))
        edge = body.surface("x_max")
        assert np.allclose((edge.shape @ u)[::3], 1e4 * 0.2 / 0.01 * (1 / 70e9 + 1 / 210e9))

    def test_rigid_motions_cost_nothing_and_have_the_mass_of_the_plate(self):
        body = Membrane(annulus(0.08, 0.12, 2, 16, "quad", 2), 0.01, STEEL)
        R = body.rigid_body_modes()
        assert np.abs(body.stiffness @ R).max() < 1e-12 * np.abs(body.stiffness).max()
        moment = STEEL.density * 0.01 * np.pi * (0.12**4 - 0.08**4) / 2
        assert R[:, 2] @ body.mass @ R[:, 2] == pytest.approx(moment, rel=1e-3)

    def test_constant_acceleration_does_not_stress_a_free_body(self):
        body = Membrane(rectangle(0.4, 0.3, (3, 2)), 0.01, STEEL)
        load = body.inertia_load(np.array([9.81, 0.0]), np.zeros((2, 2)))
        assert load @ body.rigid_body_modes()[:, 0] == pytest.approx(-9.81 * 0.12 * 78.0)
        assert np.all(inertia_relief(body, load) == 0.0)

    def test_bad_input_is_named(self):
        with pytest.raises(InputError, match="invalid support of edge 'x_min' = 'z'"):
            Membrane(rectangle(0.4, 0.3), 0.01, STEEL, {"x_min": "z"})
        with pytest.raises(InputError, match="unknown surface 'rim'"):
            Membrane(rectangle(0.4, 0.3), 0.01, STEEL).edge_load({"rim": (1.0, 0.0)})
        body = Membrane(rectangle(0.4, 0.3), 0.01, STEEL)
        with pytest.raises(InputError, match="load is not in equilibrium"):
            static_displacement(body, body.edge_load({"x_max": (1.0, 0.0)}))


class TestAgainstTheSolid:
    """One stretched block as plate and as solid: the same energy of the same motion."""

    H = 0.02

    def fields(self, x, y, z):
        """Static stretch, and motions u = (u + z psi, w) that both elements contain."""
        still = 0 * x
        stretch = np.column_stack([1e-3 * x + 2e-4 * y, 2e-4 * x - 4e-4 * y, still])
        motions = [
            (x, y, 2 * x - y),
            (z, 2 * z, still),
            (z * x, -z * y, still),
            (2 * z * y, z * x, x**2 - 3 * x * y),
        ]
        return stretch, [np.column_stack([u + still for u in motion]) for motion in motions]

    def test_geometric_stiffness(self):
        """Plane stress: the solid gets the transverse contraction of the plate."""
        solid = ElasticSolid(block(0.2, 0.1, self.H, (2, 2, 1)), STEEL, "hex2")
        x, y, z = solid.nodes.T
        z = z - solid.nodes[:, 2].mean()
        stretch, motions = self.fields(x, y, z)
        nu = STEEL.poisson
        stretch[:, 2] = -nu / (1 - nu) * (1e-3 - 4e-4) * z
        K = solid.geometric_stiffness(stretch.ravel())
        plate = MindlinPlate(rectangle(0.2, 0.1, (2, 2)), self.H, STEEL, membrane=True)
        u, shapes = self.unknowns(plate)
        K_plate = plate.geometric_stiffness(u)
        for motion, shape in zip(motions, shapes, strict=True):
            assert shape @ K_plate @ shape == pytest.approx(
                motion.ravel() @ K @ motion.ravel(), rel=1e-9, abs=1e-9
            )

    def unknowns(self, plate):
        """The same fields in the unknowns of the plate: mid-plane and derivative along z."""
        x, y = plate.basis.doflocs
        middle, above = (self.fields(x, y, z + 0 * x) for z in (0.0, 1.0))

        def pick(at_zero, at_one):
            psi = at_one - at_zero
            names = ("u^1", "u^1^2", "u^2^2", "u^1^3", "u^2^3")
            values = (at_zero[:, 2], psi[:, 0], psi[:, 1], at_zero[:, 0], at_zero[:, 1])
            return np.select([plate._dof_names == name for name in names], values)

        shapes = [pick(p, q) for p, q in zip(middle[1], above[1], strict=True)]
        return pick(middle[0], above[0]), shapes


def test_moving_frame_stresses_both_plates_alike():
    """Membrane unknowns or the in-plane body: the same stress of the same inertia load."""
    offset, slope = np.array([3.0, -1.0, 2.0]), np.random.default_rng(5).normal(size=(3, 3))
    plate = MindlinPlate(
        annulus(0.05, 0.1, 2, 12, "quad", 2), 0.002, ALUMINIUM, {"inner": "clamped"}, membrane=True
    )
    x, y = plate.basis.doflocs
    field = [offset[i] + slope[i, 0] * x + slope[i, 1] * y for i in range(2)]
    acceleration = np.select([plate._dof_names == f"u^{i}^3" for i in (1, 2)], field)
    u = static_displacement(plate, -(plate.mass @ acceleration))
    expected = plate.geometric_stiffness(u)
    found = plate.inertia_stiffness(offset, slope)
    assert abs(found - expected).max() < 1e-9 * abs(expected).max()


@pytest.mark.parametrize(("axis", "pull"), [("z", 1.0), ("y", 1.0), ("x", 0.0)])
@pytest.mark.parametrize("theory", ["morley", "mindlin"])
def test_rotating_blade(theory, axis, pull):
    """Blade along x, held at x = 0: int N_x dA = rho h b L^3/3, exact by equilibrium.

    About z and y the inertia pulls along x, about x it does not.
    """
    length, width, h = 0.3, 0.05, 0.002
    plate, cell = (KirchhoffPlate, "tri") if theory == "morley" else (MindlinPlate, "quad")
    body = plate(rectangle(length, width, (6, 2), cell=cell), h, STEEL, {"x_min": "clamped"})
    e = np.eye(3)["xyz".index(axis)]
    K = body.inertia_stiffness(np.zeros(3), np.outer(e, e) - np.eye(3))
    slope = -body.rigid_body_modes()[:, 2]
    exact = pull * STEEL.density * h * width * length**3 / 3
    assert slope @ K @ slope == pytest.approx(exact, rel=1e-9, abs=1e-9 * STEEL.density)


def spinning(theory, inner, cells, h=0.001, radius=0.1):
    """Free disc (inner = 0) or annulus of steel."""
    kind, order, plate = (
        ("tri", 1, KirchhoffPlate) if theory == "morley" else ("quad", 2, MindlinPlate)
    )
    if inner:
        return plate(annulus(inner, radius, cells, 8 * cells, kind, order), h, STEEL)
    return plate(disc(radius, cells, 8 * cells, kind, order), h, STEEL)


@pytest.mark.parametrize("theory", ["morley", "mindlin"])
class TestSpinningDisc:
    def test_stress_of_the_annulus(self, theory):
        """Timoshenko and Goodier's rotating annulus; mean error of N_x in each cell."""
        errors = []
        for cells in (4, 8):
            plate = spinning(theory, 0.05, cells, h=1.0)
            plane = plate.in_plane
            load = plane.inertia_load(np.zeros(2), -np.eye(2))
            N = plane.resultants(static_displacement(plane, load))
            x, y = np.asarray(plane.basis.global_coordinates())
            r = np.hypot(x, y)
            radial, hoop = spinning_annulus_stress(r, 0.05, 0.1, STEEL.density, STEEL.poisson)
            exact = (radial * x**2 + hoop * y**2) / r**2
            dA = plane.basis.dx
            errors.append(np.sqrt(np.sum(dA * (N[0] - exact) ** 2) / np.sum(dA * exact**2)))
        assert errors[1] < 0.005
        assert np.log2(errors[0] / errors[1]) > 1.8

    @pytest.mark.parametrize("inner", [0.0, 0.05])
    def test_tilt_turns_with_the_speed_of_the_disc(self, theory, inner):
        """A rigid tilt w = x has K_sigma = int rho h x^2 Omega^2, exact by equilibrium."""
        plate = spinning(theory, inner, 4)
        K, (_, about_x, about_y) = plate.inertia_stiffness(*SPIN), plate.rigid_body_modes().T
        for tilt, axis in ((about_x, 1), (about_y, 0)):
            x = np.asarray(plate.basis.global_coordinates())[axis]
            exact = STEEL.density * 0.001 * np.sum(plate.basis.dx * x**2)
            assert tilt @ K @ tilt == pytest.approx(exact, rel=1e-9)

    def test_frequencies_of_the_annulus(self, theory):
        """Free annulus at speed against Hermite elements in r with the exact stress."""
        speed, errors = 800.0, []
        ring = HarmonicPlate(0.05, 0.1, 0.001, STEEL, elements=24)
        exact = [
            np.sqrt(la.eigh(K.toarray(), ring.mass(k).toarray(), eigvals_only=True)[0])
            for k in (2, 3)
            for K in [ring.stiffness(k) + speed**2 * ring.geometric_stiffness(k)]
        ]
        for cells in (4, 8):
            plate = spinning(theory, 0.05, cells)
            K = plate.stiffness + speed**2 * plate.inertia_stiffness(*SPIN)
            omega = lowest(K, plate, 7)
            found = [omega[np.argmin(np.abs(omega - w))] for w in exact]
            errors.append(np.abs(np.array(found) / exact - 1).max())
        assert errors[1] < 0.003  # Mindlin: shear lowers the frequencies by 9e-4
        if theory == "morley":
            assert np.log2(errors[0] / errors[1]) > 1.8

    def test_disc_without_bending_stiffness(self, theory):
        """Lamb and Southwell: the modes r^n cos(n phi) of the spinning membrane."""
        exact = [spinning_membrane_frequency(STEEL.poisson, n) for n in (2, 3)]
        errors = []
        for cells in (4, 8):
            plate = spinning(theory, 0.0, cells, h=1e-5)
            K, M = plate.inertia_stiffness(*SPIN), plate.mass
            ratios = []
            for n in (2, 3):
                w = _interpolate(plate, lambda x, y, n=n: ((x + 1j * y) ** n).real)
                ratios.append(np.sqrt((w @ K @ w) / (w @ M @ w)))
            errors.append(np.abs(np.array(ratios) / exact - 1).max())
        assert errors[1] < 2e-3
        assert np.log2(errors[0] / errors[1]) > 1.8


def _interpolate(plate, function):
    """Unknowns of w = function(x, y) with its slopes, psi = -grad w."""
    if isinstance(plate, KirchhoffPlate):
        return plate.basis.project(lambda p: function(*p))
    x, y = plate.basis.doflocs
    step = 1e-6
    along_x = (function(x + step, y) - function(x - step, y)) / (2 * step)
    along_y = (function(x, y + step) - function(x, y - step)) / (2 * step)
    names = [plate._dof_names == name for name in ("u^1", "u^1^2", "u^2^2")]
    return np.select(names, [function(x, y), -along_x, -along_y])
