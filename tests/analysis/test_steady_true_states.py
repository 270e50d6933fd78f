"""A steady state stays one while what is driven moves on; what moves off its partner is refused."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.analysis import MapAxis, operating_point, stability_map, steady_state, sweep
from fecontact.body import ElasticBody, MovingFrame, RigidBody, SpinningDisc, TurningFrame
from fecontact.contact import (
    ContactPair,
    CoulombSliding,
    EulerianPair,
    PenaltyNormal,
    PlateFace,
    RigidFace,
    Surface,
    annulus,
    elastic_surface,
    rectangle,
    ring,
    waviness,
)
from fecontact.contact.master.shape import Plane, Ring
from fecontact.errors import InputError, SolverError
from fecontact.fem import ElasticSolid, Material
from fecontact.joint import Bearing, DofCoordinate, Force, PrescribedMotion, Speed
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.system import System

LOAD, STIFFNESS, MU = 10.0, 1e7, 0.3
POINT = Surface(np.zeros((1, 3)), np.ones(1))
LAWS = PenaltyNormal(STIFFNESS), CoulombSliding(MU)
OFF = r"contact 'contact' moves off its master: \d+ of its points touch now, \d+ where"


def pin_on(shape, speed, driven):
    """Pin pressed on a surface; the pin is driven along x, or the ground's part is."""
    pin = RigidBody("pin", 0.1, ("ux", "uz"), position=(0.05, 0.0, 0.0))
    table = RigidBody("table", 5.0, ("ux",))
    pair = ContactPair(pin, POINT, RigidFace(table, shape), *LAWS)
    speeds = {"pin": speed, "table": 0.0} if driven == "pin" else {"pin": 0.0, "table": speed}
    drives = [
        PrescribedMotion(
            DofCoordinate(body, "ux"), Speed(speeds[body.name]), name=f"drive {body.name}"
        )
        for body in (pin, table)
    ]
    return System([pin, table], [pair, Force(pin, (0.0, 0.0, -LOAD)), *drives])


@pytest.mark.parametrize("driven", ["pin", "table"])
@pytest.mark.parametrize("speed", [1e-4, 1.0, 1000.0])
def test_a_pin_leaves_a_finite_face_at_any_speed(driven, speed):
    """It leaves after 5 cm: in 50 us, or in 8 minutes."""
    with pytest.raises(SolverError, match=OFF):
        steady_state(pin_on(Ring(0.01, 0.1), speed, driven))


@pytest.mark.parametrize("driven", ["pin", "table"])
@pytest.mark.parametrize("speed", [1e-4, 1.0, 1000.0])
def test_a_belt_without_end_is_steady(driven, speed):
    found = steady_state(pin_on(Plane(), speed, driven))
    assert found.state.q[1] == pytest.approx(-LOAD / STIFFNESS, rel=1e-9)
    assert found.contacts["contact"].normal_force == pytest.approx(LOAD, rel=1e-9)


@pytest.fixture(scope="module")
def block_pin():
    mesh = block(0.02, 0.02, 0.02, cells=(1, 1, 1)).translated((0.05, -0.01, 0.0))
    solid = ElasticSolid(mesh, Material(7e10, 0.3, 2700.0), supports={"z_max": "clamped"})
    return reduce_model(solid, ("z_min",), modes=2)


def elastic_pin(model, frame, shape):
    pin = ElasticBody("pin", model, frame=frame)
    pair = ContactPair(
        pin, elastic_surface(pin, "z_min"), RigidFace(None, shape), PenaltyNormal(1e11), LAWS[1]
    )
    return System([pin], [pair])


@pytest.mark.parametrize("speed", [1e-3, 1000.0])
def test_a_frame_carries_an_elastic_pin_off(block_pin, speed):
    """The motion of a prescribed frame is in the time, not in the coordinates."""
    moving = MovingFrame((1.0, 0.0, 0.0), speed)
    with pytest.raises(SolverError, match=OFF):
        operating_point(elastic_pin(block_pin, moving, Ring(0.01, 0.1, height=1e-6)))
    along = steady_state(elastic_pin(block_pin, moving, Plane((0.0, 0.0, 1e-6))))
    assert along.contacts["contact"].open == 0


def test_a_patch_turns_away_and_on_a_ring_it_does_not(block_pin):
    """About the axis of the ring a patch slides for ever; about another one it leaves."""
    ground = Ring(0.01, 0.1, height=1e-6)
    about = TurningFrame((0.0, 0.0, 1.0), 50.0)
    assert steady_state(elastic_pin(block_pin, about, ground)).contacts["contact"].open == 0
    beside = TurningFrame((0.0, 0.0, 1.0), 50.0, point=(0.2, 0.0, 0.0))
    with pytest.raises(SolverError, match=OFF):
        steady_state(elastic_pin(block_pin, beside, ground))


def turntable(shape, surface):
    """Disc driven about z on a pin with springs."""
    disc = RigidBody("disc", 5.0, ("uz", "rz"), inertia=(1.0, 1.0, 1.0))
    pin = RigidBody("pin", 0.1, ("uz",), position=(0.05, 0.0, 0.0))
    pair = ContactPair(disc, surface, RigidFace(pin, shape), *LAWS)
    drive = PrescribedMotion(DofCoordinate(disc, "rz"), Speed(8502.0))  # 2 pi / 0.739e-3 s
    loads = Force(disc, (0.0, 0.0, -LOAD)), Bearing(pin, 1e6, 1e6)
    return System([disc, pin], [pair, *loads, drive])


def moved(surface, x):
    return Surface(surface.points + np.array([x, 0.0, 0.0]), surface.weights)


