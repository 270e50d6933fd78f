"""Compiled contact of all points with a rigid surface: one pass over the shapes, block by block.

For a block of points the motion X = x + Phi e, V = Phi e' is formed in the frame of the slave,
taken to the frame of the master,

    Y = A X + b,      U = A V + C X + d        (relative velocity),

the laws give the forces F, and Phi^T A^T F is added up while the block of Phi is still in the
cache: Phi is read from memory once. Every block writes its own sums, which are added in their
order; so results do not depend on the number of threads.

Sums of a block: force (3) and moment about the master's origin (3) in its frame, moment about the
slave's origin (3) in the slave's frame, power of F on the relative velocity; of ADVANCE only, the
power of the dampers and the slip work; then Phi^T A^T F.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fecontact.contact._fused_laws import (
    BLOCK,
    LIMIT,
    PATH,
    RATE,
    ROWS,
    F,
    G,
    N,
    P,
    U,
    V,
    X,
    Y,
    Z,
    distance,
    flow_map,
    friction_limit,
    pressure,
    yield_map,
)
from fecontact.contact._kernels import STICK
from fecontact.solvers.compiled import compiled, streaming
from fecontact.typing import Floats, Integers

__all__ = [
    "ADVANCE",
    "FEET",
    "FLOW",
    "FORCE_SUMS",
    "STEP",
    "Laws",
    "Points",
    "added",
    "contact_blocks",
    "damper_power",
    "relative_frame",
    "slip_work",
]

STEP, ADVANCE, FLOW, FEET = range(4)
"""What to evaluate: a trial or an accepted time step, the continuous law, or only the feet."""

FORCE_SUMS = 12
"""Sums of a block before those of the modes."""

B = BLOCK
WIDTH = 3 * BLOCK


class Points(NamedTuple):
    """Points of a slave, block by block and padded with copies of the last one of no weight.

    Attributes
    ----------
    size, modes
        Number of points and of shapes.
    places, shapes : (blocks * 3 * BLOCK,), (blocks * modes * 3 * BLOCK,)
        Per block, and mode: all x, then all y, then all z.
    weights, gap : (blocks * BLOCK,)
        Measure of each point, and its initial gap.
    """

    size: int
    modes: int
    places: Floats
    shapes: Floats
    weights: Floats
    gap: Floats


class Laws(NamedTuple):
    """Surface, normal law and friction law, as `_fused_laws` reads them."""

    shape: int
    shape_par: Floats
    normal: int
    normal_par: Floats
    breaks: Floats
    cubics: Floats
    friction: int
    friction_par: Floats
    speeds: Floats
    pressures: Floats
    table: Floats
    stiffness: float
    damping: float


@streaming
def _deform(points: Points, block: int, elastic: Floats, rate: Floats, w: Floats) -> None:
    """X = x + Phi e and V = Phi e'."""
    modes, at = points.modes, block * WIDTH
    places = points.places[at : at + WIDTH]
    for i in range(WIDTH):
        w[X + i] = places[i]
        w[V + i] = 0.0
    at *= modes
    fours = modes - modes % 4
    for k in range(0, fours, 4):
        a, b, c, d = elastic[k], elastic[k + 1], elastic[k + 2], elastic[k + 3]
        e, f, g, h = rate[k], rate[k + 1], rate[k + 2], rate[k + 3]
        shapes = _rows(points.shapes, at, k, 4)
        for i in range(WIDTH):
            s0, s1 = shapes[i], shapes[WIDTH + i]
            s2, s3 = shapes[2 * WIDTH + i], shapes[3 * WIDTH + i]
            w[X + i] += (a * s0 + b * s1) + (c * s2 + d * s3)
            w[V + i] += (e * s0 + f * s1) + (g * s2 + h * s3)
    for k in range(fours, modes):
        shapes = _rows(points.shapes, at, k, 1)
        for i in range(WIDTH):
            w[X + i] += elastic[k] * shapes[i]
            w[V + i] += rate[k] * shapes[i]


@streaming
def _rows(shapes: Floats, at: int, mode: int, count: int) -> Floats:
    """Shapes of `count` modes of the block that starts at `at`.

    A part of its own: indices that cannot be negative allow vector instructions.
    """
    first = at + mode * WIDTH
    return shapes[first : first + count * WIDTH]


