"""Rigid-body modes that a body is free to make: the one test of supports and springs.

A rigid motion R of the unsupported body is free if it does not move a held unknown and costs no
energy. Energy is judged against the round-off of the matrix that stores it,

    R^T A R <= tolerance max |R|^T |A| |R|,

once for the elastic stiffness and once for the springs to ground: a spring of 1 N/m counts on a
body whose elastic stiffness is 1e10 N/m.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from fecontact.fem.model import FEModel
from fecontact.typing import Floats, Integers

__all__ = ["determinate_support", "free_rigid_body_modes", "rigid_body_modes_of_parts"]

STRAIN_FREE = 1e-12
"""Energy of a rigid motion relative to the sum of its positive and negative parts."""

HELD = 1e-9
"""Motion of a held unknown, relative to the largest of the body, that counts as none."""


def free_rigid_body_modes(model: FEModel, free: Integers | None = None) -> Floats:
    """Rigid-body modes that supports and springs leave free, mass-orthonormal, (n, r), r <= 6.

    They are combinations of the analytic modes of the model: no eigensolver is involved.

    Parameters
    ----------
    model
        Finite-element body. Its springs to ground are told apart from its elasticity if it has
        a property `spring_stiffness`, their part of the stiffness.
    free
        Unknowns that may move; those of the model unless given.
    """
    free = model.free if free is None else free
    return _left_free(model, free, _mass_orthonormal(model.mass, model.rigid_body_modes()))


def determinate_support(R: Floats) -> Integers:
    """As many rows as R (n, r) has columns: held at zero, they exclude the modes R, no more."""
    order = la.qr(R.T, mode="r", pivoting=True)[1]
    return np.asarray(order[: R.shape[1]], dtype=np.int64)


def rigid_body_modes_of_parts(model: FEModel, free: Integers) -> int:
    """Number of rigid-body modes that the parts of a body can make, each on its own.

    Parts are unknowns that no stiffness joins. It exceeds the number of free rigid-body modes of
    the body if parts of it are loose.
    """
    count, part = connected_components(model.stiffness, directed=False)
    R, total = model.rigid_body_modes(), 0
    for index in range(count):
        inside = part == index
        length = np.linalg.norm(R[inside], axis=0)
        modes = la.orth(np.where(inside[:, None], R, 0.0)[:, length > 0.0] / length[length > 0.0])
        total += _left_free(model, free, modes).shape[1]
    return total


def _left_free(model: FEModel, free: Integers, modes: Floats) -> Floats:
    """Orthonormal combinations of the modes that neither supports nor springs resist."""
    held = np.setdiff1d(np.arange(len(modes)), free)
    modes = modes @ _null_space(modes[held], np.max(np.abs(modes), initial=0.0))
    for A in _resisting(model):
        modes = modes @ _without_energy(A, modes)
    modes[held] = 0.0
    return modes


def _mass_orthonormal(M: sp.csr_array, modes: Floats) -> Floats:
    """Basis X of the modes with X^T M X = 1, also for a body far from the origin.

    There a rotation about the origin is a translation almost; the singular value decomposition
    leaves the rotation about the middle of the body. What is zero to round-off is dropped.
    """
    X = la.orth(modes / np.linalg.norm(modes, axis=0))
    for _ in range(2):  # the second pass removes the round-off of the first
        X = X @ la.inv(la.cholesky(X.T @ (M @ X)))
    return np.asarray(X)


def _null_space(A: Floats, scale: float) -> Floats:
    """Orthonormal directions x with A x = 0 to `HELD` of `scale`; A is tall and narrow."""
    small = la.qr(A, mode="r")[0][: A.shape[1]] if len(A) else A
    _, values, rows = la.svd(small, full_matrices=True)
    return np.asarray(rows[np.count_nonzero(values > HELD * scale) :].T)


def _resisting(model: FEModel) -> list[sp.csr_array]:
    """Matrices that may resist rigid-body modes: the elastic part and the springs."""
    springs = getattr(model, "spring_stiffness", None)
    if springs is None or not springs.nnz:
        return [model.stiffness]
    return [sp.csr_array(model.stiffness - springs), springs]


def _without_energy(A: sp.csr_array, modes: Floats) -> Floats:
    """Orthonormal combinations of the modes that cost no energy in A."""
    if not modes.shape[1]:
        return np.zeros((0, 0))
    energy, turn = la.eigh(modes.T @ (A @ modes))
    parts = np.max(np.sum(np.abs(modes) * (abs(A) @ np.abs(modes)), axis=0))
    return np.asarray(turn[:, energy <= STRAIN_FREE * parts])
