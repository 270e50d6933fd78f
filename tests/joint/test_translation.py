"""Force elements between bodies that cannot turn: equal to those of bodies that could."""

from __future__ import annotations

import numpy as np
import pytest

import fecontact as fc
from fecontact.body.rigid import DOFS
from fecontact.errors import SolverError
from fecontact.joint.frames import FrameRows
from fecontact.kernels.lowered import LOST, POWERS, STORED
from fecontact.system.program import kernels

TABLE = fc.Table((-1.0, -0.2, 0.3, 1.0), (-2.0, 0.0, 0.1, 5.0))
MATRIX = np.diag(np.arange(1.0, 7.0)) + 0.1
SKEW = (1.0, 2.0, 3.0)
ELEMENTS = {
    "bearing": lambda a, b: fc.Bearing(
        b, 100.0, 200.0, 3.0, 4.0, (0.1, 0.2, 0.3), (0.1, 0.0, 0.2), housing=a, axis=SKEW,
        tilt_stiffness=10.0, cross_stiffness=1.0,
    ),
    "bushing": lambda a, b: fc.Bushing(a, b, MATRIX, 0.1 * MATRIX, frame=np.eye(3)[[1, 2, 0]]),
    "spring": lambda a, b: fc.SpringDamper(a, b, 50.0, 2.0, point_b=(0.2, 0.1, 0.0), preload=0.4),
    "curve": lambda a, b: fc.SpringDamper(a, b, TABLE, 2.0, point_b=(0.2, 0.1, 0.0)),
    "stop": lambda a, b: fc.SoftStop(a, b, 100.0, -0.5, 1.0, axis=SKEW),
    "torsion": lambda a, b: fc.TorsionSpring(a, b, 10.0, 1.0, preload=0.3),
    "drive": lambda a, b: fc.Drive(a, b, TABLE),
}  # fmt: skip


def pair(dofs):
    inertia = (0.15, 0.2, 0.25) if "rx" in dofs else None
    return (
        fc.RigidBody("a", 2.0, dofs, inertia, position=(0.1, -0.2, 0.3)),
        fc.RigidBody("b", 1.0, dofs, inertia, position=(1.1, 0.3, 0.4)),
    )


