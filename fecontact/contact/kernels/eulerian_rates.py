"""Compiled derivatives of the continuous law of points whose bristles stand on the slave.

Forces and rates change with the `LOCAL` numbers of `contact.kernels.eulerian`. With the elastic
slip z in space, the relative velocity v = s + g' n, and the rotation theta of the slave,

    dg' = n . dv + v . dn,   ds = dv - dg' n - g' dn,
    dz_flat = (I - n n^T)(theta x z) - (n . z) dn - n (z . dn);

rates of the elastic slip are kept in the axes R of the slave: d(R^T z') = R^T (dz' - theta x z').
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from fecontact.contact.kernels.block_laws import fetch_history, join_forces, keep_rates
from fecontact.contact.kernels.eulerian import LOCAL, Rolling, fill_block, keep_forces, keep_local
from fecontact.contact.kernels.lanes import lanes, use_lanes, vector_at
from fecontact.contact.kernels.layout import (
    BLOCK,
    GAP_RATE,
    HALF,
    L_P,
    L_SPEED,
    LIMIT,
    OLD,
    P_GAP,
    P_RATE,
    T_S,
    T_X,
    T_Z,
    N,
    U,
    Z,
)
from fecontact.contact.kernels.motion import WIDTH, copy_rows, turn_back, turn_slip
from fecontact.contact.kernels.point_slopes import slopes_by_normal_on_slave, slopes_on_slave
from fecontact.contact.kernels.rate_tangents import DerivativeLaws, law_slopes, slopes_by_state
from fecontact.contact.kernels.slope_rows import slope_rows
from fecontact.kernels.decorators import kernel
from fecontact.kernels.vectors import cross, dot
from fecontact.typing import Floats

__all__ = ["LocalRates", "slope_rates"]

B = BLOCK


class LocalRates(NamedTuple):
    """Derivatives of p points with k internal variables, point by point.

    Attributes
    ----------
    force, rate, limit : (p, 3, LOCAL), (p, k, LOCAL), (p, 1, LOCAL)
        Of force, rates and friction limit by the local numbers; not those by the spin, which only
        its material feels.
    pull : (p, 3, k)
        Of the force by the internal variables.
    rate_by_z : (p k, k)
        Of the rates by them, without what material carries along rings.
    value : (p,)
        The friction limit.
    """

    force: Floats
    rate: Floats
    limit: Floats
    pull: Floats
    rate_by_z: Floats
    value: Floats


@kernel
def slope_rates(
    c: Rolling, derivatives: DerivativeLaws, R: Floats, of_force: bool, to: LocalRates
) -> None:
    """Forces and rates as `rate_points`, and their derivatives; `of_force`: also of the force."""
    laws, frame, old, w = c.laws, R.reshape(9), c.work[:WIDTH], c.work[WIDTH:]
    c.total[:] = 0.0
    for first in range(0, len(c.z), B):
        last = min(first + B, len(c.z))
        use_lanes(last - first, w)
        weights, own = c.weights[first : first + B], slice(first, last)
        fetch_history(laws, c.z[own], c.status[own], c.gap_before[first : first + B], w)
        c.total[9] += fill_block(c, first, last, w, old)
        turn_slip(frame, w)
        law_slopes(laws, derivatives, w)
        join_forces(weights, w)
        for i in range(first, last):
            to.value[i] = w[LIMIT + i - first]
            _by_state(c, i, R, to, w)
            _by_local(c, i, i - first, R, to, w)
        turn_back(frame, lanes(w), w[Z : Z + WIDTH])
        keep_rates(laws, weights, c.z[own], c.status[own], c.slip_totals[own], w)
        keep_forces(c, first, last, w)
        if of_force:
            _forces(c, first, last, to.force, w)


@kernel
def _forces(c: Rolling, first: int, last: int, local: Floats, w: Floats) -> None:
    """Derivatives of the forces of a block: those of a step of no length."""
    laws, weights = c.laws, c.weights[first : first + B]
    friction, _ = slope_rows(laws.friction_states, laws.normal_states)
    size = 3 + laws.friction_states
    for a in range(3):
        at = 3 * a * B
        copy_rows(w, friction.traction_by_slip + at, w[T_S + at : T_S + at + WIDTH])
        by_z = friction.traction_by_state + a * size * B
        copy_rows(w, by_z, w[T_Z + at : T_Z + at + WIDTH])
        for row in range(0, WIDTH, B):
            for i in range(lanes(w)):
                w[T_X + at + row + i] = w[HALF + row + i] = 0.0
    slopes_on_slave(0.0, weights, w)
    slopes_by_normal_on_slave(weights, w)
    keep_local(c, first, last, w, local)


@kernel
def _by_state(c: Rolling, i: int, R: Floats, to: LocalRates, w: Floats) -> None:
    """Derivatives by the internal variables, the elastic slip in the axes of the slave."""
    laws = c.laws
    kind = laws.friction_states, laws.normal_states, False
    k, pull = to.pull.shape[2], to.pull[i]
    slopes_by_state(kind, i, c.weights[i], pull, to.rate_by_z, w)
    rows = to.rate_by_z[i * k : i * k + k]
    for part in range(2):
        A, count = (pull, 3) if part == 0 else (rows, k)
        for a in range(count):
            x, y, z = A[a, 0], A[a, 1], A[a, 2]
            for b in range(3):
                A[a, b] = x * R[0, b] + y * R[1, b] + z * R[2, b]
    for b in range(k):
        x, y, z = rows[0, b], rows[1, b], rows[2, b]
        for a in range(3):
            rows[a, b] = R[0, a] * x + R[1, a] * y + R[2, a] * z


@kernel
def _by_local(c: Rolling, i: int, lane: int, R: Floats, to: LocalRates, w: Floats) -> None:
    """Derivatives of rates and limit by the local numbers."""
    f, m = c.laws.friction_states, c.laws.normal_states
    (friction, layer), size = slope_rows(f, m), 3 + f
    n, s, z = vector_at(w, N, lane), vector_at(w, U, lane), vector_at(w, OLD, lane)
    faster, rate, limit = w[GAP_RATE + lane] - c.gap_drift[i], to.rate[i], to.limit[i, 0]
    v = s[0] + faster * n[0], s[1] + faster * n[1], s[2] + faster * n[2]
    by_gap, by_rate = w[P_GAP + lane], w[P_RATE + lane]
    for a in range(size):
        by_p = w[friction.rate_by_pressure + a * B + lane]
        by_s = vector_at(w, friction.rate_by_slip + 3 * a * B, lane)
        by_z, along = vector_at(w, friction.rate_by_state + a * size * B, lane), dot(by_s, n)
        tall = dot(by_z, n)
        flat = by_z[0] - tall * n[0], by_z[1] - tall * n[1], by_z[2] - tall * n[2]
        turn, row = cross(z, flat), rate[a]
        row[0], row[10] = by_p * by_gap, 0.0
        for e in range(3):
            row[1 + e] = (by_p * by_rate - along) * v[e] - faster * by_s[e]
            row[1 + e] -= dot(n, z) * by_z[e] + tall * z[e]
            row[4 + e] = (by_p * by_rate - along) * n[e] + by_s[e]
            row[7 + e] = turn[e]
    for a in range(m):
        row, of_rate = rate[size + a], w[layer.rate_by_rate + a * B + lane]
        row[:] = 0.0
        row[0] = w[layer.rate_by_gap + a * B + lane]
        for e in range(3):
            row[1 + e], row[4 + e] = of_rate * v[e], of_rate * n[e]
    _to_axes(R, vector_at(w, Z, lane), rate)
    speed = sqrt(dot(s, s))
    slower = w[L_SPEED + lane] / speed if speed > 0.0 else 0.0
    limit[:] = 0.0
    limit[0] = w[L_P + lane] * by_gap
    for e in range(3):
        limit[1 + e] = w[L_P + lane] * by_rate * v[e] - slower * faster * s[e]
        limit[4 + e] = w[L_P + lane] * by_rate * n[e] + slower * s[e]


@kernel
def _to_axes(R: Floats, rate: tuple[float, float, float], local: Floats) -> None:
    """Derivatives of the rate of the elastic slip in the axes of the slave, which turn."""
    for e in range(3):
        unit = 1.0 if e == 0 else 0.0, 1.0 if e == 1 else 0.0, 1.0 if e == 2 else 0.0
        turned = cross(unit, rate)
        for a in range(3):
            local[a, 7 + e] -= turned[a]
    for j in range(LOCAL):
        x, y, z = local[0, j], local[1, j], local[2, j]
        for a in range(3):
            local[a, j] = R[0, a] * x + R[1, a] * y + R[2, a] * z
