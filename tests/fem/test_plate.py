import numpy as np
import pytest
from skfem import LinearForm, MeshTri

from fecontact.errors import InputError
from fecontact.fem import STEEL, KirchhoffPlate
from fecontact.mesh import annulus
from fecontact.reduction.basis import vibration_modes
from fecontact.solvers.linear import factorise

EDGES = ("left", "right", "bottom", "top")


def square(cells, shake=0.0):
    """Unit square; `shake` moves the inner vertices at random, in units of the cell."""
    side = np.linspace(0, 1, cells + 1)
    mesh = MeshTri.init_tensor(side, side)
    inner = np.setdiff1d(np.arange(mesh.nvertices), mesh.boundary_nodes())
    p = mesh.p.copy()
    move = np.random.default_rng(1).uniform(-1, 1, (2, len(inner)))
    p[:, inner] += shake / cells * move
    return MeshTri(p, mesh.t).with_defaults()


def interpolate(plate, value, gradient):
    """Unknowns of a smooth function: vertex values and normal slopes at the mids of edges."""
    heave, about_x, about_y = plate.rigid_body_modes().T
    slopes = plate.basis.facet_dofs[0]
    x, y = plate.mesh.p[:, plate.mesh.facets].mean(axis=1)
    w = np.zeros(plate.basis.N)
    w[plate.basis.nodal_dofs[0]] = value(*plate.mesh.p)
    g = gradient(x, y)
    w[slopes] = -about_y[slopes] * g[0] + about_x[slopes] * g[1]
    assert np.all(heave[slopes] == 0.0)
    return w


class TestRigidBodyModes:
    def test_cost_no_energy(self):
        plate = KirchhoffPlate(annulus(0.08, 0.12), 0.005, STEEL)
        R = plate.rigid_body_modes()
        assert np.abs(plate.stiffness @ R).max() < 1e-13 * np.abs(plate.stiffness).max()

    @pytest.mark.parametrize("face", ["top", "bottom"])
    def test_move_faces_as_one_body(self, face):
        plate = KirchhoffPlate(annulus(0.08, 0.12), 0.005, STEEL)
        surface = plate.surface(face)
        x, y, z = surface.points.T
        moved = (surface.shape @ plate.rigid_body_modes()).reshape(-1, 3, 3)
        none = 0 * x
        expected = np.stack(
            [np.stack([none, none, none + 1]), np.stack([none, -z, y]), np.stack([z, none, -x])]
        )
        assert np.allclose(moved, expected.transpose(2, 1, 0), atol=1e-12)

    def test_have_the_mass_of_the_plate(self):
        plate = KirchhoffPlate(square(3), 0.01, STEEL)
        R = plate.rigid_body_modes()
        expected = [1.0, 1 / 3, 1 / 3]
        assert np.allclose(np.diag(R.T @ plate.mass @ R), 78.0 * np.array(expected))


def test_patch_of_distorted_triangles_carries_constant_curvature():
    """A quadratic w is in the element: inner unknowns in equilibrium, energy exact."""
    a, b, c = 1.3, -0.4, 0.7
    plate = KirchhoffPlate(square(4, shake=0.25), 0.01, STEEL)
    w = interpolate(
        plate,
        lambda x, y: a * x**2 / 2 + b * y**2 / 2 + c * x * y,
        lambda x, y: (a * x + c * y, b * y + c * x),
    )
    force = plate.stiffness @ w
    edge = plate.basis.get_dofs().all()
    inner = np.setdiff1d(np.arange(len(w)), edge)
    D, nu = STEEL.bending_stiffness(0.01), STEEL.poisson
    assert np.abs(force[inner]).max() < 1e-11 * np.abs(force).max()
    energy = D * ((a + b) ** 2 - 2 * (1 - nu) * (a * b - c**2))
    assert w @ force == pytest.approx(energy)


@pytest.mark.parametrize("shake", [0.0, 0.2])
def test_slopes_of_the_face_converge_with_order_two(shake):
    """Navier's plate under a sine load; the displacement of the face is -h/2 grad w and w."""
    h = 0.01
    load = LinearForm(
        lambda v, p: 4 * np.pi**4 * np.sin(np.pi * p.x[0]) * np.sin(np.pi * p.x[1]) * v
    )
    errors = []
    for cells in (16, 32):
        plate = KirchhoffPlate(
            square(cells, shake), h, STEEL, dict.fromkeys(EDGES, "simply_supported")
        )
        w, free = np.zeros(plate.basis.N), plate.free
        solve = factorise(plate.stiffness[free][:, free])
        w[free] = solve(STEEL.bending_stiffness(h) * load.assemble(plate.basis)[free])
        face = plate.surface("top")
        x, y, _ = np.pi * face.points.T
        slopes = -h / 2 * np.pi * np.cos(x) * np.sin(y), -h / 2 * np.pi * np.sin(x) * np.cos(y)
        exact = np.column_stack([*slopes, np.sin(x) * np.sin(y)])
        found = (face.shape @ w).reshape(-1, 3)
        errors.append(np.sqrt(face.weights @ (found - exact) ** 2 / (face.weights @ exact**2)))
    assert np.all(errors[1] < [0.004, 0.004, 0.0065])
    assert np.allclose(np.log2(errors[0] / errors[1]), 2.0, atol=0.1)


def test_face_integrates_quadratic_pressures():
    face = KirchhoffPlate(square(3, shake=0.2), 0.01, STEEL).surface("bottom")
    x, y, z = face.points.T
    assert face.weights.sum() == pytest.approx(1.0)
    assert face.weights @ x**2 == pytest.approx(1 / 3)
    assert face.weights @ (x * y) == pytest.approx(1 / 4)
    assert np.all(z == -0.005)


def test_geometry_shows_the_deflection():
    plate = KirchhoffPlate(square(3), 0.01, STEEL)
    moved = (plate.geometry.shape @ plate.rigid_body_modes()).reshape(-1, 3, 3)
    x, y, _ = plate.geometry.points.T
    assert np.allclose(moved[:, 2], np.column_stack([np.ones_like(x), y, -x]))
    assert np.all(moved[:, :2] == 0.0)
    assert plate.geometry.cells["triangle"].shape == (18, 3)


def test_bed_adds_the_same_square_to_every_frequency():
    """(K + k int w w) x = omega^2 rho h int w w x: omega^2 = omega_0^2 + k/(rho h)."""
    bare, bedded = (
        KirchhoffPlate(square(6), 0.01, STEEL, {"left": "clamped"}, foundation=k)
        for k in (0.0, 3e6)
    )
    before, after = (vibration_modes(p.stiffness, p.mass, p.free, 6)[0] for p in (bare, bedded))
    assert np.allclose(after**2 - before**2, 3e6 / (STEEL.density * 0.01), rtol=1e-6)


def test_bad_input_is_refused():
    with pytest.raises(InputError, match="unknown surface 'side'; known: bottom, top"):
        KirchhoffPlate(square(2), 0.01, STEEL).surface("side")
    with pytest.raises(InputError, match="foundation = -1"):
        KirchhoffPlate(square(2), 0.01, STEEL, foundation=-1.0)
    with pytest.raises(InputError, match="support of edge 'left' = glued"):
        KirchhoffPlate(square(2), 0.01, STEEL, {"left": "glued"})
