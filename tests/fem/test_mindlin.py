import numpy as np
import pytest
import scipy.linalg as la
from skfem import MeshQuad, MeshQuad2, MeshTet

from fecontact.errors import InputError
from fecontact.fem import STEEL, MindlinPlate
from fecontact.reduction.basis import vibration_modes
from fecontact.solvers.linear import factorise

E, NU = STEEL.young, STEEL.poisson
G = E / (2 * (1 + NU))


def distorted():
    """Unit square of 3 x 3 crooked quadrilaterals."""
    side = np.linspace(0, 1, 4)
    mesh = MeshQuad.init_tensor(side, side)
    inner = np.setdiff1d(np.arange(mesh.nvertices), mesh.boundary_nodes())
    p = mesh.p.copy()
    p[:, inner] += np.random.default_rng(2).uniform(-0.06, 0.06, (2, len(inner)))
    return MeshQuad(p, mesh.t).with_defaults()


def curved():
    """Quarter of a ring with quadratic sides."""
    grid = MeshQuad.init_tensor(np.linspace(1, 2, 3), np.linspace(0, np.pi / 2, 4))
    quadratic = MeshQuad2.from_mesh(grid)
    r, phi = quadratic.doflocs
    return MeshQuad2(np.array([r * np.cos(phi), r * np.sin(phi)]), quadratic.t)


@pytest.mark.parametrize("membrane", [False, True])
@pytest.mark.parametrize("mesh", [distorted(), curved()], ids=["distorted", "curved"])
class TestRigidBodyModes:
    def test_cost_no_energy_and_nothing_else_does(self, mesh, membrane):
        plate = MindlinPlate(mesh, 0.1, STEEL, membrane=membrane)
        R = plate.rigid_body_modes()
        assert np.abs(plate.stiffness @ R).max() < 1e-13 * np.abs(plate.stiffness).max()
        values = la.eigvalsh(plate.stiffness.toarray())
        assert np.count_nonzero(values < 1e-9 * values[-1]) == (6 if membrane else 3)

    def test_move_faces_as_one_body(self, mesh, membrane):
        plate = MindlinPlate(mesh, 0.1, STEEL, membrane=membrane)
        R = plate.rigid_body_modes()
        for name in ("top", "bottom"):
            face = plate.surface(name)
            turned = np.cross(np.eye(3), face.points[:, None, :]).transpose(0, 2, 1)
            expected = np.concatenate([np.tile(np.eye(3), (len(turned), 1, 1)), turned], axis=2)
            expected = expected if membrane else expected[:, :, 2:5]
            assert np.allclose((face.shape @ R).reshape(expected.shape), expected, atol=1e-13)


def solve_patch(plate, exact):
    """Prescribe `exact` on the boundary and solve for the inner unknowns."""
    edge = plate.basis.get_dofs().all()
    inner = np.setdiff1d(np.arange(plate.basis.N), edge)
    u = exact.copy()
    K = plate.stiffness
    u[inner] = factorise(K[inner][:, inner])(-(K[inner][:, edge] @ exact[edge]))
    return u


def field(plate, w, psi, u=None):
    """Unknowns that interpolate w, psi and the membrane displacement."""
    x, y = plate.basis.doflocs
    names = plate._dof_names
    values = {"u^1": w(x, y), "u^1^2": psi(x, y)[0], "u^2^2": psi(x, y)[1]}
    if u is not None:
        values |= {"u^1^3": u(x, y)[0], "u^2^3": u(x, y)[1]}
    return np.select([names == n for n in values], list(values.values()))


BENDS = (1.3, -0.4, 0.7)
BENT_ENERGY = (BENDS[0] + BENDS[1]) ** 2 - 2 * (1 - NU) * (BENDS[0] * BENDS[1] - BENDS[2] ** 2)
"""Twice the energy per D of the unit square."""


def bent(plate):
    """State of constant bending and twist without shear strain."""
    a, b, c = BENDS
    return field(
        plate,
        lambda x, y: -(a * x**2 / 2 + b * y**2 / 2 + c * x * y),
        lambda x, y: (a * x + c * y, b * y + c * x),
    )


