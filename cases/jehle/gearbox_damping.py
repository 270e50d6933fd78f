"""Rigid gearbox: damping that makes it unstable (Jehle 4.1.1, figure 4.4).

Between flutter and self-locking the gearbox of `gearbox_axial` is stable. Three dampings are
compared there: (1) proportional to stiffness; (2) thirty times that on both bearings; (3) thirty
times that on the bearing of the engine plate alone. (2) widens the stable range of flutter, (3)
takes it away: unequal damping moves the boundaries of a circulatory system (Ziegler). The growth is
slow compared with that of flutter.
"""

from dataclasses import dataclass, replace

import numpy as np

import fecontact as fc

gearbox = fc.load_module("jehle/gearbox_axial")

SLOW = (
    "the print says orders of magnitude below the growth of flutter; with thirty times the damping "
    "of the text it is a quarter of it at tan(beta_b) = 1, falling to 8 % at self-locking; the "
    "damping of the appendix is another one and does not fit the text",
    "source notes: the values of the appendix do not equal 30x and are ambiguous",
)


@dataclass(frozen=True)
class Damping(gearbox.Gearbox):
    """Data of the axial gearbox; `factor` is how much more the damping 2 and 3 are."""

    slope: float = fc.quantity(1.05, "", fc.NON_NEGATIVE)
    factor: float = fc.quantity(30.0, "", fc.POSITIVE)


FLUTTER = fc.References("""
    onset | onset of flutter |  |  | 1e-4
    end   | end of flutter   |  |  | 1e-4
    *     | Jehle 2016, section 4.1.1, figure 4.4, recomputed | source_notes
""")
DIVERGENCE = fc.References("""
    slope | divergence | p.locking_slope |  | 1e-6 | Jehle 2016, (4.7)
""")
GROWTH = fc.References("""
    low    | growth rate, damping 3, tan(beta_b) = 1    | 57.0 | 1/s | 0.6
    middle | growth rate, damping 3, tan(beta_b) = 1.05 | 28.0 | 1/s | 0.6
    high   | growth rate, damping 3, tan(beta_b) = 1.1  | 20.0 | 1/s | 0.6
    *      | Jehle 2016, section 4.1.1, figure 4.4, recomputed | source_notes
""")
PARADOX = fc.References(
    """
    least | smallest growth rate up to divergence, damping 3  | >= 0.0 | 1/s
    top_1 | largest growth rate at the same angles, damping 1 | <= 0.0 | 1/s
    top_2 | largest growth rate at the same angles, damping 2 | <= 0.0 | 1/s
    ratio | its ratio to the largest growth rate of flutter   | <= 0.1
    *     | Jehle 2016, section 4.1.1, figure 4.4 | published
    """,
    deviations={"ratio": SLOW},
)


def variants(p: Damping) -> dict[str, Damping]:
    """The three dampings of the source."""
    more = p.factor * p.plate_damping
    return {
        "1": p,
        "2": replace(p, axial_damping=p.factor * p.axial_damping, plate_damping=more),
        "3": replace(p, plate_damping=more),
    }


def growth(branch: fc.Branch, slopes: fc.Floats) -> fc.Floats:
    """Largest growth rates at slopes."""
    return np.array([branch.at(slope).modes.leading_growth for slope in slopes])


def build(p: Damping) -> fc.System:
    """Gearbox with damping 3."""
    return gearbox.build(variants(p)["3"])


def main(run: fc.Run[Damping]) -> None:
    """Stable ranges, growth rates inside them, and the curves."""
    p, known = run.parameters, {"1": (0.6668, 0.9858), "2": (0.6697, 0.9854)}
    branches = {name: gearbox.slopes(q) for name, q in variants(p).items()}
    for name in ("2",) if run.quick else known:
        found = gearbox.flutter_range(branches[name], 0.831, 0.3, 1.05)
        rows = dict(zip(FLUTTER, zip(found, known[name], strict=True), strict=True))
        run.compare(FLUTTER, rows, label=f"damping {name}")
    for name in ("3",) if run.quick else branches:
        slope = gearbox.locking_slope(branches[name], p.locking_slope)
        run.compare(DIVERGENCE, {"slope": slope}, label=f"damping {name}")
    slopes = np.array([1.0, 1.05, 1.1])
    rates = {name: growth(branch, slopes) for name, branch in branches.items()}
    run.compare(GROWTH, dict(zip(GROWTH, rates["3"], strict=True)))
    between = np.linspace(0.68, 1.115, 5 if run.quick else 88)
    computed = {
        "least": growth(branches["3"], between).min(),
        "top_1": rates["1"].max(),
        "top_2": rates["2"].max(),
        "ratio": rates["3"].max() / branches["1"].at(0.831).modes.leading_growth,
    }
    run.compare(PARADOX, computed)
    axes = "tan(beta_b), positive slip", "largest growth rate / (1/s)"
    for name, (low, high) in {"growth": (0.5, 1.115), "window": (0.98, 1.115)}.items():
        x = np.linspace(low, high, 6 if run.quick else p.points)
        curves = {f"damping {key}": growth(branch, x) for key, branch in branches.items()}
        figure = fc.view.curves_plot(x, curves, *axes, zero_line=True)
        run.figure(name, figure)


CASE = fc.Case(__doc__, ("Jehle T8",), Damping(), main, quick_s=8, system=build)

if __name__ == "__main__":
    CASE.main(__file__)
