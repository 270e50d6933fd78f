"""Patch test: uniform pressure between two blocks whose meshes do not match.

The upper block is pressed down by a uniform traction. On the slave's side the pressure of the
Gauss points is integrated exactly; on the master's side the kinks of its shape functions lie
between these points, so its nodal loads have an integration error, and the pressure is uniform up
to that. It shrinks with the number of points per facet; resultants and moments are exact in any
case. The method passes the patch test in the limit of many points, not with few.
"""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.analysis import FEBody, FEContact, StaticBodies, load_path
from fecontact.contact import PenaltyNormal
from fecontact.contact.elasto_plastic import ElastoPlastic
from fecontact.fem import ElasticSolid, Material
from fecontact.mesh import block

LOAD = 1e4  # Pa
SIDE, HEIGHT, YOUNG, PENALTY = 0.1, 0.05, 1e8, 1e11
CORK = Material(YOUNG, 0.0, 200.0)
ELEMENT = {"hex": "hex1", "tet": "tet1"}


def lower(cells=(3, 3)):
    mesh = block(SIDE, SIDE, HEIGHT, cells=(*cells, 2))
    solid = ElasticSolid(mesh, CORK, element="hex1", supports={"z_min": "xyz"})
    return FEBody("lower", solid, ["z_max"])


def upper(cells=(4, 2), cell="hex"):
    mesh = block(SIDE, SIDE, HEIGHT, cells=(*cells, 2), cell=cell).translated((0.0, 0.0, HEIGHT))
    solid = ElasticSolid(mesh, CORK, element=ELEMENT[cell])
    top = solid.surface("z_max")
    force = top.shape.T @ np.outer(top.weights, [0.0, 0.0, -LOAD]).ravel()
    seat = (0.0, 0.0, -LOAD / PENALTY)
    return FEBody("upper", solid, ["z_min"], [(force, lambda t: t)], seat=seat)


@pytest.fixture(scope="module", params=["hex on hex", "tet on hex"])
def blocks(request):
    return lower(), upper(cell=request.param[:3])


def deviation(below, above, parts, slave="upper"):
    """Largest deviation of the pressure, relative to the load; resultants must be right."""
    faces = {"upper": (above, "z_min"), "lower": (below, "z_max")}
    partner = {"upper": "lower", "lower": "upper"}[slave]
    contact = FEContact(faces[slave], faces[partner], PenaltyNormal(PENALTY),
                        ElastoPlastic(0.5, PENALTY), parts=parts)  # fmt: skip
    problem = StaticBodies([below, above], [contact])
    last = load_path(problem, [1.0]).increments[-1]
    result = last.contacts["contact"]
    total = LOAD * SIDE**2
    assert abs(result.force[2]) == pytest.approx(total, rel=1e-8)
    x = contact.points[0]
    centre = (x.weights * result.pressure) @ x.points / total
    assert centre[:2] == pytest.approx([0.5 * SIDE, 0.5 * SIDE], rel=1e-6)

    coupling, step = problem.couplings["contact"], problem.at(last, 1.0, last.x).steps["contact"]
    places = (coupling.places + coupling.lift @ last.x).reshape(-1, 3)
    load = coupling.pair.load(step).reshape(-1, 3)
    assert np.abs(load.sum(axis=0)).max() < 1e-13 * np.abs(load).sum()
    moments = np.cross(places, load)
    assert np.abs(moments.sum(axis=0)).max() < 1e-13 * np.abs(moments).sum()
    return np.abs(result.pressure / LOAD - 1.0).max()


@pytest.mark.parametrize(("slave", "most"), [("upper", 0.15), ("lower", 0.4)])
def test_pressure_is_uniform_up_to_an_error_of_second_order(blocks, slave, most):
    """Error below C/parts^2; C is larger for the coarser slave, with few points on a facet."""
    for parts in (1, 2, 4, 7, 10):
        assert deviation(*blocks, parts, slave) < most / parts**2


def test_pressure_is_exact_on_matching_and_on_nested_meshes():
    """No kink of the master lies inside a facet of the slave: nothing is left to integrate."""
    assert deviation(lower((3, 3)), upper((3, 3)), 1) < 1e-6
    assert deviation(lower((2, 1)), upper((4, 3)), 1) < 1e-6
