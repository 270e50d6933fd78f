"""Creep of a rigid ball on a viscoelastic half space (Keppler 4.1.2, example 4.4).

The material is a standard linear solid. Three equations for the approach are compared: that of Lee
and Radok, the hereditary integral of the source, and its derivative as printed, which lacks a term.
Only the first ends at the elastic contact of the slow modulus. A layer of the same material
on the contact surface creeps in the same way.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.integrate import quad, solve_ivp

from fecontact.case import Case, Parameters, Run, main, quantity
from fecontact.contact.laws.solid_layer import SolidLayer
from fecontact.errors import POSITIVE
from fecontact.reference.viscoelastic import LAWS, HertzCreep
from fecontact.view import plots

END = 3.0
"""Time in s under the growing load."""
ETAS = (1e3, 1e4, 1e5)
"""Viscosities in Pa s."""


@dataclass(frozen=True)
class Creep(Parameters):
    """Values of the source; the printed set of viscosities is lost, those of `ETAS` replace it."""

    fast_modulus: float = quantity(25e3, "Pa", POSITIVE)
    modulus: float = quantity(25e3, "Pa", POSITIVE)
    viscosity: float = quantity(1e4, "Pa s", POSITIVE)
    radius: float = quantity(0.02, "m", POSITIVE)
    force: float = quantity(10.0, "N", POSITIVE)

    @property
    def ball(self) -> HertzCreep:
        """Ball on the incompressible solid."""
        return HertzCreep(self.fast_modulus, self.modulus, self.viscosity, 0.5, self.radius)


def constant_load(run: Run[Creep]) -> None:
    """Start and end of the creep."""
    p, ball = run.parameters, run.parameters.ball
    late = np.array([100.0 / ball.alpha])
    fast = ball.elastic(p.force, p.fast_modulus + p.modulus)
    run.check("approach of the fast elastic contact", fast, 8.58536e-3, unit="m",
              tolerance=1e-8, kind="digest", source="Keppler, example 4.4")  # fmt: skip
    for law, end in zip(LAWS, (1.362840e-2, 1.717071e-2, 8.58536e-3), strict=True):
        run.check("final approach", float(ball.constant_load(late, p.force, law)[0]), end, unit="m",
                  tolerance=1e-8, kind="digest", source="Keppler, example 4.4",
                  method=law)  # fmt: skip
    run.check("final approach", float(ball.constant_load(late, p.force)[0]),
              ball.elastic(p.force, p.modulus), unit="m", tolerance=1e-9, kind="closed_form",
              source="elastic Hertz contact of E_2", method="lee-radok", formula=True)  # fmt: skip


def ramp(run: Run[Creep]) -> None:
    """F = 10 N (1 - exp(-t)) for 3 s."""
    p, ball = run.parameters, run.parameters.ball
    for law, reference in (("corrected", 1.588245e-2), ("printed", 8.29798e-3)):
        run.check("approach after 3 s of the growing load", grown(p, ball, law), reference,
                  unit="m", tolerance=2e-6, kind="digest", source="Keppler, example 4.4",
                  method=law)  # fmt: skip


def viscosities(run: Run[Creep]) -> None:
    """Three viscosities: time constant, and the growing load by hereditary integrals."""
    p = run.parameters
    for eta in ETAS:
        ball = replace(p, viscosity=eta).ball
        run.check(f"eta = {eta:g} Pa s: time constant", 1.0 / ball.alpha, eta / 12500.0, unit="s",
                  tolerance=1e-9 * eta, kind="digest", source="Keppler, example 4.4",
                  varied=["viscosity"])  # fmt: skip
        for law in ("lee-radok", "corrected"):
            run.check(f"eta = {eta:g} Pa s: approach after 3 s of the growing load",
                      grown(p, ball, law), hereditary(p, ball, law), unit="m", tolerance=1e-7,
                      kind="closed_form", source="hereditary integral, Keppler (4.28)", method=law,
                      formula=True)  # fmt: skip


def grown(p: Creep, ball: HertzCreep, law: str) -> float:
    """Approach in m after 3 s of F = F_0 (1 - exp(-t)), by the differential equation."""
    found = solve_ivp(
        lambda t, y: [ball.rate(y[0], -p.force * np.expm1(-t), p.force * np.exp(-t), law)],
        (0.0, END), [0.0], method="LSODA", rtol=1e-9, atol=1e-14,
    )  # fmt: skip
    return float(found.y[0, -1] ** (2 / 3 if law == "lee-radok" else 1.0))


def hereditary(p: Creep, ball: HertzCreep, law: str) -> float:
    """The same by quadrature of int K(END - s) d(F^n)/ds ds, n = 1 or 2/3.

    "lee-radok" has n = 1 and gives delta^(3/2), "corrected" n = 2/3 and delta. With s = u^3 the
    start of F^(2/3) is smooth.
    """
    n = 1.0 if law == "lee-radok" else 2.0 / 3.0

    def rate(u: float) -> float:
        s = u**3
        slope = n * (-np.expm1(-s)) ** (n - 1.0) * np.exp(-s) * 3.0 * u**2 if u > 0.0 else 0.0
        return float(ball.creep(END - s)) * slope

    E = p.fast_modulus + p.modulus
    total = quad(rate, 0.0, END ** (1 / 3), limit=200)[0] * E
    return float(ball.elastic(p.force, E) * total ** (2 / 3 if law == "lee-radok" else 1.0))


def layer(run: Run[Creep]) -> None:
    """Layer of 10 mm of the same solid under constant pressure, in time steps."""
    p = run.parameters
    thickness, pressure = 0.01, 1e3
    tau = p.viscosity / p.fast_modulus
    law = SolidLayer(p.modulus / thickness, p.fast_modulus / thickness, tau)
    steps = 200 if run.quick else 2000
    end = 2.0 / law.recovery_rate
    h, zero = end / steps, np.zeros(1)
    d = np.array([pressure / (law.stiffness + law.fast_stiffness)])
    z = zero
    for _ in range(steps):
        trial = law.step(z, -d, -d, zero, h)
        moved = d + (trial.pressure - pressure) / trial.by_gap  # linear while it is closed
        z = law.step(z, -d, -moved, zero, h).z
        d = moved
    exact = pressure * float(law.creep(end))
    run.check("compression of a layer under constant pressure", float(d[0]), exact, unit="m",
              tolerance=(2e-3 if run.quick else 2e-4) * exact, kind="closed_form",
              source="creep function, Keppler (4.16)", formula=True)  # fmt: skip


def run(run: Run[Creep]) -> None:
    """Creep, ramp, viscosities, layer, figure."""
    p, ball = run.parameters, run.parameters.ball
    constant_load(run)
    ramp(run)
    viscosities(run)
    layer(run)
    t = np.linspace(0.0, 5.0 / ball.alpha, 300)
    curves = {law: 1e3 * ball.constant_load(t, p.force, law) for law in LAWS}
    curves["elastic, E_2"] = np.full_like(t, 1e3 * ball.elastic(p.force, p.modulus))
    for eta in (eta for eta in ETAS if eta != p.viscosity):
        other = replace(p, viscosity=eta).ball
        curves[f"lee-radok, {eta:g} Pa s"] = 1e3 * other.constant_load(t, p.force)
    figure = plots.curves_plot(t, curves, "time / s", "approach / mm", from_zero=True)
    plots.save(figure, run.path("creep.png"))


CASE = Case(
    title="creep of a Hertz contact on a standard linear solid: three equations, and a layer",
    proves=("Keppler T17",),
    parameters=Creep(),
    run=run,
    quick_s=1,
)

if __name__ == "__main__":
    raise SystemExit(main(CASE, __file__))
