"""Constraint rows as compiled programs see them.

A constraint with m rows on n dofs is an item whose force is A^T lam, with lam given in the part of
its record that it keeps to itself:

    lam (m), c (m), c' (m), time bias (m), A (m, n), D (m, n), then working space

FORCE writes c (zero at velocity level), c', the part of c'' that comes from a law of time, and A;
TANGENTS also D, the derivative of c' along an increment of the dofs, and in by_q that of A^T lam at
fixed lam (`kernels.lowered.ONLY_BY_V`: without). Its rows are sums over pairs of markers,

    n_q, n, m, velocity level, law of time (0: none), polar, pairs,
    then of each pair   marker a, marker b, common axis, rows, where a and b begin in q and v

of coordinates S s_0 - origin as in `joint.lowered.elements`, less the law of time; `polar`: there
are two coordinates, and the row is their polar angle. A row of one dof has numbers of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import atan2, floor, pi
from typing import TYPE_CHECKING, Any

import numpy as np

from fecontact.body.lowered import (
    MAPS,
    add_d_load,
    frame_size,
    marker_sizes,
    pack_marker,
    place_marker,
)
from fecontact.joint.frames import FrameRows
from fecontact.joint.lowered.elements import combine
from fecontact.joint.lowered.frame_loads import to_dofs
from fecontact.joint.lowered.relative_motion import (
    ANGULAR_VELOCITY,
    DIRECTION,
    DISPLACEMENT,
    DISTANCE,
    RELATIVE_ROTATION,
    relative_motion,
    second_motion,
)
from fecontact.joint.translation import WIDTHS, Coordinates
from fecontact.kernels.arrays import after, matrix, part, viewed
from fecontact.kernels.curves import motion_at
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import (
    FAILED,
    ONLY_BY_V,
    PARAMETERS,
    TANGENTS,
    TIME,
    Lowered,
    Packing,
    Record,
    changed,
    record,
)
from fecontact.kernels.sums import add_one, clear
from fecontact.typing import Body, Floats

if TYPE_CHECKING:
    from fecontact.joint.marker import MarkerPair

__all__ = [
    "Symbols",
    "add_end",
    "lowered_constraint",
    "lowered_dof",
    "lowered_rows",
    "polar_coordinates",
    "row_memory",
    "traced",
]

HEAD, PAIR = 7, 8
"""Numbers before those of the pairs, and of each pair."""
PARTS = 4
"""Parts of a relative motion that the coordinates of a pair may have."""
ANSWERS = ("at", "held", "rows", "bias", "level", "bodies")
"""What a class of one's own may not change if it is to have the compiled rows of its base."""


@kernel(fastmath=True)
def _write_law(p: Floats, at: int, t: float, value: Floats, rate: Floats, bias: Floats) -> None:
    """Begin the rows with what a law of time, if there is one, takes from them."""
    for i in range(len(value)):
        value[i] = rate[i] = bias[i] = 0.0
    if at > 0:
        way, speed, push = motion_at(p, at, t)
        value[0], rate[0], bias[0] = -way, -speed, -push


@kernel(fastmath=True)
def add_end(
    f: Floats, n: int, first: int, place: int, G: Floats, D: Floats, spinning: bool, second: bool,
    A: Floats, slopes: Floats,
) -> None:  # fmt: skip
    """Add the rows of one frame in the dofs of its body, which begin at `place`."""
    for i in range(len(A)):
        row, slope = A[i, place : place + n], slopes[i, place : place + n]
        for c in range(6):
            step, change = after(f, MAPS + n * c), after(f, MAPS + n * (6 + c))
            add_one(G[i, first + c], step, row)
            if spinning and c >= 3:
                add_one(G[i, first + c], after(f, MAPS + n * (9 + c)), row)
            if second:
                add_one(D[i, first + c], step, slope)
                add_one(G[i, first + c], change, slope)


@kernel(fastmath=True)
def _bent(s: Floats, G: Floats, bent: Floats) -> None:
    """Derivative (2, 12) of the gradient (-y, x)/r^2 of the polar angle along a step."""
    x, y = s[0], s[1]
    square = x * x + y * y
    factor = 1.0 / (square * square)
    xy, yy = 2.0 * x * y * factor, (y * y - x * x) * factor
    for c in range(12):
        a, b = G[0, c], G[1, c]
        bent[0, c], bent[1, c] = xy * a + yy * b, yy * a - xy * b


