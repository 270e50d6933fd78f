"""Compiled derivatives of the continuous law of all points of a contact with a rigid surface.

In the frame of the master, where the elastic slip z is kept, force and rates of a point depend on
its position Y, its relative velocity W and its internal variables. With n' = dn/dY,

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

from fecontact.contact.kernels.block_laws import (
    ContactPoints,
    Laws,
    PointStates,
    fetch_history,
    join_forces,
    keep_rates,
)
from fecontact.contact.kernels.blocks import gather_forces, project_on_modes
from fecontact.contact.kernels.lanes import lanes, vector_at
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
    SlaveMotion,
    copy_rows,
    deform_block,
    flatten_slip,
    forth,
    relative_spin,
    see_positions,
    slide_block,
)
from fecontact.contact.kernels.point_slopes import (
    slopes_by_normal_on_master,
    slopes_on_master,
)
from fecontact.contact.kernels.shapes import SPHERE, curvature, distance
from fecontact.contact.kernels.slope_rows import (
    friction_slope_rows,
    normal_slope_rows,
    slope_rows,
    slopes_at,
)
from fecontact.contact.kernels.tangents import (
    GROUP,
    add_tangents,
    bent_blocks,
    block_at,
    tangent_size,
)
from fecontact.contact.laws.algebra import add
from fecontact.kernels.arrays import after, matrix, part
from fecontact.kernels.calls import call_block
from fecontact.kernels.decorators import kernel
from fecontact.kernels.vectors import Three, cross, dot
from fecontact.typing import Floats, Integers

__all__ = [
    "DerivativeLaws",
    "Motions",
    "RateResults",
    "RateSlopes",
    "flat_rate_tangents",
    "law_slopes",
    "law_slopes_size",
    "rate_tangent_blocks",
    "rate_tangent_size",
    "slopes_by_state",
]

B = BLOCK
Kind = tuple[int, int, bool]
"""Internal variables of the laws besides the elastic slip; whether the surface is curved."""


class Motions(NamedTuple):
    """Relative motion (6, n) per step and per velocity, and the change of its rates in a step."""

    motion: Floats
    speed: Floats
    rates: Floats


class DerivativeLaws(NamedTuple):
    """Addresses of the derivatives of friction law and normal law; 0 for one without states."""

    friction: int
    normal: int


class RateResults(NamedTuple):
    """What else the derivatives leave of all points.

    Rates of the internal variables, new status, slip power and speed; `loads`, the sums of the
    forces, as in `contact_blocks` but for the power of dampers; `tangents`, sums as in
    `tangent_blocks`, without groups if nobody asks.
    """

    z: Floats
    status: Integers
    slip_totals: Floats
    loads: Floats
    tangents: Floats


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
    first = slopes_at(f, m)
    layer = friction_slope_rows(first, f).end
    return (normal_slope_rows(layer, m).end if m else layer) - first


def rate_tangent_size(points: Points, laws: Laws) -> int:
    """Length of the working space of `rate_tangent_blocks`."""
    f, m = laws.friction_states, laws.normal_states
    return tangent_size(points, laws) + law_slopes_size(laws) + WIDTH + 3 * (3 + f + m)


@kernel(fastmath=True)
def law_slopes(laws: Laws, derivatives: DerivativeLaws, w: Floats) -> None:
    """Derivatives of the laws behind the internal variables, then tractions F and rates."""
    friction, layer = slope_rows(laws.friction_states, laws.normal_states)
    if laws.normal_states > 0:
        call_block(derivatives.normal, w, laws.normal, 1.0)
        first, shift = layer.pressure_by_gap, layer.pressure_by_gap - friction.traction_by_state
        for row in range(first, layer.end, B):
            for i in range(lanes(w)):
                w[row + i] = w[row - shift + i]
    call_block(laws.normal_rate, w, laws.normal, 1.0)
    if laws.normal_states > 0:
        for i in range(lanes(w)):
            w[P_GAP + i] = w[layer.pressure_by_gap + i]
            w[P_RATE + i] = w[layer.pressure_by_rate + i]
    call_block(laws.limit, w, laws.coefficient, 1.0)
    copy_rows(w, Z, part(w, OLD, WIDTH))
    flatten_slip(w)
    call_block(derivatives.friction, w, laws.friction, 1.0)
    call_block(laws.rate, w, laws.friction, 1.0)
    copy_rows(w, friction.traction_by_pressure, part(w, T_P, WIDTH))


@kernel(fastmath=True)
def _tangents(laws: Laws, weights: Floats, none: Floats, w: Floats) -> None:
    """Derivatives K and D of the forces by position and velocity, as those of a step."""
    size = 3 + laws.friction_states
    friction, _ = slope_rows(laws.friction_states, laws.normal_states)
    for a in range(3):
        at, by_z = 3 * a * B, friction.traction_by_state + a * size * B
        copy_rows(w, friction.traction_by_slip + at, part(w, T_S + at, WIDTH))
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
    contact: ContactPoints, derivatives: DerivativeLaws, motion: SlaveMotion, block: int,
    states: PointStates, w: Floats,
) -> bool:  # fmt: skip
    """Forces F of a block and the derivatives of its laws."""
    (points, laws), frame = contact, motion.frame
    weights, gap = part(points.weights, block * B, B), part(points.gap, block * B, B)
    own = slice(block * B, min(block * B + B, points.size))
    deform_block(points, block, motion.elastic, motion.rate, w)
    copy_rows(w, V, part(w, SPEED, WIDTH))
    see_positions(frame, w)
    if not distance(laws.shape, laws.shape_par, w):
        return False
    slide_block(frame, gap, w)
    fetch_history(laws, states.z[own], states.status[own], gap, w)
    law_slopes(laws, derivatives, w)
    join_forces(weights, w)
    if laws.shape >= SPHERE:
        curvature(laws.shape, laws.shape_par, w)
    return True


@kernel(fastmath=True)
def _column(
    kind: Kind, point: int, j: int, dY: Three, dW: Three, by: Floats, limit_by: Floats, w: Floats
) -> None:
    """Change of rates and limit of a point with a change of its position and velocity."""
    (f, m, curved), i = kind, point % B
    n, u, z, faster = vector_at(w, N, i), vector_at(w, U, i), vector_at(w, OLD, i), w[GAP_RATE + i]
    dn = 0.0, 0.0, 0.0
    if curved:
        xx, xy, xz = vector_at(w, BEND, i)
        yy, yz, zz = vector_at(w, BEND + 3 * B, i)
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
    (friction, layer), size = slope_rows(f, m), 3 + f
    first = point * (size + m)
    for a in range(size):
        by_z = vector_at(w, friction.rate_by_state + a * size * B, i)
        by_s = vector_at(w, friction.rate_by_slip + 3 * a * B, i)
        by_p = w[friction.rate_by_pressure + a * B + i]
        by[first + a, j] = by_p * dp + dot(by_z, dz) + dot(by_s, ds)
    for a in range(m):
        by_gap = w[layer.rate_by_gap + a * B + i]
        by[first + size + a, j] = by_gap * d_gap + w[layer.rate_by_rate + a * B + i] * d_faster
    speed = sqrt(dot(u, u))
    along = dot(u, ds) / speed if speed > 0.0 else 0.0
    limit_by[point, j] = w[L_P + i] * dp + w[L_SPEED + i] * along


@kernel(fastmath=True)
def slopes_by_state(
    kind: Kind, point: int, area: float, pull: Floats, by_z: Floats, w: Floats
) -> None:
    """Derivatives by the internal variables: of the force, pull (3, k), and of the rates."""
    (f, m, _), i = kind, point % B
    (friction, layer), size, n = slope_rows(f, m), 3 + f, vector_at(w, N, i)
    k, p_state = size + m, layer.pressure_by_state
    for a in range(size):
        row, at = by_z[point * k + a], friction.rate_by_state + a * size * B
        across = dot(vector_at(w, at, i), n)
        for c in range(size):
            row[c] = w[at + c * B + i] - (across * n[c] if c < 3 else 0.0)
        for c in range(m):
            row[size + c] = w[friction.rate_by_pressure + a * B + i] * w[p_state + c * B + i]
    for a in range(m):
        row, at = by_z[point * k + size + a], layer.rate_by_state + a * m * B
        for c in range(k):
            row[c] = w[at + (c - size) * B + i] if c >= size else 0.0
    for a in range(3):
        at = friction.traction_by_state + a * size * B
        across = dot(vector_at(w, at, i), n)
        for c in range(size):
            held = w[at + c * B + i] - (across * n[c] if c < 3 else 0.0)
            pull[a, c] = area * held
        for c in range(m):
            pull[a, size + c] = area * (n[a] + w[T_P + a * B + i]) * w[p_state + c * B + i]


@kernel(fastmath=True)
def _points(
    contact: ContactPoints, block: int, frame: Floats, motions: Motions, first: int, pull: Floats,
    to: RateSlopes, w: Floats,
) -> None:  # fmt: skip
    """Derivatives of the points of a block; `first` is the first elastic dof."""
    points, laws = contact
    r, modes, k, n = relative_spin(frame), points.modes, pull.shape[1], motions.motion.shape[1]
    kind = laws.friction_states, laws.normal_states, laws.shape >= SPHERE
    for point in range(block * B, min(block * B + B, points.size)):
        i = point % B
        x, v = vector_at(w, X, i), vector_at(w, SPEED, i)
        to.limit[point] = w[LIMIT + i]
        slopes_by_state(kind, point, points.weights[point], pull, to.rate_by_z, w)
        for j in range(n):
            a, b, c = motions.motion[:, j], motions.speed[:, j], motions.rates[:, j]
            theta = a[3], a[4], a[5]
            dY = add((a[0], a[1], a[2]), cross(theta, x))
            dV = add((b[0], b[1], b[2]), cross((b[3], b[4], b[5]), x))
            dW = add((c[0], c[1], c[2]), cross((c[3], c[4], c[5]), x))
            if first <= j < first + modes:
                shape = vector_at(points.shapes, (block * modes + j - first) * WIDTH, i)
                dY, dV = add(dY, shape), add(dV, shape)
            dW = add(add(dW, cross(r, dY)), cross(theta, v))
            dY, dV, dW = forth(frame, dY), forth(frame, dV), forth(frame, dW)
            _column(kind, point, j, dY, dW, to.rate_by_q, to.limit_by_q, w)
            _column(kind, point, j, (0.0, 0.0, 0.0), dV, to.rate_by_v, to.limit_by_v, w)
            for s in range(k):
                to.force_by_z[j, point * k + s] = (
                    dV[0] * pull[0, s] + dV[1] * pull[1, s] + dV[2] * pull[2, s]
                )


@kernel(fastmath=True, allocates=True, shared=True)
def rate_tangent_blocks(
    contact: ContactPoints, derivatives: DerivativeLaws, motion: SlaveMotion,
    motions: tuple[Motions, int], states: PointStates, results: RateResults, to: RateSlopes,
    work: Floats,
) -> bool:  # fmt: skip
    """Derivatives of the continuous law, and what it gives.

    `motions` are those of the frames, and the first elastic dof. Returns False if a point has no
    normal. `work` is working space (`rate_tangent_size`).
    """
    (points, laws), (moves, first), sums = contact, motions, results.tangents
    k = 3 + laws.friction_states + laws.normal_states
    none, pull = part(work, 0, WIDTH), matrix(work, WIDTH, 3, k)
    work = after(work, WIDTH + 3 * k)
    w = after(work, block_at(points))
    sums[:] = 0.0
    for block in range(len(points.weights) // B):
        own = slice(block * B, min(block * B + B, points.size))
        if not _evaluate(contact, derivatives, motion, block, states, w):
            return False
        weights, loads = part(points.weights, block * B, B), results.loads[block]
        keep_rates(laws, weights, results.z[own], results.status[own], results.slip_totals[own], w)
        gather_forces(weights, motion.frame, w, loads)
        project_on_modes(points, block, w, loads)
        _points(contact, block, motion.frame, moves, first, pull, to, w)
        if len(sums) > 0:
            _tangents(laws, weights, none, w)
            add_tangents(points, False, block, motion.frame, work, w, sums[block // GROUP])
    return True


@kernel(fastmath=True)
def flat_rate_tangents(
    contact: ContactPoints, derivatives: DerivativeLaws, G: Floats, states: PointStates,
    slip_totals: Floats, pull: Floats, to: RateSlopes, w: Floats,
) -> None:  # fmt: skip
    """The same for one block whose points all move by G (3, n) and v along a plane.

    Gaps, velocities and history of the points are in `w`; forces, and their derivatives K and D,
    stay there. The states become rates and the resulting status, slip_totals the slip power and
    speed. `pull` (3, k) is working space.
    """
    (points, laws), none = contact, (0.0, 0.0, 0.0)
    weights, kind = points.weights, (laws.friction_states, laws.normal_states, False)
    law_slopes(laws, derivatives, w)
    join_forces(weights, w)
    keep_rates(laws, weights, states.z, states.status, slip_totals, w)
    for i in range(points.size):
        to.limit[i] = w[LIMIT + i]
        slopes_by_state(kind, i, weights[i], pull, to.rate_by_z, w)
        for j in range(G.shape[1]):
            g = G[0, j], G[1, j], G[2, j]
            _column(kind, i, j, g, none, to.rate_by_q, to.limit_by_q, w)
            _column(kind, i, j, none, g, to.rate_by_v, to.limit_by_v, w)
            for s in range(pull.shape[1]):
                pulled = g[0] * pull[0, s] + g[1] * pull[1, s] + g[2] * pull[2, s]
                to.force_by_z[j, i * pull.shape[1] + s] = pulled
    _tangents(laws, weights, part(w, 0, 0), w)
