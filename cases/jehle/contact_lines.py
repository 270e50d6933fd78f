"""Contact lines of helical gears over the mesh cycle (Jehle 2016).

The source shows the total length of the contact lines over the rotation for several helix angles
(Fig. 3.9) without giving the gears; the source notes take those of chapter 6. Spur gears jump
between one and two lines. With growing helix angle the mean length grows and the sum varies less,
but not monotonously: where the overlap ratio is a whole number it does not vary at all.
"""

from dataclasses import dataclass
from math import atan, cos, degrees, pi

import numpy as np

import fecontact as fc

PRINTED = {0.0: (20.0, 39.2, 40.0), pi / 16: (39.2, 39.93, 40.8), pi / 8: (41.70, 42.39, 42.50)}
DIGITS = {0.0: (0.05, 0.05, 0.05), pi / 16: (0.05, 0.005, 0.05), pi / 8: (0.005, 0.005, 0.005)}


@dataclass(frozen=True)
class ContactLinesCase(fc.Parameters):
    """Jehle, chapter 6: two equal gears."""

    teeth: int = fc.quantity(30, "", fc.at_least(3))
    base_radius: float = fc.quantity(0.035, "m", fc.POSITIVE)
    tip_radius: float = fc.quantity(0.042, "m", fc.POSITIVE)
    distance: float = fc.quantity(0.077, "m", fc.POSITIVE)
    face_width: float = fc.quantity(0.02, "m", fc.POSITIVE)
    positions: int = fc.quantity(6000, "", fc.at_least(100), numerical=True)
    error_of_mean = fc.derived(
        "allowed error of the mean length of the contact lines in mm",
        lambda p: 1e3 * p.face_width / p.positions,
    )


GEOMETRY = fc.References("""
    angle | working pressure angle | 24.620 | deg | 5e-4
    path  | path of contact        | 14.355 | mm  | 5e-4
    pitch | base pitch             | 7.330  | mm  | 5e-4
    ratio | contact ratio          | 1.958  |     | 5e-4
    *     | Jehle 2016, figure 3.9, recomputed | source_notes
""")
LENGTHS = fc.References("""
    smallest | smallest length of the contact lines |  | mm
    mean     | mean length of the contact lines     |  | mm
    largest  | largest length of the contact lines  |  | mm
    *        | Jehle 2016, figure 3.9, recomputed | source_notes
""")
CLOSED = fc.References("""
    mean | mean length of the contact lines | | mm | p.error_of_mean | b epsilon_alpha / cos(beta_b)
""")
EXTREMES = fc.References("""
    error | largest error of the extreme lengths | 0.0 | mm |  | convolution of two boxes
""")
WHOLE = fc.References("""
    variation | variation of the total length over its mean | 0.0 |  | 1e-12
    *         | constant for whole overlap ratios
""")


def gears(p: ContactLinesCase, base_helix_angle: float) -> fc.GearPair:
    """Pair with a helix angle."""
    blank = {"tip_radii": (p.tip_radius, p.tip_radius), "face_width": p.face_width}
    return fc.GearPair((p.teeth, p.teeth), p.base_radius, p.distance, base_helix_angle, **blank)


def cycle(p: ContactLinesCase) -> fc.Floats:
    """Angles of gear 1 over one tooth."""
    return np.linspace(0.0, 2.0 * pi / p.teeth, p.positions, endpoint=False)


def main(run: fc.Run[ContactLinesCase]) -> None:
    """Geometry, lengths, closed forms, picture."""
    p, spur = run.parameters, gears(run.parameters, 0.0)
    computed = {
        "angle": degrees(spur.pressure_angle()),
        "path": 1e3 * spur.path_of_contact,
        "pitch": 1e3 * spur.base_pitch,
        "ratio": spur.contact_ratio,
    }
    run.compare(GEOMETRY, computed)
    for angle, printed in PRINTED.items():
        pair, method = gears(p, angle), f"beta_b = {degrees(angle):.4g} deg"
        total = 1e3 * fc.contact_lines(pair, cycle(p)).total
        found = (total.min(), total.mean(), total.max())
        rows = dict(zip(LENGTHS, zip(found, printed, strict=True), strict=True))
        digits = dict(zip(LENGTHS, DIGITS[angle], strict=True))
        run.compare(LENGTHS, rows, tolerances=digits, method=method)
        mean = 1e3 * pair.contact_ratio * p.face_width / cos(angle)
        run.compare(CLOSED, {"mean": (total.mean(), mean)}, method=method)
        if angle > 0.0:
            ratios = pair.contact_ratio, pair.overlap_ratio
            low, _, high = fc.reference.contact_length_range(*ratios, p.face_width, angle)
            error = max(abs(found[0] - 1e3 * low), abs(found[2] - 1e3 * high))
            kink = 2e3 * pair.base_pitch / np.sin(angle) / p.positions
            run.compare(EXTREMES, {"error": error}, tolerances={"error": kink}, method=method)
    for overlap in (1, 2):
        angle = atan(overlap * spur.base_pitch / p.face_width)
        total = fc.contact_lines(gears(p, angle), cycle(p)).total
        varies = {"variation": np.ptp(total) / total.mean()}
        run.compare(WHOLE, varies, method=f"overlap ratio {overlap}")
    angles = {f"beta_b: {degrees(angle):.4g} deg": angle for angle in PRINTED}
    angles["overlap ratio 1"] = atan(spur.base_pitch / p.face_width)
    turn = np.linspace(0.0, 4.0 * pi / p.teeth, 2000)
    curves = {
        name: 1e3 * fc.contact_lines(gears(p, angle), turn).total for name, angle in angles.items()
    }
    teeth, axes = turn * p.teeth / (2.0 * pi), ("rotation / tooth", "length of contact lines / mm")
    run.figure("contact_length", fc.view.curves_plot(teeth, curves, *axes, from_zero=True))


CASE = fc.Case(__doc__, ("Jehle T4",), ContactLinesCase(), main, quick_s=1)

if __name__ == "__main__":
    CASE.main(__file__)
