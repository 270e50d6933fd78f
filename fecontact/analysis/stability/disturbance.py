"""Small disturbance of a steady state along its leading mode, and its growth in a computed motion.

Small motions x = (dq, dv, dz) about the state follow x' = A x. With w^T A = z w^T the amplitude

    a = w^T x,      a(t) = a(0) e^(z t)

of one mode does not see the others: slopes of log|a| and of the angle of a over the time are its
growth rate and its frequency in the motion, whatever method computed it. It is the independent
check of a linearisation by integration in time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import scipy.linalg as la

from fecontact.analysis.stability.linearise import LinearModel, linearise
from fecontact.analysis.stability.scope import Band, fastest
from fecontact.errors import POSITIVE, InputError, check
from fecontact.results.result import Result
from fecontact.solvers.quadratic import left_and_right
from fecontact.system import State, System
from fecontact.typing import Complexes, Floats

__all__ = ["Disturbance", "disturbance"]


@dataclass(frozen=True)
class Disturbance:
    """The mode of a steady state that grows fastest, of those in the band.

    Attributes
    ----------
    system, steady
        The system and the state, with its elastic slip if contacts are stateful.
    value
        Eigenvalue z in 1/s, with Im z >= 0.
    right, left : (2 n + m,)
        Vectors in (dq, dv, dz).
    to_rates : (len(q), n)
        Change of q by a small displacement dq of the dofs.
    """

    system: System
    steady: State
    value: complex
    right: Complexes
    left: Complexes
    to_rates: Floats

    @property
    def growth(self) -> float:
        """Growth rate in 1/s."""
        return self.value.real

    @property
    def frequency(self) -> float:
        """Frequency in Hz."""
        return self.value.imag / (2.0 * np.pi)

    def start(self, size: float) -> State:
        """Disturbed state whose largest displacement is a size, in m or rad."""
        check("size", size, POSITIVE)
        n = len(self.steady.v)
        largest = self.right[np.argmax(np.abs(self.right[:n]))]
        dq, dv, dz = np.split((size / largest * self.right).real, [n, 2 * n])
        steady = self.steady
        q = self.system.move(steady.q, dq)
        return replace(steady, q=q, v=steady.v + dv, z=steady.z + dz)

    def amplitude(self, motion: Result) -> Complexes:
        """Amplitude a of the mode at the times of a motion."""
        steady = self.steady
        travelled = np.outer(motion.t - steady.t, self.to_rates @ steady.v)
        dq = np.linalg.lstsq(self.to_rates, (motion.q - steady.q - travelled).T)[0].T
        change = [dq, motion.v - steady.v]
        if len(steady.z):
            change.append(motion.z - steady.z)
        return np.asarray(np.hstack(change) @ self.left)

    def measured(self, motion: Result, undisturbed: Result | None = None) -> complex:
        """Eigenvalue z in 1/s that a motion shows: slopes of log|a| and of the angle of a.

        `undisturbed` is the motion from the steady state at the same times, by the same method;
        what it drifts, because time steps have a steady state of their own, does not count.
        """
        amplitude = self.amplitude(motion)
        if undisturbed is not None:
            amplitude = amplitude - self.amplitude(undisturbed)
        growth = np.polyfit(motion.t, np.log(np.abs(amplitude)), 1)[0]
        turn = np.polyfit(motion.t, np.unwrap(np.angle(amplitude)), 1)[0]
        return complex(growth, turn)


def disturbance(
    system: System, steady: State, band: Band | None = None, friction: str | None = None
) -> Disturbance:
    """Leading mode of small motions about a steady state, with bristles as states.

    There is a warning if no contact carries load.

    Parameters
    ----------
    system
        The system.
    steady
        As `steady_state` gives it. What moves on must be a plain coordinate, like the path of a
        belt or the angle of a shaft, not a body with several rotations.
    band
        Lowest and highest frequency in Hz of the mode; None: up to the validity of the bodies.
    friction
        "state": with the bristles as states, whose modes cost the cube of the number of points;
        "coulomb": as if points slid without bristles. None: "state" if there are bristles.

    Examples
    --------
    A mass on a spring with 1 % damping, disturbed by 1 mm:

    >>> from fecontact.body import RigidBody
    >>> from fecontact.joint import SpringDamper
    >>> from fecontact.integrate import simulate
    >>> mass = RigidBody("mass", 1.0, ("ux",))
    >>> spring = SpringDamper(None, mass, stiffness=100.0, damping=0.2, point_a=(-1.0, 0.0, 0.0))
    >>> system = System([mass], [spring])
    >>> mode = disturbance(system, system.rest())
    >>> motion = simulate(system, 1.0, mode.start(1e-3), "ode", 0.01, rtol=1e-9)
    >>> print(f"{mode.growth:.4f} {mode.measured(motion).real:.4f}")
    -0.1000 -0.1000
    """
    if len(steady.q) != system.size and np.any(steady.v):
        raise InputError(
            f"invalid state that moves on, with {len(steady.q)} coordinates of {system.size} "
            "speeds: expected bodies with at most one rotation, or a spin"
        )
    steady = system.sliding(steady) if system.history_layout else steady
    known = "state" if system.history_layout else "coulomb"
    model = linearise(system, steady, friction or known, band)
    model.scope.warn_unloaded()
    values, left, right = left_and_right(_matrix(model))
    chosen = (values.imag >= 0.0) & model.scope.inside(np.abs(values.imag) / (2.0 * np.pi))
    if not chosen.any():
        raise InputError(f"no mode lies in the band {model.scope.words}; give a wider band")
    lead = fastest(values, chosen)
    full, seen = _dofs(model, system.mass_matrix(steady.q), len(steady.z))
    z, w = full @ right[:, lead], left[:, lead].conj() @ seen
    to_rates = np.column_stack([system.rate(steady.q, v) for v in np.eye(system.size)])
    return Disturbance(system, steady, complex(values[lead]), z, w, to_rates)


def _matrix(model: LinearModel) -> Floats:
    """A of the states (y, y', zeta)."""
    k, slip = len(model.mass), model.friction
    rows = [
        np.eye(k, 2 * k, k),
        -la.solve(model.mass, np.hstack([model.by_position, model.by_rate])),
    ]
    if slip is None:
        return np.vstack(rows)
    s = slip.by_slip.shape[0]
    return np.vstack([
        np.hstack([rows[0], np.zeros((k, s))]),
        np.hstack([rows[1], la.solve(model.mass, slip.force)]),
        np.hstack([slip.by_position, slip.by_rate, slip.by_slip]),
    ])  # fmt: skip


def _dofs(model: LinearModel, mass: Floats, slips: int) -> tuple[Floats, Floats]:
    """Maps from (y, y', zeta) to (dq, dv, dz), and back."""
    n = len(mass)
    Z = np.eye(n) if model.basis is None else model.basis
    W = np.zeros_like(Z) if model.turned is None else model.turned
    T = np.zeros((slips, 0)) if model.friction is None else model.friction.directions
    P = np.eye(n) if model.basis is None else la.solve(model.mass, Z.T @ mass)
    nothing, k = np.zeros_like(Z), Z.shape[1]
    full = la.block_diag(np.block([[Z, nothing], [W, Z]]), T)
    back = la.block_diag(np.block([[P, np.zeros((k, n))], [-P @ W @ P, P]]), T.T)
    return full, back
