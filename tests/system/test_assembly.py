"""Sums over items: tangents of all rows, one evaluation for all, energies, momenta, bad input."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from fecontact.body.base import Body
from fecontact.body.rigid import DOFS, RigidBody
from fecontact.body.spinning import SpinningDisc
from fecontact.errors import InputError, SolverError
from fecontact.joint import Bushing, Force, Gravity, SpringDamper
from fecontact.system import State, System


@pytest.fixture
def machine(pin):
    """Two bodies on a ball joint and a hinge, with a damped spring between them."""
    a, b = (
        RigidBody("a", 2.0, DOFS, (0.1, 0.2, 0.25)),
        RigidBody("b", 0.5, DOFS, (0.02, 0.03, 0.04), (1.0, 0.2, 0.0)),
    )
    joints = [
        pin("ball", None, a, (0.0, 0.0, 0.5)),
        pin("hinge", a, b, (0.4, 0.1, 0.0), (0.0, 0.6, 0.8)),
    ]
    spring = SpringDamper(a, b, 50.0, 3.0, point_b=(0.1, 0.2, 0.3), point_a=(0.0, 0.3, 0.0))
    return System([a, b], [joints[0], spring, Gravity([a, b]), joints[1]])


@pytest.fixture
def state(machine):
    rng = np.random.default_rng(8)
    q = machine.move(machine.rest().q, 0.4 * rng.normal(size=12))
    return State(0.2, q, rng.normal(size=12), rng.normal(size=8))


def along(machine, state, f):
    return lambda step: f(State(state.t, machine.move(state.q, step), state.v, state.lam))


def test_tangents_of_constraints(machine, state, difference):
    rows = machine.constraint(state)
    zero, step = np.zeros(12), np.full(12, 2e-3)
    cases = (
        (rows.jacobian, lambda s: machine.constraint(s).value),
        (rows.d_rate(), lambda s: machine.constraint(s).rate),
        (rows.d_load(state.lam), lambda s: machine.constraint(s).jacobian.T @ s.lam),
    )
    for exact, f in cases:
        found = difference(along(machine, state, f), zero, step)
        assert np.abs(found - exact).max() < 1e-7 * np.abs(exact).max()
    d_load, d_rate = machine.constraint_tangents(state)
    np.testing.assert_array_equal(d_load, rows.d_load(state.lam))
    np.testing.assert_array_equal(d_rate, rows.d_rate())


def test_bias_is_the_second_derivative(machine, state, difference):
    """c'' along the motion with given v and v': by differences of c' in time."""
    a = np.random.default_rng(2).normal(size=12)

    def rate(t):
        q = machine.move(state.q, t[0] * state.v + 0.5 * t[0] ** 2 * a)
        return machine.constraint(State(0.0, q, state.v + t[0] * a)).rate

    rows = machine.constraint(state)
    found = difference(rate, np.zeros(1), np.array([1e-3]))[:, 0]
    expected = rows.jacobian @ a + rows.bias
    assert np.abs(found - expected).max() < 1e-7 * np.abs(expected).max()


def test_bias_from_one_evaluation(machine, state):
    """A constraint that gives its explicit part in time is not evaluated twice."""

    class Quick:
        def __init__(self, joint):
            self.name, self.bodies, self.rows = joint.name, joint.bodies, joint.rows
            self.level, self.at = joint.level, joint.at

        def bias(self, t, q, v):
            raise AssertionError("second evaluation")

        def time_bias(self, t):
            return np.zeros(len(self.rows))

    quick = System(machine.bodies, [Quick(c) for c in machine.constraints])
    np.testing.assert_allclose(quick.constraint(state).bias, machine.constraint(state).bias)


def test_one_evaluation_gives_force_and_tangents(machine, state):
    force, by_q, by_v = machine.evaluate(state)
    np.testing.assert_allclose(force, machine.force(state), rtol=1e-14)
    for found, expected in zip((by_q, by_v), machine.tangents(state), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-13)


def test_items_with_evaluate_are_asked_once(machine, state):
    spring = next(item for item in machine.items if item.name == "spring")

    def evaluate(t, q, v):
        return spring.force(t, q, v), *spring.tangents(t, q, v)

    one = SimpleNamespace(name="one", bodies=spring.bodies, evaluate=evaluate)
    found = System(machine.bodies, [one]).evaluate(state)
    expected = System(machine.bodies, [spring]).evaluate(state)
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)


def test_energy_falls_by_the_dissipated_power(machine, difference):
    """Ideal joints do no work: dE/dt = - dissipated power along the motion."""
    rng = np.random.default_rng(5)
    guess = State(0.0, machine.rest().q, rng.normal(size=12))
    start = machine.consistent(guess)
    state, a = start.state, start.acceleration

    def energy(t):
        q = machine.move(state.q, t[0] * state.v + 0.5 * t[0] ** 2 * a)
        return np.array([machine.energies(State(0.0, q, state.v + t[0] * a)).total])

    energies = machine.energies(state)
    assert set(energies.kinetic) == {"a", "b"}
    assert set(energies.potential) == {"spring", "gravity"}
    assert set(energies.dissipated_power) == {"spring"}
    power = energies.dissipated_power["spring"]
    assert power > 0.01
    found = difference(energy, np.zeros(1), np.array([1e-3]))[0, 0]
    assert found == pytest.approx(-power, rel=1e-8)


def test_bodies_without_an_answer_contribute_nothing(ritz):
    """A spinning disc does not know its momentum, another body not even its kinetic energy."""

    class Silent(Body):
        name, dofs = "silent", ("x",)

        def reference(self):
            return np.zeros(1)

        def mass_matrix(self, q):
            return np.eye(1)

        def force(self, t, q, v):
            return np.zeros(1)

    disc, mass = SpinningDisc("disc", ritz, 30.0), RigidBody("mass", 2.0)
    system = System([disc, mass, Silent()])
    state = system.state(v={"mass.ux": 3.0, "silent.x": 5.0})
    energies = system.energies(state)
    assert energies.kinetic == {"disc": 0.0, "mass": 9.0}
    assert energies.strain == energies.dissipated_power == {"disc": 0.0}
    assert energies.potential == {}
    assert energies.total == 9.0
    np.testing.assert_array_equal(system.momentum(state)[0], [6.0, 0.0, 0.0])


def test_strain_energy_of_bodies():
    class Soft:
        name, dofs = "soft", ("e1",)
        bodies = property(lambda self: (self,))

        def reference(self):
            return np.zeros(1)

        def mass_matrix(self, q):
            return np.eye(1)

        def strain_energy(self, q):
            return float(50.0 * q[0] ** 2)

    system = System([Soft()])
    energies = system.energies(State(0.0, np.array([0.2]), np.zeros(1)))
    assert energies.strain == {"soft": pytest.approx(2.0)}
    assert energies.total == pytest.approx(2.0)


def test_momentum_changes_by_the_external_loads(machine):
    """Sum of forces and moments about a point: gravity and the ball joint alone."""
    rng = np.random.default_rng(6)
    start = machine.consistent(State(0.0, machine.rest().q, rng.normal(size=12)))
    state, a, h = start.state, start.acceleration, 1e-5
    about = (0.3, -0.2, 0.7)

    def momentum(t):
        q = machine.move(state.q, t * state.v + 0.5 * t**2 * a)
        return np.array(machine.momentum(State(0.0, q, state.v + t * a), about))

    force, moment = (momentum(h) - momentum(-h)) / (2.0 * h)
    ball = machine.reaction(state, "ball").on["a"]
    weights = [body.mass * np.array([0.0, 0.0, -9.80665]) for body in machine.bodies]
    centres = [np.asarray(body.position) for body in machine.bodies]
    np.testing.assert_allclose(force, ball.force + sum(weights), rtol=1e-7, atol=1e-7)
    expected = ball.moment + np.cross(centres[0] - about, ball.force)
    expected += sum(np.cross(c - about, w) for c, w in zip(centres, weights, strict=True))
    np.testing.assert_allclose(moment, expected, rtol=1e-6, atol=1e-6)


def test_reactions_are_opposite(machine, state):
    """Hinge: equal forces, and equal moments about one point, on both bodies."""
    on = machine.reaction(state, "hinge").on
    np.testing.assert_allclose(on["a"].force, -on["b"].force, atol=1e-12)
    centres = [
        np.asarray(body.position) + state.q[machine.q_slices[body.name]][:3]
        for body in machine.bodies
    ]
    total = sum(on[b.name].moment + np.cross(x, on[b.name].force)
                for b, x in zip(machine.bodies, centres, strict=True))  # fmt: skip
    np.testing.assert_allclose(total, 0.0, atol=1e-12)


def test_reaction_needs_a_name_and_multipliers(machine, state):
    with pytest.raises(InputError, match="unknown constraint 'hinges'; close names: hinge"):
        machine.reaction(state, "hinges")
    with pytest.raises(InputError, match=r"invalid lam of shape \(0,\): expected \(8,\)"):
        machine.reaction(machine.rest(), "hinge")


def test_duplicate_names(machine):
    with pytest.raises(InputError, match="invalid item name 'ball', used twice"):
        System(machine.bodies, [machine.constraints[0], machine.constraints[0]])
    with pytest.raises(InputError, match="invalid item name 'a', used twice"):
        System(machine.bodies, [Force(machine.bodies[0], (1.0, 0.0, 0.0), name="a")])


def test_constraint_of_a_foreign_body(machine):
    with pytest.raises(InputError, match="unknown body 'b'; known: a"):
        System(machine.bodies[:1], machine.constraints)


def test_dof_without_inertia():
    """A hand-made body whose second dof weighs nothing."""
    hollow = SimpleNamespace(
        name="hollow", dofs=("ux", "uy"), reference=lambda: np.zeros(2),
        mass_matrix=lambda q: np.diag([1.0, 0.0]),
    )  # fmt: skip
    hollow.bodies = (hollow,)
    with pytest.raises(InputError, match="body 'hollow': its mass matrix is not positive definite"):
        System([hollow])


def test_coordinates_that_are_not_finite(machine):
    """An integrator that diverged gets a solver error, not a crash of the decomposition."""
    rest = machine.rest()
    with pytest.raises(SolverError, match="not finite"):
        machine.accelerations(replace(rest, q=np.full_like(rest.q, np.nan)))


def test_small_and_large_inertia_are_no_defect():
    body = RigidBody("wire", 1e6, DOFS, (1e-12, 1e-12, 1e-12))
    assert System([body], [Bushing(None, body, (1.0,) * 6)]).redundancy().mobility == 6
