"""Inertia of a deforming body in its floating frame, as compiled programs see it.

The equations are those of `body.floating.inertia`, with the same letters. Matrices over all k
shapes are never stored: each of their rows is taken to the m coordinates q by dp/dq = (1, P) as
soon as it is known (`_project`); those of second-order shapes are added to the others at the end
(`_spread`).
"""

from __future__ import annotations

from fecontact.body.lowered.frame import ALPHA, PUSH, TURN, TURN_RATE
from fecontact.body.lowered.shapes import Deformed, Shapes, Space
from fecontact.kernels.arrays import part
from fecontact.kernels.decorators import kernel
from fecontact.kernels.sums import add_four, add_one, add_rows, clear, dot_both, dot_rows, dot_three
from fecontact.kernels.vectors import Three, cross, three, turned, turned_back
from fecontact.typing import Floats

__all__ = ["add_tangents", "d_inertia", "inertia_force", "mass_matrix", "project_force", "weight"]


@kernel(fastmath=True)
def _bilinear(B: Floats, x: Floats, y: Floats, P: Floats, result: Floats) -> None:
    """P = B x (k - m, m), and the amplitudes (y, P y) (k,) of all shapes."""
    count, m = P.shape
    for j in range(m):
        result[j] = y[j]
    second = result[m:]
    for c in range(count):
        row = P[c]
        for i in range(m):
            row[i] = dot_rows(x, B[c, i])
        second[c] = dot_rows(row, y)


@kernel(fastmath=True)
def _bilinear_both(B: Floats, x: Floats, y: Floats, s: Space, second: Floats) -> None:
    """`_bilinear` of x, x (halved) to P, p, and of y, y to P', `second`: B is read once."""
    count, m = s.P.shape
    for j in range(m):
        s.p[j], second[j] = x[j], y[j]
    for c in range(count):
        P, Q = s.P[c], s.change[c]
        for i in range(m):
            P[i], Q[i] = dot_both(part(B, m * (m * c + i), m), x, y)
        s.p[m + c], second[m + c] = 0.5 * dot_rows(P, x), dot_rows(Q, y)


@kernel(fastmath=True)
def _amplitudes(P: Floats, x: Floats, result: Floats) -> None:
    """Amplitudes (x, P x) (k,) of all shapes."""
    count, m = P.shape
    for j in range(m):
        result[j] = x[j]
    second = result[m:]
    for c in range(count):
        second[c] = dot_rows(P[c], x)


@kernel(fastmath=True)
def _contract(second: Floats, x: Floats, result: Floats) -> None:
    """Matrices of `second` times x, as many of its first ones as there are results, (count, k)."""
    count, k = len(result), len(x)
    for i in range(k):
        for a in range(0, count, 3):
            at = k * (9 * i + a)
            A, B, C = part(second, at, k), part(second, at + k, k), part(second, at + 2 * k, k)
            result[a, i], result[a + 1, i], result[a + 2, i] = dot_three(x, A, B, C)


@kernel(fastmath=True)
def _contract_both(second: Floats, x: Floats, y: Floats, by_x: Floats, by_y: Floats) -> None:
    """`_contract` by two vectors, x with all nine; what is in both is read once."""
    k, both = len(x), len(by_y)
    for i in range(k):
        for a in range(0, 9, 3):
            at = k * (9 * i + a)
            A, B, C = part(second, at, k), part(second, at + k, k), part(second, at + 2 * k, k)
            by_x[a, i], by_x[a + 1, i], by_x[a + 2, i] = dot_three(x, A, B, C)
            if a < both:
                by_y[a, i], by_y[a + 1, i], by_y[a + 2, i] = dot_three(y, A, B, C)


@kernel(fastmath=True)
def _times(A: Floats, x: Floats) -> Three:
    """A x for A (3, k)."""
    return dot_rows(x, A[0]), dot_rows(x, A[1]), dot_rows(x, A[2])


@kernel(fastmath=True)
def _add_times(row: Three, A: Floats, result: Floats) -> None:
    """Add row . A, A (3, k), to the result (k,)."""
    a, b, c = row
    x, y, z = A[0], A[1], A[2]
    for j in range(len(x)):
        result[j] += a * x[j] + b * y[j] + c * z[j]


@kernel(fastmath=True)
def _six(row: int, column: int) -> int:
    """Where a symmetric tensor has a component."""
    low, high = min(row, column), max(row, column)
    return high if low == 0 else 2 + high if low == 1 else 5


