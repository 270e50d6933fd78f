"""Mesh error of frequencies: what one polynomial degree more on the same mesh would change.

The frequencies of a finite-element body are too high, because its shapes are restricted; a thin
body of flat tetrahedra or linear cells may be many times too stiff (locking). The bound of
`estimate` compares the reduced with the full model and knows nothing of this. Here each mode is
taken into the richer space of `fecontact.fem.solid.enriched`, improved there by two steps of
inverse iteration with all modes at once, and the Rayleigh quotients lambda+ are compared,

    d = lambda / lambda+ - 1,        f / f_true - 1 ~ sqrt(1 + d / beta) - 1 .

The richer space takes the fraction beta of the error away, measured 0.57 to 1 on plates, beams and
bars with known answers (tests/reduction/test_mesh_error.py); with beta = 2/3 the estimate is
between 0.85 and 2 times the true error there, from fine meshes to a factor of 14 in frequency.
It is an estimate, not a bound. On a mesh with hardly a node inside a wave, such as twelve flat
tetrahedra for a clamped plate, the richer space locks too: 3 times instead of 13. It sees nothing
of a curved edge that straight cells cut off, of wrong material, and of modes that the mesh cannot
show at all.

Morley's plates are not conforming and the shear of Mindlin plates is integrated with few points:
their frequencies may lie on either side, and there is no estimate for them here.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg as la
from scipy.optimize import linear_sum_assignment

from fecontact.fem.model import FEModel
from fecontact.fem.solid.body import ElasticSolid
from fecontact.fem.solid.enriched import enriched
from fecontact.reduction.flexibility import Flexibility, Progress, silent
from fecontact.typing import Floats

__all__ = ["mesh_errors"]

FRACTION = 2.0 / 3.0
"""Fraction beta of the error of omega^2 that the richer space is taken to remove."""

STEPS = 2
"""Steps of inverse iteration."""


def mesh_errors(
    model: FEModel, omega: Floats, shapes: Floats, progress: Progress = silent
) -> Floats | None:
    """Estimate f/f_true - 1 of modes, shape (m,); None for a body without an estimate.

    Parameters
    ----------
    model
        Finite-element body; only an `ElasticSolid` has an estimate.
    omega : (m,)
        Circular frequencies of its modes in rad/s.
    shapes : (n, m)
        Their shapes.
    progress
        Called with the name of each stage as it begins.

    Examples
    --------
    >>> from fecontact.fem import STEEL
    >>> from fecontact.mesh import block
    >>> bar = ElasticSolid(block(0.4, 0.02, 0.004, (6, 1, 1)), STEEL, supports={"x_min": "clamped"})
    >>> [round(float(e), 3) for e in mesh_errors(bar, *Flexibility(bar).modes(2))]
    [0.029, 0.016]
    """
    if not isinstance(model, ElasticSolid):
        return None
    if not len(omega):
        return np.zeros(0)
    finer = enriched(model)
    progress(f"mesh error, {len(finer.free)} unknowns")
    flexibility = Flexibility(finer, progress=progress)
    X = np.zeros((finer.mass.shape[0], len(omega)))
    X[: len(shapes)] = shapes
    start = X
    for _ in range(STEPS):
        squares, X = _ritz(finer, flexibility.static(finer.mass @ X))
    same_shape = np.abs(start.T @ (finer.mass @ X))
    _, partner = linear_sum_assignment(-same_shape)
    d = np.maximum(omega**2 / squares[partner] - 1.0, 0.0)
    return np.asarray(np.sqrt(1.0 + d / FRACTION) - 1.0)


def _ritz(model: ElasticSolid, X: Floats) -> tuple[Floats, Floats]:
    """Rayleigh quotients (m,) and mass-orthonormal vectors (n, m) of a space of shapes."""
    X = X / np.sqrt(np.einsum("ij,ij->j", X, model.mass @ X))
    squares, A = la.eigh(X.T @ (model.stiffness @ X), X.T @ (model.mass @ X))
    return squares, X @ A
