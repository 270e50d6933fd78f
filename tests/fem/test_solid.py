"""Solid model: supports, surfaces, materials, geometry, rigid-body modes."""

import re
import warnings

import numpy as np
import pytest
import pyvista as pv
from skfem import MeshHex, MeshHex2, MeshTet, MeshTet2, MeshTri

from fecontact.errors import InputError
from fecontact.fem import ALUMINIUM, STEEL, ElasticSolid, static_displacement
from fecontact.fem.solid.body import ELEMENTS
from fecontact.mesh import block as generated_block
from fecontact.mesh import solid_annulus
from fecontact.solvers.eigen import lowest_modes

VTK = {"tetra": 10, "tetra10": 24, "hexahedron": 12, "hexahedron20": 25, "hexahedron27": 29}


def block(name, lengths=(0.3, 0.2, 0.1), refinements=1):
    mesh = (MeshTet() if name.startswith("tet") else MeshHex()).refined(refinements)
    a, _, c = lengths
    return mesh.scaled(lengths).with_boundaries(
        {
            "x_min": lambda x: x[0] < 1e-9,
            "x_max": lambda x: x[0] > a - 1e-9,
            "top": lambda x: x[2] > c - 1e-9,
            "skin": lambda x: x[0] < np.inf,
        },
        boundaries_only=True,
    )


def curved_ring(name):
    """Annulus 60/110 mm, 20 mm thick, mid nodes on the circles."""
    return solid_annulus(0.06, 0.11, 0.0, 0.02, 2, 16, cell=name[:3], order=2)


@pytest.mark.parametrize("name", ELEMENTS)
def test_mass_and_inertia_of_a_block(name):
    solid = ElasticSolid(block(name), STEEL, name)
    R = solid.rigid_body_modes()
    rigid = R.T @ solid.mass @ R
    a, b, c = 0.3, 0.2, 0.1
    m = 7800.0 * a * b * c
    moments = m / 3.0 * np.array([b**2 + c**2, a**2 + c**2, a**2 + b**2])
    np.testing.assert_allclose(np.diag(rigid), [m, m, m, *moments], rtol=1e-12)
    assert rigid[3, 4] == pytest.approx(-m * a * b / 4.0)


@pytest.mark.parametrize("name", ELEMENTS)
def test_rigid_motions_cost_no_energy(name):
    solid = ElasticSolid(block(name), STEEL, name)
    force = solid.stiffness @ solid.rigid_body_modes()
    assert np.abs(force).max() < 1e-14 * abs(solid.stiffness).max()


@pytest.mark.parametrize("name", ELEMENTS)
def test_free_block_has_six_zero_modes_and_its_frequencies_do_not_feel_a_turn(name):
    mesh = block(name, refinements=2 if name.endswith("1") else 1)
    turn, _ = np.linalg.qr(np.random.default_rng(3).standard_normal((3, 3)))
    turned = type(mesh)(turn @ mesh.p + 0.4, mesh.t)
    f, g = (
        lowest_modes(s.stiffness, s.mass, 12)[0]
        for s in (ElasticSolid(m, STEEL, name) for m in (mesh, turned))
    )
    assert np.all(f[:6] ** 2 < 1e-11 * f[6] ** 2)
    np.testing.assert_allclose(g[6:], f[6:], rtol=1e-9)


SURFACES = [(name, "quadrature") for name in ELEMENTS]
SURFACES += [(name, "nodes") for name in ELEMENTS if name != "hexS2"]


@pytest.mark.parametrize(("name", "points"), SURFACES)
def test_surface_of_a_block(name, points):
    solid = ElasticSolid(block(name), STEEL, name)
    top = solid.surface("top", points)
    assert top.weights.min() > 0.0
    assert top.weights.sum() == pytest.approx(0.3 * 0.2, rel=1e-12)
    np.testing.assert_allclose(
        top.normals, np.tile([0.0, 0.0, 1.0], (len(top.points), 1)), atol=1e-12
    )
    np.testing.assert_allclose(top.weights @ top.points, 0.06 * np.array([0.15, 0.1, 0.1]))
    np.testing.assert_allclose(top.shape @ solid.nodes.ravel(), top.points.ravel(), atol=1e-14)


