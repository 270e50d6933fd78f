"""Independent combinations of constraint rows, for methods that solve with multipliers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.linalg import solve_triangular

from fecontact.system.metric import RowMetric, row_metric
from fecontact.typing import Floats

__all__ = ["RowBasis", "row_basis"]


@dataclass(frozen=True)
class RowBasis:
    """Combinations E of the m rows; lam = E^T mu are multipliers of least norm.

    Attributes
    ----------
    all : (r, m)
        E; the Jacobian E A has full rank r.
    parts : (r, m)
        F with E F^T = I: mu = F lam, and values F^T E c of the rows that E sees.
    position : (p, m)
        Same, of the rows of position level alone.
    shift : (n, p)
        Motions against the position rows, orthonormal in the metric of the mass.
    tangential : (n, n)
        Projector on the motions that the rows allow, orthogonal in the metric of the mass.
    """

    all: Floats
    parts: Floats
    position: Floats
    shift: Floats
    tangential: Floats

    def unmet(self, values: Floats) -> Floats:
        """Part (m,) of row values that the combinations do not see."""
        return values - self.parts.T @ (self.all @ values)


def row_basis(mass: Floats, jacobian: Floats, position_rows: npt.NDArray[np.bool_]) -> RowBasis:
    """Independent combinations of the rows A (m, n) in the metric of a mass matrix (n, n).

    Examples
    --------
    >>> twice = row_basis(np.eye(1), np.array([[1.0], [1.0]]), np.array([True, True]))
    >>> abs(twice.all).round(3).tolist()
    [[0.707, 0.707]]
    """
    n = len(mass)
    if not len(jacobian):
        none = np.zeros((0, 0))
        return RowBasis(none, none, none, np.zeros((n, 0)), np.eye(n))
    metric = row_metric(mass, jacobian)
    combined, parts = metric.left.T * metric.weights, metric.left.T * metric.lengths
    against = _motions(metric)
    tangential = np.eye(n) - against @ metric.right @ metric.factor.T
    if position_rows.all():
        return RowBasis(combined, parts, combined, against, tangential)
    upper = row_metric(mass, jacobian[position_rows])
    position = np.zeros((upper.rank, len(jacobian)))
    position[:, position_rows] = upper.left.T * upper.weights
    return RowBasis(combined, parts, position, _motions(upper), tangential)


def _motions(metric: RowMetric) -> Floats:
    """Return L^-T V."""
    return solve_triangular(metric.factor, metric.right.T, lower=True, trans="T")
