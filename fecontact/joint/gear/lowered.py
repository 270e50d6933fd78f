"""Gear meshes as compiled programs see them; the equations are those of `joint.gear.gap`.

Numbers: n_q, n, where the two markers and the parts of the relative motion begin (displacement of
the centres, direction of the axis of gear b, relative rotation), then those of `GEAR`. All is done
in the coordinates E and B; the gaps of the flanks are E + B and E - B. A mesh is a force element,
or a flank of it is a constraint, see `joint.lowered.rows`; then +1 or -1 for the front or the rear
flank is in the place of the stiffness.
"""

from __future__ import annotations

from dataclasses import replace
from math import acos, atan2, cos, floor, sin, sqrt, tan
from typing import TYPE_CHECKING, Any

import numpy as np

from fecontact.body.lowered import (
    MAPS,
    OMEGA,
    ROTATION,
    SPIN,
    add_d_load,
    frame_size,
    marker_sizes,
    pack_marker,
    place_marker,
    spin_angle,
)
from fecontact.joint.lowered.frame_loads import add_force, law_tangents, to_dofs
from fecontact.joint.lowered.relative_motion import (
    ANGULAR_VELOCITY,
    DIRECTION,
    DISPLACEMENT,
    relative_motion,
    second_motion,
)
from fecontact.joint.lowered.rows import add_end, row_memory
from fecontact.kernels.arrays import after, matrix, part, viewed
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import (
    FAILED,
    LOST,
    ONLY_BY_V,
    PARAMETERS,
    STORED,
    SUPPLIED,
    TANGENTS,
    TIME,
    Lowered,
    Packing,
    Record,
    record,
)
from fecontact.kernels.sums import clear
from fecontact.kernels.vectors import Three, dot, turned, turned_back
from fecontact.typing import Floats

if TYPE_CHECKING:
    from fecontact.joint.gear.gap import FlankGaps

__all__ = ["lowered_flank", "lowered_gear"]

GEAR = 5
"""Where the numbers of the gears begin: stiffness, damping, sum of the base radii, both of them,
cosine and sine of the helix angle, base pitch, origin of E and B, frame (3, 3) with the axis last.
"""
STIFFNESS, DAMPING, SUM, FIRST, SECOND, COS, SIN, PITCH, ORIGIN, FRAME = (
    GEAR, GEAR + 1, GEAR + 2, GEAR + 3, GEAR + 4, GEAR + 5, GEAR + 6, GEAR + 7, GEAR + 8,
    GEAR + 10,
)  # fmt: skip
SPACE = 925 + 12
"""Numbers that the mesh needs beside the frame records and 24 n."""


@kernel(fastmath=True)
def _scaled(a: float, x: Three, b: float, y: Three) -> Three:
    """A x + b y."""
    return a * x[0] + b * y[0], a * x[1] + b * y[1], a * x[2] + b * y[2]


@kernel(fastmath=True)
def _axis(p: Floats, j: int) -> Three:
    """Axis j of the gears, in the components of gear a."""
    return p[FRAME + j], p[FRAME + 3 + j], p[FRAME + 6 + j]


@kernel(fastmath=True)
def _see_material(f: Floats) -> None:
    """Let the angular velocity of a frame be that of its material."""
    for i in range(3):
        f[OMEGA + i] += f[SPIN + i]
        f[SPIN + i] = 0.0


