"""Systems that take over the items that do not change: the same answers as systems built anew."""

from dataclasses import fields, replace

import numpy as np
import pytest

import fecontact as fc
from fecontact.analysis.stability.map_points import evaluate_points
from fecontact.case.registry import case_names, load_case
from fecontact.errors import InputError
from fecontact.system.family import Family
from fecontact.system.state import State

CASES = sorted(name for name in case_names() if load_case(name)[1].system is not None)


def answers(system, state):
    """Numbers (k,) of all that a steady state and a linearisation ask for, by the program.

    Small systems ask their items in Python unless they are varied, which is the same to the
    round-off of gaps (tests of the programs); here the two are to be the same to the last digits.
    """
    vars(system)["_compiled"] = system._roomy
    rows = system.constraint(state)
    parts = [system.forces(state), *system.evaluate(state), *system.tangents(state),
             system.mass_matrix(state.q), rows.value, rows.jacobian]  # fmt: skip
    return [np.asarray(part) for part in parts]


def agree(found, expected):
    """Compare to round-off of the largest number."""
    for one, two in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-12, atol=1e-12 * np.abs(two).max(initial=0.0))


@pytest.mark.parametrize("name", CASES)
def test_each_parameter_of_a_case_reaches_the_systems_that_take_over(name):
    # the state is that of the first system: nothing but the parameter tells the two apart
    case = load_case(name)[1]
    p = case.parameters
    family, before = Family(case.system), case.system(p)
    if before.full:
        pytest.skip("all unknowns of finite elements: statics only")
    rng = np.random.default_rng(0)
    rest = before.rest()
    v = 1e-3 * rng.standard_normal(before.size)
    state = State(0.01, before.move(rest.q, 1e-7 * rng.standard_normal(before.size)), v)
    changed = 0
    for field in fields(p):
        value = getattr(p, field.name)
        if field.metadata.get("numerical") or not isinstance(value, float):
            continue
        try:
            other = case.system(replace(p, **{field.name: 1.03 * value}))
            expected = answers(other, state) if other.size == before.size else None
        except (InputError, fc.SolverError):
            continue
        if expected is None:
            continue
        agree(answers(family(p), state), answers(before, state))
        agree(answers(family(replace(p, **{field.name: 1.03 * value})), state), expected)
        changed += 1
    if not changed:
        pytest.skip("no system with another value has an answer at this state")


def oscillator(k=100.0, load=(0.0, 0.0, -1.0)):
    """A mass on a spring with a load."""
    body = fc.RigidBody("mass", 1.0, ("uz",))
    return fc.System([body], [fc.Bearing(body, 0.0, k), fc.Force(body, load)])


def test_items_that_do_not_change_are_the_same_objects():
    family = Family(oscillator)
    one, two, three = family(100.0), family(100.0), family(200.0)
    assert all(a is b for a, b in zip(one.items, two.items, strict=True))
    assert [a is b for a, b in zip(one.items, three.items, strict=True)] == [True, False, True]
    assert three.bodies[0] is one.bodies[0]


def test_an_array_written_in_place_is_a_change():
    load = np.array([0.0, 0.0, -1.0])
    family, state = Family(lambda: oscillator(load=load)), oscillator().rest()
    first = family().force(state)[0]
    load[2] = -5.0
    assert (first, family().force(state)[0]) == (-1.0, -5.0)


class Pull(fc.Force):
    """A load of one's own whose size stands on the class."""

    size = 1.0

    def force(self, t, q, v):
        return Pull.size * super().force(t, q, v)


def test_items_from_outside_are_asked_each_time():
    def build():
        body = fc.RigidBody("mass", 1.0, ("uz",))
        return fc.System([body], [Pull(body, (0.0, 0.0, -1.0))])

    family, state = Family(build), build().rest()
    assert family().force(state)[0] == -1.0
    Pull.size = 3.0
    try:
        assert family().force(state)[0] == -3.0
    finally:
        Pull.size = 1.0


def test_points_of_a_map_are_those_of_systems_built_anew():
    disc = fc.load_module("jehle/elastic_disc")
    p = disc.ElasticDisc(harmonics=2)
    model = fc.ritz_harmonic(disc.plate(p), 2)

    def build(load, friction):
        return disc.build(replace(p, load=load, friction=friction), model)

    values = [(load, mu) for mu in (0.2, 0.5) for load in (3000.0, 5000.0)]
    for (x, y), point in zip(values, evaluate_points(build, values, [None] * 4), strict=True):
        modes = fc.operating_point(build(x, y)).modes
        assert point.growth == pytest.approx(modes.leading_growth, rel=1e-8, abs=1e-8)
        assert point.frequency == pytest.approx(modes.leading_frequency, rel=1e-10)
