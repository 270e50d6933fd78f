"""Three ways to the stability of a system in which a body turns that is not one of revolution.

- "rotating": in the frame of the body everything rests, if all else is the same at every angle.
- "axisymmetric": patterns stand in space, and the matrices are their means over a turn.
- "floquet": the periodic motion and the exponents of its periodic linear equations.
"""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from fecontact.analysis.stability.complex_modes import ComplexModes, complex_modes
from fecontact.analysis.stability.linearise import LinearModel
from fecontact.analysis.stability.scope import Band, scope_of
from fecontact.analysis.steady.equilibrium import SteadyState
from fecontact.analysis.steady.flanks import with_changed_flanks
from fecontact.analysis.turning.balance import (
    Balanced,
    balance_at_rest,
    balance_of_period,
    linear_motions,
)
from fecontact.analysis.turning.description import Description, running_speeds, turnings
from fecontact.analysis.turning.floquet import floquet_modes
from fecontact.analysis.turning.isotropy import check_isotropic
from fecontact.analysis.turning.points import Asymmetry, PeriodicPoint, TurningPoint
from fecontact.analysis.turning.samples import Motions, moved, sampled
from fecontact.body.base import as_body
from fecontact.errors import (
    FINITE,
    InputError,
    SolverError,
    at_least,
    check,
    check_kind,
    one_of,
    warn_caller,
)
from fecontact.reduction.waves import Waves
from fecontact.solvers.threads import small_on_one_thread
from fecontact.system import State, System
from fecontact.system.constraints.one_sided import pulling
from fecontact.typing import Complexes, Floats

__all__ = ["FRAMES", "turning_point"]

FRAMES = ("rotating", "axisymmetric", "floquet")

ROUND = 1e-6
"""Sine by which constraint rows may turn in a frame in which they have to stand."""

REPEATED = 1e-5
"""Relative difference of matrices a period later that is none."""

ABOUT_REPEATED = 1e-3
"""The same where only their mean counts: waves that are fitted repeat themselves about so well."""

TAIL = 1e-6
"""Part of the matrices in the highest third of their harmonics that is none."""

INSTANTS = 257
"""Most instants of a period."""

MARKED = 0.05
"""Part of a growth rate that the mean may leave out without a mark."""


@small_on_one_thread
def turning_point(
    system: System, frame: str = "rotating", band: Band | None = None, repeats: int = 1,
    speed: float | None = None, guess: Floats | State | None = None,
) -> TurningPoint:  # fmt: skip
    """Steady rotation of a system about z and its modes; `operating_point(frame=...)`.

    Parameters
    ----------
    system
        A body of it turns about the z axis at constant speed: an `ElasticBody` in a `TurningFrame`,
        or in a free frame, driven by a `PrescribedMotion` or at the speed of `guess`. Friction is
        that of sliding points.
    frame
        "rotating": exact; refused if anything else is not the same at every angle about z.
        "axisymmetric": the mean over a turn, with an estimate of what it leaves out.
        "floquet": exact for small motions; for any system of one speed.
    band
        As in `linearise`.
    repeats
        How often the coefficients repeat in a turn: the greatest common divisor of the repeats of
        the body and of what else is periodic in the angle, as teeth of a gear. "floquet" and
        "axisymmetric" look at this part of a turn only.
    speed
        Omega in rad/s, if no body tells it: for loads or bodies of one's own that turn.
    guess
        Coordinates near the motion; or a state near it, whose velocities are the speeds of what
        turns on: needed where elastic teeth lead a body and are open in the reference position.
    """
    check_kind("system", system, System)
    check("frame", frame, one_of(FRAMES))
    check("repeats", repeats, at_least(1))
    tried = set[tuple[str, ...]]()
    while system.rows not in tried:
        tried.add(system.rows)
        point = _point(system, frame, band, repeats, speed, guess)
        wrong = pulling(system, point.steady.state)
        if not wrong:
            return point
        system = with_changed_flanks(system, wrong)
    names = ", ".join(f"'{name}'" for name in wrong)
    raise SolverError(f"{names} would pull on either flank: use ElasticGearMesh")


def _point(
    system: System, frame: str, band: Band | None, repeats: int, speed: float | None,
    guess: Floats | State | None,
) -> TurningPoint:  # fmt: skip
    """The point on the given flanks of gears."""
    base = running_speeds(system)
    if isinstance(guess, State):
        base, guess = State(base.t, base.q, guess.v), guess.q
    omega = _speed(system, base) if speed is None else speed
    check("speed", omega, FINITE, "rad/s")
    if not omega:
        raise InputError("invalid speed = 0 in a turning frame: expected a body that turns about z")
    turn = 2.0 * np.pi / abs(omega)
    if frame == "rotating":
        return _rotating(Description(system, base, omega), turn, omega, band, guess)
    if frame == "axisymmetric":
        return _axisymmetric(Description(system, base, 0.0), omega, repeats, band, guess)
    return _floquet(system, base, omega, repeats, band, guess)