@kernel(fastmath=True)
def _gaps(p: Floats, f_a: Floats, f_b: Floats, parts: Floats, spun: float) -> Three:
    """E and B relative to closed gaps, and the centre distance; that is negative if too small."""
    x, y, z = (
        parts[0] * p[FRAME] + parts[2] * p[FRAME + 3] + parts[4] * p[FRAME + 6],
        parts[0] * p[FRAME + 1] + parts[2] * p[FRAME + 4] + parts[4] * p[FRAME + 7],
        parts[0] * p[FRAME + 2] + parts[2] * p[FRAME + 5] + parts[4] * p[FRAME + 8],
    )
    axis = parts[6], parts[8], parts[10]
    S, r_b, a = p[SUM], p[SECOND], sqrt(x * x + y * y)
    if a <= S:
        return 0.0, 0.0, -1.0
    e_x, e_y = _axis(p, 0), _axis(p, 1)
    b_x = turned_back(f_a, ROTATION, turned(f_b, ROTATION, e_x))
    b_y = turned_back(f_a, ROTATION, turned(f_b, ROTATION, e_y))
    twist = atan2(dot(e_y, b_x) - dot(e_x, b_y), dot(e_x, b_x) + dot(e_y, b_y))
    raised = z + r_b / S * (x * dot(axis, e_x) + y * dot(axis, e_y))
    alpha = acos(S / a)
    B = p[COS] * (S * atan2(y, x) - r_b * twist - spun) + p[SIN] * raised - p[ORIGIN + 1]
    turns = floor(B / p[PITCH] + 0.5)
    return p[COS] * S * (tan(alpha) - alpha) - p[ORIGIN], B - turns * p[PITCH], a


@kernel(fastmath=True)
def _put(A: Floats, row: int, column: int, factor: float, x: Three, y: Three) -> None:
    """Add factor x y^T to a block of a matrix."""
    for i in range(3):
        for j in range(3):
            A[row + i, column + j] += factor * x[i] * y[j]


@kernel(fastmath=True)
def _gradient(p: Floats, parts: Floats, a: float, S: Floats, change: Floats) -> None:
    """Gradient S (2, 9) of E and B by the parts, and its derivative (2, 9, 9)."""
    e_x, e_y, e = _axis(p, 0), _axis(p, 1), _axis(p, 2)
    r, axis = (parts[0], parts[2], parts[4]), (parts[6], parts[8], parts[10])
    x, y = dot(r, e_x) / a, dot(r, e_y) / a
    c, t = _scaled(x, e_x, y, e_y), _scaled(-y, e_x, x, e_y)
    alpha, r_b = acos(p[SUM] / a), p[SECOND]
    sine, cosine = p[COS] * sin(alpha), p[COS] * cos(alpha)
    opened, lever = 1.0 + dot(e, axis), p[SIN] * r_b / p[SUM]
    k = _scaled(1.0 / opened, e, 1.0 / opened, axis)
    tilt = _scaled(lever * dot(axis, e_x), e_x, lever * dot(axis, e_y), e_y)
    for i in range(3):
        S[0, i], S[0, 3 + i], S[0, 6 + i] = sine * c[i], 0.0, 0.0
        S[1, i] = cosine * t[i] + p[SIN] * e[i] + tilt[i]
        S[1, 3 + i], S[1, 6 + i] = lever * a * c[i], -p[COS] * r_b * k[i]
    for i in range(9):
        for j in range(9):
            change[0, i, j] = change[1, i, j] = 0.0
    _put(change[0], 0, 0, (cosine / tan(alpha) - sine) / a, c, c)
    _put(change[1], 0, 0, -cosine / a, c, t)
    _put(change[1], 0, 0, -cosine / a, t, c)
    turning = p[COS] * r_b / opened
    _put(change[1], 6, 3, turning, k, e)
    for i in range(3):
        change[1, 6 + i, 3 + i] -= turning
    for unit in (e_x, e_y):
        _put(change[0], 0, 0, sine / a, unit, unit)
        _put(change[1], 0, 3, lever, unit, unit)
        _put(change[1], 3, 0, lever, unit, unit)


