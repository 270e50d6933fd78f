"""Rigid flanks press and do not pull: equilibrium, search of the flanks, motion."""

from __future__ import annotations

from math import cos, radians, sin, tan

import numpy as np
import pytest

from fecontact.analysis import linearise, operating_point, steady_state
from fecontact.analysis.continuation import PathOptions
from fecontact.analysis.steady.equilibrium_path import equilibrium_path
from fecontact.body import RigidBody
from fecontact.errors import InputError, SolverError
from fecontact.integrate import simulate
from fecontact.joint import (
    Bearing,
    Force,
    Function,
    GearMesh,
    GearPair,
    GearRatio,
    Torque,
    TorsionSpring,
)
from fecontact.system import System

GEARS = GearPair.from_module(3e-3, (20, 40), 0.02, helix_angle=0.3, pressure_angle=radians(20))
SHAFT = ("ux", "uy", "uz", "rz")


def bodies(dofs=SHAFT):
    one = RigidBody("one", 2.0, dofs, inertia=(1e-3, 1e-3, 1e-3))
    place = (GEARS.distance, 0.0, 0.0)
    return one, RigidBody("two", 2.0, dofs, inertia=(5e-3, 5e-3, 5e-3), position=place)


def loaded(torque, flank, **options):
    """Torque on gear 1, gear 2 held by a stiff spring, bearings that yield."""
    one, two = bodies()
    return System(
        [one, two],
        [
            GearMesh(one, two, GEARS, flank),
            Bearing(one, 1e7, 1e7, 1e3, 1e3, name="bearing 1"),
            Bearing(two, 1e7, 1e7, 1e3, 1e3, name="bearing 2"),
            Torque(one, (0.0, 0.0, torque), **options),
            TorsionSpring(None, two, 1e6),
        ],
    )


@pytest.mark.parametrize("flank", ["front", "rear"])
@pytest.mark.parametrize("torque", [50.0, -50.0])
def test_steady_flank(torque, flank):
    """The flank that presses is found; forces are those of the textbook, apart on both flanks."""
    right = "front" if torque > 0 else "rear"
    system = loaded(torque, flank)
    found = steady_state(system)
    assert found.system.rows == (f"gear mesh.{right}",)
    assert (found.system is system) == (flank == right)
    if flank != right:
        with pytest.raises(InputError, match=rf"balance on 'gear mesh.{flank}'.*other flank"):
            linearise(system, found.state)
    system, state = found.system, found.state
    c = np.array([GEARS.distance, 0.0]) + state.q[4:6] - state.q[:2]
    d = np.linalg.norm(c)
    c = c / d
    on_one = system.reaction(state, "gear mesh").on["one"].force
    tangential = abs(torque) * cos(GEARS.pressure_angle(d)) / GEARS.base_radius
    radial = tangential * tan(GEARS.pressure_angle(d))
    assert on_one[:2] @ c == pytest.approx(-radial, rel=1e-9)
    across = on_one[1] * c[0] - on_one[0] * c[1]
    assert across == pytest.approx(-np.sign(torque) * tangential, rel=1e-9)


def test_gears_pulled_apart_have_no_flank():
    """A force that parts the gears: both flanks would pull."""
    one, two = bodies(("ux",))
    apart = Force(two, (100.0, 0.0, 0.0)), Bearing(one, 1e7, 1e7)
    system = System([one, two], [GearMesh(one, two, GEARS), *apart])
    with pytest.raises(SolverError, match="'gear mesh' would pull on either flank"):
        steady_state(system)


@pytest.mark.parametrize("torque", [50.0, -50.0])
def test_modes_and_paths_do_not_depend_on_the_given_flank(torque):
    given = [loaded(torque, flank) for flank in ("front", "rear")]
    one, other = (operating_point(system).modes.eigenvalues for system in given)
    np.testing.assert_allclose(one, other, rtol=1e-9)
    options = PathOptions(30.0, 60.0, longest=10.0)
    ends = [
        equilibrium_path(lambda size, f=flank: loaded(np.sign(torque) * size, f), 30.0, options)
        for flank in ("front", "rear")
    ]
    for path in ends:
        assert (path.u[:, -1] > 0.0).all()
    np.testing.assert_allclose(ends[0].u[-1], ends[1].u[-1], rtol=1e-9)


def test_unloaded_gears_do_not_pull():
    system = loaded(0.0, "front")
    assert steady_state(system).state.lam == pytest.approx([0.0], abs=1e-9)
    start = system.consistent(system.state(v={"one.rz": 1e-3})).state
    free = System(system.bodies, [system.constraints[0]])
    for method in ("implicit", "projected"):
        assert simulate(free, 0.1, start, method).status == "finished"


@pytest.mark.parametrize(("method", "options"), [("implicit", {"step": 5e-4}), ("projected", {})])
def test_reversal_of_the_load_stops_the_motion(method, options):
    """Torque M cos(w t) accelerates both gears: lam = 0 at w t = pi/2."""
    one, two = bodies(("rz",))
    swing = Function(lambda t: cos(20.0 * t), lambda t: -20.0 * sin(20.0 * t))
    torque = Torque(one, (0.0, 0.0, 50.0), factor=swing)
    crossing = np.pi / 40.0
    system = System([one, two], [GearMesh(one, two, GEARS), torque])
    before = simulate(system, 0.99 * crossing, system.rest(), method, **options)
    assert (before.multiplier("gear mesh.front") > 0.0).all()
    with pytest.raises(SolverError, match=r"'gear mesh.front' would pull.*ElasticGearMesh") as stop:
        simulate(system, 0.3, system.rest(), method, **options, output=0.3)
    stopped = float(str(stop.value).split()[2])
    assert crossing < stopped < crossing + 0.03
    with pytest.raises(SolverError, match=r"t = 0 s: 'gear mesh.rear' would pull"):
        simulate(
            System([one, two], [GearMesh(one, two, GEARS, "rear"), torque]),
            0.1,
            system.rest(),
            method,
        )
    ratio = System([one, two], [GearRatio(one, two, (20, 40)), torque])
    assert simulate(ratio, 0.1, system.rest(), method, **options).status == "finished"
