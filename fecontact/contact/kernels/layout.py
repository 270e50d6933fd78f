"""Layout of the working array of a block of contact points.

A block has `BLOCK` points. Its working array `w` holds one row of `BLOCK` numbers per quantity, so
every loop runs along neighbours in memory; a name below is the place of the first number of a row,
those of a vector are three rows, of a matrix nine. Vectors are in the frame of the master, but for
X and V. Loops go over the lanes in use (`contact.kernels.lanes`), the first numbers of a row.
"""

from __future__ import annotations

from itertools import count

__all__ = [
    "BEND",
    "BLOCK",
    "DISTANCE",
    "GAP",
    "GAP_BEFORE",
    "GAP_RATE",
    "HALF",
    "LANES",
    "LIMIT",
    "L_P",
    "L_SPEED",
    "MORE",
    "OLD",
    "OLD_SLIP",
    "P_GAP",
    "P_RATE",
    "ROWS",
    "SHIFT",
    "SHOWN",
    "SHOWN_GAP",
    "SHOWN_LOST",
    "SHOWN_N",
    "SHOWN_OLD_SLIP",
    "SHOWN_P",
    "SHOWN_SHIFT",
    "SHOWN_SPRING",
    "SHOWN_STORED",
    "SHOWN_T",
    "SHOWN_U",
    "SHOWN_WORK",
    "SHOWN_Y",
    "SHOWN_Z",
    "SLID",
    "SPEED",
    "SPRING",
    "STATES",
    "STATUS",
    "T_P",
    "T_S",
    "T_X",
    "T_Z",
    "WORK",
    "F",
    "N",
    "P",
    "U",
    "V",
    "X",
    "Y",
    "Z",
]

BLOCK = 136
"""Points of a block: its shapes stay in the cache between motion and load.

An odd number of lines of the cache (8 numbers each): the first lanes of rows that are a power of
two apart would share few places in it.
"""

_row = count()


def _rows(size: int) -> int:
    """Position of the next `size` rows."""
    first = next(_row)
    for _ in range(size - 1):
        next(_row)
    return BLOCK * first


LANES = _rows(1)
"""How many lanes are in use: its first number."""
X, V = _rows(3), _rows(3)
"""Position and velocity in the frame of the slave."""
Y, U = _rows(3), _rows(3)
"""Position in the frame of the master; slip velocity."""
N = _rows(3)
"""Normal of the master."""
GAP, GAP_RATE, P, LIMIT = _rows(1), _rows(1), _rows(1), _rows(1)
"""Gap with its initial part, its rate, pressure, friction limit."""
Z = _rows(3)
"""Elastic slip: the trial before a friction law, the new one (or its rate) after it."""
F = _rows(3)
"""Traction after a friction law, then the force A (p n + T) of the point."""
WORK, SLID = _rows(1), _rows(1)
"""Slip work per area (slip power); length of the slip (its speed), negative if the point sticks."""
SPRING, STATUS = _rows(1), _rows(1)
"""Stiffness of the bristle; contact status, before and after the law."""
GAP_BEFORE, DISTANCE = _rows(1), _rows(1)
"""Gap at the start of the step; gap without its initial part."""
SHIFT = _rows(3)
"""Displacement of the slave along the master over the step, the part of the trial that it adds."""
OLD_SLIP = V
"""Turned elastic slip at the start of the step: velocities V are not needed any more."""

P_GAP, P_RATE, L_SPEED, L_P = _rows(1), _rows(1), _rows(1), _rows(1)
"""Derivatives of the pressure by gap and gap rate, of the limit by slip speed and pressure."""
BEND = _rows(6)
"""Derivative of the normal by the position: xx, xy, xz, yy, yz, zz."""
T_P, T_Z, T_S, T_X = _rows(3), _rows(9), _rows(9), _rows(9)
"""Derivatives of the traction by pressure, trial slip, slip velocity, shift at a fixed trial."""
OLD, HALF, SPEED = _rows(3), _rows(3), _rows(3)
"""Elastic slip as stored at the start of the step; half a step of the slip there, of bristles on a
slave; elastic velocity in the frame of the slave."""
MORE = _rows(36)
"""Rows that belong to one kernel."""
STATES = _rows(1)
"""Other internal variables: those of the friction law, then those of the normal law."""
ROWS = STATES // BLOCK
"""Rows before those of the internal variables."""

SHOWN_GAP, SHOWN_P, SHOWN_SPRING, SHOWN_WORK = (BLOCK * k for k in range(4))
"""What a report shows of a block, in an array of its own: gap, pressure, stiffness of the bristle,
slip work per area (slip power)."""
SHOWN_STORED, SHOWN_LOST = (BLOCK * k for k in range(4, 6))
"""Energy and loss per area of the normal law."""
SHOWN_N, SHOWN_T, SHOWN_U, SHOWN_Y = (BLOCK * k for k in range(6, 18, 3))
"""Normal, traction, slip velocity, position."""
SHOWN_Z, SHOWN_OLD_SLIP, SHOWN_SHIFT = (BLOCK * k for k in range(18, 27, 3))
"""Elastic slip at the end and at the start of a step, and the displacement between them."""
SHOWN = BLOCK * 27
"""Length of that array."""
