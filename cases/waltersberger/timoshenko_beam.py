"""Free Timoshenko beam (Waltersberger 5.2, examples 5.7 and 5.8).

The beam that later rocks on its support: free at both ends, 1 m long, with shear strain and rotary
inertia. The source prints a second moment of area of 0.01^4/12 m^4, which does not belong to its
area of 0.02^2 m^2; both values are run. The exact frequencies come from the frequency equation of
the Timoshenko beam.
"""

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


FREE = fc.References("""
    rigid | largest rigid-body frequency | 0.0 | Hz | 1e-2 | free body
""")
BENDING = fc.References(
    {
        f"notes {n}": fc.Reference(f"bending frequency {n}", unit="Hz", kind="source_notes")
        for n in (1, 2, 3)
    }
    | {
        f"closed {n}": fc.Reference(
            f"bending frequency {n}", unit="Hz", relative=1e-4, source="frequency equation"
        )
        for n in (1, 2, 3)
    },
    source="Waltersberger 2007, examples 5.7 and 5.8, recomputed",
)
SQUARE = fc.References(
    {name: replace(row, varied=("second_moment",)) for name, row in BENDING.items()}
)


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
    """Frequencies for the printed and for the consistent second moment."""
    p = run.parameters
    model = beam(p, p.elements)
    found, shapes = frequencies(model)
    run.compare(FREE, {"rigid": found[:RIGID].max()})
    square = replace(p, second_moment=p.area**2 / 12.0)
    for table, q, label, printed in (
        (BENDING, p, "printed I", (27.19, 74.95, 146.89)),
        (SQUARE, square, "I of the square", (108.63, 298.62, 583.09)),
    ):
        values = frequencies(beam(q, p.elements))[0][RIGID:]
        rows, about = {}, {}
        for n in range(3):
            rows[f"notes {n + 1}"], rows[f"closed {n + 1}"] = (
                (values[n], printed[n]),
                (values[n], exact(q)[n]),
            )
            about[f"notes {n + 1}"] = 0.005 + 5e-5 * printed[n]
        run.compare(table, rows, tolerances=about, label=label)
    geometry = model.geometry
    modes = {
        f"{found[i]:.2f} Hz": (geometry.shape @ shapes[:, i]).reshape(-1, 3)
        for i in range(RIGID, RIGID + 4)
    }
    about = {"amplitude": 0.08 * p.length, "title": "free Timoshenko beam"}
    run.attach(fc.view.save_real_modes(run.out, fc.view.shape_of(geometry), modes, **about))


CASE = fc.Case(__doc__, ("Waltersberger T8",), FreeBeam(), main, quick_s=4)

if __name__ == "__main__":
    CASE.main(__file__)
