"""Frequency response of the linearised, preloaded system.

(-w^2 M + i w (D + G) + K + N) y = Z^T F
"""

from __future__ import annotations

import numpy as np

from fecontact.analysis.stability.linearise import LinearModel
from fecontact.errors import InputError, SingularError, warn_caller
from fecontact.typing import Complexes, Floats

__all__ = ["frequency_response"]


def frequency_response(model: LinearModel, frequency: Floats, load: Floats) -> Complexes:
    """Motion (f, n) of the dofs per frequency, Re(x exp(i w t)) under Re(F exp(i w t)).

    The response exists for an unstable system too, but no motion settles on it. There is a warning
    if a frequency is beyond the validity of an elastic body, and if no contact carries load.

    Parameters
    ----------
    model
        Linearised system; with friction as internal variables these are eliminated.
    frequency : (f,)
        In Hz.
    load : (n,)
        Amplitudes F of the load on the dofs, real or complex.

    Examples
    --------
    At resonance damping alone carries the load:

    >>> one = np.eye(1)
    >>> model = LinearModel(one, 0.1 * one, 0 * one, 4.0 * one, 0 * one, {"mass": slice(0, 1)})
    >>> x = frequency_response(model, np.array([1.0 / np.pi]), np.array([3.0]))
    >>> abs(x[0, 0]).round(9).item()
    15.0
    """
    load = np.asarray(load)
    size = len(model.mass if model.basis is None else model.basis)
    if load.shape != (size,):
        raise InputError(f"invalid load of shape {load.shape}: expected ({size},), one per dof")
    if not model.scope.valid(np.asarray(frequency, dtype=float)).all():
        warn_caller(
            f"frequencies up to {np.max(frequency):.4g} Hz are beyond the validity of the bodies, "
            f"{model.scope.valid_to:.4g} Hz"
        )
    model.scope.warn_unloaded()
    s = 2j * np.pi * np.asarray(frequency, dtype=float)[:, None, None]
    stiffness = s**2 * model.mass + s * model.by_rate + model.by_position
    if model.friction is not None:
        slip = model.friction
        bent = np.linalg.solve(
            s * np.eye(len(slip.by_slip)) - slip.by_slip, slip.by_position + s * slip.by_rate
        )
        stiffness = stiffness - slip.force @ bent
    right = np.broadcast_to(model.amplitudes(load.astype(complex)), stiffness.shape[:2])
    try:
        y = np.linalg.solve(stiffness, right[:, :, None])[:, :, 0]
    except np.linalg.LinAlgError as error:
        raise SingularError(
            "a frequency is an undamped natural frequency: the response is infinite; shift it"
        ) from error
    return np.asarray(y if model.basis is None else y @ model.basis.T)