@kernel(fastmath=True)
def _law(
    p: Floats, E: float, B: float, E_rate: float, B_rate: float, load: Floats, by_s: Floats,
    by_rate: Floats,
) -> tuple[float, float]:  # fmt: skip
    """Load on E and B with its derivatives; returns the stored energy and the lost power."""
    stiffness, damping = p[STIFFNESS], p[DAMPING]
    stored = lost = 0.0
    for i in range(2):
        load[i] = 0.0
        for j in range(2):
            by_s[i, j] = by_rate[i, j] = 0.0
    for flank in range(2):
        sign = 1.0 - 2.0 * flank
        gap, rate = E + sign * B, E_rate + sign * B_rate
        if gap >= 0.0:
            continue
        stored += 0.5 * stiffness * gap**2
        pushed = min(stiffness * gap + damping * rate, 0.0)
        lost += rate * (pushed - stiffness * gap)
        load[0] += pushed
        load[1] += sign * pushed
        if pushed < 0.0:
            for i in range(2):
                for j in range(2):
                    way = sign if i != j else 1.0
                    by_s[i, j] += way * stiffness
                    by_rate[i, j] += way * damping
    return stored, lost


@kernel(fastmath=True)
def _times(S: Floats, G_0: Floats, G: Floats) -> None:
    """S G_0 (2, 12)."""
    for i in range(2):
        for c in range(12):
            G[i, c] = 0.0
        for m in range(9):
            part = S[i, m]
            for c in range(12):
                G[i, c] += part * G_0[m, c]


@kernel(fastmath=True)
def _bend(
    G_0: Floats, parts: Floats, change: Floats, load: Floats, row: Floats, H: Floats, D: Floats
) -> None:
    """Add the change of the gradient: to the derivatives of the rates, and of the Jacobian."""
    for i in range(2):
        for m in range(9):
            part = 0.0
            for n in range(9):
                part += parts[2 * n + 1] * change[i, n, m]
            for c in range(12):
                D[i, c] += part * G_0[m, c]
    for m in range(9):
        for c in range(12):
            row[c] = 0.0
        for n in range(9):
            part = load[0] * change[0, m, n] + load[1] * change[1, m, n]
            if part != 0.0:
                for c in range(12):
                    row[c] += part * G_0[n, c]
        for c in range(12):
            for j in range(12):
                H[c, j] -= G_0[m, c] * row[j]


@kernel(fastmath=True)
def _see(
    p: Floats, t: float, q: Floats, v: Floats, f_a: Floats, f_b: Floats, w: Floats
) -> tuple[float, float, float, float, float]:
    """E, B, their rates, and the centre distance, which is negative if it is too small.

    Writes the frames, and into `w` the parts of the relative motion with their Jacobian, the
    gradient with its derivative, and the Jacobian of E and B.
    """
    at_a, at_b = int(p[2]), int(p[3])
    q_a, n_a = marker_sizes(p, at_a)
    place_marker(p, at_a, t, part(q, 0, q_a), part(v, 0, n_a), f_a)
    place_marker(p, at_b, t, after(q, q_a), after(v, n_a), f_b)
    _see_material(f_a)
    _see_material(f_b)
    parts, G_0 = part(w, 0, 18), matrix(w, 18, 9, 12)
    S, change = matrix(w, 126, 2, 9), part(w, 144, 162).reshape((2, 9, 9))
    relative_motion(p, int(p[4]), False, f_a, f_b, parts, G_0)
    spun = p[FIRST] * spin_angle(p, at_a, t, part(q, 0, q_a))
    spun += p[SECOND] * spin_angle(p, at_b, t, after(q, q_a))
    E, B, a = _gaps(p, f_a, f_b, parts, spun * p[FRAME + 8])
    E_rate = B_rate = 0.0
    if a > 0.0:
        _gradient(p, parts, a, S, change)
        for m in range(9):
            E_rate += S[0, m] * parts[2 * m + 1]
            B_rate += S[1, m] * parts[2 * m + 1]
        _times(S, G_0, matrix(w, 306, 2, 12))
    return E, B, E_rate, B_rate, a


