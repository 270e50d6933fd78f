"""Compiled motion of welded bodies: coordinates, velocities and their derivatives.

A welded rigid body follows a marker of its carrier, with the offset c of its centre of mass in the
axes of the marker (x_m, R_m, omega):

    x = x_m + R_m c,      R = R_m,      v = J u,      v' = J u' + N u,

with the velocities u of the carrier, J the map of the marker shifted by c, and N the derivative of
J u along a step at fixed u. The bias b = N u is quadratic in u. Its derivative by u needs no more,
as J comes from a motion of the frame (Maurer-Cartan): with the rotations phi of quaternions in u,

    db/du . d = 2 N d + J (phi x d_phi) - (0, omega x J_omega d) .
"""

from __future__ import annotations

from math import atan2, sqrt

from fecontact.body.lowered import MAPS, OMEGA, POSITION, ROTATION, VELOCITY, place_marker
from fecontact.kernels.arrays import Bundle, part
from fecontact.kernels.decorators import kernel
from fecontact.kernels.sums import add_one, clear, dot_rows
from fecontact.kernels.vectors import Three, cross, three, turned
from fecontact.typing import Floats, Integers

__all__ = ["CARRIER_DOFS", "CARRIER_Q", "CARRIER_SIZE", "CARRIER_V", "CARRIER_WELD", "MARKER",
           "OWN_V", "WeldTable", "bias_slopes", "condense", "follow", "weld_paths",
           "welded_rates"]  # fmt: skip

CARRIER_Q, CARRIER_SIZE, CARRIER_V, CARRIER_DOFS, OWN_Q, OWN_V, MARKER, CARRIER_WELD = range(8)
"""Columns of a weld: coordinates and dofs of the carrier, where they begin and how many; those of
the welded body; where the numbers of the marker begin; the weld of a carrier that is welded itself,
or -1."""
ORIGIN = 3
"""Where the offsets of a weld have the centre of mass in the reference position."""


class WeldTable(Bundle):
    """Welds of a system with n dofs, in the order in which they follow from each other.

    Attributes
    ----------
    table, numbers, offsets : (k, 8), (...), (k, 6)
        Columns as above, markers, and c and reference position of the centre of mass.
    free : (n,)
        1 for dofs that follow from no other.
    maps, changes : (6 k, n)
        J and N of all welded bodies, over all dofs.
    slopes : (6 k, n)
        Derivative of N u by u.
    frame
        Working space: the record of a marker.
    """

    table: Integers
    numbers: Floats
    offsets: Floats
    free: Integers
    maps: Floats
    changes: Floats
    slopes: Floats
    frame: Floats


@kernel
def follow(welds: WeldTable, t: float, q: Floats, v: Floats) -> None:
    """Write coordinates and velocities of welded bodies, and the maps J and N there.

    The old quaternion of a body in q decides the sign of the new one.
    """
    clear(welds.maps)
    clear(welds.changes)
    for k in range(len(welds.table)):
        row, f = welds.table[k], welds.frame
        n = row[CARRIER_DOFS]
        own_q = part(q, row[CARRIER_Q], row[CARRIER_SIZE])
        place_marker(welds.numbers, row[MARKER], t, own_q, part(v, row[CARRIER_V], n), f)
        _shift_maps(f, n, three(welds.offsets[k], 0))
        _place(welds, k, q, v)
        if row[CARRIER_WELD] < 0:
            for i in range(6):
                for j in range(n):
                    welds.maps[6 * k + i, row[CARRIER_V] + j] = f[MAPS + n * i + j]
                    welds.changes[6 * k + i, row[CARRIER_V] + j] = f[MAPS + n * (6 + i) + j]
        else:
            _chain(welds, k, 6 * row[CARRIER_WELD])


@kernel
def _shift_maps(f: Floats, n: int, c: Three) -> None:
    """Maps of the marker's velocity to those of the point with the offset c."""
    omega, step, change = three(f, OMEGA), MAPS, MAPS + 6 * n
    lever = cross(omega, c)
    for j in range(n):
        turn = f[step + 3 * n + j], f[step + 4 * n + j], f[step + 5 * n + j]
        bent = f[change + 3 * n + j], f[change + 4 * n + j], f[change + 5 * n + j]
        arm, swing, twist = cross(turn, c), cross(turn, lever), cross(bent, c)
        moved = turned(f, ROTATION, arm)
        both = swing[0] + twist[0], swing[1] + twist[1], swing[2] + twist[2]
        changed = turned(f, ROTATION, both)
        for i in range(3):
            f[step + n * i + j] += moved[i]
            f[change + n * i + j] += changed[i]


@kernel
def _place(welds: WeldTable, k: int, q: Floats, v: Floats) -> None:
    """Coordinates and velocities of a welded body from the record of its marker."""
    row, f, offset = welds.table[k], welds.frame, welds.offsets[k]
    c, omega, at = three(offset, 0), three(f, OMEGA), row[OWN_Q]
    place, speed = turned(f, ROTATION, c), turned(f, ROTATION, cross(omega, c))
    for i in range(3):
        q[at + i] = f[POSITION + i] + place[i] - offset[ORIGIN + i]
        v[row[OWN_V] + i] = f[VELOCITY + i] + speed[i]
        v[row[OWN_V] + 3 + i] = omega[i]
    _quaternion(part(f, ROTATION, 9), part(q, at + 3, 4))


