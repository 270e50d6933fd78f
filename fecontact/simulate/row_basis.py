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
    """Combinations of the m rows; lam = all^T mu are multipliers of least norm.

    Attributes
    ----------
    all : (r, m)
        Combinations whose Jacobian all @ A has full rank r.
    position : (p, m)
        Same, of the rows of position level alone.
    shift : (n, p)
        Motions against the position rows, orthonormal in the metric of the mass.
    """

    all: Floats
    position: Floats
    shift: Floats

    def unmet(self, values: Floats) -> Floats:
        """Part (m,) of row values that the combinations do not see."""
        if len(self.all) == len(values):
            return np.zeros_like(values)
        return values - np.linalg.pinv(self.all) @ (self.all @ values)


def row_basis(mass: Floats, jacobian: Floats, position_rows: npt.NDArray[np.bool_]) -> RowBasis:
    """Independent combinations of the rows A (m, n) in the metric of a mass matrix (n, n).

    Examples
    --------
    >>> twice = row_basis(np.eye(1), np.array([[1.0], [1.0]]), np.array([True, True]))
    >>> abs(twice.all).round(3).tolist()
    [[0.707, 0.707]]
    """
    if not len(jacobian):
        return RowBasis(np.zeros((0, 0)), np.zeros((0, 0)), np.zeros((len(mass), 0)))
    metric = row_metric(mass, jacobian)
    every = metric.left.T * metric.weights
    if position_rows.all():
        return RowBasis(every, every, _motions(metric))
    upper = row_metric(mass, jacobian[position_rows])
    position = np.zeros((upper.rank, len(jacobian)))
    position[:, position_rows] = upper.left.T * upper.weights
    return RowBasis(every, position, _motions(upper))


def _motions(metric: RowMetric) -> Floats:
    return solve_triangular(metric.factor, metric.right.T, lower=True, trans="T")
