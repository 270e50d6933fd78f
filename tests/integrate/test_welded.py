"""Welded bodies in compiled implicit steps: motion and reactions of the loop with multipliers."""

from __future__ import annotations

import numpy as np
import pytest

import fecontact as fc
from fecontact.integrate.implicit.compiled import not_compiled
from fecontact.integrate.implicit.welded import (
    WeldedSteps,
    add_weld_slopes,
    lead_welds,
    leave_to_carriers,
)
from fecontact.system.dofs import Dofs, multiply_tangent
from fecontact.system.program.kernels import moved
from fecontact.system.welds.kernels import WeldTable, condense, follow
from fecontact.system.welds.welds import Welds

RUBBER = fc.Material(young=5e6, poisson=0.4, density=1200.0)
H = 0.05
ALPHA_M, ALPHA_F, BETA, GAMMA = WEIGHTS = (0.2, 0.4, 0.36, 0.7)


def body(name, position, mass=0.5):
    return fc.RigidBody(name, mass, fc.DOFS, (2e-4, 3e-4, 4e-4), position=position)


def welded(weights=1, laws=True):
    """A soft beam that rubs on a turning disc, with weights welded to its end and the ground."""
    solid = fc.ElasticSolid(fc.block(0.3, 0.1, 0.05, cells=(3, 1, 1)), RUBBER)
    beam = fc.ElasticBody("beam", fc.reduce_model(solid, ["z_min", "x_max"], modes=3), damping=1e-3)
    hub, weight = body("hub", (0.34, 0.02, 0.06)), body("weight", (0.4, 0.0, 0.1), 0.3)
    disc = fc.RigidBody("disc", 5.0, (), spin=20.0)
    face = fc.ContactPair(beam, fc.elastic_surface(beam, "z_min"), fc.RigidFace(disc, fc.Plane()),
                          fc.PenaltyNormal(1e7, 1e3), fc.ElastoPlastic(0.3, 1e7, 50.0),
                          name="face")  # fmt: skip
    items = [
        *([face] if laws else []),
        fc.RigidJoint(hub, beam, point_b="x_max", name="weld"),
        fc.Bushing(None, hub, (2e4,) * 3 + (50.0,) * 3, (5.0,) * 3 + (0.01,) * 3, name="bushing"),
        fc.Gravity([beam, hub]),
    ]
    bodies = [beam, hub, disc]
    if weights > 1:
        bodies.append(weight)
        items.append(fc.RigidJoint(weight, hub, point_b=(0.05, 0.01, 0.0), name="second"))
    if weights > 2:
        bodies.append(body("block", (0.0, 1.0, 0.0)))
        items.append(fc.RigidJoint(None, bodies[-1], name="third"))
    system = fc.System(bodies, items)
    start = system.state(v={"beam.rz": 1.0, "hub.rz": 1.0, "beam.uz": -0.05})
    return system, system.consistent(start, keep=("beam",)).state


@pytest.mark.parametrize(("weights", "laws"), [(1, True), (2, True), (3, False)])
def test_motion_of_the_loop_with_multipliers(weights, laws):
    """Both are of order 2: their difference falls with the square of the step."""
    system, start = welded(weights, laws)
    differences = []
    for step in (1e-3, 5e-4):
        options = {"method": "implicit", "output": 0.01, "step": step}
        fast = fc.simulate(system, 0.02, start, **options)
        slow = fc.simulate(system, 0.02, start, **options, backend="general")
        assert fast.statistics.compiled == fast.statistics.steps == slow.statistics.steps
        if laws:  # without them the general loop has a new tangent in each iteration
            assert fast.statistics.iterations < 1.2 * slow.statistics.iterations
        a, b = fast.state(-1), slow.state(-1)
        rows = system.constraint(a)
        assert np.abs(rows.value).max() < 1e-13
        assert np.abs(rows.rate).max() < 1e-12
        assert a.lam == pytest.approx(b.lam, abs=1e-3 * np.abs(b.lam).max())
        differences.append(np.abs(a.q - b.q).max())
    assert differences[1] < 0.35 * differences[0]
    assert differences[1] < 1e-7


