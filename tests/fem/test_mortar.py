"""Mortar integrals: areas, resultants, linear fields, covered parts, refusals."""

from __future__ import annotations

import numpy as np
import pytest
from skfem import MeshHex

from fecontact.errors import InputError
from fecontact.fem import ElasticSolid, Material
from fecontact.fem.assembly.facets import solid_facets
from fecontact.fem.assembly.mortar import mortar_integrals
from fecontact.mesh import block, solid_annulus

STIFF = Material(2e11, 0.3, 7800.0)
KINDS = ["tet1", "tet2", "hex1", "hexS2", "hex2"]
pytestmark = pytest.mark.filterwarnings("ignore:the edges of the")


def solid(element, cells, shift=(0.0, 0.0, 0.0), size=(0.1, 0.08, 0.05)):
    return ElasticSolid(block(*size, cells, element[:3]).translated(shift), STIFF, element=element)


def nodal_areas(body, name):
    """Integrals of all shape functions over a face, by the contact points of the solid."""
    on = body.surface(name)
    return (on.shape.T @ np.repeat(on.weights, 3))[::3]


@pytest.mark.parametrize("slave", KINDS)
@pytest.mark.parametrize("master", ["tet2", "hexS2"])
def test_resultants_and_linear_fields(slave, master):
    """A constant pressure gives the consistent nodal forces of both sides; D x = M x."""
    upper, lower = solid(slave, (4, 5, 1), (0, 0, 0.05)), solid(master, (3, 3, 1))
    faces = solid_facets(upper, "z_min"), solid_facets(lower, "z_max")
    found = mortar_integrals(*faces)
    assert found.covered == pytest.approx(1.0, abs=1e-12)
    assert found.largest_gap < 1e-15
    expected = nodal_areas(lower, "z_max")[found.masters]
    pressed = found.of_masters.sum(axis=0)
    np.testing.assert_allclose(pressed, expected, rtol=0, atol=1e-12 * np.abs(expected).max())
    x = upper.nodes[found.nodes]
    own = dict(zip(found.nodes.tolist(), x, strict=True))
    parts = [own[n] - (np.mean([own[e] for e in ends], axis=0) if ends else 0.0)
             for n, ends in zip(found.nodes.tolist(), found.ends, strict=True)]  # fmt: skip
    carried = found.of_masters @ lower.nodes[found.masters]
    np.testing.assert_allclose(found.weights[:, None] * parts, carried, atol=1e-15)
    assert np.all(found.weights > 0.0)
    # forces of the slave nodes: at corners phi has also the part of the middle nodes
    forces = {
        n: w for n, w, ends in zip(found.nodes.tolist(), found.weights, found.ends, strict=True)
    }
    for w, ends in zip(found.weights, found.ends, strict=True):
        for end in ends:
            forces[end] -= w / len(ends)
    consistent = nodal_areas(upper, "z_min")[found.nodes]
    np.testing.assert_allclose(list(forces.values()), consistent, atol=1e-12 * 0.008)


def test_facets_point_outwards():
    for element in KINDS:
        body = solid(element, (2, 2, 1))
        facets = solid_facets(body, "x_max")
        out = facets.outward[facets.pieces.facet][:, None] * facets.pieces.area_vector
        assert np.all(out[:, 0] > 0.0)
        assert out[:, 0].sum() == pytest.approx(0.08 * 0.05)


def test_covered_part():
    """A slave that sticks out is tied where the master is; the area is that of the overlap."""
    upper = solid("hexS2", (5, 4, 1), (0.03, 0.0, 0.05))
    lower = solid("hex1", (4, 4, 2))
    found = mortar_integrals(solid_facets(upper, "z_min"), solid_facets(lower, "z_max"))
    assert found.covered == pytest.approx(0.7, abs=1e-12)
    assert found.of_masters.sum() == pytest.approx(0.07 * 0.08, abs=1e-12)
    x = upper.nodes[found.nodes]
    corners = np.array([not ends for ends in found.ends])
    on = corners & (found.weights > 0.0)
    rows = found.of_masters @ lower.nodes[found.masters]
    np.testing.assert_allclose((found.weights[:, None] * x)[on], rows[on], atol=1e-15)


def test_gap_of_curved_faces():
    """Rings of 36 and 52 cells: their largest distance is that of the chords from each other."""
    inner = ElasticSolid(solid_annulus(0.05, 0.07, 0.0, 0.02, 1, 36, 1), STIFF, "hex1")
    outer = ElasticSolid(solid_annulus(0.07, 0.1, 0.0, 0.02, 1, 52, 2), STIFF, "hex1")
    found = mortar_integrals(solid_facets(outer, "inner"), solid_facets(inner, "outer"))
    sagitta = 0.07 * (1.0 - np.cos(np.pi / 36))
    assert 0.5 * sagitta < found.largest_gap < 1.05 * sagitta
    assert found.covered == pytest.approx(1.0, abs=1e-9)


def test_what_cannot_be_tied():
    upper, lower = solid("hex1", (2, 2, 1), (0.0, 0.0, 0.2)), solid("hex1", (2, 2, 1))
    faces = solid_facets(upper, "z_min"), solid_facets(lower, "z_max")
    with pytest.raises(InputError, match="do not face each other within the largest gap"):
        mortar_integrals(*faces)
    assert mortar_integrals(*faces, gap=0.2).largest_gap == pytest.approx(0.15)
    same_side = solid_facets(solid("hex1", (2, 2, 1)), "z_max"), faces[1]
    with pytest.raises(InputError, match="do not face each other"):
        mortar_integrals(*same_side)


def test_distorted_faces():
    """Quadrilaterals that are no parallelograms: the constant pressure is carried to 1e-9."""
    mesh = block(0.1, 0.08, 0.05, (4, 4, 1))
    p = mesh.p.copy()
    inner = (p[2] == 0.0) & (np.abs(p[0] - 0.05) < 0.04) & (np.abs(p[1] - 0.04) < 0.03)
    rng = np.random.default_rng(3)
    p[:2, inner] += rng.uniform(-0.004, 0.004, (2, inner.sum()))
    upper = ElasticSolid(
        MeshHex(p, mesh.t, mesh.boundaries).translated((0, 0, 0.05)), STIFF, "hex1"
    )
    lower = solid("hexS2", (3, 3, 1))
    found = mortar_integrals(solid_facets(upper, "z_min"), solid_facets(lower, "z_max"))
    expected = nodal_areas(upper, "z_min")[found.nodes]
    np.testing.assert_allclose(found.weights, expected, rtol=1e-9)
