"""Flexibility of a body: one factorisation for modes, attachment modes and error estimates.

The stiffness K of a body that can move rigidly is singular. With the mass-orthonormal rigid
motions R and the projector P = 1 - R R^T M, the elastic response to a load f is

    u = K+ f,    K+ = P K_s^-1 P^T,

where K_s is the stiffness with as many unknowns held as there are rigid-body modes (a statically
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

from fecontact.errors import InputError, SingularError, SolverError, at_least, check
from fecontact.fem.model import FEModel
from fecontact.fem.rigid import (
    determinate_support,
    free_rigid_body_modes,
    rigid_body_modes_of_parts,
)
from fecontact.solvers.eigen import fix_signs, inverse_lanczos, is_small
from fecontact.solvers.linear import factorise
from fecontact.typing import Floats, Integers

__all__ = ["Flexibility", "Progress", "silent"]

Progress: TypeAlias = Callable[[str], None]
"""Called with the name of each stage as it begins."""

ROUND_OFF = 1e-14
"""omega^2 relative to its mean trace K / trace M that counts as zero."""


def silent(stage: str) -> None:
    """Progress hook that says nothing."""


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
        self.rigid = free_rigid_body_modes(model, free)
        self._model = model
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
                f"invalid modes = {count}: expected at most the {self.elastic_count} elastic modes"
            )
        if count == 0:
            return np.zeros(0), np.zeros((self.size, 0))
        self._progress(f"eigensolution, {count} modes")
        if is_small(len(self.free), count):
            squares, X = self._dense(count)
        else:
            squares, X = inverse_lanczos(self._K, self._M, count, self._apply)
        self._check_elastic(squares)
        shapes = np.zeros((self.size, count))
        shapes[self.free] = fix_signs(X)
        return np.sqrt(squares), shapes

    def _check_elastic(self, squares: Floats) -> None:
        """Refuse modes without stiffness, or with a negative one."""
        zero = ROUND_OFF * self._K.diagonal().sum() / self._M.diagonal().sum()
        if np.any(squares < -zero):
            raise SolverError(
                "the stiffness matrix is not positive on the elastic motions: "
                "check the sign of springs and prestress, and that K and M belong together"
            )
        if not np.all(squares > zero):
            raise SolverError(_why_singular(self._model, self.free))

    def _dense(self, count: int) -> tuple[Floats, Floats]:
        rigid = self._R.shape[1]
        squares, X = la.eigh(
            self._K.toarray(), self._M.toarray(), subset_by_index=(rigid, rigid + count - 1)
        )
        if rigid:  # of a thin body round-off leaves 1e-8 of the rigid-body modes in the modes
            X = self._project(X)
            X = la.solve_triangular(la.cholesky(X.T @ (self._M @ X)), X.T, trans="T").T
        return squares, X

    def _apply(self, f: Floats) -> Floats:
        """Return K+ f on the free unknowns; f of shape (n,) or (n, columns)."""
        if not self._R.shape[1]:
            return self._solve(f)
        relieved = f - self._MR @ (self._R.T @ f)
        return self._project(self._solve(relieved))

    def _project(self, u: Floats) -> Floats:
        return u - self._R @ (self._MR.T @ u)

    @cached_property
    def _solve(self) -> Callable[[Floats], Floats]:
        """Solve with the stiffness on a statically determinate support; made at first use."""
        self._progress(f"factorisation, {len(self.free)} unknowns")
        inside = np.setdiff1d(np.arange(len(self.free)), determinate_support(self._R))
        supported = len(inside) == len(self.free)
        K = self._K if supported else self._K[inside][:, inside]
        try:
            inverse = factorise(K)
            _check_regular(K, inverse)
        except SingularError as error:
            raise SolverError(_why_singular(self._model, self.free)) from error
        if supported:
            return inverse

        def solve(f: Floats) -> Floats:
            u = np.zeros_like(f)
            u[inside] = inverse(f[inside])
            return u

        return solve


def _check_regular(K: sp.csr_array, inverse: Callable[[Floats], Floats]) -> None:
    """Refuse a stiffness whose inverse has lost its digits.

    The residual is about the relative error of the smallest eigenvalue. It grows with (L/h)^4 for
    a solid of thickness h and length L: at L/h = 1000 it is 1e-4 and the first frequency 0.3 %
    wrong, at L/h = 3000 it is 1e-2 and the frequency wrong by 5 to 30 %.
    """
    f = np.random.default_rng(0).standard_normal(K.shape[0])
    u = inverse(f)
    if not np.linalg.norm(K @ u - f) <= 1e-4 * np.linalg.norm(f):
        raise SingularError("the stiffness matrix is singular to round-off")


def _why_singular(model: FEModel, free: Integers) -> str:
    """Tell loose parts from a body in one piece whose stiffness is singular to round-off."""
    loose = rigid_body_modes_of_parts(model, free) - free_rigid_body_modes(model, free).shape[1]
    if loose > 0:
        return (
            f"the body has loose parts: they can make {loose} rigid-body modes "
            "against each other or "
            "the supports; join them, support each, or reduce them one by one"
        )
    return (
        "the stiffness matrix is singular to round-off, though no part of the body can move "
        "freely: look for needle or flat cells, a solid thinner than 1/500 of its length (take a "
        "plate), cells joined at a node or an edge only, springs that are very soft or negative, "
        "or materials of very different stiffness"
    )