def test_without_rotation_the_same_to_round_off():
    """A weld between bodies that translate is linear: the step needs no correction."""
    carrier, rider = body("carrier", (0.0, 0.0, 0.0)), body("rider", (0.2, 0.0, 0.0))
    items = [
        fc.RigidJoint(rider, carrier, point_b=(0.1, 0.0, 0.0), name="weld"),
        fc.Bushing(None, carrier, (2e3,) * 3 + (50.0,) * 3, (5.0,) * 6, name="bushing"),
        fc.Force(carrier, (10.0, 0.0, 0.0)),
    ]
    system = fc.System([carrier, rider], items)
    start = system.state(v={"carrier.ux": 0.3, "rider.ux": 0.3})
    found = [
        fc.simulate(system, 0.1, start, "implicit", 0.05, backend=backend)
        for backend in ("compiled", "general")
    ]
    a, b = (motion.state(-1) for motion in found)
    assert a.q == pytest.approx(b.q, abs=1e-11)
    assert a.v == pytest.approx(b.v, abs=1e-9)
    assert a.lam == pytest.approx(b.lam, abs=1e-7 * np.abs(b.lam).max())
    assert found[0].statistics.steps == found[1].statistics.steps


def test_error_control_takes_alike_steps():
    system, start = welded()
    fast, slow = (
        fc.simulate(system, 0.02, start, "implicit", 0.02, rtol=1e-4, backend=backend)
        for backend in ("compiled", "general")
    )
    assert abs(fast.statistics.steps - slow.statistics.steps) < 0.1 * slow.statistics.steps
    assert fast.q[-1] == pytest.approx(slow.q[-1], abs=1e-5)


def test_reaction_and_audit():
    """The weld carries M v' - f of the hub; the joint tells it; no energy is lost."""
    system, start = welded()
    motion = fc.simulate(system, 0.02, start, "implicit", 0.01, step=1e-4)
    state, hub = motion.state(-1), system.slices["hub"]
    force, a = system.loaded_force(state), motion.point(-1).acceleration
    missing = (system.mass_matrix(state.q) @ a - force)[hub]
    held = (system.constraint(state).jacobian.T @ state.lam)[hub]
    assert held == pytest.approx(missing, abs=1e-9 * np.abs(missing).max())
    assert np.linalg.norm(system.reaction(state, "weld").on["hub"].force) > 1.0
    lines = {name: line[-1] for name, line in motion.energies.items()}
    exchanged = abs(lines["slip"]) + abs(lines["supplied"]) + lines["strain"]
    assert abs(lines["numerical"]) + abs(lines["residual"]) < 1e-3 * exchanged


def test_restart_to_the_last_bit():
    system, start = welded(2)
    options = {"method": "implicit", "step": 2e-4, "output": 0.005}
    whole = fc.simulate(system, 0.02, start, **options)
    first = fc.simulate(system, 0.01, start, **options)
    second = fc.simulate(system, 0.02, restart=first, **options)
    for name in ("q", "v", "z", "lam"):
        assert np.array_equal(getattr(whole.state(-1), name), getattr(second.state(-1), name))
    for name, line in whole.energies.items():
        assert line[-1] == second.energies[name][-1]


def test_welds_beside_other_constraints_have_rows():
    """Then the loop has multipliers for all joints: the steps of the general one."""
    a, b = body("a", (0.0, 0.0, 0.0)), body("b", (0.1, 0.0, 0.0))
    weld, ball = fc.RigidJoint(a, b, name="weld"), fc.Spherical(None, a, name="ball")
    system = fc.System([a, b], [weld, ball, fc.Gravity([a, b])])
    assert not_compiled(system) == not_compiled(welded(2)[0]) == ""
    fast, slow = (
        fc.simulate(system, 0.1, None, "implicit", 0.05, step=5e-3, backend=backend)
        for backend in ("compiled", "general")
    )
    assert fast.statistics.compiled == fast.statistics.steps
    assert fast.q == pytest.approx(slow.q, abs=1e-12)
    assert fast.lam == pytest.approx(slow.lam, abs=1e-9 * np.abs(slow.lam).max())


