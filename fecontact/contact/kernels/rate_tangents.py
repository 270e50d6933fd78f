"""Compiled derivatives of the continuous law of all points of a contact with a rigid surface.

In the frame of the master, where the elastic slip z is kept, force and rates of a point depend on
its place Y, its relative velocity W and its internal variables. With n' = dn/dY,

    ds = dW - dg' n - g' dn,   dg' = n . dW + W . dn,   dz_flat = -(n . z) dn - n (z . dn).

The point moves with the relative motion (rho, theta) of the frames and the shapes Phi,

    dY = A (rho + theta x X + Phi de),
    dW = A (r x A^T dY + rho' + theta' x X + theta x V),       r the relative angular velocity,

and its force f = sum (dW/dv)^T F. The derivatives of f by q and v are summed up as those of a time
step (`contact.kernels.tangents`): the trial slip z_tr is z_flat, which knows no path.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from fecontact.contact.kernels.block_laws import Laws, fetch_history, join_forces, keep_rates
from fecontact.contact.kernels.blocks import gather_forces, project_on_modes
from fecontact.contact.kernels.lanes import lanes
from fecontact.contact.kernels.layout import (
    BEND,
    BLOCK,
    GAP_RATE,
    L_P,
    L_SPEED,
    LIMIT,
    OLD,
    P_GAP,
    P_RATE,
    SPEED,
    STATES,
    T_P,
    T_S,
    T_X,
    T_Z,
    N,
    U,
    V,
    X,
    Z,
)
from fecontact.contact.kernels.motion import (
    WIDTH,
    Points,
    copy_rows,
    deform_block,
    flatten_slip,
    see_positions,
    slide_block,
)
from fecontact.contact.kernels.point_slopes import (
    slopes_by_normal_on_master,
    slopes_on_master,
)
from fecontact.contact.kernels.shapes import SPHERE, curvature, distance
from fecontact.contact.kernels.tangents import (
    GROUP,
    add_tangents,
    bent_blocks,
    block_at,
    tangent_size,
)
from fecontact.contact.laws.blocks import friction_rate_rows, normal_rate_rows
from fecontact.kernels.arrays import after, matrix, part
from fecontact.kernels.calls import call_block
from fecontact.kernels.decorators import kernel
from fecontact.kernels.vectors import cross, dot
from fecontact.typing import Floats, Integers

__all__ = [
    "Motions",
    "RateSlopes",
    "flat_rate_tangents",
    "law_slopes_size",
    "rate_tangent_blocks",
    "rate_tangent_size",
]

B = BLOCK
Three = tuple[float, float, float]


class Motions(NamedTuple):
    """Relative motion (6, n) per step and per velocity, and the change of its rates in a step."""

    motion: Floats
    speed: Floats
    rates: Floats


class RateSlopes(NamedTuple):
    """Friction limit and derivatives of the points.

    Limit (p,) and its derivatives by q and v (p, n); those of the force by z (n, p k), of the
    rates by q and v (p k, n), and by z (p, k, k) as rows (p k, k).
    """

    limit: Floats
    limit_by_q: Floats
    limit_by_v: Floats
    force_by_z: Floats
    rate_by_q: Floats
    rate_by_v: Floats
    rate_by_z: Floats


def law_slopes_size(laws: Laws) -> int:
    """Length of the derivatives of the laws behind the internal variables."""
    f, m = laws.friction_states, laws.normal_states
    return (friction_rate_rows(f) + (normal_rate_rows(m) if m else 0)) * B


def rate_tangent_size(points: Points, laws: Laws) -> int:
    """Length of the working space of `rate_tangent_blocks`."""
    f, m = laws.friction_states, laws.normal_states
    return tangent_size(points, laws) + law_slopes_size(laws) + WIDTH + 3 * (3 + f + m)


@kernel(fastmath=True)
def _friction_rows(friction: int) -> int:
    n = 3 + friction
    return 7 * n + 12 + n * n


@kernel(fastmath=True)
def _three(w: Floats, at: int, i: int) -> Three:
    return w[at + i], w[at + B + i], w[at + 2 * B + i]


@kernel(fastmath=True)
def _sum(a: Three, b: Three) -> Three:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@kernel(fastmath=True)
def _forth(frame: Floats, x: Three) -> Three:
    """A x: from the frame of the slave to that of the master."""
    return (
        frame[0] * x[0] + frame[1] * x[1] + frame[2] * x[2],
        frame[3] * x[0] + frame[4] * x[1] + frame[5] * x[2],
        frame[6] * x[0] + frame[7] * x[1] + frame[8] * x[2],
    )


@kernel(fastmath=True)
def _slopes(laws: Laws, d_rate: int, normal_d_rate: int, w: Floats) -> None:
    """Derivatives of the laws behind the internal variables, then tractions F and rates."""
    f, m = laws.friction_states, laws.normal_states
    to = STATES + (f + m) * B
    layer = to + _friction_rows(f) * B
    if m > 0:
        call_block(normal_d_rate, w, laws.normal, 1.0)
        for row in range(2 + 3 * m + m * m):
            for i in range(lanes(w)):
                w[layer + row * B + i] = w[to + row * B + i]
    call_block(laws.normal_rate, w, laws.normal, 1.0)
    if m > 0:
        for i in range(lanes(w)):
            w[P_GAP + i], w[P_RATE + i] = w[layer + i], w[layer + B + i]
    call_block(laws.limit, w, laws.coefficient, 1.0)
    copy_rows(w, Z, part(w, OLD, WIDTH))
    flatten_slip(w)
    call_block(d_rate, w, laws.friction, 1.0)
    call_block(laws.rate, w, laws.friction, 1.0)
    copy_rows(w, to + (3 * (3 + f) + 9) * B, part(w, T_P, WIDTH))


@kernel(fastmath=True)
def _tangents(laws: Laws, weights: Floats, none: Floats, w: Floats) -> None:
    """Derivatives K and D of the forces by place and velocity, as those of a step."""
    size = 3 + laws.friction_states
    to = STATES + (laws.friction_states + laws.normal_states) * B
    for a in range(3):
        at, by_z = 3 * a * B, to + a * size * B
        copy_rows(w, to + 3 * size * B + at, part(w, T_S + at, WIDTH))
        copy_rows(w, by_z, part(w, T_Z + at, WIDTH))
        for b in range(0, WIDTH, B):
            for i in range(lanes(w)):
                w[T_X + at + b + i] = -w[T_Z + at + b + i]
    slopes_on_master(weights, w)
    if laws.shape >= SPHERE:
        none[:] = 0.0
        slopes_by_normal_on_master(weights, none, none, w)
        bent_blocks(w)


@kernel(fastmath=True)
def _evaluate(
    points: Points, laws: Laws, d_rate: int, normal_d_rate: int, block: int, elastic: Floats,
    rate: Floats, frame: Floats, z: Floats, status: Integers, w: Floats,
) -> bool:  # fmt: skip
    """Forces F of a block and the derivatives of its laws."""
    weights, gap = part(points.weights, block * B, B), part(points.gap, block * B, B)
    deform_block(points, block, elastic, rate, w)
    copy_rows(w, V, part(w, SPEED, WIDTH))
    see_positions(frame, w)
    if not distance(laws.shape, laws.shape_par, w):
        return False
    slide_block(frame, gap, w)
    fetch_history(laws, z, status, gap, w)
    _slopes(laws, d_rate, normal_d_rate, w)
    join_forces(weights, w)
    if laws.shape >= SPHERE:
        curvature(laws.shape, laws.shape_par, w)
    return True


@kernel(fastmath=True)
def _column(
    f: int, m: int, curved: bool, i: int, point: int, j: int, dY: Three, dW: Three, by: Floats,
    limit_by: Floats, w: Floats,
) -> None:  # fmt: skip
    """Change of rates and limit of a point with a change of its place and velocity.

    f and m are the numbers of internal variables of the laws, besides the elastic slip.
    """
    n, u, z, faster = _three(w, N, i), _three(w, U, i), _three(w, OLD, i), w[GAP_RATE + i]
    dn = 0.0, 0.0, 0.0
    if curved:
        xx, xy, xz = _three(w, BEND, i)
        yy, yz, zz = _three(w, BEND + 3 * B, i)
        dn = dot((xx, xy, xz), dY), dot((xy, yy, yz), dY), dot((xz, yz, zz), dY)
    d_gap, d_faster = dot(n, dY), dot(n, dW) + dot(u, dn) + faster * dot(n, dn)
    along, turn = dot(n, z), dot(dn, z)
    ds = (
        dW[0] - d_faster * n[0] - faster * dn[0],
        dW[1] - d_faster * n[1] - faster * dn[1],
        dW[2] - d_faster * n[2] - faster * dn[2],
    )
    dz = (
        -along * dn[0] - turn * n[0],
        -along * dn[1] - turn * n[1],
        -along * dn[2] - turn * n[2],
    )
    dp = w[P_GAP + i] * d_gap + w[P_RATE + i] * d_faster
    size = 3 + f
    rates = STATES + (f + m + 3 * size + 12) * B
    slip = rates + size * size * B
    pressure, first = slip + 3 * size * B, point * (size + m)
    for a in range(size):
        by_z, by_s = _three(w, rates + a * size * B, i), _three(w, slip + 3 * a * B, i)
        by[first + a, j] = w[pressure + a * B + i] * dp + dot(by_z, dz) + dot(by_s, ds)
    layer = pressure + size * B
    for a in range(m):
        by[first + size + a, j] = (
            w[layer + (2 + m + a) * B + i] * d_gap + w[layer + (2 + 2 * m + a) * B + i] * d_faster
        )
    speed = sqrt(dot(u, u))
    along = dot(u, ds) / speed if speed > 0.0 else 0.0
    limit_by[point, j] = w[L_P + i] * dp + w[L_SPEED + i] * along


@kernel(fastmath=True)
def _by_state(
    f: int, m: int, i: int, point: int, area: float, pull: Floats, by_z: Floats, w: Floats
) -> None:
    """Derivatives by the internal variables: of the force, pull (3, k), and of the rates."""
    size, n = 3 + f, _three(w, N, i)
    k, to = size + m, STATES + (f + m) * B
    rates, layer = to + (3 * size + 12) * B, to + _friction_rows(f) * B
    pressure = rates + (size * size + 3 * size) * B
    for a in range(size):
        row = by_z[point * k + a]
        across = dot(_three(w, rates + a * size * B, i), n)
        for c in range(size):
            row[c] = w[rates + (a * size + c) * B + i] - (across * n[c] if c < 3 else 0.0)
        for c in range(m):
            row[size + c] = w[pressure + a * B + i] * w[layer + (2 + c) * B + i]
    for a in range(m):
        row = by_z[point * k + size + a]
        for c in range(k):
            row[c] = w[layer + (2 + 3 * m + a * m + c - size) * B + i] if c >= size else 0.0
    for a in range(3):
        across = dot(_three(w, to + a * size * B, i), n)
        for c in range(size):
            held = w[to + (a * size + c) * B + i] - (across * n[c] if c < 3 else 0.0)
            pull[a, c] = area * held
        for c in range(m):
            pull[a, size + c] = area * (n[a] + w[T_P + a * B + i]) * w[layer + (2 + c) * B + i]


@kernel(fastmath=True)
def _point(
    points: Points, laws: Laws, point: int, frame: Floats, relative: Floats, motions: Motions,
    first: int, pull: Floats, to: RateSlopes, w: Floats,
) -> None:  # fmt: skip
    """Derivatives of a point; `first` is the first elastic dof."""
    block, i, k = point // B, point % B, pull.shape[1]
    x, v = _three(w, X, i), _three(w, SPEED, i)
    r = relative[0], relative[1], relative[2]
    to.limit[point] = w[LIMIT + i]
    f, m, curved = laws.friction_states, laws.normal_states, laws.shape >= SPHERE
    _by_state(f, m, i, point, points.weights[point], pull, to.rate_by_z, w)
    for j in range(motions.motion.shape[1]):
        a, b, c = motions.motion[:, j], motions.speed[:, j], motions.rates[:, j]
        theta = a[3], a[4], a[5]
        dY = _sum((a[0], a[1], a[2]), cross(theta, x))
        dV = _sum((b[0], b[1], b[2]), cross((b[3], b[4], b[5]), x))
        dW = _sum((c[0], c[1], c[2]), cross((c[3], c[4], c[5]), x))
        if first <= j < first + points.modes:
            shape = _three(points.shapes, (block * points.modes + j - first) * WIDTH, i)
            dY, dV = _sum(dY, shape), _sum(dV, shape)
        dW = _sum(_sum(dW, cross(r, dY)), cross(theta, v))
        dY, dV, dW = _forth(frame, dY), _forth(frame, dV), _forth(frame, dW)
        _column(f, m, curved, i, point, j, dY, dW, to.rate_by_q, to.limit_by_q, w)
        _column(f, m, curved, i, point, j, (0.0, 0.0, 0.0), dV, to.rate_by_v, to.limit_by_v, w)
        for s in range(k):
            to.force_by_z[j, point * k + s] = (
                dV[0] * pull[0, s] + dV[1] * pull[1, s] + dV[2] * pull[2, s]
            )


@kernel(fastmath=True, allocates=True, shared=True)
def rate_tangent_blocks(
    points: Points, laws: Laws, d_rate: int, normal_d_rate: int, elastic: Floats, rate: Floats,
    frame: Floats, relative: Floats, motions: Motions, first: int, z: Floats, status: Integers,
    results: tuple[Floats, Integers, Floats], loads: Floats, tangents: bool, sums: Floats,
    to: RateSlopes, work: Floats,
) -> bool:  # fmt: skip
    """Derivatives of the continuous law: `to`, and with `tangents` sums as in `tangent_blocks`.

    `results` are the rates of the internal variables, the new status, slip power and speed;
    `loads` the sums of the forces, as in `contact_blocks` but for the power of dampers. `d_rate`
    and `normal_d_rate` are the addresses of the derivatives of the laws, `first` is the first
    elastic dof. Returns False if a point has no normal.
    """
    k = 3 + laws.friction_states + laws.normal_states
    none, pull = part(work, 0, WIDTH), matrix(work, WIDTH, 3, k)
    work = after(work, WIDTH + 3 * k)
    w = after(work, block_at(points))
    if tangents:
        sums[:] = 0.0
    for block in range(len(points.weights) // B):
        end = min(block * B + B, points.size)
        own = slice(block * B, end)
        if not _evaluate(points, laws, d_rate, normal_d_rate, block, elastic, rate, frame, z[own],
                         status[own], w):  # fmt: skip
            return False
        weights = part(points.weights, block * B, B)
        keep_rates(laws, weights, results[0][own], results[1][own], results[2][own], w)
        gather_forces(weights, frame, w, loads[block])
        project_on_modes(points, block, w, loads[block])
        for point in range(block * B, end):
            _point(points, laws, point, frame, relative, motions, first, pull, to, w)
        if tangents:
            _tangents(laws, weights, none, w)
            add_tangents(points, False, block, frame, relative, work, w, sums[block // GROUP])
    return True


@kernel(fastmath=True)
def flat_rate_tangents(
    points: Points, laws: Laws, d_rate: int, normal_d_rate: int, G: Floats,
    results: tuple[Floats, Integers, Floats], pull: Floats, to: RateSlopes, w: Floats,
) -> None:  # fmt: skip
    """The same for one block whose points all move by G (3, n) and v along a plane.

    Gaps, velocities and history of the points are in `w`; forces, and their derivatives K and D,
    stay there. `pull` (3, k) is working space.
    """
    f, m, none, weights = laws.friction_states, laws.normal_states, (0.0, 0.0, 0.0), points.weights
    _slopes(laws, d_rate, normal_d_rate, w)
    join_forces(weights, w)
    keep_rates(laws, weights, results[0], results[1], results[2], w)
    for i in range(points.size):
        to.limit[i] = w[LIMIT + i]
        _by_state(f, m, i, i, weights[i], pull, to.rate_by_z, w)
        for j in range(G.shape[1]):
            g = G[0, j], G[1, j], G[2, j]
            _column(f, m, False, i, i, j, g, none, to.rate_by_q, to.limit_by_q, w)
            _column(f, m, False, i, i, j, none, g, to.rate_by_v, to.limit_by_v, w)
            for s in range(pull.shape[1]):
                pulled = g[0] * pull[0, s] + g[1] * pull[1, s] + g[2] * pull[2, s]
                to.force_by_z[j, i * pull.shape[1] + s] = pulled
    _tangents(laws, weights, part(w, 0, 0), w)
