"""Spin-up of a flexible beam: centrifugal stiffening (Kane, Ryan, Banerjee 1987; Simo, Vu-Quoc).

A cantilever on a turning hub is brought from rest to omega_s within T,

    psi = omega_s/T (t^2/2 + (T/2 pi)^2 (cos(2 pi t/T) - 1)),       psi' = omega_s from T on.

The speed passes the first frequency of the beam at rest. A linear elastic body in a rotating frame
diverges there; with the stress of the centrifugal force the tip lags behind, comes back, and stays.
Data of Simo and Vu-Quoc (1988), example 5.1: EA = 2.8e7 N, EI = 1.4e4 N m^2, rho A = 1.2 kg/m,
rho I = 6e-4 kg m, L = 10 m. A square bar with nu = 0 has exactly these values.
"""

from dataclasses import dataclass, replace
from math import cos, pi, sin, sqrt

import numpy as np

import fecontact as fc


@dataclass(frozen=True)
class SpinUp(fc.Parameters):
    """Simo and Vu-Quoc (1988), example 5.1, as a square bar."""

    length: float = fc.quantity(10.0, "m", fc.POSITIVE)
    area: float = fc.quantity(0.006, "m^2", fc.POSITIVE)
    young: float = fc.quantity(2.8e7 / 0.006, "Pa", fc.POSITIVE)
    density: float = fc.quantity(200.0, "kg/m^3", fc.POSITIVE)
    speed: float = fc.quantity(6.0, "rad/s", fc.POSITIVE)
    duration: float = fc.quantity(15.0, "s", fc.POSITIVE)
    modes: int = fc.quantity(10, "", fc.at_least(2), numerical=True)
    cells: int = fc.quantity(24, "", fc.at_least(4), numerical=True)
    step: float = fc.quantity(0.02, "s", fc.POSITIVE, numerical=True)
    unit = fc.derived(
        "sqrt(EI / (rho A L^4)) in rad/s",
        lambda p: sqrt(p.young * p.area / 12.0 / p.density) / p.length**2,
    )
    extension = fc.derived(
        "steady extension of the beam in m",
        lambda p: p.density * p.speed**2 * p.length**3 / (3.0 * p.young),
    )


STEADY = fc.References("""
    extension | steady extension of the beam | p.extension | m | 2e-3 rel | rho Omega^2 L^3 / (3 E)
    lag       | first lag frequency at the final speed |  | rad/s | 1e-3 rel
    flap      | first flap frequency at the final speed |  | rad/s | 1e-3 rel
    *         | power series, Wright et al. 1982
""")
MANOEUVRE = fc.References("""
    order | order of the difference between hinge with drive and prescribed frame | 2.0 | | 0.1
        | same motion, method of order 2
    lag | largest lag of the tip | | m
    difference | largest difference of the tip deflection | 0.0 | m
    soft | largest lag without geometric stiffness over that with it | >= 2.0 | |
        | Kane, Ryan, Banerjee 1987: the linear theory diverges | trend; fixed
    * | rotating Euler-Bernoulli beam by polynomials | cross_method
""")


def law(p: SpinUp) -> fc.MotionFunction:
    """Angle of the hub over time."""
    a, T, w = p.speed / p.duration, p.duration, 2.0 * pi / p.duration

    return fc.MotionFunction(
        lambda t: p.speed * (t - T / 2) if t >= T else a * (t**2 / 2 + (cos(w * t) - 1) / w**2),
        lambda t: p.speed if t >= T else a * (t - sin(w * t) / w),
        lambda t: 0.0 if t >= T else a * (1.0 - cos(w * t)),
    )


def beam(p: SpinUp) -> fc.ReducedModel:
    """Clamped bar: vibration modes, and the shapes of loads on its tip."""
    side = sqrt(p.area)
    mesh = fc.block(p.length, side, side, cells=(p.cells, 1, 1)).translated(
        (0, -side / 2, -side / 2)
    )
    material = fc.Material(p.young, 0.0, p.density)
    solid = fc.ElasticSolid(mesh, material, supports={"x_min": "clamped"})
    # layer=0: the pull on the tip counts, although bending is far softer
    loads = {"x_max": fc.PolynomialLoads(0)}
    return fc.reduce_model(solid, "x_max", modes=p.modes, loads=loads, layer=0.0)


