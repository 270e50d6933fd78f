"""Classic beams: all end conditions, shear, rotation, buckling.

One beam is run through the textbook: Euler-Bernoulli wave numbers for the ten pairs of free,
pinned, clamped and guided ends; the Timoshenko beam against its frequency equation; the rotating
cantilever against the table of Wright, Smith, Thresher and Wang (1982); Euler's buckling loads.
"""

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la

import fecontact as fc

HELD = {"free": (), "pinned": ("u_z",), "clamped": ("u_z", "theta_y"), "guided": ("theta_y",)}
BLEVINS = {
    ("free", "free"): (4.73004, 7.85320, 10.99561),
    ("free", "pinned"): (3.92660, 7.06858, 10.21018),
    ("free", "clamped"): (1.87510, 4.69409, 7.85476),
    ("free", "guided"): (2.36502, 5.49780, 8.63938),
    ("pinned", "pinned"): (3.14159, 6.28319, 9.42478),
    ("pinned", "clamped"): (3.92660, 7.06858, 10.21018),
    ("pinned", "guided"): (1.57080, 4.71239, 7.85398),
    ("clamped", "clamped"): (4.73004, 7.85320, 10.99561),
    ("clamped", "guided"): (2.36502, 5.49780, 8.63938),
    ("guided", "guided"): (3.14159, 6.28319, 9.42478),
}
WRIGHT = {
    0: (3.5160, 22.0345, 61.6972),
    2: (4.1373, 22.6149, 62.2732),
    4: (5.5850, 24.2734, 63.9668),
    6: (7.3604, 26.8091, 66.6839),
    8: (9.2568, 29.9954, 70.2930),
    10: (11.2023, 33.6404, 74.6493),
    12: (13.1702, 37.6031, 79.6145),
}

EULER = {
    ("clamped", "free"): 0.25,
    ("pinned", "pinned"): 1.0,
    ("clamped", "pinned"): 2.04575,
    ("clamped", "clamped"): 4.0,
}


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
    unit = fc.derived(
        "sqrt(EI/m)/L^2 in rad/s",
        lambda p: float(
            np.sqrt(p.young * p.section.inertia_y / (p.density * p.section.area)) / p.length**2
        ),
    )


PAIR = fc.References("""
    wave | largest deviation of three wave numbers | 0.0 |  | 2e-5
    *    | Blevins 1979, table 8-1 | published; formula; method=Euler-Bernoulli
    frequency | largest error of three frequencies | 0.0 |  | 2e-4
    *         | frequency equation | method=Timoshenko
""")
ROTATING = fc.References("""
    published | rotating cantilever, largest deviation of 21 frequencies | 0.0 |  | 3e-5
        |  | formula
    series    | rotating cantilever, largest error of 21 frequencies     | 0.0 |  | 1e-5
        | power series | closed_form
    *         | Wright et al. 1982, table | published
""")
BUCKLING = fc.References("""
    load | buckling load over Euler's |  |  | 2e-5 rel | Timoshenko and Gere 1961
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
    section = p.section
    EI, m = p.young * section.inertia_y, p.density * section.area
    shear = section.shear_z * p.young / (2.0 * (1.0 + p.poisson)) * section.area
    about = {"shear_stiffness": shear, "rotary_inertia": p.density * section.inertia_y}
    return 2.0 * np.pi * fc.reference.beam_frequencies(p.length, EI, m, left, right, 5, **about)


def buckling_load(p: ClassicBeam, left: str, right: str) -> float:
    """Buckling load over pi^2 EI/L^2."""
    model, EI = beam(p, left, right, "euler_bernoulli"), p.young * p.width * p.height**3 / 12.0
    free = model.free
    K, K_g = (A[free][:, free].toarray() for A in (model.stiffness, model.tension_stiffness(1.0)))
    return 1.0 / la.eigh(K_g, K, eigvals_only=True)[-1] / (np.pi**2 * EI / p.length**2)


def main(run: fc.Run[ClassicBeam]) -> None:
    """Ends, rotation, buckling."""
    p = run.parameters
    for left, right in BLEVINS:
        waves = np.sqrt(bending_frequencies(beam(p, left, right, "euler_bernoulli"), 5) / p.unit)
        closed = shear_flexible(p, left, right)
        omega = bending_frequencies(beam(p, left, right, "timoshenko"), 5)[closed > 0.0]
        computed = {
            "wave": np.abs(waves[waves > 0.5][:3] - BLEVINS[left, right]).max(),
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
    for (left, right), factor in EULER.items():
        load = buckling_load(p, left, right), factor
        run.row(BUCKLING, "load", *load, label=f"{left}-{right}")
    curves = {f"mode {k + 1}": np.array([omega[k] for omega in found.values()]) for k in range(3)}
    dots = {f"Wright, mode {k + 1}": np.array([w[k] for w in WRIGHT.values()]) for k in range(3)}
    axes = "speed / (sqrt(EI/m)/L^2)", "frequency / (sqrt(EI/m)/L^2)"
    run.figure("rotating", fc.view.curves_plot(np.array(list(WRIGHT)), curves, *axes, dots=dots))


VERIFIES = ("Blevins 1979 table 8-1", "Wright 1982 rotating cantilever", "Euler buckling")
CASE = fc.Case(__doc__, VERIFIES, ClassicBeam(), main, quick_s=6)

if __name__ == "__main__":
    CASE.main(__file__)
