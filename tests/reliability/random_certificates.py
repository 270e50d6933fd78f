"""Certificates of random assemblies against full solutions by another way.

One or two elastic blocks rub on a disc that spins, tilts and moves in soft or stiff bearings, with
springs and dampers at nodes. A block is held on one side, or floats between bushings. Materials,
meshes, penalties, friction, damping, reduction methods and numbers of modes are random. The full
solution is a reduced system with all modes of each block, whose matrices are full ones and whose
coordinates, steady state and eigenvalues have no code in common with the sparse model. A mode is
found again by its left and right vectors.
"""

from __future__ import annotations

import warnings
from typing import NamedTuple

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

import fecontact as fc
from fecontact.errors import SolverError
from fecontact.fem.damping import RayleighDamping

SUPPORTS = ("z_max", "x_min", "y_max")
LEAST, MOST = 1.0 / 3.0, 10.0

ROUND_OFF = 1e-8
"""Relative error of the full solution: its matrices are full, with frequencies up to 1 MHz."""


class Built(NamedTuple):
    """A system, and its elastic bodies."""

    system: fc.System
    pads: list[fc.ElasticBody]


def solids(rng):
    """One or two blocks with supports on one side."""
    found = []
    for _ in range(int(rng.integers(1, 3))):
        size = rng.uniform(0.02, 0.06), rng.uniform(0.015, 0.04), rng.uniform(0.006, 0.02)
        cells = tuple(int(n) for n in rng.integers(1, 4, 3))
        material = fc.Material(
            10.0 ** rng.uniform(9.0, 11.3), rng.uniform(0.0, 0.4), rng.uniform(1e3, 8e3)
        )
        mesh = fc.block(*size, cells=cells)
        held = {} if rng.random() < 0.25 else {str(rng.choice(SUPPORTS)): "clamped"}
        found.append(fc.ElasticSolid(mesh, material, supports=held))
    return found


def assembly(seed, every=False):
    """A random assembly; with `every` the blocks have all their modes."""
    rng = np.random.default_rng([23, seed])
    meshes = solids(rng)
    method = str(rng.choice(["rubin", "rubin", "craig-bampton", "free"]))
    modes, tolerance = int(rng.integers(3, 11)), 10.0 ** rng.uniform(-2.0, -0.5)
    damping = [0.0, RayleighDamping(rng.uniform(0.0, 20.0), 10.0 ** rng.uniform(-8.0, -6.5))]
    damping = damping[int(rng.integers(2))]
    across = 10.0 ** rng.uniform(-3.0, -2.0)
    disc = fc.RigidBody(
        "disc", rng.uniform(0.3, 3.0), ("ux", "uy", "uz", "rx", "ry"),
        inertia=(across, across, across * rng.uniform(0.5, 1.9)), spin=rng.uniform(10.0, 300.0),
    )  # fmt: skip
    stiffness = 10.0 ** rng.uniform(5.0, 7.5)
    items = [
        fc.Bearing(
            disc, stiffness, stiffness * rng.uniform(0.1, 1.0), rng.uniform(0.0, 20.0),
            rng.uniform(0.0, 20.0), tilt_stiffness=stiffness * 10.0 ** rng.uniform(-4.0, -2.5),
        ),
        fc.Force(disc, (0.0, 0.0, rng.uniform(20.0, 2e3))),
    ]  # fmt: skip
    mu = rng.uniform(0.1, 0.9)
    friction = mu if rng.random() < 0.5 else fc.Stribeck(0.7 * mu, mu, rng.uniform(0.5, 5.0))
    pads, where = [], [(0.06, -0.02, 0.0), (-0.12, -0.02, 0.0)]
    for i, solid in enumerate(meshes):
        given = {"method": method, "modes": modes}
        if method != "free":
            given["tolerance"] = tolerance
        floats = not solid.supports
        if every:
            given = {"method": "free", "modes": len(solid.free) - 6 * floats}
        reduced = fc.reduce_model(solid, contact="z_min", **given)
        frame = "free" if floats else "fixed"
        pad = fc.ElasticBody(f"pad {i}", reduced, where[i], frame, damping, False)
        if floats:
            items += bushings(rng, pad, i, stiffness)
        face = fc.elastic_surface(pad, "z_min")
        layer = fc.PenaltyNormal(10.0 ** rng.uniform(10.0, 12.5), 10.0 ** rng.uniform(0.0, 4.0))
        items.append(
            fc.ContactPair(
                pad, face, fc.RigidFace(disc, fc.Plane()), layer, fc.CoulombSliding(friction),
                name=f"contact {i}",
            )
        )  # fmt: skip
        pads.append(pad)
        if rng.random() < 0.5:
            free = solid.geometry.points[rng.permutation(len(solid.geometry.points))[0]]
            spring = fc.SpringDamper(
                None, pad, 10.0 ** rng.uniform(3.0, 6.0), 10.0 ** rng.uniform(-1.0, 1.0),
                point_a=tuple(free + np.array(where[i]) + rng.uniform(0.02, 0.1, 3)),
                point_b=tuple(free), name=f"spring {i}",
            )  # fmt: skip
            items.append(spring)
    return Built(fc.System([*pads, disc], items), pads)


