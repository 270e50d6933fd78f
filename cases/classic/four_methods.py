"""Four methods on three systems: they agree where they must.

The rod on a turning disc (Stamm 2011, section 6.3.1), the oscillator of two masses (Stamm 2011,
section 6.5) and the engagement of a clutch are integrated by time steps (implicit, explicit),
without events (ode), from event to event (events) and by Moreau's time stepping, which has no
bristles. With the same bristles the first four solve the same equations: their differences fall
with step and tolerance. With stiffer bristles they tend to the rigid solution, and so does
Moreau's method with shorter steps. The rigid rod and the rigid masses are integrated piece by
piece in their own cases, the clutch has a closed form.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

import numpy as np

import fecontact as fc

rod = fc.load_module("stamm/rod_on_disc")
masses = fc.load_module("stamm/two_masses_events")
clutch = fc.load_module("classic/clutch_engagement")
By = Callable[["FourMethods", str, float], fc.Floats]
STEPS = {"implicit": 2e-3, "explicit": 1e-4}
"""Steps in s of the time-stepping methods for the rod and the masses."""
TIGHT = {
    "ode": {"rtol": 1e-7, "solver": "DOP853"},
    "events": {"rtol": 1e-8, "atol": 1e-11, "solver": "DOP853", "audit": False, "angle": 0.0},
}
"""The event-driven method keeps the bristles of sliding points, as the others do."""
HALVED = {"events": 0.1, "moreau": 0.5}
"""Fraction of eps_c, or of the step, in the second run towards the rigid solution."""


@dataclass(frozen=True)
class FourMethods(fc.Parameters):
    """Stiffness of the bristles, as eps_c = omega_c^2 m/c with omega_c = 100 rad/s."""

    compliance: float = fc.quantity(1.0, "", fc.POSITIVE)
    until: float = fc.quantity(6.0, "s", fc.POSITIVE)


SAME = fc.References("""
    away | distance from events, same bristles | <= |  |  | same law, other method | cross_method
""")
ORDER = fc.References("""
    order | order towards the rigid solution |  |  | 0.3 | eps_c -> 0, or h -> 0
""")
CLUTCH = fc.References("""
    time  | clutch: slip time                |  | s
    speed | clutch: speed at the end of slip |  | rad/s
    heat  | clutch: heat                     |  | J
    *     | two inertias, constant torque
