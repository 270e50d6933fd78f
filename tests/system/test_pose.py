"""States from joint coordinates."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.body import DOFS, RigidBody
from fecontact.errors import SolverError
from fecontact.joint import Cylindrical, Distance, Revolute
from fecontact.system import System, posed


def arm(name, x):
    return RigidBody(name, 1.0, DOFS, (0.01, 0.02, 0.03), position=(x, 0.0, 0.0))


@pytest.fixture
def robot():
    upper, lower = arm("upper", 0.5), arm("lower", 1.5)
    shoulder = Cylindrical(None, upper, point_b=(-0.5, 0.0, 0.0), axis="z", name="shoulder")
    elbow = Revolute(upper, lower, point_b=(-0.5, 0.0, 0.0), axis="y", name="elbow")
    return System([upper, lower], [shoulder, elbow]), shoulder, elbow


def test_values_and_rates_are_met(robot):
    system, shoulder, elbow = robot
    values = {shoulder.angle: 0.9, shoulder.stroke: 0.2, elbow.angle: -1.2}
    rates = {shoulder.stroke: -0.4, elbow.angle: 3.0}
    state = posed(system, values, rates)
    rows = system.constraint(state)
    assert np.abs(rows.value).max() < 1e-13
    assert np.abs(rows.rate).max() < 1e-13
    for coordinate, value in values.items():
        joint = shoulder if coordinate is not elbow.angle else elbow
        q, v = system.local(joint, state)
        assert coordinate.value(q) == pytest.approx(value, abs=1e-12)
        assert coordinate.rate(q, v) == pytest.approx(rates.get(coordinate, 0.0), abs=1e-12)


def test_place_is_that_of_the_forward_kinematics(robot):
    system, shoulder, elbow = robot
    angle, bend = 0.9, -1.2
    state = posed(system, {shoulder.angle: angle, shoulder.stroke: 0.2, elbow.angle: bend})
    lower = system.bodies[1]
    tip = lower.point_motion(*system.local(lower, state), np.array([[0.5, 0.0, 0.0]])).position[0]
    reach = 1.0 + np.cos(bend)
    expected = [reach * np.cos(angle), reach * np.sin(angle), 0.2 - np.sin(bend)]
    np.testing.assert_allclose(tip, expected, atol=1e-12)


def test_what_is_left_open_stays(robot):
    system, shoulder, elbow = robot
    first = posed(system, {shoulder.angle: 0.3, shoulder.stroke: 0.1, elbow.angle: 0.2})
    again = posed(system, {elbow.angle: 0.2}, guess=first)
    np.testing.assert_allclose(again.q, first.q, atol=1e-12)


def test_time_of_the_guess_is_kept(robot):
    system, _, elbow = robot
    guess = system.state(t=7.0)
    state = posed(system, {elbow.angle: 0.4}, {elbow.angle: 2.0}, guess)
    assert state.t == 7.0
    assert elbow.angle.value(system.local(elbow, state)[0]) == pytest.approx(0.4, abs=1e-12)


def test_closed_loop_follows_its_crank(four_bar):
    """The spherical four-bar of rank 17 on 18: one angle gives the whole pose."""
    system = four_bar()
    crank = Revolute(None, system.bodies[0], point_b=tuple(-system.bodies[0].origin + [0, 0, 1.0]))
    state = posed(system, {crank.angle: -0.4}, {crank.angle: 1.5})
    assert np.abs(system.constraint(state).value).max() < 1e-12
    assert np.abs(system.constraint(state).rate).max() < 1e-12
    assert state.v[5] == pytest.approx(1.5, abs=1e-12)


def test_impossible_value_is_refused():
    body = arm("rod end", 1.0)
    hinge = Revolute(None, body, point_b=(-1.0, 0.0, 0.0), axis="y", name="hinge")
    tie = Distance(None, body, point_a=(5.0, 0.0, 0.0), name="tie")
    with pytest.raises(SolverError, match="position constraints cannot be met"):
        posed(System([body], [hinge]), {tie.length: 1.0})
