"""User events, callbacks, restarts and signals: common to all methods."""

from __future__ import annotations

import os
import signal

import numpy as np
import pytest

from fecontact.body import DOFS, RigidBody
from fecontact.contact import ContactPair, ElastoPlastic, PenaltyNormal, Surface
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.contact.master.shape import Plane
from fecontact.errors import InputError
from fecontact.integrate import Event, Terminated, simulate
from fecontact.joint import Bearing, Gravity
from fecontact.joint.constraint import Spherical
from fecontact.results import StoredRun
from fecontact.system import System


def oscillator():
    """100 rad/s, released at 1 mm."""
    mass = RigidBody("mass", 1.0, ("ux",))
    system = System([mass], [Bearing(mass, 1e4, 1e4)])
    return system, system.state(q={"mass.ux": 1e-3})


def sliding_block():
    """A block thrown on a rough plane, with a turn: it slides, turns and comes to rest."""
    block = RigidBody("block", 1.0, DOFS, (0.01, 0.01, 0.02))
    corners = 0.1 * np.array([[1.0, 1.0, 0.0], [-1.0, 1.0, 0.0], [-1.0, -1.0, 0.0], [1.0, -1.0, 0]])
    pair = ContactPair(
        block, Surface(corners, np.ones(4)), RigidFace(None, Plane()), PenaltyNormal(1e5, 1e2),
        ElastoPlastic(0.3, 1e5, 1e2),
    )  # fmt: skip
    system = System([block], [Gravity([block]), pair])
    return system, system.state(q={"block.uz": -2.4e-5}, v={"block.ux": 0.1, "block.rz": 1.0})


@pytest.mark.parametrize(
    ("method", "options"),
    [("implicit", {"step": 1e-4}), ("projected", {"step": 5e-4}), ("ode", {"step": 5e-4})],
)
def test_events_are_found_between_steps(method, options):
    """x = cos(100 t) mm: zeros, and the turning point that ends the run; output times stay."""
    system, start = oscillator()
    events = [
        Event(lambda t, state: state.q[0], "zero"),
        Event(lambda t, state: state.q[0], "rising", direction=1),
        Event(lambda t, state: state.v[0], "turn", terminal=True, direction=1),
    ]
    motion = simulate(system, 1.0, start, method, output=0.01, events=events, **options)
    assert motion.status == "stopped"
    assert motion.message == f"event 'turn' at t = {motion.t[-1]:.9g} s"
    assert [event.name for event in motion.events] == ["zero", "turn"]
    times = [event.state.t for event in motion.events]
    assert times == pytest.approx([np.pi / 200, np.pi / 100], rel=1e-5)
    assert np.allclose(motion.t, [0.0, 0.01, 0.02, 0.03, np.pi / 100], rtol=1e-5)
    if method != "projected":  # it keeps no audit unless asked
        whole = 0.5 * 1e4 * 1e-6
        assert motion.energies["potential"][-1] == pytest.approx(whole, rel=1e-2)
        assert abs(motion.energies["residual"][-1]) < 1e-3 * whole
    assert motion.q[-1] == pytest.approx(-1e-3, rel=1e-6)
    assert abs(motion.v[-1, 0]) < 1e-12


def test_callback_sees_points_and_stops():
    system, start = oscillator()
    seen = []

    def look(point):
        seen.append(point.state.t)
        return point.state.t >= 0.03

    motion = simulate(system, 1.0, start, step=1e-3, output=0.01, callback=look)
    assert np.allclose(seen, [0.0, 0.01, 0.02, 0.03])
    assert motion.status == "stopped"
    assert motion.message == "stopped by the callback at t = 0.03 s"


