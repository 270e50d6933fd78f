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

from fecontact.analysis import complex_modes, linearise
from fecontact.body import ElasticBody
from fecontact.case import Case, Parameters, Run, main, quantity
from fecontact.errors import POSITIVE, at_least
from fecontact.fem import ElasticSolid, Material
from fecontact.integrate import Trajectory, simulate
from fecontact.joint import Gravity, Revolute
from fecontact.mesh import block
from fecontact.reduction import PolynomialLoads, reduce_model
from fecontact.reference.beam import beam_frequencies
from fecontact.system import System
from fecontact.typing import Floats
from fecontact.view import plots

FRAMES = ("clamped frame", "free frame")
LINKS = (8, 16)


@dataclass(frozen=True)
class FlexiblePendulum(Parameters):
    """A plastic bar of square section."""

    length: float = quantity(1.0, "m", POSITIVE)
    side: float = quantity(0.02, "m", POSITIVE)
    young: float = quantity(6.4e8, "Pa", POSITIVE)
    density: float = quantity(1200.0, "kg/m^3", POSITIVE)
    gravity: float = quantity(9.81, "m/s^2", POSITIVE)
    time: float = quantity(0.3, "s", POSITIVE)
    modes: int = quantity(6, "", at_least(2), numerical=True)
    cells: int = quantity(16, "", at_least(4), numerical=True)

    @property
    def bending_stiffness(self) -> float:
        """Return EI in N m^2."""
        return self.young * self.side**4 / 12.0

    @property
    def line_mass(self) -> float:
        """Return rho A in kg/m."""
        return self.density * self.side**2


def bar(p: FlexiblePendulum, frame: str) -> ElasticBody:
    """Bar from the hinge along x, in one of the two frames."""
    mesh = block(p.length, p.side, p.side, cells=(p.cells, 1, 1))
    mesh = mesh.translated((0.0, -p.side / 2, -p.side / 2))
    supports = {"x_min": "clamped"} if frame == "clamped frame" else {}
    solid = ElasticSolid(mesh, Material(p.young, 0.0, p.density), supports=supports)
    if supports:
        return ElasticBody("bar", reduce_model(solid, "x_max", modes=p.modes, method="free"))
    forces = {name: PolynomialLoads(0) for name in ("x_min", "x_max")}  # of the hinge
    model = reduce_model(solid, tuple(forces), modes=p.modes, loads=forces, layer=0.0)
    return ElasticBody("bar", model)


def pendulum(p: FlexiblePendulum, frame: str, gravity: bool = True) -> System:
    """Bar on a hinge about y in the middle of its end face."""
    body = bar(p, frame)
    hinge = Revolute(None, body, point_b=(0.0, 0.0, 0.0), axis="y", name="hinge")
    weight = [Gravity([body], (0.0, 0.0, -p.gravity))] if gravity else []
    return System([body], [hinge, *weight])


def chain(p: FlexiblePendulum, n: int, t: Floats) -> Floats:
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

    def rate(time: float, y: Floats) -> Floats:
        a, omega = y[:n], y[n:]
        between = a[:, None] - a
        moment = -(W * np.sin(between)) @ omega**2 - K @ a - b * np.cos(a)
        return np.concatenate([omega, np.linalg.solve(W * np.cos(between) + J, moment)])

    a = solve_ivp(rate, (0.0, t[-1]), np.zeros(2 * n), "DOP853", t, rtol=1e-7, atol=1e-9).y[:n]
    return l * np.column_stack([np.cos(a).sum(axis=0), np.sin(a).sum(axis=0)])


def beam(p: FlexiblePendulum, t: Floats) -> Floats:
    """Tip (k, 2) of the geometrically exact beam: two chains, extrapolated."""
    coarse, fine = (chain(p, n, t) for n in LINKS)
    return fine + (fine - coarse) / 3.0


def body_of(system: System) -> ElasticBody:
    """Return the bar."""
    body = system.bodies[0]
    assert isinstance(body, ElasticBody)
    return body


