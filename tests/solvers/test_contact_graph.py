"""Contacts by their graph: the same conditions as `solve_contacts` with the matrix of all rows.

The reference is `ContactProblem`, whose W is the product of all rows and responses: its residual is
worked out from that matrix alone.
"""

from __future__ import annotations

import numpy as np
import pytest

import fecontact as fc
from fecontact.contact.laws.base.blocks import address
from fecontact.contact.status import SLIP, STICK
from fecontact.solvers.complementarity import ContactProblem, solve_contacts
from fecontact.solvers.contact_graph.friction import CONSTANT
from fecontact.solvers.contact_graph.problem import MAX_DOFS, empty_graph, set_blocks
from fecontact.solvers.contact_graph.solver import FAILED, solve, solve_curves

TOLERANCE = 1e-10


class Contacts:
    """Contacts between bodies of a few dofs each, as a graph and as a matrix."""

    def __init__(self, rng, bodies, contacts, dofs=6, frictionless=0.3, skew=0.0, law=()):
        n = bodies * dofs
        self.pairs = [sorted(rng.choice(bodies, 2, replace=False)) if bodies > 1 else [0]
                      for _ in range(contacts)]  # fmt: skip
        blocks = [rng.normal(size=(dofs, dofs)) for _ in range(bodies)]
        inverse = np.zeros((n, n))
        for k, B in enumerate(blocks):
            part = slice(k * dofs, (k + 1) * dofs)
            inverse[part, part] = B @ B.T / dofs + 0.1 * np.eye(dofs) + skew * (B - B.T)
        self.J = np.zeros((contacts, 3, n))
        self.slides = (rng.uniform(size=contacts) >= frictionless).astype(np.int64)
        lists = [np.concatenate([np.arange(b * dofs, (b + 1) * dofs) for b in p])
                 for p in self.pairs]  # fmt: skip
        for row, own in zip(self.J, lists, strict=True):
            row[:, own] = rng.normal(size=(3, len(own)))
        self.G = self.J @ inverse.T
        g = empty_graph(contacts, max(map(len, lists)), n, np.concatenate(lists), np.array(law))
        g.size[:] = [len(own) for own in lists]
        g.first[:] = np.cumsum(g.size) - g.size
        for i, own in enumerate(lists):
            g.jacobian[i, :, : len(own)] = self.J[i][:, own]
            g.response[i, :, : len(own)] = self.G[i][:, own]
        g.slides[:] = self.slides
        set_blocks(g, contacts)
        g.free[:] = self.J @ rng.normal(size=n)  # rest is possible: a solution exists
        g.friction[:] = rng.uniform(0.0, 0.8, contacts)
        g.law[:], self.graph = CONSTANT, g
        self.rows = [(i, a) for i in range(contacts) for a in range(3 if self.slides[i] else 1)]

    def __len__(self):
        return len(self.slides)

    def flat(self, values):
        return np.array([values[i, a] for i, a in self.rows])

    @property
    def problem(self):
        chosen = [self.J[i, a] for i, a in self.rows], [self.G[i, a] for i, a in self.rows]
        J, G = (np.array(rows) for rows in chosen)
        normal = np.array([k for k, (_, a) in enumerate(self.rows) if a == 0])
        tangent = np.where(self.slides == 1, normal + 1, -1)
        g = self.graph
        return ContactProblem(
            J @ G.T,
            self.flat(g.free),
            normal,
            tangent,
            g.friction.copy(),
            g.floor.copy(),
        )

    def solve(self, sweeps=2000):
        counted = np.zeros(1, dtype=np.int64)
        left = solve(self.graph, len(self), TOLERANCE, sweeps, counted)
        return left, int(counted[0])


@pytest.mark.parametrize(
    ("bodies", "contacts"), [(1, 1), (1, 3), (1, 12), (1, 200), (4, 9), (12, 40), (40, 60)]
)
def test_the_residual_of_the_matrix_is_met(bodies, contacts):
    rng = np.random.default_rng(100 * bodies + contacts)
    for _ in range(5):
        own = Contacts(rng, bodies, contacts)
        left, sweeps = own.solve()
        problem, L = own.problem, own.flat(own.graph.impulse)
        assert 0.0 <= left <= TOLERANCE
        assert problem.residual(L) <= 1.01 * TOLERANCE * problem.scale
        assert sweeps > 0
        np.testing.assert_allclose(own.flat(own.graph.velocity), problem.velocity(L), atol=1e-12)


def test_few_contacts_have_the_impulses_of_the_matrix():
    """Independent rows and little friction: the solution is unique."""
    rng = np.random.default_rng(1)
    for _ in range(20):
        own = Contacts(rng, 3, 4)
        own.graph.friction[:] *= 0.2
        own.solve()
        expected = solve_contacts(own.problem, None, TOLERANCE).value
        np.testing.assert_allclose(own.flat(own.graph.impulse), expected, atol=1e-7)


def test_velocities_of_redundant_contacts_are_those_of_the_matrix():
    """Many contacts on one body without friction: impulses are not unique, velocities are."""
    rng = np.random.default_rng(2)
    for count in (8, 30):
        own = Contacts(rng, 1, count, frictionless=1.0)
        own.solve()
        problem = own.problem
        expected = problem.velocity(solve_contacts(problem, None, TOLERANCE).value)
        np.testing.assert_allclose(own.flat(own.graph.velocity), expected, atol=1e-7)