@pytest.mark.parametrize("options", [{"step": 5e-4}, {"rtol": 1e-4}])
def test_restart_is_exact(options):
    """A run that was stopped and continued equals the whole one in every bit, energies too."""
    system, start = sliding_block()
    whole = simulate(system, 0.06, start, output=0.01, **options)
    half = simulate(
        system, 0.06, start, output=0.01, callback=lambda p: p.state.t > 0.029, **options
    )
    assert half.t[-1] == pytest.approx(0.03)
    rest = simulate(system, 0.06, restart=half, output=0.01, **options)
    assert rest.origin == 0.0
    for name in ("t", "q", "v", "a", "lam", "z", "contact_status", "slip_totals", "resume"):
        assert np.array_equal(getattr(rest, name), getattr(whole, name)[3:]), name
    for name, line in whole.energies.items():
        assert np.array_equal(rest.energies[name], line[3:]), name
    assert len(set(whole.contact_status.ravel().tolist())) > 1


def test_restart_with_constraints_is_exact():
    bob = RigidBody("bob", 1.0, DOFS, (0.1, 0.2, 0.3))
    system = System([bob], [Gravity([bob]), Spherical(None, bob, point_b=(0.0, 0.1, 1.0))])
    whole = simulate(system, 0.2, output=0.05, rtol=1e-4)
    half = simulate(system, 0.2, output=0.05, rtol=1e-4, callback=lambda p: p.state.t > 0.09)
    rest = simulate(system, 0.2, restart=half, output=0.05, rtol=1e-4)
    assert np.array_equal(rest.q, whole.q[2:])
    assert np.array_equal(rest.lam, whole.lam[2:])


def test_impossible_restarts():
    system, start = oscillator()
    half = simulate(system, 0.01, start, step=1e-3)
    with pytest.raises(InputError, match="start and restart exclude each other"):
        simulate(system, 0.02, start, restart=half)
    with pytest.raises(InputError, match=r"invalid method = projected: expected 'implicit'"):
        simulate(system, 0.02, method="projected", restart=half)
    with pytest.raises(InputError, match=r"invalid t_end = 0.01 s: expected after"):
        simulate(system, 0.01, restart=half)
    other, _ = sliding_block()
    with pytest.raises(InputError, match="shape"):
        simulate(other, 0.02, restart=half)
    with pytest.raises(InputError, match=r"invalid output = 3.0 s: expected at most 2 s"):
        simulate(system, 2.0, start, output=3.0)
    with pytest.raises(InputError, match="invalid direction = 2: expected -1, 0 or 1"):
        Event(lambda t, s: 0.0, direction=2)


def test_restart_after_a_terminal_event():
    """It goes on from the last step before the event, as if there had been none."""
    system, start = oscillator()
    event = Event(lambda t, s: s.q[0], "zero", terminal=True)
    ended = simulate(system, 1.0, start, events=[event], step=1e-3)
    assert ended.status == "stopped"
    rest, whole = (
        simulate(system, 0.1, restart=ended, step=1e-3),
        simulate(system, 0.1, start, step=1e-3),
    )
    assert rest.t[0] == ended.t[-2]
    np.testing.assert_array_equal(rest.q[-1], whole.q[-1])


def test_a_start_off_the_constraints_is_repaired_and_told():
    bob = RigidBody("bob", 1.0, DOFS, (0.1, 0.1, 0.1))
    system = System([bob], [Spherical(None, bob, point_b=(0.0, 0.0, 1.0))])
    motion = simulate(system, 0.01, system.state(q={"bob.uz": 1e-7}), step=0.01)
    assert motion.message == (
        "start repaired: position of 'bob.uz' moved by -1.0e-07 onto the constraints"
    )
    assert simulate(system, 0.01, step=0.01).message == ""


def test_sigterm_ends_all_and_stores(tmp_path):
    system, start = oscillator()
    before = signal.getsignal(signal.SIGTERM)

    def kill(point):
        if point.state.t > 0.0049:
            os.kill(os.getpid(), signal.SIGTERM)

    file = tmp_path / "run.h5"
    with pytest.raises(Terminated, match="restart continues"):
        simulate(system, 10.0, start, step=1e-3, callback=kill, store=file)
    run = StoredRun.load(file)
    assert run.status == "interrupted"
    assert run.complete >= 5
    assert run.records("t")[-1] < 0.1
    assert signal.getsignal(signal.SIGTERM) == before
