"""Inertia of a deforming body in its floating frame, as compiled programs see it.

The equations are those of `body.floating`, with the same letters. Matrices over all k shapes are
never stored: each of their rows is taken to the m coordinates q by dp/dq = (1, P) and added to
those of the result as soon as it is known (`_add_row`).

Symmetric tensors are stored as xx, xy, xz, yy, yz, zz; `second` is (k, 9, k), for each shape the
rows of the three G and of the six d^2 J/dp^2.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fecontact.body.floating import FloatingInertia
from fecontact.body.lowered.frame import ALPHA, PUSH, STATE, TURN, TURN_RATE
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import Packing
from fecontact.kernels.vectors import Three, cross, three, turned, turned_back
from fecontact.typing import Floats, Integers

__all__ = [
    "Deformed",
    "Shapes",
    "Space",
    "add_tangents",
    "d_inertia",
    "inertia_at",
    "inertia_force",
    "mass_matrix",
    "pack_inertia",
    "pack_shapes",
    "project_force",
    "shapes_at",
    "space_of",
    "space_size",
    "weight",
]

SIX: Integers = np.array([0, 1, 2, 4, 5, 8])
"""Where a symmetric tensor (9,) has its six numbers."""


class Shapes(NamedTuple):
    """What the weight of a body depends on: m, S, C (3, k) and B (k - m, m, m)."""

    mass: float
    first_moment: Floats
    translation: Floats
    shortening: Floats


class Deformed(NamedTuple):
    """What its inertia depends on besides: J (6,), H (3, k), dJ/dp (6, k), N (k, k), `second`."""

    inertia: Floats
    rotation: Floats
    inertia_first: Floats
    gram: Floats
    second: Floats


class Space(NamedTuple):
    """Working space.

    State of the frame; S and J of the deformed body; p, p', p'' of q'' = 0; force (6 + k,); rows
    (6 + k,) of two matrices and columns (k - m,) of the second-order shapes; P and P' (k - m, m);
    H (3, k); G p and dJ/dp (9, k); both times p'; G p''; dJ/dp omega (3, k).
    """

    frame: Floats
    S: Floats
    J: Floats
    p: Floats
    rate: Floats
    bend: Floats
    force: Floats
    row: Floats
    row_v: Floats
    column: Floats
    P: Floats
    change: Floats
    H: Floats
    at: Floats
    moving: Floats
    bent: Floats
    W: Floats


def pack_shapes(packing: Packing, inertia: FloatingInertia) -> int:
    """Append the numbers of `Shapes`; returns where they begin."""
    count, m, _ = inertia.shortening.shape
    start = packing.add([m, m + count, inertia.mass])
    packing.extend([inertia.first_moment, inertia.translation, inertia.shortening])
    return start


def pack_inertia(packing: Packing, inertia: FloatingInertia) -> int:
    """Append the numbers of `Shapes` and `Deformed`; returns where they begin."""
    start, k = pack_shapes(packing, inertia), inertia.translation.shape[1]
    second = inertia.second.reshape(12, k, k)
    kept = np.concatenate([second[:3], second[3:][SIX]])
    packing.add(inertia.inertia.ravel()[SIX])
    packing.add(inertia.rotation)
    packing.add(inertia.inertia_first.reshape(9, k)[SIX])
    packing.extend([inertia.gram, kept.transpose(1, 0, 2)])
    return start


@kernel(fastmath=True)
def shapes_at(p: Floats, at: int) -> Shapes:
    """Shapes whose numbers begin at `at`."""
    m, k, C = int(p[at]), int(p[at + 1]), at + 6
    B = C + 3 * k
    end = B + (k - m) * m * m
    return Shapes(
        p[at + 2],
        p[at + 3 : C],
        p[C:B].reshape((3, k)),
        p[B:end].reshape((k - m, m, m)),
    )


@kernel(fastmath=True)
def inertia_at(p: Floats, at: int) -> Deformed:
    """Inertia whose numbers begin at `at`."""
    m, k = int(p[at]), int(p[at + 1])
    J = at + 6 + 3 * k + (k - m) * m * m
    H = J + 6
    J_1 = H + 3 * k
    N = J_1 + 6 * k
    second = N + k * k
    end = second + 9 * k * k
    return Deformed(
        p[J:H],
        p[H:J_1].reshape((3, k)),
        p[J_1:N].reshape((6, k)),
        p[N:second].reshape((k, k)),
        p[second:end].reshape((k, 9, k)),
    )


def space_size(m: int, k: int) -> int:
    """Length of the working space."""
    return STATE + 9 + 3 * k + 3 * (6 + k) + (k - m) * (1 + 2 * m) + (3 + 9 + 9 + 3 + 3) * k


@kernel(fastmath=True)
def space_of(own: Floats, m: int, k: int) -> Space:
    """Parts of the working space."""
    c, S = k - m, STATE
    p = S + 9
    force = p + 3 * k
    rows = force + 6 + k
    column = rows + 2 * (6 + k)
    P = column + c
    H = P + 2 * c * m
    at = H + 3 * k
    moving = at + 9 * k
    bent = moving + 9 * k
    W = bent + 3 * k
    return Space(
        own[:S],
        own[S : S + 3],
        own[S + 3 : p],
        own[p : p + k],
        own[p + k : p + 2 * k],
        own[p + 2 * k : force],
        own[force:rows],
        own[rows : rows + 6 + k],
        own[rows + 6 + k : column],
        own[column:P],
        own[P : P + c * m].reshape((c, m)),
        own[P + c * m : H].reshape((c, m)),
        own[H:at].reshape((3, k)),
        own[at:moving].reshape((9, k)),
        own[moving:bent].reshape((9, k)),
        own[bent:W].reshape((3, k)),
        own[W : W + 3 * k].reshape((3, k)),
    )


@kernel(fastmath=True)
def _bilinear(B: Floats, x: Floats, y: Floats, P: Floats, result: Floats) -> None:
    """P = B x (k - m, m), and x then P y as amplitudes (k,) of all shapes."""
    count, m = P.shape
    for j in range(m):
        result[j] = y[j]
    for c in range(count):
        total = 0.0
        for i in range(m):
            s = 0.0
            for j in range(m):
                s += B[c, i, j] * x[j]
            P[c, i] = s
            total += s * y[i]
        result[m + c] = total


@kernel(fastmath=True)
def _contract(second: Floats, count: int, x: Floats, result: Floats) -> None:
    """Matrices of `second` times x, the first `count` of them, (count, k)."""
    k = len(x)
    for i in range(k):
        for a in range(count):
            s = 0.0
            for j in range(k):
                s += second[i, a, j] * x[j]
            result[a, i] = s


@kernel(fastmath=True)
def _times(A: Floats, x: Floats) -> Three:
    """A x for A (3, k)."""
    a = b = c = 0.0
    for j in range(len(x)):
        a += A[0, j] * x[j]
        b += A[1, j] * x[j]
        c += A[2, j] * x[j]
    return a, b, c


@kernel(fastmath=True)
def _add_times(row: Three, A: Floats, result: Floats, to: int) -> None:
    """Add row . A, A (3, k), to the numbers of the result from `to` on."""
    a, b, c = row
    for j in range(A.shape[1]):
        result[to + j] += a * A[0, j] + b * A[1, j] + c * A[2, j]


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
    m = len(e)
    _bilinear(b.shortening, e, e, s.P, s.p)
    for c in range(len(s.p) - m):
        s.p[m + c] *= 0.5
    moved = _times(b.translation, s.p)
    for i in range(3):
        s.S[i] = b.first_moment[i] + moved[i]


@kernel(fastmath=True)
def _deform(b: Shapes, d: Deformed, e: Floats, s: Space) -> None:
    """Amplitudes and inertia at elastic coordinates e."""
    _place(b, e, s)
    _contract(d.second, 9, s.p, s.at)
    for a in range(3):
        for j in range(len(s.p)):
            s.H[a, j] = d.rotation[a, j] - s.at[a, j]
    for a in range(6):
        total = d.inertia[a]
        for j in range(len(s.p)):
            total += (d.inertia_first[a, j] + 0.5 * s.at[3 + a, j]) * s.p[j]
            s.at[3 + a, j] += d.inertia_first[a, j]
        s.J[a] = total


@kernel(fastmath=True)
def _turning(J: Floats, first: int, x: Three, a: int, sign: float, result: Floats, to: int) -> None:
    """Add component a of the tensors J (6, k), from row `first` on, times x."""
    u, v, w = first + _six(a, 0), first + _six(a, 1), first + _six(a, 2)
    c0, c1, c2 = sign * x[0], sign * x[1], sign * x[2]
    for j in range(J.shape[1]):
        result[to + j] += c0 * J[u, j] + c1 * J[v, j] + c2 * J[w, j]


@kernel(fastmath=True)
def inertia_force(b: Shapes, d: Deformed, e: Floats, rate: Floats, s: Space) -> tuple[Three, Three]:
    """Inertia forces (6 + k,) on all shapes, at coordinates e with their rates, frame in `s`.

    Those of the acceleration of the frame, as far as it is known, are among them. Returns
    omega x S + 2 C p' and J omega + H p'.
    """
    m, k, omega = len(e), len(s.p), three(s.frame, TURN_RATE)
    _deform(b, d, e, s)
    for c in range(k - m):  # p' = (q', P q')
        s.rate[m + c] = 0.0
        for j in range(m):
            s.rate[m + c] += s.P[c, j] * rate[j]
    _bilinear(b.shortening, rate, rate, s.change, s.bend)
    for j in range(m):
        s.rate[j], s.bend[j] = rate[j], 0.0
    _contract(d.second, 9, s.rate, s.moving)
    for a in range(3):
        for j in range(k):
            s.W[a, j] = 0.0
        _turning(s.at, 3, omega, a, 1.0, s.W[a], 0)
    drift, lever = _times(b.translation, s.rate), cross(omega, three(s.S, 0))
    linear = lever[0] + 2.0 * drift[0], lever[1] + 2.0 * drift[1], lever[2] + 2.0 * drift[2]
    x, y = _tensor_times(s.J, omega), _times(s.H, s.rate)
    angular = x[0] + y[0], x[1] + y[1], x[2] + y[2]
    x, y = cross(omega, linear), _times(b.translation, s.bend)
    pushed = turned(s.frame, TURN, (x[0] + y[0], x[1] + y[1], x[2] + y[2]))
    x, y, z = _times(s.W, s.rate), cross(omega, angular), _times(s.H, s.bend)
    for i in range(3):
        s.force[i], s.force[3 + i] = -pushed[i], -x[i] - y[i] - z[i]
    for i in range(k):
        s.force[6 + i] = 0.0
        for c in range(m, k):
            s.force[6 + i] -= d.gram[i, c] * s.bend[c]
    _add_times((2.0 * omega[0], 2.0 * omega[1], 2.0 * omega[2]), s.moving, s.force, 6)
    _add_times((0.5 * omega[0], 0.5 * omega[1], 0.5 * omega[2]), s.W, s.force, 6)
    w = turned_back(s.frame, TURN, three(s.frame, PUSH))
    _add_times((-w[0], -w[1], -w[2]), b.translation, s.force, 6)
    w = three(s.frame, ALPHA)
    _add_times((-w[0], -w[1], -w[2]), s.H, s.force, 6)
    return linear, angular


@kernel(fastmath=True)
def project_force(s: Space, first: int, force: Floats) -> None:
    """Forces on all shapes in the dofs from `first` on."""
    count, m = s.P.shape
    for i in range(first, 6 + m):
        force[i - first] = s.force[i]
    for c in range(count):
        for j in range(m):
            force[6 - first + j] += s.P[c, j] * s.force[6 + m + c]


@kernel(fastmath=True)
def _add_row(
    row: Floats, extra: Floats, sign: float, s: Space, i: int, first: int, A: Floats
) -> None:
    """Add row i of a matrix over all shapes, plus sign extra . P', to a matrix over the dofs."""
    count, m = s.P.shape
    for c in range(count):
        a, b = row[6 + m + c], sign * extra[c]
        for j in range(m):
            row[6 + j] += a * s.P[c, j] + b * s.change[c, j]
    if i < 6 + m:
        for j in range(first, 6 + m):
            A[i - first, j - first] += row[j]
        return
    c = i - 6 - m
    for r in range(m):
        part = s.P[c, r]
        for j in range(first, 6 + m):
            A[6 - first + r, j - first] += part * row[j]


