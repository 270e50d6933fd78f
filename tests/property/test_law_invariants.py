"""Every invariant that docs/laws.md declares, on random states."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from fecontact.contact._bristle_kernels import bristle_step
from fecontact.contact._kernels import return_map
from fecontact.contact.adhesion import JKRContact
from fecontact.contact.area import AreaFriction, gauge
from fecontact.contact.bristles import dahl, dupont, lugre
from fecontact.contact.elasto_plastic import ElastoPlastic
from fecontact.contact.hertz import ElasticPair, HertzPoint
from fecontact.contact.layer import KelvinLayer, NormalMemory, SolidLayer
from fecontact.contact.mindlin import MindlinFriction
from fecontact.contact.normal import PenaltyNormal, PowerNormal, TableNormal
from fecontact.contact.patch import HertzPatch, PointPatch, Rectangle
from fecontact.contact.planar import PlanarFriction
from fecontact.contact.regularised import RegularisedCoulomb

DOC = Path(__file__).parents[2] / "docs" / "laws.md"
SEEDS = st.integers(0, 10**6)
MU, C = 0.4, 100.0
FRICTION = {
    "ElastoPlastic": ElastoPlastic(MU, C, 0.3),
    "dupont": dupont(MU, C, onset=0.7, decay=0.6),
    "dahl": dahl(MU, C),
    "lugre": lugre(MU, C, 2.0, 0.1),
    "RegularisedCoulomb": RegularisedCoulomb(MU, 0.01),
    "MindlinFriction": MindlinFriction(HertzPoint(ElasticPair(300.0, 0.3), 0.5), MU, 1.0, 0.05),
    "AreaFriction": AreaFriction(Rectangle(0.2, 0.1), MU),
    "PlanarFriction": PlanarFriction(AreaFriction(HertzPatch(0.1), MU), C, onset=0.5),
}
NORMAL = {
    "PenaltyNormal": PenaltyNormal(1e3, 20.0),
    "PowerNormal": PowerNormal(3e4, 1.5, hunt_crossley=5.0, root_damping=0.2),
    "TableNormal": TableNormal(np.array([0, 1e-3, 3e-3]), np.array([0, 1.0, 8.0]), 10.0),
    "SolidLayer": SolidLayer(1e3, 2e3, 0.1),
    "KelvinLayer": KelvinLayer(1e3, 20.0),
    "JKRNormal": JKRContact(ElasticPair(2e5, 0.3, np.inf), 0.5, 0.2).law(),
}
CREEPS = ("dahl", "ElastoPlastic", "dupont")


def declared(title):
    """Pairs (law, invariant) with a yes in the table under a title of the page."""
    section = DOC.read_text(encoding="utf-8").split(f"## {title}\n")[1].split("\n## ")[0]
    rows = [
        [cell.strip().strip("`") for cell in line.strip("|").split("|")]
        for line in section.splitlines()
        if line.startswith("|")
    ]
    return [
        (row[0], name)
        for row in rows[2:]
        for name, cell in zip(rows[0][1:], row[1:], strict=True)
        if cell == "yes"
    ]


def points(seed, count=30):
    """Deflections inside the friction limit, slips and pressures, some open."""
    rng = np.random.default_rng(seed)
    flat = np.array([1.0, 1.0, 0.0])
    pressure = np.maximum(0.0, rng.normal(0.7, 1.0, count))
    z, slip = rng.normal(size=(count, 3)) * flat, 0.3 * rng.normal(size=(count, 3)) * flat
    z *= (rng.uniform(0, 1, count) * MU * pressure / C / np.linalg.norm(z, axis=1))[:, None]
    return z, slip, pressure, rng.integers(1, 3, count)


def patch_state(law, seed):
    """Twist of any ratio of slip and spin, and for the planar law a deflection."""
    rng = np.random.default_rng(seed)
    twist = rng.normal(size=3) * np.array([1.0, 1.0, 10.0 ** rng.uniform(-1, 3)])
    kappa = 5e-3 * rng.normal(size=3) * np.array([1.0, 1.0, 10.0])
    return kappa, twist, rng.uniform(0.5, 2.0)


def within_the_limit(law, seed):
    if isinstance(law, AreaFriction):
        _, twist, N = patch_state(law, seed)
        assert gauge(law.patch, law.sliding(twist, N).value)[0] <= MU * N * (1 + 1e-9)
        return
    z, slip, pressure, mode = points(seed)
    step = law.step(z + 0.05 * slip, slip, pressure, mode, 0.05)
    for form in (step, law.flow(z, slip, pressure, mode)):
        assert np.all(np.linalg.norm(form.traction, axis=1) <= MU * pressure * (1 + 1e-12))


def dissipates(law, seed):
    if isinstance(law, AreaFriction):
        _, twist, N = patch_state(law, seed)
        assert law.sliding(twist, N).value @ twist < 0.0
    elif isinstance(law, PlanarFriction):
        kappa, twist, N = patch_state(law, seed)
        power = law.flow(kappa, twist, N).power
        assert power >= -1e-12 * np.abs(C * law.shape * kappa) @ np.abs(twist)
    else:
        z, slip, pressure, mode = points(seed)
        step = law.step(z + 0.05 * slip, slip, pressure, mode, 0.05)
        assert np.all(step.work >= -1e-15)
        assert np.all(law.flow(z, slip, pressure, mode).power >= -1e-15)


def turns_with_the_frame(law, seed):
    angle = np.random.default_rng(seed).uniform(0, 2 * np.pi)
    c, s = np.cos(angle), np.sin(angle)
    R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    if isinstance(law, PlanarFriction):
        kappa, twist, N = patch_state(law, seed)
        turned, plain = law.flow(R @ kappa, R @ twist, N).force, law.flow(kappa, twist, N).force
        np.testing.assert_allclose(turned, R @ plain, atol=1e-9)
    elif isinstance(law, AreaFriction):
        _, twist, N = patch_state(law, seed)
        xy = 0.1 * np.random.default_rng(seed).normal(size=(20, 2))
        plain, turned = (PointPatch(at, np.ones(20)) for at in (xy, xy @ R[:2, :2].T))
        force = AreaFriction(turned, MU).sliding(R @ twist, N).value
        expected = R @ AreaFriction(plain, MU).sliding(twist, N).value
        np.testing.assert_allclose(force, expected, atol=1e-10)
    else:
        z, slip, pressure, mode = points(seed)
        for form in (law.flow, partial(law.step, h=0.05)):
            turned = form(z @ R.T, slip @ R.T, pressure, mode).traction
            plain = form(z, slip, pressure, mode).traction
            np.testing.assert_allclose(turned, plain @ R.T, atol=1e-12)


def no_drift(law, seed):
    """Random cycles of a load below the limit (and the onset)."""
    rng = np.random.default_rng(seed)
    if isinstance(law, PlanarFriction):
        load = rng.normal(size=3)
        load *= rng.uniform(0, 0.49) * MU / law.curve.gauge(load)[0]
        twist = rng.normal(size=3)
        np.testing.assert_array_equal(law.flow(load / (C * law.shape), twist, 1.0).rate, twist)
        return
    low, high = np.sort(rng.uniform(-0.65, 0.65, 2))
    if isinstance(law, MindlinFriction):
        assert abs(pulled_point(law, low, high, 20, 16)) < 1e-12
        return
    kind = CREEPS.index("ElastoPlastic" if isinstance(law, ElastoPlastic) else "dupont")
    assert abs(pulled(kind, C, MU, low, high, 1000, 16)) < 1e-12


def pulled_point(law, low, high, cycles, steps):
    """As `pulled`, under a constant normal force, by the law itself."""
    z, x, first, still, load = np.zeros((1, 3)), 0.0, 0.0, np.zeros((1, 3)), np.ones(1)
    for k in range((cycles + 1) * steps):
        wave = 0.5 - 0.5 * np.cos(2.0 * np.pi * (k + 1) / steps)
        dx = MU * (low + (high - low) * wave) / law.bristle(load)[0] - z[0, 0]
        trial = z + np.array([[dx.item(), 0.0, 0.0]])
        z = law.step(trial, still, load, np.ones(1, int), 1.0).z
        x += dx.item()
        first = x if k + 1 == steps else first
    return x - first


def pushes(law, seed):
    gaps, rates, h = path(seed)
    assert np.all(pressures(law, gaps, rates, h) >= 0.0)


def closed_path_costs_work(law, seed):
    gaps, rates, h = path(seed)
    p = pressures(law, gaps, rates, h)
    memory = isinstance(law, NormalMemory)
    mean = p[1:] if memory else 0.5 * (p[1:] + p[:-1])
    assert -mean @ np.diff(gaps) >= -2e-6  # J/m^2 of quadrature; a path takes 2e-4 to 1e-2


def path(seed, steps=2000, end=1.0):
    """Smooth closed path of the gap with open parts, its rates, and the time step."""
    rng = np.random.default_rng(seed)
    t = np.linspace(0.0, end, steps + 1)
    k = np.arange(1, 5)[:, None] * 2 * np.pi / end
    cos, sin = rng.normal(size=(2, 4)) * 1e-3 / np.arange(1, 5)
    gaps = cos @ np.cos(k * t) + sin @ np.sin(k * t)
    rates = (sin * k[:, 0]) @ np.cos(k * t) - (cos * k[:, 0]) @ np.sin(k * t)
    start = np.argmax(gaps)  # open at the start
    roll = lambda x: np.r_[x[start:-1], x[: start + 1]]  # noqa: E731
    return roll(gaps), roll(rates), end / steps


def pressures(law, gaps, rates, h):
    if not isinstance(law, NormalMemory):
        return law.pressure(gaps, rates)[0]
    z, values = np.zeros(1), [0.0]
    for (before, gap), rate in zip(pairwise(gaps), rates[1:], strict=True):
        step = law.step(z, np.array([before]), np.array([gap]), np.array([rate]), h)
        z = step.z
        values.append(step.pressure.item())
    return np.array(values)


FRICTION_CHECKS = {
    "T within mu N": within_the_limit,
    "dissipates": dissipates,
    "no drift": no_drift,
    "turns with the frame": turns_with_the_frame,
}
NORMAL_CHECKS = {"N >= 0": pushes, "dissipates": closed_path_costs_work}


@settings(max_examples=10)
@given(seed=SEEDS)
@pytest.mark.parametrize(("law", "invariant"), declared("Friction laws"))
def test_friction(law, invariant, seed):
    FRICTION_CHECKS[invariant](FRICTION[law], seed)


@settings(max_examples=3)
@given(seed=SEEDS)
@pytest.mark.parametrize(("law", "invariant"), declared("Normal laws"))
def test_normal(law, invariant, seed):
    NORMAL_CHECKS[invariant](NORMAL[law], seed)


def test_all_laws_are_listed():
    for title, laws in (("Friction laws", FRICTION), ("Normal laws", NORMAL)):
        assert {law for law, _ in declared(title)} == set(laws)


@njit(cache=True)
def pulled(kind, stiffness, limit, low, high, cycles, steps):
    """Way of a massless bristle body over cycles of a load between two shares of mu p.

    A light dashpot makes the body follow its load. `kind`: 0 Dahl, 1 elasto-plastic, 2 Dupont. The
    first cycle, which loads the bristle, does not count.
    """
    z, dx = np.zeros((1, 3)), np.zeros((1, 3))
    traction, work, mode = np.zeros((1, 3)), np.zeros(1), np.zeros(1, dtype=np.int64)
    limits, x, first = np.full(1, limit), 0.0, 0.0
    spring, damper = np.full(1, stiffness), np.zeros(1)
    for cycle in range(cycles + 1):
        for k in range(steps):
            wave = 0.5 - 0.5 * np.cos(2.0 * np.pi * (k + 1) / steps)
            load = limit * (low + (high - low) * wave)
            dx[0, 0] = (load - stiffness * z[0, 0]) / stiffness
            z += dx
            if kind == 1:
                return_map(spring, damper, 1.0, limits, dx, dx, z, traction, work, mode)
            else:
                bristle_step(stiffness, -1.0 if kind == 0 else 0.7, 1.0, limits, dx, z, mode)
            x += dx[0, 0]
        if cycle == 0:
            first = x
    return x - first


def test_drift_of_dahl_per_cycle():
    """A load cycle from f_1 to f_2 moves Dahl's bristle by (mu p/c) ln((1 - f_1^2)/(1 - f_2^2))."""
    exact = MU / C * np.log((1 - 0.2**2) / (1 - 0.8**2))
    errors = [pulled(0, C, MU, 0.2, 0.8, 10, n) / 10 - exact for n in (1000, 2000)]
    assert abs(errors[1]) < 0.02 * exact
    assert errors[1] / errors[0] == pytest.approx(0.5, abs=0.1)


def test_a_million_cycles_below_the_limit():
    """The elasto-plastic law moves by less than a nanometre; Dahl goes more than 3 km."""
    assert abs(pulled(1, C, MU, 0.2, 0.8, 1_000_000, 16)) < 1e-9
    assert pulled(0, C, MU, 0.2, 0.8, 1_000_000, 16) > 3000.0