@kernel(fastmath=True)
def _bend_all(p: Floats, f_a: Floats, f_b: Floats, load: Floats, w: Floats, H: Floats) -> None:
    """Second derivatives of E and B: those of a load from H, those of the rates into `w`."""
    parts, G_0 = part(w, 0, 18), matrix(w, 18, 9, 12)
    S, change = matrix(w, 126, 2, 9), part(w, 144, 162).reshape((2, 9, 9))
    D, pull, D_0 = matrix(w, 330, 2, 12), part(w, 354, 9), matrix(w, 817, 9, 12)
    for m in range(9):
        pull[m] = S[0, m] * load[0] + S[1, m] * load[1]
    second_motion(p, int(p[4]), False, f_a, f_b, pull, H, D_0)
    _times(S, D_0, D)
    _bend(G_0, parts, change, load, after(w, 925), H, D)


@kernel(fastmath=True)
def _mesh(
    p: Floats, t: float, q: Floats, v: Floats, own: Floats, force: Floats, by_q: Floats,
    by_v: Floats, task: float, head: Floats,
) -> bool:  # fmt: skip
    """Force of the mesh, with tangents or powers; False if the teeth are out of mesh."""
    at_a, at_b = int(p[2]), int(p[3])
    (q_a, n_a), (_, n_b) = marker_sizes(p, at_a), marker_sizes(p, at_b)
    size_a = MAPS + 15 * n_a
    end = size_a + MAPS + 15 * n_b
    f_a, f_b, w = part(own, 0, size_a), part(own, size_a, end - size_a), after(own, end)
    G, D = matrix(w, 306, 2, 12), matrix(w, 330, 2, 12)
    load, wrench = part(w, 363, 2), part(w, 365, 12)
    by_s, by_rate = matrix(w, 377, 2, 2), matrix(w, 381, 2, 2)
    E, B, E_rate, B_rate, a = _see(p, t, q, v, f_a, f_b, w)
    if a < 0.0 or abs(B) - E > 0.25 * p[PITCH]:
        return False
    stored, lost = _law(p, E, B, E_rate, B_rate, load, by_s, by_rate)
    head[LOST], head[STORED] = lost, stored
    for c in range(12):
        wrench[c] = G[0, c] * load[0] + G[1, c] * load[1]
    for j in range(n_a + n_b):
        force[j] = 0.0
    add_force(f_a, part(wrench, 0, 6), n_a, True, part(force, 0, n_a))
    add_force(f_b, after(wrench, 6), n_b, True, after(force, n_a))
    supplied = load[0] * E_rate + load[1] * B_rate
    for j in range(n_a + n_b):
        supplied += force[j] * v[j]
    head[SUPPLIED] = supplied
    if task != TANGENTS:
        return True
    H, A, M = (
        matrix(w, 385, 12, 12), matrix(w, 529, 12, 12), matrix(w, 673, 12, 12)
    )  # fmt: skip
    for c in range(12):
        for j in range(12):
            H[c, j] = A[c, j] = M[c, j] = 0.0
    _bend_all(p, f_a, f_b, load, w, H)
    law_tangents(G, D, by_s, by_rate, A, H, M)
    to_dofs(H, A, M, f_a, f_b, n_a, n_b, True, after(w, 925), by_q, by_v)
    add_d_load(p, at_a, part(q, 0, q_a), f_a, part(wrench, 0, 6), -1.0, 0, by_q)
    add_d_load(p, at_b, after(q, q_a), f_b, after(wrench, 6), -1.0, n_a, by_q)
    return True


def _gear_mesh(pointer: Any, parameters: Any, task: float) -> float:
    """An elastic gear mesh."""
    p = viewed(parameters, PARAMETERS)
    w = record(pointer, p)
    good = _mesh(p, w.head[TIME], w.q, w.v, w.own, w.force, w.by_q, w.by_v, task, w.head)
    return 0.0 if good else FAILED


