"""Operating points of systems that turn: modes in a frame, and what the frame neglects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fecontact.analysis.periodic.floquet import Multipliers
from fecontact.analysis.stability.complex_modes import ComplexModes
from fecontact.analysis.stability.contributions import Contribution, contributions
from fecontact.analysis.stability.operating_point import OperatingPoint
from fecontact.analysis.turning.balance import Balanced
from fecontact.analysis.turning.floquet import FloquetModes
from fecontact.analysis.turning.samples import sampled
from fecontact.errors import POSITIVE, InputError, check
from fecontact.reduction.waves import Waves
from fecontact.results.result import Result
from fecontact.system import State
from fecontact.typing import Complexes, Floats

__all__ = ["Asymmetry", "Line", "PeriodicPoint", "TurningPoint"]

FAR = 0.02
"""Shift, relative to the eigenvalue, up to which its estimate of second order means something."""

SEEN = 1e-3
"""Fraction of a mode's kinetic energy from which a line in space is listed."""


class Line(NamedTuple):
    """Part of a mode that space sees at one frequency.

    Attributes
    ----------
    turns
        Number m of turns in addition: the frequency is |f + m Omega/(2 pi)|.
    frequency
        In Hz.
    fraction
        Of the kinetic energy of the mode, as displacements in the frame.
    """

    turns: int
    frequency: float
    fraction: float


@dataclass(frozen=True, eq=False)
class Asymmetry:
    """What the mean over a turn leaves out.

    Attributes
    ----------
    waves
        Body -> its elastic coordinates as waves: how pure, and how far pairs split.
    fluctuation : (k,)
        By mode, the largest change of its forces within a turn, |dL y| / (|z|^2 |y|), in the
        metric of M.
    shift : (k,)
        Estimate of what these changes add to the eigenvalues, of second order.
    away
        Largest sine by which constraint rows turn away from their mean.
    eigenvalues : (k,)
        Of the mean, in 1/s.
    """

    waves: Mapping[str, Waves]
    fluctuation: Floats
    shift: Complexes
    away: float
    eigenvalues: Complexes

    @property
    def holds(self) -> npt.NDArray[np.bool_]:
        """Which modes (k,) stay in the mean: the shift is small beside the eigenvalue.

        A pair of standing waves that splits, as that with half as many nodal diameters as there
        are slots, has no running waves in the mean.
        """
        return np.asarray(np.abs(self.shift) <= FAR * np.abs(self.eigenvalues))


@dataclass(frozen=True, repr=False, kw_only=True)
class TurningPoint(OperatingPoint):
    """A system in steady rotation, linearised in a frame.

    Attributes
    ----------
    frame
        "rotating", "axisymmetric" or "floquet".
    speed
        Omega in rad/s of the body that turns.
    neglects
        In a sentence, what this way leaves out.
    found
        The motion, in the coordinates of the frame.
    asymmetry
        Of the "axisymmetric" way; else None.
    """

    frame: str
    speed: float
    neglects: str
    found: Balanced
    asymmetry: Asymmetry | None = None

    @cached_property
    def contributions(self) -> tuple[Contribution, ...]:
        """Named terms of all items, in the mean over the turn, and the inertia of the frame."""
        return tuple(_in_frame(self))

    def in_space(self, mode: int | None = None) -> tuple[Line, ...]:
        """Frequencies at which space sees a mode, by default the leading one, strongest first.

        Patterns that stand in the frame have the frequency of the mode there; waves that ride with
        the body are heard at f -+ k Omega/(2 pi). Fractions are those of the squares of the
        coordinates, which are of unit modal mass for elastic bodies, those of the others in the
        metric of their mass.
        """
        index = self.modes.leading if mode is None else mode
        frequency, y = self.modes.frequency[index], self.modes.vectors[:, index]
        parts = self.found.description.seen(self._scaled @ y)
        total = sum(parts.values())
        turn = self.speed / (2.0 * np.pi)
        lines = [
            Line(m, float(abs(frequency + m * turn)), each / total) for m, each in parts.items()
        ]
        kept = [line for line in lines if line.fraction > SEEN]
        return tuple(sorted(kept, key=lambda line: -line.fraction))

    def start(self, size: float) -> State:
        """State of the leading mode, disturbed by a size in m or rad, for `simulate`."""
        check("size", size, POSITIVE)
        z, y = self.modes.eigenvalues[self.modes.leading], self.modes.vectors[:, self.modes.leading]
        y = size * y / y[np.argmax(np.abs(y))]
        return self._state(y.real, (z * y).real)

    def undisturbed(self) -> State:
        """State on the motion itself."""
        still = np.zeros(self.system.size)
        return self._state(still, still)

    def measured(self, motion: Result, undisturbed: Result) -> complex:
        """Eigenvalue z in 1/s that a motion shows, less the undisturbed one at the same times.

        Slopes of the logarithm and of the angle of the leading mode's amplitude.
        """
        description, modes = self.found.description, self.modes
        y = np.array([
            description.coordinates(t, one) - description.coordinates(t, other)
            for t, one, other in zip(motion.t, motion.q, undisturbed.q, strict=True)
        ])  # fmt: skip
        rates = np.gradient(y, motion.t, axis=0)
        weights = modes.vectors[:, modes.leading].conj() @ self._mass
        z = modes.eigenvalues[modes.leading]
        inner = slice(1, -1)
        amplitude = (y @ weights + (rates @ weights) / z)[inner]
        growth = np.polyfit(motion.t[inner], np.log(np.abs(amplitude)), 1)[0]
        turn = np.polyfit(motion.t[inner], np.unwrap(np.angle(amplitude)), 1)[0]
        return complex(growth, turn)

    def __repr__(self) -> str:
        return f"{self.modes!r}; frame: {self.frame}, neglects {self.neglects}"

    def _state(self, y: Floats, rate: Floats) -> State:
        """State at t = 0 beside the motion."""
        at, description = self.found.moved, self.found.description
        first = description.coordinates(0.0, at.states[0].q)
        still = np.zeros_like(y)
        there = description.state(0.0, first, still)
        moved = description.state(0.0, first + y, rate)
        start = at.states[0]
        v = start.v + moved.v - there.v
        return State(start.t, moved.q, v, start.lam)

    @property
    def _scaled(self) -> Floats:
        """Square root (n, n) of the diagonal of the mass matrix: one scale for all coordinates."""
        return np.diag(np.sqrt(np.diag(self._mass)))

    @property
    def _mass(self) -> Floats:
        return self.model.mass if self.model.dof_mass is None else self.model.dof_mass


