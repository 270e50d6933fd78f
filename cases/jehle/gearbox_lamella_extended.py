"""Gearbox with an elastic clutch plate beyond the source: surface contact, both plates elastic.

The operating points of `gearbox_lamella` that grow: III at j_1 = 0.3, IVa at j_1 = 0.05 and IVb.
The source has a lamella of one radial function, line contact and a rigid disc on the input shaft,
and names the rest as open.

- Finite elements instead of the Ritz plate: exact frequencies of the lamella, and a basis that is
  converged under the load of the contact.
- Surface contact: a facing of the width b with the same stiffness in total; the line with b^2.
- Both plates elastic: the disc of the input shaft is a light lamella, clamped to the shaft
  (`SpinningDisc` on a `Hub`), with the same mass and inertia in total; the rigid disc with 1/E.

References are these limits, the exact plate, and integration in time of a small disturbance.

The umbrella mode of the Ritz plate is 3 % too high; without that error IVa grows ten times faster,
III and IVb change little. A facing of 20 mm leaves III, halves IVa and stops IVb, from 11 mm on.
The elastic disc slows III by a quarter, doubles the growth of IVa and stops IVb, at less than half
of its compliance. With facing and elastic disc together IVb is back, 40 Hz lower, and whatever the
inertia: the shaft hardly turns in it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import pi, tan

import numpy as np

import fecontact as fc

disc = fc.load_module("jehle/elastic_disc_extended")
line = fc.load_module("jehle/gearbox_lamella")
SMALL = 1e-8
"""Largest displacement of the small disturbance in m, or angle in rad."""


@dataclass(frozen=True)
class Extended(line.LamellaGearbox, disc.Extended):
    """Jehle's data, set of IVb; the facing is ours, and the lamella of carbon fibre."""

    basis: str = fc.quantity("FE", "", fc.one_of(["Ritz", "FE"]))
    lamella_inner: float = fc.quantity(0.08, "m", fc.POSITIVE)
    lamella_outer: float = fc.quantity(0.112, "m", fc.POSITIVE)
    lamella_thickness: float = fc.quantity(0.0016, "m", fc.POSITIVE)
    lamella_young: float = fc.quantity(140e9, "Pa", fc.POSITIVE)
    lamella_density: float = fc.quantity(1600.0, "kg/m^3", fc.POSITIVE)


REFERENCES = fc.References("""
    lamella   | lamella |    | Hz | 1e-05 rel | Bessel determinant
    lamella_2 | lamella | >= | Hz |           | Rayleigh: from above
    finer  | {}: change of the eigenvalue with a finer basis             | 0.0  | 1/s
        |      | finer basis | cross_method
    facing | {}, facing of 4 mm: distance to the line, over that of 8 mm | 0.25 |     | 0.02
        | second order in the width
    stiff  | {}, 1000 E: distance to the rigid disc, over that of 100 E  | 0.1  |     | 0.005
        | first order in 1/E
""")


def kinds(p: Extended) -> dict[str, Extended]:
    """Parameters at which each kind of instability grows, see `gearbox_lamella`."""
    thick = line.thick(p)
    return {
        "III": replace(thick, inertia_ratio=0.3, slope=0.1),
        "IVa": replace(thick, inertia_ratio=0.05, slope=tan(pi / 10)),
        "IVb": p,
    }


def surface_contact(p: Extended) -> fc.System:
    """Rigid disc on the input shaft, with a facing of finite width."""
    shaft, facing, law = line.rigid_shaft(p), p.facing, fc.CoulombSliding(p.friction)
    face, spring = fc.PlateFace(line.lamella(p)), disc.normal(p, facing)
    return line.geared(p, shaft, fc.ContactPair(shaft, facing, face, spring, law, "clutch"))


def both_elastic(p: Extended, stiffer: float = 1.0, surface: fc.Surface | None = None) -> fc.System:
    """Elastic disc on the input shaft, Young's modulus times a factor; by default line contact."""
    model = disc.lamella(p, stiffer)
    mass, inertia = p.clutch_mass - model.plate.total_mass, p.inertia - model.plate.polar_inertia
    shaft = fc.SpinningDisc("input shaft", model, hub=fc.Hub(mass, inertia), spin="free")
    return line.geared(p, shaft, disc.between(p, shaft, surface or p.circle, line.lamella(p)))


def all_extensions(p: Extended) -> fc.System:
    """Facing of finite width between two elastic plates."""
    return both_elastic(p, 1.0, p.facing)


def leading(system: fc.System) -> complex:
    """Eigenvalue in 1/s that grows fastest, friction of sliding points."""
    modes = fc.operating_point(system).modes
    return complex(modes.eigenvalues[modes.leading])


def main(run: fc.Run[Extended]) -> None:
    """Each extension with its limit, what it does to the instabilities, and in time."""
    chosen = kinds(run.parameters)
    shown = {"IVb": chosen["IVb"]} if run.quick else chosen
    exact_lamella(run)
    for kind, p in shown.items():
        base = leading(line.build(p))
        converged(run, kind, p, base)
        limits(run, kind, p, base)
    over_the_extensions(run, shown)
    if run.quick:
        return
    for kind, p in shown.items():
        what_they_do(run, kind, p)
    over_the_inertia(run)
    in_time(run, both_elastic(chosen["III"]))


