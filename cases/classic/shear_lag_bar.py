"""Elastic bar pulled over a frictional plane: slip length, hysteresis, energy.

A bar of stiffness E A and length L is pressed on a plane; friction per length is at most q, on
bristles of stiffness k per length. With lambda = sqrt(k/(E A)) the loaded end slips over l, where

    F   = q (l + tanh(lambda (L - l))/lambda)
    u_0 = q/k + (q l/(E A)) (tanh(lambda (L - l))/lambda + l/2)

and for stiff bristles and a long bar  l = F/q,  u_0 = F^2/(2 E A q),  D = (2/3) F*^3/(E A q) per
cycle between -F* and F*. The bar is a row of 20-node hexahedra without lateral contraction, thin
enough that shear over its height does not count; friction acts at the Gauss points of its base.
"""

from dataclasses import dataclass

import numpy as np

import fecontact as fc

FRACTION = fc.Allowed("between 0 and 1", lambda x: 0.0 < x < 1.0)


@dataclass(frozen=True)
class Bar(fc.Parameters):
    """Steel strip of 1 m on a rigid plane."""

    length: float = fc.quantity(1.0, "m", fc.POSITIVE)
    width: float = fc.quantity(0.01, "m", fc.POSITIVE)
    height: float = fc.quantity(0.001, "m", fc.POSITIVE)
    young: float = fc.quantity(210e9, "Pa", fc.POSITIVE)
    pressure: float = fc.quantity(1e6, "Pa", fc.POSITIVE)
    mu: float = fc.quantity(0.3, "", fc.POSITIVE)
    decay_length: float = fc.quantity(0.02, "m", fc.POSITIVE)
    slip_fraction: float = fc.quantity(0.6, "", FRACTION)
    cells: int = fc.quantity(100, "", fc.at_least(10), numerical=True)
    increments: int = fc.quantity(20, "", fc.at_least(4), numerical=True)
    axial = fc.derived("E A in N", lambda p: p.young * p.width * p.height)
    friction = fc.derived("friction limit q in N/m", lambda p: p.mu * p.pressure * p.width)
    exact = fc.derived(
        "bar on bristles in closed form",
        lambda p: fc.reference.ShearLagBar(p.length, p.axial, p.friction, p.decay_length),
    )
    force = fc.derived("largest force F* in N", lambda p: p.exact.pull(p.slip_fraction * p.length))


REFERENCES = fc.References(
    slip=fc.Reference("slip length", lambda p: p.exact.slip_length(p.force), "m"),
    end=fc.Reference("end displacement", unit="m", relative=0.005),
    loop=fc.Reference("largest error of the loop", 0.0, tolerance=0.01),
    work=fc.Reference("slip work of a cycle", unit="J", relative=0.02),
    order=fc.Reference("order of convergence", 1.0, relation="ge", kind="trend"),
    source="shear-lag bar in closed form",
)


def pulled(
    p: Bar, cells: int, increments: int
) -> tuple[fc.LoadPath, fc.Floats, fc.Floats, fc.Floats]:
    """Pull, push and pull the bar: path, force, displacement of its end, points along it."""
    mesh = fc.block(p.length, p.width, p.height, (cells, 1, 1))
    held = {"y_min": "yz", "y_max": "yz", "z_min": "z"}
    solid = fc.ElasticSolid(mesh, fc.Material(p.young, 0.0, 7800.0), supports=held)
    bar = fc.FEBody("bar", solid)
    down = np.linspace(1.0, -1.0, 2 * increments + 1)[1:]
    force = p.force * np.concatenate([np.linspace(0, 1, increments + 1), down, -down])
    t = np.arange(len(force), dtype=float)
    stiffness = p.pressure / (1e-3 * p.height)
    points, ground = fc.fe_surface(bar, "z_min"), fc.Plane((0.0, 0.0, 1e-3 * p.height))
    laws = fc.PenaltyNormal(stiffness), fc.ElastoPlastic(p.mu, p.exact.bristles / p.width)
    contact = fc.ContactPair(bar, points, fc.RigidFace(None, ground), *laws)
    pull = fc.SurfaceLoad(bar, "x_max", (1.0, 0.0, 0.0), factor=fc.Table(t, force))
    problem = fc.StaticSystem(fc.System([bar], [contact, pull]))
    path = fc.load_path(problem, t)
    displaced = [float(pull.given @ problem.state(each.t, each.x).q) for each in path.increments]
    return path, force, np.array(displaced), points.points[:, 0]


def main(run: fc.Run[Bar]) -> None:
    """Two meshes against the bar on bristles; the stiff limit beside it."""
    p = run.parameters
    levels = (p.cells // 4, p.cells // 2) if run.quick else (p.cells // 2, p.cells)
    turn, errors = 6 if run.quick else p.increments, []
    for cells in levels:
        path, force, u, x = pulled(p, cells, turn)
        exact = p.exact.cycle(force)
        errors.append(abs(u - exact).max() / exact.max())
    work, first = path.slip_work(), path.increments[turn].contacts["contact"]
    energy = p.exact.cycle_work(p.force)
    computed = {
        "slip": p.length - x[first.sliding].min(),
        "end": (u[turn], exact[turn]),
        "loop": errors[-1],
        "work": (work[-1] - work[turn], energy),
        "order": np.log2(errors[0] / errors[1]),
    }
    run.compare(REFERENCES, computed, tolerances={"slip": p.length / levels[-1]})
    stiff = 2.0 / 3.0 * p.force**3 / (p.axial * p.friction)
    run.note(f"Rigid bristles would dissipate {stiff:.4g} J, these bristles {energy:.4g} J.")
    loop = {"finite elements": (1e3 * u, force)}, {"closed form": (1e3 * exact, force)}
    figure = fc.view.loops_plot([("pull and push", *loop)], "end displacement / mm", "force / N")
    run.figure("hysteresis", figure)
    order, shown = np.argsort(x), {"pulled": turn, "released": 2 * turn, "pushed": 3 * turn}
    curves = {
        name: 1e-6 * path.increments[k].contacts["contact"].traction[order, 0]
        for name, k in shown.items()
    }
    figure = fc.view.curves_plot(x[order], curves, "position along the bar / m", "friction / MPa")
    run.figure("friction", figure)


CASE = fc.Case(__doc__, ("shear-lag bar",), Bar(), main, quick_s=6)

if __name__ == "__main__":
    CASE.main(__file__)