""")


def rod_by_moreau(p: object, until: float, step: float) -> fc.Result:
    """The rod without bristles."""
    q = rod.RodOnDisc(static_ratio=1.0)
    body = fc.RigidBody("rod", q.mass, ("ux", "uy"))
    disc = fc.RigidBody("disc", 1.0, ("rz",), inertia=(rod.HEAVY,) * 3)
    foot = fc.Surface(np.array([[0.0, 0.0, -1e-6 * q.normal_force]]), np.ones(1))
    contact = fc.RigidContact(
        body,
        foot,
        fc.RigidFace(disc, fc.Plane()),
        q.mu,
        normal=fc.PenaltyNormal(1e6),
        name="contact",
    )
    hold = fc.Bearing(body, q.spring, 0.0, radial_damping=q.damper, offset=(q.anchor, 0.0, 0.0))
    system = fc.System([body, disc], [contact, hold])
    start = system.state(q={"rod.ux": q.anchor}, v={"disc.rz": q.speed})
    return fc.simulate(system, until, start, "moreau", until, step=step)


def rod_by(p: FourMethods, method: str, compliance: float) -> fc.Floats:
    """Position (2,) of the rod at the end."""
    if method == "moreau":
        return rod_by_moreau(p, p.until, 0.02 * compliance).q[-1, :2]
    q = rod.RodOnDisc(static_ratio=1.0, compliance=compliance)
    whole = rod.system(q)
    start = whole.sliding(whole.state(q={"rod.ux": q.anchor}, v={"disc.rz": q.speed}))
    options = TIGHT.get(method) or {"step": STEPS[method] * compliance}
    return fc.simulate(whole, p.until, start, method, p.until, **options).q[-1, :2]


def masses_by(p: FourMethods, method: str, compliance: float) -> fc.Floats:
    """Positions (2,) of the masses at the end."""
    if method == "moreau":
        q = masses.rigid.TwoMasses()
        return masses.rigid.stepped(q, q.start, p.until, 0.02 * compliance).q[-1, [0, 2]]
    q = masses.TwoMasses(compliance=compliance)
    whole, depth = masses.system(q), q.gravity / masses.NORMAL
    start = whole.state(q={"m1.ux": q.start, "m1.uz": -depth, "m2.uz": -depth})
    options = TIGHT.get(method) or {"step": STEPS[method] * sqrt(compliance)}
    return fc.simulate(whole, p.until, start, method, p.until, **options).q[-1, [0, 2]]


def clutch_by_moreau(p: object, end: float) -> fc.Result:
    """The clutch with set-valued friction on its compliant facing."""
    q = clutch.Engagement()
    flywheel = fc.RigidBody("flywheel", 10.0, ("rz",), (1.0, 1.0, q.engine_inertia))
    disc = fc.RigidBody("disc", q.disc_mass, ("uz", "rz"), (1.0, 1.0, q.driven_inertia))
    facing = fc.annulus_surface(q.inner_radius, q.outer_radius, (q.radial, q.circumferential))
    layer = fc.PenaltyNormal(q.pressure / q.compression)
    pair = fc.RigidContact(
        disc, facing, fc.RigidFace(flywheel, fc.Plane()), q.friction, normal=layer, name="facing"
    )
    loads = [
        fc.Force(disc, (0.0, 0.0, -q.load)),
        fc.Torque(flywheel, (0.0, 0.0, q.engine_torque)),
        fc.Torque(disc, (0.0, 0.0, -q.load_torque), name="driveline"),
    ]
    system = fc.System([flywheel, disc], [*loads, pair])
    start = system.state(q={"disc.uz": -q.compression}, v={"flywheel.rz": q.speed})
    return fc.simulate(system, end, start, "moreau", end / 115, step=end / 230)


def slip_end(motion: fc.Result) -> tuple[float, float]:
    """Time and speed at which the line of the slip, down to a tenth of its start, reaches zero."""
    slip, speed = clutch.difference(motion), motion.history("disc.rz", "velocity")
    part = slip > 0.1 * slip[0]
    t = -np.divide(*np.polyfit(motion.t[part], slip[part], 1)[::-1])
    return float(t), float(np.polyval(np.polyfit(motion.t[part], speed[part], 1), t))


def main(run: fc.Run[FourMethods]) -> None:
    """Rod, masses, clutch."""
    p, q = run.parameters, rod.RodOnDisc(static_ratio=1.0)
    exact = rod.rigid(q, np.linspace(0.0, p.until, 121))[0][-1]
    rows = compared(run, "rod", rod_by, exact, 1.0, 1e-3)
    if not run.quick:
        chain = fc.reference.SlidingMasses(masses.rigid.C, masses.rigid.B, 1.0, [5.8, 0.0])
        rows |= compared(run, "masses", masses_by, chain.at(p.until)[:2], 0.5, 1e-3)
    engagement(run)
    for name, row in rows.items():
        listed = ", ".join(f"{method} {error:.2e}" for method, error in row.items())
        run.note(f"{name}: error against the rigid motion: {listed}.")
    run.figure("errors", fc.view.named_dots(rows, "error against the rigid motion"))


def compared(
    run: fc.Run[FourMethods], name: str, found: By, exact: fc.Floats, order: float, same: float
) -> dict[str, dict[str, float]]:
    """Errors of all methods against the rigid solution, and differences on the same bristles.

    A second row are the errors with stiffer bristles (events) or a shorter step (moreau).
    """
    p, size = run.parameters, float(np.linalg.norm(exact))
    others = ("explicit",) if run.quick else ("explicit", "implicit", "ode")
    soft = {m: found(p, m, p.compliance) for m in (*others, "events", "moreau")}
    for method in others:
        away = np.linalg.norm(soft[method] - soft["events"]) / size
        pair = {"away": (away, same if method in STEPS else 1e-5)}
        run.compare(SAME, pair, label=name, method=method)
    errors = {m: float(np.linalg.norm(value - exact)) / size for m, value in soft.items()}
    closer = {}
    for method, fraction in HALVED.items():
        error = float(np.linalg.norm(found(p, method, fraction * p.compliance) - exact)) / size
        rate = np.log(error / errors[method]) / np.log(fraction)
        pair = {"order": (rate, order if method == "events" else 1.0)}
        run.compare(ORDER, pair, label=name, method=method)
        closer[method] = error
    return {name: errors, f"{name}, closer": closer}


def engagement(run: fc.Run[FourMethods]) -> None:
    """Slip time, speed and heat of the clutch by all methods."""
    q = clutch.Engagement()
    system, end = clutch.build(q), clutch.AFTER * q.slip_time
    speed = (q.torque - q.load_torque) * q.slip_time / q.driven_inertia
    heat, quick = q.torque * q.slip_angle, ("explicit", "events", "moreau")
    options = {"ode": clutch.TIGHT, "events": clutch.TIGHT}
    for method in quick if run.quick else ("implicit", "ode", *quick):
        if method == "moreau":
            motion = clutch_by_moreau(q, end)
        else:
            more = options.get(method, {})
            motion = fc.simulate(system, end, clutch.start(q, system), method, end / 115, **more)
        t, reached = slip_end(motion)
        computed = {
            "time": (t, q.slip_time),
            "speed": (reached, speed),
            "heat": (motion.energies["slip"][-1], heat),
        }
        error = 1e-4 if method in options else 1e-3
        about = {name: error * exact for name, (_, exact) in computed.items()}
        run.compare(CLUTCH, computed, tolerances=about, method=method)


CASE = fc.Case(__doc__, ("Stamm T8", "Stamm T14"), FourMethods(), main, quick_s=12.0)

if __name__ == "__main__":
    CASE.main(__file__)
