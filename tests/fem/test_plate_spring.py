"""Springs to ground on plates and on user matrices: the same objects as on solids."""

import numpy as np
import pytest

from fecontact.errors import InputError
from fecontact.fem import (
    STEEL,
    Foundation,
    KirchhoffPlate,
    MatrixModel,
    MindlinPlate,
    NodeSurface,
    PointSpring,
    SurfaceSpring,
)
from fecontact.fem.rigid import free_rigid_body_modes
from fecontact.mesh import rectangle
from fecontact.reduction.basis import vibration_modes
from fecontact.solvers.linear import factorise

A, B, H = 0.4, 0.2, 0.01
MASS = STEEL.density * A * B * H
SIDES = ("x_min", "x_max", "y_min", "y_max")


def kirchhoff(cells=4, supports=None, thickness=H, **others):
    mesh = rectangle(A, B, (2 * cells, cells), cell="tri")
    return KirchhoffPlate(mesh, thickness, STEEL, supports or {}, **others)


def mindlin(cells=4, supports=None, thickness=H, **others):
    mesh = rectangle(A, B, (2 * cells, cells))
    return MindlinPlate(mesh, thickness, STEEL, supports or {}, **others)


def lowest(plate, count):
    return vibration_modes(plate.stiffness, plate.mass, plate.free, count)[0]


def corners(k):
    """Vertical point springs at the four corners."""
    return [PointSpring((x, y, 0.0), (0.0, 0.0, k)) for x in (0.0, A) for y in (0.0, B)]


@pytest.mark.parametrize("plate", [kirchhoff, mindlin])
class TestPlates:
    def test_foundation_resists_rigid_motions_as_it_should(self, plate):
        """k_n A in heave, k_n int y^2 + k_t (h/2)^2 A about x: exact on any mesh."""
        body = plate(springs=[Foundation("bottom", normal=2e8, tangential=5e7)])
        R = body.rigid_body_modes()
        K = R.T @ body.stiffness @ R
        offset = 5e7 * (H / 2) ** 2 * A * B
        assert K[0, 0] == pytest.approx(2e8 * A * B)
        assert K[1, 1] == pytest.approx(2e8 * A * B**3 / 3 + offset)
        assert K[2, 2] == pytest.approx(2e8 * A**3 * B / 3 + offset)

    def test_foundation_shifts_every_frequency(self, plate):
        """Winkler: omega^2 = omega_0^2 + k/(rho h), up to the rule of the contact points.

        Thin, because Mindlin's rotary inertia divides the shift by 1 + h^2/12 (wave number)^2.
        """
        k, h, errors = 5e3, 1e-4, []
        supports = dict.fromkeys(SIDES, "simply_supported")
        for cells in (4, 8):
            bare, held = (
                plate(cells, supports, h, springs=springs)
                for springs in ([], [Foundation("top", k)])
            )
            shift = lowest(held, 4) ** 2 - lowest(bare, 4) ** 2
            errors.append(np.abs(shift / (k / (STEEL.density * h)) - 1).max())
        assert errors[1] < 0.01
        assert np.log2(errors[0] / errors[1]) == pytest.approx(4.0, abs=0.4)

    def test_total_stiffness_of_a_surface_spring(self, plate):
        body = plate(springs=[SurfaceSpring("top", (0.0, 0.0, 3e6))])
        heave = body.rigid_body_modes()[:, 0]
        assert heave @ body.stiffness @ heave == pytest.approx(3e6)

    def test_tangential_springs_of_a_face_act_with_the_lever_of_half_the_thickness(self, plate):
        """k_x (h/2)^2 against the tilt about y, k_y (h/2)^2 about x, nothing against heave."""
        body = plate(springs=[SurfaceSpring("top", (3e6, 5e6, 0.0))])
        R = body.rigid_body_modes()
        K = R.T @ body.spring_stiffness @ R
        expected = np.diag([0.0, 5e6, 3e6]) * (H / 2) ** 2
        np.testing.assert_allclose(K, expected, atol=1e-9 * expected.max())

    def test_soft_corner_springs_make_a_rigid_oscillator(self, plate):
        """Heave sqrt(4 k/m); tilts sqrt(4 k (b/2)^2/(m b^2/12)) = sqrt(12 k/m), both the same.

        Mindlin's rotary inertia adds h^2/b^2 to the inertia of the tilts.
        """
        k = 10.0
        omega = lowest(plate(springs=corners(k)), 3)
        thick = [H / A, H / B] if plate is mindlin else [0.0, 0.0]
        exact = [4.0, *sorted(12.0 / (1.0 + np.square(thick)))]
        assert np.allclose(omega**2, np.array(exact) * k / MASS, rtol=1e-5)

    def test_three_springs_carry_a_load_by_statics(self, plate):
        """Three springs are statically determinate: reactions by moments, w = R/k."""
        stiffness = {(0.0, 0.0): 2e4, (A, 0.0): 3e4, (0.0, B): 5e4}
        springs = [PointSpring((*p, 0.0), (0.0, 0.0, k)) for p, k in stiffness.items()]
        body = plate(springs=springs)
        points, shape = body.geometry.points, body.geometry.shape

        def deflection(x, y):
            node = np.argmin(np.hypot(points[:, 0] - x, points[:, 1] - y))
            return shape[[3 * node + 2]].toarray()[0]

        force, x, y = 100.0, A / 4, B / 2
        w = factorise(body.stiffness)(force * deflection(x, y))
        reactions = force * np.array([1 - x / A - y / B, x / A, y / B])
        found = [k * deflection(*p) @ w for p, k in stiffness.items()]
        assert np.allclose(found, reactions, rtol=1e-7)

    def test_springs_and_bed_are_told_apart_from_elasticity(self, plate):
        assert free_rigid_body_modes(plate()).shape[1] == 3
        assert free_rigid_body_modes(plate(springs=corners(1e-3)[:1])).shape[1] == 2
        assert free_rigid_body_modes(plate(springs=corners(1e-3))).shape[1] == 0
        both = plate(foundation=1e6, springs=corners(7.0))
        heave = both.rigid_body_modes()[:, 0]
        assert heave @ both.spring_stiffness @ heave == pytest.approx(1e6 * A * B + 28.0)

    def test_bad_springs_are_named(self, plate):
        with pytest.raises(InputError, match=r"spring stiffness in z = -1\.0 N/m"):
            PointSpring((0.0, 0.0, 0.0), (0.0, 0.0, -1.0))
        with pytest.raises(InputError, match="expected 0, as the body has no motion in x there"):
            _ = plate(springs=[PointSpring((0.0, 0.0, 0.0), (1e3, 0.0, 0.0))]).stiffness
        with pytest.raises(InputError, match="unknown surface 'rim'; known: bottom, top"):
            _ = plate(springs=[Foundation("rim", 1e6)]).stiffness
        with pytest.raises(InputError, match="expected a node within"):
            _ = plate(springs=[PointSpring((0.001, 0.0, 0.0), (0.0, 0.0, 1.0))]).stiffness


