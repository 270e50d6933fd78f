"""Classic beams: all end conditions, shear, rotation, buckling.

One beam is run through the textbook: Euler-Bernoulli wave numbers for the ten pairs of free,
pinned, clamped and guided ends; the Timoshenko beam against its frequency equation; the rotating
cantilever against the table of Wright, Smith, Thresher and Wang (1982); Euler's buckling loads.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
import scipy.linalg as la

import fecontact as fc

HELD = {
    "free": (),
    "pinned": ("u_z",),
    "clamped": ("u_z", "theta_y"),
    "guided": ("theta_y",),
}
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


def beam(
    p: ClassicBeam, left: str, right: str, theory: str, elements: int | None = None
) -> fc.Beam:
    """Beam in the x-z plane, held along x at its left end."""
    supports = {"left": ("u_x", *HELD[left]), "right": HELD[right]}
    steel = fc.Material(p.young, p.poisson, p.density)
    return fc.straight_beam(
        p.length,
        fc.Section.rectangle(p.width, p.height),
        steel,
        supports,
        elements=elements or p.elements,
        theory=theory,
        motion="planar",
    )


def bending_frequencies(model: fc.Beam, count: int, extra: fc.Floats | float = 0.0) -> fc.Floats:
    """Lowest bending frequencies in rad/s."""
    only = model.free[model.free % 3 != 0]
    K = (model.stiffness + extra)[only][:, only]
    return fc.lowest_modes(K, model.mass[only][:, only], count)[0]


def exact(p: ClassicBeam, left: str, right: str, theory: str, count: int) -> fc.Floats:
    """Frequencies in rad/s by the frequency equation."""
    section = fc.Section.rectangle(p.width, p.height)
    shear = {}
    if theory == "timoshenko":
        G = p.young / (2.0 * (1.0 + p.poisson))
        shear["shear_stiffness"] = section.shear_z * G * section.area
        shear["rotary_inertia"] = p.density * section.inertia_y
    EI, m = p.young * section.inertia_y, p.density * section.area
    return 2.0 * np.pi * fc.reference.beam_frequencies(p.length, EI, m, left, right, count, **shear)


def unit(p: ClassicBeam) -> float:
    """Return sqrt(EI/m)/L^2 in rad/s."""
    section = fc.Section.rectangle(p.width, p.height)
    return float(np.sqrt(p.young * section.inertia_y / (p.density * section.area)) / p.length**2)


def main(run: fc.Run[ClassicBeam]) -> None:
    """Ends, convergence, rotation, buckling."""
    ends(run)
    convergence(run)
    rotating(run)
    buckling(run)


def ends(run: fc.Run[ClassicBeam]) -> None:
    """First three elastic frequencies for all pairs of ends, both theories."""
    p = run.parameters
    for left, right in combinations_with_replacement(fc.reference.BEAM_ENDS, 2):
        omega = bending_frequencies(beam(p, left, right, "euler_bernoulli"), 5)
        waves = np.sqrt(omega / unit(p))
        found = waves[waves > 0.5][:3]
        worst = float(np.abs(found - BLEVINS[left, right]).max())
        run.check(f"largest deviation of three wave numbers, {left}-{right}", worst, 0.0,
                  tolerance=2e-5, kind="published", source="Blevins 1979, table 8-1",
                  method="Euler-Bernoulli", formula=True)  # fmt: skip
        closed = exact(p, left, right, "timoshenko", 5)
        omega = bending_frequencies(beam(p, left, right, "timoshenko"), 5)
        elastic = closed > 0.0
        worst = float(np.abs(omega[elastic] / closed[elastic] - 1.0)[:3].max())
        run.check(f"largest error of three frequencies, {left}-{right}", worst, 0.0,
                  tolerance=2e-4, kind="closed_form", source="frequency equation",
                  method="Timoshenko", formula=True)  # fmt: skip


def convergence(run: fc.Run[ClassicBeam]) -> None:
    """Order of the third cantilever frequency."""
    p = run.parameters
    sizes = p.elements // 8 * np.array([1, 2, 4])
    curves = {}
    for theory, order in (("euler_bernoulli", 4.0), ("timoshenko", 2.0)):
        closed = exact(p, "clamped", "free", theory, 3)[-1]
        errors = np.array(
            [
                bending_frequencies(beam(p, "clamped", "free", theory, n), 3)[-1] / closed - 1.0
                for n in sizes
            ]
        )
        curves[theory.replace("_", "-")] = errors
        rate = float(np.log2(errors[-2] / errors[-1]))
        run.check("convergence order of the third frequency", rate, order, relation="ge",
                  tolerance=0.1, kind="closed_form", source="beam element", method=theory,
                  formula=True)  # fmt: skip
    figure = fc.view.convergence_plot(p.length / sizes, curves, order=4.0)
    run.figure("convergence", figure)


def rotating(run: fc.Run[ClassicBeam]) -> None:
    """Flap of a rotating cantilever: the centrifugal tension stiffens it."""
    p = run.parameters
    blade = beam(p, "clamped", "free", "euler_bernoulli")
    tension = blade.rotation((0.0, 0.0, 1.0)).geometric
    deviations, errors = [], []
    for speed, published in WRIGHT.items():
        omega = bending_frequencies(blade, 3, (speed * unit(p)) ** 2 * tension) / unit(p)
        deviations.append(np.abs(omega / published - 1.0).max())
        errors.append(
            np.abs(omega / fc.reference.rotating_cantilever_frequencies(speed, 3) - 1.0).max()
        )
    run.check("rotating cantilever, largest deviation of 21 frequencies", float(max(deviations)),
              0.0, tolerance=3e-5, kind="published", source="Wright et al. 1982, table",
              formula=True)  # fmt: skip
    run.check("rotating cantilever, largest error of 21 frequencies", float(max(errors)), 0.0,
              tolerance=1e-5, kind="closed_form", source="power series", formula=True)  # fmt: skip


def buckling(run: fc.Run[ClassicBeam]) -> None:
    """Euler's loads in units of pi^2 EI/L^2."""
    p = run.parameters
    section = fc.Section.rectangle(p.width, p.height)
    euler = np.pi**2 * p.young * section.inertia_y / p.length**2
    cases = (("clamped", "free", 0.25), ("pinned", "pinned", 1.0), ("clamped", "pinned", 2.04575),
             ("clamped", "clamped", 4.0))  # fmt: skip
    for left, right, factor in cases:
        model = beam(p, left, right, "euler_bernoulli")
        free = model.free
        K, K_g = (
            A[free][:, free].toarray() for A in (model.stiffness, model.tension_stiffness(1.0))
        )
        load = 1.0 / la.eigh(K_g, K, eigvals_only=True)[-1] / euler
        run.check(f"buckling load over Euler's, {left}-{right}", float(load), factor,
                  tolerance=2e-5 * factor, kind="closed_form", formula=True,
                  source="Timoshenko and Gere 1961")  # fmt: skip


CASE = fc.Case(
    title="classic beams: ten pairs of ends, shear, rotating cantilever, buckling",
    verifies=("Blevins 1979 table 8-1", "Wright 1982 rotating cantilever", "Euler buckling"),
    parameters=ClassicBeam(),
    run=main,
    quick_s=6,
)

if __name__ == "__main__":
    CASE.main(__file__)
