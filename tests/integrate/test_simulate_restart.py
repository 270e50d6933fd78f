"""Continued runs give the numbers of a run in one piece, at default options."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.body import RigidBody
from fecontact.contact import ContactPair, ElastoPlastic, PenaltyNormal, RigidFace, Surface
from fecontact.contact.master.shape import Plane
from fecontact.integrate import simulate
from fecontact.joint import Bearing, Force
from fecontact.results import Result
from fecontact.system import System

TIME, PART = 0.012, 0.001
RUNS = [
    ("explicit", {"backend": "compiled"}),
    ("explicit", {"backend": "general"}),
    ("implicit", {}),
]
KEPT = ("t", "q", "v", "a", "z", "contact_status", "slip_totals", "resume")


def thrown():
    """A mass that strikes a plane, slides, lets go and comes back."""
    mass = RigidBody("m", 2.0, ("ux", "uz"), position=(0.0, 0.0, 2e-4))
    foot = ContactPair(
        mass, Surface(np.zeros((1, 3)), np.ones(1)), RigidFace(None, Plane()),
        PenaltyNormal(1e6, 60.0), ElastoPlastic(0.3, 1e6, 20.0), "foot",
    )  # fmt: skip
    system = System([mass], [foot, Force(mass, (0.0, 0.0, -600.0), name="press")])
    return system, system.state(v={"m.uz": -0.5, "m.ux": 1.0})


@pytest.mark.parametrize(("method", "options"), RUNS)
def test_a_third_then_the_rest(method, options):
    """The default step does not know the end of the run."""
    system, start = thrown()
    whole = simulate(system, TIME, start, method, PART, **options)
    third = simulate(system, 4 * PART, start, method, PART, **options)
    rest = simulate(system, TIME, None, method, PART, restart=third, **options)
    assert len({*whole.contact_status.ravel()}) > 1
    for name in KEPT:
        np.testing.assert_array_equal(getattr(third, name), getattr(whole, name)[:5], err_msg=name)
        np.testing.assert_array_equal(getattr(rest, name), getattr(whole, name)[4:], err_msg=name)
    for name, line in whole.energies.items():
        np.testing.assert_array_equal(rest.energies[name], line[4:], err_msg=name)


@pytest.mark.parametrize(("method", "options"), RUNS)
def test_stopped_by_a_callback_then_the_rest(tmp_path, method, options):
    system, start = thrown()
    files = [str(tmp_path / name) for name in ("whole.h5", "stopped.h5")]
    simulate(system, TIME, start, method, PART, store=files[0], **options)
    stopped = simulate(
        system, TIME, start, method, PART, store=files[1],
        callback=lambda point: point.state.t > 0.0051, **options,
    )  # fmt: skip
    assert stopped.status == "stopped"
    simulate(system, TIME, None, method, PART, restart=files[1], **options)
    one, other = (Result.load(file) for file in files)
    for name in one.names:
        np.testing.assert_array_equal(one[name], other[name], err_msg=name)


def test_error_control_does_not_see_the_end():
    """Every step up to the last two is that of a longer run; the first ones too."""
    mass = RigidBody("m", 1.0, ("ux",))
    system = System([mass], [Bearing(mass, 1e4, 1e4, 2.0)])
    start = system.state(q={"m.ux": 1e-3})
    short, long = (simulate(system, end, start, rtol=1e-4) for end in (0.05, 0.2))
    same = len(short) - 3
    assert same > 10
    np.testing.assert_array_equal(short.q[:same], long.q[:same])


@pytest.mark.parametrize("backend", ["compiled", "general"])
def test_default_step_of_a_free_body(backend):
    """Nothing vibrates: the step is 1 ms, whatever the time to simulate."""
    mass = RigidBody("m", 1.0, ("ux",))
    system = System([mass], [Force(mass, (2.0, 0.0, 0.0))])
    for end in (0.01, 0.1):
        motion = simulate(system, end, system.rest(), "explicit", backend=backend)
        assert motion.statistics.steps == round(end / 1e-3)
        assert motion.q[-1, 0] == pytest.approx(end**2, rel=1e-12)