@pytest.mark.parametrize("name", ELEMENTS)
def test_outward_normals_close_the_skin(name):
    """Divergence theorem: int n dA = 0 and int x . n dA = 3 V."""
    skin = ElasticSolid(block(name), STEEL, name).surface("skin")
    vectors = skin.weights[:, None] * skin.normals
    assert np.abs(vectors.sum(axis=0)).max() < 1e-15
    assert np.sum(vectors * skin.points) == pytest.approx(3 * 0.3 * 0.2 * 0.1, rel=1e-12)


@pytest.mark.parametrize("name", ["tet2", "hexS2", "hex2"])
def test_curved_ring_has_nearly_the_exact_area_and_volume(name):
    """Mid nodes on the circle: relative error of order (step angle)^4 / 180 or so."""
    solid = ElasticSolid(curved_ring(name), STEEL, name)
    outer = solid.surface("outer")
    assert outer.weights.sum() == pytest.approx(2 * np.pi * 0.11 * 0.02, rel=2e-4)
    radial = outer.points * [1.0, 1.0, 0.0] / np.hypot(*outer.points.T[:2])[:, None]
    assert np.sum(outer.normals * radial, axis=1).min() > 0.998
    volume = solid.scalar_mass.sum() / 7800.0
    assert volume == pytest.approx(np.pi * (0.11**2 - 0.06**2) * 0.02, rel=1e-4)


@pytest.mark.parametrize("name", ELEMENTS)
def test_cells_are_written_in_the_order_of_vtk(name):
    """VTK itself computes the right volume, and positive Jacobians, from our connectivity."""
    geometry = ElasticSolid(block(name), STEEL, name).geometry
    ((kind, cells),) = geometry.cells.items()
    rows = np.column_stack([np.full(len(cells), cells.shape[1]), cells])
    grid = pv.UnstructuredGrid(rows.ravel(), np.full(len(cells), VTK[kind]), geometry.points)
    volumes = grid.compute_cell_sizes()["Volume"]
    assert volumes.min() > 0.0
    assert volumes.sum() == pytest.approx(0.006, rel=1e-6)


def test_quadratic_is_the_default():
    kinds = [
        ElasticSolid(mesh, STEEL).kind.meshio
        for mesh in (MeshTet(), MeshTet2(), MeshHex(), MeshHex2())
    ]
    assert kinds == ["tetra10", "tetra10", "hexahedron20", "hexahedron27"]


def test_supports_hold_the_chosen_directions():
    solid = ElasticSolid(block("hexS2"), STEEL, supports={"x_min": "clamped", "top": "z"})
    held = np.setdiff1d(np.arange(solid.stiffness.shape[0]), solid.free)
    node, direction = np.divmod(held, 3)
    on_wall = solid.nodes[node, 0] == 0.0
    on_top = solid.nodes[node, 2] == 0.1
    assert np.all(on_wall | (on_top & (direction == 2)))
    assert np.count_nonzero(on_wall) == 3 * np.count_nonzero(solid.nodes[:, 0] == 0.0)
    everything_on_top = np.count_nonzero(solid.nodes[:, 2] == 0.1)
    assert np.count_nonzero(on_top & (direction == 2)) == everything_on_top