@kernel(fastmath=True)
def _to_polar(s: Floats, rates: Floats, near: float, G: Floats, D: Floats, bent: Floats) -> None:
    """Replace two coordinates (x, y) by their polar angle, of whole turns the nearest."""
    x, y = s[0], s[1]
    square = x * x + y * y
    a, b, angle = -y / square, x / square, atan2(y, x)
    for c in range(12):
        D[0, c] = a * D[0, c] + b * D[1, c] + rates[0] * bent[0, c] + rates[1] * bent[1, c]
        G[0, c] = a * G[0, c] + b * G[1, c]
    s[0] = angle + 2.0 * pi * floor((near - angle) / (2.0 * pi) + 0.5)
    rates[0] = a * rates[0] + b * rates[1]


@kernel(fastmath=True)
def _add_pair(p: Floats, at: int, near: float, w: Record, task: float) -> bool:
    """Add the coordinates of a pair of markers to the rows; False if they do not exist."""
    at_a, at_b, at_rows = int(p[at]), int(p[at + 1]), int(p[at + 3])
    q_a, v_a, q_b, v_b = int(p[at + 4]), int(p[at + 5]), int(p[at + 6]), int(p[at + 7])
    (size_q_a, n_a), (size_q_b, n_b) = marker_sizes(p, at_a), marker_sizes(p, at_b)
    own_a, own_b = part(w.q, q_a, size_q_a), part(w.q, q_b, size_q_b)
    n, m, k, total = len(w.v), int(p[2]), int(p[at_rows + 1]), int(p[at_rows + 2])
    common, polar, t = p[at + 2] > 0.0, p[5] > 0.0, w.head[TIME]
    second = task == TANGENTS
    lam, value, rate = part(w.own, 0, m), part(w.own, m, m), part(w.own, 2 * m, m)
    A, slopes = matrix(w.own, 4 * m, m, n), matrix(w.own, 4 * m + m * n, m, n)
    space = after(w.own, 4 * m + 2 * m * n)
    size_a = MAPS + 15 * n_a
    f_a, f_b = part(space, 0, size_a), part(space, size_a, MAPS + 15 * n_b)
    space = after(space, size_a + MAPS + 15 * n_b)
    place_marker(p, at_a, t, own_a, part(w.v, v_a, n_a), f_a)
    place_marker(p, at_b, t, own_b, part(w.v, v_b, n_b), f_b)
    base, pull, s, rates, load = (
        part(space, 0, 2 * total), part(space, 2 * total, total), part(space, 3 * total, k),
        part(space, 3 * total + k, k), part(space, 3 * total + 2 * k, k),
    )  # fmt: skip
    space = after(space, 3 * total + 3 * k)
    G_0, D_0 = matrix(space, 0, total, 12), matrix(space, 12 * total, total, 12)
    space = after(space, 24 * total)
    G, D, bent = matrix(space, 0, k, 12), matrix(space, 12 * k, k, 12), matrix(space, 24 * k, 2, 12)
    space = after(space, 24 * k + 24)
    H, none, wrench = matrix(space, 0, 12, 12), matrix(space, 144, 12, 12), part(space, 288, 12)
    space = after(space, 300)
    spinning = relative_motion(p, at_rows, common, f_a, f_b, base, G_0)
    if spinning < 0:
        return False
    chosen = at_rows + 3 + 4 * int(p[at_rows])
    combine(p, chosen, G_0, G)
    for i in range(k):
        s[i], rates[i] = -p[chosen + k * total + i], 0.0
        for j in range(total):
            s[i] += p[chosen + total * i + j] * base[2 * j]
            rates[i] += p[chosen + total * i + j] * base[2 * j + 1]
    if polar:
        square = s[0] * s[0] + s[1] * s[1]
        if square == 0.0:
            return False
        load[0], load[1] = lam[0] * s[1] / square, -lam[0] * s[0] / square
        _bent(s, G, bent)
    else:
        for i in range(k):
            load[i] = -lam[i]
    clear(H)
    if second:
        for j in range(total):
            pull[j] = 0.0
            for i in range(k):
                pull[j] += p[chosen + total * i + j] * load[i]
        second_motion(p, at_rows, common, f_a, f_b, pull, H, D_0)
        combine(p, chosen, D_0, D)
    if polar:
        for c in range(12 if second else 0):
            add_one(lam[0] * G[0, c], bent[0], H[c])
            add_one(lam[0] * G[1, c], bent[1], H[c])
        _to_polar(s, rates, near, G, D, bent)
    for i in range(m):
        value[i] += s[i]
        rate[i] += rates[i]
    add_end(f_a, n_a, 0, v_a, G, D, spinning > 0, second, A, slopes)
    add_end(f_b, n_b, 6, v_b, G, D, spinning > 0, second, A, slopes)
    if second and w.head[ONLY_BY_V] == 0.0:
        clear(none)
        for c in range(12):
            wrench[c] = 0.0
            for i in range(m):
                wrench[c] -= lam[i] * G[i, c]
        own = n_a + n_b
        by_q, unused = matrix(space, 0, own, own), matrix(space, own * own, own, own)
        more = after(space, 2 * own * own)
        to_dofs(H, none, none, f_a, f_b, n_a, n_b, spinning > 0, more, by_q, unused)
        add_d_load(p, at_a, own_a, f_a, part(wrench, 0, 6), -1.0, 0, by_q)
        add_d_load(p, at_b, own_b, f_b, after(wrench, 6), -1.0, n_a, by_q)
        for i in range(own):
            row = v_a + i if i < n_a else v_b + i - n_a
            for j in range(own):
                w.by_q[row, v_a + j if j < n_a else v_b + j - n_a] += by_q[i, j]
    return True


