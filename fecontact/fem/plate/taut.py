"""Kirchhoff plates so taut that the slopes of Morley's element come loose: a warning.

The tension N acts on the deflections of the vertices only (`KirchhoffPlate.tension_stiffness`);
normal slopes between vertices at rest are held by bending alone and vibrate from

    omega = 15 sqrt(D/(rho h))/l^2

on, l the longest edge (measured on annuli). Waves of the taut plate run at sqrt(N/(rho h)) times
their wave number. Those with 6 cells per wave meet the slopes at N l^2/D = 200; beyond, false modes
lie among the well resolved ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fecontact.errors import warn_caller
from fecontact.fem.plate.section import PlateSection
from fecontact.typing import Floats

if TYPE_CHECKING:
    from skfem import Basis

__all__ = ["principal_tension", "tautness", "warn_if_taut", "warn_of_fast_spin"]

TAUT = 200.0
"""Ratio N l^2/D of tension to bending on the size of a cell from which on a plate is taut."""

ENDURED = 0.002
"""Elastic strain that a spinning disc of metal hardly survives."""

REMEDY = (
    "false modes of the slopes between the vertices lie among the waves with 6 cells; use smaller "
    "cells, a MindlinPlate or a HarmonicPlate"
)


def tautness(section: PlateSection, basis: Basis, tension: Floats) -> float:
    """Largest ratio N l^2/D of a plate; `tension` (c, q) from `principal_tension`."""
    bending = section.bending(basis)
    D = np.minimum(bending[..., 0, 0], bending[..., 1, 1])
    edges = basis.mesh.p[:, basis.mesh.facets]
    lengths = np.linalg.norm(edges[:, 1] - edges[:, 0], axis=0)[basis.mesh.t2f].max(axis=0)
    return float(np.max(tension * lengths[:, None] ** 2 / D))


def principal_tension(resultants: Floats, basis: Basis) -> Floats:
    """Larger principal resultant (c, q) of N_x, N_y, N_xy, given once (3,) or as (3, c, q)."""
    given = np.asarray(resultants, dtype=float)
    N_x, N_y, N_xy = np.broadcast_to(
        given.reshape(3, *given.shape[1:] or (1, 1)), (3, *basis.dx.shape)
    )
    return np.asarray(0.5 * (N_x + N_y) + np.hypot(0.5 * (N_x - N_y), N_xy))


def warn_if_taut(section: PlateSection, basis: Basis, resultants: Floats) -> None:
    """Warn of tensions that dominate bending on the size of a cell."""
    ratio = tautness(section, basis, principal_tension(resultants, basis))
    if ratio > TAUT:
        warn_caller(
            f"tension outweighs bending on the size of a cell: N l^2/D = {ratio:.3g}, allowed is "
            f"{TAUT:g}; {REMEDY}"
        )


def warn_of_fast_spin(section: PlateSection, basis: Basis, resultants: Floats) -> None:
    """Warn if a disc, with the resultants of unit speed, gets taut at speeds that it endures."""
    tension = principal_tension(resultants, basis)
    ratio = tautness(section, basis, tension)
    if ratio <= 0.0:
        return
    speed = np.sqrt(TAUT / ratio)
    strain = speed**2 * float(np.max(tension / section.stretching(basis)[..., 0, 0]))
    if strain < ENDURED:
        warn_caller(
            f"from {speed:.3g} rad/s on, tension outweighs bending on the size of a cell (N l^2/D "
            f"> {TAUT:g}): {REMEDY}"
        )