def test_central_spring_of_a_square_plate():
    """F = (k + D/(0.01160 a^2)) w (Timoshenko and Woinowsky-Krieger, table 23: 0.01160)."""
    a, h, F = 0.3, 0.001, 10.0
    D = STEEL.bending_stiffness(h)
    k = 2.0 * D / (0.01160 * a**2)
    mesh = rectangle(a, a, (16, 16))
    supports = dict.fromkeys(SIDES, "hard_simply_supported")
    spring = PointSpring((a / 2, a / 2, 0.0), (0.0, 0.0, k))
    plate = MindlinPlate(mesh, h, STEEL, supports, springs=[spring])
    node = np.argmin(np.linalg.norm(plate.geometry.points - spring.point, axis=1))
    load = F * plate.geometry.shape[[3 * node + 2]].toarray()[0]
    free = plate.free
    w = load[free] @ factorise(plate.stiffness[free][:, free])(load[free]) / F
    assert w == pytest.approx(F / (1.5 * k), rel=0.005)


def test_in_plane_springs_act_on_a_plate_with_membrane_motion():
    body = mindlin(membrane=True, springs=[PointSpring((A, B, 0.0), (3e3, 5e3, 0.0))])
    R = body.rigid_body_modes()
    K = R.T @ body.stiffness @ R
    assert K[0, 0] == pytest.approx(3e3, rel=1e-4)
    assert K[1, 1] == pytest.approx(5e3, rel=1e-4)
    assert K[5, 5] == pytest.approx(3e3 * B**2 + 5e3 * A**2, rel=1e-4)


class TestMatrixModel:
    """Three nodes on a rod along x, two springs of 1e6 N/m between them."""

    def rod(self, *springs):
        K = 1e6 * np.array([[1.0, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 1.0]])
        nodes = np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0]])
        unknowns = np.array([[0, 0], [1, 0], [2, 0]])
        ends = NodeSurface(
            np.array([0, 2]), np.array([1.0, 3.0]), np.array([[-1.0, 0, 0], [1, 0, 0]])
        )
        return MatrixModel(K, np.eye(3), nodes, unknowns, {"ends": ends}, springs=springs)

    def test_point_and_surface_springs(self):
        rod = self.rod(PointSpring((1.0, 0, 0), (7.0, 0, 0)), SurfaceSpring("ends", (8.0, 0, 0)))
        added = (rod.stiffness - self.rod().stiffness).toarray()
        assert np.allclose(added, np.diag([2.0, 7.0, 6.0]))
        assert np.allclose(rod.spring_stiffness.toarray(), added)

    def test_foundation_holds_the_rod(self):
        rod = self.rod(Foundation("ends", normal=1e-3))
        assert free_rigid_body_modes(self.rod()).shape[1] == 1
        assert free_rigid_body_modes(rod).shape[1] == 0
        assert np.allclose(rod.spring_stiffness.diagonal(), [1e-3, 0.0, 3e-3])

    def test_bad_springs_are_named(self):
        with pytest.raises(InputError, match="unknown surface 'face'; known: ends"):
            self.rod(Foundation("face", 1.0))
        with pytest.raises(InputError, match="expected 0, as the body has no motion in y there"):
            self.rod(PointSpring((1.0, 0, 0), (0.0, 1.0, 0.0)))
