"""Flexibility of a body: one factorisation for modes, attachment modes and error estimates.

The stiffness K of a body that can move rigidly is singular. With the mass-orthonormal rigid
motions R and the projector P = 1 - R R^T M, the elastic response to a load f is

    u = K+ f,    K+ = P K_s^-1 P^T,

where K_s is the stiffness with as many unknowns held as there are rigid motions (a statically
determinate support). P^T f is the load together with the inertia forces of the rigid
acceleration it causes (inertia relief), so the support carries nothing and its place does not
matter; the outer P makes u orthogonal to R. K+ has the elastic modes of K as eigenvectors and
R as null space: the modes follow from Lanczos on K+ M without any shift, and no rigid
motion can leak into them (inertia relief: Rubin, AIAA J. 13 (1975) 995).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TypeAlias

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

from fecontact.errors import InputError, SolverError, at_least, check
from fecontact.fem.model import FEModel
from fecontact.reduction.basis import fix_signs
from fecontact.solvers.linear import factorise
from fecontact.typing import Floats, Integers

__all__ = ["Flexibility", "Progress", "rigid_modes", "silent"]

Progress: TypeAlias = Callable[[str], None]
"""Called with the name of each stage as it begins."""

DENSE_LIMIT = 400
"""Up to this many free unknowns the dense eigensolver is used."""

STRAIN_FREE = 1e-12
"""Strain energy of a rigid motion relative to the sum of its positive and negative parts."""


def silent(stage: str) -> None:
    """Progress hook that says nothing."""


def rigid_modes(model: FEModel, free: Integers | None = None) -> Floats:
    """Rigid motions that the supports and springs leave free, mass-orthonormal, (n, r).

    They are combinations of the analytic motions of the model: no eigensolver is involved.

    Parameters
    ----------
    model
        Finite-element body.
    free
        Unknowns that may move; those of the model unless given.
    """
    free = model.free if free is None else free
    motions, M, K = model.rigid_motions(), model.mass, model.stiffness
    motions = motions @ la.inv(la.cholesky(motions.T @ (M @ motions)))
    held = np.setdiff1d(np.arange(M.shape[0]), free)
    motions = motions @ _null_space(motions[held], np.max(np.abs(motions), initial=0.0))
    if motions.shape[1]:
        energy, turn = la.eigh(motions.T @ (K @ motions))
        without_cancellation = np.max(np.sum(np.abs(motions) * (abs(K) @ np.abs(motions)), axis=0))
        motions = motions @ turn[:, energy <= STRAIN_FREE * without_cancellation]
    motions[held] = 0.0
    return motions


def _null_space(A: Floats, scale: float) -> Floats:
    """Orthonormal directions x with A x = 0 to 1e-9 of `scale`; A is tall and narrow."""
    small = la.qr(A, mode="r")[0][: A.shape[1]] if len(A) else A
    _, values, rows = la.svd(small, full_matrices=True)
    return rows[np.count_nonzero(values > 1e-9 * scale) :].T


class Flexibility:
    """Elastic flexibility K+ of a body with its supports.

    Parameters
    ----------
    model
        Finite-element body.
    held
        Unknowns that are held in addition to the supports (fixed interface).
    progress
        Called with the name of each stage as it begins.
    """

    def __init__(
        self, model: FEModel, held: Integers | None = None, progress: Progress = silent
    ) -> None:
        free = model.free if held is None else np.setdiff1d(model.free, held)
        if not len(free):
            raise InputError("the supports hold all unknowns: nothing is left to reduce")
        self.size: int = model.mass.shape[0]
        self.free = free
        self.rigid = rigid_modes(model, free)
        self._progress = progress
        self._K = model.stiffness[free][:, free]
        self._M = model.mass[free][:, free]
        self._R = self.rigid[free]
        self._MR = self._M @ self._R

    @property
    def elastic_count(self) -> int:
        """Number of elastic modes of the body."""
        return len(self.free) - int(self._R.shape[1])

    def static(self, loads: Floats) -> Floats:
        """Elastic displacement K+ f under each column of `loads`, shape (n, columns)."""
        displacement = np.zeros((self.size, loads.shape[1]))
        displacement[self.free] = self._apply(loads[self.free])
        return displacement

    def modes(self, count: int) -> tuple[Floats, Floats]:
        """Lowest `count` elastic modes: omega in rad/s (count,), shapes (n, count)."""
        check("modes", count, at_least(0))
        if count > self.elastic_count:
            raise InputError(
                f"modes = {count} is not possible: the body has {self.elastic_count} elastic modes"
            )
        if count == 0:
            return np.zeros(0), np.zeros((self.size, 0))
        self._progress(f"eigensolution, {count} modes")
        dense = len(self.free) <= DENSE_LIMIT or count > len(self.free) // 2
        squares, X = self._dense(count) if dense else self._lanczos(count)
        if not np.all(squares > 0.0):
            raise SolverError(
                "the stiffness matrix is not positive on the elastic motions: "
                "check the sign of springs and prestress, and that K and M belong together"
            )
        shapes = np.zeros((self.size, count))
        shapes[self.free] = fix_signs(X)
        return np.sqrt(squares), shapes

    def _dense(self, count: int) -> tuple[Floats, Floats]:
        rigid = self._R.shape[1]
        squares, X = la.eigh(
            self._K.toarray(), self._M.toarray(), subset_by_index=(rigid, rigid + count - 1)
        )
        return squares, X if rigid == 0 else self._project(X)

    def _lanczos(self, count: int) -> tuple[Floats, Floats]:
        inverse = LinearOperator(self._K.shape, matvec=self._apply, dtype=float)
        start = self._project(np.random.default_rng(0).standard_normal(len(self.free)))
        try:
            squares, X = eigsh(self._K, count, self._M, sigma=0.0, OPinv=inverse, v0=start)
        except ArpackNoConvergence as error:
            raise SolverError(
                f"the eigensolver did not converge to {count} modes: ask for fewer modes, and "
                "check that the body hangs together and its materials are of similar stiffness"
            ) from error
        order = np.argsort(squares)
        return squares[order], X[:, order]

    def _apply(self, f: Floats) -> Floats:
        """Return K+ f on the free unknowns; f of shape (n,) or (n, columns)."""
        relieved = f - self._MR @ (self._R.T @ f)
        return self._project(self._solve(relieved))

    def _project(self, u: Floats) -> Floats:
        return u - self._R @ (self._MR.T @ u)

    @cached_property
    def _solve(self) -> Callable[[Floats], Floats]:
        """Solve with the stiffness on a statically determinate support; made at first use."""
        self._progress(f"factorisation, {len(self.free)} unknowns")
        rigid = self._R.shape[1]
        inside = np.arange(len(self.free))
        if rigid:
            inside = np.setdiff1d(inside, la.qr(self._R.T, mode="r", pivoting=True)[1][:rigid])
        K = self._K[inside][:, inside]
        inverse = factorise(K)
        _check_regular(K, inverse)

        def solve(f: Floats) -> Floats:
            u = np.zeros_like(f)
            u[inside] = inverse(np.ascontiguousarray(f[inside]))
            return u

        return solve


def _check_regular(K: sp.csr_array, inverse: Callable[[Floats], Floats]) -> None:
    """Refuse a stiffness with zero-energy motions that are not rigid motions of the body."""
    f = np.random.default_rng(0).standard_normal(K.shape[0])
    u = inverse(f)
    if not np.linalg.norm(K @ u - f) <= 1e-4 * np.linalg.norm(f):
        raise SolverError(
            "the stiffness matrix is singular beyond the rigid motions of the body: "
            "look for loose parts, unused nodes or mechanisms, or support them"
        )
