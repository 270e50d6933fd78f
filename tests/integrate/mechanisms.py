"""Mechanisms of the tests of explicit and implicit steps with constraints."""

from __future__ import annotations

import numpy as np
from scipy.special import ellipj

import fecontact as fc

G, ANGLE = 9.81, 1.0
DOWN = (0.0, 0.0, -G)


def link(name, mass, position, inertia=(0.02, 0.03, 0.04)):
    return fc.RigidBody(name, mass, fc.DOFS, inertia, position=position)


def swing(t, square):
    """Angle of a pendulum with the square of its small frequency, released at rest."""
    k = np.sin(0.5 * ANGLE)
    _, cn, dn, _ = ellipj(np.sqrt(square) * t, k * k)
    return 2.0 * np.arcsin(k * cn / dn)


def pendulum():
    """A body on a hinge: system, coordinate and square of its small frequency."""
    bob = link("bob", 2.0, (0.0, 0.0, -0.5))
    hinge = fc.Revolute(None, bob, point_b=(0.0, 0.0, 0.5), axis="y", name="hinge")
    system = fc.System([bob], [hinge, fc.Gravity([bob], DOWN)])
    return system, hinge, 2.0 * G * 0.5 / (0.03 + 2.0 * 0.25)


def four_bar():
    """A parallelogram: its coupler translates. Four hinges in space have redundant rows."""
    r, d = 0.4, 0.7
    cranks = [link(f"crank {x}", 0.5, (x, 0.0, -0.5 * r)) for x in (0.0, d)]
    coupler = link("coupler", 1.5, (0.5 * d, 0.0, -r))
    up, down = (0.0, 0.0, 0.5 * r), (0.0, 0.0, -0.5 * r)
    hinges = [
        fc.Revolute(None, crank, point_b=up, axis="y", name=f"base {k}")
        for k, crank in enumerate(cranks)
    ]
    pins = [
        fc.Revolute(coupler, crank, point_b=down, axis="y", name=f"pin {k}")
        for k, crank in enumerate(cranks)
    ]
    bodies = [*cranks, coupler]
    system = fc.System(bodies, [*hinges, *pins, fc.Gravity(bodies, DOWN)])
    J = 2.0 * (0.03 + 0.5 * 0.25 * r**2) + 1.5 * r**2
    return system, hinges[0], G * (0.5 * r + 1.5 * r) / J


def slider_crank(speed=20.0):
    """A crank of given speed moves a slider that rubs on the ground, in space."""
    crank = link("crank", 0.5, (0.05, 0.0, 0.0))
    rod = link("rod", 0.4, (0.25, 0.0, 0.0))
    slider = fc.RigidBody("slider", 1.0, ("ux", "uz"), position=(0.4, 0.0, 0.0))
    base = fc.Revolute(None, crank, point_b=(-0.05, 0.0, 0.0), axis="y", name="base")
    pin = fc.Revolute(crank, rod, point_b=(-0.15, 0.0, 0.0), axis="y", name="pin")
    joint = fc.Spherical(slider, rod, point_b=(0.15, 0.0, 0.0), name="joint")
    drive = fc.PrescribedMotion(base.angle, fc.Speed(speed), name="drive")
    foot = fc.ContactPair(
        slider, fc.Surface(np.zeros((1, 3)), np.ones(1)), fc.RigidFace(None, fc.Plane()),
        fc.PenaltyNormal(1e5, 2e2), fc.ElastoPlastic(0.3, 1e5, 50.0), name="foot",
    )  # fmt: skip
    weight = fc.Force(slider, (0.0, 0.0, -60.0), name="weight")
    system = fc.System([crank, rod, slider], [base, pin, joint, drive, foot, weight])
    guess = system.state(q={"crank.ry": 0.4})
    return system, fc.posed(system, {base.angle: 0.0}, {base.angle: speed}, guess)


def welded_arm():
    """A soft beam on a hinge, with a weight welded to its end and a shaft to its root."""
    rubber = fc.Material(young=5e6, poisson=0.4, density=1200.0)
    solid = fc.ElasticSolid(fc.block(0.3, 0.1, 0.05, cells=(3, 1, 1)), rubber)
    model = fc.reduce_model(solid, ["x_min", "x_max"], modes=3)
    beam = fc.ElasticBody("beam", model, damping=1e-3)
    shaft = link("shaft", 0.5, (-0.02, 0.05, 0.025), (2e-4, 3e-4, 4e-4))
    weight = link("weight", 0.3, (0.34, 0.02, 0.06), (2e-4, 3e-4, 4e-4))
    root = fc.RigidJoint(shaft, beam, point_b="x_min", name="root")
    end = fc.RigidJoint(weight, beam, point_b="x_max", name="end")
    hinge = fc.Revolute(None, shaft, axis="y", name="hinge")
    bodies = [beam, shaft, weight]
    system = fc.System(bodies, [root, hinge, end, fc.Gravity(bodies, DOWN)])
    return system, system.consistent(system.state(v={"beam.ry": 3.0}), keep=()).state