class TestPatch:
    """States of constant strain on crooked quadrilaterals, boundary prescribed."""

    def test_bending_on_crooked_cells_converges(self):
        """w is not quadratic on a crooked cell: the patch holds in the limit of refinement."""
        plates = [MindlinPlate(distorted().refined(n), 1e-2, STEEL) for n in (1, 2)]
        errors = []
        for plate in plates:
            w = solve_patch(plate, bent(plate))
            energy = STEEL.bending_stiffness(1e-2) * BENT_ENERGY
            errors.append(w @ plate.stiffness @ w / energy - 1)
        assert errors[0] < 1e-4
        assert np.log2(errors[0] / errors[1]) > 5.5

    def test_bending_on_parallelograms_is_exact(self):
        side = np.linspace(0, 1, 4)
        mesh = MeshQuad.init_tensor(side, side)
        mesh = MeshQuad(np.array([[1.0, 0.4], [0.1, 1.2]]) @ mesh.p, mesh.t)
        plate = MindlinPlate(mesh, 1e-3, STEEL)
        assert np.allclose(solve_patch(plate, bent(plate)), bent(plate), atol=1e-9)

    def test_energy_of_constant_shear(self):
        plate = MindlinPlate(distorted(), 0.1, STEEL)
        exact = field(plate, lambda x, y: 2 * x - y, lambda x, y: (0 * x, 0 * y))
        energy = 5 / 6 * G * 0.1 * (2**2 + 1**2)
        assert exact @ plate.stiffness @ exact == pytest.approx(energy)

    def test_membrane(self):
        plate = MindlinPlate(distorted(), 0.1, STEEL, membrane=True)
        exact = field(
            plate,
            lambda x, y: 0 * x,
            lambda x, y: (0 * x, 0 * x),
            lambda x, y: (x, -NU * y),
        )
        u = solve_patch(plate, exact)
        assert np.allclose(u, exact, atol=1e-12)
        assert u @ plate.stiffness @ u == pytest.approx(E * 0.1)


def test_mass_of_rigid_motions_is_that_of_the_solid_plate():
    plate = MindlinPlate(MeshQuad().refined(2), 0.3, STEEL, membrane=True)
    R = plate.rigid_body_modes()
    m = STEEL.density * 0.3
    expected = [m, m, m, m * (1 / 3 + 0.3**2 / 12), m * (1 / 3 + 0.3**2 / 12), m * 2 / 3]
    assert np.allclose(np.diag(R.T @ plate.mass @ R), expected)


def test_bed_carries_a_free_plate():
    """Heave on a bed: omega^2 = k/(rho h)."""
    plate = MindlinPlate(MeshQuad().refined(2), 0.1, STEEL, foundation=1e6)
    omega, _ = vibration_modes(plate.stiffness, plate.mass, plate.free, 3)
    assert np.min(np.abs(omega - np.sqrt(1e6 / (STEEL.density * 0.1)))) < 1e-4


def test_face_weights_and_geometry():
    plate = MindlinPlate(curved(), 0.1, STEEL)
    area = np.pi / 4 * (2**2 - 1**2)
    assert plate.surface("top").weights.sum() == pytest.approx(area, rel=5e-4)
    assert plate.geometry.points.shape == (12, 3)
    assert np.allclose(
        (plate.geometry.shape @ plate.rigid_body_modes())[2::3, 1], plate.geometry.points[:, 1]
    )


def test_supports_hold_what_they_name():
    mesh = MeshQuad().refined(1).with_defaults()
    plates = {
        kind: MindlinPlate(mesh, 0.1, STEEL, {"left": kind})
        for kind in ("simply_supported", "hard_simply_supported", "clamped")
    }
    total = next(iter(plates.values())).basis.N
    nodes = 5  # corners and mid-sides of the edge
    held = {kind: total - len(plate.free) for kind, plate in plates.items()}
    assert held == {
        "simply_supported": nodes,
        "hard_simply_supported": 2 * nodes,
        "clamped": 3 * nodes,
    }


def test_bad_input_is_refused():
    with pytest.raises(InputError, match="invalid mesh = MeshTet1"):
        MindlinPlate(MeshTet(), 0.1, STEEL)
    with pytest.raises(InputError, match="shear_factor = 0"):
        MindlinPlate(MeshQuad(), 0.1, STEEL, shear_factor=0.0)
    mesh = MeshQuad(np.array([[1.0, 0.4], [0.3, 1.2]]) @ MeshQuad().p, MeshQuad().t)
    slanted = mesh.with_boundaries({"edge": [0]})
    with pytest.raises(InputError, match=r"expected a straight edge parallel to x or y"):
        _ = MindlinPlate(slanted, 0.1, STEEL, {"edge": "hard_simply_supported"}).free
