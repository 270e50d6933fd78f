"""Pairs with bristles on the slave as compiled functions: equal to their steps in Python."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from called_pair import same, started
from slaves_on_masters import COMBINATIONS, FACING, FRICTION, NORMAL, SLAVES, H, T, made, pressed

import fecontact as fc
from fecontact.kernels.lowered import (
    ADVANCE,
    BENT,
    FORCE,
    HELD,
    LOST,
    SHOW,
    SUPPLIED,
    TANGENTS,
    TIME,
)

pytestmark = pytest.mark.filterwarnings(
    "ignore:.*times the thickness of the body", "ignore:.*without sufficient supports"
)
COMPARED = [
    *((slave, "plate") for slave in SLAVES),
    *((slave, "cone") for slave in ("rotor", "free rotor", "disc", "free disc", "disc on a hub")),
    *((slave, "moving") for slave in ("rotor", "disc on a hub", "free disc")),
    *(("free disc", master) for master in ("spinning freely", "ground")),
    *(("free rotor", master) for master in ("torus", "sphere")),
]


@pytest.mark.parametrize(("slave", "master"), COMPARED)
def test_steps_are_those_of_the_pair(slave, master):
    """Force, tangents and history, also of bristles that never yield, over two steps."""
    pair, states, old = pressed(slave, master)
    step, called = started(pair, states, old)
    (_, q, _, v) = states
    assert step.force.any()
    for task, expected in ((FORCE, step), (TANGENTS, step), (HELD, step.no_slip())):
        called.ask(task, q, v, H)
        same(called.force, expected.force, "force")
        if task == FORCE:
            continue
        for found, plain, by in zip(called.tangents, expected.tangents(), "qv", strict=True):
            same(found, plain, f"force by {by}")
    called.ask(ADVANCE, q, v, H)
    z, status, totals = called.history
    same(z, step.history.z, "elastic slip")
    np.testing.assert_array_equal(status, step.history.status)
    path = np.abs(old.slip_totals - totals).max()
    np.testing.assert_allclose(totals[:, 1], step.history.slip_totals[:, 1], atol=1e-12 * path)
    again = pair.begin(T + H, q, v, step.history).at(T + 2.5 * H, q, v, 1.5 * H)
    called.w[TIME] = T + 2.5 * H
    called.ask(FORCE, q, v, 1.5 * H)
    same(called.force, again.force, "force of the second step")


@pytest.mark.parametrize(("slave", "master"), [("rotor", "plate"), ("free disc", "cone")])
def test_what_the_points_show(slave, master):
    """Numbers and vectors of a report, in space, and the powers of an accepted step."""
    pair, states, old = pressed(slave, master)
    step, called = started(pair, states, old)
    report = step.report()
    called.ask(SHOW, states[1], states[3], H)
    p = pair.points
    numbers, vectors, bristles, sums = called.parts[12:16]
    gap, pressure, power = numbers.reshape(3, p)
    for found, name in ((gap, "gap"), (pressure, "pressure")):
        same(found, getattr(report, name), name)
    same(power, report.point_slip_power, "slip power", np.abs(report.bristles.friction).max())
    for found, name in zip(
        vectors.reshape(4, p, 3), ("normal", "traction", "slip", "position"), strict=True
    ):
        same(found, getattr(report, name), name)
    same(bristles.reshape(4, p, 3)[0], report.bristles.friction, "friction")
    same(sums[0], report.energy, "energy")
    size = np.abs(step.force @ states[3]) + np.abs(report.supplied_power)
    assert sums[3] == pytest.approx(report.supplied_power, abs=1e-12 * size)
    called.ask(ADVANCE, states[1], states[3], H)
    assert called.w[SUPPLIED] == pytest.approx(report.supplied_power, abs=1e-12 * size)
    assert np.isfinite(called.w[[LOST, BENT]]).all()


def test_every_slave_has_the_form():
    """On rigid surfaces and plates; facets and gaps that turn stay in Python."""
    for slave, master in COMBINATIONS:
        found = made(fc.EulerianPair, slave, master).lowered_steps()
        assert (found is None) == master.endswith("facets"), (slave, master)
    uneven = FACING.with_gap(1e-5 * np.arange(len(FACING.points)))
    rotor, ground = SLAVES["rotor"](), fc.RigidFace(None, fc.Plane())
    assert fc.EulerianPair(rotor, uneven, ground, NORMAL, FRICTION).lowered_steps() is None


class Bent(fc.SpinningDisc):
    """A disc with points of its own."""

    def point_motion(self, q, v, points, t=0.0):
        return super().point_motion(2.0 * q, v, points, t)


def test_points_of_ones_own_stay_in_python():
    disc = SLAVES["disc"]()
    own = Bent(disc.name, disc.model, disc.speed)
    ground = fc.RigidFace(None, fc.Plane())
    assert fc.EulerianPair(own, FACING, ground, NORMAL, FRICTION).lowered_steps() is None
    assert fc.ContactPair(own, FACING, ground, NORMAL, fc.CoulombSliding(0.3)).lowered() is None


def test_a_point_beside_the_plate_is_refused():
    """The compiled function says no, and the pair in Python says why."""
    pair = made(fc.EulerianPair, "rotor", "plate")
    wide = fc.annulus_surface(0.2, 1.3, (2, 8), height=0.05)
    system = fc.System(pair.bodies, [replace(pair, surface=wide)])
    program = system.step_program()
    state = system.rest()
    assert program.in_python == ()
    with pytest.raises((fc.SolverError, fc.InputError), match="leaves the plate"):
        program.forces(0.0, state.q, state.v)
