"""Both nonsmooth methods write to the store, stop cleanly at Ctrl-C and go on from there.

Moreau's stepping goes on to the last bit. The event-driven method goes on with other steps, which
err by rtol each: after n steps two runs are apart by 2 n rtol at most, as contacts with dampers let
no difference grow. Powers of a contact are parts of one: what is supplied, here nothing, is their
difference, so their size is that of the largest.
"""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.body import RigidBody
from fecontact.contact import (
    ContactPair,
    ElastoPlastic,
    PenaltyNormal,
    Plane,
    RigidContact,
    RigidFace,
    Surface,
)
from fecontact.integrate import simulate
from fecontact.joint import Force
from fecontact.results import Result
from fecontact.system import System

END, PART = 0.012, 0.001
POINT, GROUND = Surface(np.zeros((1, 3)), np.ones(1)), RigidFace(None, Plane())
OPTIONS = {
    "events": {"rtol": 1e-8, "atol": 1e-11, "solver": "DOP853"},
    "moreau": {"step": 2.5e-4},
}


def thrown(method):
    """A mass that strikes a plane, slides, lets go and comes back."""
    mass = RigidBody("m", 2.0, ("ux", "uz"), position=(0.0, 0.0, 2e-4))
    if method == "moreau":
        foot = RigidContact(mass, POINT, GROUND, 0.3, 0.6, name="foot")
    else:
        laws = PenaltyNormal(1e6, 60.0), ElastoPlastic(0.3, 1e6, 200.0)
        foot = ContactPair(mass, POINT, GROUND, *laws, "foot")
    system = System([mass], [foot, Force(mass, (0.0, 0.0, -600.0), name="press")])
    return system, system.state(v={"m.uz": -0.5, "m.ux": 1.0})


def interrupt(point):
    """Ctrl-C, as Python tells it."""
    if point.state.t > 0.0051:
        raise KeyboardInterrupt


@pytest.mark.parametrize("method", ["events", "moreau"])
def test_interrupted_and_continued(tmp_path, method):
    (system, start), options = thrown(method), OPTIONS[method]
    files = [tmp_path / name for name in ("whole.h5", "part.h5")]
    whole = simulate(system, END, start, method, PART, store=files[0], **options)
    part = simulate(system, END, start, method, PART, store=files[1], callback=interrupt, **options)
    assert (whole.status, part.status) == ("finished", "interrupted")
    assert 0.0 < part.t[-1] < 0.5 * END + PART
    simulate(system, END, None, method, PART, restart=files[1], **options)
    one, other = (Result.load(file) for file in files)
    assert len({*np.asarray(whole.contact_status).ravel().tolist()}) > 1
    np.testing.assert_array_equal(one.t, other.t)
    energy = max(np.abs(line).max() for line in whole.energies.values())
    power = max(np.abs(one[name]).max() for name in one.names if name.endswith("_power"))
    close = 2.0 * whole.statistics.steps * options.get("rtol", 0.0)
    for name in one.names:
        if method == "events" and name.startswith("statistics."):
            continue  # a new start of the solver has steps of its own
        size = energy if name.startswith("energy.") else np.abs(one[name]).max(initial=0.0)
        size = power if name.endswith("_power") else size
        np.testing.assert_allclose(
            other[name], one[name], rtol=0.0, atol=close * size, err_msg=name
        )
