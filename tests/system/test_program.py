"""The lowered system: equal to the sums over the items themselves."""

from __future__ import annotations

import os
import subprocess
import sys
from copy import copy

import numpy as np
import pytest

import fecontact as fc
from fecontact.body.rigid import DOFS
from fecontact.errors import SolverError
from fecontact.kernels.lowered import LOST, POWERS, RECORD, STORED
from fecontact.system.program import kernels
from fecontact.typing import supports

TABLE = fc.Table((-1.0, -0.2, 0.3, 1.0), (-2.0, 0.0, 0.1, 5.0))


def bodies():
    return [
        fc.RigidBody("a", 2.0, DOFS, inertia=(0.15, 0.2, 0.3)),
        fc.RigidBody("b", 1.0, DOFS, inertia=(0.15, 0.2, 0.25), position=(0.3, 0.1, 0.0)),
        fc.RigidBody("rotor", 1.0, ("ux", "rx", "ry", "spin"), inertia=(0.2, 0.2, 0.25)),
        fc.RigidBody("spun", 1.0, ("uy", "uz", "rx", "ry"), inertia=(0.2, 0.2, 0.3), spin=7.0),
        fc.RigidBody("flat", 1.0, ("ux", "uy", "rz"), inertia=(0.2, 0.2, 0.25)),
        fc.RigidBody("point", 0.5, position=(0.1, 0.2, 0.7)),
    ]


def items(a, b, rotor, spun, flat, point):
    """Every kind of force element and load on rigid bodies."""
    matrix = np.diag(np.arange(1.0, 7.0)) + 0.1
    skew = (1.0, 2.0, 3.0)
    return [
        fc.SpringDamper(a, b, 100.0, 2.0, (0.1, 0.0, 0.2), (0.0, 0.3, 0.1), name="spring"),
        fc.SpringDamper(None, point, TABLE, 0.3, preload=0.2, name="curve"),
        fc.SpringDamper(rotor, flat, 50.0, 1.0, (0.0, 0.0, 0.2), (0.1, 0.3, 0.1), name="on rotor"),
        fc.TorsionSpring(None, flat, TABLE, 1.0, preload=0.5, name="one axis"),
        fc.TorsionSpring(a, b, 10.0, 1.0, axis=(1.0, 0.0, 1.0), name="turning"),
        fc.Bushing(a, b, matrix, 0.1 * matrix, point=(0.1, 0.2, 0.0)),
        fc.Bushing(None, b, matrix, name="on the ground"),
        fc.Bearing(
            rotor, 100.0, 200.0, 3.0, 4.0, (0.1, 0.2, 0.3), housing=a, axis=skew,
            tilt_stiffness=10.0, cross_stiffness=1.0, tilt_damping=2.0, name="housed",
        ),
        fc.Bearing(spun, 100.0, 200.0, 3.0, 4.0, point=(0.0, 0.0, 0.1), tilt_stiffness=3.0),
        fc.SoftStop(a, flat, 100.0, -0.3, 1.0, axis=skew, point=(0.1, 0.0, 0.2)),
        fc.Drive(a, rotor, fc.Line(-0.5, 2.0), axis=(1.0, 0.0, 2.0), name="motor"),
        fc.Drive(None, b, TABLE, factor=fc.ramp(2.0), name="ramped"),
        fc.Drive(None, spun, fc.Line(0.3), name="drag"),
        fc.Force(a, skew, (0.1, 0.2, 0.3)),
        fc.Force(b, skew, (0.1, 0.2, 0.3), "follower", True, fc.ramp(1.0)),
        fc.Torque(b, skew),
        fc.Torque(rotor, skew, "own torque", True, TABLE),
        fc.Torque(spun, skew, "on spun"),
        fc.Gravity([a, b, rotor, point], (1.0, 2.0, -9.0)),
    ]  # fmt: skip


def states(system, count=6):
    rng = np.random.default_rng(3)
    for size in np.geomspace(1e-3, 2.0, count):
        q = system.move(system.rest().q, size * rng.standard_normal(system.size))
        yield fc.State(0.3 + size, q, rng.standard_normal(system.size))


def plain(system):
    """The system that asks all its items in Python."""
    result = copy(system)
    vars(result)["_compiled"] = None
    return result


def close(found, expected):
    scale = np.abs(expected).max(initial=1e-300)
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=1e-12 * scale)


@pytest.mark.parametrize("index", range(19))
def test_each_item_equals_its_plain_form(index):
    parts = bodies()
    item = items(*parts)[index]
    system = fc.System(list(item.bodies), [item])
    assert system.program.in_python == ()
    for state in states(system):
        found = system.program.evaluate(state.t, state.q, state.v)
        for own, expected in zip(found, plain(system).evaluate(state), strict=True):
            close(own, expected)
        close(system.program.forces(state.t, state.q, state.v), plain(system).forces(state))


