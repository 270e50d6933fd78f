import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp
from numpy.testing import assert_allclose

from fecontact.errors import InputError
from fecontact.fem.matrices import MatrixModel, NodeSurface, read_matrix

NODES = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
PLANAR = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])


def make(K=None, M=None, nodes=NODES, unknowns=PLANAR, **others):
    K = np.diag([2.0, 2.0, 2.0, 2.0]) if K is None else K
    M = np.eye(4) if M is None else M
    return MatrixModel(sp.csr_array(K), sp.csr_array(M), nodes, unknowns, **others)


@pytest.mark.parametrize("name", ["K.mtx", "K.npz"])
def test_matrix_files_round_trip(tmp_path, name):
    K = sp.csr_array(np.array([[2.0, -1.0], [-1.0, 2.0]]))
    path = tmp_path / name
    if name.endswith("mtx"):
        scipy.io.mmwrite(path, K, symmetry="symmetric")
    else:
        sp.save_npz(path, K)
    assert_allclose(read_matrix(path).toarray(), K.toarray())


@pytest.mark.parametrize("name", ["K.mtx", "K.npz"])
def test_complex_matrices_are_refused(tmp_path, name):
    """K (1 + i eta) of structural damping must not lose its damping silently."""
    K = sp.csr_array([[2.0, -1.0], [-1.0, 2.0]]) * (1.0 + 0.02j)
    if name.endswith("mtx"):
        scipy.io.mmwrite(tmp_path / name, K)
    else:
        sp.save_npz(tmp_path / name, K)
    with pytest.raises(InputError, match=rf"invalid matrix file '.*{name}' with complex entries"):
        read_matrix(tmp_path / name)
    nodes, unknowns = np.array([[0.0, 0, 0], [1, 0, 0]]), np.array([[0, 0], [1, 0]])
    with pytest.raises(InputError, match="invalid stiffness with complex entries"):
        MatrixModel(K, sp.eye_array(2), nodes, unknowns)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("K.csv", b"1", "expected a name that ends in .mtx or .npz"),
        ("K.mtx", b"nonsense", "cannot be read"),
        ("K.npz", b"nonsense", "cannot be read"),
        ("absent.mtx", None, "does not exist"),
        ("absent.npz", None, "does not exist"),
    ],
)
def test_bad_matrix_files(tmp_path, name, content, message):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=message) as caught:
        read_matrix(tmp_path / name)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"K": np.eye(3)}, "invalid mass of shape .4, 4.: expected that of the stiffness, .3, 3."),
        ({"K": np.ones((4, 3))}, "invalid stiffness of shape .4, 3.: expected a square"),
        ({"K": np.eye(4) + np.diag([1.0, 0, 0], 1)}, "stiffness is not symmetric"),
        ({"K": np.diag([1.0, 1.0, -1.0, 1.0])}, "negative on the diagonal, at unknown 2"),
        ({"K": np.diag([1.0, np.nan, 1.0, 1.0])}, "stiffness has entries that are not finite"),
        ({"M": np.diag([1.0, 0.0, 1.0, 1.0])}, "unknown 1 has the mass 0"),
        ({"M": np.eye(4) + 2.0 * np.eye(4)[::-1]}, "lowest scaled eigenvalue"),
        ({"nodes": np.zeros((2, 2))}, "invalid nodes of shape .2, 2.: expected .2, 3."),
        ({"unknowns": PLANAR[:3]}, "invalid unknowns of shape .3, 2.: expected .4, 2."),
        ({"unknowns": PLANAR + np.array([1, 0])}, "node number outside 0 to 1: count from 0"),
        ({"unknowns": PLANAR + np.array([0, 5])}, "expected 0 to 5"),
        ({"unknowns": PLANAR[[0, 1, 2, 2]]}, "node 1 component 0 occurs twice"),
        ({"supports": [4]}, "expected unknowns from 0 to 3"),
        ({"surfaces": {"top": np.array([[0, 1, 2]])}}, "surface 'top' has a node number outside"),
    ],
)
def test_bad_models(change, message):
    with pytest.raises(InputError, match=message):
        make(**change)