@streaming
def _see(frame: Floats, w: Floats) -> None:
    """Places Y in the frame of the master."""
    a, b, c, p = frame[0], frame[1], frame[2], frame[9]
    d, e, f, q = frame[3], frame[4], frame[5], frame[10]
    g, h, k, r = frame[6], frame[7], frame[8], frame[11]
    for i in range(B):
        x, y, z = w[X + i], w[X + B + i], w[X + 2 * B + i]
        w[Y + i] = a * x + b * y + c * z + p
        w[Y + B + i] = d * x + e * y + f * z + q
        w[Y + 2 * B + i] = g * x + h * y + k * z + r


@streaming
def _slide(frame: Floats, gap: Floats, w: Floats) -> None:
    """Gap rate, slip velocity U, and the gap with its initial part (without it: PATH)."""
    a, b, c = frame[0], frame[1], frame[2]
    d, e, f = frame[3], frame[4], frame[5]
    g, h, k = frame[6], frame[7], frame[8]
    l0, l1, l2, p = frame[12], frame[13], frame[14], frame[21]
    m0, m1, m2, q = frame[15], frame[16], frame[17], frame[22]
    n0, n1, n2, r = frame[18], frame[19], frame[20], frame[23]
    for i in range(B):
        x, y, z = w[X + i], w[X + B + i], w[X + 2 * B + i]
        u, v, t = w[V + i], w[V + B + i], w[V + 2 * B + i]
        s0 = (a * u + b * v + c * t) + (l0 * x + l1 * y + l2 * z + p)
        s1 = (d * u + e * v + f * t) + (m0 * x + m1 * y + m2 * z + q)
        s2 = (g * u + h * v + k * t) + (n0 * x + n1 * y + n2 * z + r)
        x, y, z = w[N + i], w[N + B + i], w[N + 2 * B + i]
        rate = x * s0 + y * s1 + z * s2
        w[RATE + i] = rate
        w[U + i], w[U + B + i], w[U + 2 * B + i] = s0 - rate * x, s1 - rate * y, s2 - rate * z
        w[PATH + i] = w[G + i]
        w[G + i] += gap[i]


@streaming
def _fetch(z: Floats, w: Floats) -> None:
    """Elastic slip of the points to Z; none where a block has no point."""
    for i in range(len(z)):
        w[Z + i], w[Z + B + i], w[Z + 2 * B + i] = z[i, 0], z[i, 1], z[i, 2]
    for i in range(len(z), B):
        w[Z + i] = w[Z + B + i] = w[Z + 2 * B + i] = 0.0


@streaming
def _try(anchor: Floats, old: Floats, w: Floats) -> None:
    """From z in Z the trial slip Z = Q z + (I - n n^T)(y - anchor); Q z replaces V."""
    for i in range(B):
        n0, n1, n2 = w[N + i], w[N + B + i], w[N + 2 * B + i]
        o0, o1, o2 = old[i], old[B + i], old[2 * B + i]
        z0, z1, z2 = w[Z + i], w[Z + B + i], w[Z + 2 * B + i]
        x0, x1, x2 = w[Y + i], w[Y + B + i], w[Y + 2 * B + i]
        x0, x1, x2 = x0 - anchor[i], x1 - anchor[B + i], x2 - anchor[2 * B + i]
        path = n0 * x0 + n1 * x1 + n2 * x2
        share = (n0 * z0 + n1 * z1 + n2 * z2) / (1.0 + (n0 * o0 + n1 * o1 + n2 * o2))
        z0, z1, z2 = z0 - share * (o0 + n0), z1 - share * (o1 + n1), z2 - share * (o2 + n2)
        w[V + i], w[V + B + i], w[V + 2 * B + i] = z0, z1, z2
        w[Z + i] = z0 + (x0 - path * n0)
        w[Z + B + i] = z1 + (x1 - path * n1)
        w[Z + 2 * B + i] = z2 + (x2 - path * n2)


@streaming
def _flatten(w: Floats) -> None:
    """Part of Z in the tangent plane."""
    for i in range(B):
        n0, n1, n2 = w[N + i], w[N + B + i], w[N + 2 * B + i]
        along = n0 * w[Z + i] + n1 * w[Z + B + i] + n2 * w[Z + 2 * B + i]
        w[Z + i] -= along * n0
        w[Z + B + i] -= along * n1
        w[Z + 2 * B + i] -= along * n2


