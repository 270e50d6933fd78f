"""Derivatives of eigenvalues by parameters, from left and right vectors.

    dz/dp = -y^H (z^2 dM/dp + z d(D + G)/dp + d(K + N)/dp) x,      y^H (2 z M + D + G) x = 1

The derivatives of the matrices are taken along the steady branch: the steady state moves with the
parameter. They are central differences of fourth order, so no eigenvalue problem is solved twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from fecontact.analysis.stability.complex_modes import ComplexModes
from fecontact.analysis.stability.operating_point import OperatingPoint, operating_point, point_near
from fecontact.errors import InputError, unknown, warning_once
from fecontact.system import System
from fecontact.system.family import Family
from fecontact.typing import Complexes, Floats

__all__ = ["by_matrices", "sensitivities"]

STENCIL = ((1, 2.0 / 3.0), (2, -1.0 / 12.0))

STEP = 1e-3
"""Step relative to the parameter."""


def by_matrices(modes: ComplexModes, dM: Floats, dD: Floats, dK: Floats) -> Complexes:
    """Derivatives (k,) of all eigenvalues for given derivatives of M, D + G and K + N."""
    z, x, y = modes.eigenvalues, modes.amplitudes, modes.left.conj()
    change = z**2 * (dM @ x) + z * (dD @ x) + dK @ x
    return np.asarray(-np.einsum("ij,ij->j", y, change))


@warning_once()
def sensitivities(
    build: Callable[..., System],
    parameters: Mapping[str, Any],
    names: Sequence[str],
    step: float = STEP,
) -> tuple[OperatingPoint, dict[str, Complexes]]:
    """Derivatives of all eigenvalues by keywords of a build function.

    Parameters
    ----------
    build
        Makes the system from keywords.
    parameters
        Their values.
    names
        Keywords to differentiate by; their values must be numbers other than zero.
    step
        Step of the differences, relative to the value.

    Returns
    -------
    point
        The operating point with its modes.
    derivatives
        Keyword -> dz/dp (k,) in 1/s per unit of the parameter, in the order of the modes.
    """
    family = Family(build)
    point = operating_point(family(**parameters))
    found = {}
    for name in names:
        if name not in parameters:
            raise unknown("parameter", name, parameters)
        value = float(parameters[name])
        if value == 0.0:
            raise InputError(
                f"invalid {name} = 0: expected other than 0, as the difference step is relative"
            )
        derivatives = _differences(family, parameters, name, value * step, point)
        found[name] = by_matrices(point.modes, *derivatives)
    return point, found


def _differences(
    build: Callable[..., System],
    parameters: Mapping[str, Any],
    name: str,
    step: float,
    point: OperatingPoint,
) -> tuple[Floats, Floats, Floats]:
    """Derivatives of M, D + G and K + N along the steady branch."""

    def matrices(shift: float) -> Floats:
        system = build(**{**parameters, name: float(parameters[name]) + shift})
        model = point_near(system, point).model
        return np.array([model.mass, model.by_rate, model.by_position])

    total = np.zeros((3, *point.model.mass.shape))
    for count, weight in STENCIL:
        total += weight / step * (matrices(count * step) - matrices(-count * step))
    return total[0], total[1], total[2]