@kernel(fastmath=True)
def _tensor_times(J: Floats, x: Three) -> Three:
    """Symmetric tensor (6,) times x."""
    return (
        J[0] * x[0] + J[1] * x[1] + J[2] * x[2],
        J[1] * x[0] + J[3] * x[1] + J[4] * x[2],
        J[2] * x[0] + J[4] * x[1] + J[5] * x[2],
    )


@kernel(fastmath=True)
def _unit(i: int) -> Three:
    return (1.0 if i == 0 else 0.0, 1.0 if i == 1 else 0.0, 1.0 if i == 2 else 0.0)


@kernel(fastmath=True)
def _place(b: Shapes, e: Floats, s: Space) -> None:
    """Amplitudes p and P at elastic coordinates e, and S."""
    _bilinear(b.shortening, e, e, s.P, s.p)
    second = s.p[len(e) :]
    for c in range(len(second)):
        second[c] *= 0.5
    _first_moment(b, s)


@kernel(fastmath=True)
def _first_moment(b: Shapes, s: Space) -> None:
    moved = _times(b.translation, s.p)
    for i in range(3):
        s.S[i] = b.first_moment[i] + moved[i]


@kernel(fastmath=True)
def _deform(b: Shapes, d: Deformed, e: Floats, s: Space) -> None:
    """Amplitudes and inertia at elastic coordinates e."""
    _place(b, e, s)
    _contract(d.second, s.p, s.at)
    _deformed(d, s)


@kernel(fastmath=True)
def _deformed(d: Deformed, s: Space) -> None:
    """Inertia from the amplitudes, and from G p and half of dJ/dp p, which is replaced."""
    for a in range(3):
        H, H_0, G = s.H[a], d.rotation[a], s.at[a]
        for j in range(len(H)):
            H[j] = H_0[j] - G[j]
    for a in range(6):
        dJ, dJ_0, p, total = s.at[3 + a], d.inertia_first[a], s.p, 0.0
        for j in range(len(p)):
            total += (dJ_0[j] + 0.5 * dJ[j]) * p[j]
            dJ[j] += dJ_0[j]
        s.J[a] = d.inertia[a] + total


@kernel(fastmath=True)
def _turning(J: Floats, x: Three, a: int, sign: float, result: Floats) -> None:
    """Add component a of the tensors J (6, k) times x, to the result (k,)."""
    u, v, w = J[_six(a, 0)], J[_six(a, 1)], J[_six(a, 2)]
    c0, c1, c2 = sign * x[0], sign * x[1], sign * x[2]
    for j in range(len(u)):
        result[j] += c0 * u[j] + c1 * v[j] + c2 * w[j]


@kernel(fastmath=True)
def inertia_force(b: Shapes, d: Deformed, e: Floats, rate: Floats, s: Space) -> tuple[Three, Three]:
    """Inertia forces (6 + k,) on all shapes, at coordinates e with their rates, frame in `s`.

    Those of the acceleration of the frame, as far as it is known, are among them. Returns
    omega x S + 2 C p' and J omega + H p'.
    """
    m, omega = len(e), three(s.frame, TURN_RATE)
    _bilinear_both(b.shortening, e, rate, s, s.bend)
    _first_moment(b, s)
    _amplitudes(s.P, rate, s.rate)
    _contract_both(d.second, s.p, s.rate, s.at, s.moving)
    _deformed(d, s)
    for j in range(m):
        s.bend[j] = 0.0
    clear(s.W)
    for a in range(3):
        _turning(s.at[3:], omega, a, 1.0, s.W[a])
    drift, lever = _times(b.translation, s.rate), cross(omega, three(s.S, 0))
    linear = lever[0] + 2.0 * drift[0], lever[1] + 2.0 * drift[1], lever[2] + 2.0 * drift[2]
    x, y = _tensor_times(s.J, omega), _times(s.H, s.rate)
    angular = x[0] + y[0], x[1] + y[1], x[2] + y[2]
    x, y = cross(omega, linear), _times(b.translation, s.bend)
    pushed = turned(s.frame, TURN, (x[0] + y[0], x[1] + y[1], x[2] + y[2]))
    x, y, z = _times(s.W, s.rate), cross(omega, angular), _times(s.H, s.bend)
    for i in range(3):
        s.force[i], s.force[3 + i] = -pushed[i], -x[i] - y[i] - z[i]
    bend, pressed = s.bend[m:], s.force[6:]
    for i in range(len(pressed)):
        pressed[i] = -dot_rows(bend, d.gram[i, m:])
    _add_times((2.0 * omega[0], 2.0 * omega[1], 2.0 * omega[2]), s.moving, s.force[6:])
    _add_times((0.5 * omega[0], 0.5 * omega[1], 0.5 * omega[2]), s.W, s.force[6:])
    w = turned_back(s.frame, TURN, three(s.frame, PUSH))
    _add_times((-w[0], -w[1], -w[2]), b.translation, s.force[6:])
    w = three(s.frame, ALPHA)
    _add_times((-w[0], -w[1], -w[2]), s.H, s.force[6:])
    return linear, angular