def _speed(system: System, base: State) -> float:
    """Speed of the bodies that turn."""
    spins = {
        body.name: each.spin
        for body, each in zip(system.bodies, turnings(system, base.v).values(), strict=True)
        if each.spin and (as_body(body).elastic_shapes or 0) > 0
    }
    if not spins:
        raise InputError(
            "invalid system in a turning frame: expected an ElasticBody in a TurningFrame or "
            "driven by a PrescribedMotion about z, or speed = the speed of what turns"
        )
    first = next(iter(spins.values()))
    if any(abs(each - first) > 1e-9 * abs(first) for each in spins.values()):
        found = ", ".join(f"'{name}' {each:.6g} rad/s" for name, each in spins.items())
        raise InputError(f"invalid speeds of turning bodies: expected one, found {found}")
    return first


def _guess(description: Description, guess: Floats | None) -> Floats | None:
    return None if guess is None else description.coordinates(0.0, guess)


def _rotating(
    description: Description, turn: float, omega: float, band: Band | None, guess: Floats | None
) -> TurningPoint:
    found = balance_at_rest(description, turn, 1, _guess(description, guess))
    check_isotropic(found)
    found, motions, Z, samples = linear_motions(found)
    return TurningPoint(
        model=_model(found, motions, Z, samples[0].mass, band),
        system=description.system,
        steady=_steady(found),
        frame="rotating",
        speed=omega,
        neglects="nothing: all else is the same at every angle",
        found=found,
    )


