"""Tangents at kinks are one-sided derivatives, of the side that docs/laws.md names for each law.

`edge` finds a kink to the last bit: the last number on one side and the first one on the other. The
tangents there must be the one-sided differences into the two sides, to 1e-7 of the block norm.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fecontact.contact import (
    AreaFriction,
    ContactModuli,
    ElastoPlastic,
    FrictionTable,
    HertzPatch,
    HertzPoint,
    JKRContact,
    KelvinLayer,
    MindlinFriction,
    PenaltyNormal,
    PlanarFriction,
    PowerNormal,
    RegularisedCoulomb,
    SolidLayer,
    Stribeck,
    TableNormal,
    dahl,
    dupont,
    lugre,
)
from fecontact.contact.laws.bristles import Bristles
from fecontact.contact.laws.kelvin_layer import TOUCH
from fecontact.contact.status import SLIP, STICK

SEEDS = st.integers(0, 10**6)
H = 0.05
BEND = np.array([812.0, -3132.0, 5265.0, -5080.0, 2970.0, -972.0, 137.0]) / 360.0
CURVE = Stribeck(0.3, 0.5, 0.5)
BALL = HertzPoint(ContactModuli(100.0, 0.3), 1.0)


def half_powers(value, step=1e-2):
    """Slope of value(t) at t = 0 into t > 0, of a value with an expansion in powers of sqrt(t)."""
    values = [np.ravel(value((k * step) ** 2)) for k in range(7)]
    return BEND @ np.array(values) / step**2


def agree(found, slope, scale=0.0):
    """To 1e-7 of the block norm, or of a larger one."""
    size = max(np.linalg.norm(slope), np.linalg.norm(found), scale)
    assert np.abs(np.ravel(slope) - found).max() <= 1e-7 * size


def edge(holds, inside, outside):
    """Last number at which a condition holds, and the next, at which it does not."""
    assert holds(inside)
    assert not holds(outside)
    while True:
        middle = 0.5 * (inside + outside)
        if middle in (inside, outside):
            return inside, outside
        inside, outside = (middle, outside) if holds(middle) else (inside, middle)


NORMAL = {
    "penalty": PenaltyNormal(3.0, 0.2),
    "undamped": PenaltyNormal(3.0),
    "linear power": PowerNormal(3.0, 1.0, hunt_crossley=0.4, root_damping=0.3),
    "square": PowerNormal(3.0, 2.0, hunt_crossley=0.4),
    "cubic": PowerNormal(3.0, 3.0, hunt_crossley=0.4, root_damping=0.3),
    "table": TableNormal(np.array([0.0, 0.4, 1.0]), np.array([0.0, 0.5, 3.0]), 0.1),
    "solid": SolidLayer(3.0, 2.0, 0.1),
    "kelvin": KelvinLayer(3.0, 0.2),
}


def pressures(law, form, z, before):
    """Pressure, its slopes by gap and rate, at a gap and a rate."""

    def at(gap, rate):
        state = (np.array([x]) for x in (z, before, gap, rate))
        if form == "step":
            end = law.step(*state, H)
            return end.pressure, end.by_gap, end.by_rate
        z_, _, gap_, rate_ = state
        if form == "rate":
            end = law.rate(z_, gap_, rate_)
            return end.pressure, *end.pressure_by[:2]
        return law.pressure(gap_, rate_)

    return at


@pytest.mark.parametrize("name", NORMAL)
@settings(max_examples=15)
@given(seed=SEEDS)
def test_normal_laws_take_the_closed_side(name, seed, one_sided):
    """Where a point touches, and where the damper takes the last pressure of a pressed one."""
    law, rng = NORMAL[name], np.random.default_rng(seed)
    z, before, depth = rng.uniform(0.0, 0.2), rng.uniform(-0.2, 0.2), rng.uniform(0.3, 1.0)
    forms = ("step", "rate") if name in ("solid", "kelvin") else ()
    for form in ("rest", *forms):
        at = pressures(law, form, z, before)
        speed = rng.uniform(-0.5, 0.1)
        last, first = edge(lambda g: at(g, speed)[1][0] != 0.0, -depth, 0.5)  # noqa: B023
        least = np.abs(at(-depth, speed)[1][0])
        agree(one_sided(lambda t: at(last - t, speed)[0]), -at(last, speed)[1], least)  # noqa: B023
        agree(one_sided(lambda t: at(first + t, speed)[0]), at(first, speed)[1])  # noqa: B023
        if at(-depth, 0.0)[2] == 0.0:
            continue  # no damper
        last, first = edge(lambda v: at(-depth, v)[2][0] != 0.0, -1.0, 100.0)  # noqa: B023
        agree(one_sided(lambda t: at(-depth, last - t)[0]), -at(-depth, last)[2])  # noqa: B023
        agree(one_sided(lambda t: at(-depth, first + t)[0]), at(-depth, first)[2])  # noqa: B023


@pytest.mark.parametrize("name", [x for x in NORMAL if x not in ("square", "cubic")])
def test_a_touching_point_at_rest_is_closed(name, one_sided):
    """g = 0 and g' = 0 exactly, with the stiffness of the contact: Newton's method sees it."""
    law = NORMAL[name]
    for form in ("rest", "step", "rate") if name in ("solid", "kelvin") else ("rest",):
        at = pressures(law, form, 0.0, 0.0)
        value, by_gap, by_rate = at(0.0, 0.0)
        agree(one_sided(lambda t: at(-t, 0.0)[0]), -by_gap)  # noqa: B023
        agree(one_sided(lambda t: at(0.0, -t)[0]), -by_rate)  # noqa: B023
        assert value == 0.0
        assert by_gap < 0.0


@pytest.mark.parametrize("knot", [0.4, 1.0])
def test_a_facing_has_one_slope_at_its_knots(knot, one_sided):
    law, still = NORMAL["table"], np.zeros(1)
    slope = law.pressure(np.array([-knot]), still)[1]
    for side in (1.0, -1.0):
        found = one_sided(lambda t: law.pressure(np.array([side * t - knot]), still)[0])  # noqa: B023
        agree(found, side * slope)


@pytest.mark.parametrize("name", ["solid", "kelvin"])
def test_layers_that_part_are_closed(name, one_sided):
    """By the state and by the gap, at the state at which a layer leaves the other surface."""
    law, gap, still = NORMAL[name], -0.2, np.array([-0.1])
    at = lambda z, gap: law.rate(np.array([z]), np.array([gap]), still)  # noqa: E731
    last, first = edge(lambda z: at(z, gap).pressure_by[0][0] != 0.0, 0.1, 2.0)
    exact = 0.2 * 5.0 / 2.0 if name == "solid" else 0.2 / (1.0 - TOUCH)
    assert last == pytest.approx(exact, rel=1e-12)
    for z, way in ((last, -1.0), (first, 1.0)):
        by = at(z, gap)
        for value, slopes in (("pressure", by.pressure_by), ("z_rate", by.z_rate_by)):
            by_z = one_sided(lambda t: getattr(at(z + way * t, gap), value))  # noqa: B023
            agree(by_z, way * slopes[2], scale=1.0)
            by_gap = one_sided(lambda t: getattr(at(z, gap + way * t), value))  # noqa: B023
            agree(by_gap, way * slopes[0], scale=1.0)


@pytest.mark.parametrize("rate", [0.0, -0.5])
def test_hertz_touches_without_stiffness(rate):
    """p ~ d^(3/2): the slope is 0 at g = 0, also with Hunt and Crossley's damper."""
    law, moves = PowerNormal(3.0, 1.5, hunt_crossley=0.4), np.array([rate])
    _, by_gap, by_rate = law.pressure(np.zeros(1), moves)
    agree(half_powers(lambda t: law.pressure(np.array([-t]), moves)[0]), by_gap, scale=3.0)
    assert by_gap == by_rate == 0.0


