"""Free Timoshenko beam (Waltersberger 5.2, examples 5.7 and 5.8; digest T8).

The beam that later rocks on its support: free at both ends, 1 m long, with shear strain and rotary
inertia. The source prints a second moment of area of 0.01^4/12 m^4, which does not belong to its
area of 0.02^2 m^2; both values are run. The exact frequencies come from the frequency equation of
the Timoshenko beam.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from fecontact.case import Case, Parameters, Run, main, quantity
from fecontact.errors import POSITIVE, at_least
from fecontact.fem import Beam, Material, Section, straight_beam
from fecontact.reduction.basis import vibration_modes
from fecontact.reference.beam import beam_frequencies
from fecontact.typing import Floats
from fecontact.view import plots
from fecontact.view.modes import save_real_modes
from fecontact.view.vtk import shape_of

RIGID = 3
MODES = 6


@dataclass(frozen=True)
class FreeBeam(Parameters):
    """Waltersberger, example 5.7."""

    length: float = quantity(1.0, "m", POSITIVE)
    young: float = quantity(210e9, "Pa", POSITIVE)
    shear_modulus: float = quantity(81e9, "Pa", POSITIVE)
    density: float = quantity(7500.0, "kg/m^3", POSITIVE)
    area: float = quantity(4e-4, "m^2", POSITIVE)
    second_moment: float = quantity(0.01**4 / 12.0, "m^4", POSITIVE)
    shear_number: float = quantity(1.2, "", POSITIVE)
    elements: int = quantity(40, "", at_least(8), numerical=True)


def beam(p: FreeBeam, elements: int) -> Beam:
    """Planar beam; the side of the printed area is its outline."""
    material = Material(p.young, p.young / (2.0 * p.shear_modulus) - 1.0, p.density)
    side, shear = np.sqrt(p.area), 1.0 / p.shear_number
    section = Section(
        p.area, p.second_moment, p.second_moment, 2.0 * p.second_moment, shear, shear, side, side
    )
    return straight_beam(p.length, section, material, elements=elements, motion="planar")


def exact(p: FreeBeam) -> Floats:
    """Elastic frequencies in Hz by the frequency equation."""
    return beam_frequencies(
        p.length,
        p.young * p.second_moment,
        p.density * p.area,
        "free",
        "free",
        MODES + 2,
        shear_stiffness=p.shear_modulus * p.area / p.shear_number,
        rotary_inertia=p.density * p.second_moment,
    )[2:]


def frequencies(model: Beam) -> tuple[Floats, Floats]:
    """Frequencies in Hz, three rigid ones first, and shapes."""
    omega, X = vibration_modes(model.stiffness, model.mass, model.free, RIGID + MODES)
    return omega / (2.0 * np.pi), X


def run(run: Run[FreeBeam]) -> None:
    """Frequencies for the printed and for the consistent second moment, and their convergence."""
    p = run.parameters
    consistent = replace(p, second_moment=p.area**2 / 12.0)
    found, shapes = frequencies(beam(p, p.elements))
    run.check("largest rigid-body frequency", float(found[:RIGID].max()), 0.0, unit="Hz",
              tolerance=1e-2, kind="closed_form", source="free body", formula=True)  # fmt: skip
    compare(run, p, "printed I", found[RIGID:], (27.19, 74.95, 146.89), [])
    stiffer = frequencies(beam(consistent, p.elements))[0][RIGID:]
    digest = (108.63, 298.62, 583.09)
    compare(run, consistent, "I of the square", stiffer, digest, ["second_moment"])
    convergence(run, consistent)
    mode_files(run, beam(p, p.elements), found, shapes)


def compare(
    run: Run[FreeBeam],
    p: FreeBeam,
    label: str,
    found: Floats,
    digest: tuple[float, ...],
    varied: list[str],
) -> None:
    """First three bending frequencies against the digest and the frequency equation."""
    for n, (value, printed, closed) in enumerate(zip(found, digest, exact(p), strict=False)):
        quantity_ = f"bending frequency {n + 1}, {label}"
        run.check(quantity_, float(value), printed, unit="Hz", tolerance=0.005 + 5e-5 * printed,
                  kind="digest", source="digest Waltersberger T8", varied=varied)  # fmt: skip
        run.check(quantity_, float(value), float(closed), unit="Hz", tolerance=1e-4 * closed,
                  kind="closed_form", source="frequency equation", formula=True)  # fmt: skip


def convergence(run: Run[FreeBeam], p: FreeBeam) -> None:
    """Frequencies of the stocky beam: order 4, turning to 2 where the shear error takes over."""
    sizes = run.parameters.elements // 4 * np.array([1, 2, 4])
    errors = np.array([frequencies(beam(p, n))[0][RIGID:][:3] / exact(p)[:3] - 1.0 for n in sizes])
    order = float(np.log2(errors[0] / errors[1]).min())
    run.check("convergence order of the frequencies", order, 2.0, relation="ge", tolerance=0.1,
              kind="closed_form", source="element with constant shear strain: order 2",
              formula=True)  # fmt: skip
    curves = {f"bending frequency {n + 1}": errors[:, n] for n in range(3)}
    plots.save(plots.convergence_plot(p.length / sizes, curves, order=2.0),
               run.path("convergence.png"))  # fmt: skip


def mode_files(run: Run[FreeBeam], model: Beam, found: Floats, shapes: Floats) -> None:
    """Write the first four bending modes for ParaView, and their gallery."""
    geometry = model.geometry
    modes = {
        f"{found[i]:.2f} Hz": (geometry.shape @ shapes[:, i]).reshape(-1, 3)
        for i in range(RIGID, RIGID + 4)
    }
    saved = save_real_modes(
        run.out,
        shape_of(geometry),
        modes,
        amplitude=0.08 * run.parameters.length,
        title="free Timoshenko beam",
    )
    run.attach(saved)


CASE = Case(
    title="free Timoshenko beam: frequencies with the printed and the consistent second moment",
    proves=("Waltersberger T8",),
    parameters=FreeBeam(),
    run=run,
    quick_s=4,
)

if __name__ == "__main__":
    raise SystemExit(main(CASE, __file__))
