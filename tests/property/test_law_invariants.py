"""Every invariant that docs/laws.md declares, on random states of random laws."""

from __future__ import annotations

import inspect
import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import get_type_hints

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from skfem import Mesh

import fecontact.contact
from fecontact.body import DOFS, RigidBody
from fecontact.contact import ContactHistory, ContactPair, Plane, RigidFace, Surface
from fecontact.contact.evaluate.compiled import points as compiled_points
from fecontact.contact.laws.adhesion import JKRContact, JKRNormal
from fecontact.contact.laws.bristles import Bristles, dahl, dupont, lugre
from fecontact.contact.laws.coefficient import Coulomb, Stribeck, friction_limit
from fecontact.contact.laws.elasto_plastic import ElastoPlastic
from fecontact.contact.laws.kelvin_layer import KelvinLayer
from fecontact.contact.laws.mindlin import MindlinFriction
from fecontact.contact.laws.penalty import PenaltyNormal
from fecontact.contact.laws.power import PowerNormal
from fecontact.contact.laws.registry import FRICTION as REGISTERED_FRICTION
from fecontact.contact.laws.registry import NORMAL as REGISTERED_NORMAL
from fecontact.contact.laws.registry import SLIDING
from fecontact.contact.laws.regularised import RegularisedCoulomb
from fecontact.contact.laws.sliding import CoulombSliding
from fecontact.contact.laws.solid_layer import SolidLayer
from fecontact.contact.laws.table import TableNormal
from fecontact.contact.patch.area import AreaFriction, gauge
from fecontact.contact.patch.flat import AnnulusPatch, HertzPatch, PointPatch, Rectangle
from fecontact.contact.patch.hertz import ContactModuli, HertzPoint
from fecontact.contact.patch.planar import PlanarFriction
from fecontact.contact.status import SLIP, STICK

DOC = Path(__file__).parents[2] / "docs" / "laws.md"
SEEDS = st.integers(0, 10**6)
H = 0.05
MU, C = 0.4, 100.0


def size(low, high):
    """A number between two powers of ten."""
    return st.floats(low, high).map(lambda x: 10.0**x)


NUMBERS = st.floats(0.05, 1.2)
RISES = st.tuples(NUMBERS, st.floats(0.0, 0.5))
CURVES = NUMBERS | st.builds(lambda mu, v: Stribeck(mu[0], sum(mu), v), RISES, size(-2, 0))
STATIC = CURVES | RISES.map(lambda mu: Coulomb(mu[0], sum(mu)))
ONSETS = st.floats(0.05, 0.9)
SPRINGS, DAMPERS = size(1, 4), st.just(0.0) | size(-2, 1)
PATCHES = st.sampled_from([HertzPatch(0.1), AnnulusPatch(0.05, 0.1)])
BALLS = st.builds(
    lambda E, R: HertzPoint(ContactModuli(E, 0.3), R), size(2, 4), st.floats(0.1, 1.0)
)


@st.composite
def duponts(draw):
    """Any onset, with a decay up to the largest that dissipates."""
    onset = draw(ONSETS)
    decay = draw(st.floats(0.1, 1.0)) / (1.0 - onset)
    return dupont(draw(CURVES), draw(SPRINGS), draw(DAMPERS), draw(DAMPERS), onset, decay)


@st.composite
def planars(draw):
    onset, friction = draw(ONSETS), AreaFriction(draw(PATCHES), draw(CURVES))
    decay = draw(st.floats(0.1, 1.0)) / (1.0 - onset)
    return PlanarFriction(friction, draw(SPRINGS), draw(DAMPERS), onset, decay)