def _axisymmetric(
    description: Description, omega: float, repeats: int, band: Band | None, guess: Floats | None
) -> TurningPoint:
    period = 2.0 * np.pi / (abs(omega) * repeats)
    count = max(5, (_instants(description, omega) // repeats) | 1)
    start = balance_at_rest(description, period, count, _guess(description, guess))
    _check_repeats(start, repeats, ABOUT_REPEATED)
    found, motions, Z, samples = linear_motions(_beside_rest(start))
    model = _model(found, motions, Z, np.mean([s.mass for s in samples], axis=0), band)
    modes = complex_modes(model)
    asymmetry = Asymmetry(
        _waves(description), *_left_out(motions, modes, period), found.away, modes.eigenvalues
    )
    return TurningPoint(
        model=model,
        system=description.system,
        steady=_steady(found),
        frame="axisymmetric",
        speed=omega,
        neglects=_judged(asymmetry, modes),
        found=found,
        asymmetry=asymmetry,
    )


def _beside_rest(found: Balanced) -> Balanced:
    """The periodic motion beside a balance in the mean, where it is found.

    Means are taken about it: contact points of a body that deforms unevenly are then closed or open
    as they truly are.
    """
    if found.away > ROUND:
        return found
    with suppress(SolverError):
        return balance_of_period(found, len(found.moved.t))
    return found


def _waves(description: Description) -> dict[str, Waves]:
    """Waves of the elastic bodies that turn."""
    bodies = (as_body(body) for body in description.system.bodies)
    turning = (body for body in bodies if description.turnings[body.name].spin)
    return {body.name: waves for body in turning if (waves := body.waves) is not None}


def _judged(asymmetry: Asymmetry, modes: ComplexModes) -> str:
    """What the mean leaves out, in words; refused if too much, marked if much."""
    lead = modes.leading
    fluctuation, shift = float(asymmetry.fluctuation[lead]), complex(asymmetry.shift[lead])
    if not asymmetry.holds[lead]:
        split = max((float(each.split.max()) for each in asymmetry.waves.values()), default=0.0)
        raise InputError(
            f"invalid frame = axisymmetric: the leading mode at {modes.leading_frequency:.5g} Hz "
            f"does not stay in the mean over a turn (pairs of waves split by up to {split:.2g}); "
            "expected a body that is nearly one of revolution; use frame = 'rotating' or "
            "'floquet', or a band without this mode"
        )
    words = (
        f"changes within a turn of {fluctuation:.2g} of the leading mode's stiffness, which add "
        f"about {shift.real:+.2g} 1/s and {shift.imag / (2.0 * np.pi):+.2g} Hz"
    )
    if abs(shift.real) > MARKED * abs(modes.growth[lead]):
        warn_caller(f"the mean over a turn neglects {words}; compare with frame = 'floquet'")
    return words


def _floquet(
    system: System, base: State, omega: float, repeats: int, band: Band | None,
    guess: Floats | None,
) -> PeriodicPoint:  # fmt: skip
    period = 2.0 * np.pi / (abs(omega) * repeats)
    for frame_speed in (0.0, omega):
        description = Description(system, base, frame_speed)
        count = max(9, (_instants(description, omega) // repeats) | 1)
        start = balance_at_rest(description, period, count, _guess(description, guess))
        if start.away <= ROUND:
            break
    else:
        raise InputError(
            "invalid constraints with frame = floquet: expected rows that stand in space or turn "
            f"with the body, and they turn by the sine {start.away:.1e}; use force elements, such "
            "as an ElasticGearMesh or a Bushing, instead of rigid joints in space"
        )
    _check_repeats(start, repeats)
    found, motions, Z, mass = _sampled(start, count)
    modes = floquet_modes(motions, period)
    neglects = (
        f"nothing of small motions; exponents are known up to multiples of {1.0 / period:.4g} Hz, "
        "resolved by the mode shapes"
    )
    if modes.lost:
        neglects += f"; {modes.lost} modes that fade within a period are not resolved"
    return PeriodicPoint(
        model=_model(found, motions, Z, mass, band),
        system=system,
        steady=_steady(found),
        frame="floquet",
        speed=omega,
        neglects=neglects,
        found=found,
        floquet=modes,
    )


def _sampled(start: Balanced, count: int) -> tuple[Balanced, Motions, Floats, Floats]:
    """Periodic motion and matrices at so many instants that their harmonics fade."""
    while True:
        found, motions, Z, samples = linear_motions(balance_of_period(start, count))
        tail = max(_tail(part) for part in motions[:3])
        if tail <= TAIL:
            return found, motions, Z, np.mean([s.mass for s in samples], axis=0)
        if 2 * count > INSTANTS:
            warn_caller(
                f"the coefficients of the period have not faded with {count} instants: {tail:.1e} "
                "of them is left in the highest harmonics, as where contact points open and close"
            )
            return found, motions, Z, np.mean([s.mass for s in samples], axis=0)
        count = 2 * count + 1


def _tail(part: Floats) -> float:
    """Part of matrices (S, k, k) in the highest third of their harmonics."""
    sizes = np.linalg.norm(np.fft.rfft(part, axis=0), axis=(1, 2))
    return float(sizes[2 * len(sizes) // 3 :].max() / (sizes.max() or 1.0))


def _check_repeats(found: Balanced, repeats: int, allowed: float = REPEATED) -> None:
    """Refuse a period that is none."""
    if repeats == 1:
        return
    description, y, period = found.description, found.moved.y[:1], found.period
    one, two = (
        sampled(description, moved(description, np.array([t]), y, period), 0, linear=True)
        for t in (0.37 * period, 1.37 * period)
    )
    for name in ("mass", "by_q", "by_v"):
        before, after = getattr(one, name), getattr(two, name)
        change = float(np.linalg.norm(after - before) / (np.linalg.norm(before) or 1.0))
        if change > allowed:
            raise InputError(
                f"invalid repeats = {repeats}: expected a system that repeats so often in a turn, "
                f"and its matrices change by the fraction {change:.1e}; use a divisor of it, or 1"
            )


def _instants(description: Description, omega: float) -> int:
    """Odd number of instants of a turn for the waves of a description."""
    k = np.abs(np.linalg.eigvals(description.generator)).max(initial=0.0) / abs(omega)
    return 2 * int(np.ceil(k)) + 9


def _model(
    found: Balanced, motions: Motions, Z: Floats, mass: Floats, band: Band | None
) -> LinearModel:
    """Linear model of the mean matrices."""
    system = found.description.system
    M, C, K = (part.mean(axis=0) for part in motions[:3])
    return LinearModel.of(
        M, C, K, dict(system.slices), basis=Z, dof_mass=mass, turned=motions.turned.mean(axis=0),
        scope=scope_of(system, found.moved.states[0], band),
    )  # fmt: skip


def _steady(found: Balanced) -> SteadyState:
    """First state of the motion, as a steady state."""
    return SteadyState(
        found.description.system, found.moved.states[0], found.residual, found.iterations
    )


def _left_out(motions: Motions, modes: ComplexModes, period: float) -> tuple[Floats, Complexes]:
    """Fluctuation of each mode, and the shift of its eigenvalue of second order.

    With the Fourier coefficients L_h of L(z) = z^2 M + z C + K over a period, Omega = 2 pi/period,

        l^H L_0' r dz = sum_h l^H L_-h(z + i h Omega) L_0(z + i h Omega)^-1 L_h(z) r,   h != 0 .
    """
    spectra = [np.fft.fft(part, axis=0) / len(part) for part in motions[:3]]
    count, turn = len(motions.mass), 2.0 * np.pi / period
    orders = np.round(np.fft.fftfreq(count, 1.0 / count)).astype(int)

    def at(h: int, z: complex) -> Complexes:
        M, C, K = (part[h] for part in spectra)
        return z**2 * M + z * C + K

    fluctuation, shift = np.zeros(len(modes.growth)), np.zeros(len(modes.growth), dtype=complex)
    for j in range(len(fluctuation)):
        z, r, left = modes.eigenvalues[j], modes.amplitudes[:, j], modes.left[:, j].conj()
        size = abs(z) ** 2 * float(np.linalg.norm(r))  # Z^T M Z = 1
        mean = at(0, z) @ r
        changes = [np.linalg.norm(_at(motions, i, z) @ r - mean) for i in range(count)]
        fluctuation[j] = max(changes) / size
        slope = left @ (2.0 * z * spectra[0][0] + spectra[1][0]) @ r
        for h in orders[orders != 0]:
            moved_z = z + 1j * h * turn
            forced = np.linalg.solve(at(0, moved_z), at(h, z) @ r)
            shift[j] += left @ at(-h, moved_z) @ forced / slope
    return fluctuation, shift


def _at(motions: Motions, i: int, z: complex) -> Complexes:
    return z**2 * motions.mass[i] + z * motions.by_rate[i] + motions.by_position[i]
