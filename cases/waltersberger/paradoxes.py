"""Paradoxes of rigid contact that only complementarity decides (Waltersberger 1.1, 3.8, 4.2).

(b) Two carts: the lower one hits a wall, the upper one must not be pulled along. (c) One cart hits
an elastic and a plastic stop at once. (d) Two blocks in a row, each with a friction limit: of nine
states one is possible. Example 3.8: Fremond's impact law. Example 4.2: a point in a wedge of two
planes, where both bilateral reactions pull.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin

import numpy as np

import fecontact as fc


@dataclass(frozen=True)
class Paradoxes(fc.Parameters):
    """Examples are dimensionless; the angles are those of the wedge."""

    wedge: float = fc.quantity(pi / 4, "rad", fc.POSITIVE)
    loads: int = fc.quantity(61, "", fc.POSITIVE, numerical=True)


def frictionless(W: fc.Floats, b: fc.Floats) -> fc.ContactProblem:
    """Contacts without friction."""
    c = len(b)
    return fc.ContactProblem(W, b, np.arange(c), np.full(c, -1), np.zeros(c), np.zeros(c))


def two_carts() -> tuple[fc.Floats, fc.Floats]:
    """Velocities after the impact, and impulses (example 1.1 b)."""
    inverse = np.linalg.inv(np.array([[1.0, -1.0], [-1.0, 2.0]]))
    v = np.array([0.0, -1.0])
    L = fc.impact("newton", frictionless(inverse, v), 0.0).impulses
    return v + inverse @ L, L


def two_blocks(loads: tuple[float, float] = (0.5, 2.0)) -> tuple[fc.Floats, float]:
    """Accelerations of two blocks of 1 kg with friction limits 1 N, and their contact force."""
    J = np.array([[1.0, -1.0], [1.0, 0.0], [0.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    problem = fc.ContactProblem(
        J @ J.T, J @ np.array(loads), np.array([0, -1, -1]), np.array([-1, 1, 3]),
        np.array([0.0, 1.0, 1.0]), np.array([0.0, 1.0, 1.0]),
    )  # fmt: skip
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
    p = run.parameters
    v, L = two_carts()
    for name, computed, expected, unit in (
        ("speed of cart 1 on cart 2", v[0], 1.0, "m/s"), ("speed of cart 2", v[1], 0.0, "m/s"),
        ("impulse between the carts", L[0], 0.0, "N s"),
    ):  # fmt: skip
        run.check(name, float(computed), expected, unit=unit, tolerance=1e-12, kind="published",
                  source="Waltersberger example 1.1 b")  # fmt: skip
    stops = frictionless(np.ones((2, 2)), -np.ones(2))
    back = -1.0 + fc.impact("newton", stops, np.array([0.0, 1.0])).impulses.sum()
    run.check("speed after a plastic and an elastic stop", float(back), 1.0, unit="m/s",
              tolerance=1e-12, kind="closed_form", source="Waltersberger 3.98, example 1.1 c",
              formula=True)  # fmt: skip
    a, force = two_blocks()
    run.check("both blocks slide together", bool(np.ptp(a) < 1e-12 and a[0] > 0.0), True,
              relation="is", kind="published", source="Waltersberger example 1.1 d")  # fmt: skip
    run.check("acceleration of the blocks", float(a[0]), 0.25, unit="m/s^2", tolerance=1e-12,
              kind="closed_form", source="(F_1 + F_2 - 2)/2", formula=True)  # fmt: skip
    run.check("force between the blocks", force, 0.75, unit="N", tolerance=1e-12,
              kind="closed_form", source="a + 1 - F_1", formula=True)  # fmt: skip
    for m, speed in ((0.5, 0.0), (3.0, 0.5)):
        found = fc.fremond(np.eye(1), np.ones((1, 1)), m, -np.ones(1))[0]
        run.check(f"Fremond: speed of 1 kg back from a wall, m = {m} kg", float(found[0]), speed,
                  unit="m/s", tolerance=1e-12, kind="published",
                  source="Waltersberger example 3.8")  # fmt: skip
    wedge_checks(run)
    directions = np.linspace(-0.9, 0.9, p.loads) * pi / 2
    curves = np.array([np.hstack(wedge(p.wedge, b)) for b in directions])
    names = ("floor, bilateral", "wall, bilateral", "floor, unilateral", "wall, unilateral")
    figure = fc.view.curves_plot(
        np.degrees(directions), dict(zip(names, curves.T, strict=True)),
        "direction of the load / degrees", "reaction per load",
    )  # fmt: skip
    run.figure("wedge", figure)


def wedge_checks(run: fc.Run[Paradoxes]) -> None:
    """Example 4.2: which of the two planes carries the point."""
    a = run.parameters.wedge
    bilateral, _ = wedge(a, 1.2 * a)
    run.check("largest bilateral reaction if the load points up the wall", float(bilateral.max()),
              0.0, relation="le", kind="published",
              source="Waltersberger example 1.1 a: both pull")  # fmt: skip
    for b in (0.5 * a, 1.2 * a):
        _, L = wedge(a, b)
        run.check(f"floor reaction, load at {b / a:g} of the wedge angle", float(L[0]), cos(b),
                  tolerance=1e-12, kind="closed_form", source="f cos(b), wall open",
                  formula=True)  # fmt: skip
    both, L = wedge(a, -0.5 * a)
    expected = (sin(1.5 * a) / sin(a), sin(0.5 * a) / sin(a))
    for name, mine, exact in zip(("floor", "wall"), L, expected, strict=True):
        run.check(f"{name} reaction, load into the wall", float(mine), exact, tolerance=1e-12,
                  kind="closed_form", source="f sin(a-b)/sin a, -f sin b/sin a",
                  formula=True)  # fmt: skip
    assert both.min() > 0.0


CASE = fc.Case(
    title="paradoxes of rigid contact",
    verifies=("Waltersberger T1", "Waltersberger T2", "Waltersberger T3"),
    parameters=Paradoxes(),
    run=main,
    quick_s=2.0,
)

if __name__ == "__main__":
    CASE.main(__file__)
