"""Values that are possible but unusual are said with the habit behind them; usual ones are not."""

from __future__ import annotations

import re
import warnings
from math import radians

import numpy as np
import pytest

from fecontact.analysis import StaticSystem, load_path, steady_state
from fecontact.body import DOFS, ElasticBody, RigidBody, SpinningDisc
from fecontact.contact import (
    ContactPair,
    Coulomb,
    CoulombSliding,
    ElastoPlastic,
    EulerianPair,
    PenaltyNormal,
    PlateFace,
    RigidFace,
    Stribeck,
    Surface,
    annulus,
    cap,
    elastic_surface,
    rectangle,
    ring,
    winkler_layer,
)
from fecontact.contact.master.shape import Cone, Plane
from fecontact.errors import InputError, PlausibilityWarning
from fecontact.fem import ElasticSolid, Material, ModalDamping, RayleighDamping
from fecontact.integrate import simulate
from fecontact.joint import Force, Gravity, Torque
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.system import System

BODY = RigidBody("body", 1.0, ("uz",))
INERTIA = (0.01, 0.01, 0.02)
SLIPS = {
    "mu": (lambda: ElastoPlastic(30, 1e9), r"mu = 30 .*percent\? Then write 0\.3"),
    "coulomb": (lambda: Coulomb(45.0), r"mu = 45 .*Then write 0\.45"),
    "stribeck": (lambda: Stribeck(30.0, 40.0, 0.1), r"mu = 30 .*Then write 0\.3"),
    "modal": (lambda: ModalDamping((0.01, 2.0)), r"of mode 2 = 2 .*percent\? Then write 0\.02"),
    "rayleigh": (
        lambda: RayleighDamping.from_ratios((100.0, 2.0), (500.0, 2.0)),
        r"at 100 Hz = 2 .*Then write 0\.02",
    ),
    "spin": (
        lambda: RigidBody("rotor", 1.0, ("uz",), spin=3000.0),
        r"rotor: spin = 3000 rad/s.* rpm\? Then write 314\.159",
    ),
    "inertia": (
        lambda: RigidBody("rotor", 5.0, DOFS, inertia=(1e4, 1e4, 2e4)),
        r"rotor: inertia.* gyration is 63\.2 m; given in kg mm\^2",
    ),
    "position": (
        lambda: RigidBody("rotor", 5.0, position=(80.0, 0.0, 0.0)),
        r"rotor: position = 80 m.* mm\? Then write 0\.08",
    ),
    "patch": (lambda: annulus(75.0, 115.0), r"annulus: .*reaches to 112\.2 m .*mm\?"),
    "gravity": (lambda: Gravity([BODY], (0.0, 0.0, -9810.0)), r"9810 m/s\^2.* mm/s\^2\?"),
    "force": (lambda: Force(BODY, (5.0, 0.0, 0.0)), r"no dof of 'body' \(uz\)"),
    "torque": (lambda: Torque(BODY, (0.0, 0.0, 5.0)), r"no dof of 'body' \(uz\)"),
}


@pytest.mark.parametrize("kind", SLIPS)
def test_a_slip_of_the_unit_is_said_where_it_is_made(kind):
    make, words = SLIPS[kind]
    with pytest.warns(PlausibilityWarning, match=words) as said:
        make()
    assert said[0].filename == __file__


def test_angles_in_degrees_are_refused_with_the_cure():
    for make in (lambda: Cone(30.0), lambda: cap(0.1, 30.0)):
        with pytest.raises(InputError, match=r"degrees\? Then write radians\(30\)"):
            make()
    Cone(radians(30.0))
    with pytest.raises(InputError, match=r"between 0 and pi/2$"):
        Cone(-0.1)


def test_usual_values_are_silent():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ElastoPlastic(1.5, 1e9).coefficient  # noqa: B018
        ElastoPlastic(1e100, 1e9).coefficient  # noqa: B018  # points that never slide
        ModalDamping((1.0,))
        RigidBody("rotor", 1.0, (*DOFS[:5], "spin"), inertia=INERTIA)
        RigidBody("rotor", 1.0, ("uz",), spin=-1200.0)
        Force(RigidBody("arm", 1.0, ("rz",), inertia=INERTIA), (0.0, 1.0, 0.0))
        Torque(RigidBody("shaft", 1.0, ("spin",), inertia=(0.01, 0.01, 0.02)), (0.0, 0.0, 1.0))
        annulus(0.075, 0.115)


@pytest.fixture(scope="module")
def elastic_plate():
    solid = ElasticSolid(block(0.1, 0.1, 0.02, (2, 2, 1)), Material(2.1e11, 0.3, 7800.0))
    return ElasticBody("plate", reduce_model(solid, ("z_min",), modes=2))