FRICTION = {
    "ElastoPlastic": st.builds(ElastoPlastic, STATIC, SPRINGS, DAMPERS),
    "dupont": duponts(),
    "dahl": st.builds(dahl, CURVES, SPRINGS),
    "lugre": st.builds(lugre, CURVES, SPRINGS, DAMPERS, DAMPERS),
    "RegularisedCoulomb": st.builds(
        RegularisedCoulomb, CURVES, size(-3, 0), st.sampled_from(["arctan", "tanh"])
    ),
    "CoulombSliding": st.builds(CoulombSliding, STATIC),
    "MindlinFriction": st.builds(MindlinFriction, BALLS, STATIC, size(-1, 1), DAMPERS),
    "AreaFriction": st.builds(
        AreaFriction, PATCHES | st.builds(Rectangle, st.just(0.2), size(-2, 0)), STATIC, DAMPERS
    ),
    "PlanarFriction": planars(),
}
TABLES = st.lists(st.floats(0.1, 5.0), min_size=4, max_size=4).map(
    lambda x: (1e-3 * np.cumsum([0.0, *x[:2]]), np.cumsum([0.0, *x[2:]]))
)
NORMAL = {
    "PenaltyNormal": st.builds(PenaltyNormal, size(2, 4), DAMPERS),
    "PowerNormal": st.builds(PowerNormal, size(4, 5), st.floats(1.0, 2.0), DAMPERS, DAMPERS),
    "TableNormal": st.builds(lambda table, b: TableNormal(*table, b), TABLES, DAMPERS),
    "SolidLayer": st.builds(SolidLayer, size(2, 4), size(2, 4), size(-3, 1)),
    "KelvinLayer": st.builds(KelvinLayer, size(2, 4), size(-1, 2)),
    "JKRNormal": st.builds(
        lambda E, gamma, time: JKRContact(ContactModuli(E, 0.3, np.inf), 0.5, gamma).law(time),
        size(4, 6), size(-2, 0), st.sampled_from([1e-6, 1e-2]),
    ),
}  # fmt: skip


def declared(title):
    """Pairs (law, invariant) with a yes in the table under a title of the page."""
    return [
        (row[0], name)
        for names, row in table(title)
        for name, cell in zip(names, row[1:], strict=True)
        if cell == "yes"
    ]


def table(title):
    """Names of the columns, with each row of the table under a title of the page."""
    section = DOC.read_text(encoding="utf-8").split(f"## {title}\n")[1].split("\n## ")[0]
    rows = [
        [cell.strip().strip("`") for cell in line.strip("|").split("|")]
        for line in section.splitlines()
        if line.startswith("|")
    ]
    return [(rows[0][1:], row) for row in rows[2:]]


def test_every_registered_law_is_drawn():
    """Laws of the registry, and those of whole patches."""
    assert set(FRICTION) == {*REGISTERED_FRICTION, *SLIDING, "AreaFriction", "PlanarFriction"}
    assert set(NORMAL) == set(REGISTERED_NORMAL)


def points(law, seed, steady=False, closed=False, count=30):
    """Bristles inside the friction limit of another pressure, slips, pressures, some open, status.

    `steady`: inside the limit of this pressure. `closed`: no point is open.
    """
    rng = np.random.default_rng(seed)
    pressure, before = np.maximum(0.2 if closed else 0.0, rng.normal(0.7, 1.0, (2, count)))
    slip = directions(rng, count) * 10.0 ** rng.uniform(-3, 0, (count, 1))
    status = rng.choice([STICK, SLIP], count)
    before = pressure if steady else before
    limit = friction_limit(law.coefficient, slip, before, status)[0]
    c = np.zeros(count) if isinstance(law, CoulombSliding) else law.bristle(before)[0]
    reach = np.where(c > 0.0, limit / np.where(c > 0.0, c, 1.0), 0.0)
    z = directions(rng, count) * (rng.uniform(0, 1, count) * reach)[:, None]
    return z, slip, pressure, status


def directions(rng, count):
    angle = rng.uniform(0, 2 * np.pi, count)
    return np.column_stack([np.cos(angle), np.sin(angle), np.zeros(count)])


def forms(law, z, slip, pressure, status):
    """Tractions of a step, of the rate form and of steady sliding, as far as the law has them."""
    if isinstance(law, CoulombSliding):
        return [law.traction(pressure, slip)[0]]
    step = law.step(z + H * slip, slip, pressure, status, H)
    return [step.traction, law.rate(z, slip, pressure, status).traction]


