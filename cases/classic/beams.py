"""Classic beams: all end conditions, shear, rotation, buckling.

One beam is run through the textbook: Euler-Bernoulli wave numbers for the ten pairs of free,
pinned, clamped and guided ends; the Timoshenko beam against its frequency equation; the rotating
cantilever against the table of Wright, Smith, Thresher and Wang (1982); Euler's buckling loads.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np

import fecontact as fc

HELD = {"free": (), "pinned": ("u_z",), "clamped": ("u_z", "theta_y"), "guided": ("theta_y",)}
WRIGHT = {speed: fc.reference.WRIGHT_1982[speed] for speed in range(0, 13, 2)}


@dataclass(frozen=True)
class ClassicBeam(fc.Parameters):
    """A steel bar; the references hold for any."""

    length: float = fc.quantity(1.0, "m", fc.POSITIVE)
    width: float = fc.quantity(0.04, "m", fc.POSITIVE)
    height: float = fc.quantity(0.05, "m", fc.POSITIVE)
    young: float = fc.quantity(210e9, "Pa", fc.POSITIVE)
    poisson: float = fc.quantity(0.3, "", fc.POISSON)
    density: float = fc.quantity(7800.0, "kg/m^3", fc.POSITIVE)
    elements: int = fc.quantity(64, "", fc.at_least(8), numerical=True)
    section = fc.derived("section", lambda p: fc.Section.rectangle(p.width, p.height))
    bending_stiffness = fc.derived("EI in N m^2", lambda p: p.young * p.section.inertia_y)
    line_mass = fc.derived("m in kg/m", lambda p: p.density * p.section.area)
    unit = fc.derived(
        "sqrt(EI/m)/L^2 in rad/s", lambda p: sqrt(p.bending_stiffness / p.line_mass) / p.length**2
    )


PAIR = fc.References("""
    wave | largest deviation of three wave numbers | 0.0 |  | 2e-5
    *    | Blevins 1979, table 8-1 | published; formula; method=Euler-Bernoulli
    frequency | largest error of three frequencies | 0.0 |  | 2e-4
    *         | frequency equation | method=Timoshenko
""")
ROTATING = fc.References("""
    published | rotating cantilever, largest deviation of 21 frequencies | 0.0 |  | 3e-5
    *         | Wright et al. 1982, table | published; formula
    series    | rotating cantilever, largest error of 21 frequencies     | 0.0 |  | 1e-5
    *         | power series
""")
BUCKLING = fc.References("""
    clamped_free    | buckling load over Euler's, clamped-free    | 0.25    |  | 2e-5 rel
    pinned_pinned   | buckling load over Euler's, pinned-pinned   | 1.0     |  | 2e-5 rel
    clamped_pinned  | buckling load over Euler's, clamped-pinned  | 2.04575 |  | 2e-5 rel
    clamped_clamped | buckling load over Euler's, clamped-clamped | 4.0     |  | 2e-5 rel
    *               | Timoshenko and Gere 1961
""")


def beam(p: ClassicBeam, left: str, right: str, theory: str) -> fc.Beam:
    """Beam in the x-z plane, held along x at its left end."""
    supports = {"left": ("u_x", *HELD[left]), "right": HELD[right]}
    steel = fc.Material(p.young, p.poisson, p.density)
    about = {"elements": p.elements, "theory": theory, "motion": "planar"}
    return fc.straight_beam(p.length, p.section, steel, supports, **about)


def bending_frequencies(model: fc.Beam, count: int, extra: fc.Floats | float = 0.0) -> fc.Floats:
    """Lowest bending frequencies in rad/s."""
    only = model.free[model.free % 3 != 0]
    K = (model.stiffness + extra)[only][:, only]
    return fc.lowest_modes(K, model.mass[only][:, only], count)[0]


def shear_flexible(p: ClassicBeam, left: str, right: str) -> fc.Floats:
    """Lowest five frequencies of the Timoshenko beam in rad/s by the frequency equation."""
    shear = p.section.shear_z * p.young / (2.0 * (1.0 + p.poisson)) * p.section.area
    about = {"shear_stiffness": shear, "rotary_inertia": p.density * p.section.inertia_y}
    bar = p.length, p.bending_stiffness, p.line_mass
    return 2.0 * np.pi * fc.reference.beam_frequencies(*bar, left, right, 5, **about)


def main(run: fc.Run[ClassicBeam]) -> None:
    """Ends, rotation, buckling."""
    p = run.parameters
    for (left, right), printed in fc.reference.BLEVINS_1979.items():
        waves = np.sqrt(bending_frequencies(beam(p, left, right, "euler_bernoulli"), 5) / p.unit)
        closed = shear_flexible(p, left, right)
        omega = bending_frequencies(beam(p, left, right, "timoshenko"), 5)[closed > 0.0]
        computed = {
            "wave": np.abs(waves[waves > 0.5][:3] - printed).max(),
            "frequency": np.abs(omega / closed[closed > 0.0] - 1.0)[:3].max(),
        }
        run.compare(PAIR, computed, label=f"{left}-{right}")
    blade = beam(p, "clamped", "free", "euler_bernoulli")
    tension = p.unit**2 * blade.rotation((0.0, 0.0, 1.0)).geometric
    found = {s: bending_frequencies(blade, 3, s**2 * tension) / p.unit for s in WRIGHT}
    series = {s: fc.reference.rotating_cantilever_frequencies(s, 3) for s in WRIGHT}
    computed = {
        "published": max(np.abs(found[s] / WRIGHT[s] - 1.0).max() for s in WRIGHT),
        "series": max(np.abs(found[s] / series[s] - 1.0).max() for s in WRIGHT),
    }
    run.compare(ROTATING, computed)
    columns = {ends: beam(p, *ends.split("_"), "euler_bernoulli") for ends in BUCKLING}
    euler = np.pi**2 * p.bending_stiffness / p.length**2
    run.compare(BUCKLING, {ends: each.buckling_load() / euler for ends, each in columns.items()})
    curves = {f"mode {k + 1}": np.array([omega[k] for omega in found.values()]) for k in range(3)}
    dots = {f"Wright, mode {k + 1}": np.array([w[k] for w in WRIGHT.values()]) for k in range(3)}
    axes = "speed / (sqrt(EI/m)/L^2)", "frequency / (sqrt(EI/m)/L^2)"
    run.figure("rotating", fc.view.curves_plot(np.array(list(WRIGHT)), curves, *axes, dots=dots))


VERIFIES = ("Blevins 1979 table 8-1", "Wright 1982 rotating cantilever", "Euler buckling")
CASE = fc.Case(__doc__, VERIFIES, ClassicBeam(), main, quick_s=6)

if __name__ == "__main__":
    CASE.main(__file__)