@kernel(fastmath=True)
def project_force(s: Space, first: int, force: Floats) -> None:
    """Forces on all shapes in the dofs from `first` on."""
    m = s.P.shape[1]
    own = s.force[first:]
    for i in range(len(force)):
        force[i] = own[i]
    add_rows(s.force[6 + m :], s.P, force[6 - first :])


@kernel(fastmath=True)
def _project(row: Floats, s: Space) -> None:
    """Take the columns of a row over all shapes to the coordinates."""
    m = s.P.shape[1]
    add_rows(row[6 + m :], s.P, row[6 : 6 + m])


@kernel(fastmath=True)
def _put_row(row: Floats, i: int, first: int, below: Floats, A: Floats) -> None:
    """Row i of a matrix over the dofs, or, of a second-order shape, below it."""
    to, own = (
        (A[i - first], row[first:]) if i - first < len(A) else (below[i - first - len(A)], row)
    )
    for j in range(len(to)):
        to[j] = own[j]


@kernel(fastmath=True)
def _spread(below: Floats, s: Space, first: int, A: Floats) -> None:
    """Add the rows of second-order shapes to those of the coordinates, by P^T."""
    count, m = s.P.shape
    rows = A[6 - first :]
    for r in range(m):
        row = rows[r]
        c = 0
        while c + 4 <= count:
            add_four(
                s.P[c, r], s.P[c + 1, r], s.P[c + 2, r], s.P[c + 3, r], below[c][first:],
                below[c + 1][first:], below[c + 2][first:], below[c + 3][first:], row,
            )  # fmt: skip
            c += 4


@kernel(fastmath=True)
def _add_stiffness(B: Floats, load: Floats, first: int, A: Floats) -> None:
    """Add the stiffness of loads (k - m,) on the second-order coordinates."""
    count, m, _ = B.shape
    rows = A[6 - first :]
    for i in range(m):
        row = rows[i, 6 - first :]
        c = 0
        while c + 4 <= count:
            add_four(
                load[c], load[c + 1], load[c + 2], load[c + 3], B[c, i], B[c + 1, i], B[c + 2, i],
                B[c + 3, i], row,
            )  # fmt: skip
            c += 4


@kernel(fastmath=True)
def _columns_of_bending(b: Shapes, d: Deformed, s: Space, i: int) -> None:
    """Row i of the second-order shapes in the mass matrix, into `s.column`."""
    count, m = s.P.shape
    r = three(s.frame, TURN + 3 * i) if i < 3 else (0.0, 0.0, 0.0)
    for c in range(count):
        if i < 3:
            C = b.translation
            s.column[c] = r[0] * C[0, m + c] + r[1] * C[1, m + c] + r[2] * C[2, m + c]
        elif i < 6:
            s.column[c] = s.H[i - 3, m + c]
        else:
            s.column[c] = d.gram[i - 6, m + c]


@kernel(fastmath=True)
def _set_factors(s: Space) -> None:
    """Factors of the sums over `second`: omega omega, 2 omega, alpha."""
    w, alpha, f = three(s.frame, TURN_RATE), three(s.frame, ALPHA), s.factors
    f[0], f[3], f[5] = 0.5 * w[0] * w[0], 0.5 * w[1] * w[1], 0.5 * w[2] * w[2]
    f[1], f[2], f[4] = w[0] * w[1], w[0] * w[2], w[1] * w[2]
    for i in range(3):
        f[6 + i], f[9 + i] = 2.0 * w[i], alpha[i]


