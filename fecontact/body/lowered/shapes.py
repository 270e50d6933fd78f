"""Inertia of a deforming body as numbers, and the working space that its equations need.

Symmetric tensors are stored as xx, xy, xz, yy, yz, zz; `second` is (k, 9, k), for each shape the
rows of the three G and of the six d^2 J/dp^2 (`body.floating.inertia`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fecontact.body.floating.inertia import FloatingInertia
from fecontact.body.lowered.frame import STATE
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import Packing
from fecontact.typing import Floats, Integers

__all__ = [
    "Deformed",
    "Shapes",
    "Space",
    "inertia_at",
    "pack_inertia",
    "pack_shapes",
    "shapes_at",
    "space_of",
    "space_size",
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

    State of the frame; S and J of the deformed body; factors of sums (12,); p, p' and p'' of
    q'' = 0; force (6 + k,); rows (6 + k,) of two matrices, and those of second-order shapes
    (k - m, 6 + m); columns (k - m,); P and P' (k - m, m); H (3, k); G p and dJ/dp (9, k); both
    times p'; G p''; dJ/dp omega (3, k).
    """

    frame: Floats
    S: Floats
    J: Floats
    factors: Floats
    p: Floats
    rate: Floats
    bend: Floats
    force: Floats
    row: Floats
    row_v: Floats
    below: Floats
    below_v: Floats
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
    c, n = k - m, 6 + m
    return STATE + 21 + 3 * k + 3 * (6 + k) + 2 * c * n + c + 2 * c * m + (3 + 9 + 9 + 3 + 3) * k


@kernel(fastmath=True)
def space_of(own: Floats, m: int, k: int) -> Space:
    """Parts of the working space."""
    c, n, S = k - m, 6 + m, STATE
    p = S + 21
    force = p + 3 * k
    rows = force + 6 + k
    below = rows + 2 * (6 + k)
    column = below + 2 * c * n
    P = column + c
    H = P + 2 * c * m
    at = H + 3 * k
    moving = at + 9 * k
    bent = moving + 9 * k
    W = bent + 3 * k
    return Space(
        own[:S],
        own[S : S + 3],
        own[S + 3 : S + 9],
        own[S + 9 : p],
        own[p : p + k],
        own[p + k : p + 2 * k],
        own[p + 2 * k : force],
        own[force:rows],
        own[rows : rows + 6 + k],
        own[rows + 6 + k : below],
        own[below : below + c * n].reshape((c, n)),
        own[below + c * n : column].reshape((c, n)),
        own[column:P],
        own[P : P + c * m].reshape((c, m)),
        own[P + c * m : H].reshape((c, m)),
        own[H:at].reshape((3, k)),
        own[at:moving].reshape((9, k)),
        own[moving:bent].reshape((9, k)),
        own[bent:W].reshape((3, k)),
        own[W : W + 3 * k].reshape((3, k)),
    )