def bare(law):
    """Bristles without damper and viscous part, a patch without viscous part."""
    if isinstance(law, Bristles | PlanarFriction):
        law = replace(law, damping=0.0)
    return replace(law, viscous=0.0) if isinstance(law, Bristles | AreaFriction) else law


def patch_state(law, seed):
    """Twist of any ratio of slip and spin, a normal force, for the planar law a deflection."""
    rng = np.random.default_rng(seed)
    twist = rng.normal(size=3) * np.array([1.0, 1.0, 10.0 ** rng.uniform(-1, 3)])
    N = rng.uniform(0.5, 2.0)
    if isinstance(law, AreaFriction):
        return np.zeros(3), twist, N
    load = rng.normal(size=3) * np.array([1.0, 1.0, 10.0 ** rng.uniform(-3, 0)])
    load *= rng.uniform(0.0, 1.5) * law.friction.limit(twist, N)[0] / law.curve.gauge(load)[0]
    return load / (law.stiffness * law.shape), twist, N


def within_the_limit(law, seed, steady=False):
    law = bare(law)
    if isinstance(law, AreaFriction):
        _, twist, N = patch_state(law, seed)
        force = law.sliding(twist, N)
        assert gauge(law.patch, force.value)[0] <= force.limit * (1 + 1e-9)
        return
    state = points(law, seed, steady)
    status = np.full_like(state[3], SLIP) if isinstance(law, CoulombSliding) else state[3]
    limit = friction_limit(law.coefficient, *state[1:3], status)[0]
    for traction in forms(law, *state):
        assert np.all(np.linalg.norm(traction, axis=1) <= limit * (1 + 1e-12))


def dissipates(law, seed):
    """The work of friction covers the change of the stored energy; slip work is not negative.

    Long steps of bristles with a decay above 1 keep the first only.
    """
    law = bare(law)
    if isinstance(law, AreaFriction):
        _, twist, N = patch_state(law, seed)
        assert law.sliding(twist, N).value @ twist < 0.0
    elif isinstance(law, PlanarFriction):
        kappa, twist, N = patch_state(law, seed)
        rates, load = law.rate(kappa, twist, N), law.stiffness * law.shape * kappa
        lost = -rates.force @ twist - load @ rates.z_rate
        assert min(lost, rates.power) >= -1e-11 * np.abs(load) @ np.abs(twist)
    elif isinstance(law, CoulombSliding):
        _, slip, pressure, status = points(law, seed)
        assert np.all(np.sum(law.traction(pressure, slip)[0] * slip, axis=1) <= 0.0)
    else:
        z, slip, pressure, status = points(law, seed)
        c = law.stiffness
        step, dx = law.step(z + H * slip, slip, pressure, status, H), H * slip
        given = -np.sum(step.traction * dx, axis=1)
        gained = 0.5 * c * (np.sum(step.z**2, axis=1) - np.sum(z**2, axis=1))
        tiny = 1e-13 * (np.abs(given) + c * np.sum(z**2 + dx**2, axis=1))
        assert np.all(given - gained >= -tiny)
        assert np.all(step.work >= -tiny) or getattr(law, "decay", 1.0) > 1.0
        rates = law.rate(z, slip, pressure, status)
        if rates.z_rate is not None:
            given = -np.sum(rates.traction * slip, axis=1)
            gained = c * np.sum(z * rates.z_rate, axis=1)
            tiny = 1e-13 * (np.abs(given) + np.abs(gained))
            assert np.all(np.minimum(rates.power, given - gained) >= -tiny)


def turns_with_the_frame(law, seed):
    angle = np.random.default_rng(seed).uniform(0, 2 * np.pi)
    c, s = np.cos(angle), np.sin(angle)
    R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    if isinstance(law, PlanarFriction):
        kappa, twist, N = patch_state(law, seed)
        turned, plain = law.rate(R @ kappa, R @ twist, N).force, law.rate(kappa, twist, N).force
        np.testing.assert_allclose(turned, R @ plain, atol=1e-9 * np.abs(plain).max())
    elif isinstance(law, AreaFriction):
        _, twist, N = patch_state(law, seed)
        at, _ = some_points(seed)
        plain, turned = (sliding(law, xy, twist_now, N) for xy, twist_now in
                         ((at, twist), (at @ R[:2, :2].T, R @ twist)))  # fmt: skip
        np.testing.assert_allclose(turned, R @ plain, atol=1e-10 * np.abs(plain).max())
    else:
        z, slip, pressure, status = points(law, seed)
        plain = forms(law, z, slip, pressure, status)
        turned = forms(law, z @ R.T, slip @ R.T, pressure, status)
        for a, b in zip(turned, plain, strict=True):
            np.testing.assert_allclose(a, b @ R.T, atol=1e-11 * np.abs(b).max())