@kernel(fastmath=True)
def _all_pairs(p: Floats, w: Record, task: float) -> bool:
    """Rows of a constraint; False if they do not exist."""
    n, m = len(w.v), int(p[2])
    value, rate, bias = part(w.own, m, m), part(w.own, 2 * m, m), part(w.own, 3 * m, m)
    _write_law(p, int(p[4]), w.head[TIME], value, rate, bias)
    near = -value[0] if p[3] == 0.0 else 0.0
    clear(matrix(w.own, 4 * m, 2 * m, n))
    if task == TANGENTS:
        clear(w.by_q)
    for k in range(int(p[6])):
        if not _add_pair(p, HEAD + PAIR * k, near, w, task):
            return False
    for i in range(m if p[3] > 0.0 else 0):
        value[i] = 0.0
    return True


def _rows(pointer: Any, parameters: Any, task: float) -> float:
    """Constraint rows on pairs of markers."""
    p = viewed(parameters, PARAMETERS)
    return 0.0 if _all_pairs(p, record(pointer, p), task) else FAILED


def _dof_row(pointer: Any, parameters: Any, task: float) -> float:
    """A row of one dof: n_q, n, 1, velocity level, law of time, its coordinate, the dof."""
    p = viewed(parameters, PARAMETERS)
    w = record(pointer, p)
    n = len(w.v)
    value, rate, bias = part(w.own, 1, 1), part(w.own, 2, 1), part(w.own, 3, 1)
    _write_law(p, int(p[4]), w.head[TIME], value, rate, bias)
    value[0] = 0.0 if p[3] > 0.0 else value[0] + w.q[int(p[5])]
    rate[0] += w.v[int(p[6])]
    for j in range(2 * n):
        w.own[4 + j] = 0.0
    w.own[4 + int(p[6])] = 1.0
    if task == TANGENTS:
        clear(w.by_q)
    return 0.0


class Symbols:
    """Stands for the frames of a pair, to see which coordinates a joint holds.

    Its coordinates are rows (k, 1 + 3 `PARTS`): what is added, and the factors of the parts. They
    can be added, mapped and chosen from, as `joint.frames.FrameRows`.
    """

    def __init__(self, common_axis: bool) -> None:
        self.common_axis = common_axis
        self.parts: list[tuple[int, Floats]] = []

    def distance(self) -> FrameRows:
        """Distance of the points (1,)."""
        return self._next(DISTANCE)

    def displacement(self) -> FrameRows:
        """Position of point b seen from a (3,)."""
        return self._next(DISPLACEMENT)

    def direction(self, e: Floats) -> FrameRows:
        """Direction e of b seen from a (3,)."""
        return self._next(DIRECTION, e)

    def rotation(self) -> FrameRows:
        """Rotation vector of b relative to a (3,)."""
        return self._next(RELATIVE_ROTATION)

    def angular_velocity(self) -> FrameRows:
        """Angular velocity of b relative to a (3,)."""
        return self._next(ANGULAR_VELOCITY)

    def _next(self, kind: int, e: Floats | None = None) -> FrameRows:
        first, width = 1 + sum(WIDTHS[each] for each, _ in self.parts), WIDTHS[kind]
        self.parts.append((kind, np.zeros(3) if e is None else np.asarray(e, dtype=float)))
        table = np.zeros((width, 1 + 3 * PARTS))
        table[:, first : first + width] = np.eye(width)
        return FrameRows(table)

    def coordinates(self, rows: FrameRows) -> Coordinates:
        """Coordinates from the parts that were asked for."""
        total = sum(WIDTHS[kind] for kind, _ in self.parts)
        return Coordinates(self.parts, rows.table[:, 1 : 1 + total], -rows.table[:, 0])