class Step:
    """A step of a chain of welds with forces -K x - B v, x the displacements without rotations."""

    def __init__(self):
        system = welded(3, False)[0]
        rng, n = np.random.default_rng(0), system.size
        self.dofs, welds = Dofs(system), Welds.of(system)
        q, v = system.move(system.rest().q, 0.3 * rng.standard_normal(n)), rng.standard_normal(n)
        follow(welds.table, 0.0, q, v)
        self.K, self.B = rng.standard_normal((2, n, n))
        for own in system.slices.values():  # a rotation is no coordinate
            self.K[:, own][:, 3:6] = 0.0
        self.mass = np.zeros((n, n))
        for own in system.slices.values():
            size = own.stop - own.start
            half = rng.standard_normal((size, size))
            self.mass[own, own] = half @ half.T + np.eye(size)
        names = ("path", "v1", "rate1", "acting", "full", "load", "diagonal", "correction", "space")
        table = {name: getattr(welds.table, name) for name in WeldTable.__annotations__}
        self.welds = WeldedSteps(
            **table, weights=np.array(WEIGHTS), q=q, v=v, a0=rng.standard_normal(n),
            rate=rng.standard_normal(n), q1=q.copy(), mass=self.mass,
            **{name: np.zeros(n) for name in names},
        )  # fmt: skip
        self.free = welds.table.free == 1
        self.y = np.where(self.free, 0.01 * rng.standard_normal(n), 0.0)

    def residual(self, y):
        w, y, r = self.welds, y.copy(), np.zeros(len(y))
        square = BETA * H**2
        w.path[:] = H * (w.v + H * (0.5 - BETA) * w.a0) + y
        w.v1[:] = w.v + H * ((1.0 - GAMMA) * w.a0 + GAMMA * y / square)
        known = (ALPHA_M * w.a0 - ALPHA_F * w.rate) / (1.0 - ALPHA_F)
        w.rate1[:] = (1.0 - ALPHA_M) / (1.0 - ALPHA_F) * y / square + known
        moved(w.q, w.path, *self.dofs.moves, w.q1)
        lead_welds(w, 0.0, H, y)
        x = np.zeros(len(y))
        plain = self.dofs.moves[0]
        x[plain[:, 0]] = w.q1[plain[:, 1]]
        r[:] = square * (self.mass @ w.rate1 + self.K @ x + self.B @ w.v1)
        self.left = r.copy()
        leave_to_carriers(w, r)
        return r


def test_slopes_are_those_of_differences():
    step = Step()
    r, w, n = step.residual(step.y), step.welds, len(step.y)
    square, path = BETA * H**2, step.welds.path.copy()
    tangent = square * step.K
    add_weld_slopes(w, 0.0, H, -step.B, tangent)
    multiply_tangent(tangent, path, step.dofs.moves[1])
    tangent += (1.0 - ALPHA_M) / (1.0 - ALPHA_F) * step.mass + H * GAMMA * step.B
    condense(w, tangent, np.zeros(n))
    assert not r[~step.free].any()
    for j in np.flatnonzero(step.free):
        unit = np.zeros(n)
        unit[j] = 1e-5
        slope = (step.residual(step.y + unit) - step.residual(step.y - unit)) / 2e-5
        assert tangent[step.free, j] == pytest.approx(
            slope[step.free], abs=1e-7 * np.abs(tangent).max()
        )


def test_what_is_left_for_the_free_dofs():
    step = Step()
    r = step.residual(step.y)
    w, free = step.welds, step.free
    basis = np.eye(len(r))
    for k, row in enumerate(w.table):
        basis[row[5] : row[5] + 6] = w.maps[6 * k : 6 * k + 6]
    basis = basis[:, free]
    left = basis.T @ step.left
    assert r[free] == pytest.approx(left, abs=1e-13 * np.abs(left).max())
    assert w.full == pytest.approx(step.left, abs=0.0)
    diagonal = np.diagonal(basis.T @ step.mass @ basis)
    assert w.diagonal[free] == pytest.approx(diagonal, rel=1e-13)