def test_a_patch_of_a_turning_disc_leaves_the_pin():
    """Also at the speed with whole turns at all the times that are looked at."""
    patch = moved(rectangle(0.02, 0.02, (2, 2)), 0.05)
    with pytest.raises(SolverError, match=OFF):
        steady_state(turntable(Ring(0.0, 0.02), patch))


def test_a_ring_that_turns_on_a_plane_is_steady():
    found = steady_state(turntable(Plane(), ring(0.05, 12)))
    assert found.contacts["contact"].normal_force == pytest.approx(LOAD, rel=1e-9)


def shifted_ring(shift, load):
    """Disc that turns with a ring of points, shifted from its axis, on a ring of the ground."""
    disc = RigidBody("disc", 5.0, ("uz", "rz"), inertia=(1.0, 1.0, 1.0))
    face = RigidFace(None, Ring(0.03, 0.07))
    pair = ContactPair(disc, moved(ring(0.05, 12), shift), face, *LAWS)
    drive = PrescribedMotion(DofCoordinate(disc, "rz"), Speed(50.0))
    return System([disc], [pair, Force(disc, (0.0, 0.0, -load)), drive])


def test_maps_ask_it_at_every_point_as_sweeps_do():
    """Shifted by 3 cm points of the disc leave the ring; at the first point of the map none."""
    axes = MapAxis("shift", 0.0, 0.03), MapAxis("load", 5.0, 10.0)
    plane = stability_map(shifted_ring, *axes, seed=(3, 1), levels=0)
    assert plane.labels()[0].tolist() == ["stable", "stable"]
    assert plane.labels()[-1].tolist() == ["failed", "failed"]
    study = sweep(lambda shift: shifted_ring(shift, 5.0), np.linspace(0.0, 0.03, 4), "shift")
    found = [label == "failed" for label in plane.labels()[:, 0]]
    assert found == [index in study.failures for index in range(4)]
    assert "moves off its master" in study.failures[3]
    assert study.failures[3] == plane.failures[0.03, 5.0]


def test_what_spins_without_an_angle_must_be_round():
    """Points that stand in space belong to a round body: rings, or a line of contact."""
    disc = RigidBody("disc", 5.0, ("uz",), spin=50.0)
    ground = RigidFace(None, Plane())
    patch = moved(rectangle(0.02, 0.02), 0.05)
    with pytest.raises(
        InputError, match=r"'disc', which spins: expected the same weights all around"
    ):
        ContactPair(disc, patch, ground, *LAWS)
    wavy = annulus(0.05, 0.1).with_gap(waviness(1e-6, waves=2))
    with pytest.raises(
        InputError, match=r"'disc', which spins: expected the same initial gap all around"
    ):
        ContactPair(disc, wavy, ground, *LAWS)
    pad = RigidBody("pad", 1.0, ("uz",), position=(0.05, 0.0, 0.0))
    beside = RigidFace(disc, Ring(0.0, 0.02), point=(0.05, 0.0, 0.0))
    with pytest.raises(
        InputError, match=r"invalid surface of 'disc', which spins: expected one round"
    ):
        ContactPair(pad, POINT, beside, *LAWS)
    roller = Surface(np.array([[0.0, -0.1, -0.01], [0.0, -0.1, 0.01]]), np.ones(2))
    for surface in (ring(0.1, 3), annulus(0.05, 0.1), roller):
        ContactPair(disc, surface, ground, *LAWS)
    ContactPair(pad, POINT, RigidFace(disc, Ring(0.01, 0.1)), *LAWS)


def test_a_spinning_elastic_disc_is_steady_and_a_wavy_one_is_not(ritz):
    plate = SpinningDisc("plate", ritz, 100.0)
    clutch = RigidBody("clutch", 0.5, ("uz",), spin=80.0, position=(0.0, 0.0, 0.0025))
    for surface, steady in (
        (annulus(0.09, 0.11, (2, 12)), True),
        (annulus(0.09, 0.11, (2, 12)).with_gap(waviness(1e-8, waves=2)), False),
    ):
        pair = EulerianPair(clutch, surface, PlateFace(plate), PenaltyNormal(1e11), LAWS[1])
        system = System([clutch, plate], [pair, Force(clutch, (0.0, 0.0, -100.0))])
        if steady:
            found = steady_state(system)
            assert found.contacts["contact"].normal_force == pytest.approx(
                100.0, rel=1e-6
            )  # the plate slopes
        else:
            with pytest.raises(SolverError, match="the force of 'contact' changes with time"):
                steady_state(system)


def test_pin_that_only_friction_carries_along():
    """Newton's first step threw the pin 1e22 m away, where the torque of the drive makes the
    friction that nothing balances look like nothing.
    """
    pin = RigidBody("pin", 0.1, ("ux", "uy", "uz"))
    disc = RigidBody("disc", 1.0, ("rz",), inertia=(0.01, 0.01, 0.02))
    drive = PrescribedMotion(DofCoordinate(disc, "rz"), Speed(10.0), level="velocity", name="drive")
    foot = Surface(np.array([[0.05, 0.0, 0.0]]), np.ones(1))
    contact = ContactPair(
        pin, foot, RigidFace(disc, Plane()), PenaltyNormal(1e7, 10.0), CoulombSliding(0.3)
    )
    load = Force(pin, (0.0, 0.0, -10.0))
    with pytest.raises(SolverError, match=r"runs away.*only friction acts along pin\.ux"):
        steady_state(System([pin, disc], [drive, load, contact]))
    held = steady_state(System([pin, disc], [drive, load, Bearing(pin, 1e4, 0.0), contact]))
    x, y = held.state.q[:2]
    arm = np.array([-y, 0.05 + x]) / np.hypot(0.05 + x, y)
    np.testing.assert_allclose(1e4 * np.array([x, y]), 0.3 * 10.0 * arm, rtol=1e-9)