def test_least_impulses_are_kept():
    rng = np.random.default_rng(3)
    own = Contacts(rng, 2, 6)
    own.graph.floor[:] = rng.uniform(0.0, 1.0, 6)
    left, _ = own.solve()
    problem = own.problem
    assert 0.0 <= left <= TOLERANCE
    assert np.all(own.graph.impulse[:, 0] >= own.graph.floor)
    assert problem.residual(own.flat(own.graph.impulse)) <= 1.01 * TOLERANCE * problem.scale


def test_a_matrix_that_is_not_symmetric():
    """Gyroscopic bodies: sweeps may diverge, and half the way or Newton's method finds it."""
    rng = np.random.default_rng(4)
    for _ in range(10):
        own = Contacts(rng, 3, 8, skew=0.5)
        own.graph.friction[:] *= 0.3
        left, _ = own.solve()
        problem = own.problem
        assert 0.0 <= left <= TOLERANCE
        assert problem.residual(own.flat(own.graph.impulse)) <= 1.01 * TOLERANCE * problem.scale


def test_newton_takes_over_where_sweeps_are_slow():
    """A thousand contacts on one body that all but agree: 60 sweeps, then a few steps."""
    rng = np.random.default_rng(5)
    own = Contacts(rng, 1, 1000, frictionless=0.0)
    g = own.graph
    g.jacobian[:] = g.jacobian[0] + 1e-2 * rng.normal(size=own.J.shape)
    own.J[:, :, :] = g.jacobian
    inverse = np.eye(6)
    own.G[:] = own.J @ inverse
    g.response[:] = own.G
    set_blocks(g, len(own))
    g.free[:] = own.J @ rng.normal(size=6)
    left, sweeps = own.solve()
    problem = own.problem
    assert 0.0 <= left <= TOLERANCE
    assert sweeps <= 300
    assert problem.residual(own.flat(g.impulse)) <= 1.01 * TOLERANCE * problem.scale


def test_no_solution_is_told():
    """Two walls that close on a body of one dof."""
    own = Contacts(np.random.default_rng(6), 1, 2, dofs=1, frictionless=1.0)
    g = own.graph
    g.jacobian[:, 0, 0], g.response[:, 0, 0] = (1.0, -1.0), (1.0, -1.0)
    set_blocks(g, 2)
    g.free[:, 0] = -1.0
    assert own.solve()[0] == FAILED


def test_more_dofs_than_newton_takes():
    rng = np.random.default_rng(7)
    own = Contacts(rng, 60, 40)
    assert len(own.graph.change) > MAX_DOFS
    left, _ = own.solve()
    problem = own.problem
    assert 0.0 <= left <= TOLERANCE
    assert problem.residual(own.flat(own.graph.impulse)) <= 1.01 * TOLERANCE * problem.scale


LAWS = (
    fc.Coulomb(0.3, static=0.5),
    fc.Stribeck(0.2, 0.45, speed=0.15, exponent=1.5, viscous=0.02),
    fc.Stribeck(0.2, 0.3, speed=0.05, viscous=20.0),
    fc.FrictionTable(
        np.array([0.0, 0.1, 1.0]), np.array([[0.6, 0.3], [0.4, 0.2], [0.3, 0.3]]),
        np.array([0.5, 2.0]),
    ),
)  # fmt: skip


@pytest.mark.parametrize("theta", [0.5, 1.0])
@pytest.mark.parametrize("law", LAWS, ids=["static", "falling", "rising", "table"])
def test_coefficients_over_speed_pressure_and_status(law, theta):
    """Contacts with laws beside constant ones: cones with the coefficients of the solution."""
    rng = np.random.default_rng(8)
    for _ in range(10):
        own = Contacts(rng, 4, 6, law=law.parameters)
        g, n, slow = own.graph, len(own), 0.02 if law is LAWS[2] else 1.0
        g.free[:] *= slow
        lawful, sticks = rng.uniform(size=n) < 0.7, rng.uniform(size=n) < 0.5
        where = address("coefficient_of_one", law.point, 0, 0)
        before, constant = slow * rng.normal(size=(n, 2)), g.friction.copy()
        g.law[:], g.constants[:] = np.where(lawful, where, CONSTANT), constant
        g.sticks[:], g.before[:], g.per_impulse[:] = sticks, before, 1.3

        def evaluate(contacts, speed, impulse, static, lawful=lawful, constant=constant):
            status = np.where(static, STICK, SLIP)
            mu, by_speed, by_pressure = law.values(speed, 1.3 * np.maximum(impulse, 0.0), status)
            own = lawful[contacts]
            return (
                np.where(own, mu, constant[contacts]), by_speed * own, 1.3 * by_pressure * own
            )  # fmt: skip

        left = solve_curves(g, n, theta, TOLERANCE, 2000, np.zeros(1, dtype=np.int64))
        assert 0.0 <= left <= TOLERANCE
        problem, L = own.problem, own.flat(g.impulse)
        assert problem.residual(L) <= 1.01 * TOLERANCE * problem.scale
        slip = np.where(own.slides[:, None] == 1, g.velocity[:, 1:], 0.0)
        mean = np.linalg.norm((1.0 - theta) * before + theta * slip, axis=1)
        static = g.static == 1
        mu = evaluate(np.arange(n), np.where(static, 0.0, mean), g.impulse[:, 0], static)[0]
        used = own.slides == 1
        np.testing.assert_allclose(g.friction[used], mu[used], rtol=1e-12)
        assert np.all(np.linalg.norm(slip[static], axis=1) <= 2.0 * TOLERANCE * problem.scale)