@pytest.mark.parametrize("index", range(19))
def test_powers_of_each_item(index):
    parts = bodies()
    item = items(*parts)[index]
    system = fc.System(list(item.bodies), [item])
    program, last = system.program, len(system.items) - 1
    for state in states(system):
        result = np.empty((len(system.items), system.size))
        args = program.table, program.indices, program.work, state.t, state.q, state.v
        assert kernels.forces(*args, POWERS, result) == 0
        rows = program.table[program.table[:, kernels.ITEM] == last, kernels.RECORDS]
        head = program.work[rows[:, None] + np.arange(RECORD)].sum(axis=0)
        local = system.local(item, state)
        for at, answer in ((LOST, "dissipated_power"), (STORED, "energy")):
            told = getattr(item, answer)(state.t, *local) if supports(item, answer) else 0.0
            scale = np.abs(result).max() * np.abs(state.v).max()
            assert head[at] == pytest.approx(told, rel=1e-11, abs=1e-12 * scale)


def test_whole_system_and_inertia():
    parts = bodies()
    system = fc.System(parts, items(*parts))
    for state in states(system):
        for own, expected in zip(
            system.program.evaluate(state.t, state.q, state.v),
            plain(system).evaluate(state),
            strict=True,
        ):
            close(own, expected)
        close(system.program.mass_matrix(state.q), plain(system).mass_matrix(state.q))
        close(
            system.program.d_inertia(state.q, state.v) + 1.0,
            plain(system).d_inertia(state.q, state.v) + 1.0,
        )


def test_stored_energies():
    """Strain energy and potentials of all items, also of those that are called back."""
    parts, beam = bodies(), fc.ModalBody("beam", (30.0, 50.0), 0.02)
    system = fc.System([*parts, beam], items(*parts))
    for state in states(system):
        now = system.energies(state)
        found = system.program.stored(state.t, state.q, state.v)
        for told, energy in zip((now.strain, now.potential), found, strict=True):
            assert energy == pytest.approx(sum(told.values()), rel=1e-11)
            assert energy != 0.0


class Wind:
    """An item that is written in Python."""

    def __init__(self, body, name="wind"):
        self.bodies, self.name = (body,), name

    def force(self, t, q, v):
        if t > 1.0:
            raise SolverError("no wind later")
        return -2.0 * v + t

    def tangents(self, t, q, v):
        return np.zeros((len(v), len(v))), -2.0 * np.eye(len(v))


def test_items_in_python_are_called_back():
    body = fc.RigidBody("point", 0.5)
    system = fc.System([body], [Wind(body), fc.Gravity([body])])
    assert system.program.in_python == ("wind",)
    state = fc.State(0.5, np.ones(3), np.array([1.0, 2.0, 3.0]))
    for own, expected in zip(
        system.program.evaluate(state.t, state.q, state.v),
        plain(system).evaluate(state),
        strict=True,
    ):
        close(own, expected)


def test_errors_of_items_reach_the_caller():
    body = fc.RigidBody("point", 0.5)
    system = fc.System([body], [Wind(body)])
    with pytest.raises(SolverError, match="no wind later"):
        system.program.evaluate(2.0, np.zeros(3), np.zeros(3))
    spring = fc.SpringDamper(None, body, 1.0, point_a=(0.1, 0.0, 0.0))
    system = fc.System([body], [spring])
    with pytest.raises(SolverError, match="ends coincide"):
        system.program.forces(0.0, np.array([0.1, 0.0, 0.0]), np.zeros(3))


PLAIN = """
import numpy as np
import fecontact as fc
body = fc.RigidBody("point", 0.5)
spring = fc.SpringDamper(None, body, 10.0, 1.0, (0.0, 0.0, 1.0))
system = fc.System([body], [spring, fc.Gravity([body])])
q, v = np.array([0.1, 0.2, 0.3]), np.array([1.0, 2.0, 3.0])
found = system.program.evaluate(0.0, q, v)
vars(system)["_compiled"] = None
for own, expected in zip(found, system.evaluate(fc.State(0.0, q, v))):
    np.testing.assert_allclose(own, expected, rtol=1e-12, atol=1e-12)
"""


def test_without_compilation():
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    subprocess.run([sys.executable, "-c", PLAIN], env=environment, check=True)


def test_items_can_be_left_out():
    parts = bodies()
    system = fc.System(parts, items(*parts))
    state = next(states(system))
    names = ("spring", "motor")
    found = system.program.forces(state.t, state.q, state.v, names)
    close(found, plain(system).forces(state, {name: np.zeros(1) for name in names}))
    varied = system.with_parameters({})
    close(found, varied.forces(state, {name: np.zeros(1) for name in names}))
