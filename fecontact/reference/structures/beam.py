"""Frequencies of straight uniform beams: Euler-Bernoulli and Timoshenko, all classic ends.

    kGA (w'' - theta') + m omega^2 w = 0
    EI theta'' + kGA (w' - theta) + J omega^2 theta = 0

with mass m and rotary inertia J per length (Timoshenko 1921); Euler-Bernoulli is the limit
kGA -> infinity, J = 0. Below the cut-off omega^2 = kGA/J the solution consists of cos, sin and two
exponentials, each anchored at the end where it is 1, so that the frequency determinant stays
bounded at any frequency. Source of the end conditions and wave numbers: Blevins, Formulas for
Natural Frequency and Mode Shape (1979), tables 8-1 and 8-16.
"""

from __future__ import annotations

import numpy as np

from fecontact.errors import POSITIVE, at_least, check, one_of
from fecontact.reference.structures.roots import ascending_roots
from fecontact.typing import Floats

__all__ = ["BEAM_ENDS", "BLEVINS_1979", "beam_frequencies", "shear_flexible_frequency"]

BEAM_ENDS = ("free", "pinned", "clamped", "guided")
BLEVINS_1979 = {
    ("free", "free"): (4.73004, 7.85320, 10.99561),
    ("free", "pinned"): (3.92660, 7.06858, 10.21018),
    ("free", "clamped"): (1.87510, 4.69409, 7.85476),
    ("free", "guided"): (2.36502, 5.49780, 8.63938),
    ("pinned", "pinned"): (3.14159, 6.28319, 9.42478),
    ("pinned", "clamped"): (3.92660, 7.06858, 10.21018),
    ("pinned", "guided"): (1.57080, 4.71239, 7.85398),
    ("clamped", "clamped"): (4.73004, 7.85320, 10.99561),
    ("clamped", "guided"): (2.36502, 5.49780, 8.63938),
    ("guided", "guided"): (3.14159, 6.28319, 9.42478),
}
"""Ends -> three wave numbers k L of the thin beam, as printed in table 8-1 of Blevins."""
RIGID_MODES = {
    ("free", "free"): 2,
    ("free", "pinned"): 1,
    ("free", "guided"): 1,
    ("guided", "guided"): 1,
}


def beam_frequencies(
    length: float,
    bending_stiffness: float,
    mass_per_length: float,
    left: str,
    right: str,
    count: int = 1,
    *,
    shear_stiffness: float = np.inf,
    rotary_inertia: float = 0.0,
) -> Floats:
    """Lowest bending frequencies in Hz, rigid modes (0 Hz) included.

    Parameters
    ----------
    length, bending_stiffness, mass_per_length
        L in m, EI in N m^2, m in kg/m.
    left, right
        "free", "pinned", "clamped" or "guided" (no rotation, free to move sideways).
    count
        Number of frequencies.
    shear_stiffness, rotary_inertia
        kGA in N and J = rho I in kg m; the defaults are the Euler-Bernoulli beam.

    Examples
    --------
    >>> f = beam_frequencies(1.0, 1.0, 1.0, "clamped", "free", 2)
    >>> np.sqrt(2 * np.pi * f).round(5).tolist()
    [1.8751, 4.69409]
    """
    check("length", length, POSITIVE, "m")
    check("bending_stiffness", bending_stiffness, POSITIVE, "N m^2")
    check("mass_per_length", mass_per_length, POSITIVE, "kg/m")
    check("left", left, one_of(BEAM_ENDS))
    check("right", right, one_of(BEAM_ENDS))
    check("count", count, at_least(1))
    pair = (left, right) if (left, right) in RIGID_MODES else (right, left)
    rigid = min(RIGID_MODES.get(pair, 0), count)
    unit = np.sqrt(bending_stiffness / mass_per_length) / length**2
    shear = bending_stiffness / (shear_stiffness * length**2)
    rotary = rotary_inertia / (mass_per_length * length**2)
    cut_off = (shear * rotary) ** -0.25 if shear * rotary > 0.0 else np.inf
    wave_numbers = ascending_roots(
        lambda b: _determinant(b, shear, rotary, left, right),
        count - rigid,
        start=0.1,
        step=0.04,
        end=cut_off,
    )
    return np.concatenate([np.zeros(rigid), wave_numbers**2 * unit / (2.0 * np.pi)])


def shear_flexible_frequency(
    wave_number: float, stiffness: float, mass: float, shear_stiffness: float, rotary: float
) -> float:
    """Frequency in Hz of the wave sin(k x) in a shear-flexible beam or plate, lower branch.

    The smaller root of  (m J/S) x^2 - (m + k^2 (J + B m/S)) x + B k^4 = 0,  x = omega^2: exact for
    pinned beams (B = EI, k = n pi/L) and for rectangular plates with hard simple supports
    (B = D, S = kappa G h, J = rho h^3/12, k^2 = (m pi/a)^2 + (n pi/b)^2).

    Examples
    --------
    >>> round(2 * np.pi * shear_flexible_frequency(2.0, 1.0, 1.0, 1e12, 0.0), 9)
    4.0
    """
    k2 = wave_number**2
    middle = mass + k2 * (rotary + stiffness * mass / shear_stiffness)
    product = 4.0 * mass * rotary / shear_stiffness * stiffness * k2**2
    square = 2.0 * stiffness * k2**2 / (middle + np.sqrt(middle**2 - product))
    return float(np.sqrt(square) / (2.0 * np.pi))


def _determinant(b: Floats, shear: float, rotary: float, left: str, right: str) -> Floats:
    """Frequency determinant for wave numbers b, omega = b^2, in units L = EI = m = 1."""
    square = b**4
    middle = square * (rotary + shear)
    root = np.sqrt(middle**2 + 4.0 * square * (1.0 - rotary * shear * square))
    a = np.sqrt(0.5 * (middle + root))
    c = np.sqrt(0.5 * np.maximum(root - middle, 0.0))
    wave = a - square * shear / a
    decay = c + square * shear / np.maximum(c, 1e-12)
    ends = ((0.0, left), (1.0, right))
    rows = [_end(x, kind, a, c, wave, decay, square * rotary) for x, kind in ends]
    matrix = np.moveaxis(np.concatenate(rows), -1, 0)
    return np.linalg.det(matrix)


def _end(
    x: float, kind: str, a: Floats, c: Floats, wave: Floats, decay: Floats, rotary: Floats
) -> Floats:
    """Two conditions of the four functions at the end x, shape (2, 4, samples)."""
    cos, sin = np.cos(a * x), np.sin(a * x)
    first, last = np.exp(-c * x), np.exp(-c * (1.0 - x))
    theta = np.array([-wave * sin, wave * cos, -decay * first, decay * last])
    moment = np.array([-a * wave * cos, -a * wave * sin, c * decay * first, c * decay * last])
    bend = np.array([a**2, a**2, -(c**2), -(c**2)])
    conditions = {
        "w": np.array([cos, sin, first, last]),
        "theta": theta / a,
        "moment": moment / a**2,
        "force": (bend - rotary) * theta / a**3,
    }
    wanted = {
        "free": ("moment", "force"),
        "pinned": ("w", "moment"),
        "clamped": ("w", "theta"),
        "guided": ("theta", "force"),
    }[kind]
    return np.stack([conditions[name] for name in wanted])