def spun_up(p: SpinUp, model: fc.ReducedModel, t_end: float, stiffening: bool = True) -> fc.Result:
    """Manoeuvre in a frame of prescribed motion."""
    frame = fc.TurningFrame((0.0, 0.0, 1.0), law(p))
    body = fc.ElasticBody("beam", model, frame=frame, geometric_stiffness=stiffening)
    system = fc.System([body])
    return fc.simulate(system, t_end, system.rest(), step=p.step, output=0.1)


def hinged(p: SpinUp, model: fc.ReducedModel, t_end: float) -> fc.Result:
    """Manoeuvre with a hinge at the clamped face and a prescribed angle: a DAE."""
    body = fc.ElasticBody("beam", model)
    hinge = fc.Revolute(None, body, point_b=(0.0, 0.0, 0.0), axis="z", name="hub")
    system = fc.System([body], [hinge, fc.PrescribedMotion(hinge.angle, law(p))])
    return fc.simulate(system, t_end, system.rest(), step=p.step, output=0.1)


def deflection(p: SpinUp, motion: fc.Result) -> fc.Floats:
    """Deflection (k,) of the tip across the hub's direction."""
    body, hub = motion.system.bodies[0], law(p)
    assert isinstance(body, fc.ElasticBody)
    marker, values = body.marker("x_max"), []
    for i, t in enumerate(motion.t):
        tip = marker.at(motion.q[i], motion.v[i], float(t)).position
        angle = hub.value(float(t))
        values.append(tip[1] * cos(angle) - tip[0] * sin(angle))
    return np.array(values)


def main(run: fc.Run[SpinUp]) -> None:
    """Steady rotation, two ways to drive the hub, the manoeuvre."""
    p, model = run.parameters, beam(run.parameters)
    body = fc.ElasticBody("beam", model, frame=fc.TurningFrame((0.0, 0.0, 1.0), p.speed))
    system = fc.System([body])
    state = fc.steady_state(system).state
    tip = body.marker("x_max").at(state.q, state.v, 0.0).position
    omega = 2.0 * pi * fc.complex_modes(fc.linearise(system, state)).frequency[:2]
    series, speed = fc.reference.rotating_cantilever_frequencies, p.speed / p.unit
    computed = {
        "extension": tip[0] - p.length,
        "lag": (omega[0], p.unit * series(speed, 1, motion="lag")[0]),
        "flap": (omega[1], p.unit * series(speed, 1, motion="flap")[0]),
    }
    run.compare(STEADY, computed)
    motion = spun_up(p, model, p.duration * (0.6 if run.quick else 4.0 / 3.0))
    run.audit(motion)
    t, w, hub = motion.t, deflection(p, motion), law(p)
    exact = fc.reference.spin_up_deflection(p.length, p.unit, hub.rate, hub.acceleration, t)
    lowest, soft = exact.min(), np.full_like(w, np.nan)
    short = deflection(p, spun_up(p, model, 0.6 * p.duration, stiffening=False))
    soft[: len(short)] = short
    gaps = [two_ways(replace(p, step=factor * p.step), model) for factor in (1.0, 0.5)]
    computed = {
        "order": np.log2(gaps[0] / gaps[1]),
        "lag": (w.min(), lowest),
        "difference": np.abs(w - exact).max(),
        "soft": np.nanmax(np.abs(soft)) / np.abs(w).max(),
    }
    about = (lowest / p.length) ** 2 * abs(lowest)  # the beam is of first order in w
    run.compare(MANOEUVRE, computed, tolerances={"lag": about, "difference": 2.0 * about})
    shown = np.where(np.abs(soft) < 4.0 * abs(lowest), soft, np.nan)
    curves = {"beam theory": exact, "without geometric stiffness": shown}
    axes = ("time / s", "deflection of the tip / m")
    run.figure("spin_up", fc.view.curves_plot(t, curves, *axes, dots={"elastic body": w}))


def two_ways(p: SpinUp, model: fc.ReducedModel) -> float:
    """Difference of a prescribed frame and a hinge with drive: the error of the integrator."""
    end = 0.1 * p.duration
    w, joined = deflection(p, spun_up(p, model, end)), deflection(p, hinged(p, model, end))
    return float(np.abs(joined - w).max() / np.abs(w).max())


VERIFIES = ("Simo, Vu-Quoc spin-up manoeuvre", "Kane, Ryan, Banerjee divergence without stiffening")
CASE = fc.Case(__doc__, VERIFIES, SpinUp(), main, quick_s=7)

if __name__ == "__main__":
    CASE.main(__file__)
