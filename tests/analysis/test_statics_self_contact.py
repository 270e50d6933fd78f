"""Contact of a body with itself: two arms of a clip that close, in statics and in time."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse.linalg as spla

from fecontact.analysis import StaticSystem, load_path
from fecontact.body import ElasticBody, FEBody
from fecontact.contact import (
    ContactPair,
    ElasticFace,
    ElastoPlastic,
    FEFace,
    PenaltyNormal,
    elastic_surface,
    fe_surface,
)
from fecontact.fem import ElasticSolid, Material
from fecontact.integrate import simulate
from fecontact.joint import Force, NodalLoad, ramp
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.system import System

MATERIAL = Material(2e9, 0.0, 1000.0)
ROOT, LENGTH, HEIGHT, WIDTH, GAP = 0.02, 0.1, 0.01, 0.01, 2e-4
PENALTY = 2e13


def clip(held=True, cells=6, element="hex2", gap=GAP):
    """A fork: two arms of HEIGHT with a slot between them, one piece at the root."""
    whole = block(ROOT + LENGTH, WIDTH, 1.0, (cells + 1, 1, 3))
    x, _, z = whole.p
    steps = np.r_[0.0, ROOT, ROOT + LENGTH * np.arange(1, cells + 1) / cells]
    x = np.interp(x, np.linspace(0.0, ROOT + LENGTH, cells + 2), steps)
    levels = np.array([0.0, HEIGHT, HEIGHT + gap, 2.0 * HEIGHT + gap])
    z = np.interp(z, np.linspace(0.0, 1.0, 4), levels)
    points = np.array([x, whole.p[1], z])
    centre = points[:, whole.t].mean(axis=1)
    inside = (centre[0] > ROOT) & (centre[2] > HEIGHT) & (centre[2] < HEIGHT + gap)
    mesh = type(whole)(points, whole.t).remove_elements(np.flatnonzero(inside))
    sides = {
        "lower": lambda x: np.isclose(x[2], HEIGHT) & (x[0] > ROOT),
        "upper": lambda x: np.isclose(x[2], HEIGHT + gap) & (x[0] > ROOT),
        "root": lambda x: np.isclose(x[0], 0.0),
        "tip": lambda x: np.isclose(x[0], ROOT + LENGTH) & (x[2] > HEIGHT),
    }
    mesh = mesh.with_boundaries(sides)
    supports = {"root": "clamped"} if held else {}
    return ElasticSolid(mesh, MATERIAL, element=element, supports=supports)


def at_tip(x):
    return x[:, 0] > ROOT + 0.99 * LENGTH


def pressed(model, force, penalty=PENALTY):
    """Upper arm pressed at its tip, with contact of the nodes at the tip."""
    body = FEBody("clip", model)
    points = fe_surface(body, model.surface("upper", "nodes"), near=at_tip)
    laws = PenaltyNormal(penalty), ElastoPlastic(0.0, 1e11)
    pair = ContactPair(body, points, FEFace(body, "lower"), *laws)
    load = model.surface("tip")
    f = load.shape.T @ np.outer(load.weights / load.weights.sum(), (0.0, 0.0, -force)).ravel()
    load = NodalLoad(body, f, factor=ramp(1.0))
    return body, points, StaticSystem(System([body], [pair, load])), f


def test_force_that_closes_the_gap():
    """N of the points from the compliances of the free arms, by linear solutions of its own.

    The gaps are g + (L_u - L_l) u, the forces on u are (L_u - L_l)^T N: with D = L_u - L_l along z,
    (1/k + D K^-1 D^T) N = -(g + D K^-1 f). The facets tilt by theta = F L^2/(2 E I) = 3e-5, and the
    points slide by theta HEIGHT along them: theta^2 HEIGHT/g = 5e-6.
    """
    gap, force = 0.01 * GAP, 0.03
    model = clip(gap=gap)
    body, points, problem, f = pressed(model, force)
    last = load_path(problem, [0.5, 1.0], tolerance=1e-10).increments[-1]
    lower = model.surface("lower", "nodes")
    chosen = at_tip(lower.points)
    apart = np.linalg.norm(lower.points[None, :, :2] - points.points[:, None, :2], axis=2)
    order = apart.argmin(axis=1).tolist()
    assert set(order) == set(np.flatnonzero(chosen))
    below = lower.shape[[3 * i + 2 for i in order]][:, model.free]
    D = (points.interpolation[2::3] - below).toarray()
    solve = spla.factorized(body.stiffness.tocsc())
    by_load, by_points = solve(f[model.free]), np.array([solve(row) for row in D]).T
    assert np.all(gap + D @ by_load < 0.0)
    matrix = np.diag(1.0 / (PENALTY * points.weights)) + D @ by_points
    expected = np.linalg.solve(matrix, -(gap + D @ by_load))
    contact = last.contacts["contact"]
    np.testing.assert_allclose(points.weights * contact.pressure, expected, rtol=2e-5)


@pytest.mark.filterwarnings("ignore:.*too soft")
def test_beam_theory():
    """N = F/2 - 3 E I g/(2 L^3) of two equal cantilevers that touch at their tips.

    Shear, 0.6 (h/L)^2 = 0.6 %, and the root that gives, of the order h/L of the length, change the
    compliance, not the half of the load: 2 % of F/2.
    """
    _, points, problem, _ = pressed(clip(), 10.0, 1e12)
    last = load_path(problem, [0.5, 1.0]).increments[-1]
    N = float(points.weights @ last.contacts["contact"].pressure)
    bending = MATERIAL.young * WIDTH * HEIGHT**3 / 12.0
    expected = 5.0 - 1.5 * bending * GAP / LENGTH**3
    assert pytest.approx(expected, abs=0.02 * 5.0) == N


@pytest.mark.filterwarnings("ignore:.*(locking|too soft)")
def test_full_and_reduced_agree():
    """The full clip, and the reduced one without loss; it bears the force at the facet: 2e-3."""
    model = clip(cells=3, element="hex1")
    reduced = reduce_model(model, ["upper", "lower", "tip"], method="free", modes=len(model.free))
    body, full = ElasticBody("clip", reduced, frame="fixed"), FEBody("clip", model)
    found = []
    for own, points, face in (
        (body, elastic_surface(body, "upper"), ElasticFace(body, "lower")),
        (full, fe_surface(full, "upper"), FEFace(full, "lower")),
    ):
        pair = ContactPair(own, points, face, PenaltyNormal(1e10), ElastoPlastic(0.3, 1e9))
        load = Force(own, (0.0, 0.0, -5.0), point="tip", factor=ramp(1.0))
        last = load_path(StaticSystem(System([own], [pair, load])), [0.5, 1.0]).increments[-1]
        found.append(last.contacts["contact"].pressure)
    assert found[1].max() > 0.0
    np.testing.assert_allclose(*found, atol=2e-3 * found[1].max())


def test_pressed_slowly_in_time():
    """A damped clip under a load that stays comes to the force of its statics."""
    reduced = reduce_model(clip(cells=3), ["upper", "lower", "tip"], method="free", modes=6)
    body = ElasticBody("clip", reduced, frame="fixed", damping=0.5)
    points = elastic_surface(body, "upper")
    laws = PenaltyNormal(1e9), ElastoPlastic(0.3, 1e8)
    pair = ContactPair(body, points, ElasticFace(body, "lower"), *laws)
    system = System([body], [pair, Force(body, (0.0, 0.0, -5.0), point="tip", factor=ramp(0.02))])
    rest = load_path(StaticSystem(system), [0.01, 0.02]).increments[-1].contacts["contact"]
    motion = simulate(system, 0.04, output=0.04, rtol=1e-4)
    found = motion["contact.normal_force"][-1]
    assert found == pytest.approx(points.weights @ rest.pressure, rel=1e-3)
    assert found > 1.0


def test_tangents(difference):
    """Implicit steps of a clip that touches itself: derivatives of the folded forces."""
    system, start = flying()
    begin = system.begin(start)
    step = lambda q, v: begin.at(system.rest().__class__(1e-5, q, v), 1e-5)  # noqa: E731
    rng = np.random.default_rng(1)
    along = rng.standard_normal((system.size, 2))
    _, by_q, by_v = step(start.q, start.v).evaluate()
    found = difference(
        lambda a: step(system.move(start.q, along @ a), start.v).force,
        np.zeros(2), np.full(2, 1e-8),
    )  # fmt: skip
    assert np.linalg.norm(by_q @ along - found) < 1e-6 * np.linalg.norm(found)
    found = difference(
        lambda a: step(start.q, start.v + along @ a).force, np.zeros(2), np.full(2, 1e-4)
    )
    assert np.linalg.norm(by_v @ along - found) < 1e-6 * np.linalg.norm(found)


def flying():
    """A free clip whose arms are pressed into each other, with friction."""
    model = clip(held=False, cells=3)
    body = ElasticBody("clip", reduce_model(model, ["upper", "lower"], method="free", modes=8))
    laws = PenaltyNormal(1e9, 1e3), ElastoPlastic(0.3, 1e9, damping=1e3)
    pair = ContactPair(body, elastic_surface(body, "upper"), ElasticFace(body, "lower"), *laws)
    system = System([body], [pair])
    start = system.rest()
    at = elastic_surface(body, "upper").shapes[:, 2].mean(axis=0)
    at = at - elastic_surface(body, "lower").shapes[:, 2].mean(axis=0)
    start.q[7:] = -2.0 * GAP * at / (at @ at)
    start.v[:3], start.v[3:6] = (0.1, -0.2, 0.3), (3.0, 2.0, -1.0)
    return system, system.history_layout.filled(start)


def test_own_contact_changes_no_momentum():
    """Inner forces: the momentum of a free clip stays, and the energy audit closes."""
    system, start = flying()
    motion = simulate(system, 1e-3, start, output=2e-4, rtol=1e-4)
    assert motion["contact.normal_force"].max() > 1.0
    linear, angular = motion.momentum()
    size = np.linalg.norm(linear[0])
    np.testing.assert_allclose(linear, np.broadcast_to(linear[0], linear.shape), atol=1e-9 * size)
    turning = np.linalg.norm(angular[0])
    np.testing.assert_allclose(
        angular, np.broadcast_to(angular[0], angular.shape), atol=1e-5 * turning
    )
    assert abs(motion.unaccounted) < 1e-2