@kernel
def _quaternion(R: Floats, p: Floats) -> None:
    """Quaternion (4,) of a rotation (9,), with the sign of the one that was there (Shepperd)."""
    trace = R[0] + R[4] + R[8]
    largest, i = trace, -1
    for k in range(3):
        if R[4 * k] > largest:
            largest, i = R[4 * k], k
    if i < 0:
        w = 0.5 * sqrt(1.0 + trace)
        s = 0.25 / w
        new = (w, s * (R[7] - R[5]), s * (R[2] - R[6]), s * (R[3] - R[1]))
    else:
        j, k = (i + 1) % 3, (i + 2) % 3
        own = 0.5 * sqrt(1.0 + R[4 * i] - R[4 * j] - R[4 * k])
        s = 0.25 / own
        w = s * (R[3 * k + j] - R[3 * j + k])
        x, y = s * (R[3 * j + i] + R[3 * i + j]), s * (R[3 * k + i] + R[3 * i + k])
        if i == 0:
            new = (w, own, x, y)
        elif i == 1:
            new = (w, y, own, x)
        else:
            new = (w, x, y, own)
    along = p[0] * new[0] + p[1] * new[1] + p[2] * new[2] + p[3] * new[3]
    sign = -1.0 if along < 0.0 else 1.0
    p[0], p[1], p[2], p[3] = sign * new[0], sign * new[1], sign * new[2], sign * new[3]


@kernel
def _chain(welds: WeldTable, k: int, first: int) -> None:
    """Maps of a body on a carrier that is welded itself, whose maps begin at the row `first`."""
    f, maps, changes = welds.frame, welds.maps, welds.changes
    for i in range(6):
        for j in range(6):
            step, change = f[MAPS + 6 * i + j], f[MAPS + 36 + 6 * i + j]
            add_one(step, maps[first + j], maps[6 * k + i])
            add_one(change, maps[first + j], changes[6 * k + i])
            add_one(step, changes[first + j], changes[6 * k + i])


@kernel
def bias_slopes(welds: WeldTable, v: Floats, turns: Integers) -> None:
    """Write the derivatives of the biases N u by u, after `follow` with the same velocities."""
    J, N, G, n = welds.maps, welds.changes, welds.slopes, len(v)
    for i in range(len(J)):
        for j in range(n):
            G[i, j] = 2.0 * N[i, j]
        for k in range(len(turns)):
            a, b, c = turns[k, 0], turns[k, 1], turns[k, 2]
            if c >= n:
                continue
            x, y, z = v[a], v[b], v[c]
            G[i, a] += J[i, b] * z - J[i, c] * y
            G[i, b] += J[i, c] * x - J[i, a] * z
            G[i, c] += J[i, a] * y - J[i, b] * x
    for k in range(len(welds.table)):
        at, own = 6 * k + 3, welds.table[k, OWN_V] + 3
        x, y, z = v[own], v[own + 1], v[own + 2]
        for j in range(n):
            G[at, j] -= y * J[at + 2, j] - z * J[at + 1, j]
            G[at + 1, j] -= z * J[at, j] - x * J[at + 2, j]
            G[at + 2, j] -= x * J[at + 1, j] - y * J[at, j]


@kernel
def weld_paths(welds: WeldTable, before: Floats, now: Floats, path: Floats) -> None:
    """Increments of the dofs of welded bodies between two positions."""
    for k in range(len(welds.table)):
        at, own = welds.table[k, OWN_Q], welds.table[k, OWN_V]
        for i in range(3):
            path[own + i] = now[at + i] - before[at + i]
        a, b = part(before, at + 3, 4), part(now, at + 3, 4)
        w = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
        x = a[0] * b[1] - b[0] * a[1] - (a[2] * b[3] - a[3] * b[2])
        y = a[0] * b[2] - b[0] * a[2] - (a[3] * b[1] - a[1] * b[3])
        z = a[0] * b[3] - b[0] * a[3] - (a[1] * b[2] - a[2] * b[1])
        length = sqrt(x * x + y * y + z * z)
        factor = 2.0 if length == 0.0 else 2.0 * atan2(length, w) / length
        path[own + 3], path[own + 4], path[own + 5] = factor * x, factor * y, factor * z


@kernel
def condense(welds: WeldTable, matrix: Floats, vector: Floats) -> None:
    """Replace a matrix (n, n) and a vector (n,) by J^T A J and J^T b, over the free dofs.

    Rows and columns of welded bodies become those of the identity, with zero in the vector.
    """
    n = len(vector)
    for k in range(len(welds.table)):
        for i in range(6):
            own, row = welds.table[k, OWN_V] + i, welds.maps[6 * k + i]
            for j in range(n):
                factor = matrix[j, own]
                if factor != 0.0:
                    add_one(factor, row, matrix[j])
                    matrix[j, own] = 0.0
    for k in range(len(welds.table)):
        for i in range(6):
            own, row = welds.table[k, OWN_V] + i, welds.maps[6 * k + i]
            for j in range(n):
                if row[j] != 0.0:
                    add_one(row[j], matrix[own], matrix[j])
                    vector[j] += row[j] * vector[own]
    for k in range(len(welds.table)):
        for i in range(6):
            own = welds.table[k, OWN_V] + i
            vector[own] = 0.0
            for j in range(n):
                matrix[own, j] = 0.0
            matrix[own, own] = 1.0


@kernel
def welded_rates(welds: WeldTable, v: Floats, a: Floats) -> None:
    """Write the accelerations J u' + N u of welded bodies, from those of the free dofs."""
    for k in range(len(welds.table)):
        for i in range(6):
            own, row = welds.table[k, OWN_V] + i, 6 * k + i
            a[own] = dot_rows(v, welds.changes[row])
            a[own] += dot_rows(a, welds.maps[row])
