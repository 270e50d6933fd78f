"""Vibration with dry friction that stops within a period: closed forms, harmonic balance, in time.

Den Hartog ("Forced vibrations with combined Coulomb and viscous friction", 1930) put the motion
together from linear pieces. Here a mass of 1 kg on a spring of 1 N/m is under 1 N cos(omega t). The
conditions between the pieces of half a period are solved numerically; the other half is the same
with the opposite sign. Nothing of the package is in the closed forms.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import cos, pi

import numpy as np
import pytest
from scipy.optimize import root

from fecontact.analysis.periodic.harmonic_balance import harmonic_balance
from fecontact.analysis.periodic.motion import Balance, SystemMotion
from fecontact.body import RigidBody
from fecontact.contact import ContactPair, ElastoPlastic, PenaltyNormal, RigidFace, Surface
from fecontact.contact.master.shape import Plane
from fecontact.contact.rigid.contact import RigidContact
from fecontact.integrate import simulate
from fecontact.joint import Bearing, Force
from fecontact.joint.curve import Function
from fecontact.system import State, System


@dataclass(frozen=True)
class Dry:
    """q'' + d q' + q + a bristle without damper = cos(omega t)."""

    omega: float
    c: float
    grip: float
    d: float = 0.1
    undamped = True
    sizes = (1, 1, 0)
    points = np.zeros(1, dtype=int)

    def limit(self, t, q, v):
        return np.array([self.grip / self.c]), np.zeros((1, 1)), np.zeros((1, 1))

    def residual(self, t, q, v, a, z, lam):
        now = self.evaluate(t, q, v, a, z, lam)
        return now.residual, now.rate, now.rows

    def evaluate(self, t, q, v, a, z, lam):
        r, one, none = a + self.d * v + q + self.c * z - cos(self.omega * t), np.eye(1), np.zeros(0)
        wide = np.zeros((0, 1))
        return Balance(
            r, one, self.d * one, one, self.c * one, v, 0 * one, one, 0 * one, none, wide, wide
        )


def piece(omega, stiffness, damping, push, start):
    """x and v of x'' + d x' + K x = cos(omega t) + push from start = (t, x, v)."""
    t0, x0, v0 = start
    swing = 1.0 / (stiffness - omega**2 + 1j * damping * omega)
    own = -0.5 * damping + 1j * np.sqrt(stiffness - 0.25 * damping**2)

    def forced(t):
        turning = swing * np.exp(1j * omega * np.asarray(t))
        return np.array([turning.real + push / stiffness, (1j * omega * turning).real])

    x, v = np.array([x0, v0]) - forced(t0)
    size = x + 1j * (own.real * x - v) / own.imag

    def at(t):
        free = size * np.exp(own * (np.asarray(t) - t0))
        return forced(t) + np.array([free.real, (own * free).real])

    return at


def solved(conditions, guess):
    answer = root(conditions, np.ravel(guess), tol=1e-13)
    assert np.abs(answer.fun).max() < 1e-10, answer.message
    return answer.x


def over_period(half, begin, omega, t):
    """A motion at times t, from its half period that starts at `begin`."""
    halves, rest = np.divmod(np.asarray(t) - begin, pi / omega)
    return np.where(halves % 2 == 0, 1.0, -1.0) * half(begin + rest)


def rigid_stops(omega, grip, guess):
    """Den Hartog's motion with stops: when it begins to slip, position over time, and how it stops.

    A slip towards -x begins where the load exceeds friction, cos(omega t) - x = -F, and ends at
    rest; the last one of a half period ends opposite to where the first one began. `guess` has the
    place, the start and the end of each slip. The last result are the decelerations, one for each
    stop of a half period.
    """
    slip = partial(piece, omega, 1.0, 0.0, grip)

    def conditions(u):
        parts, left = u.reshape(-1, 3), []
        for (x, begin, end), after in zip(parts, [*parts[1:, 0], -parts[0, 0]], strict=True):
            place, speed = slip((begin, x, 0.0))(end)
            left += [cos(omega * begin) - x + grip, speed, place - after]
        return left

    parts = solved(conditions, guess).reshape(-1, 3)

    def half(t):
        x = np.full_like(t, -parts[0, 0])
        for place, begin, end in parts[::-1]:
            moving = slip((begin, place, 0.0))
            x = np.where(t < begin, place, np.where(t < end, moving(t)[0], x))
            later = (t > begin) & (t < end)
            assert (moving(t[later])[1] <= 1e-9).all()
        return x

    begin = parts[0, 1]
    t = begin + np.linspace(0.0, pi / omega, 400, endpoint=False)
    holds = np.all([(t < first) | (t > last) for _, first, last in parts], axis=0)
    assert holds.mean() > 0.25
    assert (np.abs(np.cos(omega * t) - half(t))[holds] <= grip + 1e-9).all()
    places = [*parts[1:, 0], -parts[0, 0]]
    stops = np.abs(np.cos(omega * parts[:, 2]) - places + grip)
    return begin, partial(over_period, half, begin, omega), stops


