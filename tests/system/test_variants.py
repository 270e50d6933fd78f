"""Systems with other parameters: the answers of systems built anew, and nothing built twice."""

from dataclasses import replace
from pickle import dumps, loads

import numpy as np
import pytest

import fecontact as fc
from fecontact.analysis.stability.map_points import evaluate_points
from fecontact.errors import InputError
from fecontact.system.state import State
from fecontact.system.variants.family import Family

DISC = fc.load_module("jehle/elastic_disc")
P = DISC.ElasticDisc(harmonics=2)
MODEL = fc.ritz_harmonic(DISC.plate(P), 2)


def disc(**values):
    return DISC.build(replace(P, **values), MODEL)


VARIED = [
    ("bearing.radial_stiffness", 31e6, {"radial_stiffness": 31e6}),
    ("bearing.axial_damping", 7.0, None),
    ("plate.speed", 410.0, {"plate_speed": 410.0}),
    ("plate.damping", 6e-4, {"plate_damping": 6e-4}),
    ("clutch.spin", 280.0, {"clutch_speed": 280.0}),
    ("clutch.mass", 0.6, {"clutch_mass": 0.6}),
    ("force.vector", (0.0, 0.0, -4e3), {"load": 4e3}),
    ("contact.friction.mu", 0.4, {"friction": 0.4}),
]


def answers(system, state):
    """Numbers (k,) of all that a steady state and a linearisation ask for."""
    return [system.forces(state), *system.evaluate(state), system.mass_matrix(state.q)]


def agree(found, expected):
    for one, two in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-12, atol=1e-12 * np.abs(two).max(initial=0.0))


def a_state(system, seed=0):
    rng = np.random.default_rng(seed)
    step = 1e-7 * rng.standard_normal(system.size)
    step[system.coordinates.index("clutch.uz")] = -5e-4  # pressed on the plate
    return State(0.0, system.move(system.rest().q, step), 1e-3 * rng.standard_normal(system.size))


@pytest.mark.parametrize(("path", "value", "built"), VARIED)
def test_each_answer_is_that_of_a_system_built_anew(path, value, built):
    system = disc()
    state = a_state(system)
    before = answers(system, state)
    other = system.with_parameters({path: value})
    if built is not None:
        agree(answers(other, state), answers(disc(**built), state))
    assert any(np.any(a != b) for a, b in zip(answers(other, state), before, strict=True))
    agree(answers(system, state), before)  # and the system is what it was
    agree(answers(system.with_parameters({}), state), before)


def test_any_order_of_values_gives_the_same_systems():
    base = disc()
    state, rng = a_state(base), np.random.default_rng(1)
    made = []
    for _ in range(12):
        speed, mu = rng.choice([350.0, 390.0, 430.0]), rng.choice([0.2, 0.3])
        system = base.with_parameters({"plate.speed": speed, "contact.friction.mu": mu})
        expected = answers(disc(plate_speed=speed, friction=mu), state)
        made.append((system, expected))
        agree(answers(system, state), expected)
    for system, expected in made:  # systems made before go on beside the later ones
        agree(answers(system, state), expected)


def test_only_what_changes_is_made_anew():
    base = disc()
    one = base.with_parameters({"plate.speed": 400.0, "bearing.radial_stiffness": 30e6})
    two = base.with_parameters({"plate.speed": 400.0, "bearing.radial_stiffness": 31e6})
    same = [a is b for a, b in zip(one.items, two.items, strict=True)]
    assert same == [item.name != "bearing" for item in one.items]
    assert one.items[0] is base.items[0]
    assert one.items[1] is not base.items[1]
    assert one.items[-1].master.bodies[0] is one.bodies[1]
    assert one.program.work is two.program.work


def test_a_family_takes_variants_as_they_are():
    base = disc()
    family = Family(lambda speed: base.with_parameters({"plate.speed": speed}))
    assert family(400.0) is base.variants.latest