def some_points(seed, count=20):
    """Places of a patch of points, and another order of them."""
    rng = np.random.default_rng(seed)
    return 0.1 * rng.normal(size=(count, 2)), rng.permutation(count)


def sliding(law, at, twist, N):
    """Friction of a patch of points with the coefficient of a law."""
    weights = 1.0 + np.sin(np.linalg.norm(at, axis=1))
    return replace(law, patch=PointPatch(at, weights)).sliding(twist, N).value


def any_order(law, seed):
    """Of the points of a surface, or of a patch of points."""
    if isinstance(law, AreaFriction):
        _, twist, N = patch_state(law, seed)
        at, order = some_points(seed)
        plain, mixed = sliding(law, at, twist, N), sliding(law, at[order], twist, N)
        np.testing.assert_allclose(mixed, plain, atol=1e-12 * np.abs(plain).max())
        return
    state = points(law, seed)
    order = np.random.default_rng(seed).permutation(len(state[0]))
    mixed = forms(law, *(x[order] for x in state))
    for a, b in zip(mixed, forms(law, *state), strict=True):
        np.testing.assert_allclose(a, b[order], rtol=1e-13, atol=1e-15 * np.abs(b).max())


def no_drift(law, seed, below_the_limit):
    """Random cycles of a load below the limit (and the onset); a million in test_drift.py."""
    rng = np.random.default_rng(seed)
    if isinstance(law, PlanarFriction):
        _, twist, N = patch_state(law, seed)
        load, limit = rng.normal(size=3), law.friction.limit(twist, N)[0]
        load *= rng.uniform(0, 0.99) * law.onset * limit / law.curve.gauge(load)[0]
        kappa = load / (law.stiffness * law.shape)
        np.testing.assert_array_equal(law.rate(kappa, twist, N).z_rate, twist)
        return
    assert np.abs(drift(law, below_the_limit(law, seed))).max() < 1e-9


def drift(law, loads, cycles=20):
    """Way per load/c over cycles of a load that turns, after four in which its damper settles.

    The body has no mass: it moves so that spring, damper and drag carry the load.
    """
    z, x, first, load = np.zeros((1, 3)), np.zeros(3), np.zeros(3), np.ones(1)
    (c, b), status = (value.item() for value in law.bristle(load)), np.array([STICK])
    b += getattr(law, "viscous", 0.0)
    h = b / c if b > 0.0 else 1.0
    for k in range((cycles + 4) * len(loads)):
        dx = (np.r_[loads[k % len(loads)], 0.0] - c * z[0]) / (c + b / h)
        step = law.step(z + dx, dx[None] / h, load, status, h, dx[None])
        z, status, x = step.z, step.status, x + dx
        first = x if k + 1 == 4 * len(loads) else first
    return (x - first) * c / np.abs(loads).max()


def compare(value, slopes, difference):
    """Slopes (p, k) of a function of t against its differences over t of 1 and of 1/2.

    A difference that changes with its step has crossed a kink and says nothing; most must not.
    """
    tall, half = (
        difference(lambda t: np.ravel(value(t[0])), np.zeros(1), [x]).reshape(slopes.shape)
        for x in (1.0, 0.5)
    )
    least = 1e-12 * np.abs(value(0.0)).reshape(slopes.shape).max(axis=1)
    room = np.abs(slopes).max(axis=1) + np.abs(tall).max(axis=1)
    smooth = np.abs(tall - half).max(axis=1) <= 1e-8 * room + least
    assert np.mean(smooth) > 0.5
    assert np.all((np.abs(slopes - tall).max(axis=1) <= 1e-7 * room + least)[smooth])


