"""Creep of a rigid ball on a viscoelastic half space (Keppler 4.1.2, example 4.4).

The material is a standard linear solid. Three equations for the approach are compared: that of Lee
and Radok, the hereditary integral of the source, and its derivative as printed, which lacks a term.
Only the first ends at the elastic contact of the slow modulus. A layer of the same material
on the contact surface creeps in the same way.
"""

from dataclasses import dataclass, replace

import numpy as np

import fecontact as fc

END = 3.0
"""Time in s under the growing load F = F_0 (1 - exp(-t))."""
ETAS = (1e3, 1e4, 1e5)
"""Viscosities in Pa s."""


@dataclass(frozen=True)
class Creep(fc.Parameters):
    """Values of the source; the printed set of viscosities is lost, those of `ETAS` replace it."""

    fast_modulus: float = fc.quantity(25e3, "Pa", fc.POSITIVE)
    modulus: float = fc.quantity(25e3, "Pa", fc.POSITIVE)
    viscosity: float = fc.quantity(1e4, "Pa s", fc.POSITIVE)
    radius: float = fc.quantity(0.02, "m", fc.POSITIVE)
    force: float = fc.quantity(10.0, "N", fc.POSITIVE)
    ball = fc.derived(
        "ball on the incompressible solid",
        lambda p: fc.reference.HertzCreep(p.fast_modulus, p.modulus, p.viscosity, 0.5, p.radius),
    )


NOTES = fc.References("""
    fast | approach of the fast elastic contact | 8.58536e-3 | m | 1e-8
    *    | Keppler 2007, example 4.4 | source_notes
""")
FINAL = fc.References(
    {
        law: fc.Reference("final approach", end, "m", 1e-8, method=law)
        for law, end in zip(fc.reference.LAWS, (1.362840e-2, 1.717071e-2, 8.58536e-3), strict=True)
    },
    source="Keppler 2007, example 4.4",
    kind="source_notes",
)
RAMP = fc.References(
    {
        law: fc.Reference("approach after 3 s of the growing load", end, "m", 2e-6, method=law)
        for law, end in (("corrected", 1.588245e-2), ("printed", 8.29798e-3))
    },
    source="Keppler 2007, example 4.4",
    kind="source_notes",
)
ETA = fc.References("""
    time | time constant |  | s |  | Keppler 2007, example 4.4 | source_notes; varied=viscosity
""")
CLOSED = fc.References("""
    end   | final approach                                 |  | m | 1e-9 |  | method=lee-radok
    layer | compression of a layer under constant pressure |  | m
    *     | elastic contact of E_2; creep function, Keppler 2007, (4.16)
""")
HEREDITARY = fc.References("""
    grown | approach after 3 s of the growing load |  | m | 1e-7
    *     | hereditary integral, Keppler 2007, (4.28)
""")


def layer_of(p: Creep, steps: int) -> tuple[float, float]:
    """Compression of 10 mm of the same solid under constant pressure: time steps, closed form."""
    thickness, pressure = 0.01, 1e3
    tau = p.viscosity / p.fast_modulus
    law = fc.SolidLayer(p.modulus / thickness, p.fast_modulus / thickness, tau)
    end, zero = 2.0 / law.recovery_rate, np.zeros(1)
    h, z = end / steps, zero
    d = np.array([pressure / (law.stiffness + law.fast_stiffness)])
    for _ in range(steps):
        trial = law.step(z, -d, -d, zero, h)
        moved = d + (trial.pressure - pressure) / trial.by_gap  # linear while it is closed
        z = law.step(z, -d, -moved, zero, h).z
        d = moved
    return float(d[0]), pressure * float(law.creep(end))


def main(run: fc.Run[Creep]) -> None:
    """Creep, growing load, viscosities, layer."""
    p, ball, laws = run.parameters, run.parameters.ball, fc.reference.LAWS
    late = np.array([100.0 / ball.alpha])
    ends = {law: ball.constant_load(late, p.force, law)[0] for law in laws}
    run.compare(NOTES, {"fast": ball.elastic(p.force, p.fast_modulus + p.modulus)})
    run.compare(FINAL, ends)
    run.compare(RAMP, {law: ball.growing_load(END, p.force, law) for law in RAMP})
    compressed, exact = layer_of(p, 200 if run.quick else 2000)
    end = (ball.constant_load(late, p.force)[0], ball.elastic(p.force, p.modulus))
    about = {"layer": (2e-3 if run.quick else 2e-4) * exact}
    run.compare(CLOSED, {"end": end, "layer": (compressed, exact)}, tolerances=about)
    t = np.linspace(0.0, 5.0 / ball.alpha, 300)
    curves = {law: 1e3 * ball.constant_load(t, p.force, law) for law in laws}
    curves["elastic, E_2"] = np.full_like(t, 1e3 * ball.elastic(p.force, p.modulus))
    for eta in ETAS:
        other, label = replace(p, viscosity=eta).ball, f"eta = {eta:g} Pa s"
        time = {"time": (1.0 / other.alpha, eta / 12500.0)}
        run.compare(ETA, time, tolerances={"time": 1e-9 * eta}, label=label)
        for law in ("lee-radok", "corrected"):
            pair = (f(END, p.force, law) for f in (other.growing_load, other.hereditary))
            run.compare(HEREDITARY, {"grown": tuple(pair)}, label=label, method=law)
        if eta != p.viscosity:
            curves[f"lee-radok, {eta:g} Pa s"] = 1e3 * other.constant_load(t, p.force)
    figure = fc.view.curves_plot(t, curves, "time / s", "approach / mm", from_zero=True)
    run.figure("creep", figure)


CASE = fc.Case(__doc__, ("Keppler T17",), Creep(), main, quick_s=1)

if __name__ == "__main__":
    CASE.main(__file__)