@dataclass(frozen=True, repr=False, kw_only=True)
class PeriodicPoint(TurningPoint):
    """A system in periodic motion with its Floquet modes.

    Attributes
    ----------
    floquet
        Exponents and shapes.
    """

    floquet: FloquetModes | None = None

    @cached_property
    def modes(self) -> ComplexModes:
        """Floquet modes: z resolved by the shapes, which are means over the period."""
        found, model = self._floquet, self.model
        X = model.dofs(found.shapes)
        parts = {
            name: np.einsum("ij,ij->j", X[part].conj(), model.body_mass(name) @ X[part]).real
            for name, part in model.bodies.items()
        }
        return ComplexModes(found.exponents, X, parts, found.shapes, found.left, scope=model.scope)

    @property
    def period(self) -> float:
        """Period in s of the coefficients."""
        return self.found.period

    @property
    def aliasing(self) -> float:
        """Frequency in Hz up to multiples of which the exponents alone are known: 1/period."""
        return 1.0 / self.period

    @property
    def multipliers(self) -> Multipliers:
        """Floquet multipliers of the period."""
        return Multipliers(self._floquet.multipliers, complex(np.nan))

    @property
    def contributions(self) -> tuple[Contribution, ...]:
        """There is no balance of mean power with periodic coefficients."""
        raise InputError(
            "invalid frame = floquet for a balance of power: expected constant coefficients; "
            "use frame = 'rotating' or 'axisymmetric'"
        )

    @property
    def _floquet(self) -> FloquetModes:
        assert self.floquet is not None
        return self.floquet


def _in_frame(point: TurningPoint) -> Iterator[Contribution]:
    """Means of the terms of all items at the instants, in the coordinates of the frame."""
    found, system = point.found, point.system
    count, sums = len(found.moved.t), dict[tuple[str, str], Contribution]()
    for i, (state, B) in enumerate(zip(found.moved.states, found.moved.turns, strict=True)):
        lam = sampled(found.description, found.moved, i).lam
        for term in contributions(system, replace(state, lam=lam)):
            own = B[np.ix_(*[np.arange(system.size)[term.indices]] * 2)]
            by_q, by_v = (own.T @ part @ own / count for part in (term.by_q, term.by_v))
            before = sums.get((term.item, term.term))
            if before is not None:
                by_q, by_v = by_q + before.by_q, by_v + before.by_v
            sums[term.item, term.term] = Contribution(
                term.item, term.term, term.indices, by_q, by_v
            )
    yield from sums.values()
    yield _inertia(point)


def _inertia(point: TurningPoint) -> Contribution:
    """Inertia of motions in the frame: M ((W + E Z) eta' + E W eta), with W = Gamma Z."""
    found, M = point.found, point._mass
    E = found.description.generator
    carried = found.description.carried(0.0, found.moved.states[0].v)
    B, q = found.moved.turns[0], found.moved.states[0].q
    by_inertia = B.T @ point.system.d_inertia(q, found.moved.accelerations[0]) @ B
    everything = slice(0, point.system.size)
    by_q = M @ carried @ carried - by_inertia
    return Contribution("frame", "inertia", everything, by_q, -M @ (carried + E))
