"""Free Timoshenko beam (Waltersberger 5.2, examples 5.7 and 5.8).

The beam that later rocks on its support: free at both ends, 1 m long, with shear strain and rotary
inertia. The source prints a second moment of area of 0.01^4/12 m^4, which does not belong to its
area of 0.02^2 m^2; both values are run. The exact frequencies come from the frequency equation of
the Timoshenko beam.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

import fecontact as fc

RIGID = 3
MODES = 6


@dataclass(frozen=True)
class FreeBeam(fc.Parameters):
    """Waltersberger, example 5.7."""

    length: float = fc.quantity(1.0, "m", fc.POSITIVE)
    young: float = fc.quantity(210e9, "Pa", fc.POSITIVE)
    shear_modulus: float = fc.quantity(81e9, "Pa", fc.POSITIVE)
    density: float = fc.quantity(7500.0, "kg/m^3", fc.POSITIVE)
    area: float = fc.quantity(4e-4, "m^2", fc.POSITIVE)
    second_moment: float = fc.quantity(0.01**4 / 12.0, "m^4", fc.POSITIVE)
    shear_number: float = fc.quantity(1.2, "", fc.POSITIVE)
    elements: int = fc.quantity(40, "", fc.at_least(8), numerical=True)


def beam(p: FreeBeam, elements: int) -> fc.Beam:
    """Planar beam; the side of the printed area is its outline."""
    material = fc.Material(p.young, p.young / (2.0 * p.shear_modulus) - 1.0, p.density)
    side, shear = np.sqrt(p.area), 1.0 / p.shear_number
    section = fc.Section(
        p.area, p.second_moment, p.second_moment, 2.0 * p.second_moment, shear, shear, side, side
    )
    return fc.straight_beam(p.length, section, material, elements=elements, motion="planar")


def exact(p: FreeBeam) -> fc.Floats:
    """Elastic frequencies in Hz by the frequency equation."""
    return fc.reference.beam_frequencies(
        p.length,
        p.young * p.second_moment,
        p.density * p.area,
        "free",
        "free",
        MODES + 2,
        shear_stiffness=p.shear_modulus * p.area / p.shear_number,
        rotary_inertia=p.density * p.second_moment,
    )[2:]


def frequencies(model: fc.Beam) -> tuple[fc.Floats, fc.Floats]:
    """Frequencies in Hz, three rigid ones first, and shapes."""
    omega, X = fc.vibration_modes(model.stiffness, model.mass, model.free, RIGID + MODES)
    return omega / (2.0 * np.pi), X


def main(run: fc.Run[FreeBeam]) -> None:
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
    run: fc.Run[FreeBeam],
    p: FreeBeam,
    label: str,
    found: fc.Floats,
    digest: tuple[float, ...],
    varied: list[str],
) -> None:
    """First three bending frequencies against the source notes and the frequency equation."""
    for n, (value, printed, closed) in enumerate(zip(found, digest, exact(p), strict=False)):
        quantity_ = f"bending frequency {n + 1}, {label}"
        run.check(
            quantity_,
            float(value),
            printed,
            unit="Hz",
            tolerance=0.005 + 5e-5 * printed,
            kind="digest",
            source="Waltersberger 2007, examples 5.7 and 5.8, recomputed",
            varied=varied,
        )
        run.check(quantity_, float(value), float(closed), unit="Hz", tolerance=1e-4 * closed,
                  kind="closed_form", source="frequency equation", formula=True)  # fmt: skip


def convergence(run: fc.Run[FreeBeam], p: FreeBeam) -> None:
    """Frequencies of the stocky beam: order 4, turning to 2 where the shear error takes over."""
    sizes = run.parameters.elements // 4 * np.array([1, 2, 4])
    errors = np.array([frequencies(beam(p, n))[0][RIGID:][:3] / exact(p)[:3] - 1.0 for n in sizes])
    order = float(np.log2(errors[0] / errors[1]).min())
    run.check("convergence order of the frequencies", order, 2.0, relation="ge", tolerance=0.1,
              kind="closed_form", source="element with constant shear strain: order 2",
              formula=True)  # fmt: skip
    curves = {f"bending frequency {n + 1}": errors[:, n] for n in range(3)}
    run.figure("convergence", fc.view.convergence_plot(p.length / sizes, curves, order=2.0))


def mode_files(run: fc.Run[FreeBeam], model: fc.Beam, found: fc.Floats, shapes: fc.Floats) -> None:
    """Write the first four bending modes for ParaView, and their gallery."""
    geometry = model.geometry
    modes = {
        f"{found[i]:.2f} Hz": (geometry.shape @ shapes[:, i]).reshape(-1, 3)
        for i in range(RIGID, RIGID + 4)
    }
    saved = fc.view.save_real_modes(
        run.out,
        fc.view.shape_of(geometry),
        modes,
        amplitude=0.08 * run.parameters.length,
        title="free Timoshenko beam",
    )
    run.attach(saved)


CASE = fc.Case(
    title="free Timoshenko beam: frequencies with the printed and the consistent second moment",
    verifies=("Waltersberger T8",),
    parameters=FreeBeam(),
    run=main,
    quick_s=4,
)

if __name__ == "__main__":
    CASE.main(__file__)
