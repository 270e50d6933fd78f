"""Gearbox with an elastic clutch plate: maps of stability over inertia and helix angle (Jehle 7.2).

The gearbox of `gearbox_lamella`, with plates of 5, 3 and 1.8 mm. At negative slip the ends of the
unstable ranges of the inertia ratio j_1 are found on the growth rate itself; the maps show all of
them, over j_1 and sign(slip) tan(beta_b).
"""

from dataclasses import replace

import fecontact as fc

line = fc.load_module("jehle/gearbox_lamella")
influences = fc.load_module("jehle/gearbox_influences")
LamellaGearbox, build = line.LamellaGearbox, line.build
EVERYWHERE = (
    "a mode near 830 Hz grows at all helix angles and inertias with d_i = 1e-4 N m s; the printed "
    "unit of d_i does not say how much damping was meant",
    "Jehle 2016, section 7.2, recomputed: 826 to 833 Hz unstable for all tested angles",
)

REFERENCES = fc.References("""
    negative  | negative slip
    *         | Jehle 2016, section 7.2, recomputed
        | source_notes; varied=slope, clutch_speed, inertia_ratio, thickness, plate_damping, basis
    strip     | II, 1.8 mm: unstable fraction of the map, a strip | <= 0.5 |  |  |  | full
    *         | Jehle 2016, section 7.2, figures 7.9 to 7.14
        | published; varied=slope, clutch_speed, inertia_ratio, thickness, plate_damping, basis
""")


def main(run: fc.Run[LamellaGearbox]) -> None:
    """Ends of the unstable ranges, and maps."""
    inertia_boundaries(run)
    maps(run)


def inertia_boundaries(run: fc.Run[LamellaGearbox]) -> None:
    """Ends of the unstable ranges of j_1 at negative slip, 5 mm; the scan is by 0.0025."""
    p = line.thick(run.parameters)
    rows = (
        (0.1, 0.03, 0.08, 0.04), (0.1, 0.3, 0.12, 0.19), (0.1, 0.3, 0.45, 0.38),
        (0.325, 0.03, 0.1, 0.0575), (0.6, 0.03, 0.1, 0.0675), (1.0, 0.03, 0.1, 0.065),
    )  # fmt: skip
    for slope, inside, outside, noted in rows[:3] if run.quick else rows:
        start = replace(p, slope=slope)
        branch = fc.Branch(lambda ratio, q=start: build(replace(q, inertia_ratio=ratio)))
        boundary = influences.gearbox.boundary(branch, inside, outside)
        error, label = 0.01 if noted > 0.1 else 0.0025, f"tan(beta_b) = {slope:g}"
        label = f"{label}: boundary in j_1 near {noted:g}"
        run.row(REFERENCES, "negative", boundary, noted, error, label=label)


def maps(run: fc.Run[LamellaGearbox]) -> None:
    """Maps over j_1 and sign(slip) tan(beta_b) for three thicknesses; in the quick form one."""
    for thickness in (0.005,) if run.quick else (0.005, 0.003, 0.0018):
        other = replace(run, parameters=replace(line.thick(run.parameters), thickness=thickness))
        effort = {"seed": (14, 16), "levels": 2, "quick_seed": (3, 4), "quick_levels": 0}
        about = f"map_{1e3 * thickness:g}_mm", build, ((0.01, 0.4), (-1.4, 1.45))
        unstable = influences.mapped(other, *about, **effort)
        if thickness == 0.0018:
            value = sum(region.area for region in unstable)
            run.row(REFERENCES, "strip", value, known_deviation=EVERYWHERE)


VERIFIES = ("Jehle T22, maps",)
CASE = fc.Case(__doc__, VERIFIES, LamellaGearbox(), main, quick_s=10, system=build)

if __name__ == "__main__":
    CASE.main(__file__)
