"""Spin-up of a flexible beam: centrifugal stiffening (Kane, Ryan, Banerjee 1987; Simo, Vu-Quoc).

A cantilever on a turning hub is brought from rest to omega_s within T,

    psi = omega_s/T (t^2/2 + (T/2 pi)^2 (cos(2 pi t/T) - 1)),       psi' = omega_s from T on.

The speed passes the first frequency of the beam at rest. A linear elastic body in a rotating frame
diverges there; with the stress of the centrifugal force the tip lags behind, comes back, and stays.
Data of Simo and Vu-Quoc (1988), example 5.1: EA = 2.8e7 N, EI = 1.4e4 N m^2, rho A = 1.2 kg/m,
rho I = 6e-4 kg m, L = 10 m. A square bar with nu = 0 has exactly these values.
"""

from dataclasses import dataclass
from math import pi, sqrt

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
    hub = fc.derived("angle of the hub over time", lambda p: fc.RunUp(p.speed, p.duration))
    extension = fc.derived(
        "steady extension of the beam in m",
        lambda p: p.density * p.speed**2 * p.length**3 / (3.0 * p.young),
    )


REFERENCES = fc.References("""
    extension  | steady extension of the beam | p.extension | m | 2e-3 rel | rho Omega^2 L^3 / (3 E)
    lag        | first lag frequency at the final speed  |  | rad/s | 1e-3 rel
    flap       | first flap frequency at the final speed |  | rad/s | 1e-3 rel
    *          | power series, Wright et al. 1982
    lowest     | largest lag of the tip                  |     | m
    difference | largest difference of the tip deflection | 0.0 | m
    *          | rotating Euler-Bernoulli beam by polynomials | cross_method
    soft       | largest lag without geometric stiffness over that with it | >= 2.0
    *          | Kane, Ryan, Banerjee 1987: the linear theory diverges | trend; fixed
""")


def beam(p: SpinUp) -> fc.ReducedModel:
    """Clamped bar: vibration modes, and the shapes of loads on its tip."""
    side = sqrt(p.area)
    mesh = fc.block(p.length, side, side, cells=(p.cells, 1, 1))
    mesh = mesh.translated((0, -side / 2, -side / 2))
    material = fc.Material(p.young, 0.0, p.density)
    solid = fc.ElasticSolid(mesh, material, supports={"x_min": "clamped"})
    # layer=0: the pull on the tip counts, although bending is far softer
    loads = {"x_max": fc.PolynomialLoads(0)}
    return fc.reduce_model(solid, "x_max", modes=p.modes, loads=loads, layer=0.0)


def spun_up(p: SpinUp, model: fc.ReducedModel, t_end: float, stiffening: bool = True) -> fc.Result:
    """Manoeuvre in a frame of prescribed motion."""
    frame = fc.TurningFrame((0.0, 0.0, 1.0), p.hub)
    system = fc.System([fc.ElasticBody("beam", model, frame=frame, geometric_stiffness=stiffening)])
    return fc.simulate(system, t_end, system.rest(), step=p.step, output=0.1)


def deflection(p: SpinUp, motion: fc.Result) -> fc.Floats:
    """Deflection (k,) of the tip across the hub's direction."""
    x, y, _ = motion.path(motion.system.bodies[0], "x_max").T
    angle = np.array([p.hub.value(t) for t in motion.t])
    return y * np.cos(angle) - x * np.sin(angle)


def main(run: fc.Run[SpinUp]) -> None:
    """Steady rotation, and the manoeuvre with and without geometric stiffness."""
    p, model = run.parameters, beam(run.parameters)
    body = fc.ElasticBody("beam", model, frame=fc.TurningFrame((0.0, 0.0, 1.0), p.speed))
    system = fc.System([body])
    state = fc.steady_state(system).state
    tip = body.marker("x_max").at(state.q, state.v, 0.0).position
    omega = 2.0 * pi * fc.complex_modes(fc.linearise(system, state)).frequency[:2]
    series, speed = fc.reference.rotating_cantilever_frequencies, p.speed / p.unit
    run.row(REFERENCES, "extension", tip[0] - p.length)
    for name, found in zip(("lag", "flap"), omega, strict=True):
        run.row(REFERENCES, name, found, p.unit * series(speed, 1, motion=name)[0])
    motion = spun_up(p, model, p.duration * (0.6 if run.quick else 4.0 / 3.0))
    run.audit(motion)
    t, w, soft = motion.t, deflection(p, motion), np.full(len(motion), np.nan)
    exact = fc.reference.spin_up_deflection(p.length, p.unit, p.hub.rate, p.hub.acceleration, t)
    lowest = exact.min()
    about = (lowest / p.length) ** 2 * abs(lowest)  # the beam is of first order in w
    short = deflection(p, spun_up(p, model, 0.6 * p.duration, stiffening=False))
    soft[: len(short)] = short
    run.row(REFERENCES, "lowest", w.min(), lowest, about)
    run.row(REFERENCES, "difference", np.abs(w - exact).max(), tolerance=2.0 * about)
    run.row(REFERENCES, "soft", np.nanmax(np.abs(soft)) / np.abs(w).max())
    shown = np.where(np.abs(soft) < 4.0 * abs(lowest), soft, np.nan)
    curves = {"beam theory": exact, "without geometric stiffness": shown}
    axes = ("time / s", "deflection of the tip / m")
    run.figure("spin_up", fc.view.curves_plot(t, curves, *axes, dots={"elastic body": w}))


VERIFIES = ("Simo, Vu-Quoc spin-up manoeuvre", "Kane, Ryan, Banerjee divergence without stiffening")
CASE = fc.Case(__doc__, VERIFIES, SpinUp(), main, quick_s=7)

if __name__ == "__main__":
    CASE.main(__file__)