def along(tangent, lines):
    """Change (p, 3) of a vector along lines of z, slip, pressure and shift."""
    z, slip, pressure, shift = lines
    change = np.einsum("pij,pj->pi", tangent.by_z, z)
    change += np.einsum("pij,pj->pi", tangent.by_slip, slip) + tangent.by_pressure * pressure
    if tangent.by_shift is not None:
        change += np.einsum("pij,pj->pi", tangent.by_shift, shift)
    return change


def exact_tangents(law, seed, difference):
    if isinstance(law, AreaFriction | PlanarFriction):
        patch_tangents(law, seed, difference)
        return
    z, slip, pressure, status = points(law, seed, closed=True)
    rng = np.random.default_rng(seed)
    shift = H * slip * rng.uniform(0.5, 1.5, (len(z), 1))
    state = (z + shift, slip, pressure[:, None], shift)
    for i, x in enumerate(state):
        lines = [np.zeros_like(y) for y in state]
        lines[i] = 1e-3 * np.linalg.norm(x, axis=1)[:, None] * rng.normal(size=x.shape)
        lines[i][:, 2:] = 0.0  # along the surface

        def moved(t, lines=lines):
            a, b, p, c = (y + t * line for y, line in zip(state, lines, strict=True))
            return a, b, p[:, 0], c

        point_tangents(law, moved, status, lines, difference)


def point_tangents(law, moved, status, lines, difference):
    """Derivatives of all forms of a law along lines of its arguments."""
    z, slip, pressure, shift = moved(0.0)
    if isinstance(law, CoulombSliding):
        _, by_pressure, by_slip = law.traction(pressure, slip)
        exact = np.einsum("pij,pj->pi", by_slip, lines[1]) + by_pressure * lines[2]
        compare(lambda t: law.traction(*moved(t)[2:0:-1])[0], exact, difference)
        return

    def step(t):
        z, slip, pressure, shift = moved(t)
        return law.step(z, slip, pressure, status, H, shift).traction

    by = law.d_step(z, slip, pressure, status, H, shift)
    compare(step, along(by, lines), difference)
    if isinstance(law, ElastoPlastic | MindlinFriction) and law.damping == 0.0:
        return  # no continuous form
    traction, rate = law.d_rate(z, slip, pressure, status)
    rates = lambda t: law.rate(*moved(t)[:3], status)  # noqa: E731
    compare(lambda t: rates(t).traction, along(traction, lines), difference)
    compare(lambda t: rates(t).z_rate, along(rate, lines), difference)


def patch_tangents(law, seed, difference):
    """By deflection, twist and normal force, of some states at once."""
    states = [patch_state(law, seed + 10**7 * k) for k in range(8)]
    rng = np.random.default_rng(seed)
    for i in range(3):
        lines = [1e-4 * np.asarray(x[i]) * rng.normal(size=np.shape(x[i])) for x in states]

        def at(t, i=i, lines=lines):
            for state, line in zip(states, lines, strict=True):
                yield tuple(x + t * line if k == i else x for k, x in enumerate(state))

        if isinstance(law, PlanarFriction):
            for what in ("force", "z_rate"):
                name = f"{what}_by_{('kappa', 'twist', 'normal')[i]}"
                by = [getattr(law.tangent(*x), name) for x in states]
                exact = [np.dot(a, line) for a, line in zip(by, lines, strict=True)]
                compare(lambda t, what=what: np.array([getattr(law.rate(*x), what) for x in at(t)]),
                        np.array(exact), difference)  # fmt: skip
        elif i > 0:
            name = "by_twist" if i == 1 else "by_normal"
            by = [getattr(law.sliding(*x[1:]), name) for x in states]
            exact = [np.dot(a, line) for a, line in zip(by, lines, strict=True)]
            value = lambda t: np.array([law.sliding(*x[1:]).value for x in at(t)])  # noqa: E731
            compare(value, np.array(exact), difference)


