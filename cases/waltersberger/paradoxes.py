"""Paradoxes of rigid contact that only complementarity decides (Waltersberger 1.1, 3.8, 4.2).

(b) Two carts: the lower one hits a wall, the upper one must not be pulled along. (c) One cart hits
an elastic and a plastic stop at once. (d) Two blocks in a row, each with a friction limit: of nine
states one is possible. Example 3.8: Fremond's impact law. Example 4.2: a point in a wedge of two
planes, where both bilateral reactions pull.
"""

from dataclasses import dataclass
from math import cos, pi, sin

import numpy as np

import fecontact as fc


@dataclass(frozen=True)
class Paradoxes(fc.Parameters):
    """Examples are dimensionless; the angles are those of the wedge."""

    wedge: float = fc.quantity(pi / 4, "rad", fc.POSITIVE)
    loads: int = fc.quantity(61, "", fc.POSITIVE, numerical=True)


PUBLISHED = fc.References("""
    cart_1   | speed of cart 1 on cart 2                                 | 1.0     | m/s | 1e-12
    cart_2   | speed of cart 2                                           | 0.0     | m/s | 1e-12
    impulse  | impulse between the carts                                 | 0.0     | N s | 1e-12
    together | both blocks slide together                                | is True |     |
        | Waltersberger 2007, example 1.1 d
    light    | Fremond: speed of 1 kg back from a wall, m = 0.5 kg       | 0.0     | m/s | 1e-12
        | Waltersberger 2007, example 3.8
    heavy    | Fremond: speed of 1 kg back from a wall, m = 3 kg         | 0.5     | m/s | 1e-12
        | Waltersberger 2007, example 3.8
    pull     | largest bilateral reaction if the load points up the wall | <= 0.0  |     |
        | Waltersberger 2007, example 1.1 a
    *        | Waltersberger 2007, example 1.1 b | published
""")
CLOSED = fc.References("""
    stops | speed after a plastic and an elastic stop | 1.0 | m/s | 1e-12
        | Waltersberger 2007, (3.98)
    acceleration | acceleration of the blocks | 0.25 | m/s^2 | 1e-12 | (F_1+F_2-2)/2
    force | force between the blocks | 0.75 | N | 1e-12 | a + 1 - F_1
    up | floor reaction, load at 0.5 of the wedge angle | |  | 1e-12
    over | floor reaction, load at 1.2 of the wedge angle | |  | 1e-12
    floor | floor reaction, load into the wall | |  | 1e-12
    wall | wall reaction, load into the wall | |  | 1e-12
    * | f cos(b), wall open; f sin(a-b)/sin a, -f sin b/sin a
""")


def two_blocks(loads: tuple[float, float] = (0.5, 2.0)) -> tuple[fc.Floats, float]:
    """Accelerations of two blocks of 1 kg with friction limits 1 N, and their contact force."""
    J = np.array([[1.0, -1.0], [1.0, 0.0], [0.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    normal, tangential, limit = np.array([[0, -1, -1], [-1, 1, 3], [0, 1, 1]])
    problem = fc.ContactProblem(J @ J.T, J @ np.array(loads), normal, tangential, limit, limit)
    L = fc.solve_contacts(problem).value
    return np.array(loads) + J.T @ L, float(L[0])


def wedge(angle: float, direction: float) -> tuple[fc.Floats, fc.Floats]:
    """Reactions of floor and wall on a point of 1 kg in a wedge: bilateral, and unilateral.

    The unit load has the direction (sin, -cos).
    """
    J = np.array([[0.0, 1.0], [sin(angle), -cos(angle)]])
    load = np.array([sin(direction), -cos(direction)])
    bilateral = -np.linalg.solve(J @ J.T, J @ load)
    return bilateral, fc.lemke(J @ J.T, J @ load)


def main(run: fc.Run[Paradoxes]) -> None:
    """All examples against their closed forms."""
    p, angle = run.parameters, run.parameters.wedge
    carts, v = np.linalg.inv(np.array([[1.0, -1.0], [-1.0, 2.0]])), np.array([0.0, -1.0])
    L = fc.impact("newton", fc.ContactProblem.frictionless(carts, v), 0.0).impulses
    v = v + carts @ L
    a, force = two_blocks()
    light, heavy = (fc.fremond(np.eye(1), np.ones((1, 1)), m, -np.ones(1))[0] for m in (0.5, 3.0))
    computed = {
        "cart_1": v[0],
        "cart_2": v[1],
        "impulse": L[0],
        "together": np.ptp(a) < 1e-12 and a[0] > 0.0,
        "light": light[0],
        "heavy": heavy[0],
        "pull": wedge(angle, 1.2 * angle)[0].max(),
    }
    run.compare(PUBLISHED, computed)
    stops = fc.ContactProblem.frictionless(np.ones((2, 2)), -np.ones(2))
    into = wedge(angle, -0.5 * angle)[1]
    computed = {
        "stops": -1.0 + fc.impact("newton", stops, np.array([0.0, 1.0])).impulses.sum(),
        "acceleration": a[0],
        "force": force,
        "up": (wedge(angle, 0.5 * angle)[1][0], cos(0.5 * angle)),
        "over": (wedge(angle, 1.2 * angle)[1][0], cos(1.2 * angle)),
        "floor": (into[0], sin(1.5 * angle) / sin(angle)),
        "wall": (into[1], sin(0.5 * angle) / sin(angle)),
    }
    run.compare(CLOSED, computed)
    directions = np.linspace(-0.9, 0.9, p.loads) * pi / 2
    curves = np.array([np.hstack(wedge(angle, b)) for b in directions])
    names = ("floor, bilateral", "wall, bilateral", "floor, unilateral", "wall, unilateral")
    named = dict(zip(names, curves.T, strict=True))
    axes = ("direction of the load / degrees", "reaction per load")
    run.figure("wedge", fc.view.curves_plot(np.degrees(directions), named, *axes))


VERIFIES = ("Waltersberger T1", "Waltersberger T2", "Waltersberger T3")
CASE = fc.Case(__doc__, VERIFIES, Paradoxes(), main, quick_s=2.0)

if __name__ == "__main__":
    CASE.main(__file__)
