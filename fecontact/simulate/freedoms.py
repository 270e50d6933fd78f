"""Freedoms of a system in a finite step: which are rotations, and the tangent of a step.

A step theta of three rotations turns a body by exp(theta~). Another step theta + d theta leads to
the same place as the step psi = T(theta) d theta that starts there,

    exp((theta + d theta)~) = exp(theta~) exp(psi~),
    T = I - (1 - cos phi)/phi^2 theta~ + (phi - sin phi)/phi^3 theta~^2,     phi = |theta|

(Bullo and Murray 1995). All other freedoms add.
"""

from __future__ import annotations

import numpy as np

from fecontact.body.rotation import cross_matrix
from fecontact.system import System
from fecontact.typing import Floats, Integers

__all__ = ["Freedoms", "rotation_tangent"]

SMALL_ANGLE = 0.2
ROTATIONS = ("rx", "ry", "rz")


class Freedoms:
    """Freedoms of a system: rotations by quaternions, and those that are coordinates.

    A body with two or three rotations has a quaternion for them. The frame of a rotor that tilts
    by rx and ry alone does not turn about z; there T is cut to these two.

    Attributes
    ----------
    turns : (k, 3)
        Numbers of the freedoms rx, ry, rz of each quaternion; n if there is no rz.
    plain : (p,)
        Numbers of all other freedoms.
    places : (p,)
        Their coordinates in q.
    """

    def __init__(self, system: System) -> None:
        n = system.size
        turns, plain, places = [], [], []
        for body in system.bodies:
            start, place = system.slices[body.name].start, system.q_slices[body.name].start
            names = list(body.freedoms)
            found = [start + names.index(name) for name in ROTATIONS if name in names]
            quaternion = found if len(found) > 1 else []
            for number in range(start, start + len(names)):
                if number not in quaternion:
                    plain.append(number)
                    places.append(place)
                    place += 1
                elif number == quaternion[0]:
                    turns.append([*quaternion, n][:3])
                    place += 4
        self.size = n
        self.turns: Integers = np.array(turns, dtype=np.int64).reshape(-1, 3)
        self.plain: Integers = np.array(plain, dtype=np.int64)
        self.places: Integers = np.array(places, dtype=np.int64)

    def sizes(self, q: Floats) -> Floats:
        """Size (n,) of each freedom: |q|, and 1 rad for rotations."""
        result = np.ones(self.size)
        result[self.plain] = np.abs(q[self.places])
        return result

    def tangent(self, step: Floats) -> Floats:
        """Blocks T (k, 3, 3) of the rotations in a step (n,)."""
        return rotation_tangent(np.append(step, 0.0)[self.turns])

    def times_tangent(self, matrix: Floats, blocks: Floats) -> Floats:
        """Product of a matrix (m, n) with the tangent of a step, given by its blocks."""
        result = np.zeros((len(matrix), self.size + 1))
        result[:, :-1] = matrix
        columns = result[:, self.turns].swapaxes(0, 1)
        result[:, self.turns] = (columns @ blocks).swapaxes(0, 1)
        return result[:, :-1]

    def commutator(self, v: Floats, a: Floats) -> Floats:
        """Vector (n,) of omega x omega' on the rotations, zero elsewhere."""
        omega, rate = np.append(v, 0.0)[self.turns], np.append(a, 0.0)[self.turns]
        result = np.zeros(self.size + 1)
        result[self.turns] = np.cross(omega, rate)
        return result[:-1]


def rotation_tangent(theta: Floats) -> Floats:
    """Tangents T (k, 3, 3) of the rotation vectors theta (k, 3).

    Examples
    --------
    >>> rotation_tangent(np.zeros((1, 3)))[0].tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    phi = np.linalg.norm(theta, axis=1)
    small = phi < SMALL_ANGLE
    angle = np.where(small, 1.0, phi)
    series = 1 / 6 - phi**2 / 120 + phi**4 / 5040 - phi**6 / 362880
    cubic = np.where(small, series, (angle - np.sin(angle)) / angle**3)
    turn = cross_matrix(theta)
    linear = 0.5 * np.sinc(0.5 * phi / np.pi) ** 2
    return np.eye(3) - linear[:, None, None] * turn + cubic[:, None, None] * turn @ turn