def test_adhesion_takes_the_closed_side_where_it_bonds_and_the_open_one_where_it_breaks(one_sided):
    """At g = 0 the force jumps. At the fold its slope has no bound, beyond it is 0."""
    contact = JKRContact(ContactModuli(800.0, 0.3), 1.0, 0.05)
    law, d, z = contact.law(0.03), contact.touching_approach, np.array([0.7])
    for form in ("step", "rate"):
        at = pressures(law, form, z[0], -0.1 * d)
        force = lambda t: at(-d * t, 0.0)[0]  # noqa: B023, E731
        agree(half_powers(force), -d * at(0.0, 0.0)[1])
        last = -contact.break_approach
        found = one_sided(lambda t: at(last + d * t, 0.0)[0])  # noqa: B023
        agree(found, d * at(last, 0.0)[1], scale=np.abs(at(last, 0.0)[0][0]))
        assert at(last, 0.0)[1] == 0.0
        assert np.abs(at((1.0 - 1e-9) * last, 0.0)[1]) > 1e3 * np.abs(at(0.0, 0.0)[1])


FRICTION = {
    "elasto-plastic": ElastoPlastic(0.4, 1.3, 0.2),
    "undamped": ElastoPlastic(0.4, 1.3),
    "stribeck": ElastoPlastic(CURVE, 1.3, 0.2),
    "mindlin": MindlinFriction(BALL, CURVE, 5.0, 0.25),
}


