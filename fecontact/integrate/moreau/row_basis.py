"""Independent combinations of constraint rows, for methods that solve with multipliers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fecontact.system.constraints.metric import RowMetric, row_metric
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
        Same as E, of the rows of position level alone.
    shift : (n, p)
        Shortest motions in the metric of the mass, each against one combination of position rows.
    """

    all: Floats
    parts: Floats
    position: Floats
    shift: Floats

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
        return RowBasis(none, none, none, np.zeros((n, 0)))
    metric = row_metric(mass, jacobian)
    combined, parts, shift = _combinations(metric)
    position = combined
    if not position_rows.all():
        own, _, shift = _combinations(row_metric(mass, jacobian[position_rows]))
        position = np.zeros((len(own), len(jacobian)))
        position[:, position_rows] = own
    return RowBasis(combined, parts, position, shift)


def _combinations(metric: RowMetric) -> tuple[Floats, Floats, Floats]:
    """E, F and the motions against E."""
    parts = metric.left.T * metric.lengths
    return metric.left.T * metric.weights, parts, metric.step(parts.T)