def test_positive_mass_check_of_a_large_model():
    n = 501
    M = sp.csr_array(
        sp.diags_array([np.ones(n), np.full(n - 1, 0.6), np.full(n - 1, 0.6)], offsets=(0, 1, -1))
    )
    nodes = np.column_stack([np.arange(n), np.zeros((n, 2))])
    unknowns = np.column_stack([np.arange(n), np.zeros(n, dtype=int)])
    with pytest.raises(InputError, match="not positive definite"):  # lowest: 1 - 1.2 cos(pi/(n+1))
        MatrixModel(sp.eye_array(n), M, nodes, unknowns)


def test_unknown_surface_names_the_known():
    model = make(surfaces={"tip": NodeSurface(np.array([1]), np.ones(1), np.eye(3)[:1])})
    with pytest.raises(InputError, match="unknown surface 'top'; known: tip"):
        model.surface("top")


def test_areas_and_normals_of_facets():
    # two unit squares at a right angle along the y axis, one as a quadrilateral cut by hand
    points = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [0, 1, 1]], float)
    flat = NodeSurface.from_facets(points, np.array([[0, 1, 2, 3]]))
    assert_allclose(flat.weights, 0.25)
    assert_allclose(flat.normals, np.tile([0.0, 0.0, 1.0], (4, 1)))
    both = NodeSurface.from_facets(points, np.array([[0, 1, 2, 3], [0, 3, 5, 4]]))
    assert np.sum(both.weights) == pytest.approx(2.0)
    assert_allclose(both.normals[0], np.array([1.0, 0.0, 1.0]) / np.sqrt(2.0))
    triangles = NodeSurface.from_facets(points, np.array([[0, 1, 2], [0, 2, 3]]))
    assert_allclose(triangles.weights, [1 / 3, 1 / 6, 1 / 3, 1 / 6])


def test_bad_facets():
    points = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], float)
    with pytest.raises(InputError, match="split facets of second order"):
        NodeSurface.from_facets(points, np.zeros((1, 6), int))
    with pytest.raises(InputError, match="do not run the same way round"):
        NodeSurface.from_facets(points, np.array([[0, 1, 2], [0, 2, 1]]))


def test_bad_node_surface():
    one = np.array([0])
    with pytest.raises(InputError, match="invalid surface weights"):
        NodeSurface(one, np.array([-1.0]), np.eye(3)[:1])
    with pytest.raises(InputError, match="invalid surface normals"):
        NodeSurface(one, np.ones(1), np.zeros((1, 3)))


def test_surface_offset_turns_with_the_rotation():
    """A node with all six unknowns: u = u_node + theta x offset."""
    unknowns = np.column_stack([np.zeros(6, int), np.arange(6)])
    offset = np.array([[0.1, -0.2, 0.3]])
    surface = NodeSurface(np.array([0]), np.ones(1), np.eye(3)[2:], offset)
    model = MatrixModel(
        sp.eye_array(6), sp.eye_array(6), NODES[:1], unknowns, surfaces={"face": surface}
    )
    u = np.random.default_rng(0).standard_normal(6)
    face = model.surface("face")
    assert_allclose(face.shape @ u, u[:3] + np.cross(u[3:], offset[0]))
    assert_allclose(face.points, offset)


def test_rigid_motions_move_points_rigidly():
    rng = np.random.default_rng(1)
    nodes = rng.standard_normal((4, 3))
    unknowns = np.column_stack([np.repeat(np.arange(4), 6), np.tile(np.arange(6), 4)])
    model = MatrixModel(sp.eye_array(24), sp.eye_array(24), nodes, unknowns)
    motion = rng.standard_normal(6)
    u = (model.rigid_body_modes() @ motion).reshape(4, 6)
    assert_allclose(u[:, :3], motion[:3] + np.cross(motion[3:], nodes))
    assert_allclose(u[:, 3:], np.tile(motion[3:], (4, 1)))
    assert_allclose(model.geometry.shape @ u.ravel(), u[:, :3].ravel())


def test_supports_by_node_and_component():
    assert make().at(np.array([1]), [1]).tolist() == [3]
    assert make(supports=[0, 3]).free.tolist() == [1, 2]