@kernel(fastmath=True)
def _add_stiffness(B: Floats, load: Floats, start: int, first: int, A: Floats) -> None:
    """Add the stiffness of loads on the second-order coordinates, which begin at `start`."""
    count, m, _ = B.shape
    for i in range(m):
        for c in range(count):
            part = load[start + c]
            for j in range(m):
                A[6 - first + i, 6 - first + j] += part * B[c, i, j]


@kernel(fastmath=True)
def _add_gyroscopic(second: Floats, i: int, x: Three, row: Floats) -> None:
    """Add row i of sum x_a G_a."""
    for j in range(second.shape[2]):
        row[6 + j] += x[0] * second[i, 0, j] + x[1] * second[i, 1, j] + x[2] * second[i, 2, j]


@kernel(fastmath=True)
def _add_centrifugal(second: Floats, i: int, w: Three, row: Floats) -> None:
    """Add row i of sum omega_a omega_b (d^2 J_ab/dp^2)/2."""
    xx, yy, zz = 0.5 * w[0] * w[0], 0.5 * w[1] * w[1], 0.5 * w[2] * w[2]
    xy, xz, yz = w[0] * w[1], w[0] * w[2], w[1] * w[2]
    for j in range(second.shape[2]):
        row[6 + j] += (
            xx * second[i, 3, j] + xy * second[i, 4, j] + xz * second[i, 5, j]
            + yy * second[i, 6, j] + yz * second[i, 7, j] + zz * second[i, 8, j]
        )  # fmt: skip