@kernel(fastmath=True)
def add_tangents(
    b: Shapes, d: Deformed, s: Space, linear: Three, angular: Three, first: int, by_q: Floats,
    by_v: Floats, only_by_v: bool,
) -> None:  # fmt: skip
    """Derivatives of the forces of `inertia_force`, which was called before.

    Without those by the coordinates if nobody asks.
    """
    count, m = s.P.shape
    _set_factors(s)
    if not only_by_v:
        _contract(d.second, s.bend, s.bent)
    for i in range(first, 6 + m + count):
        for j in range(len(s.row)):
            s.row[j] = s.row_v[j] = 0.0
        if i < 3:
            _force_row(b, s, i, linear)
        elif i < 6:
            _moment_row(s, i - 3, angular)
        else:
            _row_of_shape(d.second[i - 6], s, i - 6, first > 0, only_by_v)
        if not only_by_v:
            _project(s.row, s)
            add_rows(s.row_v[6 + m :], s.change, s.row[6 : 6 + m])
            _put_row(s.row, i, first, s.below, by_q)
        _columns_of_bending(b, d, s, i)
        for c in range(count):
            s.column[c] *= -2.0
        _project(s.row_v, s)
        add_rows(s.column, s.change, s.row_v[6 : 6 + m])
        _put_row(s.row_v, i, first, s.below_v, by_v)
    _spread(s.below_v, s, first, by_v)
    if not only_by_v:
        _spread(s.below, s, first, by_q)
        _add_stiffness(b.shortening, s.force[6 + m :], first, by_q)


@kernel(fastmath=True)
def _row_of_shape(second: Floats, s: Space, i: int, driven: bool, only_by_v: bool) -> None:
    """Row i of the derivatives of the force on a shape."""
    if not only_by_v:
        add_rows(s.factors, second[3:], s.row[6:])
        if driven:
            add_rows(s.factors[9:], second[:3], s.row[6:])
    add_rows(s.factors[6:], second[:3], s.row_v[6:])
    for a in range(3):
        s.row_v[3 + a] = 2.0 * s.moving[a, i] + s.W[a, i]


@kernel(fastmath=True)
def _force_row(b: Shapes, s: Space, i: int, linear: Three) -> None:
    """Rows i of the derivatives of the force on the frame."""
    omega, r = three(s.frame, TURN_RATE), three(s.frame, TURN + 3 * i)
    side = cross(r, omega)
    x, y, inward = cross(omega, linear), _times(b.translation, s.bend), cross(side, omega)
    at_rest = cross(r, (x[0] + y[0], x[1] + y[1], x[2] + y[2]))
    x, y = cross(r, linear), cross(side, three(s.S, 0))
    for a in range(3):
        s.row[3 + a], s.row_v[3 + a] = at_rest[a], x[a] + y[a]
    _add_times((-inward[0], -inward[1], -inward[2]), b.translation, s.row[6:])
    _add_times((-2.0 * side[0], -2.0 * side[1], -2.0 * side[2]), b.translation, s.row_v[6:])


@kernel(fastmath=True)
def _moment_row(s: Space, a: int, angular: Three) -> None:
    """Rows a of the derivatives of the moment on the frame."""
    omega, e = three(s.frame, TURN_RATE), _unit(a)
    side, arm = cross(e, omega), cross(e, angular)
    turned_inertia = _tensor_times(s.J, side)
    for c in range(3):
        changed = dot_rows(s.rate, s.at[3 + _six(a, c)])
        s.row_v[3 + c] = arm[c] - turned_inertia[c] - changed
    back = -side[0], -side[1], -side[2]
    add_one(-1.0, s.bent[a], s.row[6:])
    add_one(-1.0, s.W[a], s.row_v[6:])
    _turning(s.moving[3:], omega, a, -1.0, s.row[6:])
    _add_times(back, s.W, s.row[6:])
    _add_times(back, s.moving, s.row[6:])
    _add_times(back, s.H, s.row_v[6:])


@kernel(fastmath=True)
def mass_matrix(b: Shapes, d: Deformed, e: Floats, s: Space, first: int, result: Floats) -> None:
    """Mass matrix of the dofs from `first` on, with the frame in `s`."""
    k = len(s.p)
    _deform(b, d, e, s)
    S, C = three(s.S, 0), b.translation
    for i in range(first, 6 + k):
        for j in range(6 + k):
            s.row[j] = 0.0
        for a in range(3):
            r = three(s.frame, TURN + 3 * a)
            if i < 3:
                s.row[3 + a] = cross(S, three(s.frame, TURN + 3 * i))[a]
            elif i < 6:
                s.row[a], s.row[3 + a] = cross(S, r)[i - 3], s.J[_six(i - 3, a)]
            else:
                s.row[a] = r[0] * C[0, i - 6] + r[1] * C[1, i - 6] + r[2] * C[2, i - 6]
                s.row[3 + a] = s.H[a, i - 6]
        if i < 3:
            s.row[i] = b.mass
            _add_times(three(s.frame, TURN + 3 * i), C, s.row[6:])
        else:
            add_one(1.0, s.H[i - 3] if i < 6 else d.gram[i - 6], s.row[6:])
        _project(s.row, s)
        _put_row(s.row, i, first, s.below, result)
    _spread(s.below, s, first, result)


