"""Whether a fixed step of an implicit method resolves the modes that grow.

The methods damp what is faster than their step, so a vibration that should grow may fade without a
word. Small motions about a state, with sliding contacts, have eigenvalues z; an oscillator with the
same z is multiplied by |rho| in a step (the spectral radius of the method), so it grows with
log|rho|/h instead of Re z.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from fecontact.contact.laws.sliding import CoulombSliding
from fecontact.contact.pair import ContactPair
from fecontact.contact.rigid.contact import RigidContact
from fecontact.contact.status import OPEN, STICK
from fecontact.errors import InputError, SolverError
from fecontact.integrate.implicit.alpha import AlphaWeights
from fecontact.solvers.quadratic import quadratic_eigenvalues
from fecontact.system import State, System
from fecontact.system.loaded import loaded_system
from fecontact.system.small_motions import small_motions
from fecontact.system.validity.frequency import validity
from fecontact.typing import Complexes, Item

__all__ = ["Growth", "numerical_growth", "theta_growth", "unresolved_growth"]

Growth = Callable[[complex, float], float]
"""Growth rate in 1/s that a method gives to an oscillator with the eigenvalue z by a step in s."""

MAX_DOFS = 150
"""Dofs up to which the modes are found: they cost as much as some hundred steps."""
SLOWEST = 1e-6
"""Fraction of |z| from which a growth rate counts."""
KEPT = 0.5
"""Fraction of its growth rate that a mode must keep to be resolved."""
SMOOTH = 1e-3
"""Angle |z| h per step up to which every mode is resolved: free motions, whose eigenvalues are
round-off, among them."""
HALVINGS = 40


def unresolved_growth(system: System, state: State, step: float, growth: Growth) -> str:
    """Sentence on the fastest mode that should grow and that a step cannot resolve, else empty.

    Modes beyond the validity of the elastic bodies do not count. Nothing is said of systems with
    more than 150 dofs, of states with sticking points, which are not linearised as sliding, nor
    of systems with rigid contacts without a normal law.
    """
    if system.size > MAX_DOFS or np.any(state.status == STICK):
        return ""
    try:
        z = _growing(system, state)
    except (InputError, SolverError, np.linalg.LinAlgError):
        return ""
    fast = z[np.abs(z) * step > SMOOTH]
    lost = [value for value in fast if growth(value, step) < KEPT * value.real]
    if not lost:
        return ""
    worst = max(lost, key=lambda value: value.real)
    needed = step
    for _ in range(HALVINGS):
        needed /= 2.0
        if growth(worst, needed) >= KEPT * worst.real:
            break
    return (
        f"step = {step:.3g} s cannot resolve a mode that grows at t = {state.t:.4g} s, "
        f"{worst.real:+.3g} 1/s at {worst.imag / (2.0 * np.pi):.4g} Hz: with this step "
        f"{growth(worst, step):+.3g} 1/s; take step <= {needed:.2g} s"
    )


def _growing(system: System, state: State) -> Complexes:
    """Eigenvalues with Im z >= 0 in 1/s that grow, within the validity of all bodies."""
    system = _sliding(system)
    if not _all_pressed(system, state):
        system = loaded_system(system, state)
    small = small_motions(system, state, system.tangents(state))
    z = quadratic_eigenvalues(small.mass, small.by_rate, small.by_position)
    highest = min(validity(system, state.v).values(), default=np.inf)
    inside = (z.imag >= 0.0) & (z.imag <= 2.0 * np.pi * highest)
    return np.asarray(z[inside & (z.real > SLOWEST * np.abs(z))])


def _all_pressed(system: System, state: State) -> bool:
    """Whether the history of the contacts says that all points are closed: none only touches."""
    names = system.history_layout.names
    known = all(i.name in names for i in system.items if isinstance(i, ContactPair))
    return known and len(state.status) > 0 and not np.any(state.status == OPEN)


def _sliding(system: System) -> System:
    """Return the system with pairs of sliding points for its set-valued contacts."""

    def changed(item: Item) -> Item:
        if not isinstance(item, RigidContact) or item.normal is None:
            return item
        return replace(item.compliant, friction=CoulombSliding(item.friction))

    forces = system.items[len(system.bodies) :]
    items = [changed(item) for item in forces]
    if all(one is two for one, two in zip(items, forces, strict=True)):
        return system
    return System(system.bodies, [*items, *system.constraints])


def theta_growth(z: complex, step: float, theta: float) -> float:
    """Growth rate in 1/s that a theta step gives: |rho| = |(1 + (1 - theta) h z)/(1 - theta h z)|.

    Examples
    --------
    1000 rad/s, growing with 5 1/s: three steps in a period without numerical damping, and 60 with.

    >>> print(f"{theta_growth(5.0 + 1000.0j, 2e-3, 0.5):+.2f}")
    +2.50
    >>> print(f"{theta_growth(5.0 + 1000.0j, 1e-4, 1.0):+.2f}")
    -44.80
    """
    return float(np.log(np.abs((1.0 + (1.0 - theta) * step * z) / (1.0 - theta * step * z))) / step)


def numerical_growth(z: complex, step: float, rho_inf: float) -> float:
    """Growth rate in 1/s that method "implicit" gives to an oscillator with the eigenvalue z.

    Examples
    --------
    1000 rad/s, growing with 5 1/s: 60 and 3 steps in a period.

    >>> for step in (1e-4, 2e-3):
    ...     print(f"{numerical_growth(5.0 + 1000.0j, step, 0.8):+.2f}")
    +4.99
    +0.05
    """
    w, h = AlphaWeights.of(rho_inf), step
    stiffness, damping = abs(z) ** 2, -2.0 * z.real
    q, v, a, rate = np.eye(4)
    q1 = q + h * v + h**2 * (0.5 - w.beta) * a
    v1 = v + h * (1.0 - w.gamma) * a
    known = (1.0 - w.alpha_f) * (-damping * v1 - stiffness * q1) + w.alpha_f * rate - w.alpha_m * a
    pull = damping * w.gamma * h + stiffness * w.beta * h**2
    a1 = known / (1.0 - w.alpha_m + (1.0 - w.alpha_f) * pull)
    q1, v1 = q1 + h**2 * w.beta * a1, v1 + h * w.gamma * a1
    step_matrix = np.array([q1, v1, a1, -damping * v1 - stiffness * q1])
    return float(np.log(np.abs(np.linalg.eigvals(step_matrix)).max()) / h)
