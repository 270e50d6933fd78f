"""What every law of the registry must keep, whatever it is: one run over all of them."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path

import numpy as np
import pytest

import fecontact.contact.laws
from fecontact.contact.laws.base import (
    Coefficient,
    FrictionLaw,
    NormalLaw,
    SlidingLaw,
    history_states,
    history_width,
)
from fecontact.contact.laws.registry import COEFFICIENT, FRICTION, NORMAL, SLIDING
from fecontact.contact.status import OPEN, SLIP, STICK

PAGE = (Path(__file__).parents[2] / "docs" / "laws.md").read_text(encoding="utf-8")
H, COUNT = 0.01, 24
FORMS = [
    (name, form)
    for name, law in NORMAL.items()
    for form in (("rest", "step", "rate") if law.states else ("rest",))
]


def depth_of(law):
    """Length over which a normal law changes."""
    return 2.0 * law.contact.touching_approach if hasattr(law, "contact") else 3e-3


def touching(law, seed=0):
    """Gaps, rates, gaps before, and internal variables (p, m) of pressed and open points."""
    rng, depth = np.random.default_rng(seed), depth_of(law)
    gap, before = depth * rng.uniform(-1.0, 0.5, (2, COUNT))
    size = 1.0 if hasattr(law, "contact") else depth
    return (
        gap,
        0.1 * rng.standard_normal(COUNT),
        before,
        size * rng.uniform(0, 1, (COUNT, law.width)),
    )


def rubbing(law, seed=0):
    """Internal variables (p, k), slip, pressure and status of pressed points."""
    rng = np.random.default_rng(seed)
    angles = rng.uniform(0.0, 2.0 * np.pi, (2, COUNT))
    around, ahead = (np.column_stack([np.cos(a), np.sin(a), 0.0 * a]) for a in angles)
    z = 2e-3 * rng.uniform(0.1, 1.5, (COUNT, 1)) * around
    others = rng.uniform(0.0, 1.0, (COUNT, law.width - 3))
    slip = rng.uniform(0.02, 0.5, (COUNT, 1)) * ahead
    return (
        np.column_stack([z, others]),
        slip,
        rng.uniform(0.5, 3.0, COUNT),
        rng.integers(1, 3, COUNT),
    )


def agrees(value, slope, difference):
    """Slopes (p, ...) along t against differences of two steps, where these see no kink."""
    shape = slope.reshape(len(slope), -1).shape
    tall, half = (
        difference(lambda t: np.ravel(value(t[0])), np.zeros(1), [x])[:, 0].reshape(shape)
        for x in (1.0, 0.5)
    )
    found = slope.reshape(shape)
    size = np.abs(found).max(axis=1) + np.abs(tall).max(axis=1)
    least = 1e-12 * np.abs(value(0.0)).max()
    smooth = np.abs(tall - half).max(axis=1) <= 1e-8 * size + least
    assert smooth.mean() > 0.5
    assert np.all((np.abs(found - tall).max(axis=1) <= 1e-7 * size + least)[smooth])


def half_powers(value, step=1e-2):
    """Slope of value(t) at t = 0 into t > 0, of a value with an expansion in powers of sqrt(t)."""
    stencil = np.array([812.0, -3132.0, 5265.0, -5080.0, 2970.0, -972.0, 137.0]) / 360.0
    return stencil @ np.array([np.ravel(value((k * step) ** 2)) for k in range(7)]) / step**2


def edge(holds, inside, outside):
    """Last number at which a condition holds, and the first at which it does not."""
    assert holds(inside)
    assert not holds(outside)
    while True:
        middle = 0.5 * (inside + outside)
        if middle in (inside, outside):
            return inside, outside
        inside, outside = (middle, outside) if holds(middle) else (inside, middle)


def test_every_law_is_registered():
    """All classes of laws in the room have an example; bases have none."""
    known = {type(law) for law in (*NORMAL.values(), *FRICTION.values(), *SLIDING.values(),
                                   *COEFFICIENT.values())}  # fmt: skip
    bases = {Coefficient, NormalLaw, FrictionLaw, SlidingLaw}
    found = set()
    for module in pkgutil.iter_modules(fecontact.contact.laws.__path__):
        for kind in vars(importlib.import_module(f"fecontact.contact.laws.{module.name}")).values():
            if isinstance(kind, type) and issubclass(kind, tuple(bases)):
                found.add(kind)
    assert found - bases == known


@pytest.mark.parametrize("name", [*NORMAL, *FRICTION, *SLIDING])
def test_row_in_the_documentation(name):
    assert f"\n| `{name}` |" in PAGE


@pytest.mark.parametrize("name", COEFFICIENT)
def test_coefficient_in_the_documentation(name):
    assert name in PAGE


@pytest.mark.parametrize("normal", NORMAL)
@pytest.mark.parametrize("friction", FRICTION)
def test_states_are_the_columns_of_the_history(normal, friction):
    laws = NORMAL[normal], FRICTION[friction]
    states = history_states(*laws)
    assert sum(state.size for state in states) == history_width(*laws)
    assert (
        laws[0].step(np.zeros((2, laws[0].width)), *np.zeros((3, 2)), H).z.shape[1] == laws[0].width
    )
    z, slip, pressure, status = rubbing(laws[1])
    assert laws[1].step(z, slip, pressure, status, H).z.shape[1] == laws[1].width


@pytest.mark.parametrize(("name", "form"), FORMS)
def test_tangents_of_normal_laws(name, form, difference):
    law = NORMAL[name]
    gap, rate, before, state = touching(law)
    size = 1e-3 * depth_of(law)

    def at(gap, rate):
        if form == "rest":
            return law.pressure(gap, rate)
        if form == "step":
            end = law.step(state, before, gap, rate, H)
            return end.pressure, end.by_gap, end.by_rate
        now = law.rate(state, gap, rate)
        return now.pressure, now.pressure_by[0], now.pressure_by[1]

    agrees(lambda t: at(gap + t * size, rate)[0], size * at(gap, rate)[1], difference)
    agrees(lambda t: at(gap, rate + t * 1e-3)[0], 1e-3 * at(gap, rate)[2], difference)
    if form == "rate":
        unit = 1e-3 * (1.0 if hasattr(law, "contact") else depth_of(law))
        now = law.rate(state, gap, rate)
        for j in range(law.width):
            line = np.zeros_like(state)
            line[:, j] = unit
            agrees(lambda t, line=line: law.rate(state + t * line, gap, rate).z_rate,
                   unit * now.z_rate_by[2][:, :, j], difference)  # fmt: skip
            agrees(lambda t, line=line: law.rate(state + t * line, gap, rate).pressure,
                   unit * now.pressure_by[2][:, j], difference)  # fmt: skip
        agrees(lambda t: law.rate(state, gap + t * size, rate).z_rate, size * now.z_rate_by[0],
               difference)  # fmt: skip


@pytest.mark.parametrize("name", FRICTION)
def test_tangents_of_friction_laws(name, difference):
    """By every internal variable, slip, pressure and shift, over a step and in continuous time."""
    law = FRICTION[name]
    z, slip, pressure, status = rubbing(law)
    shift = H * slip

    def stepped(t, part, line):
        moved = {"z": z, "slip": slip, "pressure": pressure, "shift": shift}
        moved[part] = moved[part] + t * line
        return law.step(moved["z"], moved["slip"], moved["pressure"], status, H, moved["shift"])

    by = law.d_step(z, slip, pressure, status, H, shift)
    for part, slopes, size in (
        ("z", by.by_z, 1e-6), ("slip", by.by_slip, 1e-5), ("shift", by.by_shift, 1e-6)
    ):  # fmt: skip
        for j in range(2):
            line = np.zeros_like({"z": z}.get(part, slip))
            line[:, j] = size
            agrees(lambda t, part=part, line=line: stepped(t, part, line).traction,
                   size * slopes[:, :, j], difference)  # fmt: skip
    agrees(lambda t: stepped(t, "pressure", 1e-4).traction, 1e-4 * by.by_pressure, difference)
    if law.rateless:
        return
    of = dict(zip(("traction", "z_rate"), law.d_rate(z, slip, pressure, status), strict=True))
    for part, tangent in of.items():
        for j in [0, 1, *range(3, law.width)]:
            line = np.zeros_like(z)
            line[:, j] = 1e-6
            agrees(lambda t, part=part, line=line: getattr(
                law.rate(z + t * line, slip, pressure, status), part), 1e-6 * tangent.by_z[:, :, j],
                difference)  # fmt: skip
        agrees(lambda t, part=part: getattr(law.rate(z, slip, pressure + t * 1e-4, status), part),
               1e-4 * tangent.by_pressure, difference)  # fmt: skip


@pytest.mark.parametrize("name", [name for name in NORMAL if name != "JKRNormal"])
def test_tangent_where_a_point_leaves(name):
    """At the last gap with a slope and at the first without, each that of its own side.

    The slope of a bond that breaks has no bound there; see test_kinks.py.
    """
    law, depth = NORMAL[name], depth_of(NORMAL[name])

    def at(gap):
        end = law.step(np.full((1, law.width), 0.3 * depth), np.array([-depth]), np.array([gap]),
                       np.zeros(1), H)  # fmt: skip
        return end.pressure, end.by_gap

    if not law.states:
        at = lambda gap: law.pressure(np.array([gap]), np.zeros(1))[:2]  # noqa: E731
    last, first = edge(lambda gap: at(gap)[1][0] != 0.0, -depth, depth)
    scale = abs(at(-depth)[1][0])
    unit = 1e-3 * depth
    inside = half_powers(lambda t: at(last - t * unit)[0])
    assert abs(inside[0] + unit * at(last)[1][0]) <= 1e-7 * unit * scale
    assert abs(half_powers(lambda t: at(first + t * unit)[0])[0]) <= 1e-7 * unit * scale
    assert at(first)[1][0] == 0.0


@pytest.mark.parametrize("name", FRICTION)
def test_tangent_where_a_point_lets_go(name, one_sided):
    """Along a growing elastic slip, on both sides of the switch from stick to slip."""
    law, still = FRICTION[name], np.zeros((1, 3))
    others, p, status = np.zeros((1, law.width - 3)), np.ones(1), np.array([STICK])
    shift = np.array([[1e-6, 0.0, 0.0]])

    def at(x):
        z = np.column_stack([[[x, 0.0, 0.0]], others])
        return law.step(z, still, p, status, H, shift), law.d_step(z, still, p, status, H, shift)

    if at(1e-6)[0].status[0] != STICK:
        assert name in ("dahl", "lugre", "RegularisedCoulomb")  # these never stick
        return
    last, first = edge(lambda x: at(x)[0].status[0] == STICK, 1e-6, 1.0)
    size = np.abs(at(1e-6)[1].by_z).max()
    unit = 1e-2 * last
    inside = one_sided(lambda t: at(last - t * unit)[0].traction)
    outside = one_sided(lambda t: at(first + t * unit)[0].traction)
    np.testing.assert_allclose(-inside, unit * at(last)[1].by_z[0, :, 0], atol=1e-7 * unit * size)
    np.testing.assert_allclose(outside, unit * at(first)[1].by_z[0, :, 0], atol=1e-7 * unit * size)


@pytest.mark.parametrize("name", FRICTION)
def test_open_points_and_frames(name):
    """An open point carries nothing; turning everything turns the traction and nothing else."""
    law = FRICTION[name]
    z, slip, pressure, status = rubbing(law)
    apart = law.step(z, slip, -pressure, np.full(COUNT, OPEN), H)
    assert not apart.traction.any()
    assert not apart.work.any()
    assert np.all(apart.status == OPEN)
    plain = law.step(z, slip, pressure, status, H)
    c, s = np.cos(0.7), np.sin(0.7)
    R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    turned = law.step(np.column_stack([z[:, :3] @ R.T, z[:, 3:]]), slip @ R.T, pressure, status, H)
    size = np.abs(plain.traction).max()
    np.testing.assert_allclose(turned.traction, plain.traction @ R.T, atol=1e-13 * size)
    np.testing.assert_allclose(turned.work, plain.work, atol=1e-13 * np.abs(plain.work).max())
    np.testing.assert_array_equal(turned.status, plain.status)


@pytest.mark.parametrize("name", NORMAL)
def test_pressure_is_the_slope_of_the_energy(name, difference):
    law = NORMAL[name]
    gap, unit = touching(law)[0], 1e-3 * depth_of(law)
    rest = law.pressure(gap, np.zeros(COUNT))[0]
    agrees(lambda t: law.energy(gap + t * unit), -unit * rest, difference)


@pytest.mark.parametrize("name", COEFFICIENT)
def test_slopes_of_coefficients(name, difference):
    law, rng = COEFFICIENT[name], np.random.default_rng(2)
    speed, pressure = rng.uniform(0.05, 0.9, COUNT), rng.uniform(0.6, 3.5, COUNT)
    for status in (STICK, SLIP):
        status = np.full(COUNT, status)
        _, by_speed, by_pressure = law.values(speed, pressure, status)
        agrees(lambda t, m=status: law.values(speed + t * 1e-4, pressure, m)[0],
               1e-4 * by_speed, difference)  # fmt: skip
        agrees(lambda t, m=status: law.values(speed, pressure + t * 1e-4, m)[0],
               1e-4 * by_pressure, difference)  # fmt: skip