def pushes(law, seed):
    gaps, rates, h = paths(law, seed)
    assert np.all(pressures(law, gaps, rates, h) >= 0.0)


def closed_path_costs_work(law, seed):
    """To the error of the quadrature, in shares of the work that flows in and out."""
    gaps, rates, h = paths(law, seed)
    p = pressures(law, gaps, rates, h)
    work = -0.5 * (p[1:] + p[:-1]) * np.diff(gaps, axis=0)
    assert np.all(work.sum(axis=0) >= -1e-4 * np.abs(work).sum(axis=0))


def depth_of(law):
    """Length in m over which a law changes."""
    return 2.5 * law.contact.touching_approach if isinstance(law, JKRNormal) else 1e-3


def paths(law, seed, steps=2000, count=8, end=1.0):
    """Smooth closed paths (t, path) of the gap with open parts, their rates, the time step."""
    rng = np.random.default_rng(seed)
    t = np.linspace(0.0, end, steps + 1)[:, None, None]
    k = np.arange(1, 5) * 2 * np.pi / end
    cos, sin = depth_of(law) * rng.normal(size=(2, count, 4)) / np.arange(1, 5)
    gaps = np.sum(cos * np.cos(k * t) + sin * np.sin(k * t), axis=-1)
    rates = np.sum(k * (sin * np.cos(k * t) - cos * np.sin(k * t)), axis=-1)
    rows = (np.argmax(gaps, axis=0) + np.arange(steps + 1)[:, None]) % steps  # open at the start
    return *(np.take_along_axis(x, rows, axis=0) for x in (gaps, rates)), end / steps


def pressures(law, gaps, rates, h):
    if not bool(law.states):
        return law.pressure(gaps, rates)[0]
    z, values = np.zeros(gaps.shape[1]), np.zeros_like(gaps)
    for i in range(1, len(gaps)):
        step = law.step(z, gaps[i - 1], gaps[i], rates[i], h)
        z, values[i] = step.z, step.pressure
    return values


def pressed(law, seed, count=40):
    """States of a layer, gaps before and now, and rates, near touching."""
    rng, d = np.random.default_rng(seed), depth_of(law)
    z = rng.uniform(0.0, 1.0, count) * (1.0 if isinstance(law, JKRNormal) else d)
    before, gap = d * rng.normal(-0.5, 1.0, (2, count))
    return z, before, gap, d / H * 10.0 ** rng.uniform(-2, 0, count) * rng.choice([-1, 1], count)


def exact_normal_tangents(law, seed, difference):
    """And the pressure at rest is the slope of the energy."""
    z, before, gap, rate = pressed(law, seed)
    line = 1e-4 * depth_of(law) * np.random.default_rng(seed).uniform(0.5, 1.0, len(gap))
    faster, bent = line / H, 1e-4 * np.maximum(z, 1e-3 * z.max())
    rest = law.pressure(gap, 0.0 * rate)[0]
    check = lambda value, slope: compare(value, slope[:, None], difference)  # noqa: E731
    check(lambda t: law.energy(gap + t * line), -rest * line)
    _, by_gap, by_rate = law.pressure(gap, rate)
    check(lambda t: law.pressure(gap + t * line, rate)[0], by_gap * line)
    check(lambda t: law.pressure(gap, rate + t * faster)[0], by_rate * faster)
    if not bool(law.states):
        return
    step, rates = law.step(z, before, gap, rate, H), law.rate(z, gap, rate)
    check(lambda t: law.step(z, before, gap + t * line, rate, H).pressure, step.by_gap * line)
    check(lambda t: law.step(z, before, gap, rate + t * faster, H).pressure, step.by_rate * faster)
    for name, by in (("pressure", rates.pressure_by), ("z_rate", rates.z_rate_by)):
        value = lambda *x, name=name: getattr(law.rate(*x), name)  # noqa: E731
        check(lambda t, f=value: f(z, gap + t * line, rate), by[0] * line)
        check(lambda t, f=value: f(z, gap, rate + t * faster), by[1] * faster)
        check(lambda t, f=value: f(z + t * bent, gap, rate), by[2] * bent)