@pytest.mark.parametrize("grounded", [False, True])
@pytest.mark.parametrize("name", ELEMENTS)
def test_equal_to_bodies_that_could_turn(name, grounded):
    """Force, tangents, energy and lost power of bodies with rotations that are at rest."""
    rng = np.random.default_rng(7)
    for _ in range(5):
        count = 1 if grounded else 2
        u, du = 0.3 * rng.standard_normal((2, count, 3))
        at = [np.concatenate([x, [1.0, 0.0, 0.0, 0.0]]) for x in u]
        moving = [np.concatenate([x, np.zeros(3)]) for x in du]
        found, expected = (
            ELEMENTS[name](None if grounded else bodies[0], bodies[1])
            for bodies in (pair(("ux", "uy", "uz")), pair(DOFS))
        )
        assert found._straight is not None
        assert expected._straight is None
        chosen = np.concatenate([6 * i + np.arange(3) for i in range(count)])
        states = (0.3, u.ravel(), du.ravel()), (0.3, np.concatenate(at), np.concatenate(moving))
        (force, by_q, by_v), (more, more_q, more_v) = (
            each.evaluate(*state) for each, state in zip((found, expected), states, strict=True)
        )
        block = np.ix_(chosen, chosen)
        np.testing.assert_allclose(force, more[chosen], rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(force, found.force(*states[0]), rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(by_q, more_q[block], rtol=1e-12, atol=1e-11)
        np.testing.assert_allclose(by_v, more_v[block], rtol=1e-12, atol=1e-12)
        for answer in ("energy", "dissipated_power"):
            if hasattr(found, answer):
                values = [
                    getattr(each, answer)(*state)
                    for each, state in zip((found, expected), states, strict=True)
                ]
                assert values[0] == pytest.approx(values[1], rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("name", ELEMENTS)
def test_compiled_form(name):
    """The program has the force, tangents, energy and lost power of the element itself."""
    bodies = pair(("ux", "uz"))
    element = ELEMENTS[name](*bodies)
    system, rng = fc.System(bodies, [element]), np.random.default_rng(3)
    program = system.program
    assert not program.in_python
    for _ in range(5):
        q, v = 0.3 * rng.standard_normal((2, 4))
        for found, expected in zip(
            program.evaluate(0.3, q, v), element.evaluate(0.3, q, v), strict=True
        ):
            np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-11)
        args = program.table, 2, program.indices, program.work, 0.3, q, v, POWERS
        assert kernels.call_item(*args) == 0.0
        head = program.work[program.table[2, kernels.RECORDS] :]
        if hasattr(element, "energy"):
            assert head[STORED] == pytest.approx(element.energy(0.3, q, v), rel=1e-12, abs=1e-12)
            lost = element.dissipated_power(0.3, q, v)
            assert head[LOST] == pytest.approx(lost, rel=1e-12, abs=1e-12)


def test_derivatives_against_differences():
    a, b = pair(("ux", "uy", "uz"))
    spring = ELEMENTS["spring"](a, b)
    q, v = 0.3 * np.random.default_rng(1).standard_normal((2, 6))
    _, by_q, by_v = spring.evaluate(0.0, q, v)
    h = 1e-6
    for k, step in enumerate(h * np.eye(6)):
        change = spring.force(0.0, q + step, v) - spring.force(0.0, q - step, v)
        np.testing.assert_allclose(change / (2 * h), by_q[:, k], atol=1e-7 * np.abs(by_q).max())
        change = spring.force(0.0, q, v + step) - spring.force(0.0, q, v - step)
        np.testing.assert_allclose(change / (2 * h), by_v[:, k], atol=1e-7 * np.abs(by_v).max())


def test_ends_that_coincide_have_no_direction():
    a, b = pair(("ux", "uy", "uz"))
    spring = fc.SpringDamper(a, b, 50.0)
    q = np.concatenate([np.subtract(b.position, a.position), np.zeros(3)])
    with pytest.raises(SolverError, match="its ends coincide"):
        spring.force(0.0, q, np.zeros(6))
    with pytest.raises(SolverError, match="its ends coincide"):
        fc.System([a, b], [spring]).program.forces(0.0, q, np.zeros(6))


def test_force_on_a_body_that_cannot_turn():
    """Space-fixed and follower forces with their potentials, plain and compiled."""
    body = fc.RigidBody("body", 1.0, ("ux", "uz"))
    loads = [
        fc.Force(body, SKEW, (0.1, 0.2, 0.3), factor=fc.ramp(2.0)),
        fc.Force(body, SKEW, name="follower", follower=True),
    ]
    system = fc.System([body], loads)
    q, v, t = np.array([0.2, -0.4]), np.array([1.0, 2.0]), 1.0
    np.testing.assert_allclose(system.program.forces(t, q, v)[1], [0.5, 1.5], rtol=1e-12)
    np.testing.assert_allclose(system.program.forces(t, q, v)[2], [1.0, 3.0], rtol=1e-12)
    potential = sum(load.energy(t, q, v) for load in loads)
    assert potential == pytest.approx(-0.5 * (0.2 - 3 * 0.4), rel=1e-12)
    assert system.program.stored(t, q, v)[1] == pytest.approx(potential, rel=1e-12)


def test_rows_of_a_class_of_ones_own_count():
    """Who changes `rows` is asked for them, whatever the bodies."""

    class Twice(fc.SoftStop):
        def rows(self, frames):
            own = super().rows(frames)
            return FrameRows(2.0 * own.table, own.spinning)

    a, b = pair(("ux", "uy", "uz"))
    plain, twice = (kind(a, b, 100.0, -9.0) for kind in (fc.SoftStop, Twice))
    q, v = np.zeros((2, 6))
    assert twice._straight is None
    assert twice.at(0.0, q, v).value == pytest.approx(2.0 * plain.at(0.0, q, v).value)


def in_line(apart):
    """Two masses that move along the spring between them alone."""
    bodies = [fc.RigidBody(name, 1.0, ("ux",)) for name in "ab"]
    ends = {"point_a": (0.0, 0.2, 0.3), "point_b": (apart, 0.2, 0.3)}
    return bodies, fc.SpringDamper(*bodies, 50.0, 2.0, free_length=0.3, preload=0.4, **ends)


@pytest.mark.parametrize("apart", [0.2, -0.2])
def test_ends_of_a_line_may_pass_each_other(apart):
    """A distance is linear along a line, with another sign behind the place where it is zero."""
    bodies, spring = in_line(apart)
    program = fc.System(bodies, [spring]).program
    seen = set()
    for shift in (-0.5, -0.1, 0.0, 0.1, 0.5):
        q, v = np.array([0.03, 0.03 + shift]), np.array([0.5, -0.7])
        seen.add(np.sign(apart + shift))
        for found, expected in zip(
            program.evaluate(0.0, q, v), spring.evaluate(0.0, q, v), strict=True
        ):
            np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
        args = program.table, 2, program.indices, program.work, 0.0, q, v, POWERS
        assert kernels.call_item(*args) == 0.0
        head = program.work[program.table[2, kernels.RECORDS] :]
        assert head[STORED] == pytest.approx(spring.energy(0.0, q, v), rel=1e-12)
        assert head[LOST] == pytest.approx(spring.dissipated_power(0.0, q, v), rel=1e-12)
    assert seen == {-1.0, 1.0}
    with pytest.raises(SolverError, match="its ends coincide"):
        program.forces(0.0, np.array([0.0, -apart]), np.zeros(2))
