"""Area friction with spin of round patches: Hertz contact, clutch annulus (Keppler 4.2.4, 4.2.5).

A rigid flat patch slides and spins at once. Its friction force is smaller than mu N, because the
directions of the local friction fan out, and it carries a moment. Force and moment of a round patch
depend on the distance r_M of the pole (the point at rest) only. The reference values come from the
patch integrals by a separate quadrature (`fc.reference.PATCH_FRICTION`); a patch that only spins
carries mu N times its mean radius. The printed formulas of the Hertz patch and the limit surfaces
are in keppler/limit_surface, a rectangular patch in keppler/block_on_disc.
"""

from dataclasses import dataclass

import numpy as np

import fecontact as fc

INNER = fc.reference.PATCH_INNER
SPIN = {
    "Hertz": 3.0 * np.pi / 16.0,
    "annulus": 2.0 / 3.0 * (1.0 - INNER**3) / (1.0 - INNER**2),
    "worn annulus": 0.5 * (1.0 + INNER),
    "disc": 2.0 / 3.0,
}
"""Moment/(mu N L) of patches that only spin."""


@dataclass(frozen=True)
class RoundPatches(fc.Parameters):
    """The patches have the outer radius L."""

    length: float = fc.quantity(0.4, "m", fc.POSITIVE)


REFERENCES = fc.References("""
    force  | force/(mu N)    |  |  | 1e-6
    moment | moment/(mu N L) |  |  | 1e-6
    *      | patch integral | source_notes; formula
    spin   | spin moment/(mu N L) |  |  | 1e-12 | mean radius
""")


def patches(L: float) -> dict[str, fc.AxisymmetricPatch]:
    """Round patches of the radius L."""
    return {
        "Hertz": fc.HertzPatch(L),
        "annulus": fc.AnnulusPatch(INNER * L, L),
        "worn annulus": fc.AnnulusPatch(INNER * L, L, worn=True),
        "disc": fc.AnnulusPatch(0.0, L),
    }


def main(run: fc.Run[RoundPatches]) -> None:
    """Force and moment over the pole, moment of pure spin."""
    L = run.parameters.length
    pole, curves = np.linspace(0.0, 4.0, 201), {}
    for name, patch in patches(L).items():
        for x, (force, moment) in fc.reference.PATCH_FRICTION[name].items():
            t, _ = patch.mean(np.array([x * L, 0.0, 1.0]))
            computed = {"force": (t[0], force), "moment": (t[2] / L, moment)}
            run.compare(REFERENCES, computed, part=True, label=f"{name}, r_M/L = {x:g}")
        turned = patch.mean(np.array([0.0, 0.0, 1.0]))[0][2] / L
        run.row(REFERENCES, "spin", turned, SPIN[name], label=name)
        if name in ("Hertz", "annulus"):
            vectors = np.array([patch.mean(np.array([x * L, 0.0, 1.0]))[0] for x in pole])
            curves[f"{name}: force/(mu N)"] = vectors[:, 0]
            curves[f"{name}: moment/(mu N L)"] = vectors[:, 2] / L
    axes = "distance of the pole / L", "friction"
    run.figure("friction_over_pole", fc.view.curves_plot(pole, curves, *axes, from_zero=True))


VERIFIES = ("Keppler T23", "annulus table")
CASE = fc.Case(__doc__, VERIFIES, RoundPatches(), main, quick_s=2)

if __name__ == "__main__":
    CASE.main(__file__)