def traced(held: Callable[[Any], FrameRows], common_axis: bool) -> Coordinates:
    """Coordinates that a function of the frames of a pair holds."""
    symbols = Symbols(common_axis)
    return symbols.coordinates(held(symbols))


def polar_coordinates() -> Coordinates:
    """Cosine and sine parts of the twist of Q about z: x . Q x + y . Q y and y . Q x - x . Q y."""
    x, y = np.eye(3)[:2]
    chosen = np.array([[1.0, 0.0, 0.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, -1.0, 0.0, 0.0]])
    return Coordinates([(DIRECTION, x), (DIRECTION, y)], chosen, np.zeros(2))


@kernel(fastmath=True)
def row_memory(n: int, m: int) -> int:
    """Numbers of a record in which a constraint keeps multipliers and rows."""
    return 4 * m + 2 * m * n


def lowered_rows(
    bodies: Sequence[Body], pairs: Sequence[tuple[MarkerPair, Coordinates]], m: int,
    velocity: bool = False, law: Floats | None = None, polar: bool = False,
) -> Lowered | None:  # fmt: skip
    """Rows that are sums over marker pairs of some of the bodies; None if one has no such form."""
    sizes = [(len(body.reference()), len(body.dofs)) for body in bodies]
    ends = np.cumsum([(0, 0), *sizes], axis=0)
    starts = {id(body): tuple(end) for body, end in zip(bodies, ends[:-1].tolist(), strict=True)}
    packing = Packing(*ends[-1].tolist(), m, velocity, 0.0, polar, len(pairs))
    packing.add(np.zeros(PAIR * len(pairs)))
    heads, memory = [], 0
    for pair, coordinates in pairs:
        a, b = (pack_marker(packing, marker) for marker in pair.markers)
        if a is None or b is None:
            return None
        k, total = coordinates.chosen.shape
        at = packing.add([len(coordinates.parts), k, total])
        for kind, axis in coordinates.parts:
            packing.extend([[kind], axis])
        packing.extend([coordinates.chosen, coordinates.origin])
        begin = [starts.get(id(body), (0, 0)) for body in (pair.a, pair.b)]
        heads += [a, b, pair.common_axis, at, *begin[0], *begin[1]]
        own = [0 if body is None else len(body.dofs) for body in (pair.a, pair.b)]
        memory = max(memory, _space(own[0], own[1], k, total))
    at_law = 0 if law is None else packing.add(law)
    numbers = packing.numbers
    numbers[4], numbers[HEAD : HEAD + len(heads)] = at_law, heads
    return Lowered(_rows, numbers, row_memory(int(numbers[1]), m) + memory)


def _space(n_a: int, n_b: int, k: int, total: int) -> int:
    """Working space of a pair."""
    n = n_a + n_b
    rows = 3 * total + 3 * k + 24 * total + 24 * k + 24 + 300
    return frame_size(n_a) + frame_size(n_b) + rows + 2 * n * n + 24 * n


def lowered_dof(n_q: int, n: int, velocity: bool, law: Floats, index: int, dof: int) -> Lowered:
    """A row of one dof, whose coordinate is `index`, less a law of time."""
    packing = Packing(n_q, n, 1, velocity, 7, index, dof)
    packing.add(law)
    return Lowered(_dof_row, packing.numbers, row_memory(n, 1))


def lowered_constraint(constraint: Any) -> Lowered | None:
    """Compiled rows of a constraint; None if it has none."""
    own = getattr(constraint, "lowered", None)
    return None if own is None or changed(constraint, "lowered", ANSWERS) else own()
