"""Spin-up of a flexible beam: centrifugal stiffening (Kane, Ryan, Banerjee 1987; Simo, Vu-Quoc).

A cantilever on a turning hub is brought from rest to omega_s within T,

    psi = omega_s/T (t^2/2 + (T/2 pi)^2 (cos(2 pi t/T) - 1)),       psi' = omega_s from T on.

The speed passes the first frequency of the beam at rest. A linear elastic body in a rotating frame
diverges there; with the stress of the centrifugal force the tip lags behind, comes back, and stays.
Data of Simo and Vu-Quoc (1988), example 5.1: EA = 2.8e7 N, EI = 1.4e4 N m^2, rho A = 1.2 kg/m,
rho I = 6e-4 kg m, L = 10 m. A square bar with nu = 0 has exactly these values.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import cos, pi, sin, sqrt

import numpy as np
import scipy.linalg as la
from numpy.polynomial import Polynomial
from scipy.integrate import solve_ivp

import fecontact as fc

POLYNOMIALS, SHAPES = 10, 4
"""Of the beam that the solid is compared with."""


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

    @property
    def unit(self) -> float:
        """Return sqrt(EI / (rho A L^4)) in rad/s."""
        return sqrt(self.young * self.area / 12.0 / self.density) / self.length**2


def law(p: SpinUp) -> fc.MotionFunction:
    """Angle of the hub over time."""
    a, T, w = p.speed / p.duration, p.duration, 2.0 * pi / p.duration

    def angle(t: float) -> float:
        if t >= T:
            return p.speed * (t - 0.5 * T)
        return a * (0.5 * t**2 + (cos(w * t) - 1.0) / w**2)

    return fc.MotionFunction(
        angle,
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


def main(run: fc.Run[SpinUp]) -> None:
    """Steady rotation, two ways to drive the hub, the manoeuvre."""
    model = beam(run.parameters)
    steady(run, model)
    two_ways(run, model)
    manoeuvre(run, model)


def steady(run: fc.Run[SpinUp], model: fc.ReducedModel) -> None:
    """Extension and lowest frequencies at the final speed."""
    p = run.parameters
    body = fc.ElasticBody("beam", model, frame=fc.TurningFrame((0.0, 0.0, 1.0), p.speed))
    system = fc.System([body])
    state = fc.steady_state(system).state
    tip = body.marker("x_max").at(state.q, state.v, 0.0).position
    extension = p.density * p.speed**2 * p.length**3 / (3.0 * p.young)
    run.check("steady extension of the beam", float(tip[0] - p.length), extension, unit="m",
              tolerance=2e-3 * extension, kind="closed_form", source="rho Omega^2 L^3 / (3 E)",
              formula=True)  # fmt: skip
    omega = 2.0 * pi * fc.complex_modes(fc.linearise(system, state)).frequency[:2]
    speed = p.speed / p.unit
    for name, found in zip(("lag", "flap"), omega, strict=True):
        exact = p.unit * fc.reference.rotating_cantilever_frequencies(speed, 1, motion=name)[0]
        run.check(f"first {name} frequency at the final speed", float(found), float(exact),
                  unit="rad/s", tolerance=1e-3 * exact, kind="closed_form",
                  source="power series, Wright et al. 1982", formula=True)  # fmt: skip


def ritz(p: SpinUp, t: fc.Floats) -> fc.Floats:
    """Tip deflection (k,) of the Euler-Bernoulli beam in the same manoeuvre.

        rho A (w'' + psi'' x - psi'^2 w) + EI w'''' - psi'^2 (N w')' = 0,  N = rho A (L^2 - x^2)/2,

    by the lowest bending shapes, which are formed of polynomials. The equation is of first order in
    w, so its error is of the order (w/L)^2.
    """
    powers = [Polynomial([0.0, 0.0, *[0.0] * i, 1.0]) for i in range(POLYNOMIALS)]

    def products(order: int, weight: Polynomial) -> fc.Floats:
        fields = [power.deriv(order) if order else power for power in powers]
        return np.array([[(weight * a * b).integ()(1.0) for b in fields] for a in fields])

    one, x = Polynomial([1.0]), Polynomial([0.0, 1.0])
    squares, shapes = la.eigh(products(2, one), products(0, one))
    squares, shapes = squares[:SHAPES] * p.unit**2, shapes[:, :SHAPES]
    tension = shapes.T @ products(1, Polynomial([0.5, 0.0, -0.5])) @ shapes
    euler = np.array([(x * power).integ()(1.0) for power in powers]) @ shapes
    hub = law(p)

    def rate(time: float, y: fc.Floats) -> fc.Floats:
        a, speed = y[:SHAPES], hub.rate(time)
        force = -squares * a - speed**2 * (tension @ a - a) - hub.acceleration(time) * euler
        return np.concatenate([y[SHAPES:], force])

    start = np.zeros(2 * SHAPES)
    answer = solve_ivp(rate, (0.0, t[-1]), start, "DOP853", t, rtol=1e-7, atol=1e-9)
    return p.length * np.asarray(shapes.sum(axis=0) @ answer.y[:SHAPES])


def spun_up(
    p: SpinUp, model: fc.ReducedModel, t_end: float, stiffening: bool = True
) -> fc.Trajectory:
    """Manoeuvre in a frame of prescribed motion."""
    frame = fc.TurningFrame((0.0, 0.0, 1.0), law(p))
    body = fc.ElasticBody("beam", model, frame=frame, geometric_stiffness=stiffening)
    system = fc.System([body])
    return fc.simulate(system, t_end, system.rest(), step=p.step, output=0.1)


def hinged(p: SpinUp, model: fc.ReducedModel, t_end: float) -> fc.Trajectory:
    """Manoeuvre with a hinge at the clamped face and a prescribed angle: a DAE."""
    body = fc.ElasticBody("beam", model)
    hinge = fc.Revolute(None, body, point_b=(0.0, 0.0, 0.0), axis="z", name="hub")
    system = fc.System([body], [hinge, fc.PrescribedMotion(hinge.angle, law(p))])
    return fc.simulate(system, t_end, system.rest(), step=p.step, output=0.1)


def deflection(p: SpinUp, motion: fc.Trajectory) -> fc.Floats:
    """Deflection (k,) of the tip across the hub's direction."""
    body, hub = motion.system.bodies[0], law(p)
    assert isinstance(body, fc.ElasticBody)
    marker, values = body.marker("x_max"), []
    for i, t in enumerate(motion.t):
        tip = marker.at(motion.q[i], motion.v[i], float(t)).position
        angle = hub.value(float(t))
        values.append(tip[1] * cos(angle) - tip[0] * sin(angle))
    return np.array(values)


def two_ways(run: fc.Run[SpinUp], model: fc.ReducedModel) -> None:
    """Prescribed frame, and hinge with drive: they differ by the error of the integrator only."""
    gaps = []
    for p in (run.parameters, replace(run.parameters, step=0.5 * run.parameters.step)):
        t_end = 0.1 * p.duration
        w, joined = deflection(p, spun_up(p, model, t_end)), deflection(p, hinged(p, model, t_end))
        gaps.append(float(np.abs(joined - w).max() / np.abs(w).max()))
    run.check("order of the difference between hinge with drive and prescribed frame",
              float(np.log2(gaps[0] / gaps[1])), 2.0, tolerance=0.1, kind="cross_method",
              source="same motion, method of order 2", formula=True)  # fmt: skip


def manoeuvre(run: fc.Run[SpinUp], model: fc.ReducedModel) -> None:
    """Tip deflection against beam theory, with and without geometric stiffness."""
    p = run.parameters
    t_end = p.duration * (0.6 if run.quick else 4.0 / 3.0)
    motion = spun_up(p, model, t_end)
    run.audit(motion)
    w, exact = deflection(p, motion), ritz(p, motion.t)
    lowest = float(exact.min())
    run.check("largest lag of the tip", float(w.min()), lowest, unit="m",
              tolerance=(lowest / p.length) ** 2 * abs(lowest), kind="cross_method",
              source="rotating Euler-Bernoulli beam by polynomials", formula=True)  # fmt: skip
    run.check("largest difference of the tip deflection", float(np.abs(w - exact).max()), 0.0,
              unit="m", tolerance=2.0 * (lowest / p.length) ** 2 * abs(lowest), kind="cross_method",
              source="rotating Euler-Bernoulli beam by polynomials", formula=True)  # fmt: skip
    soft = np.full_like(w, np.nan)
    short = deflection(p, spun_up(p, model, 0.6 * p.duration, stiffening=False))
    soft[: len(short)] = short
    run.check("largest lag without geometric stiffness over that with it",
              float(np.nanmax(np.abs(soft)) / np.abs(w).max()), 2.0, relation="ge", kind="trend",
              source="Kane, Ryan, Banerjee 1987: the linear theory diverges")  # fmt: skip
    shown = np.where(np.abs(soft) < 4.0 * abs(lowest), soft, np.nan)
    figure = fc.view.curves_plot(
        motion.t,
        {"beam theory": exact, "without geometric stiffness": shown},
        "time / s",
        "deflection of the tip / m",
        dots={"elastic body": w},
    )
    run.figure("spin_up", figure)


CASE = fc.Case(
    title="spin-up of a flexible beam: centrifugal stiffening",
    verifies=(
        "Simo, Vu-Quoc spin-up manoeuvre",
        "Kane, Ryan, Banerjee divergence without stiffening",
    ),
    parameters=SpinUp(),
    run=main,
    quick_s=7,
)

if __name__ == "__main__":
    CASE.main(__file__)