def friction_state(rng):
    """Elastic slip, slip velocity, pressure and dx in a plane, as one vector, and a line of it."""
    x, line = rng.normal(size=(2, 10))
    x[[2, 5, 9]] = line[[2, 5, 9]] = 0.0
    return np.r_[x[:6], abs(x[6]) + 0.5, x[7:]], line


def answers(law, form, status, x):
    """Traction (or traction and rate) of a form at a state, its status and its tangents."""
    z, slip, p, shift = x[None, :3], x[None, 3:6], x[6:7], x[None, 7:]
    if form == "step":
        step, by = law.step(z, slip, p, status, H, shift), law.d_step(z, slip, p, status, H, shift)
        return step.traction, step.status[0], [by]
    rates, by = law.rate(z, slip, p, status), law.d_rate(z, slip, p, status)
    return np.column_stack([rates.traction, rates.z_rate]), rates.status[0], by


def along(tangents, line):
    """Change of the answers along a line of the state."""
    changes = []
    for by in tangents:
        change = by.by_z[0] @ line[:3] + by.by_slip[0] @ line[3:6] + by.by_pressure[0] * line[6]
        changes.append(change if by.by_shift is None else change + by.by_shift[0] @ line[7:])
    return np.concatenate(changes)


def compare_sides(law, form, status, x, line, sticks, one_sided):
    """Tangent against the one-sided differences along the ways of a line that stick, or slide."""
    places = 1e-3 * np.arange(1, 7)[:, None] * line
    _, _, by = answers(law, form, status, x)
    scale = max(np.linalg.norm(t.by_z[0]) for t in by) * np.linalg.norm(line)
    found = 0
    for way in (1.0, -1.0):
        statuses = {answers(law, form, status, y)[1] for y in x + way * places}
        if statuses == {STICK if sticks else SLIP}:
            slope = one_sided(lambda t: answers(law, form, status, x + way * t * line)[0], 1e-3)  # noqa: B023
            agree(slope, way * along(by, line), scale)
            found += 1
    return found