@kernel(fastmath=True)
def d_inertia(
    b: Shapes, d: Deformed, e: Floats, a: Floats, s: Space, first: int, result: Floats
) -> None:
    """Derivative of M a along a step, for a (n,) in the dofs from `first` on."""
    m, k, C = len(e), len(s.p), b.translation
    free, own = first == 0, a[6 - first :]
    alpha = three(a, 3) if free else (0.0, 0.0, 0.0)
    push = three(a, 0) if free else (0.0, 0.0, 0.0)
    w = turned_back(s.frame, TURN, push)
    _bilinear_both(b.shortening, e, own, s, s.rate)
    _first_moment(b, s)
    _amplitudes(s.P, own, s.rate)
    _contract_both(d.second, s.p, s.rate, s.at, s.bent)
    _deformed(d, s)
    x, y = cross(alpha, three(s.S, 0)), _times(C, s.rate)
    pull = x[0] + y[0], x[1] + y[1], x[2] + y[2]
    for i in range(3):
        s.factors[i] = -alpha[i]
    for i in range(first, 6 + k):
        for j in range(6 + k):
            s.row[j] = 0.0
        if i < 3:
            r = three(s.frame, TURN + 3 * i)
            turn, side = cross(pull, r), cross(r, alpha)
            _add_times(side, C, s.row[6:])
        elif i < 6:
            unit = _unit(i - 3)
            turn, side = cross(cross(unit, three(s.S, 0)), w), cross(w, unit)
            _add_times(side, C, s.row[6:])
            _turning(s.at[3:], alpha, i - 3, 1.0, s.row[6:])
            add_one(1.0, s.bent[i - 3], s.row[6:])
        else:
            turn = cross((C[0, i - 6], C[1, i - 6], C[2, i - 6]), w)
            add_rows(s.factors, d.second[i - 6, :3], s.row[6:])
        for c in range(3):
            s.row[3 + c] = turn[c]
        _columns_of_bending(b, d, s, i)
        _project(s.row, s)
        add_rows(s.column, s.change, s.row[6 : 6 + m])
        _put_row(s.row, i, first, s.below, result)
    _spread(s.below, s, first, result)
    for c in range(m, k):  # loads on the second-order coordinates
        load = dot_rows(s.rate, d.gram[c])
        for i in range(3):
            load += w[i] * C[i, c] + alpha[i] * s.H[i, c]
        s.force[6 + c] = load
    _add_stiffness(b.shortening, s.force[6 + m :], first, result)


@kernel(fastmath=True)
def weight(
    b: Shapes, e: Floats, g: Three, s: Space, first: int, force: Floats, by_q: Floats,
    tangents: bool,
) -> float:  # fmt: skip
    """Force of the acceleration g, with its derivative; returns -g . (m u + R S - S_0)."""
    m, k, C = len(e), len(s.p), b.translation
    _place(b, e, s)
    w, S = turned_back(s.frame, TURN, g), three(s.S, 0)
    moment, moved = cross(S, w), turned(s.frame, TURN, S)
    potential = 0.0
    for i in range(3):
        s.force[i], s.force[3 + i] = b.mass * g[i], moment[i]
        potential -= g[i] * (b.mass * s.frame[i] + moved[i] - b.first_moment[i])
    for j in range(k):
        s.force[6 + j] = 0.0
    _add_times(w, C, s.force[6:])
    project_force(s, first, force)
    if not tangents:
        return potential
    clear(by_q)
    _add_stiffness(b.shortening, s.force[6 + m :], first, by_q)
    for i in range(3 if first == 0 else 0):
        unit = _unit(i)
        arm, side = cross(cross(unit, S), w), cross(w, unit)
        for j in range(3):
            by_q[3 + i, 3 + j] = arm[j]
        for j in range(6 + k):
            s.row[j] = 0.0
        _add_times(side, C, s.row[6:])
        _project(s.row, s)
        for j in range(m):
            by_q[6 + j, 3 + i] = by_q[3 + i, 6 + j] = s.row[6 + j]
    return potential
