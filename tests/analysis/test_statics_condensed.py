"""Condensed finite-element bodies in contact: against direct solutions, tangents, scaling."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.linalg import spsolve

from fecontact.analysis import StaticSystem, load_path
from fecontact.body import FEBody, RigidBody
from fecontact.contact import ContactPair, PenaltyNormal, RigidFace, fe_surface
from fecontact.contact.laws.elasto_plastic import ElastoPlastic
from fecontact.contact.master.shape import Plane, Sphere
from fecontact.contact.patch.hertz import ContactModuli
from fecontact.contact.status import OPEN, SLIP, STICK
from fecontact.contact.stiffness import check_penalty, penalty_for, penalty_on
from fecontact.errors import InputError
from fecontact.fem import ElasticSolid, Material
from fecontact.joint import DofCoordinate, MotionFunction, PrescribedMotion
from fecontact.mesh import block
from fecontact.mesh.grading import Towards
from fecontact.reduction import Condensed, condense
from fecontact.system import System

SOFT = Material(1e7, 0.3, 1000.0)
CLAMPED = {"z_min": "clamped"}


@pytest.fixture(scope="module")
def cube():
    return ElasticSolid(block(0.1, 0.1, 0.05, (3, 3, 2)), SOFT, supports=CLAMPED)


def test_condensation_is_exact(cube):
    """Load on the inside and springs on the surface: same displacement as the full matrix."""
    body, inner = condense(cube, "z_max")
    rng = np.random.default_rng(3)
    force = np.zeros(cube.stiffness.shape[0])
    force[cube.free] = rng.standard_normal(len(cube.free))
    support = np.zeros_like(force)
    held = np.setdiff1d(np.arange(len(force)), cube.free)
    support[held] = 1e-4 * rng.standard_normal(len(held))
    spring = 1e6 * body.on.shape.T @ body.on.shape
    load = inner.load(force) + inner.support_motion(support)
    u = np.linalg.solve(body.matrix + spring.toarray(), load)

    K = sp.lil_array(cube.stiffness)
    K[np.ix_(body.unknowns, body.unknowns)] += spring.toarray()
    K = sp.csr_array(K)
    right = (force - K @ support)[cube.free]
    full = spsolve(sp.csc_array(K[cube.free][:, cube.free]), right)
    expected = np.zeros_like(force)
    expected[cube.free] = full
    assert u == pytest.approx(expected[body.unknowns], rel=1e-8, abs=1e-12)
    whole = inner.displacement(u, force - cube.stiffness @ support)
    assert whole == pytest.approx(expected, rel=1e-8, abs=1e-11)


def test_contact_may_act_at_the_nodes(cube):
    """Nodal points: one row, one unknown each; the weights add up to the area."""
    cube = ElasticSolid(cube.mesh, SOFT, "hex2", supports=CLAMPED)
    body, _ = condense(cube, cube.surface("z_max", "nodes"))
    assert (body.on.shape - sp.eye_array(len(body.unknowns))).count_nonzero() == 0
    assert body.on.weights.sum() == pytest.approx(0.01, rel=1e-12)


def test_a_free_body_condenses_without_supports():
    """Rigid-body modes of the surface cost no force."""
    free = ElasticSolid(block(0.1, 0.1, 0.05, (2, 2, 1)), SOFT)
    body, _ = condense(free, "z_max")
    rigid = free.rigid_body_modes()[body.unknowns]
    assert np.abs(body.matrix @ rigid).max() < 1e-9 * np.abs(body.matrix).max()
    np.testing.assert_array_equal(body.rigid_body_modes(), rigid)


def test_twins_are_a_body_of_half_the_stiffness_without_coupling(cube):
    """Matching pair of mirror images: shear does not move the gap, each gives half."""
    body, _ = condense(cube, "z_max")
    pair = body.against(body.mirrored())
    z = pair.unknowns % 3 == 2
    C, twice = np.linalg.inv(body.matrix), np.linalg.inv(pair.matrix)
    scale = np.abs(C).max()
    assert twice[np.ix_(z, z)] == pytest.approx(2.0 * C[np.ix_(z, z)], abs=1e-9 * scale)
    assert twice[np.ix_(~z, ~z)] == pytest.approx(2.0 * C[np.ix_(~z, ~z)], abs=1e-9 * scale)
    assert np.abs(twice[np.ix_(z, ~z)]).max() < 1e-9 * scale


def on_tool(model, surface, shape, laws, motion):
    """A full body against a rigid shape that is moved by motion(t) (3,)."""
    body = FEBody("body", model)
    tool = RigidBody("tool", 1.0, ("ux", "uy", "uz"))
    pair = ContactPair(body, fe_surface(body, surface), RigidFace(tool, shape), *laws)
    moves = [
        PrescribedMotion(
            DofCoordinate(tool, dof),
            MotionFunction(lambda t, k=k: float(motion(t)[k]), lambda t: 0.0, lambda t: 0.0),
            name=dof,
        )
        for k, dof in enumerate(tool.dofs)
    ]
    return StaticSystem(System([body, tool], [pair, *moves]))


def pressed(body, shape, mu, motion):
    laws = PenaltyNormal(1e11), ElastoPlastic(mu, 5e10)
    return on_tool(body, body.on, shape, laws, motion)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("stuck", [False, True])
def test_tangent(cube, difference, stuck, seed):
    """Random states with open, sticking and sliding points.

    Differences over 1e-8 m, a thousandth of the disturbance: round-off of the places, 1e-17 m,
    leaves 1e-9 of the block norm; no point comes to a kink.
    """
    body, _ = condense(cube, "z_max", lambda x: x[:, 0] + x[:, 1] < 0.11)
    ball = Sphere(0.2, (0.04, 0.05, 0.25))
    way = np.array([2e-4, 1e-4, -1e-3])
    problems = [pressed(body, ball, mu, lambda t: t * way) for mu in (0.2, 1e30)]
    before = load_path(problems[0], [0.3, 0.6, 1.0]).increments[-1]
    rng = np.random.default_rng(seed)
    x = before.x + 1e-5 * rng.standard_normal(len(before.x))
    x[-6:-3] = 1.2 * way  # of the tool, before its multipliers
    balance = problems[0].at(before, 1.2, x)
    assert {OPEN, STICK, SLIP} <= set(balance.steps["contact"].reference.friction.status)
    along = rng.standard_normal((len(x), 3))
    expected = difference(
        lambda a: problems[int(stuck)].at(before, 1.2, x + along @ a).residual[0], np.zeros(3),
        np.full(3, 1e-8),
    )  # fmt: skip
    error = np.linalg.norm(balance.tangent(stuck) @ along - expected)
    assert error < 1e-7 * np.linalg.norm(expected)


def test_patch_of_even_pressure(cube):
    """Rigid plate on a laterally held block: p = E_c d/h, with the penalty layer in series."""
    held = CLAMPED | {name: name[0] for name in ("x_min", "x_max", "y_min", "y_max")}
    column = ElasticSolid(cube.mesh, SOFT, supports=held)
    body, _ = condense(column, "z_max")
    plate = Plane((0.0, 0.0, 0.05), (0.0, 0.0, -1.0))
    laws = PenaltyNormal(1e11), ElastoPlastic(0.2, 1e11)
    problem = on_tool(body, body.on, plate, laws, lambda t: (0.0, 0.0, -1e-4 * t))
    last = load_path(problem, [1.0]).increments[-1]
    E, nu = SOFT.young, SOFT.poisson
    constrained = E * (1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu))
    expected = 1e-4 / (0.05 / constrained + 1.0 / 1e11)
    assert last.contacts["contact"].pressure == pytest.approx(expected, rel=1e-7)
    assert last.energy == pytest.approx(0.5 * expected**2 / constrained * 0.05 * 0.01, rel=1e-7)


def test_energy_balance_of_a_closed_cycle(cube):
    """Work of the rigid ball over a cycle of shear equals the slip work, as increments shrink."""
    body, _ = condense(cube, "z_max")
    errors = []
    for steps in (6, 12):
        turns = [np.linspace(0, 1, steps + 1), *2 * [np.linspace(1, -1, 2 * steps + 1)[1:]]]
        turns[2] = -turns[2]
        cycle = 4e-4 * np.concatenate(turns)
        t = np.arange(1.0, len(cycle) + 1.0)

        def motion(s, t=t, cycle=cycle):
            return np.interp(s, t, cycle), 0.0, -1e-3 * min(s, 1.0)

        path = load_path(pressed(body, Sphere(0.5, (0.05, 0.05, 0.55)), 0.15, motion), t)
        work, force = path.slip_work(), path.force()
        supplied = np.trapezoid(force[steps:, 0], cycle[steps:])
        errors.append(abs(supplied / (work[-1] - work[steps]) - 1.0))
    assert errors[1] < 0.6 * errors[0]
    assert errors[1] < 0.05


def test_penalty_adds_the_stated_share_to_the_approach():
    """Ball on a coarse block: the force at a given depth falls by 3/2 of the stated share."""
    R, a = 0.01, 5e-4
    edge, side = 10.0 * a, Towards((0.0, a), 20.0)
    mesh = block(edge, edge, edge, (7, 7, 6), grading=(side, side, Towards((edge,), 20.0)))
    held = {"x_min": "x", "y_min": "y", "z_min": "z"}
    solid = ElasticSolid(mesh, Material(210e9, 0.3, 7800.0), supports=held)
    body, _ = condense(solid, "z_max", lambda x: np.hypot(x[:, 0], x[:, 1]) < 1.4 * a)
    pair, forces = ContactModuli(210e9, 0.3, np.inf, 0.0), []
    for error in (0.03, 0.003):
        choice = penalty_for(pair, a, error)
        laws = choice.normal_law(), choice.friction_law(0.0)
        ball = Sphere(R, (0.0, 0.0, edge + R))
        problem = on_tool(body, body.on, ball, laws, lambda t: (0.0, 0.0, -t * a**2 / R))
        forces.append(load_path(problem, [0.5, 1.0]).force()[-1, 2])
    assert 1.0 - forces[0] / forces[1] == pytest.approx(1.5 * (0.03 - 0.003), rel=0.05)


def test_penalty_of_a_mesh_adds_about_the_stated_share():
    """Ball on a block, contacts of 2 to 4 cells: at equal force, against a tenfold penalty.

    What the softer penalty adds to the approach is compared with Hertz's approach a^2/R at this
    force. The edge of the contact moves from Gauss point to Gauss point, by half a cell: its
    radius is known to a quarter of a cell, an eighth of two cells, and the share, with 1/a and the
    pressure that goes with it, to about a quarter; in the mean of several radii much better.
    """
    cell, n, error = 2.5e-4, 8, 0.03
    edge, R, pair = n * cell, 40.0 * cell, ContactModuli(210e9, 0.3, np.inf, 0.0)
    mesh = block(edge, edge, edge, (n, n, 5), grading=(1.0, 1.0, Towards((edge,), 4.0)))
    held = {"x_min": "x", "y_min": "y", "z_min": "z"}
    solid = ElasticSolid(mesh, Material(210e9, 0.3, 7800.0), supports=held)
    body, _ = condense(solid, "z_max", lambda x: np.hypot(x[:, 0], x[:, 1]) < 4.5 * cell)
    wanted = np.array([2.0, 2.3, 2.6, 3.0, 3.5])
    depth = np.sort(np.outer([0.94, 0.97, 1.0], (wanted * cell) ** 2 / R).ravel())
    penalties, forces = [penalty_on(pair, mesh, "z_max", e) for e in (error, 0.1 * error)], []
    for choice in penalties:
        laws = choice.normal_law(), choice.friction_law(0.0)
        ball = Sphere(R, (0.0, 0.0, edge + R))
        problem = on_tool(body, body.on, ball, laws, lambda t: (0.0, 0.0, -t))
        forces.append(-4.0 * load_path(problem, depth).force()[-len(depth) :, 2])
    soft, stiff = forces
    added = depth - np.exp(np.interp(np.log(soft), np.log(stiff), np.log(depth)))
    a = (0.75 * soft * R / pair.modulus) ** (1.0 / 3.0)
    stated = np.array([check_penalty(penalties[0].normal, pair, x) for x in a])
    shares = (added * R / a**2 / (0.9 * stated))[np.isin(depth, (wanted * cell) ** 2 / R)]
    assert a.min() > 1.9 * cell
    assert np.abs(shares - 1.0).max() < 0.3
    assert shares.mean() == pytest.approx(1.0, abs=0.1)
    assert np.all(added * R / a**2 < 1.3 * error)


def rolled(cube, scale):
    """Ball pressed and moved along: forces, pressures and status, those of the size 1."""
    solid = ElasticSolid(cube.mesh.scaled(scale), SOFT, supports=CLAMPED)
    ball = Sphere(0.2 * scale, (0.05 * scale, 0.05 * scale, 0.25 * scale))
    laws = PenaltyNormal(1e11 / scale), ElastoPlastic(0.3, 5e10 / scale)
    motion = lambda t: (3e-4 * scale * t, 0.0, -1e-3 * scale * t)  # noqa: E731
    problem = on_tool(solid, "z_max", ball, laws, motion)
    path = load_path(problem, [0.5, 1.0], tolerance=1e-11)
    last = path.increments[-1].contacts["contact"]
    return path.force() / scale**2, last.pressure, last.status


@pytest.mark.parametrize("scale", [0.1, 1e-3])
def test_results_do_not_depend_on_the_length(cube, scale):
    """The same problem at another size: forces scale with the square of the length.

    Round-off of the places, 5e-17 m times 1e11 Pa/m, is 1e-11 of the largest pressure; Newton's
    method is asked for as much.
    """
    (force, pressure, status), (force_1, pressure_1, mode_1) = (
        rolled(cube, scale),
        rolled(cube, 1.0),
    )
    assert force == pytest.approx(force_1, abs=1e-10 * np.abs(force_1).max())
    assert pressure == pytest.approx(pressure_1, abs=1e-10 * pressure_1.max())
    np.testing.assert_array_equal(status, mode_1)


def test_impossible_pairs_are_refused(cube):
    body, _ = condense(cube, "z_max")
    part, _ = condense(cube, "z_max", lambda x: x[:, 0] < 0.03)
    with pytest.raises(InputError, match="different meshes"):
        body.against(part)
    with pytest.raises(InputError, match="none of its points"):
        condense(cube, "z_max", lambda x: x[:, 0] < -1.0)
    assert isinstance(body, Condensed)