@streaming
def _foot(w: Floats, row: int, anchor: Floats, old: Floats) -> None:
    """Keep the feet of the points on the surface, at the distances in a row, and the normals."""
    for i in range(B):
        distance = 0.0 if w[row + i] == np.inf else w[row + i]
        for k in range(0, 3 * B, B):
            old[k + i] = w[N + k + i]
            anchor[k + i] = w[Y + k + i] - distance * w[N + k + i]


@streaming
def _keep(w: Floats, z: Floats) -> None:
    """Take Z to the points."""
    for i in range(len(z)):
        z[i, 0], z[i, 1], z[i, 2] = w[Z + i], w[Z + B + i], w[Z + 2 * B + i]


@streaming
def slip_work(mode: Integers, weights: Floats, w: Floats, grip: Floats) -> float:
    """Slip work of a step, with the mean friction of both ends, also where points close or open.

    `grip` is the friction of points at the start of the step, negative where they stuck: there it
    is about the limit; it is replaced.
    """
    work = 0.0
    for i in range(len(mode)):
        limit = w[LIMIT + i]
        before = grip[i] if grip[i] >= 0.0 else limit
        work += weights[i] * 0.5 * (before + limit) * w[PATH + i]
        grip[i] = limit if mode[i] != STICK else -1.0
    return work


@streaming
def damper_power(laws: Laws, h: float, weights: Floats, w: Floats) -> float:
    """Power of the dampers: (p at rest - p) g' and beta_t |(z - Q z_n)/h|^2; P stays."""
    power, factor = 0.0, laws.damping / h**2
    for i in range(B):
        a, b, c = (
            w[Z + i] - w[V + i],
            w[Z + B + i] - w[V + B + i],
            w[Z + 2 * B + i] - w[V + 2 * B + i],
        )
        power += weights[i] * (factor * (a * a + b * b + c * c) - w[P + i] * w[RATE + i])
        w[PATH + i], w[LIMIT + i] = w[RATE + i], w[P + i]
        w[RATE + i] = 0.0
    pressure(laws.normal, laws.normal_par, laws.breaks, laws.cubics, w)
    for i in range(B):
        power += weights[i] * w[P + i] * w[PATH + i]
        w[RATE + i], w[P + i] = w[PATH + i], w[LIMIT + i]
    return power


@streaming
def _gather(weights: Floats, frame: Floats, w: Floats, total: Floats) -> None:
    """Sums of the forces of a block; the force in the slave's frame replaces V."""
    f0 = f1 = f2 = m0 = m1 = m2 = s0 = s1 = s2 = power = 0.0
    a, b, c = frame[0], frame[1], frame[2]
    d, e, f = frame[3], frame[4], frame[5]
    g, h, k = frame[6], frame[7], frame[8]
    for i in range(B):
        x, y, z = w[F + i], w[F + B + i], w[F + 2 * B + i]
        p, q, r = w[Y + i], w[Y + B + i], w[Y + 2 * B + i]
        f0, f1, f2 = f0 + x, f1 + y, f2 + z
        m0, m1, m2 = m0 + (q * z - r * y), m1 + (r * x - p * z), m2 + (p * y - q * x)
        power += x * w[U + i] + y * w[U + B + i] + z * w[U + 2 * B + i]
        power += weights[i] * w[P + i] * w[RATE + i]
        x, y, z = a * x + d * y + g * z, b * x + e * y + h * z, c * x + f * y + k * z
        w[V + i], w[V + B + i], w[V + 2 * B + i] = x, y, z
        p, q, r = w[X + i], w[X + B + i], w[X + 2 * B + i]
        s0, s1, s2 = s0 + (q * z - r * y), s1 + (r * x - p * z), s2 + (p * y - q * x)
    total[0], total[1], total[2] = f0, f1, f2
    total[3], total[4], total[5] = m0, m1, m2
    total[6], total[7], total[8], total[9] = s0, s1, s2, power


