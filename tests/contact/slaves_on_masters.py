"""Slaves of all kinds on masters of all kinds, with states at which some of their points touch."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

import fecontact as fc
from fecontact.contact import Ring, Torus
from fecontact.contact.history import ContactHistory

H, T = 2e-3, 0.05
INERTIA = (0.1, 0.1, 0.2)
TILTS = ("ux", "uy", "uz", "rx", "ry")
TURNS = fc.TurningFrame((0.1, -0.2, 1.0), 0.4, point=(0.3, 0.1, 0.0))
FACING = fc.annulus_surface(0.2, 0.3, (2, 8), height=0.05)
NORMAL, FRICTION = fc.PenaltyNormal(1e5, 100.0), fc.ElastoPlastic(0.3, 1e5, 50.0)


@cache
def plate():
    supports = {"outer": "simply_supported"}
    whole = fc.HarmonicPlate(0.05, 1.0, 0.1, fc.Material(1e9, 0.3, 1000.0), supports)
    return fc.ritz_harmonic(whole, harmonics=2)


@cache
def block():
    mesh = fc.block(1.0, 1.0, 0.2, cells=(2, 2, 1), cell="tet")
    solid = fc.ElasticSolid(mesh, fc.Material(1e7, 0.3, 1000.0), element="tet1")
    return fc.reduce_model(solid, contact=["z_min", "z_max"], modes=2, method="free")


def elastic(name, height, frame):
    at = (-0.5, -0.5, height)
    return fc.ElasticBody(name, block(), at, frame, geometric_stiffness=False)


SLAVES = {
    "rotor": lambda: fc.RigidBody("slave", 1.0, TILTS, INERTIA, spin=3.0),
    "free rotor": lambda: fc.RigidBody("slave", 1.0, (*TILTS, "spin"), INERTIA),
    "pad": lambda: fc.RigidBody("slave", 1.0, fc.DOFS, INERTIA),
    "disc": lambda: fc.SpinningDisc("slave", plate(), 3.0),
    "disc on a hub": lambda: fc.SpinningDisc("slave", plate(), 3.0, hub=fc.Hub(0.5, 0.1)),
    "free disc": lambda: fc.SpinningDisc("slave", plate(), hub=fc.Hub(0.5, 0.1), spin="free"),
    "elastic": lambda: elastic("slave", 0.0, "free"),
    "elastic fixed": lambda: elastic("slave", 0.0, "fixed"),
    "elastic prescribed": lambda: elastic("slave", 0.0, TURNS),
    "modal": lambda: fc.ModalBody("slave", np.array([30.0, 50.0]), 1.0),
}
BLOCK_LAWS = {
    "elasto-plastic": FRICTION,
    "static": fc.ElastoPlastic(fc.Coulomb(0.3, static=0.5), 1e5, 50.0),
    "LuGre": fc.lugre(0.3, 1e5, 50.0),
}
"""Laws whose only internal variable is the elastic slip."""
TABLE = {"spin": -2.5, "dofs": ("ux", "uy", "uz"), "inertia": INERTIA, "mass": 1.0}
SHAPES = {
    "plane": fc.Plane(),
    "ring": Ring(0.0, 2.0),
    "sphere": fc.Sphere(2.0, (0.0, 0.0, -2.0)),
    "cylinder": fc.Cylinder(0.1),
    "cone": fc.Cone(1.2),
    "torus": Torus(0.25, 0.2),
}
MASTERS = {
    **{
        name: lambda shape=shape: fc.RigidFace(fc.RigidBody("master", **TABLE), shape)
        for name, shape in SHAPES.items()
    },
    "ground": lambda: fc.RigidFace(None, fc.Plane()),
    "moving": lambda: fc.RigidFace(fc.RigidBody("master", 1.0, fc.DOFS, INERTIA), fc.Plane()),
    "spinning freely": lambda: fc.RigidFace(
        fc.RigidBody("master", 1.0, (*TILTS, "spin"), INERTIA), fc.Plane()
    ),
    "facets": lambda: fc.ElasticFace(elastic("master", -0.2, "free"), "z_max"),
    "prescribed facets": lambda: fc.ElasticFace(elastic("master", -0.2, TURNS), "z_max"),
    "plate": lambda: fc.PlateFace(fc.SpinningDisc("master", plate(), -2.5)),
}


def surface_of(kind, body):
    if kind.startswith("elastic"):
        return fc.elastic_surface(body, "z_min", parts=2)
    if kind == "modal":
        shapes = np.random.default_rng(2).standard_normal((len(FACING.points), 3, 2))
        return replace(FACING, shapes=shapes, normals=None)
    return FACING


def made(pair, slave, master, **given):
    body = SLAVES[slave]()
    return pair(body, surface_of(slave, body), MASTERS[master](), NORMAL, FRICTION, **given)


COMBINATIONS = [(slave, master) for slave in SLAVES for master in MASTERS]


def state(pair, rng):
    """Coordinates at the start and the end of a step, and velocities; most points closed."""
    q0, q1, v0, v1 = [], [], [], []
    for body in pair.bodies:
        n = len(body.dofs)
        size = np.full(n, 5e-3)
        m = body.elastic_shapes if isinstance(body, fc.ElasticBody) else None
        if m:
            size[n - m :] = 1e-3 / np.abs(body.attachments.node_shapes).max()
        q0.append(body.move(body.reference(), size * rng.uniform(-1.0, 1.0, n)))
        q1.append(body.move(q0[-1], 0.3 * size * rng.uniform(-1.0, 1.0, n)))
        v0.append(40.0 * size * rng.uniform(-1.0, 1.0, n))
        v1.append(40.0 * size * rng.uniform(-1.0, 1.0, n))
    return [np.concatenate(parts) for parts in (q0, q1, v0, v1)]


def pressed(slave, master, **given):
    """A pair of which some points are open, its states, and a history of all statuses."""
    pair, rng = made(fc.EulerianPair, slave, master, **given), np.random.default_rng(4)
    states = state(pair, rng)
    gap = pair.kinematics(states[1], states[3], T + H).gap
    pair = replace(
        pair,
        surface=replace(pair.surface, gap=float(-np.quantile(gap, 0.7)), normals=None),
    )
    z = 2e-3 * rng.uniform(size=(pair.points, 1)) ** 3 * rng.standard_normal((pair.points, 3))
    totals = rng.uniform(0.0, 1.0, (pair.points, 2))
    return pair, states, ContactHistory(z, rng.integers(0, 3, pair.points), totals)
