"""Delaminated beam at rest and as a rotor (Waltersberger 5.3).

A pinned beam of rectangular section is split by a gap through its width into two sub-beams. Their
ends follow the intact sections: the axial motion is the offset times the rotation, and this
coupling carries most of the stiffness. With a centred gap the opening modes are those of clamped
sub-beams. As a shaft of square section it has critical speeds where K - Omega^2 K_c is singular.
"""

from dataclasses import dataclass, replace

import numpy as np
import scipy.linalg as la

import fecontact as fc

CENTRED = {
    0.1: (23.99, 95.05, 215.88, 370.06, 598.42, 803.19, 1165.4, 1391.0, 1899.5, 2163.2),
    0.2: (23.99, 89.44, 213.89, 318.39, 563.24, 679.91, 714.62, 1010.1, 1328.1, 1638.8),
    0.4: (23.90, 68.51, 169.98, 178.78, 284.77, 434.57, 468.55, 634.24, 903.57, 918.55),
    0.6: (23.34, 54.45, 75.55, 134.75, 208.24, 252.91, 408.02, 408.24, 565.33, 674.86),
}
SHIFTED = (22.814, 43.082, 67.472, 113.64, 166.93, 215.83, 320.98, 344.74, 500.91, 527.62, 675.81)


@dataclass(frozen=True)
class DelaminatedBeam(fc.Parameters):
    """Waltersberger, examples 5.9 and 5.10."""

    length: float = fc.quantity(1.0, "m", fc.POSITIVE)
    height: float = fc.quantity(0.01, "m", fc.POSITIVE)
    width: float = fc.quantity(0.02, "m", fc.POSITIVE)
    young: float = fc.quantity(210e9, "Pa", fc.POSITIVE)
    density: float = fc.quantity(7500.0, "kg/m^3", fc.POSITIVE)
    gap: float = fc.quantity(0.6, "m", fc.between(0.0, "length"))
    lower: float = fc.quantity(0.0075, "m", fc.between(0.0, "height"))
    elements: int = fc.quantity(36, "", fc.at_least(4), numerical=True)


EQUAL = fc.References("""
    worst   | largest deviation of ten frequencies | 0.0 |  | 3e-4
    *       | Waltersberger 2007, example 5.9, recomputed to 4 digits
        | source_notes; varied=gap, lower
    opening | opening mode |  | Hz | 1e-5 rel | clamped sub-beams
""")
UNEQUAL = fc.References("""
    first | first frequency                         | 22.8 | Hz | 0.05
    worst | largest deviation of eleven frequencies | 0.0  |    | 5e-5 |  | source_notes
    *     | Waltersberger 2007, example 5.10 | published
""")
SHAFT = fc.References(
    {
        f"{n}": fc.Reference(f"critical speed {n}", speed, "Hz", relative=1e-4, kind="source_notes")
        for n, speed in enumerate((22.814, 23.994, 43.082, 67.47, 95.98), start=1)
    },
    printed=fc.Reference("third critical speed", 43.1, "Hz", 0.05, kind="published"),
    source="Waltersberger 2007, example 5.13",
    varied=("width",),
)


def beam(p: DelaminatedBeam, motion: str = "planar") -> fc.Beam:
    """Four Euler-Bernoulli segments with a centred gap; the upper sub-beam lies at positive z."""
    steel, above, n = fc.Material(p.young, 0.3, p.density), p.height - p.lower, p.elements
    start, end = 0.5 * (p.length - p.gap), 0.5 * (p.length + p.gap)
    whole, upper, lower = (fc.Section.rectangle(p.width, h) for h in (p.height, above, p.lower))
    segments = [
        fc.Segment(0.0, start, whole, steel, n, name="left"),
        fc.Segment(start, end, upper, steel, n, (0.0, p.lower / 2), "upper"),
        fc.Segment(start, end, lower, steel, n, (0.0, -above / 2), "lower"),
        fc.Segment(end, p.length, whole, steel, n, name="right"),
    ]
    held = dict.fromkeys(("left", "right"), "pinned")
    return fc.Beam(segments, held, theory="euler_bernoulli", motion=motion)


def modes(model: fc.Beam, count: int) -> tuple[fc.Floats, fc.Floats]:
    """Frequencies in Hz and shapes."""
    omega, X = fc.vibration_modes(model.stiffness, model.mass, model.free, count)
    return omega / (2.0 * np.pi), X


def critical_speeds(model: fc.Beam, count: int) -> fc.Floats:
    """Speeds in Hz at which K - Omega^2 K_c is singular, for rotation about x."""
    centrifugal = model.rotation((1.0, 0.0, 0.0)).centrifugal
    K, K_c = (model.of_free_dofs(A) for A in (model.stiffness, centrifugal))
    squares = la.eigh(K_c, K, eigvals_only=True)[: -count - 1 : -1]
    return np.asarray(1.0 / np.sqrt(squares) / (2.0 * np.pi))


def main(run: fc.Run[DelaminatedBeam]) -> None:
    """Frequencies with gaps in the middle and off it, critical speeds of the square shaft."""
    p = run.parameters
    for gap, known in CENTRED.items():
        q = replace(p, gap=gap * p.length, lower=0.5 * p.height)
        found, _ = modes(beam(q), len(known))
        run.row(EQUAL, "worst", np.abs(found / known - 1.0).max(), label=f"gap {gap:g} L")
        if gap >= 0.2:  # else the opening mode lies above the tenth
            half = fc.Section.rectangle(q.width, q.lower)
            beam_data = q.gap, q.young * half.inertia_y, q.density * half.area
            opening = fc.reference.beam_frequencies(*beam_data, "clamped", "clamped")[0]
            nearest = found[np.argmin(np.abs(found - opening))]
            run.row(EQUAL, "opening", nearest, opening, label=f"gap {gap:g} L")
    model = beam(p)
    found, shapes = modes(model, len(SHIFTED))
    run.compare(UNEQUAL, {"first": found[0], "worst": np.abs(found / SHIFTED - 1.0).max()})
    square = replace(p, width=p.height, elements=min(p.elements, 10))
    speeds = critical_speeds(beam(square, motion="spatial"), 5)
    run.compare(SHAFT, {f"{n + 1}": speeds[n] for n in range(5)} | {"printed": speeds[2]})
    shape = model.geometry.shape
    fields = {f"{found[i]:.2f} Hz": (shape @ shapes[:, i]).reshape(-1, 3) for i in range(4)}
    picture, about = fc.view.shape_of(model.geometry), {"amplitude": 0.08 * p.length}
    run.attach(fc.view.save_real_modes(run.out, picture, fields, title="delaminated beam", **about))


VERIFIES = "Waltersberger T9", "Waltersberger T10"
CASE = fc.Case(__doc__, VERIFIES, DelaminatedBeam(), main, quick_s=5)

if __name__ == "__main__":
    CASE.main(__file__)
