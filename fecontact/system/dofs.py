"""Dofs of a system in a finite step: which are rotations, and the tangent of a step.

A step theta of three rotations turns a body by exp(theta~). Another step theta + d theta leads to
the same position as the step psi = T(theta) d theta that starts there,

    exp((theta + d theta)~) = exp(theta~) exp(psi~),
    T = I - (1 - cos phi)/phi^2 theta~ + (phi - sin phi)/phi^3 theta~^2,     phi = |theta|

(Bullo and Murray 1995). All other dofs add.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fecontact.kernels.decorators import kernel
from fecontact.system.system import System
from fecontact.typing import Floats, Integers

__all__ = ["Dofs", "multiply_tangent", "rotation_tangent"]

SMALL_ANGLE = 0.2
ROTATIONS = ("rx", "ry", "rz")
ANGLES = (*ROTATIONS, "spin")


class Dofs:
    """Dofs of a system: rotations by quaternions, and those that are coordinates.

    A body with two or three rotations has a quaternion for them. The frame of a rotor that tilts
    by rx and ry alone does not turn about z; there T is cut to these two.

    Attributes
    ----------
    turns : (k, 3)
        Indices of the dofs rx, ry, rz of each quaternion; n if there is no rz.
    places : (k,)
        Where the quaternions begin in q.
    plain : (p,)
        Indices of all other dofs.
    q_indices : (p,)
        Their coordinates in q.
    angles : (n,)
        Which dofs are rotations.
    """

    def __init__(self, system: System) -> None:
        n = system.size
        turns, places, plain, q_indices = [], [], [], []
        for body in system.bodies:
            start, in_q = system.slices[body.name].start, system.q_slices[body.name].start
            names = list(body.dofs)
            found = [start + names.index(name) for name in ROTATIONS if name in names]
            quaternion = found if len(found) > 1 else []
            for index in range(start, start + len(names)):
                if index not in quaternion:
                    plain.append(index)
                    q_indices.append(in_q)
                    in_q += 1
                elif index == quaternion[0]:
                    turns.append([*quaternion, n][:3])
                    places.append(in_q)
                    in_q += 4
        self.size = n
        self.turns: Integers = np.array(turns, dtype=np.int64).reshape(-1, 3)
        self.places: Integers = np.array(places, dtype=np.int64)
        self.plain: Integers = np.array(plain, dtype=np.int64)
        self.q_indices: Integers = np.array(q_indices, dtype=np.int64)
        names = [name for body in system.bodies for name in body.dofs]
        self.angles: npt.NDArray[np.bool_] = np.array(
            [name in ANGLES for name in names], dtype=bool
        )

    @property
    def moves(self) -> tuple[Integers, Integers]:
        """How coordinates move along dofs, as `system.program.kernels.moved` takes it."""
        turns = np.column_stack([self.turns, self.places])
        return np.column_stack([self.plain, self.q_indices]), turns

    def sizes(self, q: Floats) -> Floats:
        """Size (n,) of each dof: |q|, and 1 rad for rotations, also after many turns."""
        result = np.ones(self.size)
        result[self.plain] = np.abs(q[self.q_indices])
        result[self.angles] = 1.0
        return result

    def times_tangent(self, matrix: Floats, step: Floats) -> Floats:
        """Product (m, n) of a matrix (m, n) with the tangent of a step (n,)."""
        result = matrix.copy()
        multiply_tangent(result, step, self.turns)
        return result

    def commutator(self, v: Floats, a: Floats) -> Floats:
        """Vector (n,) of omega x omega' on the rotations, zero elsewhere."""
        omega, rate = np.append(v, 0.0)[self.turns], np.append(a, 0.0)[self.turns]
        result = np.zeros(self.size + 1)
        result[self.turns] = np.cross(omega, rate)
        return result[:-1]


@kernel
def rotation_tangent(theta: Floats) -> Floats:
    """Tangent T (3, 3) of a rotation vector theta (3,).

    Examples
    --------
    >>> rotation_tangent(np.zeros(3)).tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    x, y, z = theta[0], theta[1], theta[2]
    square = x * x + y * y + z * z
    if square < SMALL_ANGLE**2:
        linear = 1 / 2 - square / 24 + square**2 / 720 - square**3 / 40320
        cubic = 1 / 6 - square / 120 + square**2 / 5040 - square**3 / 362880
    else:
        phi = np.sqrt(square)
        linear = (1.0 - np.cos(phi)) / square
        cubic = (phi - np.sin(phi)) / (square * phi)
    T = np.empty((3, 3))
    for i in range(3):
        for j in range(3):
            T[i, j] = cubic * (theta[i] * theta[j])
        T[i, i] += 1.0 - cubic * square
    T[0, 1] += linear * z
    T[1, 0] -= linear * z
    T[1, 2] += linear * x
    T[2, 1] -= linear * x
    T[2, 0] += linear * y
    T[0, 2] -= linear * y
    return T


@kernel(shared=True)
def multiply_tangent(matrix: Floats, step: Floats, turns: Integers) -> None:
    """Multiply the columns of the rotations in a matrix (m, n), in place."""
    n = len(step)
    theta, old = np.zeros(3), np.zeros(3)
    for each in range(len(turns)):
        turn = turns[each]
        count = 3 if turn[2] < n else 2
        theta[2] = old[2] = 0.0
        for k in range(count):
            theta[k] = step[turn[k]]
        T = rotation_tangent(theta)
        for i in range(len(matrix)):
            for k in range(count):
                old[k] = matrix[i, turn[k]]
            for k in range(count):
                matrix[i, turn[k]] = old[0] * T[0, k] + old[1] * T[1, k] + old[2] * T[2, k]