@pytest.mark.parametrize("form", ["step", "rate"])
@pytest.mark.parametrize("name", FRICTION)
@settings(max_examples=15)
@given(seed=SEEDS)
def test_both_sides_of_the_friction_limit(name, form, seed, one_sided):
    """The kink |a| = mu p belongs to stick; less pressure by 1e-12 gives the tangent of slip.

    |a| in a law and in its tangent may differ in the last bit.
    """
    law, rng = FRICTION[name], np.random.default_rng(seed)
    if form == "rate" and law.damping == 0.0:
        return
    (x, line), status = friction_state(rng), rng.choice([STICK, SLIP], 1)
    loaded = lambda p: np.r_[x[:6], p, x[7:]]  # noqa: E731
    sticks = lambda p: answers(law, form, status, loaded(p))[1] == STICK  # noqa: E731
    last, first = edge(sticks, 1e9, 1e-9)
    assume(last > 0.1)
    found, line = 0, 0.05 * line
    for p, side in ((last * (1.0 + 1e-12), True), (first * (1.0 - 1e-12), False)):
        found += compare_sides(law, form, status, loaded(p), line, side, one_sided)
    assert found > 0


@pytest.mark.parametrize("form", ["step", "rate"])
@given(seed=SEEDS, k=st.integers(-3, 3))
def test_the_friction_limit_belongs_to_stick(form, seed, k, one_sided):
    """|a| = mu p without round-off: sides of 3, 4 and 5, factors of two."""
    law, status, way = ElastoPlastic(0.5, 2.0, 0.5), np.array([STICK]), np.array([3.0, 4.0, 0.0])
    _, line = friction_state(np.random.default_rng(seed))
    x = np.r_[way, 2.0 * way, 30.0, np.zeros(3)] * 2.0**k
    assert np.linalg.norm(2.0 * x[:3] + 0.5 * x[3:6]) == 0.5 * x[6]
    assert answers(law, form, status, x)[1] == STICK
    assume(compare_sides(law, form, status, x, 2.0**k * line, True, one_sided) > 0)


def test_a_point_that_just_touches_sticks(one_sided):
    """p = 0 and z = s = 0: the tangent is that of lines along which the point sticks."""
    law, rng, status = FRICTION["elasto-plastic"], np.random.default_rng(1), np.array([STICK])
    for form in ("step", "rate"):
        _, line = friction_state(rng)
        line[6] = 1.1 * np.linalg.norm(law.stiffness * line[:3] + law.damping * line[3:6]) / law.mu
        _, _, by = answers(law, form, status, np.zeros(10))
        found = one_sided(lambda t: answers(law, form, status, t * line)[0])  # noqa: B023
        agree(found, along(by, line))
        assert np.linalg.norm(found) > 0.1


@pytest.mark.parametrize("law", [RegularisedCoulomb(CURVE, 0.2), Bristles(CURVE, 1.3, viscous=0.1)])
def test_drag_grows_with_the_pressure_from_zero(law, one_sided):
    """By p at p = 0, of laws without stick: the side of the closed contact."""
    x, line, status = np.zeros(10), np.eye(10)[6], np.array([STICK])
    x[3:5] = 0.3, -0.4
    _, _, by = answers(law, "rate", status, x)
    found = one_sided(lambda t: answers(law, "rate", status, x + t * line)[0][:, :3])
    agree(found, along(by[:1], line))
    assert np.linalg.norm(found) > 0.04


TABLE = FrictionTable(
    np.array([0.0, 0.5, 2.0]), np.array([[0.5, 0.4, 0.3], [0.3, 0.2, 0.4], [0.35, 0.3, 0.1]]),
    np.array([1.0, 2.0, 4.0]),
)  # fmt: skip