def test_points_of_a_map_are_those_of_systems_built_anew():
    base = disc()

    def build(c, speed):
        return base.with_parameters({"bearing.radial_stiffness": c, "plate.speed": speed})

    values = [(c, speed) for speed in (380.0, 400.0) for c in (30e6, 32e6)]
    for (c, speed), point in zip(values, evaluate_points(build, values, [None] * 4), strict=True):
        modes = fc.operating_point(disc(radial_stiffness=c, plate_speed=speed)).modes
        assert point.growth == pytest.approx(modes.leading_growth, rel=1e-8, abs=1e-8)
        assert point.frequency == pytest.approx(modes.leading_frequency, rel=1e-10)


def test_constraints_and_layouts_change_too():
    body = fc.RigidBody("rotor", 1.0, ("rz",), inertia=(1.0, 1.0, 1.0))
    drive = fc.PrescribedMotion(fc.DofCoordinate(body, "rz"), fc.Speed(3.0), name="drive")
    system = fc.System([body], [drive, fc.TorsionSpring(None, body, 5.0, name="spring")])
    faster = system.with_parameters({"drive.law": fc.Speed(4.0), "spring.stiffness": 6.0})
    rate = [one.constraint(one.rest()).rate[0] for one in (system, faster)]
    assert rate == [-3.0, -4.0]
    wider = system.with_parameters({"rotor.dofs": ("ux", "rz")})
    assert wider.coordinates == ("rotor.ux", "rotor.rz")


def test_what_is_worked_out_with_a_law_does_not_stay():
    body = fc.RigidBody("mass", 1.0, ("ux",))
    spring = fc.SpringDamper(None, body, 10.0, name="spring", point_a=(1.0, 0.0, 0.0))
    system = fc.System([body], [spring])
    state = State(0.0, np.array([0.1]), np.array([0.5]))
    before = spring.force(0.0, state.q, state.v)
    other = system.with_parameters({"spring.stiffness": 20.0, "spring.damping": 3.0})
    anew = fc.SpringDamper(None, body, 20.0, 3.0, name="spring", point_a=(1.0, 0.0, 0.0))
    assert other.items[1].force(0.0, state.q, state.v) == anew.force(0.0, state.q, state.v)
    np.testing.assert_allclose(other.force(state), anew.force(0.0, state.q, state.v), rtol=1e-14)
    np.testing.assert_allclose(system.force(state), before, rtol=1e-14)


def test_a_variant_goes_to_other_processes():
    body = fc.RigidBody("mass", 1.0, ("ux",))
    base = fc.System([body], [fc.Force(body, (1.0, 0.0, 0.0))])
    system = base.with_parameters({"force.vector": (3.0, 0.0, 0.0)})
    state = State(0.0, np.array([0.1]), np.array([0.5]))
    expected = answers(system, state)
    agree(answers(loads(dumps(system)), state), expected)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"housing.stiffness": 1.0}, "unknown item 'housing'"),
        ({"bearing.stiffness": 1.0}, "unknown field of 'bearing' 'stiffness'"),
        ({"bearing.name": "other"}, "unknown field of 'bearing' 'name'"),
        ({"contact.friction.size": 1.0}, "unknown field of 'contact.friction' 'size'"),
        ({"bearing.radial_stiffness": -1.0}, "bearing: invalid radial_stiffness"),
        ({"bearing": 1.0}, "unknown item 'bearing'"),
        (
            {"plate.model": MODEL},
            "invalid parameter 'plate.model': expected a system",
        ),
    ],
)
def test_impossible_values_are_refused(values, words):
    with pytest.raises(InputError, match=words):
        disc().with_parameters(values)


class Wind:
    """An item written in Python whose bodies are no fields of a dataclass."""

    name = "wind"

    def __init__(self, body):
        self.bodies = (body,)

    def force(self, t, q, v):
        return -v

    def tangents(self, t, q, v):
        return np.zeros((len(v), len(v))), -np.eye(len(v))


def test_items_that_cannot_follow_their_body_are_said():
    body = fc.RigidBody("mass", 1.0)
    system = fc.System([body], [Wind(body)])
    with pytest.raises(InputError, match="bodies of 'wind'"):
        system.with_parameters({"mass.mass": 2.0})
    still = system.with_parameters({})
    assert still.force(State(0.0, np.zeros(3), np.ones(3))).tolist() == [-1.0, -1.0, -1.0]
