"""Flexible pendulum: an elastic bar on a hinge swings under its weight.

The bar is let go from the horizontal. It is built in two floating frames, one that follows the mean
motion of the bar (free-free shapes) and one that is clamped to its end at the hinge. The reference
is another model: a chain of n rigid links with torsion springs n EI/L between them, geometrically
exact, with an error of the order 1/n^2 that is extrapolated. A floating frame is exact to first
order in the deflection w: halving the compliance quarters the difference.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.integrate import solve_ivp

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

    @property
    def bending_stiffness(self) -> float:
        """Return EI in N m^2."""
        return self.young * self.side**4 / 12.0

    @property
    def line_mass(self) -> float:
        """Return rho A in kg/m."""
        return self.density * self.side**2


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


def chain(p: FlexiblePendulum, n: int, t: fc.Floats) -> fc.Floats:
    """Tip (k, 2) of n rigid links with torsion springs, angles a from the horizontal.

    sum_j (W_ij cos(a_i - a_j) + J) a_j'' + W_ij sin(a_i - a_j) a_j'^2 + K_ij a_j + b_i cos a_i = 0
    """
    l = p.length / n  # noqa: E741
    m = p.line_mass * l
    arms = l * (np.tril(np.ones((n, n)), -1) + 0.5 * np.eye(n))
    W, b = m * arms.T @ arms, m * p.gravity * arms.sum(axis=0)
    J = m * (l**2 + p.side**2) / 12.0 * np.eye(n)
    d = np.diff(np.eye(n), axis=0)
    K = p.bending_stiffness / l * d.T @ d

    def rate(time: float, y: fc.Floats) -> fc.Floats:
        a, omega = y[:n], y[n:]
        between = a[:, None] - a
        moment = -(W * np.sin(between)) @ omega**2 - K @ a - b * np.cos(a)
        return np.concatenate([omega, np.linalg.solve(W * np.cos(between) + J, moment)])

    a = solve_ivp(rate, (0.0, t[-1]), np.zeros(2 * n), "DOP853", t, rtol=1e-7, atol=1e-9).y[:n]
    return l * np.column_stack([np.cos(a).sum(axis=0), np.sin(a).sum(axis=0)])


def beam(p: FlexiblePendulum, t: fc.Floats) -> fc.Floats:
    """Tip (k, 2) of the geometrically exact beam: two chains, extrapolated."""
    coarse, fine = (chain(p, n, t) for n in LINKS)
    return fine + (fine - coarse) / 3.0


def body_of(system: fc.System) -> fc.ElasticBody:
    """Return the bar."""
    body = system.bodies[0]
    assert isinstance(body, fc.ElasticBody)
    return body


def tip(motion: fc.Trajectory) -> fc.Floats:
    """Tip (k, 2) in the plane x, z of the swing."""
    marker = body_of(motion.system).marker("x_max")
    places = [marker.at(q, v).position for q, v in zip(motion.q, motion.v, strict=True)]
    return np.array(places)[:, [0, 2]]


def released(p: FlexiblePendulum, frame: str, step: float) -> fc.Trajectory:
    """Swing from the horizontal."""
    system = pendulum(p, frame)
    return fc.simulate(system, p.time, system.rest(), step=step, output=p.time / 30.0)


def main(run: fc.Run[FlexiblePendulum]) -> None:
    """Frequencies on the hinge, swing in both frames, energy."""
    for frame in FRAMES:
        frequencies(run, frame)
    swing(run)
    energy(run)


def frequencies(run: fc.Run[FlexiblePendulum], frame: str) -> None:
    """Without weight: the bar turns freely, and vibrates as a pinned-free beam."""
    p = run.parameters
    system = pendulum(p, frame, gravity=False)
    modes = fc.complex_modes(fc.linearise(system, system.consistent(system.rest()).state))
    moves = np.abs(body_of(system).marker("x_max").at(system.rest().q, system.rest().v).jacobian
                   @ modes.vectors)  # fmt: skip
    vibrates = (moves[2] > moves[1]) & (modes.frequency > 1e-3)
    shear = 5.0 / 6.0 * 0.5 * p.young * p.side**2
    exact = fc.reference.beam_frequencies(
        p.length, p.bending_stiffness, p.line_mass, "pinned", "free", 2,
        shear_stiffness=shear, rotary_inertia=p.line_mass * p.side**2 / 12.0,
    )[1]  # fmt: skip
    found = float(modes.frequency[vibrates][0])
    run.check("first bending frequency on the hinge", found, float(exact), unit="Hz",
              tolerance=2e-3 * exact, method=frame, kind="closed_form",
              source="Timoshenko beam, pinned and free", formula=True)  # fmt: skip


def swing(run: fc.Run[FlexiblePendulum]) -> None:
    """Path of the tip against the chain, at two stiffnesses."""
    step = 1e-3 if run.quick else 2.5e-4
    soft = run.parameters
    t = np.linspace(0.0, soft.time, 31)
    exact = beam(soft, t)
    stiff = replace(soft, young=2.0 * soft.young)
    exact_stiff = beam(stiff, t)
    source = f"chain of {LINKS[0]} and {LINKS[1]} rigid links, extrapolated"
    paths, bend = {}, 0.0
    for frame in FRAMES:
        motion = released(soft, frame, step)
        paths[frame] = tip(motion)
        run.audit(motion, method=frame)
        bend = bend or deflection(motion)
        error = distance(paths[frame], exact)
        run.check("largest error of the path of the tip", error, 0.0, unit="m",
                  tolerance=2.0 * bend**2 / soft.length, method=frame, kind="cross_method",
                  source=source, formula=True)  # fmt: skip
        if frame == "clamped frame" or not run.quick:
            error_stiff = distance(tip(released(stiff, frame, step)), exact_stiff)
            run.check("order of that error in the deflection",
                      float(np.log2(error / error_stiff)), 2.0, tolerance=0.25, method=frame,
                      kind="cross_method", source=source, formula=True)  # fmt: skip
    run.note(f"the tip bends by {1e3 * bend:.1f} mm out of the tangent at the hinge")
    rigid = chain(soft, 1, t)[:, 1]
    figure = fc.view.curves_plot(
        t,
        {"chain of rigid links": 1e3 * (exact[:, 1] - rigid)},
        "time / s",
        "height of the tip above that of a rigid bar / mm",
        dots={frame: 1e3 * (path[:, 1] - rigid) for frame, path in paths.items()},
    )
    run.figure("swing", figure)


def distance(path: fc.Floats, other: fc.Floats) -> float:
    """Largest distance in m of two paths (k, 2)."""
    return float(np.linalg.norm(path - other, axis=1).max())


def deflection(motion: fc.Trajectory) -> float:
    """Largest distance in m of the tip from the axis x of the frame."""
    body = body_of(motion.system)
    own = [body.rotation(q).T @ ([x, 0.0, z] - q[:3])
           for q, (x, z) in zip(motion.q, tip(motion), strict=True)]  # fmt: skip
    return float(np.abs(np.array(own)[:, 2]).max())


def energy(run: fc.Run[FlexiblePendulum]) -> None:
    """Energy and constraint of the swing at tight tolerance."""
    p = run.parameters
    system = pendulum(p, "clamped frame")
    motion = fc.simulate(system, 0.2 * p.time, system.rest(), "projected", rtol=1e-9, atol=1e-11)
    kinetic = sum(system.energies(motion.state(-1)).kinetic.values())
    run.check("drift of the energy over the kinetic energy",
              float(np.ptp(motion.energy()) / kinetic), 0.0, tolerance=1e-7, method="projected",
              kind="closed_form", source="conservation", formula=True)  # fmt: skip
    gap = max(float(np.abs(system.constraint(motion.state(i)).value).max())
              for i in range(len(motion)))  # fmt: skip
    run.check("drift of the hinge", gap, 0.0, unit="m", tolerance=1e-10, method="projected",
              kind="closed_form", source="c(q) = 0", formula=True)  # fmt: skip


CASE = fc.Case(
    title="flexible pendulum: an elastic bar on a hinge, in two floating frames",
    verifies=("hinge on an elastic body", "choice of the floating frame", "conservation of energy"),
    parameters=FlexiblePendulum(),
    run=main,
    quick_s=8,
)

if __name__ == "__main__":
    CASE.main(__file__)
