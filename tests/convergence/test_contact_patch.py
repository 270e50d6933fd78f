"""Patch test: uniform pressure between two blocks whose meshes do not match.

The upper block is pressed down by a uniform traction. On the slave's side the pressure of the
Gauss points is integrated exactly; on the master's side the kinks of its shape functions lie
between these points, so its nodal loads have an integration error r of the order 1/n^2 with n x n
parts of a facet, and the pressure is uniform up to that. Resultants and moments are exact in any
case. The method passes the patch test in the limit of many points, not with few.

With the stiffness K of the bodies, B of the gaps per unknown and the areas W of the points, the
penalty c answers r by the pressures

    dp = c B (K + c B^T W B)^-1 r .

In the eigenvectors of (B^T W B, K), eigenvalues m, parts of dp have the factor c m/(1 + c m): the
deviation grows with c, in the mean square in any case, from a share c cell/E to a finite limit for
c -> inf. So the limit bounds the error of every penalty.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from fecontact.analysis import StaticSystem, load_path
from fecontact.body import ElasticBody, FEBody
from fecontact.contact import (
    ContactPair,
    ElasticFace,
    FEFace,
    PenaltyNormal,
    elastic_surface,
    fe_surface,
)
from fecontact.contact.laws.elasto_plastic import ElastoPlastic
from fecontact.fem import ElasticSolid, Material
from fecontact.joint import Line, SurfaceLoad
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.system import System

LOAD = 1e4  # Pa
SIDE, HEIGHT, YOUNG = 0.1, 0.05, 1e8
CELL = SIDE / 4
USUAL, STIFF, RIGID = 25.0, 1e3, 1e4
"""c cell/E: about that of `penalty_on`, the limit of `check_penalty`, and beyond."""
GUIDED = {"x_min": "x", "y_min": "y"}
pytestmark = pytest.mark.filterwarnings("ignore:.*times that of the cells")  # stiff on purpose
KINDS = ("hex on hex", "tet on hex")


@cache
def solid(upper, cells, cell="hex", order=1, nu=0.0, held=False):
    """Lower block, guided on a smooth floor; the upper one is free, or held by a smooth ceiling."""
    mesh = block(SIDE, SIDE, HEIGHT, cells=(*cells, 2), cell=cell, order=order)
    supports = GUIDED | {"z_max" if upper else "z_min": "z"} if held or not upper else {}
    return ElasticSolid(
        mesh.translated((0.0, 0.0, HEIGHT if upper else 0.0)), Material(YOUNG, nu, 200.0),
        element=f"{cell}{order}", supports=supports,
    )  # fmt: skip


def lower(cells=(3, 3), **kind):
    return FEBody("lower", solid(False, cells, **kind))


def upper(stiffness, cells=(4, 2), **kind):
    body = solid(True, cells, **kind)
    return FEBody("upper", body, seat=(0.0, 0.0, -LOAD / stiffness))


def deviation(below, above, parts, slave="upper", stiffness=USUAL * YOUNG / CELL):
    """Largest deviation of the pressure and that in the mean square, relative to the load.

    Resultants must be right, up to the round-off of positions times the penalty.
    """
    faces = {"upper": (above, "z_min"), "lower": (below, "z_max")}
    partner = {"upper": "lower", "lower": "upper"}[slave]
    x = fe_surface(*faces[slave], parts=parts)
    pair = ContactPair(faces[slave][0], x, FEFace(*faces[partner]), PenaltyNormal(stiffness),
                       ElastoPlastic(0.5, stiffness))  # fmt: skip
    press = SurfaceLoad(above, "z_max", pressure=LOAD, factor=Line(gradient=1.0))
    problem = StaticSystem(System([below, above], [pair, press]))
    last = load_path(problem, [1.0]).increments[-1]
    result = last.contacts["contact"]
    total, off = LOAD * SIDE**2, 10.0 * np.finfo(float).eps * SIDE * stiffness / LOAD
    assert abs(result.force[2]) == pytest.approx(total, rel=1e-8 + off)
    centre = (x.weights * result.pressure) @ x.points / total
    assert centre[:2] == pytest.approx([0.5 * SIDE, 0.5 * SIDE], rel=1e-6 + off)

    step = problem.at(last, 1.0, last.x).steps["contact"]
    positions, load = step.positions.reshape(-1, 3), step.load.reshape(-1, 3)
    assert np.abs(load.sum(axis=0)).max() < 1e-13 * np.abs(load).sum()
    moments = np.cross(positions, load)
    assert np.abs(moments.sum(axis=0)).max() < 1e-13 * np.abs(moments).sum()
    off = result.pressure / LOAD - 1.0
    return np.abs(off).max(), np.sqrt(x.weights @ off**2 / x.weights.sum())


def shares(kind, slave, parts, ratios, **more):
    """Deviations times parts^2, (2, ratios, parts)."""
    result = np.empty((2, len(ratios), len(parts)))
    for i, ratio in enumerate(ratios):
        c = ratio * YOUNG / CELL
        below, above = lower(**more), upper(c, cell=kind[:3], **more)
        for k, n in enumerate(parts):
            result[:, i, k] = n**2 * np.array(deviation(below, above, n, slave, c))
    return result


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("slave", "most"), [("upper", (0.15, 0.3)), ("lower", (0.4, 0.9))])
def test_pressure_is_uniform_up_to_an_error_of_second_order(kind, slave, most):
    """Error below C/parts^2, as the documentation states it; larger for the coarser slave."""
    largest = shares(kind, slave, (1, 2, 4, 7, 10), (USUAL, STIFF))[0].max(axis=1)
    assert np.all(largest < most)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("slave", ["upper", "lower"])
def test_the_error_of_a_stiffer_penalty_has_a_limit(kind, slave):
    """In the mean square it rises with the penalty, the less the stiffer it is.

    What is missing to the limit falls as 1/(1 + c m): by ten from 1e4 to 1e5, once c m > 1.
    """
    (rough,) = shares(kind, slave, (2,), (USUAL, 250.0, STIFF, RIGID, 10.0 * RIGID))[1].T
    assert np.all(np.diff(rough) > 0.0)
    assert rough[3] - rough[2] < 0.3 * rough[2]
    assert rough[4] - rough[3] < 0.2 * (rough[3] - rough[2])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("slave", "most"), [("upper", (0.7, 1.7)), ("lower", (1.5, 4.0))])
def test_quadratic_facets(kind, slave, most):
    """quad8 and tri6: second order too, with larger constants; lateral strain changes nothing."""
    largest = shares(kind, slave, (2, 5), (USUAL, STIFF), order=2, nu=0.3)[0].max(axis=1)
    assert np.all(largest < most)


def test_lateral_strain_changes_little():
    """Both blocks widen alike: the same uniform pressure, the same bounds."""
    for slave, most in (("upper", 0.3), ("lower", 0.9)):
        assert shares("hex on hex", slave, (1, 2, 7), (STIFF,), nu=0.3)[0].max() < most


def test_pressure_is_exact_on_matching_and_on_nested_meshes():
    """No kink of the master lies inside a facet of the slave: nothing is left to integrate."""
    stiff = USUAL * YOUNG / CELL
    assert deviation(lower((3, 3)), upper(stiff, (3, 3)), 1)[0] < 1e-6
    assert deviation(lower((2, 1)), upper(stiff, (4, 3)), 1)[0] < 1e-6
    # parts of a coarse slave may be cut where the master has its edges
    assert deviation(lower((3, 3)), upper(stiff, (4, 2)), 4, "lower")[0] < 1e-6


def squeezed(parts, stiffness):
    """Pressures over E d/(2 H + E/c) of blocks that overlap by d: condensed, and reduced."""
    bodies = [solid(False, (3, 3), held=True), solid(True, (4, 2), held=True)]
    overlap = LOAD * (2.0 * HEIGHT / YOUNG + 1.0 / stiffness)
    laws = PenaltyNormal(stiffness), ElastoPlastic(0.5, stiffness)
    below, above = (
        FEBody(name, body) for name, body in zip(("lower", "upper"), bodies, strict=True)
    )
    points = fe_surface(above, "z_min", parts=parts).with_gap(-overlap)
    pair = ContactPair(above, points, FEFace(below, "z_max"), *laws)
    found = [load_path(StaticSystem(System([below, above], [pair])), [1.0])]
    low, high = (
        ElasticBody(name, reduce_model(body, face, method="craig-bampton", modes=1), frame="fixed")
        for name, body, face in zip(("lower", "upper"), bodies, ("z_max", "z_min"), strict=True)
    )
    surface = elastic_surface(high, "z_min", parts=parts).with_gap(-overlap)
    pair = ContactPair(high, surface, ElasticFace(low, "z_max"), *laws)
    found.append(load_path(StaticSystem(System([low, high], [pair])), [1.0]))
    return [path.increments[-1].contacts["contact"].pressure / LOAD for path in found]


@pytest.mark.parametrize("ratio", [USUAL, STIFF])
def test_reduced_bodies(ratio):
    """Constraint modes keep the statics of the surface: the same pressures, the same bound.

    Strains of LOAD/YOUNG tilt the facets; the two forms agree to first order in them.
    """
    for parts in (1, 3):
        condensed, reduced = squeezed(parts, ratio * YOUNG / CELL)
        np.testing.assert_allclose(reduced, condensed, rtol=LOAD / YOUNG)
        assert np.abs(reduced - 1.0).max() < 0.3 / parts**2