def tip(motion: Trajectory) -> Floats:
    """Tip (k, 2) in the plane x, z of the swing."""
    marker = body_of(motion.system).marker("x_max")
    places = [marker.at(q, v).position for q, v in zip(motion.q, motion.v, strict=True)]
    return np.array(places)[:, [0, 2]]


def released(p: FlexiblePendulum, frame: str, step: float) -> Trajectory:
    """Swing from the horizontal."""
    system = pendulum(p, frame)
    return simulate(system, p.time, system.rest(), step=step, output=p.time / 30.0)


def run(run: Run[FlexiblePendulum]) -> None:
    """Frequencies on the hinge, swing in both frames, energy."""
    for frame in FRAMES:
        frequencies(run, frame)
    swing(run)
    energy(run)


def frequencies(run: Run[FlexiblePendulum], frame: str) -> None:
    """Without weight: the bar turns freely, and vibrates as a pinned-free beam."""
    p = run.parameters
    system = pendulum(p, frame, gravity=False)
    modes = complex_modes(linearise(system, system.consistent(system.rest()).state))
    moves = np.abs(body_of(system).marker("x_max").at(system.rest().q, system.rest().v).jacobian
                   @ modes.vectors)  # fmt: skip
    vibrates = (moves[2] > moves[1]) & (modes.frequency > 1e-3)
    shear = 5.0 / 6.0 * 0.5 * p.young * p.side**2
    exact = beam_frequencies(
        p.length, p.bending_stiffness, p.line_mass, "pinned", "free", 2,
        shear_stiffness=shear, rotary_inertia=p.line_mass * p.side**2 / 12.0,
    )[1]  # fmt: skip
    found = float(modes.frequency[vibrates][0])
    run.check("first bending frequency on the hinge", found, float(exact), unit="Hz",
              tolerance=2e-3 * exact, method=frame, kind="closed_form",
              source="Timoshenko beam, pinned and free", formula=True)  # fmt: skip


def swing(run: Run[FlexiblePendulum]) -> None:
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
    figure = plots.curves_plot(
        t,
        {"chain of rigid links": 1e3 * (exact[:, 1] - rigid)},
        "time / s",
        "height of the tip above that of a rigid bar / mm",
        dots={frame: 1e3 * (path[:, 1] - rigid) for frame, path in paths.items()},
    )
    plots.save(figure, run.path("swing.png"))


def distance(path: Floats, other: Floats) -> float:
    """Largest distance in m of two paths (k, 2)."""
    return float(np.linalg.norm(path - other, axis=1).max())


def deflection(motion: Trajectory) -> float:
    """Largest distance in m of the tip from the axis x of the frame."""
    body = body_of(motion.system)
    own = [body.rotation(q).T @ ([x, 0.0, z] - q[:3])
           for q, (x, z) in zip(motion.q, tip(motion), strict=True)]  # fmt: skip
    return float(np.abs(np.array(own)[:, 2]).max())


def energy(run: Run[FlexiblePendulum]) -> None:
    """Energy and constraint of the swing at tight tolerance."""
    p = run.parameters
    system = pendulum(p, "clamped frame")
    motion = simulate(system, 0.2 * p.time, system.rest(), "projected", rtol=1e-9, atol=1e-11)
    kinetic = sum(system.energies(motion.state(-1)).kinetic.values())
    run.check("drift of the energy over the kinetic energy",
              float(np.ptp(motion.energy()) / kinetic), 0.0, tolerance=1e-7, method="projected",
              kind="closed_form", source="conservation", formula=True)  # fmt: skip
    gap = max(float(np.abs(system.constraint(motion.state(i)).value).max())
              for i in range(len(motion)))  # fmt: skip
    run.check("drift of the hinge", gap, 0.0, unit="m", tolerance=1e-10, method="projected",
              kind="closed_form", source="c(q) = 0", formula=True)  # fmt: skip


CASE = Case(
    title="flexible pendulum: an elastic bar on a hinge, in two floating frames",
    proves=("hinge on an elastic body", "choice of the floating frame", "conservation of energy"),
    parameters=FlexiblePendulum(),
    run=run,
    quick_s=8,
)

if __name__ == "__main__":
    raise SystemExit(main(CASE, __file__))
