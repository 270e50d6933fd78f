"""Boundaries of stability of random families of matrices, against eigenvalues alone.

Two to five dofs, stiffnesses over three decades, circulatory parts that grow with a parameter,
with and without a band. Just inside an interval that is called unstable a mode in the band grows,
just outside none does, and all values of the grid are where they belong.
"""

from __future__ import annotations

import numpy as np

from fecontact.analysis import LinearModel, MatrixBranch, Scope
from fecontact.analysis.stability.critical import unstable_intervals

NEAR = 1e-5
"""Distance from a boundary at which the verdict is the other one; the parameter goes from 0 to 1. A
growth rate below 1e-9 |z|, which counts as none, may last for a tenth of it."""


def family(seed):
    """Damped matrices with a circulatory part."""
    rng = np.random.default_rng([20, seed])
    n = int(rng.integers(2, 6))
    K = np.diag(10.0 ** rng.uniform(3.0, 6.0, n))
    C = np.diag(10.0 ** rng.uniform(-3.0, 0.0, n)) @ np.sqrt(K)
    A = rng.standard_normal((n, n)) * 10.0 ** rng.uniform(2.0, 6.0)
    band = None if rng.random() < 0.5 else (0.0, float(np.sqrt(np.median(np.diag(K))) / 6.0))

    def model(p):
        return LinearModel.of(np.eye(n), C, K + p * A, {"m": slice(None)}, scope=Scope(band=band))

    return MatrixBranch(model)


def in_band(model):
    """Eigenvalues of the first-order form in the band."""
    M, K, C = model.mass, model.by_position, model.by_rate
    z = np.linalg.eigvals(np.block([[np.zeros_like(M), M], [-K, -C]]))
    f = np.abs(z.imag) / (2.0 * np.pi)
    return z[(model.scope.limits[0] <= f) & (f <= model.scope.limits[1])]


def boundaries(seed):
    """Find the unstable intervals of a family and look at both sides of their ends."""
    branch = family(seed)

    def unstable(p):
        z = in_band(branch.model(p))
        return bool(np.any(z.real > 1e-9 * np.abs(z)))

    grid = np.linspace(0.0, 1.0, 9)
    values = np.array([p for p in grid if len(in_band(branch.model(p)))])
    found = unstable_intervals(branch, values)
    for low, high in found:
        for boundary, out in ((low, -NEAR), (high, NEAR)):
            if boundary not in values:
                assert not unstable(boundary + out), f"unstable beyond the boundary {boundary}"
                assert unstable(boundary - out), f"stable inside the boundary {boundary}"
    for p in values:
        assert unstable(p) == any(low <= p <= high for low, high in found), f"wrong at {p}"
    return "right" if found else "right, never unstable"


TRIALS = [
    ("stability boundaries of random matrices, both sides by eigenvalues", 30, 1000, boundaries)
]