@pytest.mark.parametrize("speed", TABLE.speeds)
@pytest.mark.parametrize("pressure", TABLE.pressures)
def test_tables_take_the_side_of_higher_speed_and_pressure(speed, pressure, one_sided):
    """At all knots, the ends too, beyond which the coefficient is constant."""
    at = lambda v, p: TABLE.values(np.array([v]), np.array([p]), np.array([SLIP]))  # noqa: E731
    _, by_speed, by_pressure = at(speed, pressure)
    agree(one_sided(lambda t: at(speed + t, pressure)[0]), by_speed, 0.1)
    agree(one_sided(lambda t: at(speed, pressure + t)[0]), by_pressure, 0.1)
    law, status = ElastoPlastic(TABLE, 1.3, 0.2), np.array([SLIP])
    x = np.r_[3.0, 0.0, 0.0, speed, 0.0, 0.0, pressure, np.zeros(3)]
    line = np.r_[0.3, 0.2, 0.0, 0.7, 0.0, 0.0, 0.5, np.zeros(3)]
    if speed > 0.0:
        _, _, by = answers(law, "step", status, x)
        agree(one_sided(lambda t: answers(law, "step", status, x + t * line)[0]), along(by, line))


AT_REST = {
    "dahl": dahl(CURVE, 1.3),
    "lugre": lugre(CURVE, 1.3, 0.2, 0.1),
    "dupont": dupont(CURVE, 1.3, 0.2, 0.1, onset=0.3, decay=0.6),
    "elasto-plastic": FRICTION["stribeck"],
    "mindlin": FRICTION["mindlin"],
    "arctan": RegularisedCoulomb(CURVE, 0.2),
    "tanh": RegularisedCoulomb(CURVE, 0.2, "tanh"),
}
SMOOTH, MEAN = ("arctan", "tanh"), ("dahl", "lugre", "elasto-plastic", "mindlin")


@pytest.mark.parametrize("form", ["step", "rate"])
@pytest.mark.parametrize("name", AT_REST)
@given(seed=SEEDS)
@settings(max_examples=20)
def test_points_at_rest(name, form, seed, one_sided):
    """s = 0 and dx = 0 of a loaded point: |s| and |dx| have a kink.

    Regularised friction has none. Dupont's bristles are those that unload. The others have the mean
    of the sides along a line and against it: the laws change by |s|, which no tangent can.
    """
    law, rng = AT_REST[name], np.random.default_rng(seed)
    (x, line), status = friction_state(rng), np.array([SLIP])
    x[3:6] = x[7:] = line[:3] = line[6] = 0.0
    x[:3] *= 0.3 * x[6] / np.linalg.norm(x[:3]) * (30.0 if name in MEAN[2:] else 1.0)
    line[3:6] = line[7:]  # dx and s go the same way
    line *= -np.sign(x[:3] @ line[3:6])
    there, _, by = answers(law, form, status, x)
    slope = along(by, line)
    unload, load = (
        one_sided(lambda t, way=way: answers(law, form, status, x + way * t * line)[0], 1e-3)
        for way in (1.0, -1.0)
    )
    scale = max(np.linalg.norm(t.by_slip[0]) for t in by) + np.linalg.norm(slope)
    # the difference quotient sums 28 times the round-off of the answers, over its step
    scale = max(scale, 28.0 * np.finfo(float).eps / 1e-3 * np.abs(there).max() / 1e-7)
    if name in MEAN:
        agree(0.5 * (unload - load), slope, scale)
    else:
        agree(unload, slope, scale)
    if name in SMOOTH:
        agree(-load, slope, scale)
    else:
        assert np.linalg.norm(unload + load) > 1e-3 * np.linalg.norm(unload - load)


def test_a_loaded_patch_at_rest_unloads(one_sided):
    """Above its onset; loading it has another slope."""
    law = PlanarFriction(AreaFriction(HertzPatch(0.1), 0.5), 50.0, 2.0, onset=0.3, decay=0.6)
    kappa, way = np.array([5e-3, 2e-3, 0.01]), np.array([-0.3, 0.1, -2.0])
    by = law.tangent(kappa, np.zeros(3), 1.0)
    unload, load = (
        one_sided(lambda t, sign=sign: law.rate(kappa, sign * t * way, 1.0).force)
        for sign in (1.0, -1.0)
    )
    agree(unload, by.force_by_twist @ way)
    assert np.linalg.norm(unload + load) > 0.1 * np.linalg.norm(unload)