def elastic_stops(motion, guess):
    """The same with a bristle that yields: t, x, v at the start of slip, and positions over time.

    It slips until it rests, at x_1, and is then held by the bristle as well, c (x - x_1) - F,
    until that is F: half a period after the slip began, and opposite to it.
    """
    omega, d, c, grip = motion.omega, motion.d, motion.c, motion.grip

    def pieces(t0, x0, v0, t1):
        slip = piece(omega, 1.0, d, grip, (t0, x0, v0))
        x1 = slip(t1)[0]
        return slip, piece(omega, 1.0 + c, d, grip + c * x1, (t1, x1, 0.0)), x1

    def conditions(u):
        slip, stick, x1 = pieces(*u)
        x, v = stick(u[0] + pi / omega)
        return [slip(u[3])[1], x + u[1], v + u[2], c * (x - x1) - 2.0 * grip]

    t0, x0, v0, t1 = u = solved(conditions, guess)
    slip, stick, x1 = pieces(*u)
    t = np.linspace(t1, t0 + pi / omega, 200)[1:-1]
    assert (np.abs(c * (stick(t)[0] - x1) - grip) < grip).all()
    assert 1.0 - (t1 - t0) * omega / pi > 0.3

    def half(t):
        return np.where(t < t1, slip(t)[0], stick(t)[0])

    return (t0, x0, v0), partial(over_period, half, t0, omega)


def first_harmonic(x, omega):
    """Complex coefficient of the first harmonic of a motion over time, and the largest value."""
    t = np.linspace(0.0, 2.0 * pi / omega, 20000, endpoint=False)
    return 2.0 * np.mean(x(t) * np.exp(-1j * omega * t)), np.abs(x(t)).max()


def falls_with_the_square(errors, steps, spread):
    """Whether errors are of second order in the step, but for a spread in units of its square.

    What happens inside a step is taken at its end or its middle. That adds between nothing and
    `spread` h^2, by where in the step it happens; the rest has one factor at all steps.
    """
    coarse, fine, h = np.array(errors[:-1]), np.array(errors[1:]), np.array(steps[:-1])
    np.testing.assert_array_equal(h, 2.0 * np.array(steps[1:]))
    return (4.0 * fine <= coarse + spread * h**2).all()


def converges(motion, guess, harmonics, series):
    """Whether the first harmonic of orbits comes near that of known harmonics (m,), as it should.

    To first order the error of the equations is linear in the harmonics that they leave out:
    J du = -df/dx (x - x_H), with their Jacobian J. What remains is the error of the samples, on
    average 4/3 of the change that twice as many would bring (`sampling`), as it goes with 1/N^2.
    """
    errors, left, known = [], [], []
    for highest in harmonics:
        orbit = harmonic_balance(motion, guess, motion.omega, highest, 32 * highest)
        guess = orbit.series
        errors.append(abs(guess[1, 0] - 1j * guess[2, 0] - series[1]))
        left.append(np.abs(series[highest + 1 : 1000]).sum())
        known.append(4.0 / 3.0 * orbit.sampling * np.abs(guess[1:]).max())
    less = np.array(left[1:]) / left[:-1] * errors[:-1]
    return (errors[1:] <= less + known[1:]).all()


def swinging(omega, dofs, *items):
    """A mass of 1 kg on a spring of 1 N/m under 1 N cos(omega t), and what else acts on it."""
    body = RigidBody("mass", 1.0, dofs)
    swing = Function(lambda t: np.cos(omega * t), lambda t: -omega * np.sin(omega * t))
    load = Force(body, (1.0, 0.0, 0.0), factor=swing, name="load")
    return System([body], [load, *(item(body) for item in items)])


ONCE = 0.5, 0.8, [[1.02, 2.70, 7.10]]
TWICE = 0.2, 0.4, [[0.65, 6.58, 12.10], [-0.53, 13.81, 17.24]]


@pytest.mark.parametrize(("omega", "grip", "guess"), [ONCE, TWICE], ids=["once", "twice"])
def test_time_stepping_stops_as_den_hartogs_mass(omega, grip, guess):
    """Of second order, also over starts and stops.

    The acceleration is zero where slip begins. A stop with the deceleration a at s h inside a step
    is at rest at its end: the way is h (a s h)/2 in place of a (s h)^2/2, too far by
    a h^2 s (1 - s)/2 <= a h^2/8. The next slip keeps 0.30 of that (once), 0.72 and 0.96 (twice).
    """
    begin, exact, stops = rigid_stops(omega, grip, guess)
    foot, period = Surface(np.zeros((1, 3)), np.ones(1)), 2.0 * pi / omega
    system = swinging(
        omega, ("ux", "uz"),
        lambda body: Bearing(body, 1.0, 1e-9),
        lambda body: Force(body, (0.0, 0.0, -2.0 * grip), name="weight"),
        lambda body: RigidContact(body, foot, RigidFace(None, Plane()), friction=0.5),
    )  # fmt: skip
    start = State(begin, np.array([exact([begin])[0], 0.0]), np.zeros(2))
    errors, steps = [], [period / n for n in (100, 200, 400, 800)]
    for h in steps:
        motion = simulate(system, begin + period, start, "moreau", step=h)
        errors.append(np.abs(motion.q[:, 0] - exact(motion.t)).max())
    assert falls_with_the_square(errors, steps, 2.0 * stops.sum() / 8.0)


