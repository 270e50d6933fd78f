"""Bristles on the slave, compiled: as the reference on every surface; what is not compiled."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from slaves_on_masters import (
    COMBINATIONS,
    FACING,
    FRICTION,
    MASTERS,
    NORMAL,
    SLAVES,
    H,
    T,
    made,
    plate,
    pressed,
)

import fecontact as fc
from fecontact.contact.evaluate.compiled.step import CompiledRate, CompiledStep

pytestmark = pytest.mark.filterwarnings(
    "ignore:.*times the thickness of the body", "ignore:.*without sufficient supports"
)


@pytest.mark.parametrize(("slave", "master"), COMBINATIONS)
def test_eulerian_pairs_are_compiled(slave, master):
    """Every body of the package that touches, on every surface."""
    assert made(fc.EulerianPair, slave, master).backend == "compiled"


ON_MATERIAL = ("ground", "moving", "facets", "prescribed facets")


@pytest.mark.parametrize(("slave", "master"), COMBINATIONS)
def test_pairs_are_compiled(slave, master):
    """Slaves that spin belong to an `EulerianPair`; all others are compiled in a `ContactPair`."""
    if slave.endswith(("rotor", "disc", "hub")):
        with pytest.raises(fc.InputError, match="use EulerianPair"):
            _ = made(fc.ContactPair, slave, master).backend
        return
    assert made(fc.ContactPair, slave, master).backend == "compiled"


@pytest.mark.parametrize("master", MASTERS)
def test_disc_at_rest(master):
    """A disc without speed is compiled where material passes it, or in an `EulerianPair`."""
    disc, face = fc.SpinningDisc("slave", plate()), MASTERS[master]()
    pair = fc.ContactPair(disc, FACING, face, NORMAL, FRICTION)
    why = f"reference: SpinningDisc on {type(face).__name__}"
    assert pair.backend == (why if master in ON_MATERIAL else "compiled")
    assert fc.EulerianPair(disc, FACING, face, NORMAL, FRICTION).backend == "compiled"


def same(found, expected, what, least=0.0):
    size = np.abs(expected).max(initial=least)
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=1e-12 * size, err_msg=what)


def same_reports(fast, slow, speed):
    for name in ("gap", "pressure", "normal", "traction", "slip", "position", "energy"):
        same(getattr(fast, name), getattr(slow, name), name)
    np.testing.assert_array_equal(fast.status, slow.status)
    power = np.abs(slow.bristles.friction).max() * max(speed, np.abs(slow.slip).max())
    power += np.abs(slow.pressure).max() * FACING.measure * 0.2
    for name in ("point_slip_power", "damping_power", "supplied_power"):
        same(getattr(fast, name), getattr(slow, name), name, power)


WAVY = {"master_gap": fc.waviness(1e-3, 2)}
COMPARED = [
    *((slave, "facets", {}) for slave in SLAVES),
    *(("elastic prescribed", master, {}) for master in ("plate", "sphere", "prescribed facets")),
    *((slave, "cone", {}) for slave in ("rotor", "free disc", "pad")),
    *(("modal", master, {}) for master in ("plate", "ground")),
    *((slave, "sphere", WAVY) for slave in ("rotor", "disc on a hub")),
    *((slave, "plate", WAVY) for slave in ("rotor", "disc")),
]


@pytest.mark.parametrize(("slave", "master", "given"), COMPARED)
def test_same_as_the_reference(slave, master, given):
    """Force, history, report and tangents of a step, force, rates and report of the rate form."""
    pair, (q0, q1, v0, v1), old = pressed(slave, master, **given)
    z = old.z
    fast = pair.begin(T, q0, v0, old).at(T + H, q1, v1, H)
    slow = fast.reference
    assert isinstance(fast, CompiledStep)
    assert len(set(slow.history.status.tolist())) > 1
    same(fast.force, slow.force, "force")
    same(fast.history.z, slow.history.z, "elastic slip")
    same(fast.history.slip_totals, slow.history.slip_totals, "slip totals")
    same_reports(fast.report(), slow.report(), np.abs(z).max() / H)
    for one, two in ((fast, slow), (fast.no_slip(), slow.no_slip())):
        for found, expected in zip(one.tangents(), two.tangents(), strict=True):
            same(found, expected, "tangents")
    rates = pair.rate(T + H, q1, v1, old)
    assert isinstance(rates, CompiledRate)
    same(rates.force, rates.reference.force, "force")
    same(rates.z_rate, rates.reference.z_rate, "rates")
    same_reports(rates.report(), rates.reference.report(), 0.0)
    np.testing.assert_array_equal(rates.resulting_status, rates.reference.resulting_status)


@pytest.mark.parametrize(
    ("slave", "master"),
    [
        ("elastic prescribed", "sphere"),
        ("elastic prescribed", "plate"),
        ("rotor", "prescribed facets"),
        ("pad", "prescribed facets"),
    ],
)
def test_prescribed_frames_load_the_springs(slave, master):
    """f . v = -d(energy)/dt - damping - slip + supplied; a frame that moves works on springs."""
    pair, (_, q, _, v), old = pressed(slave, master)
    rates = pair.rate(T, q, v, old)

    def energy(dt):
        moved, at, by = [], 0, 0
        for body in pair.bodies:
            n, n_q = len(body.dofs), len(body.reference())
            moved.append(body.move(q[at : at + n_q], dt * v[by : by + n]))
            at, by = at + n_q, by + n
        kept = replace(old, z=old.z + dt * rates.z_rate)
        return pair.rate(T + dt, np.concatenate(moved), v, kept).report().energy

    rate = (energy(1e-6) - energy(-1e-6)) / 2e-6
    for report in (rates.report(), rates.reference.report()):
        lost = report.damping_power + report.slip_power
        size = abs(rate) + lost + abs(report.supplied_power)
        expected = -rate - lost + report.supplied_power
        assert rates.force @ v == pytest.approx(expected, abs=2e-4 * size)


class Slope:
    """A plane written with arrays."""

    def distance(self, y):
        return fc.Plane().distance(y)


class PythonCoefficient(fc.Coefficient):
    """Coulomb's coefficient written with arrays."""

    def values(self, speed, pressure, status):
        return np.full_like(speed, 0.3), np.zeros_like(speed), np.zeros_like(speed)


def test_what_is_not_compiled():
    """What else stays in the reference backend, with the reasons that users see."""
    pad, rotor = SLAVES["pad"](), SLAVES["rotor"]()
    own = fc.RigidFace(None, Slope())
    pair = fc.ContactPair(pad, FACING, own, NORMAL, FRICTION)
    assert pair.backend == "reference: RigidBody on RigidFace"
    assert fc.EulerianPair(rotor, FACING, own, NORMAL, FRICTION).backend == "compiled"
    law = fc.ElastoPlastic(PythonCoefficient(), 1e5, 50.0)
    for master in ("plate", "ground", "facets", "plane"):
        pair = fc.EulerianPair(rotor, FACING, MASTERS[master](), NORMAL, law)
        assert pair.backend == "reference: coefficient PythonCoefficient is written in Python"
    mesh = fc.block(1.0, 1.0, 0.2, cells=(2, 2, 1))
    solid = fc.FEBody("solid", fc.ElasticSolid(mesh, fc.STEEL))
    pair = fc.ContactPair(
        solid, fc.fe_surface(solid, "z_min"), MASTERS["ground"](), NORMAL, FRICTION
    )
    assert pair.backend == "reference: FEBody on RigidFace"