@kernel(fastmath=True)
def _flank(p: Floats, w: Record, task: float) -> bool:
    """The row g' = E' +- B' = 0 of a flank; False if the teeth are out of mesh."""
    at_a, at_b, sign, n = int(p[2]), int(p[3]), p[STIFFNESS], len(w.v)
    (q_a, n_a), (_, n_b) = marker_sizes(p, at_a), marker_sizes(p, at_b)
    size_a, first = MAPS + 15 * n_a, row_memory(n, 1)
    f_a, f_b = part(w.own, first, size_a), part(w.own, first + size_a, MAPS + 15 * n_b)
    x = after(w.own, first + size_a + MAPS + 15 * n_b)
    _, _, E_rate, B_rate, a = _see(p, w.head[TIME], w.q, w.v, f_a, f_b, x)
    if a < 0.0:
        return False
    lam = w.own[0]
    w.own[1], w.own[2], w.own[3] = 0.0, E_rate + sign * B_rate, 0.0
    A, slopes = matrix(w.own, 4, 1, n), matrix(w.own, 4 + n, 1, n)
    clear(A)
    clear(slopes)
    G, D, load, wrench = (
        matrix(x, 306, 2, 12),
        matrix(x, 330, 2, 12),
        part(x, 363, 2),
        after(x, 365),
    )
    H, none = matrix(x, 385, 12, 12), matrix(x, 529, 12, 12)
    second = task == TANGENTS
    clear(H)
    load[0], load[1] = -lam, -sign * lam
    if second:
        _bend_all(p, f_a, f_b, load, x, H)
    for c in range(12):
        wrench[c] = G[0, c] * load[0] + G[1, c] * load[1]
        G[0, c] += sign * G[1, c]
        D[0, c] += sign * D[1, c]
    add_end(f_a, n_a, 0, 0, G[:1], D[:1], True, second, A, slopes)
    add_end(f_b, n_b, 6, n_a, G[:1], D[:1], True, second, A, slopes)
    if second and w.head[ONLY_BY_V] == 0.0:
        clear(none)
        to_dofs(H, none, none, f_a, f_b, n_a, n_b, True, after(x, 925), w.by_q, w.by_v)
        add_d_load(p, at_a, part(w.q, 0, q_a), f_a, part(wrench, 0, 6), -1.0, 0, w.by_q)
        add_d_load(p, at_b, after(w.q, q_a), f_b, after(wrench, 6), -1.0, n_a, w.by_q)
    return True


def _flank_row(pointer: Any, parameters: Any, task: float) -> float:
    """A rigid gear mesh: one row of velocity level."""
    p = viewed(parameters, PARAMETERS)
    return 0.0 if _flank(p, record(pointer, p), task) else FAILED


def lowered_flank(gaps: FlankGaps, sign: float) -> Lowered | None:
    """The front (+1) or rear (-1) flank of a rigid mesh; None if a body has no such form."""
    found = lowered_gear(gaps, sign, 0.0, np.zeros(2))
    if found is None:
        return None
    memory = row_memory(int(found.parameters[1]), 1) + found.memory
    return replace(found, code=_flank_row, memory=memory)


def lowered_gear(
    gaps: FlankGaps, stiffness: float, damping: float, origin: Floats
) -> Lowered | None:
    """A mesh with its constants, and E and B of closed gaps; None if a body has no such form."""
    pair, gears = gaps.pair, gaps.gears
    n_q = sum(len(body.reference()) for body in pair.bodies)
    n = sum(len(body.dofs) for body in pair.bodies)
    packing = Packing(n_q, n, 0, 0, 0, stiffness, damping, gears.base_sum, *gears.base_radii)
    packing.extend([cos(gears.helix), sin(gears.helix), gears.normal_base_pitch, origin])
    packing.add(gaps.frame)
    a, b = (pack_marker(packing, marker) for marker in pair.markers)
    if a is None or b is None:
        return None
    rows = packing.add([3, 2, 9])
    axis, none = gaps.frame[:, 2], np.zeros(3)
    for kind, direction in ((DISPLACEMENT, none), (DIRECTION, axis), (ANGULAR_VELOCITY, none)):
        packing.extend([[kind], direction])
    numbers = packing.numbers
    numbers[2:5] = a, b, rows
    sizes = [int(numbers[at + 2]) for at in (a, b)]
    memory = sum(map(frame_size, sizes)) + SPACE + 24 * sum(sizes)
    return Lowered(_gear_mesh, numbers, memory)
