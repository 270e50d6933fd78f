"""Flutter of a disc in a wedge: mu_crit = cot(alpha) (Waltersberger, example 5.6).

A spinning disc slides on both sides of a wedge of the angle alpha, each with the contact stiffness
c. Friction couples its two translations,

    s^2 = -(c/m) (1 +- sqrt(1 - (1 + mu^2) sin^2(alpha))) ,

so the two modes meet at mu = cot(alpha), whatever the stiffness and the load. Steady states, modes
and the meeting point are found from the contacts of `stamm/wedged_disc`, whose flanks are inclined
by theta = (pi - alpha)/2.
"""

from dataclasses import dataclass, replace
from math import pi, tan

import numpy as np

import fecontact as fc

disc = fc.load_module("stamm/wedged_disc")


@dataclass(frozen=True)
class WedgeFlutter(disc.WedgedDisc):
    """Data of example 5.6 without damping."""

    damping: float = fc.quantity(0.0, "N s/m", fc.NON_NEGATIVE)

    @property
    def alpha(self) -> float:
        """Angle of the wedge in rad."""
        return pi - 2.0 * self.theta


ONSET = fc.References("""
    friction | critical friction |  |  | 1e-8
    *        | Waltersberger 2007, example 5.6: cot(alpha) | published; formula
""")
MODES = fc.References("""
    distance  | relative distance of s^2 | 0.0 |     | 1e-8
        | 1 -+ sqrt(1 - (1 + mu^2) sin^2) | closed_form
    growth    | growth rate              |     | 1/s | 0.006
    frequency | lowest frequency         |     | Hz  | 0.001
    *         | Waltersberger 2007, example 5.6, recomputed | source_notes; varied=mu
""")
FEED = fc.References("""
    term | what feeds it, without the name of the flank | is mode coupling
    *    | Waltersberger 2007, example 5.6 | trend; fixed; varied=mu
""")


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
    """Onset for three wedges, eigenvalues at three frictions, stiffness and load."""
    p = run.parameters
    right, angles = replace(p, theta=3.0 * pi / 8.0), {30: 5.0 * pi / 12.0, 60: pi / 3.0}
    variants = {f"alpha = {deg} deg": replace(p, theta=theta) for deg, theta in angles.items()} | {
        "alpha = 45 deg": right,
        "alpha = 45 deg, ten times stiffer": replace(right, stiffness=10.0 * p.stiffness),
        "alpha = 45 deg, ten times the weight": replace(right, gravity=10.0 * p.gravity),
    }
    for name, q in variants.items():
        exact = 1.0 / tan(q.alpha)
        found = fc.coalescence(frictions(q), 0.8 * exact, 1.2 * exact).value
        run.compare(ONSET, {"friction": (found, exact)}, label=name)
    for mu, growth, frequency in ((0.95, 0.0, 44.427), (1.05, 35.57, 50.647), (1.2, 72.30, 51.628)):
        modes, squares = frictions(p).at(mu).modes, closed_form(p, mu)
        away = np.abs(modes.eigenvalues[:, None] ** 2 - squares).min(axis=1).max()
        computed = {
            "distance": away / np.abs(squares).max(),
            "growth": (modes.leading_growth, growth),
            "frequency": (modes.frequency.min(), frequency),
        }
        run.compare(MODES, computed, label=f"mu = {mu:g}")
    fed = fc.mechanism(fc.operating_point(build(replace(p, mu=1.2))).balance())
    run.compare(FEED, {"term": fed.split(" (")[0]})
    tracks = fc.track_modes(frictions(p), np.linspace(0.5, 1.5, 21 if run.quick else 81))
    run.figure("modes", fc.view.tracks_plot(tracks, "friction coefficient"))


CASE = fc.Case(__doc__, ("Waltersberger T7",), WedgeFlutter(), main, quick_s=4, system=build)

if __name__ == "__main__":
    CASE.main(__file__)
