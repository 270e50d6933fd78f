"""Growth of a small disturbance in time: the mode found, and what a motion shows of it."""

from dataclasses import replace

import numpy as np
import pytest

from fecontact.analysis import complex_modes, disturbance, linearise, steady_state
from fecontact.body import RigidBody
from fecontact.case.registry import load_module
from fecontact.errors import InputError
from fecontact.integrate import simulate
from fecontact.system import System


@pytest.fixture(scope="module")
def tilting():
    """A disc that wobbles: tilts, so positions are more than speeds; no history."""
    case = load_module("jehle/wobble")
    system = case.build(case.Wobble())
    return system, steady_state(system).state


@pytest.fixture(scope="module")
def driven():
    """A block on a belt that is driven by a constraint, with bristles."""
    case = load_module("classic/mode_coupling")
    data = replace(case.ModeCoupling(), damping=10.0, tangential_stiffness=1e7,
                   tangential_damping=100.0)  # fmt: skip
    system = case.build(data)
    return system, steady_state(system).state


@pytest.mark.parametrize(("scene", "friction"), [("tilting", "coulomb"), ("driven", "state")])
def test_leading_mode(scene, friction, request):
    system, state = request.getfixturevalue(scene)
    modes = complex_modes(linearise(system, state, friction))
    found = disturbance(system, state)
    assert found.value == pytest.approx(modes.eigenvalues[modes.leading], rel=1e-8)
    assert found.growth > 0.0


def test_motion_shows_growth_and_frequency(tilting):
    system, state = tilting
    mode = disturbance(system, state)
    motion = simulate(system, 1.0 / mode.frequency, mode.start(1e-8), "ode",
                      0.05 / mode.frequency, rtol=1e-10, atol=1e-15, solver="DOP853")  # fmt: skip
    assert mode.measured(motion) == pytest.approx(mode.value, rel=1e-7)


def test_constraint_and_travelling_belt(driven):
    """The error of the trapezoidal rule falls with the square of the step."""
    system, state = driven
    mode = disturbance(system, state)
    period = 1.0 / mode.frequency
    errors = []
    for parts in (50, 100):
        motion = simulate(system, period, mode.start(1e-9), "implicit", 0.1 * period,
                          step=period / parts, rho_inf=1.0)  # fmt: skip
        errors.append(abs(mode.measured(motion) / mode.value - 1.0))
    assert errors[1] < 2e-3
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.15)


def test_amplitude_does_not_see_the_other_modes(tilting):
    system, state = tilting
    mode = disturbance(system, state)
    modes = complex_modes(linearise(system, state))
    for number, z in enumerate(modes.eigenvalues):
        x = modes.vectors[:, number]
        size = abs(np.concatenate([x, z * x]) @ mode.left) / np.linalg.norm(x)
        own = abs(mode.right @ mode.left) / np.linalg.norm(mode.right[: system.size])
        assert size == pytest.approx(own if number == modes.leading else 0.0, abs=1e-8 * own)


def test_turning_body_is_refused():
    body = RigidBody("body", 1.0, ("rx", "ry", "rz"), inertia=(1.0, 1.0, 2.0))
    system = System([body])
    moving = replace(system.rest(), v=np.array([0.0, 0.0, 1.0]))
    with pytest.raises(InputError, match="moves on"):
        disturbance(system, moving)