@kernel(fastmath=True)
def _clear(A: Floats) -> None:
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            A[i, j] = 0.0


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
def add_tangents(
    b: Shapes, d: Deformed, s: Space, linear: Three, angular: Three, first: int, by_q: Floats,
    by_v: Floats,
) -> None:  # fmt: skip
    """Derivatives of the forces of `inertia_force`, which was called before."""
    count, m = s.P.shape
    omega, alpha = three(s.frame, TURN_RATE), three(s.frame, ALPHA)
    twice = 2.0 * omega[0], 2.0 * omega[1], 2.0 * omega[2]
    _contract(d.second, 3, s.bend, s.bent)
    _clear(by_q)
    _clear(by_v)
    for i in range(first, 6 + m + count):
        for j in range(6 + m + count):
            s.row[j] = s.row_v[j] = 0.0
        if i < 3:
            _force_row(b, s, i, linear)
        elif i < 6:
            _moment_row(s, i - 3, angular)
        else:
            _add_centrifugal(d.second, i - 6, omega, s.row)
            _add_gyroscopic(d.second, i - 6, alpha, s.row)
            _add_gyroscopic(d.second, i - 6, twice, s.row_v)
            for a in range(3):
                s.row_v[3 + a] = 2.0 * s.moving[a, i - 6] + s.W[a, i - 6]
        _columns_of_bending(b, d, s, i)
        _add_row(s.row, s.row_v[6 + m :], 1.0, s, i, first, by_q)
        _add_row(s.row_v, s.column, -2.0, s, i, first, by_v)
    _add_stiffness(b.shortening, s.force, 6 + m, first, by_q)


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
    _add_times((-inward[0], -inward[1], -inward[2]), b.translation, s.row, 6)
    _add_times((-2.0 * side[0], -2.0 * side[1], -2.0 * side[2]), b.translation, s.row_v, 6)


