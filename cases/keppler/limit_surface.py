"""Limit surface of area friction: which force and moment a patch carries at rest (Keppler 4.2.5).

Force and moment of a patch that just slides, over all poles, are its limit surface. A load t sticks
if its gauge g(t) is below mu N; the twist that releases it is normal to the surface. Loads of
sliding patches must lie on it, and be released by the twist about their pole. The printed formulas
of the Hertz patch are in keppler/hertz_patch.
"""

from dataclasses import dataclass

import numpy as np

import fecontact as fc

area, formulas = (fc.load_module(f"keppler/{name}") for name in ("area_friction", "hertz_patch"))


@dataclass(frozen=True)
class LimitSurface(fc.Parameters):
    """Radius of the round patches; the block has the sides 2 L and L."""

    length: float = fc.quantity(0.4, "m", fc.POSITIVE)


LOAD = fc.References("""
    gauge | gauge/(mu N)       | 1.0 |  | 2e-6
    pole  | miss of the pole/L | 0.0 |  | 1e-4
    *     | table of the source notes put in | source_notes; formula
""")


def main(run: fc.Run[LimitSurface]) -> None:
    """Gauge of tabled loads is 1, and the twist that releases them turns about their pole."""
    L, curves = run.parameters.length, {}
    for name, patch in area.patches(L).items():
        curve = fc.LimitCurve(patch)
        for x, (force, moment) in fc.reference.PATCH_FRICTION[name].items():
            g, twist = curve.gauge(np.array([0.6 * force, 0.8 * force, moment * L]))
            pole = np.hypot(twist[0], twist[1]) / twist[2] / L
            run.compare(LOAD, {"gauge": g, "pole": pole - x}, label=f"{name}, r_M/L = {x:g}")
        curves[name] = (curve.points[:, 0], curve.points[:, 1] * curve.spin_moment / L)
    for pole, load in fc.reference.BLOCK_FRICTION.items():
        g, twist = fc.gauge(fc.Rectangle(2.0 * L, L), np.array(load) * [1.0, 1.0, L])
        miss = np.hypot(twist[1] / twist[2] / L + pole[0], twist[0] / twist[2] / L - pole[1])
        run.compare(LOAD, {"gauge": g, "pole": miss}, label=f"block, pole {pole}")
    F = np.minimum(fc.LimitCurve(fc.HertzPatch(1.0)).points[::16, 0], 1.0)
    loops = [("limit curves", curves, {"Hertz, printed": (F, formulas.printed_moment(F))})]
    run.figure("limit_curves", fc.view.loops_plot(loops, "force / (mu N)", "moment / (mu N L)"))


CASE = fc.Case(__doc__, ("limit surface",), LimitSurface(), main, quick_s=3)

if __name__ == "__main__":
    CASE.main(__file__)
