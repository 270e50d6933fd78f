"""Contact lines of helical gears over the mesh cycle (Jehle 2016).

The source shows the total length of the contact lines over the rotation for several helix angles
(Fig. 3.9) without giving the gears; the source notes take those of chapter 6. Spur gears jump
between one and two lines. With growing helix angle the mean length grows and the sum varies less,
but not monotonously: where the overlap ratio is a whole number it does not vary at all.
"""

from __future__ import annotations

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


def gears(p: ContactLinesCase, base_helix_angle: float) -> fc.GearPair:
    """Pair with a helix angle."""
    return fc.GearPair(
        (p.teeth, p.teeth),
        p.base_radius,
        p.distance,
        base_helix_angle,
        tip_radii=(p.tip_radius, p.tip_radius),
        face_width=p.face_width,
    )


def cycle(p: ContactLinesCase) -> fc.Floats:
    """Angles of gear 1 over one tooth."""
    return np.linspace(0.0, 2.0 * pi / p.teeth, p.positions, endpoint=False)


def main(run: fc.Run[ContactLinesCase]) -> None:
    """Geometry, lengths of the source notes, closed forms, picture."""
    geometry(run)
    lengths(run)
    whole_overlap(run)
    picture(run)


def geometry(run: fc.Run[ContactLinesCase]) -> None:
    """Pressure angle and path of contact."""
    pair = gears(run.parameters, 0.0)
    rows = (
        ("working pressure angle", degrees(pair.pressure_angle()), 24.620, "deg", 5e-4),
        ("path of contact", 1e3 * pair.path_of_contact, 14.355, "mm", 5e-4),
        ("base pitch", 1e3 * pair.base_pitch, 7.330, "mm", 5e-4),
        ("contact ratio", pair.contact_ratio, 1.958, "", 5e-4),
    )
    for name, computed, reference, unit, digit in rows:
        run.check(name, computed, reference, unit=unit, tolerance=digit, kind="digest",
                  source="Jehle 2016, figure 3.9, recomputed")  # fmt: skip


def lengths(run: fc.Run[ContactLinesCase]) -> None:
    """Smallest, mean and largest total length for three helix angles."""
    p = run.parameters
    for angle, printed in PRINTED.items():
        pair = gears(p, angle)
        total = fc.contact_lines(pair, cycle(p)).total
        found = (total.min(), total.mean(), total.max())
        method = f"beta_b = {degrees(angle):.4g} deg"
        names = ("smallest", "mean", "largest")
        for name, value, reference, digit in zip(names, found, printed, DIGITS[angle], strict=True):
            run.check(
                f"{name} length of the contact lines",
                1e3 * float(value),
                reference,
                unit="mm",
                tolerance=digit,
                kind="digest",
                source="Jehle 2016, figure 3.9, recomputed",
                method=method,
            )
        mean = pair.contact_ratio * p.face_width / cos(angle)
        run.check("mean length of the contact lines", 1e3 * float(total.mean()), 1e3 * mean,
                  unit="mm", tolerance=1e3 * p.face_width / p.positions, kind="closed_form",
                  source="b epsilon_alpha / cos(beta_b)", method=method, formula=True)  # fmt: skip
        if angle == 0.0:
            continue
        closed = fc.reference.contact_length_range(
            pair.contact_ratio, pair.overlap_ratio, p.face_width, angle
        )
        error = max(abs(found[0] - closed[0]), abs(found[2] - closed[2]))
        kink = 2.0 * pair.base_pitch / np.sin(angle) / p.positions
        run.check("largest error of the extreme lengths", 1e3 * float(error), 0.0, unit="mm",
                  tolerance=1e3 * float(kink), kind="closed_form", method=method,
                  source="convolution of two boxes", formula=True)  # fmt: skip


def whole_overlap(run: fc.Run[ContactLinesCase]) -> None:
    """The sum does not vary if the overlap ratio is whole."""
    p = run.parameters
    for overlap in (1, 2):
        angle = atan(overlap * gears(p, 0.0).base_pitch / p.face_width)
        total = fc.contact_lines(gears(p, angle), cycle(p)).total
        run.check("variation of the total length over its mean",
                  float(np.ptp(total) / total.mean()), 0.0, tolerance=1e-12, kind="closed_form",
                  source="constant for whole overlap ratios", method=f"overlap ratio {overlap}",
                  formula=True)  # fmt: skip


def picture(run: fc.Run[ContactLinesCase]) -> None:
    """Total length over two teeth."""
    p = run.parameters
    one = gears(p, 0.0).base_pitch
    angles = {f"{degrees(angle):.4g} deg": angle for angle in PRINTED}
    angles["overlap ratio 1"] = atan(one / p.face_width)
    turn = np.linspace(0.0, 4.0 * pi / p.teeth, 2000)
    curves = {
        f"beta_b: {name}": 1e3 * fc.contact_lines(gears(p, angle), turn).total
        for name, angle in angles.items()
    }
    figure = fc.view.curves_plot(
        turn * p.teeth / (2.0 * pi), curves, "rotation / tooth", "length of contact lines / mm",
        from_zero=True,
    )  # fmt: skip
    run.figure("contact_length", figure)


CASE = fc.Case(
    title="contact lines of helical gears: number and length over the mesh cycle",
    verifies=("Jehle T4",),
    parameters=ContactLinesCase(),
    run=main,
    quick_s=1,
)

if __name__ == "__main__":
    CASE.main(__file__)
