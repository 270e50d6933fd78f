"""Plates as masters, discs as slaves and Eulerian contacts, against plain numpy.

Steps and rates agree to 1e-12, with the transport of the history along the rings; forces on bodies
that translate balance.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest
from test_twin import (
    AXIS,
    LAWS,
    POINT,
    TURNS,
    H,
    T,
    model,
    same,
    same_reports,
    same_tangents,
    states,
)
from test_twin import SPEED as TURNING
from twin_contact import GROUND, Frame, RigidSurface, Twin, fixed, free, translating, turning
from twin_discs import Disc, Plate, SpunTwin, disc_frame

import fecontact as fc
from fecontact.contact import ContactHistory, annulus
from fecontact.contact.eulerian_pair import EulerianPair
from fecontact.contact.evaluate.compiled.step import CompiledRate, CompiledStep
from fecontact.contact.status import OPEN, SLIP, STICK
from fecontact.errors import InputError

pytestmark = pytest.mark.filterwarnings(
    "ignore:.*the table of the facing ends",
    "ignore:.*times the thickness of the body",
    "ignore:.*without sufficient supports",
)
RADIUS, THICKNESS, HARMONICS, SPEED, MASTER_SPEED = 2.0, 0.1, 2, 3.0, -2.5
PLAIN = Disc(RADIUS, THICKNESS, HARMONICS)
FACING = annulus(0.5, 0.9, (2, 6), height=0.05)
HUB = fc.Hub(0.5, 0.1)
DISCS = ("disc", "disc on a hub", "disc that spins freely")
SLAVES = ("rotor", "rotor that spins freely", "pad", "elastic", "elastic fixed", *DISCS)
ON_PLATE = ("pad", "elastic", "elastic fixed", "elastic prescribed")
MASTERS = ("plate", "ground", "spinning")


@cache
def plate():
    material, supports = fc.Material(1e9, 0.3, 1000.0), {"outer": "simply_supported"}
    whole = fc.HarmonicPlate(0.1, RADIUS, THICKNESS, material, supports)
    return fc.ritz_harmonic(whole, harmonics=HARMONICS)


def slave_of(kind):
    """Body, surface, its frame in the twin, and whether rings carry the history."""
    place = np.array([0.05, -0.02, 0.01])
    round_ = (0.1, 0.1, 0.2)
    if kind == "rotor":
        body = fc.RigidBody("slave", 1.0, ("ux", "uy", "uz"), round_, tuple(place), spin=SPEED)
        return body, FACING, lambda q, v, t: translating(place, q, v, SPEED), True
    if kind == "rotor that spins freely":
        body = fc.RigidBody("slave", 1.0, ("ux", "uy", "uz", "spin"), round_, tuple(place))
        return body, FACING, lambda q, v, t: translating(place, q, v), True
    if kind == "pad":
        body = fc.RigidBody("slave", 1.0, fc.DOFS, (0.1, 0.12, 0.15), tuple(place))
        return body, FACING, lambda q, v, t: free(place, q, v), False
    if kind in DISCS:
        hub, freely = kind != "disc", kind.endswith("freely")
        given = {"spin": "free"} if freely else {"speed": SPEED}
        body = fc.SpinningDisc("slave", plate(), hub=HUB if hub else None, **given)
        return body, FACING, lambda q, v, t: disc_frame(q, v, hub, freely, SPEED), True
    place = np.array([0.4, 0.1, 0.06])
    how = {"fixed": "fixed", "prescribed": TURNS}.get(kind.split()[-1], "free")
    body = fc.ElasticBody("slave", model("hex1"), tuple(place), how, geometric_stiffness=False)
    frames = {
        "free": lambda q, v, t: free(place, q, v),
        "fixed": lambda q, v, t: fixed(place, q, v),
        "prescribed": lambda q, v, t: turning(place, q, v, AXIS, TURNING, POINT, t),
    }
    own = frames["prescribed" if how is TURNS else how]
    return body, fc.elastic_surface(body, "z_min", parts=1), own, False


def master_of(kind):
    """Body, master surface, its plain form and its frame in the twin."""
    if kind == "ground":
        return None, fc.RigidFace(None, fc.Plane()), RigidSurface(fc.Plane()), lambda q, v: GROUND
    if kind == "spinning":
        at = np.array([0.02, 0.01, -0.3])
        table = fc.RigidBody(
            "master", 1.0, ("ux", "uy", "uz"), (0.1, 0.1, 0.2), tuple(at), spin=MASTER_SPEED
        )
        face = fc.RigidFace(table, fc.Plane())
        return (
            table,
            face,
            RigidSurface(fc.Plane()),
            lambda q, v: translating(at, q, v, MASTER_SPEED),
        )
    disc, none = fc.SpinningDisc("master", plate(), MASTER_SPEED), np.zeros(3)
    return (
        disc,
        fc.PlateFace(disc),
        Plate(PLAIN),
        lambda q, v: Frame(none, np.eye(3), none, none, q, v, "given", MASTER_SPEED),
    )


def rings_of(points):
    """Points of each ring in the sense of phi."""
    radius = np.round(np.hypot(*points.T[:2]), 9)
    phi = np.arctan2(points[:, 1], points[:, 0]) % (2.0 * np.pi - 1e-9)
    own = [np.flatnonzero(radius == r) for r in np.unique(radius)]
    return np.array([ring[np.argsort(phi[ring])] for ring in own])


@cache
def scene(slave_kind, master_kind, kind):
    """Bodies, states, frames of the twin; the initial gaps put all points near the master."""
    rng = np.random.default_rng(11)
    slave, surface, slave_frame, ringed = slave_of(slave_kind)
    master, face, plain, master_frame = master_of(master_kind)
    a, b = (states(body, rng) for body in (slave, master))
    freely = "freely" in slave_kind
    if freely:
        for v in a[2:]:
            v[3] += SPEED
        a[1][3] = a[0][3] + 0.4
    frames = [
        (slave_frame(a[i], a[2 + i], T + i * H), master_frame(b[i], b[2 + i])) for i in (0, 1)
    ]
    shapes = np.zeros((len(surface.points), 3, 0)) if surface.shapes is None else surface.shapes
    made = Twin if kind == "on plate" else SpunTwin
    twin = made(surface.points, shapes, surface.weights, 0.0, plain, None, None)
    if kind != "on plate":
        twin.disc = PLAIN if slave_kind in DISCS else None
    away = twin.kinematics(*frames[1])[2]
    even = freely or kind == "sliding"
    spread = rng.uniform(-7e-3, 2e-3, len(away))
    gap = np.full(len(away), -4e-3 - away.mean()) if even else spread - away
    if kind == "eulerian" and ringed:
        twin.rings = rings_of(surface.points)
        twin.turn = (a[0][3], a[1][3]) if slave_kind == "rotor that spins freely" else None
        if not freely:  # as it is at the end of the step
            gap = twin.shifted(gap[:, None], -SPEED * (T + H))[:, 0]
    twin.gap = gap
    surface = replace(surface, gap=gap[0] if even else gap, normals=None)
    q0, q1, v0, v1 = (np.concatenate(parts) for parts in zip(a, b, strict=True))
    return slave, surface, face, twin, (q0, q1, v0, v1), frames


def case(slave, master, laws, kind):
    """Pair, twin, states and a history with all statuses."""
    body, surface, face, twin, given, frames = scene(slave, master, kind)
    normal, friction = LAWS[laws]
    pair = (EulerianPair if kind == "eulerian" else fc.ContactPair)(
        body, surface, face, normal, friction
    )
    twin.normal, twin.friction = normal, friction
    rng = np.random.default_rng(3)
    count = len(surface.points)
    others = rng.uniform(-2e-3, 2e-3, (count, pair.columns - 3))
    others[:, : pair.columns - 3 - len(normal.states)] += 2e-3  # those of friction are positive
    z = np.column_stack([4e-3 * rng.standard_normal((count, 3)), others])
    old = ContactHistory(z, rng.integers(0, 3, count), rng.uniform(0.0, 1.0, (count, 2)))
    return pair, twin, given, frames, old


def compared(step, expected, balanced):
    """Force, history, and the balance of the forces of two bodies that translate."""
    force, z, status, slip_totals = expected
    same(step.force, force, "force")
    same(step.history.z, z, "internal variables")
    np.testing.assert_array_equal(step.history.status, status)
    same(step.history.slip_totals, slip_totals, "slip work and path")
    if balanced:
        same(step.force[:3] + step.force[-3:], np.zeros(3), "balance", np.abs(step.force).max())


def both_steps(step, expected, balanced):
    """The compiled and the reference backend against the twin, and against each other."""
    assert isinstance(step, CompiledStep), "no compiled backend"
    for one in (step, step.reference):
        compared(one, expected, balanced)
    same_reports(step.report(), step.reference.report(), np.abs(expected[1][:, :3]).max() / H)
    same_tangents(step, step.reference)


def both_rates(rates, expected):
    """The same in continuous time; a law without damping has no rates."""
    force, rate, status, slip_totals = expected
    backends = [rates, rates.reference] if isinstance(rates, CompiledRate) else [rates]
    assert len(backends) == 2 or rates.law.rateless
    for one in backends:
        same(one.force, force, "force")
        same(one.z_rate.reshape(rate.shape), rate, "rates")
        np.testing.assert_array_equal(one.resulting_status, status)
        same(one.slip_rates[:, 0], slip_totals[:, 0], "slip power")
        same(one.slip_rates[:, 1], slip_totals[:, 1], "slip speed", np.abs(rate[:, :3]).max())
    if len(backends) == 2:
        same_reports(*(one.report() for one in backends))
        powers = np.array([one.powers for one in backends])
        size = np.abs(force).max() * np.abs(backends[1].kinematics.slip).max()
        same(powers[0], powers[1], "powers", size)


PAIRS = list(product(SLAVES, MASTERS))


@pytest.mark.parametrize("laws", LAWS)
@pytest.mark.parametrize(("slave", "master"), PAIRS)
def test_eulerian(slave, master, laws):
    """Every slave of an `EulerianPair`, spinning and not, on plates and rigid surfaces."""
    if LAWS[laws][0].states or len(LAWS[laws][1].states) > 1:
        with pytest.raises(InputError, match="spinning surface: expected a law with"):
            case(slave, master, laws, "eulerian")
        return
    pair, twin, (q0, q1, v0, v1), frames, old = case(slave, master, laws, "eulerian")
    expected = twin.step(*frames, old.z, old.status, old.slip_totals, H, T)
    step = pair.begin(T, q0, v0, old).at(T + H, q1, v1, H)
    moves = slave not in ("disc", "elastic fixed")
    both_steps(step, expected, master == "spinning" and moves)
    both_rates(pair.rate(T + H, q1, v1, old), twin.rate(frames[1], old.z, old.status, T + H))


@pytest.mark.parametrize("laws", LAWS)
@pytest.mark.parametrize("slave", ON_PLATE)
def test_on_a_plate(slave, laws):
    """Slaves without spin on a spinning plate: their points ride on it."""
    pair, twin, (q0, q1, v0, v1), frames, old = case(slave, "plate", laws, "on plate")
    expected = twin.step(*frames, old.z, old.status, old.slip_totals, H)
    step = pair.begin(T, q0, v0, old).at(T + H, q1, v1, H)
    both_steps(step, expected, False)
    both_rates(pair.rate(T + H, q1, v1, old), twin.rate(frames[1], old.z, old.status))


@pytest.mark.parametrize("master", MASTERS)
@pytest.mark.parametrize("slave", ["rotor", "rotor that spins freely", *DISCS])
def test_sliding(slave, master):
    """Discs and rotors as slaves of Coulomb's sliding friction."""
    body, surface, face, twin, (_, q1, _, v1), frames = scene(slave, master, "sliding")
    normal = LAWS["PenaltyNormal"][0]
    pair = fc.ContactPair(body, surface, face, normal, fc.CoulombSliding(0.4))
    twin.normal = normal
    force = pair.force(T + H, q1, v1)
    same(force, twin.sliding(frames[1], 0.4), "force")
    if master == "spinning" and slave != "disc":
        same(force[:3] + force[-3:], np.zeros(3), "balance", np.abs(force).max())


def test_all_kinds_of_status_occur():
    """The comparison sees open, sticking and sliding points."""
    found = set()
    for slave, master in PAIRS:
        _, twin, _, frames, old = case(slave, master, "PenaltyNormal", "eulerian")
        found |= set(twin.step(*frames, old.z, old.status, old.slip_totals, H, T)[2].tolist())
    assert found == {OPEN, STICK, SLIP}