ELASTIC = [
    (0.4, 10.0, 0.7, [3.32, 0.657, -0.145, 8.59]),
    (0.3, 20.0, 0.7, [5.86, 0.536, -0.063, 10.53]),
    (0.5, 10.0, 0.8, [3.91, 0.265, -0.148, 7.63]),
]


@pytest.mark.filterwarnings("ignore:harmonics")
@pytest.mark.parametrize(("omega", "c", "grip", "guess"), ELASTIC)
def test_harmonic_balance_stops_as_the_closed_form(omega, c, grip, guess):
    motion = Dry(omega, c, grip)
    exact = elastic_stops(motion, guess)[1]
    t = np.linspace(0.0, 2.0 * pi / omega, 2**14, endpoint=False)
    found = harmonic_balance(motion, np.zeros((1, 1)), omega, 11)
    assert converges(motion, found.series, (11, 15, 21), 2.0 * np.fft.rfft(exact(t)) / len(t))


@pytest.mark.parametrize(("omega", "c", "grip", "guess"), ELASTIC[:1])
def test_simulation_stops_as_the_closed_form(omega, c, grip, guess):
    (t, x, v), exact = elastic_stops(Dry(omega, c, grip), guess)
    pressed = Surface(np.array([[0.0, 0.0, -1e-3]]), np.ones(1))
    laws = PenaltyNormal(grip / 0.5 / 1e-3), ElastoPlastic(0.5, c)
    system = swinging(
        omega, ("ux",), lambda body: Bearing(body, 1.0, 1e-9, 0.1),
        lambda body: ContactPair(body, pressed, RigidFace(None, Plane()), *laws),
    )  # fmt: skip
    motion, period = SystemMotion(system), 2.0 * pi / omega
    bent = -grip / c * motion.directions[0]
    start = motion.state(t, np.array([x]), np.array([v]), bent)
    # where slip begins at s h inside a step, friction that would rise by c v h stays: the step
    # errs by c v h^2 s (1 - s)/2 <= c v h^2/8 in its velocity, and with 1 rad/s by as much in x
    errors, steps = [], [period / n for n in (100, 200, 400)]
    for h in steps:
        found = simulate(system, t + period, start, "implicit", step=h)
        errors.append(np.abs(found.q[:, 0] - exact(found.t)).max())
    assert falls_with_the_square(errors, steps, 2.0 * c * abs(v) / 8.0)


def settled(motion, start, steps, periods=12):
    """Positions (steps,) over the last period by the method of Verlet, bristle by return map."""
    h, limit, x = 2.0 * pi / motion.omega / steps, motion.grip / motion.c, start
    v = z = 0.0
    loads, path = np.cos(2.0 * pi * np.arange(steps + 1) / steps).tolist(), []
    for period in range(periods):
        for load, after in pairwise(loads):
            v += 0.5 * h * (load - x - motion.c * z)
            x += h * v
            z = min(max(z + h * v, -limit), limit)
            v += 0.5 * h * (after - x - motion.c * z)
            if period == periods - 1:
                path.append(x)
    return np.array(path)


@pytest.mark.slow
def test_stiff_bristles_approach_den_hartogs_mass():
    """The error vanishes as the compliance 1/c, and harmonic balance has it.

    A mass that stops rings on its bristle by a/c, for ever without damper, and lets go somewhere in
    that: the error times c is irregular, but bounded. (An error as 1/sqrt(c), the speed of the
    ringing, would make it grow 8-fold over the 64-fold c.) The ringing is near the harmonic
    sqrt(1 + c)/omega, 14 for c = 50: harmonic balance needs more than those.
    """
    omega, grip, guess = ONCE
    exact = rigid_stops(omega, grip, guess)[1]
    first, most = first_harmonic(exact, omega)

    off, own = {}, {}
    for c in (50.0, 100.0, 200.0, 400.0, 800.0, 3200.0):
        steps = int(500 * np.sqrt(c))
        path = settled(Dry(omega, c, grip, d=0.0), exact([0.0])[0], steps)
        own[c] = 2.0 * np.fft.rfft(np.roll(path, 1)) / steps
        off[c] = c * np.abs([np.abs(path).max() / most - 1.0, own[c][1] / first - 1.0])
    for c in (200.0, 400.0, 800.0, 3200.0):
        assert (off[c] <= 2.0 * np.maximum(off[50.0], off[100.0])).all(), c
    stiff, start = Dry(omega, 50.0, grip, d=0.0), np.array([[0.0], [first.real], [-first.imag]])
    found = harmonic_balance(stiff, start, omega, 21)
    assert converges(stiff, found.series, (21, 31), own[50.0])
