"""Rigid gearbox: damping that makes it unstable (Jehle 4.1.1, figure 4.4).

Between flutter and self-locking the gearbox of `gearbox_axial` is stable. Three dampings are
compared there: (1) proportional to stiffness; (2) thirty times that on both bearings; (3) thirty
times that on the bearing of the engine plate alone. (2) widens the stable range of flutter, (3)
takes it away: unequal damping moves the borders of a circulatory system (Ziegler). The growth is
slow compared with that of flutter.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

import fecontact as fc

gearbox = fc.load_module("jehle/gearbox_axial")
DIGEST = {"kind": "digest", "source": "Jehle 2016, figure 4.4, recomputed"}
PUBLISHED = {"kind": "published", "source": "Jehle 4.1.1, figure 4.4"}

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


def main(run: fc.Run[Damping]) -> None:
    """Stable ranges, growth rates inside them, and the curves."""
    p = run.parameters
    branches = {name: gearbox.slopes(q) for name, q in variants(p).items()}
    stable_ranges(run, branches)
    paradox(run, branches)
    pictures(run, branches)


def stable_ranges(run: fc.Run[Damping], branches: dict[str, fc.Branch]) -> None:
    """Borders of flutter with dampings 1 and 2; self-locking does not depend on damping."""
    known = {"1": (0.6668, 0.9858), "2": (0.6697, 0.9854)}
    for name, borders in list(known.items())[1 if run.quick else 0 :]:
        found = gearbox.flutter_range(branches[name], 0.831, 0.3, 1.05)
        for which, border, digest in zip(("onset", "end"), found, borders, strict=True):
            run.check(f"{which} of flutter, damping {name}", border, digest, tolerance=1e-4,
                      **DIGEST)  # fmt: skip
    for name in ("3",) if run.quick else branches:
        branch = branches[name]
        locking = gearbox.locking_slope(branch, run.parameters.locking_slope)
        run.check(f"divergence, damping {name}", locking, run.parameters.locking_slope,
                  tolerance=1e-6, kind="closed_form", source="Jehle (4.7)",
                  formula=True)  # fmt: skip


def paradox(run: fc.Run[Damping], branches: dict[str, fc.Branch]) -> None:
    """Damping 3 leaves no stable range between the onset of flutter and self-locking."""
    places = np.array([1.0, 1.05, 1.1])
    for slope, found, digest in zip(places, growth(branches["3"], places), (57.0, 28.0, 20.0),
                                    strict=True):  # fmt: skip
        run.check(f"growth rate, damping 3, tan(beta_b) = {slope:g}", float(found), digest,
                  unit="1/s", tolerance=0.6, **DIGEST)  # fmt: skip
    between = np.linspace(0.68, 1.115, 5 if run.quick else 88)
    least = float(growth(branches["3"], between).min())
    run.check("smallest growth rate up to divergence, damping 3", least, 0.0, unit="1/s",
              relation="ge", **PUBLISHED)  # fmt: skip
    for name in ("1", "2"):
        top = float(growth(branches[name], places).max())
        run.check(f"largest growth rate at the same places, damping {name}", top, 0.0, unit="1/s",
                  relation="le", **PUBLISHED)  # fmt: skip
    flutter = branches["1"].at(0.831).modes.leading_growth
    share = float(growth(branches["3"], places).max()) / flutter
    run.check("its share of the largest growth rate of flutter", share, 0.1, relation="le",
              known_deviation=SLOW, **PUBLISHED)  # fmt: skip


def pictures(run: fc.Run[Damping], branches: dict[str, fc.Branch]) -> None:
    """Growth rates over the helix angle: all of it, and the window of the source."""
    for name, (low, high) in {"growth": (0.5, 1.115), "window": (0.98, 1.115)}.items():
        slopes = np.linspace(low, high, 6 if run.quick else run.parameters.points)
        curves = {f"damping {key}": growth(branch, slopes) for key, branch in branches.items()}
        figure = fc.view.curves_plot(
            slopes, curves, "tan(beta_b), positive slip", "largest growth rate / (1/s)"
        )
        figure.axes[0].axhline(0.0, color="black", linewidth=0.8)
        run.figure(f"{name}", figure)


def system(p: Damping) -> gearbox.System:
    """Gearbox with damping 3."""
    return gearbox.build(variants(p)["3"])


CASE = fc.Case(
    title="rigid gearbox: more damping on one bearing makes it unstable",
    verifies=("Jehle T8",),
    parameters=Damping(),
    run=main,
    quick_s=8,
    system=system,
)

if __name__ == "__main__":
    CASE.main(__file__)