@kernel(fastmath=True)
def _moment_row(s: Space, a: int, angular: Three) -> None:
    """Rows a of the derivatives of the moment on the frame."""
    omega, e = three(s.frame, TURN_RATE), _unit(a)
    side, arm = cross(e, omega), cross(e, angular)
    turned_inertia = _tensor_times(s.J, side)
    for c in range(3):
        s.row_v[3 + c] = arm[c] - turned_inertia[c]
        at = 3 + _six(a, c)
        for j in range(len(s.rate)):
            s.row_v[3 + c] -= s.at[at, j] * s.rate[j]
    back = -side[0], -side[1], -side[2]
    for j in range(len(s.rate)):
        s.row[6 + j] -= s.bent[a, j]
        s.row_v[6 + j] -= s.W[a, j]
    _turning(s.moving, 3, omega, a, -1.0, s.row, 6)
    _add_times(back, s.W, s.row, 6)
    _add_times(back, s.moving, s.row, 6)
    _add_times(back, s.H, s.row_v, 6)


@kernel(fastmath=True)
def mass_matrix(b: Shapes, d: Deformed, e: Floats, s: Space, first: int, result: Floats) -> None:
    """Mass matrix of the dofs from `first` on, with the frame in `s`."""
    k = len(s.p)
    _deform(b, d, e, s)
    _clear(result)
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
            _add_times(three(s.frame, TURN + 3 * i), C, s.row, 6)
        else:
            for j in range(k):
                s.row[6 + j] = s.H[i - 3, j] if i < 6 else d.gram[i - 6, j]
        _add_row(s.row, s.row_v, 0.0, s, i, first, result)


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
    _deform(b, d, e, s)
    _bilinear(b.shortening, own, own, s.change, s.rate)
    for c in range(k - m):  # b = (a_q, P a_q)
        s.rate[m + c] = 0.0
        for j in range(m):
            s.rate[m + c] += s.P[c, j] * own[j]
    _contract(d.second, 3, s.rate, s.bent)
    x, y = cross(alpha, three(s.S, 0)), _times(C, s.rate)
    pull = x[0] + y[0], x[1] + y[1], x[2] + y[2]
    _clear(result)
    for i in range(first, 6 + k):
        for j in range(6 + k):
            s.row[j] = 0.0
        if i < 3:
            r = three(s.frame, TURN + 3 * i)
            turn, side = cross(pull, r), cross(r, alpha)
            _add_times(side, C, s.row, 6)
        elif i < 6:
            unit = _unit(i - 3)
            turn, side = cross(cross(unit, three(s.S, 0)), w), cross(w, unit)
            _add_times(side, C, s.row, 6)
            _turning(s.at, 3, alpha, i - 3, 1.0, s.row, 6)
            for j in range(k):
                s.row[6 + j] += s.bent[i - 3, j]
        else:
            turn = cross((C[0, i - 6], C[1, i - 6], C[2, i - 6]), w)
            _add_gyroscopic(d.second, i - 6, (-alpha[0], -alpha[1], -alpha[2]), s.row)
        for c in range(3):
            s.row[3 + c] = turn[c]
        _columns_of_bending(b, d, s, i)
        _add_row(s.row, s.column, 1.0, s, i, first, result)
    for c in range(m, k):  # loads on the second-order coordinates
        load = 0.0
        for j in range(k):
            load += d.gram[c, j] * s.rate[j]
        for i in range(3):
            load += w[i] * C[i, c] + alpha[i] * s.H[i, c]
        s.force[6 + c] = load
    _add_stiffness(b.shortening, s.force, 6 + m, first, result)


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
        s.force[6 + j] = w[0] * C[0, j] + w[1] * C[1, j] + w[2] * C[2, j]
    project_force(s, first, force)
    if not tangents:
        return potential
    _clear(by_q)
    _add_stiffness(b.shortening, s.force, 6 + m, first, by_q)
    for i in range(3 if first == 0 else 0):
        unit = _unit(i)
        arm, side = cross(cross(unit, S), w), cross(w, unit)
        for j in range(3):
            by_q[3 + i, 3 + j] = arm[j]
        for j in range(6 + k):
            s.row[j] = 0.0
        _add_times(side, C, s.row, 6)
        for c in range(k - m):
            for j in range(m):
                s.row[6 + j] += s.row[6 + m + c] * s.P[c, j]
        for j in range(m):
            by_q[6 + j, 3 + i] = by_q[3 + i, 6 + j] = s.row[6 + j]
    return potential