@pytest.mark.parametrize(
    ("mass", "stiffness", "loud"), [(0.01, 1e15, True), (1.0, 1e12, False), (None, 1e18, True)]
)
def test_a_penalty_far_stiffer_than_its_body(elastic_plate, mass, stiffness, loud):
    """A mass of 10 g on 1e15 N/m^3: f = sqrt(c A/m)/(2 pi) is above 1 MHz."""
    if mass is None:
        slave, surface = elastic_plate, elastic_surface(elastic_plate, "z_min")
    else:
        slave, surface = RigidBody("pin", mass, ("uz",)), rectangle(0.1, 0.1)

    def pair(c):
        return ContactPair(
            slave, surface, RigidFace(None, Plane()), PenaltyNormal(c), CoulombSliding(0.3)
        )

    if loud:
        with pytest.warns(
            PlausibilityWarning, match=re.escape(f"contact stiffness {stiffness:.3g} N/m^3")
        ):
            pair(stiffness)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pair(1e12 if loud else stiffness)


def pressed(normal, surface, load, spin=3.0):
    """Ring or pad pressed on a spinning table."""
    pad = RigidBody("pad", 1.0, ("uz",), position=(0.1, 0.0, 0.0))
    table = RigidBody("table", 1.0, (), spin=spin)
    friction = ElastoPlastic(0.3, 1e9)
    pair = ContactPair(pad, surface, RigidFace(table, Plane()), normal, friction)
    return System([pad, table], [pair, Force(pad, (0.0, 0.0, -load))])


LAYER = winkler_layer(modulus=1e8, thickness=1e-3)
PAD = rectangle(0.02, 0.02, (2, 2))


@pytest.mark.parametrize(("share", "loud"), [(0.25, True), (0.1, False)])
def test_a_layer_pressed_in_by_a_fifth_is_said(share, loud):
    """d = F h/(E A) is a quarter of the layer, or a tenth, in statics, sliding and motion."""
    load = share * 1e8 * PAD.measure
    words = r"contact 'contact': points are pressed in by 0\.00025 m, 25% of the layer \(0\.001 m\)"
    sliding, resting = pressed(LAYER, PAD, load), pressed(LAYER, PAD, load, spin=0.0)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        found = steady_state(sliding)
        load_path(StaticSystem(resting), [1.0])
    kept = [w for w in said if "pressed in" in str(w.message)]
    assert len(kept) == (2 if loud else 0)
    assert len(found.advice) == (1 if loud else 0)
    motion = simulate(sliding, 1e-5, sliding.sliding(found.state), step=1e-6)
    assert bool(re.search(words, motion.message)) == loud
    assert all(re.search(words, str(w.message)) for w in kept)


@pytest.mark.parametrize(("share", "loud"), [(0.25, True), (0.1, False)])
def test_a_plate_pressed_in_by_a_fifth_is_said(ritz, share, loud):
    """A clutch sinks into the face of a spinning plate by F/(c A)."""
    plate = SpinningDisc("plate", ritz, 100.0)
    depth, surface, load = share * plate.thickness, annulus(0.09, 0.11, (2, 12)), 10.0
    clutch = RigidBody("clutch", 0.5, ("uz",), spin=80.0, position=(0.0, 0.0, plate.thickness / 2))
    law = PenaltyNormal(load / (surface.measure * depth))
    pair = EulerianPair(clutch, surface, PlateFace(plate), law, CoulombSliding(0.3))
    system = System([clutch, plate], [pair, Force(clutch, (0.0, 0.0, -load))])
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        found = steady_state(system)
    words = rf"pressed in by {depth:.3g} m, 25% of the plate 'plate' \({plate.thickness:.3g} m\)"
    assert [bool(re.search(words, str(w.message))) for w in said] == ([True] if loud else [])
    assert len(found.advice) == (1 if loud else 0)


def test_stiffness_in_newton_per_metre_is_said():
    """1e6 N/m on 4 cm^2 given as 1e6 N/m^3: the pad sinks in by its own size."""
    with pytest.warns(UserWarning, match=r"of the contact surface .*N/m\^3 are meant"):
        steady_state(pressed(PenaltyNormal(1e6), PAD, 10.0))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        steady_state(pressed(PenaltyNormal(1e6 / PAD.measure), PAD, 10.0))
        point = Surface(np.zeros((1, 3)), np.ones(1))
        steady_state(pressed(PenaltyNormal(1e6), point, 10.0))
        steady_state(pressed(PenaltyNormal(1e9), ring(0.1, 4), 10.0))
