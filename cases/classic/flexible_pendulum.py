"""Flexible pendulum: an elastic bar on a hinge swings under its weight.

The bar is let go from the horizontal. It is built in two floating frames, one that follows the mean
motion of the bar (free-free shapes) and one that is clamped to its end at the hinge. The reference
is another model: a chain of n rigid links with torsion springs n EI/L between them, geometrically
exact, with an error of the order 1/n^2 that is extrapolated. A floating frame is exact to first
order in the deflection w: halving the compliance quarters the difference.
"""

from dataclasses import dataclass

import numpy as np

import fecontact as fc

FRAMES = ("clamped frame", "free frame")
LINKS = (8, 16)


@dataclass(frozen=True)
class FlexiblePendulum(fc.Parameters):
    """A plastic bar of square section."""

    length: float = fc.quantity(1.0, "m", fc.POSITIVE)
    side: float = fc.quantity(0.02, "m", fc.POSITIVE)
    young: float = fc.quantity(6.4e8, "Pa", fc.POSITIVE)
    density: float = fc.quantity(1200.0, "kg/m^3", fc.POSITIVE)
    gravity: float = fc.quantity(9.81, "m/s^2", fc.POSITIVE)
    time: float = fc.quantity(0.3, "s", fc.POSITIVE)
    modes: int = fc.quantity(6, "", fc.at_least(2), numerical=True)
    cells: int = fc.quantity(16, "", fc.at_least(4), numerical=True)
    bending_stiffness = fc.derived("EI in N m^2", lambda p: p.young * p.side**4 / 12.0)
    line_mass = fc.derived("rho A in kg/m", lambda p: p.density * p.side**2)
    slender = fc.derived(
        "length, side, rho A, EI, g of the chain of links",
        lambda p: (p.length, p.side, p.line_mass, p.bending_stiffness, p.gravity),
    )


REFERENCES = fc.References("""
    frequency | first bending frequency on the hinge |  | Hz | 2e-3 rel
    *         | Timoshenko beam, pinned and free
    path      | largest error of the path of the tip | 0.0 | m
    *         | chain of 8 and 16 rigid links, extrapolated | cross_method
    energy    | drift of the energy over the kinetic energy | 0.0 |   | 1e-7  | conservation
    hinge     | drift of the hinge                          | 0.0 | m | 1e-10 | c(q) = 0
""")


def bar(p: FlexiblePendulum, frame: str) -> fc.ElasticBody:
    """Bar from the hinge along x, in one of the two frames."""
    mesh = fc.block(p.length, p.side, p.side, cells=(p.cells, 1, 1))
    mesh = mesh.translated((0.0, -p.side / 2, -p.side / 2))
    supports = {"x_min": "clamped"} if frame == "clamped frame" else {}
    solid = fc.ElasticSolid(mesh, fc.Material(p.young, 0.0, p.density), supports=supports)
    if supports:
        return fc.ElasticBody("bar", fc.reduce_model(solid, "x_max", modes=p.modes, method="free"))
    forces = {name: fc.PolynomialLoads(0) for name in ("x_min", "x_max")}  # of the hinge
    model = fc.reduce_model(solid, tuple(forces), modes=p.modes, loads=forces, layer=0.0)
    return fc.ElasticBody("bar", model)


def pendulum(p: FlexiblePendulum, frame: str, gravity: bool = True) -> fc.System:
    """Bar on a hinge about y in the middle of its end face."""
    body = bar(p, frame)
    hinge = fc.Revolute(None, body, point_b=(0.0, 0.0, 0.0), axis="y", name="hinge")
    weight = [fc.Gravity([body], (0.0, 0.0, -p.gravity))] if gravity else []
    return fc.System([body], [hinge, *weight])


def chain(p: FlexiblePendulum, t: fc.Floats) -> fc.Floats:
    """Tip (k, 2) of the geometrically exact beam: two chains of links, extrapolated."""
    return fc.extrapolated(*(fc.reference.link_pendulum(*p.slender, n, t) for n in LINKS))