@streaming
def _pull(points: Points, block: int, w: Floats, total: Floats) -> None:
    """Phi^T F of a block, F in V."""
    modes = points.modes
    at, fours = block * WIDTH * modes, modes - modes % 4
    for k in range(0, fours, 4):
        shapes = _rows(points.shapes, at, k, 4)
        a = b = c = d = 0.0
        for i in range(WIDTH):
            f = w[V + i]
            a += f * shapes[i]
            b += f * shapes[WIDTH + i]
            c += f * shapes[2 * WIDTH + i]
            d += f * shapes[3 * WIDTH + i]
        total[FORCE_SUMS + k], total[FORCE_SUMS + k + 1] = a, b
        total[FORCE_SUMS + k + 2], total[FORCE_SUMS + k + 3] = c, d
    for k in range(fours, modes):
        shapes = _rows(points.shapes, at, k, 1)
        a = 0.0
        for i in range(WIDTH):
            a += w[V + i] * shapes[i]
        total[FORCE_SUMS + k] = a


@streaming
def contact_blocks(
    points: Points, laws: Laws, elastic: Floats, rate: Floats, frame: Floats, task: int,
    h: float, anchor: Floats, old: Floats, z: Floats, mode: Integers, wear: Floats,
    grip: Floats, sums: Floats, first: int, last: int,
) -> bool:  # fmt: skip
    """Contact of the blocks from `first` to before `last`, with their sums (blocks, ...).

    STEP: over a time step h; z, mode and wear are replaced by those at its end. ADVANCE: so are
    the feet (anchor, old normal) and the grip. FLOW: the continuous law; z becomes its rate, wear
    the slip power and speed, mode the new one. FEET: only the feet. Returns False if a point lies
    where the surface has no normal.
    """
    w = np.empty(ROWS * B)
    for block in range(first, last):
        own = slice(block * B, min(block * B + B, points.size))
        full, feet = slice(block * B, block * B + B), slice(block * WIDTH, block * WIDTH + WIDTH)
        weights, modes, total = points.weights[full], mode[own], sums[block]
        _deform(points, block, elastic, rate, w)
        _see(frame, w)
        if not distance(laws.shape, laws.shape_par, w):
            return False
        if task == FEET:
            _foot(w, G, anchor[feet], old[feet])
            continue
        _slide(frame, points.gap[full], w)
        pressure(laws.normal, laws.normal_par, laws.breaks, laws.cubics, w)
        friction_limit(
            laws.friction, laws.friction_par, laws.speeds, laws.pressures, laws.table, modes, w
        )
        _fetch(z[own], w)
        if task == FLOW:
            _flatten(w)
            flow_map(laws.stiffness, laws.damping, w, modes, wear[own], weights)
        else:
            _try(anchor[feet], old[feet], w)
            if task == ADVANCE:
                _foot(w, PATH, anchor[feet], old[feet])
            yield_map(laws.stiffness, laws.damping, h, w, modes, wear[own], weights)
        _keep(w, z[own])
        if task == ADVANCE:
            total[11] = slip_work(modes, weights, w, grip[own])
            total[10] = damper_power(laws, h, weights, w)
        _gather(weights, frame, w, total)
        _pull(points, block, w, total)
    return True


@compiled
def added(sums: Floats, total: Floats) -> None:
    """Add up the sums of the blocks in their order."""
    total[:] = 0.0
    for block in range(len(sums)):
        for k in range(len(total)):
            total[k] += sums[block, k]


@compiled
def relative_frame(
    slave: Floats, origin: Floats, velocity: Floats, omega: Floats,
    master: Floats, place: Floats, drift: Floats, spin: Floats, frame: Floats,
) -> None:  # fmt: skip
    """A, b, C, d (24,) of Y = A X + b and U = A V + C X + d.

    `slave` and `master` are the rotations of the two frames; C = A omega~ - spin~ A and
    d = R^T (v_slave - v_master) - spin x b.
    """
    A, b = frame[:9].reshape(3, 3), frame[9:12]
    C, d = frame[12:21].reshape(3, 3), frame[21:24]
    for i in range(3):
        b[i] = d[i] = 0.0
        for k in range(3):
            b[i] += master[k, i] * (origin[k] - place[k])
            d[i] += master[k, i] * (velocity[k] - drift[k])
        for j in range(3):
            A[i, j] = 0.0
            for k in range(3):
                A[i, j] += master[k, i] * slave[k, j]
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        d[i] -= spin[j] * b[k] - spin[k] * b[j]
        for m in range(3):
            n, o = (m + 1) % 3, (m + 2) % 3
            C[i, m] = A[i, n] * omega[o] - A[i, o] * omega[n]
            C[i, m] -= spin[j] * A[k, m] - spin[k] * A[j, m]
