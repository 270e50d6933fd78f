"""Random meshes of a cantilever: estimated against true mesh error of its first bending.

Length 20 to 300 times the height, width 2 to 6 times, 1 to 60 cells along, 1 to 3 across, of all
elements and of uneven length, vertices in random order. Without contraction the answer is known,

    omega = 1.875104^2 sqrt(E h^2/(12 rho))/L^2     (Euler-Bernoulli; shear takes about (h/L)^2),

and the frequency on the mesh is from right to fifty times too high.
"""

from __future__ import annotations

import warnings

import numpy as np

from fecontact.fem import ElasticSolid, Material
from fecontact.fem.solid.body import ELEMENTS
from fecontact.mesh import block
from fecontact.reduction.flexibility import Flexibility
from fecontact.reduction.mesh_error import mesh_errors

ROD = Material(2e11, 0.0, 8000.0)
LOW, HIGH = 0.5, 5.0
SHEAR = 20.0
"""Errors below this number times (h/L)^2 are not judged: so large is that of the closed form."""


def cantilever(rng, element):
    """Length, height and solid."""
    height = 10.0 ** rng.uniform(-4, -1)
    length, width = height * 10.0 ** rng.uniform(1.3, 2.5), height * rng.uniform(2.0, 6.0)
    cells = int(10 ** rng.uniform(0, 1.78)), int(rng.integers(1, 4)), int(rng.integers(1, 4))
    mesh = block(length, width, height, cells, element[:3])
    x = mesh.p[0] / length
    p = mesh.p.copy()
    p[0] = length * (x + rng.uniform(-0.12, 0.12) * np.sin(2 * np.pi * x) * (1 - x))
    order = rng.permutation(mesh.nvertices)
    shuffled = np.empty_like(p)
    shuffled[:, order] = p
    moved = type(mesh)(shuffled, order[mesh.t])
    facets = moved.facets_satisfying(lambda x: np.abs(x[0]) < 1e-9 * length, boundaries_only=True)
    mesh = moved.with_boundaries({"root": facets})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return length, height, ElasticSolid(mesh, ROD, element, {"root": "clamped"})


def estimate(seed):
    """Judge the first mode that bends across the height."""
    rng = np.random.default_rng([61, seed])
    length, height, solid = cantilever(rng, list(ELEMENTS)[seed % len(ELEMENTS)])
    omega, shapes = Flexibility(solid).modes(min(10, len(solid.free) - 1))
    estimated = mesh_errors(solid, omega, shapes)
    tip = np.argmax(solid.nodes[:, 0])
    u, v, w = np.abs(shapes.reshape(-1, 3, len(omega))[tip])
    twist = _twists(solid, shapes, length)
    bends = np.flatnonzero((w > 3.0 * v) & (w > 3.0 * u) & ~twist)
    if not len(bends):
        return "without a mode that bends"
    exact = 1.875104**2 * 5000.0 * height / np.sqrt(12.0) / length**2
    true = omega[bends[0]] / exact - 1.0
    if true < SHEAR * (height / length) ** 2:
        return "too small to judge"
    ratio = estimated[bends[0]] / true
    assert LOW < ratio < HIGH, f"estimate {estimated[bends[0]]:.3g}, true {true:.3g}"
    far = ", more than twice too high" if true > 1.0 else ""
    return f"within 0.5 to 5 times the true error{far}"


def _twists(solid, shapes, length):
    """Whether w changes its sign across the width of the tip."""
    on = np.isclose(solid.nodes[:, 0], length) & np.isclose(solid.nodes[:, 2], 0.0)
    w = shapes[2::3][on]
    return w.min(axis=0) * w.max(axis=0) < -0.01 * np.abs(w).max(axis=0) ** 2


TRIALS = [("mesh error of random cantilevers of tet1, tet2, hex1, hexS2, hex2", 10, 500, estimate)]