def released(p: FlexiblePendulum, frame: str, step: float) -> tuple[fc.Result, fc.Floats]:
    """Swing from the horizontal, and the path (k, 2) of the tip in the plane x, z."""
    system = pendulum(p, frame)
    motion = fc.simulate(system, p.time, system.rest(), step=step, output=p.time / 30.0)
    return motion, motion.path(system.bodies[0], "x_max")[:, [0, 2]]


def deflection(motion: fc.Result, path: fc.Floats) -> float:
    """Largest distance in m of the tip from the axis x of the frame."""
    body = motion.system.bodies[0]
    rows = zip(motion.q, path, strict=True)
    own = [body.rotation(q).T @ ([x, 0.0, z] - q[:3]) for q, (x, z) in rows]
    return float(np.abs(np.array(own)[:, 2]).max())


def frequency(p: FlexiblePendulum, frame: str) -> tuple[float, float]:
    """First bending frequency in Hz on the hinge without weight: computed, Timoshenko beam."""
    system = pendulum(p, frame, gravity=False)
    rest = system.rest()
    modes = fc.complex_modes(fc.linearise(system, system.consistent(rest).state))
    moves = np.abs(system.bodies[0].marker("x_max").at(rest.q, rest.v).jacobian @ modes.vectors)
    vibrates = (moves[2] > moves[1]) & (modes.frequency > 1e-3)
    shear, rotary = 5.0 / 6.0 * 0.5 * p.young * p.side**2, p.line_mass * p.side**2 / 12.0
    thick = {"shear_stiffness": shear, "rotary_inertia": rotary}
    data = p.length, p.bending_stiffness, p.line_mass
    exact = fc.reference.beam_frequencies(*data, "pinned", "free", 2, **thick)[1]
    return modes.frequency[vibrates][0], exact


def main(run: fc.Run[FlexiblePendulum]) -> None:
    """Frequencies on the hinge, swing in both frames, energy."""
    p, t = run.parameters, np.linspace(0.0, run.parameters.time, 31)
    exact, paths, bend = chain(p, t), {}, 0.0
    for frame in FRAMES:
        run.row(REFERENCES, "frequency", *frequency(p, frame), method=frame)
        motion, paths[frame] = released(p, frame, 1e-3 if run.quick else 2.5e-4)
        bend = bend or deflection(motion, paths[frame])
        run.audit(motion, method=frame)
        error = np.linalg.norm(paths[frame] - exact, axis=1).max()
        run.row(REFERENCES, "path", error, tolerance=2.0 * bend**2 / p.length, method=frame)
    run.note(f"the tip bends by {1e3 * bend:.1f} mm out of the tangent at the hinge")
    system = pendulum(p, "clamped frame")
    motion = fc.simulate(system, 0.2 * p.time, system.rest(), "projected", rtol=1e-9, atol=1e-11)
    states = [motion.state(i) for i in range(len(motion))]
    kinetic = sum(system.energies(states[-1]).kinetic.values())
    gap = max(np.abs(system.constraint(state).value).max() for state in states)
    run.row(REFERENCES, "energy", np.ptp(motion.energy()) / kinetic, method="projected")
    run.row(REFERENCES, "hinge", gap, method="projected")
    rigid = fc.reference.link_pendulum(*p.slender, 1, t)[:, 1]
    curve = {"chain of rigid links": 1e3 * (exact[:, 1] - rigid)}
    dots = {frame: 1e3 * (path[:, 1] - rigid) for frame, path in paths.items()}
    axes = "time / s", "height of the tip above that of a rigid bar / mm"
    run.figure("swing", fc.view.curves_plot(t, curve, *axes, dots=dots))


VERIFIES = ("hinge on an elastic body", "choice of the floating frame", "conservation of energy")
CASE = fc.Case(__doc__, VERIFIES, FlexiblePendulum(), main, quick_s=8)

if __name__ == "__main__":
    CASE.main(__file__)