def exact_lamella(run: fc.Run[Extended]) -> None:
    """Lowest frequencies of the lamella at rest: finite elements, and the Ritz plate above."""
    p = run.parameters
    data = p.inner_radius, p.outer_radius, p.thickness, p.young, p.poisson, p.density
    fe, ritz = (line.lamella(replace(p, basis=name)).model for name in ("FE", "Ritz"))
    for k, name in enumerate(("umbrella", "one nodal diameter")):
        exact = float(fc.reference.annular_plate_frequencies(*data, k)[0])
        found, above = (float(model.frequencies_of(k)[0]) / (2 * pi) for model in (fe, ritz))
        run.row(REFERENCES, "lamella", found, exact, label=f"{name}: frequency, FE")
        run.row(REFERENCES, "lamella_2", above, exact, label=f"{name}: frequency, Ritz")


def converged(run: fc.Run[Extended], kind: str, p: Extended, base: complex) -> None:
    """A finer basis of the lamella changes nothing."""
    finer = replace(p, elements=2 * p.elements, modes=p.modes + 2, harmonics=p.harmonics + 1)
    change, error = abs(leading(line.build(finer)) - base), 0.01 * abs(base.real)
    run.row(REFERENCES, "finer", change, tolerance=error, label=kind)


def limits(run: fc.Run[Extended], kind: str, p: Extended, base: complex) -> None:
    """Narrow facings come to the line, stiff lamellae to the rigid disc, with a known order."""
    narrow = [surface_contact(replace(p, facing_width=b)) for b in (0.008, 0.004)]
    stiff = [both_elastic(p, factor) for factor in (1e2, 1e3)]
    for name, systems in {"facing": narrow, "stiff": stiff}.items():
        far, near = (abs(leading(system) - base) for system in systems)
        run.row(REFERENCES, name, near / far, label=kind)


def what_they_do(run: fc.Run[Extended], kind: str, p: Extended) -> None:
    """Note the fastest growth of all models."""
    models = {
        "Ritz": line.build(replace(p, basis="Ritz")),
        "FE": line.build(p),
        f"FE and a facing of {1e3 * p.facing_width:g} mm": surface_contact(p),
        "FE and both plates elastic": both_elastic(p),
        "all extensions": all_extensions(p),
    }
    for words, system in models.items():
        z = leading(system)
        verdict = "stable, slowest decay" if z.real < 0.0 else "grows with"
        run.note(f"{kind}, {words}: {verdict} {z.real:+.2f} 1/s at {z.imag / (2 * pi):.1f} Hz.")


def over_the_extensions(run: fc.Run[Extended], chosen: dict[str, Extended]) -> None:
    """Growth of the modes followed from the line and the rigid disc on."""
    widths = np.linspace(0.001, 0.008 if run.quick else 0.024, 2 if run.quick else 24)
    follow(run, chosen, 1e3 * widths, "facing_width", "width of the facing / mm",
           lambda p, width: surface_contact(replace(p, facing_width=1e-3 * width)))  # fmt: skip
    compliance = np.linspace(0.001, 0.1 if run.quick else 1.0, 2 if run.quick else 24)
    follow(run, chosen, compliance, "lamella_compliance",
           "1/E of the lamella, relative to its data",
           lambda p, soft: both_elastic(p, 1.0 / soft))  # fmt: skip


def follow(
    run: fc.Run[Extended], chosen: dict[str, Extended], values: fc.Floats, name: str, label: str,
    build: Callable[[Extended, float], fc.System],
) -> None:  # fmt: skip
    """Picture of the growth of each kind over a value, relative to that of the limit."""
    curves = {}
    for kind, p in chosen.items():
        branch = fc.Branch(lambda value, p=p: build(p, value))
        first = branch.at(values[0]).modes
        growth = fc.track_modes(branch, values, [first.leading]).growth[:, 0]
        curves[f"{kind}, {first.leading_frequency:.0f} Hz"] = growth / growth[0]
    figure = fc.view.curves_plot(
        values, curves, label, "growth rate, relative to line and rigid disc"
    )
    run.figure(f"{name}", figure)


def over_the_inertia(run: fc.Run[Extended]) -> None:
    """IVb: growth over the inertia of the shaft, of all models."""
    p = run.parameters
    ratios = np.linspace(0.08, 0.4, 33)
    models = {
        "line": line.build,
        f"facing {1e3 * p.facing_width:g} mm": surface_contact,
        "both elastic": both_elastic,
        "all extensions": all_extensions,
    }
    studies = {}
    for name, build in models.items():
        at = lambda ratio, build=build: build(replace(p, inertia_ratio=ratio))  # noqa: E731
        studies[name] = fc.sweep(at, ratios, name)
    figure = fc.view.sweep_plot(studies, "inertia ratio j_1", {"operating point": p.inertia_ratio})
    run.figure("inertia_sweep", figure)


def in_time(run: fc.Run[Extended], system: fc.System) -> None:
    """Both plates elastic, III: growth of a small disturbance by the implicit method."""
    mode = fc.disturbance(system, fc.steady_state(system).state)
    period = 1.0 / mode.frequency
    motions = [
        fc.simulate(system, 0.25 * period, start, "implicit", 0.05 * period,
                 step=period / run.parameters.time_steps, rho_inf=1.0)
        for start in (mode.start(SMALL), mode.steady)
    ]  # fmt: skip
    disc.compare_in_time(run, mode, mode.measured(*motions))


VERIFIES = ("Jehle T22, extensions",)
CASE = fc.Case(__doc__, VERIFIES, Extended(), main, quick_s=6, system=all_extensions)

if __name__ == "__main__":
    CASE.main(__file__)