def bushings(rng, pad, index, stiffness):
    """Two bushings at nodes of a block."""
    nodes, holds = pad.model.geometry.points, []
    for k, node in enumerate(rng.permutation(len(nodes))[:2]):
        rates = (*(stiffness * rng.uniform(0.1, 1.0, 3)), 10.0, 10.0, 10.0)
        place = tuple(nodes[node])
        holds.append(fc.Bushing(None, pad, rates, point=place, name=f"bushing {index} {k}"))
    return holds


class Physical(NamedTuple):
    """Eigenvalues (k,) with left and right vectors (n, k) in the nodes."""

    z: np.ndarray
    right: np.ndarray
    left: np.ndarray


def physical(built, point):
    """Modes of a point in all displacements, times the root of the mass of their coordinates."""
    modes, parts = point.modes, built.system.slices

    def moved(vectors):
        rows = []
        for body in built.system.bodies:
            own = vectors[parts[body.name]]
            if isinstance(body, fc.ElasticBody):
                own, model = own[len(own) - body.elastic_shapes :], body.model
                rows.append(vectors[parts[body.name]][: -body.elastic_shapes])
                own = model.basis[:, model.rigid :] @ own
            rows.append(own)
        return np.concatenate(rows)

    return Physical(modes.eigenvalues, moved(modes.vectors), moved(point.model.dofs(modes.left)))


def paired(one, two):
    """For each mode of one, one to one, the mode of two that has most in common with it."""

    def alike(A, B):
        A, B = (X / np.linalg.norm(X, axis=0) for X in (A, B))
        return np.abs(A.conj().T @ B)

    likeness = np.sqrt(alike(one.right, two.right) * alike(one.left, two.left))
    near = np.abs(one.z[:, None] - two.z) / (np.abs(one.z)[:, None] + 1.0)
    return linear_sum_assignment(near - likeness)[1]


class Judged(NamedTuple):
    """Estimates and true errors (k,) of the modes that have one; numbers of pairs and refusals.

    `least` is the error that the full solution may have itself.
    """

    modes: np.ndarray
    estimate: np.ndarray
    error: np.ndarray
    least: np.ndarray
    pairs: int
    refused: int

    @property
    def wrong(self):
        """Which estimates are below a third of the true error, or more than ten times above."""
        low = self.estimate + self.least < LEAST * self.error
        return low | (self.estimate > MOST * self.error + self.least)


def judged(seed):
    """Certificate of an assembly beside its true errors; a `SolverError` if it has no state."""
    built = assembly(seed)
    top = 0.6 * min(pad.model.next_frequency for pad in built.pads) / (2.0 * np.pi)
    band = (0.0, min(top, 1e5))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        point = fc.operating_point(built.system, band=band, certify=True)
        full = assembly(seed, every=True)
        reference = fc.operating_point(full.system, band=band)
    own, true = physical(built, point), physical(full, reference)
    partner, found = paired(own, true), point.certificate
    known = np.flatnonzero(found.status < 2)
    error = np.empty(len(known))
    for k, i in enumerate(known):
        modes = [found.modes[i], found.partner[i]][: 1 + found.status[i]]
        error[k] = abs(np.mean(own.z[modes]) - np.mean(true.z[partner[modes]]))
    count = np.bincount(found.status, minlength=3)
    least = ROUND_OFF * np.abs(found.z[known])
    return Judged(found.modes[known], found.estimate[known], error, least, count[1], count[2])


def certificate(seed):
    """No estimate below a third of the true error, none more than ten times above."""
    try:
        found = judged(seed)
    except SolverError as error:
        return f"no steady state ({type(error).__name__})"
    for k in np.flatnonzero(found.wrong):
        pytest.fail(f"mode {found.modes[k]}: {found.estimate[k]:.3g}, true {found.error[k]:.3g}")
    return "some modes not certifiable" if found.refused else "all modes certified"


TRIALS = [
    (
        "certificates of reduced modes of random assemblies against full solutions: estimate a "
        "third to ten times the true error",
        3,
        100,
        certificate,
    )
]