def test_two_materials_in_series_stretch_like_springs():
    """Bar of two halves under an end force: u = F/A (L1/E1 + L2/E2), nu = 0."""
    mesh = block("hexS2").with_subdomains(
        {"left": lambda x: x[0] < 0.15, "right": lambda x: x[0] > 0.15}
    )
    stiff, soft = (type(STEEL)(E, 0.0, 7800.0) for E in (2e11, 5e10))
    solid = ElasticSolid(mesh, {"left": stiff, "right": soft}, supports={"x_min": "clamped"})
    end = solid.surface("x_max")
    load = end.shape.T @ (end.weights[:, None] * [1e6, 0.0, 0.0]).ravel()
    u = static_displacement(solid, load).reshape(-1, 3)
    assert u[solid.nodes[:, 0] > 0.2999, 0] == pytest.approx(1e6 * 0.15 * (1 / 2e11 + 1 / 5e10))


def test_two_densities_add_up():
    mesh = block("tet2").with_subdomains({"l": lambda x: x[0] < 0.15, "r": lambda x: x[0] > 0.15})
    number = np.zeros(mesh.nelements, dtype=bool)
    number[mesh.subdomains["l"]] = True
    mesh = mesh.with_subdomains({"l": np.flatnonzero(number), "r": np.flatnonzero(~number)})
    solid = ElasticSolid(mesh, {"l": STEEL, "r": ALUMINIUM})
    share = ElasticSolid(mesh.restrict("l"), STEEL).scalar_mass.sum() / 7800.0
    assert solid.scalar_mass.sum() == pytest.approx(7800.0 * share + 2700.0 * (0.006 - share))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"element": "tet2"},
            "invalid element = tet2: expected one of hex1, hexS2, hex2",
        ),
        ({"supports": {"rim": "xyz"}}, "unknown surface 'rim'; known: skin, top, x_max, x_min"),
        ({"supports": {"top": "xq"}}, "support of 'top' = 'xq'.*letters x, y, z"),
        ({"material": {"core": STEEL}}, "invalid subdomain = core"),
        ({"material": {"half": STEEL}}, "4 cells have no material"),
        ({"material": {"half": STEEL, "all": STEEL}}, "'all': some of its cells have two"),
    ],
)
def test_bad_input_is_named(arguments, message):
    mesh = block("hex1").with_subdomains({"half": np.arange(4), "all": np.arange(8)})
    with pytest.raises(InputError, match=message):
        ElasticSolid(**({"mesh": mesh, "material": STEEL} | arguments))


def test_a_plane_mesh_is_refused():
    with pytest.raises(InputError, match="expected tetrahedra or hexahedra"):
        ElasticSolid(MeshTri(), STEEL)


def test_a_surface_inside_the_body_is_refused():
    mesh = block("hex1").with_boundaries(
        {"cut": lambda x: abs(x[0] - 0.15) < 1e-9}, boundaries_only=False
    )
    with pytest.raises(InputError, match="inside the body"):
        ElasticSolid(mesh, STEEL).surface("cut")


def test_unused_nodes_are_counted():
    mesh = block("hex1")
    loose = np.hstack([[[5.0], [5.0], [5.0]], mesh.p])
    with pytest.raises(InputError, match="1 nodes that belong to no cell"):
        _ = ElasticSolid(MeshHex(loose, mesh.t + 1, validate=False), STEEL).mass


@pytest.mark.parametrize(
    ("element", "cells", "factor"),
    [("hex1", (8, 8, 1), r"hex1 cells are 2[\d.]+ times.* 0.6 on.* element='hexS2'"),
     ("tet1", (8, 8, 1), r"tet1 cells are.* element='tet2'"),
     ("tet2", (8, 8, 1), r"tet2 cells are 3[\d.]+ times.* from 8 on.* hexahedra, smaller cells"),
     ("tet2", (60, 60, 1), None), ("hexS2", (8, 8, 1), None), ("hex2", (8, 8, 1), None)],
)  # fmt: skip
def test_cells_that_lock_are_named(element, cells, factor):
    """A plate 0.4 x 0.4 x 0.002 m; quadratic hexahedra do not lock."""
    mesh = generated_block(0.4, 0.4, 0.002, cells, element[:3])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ElasticSolid(mesh, STEEL, element)
    assert len(caught) == (factor is not None)
    if factor:
        assert re.search(factor, str(caught[0].message))
