"""Rigid gearbox, axial and torsional dofs: what moves the flutter, and what does not (Jehle 4.1.1).

The gearbox of `gearbox_axial`. Its flutter over the helix angle shrinks as the inertia J_1 of the
input shaft grows, and is gone at j_1 = J_1/(m_1 R^2) = 0.1. Load and size of the slip do not
matter, its sign does: at negative slip nothing grows. Of helix angle and radii only
tan(beta_b) R/r_b1 counts (Jehle 4.5).
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

import fecontact as fc

gearbox = fc.load_module("jehle/gearbox_axial")
Gearbox, build = gearbox.Gearbox, gearbox.build
INERTIAS = {0.02: (0.676, 1.087), 0.07: (0.670, 0.906), 0.09: (0.689, 0.815)}
"""j_1 -> range of flutter of the source notes."""

REFERENCES = fc.References("""
    regions | unstable regions at negative slip        | is
    *       | Jehle 2016, section 4.1.1, figures 4.2 and 4.3 | published
    lighter | {}           |           |  | 1e-3
    heavier | at j_1 = 0.1 | is stable
    *       | Jehle 2016, section 4.1.1, recomputed | source_notes; varied=inertia_ratio; full
    growth  | growth rate |  | 1/s | 1e-06 rel | Jehle 2016, (4.5) | published; formula
""")


def main(run: fc.Run[Gearbox]) -> None:
    """No influence, other inertias, and the map over inertia and helix angle."""
    no_influence(run)
    if not run.quick:
        other_inertias(run)
    unstable = mapped(run, "map", build, ((0.01, 0.12), (-1.5, 1.5)))
    negative = [region for region in unstable if region.at[1] < 0.0]
    run.row(REFERENCES, "regions", len(negative), 0)


def other_inertias(run: fc.Run[Gearbox]) -> None:
    """Flutter shrinks with the inertia of the shaft and is gone at j_1 = 0.1."""
    p = run.parameters
    for ratio, (first, last) in INERTIAS.items():
        found = gearbox.flutter_range(
            gearbox.slopes(replace(p, inertia_ratio=ratio)), 0.75, 0.5, 1.1
        )
        for name, boundary, noted in zip(("onset", "end"), found, (first, last), strict=True):
            label = f"{name} of flutter at j_1 = {ratio:g}"
            run.row(REFERENCES, "lighter", boundary, noted, label=label)
    scan = gearbox.slopes(replace(p, inertia_ratio=0.1))
    stable = all(scan.at(slope).modes.stable for slope in np.linspace(0.3, 1.1, 41))
    run.row(REFERENCES, "heavier", "stable" if stable else "unstable")


def no_influence(run: fc.Run[Gearbox]) -> None:
    """Load and size of the slip do not matter; only tan(beta_b) R/r_b1 does."""
    p = run.parameters
    growth = fc.operating_point(build(p)).modes.leading_growth
    size = {"base_radius": 2 * p.base_radius, "centre_distance": 2 * p.centre_distance}
    varied = {
        "five times the load": {"load": 5.0 * p.load},
        "twice the slip": {"slip": 2.0 * p.slip},
        "twice the base radius and the slope": {**size, "slope": 2 * p.slope},
    }
    for name, other in varied.items():
        found = fc.operating_point(build(replace(p, **other))).modes.leading_growth
        run.row(REFERENCES, "growth", found, growth, label=f"with {name}")


def mapped(
    run: fc.Run[Gearbox],
    name: str,
    make: Callable[[Gearbox], fc.System],
    ranges: tuple[tuple[float, float], tuple[float, float]],
    **effort: Any,
) -> list[fc.Region]:
    """Map over j_1 and sign(slip) tan(beta_b), and its unstable regions."""
    p = run.parameters

    def at(ratio: float, slope: float) -> fc.System:
        return make(replace(p, inertia_ratio=ratio).along(slope))

    axes = (
        fc.MapAxis("inertia ratio j_1", *ranges[0]),
        fc.MapAxis("sign(slip) tan(beta_b)", *ranges[1]),
    )
    return run.stability_map(name, at, *axes, **({"seed": (12, 24), "quick_seed": (3, 6)} | effort))


VERIFIES = ("Jehle T7, influences",)
CASE = fc.Case(__doc__, VERIFIES, Gearbox(), main, quick_s=6, system=build)

if __name__ == "__main__":
    CASE.main(__file__)
