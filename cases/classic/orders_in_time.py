"""Orders of the implicit and the explicit method: stick, sliding, turning slip, kinks and jumps.

A mass m on a spring and on one point of a rough plane, pressed by N, with bristles c_t, beta_t. Its
position at the end is compared with that of the event-free method at rtol 1e-10, or a closed form,
for steps that are halved again and again.

    stick             order 2   a linear oscillator
    sliding           order 2   fixed direction, friction falls with the speed: a smooth force
    turning slip      order 1   the return map takes the direction at the end, like Euler's
                                implicit method; damped bristles do better while steps are long
    stop              order 2   the friction force is continuous, its slope jumps: the step with the
                                kink errs by h^2, once; bristles damped, or without damping
                                (x = v^2/(2 mu g) - mu N/c (1 - cos(omega t)) after the stop)
    drop to kinetic   order 1   the status at the start of a step counts, so the drop comes up to a
                                step late; the error scatters with its position in the step

The event-free method feels the drop at the end of a step too, and needs damped bristles: very short
explicit steps stand for it there. Errors across kinks depend on where in its step the kink is:
those of four speeds are taken together.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

import fecontact as fc

SPEEDS = (1.0, 0.94, 0.88, 0.82)  # relative, of the motions that stop
PARTS = {"implicit": (20, 40, 80, 160, 320), "explicit": (80, 160, 320, 640, 1280)}
FINEST = 2**16  # steps of the reference where the event-free method gives none


@dataclass(frozen=True)
class Orders(fc.Parameters):
    """A mass of 1 kg; bristles of 16 Hz."""

    mass: float = fc.quantity(1.0, "kg", fc.POSITIVE)
    load: float = fc.quantity(50.0, "N", fc.POSITIVE)
    stiffness: float = fc.quantity(1e4, "N/m", fc.POSITIVE)
    normal_damping: float = fc.quantity(50.0, "N s/m", fc.POSITIVE)
    bristle_damping: float = fc.quantity(40.0, "N s/m", fc.POSITIVE)
    spring: float = fc.quantity(400.0, "N/m", fc.POSITIVE)
    friction: float = fc.quantity(0.3, "", fc.POSITIVE)
    end: float = fc.quantity(0.06, "s", fc.POSITIVE)


ORDER = fc.References(order=fc.Reference("order"), source="see above", kind="trend")


class Phase(NamedTuple):
    """Motions of one kind: system, starts with their exact positions at the end, order, spread."""

    name: str
    system: fc.System
    motions: list[tuple[fc.State, fc.Floats]]
    order: float
    spread: float | None
    why: str


def slider(
    p: Orders, law: fc.ElastoPlastic, spring: float, push: tuple[float, float] = (0.0, 0.0)
) -> fc.System:
    """The mass on its point, with a spring to the ground."""
    mass = fc.RigidBody("mass", p.mass, ("ux", "uy", "uz"))
    foot, plane = fc.Surface(np.zeros((1, 3)), np.ones(1)), fc.RigidFace(None, fc.Plane())
    normal = fc.PenaltyNormal(p.stiffness, p.normal_damping)
    pair = fc.ContactPair(mass, foot, plane, normal, law, "foot")
    bearing, force = fc.Bearing(mass, spring, 1e-9), fc.Force(mass, (*push, -p.load))
    return fc.System([mass], [bearing, force, pair])


def pressed(p: Orders, system: fc.System, speed: float = 0.0) -> fc.State:
    """Start on the compressed contact."""
    return system.state(q={"mass.uz": -p.load / p.stiffness}, v={"mass.ux": speed})


def exact(p: Orders, system: fc.System, start: fc.State) -> fc.Floats:
    """Position at the end by the event-free method."""
    found = fc.simulate(system, p.end, start, "ode", p.end, solver="DOP853", rtol=1e-10)
    return np.asarray(found.q[-1])


def finest(p: Orders, system: fc.System, start: fc.State) -> fc.Floats:
    """Position at the end by very short explicit steps."""
    found = fc.simulate(system, p.end, start, "explicit", p.end, step=p.end / FINEST)
    return np.asarray(found.q[-1])


def stopped(p: Orders, speed: float) -> fc.Floats:
    """Position at the end of a mass without a spring that stops on undamped bristles."""
    grip = p.friction * p.load
    stop = p.mass * speed / grip
    back = grip / p.stiffness * (1.0 - np.cos(np.sqrt(p.stiffness / p.mass) * (p.end - stop)))
    return np.array([0.5 * speed * stop - back, 0.0, -p.load / p.stiffness])


def phases(p: Orders, quick: bool = False) -> Iterator[Phase]:
    """All kinds of motion; quick: one speed where each needs a reference of its own."""

    def law(mu: fc.Coefficient | float, damping: float = p.bristle_damping) -> fc.ElastoPlastic:
        return fc.ElastoPlastic(mu, p.stiffness, damping)

    def of(system: fc.System, *starts: fc.State) -> list[tuple[fc.State, fc.Floats]]:
        return [(start, exact(p, system, start)) for start in starts]

    stick = slider(p, law(0.5), p.spring)
    yield Phase("stick", stick, of(stick, pressed(p, stick, 0.1)), 2.0, 0.15, "linear")
    slide = slider(p, law(fc.Stribeck(0.2, 0.4, 0.5)), p.spring)
    start = slide.sliding(pressed(p, slide, 2.0))
    yield Phase("sliding", slide, of(slide, start), 2.0, 0.15, "a smooth force")
    turn = slider(p, law(p.friction), 1.0, (0.0, 0.8 * p.load))
    start = turn.sliding(pressed(p, turn, 1.0))
    why = "relaxing bristles turn smoothly"
    yield Phase("turning slip, damped bristles", turn, of(turn, start), 0.85, None, why)
    turn = slider(p, law(p.friction, 0.0), 1.0, (0.0, 0.8 * p.load))
    start = turn.sliding(pressed(p, turn, 1.0))
    motions = [(start, finest(p, turn, start))]
    yield Phase("turning slip, undamped bristles", turn, motions, 1.0, 0.3, "direction at the end")
    stop = slider(p, law(p.friction), p.spring)
    fractions = SPEEDS[:1] if quick else SPEEDS
    starts = [stop.sliding(pressed(p, stop, 0.5 * fraction)) for fraction in fractions]
    why = "the slope of the force jumps once"
    yield Phase("stop, damped bristles", stop, of(stop, *starts), 2.0, 0.3, why)
    free = slider(p, law(p.friction, 0.0), 1e-9)
    motions = [
        (free.sliding(pressed(p, free, 0.5 * fraction)), stopped(p, 0.5 * fraction))
        for fraction in SPEEDS
    ]
    yield Phase("stop, undamped bristles", free, motions, 2.0, 0.3, why)
    away = slider(p, law(fc.Coulomb(0.2, 0.4)), 1e-9, (0.34 * p.load, 0.0))
    start = pressed(p, away)
    motions = [(start, finest(p, away, start))]
    yield Phase("drop to kinetic", away, motions, 1.0, 0.6, "up to a step late")


def errors(p: Orders, phase: Phase, method: str, parts: tuple[int, ...]) -> fc.Floats:
    """Largest error in m at the end over numbers of steps, of all motions together."""

    def end(start: fc.State, n: int) -> fc.Floats:
        return fc.simulate(phase.system, p.end, start, method, p.end, step=p.end / n).q[-1]

    return np.array([sum(abs(end(s, n) - x).max() for s, x in phase.motions) for n in parts])


def main(run: fc.Run[Orders]) -> None:
    """Errors and orders of all phases by both methods."""
    p = run.parameters
    curves: dict[str, dict[str, fc.Floats]] = {method: {} for method in PARTS}
    for phase in phases(p, run.quick):
        for method, parts in PARTS.items():
            used = parts[:3] if run.quick and method == "implicit" else parts
            found = curves[method][phase.name] = errors(p, phase, method, used)
            order = np.log(found[0] / found[-1]) / np.log(used[-1] / used[0])
            about = {"method": method, "source": phase.why, "label": phase.name}
            if phase.spread is None:
                about["relation"] = "ge"
            pair, spread = {"order": (order, phase.order)}, {"order": phase.spread or 0.0}
            run.compare(ORDER, pair, tolerances=spread, **about)
    for method, found in curves.items():
        sizes = p.end / np.array(PARTS[method][: len(next(iter(found.values())))])
        axes = f"step of the {method} method / s", "error at the end / m"
        run.figure(f"orders_{method}", fc.view.convergence_plot(sizes, found, (1.0, 2.0), *axes))
    phase = next(phases(p))
    run.audit(fc.simulate(phase.system, p.end, phase.motions[0][0], "explicit", p.end / 100))


CASE = fc.Case(__doc__, ("orders of the transient methods",), Orders(), main, quick_s=10)

if __name__ == "__main__":
    CASE.main(__file__)
