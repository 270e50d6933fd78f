"""Outputs that the compiled implicit loop leaves on its way: each as if the run ended there."""

from __future__ import annotations

import numpy as np
import pytest

import fecontact as fc

STEP = 2e-4

PARTS = ("t", "q", "v", "a", "z", "status", "slip_totals", "resume")
TIMES = STEP * np.array([1.0, 2.5, 7.0, 7.1, 30.0, 64.0, 65.0, 90.0])


def sledge():
    """A block that is thrown on a disc that turns: its four feet touch, slip, stick and lift."""
    block = fc.RigidBody("block", 2.0, ("ux", "uy", "uz", "rx", "ry", "rz"),
                         inertia=(0.01, 0.012, 0.015), position=(0.0, 0.0, 0.1))  # fmt: skip
    disc = fc.RigidBody("disc", 5.0, ("uz", "rz"), inertia=(0.1, 0.1, 0.2))
    corners = 0.05 * np.array([[x, y, 0.0] for x in (-1, 1) for y in (-1, 1)]) - [0, 0, 0.1]
    laws = fc.PenaltyNormal(1e6, 1e3), fc.ElastoPlastic(0.3, 1e7, 50.0)
    face = fc.RigidFace(disc, fc.Plane())
    feet = fc.ContactPair(block, fc.Surface(corners, np.ones(4)), face, *laws, name="feet")
    bearing = fc.Bearing(disc, 0.0, 1e5, axial_damping=100.0)
    system = fc.System([block, disc], [feet, bearing, fc.Gravity([block, disc])])
    return system, system.state(v={"disc.rz": 20.0, "block.uz": -0.1, "block.ux": 0.05})


@pytest.fixture(scope="module", params=[STEP, None], ids=["fixed", "by error"])
def motion(request):
    """A run with uneven outputs, and how to repeat it up to some of them."""
    system, start = sledge()

    def run(times, start=start, **more):
        return fc.simulate(
            system, times[-1], start, "implicit", times, step=request.param, backend="compiled",
            **more,
        )  # fmt: skip

    return run


def records(found, row):
    """All that a record has."""
    numbers = [np.ravel(found.run.records(name)[row]) for name in PARTS]
    energies = [found.energies[name][row] for name in found.energies]
    fields = [found.contacts["feet"].field(name)[row] for name in ("pressure", "slip", "energy")]
    counts = [found.run.records(f"statistics/{name}")[row] for name in ("steps", "iterations")]
    return np.concatenate([*numbers, energies, *map(np.ravel, fields), counts])


def test_each_output_is_the_end_of_a_shorter_run(motion):
    """To the last bit, with its counters."""
    whole = motion(TIMES)
    assert whole.statistics.compiled > 0
    for count in (1, 2, 5, 8):
        part = motion(TIMES[:count])
        np.testing.assert_array_equal(records(whole, count), records(part, -1))


def test_restart_at_any_output(motion):
    """The motion goes on as if it had not stopped."""
    whole = motion(TIMES)
    first = motion(TIMES[:4])
    later = motion(TIMES[4:], start=None, restart=first)
    np.testing.assert_array_equal(
        np.concatenate([later.q[-1], later.v[-1], later.a[-1]]),
        np.concatenate([whole.q[-1], whole.v[-1], whole.a[-1]]),
    )


def test_stop_at_an_output(motion):
    """A callback ends the motion at its point, also where the loop has gone further."""
    stopped = motion(TIMES, callback=lambda point: point.state.t >= TIMES[2])
    assert stopped.status == "stopped"
    assert len(stopped) == 4
    np.testing.assert_array_equal(records(stopped, -1), records(motion(TIMES[:3]), -1))
