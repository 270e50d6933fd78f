"""Impact laws: impulses that jump the velocities of contacts which touch.

With the velocities u of the contact rows before the impact and u+ = u + W L after it,

    newton       0 <= L_n  perp  u_n+ - e max(0, -u_n) >= 0       (Waltersberger 3.94)
    poisson      compression with e = 0 gives L_c; expansion from there with L_n >= e L_c
                                                                   (Waltersberger 5.10 to 5.13)
    sequential   newton, but for the approaching contacts alone, again and again until none
                 approaches: impulses run through a chain          (Waltersberger, scheme 5.3)
    fremond      impulses -m (u_n + u_n+) in addition, plastic contact (Waltersberger 3.115)

Friction takes its impulse from the slip after the impact. Without friction newton never creates
energy if all contacts with L_n > 0 approach, nor does sequential, nor poisson if all contacts have
the same e: with the energy T_c after the compression it leaves at most T_c + e^2 (T - T_c). With
friction none does if e = 0; for e > 0 with friction no proof exists.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from fecontact.errors import at_least, check, one_of
from fecontact.solvers.complementarity import ContactProblem, solve_contacts
from fecontact.typing import Floats

__all__ = ["LAWS", "Jump", "fremond", "impact"]


@dataclass(frozen=True)
class Jump:
    """Impulses of an impact.

    Attributes
    ----------
    impulses : (r,)
        Impulses of the contact rows in N s.
    residual
        Largest violation of the contact conditions, relative to the velocities.
    sweeps, stages
        Sweeps of the solver, and problems that were solved one after the other.
    finished
        False if a sequence of impacts was cut off.
    """

    impulses: Floats
    residual: float
    sweeps: int
    stages: int
    finished: bool = True


def impact(
    law: str,
    problem: ContactProblem,
    restitution: Floats | float,
    tolerance: float = 1e-10,
    sweeps: int = 2000,
    stages: int = 1000,
) -> Jump:
    """Impulses of all contacts by a law.

    Parameters
    ----------
    law
        "newton", "poisson" or "sequential".
    problem
        The contacts that touch; its b is the velocity u before the impact.
    restitution : (c,)
        Coefficients e.
    tolerance, sweeps
        As in `solve_contacts`.
    stages
        Limit of the sequence of impacts.

    Examples
    --------
    Three equal masses in a row, the first arrives with 1 m/s: only a sequence of impacts sends the
    last one away alone.

    >>> W, u = np.array([[2.0, -1.0], [-1.0, 2.0]]), np.array([-1.0, 0.0])
    >>> touching = ContactProblem.frictionless(W, u)
    >>> impact("newton", touching, 1.0).impulses.round(9).tolist()
    [1.333333333, 0.666666667]
    >>> impact("sequential", touching, 1.0).impulses.round(9).tolist()
    [1.0, 1.0]
    """
    check("impact law", law, one_of(LAWS))
    check("stages", stages, at_least(1))
    e = np.broadcast_to(np.asarray(restitution, dtype=float), problem.normal.shape)
    return LAWS[law](problem, e, tolerance, sweeps, stages)


def fremond(M: Floats, J: Floats, mass: Floats | float, v: Floats) -> tuple[Floats, Floats]:
    """Velocities after an impact of Fremond's law without friction, and the impulses (c,).

    Parameters
    ----------
    M : (n, n), v : (n,)
        Mass matrix and velocities before the impact.
    J : (c, n)
        Normal rows of the contacts.
    mass : (c,)
        Parameters m in kg: a mass m_0 that hits a wall comes back with the fraction
        (m - m_0)/(m + m_0) of its speed, or stays if m < m_0.
    """
    added = J.T @ (np.broadcast_to(mass, len(J))[:, None] * J)
    inverse = np.linalg.inv(M + added)
    free = inverse @ ((M - added) @ v)
    c = len(J)
    problem = ContactProblem(
        J @ inverse @ J.T, J @ free, np.arange(c), np.full(c, -1), np.zeros(c), np.zeros(c)
    )
    L = solve_contacts(problem).value
    return free + inverse @ (J.T @ L), L


def _newton(problem: ContactProblem, e: Floats, tolerance: float, sweeps: int, stages: int) -> Jump:
    b = problem.b.copy()
    b[problem.normal] += e * np.minimum(b[problem.normal], 0.0)
    found = solve_contacts(replace(problem, b=b), None, tolerance, sweeps)
    return Jump(found.value, found.residual, found.sweeps, 1)


def _poisson(
    problem: ContactProblem, e: Floats, tolerance: float, sweeps: int, stages: int
) -> Jump:
    pressed = solve_contacts(problem, None, tolerance, sweeps)
    expanding = replace(
        problem, b=problem.velocity(pressed.value), floor=e * pressed.value[problem.normal]
    )
    start = np.zeros(len(problem.b))
    start[problem.normal] = expanding.floor
    back = solve_contacts(expanding, start, tolerance, sweeps)
    worst, count = max(pressed.residual, back.residual), pressed.sweeps + back.sweeps
    return Jump(pressed.value + back.value, worst, count, 2)


def _sequential(
    problem: ContactProblem, e: Floats, tolerance: float, sweeps: int, stages: int
) -> Jump:
    total, worst, count = np.zeros(len(problem.b)), 0.0, 0
    limit = tolerance * problem.scale
    for stage in range(stages):
        u = problem.velocity(total)
        hits = np.flatnonzero(u[problem.normal] < -limit)
        if not len(hits):
            return Jump(total, worst, count, stage)
        found = _newton(replace(problem, b=u).some(hits), e[hits], tolerance, sweeps, 1)
        total = total + found.impulses
        worst, count = max(worst, found.residual), count + found.sweeps
    return Jump(total, worst, count, stages, finished=False)


Law = Callable[[ContactProblem, Floats, float, int, int], Jump]
LAWS: dict[str, Law] = {"newton": _newton, "poisson": _poisson, "sequential": _sequential}
