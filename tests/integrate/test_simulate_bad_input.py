"""Impossible arguments of a simulation: each is refused in one line that names it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fecontact.body import RigidBody
from fecontact.contact import (
    ContactPair,
    ElastoPlastic,
    EulerianPair,
    PenaltyNormal,
    Plane,
    RigidFace,
    Surface,
    ring,
    winkler_layer,
)
from fecontact.errors import InputError, SolverError
from fecontact.integrate import Event, SimulationError, simulate
from fecontact.joint import Bearing
from fecontact.results import Result
from fecontact.system import System


def sliding(points=2):
    mass = RigidBody("mass", 1.0, ("ux", "uz"))
    pair = ContactPair(
        mass, Surface(np.zeros((points, 3)), np.ones(points)), RigidFace(None, Plane()),
        PenaltyNormal(1e4, 10.0), ElastoPlastic(0.3, 1e4, 10.0),
    )  # fmt: skip
    system = System([mass], [Bearing(mass, 1e4, 1e4), pair])
    return system, system.history_layout.filled(system.state(q={"mass.ux": 1e-3, "mass.uz": -1e-4}))


@pytest.mark.parametrize(
    ("t_end", "options", "message"),
    [
        (-1.0, {}, r"invalid t_end = -1\.0 s: expected after 0\.0 s"),
        (None, {}, "invalid t_end = None s: expected a finite number"),
        ("1", {}, "invalid t_end = 1 s: expected a finite number"),
        (0.1, {"output": 0.2}, r"output = 0\.2 s.* at most 0\.1 s, the time to simulate"),
        (0.1, {"output": 1e-15}, r"invalid output = 1e-15 s, which makes 1\.0e\+14 points"),
        (0.1, {"output": "all"}, "invalid output = all s: expected > 0"),
        (0.1, {"output": [0.01, np.nan, 0.1]}, "invalid output: expected rising times"),
        (0.1, {"method": None}, "invalid method = None: expected one of implicit, "),
        (0.1, {"stepp": 1e-3}, "unknown option of method 'implicit' 'stepp'; known: atol, "),
        (0.1, {"step": "1"}, "invalid step = 1 s: expected > 0"),
        (0.1, {"rho_inf": "1"}, "invalid rho_inf = 1: expected from 0 to 1"),
        (0.1, {"max_steps": 0}, "invalid max_steps = 0: expected an integer >= 1"),
        (0.1, {"max_steps": 2.5}, "invalid max_steps = 2.5"),
        (0.1, {"method": "explicit", "step": 0.02}, r"step = 0\.02 s.* the stability bound"),
        (0.1, {"events": [np.sin]}, r"invalid events: expected a list of `Event`s"),
        (
            0.1,
            {"events": Event(lambda t, state: t)},
            r"invalid events: expected a list of `Event`s",
        ),
        (0.1, {"callback": "stop"}, "invalid callback = 'stop': expected a function"),
    ],
)
def test_arguments(t_end, options, message):
    system, start = sliding()
    with pytest.raises(InputError, match=message):
        simulate(system, t_end, start, **options)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"q": np.full(2, np.nan)}, "q of body 'mass' =.* expected finite numbers"),
        ({"v": np.full(2, np.inf)}, "v of body 'mass' =.* expected finite numbers"),
        ({"t": np.nan}, "invalid time = nan s"),
        ({"z": np.full(6, np.nan)}, "invalid z of the contacts: expected finite"),
        (
            {"slip_totals": np.full(4, np.nan)},
            "invalid slip_totals of the contacts: expected finite",
        ),
        ({"status": np.array([0, 7])}, "invalid status = 7 of a contact point"),
    ],
)
def test_numbers_of_the_start(change, message):
    system, start = sliding()
    with pytest.raises(InputError, match=message):
        simulate(system, 0.1, replace(start, **change))


def test_a_start_of_another_system():
    """A state of other dofs, of other contact points, or no state at all."""
    system, start = sliding()
    with pytest.raises(InputError, match=r"invalid z of shape \(9,\): expected \(6,\)"):
        simulate(system, 0.1, sliding(points=3)[1])
    ball = System([RigidBody("ball", 1.0, ("ux",))])
    with pytest.raises(InputError, match=r"invalid q of shape \(1,\): expected \(2,\)"):
        simulate(system, 0.1, ball.rest())
    with pytest.raises(InputError, match="invalid start = ndarray: expected a state"):
        simulate(system, 0.1, start.q)
    with pytest.raises(InputError, match="invalid restart = State: expected a resu"):
        simulate(system, 0.1, restart=start)
    other = simulate(sliding(points=3)[0], 0.01, step=0.005)
    with pytest.raises(InputError, match=r"invalid z of shape \(9,\)"):
        simulate(system, 0.1, restart=other)


@pytest.mark.parametrize("value", [np.nan, None, np.zeros(2)])
def test_an_event_that_is_no_number(value):
    system, start = sliding()
    events = [Event(lambda t, state: value if t > 4e-3 else 1.0, "touch")]
    with pytest.raises(
        InputError, match=r"event 'touch': invalid value.* at t = 0\.00\d+ s:.* one finite"
    ):
        simulate(system, 0.01, start, step=1e-3, events=events)


def raising(point_or_time, state=None):
    t = point_or_time if state is not None else point_or_time.state.t
    if t > 0.0045:
        raise KeyError("mine")
    return 1.0 if state is not None else None


@pytest.mark.parametrize("hook", [{"callback": raising}, {"events": [Event(raising)]}])
def test_an_error_of_the_user_comes_through(hook, tmp_path):
    """It is not hidden, and the file keeps what was computed before."""
    (system, start), path = sliding(), tmp_path / "run.h5"
    with pytest.raises(KeyError, match="mine"):
        simulate(system, 0.01, start, step=1e-3, store=path, **hook)
    result = Result.load(path)
    assert result.status == "failed"
    assert result.message == "KeyError: 'mine'"
    assert result.t[-1] == pytest.approx(0.005 if "callback" in hook else 0.004)


@pytest.mark.parametrize("method", ["implicit", "explicit", "projected", "ode", "moreau"])
def test_budget_of_steps(method):
    """A run with too few steps ends with a message; one with enough is the same as without."""
    mass = RigidBody("mass", 1.0, ("ux",))
    system = System([mass], [Bearing(mass, 1e4, 1e4)])
    start = system.state(q={"mass.ux": 1e-3})
    options = {"step": 1e-3} if method == "moreau" else {}
    with pytest.raises(SolverError, match=r"max_steps = 3.*; try a larger") as caught:
        simulate(system, 0.1, start, method, max_steps=3, **options)
    if isinstance(caught.value, SimulationError):
        assert caught.value.trajectory.statistics.steps <= 3
    free = simulate(system, 0.02, start, method, **options)
    steps = free.statistics.steps + free.statistics.rejected
    enough = simulate(system, 0.02, start, method, max_steps=steps, **options)
    assert np.array_equal(enough.q, free.q)


@pytest.mark.parametrize("method", ["implicit", "explicit", "ode"])
@pytest.mark.parametrize("kind", [ContactPair, EulerianPair])
def test_start_pressed_through_the_layer(method, kind):
    mass = RigidBody("mass", 1.0, ("ux", "uz"), position=(0.0, 0.0, -2e-3))
    pair = kind(
        mass, ring(0.1, 12), RigidFace(None, Plane()), winkler_layer(1e6, 1e-3, loss=1e-4),
        ElastoPlastic(0.3, 1e6, 1e2),
    )  # fmt: skip
    with pytest.raises(InputError, match=r"a point starts 0\.002 m deep in a layer of 0\.001 m"):
        simulate(System([mass], [pair]), 1e-4, method=method)
