"""Several finite-element bodies in contact: tangents, another method, balances, bad input."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.analysis import StaticSystem, load_path
from fecontact.body import ElasticBody, FEBody
from fecontact.contact import ContactPair, FEFace, PenaltyNormal, RigidFace, fe_surface
from fecontact.contact.laws.elasto_plastic import ElastoPlastic
from fecontact.contact.master.elastic_face import ElasticFace
from fecontact.contact.master.shape import Plane
from fecontact.contact.status import OPEN, SLIP, STICK
from fecontact.contact.surface.points import elastic_surface
from fecontact.errors import InputError
from fecontact.fem import ElasticSolid, Material, MindlinPlate
from fecontact.joint import Force, Line, NodalLoad, SupportMotion, SurfaceLoad, Table
from fecontact.mesh import block, rectangle
from fecontact.reduction import reduce_model
from fecontact.system import System

SOFT, SOFTER = Material(1e7, 0.3, 1000.0), Material(4e6, 0.2, 1000.0)
LAWS = PenaltyNormal(1e10), ElastoPlastic(0.3, 5e9)


def solid(size, cells, at, material=SOFT, held=None, **more):
    mesh = block(*size, cells, **more).translated(at)
    return ElasticSolid(mesh, material, supports={held: "clamped"} if held else {})


def moved(model, surface_z, by):
    """Displacement of the nodes on a horizontal plane."""
    on = np.abs(model.nodes[:, 2] - surface_z) < 1e-9
    return np.where(on[:, None], by, 0.0).ravel()


def weight(model, force):
    """Force (3,) spread over all nodes."""
    return np.tile(np.asarray(force) / len(model.nodes), len(model.nodes))


PRESS, DRAG = Table((0.0, 1.0, 2.0), (0.0, 1.0, 1.0)), Table((0.0, 1.0, 2.0), (0.0, 0.0, 1.0))
RISE = Line(gradient=1.0)


@pytest.fixture(scope="module")
def pressed():
    """A small block pressed into a larger one and dragged along it; meshes of their own."""
    low = solid((0.1, 0.1, 0.05), (3, 3, 1), (0.0, 0.0, 0.0), held="z_min")
    high = solid((0.05, 0.04, 0.03), (2, 2, 1), (0.022, 0.031, 0.05), SOFTER, held="z_max")
    down, along = (moved(high, 0.08, d) for d in ((0.0, 0.0, -2e-3), (2e-3, 1e-3, 0.0)))
    return FEBody("low", low), FEBody("high", high), (down, along)


def touching(slave, master, laws=LAWS, name="contact", parts=1):
    """A body with a surface on that of another."""
    return ContactPair(slave[0], fe_surface(*slave, parts=parts), FEFace(*master), *laws, name)


def dragged(bodies, slave, laws=LAWS, parts=1):
    low, high, (down, along) = bodies
    faces = {"low": (low, "z_max"), "high": (high, "z_min")}
    master = {"low": "high", "high": "low"}[slave]
    pair = touching(faces[slave], faces[master], laws, parts=parts)
    moves = SupportMotion(high, down, "press", PRESS), SupportMotion(high, along, "drag", DRAG)
    return StaticSystem(System([low, high], [pair, *moves]))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("stuck", [False, True])
@pytest.mark.parametrize("slave", ["low", "high"])
def test_tangent(pressed, difference, slave, stuck, seed):
    """Points open, sticking and sliding, some of them over the boundary or on another facet.

    Differences over 1e-9 m, small against the disturbance of 3e-6 m so that no point comes to a
    kink: round-off of the places, 1e-17 m, leaves 1e-8 of the block norm.
    """
    problem = dragged(pressed, slave)
    before = load_path(problem, [0.5, 1.0]).increments[-1]
    rng = np.random.default_rng(seed)
    x = before.x + 3e-6 * rng.standard_normal(len(before.x))
    balance = problem.at(before, 1.02, x)
    modes = {OPEN, STICK, SLIP} if slave == "low" else {STICK, SLIP}
    assert set(balance.steps["contact"].reference.friction.status) == modes
    along = rng.standard_normal((len(x), 3))
    rigid = dragged(pressed, slave, (LAWS[0], ElastoPlastic(1e30, 5e9)))
    expected = difference(
        lambda a: (rigid if stuck else problem).at(before, 1.02, x + along @ a).residual[0],
        np.zeros(3), np.full(3, 1e-9),
    )  # fmt: skip
    error = np.linalg.norm(balance.tangent(stuck) @ along - expected)
    assert error < 1e-7 * np.linalg.norm(expected)


def test_reduced_bodies_give_the_same(pressed):
    """All shapes of the faces kept: another assembly, the same bodies, forces and status."""
    low, high = pressed[0].model, pressed[1].model
    ground = reduce_model(low, contact="z_max", method="craig-bampton", modes=0)
    free = ElasticSolid(high.mesh, SOFTER)
    block_ = reduce_model(free, contact=["z_min", "z_max"], method="craig-bampton", modes=0)
    bodies = ElasticBody("low", ground, frame="fixed"), ElasticBody("high", block_, (0, 0, -1e-6))
    pair = ContactPair(bodies[1], elastic_surface(bodies[1], "z_min"),
                       ElasticFace(bodies[0], "z_max"), *LAWS)  # fmt: skip
    pull = np.array([1.0, 0.5, -8.0])
    load = Force(bodies[1], tuple(pull), point="z_max", factor=Line(gradient=1.0))
    other = load_path(StaticSystem(System(bodies, [pair, load])), [0.5, 1.0])
    top = FEBody("high", free, seat=(0.0, 0.0, -1e-6))
    mine = touching((top, "z_min"), (pressed[0], "z_max"))
    force = SurfaceLoad(top, "z_max", tuple(pull), factor=RISE)
    path = load_path(StaticSystem(System([pressed[0], top], [mine, force])), [0.5, 1.0])
    places = mine.surface.points, pair.surface.points
    mine, theirs = (p.increments[-1].contacts["contact"] for p in (path, other))
    order, other_order = (np.lexsort(np.round(x, 9).T) for x in places)
    pressure, reference = mine.pressure[order], theirs.pressure[other_order]
    assert pressure == pytest.approx(reference, abs=3e-3 * reference.max())
    np.testing.assert_array_equal(mine.status[order], theirs.status[other_order])


def test_friction_work_and_balance(pressed):
    """Work of the moved support = strain energy + springs of the contact + slip work."""
    errors = []
    for steps in (5, 10):
        problem = dragged(pressed, "high")
        path = load_path(problem, np.linspace(0.0, 2.0, 2 * steps + 1)[1:])
        down = np.array([[0, 0, -2e-3 * min(t, 1.0)] for t in path.t])
        way = down + np.outer(np.maximum(path.t - 1.0, 0.0), [2e-3, 1e-3, 0.0])
        force = -path.force()  # of the support on the upper block
        force, way = (np.vstack([np.zeros(3), a]) for a in (force, way))
        work = np.sum(0.5 * (force[1:] + force[:-1]) * np.diff(way, axis=0))
        last = path.increments[-1]
        contact = last.contacts["contact"]
        weights = problem.pairs[0].surface.weights
        springs = 0.5 * float(weights @ contact.pressure**2) / 1e10 + contact.bristle_energy
        stored = last.energy + springs
        assert path.slip_work()[-1] > 0.1 * stored
        errors.append(abs(work - stored - path.slip_work()[-1]) / work)
    assert errors[1] < 0.02
    assert errors[1] < 0.7 * errors[0]


def test_forces_and_moments_balance(pressed):
    """Supports and contact, both bodies: sums of forces and of moments vanish to round-off."""
    problem = dragged(pressed, "high")
    last = load_path(problem, [0.5, 1.0, 2.0]).increments[-1]
    total = np.zeros(6)
    for body in problem.system.bodies:
        u = problem.displacement(last, body)
        reaction = (body.model.stiffness @ u).reshape(-1, 3)
        held = np.setdiff1d(np.arange(len(u)), body.model.free)
        reaction.ravel()[np.setdiff1d(np.arange(len(u)), held)] = 0.0
        x = body.model.nodes + u.reshape(-1, 3)
        total[:3] += reaction.sum(axis=0)
        total[3:] += np.cross(x, reaction).sum(axis=0)
    normal = np.linalg.norm(last.contacts["contact"].force)
    assert np.abs(total[:3]).max() < 1e-8 * normal
    step = problem.at(last, 2.0, last.x).steps["contact"]
    places, load = step.positions.reshape(-1, 3), step.load.reshape(-1, 3)
    moments = np.cross(places, load)
    assert np.abs(moments.sum(axis=0)).max() < 1e-13 * np.abs(moments).sum()


def test_slave_and_master_at_once():
    """Stack of three blocks on a rigid ground: the middle one is slave below and master above."""
    z = (0.0, 0.02, 0.04)
    cells = ((3, 3, 1), (2, 2, 1), (3, 2, 1))
    models = [solid((0.05, 0.05, 0.02), c, (0.0, 0.0, h)) for c, h in zip(cells, z, strict=True)]
    load = np.array([2.0, 1.0, -20.0])
    bodies = [
        FEBody(name, model, seat=(0.0, 0.0, -depth))
        for name, model, depth in zip(
            ("low", "middle", "high"), models, (1e-6, 2e-6, 3e-6), strict=True
        )
    ]
    low, middle, high = bodies
    floor = fe_surface(low, "z_min", parts=1)
    contacts = [
        ContactPair(low, floor, RigidFace(None, Plane()), *LAWS, "ground"),
        touching((middle, "z_min"), (low, "z_max"), name="below", parts=2),
        touching((high, "z_min"), (middle, "z_max"), name="above", parts=2),
    ]
    push = NodalLoad(high, weight(models[2], load), factor=RISE)
    problem = StaticSystem(System(bodies, [*contacts, push]))
    seen = []
    path = load_path(problem, [0.5, 1.0], callback=seen.append)
    assert [each.t for each in seen] == [0.5, 1.0]
    for name in ("ground", "below", "above"):
        assert path.force(name)[-1] == pytest.approx(-load, rel=1e-7)


def measured(length, modulus):
    """The dragged block with lengths and moduli in other units; results in those of m and Pa."""
    soft, softer = (Material(modulus * m.young, m.poisson, m.density) for m in (SOFT, SOFTER))
    size, at = np.array([0.05, 0.04, 0.03]), np.array([0.022, 0.031, 0.05])
    low = solid(length * np.array([0.1, 0.1, 0.05]), (3, 3, 1), (0.0, 0.0, 0.0), soft, "z_min")
    high = solid(length * size, (2, 2, 1), length * at, softer, "z_max")
    top = (high.nodes[:, 2] > 0.079 * length)[:, None]
    motions = [
        np.where(top, length * np.array(way), 0.0).ravel()
        for way in ((0.0, 0.0, -2e-3), (2e-3, 1e-3, 0.0))
    ]
    bodies = FEBody("low", low), FEBody("high", high), motions
    unit = modulus / length
    laws = PenaltyNormal(1e10 * unit), ElastoPlastic(0.3, 5e9 * unit)
    path = load_path(dragged(bodies, "high", laws), [0.5, 1.0, 1.1, 1.2], tolerance=1e-11)
    last = path.increments[-1].contacts["contact"]
    force, energy = path.force() / (modulus * length**2), path.slip_work() / (modulus * length**3)
    return force, last.pressure / modulus, energy, last.status


@pytest.fixture(scope="module")
def in_metres():
    return measured(1.0, 1.0)


@pytest.mark.parametrize(("length", "modulus"), [(1e3, 1e-6), (0.1, 1.0)], ids=["mm", "a tenth"])
@pytest.mark.filterwarnings("ignore:density =", "ignore:young =")
def test_results_do_not_depend_on_units(in_metres, length, modulus):
    """Two bodies in mm, N and MPa, or at a tenth of the size, give what they give in m.

    Round-off of the places, 1e-17 m times 1e10 Pa/m, is 1e-12 of the largest pressure, and ten
    times as much of the slip work, a product of small slips; Newton's method is asked for 1e-11.
    """
    *found, status = measured(length, modulus)
    *expected, mode_1 = in_metres
    assert {STICK, SLIP} <= set(mode_1)
    np.testing.assert_array_equal(status, mode_1)
    for one, other in zip(found, expected, strict=True):
        assert one == pytest.approx(other, abs=1e-10 * np.abs(other).max())


def test_bad_input(pressed):
    low, high, _ = pressed
    with pytest.raises(InputError, match="unknown surface 'side'"):
        FEFace(low, "side")
    pair = touching((high, "z_min"), (low, "z_max"))
    with pytest.raises(InputError, match="unknown body 'high'"):
        System([low], [pair])
    with pytest.raises(InputError, match="name 'contact', used twice"):
        System([low, high], [pair, pair])
    with pytest.raises(InputError, match="expected two surfaces"):
        touching((low, "z_max"), (low, "z_max"))
    with pytest.raises(InputError, match="invalid parts = 0"):
        fe_surface(high, "z_min", parts=0)
    with pytest.raises(InputError, match="a function that chooses"):
        fe_surface(high, "z_min", near=lambda x: x[:, 0] < -1.0)
    lifted = ElasticSolid(high.model.mesh.translated((0.0, 0.0, 1e-3)), SOFTER)
    floating = FEBody("floating", lifted)
    unheld = touching((floating, "z_min"), (low, "z_max"))
    with pytest.raises(InputError, match="floating: the body is free and touches nothing"):
        load_path(StaticSystem(System([low, floating], [unheld])), [1.0])
    plate = FEBody("plate", MindlinPlate(rectangle(1.0, 1.0, (2, 2)), 0.1, SOFT))
    with pytest.raises(InputError, match="expected a solid of volume cells"):
        FEFace(plate, "top")


def pressed_block(y):
    """One cell of the upper block over several of the lower one; its middle points at y + 15 mm."""
    low = solid((0.1, 0.04, 0.02), (5, 2, 1), (0.0, 0.0, 0.0), held="z_min")
    high = solid((0.03, 0.03, 0.02), (1, 1, 1), (0.01, y, 0.02), held="z_max")
    down, along = (moved(high, 0.04, d) for d in ((0.0, 0.0, -1e-4), (0.04, 0.0, 0.0)))
    return dragged((FEBody("low", low), FEBody("high", high), (down, along)), "high")


def test_points_on_edges_of_tilted_facets_find_an_equilibrium():
    """Edges at y = 20 mm under the middle row: as many iterations as beside them."""
    on, beside = (load_path(pressed_block(y), [1.0]).increments[-1] for y in (0.005, 0.004))
    assert on.iterations <= beside.iterations + 2
    assert on.contacts["contact"].force[2] == pytest.approx(beside.contacts["contact"].force[2],
                                                            rel=0.02)  # fmt: skip


def test_large_sliding_over_edges_of_facets():
    """Dragged over two facets of the master: friction stays mu N, against the way, at each step."""
    path = load_path(pressed_block(0.004), [1.0, 1.25, 1.5, 1.75, 2.0])
    force = path.force()[1:]
    assert force[:, 0] == pytest.approx(-0.3 * force[:, 2], rel=5e-3)
    assert np.abs(force[:, 1]).max() < 0.02 * np.abs(force[:, 0]).min()
    assert np.all(path.increments[-1].contacts["contact"].status == SLIP)
    work = np.diff(path.slip_work()[1:])
    assert work == pytest.approx(np.abs(force[1:, 0]) * 0.04 * 0.25, rel=0.02)