def any_normal_order(law, seed):
    state = pressed(law, seed)
    order = np.random.default_rng(seed).permutation(len(state[0]))

    def values(z, before, gap, rate):
        yield from law.pressure(gap, rate)
        if bool(law.states):
            step = law.step(z, before, gap, rate, H)
            yield from (step.pressure, step.z, law.rate(z, gap, rate).z_rate)

    for a, b in zip(values(*(x[order] for x in state)), values(*state), strict=True):
        np.testing.assert_allclose(a, b[order], rtol=1e-13, atol=1e-15 * np.abs(b).max())


def pressed_pair(normal, friction, seed, count):
    """Two free bodies with points near touching, coordinates before and after a step, history."""
    rng, d = np.random.default_rng(seed), depth_of(normal)
    places = rng.uniform(-0.3, 0.3, (count, 3))
    places[:, 2] = d * rng.normal(-0.5, 1.0, count)
    bodies = [RigidBody(name, 1.0, DOFS, (0.1, 0.12, 0.15)) for name in ("slave", "master")]
    surface = Surface(places, rng.uniform(0.5, 1.0, count))
    pair = ContactPair(bodies[0], surface, RigidFace(bodies[1], Plane()), normal, friction)
    start = [b.move(b.reference(), d * rng.normal(size=6)) for b in bodies]
    end = [b.move(q, d * rng.normal(size=6)) for b, q in zip(bodies, start, strict=True)]
    z = np.column_stack([d * rng.normal(size=(count, 3)), rng.uniform(0.0, d, count)])
    history = ContactHistory(z[:, : pair.columns], rng.choice([STICK, SLIP], count),
                             np.zeros((count, 2)))  # fmt: skip
    return pair, np.concatenate(start), np.concatenate(end), d / H * rng.normal(size=12), history


def pair_of(law, seed, count=6):
    """Pair with a friction law or a normal law, and a common one beside it."""
    if is_normal(type(law)):
        return pressed_pair(law, ElastoPlastic(MU, C, 0.3), seed, count)
    return pressed_pair(PenaltyNormal(1000.0, 1.0), law, seed, count)


def action_equals_reaction(law, seed):
    """Force and moment about the origin, on both bodies together."""
    pair, q0, q, v, history = pair_of(law, seed)
    if isinstance(law, CoulombSliding):
        force = pair.force(0.0, q, v)
    else:
        force = pair.begin(0.0, q0, v, history).at(0.0, q, v, H).force
    total, moment = np.zeros((2, 3))
    for body, x, part in zip(pair.bodies, np.split(q, 2), np.split(force, 2), strict=True):
        total += part[:3]
        moment += np.cross(x[:3], part[:3]) + body.rotation(x) @ part[3:]
    assert max(np.abs(total).max(), np.abs(moment).max()) <= 1e-12 * np.abs(force).max()


def any_threads(law, seed):
    """Forces, history and tangents of two blocks of points or more, bit by bit."""
    pair, q0, q, v, history = pair_of(law, seed, count=300)
    results = []
    for number in (1, 2, 3):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(compiled_points, "THREADS", number)
            patch.setattr(compiled_points, "THREADED_FROM", 1)
            step = pair.begin(0.0, q0, v, history).at(0.0, q, v, H)
            results.append((*step.found, *step.tangents()))
    for other in results[1:]:
        for a, b in zip(results[0], other, strict=True):
            np.testing.assert_array_equal(a, b)


TANGENTS = "tangents exact"
FRICTION_CHECKS = {
    "T within mu N": within_the_limit,
    "T within mu N, N constant": partial(within_the_limit, steady=True),
    "dissipates": dissipates,
    "no drift": no_drift,
    "turns with the frame": turns_with_the_frame,
    TANGENTS: exact_tangents,
    "any order of points": any_order,
    "action = reaction": action_equals_reaction,
    "any threads": any_threads,
}
NORMAL_CHECKS = {
    "N >= 0": pushes,
    "dissipates": closed_path_costs_work,
    TANGENTS: exact_normal_tangents,
    "any order of points": any_normal_order,
    "action = reaction": action_equals_reaction,
    "any threads": any_threads,
}


