"""Flutter of a disc in a wedge: mu_crit = cot(alpha) (Waltersberger, example 5.6).

A spinning disc slides on both sides of a wedge of the angle alpha, each with the contact stiffness
c. Friction couples its two translations,

    s^2 = -(c/m) (1 +- sqrt(1 - (1 + mu^2) sin^2(alpha))) ,

so the two modes meet at mu = cot(alpha), whatever the stiffness and the load. Steady states, modes
and the meeting point are found from the contacts of `stamm/wedged_disc`, whose flanks are inclined
by theta = (pi - alpha)/2.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import pi, tan

import numpy as np

import fecontact as fc

disc = fc.load_module("stamm/wedged_disc")
DIGEST = {"kind": "digest", "source": "Waltersberger 2007, example 5.6, recomputed"}


@dataclass(frozen=True)
class WedgeFlutter(disc.WedgedDisc):
    """Data of example 5.6 without damping."""

    damping: float = fc.quantity(0.0, "N s/m", fc.NON_NEGATIVE)

    @property
    def alpha(self) -> float:
        """Angle of the wedge in rad."""
        return pi - 2.0 * self.theta


def build(p: WedgeFlutter) -> fc.System:
    """Disc between the flanks."""
    return disc.system(p)


def frictions(p: WedgeFlutter) -> fc.Branch:
    """Operating points over the friction coefficient."""
    return fc.Branch(lambda mu: build(replace(p, mu=mu)))


def closed_form(p: WedgeFlutter, mu: float) -> fc.Complexes:
    """Squares s^2 (2,) of the eigenvalues in 1/s^2."""
    root = np.emath.sqrt(1.0 - (1.0 + mu**2) * np.sin(p.alpha) ** 2)
    return np.asarray(-(p.stiffness / p.mass) * (1.0 + np.array([root, -root])))


def main(run: fc.Run[WedgeFlutter]) -> None:
    """Onset for three wedges, eigenvalues at four frictions, stiffness and load."""
    p = run.parameters
    onset(run)
    for mu, growth, frequency in ((0.95, 0.0, 44.427), (1.05, 35.57, 50.647), (1.2, 72.30, 51.628)):
        modes = frictions(p).at(mu).modes
        lead = modes.eigenvalues[modes.leading]
        squares = closed_form(p, mu)
        distance = np.abs(modes.eigenvalues[:, None] ** 2 - squares).min(axis=1).max()
        run.check(f"s^2 at mu = {mu:g}: relative distance", float(distance / np.abs(squares).max()),
                  0.0, tolerance=1e-8, kind="closed_form", source="1 -+ sqrt(1 - (1 + mu^2) sin^2)",
                  formula=True)  # fmt: skip
        run.check(f"growth rate at mu = {mu:g}", float(lead.real), growth, unit="1/s",
                  tolerance=0.006, varied=["mu"], **DIGEST)  # fmt: skip
        lowest = float(modes.frequency.min())
        run.check(f"lowest frequency at mu = {mu:g}", lowest, frequency, unit="Hz",
                  tolerance=0.001, varied=["mu"], **DIGEST)  # fmt: skip
    fed = fc.mechanism(fc.operating_point(build(replace(p, mu=1.2))).balance())
    run.check("what feeds it, without the name of the flank", fed.split(" (")[0], "mode coupling",
              relation="is", kind="trend", source="example 5.6", varied=["mu"])  # fmt: skip
    tracks = fc.track_modes(frictions(p), np.linspace(0.5, 1.5, 21 if run.quick else 81))
    run.figure("modes", fc.view.tracks_plot(tracks, "friction coefficient"))


def onset(run: fc.Run[WedgeFlutter]) -> None:
    """Friction at which the modes meet, by root finding."""
    p = run.parameters
    variants = {
        "alpha = 30 deg": replace(p, theta=5.0 * pi / 12.0),
        "alpha = 45 deg": replace(p, theta=3.0 * pi / 8.0),
        "alpha = 60 deg": replace(p, theta=pi / 3.0),
        "alpha = 45 deg, ten times stiffer": replace(
            p, theta=3.0 * pi / 8.0, stiffness=10.0 * p.stiffness
        ),
        "alpha = 45 deg, ten times the weight": replace(
            p, theta=3.0 * pi / 8.0, gravity=10.0 * p.gravity
        ),
    }
    for name, q in variants.items():
        exact = 1.0 / tan(q.alpha)
        found = fc.coalescence(frictions(q), 0.8 * exact, 1.2 * exact).value
        run.check(f"critical friction, {name}", found, exact, tolerance=1e-8, kind="published",
                  source="Waltersberger, example 5.6: cot(alpha)", formula=True)  # fmt: skip


CASE = fc.Case(
    title="disc in a wedge: flutter begins at mu = cot(alpha)",
    verifies=("Waltersberger T7",),
    parameters=WedgeFlutter(),
    run=main,
    quick_s=4,
    system=build,
)

if __name__ == "__main__":
    CASE.main(__file__)
