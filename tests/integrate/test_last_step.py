"""The last step of the compiled implicit loop seen again: reports, and nothing else changes."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np

import fecontact as fc
from fecontact.body.rigid import DOFS
from fecontact.integrate.audit import EnergyAudit, points_of
from fecontact.integrate.implicit.compiled import CompiledSteps
from fecontact.integrate.implicit.method import AlphaRun, Implicit
from fecontact.integrate.loop.last_step import see_last_step
from fecontact.results.point import Point
from fecontact.results.statistics import Statistics
from fecontact.system.step import SystemStart

STEP = 2e-4


def sledge():
    """A block on four feet and a row of bristles, between a disc that turns and a rough wall."""
    block = fc.RigidBody("block", 2.0, DOFS, inertia=(0.01, 0.012, 0.015), position=(0, 0, 0.1))
    disc = fc.RigidBody("disc", 5.0, ("uz", "rz"), inertia=(0.1, 0.1, 0.2))
    corners = 0.05 * np.array([[x, y, 0.0] for x in (-1, 1) for y in (-1, 1)]) - [0, 0, 0.1]
    row = np.column_stack([np.full(150, 0.05), np.linspace(-0.05, 0.05, 150), np.zeros(150)])
    law, rough = (fc.ElastoPlastic(mu, 1e7, 50.0) for mu in (0.3, 3.0))
    wall = fc.RigidFace(None, fc.Plane((0.05, 0.0, 0.0), (-1.0, 0.0, 0.0)))
    items = [
        fc.ContactPair(block, fc.Surface(corners, np.full(4, 1.0)), fc.RigidFace(disc, fc.Plane()),
                       fc.PenaltyNormal(1e6, 1e3), law, "feet"),
        fc.ContactPair(block, fc.Surface(row, np.full(150, 1 / 150)), wall,
                       fc.PenaltyNormal(1e6, 1e3), rough, "side"),
        fc.Bearing(disc, 0.0, 1e5, axial_damping=100.0),
        fc.Gravity([block, disc]),
    ]  # fmt: skip
    system = fc.System([block, disc], items)
    start = system.state(v={"disc.rz": 20.0, "block.uz": -0.1, "block.ux": 0.05})
    return system, system.history_layout.filled(start)


def compiled_run():
    """The compiled loop at the start."""
    system, start = sledge()
    first = Point(start, system.accelerations(start)[0])
    return CompiledSteps(AlphaRun(Implicit(step=STEP), system, first, Statistics()))


def stretches(compiled, count):
    """Steps up to as many outputs; yields both ends of those that were one compiled step.

    The later end is where the run is, too.
    """
    counts, done, before = compiled.run.statistics, (0, 0), compiled.run.last.state
    for point in compiled.points(STEP * np.arange(1, count + 1)):
        steps, compiled_steps = counts.steps, counts.compiled
        if (steps, compiled_steps) == (done[0] + 1, done[1] + 1):
            yield before, point
        before, done = point.state, (steps, compiled_steps)


def test_reports_are_those_of_a_step_from_the_state_before():
    """By the plain form of the laws, with the slip work of the audit."""
    compiled, statuses = compiled_run(), set()
    system = compiled.system
    names = ("feet", "side")
    for before, point in stretches(compiled, 60):
        end = SystemStart.of(system, before).at(point.state, point.state.t - before.t)
        reports = {name: end.steps[name].reference.report() for name in names}
        for name, expected in reports.items():
            part = system.history_layout.slip_totals[name]
            work = (point.state.slip_totals - before.slip_totals)[part][::2]
            expected = replace(expected, point_slip_power=work / (point.state.t - before.t))
            statuses |= set(expected.status.tolist())
            compare(point.reports[name], expected)
        now, filled = system.rate_form(before), system.history_layout.filled(before)
        audit = EnergyAudit(system, filled, now.forces, now.reports())
        start = len(point.resume) - len(audit.numbers)
        audit.resume(point.resume[start:])
        found, sizes = audit.last.points, np.array([[20.0], [20.0], [20.0], [20.0], [1.0]])
        error = np.abs(found - points_of(reports)).max(axis=1, keepdims=True)
        assert np.all(error <= 1e-9 * np.maximum(np.abs(found).max(axis=1, keepdims=True), sizes))
    assert statuses >= {0, 1, 2}


def compare(found, expected):
    """Two reports up to round-off of positions, and of 20 N on 10 um."""
    least = {"gap": 1e-5, "energy": 2e-4}
    least |= dict.fromkeys(("traction", "damping_power", "supplied_power"), 20.0)
    for name in (each.name for each in fields(expected) if each.name != "bristles"):
        a, b = getattr(found, name), getattr(expected, name)
        size = max(np.abs(b).max(), least.get(name, 0.0))
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-9 * size, err_msg=name)


def test_histories_stay_as_they_are():
    """Seen once or twice: the same reports, to the last bit, and the same start of a next step."""
    compiled = compiled_run()
    assert list(stretches(compiled, 12))
    work, names = compiled.program.work, ("z0", "status0", "totals0")

    def kept():
        own = [work[each.parts[name]] for each in compiled.contacts for name in names]
        return np.concatenate([*own, compiled.items.kept])

    def shown():
        names = ("numbers", "vectors", "bristles", "sums")
        return np.concatenate([work[x.parts[name]] for x in compiled.contacts for name in names])

    before, seen = kept(), shown()
    assert np.any(before)
    work[compiled.contacts[0].parts["numbers"]] = np.nan
    assert see_last_step(compiled.items, compiled.motion)
    np.testing.assert_array_equal(shown(), seen)
    np.testing.assert_array_equal(kept(), before)


def test_compiled_and_general_runs_report_alike():
    """All fields of the contacts at the outputs."""
    system, start = sledge()
    general, compiled = (
        fc.simulate(system, 0.02, start, "implicit", 2e-3, step=STEP, backend=backend)
        for backend in ("general", "compiled")
    )
    assert compiled.statistics.compiled > 0
    for name in ("feet", "side"):
        for field in ("gap", "pressure", "traction", "slip", "position", "energy",
                      "point_slip_power", "damping_power"):  # fmt: skip
            a, b = (motion.contacts[name].field(field) for motion in (compiled, general))
            np.testing.assert_allclose(a, b, rtol=0, atol=1e-6 * np.abs(b).max(), err_msg=field)