@settings(max_examples=25)
@given(data=st.data(), seed=SEEDS)
@pytest.mark.parametrize(("law", "invariant"), declared("Friction laws"))
def test_friction(law, invariant, data, seed, difference, below_the_limit):
    extra = {TANGENTS: (difference,), "no drift": (below_the_limit,)}.get(invariant, ())
    FRICTION_CHECKS[invariant](data.draw(FRICTION[law]), seed, *extra)


@settings(max_examples=10)
@given(data=st.data(), seed=SEEDS)
@pytest.mark.parametrize(("law", "invariant"), declared("Normal laws"))
def test_normal(law, invariant, data, seed, difference):
    extra = (difference,) if invariant == TANGENTS else ()
    NORMAL_CHECKS[invariant](data.draw(NORMAL[law]), seed, *extra)


def exported(is_law):
    """Names of the laws of the package: classes, and functions that make one not exported."""
    kinds = {name: getattr(fecontact.contact, name) for name in fecontact.contact.__all__}
    classes = [kind for kind in kinds.values() if inspect.isclass(kind)]
    found = set()
    for name, kind in kinds.items():
        made = kind
        if inspect.isfunction(kind):  # meshes are named for type checkers alone
            made = get_type_hints(kind, localns={"Mesh": Mesh}).get("return")
        own = made is kind or made not in classes
        if inspect.isclass(made) and own and not getattr(made, "_is_protocol", False):
            found |= {name} if is_law(made) else set()
    return found


BASES = ("NormalLaw", "FrictionLaw")


def is_friction(kind):
    if kind.__name__ in BASES or kind.__name__ in ("ContactRate", "ContactStep"):
        return False
    return hasattr(kind, "traction") or kind.__name__.endswith("Friction")


def is_normal(kind):
    return kind.__name__ not in BASES and hasattr(kind, "pressure") and hasattr(kind, "energy")


@pytest.mark.parametrize(
    ("title", "laws", "checks", "is_law"),
    [
        ("Friction laws", FRICTION, FRICTION_CHECKS, is_friction),
        ("Normal laws", NORMAL, NORMAL_CHECKS, is_normal),
    ],
)
def test_all_laws_are_listed(title, laws, checks, is_law):
    """The tables have the laws that the package exports, and a column for each check."""
    rows = table(title)
    assert {row[0] for _, row in rows} == exported(is_law) == set(laws)
    assert rows[0][0] == list(checks)
    assert {cell for _, row in rows for cell in row[1:]} <= {"yes", "no", "-"}


def test_every_exported_name_is_documented():
    """On some page, as code; what the package exports a user may ask about."""
    pages = "\n".join(page.read_text(encoding="utf-8") for page in DOC.parent.glob("*.md"))
    code = re.findall(r"`[^`\n]+`|^>>> .*$|^\.\.\. .*$", pages.replace("```", ""), re.MULTILINE)
    known = set(re.findall(r"\w+", " ".join(code)))
    assert set(fecontact.contact.__all__) - known == set()


def test_the_law_of_the_package_has_all_invariants():
    kept = {name for law, name in declared("Friction laws") if law == "ElastoPlastic"}
    assert kept == set(FRICTION_CHECKS)


@pytest.mark.parametrize(
    ("law", "worst"), [(dahl(MU, C), 9.0), (dupont(MU, C), 9.0), (lugre(MU, C, 0.0), 9.0),
                       (ElastoPlastic(MU, C), 1.0), (ElastoPlastic(MU, C, 0.3), 1.0)],
    ids=["dahl", "dupont", "lugre", "elasto-plastic", "damped elasto-plastic"],
)  # fmt: skip
def test_pressure_that_falls(law, worst):
    """A bristle at 0.9 mu p when p falls to a tenth: only a law that yields at once lets go."""
    z, slip = np.array([[0.9 * MU / C, 0.0, 0.0]]), np.array([[1e-6, 0.0, 0.0]])
    for traction in forms(law, z, slip, np.array([0.1]), np.array([STICK])):
        assert -traction[0, 0] / (0.1 * MU) == pytest.approx(worst, rel=0.01)
